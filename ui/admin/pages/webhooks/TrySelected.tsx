import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import type { Delivery } from "../../use-delivery.ts";

export interface TrySelectedProps {
  deliveries: readonly Delivery[];
  nameOf(delivery: Delivery): string;
  onDone(): void;
}

/** Retries the selected deliveries immediately. */
export function TrySelected({ deliveries, nameOf, onDone }: TrySelectedProps) {
  const { t } = useTranslation();
  const client = useClient();
  const tryAll = async () => {
    const refused: string[] = [];
    for (const delivery of calledFor(deliveries)) {
      const { bot_id, id: delivery_id } = delivery;
      try {
        await client.call("POST /host/bots/{bot_id}/deliveries/{delivery_id}/try", { bot_id, delivery_id });
      } catch (error) {
        refused.push(t("webhooks.replay.failedFor", { name: nameOf(delivery), reason: errorMessage(error) }));
      }
    }
    if (refused.length > 0) throw new Error(refused.join(" "));
  };
  const trial = useMutation({
    mutationFn: tryAll,
    onSuccess: () => {
      noticeDone(t("webhooks.tryNow.done", { count: deliveries.length }));
      onDone();
    },
    onError: noticeError,
  });
  return (
    <BusyButton size="compact-sm" variant="default" busy={trial.isPending} onClick={() => trial.mutate()}>
      {t("webhooks.tryNow.selected", { count: deliveries.length })}
    </BusyButton>
  );
}

/**
 * The last delivery of each bot. The server tries the earlier ones of the bot first, so a call for each of them would
 * come too late. Test deliveries are independent.
 */
function calledFor(deliveries: readonly Delivery[]): Delivery[] {
  const last = new Map<number, Delivery>();
  for (const delivery of deliveries) {
    const previous = last.get(delivery.bot_id);
    if (delivery.trigger !== "test" && (!previous || previous.id < delivery.id)) last.set(delivery.bot_id, delivery);
  }
  return [...deliveries.filter(({ trigger }) => trigger === "test"), ...last.values()];
}
