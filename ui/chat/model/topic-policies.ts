import type { State } from "../../api/state-shape.ts";
import { topicKey } from "../../api/topic-keys.ts";
import { subscriptionTo } from "./selectors.ts";

/** What somebody wants of a topic: docs/protocol.md#visibility-policies. */
export const POLICY = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;
export type Policy = (typeof POLICY)[keyof typeof POLICY];

type UserTopics = NonNullable<State["user_topics"]>;
const computed = new WeakMap<UserTopics, ReadonlyMap<string, number>>();

function policies(topics: UserTopics): ReadonlyMap<string, number> {
  const found =
    computed.get(topics) ??
    new Map(
      topics.map(({ stream_id, topic_name, visibility_policy }) => [
        topicKey(stream_id, topic_name),
        visibility_policy,
      ]),
    );
  computed.set(topics, found);
  return found;
}

export const topicPolicy = (state: State, channelId: number, topic: string): Policy =>
  state.user_topics ? ((policies(state.user_topics).get(topicKey(channelId, topic)) ?? 0) as Policy) : POLICY.none;

/** Whether a topic is muted, by itself or with its channel. */
export function isTopicMuted(state: State, channelId: number, topic: string): boolean {
  const policy = topicPolicy(state, channelId, topic);
  if (policy !== POLICY.none) return policy === POLICY.muted;
  return subscriptionTo(state, channelId)?.is_muted ?? false;
}

export const isTopicFollowed = (state: State, channelId: number, topic: string): boolean =>
  topicPolicy(state, channelId, topic) === POLICY.followed;
