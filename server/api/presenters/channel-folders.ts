import { z } from "zod";
import { channelsOpenToAll } from "../access/public-access.ts";
import { channelFolders, wireChannelFolder } from "../queries/channel-folders.ts";
import { registerPart } from "./register-part.ts";

export const registerParts = {
  channel_folders: registerPart({
    fields: { channel_folders: z.array(wireChannelFolder) },
    read: ({ reader }) => ({ channel_folders: channelFolders(reader) }),
    spectators: ({ reader }) => {
      const open = new Set(channelsOpenToAll(reader).map(({ folder_id }) => folder_id));
      const folders = channelFolders(reader).filter(({ id }) => open.has(id));
      return { channel_folders: folders.map((folder) => ({ ...folder, creator_id: null })) };
    },
  }),
};
