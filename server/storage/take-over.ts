import { crc32 } from "node:zlib";
import {
  type Checkpoint,
  DATABASE,
  manifestPath,
  publishDatabase,
  readManifest,
  replaceSums,
  writeManifest,
} from "./checkpoint.ts";
import { SchemaTooNew, StorageDamaged } from "./errors.ts";
import type { Files } from "./files.ts";
import { PageSums, sumOf } from "./page-sums.ts";
import { PAGE_SIZE } from "./pages.ts";
import { refusal } from "./refusal.ts";

/** The names that a checkpoint of the older format may have: an interrupted write left it under any of them. */
const NAMES = [DATABASE, `${DATABASE}.new`, `${DATABASE}.previous`] as const;
const SLICE = 1024 * PAGE_SIZE;
/** Where an SQLite file has its user_version, as four bytes, highest first. */
const USER_VERSION = 60;

/**
 * Takes over a folder whose checkpoints are whole files, once: computes the checksums of the pages of its newest intact
 * checkpoint, and then replaces the manifest. A crash before that leaves the older format. The log stays as it is.
 *
 * Throws StorageDamaged, SchemaTooNew and disk errors.
 */
export async function takeOver(
  files: Files,
  folder: string,
  { schema, onDamaged }: { schema: number; onDamaged: (path: string) => void },
): Promise<void> {
  const checkpoints = readManifest(files, folder);
  if (checkpoints.length === 0)
    throw new StorageDamaged(manifestPath(folder), "missing, though there is data beside it");
  const path = `${folder}/${DATABASE}`;
  for (const checkpoint of checkpoints) {
    for (const name of NAMES) {
      const found = read(files, `${folder}/${name}`, checkpoint);
      if (!found) continue;
      if (found.version > schema) throw new SchemaTooNew(path, found.version, schema);
      if (checkpoint !== checkpoints[0]) setAside(files, folder, checkpoint);
      if (name === `${DATABASE}.new`) {
        if (files.exists(path)) files.rename(path, `${path}.previous`);
        files.syncFolder(folder);
        publishDatabase(files, folder);
      } else if (name === `${DATABASE}.previous`) {
        if (files.exists(path)) setAside(files, folder, checkpoint);
        files.rename(`${path}.previous`, path);
        files.syncFolder(folder);
      }
      const { seq, eventId, segment, size } = checkpoint;
      replaceSums(files, folder, found.sums, { seq, eventId, segment, pages: size / PAGE_SIZE });
      writeManifest(files, folder, [await refusal()]);
      return;
    }
    onDamaged(path);
  }
  throw new StorageDamaged(path, "missing, damaged or changed by another program, and no older checkpoint is whole");
}

/** Renames a damaged `hearth.db`, so that the older, intact one takes its place. */
function setAside(files: Files, folder: string, intact: Checkpoint): void {
  const path = `${folder}/${DATABASE}`;
  if (files.exists(path)) files.rename(path, `${path}.damaged`);
  files.syncFolder(folder);
  writeManifest(files, folder, [intact]);
}

/** The checksums of the file's pages, and the version of its schema, if it is this checkpoint. */
function read(files: Files, path: string, { size, crc }: Checkpoint): { sums: PageSums; version: number } | undefined {
  if (!files.exists(path)) return undefined;
  const file = files.open(path, "read");
  try {
    if (file.size !== size || size % PAGE_SIZE !== 0) return undefined;
    const sums = new PageSums(size / PAGE_SIZE);
    const slice = Buffer.allocUnsafe(SLICE);
    let [whole, version] = [0, 0];
    for (let at = 0; at < size; at += SLICE) {
      const part = slice.subarray(0, file.read(slice.subarray(0, Math.min(SLICE, size - at)), at));
      if (at === 0) version = part.readUInt32BE(USER_VERSION);
      whole = crc32(part, whole);
      for (let start = 0; start < part.length; start += PAGE_SIZE) {
        const number = (at + start) / PAGE_SIZE;
        sums.set(number, sumOf(part.subarray(start, start + PAGE_SIZE), number));
      }
    }
    return whole === crc ? { sums, version } : undefined;
  } finally {
    file.close();
  }
}
