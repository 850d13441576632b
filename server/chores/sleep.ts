/** A timer that is later than this did not wait for other work: the machine was asleep, or the thread stood still. */
const MIN_SLEEP_MS = 10_000;

/**
 * Finds out that the machine slept, from a timer that should run every `intervalMs`. It uses the wall clock, since the
 * monotonic clock of Linux stops during sleep, and those of other systems continue. Returns the function to call at
 * each run of the timer: it returns how much of the sleep before that run the monotonic clock counted, in milliseconds;
 * undefined if the machine did not sleep. A wall clock that is set ahead looks like a sleep that the monotonic clock did
 * not count.
 */
export function sleepMeter(
  intervalMs: number,
  { now = Date.now, monotonic = () => performance.now() }: { now?: () => number; monotonic?: () => number } = {},
): () => number | undefined {
  const lateness = (clock: () => number) => {
    let previous = clock();
    return () => {
      const time = clock();
      const late = time - previous - intervalMs;
      previous = time;
      return late;
    };
  };
  const [wall, counted] = [lateness(now), lateness(monotonic)];
  return () => {
    const [late, lateByMonotonic] = [wall(), counted()];
    return late > MIN_SLEEP_MS ? Math.max(0, lateByMonotonic) : undefined;
  };
}
