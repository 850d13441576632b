import type { Reader } from "../../storage/transaction.ts";
import { allChannels, type Channel } from "./channels.ts";
import { USER_SETTINGS, type UserSettings, userSetting } from "./user-settings.ts";

/** The parts of the table that a change for these users affects. `channelId`: set if it changes who is subscribed. */
export const subscriptionParts = (userIds: readonly number[], channelId?: number): string[] => [
  ...userIds.map((id) => `user ${id}`),
  ...(channelId === undefined ? [] : [`channel ${channelId}`]),
];

export class Subscribers {
  /**
   * Active users, ascending. The array stays the same object until a subscription or user changes, so you can use it as
   * an audience.
   */
  readonly ids: readonly number[];
  #has: ReadonlySet<number> | undefined;

  constructor(ids: readonly number[]) {
    this.ids = ids;
  }

  get has(): ReadonlySet<number> {
    this.#has ??= new Set(this.ids);
    return this.#has;
  }
}

const deactivatedIds = (reader: Reader): ReadonlySet<number> =>
  reader.derived(
    "deactivated user ids",
    ["users"],
    (rows) => new Set(rows.values<number>("SELECT id FROM users WHERE is_active = 0")),
  );

interface Everyone {
  readonly all: Subscribers;
  active: Subscribers;
  without: ReadonlySet<number>;
}

// A channel's list stays cached when other channels or users change. Computing all lists again takes a tenth of a
// second.
const everyoneIn = (reader: Reader, channelId: number): Everyone =>
  reader.derived(`subscribers of ${channelId}`, [`subscriptions/channel ${channelId}`], (rows) => {
    const sql = `SELECT json_group_array(id) FROM (SELECT user_id AS id FROM subscriptions
      WHERE channel_id = ? AND subscribed = 1 ORDER BY user_id)`;
    const all = new Subscribers(JSON.parse(rows.value<string>(sql, channelId) ?? "[]"));
    return { all, active: all, without: new Set() };
  });

export function subscribersOf(reader: Reader, channelId: number): Subscribers {
  const everyone = everyoneIn(reader, channelId);
  const deactivated = deactivatedIds(reader);
  if (everyone.without !== deactivated) {
    const ids = everyone.all.ids.filter((id) => !deactivated.has(id));
    if (ids.length === everyone.all.ids.length) everyone.active = everyone.all;
    else if (ids.length !== everyone.active.ids.length || ids.some((id, at) => id !== everyone.active.ids[at]))
      everyone.active = new Subscribers(ids);
    everyone.without = deactivated;
  }
  return everyone.active;
}

/** Ascending. Includes deactivated users, whose subscription resumes when they are reactivated. */
export const everybodySubscribedTo = (reader: Reader, channelId: number): readonly number[] =>
  everyoneIn(reader, channelId).all.ids;

/** A user's settings for a channel; null: inherited from the user's own settings. */
export interface PersonalSettings extends Notifications {
  color: string;
  is_muted: boolean;
  pin_to_top: boolean;
}

/** The names of these settings in the API. */
export const SUBSCRIPTION_PROPERTIES = [
  "color",
  "is_muted",
  "in_home_view",
  "pin_to_top",
  "desktop_notifications",
  "audible_notifications",
  "push_notifications",
  "email_notifications",
  "wildcard_mentions_notify",
] as const satisfies readonly (keyof PersonalSettings | "in_home_view")[];
export type SubscriptionProperty = (typeof SUBSCRIPTION_PROPERTIES)[number];

export interface Subscription extends PersonalSettings {
  channel_id: number;
  /** False: unsubscribed. */
  subscribed: boolean;
}

const SETTINGS = `subscribed, color, is_muted, pin_to_top, desktop_notifications, audible_notifications,
  push_notifications, email_notifications, wildcard_mentions_notify`;

type Row = Record<"channel_id" | "subscribed" | "is_muted" | "pin_to_top", number> &
  Record<NotificationName, number | null> & { color: string };

const truth = (value: number | null): boolean | null => (value === null ? null : value === 1);

const fromRow = (row: Row): Subscription => ({
  channel_id: row.channel_id,
  subscribed: row.subscribed === 1,
  color: row.color,
  is_muted: row.is_muted === 1,
  pin_to_top: row.pin_to_top === 1,
  desktop_notifications: truth(row.desktop_notifications),
  audible_notifications: truth(row.audible_notifications),
  push_notifications: truth(row.push_notifications),
  email_notifications: truth(row.email_notifications),
  wildcard_mentions_notify: truth(row.wildcard_mentions_notify),
});

/** By channel id, including past subscriptions. Callers must not modify the result. */
export const subscriptionsOf = (reader: Reader, userId: number): ReadonlyMap<number, Subscription> =>
  reader.derived(`subscriptions of ${userId}`, [`subscriptions/user ${userId}`], (rows) => {
    const found = rows.all<Row>(
      `SELECT channel_id, ${SETTINGS} FROM subscriptions WHERE user_id = ? ORDER BY channel_id`,
      userId,
    );
    return new Map(found.map((row) => [row.channel_id, fromRow(row)]));
  });

/** Subscriptions of these users to one channel, by user, including past ones. */
export function subscriptionsIn(reader: Reader, channelId: number, userIds: readonly number[]) {
  const rows = reader.all<Row & { user_id: number }>(
    `SELECT user_id, channel_id, ${SETTINGS} FROM json_each(?) AS requested CROSS JOIN subscriptions
     WHERE user_id = requested.value AND channel_id = ?`,
    JSON.stringify(userIds),
    channelId,
  );
  return new Map(rows.map((row) => [row.user_id, fromRow(row)]));
}

/** The colors of the user's newest channels. */
export const usedColors = (reader: Reader, userId: number): Set<string> =>
  new Set(
    reader.values<string>(
      "SELECT color FROM subscriptions WHERE user_id = ? ORDER BY channel_id DESC LIMIT 64",
      userId,
    ),
  );

export const isSubscribed = (reader: Reader, userId: number, channelId: number): boolean =>
  subscriptionsOf(reader, userId).get(channelId)?.subscribed === true;

/** The user's oldest channel, default channels first; undefined if all of their channels are archived. */
export function channelToBeginIn(reader: Reader, userId: number): Channel | undefined {
  const own = allChannels(reader).filter(({ id, is_archived }) => !is_archived && isSubscribed(reader, userId, id));
  return own.find((channel) => channel.is_default) ?? own[0];
}

/** The number of messages in a channel, which limits a subscriber's unread count. */
export const messagesIn = (reader: Reader, channel: Channel): number =>
  reader.value<number>("SELECT COUNT(*) FROM messages WHERE recipient_id = ?", channel.recipient_id) ?? 0;

/** By channel: the ranges of message ids (inclusive) during which the user was subscribed. */
export type Periods = ReadonlyMap<number, readonly (readonly [first: number, last: number])[]>;

export const periodsOf = (reader: Reader, userId: number): Periods =>
  reader.derived(`subscription periods of ${userId}`, [`subscription_periods/user ${userId}`], (rows) => {
    const periods = new Map<number, [number, number][]>();
    const found = rows.all<{ channel_id: number; first: number; last: number | null }>(
      `SELECT channel_id, first_message_id AS first, last_message_id AS last FROM subscription_periods
       WHERE user_id = ? ORDER BY channel_id, first_message_id`,
      userId,
    );
    for (const { channel_id, first, last } of found) {
      const period: [number, number] = [first, last ?? Number.POSITIVE_INFINITY];
      const list = periods.get(channel_id);
      if (list) list.push(period);
      else periods.set(channel_id, [period]);
    }
    return periods;
  });

/** Whether the user was subscribed to the channel when the message with this id was sent. */
export function isInPeriod(periods: Periods, channelId: number, messageId: number): boolean {
  for (const [first, last] of periods.get(channelId) ?? []) if (messageId >= first && messageId <= last) return true;
  return false;
}

/** All subscribers of the channel when the message with this id was sent, including deactivated users. */
export const subscribersAt = (reader: Reader, channelId: number, messageId: number): number[] =>
  reader.values<number>(
    `SELECT DISTINCT subscriptions.user_id AS id FROM subscriptions JOIN subscription_periods
         ON subscription_periods.user_id = subscriptions.user_id
         AND subscription_periods.channel_id = subscriptions.channel_id
       WHERE subscriptions.channel_id = ?1 AND first_message_id <= ?2 AND coalesce(last_message_id, ?2) >= ?2`,
    channelId,
    messageId,
  );

/** A user's settings for one channel, with the user setting that each inherits from while it is null. */
export const INHERITED_FROM = {
  desktop_notifications: "enable_stream_desktop_notifications",
  audible_notifications: "enable_stream_audible_notifications",
  push_notifications: "enable_stream_push_notifications",
  email_notifications: "enable_stream_email_notifications",
  wildcard_mentions_notify: "wildcard_mentions_notify",
} as const satisfies Record<string, keyof UserSettings>;

export type NotificationName = keyof typeof INHERITED_FROM;
export type Notifications = Record<NotificationName, boolean | null>;

const NAMES = Object.keys(INHERITED_FROM) as NotificationName[];

const bitsOf = (isOn: (name: NotificationName) => boolean): number =>
  NAMES.reduce((bits, name, at) => bits | (isOn(name) ? 1 << at : 0), 0);

/** The default inherited values, with a bit for each name. */
const INITIAL = bitsOf((name) => USER_SETTINGS[INHERITED_FROM[name]].initial);

const inherited = (reader: Reader, userId: number): number =>
  bitsOf((name) => userSetting(reader, userId, INHERITED_FROM[name]));

/** The inherited values of each of these users, by id. Only has users who differ from the default. */
export function inheritedByUser(reader: Reader, userIds: readonly number[]): Record<string, number> {
  const byUser: Record<string, number> = {};
  for (const id of userIds) {
    const bits = inherited(reader, id);
    if (bits !== INITIAL) byUser[id] = bits;
  }
  return byUser;
}

/** Replaces null by the inherited value, for clients that do not support null. */
export function withoutNulls<S extends Notifications>(settings: S, bits: number = INITIAL): S {
  const filled = { ...settings };
  for (const [at, name] of NAMES.entries()) filled[name] ??= (bits & (1 << at)) !== 0;
  return filled;
}

export const withOwnNotifications = <S extends Notifications>(reader: Reader, userId: number, settings: S): S =>
  withoutNulls(settings, inherited(reader, userId));
