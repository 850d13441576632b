import { randomBytes } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { OrganizationSummary } from "../operator/state-feed.ts";
import { takeDataFolder } from "./data-folder.ts";
import type { Lock } from "./lock.ts";
import type { FromThread, ThreadOptions, ThreadTesting, ToThread } from "./thread.ts";

/** Of those that wait for the next start. */
const MAX_UNLOGGED = 100;
/** In the same folder as this file, also after bundling (main/vite.config.ts). */
const THREAD = new URL(import.meta.url.endsWith(".ts") ? "./thread.ts" : "./thread.js", import.meta.url);
const PING_MS = 2000;
const SILENCE_MS = 20_000;
/** Stopping takes at most 3 s, whatever the thread does: all acknowledged changes are always on disk. */
const STOP_MS = 2000;
const BACK_OFF_MS = { first: 250, max: 10_000 };
/** After a thread has run this long, the next failure starts with the shortest back-off again. */
const HEALTHY_MS = 60_000;
/** Another program may take the port for a moment during a restart. */
const PORT_PATIENCE_MS = 30_000;

/** First run, the server, briefly neither, or permanently neither. */
export type SupervisorState = "setup" | "running" | "restarting" | "stopped";

export interface SupervisorOptions extends Omit<ThreadOptions, "operatorToken" | "testing"> {
  /** Called with one line for the log or the window. */
  report?: (line: string) => void;
  /** Called when a restart fails for good (damaged data, port taken). After disk errors restarts continue. */
  onGivenUp?: (message: string) => void;
  /** Called every two seconds while an organization is served. */
  onSummary?: (summary: OrganizationSummary) => void;
  /** Called at each change of state, starting with the first success. */
  onState?: (state: SupervisorState) => void;
  /** Stops the supervisor, also during the start: startSupervisor then rejects. */
  signal?: AbortSignal;
  testing?: SupervisorTesting | undefined;
}

/** What tests change in the supervisor, beside its thread. */
export interface SupervisorTesting extends ThreadTesting {
  /** In milliseconds. */
  timing?: Partial<Timing>;
  /** Another file of the thread, for example the built one. */
  thread?: URL;
}

interface Timing {
  ping: number;
  /** The supervisor starts a thread again that has answered no ping for this long. */
  silence: number;
  /** How long a restart waits for its port. */
  portPatience: number;
}

/** What keeps the server from answering. */
export interface Trouble {
  /** The cause in one line. */
  readonly reason: string;
  /** How many threads have ended in a row, each before it had run for a minute. */
  readonly failures: number;
}

export interface Supervisor {
  readonly url: string;
  /** The operator's token for this start of the thread, for `/host/…` and the window. */
  readonly token: string;
  /** Number of restarts of the thread. */
  readonly restarts: number;
  readonly state: SupervisorState;
  /** Why the last thread ended; undefined while one answers. */
  readonly trouble: Trouble | undefined;
  /** The code that permits making the organization from this machine, in first run with `setup: "code"`. */
  readonly setupCode: string | undefined;
  /** The thread obeys messages from tests only with `testing.hooks`. */
  send(message: ToThread): void;
  /** Starts a thread that has ended again at once, without the pause after a failure. */
  startNow(): void;
  stop(): Promise<void>;
}

/**
 * Runs the server on a worker thread, and restarts it when it ends or stops answering. Owns the data folder's lock and
 * `host.json` (URL and token for the command line, readable by its owner only). See
 * docs/architecture.md#the-thread-and-its-supervisor.
 *
 * Throws errors for users: FolderInUse, a problem with the folder, or NotStarted if the first start fails.
 */
export async function startSupervisor(options: SupervisorOptions): Promise<Supervisor> {
  const {
    report = () => {},
    onGivenUp = () => {},
    onState = () => {},
    onSummary = () => {},
    signal,
    testing: { timing = {}, thread = THREAD, ...threadTesting } = {},
    ...threadOptions
  } = options;
  const folder = options.dataFolder;
  const lock = await takeDataFolder(folder, { report, signal });
  const supervisor = new RunningSupervisor(
    { ...threadOptions, testing: threadTesting, operatorToken: newToken() },
    lock,
    thread,
    { report, onGivenUp, onState, onSummary },
    { ping: PING_MS, silence: SILENCE_MS, portPatience: PORT_PATIENCE_MS, ...timing },
  );
  try {
    rmSync(`${folder}/host.json`, { force: true }); // left by a killed server
    signal?.throwIfAborted();
    signal?.addEventListener("abort", () => void supervisor.stop(), { once: true });
    await supervisor.start();
    return supervisor;
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}

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

const newToken = (): string => randomBytes(32).toString("base64url");

interface Listeners {
  report: (line: string) => void;
  onGivenUp: (message: string) => void;
  onState: (state: SupervisorState) => void;
  onSummary: (summary: OrganizationSummary) => void;
}

class RunningSupervisor implements Supervisor {
  url = "";
  restarts = 0;
  setupCode: string | undefined;
  trouble: Trouble | undefined;
  #failures = 0;
  #state: SupervisorState | undefined;
  #options: ThreadOptions & { operatorToken: string };
  readonly #lock: Lock;
  readonly #file: URL;
  readonly #listeners: Listeners;
  readonly #report: (line: string) => void;
  /** What was reported while no server ran that could write it into its log. */
  #unlogged: readonly string[] = [];
  readonly #timing: Timing;
  #thread: Worker | undefined;
  /** Whether the current thread has started successfully. */
  #ready = false;
  /** Whether the current thread serves an organization. */
  #serves = false;
  #stopping: Promise<void> | undefined;
  #backOff = BACK_OFF_MS.first;
  #timer: NodeJS.Timeout | undefined;
  /** The time of the first restart that found the port taken. */
  #portTakenSince: number | undefined;

  constructor(
    options: ThreadOptions & { operatorToken: string },
    lock: Lock,
    file: URL,
    listeners: Listeners,
    timing: Timing,
  ) {
    this.#options = options;
    this.#lock = lock;
    this.#file = file;
    this.#listeners = listeners;
    this.#report = (line) => {
      listeners.report(line);
      this.#unlogged = [...this.#unlogged, line].slice(-MAX_UNLOGGED);
      this.#logReports();
    };
    this.#timing = timing;
  }

  get state(): SupervisorState {
    return this.#state ?? "stopped";
  }

  #setState(state: SupervisorState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#listeners.onState(state);
  }

  get token(): string {
    return this.#options.operatorToken;
  }

  /** Starts a thread; resolves when it is ready, and rejects if it ends before that. */
  start(): Promise<void> {
    const thread = new Worker(this.#file, { workerData: this.#options });
    this.#thread = thread;
    this.#ready = false;
    const startedAt = Date.now();
    let failure = new NotStarted("The server's thread ended before it was ready.", true);
    let reason: string | undefined;
    // Counts pings, not seconds: a machine that wakes from sleep was not silent.
    let unanswered = 0;
    const watch = setInterval(() => {
      // Recovery may block a thread for long, so silence counts only after it was ready.
      if (this.#ready && unanswered * this.#timing.ping >= this.#timing.silence) {
        this.#serves = false; // the next thread logs it
        reason = `The server has not answered for ${Math.round(this.#timing.silence / 1000)} s.`;
        this.#report(`${reason} Starting it again.`);
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
          this.trouble = undefined;
          // The server has written them into its log itself.
          for (const notice of message.notices) this.#listeners.report(notice);
          this.#writeHostFile(message.url);
          if (message.state === "running") this.#leaveFirstRun();
          this.#serves = message.state === "running";
          this.#logReports();
          if (!this.#stopping) this.#setState(message.state);
          thread.postMessage("ping" satisfies ToThread); // its answer has the first summary
          resolve();
        }
        if (message.type === "pong" && message.summary) this.#listeners.onSummary(message.summary);
        if (message.type === "failed") {
          this.#serves = false; // the next thread logs it
          reason = message.message;
          this.#report(reason);
        }
        if (message.type === "setup code") this.#storeSetupCode(message.code);
        if (message.type === "not started") {
          failure = new NotStarted(message.message, message.retryable, message.code);
          if (this.#ready) this.#report(message.message); // between first run and the server
          void thread.terminate();
        }
      });
      thread.on("error", (error) => {
        this.#serves = false; // it ends, and the next one logs why
        reason = error instanceof Error ? error.message : String(error);
        this.#report(`The server's thread ended: ${error instanceof Error ? error.stack : error}`);
      });
      thread.on("exit", () => {
        clearInterval(watch);
        this.#thread = undefined;
        this.#serves = false;
        const wasHealthy = this.#ready && Date.now() - startedAt > HEALTHY_MS;
        this.#failures = wasHealthy ? 1 : this.#failures + 1;
        this.trouble = {
          reason: reason ?? (this.#ready ? "The server's thread ended." : failure.message),
          failures: this.#failures,
        };
        reject(failure);
        if (!this.#ready || this.#stopping) return;
        if (wasHealthy) this.#backOff = BACK_OFF_MS.first;
        this.#setState("restarting");
        this.#restart();
      });
    });
  }

  #logReports(): void {
    if (!this.#serves || this.#unlogged.length === 0) return;
    this.#thread?.postMessage({ log: this.#unlogged } satisfies ToThread);
    this.#unlogged = [];
  }

  startNow(): void {
    if (this.#thread || this.#stopping || this.#state !== "restarting") return;
    clearTimeout(this.#timer);
    this.#backOff = BACK_OFF_MS.first;
    this.#startAgain();
  }

  #restart(): void {
    this.#timer = setTimeout(() => this.#startAgain(), this.#backOff);
    this.#backOff = Math.min(this.#backOff * 2, BACK_OFF_MS.max);
  }

  #startAgain(): void {
    this.restarts += 1;
    // During the restart another program could listen on the port: tokens sent to it become invalid.
    this.#options = { ...this.#options, operatorToken: newToken() };
    this.start().catch((error: NotStarted) => {
      if (this.#stopping) return;
      this.#report(error.message);
      if (error.retryable || this.#mayPortBecomeFree(error)) return this.#restart();
      this.#setState("stopped");
      this.#listeners.onGivenUp(error.message);
    });
  }

  #mayPortBecomeFree({ code }: NotStarted): boolean {
    if (code !== "EADDRINUSE") return false;
    this.#portTakenSince ??= Date.now();
    return Date.now() - this.#portTakenSince < this.#timing.portPatience;
  }

  /** The starter of the supervisor prints the first code, together with its purpose. */
  #storeSetupCode(code: string): void {
    const previous = this.setupCode;
    this.setupCode = code;
    if (previous !== undefined) this.#report(`The code for making the organization has changed: it is ${code} now.`);
  }

  /** From now on a folder without an organization has lost it: a restart must not offer to make a new one. */
  #leaveFirstRun(): void {
    this.setupCode = undefined;
    const { setup: _, ...options } = this.#options;
    this.#options = options;
  }

  #writeHostFile(url: string): void {
    this.url = url;
    // Clients must find the same port after a restart.
    this.#options = { ...this.#options, port: Number(new URL(url).port) };
    const path = `${this.#options.dataFolder}/host.json`;
    try {
      writeFileSync(`${path}.new`, JSON.stringify({ url, token: this.token, pid: process.pid }), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    } catch (error) {
      // A full disk, or a folder that was moved: chatting works without host.json.
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
      try {
        this.#lock.announceEnd();
      } catch (error) {
        this.#report(`${(error as Error).message}: a Hearth that starts here now does not wait for this one to stop.`);
      }
      await new Promise<void>((resolve) => {
        // A thread that is still starting has nothing to finish.
        const timeout = setTimeout(() => void thread.terminate(), this.#ready ? STOP_MS : 0);
        thread.once("exit", () => {
          clearTimeout(timeout);
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
        this.#report(`${(error as Error).message}: the file is left behind, and does not prevent the next start.`);
      }
    }
    if (this.#state !== undefined) this.#setState("stopped");
  }
}
