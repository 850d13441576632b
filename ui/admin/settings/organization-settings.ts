import type { Input } from "../../api/client.ts";
import type { settingsTexts } from "../../locales/en/settings.ts";
import type { Setting, SettingKind, SettingSection } from "./setting.ts";

/* The settings of PATCH /realm that are no permissions. test/ui/admin-settings.test.ts compares them with the server's. */

/** What PATCH /realm takes but cannot change here: the one way to sign in, and a name that hosted organizations have. */
export const NOT_CHANGEABLE = ["authentication_methods", "string_id"] as const;

/** Those that have texts. */
export type OrganizationSettingId = keyof Input<"PATCH /realm"> & keyof typeof settingsTexts.organization;

const flag = (initial: boolean): SettingKind => ({ type: "switch", initial });
const text = (maxLength: number, initial = ""): SettingKind => ({ type: "text", initial, maxLength });
const lines = (maxLength: number, initial = ""): SettingKind => ({ type: "text", initial, maxLength, multiline: true });
const choice = (initial: string | number, ...values: (string | number)[]): SettingKind => ({
  type: "choice",
  initial,
  values,
});
const period = (initial: number): SettingKind => ({ type: "period", initial });
const channel: SettingKind = { type: "channel", initial: -1 };

const setting = (id: OrganizationSettingId, kind: SettingKind): Setting<OrganizationSettingId> => ({ id, kind });
const ownerSetting = (id: OrganizationSettingId, kind: SettingKind): Setting<OrganizationSettingId> => ({
  id,
  kind,
  ownerOnly: true,
});

export const ORGANIZATION_SECTIONS = [
  {
    id: "profile",
    settings: [
      setting("name", text(40)),
      setting("description", lines(1000)),
      setting("org_type", choice(0, 0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000)),
      setting("default_language", { type: "language", initial: "en" }),
    ],
  },
  {
    id: "joining",
    settings: [
      ownerSetting("invite_required", flag(true)),
      ownerSetting("emails_restricted_to_domains", flag(false)),
      ownerSetting("disallow_disposable_email_addresses", flag(true)),
      ownerSetting("waiting_period_threshold", { type: "number", initial: 0, min: 0, max: 3650 }),
      setting(
        "welcome_message_custom_text",
        lines(8000, "Welcome! Say hello in one of your channels, or send a direct message to somebody whom you know."),
      ),
      setting("enable_spectator_access", flag(false)),
    ],
  },
  {
    id: "people",
    settings: [
      setting("name_changes_disabled", flag(false)),
      setting("email_changes_disabled", flag(false)),
      setting("avatar_changes_disabled", flag(false)),
      setting("require_unique_names", flag(false)),
      setting("enable_guest_user_indicator", flag(true)),
      setting("enable_guest_user_dm_warning", flag(true)),
    ],
  },
  {
    id: "messages",
    settings: [
      setting("allow_message_editing", flag(true)),
      setting("message_content_edit_limit_seconds", period(600)),
      setting("message_content_delete_limit_seconds", period(600)),
      setting("message_edit_history_visibility_policy", choice("all", "all", "moves", "none")),
      setting("move_messages_within_stream_limit_seconds", period(604_800)),
      setting("move_messages_between_streams_limit_seconds", period(604_800)),
      setting("topics_policy", choice("allow_empty_topic", "allow_empty_topic", "disable_empty_topic")),
      setting("enable_read_receipts", flag(true)),
      setting("inline_image_preview", flag(true)),
      setting("strip_image_metadata", flag(true)),
      setting("default_code_block_language", text(50)),
      ownerSetting("message_retention_days", { type: "days", initial: -1 }),
    ],
  },
  {
    id: "announcements",
    settings: [
      setting("new_stream_announcements_stream_id", channel),
      setting("signup_announcements_stream_id", channel),
      setting("zulip_update_announcements_stream_id", channel),
      setting("moderation_request_channel_id", channel),
    ],
  },
  {
    id: "calls",
    settings: [
      setting("video_chat_provider", choice(1, 0, 1)),
      setting("jitsi_server_url", { type: "address", initial: null }),
    ],
  },
  {
    id: "others",
    settings: [
      setting("inline_url_embed_preview", flag(false)),
      setting("giphy_rating", choice(2, 0, 1, 2, 3, 4, 5)),
      setting("send_welcome_emails", flag(true)),
      setting("digest_emails_enabled", flag(false)),
      setting("digest_weekday", choice(1, 0, 1, 2, 3, 4, 5, 6)),
      setting("message_content_allowed_in_email_notifications", flag(true)),
      setting("require_e2ee_push_notifications", flag(false)),
      setting("want_advertise_in_communities_directory", flag(false)),
    ],
  },
] as const satisfies readonly SettingSection<OrganizationSettingId>[];

/** As PATCH /realm takes a value. */
export function onWire({ kind }: Setting, value: unknown): unknown {
  if ((kind.type === "period" && value === null) || (kind.type === "days" && value === -1)) return "unlimited";
  if (kind.type === "address" && value === null) return "default";
  return value;
}
