import { DAY_MS } from "../../storage/ages.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { mailTimeFor } from "../access/mails.ts";
import { messageVisibility } from "../access/messages.ts";
import { type NewArrival, noticesFor, pushTimeFor } from "../access/notifications.ts";
import { isMailOn } from "../queries/mails.ts";
import {
  type Device,
  dueNotifications,
  notifiedMessages,
  usersNotifiedOf,
  usersWithDevices,
  type WaitingNotification,
} from "../queries/notifications.ts";
import { ReadState } from "../queries/read-state.ts";
import { userById } from "../queries/users.ts";
import { insertRow, upsertRow } from "./rows.ts";

/** For this long, a device that was off gets its notifications. */
export const NOTIFICATION_KEPT_MS = 3 * DAY_MS;

/** Writes the notifications and mails of a new message, in its transaction. */
export function notifyDevices(tx: Transaction, messageId: number, arrival: NewArrival): void {
  const users = usersWithDevices(tx);
  const isMailing = isMailOn(tx);
  if (users.size === 0 && !isMailing) return;
  for (const [user_id, { trigger, isPushed, isMailed }] of noticesFor(tx, isMailing ? EVERYONE : users, arrival)) {
    if (!trigger) continue;
    if (isPushed && users.has(user_id))
      notifyAt(tx, pushTimeFor(tx, user_id, tx.now), { user_id, message_id: messageId, trigger });
    if (isMailed && isMailing) {
      const due_at = mailTimeFor(tx, user_id, { sentAt: tx.now, now: tx.now });
      insertRow(tx, "missed_mails", { user_id, message_id: messageId, trigger, due_at });
    }
  }
}

const EVERYONE = { has: () => true };

function notifyAt(tx: Transaction, time: number, { user_id, message_id, trigger }: WaitingNotification): void {
  if (time > tx.now) upsertRow(tx, "waiting_notifications", { user_id, message_id }, { trigger, due_at: time });
  else {
    tx.run("DELETE FROM waiting_notifications WHERE user_id = ? AND message_id = ?", user_id, message_id);
    insertRow(tx, "notifications", { user_id, kind: "message", message_id, trigger, created_at: tx.now });
  }
}

/** Decides again about notifications whose time has come, at most `limit`. Returns whether more are due. */
export function releaseDueNotifications(tx: Transaction, limit: number): boolean {
  const due = dueNotifications(tx, tx.now, limit);
  for (const waiting of due) {
    const { user_id, message_id } = waiting;
    if (isStillUnread(tx, waiting)) notifyAt(tx, pushTimeFor(tx, user_id, tx.now), waiting);
    else tx.run("DELETE FROM waiting_notifications WHERE user_id = ? AND message_id = ?", user_id, message_id);
  }
  return due.length === limit;
}

function isStillUnread(tx: Transaction, { user_id, message_id }: WaitingNotification): boolean {
  const user = userById(tx, user_id);
  if (!user?.is_active || !usersWithDevices(tx).has(user_id)) return false;
  return messageVisibility(tx, user).sees(message_id) && new ReadState(tx, user_id).isUnread(message_id);
}

/** Devices remove the notifications of messages that their user has read. `users` undefined: of deleted messages. */
export function clearNotifications(
  tx: Transaction,
  messageIds: readonly number[],
  users?: { has(id: number): boolean },
): void {
  for (const { user_id, message_id } of usersNotifiedOf(tx, messageIds))
    if (!users || users.has(user_id))
      insertRow(tx, "notifications", { user_id, kind: "clear", message_id, created_at: tx.now });
}

/**
 * Clears what these users have read. A crash after a read, and before `clearNotifications`, leaves such notifications on
 * their devices.
 */
export function clearReadNotifications(tx: Transaction, userIds: readonly number[]): void {
  for (const userId of userIds) {
    const state = new ReadState(tx, userId);
    const read = notifiedMessages(tx, userId).filter((id) => !state.isUnread(id));
    for (const message_id of read)
      insertRow(tx, "notifications", { user_id: userId, kind: "clear", message_id, created_at: tx.now });
  }
}

export const sendTestNotification = (tx: Transaction, userId: number, device: Device): number =>
  insertRow(tx, "notifications", { user_id: userId, kind: "test", device, created_at: tx.now });

/** At most `limit`. */
export function deleteOldNotifications(tx: Transaction, limit: number): void {
  const before = tx.now - NOTIFICATION_KEPT_MS;
  // AUTOINCREMENT: the oldest have the lowest ids.
  const sql = "SELECT created_at FROM notifications WHERE created_at <= ? ORDER BY id LIMIT 1";
  const [oldest] = tx.values<number>(sql, tx.now + DAY_MS); // later times come from a wrong clock
  if (oldest === undefined || oldest >= before) return;
  tx.run(
    `DELETE FROM notifications WHERE id IN (
       SELECT id FROM notifications WHERE created_at < ? ORDER BY id LIMIT ?)`,
    before,
    limit,
  );
}
