import type { OrganizationSettings } from "../queries/organization.ts";
import type { GroupSetting } from "../queries/permission-settings.ts";
import type { SystemGroupName } from "../queries/system-groups.ts";
import { systemGroupName } from "../queries/user-group-members.ts";
import type { Reader } from "../storage/transaction.ts";

type Policy = Partial<Record<SystemGroupName, number>>;
// Numbers by which clients older than group settings know who may create channels, and mention everybody.
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

/** The old number of a group setting; of one that it cannot express, the number of `instead`. */
function policy(reader: Reader, setting: GroupSetting, numbers: Policy, instead: SystemGroupName): number {
  const name = typeof setting === "number" ? systemGroupName(reader, setting) : undefined;
  return (name && numbers[name]) ?? (numbers[instead] as number);
}

type LegacyFields = (settings: Readonly<OrganizationSettings>, reader: Reader) => Record<string, unknown>;

/** By setting: its deprecated names, for clients that still read them. */
const LEGACY_FIELDS: { readonly [Name in keyof OrganizationSettings]?: LegacyFields } = {
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

/** What clients read of a setting, deprecated names too. */
export function settingOnWire(
  reader: Reader,
  settings: Readonly<OrganizationSettings>,
  name: keyof OrganizationSettings,
): Record<string, unknown> {
  const value =
    name === "authentication_methods"
      ? { Email: { enabled: settings.authentication_methods.Email, available: true } }
      : settings[name];
  return { [name]: value, ...LEGACY_FIELDS[name]?.(settings, reader) };
}
