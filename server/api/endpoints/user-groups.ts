import { z } from "zod";
import { badRequest } from "../../errors.ts";
import { boolean, integer, listOf, text } from "../../http/params.ts";
import {
  allowedGroupChange,
  allowedNewGroup,
  userGroupToDeactivate,
  userGroupToManage,
} from "../access/user-groups.ts";
import { changeUserGroup, createUserGroup, deactivateUserGroup } from "../actions/user-groups.ts";
import { userGroups, wireUserGroup } from "../presenters/user-groups.ts";
import { MAX_USER_GROUP_NAME_LENGTH, USER_GROUP_SETTING_NAMES } from "../queries/user-groups.ts";
import { endpoint } from "./endpoint.ts";
import { groupSettingParams, groupUpdateParams, pick } from "./setting-params.ts";

const name = () => text().describe(`At most ${MAX_USER_GROUP_NAME_LENGTH} characters.`);

export const getUserGroups = endpoint({
  route: "GET /user_groups",
  summary: "All groups, those of roles first.",
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
    subgroups: listOf(z.int()).default([]).describe("Any group may be put in; nothing else need permit it."),
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
  summary: "Change a group's name, description or settings, or bring a deactivated one back.",
  who: "member",
  params: {
    user_group_id: integer(),
    name: name().optional(),
    description: text().optional(),
    deactivated: boolean().optional().describe("false brings the group back; true changes nothing."),
    ...groupUpdateParams(USER_GROUP_SETTING_NAMES),
  },
  handle: ({ viewer, params, transact }) => {
    const { user_group_id, ...sent } = params;
    const { name, description, deactivated } = sent;
    const patch = { name, description, deactivated, settings: pick(params, USER_GROUP_SETTING_NAMES) };
    transact((tx) => {
      const group = userGroupToManage(tx, viewer, user_group_id);
      if (Object.values(sent).every((value) => value === undefined)) throw badRequest("Nothing was given to change.");
      changeUserGroup(tx, viewer, group, allowedGroupChange(tx, group, patch));
    });
    return {};
  },
});

export const removeUserGroup = endpoint({
  route: "POST /user_groups/{user_group_id}/deactivate",
  summary: "Deactivate a group that nothing names any more.",
  who: "member",
  guests: true, // guests too get the error that this needs a permission
  params: { user_group_id: integer() },
  handle: ({ viewer, params, transact }) => {
    transact((tx) => deactivateUserGroup(tx, viewer, userGroupToDeactivate(tx, viewer, params.user_group_id)));
    return {};
  },
});
