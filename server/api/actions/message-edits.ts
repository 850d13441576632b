import { boundedHtml, RENDERER_VERSION, type Rendered } from "../../markdown/render.ts";
import type { Transaction } from "../../storage/transaction.ts";
import type { Destination } from "../access/destinations.ts";
import { mentionFlags } from "../access/mentions.ts";
import type { PropagateMode } from "../access/message-edits.ts";
import { readableAmong, readersOf, usersWhoCanRead } from "../access/messages.ts";
import { topicLinks } from "../presenters/topics.ts";
import { attachmentsHeldBy } from "../queries/attachments.ts";
import { type Channel, channelById } from "../queries/channels.ts";
import { conversationMembers } from "../queries/conversations.ts";
import { messageIndex } from "../queries/message-index.ts";
import { type Batch, byTopic, holdsOf, isMeMessage, type MessageRow, storedHtml } from "../queries/messages.ts";
import { FLAG, MENTIONS, ReadState } from "../queries/read-state.ts";
import { isSubscribed, subscribersOf } from "../queries/subscriptions.ts";
import { withoutResolved } from "../queries/topics.ts";
import { type User, userById } from "../queries/users.ts";
import { updateAttachments } from "./attachments.ts";
import { announceDeleted, announceStarsGone, flagHolders, groupedByList, without } from "./message-deletions.ts";
import { announceRead, writeDifferencesOfMany, writeFlags } from "./message-flags.ts";
import { announceUpdate, type UpdateEvent } from "./message-updates.ts";
import { refreshFirstMessage, topicToSendIn } from "./messages.ts";
import { noticesOfMove, plannedMove, type RequestedNotices } from "./move-notices.ts";
import { awaitPictures } from "./pictures.ts";
import { announceMovedReminders } from "./reminders.ts";
import { insertRow } from "./rows.ts";
import { followWhereMentioned, movePolicies } from "./topics.ts";

interface TextEdit {
  /** The message before the edit. */
  row: MessageRow;
  /** Markdown, normalized by `messageText`. */
  content: string;
  rendered: Rendered;
}

const seconds = (ms: number) => Math.floor(ms / 1000);

/** The history and the event contain the old HTML, which may be three times too large for one change. */
const withBoundedHtml = (row: MessageRow): MessageRow => ({
  ...row,
  rendered_content: boundedHtml(row.content, row.rendered_content),
});

/** Edits the text of a message, moves messages, or both. `notices`: topics that get a message about the move. */
export function editMessage(
  tx: Transaction,
  actor: User,
  { text: given, move, notices }: { text: TextEdit | undefined; move: Move | undefined; notices: RequestedNotices },
): void {
  const text = given && { ...given, row: withBoundedHtml(given.row) };
  if (move) {
    const planned = plannedMove(tx, move);
    moveMessages(tx, actor, { ...move, text });
    noticesOfMove(tx, actor, planned, notices);
  } else if (text) editText(tx, actor, text);
}

function editText(tx: Transaction, actor: User, text: TextEdit): void {
  const { row } = text;
  const channel = row.channel_id === null ? undefined : channelById(tx, row.channel_id);
  const members = conversationMembers(tx, row.recipient_id);
  const to: Destination = channel ? { channel, topic: row.topic } : { userIds: members };
  insertRow(tx, "message_edits", {
    message_id: row.id,
    user_id: actor.id,
    edited_at: tx.now,
    prev_content: row.content,
    prev_rendered_content: row.rendered_content,
  });
  const fields = writeText(tx, text, to);
  const takesPart = channel ? subscribersOf(tx, channel.id).has : new Set(members);
  announceUpdate(
    tx,
    {
      type: "update_message",
      user_id: actor.id,
      rendering_only: false,
      message_id: row.id,
      message_ids: [row.id],
      flags: [],
      edit_timestamp: seconds(tx.now),
      ...(channel ? { stream_name: channel.name, stream_id: channel.id } : {}),
      ...fields,
    },
    usersWhoCanRead(tx, row),
    (userId) => takesPart.has(userId),
  );
}

/** `to`: the destination after the edit. Returns the event's fields about the text. */
function writeText(tx: Transaction, { row, content, rendered }: TextEdit, to: Destination): Partial<UpdateEvent> {
  tx.run(
    `UPDATE messages SET content = ?, rendered_content = ?, renderer_version = ?, last_edited_at = ?, holds = ?
     WHERE id = ?`,
    content,
    storedHtml(content, rendered.html),
    RENDERER_VERSION,
    tx.now,
    holdsOf(rendered),
    row.id,
  );
  awaitPictures(tx, row.id, rendered.awaitsPictures);
  const index = messageIndex(tx);
  tx.afterCommit(() => index.rows.delete(row.id));
  const before = attachmentsHeldBy(tx, [row.id]);
  if (rendered.hasAttachment || before.length > 0) {
    const sender = userById(tx, row.sender_id) as User;
    updateAttachments(tx, sender, { messageId: row.id, links: rendered.links, before });
  }
  const mentioned = writeMentions(tx, row, rendered, to);
  if ("channel" in to) followWhereMentioned(tx, userById(tx, row.sender_id) as User, to, mentioned);
  return {
    orig_content: row.content,
    orig_rendered_content: row.rendered_content,
    content,
    rendered_content: rendered.html,
    is_me_message: isMeMessage(content),
  };
}

/** Updates the flags of mentions and alert words only. Returns users who are newly mentioned by name or group. */
function writeMentions(tx: Transaction, row: MessageRow, rendered: Rendered, to: Destination): number[] {
  const mentioned = mentionFlags(tx, { senderId: row.sender_id, to, rendered, now: tx.now });
  const before = new Map(
    tx
      .all<{ user: number; flags: number }>(
        "SELECT user_id AS user, flags FROM message_flags WHERE message_id = ? ORDER BY user_id",
        row.id,
      )
      .map(({ user, flags }) => [user, flags]),
  );
  const newlyMentioned: number[] = [];
  for (const user of union(before.keys(), mentioned.keys())) {
    const old = before.get(user) ?? 0;
    const flags = (old & ~(MENTIONS | FLAG.has_alert_word)) | (mentioned.get(user) ?? 0);
    if (flags !== old) writeFlags(tx, user, row.id, flags);
    if (flags & ~old & FLAG.mentioned) newlyMentioned.push(user);
  }
  return newlyMentioned;
}

/** Includes deactivated users. Ascending. */
const allSubscribers = (tx: Transaction, channelId: number): number[] =>
  tx
    .all<{ id: number }>(
      "SELECT user_id AS id FROM subscriptions WHERE channel_id = ? AND subscribed = 1 ORDER BY user_id",
      channelId,
    )
    .map(({ id }) => id);

const union = (...lists: Iterable<number>[]): number[] =>
  [...new Set(lists.flatMap((list) => [...list]))].sort((a, b) => a - b);

export interface Move {
  ids: readonly number[];
  /** Undefined values do not change. */
  channel?: Channel | undefined;
  topic?: string | undefined;
  propagateMode: PropagateMode;
  /** The message that the client named. Defaults to the first. */
  messageId?: number;
  /** The new text of that message. */
  text?: TextEdit | undefined;
}

/**
 * Moved messages are read for users who are not subscribed to the new channel. Users who cannot read the new channel
 * lose their flags and get a deletion event.
 */
export function moveMessages(tx: Transaction, actor: User, move: Move): void {
  for (const batch of byTopic(tx, move.ids)) moveBatch(tx, actor, batch, move);
}

function moveBatch(tx: Transaction, actor: User, { ids, location, topic: spelled }: Batch, move: Move): void {
  const source = channelById(tx, location);
  if (!source) throw new Error("Only channel messages can be moved.");
  const named = move.messageId !== undefined && ids.includes(move.messageId) ? move.messageId : undefined;
  const from =
    named === undefined ? spelled : (tx.value<string>("SELECT topic FROM messages WHERE id = ?", named) as string);
  const target = move.channel ?? source;
  const topic = move.topic ?? from;
  const changesChannel = target.id !== source.id;
  if (!changesChannel && topic === from && !move.text) return;
  const notified = hideFromFormerReaders(tx, { ids, source, target, from });
  const topicNumber = topicToSendIn(tx, target.id, topic);
  const text = move.text && ids.includes(move.text.row.id) ? move.text : undefined;
  writeMove(tx, actor, { ids, source, target, from, topic, topicNumber, text });
  const fields = text ? writeText(tx, text, { channel: target, topic }) : {};

  const event: UpdateEvent = {
    type: "update_message",
    user_id: actor.id,
    rendering_only: false,
    message_id: named ?? (ids[0] as number),
    message_ids: ids,
    flags: [],
    edit_timestamp: seconds(tx.now),
    stream_name: source.name,
    stream_id: source.id,
    ...(changesChannel ? { new_stream_id: target.id } : {}),
    propagate_mode: move.propagateMode,
    orig_subject: from,
    ...(topic === from ? {} : { subject: topic, topic_links: topicLinks(tx, topic) }),
    ...fields,
  };
  announceMove(tx, event, { source, target, topic, notified });
  if (changesChannel) {
    refreshFirstMessage(tx, source.id);
    refreshFirstMessage(tx, target.id);
  }
  const all = move.propagateMode === "change_all";
  movePolicies(tx, { from: { channel: source, topic: from }, to: { channel: target, topic }, moved: ids.length, all });
}

/**
 * Marks messages as read for users whose subscriptions they leave. For users who can no longer read them, removes flags
 * and announces a deletion. Returns the readable messages of each active user after the move.
 */
function hideFromFormerReaders(
  tx: Transaction,
  { ids, source, target, from }: { ids: readonly number[]; source: Channel; target: Channel; from: string },
): Map<number, readonly number[]> {
  const first = ids[0] as number;
  const notified = new Map<number, readonly number[]>();
  if (target.id === source.id) {
    for (const userId of readersOf(tx, source, first)) {
      const list = readableAmong(tx, userById(tx, userId) as User, ids, source);
      if (list.length > 0) notified.set(userId, list);
    }
    return notified;
  }
  const left = allSubscribers(tx, source.id);
  const read = new Map<number, readonly number[]>();
  for (const userId of left) {
    const user = userById(tx, userId) as User;
    const remaining = isSubscribed(tx, userId, target.id) ? readableAmong(tx, user, ids, target) : [];
    if (remaining.length === ids.length) continue;
    const state = new ReadState(tx, userId);
    const unread = without(ids, remaining).filter((id) => state.isUnread(id));
    if (unread.length > 0) read.set(userId, unread);
  }
  writeDifferencesOfMany(tx, read);
  for (const [list, users] of groupedByList(read)) announceRead(tx, users, list);
  const holders = flagHolders(tx, ids);
  const losing = new Map<number, readonly number[]>();
  for (const userId of union(left, readersOf(tx, source, first), readersOf(tx, target, first), holders.keys())) {
    const user = userById(tx, userId) as User;
    const readable = readableAmong(tx, user, ids, target);
    if (user.is_active && readable.length > 0) notified.set(userId, readable);
    if (readable.length === ids.length) continue;
    const lost = without(readableAmong(tx, user, ids, source), readable);
    if (user.is_active && lost.length > 0) losing.set(userId, lost);
    const held = without(holders.get(userId) ?? [], readable);
    announceStarsGone(tx, userId, without(held, lost));
    for (const id of held) writeFlags(tx, userId, id, 0);
  }
  for (const [list, users] of groupedByList(losing)) announceDeleted(tx, list, source.id, from, users);
  announceMovedReminders(tx, { ids, source, target });
  return notified;
}

interface Announced {
  source: Channel;
  target: Channel;
  topic: string;
  notified: ReadonlyMap<number, readonly number[]>;
}

/**
 * Each user's event contains only messages that they can read. Users who could not read the source do not learn where
 * the messages were. Their event has no `propagate_mode`, because the mobile app rejects it in an event whose source
 * equals its target, and then loads everything again.
 */
function announceMove(tx: Transaction, event: UpdateEvent, { source, target, topic, notified }: Announced): void {
  const [inSource, inTarget] = [subscribersOf(tx, source.id).has, subscribersOf(tx, target.id).has];
  const takesPart = (userId: number) => inSource.has(userId) && inTarget.has(userId);
  for (const [ids, users] of groupedByList(notified)) {
    const own = aboutThese(event, ids);
    const readsSource = (userId: number) => readableAmong(tx, userById(tx, userId) as User, ids, source).length > 0;
    const knowing = new Set(target.id === source.id ? users : users.filter(readsSource));
    announceUpdate(tx, own, [...knowing], takesPart);
    const {
      stream_name: _name,
      orig_subject: _from,
      subject: _topic,
      topic_links: _links,
      propagate_mode: _mode,
      ...rest
    } = own;
    const hiding = { ...rest, stream_name: target.name, stream_id: target.id, orig_subject: topic };
    const others = users.filter((userId) => !knowing.has(userId));
    announceUpdate(tx, hiding, others, takesPart);
  }
}

/** The event for users who can read only these messages. The text change applies only to the named message. */
function aboutThese(event: UpdateEvent, ids: readonly number[]): UpdateEvent {
  if (ids.length === event.message_ids.length) return event;
  const message_ids = [...ids];
  if (ids.includes(event.message_id)) return { ...event, message_ids };
  const {
    orig_content: _text,
    orig_rendered_content: _html,
    content: _newText,
    rendered_content: _newHtml,
    is_me_message: _isMe,
    ...rest
  } = event;
  return { ...rest, message_ids, message_id: message_ids[0] as number };
}

interface Written {
  ids: readonly number[];
  source: Channel;
  target: Channel;
  from: string;
  topic: string;
  topicNumber: number;
  text: TextEdit | undefined;
}

/** Also writes the history. */
function writeMove(tx: Transaction, actor: User, move: Written): void {
  const { ids, source, target, from, topic, topicNumber, text } = move;
  const channels = target.id === source.id ? [null, null] : [source.id, target.id];
  const newTopic = topic === from ? null : topic;
  tx.run(
    `INSERT INTO message_edits (message_id, user_id, edited_at, prev_content, prev_rendered_content, prev_topic, topic,
       prev_channel_id, channel_id)
     SELECT id, ?1, ?2, CASE WHEN id = ?3 THEN content END, CASE WHEN id = ?3 THEN ?8 END,
       CASE WHEN ?4 IS NOT NULL THEN topic END, ?4, ?5, ?6
     FROM messages WHERE id IN (SELECT value FROM json_each(?7)) ORDER BY id`,
    actor.id,
    tx.now,
    text?.row.id ?? null,
    newTopic,
    ...(channels as [number | null, number | null]),
    JSON.stringify(ids),
    text?.row.rendered_content ?? null,
  );
  const resolvingOnly = target.id === source.id && withoutResolved(topic) === withoutResolved(from);
  tx.run(
    `UPDATE messages SET recipient_id = ?, channel_id = ?, topic_id = ?, topic = ?,
       last_moved_at = coalesce(?, last_moved_at) WHERE id IN (SELECT value FROM json_each(?))`,
    target.recipient_id,
    target.id,
    topicNumber,
    topic,
    resolvingOnly ? null : tx.now,
    JSON.stringify(ids),
  );
  const index = messageIndex(tx);
  const oldTopic = index.entry(tx, ids[0] as number)?.topic ?? 0;
  tx.afterCommit(() => {
    for (const id of ids) index.move(id, target.id, topicNumber);
    index.topicNames.delete(oldTopic);
    index.topicNames.delete(topicNumber);
  });
}
