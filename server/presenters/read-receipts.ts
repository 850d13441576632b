import { canSeeUser } from "../access/people.ts";
import { conversationMembers } from "../queries/conversations.ts";
import { messageIndex } from "../queries/message-index.ts";
import { hasMuted, mutersOf } from "../queries/muted-users.ts";
import { usersWithHistoricalFlag, usersWithOverride } from "../queries/read-state.ts";
import { subscribersAt, subscribersOf } from "../queries/subscriptions.ts";
import { systemBotIds } from "../queries/system-bots.ts";
import { userSetting } from "../queries/user-settings.ts";
import { type User, userById } from "../queries/users.ts";
import type { Reader } from "../storage/transaction.ts";

/** As far as the viewer may know of them and has not muted them. */
export const readersSeenBy = (reader: Reader, viewer: User, id: number): number[] =>
  readersOf(reader, id).filter(
    (user) => !hasMuted(reader, viewer.id, user) && canSeeUser(reader, viewer, userById(reader, user) as User),
  );

/**
 * Who of those that have the message has read it and lets others know, ascending: the sender is never among them, nor
 * is who has muted the sender, to whom it counted as read when it came. As `ReadState.isUnread`, for everybody at once:
 * a few queries, however many received it.
 */
export function readersOf(reader: Reader, id: number): number[] {
  const entry = messageIndex(reader).entry(reader, id);
  if (!entry) return [];
  const { sender, sent, location } = entry;
  const received = new Set(sent === 0 ? conversationMembers(reader, -location) : subscribersAt(reader, sent, id));
  const here: ReadonlySet<number> = location < 0 ? received : subscribersOf(reader, location).has;
  const bots = systemBotIds(reader);
  const muters = mutersOf(reader, sender);
  const havers = [...new Set([...received, ...usersWithHistoricalFlag(reader, id)])].filter(
    (user) =>
      user !== sender &&
      !bots.includes(user) &&
      !muters.has(user) &&
      userById(reader, user)?.is_active &&
      userSetting(reader, user, "send_read_receipts"),
  );
  const differing = usersWithOverride(reader, id, havers);
  const isUnread = (user: number) => here.has(user) && received.has(user) !== differing.has(user);
  return havers.filter((user) => !isUnread(user)).sort((a, b) => a - b);
}
