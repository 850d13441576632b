import { isSelfIn } from "../../api/settings-state.ts";
import type { Channel, State } from "../../api/state-shape.ts";
import { KINDS, type Kind } from "./channel-kinds.ts";
import type { DraftNarrow } from "./drafts.ts";
import type { Message } from "./feed-state.ts";
import { channelById, personById, type Subscription, subscriptionTo } from "./selectors.ts";

// These functions decide which actions the page offers; the server decides whether they are allowed. If a part of the
// state is missing, the page offers the action, because an error is better than a missing action.

type GroupSetting = Parameters<typeof isSelfIn>[1];

const isInGroup = (state: State, setting: GroupSetting | undefined): boolean =>
  setting === undefined || isSelfIn(state, setting);

type ChannelPermission = "can_delete_any_message_group" | "can_delete_own_message_group" | "can_resolve_topics_group";

const isPermitted = (state: State, channel: Subscription | undefined, name: ChannelPermission): boolean =>
  isInGroup(state, state[`realm_${name}`]) || (channel !== undefined && isInGroup(state, channel[name]));

export const administers = (state: State, channel: Channel): boolean =>
  state.is_admin === true || (state.is_guest !== true && isInGroup(state, channel.can_administer_channel_group));

/** `seconds` is null if there is no limit. */
const isYoung = ({ timestamp }: Message, seconds: number | null | undefined, now: number): boolean =>
  seconds == null || now < (timestamp + seconds) * 1000;

const channelOf = (state: State, { stream_id }: Message): Subscription | undefined =>
  stream_id === undefined ? undefined : subscriptionTo(state, stream_id);

/** `now` is in milliseconds since the epoch. */
export const mayEdit = (state: State, message: Message, now: number): boolean =>
  message.sender_id === state.user_id &&
  state.realm_allow_message_editing !== false &&
  isYoung(message, state.realm_message_content_edit_limit_seconds, now) &&
  message.submessages.length === 0;

export function mayDelete(state: State, message: Message, now: number): boolean {
  const channel = channelOf(state, message);
  if (isPermitted(state, channel, "can_delete_any_message_group")) return true;
  return (
    message.sender_id === state.user_id &&
    isPermitted(state, channel, "can_delete_own_message_group") &&
    isYoung(message, state.realm_message_content_delete_limit_seconds, now)
  );
}

/** To another topic or another channel. */
export function mayMove(state: State, channelId: number): boolean {
  const channel = subscriptionTo(state, channelId);
  return (
    isInGroup(state, state.realm_can_move_messages_between_topics_group) ||
    isInGroup(state, state.realm_can_move_messages_between_channels_group) ||
    (channel !== undefined &&
      (isInGroup(state, channel.can_move_messages_within_channel_group) ||
        isInGroup(state, channel.can_move_messages_out_of_channel_group) ||
        administers(state, channel)))
  );
}

export const mayResolve = (state: State, channelId: number): boolean =>
  isPermitted(state, subscriptionTo(state, channelId), "can_resolve_topics_group");

export const creatableKinds = (state: State): readonly Kind[] =>
  KINDS.filter((kind) => {
    if (kind === "web") return state.can_create_web_public_streams === true;
    return (kind === "public" ? state.can_create_public_streams : state.can_create_private_streams) !== false;
  });

export const mayCreateChannels = (state: State): boolean => creatableKinds(state).length > 0;

/** Whether the user can join a private channel. */
const isInvited = (state: State, channel: Channel): boolean =>
  isInGroup(state, channel.can_subscribe_group) || isInGroup(state, channel.can_add_subscribers_group);

/** Subscribers count too. Only people who can join see the subscribers. */
export const mayJoin = (state: State, channel: Channel): boolean =>
  subscriptionTo(state, channel.stream_id) !== undefined ||
  (state.is_guest !== true && (!channel.invite_only || isInvited(state, channel)));

/** Whether a message to a channel needs a topic, can have a topic, or has none. */
export function topicsIn(state: State, narrow: DraftNarrow): "needed" | "free" | "none" {
  const policy = narrow.kind === "direct" ? undefined : channelById(state, narrow.channelId)?.topics_policy;
  if (policy === "empty_topic_only") return "none";
  if (policy === "disable_empty_topic") return "needed";
  if (policy === "allow_empty_topic") return "free";
  return state.realm_mandatory_topics ? "needed" : "free";
}

/** Mentioning more subscribers needs a permission. */
export const MAX_MENTIONED = 15;

export const mayMentionEverybody = (state: State, channelId: number): boolean =>
  (channelById(state, channelId)?.subscriber_count ?? 0) <= MAX_MENTIONED ||
  isInGroup(state, state.realm_can_mention_many_users_group);

export type Closed = "gone" | "unknown" | "archived" | "readOnly" | "deactivated" | "noDirect";

/** Why the user cannot send messages to a conversation; undefined if the page knows no reason. */
export function closedBecause(state: State, narrow: DraftNarrow): Closed | undefined {
  if (narrow.kind !== "direct") {
    const channel = channelById(state, narrow.channelId);
    if (!channel) return "gone";
    if (channel.is_archived) return "archived";
    return isInGroup(state, channel.can_send_message_group) ? undefined : "readOnly";
  }
  if (narrow.userIds.some((id) => personById(state, id)?.is_active === false)) return "deactivated";
  if (state.realm_users && narrow.userIds.some((id) => id !== state.user_id && !personById(state, id)))
    return "unknown";
  // Everyone can send messages to themselves and to bots.
  if (narrow.userIds.every((id) => id === state.user_id || personById(state, id)?.is_bot)) return undefined;
  return isDirectClosed(state) ? "noDirect" : undefined;
}

/** Who can post in a channel: a role, or groups and people; undefined for a role together with others. */
export function whoPosts(state: State, narrow: DraftNarrow): { role: string } | { names: string[] } | undefined {
  const setting = narrow.kind === "direct" ? undefined : channelById(state, narrow.channelId)?.can_send_message_group;
  if (setting === undefined) return undefined;
  const { direct_subgroups, direct_members } =
    typeof setting === "number" ? { direct_subgroups: [setting], direct_members: [] } : setting;
  const groups = direct_subgroups.flatMap((id) => state.realm_user_groups?.find((group) => group.id === id) ?? []);
  const people = direct_members.flatMap((id) => personById(state, id) ?? []).filter(({ is_active }) => is_active);
  const role = groups.find(({ is_system_group }) => is_system_group)?.name;
  if (role) return groups.length + people.length === 1 ? { role } : undefined;
  const names = [...groups.map(({ name }) => name), ...people.map(({ full_name }) => full_name)];
  return names.length > 0 ? { names } : undefined;
}

/** Either the sender or a recipient needs the permission, and the page does not know every group of the recipients. */
const isDirectClosed = (state: State): boolean =>
  state.realm_user_groups?.find(({ id }) => id === state.realm_direct_message_permission_group)?.name === "role:nobody";

export const mayStartDirect = (state: State): boolean =>
  !isDirectClosed(state) && isInGroup(state, state.realm_direct_message_initiator_group);

export function mayAddSubscribers(state: State, channel: Channel): boolean {
  if (state.is_guest === true) return false;
  if (isInGroup(state, channel.can_add_subscribers_group)) return true;
  if (!mayJoin(state, channel)) return false;
  return administers(state, channel) || state.can_subscribe_other_users === true;
}

export const mayRemoveSubscribers = (state: State, channel: Channel): boolean =>
  administers(state, channel) || isInGroup(state, channel.can_remove_subscribers_group);
