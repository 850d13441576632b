import { Refusal } from "../../api/client.ts";
import { pause } from "../../api/live.ts";

export interface Failure<Item> {
  readonly item: Item;
  readonly error: unknown;
}

export interface BulkActionOptions<Item> {
  items: readonly Item[];
  /** Applies the action to all of these items, or to none. */
  run(items: readonly Item[]): Promise<unknown>;
  /** The number of items per call. */
  batchSize: number;
  onProgress(done: number, failures: readonly Failure<Item>[]): void;
  /** Stops between two calls. */
  signal: AbortSignal;
}

/** The pause after a rate limit without `retry-after`. */
const PAUSE_MS = 5_000;

/**
 * Applies an action to many items in batches. If a batch fails, each of its items is tried alone, to find which failed
 * and why. It waits after rate limits.
 */
export async function runBulkAction<Item>(options: BulkActionOptions<Item>): Promise<void> {
  const { items, run, batchSize, onProgress, signal } = options;
  const failures: Failure<Item>[] = [];
  let done = 0;

  const attempt = async (batch: readonly Item[]): Promise<void> => {
    while (!signal.aborted) {
      try {
        await run(batch);
        done += batch.length;
        return onProgress(done, failures);
      } catch (error) {
        if (error instanceof Refusal && error.code === "RATE_LIMIT_HIT") {
          const seconds = Number(error.data["retry-after"]);
          await pause(Number.isFinite(seconds) ? seconds * 1000 : PAUSE_MS, signal);
          continue;
        }
        if (batch.length > 1) {
          for (const item of batch) await attempt([item]);
          return;
        }
        failures.push({ item: batch[0] as Item, error });
        done += 1;
        return onProgress(done, failures);
      }
    }
  };

  for (let at = 0; at < items.length && !signal.aborted; at += batchSize)
    await attempt(items.slice(at, at + batchSize));
}
