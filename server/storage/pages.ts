import { crc32 } from "node:zlib";
import { SchemaTooNew, StorageDamaged } from "./errors.ts";
import type { Files } from "./files.ts";

/** Bytes of a page of the database, and of a block of its checksums. */
export const PAGE_SIZE = 4096;
/** Pages in one allocation. */
const PAGES_IN_SLAB = 64;

/** Pages in memory by their number, which counts from 0. */
export class Pages {
  readonly #slots = new Map<number, number>();
  readonly #slabs: Buffer[] = [];

  /** How many there are. */
  get count(): number {
    return this.#slots.size;
  }

  get bytes(): number {
    return this.#slots.size * PAGE_SIZE;
  }

  has(number: number): boolean {
    return this.#slots.has(number);
  }

  /** A view of the page, which the next `set` of this page changes. */
  get(number: number): Uint8Array | undefined {
    const slot = this.#slots.get(number);
    return slot === undefined ? undefined : this.#at(slot);
  }

  set(number: number, page: Uint8Array): void {
    let slot = this.#slots.get(number);
    if (slot === undefined) {
      slot = this.#slots.size;
      if (slot === this.#slabs.length * PAGES_IN_SLAB)
        this.#slabs.push(Buffer.allocUnsafeSlow(PAGES_IN_SLAB * PAGE_SIZE));
      this.#slots.set(number, slot);
    }
    this.#at(slot).set(page);
  }

  #at(slot: number): Uint8Array {
    const start = (slot % PAGES_IN_SLAB) * PAGE_SIZE;
    return (this.#slabs[Math.floor(slot / PAGES_IN_SLAB)] as Buffer).subarray(start, start + PAGE_SIZE);
  }

  /** Ascending. */
  numbers(): number[] {
    return [...this.#slots.keys()].sort((a, b) => a - b);
  }
}

/**
 * The file `hearth.sums`: a header block, then the checksums of the pages of `hearth.db`, 1023 in a block. Each block
 * ends with its own CRC-32. Block 0 is a length, JSON of a SavedState and zeros. Little-endian.
 */
export const SUMS = "hearth.sums";
const SUMS_IN_BLOCK = PAGE_SIZE / 4 - 1;
const FORMAT = 1;

/** The state that `hearth.db` contains. */
export interface SavedState {
  /** The newest record in it. */
  seq: number;
  eventId: number;
  /** The first log segment that may have later records. */
  segment: number;
  /** How many pages it has. */
  pages: number;
}

/** A page's checksum. It depends on the number too, so that a page in the wrong place is found. */
export const sumOf = (page: Uint8Array, number: number): number => crc32(page, number + 1);

/** The block of `hearth.sums` with the checksum of a page. */
export const blockOf = (page: number): number => 1 + Math.floor(page / SUMS_IN_BLOCK);

function sealed(block: Buffer): Buffer {
  block.writeUInt32LE(crc32(block.subarray(0, PAGE_SIZE - 4)), PAGE_SIZE - 4);
  return block;
}

const isSealed = (block: Buffer): boolean =>
  block.length === PAGE_SIZE && crc32(block.subarray(0, PAGE_SIZE - 4)) === block.readUInt32LE(PAGE_SIZE - 4);

/** Block 0. */
export function encodeState(state: SavedState): Buffer {
  const block = Buffer.alloc(PAGE_SIZE);
  block.writeUInt32LE(block.write(JSON.stringify({ format: FORMAT, ...state }), 4), 0);
  return sealed(block);
}

function decodeState(block: Buffer, path: string): SavedState {
  if (!isSealed(block)) throw new StorageDamaged(path, "damaged or changed by another program");
  const { format, ...state } = JSON.parse(block.toString("utf8", 4, 4 + block.readUInt32LE(0))) as SavedState & {
    format: number;
  };
  if (format !== FORMAT) throw new SchemaTooNew(path, format, FORMAT, "format");
  return state;
}

/** The checksums of all pages, in memory: 4 bytes for each page. */
export class PageSums {
  #sums: Uint32Array;

  constructor(pages = 0) {
    this.#sums = new Uint32Array(Math.max(pages, SUMS_IN_BLOCK));
  }

  get(page: number): number {
    return this.#sums[page] ?? 0;
  }

  set(page: number, sum: number): void {
    if (page >= this.#sums.length) {
      const larger = new Uint32Array(Math.ceil(page * 1.25) + SUMS_IN_BLOCK);
      larger.set(this.#sums);
      this.#sums = larger;
    }
    this.#sums[page] = sum;
  }

  /** A block as it is in the file. `number` counts from 1, since block 0 is the state. */
  block(number: number): Buffer {
    const block = Buffer.alloc(PAGE_SIZE);
    const first = (number - 1) * SUMS_IN_BLOCK;
    for (let at = 0; at < SUMS_IN_BLOCK; at += 1) block.writeUInt32LE(this.get(first + at), at * 4);
    return sealed(block);
  }

  /** Reads `hearth.sums`. Throws StorageDamaged and SchemaTooNew. */
  static read(files: Files, folder: string): { sums: PageSums; state: SavedState } {
    const path = `${folder}/${SUMS}`;
    if (!files.exists(path)) throw new StorageDamaged(path, "missing, though there is data beside it");
    const file = files.open(path, "read");
    try {
      const block = Buffer.alloc(PAGE_SIZE);
      const read = (number: number) => {
        if (file.read(block, number * PAGE_SIZE) < PAGE_SIZE) throw new StorageDamaged(path, "cut short");
        return block;
      };
      const state = decodeState(read(0), path);
      const sums = new PageSums(state.pages);
      for (let number = 1; number <= blockOf(state.pages - 1); number += 1) {
        if (!isSealed(read(number))) throw new StorageDamaged(path, "damaged or changed by another program");
        const first = (number - 1) * SUMS_IN_BLOCK;
        const last = Math.min(SUMS_IN_BLOCK, state.pages - first);
        for (let at = 0; at < last; at += 1) sums.set(first + at, block.readUInt32LE(at * 4));
      }
      return { sums, state };
    } finally {
      file.close();
    }
  }
}
