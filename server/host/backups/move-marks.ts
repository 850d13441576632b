import { existsSync, rmdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Failure, problem } from "../../errors.ts";
import { isLackOfRoom } from "../../storage/errors.ts";
import { decodeChecked, encodeChecked, type Files, readFully, realFiles, replaceFile } from "../../storage/files.ts";
import { LOCK_FILE } from "../../storage/folder-lock.ts";

/*
 * The marks of a move of the data folder. Every start reads them, so this file loads as little as possible.
 *
 * `move.json` in the old folder decides which folder is valid: the new folder, as soon as the step is `moved`.
 * `arrival.json` in the new folder names the old folder. Until it is settled, the new folder opens only if the old
 * folder's mark says that it was moved.
 */

/** In the old folder. Contains MoveMark. */
export const MOVE_FILE = "move.json";
/** In the new folder. Contains ArrivalMark. */
export const ARRIVAL_FILE = "arrival.json";

export interface MoveMark {
  /** Identifies this move in both folders. */
  id: string;
  /** `copying`: this folder is valid, and a start removes the copy. `moved`: the other folder is valid. */
  step: "copying" | "moved";
  to: string;
  /** Path of the new folder while it is copied. */
  temporary?: string;
  /** Id of the move that this move reverts. */
  undoes?: string;
}

/** State of the database when the folder became valid. A revert loses everything newer. */
export interface ArrivalBaseline {
  seq: number;
  messageId: number;
  userId: number;
}

export interface ArrivalMark {
  id: string;
  /** The old folder. */
  from: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** Where the old folder will be kept. */
  aside: string;
  /** Whether this folder is valid. */
  isSettled: boolean;
  /** Whether `putOldAside` has run. The old folder is in `aside`, or in `from` if it could not be renamed. */
  isPutAside?: boolean;
  baseline?: ArrivalBaseline;
}

export class FolderMoved extends Failure {
  override readonly name = "FolderMoved";
  readonly to: string;
  constructor(folder: string, to: string) {
    super(problem("data_folder_moved", { folder, to, file: MOVE_FILE }));
    this.to = to;
  }
}

export class UnfinishedCopy extends Failure {
  override readonly name = "UnfinishedCopy";
  constructor(folder: string, from: string) {
    super(problem("unfinished_copy", { folder, from }));
  }
}

/** Without the mark it is unknown which folder is valid. */
export class MarkDamaged extends Error {
  override readonly name = "MarkDamaged";
  constructor(folder: string, name: string) {
    super(
      `${join(folder, name)} is damaged. It says where the data was moved, and which folder counts. ` +
        `Copy the data folder first. If ${folder} has the newest data, delete ${name} in there.`,
    );
  }
}

/** Undefined if there is no mark. Throws MarkDamaged. */
function readMark<Mark>(files: Files, folder: string, name: string): Mark | undefined {
  const path = join(folder, name);
  if (!files.exists(path)) return undefined;
  const mark = decodeChecked(readFully(files, path));
  if (mark === undefined) throw new MarkDamaged(folder, name);
  return mark as Mark;
}

export const moveOf = (folder: string, files: Files = realFiles): MoveMark | undefined =>
  readMark<MoveMark>(files, folder, MOVE_FILE);

export const arrivalOf = (folder: string, files: Files = realFiles): ArrivalMark | undefined =>
  readMark<ArrivalMark>(files, folder, ARRIVAL_FILE);

export const writeMove = (files: Files, folder: string, mark: MoveMark): void =>
  replaceFile(files, folder, MOVE_FILE, encodeChecked(mark));

export const writeArrival = (files: Files, folder: string, mark: ArrivalMark): void =>
  replaceFile(files, folder, ARRIVAL_FILE, encodeChecked(mark));

/**
 * Decides which of two folders is valid, after a move or an interrupted move. The caller holds the folder's lock and has
 * not read the folder yet. Throws FolderMoved, UnfinishedCopy and disk errors.
 */
export function settleMove(folder: string, files: Files = realFiles): void {
  const move = moveOf(folder, files);
  if (move?.step === "copying") {
    removeCopy(move, files);
    removeMark(folder, files);
  } else if (move) {
    if (moveOf(move.to, files)?.undoes !== move.id) throw new FolderMoved(folder, move.to);
    removeMark(folder, files); // the revert has succeeded
  }
  const arrival = arrivalOf(folder, files);
  if (!arrival || arrival.isSettled) return;
  const left = moveOf(arrival.from, files);
  if (left?.step !== "moved" || left.id !== arrival.id) throw new UnfinishedCopy(folder, arrival.from);
  writeArrival(files, folder, { ...arrival, isSettled: true });
}

function removeMark(folder: string, files: Files): void {
  files.remove(join(folder, MOVE_FILE));
  files.syncFolder(folder);
}

/** Removes only the copy of this move. A copy on a disconnected disk stays, and opening it throws UnfinishedCopy. */
export function removeCopy({ id, to, temporary }: Omit<MoveMark, "step">, files: Files): void {
  if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true }); // its name has the id
  if (arrivalOf(to, files)?.id === id) rmSync(to, { recursive: true, force: true });
}

/** Makes the old folder valid again and removes the new folder, because the server cannot start there. */
export function takeBack(folder: string, files: Files = realFiles): void {
  const move = moveOf(folder, files);
  if (move) writeMove(files, folder, { ...move, step: "copying" });
  settleMove(folder, files);
}

/** The folder with the old data; undefined if it no longer exists. */
export function oldFolderOf(folder: string, files: Files = realFiles): { path: string; mark: ArrivalMark } | undefined {
  const mark = arrivalOf(folder, files);
  if (!mark?.isSettled) return undefined;
  const path = [mark.aside, mark.from].find((path) => moveOf(path, files)?.id === mark.id && holdsMore(path, files));
  return path === undefined ? undefined : { path, mark };
}

/** The lock file does not count, because every attempt to start a server creates it. */
const holdsMore = (folder: string, files: Files): boolean =>
  files.list(folder).some((name) => name !== MOVE_FILE && name !== LOCK_FILE);

/**
 * Renames the old folder once the server runs in the new folder, and leaves a folder with a mark at the old path. Does
 * nothing if there is no old folder, or if it cannot be renamed (a mount point).
 */
export function putOldAside(folder: string, files: Files = realFiles): void {
  const mark = arrivalOf(folder, files);
  if (!mark?.isSettled || mark.isPutAside) return;
  const { id, from, aside } = mark;
  try {
    if (moveOf(from, files)?.id === id && holdsMore(from, files) && !files.exists(aside)) {
      files.rename(from, aside);
      files.syncFolder(dirname(from));
    }
    if (moveOf(aside, files)?.id === id && !files.exists(from)) {
      files.makeFolder(from);
      writeMove(files, from, { id, step: "moved", to: folder });
      files.syncFolder(dirname(from));
    }
  } catch (error) {
    // The old folder keeps its path, and `move.json` prevents its use.
    const { code = "" } = error as NodeJS.ErrnoException;
    if (isLackOfRoom(error)) renameBack({ from, aside }, files);
    else if (!["EBUSY", "EXDEV", "EACCES", "EPERM", "EROFS"].includes(code)) throw error;
  }
  writeArrival(files, folder, { ...mark, isPutAside: true });
}

/** On a full disk the mark cannot be written. Without it, a start at the old path would create a new organization. */
function renameBack({ from, aside }: Pick<ArrivalMark, "from" | "aside">, files: Files): void {
  if (!files.exists(aside) || (files.exists(from) && moveOf(from, files) !== undefined)) return;
  if (files.exists(from)) rmdirSync(from);
  files.rename(aside, from);
  files.syncFolder(dirname(from));
}

/** Removes the folder that `putOldAside` left at the old path. Returns whether the path is free. */
export function removeSign(place: string, files: Files = realFiles): boolean {
  if (!existsSync(place)) return true;
  if (moveOf(place, files) === undefined || holdsMore(place, files)) return false;
  for (const name of [LOCK_FILE, MOVE_FILE]) files.remove(join(place, name));
  rmdirSync(place);
  return true;
}

/** Deletes the old data permanently. */
export async function removeOldFolder(folder: string, files: Files = realFiles): Promise<void> {
  const old = oldFolderOf(folder, files);
  if (old) {
    // Deletes the mark last, so that an interrupted deletion can be repeated.
    for (const name of files.list(old.path))
      if (name !== MOVE_FILE) await rm(join(old.path, name), { recursive: true, force: true });
    if (old.path !== old.mark.from) await rm(old.path, { recursive: true, force: true });
  }
  files.remove(join(folder, ARRIVAL_FILE));
  files.syncFolder(folder);
}
