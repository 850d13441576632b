import { setFlagsFromString } from "node:v8";
import { SHARE_ENV, Worker, type WorkerOptions } from "node:worker_threads";
import { Failure, type Problem, problem, problemOf, problemText } from "../../errors.ts";
import type { RestoreRequest } from "../backups/restores.ts";
import type { OrganizationSummary } from "../operator/state-feed.ts";
import type { FromThread, ThreadOptions, ToThread } from "./thread.ts";

/** In the same folder as this file, also after bundling (main/vite.config.ts). */
export const THREAD = new URL(import.meta.url.endsWith(".ts") ? "./thread.ts" : "./thread.js", import.meta.url);
/**
 * Megabytes for young objects in the server's thread. V8 starts with 0.5 and doubles it, so it would copy the long-lived
 * objects of a start repeatedly.
 */
const ROOM_AT_FIRST = 16;

let prepared: Worker | undefined;

/**
 * Starts the server's thread before its options are known. It loads the server while this thread loads the command line.
 * Does not keep the process alive.
 */
export function prepareThread(): void {
  const worker = startThread(THREAD, { env: SHARE_ENV });
  const discard = () => {
    if (prepared === worker) prepared = undefined;
  };
  worker.once("error", discard).once("exit", discard); // the next thread fails in the same way and reports it
  worker.unref();
  prepared = worker;
}

/** A thread that runs this file. It expects ThreadOptions as its first message. */
function takeThread(file: URL): Worker {
  if (!prepared || file.href !== THREAD.href) return startThread(file);
  const worker = prepared;
  prepared = undefined;
  worker.ref();
  return worker;
}

/** V8 has no such option per thread. Its flag applies to threads that start while it is set. */
function startThread(file: URL, options?: WorkerOptions): Worker {
  const setRoom = (megabytes: number) => setFlagsFromString(`--min-semi-space-size=${megabytes}`);
  setRoom(ROOM_AT_FIRST);
  return new Worker(file, options).once("online", () => setRoom(0));
}

/** A thread that takes longer is killed. All acknowledged changes are on disk anyway. */
const STOP_MS = 2000;
/** After this run time, the next failure starts with the shortest back-off again. */
const HEALTHY_MS = 60_000;

export class NotStarted extends Failure {
  override readonly name = "NotStarted";
  /** Whether a later attempt may succeed. */
  readonly retryable: boolean;
  /** The code of a system error: EADDRINUSE, EACCES. */
  readonly code: string | undefined;
  constructor(problem: Problem, retryable: boolean, code?: string) {
    super(problem);
    this.retryable = retryable;
    this.code = code;
  }
}

/** Milliseconds. */
export interface ThreadTiming {
  ping: number;
  /** Kills a thread that has not responded to pings for this time. */
  silence: number;
}

export type ThreadReady = Extract<FromThread, { type: "ready" }>;

export interface ThreadEnd {
  problem: Problem;
  wasReady: boolean;
  wasHealthy: boolean;
}

export interface ThreadListeners {
  /** Twice in first run: see FromThread. */
  onReady(message: ThreadReady): void;
  onSummary(summary: OrganizationSummary): void;
  onSetupCode(code: string): void;
  onRestore(request: RestoreRequest): void;
  /** Called with one line. */
  onProblem(line: string): void;
  onEnd(end: ThreadEnd): void;
}

/** The thread of a server. Pings it, and kills it when it no longer responds. */
export class ServerThread {
  /** Rejects if the thread ends before it is ready. */
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #timing: ThreadTiming;
  readonly #listeners: ThreadListeners;
  readonly #watch: NodeJS.Timeout;
  readonly #startedAt = performance.now();
  #isReady = false;
  #serves = false;
  #failure = new NotStarted(problem("server_not_ready"), true);
  #problem: Problem | undefined;
  /** Counts pings instead of seconds, so that sleep of the machine does not count. */
  #unanswered = 0;
  /** Callers of `isAlive`, in the order of their messages. */
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
        this.#failed(problemOf(error));
        listeners.onProblem(`The server's thread ended: ${error instanceof Error ? error.stack : error}`);
      });
      this.#worker.on("exit", () => {
        this.#ended();
        reject(this.#failure);
      });
    });
  }

  /** Whether it serves an organization and has not failed, so that it can log. */
  get serves(): boolean {
    return this.#serves;
  }

  #ping(): void {
    // Recovery can block a thread for long, so silence counts only when the thread is ready.
    if (this.#isReady && this.#unanswered * this.#timing.ping >= this.#timing.silence) {
      const silent = problem("server_silent", { count: Math.round(this.#timing.silence / 1000) });
      this.#failed(silent);
      this.#listeners.onProblem(`${problemText(silent)} Starting it again.`);
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
      this.send("ping"); // the response has the first summary
    }
    if (message.type === "pong" && message.summary) this.#listeners.onSummary(message.summary);
    if (message.type === "alive") this.#askingWhetherAlive.shift()?.(true);
    if (message.type === "failed") {
      this.#failed(message.problem);
      this.#listeners.onProblem(problemText(message.problem));
    }
    if (message.type === "restore") this.#listeners.onRestore(message.request);
    if (message.type === "setup code") this.#listeners.onSetupCode(message.code);
    if (message.type === "not started") {
      this.#failure = new NotStarted(message.problem, message.retryable, message.code);
      if (this.#isReady) this.#listeners.onProblem(problemText(message.problem)); // between first run and the server
      void this.#worker.terminate();
    }
  }

  /** The thread is about to end. The next thread logs the reason. */
  #failed(problem: Problem): void {
    this.#serves = false;
    this.#problem = problem;
  }

  #ended(): void {
    clearInterval(this.#watch);
    this.#serves = false;
    for (const answer of this.#askingWhetherAlive.splice(0)) answer(false);
    this.#listeners.onEnd({
      problem: this.#problem ?? (this.#isReady ? problem("server_thread_ended") : this.#failure.problem),
      wasReady: this.#isReady,
      wasHealthy: this.#isReady && performance.now() - this.#startedAt > HEALTHY_MS,
    });
  }

  send(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  /** Whether the thread is alive at some moment after this call. Waits while the thread is busy. */
  isAlive(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#askingWhetherAlive.push(resolve);
      this.send("alive?");
    });
  }

  /** Lets the thread finish, within two seconds. */
  async end(): Promise<void> {
    await new Promise<void>((resolve) => {
      // A starting thread has nothing to finish.
      const timeout = setTimeout(() => void this.#worker.terminate(), this.#isReady ? STOP_MS : 0);
      this.#worker.once("exit", () => {
        clearTimeout(timeout);
        resolve();
      });
      this.send("stop");
    });
  }
}
