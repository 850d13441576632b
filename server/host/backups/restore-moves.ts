import { rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { decodeChecked, encodeChecked, type Files, readFully, realFiles, replaceFile } from "../../storage/files.ts";

/* The last step of a restore. Every start checks for it, so this file loads as little as possible. */

/** In the data folder while a restore moves files. Contains RestoreMoves. */
export const RESTORE_FILE = "restore.json";

/** In the data folder while a restore writes the new files. Contains RestoreBuild. */
export const BUILD_FILE = "restoring.json";

/** Names instead of paths, so that they stay valid in a copy of the data folder. */
interface RestoreBuild {
  isBeside: boolean;
  restored: string;
  aside: string;
}

export interface RestoreMoves {
  /** `aside`: moving the current files away. `in`: moving the restored files in. */
  step: "aside" | "in";
  aside: string;
  restored: string;
}

/** Files that stay in the data folder: the lock, and files that belong to no particular state. */
const STAYS =
  /^(lock(\..+)?|control\.sock|restor(e|ing)\.json(\.new)?|backups|https|imports|before-restore-.+|restored-.+|host\.json(\.new)?)$/;

/** Call it before creating either folder. */
export function writeBuild(folder: string, { restored, aside }: Omit<RestoreMoves, "step">, files: Files): void {
  const isBeside = dirname(restored) === dirname(folder);
  const build: RestoreBuild = { isBeside, restored: basename(restored), aside: basename(aside) };
  replaceFile(files, folder, BUILD_FILE, encodeChecked(build));
}

/**
 * Removes the folders of a restore that ended before it moved any file. Removes only the folders in the mark, which were
 * empty at that time. Other folders with such names may contain someone's only copy. Throws disk errors.
 */
export function removeBuild(folder: string, files: Files = realFiles): void {
  const path = join(folder, BUILD_FILE);
  if (!files.exists(path)) return;
  const { isBeside, restored, aside } = readMark<RestoreBuild>(folder, BUILD_FILE, files);
  const place = isBeside ? dirname(folder) : folder;
  const prefix = isBeside ? `${basename(folder)}-` : "";
  const isOurs = (name: string, kind: string) =>
    name.startsWith(`${prefix}${kind}-`) && /^[\d-]+$/.test(name.slice(`${prefix}${kind}-`.length));
  if (isOurs(restored, "restored")) rmSync(join(place, restored), { recursive: true, force: true });
  if (isOurs(aside, "before-restore")) removeIfEmpty(join(place, aside), files);
  files.remove(path);
  files.syncFolder(folder);
}

/** From here on, the next start finishes the restore. */
export const writeMoves = (folder: string, moves: RestoreMoves, files: Files): void =>
  replaceFile(files, folder, RESTORE_FILE, encodeChecked(moves));

export class RestoreMarkDamaged extends Error {
  override readonly name = "RestoreMarkDamaged";
  constructor(path: string) {
    super(
      `${path} is damaged. It says how to finish a restore that was interrupted. Copy the data folder and the folders ` +
        `next to it first. The folder "before-restore-…" has the data from before, "restored-…" that of the backup.`,
    );
  }
}

function readMark<Mark>(folder: string, name: string, files: Files): Mark {
  const path = join(folder, name);
  const mark = decodeChecked(readFully(files, path));
  if (mark === undefined) throw new RestoreMarkDamaged(path);
  return mark as Mark;
}

function removeIfEmpty(folder: string, files: Files): void {
  if (files.exists(folder) && files.list(folder).length === 0) rmSync(folder, { recursive: true, force: true });
}

/**
 * Finishes an interrupted restore, and returns whether there was one. Removes a restore that was interrupted before it
 * was complete. The caller holds the folder's lock and has not read the folder yet. Throws disk errors.
 */
export function finishRestore(folder: string, files: Files = realFiles): boolean {
  const path = join(folder, RESTORE_FILE);
  if (!files.exists(path)) {
    try {
      removeBuild(folder, files);
    } catch {
      // Leftovers do not prevent a start, and the next start tries again.
    }
    return false;
  }
  // From here on, the restored folder may be the only copy.
  files.remove(join(folder, BUILD_FILE));
  const { step, aside, restored } = readMark<RestoreMoves>(folder, RESTORE_FILE, files);
  const move = (from: string, to: string, names: readonly string[]) => {
    for (const name of names) files.rename(join(from, name), join(to, name));
    files.syncFolder(from);
    files.syncFolder(to);
  };
  if (step === "aside" && !files.exists(restored)) {
    // Someone deleted the restored folder, so the current data stays or is moved back.
    if (files.exists(aside)) move(aside, folder, namesIn(files, aside));
  } else if (step === "aside") {
    files.makeFolder(aside);
    move(
      folder,
      aside,
      namesIn(files, folder).filter((name) => !STAYS.test(name)),
    );
    writeMoves(folder, { step: "in", aside, restored }, files);
  }
  if (files.exists(restored)) move(restored, folder, namesIn(files, restored));
  files.remove(path);
  // The restore is done. If a power failure brings the mark back, there is nothing left to move.
  try {
    files.syncFolder(folder);
    rmSync(restored, { recursive: true, force: true });
    removeIfEmpty(aside, files);
  } catch {
    // An empty folder may remain.
  }
  return true;
}

/** Sorted, so that every attempt uses the same order. */
const namesIn = (files: Files, folder: string): string[] => files.list(folder).sort();
