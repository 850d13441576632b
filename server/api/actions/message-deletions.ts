import type { Transaction } from "../../storage/transaction.ts";
import { readableAmong, readersOf } from "../access/messages.ts";
import { readableIn } from "../access/topics.ts";
import { channelById } from "../queries/channels.ts";
import { conversationMembers } from "../queries/conversations.ts";
import { CHUNK, messageIndex } from "../queries/message-index.ts";
import { byTopic } from "../queries/messages.ts";
import { FLAG, hasBit } from "../queries/read-state.ts";
import { topicId } from "../queries/topics.ts";
import { type User, userById } from "../queries/users.ts";
import { releaseAttachments } from "./attachments.ts";
import { recordAudit } from "./audit.ts";
import { addTo } from "./grouping.ts";
import { writeDifferencesOfMany } from "./message-flags.ts";
import { refreshFirstMessage } from "./messages.ts";
import { deleteQuotes } from "./reminders.ts";
import { messagesIn, type Topic } from "./topics.ts";

/** Message IDs by user. */
export function flagHolders(tx: Transaction, ids: readonly number[]): Map<number, number[]> {
  const holders = new Map<number, number[]>();
  const found = tx.all<{ user: number; id: number }>(
    `SELECT user_id AS user, message_id AS id FROM message_flags
     WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY message_id`,
    JSON.stringify(ids),
  );
  for (const { user, id } of found) {
    addTo(holders, user, id);
  }
  return holders;
}

export function without(ids: readonly number[], excluded: readonly number[]): readonly number[] {
  if (excluded.length === 0) return ids;
  const left = new Set(ids);
  for (const id of excluded) left.delete(id);
  return [...left];
}

/** Groups users with equal lists. */
export function groupedByList(
  lists: ReadonlyMap<number, readonly number[]>,
): [ids: readonly number[], users: number[]][] {
  const groups = new Map<string, [readonly number[], number[]]>();
  // Most users share one array, which may be long.
  const keys = new Map<readonly number[], string>();
  for (const [userId, list] of lists) {
    const key = keys.get(list) ?? list.join();
    keys.set(list, key);
    const group = groups.get(key);
    if (group) group[1].push(userId);
    else groups.set(key, [list, [userId]]);
  }
  return [...groups.values()];
}

/** Sends one event for all messages. Clients without support for lists get an event for each message. */
export function announceDeleted(
  tx: Transaction,
  ids: readonly number[],
  location: number,
  topic: string,
  users: readonly number[],
): void {
  if (users.length === 0) return;
  const fields =
    location > 0
      ? { message_type: "stream" as const, stream_id: location, topic }
      : { message_type: "private" as const };
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

/** For users who starred messages in a channel that they left. */
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

const DELETIONS = [
  "DELETE FROM message_flags WHERE message_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM reactions WHERE message_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM submessages WHERE message_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM messages_awaiting_pictures WHERE message_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM message_edits WHERE message_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM messages WHERE id IN (SELECT value FROM json_each(?))",
];

/** Deletes the rows of messages, without events. Call `releaseAttachments` before. */
export function deleteMessageRows(tx: Transaction, ids: readonly number[]): void {
  const list = JSON.stringify(ids);
  for (const sql of DELETIONS) tx.run(sql, list);
  for (const chunk of new Set(ids.map((id) => Math.floor(id / CHUNK)))) {
    const sql = "SELECT 1 FROM messages WHERE id BETWEEN ? AND ? LIMIT 1";
    if (tx.value(sql, chunk * CHUNK, chunk * CHUNK + CHUNK - 1) === undefined)
      tx.run("DELETE FROM read_differences WHERE chunk = ?", chunk);
  }
}

export function deleteMessages(tx: Transaction, _actor: User, ids: readonly number[]): void {
  clearDifferences(tx, ids);
  removeMessages(tx, ids);
}

/** For large numbers of messages. Read bitmaps stay until the last message of their chunk is deleted. */
export const deleteExpiredMessages = (tx: Transaction, ids: readonly number[]): void => removeMessages(tx, ids);

function removeMessages(tx: Transaction, ids: readonly number[]): void {
  const index = messageIndex(tx);
  const readersIn = readersByLocation(tx);
  const batches = byTopic(tx, ids).map((batch) => ({ ...batch, readers: readersIn(batch.ids, batch.location) }));
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
  releaseAttachments(tx, ids);
  deleteMessageRows(tx, ids);
  tx.afterCommit(() => {
    for (const id of new Set(ids)) index.remove(id);
    for (const number of topics) index.topicNames.delete(number);
  });
  for (const { readers, location, topic } of batches) {
    for (const [deleted, users] of readers) announceDeleted(tx, deleted, location, topic, users);
  }
  deleteQuotes(tx, ids);
  for (const channelId of new Set(batches.map((batch) => batch.location)))
    if (channelId > 0) refreshFirstMessage(tx, channelId);
}

type ReadersByList = [ids: readonly number[], users: readonly number[]][];

/** Finds the messages that each active user can read. Uses one lookup if all readers can read all messages. */
function readersByLocation(tx: Transaction): (ids: readonly number[], location: number) => ReadersByList {
  const all = new Map<number, readonly number[]>();
  return (ids, location) => {
    const channel = channelById(tx, location);
    if (channel?.invite_only && !channel.history_public_to_subscribers) {
      const lists = new Map<number, readonly number[]>();
      for (const userId of readersOf(tx, channel, ids[0] as number)) {
        const list = readableAmong(tx, userById(tx, userId) as User, ids, channel);
        if (list.length > 0) lists.set(userId, list);
      }
      return groupedByList(lists);
    }
    const readers =
      all.get(location) ??
      (channel
        ? readersOf(tx, channel, ids[0] as number)
        : conversationMembers(tx, -location).filter((userId) => userById(tx, userId)?.is_active));
    all.set(location, readers);
    return [[ids, readers]];
  };
}

/** Clears the bits of messages in the bitmaps of read state. */
export function clearDifferences(tx: Transaction, ids: readonly number[]): void {
  const chunks = new Map<number, number[]>();
  for (const id of ids) {
    const number = Math.floor(id / CHUNK);
    addTo(chunks, number, id);
  }
  for (const [chunk, deleted] of chunks) {
    const lists = new Map<number, number[]>();
    for (const { user, bits } of tx.all<{ user: number; bits: Uint8Array }>(
      "SELECT user_id AS user, bits FROM read_differences WHERE chunk = ? ORDER BY user_id",
      chunk,
    )) {
      const set = deleted.filter((id) => hasBit(bits, id));
      if (set.length > 0) lists.set(user, set);
    }
    writeDifferencesOfMany(tx, lists);
  }
}

const MAX_BYTES = 33;

/**
 * The first of these messages that one transaction can delete. Each byte of a bitmap lists all its readers, and the size
 * of a log record is limited: so these are messages of one chunk, in a few bytes.
 */
export function deletableTogether(ids: readonly number[]): number[] {
  const chunk = Math.floor((ids[0] ?? 0) / CHUNK);
  const bytes = new Set<number>();
  return ids.filter((id) => Math.floor(id / CHUNK) === chunk && bytes.add(id >> 3).size <= MAX_BYTES);
}

/**
 * Deletes at most `max` of the newest messages that the actor can read. `begins`: the first call, which the audit
 * records. Returns whether none is left.
 */
export function deleteNewestOfTopic(
  tx: Transaction,
  actor: User,
  { channel, topic, max, begins }: Topic & { max: number; begins: boolean },
): boolean {
  const number = topicId(tx, channel.id, topic);
  if (number === undefined) return true;
  const ids = readableIn(tx, actor, channel, number, max + 1);
  if (ids.length === 0) return true;
  if (begins) {
    const before = { topic, messages: messagesIn(tx, { channel, topic }) };
    recordAudit(tx, actor, { action: "delete topic", target: `channel ${channel.id}`, before });
  }
  const deleted = deletableTogether(ids.slice(0, max));
  deleteMessages(tx, actor, deleted);
  return deleted.length === ids.length;
}
