import { z } from "zod";
import { because } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { LANGUAGE_CODES } from "./languages.ts";
import { type Merged, SHOWN, settingsOf } from "./setting-sections.ts";
import { isTimeZone } from "./users.ts";

/** The legacy group of settings at the top level of /register, for clients without `user_settings_object`. */
export type Legacy = "update_display_settings" | "update_global_notifications";

export interface UserSetting<T> {
  readonly allowed: z.ZodType<T>;
  readonly initial: T;
  readonly legacy: Legacy | undefined;
  /** The allowed defaults that the organization can set for new users. */
  readonly allowedDefault: z.ZodType<T>;
}

const setting = <T>(
  allowed: z.ZodType<T>,
  initial: NoInfer<T>,
  legacy?: Legacy,
  allowedDefault: z.ZodType<T> = allowed,
): UserSetting<T> => ({ allowed, initial, legacy, allowedDefault });

export const DISPLAY = "update_display_settings";
export const NOTICE = "update_global_notifications";
const flag = (initial: boolean, legacy?: Legacy) => setting(z.boolean(), initial, legacy);
const oneOf = <T extends number | string>(...values: [T, ...T[]]): z.ZodType<T> => z.literal(values);

const minuteOfDay = z.int().min(0).max(1439).describe("minutes after midnight, 0 to 1439");

export const SOUNDS = [
  ..."ascend,beep_boop,bink,bright,brlip,chime,deep tom,ding,double tap,down,dry bongos,dutdut,fast ascend".split(","),
  ..."flute,friendly,kick roll,loud tintong,metallic snare,pan,shaker,simple,stairs,subtle,swish,tintong".split(","),
  ..."up,wood block,zaping,zing,zulip".split(","),
];

/**
 * docs/protocol.md#user-settings. A row of user_settings (the value as JSON) overrides `initial`. `timezone` is stored
 * in the table users. The sections are those of the admin window's page for new users' defaults, in order.
 */
export const USER_SETTING_SECTIONS = {
  appearance: {
    color_scheme: setting(oneOf(1, 3, 2).describe("1 automatic, 2 dark, 3 light"), 1, DISPLAY),
    web_font_size_px: setting(z.int().min(1).register(SHOWN, { min: 12, max: 20 }), 16),
    twenty_four_hour_time: flag(false, DISPLAY),
  },
  reading: {
    web_home_view: setting(oneOf("inbox", "recent_topics", "all_messages"), "inbox", DISPLAY),
    web_escape_navigates_to_home_view: flag(true),
    web_mark_read_on_scroll_policy: setting(oneOf(1, 2, 3), 1),
    resolved_topic_notice_auto_read_policy: setting(oneOf("always", "except_followed", "never"), "except_followed"),
  },
  writing: {
    enter_sends: flag(false, DISPLAY),
    translate_emoticons: flag(false, DISPLAY),
    enable_drafts_synchronization: flag(true, DISPLAY),
  },
  topics: {
    automatically_follow_topics_policy: setting(
      oneOf(1, 2, 3, 4).describe("1 participated, 2 sent, 3 started, 4 never"),
      3,
    ),
    automatically_unmute_topics_in_muted_streams_policy: setting(
      oneOf(1, 2, 3, 4).describe("1 participated, 2 sent, 3 started, 4 never"),
      2,
    ),
    automatically_follow_topics_where_mentioned: flag(true),
  },
  channelNotifications: {
    enable_stream_desktop_notifications: flag(false, NOTICE),
    enable_stream_audible_notifications: flag(false, NOTICE),
    wildcard_mentions_notify: flag(true, NOTICE),
  },
  topicNotifications: {
    enable_followed_topic_desktop_notifications: flag(true),
    enable_followed_topic_audible_notifications: flag(true),
    enable_followed_topic_wildcard_mentions_notify: flag(true),
  },
  directNotifications: {
    enable_desktop_notifications: flag(true, NOTICE),
    enable_sounds: flag(true, NOTICE),
  },
  notifications: {
    notification_sound: setting(
      z.enum(["none", ...SOUNDS]).describe("a name in `available_notification_sounds`, or `none`"),
      "zulip",
      NOTICE,
    ),
    desktop_icon_count_display: setting(
      oneOf(1, 2, 3, 4).describe(
        "1 all unread, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 none",
      ),
      1,
      NOTICE,
    ),
    pm_content_in_desktop_notifications: flag(true, NOTICE),
  },
  phoneNotifications: {
    enable_offline_push_notifications: flag(true, NOTICE),
    enable_followed_topic_push_notifications: flag(true),
    enable_stream_push_notifications: flag(false, NOTICE),
    enable_online_push_notifications: flag(true, NOTICE),
    push_away_minutes: setting(z.int().min(1).max(120).describe("1 to 120 minutes"), 5),
    message_content_in_push_notifications: flag(true),
  },
  /** Only a server with a mail server sends mails. */
  emailNotifications: {
    enable_offline_email_notifications: flag(true, NOTICE),
    enable_followed_topic_email_notifications: flag(true),
    enable_stream_email_notifications: flag(false, NOTICE),
    email_notifications_batching_period_seconds: setting(
      z.int().min(1).max(604_800).describe("1 to 604800 seconds"),
      120,
      NOTICE,
    ),
    message_content_in_email_notifications: flag(true, NOTICE),
    realm_name_in_email_notifications_policy: setting(oneOf(1, 2, 3), 1, NOTICE),
  },
  privacy: {
    email_address_visibility: setting(
      oneOf(1, 2, 5, 3, 4).describe("1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators"),
      1,
    ),
    presence_enabled: flag(true, NOTICE),
    send_read_receipts: flag(true),
    send_private_typing_notifications: flag(true),
    send_stream_typing_notifications: flag(true),
    receives_typing_notifications: flag(true),
  },
  /** Hearth's own chat ignores these, and Hearth sends no digests. */
  others: {
    web_line_height_percent: setting(z.int().min(1).register(SHOWN, { min: 100, max: 200 }), 140),
    fluid_layout_width: flag(false, DISPLAY),
    high_contrast_mode: flag(false, DISPLAY),
    // The organization's default is one of three; a user can also choose the older one
    // (docs/protocol.md#user-settings).
    emojiset: setting(
      z
        .enum(["google", "twitter", "text", "google-blob"])
        .describe("`google`, `twitter`, `text`; as a personal setting also `google-blob`"),
      "google",
      DISPLAY,
      z.enum(["google", "twitter", "text"]),
    ),
    display_emoji_reaction_users: flag(true),
    web_animate_image_previews: setting(oneOf("always", "on_hover", "never"), "on_hover"),
    user_list_style: setting(oneOf(1, 2, 3).describe("1 compact, 2 with status, 3 with picture and status"), 3),
    left_side_userlist: flag(false, DISPLAY),
    hide_ai_features: flag(false),
    web_channel_default_view: setting(oneOf(1, 2, 3, 4), 1),
    demote_inactive_streams: setting(oneOf(1, 2, 3).describe("1 automatic, 2 always, 3 never"), 1, DISPLAY),
    web_left_sidebar_show_channel_folders: flag(true),
    web_stream_unreads_count_display_policy: setting(
      oneOf(1, 2, 3).describe("1 all channels, 2 unmuted channels, 3 none"),
      2,
    ),
    web_left_sidebar_unreads_count_summary: flag(true),
    starred_message_counts: flag(true, DISPLAY),
    web_navigate_to_sent_message: flag(true),
    web_suggest_update_timezone: flag(true),
    enable_digest_emails: flag(true, NOTICE),
  },
  /** The organization has no default for these. */
  elsewhere: {
    allow_private_data_export: flag(false),
    default_language: setting(z.enum(LANGUAGE_CODES).describe("a language code"), "en", DISPLAY),
    enable_login_emails: flag(true, NOTICE),
    enable_marketing_emails: flag(true, NOTICE),
    quiet_days: setting(z.int().min(0).max(127).describe("bits of the days, 1 for Monday to 64 for Sunday"), 0),
    quiet_hours_enabled: flag(false),
    quiet_hours_end: setting(minuteOfDay, 7 * 60),
    quiet_hours_start: setting(minuteOfDay, 22 * 60),
    quiet_until: setting(z.int().min(0).describe("seconds since the epoch; 0: off"), 0),
    timezone: setting(
      z
        .string()
        .refine((name) => name === "" || isTimeZone(name), because("not_time_zone"))
        .describe("an IANA time zone, or empty"),
      "",
      DISPLAY,
    ),
  },
};
export const USER_SETTINGS = settingsOf(USER_SETTING_SECTIONS);
export type UserSettingName = keyof typeof USER_SETTINGS;
export const USER_SETTING_NAMES = Object.keys(USER_SETTINGS) as UserSettingName[];

/** The settings with a default for new users that the organization can set, and the allowed values. */
const { elsewhere: _, ...DEFAULT_SECTIONS } = USER_SETTING_SECTIONS;
export const USER_SETTING_DEFAULTS = Object.fromEntries(
  Object.entries(settingsOf(DEFAULT_SECTIONS)).map(([name, { allowedDefault }]) => [name, { allowed: allowedDefault }]),
) as { [Name in keyof Merged<typeof DEFAULT_SECTIONS>]: { allowed: z.ZodType<UserSettings[Name]> } };
export const USER_SETTING_DEFAULT_NAMES = Object.keys(USER_SETTING_DEFAULTS) as (keyof typeof USER_SETTING_DEFAULTS)[];
export type UserSettings = { [Name in UserSettingName]: (typeof USER_SETTINGS)[Name]["initial"] };

/**
 * The groups of settings on the chat page, in order. They contain the settings that this page or the server supports.
 */
export const OWN_SETTING_GROUPS = {
  look: ["color_scheme", "web_font_size_px", "twenty_four_hour_time"],
  writing: ["enter_sends", "translate_emoticons"],
  reading: ["web_mark_read_on_scroll_policy", "resolved_topic_notice_auto_read_policy"],
  topics: [
    "automatically_follow_topics_policy",
    "automatically_follow_topics_where_mentioned",
    "automatically_unmute_topics_in_muted_streams_policy",
  ],
  privacy: [
    "email_address_visibility",
    "presence_enabled",
    "send_read_receipts",
    "send_private_typing_notifications",
    "send_stream_typing_notifications",
    "receives_typing_notifications",
    "allow_private_data_export",
  ],
  desktop: [
    "enable_desktop_notifications",
    "enable_followed_topic_desktop_notifications",
    "enable_stream_desktop_notifications",
    "wildcard_mentions_notify",
    "enable_followed_topic_wildcard_mentions_notify",
    "pm_content_in_desktop_notifications",
  ],
  sounds: ["enable_sounds", "enable_followed_topic_audible_notifications", "enable_stream_audible_notifications"],
  count: ["desktop_icon_count_display"],
  phone: [
    "enable_offline_push_notifications",
    "enable_followed_topic_push_notifications",
    "enable_stream_push_notifications",
    "message_content_in_push_notifications",
    "enable_online_push_notifications",
    "push_away_minutes",
  ],
  email: [
    "enable_offline_email_notifications",
    "enable_followed_topic_email_notifications",
    "enable_stream_email_notifications",
    "message_content_in_email_notifications",
    "realm_name_in_email_notifications_policy",
    "email_notifications_batching_period_seconds",
    "enable_login_emails",
  ],
} as const satisfies Record<string, readonly UserSettingName[]>;

const INITIAL = Object.fromEntries(
  Object.entries(USER_SETTINGS).map(([name, { initial }]) => [name, initial]),
) as UserSettings;

/**
 * The values that differ from `initial`, by user. One derived value per setting, since few settings are needed for all
 * users.
 */
const changedValues = (reader: Reader, name: UserSettingName): ReadonlyMap<number, unknown> =>
  reader.derived(`user setting ${name}`, ["user_settings"], (rows) => {
    const values = new Map<string, unknown>();
    const parsed = (json: string) => {
      if (!values.has(json)) values.set(json, JSON.parse(json));
      return values.get(json);
    };
    return new Map(
      rows
        .all<{ user_id: number; value: string }>("SELECT user_id, value FROM user_settings WHERE name = ?", name)
        .map(({ user_id, value }) => [user_id, parsed(value)]),
    );
  });

type Defaults = Omit<UserSettings, "timezone">;

/** The defaults that the organization set. */
export const changedDefaults = (reader: Reader): Readonly<Partial<Defaults>> =>
  reader.derived("user setting defaults", ["user_setting_defaults"], (rows) =>
    Object.fromEntries(
      rows
        .all<{ name: string; value: string }>("SELECT name, value FROM user_setting_defaults")
        .map(({ name, value }) => [name, JSON.parse(value)]),
    ),
  );

/** The settings of a user who joins now. */
export function userSettingDefaults(reader: Reader): Defaults {
  const { timezone: _, ...initial } = INITIAL;
  return { ...initial, ...changedDefaults(reader) };
}

/** The effective value for this user. For `timezone`, read users.timezone. */
export function userSetting<Name extends Exclude<UserSettingName, "timezone">>(
  reader: Reader,
  userId: number,
  name: Name,
): UserSettings[Name] {
  return (changedValues(reader, name).get(userId) as UserSettings[Name] | undefined) ?? INITIAL[name];
}

/** The effective value for many users, by user id. */
export function settingByUser<Name extends Exclude<UserSettingName, "timezone">>(
  reader: Reader,
  name: Name,
): (userId: number) => UserSettings[Name] {
  const changed = changedValues(reader, name) as ReadonlyMap<number, UserSettings[Name]>;
  return (userId) => changed.get(userId) ?? INITIAL[name];
}

/** The users whose value is this, if it is not the default. */
export const usersWithSetting = <Name extends Exclude<UserSettingName, "timezone">>(
  reader: Reader,
  name: Name,
  value: UserSettings[Name],
): ReadonlySet<number> =>
  reader.derived(`users with ${name} ${value}`, ["user_settings"], (rows) => {
    const sql = "SELECT user_id FROM user_settings WHERE name = ? AND value = ?";
    return new Set(rows.values<number>(sql, name, JSON.stringify(value)));
  });

/** All effective settings of this user. */
export function userSettings(reader: Reader, user: { id: number; timezone: string }): UserSettings {
  const sql = "SELECT name, value FROM user_settings WHERE user_id = ?";
  const changed = reader
    .all<{ name: string; value: string }>(sql, user.id)
    .map(({ name, value }) => [name, JSON.parse(value)]);
  return { ...INITIAL, ...Object.fromEntries(changed), timezone: user.timezone };
}
