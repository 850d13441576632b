import { Worker } from "node:worker_threads";
import type { BackupTask, BackupThreadData, FromBackupThread } from "./backup-thread.ts";
import { BackupFailed, PassphraseRefused } from "./errors.ts";

/** In the same folder as this file, also after bundling (main/vite.config.ts). */
const THREAD = new URL(import.meta.url.endsWith(".ts") ? "./backup-thread.ts" : "./backup-thread.js", import.meta.url);

type Meanwhile = Extract<FromBackupThread, { type: "database copied" | "advanced" }>;

/**
 * Runs a task on a thread of its own; `signal` ends it at once, like a kill. Rejects with PassphraseRefused, or with
 * BackupFailed that has the code of the disk's error.
 */
export function runOnThread<Result>(
  task: BackupTask,
  {
    pace = new SharedArrayBuffer(4),
    on = () => {},
    signal,
  }: { pace?: SharedArrayBuffer; on?: (message: Meanwhile) => void; signal?: AbortSignal | undefined } = {},
): Promise<Result> {
  const thread = new Worker(THREAD, { name: "backups", workerData: { task, pace } satisfies BackupThreadData });
  return new Promise<Result>((resolve, reject) => {
    let settle = () => reject(new BackupFailed("The thread that works on backups has ended."));
    thread.on("message", (message: FromBackupThread) => {
      if (message.type === "done") settle = () => resolve(message.result as Result);
      else if (message.type === "failed") settle = () => reject(errorOf(message));
      else on(message);
    });
    thread.on("error", reject);
    const end = () => void thread.terminate();
    if (signal?.aborted) end();
    signal?.addEventListener("abort", end, { once: true });
    // Only then, so that nothing of it is left when the caller goes on.
    thread.on("exit", () => {
      signal?.removeEventListener("abort", end);
      settle();
    });
  });
}

function errorOf({ name, message, code }: Extract<FromBackupThread, { type: "failed" }>): Error {
  if (name === "PassphraseRefused") return new PassphraseRefused(message);
  return Object.assign(new BackupFailed(message), code !== undefined && { code });
}
