import { type Files, type OpenFile, realFiles } from "./files.ts";

const BLOCK = 4096;

/** Keeps writes to a file in memory, as blocks that overlay the file on disk. */
class Overlay {
  readonly #base: OpenFile | undefined;
  readonly #blocks = new Map<number, Buffer>();
  size: number;

  constructor(base: OpenFile | undefined) {
    this.#base = base;
    this.size = base?.size ?? 0;
  }

  read(into: Uint8Array, position: number): number {
    const length = Math.max(0, Math.min(into.length, this.size - position));
    const part = into.subarray(0, length).fill(0);
    this.#base?.read(part, position);
    for (let at = position; at < position + length; at = (Math.floor(at / BLOCK) + 1) * BLOCK) {
      const block = this.#blocks.get(Math.floor(at / BLOCK));
      if (block) part.set(block.subarray(at % BLOCK, (at % BLOCK) + length - (at - position)), at - position);
    }
    return length;
  }

  write(bytes: Uint8Array, position: number): void {
    for (let done = 0; done < bytes.length; ) {
      const number = Math.floor((position + done) / BLOCK);
      const start = position + done - number * BLOCK;
      const part = bytes.subarray(done, done + BLOCK - start);
      let block = this.#blocks.get(number);
      if (!block) {
        block = Buffer.alloc(BLOCK);
        this.read(block, number * BLOCK);
        this.#blocks.set(number, block);
      }
      block.set(part, start);
      done += part.length;
    }
    this.size = Math.max(this.size, position + bytes.length);
  }

  close(): void {
    this.#base?.close();
  }
}

/**
 * Files whose writes stay in memory, so that a check can try a start without changes on disk. `close` closes all open
 * files.
 */
export function readOnlyFiles(disk: Files = realFiles): { files: Files; close(): void } {
  /** By path. Null means removed. */
  const changed = new Map<string, Overlay | null>();
  const overlayOf = (path: string): Overlay => {
    let overlay = changed.get(path);
    if (overlay === undefined) {
      overlay = new Overlay(disk.open(path, "read"));
      changed.set(path, overlay);
    }
    if (!overlay) throw Object.assign(new Error(`ENOENT: no such file, open '${path}'`), { code: "ENOENT", path });
    return overlay;
  };
  const exists = (path: string): boolean => (changed.has(path) ? changed.get(path) !== null : disk.exists(path));
  const remove = (path: string): void => void changed.set(path, null);
  const files: Files = {
    exists,
    list(folder) {
      const inFolder = [...changed.keys()].filter((path) => path.startsWith(`${folder}/`));
      const names = new Set([...disk.list(folder), ...inFolder.map((path) => path.slice(folder.length + 1))]);
      return [...names].filter((name) => !name.includes("/") && exists(`${folder}/${name}`));
    },
    makeFolder() {},
    open(path, how) {
      if (how === "read" && !changed.has(path)) return disk.open(path, "read");
      if (how === "create") changed.set(path, new Overlay(undefined));
      const overlay = overlayOf(path);
      const write = (bytes: Uint8Array, position: number) => overlay.write(bytes, position);
      return {
        get size() {
          return overlay.size;
        },
        isDeleted: false,
        read: (into, position) => overlay.read(into, position),
        readLater: async (into, position) => overlay.read(into, position),
        write,
        writeLater: async (bytes, position) => write(bytes, position),
        truncate(size) {
          overlay.size = size;
        },
        sync() {},
        async dataSync() {},
        close() {},
      };
    },
    rename(from, to) {
      changed.set(to, overlayOf(from));
      changed.set(from, null);
    },
    remove,
    syncFolder() {},
    removeLater: async (path) => remove(path),
    async syncFolderLater() {},
  };
  return {
    files,
    close() {
      for (const overlay of changed.values()) overlay?.close();
    },
  };
}
