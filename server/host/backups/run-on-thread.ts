import { Worker } from "node:worker_threads";
import { type Problem, problemOf } from "../../errors.ts";
import type { BackupAbout, BackupJob } from "./backup-file.ts";
import { BackupFailed, PassphraseRefused } from "./errors.ts";
import type { GoBackOptions, MoveOptions, MovePhase } from "./move.ts";
import type { RestoreOptions, RestorePhase } from "./restore.ts";

/** In the same folder as this file, also after bundling (main/vite.config.ts). */
const THREAD = new URL(import.meta.url.endsWith(".ts") ? "./backup-thread.ts" : "./backup-thread.js", import.meta.url);

export type BackupTask =
  | { kind: "make"; job: BackupJob }
  /** With a passphrase, also checks that it opens the secret in the backup. */
  | { kind: "verify"; path: string; passphrase?: string | undefined }
  | { kind: "list"; folder: string; names: readonly string[] }
  | { kind: "preview restore" | "restore"; options: RestoreTask }
  /** Counts the bytes that a move would copy. */
  | { kind: "measure"; folder: string }
  | { kind: "move"; move: MoveOptions }
  | { kind: "go back"; back: GoBackOptions };

/** The part of RestoreOptions that can be sent to a thread. */
export type RestoreTask = Pick<RestoreOptions, "path" | "folder" | "passphrase" | "endAllKeys"> & {
  segmentSize: number | undefined;
};

export interface ListedBackup {
  /** File name. */
  name: string;
  size: number;
  /** A problem says why the backup cannot be read. */
  about: BackupAbout | Problem;
}

export interface BackupThreadData {
  task: BackupTask;
  /** PaceSetter.shared. */
  pace: SharedArrayBuffer;
}

export type WorkPhase = MovePhase | RestorePhase;

export type BackupNews =
  | { type: "database copied" }
  | { type: "advanced"; done: number; total: number; phase?: WorkPhase };

/**
 * Runs a task on a thread of its own; `signal` kills it. Rejects with PassphraseRefused, or with a BackupFailed that
 * has code, path and syscall of the system error.
 */
export function runOnThread<Result>(
  task: BackupTask,
  {
    pace = new SharedArrayBuffer(4),
    on = () => {},
    signal,
  }: { pace?: SharedArrayBuffer; on?: (message: BackupNews) => void; signal?: AbortSignal | undefined } = {},
): Promise<Result> {
  const thread = new Worker(THREAD, { name: "backups", workerData: { task, pace } satisfies BackupThreadData });
  const end = () => void thread.terminate();
  if (signal?.aborted) end();
  signal?.addEventListener("abort", end, { once: true });
  return threadOutcome<Result, BackupNews>(thread, { on, errorOf }).finally(() => {
    signal?.removeEventListener("abort", end);
  });
}

function errorOf({ name, problem }: ThreadFailure): Error {
  return name === "PassphraseRefused" ? new PassphraseRefused(problem) : new BackupFailed(problem);
}

/** The last message of a thread that runs one task. */
export type LastMessage<Result> =
  | { type: "done"; result: Result }
  | ({ type: "failed"; system: SystemError } & ThreadFailure);

interface ThreadFailure {
  name: string;
  problem: Problem;
}

/** The fields from which storage/disk-errors.ts makes a text. */
type SystemError = Pick<NodeJS.ErrnoException, "code" | "path" | "syscall">;

export function failedMessage(error: NodeJS.ErrnoException): LastMessage<never> {
  const { name, code, path, syscall } = error;
  const system = { ...(code && { code }), ...(path && { path }), ...(syscall && { syscall }) };
  return { type: "failed", name, problem: problemOf(error), system };
}

/**
 * The result of a thread. Settles only after the thread has exited, so that it no longer uses any file. `on` gets the
 * messages before the last one.
 */
export function threadOutcome<Result, News extends { type: string }>(
  thread: Worker,
  { on, errorOf }: { on: (message: News) => void; errorOf: (failure: ThreadFailure) => Error },
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let last: LastMessage<Result> = failedMessage(
      new Error(`The thread that works on ${thread.threadName} has ended.`),
    );
    thread.on("message", (message: LastMessage<Result> | News) => {
      if (message.type === "done" || message.type === "failed") last = message as LastMessage<Result>;
      else on(message as News);
    });
    thread.on("error", reject);
    thread.on("exit", () => {
      if (last.type === "done") resolve(last.result);
      else reject(Object.assign(errorOf(last), last.system));
    });
  });
}
