import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { inWords } from "../../../parts/error-messages.ts";
import { exactTime, milliseconds, number } from "../../../parts/format.ts";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import { useNow } from "../../../parts/use-now.ts";
import { usePageSearch } from "../../page-search.ts";
import { CodeBlock } from "../../parts/CodeBlock.tsx";
import { DetailsDrawer } from "../../parts/DetailsDrawer.tsx";
import { PageLink } from "../../parts/PageLink.tsx";
import { StatusText } from "../../parts/StatusText.tsx";
import { type Delivery, useDelivery } from "../../use-delivery.ts";
import { Facts } from "./LogParts.tsx";
import { DELIVERY_TONES, keyOf, readable, type WireBot } from "./log-filters.ts";
import classes from "./WebhooksPage.module.css";

export interface DeliveryDrawerProps {
  botId: number;
  id: number;
  bot: WireBot | undefined;
  /** What keeps all deliveries of the bot back. */
  heldBy: "paused" | "deactivated" | undefined;
}

interface Shown {
  delivery: Delivery;
}

/** One delivery: how it stands, what was sent, and what came back. */
export function DeliveryDrawer({ botId, id, bot, heldBy }: DeliveryDrawerProps) {
  const { t } = useTranslation();
  const delivery = useDelivery(botId, id);
  const name = bot?.full_name ?? t("webhooks.unknownBot", { id: botId });
  return (
    <DetailsDrawer title={t("webhooks.details.delivery", { id })} subtitle={<bdi>{name}</bdi>}>
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
              [t("webhooks.details.error"), delivery.error && inWords(delivery.error)],
              [t("webhooks.column.trigger"), t(`webhooks.trigger.${delivery.trigger}`)],
              [t("webhooks.details.message"), delivery.message_id],
              [t("webhooks.details.reply"), delivery.reply_id],
              [t("webhooks.details.queued"), exactTime(delivery.created_at)],
              [t("webhooks.details.tries"), number(delivery.attempts)],
              [t("webhooks.details.tried"), delivery.tried_at === null ? null : exactTime(delivery.tried_at)],
              [
                t("webhooks.details.next"),
                delivery.state === "waiting" ? <NextTry key="next" delivery={delivery} heldBy={heldBy} /> : null,
              ],
              [t("webhooks.details.status"), delivery.status],
              [t("webhooks.details.took"), delivery.latency === null ? null : milliseconds(delivery.latency)],
              [t("webhooks.details.id"), <code key="uid">{delivery.uid}</code>],
            ]}
          />
          <Actions delivery={delivery} name={name} isHeld={heldBy !== undefined} />
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

/** When it is tried, or what it waits for. */
function NextTry({ delivery: { bot_id, waits_for, due_at }, heldBy }: Pick<DeliveryDrawerProps, "heldBy"> & Shown) {
  const { t } = useTranslation();
  const [search] = usePageSearch();
  const now = useNow();
  if (heldBy) return t(`webhooks.waitsForBot.${heldBy}`);
  if (waits_for == null) return due_at > now ? exactTime(due_at) : t("webhooks.details.nextNow");
  return (
    <PageLink to="/webhooks" search={{ ...search, open: keyOf({ bot_id, id: waits_for }) }}>
      {t("webhooks.details.nextAfter", { id: waits_for })}
    </PageLink>
  );
}

/** What can be done about it as it stands. */
function Actions({ delivery, name, isHeld }: { name: string; isHeld: boolean } & Shown) {
  const { t } = useTranslation();
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [asks, setAsks] = useState(false);
  const { bot_id, id, state } = delivery;
  const input = { bot_id, delivery_id: id };
  const run = async (call: () => Promise<unknown>, done: string) => {
    setBusy(true);
    try {
      await call();
      noticeDone(done);
    } catch (error) {
      noticeError(error);
    } finally {
      setBusy(false);
    }
  };
  const again = () =>
    state === "waiting"
      ? run(
          () => client.call("POST /host/bots/{bot_id}/deliveries/{delivery_id}/try", input),
          t("webhooks.details.triedNow"),
        )
      : run(
          () => client.call("POST /host/bots/{bot_id}/deliveries/{delivery_id}/replay", input),
          t("webhooks.details.replayed"),
        );
  return (
    <div className={classes.section}>
      <Group gap="xs">
        {!(state === "waiting" && isHeld) && (
          // One button, which keeps the focus when the delivery has ended.
          <BusyButton size="sm" variant="default" busy={busy} onClick={again}>
            {t(state === "waiting" ? "webhooks.details.tryNow" : "webhooks.details.replay")}
          </BusyButton>
        )}
        {state === "waiting" && (
          <Button size="sm" variant="default" aria-haspopup="dialog" onClick={() => setAsks(true)}>
            {t("webhooks.details.giveUp")}
          </Button>
        )}
      </Group>
      {state === "waiting" && !isHeld && delivery.waits_for != null && (
        <p className={classes.hint}>{t("webhooks.details.tryNowHint")}</p>
      )}
      {asks && (
        <ConfirmDialog
          title={t("webhooks.details.giveUpTitle", { id })}
          confirmLabel={t("webhooks.details.giveUpConfirm", { id })}
          onConfirm={async () => {
            await client.call("POST /host/bots/{bot_id}/deliveries/{delivery_id}/give_up", input);
            noticeDone(t("webhooks.details.givenUp", { id }));
          }}
          onClose={() => setAsks(false)}
        >
          {delivery.trigger === "test" ? t("webhooks.details.giveUpTest") : t("webhooks.details.giveUpLoss", { name })}
        </ConfirmDialog>
      )}
    </div>
  );
}
