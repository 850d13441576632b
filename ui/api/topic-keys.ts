import type { State } from "./state-shape.ts";

/** visibility_policy */
export const [NONE, MUTED] = [0, 1];

/** Topic names ignore letter case. */
export const topicKey = (streamId: number, topic: string) => `${streamId} ${topic.normalize("NFC").toLowerCase()}`;

type UserTopics = NonNullable<State["user_topics"]>;
const byChannel = new WeakMap<UserTopics, ReadonlyMap<number, ReadonlyMap<string, number>>>();

/**
 * The user's visibility policy of a topic; undefined if they set none. Indexed by channel, since every unread topic
 * needs it and most channels have no topic with a policy.
 */
export function topicPolicyIn(topics: UserTopics, streamId: number, topic: string): number | undefined {
  const channels = byChannel.get(topics) ?? policiesByChannel(topics);
  byChannel.set(topics, channels);
  return channels.get(streamId)?.get(topicKey(streamId, topic));
}

function policiesByChannel(topics: UserTopics): ReadonlyMap<number, ReadonlyMap<string, number>> {
  const channels = new Map<number, Map<string, number>>();
  for (const { stream_id, topic_name, visibility_policy } of topics) {
    const policies = channels.get(stream_id) ?? new Map<string, number>();
    channels.set(stream_id, policies.set(topicKey(stream_id, topic_name), visibility_policy));
  }
  return channels;
}
