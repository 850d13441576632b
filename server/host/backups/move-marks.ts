import { existsSync, rmdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isLackOfRoom } from "../../storage/errors.ts";
import { decodeChecked, encodeChecked, type Files, readFully, realFiles, replaceFile } from "../../storage/files.ts";
import { LOCK_FILE } from "../../storage/folder-lock.ts";

/*
 * What a move of the data folder writes down, in a file of its own, since each start looks whether there is something
 * to settle: it is to load no more than it needs.
 *
 * `move.json` in the folder that is left decides which of the two counts: from the moment on that its step is `moved`,
 * it is the other one. `arrival.json` in the folder that was copied says where it comes from; until it is settled, that
 * folder is opened only if the other one says that it was moved.
 */

/** In the folder that is left. It holds MoveMark. */
export const MOVE_FILE = "move.json";
/** In the folder that was copied. It holds ArrivalMark. */
export const ARRIVAL_FILE = "arrival.json";

export interface MoveMark {
  /** Of this move; both folders have it. */
  id: string;
  /** `copying`: this folder counts, and what was copied is removed. `moved`: the other one counts. */
  step: "copying" | "moved";
  /** The new folder, and the name that it has while it is copied. */
  to: string;
  temporary?: string;
  /** The move that this one takes back. */
  undoes?: string;
}

/** What the database held when a folder began to count: everything after it would be lost on the way back. */
export interface ArrivalBaseline {
  seq: number;
  messageId: number;
  userId: number;
}

export interface ArrivalMark {
  id: string;
  /** The folder that was left. */
  from: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** Where the old folder is to be kept. */
  aside: string;
  /** Whether this folder counts. */
  isSettled: boolean;
  /** Whether the old folder was looked after: it is in `aside`, or in `from` where it could not be renamed. */
  isPutAside?: boolean;
  baseline?: ArrivalBaseline;
}

/** The folder's data is elsewhere now. */
export class FolderMoved extends Error {
  override readonly name = "FolderMoved";
  readonly to: string;
  constructor(folder: string, to: string) {
    super(
      `The data of ${folder} was moved to ${to}: use that folder. If it is lost, and ${folder} still holds the old data, delete ${MOVE_FILE} in there to go on with that.`,
    );
    this.to = to;
  }
}

/** The folder is a copy that a move has not finished. */
export class UnfinishedCopy extends Error {
  override readonly name = "UnfinishedCopy";
  constructor(folder: string, from: string) {
    super(`${folder} is a copy of ${from} that was not finished. Use ${from}, and delete this copy.`);
  }
}

/** A mark is not what was written: nobody knows which folder counts. */
export class MarkDamaged extends Error {
  override readonly name = "MarkDamaged";
  constructor(folder: string, name: string) {
    super(
      `${join(folder, name)} is damaged. It says where the data was moved, and which folder counts. ` +
        `Copy the data folder first. If ${folder} has the newest data, delete ${name} in there.`,
    );
  }
}

/** Undefined where there is none. Throws MarkDamaged. */
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
 * Settles which of two folders counts, after a move or in the middle of one. For the holder of the folder's lock, before
 * it looks at what the folder holds. Throws FolderMoved, UnfinishedCopy, and the errors of the disk.
 */
export function settleMove(folder: string, files: Files = realFiles): void {
  const move = moveOf(folder, files);
  if (move?.step === "copying") {
    removeCopy(move, files);
    removeMark(folder, files);
  } else if (move) {
    if (moveOf(move.to, files)?.undoes !== move.id) throw new FolderMoved(folder, move.to);
    removeMark(folder, files); // the way back was taken
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

/** Only what this move has copied. A disk that is not connected keeps its part, which `UnfinishedCopy` tells of. */
export function removeCopy({ id, to, temporary }: Omit<MoveMark, "step">, files: Files): void {
  if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true }); // its name has the id
  if (arrivalOf(to, files)?.id === id) rmSync(to, { recursive: true, force: true });
}

/** Has a folder count again that was moved, when the server could not begin in the new one, which is removed. */
export function takeBack(folder: string, files: Files = realFiles): void {
  const move = moveOf(folder, files);
  if (move) writeMove(files, folder, { ...move, step: "copying" });
  settleMove(folder, files);
}

/** The folder with the old data, where it is still; undefined if there is none. */
export function oldFolderOf(folder: string, files: Files = realFiles): { path: string; mark: ArrivalMark } | undefined {
  const mark = arrivalOf(folder, files);
  if (!mark?.isSettled) return undefined;
  const path = [mark.aside, mark.from].find((one) => moveOf(one, files)?.id === mark.id && holdsMore(one, files));
  return path === undefined ? undefined : { path, mark };
}

/** Each attempt to start a server in a folder leaves a lock file. */
const holdsMore = (folder: string, files: Files): boolean =>
  files.list(folder).some((name) => name !== MOVE_FILE && name !== LOCK_FILE);

/**
 * Renames the old folder aside once the server runs in the new one, and leaves a folder in its place that says where
 * the data is. Does nothing where there is no old folder, or none that could be renamed (a mount point).
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
    // It stays where it is, and `move.json` keeps it from being used.
    const { code = "" } = error as NodeJS.ErrnoException;
    if (isLackOfRoom(error)) renameBack({ from, aside }, files);
    else if (!["EBUSY", "EXDEV", "EACCES", "EPERM", "EROFS"].includes(code)) throw error;
  }
  writeArrival(files, folder, { ...mark, isPutAside: true });
}

/** A full disk has no room for the mark in the old place, and without it a start there would begin a new organization. */
function renameBack({ from, aside }: Pick<ArrivalMark, "from" | "aside">, files: Files): void {
  if (!files.exists(aside) || (files.exists(from) && moveOf(from, files) !== undefined)) return;
  if (files.exists(from)) rmdirSync(from);
  files.rename(aside, from);
  files.syncFolder(dirname(from));
}

/** Removes the folder that `putOldAside` leaves in the old place, if it holds nothing else; then the place is free. */
export function removeSign(place: string, files: Files = realFiles): boolean {
  if (!existsSync(place)) return true;
  if (moveOf(place, files) === undefined || holdsMore(place, files)) return false;
  for (const name of [LOCK_FILE, MOVE_FILE]) files.remove(join(place, name));
  rmdirSync(place);
  return true;
}

/** Deletes the old data for good; `move.json` stays where the folder itself does. */
export async function removeOldFolder(folder: string, files: Files = realFiles): Promise<void> {
  const old = oldFolderOf(folder, files);
  if (old) {
    // The mark goes last: with it, what a kill leaves can be removed again.
    for (const name of files.list(old.path))
      if (name !== MOVE_FILE) await rm(join(old.path, name), { recursive: true, force: true });
    if (old.path !== old.mark.from) await rm(old.path, { recursive: true, force: true });
  }
  files.remove(join(folder, ARRIVAL_FILE));
  files.syncFolder(folder);
}
