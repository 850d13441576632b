import { statSync } from "node:fs";
import { toNamespacedPath } from "node:path";
import type { DatabaseSync } from "node:sqlite";

/*
 * The lock of a data folder is SQLite's exclusive lock on its empty file `lock`: fcntl on Unix, LockFileEx on Windows.
 * Node itself has no call for such locks. The kernel ends it with its process, and it holds across PID namespaces,
 * containers and bind mounts. SQLite writes nothing, so the lock needs no free disk space.
 *
 * On Unix, a process loses all its locks on a file when it closes any descriptor of that file. So nothing but SQLite,
 * which keeps its descriptors open until the lock is released, may open `lock` in a process that holds it.
 */

export const LOCK_FILE = "lock";

/** SQLite waits this long for another start that tries at the same moment: otherwise both could fail. */
const COLLISION_MS = 20;

/** The primary result codes of SQLite. Extended ones have them in their last byte. */
const REASONS = { 5: "held", 10: "no locks", 15: "no locks", 26: "other content" } as const;

/** Why a file was not locked. "other": it could not be opened. */
export type LockRefusal = (typeof REASONS)[keyof typeof REASONS] | "other";

/**
 * Identifies the lock that was taken last in a folder: each taker sets the file's time. Undefined if there is none. It
 * does not open the file.
 */
export function lockIdOf(folder: string): string | undefined {
  const found = statSync(`${folder}/${LOCK_FILE}`, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}:${found.mtimeNs}`;
}

/** Locks an existing file until the database is closed. Throws SQLite's errors. */
export const lockFile = (path: string): DatabaseSync =>
  opened(path, { timeout: COLLISION_MS }, "PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");

/** Throws SQLite's errors if a process has locked the file, or if this user cannot read it. */
export const assertUnlocked = (path: string): void =>
  opened(path, { readOnly: true, timeout: COLLISION_MS }, "PRAGMA schema_version").close();

function opened(path: string, options: object, sql: string): DatabaseSync {
  // Not imported, since the server's thread needs the id only.
  const { DatabaseSync: Database } = process.getBuiltinModule("node:sqlite");
  // Node's own file functions do this for long paths on Windows, but SQLite does not.
  const database = new Database(toNamespacedPath(path), options);
  try {
    database.exec(sql);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

export function lockRefusal(error: unknown): LockRefusal {
  const { errcode = 0 } = error as { errcode?: number };
  return REASONS[(errcode & 0xff) as keyof typeof REASONS] ?? "other";
}
