/**
 * How long a test waits for something to happen. This does not measure speed: even a busy machine stays far below it.
 * test/run.ts gives a whole file more.
 */
export const PATIENCE_MS = 120_000;

/** Repeats the question until the result is not undefined. A shorter patience excludes later automatic changes. */
export async function until<T>(
  question: () => T | undefined | Promise<T | undefined>,
  what: string,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const start = Date.now();
  const end = start + patienceMs;
  for (;;) {
    const found = await question();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`Waited ${patienceMs / 1000} s in vain: ${what}`);
    // Polls long waits less often. On a slow machine, every 5 ms would create 500 event queues in a few seconds.
    await new Promise((resolve) => setTimeout(resolve, Date.now() - start > 1000 ? 250 : 5));
  }
}

/** Waits until the check is true. */
export const holds = (check: () => boolean | Promise<boolean>): Promise<boolean> =>
  until(async () => (await check()) || undefined, String(check));
