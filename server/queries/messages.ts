import { type Sight, sightOf } from "../access/messages.ts";
import { type User, userById } from "../access/users.ts";
import type { Reader } from "../storage/transaction.ts";
import { channelById } from "./channels.ts";
import { membersOf } from "./conversations.ts";
import { editHistory, editsOf, type MessageEdit, type WireEdit } from "./message-edits.ts";
import { messageIndex } from "./message-index.ts";
import { type CompiledNarrow, compileNarrow, type NarrowTerm } from "./narrow.ts";
import { reactionsTo, type WireReaction } from "./reactions.ts";
import { flagsForViewer, ReadState } from "./read-state.ts";
import { submessagesOf, type WireSubmessage } from "./submessages.ts";
import { displayedTopic } from "./topics.ts";
import { apiEmail, avatarUrl } from "./users.ts";

/** Unicode code points. */
export const MAX_MESSAGE_LENGTH = 10_000;

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
  /** Who takes part in a direct conversation. */
  conversation_key: string | null;
  reactions: readonly WireReaction[];
  submessages: readonly WireSubmessage[];
  /** Newest first. */
  edits: readonly MessageEdit[];
}

/** As it is now, inside a transaction too. */
export const messageRow = (reader: Reader, id: number): MessageRow | undefined => messageRows(reader, [id])[0];

/** The messages of these ids that there are: a few queries, however many they are. */
function messageRows(reader: Reader, ids: readonly number[]): MessageRow[] {
  const rows = reader.all<MessageRow>(
    `SELECT messages.id, sender_id, recipient_id, channel_id, topic, content, rendered_content, sent_at, client,
       last_edited_at, last_moved_at, conversation_key
     FROM messages JOIN recipients ON recipients.id = recipient_id
     WHERE messages.id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
  const reactions = reactionsTo(reader, ids);
  const submessages = submessagesOf(reader, ids);
  const edits = editsOf(reader, ids);
  for (const row of rows) {
    row.reactions = reactions.get(row.id) ?? [];
    row.submessages = submessages.get(row.id) ?? [];
    row.edits = edits.get(row.id) ?? [];
  }
  return rows;
}

const KEPT_ROWS = 2000;

/** By id. Outside transactions only: what it reads is kept for others. */
function keptRows(reader: Reader, ids: readonly number[]): Map<number, MessageRow> {
  const kept = messageIndex(reader).rows as Map<number, MessageRow>;
  const rows = new Map<number, MessageRow>();
  const missing: number[] = [];
  for (const id of ids) {
    const row = kept.get(id);
    if (row) rows.set(id, row);
    else missing.push(id);
  }
  if (missing.length === 0) return rows;
  for (const row of messageRows(reader, missing)) {
    rows.set(row.id, row);
    if (kept.size >= KEPT_ROWS) kept.delete(kept.keys().next().value as number);
    kept.set(row.id, row);
  }
  return rows;
}

/** The Message object of spec/interface.md; `flags` where they belong. */
export interface WireMessage {
  id: number;
  type: "stream" | "private";
  sender_id: number;
  sender_email: string;
  sender_full_name: string;
  sender_realm_str: string;
  avatar_url: string;
  client: string;
  content: string;
  content_type: "text/html" | "text/x-markdown";
  display_recipient: string | { id: number; email: string; full_name: string; is_mirror_dummy: boolean }[];
  recipient_id: number;
  stream_id?: number;
  subject: string;
  topic_links: { text: string; url: string }[];
  /** UNIX seconds. */
  timestamp: number;
  is_me_message: boolean;
  last_edit_timestamp?: number;
  last_moved_timestamp?: number;
  edit_history?: WireEdit[];
  reactions: readonly WireReaction[];
  submessages: readonly WireSubmessage[];
}

const seconds = (ms: number) => Math.floor(ms / 1000);

/** A status message: one line that begins with `/me`. */
export const isMeMessage = (content: string): boolean => content.startsWith("/me ") && !content.includes("\n");

export function wireMessage(
  reader: Reader,
  row: MessageRow,
  {
    applyMarkdown = true,
    allowEmptyTopic = true,
    viewer,
  }: { applyMarkdown?: boolean; allowEmptyTopic?: boolean; viewer?: User } = {},
): WireMessage {
  const sender = userById(reader, row.sender_id) as User;
  const direct = row.channel_id === null;
  const message: WireMessage = {
    id: row.id,
    type: direct ? "private" : "stream",
    sender_id: row.sender_id,
    sender_email: apiEmail(reader, sender),
    sender_full_name: sender.full_name,
    sender_realm_str: "",
    avatar_url: avatarUrl(sender),
    client: row.client,
    content: applyMarkdown ? row.rendered_content : row.content,
    content_type: applyMarkdown ? "text/html" : "text/x-markdown",
    display_recipient:
      row.channel_id === null ? participants(reader, row) : (channelById(reader, row.channel_id)?.name ?? ""),
    recipient_id: row.recipient_id,
    subject: direct ? "" : displayedTopic(row.topic, allowEmptyTopic),
    topic_links: [],
    timestamp: seconds(row.sent_at),
    is_me_message: isMeMessage(row.content),
    reactions: row.reactions,
    submessages: row.submessages,
  };
  if (row.channel_id !== null) message.stream_id = row.channel_id;
  if (row.last_edited_at !== null) message.last_edit_timestamp = seconds(row.last_edited_at);
  if (row.last_moved_at !== null) message.last_moved_timestamp = seconds(row.last_moved_at);
  const history = viewer && editHistory(reader, viewer, row, allowEmptyTopic);
  if (history) message.edit_history = history;
  return message;
}

const participants = (reader: Reader, row: MessageRow) =>
  membersOf(row.conversation_key ?? "").map((id) => {
    const user = userById(reader, id) as User;
    return { id, email: apiEmail(reader, user), full_name: user.full_name, is_mirror_dummy: false };
  });

export type FetchedMessage = WireMessage & { flags: string[] };

export interface Shape {
  applyMarkdown: boolean;
  allowEmptyTopic: boolean;
}

/** Messages that the viewer may read, each with the viewer's flags. Outside transactions only. */
export function messagesFor(reader: Reader, sight: Sight, ids: readonly number[], shape: Shape): FetchedMessage[] {
  const flags = flagsForViewer(reader, sight.state, ids);
  const rows = keptRows(reader, ids);
  const messages: FetchedMessage[] = [];
  for (const id of ids) {
    const row = rows.get(id);
    if (row)
      messages.push(
        Object.assign(wireMessage(reader, row, { ...shape, viewer: sight.viewer }), { flags: flags.get(id) ?? [] }),
      );
  }
  return messages;
}

/** The highest id among messages that came to the user; -1 where none did. */
export const maxMessageId = (reader: Reader, viewer: User): number => new ReadState(reader, viewer.id).newestReceived();

export type Anchor = number | "newest" | "oldest" | "first_unread";

export interface Stretch {
  anchor: Anchor;
  includeAnchor: boolean;
  before: number;
  after: number;
  narrow: readonly NarrowTerm[];
}
export type Fetch = Stretch & Shape;

export interface FetchAnswer {
  messages: FetchedMessage[];
  anchor: number;
  found_newest: boolean;
  found_oldest: boolean;
  found_anchor: boolean;
  history_limited: boolean;
}

/** What `anchor` is answered with for the newest end: above every id, and exact in a double. */
const BEYOND_NEWEST = 10_000_000_000_000_000;

/** Messages around the anchor that match the narrow, ascending (contract, GET /messages). */
export function fetchMessages(reader: Reader, viewer: User, fetch: Fetch): FetchAnswer {
  const sight = sightOf(reader, viewer);
  const { ids, ...found } = messagesAround(reader, sight, fetch);
  return { messages: messagesFor(reader, sight, ids, fetch), ...found, history_limited: false };
}

/** Their ids, and which ends were reached. Outside transactions only: where nothing is unread is kept. */
export function messagesAround(
  reader: Reader,
  sight: Sight,
  fetch: Stretch,
): { ids: number[]; anchor: number; found_newest: boolean; found_oldest: boolean; found_anchor: boolean } {
  const narrow = compileNarrow(reader, sight, fetch.narrow);
  const anchor = anchorId(fetch.anchor, sight, narrow);
  const [leftmost, rightmost] = [anchor <= 0, anchor >= BEYOND_NEWEST];
  // One more than asked for tells whether there are more.
  const before = leftmost ? [] : take(narrow.walk("down", anchor - 1), fetch.before + 1);
  const after = rightmost ? [] : take(narrow.walk("up", anchor + 1), fetch.after + 1);
  const foundAnchor = fetch.includeAnchor && !leftmost && !rightmost && narrow.matches(anchor);
  const found_oldest = leftmost || (fetch.before > 0 && before.length <= fetch.before);
  const found_newest = rightmost || (fetch.after > 0 && after.length <= fetch.after);
  const ids = before.slice(0, fetch.before).reverse();
  if (foundAnchor) ids.push(anchor);
  ids.push(...after.slice(0, fetch.after));
  return { ids, anchor, found_newest, found_oldest, found_anchor: foundAnchor };
}

/** Those of the given messages that match the narrow and that the viewer may read, ascending. */
export function fetchMessagesById(
  reader: Reader,
  viewer: User,
  { ids, narrow, ...shape }: Shape & { ids: readonly number[]; narrow: readonly NarrowTerm[] },
): FetchedMessage[] {
  const sight = sightOf(reader, viewer);
  const compiled = narrow.length > 0 ? compileNarrow(reader, sight, narrow) : undefined;
  const readable = [...new Set(ids)].filter((id) => (compiled ? compiled.matches(id) : sight.sees(id)));
  return messagesFor(
    reader,
    sight,
    readable.sort((a, b) => a - b),
    shape,
  );
}

function anchorId(anchor: Anchor, sight: Sight, narrow: CompiledNarrow): number {
  if (anchor === "newest") return BEYOND_NEWEST;
  if (anchor === "oldest") return 0;
  if (anchor !== "first_unread") return Math.max(0, Math.min(anchor, BEYOND_NEWEST));
  const unread = sight.state.unread({ remember: true }).reverse();
  return unread.find((id) => narrow.matches(id)) ?? BEYOND_NEWEST;
}

function take(ids: Iterable<number>, most: number): number[] {
  const taken: number[] = [];
  if (most <= 1) return taken;
  for (const id of ids) {
    taken.push(id);
    if (taken.length >= most) break;
  }
  return taken;
}

/** Messages that are in one place and topic, ascending. */
export interface Batch {
  readonly ids: number[];
  readonly place: number;
  /** As the first of them spells it. */
  readonly topic: string;
}

export function byTopic(reader: Reader, ids: readonly number[]): Batch[] {
  const batches = new Map<string, Batch>();
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
    const entry = messageIndex(reader).entry(reader, id);
    if (!entry) throw new Error(`There is no message ${id}.`);
    const known = batches.get(`${entry.place} ${entry.topic}`);
    if (known) known.ids.push(id);
    else {
      const topic = reader.value<string>("SELECT topic FROM messages WHERE id = ?", id) ?? "";
      batches.set(`${entry.place} ${entry.topic}`, { ids: [id], place: entry.place, topic });
    }
  }
  return [...batches.values()];
}
