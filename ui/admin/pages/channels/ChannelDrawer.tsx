import { Stack, Tabs } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ChannelPermissions } from "../../../parts/channels/ChannelPermissions.tsx";
import { channelAddress } from "../../../parts/chat-address.ts";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useOrganization } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { ChatButton } from "../../parts/ChatLink.tsx";
import { DetailsDrawer } from "../../parts/DetailsDrawer.tsx";
import { ChannelSettings } from "./ChannelSettings.tsx";
import { ChannelSubscribers } from "./ChannelSubscribers.tsx";
import { ChannelTopics } from "./ChannelTopics.tsx";
import { type Channel, KIND_ICONS, kindOf } from "./channel-kinds.ts";
import { useChannelRights } from "./use-channel-rights.ts";

const TABS = ["settings", "permissions", "topics", "subscribers"] as const;
type Tab = (typeof TABS)[number];

export interface ChannelDrawerProps {
  /** A new channel, whose event can arrive after the response. */
  created: number | undefined;
}

/** The details of the channel that the URL opens. */
export function ChannelDrawer({ created }: ChannelDrawerProps) {
  const { t } = useTranslation();
  const [search, setSearch] = usePageSearch();
  const id = Number(search.open);
  const channel = useOrganization(({ streams }) => streams?.find(({ stream_id }) => stream_id === id));
  if (search.open === undefined || (!channel && id === created)) return null;
  if (!channel)
    return (
      <DetailsDrawer title={t("channels.gone")}>
        <p>{t("channels.goneHint")}</p>
      </DetailsDrawer>
    );
  const kind = kindOf(channel);
  const Icon = KIND_ICONS[kind];
  const tab = TABS.find((name) => name === search.tab) ?? "settings";
  const panels: Record<Tab, React.ReactNode> = {
    settings: <ChannelSettings key={id} channel={channel} />,
    permissions: <Permissions key={id} channel={channel} />,
    topics: <ChannelTopics key={id} channel={channel} />,
    subscribers: <ChannelSubscribers key={id} channel={channel} />,
  };
  return (
    <DetailsDrawer
      title={channel.name}
      picture={<Icon size="1.375rem" aria-hidden="true" />}
      subtitle={channel.is_archived ? t("channels.archivedChannel") : t(`channels.kinds.${kind}`)}
    >
      {!channel.is_archived && <ChatButton address={channelAddress(id)}>{t("channels.openInChat")}</ChatButton>}
      <Tabs value={tab} onChange={(next) => setSearch({ tab: next ?? undefined })} keepMounted={false}>
        <Tabs.List mb="lg" aria-label={channel.name}>
          {TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`channels.tabs.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map((name) => (
          <Tabs.Panel key={name} value={name}>
            {panels[name]}
          </Tabs.Panel>
        ))}
      </Tabs>
    </DetailsDrawer>
  );
}

function Permissions({ channel }: { channel: Channel }) {
  const { t } = useTranslation();
  const { administers } = useChannelRights(channel);
  return (
    <Stack gap="lg">
      <Hint size="xs">{t(administers ? "channels.permissions.lead" : "channels.readOnly")}</Hint>
      <ChannelPermissions channel={channel} disabled={!administers || channel.is_archived} />
    </Stack>
  );
}
