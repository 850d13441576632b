import { statSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { realFiles } from "../storage/files.ts";
import {
  aboutBackup,
  type BackupAbout,
  type BackupJob,
  type FinishedBackup,
  verifyBackup,
  writeBackup,
} from "./backup-file.ts";
import { PACES } from "./pace.ts";
import type { Restored, RestoreOptions, RestorePreview } from "./restore.ts";

/*
 * Reads, compresses and writes apart from the server's thread, and with calls that block: those that do not would take
 * Node's four threads for files from the log.
 */

export type BackupTask =
  | { kind: "make"; job: BackupJob }
  | { kind: "verify"; path: string }
  | { kind: "list"; folder: string; names: readonly string[] }
  | { kind: "preview restore" | "restore"; options: RestoreTask };

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

type Result = FinishedBackup | ListedBackup[] | RestorePreview | Restored;

export type FromBackupThread =
  | { type: "database copied" }
  | { type: "advanced"; done: number; total: number }
  | { type: "done"; result: Result }
  | { type: "failed"; name: string; message: string; code: string | undefined };

/** Of progress, in milliseconds. */
const REPORT_MS = 200;
/** At most, for each megabyte. */
const MAX_REST_MS = 100;

/** Blocks for as long as the last work took; throws when the server stops. */
class Rests {
  readonly #pace: Int32Array;
  #since = performance.now();

  constructor(pace: SharedArrayBuffer) {
    this.#pace = new Int32Array(pace);
  }

  rest(): void {
    if (Atomics.load(this.#pace, 0) === PACES.ended) throw new Error("The server stops.");
    const worked = performance.now() - this.#since;
    if (worked >= 1) Atomics.wait(this.#pace, 0, PACES.gentle, Math.min(worked, MAX_REST_MS));
    this.#since = performance.now();
  }
}

const port = parentPort;
if (!port) throw new Error("server/backups/backup-thread.ts runs as a worker thread: use server/backups/backups.ts.");
const post = (message: FromBackupThread) => port.postMessage(message);
const { task, pace } = workerData as BackupThreadData;
const rests = new Rests(pace);
let reportedAt = 0;
const advanced = (done: number, total: number) => {
  if (performance.now() - reportedAt < REPORT_MS) return;
  reportedAt = performance.now();
  post({ type: "advanced", done, total });
};

async function run(): Promise<Result> {
  if (task.kind === "list") return task.names.map((name) => listed(join(task.folder, name), name));
  if ("options" in task) {
    // Imported here only: it loads the storage.
    const { previewRestore, restoreBackup } = await import("./restore.ts");
    const { segmentSize, ...options } = task.options;
    const testing = segmentSize === undefined ? {} : { segmentSize };
    return (task.kind === "restore" ? restoreBackup : previewRestore)({ ...options, testing });
  }
  if (task.kind === "make")
    return writeBackup(realFiles, task.job, {
      databaseCopied: () => post({ type: "database copied" }),
      advanced,
      paused: () => rests.rest(),
    });
  return verifyBackup(realFiles, task.path, {
    advanced: (done, total) => {
      advanced(done, total);
      rests.rest();
    },
  });
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
  (error: NodeJS.ErrnoException) =>
    post({ type: "failed", name: error.name, message: error.message, code: error.code }),
);
