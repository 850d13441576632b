import { type Notice, noticeOf, quietUntil } from "../../../server/notifications/decision.ts";
import type { Of, State } from "../../api/state-shape.ts";
import { topicKey } from "../../api/topic-keys.ts";
import { subscriptionTo } from "./selectors.ts";
import { unreadCounts } from "./unread.ts";

/** visibility_policy: docs/protocol.md#visibility-policies */
const FOLLOWED = 3;

const policyOf = (state: State, channelId: number, topic: string): number | undefined => {
  const key = topicKey(channelId, topic);
  return state.user_topics?.find((one) => topicKey(one.stream_id, one.topic_name) === key)?.visibility_policy;
};

/** Whether this page shows a notification for the message, and plays a sound. Not during quiet hours. */
export function noticeOfMessage(state: State, { message, flags }: Of<"message">, now: number): Notice | undefined {
  const settings = state.user_settings;
  if (!settings || quietUntil(settings, now, settings.timezone) !== undefined) return undefined;
  const channelId = message.stream_id;
  return noticeOf(settings, {
    isOwn: message.sender_id === state.user_id,
    isDirect: channelId === undefined,
    flags,
    channel: channelId === undefined ? undefined : subscriptionTo(state, channelId),
    policy: channelId === undefined ? 0 : (policyOf(state, channelId, message.subject) ?? 0),
  });
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
