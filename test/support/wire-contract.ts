import { REGISTER_CONTRACT } from "./register-contract.ts";

/*
 * The responses and events of the public protocol up to level 421, without POST /register (register-contract.ts, which
 * explains the notation) and without calls that Hearth does not serve. An empty text: no fields.
 */

const EXPORT = `id int; acting_user_id int; export_time num; deleted_timestamp num|null; failed_timestamp num|null; export_url
      str|null; pending bool; export_type int`;
const EDIT = `prev_content? str; prev_rendered_content? str; prev_stream? int; prev_topic? str; stream? int; timestamp int;
      topic? str; user_id int|null`;
const REACTION = `emoji_name str; emoji_code str; reaction_type str(unicode_emoji|realm_emoji|zulip_extra_emoji); user_id int`;
const PROFILE_FIELD = `id int; type int; order int; name str; hint str; field_data? str; display_in_profile_summary? bool; required bool;
      editable_by_user bool`;
const SCHEDULED = `scheduled_message_id int; type str(stream|private); to int|int[]; topic? str; content str; rendered_content str;
      scheduled_delivery_timestamp int; failed bool`;
const CHANNEL = `stream_id int; name str; is_archived bool; description str; date_created int; creator_id int|null; invite_only
      bool; rendered_description str; is_web_public bool; stream_post_policy int; message_retention_days int|null;
      history_public_to_subscribers bool; first_message_id int|null; is_recently_active bool; is_announcement_only bool;
      can_add_subscribers_group? groupSetting; can_remove_subscribers_group groupSetting; can_administer_channel_group?
      groupSetting; can_send_message_group? groupSetting; can_subscribe_group groupSetting; stream_weekly_traffic
      int|null; folder_id int|null; topics_policy str(inherit|allow_empty_topic|disable_empty_topic|empty_topic_only);
      subscriber_count int; can_move_messages_within_channel_group groupSetting; can_move_messages_out_of_channel_group
      groupSetting; can_resolve_topics_group groupSetting; can_delete_any_message_group groupSetting;
      can_delete_own_message_group groupSetting`;
const GROUP = `description str; id int; date_created int|null; creator_id int|null; members int[]; direct_subgroup_ids int[];
      name str; is_system_group bool; can_add_members_group groupSetting; can_join_group groupSetting; can_leave_group
      groupSetting; can_manage_group groupSetting; can_mention_group groupSetting; can_remove_members_group
      groupSetting; deactivated bool`;
const USER = `user_id int; delivery_email str|null; email str; full_name str; date_joined str; is_active bool; is_owner bool;
      is_admin bool; is_guest bool; is_bot bool; bot_type int|null; bot_owner_id int|null; role
      int(100|200|300|400|600); timezone str; avatar_url str|null; avatar_version int; is_imported_stub bool;
      profile_data? map`;
const LINKIFIER = `pattern str; url_template str; id int; example_input str|null; reverse_template str|null;
      alternative_url_templates str[]`;
const FOLDER = `id int; name str; description str; rendered_description str; date_created int|null; creator_id int|null;
      is_archived bool; order int`;
const REMINDER = `reminder_id int; type str(private); to int[]; content str; rendered_content str; scheduled_delivery_timestamp int;
      failed bool; reminder_target_message_id int`;
const REACTION_EVENT = `emoji_name str; emoji_code str; reaction_type str(unicode_emoji|realm_emoji|zulip_extra_emoji); user_id int; user
      object; message_id int`;
/** A subscription of /register. */
const SUBSCRIPTION = /subscriptions\[\], unsubscribed\[\]: ([\s\S]*?)\n {4}never/.exec(
  REGISTER_CONTRACT["subscription"] as string,
)?.[1] as string;

const WITHOUT_FIELDS = [
  "DELETE /attachments/{attachment_id}",
  "DELETE /bot_storage",
  "PUT /bot_storage",
  "DELETE /bots/{bot_id}",
  "POST /default_stream_groups/create",
  "DELETE /default_stream_groups/{group_id}",
  "PATCH /default_stream_groups/{group_id}",
  "PATCH /default_stream_groups/{group_id}/streams",
  "DELETE /default_streams",
  "POST /default_streams",
  "DELETE /drafts/{draft_id}",
  "PATCH /drafts/{draft_id}",
  "DELETE /events",
  "DELETE /export/realm/{export_id}",
  "POST /invites",
  "DELETE /invites/multiuse/{invite_id}",
  "DELETE /invites/{invite_id}",
  "POST /invites/{invite_id}/resend",
  "POST /mark_stream_as_read",
  "POST /mark_topic_as_read",
  "DELETE /messages/{message_id}",
  "DELETE /messages/{message_id}/reactions",
  "POST /messages/{message_id}/reactions",
  "POST /messages/{message_id}/typing",
  "POST /mobile_push/register",
  "POST /mobile_push/test_notification",
  "POST /realm/deactivate",
  "DELETE /realm/domains/{domain}",
  "PATCH /realm/domains/{domain}",
  "DELETE /realm/emoji/{emoji_name}",
  "POST /realm/emoji/{emoji_name}",
  "DELETE /realm/filters/{filter_id}",
  "PATCH /realm/filters/{filter_id}",
  "GET /realm/icon",
  "PATCH /realm/linkifiers",
  "DELETE /realm/logo",
  "GET /realm/logo",
  "POST /realm/logo",
  "DELETE /realm/playgrounds/{playground_id}",
  "PATCH /realm/profile_fields",
  "DELETE /realm/profile_fields/{field_id}",
  "PATCH /realm/profile_fields/{field_id}",
  "PATCH /realm/user_settings_defaults",
  "DELETE /saved_snippets/{saved_snippet_id}",
  "PATCH /saved_snippets/{saved_snippet_id}",
  "DELETE /scheduled_messages/{scheduled_message_id}",
  "PATCH /scheduled_messages/{scheduled_message_id}",
  "PATCH /settings",
  "PATCH /settings/display",
  "PATCH /settings/notifications",
  "DELETE /streams/{stream_id}",
  "PATCH /streams/{stream_id}",
  "POST /submessage",
  "POST /typing",
  "PATCH /user_groups/{user_group_id}",
  "POST /user_groups/{user_group_id}/deactivate",
  "POST /user_groups/{user_group_id}/members",
  "POST /user_groups/{user_group_id}/subgroups",
  "POST /user_topics",
  "DELETE /users/me",
  "DELETE /users/me/android_gcm_reg_id",
  "POST /users/me/android_gcm_reg_id",
  "DELETE /users/me/apns_device_token",
  "POST /users/me/apns_device_token",
  "DELETE /users/me/muted_users/{muted_user_id}",
  "POST /users/me/muted_users/{muted_user_id}",
  "POST /users/me/onboarding_steps",
  "DELETE /users/me/profile_data",
  "PATCH /users/me/profile_data",
  "POST /users/me/status",
  "PATCH /users/me/subscriptions/muted_topics",
  "POST /users/me/subscriptions/properties",
  "PATCH /users/me/subscriptions/{stream_id}",
  "PATCH /users/{email}",
  "DELETE /users/{user_id}",
  "PATCH /users/{user_id}",
  "POST /users/{user_id}/reactivate",
  "POST /users/{user_id}/status",
  "POST /zcommand",
  "PATCH /channel_folders/{channel_folder_id}",
  "POST /navigation_views",
  "PATCH /navigation_views/{fragment}",
  "DELETE /navigation_views/{fragment}",
  "DELETE /reminders/{reminder_id}",
  "POST /messages/{message_id}/report",
  "PATCH /channel_folders",
  "POST /mobile_push/e2ee/test_notification",
];

/** By route. */
export const RESPONSES: Readonly<Record<string, string>> = {
  "GET /attachments": `
    : attachments object[]; upload_space_used int
    attachments[]: id int; name str; path_id str; size int; create_time int; messages object[]
    attachments[].messages[]: date_sent int; id int
  `,
  "GET /bot_storage": ": storage map<str>",
  "GET /bots": `
    : bots object[]
    bots[]: username str; full_name str; api_key str; avatar_url str; default_sending_stream str|null;
      default_events_register_stream str|null; default_all_public_streams bool
  `,
  "POST /bots": `
    : user_id int; api_key str; avatar_url str; default_sending_stream str|null; default_events_register_stream
      str|null; default_all_public_streams bool
  `,
  "PATCH /bots/{bot_id}": `
    : full_name str; avatar_url str; service_interface int; service_payload_url str|null; config_data map<str>|null;
      default_sending_stream str|null; default_events_register_stream str|null; default_all_public_streams bool;
      bot_owner? str
  `,
  "POST /bots/{bot_id}/api_key/regenerate": ": api_key str",
  "GET /calls/bigbluebutton/create": ": url str",
  "POST /calls/zoom/create": ": url str",
  "POST /channel_folders/create": ": channel_folder_id int",
  "GET /drafts": `
    : count int; drafts object[]
    drafts[]: id? int; type str(|stream|private); to int[]; topic str; content str; timestamp? int
  `,
  "POST /drafts": ": ids int[]",
  "GET /events": ": events object[]; queue_id str",
  "GET /export/realm": `
    : exports object[]
    exports[]: ${EXPORT}
  `,
  "POST /export/realm": ": id int",
  "GET /export/realm/consents": `
    : export_consents object[]
    export_consents[]: user_id int; consented bool
  `,
  "POST /fetch_api_key": ": api_key str; email str; user_id? int",
  "GET /get_stream_id": ": stream_id int",
  "GET /invites": `
    : invites object[]
    invites[]: id int; invited_by_user_id int; invited int; expiry_date int|null; invited_as int(100|200|300|400|600);
      email? str; notify_referrer_on_join bool; link_url? str; is_multiuse bool
  `,
  "POST /invites/multiuse": ": invite_link str",
  "POST /mark_all_as_read": ": complete bool",
  "GET /messages": `
    : anchor? int; found_newest? bool; found_oldest? bool; found_anchor? bool; history_limited? bool; messages
      object[]
    messages[]: avatar_url str|null; client str; content str; content_type str; display_recipient str|object[];
      edit_history? object[]; id int; is_me_message bool; last_edit_timestamp? int; last_moved_timestamp? int; reactions
      object[]; recipient_id int; sender_email str; sender_full_name str; sender_id int; sender_realm_str str;
      stream_id? int; subject str; submessages object[]; timestamp int; topic_links object[]; type str; flags str[];
      match_content? str; match_subject? str
    messages[].display_recipient[]: id int; email str; full_name str; is_mirror_dummy bool
    messages[].edit_history[]: ${EDIT}
    messages[].reactions[]: ${REACTION}
    messages[].submessages[]: msg_type str; content str; message_id int; sender_id int; id int
    messages[].topic_links[]: text? str; url str
  `,
  "POST /messages": ": id int; automatic_new_visibility_policy? int(2|3); message_url str; message_link str",
  "POST /messages/flags": ": messages int[]; ignored_because_not_subscribed_channels? int[]",
  "POST /messages/flags/narrow": `
    : processed_count int; updated_count int; first_processed_id int|null; last_processed_id int|null; found_oldest
      bool; found_newest bool; ignored_because_not_subscribed_channels? int[]
  `,
  "GET /messages/matches_narrow": `
    : messages map
    messages{}: match_content str; match_subject str
  `,
  "POST /messages/render": ": rendered str",
  "GET /messages/summary": ": summary str",
  "GET /messages/{message_id}": `
    : raw_content str; message object
    message: avatar_url str|null; client str; content str; content_type str; display_recipient str|object[];
      edit_history? object[]; id int; is_me_message bool; last_edit_timestamp? int; last_moved_timestamp? int; reactions
      object[]; recipient_id int; sender_email str; sender_full_name str; sender_id int; sender_realm_str str;
      stream_id? int; subject str; submessages object[]; timestamp int; topic_links object[]; type str; flags str[]
    message.display_recipient[]: id int; email str; full_name str; is_mirror_dummy bool
    message.edit_history[]: ${EDIT}
    message.reactions[]: ${REACTION}
    message.submessages[]: msg_type str; content str; message_id int; sender_id int; id int
    message.topic_links[]: text? str; url str
  `,
  "PATCH /messages/{message_id}": `
    : detached_uploads object[]
    detached_uploads[]: id int; name str; path_id str; size int; create_time int; messages object[]
    detached_uploads[].messages[]: date_sent int; id int
  `,
  "GET /messages/{message_id}/history": `
    : message_history object[]
    message_history[]: topic str; prev_topic? str; stream? int; prev_stream? int; content str; rendered_content str;
      prev_content? str; prev_rendered_content? str; user_id int|null; content_html_diff? str; timestamp int
  `,
  "GET /messages/{message_id}/read_receipts": ": user_ids int[]",
  "PATCH /realm": ": …? any",
  "GET /realm/domains": `
    : domains object[]
    domains[]: domain str; allow_subdomains bool
  `,
  "POST /realm/domains": ": new_domain (int|str)[]",
  "GET /realm/emoji": `
    : emoji map
    emoji{}: id str; name str; source_url str; still_url str|null; deactivated bool; author_id int|null
  `,
  "POST /realm/filters": ": id int",
  "DELETE /realm/icon": ": icon_url str",
  "POST /realm/icon": ": icon_url str",
  "GET /realm/linkifiers": `
    : linkifiers object[]
    linkifiers[]: ${LINKIFIER}
  `,
  "POST /realm/playgrounds": ": id int",
  "GET /realm/presence": `
    : server_timestamp num; presences map
    presences{}{}: client str; status str(idle|active); timestamp int; pushable? bool
  `,
  "GET /realm/profile_fields": `
    : custom_fields object[]
    custom_fields[]: ${PROFILE_FIELD}
  `,
  "POST /realm/profile_fields": ": id int",
  "GET /realm/subdomain/{subdomain}": ": msg str",
  "GET /saved_snippets": `
    : saved_snippets object[]
    saved_snippets[]: id int; title str; content str; date_created int
  `,
  "POST /saved_snippets": ": saved_snippet_id int",
  "GET /scheduled_messages": `
    : scheduled_messages object[]
    scheduled_messages[]: ${SCHEDULED}
  `,
  "POST /scheduled_messages": ": scheduled_message_id int",
  "GET /server_settings": `
    : authentication_methods map<bool>; external_authentication_methods object[]; zulip_feature_level int;
      zulip_version str; zulip_merge_base str; push_notifications_enabled bool; is_incompatible bool; email_auth_enabled
      bool; require_email_format_usernames bool; realm_uri str; realm_url str; realm_name str; realm_icon str;
      realm_description str; realm_web_public_access_enabled bool
    external_authentication_methods[]: name str; display_name str; display_icon str|null; login_url str; signup_url
      str
  `,
  "GET /streams": `
    : streams object[]
    streams[]: stream_id int; name str; is_archived bool; description str; date_created int; creator_id int|null;
      invite_only bool; rendered_description str; is_web_public bool; stream_post_policy int; message_retention_days
      int|null; history_public_to_subscribers bool; first_message_id int|null; is_recently_active bool;
      is_announcement_only bool; can_add_subscribers_group? groupSetting; can_remove_subscribers_group groupSetting;
      can_administer_channel_group? groupSetting; can_send_message_group? groupSetting; can_subscribe_group
      groupSetting; stream_weekly_traffic int|null; is_default? bool; folder_id int|null; topics_policy
      str(inherit|allow_empty_topic|disable_empty_topic|empty_topic_only); subscriber_count int;
      can_move_messages_within_channel_group groupSetting; can_move_messages_out_of_channel_group groupSetting;
      can_resolve_topics_group groupSetting; can_delete_any_message_group groupSetting; can_delete_own_message_group
      groupSetting
  `,
  "GET /streams/{stream_id}": `
    : stream object
    stream: ${CHANNEL}
  `,
  "POST /streams/{stream_id}/delete_topic": ": complete bool",
  "GET /streams/{stream_id}/email_address": ": email str",
  "GET /streams/{stream_id}/members": ": subscribers int[]",
  "GET /user_groups": `
    : user_groups object[]
    user_groups[]: ${GROUP}
  `,
  "GET /thumbnail/status/{realm_id_str}/{filename}": ": has_thumbnail bool",
  "POST /user_groups/create": ": group_id int",
  "GET /user_groups/{user_group_id}/members": ": members int[]",
  "GET /user_groups/{user_group_id}/members/{user_id}": ": is_user_group_member bool",
  "GET /user_groups/{user_group_id}/subgroups": ": subgroups int[]",
  "POST /user_uploads": ": uri str; url str; filename str",
  "GET /user_uploads/{realm_id_str}/{filename}": ": url str",
  "GET /users": `
    : members object[]
    members[]: ${USER}
    members[].profile_data{}: value str; rendered_value? str
  `,
  "POST /users": ": user_id int",
  "GET /users/me": `
    : avatar_url str; avatar_version int; email str; full_name str; is_admin bool; is_owner bool; role
      int(100|200|300|400|600); is_guest bool; is_bot bool; is_active bool; timezone str; date_joined str;
      max_message_id int; user_id int; delivery_email str; is_imported_stub bool; profile_data? map
    profile_data{}: value str; rendered_value? str
  `,
  "GET /users/{user_id}/channels": ": subscribed_channel_ids int[]",
  "DELETE /users/me/alert_words": ": alert_words str[]",
  "GET /users/me/alert_words": ": alert_words str[]",
  "POST /users/me/alert_words": ": alert_words str[]",
  "POST /users/me/api_key/regenerate": ": api_key str",
  "DELETE /users/me/avatar": ": avatar_url str",
  "POST /users/me/avatar": ": avatar_url str",
  "POST /users/me/presence": `
    : presence_last_update_id int; server_timestamp? num; zephyr_mirror_active bool; presences?
      map<{active_timestamp:int,idle_timestamp:int}|map<{client:str,status:str(active|idle),timestamp:int,pushable?:bool}>>
  `,
  "DELETE /users/me/subscriptions": ": not_removed str[]; removed str[]",
  "GET /users/me/subscriptions": `
    : subscriptions object[]
    subscriptions[]: ${SUBSCRIPTION}
  `,
  "PATCH /users/me/subscriptions": `
    : subscribed map<str[]>; already_subscribed map<str[]>; not_removed? str[]; removed str[]
  `,
  "POST /users/me/subscriptions": `
    : subscribed map<str[]>; already_subscribed map<str[]>; unauthorized? str[]; new_subscription_messages_sent? bool
  `,
  "GET /users/me/{stream_id}/topics": `
    : topics object[]
    topics[]: max_id int; name str
  `,
  "GET /users/{email}": `
    : user object
    user: ${USER}
    user.profile_data{}: value str; rendered_value? str
  `,
  "GET /users/{user_id_or_email}/presence": `
    : presence map
    presence{}: timestamp int; status str
  `,
  "GET /users/{user_id}": `
    : user object
    user: ${USER}
    user.profile_data{}: value str; rendered_value? str
  `,
  "GET /users/{user_id}/status": `
    : status object
    status: away bool; status_text str; emoji_name str; emoji_code str; reaction_type
      str(unicode_emoji|realm_emoji|zulip_extra_emoji)
  `,
  "GET /users/{user_id}/subscriptions/{stream_id}": ": is_subscribed bool",
  "GET /channel_folders": `
    : channel_folders object[]
    channel_folders[]: ${FOLDER}
  `,
  "GET /navigation_views": `
    : navigation_views object[]
    navigation_views[]: fragment str; is_pinned bool; name str|null
  `,
  "POST /reminders": ": reminder_id int",
  "GET /reminders": `
    : reminders object[]
    reminders[]: ${REMINDER}
  `,
  "POST /realm/test_welcome_bot_custom_message": ": message_id int",
  "POST /channels/create": ": id int",
  ...Object.fromEntries(WITHOUT_FIELDS.map((route) => [route, ""])),
};

/** By type, and op if there is one. Every event also has an `id`. */
export const EVENTS: Readonly<Record<string, string>> = {
  alert_words: ": alert_words str[]",
  "attachment/add": `
    : attachment object; upload_space_used int
    attachment: id int; name str; path_id str; size int; create_time int; messages object[]
    attachment.messages[]: date_sent int; id int
  `,
  "attachment/remove": `
    : attachment object; upload_space_used int
    attachment: id int
  `,
  "attachment/update": `
    : attachment object; upload_space_used int
    attachment: id int; name str; path_id str; size int; create_time int; messages object[]
    attachment.messages[]: date_sent int; id int
  `,
  custom_profile_fields: `
    : fields object[]
    fields[]: ${PROFILE_FIELD}
  `,
  default_stream_groups: `
    : default_stream_groups object[]
    default_stream_groups[]: name str; description str; id int; streams int[]
  `,
  default_streams: ": default_streams int[]",
  delete_message: `
    : message_ids? int[]; message_id? int; message_type str(private|stream); stream_id? int; topic? str
  `,
  "drafts/add": `
    : drafts object[]
    drafts[]: id? int; type str(|stream|private); to int[]; topic str; content str; timestamp? int
  `,
  "drafts/remove": ": draft_id int",
  "drafts/update": `
    : draft object
    draft: id? int; type str(|stream|private); to int[]; topic str; content str; timestamp? int
  `,
  has_zoom_token: ": value bool",
  message: `
    : message object; flags str[]; local_id? str
    message: avatar_url str|null; client str; content str; content_type str; display_recipient str|object[];
      edit_history? object[]; id int; is_me_message bool; last_edit_timestamp? int; last_moved_timestamp? int; reactions
      object[]; recipient_id int; sender_email str; sender_full_name str; sender_id int; sender_realm_str str;
      stream_id? int; subject str; submessages object[]; timestamp int; topic_links object[]; type str
    message.display_recipient[]: id int; email str; full_name str; is_mirror_dummy bool
    message.edit_history[]: ${EDIT}
    message.reactions[]: ${REACTION}
    message.submessages[]: msg_type str; content str; message_id int; sender_id int; id int
    message.topic_links[]: text? str; url str
  `,
  muted_topics: ": muted_topics (str|int)[][]",
  muted_users: `
    : muted_users object[]
    muted_users[]: id int; timestamp int
  `,
  onboarding_steps: `
    : onboarding_steps object[]
    onboarding_steps[]: type str; name str
  `,
  presence: `
    : user_id? int; email? str; server_timestamp? num; presence?
      map<{client:str,status:str(active|idle),timestamp:int,pushable?:bool}>; presences?
      map<{active_timestamp:int,idle_timestamp:int}>
  `,
  "reaction/add": `
    : ${REACTION_EVENT}
    user: user_id int; email str; full_name str; is_mirror_dummy bool
  `,
  "reaction/remove": `
    : ${REACTION_EVENT}
    user: user_id int; email str; full_name str; is_mirror_dummy bool
  `,
  "realm/deactivated": ": realm_id int",
  "realm/update": ": property str; value str|bool|int|null",
  "realm/update_dict": `
    : property? str; data object
    data: allow_message_editing? bool; authentication_methods? map; can_access_all_users_group? groupSetting;
      can_create_groups? groupSetting; can_create_bots_group? groupSetting; can_create_write_only_bots_group?
      groupSetting; can_create_public_channel_group? groupSetting; can_create_private_channel_group? groupSetting;
      can_create_web_public_channel_group? groupSetting; can_add_custom_emoji_group? groupSetting;
      can_add_subscribers_group? groupSetting; can_delete_any_message_group? groupSetting; can_delete_own_message_group?
      groupSetting; can_invite_users_group? groupSetting; can_mention_many_users_group? groupSetting;
      can_move_messages_between_channels_group? groupSetting; can_move_messages_between_topics_group? groupSetting;
      can_resolve_topics_group? groupSetting; can_manage_all_groups? groupSetting; can_manage_billing_group?
      groupSetting; can_summarize_topics_group? groupSetting; create_multiuse_invite_group? groupSetting;
      default_code_block_language? str; default_language? str; description? str; digest_emails_enabled? bool;
      digest_weekday? int; direct_message_initiator_group? groupSetting; direct_message_permission_group? groupSetting;
      disallow_disposable_email_addresses? bool; email_changes_disabled? bool; enable_read_receipts? bool;
      emails_restricted_to_domains? bool; enable_guest_user_dm_warning? bool; enable_guest_user_indicator? bool;
      enable_spectator_access? bool; giphy_rating? int; icon_source? str; icon_url? str; inline_image_preview? bool;
      inline_url_embed_preview? bool; invite_required? bool; jitsi_server_url? str|null; logo_source? str; logo_url?
      str; mandatory_topics? bool; max_file_upload_size_mib? int; message_content_allowed_in_email_notifications? bool;
      message_content_delete_limit_seconds? int|null; message_content_edit_limit_seconds? int|null;
      message_edit_history_visibility_policy? str; moderation_request_channel_id? int;
      move_messages_within_stream_limit_seconds? int|null; move_messages_between_streams_limit_seconds? int|null; name?
      str; name_changes_disabled? bool; night_logo_source? str; night_logo_url? str; new_stream_announcements_stream_id?
      int; org_type? int; plan_type? int; presence_disabled? bool; push_notifications_enabled? bool;
      push_notifications_enabled_end_timestamp? int|null; require_unique_names? bool; send_welcome_emails? bool;
      signup_announcements_stream_id? int; upload_quota_mib? int|null; video_chat_provider? int;
      waiting_period_threshold? int; want_advertise_in_communities_directory? bool;
      zulip_update_announcements_stream_id? int; topics_policy? str; can_set_topics_policy_group? groupSetting;
      can_set_delete_message_policy_group? groupSetting
    data.authentication_methods{}: enabled bool; available bool; unavailable_reason? str
  `,
  realm_billing: ": property str; value bool",
  "realm_bot/add": `
    : bot object
    bot: user_id int; full_name str; api_key str; default_sending_stream str|null; default_events_register_stream
      str|null; default_all_public_streams bool; avatar_url str; owner_id int|null; services
      ({base_url:str,token:str,interface:int}|{service_name:str,config_data:map<str>})[]; email str; bot_type int|null;
      is_active bool
  `,
  "realm_bot/delete": `
    : bot object
    bot: user_id int
  `,
  "realm_bot/remove": `
    : bot object
    bot: user_id int; full_name str
  `,
  "realm_bot/update": `
    : bot object
    bot: user_id int; full_name? str; email? str; api_key? str; default_sending_stream? str|null;
      default_events_register_stream? str|null; default_all_public_streams? bool; avatar_url? str; owner_id? int|null; services?
      ({base_url:str,token:str,interface:int}|{service_name:str,config_data:map<str>})[]; is_active? bool
  `,
  "realm_domains/add": `
    : realm_domain object
    realm_domain: domain str; allow_subdomains bool
  `,
  "realm_domains/change": `
    : realm_domain object
    realm_domain: domain str; allow_subdomains bool
  `,
  "realm_domains/remove": ": domain str",
  "realm_emoji/add": `
    : emoji object
    emoji: id str; name str; source_url str; still_url str|null; deactivated bool; author_id int|null
  `,
  "realm_emoji/update": `
    : realm_emoji map
    realm_emoji{}: id str; name str; source_url str; still_url str|null; deactivated bool; author_id int|null
  `,
  "realm_emoji/update_one": `
    : emoji_id str; data object
    data: deactivated? bool
  `,
  realm_export: `
    : exports object[]
    exports[]: ${EXPORT}
  `,
  realm_export_consent: ": user_id int; consented bool",
  realm_filters: ": realm_filters (int|str)[][]",
  realm_linkifiers: `
    : realm_linkifiers object[]
    realm_linkifiers[]: ${LINKIFIER}
  `,
  realm_playgrounds: `
    : realm_playgrounds object[]
    realm_playgrounds[]: id int; name str; pygments_language str; url_template str
  `,
  "realm_user/add": `
    : person object
    person: ${USER}
    person.profile_data{}: value str; rendered_value? str
  `,
  "realm_user/remove": `
    : person object
    person: user_id int; full_name str
  `,
  "realm_user/update": `
    : person
      {user_id:int,full_name:str}|{user_id:int,avatar_url:str|null,avatar_source:str,avatar_url_medium:str|null,avatar_version:int}|{user_id:int,email:str,timezone:str}|{user_id:int,bot_owner_id:int}|{user_id:int,role:int(100|200|300|400|600)}|{user_id:int,delivery_email:str|null}|{user_id:int,custom_profile_field:{id:int,value:str|null,rendered_value?:str}}|{user_id:int,new_email:str}|{user_id:int,is_active:bool}
  `,
  "realm_user_settings_defaults/update": ": property str; value bool|int|str",
  restart: ": zulip_version str; zulip_merge_base str; zulip_feature_level int; server_generation int",
  "saved_snippets/add": `
    : saved_snippet object
    saved_snippet: id int; title str; content str; date_created int
  `,
  "saved_snippets/remove": ": saved_snippet_id int",
  "saved_snippets/update": `
    : saved_snippet object
    saved_snippet: id int; title str; content str; date_created int
  `,
  "scheduled_messages/add": `
    : scheduled_messages object[]
    scheduled_messages[]: ${SCHEDULED}
  `,
  "scheduled_messages/remove": ": scheduled_message_id int",
  "scheduled_messages/update": `
    : scheduled_message object
    scheduled_message: ${SCHEDULED}
  `,
  "stream/create": `
    : streams object[]
    streams[]: ${CHANNEL}
  `,
  "stream/delete": `
    : streams object[]; stream_ids int[]
    streams[]: stream_id int
  `,
  "stream/update": `
    : stream_id int; name str; property str; rendered_description? str; history_public_to_subscribers? bool;
      is_web_public? bool; value {direct_members:int[],direct_subgroups:int[]}|int|bool|str|null
  `,
  submessage: ": msg_type str; content str; message_id int; sender_id int; submessage_id int",
  "subscription/add": `
    : subscriptions object[]
    subscriptions[]: ${SUBSCRIPTION}
  `,
  "subscription/peer_add": ": stream_ids int[]; user_ids int[]",
  "subscription/peer_remove": ": stream_ids int[]; user_ids int[]",
  "subscription/remove": `
    : subscriptions object[]
    subscriptions[]: stream_id int; name str
  `,
  "subscription/update": ": stream_id int; property str; value int|bool|str",
  "typing/start": `
    : message_type str(direct|stream); sender object; recipients? object[]; stream_id? int; topic? str
    sender: user_id int; email str
    recipients[]: user_id int; email str
  `,
  "typing/stop": `
    : message_type str(direct|stream); sender object; recipients? object[]; stream_id? int; topic? str
    sender: user_id int; email str
    recipients[]: user_id int; email str
  `,
  "typing_edit_message/start": `
    : sender_id int; message_id int; recipient object
    recipient: type str(direct|channel); channel_id? int; topic? str; user_ids? int[]
  `,
  "typing_edit_message/stop": `
    : sender_id int; message_id int; recipient object
    recipient: type str(direct|channel); channel_id? int; topic? str; user_ids? int[]
  `,
  update_display_settings: ": user str; setting_name str; setting bool|int|str; language_name? str",
  update_global_notifications: ": user str; notification_name str; setting bool|int|str",
  update_message: `
    : user_id int|null; rendering_only bool; message_id int; message_ids int[]; flags str[]; edit_timestamp int;
      stream_name? str; stream_id? int; new_stream_id? int; propagate_mode? str(change_one|change_later|change_all);
      orig_subject? str; subject? str; topic_links? object[]; orig_content? str; orig_rendered_content? str; content?
      str; rendered_content? str; is_me_message? bool
    topic_links[]: text? str; url str
  `,
  "update_message_flags/add": ": operation str(add); flag str; messages int[]; all bool",
  "update_message_flags/remove": `
    : operation str(remove); flag str; messages int[]; all bool; message_details? map
    message_details{}: type str(private|stream); mentioned? bool; user_ids? int[]; stream_id? int; topic? str;
      unmuted_stream_msg? bool
  `,
  "user_group/add": `
    : group object
    group: ${GROUP}
  `,
  "user_group/add_members": ": group_id int; user_ids int[]",
  "user_group/add_subgroups": ": group_id int; direct_subgroup_ids int[]",
  "user_group/remove": ": group_id int",
  "user_group/remove_members": ": group_id int; user_ids int[]",
  "user_group/remove_subgroups": ": group_id int; direct_subgroup_ids int[]",
  "user_group/update": `
    : group_id int; data object
    data: name? str; description? str; can_add_members_group? groupSetting; can_join_group? groupSetting;
      can_leave_group? groupSetting; can_manage_group? groupSetting; can_mention_group? groupSetting;
      can_remove_members_group? groupSetting; deactivated? bool
  `,
  "user_settings/update": ": property str; value bool|int|str; language_name? str",
  user_status: `
    : away? bool; status_text? str; emoji_name? str; emoji_code? str; reaction_type?
      str(|unicode_emoji|realm_emoji|zulip_extra_emoji); user_id int
  `,
  user_topic: ": stream_id int; topic_name str; last_updated int; visibility_policy int",
  web_reload_client: ": immediate bool",
  "channel_folder/add": `
    : channel_folder object
    channel_folder: ${FOLDER}
  `,
  "channel_folder/update": `
    : channel_folder_id int; data object
    data: name? str; description? str; rendered_description? str; is_archived? bool
  `,
  "navigation_view/add": `
    : navigation_view object
    navigation_view: fragment str; is_pinned bool; name str|null
  `,
  "navigation_view/update": `
    : fragment str; data object
    data: is_pinned? bool; name? str
  `,
  "navigation_view/remove": ": fragment str",
  "reminders/add": `
    : reminders object[]
    reminders[]: ${REMINDER}
  `,
  "reminders/remove": ": reminder_id int",
  push_device: ": push_account_id str; status str(active|failed|pending); error_code? str",
  "channel_folder/reorder": ": order int[]",
  heartbeat: "",
  invites_changed: "",
};
