import { canSeeChannel, whoSeesChannel } from "../access/channels.ts";
import { type User, userById } from "../access/users.ts";
import { type Channel, wireChannel } from "../queries/channels.ts";
import { ReadState } from "../queries/read-state.ts";
import {
  type PersonalSettings,
  type Subscription,
  subscriptionsOf,
  wireSubscription,
} from "../queries/subscriptions.ts";
import type { Transaction } from "../storage/transaction.ts";
import { markRead } from "./message-flags.ts";

/** What a new subscription's color is taken from: the first that none of the person's other channels has. */
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

function newColor(taken: Iterable<Subscription>): string {
  const used = new Set([...taken].map(({ color }) => color));
  return COLORS.find((color) => !used.has(color)) ?? (COLORS[used.size % COLORS.length] as string);
}

export interface Subscribed {
  /** By user id: channels that the user was not subscribed to before. */
  subscribed: Map<number, Channel[]>;
  already: Map<number, Channel[]>;
}

/** The id that the next message gets is above this one. */
const lastMessageId = (tx: Transaction): number =>
  tx.value<number>("SELECT seq FROM sqlite_sequence WHERE name = 'messages'") ?? 0;

/**
 * Subscribes active users to channels. Whoever could not see a channel is told of it first; then come the new
 * subscriptions, whole; then everybody else who sees the channels learns who joined. `colors`: by channel id, what
 * the actor asked for.
 */
export function subscribe(
  tx: Transaction,
  {
    users,
    channels,
    colors,
  }: { users: readonly User[]; channels: readonly Channel[]; colors?: ReadonlyMap<number, string> },
): Subscribed {
  const done: Subscribed = { subscribed: new Map(), already: new Map() };
  // Before any of them is subscribed, since being subscribed shows the channel.
  const blind = new Map(
    channels.map((channel) => [channel.id, users.filter((user) => !canSeeChannel(tx, user, channel))]),
  );
  const personal = new Map<number, Map<number, PersonalSettings>>();
  const first = lastMessageId(tx) + 1;
  // Read once: each new row makes the next reading read all again.
  const owned = new Map(users.map((user) => [user.id, new Map(subscriptionsOf(tx, user.id))]));
  for (const channel of channels) {
    for (const user of users) {
      const own = owned.get(user.id) as Map<number, Subscription>;
      const before = own.get(channel.id);
      const list = before?.subscribed ? done.already : done.subscribed;
      list.set(user.id, [...(list.get(user.id) ?? []), channel]);
      if (before?.subscribed) continue;
      const settings = before ?? { ...UNCHANGED, color: colors?.get(channel.id) ?? newColor(own.values()) };
      if (before) {
        tx.run("UPDATE subscriptions SET subscribed = 1 WHERE user_id = ? AND channel_id = ?", user.id, channel.id);
      } else {
        tx.run(
          "INSERT INTO subscriptions (user_id, channel_id, subscribed, color) VALUES (?, ?, 1, ?)",
          user.id,
          channel.id,
          settings.color,
        );
      }
      tx.run(
        "INSERT INTO subscription_periods (user_id, channel_id, first_message_id) VALUES (?, ?, ?)",
        user.id,
        channel.id,
        first,
      );
      own.set(channel.id, { ...settings, channel_id: channel.id, subscribed: true });
      const settingsOf = personal.get(channel.id) ?? new Map<number, PersonalSettings>();
      personal.set(channel.id, settingsOf.set(user.id, settings));
    }
  }
  announceNewlySeen(tx, channels, blind);
  announceSubscriptions(tx, done.subscribed, personal);
  announcePeers(
    tx,
    "peer_add",
    channels.map((channel) => [channel, [...(personal.get(channel.id)?.keys() ?? [])]]),
  );
  return done;
}

function announceNewlySeen(tx: Transaction, channels: readonly Channel[], blind: ReadonlyMap<number, User[]>): void {
  for (const channel of channels) {
    const users = (blind.get(channel.id) ?? []).map(({ id }) => id).sort((a, b) => a - b);
    if (users.length > 0)
      tx.emit({ type: "stream", op: "create", streams: [wireChannel(tx, channel, tx.now)] }, { users });
  }
}

/** One event for all whose new subscriptions look the same, so that a thousand people need few. */
function announceSubscriptions(
  tx: Transaction,
  subscribed: ReadonlyMap<number, Channel[]>,
  personal: ReadonlyMap<number, ReadonlyMap<number, PersonalSettings>>,
): void {
  const alike = new Map<string, { settings: [Channel, PersonalSettings][]; users: number[] }>();
  for (const [userId, channels] of subscribed) {
    const settings = channels.map((channel): [Channel, PersonalSettings] => [
      channel,
      personal.get(channel.id)?.get(userId) as PersonalSettings,
    ]);
    const key = JSON.stringify(settings.map(([{ id }, { color, ...rest }]) => [id, color, rest]));
    const known = alike.get(key);
    if (known) known.users.push(userId);
    else alike.set(key, { settings, users: [userId] });
  }
  for (const { settings, users } of alike.values()) {
    const subscriptions = settings.map(([channel, own]) => wireSubscription(tx, channel, own, tx.now));
    tx.emit({ type: "subscription", op: "add", subscriptions }, { users: users.sort((a, b) => a - b) });
  }
}

/** To all who see a channel but the users themselves; channels with the same users and audience share an event. */
function announcePeers(tx: Transaction, op: "peer_add" | "peer_remove", changes: readonly [Channel, number[]][]): void {
  const batches = new Map<string, { stream_ids: number[]; user_ids: number[]; users: number[] }>();
  for (const [channel, changed] of changes) {
    if (changed.length === 0) continue;
    const themselves = new Set(changed);
    const users = whoSeesChannel(tx, channel).filter((id) => !themselves.has(id));
    if (users.length === 0) continue;
    const user_ids = changed.sort((a, b) => a - b);
    const key = `${user_ids.join()} ${users.join()}`;
    const known = batches.get(key);
    if (known) known.stream_ids.push(channel.id);
    else batches.set(key, { stream_ids: [channel.id], user_ids, users });
  }
  for (const { users, ...fields } of batches.values()) tx.emit({ type: "subscription", op, ...fields }, { users });
}

export interface Unsubscribed {
  /** By user id: channels that the user left. */
  removed: Map<number, Channel[]>;
  notRemoved: Map<number, Channel[]>;
}

/**
 * Unsubscribes users, deactivated ones too. What they have not read there counts as read; who does not see the
 * channel any more is told that it is gone.
 */
export function unsubscribe(
  tx: Transaction,
  { users, channels }: { users: readonly User[]; channels: readonly Channel[] },
): Unsubscribed {
  const done: Unsubscribed = { removed: new Map(), notRemoved: new Map() };
  const gone: [Channel, number[]][] = [];
  const last = lastMessageId(tx);
  for (const channel of channels) {
    const leaving: number[] = [];
    for (const user of users) {
      const subscribed = subscriptionsOf(tx, user.id).get(channel.id)?.subscribed === true;
      const list = subscribed ? done.removed : done.notRemoved;
      list.set(user.id, [...(list.get(user.id) ?? []), channel]);
      if (!subscribed) continue;
      leaving.push(user.id);
      const state = new ReadState(tx, user.id);
      markRead(tx, state, state.unread({ most: Number.POSITIVE_INFINITY, place: channel.id }));
      tx.run("UPDATE subscriptions SET subscribed = 0 WHERE user_id = ? AND channel_id = ?", user.id, channel.id);
      // A stay during which nothing was sent leaves no trace; its row would stand in the way of the next.
      tx.run(
        "DELETE FROM subscription_periods WHERE user_id = ? AND channel_id = ? AND last_message_id IS NULL AND first_message_id > ?",
        user.id,
        channel.id,
        last,
      );
      tx.run(
        "UPDATE subscription_periods SET last_message_id = ? WHERE user_id = ? AND channel_id = ? AND last_message_id IS NULL",
        last,
        user.id,
        channel.id,
      );
    }
    gone.push([channel, leaving]);
  }
  for (const [userId, channels] of done.removed) {
    const subscriptions = channels.map(({ id, name }) => ({ stream_id: id, name }));
    tx.emit({ type: "subscription", op: "remove", subscriptions }, { users: [userId] });
  }
  announcePeers(tx, "peer_remove", gone);
  for (const [channel, leaving] of gone) announceOutOfSight(tx, channel, leaving);
  return done;
}

function announceOutOfSight(tx: Transaction, channel: Channel, userIds: readonly number[]): void {
  const users = userIds.filter((id) => {
    const user = userById(tx, id);
    return user?.is_active && !canSeeChannel(tx, user, channel);
  });
  if (users.length === 0) return;
  const fields = { streams: [{ stream_id: channel.id }], stream_ids: [channel.id] };
  tx.emit({ type: "stream", op: "delete", ...fields }, { users: users.sort((a, b) => a - b) });
}
