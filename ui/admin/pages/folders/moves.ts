import type { State } from "../../../api/state-shape.ts";
import { afterHeld, type PendingSaves, shownValue } from "../../../parts/settings/pending-saves.ts";
import type { Channel } from "../channels/channel-kinds.ts";

export type Folder = NonNullable<State["channel_folders"]>[number];

/** Moves a channel into a folder, or out of its folder for null. */
export type MoveChannel = (channel: Channel, folder: number | null) => void;

/** Moves that the state does not show yet, by channel id. */
export type Moves = ReadonlyMap<number, PendingSaves<number | null>>;

type Placed = Pick<Channel, "stream_id" | "folder_id">;

/** The folder that the page shows a channel in. */
export function shownFolder({ stream_id, folder_id }: Placed, moves: Moves): number | null {
  const pending = moves.get(stream_id);
  return pending ? shownValue(pending, folder_id) : folder_id;
}

/** The moves whose event has not arrived yet. */
export function pendingMoves(moves: Moves, channels: readonly Placed[]): Moves {
  const folderOf = new Map(channels.map(({ stream_id, folder_id }) => [stream_id, folder_id]));
  const left = [...moves].flatMap(([id, pending]) => {
    const folder = folderOf.get(id);
    const now = folder === undefined ? undefined : afterHeld(pending, folder);
    return now && now.saves.length > 0 ? [[id, now] as const] : [];
  });
  return left.length === moves.size && left.every(([id, pending]) => moves.get(id) === pending) ? moves : new Map(left);
}
