import { setFlagsFromString } from "node:v8";
import { SHARE_ENV, Worker, type WorkerOptions } from "node:worker_threads";
import type { RestoreRequest } from "../backups/restores.ts";
import type { OrganizationSummary } from "../operator/state-feed.ts";
import type { FromThread, ThreadOptions, ToThread } from "./thread.ts";

/** In the same folder as this file, also after bundling (main/vite.config.ts). */
export const THREAD = new URL(import.meta.url.endsWith(".ts") ? "./thread.ts" : "./thread.js", import.meta.url);
/**
 * Megabytes for new objects in the server's thread from its beginning. V8 begins with half of one and doubles it, and so
 * copies what a start makes, which stays, again and again.
 */
const ROOM_AT_FIRST = 16;

let prepared: Worker | undefined;

/**
 * Begins the server's thread before it is known what it is to serve: it loads the server while this thread loads the
 * command line, whose environment it shares. It does not keep the process from ending.
 */
export function prepareThread(): void {
  const worker = startThread(THREAD, { env: SHARE_ENV });
  const discard = () => {
    if (prepared === worker) prepared = undefined;
  };
  worker.once("error", discard).once("exit", discard); // another one fails in the same way, and tells
  worker.unref();
  prepared = worker;
}

/** A thread that loads this file, or has loaded it. Its first message is its ThreadOptions. */
function takeThread(file: URL): Worker {
  if (!prepared || file.href !== THREAD.href) return startThread(file);
  const worker = prepared;
  prepared = undefined;
  worker.ref();
  return worker;
}

/** V8 has no such option for one thread: its flag counts for those that begin while it is set. */
function startThread(file: URL, options?: WorkerOptions): Worker {
  const setRoom = (megabytes: number) => setFlagsFromString(`--min-semi-space-size=${megabytes}`);
  setRoom(ROOM_AT_FIRST);
  return new Worker(file, options).once("online", () => setRoom(0));
}

/** Stopping takes at most 3 s, whatever the thread does: all acknowledged changes are always on disk. */
const STOP_MS = 2000;
/** After a thread has run this long, the next failure starts with the shortest back-off again. */
const HEALTHY_MS = 60_000;

/** The thread could not start; the message says why. */
export class NotStarted extends Error {
  override readonly name = "NotStarted";
  /** Whether the cause may disappear by itself. */
  readonly retryable: boolean;
  /** The code of a system error: EADDRINUSE, EACCES. */
  readonly code: string | undefined;
  constructor(message: string, retryable: boolean, code?: string) {
    super(message);
    this.retryable = retryable;
    this.code = code;
  }
}

/** Milliseconds. */
export interface ThreadTiming {
  ping: number;
  /** A thread that has answered no ping for this long is ended. */
  silence: number;
}

export type ThreadReady = Extract<FromThread, { type: "ready" }>;

export interface ThreadEnd {
  /** In one line. */
  reason: string;
  wasReady: boolean;
  wasHealthy: boolean;
}

export interface ThreadListeners {
  /** Twice in first run: see FromThread. */
  onReady(message: ThreadReady): void;
  onSummary(summary: OrganizationSummary): void;
  onSetupCode(code: string): void;
  onRestore(request: RestoreRequest): void;
  /** Called with one line about what went wrong. */
  onProblem(line: string): void;
  onEnd(end: ThreadEnd): void;
}

/** One thread that a server runs on, from its start to its end. It is pinged, and ended when it stops answering. */
export class ServerThread {
  /** Resolves when it is ready, and rejects if it ends before that. */
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #timing: ThreadTiming;
  readonly #listeners: ThreadListeners;
  readonly #watch: NodeJS.Timeout;
  readonly #startedAt = performance.now();
  #isReady = false;
  #serves = false;
  #failure = new NotStarted("The server's thread ended before it was ready.", true);
  #reason: string | undefined;
  /** Counts pings, not seconds: a machine that wakes from sleep was not silent. */
  #unanswered = 0;
  /** Those that wait for it to say that it lives, in the order in which they asked it. */
  #askingWhetherAlive: ((isAlive: boolean) => void)[] = [];

  constructor(file: URL, options: ThreadOptions, timing: ThreadTiming, listeners: ThreadListeners) {
    this.#worker = takeThread(file);
    this.#worker.postMessage(options);
    this.#timing = timing;
    this.#listeners = listeners;
    this.#watch = setInterval(() => this.#ping(), timing.ping);
    this.ready = new Promise((resolve, reject) => {
      this.#worker.on("message", (message: FromThread) => {
        this.#hear(message);
        if (message.type === "ready") resolve();
      });
      this.#worker.on("error", (error) => {
        this.#failed(error instanceof Error ? error.message : String(error));
        listeners.onProblem(`The server's thread ended: ${error instanceof Error ? error.stack : error}`);
      });
      this.#worker.on("exit", () => {
        this.#ended();
        reject(this.#failure);
      });
    });
  }

  /** Whether it serves an organization, and has not failed: what it is told to log is logged. */
  get serves(): boolean {
    return this.#serves;
  }

  #ping(): void {
    // Recovery may block a thread for long, so silence counts only after it was ready.
    if (this.#isReady && this.#unanswered * this.#timing.ping >= this.#timing.silence) {
      const reason = `The server has not answered for ${Math.round(this.#timing.silence / 1000)} s.`;
      this.#failed(reason);
      this.#listeners.onProblem(`${reason} Starting it again.`);
      clearInterval(this.#watch);
      void this.#worker.terminate();
      return;
    }
    this.#unanswered += 1;
    this.send("ping");
  }

  #hear(message: FromThread): void {
    this.#unanswered = 0;
    if (message.type === "ready") {
      this.#isReady = true;
      this.#serves = message.state === "running";
      this.#listeners.onReady(message);
      this.send("ping"); // its answer has the first summary
    }
    if (message.type === "pong" && message.summary) this.#listeners.onSummary(message.summary);
    if (message.type === "alive") this.#askingWhetherAlive.shift()?.(true);
    if (message.type === "failed") {
      this.#failed(message.message);
      this.#listeners.onProblem(message.message);
    }
    if (message.type === "restore") this.#listeners.onRestore(message.request);
    if (message.type === "setup code") this.#listeners.onSetupCode(message.code);
    if (message.type === "not started") {
      this.#failure = new NotStarted(message.message, message.retryable, message.code);
      if (this.#isReady) this.#listeners.onProblem(message.message); // between first run and the server
      void this.#worker.terminate();
    }
  }

  /** It is about to end, and the next one logs why. */
  #failed(reason: string): void {
    this.#serves = false;
    this.#reason = reason;
  }

  #ended(): void {
    clearInterval(this.#watch);
    this.#serves = false;
    for (const answer of this.#askingWhetherAlive.splice(0)) answer(false);
    this.#listeners.onEnd({
      reason: this.#reason ?? (this.#isReady ? "The server's thread ended." : this.#failure.message),
      wasReady: this.#isReady,
      wasHealthy: this.#isReady && performance.now() - this.#startedAt > HEALTHY_MS,
    });
  }

  send(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  /** Whether it lives at some moment after this call. Takes as long as it is busy. */
  isAlive(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#askingWhetherAlive.push(resolve);
      this.send("alive?");
    });
  }

  /** Lets it finish what it does, for two seconds at most. */
  async end(): Promise<void> {
    await new Promise<void>((resolve) => {
      // A thread that is still starting has nothing to finish.
      const timeout = setTimeout(() => void this.#worker.terminate(), this.#isReady ? STOP_MS : 0);
      this.#worker.once("exit", () => {
        clearTimeout(timeout);
        resolve();
      });
      this.send("stop");
    });
  }
}
