import { Worker } from "node:worker_threads";

/** Beside this file, also when both are bundled (main/vite.config.ts). */
const THREAD = new URL(import.meta.url.endsWith(".ts") ? "./mdns-thread.ts" : "./mdns-thread.js", import.meta.url);
/** How often it is looked whether there is something else to announce. */
const CHECK_MS = 3000;
/** After a thread has failed: the network may be one that allows no multicast. */
const PAUSE_MS = 60_000;
/** For telling the network that the name is free; a stop waits no longer. */
const STOP_MS = 500;

/** What the network is told. */
export interface Announcement {
  /** Of the service `_hearth._tcp`, for people. */
  readonly name: string;
  /** Without `.local`; where it is taken, it gets a number. */
  readonly hostname: string;
  readonly servicePort: number;
  /** Names of network interfaces. */
  readonly interfaces: readonly string[];
  /** Told anew when they change. */
  readonly addresses: readonly string[];
  readonly https: boolean;
}

/** The names that were free. */
export interface FromMdns {
  readonly name: string;
  readonly hostname: string;
}

export interface MdnsOptions {
  /** Undefined: nothing is sent. */
  wanted: () => Announcement | undefined;
  /** Called with the name under which this machine is found, and undefined when it is found no more. */
  onHostname: (hostname: string | undefined) => void;
  report: (line: string) => void;
  check?: number | undefined;
}

/** Lets others find the server by a name, `hearth.local`, while it is open to the network. */
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

  /** `hearth.local`, or the name that was free; undefined while nothing is announced. */
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
    // One after the other: the new announcement would find its name taken by the old one.
    this.#work = this.#work.then(async () => {
      await this.#end();
      if (wanted && text === this.#announced && !this.#stopped) this.#begin(wanted);
    });
  }

  #begin(wanted: Announcement): void {
    // What the library prints is not for the server's own output, which is one line.
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

  /** Takes half a second at most. */
  stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#work = this.#work.then(() => this.#end());
    return this.#work;
  }
}
