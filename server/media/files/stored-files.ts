import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import * as fs from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isAhead } from "../../storage/ages.ts";
import { StorageFull } from "../../storage/errors.ts";
import { realFiles, removeLater, renameLater } from "../../storage/files.ts";
import { asFull, FileBeingReceived, type SizeLimit, type TemporaryFile, unlimited } from "./file-being-received.ts";
import { FileInPieces, IncomingFile } from "./incoming-file.ts";

/*
 * The files in uploads/ of the data folder: uploads, and files made from them.
 *
 * A file exists while its row exists. `store` makes files durable under new random names, and then calls the transaction
 * that writes their rows with `recordFile` (actions/files.ts). If that throws, `store` removes the files. `remove` deletes
 * a file after the transaction that deleted its row is durable. After a crash in between, `sweep` removes the file
 * without a row. Files never change: new content is a new file.
 *
 *   const [file] = await app.files.receive(bytes, limit); // or from the body of a request: call.files
 *   await app.files.store([{ kind: "avatars", content: file }], ([stored]) => transact((tx) => …recordFile(tx, stored)…));
 *   transact((tx) => …deleteFile(tx, old)…);  await app.files.remove([old]);
 *   new FileAnswer(…) of http/file-answers.ts sends one, with ranges.
 *
 * Names from users are only in rows and headers, never in a path.
 */

/** Each is a folder of uploads/. */
export const FILE_KINDS = ["attachments", "thumbnails", "avatars", "organization", "emoji"] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** A file with a row in the table `files`. */
export interface StoredFile {
  readonly kind: FileKind;
  /** 32 hexadecimal digits. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/** A file without its row yet. */
export interface NewFile extends StoredFile {
  /** In hexadecimal. */
  readonly sha256: string;
}

/** Tests replace parts of it. */
export interface Disk {
  open: typeof fs.open;
  /** Free space in bytes. */
  free(folder: string): Promise<number>;
}

const realDisk: Disk = {
  open: fs.open,
  async free(folder) {
    const { bavail, bsize } = await fs.statfs(folder);
    return bavail * bsize;
  },
};

/** Room for four segments of the log, so that a full disk refuses files before messages. */
const MIN_FREE_BYTES = 64 << 20;
/** Up to this many active files stay open between two pieces, which saves two of three disk operations. */
const MAX_KEPT_OPEN = 2;
/** Buffer sizes of all active files together, and of each. Each file has two buffers. */
const BUFFERS = { together: 16 << 20, most: 1 << 20, least: 64 << 10 };
/**
 * Each request during a piece delays the next piece by this many milliseconds, so a few people who chat hardly slow
 * down a file. From 200 requests a second, all files together stay below these bytes a second: a megabyte takes one
 * millisecond of CPU to send and two to receive, and its flush delays the flush of the log.
 */
const WAIT_PER_REQUEST_MS = 5;
const RATE_BESIDE_OTHERS = { received: 12 << 20, read: 32 << 20 };
/** Node has four threads for files and passwords, and the log needs one. */
const DISK_OPERATIONS = 2;
const NAME = /^[\da-f]{32}$/;

export class StoredFiles {
  readonly #folder: string;
  readonly #durable: () => Promise<void> | undefined;
  readonly #disk: Disk;
  /** Names of files without their row yet, which sweeps must keep. */
  readonly #unrecorded = new Set<string>();
  readonly #activity: () => number;
  #activityBefore = 0;
  /** When the active files have used up their share, by performance.now(). */
  #freeAt = 0;
  #isStopping = false;
  #underWay = 0;
  #running = 0;
  /** Number of holds (`hold`), during which no file is removed. */
  #holders = 0;
  #removedLater: Pick<StoredFile, "kind" | "name">[] = [];
  readonly #queue: (() => void)[] = [];

  /**
   * Creates the folder if it is missing, and removes unfinished uploads of an earlier run. `durable` resolves when all
   * commits so far are on disk. `activity` counts the server's requests.
   * @throws the errors of Node's fs.
   */
  constructor(
    dataFolder: string,
    durable: () => Promise<void> | undefined,
    { activity = () => 0, disk = {} }: { activity?: () => number; disk?: Partial<Disk> | undefined } = {},
  ) {
    this.#activity = activity;
    this.#folder = join(dataFolder, "uploads");
    this.#durable = durable;
    this.#disk = { ...realDisk, ...disk };
    mkdirSync(this.#incoming, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(this.#incoming)) rmSync(join(this.#incoming, name), { force: true });
  }

  get #incoming(): string {
    return join(this.#folder, "incoming");
  }

  /** The path of a stored file, for threads that read it themselves. The file can be removed at any time. */
  pathOf({ kind, name }: Pick<StoredFile, "kind" | "name">): string {
    if (!NAME.test(name) || !FILE_KINDS.includes(kind)) throw new Error(`No name of a stored file: ${kind}/${name}`);
    return join(this.#folder, kind, name.slice(0, 2), name);
  }

  /**
   * Writes a source to a temporary file and flushes it.
   * @throws the limit's refusal; StorageFull; errors of the source.
   */
  async receive(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, limit: SizeLimit): Promise<TemporaryFile> {
    const file = this.begin(limit);
    try {
      for await (const chunk of source) await file.append(chunk);
    } catch (error) {
      await file.abandon();
      throw error;
    }
    return await file.finish();
  }

  /** Starts a temporary file whose contents arrive in pieces. */
  begin(limit: SizeLimit): FileBeingReceived {
    const path = join(this.#incoming, newName());
    const content = new IncomingFile(path, {
      open: this.#disk.open,
      onDisk: (operation) => this.#onDisk(operation),
      afterFlush: () => this.#assertRoom(),
      mayStayOpen: () => this.#underWay <= MAX_KEPT_OPEN,
      bufferSize: () => this.#bufferSize,
      afterWrite: (bytes) => this.#giveWay(bytes, RATE_BESIDE_OTHERS.received),
    });
    this.#underWay += 1;
    return new FileBeingReceived(path, content, limit, {
      room: this.#assertRoom(),
      ended: () => {
        this.#underWay -= 1;
      },
    });
  }

  async openTemporary(file: TemporaryFile): Promise<{
    readAt(position: number, length: number): Promise<Buffer>;
    close(): Promise<void>;
  }> {
    const handle = await this.#onDisk(() => this.#disk.open(file.path, "r"));
    return {
      readAt: async (position, length) => {
        const buffer = Buffer.allocUnsafe(length);
        const { bytesRead } = await this.#onDisk(() => handle.read(buffer, 0, length, position));
        return buffer.subarray(0, bytesRead);
      },
      close: () => handle.close(),
    };
  }

  /** Removes temporary files, except those that have been stored. */
  async discard(files: readonly TemporaryFile[]): Promise<void> {
    for (const { path } of files) await removeLater(path);
  }

  /**
   * Gives the contents durable names, then calls `commit` with the stored files in the same order, to write their rows in
   * one transaction. Removes the files if it fails.
   * @throws errors of `commit`; StorageFull; ENOENT for a temporary file that was discarded.
   */
  async store<T>(
    contents: readonly { kind: FileKind; content: TemporaryFile | Uint8Array }[],
    commit: (files: readonly NewFile[]) => T,
  ): Promise<T> {
    const stored: NewFile[] = [];
    try {
      for (const { kind, content } of contents) {
        const bytes = content instanceof Uint8Array;
        const temporary = bytes ? await this.receive([content], unlimited) : content;
        const file = { kind, name: newName(), size: temporary.size, sha256: temporary.sha256 };
        this.#unrecorded.add(file.name);
        stored.push(file);
        try {
          await this.#onDisk(() => this.#place(temporary.path, this.pathOf(file)));
        } finally {
          if (bytes) await this.discard([temporary]);
        }
      }
      return commit(stored);
    } catch (error) {
      for (const file of stored) await removeLater(this.pathOf(file));
      throw asFull(error);
    } finally {
      for (const { name } of stored) this.#unrecorded.delete(name);
    }
  }

  /**
   * The bytes from `start` up to, but not including, `end`. Pieces share two buffers: a piece is valid until the second
   * one after it is requested.
   * @throws the errors of Node's fs: ENOENT if the file has been removed.
   */
  async *read(file: StoredFile, start = 0, end = file.size): AsyncGenerator<Buffer, void, undefined> {
    const path = this.pathOf(file);
    const opened = new FileInPieces(() => this.#underWay <= MAX_KEPT_OPEN);
    this.#underWay += 1;
    try {
      const buffers: [Buffer?, Buffer?] = [];
      for (let [position, turn] = [start, 0]; position < end; turn = 1 - turn) {
        const wanted = Math.min(this.#bufferSize, end - position);
        await this.#giveWay(wanted, RATE_BESIDE_OTHERS.read);
        const used = buffers[turn];
        const buffer = used && used.length >= wanted ? used : Buffer.allocUnsafe(wanted);
        buffers[turn] = buffer;
        const { bytesRead } = await this.#onDisk(() =>
          opened.use(
            () => this.#disk.open(path, "r"),
            (handle) => handle.read(buffer, 0, wanted, position),
          ),
        );
        if (bytesRead === 0) throw new Error(`${path} is shorter than its row says.`);
        const piece = buffer.subarray(0, bytesRead);
        position += bytesRead;
        yield piece;
      }
    } finally {
      await opened.close();
      this.#underWay -= 1;
    }
  }

  /**
   * The SHA-256 of a file on disk. Undefined if it is missing, has another size, or cannot be read. `rest` is awaited
   * after each piece.
   */
  async digestOf(file: StoredFile, rest: () => Promise<unknown>): Promise<string | undefined> {
    const hash = createHash("sha256");
    try {
      if ((await fs.stat(this.pathOf(file))).size !== file.size) return undefined;
      for await (const piece of this.read(file)) {
        hash.update(piece);
        await rest();
      }
    } catch (error) {
      if (["ENOENT", "EIO"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
      throw error;
    }
    return hash.digest("hex");
  }

  /** Removes files after the deletion of their rows is durable. After a failure, the sweep removes them. */
  async remove(files: readonly Pick<StoredFile, "kind" | "name">[]): Promise<void> {
    if (files.length === 0) return;
    await this.#durable();
    if (this.#holders > 0) {
      this.#removedLater.push(...files);
      return;
    }
    for (const file of files) await removeLater(this.pathOf(file));
  }

  /**
   * Keeps all stored files until the returned function is called, for a copy of the files that the database names at one
   * moment. After a crash, the sweep removes the files that waited.
   */
  hold(): () => Promise<void> {
    this.#holders += 1;
    let held = true;
    return async () => {
      if (!held) return;
      held = false;
      this.#holders -= 1;
      if (this.#holders === 0) await this.remove(this.#removedLater.splice(0));
    };
  }

  /**
   * Removes files without a row that were written before `before` (milliseconds since the epoch). `recorded` returns the
   * names that have a row. Returns the number of removed files.
   */
  async sweep(before: number, recorded: (names: readonly string[]) => ReadonlySet<string>): Promise<number> {
    let removed = 0;
    for (const kind of FILE_KINDS) {
      for (const shard of await listed(join(this.#folder, kind))) {
        const folder = join(this.#folder, kind, shard);
        const names = (await listed(folder)).filter((name) => NAME.test(name));
        if (this.#isStopping || this.#holders > 0) return removed; // the next sweep continues
        const kept = recorded(names);
        for (const name of names.filter((one) => !kept.has(one))) {
          const path = join(folder, name);
          const { mtimeMs } = await fs.stat(path).catch(nothingThere);
          // A time in the future comes from a clock that was ahead, not from a new file.
          const isNew = mtimeMs >= before && !(Number.isFinite(mtimeMs) && isAhead(mtimeMs, before));
          if (isNew || this.#unrecorded.has(name) || this.#holders > 0) continue;
          await removeLater(path);
          removed += 1;
        }
      }
    }
    return removed;
  }

  /** Ends a running sweep, since the database closes next. */
  stop(): void {
    this.#isStopping = true;
  }

  /** Gives requests priority: WAIT_PER_REQUEST_MS. */
  async #giveWay(bytes: number, rate: number): Promise<void> {
    const activity = this.#activity();
    const requests = activity - this.#activityBefore;
    this.#activityBefore = activity;
    if (requests === 0) return;
    const now = performance.now();
    const wait = Math.min((bytes / rate) * 1000, requests * WAIT_PER_REQUEST_MS);
    this.#freeAt = Math.max(this.#freeAt, now) + wait;
    if (this.#freeAt - now >= 1) await pause(this.#freeAt - now);
  }

  get #bufferSize(): number {
    return Math.max(BUFFERS.least, Math.min(BUFFERS.most, Math.floor(BUFFERS.together / this.#underWay)));
  }

  async #assertRoom(): Promise<void> {
    if ((await this.#disk.free(this.#folder)) < MIN_FREE_BYTES) throw new StorageFull();
  }

  async #place(from: string, to: string): Promise<void> {
    const folder = dirname(to);
    const created = await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    await renameLater(from, to);
    await realFiles.syncFolderLater(folder);
    if (created === undefined) return;
    await realFiles.syncFolderLater(dirname(folder));
    await realFiles.syncFolderLater(this.#folder);
  }

  /** Runs at most DISK_OPERATIONS in parallel. They are short, so no one waits for a slow client. */
  async #onDisk<T>(operation: () => Promise<T>): Promise<T> {
    if (this.#running < DISK_OPERATIONS) this.#running += 1;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    try {
      return await operation();
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}

const newName = () => randomBytes(16).toString("hex");

async function listed(folder: string): Promise<string[]> {
  try {
    return await fs.readdir(folder);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}

function nothingThere(error: NodeJS.ErrnoException): { mtimeMs: number } {
  if (error.code !== "ENOENT") throw error;
  return { mtimeMs: Number.POSITIVE_INFINITY };
}
