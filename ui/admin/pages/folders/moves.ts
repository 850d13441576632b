import { afterHeld, type PendingSaves, shownValue } from "../../../parts/settings/pending-saves.ts";
import type { Channel } from "../channels/channel-kinds.ts";

/** The folders that channels are being moved to, by channel. */
export type Moves = ReadonlyMap<number, PendingSaves<number | null>>;

type Placed = Pick<Channel, "stream_id" | "folder_id">;

/** The folder that a channel is shown in. */
export function shownPlace({ stream_id, folder_id }: Placed, moves: Moves): number | null {
  const pending = moves.get(stream_id);
  return pending ? shownValue(pending, folder_id) : folder_id;
}

/** Those whose event has not come yet. */
export function underWay(moves: Moves, channels: readonly Placed[]): Moves {
  const folderOf = new Map(channels.map(({ stream_id, folder_id }) => [stream_id, folder_id]));
  const left = [...moves].flatMap(([id, pending]) => {
    const folder = folderOf.get(id);
    const now = folder === undefined ? undefined : afterHeld(pending, folder);
    return now && now.saves.length > 0 ? [[id, now] as const] : [];
  });
  return left.length === moves.size && left.every(([id, pending]) => moves.get(id) === pending) ? moves : new Map(left);
}
