import { createHash } from "node:crypto";
import { readableHistory, whoSeesChannel } from "../access/channels.ts";
import { type User, userById } from "../access/users.ts";
import { RENDERER_VERSION, type Rendered } from "../markdown/render.ts";
import { type Channel, channelById, isRecentlyActive, type WireChannel } from "../queries/channels.ts";
import { conversationKey, conversationMembers, conversationOf } from "../queries/conversations.ts";
import { CHUNK, type IndexEntry, messageIndex } from "../queries/message-index.ts";
import { type MessageRow, wireMessage } from "../queries/messages.ts";
import { flagsForViewer, ReadState } from "../queries/read-state.ts";
import { isSubscribed, subscribersOf } from "../queries/subscriptions.ts";
import { topicId, topicKey } from "../queries/topics.ts";
import type { Transaction } from "../storage/transaction.ts";
import { markRead, writeDifferences, writeFlags } from "./message-flags.ts";

/** `userIds`: all who take part in the conversation, the sender too. */
export type Destination = { channel: Channel; topic: string } | { userIds: readonly number[] };

export interface NewMessage {
  to: Destination;
  /** Markdown, as `messageText` leaves it. */
  content: string;
  rendered: Rendered;
  /** The program that sends. */
  client: string;
  readBySender: boolean;
  /** The queue that sends, and its own name for this message. */
  origin?: { queueId: string; localId: string } | undefined;
}

const REPEATS_FOR_MS = 10 * 60_000;

/** Sends what the sender may send, and returns the message's id; a repeated send (spec/decisions.md) the first one's. */
export function sendMessage(tx: Transaction, sender: User, message: NewMessage): number {
  const { to, origin } = message;
  const index = messageIndex(tx);
  index.prepare(tx);
  const digest = origin && digestOf(sender, message);
  if (origin && digest) {
    const first = tx.value<number>(
      "SELECT message_id FROM local_sends WHERE queue_id = ? AND local_id = ? AND digest = ? AND sent_at > ?",
      origin.queueId,
      origin.localId,
      digest,
      tx.now - REPEATS_FOR_MS,
    );
    if (first !== undefined) return first;
  }
  const channel = "channel" in to ? to.channel : undefined;
  const topic = "channel" in to ? to.topic : "";
  const userIds = "channel" in to ? undefined : to.userIds;
  const recipientId = channel ? channel.recipient_id : conversationToSendIn(tx, userIds ?? []);
  const topicNumber = channel ? topicToSendIn(tx, channel.id, topic) : null;
  const channelId = channel?.id ?? null;
  const wakesChannel = channel !== undefined && !isRecentlyActive(tx, channel, tx.now);
  const id = tx.run(
    `INSERT INTO messages (sender_id, recipient_id, sent_channel_id, channel_id, topic_id, topic, content,
       rendered_content, renderer_version, sent_at, client) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    sender.id,
    recipientId,
    channelId,
    channelId,
    topicNumber,
    topic,
    message.content,
    message.rendered.html,
    RENDERER_VERSION,
    tx.now,
    message.client,
  );
  const entry: IndexEntry = {
    sender: sender.id,
    sent: channelId ?? 0,
    place: channelId ?? -recipientId,
    topic: topicNumber ?? 0,
  };
  tx.afterCommit(() => {
    index.add(id, entry);
    if (topicNumber !== null) index.topicNames.set(topicNumber, topic);
  });
  // Seldom either: writing a channel makes everybody read it anew.
  if (channel?.first_message_id === null) setFirstMessage(tx, channel, id);
  if (channel && wakesChannel) announceProperty(tx, channel, "is_recently_active", true);
  if (origin && digest) rememberSend(tx, origin, digest, id);

  const audience = channel ? subscribersOf(tx, channel.id) : undefined;
  const receives = audience ? audience.has.has(sender.id) : true;
  const readAtOnce = message.readBySender || !receives;
  if (!readAtOnce) writeDifferences(tx, new ReadState(tx, sender.id), [id]);
  const row: MessageRow = {
    id,
    sender_id: sender.id,
    recipient_id: recipientId,
    channel_id: channelId,
    topic,
    content: message.content,
    rendered_content: message.rendered.html,
    sent_at: tx.now,
    client: message.client,
    last_edited_at: null,
    last_moved_at: null,
    conversation_key: userIds ? conversationKey(userIds) : null,
  };
  tx.emit(
    { type: "message", message: wireMessage(tx, row), raw_content: message.content, flags: [] },
    {
      users: audience ? audience.ids : (userIds ?? []),
      ...(receives && readAtOnce ? { differences: new Map([[sender.id, { flags: ["read"] }]]) } : {}),
      ...(channel && !channel.invite_only ? { alsoAllPublic: true } : {}),
      ...(origin
        ? {
            origin: { queueId: origin.queueId, fields: { local_id: origin.localId, local_message_id: origin.localId } },
          }
        : {}),
    },
  );
  return id;
}

function digestOf(sender: User, { to, content }: NewMessage): string {
  const target = "channel" in to ? [to.channel.id, to.topic] : conversationKey(to.userIds);
  return createHash("sha256")
    .update(JSON.stringify([sender.id, target, content]))
    .digest("base64");
}

function rememberSend(tx: Transaction, origin: { queueId: string; localId: string }, digest: string, id: number): void {
  tx.run(
    `INSERT INTO local_sends (queue_id, local_id, digest, message_id, sent_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (queue_id, local_id, digest) DO UPDATE SET message_id = excluded.message_id, sent_at = excluded.sent_at`,
    origin.queueId,
    origin.localId,
    digest,
    id,
    tx.now,
  );
}

/** Forgets the oldest sends that a repetition would no longer be known by, `most` of them at the most. */
export function forgetLocalSends(tx: Transaction, most: number): void {
  const before = tx.now - REPEATS_FOR_MS;
  if (tx.value("SELECT 1 FROM local_sends WHERE sent_at < ? LIMIT 1", before) === undefined) return;
  tx.run(
    `DELETE FROM local_sends WHERE (queue_id, local_id, digest) IN (
       SELECT queue_id, local_id, digest FROM local_sends WHERE sent_at < ?
       ORDER BY sent_at, queue_id, local_id, digest LIMIT ?)`,
    before,
    most,
  );
}

function conversationToSendIn(tx: Transaction, userIds: readonly number[]): number {
  const known = conversationOf(tx, userIds);
  if (known !== undefined) return known;
  const id = tx.run("INSERT INTO recipients (conversation_key) VALUES (?)", conversationKey(userIds));
  for (const userId of new Set(userIds)) {
    tx.run("INSERT INTO conversation_members (user_id, recipient_id) VALUES (?, ?)", userId, id);
  }
  return id;
}

const topicToSendIn = (tx: Transaction, channelId: number, topic: string): number =>
  topicId(tx, channelId, topic) ??
  tx.run("INSERT INTO topics (channel_id, name_key) VALUES (?, ?)", channelId, topicKey(topic));

const announceProperty = (tx: Transaction, channel: Channel, property: keyof WireChannel, value: unknown): void =>
  tx.emit(
    { type: "stream", op: "update", stream_id: channel.id, name: channel.name, property, value },
    { users: whoSeesChannel(tx, channel) },
  );

function setFirstMessage(tx: Transaction, channel: Channel, id: number | null): void {
  tx.run("UPDATE channels SET first_message_id = ? WHERE id = ?", id, channel.id);
  announceProperty(tx, channel, "first_message_id", id);
}

function refreshFirstMessage(tx: Transaction, channelId: number): void {
  const channel = channelById(tx, channelId);
  if (!channel) return;
  const sql = "SELECT id FROM messages WHERE recipient_id = ? ORDER BY id LIMIT 1";
  const oldest = tx.value<number>(sql, channel.recipient_id) ?? null;
  if (oldest !== channel.first_message_id) setFirstMessage(tx, channel, oldest);
}

/** Everybody who has the channel's messages: subscribers, deactivated ones too, ascending. */
const allSubscribers = (tx: Transaction, channelId: number): number[] =>
  tx
    .all<{ id: number }>(
      "SELECT user_id AS id FROM subscriptions WHERE channel_id = ? AND subscribed = 1 ORDER BY user_id",
      channelId,
    )
    .map(({ id }) => id);

/** Users who flagged one of these, by user. */
function flagHolders(tx: Transaction, ids: readonly number[]): Map<number, number[]> {
  const holders = new Map<number, number[]>();
  for (const id of ids) {
    for (const { user } of tx.all<{ user: number }>(
      "SELECT user_id AS user FROM message_flags WHERE message_id = ?",
      id,
    )) {
      const held = holders.get(user);
      if (held) held.push(id);
      else holders.set(user, [id]);
    }
  }
  return holders;
}

const union = (...lists: Iterable<number>[]): number[] =>
  [...new Set(lists.flatMap((list) => [...list]))].sort((a, b) => a - b);

/** Messages that are in one place and topic, ascending. */
interface Batch {
  readonly ids: number[];
  readonly place: number;
  /** As the first of them spells it. */
  readonly topic: string;
}

function byTopic(tx: Transaction, ids: readonly number[]): Batch[] {
  const batches = new Map<string, Batch>();
  for (const id of union(ids)) {
    const entry = messageIndex(tx).entry(tx, id);
    if (!entry) throw new Error(`There is no message ${id}.`);
    const known = batches.get(`${entry.place} ${entry.topic}`);
    if (known) known.ids.push(id);
    else {
      const topic = tx.value<string>("SELECT topic FROM messages WHERE id = ?", id) ?? "";
      batches.set(`${entry.place} ${entry.topic}`, { ids: [id], place: entry.place, topic });
    }
  }
  return [...batches.values()];
}

export interface Move {
  ids: readonly number[];
  /** Where to; what is left out stays. */
  channel?: Channel;
  topic?: string;
  propagateMode: "change_one" | "change_later" | "change_all";
}

const RESOLVED = "✔ ";
const withoutResolved = (topic: string) => (topic.startsWith(RESOLVED) ? topic.slice(RESOLVED.length) : topic);

/**
 * Moves channel messages to another channel, topic or both. For readers who are not subscribed to the new channel
 * they count as read; who may not read them there loses their flags and is told that they are gone.
 */
export function moveMessages(tx: Transaction, actor: User, move: Move): void {
  for (const batch of byTopic(tx, move.ids)) moveBatch(tx, actor, batch, move);
}

function moveBatch(tx: Transaction, actor: User, { ids, place, topic: from }: Batch, move: Move): void {
  const source = channelById(tx, place);
  if (!source) throw new Error("Only channel messages can be moved.");
  const target = move.channel ?? source;
  const topic = move.topic ?? from;
  if (target.id === source.id && topic === from) return;
  const index = messageIndex(tx);
  const readers = union(allSubscribers(tx, source.id), allSubscribers(tx, target.id));
  const holders = flagHolders(tx, ids);
  const losing =
    target.id === source.id
      ? new Map<number, number[]>()
      : losingSight(tx, union(readers, holders.keys()), ids, target);
  if (target.id !== source.id) {
    for (const userId of allSubscribers(tx, source.id)) {
      const lost = isSubscribed(tx, userId, target.id) ? (losing.get(userId) ?? []) : ids;
      markRead(tx, new ReadState(tx, userId), lost);
    }
  }
  for (const [userId, lost] of losing)
    for (const id of lost) if (holders.get(userId)?.includes(id)) writeFlags(tx, userId, id, 0);
  const toldGone = active(tx, [...losing.keys()]);
  if (toldGone.length > 0) {
    for (const [list, users] of groupedByList(losing, toldGone)) announceDeleted(tx, list, source.id, from, users);
  }

  const topicNumber = topicToSendIn(tx, target.id, topic);
  const resolvingOnly = target.id === source.id && withoutResolved(topic) === withoutResolved(from);
  for (const id of ids) {
    tx.run(
      `UPDATE messages SET recipient_id = ?, channel_id = ?, topic_id = ?, topic = ?,
         last_moved_at = coalesce(?, last_moved_at) WHERE id = ?`,
      target.recipient_id,
      target.id,
      topicNumber,
      topic,
      resolvingOnly ? null : tx.now,
      id,
    );
  }
  const oldTopic = index.entry(tx, ids[0] as number)?.topic ?? 0;
  tx.afterCommit(() => {
    for (const id of ids) index.move(id, target.id, topicNumber);
    index.topicNames.delete(oldTopic);
    index.topicNames.delete(topicNumber);
  });

  const first = ids[0] as number;
  const users = active(tx, readers).filter((userId) => (losing.get(userId)?.length ?? 0) < ids.length);
  const differences = new Map<number, { flags: string[] }>();
  for (const userId of users) {
    const flags = flagsForViewer(tx, new ReadState(tx, userId), [first]).get(first) ?? [];
    const shown = isSubscribed(tx, userId, target.id) ? flags : [...new Set(["read", ...flags])];
    if (shown.length > 0) differences.set(userId, { flags: shown });
  }
  tx.emit(
    {
      type: "update_message",
      user_id: actor.id,
      rendering_only: false,
      message_id: first,
      message_ids: ids,
      flags: [],
      edit_timestamp: Math.floor(tx.now / 1000),
      stream_name: source.name,
      stream_id: source.id,
      ...(target.id === source.id ? {} : { new_stream_id: target.id }),
      propagate_mode: move.propagateMode,
      orig_subject: from,
      ...(topic === from ? {} : { subject: topic, topic_links: [] }),
    },
    { users, differences },
  );
  if (target.id !== source.id) {
    refreshFirstMessage(tx, source.id);
    refreshFirstMessage(tx, target.id);
  }
}

/** Which of these messages each user could no longer read in the target channel; only users who lose some. */
function losingSight(
  tx: Transaction,
  userIds: readonly number[],
  ids: readonly number[],
  target: Channel,
): Map<number, number[]> {
  const losing = new Map<number, number[]>();
  for (const userId of userIds) {
    const user = userById(tx, userId);
    if (!user) continue;
    const history = readableHistory(tx, user, target);
    if (history === "all") continue;
    const state = new ReadState(tx, userId);
    const lost = history === "none" ? [...ids] : ids.filter((id) => !state.receivedAt(id, target.id));
    if (lost.length > 0) losing.set(userId, lost);
  }
  return losing;
}

const active = (tx: Transaction, userIds: readonly number[]): number[] =>
  userIds.filter((id) => userById(tx, id)?.is_active);

function groupedByList(
  lists: ReadonlyMap<number, number[]>,
  userIds: readonly number[],
): [ids: number[], users: number[]][] {
  const groups = new Map<string, [number[], number[]]>();
  for (const userId of userIds) {
    const list = lists.get(userId) ?? [];
    const known = groups.get(list.join());
    if (known) known[1].push(userId);
    else groups.set(list.join(), [list, [userId]]);
  }
  return [...groups.values()];
}

function announceDeleted(tx: Transaction, ids: number[], place: number, topic: string, users: readonly number[]): void {
  const type = "delete_message";
  if (place > 0) tx.emit({ type, message_ids: ids, message_type: "stream", stream_id: place, topic }, { users });
  else tx.emit({ type, message_ids: ids, message_type: "private" }, { users });
}

/** Deletes messages with what users keep of them: flags and read state. */
export function deleteMessages(tx: Transaction, _actor: User, ids: readonly number[]): void {
  const index = messageIndex(tx);
  for (const { ids: batch, place, topic } of byTopic(tx, ids)) {
    const holders = [...flagHolders(tx, batch).keys()];
    const readers = place > 0 ? subscribersOf(tx, place).ids : conversationMembers(tx, -place);
    clearDifferences(tx, batch);
    const topics = new Set(batch.map((id) => index.entry(tx, id)?.topic ?? 0));
    for (const id of batch) {
      tx.run("DELETE FROM message_flags WHERE message_id = ?", id);
      tx.run("DELETE FROM messages WHERE id = ?", id);
    }
    tx.afterCommit(() => {
      for (const id of batch) index.remove(id);
      for (const number of topics) index.topicNames.delete(number);
    });
    announceDeleted(tx, batch, place, topic, active(tx, union(readers, holders)));
    if (place > 0) refreshFirstMessage(tx, place);
  }
}

function clearDifferences(tx: Transaction, ids: readonly number[]): void {
  const chunks = new Map<number, number[]>();
  for (const id of ids) chunks.set(Math.floor(id / CHUNK), [...(chunks.get(Math.floor(id / CHUNK)) ?? []), id]);
  for (const [chunk, gone] of chunks) {
    for (const { user } of tx.all<{ user: number }>(
      "SELECT user_id AS user FROM read_differences WHERE chunk = ?",
      chunk,
    )) {
      const state = new ReadState(tx, user);
      const set = gone.filter((id) => state.differs(id));
      if (set.length > 0) writeDifferences(tx, state, set);
    }
  }
}
