import { Button, MultiSelect, Select, Stack, Switch, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Callout } from "../../../parts/Callout.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useOrganization } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { CodeBlock } from "../../parts/CodeBlock.tsx";
import { DetailsDrawer } from "../../parts/DetailsDrawer.tsx";
import classes from "../../parts/details.module.css";
import { LastRequests } from "../../parts/LastRequests.tsx";
import { isLocalAddress, useServerAddress } from "../../server-address.ts";
import { allowedKinds } from "../bots/allowed-kinds.ts";
import { type BotRow, useBots, useWebhookSettings } from "../bots/bots.ts";
import { CreateBot } from "../bots/CreateBot.tsx";
import { webhookAddress } from "./address.ts";
import type { Integration } from "./integrations.ts";
import { ServiceLogo } from "./ServiceLogo.tsx";
import { SetUpWords } from "./SetUpWords.tsx";

/** Replaces the key until the user shows it. */
const HIDDEN_KEY = "…";
const FILTERS = ["all", "only", "exclude"] as const;

/** A service: its webhook URL, its setup and its last requests. */
export function IntegrationDrawer({ integration }: { integration: Integration }) {
  const { t } = useTranslation();
  const [search, setSearch] = usePageSearch();
  const mayCreate = useOrganization((state) => allowedKinds(state).includes("incoming"));
  const [isCreating, setCreating] = useState(false);
  const candidates = useBots().filter(({ bot, kind }) => bot.is_active && kind === "incoming");
  const { name, display_name } = integration;
  const own = candidates.filter(({ health }) => health?.integration === name);
  const any = candidates.filter(({ health }) => health && health.integration === null);
  const row = candidates.find(({ bot }) => String(bot.user_id) === search.bot) ?? own[0] ?? any[0];
  const makeBot = mayCreate && (
    <Button variant="default" size="xs" onClick={() => setCreating(true)}>
      {t("integrations.makeBot", { name: display_name })}
    </Button>
  );
  return (
    <DetailsDrawer title={display_name} picture={<ServiceLogo integration={integration} />}>
      <div className={classes.section}>
        <Title order={3}>{t("integrations.build")}</Title>
        {row ? (
          <>
            <Select
              label={t("integrations.bot")}
              description={t("integrations.botHint")}
              data={candidates.map(({ bot }) => ({ value: String(bot.user_id), label: bot.full_name }))}
              value={String(row.bot.user_id)}
              allowDeselect={false}
              searchable={candidates.length > 12}
              onChange={(bot) => setSearch({ bot: bot ?? undefined })}
            />
            <div>{makeBot}</div>
            <AddressBuilder integration={integration} row={row} />
          </>
        ) : (
          <>
            <Hint>{t("integrations.noBot")}</Hint>
            <div>{makeBot}</div>
          </>
        )}
      </div>
      <div className={classes.section}>
        <Title order={3}>{t("integrations.last")}</Title>
        <LastRequests of={{ integrations: [name] }} search={{ service: name }} />
      </div>
      {isCreating && (
        <CreateBot
          kind="incoming"
          integration={name}
          onCreated={(id) => setSearch({ bot: String(id) })}
          onClose={() => setCreating(false)}
        />
      )}
    </DetailsDrawer>
  );
}

function AddressBuilder({ integration, row: { bot } }: { integration: Integration; row: BotRow }) {
  const { t } = useTranslation();
  const server = useServerAddress();
  const settings = useWebhookSettings(bot.user_id);
  const channels = useOrganization(({ streams }) => streams);
  const names = (channels ?? []).filter(({ is_archived }) => !is_archived).map(({ name }) => name);
  const [channel, setChannel] = useState<string | null>();
  const [topic, setTopic] = useState("");
  const [filter, setFilter] = useState<(typeof FILTERS)[number]>("all");
  const [events, setEvents] = useState<string[]>([]);
  const [options, setOptions] = useState<Record<string, string>>({});
  const [isKeyShown, setKeyShown] = useState(false);
  const { name, display_name, events: allEvents, is_signed, set_up } = integration;
  const chosenChannel = channel === undefined ? names[0] : (channel ?? undefined);
  const addressWith = (key: string) =>
    webhookAddress({
      server,
      integration: name,
      key,
      channel: chosenChannel,
      topic,
      events: filter === "all" ? undefined : { filter: `${filter}_events`, names: events },
      options,
    });
  // Only the key is hidden, so that choices visibly change the URL.
  const shown = isKeyShown
    ? addressWith(bot.api_key)
    : addressWith("KEY").replace("api_key=KEY", `api_key=${HIDDEN_KEY}`);
  const setOption = (key: string, value: string) => setOptions((before) => ({ ...before, [key]: value }));

  return (
    <>
      <Select
        label={t("integrations.channel")}
        data={[{ value: "", label: t("integrations.toOwner") }, ...names.map((value) => ({ value, label: value }))]}
        value={chosenChannel ?? ""}
        searchable
        allowDeselect={false}
        onChange={(chosen) => setChannel(chosen || null)}
      />
      <TextInput
        label={t("integrations.topic")}
        description={t("integrations.topicHint")}
        value={topic}
        maxLength={60}
        autoComplete="off"
        onChange={(event) => setTopic(event.currentTarget.value)}
      />
      {allEvents && (
        <Select
          label={t("integrations.events")}
          data={FILTERS.map((value) => ({ value, label: t(`integrations.eventChoice.${value}`) }))}
          value={filter}
          allowDeselect={false}
          onChange={(chosen) => setFilter(FILTERS.find((one) => one === chosen) ?? "all")}
        />
      )}
      {allEvents && filter !== "all" && (
        <MultiSelect
          label={t("integrations.chosenEvents")}
          data={[...allEvents]}
          value={events}
          searchable
          clearable
          onChange={setEvents}
        />
      )}
      {integration.options.map(({ key, label, validator }) =>
        validator === "check_bool" ? (
          <Select
            key={key}
            label={label || key}
            data={[
              { value: "", label: t("integrations.option.unset") },
              { value: "true", label: t("integrations.option.true") },
              { value: "false", label: t("integrations.option.false") },
            ]}
            value={options[key] ?? ""}
            allowDeselect={false}
            onChange={(value) => setOption(key, value ?? "")}
          />
        ) : (
          <TextInput
            key={key}
            label={label || (key === "branches" ? t("integrations.branches") : key)}
            value={options[key] ?? ""}
            autoComplete="off"
            onChange={(event) => setOption(key, event.currentTarget.value)}
          />
        ),
      )}
      <CodeBlock label={t("integrations.address", { name: display_name })} copied={addressWith(bot.api_key)}>
        {shown}
      </CodeBlock>
      {isLocalAddress(server) && (
        <Callout tone="warning">
          {t("integrations.localOnly", { name: display_name, host: new URL(server).host })}
        </Callout>
      )}
      <Switch
        label={t("integrations.showKey")}
        checked={isKeyShown}
        onChange={(event) => setKeyShown(event.currentTarget.checked)}
      />
      {(settings?.webhook_secret != null || settings?.unreadable.includes("webhook_secret")) && (
        <Callout tone={is_signed ? "info" : "warning"}>
          {is_signed ? t("integrations.requiresSecret") : t("integrations.refusesUnsigned", { name: display_name })}
        </Callout>
      )}
      <Stack gap="xs" miw={0} mt="sm">
        <Title order={3}>{t("integrations.setUp")}</Title>
        <Hint>{t("integrations.setUpHint", { name: display_name })}</Hint>
        <SetUpWords address={shown}>{set_up}</SetUpWords>
      </Stack>
    </>
  );
}
