import { Text, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import { ChoiceSetting, SwitchSetting, TextSetting } from "../../../parts/settings/settings.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import classes from "../../parts/details.module.css";
import { PageLink } from "../../parts/PageLink.tsx";
import { SecretField } from "../../parts/SecretField.tsx";
import { WebhookReachLink } from "../../parts/WebhookReachLink.tsx";
import { type BotRow, INTERFACES, type WebhookSettings } from "./bots.ts";
import { TestDelivery } from "./TestDelivery.tsx";

export interface OutgoingWebhookProps {
  row: BotRow;
  settings: WebhookSettings;
}

/** The receiver of a bot: its URL, and how it verifies deliveries. */
export function OutgoingWebhook({ row, settings }: OutgoingWebhookProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { bot } = row;
  const [service] = bot.services;
  if (!service) return null;
  const { user_id: bot_id, full_name: name } = bot;
  const disabled = !bot.is_active;
  const patch = (changes: { service_payload_url?: string; service_interface?: number }) =>
    client.call("PATCH /bots/{bot_id}", { bot_id, ...changes });
  const replacing = (credential: "token" | "signing_secret") => ({
    title: t(credential === "token" ? "bots.outgoing.replaceToken" : "bots.outgoing.replaceSecret", { name }),
    consequences: t("bots.outgoing.replaceLoss", { count: settings.waiting }),
    replace: async () => {
      await client.call("POST /host/bots/{bot_id}/service/regenerate", { bot_id, credential });
      noticeDone(t("bots.outgoing.replaced"));
    },
  });

  return (
    <div className={classes.panel}>
      <div className={classes.section}>
        <TextSetting
          label={t("bots.outgoing.url")}
          help={
            <>
              {t("bots.outgoing.urlHint")} <WebhookReachLink />
            </>
          }
          value={service.base_url}
          disabled={disabled}
          save={(service_payload_url) => patch({ service_payload_url })}
        />
        <ChoiceSetting
          label={t("bots.field.interface_type")}
          value={service.interface}
          choices={INTERFACES.map(([value, name]) => ({ value: value as number, label: t(`bots.interface.${name}`) }))}
          disabled={disabled}
          save={(service_interface) => patch({ service_interface })}
        />
        <div>
          <Title order={3}>{t("bots.outgoing.triggers")}</Title>
          <Text component="ul" size="sm" ps="1.25rem">
            {(["direct_message", "mention", "never"] as const).map((trigger) => (
              <li key={trigger}>{t(`bots.outgoing.trigger.${trigger}`, { name })}</li>
            ))}
          </Text>
        </div>
      </div>
      <div className={classes.section}>
        <TestDelivery botId={bot_id} isPaused={settings.is_paused} disabled={disabled} />
      </div>
      <div className={classes.section}>
        <SwitchSetting
          label={t("bots.outgoing.pause")}
          help={t("bots.outgoing.pauseHint")}
          value={settings.is_paused}
          disabled={disabled}
          save={(is_paused) => client.call("PATCH /host/bots/{bot_id}", { bot_id, is_paused })}
        />
        <Hint>
          {settings.waiting > 0 && t("bots.outgoing.waiting", { count: settings.waiting })}{" "}
          {(row.health?.failed ?? 0) > 0 && t("bots.outgoing.failed", { count: row.health?.failed ?? 0 })}{" "}
          <PageLink to="/webhooks" search={{ bot: String(bot_id) }}>
            {t("bots.outgoing.log")}
          </PageLink>
        </Hint>
        {settings.waiting > 0 && !settings.is_paused && !disabled && <TryAll botId={bot_id} />}
      </div>
      <div className={classes.section}>
        <Title order={3}>{t("bots.outgoing.proof")}</Title>
        <SecretField
          label={t("bots.outgoing.token")}
          help={t("bots.outgoing.tokenHint")}
          value={settings.unreadable.includes("token") ? undefined : service.token}
          replacing={replacing("token")}
        />
        <SecretField
          label={t("bots.outgoing.secret")}
          help={t("bots.outgoing.secretHint")}
          value={settings.signing_secret ?? undefined}
          replacing={replacing("signing_secret")}
        />
        <Hint>
          <PageLink to="/webhooks" search={{ help: "signatures" }}>
            {t("bots.outgoing.verify")}
          </PageLink>
        </Hint>
      </div>
    </div>
  );
}

/** Retries all pending deliveries immediately, for example after the receiver was repaired. */
function TryAll({ botId }: { botId: number }) {
  const { t } = useTranslation();
  const client = useClient();
  const trial = useMutation({
    mutationFn: () => client.call("POST /host/bots/{bot_id}/deliveries/try_waiting", { bot_id: botId }),
    onSuccess: ({ waiting }) => noticeDone(t("bots.outgoing.tried", { count: waiting })),
    onError: noticeError,
  });
  return (
    <div>
      <BusyButton size="sm" variant="default" busy={trial.isPending} onClick={() => trial.mutate()}>
        {t("bots.outgoing.tryAll")}
      </BusyButton>
    </div>
  );
}
