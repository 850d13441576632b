import type { Trigger } from "../../notifications/decision.ts";
import { DAY_MS } from "../../storage/ages.ts";
import type { Reader } from "../../storage/transaction.ts";
import { settingByUser, type UserSettingName, type UserSettings } from "./user-settings.ts";

/** An entry in the list that devices read. */
export interface NotificationRow {
  id: number;
  user_id: number;
  /** `clear`: the message was read or deleted. */
  kind: "message" | "clear" | "test";
  /** Null for tests. */
  message_id: number | null;
  trigger: Trigger | null;
  /** Null: all devices. */
  device: Device | null;
  /** Milliseconds since the epoch. */
  created_at: number;
}

export const DEVICES = ["ntfy", "web_push"] as const;
export type Device = (typeof DEVICES)[number];

/** Users with a device that gets notifications. */
export const usersWithDevices = (reader: Reader): ReadonlySet<number> =>
  reader.derived("users with devices", ["ntfy_topics", "web_push_subscriptions"], (rows) => {
    const sql = "SELECT user_id FROM ntfy_topics WHERE is_on = 1 UNION SELECT user_id FROM web_push_subscriptions";
    return new Set(rows.values<number>(sql));
  });

/** 0 if there is none. */
export const lastNotificationId = (reader: Reader): number =>
  reader.derived(
    "last notification",
    ["notifications"],
    (rows) => rows.value<number>("SELECT max(id) FROM notifications") ?? 0,
  );

/** A user's notifications for a device, oldest first. */
export const notificationsAfter = (
  reader: Reader,
  { userId, device, after, limit }: { userId: number; device: Device; after: number; limit: number },
): NotificationRow[] =>
  reader.all<NotificationRow>(
    `SELECT id, user_id, kind, message_id, trigger, device, created_at FROM notifications
     WHERE user_id = ? AND id > ? AND (device IS NULL OR device = ?) ORDER BY id LIMIT ?`,
    userId,
    after,
    device,
    limit,
  );

/** Notifications of several users for a device, oldest first. */
export const notificationsOfUsers = (
  reader: Reader,
  { userIds, device, after, limit }: { userIds: readonly number[]; device: Device; after: number; limit: number },
): NotificationRow[] =>
  reader.all<NotificationRow>(
    `SELECT id, user_id, kind, message_id, trigger, device, created_at FROM notifications
     WHERE user_id IN (SELECT value FROM json_each(?)) AND id > ? AND (device IS NULL OR device = ?)
     ORDER BY id LIMIT ?`,
    JSON.stringify(userIds),
    after,
    device,
    limit,
  );

/** Notifications of messages and tests, newest first. */
export const newestNotifications = (
  reader: Reader,
  { userIds, device, limit }: { userIds: readonly number[]; device: Device; limit: number },
): NotificationRow[] =>
  reader.all<NotificationRow>(
    `SELECT id, user_id, kind, message_id, trigger, device, created_at FROM notifications
     WHERE user_id IN (SELECT value FROM json_each(?)) AND kind <> 'clear' AND (device IS NULL OR device = ?)
     ORDER BY id DESC LIMIT ?`,
    JSON.stringify(userIds),
    device,
    limit,
  );

/** The newest notification of these users from before this time, in milliseconds; 0 if there is none. */
export const lastNotificationBefore = (reader: Reader, userIds: readonly number[], time: number): number =>
  reader.value<number>(
    "SELECT max(id) FROM notifications WHERE user_id IN (SELECT value FROM json_each(?)) AND created_at < ?",
    JSON.stringify(userIds),
    time,
  ) ?? 0;

/** Users with a notification after this one. */
export const usersNotifiedAfter = (reader: Reader, after: number): number[] =>
  reader.values<number>("SELECT DISTINCT user_id FROM notifications WHERE id > ?", after);

/** Whether the user has a device of this kind. */
export const hasDevice = (reader: Reader, userId: number, device: Device): boolean =>
  reader.value(
    device === "ntfy"
      ? "SELECT 1 FROM ntfy_topics WHERE user_id = ? AND is_on = 1"
      : "SELECT 1 FROM web_push_subscriptions WHERE user_id = ? LIMIT 1",
    userId,
  ) !== undefined;

/** The users whose devices show one of these messages. */
export const usersNotifiedOf = (
  reader: Reader,
  messageIds: readonly number[],
): { user_id: number; message_id: number }[] =>
  reader.all(
    `SELECT DISTINCT user_id, message_id FROM json_each(?) AS requested
       CROSS JOIN notifications AS shown ON shown.message_id = requested.value
     WHERE kind = 'message' AND NOT EXISTS (
       SELECT 1 FROM notifications AS later WHERE later.message_id = shown.message_id
         AND later.user_id = shown.user_id AND later.kind = 'clear' AND later.id > shown.id)
     ORDER BY user_id, message_id`,
    JSON.stringify(messageIds),
  );

/** Users with notifications, in ascending order from after `after`. */
export const usersWithNotifications = (reader: Reader, after: number, limit: number): number[] =>
  reader.values<number>(
    "SELECT DISTINCT user_id FROM notifications WHERE user_id > ? ORDER BY user_id LIMIT ?",
    after,
    limit,
  );

/** The messages that the user's devices have been notified of, and that are not cleared. */
export const notifiedMessages = (reader: Reader, userId: number): number[] =>
  reader.values<number>(
    `SELECT message_id FROM notifications WHERE user_id = ? AND kind <> 'test'
     GROUP BY message_id HAVING max(id) = max(CASE kind WHEN 'message' THEN id END)`,
    userId,
  );

export interface WaitingNotification {
  user_id: number;
  message_id: number;
  trigger: Trigger;
}

/** Quiet time lasts at most a week. A later time comes from a wrong clock. */
const MAX_WAIT_MS = 8 * DAY_MS;

export const dueNotifications = (reader: Reader, now: number, limit: number): WaitingNotification[] =>
  reader.all<WaitingNotification>(
    `SELECT user_id, message_id, trigger FROM waiting_notifications WHERE due_at <= ? OR due_at > ?
     ORDER BY due_at, user_id, message_id LIMIT ?`,
    now,
    now + MAX_WAIT_MS,
    limit,
  );

/** Subscribers with push or email notifications for this channel, regardless of their user settings. */
export const notifiedByChannel = (reader: Reader, channelId: number): readonly number[] =>
  reader
    .derived("users notified by channels", ["subscriptions"], (rows) =>
      Map.groupBy(
        // Without a name, SQLite chooses the index of all subscribers.
        rows.all<{ channel_id: number; user_id: number }>(
          `SELECT channel_id, user_id FROM subscriptions INDEXED BY subscriptions_that_notify
           WHERE subscribed = 1 AND (push_notifications = 1 OR email_notifications = 1) ORDER BY channel_id, user_id`,
        ),
        ({ channel_id }) => channel_id,
      ),
    )
    .get(channelId)
    ?.map(({ user_id }) => user_id) ?? [];

/** The settings with these names, for one user after another. Each is read from a map of all users. */
export function settingsReader<Name extends Exclude<UserSettingName, "timezone">>(
  reader: Reader,
  names: readonly Name[],
): (userId: number) => Pick<UserSettings, Name> {
  const readers = names.map((name) => [name, settingByUser(reader, name)] as const);
  return (userId) =>
    Object.fromEntries(readers.map(([name, read]) => [name, read(userId)])) as Pick<UserSettings, Name>;
}
