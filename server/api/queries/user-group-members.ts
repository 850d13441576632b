import { DAY_MS } from "../../storage/ages.ts";
import type { Reader } from "../../storage/transaction.ts";
import { organizationSetting } from "./organization.ts";
import type { GroupSetting, SystemGroupName } from "./permission-settings.ts";
import { activeUserIds, deactivatedUserIds, ROLES, type User, userById } from "./users.ts";

/** Whether the user is a member who has passed the organization's waiting period. */
function isFullMember(reader: Reader, user: User, now: number): boolean {
  const days = organizationSetting(reader, "waiting_period_threshold");
  return days === 0 || user.joined_at + days * DAY_MS <= now;
}

/**
 * The system groups with the user as direct member, as /register and `user_group` events list them
 * (docs/protocol.md#system-groups). A bot belongs to the group of its role.
 */
export function systemGroupsOf(reader: Reader, user: User, now: number): SystemGroupName[] {
  if (!user.is_active) return [];
  if (user.role === ROLES.owner) return ["role:owners"];
  if (user.role === ROLES.administrator) return ["role:administrators"];
  if (user.role === ROLES.moderator) return ["role:moderators"];
  if (user.role === ROLES.guest) return ["role:everyone"];
  return isFullMember(reader, user, now) ? ["role:members", "role:fullmembers"] : ["role:members"];
}

function isInSystemGroup(reader: Reader, user: User, group: SystemGroupName, now: number): boolean {
  if (group === "role:internet" || group === "role:everyone") return true;
  if (group === "role:members") return user.role <= ROLES.member;
  if (group === "role:fullmembers") {
    return user.role < ROLES.member || (user.role === ROLES.member && isFullMember(reader, user, now));
  }
  if (group === "role:moderators") return user.role <= ROLES.moderator;
  if (group === "role:administrators") return user.role <= ROLES.administrator;
  if (group === "role:owners") return user.role === ROLES.owner;
  return false;
}

/** All members of a group: individual users, and roles. */
interface Reach {
  readonly users: Set<number>;
  readonly roles: Set<SystemGroupName>;
}

interface Groups {
  readonly systemName: Map<number, SystemGroupName>;
  readonly systemId: Map<string, number>;
  /** By group, ascending. Filled on demand, since a change of any group clears it. */
  readonly members: Map<number, readonly number[]>;
  readonly subgroups: Map<number, number[]>;
  readonly supergroups: Map<number, number[]>;
  readonly reach: Map<number, Reach>;
}

function grouped<Row>(rows: Row[], key: (row: Row) => number, value: (row: Row) => number): Map<number, number[]> {
  const byKey = new Map<number, number[]>();
  for (const row of rows) {
    const values = byKey.get(key(row));
    if (values) values.push(value(row));
    else byKey.set(key(row), [value(row)]);
  }
  return byKey;
}

const groups = (reader: Reader): Groups =>
  reader.derived("user groups", ["user_groups", "user_group_members", "user_group_subgroups"], (rows) => {
    const system = rows.all<{ id: number; name: SystemGroupName }>(
      "SELECT id, name FROM user_groups WHERE is_system_group = 1 ORDER BY id",
    );
    const held = rows.all<{ group_id: number; subgroup_id: number }>(
      "SELECT group_id, subgroup_id FROM user_group_subgroups",
    );
    return {
      systemName: new Map(system.map(({ id, name }) => [id, name])),
      systemId: new Map(system.map(({ id, name }) => [name, id])),
      members: new Map(),
      subgroups: grouped(
        held,
        (row) => row.group_id,
        (row) => row.subgroup_id,
      ),
      supergroups: grouped(
        held,
        (row) => row.subgroup_id,
        (row) => row.group_id,
      ),
      reach: new Map(),
    };
  });

/** Direct members, deactivated users included, ascending. */
export function storedMembersOf(reader: Reader, groupId: number): readonly number[] {
  const { members } = groups(reader);
  let ids = members.get(groupId);
  if (!ids) {
    const sql = "SELECT user_id AS id FROM user_group_members WHERE group_id = ? ORDER BY user_id";
    ids = reader.values<number>(sql, groupId);
    members.set(groupId, ids);
  }
  return ids;
}

/**
 * All members of the group, including those of its subgroups at any depth. A system group's own subgroups add no one.
 */
function reachOf(reader: Reader, groupId: number): Reach {
  const { systemName, subgroups, reach: reachByGroup } = groups(reader);
  const cached = reachByGroup.get(groupId);
  if (cached) return cached;
  const reach: Reach = { users: new Set(), roles: new Set() };
  const seen = new Set<number>();
  const waiting = [groupId];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const role = systemName.get(id);
    if (role) {
      reach.roles.add(role);
      continue;
    }
    for (const member of storedMembersOf(reader, id)) reach.users.add(member);
    waiting.push(...(subgroups.get(id) ?? []));
  }
  reachByGroup.set(groupId, reach);
  return reach;
}

function isInGroupById(reader: Reader, user: User, id: number, now: number): boolean {
  const role = groups(reader).systemName.get(id);
  if (role) return isInSystemGroup(reader, user, role, now);
  const reach = reachOf(reader, id);
  if (reach.users.has(user.id)) return true;
  for (const held of reach.roles) if (isInSystemGroup(reader, user, held, now)) return true;
  return false;
}

/**
 * Whether a group setting's value includes the user, directly or through subgroups. A deactivated user is in no group.
 */
export function isInGroup(reader: Reader, user: User, setting: GroupSetting, now: number = Date.now()): boolean {
  if (!user.is_active) return false;
  if (typeof setting === "number") return isInGroupById(reader, user, setting, now);
  return (
    setting.direct_members.includes(user.id) ||
    setting.direct_subgroups.some((id) => isInGroupById(reader, user, id, now))
  );
}

/** The active members of the group, directly or through subgroups, in no particular order. */
export function usersInGroup(reader: Reader, id: number, now: number = Date.now()): Set<number> {
  const reach = reachOf(reader, id);
  const found = new Set<number>();
  // No list has the users of a role, so all users are checked; few groups contain roles.
  const candidates = reach.roles.size > 0 ? activeUserIds(reader) : reach.users;
  for (const userId of candidates) {
    const user = userById(reader, userId);
    if (user?.is_active && isInGroupById(reader, user, id, now)) found.add(userId);
  }
  return found;
}

export function systemGroupId(reader: Reader, name: SystemGroupName): number {
  const id = groups(reader).systemId.get(name);
  if (id === undefined) throw new Error(`The system group ${name} is missing: this database holds no organization.`);
  return id;
}

/** The name of the system group with that id, if it is one. */
export const systemGroupName = (reader: Reader, id: number): SystemGroupName | undefined =>
  groups(reader).systemName.get(id);

/** All ids that are reachable from `start`. Includes `start` only if a cycle leads back to it. */
function reachable(start: number, next: ReadonlyMap<number, readonly number[]>): Set<number> {
  const found = new Set<number>();
  const waiting = [...(next.get(start) ?? [])];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    waiting.push(...(next.get(id) ?? []));
  }
  return found;
}

/** The group's subgroups, direct or indirect. */
export const subgroupsIn = (reader: Reader, groupId: number): Set<number> =>
  reachable(groupId, groups(reader).subgroups);

/** The groups that contain this group, directly or indirectly. */
export const groupsHolding = (reader: Reader, groupId: number): Set<number> =>
  reachable(groupId, groups(reader).supergroups);

/** The groups that contain this group directly, ascending. */
export const directlyHolding = (reader: Reader, groupId: number): number[] =>
  [...(groups(reader).supergroups.get(groupId) ?? [])].sort((a, b) => a - b);

/** By group, without deactivated users. They stay stored, so that they are members again when they are reactivated. */
const activeMembers = (reader: Reader): Map<number, readonly number[]> =>
  reader.derived("active group members", ["user_groups", "user_group_members", "users"], () => new Map());

function activeMembersOf(reader: Reader, groupId: number): readonly number[] {
  const cached = activeMembers(reader);
  let ids = cached.get(groupId);
  if (!ids) {
    const deactivated = deactivatedUserIds(reader);
    ids = storedMembersOf(reader, groupId).filter((id) => !deactivated.has(id));
    cached.set(groupId, ids);
  }
  return ids;
}

/**
 * The ids of a group's direct active members and subgroups, ascending. Roles determine a system group's members
 * instead.
 */
export function directlyIn(reader: Reader, groupId: number): { members: number[]; subgroups: number[] } {
  const subgroups = [...(groups(reader).subgroups.get(groupId) ?? [])].sort((a, b) => a - b);
  return { members: [...activeMembersOf(reader, groupId)], subgroups };
}

/** The non-system groups that a user belongs to directly or did before their deactivation, ascending. */
export const storedGroupsOf = (reader: Reader, user: User): number[] =>
  reader.values<number>("SELECT group_id FROM user_group_members WHERE user_id = ? ORDER BY group_id", user.id);

export const namesUser = (setting: GroupSetting, user: User): boolean =>
  typeof setting !== "number" && setting.direct_members.includes(user.id);

const shown = new WeakMap<object, Exclude<GroupSetting, number>>();

/**
 * The value of a group setting as clients see it, without deactivated users. They stay stored, like members of groups.
 * Returns the same object until its content changes.
 */
export function shownGroupSetting(reader: Reader, setting: GroupSetting): GroupSetting {
  if (typeof setting === "number") return setting;
  const deactivated = deactivatedUserIds(reader);
  const direct_members = setting.direct_members.filter((id) => !deactivated.has(id));
  if (direct_members.length === setting.direct_members.length) return setting;
  const latest = shown.get(setting);
  if (latest && String(latest.direct_members) === String(direct_members)) return latest;
  const value = { ...setting, direct_members };
  shown.set(setting, value);
  return value;
}
