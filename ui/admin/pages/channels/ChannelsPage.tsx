import { Button, Switch, Text } from "@mantine/core";
import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useRetentionWords } from "../../../parts/channels/use-retention-words.ts";
import { number } from "../../../parts/format.ts";
import { useOrganization } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { DataTable } from "../../parts/DataTable.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import type { Facet } from "../../parts/FacetMenu.tsx";
import { Page } from "../../parts/Page.tsx";
import type { DataColumn } from "../../parts/TableRows.tsx";
import { ChannelDrawer } from "./ChannelDrawer.tsx";
import { ChannelName } from "./ChannelName.tsx";
import { CHANNEL_TASKS, ChannelsTask, type ChannelTask, channelsFor } from "./ChannelsTask.tsx";
import { CreateChannelDialog } from "./CreateChannelDialog.tsx";
import { type Channel, KINDS, kindOf } from "./channel-kinds.ts";

const NO_CHANNELS: readonly Channel[] = [];
const NO_FOLDERS: readonly { id: number; name: string; is_archived: boolean }[] = [];
/** The filter value for channels without a folder. */
const NO_FOLDER = "none";

const rowKey = ({ stream_id }: Channel) => String(stream_id);
const rowName = ({ name }: Channel) => name;
const searchText = ({ name, description }: Channel) => `${name} ${description}`;

export function ChannelsPage() {
  const { t } = useTranslation();
  const [search, setSearch] = usePageSearch();
  const channels = useOrganization(({ streams }) => streams ?? NO_CHANNELS);
  const folders = useOrganization(({ channel_folders }) => channel_folders ?? NO_FOLDERS);
  const mayCreate = useOrganization(({ can_create_streams }) => can_create_streams === true);
  const isAdministrator = useOrganization(({ is_admin }) => is_admin === true);
  const [task, setTask] = useState<{ task: ChannelTask; channels: readonly Channel[]; deselect(): void }>();
  const [created, setCreated] = useState<number>();
  const retentionWords = useRetentionWords();
  const ofOrganization = useOrganization((state) => state.realm_message_retention_days ?? -1);
  const archived = channels.filter(({ is_archived }) => is_archived).length;
  const showsArchived = search["archived"] === "shown" || archived === channels.length;
  const rows = useMemo(
    () => (showsArchived ? channels : channels.filter(({ is_archived }) => !is_archived)),
    [channels, showsArchived],
  );

  const folderNames = useMemo(() => new Map(folders.map(({ id, name }) => [id, name])), [folders]);
  const columns = useMemo((): DataColumn<Channel>[] => {
    const folderOf = ({ folder_id }: Channel) => (folder_id === null ? "" : (folderNames.get(folder_id) ?? ""));
    return [
      {
        id: "name",
        header: t("channels.columns.name"),
        cell: (channel) => <ChannelName channel={channel} />,
        sortBy: rowName,
        width: "minmax(0, 3fr)",
      },
      {
        id: "kind",
        header: t("channels.columns.kind"),
        cell: (channel) => t(`channels.kinds.${kindOf(channel)}`),
        sortBy: (channel) => KINDS.indexOf(kindOf(channel)),
        width: "minmax(7rem, 1fr)",
        from: "large",
      },
      {
        id: "folder",
        header: t("channels.columns.folder"),
        cell: folderOf,
        sortBy: folderOf,
        width: "minmax(6rem, 1fr)",
        from: "medium",
      },
      {
        id: "subscribers",
        header: t("channels.columns.subscribers"),
        cell: ({ subscriber_count }) => number(subscriber_count),
        sortBy: ({ subscriber_count }) => subscriber_count,
        width: "6.5rem",
      },
      {
        id: "traffic",
        header: t("channels.columns.traffic"),
        cell: ({ stream_weekly_traffic: traffic }) => (traffic === null ? t("channels.newChannel") : number(traffic)),
        sortBy: ({ stream_weekly_traffic }) => stream_weekly_traffic ?? -1,
        width: "7.5rem",
        from: "medium",
      },
      {
        id: "retention",
        header: t("channels.columns.retention"),
        cell: ({ message_retention_days: days }) =>
          days === null ? (
            <Text span inherit c="dimmed">
              {retentionWords(ofOrganization)}
            </Text>
          ) : (
            retentionWords(days)
          ),
        sortBy: ({ message_retention_days: days }) =>
          days === null ? 0 : days === -1 ? Number.MAX_SAFE_INTEGER : days,
        width: "minmax(9rem, 1fr)",
        from: "large",
      },
    ];
  }, [t, folderNames, retentionWords, ofOrganization]);

  const facets = useMemo((): Facet<Channel>[] => {
    const placed = folders
      .filter(({ is_archived }) => !is_archived)
      .map(({ id, name }) => ({ value: String(id), label: name }));
    return [
      {
        id: "kind",
        label: t("channels.columns.kind"),
        choices: KINDS.map((kind) => ({ value: kind, label: t(`channels.kinds.${kind}`) })),
        valuesOf: (channel) => [kindOf(channel)],
      },
      {
        id: "folder",
        label: t("channels.columns.folder"),
        choices: [...placed, { value: NO_FOLDER, label: t("channels.noFolder") }],
        valuesOf: ({ folder_id }) => [folder_id === null ? NO_FOLDER : String(folder_id)],
      },
      {
        id: "retention",
        label: t("channels.columns.retention"),
        choices: [
          { value: "organization", label: t("channels.retention.organization") },
          { value: "own", label: t("channels.retention.own") },
        ],
        valuesOf: ({ message_retention_days: days }) => [days === null ? "organization" : "own"],
      },
    ];
  }, [t, folders]);

  const create = mayCreate && (
    <Button leftSection={<Plus size="1rem" aria-hidden="true" />} onClick={() => setSearch({ create: "yes" })}>
      {t("channels.create.title")}
    </Button>
  );
  return (
    <Page title={t("nav.channels")} description={t("channels.description")} actions={channels.length > 0 && create}>
      <DataTable
        label={t("nav.channels")}
        rows={rows}
        columns={columns}
        rowKey={rowKey}
        rowName={rowName}
        searchText={searchText}
        facets={facets}
        defaultSort="name"
        empty={
          <EmptyState title={t("channels.empty")} action={create}>
            {t("channels.emptyHint")}
          </EmptyState>
        }
        tools={() =>
          archived > 0 && (
            <Switch
              label={t("channels.showArchived", { count: archived })}
              checked={showsArchived}
              onChange={(event) => setSearch({ archived: event.currentTarget.checked ? "shown" : undefined })}
            />
          )
        }
        {...(isAdministrator && {
          selectionActions: (chosen: readonly Channel[], deselect: () => void) =>
            CHANNEL_TASKS.filter((name) => channelsFor(name, chosen).length > 0).map((name) => (
              <Button
                key={name}
                size="compact-sm"
                variant="default"
                onClick={() => setTask({ task: name, channels: channelsFor(name, chosen), deselect })}
              >
                {t(`channels.tasks.${name}`)}
              </Button>
            )),
        })}
      />
      {task && (
        <ChannelsTask
          task={task.task}
          channels={task.channels}
          onClose={(isDone) => {
            setTask(undefined);
            if (isDone) task.deselect();
          }}
        />
      )}
      <ChannelDrawer created={created} />
      {search["create"] && mayCreate && (
        <CreateChannelDialog
          channels={channels}
          onClose={() => setSearch({ create: undefined })}
          onCreated={(id) => {
            setCreated(id);
            setSearch({ create: undefined, open: String(id) });
          }}
        />
      )}
    </Page>
  );
}
