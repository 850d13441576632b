import type { Reader } from "../../storage/transaction.ts";
import { canSeeChannel } from "../access/channels.ts";
import { allChannels, CHANNEL_GROUP_SETTING_NAMES, type Channel } from "../queries/channels.ts";
import { organizationSettings } from "../queries/organization.ts";
import {
  type GroupSetting,
  ORGANIZATION_GROUP_SETTINGS,
  type OrganizationGroupSettingName,
} from "../queries/permission-settings.ts";
import { directlyHolding } from "../queries/user-group-members.ts";
import { allUserGroups, USER_GROUP_SETTING_NAMES, userGroupById } from "../queries/user-groups.ts";
import type { User } from "../queries/users.ts";

/** Why a group cannot be deactivated: an item of `objections` (docs/protocol.md#errors). */
export type Objection =
  | { type: "realm"; settings: string[] }
  /** Without channel_id: all channels that the viewer does not see, so that nobody can count them. */
  | { type: "channel"; settings: string[]; channel_id?: number }
  | { type: "user_group"; settings: string[]; group_id: number }
  | { type: "subgroup"; supergroup_ids: number[] };

const names = (setting: GroupSetting, ids: ReadonlySet<number>): boolean =>
  typeof setting === "number" ? ids.has(setting) : setting.direct_subgroups.some((id) => ids.has(id));

/** The uses of a group: by active groups, by channels (an archived one may come back), by the organization. */
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

/** Private channels that a member of one of these groups sees without a subscription. */
export const channelsShownBy = (reader: Reader, groupIds: ReadonlySet<number>): Channel[] =>
  allChannels(reader).filter(
    (channel) =>
      channel.invite_only &&
      (names(channel.can_subscribe_group, groupIds) ||
        names(channel.can_add_subscribers_group, groupIds) ||
        names(channel.can_administer_channel_group, groupIds)),
  );
