import type { State } from "../../api/state-shape.ts";
import type { settingsTexts } from "../../locales/en/settings.ts";

/* The permissions of PATCH /realm. test/ui/admin-settings.test.ts compares them with the server's. */

/** Those that have texts. */
export type PermissionId = keyof typeof settingsTexts.organizationPermissions.who;

export interface PermissionSection {
  readonly id: keyof typeof settingsTexts.organizationPermissions.sections;
  readonly permissions: readonly PermissionId[];
}

/** Those that are not about what one person may do here. */
const NOT_OWN = [
  "can_access_all_users_group",
  "direct_message_permission_group",
  "can_summarize_topics_group",
  "can_manage_billing_group",
] as const satisfies readonly PermissionId[];
export type OwnPermissionId = Exclude<PermissionId, (typeof NOT_OWN)[number]>;

/** Only owners change these. */
export const OWNER_PERMISSIONS: ReadonlySet<PermissionId> = new Set<PermissionId>([
  "can_create_groups",
  "can_invite_users_group",
  "can_manage_all_groups",
  "can_manage_billing_group",
  "create_multiuse_invite_group",
]);

export const PERMISSION_SECTIONS: readonly PermissionSection[] = [
  {
    id: "people",
    permissions: [
      "can_invite_users_group",
      "create_multiuse_invite_group",
      "can_access_all_users_group",
      "can_create_groups",
      "can_manage_all_groups",
    ],
  },
  {
    id: "channels",
    permissions: [
      "can_create_public_channel_group",
      "can_create_private_channel_group",
      "can_create_web_public_channel_group",
      "can_add_subscribers_group",
      "can_mention_many_users_group",
    ],
  },
  {
    id: "messages",
    permissions: [
      "can_delete_own_message_group",
      "can_delete_any_message_group",
      "can_set_delete_message_policy_group",
      "can_move_messages_between_topics_group",
      "can_move_messages_between_channels_group",
      "can_resolve_topics_group",
      "can_set_topics_policy_group",
    ],
  },
  { id: "direct", permissions: ["direct_message_initiator_group", "direct_message_permission_group"] },
  {
    id: "programs",
    permissions: ["can_create_bots_group", "can_create_write_only_bots_group", "can_add_custom_emoji_group"],
  },
  { id: "others", permissions: ["can_summarize_topics_group", "can_manage_billing_group"] },
];

/** What somebody may do themselves, or may not: `own.permissions` has their texts. */
export const OWN_PERMISSIONS: readonly OwnPermissionId[] = PERMISSION_SECTIONS.flatMap(({ permissions }) =>
  permissions.filter((id): id is OwnPermissionId => !(NOT_OWN as readonly PermissionId[]).includes(id)),
);

export const permissionIn = (state: State, id: PermissionId) => state[`realm_${id}`];
