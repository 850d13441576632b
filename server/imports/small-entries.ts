import { close, open, read } from "node:fs";
import { promisify } from "node:util";
import { inflateRawSync } from "node:zlib";
import type { Entry } from "yauzl";

const MAX_BYTES = 1 << 20;
const READ_AHEAD_BYTES = 1 << 20;
const HEADER_BYTES = 30;
const HEADER_MARK = 0x04034b50;
/** The header can have more fields than the index says. */
const MORE_HEADER_BYTES = 256;
const [STORED, DEFLATED] = [0, 8];

/**
 * Reads small entries of a zip file as a whole. An export can have a file for each day of each channel: a stream for
 * each takes more time than its contents.
 */
export class SmallEntries {
  readonly #file: number;
  /** The part of the file that was read last. Entries of a folder are next to each other. */
  #last: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) };

  private constructor(file: number) {
    this.#file = file;
  }

  static async of(path: string): Promise<SmallEntries> {
    return new SmallEntries(await promisify(open)(path, "r"));
  }

  static has(entry: Entry): boolean {
    const isKnown = entry.compressionMethod === STORED || entry.compressionMethod === DEFLATED;
    return isKnown && !entry.isEncrypted() && Math.max(entry.compressedSize, entry.uncompressedSize) <= MAX_BYTES;
  }

  /** @throws Error if the entry is damaged. */
  async read(entry: Entry): Promise<Buffer> {
    const { relativeOffsetOfLocalHeader: start, compressedSize, uncompressedSize } = entry;
    let bytes = await this.#read(start, HEADER_BYTES + entry.fileNameLength + MORE_HEADER_BYTES + compressedSize);
    if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== HEADER_MARK)
      throw new Error("An entry has no header.");
    const from = HEADER_BYTES + bytes.readUInt16LE(26) + bytes.readUInt16LE(28);
    if (bytes.length < from + compressedSize) bytes = await this.#read(start, from + compressedSize);
    const packed = bytes.subarray(from, from + compressedSize);
    const content = entry.compressionMethod === STORED ? packed : inflated(packed, uncompressedSize);
    if (packed.length !== compressedSize || content.length !== uncompressedSize)
      throw new Error("An entry has another size than the index says.");
    return content;
  }

  /** Fewer bytes at the end of the file. */
  async #read(start: number, length: number): Promise<Buffer> {
    const { start: lastStart, bytes: last } = this.#last;
    const at = start - lastStart;
    if (at >= 0 && at + length <= last.length) return last.subarray(at, at + length);
    const isNext = at >= 0 && at <= last.length;
    const size = isNext ? Math.max(length, READ_AHEAD_BYTES) : length;
    const { bytesRead, buffer } = await promisify(read)(this.#file, Buffer.allocUnsafeSlow(size), 0, size, start);
    const bytes = buffer.subarray(0, bytesRead);
    this.#last = { start, bytes };
    return bytes.subarray(0, length);
  }

  close(): Promise<void> {
    return promisify(close)(this.#file);
  }
}

/** The size is also the limit: an entry that unpacks to more is an error. */
const inflated = (packed: Buffer, size: number): Buffer => {
  const limit = Math.max(size, 1);
  return inflateRawSync(packed, { maxOutputLength: limit, chunkSize: Math.max(limit, 64) });
};
