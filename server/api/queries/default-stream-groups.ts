import type { Reader } from "../../storage/transaction.ts";
import { channelNameKey } from "./channels.ts";

/** Unicode code points; the same limit as for channels. */
export const MAX_GROUP_NAME_LENGTH = 60;
export const MAX_GROUP_DESCRIPTION_LENGTH = 1024;

/** Channels that a new member can subscribe to together. */
export interface DefaultStreamGroup {
  id: number;
  name: string;
  description: string;
  /** Ascending. */
  streams: number[];
}

type Row = Omit<DefaultStreamGroup, "streams">;

const withChannels = (reader: Reader, group: Row): DefaultStreamGroup => ({
  ...group,
  streams: reader.values<number>(
    "SELECT channel_id AS id FROM default_stream_group_channels WHERE group_id = ? ORDER BY channel_id",
    group.id,
  ),
});

/** By name. */
export const defaultStreamGroups = (reader: Reader): DefaultStreamGroup[] =>
  reader
    .all<Row>("SELECT id, name, description FROM default_stream_groups ORDER BY name_key")
    .map((group) => withChannels(reader, group));

export function defaultStreamGroupById(reader: Reader, id: number): DefaultStreamGroup | undefined {
  const row = reader.get<Row>("SELECT id, name, description FROM default_stream_groups WHERE id = ?", id);
  return row && withChannels(reader, row);
}

/** The normalized form for comparing group names; the same as for channel names. */
export const defaultStreamGroupKey = (name: string): string => channelNameKey(name);

export const defaultStreamGroupByName = (reader: Reader, name: string): number | undefined =>
  reader.value<number>("SELECT id FROM default_stream_groups WHERE name_key = ?", defaultStreamGroupKey(name));

/** The ids of the groups that contain a channel. */
export const defaultStreamGroupsWith = (reader: Reader, channelId: number): number[] =>
  reader.values<number>(
    "SELECT group_id AS id FROM default_stream_group_channels WHERE channel_id = ? ORDER BY group_id",
    channelId,
  );
