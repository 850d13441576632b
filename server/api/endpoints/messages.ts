import { z } from "zod";
import { badRequest, refusedParameter } from "../../errors.ts";
import { boolean, integer, json, listOf, MAX_ITEMS, number, oneOf, rawOrJson, text } from "../../http/params.ts";
import { runIteratorInSlices, type SlicedCall } from "../../http/run-in-slices.ts";
import { escapeHtml } from "../../markdown/plain.ts";
import { renderMarkdown } from "../../markdown/render.ts";
import { fetchMessages, fetchMessagesById } from "../../search/fetched-messages.ts";
import { narrowTerms, publicNarrow } from "../../search/narrow-terms.ts";
import type { Reader } from "../../storage/transaction.ts";
import { channelToAdminister } from "../access/channels.ts";
import { destinationToWriteTo, isDirect, MESSAGE_TYPES } from "../access/destinations.ts";
import { renderContext } from "../access/mentions.ts";
import { channelForReports, messageToRead, messageWithReceipts } from "../access/messages.ts";
import { isSpectator } from "../access/public-access.ts";
import { REPORT_REASONS, reportMessage } from "../actions/message-reports.ts";
import { isReadBySender, sendMessage } from "../actions/messages.ts";
import { linksToMessage } from "../actions/notices.ts";
import { noteActive } from "../actions/presence.ts";
import { renderMessage as render } from "../actions/rendering.ts";
import { botWidget } from "../actions/submessages.ts";
import { countExpiring, expiringMessages } from "../presenters/expiring-messages.ts";
import { type FetchedMessage, fetchedMessage, messagesFor } from "../presenters/messages.ts";
import { readersSeenBy } from "../presenters/read-state.ts";
import { MAX_MESSAGE_LENGTH } from "../queries/messages.ts";
import { type RetentionDays, retentionDays } from "../queries/retention.ts";
import { MAX_TOPIC_LENGTH } from "../queries/topics.ts";
import type { User } from "../queries/users.ts";
import { endpoint } from "./endpoint.ts";
import { anchorIn, dateAnchor, MAX_MESSAGES, narrowParam, readyToSearch } from "./narrow-params.ts";
import { messageContent, trimmedText } from "./params.ts";
import { countStoredBytes } from "./stored-bytes.ts";

/** Characters. The ID is stored for a while and sent back in the event. */
const MAX_LOCAL_ID = 1000;

const oneOrMore = z.union([z.int(), z.string(), z.array(z.union([z.int(), z.string()])).max(MAX_ITEMS)]);
type To = z.output<typeof oneOrMore>;

function recipientsIn(to: To, direct: boolean): (string | number)[] {
  if (!direct) return Array.isArray(to) ? to : [to];
  const names = Array.isArray(to) ? to : typeof to === "string" ? to.split(",").map((name) => name.trim()) : [to];
  return names.filter((name) => name !== "");
}

/** "null" counts as missing. Commands in the text start polls and lists instead. */
function widgetIn(given: string | undefined): object | undefined {
  if (given === undefined || given === "" || given === "null") return undefined;
  return json(botWidget).decode(given, "widget_content") as object;
}

export const send = endpoint({
  route: "POST /messages",
  summary: "Send a message to a channel or to people.",
  who: "guest",
  incomingWebhooks: true,
  params: {
    type: oneOf(...MESSAGE_TYPES),
    to: rawOrJson(oneOrMore).optional().describe("A channel's name or ID, or a list of user IDs or email addresses."),
    content: messageContent(),
    topic: text()
      .alias("subject")
      .optional()
      .describe(`At most ${MAX_TOPIC_LENGTH} characters; direct messages ignore it.`),
    queue_id: text().maxLength(MAX_LOCAL_ID).optional(),
    local_id: text().maxLength(MAX_LOCAL_ID).optional(),
    read_by_sender: boolean().optional(),
    widget_content: text().maxLength(MAX_MESSAGE_LENGTH).optional().describe("JSON: a widget with buttons, for bots."),
    sender: text().optional().describe("Refused: the server does not mirror messages."),
    forged: text().optional().describe("yes and true are refused."),
    time: number().optional().describe("No effect without forged."),
  },
  response: z.object({
    id: z.int(),
    message_url: z.string(),
    message_link: z.string().describe("Markdown of a link to the message."),
    automatic_new_visibility_policy: z
      .int()
      .optional()
      .describe("The topic's new policy, if the sender's settings changed it: 2 unmuted, 3 followed."),
  }),
  handle: (call) => {
    const { viewer, params, transact, client, baseUrl } = call;
    const { queue_id: queueId, local_id: localId } = params;
    if (params.sender !== undefined || params.forged === "yes" || params.forged === "true")
      throw badRequest("send_as_not_allowed");
    if (queueId !== undefined && localId === undefined) throw refusedParameter("queue_id", "local_id_missing");
    const { content } = params;
    if (content === "") throw badRequest("message_empty");
    const direct = isDirect(params.type);
    const aim = { direct, to: recipientsIn(params.to ?? [], direct), topic: params.topic };
    const readBySender = params.read_by_sender ?? isReadBySender(viewer, client);
    const origin = queueId !== undefined && localId !== undefined ? { queueId, localId } : undefined;
    const sent = transact((tx) => {
      const to = destinationToWriteTo(tx, viewer, aim);
      const widget = widgetIn(params.widget_content);
      const rendered = render(tx, viewer, { to, content, baseUrl });
      countStoredBytes(call, { content, rendered });
      noteActive(tx, [viewer.id]);
      const { id, newPolicy } = sendMessage(tx, viewer, {
        to,
        content,
        rendered,
        client,
        readBySender,
        widget,
        origin,
      });
      return { id, newPolicy, ...linksToMessage(tx, viewer, { id, to, baseUrl }) };
    });
    const { id, newPolicy, url: message_url, link: message_link } = sent;
    const changed = newPolicy === undefined ? {} : { automatic_new_visibility_policy: newPolicy };
    return { id, message_url, message_link, ...changed };
  },
});

export const getMessages = endpoint({
  route: "GET /messages",
  summary: "Get messages around an anchor that match a narrow.",
  who: "guest",
  spectators: true,
  params: {
    anchor: text().optional().describe("A message ID, newest, oldest, first_unread or date."),
    anchor_date: text()
      .optional()
      .describe("For the anchor date: an ISO 8601 date or time, UTC by default. The first message since then."),
    include_anchor: boolean().default(true),
    num_before: integer({ min: 0 }).default(0),
    num_after: integer({ min: 0 }).default(0),
    narrow: narrowParam.default([]),
    client_gravatar: boolean().default(true).describe("No effect: the server hosts all pictures."),
    apply_markdown: boolean().default(true),
    use_first_unread_anchor: boolean().default(false).describe("Deprecated: use anchor first_unread."),
    message_ids: listOf(integer({ min: 0 }))
      .optional()
      .describe("Gets these messages instead of an anchor."),
    allow_empty_topic_name: boolean().default(false),
  },
  response: z.object({
    messages: z.array(fetchedMessage),
    anchor: z.number().optional(),
    found_newest: z.boolean().optional(),
    found_oldest: z.boolean().optional(),
    found_anchor: z.boolean().optional(),
    history_limited: z.boolean().optional(),
  }),
  handle: async (call) => {
    const { viewer, params, reader } = call;
    const shape = { applyMarkdown: params.apply_markdown, allowEmptyTopic: params.allow_empty_topic_name };
    const { num_before: before, num_after: after, message_ids: ids } = params;
    if (ids) return { messages: await messagesById(call, { ids, params, shape }) };
    const isDate = params.anchor === "date" && !params.use_first_unread_anchor;
    const anchor = isDate ? dateAnchor(params.anchor_date) : anchorIn(params.anchor, params.use_first_unread_anchor);
    if (before + after > MAX_MESSAGES) throw badRequest("too_many_messages_requested", { count: MAX_MESSAGES });
    const narrow = narrowFor(viewer, params.narrow);
    await readyToSearch(call, narrow);
    const stretch = { anchor, includeAnchor: params.include_anchor, before, after, narrow };
    return runIteratorInSlices(call, fetchMessages(reader, viewer, { ...stretch, ...shape }));
  },
});

async function messagesById(
  call: SlicedCall & { reader: Reader; viewer: User },
  {
    ids,
    params,
    shape,
  }: {
    ids: readonly number[];
    params: { anchor?: string | undefined; num_before: number; num_after: number; narrow: readonly unknown[] };
    shape: { applyMarkdown: boolean; allowEmptyTopic: boolean };
  },
): Promise<FetchedMessage[]> {
  if (params.anchor !== undefined || params.num_before > 0 || params.num_after > 0) {
    const parameters = "message_ids, anchor, num_before, num_after";
    throw badRequest("message_ids_with_anchor", {}, { parameters });
  }
  if (ids.length > MAX_MESSAGES) throw refusedParameter("message_ids", "too_many_message_ids", { count: MAX_MESSAGES });
  const { reader, viewer } = call;
  const narrow = narrowFor(viewer, params.narrow);
  return runIteratorInSlices(call, fetchMessagesById(reader, viewer, { ids, narrow, ...shape }));
}

const narrowFor = (viewer: User, narrow: readonly unknown[]) =>
  isSpectator(viewer) ? publicNarrow(narrowTerms(narrow)) : narrowTerms(narrow);

export const getMessage = endpoint({
  route: "GET /messages/{message_id}",
  summary: "Get a message.",
  who: "guest",
  spectators: true,
  params: {
    message_id: integer({ min: 0 }),
    apply_markdown: boolean().default(true),
    allow_empty_topic_name: boolean().default(false),
  },
  response: z.object({ message: fetchedMessage, raw_content: z.string().describe("Deprecated.") }),
  handle: ({ viewer, params, reader }) => {
    const { row, visibility } = messageToRead(reader, viewer, params.message_id);
    const shape = { applyMarkdown: params.apply_markdown, allowEmptyTopic: params.allow_empty_topic_name };
    return { message: messagesFor(reader, visibility, [row.id], shape)[0] as FetchedMessage, raw_content: row.content };
  },
});

export const checkMessagesMatchNarrow = endpoint({
  route: "GET /messages/matches_narrow",
  summary: "Check which messages match a narrow.",
  who: "guest",
  params: {
    msg_ids: listOf(integer({ min: 0 })),
    narrow: narrowParam,
  },
  response: z.object({
    messages: z
      .record(z.string(), z.object({ match_content: z.string(), match_subject: z.string() }))
      .describe("By message ID."),
  }),
  handle: async (call) => {
    const { viewer, params, reader } = call;
    const { msg_ids: ids, narrow } = params;
    if (ids.length > MAX_MESSAGES) throw refusedParameter("msg_ids", "too_many_msg_ids", { count: MAX_MESSAGES });
    const shape = { applyMarkdown: true, allowEmptyTopic: true };
    const work = fetchMessagesById(reader, viewer, { ids, narrow: narrowTerms(narrow), ...shape });
    const matching = await runIteratorInSlices(call, work);
    const messages = matching.map(
      ({
        id,
        content,
        subject,
        match_content,
        match_subject,
      }): [string, Record<"match_content" | "match_subject", string>] => [
        String(id),
        { match_content: match_content ?? content, match_subject: match_subject ?? escapeHtml(subject) },
      ],
    );
    return { messages: Object.fromEntries(messages) };
  },
});

export const getReadReceipts = endpoint({
  route: "GET /messages/{message_id}/read_receipts",
  summary: "List who has read a message. Includes only users who share read receipts.",
  who: "guest",
  params: { message_id: integer({ min: 0 }) },
  response: z.object({ user_ids: z.array(z.int()) }),
  handle: ({ viewer, params, reader }) => ({
    user_ids: readersSeenBy(reader, viewer, messageWithReceipts(reader, viewer, params.message_id).id),
  }),
});

export const renderMessage = endpoint({
  route: "POST /messages/render",
  summary: "Render a message without sending it.",
  who: "guest",
  params: { content: messageContent() },
  response: z.object({ rendered: z.string().describe("HTML.") }),
  handle: ({ viewer, params, reader, baseUrl }) => ({
    rendered: renderMarkdown(params.content, renderContext(reader, viewer, { baseUrl })).html,
  }),
});

/** See docs/protocol.md#message-reports. */
const MAX_DESCRIPTION_LENGTH = 1000;

const reasons = Object.keys(REPORT_REASONS) as (keyof typeof REPORT_REASONS)[];

export const report = endpoint({
  route: "POST /messages/{message_id}/report",
  summary: "Report a message to moderators. The notification bot sends the report to their channel.",
  who: "guest",
  params: {
    message_id: integer(),
    report_type: oneOf(...reasons),
    description: trimmedText().maxLength(MAX_DESCRIPTION_LENGTH).optional().describe("Required for the type `other`."),
  },
  handle: ({ viewer, params, transact }) => {
    const { description = "" } = params;
    if (params.report_type === "other" && description === "")
      throw refusedParameter("description", "report_description_missing");
    const report = { reason: params.report_type, description };
    transact((tx) => {
      const { row: message } = messageToRead(tx, viewer, params.message_id);
      reportMessage(tx, viewer, { message, channel: channelForReports(tx), report });
    });
  },
});

const FOREVER = -1;

export const getExpiringMessages = endpoint({
  route: "GET /host/expiring_messages",
  summary: "Count messages that a retention period would delete.",
  who: "owner",
  bots: false,
  outsideApi: true,
  params: {
    days: integer({ min: 1 }),
    stream_id: integer().optional().describe("Default: all channels that follow the organization's retention."),
  },
  response: expiringMessages,
  handle: (call) => {
    const { viewer, params, reader, app } = call;
    let days: RetentionDays;
    if (params.stream_id === undefined) {
      const others = [...retentionDays(reader).own.keys()].map((id) => [id, FOREVER] as const);
      days = { organization: params.days, own: new Map(others) };
    } else {
      const channel = channelToAdminister(reader, viewer, params.stream_id);
      days = { organization: FOREVER, own: new Map([[channel.id, params.days]]) };
    }
    return runIteratorInSlices(call, countExpiring(reader, app.now(), days));
  },
});
