import type { Reader } from "../../storage/transaction.ts";
import { allChannels, channelNameKey } from "./channels.ts";

/** Unicode code points. */
export const MAX_CHANNEL_FOLDER_NAME_LENGTH = 60;
export const MAX_CHANNEL_FOLDER_DESCRIPTION_LENGTH = 1024;

export interface ChannelFolder {
  id: number;
  name: string;
  description: string;
  rendered_description: string;
  /** Milliseconds since the epoch. */
  created_at: number;
  creator_id: number | null;
  is_archived: boolean;
  order: number;
}

type Row = Omit<ChannelFolder, "is_archived"> & { is_archived: number };

const COLUMNS = `id, name, description, rendered_description, created_at, creator_id, is_archived,
  coalesce(position, id) AS "order"`;

const fromRow = (row: Row): ChannelFolder => ({ ...row, is_archived: row.is_archived === 1 });

/** All folders in display order, including archived ones. */
export const channelFolders = (reader: Reader): ChannelFolder[] =>
  reader.all<Row>(`SELECT ${COLUMNS} FROM channel_folders ORDER BY coalesce(position, id), id`).map(fromRow);

export function channelFolderById(reader: Reader, id: number): ChannelFolder | undefined {
  const row = reader.get<Row>(`SELECT ${COLUMNS} FROM channel_folders WHERE id = ?`, id);
  return row && fromRow(row);
}

/** The id of the folder with that name, unless it is archived. */
export const activeFolderByName = (reader: Reader, name: string): number | undefined =>
  reader.value<number>("SELECT id FROM channel_folders WHERE name_key = ? AND is_archived = 0", channelNameKey(name));

/** Whether any channel is in the folder, including archived ones. */
export const holdsChannels = (reader: Reader, folderId: number): boolean =>
  allChannels(reader).some((channel) => channel.folder_id === folderId);
