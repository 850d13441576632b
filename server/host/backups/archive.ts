import { createHash } from "node:crypto";
import type { OpenFile } from "../../storage/files.ts";
import { BackupDamaged, NotABackup } from "./errors.ts";

/*
 * A backup is a tar archive (POSIX ustar), so that the tools of any system can open it. No library, because libraries
 * accept any tar and ignore what they do not need. This reader is stricter: the manifest's checksums cover every byte,
 * or the byte is known in advance.
 */

const BLOCK = 512;
/** Bytes per read or write. */
const PIECE = 1 << 20;
/** One long flush at the end would delay the flushes of the log. */
const FLUSH_AFTER = 8 << 20;
/** Size, time and checksum have 28 digits in total. The rest allows for damage. */
const MAX_DIFFERENCES = 36;
/** Larger sizes do not fit into eleven octal digits. */
const LARGE = 8 ** 11;

export interface ArchiveEntry {
  name: string;
  /** Bytes. */
  size: number;
  /** Hexadecimal. */
  sha256: string;
}

/** The block before an entry's content. `time` is in seconds. */
function headerOf(name: string, size: number, time: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, digits: number) =>
    block.write(value.toString(8).padStart(digits, "0"), at, "ascii");
  block.write(name, 0, "ascii");
  octal(0o600, 100, 7);
  octal(0, 108, 7); // user
  octal(0, 116, 7); // group
  if (size < LARGE) octal(size, 124, 11);
  else {
    block[124] = 0x80; // GNU tar and libarchive write large sizes this way
    block.writeBigUInt64BE(BigInt(size), 128);
  }
  octal(time, 136, 11);
  block.write("0", 156, "ascii"); // an ordinary file
  block.write("ustar\0", 257, "ascii");
  block.write("00", 263, "ascii");
  block.fill(" ", 148, 156); // the checksum counts itself as spaces
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    6,
  );
  block[154] = 0;
  return block;
}

function sizeIn(block: Buffer): number {
  if (block[124] === 0x80) return Number(block.readBigUInt64BE(128));
  return Number.parseInt(block.toString("ascii", 124, 135), 8);
}

const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

export class ArchiveWriter {
  readonly entries: ArchiveEntry[] = [];
  readonly #file: OpenFile;
  readonly #time: number;
  readonly #afterWrite: (bytes: number) => void;
  readonly #buffer = Buffer.alloc(PIECE);
  #buffered = 0;
  #position = 0;
  #flushed = 0;

  /** `time` of all entries, in milliseconds. `afterWrite` is called after each megabyte. */
  constructor(file: OpenFile, time: number, afterWrite: (bytes: number) => void = () => {}) {
    this.#file = file;
    this.#time = Math.floor(time / 1000);
    this.#afterWrite = afterWrite;
  }

  /** Throws if the pieces do not have exactly `size` bytes. */
  add(name: string, size: number, pieces: Iterable<Uint8Array>): ArchiveEntry {
    this.#write(headerOf(name, size, this.#time));
    const hash = createHash("sha256");
    let written = 0;
    for (const piece of pieces) {
      hash.update(piece);
      this.#write(piece);
      written += piece.length;
    }
    if (written !== size) throw new Error(`${name} has ${written} bytes, not ${size}.`);
    this.#write(Buffer.alloc(padding(size)));
    const entry = { name, size, sha256: hash.digest("hex") };
    this.entries.push(entry);
    return entry;
  }

  /** Adds an entry whose content `fill` writes later. */
  reserve(name: string, size: number): { entry: ArchiveEntry; at: number } {
    const at = this.#position + this.#buffered + BLOCK;
    return { entry: this.add(name, size, [Buffer.alloc(size)]), at };
  }

  /** Pads the content with spaces up to the reserved size. */
  fill({ entry, at }: { entry: ArchiveEntry; at: number }, contents: Uint8Array): void {
    const bytes = Buffer.alloc(entry.size, " ");
    if (contents.length > bytes.length) throw new Error(`${entry.name} has more than ${entry.size} bytes.`);
    bytes.set(contents);
    this.#empty();
    this.#file.write(bytes, at);
    entry.sha256 = createHash("sha256").update(bytes).digest("hex");
  }

  /** Ends the archive and flushes it. Returns its size in bytes. */
  finish(): number {
    this.#write(Buffer.alloc(2 * BLOCK));
    this.#empty();
    this.#file.sync();
    return this.#position;
  }

  #write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) {
      const part = bytes.subarray(done, done + PIECE - this.#buffered);
      this.#buffer.set(part, this.#buffered);
      this.#buffered += part.length;
      done += part.length;
      if (this.#buffered === PIECE) this.#empty();
    }
  }

  #empty(): void {
    const bytes = this.#buffered;
    if (bytes === 0) return;
    this.#file.write(this.#buffer.subarray(0, bytes), this.#position);
    this.#position += bytes;
    this.#buffered = 0;
    if (this.#position - this.#flushed >= FLUSH_AFTER) {
      this.#file.sync();
      this.#flushed = this.#position;
    }
    this.#afterWrite(bytes);
  }
}

/**
 * Reads an archive that ArchiveWriter wrote. Throws NotABackup if the first entry is not `first`, and BackupDamaged for
 * any other difference.
 */
export class ArchiveReader {
  readonly #file: OpenFile;
  readonly #path: string;
  readonly #first: string;
  readonly #size: number;
  #position = 0;
  /** The entry whose content was not read yet. */
  #current: { name: string; size: number } | undefined;
  #newest = "";
  #piece = Buffer.alloc(0);

  constructor(file: OpenFile, path: string, first: string) {
    this.#file = file;
    this.#path = path;
    this.#first = first;
    this.#size = file.size;
  }

  /** Bytes read so far. */
  get position(): number {
    return this.#position;
  }

  damaged(problem: string): BackupDamaged {
    return new BackupDamaged(this.#path, problem);
  }

  #read(into: Buffer): Buffer {
    const count = this.#file.read(into, this.#position);
    this.#position += count;
    if (count < into.length)
      throw this.damaged(
        `it is cut short, after ${this.#size} bytes${this.#newest && `, in or after ${this.#newest}`}`,
      );
    return into;
  }

  /** The next entry, after the content of the previous entry was read; undefined at the end. */
  next(): { name: string; size: number } | undefined {
    const isFirst = this.#position === 0;
    if (this.#current) throw new Error("The contents come first.");
    if (isFirst && this.#size < BLOCK) throw new NotABackup(this.#path);
    const at = this.#position;
    const block = this.#read(Buffer.alloc(BLOCK));
    if (!isFirst && isZero(block)) return this.#end();
    const name = block.toString("ascii", 0, Math.max(0, block.indexOf(0)));
    const [size, time] = [sizeIn(block), Number.parseInt(block.toString("ascii", 136, 147), 8)];
    const isIntact = /^[!-~]{1,100}$/.test(name) && size >= 0 && time >= 0 && headerOf(name, size, time).equals(block);
    if (isFirst && (isIntact ? name !== this.#first : !looksLike(block, this.#first))) throw new NotABackup(this.#path);
    if (!isIntact)
      throw this.damaged(
        `the header at byte ${at}${this.#newest ? `, after ${this.#newest},` : ""} is not what was written`,
      );
    this.#current = { name, size };
    this.#newest = name;
    return this.#current;
  }

  /** The content of the entry. Each piece is valid until the next piece. */
  *content(): Generator<Buffer, void, undefined> {
    const entry = this.#current;
    if (!entry) throw new Error("There is no entry to read.");
    const length = Math.min(entry.size, PIECE);
    if (this.#piece.length < length) this.#piece = Buffer.alloc(length);
    for (let left = entry.size; left > 0; left -= Math.min(left, PIECE))
      yield this.#read(this.#piece.subarray(0, Math.min(left, PIECE)));
    if (!isZero(this.#read(Buffer.alloc(padding(entry.size)))))
      throw this.damaged(`after ${entry.name} are bytes that were not written`);
    this.#current = undefined;
  }

  #end(): undefined {
    if (!isZero(this.#read(Buffer.alloc(BLOCK)))) throw this.damaged("its last bytes are not what was written");
    if (this.#position !== this.#size) throw this.damaged(`${this.#size - this.#position} bytes follow its end`);
    return undefined;
  }
}

const isZero = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);

/** Whether a damaged block was the header of this entry: nearly all bytes still match. */
function looksLike(block: Buffer, name: string): boolean {
  const written = headerOf(name, 0, 0);
  const differences = block.filter((byte, at) => byte !== written[at]).length;
  return differences <= MAX_DIFFERENCES;
}
