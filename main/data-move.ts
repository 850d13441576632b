import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { BackupFailed } from "../server/host/backups/errors.ts";
import type { Moved } from "../server/host/backups/move.ts";
import { moveOf, oldFolderOf, removeOldFolder, takeBack } from "../server/host/backups/move-marks.ts";
import { PACES } from "../server/host/backups/pace.ts";
import { runOnThread } from "../server/host/backups/run-on-thread.ts";
import { defaultDataFolder, folderContent, takeDataFolder } from "../server/host/supervisor/data-folder.ts";
import { takeLock } from "../server/host/supervisor/lock.ts";
import { moveProblemText, moveTarget } from "../server/host/supervisor/move-target.ts";
import type { SettingsFile } from "./app-settings.ts";
import type { FolderWork, MoveTarget } from "./bridge-types.ts";
import type { LocalServer } from "./local-server.ts";
import { errorTexts } from "./texts.ts";

export interface DataMoveOptions {
  settings: SettingsFile;
  server: LocalServer;
  dataFolder(): string;
  /** Runs the server as the settings say; throws if it does not start. */
  run(): Promise<void>;
  /** The same after a failure: asks the user what to do if it does not start. */
  recover(): void;
  report(line: string): void;
}

/** Moves the data folder of the desktop app, and goes back. The caller sees to it that one thing is done at a time. */
export class DataMove {
  readonly #options: DataMoveOptions;
  #state: FolderWork | null = null;
  /** What is being copied; cancelled by its number in memory. */
  #pace: Int32Array | undefined;

  constructor(options: DataMoveOptions) {
    this.#options = options;
  }

  get state(): FolderWork | null {
    return this.#state;
  }

  /** Until the new folder counts. */
  cancel(): void {
    if (this.#pace) Atomics.store(this.#pace, 0, PACES.ended);
  }

  /** Moves the folder and runs the server in its new place; false if it was cancelled, and the server runs as before. */
  async move(to: string): Promise<boolean> {
    const from = this.#options.dataFolder();
    const target = moveTarget(from, to, await bytesOf(from));
    if (target.problem !== null) throw new Error(moveProblemText({ ...target, problem: target.problem }));
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
      this.#options.report((error as Error).message); // the disk has failed after the new folder counted
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

  /** Runs the server in the folder that counts now; in the old one again if it does not start there. */
  async #beginIn(from: string, to: string): Promise<void> {
    const { settings, server, run, recover } = this.#options;
    try {
      settings.update({ dataFolder: to });
      await run();
    } catch (error) {
      if (server.isStopping) throw error; // the user has quit, and the next start goes on there
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

  /** Has the old folder count again, and runs the server there. */
  async goBack(): Promise<void> {
    const { settings, server, dataFolder, run, recover, report } = this.#options;
    const folder = dataFolder();
    if (!oldFolderOf(folder)) throw new BackupFailed(errorTexts.noOldFolder);
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
    if (!oldFolderOf(folder)) throw new BackupFailed(errorTexts.noOldFolder);
    await removeOldFolder(folder);
  }
}

/** A disk, or a folder with other files, gets a folder in it. */
export async function chosenTarget(from: string, chosen: string): Promise<MoveTarget> {
  const bytes = await bytesOf(from);
  const isFree = folderContent(chosen) === "nothing" && !isMount(chosen);
  return moveTarget(from, isFree || chosen === from ? chosen : join(chosen, "Hearth"), bytes);
}

/** On a thread: a folder may hold files by the hundred thousand, and the window waits for nothing. */
const bytesOf = (folder: string): Promise<number> => runOnThread<number>({ kind: "measure", folder });

const isMount = (folder: string): boolean =>
  statSync(folder, { throwIfNoEntry: false })?.dev !== statSync(dirname(folder), { throwIfNoEntry: false })?.dev;
