import { crc32 } from "node:zlib";
import { StorageDamaged } from "./errors.ts";
import type { Files, OpenFile } from "./files.ts";
import { PAGE_SIZE } from "./pages.ts";

/**
 * The journal of a checkpoint: everything that it writes to `hearth.db` and `hearth.sums`, so that it can be written
 * again. It gets its name when it is completely on disk, and is removed when both files are. The format: a header block
 * with the number of entries (u32) and its CRC-32, then the entries: file u32, block number u32, CRC-32 u32, zero u32,
 * and a block of 4096 bytes. Little-endian.
 */
export const JOURNAL = "hearth.journal";
const ENTRY_HEADER = 16;
const ENTRY = ENTRY_HEADER + PAGE_SIZE;
const HEADER = 4096;
/** Entries in one write. */
const ENTRIES_AT_ONCE = 32;
/** The log's flushes, and so every send, wait for each flush of a checkpoint. So a checkpoint makes many short ones. */
export const FLUSH_AFTER = 128 << 10;

/** 0: `hearth.db`, 1: `hearth.sums`. */
export type Target = 0 | 1;

export interface Block {
  target: Target;
  number: number;
  bytes: Uint8Array;
}

/** Writes `count` blocks to the file of a new journal and flushes it. Throws the errors of the disk. */
export async function writeJournal(files: Files, path: string, count: number, blocks: Iterable<Block>): Promise<void> {
  const file = files.open(path, "create");
  try {
    const header = Buffer.alloc(HEADER);
    header.writeUInt32LE(count, 0);
    header.writeUInt32LE(crc32(header.subarray(0, 4)), 4);
    file.write(header, 0);
    const slice = Buffer.allocUnsafe(ENTRIES_AT_ONCE * ENTRY);
    let [position, used, unflushed] = [HEADER, 0, 0];
    const writeSlice = async () => {
      await file.writeLater(slice.subarray(0, used), position);
      position += used;
      unflushed += used;
      used = 0;
      if (unflushed < FLUSH_AFTER) return;
      unflushed = 0;
      await file.dataSync();
    };
    for (const { target, number, bytes } of blocks) {
      slice.writeUInt32LE(target, used);
      slice.writeUInt32LE(number, used + 4);
      slice.writeUInt32LE(0, used + 12);
      slice.set(bytes, used + ENTRY_HEADER);
      slice.writeUInt32LE(sumOfEntry(slice, used), used + 8);
      used += ENTRY;
      if (used === slice.length) await writeSlice();
    }
    if (used > 0) await writeSlice();
    await file.dataSync();
  } finally {
    file.close();
  }
}

const sumOfEntry = (bytes: Buffer, at: number): number =>
  crc32(bytes.subarray(at + ENTRY_HEADER, at + ENTRY), crc32(bytes.subarray(at, at + 8)));

/** The blocks of a journal, each valid until the next. Throws StorageDamaged if the journal is incomplete. */
function* readJournal(files: Files, path: string): Generator<Block> {
  const file = files.open(path, "read");
  try {
    const damaged = () => new StorageDamaged(path, "damaged or changed by another program");
    const header = Buffer.alloc(8);
    if (file.read(header, 0) < 8 || crc32(header.subarray(0, 4)) !== header.readUInt32LE(4)) throw damaged();
    const slice = Buffer.allocUnsafe(ENTRIES_AT_ONCE * ENTRY);
    for (let [left, position] = [header.readUInt32LE(0), HEADER]; left > 0; ) {
      const count = Math.min(left, ENTRIES_AT_ONCE);
      if (file.read(slice.subarray(0, count * ENTRY), position) < count * ENTRY) throw damaged();
      for (let at = 0; at < count * ENTRY; at += ENTRY) {
        const target = slice.readUInt32LE(at);
        if (sumOfEntry(slice, at) !== slice.readUInt32LE(at + 8) || target > 1) throw damaged();
        const bytes = slice.subarray(at + ENTRY_HEADER, at + ENTRY);
        yield { target: target as Target, number: slice.readUInt32LE(at + 4), bytes };
      }
      left -= count;
      position += count * ENTRY;
    }
  } finally {
    file.close();
  }
}

/** Writes blocks in place, consecutive blocks in one write, and flushes both files. */
export async function writeInPlace(targets: readonly [OpenFile, OpenFile], blocks: Iterable<Block>): Promise<void> {
  const run = Buffer.allocUnsafe(ENTRIES_AT_ONCE * PAGE_SIZE);
  let [target, first, count]: [Target, number, number] = [0, 0, 0];
  const unflushed = [0, 0];
  const writeRun = async () => {
    const file = targets[target];
    await file.writeLater(run.subarray(0, count * PAGE_SIZE), first * PAGE_SIZE);
    unflushed[target] = (unflushed[target] as number) + count * PAGE_SIZE;
    count = 0;
    if ((unflushed[target] as number) < FLUSH_AFTER) return;
    unflushed[target] = 0;
    await file.dataSync();
  };
  for (const block of blocks) {
    const follows = block.target === target && block.number === first + count && count < ENTRIES_AT_ONCE;
    if (count > 0 && !follows) await writeRun();
    if (count === 0) [target, first] = [block.target, block.number];
    run.set(block.bytes, count * PAGE_SIZE);
    count += 1;
  }
  if (count > 0) await writeRun();
  await targets[0].dataSync();
  await targets[1].dataSync();
}

/**
 * Finishes a checkpoint that a crash interrupted: writes the blocks of its journal, and removes the journal. This is
 * idempotent. A journal without its final name is incomplete: none of its blocks are in the files, and the log has all
 * changes.
 */
export async function finishCheckpoint(files: Files, folder: string, names: readonly [string, string]): Promise<void> {
  const path = `${folder}/${JOURNAL}`;
  if (files.exists(path)) {
    for (const _ of readJournal(files, path)); // throws before anything is written, if it is damaged
    // A crash may have prevented the flush of the new name. Without it, a power failure could lose the journal while
    // half of the blocks are in place.
    files.syncFolder(folder);
    const targets = names.map((name) => files.open(`${folder}/${name}`, "write")) as [OpenFile, OpenFile];
    try {
      await writeInPlace(targets, readJournal(files, path));
    } finally {
      for (const file of targets) file.close();
    }
    files.remove(path);
  }
  if (files.exists(`${path}.new`)) files.remove(`${path}.new`);
}
