import type { Reader } from "../../storage/transaction.ts";
import { canSeeUser } from "../access/people.ts";
import { conversationMembers } from "../queries/conversations.ts";
import { messageIndex } from "../queries/message-index.ts";
import { hasMuted, mutersOf } from "../queries/muted-users.ts";
import { usersWithHistoricalFlag, usersWithOverride } from "../queries/read-state.ts";
import { subscribersAt, subscribersOf } from "../queries/subscriptions.ts";
import { systemBotIds } from "../queries/system-bots.ts";
import { userSetting } from "../queries/user-settings.ts";
import { type User, userById } from "../queries/users.ts";

/** Who has read the message, without those whom the viewer may not know of or has muted. */
export const readersSeenBy = (reader: Reader, viewer: User, id: number): number[] =>
  readersOf(reader, id).filter(
    (user) => !hasMuted(reader, viewer.id, user) && canSeeUser(reader, viewer, userById(reader, user) as User),
  );

/**
 * Who has read the message and shares read receipts, ascending. Leaves out the sender, and those who muted the sender:
 * for them it counted as read when it came. The same rule as `ReadState.isUnread`, for all users in a few queries.
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
