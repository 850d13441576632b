import type { Input } from "../../api/client.ts";
import type { newMemberTexts } from "../../locales/en/new-members.ts";
import type { Setting, SettingKind, SettingSection } from "./setting.ts";

/*
 * The settings that new members begin with: PATCH /realm/user_settings_defaults (docs/protocol.md#user-settings).
 * test/ui/new-member-settings.test.ts compares them with the server's.
 */

/** Those that have texts. */
export type NewMemberSettingId = keyof Input<"PATCH /realm/user_settings_defaults"> &
  keyof typeof newMemberTexts.newMembers.settings;

const SOUNDS = [
  ..."none,ascend,beep_boop,bink,bright,brlip,chime,deep tom,ding,double tap,down,dry bongos,dutdut".split(","),
  ..."fast ascend,flute,friendly,kick roll,loud tintong,metallic snare,pan,shaker,simple,stairs,subtle".split(","),
  ..."swish,tintong,up,wood block,zaping,zing,zulip".split(","),
];

const flag = (initial: boolean): SettingKind => ({ type: "switch", initial });
const choice = (initial: string | number, ...values: (string | number)[]): SettingKind => ({
  type: "choice",
  initial,
  values,
});
const number = (initial: number, min: number, max?: number): SettingKind => ({
  type: "number",
  initial,
  min,
  ...(max !== undefined && { max }),
});
const setting = (id: NewMemberSettingId, kind: SettingKind): Setting<NewMemberSettingId> => ({ id, kind });

export const NEW_MEMBER_SECTIONS = [
  {
    id: "appearance",
    settings: [
      setting("color_scheme", choice(1, 1, 3, 2)),
      setting("web_font_size_px", number(16, 12, 20)),
      setting("web_line_height_percent", number(140, 100, 200)),
      setting("fluid_layout_width", flag(false)),
      setting("high_contrast_mode", flag(false)),
      setting("twenty_four_hour_time", flag(false)),
      setting("emojiset", choice("google", "google", "twitter", "text")),
      setting("display_emoji_reaction_users", flag(true)),
      setting("web_animate_image_previews", choice("on_hover", "always", "on_hover", "never")),
      setting("user_list_style", choice(3, 1, 2, 3)),
      setting("left_side_userlist", flag(false)),
      setting("hide_ai_features", flag(false)),
    ],
  },
  {
    id: "reading",
    settings: [
      setting("web_home_view", choice("inbox", "inbox", "recent_topics", "all_messages")),
      setting("web_escape_navigates_to_home_view", flag(true)),
      setting("web_channel_default_view", choice(1, 1, 2, 3, 4)),
      setting("web_mark_read_on_scroll_policy", choice(1, 1, 2, 3)),
      setting("demote_inactive_streams", choice(1, 1, 2, 3)),
      setting("web_left_sidebar_show_channel_folders", flag(true)),
      setting("web_stream_unreads_count_display_policy", choice(2, 1, 2, 3)),
      setting("web_left_sidebar_unreads_count_summary", flag(true)),
      setting("starred_message_counts", flag(true)),
      setting(
        "resolved_topic_notice_auto_read_policy",
        choice("except_followed", "always", "except_followed", "never"),
      ),
    ],
  },
  {
    id: "writing",
    settings: [
      setting("enter_sends", flag(false)),
      setting("translate_emoticons", flag(false)),
      setting("enable_drafts_synchronization", flag(true)),
      setting("web_navigate_to_sent_message", flag(true)),
      setting("web_suggest_update_timezone", flag(true)),
    ],
  },
  {
    id: "topics",
    settings: [
      setting("automatically_follow_topics_policy", choice(3, 1, 2, 3, 4)),
      setting("automatically_unmute_topics_in_muted_streams_policy", choice(2, 1, 2, 3, 4)),
      setting("automatically_follow_topics_where_mentioned", flag(true)),
    ],
  },
  {
    id: "channelNotifications",
    settings: [
      setting("enable_stream_desktop_notifications", flag(false)),
      setting("enable_stream_audible_notifications", flag(false)),
      setting("wildcard_mentions_notify", flag(true)),
    ],
  },
  {
    id: "topicNotifications",
    settings: [
      setting("enable_followed_topic_desktop_notifications", flag(true)),
      setting("enable_followed_topic_audible_notifications", flag(true)),
      setting("enable_followed_topic_wildcard_mentions_notify", flag(true)),
    ],
  },
  {
    id: "directNotifications",
    settings: [setting("enable_desktop_notifications", flag(true)), setting("enable_sounds", flag(true))],
  },
  {
    id: "notifications",
    settings: [
      setting("notification_sound", choice("zulip", ...SOUNDS)),
      setting("desktop_icon_count_display", choice(1, 1, 2, 3, 4)),
      setting("pm_content_in_desktop_notifications", flag(true)),
    ],
  },
  {
    id: "privacy",
    settings: [
      setting("email_address_visibility", choice(1, 1, 2, 5, 3, 4)),
      setting("presence_enabled", flag(true)),
      setting("send_read_receipts", flag(true)),
      setting("send_private_typing_notifications", flag(true)),
      setting("send_stream_typing_notifications", flag(true)),
      setting("receives_typing_notifications", flag(true)),
    ],
  },
  {
    // Hearth sends neither mail nor push notices.
    id: "others",
    settings: [
      setting("enable_stream_push_notifications", flag(false)),
      setting("enable_stream_email_notifications", flag(false)),
      setting("enable_followed_topic_push_notifications", flag(true)),
      setting("enable_followed_topic_email_notifications", flag(true)),
      setting("enable_offline_push_notifications", flag(true)),
      setting("enable_offline_email_notifications", flag(true)),
      setting("enable_online_push_notifications", flag(true)),
      setting("email_notifications_batching_period_seconds", number(120, 1, 604_800)),
      setting("message_content_in_email_notifications", flag(true)),
      setting("realm_name_in_email_notifications_policy", choice(1, 1, 2, 3)),
      setting("enable_digest_emails", flag(true)),
    ],
  },
] as const satisfies readonly SettingSection<NewMemberSettingId>[];
