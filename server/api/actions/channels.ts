import type { Reader, Transaction } from "../../storage/transaction.ts";
import { usersWhoCanSeeChannel } from "../access/channels.ts";
import { channelOnWire } from "../presenters/channels.ts";
import { EMAIL_ADDRESS, subscriptionOnWire } from "../presenters/subscriptions.ts";
import {
  CHANNEL_GROUP_SETTING_NAMES,
  type Channel,
  type ChannelGroupSettings,
  channelById,
  channelNameKey,
  defaultChannels,
  isRecentlyActive,
  type TopicsPolicy,
} from "../queries/channels.ts";
import { CHANNEL_GROUP_SETTINGS } from "../queries/permission-settings.ts";
import { inheritedByUser, type Subscription, subscribersOf, subscriptionsIn } from "../queries/subscriptions.ts";
import { systemGroupId } from "../queries/user-group-members.ts";
import { activeUserIds, ROLES, type User, userById } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";

export interface NewChannel {
  name: string;
  description: string;
  /** HTML. */
  rendered_description: string;
  invite_only: boolean;
  is_web_public: boolean;
  history_public_to_subscribers: boolean;
  message_retention_days: number | null;
  topics_policy: TopicsPolicy;
  folder_id?: number | null;
  is_default: boolean;
  /** Values that differ from the defaults (docs/protocol.md#group-settings). */
  groups: Partial<ChannelGroupSettings>;
}

function initialGroups(reader: Reader, creator: User | null): ChannelGroupSettings {
  const groups: Record<string, unknown> = {};
  for (const name of CHANNEL_GROUP_SETTING_NAMES) {
    const { initial } = CHANNEL_GROUP_SETTINGS[name];
    if (initial !== "stream_creator_or_nobody") groups[name] = systemGroupId(reader, initial);
    else if (creator) groups[name] = { direct_members: [creator.id], direct_subgroups: [] };
    else groups[name] = systemGroupId(reader, "role:nobody");
  }
  return groups as unknown as ChannelGroupSettings;
}

/** Does not subscribe anyone. The name must be free. A null creator is the server. */
export function createChannel(tx: Transaction, creator: User | null, input: NewChannel): Channel {
  const groups = { ...initialGroups(tx, creator), ...input.groups };
  const recipientId = tx.run("INSERT INTO recipients (conversation_key) VALUES (NULL)");
  const id = tx.run(
    `INSERT INTO channels (recipient_id, name, name_key, description, rendered_description, creator_id, created_at,
       invite_only, is_web_public, history_public_to_subscribers, message_retention_days, topics_policy, folder_id,
       is_default, ${CHANNEL_GROUP_SETTING_NAMES.join(", ")})
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${CHANNEL_GROUP_SETTING_NAMES.map(() => "?").join(", ")})`,
    recipientId,
    input.name,
    channelNameKey(input.name),
    input.description,
    input.rendered_description,
    creator?.id ?? null,
    tx.now,
    Number(input.invite_only),
    Number(input.is_web_public),
    Number(input.history_public_to_subscribers),
    input.message_retention_days,
    input.topics_policy,
    input.folder_id ?? null,
    Number(input.is_default),
    ...CHANNEL_GROUP_SETTING_NAMES.map((name) => JSON.stringify(groups[name])),
  );
  const channel = channelById(tx, id) as Channel;
  tx.emit(
    { type: "stream", op: "create", streams: [channelOnWire(tx, channel, tx.now)] },
    { users: usersWhoCanSeeChannel(tx, channel) },
  );
  if (channel.is_default) announceDefaultChannels(tx);
  const { name, invite_only, is_web_public, history_public_to_subscribers } = channel;
  const after = { name, invite_only, is_web_public, history_public_to_subscribers };
  recordAudit(tx, creator, { action: "create channel", target: `channel ${id}`, after });
  return channel;
}

/** Guests have no default channels. */
export function announceDefaultChannels(tx: Transaction): void {
  const users = activeUserIds(tx).filter((userId) => (userById(tx, userId)?.role ?? ROLES.guest) !== ROLES.guest);
  tx.emit({ type: "default_streams", default_streams: defaultChannels(tx).map(({ id }) => id) }, { users });
}

/** Announces channels without messages for half a year. */
export function announceInactiveChannels(tx: Transaction, channelIds: readonly number[]): void {
  for (const id of channelIds) {
    const channel = channelById(tx, id);
    if (!channel || isRecentlyActive(tx, channel, tx.now)) continue;
    const fields = {
      stream_id: id,
      name: channel.name,
      property: "is_recently_active",
      value: false,
      ...aboutChannel(channel),
    } as const;
    tx.emit({ type: "stream", op: "update", ...fields }, { users: usersWhoCanSeeChannel(tx, channel) });
  }
}

interface VisibilityChange {
  gained: number[];
  lost: number[];
  unchanged: number[];
}

/** Above this number of users times channels, visibility is not compared, and queues are reset. */
export const MAX_VISIBILITY_PAIRS = 20_000;

/** User IDs by channel ID, ascending. */
type ChannelVisibility = ReadonlyMap<number, readonly number[]>;

export const channelVisibility = (tx: Transaction, channels: readonly Channel[]): ChannelVisibility =>
  new Map(channels.map((channel) => [channel.id, usersWhoCanSeeChannel(tx, channel)]));

/** Call it after a change, with the visibility from before it. */
export function announceVisibility(tx: Transaction, before: ChannelVisibility): void {
  for (const [id, users] of before) {
    const channel = channelById(tx, id);
    if (channel) announceVisibilityOf(tx, channel, users, aboutChannel(channel));
  }
}

/**
 * Announces the channel to users who gained it, and its removal to users who lost it. `before`: users who could see it,
 * ascending. `knowing`: clients that could.
 */
export function announceVisibilityOf(
  tx: Transaction,
  channel: Channel,
  before: readonly number[],
  knowing: { archived_channels?: boolean },
): VisibilityChange {
  const after = usersWhoCanSeeChannel(tx, channel);
  const [was, is] = [new Set(before), new Set(after)];
  const gained = after.filter((id) => !was.has(id));
  const lost = before.filter((id) => !is.has(id));
  announceChannelRemoved(tx, channel, lost, knowing);
  announceChannel(tx, channel, gained, aboutChannel(channel));
  return { gained, lost, unchanged: after.filter((id) => was.has(id)) };
}

/** Only clients that support archived channels get events about them. */
export const aboutChannel = (channel: Channel): { archived_channels?: boolean } =>
  channel.is_archived ? { archived_channels: true } : {};

export function announceChannelRemoved(
  tx: Transaction,
  channel: Channel,
  users: readonly number[],
  clients: { archived_channels?: boolean },
): void {
  if (users.length === 0) return;
  const fields = { streams: [{ stream_id: channel.id }], stream_ids: [channel.id], ...clients };
  tx.emit({ type: "stream", op: "delete", ...fields }, { users });
}

/**
 * Announces an existing channel to users who could not see it before. The channel comes without subscribers, and peer
 * events add them. Former subscribers get their old settings, and current subscribers their subscription.
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
    // The log stores equal override objects once.
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
  return { ...settings, in_home_view: !settings.is_muted, ...EMAIL_ADDRESS };
}
