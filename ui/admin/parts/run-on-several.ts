import { Refusal } from "../../api/client.ts";
import { pause } from "../../api/live.ts";

export interface Failure<Item> {
  readonly item: Item;
  readonly error: unknown;
}

export interface SeveralOptions<Item> {
  items: readonly Item[];
  /** Does it to these at once, to all or to none. */
  run(items: readonly Item[]): Promise<unknown>;
  /** How many one call takes. */
  batchSize: number;
  onProgress(done: number, failures: readonly Failure<Item>[]): void;
  /** Ends it between two calls. */
  signal: AbortSignal;
}

/** Where the server says that it was asked too often, and not for how long. */
const PAUSE_MS = 5_000;

/**
 * Does the same to many things, batch after batch. Where a batch is refused, each of its things is tried alone, so that
 * it is known which were refused and why. It waits when the server asks for that.
 */
export async function runOnSeveral<Item>(options: SeveralOptions<Item>): Promise<void> {
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
