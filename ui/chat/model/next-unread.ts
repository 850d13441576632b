import type { State } from "../../api/state-shape.ts";
import { type Narrow, narrowKey } from "./narrow.ts";
import { channelGroups, othersOf } from "./selectors.ts";
import { isTopicFollowed, isTopicMuted } from "./topic-policies.ts";

/** Whether a message counts as read, although the state still has it as unread. */
type IsSeen = (messageId: number) => boolean;
const NEVER: IsSeen = () => false;

type TopicNarrow = Extract<Narrow, { kind: "topic" }>;
type DirectNarrow = Extract<Narrow, { kind: "direct" }>;

/**
 * The next topic with unread messages: in the same channel, then in the channels below it in the sidebar, then from the
 * top. Within a channel, the oldest unread message comes first. Muted topics do not count.
 */
export function nextUnreadTopic(
  state: State,
  here: Narrow | undefined,
  { onlyFollowed = false, isSeen = NEVER }: { onlyFollowed?: boolean; isSeen?: IsSeen } = {},
): TopicNarrow | undefined {
  const order = channelGroups(state).flatMap(({ channels }) => channels.map(({ stream_id }) => stream_id));
  const current = here && "channelId" in here ? order.indexOf(here.channelId) : -1;
  const hereKey = here && narrowKey(here);
  const byChannel = new Map<number, { topic: string; oldest: number }[]>();
  for (const { stream_id, topic, unread_message_ids } of state.unread_msgs?.streams ?? []) {
    const isWanted = onlyFollowed ? isTopicFollowed(state, stream_id, topic) : !isTopicMuted(state, stream_id, topic);
    const isHere = narrowKey({ kind: "topic", channelId: stream_id, topic }) === hereKey;
    const oldest = unread_message_ids.find((id) => !isSeen(id));
    if (!isWanted || isHere || oldest === undefined) continue;
    const topics = byChannel.get(stream_id) ?? [];
    byChannel.set(stream_id, topics);
    topics.push({ topic, oldest });
  }
  const from = Math.max(0, current);
  for (const channelId of [...order.slice(from), ...order.slice(0, from)]) {
    const [first] = (byChannel.get(channelId) ?? []).sort((a, b) => a.oldest - b.oldest);
    if (first) return { kind: "topic", channelId, topic: first.topic };
  }
  return undefined;
}

/** The direct conversation with the oldest unread message, except the open one. */
export function nextUnreadDirect(
  state: State,
  here: Narrow | undefined,
  isSeen: IsSeen = NEVER,
): DirectNarrow | undefined {
  const { unread_msgs: unread, user_id: self = 0 } = state;
  const hereKey = here && narrowKey(here);
  const waiting = [
    ...(unread?.pms ?? []).map(({ other_user_id, unread_message_ids }) => ({
      userIds: [other_user_id],
      oldest: unread_message_ids.find((id) => !isSeen(id)),
    })),
    ...(unread?.huddles ?? []).map(({ user_ids_string, unread_message_ids }) => ({
      userIds: othersOf(user_ids_string, self),
      oldest: unread_message_ids.find((id) => !isSeen(id)),
    })),
  ].map(({ userIds, oldest }) => ({ narrow: { kind: "direct", userIds } as const, oldest }));
  const others = waiting.filter(({ narrow, oldest }) => oldest !== undefined && narrowKey(narrow) !== hereKey);
  return others.sort((a, b) => (a.oldest ?? 0) - (b.oldest ?? 0))[0]?.narrow;
}
