import type { State } from "../../api/state-shape.ts";
import type { Message } from "./feed-state.ts";
import { type Subscription, subscriptionTo } from "./selectors.ts";

// What is offered to somebody: the server decides, and says why it refuses. Where a part of the state is missing, it is
// offered, since a refusal is better than something that cannot be found.

/** A group, or people and groups: docs/protocol.md#group-settings. */
type GroupSetting =
  | number
  | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] };

/** Whether the reader is in a group, directly or through another one. */
export function isInGroup(state: State, setting: GroupSetting | undefined): boolean {
  if (setting === undefined) return true;
  const self = state.user_id ?? 0;
  if (typeof setting !== "number" && setting.direct_members.includes(self)) return true;
  const groups = new Map(state.realm_user_groups?.map((group) => [group.id, group]));
  const waiting = typeof setting === "number" ? [setting] : [...setting.direct_subgroups];
  const seen = new Set<number>();
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    if (groups.get(id)?.members.includes(self)) return true;
    waiting.push(...(groups.get(id)?.direct_subgroup_ids ?? []));
  }
  return false;
}

type ChannelPermission = "can_delete_any_message_group" | "can_delete_own_message_group" | "can_resolve_topics_group";

/** Whether the organization or the channel permits it. */
const isPermitted = (state: State, channel: Subscription | undefined, name: ChannelPermission): boolean =>
  isInGroup(state, state[`realm_${name}`]) || (channel !== undefined && isInGroup(state, channel[name]));

const administers = (state: State, channel: Subscription): boolean =>
  state.is_admin === true || (state.is_guest !== true && isInGroup(state, channel.can_administer_channel_group));

/** Whether a message is younger than a limit in seconds; null: there is no limit. `now`: milliseconds. */
const isYoung = ({ timestamp }: Message, seconds: number | null | undefined, now: number): boolean =>
  seconds == null || now < (timestamp + seconds) * 1000;

const channelOf = (state: State, { stream_id }: Message): Subscription | undefined =>
  stream_id === undefined ? undefined : subscriptionTo(state, stream_id);

/** `now`: milliseconds since the epoch, here and below. */
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

export const mayCreateChannels = (state: State): boolean =>
  isInGroup(state, state.realm_can_create_public_channel_group);
