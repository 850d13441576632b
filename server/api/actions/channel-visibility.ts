import type { Transaction } from "../../storage/transaction.ts";
import { usersWhoCanSeeChannel } from "../access/channels.ts";
import { channelOnWire } from "../presenters/channels.ts";
import { subscriptionOnWire } from "../presenters/subscriptions.ts";
import { type Channel, channelById } from "../queries/channels.ts";
import { inheritedByUser, type Subscription, subscribersOf, subscriptionsIn } from "../queries/subscriptions.ts";

export interface VisibilityChange {
  gained: number[];
  lost: number[];
  unchanged: number[];
}

/** If more pairs of user and channel may be affected, visibility is not compared: the users' queues are reset. */
export const MAX_VISIBILITY_PAIRS = 20_000;

/** Who sees which channels before something changes: by channel id, ascending. */
export type ChannelVisibility = ReadonlyMap<number, readonly number[]>;

export const channelVisibility = (tx: Transaction, channels: readonly Channel[]): ChannelVisibility =>
  new Map(channels.map((channel) => [channel.id, usersWhoCanSeeChannel(tx, channel)]));

/** After a change, announces channels that users now see, or no longer see. */
export function announceVisibility(tx: Transaction, before: ChannelVisibility): void {
  for (const [id, users] of before) {
    const channel = channelById(tx, id);
    if (channel) announceVisibilityOf(tx, channel, users);
  }
}

/**
 * Announces a channel to users who see it now, and deletes it for those who no longer see it. `before`: users who saw
 * it, ascending.
 */
export function announceVisibilityOf(tx: Transaction, channel: Channel, before: readonly number[]): VisibilityChange {
  const after = usersWhoCanSeeChannel(tx, channel);
  const [was, is] = [new Set(before), new Set(after)];
  const gained = after.filter((id) => !was.has(id));
  const lost = before.filter((id) => !is.has(id));
  announceGone(tx, channel, lost);
  announceChannel(tx, channel, gained, aboutChannel(channel));
  return { gained, lost, unchanged: after.filter((id) => was.has(id)) };
}

/** Events about an archived channel are for clients that know such channels. */
export const aboutChannel = (channel: Channel): { archived_channels?: boolean } =>
  channel.is_archived ? { archived_channels: true } : {};

export function announceGone(
  tx: Transaction,
  channel: Channel,
  users: readonly number[],
  clients: { archived_channels?: boolean } = {},
): void {
  if (users.length === 0) return;
  const fields = { streams: [{ stream_id: channel.id }], stream_ids: [channel.id], ...clients };
  tx.emit({ type: "stream", op: "delete", ...fields }, { users });
}

/**
 * Announces an existing channel to users who did not see it. It comes without subscribers, as a new channel does; they
 * follow as peers. Former subscribers get their old settings with it, present ones their subscription.
 */
export function announceChannel(
  tx: Transaction,
  channel: Channel,
  users: readonly number[],
  clients: { archived_channels?: boolean },
): void {
  if (users.length === 0) return;
  const wire = { ...channelOnWire(tx, channel, tx.now), subscriber_count: 0 };
  const alike = new Map<string, { settings: Subscription; users: number[] }>();
  for (const [id, settings] of subscriptionsIn(tx, channel.id, users)) {
    const key = JSON.stringify(settings);
    const same = alike.get(key) ?? { settings, users: [] };
    alike.set(key, same);
    same.users.push(id);
  }
  const perUserOverrides = new Map<number, { streams: object[] }>();
  for (const { settings, users: former } of alike.values()) {
    if (settings.subscribed) continue;
    // Equal overrides are one object, which the log stores once.
    const difference = { streams: [{ ...wire, ...personalFields(settings) }] };
    for (const id of former) perUserOverrides.set(id, difference);
  }
  tx.emit({ type: "stream", op: "create", streams: [wire], ...clients }, { users, perUserOverrides });
  for (const { settings, users: current } of alike.values()) {
    if (!settings.subscribed) continue;
    const subscriptions = [subscriptionOnWire(tx, channel, settings, tx.now)];
    const inherited = inheritedByUser(tx, current);
    tx.emit({ type: "subscription", op: "add", subscriptions, inherited, ...clients }, { users: current });
  }
  const { ids, has } = subscribersOf(tx, channel.id);
  const others = users.filter((id) => !has.has(id));
  if (ids.length === 0 || others.length === 0) return;
  const peers = { stream_ids: [channel.id], user_ids: [...ids], ...clients };
  tx.emit({ type: "subscription", op: "peer_add", ...peers }, { users: others });
}

function personalFields({ channel_id: _, subscribed: _subscribed, ...settings }: Subscription) {
  return { ...settings, in_home_view: !settings.is_muted };
}
