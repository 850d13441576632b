import { canSeeChannel } from "../access/channels.ts";
import type { Reader } from "../storage/transaction.ts";
import { allChannels, type Channel, channelById, type WireChannel, wireChannel } from "./channels.ts";
import type { RegisterContext, RegisterPart } from "./register-context.ts";
import { userSetting } from "./user-settings.ts";

export interface Subscribers {
  /** Active users, ascending. The same array until a subscription or a user changes, so it serves as an audience. */
  readonly ids: readonly number[];
  readonly has: ReadonlySet<number>;
}

export const subscribersOf = (reader: Reader, channelId: number): Subscribers =>
  reader.derived(`subscribers of ${channelId}`, ["subscriptions", "users"], (rows) => {
    const ids = rows
      .all<{ id: number }>(
        `SELECT user_id AS id FROM subscriptions JOIN users ON users.id = user_id
         WHERE channel_id = ? AND subscribed = 1 AND is_active = 1 ORDER BY user_id`,
        channelId,
      )
      .map(({ id }) => id);
    return { ids, has: new Set(ids) };
  });

/** What a person set for a channel; null: as their own settings say. */
export interface PersonalSettings {
  color: string;
  is_muted: boolean;
  pin_to_top: boolean;
  desktop_notifications: boolean | null;
  audible_notifications: boolean | null;
  push_notifications: boolean | null;
  email_notifications: boolean | null;
  wildcard_mentions_notify: boolean | null;
}

export interface Subscription extends PersonalSettings {
  channel_id: number;
  /** False: was subscribed once. */
  subscribed: boolean;
}

const truth = (value: unknown): boolean | null => (value === null ? null : value === 1);

/** By channel id, past ones too. Not to be changed by the caller. */
export const subscriptionsOf = (reader: Reader, userId: number): ReadonlyMap<number, Subscription> =>
  reader.derived(`subscriptions of ${userId}`, ["subscriptions"], (rows) => {
    const subscriptions = new Map<number, Subscription>();
    const found = rows.all<Record<string, string | number | null>>(
      `SELECT channel_id, subscribed, color, is_muted, pin_to_top, desktop_notifications, audible_notifications,
         push_notifications, email_notifications, wildcard_mentions_notify
       FROM subscriptions WHERE user_id = ? ORDER BY channel_id`,
      userId,
    );
    for (const row of found) {
      subscriptions.set(row.channel_id as number, {
        channel_id: row.channel_id as number,
        subscribed: row.subscribed === 1,
        color: row.color as string,
        is_muted: row.is_muted === 1,
        pin_to_top: row.pin_to_top === 1,
        desktop_notifications: truth(row.desktop_notifications),
        audible_notifications: truth(row.audible_notifications),
        push_notifications: truth(row.push_notifications),
        email_notifications: truth(row.email_notifications),
        wildcard_mentions_notify: truth(row.wildcard_mentions_notify),
      });
    }
    return subscriptions;
  });

export const isSubscribed = (reader: Reader, userId: number, channelId: number): boolean =>
  subscriptionsOf(reader, userId).get(channelId)?.subscribed === true;

/** By channel: the stretches of message ids that the user received while subscribed, ends included. */
export type Periods = ReadonlyMap<number, readonly (readonly [first: number, last: number])[]>;

export const periodsOf = (reader: Reader, userId: number): Periods =>
  reader.derived(`subscription periods of ${userId}`, ["subscription_periods"], (rows) => {
    const periods = new Map<number, [number, number][]>();
    const found = rows.all<{ channel_id: number; first: number; last: number | null }>(
      `SELECT channel_id, first_message_id AS first, last_message_id AS last FROM subscription_periods
       WHERE user_id = ? ORDER BY channel_id, first_message_id`,
      userId,
    );
    for (const { channel_id, first, last } of found) {
      const period: [number, number] = [first, last ?? Number.POSITIVE_INFINITY];
      const known = periods.get(channel_id);
      if (known) known.push(period);
      else periods.set(channel_id, [period]);
    }
    return periods;
  });

/** Whether the user was subscribed to the channel when the message with this id was sent. */
export function isInPeriod(periods: Periods, channelId: number, messageId: number): boolean {
  for (const [first, last] of periods.get(channelId) ?? []) if (messageId >= first && messageId <= last) return true;
  return false;
}

/** Everyone who was subscribed to the channel when the message with this id was sent, deactivated users too. */
export const subscribersAt = (reader: Reader, channelId: number, messageId: number): number[] =>
  reader
    .all<{ id: number }>(
      `SELECT DISTINCT subscriptions.user_id AS id FROM subscriptions JOIN subscription_periods
         ON subscription_periods.user_id = subscriptions.user_id
         AND subscription_periods.channel_id = subscriptions.channel_id
       WHERE subscriptions.channel_id = ?1 AND first_message_id <= ?2 AND coalesce(last_message_id, ?2) >= ?2`,
      channelId,
      messageId,
    )
    .map(({ id }) => id);

export type SubscriberList = { subscribers: readonly number[] } | { partial_subscribers: readonly number[] } | object;

/** From this many subscribers on, `include_subscribers=partial` promises bots and recently active people only. */
const PARTIAL_FROM = 250;

/**
 * Above the limit the promise is every bot and everyone active in the last 14 days. Reading leaves no trace yet by
 * which somebody could be known to be inactive, so nobody is left out: the promise allows more, never fewer.
 */
export function subscriberList(
  reader: Reader,
  channelId: number,
  include: "true" | "false" | "partial",
): SubscriberList {
  if (include === "false") return {};
  const { ids } = subscribersOf(reader, channelId);
  return include === "partial" && ids.length >= PARTIAL_FROM ? { partial_subscribers: ids } : { subscribers: ids };
}

export type WireSubscription = WireChannel &
  PersonalSettings & { in_home_view: boolean; subscribers?: readonly number[] };

/** A subscription as /register and `subscription` events send it (spec/interface.md, contract register.json, newer.json). */
export function wireSubscription(
  reader: Reader,
  channel: Channel,
  settings: PersonalSettings,
  now: number,
  subscribers: SubscriberList = subscriberList(reader, channel.id, "true"),
): WireSubscription {
  const { color, is_muted, pin_to_top } = settings;
  return {
    ...wireChannel(reader, channel, now),
    ...subscribers,
    color,
    is_muted,
    in_home_view: !is_muted,
    pin_to_top,
    desktop_notifications: settings.desktop_notifications,
    audible_notifications: settings.audible_notifications,
    push_notifications: settings.push_notifications,
    email_notifications: settings.email_notifications,
    wildcard_mentions_notify: settings.wildcard_mentions_notify,
  };
}

/** For clients without `notification_settings_null`: in place of null what the person's own settings say. */
function withoutNulls(reader: Reader, userId: number, settings: PersonalSettings): PersonalSettings {
  const own = (name: Parameters<typeof userSetting>[2]) => userSetting(reader, userId, name) === true;
  return {
    ...settings,
    desktop_notifications: settings.desktop_notifications ?? own("enable_stream_desktop_notifications"),
    audible_notifications: settings.audible_notifications ?? own("enable_stream_audible_notifications"),
    push_notifications: settings.push_notifications ?? own("enable_stream_push_notifications"),
    email_notifications: settings.email_notifications ?? own("enable_stream_email_notifications"),
    wildcard_mentions_notify: settings.wildcard_mentions_notify ?? own("wildcard_mentions_notify"),
  };
}

function subscriptionState({ reader, viewer, capabilities, includeSubscribers, now }: RegisterContext) {
  const own = subscriptionsOf(reader, viewer.id);
  const shown = (channel: Channel | undefined): channel is Channel =>
    channel !== undefined &&
    (!channel.is_archived || capabilities.archived_channels === true) &&
    canSeeChannel(reader, viewer, channel);
  const subscriptions: object[] = [];
  const unsubscribed: object[] = [];
  for (const settings of own.values()) {
    const channel = channelById(reader, settings.channel_id);
    if (!shown(channel)) continue;
    const subscribers = subscriberList(reader, channel.id, includeSubscribers);
    const shownSettings = capabilities.notification_settings_null
      ? settings
      : withoutNulls(reader, viewer.id, settings);
    (settings.subscribed ? subscriptions : unsubscribed).push(
      wireSubscription(reader, channel, shownSettings, now, subscribers),
    );
  }
  const never_subscribed = allChannels(reader)
    .filter((channel) => !own.has(channel.id) && shown(channel))
    .map((channel) => ({
      ...wireChannel(reader, channel, now),
      ...subscriberList(reader, channel.id, includeSubscribers),
    }));
  return { subscriptions, unsubscribed, never_subscribed };
}

export const registerParts: Record<string, RegisterPart> = { subscription: subscriptionState };
