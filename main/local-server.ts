import { Failure, type Problem, problem, problemOf } from "../server/errors.ts";
import type { OrganizationSummary } from "../server/host/operator/state-feed.ts";
import { type Outage, startSupervisor } from "../server/host/supervisor/supervisor.ts";
import { AttachedServer, type ServerHost } from "./attached-server.ts";
import type { ServerState } from "./bridge-types.ts";

/** The server's folder, IP address and port. */
export interface ServerLocation {
  dataFolder: string;
  /** 127.0.0.1, or 0.0.0.0 for all addresses of this machine. */
  address: string;
  port: number;
}

export interface LocalServerOptions {
  onState(state: ServerState): void;
  /** Called every two seconds while an organization is served. */
  onSummary(): void;
  /** Called when a running server ended and cannot be restarted. */
  onGivenUp(problem: Problem): void;
  /** Whether a service serves this folder. Starts the service if necessary. */
  isServed(location: ServerLocation): Promise<boolean>;
  report(line: string): void;
}

const SUMMARY_PATIENCE_MS = 3000;

/**
 * The server of the desktop app. At most 1 runs at a time. It can change its location, and stops once. If a service serves
 * the folder, the app attaches to that server, which continues when the app quits.
 */
export class LocalServer {
  readonly #options: LocalServerOptions;
  readonly #ended = new AbortController();
  #supervisor: ServerHost | undefined;
  #state: ServerState = "starting";
  /** Starts and stops run one after another. */
  #work: Promise<unknown> = Promise.resolve();
  #stopped: Promise<void> | undefined;
  #location: ServerLocation | undefined;
  #summary: OrganizationSummary | undefined;
  #onNextSummary: (() => void)[] = [];
  /** Why no server runs or restarts. */
  #failure: Problem | undefined;

  constructor(options: LocalServerOptions) {
    this.#options = options;
  }

  get state(): ServerState {
    return this.#state;
  }

  /** The server of a service, which the app does not stop. */
  get attached(): AttachedServer | undefined {
    return this.#supervisor instanceof AttachedServer ? this.#supervisor : undefined;
  }

  get isStopping(): boolean {
    return this.#ended.signal.aborted;
  }

  /** Undefined while no server runs. */
  get location(): ServerLocation | undefined {
    return this.#supervisor && this.#location;
  }

  /** Undefined while the server does not respond, so that no other program on its port gets the token. */
  get supervisor(): ServerHost | undefined {
    return this.#state === "setup" || this.#state === "running" ? this.#supervisor : undefined;
  }

  /** Undefined while no organization is served. */
  get summary(): OrganizationSummary | undefined {
    return this.#state === "running" ? this.#summary : undefined;
  }

  /** The current number, or the last known number if the server responds too late. */
  async peopleOnline(): Promise<number> {
    const { supervisor } = this;
    if (supervisor && this.#state === "running") {
      await new Promise<void>((resolve) => {
        this.#onNextSummary.push(resolve);
        setTimeout(resolve, SUMMARY_PATIENCE_MS);
        supervisor.send("ping");
      });
    }
    return this.summary?.peopleOnline ?? 0;
  }

  /** Null while the server responds. */
  get outage(): Outage | null {
    if (this.supervisor) return null;
    if (this.#failure !== undefined) return { problem: this.#failure, failures: 1 };
    return this.#supervisor?.outage ?? null;
  }

  /** Undefined while nothing is restored. */
  get restoring(): ServerHost["restoring"] {
    return this.#supervisor?.restoring;
  }

  powerChanged(what: "suspend" | "resume"): void {
    this.#supervisor?.send(what);
  }

  startAgain(): void {
    this.#supervisor?.startNow();
  }

  /** Replaces the server. Resolves when the new server responds. After an error no server runs. */
  run(location: ServerLocation): Promise<void> {
    const work = this.#work.then(() => this.#run(location));
    this.#work = work.catch(() => {});
    return work;
  }

  /** Stops the server, and runs `work` on its folder. The signal aborts when Hearth quits. */
  stoppedFor<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const done = this.#work.then(async () => {
      if (this.isStopping) throw new Failure(problem("app_quitting"));
      const previous = this.#supervisor;
      this.#setState("restarting");
      this.#supervisor = undefined;
      this.#summary = undefined;
      this.#failure = undefined;
      await previous?.stop();
      return work(this.#ended.signal);
    });
    this.#work = done.catch(() => {});
    return done;
  }

  async #run(asked: ServerLocation): Promise<void> {
    const previous = this.#supervisor;
    this.#setState(previous ? "restarting" : "starting");
    this.#supervisor = undefined;
    this.#summary = undefined;
    await previous?.stop();
    this.#failure = undefined;
    let started: ServerHost | undefined;
    const isCurrent = () => started === undefined || started === this.#supervisor;
    const listeners = {
      onState: (state: ServerHost["state"]) => {
        if (started !== undefined && isCurrent()) this.#setState(state);
      },
      onSummary: (summary: OrganizationSummary) => {
        if (!isCurrent()) return;
        this.#summary = summary;
        for (const resolve of this.#onNextSummary.splice(0)) resolve();
        this.#options.onSummary();
      },
    };
    let location = asked;
    try {
      if (await this.#options.isServed(asked)) {
        started = await AttachedServer.attach({ dataFolder: asked.dataFolder, ...listeners });
        location = locationAt(asked, started.url);
      } else {
        started = await startSupervisor({
          dataFolder: asked.dataFolder,
          host: asked.address,
          port: asked.port,
          setup: "operator",
          signal: this.#ended.signal,
          report: this.#options.report,
          ...listeners,
          onGivenUp: (problem) => {
            if (!isCurrent()) return;
            this.#failure = problem;
            this.#setState("stopped");
            this.#options.onGivenUp(problem);
          },
        });
      }
    } catch (error) {
      this.#failure = problemOf(error);
      this.#setState("failed");
      throw error;
    }
    this.#supervisor = started;
    this.#location = location;
    this.#setState(started.state);
  }

  /** Also cancels a start. Current requests finish, and all acknowledged changes are on disk. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#ended.abort();
    await this.#work;
    await this.#supervisor?.stop();
    this.#setState("stopped");
  }

  #setState(state: ServerState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.onState(state);
  }
}

/** A service may have been installed with another address or port than the app's settings. */
function locationAt(location: ServerLocation, url: string): ServerLocation {
  const { hostname, port } = new URL(url);
  return { ...location, address: hostname.replace(/^\[|\]$/g, ""), port: Number(port) };
}
