import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { exactTime, milliseconds, number } from "../../../parts/format.ts";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import { CodeBlock } from "../../parts/CodeBlock.tsx";
import { DetailsDrawer } from "../../parts/DetailsDrawer.tsx";
import { StatusText } from "../../parts/StatusText.tsx";
import { useDelivery } from "../../use-delivery.ts";
import { Facts } from "./LogParts.tsx";
import { DELIVERY_TONES, readable, type WireBot } from "./log-filters.ts";
import classes from "./WebhooksPage.module.css";

export interface DeliveryDrawerProps {
  botId: number;
  id: number;
  bot: WireBot | undefined;
}

/** One delivery: how it stands, what was sent, and what came back. */
export function DeliveryDrawer({ botId, id, bot }: DeliveryDrawerProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const delivery = useDelivery(botId, id);
  const replay = async () => {
    setBusy(true);
    try {
      await client.call("POST /host/bots/{bot_id}/deliveries/{delivery_id}/replay", { bot_id: botId, delivery_id: id });
      noticeDone(t("webhooks.details.replayed"));
    } catch (error) {
      noticeError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <DetailsDrawer
      title={t("webhooks.details.delivery", { id })}
      subtitle={<bdi>{bot?.full_name ?? t("webhooks.unknownBot", { id: botId })}</bdi>}
    >
      {delivery && (
        <>
          <Facts
            facts={[
              [
                t("webhooks.column.state"),
                <StatusText key="state" tone={DELIVERY_TONES[delivery.state]}>
                  {t(`webhooks.delivery.${delivery.state}`)}
                </StatusText>,
              ],
              [t("webhooks.details.error"), delivery.error],
              [t("webhooks.column.trigger"), t(`webhooks.trigger.${delivery.trigger}`)],
              [t("webhooks.details.message"), delivery.message_id],
              [t("webhooks.details.reply"), delivery.reply_id],
              [t("webhooks.details.queued"), exactTime(delivery.created_at)],
              [t("webhooks.details.tries"), number(delivery.attempts)],
              [t("webhooks.details.tried"), delivery.tried_at === null ? null : exactTime(delivery.tried_at)],
              [t("webhooks.details.next"), delivery.state === "waiting" ? exactTime(delivery.due_at) : null],
              [t("webhooks.details.status"), delivery.status],
              [t("webhooks.details.took"), delivery.latency === null ? null : milliseconds(delivery.latency)],
              [t("webhooks.details.id"), <code key="uid">{delivery.uid}</code>],
            ]}
          />
          {delivery.state !== "waiting" && (
            <div className={classes.section}>
              <div>
                <BusyButton size="sm" variant="default" busy={busy} onClick={replay}>
                  {t("webhooks.details.replay")}
                </BusyButton>
              </div>
            </div>
          )}
          <div className={classes.section}>
            <h3 className={classes.heading}>{t("webhooks.details.request")}</h3>
            <p className={classes.hint}>
              {t(delivery.request ? "webhooks.details.requestHint" : "webhooks.details.notSent")}
            </p>
            {delivery.request && (
              <CodeBlock label={t("webhooks.details.request")}>{readable(delivery.request)}</CodeBlock>
            )}
          </div>
          {delivery.status !== null && (
            <div className={classes.section}>
              <h3 className={classes.heading}>{t("webhooks.details.answer")}</h3>
              {delivery.answer ? (
                <CodeBlock label={t("webhooks.details.answer")}>{readable(delivery.answer)}</CodeBlock>
              ) : (
                <p className={classes.hint}>{t("webhooks.details.noAnswer")}</p>
              )}
            </div>
          )}
        </>
      )}
    </DetailsDrawer>
  );
}
