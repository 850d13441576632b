import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { canSeeChannel } from "../access/channels.ts";
import { allChannels, CHANNEL_GROUP_SETTING_NAMES, type Channel } from "../queries/channels.ts";
import { organizationSettings } from "../queries/organization.ts";
import {
  type GroupSetting,
  groupSetting,
  ORGANIZATION_GROUP_SETTINGS,
  type OrganizationGroupSettingName,
  type SystemGroupName,
  type UserGroupGroupSettingName,
} from "../queries/permission-settings.ts";
import { directlyHolding, directlyIn, shownGroupSetting, systemGroupName } from "../queries/user-group-members.ts";
import {
  allUserGroups,
  directMembers,
  membersByRole,
  USER_GROUP_SETTING_NAMES,
  type UserGroup,
  userGroupById,
} from "../queries/user-groups.ts";
import type { User } from "../queries/users.ts";
import { registerPart } from "./register-part.ts";

const settings = Object.fromEntries(USER_GROUP_SETTING_NAMES.map((name) => [name, groupSetting])) as Record<
  UserGroupGroupSettingName,
  typeof groupSetting
>;

/** A group in /register: docs/protocol.md#group-settings. */
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

function onWire(
  reader: Reader,
  { created_at, ...group }: UserGroup,
  members: number[],
  subgroups: number[],
): WireUserGroup {
  for (const name of USER_GROUP_SETTING_NAMES) group[name] = shownGroupSetting(reader, group[name]);
  return {
    ...group,
    date_created: created_at === null ? null : Math.floor(created_at / 1000),
    members,
    direct_subgroup_ids: subgroups,
  };
}

export function userGroupOnWire(reader: Reader, group: UserGroup, now: number): WireUserGroup {
  return onWire(reader, group, directMembers(reader, group, now), directlyIn(reader, group.id).subgroups);
}

/** All groups by id, with their direct members. Roles determine the members of system groups. */
export function userGroups(reader: Reader, now: number): WireUserGroup[] {
  const byRole = membersByRole(reader, now);
  return allUserGroups(reader).map((group) => {
    const { members, subgroups } = directlyIn(reader, group.id);
    return onWire(
      reader,
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
    readAhead: ({ reader, now }) => userGroups(reader, now), // members are cached until they change
  }),
};

/** The reason that a group cannot be deactivated: an item of `objections` (docs/protocol.md#errors). */
export type Objection =
  | { type: "realm"; settings: string[] }
  /** Without channel_id: one item for all channels that the viewer cannot see, so that no one can count them. */
  | { type: "channel"; settings: string[]; channel_id?: number }
  | { type: "user_group"; settings: string[]; group_id: number }
  | { type: "subgroup"; supergroup_ids: number[] };

const names = (setting: GroupSetting, ids: ReadonlySet<number>): boolean =>
  typeof setting === "number" ? ids.has(setting) : setting.direct_subgroups.some((id) => ids.has(id));

/**
 * The uses of a group by active groups, by channels (an archived channel can be unarchived), and by the organization.
 */
export function usesOf(reader: Reader, viewer: User, groupId: number): Objection[] {
  const ids = new Set([groupId]);
  const uses: Objection[] = [];
  const supergroup_ids = directlyHolding(reader, groupId).filter((id) => !userGroupById(reader, id)?.deactivated);
  if (supergroup_ids.length > 0) uses.push({ type: "subgroup", supergroup_ids });
  const hidden = new Set<string>();
  for (const channel of allChannels(reader)) {
    const settings = CHANNEL_GROUP_SETTING_NAMES.filter((name) => names(channel[name], ids));
    if (settings.length === 0) continue;
    if (canSeeChannel(reader, viewer, channel)) uses.push({ type: "channel", settings, channel_id: channel.id });
    else for (const name of settings) hidden.add(name);
  }
  if (hidden.size > 0) uses.push({ type: "channel", settings: [...hidden].sort() });
  for (const group of allUserGroups(reader)) {
    if (group.deactivated || group.id === groupId) continue;
    const settings = USER_GROUP_SETTING_NAMES.filter((name) => names(group[name], ids));
    if (settings.length > 0) uses.push({ type: "user_group", settings, group_id: group.id });
  }
  const present = organizationSettings(reader);
  const settings = (Object.keys(ORGANIZATION_GROUP_SETTINGS) as OrganizationGroupSettingName[]).filter((name) =>
    names(present[name], ids),
  );
  if (settings.length > 0) uses.push({ type: "realm", settings });
  return uses;
}

/** Private channels that members of these groups see without a subscription. */
export const channelsShownBy = (reader: Reader, groupIds: ReadonlySet<number>): Channel[] =>
  allChannels(reader).filter(
    (channel) =>
      channel.invite_only &&
      (names(channel.can_subscribe_group, groupIds) ||
        names(channel.can_add_subscribers_group, groupIds) ||
        names(channel.can_administer_channel_group, groupIds)),
  );
