import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { problem } from "../server/errors.ts";
import { BackupFailed } from "../server/host/backups/errors.ts";
import type { Moved } from "../server/host/backups/move.ts";
import { moveOf, oldFolderOf, removeOldFolder, takeBack } from "../server/host/backups/move-marks.ts";
import { PACES } from "../server/host/backups/pace.ts";
import { runOnThread } from "../server/host/backups/run-on-thread.ts";
import { defaultDataFolder, folderContent, takeDataFolder } from "../server/host/supervisor/data-folder.ts";
import { takeLock } from "../server/host/supervisor/lock.ts";
import { moveFailure, moveTarget } from "../server/host/supervisor/move-target.ts";
import type { SettingsFile } from "./app-settings.ts";
import type { FolderWork, MoveTarget } from "./bridge-types.ts";
import type { LocalServer } from "./local-server.ts";

export interface DataMoveOptions {
  settings: SettingsFile;
  server: LocalServer;
  dataFolder(): string;
  /** Runs the server with the current settings. Throws if it does not start. */
  run(): Promise<void>;
  /** Like `run`, but asks the user what to do if the server does not start. */
  recover(): void;
  report(line: string): void;
}

/** Moves the data folder and reverts a move. The caller runs one operation at a time. */
export class DataMove {
  readonly #options: DataMoveOptions;
  #state: FolderWork | null = null;
  /** Controls the pace of the running copy. */
  #pace: Int32Array | undefined;

  constructor(options: DataMoveOptions) {
    this.#options = options;
  }

  get state(): FolderWork | null {
    return this.#state;
  }

  /** No effect after the new folder is valid. */
  cancel(): void {
    if (this.#pace) Atomics.store(this.#pace, 0, PACES.ended);
  }

  /** Returns false if the user canceled and the server runs in the old folder. */
  async move(to: string): Promise<boolean> {
    const from = this.#options.dataFolder();
    const target = moveTarget(from, to, await bytesOf(from));
    if (target.problem !== null) throw moveFailure({ ...target, problem: target.problem });
    const pace = new SharedArrayBuffer(4);
    this.#pace = new Int32Array(pace);
    this.#state = { kind: "move", phase: "stopping", done: 0, total: target.bytes };
    try {
      await this.#copy({ from, to, pace });
    } catch (error) {
      if (moveOf(from)?.step !== "moved") {
        const isCancelled = Atomics.load(this.#pace, 0) === PACES.ended;
        this.#options.recover();
        if (isCancelled) return false;
        throw error;
      }
      this.#options.report((error as Error).message); // the disk failed after the new folder became valid
    } finally {
      this.#pace = undefined;
      this.#state = null;
    }
    this.#state = { kind: "move", phase: "starting", done: target.bytes, total: target.bytes };
    try {
      await this.#beginIn(from, to);
    } finally {
      this.#state = null;
    }
    return true;
  }

  async #copy({ from, to, pace }: { from: string; to: string; pace: SharedArrayBuffer }): Promise<void> {
    const { server, report } = this.#options;
    await server.stoppedFor(async (signal) => {
      const cancel = () => this.cancel();
      signal.addEventListener("abort", cancel, { once: true });
      const lock = await takeDataFolder(from, { report, signal });
      try {
        await runOnThread<Moved>(
          { kind: "move", move: { from, to } },
          {
            pace,
            on: (message) => {
              if (message.type !== "advanced") return;
              const { phase = "copying", done, total } = message;
              this.#state = { kind: "move", phase, done, total };
            },
          },
        );
      } finally {
        signal.removeEventListener("abort", cancel);
        lock.release();
      }
    });
  }

  /** Runs the server in the new folder. If it does not start, reverts to the old folder. */
  async #beginIn(from: string, to: string): Promise<void> {
    const { settings, server, run, recover } = this.#options;
    try {
      settings.update({ dataFolder: to });
      await run();
    } catch (error) {
      if (server.isStopping) throw error; // the user has quit, and the next start uses the new folder
      await server.stoppedFor(async () => {
        const lock = takeLock(from);
        try {
          takeBack(from);
        } finally {
          lock.release();
        }
        settings.update({ dataFolder: from === defaultDataFolder() ? null : from });
      });
      recover();
      throw error;
    }
  }

  /** Reverts the move and runs the server in the old folder. */
  async goBack(): Promise<void> {
    const { settings, server, dataFolder, run, recover, report } = this.#options;
    const folder = dataFolder();
    if (!oldFolderOf(folder)) throw new BackupFailed(problem("previous_folder_gone"));
    try {
      const old = await server.stoppedFor(async (signal) => {
        const lock = await takeDataFolder(folder, { report, signal });
        try {
          return await runOnThread<string>({ kind: "go back", back: { folder } });
        } finally {
          lock.release();
        }
      });
      settings.update({ dataFolder: old === defaultDataFolder() ? null : old });
      await run();
    } catch (error) {
      recover();
      throw error;
    }
  }

  async removeOld(): Promise<void> {
    const folder = this.#options.dataFolder();
    if (!oldFolderOf(folder)) throw new BackupFailed(problem("previous_folder_gone"));
    await removeOldFolder(folder);
  }
}

/** On a mount point, or in a folder with other files, the target is a new folder inside. */
export async function chosenTarget(from: string, chosen: string): Promise<MoveTarget> {
  const bytes = await bytesOf(from);
  const isFree = folderContent(chosen) === "nothing" && !isMount(chosen);
  return moveTarget(from, isFree || chosen === from ? chosen : join(chosen, "Hearth"), bytes);
}

/** On a thread, because hundreds of thousands of files would block the window. */
const bytesOf = (folder: string): Promise<number> => runOnThread<number>({ kind: "measure", folder });

const isMount = (folder: string): boolean =>
  statSync(folder, { throwIfNoEntry: false })?.dev !== statSync(dirname(folder), { throwIfNoEntry: false })?.dev;
