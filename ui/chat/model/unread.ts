import type { State } from "../../api/state-shape.ts";
import { type Narrow, narrowKey } from "./narrow.ts";
import { othersOf } from "./selectors.ts";
import { isTopicMuted } from "./topic-policies.ts";

export interface UnreadCounts {
  /** By `narrowKey` of a topic or direct conversation, including muted ones. */
  readonly conversations: ReadonlyMap<string, number>;
  /** By channel, including muted topics. */
  readonly channels: ReadonlyMap<number, number>;
  /** By channel, without muted topics. */
  readonly unmuted: ReadonlyMap<number, number>;
  readonly direct: number;
  /** All conversations that are not muted. */
  readonly total: number;
  /** Conversations and channels with unread mentions of the user. */
  readonly mentioned: ReadonlySet<string>;
  readonly mentionedChannels: ReadonlySet<number>;
}

type Unread = NonNullable<State["unread_msgs"]>;

const NOTHING: UnreadCounts = {
  conversations: new Map(),
  channels: new Map(),
  unmuted: new Map(),
  direct: 0,
  total: 0,
  mentioned: new Set(),
  mentionedChannels: new Set(),
};

const computed = new WeakMap<Unread, { readonly from: readonly unknown[]; readonly counts: UnreadCounts }>();

/** Cached until a part of the state that it depends on changes. */
export function unreadCounts(state: State): UnreadCounts {
  const { unread_msgs: unread, subscriptions, user_topics, user_id } = state;
  if (!unread) return NOTHING;
  const from = [subscriptions, user_topics, user_id];
  const cached = computed.get(unread);
  if (cached?.from.every((part, at) => part === from[at])) return cached.counts;
  const counts = countUnread(state, unread);
  computed.set(unread, { from, counts });
  return counts;
}

/** Includes muted conversations. */
export const isSomethingUnread = ({ unread_msgs: unread }: State): boolean =>
  unread !== undefined && unread.streams.length + unread.pms.length + unread.huddles.length > 0;

function countUnread(state: State, { streams, pms, huddles, mentions }: Unread): UnreadCounts {
  const conversations = new Map<string, number>();
  const channels = new Map<number, number>();
  const unmuted = new Map<number, number>();
  const mentioned = new Set<string>();
  const mentionedChannels = new Set<number>();
  const mentioning = new Set(mentions);
  const add = (narrow: Narrow, ids: readonly number[]) => {
    const key = narrowKey(narrow);
    conversations.set(key, (conversations.get(key) ?? 0) + ids.length);
    const isMentioned = ids.some((id) => mentioning.has(id));
    if (isMentioned) mentioned.add(key);
    return isMentioned;
  };
  const addTo = (counts: Map<number, number>, id: number, count: number) =>
    counts.set(id, (counts.get(id) ?? 0) + count);
  let total = 0;
  for (const { stream_id: channelId, topic, unread_message_ids: ids } of streams) {
    if (add({ kind: "topic", channelId, topic }, ids)) mentionedChannels.add(channelId);
    addTo(channels, channelId, ids.length);
    if (isTopicMuted(state, channelId, topic)) continue;
    addTo(unmuted, channelId, ids.length);
    total += ids.length;
  }
  let direct = 0;
  for (const { other_user_id, unread_message_ids: ids } of pms) {
    add({ kind: "direct", userIds: [other_user_id] }, ids);
    direct += ids.length;
  }
  for (const { user_ids_string, unread_message_ids: ids } of huddles) {
    add({ kind: "direct", userIds: othersOf(user_ids_string, state.user_id ?? 0) }, ids);
    direct += ids.length;
  }
  return { conversations, channels, unmuted, direct, total: total + direct, mentioned, mentionedChannels };
}
