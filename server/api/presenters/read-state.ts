import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { canSeeUser } from "../access/people.ts";
import { systemBotIds } from "../queries/bots.ts";
import { conversationMembers } from "../queries/conversations.ts";
import { messageIndex } from "../queries/message-index.ts";
import { hasMuted, mutersOf } from "../queries/muted-users.ts";
import {
  FLAG,
  flagged,
  flagsOf,
  MENTIONS,
  NEWEST_UNREAD,
  ReadState,
  topicName,
  usersWithHistoricalFlag,
  usersWithOverride,
} from "../queries/read-state.ts";
import { subscribersAt, subscribersOf } from "../queries/subscriptions.ts";
import { displayedTopic, mutedFor } from "../queries/topics.ts";
import { userSetting } from "../queries/user-settings.ts";
import { type User, userById } from "../queries/users.ts";
import { type RegisterContext, registerPart } from "./register-part.ts";

const FLAGS = Object.entries(FLAG);

/** A message's flags as clients read them (docs/protocol.md#message-flags). */
export function wireFlags(unread: boolean, bits: number): string[] {
  const flags = unread ? [] : ["read"];
  for (const [name, bit] of FLAGS) if (bits & bit) flags.push(name);
  if (bits & (FLAG.stream_wildcard_mentioned | FLAG.topic_wildcard_mentioned)) flags.push("wildcard_mentioned");
  return flags;
}

/** The user's flags for each of these messages. A message that the user never received is `historical`. */
export function flagsForViewer(reader: Reader, state: ReadState, ids: readonly number[]): Map<number, string[]> {
  const bits = flagsOf(reader, state.userId, ids);
  return new Map(
    ids.map((id) => {
      const sender = state.index.entry(reader, id)?.sender;
      const historical = sender !== state.userId && !state.received(id) ? FLAG.historical : 0;
      return [id, wireFlags(state.isUnread(id), (bits.get(id) ?? 0) | historical)];
    }),
  );
}

const ids = z.array(z.int());
export const wireUnreadMessages = z.object({
  count: z.int().describe("Excludes muted messages."),
  pms: z.array(z.object({ other_user_id: z.int(), sender_id: z.int(), unread_message_ids: ids })),
  streams: z.array(z.object({ topic: z.string(), stream_id: z.int(), unread_message_ids: ids })),
  huddles: z.array(z.object({ user_ids_string: z.string(), unread_message_ids: ids })),
  mentions: ids,
  old_unreads_missing: z.boolean(),
});
export type WireUnreadMessages = z.output<typeof wireUnreadMessages>;

/** The `unread_msgs` of /register: the newest 50,000 unread messages. `count` excludes muted ones. */
export function unreadMessages(reader: Reader, viewer: User, allowEmptyTopic: boolean): WireUnreadMessages {
  const state = new ReadState(reader, viewer.id);
  const unread = state.unread({ limit: NEWEST_UNREAD + 1, remember: true });
  const missing = unread.length > NEWEST_UNREAD;
  if (missing) unread.pop();
  unread.reverse();
  const groups = new Map<string, { location: number; topic: number; ids: number[] }>();
  let count = 0;
  const muted = mutedFor(reader, viewer.id);
  for (const id of unread) {
    const entry = state.index.entry(reader, id);
    if (!entry) continue;
    if (!muted(entry.location, entry.topic)) count += 1;
    const key = `${entry.location} ${entry.topic}`;
    const group = groups.get(key);
    if (group) group.ids.push(id);
    else groups.set(key, { location: entry.location, topic: entry.topic, ids: [id] });
  }
  const answer: WireUnreadMessages = {
    count,
    pms: [],
    streams: [],
    huddles: [],
    mentions: [],
    old_unreads_missing: missing,
  };
  for (const { location, topic, ids } of groups.values()) {
    if (location > 0) {
      const name = displayedTopic(topicName(reader, state.index, topic), allowEmptyTopic);
      answer.streams.push({ topic: name, stream_id: location, unread_message_ids: ids });
      continue;
    }
    const members = conversationMembers(reader, -location);
    if (members.length > 2) {
      answer.huddles.push({ user_ids_string: members.join(","), unread_message_ids: ids });
    } else {
      const other = members.find((id) => id !== viewer.id) ?? viewer.id;
      answer.pms.push({ other_user_id: other, sender_id: other, unread_message_ids: ids });
    }
  }
  const isUnread = new Set(unread);
  const [oldest] = unread;
  if (oldest !== undefined) {
    answer.mentions = flagged(reader, viewer.id, MENTIONS, oldest).filter((id) => isUnread.has(id));
  }
  return answer;
}

/** The first /register of a long-time member scans all of their messages. */
function* readMessagesAhead({ reader, viewer, fetches }: RegisterContext): Generator<undefined, void> {
  mutedFor(reader, viewer.id); // fills a cache by topic number, valid until a topic is created
  if (!fetches("update_message_flags")) return;
  let next: number | undefined;
  let count = 0;
  do {
    yield;
    // Created again in each turn, since a concurrent change can mark messages as unread.
    const found = new ReadState(reader, viewer.id).readAhead(next);
    next = found.next;
    count += found.count;
  } while (next >= 0 && count <= NEWEST_UNREAD);
}

export const registerParts = {
  message: registerPart({
    fields: { max_message_id: z.int(), unread_msgs: wireUnreadMessages.exactOptional() },
    read: ({ reader, viewer, capabilities, fetches }) => ({
      max_message_id: new ReadState(reader, viewer.id).newestReceived(),
      ...(fetches("update_message_flags") && {
        unread_msgs: unreadMessages(reader, viewer, capabilities.empty_topic_name),
      }),
    }),
    spectators: ({ fetches }) => ({
      max_message_id: -1,
      ...(fetches("update_message_flags") && {
        unread_msgs: { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false },
      }),
    }),
    readAhead: readMessagesAhead,
  }),
  starred_messages: registerPart({
    fields: { starred_messages: z.array(z.int()) },
    read: ({ reader, viewer }) => ({ starred_messages: flagged(reader, viewer.id, FLAG.starred) }),
    spectators: { starred_messages: [] },
  }),
};

/** Users who have read the message, except those that the viewer cannot see or has muted. */
export const readersSeenBy = (reader: Reader, viewer: User, id: number): number[] =>
  readersOf(reader, id).filter(
    (user) => !hasMuted(reader, viewer.id, user) && canSeeUser(reader, viewer, userById(reader, user) as User),
  );

/**
 * Users who have read the message and share read receipts, ascending. Excludes the sender and users who muted the
 * sender, for whom the message counts as read on arrival. Applies the rule of `ReadState.isUnread` to all users in a
 * few queries.
 */
export function readersOf(reader: Reader, id: number): number[] {
  const entry = messageIndex(reader).entry(reader, id);
  if (!entry) return [];
  const { sender, sent, location } = entry;
  const received = new Set(sent === 0 ? conversationMembers(reader, -location) : subscribersAt(reader, sent, id));
  const subscribedNow: ReadonlySet<number> = location < 0 ? received : subscribersOf(reader, location).has;
  const bots = systemBotIds(reader);
  const muters = mutersOf(reader, sender);
  const recipients = [...new Set([...received, ...usersWithHistoricalFlag(reader, id)])].filter(
    (user) =>
      user !== sender &&
      !bots.includes(user) &&
      !muters.has(user) &&
      userById(reader, user)?.is_active &&
      userSetting(reader, user, "send_read_receipts"),
  );
  const overridden = usersWithOverride(reader, id, recipients);
  const isUnread = (user: number) => subscribedNow.has(user) && received.has(user) !== overridden.has(user);
  return recipients.filter((user) => !isUnread(user)).sort((a, b) => a - b);
}
