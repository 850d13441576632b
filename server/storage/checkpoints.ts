import { writeCheckpoint } from "./checkpoint.ts";
import type { Database } from "./database.ts";
import { isLackOfRoom } from "./errors.ts";
import type { Files } from "./files.ts";
import type { Log } from "./log.ts";
import type { SavedPages } from "./paged-file.ts";
import { PAGE_SIZE, type SavedState } from "./pages.ts";
import { readHeader, segmentsIn } from "./segments.ts";

/** A checkpoint is due after this much log, which a start has to replay. */
const MAX_LOG = 64 << 20;
/** Or after this many bytes of changed pages, which are in memory. */
const MAX_PAGES = 32 << 20;
/** While checkpoints fail or are slow, writes stop here. */
const MAX_CHANGED = 256 << 20;
/** A stop makes a checkpoint after this much log, so that the next start need not replay it. */
const WORTHWHILE_AT_STOP = 1 << 20;
/** Or after this many bytes of changed pages, because unlogged tables would have to be computed again. */
const WORTHWHILE_PAGES = 4 << 20;
/** Interval of attempts while writes wait for a checkpoint that fails. */
const RETRY_MS = 1000;

/** The database on disk, which does not change until `release`. */
export interface Snapshot {
  /** The file: an ordinary SQLite database. Only its first `pages` pages count. */
  path: string;
  pages: number;
  seq: number;
  eventId: number;
  /** Pages that are only in memory, because the disk is full; undefined if everything is in the file. */
  unsaved: UnsavedPages | undefined;
  /** A copy of a page. */
  read(number: number): Buffer;
  release(): void;
}

/** Concatenated pages that are newer than those in the file. */
export interface UnsavedPages {
  numbers: readonly number[];
  bytes: Uint8Array;
  /** The newest record and event in them. */
  seq: number;
  eventId: number;
}

/** The part of the store that checkpoints need. */
export interface Stored {
  readonly files: Files;
  readonly folder: string;
  readonly database: Database;
  readonly log: Log;
  /** The newest record and event: read between two transactions. */
  newest(): { seq: number; eventId: number };
  /** Writes what each queue has acknowledged into the log. */
  saveCursors(): void;
  /** The id after which queues may still request events; older segments can be removed. */
  neededAfter(): number;
  /** Whether the store still accepts writes. */
  isOpen(): boolean;
  onFailure(error: unknown): void;
}

/** Overrides for tests. */
export interface CheckpointTesting {
  /** A checkpoint is due after this many bytes of log or of changed pages. Default: 64 MB of log, or 32 MB of pages. */
  checkpointAfter?: number;
  /** Writes wait for a checkpoint at this many bytes of changed pages. Default: 256 MB. */
  maxChanged?: number;
}

/**
 * Decides when a checkpoint is due (checkpoint.ts writes it), and removes the log that it covers. Checkpoints run one
 * at a time. A failed checkpoint is retried after as many changes as it contained, or every second while writes wait for it.
 */
export class Checkpoints {
  readonly #stored: Stored;
  readonly #testing: CheckpointTesting;
  #underWay: Promise<void> | undefined;
  /** Log segments before this one are in `hearth.db`. */
  #neededFrom: number;
  /** The next checkpoint starts at this many bytes of changed pages. */
  #pagesAllowed: number;
  #error: Error | undefined;
  #writing: Promise<unknown> = Promise.resolve();
  /** While a snapshot is read, no checkpoint changes the file. */
  #held: PromiseWithResolvers<void> | undefined;
  /** While checkpoints fail and writes wait for one. */
  #retry: NodeJS.Timeout | undefined;

  constructor(stored: Stored, neededFrom: number, testing: CheckpointTesting = {}) {
    this.#stored = stored;
    this.#testing = testing;
    this.#neededFrom = neededFrom;
    this.#pagesAllowed = this.#pagesPerCheckpoint;
  }

  get #pagesPerCheckpoint(): number {
    return this.#testing.checkpointAfter ?? MAX_PAGES;
  }

  /** Whether the limit of changed pages in memory is reached. */
  get isAwaited(): boolean {
    return this.#stored.database.file.changedBytes >= (this.#testing.maxChanged ?? MAX_CHANGED);
  }

  /** The current checkpoint, unless the one before it failed. */
  get underWay(): Promise<void> | undefined {
    return this.#error === undefined ? this.#underWay : undefined;
  }

  /** Why the last one failed; undefined if it did not. */
  get error(): Error | undefined {
    return this.#error;
  }

  /** Starts a checkpoint if it is due. */
  consider(): void {
    const { log, database, onFailure, isOpen } = this.#stored;
    if (!isOpen() || this.#underWay || this.#retry || this.#held) return;
    const maxLog = this.#testing.checkpointAfter ?? MAX_LOG;
    const { changedBytes } = database.file;
    if (log.bytesSinceCheckpoint < maxLog && changedBytes < this.#pagesAllowed && !this.isAwaited) return;
    this.make().catch((error: unknown) => {
      if (isOpen()) onFailure(error);
    });
  }

  /** See Store.checkpoint. */
  make(): Promise<void> {
    this.#underWay ??= this.#make().finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  async #make(): Promise<void> {
    while (this.#held) await this.#held.promise;
    await this.#writeChanges();
  }

  /** Runs checkpoints one after another. */
  #writeChanges(): Promise<Omit<SavedState, "pages">> {
    const written = this.#writing.then(() => this.#writeNow());
    this.#writing = written.catch(() => {});
    return written;
  }

  async #writeNow(): Promise<Omit<SavedState, "pages">> {
    const { files, folder, log, database, newest, saveCursors } = this.#stored;
    let saved: Omit<SavedState, "pages">;
    try {
      if (!(await log.prepared())) throw log.lackOfRoom;
      // No await from here to the freeze. The saved ids are in the log after the checkpoint.
      log.rotate(); // so that a start need not read the records that hearth.db contains
      const at = { ...newest(), segment: log.segment };
      database.writeState(at.seq, at.eventId);
      saveCursors();
      log.bytesSinceCheckpoint = 0;
      await writeCheckpoint(files, folder, { paged: database.file, at, logged: () => log.settle() });
      this.#neededFrom = at.segment;
      saved = at;
      this.#error = undefined;
      this.#pagesAllowed = this.#pagesPerCheckpoint;
    } catch (error) {
      this.#error = error as Error;
      this.#pagesAllowed = database.file.changedBytes + this.#pagesPerCheckpoint;
      // Otherwise each refused write would start an attempt.
      this.#retry = setTimeout(() => {
        this.#retry = undefined;
        if (this.isAwaited) this.consider();
      }, RETRY_MS).unref();
      throw error;
    }
    await this.#removeOldSegments();
    return saved;
  }

  /** Keeps the segments after the checkpoint, and those with events that queues have yet to read. */
  async #removeOldSegments(): Promise<void> {
    const { files, folder, neededAfter } = this.#stored;
    const needed = neededAfter();
    const segments = segmentsIn(files, `${folder}/log`);
    for (const [index, file] of segments.entries()) {
      const next = segments[index + 1];
      const header = next && readHeader(files, next);
      if (file.number >= this.#neededFrom || !header || header.eventId > needed) return;
      await files.removeLater(file.path);
    }
  }

  /** See Store.snapshot. */
  async snapshot({ withoutRoom = false }: { withoutRoom?: boolean } = {}): Promise<Snapshot> {
    while (this.#held) await this.#held.promise;
    const held = Promise.withResolvers<void>();
    this.#held = held;
    const release = () => {
      if (this.#held !== held) return;
      this.#held = undefined;
      held.resolve();
      this.consider();
    };
    try {
      const { seq, eventId, unsaved } = await this.#writeChanges().then(
        (at) => ({ ...at, unsaved: undefined }),
        async (error: unknown) => {
          if (!withoutRoom || !isLackOfRoom(error)) throw error;
          const changes = await this.#copyChanges();
          return { ...changes, unsaved: changes };
        },
      );
      const { file } = this.#stored.database;
      const { path, count } = file.savedPages as SavedPages;
      return { path, seq, eventId, unsaved, pages: count, read: (number) => file.readSaved(number), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** The changed pages, which stay to be written by the next checkpoint. */
  async #copyChanges(): Promise<UnsavedPages> {
    const { database, log, newest } = this.#stored;
    const at = newest();
    database.writeState(at.seq, at.eventId);
    const pages = database.file.freeze();
    const numbers = pages.numbers();
    const bytes = new Uint8Array(numbers.length * PAGE_SIZE);
    for (const [index, number] of numbers.entries()) bytes.set(pages.get(number) as Uint8Array, index * PAGE_SIZE);
    database.file.thaw();
    await log.settle();
    return { ...at, numbers, bytes };
  }

  /** Prevents further checkpoints, and waits for the current one. Readers of a snapshot get an error. */
  async stop(): Promise<void> {
    clearTimeout(this.#retry);
    this.#held?.resolve();
    this.#held = undefined;
    await this.#underWay?.catch(() => {});
  }

  /** The last checkpoint, if the next start would have much to replay. Reports its failure. */
  async makeAtStop(): Promise<void> {
    const { log, database, onFailure } = this.#stored;
    const worthwhile = this.#testing.checkpointAfter ?? WORTHWHILE_AT_STOP;
    if (log.bytesSinceCheckpoint >= worthwhile || database.file.changedBytes >= WORTHWHILE_PAGES)
      await this.make().catch(onFailure);
    clearTimeout(this.#retry);
  }
}
