import type { TFunction } from "i18next";
import { Folder, Hash, Plus } from "lucide-react";
import type { State } from "../../api/state-shape.ts";
import type { PaletteItem } from "./palette-item.ts";

/** The palette's channels and folders, and what makes a channel. */
export function channelItems(state: State, t: TFunction): PaletteItem[] {
  return [...actions(state, t), ...channels(state, t), ...folders(state, t)];
}

function actions(state: State, t: TFunction): PaletteItem[] {
  if (!state.can_create_streams) return [];
  const [label, kind] = [t("channels.create.title"), t("shell.action")];
  const searchable = `${label} ${t("actionKeywords.createChannel")}`;
  return [
    { key: "create", label, kind, icon: Plus, to: "/channels", search: { create: "yes" }, isPage: false, searchable },
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
      searchable: name,
    }));
