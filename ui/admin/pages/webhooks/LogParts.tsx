import { Button, Group, Skeleton, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Callout } from "../../../parts/Callout.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { timeOrDay } from "../../../parts/format.ts";
import { Fact, Facts } from "../../../parts/text/Facts.tsx";
import { useNow } from "../../../parts/use-now.ts";
import { RowPicture } from "../../parts/RowPicture.tsx";
import type { WireBot } from "./log-filters.ts";

export interface BotCellProps {
  bot: WireBot | undefined;
  id: number;
  /** The entry's status, shown below the name if its column does not fit. */
  status: ReactNode;
}

export function BotCell({ bot, id, status }: BotCellProps) {
  const { t } = useTranslation();
  return (
    <Group component="span" gap="xs" wrap="nowrap" miw={0}>
      {bot && <RowPicture src={bot.avatar_url} size={20} />}
      <span>
        <bdi>{bot?.full_name ?? t("webhooks.unknownBot", { id })}</bdi>
        <Text span display="block" size="xs" data-until="medium">
          {status}
        </Text>
      </span>
    </Group>
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

/** Loads older entries, up to a limit where filters serve better. */
export function More({ hasMore, isLast, limit, loadMore }: MoreProps) {
  const { t } = useTranslation();
  if (!hasMore) return null;
  return (
    <Stack align="center" gap="xs" py="md" c="dimmed" fz="sm">
      {isLast ? (
        t("webhooks.noMore", { count: limit })
      ) : (
        <Button variant="default" size="sm" onClick={loadMore}>
          {t("webhooks.more")}
        </Button>
      )}
    </Stack>
  );
}

export function LogPlaceholder({ error }: { error: unknown }) {
  if (error)
    return (
      <Callout tone="error" role="alert">
        {errorMessage(error)}
      </Callout>
    );
  return <Skeleton height="20rem" aria-hidden="true" />;
}

/** Facts about an entry, without those that have no value. */
export function EntryFacts({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <Facts mb="lg">
      {facts
        .filter(([, value]) => value !== undefined && value !== null)
        .map(([label, value]) => (
          <Fact key={label} label={label}>
            {value}
          </Fact>
        ))}
    </Facts>
  );
}
