/**
 * The response of POST /register (docs/protocol.md#register) by fetch name (`a+b`: both are needed), as `field type`.
 * The parts of a field follow in further lines: `field[]` each item, `field{}` each value of a map, `field.` the object
 * itself. `?`: may be absent. Types: `a|b` either, `[]` a list, `map<>` by name.
 */
export const REGISTER_CONTRACT: Readonly<Record<string, string>> = {
  "*always": `
    : queue_id str|null; last_event_id int; zulip_feature_level int; zulip_version str; zulip_merge_base str;
      service_feature_level int; service_version str; idle_queue_timeout_secs int
  `,
  alert_words: `
    : alert_words str[]
  `,
  custom_profile_fields: `
    : custom_profile_fields object[]; custom_profile_field_types map<{id:int,name:str}>
    custom_profile_fields[]: id int; type int; order int; name str; hint str; field_data? str;
      display_in_profile_summary? bool; required bool; editable_by_user bool
  `,
  realm: `
    : realm_date_created int; max_stream_name_length int; max_stream_description_length int; max_topic_length int;
      max_reminder_note_length int; realm_welcome_message_custom_text str; max_message_length int; server_min_deactivated_realm_deletion_days int|null;
      server_max_deactivated_realm_deletion_days int|null; server_presence_ping_interval_seconds int;
      server_presence_offline_threshold_seconds int; server_typing_started_expiry_period_milliseconds int;
      server_typing_stopped_wait_period_milliseconds int; server_typing_started_wait_period_milliseconds int;
      realm_message_edit_history_visibility_policy str; realm_allow_edit_history bool;
      realm_can_add_custom_emoji_group groupSetting; realm_can_add_subscribers_group groupSetting;
      realm_can_delete_any_message_group groupSetting; realm_can_delete_own_message_group groupSetting;
      realm_can_invite_users_group groupSetting; realm_can_mention_many_users_group groupSetting;
      realm_can_move_messages_between_channels_group groupSetting; realm_can_move_messages_between_topics_group
      groupSetting; realm_can_create_groups groupSetting; realm_can_create_bots_group groupSetting;
      realm_can_create_write_only_bots_group groupSetting; realm_can_manage_all_groups groupSetting;
      realm_can_manage_billing_group groupSetting; realm_can_create_public_channel_group groupSetting;
      realm_can_create_private_channel_group groupSetting; realm_can_create_web_public_channel_group groupSetting;
      realm_can_resolve_topics_group groupSetting; realm_create_public_stream_policy int;
      realm_create_private_stream_policy int; realm_create_web_public_stream_policy int; realm_wildcard_mention_policy
      int; realm_default_language str; realm_description str; realm_digest_emails_enabled bool;
      realm_disallow_disposable_email_addresses bool; realm_email_changes_disabled bool; realm_invite_required bool;
      realm_create_multiuse_invite_group groupSetting; realm_inline_image_preview bool; realm_inline_url_embed_preview
      bool; realm_mandatory_topics bool; realm_message_retention_days int; realm_name str; realm_require_unique_names
      bool; realm_name_changes_disabled bool; realm_avatar_changes_disabled bool; realm_emails_restricted_to_domains
      bool; realm_send_welcome_emails bool; realm_message_content_allowed_in_email_notifications bool;
      realm_enable_spectator_access bool; realm_want_advertise_in_communities_directory bool;
      realm_video_chat_provider int; realm_jitsi_server_url str|null; realm_giphy_rating int;
      realm_waiting_period_threshold int; realm_digest_weekday int; realm_direct_message_initiator_group groupSetting;
      realm_direct_message_permission_group groupSetting; realm_default_code_block_language str;
      realm_message_content_delete_limit_seconds int|null; realm_authentication_methods
      map<{enabled:bool,available:bool,unavailable_reason?:str}>; realm_allow_message_editing bool;
      realm_message_content_edit_limit_seconds int|null; realm_move_messages_within_stream_limit_seconds int|null;
      realm_move_messages_between_streams_limit_seconds int|null; realm_enable_read_receipts bool; realm_icon_url str;
      realm_icon_source str; max_icon_file_size_mib int; realm_logo_url str; realm_logo_source str;
      realm_night_logo_url str; realm_night_logo_source str; max_logo_file_size_mib int; realm_bot_domain str;
      realm_uri str; realm_url str; realm_available_video_chat_providers map<{name:str,id:int}>;
      realm_presence_disabled bool; settings_send_digest_emails bool; realm_is_zephyr_mirror_realm bool;
      realm_email_auth_enabled bool; realm_password_auth_enabled bool; realm_push_notifications_enabled bool;
      realm_push_notifications_enabled_end_timestamp int|null; realm_upload_quota_mib int|null; realm_org_type int;
      realm_plan_type int; realm_enable_guest_user_dm_warning bool; realm_enable_guest_user_indicator bool;
      realm_can_access_all_users_group groupSetting; realm_can_summarize_topics_group groupSetting;
      zulip_plan_is_not_limited bool; upgrade_text_for_wide_organization_logo str; realm_default_external_accounts
      map<{name:str,text:str,hint:str,url_pattern:str}>; jitsi_server_url str; development_environment bool;
      server_generation int; password_min_length int; password_max_length int; password_min_guesses int;
      giphy_rating_options map<{name:str,id:int}>; max_file_upload_size_mib int; max_avatar_file_size_mib int;
      server_inline_image_preview bool; server_inline_url_embed_preview bool; server_thumbnail_formats object[];
      server_avatar_changes_disabled bool; server_name_changes_disabled bool; server_needs_upgrade bool;
      server_web_public_streams_enabled bool; server_emoji_data_url str; server_jitsi_server_url str|null;
      server_can_summarize_topics bool; event_queue_longpoll_timeout_seconds int; realm_moderation_request_channel_id
      int; realm_new_stream_announcements_stream_id int; realm_signup_announcements_stream_id int;
      realm_zulip_update_announcements_stream_id int; realm_empty_topic_display_name str;
      server_supported_permission_settings object; max_channel_folder_name_length int;
      max_channel_folder_description_length int; max_bulk_new_subscription_messages int; realm_topics_policy
      str(allow_empty_topic|disable_empty_topic); realm_can_set_topics_policy_group groupSetting;
      realm_can_set_delete_message_policy_group groupSetting; realm_require_e2ee_push_notifications bool;
      demo_organization_scheduled_deletion_date? int
    server_thumbnail_formats[]: name str; max_width int; max_height int; format str; animated bool
    server_supported_permission_settings: realm map; stream map; group map
    server_supported_permission_settings.realm{}, server_supported_permission_settings.stream{},
      server_supported_permission_settings.group{}: require_system_group bool; allow_internet_group bool;
      allow_nobody_group bool; allow_everyone_group bool; default_group_name str; default_for_system_groups str|null;
      allowed_system_groups str[]
  `,
  drafts: `
    : drafts object[]
    drafts[]: id? int; type str(|stream|private); to int[]; topic str; content str; timestamp? int
  `,
  onboarding_steps: `
    : onboarding_steps object[]; navigation_tour_video_url str|null
    onboarding_steps[]: type str; name str
  `,
  message: `
    : max_message_id int
  `,
  scheduled_messages: `
    : scheduled_messages object[]
    scheduled_messages[]: scheduled_message_id int; type str(stream|private); to int|int[]; topic? str; content str;
      rendered_content str; scheduled_delivery_timestamp int; failed bool
  `,
  muted_topics: `
    : muted_topics (str|int)[][]
  `,
  muted_users: `
    : muted_users object[]
    muted_users[]: id int; timestamp int
  `,
  presence: `
    : presences map; presence_last_update_id int; server_timestamp num
  `,
  realm_domains: `
    : realm_domains object[]
    realm_domains[]: domain str; allow_subdomains bool
  `,
  realm_emoji: `
    : realm_emoji map
    realm_emoji{}: id str; name str; source_url str; still_url str|null; deactivated bool; author_id int|null
  `,
  realm_linkifiers: `
    : realm_linkifiers object[]
    realm_linkifiers[]: pattern str; url_template str; id int; example_input str|null; reverse_template str|null;
      alternative_url_templates str[]
  `,
  realm_filters: `
    : realm_filters (int|str)[][]
  `,
  realm_playgrounds: `
    : realm_playgrounds object[]
    realm_playgrounds[]: id int; name str; pygments_language str; url_template str
  `,
  realm_user_groups: `
    : realm_user_groups object[]
    realm_user_groups[]: name str; date_created int|null; creator_id int|null; description str; members int[];
      direct_subgroup_ids int[]; id int; is_system_group bool; can_add_members_group groupSetting; can_join_group
      groupSetting; can_leave_group groupSetting; can_manage_group groupSetting; can_mention_group groupSetting;
      can_remove_members_group groupSetting; deactivated bool
  `,
  realm_bot: `
    : realm_bots object[]
    realm_bots[]: user_id int; full_name str; api_key str; default_sending_stream str|null;
      default_events_register_stream str|null; default_all_public_streams bool; avatar_url str; owner_id int|null;
      services ({base_url:str,token:str,interface:int}|{service_name:str,config_data:map<str>})[]; email str; bot_type
      int|null; is_active bool
  `,
  realm_embedded_bots: `
    : realm_embedded_bots object[]
    realm_embedded_bots[]: name str; config map<str>
  `,
  realm_incoming_webhook_bots: `
    : realm_incoming_webhook_bots object[]
    realm_incoming_webhook_bots[]: name str; display_name str; all_event_types? str[]|null; url_options
      {key:str,label:str,validator:str}[]
  `,
  recent_private_conversations: `
    : recent_private_conversations object[]
    recent_private_conversations[]: max_message_id int; user_ids int[]
  `,
  saved_snippets: `
    : saved_snippets object[]
    saved_snippets[]: id int; title str; content str; date_created int
  `,
  subscription: `
    : subscriptions object[]; unsubscribed object[]; never_subscribed object[]
    subscriptions[], unsubscribed[]: stream_id int; name str; description str; rendered_description str; date_created
      int; creator_id int|null; invite_only bool; desktop_notifications bool|null; email_notifications bool|null;
      wildcard_mentions_notify bool|null; push_notifications bool|null; audible_notifications bool|null; pin_to_top
      bool; is_muted bool; in_home_view bool; is_announcement_only bool; is_web_public bool; color str;
      stream_post_policy int; message_retention_days int|null; history_public_to_subscribers bool; first_message_id
      int|null; is_recently_active bool; stream_weekly_traffic int|null; can_add_subscribers_group groupSetting;
      can_remove_subscribers_group groupSetting; can_administer_channel_group groupSetting; can_send_message_group
      groupSetting; can_subscribe_group groupSetting; is_archived bool; folder_id int|null; topics_policy
      str(inherit|allow_empty_topic|disable_empty_topic|empty_topic_only); subscriber_count int;
      can_move_messages_within_channel_group groupSetting; can_move_messages_out_of_channel_group groupSetting;
      can_resolve_topics_group groupSetting; can_delete_any_message_group groupSetting; can_delete_own_message_group
      groupSetting; subscribers? int[]; partial_subscribers? int[]
    never_subscribed[]: stream_id int; name str; is_archived bool; description str; date_created int; creator_id
      int|null; invite_only bool; rendered_description str; is_web_public bool; stream_post_policy int;
      message_retention_days int|null; history_public_to_subscribers bool; first_message_id int|null;
      is_recently_active bool; is_announcement_only bool; can_add_subscribers_group groupSetting;
      can_remove_subscribers_group groupSetting; can_administer_channel_group groupSetting; can_send_message_group
      groupSetting; can_subscribe_group groupSetting; stream_weekly_traffic int|null; folder_id int|null;
      topics_policy str(inherit|allow_empty_topic|disable_empty_topic|empty_topic_only); subscriber_count int;
      can_move_messages_within_channel_group groupSetting; can_move_messages_out_of_channel_group groupSetting;
      can_resolve_topics_group groupSetting; can_delete_any_message_group groupSetting; can_delete_own_message_group
      groupSetting; subscribers? int[]; partial_subscribers? int[]
  `,
  "message+update_message_flags": `
    : unread_msgs object
    unread_msgs: count int; pms object[]; streams object[]; huddles object[]; mentions int[]; old_unreads_missing bool
    unread_msgs.pms[]: other_user_id int; sender_id int; unread_message_ids int[]
    unread_msgs.streams[]: topic str; stream_id int; unread_message_ids int[]
    unread_msgs.huddles[]: user_ids_string str; unread_message_ids int[]
  `,
  starred_messages: `
    : starred_messages int[]
  `,
  stream: `
    : streams object[]
    streams[]: stream_id int; name str; is_archived bool; description str; date_created int; creator_id int|null;
      invite_only bool; rendered_description str; is_web_public bool; stream_post_policy int; message_retention_days
      int|null; history_public_to_subscribers bool; first_message_id int|null; is_recently_active bool;
      is_announcement_only bool; can_add_subscribers_group groupSetting; can_remove_subscribers_group groupSetting;
      can_administer_channel_group groupSetting; can_send_message_group groupSetting; can_subscribe_group
      groupSetting; stream_weekly_traffic int|null; folder_id int|null; topics_policy
      str(inherit|allow_empty_topic|disable_empty_topic|empty_topic_only); subscriber_count int;
      can_move_messages_within_channel_group groupSetting; can_move_messages_out_of_channel_group groupSetting;
      can_resolve_topics_group groupSetting; can_delete_any_message_group groupSetting; can_delete_own_message_group
      groupSetting
  `,
  default_streams: `
    : realm_default_streams int[]
  `,
  default_stream_groups: `
    : realm_default_stream_groups object[]
    realm_default_stream_groups[]: name str; description str; id int; streams int[]
  `,
  stop_words: `
    : stop_words str[]
  `,
  user_status: `
    : user_status map
    user_status{}: away bool; status_text str; emoji_name str; emoji_code str; reaction_type
      str(unicode_emoji|realm_emoji|zulip_extra_emoji)
  `,
  user_settings: `
    : user_settings object
    user_settings: twenty_four_hour_time bool|null; web_mark_read_on_scroll_policy int; web_channel_default_view int;
      starred_message_counts bool; receives_typing_notifications? bool; web_suggest_update_timezone bool;
      fluid_layout_width bool; high_contrast_mode bool; web_font_size_px int; web_line_height_percent int;
      color_scheme int; translate_emoticons bool; display_emoji_reaction_users bool; default_language str;
      web_home_view str; web_escape_navigates_to_home_view bool; left_side_userlist bool; emojiset str;
      demote_inactive_streams int; user_list_style int; web_animate_image_previews str;
      web_stream_unreads_count_display_policy int; hide_ai_features bool; timezone str; enter_sends bool;
      enable_drafts_synchronization bool; enable_stream_desktop_notifications bool; enable_stream_email_notifications
      bool; enable_stream_push_notifications bool; enable_stream_audible_notifications bool; notification_sound str;
      enable_desktop_notifications bool; enable_sounds bool; enable_followed_topic_desktop_notifications bool;
      enable_followed_topic_email_notifications bool; enable_followed_topic_push_notifications bool;
      enable_followed_topic_audible_notifications bool; email_notifications_batching_period_seconds int;
      enable_offline_email_notifications bool; enable_offline_push_notifications bool;
      enable_online_push_notifications bool; enable_digest_emails bool; enable_marketing_emails bool;
      enable_login_emails bool; message_content_in_email_notifications bool; pm_content_in_desktop_notifications bool;
      wildcard_mentions_notify bool; enable_followed_topic_wildcard_mentions_notify bool; desktop_icon_count_display
      int; realm_name_in_email_notifications_policy int; automatically_follow_topics_policy int;
      automatically_unmute_topics_in_muted_streams_policy int; automatically_follow_topics_where_mentioned bool;
      presence_enabled bool; available_notification_sounds str[]; emojiset_choices object[];
      send_private_typing_notifications bool; send_stream_typing_notifications bool; send_read_receipts bool;
      allow_private_data_export bool; email_address_visibility int; web_navigate_to_sent_message bool;
      resolved_topic_notice_auto_read_policy str; web_left_sidebar_unreads_count_summary bool;
      web_left_sidebar_show_channel_folders bool
    user_settings.emojiset_choices[]: key str; text str
  `,
  user_topic: `
    : user_topics object[]
    user_topics[]: stream_id int; topic_name str; last_updated int; visibility_policy int
  `,
  video_calls: `
    : has_zoom_token bool
  `,
  giphy: `
    : giphy_api_key str
  `,
  update_global_notifications: `
    : enable_desktop_notifications bool; enable_digest_emails bool; enable_login_emails bool; enable_marketing_emails
      bool; email_notifications_batching_period_seconds int; enable_offline_email_notifications bool;
      enable_offline_push_notifications bool; enable_online_push_notifications bool; enable_sounds bool;
      enable_stream_desktop_notifications bool; enable_stream_email_notifications bool;
      enable_stream_push_notifications bool; enable_stream_audible_notifications bool; wildcard_mentions_notify bool;
      message_content_in_email_notifications bool; notification_sound str; pm_content_in_desktop_notifications bool;
      desktop_icon_count_display int; realm_name_in_email_notifications_policy int; presence_enabled bool;
      available_notification_sounds str[]
  `,
  update_display_settings: `
    : color_scheme int; default_language str; demote_inactive_streams int; emojiset str; enable_drafts_synchronization
      bool; fluid_layout_width bool; web_home_view str; high_contrast_mode bool; left_side_userlist bool;
      starred_message_counts bool; timezone str; translate_emoticons bool; twenty_four_hour_time bool; enter_sends
      bool; emojiset_choices object[]
    emojiset_choices[]: key str; text str
  `,
  realm_billing: `
    : realm_billing object
    realm_billing: has_pending_sponsorship_request bool
  `,
  realm_user_settings_defaults: `
    : realm_user_settings_defaults object
    realm_user_settings_defaults: twenty_four_hour_time bool|null; web_mark_read_on_scroll_policy int;
      web_channel_default_view int; starred_message_counts bool; receives_typing_notifications? bool;
      web_suggest_update_timezone bool; fluid_layout_width bool; high_contrast_mode bool; web_font_size_px int;
      web_line_height_percent int; color_scheme int; translate_emoticons bool; display_emoji_reaction_users bool;
      default_language str; web_home_view str; web_escape_navigates_to_home_view bool; left_side_userlist bool;
      emojiset str; demote_inactive_streams int; user_list_style int; web_animate_image_previews str;
      web_stream_unreads_count_display_policy int; hide_ai_features bool; enable_stream_desktop_notifications bool;
      enable_stream_email_notifications bool; enable_stream_push_notifications bool;
      enable_stream_audible_notifications bool; notification_sound str; enable_desktop_notifications bool;
      enable_sounds bool; enable_offline_email_notifications bool; enable_offline_push_notifications bool;
      enable_online_push_notifications bool; enable_followed_topic_desktop_notifications bool;
      enable_followed_topic_email_notifications bool; enable_followed_topic_push_notifications bool;
      enable_followed_topic_audible_notifications bool; enable_digest_emails bool; enable_marketing_emails bool;
      enable_login_emails bool; message_content_in_email_notifications bool; pm_content_in_desktop_notifications bool;
      wildcard_mentions_notify bool; enable_followed_topic_wildcard_mentions_notify bool; desktop_icon_count_display
      int; realm_name_in_email_notifications_policy int; automatically_follow_topics_policy int;
      automatically_unmute_topics_in_muted_streams_policy int; automatically_follow_topics_where_mentioned bool;
      presence_enabled bool; enter_sends bool; enable_drafts_synchronization bool;
      email_notifications_batching_period_seconds int; available_notification_sounds str[]; emojiset_choices object[];
      send_private_typing_notifications bool; send_stream_typing_notifications bool; send_read_receipts bool;
      allow_private_data_export bool; email_address_visibility int; web_navigate_to_sent_message bool;
      resolved_topic_notice_auto_read_policy str; web_left_sidebar_unreads_count_summary bool;
      web_left_sidebar_show_channel_folders bool
    realm_user_settings_defaults.emojiset_choices[]: key str; text str
  `,
  realm_user: `
    : realm_users object[]; realm_non_active_users object[]; avatar_source str; avatar_url_medium str; avatar_url str;
      can_create_streams bool; can_create_public_streams bool; can_create_private_streams bool;
      can_create_web_public_streams bool; can_subscribe_other_users bool; can_invite_others_to_realm bool; is_admin
      bool; is_owner bool; is_moderator bool; is_guest bool; user_id int; email str; delivery_email str; full_name
      str; cross_realm_bots object[]
    realm_users[], realm_non_active_users[]: user_id int; delivery_email str|null; email str; full_name str;
      date_joined str; is_active bool; is_owner bool; is_admin bool; is_guest bool; is_bot bool; bot_type int|null;
      bot_owner_id int|null; role int(100|200|300|400|600); timezone str; avatar_url str|null; avatar_version int; is_imported_stub bool;
      profile_data? map<{value:str,rendered_value?:str}>
    cross_realm_bots[]: user_id int; delivery_email str|null; email str; full_name str; date_joined str; is_active
      bool; is_owner bool; is_admin bool; is_guest bool; is_bot bool; bot_type int|null; bot_owner_id int|null; role
      int(100|200|300|400|600); timezone str; avatar_url str|null; avatar_version int; is_imported_stub bool; profile_data?
      map<{value:str,rendered_value?:str}>; is_system_bot bool
  `,
  navigation_views: `
    : navigation_views object[]
    navigation_views[]: fragment str; is_pinned bool; name str|null
  `,
  channel_folders: `
    : channel_folders object[]
    channel_folders[]: id int; name str; description str; rendered_description str; date_created int|null; creator_id
      int|null; is_archived bool; order int
  `,
  reminders: `
    : reminders object[]
    reminders[]: reminder_id int; type str(private); to int[]; content str; rendered_content str;
      scheduled_delivery_timestamp int; failed bool; reminder_target_message_id int
  `,
  push_device: `
    : push_devices map<{status:str(active|pending|failed),error_code:str|null}>
  `,
};
