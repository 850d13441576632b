import { ApiError, badRequest, problem, shortened } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { isSystemBot } from "../queries/bots.ts";
import { type Channel, channelById, channelByName } from "../queries/channels.ts";
import { isSubscribed, subscriptionsOf } from "../queries/subscriptions.ts";
import { isInGroup } from "../queries/user-group-members.ts";
import { type User, userById } from "../queries/users.ts";
import { administers, canSeeChannel, invalidChannel, maySubscribe, maySubscribeOthers } from "./channels.ts";
import { canSeeUser, userNamed } from "./people.ts";

/** Active users by ID or email address. Defaults to the viewer. */
export function principals(reader: Reader, viewer: User, names: readonly (string | number)[] | undefined): User[] {
  if (!names || names.length === 0) return [viewer];
  const users = new Map<number, User>();
  for (const name of new Set(names)) {
    const user = userNamed(reader, viewer, name);
    // Deactivated, missing and hidden users get the same error.
    if (!user?.is_active || isSystemBot(user) || !canSeeUser(reader, viewer, user))
      throw typeof name === "number"
        ? badRequest("invalid_user_id", { id: name })
        : badRequest("user_email_not_found", { email: shortened(name) });
    users.set(user.id, user);
  }
  return [...users.values()];
}

/** True for the viewer and for their bots. */
export const actsFor = (viewer: User, user: User): boolean =>
  user.id === viewer.id || (user.is_bot && user.bot_owner_id === viewer.id);

export function maySubscribeAll(reader: Reader, viewer: User, users: readonly User[], channel: Channel): boolean {
  const others = users.some((user) => !actsFor(viewer, user));
  return (!others && maySubscribe(reader, viewer, channel)) || maySubscribeOthers(reader, viewer, channel);
}

const mayRemoveOthers = (reader: Reader, viewer: User, channel: Channel): boolean =>
  administers(reader, viewer, channel) || isInGroup(reader, viewer, channel.can_remove_subscribers_group);

export function assertMayRemove(reader: Reader, viewer: User, users: readonly User[], channel: Channel): void {
  if (users.every((user) => actsFor(viewer, user)) || mayRemoveOthers(reader, viewer, channel)) return;
  throw badRequest("unsubscribe_not_allowed", { channel: channel.name });
}

export function channelsToLeave(
  reader: Reader,
  viewer: User,
  users: readonly User[],
  names: readonly string[],
): Channel[] {
  const channels = new Map<number, Channel>();
  for (const name of names) {
    const channel = channelByName(reader, name.trim());
    if (!channel || !canSeeChannel(reader, viewer, channel))
      throw new ApiError("STREAM_DOES_NOT_EXIST", problem("channel_name_not_found", { name: shortened(name) }), {
        stream: shortened(name),
      });
    channels.set(channel.id, channel);
  }
  for (const channel of channels.values()) assertMayRemove(reader, viewer, users, channel);
  return [...channels.values()];
}

/** A channel that the viewer is subscribed to, archived or not. All others get the same error. */
export function ownChannel(reader: Reader, viewer: User, id: number): Channel {
  const channel = channelById(reader, id);
  if (!channel || !isSubscribed(reader, viewer.id, id)) throw badRequest("not_subscribed", { id });
  return channel;
}

/** IDs of a user's channels that the viewer can see, without archived ones. */
export const channelsOfUser = (reader: Reader, viewer: User, { id }: User): number[] =>
  [...subscriptionsOf(reader, id).values()]
    .filter(({ subscribed, channel_id }) => {
      const channel = subscribed ? channelById(reader, channel_id) : undefined;
      return channel !== undefined && !channel.is_archived && canSeeChannel(reader, viewer, channel);
    })
    .map(({ channel_id }) => channel_id);

export function subscriptionToSee(
  reader: Reader,
  viewer: User,
  { userId, channelId }: { userId: number; channelId: number },
): { user: User; channel: Channel } {
  const user = userById(reader, userId);
  if (!user || !canSeeUser(reader, viewer, user)) throw badRequest("user_id_not_found", { id: userId });
  const channel = channelById(reader, channelId);
  if (!channel || !canSeeChannel(reader, viewer, channel)) throw invalidChannel(channelId);
  return { user, channel };
}
