import type { Files, OpenFile } from "../../server/storage/files.ts";

const SECTOR = 512;

const immediate = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A file's bytes by sector. Missing sectors are zeros, so that 16 MB of zeros take no memory. */
interface Content {
  size: number;
  sectors: Map<number, Uint8Array>;
}

/** An inode: folders map names to it, and names and contents change independently. */
interface Inode {
  id: number;
  content: Content;
}

/** One operation on the disk. Contents and names become durable independently. */
export type Operation =
  | { kind: "write"; inode: number; position: number; length: number; sectors: Map<number, Uint8Array>; size: number }
  | { kind: "truncate"; inode: number; size: number }
  /** Makes the operations before `upTo` durable, except those that were lost. */
  | { kind: "sync"; inode: number; upTo: number }
  /** A failed flush. The system treats the data as flushed, though it is only in memory. */
  | { kind: "lost"; inode: number; upTo: number }
  | { kind: "create"; path: string; inode: number }
  | { kind: "rename"; from: string; to: string; inode: number }
  | { kind: "remove"; path: string; inode: number }
  | { kind: "syncFolder"; folder: string };

export type Disk = Map<string, Content>;

/** How much unflushed data survives a crash. `pick()` is a number from 0 to 1, the same for the same seed. */
export interface Crash {
  how: "nothing unflushed" | "everything" | "torn" | "reordered";
  pick: () => number;
}

export const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/"));

const ZEROS = Buffer.alloc(SECTOR);

/** Whether a sector, or part of one, is all zeros. */
const isZero = (bytes: Uint8Array) => ZEROS.subarray(0, bytes.length).equals(bytes);

const failure = (code: string, call: string) => Object.assign(new Error(`${code}: injected, ${call}`), { code });

/**
 * Files in memory that record every operation, so that a test can get the disk as a crash at any point may leave it.
 * They also fail on demand.
 */
export class RecordingFiles implements Files {
  readonly operations: Operation[] = [];
  #files = new Map<string, Inode>();
  readonly #folders = new Set<string>();
  /** The durable state before the first operation. */
  readonly #before: Disk;
  #inodes = 0;
  /** Called before each change or flush of the disk. Its error is thrown. */
  failWith: ((call: string, path: string) => "EIO" | "ENOSPC" | undefined) | undefined;
  calls = 0;

  constructor(disk: Disk = new Map()) {
    this.#before = disk;
    for (const [path, content] of disk) this.#files.set(path, { id: this.#inodes++, content: copied(content) });
  }

  #call(call: string, path: string): void {
    this.calls += 1;
    const code = this.failWith?.(call, path);
    if (code) throw failure(code, `${call} ${path}`);
  }

  #at(path: string): Inode {
    const inode = this.#files.get(path);
    if (!inode) throw failure("ENOENT", path);
    return inode;
  }

  exists(path: string): boolean {
    return this.#files.has(path) || this.#folders.has(path);
  }

  list(folder: string): string[] {
    return [...this.#files.keys()]
      .filter((path) => folderOf(path) === folder)
      .map((path) => path.slice(folder.length + 1));
  }

  makeFolder(folder: string): void {
    this.#folders.add(folder);
  }

  open(path: string, how: "read" | "write" | "create", { durable = false } = {}): OpenFile {
    if (how === "create") {
      this.#call("create", path);
      const there = this.#files.get(path);
      if (there) {
        this.operations.push({ kind: "truncate", inode: there.id, size: 0 });
        truncate(there.content, 0);
      } else {
        const inode = { id: this.#inodes++, content: { size: 0, sectors: new Map() } };
        this.#files.set(path, inode);
        this.operations.push({ kind: "create", path, inode: inode.id });
      }
    }
    const inode = this.#at(path);
    const sync = (upTo: number) => {
      try {
        this.#call("sync", path);
      } catch (error) {
        this.operations.push({ kind: "lost", inode: inode.id, upTo });
        throw error;
      }
      this.operations.push({ kind: "sync", inode: inode.id, upTo });
    };
    const recorded: OpenFile = {
      get size() {
        return inode.content.size;
      },
      read: (into, position) => read(inode.content, into, position),
      readLater: async (into, position) => {
        await new Promise((resolve) => setImmediate(resolve));
        return read(inode.content, into, position);
      },
      write: (bytes, position) => {
        this.#call("write", path);
        const sectors = written(inode.content, bytes, position);
        inode.content.size = Math.max(inode.content.size, position + bytes.length);
        apply(inode.content, sectors);
        const { size } = inode.content;
        this.operations.push({ kind: "write", inode: inode.id, position, length: bytes.length, sectors, size });
      },
      writeLater: async (bytes, position) => {
        await immediate();
        recorded.write(bytes, position);
        if (durable) await recorded.dataSync();
      },
      isDeleted: false,
      truncate: (size) => {
        this.#call("truncate", path);
        truncate(inode.content, size);
        this.operations.push({ kind: "truncate", inode: inode.id, size });
      },
      sync: () => sync(this.operations.length),
      dataSync: async () => {
        const upTo = this.operations.length;
        await new Promise((resolve) => setImmediate(resolve));
        sync(upTo);
      },
      close: () => {},
    };
    return recorded;
  }

  rename(from: string, to: string): void {
    this.#call("rename", from);
    const inode = this.#at(from);
    this.#files.delete(from);
    this.#files.set(to, inode);
    this.operations.push({ kind: "rename", from, to, inode: inode.id });
  }

  remove(path: string): void {
    this.#call("remove", path);
    const inode = this.#files.get(path);
    if (!inode) return;
    this.#files.delete(path);
    this.operations.push({ kind: "remove", path, inode: inode.id });
  }

  syncFolder(folder: string): void {
    this.#call("syncFolder", folder);
    this.operations.push({ kind: "syncFolder", folder });
  }

  async removeLater(path: string): Promise<void> {
    await immediate();
    this.remove(path);
  }

  async syncFolderLater(folder: string): Promise<void> {
    await immediate();
    this.syncFolder(folder);
  }

  now(): Disk {
    return new Map([...this.#files].map(([path, { content }]) => [path, copied(content)]));
  }

  /** The disk after a crash that follows the first `count` operations. */
  after(count: number, { how, pick }: Crash): Disk {
    const operations = this.operations.slice(0, count);
    const flushed = lastFlushes(operations);
    const contents = new Map<number, Content>();
    const names = new Map<string, number>();
    let id = 0;
    for (const [path, content] of this.#before) {
      contents.set(id, copied(content));
      names.set(path, id++);
    }
    const content = (inode: number) => {
      const found = contents.get(inode) ?? { size: 0, sectors: new Map() };
      contents.set(inode, found);
      return found;
    };
    for (const [index, operation] of operations.entries()) {
      const newest = index === operations.length - 1;
      if (operation.kind === "write") {
        if (flushed.isLost(operation.inode, index)) continue;
        const target = content(operation.inode);
        if (
          (flushed.inodes.get(operation.inode) ?? -1) > index ||
          how === "everything" ||
          (how === "torn" && !newest)
        ) {
          target.size = Math.max(target.size, operation.size);
          apply(target, operation.sectors);
        } else if (how === "torn") {
          tear(target, operation, pick());
        } else if (how === "reordered") {
          // The size may become durable before the contents, and sectors in any order.
          if (pick() < 0.7) target.size = Math.max(target.size, operation.size);
          apply(target, new Map([...operation.sectors].filter(([at]) => at * SECTOR < target.size && pick() < 0.5)));
        }
      } else if (operation.kind === "truncate") {
        const kept = (flushed.inodes.get(operation.inode) ?? -1) > index || how === "everything" || how === "torn";
        if (kept || (how === "reordered" && pick() < 0.5)) truncate(content(operation.inode), operation.size);
      } else if (operation.kind === "create" || operation.kind === "rename" || operation.kind === "remove") {
        const path = operation.kind === "rename" ? operation.to : operation.path;
        const durable = (flushed.folders.get(folderOf(path)) ?? -1) > index;
        if (!durable && how === "nothing unflushed") continue;
        if (!durable && how === "reordered" && pick() < 0.5) continue;
        if (operation.kind === "rename" && names.get(operation.from) === operation.inode) names.delete(operation.from);
        if (operation.kind === "remove") names.delete(path);
        else names.set(path, operation.inode);
      }
    }
    return new Map([...names].map(([path, inode]) => [path, content(inode)]));
  }
}

function lastFlushes(operations: readonly Operation[]) {
  const [inodes, folders] = [new Map<number, number>(), new Map<string, number>()];
  const lost: { inode: number; from: number; upTo: number }[] = [];
  for (const [index, operation] of operations.entries()) {
    if (operation.kind === "sync" || operation.kind === "lost") {
      const { inode, upTo } = operation;
      const from = inodes.get(inode) ?? 0;
      if (operation.kind === "lost") lost.push({ inode, from, upTo });
      inodes.set(inode, Math.max(upTo, from));
    }
    if (operation.kind === "syncFolder") folders.set(operation.folder, index);
  }
  const isLost = (inode: number, index: number) =>
    lost.some((one) => one.inode === inode && one.from <= index && index < one.upTo);
  return { inodes, folders, isLost };
}

function copied({ size, sectors }: Content): Content {
  return { size, sectors: new Map(sectors) };
}

/** Sectors are never changed in place, so images may share them. A sector of zeros is not stored. */
function written(content: Content, bytes: Uint8Array, position: number): Map<number, Uint8Array> {
  const sectors = new Map<number, Uint8Array>();
  for (let at = Math.floor(position / SECTOR); at * SECTOR < position + bytes.length; at += 1) {
    const from = Math.max(position, at * SECTOR);
    const part = bytes.subarray(from - position, Math.min(bytes.length, (at + 1) * SECTOR - position));
    const known = content.sectors.get(at);
    if (!known && isZero(part)) continue;
    const sector = known?.slice() ?? new Uint8Array(SECTOR);
    sector.set(part, from - at * SECTOR);
    sectors.set(at, sector);
  }
  return sectors;
}

function apply(content: Content, sectors: ReadonlyMap<number, Uint8Array>): void {
  for (const [at, sector] of sectors) content.sectors.set(at, sector);
}

/** Cuts it at a sector boundary. */
function truncate(content: Content, size: number): void {
  content.size = Math.min(content.size, size);
  for (const at of content.sectors.keys()) if (at * SECTOR >= size) content.sectors.delete(at);
}

/** The first part of a write, up to a sector boundary. */
function tear(content: Content, write: Operation & { kind: "write" }, share: number): void {
  const first = Math.floor(write.position / SECTOR);
  const last = first + Math.floor(share * Math.ceil(write.length / SECTOR));
  content.size = Math.max(content.size, Math.min(write.size, last * SECTOR));
  apply(content, new Map([...write.sectors].filter(([at]) => at < last)));
}

function read({ size, sectors }: Content, into: Uint8Array, position: number): number {
  const count = Math.max(0, Math.min(into.length, size - position));
  into.fill(0, 0, count);
  if (count > sectors.size * SECTOR) {
    for (const [at, sector] of sectors) copySector(at, sector, into, position, count);
  } else {
    for (let at = Math.floor(position / SECTOR); at * SECTOR < position + count; at += 1) {
      const sector = sectors.get(at);
      if (sector) copySector(at, sector, into, position, count);
    }
  }
  return count;
}

function copySector(at: number, sector: Uint8Array, into: Uint8Array, position: number, count: number): void {
  const start = at * SECTOR - position;
  const from = Math.max(0, -start);
  const to = Math.min(SECTOR, count - start);
  if (from < to) into.set(sector.subarray(from, to), start + from);
}

/** The files as one process sees them. After `kill`, its calls have no effect and never return. */
export function processOn(files: Files): Files & { kill(): void } {
  let dead = false;
  const alive = () => {
    if (dead) throw new Error("This process was killed.");
  };
  const never = new Promise<never>(() => {});
  /** Operations in progress during a kill do not happen. */
  const alsoLater = async () => {
    alive();
    await immediate();
    if (dead) await never;
  };
  return {
    kill: () => {
      dead = true;
    },
    exists: (path) => files.exists(path),
    list: (folder) => files.list(folder),
    makeFolder: (folder) => files.makeFolder(folder),
    open(path, how, { durable = false } = {}) {
      alive();
      const file = files.open(path, how);
      return {
        get size() {
          return file.size;
        },
        get isDeleted() {
          return file.isDeleted;
        },
        read: (into, position) => file.read(into, position),
        readLater: (into, position) => file.readLater(into, position),
        write(bytes, position) {
          alive();
          file.write(bytes, position);
        },
        async writeLater(bytes, position) {
          await alsoLater();
          file.write(bytes, position);
          if (!durable) return;
          await file.dataSync();
          if (dead) await never;
        },
        truncate(size) {
          alive();
          file.truncate(size);
        },
        sync() {
          alive();
          file.sync();
        },
        async dataSync() {
          alive();
          await file.dataSync();
          if (dead) await never;
        },
        close: () => file.close(),
      };
    },
    rename(from, to) {
      alive();
      files.rename(from, to);
    },
    remove(path) {
      alive();
      files.remove(path);
    },
    syncFolder(folder) {
      alive();
      files.syncFolder(folder);
    },
    async removeLater(path) {
      await alsoLater();
      files.remove(path);
    },
    async syncFolderLater(folder) {
      await alsoLater();
      files.syncFolder(folder);
    },
  };
}

export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function bytesOf(disk: Disk, path: string): Buffer {
  const content = disk.get(path);
  if (!content) throw failure("ENOENT", path);
  const bytes = Buffer.alloc(content.size);
  read(content, bytes, 0);
  return bytes;
}

export function withBytes(disk: Disk, path: string, bytes: Uint8Array): Disk {
  const content: Content = { size: bytes.length, sectors: new Map() };
  apply(content, written(content, bytes, 0));
  return new Map(disk).set(path, content);
}
