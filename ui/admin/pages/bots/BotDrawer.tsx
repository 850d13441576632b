import { Tabs, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Hint } from "../../../parts/text/Hint.tsx";
import { usePageSearch } from "../../page-search.ts";
import { DetailsDrawer } from "../../parts/DetailsDrawer.tsx";
import { RowPicture } from "../../parts/RowPicture.tsx";
import { DeliveryProblem } from "../../parts/WebhookReachLink.tsx";
import { BotConnect } from "./BotConnect.tsx";
import { BotHealthText } from "./BotHealthText.tsx";
import { BotSettings } from "./BotSettings.tsx";
import { type BotRow, useWebhookSettings } from "./bots.ts";
import { IncomingWebhook } from "./IncomingWebhook.tsx";
import { OutgoingWebhook } from "./OutgoingWebhook.tsx";
import { Reactivate } from "./Reactivate.tsx";

/** The details of a bot. */
export function BotDrawer({ row }: { row: BotRow }) {
  const { t } = useTranslation();
  const [search, setSearch] = usePageSearch();
  const { bot, kind } = row;
  const settings = useWebhookSettings(bot.user_id, kind !== "generic");
  const tabs = [
    "settings",
    "connect",
    ...(kind === "outgoing" ? (["deliveries"] as const) : []),
    ...(kind === "incoming" ? (["requests"] as const) : []),
  ] as const;
  const tab = tabs.find((one) => one === search.tab) ?? "settings";
  return (
    <DetailsDrawer
      title={<bdi>{bot.full_name}</bdi>}
      subtitle={t(`bots.kind.${kind}`)}
      picture={<RowPicture src={bot.avatar_url} size={48} />}
    >
      {!bot.is_active && <Reactivate row={row} />}
      {bot.is_active && kind !== "generic" && (
        <Text size="sm" mb="md">
          <BotHealthText row={row} />
          {row.condition === "failing" && row.health?.last?.error && (
            <Hint span display="block">
              <DeliveryProblem problem={row.health.last.error} />
            </Hint>
          )}
        </Text>
      )}
      <Tabs value={tab} onChange={(chosen) => setSearch({ tab: chosen ?? undefined })} keepMounted={false}>
        <Tabs.List>
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`bots.tab.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="settings">
          <BotSettings row={row} />
        </Tabs.Panel>
        <Tabs.Panel value="connect">
          <BotConnect row={row} />
        </Tabs.Panel>
        {settings && (
          <Tabs.Panel value="deliveries">
            <OutgoingWebhook row={row} settings={settings} />
          </Tabs.Panel>
        )}
        {settings && (
          <Tabs.Panel value="requests">
            <IncomingWebhook row={row} settings={settings} />
          </Tabs.Panel>
        )}
      </Tabs>
    </DetailsDrawer>
  );
}
