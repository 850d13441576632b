import { createHash } from "node:crypto";
import * as fs from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import type { Dispatcher } from "undici";
import { Failure, type Problem, problem } from "../../errors.ts";
import { Lookups } from "../../integrations/outgoing/lookups.ts";
import { NO_OWNER } from "../../integrations/outgoing/owner-turns.ts";
import { guardedAgent, POST_TIMEOUT_MS, PostFailed } from "../../integrations/outgoing/post.ts";
import { IncomingFile } from "../../media/files/incoming-file.ts";
import { fileProblem, withPath } from "../../storage/errors.ts";
import { decodeChecked, encodeChecked, realFiles, removeLater, renameLater } from "../../storage/files.ts";
import { lengthOf, rangeIn, received, SlackRequests, tooLarge, validatorIn, withoutQuery } from "./slack-requests.ts";

/*
 * Files that an export of Slack names by their URLs. In the folder, a file's name is the SHA-256 of its URL. Until it is
 * complete, it is NAME.part. NAME.info.part describes an interrupted file; the next run continues only such files.
 */

export interface WantedFile {
  readonly url: string;
  /** Bytes, as the export says. */
  readonly size?: number | undefined;
}

export interface FetchProgress {
  /** Files in the folder, with those of earlier runs. */
  readonly fetched: number;
  readonly failed: number;
  /** Bytes of these files, and of those that are being fetched. */
  readonly bytes: number;
}

export interface FetchFailure {
  /** Without its query, which may have a token. */
  readonly url: string;
  readonly reason: Problem;
}

export interface FetchResult extends FetchProgress {
  /** The first 1000. */
  readonly failures: readonly FetchFailure[];
}

export interface FetchOptions {
  readonly folder: string;
  /** Without a token, Slack serves only pictures of people, and files whose URL has a token. */
  readonly token?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called for each file and for pieces of files. */
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined;
  /** Limit for all files together. */
  readonly maxBytes?: number | undefined;
  /** Free space that stays on the disk. */
  readonly minFreeBytes?: number | undefined;
  /** Tests replace it. */
  readonly agentFor?: (...given: Parameters<typeof guardedAgent>) => Dispatcher;
  /** Tests replace it. */
  readonly pauseFor?: ((ms: number) => Promise<unknown>) | undefined;
}

const AT_ONCE = 4;
/** Between two pieces. A file as a whole can take longer. */
const SILENCE_MS = 30_000;
/** Slack's own limit, for files whose size the export does not say. */
const MAX_FILE_BYTES = 1 << 30;
const MAX_FAILURES = 1000;
/** If so many files in a row fail after all attempts, Slack or the network is down. */
const MAX_UNREACHABLE = 8;
/** After so many files in a row that the token cannot read, it may be revoked. */
const REFUSALS_BEFORE_CHECK = 10;
/** The same reserve for the log that uploads leave (media/files/stored-files.ts). */
const MIN_FREE_BYTES = 64 << 20;
const BUFFER_BYTES = 256 << 10;

/**
 * Fetches files into the folder. It skips files that are there, and continues interrupted ones. If Slack refuses a file,
 * the others follow.
 * @throws Failure if no other file can be fetched: the token is not valid, the disk is full, Slack does not respond, or
 * the files are too large. @throws the signal's reason.
 */
export async function fetchFiles(
  files: Iterable<WantedFile> | AsyncIterable<WantedFile>,
  options: FetchOptions,
): Promise<FetchResult> {
  const { folder, agentFor = guardedAgent } = options;
  const guard = {
    targets: { privateNetwork: false, listed: [] },
    owner: NO_OWNER,
    interfaces: networkInterfaces,
    lookups: new Lookups(),
    timeoutMs: POST_TIMEOUT_MS,
  };
  const agentOptions = { connections: AT_ONCE, headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS };
  const agent = agentFor(await import("undici"), guard, agentOptions);
  try {
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    return await new Fetching(agent, options).run(files);
  } catch (error) {
    const disk = fileProblem(withPath(error, folder));
    throw disk ? new Failure(disk, { cause: error }) : error;
  } finally {
    await agent.destroy();
  }
}

/** The path of a fetched file; undefined if the folder does not have it. */
export async function fetchedFile(folder: string, url: string): Promise<string | undefined> {
  const path = pathOf(folder, url);
  return (await sizeOf(path)) === undefined ? undefined : path;
}

const pathOf = (folder: string, url: string): string => join(folder, createHash("sha256").update(url).digest("hex"));

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await fs.stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

class Fetching {
  readonly #requests: SlackRequests;
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #minFreeBytes: number;
  readonly #onProgress: (progress: FetchProgress) => void;
  /** The first error of a worker stops the others. */
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  /** Paths. An export can have a URL many times. */
  readonly #seen = new Set<string>();
  readonly #failures: FetchFailure[] = [];
  #fetched = 0;
  #failed = 0;
  #bytes = 0;
  #unreachableInRow = 0;
  #refusedInRow = 0;
  #onDisk: Promise<unknown> = Promise.resolve();

  constructor(agent: Dispatcher, options: FetchOptions) {
    this.#folder = options.folder;
    this.#maxBytes = options.maxBytes ?? Number.POSITIVE_INFINITY;
    this.#minFreeBytes = options.minFreeBytes ?? MIN_FREE_BYTES;
    this.#onProgress = options.onProgress ?? (() => {});
    this.#signal = AbortSignal.any([this.#stop.signal, ...(options.signal ? [options.signal] : [])]);
    this.#requests = new SlackRequests(agent, { ...options, token: options.token, signal: this.#signal });
  }

  async run(files: Iterable<WantedFile> | AsyncIterable<WantedFile>): Promise<FetchResult> {
    const iterator = Symbol.asyncIterator in files ? files[Symbol.asyncIterator]() : files[Symbol.iterator]();
    const work = async () => {
      for (;;) {
        this.#signal.throwIfAborted();
        const next = await iterator.next();
        if (next.done) return;
        await this.#file(next.value);
        this.#onProgress(this.#progress);
      }
    };
    try {
      await this.#requests.checkToken();
      await Promise.all(Array.from({ length: AT_ONCE }, () => work().catch((error) => this.#stop.abort(error))));
    } finally {
      await iterator.return?.();
      this.#signal.throwIfAborted(); // its reason is the first error
    }
    await realFiles.syncFolderLater(this.#folder);
    return { ...this.#progress, failures: this.#failures };
  }

  get #progress(): FetchProgress {
    return { fetched: this.#fetched, failed: this.#failed, bytes: this.#bytes };
  }

  async #file({ url, size }: WantedFile): Promise<void> {
    const path = pathOf(this.#folder, url);
    if (this.#seen.has(path)) return;
    this.#seen.add(path);
    const present = await sizeOf(path);
    try {
      if (present !== undefined) this.#count(present);
      else await this.#requests.retried(() => this.#fetch(url, path, size));
      this.#fetched += 1;
      this.#unreachableInRow = 0;
      this.#refusedInRow = 0;
    } catch (error) {
      if (!(error instanceof PostFailed)) throw error;
      await this.#fail(url, error);
    }
  }

  async #fail(url: string, { problem: reason, again }: PostFailed): Promise<void> {
    this.#failed += 1;
    if (this.#failures.length < MAX_FAILURES) this.#failures.push({ url: withoutQuery(url), reason });
    this.#unreachableInRow = again ? this.#unreachableInRow + 1 : 0;
    if (this.#unreachableInRow === MAX_UNREACHABLE) throw new Failure(reason);
    if (reason.reason !== "slack_file_not_readable") return;
    this.#refusedInRow += 1;
    if (this.#refusedInRow % REFUSALS_BEFORE_CHECK === 0) await this.#requests.checkToken();
  }

  /** One attempt. */
  async #fetch(url: string, path: string, size: number | undefined): Promise<void> {
    if (!URL.canParse(url)) throw new PostFailed(problem("slack_url_foreign", { url: withoutQuery(url) }), false);
    const maxBytes = size === undefined ? MAX_FILE_BYTES : 2 * size + (1 << 20);
    const begun = await readInterrupted(path);
    const { statusCode, headers, body } = await this.#requests.get(new URL(url), { begun, size, maxBytes });
    let [start, total] = [0, lengthOf(headers)];
    if (begun && statusCode !== 200) {
      const range = rangeIn(headers);
      if (statusCode !== 206 || range.start !== begun.bytes || range.total !== begun.total) {
        await body.dump();
        await removeParts(path);
        return this.#fetch(url, path, size); // the file has changed
      }
      start = begun.bytes;
      total = begun.total;
      await fs.truncate(partOf(path), start);
    } else await removeParts(path);
    await this.#assertRoom((total ?? 0) - start);
    await this.#receive(path, received(body), { start, total, maxBytes, validator: validatorIn(headers) });
    await renameLater(partOf(path), path);
    if (begun) await removeLater(infoOf(path));
  }

  async #receive(
    path: string,
    source: AsyncIterable<Buffer>,
    { start, total, maxBytes, validator }: Receiving,
  ): Promise<void> {
    const file = this.#open(partOf(path), start);
    let bytes = start;
    this.#bytes += start;
    try {
      for await (const chunk of source) {
        bytes += chunk.length;
        this.#count(chunk.length);
        if (bytes > maxBytes) throw tooLarge(maxBytes);
        await file.append(chunk);
      }
      if (total !== undefined && bytes !== total) throw new PostFailed(problem("connection_closed"), true);
      await file.finish();
    } catch (error) {
      this.#bytes -= bytes;
      const isInterrupted = error instanceof PostFailed && error.again && total !== undefined && bytes < total;
      if (isInterrupted && bytes > 0) {
        await file.finish();
        await fs.writeFile(infoOf(path), encodeChecked({ bytes, total, validator } satisfies Interrupted));
      } else await file.abandon();
      throw error;
    }
  }

  #open(path: string, start: number): IncomingFile {
    const options = {
      open: fs.open,
      onDisk: <T>(operation: () => Promise<T>) => this.#inTurn(operation),
      mayStayOpen: () => true,
      bufferSize: () => BUFFER_BYTES,
      afterWrite: async () => this.#onProgress(this.#progress),
      afterFlush: () => this.#assertRoom(),
    };
    return new IncomingFile(path, options, start);
  }

  /** Node has four threads for files, and the log needs one. So these files use one together. */
  #inTurn<T>(operation: () => Promise<T>): Promise<T> {
    const result = this.#onDisk.then(operation);
    this.#onDisk = result.catch(() => {});
    return result;
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes)
      throw new Failure(problem("slack_files_too_large", { max: Math.floor(this.#maxBytes / (1 << 20)) }));
  }

  async #assertRoom(expected = 0): Promise<void> {
    const { bavail, bsize } = await fs.statfs(this.#folder);
    if (bavail * bsize - expected < this.#minFreeBytes) throw new Failure(problem("disk_full", { path: this.#folder }));
  }
}

interface Receiving {
  /** Bytes that are already there. */
  start: number;
  /** Size of the complete file. */
  total: number | undefined;
  maxBytes: number;
  validator: string | undefined;
}

/** Describes a part whose bytes are flushed. */
interface Interrupted {
  bytes: number;
  /** Size of the complete file. */
  total: number;
  validator?: string | undefined;
}

const partOf = (path: string): string => `${path}.part`;
const infoOf = (path: string): string => `${path}.info.part`;

async function readInterrupted(path: string): Promise<Interrupted | undefined> {
  const size = await sizeOf(partOf(path));
  if (size === undefined || (await sizeOf(infoOf(path))) === undefined) return undefined;
  const info = decodeChecked(await fs.readFile(infoOf(path))) as Interrupted | undefined;
  return info && info.bytes <= size ? info : undefined;
}

/** First the description, so that it never describes another part. */
async function removeParts(path: string): Promise<void> {
  await removeLater(infoOf(path));
  await removeLater(partOf(path));
}
