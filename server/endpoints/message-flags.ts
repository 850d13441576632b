import { z } from "zod";
import { sightOf } from "../access/messages.ts";
import { channelToReadIn, topicToRead } from "../access/topics.ts";
import { markMessages, markNewestRead } from "../actions/message-flags.ts";
import { badRequest } from "../errors.ts";
import { boolean, integer, listOf, oneOf, text } from "../http/params.ts";
import { messagesAround } from "../queries/messages.ts";
import { narrowTerms } from "../queries/narrow.ts";
import { endpoint } from "./endpoint.ts";
import { inTurns } from "./in-turns.ts";
import { anchorIn, MOST_MESSAGES, narrowParam } from "./narrow-params.ts";

const op = () => oneOf("add", "remove");
const flag = () => text().describe("read, starred or collapsed.");

export const updateMessageFlags = endpoint({
  route: "POST /messages/flags",
  summary: "Set a flag of one's own on messages, or take it away.",
  who: "member",
  guests: true,
  params: {
    messages: listOf(integer({ min: 0 })),
    op: op(),
    flag: flag(),
  },
  response: z.object({
    messages: z.array(z.int()).describe("Those that changed."),
    ignored_because_not_subscribed_channels: z.array(z.int()).optional(),
  }),
  handle: ({ viewer, params, transact }) => {
    const { op, flag } = params;
    const { messages, ignoredChannels } = transact((tx) =>
      markMessages(tx, viewer, { ids: params.messages, op, flag }),
    );
    if (flag !== "read" || op !== "remove") return { messages };
    return { messages, ignored_because_not_subscribed_channels: ignoredChannels };
  },
});

export const updateMessageFlagsForNarrow = endpoint({
  route: "POST /messages/flags/narrow",
  summary: "Set a flag of one's own on the messages around an anchor that match a narrow, or take it away.",
  who: "member",
  guests: true,
  params: {
    anchor: text().describe("A message ID, newest, oldest or first_unread."),
    include_anchor: boolean().default(true),
    num_before: integer({ min: 0 }),
    num_after: integer({ min: 0 }),
    narrow: narrowParam,
    op: op(),
    flag: flag(),
  },
  response: z.object({
    processed_count: z.int(),
    updated_count: z.int(),
    first_processed_id: z.int().nullable(),
    last_processed_id: z.int().nullable(),
    found_oldest: z.boolean(),
    found_newest: z.boolean(),
    ignored_because_not_subscribed_channels: z.array(z.int()).optional(),
  }),
  handle: ({ viewer, params, reader, transact }) => {
    const { num_before: before, num_after: after, op, flag } = params;
    if (before + after > MOST_MESSAGES)
      throw badRequest(`num_before and num_after add up to at most ${MOST_MESSAGES}.`);
    const { ids, found_oldest, found_newest } = messagesAround(reader, sightOf(reader, viewer), {
      anchor: anchorIn(params.anchor, false),
      includeAnchor: params.include_anchor,
      before,
      after,
      narrow: narrowTerms(params.narrow),
    });
    const { messages, ignoredChannels } = transact((tx) => markMessages(tx, viewer, { ids, op, flag }));
    return {
      processed_count: ids.length,
      updated_count: messages.length,
      first_processed_id: ids[0] ?? null,
      last_processed_id: ids.at(-1) ?? null,
      found_oldest,
      found_newest,
      ...(flag === "read" && op === "remove" ? { ignored_because_not_subscribed_channels: ignoredChannels } : {}),
    };
  },
});

/** What a turn changes has to fit into one record of the log, which also holds their ids. */
const MARKED_AT_ONCE = 50_000;

export const markAllAsRead = endpoint({
  route: "POST /mark_all_as_read",
  summary: "Mark everything as read. Deprecated: POST /messages/flags/narrow.",
  who: "member",
  guests: true,
  response: z.object({ complete: z.boolean().describe("False: time ran out; call again for what is left.") }),
  handle: async (call) => {
    const { viewer, transact } = call;
    const turn = () => transact((tx) => markNewestRead(tx, viewer, { most: MARKED_AT_ONCE }));
    return { complete: await inTurns(call, turn) };
  },
});

export const markChannelAsRead = endpoint({
  route: "POST /mark_stream_as_read",
  summary: "Mark a channel as read. Deprecated: POST /messages/flags/narrow.",
  who: "member",
  guests: true,
  params: { stream_id: integer() },
  handle: async (call) => {
    const { viewer, params, transact } = call;
    const turn = () =>
      transact((tx) => {
        const { id: channelId } = channelToReadIn(tx, viewer, params.stream_id);
        return markNewestRead(tx, viewer, { channelId, most: MARKED_AT_ONCE });
      });
    await inTurns(call, turn);
    return {};
  },
});

export const markTopicAsRead = endpoint({
  route: "POST /mark_topic_as_read",
  summary: "Mark a topic as read. Deprecated: POST /messages/flags/narrow.",
  who: "member",
  guests: true,
  params: { stream_id: integer(), topic_name: text() },
  handle: async (call) => {
    const { viewer, params, transact } = call;
    const turn = () =>
      transact((tx) => {
        const channel = channelToReadIn(tx, viewer, params.stream_id);
        const topic = topicToRead(tx, viewer, channel, params.topic_name);
        return markNewestRead(tx, viewer, { channelId: channel.id, topic, most: MARKED_AT_ONCE });
      });
    await inTurns(call, turn);
    return {};
  },
});
