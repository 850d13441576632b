import type { Client } from "./client.ts";
import { goLive } from "./live.ts";
import { type FromTab, type FromWorker, type PlainError, plainError, type Source } from "./live-messages.ts";
import { followServerState, isForbidden, type ServerState } from "./server-state.ts";

/** The part of MessagePort that the hub uses. */
export interface Port {
  postMessage(message: FromWorker): void;
  onmessage: ((event: MessageEvent<FromTab>) => void) | null;
  /** Some browsers report the end of the other side. */
  addEventListener(type: "close", listener: () => void): void;
}

interface Follower {
  readonly port: Port;
  readonly id: number;
}

interface Shared {
  readonly followers: Set<Follower>;
  /** Sends the current state to a new follower. */
  greet(follower: Follower): void;
  tryNow(): void;
  stop(): void;
}

export interface HubOptions {
  client: Client;
  /** Milliseconds before the nth attempt after a failure. */
  wait?: (attempt: number) => number;
}

/**
 * Holds the connections of all tabs of a browser, each source once. Browsers allow six connections to a server, and a
 * page with connections of its own would use two of them.
 */
export class LiveHub {
  readonly #options: HubOptions;
  readonly #shared = new Map<string, Shared>();
  readonly #tabs = new Map<Port, Map<number, { shared: Shared; follower: Follower }>>();
  #main: Port | undefined;

  constructor(options: HubOptions) {
    this.#options = options;
  }

  get connections(): number {
    return this.#shared.size;
  }

  connect(port: Port): void {
    this.#tabs.set(port, new Map());
    port.addEventListener("close", () => this.#close(port));
    port.onmessage = ({ data }) => this.#receive(port, data);
    this.#main ??= port;
    port.postMessage({ is: "main tab", main: this.#main === port });
  }

  #receive(port: Port, message: FromTab): void {
    if (!this.#tabs.has(port)) return;
    if (message.do === "follow") this.#follow(port, message.id, message.source);
    else if (message.do === "leave") this.#leave(port, message.id);
    else if (message.do === "try now") this.#tabs.get(port)?.get(message.id)?.shared.tryNow();
    else if (message.do === "focus") this.#setMain(port);
    else if (message.do === "close") this.#close(port);
    else port.postMessage({ is: "here" });
  }

  #follow(port: Port, id: number, source: Source): void {
    const key = JSON.stringify(source);
    const before = this.#shared.get(key);
    const shared = before ?? this.#open(key, source);
    const follower = { port, id };
    this.#shared.set(key, shared);
    shared.followers.add(follower);
    this.#tabs.get(port)?.set(id, { shared, follower });
    before?.greet(follower);
  }

  #leave(port: Port, id: number): void {
    const followed = this.#tabs.get(port)?.get(id);
    if (!followed) return;
    this.#tabs.get(port)?.delete(id);
    const { shared, follower } = followed;
    shared.followers.delete(follower);
    if (shared.followers.size > 0) return;
    for (const [key, one] of this.#shared) if (one === shared) this.#shared.delete(key);
    shared.stop();
  }

  #close(port: Port): void {
    for (const id of [...(this.#tabs.get(port)?.keys() ?? [])]) this.#leave(port, id);
    this.#tabs.delete(port);
    if (this.#main === port) this.#setMain([...this.#tabs.keys()].at(-1));
  }

  /** Only the tab that was used last shows notifications, so that none appears twice. */
  #setMain(port: Port | undefined): void {
    const before = this.#main;
    this.#main = port;
    if (before && before !== port && this.#tabs.has(before)) before.postMessage({ is: "main tab", main: false });
    port?.postMessage({ is: "main tab", main: true });
  }

  #open(key: string, source: Source): Shared {
    const followers = new Set<Follower>();
    const broadcast = (message: (id: number) => FromWorker) => {
      for (const { port, id } of followers) port.postMessage(message(id));
    };
    let error: PlainError | undefined;
    const onError = (caught: unknown) => {
      error = caught === undefined ? undefined : plainError(caught);
      broadcast((id) => ({ is: "error", id, error }));
      // The next sign-in opens a new connection.
      if (isForbidden(caught)) this.#shared.delete(key);
    };
    const { stop, tryNow, newest } =
      source.kind === "events"
        ? this.#openEvents(source, broadcast, onError)
        : this.#openServerState(broadcast, onError);
    return {
      followers,
      greet: ({ port, id }) => {
        const message = newest(id);
        if (message) port.postMessage(message);
        if (error) port.postMessage({ is: "error", id, error });
      },
      tryNow,
      stop,
    };
  }

  #openEvents(
    { userId, register }: Extract<Source, { kind: "events" }>,
    broadcast: Broadcast,
    onError: OnError,
  ): Connection {
    const live = goLive({
      ...this.#options,
      userId,
      register,
      onState: (state, events) =>
        broadcast((id) => (events.length > 0 ? { is: "events", id, events } : { is: "state", id, state })),
      onError,
    });
    return {
      newest: (id) => live.state && { is: "state", id, state: live.state },
      tryNow: () => live.tryNow(),
      stop: () => live.stop(),
    };
  }

  #openServerState(broadcast: Broadcast, onError: OnError): Connection {
    let newest: ServerState | undefined;
    const feed = followServerState({
      ...this.#options,
      onState: (state) => {
        newest = state;
        broadcast((id) => ({ is: "server state", id, state }));
      },
      onError,
    });
    return {
      newest: (id) => newest && { is: "server state", id, state: newest },
      tryNow: () => feed.tryNow(),
      stop: () => feed.stop(),
    };
  }
}

type Broadcast = (message: (id: number) => FromWorker) => void;
type OnError = (error: unknown) => void;

interface Connection {
  /** The current state for a new follower. */
  newest(id: number): FromWorker | undefined;
  tryNow(): void;
  stop(): void;
}
