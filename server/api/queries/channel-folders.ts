import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { allChannels, channelNameKey } from "./channels.ts";

/** Unicode code points. */
export const MAX_CHANNEL_FOLDER_NAME_LENGTH = 60;
export const MAX_CHANNEL_FOLDER_DESCRIPTION_LENGTH = 1024;

/** docs/protocol.md#other-records; `order` is what PATCH /channel_folders sets. */
export const wireChannelFolder = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  rendered_description: z.string(),
  date_created: z.int(),
  creator_id: z.int().nullable(),
  is_archived: z.boolean(),
  order: z.int(),
});
export type WireChannelFolder = z.output<typeof wireChannelFolder>;

type Row = Omit<WireChannelFolder, "date_created" | "is_archived"> & { created_at: number; is_archived: number };

const COLUMNS = `id, name, description, rendered_description, created_at, creator_id, is_archived,
  coalesce(position, id) AS "order"`;

const onWire = ({ created_at, is_archived, ...row }: Row): WireChannelFolder => ({
  ...row,
  date_created: Math.floor(created_at / 1000),
  is_archived: is_archived === 1,
});

/** All folders in their order, archived ones too. */
export const channelFolders = (reader: Reader): WireChannelFolder[] =>
  reader.all<Row>(`SELECT ${COLUMNS} FROM channel_folders ORDER BY coalesce(position, id), id`).map(onWire);

export function channelFolderById(reader: Reader, id: number): WireChannelFolder | undefined {
  const row = reader.get<Row>(`SELECT ${COLUMNS} FROM channel_folders WHERE id = ?`, id);
  return row && onWire(row);
}

/** The form in which folder names are compared: that of channel names. */
export const channelFolderKey = (name: string): string => channelNameKey(name);

/** The id of the folder of that name that is not archived. */
export const activeFolderByName = (reader: Reader, name: string): number | undefined =>
  reader.value<number>("SELECT id FROM channel_folders WHERE name_key = ? AND is_archived = 0", channelFolderKey(name));

/** Whether any channel is in the folder, archived channels too. */
export const holdsChannels = (reader: Reader, folderId: number): boolean =>
  allChannels(reader).some((channel) => channel.folder_id === folderId);
