import type { Client } from "../../api/client.ts";
import type { State, WireEvent } from "../../api/state-shape.ts";
import { Feed } from "./feed.ts";
import type { Message, Viewer } from "./feed-state.ts";
import { type CopyStorage, withoutSecrets } from "./offline-copy.ts";

export interface OfflineCopierOptions {
  client: Client;
  viewer: Viewer;
  storage: CopyStorage;
  /** The current state and feeds. */
  source: { readonly state: State | undefined; readonly feeds: Iterable<Feed> };
  isOn?: boolean;
  /** The time before the first copy and between copies. */
  firstMs?: number;
  everyMs?: number;
}

/** A page that closes soon needs no copy, and the page loads more important data first. */
const FIRST_MS = 5_000;
const EVERY_MS = 60_000;
const MAX_MESSAGES = 1_500;

/** Regularly copies the state, the newest messages and opened feeds for use without the server. */
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

  /** Call when events may be missing. */
  reload(): void {
    if (this.#newest.store.value.isLoaded) void this.#newest.reload();
  }

  /** Does nothing if the state has not changed. */
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
