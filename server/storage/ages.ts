export const DAY_MS = 86_400_000;

/**
 * Whether a stored time can only come from a clock that was wrong: it is more than a day in the future. A schedule or a
 * lifetime that trusts such a time stands still until then. A clock that is set to the wrong time zone, or that has yet
 * to hear of the network's time, is wrong by less.
 */
export const isAhead = (time: number, now: number, tolerance = DAY_MS): boolean => time > now + tolerance;

/** Milliseconds since a stored time. Infinity if the time is ahead, so that what waits for an age is due. */
export const msSince = (time: number, now: number): number =>
  isAhead(time, now) ? Number.POSITIVE_INFINITY : now - time;
