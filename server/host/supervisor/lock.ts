import { randomBytes } from "node:crypto";
import { accessSync, closeSync, constants, existsSync, openSync, rmSync, truncateSync, utimesSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { Failure, problem } from "../../errors.ts";
import { assertUnlocked, LOCK_FILE, lockFile, lockIdOf, lockRefusal } from "../../storage/folder-lock.ts";

export class FolderInUse extends Failure {
  override readonly name = "FolderInUse";
  /** URL or socket of the responding server; undefined if none responds. */
  readonly url: string | undefined;
  constructor(folder: string, url?: string) {
    super(
      url === undefined ? problem("folder_in_use_unresponsive", { folder }) : problem("folder_in_use", { folder, url }),
    );
    this.url = url;
  }
}

export class NoLocks extends Failure {
  override readonly name = "NoLocks";
  constructor(folder: string, cause?: unknown) {
    super(problem("lock_file_failed", { path: `${folder}/${LOCK_FILE}` }), { cause });
  }
}

export interface Lock {
  /** The value of `lockIdOf` while this lock is valid. */
  readonly id: string;
  /** False after another Hearth took the folder, or someone replaced or deleted the lock file. */
  readonly isHeld: boolean;
  release(): void;
}

/** Without these references, the garbage collector would close the databases and end their locks. */
const held = new Set<DatabaseSync>();

/**
 * Locks a folder until `release` or the end of this process. Never deletes the file, because that could delete the lock
 * of the next process. Throws FolderInUse, also if this process holds the lock, NoLocks and disk errors.
 */
export function takeLock(folder: string): Lock {
  const path = `${folder}/${LOCK_FILE}`;
  const database = locked(folder, path);
  held.add(database);
  try {
    // If locks do not work across machines, a holder on another machine notices the new time before its next flush.
    // Every file system can store even seconds.
    const seconds = Math.floor(Date.now() / 2000) * 2;
    utimesSync(path, seconds, seconds);
  } catch {
    // The kernel's lock is valid anyway.
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

/** Throws disk errors. */
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

/** Whether the file system of a folder can lock files. Throws disk errors. */
export function hasLocks(folder: string): boolean {
  const path = `${folder}/${LOCK_FILE}.${randomBytes(6).toString("hex")}`;
  try {
    locked(folder, path).close();
    return true;
  } catch (error) {
    // SQLite reports the same error for a file system without locks as for a lock that another process holds.
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
      truncateSync(path); // SQLite locks only databases and empty files
    }
  }
}

/** Does not open an existing file, because closing it would end the locks of this process. */
function makeFile(path: string): void {
  if (existsSync(path)) return;
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** The system error if this user has no access; otherwise SQLite's error, for users. */
function openingError(path: string, error: unknown): unknown {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return new Error(`${path} cannot be opened: ${(error as Error).message}.`, { cause: error });
  } catch (denied) {
    return denied;
  }
}
