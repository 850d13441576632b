import { type Supervisor, startSupervisor } from "../server/supervisor/supervisor.ts";
import type { ServerState } from "./bridge-types.ts";

/** Where the server is to run. */
export interface ServerLocation {
  dataFolder: string;
  /** 127.0.0.1, or 0.0.0.0 for all of this machine's addresses. */
  address: string;
  port: number;
}

export interface HostingOptions {
  onState(state: ServerState): void;
  /** It has run and cannot be started again by itself. */
  onGivenUp(message: string): void;
  report(line: string): void;
}

/** The server's host as the window knows it: one at a time, moved from one place to another, and stopped once. */
export class Hosting {
  readonly #options: HostingOptions;
  readonly #ended = new AbortController();
  #host: Supervisor | undefined;
  #state: ServerState = "starting";
  /** Starts and moves come one after another. */
  #work: Promise<unknown> = Promise.resolve();
  #stopped: Promise<void> | undefined;
  #place: ServerLocation | undefined;

  constructor(options: HostingOptions) {
    this.#options = options;
  }

  get state(): ServerState {
    return this.#state;
  }

  get isStopping(): boolean {
    return this.#ended.signal.aborted;
  }

  /** Where it runs; undefined while it does not. */
  get location(): ServerLocation | undefined {
    return this.#host && this.#place;
  }

  /** What answers now; undefined while nothing does: whoever has taken its port meanwhile is told no credential. */
  get supervisor(): Supervisor | undefined {
    return this.#state === "setup" || this.#state === "running" ? this.#host : undefined;
  }

  /** Stops what runs and starts there; resolves when it answers. @throws what startHost throws, with nothing running. */
  run(place: ServerLocation): Promise<void> {
    const work = this.#work.then(() => this.#run(place));
    this.#work = work.catch(() => {});
    return work;
  }

  async #run(place: ServerLocation): Promise<void> {
    const before = this.#host;
    this.#tell(before ? "restarting" : "starting");
    this.#host = undefined;
    await before?.stop();
    let started: Supervisor | undefined;
    const isCurrent = () => started === undefined || started === this.#host;
    try {
      started = await startSupervisor({
        dataFolder: place.dataFolder,
        host: place.address,
        port: place.port,
        setup: "host",
        signal: this.#ended.signal,
        report: this.#options.report,
        onState: (state) => {
          if (started !== undefined && isCurrent()) this.#tell(state);
        },
        onGivenUp: (message) => {
          if (!isCurrent()) return;
          this.#tell("stopped");
          this.#options.onGivenUp(message);
        },
      });
    } catch (error) {
      this.#tell("stopped");
      throw error;
    }
    this.#host = started;
    this.#place = place;
    this.#tell(started.state);
  }

  /** Ends a start as well. Everything that was acknowledged is on disk, and requests under way are answered. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#ended.abort();
    await this.#work;
    await this.#host?.stop();
    this.#tell("stopped");
  }

  #tell(state: ServerState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.onState(state);
  }
}
