import { channelFolders } from "../queries/channel-folders.ts";
import type { RegisterPart } from "./register-context.ts";

export const registerParts: Record<string, RegisterPart> = {
  channel_folders: ({ reader }) => ({ channel_folders: channelFolders(reader) }),
};
