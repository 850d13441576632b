import type { Of, State } from "../../api/state-shape.ts";
import { MUTED, topicKey } from "../../api/topic-keys.ts";
import { subscriptionTo } from "./selectors.ts";
import { unreadCounts } from "./unread.ts";

/** visibility_policy: docs/protocol.md#visibility-policies */
const [UNMUTED, FOLLOWED] = [2, 3];

export interface Notice {
  readonly isShown: boolean;
  readonly isHeard: boolean;
}

const NOTHING: Notice = { isShown: false, isHeard: false };
const WILDCARDS = ["stream_wildcard_mentioned", "topic_wildcard_mentioned"];

const policyOf = (state: State, channelId: number, topic: string): number | undefined => {
  const key = topicKey(channelId, topic);
  return state.user_topics?.find((one) => topicKey(one.stream_id, one.topic_name) === key)?.visibility_policy;
};

/** Combines the settings of the user, the channel and the topic. */
export function noticeOf(state: State, { message, flags }: Of<"message">): Notice {
  const settings = state.user_settings;
  if (!settings || message.sender_id === state.user_id || flags.includes("read")) return NOTHING;
  const personal: Notice = { isShown: settings.enable_desktop_notifications, isHeard: settings.enable_sounds };
  if (message.type === "private" || flags.includes("mentioned") || flags.includes("has_alert_word")) return personal;
  const channelId = message.stream_id as number;
  const channel = subscriptionTo(state, channelId);
  if (!channel) return NOTHING;
  const policy = policyOf(state, channelId, message.subject);
  const isFollowed = policy === FOLLOWED;
  if (policy === MUTED || (channel.is_muted && policy !== UNMUTED && !isFollowed)) return NOTHING;
  const notifiesWildcards = isFollowed
    ? settings.enable_followed_topic_wildcard_mentions_notify
    : (channel.wildcard_mentions_notify ?? settings.wildcard_mentions_notify);
  if (notifiesWildcards && flags.some((flag) => WILDCARDS.includes(flag))) return personal;
  const isShown =
    (isFollowed && settings.enable_followed_topic_desktop_notifications) ||
    (channel.desktop_notifications ?? settings.enable_stream_desktop_notifications);
  const isHeard =
    (isFollowed && settings.enable_followed_topic_audible_notifications) ||
    (channel.audible_notifications ?? settings.enable_stream_audible_notifications);
  return { isShown, isHeard };
}

/** desktop_icon_count_display */
const COUNTED = { all: 1, personalAndFollowed: 2, personal: 3, none: 4 } as const;

/** The unread count in the page's title and icon. */
export function shownCount(state: State): number {
  const unread = state.unread_msgs;
  const counted = state.user_settings?.desktop_icon_count_display ?? COUNTED.all;
  if (!unread || counted === COUNTED.none) return 0;
  if (counted === COUNTED.all) return unreadCounts(state).total;
  const ids = new Set(unread.mentions);
  if (counted === COUNTED.personalAndFollowed)
    for (const { stream_id, topic, unread_message_ids } of unread.streams)
      if (policyOf(state, stream_id, topic) === FOLLOWED) for (const id of unread_message_ids) ids.add(id);
  for (const { unread_message_ids } of [...unread.pms, ...unread.huddles])
    for (const id of unread_message_ids) ids.delete(id);
  return ids.size + unreadCounts(state).direct;
}

/** web_mark_read_on_scroll_policy */
const READS = { always: 1, inConversations: 2, never: 3 } as const;

/** Whether visible messages become read. */
export function countsAsRead(state: State, isConversation: boolean): boolean {
  const policy = state.user_settings?.web_mark_read_on_scroll_policy ?? READS.always;
  return policy === READS.always || (policy === READS.inConversations && isConversation);
}
