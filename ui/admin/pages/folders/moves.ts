import type { Channel } from "../channels/channel-kinds.ts";

/** Moves of channels whose event has not come yet, by channel: the folder that it leaves, and the one it goes to. */
export type Moves = ReadonlyMap<number, { readonly from: number | null; readonly to: number | null }>;

type Placed = Pick<Channel, "stream_id" | "folder_id">;

/** The folder that a channel is shown in. */
export function shownPlace({ stream_id, folder_id }: Placed, moves: Moves): number | null {
  const move = moves.get(stream_id);
  return move ? move.to : folder_id;
}

/** Those whose channel is still in the folder that it leaves. */
export function underWay(moves: Moves, channels: readonly Placed[]): Moves {
  const folderOf = new Map(channels.map(({ stream_id, folder_id }) => [stream_id, folder_id]));
  const left = [...moves].filter(([id, { from }]) => folderOf.get(id) === from);
  return left.length === moves.size ? moves : new Map(left);
}
