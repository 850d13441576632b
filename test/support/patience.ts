/**
 * How long a test waits for something to happen. It is no measure of speed: only what never happens takes this long, and
 * a machine that runs ten things at once stays far below it. test/run.ts gives a whole file more.
 */
export const PATIENCE_MS = 120_000;

/** Asks again until the answer is other than undefined. Less patience is for what comes by itself after a while. */
export async function until<T>(
  question: () => T | undefined | Promise<T | undefined>,
  what: string,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const found = await question();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`Waited ${patienceMs / 1000} s in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
