import { randomBytes } from "node:crypto";
import { chmodSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { takeLock } from "./lock.ts";
import type { FromThread, ThreadOptions, ToThread } from "./thread.ts";

const PING_MS = 2000;
const SILENCE_MS = 20_000;
/** A stop ends within 3 s, whatever the thread does: what was acknowledged is on disk at every moment. */
const STOP_MS = 2500;
const BACK_OFF_MS = { first: 250, most: 10_000 };
/** A thread that has run this long was well; the next failure starts anew with the shortest wait. */
const WELL_MS = 60_000;

export interface HostOptions extends Omit<ThreadOptions, "hostToken"> {
  /** One line about what happened, for the log or the window. */
  report?: (line: string) => void;
  /** A restart was refused (damaged data, port taken): nothing more is tried. */
  onGivenUp?: (message: string) => void;
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
  const { report = () => {}, onGivenUp = report, timing = {}, ...threadOptions } = options;
  const folder = options.dataFolder;
  const lock = takeLock(folder);
  try {
    chmodSync(folder, 0o700);
    const host = new RunningHost(
      { ...threadOptions, hostToken: randomBytes(32).toString("base64url") },
      lock,
      report,
      onGivenUp,
      timing,
    );
    await host.start();
    return host;
  } catch (error) {
    lock.release();
    throw error;
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

  /** One life of the thread: resolves when it answers, rejects when it refuses to start. */
  start(): Promise<void> {
    const thread = new Worker(new URL("./thread.ts", import.meta.url), { workerData: this.#options });
    this.#thread = thread;
    const startedAt = Date.now();
    let heardAt = Date.now();
    let ready = false;
    const watch = setInterval(() => {
      thread.postMessage("ping" satisfies ToThread);
      // Recovery may keep a thread busy for long; only one that has answered before can fall silent.
      if (!ready || Date.now() - heardAt < this.#silence) return;
      this.#report(`The server has not answered for ${Math.round(this.#silence / 1000)} s. Starting it again.`);
      clearInterval(watch);
      void thread.terminate();
    }, this.#ping);
    return new Promise((resolve, reject) => {
      thread.on("message", (message: FromThread) => {
        heardAt = Date.now();
        if (message.type === "ready") {
          ready = true;
          for (const notice of message.notices) this.#report(notice);
          this.#announce(message.url);
          resolve();
        }
        if (message.type === "refused") reject(new Error(message.message));
      });
      thread.on("error", (error) =>
        this.#report(`The server's thread ended: ${error instanceof Error ? error.stack : error}`),
      );
      thread.on("exit", () => {
        clearInterval(watch);
        if (this.#thread === thread) this.#thread = undefined;
        reject(new Error("The server's thread ended before it was ready."));
        if (!ready || this.#stopping) return;
        if (Date.now() - startedAt > WELL_MS) this.#backOff = BACK_OFF_MS.first;
        this.#restart();
      });
    });
  }

  #restart(): void {
    this.#timer = setTimeout(() => {
      this.restarts += 1;
      this.start().catch((error: Error) => {
        this.#report(error.message);
        this.#onGivenUp(error.message);
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
        const late = setTimeout(() => void thread.terminate(), STOP_MS);
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
