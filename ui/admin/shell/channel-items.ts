import type { TFunction } from "i18next";
import { Folder, Hash, Plus } from "lucide-react";
import type { State } from "../../api/state-shape.ts";
import type { PaletteItem } from "./palette-item.ts";

export function channelItems(state: State, t: TFunction): PaletteItem[] {
  return [...actions(state, t), ...channels(state, t), ...folders(state, t)];
}

function actions(state: State, t: TFunction): PaletteItem[] {
  const action = (key: string, label: string, to: PaletteItem["to"], words: string): PaletteItem => ({
    key,
    label,
    kind: t("shell.action"),
    icon: Plus,
    to,
    search: { create: "yes" },
    isPage: false,
    searchable: `${label} ${words}`,
  });
  return [
    ...(state.can_create_streams
      ? [action("create", t("channels.create.title"), "/channels", t("channels.create.titleKeywords"))]
      : []),
    ...(state.is_admin ? [action("create folder", t("folders.create"), "/folders", t("folders.createKeywords"))] : []),
  ];
}

const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);

const channels = (state: State, t: TFunction): PaletteItem[] =>
  [...(state.streams ?? [])].sort(byName).map(({ stream_id, name, is_archived }) => ({
    key: `channel ${stream_id}`,
    label: name,
    kind: t(is_archived ? "channels.archivedChannel" : "channels.channel"),
    icon: Hash,
    to: "/channels",
    search: { open: String(stream_id) },
    isPage: false,
    sign: "#",
    searchable: name,
  }));

const folders = (state: State, t: TFunction): PaletteItem[] =>
  (state.channel_folders ?? [])
    .filter(({ is_archived }) => !is_archived)
    .map(({ id, name }) => ({
      key: `folder ${id}`,
      label: name,
      kind: t("channels.columns.folder"),
      icon: Folder,
      to: "/folders",
      search: { open: String(id) },
      isPage: false,
      // Administrators rename the folder there.
      searchable: state.is_admin ? `${name} ${t("folders.editKeywords")}` : name,
    }));
