import type { Transaction } from "../../storage/transaction.ts";
import { sessionDigest } from "../access/sessions.ts";
import { lastNotificationId } from "../queries/notifications.ts";
import type { User } from "../queries/users.ts";
import { type WebPushDevice, webPushDeviceAt, webPushDevicesIn, webPushDevicesOf } from "../queries/web-push.ts";
import { insertRow } from "./rows.ts";

/** More than a person's browsers. The oldest is forgotten. */
export const MAX_WEB_PUSH_DEVICES = 20;

export type NewWebPushDevice = Pick<
  WebPushDevice,
  "endpoint" | "p256dh" | "auth" | "server_key" | "origin" | "session" | "user_agent"
>;

/** Returns the id. A browser that another account registered changes to this account. */
export function addWebPushDevice(tx: Transaction, user: User, device: NewWebPushDevice): number {
  const existing = webPushDeviceAt(tx, device.endpoint);
  const isOwn = existing?.user_id === user.id;
  if (isOwn && isUnchanged(existing, device)) return existing.id;
  if (existing) deleteDevice(tx, existing);
  const { id: _, ...kept } = existing ?? { id: 0 };
  const id = insertRow(tx, "web_push_subscriptions", {
    ...(isOwn ? kept : { user_id: user.id, created_at: tx.now, sent_id: lastNotificationId(tx) }),
    ...device,
    failure: null,
  });
  const tooMany = webPushDevicesOf(tx, user.id).slice(0, -MAX_WEB_PUSH_DEVICES);
  for (const { id: oldest } of tooMany) tx.run("DELETE FROM web_push_subscriptions WHERE id = ?", oldest);
  announceDevices(tx, [user.id]);
  return id;
}

const isUnchanged = (existing: WebPushDevice, device: NewWebPushDevice): boolean =>
  (Object.keys(device) as (keyof NewWebPushDevice)[]).every((name) => existing[name] === device[name]);

export const removeWebPushDevice = (tx: Transaction, device: WebPushDevice): void => deleteDevice(tx, device);

function deleteDevice(tx: Transaction, { id, user_id }: Pick<WebPushDevice, "id" | "user_id">): void {
  tx.run("DELETE FROM web_push_subscriptions WHERE id = ?", id);
  announceDevices(tx, [user_id]);
}

function announceDevices(tx: Transaction, users: Iterable<number>): void {
  tx.emit({ type: "web_push_devices", op: "update" }, { users });
}

/** For a person who is signed out everywhere. */
export function removeWebPushDevicesOf(tx: Transaction, user: User): void {
  if (webPushDevicesOf(tx, user.id).length === 0) return;
  tx.run("DELETE FROM web_push_subscriptions WHERE user_id = ?", user.id);
  announceDevices(tx, [user.id]);
}

/** For a browser that is signed out. A browser whose session expires keeps its notifications. */
export function removeWebPushDevicesIn(tx: Transaction, session: string): void {
  for (const device of webPushDevicesIn(tx, session)) deleteDevice(tx, device);
}

/**
 * Runs `change`, which ends the browser's session and returns the user of its next session. If that is the same person,
 * the browser's notifications continue. `before` and `after` are the cookie's contents.
 */
export function keepWebPush(
  tx: Transaction,
  { before, after }: { before: string | undefined; after: string },
  change: () => User,
): User {
  const devices = before === undefined ? [] : webPushDevicesIn(tx, sessionDigest(before));
  const user = change();
  for (const { id: _, ...device } of devices) {
    if (device.user_id !== user.id) continue;
    insertRow(tx, "web_push_subscriptions", { ...device, session: sessionDigest(after) });
    announceDevices(tx, [user.id]);
  }
  return user;
}

/** The result of sending to a device. `gone`: the push service does not know it any more. */
export interface WebPushOutcome {
  id: number;
  /** The newest notification that is done. Undefined: none, the attempt is repeated. */
  sentId: number | undefined;
  /** See WebPushDevice. */
  failure: number | null;
  isGone: boolean;
}

export function recordWebPush(tx: Transaction, outcomes: readonly WebPushOutcome[]): void {
  const changed = new Set<number>();
  for (const { id, sentId, failure, isGone } of outcomes) {
    const [device] = tx.all<{ user_id: number; failure: number | null }>(
      "SELECT user_id, failure FROM web_push_subscriptions WHERE id = ?",
      id,
    );
    if (!device) continue; // removed in the meantime
    if (isGone) tx.run("DELETE FROM web_push_subscriptions WHERE id = ?", id);
    else
      tx.run(
        "UPDATE web_push_subscriptions SET sent_id = max(sent_id, ?), failure = ? WHERE id = ?",
        sentId ?? 0,
        failure,
        id,
      );
    if (isGone || failure !== device.failure) changed.add(device.user_id);
  }
  if (changed.size > 0) announceDevices(tx, changed);
}
