import type { State } from "../../api/state-shape.ts";
import { topicPolicyIn } from "../../api/topic-keys.ts";
import { subscriptionTo } from "./selectors.ts";

/** docs/protocol.md#visibility-policies */
export const POLICY = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;
export type Policy = (typeof POLICY)[keyof typeof POLICY];

export const topicPolicy = ({ user_topics }: State, channelId: number, topic: string): Policy =>
  ((user_topics && topicPolicyIn(user_topics, channelId, topic)) ?? POLICY.none) as Policy;

/** Whether the topic or its channel is muted. */
export function isTopicMuted(state: State, channelId: number, topic: string): boolean {
  const policy = topicPolicy(state, channelId, topic);
  if (policy !== POLICY.none) return policy === POLICY.muted;
  return subscriptionTo(state, channelId)?.is_muted ?? false;
}

export const isTopicFollowed = (state: State, channelId: number, topic: string): boolean =>
  topicPolicy(state, channelId, topic) === POLICY.followed;
