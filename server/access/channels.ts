import { ApiError, badRequest } from "../errors.ts";
import {
  type Channel,
  type ChannelGroupSettings,
  channelById,
  channelByName,
  MAX_CHANNEL_DESCRIPTION_LENGTH,
  MAX_CHANNEL_NAME_LENGTH,
  type TopicsPolicy,
} from "../queries/channels.ts";
import { isPublicAccessOn, organizationSetting } from "../queries/organization.ts";
import { CHANNEL_GROUP_SETTINGS, type ChannelGroupSettingName } from "../queries/permission-settings.ts";
import { isSubscribed, subscribersAt, subscribersOf } from "../queries/subscriptions.ts";
import type { Reader } from "../storage/transaction.ts";
import { type GroupSetting, isInGroup, isPermitted, systemGroupId, systemGroupName } from "./user-groups.ts";
import { activeUserIds, ROLES, type User, userById } from "./users.ts";

const isAdministrator = (user: User) => user.role <= ROLES.administrator;
const isGuest = (user: User) => user.role === ROLES.guest;

/** Whether the viewer may change the channel's settings: organization administrators, and the channel's own. */
export const administers = (reader: Reader, viewer: User, channel: Channel) =>
  isAdministrator(viewer) || isInGroup(reader, viewer, channel.can_administer_channel_group);

/** Groups whose members may read a private channel without being subscribed to it; guests never. */
const mayJoin = (reader: Reader, viewer: User, channel: Channel) =>
  !isGuest(viewer) &&
  (isInGroup(reader, viewer, channel.can_subscribe_group) ||
    isInGroup(reader, viewer, channel.can_add_subscribers_group));

const seesUnsubscribed = (reader: Reader, viewer: User, channel: Channel): boolean =>
  !isGuest(viewer) &&
  (!channel.invite_only || administers(reader, viewer, channel) || mayJoin(reader, viewer, channel));

/** Whether the viewer may know of the channel: its name, settings and subscribers, not what is said in it. */
export const canSeeChannel = (reader: Reader, viewer: User, channel: Channel): boolean =>
  seesUnsubscribed(reader, viewer, channel) || isSubscribed(reader, viewer.id, channel.id);

const isProtected = (channel: Channel) => channel.invite_only && !channel.history_public_to_subscribers;

const readsUnsubscribed = (reader: Reader, viewer: User, channel: Channel): boolean =>
  !isGuest(viewer) && (!channel.invite_only || (!isProtected(channel) && mayJoin(reader, viewer, channel)));

/** Which of its messages the viewer may read: `received`, those sent while they were subscribed. */
export function readableHistory(reader: Reader, viewer: User, channel: Channel): "all" | "received" | "none" {
  if (isSubscribed(reader, viewer.id, channel.id)) return isProtected(channel) ? "received" : "all";
  return readsUnsubscribed(reader, viewer, channel) ? "all" : "none";
}

/**
 * Everyone active who may read a message of the channel that was sent to `sentChannelId`, ascending: the audience of
 * what happens to it.
 */
export function whoReadsInChannel(
  reader: Reader,
  channel: Channel,
  message: { id: number; sentChannelId: number },
): number[] {
  const { ids, has } = subscribersOf(reader, channel.id);
  if (isProtected(channel)) {
    const channelIds = [...new Set([message.sentChannelId, channel.id])];
    const received = new Set(channelIds.flatMap((id) => subscribersAt(reader, id, message.id)));
    return ids.filter((id) => received.has(id));
  }
  return activeUserIds(reader).filter((id) => {
    const user = userById(reader, id);
    return has.has(id) || (user !== undefined && readsUnsubscribed(reader, user, channel));
  });
}

/** Everyone active who may know of the channel, ascending: the audience of what happens to it. */
export function whoSeesChannel(reader: Reader, channel: Channel): number[] {
  const { has } = subscribersOf(reader, channel.id);
  return activeUserIds(reader).filter((id) => {
    const user = userById(reader, id);
    return has.has(id) || (user !== undefined && seesUnsubscribed(reader, user, channel));
  });
}

const noChannelNamed = (name: string) =>
  new ApiError("STREAM_DOES_NOT_EXIST", `There is no channel ${JSON.stringify(name)}.`, { stream: name });
const noChannelWithId = (id: number) =>
  new ApiError("STREAM_DOES_NOT_EXIST", `There is no channel with ID ${id}.`, { stream_id: id });

/** Whoever a bot belongs to: it may post wherever they may. */
function ownerOf(reader: Reader, bot: User): User | undefined {
  const owner = bot.is_bot && bot.bot_owner_id !== null ? userById(reader, bot.bot_owner_id) : undefined;
  return owner?.is_active ? owner : undefined;
}

/**
 * The channel named by `to`, if the sender may post in it. A private channel that the sender does not see is
 * answered like one that does not exist.
 */
export function channelToPostIn(reader: Reader, sender: User, to: string | number): Channel {
  const missing = typeof to === "number" ? () => noChannelWithId(to) : () => noChannelNamed(to);
  const channel = typeof to === "number" ? channelById(reader, to) : channelByName(reader, to);
  if (!channel) throw missing();
  const owner = ownerOf(reader, sender);
  const byOwner = owner !== undefined && isSubscribed(reader, owner.id, channel.id);
  if (!byOwner && !canSeeChannel(reader, sender, channel)) throw missing();
  if (channel.is_archived) throw badRequest(`The channel ${channel.name} is archived.`);
  if (!byOwner && readableHistory(reader, sender, channel) === "none") {
    throw badRequest(`Only subscribers may post in the channel ${channel.name}.`);
  }
  const allowed = channel.can_send_message_group;
  if (!isInGroup(reader, sender, allowed) && !(owner && isInGroup(reader, owner, allowed))) {
    throw badRequest(`You may not post in the channel ${channel.name}.`);
  }
  return channel;
}

/** The topic, if the channel's policy takes it. */
export function allowedTopic(reader: Reader, channel: Channel, topic: string): string {
  const policy =
    channel.topics_policy === "inherit" ? organizationSetting(reader, "topics_policy") : channel.topics_policy;
  if (policy === "disable_empty_topic" && topic === "") throw badRequest("This channel needs a topic.");
  if (policy === "empty_topic_only" && topic !== "") throw badRequest("This channel has only the empty topic.");
  return topic;
}

/** Whether the viewer may subscribe themself. */
export const maySubscribe = (reader: Reader, viewer: User, channel: Channel): boolean =>
  isSubscribed(reader, viewer.id, channel.id) ||
  (!isGuest(viewer) && (!channel.invite_only || mayJoin(reader, viewer, channel)));

/** Whether the viewer may subscribe others. */
export function maySubscribeOthers(reader: Reader, viewer: User, channel: Channel): boolean {
  if (isGuest(viewer) || !canSeeChannel(reader, viewer, channel)) return false;
  if (isInGroup(reader, viewer, channel.can_add_subscribers_group)) return true;
  if (channel.invite_only && !maySubscribe(reader, viewer, channel)) return false;
  return administers(reader, viewer, channel) || isPermitted(reader, viewer, "can_add_subscribers_group");
}

const groupExists = (reader: Reader, id: number) =>
  reader.value("SELECT 1 FROM user_groups WHERE id = ? AND deactivated = 0", id) !== undefined;

/** A group setting's value as it is kept: one group as its id, lists ascending without repeats; or an error. */
export function validGroupSetting(reader: Reader, name: ChannelGroupSettingName, value: GroupSetting): GroupSetting {
  const { forbidden } = CHANNEL_GROUP_SETTINGS[name];
  const ascending = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b);
  const people = typeof value === "number" ? [] : ascending(value.direct_members);
  const groups = typeof value === "number" ? [value] : ascending(value.direct_subgroups);
  for (const id of groups) {
    const system = systemGroupName(reader, id);
    if (!groupExists(reader, id)) throw badRequest(`${name}: invalid user group ID ${id}`);
    if (system && forbidden.includes(system)) throw badRequest(`${name} cannot be ${system}.`);
  }
  for (const id of people) if (!userById(reader, id)?.is_active) throw badRequest(`${name}: invalid user ID ${id}`);
  if (people.length === 0 && groups.length === 0) return systemGroupId(reader, "role:nobody");
  if (people.length === 0 && groups.length === 1) return groups[0] as number;
  return { direct_members: people, direct_subgroups: groups };
}

/** What a new channel is asked to be; `undefined`: not asked. */
export interface ChannelWishes {
  invite_only: boolean;
  is_web_public: boolean;
  is_default: boolean;
  history_public_to_subscribers: boolean | undefined;
  message_retention_days: number | null;
  topics_policy: TopicsPolicy;
  folder_id: number | null;
  groups: Partial<ChannelGroupSettings>;
}

/** Refuses what the viewer may not make of a new channel. Who may do what: contract, POST /users/me/subscriptions. */
export function allowedWishes(reader: Reader, viewer: User, wishes: ChannelWishes): ChannelWishes {
  const { invite_only, is_web_public, is_default } = wishes;
  const insufficient = (what: string) => badRequest(`${what}: insufficient permission.`);
  if (is_web_public) {
    if (invite_only) throw badRequest("A channel cannot be both private and open to everybody.");
    if (!isPublicAccessOn(reader)) throw badRequest("Access without an account is turned off.");
    if (!isPermitted(reader, viewer, "can_create_web_public_channel_group"))
      throw insufficient("You may not open channels to everybody");
  }
  if (
    !is_web_public &&
    !isPermitted(reader, viewer, invite_only ? "can_create_private_channel_group" : "can_create_public_channel_group")
  ) {
    throw insufficient(`You may not create ${invite_only ? "private" : "public"} channels`);
  }
  if (is_default && !isAdministrator(viewer)) throw insufficient("Only administrators may make default channels");
  if (is_default && invite_only) throw badRequest("A private channel cannot be a default channel.");
  if (wishes.message_retention_days !== null && viewer.role !== ROLES.owner) {
    throw insufficient("Only owners may set how long messages are kept");
  }
  if (
    wishes.topics_policy !== "inherit" &&
    !isAdministrator(viewer) &&
    !isPermitted(reader, viewer, "can_set_topics_policy_group")
  ) {
    throw insufficient("You may not set what topics a channel takes");
  }
  if (wishes.folder_id !== null) throw badRequest("Invalid channel folder ID");
  const groups: Partial<ChannelGroupSettings> = {};
  for (const [name, value] of Object.entries(wishes.groups) as [ChannelGroupSettingName, GroupSetting][]) {
    groups[name] = validGroupSetting(reader, name, value);
    const aboutDeleting = name === "can_delete_any_message_group" || name === "can_delete_own_message_group";
    if (!aboutDeleting || groups[name] === systemGroupId(reader, "role:nobody") || isAdministrator(viewer)) continue;
    if (!isPermitted(reader, viewer, "can_set_delete_message_policy_group"))
      throw insufficient("You may not set who deletes messages");
  }
  return { ...wishes, groups };
}

const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/** A channel's name as it is kept, or an error that says what is wrong with it. */
export function validChannelName(name: string): string {
  const trimmed = name.trim().normalize("NFC");
  if (trimmed === "") throw badRequest("A channel needs a name.");
  if ([...trimmed].length > MAX_CHANNEL_NAME_LENGTH)
    throw badRequest(`A channel's name has at most ${MAX_CHANNEL_NAME_LENGTH} characters.`);
  if (UNPRINTABLE.test(trimmed)) throw badRequest("A channel's name cannot contain control characters.");
  return trimmed;
}

/** On one line. */
export function validChannelDescription(description: string): string {
  const line = description.replaceAll(/[\r\n]+/g, " ").trim();
  if ([...line].length > MAX_CHANNEL_DESCRIPTION_LENGTH)
    throw badRequest(`A channel's description has at most ${MAX_CHANNEL_DESCRIPTION_LENGTH} characters.`);
  return line;
}
