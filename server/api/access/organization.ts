import { badRequest, refusedParameter, unauthorizedPrincipal } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { channelById } from "../queries/channels.ts";
import {
  type OrganizationSettings,
  organizationDomains,
  organizationSetting,
  organizationSettings,
} from "../queries/organization.ts";
import {
  ORGANIZATION_SETTINGS,
  type OrganizationSettingName,
  SETTINGS_OF_CHANNELS,
} from "../queries/organization-settings.ts";
import { ORGANIZATION_GROUP_SETTINGS, type OrganizationGroupSettingName } from "../queries/permission-settings.ts";
import { allUsers, emailKey, ROLES, type User } from "../queries/users.ts";
import { canSeeChannel, hasContentAccess } from "./channels.ts";
import { type GroupSettingUpdate, updatedGroupSetting } from "./group-settings.ts";
import { isBlank, UNPRINTABLE } from "./names.ts";
import { isDisposable } from "./organization-domains.ts";

const MAX_NAME_LENGTH = 40;

export function validOrganizationName(name: string): string {
  const trimmed = name.trim().normalize("NFC");
  const length = [...trimmed].length;
  if (isBlank(trimmed)) throw badRequest("organization_name_required");
  if (length > MAX_NAME_LENGTH) throw badRequest("organization_name_too_long", { count: MAX_NAME_LENGTH });
  if (UNPRINTABLE.test(trimmed)) throw badRequest("organization_name_control_characters");
  return trimmed;
}

/** The reason why the domain is not allowed, or undefined. */
function reasonAgainst(
  reader: Reader,
  email: string,
): "email_domain_not_allowed" | "disposable_email_not_allowed" | undefined {
  const domain = emailKey(email).split("@").at(-1) ?? "";
  if (organizationSetting(reader, "emails_restricted_to_domains")) {
    const isOn = organizationDomains(reader).some(
      (one) => domain === one.domain || (one.allow_subdomains && domain.endsWith(`.${one.domain}`)),
    );
    return isOn ? undefined : "email_domain_not_allowed";
  }
  return organizationSetting(reader, "disallow_disposable_email_addresses") && isDisposable(domain)
    ? "disposable_email_not_allowed"
    : undefined;
}

/** Use it for every email address that joins, is invited, is added or changes. */
export function allowedEmail(reader: Reader, email: string): string {
  const reason = reasonAgainst(reader, email);
  if (reason) throw badRequest(reason);
  return email;
}

/** Throws if the organization requires unique names and another active user has the name. */
export function freeFullName(reader: Reader, name: string, self?: User): string {
  if (!organizationSetting(reader, "require_unique_names")) return name;
  const key = name.toLowerCase();
  const taken = allUsers(reader).some(
    (user) => user.is_active && user.id !== self?.id && user.full_name.toLowerCase() === key,
  );
  if (taken) throw badRequest("full_name_taken", { name });
  return name;
}

type OrganizationPatch = {
  [Name in OrganizationSettingName]?: OrganizationSettings[Name] | undefined;
} & { [Name in OrganizationGroupSettingName]?: GroupSettingUpdate | undefined };

export type OrganizationChanges = Partial<OrganizationSettings>;

const CHANNELS: readonly string[] = SETTINGS_OF_CHANNELS;

const isGroupSetting = (name: string): name is OrganizationGroupSettingName => name in ORGANIZATION_GROUP_SETTINGS;

/** See docs/protocol.md#organization-settings. Some settings need an owner. */
export function allowedOrganizationChanges(
  reader: Reader,
  viewer: User,
  patch: OrganizationPatch,
): OrganizationChanges {
  const current = organizationSettings(reader);
  const changes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    const ownerOnly = isGroupSetting(name)
      ? ORGANIZATION_GROUP_SETTINGS[name].ownerOnly
      : ORGANIZATION_SETTINGS[name as OrganizationSettingName].changedBy === "owner";
    if (ownerOnly && viewer.role !== ROLES.owner)
      throw unauthorizedPrincipal("setting_owners_only", { parameter: name });
    if (name === "string_id") throw refusedParameter("string_id", "subdomain_not_supported");
    if (isGroupSetting(name)) {
      const setting = ORGANIZATION_GROUP_SETTINGS[name];
      changes[name] = updatedGroupSetting(reader, name, setting, current[name], value as GroupSettingUpdate);
    } else if (name === "name") changes[name] = validOrganizationName(value as string);
    else {
      if (CHANNELS.includes(name) && value !== current[name as OrganizationSettingName])
        assertChannelUsable(reader, viewer, name, value as number);
      changes[name] = value;
    }
  }
  return changes;
}

/**
 * Hidden and missing channels get the same error. A viewer cannot select a channel that they cannot read, except for
 * reports.
 */
function assertChannelUsable(reader: Reader, viewer: User, name: string, id: number): void {
  if (id === -1) return;
  const channel = channelById(reader, id);
  if (!channel || channel.is_archived || !canSeeChannel(reader, viewer, channel))
    throw refusedParameter(name, "invalid_channel_in_parameter", { id });
  if (name === "moderation_request_channel_id") {
    if (!channel.invite_only) throw refusedParameter(name, "private_channel_required");
  } else if (!hasContentAccess(reader, viewer, channel)) throw refusedParameter(name, "channel_not_readable");
}
