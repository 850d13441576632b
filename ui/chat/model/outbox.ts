import { type Client, Refusal } from "../../api/client.ts";
import { pause } from "../../api/live.ts";
import { Store } from "../../api/store.ts";

export type Destination =
  | { readonly channelId: number; readonly topic: string }
  /** Everybody else of a direct conversation, or oneself alone. */
  | { readonly userIds: readonly number[] };

/** A message on its way: it stays in this browser until the server's event brings it back. */
export interface Outgoing {
  readonly localId: string;
  /** The event queue of the first attempt, by which the server recognizes a repetition. */
  readonly queueId: string;
  readonly to: Destination;
  readonly content: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly state: "sending" | "waiting" | "sent" | "failed";
  /** Why the server refused it. */
  readonly error?: string;
  readonly messageId?: number;
}

/** Where messages and drafts survive a reload: the browser's localStorage, or a stand-in. */
export type BrowserStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/** For as long the server recognizes a repeated send: docs/protocol.md#repeated-sends. After that, a person decides. */
const REPEATABLE_MS = 9 * 60_000;
/** Messages that came back lately: the event may be here before the answer to the send. */
const MAX_ARRIVED = 500;
const backOff = (attempt: number) => Math.min(15_000, 500 * 2 ** attempt);

/** Sends messages one after another, again and again until the server has answered. Nothing is lost by a reload. */
export class Outbox {
  readonly store: Store<readonly Outgoing[]>;
  readonly #client: Client;
  readonly #storage: BrowserStorage;
  /** Each message has a key of its own, since several tabs share the storage. */
  readonly #prefix: string;
  readonly #arrived = new Set<number>();
  readonly #ended = new AbortController();
  #isSending = false;
  #wake = new AbortController();

  constructor({ client, storage, userId }: { client: Client; storage: BrowserStorage; userId: number }) {
    this.#client = client;
    this.#storage = storage;
    this.#prefix = `hearth-outbox-${userId}-`;
    this.store = new Store(this.#load());
    void this.#run();
  }

  add(to: Destination, content: string, queueId: string): void {
    const localId = `${Date.now()}.${Math.floor(Math.random() * 1e9)}`;
    const message: Outgoing = { localId, queueId, to, content, at: Date.now(), state: "sending" };
    this.#put(message);
    void this.#run();
  }

  /** Sends a failed message as a new one. */
  retry(localId: string, queueId: string): void {
    const failed = this.store.value.find((one) => one.localId === localId);
    if (!failed) return;
    this.discard(localId);
    this.add(failed.to, failed.content, queueId);
  }

  discard(localId: string): void {
    this.#remove(localId);
    this.store.update((all) => all.filter((one) => one.localId !== localId));
  }

  /** The message has come back as an event, or is among those that were loaded. */
  arrived(id: number, localId?: string): void {
    this.#arrived.add(id);
    if (this.#arrived.size > MAX_ARRIVED) this.#arrived.delete(this.#arrived.values().next().value as number);
    for (const one of this.store.value) if (one.localId === localId || one.messageId === id) this.discard(one.localId);
  }

  /** The server can be reached again: what waits is sent at once. */
  wake(): void {
    this.#wake.abort();
    this.#wake = new AbortController();
  }

  stop(): void {
    this.#ended.abort();
    this.#wake.abort();
  }

  async #run(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    for (let attempt = 0; !this.#ended.signal.aborted; ) {
      const next = this.store.value.find(({ state }) => state === "sending" || state === "waiting");
      if (!next) break;
      try {
        const { id } = await this.#client.call("POST /messages", this.#inputOf(next), this.#ended.signal);
        if (this.#arrived.has(id)) this.discard(next.localId);
        else this.#change(next, { state: "sent", messageId: id });
        attempt = 0;
      } catch (error) {
        if (this.#ended.signal.aborted) break;
        if (error instanceof Refusal && !isPassing(error)) {
          this.#change(next, { state: "failed", error: error.message });
          attempt = 0;
          continue;
        }
        this.#change(next, { state: "waiting" });
        await pause(backOff(attempt), this.#wake.signal);
        attempt += 1;
        const isLate = Date.now() - next.at > REPEATABLE_MS;
        if (isLate) this.#change(next, { state: "failed" });
      }
    }
    this.#isSending = false;
  }

  #inputOf({ to, content, queueId, localId }: Outgoing) {
    const target =
      "channelId" in to
        ? { type: "stream" as const, to: to.channelId, topic: to.topic }
        : { type: "direct" as const, to: [...to.userIds] };
    return { ...target, content, queue_id: queueId, local_id: localId, read_by_sender: true };
  }

  #change({ localId }: Outgoing, change: Partial<Outgoing>): void {
    const before = this.store.value.find((one) => one.localId === localId);
    if (before) this.#put({ ...before, ...change });
  }

  #put(message: Outgoing): void {
    const others = this.store.value.filter(({ localId }) => localId !== message.localId);
    try {
      this.#storage.setItem(this.#prefix + message.localId, JSON.stringify(message));
    } catch {} // full, or forbidden: the page still has it
    this.store.set([...others, message].sort((a, b) => a.at - b.at));
  }

  #remove(localId: string): void {
    try {
      this.#storage.removeItem(this.#prefix + localId);
    } catch {} // forbidden
  }

  #load(): readonly Outgoing[] {
    const found: Outgoing[] = [];
    try {
      for (let at = 0; at < this.#storage.length; at += 1) {
        const key = this.#storage.key(at) ?? "";
        if (key.startsWith(this.#prefix)) found.push(JSON.parse(this.#storage.getItem(key) ?? "") as Outgoing);
      }
    } catch {} // storage may be forbidden, or hold what an older page wrote
    for (const { state, localId } of found) if (state === "sent") this.#remove(localId);
    return found
      .filter(({ state }) => state !== "sent")
      .map((one): Outgoing => (Date.now() - one.at > REPEATABLE_MS ? { ...one, state: "failed" } : one))
      .sort((a, b) => a.at - b.at);
  }
}

/** Whether the server is starting again, busy or out of room: the same send may succeed in a moment. */
const isPassing = ({ status }: Refusal): boolean => status === 503 || status === 507 || status === 429;
