import { z } from "zod";
import {
  allowedGroupChange,
  allowedNewGroup,
  userGroupToDeactivate,
  userGroupToManage,
} from "../access/user-groups.ts";
import { changeUserGroup, createUserGroup, deactivateUserGroup } from "../actions/user-groups.ts";
import { badRequest } from "../errors.ts";
import { boolean, integer, json, listOf, text } from "../http/params.ts";
import { userGroups, wireUserGroup } from "../presenters/user-groups.ts";
import { groupSetting, type UserGroupGroupSettingName } from "../queries/permission-settings.ts";
import { MAX_USER_GROUP_NAME_LENGTH } from "../queries/user-groups.ts";
import { endpoint } from "./endpoint.ts";

const name = () => text().describe(`At most ${MAX_USER_GROUP_NAME_LENGTH} characters.`);
const setting = () => json(groupSetting).optional();
const update = z.object({ new: groupSetting, old: groupSetting.optional() });
const settingUpdate = () => json(update).optional().describe("`old`: refused where it is no more so.");

/** The six settings among the parameters. */
const settingsIn = <Value>(params: { [Name in UserGroupGroupSettingName]: Value }) => ({
  can_add_members_group: params.can_add_members_group,
  can_join_group: params.can_join_group,
  can_leave_group: params.can_leave_group,
  can_manage_group: params.can_manage_group,
  can_mention_group: params.can_mention_group,
  can_remove_members_group: params.can_remove_members_group,
});

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
    can_add_members_group: setting(),
    can_join_group: setting(),
    can_leave_group: setting(),
    can_manage_group: setting(),
    can_mention_group: setting(),
    can_remove_members_group: setting(),
  },
  response: z.object({ group_id: z.int() }),
  handle: ({ viewer, params, transact }) => {
    const { name, description, members, subgroups } = params;
    const wish = { name, description, members, subgroups, settings: settingsIn(params) };
    return { group_id: transact((tx) => createUserGroup(tx, viewer, allowedNewGroup(tx, viewer, wish)).id) };
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
    can_add_members_group: settingUpdate(),
    can_join_group: settingUpdate(),
    can_leave_group: settingUpdate(),
    can_manage_group: settingUpdate(),
    can_mention_group: settingUpdate(),
    can_remove_members_group: settingUpdate(),
  },
  handle: ({ viewer, params, transact }) => {
    const { user_group_id, ...sent } = params;
    const { name, description, deactivated } = sent;
    const wish = { name, description, deactivated, settings: settingsIn(params) };
    transact((tx) => {
      const group = userGroupToManage(tx, viewer, user_group_id);
      if (Object.values(sent).every((value) => value === undefined)) throw badRequest("Nothing was given to change.");
      changeUserGroup(tx, viewer, group, allowedGroupChange(tx, group, wish));
    });
    return {};
  },
});

export const removeUserGroup = endpoint({
  route: "POST /user_groups/{user_group_id}/deactivate",
  summary: "Deactivate a group that nothing names any more.",
  who: "member",
  guests: true, // a guest too is told that it takes a permission
  params: { user_group_id: integer() },
  handle: ({ viewer, params, transact }) => {
    transact((tx) => deactivateUserGroup(tx, viewer, userGroupToDeactivate(tx, viewer, params.user_group_id)));
    return {};
  },
});
