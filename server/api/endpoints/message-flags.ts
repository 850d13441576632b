import { z } from "zod";
import { badRequest } from "../../errors.ts";
import { boolean, integer, listOf, oneOf, text } from "../../http/params.ts";
import { runInSlices, runIteratorInSlices, tookTooLong } from "../../http/run-in-slices.ts";
import { messagesAround } from "../../search/fetched-messages.ts";
import { narrowTerms } from "../../search/narrow-terms.ts";
import { viewerAsOfNow } from "../access/authentication.ts";
import { messagesToFlag } from "../access/messages.ts";
import { channelToReadIn, topicToRead } from "../access/topics.ts";
import { markMessages, markNewestRead } from "../actions/message-flags.ts";
import { endpoint } from "./endpoint.ts";
import { anchorIn, MAX_MESSAGES, narrowParam, readyToSearch } from "./narrow-params.ts";

const op = () => oneOf("add", "remove");
const flag = () => text().describe("read, starred or collapsed.");

/** Longer lists take several slices. */
const FLAGGED_AT_ONCE = 2000;

export const updateMessageFlags = endpoint({
  route: "POST /messages/flags",
  summary: "Add a flag of the caller to messages, or remove it.",
  who: "guest",
  params: {
    messages: listOf(integer({ min: 0 })),
    op: op(),
    flag: flag(),
  },
  response: z.object({
    messages: z.array(z.int()).describe("Changed messages."),
    ignored_because_not_subscribed_channels: z.array(z.int()).optional(),
  }),
  handle: async (call) => {
    const { viewer, params, reader, transact } = call;
    const { op, flag } = params;
    const ids = [...new Set(params.messages)];
    // Checks the complete list before anything changes.
    if (ids.length > FLAGGED_AT_ONCE) messagesToFlag(reader, viewer, ids);
    const changed: number[] = [];
    const ignored = new Set<number>();
    let at = 0;
    const done = await runInSlices(call, () => {
      const batch = ids.slice(at, at + FLAGGED_AT_ONCE);
      const marked = transact((tx) => markMessages(tx, viewerAsOfNow(tx, viewer), { ids: batch, op, flag }));
      changed.push(...marked.messages);
      for (const channelId of marked.ignoredChannels) ignored.add(channelId);
      at += batch.length;
      return at >= ids.length;
    });
    if (!done) throw tookTooLong("timed_out_marking");
    const messages = changed.sort((a, b) => a - b);
    if (flag !== "read" || op !== "remove") return { messages };
    return { messages, ignored_because_not_subscribed_channels: [...ignored].sort((a, b) => a - b) };
  },
});

export const updateMessageFlagsForNarrow = endpoint({
  route: "POST /messages/flags/narrow",
  summary: "Add a flag of the caller to messages around an anchor that match a narrow, or remove it.",
  who: "guest",
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
  handle: async (call) => {
    const { viewer, params, reader, transact } = call;
    const { num_before: before, num_after: after, op, flag } = params;
    if (before + after > MAX_MESSAGES) throw badRequest("too_many_messages_requested", { count: MAX_MESSAGES });
    const stretch = {
      anchor: anchorIn(params.anchor, false),
      includeAnchor: params.include_anchor,
      before,
      after,
      narrow: narrowTerms(params.narrow),
    };
    await readyToSearch(call, stretch.narrow);
    const { ids, found_oldest, found_newest } = await runIteratorInSlices(
      call,
      messagesAround(reader, viewer, stretch),
    );
    const { messages, ignoredChannels } = transact((tx) =>
      markMessages(tx, viewerAsOfNow(tx, viewer), { ids, op, flag }),
    );
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

/** Per slice: the changes and IDs must fit into a log record. */
const MARKED_AT_ONCE = 50_000;

export const markAllAsRead = endpoint({
  route: "POST /mark_all_as_read",
  summary: "Mark all messages as read. Deprecated: use POST /messages/flags/narrow.",
  who: "guest",
  response: z.object({ complete: z.boolean().describe("false if time ran out. Repeat the request to continue.") }),
  handle: async (call) => {
    const { viewer, transact } = call;
    const slice = () => transact((tx) => markNewestRead(tx, viewerAsOfNow(tx, viewer), { max: MARKED_AT_ONCE }));
    return { complete: await runInSlices(call, slice) };
  },
});

export const markChannelAsRead = endpoint({
  route: "POST /mark_stream_as_read",
  summary: "Mark a channel as read. Deprecated: use POST /messages/flags/narrow.",
  who: "guest",
  params: { stream_id: integer() },
  handle: async (call) => {
    const { viewer, params, transact } = call;
    const slice = () =>
      transact((tx) => {
        const actor = viewerAsOfNow(tx, viewer);
        const { id: channelId } = channelToReadIn(tx, actor, params.stream_id);
        return markNewestRead(tx, actor, { channelId, max: MARKED_AT_ONCE });
      });
    await runInSlices(call, slice);
  },
});

export const markTopicAsRead = endpoint({
  route: "POST /mark_topic_as_read",
  summary: "Mark a topic as read. Deprecated: use POST /messages/flags/narrow.",
  who: "guest",
  params: { stream_id: integer(), topic_name: text() },
  handle: async (call) => {
    const { viewer, params, transact } = call;
    const slice = () =>
      transact((tx) => {
        const actor = viewerAsOfNow(tx, viewer);
        const channel = channelToReadIn(tx, actor, params.stream_id);
        const topic = topicToRead(tx, actor, channel, params.topic_name);
        return markNewestRead(tx, actor, { channelId: channel.id, topic, max: MARKED_AT_ONCE });
      });
    await runInSlices(call, slice);
  },
});
