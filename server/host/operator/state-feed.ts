import { statfs } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { backupsInWire } from "../../api/presenters/problems.ts";
import {
  type HostFigures,
  MessageRate,
  newestAudit,
  onlineUsers,
  organizationFigures,
  organizationSummary,
  type ServerSample,
  serverStateMark,
  waitingFigures,
} from "../../api/presenters/server-state.ts";
import { damagedFiles } from "../../api/queries/files.ts";
import type { HttpsSetting } from "../../api/queries/operator-settings.ts";
import type { EventQueues } from "../../events/queues.ts";
import { unavailable } from "../../http/envelope.ts";
import type { Store } from "../../storage/store.ts";
import type { Backups } from "../backups/backups.ts";
import { isLoopback, type Listening, reachableUrls, urlOf } from "../supervisor/listening.ts";
import { measureReach, type Reach } from "./reach.ts";

/** Interval of checks while a poll is held, and the minimum time between samples. */
const CHECK_MS = 250;
/** Maximum time between samples, because memory, disk and presence change without a write. */
const SAMPLE_MS = 2000;
/** Measuring continues after a poll for this time, because a page polls again immediately. */
const LINGER_MS = 5000;
/** The interval of the timer whose delay is measured. */
const RESOLUTION_MS = 20;
const DELAYS_MS = 1000;

interface Waiter {
  answer(sample: ServerSample): void;
  reject(error: unknown): void;
}

/** For the desktop app's tray. Cheap enough to read every two seconds. */
export interface OrganizationSummary {
  readonly name: string;
  /** Without bots, and without the chat window of the desktop app. */
  readonly peopleOnline: number;
  /** Whether other machines use HTTPS. */
  readonly https: boolean;
}

interface StateFeedOptions {
  store: Store;
  queues: EventQueues;
  backups: Backups;
  dataFolder: string;
  now: () => number;
  version: string;
  startedAt: number;
}

/** Measures the server for the operator's page. Without a held poll, nothing is measured and no timer runs. */
export class StateFeed {
  /** Set when the server starts to listen. */
  listening: Listening = { host: "127.0.0.1", port: 0 };
  /** How other machines connect: the setting HTTPS. */
  https: () => HttpsSetting["use"] = () => "off";
  /** The name that mDNS announces. */
  hostname: string | undefined;
  readonly #about: StateFeedOptions;
  readonly #rate = new MessageRate();
  readonly #waiting = new Set<Waiter>();
  readonly #delays = new LoopDelays();
  #newest: ServerSample | undefined;
  #sampledAt = Number.NEGATIVE_INFINITY;
  #mark: object | undefined;
  #sampling: Promise<ServerSample> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(about: StateFeedOptions) {
    this.#about = about;
  }

  /** Whether a poll is held. */
  get isWatched(): boolean {
    return this.#timer !== undefined;
  }

  get #isHttps(): boolean {
    return this.https() !== "off";
  }

  /** Number of held polls. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Resolves with a sample newer than `after`; immediately if `after` is undefined or not the newest sample. */
  sampleAfter(after: number | undefined, onGone: (listener: () => void) => void): Promise<ServerSample> {
    if (this.#stopped) return Promise.reject(unavailable("server_stopping"));
    this.#delays.measure();
    if (after === undefined || after !== this.#newest?.sample) {
      const fresh = this.#newest && performance.now() - this.#sampledAt < CHECK_MS ? this.#newest : undefined;
      return fresh ? Promise.resolve(fresh) : this.#sample();
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { answer: resolve, reject: reject };
      this.#waiting.add(waiter);
      this.#timer ??= setInterval(() => this.#check(), CHECK_MS);
      onGone(() => {
        this.#waiting.delete(waiter);
        this.#stopTimerIfIdle();
        reject(unavailable("client_disconnected")); // no one receives it
      });
    });
  }

  summary(): OrganizationSummary {
    const { store, queues } = this.#about;
    return { ...organizationSummary(store.reader, queues.listenersElsewhere()), https: this.#isHttps };
  }

  network(): ServerSample["network"] {
    const { host, port } = this.listening;
    return { host, port, lan: !isLoopback(host), https: this.https(), addresses: this.#addresses() };
  }

  /** Behind a trusted proxy, adds the URL of the request, because other machines can use it too. */
  networkFor(
    { isForwarded, baseUrl }: { isForwarded: boolean; baseUrl: string },
    network = this.network(),
  ): ServerSample["network"] {
    if (!isForwarded) return network;
    return { ...network, addresses: [{ url: baseUrl, interface: "proxy" }, ...network.addresses] };
  }

  reach(): Promise<Reach> {
    return measureReach({ ...this.listening, https: this.#isHttps });
  }

  /** Ends all held polls. */
  stop(): void {
    this.#stopped = true;
    for (const waiter of this.#waiting) waiter.reject(unavailable("server_stopping"));
    this.#waiting.clear();
    this.#stopTimerIfIdle();
    this.#delays.stop();
  }

  #stopTimerIfIdle(): void {
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #check(): void {
    const due = performance.now() - this.#sampledAt >= SAMPLE_MS;
    if (!due && serverStateMark(this.#about.store.reader) === this.#mark) return;
    const answer = (end: (waiter: Waiter) => void) => {
      for (const waiter of this.#waiting) end(waiter);
      this.#waiting.clear();
      this.#stopTimerIfIdle();
    };
    this.#sample().then(
      (sample) => answer((waiter) => waiter.answer(sample)),
      (error: unknown) => answer((waiter) => waiter.reject(error)),
    );
  }

  #sample(): Promise<ServerSample> {
    this.#sampling ??= this.#measured().finally(() => {
      this.#sampling = undefined;
    });
    return this.#sampling;
  }

  /** The server's URL for other machines: the URL of the request, unless it is a loopback address. */
  addressForOthers(baseUrl: string): string {
    const name = new URL(baseUrl).hostname.replace(/^\[|\]$/g, "");
    if (!isLoopback(name) || isLoopback(this.listening.host)) return baseUrl;
    return this.#addresses()[0]?.url ?? baseUrl;
  }

  /** The server's URL for other machines, without a request. */
  get ownUrl(): string {
    return this.#addresses()[0]?.url ?? urlOf({ ...this.listening, https: this.#isHttps });
  }

  #addresses() {
    const listening = { ...this.listening, https: this.#isHttps };
    const named =
      this.hostname === undefined ? [] : [{ url: urlOf({ ...listening, host: this.hostname }), interface: "mDNS" }];
    // Last, because some devices cannot resolve such names.
    return [...reachableUrls(listening), ...named];
  }

  async #measured(): Promise<ServerSample> {
    const { store, queues, backups, dataFolder, now, version, startedAt } = this.#about;
    const disk = await statfs(dataFolder);
    if (this.#stopped) throw unavailable("server_stopping");
    const { reader, sizes } = store;
    this.#mark = serverStateMark(reader);
    this.#sampledAt = performance.now();
    this.#newest = {
      // Greater than in earlier starts, so that no page mistakes an old sample for a new sample.
      sample: Math.max(now(), (this.#newest?.sample ?? 0) + 1),
      now: now(),
      started_at: startedAt,
      version,
      organization: organizationFigures(reader, now()),
      network: this.network(),
      online: onlineUsers(reader, queues.listeners(), queues.listenersElsewhere()),
      queues: queues.figures(),
      messages: this.#rate.perMinute(reader, now()),
      ...waitingFigures(reader, now()),
      accepts_writes: store.acceptsWrites,
      host: {
        storage: {
          data_folder: dataFolder,
          database_bytes: sizes.database,
          log_bytes: sizes.log,
          disk_free_bytes: disk.bavail * disk.bsize,
          disk_total_bytes: disk.blocks * disk.bsize,
          damaged_uploads: damagedFiles(reader).length,
        },
        memory: { process_bytes: process.memoryUsage.rss() },
        event_loop: this.#delays.since(),
        backups: backupsInWire(backups.state),
        ...newestAudit(reader),
      },
    };
    return this.#newest;
  }
}

/** Measures the delay of the event loop. */
class LoopDelays {
  #histogram: ReturnType<typeof monitorEventLoopDelay> | undefined;
  #from = 0;
  #figures: HostFigures["event_loop"] = { delay_ms_median: 0, delay_ms_p99: 0, delay_ms_max: 0 };
  #end: NodeJS.Timeout | undefined;

  /** Starts to measure, or continues, for LINGER_MS. */
  measure(): void {
    this.#end ??= setTimeout(() => this.stop(), LINGER_MS).unref();
    this.#end.refresh();
    if (this.#histogram) return;
    this.#histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    this.#histogram.enable();
    this.#from = performance.now();
  }

  since(): HostFigures["event_loop"] {
    const histogram = this.#histogram;
    if (!histogram || performance.now() - this.#from < DELAYS_MS || histogram.count === 0) return this.#figures;
    const late = (nanoseconds: number) => Math.round(Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS) * 100) / 100;
    this.#figures = {
      delay_ms_median: late(histogram.percentile(50)),
      delay_ms_p99: late(histogram.percentile(99)),
      delay_ms_max: late(histogram.max),
    };
    histogram.reset();
    this.#from = performance.now();
    return this.#figures;
  }

  stop(): void {
    clearTimeout(this.#end);
    this.#end = undefined;
    this.#histogram?.disable();
    this.#histogram = undefined;
  }
}
