import { z } from "zod";

/** Who may change a setting; `server`: nobody, it follows from what the server is. */
type Changer = "administrator" | "owner" | "server";

export interface OrganizationSetting<T> {
  readonly allowed: z.ZodType<T>;
  readonly initial: T;
  readonly changedBy: Changer;
}

const setting = <T>(
  allowed: z.ZodType<T>,
  initial: NoInfer<T>,
  changedBy: Changer = "administrator",
): OrganizationSetting<T> => ({ allowed, initial, changedBy });

const flag = (initial: boolean, changedBy?: Changer) => setting(z.boolean(), initial, changedBy);
const seconds = (initial: number) => setting(z.int().positive().nullable(), initial);
const channelOrNone = () => setting(z.int().min(-1), -1);
/** Unicode code points. */
const text = (most: number) => z.string().refine((value) => [...value].length <= most, `at most ${most} characters`);
const oneOf = <T extends number | string>(...values: [T, ...T[]]): z.ZodType<T> => z.literal(values);

/**
 * contract/settings.json, realmSettings, with newer.json; /register sends each as `realm_<name>`. A row of
 * organization_settings (the value as JSON) overrides `initial`. `name` is kept in the table organization.
 */
export const ORGANIZATION_SETTINGS = {
  allow_message_editing: flag(true),
  authentication_methods: setting(z.record(z.string(), z.boolean()), { Email: true }, "owner"),
  avatar_changes_disabled: flag(false),
  default_code_block_language: setting(text(50), ""),
  default_language: setting(text(50).min(1), "en"),
  description: setting(text(1000), ""),
  digest_emails_enabled: flag(false),
  digest_weekday: setting(z.int().min(0).max(6), 1),
  disallow_disposable_email_addresses: flag(true, "owner"),
  email_changes_disabled: flag(false),
  emails_restricted_to_domains: flag(false, "owner"),
  enable_guest_user_dm_warning: flag(true),
  enable_guest_user_indicator: flag(true),
  enable_read_receipts: flag(false),
  enable_spectator_access: flag(false),
  giphy_rating: setting(oneOf(0, 1, 2, 3, 4, 5), 2),
  icon_source: setting(oneOf("G", "U"), "G", "server"),
  inline_image_preview: flag(true),
  inline_url_embed_preview: flag(false),
  invite_required: flag(true, "owner"),
  jitsi_server_url: setting(
    z
      .url({ protocol: /^https?$/ })
      .max(200)
      .nullable(),
    null,
  ),
  logo_source: setting(oneOf("D", "U"), "D", "server"),
  message_content_allowed_in_email_notifications: flag(true),
  message_content_delete_limit_seconds: seconds(600),
  message_content_edit_limit_seconds: seconds(600),
  message_edit_history_visibility_policy: setting(oneOf("all", "moves", "none"), "all"),
  message_retention_days: setting(z.union([z.literal(-1), z.int().positive()]), -1, "owner"),
  moderation_request_channel_id: channelOrNone(),
  move_messages_between_streams_limit_seconds: seconds(604_800),
  move_messages_within_stream_limit_seconds: seconds(604_800),
  name: setting(text(40).min(1), ""),
  name_changes_disabled: flag(false),
  new_stream_announcements_stream_id: channelOrNone(),
  night_logo_source: setting(oneOf("D", "U"), "D", "server"),
  org_type: setting(oneOf(0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000), 0),
  plan_type: setting(oneOf(1, 2, 3, 4, 10), 1, "server"),
  presence_disabled: flag(false, "server"),
  push_notifications_enabled: flag(false, "server"),
  require_e2ee_push_notifications: flag(false),
  require_unique_names: flag(false),
  send_welcome_emails: flag(true),
  signup_announcements_stream_id: channelOrNone(),
  string_id: setting(text(40), "", "server"),
  topics_policy: setting(oneOf("allow_empty_topic", "disable_empty_topic"), "allow_empty_topic"),
  video_chat_provider: setting(oneOf(0, 1, 3, 4, 5), 1),
  waiting_period_threshold: setting(z.int().min(0), 0, "owner"),
  want_advertise_in_communities_directory: flag(false),
  zulip_update_announcements_stream_id: channelOrNone(),
  // Ours, not on the wire: the host in the addresses of bots and of people who hide theirs. Set once by `hearth init`,
  // since clients know people by these addresses.
  email_host: setting(z.string(), "hearth.local", "server"),
};
export type OrganizationSettingName = keyof typeof ORGANIZATION_SETTINGS;
