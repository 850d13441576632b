import { rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { decodeChecked, encodeChecked, type Files, readFully, realFiles, replaceFile } from "../../storage/files.ts";

/*
 * The end of a restore, in a file of its own, since each start looks whether there is one to finish: it is to load no
 * more than it needs.
 */

/** In the data folder, while a restore moves files. It holds RestoreMoves. */
export const RESTORE_FILE = "restore.json";

/** In the data folder, while a restore builds what is to come. It holds RestoreBuild. */
export const BUILD_FILE = "restoring.json";

/** Names of folders, and whether they are beside the data folder or in it: a copy of the folder is of another place. */
interface RestoreBuild {
  isBeside: boolean;
  restored: string;
  aside: string;
}

export interface RestoreMoves {
  /** `aside`: today's files are being moved away; `in`: those of the backup are being moved in. */
  step: "aside" | "in";
  /** Folders. */
  aside: string;
  restored: string;
}

/** What stays in the data folder: its lock, and what is of no single state. */
const STAYS =
  /^(lock(\..+)?|control\.sock|restor(e|ing)\.json(\.new)?|backups|https|before-restore-.+|restored-.+|host\.json(\.new)?)$/;

/** Before the first of the two folders is made. */
export function writeBuild(folder: string, { restored, aside }: Omit<RestoreMoves, "step">, files: Files): void {
  const isBeside = dirname(restored) === dirname(folder);
  const build: RestoreBuild = { isBeside, restored: basename(restored), aside: basename(aside) };
  replaceFile(files, folder, BUILD_FILE, encodeChecked(build));
}

/**
 * Removes what a restore has built that ended before anything was moved. Only what `writeBuild` has named, which held
 * nothing then: other folders with such names may be all that is left of somebody's data. Throws the errors of the disk.
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

/** From here on the restore counts: the next start finishes it. */
export const writeMoves = (folder: string, moves: RestoreMoves, files: Files): void =>
  replaceFile(files, folder, RESTORE_FILE, encodeChecked(moves));

/** A restore was interrupted, and the file that says how to finish it is not what was written. */
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
 * Finishes a restore that was cut short after everything was ready; false where there is none. What was cut short
 * before that is removed. For the holder of the folder's lock, before it looks at what the folder holds. Throws the
 * errors of the disk.
 */
export function finishRestore(folder: string, files: Files = realFiles): boolean {
  const path = join(folder, RESTORE_FILE);
  if (!files.exists(path)) {
    try {
      removeBuild(folder, files);
    } catch {
      // What is left over keeps nobody from starting, and the next start tries it again.
    }
    return false;
  }
  // From here on, what was built may be all that there is.
  files.remove(join(folder, BUILD_FILE));
  const { step, aside, restored } = readMark<RestoreMoves>(folder, RESTORE_FILE, files);
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
    writeMoves(folder, { step: "in", aside, restored }, files);
  }
  if (files.exists(restored)) move(restored, folder, namesIn(files, restored));
  files.remove(path);
  // The restore is done. A mark that comes back after a power failure finds nothing left to move.
  try {
    files.syncFolder(folder);
    rmSync(restored, { recursive: true, force: true });
    removeIfEmpty(aside, files);
  } catch {
    // An empty folder may stay beside the data.
  }
  return true;
}

/** Sorted, so that each run moves them in the same order. */
const namesIn = (files: Files, folder: string): string[] => files.list(folder).sort();
