import { messagesToFlag } from "../access/messages.ts";
import type { User } from "../access/users.ts";
import { badRequest } from "../errors.ts";
import { conversationMembers } from "../queries/conversations.ts";
import { messageIndex } from "../queries/message-index.ts";
import { FLAG, flagsOf, MENTIONS, type ReadState } from "../queries/read-state.ts";
import type { Transaction } from "../storage/transaction.ts";

/** Turns what differs from the default round for these messages; a bitmap that becomes empty goes. */
export function writeDifferences(tx: Transaction, state: ReadState, ids: readonly number[]): void {
  for (const [chunk, bits] of state.flip(ids)) {
    if (bits.some((byte) => byte !== 0)) {
      tx.run(
        `INSERT INTO read_differences (user_id, chunk, bits) VALUES (?, ?, ?)
         ON CONFLICT (user_id, chunk) DO UPDATE SET bits = excluded.bits`,
        state.userId,
        chunk,
        bits,
      );
    } else {
      tx.run("DELETE FROM read_differences WHERE user_id = ? AND chunk = ?", state.userId, chunk);
    }
  }
}

/** Marks these as read or unread where that changes anything. Returns the ids that changed. Announces nothing. */
export function writeRead(tx: Transaction, state: ReadState, ids: readonly number[], read: boolean): number[] {
  const changed = ids.filter((id) => state.isHere(id) && state.isUnread(id) === read);
  writeDifferences(tx, state, changed);
  const { userId, index } = state;
  if (!read && changed.length > 0) {
    const lowest = changed.reduce((low, id) => Math.min(low, id));
    tx.afterCommit(() => {
      const from = index.unreadFrom.get(userId);
      if (from !== undefined && lowest < from) index.unreadFrom.set(userId, lowest);
    });
  }
  return changed;
}

/** Marks as read and tells the user's clients: what unsubscribing and moves do to what can no longer be unread. */
export function markRead(tx: Transaction, state: ReadState, ids: readonly number[]): void {
  const messages = writeRead(tx, state, ids, true).sort((a, b) => a - b);
  if (messages.length > 0) announce(tx, state.userId, "add", "read", messages);
}

/** Gives one message its flags for a user; no row stays where nothing is set. */
export function writeFlags(tx: Transaction, userId: number, messageId: number, flags: number): void {
  if (flags === 0) {
    tx.run("DELETE FROM message_flags WHERE user_id = ? AND message_id = ?", userId, messageId);
    return;
  }
  tx.run(
    `INSERT INTO message_flags (user_id, message_id, flags) VALUES (?, ?, ?)
     ON CONFLICT (user_id, message_id) DO UPDATE SET flags = excluded.flags`,
    userId,
    messageId,
    flags,
  );
}

const SETTABLE = ["read", "starred", "collapsed"] as const;
export type SettableFlag = (typeof SETTABLE)[number];

const isSettable = (flag: string): flag is SettableFlag => (SETTABLE as readonly string[]).includes(flag);

export interface Marked {
  /** Whose flag changed, ascending. */
  messages: number[];
  /** Channels whose messages stay read, since the viewer is not subscribed to them; ascending. */
  ignoredChannels: number[];
}

/**
 * Sets or takes away a flag of the viewer's on messages that they may read. A message that never came to them gets
 * `historical` beside it. Refuses flags that clients do not set, and messages that the viewer may not read.
 */
export function markMessages(
  tx: Transaction,
  viewer: User,
  { ids: given, op, flag }: { ids: readonly number[]; op: "add" | "remove"; flag: string },
): Marked {
  if (!isSettable(flag)) throw badRequest(`The flag ${JSON.stringify(flag)} does not exist or is not set by clients.`);
  const { ids, sight } = messagesToFlag(tx, viewer, given);
  const { state } = sight;
  const index = messageIndex(tx);
  const ignored = new Set<number>();
  let messages: number[] = [];
  if (flag === "read") {
    const here = ids.filter((id) => state.isHere(id));
    if (op === "remove") {
      for (const id of ids) if (!state.isHere(id)) ignored.add(index.entry(tx, id)?.place ?? 0);
    }
    messages = writeRead(tx, state, here, op === "add");
  }
  const bit = flag === "read" ? 0 : FLAG[flag];
  const known = flagsOf(tx, viewer.id, ids);
  for (const id of flag === "read" ? messages : ids) {
    const before = known.get(id) ?? 0;
    const historical = sight.isOwnHistory(id) ? 0 : FLAG.historical;
    const after = op === "add" || flag === "read" ? before | bit | historical : before & ~bit;
    if (after !== before) writeFlags(tx, viewer.id, id, after);
    if (flag !== "read" && (after & bit) !== (before & bit)) messages.push(id);
  }
  messages.sort((a, b) => a - b);
  if (messages.length > 0) {
    const details = flag === "read" && op === "remove" ? messageDetails(tx, viewer, messages) : undefined;
    announce(tx, viewer.id, op, flag, messages, details);
  }
  return { messages, ignoredChannels: [...ignored].sort((a, b) => a - b) };
}

function announce(
  tx: Transaction,
  userId: number,
  op: "add" | "remove",
  flag: SettableFlag,
  messages: number[],
  details?: Record<string, MessageDetails>,
): void {
  const type = "update_message_flags";
  const fields = { flag, messages, all: false };
  const audience = { users: [userId] };
  if (op === "add") tx.emit({ type, op, operation: op, ...fields }, audience);
  else tx.emit({ type, op, operation: op, ...fields, ...(details ? { message_details: details } : {}) }, audience);
}

interface MessageDetails {
  type: "private" | "stream";
  mentioned?: boolean;
  /** The others who take part; empty in a conversation with oneself. */
  user_ids?: number[];
  stream_id?: number;
  topic?: string;
}

/** What a client needs to count messages that it may not hold (contract/events.json, update_message_flags/remove). */
function messageDetails(tx: Transaction, viewer: User, ids: readonly number[]): Record<string, MessageDetails> {
  const flags = flagsOf(tx, viewer.id, ids);
  const details: Record<string, MessageDetails> = {};
  for (const id of ids) {
    const place = messageIndex(tx).entry(tx, id)?.place ?? 0;
    const mentioned = (flags.get(id) ?? 0) & MENTIONS ? ({ mentioned: true } as const) : {};
    details[id] =
      place < 0
        ? {
            type: "private",
            ...mentioned,
            user_ids: conversationMembers(tx, -place).filter((user) => user !== viewer.id),
          }
        : {
            type: "stream",
            ...mentioned,
            stream_id: place,
            topic: tx.value<string>("SELECT topic FROM messages WHERE id = ?", id) ?? "",
          };
  }
  return details;
}
