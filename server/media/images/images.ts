import { Worker } from "node:worker_threads";
import type {
  EmojiPicture,
  ImageAnswer,
  ImageInfo,
  ImageResults,
  ImageSource,
  ImageTask,
  Refusal,
  Thumbnail,
  ThumbnailFormat,
} from "./tasks.ts";

/** In the folder of this file, also in the bundle (main/vite.config.ts). */
const THREAD = new URL(import.meta.url.endsWith(".ts") ? "./image-thread.ts" : "./image-thread.js", import.meta.url);
/** Ten times the budget of header.ts, for slow and busy machines. Includes the start of the thread. */
const MAX_TASK_MS = 15_000;
/** An idle thread uses about 100 MB. */
const IDLE_MS = 30_000;
/** The limit of pending tasks per person. People take turns, so another person waits for at most one of these tasks. */
const MAX_WAITING_OF_PERSON = 10;
/** Limits of the thread's JavaScript heap. The decoder limits its own memory. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

/** A picture that cannot be used. */
export class ImageRefused extends Error {
  override readonly name = "ImageRefused";
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(`The picture is refused: ${refusal}.`);
    this.refusal = refusal;
  }
}

/** This person has too many pending pictures. The same picture can be tried later. */
export class ImagesBusy extends Error {
  override readonly name = "ImagesBusy";
}

/** The server is stopping. */
export class ImagesClosed extends Error {
  override readonly name = "ImagesClosed";
}

/** Starts threads, and receives intact threads that are idle. */
export interface ImageThreads {
  start(): Worker;
  release(thread: Worker): Promise<unknown>;
}

export interface ImagesTesting {
  maxTaskMs?: number;
  idleMs?: number;
  maxWaitingOfPerson?: number;
  threads?: ImageThreads;
}

/** The thread handles messages of tasks.ts, one at a time. */
export function startImageThread(): Worker {
  return new Worker(THREAD, { name: "images", resourceLimits: RESOURCE_LIMITS });
}

const OWN_THREADS: ImageThreads = { start: startImageThread, release: (thread) => thread.terminate() };

interface Job {
  readonly source: ImageSource;
  readonly task: ImageTask;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * Decodes untrusted pictures, one at a time, on its own thread (docs/architecture.md#pictures). People take turns;
 * `person` is a user's id, for a bot its owner's. The thread starts with the first picture. It ends after
 * half a minute without pictures, and when a picture takes too long or too much memory. Each method rejects with
 * ImageRefused, ImagesBusy or ImagesClosed.
 */
export class Images {
  readonly #maxTaskMs: number;
  readonly #idleMs: number;
  readonly #threads: ImageThreads;
  readonly #waiting: WaitingLine<Job>;
  #thread: Worker | undefined;
  #current: Job | undefined;
  /** Ends the current task, or the idle thread. */
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(testing: ImagesTesting = {}) {
    const { maxTaskMs = MAX_TASK_MS, idleMs = IDLE_MS, threads = OWN_THREADS } = testing;
    this.#maxTaskMs = maxTaskMs;
    this.#idleMs = idleMs;
    this.#waiting = new WaitingLine(testing.maxWaitingOfPerson ?? MAX_WAITING_OF_PERSON);
    this.#threads = threads;
  }

  /** For tests and measurements. */
  get isRunning(): boolean {
    return this.#thread !== undefined;
  }

  /** Reads the header; the rest may be broken. It goes before the person's longer tasks. */
  info(person: number, source: ImageSource): Promise<ImageInfo> {
    return this.#run(person, source, { kind: "info" });
  }

  thumbnail(person: number, source: ImageSource, to: ThumbnailFormat): Promise<Thumbnail> {
    return this.#run(person, source, { kind: "thumbnail", to });
  }

  /** PNGs of these sizes in pixels: the middle of the picture, enlarged if need be. */
  squares(person: number, source: ImageSource, sizes: readonly number[]): Promise<Uint8Array[]> {
    return this.#run(person, source, { kind: "squares", sizes });
  }

  /** A PNG of the whole picture that fits into this box; a smaller one keeps its size. */
  contained(person: number, source: ImageSource, box: { width: number; height: number }): Promise<Uint8Array> {
    return this.#run(person, source, { kind: "contained", ...box });
  }

  /** The whole picture in a square of 64 pixels. */
  emoji(person: number, source: ImageSource): Promise<EmojiPicture> {
    return this.#run(person, source, { kind: "emoji" });
  }

  /** Ends the thread immediately. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const isBusy = this.#current !== undefined;
    const thread = this.#detached();
    for (const job of [this.#current, ...this.#waiting.clear()]) job?.reject(new ImagesClosed("The server stops."));
    this.#current = undefined;
    if (thread) await (isBusy ? thread.terminate() : this.#threads.release(thread));
  }

  #run<K extends ImageTask["kind"]>(
    person: number,
    source: ImageSource,
    task: ImageTask & { kind: K },
  ): Promise<ImageResults[K]> {
    return new Promise<ImageResults[K]>((resolve, reject) => {
      if (this.#isClosed) throw new ImagesClosed("The server stops.");
      const job = { source, task, resolve: resolve as (result: unknown) => void, reject };
      const isLonger = (other: Job) => task.kind === "info" && other.task.kind !== "info";
      if (!this.#waiting.add(person, job, isLonger)) throw new ImagesBusy("Too many pictures are waiting.");
      this.#next();
    });
  }

  #next(): void {
    if (this.#current) return;
    clearTimeout(this.#timer);
    this.#current = this.#waiting.next();
    if (!this.#current) {
      this.#timer = setTimeout(() => this.#endThread(), this.#idleMs).unref();
      return;
    }
    this.#timer = setTimeout(() => this.#fail(new ImageRefused("too-slow")), this.#maxTaskMs);
    this.#thread ??= this.#startThread();
    const { source, task } = this.#current;
    this.#thread.postMessage({ source, task });
  }

  #startThread(): Worker {
    const thread = this.#threads.start();
    thread.on("message", (answer: ImageAnswer) => this.#answered(answer));
    // The heap was too small, or the decoder aborted.
    thread.on("error", () => this.#fail(new ImageRefused("too-large")));
    return thread;
  }

  #answered(answer: ImageAnswer): void {
    const job = this.#current;
    this.#current = undefined;
    // WebAssembly memory never shrinks.
    if (answer.hasGrown) this.#endThread();
    if ("refusal" in answer) job?.reject(new ImageRefused(answer.refusal));
    else job?.resolve(answer.result);
    this.#next();
  }

  /** Gives up the current picture and the thread. */
  #fail(error: Error): void {
    const job = this.#current;
    this.#current = undefined;
    this.#endThread();
    job?.reject(error);
    this.#next();
  }

  #endThread(): void {
    void this.#detached()?.terminate();
  }

  /** Detaches the thread, so that its later messages are ignored. */
  #detached(): Worker | undefined {
    clearTimeout(this.#timer);
    const thread = this.#thread;
    this.#thread = undefined;
    thread?.removeAllListeners("message");
    thread?.removeAllListeners("error");
    thread?.on("error", () => {});
    return thread;
  }
}

/** Jobs of people who take turns: after a job of one person, the others come first. */
export class WaitingLine<Job> {
  readonly #maxOfPerson: number;
  /** Jobs by person. */
  readonly #jobs = new Map<number, Job[]>();
  /** Counts turns, and has the latest turn of each person. */
  #turn = 0;
  readonly #latest = new Map<number, number>();

  constructor(maxOfPerson: number) {
    this.#maxOfPerson = maxOfPerson;
  }

  /** Adds a job before the person's own jobs for which `isLater`. Returns false if too many of them wait. */
  add(person: number, job: Job, isLater: (other: Job) => boolean): boolean {
    const own = this.#jobs.get(person) ?? [];
    if (own.length >= this.#maxOfPerson) return false;
    const position = own.findIndex(isLater);
    own.splice(position < 0 ? own.length : position, 0, job);
    this.#jobs.set(person, own);
    return true;
  }

  /** The first job of the person who has waited longest for a turn; undefined if there are no jobs. */
  next(): Job | undefined {
    const latest = (person: number) => this.#latest.get(person) ?? 0;
    const [person] = [...this.#jobs.keys()].sort((a, b) => latest(a) - latest(b));
    if (person === undefined) {
      this.#latest.clear();
      return undefined;
    }
    const [job, ...others] = this.#jobs.get(person) as Job[];
    if (others.length > 0) this.#jobs.set(person, others);
    else this.#jobs.delete(person);
    this.#turn += 1;
    this.#latest.set(person, this.#turn);
    return job;
  }

  clear(): Job[] {
    const all = [...this.#jobs.values()].flat();
    this.#jobs.clear();
    return all;
  }
}
