import { setTimeout } from "node:timers/promises";
import { StorageClosed, StorageFailed } from "../storage/errors.ts";
import type { Store } from "../storage/store.ts";

const LOOK_EVERY_MS = 60_000;
/** 256 kB, four times in a second: 1 MB a second is a hundredth of what a slow disk reads. */
const PAGES_AT_ONCE = 64;
const PAUSE_MS = 250;
/** After all pages were read. */
const REST_MS = 86_400_000;

/** Until the end comes, too: a timer would keep the whole store in memory for a day. */
const waitFor = (ms: number, ended: AbortSignal) =>
  setTimeout(ms, undefined, { ref: false, signal: ended }).catch(() => {});

/**
 * Reads the whole database while nobody writes, and reports pages that are not as they were written: a disk may spoil
 * what nobody has looked at for years, and a backup helps only while there is a good one.
 */
export function startScrub(how: {
  store: Store;
  report: (message: string, error: unknown) => void;
  /** For tests without a clock. */
  wait?: (ms: number, ended: AbortSignal) => Promise<unknown>;
}): { stop(): Promise<void> } {
  const ended = new AbortController();
  const done = scrub(how, ended.signal);
  return {
    stop: () => {
      ended.abort();
      return done;
    },
  };
}

async function scrub(
  { store, report, wait = waitFor }: Parameters<typeof startScrub>[0],
  ended: AbortSignal,
): Promise<void> {
  let [page, seq] = [0, -1];
  await wait(LOOK_EVERY_MS, ended);
  while (!ended.aborted) {
    const quiet = seq === store.seq;
    seq = store.seq;
    if (!quiet) {
      await wait(LOOK_EVERY_MS, ended);
      continue;
    }
    try {
      for (const damage of await store.damagedAmong(page, PAGES_AT_ONCE))
        report(`A page of the database is damaged. "hearth check" says what it belongs to`, damage);
    } catch (error) {
      if (error instanceof StorageClosed || error instanceof StorageFailed || ended.aborted) return;
      report("The database could not be checked", error);
    }
    page += PAGES_AT_ONCE;
    const done = page >= store.pages;
    if (done) page = 0;
    await wait(done ? REST_MS : PAUSE_MS, ended);
  }
}
