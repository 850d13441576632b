import { setImmediate, setTimeout } from "node:timers/promises";
import { StorageClosed, StorageFailed } from "../storage/errors.ts";
import type { Store } from "../storage/store.ts";
import { improveIndex, purgeIndex } from "./index-writes.ts";
import { isIndexDamaged, unindexed } from "./search-index.ts";

/** After so many messages at once a checkpoint saves the index, so that the next start need not repeat the work. */
const MIN_UNSAVED = 20_000;
const LOOK_EVERY_MS = 250;
/** While users write, indexing waits for so many messages, since each segment of the index has a fixed cost. */
const WORTHWHILE = 300;
/** After ten minutes without a write, words of deleted messages may go: while the index is made anew, searches wait. */
const QUIET_LOOKS = 600_000 / LOOK_EVERY_MS;
/** After a failure the next try waits twice as long each time, up to this. */
const MAX_WAIT_MS = 60_000;
/** As long as a slice, so that requests get half of the time. */
const PAUSE_MS = 10;

/**
 * Indexes new and changed messages for search, in slices between requests. Searches also find messages that are not
 * indexed yet (queries/search-index.ts), but slowly: so these must stay few.
 */
export function startIndexing(how: {
  store: Store;
  report: (message: string, error: unknown) => void;
  /** For tests without a clock. */
  wait?: (ms: number) => Promise<unknown>;
}): { stop(): void } {
  const ended = new AbortController();
  void keepIndexed(how, ended.signal);
  return { stop: () => ended.abort() };
}

const waitFor = (ms: number) => setTimeout(ms, undefined, { ref: false });

async function keepIndexed(
  { store, report, wait = waitFor }: Parameters<typeof startIndexing>[0],
  ended: AbortSignal,
): Promise<void> {
  let seq = store.seq;
  let pause = LOOK_EVERY_MS;
  let quietLooks = 0;
  for (;;) {
    await wait(pause);
    if (ended.aborted) return;
    const quiet = seq === store.seq;
    seq = store.seq;
    quietLooks = quiet ? quietLooks + 1 : 0;
    try {
      if (quietLooks > 0 && quietLooks % QUIET_LOOKS === 0) store.maintain(purgeIndex);
      const waiting = unindexed(store.reader);
      if (waiting === 0 || (waiting < WORTHWHILE && !quiet)) continue;
      await answersOut(store);
      const reportDamage = () => {
        if (isIndexDamaged(store.reader)) report("The search index is damaged: it is made anew", undefined);
      };
      reportDamage();
      while (!ended.aborted && !improveIndex(store)) {
        reportDamage();
        await wait(PAUSE_MS);
        await answersOut(store);
      }
      pause = LOOK_EVERY_MS;
      if (ended.aborted) return;
      if (waiting >= MIN_UNSAVED) {
        const failed = (error: unknown) => ended.aborted || report("The checkpoint could not be made", error);
        void store.checkpoint().catch(failed);
      }
    } catch (error) {
      if (error instanceof StorageClosed || error instanceof StorageFailed) return;
      report("The search index could not be brought up to date", error);
      pause = Math.min(2 * pause, MAX_WAIT_MS);
    }
  }
}

/** Waits until pending answers are sent: a slice never delays the answer to a send. */
async function answersOut(store: Store): Promise<void> {
  await store.durable();
  await setImmediate();
}
