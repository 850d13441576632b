import { closeSync, createReadStream, openSync, writeSync } from "node:fs";
import { crc32, createDeflateRaw, deflateRawSync } from "node:zlib";

/** Writes a zip file with any number of entries, one after the other. */
export class ZipWriter {
  readonly #file: number;
  /** Texts, since small buffers share memory with larger ones. */
  readonly #index: string[] = [];
  #offset = 0;

  constructor(path: string) {
    this.#file = openSync(path, "w");
  }

  add(name: string, content: string | Buffer): void {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes, { level: 1 });
    this.#writeHeader(this.#offset, name, { crc: crc32(bytes), packed: packed.length, size: bytes.length });
    this.#write(packed);
  }

  /** Adds a large file in pieces. */
  async addFile(name: string, path: string): Promise<void> {
    const start = this.#offset;
    this.#offset += headerOf(name).length;
    const [from, entry] = [this.#offset, { crc: 0, packed: 0, size: 0 }];
    const source = createReadStream(path).on("data", (piece) => {
      entry.crc = crc32(piece, entry.crc);
      entry.size += piece.length;
    });
    for await (const piece of source.pipe(createDeflateRaw({ level: 1 }))) this.#write(piece as Buffer);
    entry.packed = this.#offset - from;
    this.#writeHeader(start, name, entry);
  }

  #write(bytes: Buffer): void {
    writeSync(this.#file, bytes, 0, bytes.length, this.#offset);
    this.#offset += bytes.length;
  }

  #writeHeader(
    offset: number,
    name: string,
    { crc, packed, size }: { crc: number; packed: number; size: number },
  ): void {
    const header = headerOf(name);
    header.writeUInt32LE(crc, 14);
    header.writeUInt32LE(packed, 18);
    header.writeUInt32LE(size, 22);
    writeSync(this.#file, header, 0, header.length, offset);
    this.#offset = Math.max(this.#offset, offset + header.length);
    const entry = Buffer.alloc(46);
    entry.write("PK\x01\x02\x14\x00", "latin1");
    header.copy(entry, 6, 4, 30);
    entry.writeUInt32LE(offset, 42);
    this.#index.push(Buffer.concat([entry, header.subarray(30)]).toString("latin1"));
  }

  end(): void {
    const [entries, start] = [this.#index.length, this.#offset];
    for (const entry of this.#index) this.#write(Buffer.from(entry, "latin1"));
    const size = this.#offset - start;
    // A zip file of the first kind has at most 65,535 entries.
    const large = Buffer.alloc(76);
    large.write("PK\x06\x06\x2c", "latin1");
    for (const [value, at] of [
      [entries, 24],
      [entries, 32],
      [size, 40],
      [start, 48],
    ] as const)
      large.writeBigUInt64LE(BigInt(value), at);
    large.write("PK\x06\x07", 56, "latin1");
    large.writeBigUInt64LE(BigInt(this.#offset), 64);
    large.writeUInt32LE(1, 72);
    const end = Buffer.alloc(22);
    end.write("PK\x05\x06", "latin1");
    for (const [value, at] of [
      [entries, 8],
      [entries, 10],
    ] as const)
      end.writeUInt16LE(Math.min(value, 0xffff), at);
    end.writeUInt32LE(size, 12);
    end.writeUInt32LE(start, 16);
    if (entries >= 0xffff) this.#write(large);
    this.#write(end);
    closeSync(this.#file);
  }
}

/** Without checksum and sizes. */
function headerOf(name: string): Buffer {
  const header = Buffer.alloc(30);
  header.write("PK\x03\x04\x14\x00", "latin1");
  header.writeUInt16LE(8, 8); // deflate
  const bytes = Buffer.from(name);
  header.writeUInt16LE(bytes.length, 26);
  return Buffer.concat([header, bytes]);
}
