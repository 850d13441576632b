export const DAY_MS = 86_400_000;

/**
 * Whether a stored time must come from a wrong clock: it is more than a day in the future. Schedules and lifetimes that
 * trust such a time would wait until then. A clock with the wrong time zone, or without network time yet, is wrong by
 * less.
 */
export const isAhead = (time: number, now: number, tolerance = DAY_MS): boolean => time > now + tolerance;

/** Milliseconds since a stored time. Infinity if the time is ahead, so that what waits for an age is due. */
export const msSince = (time: number, now: number): number =>
  isAhead(time, now) ? Number.POSITIVE_INFINITY : now - time;
