import type { Reader } from "../../storage/transaction.ts";
import { operatorSetting } from "./operator-settings.ts";
import { ORGANIZATION_SETTINGS, type OrganizationSettingName } from "./organization-settings.ts";
import {
  type GroupSetting,
  ORGANIZATION_GROUP_SETTINGS,
  type OrganizationGroupSettingName,
} from "./permission-settings.ts";

export type OrganizationSettings = {
  [Name in OrganizationSettingName]: (typeof ORGANIZATION_SETTINGS)[Name]["initial"];
} & { [Name in OrganizationGroupSettingName]: GroupSetting };

const SETTINGS_TABLES = ["organization", "organization_settings", "organization_pictures", "user_groups"];

/** All effective settings. The value of a group setting is an id or an anonymous set, as in the API. */
export const organizationSettings = (reader: Reader): Readonly<OrganizationSettings> =>
  reader.derived("organization settings", SETTINGS_TABLES, (rows) => {
    const settings: Record<string, unknown> = {};
    for (const [name, { initial }] of Object.entries(ORGANIZATION_SETTINGS)) settings[name] = initial;
    for (const [name, { initial }] of Object.entries(ORGANIZATION_GROUP_SETTINGS)) {
      settings[name] = rows.value("SELECT id FROM user_groups WHERE is_system_group = 1 AND name = ?", initial);
    }
    type Row = { name: string; value: string };
    for (const { name, value } of rows.all<Row>("SELECT name, value FROM organization_settings")) {
      settings[name] = JSON.parse(value);
    }
    for (const { name } of rows.all<{ name: string }>(
      "SELECT name FROM organization_pictures WHERE file IS NOT NULL",
    )) {
      settings[`${name}_source`] = "U";
    }
    settings["name"] = rows.value("SELECT name FROM organization");
    return settings as OrganizationSettings;
  });

export function organizationSetting<Name extends keyof OrganizationSettings>(
  reader: Reader,
  name: Name,
): OrganizationSettings[Name] {
  return organizationSettings(reader)[name];
}

/** A server has one organization. */
export const REALM_ID = 1;

/** The pictures of the organization: next to its name, and instead of Hearth's logo on light and dark pages. */
export const ORGANIZATION_PICTURES = ["icon", "logo", "night_logo"] as const;
export type OrganizationPictureName = (typeof ORGANIZATION_PICTURES)[number];

export interface OrganizationPicture {
  /** Number of changes, from 1. */
  version: number;
  /** The file of the uploaded picture; null: the generated one. */
  file: string | null;
}

export const organizationPicture = (reader: Reader, name: OrganizationPictureName): OrganizationPicture =>
  reader.get("SELECT version, file FROM organization_pictures WHERE name = ?", name) ?? { version: 1, file: null };

export const hasOrganization = (reader: Reader): boolean => reader.value("SELECT id FROM organization") !== undefined;

/** Milliseconds since the epoch. */
export const organizationCreatedAt = (reader: Reader): number =>
  reader.derived("organization created at", ["organization"], (rows) => {
    const createdAt = rows.value<number>("SELECT created_at FROM organization");
    if (createdAt === undefined) throw new Error("This database holds no organization.");
    return createdAt;
  });

/** Whether the server and the organization allow access to channels without an account. */
export const isPublicAccessOn = (reader: Reader): boolean =>
  operatorSetting(reader, "WEB_PUBLIC_STREAMS_ENABLED") &&
  organizationSetting(reader, "enable_spectator_access") &&
  !isDeactivated(reader);

/** The tables that `isPublicAccessOn` reads. */
export const PUBLIC_ACCESS_TABLES: readonly string[] = [...SETTINGS_TABLES, "host_settings"];

/** Whether sign-in is disabled until the operator reactivates the organization. */
export const isDeactivated = (reader: Reader): boolean => operatorSetting(reader, "ORGANIZATION_DEACTIVATED");

/** A domain whose email addresses can join while `emails_restricted_to_domains` is on. */
export interface OrganizationDomain {
  domain: string;
  allow_subdomains: boolean;
}

/** By name. */
export const organizationDomains = (reader: Reader): readonly OrganizationDomain[] =>
  reader.derived("organization domains", ["organization_domains"], (rows) =>
    rows
      .all<{ domain: string; allow_subdomains: number }>(
        "SELECT domain, allow_subdomains FROM organization_domains ORDER BY domain",
      )
      .map(({ domain, allow_subdomains }) => ({ domain, allow_subdomains: allow_subdomains === 1 })),
  );
