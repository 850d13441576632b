import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { type Failure, type Problem, problemText } from "../../errors.ts";
import { FolderTaken } from "../../storage/errors.ts";
import { putOldAside } from "../backups/move-marks.ts";
import { finishRestore } from "../backups/restore-moves.ts";
import type { RestoreOutcome, RestoreRequest } from "../backups/restores.ts";
import type { OrganizationSummary } from "../operator/state-feed.ts";
import { takeDataFolder } from "./data-folder.ts";
import type { Lock } from "./lock.ts";
import { type Progress, type RestoreStopped, restoreStopped } from "./restore-stopped.ts";
import { removeHostFile, writeHostFile } from "./running-server.ts";
import {
  type NotStarted,
  ServerThread,
  THREAD,
  type ThreadEnd,
  type ThreadReady,
  type ThreadTiming,
} from "./server-thread.ts";
import type { ThreadOptions, ThreadTesting, ToThread } from "./thread.ts";

/** Lines that wait for the next start. */
const MAX_UNLOGGED = 100;
const PING_MS = 2000;
const SILENCE_MS = 20_000;
const BACK_OFF_MS = { first: 250, max: 10_000 };
/** Another program may take the port briefly during a restart. */
const PORT_PATIENCE_MS = 30_000;
const HOST_FILE_RETRY_MS = 10_000;

export type SupervisorState = "setup" | "running" | "restarting" | "stopped";

export interface SupervisorOptions extends Omit<ThreadOptions, "operatorToken" | "lockId" | "testing"> {
  /** Called with one line. */
  report?: (line: string) => void;
  /** Called when a restart fails permanently (damaged data, port taken). After disk errors restarts continue. */
  onGivenUp?: (problem: Problem) => void;
  /** Called every two seconds while an organization is served. */
  onSummary?: (summary: OrganizationSummary) => void;
  /** Called at each change of state, starting with the first success. */
  onState?: (state: SupervisorState) => void;
  /** Stops the supervisor, also during the start: startSupervisor then rejects. */
  signal?: AbortSignal;
  testing?: SupervisorTesting | undefined;
}

export interface SupervisorTesting extends ThreadTesting {
  /** In milliseconds. */
  timing?: Partial<Timing>;
  /** Another file of the thread, for example the built one. */
  thread?: URL;
  /** Replaces the restore. */
  restore?: typeof restoreStopped;
}

interface Timing extends ThreadTiming {
  /** How long a restart waits for its port. */
  portPatience: number;
}

/** Why the server does not respond. */
export interface Outage {
  readonly problem: Problem;
  /** Number of threads in a row that ended within a minute. */
  readonly failures: number;
}

export interface Supervisor {
  readonly url: string;
  /** The operator's token for this start of the thread, for `/host/…` and the window. */
  readonly token: string;
  readonly restarts: number;
  readonly state: SupervisorState;
  /** Why the last thread ended; undefined while a thread responds. */
  readonly outage: Outage | undefined;
  /** Undefined while nothing is restored. */
  readonly restoring: Progress | undefined;
  /** The code for creating the organization, in first run with `setup: "code"`. */
  readonly setupCode: string | undefined;
  /**
   * Whether the thread with this token is alive at some moment after this call, so that no other program has its port.
   * Waits while the thread is busy.
   */
  isAlive(token: string): Promise<boolean>;
  /** Messages of tests need `testing.hooks`. */
  send(message: ToThread): void;
  /** Ends the pause after a failure. */
  startNow(): void;
  stop(): Promise<void>;
}

/**
 * Runs the server on a worker thread, and restarts it when it ends or does not respond. Owns the data folder's lock and
 * `host.json` (URL and token for the command line). See docs/architecture.md#the-thread-and-its-supervisor.
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
    testing: { timing = {}, thread = THREAD, restore = restoreStopped, ...threadTesting } = {},
    ...threadOptions
  } = options;
  const folder = options.dataFolder;
  const lock = await takeDataFolder(folder, { report, signal });
  const supervisor = new RunningSupervisor(
    { ...threadOptions, testing: threadTesting, operatorToken: newToken(), lockId: lock.id },
    lock,
    thread,
    { report, onGivenUp, onState, onSummary },
    restore,
    { ping: PING_MS, silence: SILENCE_MS, portPatience: PORT_PATIENCE_MS, ...timing },
  );
  try {
    signal?.throwIfAborted();
    signal?.addEventListener("abort", () => void supervisor.stop(), { once: true });
    await supervisor.start();
    try {
      putOldAside(folder);
    } catch (error) {
      report(`The folder that the data was moved from could not be put aside: ${(error as Error).message}`);
    }
    return supervisor;
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}

const newToken = (): string => randomBytes(32).toString("base64url");

interface Listeners {
  report: (line: string) => void;
  onGivenUp: (problem: Problem) => void;
  onState: (state: SupervisorState) => void;
  onSummary: (summary: OrganizationSummary) => void;
}

class RunningSupervisor implements Supervisor {
  url = "";
  restarts = 0;
  setupCode: string | undefined;
  outage: Outage | undefined;
  restoring: Progress | undefined;
  #failures = 0;
  #state: SupervisorState | undefined;
  #options: ThreadOptions & { operatorToken: string };
  readonly #lock: Lock;
  readonly #file: URL;
  readonly #listeners: Listeners;
  readonly #report: (line: string) => void;
  /** Lines that were reported while no server could log them. */
  #unlogged: readonly string[] = [];
  readonly #timing: Timing;
  readonly #runRestore: (how: RestoreStopped) => Promise<RestoreOutcome>;
  /** The current restore. */
  #restore: { ended: Promise<void>; aborted: AbortController } | undefined;
  #thread: ServerThread | undefined;
  #stopping: Promise<void> | undefined;
  #backOff = BACK_OFF_MS.first;
  #timer: NodeJS.Timeout | undefined;
  #hostFileTimer: NodeJS.Timeout | undefined;
  /** The time of the first restart that found the port taken. */
  #portTakenSince: number | undefined;

  constructor(
    options: ThreadOptions & { operatorToken: string },
    lock: Lock,
    file: URL,
    listeners: Listeners,
    restore: (how: RestoreStopped) => Promise<RestoreOutcome>,
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
    this.#runRestore = restore;
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

  /** Rejects if the thread ends before it is ready. */
  start(): Promise<void> {
    this.#thread = new ServerThread(this.#file, this.#options, this.#timing, {
      onReady: (message) => this.#serve(message),
      onSummary: this.#listeners.onSummary,
      onSetupCode: (code) => this.#storeSetupCode(code),
      onRestore: (request) => this.#restoreBackup(request),
      onProblem: this.#report,
      onEnd: (end) => this.#afterEnd(end),
    });
    return this.#thread.ready;
  }

  #serve({ state, url, notices }: ThreadReady): void {
    this.#portTakenSince = undefined;
    this.outage = undefined;
    // The server itself has logged the notices.
    for (const notice of notices) this.#listeners.report(notice);
    this.#publish(url);
    if (state === "running") this.#leaveFirstRun();
    this.#logReports();
    if (!this.#stopping) this.#setState(state);
  }

  #afterEnd({ problem, wasReady, wasHealthy }: ThreadEnd): void {
    this.#thread = undefined;
    if (this.#restore) return; // the restore starts the next thread
    this.#failures = wasHealthy ? 1 : this.#failures + 1;
    this.outage = { problem, failures: this.#failures };
    if (!wasReady || this.#stopping) return;
    if (wasHealthy) this.#backOff = BACK_OFF_MS.first;
    this.#setState("restarting");
    this.#restart();
  }

  #logReports(): void {
    if (!this.#thread?.serves || this.#unlogged.length === 0) return;
    this.#thread.send({ log: this.#unlogged });
    this.#unlogged = [];
  }

  startNow(): void {
    if (this.#thread || this.#stopping || this.#restore || this.#state !== "restarting") return;
    clearTimeout(this.#timer);
    this.#backOff = BACK_OFF_MS.first;
    this.#startAgain();
  }

  #restart(): void {
    this.#timer = setTimeout(() => this.#startAgain(), this.#backOff);
    this.#backOff = Math.min(this.#backOff * 2, BACK_OFF_MS.max);
  }

  #startAgain(): void {
    const { dataFolder: folder } = this.#options;
    if (existsSync(folder) && !this.#lock.isHeld) return void this.#giveUp(new FolderTaken(folder));
    try {
      finishRestore(folder);
    } catch (error) {
      // The disk failed while files were moved. Nothing may open them before all are moved.
      this.#report((error as Error).message);
      this.#restart();
      return;
    }
    this.restarts += 1;
    // During the restart another program could get the token on the port, so the token changes.
    this.#options = { ...this.#options, operatorToken: newToken() };
    this.start().catch((error: NotStarted) => {
      if (this.#stopping) return;
      if (!error.retryable && !this.#mayPortBecomeFree(error)) return this.#giveUp(error);
      this.#report(error.message);
      this.#restart();
    });
  }

  #giveUp(error: Failure): void {
    this.#report(error.message);
    this.#setState("stopped");
    this.#listeners.onGivenUp(error.problem);
  }

  #mayPortBecomeFree({ code }: NotStarted): boolean {
    if (code !== "EADDRINUSE") return false;
    this.#portTakenSince ??= performance.now();
    return performance.now() - this.#portTakenSince < this.#timing.portPatience;
  }

  /** The caller prints the first code. */
  #storeSetupCode(code: string): void {
    const previous = this.setupCode;
    this.setupCode = code;
    if (previous !== undefined) this.#report(`The code for making the organization has changed: it is ${code} now.`);
  }

  /** After this, an empty folder means data loss, so a restart must not offer first run. */
  #leaveFirstRun(): void {
    this.setupCode = undefined;
    const { setup: _, ...options } = this.#options;
    this.#options = options;
  }

  #publish(url: string): void {
    this.url = url;
    // Clients must find the same port after a restart.
    this.#options = { ...this.#options, port: Number(new URL(url).port) };
    this.#writeHostFile(url, (error) => this.#report(`host.json cannot be written yet: ${error.message}`));
  }

  /** Retries on a full disk. Without `host.json`, chat works, and commands use the socket. */
  #writeHostFile(url: string, onFailure: (error: Error) => void): void {
    clearTimeout(this.#hostFileTimer);
    try {
      writeHostFile(this.#options.dataFolder, { url, token: this.token, pid: process.pid });
    } catch (error) {
      onFailure(error as Error);
      this.#hostFileTimer = setTimeout(() => {
        if (this.#lock.isHeld) this.#writeHostFile(url, () => {});
      }, HOST_FILE_RETRY_MS).unref();
    }
  }

  /** Stops the thread, restores, and starts a thread again. If the restore fails, it keeps the current data. */
  #restoreBackup(request: RestoreRequest): void {
    if (this.#stopping || this.#restore) return;
    const aborted = new AbortController();
    const { dataFolder: folder, testing } = this.#options;
    const restore = async () => {
      this.restoring = { phase: "checking", done: 0, total: 0 };
      this.#setState("restarting");
      await this.#thread?.end();
      if (this.#stopping) return;
      if (!this.#lock.isHeld) throw new FolderTaken(folder);
      const advanced = (progress: Progress) => {
        this.restoring = progress;
      };
      const how = { folder, request, segmentSize: testing?.segmentSize, signal: aborted.signal, advanced };
      const lastRestore = await this.#runRestore(how);
      if (lastRestore.failure !== null)
        this.#report(`The backup was not restored: ${problemText(lastRestore.failure)}`);
      this.#options = { ...this.#options, lastRestore };
    };
    const ended = restore()
      .catch((error: Error) => this.#report(`The backup was not restored: ${error.message}`))
      .then(() => {
        this.#restore = this.restoring = undefined;
        if (!this.#stopping) this.#startAgain();
      });
    this.#restore = { ended, aborted };
  }

  isAlive(token: string): Promise<boolean> {
    return this.#thread && token === this.token ? this.#thread.isAlive() : Promise.resolve(false);
  }

  send(message: ToThread): void {
    this.#thread?.send(message);
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#timer);
    clearTimeout(this.#hostFileTimer);
    try {
      // Without host.json, a Hearth that starts here waits for this process to stop.
      if (this.#lock.isHeld) removeHostFile(this.#options.dataFolder);
    } catch (error) {
      this.#report(`${(error as Error).message}: the file is left behind, and does not prevent the next start.`);
    }
    this.#restore?.aborted.abort();
    await this.#restore?.ended;
    await this.#thread?.end();
    this.#lock.release();
    if (this.#state !== undefined) this.#setState("stopped");
  }
}
