import { statSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { problemOf } from "../../errors.ts";
import { realFiles } from "../../storage/files.ts";
import { aboutBackup, type FinishedBackup, verifyBackup, writeBackup } from "./backup-file.ts";
import { openSecret } from "./backup-key.ts";
import type { Moved } from "./move.ts";
import { Rests } from "./pace.ts";
import type { Restored, RestorePreview } from "./restore.ts";
import {
  type BackupNews,
  type BackupThreadData,
  failedMessage,
  type LastMessage,
  type ListedBackup,
  type WorkPhase,
} from "./run-on-thread.ts";

/*
 * Reads, compresses and writes on a thread of its own, with calls that block. Asynchronous calls would occupy the four
 * file threads of Node that the log needs.
 */

type Result = FinishedBackup | ListedBackup[] | RestorePreview | Restored | Moved | string | number;

/** Minimum time between two progress messages of one phase. */
const REPORT_MS = 200;

const port = parentPort;
if (!port)
  throw new Error("server/host/backups/backup-thread.ts runs as a worker thread: use server/host/backups/backups.ts.");
const post = (message: BackupNews | LastMessage<Result>) => port.postMessage(message);
const { task, pace } = workerData as BackupThreadData;
const rests = new Rests(pace);
let reported = { at: Number.NEGATIVE_INFINITY, phase: undefined as WorkPhase | undefined };
const advanced = (done: number, total: number, phase?: WorkPhase) => {
  const at = performance.now();
  if (at - reported.at < REPORT_MS && phase === reported.phase) return;
  reported = { at, phase };
  post({ type: "advanced", done, total, ...(phase && { phase }) });
};

async function run(): Promise<Result> {
  if (task.kind === "list") return task.names.map((name) => listed(join(task.folder, name), name));
  if ("options" in task) {
    // Not at the top: it loads the storage.
    const { previewRestore, restoreBackup } = await import("./restore.ts");
    const { segmentSize, ...options } = task.options;
    const testing = segmentSize === undefined ? {} : { segmentSize };
    if (task.kind === "preview restore") return previewRestore({ ...options, testing });
    const report = (phase: WorkPhase, done: number, total: number) => advanced(done, total, phase);
    return restoreBackup({ ...options, testing, advanced: report });
  }
  if (task.kind === "measure" || task.kind === "move" || task.kind === "go back") {
    const { filesToMove, goBack, moveFolder } = await import("./move.ts");
    if (task.kind === "measure") return filesToMove(task.folder).bytes;
    if (task.kind === "go back") return goBack(task.back);
    return moveFolder(task.move, {
      advanced: (phase, done, total) => advanced(done, total, phase),
      paused: () => rests.check(),
    });
  }
  if (task.kind === "make")
    return writeBackup(realFiles, task.job, {
      databaseCopied: () => post({ type: "database copied" }),
      advanced,
      paused: () => rests.rest(),
    });
  let sealed: Buffer | undefined;
  const found = verifyBackup(realFiles, task.path, {
    advanced: (done, total) => {
      advanced(done, total);
      rests.rest();
    },
    secret: (bytes) => {
      sealed = bytes;
    },
  });
  if (sealed && task.passphrase !== undefined) await openSecret(sealed, task.passphrase);
  return found;
}

function listed(path: string, name: string): ListedBackup {
  try {
    return { name, ...aboutBackup(realFiles, path) };
  } catch (error) {
    const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
    return { name, size, about: problemOf(error) };
  }
}

run().then(
  (result) => post({ type: "done", result }),
  (error: NodeJS.ErrnoException) => post(failedMessage(error)),
);
