import { createReadStream } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { deleteExport, failExport, finishExport } from "../../api/actions/exports.ts";
import {
  allExports,
  type Export,
  exportById,
  exportFileName,
  isAvailable,
  isPending,
} from "../../api/queries/exports.ts";
import { badRequest } from "../../errors.ts";
import type { StoredFiles } from "../../media/files/stored-files.ts";
import { reasonOf, StorageBusy, StorageFull } from "../../storage/errors.ts";
import type { Store } from "../../storage/store.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { PaceSetter } from "../backups/pace.ts";
import { withPacedSnapshot } from "../backups/paced-snapshot.ts";
import { threadOutcome } from "../backups/thread-outcome.ts";
import type { ExportJob, ExportNews, ExportProgress, ExportThreadData, MadeExport } from "./export-thread.ts";

/** In the same folder as this file, also after bundling (main/vite.config.ts). */
const THREAD = new URL(import.meta.url.endsWith(".ts") ? "./export-thread.ts" : "./export-thread.js", import.meta.url);

/** While the disk takes no row, how often it is tried again. */
const RETRY_MS = 1000;
/** As uploads leave it to the log (files/stored-files.ts). */
const MIN_FREE_BYTES = 64 << 20;

/** With `.partial` while it is made. */
const OURS = /^hearth-export-/;

const STOPPED = "The server stopped while it was made.";
const CALLED_OFF = "It was called off.";

export interface ExportWork extends ExportProgress {
  readonly id: number;
}

/** Makes and keeps the exports of a running server: each is a row, and a file in `exports/` of the data folder. */
export class Exports {
  readonly #store: Store;
  readonly #files: StoredFiles;
  readonly #dataFolder: string;
  readonly #version: string;
  readonly #report: (message: string, error: unknown) => void;
  readonly #minFreeBytes: number;
  #work: ExportWork | undefined;
  #pace: PaceSetter | undefined;
  #ended: Promise<void> = Promise.resolve();
  #isCalledOff = false;
  #isClosed = false;

  constructor(about: {
    store: Store;
    files: StoredFiles;
    dataFolder: string;
    version: string;
    report: (message: string, error: unknown) => void;
    /** For tests: with less room on the disk an export fails. */
    minFreeBytes?: number | undefined;
  }) {
    this.#store = about.store;
    this.#files = about.files;
    this.#dataFolder = about.dataFolder;
    this.#version = about.version;
    this.#report = about.report;
    this.#minFreeBytes = about.minFreeBytes ?? MIN_FREE_BYTES;
  }

  get folder(): string {
    return join(this.#dataFolder, "exports");
  }

  pathOf(one: Export): string {
    return join(this.folder, exportFileName(one));
  }

  /** How far the one is that is being made. */
  get work(): ExportWork | undefined {
    return this.#work;
  }

  /** Whether the one that is being made has been called off, and ends. */
  get isCalledOff(): boolean {
    return this.#work !== undefined && this.#isCalledOff;
  }

  /** Throws ApiError while one is being made. */
  assertFree(): void {
    if (this.#isClosed) throw badRequest("The server is stopping.");
    if (this.#work) throw badRequest("An export is being made already. Wait for its end.");
  }

  /**
   * Settles what the last run left: rows whose export was cut short or whose file is gone, and files without a row.
   * Nothing may be under way.
   */
  async start(): Promise<void> {
    const all = allExports(this.#store.reader);
    const names = await readdir(this.folder).catch((error: NodeJS.ErrnoException): string[] | undefined => {
      if (error.code === "ENOENT") return [];
      this.#report("The folder of exports cannot be read", error);
      return undefined;
    });
    if (!names) return;
    const cutShort = all.filter(isPending);
    const gone = all.filter((one) => isAvailable(one) && !names.includes(exportFileName(one)));
    try {
      if (cutShort.length + gone.length > 0)
        this.#store.transact({ actor: null, action: "settle exports" }, (tx) => {
          for (const { id } of cutShort) failExport(tx, id, STOPPED);
          for (const one of gone) deleteExport(tx, null, one);
        });
    } catch (error) {
      this.#report("Exports that were cut short could not be written down", error);
    }
    const kept = new Set(all.filter(isAvailable).map(exportFileName));
    for (const name of names.filter((one) => OURS.test(one) && !kept.has(one)))
      await rm(join(this.folder, name), { force: true });
  }

  /** Begins to make the file of an export whose row is there. How it ends is in the row. */
  begin(id: number): void {
    this.#pace = new PaceSetter();
    this.#work = { id, phase: "messages", done: 0, total: 0 };
    this.#isCalledOff = false;
    this.#ended = this.#make(id, this.#pace).finally(() => {
      this.#work = undefined;
    });
  }

  /** Ends the one that is being made; nothing is left of it. Resolves when its row says so. */
  async callOff(id: number): Promise<void> {
    if (this.#work?.id !== id) return;
    this.#isCalledOff = true;
    this.#pace?.set("ended");
    await this.#ended;
  }

  /** Removes the file of an export whose row says that it is deleted. */
  async remove(one: Export): Promise<void> {
    await rm(this.pathOf(one), { force: true });
  }

  /** The bytes of a file from `start` up to and without `end`. */
  read(one: Export, start: number, end: number): AsyncIterable<Uint8Array> {
    return createReadStream(this.pathOf(one), { start, end: end - 1, highWaterMark: 256 << 10 });
  }

  /** Bytes of the file; undefined where it is gone. */
  async sizeOf(one: Export): Promise<number | undefined> {
    return (await stat(this.pathOf(one)).catch(() => undefined))?.size;
  }

  /** Ends what is being done; no file that looks whole is left of it. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    this.#pace?.set("ended");
    await this.#ended;
  }

  async #make(id: number, pace: PaceSetter): Promise<void> {
    const one = exportById(this.#store.reader, id) as Export;
    let record: (tx: Transaction) => void;
    try {
      const made = await this.#write(one, pace);
      record = (tx) => finishExport(tx, id, made);
    } catch (error) {
      const failure = this.#failureOf(error as Error);
      record = (tx) => failExport(tx, id, failure);
    }
    // The disk may be full: then it is written down once there is room. What a stop cuts short, the next start settles.
    for (;;) {
      try {
        this.#store.transact({ actor: null, action: "end export" }, record);
        return;
      } catch (error) {
        const isTransient = error instanceof StorageFull || error instanceof StorageBusy;
        if (!isTransient || this.#isClosed) return this.#report("How an export ended could not be written down", error);
        await pause(RETRY_MS);
      }
    }
  }

  /** Why there is no export, in words. */
  #failureOf(error: Error): string {
    if (this.#isCalledOff) return CALLED_OFF;
    if (this.#isClosed) return STOPPED;
    this.#report("The export failed", error);
    const reason = reasonOf(error);
    return reason === undefined ? error.message : `The export could not be written to ${this.folder}: ${reason}.`;
  }

  async #write(one: Export, pace: PaceSetter): Promise<MadeExport> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const job: ExportJob = {
      format: "plain",
      dataFolder: this.#dataFolder,
      to: this.pathOf(one),
      type: one.type,
      madeBy: one.acting_user_id,
      requestedAt: one.requested_at,
      version: this.#version,
      minFreeBytes: this.#minFreeBytes,
    };
    return withPacedSnapshot({ store: this.#store, files: this.#files }, pace, (databaseRead) => {
      const workerData: ExportThreadData = { job, pace: pace.shared };
      return threadOutcome<MadeExport, ExportNews>(new Worker(THREAD, { name: "exports", workerData }), {
        on: (news) => {
          if (news.type === "database read") databaseRead();
          else this.#work = { id: one.id, phase: news.phase, done: news.done, total: news.total };
        },
        errorOf: ({ message }) => new Error(message),
      });
    });
  }
}
