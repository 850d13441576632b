import type { Reader } from "../../storage/transaction.ts";

/** A browser that gets notifications while the page is closed. */
export interface WebPushDevice {
  id: number;
  user_id: number;
  /** The push service's URL for this browser. Anyone with it and the keys can send to the browser. */
  endpoint: string;
  /** The browser's public key and secret, in base64url. */
  p256dh: string;
  auth: string;
  /** The server's public key that the push service accepts. Another key after `hearth rotate-secret`. */
  server_key: string;
  /** This server's URL in the browser. */
  origin: string;
  /** The digest of the browser's session, which may have expired. Null: it registered with an API key. */
  session: string | null;
  user_agent: string;
  /** Milliseconds since the epoch. */
  created_at: number;
  /** The newest notification that it has. */
  sent_id: number;
  /** The HTTP status of the last attempt if it failed. 0: no connection. */
  failure: number | null;
}

const COLUMNS =
  "id, user_id, endpoint, p256dh, auth, server_key, origin, session, user_agent, created_at, sent_id, failure";

/** Oldest first. */
export const webPushDevicesOf = (reader: Reader, userId: number): WebPushDevice[] =>
  reader.all(`SELECT ${COLUMNS} FROM web_push_subscriptions WHERE user_id = ? ORDER BY id`, userId);

export const webPushDevice = (reader: Reader, id: number): WebPushDevice | undefined =>
  reader.get(`SELECT ${COLUMNS} FROM web_push_subscriptions WHERE id = ?`, id);

export const webPushDeviceAt = (reader: Reader, endpoint: string): WebPushDevice | undefined =>
  reader.get(`SELECT ${COLUMNS} FROM web_push_subscriptions WHERE endpoint = ?`, endpoint);

export const webPushDevicesIn = (reader: Reader, session: string): WebPushDevice[] =>
  reader.all(`SELECT ${COLUMNS} FROM web_push_subscriptions WHERE session = ? ORDER BY id`, session);

/**
 * Devices with notifications to send, oldest first. `clear` entries are sent with the next message. Devices with
 * another server key wait until their browser has opened the page, which renews it.
 */
export const webPushDevicesWithNews = (reader: Reader, serverKey: string): Pick<WebPushDevice, "id" | "user_id">[] =>
  reader.all(
    `SELECT id, user_id FROM web_push_subscriptions AS device WHERE server_key = ? AND EXISTS (
       SELECT 1 FROM notifications AS news WHERE news.user_id = device.user_id AND news.id > device.sent_id
         AND news.kind <> 'clear' AND (news.device IS NULL OR news.device = 'web_push'))
     ORDER BY id`,
    serverKey,
  );

/** The messages that the user has read most recently, of those that devices show. */
export const newestCleared = (reader: Reader, userId: number, limit: number): number[] =>
  reader.values(
    "SELECT message_id FROM notifications WHERE user_id = ? AND kind = 'clear' ORDER BY id DESC LIMIT ?",
    userId,
    limit,
  );
