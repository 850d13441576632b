import type { TFunction } from "i18next";
import { useMemo, useState } from "react";
import type { State } from "../../../api/state-shape.ts";
import { useOrganization } from "../../admin-context.ts";
import type { PageSearch } from "../../page-search.ts";
import type { Facet } from "../../parts/FacetMenu.tsx";
import { useAnswer } from "../../use-answer.ts";

export type WireBot = NonNullable<State["realm_bots"]>[number];

/** By `bot_type`. */
export const [INCOMING, OUTGOING] = [2, 3] as const;

export const DELIVERY_TONES = { waiting: "warning", delivered: "good", failed: "bad" } as const;

const SPANS = [
  ["hour", 3_600_000],
  ["day", 86_400_000],
  ["week", 7 * 86_400_000],
] as const;

/** The numbers of loaded entries; a button goes to the next. */
export const PAGE_SIZES = [100, 400, 1000] as const;

/** The values of a facet in the URL; undefined for all. */
export const chosen = (search: PageSearch, facet: string): string[] | undefined => {
  const values = search[facet]?.split(",").filter(Boolean);
  return values && values.length > 0 ? values : undefined;
};

/** Removes undefined fields: an absent parameter filters nothing. */
export const defined = <T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };

/** The start of the widest chosen time span, fixed when the filter changes. */
export function useSince(search: PageSearch): number | undefined {
  const { time } = search;
  return useMemo(() => {
    const spans = SPANS.flatMap(([name, ms]) => (time?.split(",").includes(name) ? ms : []));
    return spans.length > 0 ? Date.now() - Math.max(...spans) : undefined;
  }, [time]);
}

export function usePageSize() {
  const [index, setIndex] = useState(0);
  const limit = PAGE_SIZES[index] ?? 1000;
  return { limit, isLast: index === PAGE_SIZES.length - 1, loadMore: () => setIndex(index + 1) };
}

/** The bots that the user manages, by id. */
export function useBotsById(): ReadonlyMap<number, WireBot> {
  const bots = useOrganization(({ realm_bots }) => realm_bots);
  return useMemo(() => new Map(bots?.map((bot) => [bot.user_id, bot])), [bots]);
}

/** Why the deliveries of bots are held, by bot id. */
export function useHeldBots(): ReadonlyMap<number, "paused" | "deactivated"> {
  const bots = useBotsById();
  const { data } = useAnswer("GET /host/bots", {}, { changedBy: ["webhook_settings"] });
  return useMemo(() => {
    const held = new Map<number, "paused" | "deactivated">();
    for (const { bot_id, is_paused } of data?.bots ?? []) if (is_paused) held.set(bot_id, "paused");
    for (const { user_id, is_active } of bots.values()) if (!is_active) held.set(user_id, "deactivated");
    return held;
  }, [bots, data]);
}

/** The facets of both logs. The server filters too, so that it finds entries that are not loaded. */
export const commonFacets = <Row extends { bot_id: number }>(
  t: TFunction,
  bots: readonly WireBot[],
  timeOf: (row: Row) => number,
): Facet<Row>[] => [
  {
    id: "bot",
    label: t("webhooks.column.bot"),
    hasCounts: false,
    choices: bots.map(({ user_id, full_name }) => ({ value: String(user_id), label: full_name })),
    valuesOf: ({ bot_id }) => [String(bot_id)],
  },
  {
    id: "time",
    label: t("webhooks.span.label"),
    hasCounts: false,
    choices: SPANS.map(([value]) => ({ value, label: t(`webhooks.span.${value}`) })),
    valuesOf: (row) => SPANS.flatMap(([name, ms]) => (timeOf(row) >= Date.now() - ms ? name : [])),
  },
];

/** A row's key contains its bot, so that the URL is enough to load the details. */
export const keyOf = ({ bot_id, id }: { bot_id: number; id: number }): string => `${bot_id}-${id}`;

export function parsedKey(key: string | undefined): { bot_id: number; id: number } | undefined {
  const [, bot_id, id] = /^(\d+)-(\d+)$/.exec(key ?? "") ?? [];
  return bot_id && id ? { bot_id: Number(bot_id), id: Number(id) } : undefined;
}

/** Indents JSON, so that users can read it and compare it line by line. */
export function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return /^[\w.%+*-]+=/.test(text) ? text.replaceAll("&", "\n&") : text;
  }
}
