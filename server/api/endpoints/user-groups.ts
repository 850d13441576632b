import { z } from "zod";
import { badRequest } from "../../errors.ts";
import type { Transact } from "../../http/endpoint.ts";
import { boolean, integer, listOf, text } from "../../http/params.ts";
import {
  allowedGroupChange,
  allowedMemberChange,
  allowedNewGroup,
  isDirectMember,
  type MembersPatch,
  userGroupToDeactivate,
  userGroupToManage,
  userGroupToRead,
  userWithMembership,
} from "../access/user-groups.ts";
import { changeMembers, changeUserGroup, createUserGroup, deactivateUserGroup } from "../actions/user-groups.ts";
import { userGroups, wireUserGroup } from "../presenters/user-groups.ts";
import { directlyIn, isInGroup, subgroupsIn, usersInGroup } from "../queries/user-group-members.ts";
import { directMembers, MAX_USER_GROUP_NAME_LENGTH, USER_GROUP_SETTING_NAMES } from "../queries/user-groups.ts";
import type { User } from "../queries/users.ts";
import { endpoint } from "./endpoint.ts";
import { groupSettingParams, groupUpdateParams, pick } from "./params.ts";

const name = () => text().describe(`At most ${MAX_USER_GROUP_NAME_LENGTH} characters.`);

export const getUserGroups = endpoint({
  route: "GET /user_groups",
  summary: "List all groups, system groups first.",
  who: "member",
  params: { include_deactivated_groups: boolean().default(false) },
  response: z.object({ user_groups: z.array(wireUserGroup) }),
  handle: ({ params, reader, app }) => ({
    user_groups: userGroups(reader, app.now()).filter(
      ({ deactivated }) => params.include_deactivated_groups || !deactivated,
    ),
  }),
});

export const addUserGroup = endpoint({
  route: "POST /user_groups/create",
  summary: "Create a group.",
  who: "member",
  params: {
    name: name(),
    description: text(),
    members: listOf(z.int()),
    subgroups: listOf(z.int()).default([]).describe("Any groups; no further permission is needed."),
    ...groupSettingParams(USER_GROUP_SETTING_NAMES),
  },
  response: z.object({ group_id: z.int() }),
  handle: ({ viewer, params, transact }) => {
    const { name, description, members, subgroups } = params;
    const input = { name, description, members, subgroups, settings: pick(params, USER_GROUP_SETTING_NAMES) };
    return { group_id: transact((tx) => createUserGroup(tx, viewer, allowedNewGroup(tx, viewer, input)).id) };
  },
});

export const updateUserGroup = endpoint({
  route: "PATCH /user_groups/{user_group_id}",
  summary: "Change a group's name, description or settings, or reactivate it.",
  who: "member",
  params: {
    user_group_id: integer(),
    name: name().optional(),
    description: text().optional(),
    deactivated: boolean().optional().describe("false reactivates the group; true has no effect."),
    ...groupUpdateParams(USER_GROUP_SETTING_NAMES),
  },
  handle: ({ viewer, params, transact }) => {
    const { user_group_id, ...sent } = params;
    const { name, description, deactivated } = sent;
    const patch = { name, description, deactivated, settings: pick(params, USER_GROUP_SETTING_NAMES) };
    transact((tx) => {
      const group = userGroupToManage(tx, viewer, user_group_id);
      if (Object.values(sent).every((value) => value === undefined)) throw badRequest("no_changes");
      changeUserGroup(tx, viewer, group, allowedGroupChange(tx, group, patch));
    });
  },
});

export const removeUserGroup = endpoint({
  route: "POST /user_groups/{user_group_id}/deactivate",
  summary: "Deactivate a group that is not in use.",
  who: "guest", // Guests get the error that it needs a permission.
  params: { user_group_id: integer() },
  handle: ({ viewer, params, transact }) =>
    transact((tx) => deactivateUserGroup(tx, viewer, userGroupToDeactivate(tx, viewer, params.user_group_id))),
});

const ids = () => listOf(z.int()).default([]);
const ascending = (found: Iterable<number>) => [...found].sort((a, b) => a - b);

function change(transact: Transact, viewer: User, groupId: number, patch: MembersPatch): Record<string, never> {
  transact((tx) => {
    const allowed = allowedMemberChange(tx, viewer, groupId, patch);
    if (Object.values(patch).every((list) => list.length === 0)) throw badRequest("no_members_given");
    changeMembers(tx, viewer, allowed);
  });
  return {};
}

export const changeUserGroupMembers = endpoint({
  route: "POST /user_groups/{user_group_id}/members",
  summary: "Add members and subgroups to a group, or remove them.",
  who: "member",
  params: { user_group_id: integer(), add: ids(), delete: ids(), add_subgroups: ids(), delete_subgroups: ids() },
  handle: ({ viewer, params, transact }) =>
    change(transact, viewer, params.user_group_id, {
      add: params.add,
      remove: params.delete,
      addSubgroups: params.add_subgroups,
      removeSubgroups: params.delete_subgroups,
    }),
});

export const changeUserGroupSubgroups = endpoint({
  route: "POST /user_groups/{user_group_id}/subgroups",
  summary: "Add subgroups to a group, or remove them.",
  who: "member",
  params: { user_group_id: integer(), add: ids(), delete: ids() },
  handle: ({ viewer, params, transact }) =>
    change(transact, viewer, params.user_group_id, { addSubgroups: params.add, removeSubgroups: params.delete }),
});

export const getUserGroupMembers = endpoint({
  route: "GET /user_groups/{user_group_id}/members",
  summary: "List the members of a group, including members of subgroups.",
  who: "member",
  params: { user_group_id: integer(), direct_member_only: boolean().default(false) },
  response: z.object({ members: z.array(z.int()) }),
  handle: ({ params, reader, app }) => {
    const group = userGroupToRead(reader, params.user_group_id);
    const members = params.direct_member_only
      ? directMembers(reader, group, app.now())
      : usersInGroup(reader, group.id, app.now());
    return { members: ascending(members) };
  },
});

export const getUserGroupMembership = endpoint({
  route: "GET /user_groups/{user_group_id}/members/{user_id}",
  summary: "Check whether a user is in a group or its subgroups.",
  who: "member",
  params: { user_group_id: integer(), user_id: integer(), direct_member_only: boolean().default(false) },
  response: z.object({ is_user_group_member: z.boolean() }),
  handle: ({ params, reader, app }) => {
    const group = userGroupToRead(reader, params.user_group_id);
    const user = userWithMembership(reader, params.user_id);
    const is_user_group_member = params.direct_member_only
      ? isDirectMember(reader, group, user.id, app.now())
      : isInGroup(reader, user, group.id, app.now());
    return { is_user_group_member };
  },
});

export const getUserGroupSubgroups = endpoint({
  route: "GET /user_groups/{user_group_id}/subgroups",
  summary: "List the subgroups of a group, including indirect ones.",
  who: "member",
  params: { user_group_id: integer(), direct_subgroup_only: boolean().default(false) },
  response: z.object({ subgroups: z.array(z.int()) }),
  handle: ({ params, reader }) => {
    const { id } = userGroupToRead(reader, params.user_group_id);
    return {
      subgroups: ascending(params.direct_subgroup_only ? directlyIn(reader, id).subgroups : subgroupsIn(reader, id)),
    };
  },
});
