/*
 * The fields that the mobile app of the public protocol (2025) reads, with its declared types. Without them it does not
 * start, show a message or apply an event. The notation is that of test/support/register-contract.ts.
 */

/** Its parameters of POST /register, besides the capabilities. */
export const MOBILE_PARAMETERS = { apply_markdown: true, client_gravatar: false, slim_presence: true };

export const MOBILE_CAPABILITIES = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  user_avatar_url_field_optional: true,
  stream_typing_notifications: true,
  user_settings_object: true,
  include_deactivated_groups: true,
  empty_topic_name: true,
};

export const MOBILE_REGISTER = `
  : queue_id str|null; last_event_id int; zulip_feature_level int; zulip_version str; zulip_merge_base str;
      alert_words str[]; custom_profile_fields object[]; max_stream_name_length int; max_topic_length int;
      server_presence_ping_interval_seconds int; server_presence_offline_threshold_seconds int; muted_users object[];
      presences map; realm_emoji map; realm_user_groups object[]; recent_private_conversations object[];
      subscriptions object[]; unread_msgs object; starred_messages int[]; streams object[]; user_status map;
      user_settings object; user_topics object[]; realm_wildcard_mention_policy int; realm_name str;
      realm_waiting_period_threshold int; realm_allow_message_editing bool; realm_enable_read_receipts bool;
      realm_icon_url str; realm_presence_disabled bool; realm_default_external_accounts map;
      max_file_upload_size_mib int; server_emoji_data_url str; event_queue_longpoll_timeout_seconds int;
      realm_users object[]; realm_non_active_users object[]; cross_realm_bots object[]; saved_snippets object[];
      channel_folders object[]; server_thumbnail_formats object[]; realm_mandatory_topics bool;
      realm_message_content_delete_limit_seconds int|null; realm_message_content_edit_limit_seconds int|null;
      realm_empty_topic_display_name str; server_typing_started_expiry_period_milliseconds int;
      server_typing_started_wait_period_milliseconds int; server_typing_stopped_wait_period_milliseconds int
  subscriptions[],streams[]: stream_id int; name str; description str; rendered_description str; date_created int;
      invite_only bool; is_web_public bool; history_public_to_subscribers bool
  subscriptions[]: pin_to_top bool; is_muted bool; color str
  realm_users[],realm_non_active_users[],cross_realm_bots[]: user_id int; email str; full_name str; date_joined str;
      is_active bool; is_bot bool; role int; timezone str; avatar_version int
  realm_user_groups[]: id int; members int[]; direct_subgroup_ids int[]; name str; description str; is_system_group bool
  user_settings: starred_message_counts bool; display_emoji_reaction_users bool; emojiset str; presence_enabled bool
  unread_msgs: count int; pms object[]; streams object[]; huddles object[]; mentions int[]; old_unreads_missing bool
  unread_msgs.pms[]: other_user_id int; unread_message_ids int[]
  unread_msgs.streams[]: topic str; stream_id int; unread_message_ids int[]
  unread_msgs.huddles[]: user_ids_string str; unread_message_ids int[]
  realm_emoji{}: id str; name str; source_url str; deactivated bool
  custom_profile_fields[]: id int; type int; order int; name str; hint str; field_data str
  recent_private_conversations[]: max_message_id int; user_ids int[]
  user_topics[]: stream_id int; topic_name str; last_updated int; visibility_policy int
  muted_users[]: id int
  presences{}: active_timestamp int; idle_timestamp int
  server_thumbnail_formats[]: name str; max_width int; max_height int; animated bool; format str
  realm_default_external_accounts{}: name str; text str; hint str; url_pattern str
  saved_snippets[]: id int; title str; content str; date_created int
  channel_folders[]: id int; name str; description str; rendered_description str; is_archived bool
`;

const MESSAGE = `client str; content str; content_type str; id int; is_me_message bool; reactions object[];
      sender_email str; sender_full_name str; sender_id int; sender_realm_str str; timestamp int;
      submessages object[]`;
const INSIDE_MESSAGE = `
  reactions[]: emoji_name str; emoji_code str; reaction_type str; user_id int
  submessages[]: msg_type str; content str; sender_id int
`;

/** A message by type. In an event, `flags` are next to it. */
export const MOBILE_MESSAGE = {
  stream: `
  : ${MESSAGE}; stream_id int; subject str; display_recipient str${INSIDE_MESSAGE}`,
  private: `
  : ${MESSAGE}; display_recipient object[]${INSIDE_MESSAGE}  display_recipient[]: id int; email str; full_name str
`,
};

/** The responses to its other calls. */
export const MOBILE_ANSWERS = {
  "GET /server_settings": `
  : authentication_methods map<bool>; external_authentication_methods object[]; zulip_feature_level int;
      zulip_version str; zulip_merge_base str; push_notifications_enabled bool; is_incompatible bool;
      email_auth_enabled bool; require_email_format_usernames bool; realm_uri str; realm_name str; realm_icon str;
      realm_description str; realm_web_public_access_enabled bool`,
  "POST /fetch_api_key": ": api_key str; email str",
  "GET /users/me": ": user_id int",
  "GET /messages/{message_id}": ": message object",
  "POST /messages": ": id int",
  "POST /messages/flags": ": messages int[]",
  "POST /messages/flags/narrow": `
  : processed_count int; updated_count int; found_oldest bool; found_newest bool; first_processed_id int|null;
      last_processed_id int|null`,
  "GET /messages/{message_id}/read_receipts": ": user_ids int[]",
  "GET /users/me/{stream_id}/topics": ": topics {max_id:int,name:str}[]",
  "POST /saved_snippets": ": saved_snippet_id int",
} as const;

/** Events by type, and op if there is one. Every event has an `id`. */
export const MOBILE_EVENTS: Readonly<Record<string, string>> = {
  alert_words: "alert_words str[]",
  "stream/create": "streams object[]",
  "stream/delete": "stream_ids int[]",
  "stream/update": "stream_id int; name str; property str",
  "channel_folder/add": "channel_folder object",
  "channel_folder/update": "channel_folder_id int; data object",
  "channel_folder/reorder": "order int[]",
  custom_profile_fields: "fields object[]",
  delete_message: "message_ids int[]; message_type str",
  message: "message object; flags str[]",
  muted_users: "muted_users object[]",
  presence: "user_id int; server_timestamp num; presence map",
  "reaction/add": "emoji_name str; emoji_code str; reaction_type str; user_id int; message_id int",
  "reaction/remove": "emoji_name str; emoji_code str; reaction_type str; user_id int; message_id int",
  "realm_user/add": "person object",
  "realm_user/update": "person {user_id:int,…}",
  "saved_snippets/add": "saved_snippet object",
  "saved_snippets/update": "saved_snippet object",
  "saved_snippets/remove": "saved_snippet_id int",
  submessage: "msg_type str; content str; message_id int; sender_id int; submessage_id int",
  "subscription/add": "subscriptions object[]",
  "subscription/remove": "subscriptions {stream_id:int,…}[]",
  "subscription/update": "stream_id int; property str",
  "subscription/peer_add": "stream_ids int[]; user_ids int[]",
  "subscription/peer_remove": "stream_ids int[]; user_ids int[]",
  "typing/start": "message_type str; sender {user_id:int,…}",
  "typing/stop": "message_type str; sender {user_id:int,…}",
  update_message: "rendering_only bool; message_id int; message_ids int[]; flags str[]; edit_timestamp int",
  "update_message_flags/add": "flag str; messages int[]; all bool",
  "update_message_flags/remove": "flag str; messages int[]",
  "user_group/add": "group object",
  "user_group/update": "group_id int; data object",
  "user_group/add_members": "group_id int; user_ids int[]",
  "user_group/remove_members": "group_id int; user_ids int[]",
  "user_group/add_subgroups": "group_id int; direct_subgroup_ids int[]",
  "user_group/remove_subgroups": "group_id int; direct_subgroup_ids int[]",
  "user_settings/update": "property str",
  user_status: "user_id int",
  user_topic: "stream_id int; topic_name str; last_updated int; visibility_policy int",
};
