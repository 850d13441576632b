import { canSeeUser } from "../access/people.ts";
import { systemBotIds } from "../access/system-bots.ts";
import { type User, userById } from "../access/users.ts";
import type { Reader } from "../storage/transaction.ts";
import { conversationMembers } from "./conversations.ts";
import { CHUNK, messageIndex } from "./message-index.ts";
import { hasMuted, mutersOf } from "./muted-users.ts";
import { FLAG } from "./read-state.ts";
import { subscribersAt, subscribersOf } from "./subscriptions.ts";
import { userSetting } from "./user-settings.ts";

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
  const { sender, sent, place } = entry;
  const received = new Set(sent === 0 ? conversationMembers(reader, -place) : subscribersAt(reader, sent, id));
  const here: ReadonlySet<number> = place < 0 ? received : subscribersOf(reader, place).has;
  const bots = systemBotIds(reader);
  const muters = mutersOf(reader, sender);
  const havers = [...new Set([...received, ...whoKept(reader, id)])].filter(
    (user) =>
      user !== sender &&
      !bots.includes(user) &&
      !muters.has(user) &&
      userById(reader, user)?.is_active &&
      userSetting(reader, user, "send_read_receipts"),
  );
  const differing = whoDiffers(reader, id, havers);
  const isUnread = (user: number) => here.has(user) && received.has(user) !== differing.has(user);
  return havers.filter((user) => !isUnread(user)).sort((a, b) => a - b);
}

/** To whom it never came, and who made it part of their own history. */
const whoKept = (reader: Reader, id: number): number[] =>
  reader
    .all<{ user: number }>(
      "SELECT user_id AS user FROM message_flags WHERE message_id = ? AND flags & ?",
      id,
      FLAG.historical,
    )
    .map(({ user }) => user);

/** Those of these people for whom the message's read state is other than the default. */
function whoDiffers(reader: Reader, id: number, userIds: readonly number[]): Set<number> {
  const bytes = reader.all<{ user: number; byte: string }>(
    `SELECT user_id AS user, hex(substr(bits, ?, 1)) AS byte
     FROM json_each(?) CROSS JOIN read_differences ON user_id = value AND chunk = ?`,
    ((id % CHUNK) >> 3) + 1,
    JSON.stringify(userIds),
    Math.floor(id / CHUNK),
  );
  return new Set(bytes.filter(({ byte }) => Number.parseInt(byte, 16) & (1 << (id & 7))).map(({ user }) => user));
}
