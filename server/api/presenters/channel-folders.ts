import { z } from "zod";
import { channelsOpenToAll } from "../access/public-access.ts";
import { type ChannelFolder, channelFolders } from "../queries/channel-folders.ts";
import { registerPart } from "./register-part.ts";

/** docs/protocol.md#other-records. PATCH /channel_folders sets `order`. */
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

export const channelFolderOnWire = ({ created_at, ...folder }: ChannelFolder): WireChannelFolder => ({
  ...folder,
  date_created: Math.floor(created_at / 1000),
});

export const registerParts = {
  channel_folders: registerPart({
    fields: { channel_folders: z.array(wireChannelFolder) },
    read: ({ reader }) => ({ channel_folders: channelFolders(reader).map(channelFolderOnWire) }),
    spectators: ({ reader }) => {
      const open = new Set(channelsOpenToAll(reader).map(({ folder_id }) => folder_id));
      const folders = channelFolders(reader).filter(({ id }) => open.has(id));
      return { channel_folders: folders.map((folder) => channelFolderOnWire({ ...folder, creator_id: null })) };
    },
  }),
};
