/**
 * How long a test waits for something to happen. This is no measure of speed: even a machine that runs ten things at once
 * stays far below it. test/run.ts gives a whole file more.
 */
export const PATIENCE_MS = 120_000;

/** Repeats the question until the answer is not undefined. A shorter patience excludes what would happen later by itself. */
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
    // What takes long is asked for less often: on a slow machine 5 ms would be 500 event queues in a few seconds.
    await new Promise((resolve) => setTimeout(resolve, Date.now() - start > 1000 ? 250 : 5));
  }
}
