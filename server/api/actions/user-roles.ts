import type { Transaction } from "../../storage/transaction.ts";
import { canSeeChannel } from "../access/channels.ts";
import { deliveryEmail, hidesEmail } from "../access/email-visibility.ts";
import { canSeeUser, usersWhoCanSee } from "../access/people.ts";
import { allChannels, type Channel, defaultChannels } from "../queries/channels.ts";
import { defaultStreamGroups } from "../queries/default-stream-groups.ts";
import type { SystemGroupName } from "../queries/permission-settings.ts";
import { subscribersOf } from "../queries/subscriptions.ts";
import { systemGroupId, systemGroupsOf } from "../queries/user-group-members.ts";
import { activeUserIds, allUsers, ROLES, type Role, type User, userById } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { announceManagers, botManagers } from "./bot-events.ts";
import { aboutChannel, announceChannel, announceChannelRemoved } from "./channels.ts";
import { resetEventQueues } from "./event-queues.ts";
import { revokeInvitationsBeyond } from "./invitations.ts";
import { watchReminders } from "./reminders.ts";
import { watchPeople } from "./user-visibility.ts";

/** Announces which system groups the user joins and leaves. */
export function announceRoleGroups(
  tx: Transaction,
  user: User,
  { before, after }: { before: readonly SystemGroupName[]; after: readonly SystemGroupName[] },
): void {
  const users = activeUserIds(tx);
  for (const [op, names, others] of [
    ["remove_members", before, after],
    ["add_members", after, before],
  ] as const) {
    for (const name of names) {
      if (others.includes(name)) continue;
      tx.emit({ type: "user_group", op, group_id: systemGroupId(tx, name), user_ids: [user.id] }, { users });
    }
  }
}

/** By user ID: email addresses that the viewer sees of users who hide theirs. */
function hiddenEmailsSeenBy(tx: Transaction, viewer: User): Map<number, string | null> {
  const hiding = allUsers(tx).filter((user) => user.id !== viewer.id && hidesEmail(tx, user));
  return new Map(
    hiding.filter((user) => canSeeUser(tx, viewer, user)).map((user) => [user.id, deliveryEmail(tx, user, viewer)]),
  );
}

const channelsSeenBy = (tx: Transaction, user: User): Channel[] =>
  allChannels(tx).filter((channel) => canSeeChannel(tx, user, channel));

/** Announces the role to everyone, and its effects to the user. Lowers the roles of the user's bots if needed. */
export function changeRole(tx: Transaction, actor: User | null, user: User, role: Role): void {
  if (role === user.role) return;
  const groupsBefore = systemGroupsOf(tx, user, tx.now);
  const emailsBefore = hiddenEmailsSeenBy(tx, user);
  const channelsBefore = channelsSeenBy(tx, user);
  const announcePeople = watchPeople(tx, { changing: [user.id], among: () => new Set() });
  const announceReminders = watchReminders(tx, { users: [user.id] });
  const managersBefore = botManagers(tx);
  tx.run("UPDATE users SET role = ? WHERE id = ?", role, user.id);
  const changed = userById(tx, user.id) as User;
  tx.emit(
    { type: "realm_user", op: "update", person: { user_id: user.id, role } },
    { users: usersWhoCanSee(tx, changed) },
  );
  announceRoleGroups(tx, changed, { before: groupsBefore, after: systemGroupsOf(tx, changed, tx.now) });
  recordAudit(tx, actor, { action: "change role", target: `user ${user.id}`, before: user.role, after: role });
  if (changed.is_active) {
    announcePeople();
    const channels = channelsChanged(tx, changed, channelsBefore);
    const emails = emailsChanged(tx, changed, emailsBefore);
    if (emails.length > MAX_EMAILS || weightOf(tx, channels.gained) > MAX_WEIGHT) resetEventQueues(tx, [user.id]);
    else {
      announceEmails(tx, changed, emails);
      announceDefaults(tx, user, changed);
      announceChannels(tx, changed, channels);
      announceReminders();
    }
  }
  announceManagers(tx, managersBefore);
  if (role > user.role) revokeInvitationsBeyond(tx, changed);
  const bots = tx.all<{ id: number }>(
    "SELECT id FROM users WHERE bot_owner_id = ? AND role < ? ORDER BY id",
    user.id,
    role,
  );
  for (const { id } of bots) changeRole(tx, actor, userById(tx, id) as User, role);
}

/** Above these limits, the user's queues are reset. The weight counts channels and their subscribers. */
const MAX_EMAILS = 1000;
const MAX_WEIGHT = 50_000;
const CHANNEL_WEIGHT = 300;

const weightOf = (tx: Transaction, channels: readonly Channel[]): number =>
  channels.reduce((sum, { id }) => sum + CHANNEL_WEIGHT + subscribersOf(tx, id).ids.length, 0);

type SeenEmail = readonly [userId: number, email: string | null];

/** Leaves out newly visible users: their event contains the email address. */
const emailsChanged = (tx: Transaction, viewer: User, before: ReadonlyMap<number, string | null>): SeenEmail[] =>
  [...hiddenEmailsSeenBy(tx, viewer)].filter(([id, email]) => before.has(id) && before.get(id) !== email);

function announceEmails(tx: Transaction, viewer: User, changed: readonly SeenEmail[]): void {
  for (const [user_id, delivery_email] of changed)
    tx.emit({ type: "realm_user", op: "update", person: { user_id, delivery_email } }, { users: [viewer.id] });
}

/** Guests have no default channels. */
function announceDefaults(tx: Transaction, before: User, after: User): void {
  const isGuest = after.role === ROLES.guest;
  if (isGuest === (before.role === ROLES.guest)) return;
  const users = [after.id];
  const default_streams = isGuest ? [] : defaultChannels(tx).map(({ id }) => id);
  tx.emit({ type: "default_streams", default_streams }, { users });
  const default_stream_groups = isGuest ? [] : defaultStreamGroups(tx);
  tx.emit({ type: "default_stream_groups", default_stream_groups }, { users });
}

interface ChannelsChanged {
  gained: Channel[];
  lost: Channel[];
}

function channelsChanged(tx: Transaction, user: User, before: readonly Channel[]): ChannelsChanged {
  const after = channelsSeenBy(tx, user);
  const [saw, sees] = [new Set(before.map(({ id }) => id)), new Set(after.map(({ id }) => id))];
  return { gained: after.filter(({ id }) => !saw.has(id)), lost: before.filter(({ id }) => !sees.has(id)) };
}

function announceChannels(tx: Transaction, user: User, { gained, lost }: ChannelsChanged): void {
  for (const channel of lost) announceChannelRemoved(tx, channel, [user.id], aboutChannel(channel));
  for (const channel of gained) announceChannel(tx, channel, [user.id], aboutChannel(channel));
}
