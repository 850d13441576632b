import { crc32 } from "node:zlib";
import type { Database } from "./database.ts";
import { StorageDamaged } from "./errors.ts";
import { type Files, readFully, replaceFile } from "./files.ts";

export const DATABASE = "hearth.db";
const MANIFEST = "checkpoints.json";
const SLICE = 4 << 20;
const SLICE_PAUSE_MS = 5;

/** What a checkpoint file holds, kept beside it, so that a damaged file is told from a whole one. */
export interface Checkpoint {
  /** Newest record in it. */
  seq: number;
  eventId: number;
  /** The first log segment that it does not hold. */
  segment: number;
  size: number;
  crc: number;
}

interface Manifest {
  checkpoints: Checkpoint[];
  /** Of the checkpoints' JSON. */
  crc: number;
}

export const manifestPath = (folder: string) => `${folder}/log/${MANIFEST}`;

/** The checkpoints that may be there, newest first; none where there is no list. Throws StorageDamaged. */
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

/** Puts a damaged `hearth.db` out of the way, so that the next checkpoint does not take the place of the older, whole one. */
export function setAside(files: Files, folder: string, whole: Checkpoint): void {
  const path = `${folder}/${DATABASE}`;
  if (files.exists(path)) files.rename(path, `${path}.damaged`);
  files.syncFolder(folder);
  writeManifest(files, folder, [whole]);
}

/** The names under which a checkpoint may stand, depending on where its making was cut short. */
export const CHECKPOINT_NAMES = [DATABASE, `${DATABASE}.new`, `${DATABASE}.previous`] as const;

function checksumOfFile(files: Files, path: string): { size: number; crc: number } {
  const file = files.open(path, "read");
  try {
    const slice = Buffer.allocUnsafe(SLICE);
    let [at, crc] = [0, 0];
    for (let count = file.read(slice, at); count > 0; count = file.read(slice, at)) {
      crc = crc32(slice.subarray(0, count), crc);
      at += count;
    }
    return { size: at, crc };
  } finally {
    file.close();
  }
}

/**
 * Writes the database beside, flushes it, reads it back, and only then gives it the name; the one before stays as
 * `hearth.db.previous` with the log since then, until the next checkpoint has been verified in turn.
 */
export function writeCheckpoint(
  files: Files,
  folder: string,
  database: Database,
  at: { seq: number; eventId: number; segment: number },
): Checkpoint {
  database.script(`UPDATE store_state SET seq = ${at.seq}, event_id = ${at.eventId} WHERE id = 1`);
  const contents = database.contents();
  const checkpoint: Checkpoint = { ...at, size: contents.length, crc: crc32(contents) };
  const beside = `${folder}/${DATABASE}.new`;
  const file = files.open(beside, "create");
  try {
    // Flushed slice by slice: one flush of everything would hold up those of the log, and every send with them.
    for (let offset = 0; offset < contents.length; offset += SLICE) {
      file.write(contents.subarray(offset, offset + SLICE), offset);
      file.sync();
      if (contents.length > 8 * SLICE) pause();
    }
  } finally {
    file.close();
  }
  const written = checksumOfFile(files, beside);
  if (written.size !== checkpoint.size || written.crc !== checkpoint.crc)
    throw new Error(`${beside}: what was written does not read back the same`);
  const [current] = readManifest(files, folder);
  const same = current?.size === checkpoint.size && current.crc === checkpoint.crc;
  const both = current && !same ? [checkpoint, current] : [checkpoint];
  files.syncFolder(folder);
  writeManifest(files, folder, both);
  const path = `${folder}/${DATABASE}`;
  if (files.exists(path)) removeBySlices(files, `${path}.previous`);
  nameCheckpoint(files, folder);
  return checkpoint;
}

/** A large file that goes at once keeps the disk busy for 150 ms at 500 MB, and the log's flushes wait behind it. */
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

/** Blocks: this runs on the checkpoint's own thread, or before anybody is served. */
const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SLICE_PAUSE_MS);

/** Gives a finished `hearth.db.new` its name. */
export function nameCheckpoint(files: Files, folder: string): void {
  const path = `${folder}/${DATABASE}`;
  if (files.exists(path)) {
    files.rename(path, `${path}.previous`);
    files.syncFolder(folder);
  }
  files.rename(`${path}.new`, path);
  files.syncFolder(folder);
}
