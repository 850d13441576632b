import { setTimeout } from "node:timers/promises";
import { DAMAGE_REPORT, recordChecksum, recordDamage, UploadDamaged } from "../api/actions/files.ts";
import { fileAfter, fileByName, type RecordedFile } from "../api/queries/files.ts";
import type { StoredFiles } from "../media/files/stored-files.ts";
import { StorageClosed, StorageFailed } from "../storage/errors.ts";
import type { Store } from "../storage/store.ts";

/*
 * Disks can damage data that no one has read for years, and a backup helps only while it still has a good copy. So these
 * chores slowly read the whole database and all uploads while no one writes.
 */

const LOOK_EVERY_MS = 60_000;
/** 256 kB four times a second is 1 MB a second: a hundredth of what a slow disk reads. */
const DATABASE = { pagesAtOnce: 64, pauseMs: 250 };
/** After each piece of up to 1 MB. */
const UPLOAD_PAUSE_MS = 500;
/** After everything was read. */
const REST_MS = 86_400_000;

interface Scrub {
  store: Store;
  report: (message: string, error: unknown) => void;
  /** For tests without a clock. */
  wait?: (ms: number, ended: AbortSignal) => Promise<unknown>;
}

/** One step of a scrub. Returns the pause before the next step in milliseconds. */
type Step = (context: { wait: (ms: number) => Promise<unknown>; isEnded: () => boolean }) => Promise<number>;

// An abort must end the wait: its timer would otherwise keep the store in memory for a day.
const waitFor = (ms: number, ended: AbortSignal) =>
  setTimeout(ms, undefined, { ref: false, signal: ended }).catch(() => {});

function start({ store, report, wait = waitFor }: Scrub, failure: string, step: Step): { stop(): Promise<void> } {
  const ended = new AbortController();
  const { signal } = ended;
  const context = { wait: (ms: number) => wait(ms, signal), isEnded: () => signal.aborted };
  const run = async () => {
    let seq = -1;
    for (let pause = LOOK_EVERY_MS; ; ) {
      if (pause > 0) await wait(pause, signal);
      if (signal.aborted) return;
      const isQuiet = seq === store.seq;
      seq = store.seq;
      pause = LOOK_EVERY_MS;
      if (!isQuiet) continue;
      try {
        pause = await step(context);
        // A step that continues immediately has only written its own result.
        if (pause === 0) seq = store.seq;
      } catch (error) {
        if (error instanceof StorageClosed || error instanceof StorageFailed || signal.aborted) return;
        report(failure, error);
      }
    }
  };
  const done = run();
  return {
    stop: () => {
      ended.abort();
      return done;
    },
  };
}

/** Compares all pages of the database with their checksums. */
export function startScrub(how: Scrub): { stop(): Promise<void> } {
  const { store, report } = how;
  let next = 0;
  return start(how, "The database could not be checked", async () => {
    const page = next;
    next += DATABASE.pagesAtOnce;
    if (next >= store.pages) next = 0;
    for (const damage of await store.damagedAmong(page, DATABASE.pagesAtOnce))
      report(`A page of the database is damaged. "hearth check" says what it belongs to`, damage);
    return next === 0 ? REST_MS : DATABASE.pauseMs;
  });
}

/** Compares all uploads with their checksums. */
export function startUploadScrub(how: Scrub & { files: StoredFiles }): { stop(): Promise<void> } {
  const { store, files, report } = how;
  let name = "";
  return start(how, "The uploads could not be checked", async ({ wait, isEnded }) => {
    const file = fileAfter(store.reader, name);
    name = file?.name ?? "";
    if (!file) return REST_MS;
    const { seq } = store;
    const found = await files.digestOf(file, async () => {
      await wait(UPLOAD_PAUSE_MS);
      if (isEnded()) throw new StorageClosed();
    });
    const isQuiet = seq === store.seq;
    recordResult(store, file, found, report);
    return isQuiet ? 0 : LOOK_EVERY_MS;
  });
}

function recordResult(store: Store, before: RecordedFile, found: string | undefined, report: Scrub["report"]): void {
  // The file may have been deleted while it was read.
  const file = fileByName(store.reader, before.name);
  if (!file) return;
  const isDamaged = found === undefined || (file.sha256 !== null && found !== file.sha256);
  const isNew = isDamaged !== (file.damaged_at !== null);
  if (isDamaged && isNew) report(DAMAGE_REPORT, new UploadDamaged(store.reader, file));
  if (!isNew && (file.sha256 !== null || found === undefined)) return;
  store.transact({ actor: null, action: "note checked upload" }, (tx) => {
    if (found !== undefined) recordChecksum(tx, file.name, found);
    if (isNew) recordDamage(tx, isDamaged ? { damaged: [file.name], sound: [] } : { damaged: [], sound: [file.name] });
  });
}
