import type { Reader } from "../../storage/transaction.ts";
import {
  type GroupSetting,
  type SystemGroupName,
  USER_GROUP_GROUP_SETTINGS,
  type UserGroupGroupSettingName,
} from "./permission-settings.ts";
import { directlyIn, systemGroupsOf } from "./user-group-members.ts";
import { accountsTogether, activeUserIds, type User, userById } from "./users.ts";

/** Unicode code points. */
export const MAX_USER_GROUP_NAME_LENGTH = 100;
export const MAX_USER_GROUP_DESCRIPTION_LENGTH = 1024;

export const USER_GROUP_SETTING_NAMES = Object.keys(USER_GROUP_GROUP_SETTINGS).sort() as UserGroupGroupSettingName[];
export type UserGroupSettings = Record<UserGroupGroupSettingName, GroupSetting>;

/** The normalized form for comparing group names. Mentions use it, too. */
export const userGroupNameKey = (name: string): string => name.normalize("NFKC").toLowerCase();

export interface UserGroup extends UserGroupSettings {
  id: number;
  name: string;
  description: string;
  is_system_group: boolean;
  /** Milliseconds since the epoch; null for system groups. */
  created_at: number | null;
  creator_id: number | null;
  deactivated: boolean;
}

type Row = Omit<UserGroup, "is_system_group" | "deactivated" | UserGroupGroupSettingName> & {
  is_system_group: number;
  deactivated: number;
} & Record<UserGroupGroupSettingName, string>;

const COLUMNS = `id, name, description, is_system_group, created_at, creator_id, deactivated,
  ${USER_GROUP_SETTING_NAMES.join(", ")}`;

function fromRow(row: Row): UserGroup {
  const group: Record<string, unknown> = {
    ...row,
    is_system_group: row.is_system_group === 1,
    deactivated: row.deactivated === 1,
  };
  for (const name of USER_GROUP_SETTING_NAMES) group[name] = JSON.parse(row[name]);
  return group as unknown as UserGroup;
}

/** Limits of active groups and their direct members, in total and per creator. Every /register lists all of them. */
export const MAX_USER_GROUPS = { all: 2000, own: 500 };
export const MAX_MEMBERSHIPS = { all: 200_000, own: 50_000 };

interface UserGroupUse {
  groups: { all: number; own: number };
  memberships: { all: number; own: number };
}

/**
 * The number of groups and members. `own`: those of groups that this user, or another account of the same person,
 * created. System groups do not count.
 */
export function userGroupUse(reader: Reader, creatorId: number | null): UserGroupUse {
  const creators = JSON.stringify(creatorId === null ? [] : accountsTogether(reader, creatorId));
  type Counted = { total: number; own: number };
  const groups = reader.get<Counted>(
    `SELECT COUNT(*) AS total, coalesce(SUM(creator_id IN (SELECT value FROM json_each(?))), 0) AS own FROM user_groups
     WHERE NOT deactivated AND NOT is_system_group`,
    creators,
  ) as Counted;
  const memberships = reader.get<Counted>(
    `SELECT COUNT(*) AS total, coalesce(SUM(creator_id IN (SELECT value FROM json_each(?))), 0) AS own
     FROM user_group_members JOIN user_groups ON user_groups.id = group_id WHERE NOT deactivated`,
    creators,
  ) as Counted;
  return {
    groups: { all: groups.total, own: groups.own },
    memberships: { all: memberships.total, own: memberships.own },
  };
}

/** All groups by id, including deactivated ones. */
export const allUserGroups = (reader: Reader): readonly UserGroup[] =>
  reader.derived("all user groups", ["user_groups"], (rows) =>
    rows.all<Row>(`SELECT ${COLUMNS} FROM user_groups ORDER BY id`).map(fromRow),
  );

export function userGroupById(reader: Reader, id: number): UserGroup | undefined {
  const row = reader.get<Row>(`SELECT ${COLUMNS} FROM user_groups WHERE id = ?`, id);
  return row && fromRow(row);
}

/** Ignores case. Includes deactivated groups. */
export function userGroupByName(reader: Reader, name: string): UserGroup | undefined {
  const row = reader.get<Row>(`SELECT ${COLUMNS} FROM user_groups WHERE name_key = ?`, userGroupNameKey(name));
  return row && fromRow(row);
}

/** The group's own members without those of subgroups, ascending. Roles determine a system group's members. */
export function directMembers(reader: Reader, group: UserGroup, now: number): number[] {
  if (!group.is_system_group) return directlyIn(reader, group.id).members;
  return membersByRole(reader, now).get(group.name as SystemGroupName) ?? [];
}

export function membersByRole(reader: Reader, now: number): Map<SystemGroupName, number[]> {
  const byRole = new Map<SystemGroupName, number[]>();
  for (const id of activeUserIds(reader)) {
    for (const name of systemGroupsOf(reader, userById(reader, id) as User, now)) {
      const members = byRole.get(name);
      if (members) members.push(id);
      else byRole.set(name, [id]);
    }
  }
  return byRole;
}
