import { Worker } from "node:worker_threads";
import type { BackupNews, BackupTask, BackupThreadData } from "./backup-thread.ts";
import { BackupFailed, PassphraseRefused } from "./errors.ts";
import { threadOutcome } from "./thread-outcome.ts";

/** In the same folder as this file, also after bundling (main/vite.config.ts). */
const THREAD = new URL(import.meta.url.endsWith(".ts") ? "./backup-thread.ts" : "./backup-thread.js", import.meta.url);

/**
 * Runs a task on a thread of its own; `signal` ends it at once, like a kill. Rejects with PassphraseRefused, or with
 * BackupFailed that has code, path and syscall of the disk's error.
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

function errorOf({ name, message }: { name: string; message: string }): Error {
  return name === "PassphraseRefused" ? new PassphraseRefused(message) : new BackupFailed(message);
}
