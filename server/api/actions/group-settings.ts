import type { Transaction } from "../../storage/transaction.ts";
import { usersWhoCanSeeChannel } from "../access/channels.ts";
import { settingOnWire } from "../presenters/organization-settings.ts";
import { allChannels, CHANNEL_GROUP_SETTING_NAMES, type Channel } from "../queries/channels.ts";
import { organizationSettings } from "../queries/organization.ts";
import { ORGANIZATION_GROUP_SETTINGS, type OrganizationGroupSettingName } from "../queries/permission-settings.ts";
import { subscribersOf } from "../queries/subscriptions.ts";
import { namesUser, shownGroupSetting, storedGroupsOf } from "../queries/user-group-members.ts";
import { allUserGroups, USER_GROUP_SETTING_NAMES, type UserGroup, userGroupById } from "../queries/user-groups.ts";
import { activeUserIds, ROLES, type User, userById } from "../queries/users.ts";
import { aboutChannel, MAX_VISIBILITY_PAIRS } from "./channels.ts";
import { resetEventQueues } from "./event-queues.ts";
import { aboutGroup } from "./user-groups.ts";

/**
 * Announces groups and settings that name a user who was just deactivated or reactivated, since clients see only active
 * users in them. The user has no event queues yet, and the permissions of other users do not change.
 */
export function announceNamings(tx: Transaction, user: User): void {
  announceGroups(tx, user);
  announceOrganization(tx, user);
  announceChannels(tx, user);
}

function announceGroups(tx: Transaction, user: User): void {
  const users = activeUserIds(tx);
  const op = user.is_active ? "add_members" : "remove_members";
  for (const group_id of storedGroupsOf(tx, user)) {
    const about = aboutGroup(userGroupById(tx, group_id) as UserGroup);
    tx.emit({ type: "user_group", op, group_id, user_ids: [user.id], ...about }, { users });
  }
  for (const group of allUserGroups(tx)) {
    const named = USER_GROUP_SETTING_NAMES.filter((name) => namesUser(group[name], user));
    if (named.length === 0) continue;
    const data = Object.fromEntries(named.map((name) => [name, shownGroupSetting(tx, group[name])]));
    tx.emit({ type: "user_group", op: "update", group_id: group.id, data, ...aboutGroup(group) }, { users });
  }
}

function announceOrganization(tx: Transaction, user: User): void {
  const settings = organizationSettings(tx);
  for (const name of Object.keys(ORGANIZATION_GROUP_SETTINGS) as OrganizationGroupSettingName[]) {
    if (!namesUser(settings[name], user)) continue;
    const data = settingOnWire(tx, settings, name);
    tx.emit({ type: "realm", op: "update_dict", property: "default", data }, { users: activeUserIds(tx) });
  }
}

function announceChannels(tx: Transaction, user: User): void {
  const channels = allChannels(tx).filter((channel) =>
    CHANNEL_GROUP_SETTING_NAMES.some((name) => namesUser(channel[name], user)),
  );
  const everyone = activeUserIds(tx);
  const guests = everyone.filter((id) => userById(tx, id)?.role === ROLES.guest);
  const members = everyone.filter((id) => userById(tx, id)?.role !== ROLES.guest);
  // A user may have created hundreds of channels. Public ones without guests share their audience.
  const isForMembers = (channel: Channel) =>
    !channel.invite_only && !channel.is_web_public && !guests.some((id) => subscribersOf(tx, channel.id).has.has(id));
  const compared = channels.filter((channel) => !isForMembers(channel)).length;
  if (compared * everyone.length > MAX_VISIBILITY_PAIRS) {
    resetEventQueues(tx, everyone);
    return;
  }
  for (const channel of channels) {
    const users = isForMembers(channel) ? members : usersWhoCanSeeChannel(tx, channel);
    for (const property of CHANNEL_GROUP_SETTING_NAMES) {
      if (!namesUser(channel[property], user)) continue;
      const value = shownGroupSetting(tx, channel[property]);
      const fields = { stream_id: channel.id, name: channel.name, property, value, ...aboutChannel(channel) };
      tx.emit({ type: "stream", op: "update", ...fields }, { users });
    }
  }
}
