import type { Client } from "../../api/client.ts";
import type { State, WireEvent } from "../../api/state-shape.ts";
import { Feed } from "./feed.ts";
import type { Message, Viewer } from "./feed-state.ts";
import { type CopyStorage, withoutSecrets } from "./offline-copy.ts";

export interface OfflineCopierOptions {
  client: Client;
  viewer: Viewer;
  storage: CopyStorage;
  /** What is to be copied, as it is now. */
  source: { readonly state: State | undefined; readonly feeds: Iterable<Feed> };
  /** Whether anything is to be copied. */
  isOn?: boolean;
  /** Milliseconds until the first copy, and between two. */
  firstMs?: number;
  everyMs?: number;
}

/** A page that was closed soon needs no copy, and one that opens has better things to do. */
const FIRST_MS = 5_000;
const EVERY_MS = 60_000;
const MAX_MESSAGES = 1_500;

/** Writes now and then what the page would need without the server: its state, the newest messages and those opened. */
export class OfflineCopier {
  readonly #options: OfflineCopierOptions;
  /** The newest messages of all conversations. */
  readonly #newest: Feed;
  readonly #first: ReturnType<typeof setTimeout> | undefined;
  readonly #repeated: ReturnType<typeof setInterval> | undefined;
  #copied: State | undefined;

  constructor(options: OfflineCopierOptions) {
    const { client, viewer, isOn = true, firstMs = FIRST_MS, everyMs = EVERY_MS } = options;
    this.#options = options;
    this.#newest = new Feed(client, { kind: "feed" }, viewer);
    if (!isOn) return;
    this.#first = setTimeout(() => void this.#begin(), firstMs);
    this.#repeated = setInterval(() => void this.copy(), everyMs);
  }

  apply(event: WireEvent): void {
    this.#newest.apply(event);
  }

  /** After a break in which events may have been missed. */
  reload(): void {
    if (this.#newest.store.value.isLoaded) void this.#newest.reload();
  }

  /** Writes the copy, unless nothing has changed since the last one. */
  async copy(): Promise<void> {
    const { source, storage, viewer } = this.#options;
    const { state, feeds } = source;
    if (!state || state === this.#copied || !this.#newest.store.value.isLoaded) return;
    this.#copied = state;
    const found = new Map<number, Message>();
    for (const { store } of [this.#newest, ...feeds])
      for (const message of store.value.messages) found.set(message.id, message);
    const messages = [...found.values()].sort((a, b) => a.id - b.id).slice(-MAX_MESSAGES);
    await storage.write({ userId: viewer.userId, state: withoutSecrets(state), messages, at: Date.now() });
  }

  stop(): void {
    clearTimeout(this.#first);
    clearInterval(this.#repeated);
  }

  async #begin(): Promise<void> {
    await this.#newest.open("newest");
    await this.#newest.loadOlder();
    await this.copy();
  }
}
