import type { ChannelGroupSettingName } from "../../../server/api/queries/permission-settings.ts";

/** In the order in which people ask: who talks, who gets in, who tidies up. */
export const CHANNEL_PERMISSIONS = [
  "can_send_message_group",
  "can_subscribe_group",
  "can_add_subscribers_group",
  "can_remove_subscribers_group",
  "can_administer_channel_group",
  "can_resolve_topics_group",
  "can_move_messages_within_channel_group",
  "can_move_messages_out_of_channel_group",
  "can_delete_own_message_group",
  "can_delete_any_message_group",
] as const satisfies readonly ChannelGroupSettingName[];

export type ChannelPermission = (typeof CHANNEL_PERMISSIONS)[number];
