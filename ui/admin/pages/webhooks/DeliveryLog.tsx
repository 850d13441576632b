import { Button } from "@mantine/core";
import type { TFunction } from "i18next";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { problemInWords } from "../../../locales/i18n.ts";
import { milliseconds } from "../../../parts/format.ts";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useOrganization } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { DataTable } from "../../parts/DataTable.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import type { Facet } from "../../parts/FacetMenu.tsx";
import { PageButton } from "../../parts/PageLink.tsx";
import { StatusText } from "../../parts/StatusText.tsx";
import type { DataColumn } from "../../parts/TableRows.tsx";
import { useAnswer } from "../../use-answer.ts";
import type { Delivery } from "../../use-delivery.ts";
import { allowedKinds } from "../bots/allowed-kinds.ts";
import { type Compared, ComparePayloads } from "./ComparePayloads.tsx";
import { DeliveryDrawer } from "./DeliveryDrawer.tsx";
import { BotCell, LogPlaceholder, LogTime, More } from "./LogParts.tsx";
import {
  chosen,
  commonFacets,
  DELIVERY_TONES,
  defined,
  keyOf,
  OUTGOING,
  parsedKey,
  useBotsById,
  useHeldBots,
  usePageSize,
  useSince,
} from "./log-filters.ts";
import { ReplaySelected } from "./ReplayDialog.tsx";
import { TrySelected } from "./TrySelected.tsx";

const STATES = ["waiting", "delivered", "failed"] as const;
const TRIGGERS = ["direct_message", "mention", "test"] as const;

/** The deliveries of outgoing webhooks. */
export function DeliveryLog() {
  const { t } = useTranslation();
  const [search] = usePageSearch();
  const bots = useBotsById();
  const held = useHeldBots();
  const mayCreate = useOrganization((state) => allowedKinds(state).includes("outgoing"));
  const { limit, isLast, loadMore } = usePageSize();
  const [compared, setCompared] = useState<readonly [Compared, Compared]>();
  const [replayed, setReplayed] = useState<readonly Delivery[]>();
  const { data, error } = useAnswer(
    "GET /host/webhook_deliveries",
    defined({
      bot_ids: chosen(search, "bot")?.map(Number),
      states: chosen(search, "state") as (typeof STATES)[number][] | undefined,
      triggers: chosen(search, "trigger") as (typeof TRIGGERS)[number][] | undefined,
      since: useSince(search),
      limit,
    }),
    { changedBy: ["webhook_delivery"], keepsPrevious: true },
  );

  const columns = useMemo((): DataColumn<Delivery>[] => {
    const status = ({ state }: Delivery) => (
      <StatusText tone={DELIVERY_TONES[state]}>{t(`webhooks.delivery.${state}`)}</StatusText>
    );
    const nameOf = ({ bot_id }: Delivery) => bots.get(bot_id)?.full_name ?? "";
    return [
      {
        id: "time",
        header: t("webhooks.column.time"),
        width: "minmax(4.5rem, 0.9fr)",
        sortBy: ({ id }) => id,
        cell: ({ created_at }) => <LogTime at={created_at} />,
      },
      {
        id: "bot",
        header: t("webhooks.column.bot"),
        width: "minmax(0, 1.3fr)",
        sortBy: nameOf,
        cell: (row) => <BotCell bot={bots.get(row.bot_id)} id={row.bot_id} status={status(row)} />,
      },
      {
        id: "trigger",
        header: t("webhooks.column.trigger"),
        width: "minmax(0, 1fr)",
        from: "medium",
        sortBy: ({ trigger }) => t(`webhooks.trigger.${trigger}`),
        cell: ({ trigger }) => t(`webhooks.trigger.${trigger}`),
      },
      {
        id: "state",
        header: t("webhooks.column.state"),
        width: "minmax(0, 1fr)",
        sortBy: ({ state }) => STATES.indexOf(state),
        from: "medium",
        cell: status,
      },
      {
        id: "outcome",
        header: t("webhooks.column.outcome"),
        width: "minmax(0, 2.2fr)",
        from: "medium",
        cell: (delivery) => <Outcome delivery={delivery} heldBy={held.get(delivery.bot_id)} />,
      },
    ];
  }, [t, bots, held]);

  const facets = useMemo(
    (): Facet<Delivery>[] => [
      {
        id: "state",
        label: t("webhooks.column.state"),
        hasCounts: false,
        choices: STATES.map((value) => ({ value, label: t(`webhooks.delivery.${value}`) })),
        valuesOf: ({ state }) => [state],
      },
      {
        id: "trigger",
        label: t("webhooks.column.trigger"),
        hasCounts: false,
        choices: TRIGGERS.map((value) => ({ value, label: t(`webhooks.trigger.${value}`) })),
        valuesOf: ({ trigger }) => [trigger],
      },
      ...commonFacets<Delivery>(
        t,
        [...bots.values()].filter(({ bot_type }) => bot_type === OUTGOING),
        ({ created_at }) => created_at,
      ),
    ],
    [t, bots],
  );

  if (!data) return <LogPlaceholder error={error} />;
  const nameOf = ({ bot_id, id }: Delivery) =>
    `${bots.get(bot_id)?.full_name ?? t("webhooks.unknownBot", { id: bot_id })} ${id}`;
  const isTriable = ({ state, bot_id }: Delivery) => state === "waiting" && !held.has(bot_id);
  const open = parsedKey(search.open);
  return (
    <>
      <DataTable
        label={t("webhooks.log.sent")}
        rows={data.deliveries}
        columns={columns}
        rowKey={keyOf}
        rowName={nameOf}
        searchText={(row) => `${nameOf(row)} ${row.uid} ${problemInWords(row.error)} ${row.status ?? ""}`}
        facets={facets}
        defaultSort="-time"
        selectionActions={(rows, deselect) => (
          <>
            {rows.some(isTriable) && (
              <TrySelected deliveries={rows.filter(isTriable)} nameOf={nameOf} onDone={deselect} />
            )}
            {rows.length === 2 && (
              <Button size="compact-sm" variant="default" onClick={() => setCompared(comparedOf(rows, nameOf))}>
                {t("webhooks.compare")}
              </Button>
            )}
            {rows.some(({ state }) => state !== "waiting") && (
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => setReplayed(rows.filter(({ state }) => state !== "waiting"))}
              >
                {t("webhooks.replay.selected", { count: rows.filter(({ state }) => state !== "waiting").length })}
              </Button>
            )}
          </>
        )}
        empty={
          <EmptyState
            title={t("webhooks.emptySent")}
            action={
              mayCreate && (
                <PageButton to="/bots" search={{ kind: "outgoing" }}>
                  {t("webhooks.toBots")}
                </PageButton>
              )
            }
          >
            {t(mayCreate ? "webhooks.emptySentHint" : "webhooks.emptySentNoBots")}
          </EmptyState>
        }
      />
      <More hasMore={data.has_more} isLast={isLast} limit={limit} loadMore={loadMore} />
      {open && (
        <DeliveryDrawer botId={open.bot_id} id={open.id} bot={bots.get(open.bot_id)} heldBy={held.get(open.bot_id)} />
      )}
      {compared && <ComparePayloads log="sent" compared={compared} onClose={() => setCompared(undefined)} />}
      {replayed && <ReplaySelected deliveries={replayed} nameOf={nameOf} onClose={() => setReplayed(undefined)} />}
    </>
  );
}

const comparedOf = (rows: readonly Delivery[], nameOf: (row: Delivery) => string): [Compared, Compared] => {
  const [first, second] = [...rows]
    .sort((a, b) => a.id - b.id)
    .map((row) => ({ bot_id: row.bot_id, id: row.id, name: nameOf(row) }));
  return [first as Compared, second as Compared];
};

/** The result of a delivery in a line. */
function Outcome({ delivery, heldBy }: { delivery: Delivery; heldBy: "paused" | "deactivated" | undefined }) {
  const { t } = useTranslation();
  const { state, status, latency, error } = delivery;
  const said = error === null ? null : problemInWords(error);
  if (state === "delivered")
    return <Hint>{said ?? t("webhooks.answered", { status: status ?? "", time: milliseconds(latency ?? 0) })}</Hint>;
  return (
    <Hint>
      {said} {state === "waiting" && <span>{whatItWaitsFor(t, delivery, heldBy)}</span>}
    </Hint>
  );
}

function whatItWaitsFor(
  t: TFunction,
  { waits_for, tried_at, due_at }: Delivery,
  heldBy: "paused" | "deactivated" | undefined,
): string {
  if (heldBy) return t(`webhooks.waitsForBot.${heldBy}`);
  if (waits_for != null) return t("webhooks.waitsFor", { id: waits_for });
  return tried_at === null ? "" : t("webhooks.nextTry", { time: new Date(due_at).toLocaleTimeString() });
}
