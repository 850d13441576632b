import { z } from "zod";
import { unauthorizedPrincipal } from "../../errors.ts";
import { boolean, integer, listOf, text } from "../../http/params.ts";
import {
  allowedFolderChange,
  channelFoldersToReorder,
  channelFolderToChange,
  newChannelFolder,
} from "../access/channel-folders.ts";
import { changeChannelFolder, createChannelFolder, reorderChannelFolders } from "../actions/channel-folders.ts";
import { channelFolderOnWire, wireChannelFolder } from "../presenters/channel-folders.ts";
import {
  channelFolders,
  MAX_CHANNEL_FOLDER_DESCRIPTION_LENGTH,
  MAX_CHANNEL_FOLDER_NAME_LENGTH,
} from "../queries/channel-folders.ts";
import { endpoint } from "./endpoint.ts";
import { trimmedText } from "./params.ts";

const name = trimmedText().maxLength(MAX_CHANNEL_FOLDER_NAME_LENGTH);
const description = text().maxLength(MAX_CHANNEL_FOLDER_DESCRIPTION_LENGTH);
const administrators = {
  who: "administrator",
  refusal: () => unauthorizedPrincipal("channel_folders_administrators_only"),
} as const;

export const getChannelFolders = endpoint({
  route: "GET /channel_folders",
  summary: "List channel folders in order.",
  who: "guest",
  params: { include_archived: boolean().default(false) },
  response: z.object({ channel_folders: z.array(wireChannelFolder) }),
  handle: ({ params, reader }) => ({
    channel_folders: channelFolders(reader)
      .filter((folder) => params.include_archived || !folder.is_archived)
      .map(channelFolderOnWire),
  }),
});

export const postChannelFolder = endpoint({
  route: "POST /channel_folders/create",
  summary: "Create a channel folder.",
  ...administrators,
  params: { name, description: description.describe("Markdown; may be empty.") },
  response: z.object({ channel_folder_id: z.int() }),
  handle: ({ viewer, params, transact }) => ({
    channel_folder_id: transact((tx) => createChannelFolder(tx, viewer, newChannelFolder(tx, params))),
  }),
});

export const patchChannelFolder = endpoint({
  route: "PATCH /channel_folders/{channel_folder_id}",
  summary: "Rename, describe, archive or restore a channel folder.",
  ...administrators,
  params: {
    channel_folder_id: integer(),
    name: name.optional(),
    description: description.optional(),
    is_archived: boolean().optional(),
  },
  handle: ({ viewer, params, transact }) => {
    transact((tx) => {
      const folder = channelFolderToChange(tx, params.channel_folder_id);
      changeChannelFolder(tx, viewer, folder, allowedFolderChange(tx, folder, params));
    });
  },
});

export const patchChannelFolders = endpoint({
  route: "PATCH /channel_folders",
  summary: "Reorder channel folders.",
  ...administrators,
  params: { order: listOf(integer()).describe("The IDs of all folders, including archived ones.") },
  handle: ({ viewer, params, transact }) =>
    transact((tx) => reorderChannelFolders(tx, viewer, channelFoldersToReorder(tx, params.order))),
});
