import { crc32 } from "node:zlib";
import type { Database } from "./database.ts";
import { StorageDamaged } from "./errors.ts";
import { type Files, readFully, replaceFile } from "./files.ts";

export const DATABASE = "hearth.db";
const MANIFEST = "checkpoints.json";
const SLICE = 4 << 20;
const SLICE_PAUSE_MS = 5;

/** Describes a checkpoint file. The manifest stores it apart from the file, so that damage to the file is found. */
export interface Checkpoint {
  /** The newest record that the file contains. */
  seq: number;
  eventId: number;
  /** The first log segment that it does not contain. */
  segment: number;
  size: number;
  crc: number;
}

interface Manifest {
  checkpoints: Checkpoint[];
  /** CRC-32 of the checkpoints as JSON. */
  crc: number;
}

export const manifestPath = (folder: string) => `${folder}/log/${MANIFEST}`;

/** The checkpoints that may exist, newest first; none if there is no manifest. Throws StorageDamaged. */
export function readManifest(files: Files, folder: string): Checkpoint[] {
  const path = manifestPath(folder);
  if (!files.exists(path)) return [];
  let manifest: Partial<Manifest> | null;
  try {
    manifest = JSON.parse(readFully(files, path).toString()) as Partial<Manifest> | null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    manifest = null;
  }
  if (!manifest?.checkpoints?.length || crc32(JSON.stringify(manifest.checkpoints)) !== manifest.crc) {
    throw new StorageDamaged(path, "damaged or changed by another program");
  }
  return manifest.checkpoints;
}

function writeManifest(files: Files, folder: string, checkpoints: Checkpoint[]): void {
  const manifest: Manifest = { checkpoints, crc: crc32(JSON.stringify(checkpoints)) };
  replaceFile(files, `${folder}/log`, MANIFEST, Buffer.from(JSON.stringify(manifest)));
}

/** Renames a damaged `hearth.db`, so that the next checkpoint does not replace the older, intact one. */
export function setAside(files: Files, folder: string, intact: Checkpoint): void {
  const path = `${folder}/${DATABASE}`;
  if (files.exists(path)) files.rename(path, `${path}.damaged`);
  files.syncFolder(folder);
  writeManifest(files, folder, [intact]);
}

/** The names that a checkpoint may have: an interrupted write leaves it under any of them. */
export const CHECKPOINT_NAMES = [DATABASE, `${DATABASE}.new`, `${DATABASE}.previous`] as const;

/** CRC-32, slice by slice: of more than 4 GB at once, zlib sees a length of 32 bits only. */
export function checksum(bytes: Uint8Array): number {
  let crc = 0;
  for (let offset = 0; offset < bytes.length; offset += SLICE) crc = crc32(bytes.subarray(offset, offset + SLICE), crc);
  return crc;
}

function checksumOfFile(files: Files, path: string): { size: number; crc: number } {
  const file = files.open(path, "read");
  try {
    const slice = Buffer.allocUnsafe(SLICE);
    let [offset, crc] = [0, 0];
    for (let count = file.read(slice, offset); count > 0; count = file.read(slice, offset)) {
      crc = crc32(slice.subarray(0, count), crc);
      offset += count;
    }
    return { size: offset, crc };
  } finally {
    file.close();
  }
}

/**
 * Writes the database to `hearth.db.new`, flushes it, reads it back, and only then renames it. The checkpoint before it
 * stays as `hearth.db.previous`, with the log since then, until the next checkpoint is verified.
 */
export function writeCheckpoint(
  files: Files,
  folder: string,
  database: Database,
  at: { seq: number; eventId: number; segment: number },
): Checkpoint {
  database.script(`UPDATE store_state SET seq = ${at.seq}, event_id = ${at.eventId} WHERE id = 1`);
  const contents = database.contents();
  const checkpoint: Checkpoint = { ...at, size: contents.length, crc: checksum(contents) };
  const newPath = `${folder}/${DATABASE}.new`;
  const file = files.open(newPath, "create");
  try {
    // Flushing slice by slice: one flush of everything would delay the flushes of the log, and with them every send.
    for (let offset = 0; offset < contents.length; offset += SLICE) {
      file.write(contents.subarray(offset, offset + SLICE), offset);
      file.sync();
      if (contents.length > 8 * SLICE) pause();
    }
  } finally {
    file.close();
  }
  const written = checksumOfFile(files, newPath);
  if (written.size !== checkpoint.size || written.crc !== checkpoint.crc)
    throw new Error(`${newPath}: the file does not contain what was written`);
  const [current] = readManifest(files, folder);
  const same = current?.size === checkpoint.size && current.crc === checkpoint.crc;
  const checkpoints = current && !same ? [checkpoint, current] : [checkpoint];
  files.syncFolder(folder);
  writeManifest(files, folder, checkpoints);
  const path = `${folder}/${DATABASE}`;
  if (files.exists(path)) removeBySlices(files, `${path}.previous`);
  publishCheckpoint(files, folder);
  return checkpoint;
}

/** Removing 500 MB at once keeps the disk busy for 150 ms, and the flushes of the log wait for that. */
function removeBySlices(files: Files, path: string): void {
  if (!files.exists(path)) return;
  const file = files.open(path, "read");
  let { size } = file;
  file.close();
  for (size -= SLICE; size > 0; size -= SLICE) {
    files.shrink(path, size);
    pause();
  }
  files.remove(path);
}

/** Blocks the thread: it is the checkpoint's own, or the server does not serve anybody yet. */
const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SLICE_PAUSE_MS);

/** Renames a complete `hearth.db.new` to `hearth.db`, and the one before to `hearth.db.previous`. */
export function publishCheckpoint(files: Files, folder: string): void {
  const path = `${folder}/${DATABASE}`;
  if (files.exists(path)) {
    files.rename(path, `${path}.previous`);
    files.syncFolder(folder);
  }
  files.rename(`${path}.new`, path);
  files.syncFolder(folder);
}
