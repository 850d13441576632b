import type { Transaction } from "../../storage/transaction.ts";
import { seesUnsubscribed } from "../access/channels.ts";
import type { MemberChange } from "../access/user-groups.ts";
import { channelsShownBy } from "../presenters/user-groups.ts";
import type { Channel } from "../queries/channels.ts";
import { subscribersOf } from "../queries/subscriptions.ts";
import { groupsHolding, usersInGroup } from "../queries/user-group-members.ts";
import { type UserGroup, userGroupById } from "../queries/user-groups.ts";
import { activeUserIds, type User, userById } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { aboutChannel, announceChannel, announceGone, MAX_VISIBILITY_PAIRS } from "./channel-visibility.ts";
import { resetEventQueues } from "./event-queues.ts";
import { watchReminders } from "./reminders.ts";

/** Events about a deactivated group are for clients that know such groups. */
export const aboutGroup = ({ deactivated }: UserGroup): { include_deactivated_groups?: true } =>
  deactivated ? { include_deactivated_groups: true } : {};

/** `userIds`: not in the group yet, ascending. Announces nothing. */
export const putMembers = (tx: Transaction, groupId: number, userIds: readonly number[]): void => {
  if (userIds.length === 0) return;
  const sql = "INSERT INTO user_group_members (group_id, user_id) SELECT ?, value FROM json_each(?) ORDER BY value";
  tx.run(sql, groupId, JSON.stringify(userIds));
};

export const putGroups = (tx: Transaction, groupId: number, subgroupIds: readonly number[]): void => {
  if (subgroupIds.length === 0) return;
  const sql =
    "INSERT INTO user_group_subgroups (group_id, subgroup_id) SELECT ?, value FROM json_each(?) ORDER BY value";
  tx.run(sql, groupId, JSON.stringify(subgroupIds));
};

/**
 * Call it before a change of who is in these groups, with the users whom it may affect, and the function that it
 * returns afterwards. That announces private channels that became visible to them, or invisible. Not for changes of
 * roles: administrators also see channels that name no group of theirs.
 */
function watchChannelVisibility(
  tx: Transaction,
  { groupIds, people }: { groupIds: Iterable<number>; people: Iterable<number> },
): () => void {
  const touched = new Set<number>();
  for (const id of groupIds) {
    touched.add(id);
    for (const holder of groupsHolding(tx, id)) touched.add(holder);
  }
  const asked = [...people].sort((a, b) => a - b);
  const channels = channelsShownBy(tx, touched);
  if (channels.length * asked.length > MAX_VISIBILITY_PAIRS) return () => resetEventQueues(tx, asked);
  // Subscribers see the channel whatever their groups.
  const seenBy = (channel: Channel): number[] => {
    const { has } = subscribersOf(tx, channel.id);
    return asked.filter((userId) => {
      const user = has.has(userId) ? undefined : userById(tx, userId);
      return user?.is_active && seesUnsubscribed(tx, user, channel);
    });
  };
  const before = channels.map((channel) => ({ channel, users: seenBy(channel) }));
  return () => {
    for (const { channel, users } of before) {
      const after = seenBy(channel);
      const [saw, sees] = [new Set(users), new Set(after)];
      const lost = users.filter((id) => !sees.has(id));
      announceGone(tx, channel, lost, aboutChannel(channel));
      const gained = after.filter((id) => !saw.has(id));
      announceChannel(tx, channel, gained, aboutChannel(channel));
    }
  };
}

/** Changes the members and subgroups of a group. Each kind of change has its own event. */
export function changeMembers(tx: Transaction, actor: User | null, change: MemberChange): void {
  const { group, add, remove, addSubgroups, removeSubgroups } = change;
  const users = activeUserIds(tx);
  const about = { type: "user_group", group_id: group.id, ...aboutGroup(group) } as const;
  const people = new Set([...add, ...remove]);
  for (const id of [...addSubgroups, ...removeSubgroups])
    for (const userId of usersInGroup(tx, id, tx.now)) people.add(userId);
  const announceVisibility = watchChannelVisibility(tx, { groupIds: [group.id], people });
  const announceReminders = watchReminders(tx, { users: [...people] });
  if (add.length > 0) {
    putMembers(tx, group.id, add);
    tx.emit({ ...about, op: "add_members", user_ids: add }, { users });
  }
  if (remove.length > 0) {
    const sql = "DELETE FROM user_group_members WHERE group_id = ? AND user_id IN (SELECT value FROM json_each(?))";
    tx.run(sql, group.id, JSON.stringify(remove));
    tx.emit({ ...about, op: "remove_members", user_ids: remove }, { users });
  }
  if (addSubgroups.length > 0) {
    putGroups(tx, group.id, addSubgroups);
    tx.emit({ ...about, op: "add_subgroups", direct_subgroup_ids: addSubgroups }, { users });
  }
  if (removeSubgroups.length > 0) {
    const sql =
      "DELETE FROM user_group_subgroups WHERE group_id = ? AND subgroup_id IN (SELECT value FROM json_each(?))";
    tx.run(sql, group.id, JSON.stringify(removeSubgroups));
    tx.emit({ ...about, op: "remove_subgroups", direct_subgroup_ids: removeSubgroups }, { users });
  }
  announceVisibility();
  announceReminders();
  const done = Object.entries({ add, remove, addSubgroups, removeSubgroups }).filter(([, ids]) => ids.length > 0);
  if (done.length === 0) return;
  recordAudit(tx, actor, {
    action: "change members of user group",
    target: `user group ${group.id}`,
    after: Object.fromEntries(done),
  });
}

/** Removes a user from all groups that name them. System groups need nothing: they follow from the role. */
export function leaveAllGroups(tx: Transaction, actor: User | null, user: User): void {
  const memberships = tx.all<{ id: number }>(
    "SELECT group_id AS id FROM user_group_members WHERE user_id = ? ORDER BY group_id",
    user.id,
  );
  for (const { id } of memberships) {
    const group = userGroupById(tx, id) as UserGroup;
    changeMembers(tx, actor, { group, add: [], remove: [user.id], addSubgroups: [], removeSubgroups: [] });
  }
}
