import { Anchor } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Answer } from "../../../api/client.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { bytes, number } from "../../../parts/format.ts";
import { RelativeTime } from "../../../parts/RelativeTime.tsx";
import { useAdmin } from "../../admin-context.ts";
import { type DataColumn, DataTable } from "../../parts/DataTable.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import type { Facet } from "../../parts/FacetMenu.tsx";
import { Page } from "../../parts/Page.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { PageSkeleton } from "../../shell/PageSkeleton.tsx";
import { useAnswer } from "../../use-answer.ts";
import classes from "./DataPage.module.css";

type Storage = Answer<"GET /host/storage">;

const KINDS = ["database", "log", "uploads", "diagnostics"] as const;

/** What the server keeps, and where it is. */
export function DataPage() {
  const { t } = useTranslation();
  const { data, error } = useAnswer("GET /host/storage", {});
  return (
    <Page title={t("data.title")} description={t("data.lead")}>
      {error && !data && (
        <Callout tone="error" role="alert">
          {errorMessage(error)}
        </Callout>
      )}
      {!data && !error && <PageSkeleton />}
      {data && <Room storage={data} />}
      {data && <Channels storage={data} />}
    </Page>
  );
}

function Room({ storage }: { storage: Storage }) {
  const { t } = useTranslation();
  const { desktop } = useAdmin();
  const { disk, files, upload_quota: quota, contents } = storage;
  const used = KINDS.reduce((sum, kind) => sum + files[kind], 0);
  const days = contents.message_retention_days;
  return (
    <PageSection
      title={t("data.room")}
      aside={
        <>
          {t("data.measured", { time: "" })}
          <RelativeTime at={storage.measured_at} />
        </>
      }
    >
      <p className={classes.sum}>
        {t("data.used", { bytes: bytes(used) })}
        <span>{t("data.free", { free: bytes(disk.free_bytes), total: bytes(disk.total_bytes) })}</span>
      </p>
      <div className={classes.bar} aria-hidden="true">
        {KINDS.map((kind) => (
          <span key={kind} data-kind={kind} style={{ flexGrow: files[kind] }} />
        ))}
      </div>
      <dl className={classes.kinds}>
        {KINDS.map((kind) => (
          <div key={kind} data-kind={kind}>
            <dt>{t(`data.kinds.${kind}`)}</dt>
            <dd>{bytes(files[kind])}</dd>
            <dd className={classes.hint}>{t(`data.kindHints.${kind}`)}</dd>
          </div>
        ))}
      </dl>
      <dl className={classes.facts}>
        <div>
          <dt>{t("data.quota")}</dt>
          <dd>
            {quota.max_bytes === null
              ? t("data.quotaNone", { used: bytes(quota.used_bytes) })
              : t("data.quotaOf", { used: bytes(quota.used_bytes), max: bytes(quota.max_bytes) })}
          </dd>
        </div>
        <div>
          <dt>{t("data.retention")}</dt>
          <dd>{days === -1 ? t("data.forever") : t("data.days", { count: days })}</dd>
        </div>
        <div>
          <dt>{t("data.folder")}</dt>
          <dd>
            <span dir="ltr">{storage.data_folder}</span>{" "}
            {desktop && (
              <Anchor component="button" type="button" size="sm" onClick={() => void desktop.showDataFolder()}>
                {t("data.showFolder")}
              </Anchor>
            )}
          </dd>
        </div>
      </dl>
    </PageSection>
  );
}

interface Row {
  key: string;
  name: string;
  isArchived: boolean;
  messages: number;
  textBytes: number;
  files: number;
  fileBytes: number;
  /** Null: as the organization says; -1: for ever. */
  days: number | null;
}

function Channels({ storage: { contents } }: { storage: Storage }) {
  const { t } = useTranslation();
  const rows = useMemo((): Row[] => {
    const sizes = ({ messages, text_bytes, files, file_bytes }: Storage["contents"]["direct"]) => ({
      messages,
      textBytes: text_bytes,
      files,
      fileBytes: file_bytes,
    });
    const direct = { key: "direct", name: t("data.direct"), isArchived: false, days: null, ...sizes(contents.direct) };
    const channels = contents.channels.map((channel) => ({
      key: String(channel.channel_id),
      name: channel.name,
      isArchived: channel.is_archived,
      days: channel.message_retention_days,
      ...sizes(channel),
    }));
    return direct.messages > 0 ? [direct, ...channels] : channels;
  }, [contents, t]);
  const columns = useMemo((): DataColumn<Row>[] => {
    const kept = ({ days }: Row) => {
      if (days === null) return t("data.asOrganization");
      return days === -1 ? t("data.forever") : t("data.days", { count: days });
    };
    return [
      {
        id: "name",
        header: t("data.channel"),
        width: "minmax(7rem, 2fr)",
        sortBy: ({ name }) => name,
        cell: ({ name, isArchived }) => (
          <>
            <bdi>{name}</bdi> {isArchived && <span className={classes.hint}>{t("data.archived")}</span>}
          </>
        ),
      },
      {
        id: "messages",
        header: t("data.messages"),
        width: "minmax(5rem, 1fr)",
        from: "medium",
        sortBy: ({ messages }) => messages,
        cell: ({ messages }) => number(messages),
      },
      {
        id: "text",
        header: t("data.text"),
        width: "minmax(5rem, 1fr)",
        from: "large",
        sortBy: ({ textBytes }) => textBytes,
        cell: ({ textBytes }) => bytes(textBytes),
      },
      {
        id: "files",
        header: t("data.files"),
        width: "minmax(6rem, 1fr)",
        from: "medium",
        sortBy: ({ fileBytes }) => fileBytes,
        cell: ({ files, fileBytes }) => (files === 0 ? "–" : `${number(files)} · ${bytes(fileBytes)}`),
      },
      {
        id: "total",
        header: t("data.total"),
        width: "minmax(5rem, 1fr)",
        sortBy: ({ textBytes, fileBytes }) => textBytes + fileBytes,
        cell: ({ textBytes, fileBytes }) => bytes(textBytes + fileBytes),
      },
      {
        id: "kept",
        header: t("data.kept"),
        width: "minmax(6rem, 1fr)",
        from: "large",
        sortBy: ({ days }) => days ?? 0,
        cell: kept,
      },
    ];
  }, [t]);
  const facets = useMemo(
    (): Facet<Row>[] => [
      {
        id: "status",
        label: t("data.status"),
        choices: [
          { value: "active", label: t("data.active") },
          { value: "archived", label: t("data.archived") },
        ],
        valuesOf: ({ isArchived }) => [isArchived ? "archived" : "active"],
      },
    ],
    [t],
  );
  return (
    <PageSection title={t("data.channels")}>
      <DataTable
        label={t("data.channels")}
        rows={rows}
        columns={columns}
        facets={facets}
        rowKey={rowKey}
        rowName={rowName}
        searchText={rowName}
        defaultSort="-total"
        onOpen={nothing}
        empty={<EmptyState title={t("data.empty")}>{t("data.emptyHint")}</EmptyState>}
      />
    </PageSection>
  );
}

const rowKey = ({ key }: Row) => key;
const rowName = ({ name }: Row) => name;
/** A row has no details. */
const nothing = () => {};
