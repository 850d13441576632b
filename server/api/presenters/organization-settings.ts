import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { type OrganizationSettings, organizationSettings } from "../queries/organization.ts";
import { ORGANIZATION_SETTINGS } from "../queries/organization-settings.ts";
import {
  type GroupSetting,
  groupSetting,
  ORGANIZATION_GROUP_SETTINGS,
  type SystemGroupName,
} from "../queries/permission-settings.ts";
import { shownGroupSetting, systemGroupName } from "../queries/user-group-members.ts";
import type { FieldValues } from "./register-part.ts";

type Policy = Partial<Record<SystemGroupName, number>>;
// Legacy numbers for clients without group settings: who can create channels, and who can mention everyone.
const CREATE_POLICY: Policy = {
  "role:members": 1,
  "role:administrators": 2,
  "role:fullmembers": 3,
  "role:moderators": 4,
};
const WEB_PUBLIC_POLICY: Policy = { ...CREATE_POLICY, "role:nobody": 6, "role:owners": 7 };
const MENTION_POLICY: Policy = {
  "role:everyone": 1,
  "role:members": 2,
  "role:fullmembers": 3,
  "role:administrators": 5,
  "role:nobody": 6,
  "role:moderators": 7,
};

/** The legacy number of a group setting. Groups without a number get that of `fallback`. */
function policy(reader: Reader, setting: GroupSetting, numbers: Policy, fallback: SystemGroupName): number {
  const name = typeof setting === "number" ? systemGroupName(reader, setting) : undefined;
  return (name && numbers[name]) ?? (numbers[fallback] as number);
}

const legacyFields = {
  create_private_stream_policy: z.int(),
  create_public_stream_policy: z.int(),
  create_web_public_stream_policy: z.int(),
  wildcard_mention_policy: z.int(),
  allow_edit_history: z.boolean(),
  mandatory_topics: z.boolean(),
};
type LegacyValues = FieldValues<typeof legacyFields>;

/** The values of deprecated names, by setting. */
const LEGACY_VALUES: {
  readonly [Name in keyof OrganizationSettings]?: (
    settings: Readonly<OrganizationSettings>,
    reader: Reader,
  ) => Partial<LegacyValues>;
} = {
  can_create_private_channel_group: (settings, reader) => ({
    create_private_stream_policy: policy(
      reader,
      settings.can_create_private_channel_group,
      CREATE_POLICY,
      "role:administrators",
    ),
  }),
  can_create_public_channel_group: (settings, reader) => ({
    create_public_stream_policy: policy(
      reader,
      settings.can_create_public_channel_group,
      CREATE_POLICY,
      "role:administrators",
    ),
  }),
  can_create_web_public_channel_group: (settings, reader) => ({
    create_web_public_stream_policy: policy(
      reader,
      settings.can_create_web_public_channel_group,
      WEB_PUBLIC_POLICY,
      "role:nobody",
    ),
  }),
  can_mention_many_users_group: (settings, reader) => ({
    wildcard_mention_policy: policy(
      reader,
      settings.can_mention_many_users_group,
      MENTION_POLICY,
      "role:administrators",
    ),
  }),
  message_edit_history_visibility_policy: (settings) => ({
    allow_edit_history: settings.message_edit_history_visibility_policy !== "none",
  }),
  topics_policy: (settings) => ({ mandatory_topics: settings.topics_policy === "disable_empty_topic" }),
};

const HIDDEN = ["email_host", "string_id"] as const satisfies (keyof OrganizationSettings)[];
type SentName = Exclude<keyof OrganizationSettings, (typeof HIDDEN)[number]>;
const isSent = (name: keyof OrganizationSettings): name is SentName => !(HIDDEN as readonly string[]).includes(name);
const SENT_NAMES = (
  [...Object.keys(ORGANIZATION_SETTINGS), ...Object.keys(ORGANIZATION_GROUP_SETTINGS)] as (keyof OrganizationSettings)[]
).filter(isSent);

const authenticationMethods = z.object({ Email: z.object({ enabled: z.boolean(), available: z.boolean() }) });
const secondsOrNull = z.int().nullable();

/** Settings with different formats in requests and responses. */
const SENT_FORMS = {
  authentication_methods: authenticationMethods,
  jitsi_server_url: z.string().nullable(),
  message_content_delete_limit_seconds: secondsOrNull,
  message_content_edit_limit_seconds: secondsOrNull,
  message_retention_days: z.int().describe("-1: forever."),
  move_messages_between_streams_limit_seconds: secondsOrNull,
  move_messages_within_stream_limit_seconds: secondsOrNull,
} satisfies { [Name in SentName]?: z.ZodType };

type SentSettings = Omit<OrganizationSettings, keyof typeof SENT_FORMS | (typeof HIDDEN)[number]> &
  FieldValues<typeof SENT_FORMS>;
const sentForms: Partial<Record<SentName, z.ZodType>> = SENT_FORMS;
const formOf = (name: SentName): z.ZodType =>
  sentForms[name] ??
  (name in ORGANIZATION_SETTINGS
    ? ORGANIZATION_SETTINGS[name as keyof typeof ORGANIZATION_SETTINGS].allowed
    : groupSetting);

/** The `realm_…` fields of /register that depend on settings. */
export const settingFields = Object.fromEntries(
  [...SENT_NAMES.map((name) => [name, formOf(name)] as const), ...Object.entries(legacyFields)].map(([name, form]) => [
    `realm_${name}`,
    form,
  ]),
) as {
  [Name in keyof (SentSettings & LegacyValues) as `realm_${Name}`]: z.ZodType<(SentSettings & LegacyValues)[Name]>;
};

/** A setting as clients read it, including its deprecated names. */
export function settingOnWire(
  reader: Reader,
  settings: Readonly<OrganizationSettings>,
  name: keyof OrganizationSettings,
): Record<string, unknown> {
  const value: unknown =
    name === "authentication_methods"
      ? { Email: { enabled: settings.authentication_methods.Email, available: true } }
      : name in ORGANIZATION_GROUP_SETTINGS
        ? shownGroupSetting(reader, settings[name] as GroupSetting)
        : settings[name];
  return { [name]: value, ...LEGACY_VALUES[name]?.(settings, reader) };
}

/** All settings in the format of /register. */
export function settingsOnWire(reader: Reader): FieldValues<typeof settingFields> {
  const settings = organizationSettings(reader);
  const fields: Record<string, unknown> = {};
  for (const name of SENT_NAMES) {
    for (const [field, value] of Object.entries(settingOnWire(reader, settings, name)))
      fields[`realm_${field}`] = value;
  }
  return fields as FieldValues<typeof settingFields>;
}
