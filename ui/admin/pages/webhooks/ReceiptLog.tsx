import { Button, Stack, Title } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Answer } from "../../../api/client.ts";
import { problemInWords } from "../../../locales/i18n.ts";
import { exactTime, milliseconds } from "../../../parts/format.ts";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useOrganization } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { CodeBlock } from "../../parts/CodeBlock.tsx";
import { DataTable } from "../../parts/DataTable.tsx";
import { DetailsDrawer } from "../../parts/DetailsDrawer.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import type { Facet } from "../../parts/FacetMenu.tsx";
import { PageButton } from "../../parts/PageLink.tsx";
import { StatusText } from "../../parts/StatusText.tsx";
import type { DataColumn } from "../../parts/TableRows.tsx";
import { useAnswer } from "../../use-answer.ts";
import { type Compared, ComparePayloads } from "./ComparePayloads.tsx";
import { BotCell, EntryFacts, LogPlaceholder, LogTime, More } from "./LogParts.tsx";
import {
  chosen,
  commonFacets,
  defined,
  INCOMING,
  keyOf,
  parsedKey,
  readable,
  useBotsById,
  usePageSize,
  useSince,
  type WireBot,
} from "./log-filters.ts";

type Receipt = Answer<"GET /host/webhook_receipts">["receipts"][number];

const STATES = ["posted", "ignored", "refused"] as const;
const TONES = { posted: "good", ignored: "quiet", refused: "bad" } as const;

/** The requests to incoming webhooks. */
export function ReceiptLog() {
  const { t } = useTranslation();
  const [search] = usePageSearch();
  const bots = useBotsById();
  const { limit, isLast, loadMore } = usePageSize();
  const [compared, setCompared] = useState<readonly [Compared, Compared]>();
  const integrations = useOrganization(({ realm_incoming_webhook_bots }) => realm_incoming_webhook_bots);
  const services = useMemo(
    () => new Map(integrations?.map(({ name, display_name }) => [name, display_name])),
    [integrations],
  );
  const { data, error } = useAnswer(
    "GET /host/webhook_receipts",
    defined({
      bot_ids: chosen(search, "bot")?.map(Number),
      states: chosen(search, "state") as (typeof STATES)[number][] | undefined,
      integrations: chosen(search, "service"),
      since: useSince(search),
      limit,
    }),
    { changedBy: ["webhook_receipt"], keepsPrevious: true },
  );

  const columns = useMemo(
    (): DataColumn<Receipt>[] => [
      {
        id: "time",
        header: t("webhooks.column.time"),
        width: "minmax(4.5rem, 0.9fr)",
        sortBy: ({ id }) => id,
        cell: ({ received_at }) => <LogTime at={received_at} />,
      },
      {
        id: "bot",
        header: t("webhooks.column.bot"),
        width: "minmax(0, 1.3fr)",
        sortBy: ({ bot_id }) => bots.get(bot_id)?.full_name ?? "",
        cell: ({ bot_id, state }) => (
          <BotCell
            bot={bots.get(bot_id)}
            id={bot_id}
            status={<StatusText tone={TONES[state]}>{t(`webhooks.state.${state}`)}</StatusText>}
          />
        ),
      },
      {
        id: "event",
        header: t("webhooks.column.event"),
        width: "minmax(0, 1.2fr)",
        from: "medium",
        sortBy: ({ integration, event }) => `${integration} ${event ?? ""}`,
        cell: ({ integration, event }) => (
          <>
            {services.get(integration) ?? integration}
            {event && <Hint size="xs">{event}</Hint>}
          </>
        ),
      },
      {
        id: "state",
        header: t("webhooks.column.state"),
        width: "minmax(0, 1fr)",
        from: "medium",
        sortBy: ({ state }) => STATES.indexOf(state),
        cell: ({ state }) => <StatusText tone={TONES[state]}>{t(`webhooks.state.${state}`)}</StatusText>,
      },
      {
        id: "outcome",
        header: t("webhooks.column.outcome"),
        width: "minmax(0, 2fr)",
        from: "medium",
        cell: ({ error: reason, status, latency }) => (
          <Hint>
            {reason === null ? t("webhooks.answered", { status, time: milliseconds(latency) }) : problemInWords(reason)}
          </Hint>
        ),
      },
    ],
    [t, bots, services],
  );

  const facets = useMemo(
    (): Facet<Receipt>[] => [
      {
        id: "state",
        label: t("webhooks.column.state"),
        hasCounts: false,
        choices: STATES.map((value) => ({ value, label: t(`webhooks.state.${value}`) })),
        valuesOf: ({ state }) => [state],
      },
      {
        id: "service",
        label: t("webhooks.column.service"),
        hasCounts: false,
        choices: [...services].map(([value, label]) => ({ value, label })),
        valuesOf: ({ integration }) => [integration],
      },
      ...commonFacets<Receipt>(
        t,
        [...bots.values()].filter(({ bot_type }) => bot_type === INCOMING),
        ({ received_at }) => received_at,
      ),
    ],
    [t, bots, services],
  );

  if (!data) return <LogPlaceholder error={error} />;
  const nameOf = ({ bot_id, id }: Receipt) =>
    `${bots.get(bot_id)?.full_name ?? t("webhooks.unknownBot", { id: bot_id })} ${id}`;
  const open = parsedKey(search.open);
  return (
    <>
      <DataTable
        label={t("webhooks.log.received")}
        rows={data.receipts}
        columns={columns}
        rowKey={keyOf}
        rowName={nameOf}
        searchText={(row) => `${nameOf(row)} ${row.event ?? ""} ${problemInWords(row.error)} ${row.status}`}
        facets={facets}
        defaultSort="-time"
        selectionActions={(rows) =>
          rows.length === 2 && (
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                const [first, second] = [...rows]
                  .sort((a, b) => a.id - b.id)
                  .map((row) => ({ bot_id: row.bot_id, id: row.id, name: nameOf(row) }));
                if (first && second) setCompared([first, second]);
              }}
            >
              {t("webhooks.compare")}
            </Button>
          )
        }
        empty={
          <EmptyState
            title={t("webhooks.emptyReceived")}
            action={<PageButton to="/integrations">{t("webhooks.toIntegrations")}</PageButton>}
          >
            {t("webhooks.emptyReceivedHint")}
          </EmptyState>
        }
      />
      <More hasMore={data.has_more} isLast={isLast} limit={limit} loadMore={loadMore} />
      {open && <ReceiptDrawer {...open} bot={bots.get(open.bot_id)} services={services} />}
      {compared && <ComparePayloads log="received" compared={compared} onClose={() => setCompared(undefined)} />}
    </>
  );
}

interface ReceiptDrawerProps {
  bot_id: number;
  id: number;
  bot: WireBot | undefined;
  /** Display names by the service's name in the URL. */
  services: ReadonlyMap<string, string>;
}

function ReceiptDrawer({ bot_id, id, bot, services }: ReceiptDrawerProps) {
  const { t } = useTranslation();
  const { data, error } = useAnswer("GET /host/bots/{bot_id}/receipts/{receipt_id}", { bot_id, receipt_id: id });
  const receipt = data?.receipt;
  return (
    <DetailsDrawer
      title={t("webhooks.details.receipt", { id })}
      subtitle={<bdi>{bot?.full_name ?? t("webhooks.unknownBot", { id: bot_id })}</bdi>}
    >
      {error && <Hint>{t("webhooks.details.gone")}</Hint>}
      {receipt && (
        <>
          <EntryFacts
            facts={[
              [
                t("webhooks.column.state"),
                <StatusText key="state" tone={TONES[receipt.state]}>
                  {t(`webhooks.state.${receipt.state}`)}
                </StatusText>,
              ],
              [t("webhooks.details.error"), receipt.error && problemInWords(receipt.error)],
              [t("webhooks.column.service"), services.get(receipt.integration) ?? receipt.integration],
              [t("webhooks.column.event"), receipt.event],
              [t("webhooks.details.message"), receipt.message_id],
              [t("webhooks.details.received"), exactTime(receipt.received_at)],
              [t("webhooks.details.status"), receipt.status],
              [t("webhooks.details.took"), milliseconds(receipt.latency)],
            ]}
          />
          <Stack component="section" gap="xs" mb="lg">
            <Title order={3}>{t("webhooks.details.payload")}</Title>
            <Hint>{t("webhooks.details.payloadHint")}</Hint>
            <CodeBlock label={t("webhooks.details.payload")}>{readable(receipt.payload ?? "")}</CodeBlock>
          </Stack>
        </>
      )}
    </DetailsDrawer>
  );
}
