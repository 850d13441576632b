import { ApiError, badRequest, problem, refusedParameter, shortened } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { type Channel, channelById, channelByName } from "../queries/channels.ts";
import { organizationSetting } from "../queries/organization.ts";
import { isSubscribed, subscribersAt, subscribersOf } from "../queries/subscriptions.ts";
import { isInGroup } from "../queries/user-group-members.ts";
import { activeUserIds, ROLES, type User, userById } from "../queries/users.ts";
import { isOpenToAll, isSpectator } from "./public-access.ts";
import { isAdministrator, isPermitted } from "./roles.ts";

const isGuest = (user: User) => user.role === ROLES.guest;

/** True for administrators of the organization or channel, but never for guests. */
export const administers = (reader: Reader, viewer: User, channel: Channel) =>
  isAdministrator(viewer) || (!isGuest(viewer) && isInGroup(reader, viewer, channel.can_administer_channel_group));

/** Whether the viewer can read a private channel without a subscription. Never true for guests. */
const mayJoin = (reader: Reader, viewer: User, channel: Channel) =>
  !isGuest(viewer) &&
  (isInGroup(reader, viewer, channel.can_subscribe_group) ||
    isInGroup(reader, viewer, channel.can_add_subscribers_group));

/**
 * Whether a web-public channel is open to this guest. Guests with an account can read it even if public access is off.
 */
const isOpenTo = (reader: Reader, viewer: User, channel: Channel): boolean =>
  isGuest(viewer) &&
  (isSpectator(viewer) ? isOpenToAll(reader, channel) : channel.is_web_public && !channel.is_archived);

/** Whether the viewer can see the channel without a subscription. */
export const seesUnsubscribed = (reader: Reader, viewer: User, channel: Channel): boolean =>
  isOpenTo(reader, viewer, channel) ||
  (!isGuest(viewer) &&
    (!channel.invite_only || administers(reader, viewer, channel) || mayJoin(reader, viewer, channel)));

/** Whether the viewer can see the channel's name, settings and subscribers, but not necessarily its messages. */
export const canSeeChannel = (reader: Reader, viewer: User, channel: Channel): boolean =>
  seesUnsubscribed(reader, viewer, channel) || isSubscribed(reader, viewer.id, channel.id);

/** Whether subscribers can read only messages sent during their subscription. */
export const isProtected = (channel: Channel) => channel.invite_only && !channel.history_public_to_subscribers;

const readsUnsubscribed = (reader: Reader, viewer: User, channel: Channel): boolean =>
  isOpenTo(reader, viewer, channel) ||
  (!isGuest(viewer) && (!channel.invite_only || (!isProtected(channel) && mayJoin(reader, viewer, channel))));

/** Which messages the viewer can read. `received`: only those sent during their subscription. */
export function readableHistory(reader: Reader, viewer: User, channel: Channel): "all" | "received" | "none" {
  if (isSubscribed(reader, viewer.id, channel.id)) return isProtected(channel) ? "received" : "all";
  return readsUnsubscribed(reader, viewer, channel) ? "all" : "none";
}

/** Whether the viewer can read new messages of the channel. */
export const hasContentAccess = (reader: Reader, viewer: User, channel: Channel): boolean =>
  isSubscribed(reader, viewer.id, channel.id) ||
  isOpenTo(reader, viewer, channel) ||
  (!isGuest(viewer) && (!channel.invite_only || mayJoin(reader, viewer, channel)));

/** Active users who can read a message that is in `channel` and was sent to `sentChannelId`, ascending. */
export function usersWhoCanReadChannel(
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

/** Active users who can see the channel, ascending: the audience of its events. */
export function usersWhoCanSeeChannel(reader: Reader, channel: Channel): number[] {
  const { has } = subscribersOf(reader, channel.id);
  return activeUserIds(reader).filter((id) => {
    const user = userById(reader, id);
    return has.has(id) || (user !== undefined && seesUnsubscribed(reader, user, channel));
  });
}

/** Hidden and missing channels get the same error. */
export const invalidChannel = (named: number | string) =>
  typeof named === "number"
    ? badRequest("channel_not_found")
    : badRequest("channel_name_not_found", { name: shortened(named) });

export function channelToSee(reader: Reader, viewer: User, named: number | string): Channel {
  const channel = typeof named === "number" ? channelById(reader, named) : channelByName(reader, named);
  if (!channel || !canSeeChannel(reader, viewer, channel)) throw invalidChannel(named);
  return channel;
}

export function channelToAdminister(reader: Reader, viewer: User, id: number): Channel {
  const channel = channelToSee(reader, viewer, id);
  if (!administers(reader, viewer, channel)) throw badRequest("channel_administrators_only");
  return channel;
}

export function channelToArchive(reader: Reader, viewer: User, id: number): Channel {
  const channel = channelToAdminister(reader, viewer, id);
  if (channel.is_archived) throw badRequest("channel_already_archived", { channel: channel.name });
  return channel;
}

/** A channel whose subscribers the viewer can list: it needs content access. */
export function channelWithMembers(reader: Reader, viewer: User, id: number): Channel {
  const channel = channelToSee(reader, viewer, id);
  if (!hasContentAccess(reader, viewer, channel)) throw invalidChannel(id);
  return channel;
}

/** The user who would send the mail: the viewer, or a bot of theirs. */
export function senderOfMail(reader: Reader, viewer: User, id: number): User {
  const user = userById(reader, id);
  const isOwn = user?.is_active && (user.id === viewer.id || (user.is_bot && user.bot_owner_id === viewer.id));
  if (!user || !isOwn) throw refusedParameter("sender_id", "invalid_sender_id", { id });
  return user;
}

const noChannelNamed = (name: string) =>
  new ApiError("STREAM_DOES_NOT_EXIST", problem("channel_name_not_found", { name: shortened(name) }), {
    stream: shortened(name),
  });
const noChannelWithId = (id: number) =>
  new ApiError("STREAM_DOES_NOT_EXIST", problem("channel_id_not_found", { id }), { stream_id: id });

/** A bot can post wherever its active owner can. */
function ownerOf(reader: Reader, bot: User): User | undefined {
  const owner = bot.is_bot && bot.bot_owner_id !== null ? userById(reader, bot.bot_owner_id) : undefined;
  return owner?.is_active ? owner : undefined;
}

/** The channel to post in. Hidden and missing channels get the same error. */
export function channelToPostIn(reader: Reader, sender: User, to: string | number): Channel {
  const missing = typeof to === "number" ? () => noChannelWithId(to) : () => noChannelNamed(to);
  const channel = typeof to === "number" ? channelById(reader, to) : channelByName(reader, to);
  if (!channel) throw missing();
  const owner = ownerOf(reader, sender);
  const byOwner = owner !== undefined && isSubscribed(reader, owner.id, channel.id);
  if (!byOwner && !canSeeChannel(reader, sender, channel)) throw missing();
  if (channel.is_archived) throw badRequest("channel_archived", { channel: channel.name });
  const reads = isGuest(sender)
    ? isSubscribed(reader, sender.id, channel.id)
    : readableHistory(reader, sender, channel) !== "none";
  if (!byOwner && !reads) {
    throw badRequest("channel_subscribers_only", { channel: channel.name });
  }
  const allowed = channel.can_send_message_group;
  if (!isInGroup(reader, sender, allowed) && !(owner && isInGroup(reader, owner, allowed))) {
    throw badRequest("channel_send_not_permitted", { channel: channel.name });
  }
  return channel;
}

/** The channel's own policy, or the organization's default. */
export const topicsPolicyOf = (reader: Reader, channel: Channel) =>
  channel.topics_policy === "inherit" ? organizationSetting(reader, "topics_policy") : channel.topics_policy;

export function allowedTopic(reader: Reader, channel: Channel, topic: string): string {
  const policy = topicsPolicyOf(reader, channel);
  if (policy === "disable_empty_topic" && topic === "") throw badRequest("channel_requires_topic");
  if (policy === "empty_topic_only" && topic !== "") throw badRequest("channel_without_topics");
  return topic;
}

export const maySubscribe = (reader: Reader, viewer: User, channel: Channel): boolean =>
  isSubscribed(reader, viewer.id, channel.id) ||
  (!isGuest(viewer) && (!channel.invite_only || mayJoin(reader, viewer, channel)));

export function maySubscribeOthers(reader: Reader, viewer: User, channel: Channel): boolean {
  if (isGuest(viewer) || !canSeeChannel(reader, viewer, channel)) return false;
  if (isInGroup(reader, viewer, channel.can_add_subscribers_group)) return true;
  if (channel.invite_only && !maySubscribe(reader, viewer, channel)) return false;
  return administers(reader, viewer, channel) || isPermitted(reader, viewer, "can_add_subscribers_group");
}
