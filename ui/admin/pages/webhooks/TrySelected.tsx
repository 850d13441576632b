import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import type { Delivery } from "../../use-delivery.ts";

export interface TrySelectedProps {
  /** Those that wait for their next try. */
  deliveries: readonly Delivery[];
  nameOf(delivery: Delivery): string;
  /** All are tried. */
  onDone(): void;
}

/** For whoever has repaired some receivers, and does not wait for the next try. */
export function TrySelected({ deliveries, nameOf, onDone }: TrySelectedProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const tryNow = async () => {
    setBusy(true);
    const refused: string[] = [];
    for (const delivery of calledFor(deliveries)) {
      const { bot_id, id: delivery_id } = delivery;
      try {
        await client.call("POST /host/bots/{bot_id}/deliveries/{delivery_id}/try", { bot_id, delivery_id });
      } catch (error) {
        refused.push(t("webhooks.replay.failedFor", { name: nameOf(delivery), reason: errorMessage(error) }));
      }
    }
    setBusy(false);
    if (refused.length > 0) return noticeError(new Error(refused.join(" ")));
    noticeDone(t("webhooks.tryNow.done", { count: deliveries.length }));
    onDone();
  };
  return (
    <BusyButton size="compact-sm" variant="default" busy={busy} onClick={tryNow}>
      {t("webhooks.tryNow.selected", { count: deliveries.length })}
    </BusyButton>
  );
}

/**
 * Of each bot, the last one: the server tries first what the bot was to get before, which may be delivered, and wait no
 * more, before one could ask for it. Tests stand in no line.
 */
function calledFor(deliveries: readonly Delivery[]): Delivery[] {
  const last = new Map<number, Delivery>();
  for (const delivery of deliveries) {
    const previous = last.get(delivery.bot_id);
    if (delivery.trigger !== "test" && (!previous || previous.id < delivery.id)) last.set(delivery.bot_id, delivery);
  }
  return [...deliveries.filter(({ trigger }) => trigger === "test"), ...last.values()];
}
