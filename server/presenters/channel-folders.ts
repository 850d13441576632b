import { z } from "zod";
import { channelFolders, wireChannelFolder } from "../queries/channel-folders.ts";
import { registerPart } from "./register-part.ts";

export const registerParts = {
  channel_folders: registerPart({ channel_folders: z.array(wireChannelFolder) }, ({ reader }) => ({
    channel_folders: channelFolders(reader),
  })),
};
