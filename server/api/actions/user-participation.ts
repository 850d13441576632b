import type { Transaction } from "../../storage/transaction.ts";
import { usersWhoCanSee } from "../access/people.ts";
import { type Channel, channelById } from "../queries/channels.ts";
import { subscribersOf, subscriptionsOf } from "../queries/subscriptions.ts";
import { systemGroupsOf } from "../queries/user-group-members.ts";
import { activeUserIds, ROLES, type User, userById } from "../queries/users.ts";
import { announceNamings } from "./group-settings.ts";
import { announcePeersJoined, announcePeersLeft } from "./subscription-events.ts";
import { announceRoleGroups } from "./user-roles.ts";

/** Subscriptions stay stored for reactivation. */
const subscribedChannels = (tx: Transaction, user: User): Channel[] =>
  [...subscriptionsOf(tx, user.id).values()]
    .filter(({ subscribed }) => subscribed)
    .map(({ channel_id }) => channelById(tx, channel_id) as Channel);

const lastMessageId = (tx: Transaction): number =>
  tx.value<number>("SELECT seq FROM sqlite_sequence WHERE name = 'messages'") ?? 0;

/** The user does not receive messages that are sent until reactivation. */
export function pauseSubscriptions(tx: Transaction, user: User): void {
  const [part, last] = [[`user ${user.id}`], lastMessageId(tx)];
  tx.runOn(
    part,
    "DELETE FROM subscription_periods WHERE user_id = ? AND last_message_id IS NULL AND first_message_id > ?",
    user.id,
    last,
  );
  tx.runOn(
    part,
    "UPDATE subscription_periods SET last_message_id = ? WHERE user_id = ? AND last_message_id IS NULL",
    last,
    user.id,
  );
}

function resumeSubscriptions(tx: Transaction, user: User): void {
  tx.runOn(
    [`user ${user.id}`],
    `INSERT INTO subscription_periods (user_id, channel_id, first_message_id)
     SELECT user_id, channel_id, ? FROM subscriptions WHERE user_id = ? AND subscribed = 1 ORDER BY channel_id`,
    lastMessageId(tx) + 1,
    user.id,
  );
}

/**
 * Public channels without guests have the same audience, so they share an event: a user may be subscribed to hundreds.
 */
export function announcePeer(tx: Transaction, user: User, op: "peer_add" | "peer_remove"): void {
  const everybody = activeUserIds(tx);
  const guests = everybody.filter((id) => userById(tx, id)?.role === ROLES.guest);
  const isPlain = (channel: Channel) =>
    !channel.invite_only &&
    !channel.is_web_public &&
    !channel.is_archived &&
    !guests.some((id) => id !== user.id && subscribersOf(tx, channel.id).has.has(id));
  const channels = subscribedChannels(tx, user);
  const plain = channels.filter(isPlain);
  if (plain.length > 0) {
    const excluded = new Set([...guests, user.id]);
    const users = everybody.filter((id) => !excluded.has(id));
    const stream_ids = plain.map(({ id }) => id);
    tx.emit({ type: "subscription", op, stream_ids, user_ids: [user.id] }, { users });
  }
  const others = channels.filter((channel) => !plain.includes(channel)).map((one) => [one, [user.id]] as const);
  if (op === "peer_add") announcePeersJoined(tx, others);
  else announcePeersLeft(tx, others);
}

/** Restores and announces the subscriptions and groups of a user who has become active. */
export function restoreParticipation(tx: Transaction, user: User): void {
  resumeSubscriptions(tx, user);
  const users = usersWhoCanSee(tx, user);
  tx.emit({ type: "realm_user", op: "update", person: { user_id: user.id, is_active: true } }, { users });
  announceRoleGroups(tx, user, { before: [], after: systemGroupsOf(tx, user, tx.now) });
  announceNamings(tx, user);
  announcePeer(tx, user, "peer_add");
}
