import { readableHistory } from "../access/channels.ts";
import type { User } from "../access/users.ts";
import type { Reader } from "../storage/transaction.ts";
import { channelById } from "./channels.ts";
import { htmlDiff, newDiffBudget } from "./html-diff.ts";
import type { MessageRow } from "./messages.ts";
import { organizationSetting } from "./organization.ts";
import { ReadState } from "./read-state.ts";
import { displayedTopic } from "./topics.ts";

/** One edit or move of one message, but for the texts. What did not change is null. */
interface Change {
  user_id: number;
  /** Milliseconds since the epoch. */
  edited_at: number;
  prev_topic: string | null;
  topic: string | null;
  prev_channel_id: number | null;
  channel_id: number | null;
}

interface Texts {
  prev_content: string | null;
  prev_rendered_content: string | null;
}

export interface MessageEdit extends Change, Texts {}

/** Of what a message carries of its history wherever it goes; the whole is in `messageHistory`. */
const MOST_CARRIED = { edits: 100, bytes: 200_000 };

/**
 * What messages carry of their edits, by message, newest first; messages without any are absent. Somebody may edit a
 * long text hundreds of times.
 */
export function newestEditsOf(reader: Reader, messageIds: readonly number[]): Map<number, MessageEdit[]> {
  const found = reader.all<MessageEdit & { message_id: number }>(
    `SELECT message_id, user_id, edited_at, prev_content, prev_rendered_content, prev_topic, topic, prev_channel_id,
       channel_id
     FROM message_edits WHERE id IN (
       SELECT id FROM (
         SELECT id, row_number() OVER newest AS place,
           sum(coalesce(octet_length(prev_content) + octet_length(prev_rendered_content), 0)) OVER newest AS bytes
         FROM message_edits WHERE message_id IN (SELECT value FROM json_each(?))
         WINDOW newest AS (PARTITION BY message_id ORDER BY id DESC ROWS UNBOUNDED PRECEDING))
       WHERE place = 1 OR (place <= ? AND bytes <= ?))
     ORDER BY id DESC`,
    JSON.stringify(messageIds),
    MOST_CARRIED.edits,
    MOST_CARRIED.bytes,
  );
  const edits = new Map<number, MessageEdit[]>();
  for (const { message_id, ...edit } of found) {
    const known = edits.get(message_id);
    if (known) known.push(edit);
    else edits.set(message_id, [edit]);
  }
  return edits;
}

/** What changed and where from, in the names of spec/interface.md. */
interface WireChange {
  prev_content?: string;
  prev_rendered_content?: string;
  prev_topic?: string;
  prev_stream?: number;
  stream?: number;
}

/** An item of a message's `edit_history`: Edit snapshot of spec/interface.md. */
export interface WireEdit extends WireChange {
  user_id: number | null;
  /** UNIX seconds. */
  timestamp: number;
  topic?: string;
}

/** An item of `message_history`: the message as it was after an edit. */
export interface WireSnapshot extends WireChange {
  topic: string;
  content: string;
  rendered_content: string;
  content_html_diff?: string;
  /** UNIX seconds. */
  timestamp: number;
  user_id: number | null;
}

const seconds = (ms: number) => Math.floor(ms / 1000);

const policyOf = (reader: Reader) => organizationSetting(reader, "message_edit_history_visibility_policy");

/** Whether people of this organization may see how messages were before. */
export const isHistoryShown = (reader: Reader): boolean => policyOf(reader) !== "none";

/**
 * What the viewer may see of these edits. The organization's policy hides all, or what they did to the text; and what
 * happened before a message came out of a channel that the viewer may not read stays there.
 */
function shown<Edit extends Change>(
  reader: Reader,
  viewer: User,
  id: number,
  edits: readonly Edit[],
): { edits: readonly Edit[]; withTexts: boolean } {
  const policy = policyOf(reader);
  const withTexts = policy === "all";
  if (edits.length === 0 || policy === "none") return { edits: [], withTexts };
  const hidden = edits.findIndex(({ prev_channel_id: from }) => from !== null && !mayReadIn(reader, viewer, id, from));
  const known = hidden < 0 ? edits : edits.slice(0, hidden);
  if (withTexts) return { edits: known, withTexts };
  const moves = known.filter(({ prev_topic, prev_channel_id }) => prev_topic !== null || prev_channel_id !== null);
  return { edits: moves, withTexts };
}

const NO_TEXTS: Texts = { prev_content: null, prev_rendered_content: null };

/** Whether the viewer could read the message in that channel, were it there. */
function mayReadIn(reader: Reader, viewer: User, id: number, channelId: number): boolean {
  const channel = channelById(reader, channelId);
  const history = channel ? readableHistory(reader, viewer, channel) : "none";
  return history === "all" || (history === "received" && new ReadState(reader, viewer.id).receivedAt(id, channelId));
}

/** How much of a history is told, about, and what an edit adds to it beside texts. */
const MOST_TOLD_BYTES = 10_000_000;
const EDIT_BYTES = 300;

interface KnownEdit extends Change {
  id: number;
  /** Of the text before it, both ways; null where it did not change. */
  bytes: number | null;
}

/** All edits of a message, newest first. */
const editsOf = (reader: Reader, messageId: number): KnownEdit[] =>
  reader.all(
    `SELECT id, user_id, edited_at, octet_length(prev_content) + octet_length(prev_rendered_content) AS bytes,
       prev_topic, topic, prev_channel_id, channel_id
     FROM message_edits WHERE message_id = ? ORDER BY id DESC`,
    messageId,
  );

/** How many of the newest edits are told: each with the text after it, the one before it and what differs. */
function toldOf(edits: readonly KnownEdit[], row: MessageRow, withTexts: boolean): number {
  let now = Buffer.byteLength(row.content) + Buffer.byteLength(row.rendered_content);
  let told = 0;
  for (const [at, { bytes: before }] of edits.entries()) {
    told += EDIT_BYTES + now;
    if (withTexts && before !== null) {
      told += now + 2 * before;
      now = before;
    }
    if (told > MOST_TOLD_BYTES) return Math.max(at, 1);
  }
  return edits.length;
}

/** The texts before these edits, by edit. */
function textsOf(reader: Reader, edits: readonly KnownEdit[]): Map<number, Texts> {
  const found = reader.all<Texts & { id: number }>(
    `SELECT id, prev_content, prev_rendered_content FROM message_edits
     WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    JSON.stringify(edits.map(({ id }) => id)),
  );
  return new Map(found.map((one) => [one.id, one]));
}

function changeOf(edit: MessageEdit, allowEmptyTopic: boolean): WireChange {
  const change: WireChange = {};
  if (edit.prev_content !== null) change.prev_content = edit.prev_content;
  if (edit.prev_rendered_content !== null) change.prev_rendered_content = edit.prev_rendered_content;
  if (edit.prev_topic !== null) change.prev_topic = displayedTopic(edit.prev_topic, allowEmptyTopic);
  if (edit.prev_channel_id !== null && edit.channel_id !== null) {
    change.prev_stream = edit.prev_channel_id;
    change.stream = edit.channel_id;
  }
  return change;
}

/** A message's `edit_history`, newest first, as much of it as messages carry; undefined where there is none to be shown. */
export function editHistory(
  reader: Reader,
  viewer: User,
  { id, edits }: Pick<MessageRow, "id" | "edits">,
  allowEmptyTopic: boolean,
): WireEdit[] | undefined {
  const { edits: visible, withTexts } = shown(reader, viewer, id, edits);
  if (visible.length === 0) return undefined;
  return visible.map((edit) => ({
    user_id: edit.user_id,
    timestamp: seconds(edit.edited_at),
    ...changeOf(withTexts ? edit : { ...edit, ...NO_TEXTS }, allowEmptyTopic),
    ...(edit.topic === null ? {} : { topic: displayedTopic(edit.topic, allowEmptyTopic) }),
  }));
}

/**
 * The message as it was sent, and after each of its edits, oldest first; may be interrupted after each. Of a history of
 * more than `MOST_TOLD_BYTES` the middle is left out: the message as it was sent is followed by the newest edits.
 */
export function* messageHistory(
  reader: Reader,
  viewer: User,
  row: MessageRow,
  allowEmptyTopic: boolean,
): Generator<undefined, WireSnapshot[]> {
  const budget = newDiffBudget();
  const snapshots: WireSnapshot[] = [];
  let { topic, content, rendered_content } = row;
  const { edits, withTexts } = shown(reader, viewer, row.id, editsOf(reader, row.id));
  const told = edits.slice(0, toldOf(edits, row, withTexts));
  const oldestText = edits.findLast(({ bytes }) => bytes !== null);
  const texts = withTexts ? textsOf(reader, oldestText ? [...told, oldestText] : told) : new Map<number, Texts>();
  for (const known of told) {
    const edit = { ...known, ...(texts.get(known.id) ?? NO_TEXTS) };
    const snapshot: WireSnapshot = {
      topic: displayedTopic(topic, allowEmptyTopic),
      content,
      rendered_content,
      timestamp: seconds(edit.edited_at),
      user_id: edit.user_id,
      ...changeOf(edit, allowEmptyTopic),
    };
    if (edit.prev_rendered_content !== null) {
      snapshot.content_html_diff = htmlDiff(edit.prev_rendered_content, rendered_content, budget);
    }
    snapshots.push(snapshot);
    topic = edit.prev_topic ?? topic;
    content = edit.prev_content ?? content;
    rendered_content = edit.prev_rendered_content ?? rendered_content;
    yield;
  }
  // As it was sent: what the oldest changes say of it, told or not.
  topic = edits.findLast(({ prev_topic }) => prev_topic !== null)?.prev_topic ?? topic;
  const sent = oldestText && texts.get(oldestText.id);
  content = sent?.prev_content ?? content;
  rendered_content = sent?.prev_rendered_content ?? rendered_content;
  snapshots.push({
    topic: displayedTopic(topic, allowEmptyTopic),
    content,
    rendered_content,
    timestamp: seconds(row.sent_at),
    user_id: row.sender_id,
  });
  return snapshots.reverse();
}
