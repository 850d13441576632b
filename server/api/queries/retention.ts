import type { Reader } from "../../storage/transaction.ts";
import { allChannels } from "./channels.ts";
import { messageIndex } from "./message-index.ts";
import { newestWrittenAt } from "./messages.ts";
import { organizationSetting } from "./organization.ts";

export const DAY_MS = 86_400_000;

/** Expiry times of messages, in milliseconds since the epoch; -Infinity: never. */
export interface Expiry {
  /** The latest expiry limit of all locations. No message sent after it has expired. */
  readonly latest: number;
  /** Messages sent to the location before this time have expired. `channelId` null: direct messages. */
  before(channelId: number | null): number;
  /** The earliest possible time of a message, regardless of its timestamp. Call it with ascending ids. */
  since(id: number): number;
}

/** Retention in days; -1: unlimited. */
export interface RetentionDays {
  readonly organization: number;
  /** Channels with their own setting, by id. */
  readonly own: ReadonlyMap<number, number>;
}

/** The current settings. Direct messages, and channels without a setting, use the organization's. */
export function retentionDays(reader: Reader): RetentionDays {
  const own = new Map<number, number>();
  for (const { id, message_retention_days: days } of allChannels(reader)) if (days !== null) own.set(id, days);
  return { organization: organizationSetting(reader, "message_retention_days"), own };
}

/** Uses the current settings unless `days` is given. */
export function expiryAt(reader: Reader, now: number, days: RetentionDays = retentionDays(reader)): Expiry {
  const beforeDays = (count: number) => (count > 0 ? now - count * DAY_MS : Number.NEGATIVE_INFINITY);
  const fallback = beforeDays(days.organization);
  const own = new Map([...days.own].map(([id, count]) => [id, beforeDays(count)]));
  const limits = [fallback, ...own.values()].filter(Number.isFinite);
  // Older marks cannot prevent a message from expiring. Imported messages expire after their import, so that a message
  // older than the retention period is not deleted immediately.
  const marks = reader.all<{ at: number; id: number }>(
    `SELECT at, last_message_id AS id FROM retention_marks WHERE at BETWEEN ?1 AND ?2
     UNION ALL SELECT written_at, first_id - 1 FROM import_ranges WHERE written_at BETWEEN ?1 AND ?2 ORDER BY id, at`,
    Math.min(now, ...limits),
    now,
  );
  let [passed, earliest] = [0, Number.NEGATIVE_INFINITY];
  return {
    latest: Math.max(fallback, ...own.values()),
    before: (channelId) => (channelId === null ? fallback : (own.get(channelId) ?? fallback)),
    since(id) {
      for (let mark = marks[passed]; mark && mark.id < id; mark = marks[passed]) {
        earliest = Math.max(earliest, mark.at);
        passed += 1;
      }
      return earliest;
    },
  };
}

/** Number of ids per batch: a few milliseconds of work. */
const BATCH = 2000;

/** The expired messages in the batch that begins at id `from`, ascending, and the first id of the next batch. */
export function expiredFrom(reader: Reader, expiry: Expiry, from: number): { ids: number[]; next: number } {
  const next = from + BATCH;
  // One JSON row is several times as fast as a row per message.
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

/** The time when the clock was last trusted, and the first doubt since then (null: none). */
export interface RetentionClock {
  believed: number;
  doubted: number | null;
}

/** Until the clock is first checked, the time of the newest message is used. */
export function retentionClock(reader: Reader, now: number): RetentionClock {
  const stored = reader.get<RetentionClock>("SELECT believed, doubted FROM retention_clock");
  if (stored) return stored;
  return { believed: newestWrittenAt(reader) ?? now, doubted: null };
}

/** Whether a mark was written in the day before `now`. */
export const isMarked = (reader: Reader, now: number): boolean =>
  reader.value("SELECT 1 FROM retention_marks WHERE at > ? AND at <= ?", now - DAY_MS, now) !== undefined;

export const newestMessageId = (reader: Reader): number => messageIndex(reader).last(reader);
