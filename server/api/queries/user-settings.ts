import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { LANGUAGE_CODES } from "./languages.ts";
import { isTimeZone } from "./users.ts";

/** The older group of settings at the top level of /register, for clients without `user_settings_object`. */
export type Legacy = "update_display_settings" | "update_global_notifications";

export interface UserSetting<T> {
  readonly allowed: z.ZodType<T>;
  readonly initial: T;
  readonly legacy: Legacy | undefined;
  /** Which defaults the organization may set for people who join later; undefined: none. */
  readonly allowedDefault: z.ZodType<T> | undefined;
}

const setting = <T>(
  allowed: z.ZodType<T>,
  initial: NoInfer<T>,
  legacy?: Legacy,
  allowedDefault: z.ZodType<T> | false = allowed,
): UserSetting<T> => ({ allowed, initial, legacy, allowedDefault: allowedDefault || undefined });

export const DISPLAY = "update_display_settings";
export const NOTICE = "update_global_notifications";
const flag = (initial: boolean, legacy?: Legacy, allowedDefault?: false) =>
  setting(z.boolean(), initial, legacy, allowedDefault);
const oneOf = <T extends number | string>(...values: [T, ...T[]]): z.ZodType<T> => z.literal(values);

export const SOUNDS = [
  ..."ascend,beep_boop,bink,bright,brlip,chime,deep tom,ding,double tap,down,dry bongos,dutdut,fast ascend".split(","),
  ..."flute,friendly,kick roll,loud tintong,metallic snare,pan,shaker,simple,stairs,subtle,swish,tintong".split(","),
  ..."up,wood block,zaping,zing,zulip".split(","),
];

/**
 * docs/protocol.md#user-settings. A row of user_settings (the value as JSON) overrides
 * `initial`. `timezone` is stored in the table users.
 */
export const USER_SETTINGS = {
  allow_private_data_export: flag(false, undefined, false),
  automatically_follow_topics_policy: setting(
    oneOf(1, 2, 3, 4).describe("1 participated, 2 sent, 3 started, 4 never"),
    3,
  ),
  automatically_follow_topics_where_mentioned: flag(true),
  automatically_unmute_topics_in_muted_streams_policy: setting(
    oneOf(1, 2, 3, 4).describe("1 participated, 2 sent, 3 started, 4 never"),
    2,
  ),
  color_scheme: setting(oneOf(1, 2, 3).describe("1 automatic, 2 dark, 3 light"), 1, DISPLAY),
  default_language: setting(z.enum(LANGUAGE_CODES).describe("a language code"), "en", DISPLAY, false),
  demote_inactive_streams: setting(oneOf(1, 2, 3).describe("1 automatic, 2 always, 3 never"), 1, DISPLAY),
  desktop_icon_count_display: setting(
    oneOf(1, 2, 3, 4).describe(
      "1 all unread, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 none",
    ),
    1,
    NOTICE,
  ),
  display_emoji_reaction_users: flag(true),
  email_address_visibility: setting(
    oneOf(1, 2, 3, 4, 5).describe("1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators"),
    1,
  ),
  email_notifications_batching_period_seconds: setting(
    z.int().min(1).max(604_800).describe("1 to 604800 seconds"),
    120,
    NOTICE,
  ),
  // The organization's default is one of three; a person may choose the older one too (docs/protocol.md#user-settings).
  emojiset: setting(
    z
      .enum(["google", "twitter", "text", "google-blob"])
      .describe("`google`, `twitter`, `text`; personally also `google-blob`"),
    "google",
    DISPLAY,
    z.enum(["google", "twitter", "text"]),
  ),
  enable_desktop_notifications: flag(true, NOTICE),
  enable_digest_emails: flag(true, NOTICE),
  enable_drafts_synchronization: flag(true, DISPLAY),
  enable_followed_topic_audible_notifications: flag(true),
  enable_followed_topic_desktop_notifications: flag(true),
  enable_followed_topic_email_notifications: flag(true),
  enable_followed_topic_push_notifications: flag(true),
  enable_followed_topic_wildcard_mentions_notify: flag(true),
  enable_login_emails: flag(true, NOTICE, false),
  enable_marketing_emails: flag(true, NOTICE, false),
  enable_offline_email_notifications: flag(true, NOTICE),
  enable_offline_push_notifications: flag(true, NOTICE),
  enable_online_push_notifications: flag(true, NOTICE),
  enable_sounds: flag(true, NOTICE),
  enable_stream_audible_notifications: flag(false, NOTICE),
  enable_stream_desktop_notifications: flag(false, NOTICE),
  enable_stream_email_notifications: flag(false, NOTICE),
  enable_stream_push_notifications: flag(false, NOTICE),
  enter_sends: flag(false, DISPLAY),
  fluid_layout_width: flag(false, DISPLAY),
  hide_ai_features: flag(false),
  high_contrast_mode: flag(false, DISPLAY),
  left_side_userlist: flag(false, DISPLAY),
  message_content_in_email_notifications: flag(true, NOTICE),
  notification_sound: setting(
    z.enum(["none", ...SOUNDS]).describe("a name in `available_notification_sounds`, or `none`"),
    "zulip",
    NOTICE,
  ),
  pm_content_in_desktop_notifications: flag(true, NOTICE),
  presence_enabled: flag(true, NOTICE),
  realm_name_in_email_notifications_policy: setting(oneOf(1, 2, 3), 1, NOTICE),
  receives_typing_notifications: flag(true),
  resolved_topic_notice_auto_read_policy: setting(oneOf("always", "except_followed", "never"), "except_followed"),
  send_private_typing_notifications: flag(true),
  send_read_receipts: flag(true),
  send_stream_typing_notifications: flag(true),
  starred_message_counts: flag(true, DISPLAY),
  timezone: setting(
    z
      .string()
      .refine((name) => name === "" || isTimeZone(name), "must be the name of a time zone, or empty.")
      .describe("an IANA time zone, or empty"),
    "",
    DISPLAY,
    false,
  ),
  translate_emoticons: flag(false, DISPLAY),
  twenty_four_hour_time: flag(false, DISPLAY),
  user_list_style: setting(oneOf(1, 2, 3).describe("1 compact, 2 with status, 3 with picture and status"), 3),
  web_animate_image_previews: setting(oneOf("always", "on_hover", "never"), "on_hover"),
  web_channel_default_view: setting(oneOf(1, 2, 3, 4), 1),
  web_escape_navigates_to_home_view: flag(true),
  web_font_size_px: setting(z.int().min(1), 16),
  web_home_view: setting(oneOf("recent_topics", "inbox", "all_messages"), "inbox", DISPLAY),
  web_left_sidebar_show_channel_folders: flag(true),
  web_left_sidebar_unreads_count_summary: flag(true),
  web_line_height_percent: setting(z.int().min(1), 140),
  web_mark_read_on_scroll_policy: setting(oneOf(1, 2, 3), 1),
  web_navigate_to_sent_message: flag(true),
  web_stream_unreads_count_display_policy: setting(
    oneOf(1, 2, 3).describe("1 all channels, 2 unmuted channels, 3 none"),
    2,
  ),
  web_suggest_update_timezone: flag(true),
  wildcard_mentions_notify: flag(true, NOTICE),
};
export type UserSettingName = keyof typeof USER_SETTINGS;
export const USER_SETTING_NAMES = Object.keys(USER_SETTINGS) as UserSettingName[];

/** The settings whose default for people who join later the organization may set, and its allowed values. */
export const USER_SETTING_DEFAULTS = Object.fromEntries(
  Object.entries(USER_SETTINGS).flatMap(([name, { allowedDefault }]) =>
    allowedDefault ? [[name, { allowed: allowedDefault }]] : [],
  ),
) as { [Name in Exclude<UserSettingName, PersonalOnly>]: { allowed: z.ZodType<UserSettings[Name]> } };
type PersonalOnly =
  | "allow_private_data_export"
  | "default_language"
  | "enable_login_emails"
  | "enable_marketing_emails"
  | "timezone";
export const USER_SETTING_DEFAULT_NAMES = Object.keys(USER_SETTING_DEFAULTS) as (keyof typeof USER_SETTING_DEFAULTS)[];
export type UserSettings = { [Name in UserSettingName]: (typeof USER_SETTINGS)[Name]["initial"] };

const INITIAL = Object.fromEntries(
  Object.entries(USER_SETTINGS).map(([name, { initial }]) => [name, initial]),
) as UserSettings;

/** By user, the values that differ from `initial`. One derived value per setting: few are needed for all users. */
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

/** The settings of somebody who joins now. */
export function userSettingDefaults(reader: Reader): Defaults {
  const { timezone: _, ...initial } = INITIAL;
  return { ...initial, ...changedDefaults(reader) };
}

/** The value in force for this user; for `timezone` read users.timezone. */
export function userSetting<Name extends Exclude<UserSettingName, "timezone">>(
  reader: Reader,
  userId: number,
  name: Name,
): UserSettings[Name] {
  return (changedValues(reader, name).get(userId) as UserSettings[Name] | undefined) ?? INITIAL[name];
}

/** The same for many users: the value by user id. */
export function settingByUser<Name extends Exclude<UserSettingName, "timezone">>(
  reader: Reader,
  name: Name,
): (userId: number) => UserSettings[Name] {
  const changed = changedValues(reader, name) as ReadonlyMap<number, UserSettings[Name]>;
  return (userId) => changed.get(userId) ?? INITIAL[name];
}

/** Every setting in force for this user. */
export function userSettings(reader: Reader, user: { id: number; timezone: string }): UserSettings {
  const sql = "SELECT name, value FROM user_settings WHERE user_id = ?";
  const changed = reader
    .all<{ name: string; value: string }>(sql, user.id)
    .map(({ name, value }) => [name, JSON.parse(value)]);
  return { ...INITIAL, ...Object.fromEntries(changed), timezone: user.timezone };
}
