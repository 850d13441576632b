import { z } from "zod";
import { because } from "../../errors.ts";
import { LANGUAGE_CODES } from "./languages.ts";
import { SHOWN, settingsOf } from "./setting-sections.ts";

/** The role that can change a setting. `server`: no one, since the value depends on what the server supports. */
type Changer = "administrator" | "owner" | "server";

export interface OrganizationSetting<T> {
  /** The valid input, and its conversion to the stored value. */
  readonly allowed: z.ZodType<T, unknown>;
  readonly initial: T;
  readonly changedBy: Changer;
}

const setting = <T>(
  allowed: z.ZodType<T, unknown>,
  initial: NoInfer<T>,
  changedBy: Changer = "administrator",
): OrganizationSetting<T> => ({ allowed, initial, changedBy });

const flag = (initial: boolean, changedBy?: Changer) => setting(z.boolean(), initial, changedBy);
/** Unicode code points. */
const text = (max: number) =>
  z
    .string()
    .refine((value) => [...value].length <= max, because("too_long", { count: max }))
    .describe(`at most ${max} characters`)
    .register(SHOWN, { control: "text", max_length: max });
const lines = (max: number) => text(max).register(SHOWN, { control: "lines", max_length: max });
const oneOf = <T extends number | string>(...values: [T, ...T[]]): z.ZodType<T> => z.literal(values);

/** A number above 0, or "unlimited", which is stored as `unlimited`. */
const countOr = <U extends number | null>(
  unlimited: U,
  unit: "seconds" | "days",
): z.ZodType<number | U, number | string> =>
  z
    .union([z.string(), z.number()])
    .transform((value, context): number | U => {
      if (value === "unlimited") return unlimited;
      if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value;
      context.addIssue({ code: "custom", message: `must be a whole number of ${unit} above 0, or "unlimited".` });
      return z.NEVER;
    })
    .describe(`${unit} above 0, or \`"unlimited"\`, which is stored as \`${unlimited}\``)
    .register(SHOWN, { control: unit === "days" ? "days" : "period" });
const seconds = (initial: number) => setting(countOr(null, "seconds"), initial);
/** The id of a channel, or -1. access/organization-settings.ts decides which channels are allowed. */
const channelOrNone = (which = "a channel that the caller can read") =>
  setting(z.int().min(-1).describe(`the id of ${which}, or -1`).register(SHOWN, { control: "channel" }), -1);

const MAX_ADDRESS = 200;
const httpUrl = z.url({ protocol: /^https?$/ });
const jitsiServer = z
  .string()
  .transform((value, context): string | null => {
    if (value === "default") return null;
    if (value.length <= MAX_ADDRESS && httpUrl.safeParse(value).success) return value;
    context.addIssue({ code: "custom", message: 'must be a web address of at most 200 characters, or "default".' });
    return z.NEVER;
  })
  .describe('an HTTP(S) URL of at most 200 characters, or `"default"`')
  .register(SHOWN, { control: "address", max_length: MAX_ADDRESS });

/** The available services for video calls. The protocol's other services need their own API keys. */
export const VIDEO_CALLS = { disabled: { name: "None", id: 0 }, jitsi_meet: { name: "Jitsi Meet", id: 1 } } as const;
const VIDEO_CALL_IDS: [0 | 1, 0 | 1] = [VIDEO_CALLS.disabled.id, VIDEO_CALLS.jitsi_meet.id];

/** Sign-in methods that clients know. This server only offers the first. */
const SIGN_INS = [..."Email,LDAP,Dev,RemoteUser,GitHub,AzureAD,GitLab,Google,Apple,SAML,OpenID Connect".split(",")] as [
  string,
  ...string[],
];
const signIns = z
  .partialRecord(z.enum(SIGN_INS), z.boolean())
  .transform((input, context) => {
    const addIssue = (message: string) => context.addIssue({ code: "custom", message });
    const other = Object.keys(input).find((name) => name !== "Email" && input[name]);
    if (other) addIssue(`cannot turn ${other} on: this server does not offer it.`);
    else if (!input["Email"]) addIssue("must leave Email on: there is no other way to sign in.");
    return { Email: true };
  })
  .describe("only `Email` is offered, and it cannot be turned off");

/**
 * docs/protocol.md#organization-settings. /register sends each as `realm_<name>`. A row of organization_settings (the
 * value as JSON) overrides `initial`. `name` is stored in the table organization. The sections are those of the admin
 * window's page, in order.
 */
export const ORGANIZATION_SETTING_SECTIONS = {
  profile: {
    name: setting(text(40).min(1).describe("1 to 40 characters"), ""),
    description: setting(lines(1000), ""),
    default_language: setting(
      z.enum(LANGUAGE_CODES).describe("a language code").register(SHOWN, { control: "language" }),
      "en",
    ),
  },
  joining: {
    invite_required: flag(true, "owner"),
    emails_restricted_to_domains: flag(false, "owner"),
    disallow_disposable_email_addresses: flag(true, "owner"),
    waiting_period_threshold: setting(z.int().min(0).describe("days").register(SHOWN, { max: 3650 }), 0, "owner"),
    /** The direct message to new users, unless their invitation has another one. */
    welcome_message_custom_text: setting(
      lines(8000).describe("at most 8000 characters; empty for no message"),
      "Welcome! Say hello in one of your channels, or send a direct message to someone you know.",
    ),
    enable_spectator_access: flag(false),
  },
  people: {
    name_changes_disabled: flag(false),
    email_changes_disabled: flag(false),
    avatar_changes_disabled: flag(false),
    require_unique_names: flag(false),
  },
  messages: {
    allow_message_editing: flag(true),
    message_content_edit_limit_seconds: seconds(600),
    message_content_delete_limit_seconds: seconds(600),
    message_edit_history_visibility_policy: setting(oneOf("all", "moves", "none"), "all"),
    move_messages_within_stream_limit_seconds: seconds(604_800),
    move_messages_between_streams_limit_seconds: seconds(604_800),
    topics_policy: setting(oneOf("allow_empty_topic", "disable_empty_topic"), "allow_empty_topic"),
    enable_read_receipts: flag(true),
    message_content_allowed_in_email_notifications: flag(true),
    inline_image_preview: flag(true),
    strip_image_metadata: setting(
      z
        .boolean()
        .describe(
          "an extension of Hearth: removes location, device and [other metadata](#uploads) from uploaded pictures",
        ),
      true,
    ),
    default_code_block_language: setting(text(50).describe("a language that Hearth highlights, or empty"), ""),
    message_retention_days: setting(countOr(-1, "days"), -1, "owner"),
  },
  announcements: {
    new_stream_announcements_stream_id: channelOrNone(),
    signup_announcements_stream_id: channelOrNone(),
    moderation_request_channel_id: channelOrNone("a private channel"),
  },
  /** Hearth and its own chat ignore these. */
  others: {
    org_type: setting(oneOf(0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000), 0),
    enable_guest_user_indicator: flag(true),
    enable_guest_user_dm_warning: flag(true),
    zulip_update_announcements_stream_id: channelOrNone(),
    video_chat_provider: setting(oneOf(...VIDEO_CALL_IDS).describe("0 none, 1 Jitsi Meet"), 1),
    jitsi_server_url: setting(jitsiServer, null),
    inline_url_embed_preview: flag(false),
    giphy_rating: setting(oneOf(0, 1, 2, 3, 4, 5), 2),
    send_welcome_emails: flag(true),
    digest_emails_enabled: flag(false),
    digest_weekday: setting(
      z.int().min(0).max(6).describe("0 (Monday) to 6 (Sunday)").register(SHOWN, { control: "choice" }),
      1,
    ),
    require_e2ee_push_notifications: flag(false),
    want_advertise_in_communities_directory: flag(false),
  },
  elsewhere: {
    authentication_methods: setting(signIns, { Email: true }, "owner"),
    icon_source: setting(oneOf("G", "U"), "G", "server"),
    logo_source: setting(oneOf("D", "U"), "D", "server"),
    night_logo_source: setting(oneOf("D", "U"), "D", "server"),
    plan_type: setting(oneOf(1, 2, 3, 4, 10), 1, "server"),
    presence_disabled: flag(false, "server"),
    push_notifications_enabled: flag(false, "server"),
    string_id: setting(
      text(40).describe("rejected: a server has a single organization, so it needs no subdomain"),
      "",
      "owner",
    ),
    // Not in the API: the domain in the email addresses of bots and of people who hide theirs. Only `hearth init` sets
    // it, since clients identify people by these addresses.
    email_host: setting(z.string(), "hearth.local", "server"),
  },
};
export const ORGANIZATION_SETTINGS = settingsOf(ORGANIZATION_SETTING_SECTIONS);
export type OrganizationSettingName = keyof typeof ORGANIZATION_SETTINGS;

/** The settings that PATCH /realm accepts. */
export const PATCHABLE = (Object.keys(ORGANIZATION_SETTINGS) as OrganizationSettingName[]).filter(
  (name) => ORGANIZATION_SETTINGS[name].changedBy !== "server",
);

/** The settings whose value is the id of a channel, or -1. */
export const SETTINGS_OF_CHANNELS = [
  "moderation_request_channel_id",
  "new_stream_announcements_stream_id",
  "signup_announcements_stream_id",
  "zulip_update_announcements_stream_id",
] as const satisfies OrganizationSettingName[];

/** The settings that `realm/update_dict` announces. That event can have several fields. */
export const ANNOUNCED_TOGETHER: ReadonlySet<string> = new Set<OrganizationSettingName>([
  "allow_message_editing",
  "authentication_methods",
  "message_content_edit_limit_seconds",
  "message_edit_history_visibility_policy",
  "topics_policy",
]);
