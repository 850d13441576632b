import { DAY_MS, isAhead } from "../../storage/ages.ts";
import type { Reader } from "../../storage/transaction.ts";
import { userById } from "./users.ts";

const RECENT_MS = 14 * DAY_MS;

interface Activity {
  /** Milliseconds since the epoch, by user. */
  readonly at: ReadonlyMap<number, number>;
  /** The start of recording. */
  readonly since: number;
}

const activity = (reader: Reader): Activity =>
  reader.derived("user activity", ["user_activity"], (rows) => {
    const found = rows.all<{ id: number; first: number; at: number }>(
      "SELECT user_id AS id, first_at AS first, active_at AS at FROM user_activity",
    );
    return {
      at: new Map(found.map(({ id, at }) => [id, at])),
      since: found.reduce((since, { first }) => Math.min(since, first), Number.POSITIVE_INFINITY),
    };
  });

/** Whether the user's activity is already recorded for today. */
export const isRecorded = (reader: Reader, userId: number, now: number): boolean =>
  Math.abs(now - (activity(reader).at.get(userId) ?? Number.NEGATIVE_INFINITY)) < DAY_MS;

/**
 * Returns a test for users who were active or joined in the last 14 days. It includes all bots, and all users while the
 * records cover less time.
 */
export function wasRecentlyActive(reader: Reader, now: number): (userId: number) => boolean {
  const { at, since } = activity(reader);
  // Recorded times can be a day old.
  const from = now - RECENT_MS - DAY_MS;
  if (since > from) return () => true;
  return (id) => {
    const user = userById(reader, id);
    const last = at.get(id) ?? 0;
    return (last >= from && !isAhead(last, now)) || (user !== undefined && (user.is_bot || user.joined_at >= from));
  };
}
