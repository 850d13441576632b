import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { changeOperatorSettings } from "../../api/actions/operator-settings.ts";
import { heldContents } from "../../api/queries/backups.ts";
import { isSetByEnvironment, operatorSetting } from "../../api/queries/operator-settings.ts";
import { problem } from "../../errors.ts";
import { isLackOfRoom } from "../../storage/errors.ts";
import { type Files, readPieces, realFiles } from "../../storage/files.ts";
import { LOCK_FILE } from "../../storage/folder-lock.ts";
import { flushedPath } from "../../storage/segments.ts";
import { openStore, type Store } from "../../storage/store.ts";
import { BackupFailed } from "./errors.ts";
import {
  type ArrivalBaseline,
  moveOf,
  oldFolderOf,
  removeCopy,
  removeSign,
  settleMove,
  writeArrival,
  writeMove,
} from "./move-marks.ts";

/*
 * A move copies the folder to a temporary name next to the target, reads the copy back, opens it once, and renames it.
 * Until then the old folder is valid. A single write of `move.json` into the old folder changes that (move-marks.ts).
 * The caller holds the old folder's lock, and no server runs.
 */

export interface MoveOptions {
  /** The data folder. */
  from: string;
  /** A free path or an empty folder, inside an existing folder. */
  to: string;
  segmentSize?: number | undefined;
}

/** Keeps the progress accurate, and a cancellation does not wait for a long flush. */
const FLUSH_AFTER = 16 << 20;

export type MovePhase = "copying" | "verifying";

export interface MoveProgress {
  /** Bytes. */
  advanced?(phase: MovePhase, done: number, total: number): void;
  /** Called after each piece. Throws to cancel. */
  paused?(): void;
}

export interface Moved {
  /** The new data folder. */
  folder: string;
  /** Where the old folder will be kept. */
  aside: string;
  bytes: number;
}

interface MoveTesting {
  files?: Files;
  now?: () => number;
}

/**
 * Moves a data folder. If it throws, nothing has changed, unless the disk failed at the very end: then `moveOf(from)`
 * tells which folder is valid. Throws BackupFailed, storage errors and disk errors.
 */
export async function moveFolder(
  { from, to, segmentSize }: MoveOptions,
  { advanced = () => {}, paused = () => {} }: MoveProgress = {},
  { files = realFiles, now = Date.now }: MoveTesting = {},
): Promise<Moved> {
  const found = filesToMove(from);
  const id = randomBytes(8).toString("hex");
  const at = now();
  const parent = dirname(to);
  const temporary = join(parent, `${basename(to)}.moving-${id}`);
  const aside = asideOf(from, at);
  const arrival = { id, from, at, aside, isSettled: false };
  try {
    writeMove(files, from, { id, step: "copying", to, temporary });
  } catch (error) {
    // People move the data because the disk is full. Without the mark, an unfinished copy stays, but is never opened.
    if (!isLackOfRoom(error)) throw error;
  }
  try {
    files.makeFolder(temporary);
    writeArrival(files, temporary, arrival);
    const sums = copyFiles(files, { from, to: temporary, found }, (done) => {
      advanced("copying", done, found.bytes);
      paused();
    });
    compareFiles(files, { folder: temporary, found, sums }, (done) => {
      advanced("verifying", done, found.bytes);
      paused();
    });
    const baseline = await opened(temporary, { files, segmentSize, now }, async (store) => {
      movePaths(store, from, to);
      await store.durable();
      return baselineOf(store);
    });
    writeArrival(files, temporary, { ...arrival, baseline });
    clearPlace(to, files);
    files.rename(temporary, to);
    files.syncFolder(parent);
    paused();
    try {
      writeMove(files, from, { id, step: "moved", to, temporary });
    } catch (error) {
      if (!isLackOfRoom(error)) throw error;
      // Makes room for the mark. A start does not need this file, and the copy has it.
      files.remove(flushedPath(join(from, "log")));
      writeMove(files, from, { id, step: "moved", to, temporary });
    }
  } catch (error) {
    try {
      const mark = moveOf(from, files);
      if (mark?.step === "copying") settleMove(from, files);
      else if (mark === undefined) removeCopy({ id, to, temporary }, files);
    } catch {
      // The next start cleans up. The original error matters more.
    }
    throw error;
  }
  return { folder: to, aside, bytes: found.bytes };
}

/** A free path next to the folder, where the old data will be kept. */
function asideOf(folder: string, at: number): string {
  const path = `${folder}-moved-${new Date(at).toISOString().slice(0, 19).replace(/[T:]/g, "-")}`;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? path : `${path}-${number}`;
    if (!existsSync(name)) return name;
  }
}

interface Copy {
  from: string;
  to: string;
  found: FolderFiles;
}

/** Returns the SHA-256 of each file. */
function copyFiles(files: Files, { from, to, found }: Copy, advanced: (done: number) => void): Map<string, string> {
  const sums = new Map<string, string>();
  let done = 0;
  for (const folder of found.folders) files.makeFolder(join(to, folder));
  for (const { path } of found.files) {
    const hash = createHash("sha256");
    const copy = files.open(join(to, path), "create");
    try {
      let position = 0;
      let flushed = 0;
      for (const piece of readPieces(realFiles, join(from, path))) {
        hash.update(piece);
        copy.write(piece, position);
        position += piece.length;
        done += piece.length;
        if (position - flushed >= FLUSH_AFTER) {
          copy.sync();
          flushed = position;
        }
        advanced(done);
      }
      copy.sync();
    } finally {
      copy.close();
    }
    sums.set(path, hash.digest("hex"));
  }
  for (const folder of [...found.folders].reverse()) files.syncFolder(join(to, folder));
  files.syncFolder(to);
  return sums;
}

/** Reads the copy back. Throws BackupFailed if it differs. */
function compareFiles(
  files: Files,
  { folder, found, sums }: { folder: string; found: FolderFiles; sums: ReadonlyMap<string, string> },
  advanced: (done: number) => void,
): void {
  let done = 0;
  for (const { path } of found.files) {
    const hash = createHash("sha256");
    for (const piece of readPieces(files, join(folder, path))) {
      hash.update(piece);
      done += piece.length;
      advanced(done);
    }
    if (hash.digest("hex") !== sums.get(path)) throw new BackupFailed(problem("moved_file_differs", { path }));
  }
}

async function opened<Result>(
  folder: string,
  { files, segmentSize, now }: { files: Files; segmentSize: number | undefined; now: () => number },
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore({ folder, now, testing: { files, ...(segmentSize !== undefined && { segmentSize }) } });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Updates settings that contain a path inside the data folder. */
function movePaths(store: Store, from: string, to: string): void {
  const moved = (path: string) => {
    const inside = relative(from, path);
    return inside === "" || inside === ".." || inside.startsWith(`..${sep}`) ? path : join(to, inside);
  };
  store.transact({ actor: null, action: "move data folder" }, (tx) => {
    const folder = operatorSetting(tx, "BACKUP_FOLDER");
    if (folder !== null && !isSetByEnvironment("BACKUP_FOLDER"))
      changeOperatorSettings(tx, null, { BACKUP_FOLDER: moved(folder) });
    const https = operatorSetting(tx, "HTTPS");
    if (https.use === "files" && !isSetByEnvironment("HTTPS")) {
      const { certificate, key } = https;
      changeOperatorSettings(tx, null, { HTTPS: { ...https, certificate: moved(certificate), key: moved(key) } });
    }
  });
}

function baselineOf(store: Store): ArrivalBaseline {
  const { newest_message_id: messageId, newest_user_id: userId } = heldContents(store.reader);
  return { seq: store.seq, messageId, userId };
}

/** Files of file managers, and of an earlier move, are deleted from the target. */
const LEFT_BY_OTHERS = [".DS_Store", "desktop.ini", "Thumbs.db", ".directory", LOCK_FILE];

function clearPlace(to: string, files: Files): void {
  if (removeSign(to, files) && !existsSync(to)) return;
  for (const name of readdirSync(to)) if (LEFT_BY_OTHERS.includes(name)) rmSync(join(to, name), { force: true });
  rmdirSync(to); // throws if the folder has other files
}

export interface GoBackOptions {
  /** The data folder, which was moved from the old folder. */
  folder: string;
  segmentSize?: number | undefined;
}

/**
 * Makes the old folder valid again, at its old path. Newer data stays in `folder`, whose lock the caller holds. Returns
 * the old folder. Throws BackupFailed, storage errors and disk errors.
 */
export async function goBack(
  { folder, segmentSize }: GoBackOptions,
  { files = realFiles, now = Date.now }: MoveTesting = {},
): Promise<string> {
  const old = oldFolderOf(folder, files);
  if (!old) throw new BackupFailed(problem("previous_folder_not_found", { folder }));
  const { mark } = old;
  const id = randomBytes(8).toString("hex");
  const at = now();
  const baseline = await opened(old.path, { files, segmentSize, now }, (store) => Promise.resolve(baselineOf(store)));
  if (old.path !== mark.from) {
    if (!removeSign(mark.from, files)) throw new BackupFailed(problem("previous_folder_in_use", { folder: mark.from }));
    files.rename(old.path, mark.from);
    files.syncFolder(dirname(mark.from));
  }
  writeArrival(files, mark.from, {
    id,
    from: folder,
    at,
    aside: asideOf(folder, at),
    isSettled: false,
    baseline,
  });
  writeMove(files, folder, { id, step: "moved", to: mark.from, undoes: mark.id });
  return mark.from;
}

/** The files of a data folder that a move copies. */
export interface FolderFiles {
  /** Relative paths, parents first. */
  folders: readonly string[];
  files: readonly { path: string; size: number }[];
  /** Total size of the files. */
  bytes: number;
}

/** Files of the running process, a move, an unfinished restore, a prepared import or the file system are not moved. */
const STAYS =
  /^(lock(\..+)?|control\.sock|imports|(host|move|arrival|restoring)\.json(\.new)?|(?:.+-)?restored-[\d-]+|lost\+found)$/;

/** Follows links. Throws BackupFailed for anything that is neither a file nor a folder, and disk errors. */
export function filesToMove(folder: string): FolderFiles {
  const folders: string[] = [];
  const files: { path: string; size: number }[] = [];
  let bytes = 0;
  const walk = (inside: string, depth: number) => {
    if (depth > 32) throw new BackupFailed(problem("folders_nested_too_deeply", { folder: join(folder, inside) }));
    for (const name of readdirSync(join(folder, inside)).sort()) {
      if (inside === "" && STAYS.test(name)) continue;
      const path = join(inside, name);
      const found = statSync(join(folder, path), { throwIfNoEntry: false });
      if (found?.isDirectory()) {
        folders.push(path);
        walk(path, depth + 1);
      } else if (found?.isFile()) {
        files.push({ path, size: found.size });
        bytes += found.size;
      } else throw new BackupFailed(problem("not_file_or_folder", { path: join(folder, path) }));
    }
  };
  walk("", 0);
  return { folders, files, bytes };
}
