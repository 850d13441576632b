import { z } from "zod";
import { settingsOf } from "./setting-sections.ts";

/** Limit of people, and of groups, in an anonymous group setting. */
const MAX_MEMBERS = 20_000;

/** The value of a `can_*_group` setting: a group's id, or an anonymous set of people and groups. */
export type GroupSetting = number | { direct_members: number[]; direct_subgroups: number[] };

/** The form that clients send. */
export const groupSetting: z.ZodType<GroupSetting> = z.union([
  z.int(),
  z.object({ direct_members: z.array(z.int()).max(MAX_MEMBERS), direct_subgroups: z.array(z.int()).max(MAX_MEMBERS) }),
]);

export interface PermissionSetting {
  /** A system group, or the creator: `stream_creator_or_nobody`, `group_creator`. */
  readonly initial: SystemGroupName | "stream_creator_or_nobody" | "group_creator";
  readonly forbidden: readonly SystemGroupName[];
  /** If not empty, only these groups are allowed. */
  readonly onlySystemGroups: readonly SystemGroupName[];
  readonly ownerOnly: boolean;
  /** The value for system groups. */
  readonly ofSystemGroups: SystemGroupName | null;
}

type Initial = PermissionSetting["initial"];
type Rest = Partial<Omit<PermissionSetting, "initial" | "forbidden">>;

const NOT_GUESTS: SystemGroupName[] = ["role:everyone", "role:internet"];
const NOT_OUTSIDERS: SystemGroupName[] = ["role:internet"];
const NOT_NOBODY: SystemGroupName[] = ["role:nobody", ...NOT_GUESTS];
const ABOVE_FULL_MEMBERS: SystemGroupName[] = ["role:moderators", "role:administrators", "role:owners", "role:nobody"];
const OWNERS = { ownerOnly: true };
const GROUP = { ofSystemGroups: "role:nobody" } as const;

const permission = <I extends Initial>(initial: I, forbidden: readonly SystemGroupName[], rest: Rest = {}) =>
  ({
    initial,
    forbidden,
    onlySystemGroups: [],
    ownerOnly: false,
    ofSystemGroups: null,
    ...rest,
  }) as PermissionSetting & {
    initial: I;
  };

/**
 * docs/protocol.md#group-settings, for the organization. Administrators can change them; only owners can change
 * `ownerOnly` ones. The sections are those of the admin window's page, in order.
 */
export const ORGANIZATION_GROUP_SETTING_SECTIONS = {
  people: {
    can_invite_users_group: permission("role:members", NOT_GUESTS, OWNERS),
    create_multiuse_invite_group: permission("role:administrators", NOT_GUESTS, OWNERS),
    can_access_all_users_group: permission(
      "role:everyone",
      ["role:nobody", "role:owners", "role:administrators", "role:moderators", "role:fullmembers", "role:internet"],
      { onlySystemGroups: ["role:everyone", "role:members"] },
    ),
    can_create_groups: permission("role:members", NOT_GUESTS, OWNERS),
    can_manage_all_groups: permission("role:owners", NOT_NOBODY, OWNERS),
  },
  channels: {
    can_create_public_channel_group: permission("role:members", NOT_GUESTS),
    can_create_private_channel_group: permission("role:members", NOT_GUESTS),
    can_create_web_public_channel_group: permission(
      "role:owners",
      ["role:fullmembers", "role:members", ...NOT_GUESTS],
      {
        onlySystemGroups: ABOVE_FULL_MEMBERS,
      },
    ),
    can_add_subscribers_group: permission("role:members", NOT_GUESTS),
    can_mention_many_users_group: permission("role:administrators", NOT_OUTSIDERS),
  },
  messages: {
    can_delete_own_message_group: permission("role:everyone", NOT_OUTSIDERS),
    can_delete_any_message_group: permission("role:administrators", NOT_GUESTS),
    can_set_delete_message_policy_group: permission("role:moderators", NOT_GUESTS),
    can_move_messages_between_topics_group: permission("role:everyone", NOT_OUTSIDERS),
    can_move_messages_between_channels_group: permission("role:members", NOT_GUESTS),
    can_resolve_topics_group: permission("role:everyone", NOT_OUTSIDERS),
    can_set_topics_policy_group: permission("role:members", NOT_OUTSIDERS),
  },
  direct: {
    direct_message_initiator_group: permission("role:everyone", NOT_OUTSIDERS),
    direct_message_permission_group: permission("role:everyone", NOT_OUTSIDERS),
  },
  programs: {
    can_create_bots_group: permission("role:members", NOT_GUESTS),
    can_create_write_only_bots_group: permission("role:members", NOT_GUESTS),
    can_add_custom_emoji_group: permission("role:members", NOT_GUESTS),
  },
  others: {
    can_summarize_topics_group: permission("role:everyone", NOT_OUTSIDERS),
    can_manage_billing_group: permission("role:administrators", NOT_NOBODY, OWNERS),
  },
};
export const ORGANIZATION_GROUP_SETTINGS = settingsOf(ORGANIZATION_GROUP_SETTING_SECTIONS);
export type OrganizationGroupSettingName = keyof typeof ORGANIZATION_GROUP_SETTINGS;

/** docs/protocol.md#group-settings, for channels. In the order of the page: sending, joining, moderation. */
export const CHANNEL_GROUP_SETTINGS = {
  can_send_message_group: permission("role:everyone", NOT_OUTSIDERS),
  can_subscribe_group: permission("role:nobody", NOT_GUESTS),
  can_add_subscribers_group: permission("role:nobody", NOT_GUESTS),
  can_remove_subscribers_group: permission("role:administrators", NOT_OUTSIDERS),
  can_administer_channel_group: permission("stream_creator_or_nobody", NOT_GUESTS),
  can_resolve_topics_group: permission("role:nobody", NOT_OUTSIDERS),
  can_move_messages_within_channel_group: permission("role:nobody", NOT_OUTSIDERS),
  can_move_messages_out_of_channel_group: permission("role:nobody", NOT_OUTSIDERS),
  can_delete_own_message_group: permission("role:nobody", NOT_OUTSIDERS),
  can_delete_any_message_group: permission("role:nobody", NOT_OUTSIDERS),
};
export type ChannelGroupSettingName = keyof typeof CHANNEL_GROUP_SETTINGS;

/** docs/protocol.md#group-settings, for user groups, in the order of the page. */
export const USER_GROUP_GROUP_SETTINGS = {
  can_manage_group: permission("group_creator", NOT_GUESTS, GROUP),
  can_add_members_group: permission("group_creator", NOT_GUESTS, GROUP),
  can_remove_members_group: permission("role:nobody", NOT_GUESTS, GROUP),
  can_join_group: permission("role:nobody", NOT_GUESTS, GROUP),
  can_leave_group: permission("role:everyone", NOT_OUTSIDERS, GROUP),
  can_mention_group: permission("role:everyone", ["role:internet", "role:owners"], GROUP),
};
export type UserGroupGroupSettingName = keyof typeof USER_GROUP_GROUP_SETTINGS;

const described = (settings: Record<string, PermissionSetting>) =>
  Object.fromEntries(
    Object.entries(settings).map(([name, { initial, forbidden, onlySystemGroups, ofSystemGroups }]) => [
      name,
      {
        require_system_group: onlySystemGroups.length > 0,
        allow_internet_group: !forbidden.includes("role:internet"),
        allow_nobody_group: !forbidden.includes("role:nobody"),
        allow_everyone_group: !forbidden.includes("role:everyone"),
        default_group_name: initial,
        default_for_system_groups: ofSystemGroups,
        allowed_system_groups: onlySystemGroups,
      },
    ]),
  );

/** /register's `server_supported_permission_settings`. */
export const SUPPORTED_PERMISSION_SETTINGS = {
  realm: described(ORGANIZATION_GROUP_SETTINGS),
  stream: described(CHANNEL_GROUP_SETTINGS),
  group: described(USER_GROUP_GROUP_SETTINGS),
};

/** From largest to smallest. Each except the last two contains the next one as its subgroup. */
export const SYSTEM_GROUPS = [
  { name: "role:internet", description: "Everyone on the internet" },
  { name: "role:everyone", description: "Everyone in this organization, including guests" },
  { name: "role:members", description: "Everyone in this organization except guests" },
  {
    name: "role:fullmembers",
    description: "Members for longer than the waiting period, moderators, administrators and owners",
  },
  { name: "role:moderators", description: "Moderators, administrators and owners" },
  { name: "role:administrators", description: "Administrators and owners" },
  { name: "role:owners", description: "Owners" },
  { name: "role:nobody", description: "Nobody" },
] as const;
export type SystemGroupName = (typeof SYSTEM_GROUPS)[number]["name"];
