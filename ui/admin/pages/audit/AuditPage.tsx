import { Button, Group, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { keepPreviousData, useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Callout } from "../../../parts/Callout.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { noticeError } from "../../../parts/settings/notices.tsx";
import { useOrganization } from "../../admin-context.ts";
import { type PageSearch, usePageSearch } from "../../page-search.ts";
import { ActList, ActRow } from "../../parts/ActRow.tsx";
import { mainFirst } from "../../parts/audit-changes.ts";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { Page } from "../../parts/Page.tsx";
import { SearchField } from "../../parts/SearchField.tsx";
import { saveFile } from "../../parts/save-file.ts";
import { PageSkeleton } from "../../shell/PageSkeleton.tsx";
import { useHostChanges } from "../../use-answer.ts";
import classes from "./AuditPage.module.css";
import { AUDIT_KINDS, type AuditFilter, filterOf, isFiltered, NO_FILTER } from "./audit-filter.ts";

const ROUTE = "GET /host/audit/acts";
const PAGE_SIZE = 50;
const TYPING_MS = 250;

/** The audit log, newest first and live, filtered by the URL. */
export function AuditPage() {
  const { t } = useTranslation();
  const [search, setSearch] = usePageSearch();
  const filter = useMemo(() => filterOf(search), [search]);
  const save = useMutation({
    mutationFn: () => {
      const fields = Object.entries(filter).map(([name, value]) => [name, String(value)]);
      return saveFile(`/host/audit/csv?${new URLSearchParams(fields)}`);
    },
    onError: (error) => noticeError(error),
  });
  return (
    <Page
      title={t("auditPage.title")}
      description={t("auditPage.lead")}
      actions={
        <BusyButton
          variant="default"
          size="sm"
          busy={save.isPending}
          leftSection={<Download size="1rem" aria-hidden="true" />}
          onClick={() => save.mutate()}
        >
          {t("auditPage.csv")}
        </BusyButton>
      }
    >
      <Filters search={search} onChange={setSearch} />
      <Acts filter={filter} isFiltered={isFiltered(search)} onClear={() => setSearch(NO_FILTER)} />
    </Page>
  );
}

interface ActsProps {
  filter: AuditFilter;
  isFiltered: boolean;
  onClear(): void;
}

/** A component of its own, so that a new entry renders nothing else on the page. */
function Acts({ filter, isFiltered, onClear }: ActsProps) {
  const { t } = useTranslation();
  const client = useClient();
  useHostChanges(ROUTE);
  const found = useInfiniteQuery({
    queryKey: [ROUTE, filter],
    queryFn: ({ pageParam, signal }) =>
      client.call(ROUTE, { ...filter, limit: PAGE_SIZE, ...(pageParam !== 0 && { before: pageParam }) }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ acts, has_more }) => (has_more ? acts.at(-1)?.id : undefined),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

  const pages = found.data?.pages ?? [];
  const isEmpty = pages.length > 0 && pages.every(({ acts }) => acts.length === 0);
  return (
    <>
      {found.error && !found.data && (
        <Callout tone="error" role="alert">
          {errorMessage(found.error)}
        </Callout>
      )}
      {!found.data && !found.error && <PageSkeleton />}
      {isEmpty && (
        <EmptyState title={isFiltered ? t("auditPage.none") : t("auditPage.empty")}>
          {isFiltered && (
            <Button variant="subtle" size="compact-sm" onClick={onClear}>
              {t("auditPage.clear")}
            </Button>
          )}
        </EmptyState>
      )}
      {!isEmpty && found.data && (
        <ActList aria-label={t("auditPage.list")} aria-busy={found.isFetching}>
          {pages.flatMap(({ acts, names }) =>
            acts.map((act) => <ActRow key={act.id} act={mainFirst(act)} names={names} />),
          )}
        </ActList>
      )}
      {found.hasNextPage && (
        <Group justify="center">
          <BusyButton
            variant="default"
            size="sm"
            busy={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            {t("auditPage.older")}
          </BusyButton>
        </Group>
      )}
    </>
  );
}

/** Maximum number of shown options. Typing finds the others. */
const MAX_OPTIONS = 50;

function Filters({ search, onChange }: { search: PageSearch; onChange(change: PageSearch): void }) {
  const { t } = useTranslation();
  const users = useOrganization(({ realm_users }) => realm_users);
  const former = useOrganization(({ realm_non_active_users }) => realm_non_active_users);
  const subscribed = useOrganization(({ subscriptions }) => subscriptions);
  const unsubscribed = useOrganization(({ unsubscribed: left }) => left);
  const other = useOrganization(({ never_subscribed }) => never_subscribed);
  const query = search.q ?? "";
  const [text, setText] = useState(query);
  const [lastQuery, setLastQuery] = useState(query);
  if (query !== lastQuery) {
    setLastQuery(query);
    setText(query);
  }
  const searchLater = useDebouncedCallback((q: string) => onChange({ q }), TYPING_MS);

  const people = useMemo(
    () => optionsOf([...(users ?? []), ...(former ?? [])].map(({ user_id, full_name }) => [user_id, full_name])),
    [users, former],
  );
  const channels = useMemo(
    () =>
      optionsOf(
        [...(subscribed ?? []), ...(unsubscribed ?? []), ...(other ?? [])].map(({ stream_id, name }) => [
          stream_id,
          name,
        ]),
      ),
    [subscribed, unsubscribed, other],
  );
  const select = (id: string, label: string, any: string, data: { value: string; label: string }[]) => (
    <Select
      size="sm"
      label={label}
      placeholder={any}
      data={data}
      value={search[id] ?? null}
      clearable
      clearButtonProps={{ "aria-label": `${label}: ${any}` }}
      searchable={data.length > 8}
      limit={MAX_OPTIONS}
      onChange={(value) => onChange({ [id]: value ?? undefined })}
    />
  );
  return (
    <search className={classes.filters}>
      <SearchField
        className={classes.search}
        label={t("auditPage.search")}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          searchLater(event.currentTarget.value);
        }}
      />
      {select(
        "kind",
        t("auditPage.kind"),
        t("auditPage.kindAny"),
        AUDIT_KINDS.map((value) => ({ value, label: t(`auditPage.kinds.${value}`) })),
      )}
      {select("by", t("auditPage.actor"), t("auditPage.actorAny"), [
        { value: "0", label: t("auditPage.actorServer") },
        ...people,
      ])}
      {select("person", t("auditPage.person"), t("auditPage.personAny"), people)}
      {select("channel", t("auditPage.channel"), t("auditPage.channelAny"), channels)}
      {(["since", "until"] as const).map((id) => (
        <TextInput
          key={id}
          size="sm"
          type="date"
          label={t(`auditPage.${id}`)}
          value={search[id] ?? ""}
          onChange={(event) => onChange({ [id]: event.currentTarget.value })}
        />
      ))}
      {isFiltered(search) && (
        <Button className={classes.clear} variant="subtle" size="sm" onClick={() => onChange(NO_FILTER)}>
          {t("auditPage.clear")}
        </Button>
      )}
    </search>
  );
}

const optionsOf = (named: readonly (readonly [id: number, name: string])[]) =>
  named.map(([id, label]) => ({ value: String(id), label })).sort((a, b) => a.label.localeCompare(b.label));
