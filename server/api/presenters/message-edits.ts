import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { readableHistory } from "../access/channels.ts";
import { channelById } from "../queries/channels.ts";
import {
  type Change,
  editsOf,
  type MessageEdit,
  NO_TEXTS,
  type StoredEdit,
  type Texts,
  textsOf,
} from "../queries/message-edits.ts";
import type { MessageRow } from "../queries/messages.ts";
import { organizationSetting } from "../queries/organization.ts";
import { ReadState } from "../queries/read-state.ts";
import { displayedTopic } from "../queries/topics.ts";
import type { User } from "../queries/users.ts";
import { htmlDiff, newDiffBudget } from "./html-diff.ts";

/** The change and its origin, with the names of docs/protocol.md#edit-history. */
const wireChange = z.object({
  prev_content: z.string().exactOptional(),
  prev_rendered_content: z.string().exactOptional(),
  prev_topic: z.string().exactOptional(),
  prev_stream: z.int().exactOptional(),
  stream: z.int().exactOptional(),
});
type WireChange = z.output<typeof wireChange>;

/** An item of a message's `edit_history`: docs/protocol.md#edit-history. */
export const wireEdit = wireChange.extend({
  user_id: z.int().nullable(),
  timestamp: z.int().describe("UNIX seconds."),
  topic: z.string().exactOptional(),
});
export type WireEdit = z.output<typeof wireEdit>;

/** An item of `message_history`: the message after an edit. */
export const wireSnapshot = wireChange.extend({
  topic: z.string(),
  content: z.string(),
  rendered_content: z.string(),
  content_html_diff: z.string().exactOptional(),
  timestamp: z.int().describe("UNIX seconds."),
  user_id: z.int().nullable(),
});
export type WireSnapshot = z.output<typeof wireSnapshot>;

const seconds = (ms: number) => Math.floor(ms / 1000);

/**
 * The edits that the viewer can see. The organization's policy can hide all edits or only text changes. Edits from
 * before the message left a channel that the viewer cannot read are hidden, too.
 */
function shown<Edit extends Change>(
  reader: Reader,
  viewer: User,
  id: number,
  edits: readonly Edit[],
): { edits: readonly Edit[]; withTexts: boolean } {
  const policy = organizationSetting(reader, "message_edit_history_visibility_policy");
  const withTexts = policy === "all";
  if (edits.length === 0 || policy === "none") return { edits: [], withTexts };
  const hidden = edits.findIndex(({ prev_channel_id: from }) => from !== null && !mayReadIn(reader, viewer, id, from));
  const visible = hidden < 0 ? edits : edits.slice(0, hidden);
  if (withTexts) return { edits: visible, withTexts };
  const moves = visible.filter(({ prev_topic, prev_channel_id }) => prev_topic !== null || prev_channel_id !== null);
  return { edits: moves, withTexts };
}

/** Whether the viewer could read the message in that channel. */
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

/**
 * A message's `edit_history`, newest first, limited to the edits that messages carry. Undefined if the viewer sees no
 * edits.
 */
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
 * The message as sent and after each edit, oldest first. Yields after each edit. If the history exceeds
 * `MAX_HISTORY_BYTES`, edits in the middle are omitted: the newest edits follow the original message.
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
  const shownEdits = edits.slice(0, shownCount(edits, row, withTexts));
  const oldestText = edits.findLast(({ bytes }) => bytes !== null);
  const texts = withTexts
    ? textsOf(reader, oldestText ? [...shownEdits, oldestText] : shownEdits)
    : new Map<number, Texts>();
  for (const stored of shownEdits) {
    const edit = { ...stored, ...(texts.get(stored.id) ?? NO_TEXTS) };
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
  // The oldest edits give the original message, even if they are omitted.
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

/** Approximate maximum size of a history, and the size of an edit without its texts. */
const MAX_HISTORY_BYTES = 10_000_000;
const EDIT_BYTES = 300;

/** The number of newest edits that fit. Each counts the text before it, the text after it, and the difference. */
export function shownCount(edits: readonly StoredEdit[], row: MessageRow, withTexts: boolean): number {
  let now = Buffer.byteLength(row.content) + Buffer.byteLength(row.rendered_content);
  let bytes = 0;
  for (const [at, { bytes: before }] of edits.entries()) {
    bytes += EDIT_BYTES + now;
    if (withTexts && before !== null) {
      bytes += now + 2 * before;
      now = before;
    }
    if (bytes > MAX_HISTORY_BYTES) return Math.max(at, 1);
  }
  return edits.length;
}
