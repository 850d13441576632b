import type { WireUnreadMessages } from "../../server/api/presenters/read-state.ts";
import { insert, without } from "./id-lists.ts";
import type { State } from "./state-shape.ts";
import { MUTED, topicPolicyIn } from "./topic-keys.ts";

export interface MessageLocation {
  stream_id?: number;
  topic?: string;
  /** The other participants of a direct conversation. */
  user_ids?: readonly number[];
}

export function addUnread(
  unread: WireUnreadMessages,
  self: number,
  id: number,
  location: MessageLocation,
  mentioned: boolean,
): WireUnreadMessages {
  const next = { ...unread, mentions: mentioned ? insert(unread.mentions, [id]) : unread.mentions };
  const put = <Group extends { unread_message_ids: number[] }>(
    groups: Group[],
    found: (group: Group) => boolean,
    fresh: Group,
  ): Group[] => {
    const index = groups.findIndex(found);
    if (index < 0) return [...groups, fresh];
    return groups.map((group, at) =>
      at === index ? { ...group, unread_message_ids: insert(group.unread_message_ids, [id]) } : group,
    );
  };
  if (location.stream_id !== undefined) {
    const { stream_id, topic = "" } = location;
    const key = topic.toLowerCase();
    next.streams = put(next.streams, (group) => group.stream_id === stream_id && group.topic.toLowerCase() === key, {
      topic,
      stream_id,
      unread_message_ids: [id],
    });
  } else {
    const others = location.user_ids ?? [];
    if (others.length > 1) {
      const user_ids_string = insert(others, [self]).join(",");
      next.huddles = put(next.huddles, (group) => group.user_ids_string === user_ids_string, {
        user_ids_string,
        unread_message_ids: [id],
      });
    } else {
      const other = others[0] ?? self;
      next.pms = put(next.pms, (group) => group.other_user_id === other, {
        other_user_id: other,
        sender_id: other,
        unread_message_ids: [id],
      });
    }
  }
  return next;
}

export function removeUnread(unread: WireUnreadMessages, removed: ReadonlySet<number>): WireUnreadMessages {
  const remaining = <Group extends { unread_message_ids: number[] }>(groups: Group[]): Group[] =>
    groups
      .map((group) => ({ ...group, unread_message_ids: without(group.unread_message_ids, removed) }))
      .filter((group) => group.unread_message_ids.length > 0);
  return {
    ...unread,
    mentions: without(unread.mentions, removed),
    pms: remaining(unread.pms),
    streams: remaining(unread.streams),
    huddles: remaining(unread.huddles),
  };
}

/** `count` excludes muted topics, and topics without a policy in muted channels. */
function recount(state: State, unread: WireUnreadMessages): WireUnreadMessages {
  const muted = new Set(
    state.subscriptions?.filter((subscription) => subscription.is_muted).map(({ stream_id }) => stream_id),
  );
  const counts = ({ stream_id, topic }: { stream_id: number; topic: string }) => {
    const policy = state.user_topics && topicPolicyIn(state.user_topics, stream_id, topic);
    return policy === undefined ? !muted.has(stream_id) : policy !== MUTED;
  };
  const groups = [...unread.pms, ...unread.huddles, ...unread.streams.filter(counts)];
  return { ...unread, count: groups.reduce((sum, group) => sum + group.unread_message_ids.length, 0) };
}

export const withUnread = (
  state: State,
  change: (unread: WireUnreadMessages, self: number) => WireUnreadMessages,
): State =>
  state.unread_msgs ? { ...state, unread_msgs: recount(state, change(state.unread_msgs, state.user_id ?? 0)) } : state;
