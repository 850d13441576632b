import { escapeHtml } from "../../markdown/plain.ts";
import type { Rendered } from "../../markdown/render.ts";
import type { Reader } from "../../storage/transaction.ts";
import type { ReactionType } from "./emoji.ts";
import { importWriting, type TimeSpan } from "./import-ranges.ts";
import { type MessageEdit, newestEditsOf } from "./message-edits.ts";
import { messageIndex } from "./message-index.ts";

/** Unicode code points. */
export const MAX_MESSAGE_LENGTH = 10_000;

export interface Reaction {
  emoji_name: string;
  emoji_code: string;
  reaction_type: ReactionType;
  user_id: number;
}

/** Widget data of a message: first the widget itself, then the users' actions in it. */
export interface Submessage {
  msg_type: string;
  /** JSON. */
  content: string;
  message_id: number;
  sender_id: number;
  id: number;
}

export interface MessageRow {
  id: number;
  sender_id: number;
  recipient_id: number;
  /** Null: direct. */
  channel_id: number | null;
  topic: string;
  content: string;
  rendered_content: string;
  /** Milliseconds since the epoch. */
  sent_at: number;
  client: string;
  last_edited_at: number | null;
  last_moved_at: number | null;
  /** The participants of a direct conversation; null in a channel. */
  conversation_key: string | null;
  reactions: readonly Reaction[];
  submessages: readonly Submessage[];
  /** The newest edits, newest first, limited to those that a message carries. */
  edits: readonly MessageEdit[];
}

/** The current state of the message, inside a transaction too. */
export const messageRow = (reader: Reader, id: number): MessageRow | undefined => messageRows(reader, [id])[0];

/** The existing messages with these ids, in a fixed number of queries. */
export function messageRows(reader: Reader, ids: readonly number[]): MessageRow[] {
  const rows = reader.all<MessageRow>(
    `SELECT messages.id, sender_id, recipient_id, channel_id, topic, content, rendered_content, sent_at, client,
       last_edited_at, last_moved_at, conversation_key
     FROM messages JOIN recipients ON recipients.id = recipient_id
     WHERE messages.id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
  const reactions = reactionsTo(reader, ids);
  const submessages = submessagesOf(reader, ids);
  const edits = newestEditsOf(reader, ids);
  for (const row of rows) {
    row.rendered_content = htmlOf(row.content, row.rendered_content);
    row.reactions = reactions.get(row.id) ?? [];
    row.submessages = submessages.get(row.id) ?? [];
    row.edits = edits.get(row.id) ?? [];
  }
  return rows;
}

/** The newest messages of a topic, newest first; all of them without a limit. */
export const newestInTopic = (reader: Reader, topicId: number, limit = -1): number[] =>
  reader.values<number>("SELECT id FROM messages WHERE topic_id = ? ORDER BY id DESC LIMIT ?", topicId, limit);

/** The messages of a topic from this id on, ascending. */
export const messagesInTopicFrom = (reader: Reader, topicId: number, firstId: number): number[] =>
  reader.values<number>("SELECT id FROM messages WHERE topic_id = ? AND id >= ? ORDER BY id", topicId, firstId);

/** The oldest message in a topic that was sent at or after that time. `sentAt`: milliseconds since the epoch. */
export const firstInTopicSince = (reader: Reader, topicId: number, sentAt: number): number | undefined =>
  reader.value<number>(
    "SELECT id FROM messages WHERE topic_id = ? AND sent_at >= ? ORDER BY id LIMIT 1",
    topicId,
    sentAt,
  );

/** A status message: one line that begins with `/me`. */
export const isMeMessage = (content: string): boolean => content.startsWith("/me ") && !content.includes("\n");

/** Messages in one location and topic, ascending. */
export interface Batch {
  readonly ids: number[];
  readonly location: number;
  /** Spelled as in the first message. */
  readonly topic: string;
}

export function byTopic(reader: Reader, ids: readonly number[]): Batch[] {
  const batches = new Map<string, Batch>();
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
    const entry = messageIndex(reader).entry(reader, id);
    if (!entry) throw new Error(`There is no message ${id}.`);
    const batch = batches.get(`${entry.location} ${entry.topic}`);
    if (batch) batch.ids.push(id);
    else {
      const topic = reader.value<string>("SELECT topic FROM messages WHERE id = ?", id) ?? "";
      batches.set(`${entry.location} ${entry.topic}`, { ids: [id], location: entry.location, topic });
    }
  }
  return [...batches.values()];
}

/** The topic of a message as spelled there; "" for a direct message. */
export const topicOf = (reader: Reader, id: number): string =>
  reader.value<string>("SELECT topic FROM messages WHERE id = ?", id) ?? "";

/** The HTML of a message; undefined if the message does not exist. */
export function renderedContentOf(reader: Reader, id: number): string | undefined {
  const row = reader.get<{ text: string; stored: string }>(
    "SELECT content AS text, rendered_content AS stored FROM messages WHERE id = ?",
    id,
  );
  return row && htmlOf(row.text, row.stored);
}

/** The names of these messages' topics as spelled there, by topic id. */
export const topicNamesOf = (reader: Reader, ids: readonly number[]): Map<number, string> =>
  new Map(
    reader
      .all<{ topic_id: number; topic: string }>(
        "SELECT topic_id, topic FROM messages WHERE id IN (SELECT value FROM json_each(?))",
        JSON.stringify(ids),
      )
      .map(({ topic_id, topic }) => [topic_id, topic]),
  );

/** The smallest id of a span's messages that were sent at or after `time`; the id after the span if there is none. */
export const firstIdSince = (reader: Reader, time: number, { first, last }: TimeSpan): number =>
  firstIdWhere(reader, { low: first, high: last + 1 }, ({ sent_at }) => sent_at >= time);

/**
 * The smallest id of the messages that were written at or after `time`; `end` if there is none below it. An import
 * writes messages that were sent long before.
 */
export const firstIdWrittenSince = (reader: Reader, time: number, end: number): number =>
  firstIdWhere(reader, { low: 1, high: end }, (message) => writtenAt(reader, message) >= time);

const writtenAt = (reader: Reader, { id, sent_at }: { id: number; sent_at: number }): number =>
  importWriting(reader, id)?.written_at ?? sent_at;

/** When the newest message was written; undefined if there are no messages. */
export function newestWrittenAt(reader: Reader): number | undefined {
  const newest = reader.get<{ id: number; sent_at: number }>(
    "SELECT id, sent_at FROM messages ORDER BY id DESC LIMIT 1",
  );
  return newest && writtenAt(reader, newest);
}

/** By binary search: if a message passes, later ones pass too. */
function firstIdWhere(
  reader: Reader,
  { low, high }: { low: number; high: number },
  passes: (message: { id: number; sent_at: number }) => boolean,
): number {
  const sql = "SELECT id, sent_at FROM messages WHERE id >= ? ORDER BY id LIMIT 1";
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = reader.get<{ id: number; sent_at: number }>(sql, middle);
    if (!found || found.id >= high || passes(found)) high = middle;
    else low = found.id + 1;
  }
  return low;
}

/** The message that was sent first. */
export const earliestOf = (reader: Reader, ids: readonly number[]): number | undefined =>
  ids.length < 2
    ? ids[0]
    : reader.value<number>(
        "SELECT id FROM messages WHERE id IN (SELECT value FROM json_each(?)) ORDER BY sent_at, id LIMIT 1",
        JSON.stringify(ids),
      );

/** Bits of `messages.holds` (storage/migrations/0001/messages.ts). */
export const HOLDS = { link: 1, image: 2, attachment: 4, mention: 8 } as const;

export const holdsOf = ({ hasLink, hasImage, hasAttachment, mentions }: Rendered): number =>
  (hasLink ? HOLDS.link : 0) |
  (hasImage ? HOLDS.image : 0) |
  (hasAttachment ? HOLDS.attachment : 0) |
  (mentions.userIds.length > 0 ? HOLDS.mention : 0);

/** The content of a message as bits of HOLDS. */
export const storedHolds = (reader: Reader, messageId: number): number =>
  reader.value<number>("SELECT holds FROM messages WHERE id = ?", messageId) ?? 0;

/**
 * In messages.rendered_content: the HTML is the text as one paragraph without markup. No HTML begins with this
 * character.
 */
const UNFORMATTED = "=";
const unformattedHtml = (text: string): string => `<p>${escapeHtml(text).replaceAll("\n", "<br>\n")}</p>`;

/** The stored form of a message's HTML. Most messages are plain text, which would otherwise be stored twice. */
export const storedHtml = (text: string, html: string): string => (html === unformattedHtml(text) ? UNFORMATTED : html);

/** The HTML of a message with this text, from its stored form in messages.rendered_content. */
export const htmlOf = (text: string, stored: string): string =>
  stored === UNFORMATTED ? unformattedHtml(text) : stored;

/** Submessages by message, oldest first; messages without any are absent. */
export function submessagesOf(reader: Reader, messageIds: readonly number[]): Map<number, Submessage[]> {
  const found = reader.all<Submessage>(
    `SELECT msg_type, content, message_id, sender_id, id FROM submessages
     WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    JSON.stringify(messageIds),
  );
  const submessages = new Map<number, Submessage[]>();
  for (const submessage of found) {
    const list = submessages.get(submessage.message_id);
    if (list) list.push(submessage);
    else submessages.set(submessage.message_id, [submessage]);
  }
  return submessages;
}

/** The type of a message's widget, `poll` or `todo`; undefined if the message has none. */
export function widgetOf({ submessages }: { submessages: readonly Submessage[] }): string | undefined {
  const first = submessages[0];
  return first && (JSON.parse(first.content) as { widget_type: string }).widget_type;
}

/** Reactions by message, oldest first; messages without any are absent. */
export function reactionsTo(reader: Reader, messageIds: readonly number[]): Map<number, Reaction[]> {
  const found = reader.all<Reaction & { message_id: number }>(
    `SELECT message_id, emoji_name, emoji_code, reaction_type, user_id FROM reactions
     WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    JSON.stringify(messageIds),
  );
  const reactions = new Map<number, Reaction[]>();
  for (const { message_id, ...reaction } of found) {
    const list = reactions.get(message_id);
    if (list) list.push(reaction);
    else reactions.set(message_id, [reaction]);
  }
  return reactions;
}

export const hasReactions = (reader: Reader, messageId: number): boolean =>
  reader.value("SELECT 1 FROM reactions WHERE message_id = ? LIMIT 1", messageId) !== undefined;
