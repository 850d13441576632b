/** A timer that is later than this did not wait for other work: the machine was asleep, or the thread stood still. */
const MIN_SLEEP_MS = 10_000;

/**
 * Finds out that the machine slept, from a timer that should run every `intervalMs`. It uses the wall clock, since the
 * monotonic clock of Linux stands still during sleep. Returns the function to call at each run of the timer: it returns
 * how long the machine slept before that run, in milliseconds; 0 if it did not.
 */
export function sleepMeter(intervalMs: number, clock: () => number = Date.now): () => number {
  let previous = clock();
  return () => {
    const now = clock();
    const late = now - previous - intervalMs;
    previous = now;
    return late > MIN_SLEEP_MS ? late : 0;
  };
}
