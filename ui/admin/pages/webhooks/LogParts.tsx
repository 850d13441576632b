import { Button, Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Callout } from "../../../parts/Callout.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { timeOrDay } from "../../../parts/format.ts";
import { useNow } from "../../../parts/use-now.ts";
import type { WireBot } from "./log-filters.ts";
import classes from "./WebhooksPage.module.css";

export interface BotCellProps {
  bot: WireBot | undefined;
  id: number;
  /** The entry's status, which stands below the name where its column does not fit. */
  status: ReactNode;
}

export function BotCell({ bot, id, status }: BotCellProps) {
  const { t } = useTranslation();
  return (
    <span className={classes.bot}>
      {bot && <img src={bot.avatar_url} alt="" width={20} height={20} />}
      <span className={classes.cell}>
        <bdi>{bot?.full_name ?? t("webhooks.unknownBot", { id })}</bdi>
        <span className={classes.narrowOnly}>{status}</span>
      </span>
    </span>
  );
}

export function LogTime({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{timeOrDay(at, useNow())}</time>;
}

export interface MoreProps {
  hasMore: boolean;
  isLast: boolean;
  limit: number;
  loadMore(): void;
}

/** Below a log: what loads older entries, up to where filters serve better. */
export function More({ hasMore, isLast, limit, loadMore }: MoreProps) {
  const { t } = useTranslation();
  if (!hasMore) return null;
  return (
    <div className={classes.more}>
      {isLast ? (
        t("webhooks.noMore", { count: limit })
      ) : (
        <Button variant="default" size="sm" onClick={loadMore}>
          {t("webhooks.more")}
        </Button>
      )}
    </div>
  );
}

/** What stands instead of a log that is not there: the reason, or the outline of what comes. */
export function LogPlaceholder({ error }: { error: unknown }) {
  if (error)
    return (
      <Callout tone="error" role="alert">
        {errorMessage(error)}
      </Callout>
    );
  return <Skeleton height="20rem" aria-hidden="true" />;
}

/** Facts about an entry, one to a line. Those without a value are left out. */
export function Facts({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(
        ([label, value]) =>
          value !== undefined &&
          value !== null && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
