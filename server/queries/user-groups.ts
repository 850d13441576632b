import { directlyIn, type GroupSetting, type SystemGroupName, systemGroupsOf } from "../access/user-groups.ts";
import { allUsers } from "../access/users.ts";
import type { Reader } from "../storage/transaction.ts";
import type { UserGroupGroupSettingName } from "./permission-settings.ts";
import type { RegisterPart } from "./register-context.ts";

export type WireUserGroup = {
  id: number;
  name: string;
  description: string;
  is_system_group: boolean;
  /** Unix seconds; null for system groups. */
  date_created: number | null;
  creator_id: number | null;
  members: number[];
  direct_subgroup_ids: number[];
  deactivated: boolean;
} & Record<UserGroupGroupSettingName, GroupSetting>;

type Row = {
  id: number;
  name: string;
  description: string;
  is_system_group: number;
  created_at: number | null;
  creator_id: number | null;
  deactivated: number;
} & Record<UserGroupGroupSettingName, string>;

/** Every group as /register gives it, by id. Members are the direct ones; a system group's follow from roles. */
export function userGroups(reader: Reader, now: number): WireUserGroup[] {
  const byRole = new Map<SystemGroupName, number[]>();
  for (const user of allUsers(reader)) {
    for (const name of systemGroupsOf(reader, user, now)) {
      const members = byRole.get(name);
      if (members) members.push(user.id);
      else byRole.set(name, [user.id]);
    }
  }
  const rows = reader.all<Row>(
    `SELECT id, name, description, is_system_group, created_at, creator_id, deactivated, can_add_members_group,
       can_join_group, can_leave_group, can_manage_group, can_mention_group, can_remove_members_group
     FROM user_groups ORDER BY id`,
  );
  return rows.map((row) => {
    const { members, subgroups } = directlyIn(reader, row.id);
    return {
      id: row.id,
      name: row.name,
      description: row.description,
      is_system_group: row.is_system_group === 1,
      date_created: row.created_at === null ? null : Math.floor(row.created_at / 1000),
      creator_id: row.creator_id,
      members: row.is_system_group ? (byRole.get(row.name as SystemGroupName) ?? []) : members,
      direct_subgroup_ids: subgroups,
      deactivated: row.deactivated === 1,
      can_add_members_group: JSON.parse(row.can_add_members_group),
      can_join_group: JSON.parse(row.can_join_group),
      can_leave_group: JSON.parse(row.can_leave_group),
      can_manage_group: JSON.parse(row.can_manage_group),
      can_mention_group: JSON.parse(row.can_mention_group),
      can_remove_members_group: JSON.parse(row.can_remove_members_group),
    };
  });
}

export const registerParts: Record<string, RegisterPart> = {
  realm_user_groups: ({ reader, now, capabilities }) => ({
    realm_user_groups: userGroups(reader, now).filter(
      (group) => !group.deactivated || capabilities["include_deactivated_groups"],
    ),
  }),
};
