import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { diffLines } from "diff";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { Dialog } from "../../../parts/Dialog.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { Hint } from "../../../parts/text/Hint.tsx";
import classes from "./ComparePayloads.module.css";
import { readable } from "./log-filters.ts";

export interface Compared {
  bot_id: number;
  id: number;
  name: string;
}

export interface ComparePayloadsProps {
  log: "sent" | "received";
  /** The older entry first. */
  compared: readonly [Compared, Compared];
  onClose(): void;
}

/** The differences of two payloads, line by line. */
export function ComparePayloads({ log, compared, onClose }: ComparePayloadsProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [first, second] = compared;
  const payloadOf = async ({ bot_id, id }: Compared): Promise<string | null> => {
    if (log === "received") {
      const { receipt } = await client.call("GET /host/bots/{bot_id}/receipts/{receipt_id}", {
        bot_id,
        receipt_id: id,
      });
      return receipt.payload ?? null;
    }
    const { delivery } = await client.call("GET /host/bots/{bot_id}/deliveries/{delivery_id}", {
      bot_id,
      delivery_id: id,
    });
    return delivery.request ?? null;
  };
  const { data, error } = useQuery({
    queryKey: ["compared payloads", log, first.id, second.id],
    queryFn: () => Promise.all([payloadOf(first), payloadOf(second)]),
    gcTime: 0,
  });
  return (
    <Dialog title={t("webhooks.compareTitle")} size="52rem" onClose={onClose}>
      <Hint>{t("webhooks.compareHint", { first: first.name, second: second.name })}</Hint>
      {error && <Callout tone="error">{errorMessage(error)}</Callout>}
      {!data && !error && <Skeleton height="10rem" />}
      {data && <Lines before={data[0]} after={data[1]} />}
    </Dialog>
  );
}

function Lines({ before, after }: { before: string | null; after: string | null }) {
  const { t } = useTranslation();
  if (before === null || after === null) return <p>{t("webhooks.compareNothing")}</p>;
  if (before === after) return <p>{t("webhooks.compareSame")}</p>;
  const lines = diffLines(`${readable(before)}\n`, `${readable(after)}\n`).flatMap(({ value, added, removed }, part) =>
    value
      .replace(/\n$/, "")
      .split("\n")
      .map((line, index) => ({ key: `${part} ${index}`, line, kind: added ? "added" : removed ? "removed" : "same" })),
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys
    <section className={classes.lines} tabIndex={0} aria-label={t("webhooks.compareTitle")}>
      {lines.map(({ key, line, kind }) => {
        if (kind === "removed")
          return (
            <del key={key} className={classes.line}>
              {line}
            </del>
          );
        if (kind === "added")
          return (
            <ins key={key} className={classes.line}>
              {line}
            </ins>
          );
        return (
          <span key={key} className={classes.line}>
            {line}
          </span>
        );
      })}
    </section>
  );
}
