import { randomBytes } from "node:crypto";
import { chmodSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { takeLock } from "./lock.ts";
import type { FromThread, ThreadOptions, ToThread } from "./thread.ts";

/** Beside this file, also when both are bundled (main/vite.config.ts). */
const THREAD = import.meta.url.endsWith(".ts") ? "./thread.ts" : "./thread.js";
const PING_MS = 2000;
const SILENCE_MS = 20_000;
/** A stop ends within 3 s, whatever the thread does: what was acknowledged is on disk at every moment. */
const STOP_MS = 2000;
const BACK_OFF_MS = { first: 250, most: 10_000 };
/** A thread that has run this long was well; the next failure starts anew with the shortest wait. */
const WELL_MS = 60_000;

export interface HostOptions extends Omit<ThreadOptions, "hostToken"> {
  /** One line about what happened, for the log or the window. */
  report?: (line: string) => void;
  /** A restart was refused (damaged data, port taken): nothing more is tried. Where the disk failed, it is. */
  onGivenUp?: (message: string) => void;
  /** Ends the host, also while it is still starting; startHost rejects then. */
  signal?: AbortSignal;
  /** Times in milliseconds; for tests. */
  timing?: { ping?: number; silence?: number };
}

export interface Host {
  readonly url: string;
  /** The host's credential of this start, for `/host/…` and the window. */
  readonly token: string;
  /** How often the thread has been started again. */
  readonly restarts: number;
  /** Test hooks reach the thread only with `testHooks`. */
  tell(message: ToThread): void;
  stop(): Promise<void>;
}

/**
 * Runs the server on one worker thread, watches it, and starts it again when it ends or falls silent. Owns the data
 * folder's lock and `host.json` (url and token for the command line, readable by the owner only).
 *
 * Throws in words when the folder is in use or the first start is refused.
 */
export async function startHost(options: HostOptions): Promise<Host> {
  const { report = () => {}, onGivenUp = () => {}, signal, timing = {}, ...threadOptions } = options;
  const folder = options.dataFolder;
  const lock = takeLock(folder);
  const host = new RunningHost(
    { ...threadOptions, hostToken: randomBytes(32).toString("base64url") },
    lock,
    report,
    onGivenUp,
    timing,
  );
  try {
    chmodSync(folder, 0o700);
    rmSync(`${folder}/host.json`, { force: true }); // of a host that was killed
    signal?.throwIfAborted();
    signal?.addEventListener("abort", () => void host.stop(), { once: true });
    await host.start();
    return host;
  } catch (error) {
    await host.stop();
    throw error;
  }
}

class NotStarted extends Error {
  /** Whether what kept it from starting may pass by itself. */
  readonly again: boolean;
  constructor(message: string, again: boolean) {
    super(message);
    this.again = again;
  }
}

class RunningHost implements Host {
  url = "";
  restarts = 0;
  #options: ThreadOptions & { hostToken: string };
  readonly #lock: { release(): void };
  readonly #report: (line: string) => void;
  readonly #onGivenUp: (message: string) => void;
  readonly #ping: number;
  readonly #silence: number;
  #thread: Worker | undefined;
  /** Whether the thread of now has answered. */
  #ready = false;
  #stopping: Promise<void> | undefined;
  #backOff = BACK_OFF_MS.first;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    options: ThreadOptions & { hostToken: string },
    lock: { release(): void },
    report: (line: string) => void,
    onGivenUp: (message: string) => void,
    timing: { ping?: number; silence?: number },
  ) {
    this.#options = options;
    this.#lock = lock;
    this.#report = report;
    this.#onGivenUp = onGivenUp;
    this.#ping = timing.ping ?? PING_MS;
    this.#silence = timing.silence ?? SILENCE_MS;
  }

  get token(): string {
    return this.#options.hostToken;
  }

  /** One life of the thread: resolves when it answers, rejects when it has ended without. */
  start(): Promise<void> {
    const thread = new Worker(new URL(THREAD, import.meta.url), { workerData: this.#options });
    this.#thread = thread;
    this.#ready = false;
    const startedAt = Date.now();
    let refusal = new NotStarted("The server's thread ended before it was ready.", true);
    // Pings are counted, not seconds: a machine that wakes from sleep has not been silent.
    let unanswered = 0;
    const watch = setInterval(() => {
      // Recovery may keep a thread busy for long; only one that has answered before can fall silent.
      if (this.#ready && unanswered * this.#ping >= this.#silence) {
        this.#report(`The server has not answered for ${Math.round(this.#silence / 1000)} s. Starting it again.`);
        clearInterval(watch);
        void thread.terminate();
        return;
      }
      unanswered += 1;
      thread.postMessage("ping" satisfies ToThread);
    }, this.#ping);
    return new Promise((resolve, reject) => {
      thread.on("message", (message: FromThread) => {
        unanswered = 0;
        if (message.type === "ready") {
          this.#ready = true;
          for (const notice of message.notices) this.#report(notice);
          this.#announce(message.url);
          resolve();
        }
        if (message.type === "refused") {
          refusal = new NotStarted(message.message, message.again);
          void thread.terminate();
        }
      });
      thread.on("error", (error) =>
        this.#report(`The server's thread ended: ${error instanceof Error ? error.stack : error}`),
      );
      thread.on("exit", () => {
        clearInterval(watch);
        this.#thread = undefined;
        reject(refusal);
        if (!this.#ready || this.#stopping) return;
        if (Date.now() - startedAt > WELL_MS) this.#backOff = BACK_OFF_MS.first;
        this.#restart();
      });
    });
  }

  #restart(): void {
    this.#timer = setTimeout(() => {
      this.restarts += 1;
      this.start().catch((error: NotStarted) => {
        if (this.#stopping) return;
        this.#report(error.message);
        if (error.again) this.#restart();
        else this.#onGivenUp(error.message);
      });
    }, this.#backOff);
    this.#backOff = Math.min(this.#backOff * 2, BACK_OFF_MS.most);
  }

  #announce(url: string): void {
    this.url = url;
    // After a restart clients must find the same port again.
    this.#options = { ...this.#options, port: Number(new URL(url).port) };
    const path = `${this.#options.dataFolder}/host.json`;
    writeFileSync(`${path}.new`, JSON.stringify({ url, token: this.token, pid: process.pid }), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }

  tell(message: ToThread): void {
    this.#thread?.postMessage(message);
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#timer);
    const thread = this.#thread;
    if (thread) {
      await new Promise<void>((resolve) => {
        // One that is still starting has nothing to finish.
        const late = setTimeout(() => void thread.terminate(), this.#ready ? STOP_MS : 0);
        thread.once("exit", () => {
          clearTimeout(late);
          resolve();
        });
        thread.postMessage("stop" satisfies ToThread);
      });
    }
    rmSync(`${this.#options.dataFolder}/host.json`, { force: true });
    this.#lock.release();
  }
}
