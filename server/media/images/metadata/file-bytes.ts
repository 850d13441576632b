import { Unreadable } from "./pieces.ts";

/** Reads bytes of a file; fewer than `length` at its end. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>;

const WINDOW = 256 << 10;
/** A PNG of 100 MB has 12,000 parts. A million reads take a second. */
const MAX_READS = 200_000;

/** A file that is read at any position in windows, so that its size does not matter. */
export class FileBytes {
  readonly size: number;
  readonly #readAt: ReadAt;
  #window: Buffer = Buffer.alloc(0);
  #start = 0;
  #reads = 0;

  constructor(size: number, readAt: ReadAt) {
    this.size = size;
    this.#readAt = readAt;
  }

  /**
   * Good until the next call. Fewer bytes at the end of the file. `length` is at most the size of the window.
   * @throws Unreadable when it was called too often.
   */
  async at(position: number, length: number): Promise<Buffer> {
    const start = position - (await this.#windowWith(position, length));
    return this.#window.subarray(start, start + length);
  }

  /** The bytes from a position on, as many as are in the window: at least two, unless the file ends. */
  async from(position: number): Promise<Buffer> {
    const start = position - (await this.#windowWith(position, 2));
    return this.#window.subarray(start);
  }

  /** Has a window that holds these bytes, and returns where it starts. */
  async #windowWith(position: number, length: number): Promise<number> {
    this.#reads += 1;
    if (this.#reads > MAX_READS) throw new Unreadable("Too many parts.");
    const end = Math.max(position, Math.min(position + length, this.size));
    if (position < this.#start || end > this.#start + this.#window.length) {
      this.#window = await this.#readAt(position, Math.max(0, Math.min(WINDOW, this.size - position)));
      this.#start = position;
    }
    return this.#start;
  }
}
