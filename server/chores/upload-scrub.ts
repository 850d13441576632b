import { setTimeout } from "node:timers/promises";
import { DAMAGE_REPORT, recordChecksum, recordDamage, UploadDamaged } from "../api/actions/files.ts";
import { fileAfter, fileByName, type RecordedFile } from "../api/queries/files.ts";
import type { StoredFiles } from "../media/files/stored-files.ts";
import { StorageClosed, StorageFailed } from "../storage/errors.ts";
import type { Store } from "../storage/store.ts";

const LOOK_EVERY_MS = 60_000;
/** After each piece of up to 1 MB. */
const PAUSE_MS = 500;
/** After all files were read. */
const REST_MS = 86_400_000;

const waitFor = (ms: number, ended: AbortSignal) =>
  setTimeout(ms, undefined, { ref: false, signal: ended }).catch(() => {});

interface Scrub {
  store: Store;
  files: StoredFiles;
  report: (message: string, error: unknown) => void;
  /** For tests without a clock. */
  wait?: (ms: number, ended: AbortSignal) => Promise<unknown>;
}

/**
 * Reads all uploads while nobody writes, and compares them with their checksums: nobody else notices that a file which
 * no one has opened for years is not what was uploaded.
 */
export function startUploadScrub(how: Scrub): { stop(): Promise<void> } {
  const ended = new AbortController();
  const done = scrub(how, ended.signal);
  return {
    stop: () => {
      ended.abort();
      return done;
    },
  };
}

async function scrub({ store, files, report, wait = waitFor }: Scrub, ended: AbortSignal): Promise<void> {
  let [name, seq] = ["", -1];
  await wait(LOOK_EVERY_MS, ended);
  while (!ended.aborted) {
    const quiet = seq === store.seq;
    seq = store.seq;
    if (!quiet) {
      await wait(LOOK_EVERY_MS, ended);
      continue;
    }
    try {
      const file = fileAfter(store.reader, name);
      name = file?.name ?? "";
      if (!file) {
        await wait(REST_MS, ended);
        continue;
      }
      const found = await files.digestOf(file, async () => {
        await wait(PAUSE_MS, ended);
        if (ended.aborted) throw new StorageClosed();
      });
      if (note(store, file, found, report)) seq = store.seq;
    } catch (error) {
      if (error instanceof StorageClosed || error instanceof StorageFailed || ended.aborted) return;
      report("The uploads could not be checked", error);
      await wait(LOOK_EVERY_MS, ended);
    }
  }
}

/** Whether anything was written. */
function note(store: Store, before: RecordedFile, found: string | undefined, report: Scrub["report"]): boolean {
  // It may have been deleted while it was read.
  const file = fileByName(store.reader, before.name);
  if (!file) return false;
  const isDamaged = found === undefined || (file.sha256 !== null && found !== file.sha256);
  const isNew = isDamaged !== (file.damaged_at !== null);
  if (isDamaged && isNew) report(DAMAGE_REPORT, new UploadDamaged(store.reader, file));
  if (!isNew && (file.sha256 !== null || found === undefined)) return false;
  store.transact({ actor: null, action: "note checked upload" }, (tx) => {
    if (found !== undefined) recordChecksum(tx, file.name, found);
    if (isNew) recordDamage(tx, isDamaged ? { damaged: [file.name], sound: [] } : { damaged: [], sound: [file.name] });
  });
  return true;
}
