import { isLackOfRoom, SchemaTooNew, StorageDamaged } from "./errors.ts";
import { decodeChecked, encodeChecked, type Files, type OpenFile, readFully, replaceFile } from "./files.ts";
import { type Block, FLUSH_AFTER, finishCheckpoint, JOURNAL, writeInPlace, writeJournal } from "./journal.ts";
import { PagedFile } from "./paged-file.ts";
import { blockOf, encodeState, PAGE_SIZE, PageSums, type SavedState, SUMS, sumOf } from "./pages.ts";

export const DATABASE = "hearth.db";
const MARK = "format.json";
/** The format of the folder's files. A new version converts folders of earlier formats. */
const FORMAT = 1;

/** The file that marks that the first checkpoint is on disk, and names its format. */
export const formatPath = (folder: string) => `${folder}/log/${MARK}`;

/** Whether the folder is marked. Throws SchemaTooNew for the mark of a newer format. */
export function dataMark(files: Files, folder: string): "missing" | "damaged" | "present" {
  const path = formatPath(folder);
  if (!files.exists(path)) return "missing";
  const mark = decodeChecked(readFully(files, path)) as { format: number } | undefined;
  if (mark === undefined) return "damaged";
  if (mark.format !== FORMAT) throw new SchemaTooNew(path, mark.format, FORMAT);
  return "present";
}

/** Throws StorageDamaged without a mark. A damaged one is written again, if there are checksums of pages. */
export function requireMark(files: Files, folder: string): void {
  const mark = dataMark(files, folder);
  if (mark === "present") return;
  if (mark === "missing") throw new StorageDamaged(formatPath(folder), "missing, though there is data next to it");
  if (!files.exists(`${folder}/${SUMS}`))
    throw new StorageDamaged(formatPath(folder), "damaged or changed by another program");
  markData(files, folder);
}

/** From here on a start never treats the folder as empty. */
export function markData(files: Files, folder: string): void {
  replaceFile(files, `${folder}/log`, MARK, encodeChecked({ format: FORMAT }));
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
 * Writes the first `hearth.db` and `hearth.sums` of a folder, from pages that are in memory. `commit` marks the
 * folder, which contains no data before that.
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
 * Writes the changed pages to disk: first to a journal, then in place to `hearth.db` and `hearth.sums`. After a crash
 * before the journal has its name, the last checkpoint and its log count. After a later crash, the next start finishes
 * the checkpoint. Other writes continue: the caller froze `paged` just now, between two transactions, in the state `at`.
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
    const targets = [saved.file, sumsFile] as const;
    const sizes = targets.map(({ size }) => size);
    let isJournaled = false;
    try {
      // Otherwise a full disk would be found after half of the pages are in place.
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
      isJournaled = true;
      files.rename(`${journal}.new`, journal);
      await files.syncFolderLater(folder);
      await writeInPlace(targets, blocks());
    } catch (error) {
      // The room that an attempt took is needed for small writes, such as the mark of a move to another disk.
      if (isLackOfRoom(error) && !isJournaled) {
        files.remove(`${journal}.new`);
        for (const [index, file] of targets.entries()) file.truncate(sizes[index] as number);
      }
      throw error;
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

/** Extends the file to this many pages. They are not used yet, so a crash does no harm. */
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
