import { type Client, Refusal } from "../../api/client.ts";
import { pause } from "../../api/live.ts";
import type { State } from "../../api/state-shape.ts";
import { Store } from "../../api/store.ts";
import type { ReportedProblem } from "../../locales/error-texts.ts";
import { type Narrow, narrowKey, termsOf } from "./narrow.ts";

export type Destination =
  | { readonly channelId: number; readonly topic: string }
  /** The other people of a direct conversation. Notes to self have the user's own id. */
  | { readonly userIds: readonly number[] };

/** An unsent message, stored in the browser until its event arrives. */
export interface Outgoing {
  readonly localId: string;
  /** The server recognizes repeated sends by this event queue of the first attempt. */
  readonly queueId: string;
  /** The newest message when the user sent it. The message's own id is higher. */
  readonly after: number;
  readonly to: Destination;
  readonly content: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** When it got another queue, because the server did not have it. */
  readonly renewedAt?: number;
  readonly state: "sending" | "waiting" | "sent" | "failed";
  readonly problem?: ReportedProblem;
  readonly messageId?: number;
}

/** localStorage, or a substitute in tests. */
export type BrowserStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/** How long the server recognizes a repeated send (docs/protocol.md#repeated-sends). */
const REPEATABLE_MS = 9 * 60_000;
/** The event can arrive before the response to the send. */
const MAX_ARRIVED = 500;
const backOff = (attempt: number) => Math.min(15_000, 500 * 2 ** attempt);

/** The user's newer messages in the conversation that are compared with a late message. */
const MAX_COMPARED = 500;

/**
 * Sends messages in order, and repeats each until the server has responded. The server stores each message exactly
 * once, and messages survive a reload.
 */
export class Outbox {
  readonly store: Store<readonly Outgoing[]>;
  readonly #client: Client;
  readonly #storage: BrowserStorage;
  readonly #userId: number;
  #queueId = "";
  #newestId = 0;
  #caughtUpTo = 0;
  /** Messages of this page that the server has. */
  readonly #sentIds = new Set<number>();
  /** Each message has its own key, because several tabs share the storage. */
  readonly #prefix: string;
  readonly #arrived = new Set<number>();
  readonly #ended = new AbortController();
  #isSending = false;
  #wake = new AbortController();

  constructor({ client, storage, userId }: { client: Client; storage: BrowserStorage; userId: number }) {
    this.#client = client;
    this.#storage = storage;
    this.#userId = userId;
    this.#prefix = `hearth-outbox-${userId}-`;
    this.store = new Store(this.#load());
    void this.#run();
  }

  follow({ queue_id = "", max_message_id = 0 }: State): void {
    this.#queueId = queue_id;
    this.#newestId = max_message_id;
  }

  add(to: Destination, content: string, queueId: string): void {
    const localId = `${Date.now()}.${Math.floor(Math.random() * 1e9)}`;
    const message: Outgoing = {
      localId,
      queueId,
      after: this.#newestId,
      to,
      content,
      at: Date.now(),
      // Messages are sent in order, so this one waits for the pending one.
      state: this.store.value.some(({ state }) => state === "waiting") ? "waiting" : "sending",
    };
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

  /** Feeds show all messages up to this id, so no more events will arrive for them. */
  caughtUp(newestId: number): void {
    this.#caughtUpTo = newestId;
    for (const { messageId, localId } of this.store.value)
      if (messageId !== undefined && messageId <= newestId) this.discard(localId);
  }

  /** Call for each message event. */
  arrived(id: number, localId?: string): void {
    this.#arrived.add(id);
    if (this.#arrived.size > MAX_ARRIVED) this.#arrived.delete(this.#arrived.values().next().value as number);
    for (const one of this.store.value) if (one.localId === localId || one.messageId === id) this.discard(one.localId);
  }

  /** Sends pending messages immediately. */
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
        const message = isRepeatable(next) ? next : await this.#renewed(next);
        if (!message) continue;
        const { id } = await this.#client.call("POST /messages", this.#inputOf(message), this.#ended.signal);
        this.#sentIds.add(id);
        if (this.#arrived.has(id) || id <= this.#caughtUpTo) this.discard(next.localId);
        else this.#change(next, { state: "sent", messageId: id });
        attempt = 0;
      } catch (error) {
        if (this.#ended.signal.aborted) break;
        if (error instanceof Refusal && !isPassing(error)) {
          this.#change(next, { state: "failed", problem: error.problem });
          attempt = 0;
          continue;
        }
        this.#change(next, { state: "waiting" });
        await pause(backOff(attempt), this.#wake.signal);
        attempt += 1;
      }
    }
    this.#isSending = false;
  }

  /**
   * Gives a message the current queue when the server no longer recognizes repetitions with the old one. Returns
   * undefined if the server already has the message. The local id stays, so that the server recognizes two tabs that do
   * this at the same time.
   */
  async #renewed(message: Outgoing): Promise<Outgoing | undefined> {
    const { to, content, after, localId } = message;
    const { messages } = await this.#client.call(
      "GET /messages",
      {
        anchor: String(after),
        include_anchor: false,
        num_before: 0,
        num_after: MAX_COMPARED,
        narrow: [...termsOf(conversationAt(to), this.#userId), { operator: "sender", operand: this.#userId }],
        apply_markdown: false,
        allow_empty_topic_name: true,
      },
      this.#ended.signal,
    );
    const found = messages.find((one) => !this.#sentIds.has(one.id) && one.content.trim() === content.trim());
    if (found) {
      this.#sentIds.add(found.id);
      this.discard(localId);
      return undefined;
    }
    const renewed: Outgoing = { ...message, queueId: this.#queueId, renewedAt: Date.now() };
    this.#put(renewed);
    return renewed;
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
    } catch {} // storage is full or forbidden: the page still has it
    this.store.set([...others, message].sort((a, b) => a.at - b.at));
  }

  #remove(localId: string): void {
    try {
      this.#storage.removeItem(this.#prefix + localId);
    } catch {} // storage is forbidden
  }

  #load(): readonly Outgoing[] {
    const found: Outgoing[] = [];
    try {
      for (let at = 0; at < this.#storage.length; at += 1) {
        const key = this.#storage.key(at) ?? "";
        if (key.startsWith(this.#prefix)) found.push(JSON.parse(this.#storage.getItem(key) ?? "") as Outgoing);
      }
    } catch {} // storage is forbidden, or has an old format
    for (const { state, localId } of found) if (state === "sent") this.#remove(localId);
    return found.filter(({ state }) => state !== "sent").sort((a, b) => a.at - b.at);
  }
}

export const conversationAt = (to: Destination): Narrow =>
  "channelId" in to ? { kind: "topic", ...to } : { kind: "direct", userIds: [...to.userIds].sort((a, b) => a - b) };

/** Whether a narrow shows messages to a destination. */
export function isFor(narrow: Narrow, to: Destination): boolean {
  if (narrow.kind === "channel") return "channelId" in to && to.channelId === narrow.channelId;
  return narrowKey(narrow) === narrowKey(conversationAt(to));
}

const isRepeatable = ({ at, renewedAt = at }: Outgoing): boolean => Date.now() - renewedAt < REPEATABLE_MS;

/** Whether the server is restarting, busy or full, so that a repeated send may succeed. */
const isPassing = ({ status }: Refusal): boolean => status === 503 || status === 507 || status === 429;
