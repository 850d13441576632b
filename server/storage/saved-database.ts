import { DATABASE, markData, publishDatabase, replaceSums } from "./checkpoint.ts";
import type { UnsavedPages } from "./checkpoints.ts";
import { Database } from "./database.ts";
import { PageDamaged, SchemaTooNew } from "./errors.ts";
import { type Files, type OpenFile, realFiles } from "./files.ts";
import { Log } from "./log.ts";
import { migrations } from "./migrations/index.ts";
import { PagedFile } from "./paged-file.ts";
import { PAGE_SIZE, PageSums, sumOf } from "./pages.ts";
import type { Reader } from "./transaction.ts";

/** A database on disk that does not change. While a store holds a snapshot, another thread can open it. */
export interface SavedDatabase {
  readonly reader: Reader;
  readonly pages: number;
  /** The newest record and the newest logged event in it. */
  readonly seq: number;
  readonly eventId: number;
  readonly schema: number;
  readonly engine: string;
  /** Pages one after the other, from `first` on. Throws PageDamaged for one that is not as it was written. */
  read(first: number, count: number): Buffer;
  close(): void;
}

/**
 * Opens `hearth.db` of a folder as it is on disk, without its log, but with pages of a snapshot that had no room there.
 * Throws StorageDamaged, SchemaTooNew, disk errors.
 */
export async function openSaved(
  folder: string,
  files: Files = realFiles,
  unsaved?: UnsavedPages,
): Promise<SavedDatabase> {
  const { sums, state } = PageSums.read(files, folder);
  const path = `${folder}/${DATABASE}`;
  const file = files.open(path, "read");
  const paged = new PagedFile({ path, file, sums, count: state.pages });
  for (const [index, number] of (unsaved?.numbers ?? []).entries())
    paged.set((unsaved as UnsavedPages).bytes.subarray(index * PAGE_SIZE, (index + 1) * PAGE_SIZE), number * PAGE_SIZE);
  try {
    const database = await Database.open(paged);
    const { pages } = paged;
    const { seq, eventId } = unsaved ?? state;
    return {
      reader: database,
      pages,
      seq,
      eventId,
      schema: database.schemaVersion,
      engine: database.engine,
      read(first, count) {
        const bytes = Buffer.allocUnsafe(Math.min(count, pages - first) * PAGE_SIZE);
        const length = file.read(bytes, first * PAGE_SIZE);
        for (let at = 0; at < bytes.length; at += PAGE_SIZE) {
          const number = first + at / PAGE_SIZE;
          if (!paged.isSaved(number)) bytes.set(paged.page(number), at);
          else if (at + PAGE_SIZE > length || sumOf(bytes.subarray(at, at + PAGE_SIZE), number) !== sums.get(number))
            throw new PageDamaged(path, number);
        }
        return bytes;
      },
      close: () => database.close(),
    };
  } catch (error) {
    paged.close();
    throw error;
  }
}

/**
 * Creates the data of a store in an empty folder from the pages of a database, with an empty log after it. Before
 * `finish` the folder counts as one without data. Its methods throw SchemaTooNew and disk errors.
 */
export class SavedDatabaseWriter {
  readonly #folder: string;
  readonly #files: Files;
  readonly #sums = new PageSums();
  readonly #file: OpenFile;
  #pages = 0;

  constructor(folder: string, files: Files = realFiles) {
    this.#folder = folder;
    this.#files = files;
    files.makeFolder(folder);
    files.makeFolder(`${folder}/log`);
    this.#file = files.open(`${folder}/${DATABASE}.new`, "create");
  }

  /** Adds whole pages. */
  add(pages: Uint8Array): void {
    this.#file.write(pages, this.#pages * PAGE_SIZE);
    for (let at = 0; at < pages.length; at += PAGE_SIZE, this.#pages += 1)
      this.#sums.set(this.#pages, sumOf(pages.subarray(at, at + PAGE_SIZE), this.#pages));
  }

  /** Closes the file without `finish`. */
  abandon(): void {
    this.#file.close();
  }

  /**
   * Everything is on disk when this resolves. Event ids continue after `reserved`. A start migrates an older schema.
   */
  async finish(
    {
      seq,
      eventId,
      reserved,
      schema,
      engine,
    }: {
      seq: number;
      eventId: number;
      reserved: number;
      schema: number;
      engine: string;
    },
    segmentSize?: number,
  ): Promise<void> {
    const [files, folder, pages] = [this.#files, this.#folder, this.#pages];
    try {
      if (schema > migrations.length) throw new SchemaTooNew(`${folder}/${DATABASE}`, schema, migrations.length);
      this.#file.sync();
    } finally {
      this.#file.close();
    }
    const log = await Log.begin(
      {
        files,
        folder: `${folder}/log`,
        schema,
        engine,
        segmentSize,
        isHeld: () => true,
        onFlushed: () => {},
        onFailure: () => {},
      },
      1,
      { seq, eventId, reserved },
    );
    await log.close();
    replaceSums(files, folder, this.#sums, { seq, eventId, segment: 1, pages });
    markData(files, folder);
    publishDatabase(files, folder);
  }
}
