import { Worker } from "node:worker_threads";

/** In the same folder as this file, also after bundling (main/vite.config.ts). */
const THREAD = new URL(import.meta.url.endsWith(".ts") ? "./mdns-thread.ts" : "./mdns-thread.js", import.meta.url);
/** Interval of checks for changes. */
const CHECK_MS = 3000;
/** Pause after a failure. The network may not allow multicast. */
const PAUSE_MS = 60_000;
/** Time limit for telling the network that the name is free. */
const STOP_MS = 500;

export interface Announcement {
  /** Display name of the service `_hearth._tcp`. */
  readonly name: string;
  /** Without `.local`. Gets a number if the name is taken. */
  readonly hostname: string;
  readonly servicePort: number;
  /** Names of network interfaces. */
  readonly interfaces: readonly string[];
  /** A change causes a new announcement. */
  readonly addresses: readonly string[];
  readonly https: boolean;
}

/** The names that were free. */
export interface FromMdns {
  readonly name: string;
  readonly hostname: string;
}

export interface MdnsOptions {
  /** Undefined: announces nothing. */
  wanted: () => Announcement | undefined;
  /** Called with the announced hostname, and with undefined when the announcement ends. */
  onHostname: (hostname: string | undefined) => void;
  report: (line: string) => void;
  check?: number | undefined;
}

/** Announces the server as `hearth.local` while other machines can connect. */
export class Mdns {
  readonly #options: MdnsOptions;
  readonly #timer: NodeJS.Timeout;
  #announced = "";
  #thread: Worker | undefined;
  #pausedUntil = 0;
  #hostname: string | undefined;
  #stopped = false;
  #work: Promise<void> = Promise.resolve();

  constructor(options: MdnsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.refresh(), options.check ?? CHECK_MS).unref();
    this.refresh();
  }

  /** Undefined while nothing is announced. */
  get hostname(): string | undefined {
    return this.#hostname;
  }

  refresh(): void {
    if (this.#stopped) return;
    const wanted = this.#options.wanted();
    const text = wanted ? JSON.stringify(wanted) : "";
    const hasFailed = this.#pausedUntil > 0;
    if (text === this.#announced && (!hasFailed || performance.now() < this.#pausedUntil)) return;
    this.#pausedUntil = 0;
    this.#announced = text;
    // Sequential: otherwise the old announcement would occupy the name of the new announcement.
    this.#work = this.#work.then(async () => {
      await this.#end();
      if (wanted && text === this.#announced && !this.#stopped) this.#begin(wanted);
    });
  }

  #begin(wanted: Announcement): void {
    // Discards output of the library: stdout of the server has exactly 1 line.
    const thread = new Worker(THREAD, { name: "mdns", workerData: wanted, stdout: true, stderr: true });
    thread.stdout.resume();
    thread.stderr.resume();
    thread.unref();
    this.#thread = thread;
    thread.on("message", ({ name, hostname }: FromMdns) => {
      if (thread !== this.#thread || hostname === this.#hostname) return;
      this.#options.report(`mDNS: this server is ${hostname} in the network, and its service "${name}".`);
      this.#setHostname(hostname);
    });
    let reason = "its thread ended";
    thread.on("error", (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    thread.on("exit", () => {
      if (thread !== this.#thread) return;
      this.#thread = undefined;
      this.#pausedUntil = performance.now() + PAUSE_MS;
      this.#options.report(`mDNS: nothing can be announced at the moment: ${reason}.`);
      this.#setHostname(undefined);
    });
  }

  async #end(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    this.#setHostname(undefined);
    if (!thread) return;
    const ended = new Promise((resolve) => thread.once("exit", resolve));
    thread.postMessage("stop");
    const timer = setTimeout(() => void thread.terminate(), STOP_MS);
    await ended;
    clearTimeout(timer);
  }

  #setHostname(hostname: string | undefined): void {
    if (hostname === this.#hostname) return;
    this.#hostname = hostname;
    this.#options.onHostname(hostname);
  }

  stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#work = this.#work.then(() => this.#end());
    return this.#work;
  }
}
