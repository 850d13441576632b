import { readableHistory } from "../access/channels.ts";
import type { User } from "../access/users.ts";
import type { Reader } from "../storage/transaction.ts";
import { channelById } from "./channels.ts";
import { htmlDiff, newDiffBudget } from "./html-diff.ts";
import type { MessageRow } from "./messages.ts";
import { organizationSetting } from "./organization.ts";
import { ReadState } from "./read-state.ts";
import { displayedTopic } from "./topics.ts";

/** One edit or move of one message. What did not change is null. */
export interface MessageEdit {
  user_id: number;
  /** Milliseconds since the epoch. */
  edited_at: number;
  prev_content: string | null;
  prev_rendered_content: string | null;
  prev_topic: string | null;
  topic: string | null;
  prev_channel_id: number | null;
  channel_id: number | null;
}

/** Edits by message, newest first; messages without any are absent. */
export function editsOf(reader: Reader, messageIds: readonly number[]): Map<number, MessageEdit[]> {
  const found = reader.all<MessageEdit & { message_id: number }>(
    `SELECT message_id, user_id, edited_at, prev_content, prev_rendered_content, prev_topic, topic, prev_channel_id,
       channel_id
     FROM message_edits WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY id DESC`,
    JSON.stringify(messageIds),
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
function shown(reader: Reader, viewer: User, id: number, edits: readonly MessageEdit[]): readonly MessageEdit[] {
  const policy = policyOf(reader);
  if (edits.length === 0 || policy === "none") return [];
  const hidden = edits.findIndex(({ prev_channel_id: from }) => from !== null && !mayReadIn(reader, viewer, id, from));
  const known = hidden < 0 ? edits : edits.slice(0, hidden);
  if (policy === "all") return known;
  return known
    .filter(({ prev_topic, prev_channel_id }) => prev_topic !== null || prev_channel_id !== null)
    .map((edit) => ({ ...edit, prev_content: null, prev_rendered_content: null }));
}

/** Whether the viewer could read the message in that channel, were it there. */
function mayReadIn(reader: Reader, viewer: User, id: number, channelId: number): boolean {
  const channel = channelById(reader, channelId);
  const history = channel ? readableHistory(reader, viewer, channel) : "none";
  return history === "all" || (history === "received" && new ReadState(reader, viewer.id).receivedAt(id, channelId));
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

/** A message's `edit_history`, newest first; undefined where there is none to be shown. */
export function editHistory(
  reader: Reader,
  viewer: User,
  { id, edits }: Pick<MessageRow, "id" | "edits">,
  allowEmptyTopic: boolean,
): WireEdit[] | undefined {
  const visible = shown(reader, viewer, id, edits);
  if (visible.length === 0) return undefined;
  return visible.map((edit) => ({
    user_id: edit.user_id,
    timestamp: seconds(edit.edited_at),
    ...changeOf(edit, allowEmptyTopic),
    ...(edit.topic === null ? {} : { topic: displayedTopic(edit.topic, allowEmptyTopic) }),
  }));
}

/** The message as it was sent, and after each of its edits, oldest first. */
export function messageHistory(
  reader: Reader,
  viewer: User,
  row: MessageRow,
  allowEmptyTopic: boolean,
): WireSnapshot[] {
  const budget = newDiffBudget();
  const snapshots: WireSnapshot[] = [];
  let { topic, content, rendered_content } = row;
  for (const edit of shown(reader, viewer, row.id, row.edits)) {
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
  }
  snapshots.push({
    topic: displayedTopic(topic, allowEmptyTopic),
    content,
    rendered_content,
    timestamp: seconds(row.sent_at),
    user_id: row.sender_id,
  });
  return snapshots.reverse();
}
