import { crc32 } from "node:zlib";
import { StorageDamaged } from "./errors.ts";
import { type Files, type OpenFile, readFully, replaceFile } from "./files.ts";
import { type Block, FLUSH_AFTER, finishCheckpoint, JOURNAL, writeInPlace, writeJournal } from "./journal.ts";
import { blockOf, encodeState, PageSums, type SavedState, SUMS, sumOf } from "./page-sums.ts";
import { PagedFile } from "./paged-file.ts";
import { PAGE_SIZE } from "./pages.ts";

export const DATABASE = "hearth.db";
const MANIFEST = "checkpoints.json";

/**
 * What the manifest says of a checkpoint. Until format 2 a checkpoint was a whole `hearth.db`, never changed. Since then
 * `hearth.db` is changed in place, and the manifest describes the refusal instead (refusal.ts).
 */
export interface Checkpoint {
  /** The newest record that the file contains. */
  seq: number;
  eventId: number;
  /** The first log segment that it does not contain. */
  segment: number;
  size: number;
  crc: number;
  format?: 2;
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

/**
 * The newest checkpoint in the manifest. `damaged`: the manifest is, but `hearth.sums` shows that the folder has format
 * 2, whose manifest always says the same, so that it can be written again. Throws StorageDamaged otherwise.
 */
export function newestCheckpoint(files: Files, folder: string): Checkpoint | "damaged" | undefined {
  try {
    return readManifest(files, folder)[0];
  } catch (error) {
    if (!(error instanceof StorageDamaged) || !files.exists(`${folder}/${SUMS}`)) throw error;
    return "damaged";
  }
}

export function writeManifest(files: Files, folder: string, checkpoints: Checkpoint[]): void {
  const manifest: Manifest = { checkpoints, crc: crc32(JSON.stringify(checkpoints)) };
  replaceFile(files, `${folder}/log`, MANIFEST, Buffer.from(JSON.stringify(manifest)));
}

/** `hearth.sums`, block by block. */
function* blocksOfSums(sums: PageSums, state: SavedState): Generator<Block> {
  yield { target: 1, number: 0, bytes: encodeState(state) };
  for (let number = 1; number <= blockOf(state.pages - 1); number += 1)
    yield { target: 1, number, bytes: sums.block(number) };
}

/** Writes a new `hearth.sums`; a crash leaves the old one, or none. */
export function replaceSums(files: Files, folder: string, sums: PageSums, state: SavedState): void {
  const path = `${folder}/${SUMS}`;
  const file = files.open(`${path}.new`, "create");
  try {
    for (const { number, bytes } of blocksOfSums(sums, state)) file.write(bytes, number * PAGE_SIZE);
    file.sync();
  } finally {
    file.close();
  }
  files.rename(`${path}.new`, path);
  files.syncFolder(folder);
}

/** Renames a complete `hearth.db.new` to `hearth.db`. */
export function publishDatabase(files: Files, folder: string): void {
  files.rename(`${folder}/${DATABASE}.new`, `${folder}/${DATABASE}`);
  files.syncFolder(folder);
}

/**
 * Writes the first `hearth.db` and `hearth.sums` of a folder, from pages that are in memory. `commit` is to write the
 * manifest, before which the folder contains no data.
 */
export function createDatabase(
  files: Files,
  folder: string,
  { paged, state, commit }: { paged: PagedFile; state: Omit<SavedState, "pages">; commit: () => void },
): void {
  const pages = paged.freeze();
  const sums = new PageSums(paged.pages);
  const path = `${folder}/${DATABASE}`;
  const file = files.open(`${path}.new`, "create");
  try {
    for (const number of pages.numbers()) {
      const page = pages.get(number) as Uint8Array;
      sums.set(number, sumOf(page, number));
      file.write(page, number * PAGE_SIZE);
    }
    file.sync();
  } finally {
    file.close();
  }
  replaceSums(files, folder, sums, { ...state, pages: paged.pages });
  commit();
  publishDatabase(files, folder);
  paged.release({ path, file: files.open(path, "write"), sums, count: paged.pages });
}

/** Opens `hearth.db` and finishes a checkpoint that was cut short. Throws StorageDamaged, SchemaTooNew, disk errors. */
export async function openDatabase(files: Files, folder: string): Promise<{ paged: PagedFile; state: SavedState }> {
  const path = `${folder}/${DATABASE}`;
  if (!files.exists(path) && files.exists(`${path}.new`)) publishDatabase(files, folder);
  for (const name of [DATABASE, SUMS]) {
    if (!files.exists(`${folder}/${name}`))
      throw new StorageDamaged(`${folder}/${name}`, "missing, though there is data beside it");
  }
  await finishCheckpoint(files, folder, [DATABASE, SUMS]);
  const { sums, state } = PageSums.read(files, folder);
  const file = files.open(path, "write");
  const { size } = file;
  if (size < state.pages * PAGE_SIZE) {
    file.close();
    throw new StorageDamaged(path, `cut short: ${size} bytes instead of ${state.pages * PAGE_SIZE}`);
  }
  return { paged: new PagedFile({ path, file, sums, count: state.pages }), state };
}

/**
 * Brings the changed pages to disk: first into a journal, then into `hearth.db` and `hearth.sums` in place. A crash
 * before the journal has its name leaves the last checkpoint and its log, a crash after it is finished by the next
 * start. Writes go on meanwhile: `paged` was frozen just now, between two transactions, in the state `at`.
 *
 * `logged` resolves when the log is on disk up to this state. Throws the errors of the disk; then the changed pages
 * stay in memory, and the next checkpoint writes all of them again.
 */
export async function writeCheckpoint(
  files: Files,
  folder: string,
  { paged, at, logged }: { paged: PagedFile; at: Omit<SavedState, "pages">; logged: () => Promise<void> },
): Promise<void> {
  const saved = paged.savedPages;
  if (!saved) throw new Error("There is no hearth.db yet.");
  const pages = paged.freeze();
  const state = { ...at, pages: paged.pages };
  const { sums } = saved;
  const journal = `${folder}/${JOURNAL}`;
  try {
    const sumsFile = files.open(`${folder}/${SUMS}`, "write");
    try {
      // Otherwise a full disk would be found when half of the pages are in place.
      await extend(saved.file, state.pages);
      await extend(sumsFile, blockOf(state.pages - 1) + 1);
      const numbers = pages.numbers();
      const sumBlocks = [...new Set(numbers.map(blockOf))];
      function* blocks(): Generator<Block> {
        for (const number of numbers) {
          const bytes = pages.get(number) as Uint8Array;
          sums.set(number, sumOf(bytes, number)); // the page is read from memory until it is in place
          yield { target: 0, number, bytes };
        }
        for (const number of sumBlocks) yield { target: 1, number, bytes: sums.block(number) };
        yield { target: 1, number: 0, bytes: encodeState(state) };
      }
      await writeJournal(files, `${journal}.new`, numbers.length + sumBlocks.length + 1, blocks());
      await logged();
      files.rename(`${journal}.new`, journal);
      await files.syncFolderLater(folder);
      await writeInPlace([saved.file, sumsFile], blocks());
    } finally {
      sumsFile.close();
    }
  } catch (error) {
    paged.thaw();
    throw error;
  }
  paged.release({ ...saved, count: state.pages });
  await files.removeLater(journal);
}

/** Makes room for this many pages. They are not used yet, so that a crash leaves nothing wrong. */
async function extend(file: OpenFile, pages: number): Promise<void> {
  const end = pages * PAGE_SIZE;
  let { size } = file;
  const zeros = Buffer.alloc(Math.max(0, Math.min(FLUSH_AFTER, end - size)));
  while (size < end) {
    await file.writeLater(zeros.subarray(0, Math.min(zeros.length, end - size)), size);
    await file.dataSync();
    size += zeros.length;
  }
}
