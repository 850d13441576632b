import { z } from "zod";
import { badRequest } from "../../errors.ts";
import type { Transact } from "../../http/endpoint.ts";
import { boolean, integer, listOf } from "../../http/params.ts";
import {
  allowedMemberChange,
  isDirectMember,
  type MembersPatch,
  userGroupToRead,
  userToLookFor,
} from "../access/user-groups.ts";
import { changeMembers } from "../actions/user-group-members.ts";
import { directlyIn, isInGroup, subgroupsIn, usersInGroup } from "../queries/user-group-members.ts";
import { directMembers } from "../queries/user-groups.ts";
import type { User } from "../queries/users.ts";
import { endpoint } from "./endpoint.ts";

const ids = () => listOf(z.int()).default([]);
const ascending = (found: Iterable<number>) => [...found].sort((a, b) => a - b);

function change(transact: Transact, viewer: User, groupId: number, patch: MembersPatch): Record<string, never> {
  transact((tx) => {
    const allowed = allowedMemberChange(tx, viewer, groupId, patch);
    if (Object.values(patch).every((list) => list.length === 0)) throw badRequest("Nobody and nothing was named.");
    changeMembers(tx, viewer, allowed);
  });
  return {};
}

export const changeUserGroupMembers = endpoint({
  route: "POST /user_groups/{user_group_id}/members",
  summary: "Put people and groups into a group, or take them out.",
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
  summary: "Put groups into a group, or take them out.",
  who: "member",
  params: { user_group_id: integer(), add: ids(), delete: ids() },
  handle: ({ viewer, params, transact }) =>
    change(transact, viewer, params.user_group_id, { addSubgroups: params.add, removeSubgroups: params.delete }),
});

export const getUserGroupMembers = endpoint({
  route: "GET /user_groups/{user_group_id}/members",
  summary: "Who is in a group, through subgroups too.",
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
  summary: "Whether somebody is in a group, through subgroups too.",
  who: "member",
  params: { user_group_id: integer(), user_id: integer(), direct_member_only: boolean().default(false) },
  response: z.object({ is_user_group_member: z.boolean() }),
  handle: ({ params, reader, app }) => {
    const group = userGroupToRead(reader, params.user_group_id);
    const user = userToLookFor(reader, params.user_id);
    const is_user_group_member = params.direct_member_only
      ? isDirectMember(reader, group, user.id, app.now())
      : isInGroup(reader, user, group.id, app.now());
    return { is_user_group_member };
  },
});

export const getUserGroupSubgroups = endpoint({
  route: "GET /user_groups/{user_group_id}/subgroups",
  summary: "The groups that a group holds, through others too.",
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
