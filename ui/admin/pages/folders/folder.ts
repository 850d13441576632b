import type { State } from "../../../api/state-shape.ts";
import type { Channel } from "../channels/channel-kinds.ts";

export type Folder = NonNullable<State["channel_folders"]>[number];

/** Puts a channel into a folder; null: into none. */
export type MoveChannel = (channel: Channel, folder: number | null) => Promise<void>;
