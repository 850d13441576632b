import { goLive, type Live, type LiveOptions } from "./live.ts";
import { errorFrom, type FromTab, type FromWorker, type Source } from "./live-messages.ts";
import { followServerState, type ServerStateFeed, type ServerStateOptions } from "./server-state.ts";
import { applyEvent } from "./state.ts";
import type { State } from "./state-shape.ts";
import { Store } from "./store.ts";

/** The part of a SharedWorker's port that a tab uses. */
export interface WorkerPort {
  postMessage(message: FromTab): void;
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
}
/** Opens the worker; calls `onError` if it cannot start. @throws if the browser has or allows no SharedWorker. */
export type OpenWorker = (onError: () => void) => WorkerPort;

interface Followed {
  readonly source: Source;
  receive(message: FromWorker): void;
  tryNow(): void;
  /** Continues with a connection of this tab. */
  goAlone(): void;
}

/** A worker that has not responded after this time does not run. */
const START_MS = 3_000;
/** The worker passes on the server's responses, at least one a minute. After a longer silence, the tab pings it. */
const SILENCE_MS = 100_000;
const CHECK_MS = 30_000;

export interface LiveTabOptions {
  openWorker: OpenWorker;
  startMs?: number;
  silenceMs?: number;
  checkMs?: number;
}

/** A tab's side of the shared worker. Without a worker, the tab has its own connections. */
export class LiveTab {
  /** Whether this tab shows notifications. Without a worker, every tab does. */
  readonly isMain = new Store(true);
  readonly #options: Required<LiveTabOptions>;
  readonly #followed = new Map<number, Followed>();
  #port: WorkerPort | undefined;
  #heardAt = 0;
  #isAnswering = false;
  #starting: ReturnType<typeof setTimeout> | undefined;
  readonly #checking: ReturnType<typeof setInterval>;
  #nextId = 1;

  constructor({ startMs = START_MS, silenceMs = SILENCE_MS, checkMs = CHECK_MS, openWorker }: LiveTabOptions) {
    this.#options = { startMs, silenceMs, checkMs, openWorker };
    this.#open();
    this.#checking = setInterval(() => this.#check(), checkMs);
  }

  /** Like goLive, over the worker's connection if there is one. */
  goLive(options: LiveOptions & { userId: number }): Live {
    let state: State | undefined;
    let own: Live | undefined;
    const { userId, register = {} } = options;
    const tryNow = () => (own ? own.tryNow() : this.#port?.postMessage({ do: "try now", id }));
    const id = this.#follow({
      source: { kind: "events", userId, register },
      tryNow,
      receive(message) {
        if (message.is === "error") options.onError?.(message.error && errorFrom(message.error));
        if (message.is === "state") {
          state = message.state;
          options.onState(state, []);
        }
        if (message.is === "events" && state) {
          state = message.events.reduce(applyEvent, state);
          options.onState(state, message.events);
        }
      },
      goAlone() {
        own = goLive(options);
      },
    });
    return {
      get state() {
        return own ? own.state : state;
      },
      tryNow,
      stop: () => this.#leave(id, own),
    };
  }

  /** Like followServerState, over the worker's connection if there is one. */
  followServerState(options: ServerStateOptions & { userId: number }): ServerStateFeed {
    let own: ServerStateFeed | undefined;
    const tryNow = () => (own ? own.tryNow() : this.#port?.postMessage({ do: "try now", id }));
    const id = this.#follow({
      source: { kind: "server state", userId: options.userId },
      tryNow,
      receive(message) {
        if (message.is === "error") options.onError(message.error && errorFrom(message.error));
        if (message.is === "server state") options.onState(message.state);
      },
      goAlone() {
        own = followServerState(options);
      },
    });
    return { tryNow, stop: () => this.#leave(id, own) };
  }

  /** Retries immediately: the machine is online again, or the user has returned to the tab. */
  tryNow(): void {
    for (const { tryNow } of this.#followed.values()) tryNow();
  }

  focus(): void {
    this.#port?.postMessage({ do: "focus" });
  }

  close(): void {
    clearInterval(this.#checking);
    clearTimeout(this.#starting);
    this.#port?.postMessage({ do: "close" });
  }

  #follow(followed: Followed): number {
    const id = this.#nextId;
    this.#nextId += 1;
    this.#followed.set(id, followed);
    if (this.#port) this.#port.postMessage({ do: "follow", id, source: followed.source });
    else followed.goAlone();
    return id;
  }

  #leave(id: number, own: { stop(): void } | undefined): void {
    this.#followed.delete(id);
    if (own) own.stop();
    else this.#port?.postMessage({ do: "leave", id });
  }

  #open(): void {
    this.#isAnswering = false;
    this.#port = undefined;
    try {
      const port = this.#options.openWorker(() => this.#goOnAlone(port));
      this.#port = port;
      port.onmessage = ({ data }) => this.#receive(data);
      this.#starting = setTimeout(() => this.#goOnAlone(port), this.#options.startMs);
    } catch {
      this.#goOnAlone(undefined);
    }
  }

  #receive(message: FromWorker): void {
    this.#heardAt = Date.now();
    this.#isAnswering = true;
    clearTimeout(this.#starting);
    if (message.is === "main tab") this.isMain.set(message.main);
    else if (message.is !== "here") this.#followed.get(message.id)?.receive(message);
  }

  /** `failed` did not start: this tab opens its own connections. */
  #goOnAlone(failed: WorkerPort | undefined): void {
    if (this.#port !== failed || this.#isAnswering) return;
    clearTimeout(this.#starting);
    if (failed) {
      failed.postMessage({ do: "close" }); // if the worker is only slow, it stops serving this tab
      failed.onmessage = null;
    }
    this.#port = undefined;
    this.isMain.set(true);
    for (const followed of this.#followed.values()) followed.goAlone();
  }

  /** Browsers can end a worker without a report, for example when memory is low. */
  #check(): void {
    const port = this.#port;
    if (!port || !this.#isAnswering || Date.now() - this.#heardAt < this.#options.silenceMs) return;
    this.#isAnswering = false;
    port.postMessage({ do: "ping" });
    this.#starting = setTimeout(() => this.#restart(port), this.#options.startMs);
  }

  #restart(dead: WorkerPort): void {
    if (this.#isAnswering) return;
    dead.onmessage = null;
    this.#open();
    for (const [id, { source }] of this.#followed) this.#port?.postMessage({ do: "follow", id, source });
  }
}

let instance: LiveTab | undefined;

export function liveTab(): LiveTab {
  if (instance) return instance;
  const tab = new LiveTab({ openWorker });
  window.addEventListener("online", () => tab.tryNow());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") tab.tryNow();
  });
  window.addEventListener("focus", () => tab.focus());
  window.addEventListener("pagehide", () => tab.close());
  if (document.hasFocus()) tab.focus();
  instance = tab;
  return tab;
}

function openWorker(onError: () => void): WorkerPort {
  // The desktop app has a single page and needs no worker. Chrome on Android has no SharedWorker.
  if (!window.location.protocol.startsWith("http")) throw new Error("There is one page.");
  const worker = new SharedWorker(new URL("./live-worker.ts", import.meta.url), { type: "module", name: "hearth" });
  worker.onerror = onError;
  return worker.port;
}
