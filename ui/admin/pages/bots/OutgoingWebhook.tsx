import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { mayManageHost } from "../../../api/session.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import { ChoiceSetting, SwitchSetting, TextSetting } from "../../../parts/settings/settings.tsx";
import { useAdmin } from "../../admin-context.ts";
import { PageLink } from "../../parts/PageLink.tsx";
import { SecretField } from "../../parts/SecretField.tsx";
import classes from "./BotDrawer.module.css";
import { type BotRow, INTERFACES, type WebhookSettings } from "./bots.ts";
import { TestDelivery } from "./TestDelivery.tsx";

export interface OutgoingWebhookProps {
  row: BotRow;
  settings: WebhookSettings;
}

/** Where a bot delivers what people tell it, and how the receiver knows that it is this bot. */
export function OutgoingWebhook({ row, settings }: OutgoingWebhookProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { session } = useAdmin();
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
              {t("bots.outgoing.urlHint")}{" "}
              {mayManageHost(session) && (
                <PageLink to="/network" search={{ open: "webhooks" }}>
                  {t("webhooks.network")}
                </PageLink>
              )}
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
          <h3 className={classes.heading}>{t("bots.outgoing.triggers")}</h3>
          <ul className={classes.list}>
            {(["direct_message", "mention", "never"] as const).map((trigger) => (
              <li key={trigger}>{t(`bots.outgoing.trigger.${trigger}`, { name })}</li>
            ))}
          </ul>
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
        <p className={classes.hint}>
          {settings.waiting > 0 && t("bots.outgoing.waiting", { count: settings.waiting })}{" "}
          {(row.health?.failed ?? 0) > 0 && t("bots.outgoing.failed", { count: row.health?.failed ?? 0 })}{" "}
          <PageLink to="/webhooks" search={{ bot: String(bot_id) }}>
            {t("bots.outgoing.log")}
          </PageLink>
        </p>
        {settings.waiting > 0 && !settings.is_paused && !disabled && <TryAll botId={bot_id} />}
      </div>
      <div className={classes.section}>
        <h3 className={classes.heading}>{t("bots.outgoing.proof")}</h3>
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
        <p className={classes.hint}>
          <PageLink to="/webhooks" search={{ help: "signatures" }}>
            {t("bots.outgoing.verify")}
          </PageLink>
        </p>
      </div>
    </div>
  );
}

/** For whoever has repaired the receiver, and does not wait for the next try. */
function TryAll({ botId }: { botId: number }) {
  const { t } = useTranslation();
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const tryAll = async () => {
    setBusy(true);
    try {
      const { waiting } = await client.call("POST /host/bots/{bot_id}/deliveries/try_waiting", { bot_id: botId });
      noticeDone(t("bots.outgoing.tried", { count: waiting }));
    } catch (error) {
      noticeError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div>
      <BusyButton size="sm" variant="default" busy={busy} onClick={tryAll}>
        {t("bots.outgoing.tryAll")}
      </BusyButton>
    </div>
  );
}
