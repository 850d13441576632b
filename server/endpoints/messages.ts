import { z } from "zod";
import { allowedTopic, channelToPostIn } from "../access/channels.ts";
import { participantsToWriteTo } from "../access/direct-messages.ts";
import { messageToRead } from "../access/messages.ts";
import type { User } from "../access/users.ts";
import { type Destination, sendMessage } from "../actions/messages.ts";
import { badRequest, missingParameter } from "../errors.ts";
import { boolean, integer, isLonger, json, listOf, oneOf, rawOrJson, text } from "../http/params.ts";
import { messageText, renderMarkdown } from "../markdown/render.ts";
import {
  type Anchor,
  type FetchedMessage,
  fetchMessages,
  fetchMessagesById,
  MAX_MESSAGE_LENGTH,
  messagesFor,
} from "../queries/messages.ts";
import { MOST_NARROW_TERMS, narrowTerms } from "../queries/narrow.ts";
import { MAX_TOPIC_LENGTH, topicFromInput } from "../queries/topics.ts";
import type { Reader } from "../storage/transaction.ts";
import { endpoint } from "./endpoint.ts";

/** Kept with each send for a while, and sent back in its event. */
const MAX_LOCAL_ID = 1000;

const oneOrMore = z.union([z.int(), z.string(), z.array(z.union([z.int(), z.string()]))]);
type To = z.output<typeof oneOrMore>;

/** Programs that send in somebody's name; what they send is news to that person too. */
const AUTOMATON = /^(?:zulippython|python|curl|wget|httpie|libcurl)/i;
const isReadBySender = (sender: User, client: string): boolean => sender.is_bot || !AUTOMATON.test(client);

function destinationOf(
  reader: Reader,
  sender: User,
  params: { type: string; to?: To | undefined; topic?: string | undefined },
): Destination {
  const to = params.to ?? [];
  if (params.type === "direct" || params.type === "private") {
    const names = Array.isArray(to) ? to : typeof to === "string" ? to.split(",").map((name) => name.trim()) : [to];
    const participants = participantsToWriteTo(
      reader,
      sender,
      names.filter((name) => name !== ""),
    );
    return { userIds: participants.map(({ id }) => id) };
  }
  const [name, ...more] = Array.isArray(to) ? to : [to];
  if (name === undefined) throw missingParameter("to");
  if (more.length > 0) throw badRequest("A channel message goes to one channel.");
  if (params.topic === undefined) throw missingParameter("topic");
  const channel = channelToPostIn(reader, sender, name);
  return { channel, topic: allowedTopic(reader, channel, topicIn(params.topic)) };
}

const CONTROL_CHARACTERS = /\p{Cc}/u;

function topicIn(given: string): string {
  const topic = topicFromInput(given);
  if (isLonger(topic, MAX_TOPIC_LENGTH)) throw badRequest(`topic is too long: at most ${MAX_TOPIC_LENGTH} characters.`);
  if (CONTROL_CHARACTERS.test(topic)) throw badRequest("topic must be one line without control characters.");
  return topic;
}

export const send = endpoint({
  route: "POST /messages",
  summary: "Send a message to a channel or to people.",
  who: "member",
  guests: true,
  incomingWebhooks: true,
  params: {
    type: oneOf("direct", "channel", "stream", "private"),
    to: rawOrJson(oneOrMore).optional().describe("A channel's name or ID; or a list of user IDs or of addresses."),
    content: text().maxLength(MAX_MESSAGE_LENGTH),
    topic: text()
      .alias("subject")
      .optional()
      .describe(`At most ${MAX_TOPIC_LENGTH} characters; direct messages ignore it.`),
    queue_id: text().maxLength(MAX_LOCAL_ID).optional(),
    local_id: text().maxLength(MAX_LOCAL_ID).optional(),
    read_by_sender: boolean().optional(),
  },
  response: z.object({ id: z.int() }),
  handle: ({ viewer, params, reader, transact, client }) => {
    const { queue_id: queueId, local_id: localId } = params;
    if (queueId !== undefined && localId === undefined) throw badRequest("queue_id needs local_id beside it.");
    const content = messageText(params.content);
    if (content === "") throw badRequest("A message must not be empty.");
    const to = destinationOf(reader, viewer, params);
    const rendered = renderMarkdown(content);
    const readBySender = params.read_by_sender ?? isReadBySender(viewer, client);
    const origin = queueId !== undefined && localId !== undefined ? { queueId, localId } : undefined;
    return { id: transact((tx) => sendMessage(tx, viewer, { to, content, rendered, client, readBySender, origin })) };
  },
});

const person = z.object({ id: z.int(), email: z.string(), full_name: z.string(), is_mirror_dummy: z.boolean() });

/** The Message object (spec/interface.md). */
const wireMessage = z.object({
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
  stream_id: z.int().optional(),
  subject: z.string(),
  topic_links: z.array(z.object({ text: z.string(), url: z.string() })),
  timestamp: z.int(),
  is_me_message: z.boolean(),
  last_edit_timestamp: z.int().optional(),
  last_moved_timestamp: z.int().optional(),
  reactions: z.array(z.looseObject({})),
  submessages: z.array(z.looseObject({})),
  flags: z.array(z.string()),
}) as unknown as z.ZodType<FetchedMessage>;

const narrowParam = json(
  z
    .array(
      z.union([
        z.object({ operator: z.string(), operand: z.unknown(), negated: z.boolean().optional() }),
        z.tuple([z.string(), z.unknown()]),
      ]),
    )
    .max(MOST_NARROW_TERMS),
);

const MOST_MESSAGES = 5000;
const END_ANCHORS = ["newest", "oldest", "first_unread"] as const;

/** Numbers beyond any id mean the nearest end, as clients write them. */
function anchorIn(anchor: string | undefined, useFirstUnread: boolean): Anchor {
  if (useFirstUnread) return "first_unread";
  if (anchor === undefined) throw missingParameter("anchor");
  const end = END_ANCHORS.find((name) => name === anchor);
  if (end) return end;
  if (!/^-?\d{1,30}$/.test(anchor)) throw badRequest("anchor is a message ID, newest, oldest or first_unread.");
  return Number(anchor);
}

export const getMessages = endpoint({
  route: "GET /messages",
  summary: "Messages around an anchor that match a narrow.",
  who: "member",
  guests: true,
  params: {
    anchor: text().optional().describe("A message ID, newest, oldest or first_unread."),
    include_anchor: boolean().default(true),
    num_before: integer({ min: 0 }).default(0),
    num_after: integer({ min: 0 }).default(0),
    narrow: narrowParam.default([]),
    client_gravatar: boolean().default(true).describe("Changes nothing: pictures are the server's own."),
    apply_markdown: boolean().default(true),
    use_first_unread_anchor: boolean().default(false).describe("Deprecated: anchor first_unread."),
    message_ids: listOf(integer({ min: 0 }))
      .optional()
      .describe("These messages, in place of an anchor."),
    allow_empty_topic_name: boolean().default(false),
  },
  response: z.object({
    messages: z.array(wireMessage),
    anchor: z.number().optional(),
    found_newest: z.boolean().optional(),
    found_oldest: z.boolean().optional(),
    found_anchor: z.boolean().optional(),
    history_limited: z.boolean().optional(),
  }),
  handle: ({ viewer, params, reader }) => {
    const shape = { applyMarkdown: params.apply_markdown, allowEmptyTopic: params.allow_empty_topic_name };
    const { num_before: before, num_after: after, message_ids: ids } = params;
    if (ids) return { messages: messagesById(reader, viewer, { ids, params, shape }) };
    const anchor = anchorIn(params.anchor, params.use_first_unread_anchor);
    if (before + after > MOST_MESSAGES)
      throw badRequest(`num_before and num_after add up to at most ${MOST_MESSAGES}.`);
    const narrow = narrowTerms(params.narrow);
    return fetchMessages(reader, viewer, {
      anchor,
      includeAnchor: params.include_anchor,
      before,
      after,
      narrow,
      ...shape,
    });
  },
});

function messagesById(
  reader: Reader,
  viewer: User,
  {
    ids,
    params,
    shape,
  }: {
    ids: readonly number[];
    params: { anchor?: string | undefined; num_before: number; num_after: number; narrow: readonly unknown[] };
    shape: { applyMarkdown: boolean; allowEmptyTopic: boolean };
  },
): FetchedMessage[] {
  if (params.anchor !== undefined || params.num_before > 0 || params.num_after > 0) {
    const parameters = "message_ids, anchor, num_before, num_after";
    throw badRequest("message_ids cannot be given beside an anchor.", { parameters });
  }
  if (ids.length > MOST_MESSAGES) throw badRequest(`message_ids holds at most ${MOST_MESSAGES} IDs.`);
  return fetchMessagesById(reader, viewer, { ids, narrow: narrowTerms(params.narrow), ...shape });
}

export const getMessage = endpoint({
  route: "GET /messages/{message_id}",
  summary: "One message.",
  who: "member",
  guests: true,
  params: {
    message_id: integer({ min: 0 }),
    apply_markdown: boolean().default(true),
    allow_empty_topic_name: boolean().default(false),
  },
  response: z.object({ message: wireMessage, raw_content: z.string().describe("Deprecated.") }),
  handle: ({ viewer, params, reader }) => {
    const { row, sight } = messageToRead(reader, viewer, params.message_id);
    const shape = { applyMarkdown: params.apply_markdown, allowEmptyTopic: params.allow_empty_topic_name };
    return { message: messagesFor(reader, sight, [row.id], shape)[0] as FetchedMessage, raw_content: row.content };
  },
});
