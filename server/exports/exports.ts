import { createReadStream } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { deleteExport, failExport, finishExport } from "../actions/exports.ts";
import { reasonOf } from "../backups/errors.ts";
import { PACES, type Pace } from "../backups/pace.ts";
import { badRequest } from "../errors.ts";
import type { StoredFiles } from "../files/stored-files.ts";
import { allExports, type Export, exportById, exportFileName, isAvailable, isPending } from "../queries/exports.ts";
import { StorageBusy, StorageFull } from "../storage/errors.ts";
import type { Store } from "../storage/store.ts";
import type { Transaction } from "../storage/transaction.ts";
import type { ExportJob, ExportProgress, ExportThreadData, FromExportThread, MadeExport } from "./export-thread.ts";

/** In the same folder as this file, also after bundling (main/vite.config.ts). */
const THREAD = new URL(import.meta.url.endsWith(".ts") ? "./export-thread.ts" : "./export-thread.js", import.meta.url);

/** With so many bytes of changed pages in memory, the database is read as fast as can be. */
const HURRY_BYTES = 96 << 20;
const WATCH_MS = 250;
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
  #pace: Int32Array | undefined;
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
    this.#work = { id, phase: "messages", done: 0, total: 0 };
    this.#isCalledOff = false;
    this.#ended = this.#make(id).finally(() => {
      this.#work = undefined;
    });
  }

  /** Ends the one that is being made; nothing is left of it. Resolves when its row says so. */
  async callOff(id: number): Promise<void> {
    if (this.#work?.id !== id) return;
    this.#isCalledOff = true;
    this.#setPace("ended");
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
    this.#setPace("ended");
    await this.#ended;
  }

  async #make(id: number): Promise<void> {
    const one = exportById(this.#store.reader, id) as Export;
    let record: (tx: Transaction) => void;
    try {
      const made = await this.#write(one);
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

  async #write(one: Export): Promise<MadeExport> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const release = this.#files.hold();
    try {
      const snapshot = await this.#store.snapshot();
      const hurry = setInterval(() => {
        if (this.#store.sizes.changed >= HURRY_BYTES) this.#setPace("fast");
      }, WATCH_MS);
      const endSnapshot = () => {
        clearInterval(hurry);
        this.#setPace("gentle");
        snapshot.release();
      };
      try {
        if (this.#isClosed || this.#isCalledOff) throw new Error(CALLED_OFF);
        return await this.#onThread(one, endSnapshot);
      } finally {
        endSnapshot();
      }
    } finally {
      await release();
    }
  }

  #setPace(pace: Pace): void {
    if (!this.#pace || Atomics.load(this.#pace, 0) === PACES.ended) return;
    Atomics.store(this.#pace, 0, PACES[pace]);
    Atomics.notify(this.#pace, 0);
  }

  async #onThread(one: Export, databaseRead: () => void): Promise<MadeExport> {
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
    const pace = new SharedArrayBuffer(4);
    this.#pace = new Int32Array(pace);
    const thread = new Worker(THREAD, { name: "exports", workerData: { job, pace } satisfies ExportThreadData });
    try {
      return await new Promise<MadeExport>((resolve, reject) => {
        let settle = () => reject(new Error("The thread that works on exports has ended."));
        thread.on("message", (message: FromExportThread) => {
          if (message.type === "done") settle = () => resolve(message.made);
          else if (message.type === "failed") settle = () => reject(failed(message));
          else if (message.type === "database read") databaseRead();
          else this.#work = { id: one.id, phase: message.phase, done: message.done, total: message.total };
        });
        thread.on("error", reject);
        // Only then, so that nothing of it is under way when the caller goes on.
        thread.on("exit", () => settle());
      });
    } finally {
      this.#pace = undefined;
    }
  }
}

const failed = ({ message, code }: Extract<FromExportThread, { type: "failed" }>): Error =>
  Object.assign(new Error(message), code !== undefined && { code });
