import type { Transaction } from "../../storage/transaction.ts";
import { usersWhoCanSeeChannel } from "../access/channels.ts";
import { type Channel, channelById } from "../queries/channels.ts";
import { idsInChannel } from "../queries/message-index.ts";
import { ReadState } from "../queries/read-state.ts";
import {
  type PersonalSettings,
  type SubscriptionProperty,
  subscribersOf,
  subscriptionParts,
  subscriptionsIn,
  usedColors,
} from "../queries/subscriptions.ts";
import { type User, userById } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { archiveChannel } from "./channel-settings.ts";
import { aboutChannel } from "./channels.ts";
import { addTo } from "./grouping.ts";
import { announceRead, writeDifferencesOfMany } from "./message-flags.ts";
import { watchReminders } from "./reminders.ts";
import {
  announceNewlySeen,
  announceNoLongerVisible,
  announcePeersJoined,
  announcePeersLeft,
  announceRemoved,
  announceSubscriptions,
} from "./subscription-events.ts";
import { watchPeople } from "./user-visibility.ts";

/** New subscriptions get the first color that the user's other channels do not use. */
const COLORS = [
  "#3b82c4",
  "#c2572b",
  "#4a9d5b",
  "#a855a0",
  "#b8901f",
  "#2a9d98",
  "#d1495b",
  "#6a6fd8",
  "#7b8c2a",
  "#b05f86",
  "#4f8ba8",
  "#93643e",
  "#5f9e3a",
  "#8a6bbf",
  "#c77b30",
  "#3f7f72",
] as const;

const UNCHANGED = {
  is_muted: false,
  pin_to_top: false,
  desktop_notifications: null,
  audible_notifications: null,
  push_notifications: null,
  email_notifications: null,
  wildcard_mentions_notify: null,
};

export const newColor = (used: ReadonlySet<string>, channelId: number): string =>
  COLORS.find((color) => !used.has(color)) ?? (COLORS[channelId % COLORS.length] as string);

export interface Subscribed {
  /** By user ID: new subscriptions. */
  subscribed: Map<number, Channel[]>;
  already: Map<number, Channel[]>;
}

/** The next message gets a higher ID. */
const lastMessageId = (tx: Transaction): number =>
  tx.value<number>("SELECT seq FROM sqlite_sequence WHERE name = 'messages'") ?? 0;

/** Users who may be affected by the change. */
const membersWith = (tx: Transaction, channels: readonly Channel[], users: readonly User[]): ReadonlySet<number> =>
  new Set([...users.map(({ id }) => id), ...channels.flatMap(({ id }) => subscribersOf(tx, id).ids)]);

/** The audit does not name the actor and their bots. */
const othersThan = (tx: Transaction, actor: User | null | undefined, users: readonly number[]): number[] =>
  actor ? users.filter((id) => id !== actor.id && userById(tx, id)?.bot_owner_id !== actor.id) : [];

/**
 * Subscribes active users. Returning users keep their old settings. Events come in this order: the channel for users
 * who could not see it, the subscriptions for the new subscribers, and the new subscribers for everyone else. `colors`:
 * requested colors by channel ID. The caller splits long lists into slices.
 */
export function subscribe(
  tx: Transaction,
  {
    users,
    channels,
    colors,
    actor,
  }: {
    users: readonly User[];
    channels: readonly Channel[];
    colors?: ReadonlyMap<number, string>;
    /** Undefined or null if no one in particular subscribes them. */
    actor?: User | null;
  },
): Subscribed {
  const done: Subscribed = { subscribed: new Map(), already: new Map() };
  // Must come first, because a subscription makes the channel visible.
  const announcePeople = watchPeople(tx, { among: () => membersWith(tx, channels, users) });
  const seeing = new Map(channels.map((channel) => [channel.id, new Set(usersWhoCanSeeChannel(tx, channel))]));
  const ids = [...new Set(users.map(({ id }) => id))].sort((a, b) => a - b);
  const announceReminders = watchReminders(tx, { channels: channels.map(({ id }) => id), users: ids });
  const joined: [Channel, Map<number, PersonalSettings>][] = [];
  const colorsOf = new Map<number, Set<string>>();
  const first = lastMessageId(tx) + 1;
  for (const channel of channels) {
    const existing = subscriptionsIn(tx, channel.id, ids);
    for (const id of ids) addTo(existing.get(id)?.subscribed ? done.already : done.subscribed, id, channel);
    const joining = ids.filter((id) => !existing.get(id)?.subscribed);
    if (joining.length === 0) continue;
    const settings = settingsOfNew(tx, channel, { ids: joining, existing, color: colors?.get(channel.id), colorsOf });
    writeSubscribed(tx, channel.id, { existing, settings, first });
    const others = othersThan(tx, actor, [...settings.keys()]);
    if (actor && others.length > 0)
      recordAudit(tx, actor, { action: "subscribe users", target: `channel ${channel.id}`, after: others });
    joined.push([channel, settings]);
  }
  announcePeople();
  announceNewlySeen(
    tx,
    joined.map(([channel, settings]) => [
      channel,
      [...settings.keys()].filter((id) => !seeing.get(channel.id)?.has(id)),
    ]),
  );
  announceSubscriptions(tx, joined);
  announcePeersJoined(
    tx,
    joined.map(([channel, settings]) => [channel, [...settings.keys()]]),
  );
  announceReminders();
  return done;
}

/** Returns old or new settings by user ID. `colorsOf`: used colors by user ID. */
function settingsOfNew(
  tx: Transaction,
  channel: Channel,
  {
    ids,
    existing,
    color,
    colorsOf,
  }: {
    ids: readonly number[];
    existing: ReadonlyMap<number, PersonalSettings>;
    color: string | undefined;
    colorsOf: Map<number, Set<string>>;
  },
): Map<number, PersonalSettings> {
  const settings = new Map<number, PersonalSettings>();
  for (const id of ids) {
    const before = existing.get(id);
    if (before) {
      settings.set(id, before);
      continue;
    }
    const used = colorsOf.get(id) ?? usedColors(tx, id);
    const own = color ?? newColor(used, channel.id);
    colorsOf.set(id, used.add(own));
    settings.set(id, { ...UNCHANGED, color: own });
  }
  return settings;
}

/** Uses one statement for all equal rows, so that the log stores only a list of IDs. */
function writeSubscribed(
  tx: Transaction,
  channelId: number,
  {
    existing,
    settings,
    first,
  }: {
    existing: ReadonlyMap<number, unknown>;
    settings: ReadonlyMap<number, PersonalSettings>;
    first: number;
  },
): void {
  const everyone = [...settings.keys()];
  const returning = everyone.filter((id) => existing.has(id));
  const newByColor = new Map<string, number[]>();
  for (const [id, { color }] of settings) if (!existing.has(id)) addTo(newByColor, color, id);
  if (returning.length > 0) {
    tx.runOn(
      subscriptionParts(returning, channelId),
      "UPDATE subscriptions SET subscribed = 1 WHERE channel_id = ? AND user_id IN (SELECT value FROM json_each(?))",
      channelId,
      JSON.stringify(returning),
    );
  }
  for (const [color, ids] of newByColor) {
    tx.runOn(
      subscriptionParts(ids, channelId),
      `INSERT INTO subscriptions (user_id, channel_id, subscribed, color)
       SELECT value, ?, 1, ? FROM json_each(?) ORDER BY value`,
      channelId,
      color,
      JSON.stringify(ids),
    );
  }
  tx.runOn(
    subscriptionParts(everyone),
    `INSERT INTO subscription_periods (user_id, channel_id, first_message_id)
     SELECT value, ?, ? FROM json_each(?) ORDER BY value`,
    channelId,
    first,
    JSON.stringify(everyone),
  );
}

export interface Unsubscribed {
  /** By user ID: ended subscriptions. */
  removed: Map<number, Channel[]>;
  notRemoved: Map<number, Channel[]>;
}

/**
 * Unsubscribes users, including deactivated ones. Keeps their settings and marks the channel's messages as read.
 * Deletes the channel for users who can no longer see it. Archives a private channel without subscribers, unless the
 * server itself (null) unsubscribes them.
 */
export function unsubscribe(
  tx: Transaction,
  actor: User | null,
  { users, channels }: { users: readonly User[]; channels: readonly Channel[] },
): Unsubscribed {
  const done: Unsubscribed = { removed: new Map(), notRemoved: new Map() };
  const ids = [...new Set(users.map(({ id }) => id))].sort((a, b) => a - b);
  const left: [Channel, number[]][] = [];
  const last = lastMessageId(tx);
  for (const channel of channels) {
    const existing = subscriptionsIn(tx, channel.id, ids);
    const leaving = ids.filter((id) => existing.get(id)?.subscribed);
    for (const id of ids) addTo(existing.get(id)?.subscribed ? done.removed : done.notRemoved, id, channel);
    if (leaving.length > 0) left.push([channel, leaving]);
  }
  markChannelsRead(tx, done.removed);
  const announceReminders = watchReminders(tx, { channels: left.map(([{ id }]) => id), users: ids });
  const announcePeople = watchPeople(tx, { among: () => membersWith(tx, channels, users) });
  for (const [channel, leaving] of left) {
    writeUnsubscribed(tx, channel.id, leaving, last);
    const others = othersThan(tx, actor, leaving);
    if (others.length > 0)
      recordAudit(tx, actor, { action: "unsubscribe users", target: `channel ${channel.id}`, before: others });
  }
  announceRemoved(tx, done.removed);
  announcePeersLeft(tx, left);
  announceNoLongerVisible(tx, left);
  announceReminders();
  announcePeople();
  if (actor) for (const [channel] of left) archiveIfEmpty(tx, actor, channel);
  return done;
}

/** No one can use a private channel without subscribers. */
function archiveIfEmpty(tx: Transaction, actor: User, { id }: Channel): void {
  const channel = channelById(tx, id);
  if (!channel?.invite_only || channel.is_archived || subscribersOf(tx, id).ids.length > 0) return;
  archiveChannel(tx, actor, channel);
}

function writeUnsubscribed(tx: Transaction, channelId: number, leaving: readonly number[], last: number): void {
  const ids = JSON.stringify(leaving);
  tx.runOn(
    subscriptionParts(leaving, channelId),
    "UPDATE subscriptions SET subscribed = 0 WHERE channel_id = ? AND user_id IN (SELECT value FROM json_each(?))",
    channelId,
    ids,
  );
  // Deletes a period without messages, because its row would conflict with the next period.
  tx.runOn(
    subscriptionParts(leaving),
    `DELETE FROM subscription_periods WHERE channel_id = ? AND user_id IN (SELECT value FROM json_each(?))
       AND last_message_id IS NULL AND first_message_id > ?`,
    channelId,
    ids,
    last,
  );
  tx.runOn(
    subscriptionParts(leaving),
    `UPDATE subscription_periods SET last_message_id = ?
     WHERE channel_id = ? AND user_id IN (SELECT value FROM json_each(?)) AND last_message_id IS NULL`,
    last,
    channelId,
    ids,
  );
}

/** Only subscribers have unread messages. `leaving`: channels by user ID. */
function markChannelsRead(tx: Transaction, leaving: ReadonlyMap<number, readonly Channel[]>): void {
  const ids = new Set([...leaving.values()].flatMap((channels) => channels.map(({ id }) => id)));
  const firsts = new Map<number, number>();
  for (const id of ids) {
    const first = channelById(tx, id)?.first_message_id;
    if (typeof first === "number") firsts.set(id, first);
  }
  if (firsts.size === 0) return;
  const messages = new Map([...firsts].map(([id, first]) => [id, idsInChannel(tx, id, first)]));
  const lists = new Map<number, number[]>();
  const alike = new Map<string, { users: number[]; messages: number[] }>();
  for (const [userId, channels] of leaving) {
    const state = new ReadState(tx, userId);
    const unread = channels.flatMap(({ id }) => state.unreadAmong(messages.get(id) ?? [])).sort((a, b) => a - b);
    if (unread.length === 0) continue;
    lists.set(userId, unread);
    const key = unread.join();
    const same = alike.get(key);
    if (same) same.users.push(userId);
    else alike.set(key, { users: [userId], messages: unread });
  }
  writeDifferencesOfMany(tx, lists);
  for (const { users, messages: unread } of alike.values()) announceRead(tx, users, unread);
}

const WHERE = "WHERE user_id = ? AND channel_id = ?";
const UPDATES: Record<keyof PersonalSettings, string> = {
  color: `UPDATE subscriptions SET color = ? ${WHERE}`,
  is_muted: `UPDATE subscriptions SET is_muted = ? ${WHERE}`,
  pin_to_top: `UPDATE subscriptions SET pin_to_top = ? ${WHERE}`,
  desktop_notifications: `UPDATE subscriptions SET desktop_notifications = ? ${WHERE}`,
  audible_notifications: `UPDATE subscriptions SET audible_notifications = ? ${WHERE}`,
  push_notifications: `UPDATE subscriptions SET push_notifications = ? ${WHERE}`,
  email_notifications: `UPDATE subscriptions SET email_notifications = ? ${WHERE}`,
  wildcard_mentions_notify: `UPDATE subscriptions SET wildcard_mentions_notify = ? ${WHERE}`,
};

interface SubscriptionChange {
  channel: Channel;
  property: SubscriptionProperty;
  /** A string for `color`, otherwise a boolean. */
  value: boolean | string;
}

/** Muting sends two events, with the current name and the legacy name. */
export function changeSubscription(
  tx: Transaction,
  user: User,
  { channel, property, value }: SubscriptionChange,
): void {
  const inverse = property === "in_home_view";
  const name = inverse ? "is_muted" : property;
  const stored = inverse ? !value : value;
  tx.runOn(
    subscriptionParts([user.id]),
    UPDATES[name],
    typeof stored === "boolean" ? Number(stored) : stored,
    user.id,
    channel.id,
  );
  const fields = { type: "subscription", op: "update", stream_id: channel.id, ...aboutChannel(channel) } as const;
  const audience = { users: [user.id] };
  if (name === "is_muted") tx.emit({ ...fields, property: "in_home_view", value: !stored }, audience);
  tx.emit({ ...fields, property: name, value: stored }, audience);
}
