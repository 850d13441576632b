import { z } from "zod";
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from "../../host/credentials/passwords.ts";
import type { Reader } from "../../storage/transaction.ts";
import { channelsOpenToAll, groupShownToAll } from "../access/public-access.ts";
import { isPermitted } from "../access/roles.ts";
import { MAX_CHANNEL_FOLDER_DESCRIPTION_LENGTH, MAX_CHANNEL_FOLDER_NAME_LENGTH } from "../queries/channel-folders.ts";
import { MAX_CHANNEL_DESCRIPTION_LENGTH, MAX_CHANNEL_NAME_LENGTH } from "../queries/channels.ts";
import { isMailOn } from "../queries/mails.ts";
import { MAX_MESSAGE_LENGTH } from "../queries/messages.ts";
import { operatorSetting } from "../queries/operator-settings.ts";
import {
  isPublicAccessOn,
  organizationCreatedAt,
  organizationDomains,
  organizationSettings,
} from "../queries/organization.ts";
import { SETTINGS_OF_CHANNELS, VIDEO_CALLS } from "../queries/organization-settings.ts";
import {
  ORGANIZATION_GROUP_SETTINGS,
  type OrganizationGroupSettingName,
  SUPPORTED_PERMISSION_SETTINGS,
} from "../queries/permission-settings.ts";
import { THUMBNAIL_FORMATS } from "../queries/pictures.ts";
import { EXTERNAL_ACCOUNTS } from "../queries/profile-fields.ts";
import { MAX_REMINDER_NOTE_LENGTH } from "../queries/reminders.ts";
import { EMPTY_TOPIC_DISPLAY_NAME, MAX_TOPIC_LENGTH } from "../queries/topics.ts";
import type { User } from "../queries/users.ts";
import { settingFields, settingsOnWire } from "./organization-settings.ts";
import { organizationPictureUrl } from "./pictures.ts";
import { type FieldValues, type RegisterContext, registerPart } from "./register-part.ts";

const JITSI_SERVER = "https://meet.jit.si";
const GIPHY_RATINGS = {
  disabled: { name: "Off", id: 0 },
  y: { name: "For the youngest (Y)", id: 1 },
  g: { name: "For everyone (G)", id: 2 },
  pg: { name: "Parental guidance (PG)", id: 3 },
  "pg-13": { name: "Not for children under 13 (PG-13)", id: 4 },
  r: { name: "For adults (R)", id: 5 },
};
/** Names of all Unicode emoji. Clients fetch this file when they start. */
export const EMOJI_DATA_PATH = "/static/emoji-data.json";
// A different number tells a client that the server restarted.
const SERVER_GENERATION = Math.floor(Date.now() / 1000);

/** Limit of a user's picture, an organization's picture and an emoji. */
export const MAX_PICTURE_MIB = 5;

const url = z.string();
const named = z.record(z.string(), z.object({ name: z.string(), id: z.int() }));
const permission = z.object({
  require_system_group: z.boolean(),
  allow_internet_group: z.boolean(),
  allow_nobody_group: z.boolean(),
  allow_everyone_group: z.boolean(),
  default_group_name: z.string(),
  default_for_system_groups: z.string().nullable(),
  allowed_system_groups: z.array(z.string()).readonly(),
});
const permissions = z.record(z.string(), permission);

const fields = {
  ...settingFields,
  realm_date_created: z.int().describe("UNIX seconds."),
  realm_url: url,
  realm_uri: url.describe("Deprecated: use realm_url."),
  realm_bot_domain: z.string(),
  realm_email_auth_enabled: z.boolean(),
  realm_password_auth_enabled: z.boolean(),
  realm_icon_url: url,
  realm_logo_url: url,
  realm_night_logo_url: url,
  realm_available_video_chat_providers: named,
  jitsi_server_url: url,
  server_jitsi_server_url: url,
  giphy_rating_options: named,
  realm_default_external_accounts: z.record(
    z.string(),
    z.object({ name: z.string(), text: z.string(), hint: z.string(), url_pattern: z.string() }),
  ),
  realm_empty_topic_display_name: z.string(),
  realm_push_notifications_enabled_end_timestamp: z.null(),
  realm_upload_quota_mib: z.int().nullable(),
  realm_is_zephyr_mirror_realm: z.boolean(),
  zulip_plan_is_not_limited: z.boolean(),
  upgrade_text_for_wide_organization_logo: z.string(),
  settings_send_digest_emails: z.boolean(),
  max_icon_file_size_mib: z.int(),
  max_logo_file_size_mib: z.int(),
  max_avatar_file_size_mib: z.int(),
  max_file_upload_size_mib: z.int(),
  max_message_length: z.int(),
  max_topic_length: z.int(),
  max_stream_name_length: z.int(),
  max_stream_description_length: z.int(),
  max_channel_folder_name_length: z.int(),
  max_channel_folder_description_length: z.int(),
  max_reminder_note_length: z.int(),
  max_bulk_new_subscription_messages: z.int(),
  password_min_length: z.int(),
  password_max_length: z.int(),
  password_min_guesses: z.int(),
  development_environment: z.boolean(),
  event_queue_longpoll_timeout_seconds: z.int(),
  server_generation: z.int(),
  server_needs_upgrade: z.boolean(),
  server_avatar_changes_disabled: z.boolean(),
  server_name_changes_disabled: z.boolean(),
  server_can_summarize_topics: z.boolean(),
  server_inline_image_preview: z.boolean(),
  server_inline_url_embed_preview: z.boolean(),
  server_thumbnail_formats: z.array(
    z.object({
      name: z.string(),
      max_width: z.int(),
      max_height: z.int(),
      format: z.string(),
      animated: z.boolean(),
    }),
  ),
  server_emoji_data_url: url,
  server_min_deactivated_realm_deletion_days: z.int(),
  server_max_deactivated_realm_deletion_days: z.int().nullable(),
  server_presence_ping_interval_seconds: z.int(),
  server_presence_offline_threshold_seconds: z.int(),
  server_typing_started_expiry_period_milliseconds: z.int(),
  server_typing_started_wait_period_milliseconds: z.int(),
  server_typing_stopped_wait_period_milliseconds: z.int(),
  server_web_public_streams_enabled: z.boolean(),
  realm_sends_email: z.boolean().describe("Whether the operator has set up a mail server."),
  server_supported_permission_settings: z.object({ realm: permissions, stream: permissions, group: permissions }),
};

function organizationState({ reader, baseUrl }: RegisterContext): FieldValues<typeof fields> {
  const settings = organizationSettings(reader);
  return {
    ...settingsOnWire(reader),
    realm_date_created: Math.floor(organizationCreatedAt(reader) / 1000),
    realm_url: baseUrl,
    realm_uri: baseUrl,
    realm_bot_domain: settings.email_host,
    realm_email_auth_enabled: settings.authentication_methods.Email,
    realm_password_auth_enabled: settings.authentication_methods.Email,
    realm_icon_url: organizationPictureUrl(reader, "icon"),
    realm_logo_url: organizationPictureUrl(reader, "logo"),
    realm_night_logo_url: organizationPictureUrl(reader, "night_logo"),
    realm_available_video_chat_providers: VIDEO_CALLS,
    jitsi_server_url: settings.jitsi_server_url ?? JITSI_SERVER,
    server_jitsi_server_url: JITSI_SERVER,
    giphy_rating_options: GIPHY_RATINGS,
    realm_default_external_accounts: EXTERNAL_ACCOUNTS,
    realm_empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
    // Hearth has no plans.
    realm_push_notifications_enabled_end_timestamp: null,
    realm_upload_quota_mib: operatorSetting(reader, "UPLOAD_QUOTA_MIB"),
    realm_is_zephyr_mirror_realm: false,
    zulip_plan_is_not_limited: true,
    upgrade_text_for_wide_organization_logo: "",
    settings_send_digest_emails: false,
    max_icon_file_size_mib: MAX_PICTURE_MIB,
    max_logo_file_size_mib: MAX_PICTURE_MIB,
    max_avatar_file_size_mib: MAX_PICTURE_MIB,
    max_file_upload_size_mib: operatorSetting(reader, "MAX_FILE_UPLOAD_SIZE_MIB"),
    max_message_length: MAX_MESSAGE_LENGTH,
    max_topic_length: MAX_TOPIC_LENGTH,
    max_stream_name_length: MAX_CHANNEL_NAME_LENGTH,
    max_stream_description_length: MAX_CHANNEL_DESCRIPTION_LENGTH,
    max_channel_folder_name_length: MAX_CHANNEL_FOLDER_NAME_LENGTH,
    max_channel_folder_description_length: MAX_CHANNEL_FOLDER_DESCRIPTION_LENGTH,
    max_reminder_note_length: MAX_REMINDER_NOTE_LENGTH,
    max_bulk_new_subscription_messages: 100,
    password_min_length: PASSWORD_MIN_LENGTH,
    password_max_length: PASSWORD_MAX_LENGTH,
    password_min_guesses: 0,
    development_environment: false,
    event_queue_longpoll_timeout_seconds: 90,
    server_generation: SERVER_GENERATION,
    server_needs_upgrade: false,
    server_avatar_changes_disabled: false,
    server_name_changes_disabled: false,
    server_can_summarize_topics: false,
    // Only for uploads: Hearth does not fetch pages or pictures from the internet.
    server_inline_image_preview: true,
    server_inline_url_embed_preview: false,
    server_thumbnail_formats: THUMBNAIL_FORMATS.map((format) => ({ ...format })),
    server_emoji_data_url: `${baseUrl}${EMOJI_DATA_PATH}`,
    server_min_deactivated_realm_deletion_days: 14,
    server_max_deactivated_realm_deletion_days: null,
    server_presence_ping_interval_seconds: 60,
    server_presence_offline_threshold_seconds: 200,
    server_typing_started_expiry_period_milliseconds: 45_000,
    server_typing_started_wait_period_milliseconds: 30_000,
    server_typing_stopped_wait_period_milliseconds: 12_000,
    server_web_public_streams_enabled: operatorSetting(reader, "WEB_PUBLIC_STREAMS_ENABLED"),
    realm_sends_email: isMailOn(reader),
    server_supported_permission_settings: SUPPORTED_PERMISSION_SETTINGS,
  };
}

export const ownPermissionFields = {
  can_create_public_streams: z.boolean(),
  can_create_private_streams: z.boolean(),
  can_create_web_public_streams: z.boolean(),
  can_create_streams: z.boolean(),
  can_subscribe_other_users: z.boolean(),
  can_invite_others_to_realm: z.boolean(),
};

/** The `can_*` fields of /register: the viewer's permissions. */
export function ownPermissions(reader: Reader, viewer: User): FieldValues<typeof ownPermissionFields> {
  const can_create_public_streams = isPermitted(reader, viewer, "can_create_public_channel_group");
  const can_create_private_streams = isPermitted(reader, viewer, "can_create_private_channel_group");
  const can_create_web_public_streams =
    isPublicAccessOn(reader) && isPermitted(reader, viewer, "can_create_web_public_channel_group");
  return {
    can_create_public_streams,
    can_create_private_streams,
    can_create_web_public_streams,
    can_create_streams: can_create_public_streams || can_create_private_streams,
    can_subscribe_other_users: isPermitted(reader, viewer, "can_add_subscribers_group"),
    can_invite_others_to_realm: isPermitted(reader, viewer, "can_invite_users_group"),
  };
}

/** The organization without the people, groups and channels in its settings. */
function publicOrganization(context: RegisterContext): FieldValues<typeof fields> {
  const { reader } = context;
  const values = organizationState(context);
  const open = new Set(channelsOpenToAll(reader).map(({ id }) => id));
  for (const setting of Object.keys(ORGANIZATION_GROUP_SETTINGS) as OrganizationGroupSettingName[])
    values[`realm_${setting}`] = groupShownToAll(reader, values[`realm_${setting}`]);
  for (const setting of SETTINGS_OF_CHANNELS)
    if (!open.has(values[`realm_${setting}`])) values[`realm_${setting}`] = -1;
  return values;
}

export const wireDomain = z.object({ domain: z.string(), allow_subdomains: z.boolean() });
export type WireDomain = z.output<typeof wireDomain>;

export const registerParts = {
  realm_domains: registerPart({
    fields: { realm_domains: z.array(wireDomain) },
    read: ({ reader }) => ({ realm_domains: [...organizationDomains(reader)] }),
    spectators: { realm_domains: [] },
  }),
  realm: registerPart({ fields, read: organizationState, spectators: publicOrganization }),
};
