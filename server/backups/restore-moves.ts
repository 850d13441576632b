import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Files, readFully, realFiles, replaceFile } from "../storage/files.ts";

/*
 * The end of a restore, in a file of its own, since each start looks whether there is one to finish: it is to load no
 * more than it needs.
 */

/** In the data folder, while a restore moves files. It holds RestoreMoves. */
export const RESTORE_FILE = "restore.json";

export interface RestoreMoves {
  /** `aside`: today's files are being moved away; `in`: those of the backup are being moved in. */
  step: "aside" | "in";
  /** Folders. */
  aside: string;
  restored: string;
}

/** What stays in the data folder: its lock, and what is of no single state. */
const STAYS = /^(lock(\..+)?|restore\.json(\.new)?|backups|before-restore-.+|restored-.+|host\.json(\.new)?)$/;

/**
 * Finishes a restore that was cut short after everything was ready; does nothing where there is none. For the holder of
 * the folder's lock, before it looks at what the folder holds. Throws the errors of the disk.
 */
export function finishRestore(folder: string, files: Files = realFiles): void {
  const path = join(folder, RESTORE_FILE);
  if (!files.exists(path)) return;
  const { step, aside, restored } = JSON.parse(readFully(files, path).toString()) as RestoreMoves;
  const move = (from: string, to: string, names: readonly string[]) => {
    for (const name of names) files.rename(join(from, name), join(to, name));
    files.syncFolder(from);
    files.syncFolder(to);
  };
  if (step === "aside" && !files.exists(restored)) {
    // Somebody has removed what was to come: today's data stays, or comes back.
    if (files.exists(aside)) move(aside, folder, namesIn(files, aside));
  } else if (step === "aside") {
    files.makeFolder(aside);
    move(
      folder,
      aside,
      namesIn(files, folder).filter((name) => !STAYS.test(name)),
    );
    replaceFile(files, folder, RESTORE_FILE, encode({ step: "in", aside, restored }));
  }
  if (files.exists(restored)) move(restored, folder, namesIn(files, restored));
  files.remove(path);
  files.syncFolder(folder);
  rmSync(restored, { recursive: true, force: true });
  if (files.exists(aside) && files.list(aside).length === 0) rmSync(aside, { recursive: true, force: true });
}

/** Sorted, so that each run moves them in the same order. */
const namesIn = (files: Files, folder: string): string[] => files.list(folder).sort();

const encode = (moves: RestoreMoves): Buffer => Buffer.from(JSON.stringify(moves));
