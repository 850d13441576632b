import { randomBytes } from "node:crypto";
import { accessSync, closeSync, constants, existsSync, openSync, rmSync, truncateSync, utimesSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { assertUnlocked, LOCK_FILE, lockFile, lockIdOf, lockRefusal } from "../../storage/folder-lock.ts";

/** Another process has the data folder open. */
export class FolderInUse extends Error {
  override readonly name = "FolderInUse";
  /** Where the server of that process responds; undefined if none does. */
  readonly url: string | undefined;
  constructor(folder: string, url?: string) {
    super(
      url === undefined
        ? `${folder} is in use by another Hearth, which may run in a container or be busy with a command. Stop that one first, or use another folder.`
        : `${folder} is in use by another Hearth, which answers at ${url}. Stop that one first, or use another folder.`,
    );
    this.url = url;
  }
}

/** The file system of a folder cannot lock files. */
export class NoLocks extends Error {
  override readonly name = "NoLocks";
  constructor(folder: string, cause?: unknown) {
    super(
      `The file ${folder}/${LOCK_FILE} cannot be locked, so two servers could write there at the same time. Use a folder on a disk of this computer.`,
      { cause },
    );
  }
}

export interface Lock {
  /** What `lockIdOf` returns for the folder as long as this lock counts. */
  readonly id: string;
  /** False after another Hearth has taken the folder, or someone has replaced or deleted the lock file. */
  readonly isHeld: boolean;
  release(): void;
}

/** The garbage collector closes a database that nobody refers to, which would end its lock. */
const held = new Set<DatabaseSync>();

/**
 * Locks a folder for this process until `release` or its end. The file stays: a process that deleted it could delete
 * the lock of the next one. Throws FolderInUse, also if this process itself holds the lock, NoLocks, and the errors of
 * the disk.
 */
export function takeLock(folder: string): Lock {
  const path = `${folder}/${LOCK_FILE}`;
  const database = locked(folder, path);
  held.add(database);
  try {
    // Where locks do not reach another machine, a holder there notices the new time before its next flush. Even
    // seconds are what every file system can store.
    const seconds = Math.floor(Date.now() / 2000) * 2;
    utimesSync(path, seconds, seconds);
  } catch {
    // The kernel's lock holds all the same.
  }
  const id = lockIdOf(folder) ?? "deleted";
  return {
    id,
    get isHeld() {
      return held.has(database) && lockIdOf(folder) === id;
    },
    release() {
      if (held.delete(database)) database.close();
    },
  };
}

/** Whether a process holds the lock of a folder. Throws the errors of the disk. */
export function isLocked(folder: string): boolean {
  const path = `${folder}/${LOCK_FILE}`;
  if (!existsSync(path)) return false;
  try {
    assertUnlocked(path);
    return false;
  } catch (error) {
    const refusal = lockRefusal(error);
    if (refusal === "other") throw openingError(path, error);
    return refusal === "held";
  }
}

/** Whether the file system of a folder can lock files. Throws the errors of the disk. */
export function hasLocks(folder: string): boolean {
  const path = `${folder}/${LOCK_FILE}.${randomBytes(6).toString("hex")}`;
  try {
    locked(folder, path).close();
    return true;
  } catch (error) {
    // To SQLite, a file system without locks looks like a lock that another process holds.
    if (error instanceof NoLocks || error instanceof FolderInUse) return false;
    throw error;
  } finally {
    rmSync(path, { force: true });
  }
}

function locked(folder: string, path: string): DatabaseSync {
  for (;;) {
    makeFile(path);
    try {
      return lockFile(path);
    } catch (error) {
      const refusal = lockRefusal(error);
      if (refusal === "held") throw new FolderInUse(folder);
      if (refusal === "no locks") throw new NoLocks(folder, error);
      if (refusal === "other") throw openingError(path, error);
      truncateSync(path); // SQLite locks an empty file only, or a database
    }
  }
}

/** Opens a missing file only, so that no lock of this process ends. Throws the errors of the system. */
function makeFile(path: string): void {
  if (existsSync(path)) return;
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** The error of the system if this user may not use the file; otherwise SQLite's, in words. */
function openingError(path: string, error: unknown): unknown {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return new Error(`${path} cannot be opened: ${(error as Error).message}.`, { cause: error });
  } catch (denied) {
    return denied;
  }
}
