import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  read,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  write,
  writeSync,
} from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { isLackOfRoom, withPath } from "./errors.ts";

/**
 * The file operations of storage, as an interface: tests record them, make them fail and cut them short.
 * All of them throw the errors of Node's fs, with the path of the file.
 */
export interface Files {
  exists(path: string): boolean;
  list(folder: string): string[];
  makeFolder(folder: string): void;
  /** With `durable`, `writeLater` resolves when the bytes are on disk. */
  open(path: string, how: "read" | "write" | "create", options?: { durable?: boolean }): OpenFile;
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** Makes creations, renames and removals in the folder durable. */
  syncFolder(folder: string): void;
  /** Like `remove` and `syncFolder`, off the event loop. */
  removeLater(path: string): Promise<void>;
  syncFolderLater(folder: string): Promise<void>;
}

export interface OpenFile {
  readonly size: number;
  /** Whether the file has no name any more: its contents disappear when it is closed. */
  readonly isDeleted: boolean;
  read(into: Uint8Array, position: number): number;
  /** Reads off the event loop. */
  readLater(into: Uint8Array, position: number): Promise<number>;
  write(bytes: Uint8Array, position: number): void;
  /** Writes off the event loop; the bytes must not change until it resolves. */
  writeLater(bytes: Uint8Array, position: number): Promise<void>;
  /** Cuts the file to this many bytes. */
  truncate(size: number): void;
  /** Flushes contents and size; blocks. */
  sync(): void;
  /** Flushes contents off the event loop. */
  dataSync(): Promise<void>;
  close(): void;
}

const WINDOWS = process.platform === "win32";
/** On Linux a write can flush itself, like fdatasync: one system call instead of two. */
const FLUSHING_WRITES = process.platform === "linux" ? constants.O_DSYNC : 0;

function openReal(path: string, how: "read" | "write" | "create", { durable = false } = {}): OpenFile {
  const flags = {
    read: constants.O_RDONLY,
    write: constants.O_RDWR,
    create: constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC,
  };
  const fd = openSync(path, flags[how] | (durable ? FLUSHING_WRITES : 0), 0o600);
  // Other systems refuse to read or write a folder.
  if (WINDOWS && fstatSync(fd).isDirectory()) {
    closeSync(fd);
    throw Object.assign(new Error(`EISDIR: ${path} is a folder`), { code: "EISDIR", syscall: "open", path });
  }
  const named = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw withPath(error, path);
    }
  };
  const later = <T>(begin: (done: (error: Error | null, result: T) => void) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      begin((error, result) => (error ? reject(withPath(error, path)) : resolve(result)));
    });
  const dataSync = () => later<void>((done) => fdatasync(fd, (error) => done(error)));
  return {
    get size() {
      return named(() => fstatSync(fd).size);
    },
    get isDeleted() {
      return named(() => fstatSync(fd).nlink === 0);
    },
    read: (into, position) =>
      named(() => {
        let done = 0;
        while (done < into.length) {
          const count = readSync(fd, into, done, into.length - done, position + done);
          if (count === 0) break;
          done += count;
        }
        return done;
      }),
    readLater: (into, position) => later<number>((done) => read(fd, into, 0, into.length, position, done)),
    write: (bytes, position) =>
      named(() => {
        let done = 0;
        while (done < bytes.length) done += writeSync(fd, bytes, done, bytes.length - done, position + done);
      }),
    async writeLater(bytes, position) {
      for (let at = 0; at < bytes.length; ) {
        const rest = bytes.subarray(at);
        at += await later<number>((done) => write(fd, rest, 0, rest.length, position + at, done));
      }
      if (durable && FLUSHING_WRITES === 0) await dataSync();
    },
    truncate: (size) => named(() => ftruncateSync(fd, size)),
    sync: () => named(() => fsyncSync(fd)),
    dataSync,
    close: () => named(() => closeSync(fd)),
  };
}

/** On Windows, a rename or removal fails while a virus scanner or an indexer has the file open: for a moment. */
const IN_USE = ["EACCES", "EBUSY", "EPERM"];
const RETRY_AFTER_MS = WINDOWS ? [10, 50, 200, 700, 1_500] : [];
const isInUse = (error: unknown): boolean => IN_USE.includes((error as NodeJS.ErrnoException).code ?? "");

function retried<T>(work: () => T): T {
  for (const ms of RETRY_AFTER_MS) {
    try {
      return work();
    } catch (error) {
      if (!isInUse(error)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    }
  }
  return work();
}

async function retriedLater<T>(work: () => Promise<T>): Promise<T> {
  for (const ms of RETRY_AFTER_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isInUse(error)) throw error;
      await pause(ms);
    }
  }
  return await work();
}

export const removeLater = (path: string): Promise<void> => retriedLater(() => rm(path, { force: true }));
export const renameLater = (from: string, to: string): Promise<void> => retriedLater(() => rename(from, to));

/** NTFS flushes a folder only for a handle that may write. File systems without such a flush refuse it. */
const FOLDER_FLAGS = WINDOWS ? constants.O_RDWR : constants.O_RDONLY;
const hasNoFolderFlush = (error: unknown): boolean =>
  WINDOWS && ["EACCES", "EINVAL", "EISDIR", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "");

export const realFiles: Files = {
  exists: existsSync,
  list: (folder) => (existsSync(folder) ? readdirSync(folder) : []),
  makeFolder: (folder) => void mkdirSync(folder, { recursive: true, mode: 0o700 }),
  open: openReal,
  rename: (from, to) => retried(() => renameSync(from, to)),
  remove: (path) => retried(() => rmSync(path, { force: true })),
  syncFolder(folder) {
    try {
      const fd = openSync(folder, FOLDER_FLAGS);
      try {
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
    } catch (error) {
      if (!hasNoFolderFlush(error)) throw withPath(error, folder);
    }
  },
  removeLater,
  async syncFolderLater(folder) {
    try {
      const handle = await open(folder, FOLDER_FLAGS);
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (!hasNoFolderFlush(error)) throw withPath(error, folder);
    }
  },
};

export function readFully(files: Files, path: string): Buffer {
  const file = files.open(path, "read");
  try {
    const bytes = Buffer.allocUnsafe(file.size);
    return bytes.subarray(0, file.read(bytes, 0));
  } finally {
    file.close();
  }
}

/** The contents of a file in pieces of up to 1 MB. Each is valid until the next. */
export function* readPieces(files: Files, path: string): Generator<Buffer, void, undefined> {
  const file = files.open(path, "read");
  try {
    const buffer = Buffer.allocUnsafe(1 << 20);
    for (let position = 0; ; ) {
      const length = file.read(buffer, position);
      if (length === 0) return;
      position += length;
      yield buffer.subarray(0, length);
    }
  } finally {
    file.close();
  }
}

/** Replaces a small file atomically: a crash leaves the old file or the new one. */
export function replaceFile(files: Files, folder: string, name: string, bytes: Uint8Array): void {
  try {
    const file = files.open(`${folder}/${name}.new`, "create");
    try {
      file.write(bytes, 0);
      file.sync();
    } finally {
      file.close();
    }
  } catch (error) {
    if (isLackOfRoom(error)) files.remove(`${folder}/${name}.new`);
    throw error;
  }
  files.rename(`${folder}/${name}.new`, `${folder}/${name}`);
  files.syncFolder(folder);
}

/**
 * The format of small files with keys or paths: JSON in one line, and its SHA-256 in the next. Without a checksum, a
 * flipped bit would give another key or path.
 */
export function encodeChecked(value: object): Buffer {
  const json = JSON.stringify(value);
  return Buffer.from(`${json}\n${createHash("sha256").update(json).digest("hex")}\n`);
}

/** Undefined for anything that `encodeChecked` did not write. */
export function decodeChecked(bytes: Buffer): unknown {
  const json = bytes.subarray(0, Math.max(0, bytes.indexOf("\n"))).toString();
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  return typeof value === "object" && value !== null && encodeChecked(value).equals(bytes) ? value : undefined;
}
