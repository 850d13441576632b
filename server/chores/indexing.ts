import { setImmediate, setTimeout } from "node:timers/promises";
import { improveIndex } from "../actions/message-search.ts";
import { isIndexDamaged, unindexed } from "../queries/search-index.ts";
import { StorageClosed, StorageFailed } from "../storage/errors.ts";
import type { Store } from "../storage/store.ts";

/** After so many at once a checkpoint keeps the index, so that the next start need not make it again. */
const MIN_UNSAVED = 20_000;
const LOOK_EVERY_MS = 250;
/** So many are put in at once while people are writing; fewer when it is quiet. Each part costs as much as some messages. */
const WORTHWHILE = 300;
/** After a failure the next try waits twice as long each time, up to this. */
const MAX_WAIT_MS = 60_000;
/** As long as a slice: whoever asks for something meanwhile comes first, and half of the time is theirs. */
const PAUSE_MS = 10;

/**
 * Puts new and changed messages into the search index, in slices between requests. What is not in it yet is found all
 * the same (queries/search-index.ts): this only keeps that little.
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
  for (;;) {
    await wait(pause);
    if (ended.aborted) return;
    const quiet = seq === store.seq;
    seq = store.seq;
    try {
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

/** What waits for the disk now is answered first: a slice never comes between a send and its answer. */
async function answersOut(store: Store): Promise<void> {
  await store.durable();
  await setImmediate();
}
