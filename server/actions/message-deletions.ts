import { readableAmong, readersOf } from "../access/messages.ts";
import { channelById } from "../queries/channels.ts";
import { conversationMembers } from "../queries/conversations.ts";
import { CHUNK, messageIndex } from "../queries/message-index.ts";
import { byTopic } from "../queries/messages.ts";
import { FLAG, hasBit } from "../queries/read-state.ts";
import { type User, userById } from "../queries/users.ts";
import type { Transaction } from "../storage/transaction.ts";
import { writeDifferencesOfMany } from "./message-flags.ts";
import { refreshFirstMessage } from "./messages.ts";
import { deleteQuotes } from "./reminders.ts";

/** Users who flagged one of these, by user. */
export function flagHolders(tx: Transaction, ids: readonly number[]): Map<number, number[]> {
  const holders = new Map<number, number[]>();
  const found = tx.all<{ user: number; id: number }>(
    `SELECT user_id AS user, message_id AS id FROM message_flags
     WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY message_id`,
    JSON.stringify(ids),
  );
  for (const { user, id } of found) {
    const held = holders.get(user);
    if (held) held.push(id);
    else holders.set(user, [id]);
  }
  return holders;
}

export function without(ids: readonly number[], gone: readonly number[]): readonly number[] {
  if (gone.length === 0) return ids;
  const left = new Set(ids);
  for (const id of gone) left.delete(id);
  return [...left];
}

/** Whom the same list of messages concerns. */
export function groupedByList(
  lists: ReadonlyMap<number, readonly number[]>,
): [ids: readonly number[], users: number[]][] {
  const groups = new Map<string, [readonly number[], number[]]>();
  // Most people have the very same list, which may be long.
  const keys = new Map<readonly number[], string>();
  for (const [userId, list] of lists) {
    const key = keys.get(list) ?? list.join();
    keys.set(list, key);
    const known = groups.get(key);
    if (known) known[1].push(userId);
    else groups.set(key, [list, [userId]]);
  }
  return [...groups.values()];
}

/** Clients that cannot read several messages in one event get one for each: only people who have such a client. */
export function announceDeleted(
  tx: Transaction,
  ids: readonly number[],
  place: number,
  topic: string,
  users: readonly number[],
): void {
  if (users.length === 0) return;
  const fields =
    place > 0 ? { message_type: "stream" as const, stream_id: place, topic } : { message_type: "private" as const };
  tx.emit({ type: "delete_message", message_ids: [...ids], ...fields }, { users });
  if (ids.length === 1) return;
  const withOldClients = new Set(
    tx
      .all<{ id: number }>(
        `SELECT DISTINCT user_id AS id FROM event_queues
         WHERE coalesce(json_extract(options, '$.bulk_message_deletion'), 0) = 0`,
      )
      .map(({ id }) => id),
  );
  const one = users.filter((id) => withOldClients.has(id));
  if (one.length === 0) return;
  for (const message_id of ids) tx.emit({ type: "delete_message", message_id, ...fields }, { users: one });
}

/** For who starred messages of a channel that they have left, nothing is said to be gone but the stars. */
export function announceStarsGone(tx: Transaction, userId: number, ids: readonly number[]): void {
  if (ids.length === 0 || !userById(tx, userId)?.is_active) return;
  const messages = tx
    .all<{ id: number }>(
      `SELECT message_id AS id FROM message_flags
       WHERE user_id = ? AND flags & ? AND message_id IN (SELECT value FROM json_each(?)) ORDER BY message_id`,
      userId,
      FLAG.starred,
      JSON.stringify(ids),
    )
    .map(({ id }) => id);
  if (messages.length === 0) return;
  const event = { type: "update_message_flags", op: "remove", operation: "remove" } as const;
  tx.emit({ ...event, flag: "starred", messages, all: false }, { users: [userId] });
}

/** What belongs to a message, and goes with it. */
const PARTS = [
  "DELETE FROM message_flags WHERE message_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM reactions WHERE message_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM submessages WHERE message_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM message_edits WHERE message_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM messages WHERE id IN (SELECT value FROM json_each(?))",
];

/** Deletes messages with all that belongs to them. */
export function deleteMessages(tx: Transaction, _actor: User, ids: readonly number[]): void {
  clearDifferences(tx, ids);
  removeMessages(tx, ids);
}

/**
 * Deletes messages whose time is over, of which there may be very many. Bitmaps, one for everybody who has read in a
 * chunk, are left alone until nothing of their chunk is there: no bit of a message that is gone is ever looked at.
 */
export const deleteExpiredMessages = (tx: Transaction, ids: readonly number[]): void => removeMessages(tx, ids);

function removeMessages(tx: Transaction, ids: readonly number[]): void {
  const index = messageIndex(tx);
  const readersOfPlace = readersByLocation(tx);
  const batches = byTopic(tx, ids).map((batch) => ({ ...batch, readers: readersOfPlace(batch.ids, batch.location) }));
  for (const { ids: batch, readers } of batches) {
    const held = flagHolders(tx, batch);
    if (held.size === 0) continue;
    const seen = new Map(readers.flatMap(([list, users]) => users.map((userId) => [userId, list] as const)));
    for (const [userId, own] of held) announceStarsGone(tx, userId, without(own, seen.get(userId) ?? []));
  }
  const topics = new Set(ids.map((id) => index.entry(tx, id)?.topic ?? 0));
  const list = JSON.stringify(ids);
  tx.run(
    `INSERT INTO deleted_messages (id, sent_channel_id, recipient_id)
     SELECT id, sent_channel_id, recipient_id FROM messages WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    list,
  );
  for (const sql of PARTS) tx.run(sql, list);
  for (const chunk of new Set(ids.map((id) => Math.floor(id / CHUNK)))) {
    const sql = "SELECT 1 FROM messages WHERE id BETWEEN ? AND ? LIMIT 1";
    if (tx.value(sql, chunk * CHUNK, chunk * CHUNK + CHUNK - 1) === undefined)
      tx.run("DELETE FROM read_differences WHERE chunk = ?", chunk);
  }
  tx.afterCommit(() => {
    for (const id of new Set(ids)) index.remove(id);
    for (const number of topics) index.topicNames.delete(number);
  });
  for (const { readers, location, topic } of batches) {
    for (const [gone, users] of readers) announceDeleted(tx, gone, location, topic, users);
  }
  deleteQuotes(tx, ids);
  for (const place of new Set(batches.map((batch) => batch.location))) if (place > 0) refreshFirstMessage(tx, place);
}

type ReadersByList = [ids: readonly number[], users: readonly number[]][];

/** Which messages of a place everybody active may read: where all of them read all, they are looked up once. */
function readersByLocation(tx: Transaction): (ids: readonly number[], place: number) => ReadersByList {
  const all = new Map<number, readonly number[]>();
  return (ids, place) => {
    const channel = channelById(tx, place);
    if (channel?.invite_only && !channel.history_public_to_subscribers) {
      const lists = new Map<number, readonly number[]>();
      for (const userId of readersOf(tx, channel, ids[0] as number)) {
        const list = readableAmong(tx, userById(tx, userId) as User, ids, channel);
        if (list.length > 0) lists.set(userId, list);
      }
      return groupedByList(lists);
    }
    const readers =
      all.get(place) ??
      (channel
        ? readersOf(tx, channel, ids[0] as number)
        : conversationMembers(tx, -place).filter((userId) => userById(tx, userId)?.is_active));
    all.set(place, readers);
    return [[ids, readers]];
  };
}

function clearDifferences(tx: Transaction, ids: readonly number[]): void {
  const chunks = new Map<number, number[]>();
  for (const id of ids) {
    const number = Math.floor(id / CHUNK);
    const known = chunks.get(number);
    if (known) known.push(id);
    else chunks.set(number, [id]);
  }
  for (const [chunk, gone] of chunks) {
    const lists = new Map<number, number[]>();
    for (const { user, bits } of tx.all<{ user: number; bits: Uint8Array }>(
      "SELECT user_id AS user, bits FROM read_differences WHERE chunk = ? ORDER BY user_id",
      chunk,
    )) {
      const set = gone.filter((id) => hasBit(bits, id));
      if (set.length > 0) lists.set(user, set);
    }
    writeDifferencesOfMany(tx, lists);
  }
}
