import { z } from "zod";
import { badRequest, missingParameter, refusedParameter } from "../../errors.ts";
import { boolean, integer, oneOf, text } from "../../http/params.ts";
import { runInSlices } from "../../http/run-in-slices.ts";
import { viewerAsOfNow } from "../access/authentication.ts";
import { messageVisibility } from "../access/messages.ts";
import { channelToDeleteTopicsIn, channelToReadIn, mayNotDeleteTopics, topicToSetPolicyOf } from "../access/topics.ts";
import { deleteNewestOfTopic } from "../actions/message-deletions.ts";
import { setTopicPolicy, unmuteTopic } from "../actions/topics.ts";
import { topicsIn, wireTopic } from "../presenters/topics.ts";
import { MAX_TOPIC_LENGTH, POLICY, type Policy, topicFromInput } from "../queries/topics.ts";
import { endpoint } from "./endpoint.ts";

const topicName = () => text().describe(`At most ${MAX_TOPIC_LENGTH} characters. The topic needs no messages.`);

export const updateUserTopic = endpoint({
  route: "POST /user_topics",
  summary: "Mute, unmute or follow a topic, or reset its policy.",
  who: "guest",
  params: {
    stream_id: integer(),
    topic: topicName(),
    visibility_policy: integer().describe("0 as in the channel, 1 muted, 2 unmuted, 3 followed."),
  },
  handle: ({ viewer, params, transact }) => {
    const policy = Object.values(POLICY).find((value): value is Policy => value === params.visibility_policy);
    if (policy === undefined) throw refusedParameter("visibility_policy", "invalid_visibility_policy");
    const { stream_id: named, topic } = params;
    transact((tx) => {
      const takesBack = policy === POLICY.none;
      setTopicPolicy(tx, viewer, topicToSetPolicyOf(tx, viewer, { named, topic, takesBack }), policy);
    });
  },
});

export const muteTopic = endpoint({
  route: "PATCH /users/me/subscriptions/muted_topics",
  summary: "Mute or unmute a topic. Deprecated: use POST /user_topics.",
  who: "guest",
  params: {
    stream_id: integer().optional(),
    stream: text().optional().describe("The channel's name, instead of stream_id."),
    topic: topicName(),
    op: oneOf("add", "remove"),
  },
  handle: ({ viewer, params, transact }) => {
    const { stream_id: id, stream: name, topic, op } = params;
    if (id !== undefined && name !== undefined)
      throw badRequest("channel_given_twice", {}, { parameters: "stream_id, stream" });
    const named = id ?? name;
    if (named === undefined) throw missingParameter("stream_id");
    transact((tx) => {
      const at = topicToSetPolicyOf(tx, viewer, { named, topic, takesBack: op === "remove" });
      if (op === "add") setTopicPolicy(tx, viewer, at, POLICY.muted);
      else unmuteTopic(tx, viewer, at);
    });
  },
});

export const getChannelTopics = endpoint({
  route: "GET /users/me/{stream_id}/topics",
  summary: "List the topics of a channel, newest first.",
  who: "guest",
  spectators: true,
  params: {
    stream_id: integer({ min: 0 }),
    allow_empty_topic_name: boolean().default(false),
  },
  response: z.object({ topics: z.array(wireTopic) }),
  handle: ({ viewer, params, reader }) => {
    const channel = channelToReadIn(reader, viewer, params.stream_id);
    return { topics: topicsIn(reader, messageVisibility(reader, viewer), channel, params.allow_empty_topic_name) };
  },
});

/** Takes a few tens of milliseconds, depending more on readers than on messages. */
const DELETED_AT_ONCE = 250;

export const deleteTopic = endpoint({
  route: "POST /streams/{stream_id}/delete_topic",
  summary: "Delete the messages of a topic, newest first.",
  who: "administrator",
  refusal: mayNotDeleteTopics,
  params: {
    stream_id: integer({ min: 0 }),
    topic_name: text(),
  },
  response: z.object({ complete: z.boolean().describe("false if time ran out. Repeat the request to continue.") }),
  handle: async (call) => {
    const { viewer, params, transact } = call;
    const topic = topicFromInput(params.topic_name);
    const slice = (begins: boolean) =>
      transact((tx) => {
        const actor = viewerAsOfNow(tx, viewer);
        const channel = channelToDeleteTopicsIn(tx, actor, params.stream_id);
        return deleteNewestOfTopic(tx, actor, { channel, topic, max: DELETED_AT_ONCE, begins });
      });
    return { complete: await runInSlices(call, slice) };
  },
});
