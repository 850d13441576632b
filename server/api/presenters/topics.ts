import { z } from "zod";
import { linksInTopic } from "../../markdown/render.ts";
import type { TopicLink } from "../../markdown/words.ts";
import type { Reader } from "../../storage/transaction.ts";
import { canSeeChannel, readableHistory } from "../access/channels.ts";
import { compiledLinkifiers } from "../access/linkifiers.ts";
import type { MessageVisibility } from "../access/messages.ts";
import { type Channel, channelById } from "../queries/channels.ts";
import { CHUNK, messageIndex } from "../queries/message-index.ts";
import { topicNamesOf } from "../queries/messages.ts";
import { displayedTopic, newestByTopic, POLICY, policiesOf, type TopicPolicy } from "../queries/topics.ts";
import type { User } from "../queries/users.ts";
import { type RegisterContext, readOnce, registerPart } from "./register-part.ts";

export const wireTopicPolicy = z.object({
  stream_id: z.int(),
  topic_name: z.string(),
  last_updated: z.int().describe("UNIX seconds."),
  visibility_policy: z.literal(Object.values(POLICY)),
});
export type WireTopicPolicy = z.output<typeof wireTopicPolicy>;

const seconds = (ms: number) => Math.floor(ms / 1000);

/** A muted topic for older clients: channel name, topic, UNIX seconds. */
export const wireMutedTopic = z.tuple([z.string(), z.string(), z.int()]);
export type WireMutedTopic = z.output<typeof wireMutedTopic>;

/** The muted topics in visible channels that are not archived. The list contains channel names. */
export function mutedTopics(
  reader: Reader,
  viewer: User,
  allowEmpty = true,
  ofViewer: readonly TopicPolicy[] = policiesOf(reader, viewer.id),
): WireMutedTopic[] {
  const muted: WireMutedTopic[] = [];
  for (const { channel_id, topic, policy, updated_at } of ofViewer) {
    if (policy !== POLICY.muted) continue;
    const channel = channelById(reader, channel_id);
    if (!channel || channel.is_archived || !canSeeChannel(reader, viewer, channel)) continue;
    muted.push([channel.name, displayedTopic(topic, allowEmpty), seconds(updated_at)]);
  }
  return muted;
}

function userTopics(policies: readonly TopicPolicy[], allowEmpty: boolean): WireTopicPolicy[] {
  return policies.map(({ channel_id, topic, policy, updated_at }) => ({
    stream_id: channel_id,
    topic_name: displayedTopic(topic, allowEmpty),
    last_updated: seconds(updated_at),
    visibility_policy: policy,
  }));
}

export const wireTopic = z.object({
  max_id: z.int().describe("ID of its newest message that the caller can read."),
  name: z.string(),
});
export type WireTopic = z.output<typeof wireTopic>;

/**
 * The topics with messages that the viewer can read, newest first. Each has the spelling of its newest message. Outside
 * transactions only, since it caches spellings.
 */
export function topicsIn(
  reader: Reader,
  visibility: MessageVisibility,
  channel: Channel,
  allowEmpty: boolean,
): WireTopic[] {
  const readsAll = readableHistory(reader, visibility.viewer, channel) === "all";
  const newest = readsAll ? newestByTopic(reader, channel.id) : newestReadable(reader, visibility, channel);
  // A viewer who can read only part of the history can see an older spelling than the cached one.
  const names = readsAll ? messageIndex(reader).topicNames : new Map<number, string>();
  const missing = [...newest].filter(([topic]) => !names.has(topic)).map(([, id]) => id);
  for (const [topic, name] of topicNamesOf(reader, missing)) names.set(topic, name);
  return [...newest].map(([topic, max_id]) => ({
    max_id,
    name: displayedTopic(names.get(topic) ?? "", allowEmpty),
  }));
}

/** For a viewer who can read only part of the channel: the newest readable message of each topic, newest first. */
function newestReadable(reader: Reader, visibility: MessageVisibility, channel: Channel): Map<number, number> {
  const index = messageIndex(reader);
  const last = index.last(reader);
  const first = channel.first_message_id ?? last + 1;
  const newest = new Map<number, number>();
  for (let number = Math.floor(last / CHUNK); number * CHUNK + CHUNK > first; number -= 1) {
    const { locations, topics } = index.chunk(reader, number);
    for (let at = Math.min(CHUNK - 1, last - number * CHUNK); at >= 0; at -= 1) {
      if (locations[at] !== channel.id) continue;
      const topic = topics[at] as number;
      if (newest.has(topic)) continue;
      const id = number * CHUNK + at;
      if (visibility.sees(id)) newest.set(topic, id);
    }
  }
  return newest;
}

/** Shared by both parts of one /register. */
const policiesIn = (context: RegisterContext): readonly TopicPolicy[] =>
  readOnce(context, ["user_topics"], () => policiesOf(context.reader, context.viewer.id));

export const registerParts = {
  user_topic: registerPart({
    fields: { user_topics: z.array(wireTopicPolicy) },
    read: (context) => ({ user_topics: userTopics(policiesIn(context), context.capabilities.empty_topic_name) }),
    spectators: { user_topics: [] },
    readAhead: policiesIn,
  }),
  // A client that requests everything gets both. A client that requests `user_topic` does not need the legacy form.
  muted_topics: registerPart({
    fields: { muted_topics: z.array(wireMutedTopic).exactOptional() },
    read: (context) => {
      const { reader, viewer, capabilities, names } = context;
      if (names?.has("user_topic")) return {};
      return { muted_topics: mutedTopics(reader, viewer, capabilities.empty_topic_name, policiesIn(context)) };
    },
    spectators: ({ names }) => (names?.has("user_topic") ? {} : { muted_topics: [] }),
  }),
};

/** Limit of topic names with cached links. */
const MAX_CACHED = 5000;

/**
 * The links in a topic name: matches of linkifiers, and URLs (docs/protocol.md#message-object). They are the same for
 * every message and viewer, so each name is searched once.
 */
export function topicLinks(reader: Reader, topic: string): readonly TopicLink[] {
  const { linkifiers, cache } = reader.derived("links of topics", ["linkifiers"], (rows) => ({
    linkifiers: compiledLinkifiers(rows),
    cache: new Map<string, readonly TopicLink[]>(),
  }));
  let links = cache.get(topic);
  if (!links) {
    links = linksInTopic(topic, linkifiers);
    if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value as string);
    cache.set(topic, links);
  }
  return links;
}
