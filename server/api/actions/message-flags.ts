import { badRequest, shortened } from "../../errors.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { messagesToFlag } from "../access/messages.ts";
import { conversationMembers } from "../queries/conversations.ts";
import { CHUNK, messageIndex } from "../queries/message-index.ts";
import { FLAG, flagsOf, MENTIONS, ReadState } from "../queries/read-state.ts";
import type { User } from "../queries/users.ts";
import { addTo } from "./grouping.ts";
import { upsertRow } from "./rows.ts";

/** Flips bits in a user's bitmaps of read state. Deletes empty bitmaps. */
export function writeDifferences(tx: Transaction, state: ReadState, ids: readonly number[]): void {
  for (const [chunk, bits] of state.flip(ids)) {
    if (bits.some((byte) => byte !== 0)) {
      upsertRow(tx, "read_differences", { user_id: state.userId, chunk }, { bits });
    } else {
      tx.run("DELETE FROM read_differences WHERE user_id = ? AND chunk = ?", state.userId, chunk);
    }
  }
}

/**
 * Complete bitmaps of thousands of users would not fit into a log record. So each statement changes one byte for all
 * users with the same value.
 */
export function writeDifferencesOfMany(tx: Transaction, lists: ReadonlyMap<number, readonly number[]>): void {
  const chunks = new Map<number, Map<number, number[]>>();
  for (const [user, ids] of lists) {
    for (const id of ids) {
      const number = Math.floor(id / CHUNK);
      const users = chunks.get(number) ?? new Map<number, number[]>();
      chunks.set(number, users);
      addTo(users, user, id);
    }
  }
  for (const [chunk, users] of chunks) writeChunkOfMany(tx, chunk, users);
}

function writeChunkOfMany(tx: Transaction, chunk: number, flips: ReadonlyMap<number, readonly number[]>): void {
  const sql = "SELECT user_id AS user, bits FROM read_differences WHERE chunk = ? ORDER BY user_id";
  const stored = new Map(tx.all<{ user: number; bits: Uint8Array }>(sql, chunk).map(({ user, bits }) => [user, bits]));
  const made = new Map<string, { bits: Uint8Array; users: number[] }>();
  const changed = new Map<number, { at: number; byte: number; users: number[] }>();
  const emptied: number[] = [];
  for (const [user, ids] of flips) {
    const before = stored.get(user);
    const bits = before?.slice() ?? new Uint8Array(CHUNK / 8);
    const touched = new Set<number>();
    for (const id of ids) {
      const at = (id % CHUNK) >> 3;
      bits[at] = (bits[at] as number) ^ (1 << (id & 7));
      touched.add(at);
    }
    if (!before) {
      const key = Buffer.from(bits).toString("latin1");
      const same = made.get(key) ?? { bits, users: [] };
      made.set(key, same);
      same.users.push(user);
    } else if (bits.every((byte) => byte === 0)) emptied.push(user);
    else {
      for (const at of touched) {
        const byte = bits[at] as number;
        const same = changed.get(at * 256 + byte) ?? { at, byte, users: [] };
        changed.set(at * 256 + byte, same);
        same.users.push(user);
      }
    }
  }
  for (const { bits, users } of made.values()) {
    tx.run(
      "INSERT INTO read_differences (user_id, chunk, bits) SELECT value, ?, ? FROM json_each(?) ORDER BY value",
      chunk,
      bits,
      JSON.stringify(users),
    );
  }
  for (const { at, byte, users } of changed.values()) {
    tx.run(
      `UPDATE read_differences SET bits = CAST(substr(bits, 1, ?) || ? || substr(bits, ?) AS BLOB)
       WHERE user_id IN (SELECT value FROM json_each(?)) AND chunk = ?`,
      at,
      Uint8Array.of(byte),
      at + 2,
      JSON.stringify(users),
      chunk,
    );
  }
  if (emptied.length > 0) {
    tx.run(
      "DELETE FROM read_differences WHERE user_id IN (SELECT value FROM json_each(?)) AND chunk = ?",
      JSON.stringify(emptied),
      chunk,
    );
  }
}

/** Returns the changed IDs. Sends no events. */
function writeRead(tx: Transaction, state: ReadState, ids: readonly number[], read: boolean): number[] {
  const changed = ids.filter((id) => state.isParticipant(id) && state.isUnread(id) === read);
  writeDifferences(tx, state, changed);
  const { userId, index } = state;
  if (!read && changed.some((id) => state.isChunkRead(id))) {
    tx.run("DELETE FROM read_chunks WHERE user_id = ?", userId);
    tx.afterCommit(() => {
      for (const id of changed) index.readChunks.delete(userId, Math.floor(id / CHUNK));
    });
  }
  return changed;
}

/** Messages per event. */
const MAX_ANNOUNCED = 10_000;

export function markRead(tx: Transaction, state: ReadState, ids: readonly number[]): void {
  const messages = writeRead(tx, state, ids, true).sort((a, b) => a - b);
  announceRead(tx, [state.userId], messages);
}

/** `messages`: ascending. */
export function announceRead(tx: Transaction, users: readonly number[], messages: readonly number[]): void {
  const fields = { type: "update_message_flags", op: "add", operation: "add", flag: "read", all: false } as const;
  for (let at = 0; at < messages.length; at += MAX_ANNOUNCED)
    tx.emit({ ...fields, messages: messages.slice(at, at + MAX_ANNOUNCED) }, { users });
}

/**
 * Marks at most `max` of the newest unread messages as read: all, of a channel, or of a topic. Returns whether none is
 * left.
 */
export function markNewestRead(
  tx: Transaction,
  viewer: User,
  { channelId, topic, max }: { channelId?: number; topic?: number; max: number },
): boolean {
  const state = new ReadState(tx, viewer.id);
  const where = channelId === undefined ? {} : { location: channelId, topic };
  const ids = state.unread({ limit: max + 1, ...where });
  markRead(tx, state, ids.slice(0, max));
  return ids.length <= max;
}

export function writeFlags(tx: Transaction, userId: number, messageId: number, flags: number): void {
  if (flags === 0) {
    tx.run("DELETE FROM message_flags WHERE user_id = ? AND message_id = ?", userId, messageId);
    return;
  }
  upsertRow(tx, "message_flags", { user_id: userId, message_id: messageId }, { flags });
}

/** Uses one statement for all users with the same flags, so that the log stores only a list of IDs. */
export function writeNewFlags(tx: Transaction, messageId: number, flags: ReadonlyMap<number, number>): void {
  const users = new Map<number, number[]>();
  for (const [userId, bits] of flags) {
    addTo(users, bits, userId);
  }
  for (const [bits, ids] of users) {
    tx.run(
      "INSERT INTO message_flags (user_id, message_id, flags) SELECT value, ?, ? FROM json_each(?) ORDER BY value",
      messageId,
      bits,
      JSON.stringify(ids),
    );
  }
}

const SETTABLE = ["read", "starred", "collapsed"] as const;
type SettableFlag = (typeof SETTABLE)[number];

const isSettable = (flag: string): flag is SettableFlag => (SETTABLE as readonly string[]).includes(flag);

interface Marked {
  messages: number[];
  /** Channels whose messages stay read, because the viewer is not subscribed. Ascending. */
  ignoredChannels: number[];
}

/**
 * A message that the viewer did not receive also gets `historical`. Throws if clients cannot set the flag or the viewer
 * cannot read a message.
 */
export function markMessages(
  tx: Transaction,
  viewer: User,
  { ids: given, op, flag }: { ids: readonly number[]; op: "add" | "remove"; flag: string },
): Marked {
  if (!isSettable(flag)) throw badRequest("unknown_message_flag", { flag: shortened(flag) });
  const { ids, visibility } = messagesToFlag(tx, viewer, given);
  const { state } = visibility;
  const index = messageIndex(tx);
  const ignored = new Set<number>();
  let messages: number[] = [];
  if (flag === "read") {
    const subscribed = ids.filter((id) => state.isParticipant(id));
    if (op === "remove") {
      for (const id of ids) if (!state.isParticipant(id)) ignored.add(index.entry(tx, id)?.location ?? 0);
    }
    messages = writeRead(tx, state, subscribed, op === "add");
  }
  const bit = flag === "read" ? 0 : FLAG[flag];
  const stored = flagsOf(tx, viewer.id, ids);
  for (const id of flag === "read" ? messages : ids) {
    const before = stored.get(id) ?? 0;
    const historical = visibility.isOwnHistory(id) ? 0 : FLAG.historical;
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
  /** The other participants; empty for a conversation with yourself. */
  user_ids?: number[];
  stream_id?: number;
  topic?: string;
}

/** The details that a client needs to count messages that it does not have (docs/protocol.md#event-types). */
function messageDetails(tx: Transaction, viewer: User, ids: readonly number[]): Record<string, MessageDetails> {
  const flags = flagsOf(tx, viewer.id, ids);
  const details: Record<string, MessageDetails> = {};
  for (const id of ids) {
    const location = messageIndex(tx).entry(tx, id)?.location ?? 0;
    const mentioned = (flags.get(id) ?? 0) & MENTIONS ? ({ mentioned: true } as const) : {};
    details[id] =
      location < 0
        ? {
            type: "private",
            ...mentioned,
            user_ids: conversationMembers(tx, -location).filter((user) => user !== viewer.id),
          }
        : {
            type: "stream",
            ...mentioned,
            stream_id: location,
            topic: tx.value<string>("SELECT topic FROM messages WHERE id = ?", id) ?? "",
          };
  }
  return details;
}
