import { Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { problemInWords } from "../../../locales/i18n.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { milliseconds, time } from "../../../parts/format.ts";
import { noticeError } from "../../../parts/settings/notices.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { CodeBlock } from "../../parts/CodeBlock.tsx";
import { StatusText } from "../../parts/StatusText.tsx";
import { isBlocked, WebhookReachLink } from "../../parts/WebhookReachLink.tsx";
import { type Delivery, useDelivery } from "../../use-delivery.ts";

export interface TestDeliveryProps {
  botId: number;
  isPaused: boolean;
  disabled: boolean;
}

/** Sends a test delivery and shows the request and the response. */
export function TestDelivery({ botId, isPaused, disabled }: TestDeliveryProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [id, setId] = useState<number>();
  const delivery = useDelivery(botId, id);
  const test = useMutation({
    mutationFn: () => client.call("POST /host/bots/{bot_id}/test_delivery", { bot_id: botId }),
    onSuccess: ({ delivery_id }) => setId(delivery_id),
    onError: noticeError,
  });
  return (
    <>
      <div>
        <Title order={3}>{t("bots.outgoing.test")}</Title>
        <Hint>{t("bots.outgoing.testHint")}</Hint>
      </div>
      {!disabled && (
        <div>
          <BusyButton size="sm" variant="default" busy={test.isPending} onClick={() => test.mutate()}>
            {t("bots.outgoing.sendTest")}
          </BusyButton>
        </div>
      )}
      <div role="status">{id !== undefined && <Outcome delivery={delivery} isPaused={isPaused} />}</div>
      {delivery?.request && (
        <CodeBlock label={t("bots.outgoing.request")} canCopy={false}>
          {delivery.request}
        </CodeBlock>
      )}
      {delivery?.tried_at != null && delivery.status !== null && (
        <CodeBlock label={t("bots.outgoing.answer")} canCopy={false}>
          {delivery.answer || t("bots.outgoing.noAnswer")}
        </CodeBlock>
      )}
    </>
  );
}

function Outcome({ delivery, isPaused }: { delivery: Delivery | undefined; isPaused: boolean }) {
  const { t } = useTranslation();
  if (!delivery || (delivery.state === "waiting" && (isPaused || delivery.tried_at === null)))
    return <StatusText tone="quiet">{t(isPaused ? "bots.outgoing.testPaused" : "bots.outgoing.testWaits")}</StatusText>;
  const reason = problemInWords(delivery.error);
  if (delivery.state === "waiting")
    return (
      <StatusText tone="warning">{t("bots.outgoing.testAgain", { reason, time: time(delivery.due_at) })}</StatusText>
    );
  if (delivery.state === "failed")
    return (
      <StatusText tone="bad">
        {t("bots.outgoing.testFailed", { reason })} {isBlocked(delivery.error) && <WebhookReachLink />}
      </StatusText>
    );
  return (
    <StatusText tone="good">
      {t("bots.outgoing.testDone", { status: delivery.status ?? "", time: milliseconds(delivery.latency ?? 0) })}
    </StatusText>
  );
}
