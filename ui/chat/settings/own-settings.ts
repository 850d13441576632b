import type { State } from "../../api/state-shape.ts";

export type OwnSettings = NonNullable<State["user_settings"]>;

/** A setting that is on or off, or one of several values. The texts are in the catalogue, by its name. */
export type SettingRow =
  | { readonly kind: "switch"; readonly name: keyof typeof SWITCHES }
  | { readonly kind: "choice"; readonly name: keyof typeof CHOICES };

/** What each is when on: everything that the server or this page honours (docs/protocol.md#user-settings). */
const SWITCHES = {
  enter_sends: true,
  translate_emoticons: true,
  twenty_four_hour_time: true,
  automatically_follow_topics_where_mentioned: true,
  presence_enabled: true,
  send_read_receipts: true,
  send_private_typing_notifications: true,
  send_stream_typing_notifications: true,
  receives_typing_notifications: true,
  allow_private_data_export: true,
  enable_desktop_notifications: true,
  enable_followed_topic_desktop_notifications: true,
  enable_stream_desktop_notifications: true,
  pm_content_in_desktop_notifications: true,
  wildcard_mentions_notify: true,
  enable_followed_topic_wildcard_mentions_notify: true,
  enable_sounds: true,
  enable_followed_topic_audible_notifications: true,
  enable_stream_audible_notifications: true,
} as const satisfies Partial<Record<keyof OwnSettings, true>>;

export const CHOICES = {
  color_scheme: [1, 3, 2],
  web_font_size_px: [14, 16, 18, 20],
  web_mark_read_on_scroll_policy: [1, 2, 3],
  resolved_topic_notice_auto_read_policy: ["always", "except_followed", "never"],
  automatically_follow_topics_policy: [1, 2, 3, 4],
  automatically_unmute_topics_in_muted_streams_policy: [1, 2, 3, 4],
  email_address_visibility: [1, 2, 5, 3, 4],
  desktop_icon_count_display: [1, 2, 3, 4],
} as const satisfies Partial<Record<keyof OwnSettings, readonly (number | string)[]>>;

const on = (...names: (keyof typeof SWITCHES)[]): SettingRow[] => names.map((name) => ({ kind: "switch", name }));
const choose = (name: keyof typeof CHOICES): SettingRow => ({ kind: "choice", name });

/** The settings of each group, in order. */
export const GROUPS = {
  look: [choose("color_scheme"), choose("web_font_size_px"), ...on("twenty_four_hour_time")],
  writing: on("enter_sends", "translate_emoticons"),
  reading: [choose("web_mark_read_on_scroll_policy"), choose("resolved_topic_notice_auto_read_policy")],
  topics: [
    choose("automatically_follow_topics_policy"),
    ...on("automatically_follow_topics_where_mentioned"),
    choose("automatically_unmute_topics_in_muted_streams_policy"),
  ],
  privacy: [
    choose("email_address_visibility"),
    ...on(
      "presence_enabled",
      "send_read_receipts",
      "send_private_typing_notifications",
      "send_stream_typing_notifications",
      "receives_typing_notifications",
      "allow_private_data_export",
    ),
  ],
  desktop: on(
    "enable_desktop_notifications",
    "enable_followed_topic_desktop_notifications",
    "enable_stream_desktop_notifications",
    "wildcard_mentions_notify",
    "enable_followed_topic_wildcard_mentions_notify",
    "pm_content_in_desktop_notifications",
  ),
  sounds: on("enable_sounds", "enable_followed_topic_audible_notifications", "enable_stream_audible_notifications"),
  count: [choose("desktop_icon_count_display")],
} as const satisfies Record<string, readonly SettingRow[]>;
export type GroupName = keyof typeof GROUPS;
