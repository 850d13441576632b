import { randomBytes } from "node:crypto";
import { chmodSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { takeDataFolder } from "./data-folder.ts";
import type { FromThread, ThreadOptions, ThreadTesting, ToThread } from "./thread.ts";

/** Beside this file, also when both are bundled (main/vite.config.ts). */
const THREAD = import.meta.url.endsWith(".ts") ? "./thread.ts" : "./thread.js";
const PING_MS = 2000;
const SILENCE_MS = 20_000;
/** A stop ends within 3 s, whatever the thread does: what was acknowledged is on disk at every moment. */
const STOP_MS = 2000;
const BACK_OFF_MS = { first: 250, most: 10_000 };
/** A thread that has run this long was well; the next failure starts anew with the shortest wait. */
const WELL_MS = 60_000;
/** At a restart another program may have the port for a moment. */
const PORT_PATIENCE_MS = 30_000;

/** First run; the server; neither for a moment; neither for good. */
export type SupervisorState = "setup" | "running" | "restarting" | "stopped";

export interface SupervisorOptions extends Omit<ThreadOptions, "operatorToken" | "testing"> {
  /** One line about what happened, for the log or the window. */
  report?: (line: string) => void;
  /** A restart was refused (damaged data, port taken): nothing more is tried. Where the disk failed, it is. */
  onGivenUp?: (message: string) => void;
  /** Called at each change, from the first answer on. */
  onState?: (state: SupervisorState) => void;
  /** Ends the host, also while it is still starting; startHost rejects then. */
  signal?: AbortSignal;
  testing?: SupervisorTesting | undefined;
}

/** What tests change in the supervisor, beside its thread. */
export interface SupervisorTesting extends ThreadTesting {
  /** In milliseconds. */
  timing?: Partial<Timing>;
}

interface Timing {
  ping: number;
  /** The supervisor starts a thread again that has answered no ping for this long. */
  silence: number;
  /** How long a restart waits for its port. */
  portPatience: number;
}

export interface Supervisor {
  readonly url: string;
  /** The host's credential of this start of the thread, for `/host/…` and the window. */
  readonly token: string;
  /** How often the thread has been started again. */
  readonly restarts: number;
  readonly state: SupervisorState;
  /** In first run with `setup: "code"`: who knows it may make the organization, from this machine. */
  readonly setupCode: string | undefined;
  /** The thread obeys messages from tests only with `testing.hooks`. */
  send(message: ToThread): void;
  stop(): Promise<void>;
}

/**
 * Runs the server on one worker thread, watches it, and starts it again when it ends or falls silent. Owns the data
 * folder's lock and `host.json` (url and token for the command line, readable by the owner only).
 *
 * Throws in words: FolderInUse, what is wrong with the folder, or NotStarted when the first start is refused.
 */
export async function startSupervisor(options: SupervisorOptions): Promise<Supervisor> {
  const {
    report = () => {},
    onGivenUp = () => {},
    onState = () => {},
    signal,
    testing: { timing = {}, ...threadTesting } = {},
    ...threadOptions
  } = options;
  const folder = options.dataFolder;
  const lock = takeDataFolder(folder);
  const host = new RunningSupervisor(
    { ...threadOptions, testing: threadTesting, operatorToken: newToken() },
    lock,
    { report, onGivenUp, onState },
    { ping: PING_MS, silence: SILENCE_MS, portPatience: PORT_PATIENCE_MS, ...timing },
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

/** The thread could not begin its work, and says why. */
export class NotStarted extends Error {
  override readonly name = "NotStarted";
  /** Whether what kept it from starting may pass by itself. */
  readonly again: boolean;
  /** The system's own, where it was the system that refused: EADDRINUSE, EACCES. */
  readonly code: string | undefined;
  constructor(message: string, again: boolean, code?: string) {
    super(message);
    this.again = again;
    this.code = code;
  }
}

const newToken = (): string => randomBytes(32).toString("base64url");

interface Listeners {
  report: (line: string) => void;
  onGivenUp: (message: string) => void;
  onState: (state: SupervisorState) => void;
}

class RunningSupervisor implements Supervisor {
  url = "";
  restarts = 0;
  setupCode: string | undefined;
  #state: SupervisorState | undefined;
  #options: ThreadOptions & { operatorToken: string };
  readonly #lock: { release(): void };
  readonly #listeners: Listeners;
  readonly #report: (line: string) => void;
  readonly #timing: Timing;
  #thread: Worker | undefined;
  /** Whether the thread of now has answered. */
  #ready = false;
  #stopping: Promise<void> | undefined;
  #backOff = BACK_OFF_MS.first;
  #timer: NodeJS.Timeout | undefined;
  /** Since when restarts have found the port taken. */
  #portTakenSince: number | undefined;

  constructor(
    options: ThreadOptions & { operatorToken: string },
    lock: { release(): void },
    listeners: Listeners,
    timing: Timing,
  ) {
    this.#options = options;
    this.#lock = lock;
    this.#listeners = listeners;
    this.#report = listeners.report;
    this.#timing = timing;
  }

  get state(): SupervisorState {
    return this.#state ?? "stopped";
  }

  #become(state: SupervisorState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#listeners.onState(state);
  }

  get token(): string {
    return this.#options.operatorToken;
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
      if (this.#ready && unanswered * this.#timing.ping >= this.#timing.silence) {
        this.#report(
          `The server has not answered for ${Math.round(this.#timing.silence / 1000)} s. Starting it again.`,
        );
        clearInterval(watch);
        void thread.terminate();
        return;
      }
      unanswered += 1;
      thread.postMessage("ping" satisfies ToThread);
    }, this.#timing.ping);
    return new Promise((resolve, reject) => {
      thread.on("message", (message: FromThread) => {
        unanswered = 0;
        if (message.type === "ready") {
          this.#ready = true;
          this.#portTakenSince = undefined;
          for (const notice of message.notices) this.#report(notice);
          this.#announce(message.url);
          if (message.state === "running") this.#leaveFirstRun();
          if (!this.#stopping) this.#become(message.state);
          resolve();
        }
        if (message.type === "setup code") this.#keepCode(message.code);
        if (message.type === "refused") {
          refusal = new NotStarted(message.message, message.again, message.code);
          if (this.#ready) this.#report(message.message); // between first run and the server
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
        this.#become("restarting");
        this.#restart();
      });
    });
  }

  #restart(): void {
    this.#timer = setTimeout(() => {
      this.restarts += 1;
      // While the thread was away anybody could listen at its port: what was sent there opens nothing from now on.
      this.#options = { ...this.#options, operatorToken: newToken() };
      this.start().catch((error: NotStarted) => {
        if (this.#stopping) return;
        this.#report(error.message);
        if (error.again || this.#mayPortBecomeFree(error)) return this.#restart();
        this.#become("stopped");
        this.#listeners.onGivenUp(error.message);
      });
    }, this.#backOff);
    this.#backOff = Math.min(this.#backOff * 2, BACK_OFF_MS.most);
  }

  #mayPortBecomeFree({ code }: NotStarted): boolean {
    if (code !== "EADDRINUSE") return false;
    this.#portTakenSince ??= Date.now();
    return Date.now() - this.#portTakenSince < this.#timing.portPatience;
  }

  /** The first is told by whoever started the host, who knows what for. */
  #keepCode(code: string): void {
    const before = this.setupCode;
    this.setupCode = code;
    if (before !== undefined) this.#report(`The code for making the organization has changed: it is ${code} now.`);
  }

  /** From now on a folder without an organization is one that has lost it: a restart there must not offer a new one. */
  #leaveFirstRun(): void {
    this.setupCode = undefined;
    const { setup: _, ...options } = this.#options;
    this.#options = options;
  }

  #announce(url: string): void {
    this.url = url;
    // After a restart clients must find the same port again.
    this.#options = { ...this.#options, port: Number(new URL(url).port) };
    const path = `${this.#options.dataFolder}/host.json`;
    try {
      writeFileSync(`${path}.new`, JSON.stringify({ url, token: this.token, pid: process.pid }), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    } catch (error) {
      // A full disk, or a folder that was moved away: those who chat need no host.json.
      this.#report(`The command line cannot reach this server: ${(error as Error).message}`);
    }
  }

  send(message: ToThread): void {
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
    const hostFile = `${this.#options.dataFolder}/host.json`;
    for (const remove of [() => rmSync(hostFile, { force: true }), () => this.#lock.release()]) {
      try {
        remove();
      } catch (error) {
        this.#report(`${(error as Error).message}: left behind, and no hindrance to the next start.`);
      }
    }
    if (this.#state !== undefined) this.#become("stopped");
  }
}
