/** Bytes of the original file from `start` up to and without `end`, or other bytes. */
export type Piece = { readonly start: number; readonly end: number } | Uint8Array;

/** The structure of the picture cannot be read, so it may contain metadata. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
}

/** Usual files have a dozen. */
const MAX_PIECES = 50_000;

/** The contents of the new file in order. */
export class Pieces {
  readonly #all: Piece[] = [];
  #size = 0;

  keep(start: number, end: number): void {
    if (end <= start) return;
    const last = this.#all.at(-1);
    this.#size += end - start;
    if (last && !(last instanceof Uint8Array) && last.end === start) this.#all[this.#all.length - 1] = { ...last, end };
    else this.#push({ start, end });
  }

  put(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#size += bytes.length;
    this.#push(bytes);
  }

  #push(piece: Piece): void {
    if (this.#all.length >= MAX_PIECES) throw new Unreadable("Too many parts.");
    this.#all.push(piece);
  }

  get size(): number {
    return this.#size;
  }

  get all(): readonly Piece[] {
    return this.#all;
  }

  static whole(size: number): Pieces {
    const pieces = new Pieces();
    pieces.keep(0, size);
    return pieces;
  }

  /** Whether the file does not change. */
  isWhole(size: number): boolean {
    const [first] = this.#all;
    return this.#all.length === 1 && first !== undefined && !(first instanceof Uint8Array) && first.end === size;
  }
}

/** Reads bytes of a file; fewer than `length` at its end. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>;

const WINDOW = 256 << 10;
/** A PNG of 100 MB has 12,000 parts. A million reads take a second. */
const MAX_READS = 200_000;

/** Reads a file of any size in windows. */
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
   * Valid until the next call. Returns fewer bytes at the end of the file. `length` is at most the size of the window.
   * @throws Unreadable after too many reads.
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

  /** Loads a window with these bytes, and returns its position. */
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

const ORIENTATION = 0x0112;
const SHORT = 3;
/** The orientation is among the first tags; more than this is never searched. */
const MAX_TAGS = 1000;

/** The orientation in EXIF, which begins at its TIFF header: 2 to 8, or 1 if there is none. */
export function orientationOf(tiff: Buffer): number {
  const isLittle = tiff.toString("latin1", 0, 4) === "II*\0";
  if (!isLittle && tiff.toString("latin1", 0, 4) !== "MM\0*") return 1;
  const short = (at: number) => (at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = tiff.length < 8 ? 0 : isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const count = Math.min(short(directory), MAX_TAGS);
  for (let index = 0; index < count; index++) {
    const at = directory + 2 + index * 12;
    if (short(at) !== ORIENTATION || short(at + 2) !== SHORT) continue;
    const orientation = short(at + 8);
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
  }
  return 1;
}

/** EXIF with only the orientation, from its TIFF header on; empty for orientation 1. */
export function exifWith(orientation: number): Buffer {
  if (orientation === 1) return Buffer.alloc(0);
  const tiff = Buffer.alloc(26);
  tiff.write("II*\0", 0, "latin1");
  tiff.writeUInt32LE(8, 4);
  tiff.writeUInt16LE(1, 8);
  tiff.writeUInt16LE(ORIENTATION, 10);
  tiff.writeUInt16LE(SHORT, 12);
  tiff.writeUInt32LE(1, 14);
  tiff.writeUInt16LE(orientation, 18);
  return tiff;
}
