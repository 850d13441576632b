import { refusedParameter, unauthorizedPrincipal } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { channelById } from "../queries/channels.ts";
import { type OrganizationSettings, organizationSettings } from "../queries/organization.ts";
import {
  ORGANIZATION_SETTINGS,
  type OrganizationSettingName,
  SETTINGS_OF_CHANNELS,
} from "../queries/organization-settings.ts";
import { ORGANIZATION_GROUP_SETTINGS, type OrganizationGroupSettingName } from "../queries/permission-settings.ts";
import { ROLES, type User } from "../queries/users.ts";
import { canSeeChannel, hasContentAccess } from "./channels.ts";
import { type GroupSettingUpdate, updatedGroupSetting } from "./group-settings.ts";
import { validOrganizationName } from "./organization.ts";

/** The changes that a client asks for; what is left out stays as it is. */
export type OrganizationPatch = {
  [Name in OrganizationSettingName]?: OrganizationSettings[Name] | undefined;
} & { [Name in OrganizationGroupSettingName]?: GroupSettingUpdate | undefined };

export type OrganizationChanges = Partial<OrganizationSettings>;

const CHANNELS: readonly string[] = SETTINGS_OF_CHANNELS;

const isGroupSetting = (name: string): name is OrganizationGroupSettingName => name in ORGANIZATION_GROUP_SETTINGS;

/**
 * The changes as they are stored, if an administrator may make all of them; some take an owner
 * (docs/protocol.md#organization-settings).
 */
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
    if (ownerOnly && viewer.role !== ROLES.owner) throw unauthorizedPrincipal(`${name} is for owners to change.`);
    if (name === "string_id")
      throw refusedParameter(
        "string_id",
        "string_id: this organization is the only one of its server, and has no such name.",
      );
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
 * A hidden channel gets the error of one that does not exist. Nobody has the server
 * announce something where they cannot read it; reports may go to moderators alone.
 */
function assertChannelUsable(reader: Reader, viewer: User, name: string, id: number): void {
  if (id === -1) return;
  const channel = channelById(reader, id);
  if (!channel || channel.is_archived || !canSeeChannel(reader, viewer, channel))
    throw refusedParameter(name, `${name}: invalid channel ID ${id}`);
  if (name === "moderation_request_channel_id") {
    if (!channel.invite_only)
      throw refusedParameter(name, `${name} must be a private channel: what is reported is not for everybody.`);
  } else if (!hasContentAccess(reader, viewer, channel))
    throw refusedParameter(name, `${name}: you cannot read this channel: insufficient permission.`);
}
