import { ApiError, badRequest, problem, refusedParameter, unauthorizedPrincipal } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import {
  CHANNEL_GROUP_SETTING_NAMES,
  type Channel,
  type ChannelGroupSettings,
  channelByName,
  channelUse,
  MAX_CHANNEL_BYTES,
  MAX_CHANNEL_DESCRIPTION_LENGTH,
  MAX_CHANNEL_NAME_LENGTH,
  MAX_CHANNELS,
  type TopicsPolicy,
} from "../queries/channels.ts";
import { isPublicAccessOn } from "../queries/organization.ts";
import {
  CHANNEL_GROUP_SETTINGS,
  type ChannelGroupSettingName,
  type GroupSetting,
} from "../queries/permission-settings.ts";
import { subscribersOf } from "../queries/subscriptions.ts";
import { EMPTY_TOPIC_DISPLAY_NAME, hasNamedTopics } from "../queries/topics.ts";
import { systemGroupId } from "../queries/user-group-members.ts";
import { ROLES, type User } from "../queries/users.ts";
import { channelFolderToUse } from "./channel-folders.ts";
import { hasContentAccess } from "./channels.ts";
import { type GroupSettingUpdate, updatedGroupSetting, validGroupSetting } from "./group-settings.ts";
import { isBlank, UNPRINTABLE } from "./names.ts";
import { isAdministrator, isPermitted } from "./roles.ts";

export interface Privacy {
  invite_only: boolean;
  is_web_public: boolean;
  history_public_to_subscribers: boolean;
}

/** `before`: the current kind, or undefined for a new channel. */
function assertMayCreateKind(reader: Reader, viewer: User, kind: Privacy, before?: Privacy): void {
  if (kind.is_web_public) {
    if (kind.invite_only) throw badRequest("channel_private_and_public");
    if (before?.is_web_public) return;
    if (!isPublicAccessOn(reader)) throw badRequest("public_access_disabled");
    if (!isPermitted(reader, viewer, "can_create_web_public_channel_group"))
      throw badRequest("web_public_channels_not_permitted");
    return;
  }
  // Otherwise a viewer could change a public channel to a private one that they may not create, or the reverse.
  if (before?.invite_only === kind.invite_only || (before && isAdministrator(viewer))) return;
  const name = kind.invite_only ? "can_create_private_channel_group" : "can_create_public_channel_group";
  if (!isPermitted(reader, viewer, name))
    throw badRequest(`${before ? "make" : "create"}_${kind.invite_only ? "private" : "public"}_not_permitted`);
}

function assertMayBeDefault(viewer: User, kind: Privacy): void {
  if (!isAdministrator(viewer)) throw unauthorizedPrincipal("default_channels_administrators_only");
  if (kind.invite_only) throw badRequest("private_channel_as_default");
}

function assertMaySetRetention(viewer: User): void {
  if (viewer.role !== ROLES.owner) throw unauthorizedPrincipal("retention_owners_only");
}

function assertMaySetTopicsPolicy(reader: Reader, viewer: User): void {
  if (!isAdministrator(viewer) && !isPermitted(reader, viewer, "can_set_topics_policy_group"))
    throw badRequest("topics_policy_not_permitted");
}

const ABOUT_DELETING: readonly ChannelGroupSettingName[] = [
  "can_delete_any_message_group",
  "can_delete_own_message_group",
];

function assertMaySetDeletePolicy(reader: Reader, viewer: User): void {
  if (!isAdministrator(viewer) && !isPermitted(reader, viewer, "can_set_delete_message_policy_group"))
    throw badRequest("delete_policy_not_permitted");
}

/** Parameters of a new channel. */
export interface ChannelInput {
  invite_only: boolean;
  is_web_public: boolean;
  is_default: boolean;
  history_public_to_subscribers: boolean | undefined;
  message_retention_days: number | null;
  topics_policy: TopicsPolicy;
  folder_id: number | null;
  groups: Partial<ChannelGroupSettings>;
}

export type AllowedChannelInput = ChannelInput & Privacy;

/** See docs/protocol.md#creating-a-channel. */
export function allowedChannelInput(reader: Reader, viewer: User, input: ChannelInput): AllowedChannelInput {
  // Everyone who sees a public channel can read all of its history.
  const history = !input.invite_only || (input.history_public_to_subscribers ?? true);
  const kind = { ...input, history_public_to_subscribers: history };
  assertMayCreateKind(reader, viewer, kind);
  if (input.is_default) assertMayBeDefault(viewer, kind);
  if (input.message_retention_days !== null) assertMaySetRetention(viewer);
  if (input.topics_policy !== "inherit") assertMaySetTopicsPolicy(reader, viewer);
  if (input.folder_id !== null) channelFolderToUse(reader, input.folder_id);
  const groups: Partial<ChannelGroupSettings> = {};
  for (const [name, value] of Object.entries(input.groups) as [ChannelGroupSettingName, GroupSetting][]) {
    const valid = validGroupSetting(reader, name, CHANNEL_GROUP_SETTINGS[name], value);
    groups[name] = valid;
    if (ABOUT_DELETING.includes(name) && valid !== systemGroupId(reader, "role:nobody"))
      assertMaySetDeletePolicy(reader, viewer);
  }
  return { ...kind, groups };
}

/**
 * Throws if channels exceed a limit, alone or together. Call it after the change, or before it with the number of
 * `added` channels. Only the common limits apply to administrators. `parameter`: the parameter that adds to the total.
 */
export function assertChannelsFit(
  reader: Reader,
  viewer: User,
  { creatorId, parameter, added = 0 }: { creatorId: number | null; parameter: string; added?: number },
): void {
  const use = channelUse(reader, creatorId);
  const own = isAdministrator(viewer) ? { count: 0, bytes: 0 } : use.own;
  if (own.count + added > MAX_CHANNELS.own)
    throw refusedParameter(parameter, "too_many_own_channels", { count: MAX_CHANNELS.own });
  if (use.all.count + added > MAX_CHANNELS.all)
    throw refusedParameter(parameter, "too_many_channels", { count: MAX_CHANNELS.all });
  if (own.bytes > MAX_CHANNEL_BYTES.own || use.all.bytes > MAX_CHANNEL_BYTES.all)
    throw refusedParameter(parameter, "channels_too_large");
}

/** Undefined values do not change. */
interface ChannelPatch {
  name?: string | undefined;
  description?: string | undefined;
  invite_only?: boolean | undefined;
  is_web_public?: boolean | undefined;
  history_public_to_subscribers?: boolean | undefined;
  is_default?: boolean | undefined;
  message_retention_days?: number | null | undefined;
  topics_policy?: TopicsPolicy | undefined;
  folder_id?: number | null | undefined;
  is_archived?: boolean | undefined;
  groups: { [Name in ChannelGroupSettingName]?: GroupSettingUpdate | undefined };
}

export type ChannelChange = Partial<
  ChannelGroupSettings &
    Privacy &
    Pick<
      Channel,
      "name" | "description" | "is_default" | "message_retention_days" | "topics_policy" | "folder_id" | "is_archived"
    >
>;

/**
 * See docs/protocol.md#changing-a-channel. A viewer who administers a private channel but cannot read it cannot give
 * anyone access, including themselves.
 */
export function allowedChange(reader: Reader, viewer: User, channel: Channel, patch: ChannelPatch): ChannelChange {
  const change: ChannelChange = {};
  if (patch.is_archived === false) Object.assign(change, unarchived(reader, channel));
  if (patch.name !== undefined) change.name = freeName(reader, channel, patch.name);
  if (patch.description !== undefined) change.description = validChannelDescription(patch.description);
  const privacy = changedPrivacy(channel, patch);
  Object.assign(change, privacy);
  if (patch.is_default !== undefined) change.is_default = patch.is_default;
  if (patch.message_retention_days !== undefined) change.message_retention_days = patch.message_retention_days;
  if (patch.topics_policy !== undefined) change.topics_policy = patch.topics_policy;
  if (patch.folder_id !== undefined) change.folder_id = patch.folder_id;
  Object.assign(change, changedGroups(reader, channel, patch));
  for (const name of Object.keys(change) as (keyof ChannelChange)[])
    if (isSame(change[name], channel[name])) delete change[name];
  assertChangeAllowed(reader, viewer, channel, change);
  return change;
}

/** The parameter that makes the channel larger, if any: see `assertChannelsFit`. */
export const grownParameter = (channel: Channel, change: ChannelChange): string | undefined =>
  change.is_archived === false
    ? "is_archived"
    : (["description", ...CHANNEL_GROUP_SETTING_NAMES] as const).find(
        (name) => JSON.stringify(change[name] ?? "").length > JSON.stringify(channel[name]).length,
      );

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function assertChangeAllowed(reader: Reader, viewer: User, channel: Channel, change: ChannelChange): void {
  const after = { ...channel, ...change };
  const changes = (...names: (keyof ChannelChange)[]) => names.some((name) => name in change);
  const opens = changes(
    "invite_only",
    "is_web_public",
    "history_public_to_subscribers",
    "can_add_subscribers_group",
    "can_subscribe_group",
  );
  if (opens && !hasContentAccess(reader, viewer, channel)) throw badRequest("private_channel_access_required");
  if (changes("invite_only", "is_web_public", "history_public_to_subscribers"))
    assertMayCreateKind(reader, viewer, after, channel);
  if (!after.invite_only && !after.history_public_to_subscribers)
    throw refusedParameter("history_public_to_subscribers", "protected_history_private_only");
  if (change.is_default === false && !isAdministrator(viewer))
    throw unauthorizedPrincipal("default_channels_administrators_only");
  if (change.is_default) {
    assertMayBeDefault(viewer, after);
    if (after.is_archived) throw badRequest("archived_channel_as_default");
  }
  if (after.is_default && change.invite_only) throw badRequest("default_channel_private");
  if (changes("message_retention_days")) assertMaySetRetention(viewer);
  if (changes("topics_policy")) assertMaySetTopicsPolicy(reader, viewer);
  if (change.topics_policy === "empty_topic_only") {
    if (!hasContentAccess(reader, viewer, channel)) throw unreadTopics();
    if (hasNamedTopics(reader, channel.id)) throw namedTopicsExist();
  }
  if (change.folder_id !== undefined && change.folder_id !== null) channelFolderToUse(reader, change.folder_id);
  if (changes(...ABOUT_DELETING)) assertMaySetDeletePolicy(reader, viewer);
}

/** Without this check, the error would reveal whether the channel has topics. */
const unreadTopics = () => badRequest("empty_topic_only_unreadable");
const namedTopicsExist = () =>
  badRequest("named_topics_exist", {}, { empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME });

function unarchived(reader: Reader, channel: Channel): ChannelChange {
  if (!channel.is_archived) throw badRequest("channel_not_archived", { channel: channel.name });
  if (channel.invite_only && subscribersOf(reader, channel.id).ids.length === 0)
    throw badRequest("channel_without_subscribers");
  return { is_archived: false };
}

/** Names of archived and hidden channels are taken too. */
export const channelAlreadyExists = (name: string) =>
  new ApiError("CHANNEL_ALREADY_EXISTS", problem("channel_name_taken", { name }), {}, { status: 409 });

function freeName(reader: Reader, channel: Channel, requested: string): string {
  const name = validChannelName(requested);
  const existing = channelByName(reader, name);
  if (existing && existing.id !== channel.id) throw badRequest("channel_name_taken", { name });
  return name;
}

/**
 * A channel that becomes private is no longer web-public. It shows its complete history unless the patch says
 * otherwise.
 */
function changedPrivacy(channel: Channel, patch: ChannelPatch): Partial<Privacy> {
  const { history_public_to_subscribers: history } = patch;
  if (patch.invite_only === undefined && patch.is_web_public === undefined && history === undefined) return {};
  const invite_only = patch.invite_only ?? channel.invite_only;
  const is_web_public = patch.is_web_public ?? (channel.is_web_public && !invite_only);
  const inherited = invite_only && channel.invite_only ? channel.history_public_to_subscribers : true;
  return { invite_only, is_web_public, history_public_to_subscribers: history ?? inherited };
}

function changedGroups(reader: Reader, channel: Channel, patch: ChannelPatch): Partial<ChannelGroupSettings> {
  const groups: Partial<ChannelGroupSettings> = {};
  for (const [name, update] of Object.entries(patch.groups) as [ChannelGroupSettingName, GroupSettingUpdate?][]) {
    if (update) groups[name] = updatedGroupSetting(reader, name, CHANNEL_GROUP_SETTINGS[name], channel[name], update);
  }
  return groups;
}

export function validChannelName(name: string): string {
  const trimmed = name.trim().normalize("NFC");
  if (isBlank(trimmed)) throw badRequest("channel_name_required");
  if ([...trimmed].length > MAX_CHANNEL_NAME_LENGTH)
    throw badRequest("channel_name_too_long", { count: MAX_CHANNEL_NAME_LENGTH });
  if (UNPRINTABLE.test(trimmed)) throw badRequest("channel_name_control_characters");
  return trimmed;
}

/** Returns the description on one line. */
export function validChannelDescription(description: string): string {
  const line = description.replaceAll(/[\r\n]+/g, " ").trim();
  if ([...line].length > MAX_CHANNEL_DESCRIPTION_LENGTH)
    throw badRequest("channel_description_too_long", { count: MAX_CHANNEL_DESCRIPTION_LENGTH });
  return line;
}
