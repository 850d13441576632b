import type { Reader } from "../storage/transaction.ts";
import { allChannels } from "./channels.ts";
import { messageIndex } from "./message-index.ts";
import { organizationSetting } from "./organization.ts";

export const DAY_MS = 86_400_000;

/** When messages expire. Times in milliseconds since the epoch; -Infinity: they never do. */
export interface Expiry {
  /** Nothing that was sent later is expired anywhere. */
  readonly latest: number;
  /** What was sent there before has expired. `channelId` null: in direct conversations. */
  before(channelId: number | null): number;
  /** When a message was sent at the earliest, whatever its own time says. Ids are asked for in ascending order. */
  since(id: number): number;
}

/** As channels and the organization say now; direct messages, and channels that say nothing, follow the organization. */
export function expiryAt(reader: Reader, now: number): Expiry {
  const beforeDays = (days: number) => (days > 0 ? now - days * DAY_MS : Number.NEGATIVE_INFINITY);
  const otherwise = beforeDays(organizationSetting(reader, "message_retention_days"));
  const own = new Map<number, number>();
  for (const { id, message_retention_days: days } of allChannels(reader)) {
    if (days !== null) own.set(id, beforeDays(days));
  }
  const limits = [otherwise, ...own.values()].filter(Number.isFinite);
  // Older ones could keep nothing from expiring.
  const marks = reader.all<{ at: number; id: number }>(
    "SELECT at, last_message_id AS id FROM retention_marks WHERE at BETWEEN ? AND ? ORDER BY last_message_id, at",
    Math.min(now, ...limits),
    now,
  );
  let [passed, known] = [0, Number.NEGATIVE_INFINITY];
  return {
    latest: Math.max(otherwise, ...own.values()),
    before: (channelId) => (channelId === null ? otherwise : (own.get(channelId) ?? otherwise)),
    since(id) {
      for (let mark = marks[passed]; mark && mark.id < id; mark = marks[passed]) {
        known = Math.max(known, mark.at);
        passed += 1;
      }
      return known;
    },
  };
}

/** Ids looked at together: what a few milliseconds are enough for. */
const STRETCH = 2000;

/** The expired messages among the next ids from `from` on, ascending, and the first id that was not looked at. */
export function expiredFrom(reader: Reader, expiry: Expiry, from: number): { ids: number[]; next: number } {
  const next = from + STRETCH;
  // One row of JSON: several times as fast as a row per message.
  const text = reader.value<string>(
    `SELECT json_group_array(json_array(id, channel_id, sent_at))
     FROM (SELECT id, channel_id, sent_at FROM messages WHERE id BETWEEN ? AND ? AND sent_at < ? ORDER BY id)`,
    from,
    next - 1,
    expiry.latest,
  );
  const rows = JSON.parse(text ?? "[]") as [id: number, channelId: number | null, sentAt: number][];
  const expired = rows.filter(([id, channelId, sentAt]) => {
    const before = expiry.before(channelId);
    return sentAt < before && expiry.since(id) < before;
  });
  return { ids: expired.map(([id]) => id), next };
}

/** What the clock said when it was last believed, and when it was first doubted since (null: it was not). */
export interface RetentionClock {
  believed: number;
  doubted: number | null;
}

/** Before the first look at the clock, the newest message stands for it. */
export function retentionClock(reader: Reader, now: number): RetentionClock {
  const kept = reader.get<RetentionClock>("SELECT believed, doubted FROM retention_clock");
  if (kept) return kept;
  const newest = reader.value<number>("SELECT sent_at FROM messages ORDER BY id DESC LIMIT 1");
  return { believed: newest ?? now, doubted: null };
}

/** Whether a mark was made in the day before `now`. */
export const isMarked = (reader: Reader, now: number): boolean =>
  reader.value("SELECT 1 FROM retention_marks WHERE at > ? AND at <= ?", now - DAY_MS, now) !== undefined;

export const newestMessageId = (reader: Reader): number => messageIndex(reader).last(reader);
