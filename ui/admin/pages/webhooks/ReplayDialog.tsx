import { Button, Group, Progress, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Callout } from "../../../parts/Callout.tsx";
import { Dialog } from "../../../parts/Dialog.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import type { Delivery } from "../../use-delivery.ts";
import { OUTGOING, useBotsById } from "./log-filters.ts";

/** A group of deliveries to queue again. */
interface Step {
  name: string;
  count: number;
  run(): Promise<{ replayed: number; hasMore: boolean }>;
}

interface ReplayDialogProps {
  steps: readonly Step[];
  onClose(): void;
}

/** Asks for confirmation, queues the deliveries again in batches, and lists the failures. */
function ReplayDialog({ steps, onClose }: ReplayDialogProps) {
  const { t } = useTranslation();
  // A copy from the time of the question: the number of failed deliveries falls while this runs.
  const [asked] = useState({ steps, count: steps.reduce((sum, { count }) => sum + count, 0) });
  const [phase, setPhase] = useState<"asks" | "runs" | "done">("asks");
  const [done, setDone] = useState(0);
  const [failures, setFailures] = useState<readonly string[]>([]);

  const start = async () => {
    setPhase("runs");
    for (const { name, count, run } of asked.steps) {
      try {
        // A delivery that fails again immediately is found again. The count prevents an endless loop.
        for (let queued = 0, hasMore = true; hasMore && queued < count; ) {
          const step = await run();
          queued += step.replayed;
          hasMore = step.hasMore && step.replayed > 0;
          setDone((before) => before + step.replayed);
        }
      } catch (error) {
        const reason = errorMessage(error);
        setFailures((before) => [...before, t("webhooks.replay.failedFor", { name, reason })]);
      }
    }
    setPhase("done");
  };

  return (
    <Dialog title={t("webhooks.replay.title")} isForm={phase === "runs"} onClose={onClose}>
      <Stack gap="md">
        <Text>{t(asked.count === 0 ? "webhooks.replay.none" : "webhooks.replay.hint", { count: asked.count })}</Text>
        {phase !== "asks" && (
          <Progress
            value={(100 * done) / Math.max(1, asked.count)}
            aria-label={t("webhooks.replay.progress", { done, count: asked.count })}
          />
        )}
        <Text role="status">
          {phase === "runs" && t("webhooks.replay.progress", { done, count: asked.count })}
          {phase === "done" && t("webhooks.replay.done", { count: done })}
        </Text>
        {failures.length > 0 && (
          <Callout tone="error" role="alert">
            {failures.map((failure) => (
              <Text key={failure} inherit>
                {failure}
              </Text>
            ))}
          </Callout>
        )}
        <Group justify="end">
          {phase === "done" || asked.count === 0 ? (
            <Button onClick={onClose} data-autofocus>
              {t("webhooks.replay.close")}
            </Button>
          ) : (
            <>
              <Button variant="default" onClick={onClose}>
                {t("webhooks.replay.cancel")}
              </Button>
              <BusyButton busy={phase === "runs"} onClick={start}>
                {t("webhooks.replay.start")}
              </BusyButton>
            </>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Queues all failed deliveries of the user's bots again. */
export function ReplayFailed({ onClose }: { onClose(): void }) {
  const client = useClient();
  const bots = useBotsById();
  // The page's own data can be older than the last failures.
  const { data, error } = useQuery({
    queryKey: ["failed deliveries"],
    queryFn: ({ signal }) => client.call("GET /host/bots", {}, signal),
    gcTime: 0,
  });
  if (error) return <NotCounted error={error} onClose={onClose} />;
  if (!data) return null;
  const failing = data.bots.filter(({ bot_id, failed }) => failed > 0 && bots.get(bot_id)?.bot_type === OUTGOING);
  return (
    <ReplayDialog
      steps={failing.map(({ bot_id, failed }) => ({
        name: bots.get(bot_id)?.full_name ?? "",
        count: failed,
        run: async () => {
          const { replayed, has_more } = await client.call("POST /host/bots/{bot_id}/deliveries/replay_failed", {
            bot_id,
          });
          return { replayed, hasMore: has_more };
        },
      }))}
      onClose={onClose}
    />
  );
}

function NotCounted({ error, onClose }: { error: Error; onClose(): void }) {
  const { t } = useTranslation();
  return (
    <Dialog title={t("webhooks.replay.title")} onClose={onClose}>
      <Callout tone="error" role="alert">
        {errorMessage(error)}
      </Callout>
    </Dialog>
  );
}

export interface ReplaySelectedProps {
  deliveries: readonly Delivery[];
  nameOf(delivery: Delivery): string;
  onClose(): void;
}

/** Queues the selected deliveries again, oldest first. */
export function ReplaySelected({ deliveries, nameOf, onClose }: ReplaySelectedProps) {
  const client = useClient();
  return (
    <ReplayDialog
      steps={[...deliveries]
        .sort((a, b) => a.id - b.id)
        .map((delivery) => ({
          name: nameOf(delivery),
          count: 1,
          run: async () => {
            const { bot_id, id: delivery_id } = delivery;
            await client.call("POST /host/bots/{bot_id}/deliveries/{delivery_id}/replay", { bot_id, delivery_id });
            return { replayed: 1, hasMore: false };
          },
        }))}
      onClose={onClose}
    />
  );
}
