import { badRequest } from "../errors.ts";
import { channelById } from "../queries/channels.ts";
import { messageIndex } from "../queries/message-index.ts";
import { type MessageRow, messageRow } from "../queries/messages.ts";
import { FLAG, flagged, ReadState } from "../queries/read-state.ts";
import type { Reader } from "../storage/transaction.ts";
import { readableHistory } from "./channels.ts";
import type { User } from "./users.ts";

/** What one viewer may read, as of now: made for one answer or action. */
export interface Sight {
  readonly viewer: User;
  readonly state: ReadState;
  /** Whether the viewer may read the message. */
  sees(id: number): boolean;
  /** Whether a message that the viewer may read is part of their own history: received, sent, or kept (starred, say). */
  isOwnHistory(id: number): boolean;
}

export function sightOf(reader: Reader, viewer: User): Sight {
  const state = new ReadState(reader, viewer.id);
  const index = messageIndex(reader);
  const readable = new Map<number, "all" | "received" | "none">();
  let kept: Set<number> | undefined;
  return {
    viewer,
    state,
    sees(id) {
      const entry = index.entry(reader, id);
      if (!entry) return false;
      if (entry.place < 0) return state.received(id);
      let history = readable.get(entry.place);
      if (!history) {
        const channel = channelById(reader, entry.place);
        history = channel ? readableHistory(reader, viewer, channel) : "none";
        readable.set(entry.place, history);
      }
      return history === "all" || (history === "received" && state.receivedAt(id, entry.place));
    },
    isOwnHistory(id) {
      if (state.received(id) || index.entry(reader, id)?.sender === viewer.id) return true;
      kept ??= new Set(flagged(reader, viewer.id, FLAG.historical));
      return kept.has(id);
    },
  };
}

/** A message that the viewer may not read is answered like one that does not exist. */
const invalidMessage = () => badRequest("Invalid message(s)");

export function messageToRead(reader: Reader, viewer: User, id: number): { row: MessageRow; sight: Sight } {
  const sight = sightOf(reader, viewer);
  const row = sight.sees(id) ? messageRow(reader, id) : undefined;
  if (!row) throw invalidMessage();
  return { row, sight };
}

/** The given ids without repeats, all of which the viewer may read. */
export function messagesToFlag(reader: Reader, viewer: User, ids: readonly number[]): { ids: number[]; sight: Sight } {
  const sight = sightOf(reader, viewer);
  const unique = [...new Set(ids)];
  if (!unique.every((id) => sight.sees(id))) throw invalidMessage();
  return { ids: unique, sight };
}
