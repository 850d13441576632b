import { Button, Group, Stack, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { exactTime, milliseconds, number } from "../../../parts/format.ts";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useNow } from "../../../parts/use-now.ts";
import { usePageSearch } from "../../page-search.ts";
import { CodeBlock } from "../../parts/CodeBlock.tsx";
import { DetailsDrawer } from "../../parts/DetailsDrawer.tsx";
import { PageLink } from "../../parts/PageLink.tsx";
import { StatusText } from "../../parts/StatusText.tsx";
import { DeliveryProblem } from "../../parts/WebhookReachLink.tsx";
import { type Delivery, useDelivery } from "../../use-delivery.ts";
import { EntryFacts } from "./LogParts.tsx";
import { DELIVERY_TONES, keyOf, readable, type WireBot } from "./log-filters.ts";

export interface DeliveryDrawerProps {
  botId: number;
  id: number;
  bot: WireBot | undefined;
  /** Why the bot's deliveries are held. */
  heldBy: "paused" | "deactivated" | undefined;
}

interface Shown {
  delivery: Delivery;
}

/** A delivery: its state, its request and its response. */
export function DeliveryDrawer({ botId, id, bot, heldBy }: DeliveryDrawerProps) {
  const { t } = useTranslation();
  const delivery = useDelivery(botId, id);
  const name = bot?.full_name ?? t("webhooks.unknownBot", { id: botId });
  return (
    <DetailsDrawer title={t("webhooks.details.delivery", { id })} subtitle={<bdi>{name}</bdi>}>
      {delivery && (
        <>
          <EntryFacts
            facts={[
              [
                t("webhooks.column.state"),
                <StatusText key="state" tone={DELIVERY_TONES[delivery.state]}>
                  {t(`webhooks.delivery.${delivery.state}`)}
                </StatusText>,
              ],
              [t("webhooks.details.error"), delivery.error && <DeliveryProblem key="error" problem={delivery.error} />],
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
          <Stack component="section" gap="xs" mb="lg">
            <Title order={3}>{t("webhooks.details.request")}</Title>
            <Hint>{t(delivery.request ? "webhooks.details.requestHint" : "webhooks.details.notSent")}</Hint>
            {delivery.request && (
              <CodeBlock label={t("webhooks.details.request")}>{readable(delivery.request)}</CodeBlock>
            )}
          </Stack>
          {delivery.status !== null && (
            <Stack component="section" gap="xs" mb="lg">
              <Title order={3}>{t("webhooks.details.answer")}</Title>
              {delivery.answer ? (
                <CodeBlock label={t("webhooks.details.answer")}>{readable(delivery.answer)}</CodeBlock>
              ) : (
                <Hint>{t("webhooks.details.noAnswer")}</Hint>
              )}
            </Stack>
          )}
        </>
      )}
    </DetailsDrawer>
  );
}

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

function Actions({ delivery, name, isHeld }: { name: string; isHeld: boolean } & Shown) {
  const { t } = useTranslation();
  const client = useClient();
  const [asks, setAsks] = useState(false);
  const { bot_id, id, state } = delivery;
  const input = { bot_id, delivery_id: id };
  const isWaiting = state === "waiting";
  const again = useMutation({
    mutationFn: async (): Promise<unknown> =>
      isWaiting
        ? client.call("POST /host/bots/{bot_id}/deliveries/{delivery_id}/try", input)
        : client.call("POST /host/bots/{bot_id}/deliveries/{delivery_id}/replay", input),
    onSuccess: () => noticeDone(t(isWaiting ? "webhooks.details.triedNow" : "webhooks.details.replayed")),
    onError: noticeError,
  });
  return (
    <Stack component="section" gap="xs" mb="lg">
      <Group gap="xs">
        {!(state === "waiting" && isHeld) && (
          // A single button keeps the focus when the delivery ends.
          <BusyButton size="sm" variant="default" busy={again.isPending} onClick={() => again.mutate()}>
            {t(state === "waiting" ? "webhooks.details.tryNow" : "webhooks.details.replay")}
          </BusyButton>
        )}
        {state === "waiting" && (
          <Button size="sm" variant="default" aria-haspopup="dialog" onClick={() => setAsks(true)}>
            {t("webhooks.details.giveUp")}
          </Button>
        )}
      </Group>
      {state === "waiting" && !isHeld && delivery.waits_for != null && <Hint>{t("webhooks.details.tryNowHint")}</Hint>}
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
    </Stack>
  );
}
