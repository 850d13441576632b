import { ApiError, problem } from "../../errors.ts";
import type { Reader, Transaction } from "../../storage/transaction.ts";
import { seesUnsubscribed } from "../access/channels.ts";
import type { MemberChange, NewUserGroup, UserGroupChange } from "../access/user-groups.ts";
import { channelsShownBy, userGroupOnWire, usesOf } from "../presenters/user-groups.ts";
import type { Channel } from "../queries/channels.ts";
import { SYSTEM_GROUPS, USER_GROUP_GROUP_SETTINGS } from "../queries/permission-settings.ts";
import { subscribersOf } from "../queries/subscriptions.ts";
import { groupsHolding, shownGroupSetting, systemGroupId, usersInGroup } from "../queries/user-group-members.ts";
import {
  USER_GROUP_SETTING_NAMES,
  type UserGroup,
  type UserGroupSettings,
  userGroupById,
  userGroupNameKey,
} from "../queries/user-groups.ts";
import { activeUserIds, type User, userById } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { aboutChannel, announceChannel, announceChannelRemoved, MAX_VISIBILITY_PAIRS } from "./channels.ts";
import { resetEventQueues } from "./event-queues.ts";
import { watchReminders } from "./reminders.ts";
import { insertRow } from "./rows.ts";

const SETTINGS = USER_GROUP_SETTING_NAMES;
const ASSIGN_SETTINGS = SETTINGS.map((name) => `${name} = ?`).join(", ");

const valuesOf = (settings: UserGroupSettings): string[] => SETTINGS.map((name) => JSON.stringify(settings[name]));

/**
 * Creates the eight system groups (docs/protocol.md#system-groups). Each contains the next narrower group. Membership
 * follows from roles, so they have no member rows.
 */
export function createSystemGroups(tx: Transaction): void {
  // Starts with role:nobody, because its ID is the value of all settings, including its own. Then come owners and wider
  // groups.
  let nobody = 0;
  let narrower: number | undefined;
  for (const { name, description } of SYSTEM_GROUPS.toReversed()) {
    const id = tx.run(
      `INSERT INTO user_groups (name, name_key, description, is_system_group, ${SETTINGS.join(", ")})
       VALUES (?, ?, ?, 1, ${SETTINGS.map(() => "?").join(", ")})`,
      name,
      userGroupNameKey(name),
      description,
      ...SETTINGS.map(() => String(nobody)),
    );
    if (name === "role:nobody") {
      nobody = id;
      tx.run(`UPDATE user_groups SET ${ASSIGN_SETTINGS} WHERE id = ?`, ...SETTINGS.map(() => String(nobody)), id);
      continue;
    }
    if (narrower !== undefined) {
      insertRow(tx, "user_group_subgroups", { group_id: id, subgroup_id: narrower });
    }
    narrower = id;
  }
}

function initialSettings(reader: Reader, creator: User): UserGroupSettings {
  const settings: Partial<UserGroupSettings> = {};
  for (const name of USER_GROUP_SETTING_NAMES) {
    const { initial } = USER_GROUP_GROUP_SETTINGS[name];
    settings[name] =
      initial === "group_creator"
        ? { direct_members: [creator.id], direct_subgroups: [] }
        : systemGroupId(reader, initial);
  }
  return settings as UserGroupSettings;
}

/** The name must be free. */
export function createUserGroup(
  tx: Transaction,
  creator: User,
  input: NewUserGroup & { settings: Partial<UserGroupSettings> },
): UserGroup {
  const settings = { ...initialSettings(tx, creator), ...input.settings };
  const id = tx.run(
    `INSERT INTO user_groups (name, name_key, description, creator_id, created_at, ${SETTINGS.join(", ")})
     VALUES (?, ?, ?, ?, ?, ${SETTINGS.map(() => "?").join(", ")})`,
    input.name,
    userGroupNameKey(input.name),
    input.description,
    creator.id,
    tx.now,
    ...valuesOf(settings),
  );
  putMembers(tx, id, input.members);
  putGroups(tx, id, input.subgroups);
  const group = userGroupById(tx, id) as UserGroup;
  tx.emit({ type: "user_group", op: "add", group: userGroupOnWire(tx, group, tx.now) }, { users: activeUserIds(tx) });
  const { name, description, members, subgroups } = input;
  recordAudit(tx, creator, {
    action: "create user group",
    target: `user group ${id}`,
    after: { name, description, members, subgroups, ...settings },
  });
  return group;
}

export function changeUserGroup(
  tx: Transaction,
  actor: User,
  group: UserGroup,
  { data, reactivates }: UserGroupChange,
): void {
  if (reactivates) reactivateUserGroup(tx, actor, group);
  const changed = Object.keys(data) as (keyof typeof data)[];
  if (changed.length === 0) return;
  const { name, description, ...settings } = { ...group, ...data };
  tx.run(
    `UPDATE user_groups SET name = ?, name_key = ?, description = ?, ${ASSIGN_SETTINGS} WHERE id = ?`,
    name,
    userGroupNameKey(name),
    description,
    ...valuesOf(settings),
    group.id,
  );
  const about = aboutGroup(userGroupById(tx, group.id) as UserGroup);
  const shown = Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, typeof value === "object" ? shownGroupSetting(tx, value) : value]),
  );
  tx.emit(
    { type: "user_group", op: "update", group_id: group.id, data: shown, ...about },
    { users: activeUserIds(tx) },
  );
  recordAudit(tx, actor, {
    action: "change user group",
    target: `user group ${group.id}`,
    before: Object.fromEntries(changed.map((one) => [one, group[one]])),
    after: data,
  });
}

function setDeactivated(tx: Transaction, actor: User, group: UserGroup, deactivated: boolean): void {
  tx.run("UPDATE user_groups SET deactivated = ? WHERE id = ?", Number(deactivated), group.id);
  const users = activeUserIds(tx);
  const change = { type: "user_group", op: "update", group_id: group.id, data: { deactivated } } as const;
  tx.emit({ ...change, include_deactivated_groups: true }, { users });
  recordAudit(tx, actor, {
    action: deactivated ? "deactivate user group" : "reactivate user group",
    target: `user group ${group.id}`,
  });
}

/** Errors: CANNOT_DEACTIVATE_GROUP_IN_USE, with the settings and groups that use it. */
export function deactivateUserGroup(tx: Transaction, actor: User, group: UserGroup): void {
  const objections = usesOf(tx, actor, group.id);
  if (objections.length > 0) {
    throw new ApiError("CANNOT_DEACTIVATE_GROUP_IN_USE", problem("group_in_use"), { objections });
  }
  setDeactivated(tx, actor, group, true);
  const removed = { type: "user_group", op: "remove", group_id: group.id, include_deactivated_groups: false } as const;
  tx.emit(removed, { users: activeUserIds(tx) });
}

function reactivateUserGroup(tx: Transaction, actor: User, group: UserGroup): void {
  setDeactivated(tx, actor, group, false);
  const wire = userGroupOnWire(tx, userGroupById(tx, group.id) as UserGroup, tx.now);
  const added = { type: "user_group", op: "add", group: wire, include_deactivated_groups: false } as const;
  tx.emit(added, { users: activeUserIds(tx) });
}

/** Only clients that support deactivated groups get events about them. */
export const aboutGroup = ({ deactivated }: UserGroup): { include_deactivated_groups?: true } =>
  deactivated ? { include_deactivated_groups: true } : {};

/** `userIds`: new members, ascending. Sends no events. */
const putMembers = (tx: Transaction, groupId: number, userIds: readonly number[]): void => {
  if (userIds.length === 0) return;
  const sql = "INSERT INTO user_group_members (group_id, user_id) SELECT ?, value FROM json_each(?) ORDER BY value";
  tx.run(sql, groupId, JSON.stringify(userIds));
};

const putGroups = (tx: Transaction, groupId: number, subgroupIds: readonly number[]): void => {
  if (subgroupIds.length === 0) return;
  const sql =
    "INSERT INTO user_group_subgroups (group_id, subgroup_id) SELECT ?, value FROM json_each(?) ORDER BY value";
  tx.run(sql, groupId, JSON.stringify(subgroupIds));
};

/**
 * Call this before a change of group members, with the users who may be affected. After the change, call the returned
 * function. It announces private channels that became visible or invisible. Not for role changes: administrators also
 * see channels without any of their groups.
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
  // Subscribers see the channel regardless of groups.
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
      announceChannelRemoved(tx, channel, lost, aboutChannel(channel));
      const gained = after.filter((id) => !saw.has(id));
      announceChannel(tx, channel, gained, aboutChannel(channel));
    }
  };
}

/** Each kind of change has its own event. */
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
