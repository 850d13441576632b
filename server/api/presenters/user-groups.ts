import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { groupSetting, type UserGroupGroupSettingName } from "../queries/permission-settings.ts";
import type { SystemGroupName } from "../queries/system-groups.ts";
import { directlyIn, systemGroupName } from "../queries/user-group-members.ts";
import {
  allUserGroups,
  directMembers,
  membersByRole,
  USER_GROUP_SETTING_NAMES,
  type UserGroup,
} from "../queries/user-groups.ts";
import { registerPart } from "./register-part.ts";

const settings = Object.fromEntries(USER_GROUP_SETTING_NAMES.map((name) => [name, groupSetting])) as Record<
  UserGroupGroupSettingName,
  typeof groupSetting
>;

/** A group as /register lists it: docs/protocol.md#group-settings. */
export const wireUserGroup = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  is_system_group: z.boolean(),
  date_created: z.int().nullable().describe("UNIX seconds; null for system groups."),
  creator_id: z.int().nullable(),
  members: z.array(z.int()),
  direct_subgroup_ids: z.array(z.int()),
  deactivated: z.boolean(),
  ...settings,
});
export type WireUserGroup = z.output<typeof wireUserGroup>;

function onWire({ created_at, ...group }: UserGroup, members: number[], subgroups: number[]): WireUserGroup {
  return {
    ...group,
    date_created: created_at === null ? null : Math.floor(created_at / 1000),
    members,
    direct_subgroup_ids: subgroups,
  };
}

export function userGroupOnWire(reader: Reader, group: UserGroup, now: number): WireUserGroup {
  return onWire(group, directMembers(reader, group, now), directlyIn(reader, group.id).subgroups);
}

/** All groups by id, with their direct members; those of a system group follow from roles. */
export function userGroups(reader: Reader, now: number): WireUserGroup[] {
  const byRole = membersByRole(reader, now);
  return allUserGroups(reader).map((group) => {
    const { members, subgroups } = directlyIn(reader, group.id);
    return onWire(
      group,
      group.is_system_group ? (byRole.get(group.name as SystemGroupName) ?? []) : members,
      subgroups,
    );
  });
}

export const registerParts = {
  realm_user_groups: registerPart({
    fields: { realm_user_groups: z.array(wireUserGroup) },
    read: ({ reader, now, capabilities }) => ({
      realm_user_groups: userGroups(reader, now).filter(
        (group) => !group.deactivated || capabilities.include_deactivated_groups,
      ),
    }),
    spectators: ({ reader, now }) => {
      const systemGroups = userGroups(reader, now).filter(({ id }) => systemGroupName(reader, id) !== undefined);
      return { realm_user_groups: systemGroups.map((group) => ({ ...group, members: [] })) };
    },
    readAhead: ({ reader, now }) => userGroups(reader, now), // their members are cached until they change
  }),
};
