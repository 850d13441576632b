import type { Transaction } from "../../storage/transaction.ts";
import { usersWhoCanSee } from "../access/people.ts";
import { type Channel, channelById } from "../queries/channels.ts";
import { subscribersOf, subscriptionsOf } from "../queries/subscriptions.ts";
import { systemGroupsOf } from "../queries/user-group-members.ts";
import { activeUserIds, ROLES, type User, userById } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { announceBot } from "./bot-events.ts";
import { changeBotOwner } from "./bots.ts";
import { announceNamings } from "./group-settings.ts";
import { revokeInvitationsOf } from "./invitations.ts";
import { deletePresence } from "./presence.ts";
import { endSessions, replaceKey } from "./sessions.ts";
import { announcePeersJoined, announcePeersLeft } from "./subscription-events.ts";
import { announceRoleGroups } from "./user-roles.ts";

const CANCELLED = "Your account was deactivated before it was due.";

/** Subscriptions stay stored for reactivation. */
const subscribedChannels = (tx: Transaction, user: User): Channel[] =>
  [...subscriptionsOf(tx, user.id).values()]
    .filter(({ subscribed }) => subscribed)
    .map(({ channel_id }) => channelById(tx, channel_id) as Channel);

const lastMessageId = (tx: Transaction): number =>
  tx.value<number>("SELECT seq FROM sqlite_sequence WHERE name = 'messages'") ?? 0;

/** The user does not receive messages that are sent until reactivation. */
function pauseSubscriptions(tx: Transaction, user: User): void {
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
function announcePeer(tx: Transaction, user: User, op: "peer_add" | "peer_remove"): void {
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

/**
 * Also deactivates the user's bots, ends sessions and queues, and cancels scheduled messages. Messages stay. API keys are
 * refused until reactivation. `comment`: the reason, for the audit.
 */
export function deactivateUser(tx: Transaction, actor: User | null, user: User, comment?: string): void {
  const bots = tx.all<{ id: number }>(
    "SELECT id FROM users WHERE bot_owner_id = ? AND is_active = 1 ORDER BY id",
    user.id,
  );
  for (const { id } of bots) deactivateUser(tx, actor, userById(tx, id) as User);
  revokeInvitationsOf(tx, user);
  const groupsBefore = systemGroupsOf(tx, user, tx.now);
  deletePresence(tx, user);
  tx.run("UPDATE users SET is_active = 0 WHERE id = ?", user.id);
  endSessions(tx, user);
  tx.run("DELETE FROM event_queues WHERE user_id = ?", user.id);
  tx.run("UPDATE scheduled_messages SET failure = ? WHERE sender_id = ? AND failure IS NULL", CANCELLED, user.id);
  tx.run("UPDATE reminders SET failure = ? WHERE user_id = ? AND failure IS NULL", CANCELLED, user.id);
  pauseSubscriptions(tx, user);
  const deactivated = userById(tx, user.id) as User;
  tx.emit(
    { type: "realm_user", op: "update", person: { user_id: user.id, is_active: false } },
    { users: usersWhoCanSee(tx, deactivated) },
  );
  if (deactivated.is_bot) announceBot(tx, deactivated, { is_active: false });
  announceRoleGroups(tx, deactivated, { before: groupsBefore, after: [] });
  announceNamings(tx, deactivated);
  announcePeer(tx, deactivated, "peer_remove");
  recordAudit(tx, actor, {
    action: "deactivate user",
    target: `user ${user.id}`,
    before: { full_name: user.full_name, role: user.role },
    ...(comment && { after: { comment } }),
  });
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

/**
 * Restores the API key, subscriptions and groups, but not sessions or event queues. If a bot's owner is deactivated, the
 * actor becomes the owner, and the bot gets a new key: the former owner may still know the old one.
 */
export function reactivateUser(tx: Transaction, actor: User, user: User): void {
  tx.run("UPDATE users SET is_active = 1, is_imported_stub = 0 WHERE id = ?", user.id);
  const reactivated = userById(tx, user.id) as User;
  const users = usersWhoCanSee(tx, reactivated);
  if (user.is_imported_stub)
    tx.emit({ type: "realm_user", op: "update", person: { user_id: user.id, is_imported_stub: false } }, { users });
  restoreParticipation(tx, reactivated);
  recordAudit(tx, actor, {
    action: "reactivate user",
    target: `user ${user.id}`,
    after: { full_name: user.full_name, role: user.role },
  });
  if (!reactivated.is_bot) return;
  const owner = reactivated.bot_owner_id === null ? undefined : userById(tx, reactivated.bot_owner_id);
  if (!owner?.is_active) {
    changeBotOwner(tx, actor, reactivated, actor);
    replaceKey(tx, actor, reactivated);
  }
  announceBot(tx, userById(tx, user.id) as User, { is_active: true }, true);
}
