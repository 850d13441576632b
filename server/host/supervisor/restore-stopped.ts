import { restoreProblem } from "../backups/errors.ts";
import type { Restored } from "../backups/restore.ts";
import { finishRestore } from "../backups/restore-moves.ts";
import type { RestoreOutcome, RestoreRequest } from "../backups/restores.ts";
import { runOnThread, type WorkPhase } from "../backups/run-on-thread.ts";

export interface RestoreStopped {
  folder: string;
  request: RestoreRequest;
  segmentSize: number | undefined;
  /** Kills the restore. The current data stays, or the next start finishes the restore. */
  signal: AbortSignal;
  advanced?(progress: Progress): void;
}

export interface Progress {
  readonly phase: WorkPhase;
  /** Bytes. */
  readonly done: number;
  readonly total: number;
}

/** Runs the restore after the server has stopped. The caller holds the folder's lock. */
export async function restoreStopped(
  { folder, request, segmentSize, signal, advanced = () => {} }: RestoreStopped,
  run: typeof runOnThread = runOnThread,
): Promise<RestoreOutcome> {
  const { name, ...task } = request;
  const ended = (how: Pick<RestoreOutcome, "failure" | "aside" | "keys">) => ({ at: Date.now(), name, ...how });
  try {
    const options = { ...task, folder, segmentSize };
    const on: NonNullable<Parameters<typeof run>[1]>["on"] = (message) => {
      if (message.type !== "advanced") return;
      const { phase = "checking", done, total } = message;
      advanced({ phase, done, total });
    };
    const { aside = null, keys } = await run<Restored>({ kind: "restore", options }, { signal, on });
    return ended({ failure: null, aside, keys });
  } catch (error) {
    // If the disk failed during the last step, the restore still succeeds here.
    if (!signal.aborted && finishRestore(folder)) return ended({ failure: null, aside: null, keys: null });
    return ended({ failure: restoreProblem(error, folder), aside: null, keys: null });
  }
}
