import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, statfs, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { removeSlice, startRemoval } from "../../api/actions/import-removal.ts";
import { finishImport, startImport } from "../../api/actions/imports.ts";
import { allCustomEmoji } from "../../api/queries/emoji.ts";
import { addedSince, importById, unfinishedImports } from "../../api/queries/imports.ts";
import { linkifiers } from "../../api/queries/linkifiers.ts";
import { MAX_MESSAGE_LENGTH } from "../../api/queries/messages.ts";
import { operatorSetting } from "../../api/queries/operator-settings.ts";
import { organizationSetting } from "../../api/queries/organization.ts";
import { emojiPictureUrl } from "../../api/queries/pictures.ts";
import type { User } from "../../api/queries/users.ts";
import { badRequest, Failure, notFound, type Problem, problem, problemOf } from "../../errors.ts";
import { nextTurn } from "../../http/turns.ts";
import { safeName } from "../../imports/archive.ts";
import { type Choices, type Counts, countsOf, includesPrivate } from "../../imports/choices.ts";
import { FORMAT_NAMES, type Format } from "../../imports/model.ts";
import { countFetched, elsewhere, type Prepared, readPrepared } from "../../imports/preparation.ts";
import type { ImportTarget } from "../../imports/target.ts";
import type { TemporaryFile } from "../../media/files/file-being-received.ts";
import type { StoredFiles } from "../../media/files/stored-files.ts";
import type { Images } from "../../media/images/images.ts";
import { diskProblem, StorageBusy, StorageFull } from "../../storage/errors.ts";
import type { Store } from "../../storage/store.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { threadOutcome } from "../backups/run-on-thread.ts";
import { type FetchResult, fetchedFile, fetchFiles } from "./fetched-files.ts";
import { importTarget } from "./import-target.ts";
import type { CallResult, ImportNews, ImportTask, WriteContext } from "./import-thread.ts";

/** In the same folder as this file, also after bundling (main/vite.config.ts). */
const THREAD = new URL(import.meta.url.endsWith(".ts") ? "./import-thread.ts" : "./import-thread.js", import.meta.url);

/** Interval of attempts while the disk is full. */
const RETRY_MS = 1000;
/** The same reserve for the log that uploads leave (media/files/stored-files.ts), and how often it is checked. */
const MIN_FREE_BYTES = 64 << 20;
const WATCH_MS = 200;
/** For turns of requests (http/turns.ts). */
const CALLER = "imports";

/**
 * - `receiving`: files of the export arrive.
 * - `reading`: the export is read for the preview.
 * - `ready`: the preview is there. `problem` says why files could not be fetched.
 * - `fetching`: files come from the source, and `done` counts them.
 * - `writing`: messages are written.
 * - `removing`: an import is removed.
 * - `failed`: see `problem`.
 */
export type Stage = "receiving" | "reading" | "ready" | "fetching" | "writing" | "removing" | "failed";

export interface ImportState {
  stage: Stage;
  /** The name of the export's file or folder. */
  name: string;
  format: Format | null;
  /** Messages. */
  done: number;
  /** 0: unknown. */
  total: number;
  problem: Problem | null;
}

/** The file `job.json`, which says which export a prepared folder belongs to. */
interface Job {
  name: string;
  path: string;
}

/** The result of the latest fetch of files. */
export type Fetched = Pick<FetchResult, "fetched" | "failed" | "failures">;

interface ImportsOptions {
  store: Store;
  files: StoredFiles;
  images: Images;
  dataFolder: string;
  report: (message: string, error: unknown) => void;
  /** Tests replace it. */
  fetchFiles?: typeof fetchFiles | undefined;
  /** For tests: with less room on the disk, reading and writing fail. */
  minFreeBytes?: number | undefined;
}

/**
 * The current import, and removals of earlier ones. One runs at a time. Its files are in `imports/` of the data folder:
 * the uploaded export (`upload/`), and what the thread reads from it (`work/`). A prepared export survives a restart.
 */
export class Imports {
  readonly #options: ImportsOptions;
  #state: ImportState | undefined;
  #prepared: Prepared | undefined;
  #thread: Worker | undefined;
  #fetching: AbortController | undefined;
  #fetched: Fetched | undefined;
  #ended: Promise<void> = Promise.resolve();
  #isCancelled = false;
  #isClosed = false;

  constructor(options: ImportsOptions) {
    this.#options = options;
  }

  get #folder(): string {
    return join(this.#options.dataFolder, "imports");
  }

  get #upload(): string {
    return join(this.#folder, "upload");
  }

  get #work(): string {
    return join(this.#folder, "work");
  }

  /** Files of messages before they are stored. */
  get #files(): string {
    return join(this.#folder, "files");
  }

  /** Files that the source has served. */
  get #fromSource(): string {
    return join(this.#folder, "fetched");
  }

  get #jobFile(): string {
    return join(this.#folder, "job.json");
  }

  get state(): ImportState | undefined {
    return this.#state;
  }

  /** Throws ApiError if there is no preview yet. */
  get prepared(): Prepared {
    if (!this.#prepared) throw badRequest("import_not_read");
    return this.#prepared;
  }

  get fetched(): Fetched | undefined {
    return this.#fetched;
  }

  /** Restores a prepared export, removes other files, and removes imports that the last run did not finish. */
  async start(): Promise<void> {
    const [unfinished] = unfinishedImports(this.#options.store.reader);
    await this.#restore().catch((error) => this.#options.report("A prepared import could not be read", error));
    await rm(this.#prepared ? this.#files : this.#folder, { recursive: true, force: true }).catch((error) =>
      this.#options.report("Files of an import could not be removed", error),
    );
    if (unfinished) this.#run("removing", () => this.#removeAll(unfinishedImports(this.#options.store.reader)));
  }

  async #restore(): Promise<void> {
    if (!existsSync(this.#jobFile)) return;
    const { name, path } = JSON.parse(await readFile(this.#jobFile, "utf8")) as Job;
    if (!existsSync(path)) return;
    this.#prepared = await readPrepared(this.#work);
    this.#state = this.#initial("ready", name, this.#prepared.format);
  }

  #initial(stage: Stage, name: string, format: Format | null = null): ImportState {
    return { stage, name, format, done: 0, total: 0, problem: null };
  }

  #assertStage(...stages: readonly (Stage | undefined)[]): void {
    if (this.#isClosed) throw badRequest("server_stopping");
    if (!stages.includes(this.#state?.stage)) throw badRequest("import_in_progress");
  }

  /** Begins an import whose files the caller sends next. Replaces a failed or prepared one. */
  async begin(name: string): Promise<void> {
    this.#assertStage(undefined, "failed", "ready");
    await this.#forget();
    this.#state = this.#initial("receiving", name);
  }

  /** `path`: the relative path in the export's folder. */
  async addFile(path: string, file: TemporaryFile): Promise<void> {
    this.#assertStage("receiving");
    const safe = safeName(path);
    if (safe === undefined || safe === "") throw badRequest("import_path_unsafe", {}, { var_name: "path" });
    const target = join(this.#upload, ...safe.split("/"));
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(file.path, target);
  }

  /** Reads the received files, or the export at `path` of this machine. */
  async read(path?: string): Promise<void> {
    if (path !== undefined) {
      await stat(path).catch(() => Promise.reject(badRequest("path_not_found", { path }, { var_name: "path" })));
      await this.begin(basename(path));
    }
    const found = path ?? (await onlyEntry(this.#upload));
    this.#assertStage("receiving");
    const state = this.#state as ImportState;
    if (found === undefined) throw badRequest("import_without_files");
    this.#run("reading", async () => {
      const task = { path: found, folder: this.#work, emoji: this.#emoji };
      await this.#onThread(task, { read: (messages) => this.#progress(messages) });
      this.#prepared = await readPrepared(this.#work);
      await writeFile(this.#jobFile, JSON.stringify({ name: state.name, path: found } satisfies Job));
      this.#state = this.#initial("ready", state.name, this.#prepared.format);
    });
  }

  /** Fetches files that only Slack has. Files of earlier fetches stay. Without a token, Slack serves few files. */
  fetch(token: string | undefined): void {
    this.#assertStage("ready");
    const prepared = this.prepared;
    if (prepared.format !== "slack") throw badRequest("import_fetch_slack_only");
    const fetching = new AbortController();
    this.#fetching = fetching;
    this.#run("fetching", async () => {
      const { fetchFiles: fetch = fetchFiles } = this.#options;
      try {
        let total = 0;
        for await (const _ of elsewhere(this.#work)) total += 1;
        this.#progress(0, total);
        this.#fetched = await fetch(elsewhere(this.#work), {
          folder: this.#fromSource,
          token,
          signal: fetching.signal,
          onProgress: ({ fetched, failed }) => this.#progress(fetched + failed),
        });
      } catch (error) {
        if (!fetching.signal.aborted) throw error;
      } finally {
        this.#fetching = undefined;
        this.#prepared = await countFetched(this.#work, prepared, (url) => this.#sizeOfFetched(url));
      }
    });
  }

  async #sizeOfFetched(url: string): Promise<number | undefined> {
    const path = await fetchedFile(this.#fromSource, url);
    return path === undefined ? undefined : (await stat(path)).size;
  }

  /** Ends the fetching. The files that have arrived stay. */
  async stopFetching(): Promise<void> {
    if (!this.#fetching) return;
    this.#fetching.abort();
    await this.#ended;
  }

  counts(choices: Choices): Counts {
    return countsOf(this.prepared.survey, choices);
  }

  /** A null actor is the operator. */
  async write(actor: User | null, choices: Choices, baseUrl: string): Promise<number> {
    const { survey, format } = this.prepared;
    if (includesPrivate(survey, choices) && !choices.consent)
      throw badRequest("import_consent_missing", {}, { var_name: "consent" });
    const { path } = JSON.parse(await readFile(this.#jobFile, "utf8")) as Job;
    this.#assertStage("ready"); // after the last await: two callers can start at once
    const { name } = this.#state as ImportState;
    const { store, files, images } = this.#options;
    const counts = this.counts(choices);
    const importId = store.transact({ actor: actor?.id ?? null, action: "start import" }, (tx) =>
      startImport(tx, actor, { format, name, counts }),
    );
    const formatName = FORMAT_NAMES[format];
    const target = importTarget({ store, files, images, rest: () => this.#rest() }, { importId, client: formatName });
    const context = this.#context(baseUrl, formatName);
    const task = {
      path,
      folder: this.#work,
      emoji: this.#emoji,
      write: { choices, context, incoming: this.#files, fetched: this.#fromSource },
    };
    this.#run("writing", async () => {
      try {
        await mkdir(this.#files, { recursive: true, mode: 0o700 });
        const written = await this.#onThread(task, { written: (messages) => this.#progress(messages), target });
        await this.#settle((tx) => finishImport(tx, actor, importId, written as Counts));
      } catch (error) {
        if (!this.#isClosed) await this.#remove(importId);
        throw error;
      }
      await this.#forget();
    });
    this.#progress(0, counts.messages);
    return importId;
  }

  #context(baseUrl: string, formatName: string): WriteContext {
    const { reader } = this.#options.store;
    return {
      linkifiers: linkifiers(reader),
      defaultCodeLanguage: organizationSetting(reader, "default_code_block_language") || null,
      baseUrl,
      hostnames: operatorSetting(reader, "ALLOWED_HOSTS"),
      maxLength: MAX_MESSAGE_LENGTH,
      showsPictures: organizationSetting(reader, "inline_image_preview"),
      formatName,
    };
  }

  get #emoji(): ImportTask["emoji"] {
    return allCustomEmoji(this.#options.store.reader)
      .filter(({ deactivated }) => !deactivated)
      .map((emoji) => [emoji.name, { id: emoji.id, url: emojiPictureUrl(emoji) }]);
  }

  /** Ends the current work and forgets the export. An import that is being written is removed. */
  async cancel(): Promise<void> {
    if (this.#state?.stage === "removing") throw badRequest("import_in_progress");
    this.#isCancelled = true;
    this.#fetching?.abort();
    await this.#thread?.terminate();
    await this.#ended;
    this.#isCancelled = false;
    await this.#forget();
  }

  /** Removes a finished import. `withAdditions`: also what people have added to it since. */
  remove(actor: User | null, importId: number, { withAdditions }: { withAdditions: boolean }): void {
    this.#assertStage(undefined, "failed", "ready");
    const { store } = this.#options;
    if (importById(store.reader, importId)?.state !== "done") throw notFound("import_not_found");
    const { messages, reactions } = addedSince(store.reader, importId);
    if (messages + reactions > 0 && !withAdditions) throw badRequest("import_has_additions", { messages, reactions });
    store.transact({ actor: actor?.id ?? null, action: "remove import" }, (tx) => startRemoval(tx, actor, importId));
    this.#run("removing", () => this.#remove(importId));
  }

  /** Ends the current work. The next start removes an unfinished import. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    this.#fetching?.abort();
    await this.#thread?.terminate();
    await this.#ended;
  }

  #progress(done: number, total = this.#state?.total ?? 0): void {
    if (this.#state) this.#state = { ...this.#state, done, total };
  }

  /** Afterwards the state before comes back, unless the work has set another. */
  #run(stage: Stage, work: () => Promise<void>): void {
    const before = this.#state;
    const running = { ...this.#initial(stage, before?.name ?? "", before?.format ?? null) };
    this.#state = running;
    this.#ended = work().then(
      () => {
        if (this.#state?.stage === stage)
          this.#state = before?.stage === "ready" ? { ...before, problem: null } : undefined;
      },
      (error: Error) => this.#fail(error, before),
    );
  }

  async #fail(error: Error, before: ImportState | undefined): Promise<void> {
    if (this.#isClosed) return;
    if (this.#isCancelled) {
      this.#state = undefined;
      return;
    }
    const cause = diskProblem(error);
    const problemOfError = problemOf(error);
    if (!cause && problemOfError.reason === "unknown") this.#options.report("An import failed", error);
    const reason = cause ? problem("import_disk_failed", { cause }) : problemOfError;
    const stage = this.#state?.stage === "fetching" ? "ready" : "failed";
    if (stage === "failed") {
      this.#prepared = undefined;
      await rm(this.#folder, { recursive: true, force: true }).catch((failure) =>
        this.#options.report("Files of an import could not be removed", failure),
      );
    }
    this.#state = { ...this.#initial(stage, before?.name ?? "", before?.format ?? null), problem: reason };
  }

  /** Lets other requests go first, and waits for room on the disk. */
  async #rest(): Promise<void> {
    const { store } = this.#options;
    await nextTurn(CALLER, { begun: true });
    for (let room = store.untilRoom(); room; room = store.untilRoom()) await room;
  }

  async #removeAll(imports: readonly { id: number }[]): Promise<void> {
    for (const { id } of imports) await this.#remove(id);
  }

  async #remove(importId: number): Promise<void> {
    const { store, files } = this.#options;
    if (importById(store.reader, importId)?.state === "writing")
      await this.#settle((tx) => startRemoval(tx, null, importId));
    for (let isDone = false; !isDone && !this.#isClosed; ) {
      await this.#rest();
      const slice = await this.#settle((tx) => removeSlice(tx, importId));
      if (!slice) return;
      isDone = slice.isDone;
      await files.remove(slice.files);
      await store.durable();
    }
  }

  /** Tries again while the disk is full or busy. Undefined: the server stops. */
  async #settle<T>(fn: (tx: Transaction) => T): Promise<T | undefined> {
    const { store } = this.#options;
    while (!this.#isClosed) {
      try {
        return store.transact({ actor: null, action: "settle import" }, fn as (tx: Transaction) => never);
      } catch (error) {
        if (!(error instanceof StorageFull || error instanceof StorageBusy)) throw error;
        await pause(RETRY_MS);
      }
    }
    return undefined;
  }

  async #forget(): Promise<void> {
    this.#state = undefined;
    this.#prepared = undefined;
    this.#fetched = undefined;
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #onThread(
    task: ImportTask,
    on: { read?: (messages: number) => void; written?: (messages: number) => void; target?: ImportTarget },
  ): Promise<Counts | null> {
    if (this.#isCancelled || this.#isClosed) throw new Failure(problem("server_stopping"));
    const thread = new Worker(THREAD, { name: "imports", workerData: task });
    this.#thread = thread;
    let answered: Promise<unknown> = Promise.resolve();
    let isFull = false;
    const watch = setInterval(async () => {
      if (isFull || (await this.#hasRoom())) return;
      isFull = true;
      void thread.terminate();
    }, WATCH_MS);
    try {
      return await threadOutcome<Counts | null, ImportNews>(thread, {
        on: (news) => {
          if (news.type === "read") on.read?.(news.messages);
          else if (news.type === "written") on.written?.(news.messages);
          else if (on.target) answered = Promise.all([answered, this.#answer(thread, on.target, news)]);
        },
        errorOf: ({ problem }) => new Failure(problem),
      });
    } catch (error) {
      throw isFull ? Object.assign(new Error("The disk is nearly full."), { code: "ENOSPC" }) : error;
    } finally {
      clearInterval(watch);
      await answered; // a removal begins after the last write
      this.#thread = undefined;
    }
  }

  async #hasRoom(): Promise<boolean> {
    const { bavail, bsize } = await statfs(this.#options.dataFolder);
    return bavail * bsize >= (this.#options.minFreeBytes ?? MIN_FREE_BYTES);
  }

  /** Makes a call of the thread. */
  async #answer(
    thread: Worker,
    target: ImportTarget,
    { id, method, args }: Extract<ImportNews, { type: "call" }>,
  ): Promise<void> {
    const call = target[method] as (...args: readonly unknown[]) => Promise<unknown>;
    const sent: CallResult = await call(...args).then(
      (result) => ({ id, result }),
      (error: Error) => {
        const problem = problemOf(error);
        if (problem.reason === "unknown") this.#options.report("A part of an import could not be written", error);
        return { id, problem };
      },
    );
    thread.postMessage(sent);
  }
}

/** A single file is the export. Several are its folder. */
async function onlyEntry(folder: string): Promise<string | undefined> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const [first, ...others] = entries;
  if (!first) return undefined;
  return others.length === 0 ? join(folder, first.name) : folder;
}
