import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { apiEmail, standInEmail } from "../access/email-visibility.ts";
import type { MessageVisibility } from "../access/messages.ts";
import { canSeeUser, everybodySeesEverybody } from "../access/people.ts";
import { isSpectator } from "../access/public-access.ts";
import { channelById } from "../queries/channels.ts";
import { membersOf } from "../queries/conversations.ts";
import { REACTION_TYPES } from "../queries/emoji.ts";
import { messageIndex } from "../queries/message-index.ts";
import { isMeMessage, type MessageRow, messageRows } from "../queries/messages.ts";
import { ReadState } from "../queries/read-state.ts";
import { displayedTopic } from "../queries/topics.ts";
import { type User, userById } from "../queries/users.ts";
import { editHistory, wireEdit } from "./message-edits.ts";
import { flagsForViewer } from "./read-state.ts";
import { topicLinks } from "./topics.ts";
import { avatarUrl, hiddenSender } from "./users.ts";

const MAX_CACHED_ROWS = 2000;

/** Rows by id. Outside transactions only, since it caches what it reads. */
function cachedRows(reader: Reader, ids: readonly number[]): Map<number, MessageRow> {
  const cache = messageIndex(reader).rows as Map<number, MessageRow>;
  const rows = new Map<number, MessageRow>();
  const missing: number[] = [];
  for (const id of ids) {
    const row = cache.get(id);
    if (row) rows.set(id, row);
    else missing.push(id);
  }
  if (missing.length === 0) return rows;
  for (const row of messageRows(reader, missing)) {
    rows.set(row.id, row);
    if (cache.size >= MAX_CACHED_ROWS) cache.delete(cache.keys().next().value as number);
    cache.set(row.id, row);
  }
  return rows;
}

const wireReaction = z.object({
  emoji_name: z.string(),
  emoji_code: z.string(),
  reaction_type: z.enum(REACTION_TYPES),
  user_id: z.int(),
});
export type WireReaction = z.output<typeof wireReaction>;

/** Widget data of a message: first the widget itself, then the users' actions in it. */
const wireSubmessage = z.object({
  msg_type: z.string(),
  content: z.string().describe("JSON."),
  message_id: z.int(),
  sender_id: z.int(),
  id: z.int(),
});
export type WireSubmessage = z.output<typeof wireSubmessage>;

const wireTopicLink = z.object({ text: z.string(), url: z.string() });
const person = z.object({ id: z.int(), email: z.string(), full_name: z.string(), is_mirror_dummy: z.boolean() });

/** The message object (docs/protocol.md#message-object), as `message` events send it. */
export const wireMessage = z.object({
  id: z.int(),
  type: z.enum(["stream", "private"]),
  sender_id: z.int(),
  sender_email: z.string(),
  sender_full_name: z.string(),
  sender_realm_str: z.string(),
  avatar_url: z.string(),
  client: z.string(),
  content: z.string(),
  content_type: z.enum(["text/html", "text/x-markdown"]),
  display_recipient: z.union([z.string(), z.array(person)]),
  recipient_id: z.int(),
  stream_id: z.int().exactOptional(),
  subject: z.string(),
  topic_links: z.array(wireTopicLink).readonly(),
  timestamp: z.int().describe("UNIX seconds."),
  is_me_message: z.boolean(),
  last_edit_timestamp: z.int().exactOptional(),
  last_moved_timestamp: z.int().exactOptional(),
  edit_history: z.array(wireEdit).exactOptional(),
  reactions: z.array(wireReaction).readonly(),
  submessages: z.array(wireSubmessage).readonly(),
});
export type WireMessage = z.output<typeof wireMessage>;

/** A message in GET /messages, with the viewer's flags. */
export const fetchedMessage = wireMessage.extend({
  flags: z.array(z.string()),
  match_content: z.string().exactOptional().describe("HTML with highlighted matches, if the narrow searches."),
  match_subject: z.string().exactOptional(),
});
export type FetchedMessage = z.output<typeof fetchedMessage>;

const seconds = (ms: number) => Math.floor(ms / 1000);

export function messageOnWire(
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
    topic_links: direct ? [] : topicLinks(reader, row.topic),
    timestamp: seconds(row.sent_at),
    is_me_message: isMeMessage(row.content),
    reactions: row.reactions,
    submessages: row.submessages,
  };
  if (row.channel_id !== null) message.stream_id = row.channel_id;
  if (row.last_edited_at !== null) message.last_edit_timestamp = seconds(row.last_edited_at);
  if (row.last_moved_at !== null) message.last_moved_timestamp = seconds(row.last_moved_at);
  if (viewer && isHiddenFrom(reader, viewer, row)) Object.assign(message, hiddenSender(reader, row.sender_id));
  const history = viewer && editHistory(reader, viewer, row, allowEmptyTopic);
  if (history) message.edit_history = history;
  return message;
}

/** Whether the viewer must not see who the sender is. Participants of a direct conversation see each other. */
const isHiddenFrom = (reader: Reader, viewer: User, row: MessageRow): boolean =>
  row.channel_id !== null &&
  !everybodySeesEverybody(reader) &&
  !canSeeUser(reader, viewer, userById(reader, row.sender_id) as User);

const participants = (reader: Reader, row: MessageRow) =>
  membersOf(row.conversation_key ?? "").map((id) => {
    const user = userById(reader, id) as User;
    return { id, email: apiEmail(reader, user), full_name: user.full_name, is_mirror_dummy: false };
  });

export interface Shape {
  applyMarkdown: boolean;
  allowEmptyTopic: boolean;
}

/** Approximate size of a message without its texts. */
export const FRAME_BYTES = 800;
const REACTION_BYTES = 250;

/** The approximate size of each message in a response, in bytes. Outside transactions only. */
export function messageSizes(reader: Reader, ids: readonly number[], { applyMarkdown }: Shape): number[] {
  const rows = cachedRows(reader, ids);
  return ids.map((id) => {
    const row = rows.get(id);
    if (!row) return 0;
    const text = Buffer.byteLength(applyMarkdown ? row.rendered_content : row.content);
    const edits = row.edits.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(row.edits));
    const submessages = row.submessages.reduce((sum, { content }) => sum + content.length + FRAME_BYTES, 0);
    return FRAME_BYTES + text + edits + submessages + row.reactions.length * REACTION_BYTES;
  });
}

/** Messages that the viewer can read, with the viewer's flags. Outside transactions only. */
export function messagesFor(
  reader: Reader,
  visibility: MessageVisibility,
  ids: readonly number[],
  shape: Shape,
): FetchedMessage[] {
  if (isSpectator(visibility.viewer)) return messagesForAll(reader, ids, shape);
  const flags = flagsForViewer(reader, visibility.state, ids);
  const rows = cachedRows(reader, ids);
  const messages: FetchedMessage[] = [];
  for (const id of ids) {
    const row = rows.get(id);
    if (row)
      messages.push(
        Object.assign(messageOnWire(reader, row, { ...shape, viewer: visibility.viewer }), {
          flags: flags.get(id) ?? [],
        }),
      );
  }
  return messages;
}

/** For spectators: without email addresses, edits and unread state. */
function messagesForAll(reader: Reader, ids: readonly number[], shape: Shape): FetchedMessage[] {
  const rows = cachedRows(reader, ids);
  return ids.flatMap((id) => {
    const row = rows.get(id);
    if (!row) return [];
    const sender_email = standInEmail(reader, { id: row.sender_id });
    return [{ ...messageOnWire(reader, row, shape), sender_email, flags: ["read"] }];
  });
}

/** The highest id of the messages that the user received; -1 if there are none. */
export const maxMessageId = (reader: Reader, viewer: User): number => new ReadState(reader, viewer.id).newestReceived();
