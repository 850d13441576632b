import { statSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { realFiles } from "../../storage/files.ts";
import {
  aboutBackup,
  type BackupAbout,
  type BackupJob,
  type FinishedBackup,
  verifyBackup,
  writeBackup,
} from "./backup-file.ts";
import { filesToMove } from "./folder-files.ts";
import type { GoBackOptions, Moved, MoveOptions, MovePhase } from "./move.ts";
import type { Restored, RestoreOptions, RestorePhase, RestorePreview } from "./restore.ts";
import { Rests } from "./rests.ts";
import { openSecret } from "./sealed-secret.ts";
import { failedMessage, type LastMessage } from "./thread-outcome.ts";

/*
 * Reads, compresses and writes apart from the server's thread, and with calls that block: those that do not would take
 * Node's four threads for files from the log.
 */

export type BackupTask =
  | { kind: "make"; job: BackupJob }
  /** `passphrase`: whether it opens what the backup holds under one. */
  | { kind: "verify"; path: string; passphrase?: string | undefined }
  | { kind: "list"; folder: string; names: readonly string[] }
  | { kind: "preview restore" | "restore"; options: RestoreTask }
  /** Counts the bytes that a move would copy. */
  | { kind: "measure"; folder: string }
  | { kind: "move"; move: MoveOptions }
  | { kind: "go back"; back: GoBackOptions };

/** As much of RestoreOptions as can be sent to a thread. */
export type RestoreTask = Pick<RestoreOptions, "path" | "folder" | "passphrase" | "endAllKeys"> & {
  segmentSize: number | undefined;
};

export interface ListedBackup {
  /** Of the file. */
  name: string;
  size: number;
  /** What it says of itself, or why it cannot be read. */
  about: BackupAbout | string;
}

export interface BackupThreadData {
  task: BackupTask;
  /** One number, which the server's thread may set at any time: one of PACES. */
  pace: SharedArrayBuffer;
}

type Result = FinishedBackup | ListedBackup[] | RestorePreview | Restored | Moved | string | number;

/** Of a move or a restore. */
export type WorkPhase = MovePhase | RestorePhase;

export type BackupNews =
  | { type: "database copied" }
  | { type: "advanced"; done: number; total: number; phase?: WorkPhase };

/** Of progress, in milliseconds. */
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
  if (task.kind === "measure") return filesToMove(task.folder).bytes;
  if (task.kind === "list") return task.names.map((name) => listed(join(task.folder, name), name));
  if ("options" in task) {
    // Imported here only: it loads the storage.
    const { previewRestore, restoreBackup } = await import("./restore.ts");
    const { segmentSize, ...options } = task.options;
    const testing = segmentSize === undefined ? {} : { segmentSize };
    if (task.kind === "preview restore") return previewRestore({ ...options, testing });
    const report = (phase: WorkPhase, done: number, total: number) => advanced(done, total, phase);
    return restoreBackup({ ...options, testing, advanced: report });
  }
  if (task.kind === "move" || task.kind === "go back") {
    const { goBack, moveFolder } = await import("./move.ts");
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
    return { name, size, about: (error as Error).message };
  }
}

run().then(
  (result) => post({ type: "done", result }),
  (error: NodeJS.ErrnoException) => post(failedMessage(error)),
);
