import { PageDamaged } from "./errors.ts";
import type { OpenFile } from "./files.ts";
import { PAGE_SIZE, type PageSums, Pages, sumOf } from "./pages.ts";

/** Pages on disk, with their checksums. */
export interface SavedPages {
  path: string;
  file: OpenFile;
  sums: PageSums;
  /** How many there are. */
  count: number;
}

/** The number that the engine's C library gives EIO. */
const EIO = 29;

/**
 * Tells the engine that the file cannot be read. The engine checks the name, and reads the number from `Sa`, which is
 * the minified property of its build: test/storage/engine.test.ts guards that.
 */
const unreadable = Object.assign(new Error("The page cannot be read."), { name: "ErrnoError", errno: EIO, Sa: EIO });

/**
 * The contents of a database file, as sql.js uses them: `subarray` to read, `set` to write, and `slice` once, to take
 * them over. Written pages stay in memory until a checkpoint has written them to disk. Other pages are read on demand
 * and checked each time.
 *
 * A checkpoint calls `freeze`, and then `release` or `thaw`.
 */
export class PagedFile {
  #changed = new Pages();
  #frozen: Pages | undefined;
  #saved: SavedPages | undefined;
  #pages: number;
  readonly #page = Buffer.alloc(PAGE_SIZE);
  /** Counts writes, to detect an engine that no longer writes here. */
  writes = 0;
  /** Why the last read failed. `takeFault` clears it. */
  #fault: Error | undefined;
  /** The engine grows its contents by a copy if they are shorter than what it writes: these never are. */
  readonly length = Number.MAX_SAFE_INTEGER;

  constructor(saved?: SavedPages) {
    this.#saved = saved;
    this.#pages = saved?.count ?? 0;
  }

  /** How many pages the database has. */
  get pages(): number {
    return this.#pages;
  }

  /** Bytes of pages that are not on disk yet, or for which this is not certain. */
  get changedBytes(): number {
    return this.#changed.bytes + (this.#frozen?.bytes ?? 0);
  }

  get savedPages(): SavedPages | undefined {
    return this.#saved;
  }

  /** Whether the newest contents of the page are on disk. */
  isSaved(number: number): boolean {
    return !this.#changed.has(number) && !this.#frozen?.has(number) && number < (this.#saved?.count ?? 0);
  }

  /** Becomes the contents of the engine's file. */
  forEngine(): Uint8Array {
    const taken = { length: this.#pages * PAGE_SIZE, subarray: () => this, slice: () => this };
    return taken as unknown as Uint8Array;
  }

  /** Bytes from `from` on and before `to`; valid until the next call. */
  subarray(from: number, to: number): Uint8Array {
    const number = Math.floor(from / PAGE_SIZE);
    const start = from - number * PAGE_SIZE;
    const length = to - from;
    if (start + length <= PAGE_SIZE) {
      const page = this.page(number);
      return length === PAGE_SIZE ? page : page.subarray(start, start + length);
    }
    const bytes = Buffer.alloc(length);
    for (let at = from; at < to; at = (Math.floor(at / PAGE_SIZE) + 1) * PAGE_SIZE) {
      const end = Math.min(to, (Math.floor(at / PAGE_SIZE) + 1) * PAGE_SIZE);
      bytes.set(this.subarray(at, end), at - from);
    }
    return bytes;
  }

  set(bytes: Uint8Array, at: number): void {
    for (let done = 0; done < bytes.length; ) {
      const number = Math.floor((at + done) / PAGE_SIZE);
      const start = at + done - number * PAGE_SIZE;
      const part = bytes.subarray(done, done + PAGE_SIZE - start);
      if (part.length === PAGE_SIZE) this.#changed.set(number, part);
      else {
        const page = Buffer.from(number < this.#pages ? this.page(number) : Buffer.alloc(PAGE_SIZE));
        page.set(part, start);
        this.#changed.set(number, page);
      }
      this.#pages = Math.max(this.#pages, number + 1);
      done += part.length;
    }
    this.writes += 1;
  }

  /** A page's newest contents; valid until the next call. The engine reports the error that it throws for a bad one. */
  page(number: number): Uint8Array {
    return this.#changed.get(number) ?? this.#frozen?.get(number) ?? this.#read(number);
  }

  #read(number: number): Uint8Array {
    const saved = this.#saved;
    // The engine does not write a page that is free from the start.
    if (!saved || number >= saved.count) return this.#page.fill(0);
    try {
      if (saved.file.read(this.#page, number * PAGE_SIZE) < PAGE_SIZE)
        this.#fault = new PageDamaged(saved.path, number);
      else if (sumOf(this.#page, number) !== saved.sums.get(number)) this.#fault = new PageDamaged(saved.path, number);
      else return this.#page;
    } catch (cause) {
      this.#fault = new PageDamaged(saved.path, number, cause);
    }
    throw unreadable;
  }

  /**
   * Reads pages from disk off the event loop, compares them with their checksums, and returns those that are damaged.
   * Omits pages that a checkpoint has yet to write.
   */
  async damagedAmong(first: number, count: number): Promise<PageDamaged[]> {
    const saved = this.#saved;
    if (!saved) return [];
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(count, saved.count - first)) * PAGE_SIZE);
    await saved.file.readLater(bytes, first * PAGE_SIZE).catch(() => 0); // read again below
    const damaged: PageDamaged[] = [];
    for (let at = 0; at < bytes.length && this.#saved; at += PAGE_SIZE) {
      const number = first + at / PAGE_SIZE;
      if (!this.isSaved(number) || sumOf(bytes.subarray(at, at + PAGE_SIZE), number) === saved.sums.get(number))
        continue;
      // A checkpoint may have come in between: this reads it as it is now.
      if (!this.read(number)) damaged.push(new PageDamaged(saved.path, number));
    }
    return damaged;
  }

  /** A copy of a page, or undefined if it is damaged, so that a check can continue. */
  read(number: number): Buffer | undefined {
    try {
      return Buffer.from(this.page(number));
    } catch (error) {
      if (!this.takeFault()) throw error;
      return undefined;
    }
  }

  /** A copy of a page as the last checkpoint left it. Throws PageDamaged. */
  readSaved(number: number): Buffer {
    try {
      return Buffer.from(this.#read(number));
    } catch (error) {
      throw this.takeFault() ?? error;
    }
  }

  /** Returns why the engine could not read the file, and clears it. */
  takeFault(): Error | undefined {
    const fault = this.#fault;
    this.#fault = undefined;
    return fault;
  }

  /** Sets the changed pages aside for a checkpoint. Call it only between two transactions. */
  freeze(): Pages {
    if (this.#frozen) throw new Error("There is a checkpoint already.");
    // Each page on disk needs a checksum, even if the engine has not written it.
    for (let number = this.#saved?.count ?? 0; number < this.#pages; number += 1)
      if (!this.#changed.has(number)) this.#changed.set(number, Buffer.alloc(PAGE_SIZE));
    this.#frozen = this.#changed;
    this.#changed = new Pages();
    return this.#frozen;
  }

  /** The frozen pages are on disk, and `saved` describes them. */
  release(saved: SavedPages): void {
    this.#saved = saved;
    this.#frozen = undefined;
  }

  /** The frozen pages may not be on disk: the next checkpoint writes them. */
  thaw(): void {
    const [newer, frozen] = [this.#changed, this.#frozen];
    if (!frozen) return;
    for (const number of newer.numbers()) frozen.set(number, newer.get(number) as Uint8Array);
    this.#changed = frozen;
    this.#frozen = undefined;
  }

  close(): void {
    this.#saved?.file.close();
    this.#saved = undefined;
  }
}
