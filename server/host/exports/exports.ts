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
import { badRequest, Failure, type Problem, problem, problemOf } from "../../errors.ts";
import type { StoredFiles } from "../../media/files/stored-files.ts";
import { diskProblem, StorageBusy, StorageFull } from "../../storage/errors.ts";
import type { Store } from "../../storage/store.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { PaceSetter, withPacedSnapshot } from "../backups/pace.ts";
import { threadOutcome } from "../backups/run-on-thread.ts";
import type { ExportJob, ExportNews, ExportProgress, ExportThreadData, MadeExport } from "./export-thread.ts";

/** In the same folder as this file, also after bundling (main/vite.config.ts). */
const THREAD = new URL(import.meta.url.endsWith(".ts") ? "./export-thread.ts" : "./export-thread.js", import.meta.url);

/** Interval of attempts while the disk is full. */
const RETRY_MS = 1000;
/** The same reserve for the log that uploads leave (media/files/stored-files.ts). */
const MIN_FREE_BYTES = 64 << 20;

/** Also matches partial files. */
const OURS = /^hearth-export-/;

const STOPPED = problem("export_interrupted");
const CALLED_OFF = problem("export_canceled");

export interface ExportWork extends ExportProgress {
  readonly id: number;
}

interface ExportsOptions {
  store: Store;
  files: StoredFiles;
  dataFolder: string;
  version: string;
  report: (message: string, error: unknown) => void;
  /** For tests: with less room on the disk an export fails. */
  minFreeBytes?: number | undefined;
}

/** The exports of a running server. Each is a row, and a file in `exports/` of the data folder. */
export class Exports {
  readonly #options: ExportsOptions;
  #work: ExportWork | undefined;
  #pace: PaceSetter | undefined;
  #ended: Promise<void> = Promise.resolve();
  #isCalledOff = false;
  #isClosed = false;

  constructor(options: ExportsOptions) {
    this.#options = options;
  }

  get folder(): string {
    return join(this.#options.dataFolder, "exports");
  }

  pathOf(one: Export): string {
    return join(this.folder, exportFileName(one));
  }

  /** Progress of the current export. */
  get work(): ExportWork | undefined {
    return this.#work;
  }

  /** Whether the current export was canceled and is about to end. */
  get isCalledOff(): boolean {
    return this.#work !== undefined && this.#isCalledOff;
  }

  /** Throws ApiError while an export runs. */
  assertFree(): void {
    if (this.#isClosed) throw badRequest("server_stopping");
    if (this.#work) throw badRequest("export_already_running");
  }

  /**
   * Cleans up after the last run: rows of interrupted exports or deleted files, and files without a row. Call it before
   * the first export.
   */
  async start(): Promise<void> {
    const all = allExports(this.#options.store.reader);
    const names = await readdir(this.folder).catch((error: NodeJS.ErrnoException): string[] | undefined => {
      if (error.code === "ENOENT") return [];
      this.#options.report("The folder of exports cannot be read", error);
      return undefined;
    });
    if (!names) return;
    const cutShort = all.filter(isPending);
    const gone = all.filter((one) => isAvailable(one) && !names.includes(exportFileName(one)));
    try {
      if (cutShort.length + gone.length > 0)
        this.#options.store.transact({ actor: null, action: "settle exports" }, (tx) => {
          for (const { id } of cutShort) failExport(tx, id, STOPPED);
          for (const one of gone) deleteExport(tx, null, one);
        });
    } catch (error) {
      this.#options.report("Exports that were cut short could not be written down", error);
    }
    const kept = new Set(all.filter(isAvailable).map(exportFileName));
    for (const name of names.filter((one) => OURS.test(one) && !kept.has(one)))
      await rm(join(this.folder, name), { force: true });
  }

  /** Starts to write the file of an existing row. The row gets the result. */
  begin(id: number): void {
    this.#pace = new PaceSetter();
    this.#work = { id, phase: "messages", done: 0, total: 0 };
    this.#isCalledOff = false;
    this.#ended = this.#make(id, this.#pace).finally(() => {
      this.#work = undefined;
    });
  }

  /** Cancels the export and removes its file. Resolves when its row has the result. */
  async callOff(id: number): Promise<void> {
    if (this.#work?.id !== id) return;
    this.#isCalledOff = true;
    this.#pace?.set("ended");
    await this.#ended;
  }

  /** Removes the file of a deleted export. */
  async remove(one: Export): Promise<void> {
    await rm(this.pathOf(one), { force: true });
  }

  /** The bytes of a file from `start` up to and without `end`. */
  read(one: Export, start: number, end: number): AsyncIterable<Uint8Array> {
    return createReadStream(this.pathOf(one), { start, end: end - 1, highWaterMark: 256 << 10 });
  }

  /** Size of the file; undefined if it does not exist. */
  async sizeOf(one: Export): Promise<number | undefined> {
    return (await stat(this.pathOf(one)).catch(() => undefined))?.size;
  }

  /** Cancels the current export and removes its partial file. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    this.#pace?.set("ended");
    await this.#ended;
  }

  async #make(id: number, pace: PaceSetter): Promise<void> {
    const one = exportById(this.#options.store.reader, id) as Export;
    let record: (tx: Transaction) => void;
    try {
      const made = await this.#write(one, pace);
      record = (tx) => finishExport(tx, id, made);
    } catch (error) {
      const failure = this.#failureOf(error as Error);
      record = (tx) => failExport(tx, id, failure);
    }
    // On a full disk, retries until there is space. After a stop, the next start updates the row.
    for (;;) {
      try {
        this.#options.store.transact({ actor: null, action: "end export" }, record);
        return;
      } catch (error) {
        const isTransient = error instanceof StorageFull || error instanceof StorageBusy;
        if (!isTransient || this.#isClosed)
          return this.#options.report("How an export ended could not be written down", error);
        await pause(RETRY_MS);
      }
    }
  }

  /** The failure, for users. */
  #failureOf(error: Error): Problem {
    if (this.#isCalledOff) return CALLED_OFF;
    if (this.#isClosed) return STOPPED;
    this.#options.report("The export failed", error);
    const cause = diskProblem(error);
    return cause ? problem("export_write_failed", { folder: this.folder, cause }) : problemOf(error);
  }

  async #write(one: Export, pace: PaceSetter): Promise<MadeExport> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const job: ExportJob = {
      dataFolder: this.#options.dataFolder,
      to: this.pathOf(one),
      type: one.type,
      madeBy: one.acting_user_id,
      requestedAt: one.requested_at,
      version: this.#options.version,
      minFreeBytes: this.#options.minFreeBytes ?? MIN_FREE_BYTES,
    };
    return withPacedSnapshot({ store: this.#options.store, files: this.#options.files }, pace, (databaseRead) => {
      const workerData: ExportThreadData = { job, pace: pace.shared };
      return threadOutcome<MadeExport, ExportNews>(new Worker(THREAD, { name: "exports", workerData }), {
        on: (news) => {
          if (news.type === "database read") databaseRead();
          else this.#work = { id: one.id, phase: news.phase, done: news.done, total: news.total };
        },
        errorOf: ({ problem }) => new Failure(problem),
      });
    });
  }
}
