import { Box, Group, Text } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Answer } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { mayManageHost } from "../../../api/session.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { RetentionSetting } from "../../../parts/channels/RetentionSetting.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { bytes, number } from "../../../parts/format.ts";
import { RelativeTime } from "../../../parts/RelativeTime.tsx";
import { Fact, Facts } from "../../../parts/text/Facts.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useAdmin, useOrganization } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { DataTable } from "../../parts/DataTable.tsx";
import { DetailsDrawer } from "../../parts/DetailsDrawer.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import type { Facet } from "../../parts/FacetMenu.tsx";
import { Page } from "../../parts/Page.tsx";
import { PageLink } from "../../parts/PageLink.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import type { DataColumn } from "../../parts/TableRows.tsx";
import { PeriodSetting } from "../../settings/PeriodSetting.tsx";
import { PageSkeleton } from "../../shell/PageSkeleton.tsx";
import { useAnswer } from "../../use-answer.ts";
import classes from "./DataPage.module.css";
import { ExportSection } from "./ExportSection.tsx";
import { FolderSection } from "./FolderSection.tsx";

type Storage = Answer<"GET /host/storage">;

/** docs/protocol.md#organization-settings: -1 is "unlimited". */
const FOREVER = -1;

const KINDS = ["database", "log", "uploads", "diagnostics"] as const;

/** The server's data: its size, location and retention. Administrators who are not owners see only exports. */
export function DataPage() {
  const { t } = useTranslation();
  const { session } = useAdmin();
  return mayManageHost(session) ? (
    <HostData />
  ) : (
    <Page title={t("data.title")} description={t("data.leadForAdministrators")}>
      <ExportSection folder={undefined} />
    </Page>
  );
}

function HostData() {
  const { t } = useTranslation();
  const { data, error } = useAnswer("GET /host/storage", {}, { isOfHost: true });
  return (
    <Page title={t("data.title")} description={t("data.lead")}>
      {error && !data && (
        <Callout tone="error" role="alert">
          {errorMessage(error)}
        </Callout>
      )}
      {!data && !error && <PageSkeleton />}
      {data && <Room storage={data} />}
      {data && <FolderSection folder={data.data_folder} />}
      {data && <Retention />}
      {data && <ExportSection folder={data.data_folder} />}
      {data && <Channels storage={data} />}
    </Page>
  );
}

function Room({ storage }: { storage: Storage }) {
  const { t } = useTranslation();
  const { disk, files, upload_quota: quota } = storage;
  const used = KINDS.reduce((sum, kind) => sum + files[kind], 0);
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
      <Group justify="space-between" align="baseline" gap="0 1.5rem">
        <Text size="lg" fw={560}>
          {t("data.used", { bytes: bytes(used) })}
        </Text>
        <Hint>{t("data.free", { free: bytes(disk.free_bytes), total: bytes(disk.total_bytes) })}</Hint>
      </Group>
      <div className={classes.bar} aria-hidden="true">
        {KINDS.map((kind) => (
          <span key={kind} className={classes.kind} data-kind={kind} style={{ flexGrow: files[kind] }} />
        ))}
      </div>
      <dl className={classes.kinds}>
        {KINDS.map((kind) => (
          <div key={kind} className={classes.kind} data-kind={kind}>
            <Text component="dt" size="sm" c="dimmed">
              {t(`data.kinds.${kind}`)}
            </Text>
            <dd>{bytes(files[kind])}</dd>
            <Text component="dd" size="xs" c="dimmed">
              {t(`data.kindHints.${kind}`)}
            </Text>
          </div>
        ))}
      </dl>
      <Facts>
        <Fact label={t("data.quota")}>
          {quota.max_bytes === null
            ? t("data.quotaNone", { used: bytes(quota.used_bytes) })
            : t("data.quotaOf", { used: bytes(quota.used_bytes), max: bytes(quota.max_bytes) })}
        </Fact>
      </Facts>
    </PageSection>
  );
}

/** The retention of the organization. Channels can override it in their details. */
function Retention() {
  const { t } = useTranslation();
  const client = useClient();
  const days = useOrganization((state) => state.realm_message_retention_days ?? FOREVER);
  return (
    <PageSection title={t("data.retention")} description={t("data.retentionLead")}>
      <Box maw="28rem">
        <PeriodSetting
          label={t("organization.message_retention_days.label")}
          help={t("organization.message_retention_days.help")}
          value={days === FOREVER ? null : days}
          save={(next) => client.call("PATCH /realm", { message_retention_days: next ?? "unlimited" })}
          unit="days"
          isRetention
          always={t("settings.never")}
        />
      </Box>
    </PageSection>
  );
}

function ChannelDetails({ row }: { row: Row }) {
  const { t } = useTranslation();
  const channel = useOrganization(({ streams }) => streams?.find(({ stream_id }) => String(stream_id) === row.key));
  return (
    <DetailsDrawer title={<bdi>{row.name}</bdi>} subtitle={row.isArchived && t("data.archived")}>
      <Facts mb="md">
        <Fact label={t("data.messages")}>
          {t("data.sizeOf", { number: number(row.messages), bytes: bytes(row.textBytes) })}
        </Fact>
        <Fact label={t("data.files")}>
          {t("data.sizeOf", { number: number(row.files), bytes: bytes(row.fileBytes) })}
        </Fact>
      </Facts>
      {channel ? (
        <>
          {!channel.is_archived && <RetentionSetting channel={channel} disabled={false} />}
          <Hint size="xs" my="sm">
            {t("data.retentionLead")}
          </Hint>
          <PageLink to="/channels" search={{ open: row.key }}>
            {t("data.openChannel")}
          </PageLink>
        </>
      ) : (
        <Hint size="xs">{t(row.key === "direct" ? "data.directKept" : "data.notSeen")}</Hint>
      )}
    </DetailsDrawer>
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
  /** Null: the organization's retention; -1: unlimited. */
  days: number | null;
}

function Channels({ storage: { contents } }: { storage: Storage }) {
  const { t } = useTranslation();
  const [search] = usePageSearch();
  const streams = useOrganization((state) => state.streams);
  const rows = useMemo((): Row[] => {
    const live = new Map(streams?.map((channel) => [channel.stream_id, channel]));
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
      // The measured value can be outdated.
      days: (live.get(channel.channel_id) ?? channel).message_retention_days,
      ...sizes(channel),
    }));
    return direct.messages > 0 ? [direct, ...channels] : channels;
  }, [contents, streams, t]);
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
            <bdi>{name}</bdi>{" "}
            {isArchived && (
              <Hint span size="xs">
                {t("data.archived")}
              </Hint>
            )}
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
  const opened = rows.find(({ key }) => key === search.open);
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
        empty={<EmptyState title={t("data.empty")}>{t("data.emptyHint")}</EmptyState>}
      />
      {opened && <ChannelDetails row={opened} />}
    </PageSection>
  );
}

const rowKey = ({ key }: Row) => key;
const rowName = ({ name }: Row) => name;
