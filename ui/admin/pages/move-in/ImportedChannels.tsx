import { Badge, Group } from "@mantine/core";
import type { RowSelectionState, Updater } from "@tanstack/react-table";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { number } from "../../../parts/format.ts";
import { Hint } from "../../../parts/text/Hint.tsx";
import { DataTable } from "../../parts/DataTable.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import type { Facet } from "../../parts/FacetMenu.tsx";
import type { DataColumn } from "../../parts/TableRows.tsx";
import type { Preview } from "./use-imports.ts";

type Channel = Preview["channels"][number];

interface ImportedChannelsProps {
  preview: Preview;
  /** By ID in the export. */
  selected: RowSelectionState;
  onChange(change: Updater<RowSelectionState>): void;
}

/** The channels of an export, to choose from. */
export function ImportedChannels({ preview: { channels, format }, selected, onChange }: ImportedChannelsProps) {
  const { t } = useTranslation();
  const hasFolders = channels.some(({ folder }) => folder !== null);
  const columns = useMemo((): DataColumn<Channel>[] => {
    const folderOf = ({ folder }: Channel) => folder ?? "";
    const formatName = t(`moveIn.formats.${format}`);
    const all: DataColumn<Channel>[] = [
      {
        id: "name",
        header: t("moveIn.channel"),
        width: "minmax(8rem, 2fr)",
        sortBy: rowName,
        cell: (channel) => (
          <>
            <Group gap="xxs">
              <bdi>{channel.name}</bdi>
              {channel.is_private && (
                <Badge size="sm" variant="light" tt="none">
                  {t("moveIn.private")}
                </Badge>
              )}
              {channel.is_archived && (
                <Badge size="sm" variant="light" color="gray" tt="none">
                  {t("moveIn.archived")}
                </Badge>
              )}
            </Group>
            {channel.is_name_taken && (
              <Hint size="xs">{t("moveIn.taken", { name: `${channel.name} (${channel.folder ?? formatName})` })}</Hint>
            )}
          </>
        ),
      },
      {
        id: "folder",
        header: t("moveIn.folder"),
        width: "minmax(6rem, 1fr)",
        from: "medium",
        sortBy: folderOf,
        cell: folderOf,
      },
      {
        id: "members",
        header: t("moveIn.members"),
        width: "6.5rem",
        from: "medium",
        sortBy: ({ members }) => members,
        cell: ({ members }) => number(members),
      },
      {
        id: "messages",
        header: t("moveIn.counts.messages"),
        width: "6rem",
        sortBy: ({ messages }) => messages,
        cell: ({ messages }) => number(messages),
      },
    ];
    return hasFolders ? all : all.filter(({ id }) => id !== "folder");
  }, [t, format, hasFolders]);
  const facets = useMemo(
    (): Facet<Channel>[] => [
      {
        id: "kind",
        label: t("moveIn.kind"),
        choices: [
          { value: "public", label: t("moveIn.public") },
          { value: "private", label: t("moveIn.private") },
          { value: "archived", label: t("moveIn.archived") },
        ],
        valuesOf: ({ is_private, is_archived }) => [
          is_private ? "private" : "public",
          ...(is_archived ? ["archived"] : []),
        ],
      },
    ],
    [t],
  );
  return (
    <DataTable
      label={t("moveIn.channels")}
      rows={channels}
      columns={columns}
      facets={facets}
      rowKey={rowKey}
      rowName={rowName}
      searchText={searchText}
      defaultSort="name"
      selection={{ selected, onChange }}
      onOpen={({ id }) => onChange(({ [id]: was, ...others }) => (was ? others : { ...others, [id]: true }))}
      empty={<EmptyState title={t("moveIn.noChannels")} />}
    />
  );
}

const rowKey = ({ id }: Channel) => id;
const rowName = ({ name }: Channel) => name;
const searchText = ({ name, folder }: Channel) => `${name} ${folder ?? ""}`;
