import { aboutParameter, badRequest, refusedParameter } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { isSystemBot } from "../queries/bots.ts";
import {
  type GroupSetting,
  USER_GROUP_GROUP_SETTINGS,
  type UserGroupGroupSettingName,
} from "../queries/permission-settings.ts";
import { directlyIn, isInGroup, storedMembersOf, subgroupsIn } from "../queries/user-group-members.ts";
import {
  directMembers,
  MAX_MEMBERSHIPS,
  MAX_USER_GROUP_DESCRIPTION_LENGTH,
  MAX_USER_GROUP_NAME_LENGTH,
  MAX_USER_GROUPS,
  USER_GROUP_SETTING_NAMES,
  type UserGroup,
  type UserGroupSettings,
  userGroupById,
  userGroupByName,
  userGroupUse,
} from "../queries/user-groups.ts";
import { ROLES, type User, userById } from "../queries/users.ts";
import { type GroupSettingUpdate, uniqueIds, updatedGroupSetting, validGroupSetting } from "./group-settings.ts";
import { isBlank, UNPRINTABLE } from "./names.ts";
import { isPermitted } from "./roles.ts";

/** Everyone except guests can see all groups, including deactivated ones. */
export function userGroupToRead(reader: Reader, id: number): UserGroup {
  const group = userGroupById(reader, id);
  if (!group) throw badRequest("user_group_not_found");
  return group;
}

export function userWithMembership(reader: Reader, id: number): User {
  const user = userById(reader, id);
  if (!user) throw invalidUser(id);
  return user;
}

/** Guests never have a permission that excludes `role:everyone`. */
function holds(reader: Reader, viewer: User, group: UserGroup, name: UserGroupGroupSettingName): boolean {
  const notForGuests = USER_GROUP_GROUP_SETTINGS[name].forbidden.includes("role:everyone");
  return !(viewer.role === ROLES.guest && notForGuests) && isInGroup(reader, viewer, group[name]);
}

const manages = (reader: Reader, viewer: User, group: UserGroup): boolean =>
  isPermitted(reader, viewer, "can_manage_all_groups") || holds(reader, viewer, group, "can_manage_group");

/** Excludes system groups, whose members follow from roles. */
function changeableGroup(reader: Reader, id: number): UserGroup {
  const group = userGroupToRead(reader, id);
  if (group.is_system_group) throw badRequest("system_group_read_only");
  return group;
}

export function userGroupToManage(reader: Reader, viewer: User, id: number): UserGroup {
  const group = changeableGroup(reader, id);
  if (!manages(reader, viewer, group)) throw badRequest("group_change_not_allowed");
  return group;
}

/** An active group to which the viewer can add members. */
export function userGroupToAddTo(reader: Reader, viewer: User, id: number): UserGroup {
  const group = changeableGroup(reader, id);
  if (group.deactivated) throw badRequest("group_deactivated", { name: group.name });
  if (!manages(reader, viewer, group) && !holds(reader, viewer, group, "can_add_members_group"))
    throw badRequest("add_members_not_allowed");
  return group;
}

export function userGroupToDeactivate(reader: Reader, viewer: User, id: number): UserGroup {
  const group = userGroupToManage(reader, viewer, id);
  if (group.deactivated) throw badRequest("group_already_deactivated");
  return group;
}

export interface MembersPatch {
  add?: readonly number[];
  remove?: readonly number[];
  addSubgroups?: readonly number[];
  removeSubgroups?: readonly number[];
}

/** IDs ascend without duplicates. */
export interface MemberChange {
  group: UserGroup;
  add: number[];
  remove: number[];
  addSubgroups: number[];
  removeSubgroups: number[];
}

/**
 * Managers can make any change. Other users can make the changes that the group's settings allow. Deactivated groups
 * can change too.
 */
export function allowedMemberChange(reader: Reader, viewer: User, id: number, patch: MembersPatch): MemberChange {
  const group = changeableGroup(reader, id);
  const add = uniqueIds(patch.add);
  const remove = uniqueIds(patch.remove);
  const addSubgroups = uniqueIds(patch.addSubgroups);
  const removeSubgroups = uniqueIds(patch.removeSubgroups);
  const onlySelf = (ids: readonly number[]) => ids.length === 1 && ids[0] === viewer.id;
  const may = (name: UserGroupGroupSettingName) => holds(reader, viewer, group, name);
  if (!manages(reader, viewer, group)) {
    if (add.length > 0 && !may("can_add_members_group") && !(onlySelf(add) && may("can_join_group")))
      throw badRequest(onlySelf(add) ? "join_group_not_allowed" : "add_members_not_allowed");
    if (remove.length > 0 && !may("can_remove_members_group") && !(onlySelf(remove) && may("can_leave_group")))
      throw badRequest(onlySelf(remove) ? "leave_group_not_allowed" : "remove_members_not_allowed");
    if (addSubgroups.length > 0 && !may("can_add_members_group")) throw badRequest("add_subgroups_not_allowed");
    if (removeSubgroups.length > 0 && !may("can_remove_members_group"))
      throw badRequest("remove_subgroups_not_allowed");
  }
  const isMember = new Set(storedMembersOf(reader, group.id));
  const isSubgroup = new Set(directlyIn(reader, group.id).subgroups);
  for (const userId of validMembers(reader, add))
    if (isMember.has(userId)) throw badRequest("already_group_member", { id: userId });
  for (const userId of remove) if (!isMember.has(userId)) throw badRequest("not_group_member", { id: userId });
  for (const groupId of validSubgroups(reader, addSubgroups, group.id))
    if (isSubgroup.has(groupId)) throw badRequest("already_subgroup", { id: groupId });
  for (const groupId of removeSubgroups)
    if (!isSubgroup.has(groupId)) throw badRequest("not_subgroup", { id: groupId });
  if (add.length > 0) assertGroupsFit(reader, viewer, { creatorId: group.creator_id, members: add.length });
  return { group, add, remove, addSubgroups, removeSubgroups };
}

/** Throws if groups or memberships exceed a limit. Only the common limits apply to administrators. */
function assertGroupsFit(
  reader: Reader,
  viewer: User,
  { creatorId, groups = 0, members }: { creatorId: number | null; groups?: number; members: number },
): void {
  const use = userGroupUse(reader, creatorId);
  const isAdministrator = viewer.role <= ROLES.administrator;
  const isFull = (used: { all: number; own: number }, added: number, max: { all: number; own: number }) =>
    added > 0 && (used.all + added > max.all || (!isAdministrator && used.own + added > max.own));
  if (isFull(use.groups, groups, MAX_USER_GROUPS))
    throw refusedParameter("name", "too_many_groups", { count: MAX_USER_GROUPS.all, own_count: MAX_USER_GROUPS.own });
  if (isFull(use.memberships, members, MAX_MEMBERSHIPS))
    throw refusedParameter("members", "too_many_group_members", {
      count: MAX_MEMBERSHIPS.all,
      own_count: MAX_MEMBERSHIPS.own,
    });
}

const invalidUser = (id: number) => badRequest("invalid_user_id", { id });

function validMembers(reader: Reader, ids: readonly number[]): number[] {
  for (const id of ids) {
    const user = userById(reader, id);
    if (!user?.is_active || isSystemBot(user)) throw invalidUser(id);
  }
  return uniqueIds(ids);
}

/** `holder`: the group that will contain them. A group cannot contain itself. */
function validSubgroups(reader: Reader, ids: readonly number[], holder?: number): number[] {
  for (const id of ids) {
    const group = userGroupById(reader, id);
    if (!group) throw badRequest("invalid_user_group_id", { id });
    if (group.deactivated) throw badRequest("group_deactivated", { name: group.name });
    if (holder !== undefined && (id === holder || subgroupsIn(reader, id).has(holder)))
      throw badRequest("subgroup_cycle", { name: group.name });
  }
  return uniqueIds(ids);
}

export const isDirectMember = (reader: Reader, group: UserGroup, userId: number, now: number): boolean =>
  directMembers(reader, group, now).includes(userId);

const FORBIDDEN_PREFIXES = ["@", "role:", "user:", "stream:", "channel:"];
function validUserGroupName(reader: Reader, name: string, self?: number): string {
  const trimmed = name.trim().normalize("NFC");
  if (isBlank(trimmed)) throw badRequest("group_name_missing");
  if ([...trimmed].length > MAX_USER_GROUP_NAME_LENGTH)
    throw badRequest("group_name_too_long", { count: MAX_USER_GROUP_NAME_LENGTH });
  if (UNPRINTABLE.test(trimmed)) throw badRequest("group_name_control_characters");
  const forbidden = FORBIDDEN_PREFIXES.find((prefix) => trimmed.startsWith(prefix));
  if (forbidden) throw badRequest("group_name_prefix_reserved", { value: forbidden });
  const existing = userGroupByName(reader, trimmed);
  if (existing && existing.id !== self) throw badRequest("group_name_taken", { name: trimmed });
  return trimmed;
}

function validUserGroupDescription(description: string): string {
  if ([...description].length > MAX_USER_GROUP_DESCRIPTION_LENGTH)
    throw badRequest("group_description_too_long", { count: MAX_USER_GROUP_DESCRIPTION_LENGTH });
  return description;
}

export interface NewUserGroup {
  name: string;
  description: string;
  members: number[];
  subgroups: number[];
  settings: { [Name in UserGroupGroupSettingName]?: GroupSetting | undefined };
}

export function allowedNewGroup(
  reader: Reader,
  viewer: User,
  input: NewUserGroup,
): NewUserGroup & { settings: Partial<UserGroupSettings> } {
  if (!isPermitted(reader, viewer, "can_create_groups")) throw badRequest("group_create_not_allowed");
  const settings: Partial<UserGroupSettings> = {};
  for (const name of USER_GROUP_SETTING_NAMES) {
    const value = input.settings[name];
    if (value !== undefined) settings[name] = validGroupSetting(reader, name, USER_GROUP_GROUP_SETTINGS[name], value);
  }
  assertGroupsFit(reader, viewer, { creatorId: viewer.id, groups: 1, members: input.members.length });
  return {
    name: aboutParameter("name", () => validUserGroupName(reader, input.name)),
    description: validUserGroupDescription(input.description),
    members: validMembers(reader, input.members),
    subgroups: validSubgroups(reader, input.subgroups),
    settings,
  };
}

interface UserGroupPatch {
  name?: string | undefined;
  description?: string | undefined;
  deactivated?: boolean | undefined;
  settings: { [Name in UserGroupGroupSettingName]?: GroupSettingUpdate | undefined };
}

export interface UserGroupChange {
  data: Partial<{ name: string; description: string } & Record<UserGroupGroupSettingName, GroupSetting>>;
  reactivates: boolean;
}

export function allowedGroupChange(reader: Reader, group: UserGroup, patch: UserGroupPatch): UserGroupChange {
  const data: UserGroupChange["data"] = {};
  if (patch.name !== undefined) {
    const { name } = patch;
    data.name = aboutParameter("name", () => validUserGroupName(reader, name, group.id));
  }
  if (patch.description !== undefined) data.description = validUserGroupDescription(patch.description);
  for (const name of USER_GROUP_SETTING_NAMES) {
    const update = patch.settings[name];
    if (update) data[name] = updatedGroupSetting(reader, name, USER_GROUP_GROUP_SETTINGS[name], group[name], update);
  }
  for (const name of Object.keys(data) as (keyof typeof data)[])
    if (JSON.stringify(data[name]) === JSON.stringify(group[name])) delete data[name];
  return { data, reactivates: patch.deactivated === false && group.deactivated };
}
