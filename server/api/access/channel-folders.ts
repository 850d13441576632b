import { badRequest, refusedParameter } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import {
  activeFolderByName,
  type ChannelFolder,
  channelFolderById,
  channelFolders,
} from "../queries/channel-folders.ts";
import { isBlank, UNPRINTABLE } from "./names.ts";

const folderWithId = (reader: Reader, id: number): ChannelFolder => {
  const folder = channelFolderById(reader, id);
  if (!folder) throw badRequest("channel_folder_not_found");
  return folder;
};

export function channelFolderToUse(reader: Reader, id: number): ChannelFolder {
  const folder = folderWithId(reader, id);
  if (folder.is_archived) throw badRequest("channel_folder_archived", { name: folder.name });
  return folder;
}

export const channelFolderToChange = folderWithId;

export function newChannelFolder(reader: Reader, input: { name: string; description: string }) {
  const name = validFolderName(input.name);
  assertNameIsFree(reader, name);
  return { name, description: input.description };
}

export function allowedFolderChange(
  reader: Reader,
  folder: ChannelFolder,
  patch: { name?: string | undefined; description?: string | undefined; is_archived?: boolean | undefined },
): Pick<ChannelFolder, "name" | "description" | "is_archived"> {
  const { description = folder.description, is_archived = folder.is_archived } = patch;
  const name = patch.name === undefined ? folder.name : validFolderName(patch.name);
  if (!is_archived) assertNameIsFree(reader, name, folder.id);
  return { name, description, is_archived };
}

export function channelFoldersToReorder(reader: Reader, order: readonly number[]): readonly number[] {
  const ids = new Set(channelFolders(reader).map(({ id }) => id));
  if (order.length !== ids.size || new Set(order).size !== ids.size || !order.every((id) => ids.has(id)))
    throw refusedParameter("order", "channel_folder_order_incomplete");
  return order;
}

function validFolderName(name: string): string {
  const trimmed = name.trim().normalize("NFC");
  if (isBlank(trimmed)) throw refusedParameter("name", "channel_folder_name_required");
  if (UNPRINTABLE.test(trimmed)) throw refusedParameter("name", "channel_folder_name_control_characters");
  return trimmed;
}

function assertNameIsFree(reader: Reader, name: string, self?: number): void {
  const existing = activeFolderByName(reader, name);
  if (existing !== undefined && existing !== self)
    throw badRequest("channel_folder_name_taken", { name }, { var_name: "name" });
}
