import { type Answer, type Client, type Input, Refusal } from "../../../api/client.ts";
import { pause } from "../../../api/live.ts";
import { Store } from "../../../api/store.ts";

export type LogLine = Answer<"GET /host/logs">["lines"][number];
export type LogSearch = Pick<Input<"GET /host/logs">, "level" | "text">;

export interface FollowedLog {
  /** Newest first; undefined until the first answer. */
  readonly lines: readonly LogLine[] | undefined;
  /** Where older lines begin; null: there are none. */
  readonly next: number | null;
  /** Why the server did not answer the last time. */
  readonly error: unknown;
}

/** Lines that are kept while new ones come: older ones can be asked for again. */
const MAX_FOLLOWED = 2000;
const PAGE_SIZE = 100;
const RETRY_MS = 3000;

const EMPTY: FollowedLog = { lines: undefined, next: null, error: undefined };

/** The server's log as a page shows it: the newest lines that match, and each new one as it is written. */
export class LogFollower {
  readonly followed = new Store<FollowedLog>(EMPTY);
  readonly #client: Client;
  readonly #search: LogSearch;
  #newest: number | undefined;
  #following: AbortController | undefined;

  constructor(client: Client, search: LogSearch) {
    this.#client = client;
    this.#search = search;
  }

  /** Begins or goes on to follow; what was written meanwhile comes at once. */
  follow(): void {
    if (this.#following) return;
    this.#following = new AbortController();
    void this.#follow(this.#following.signal);
  }

  stop(): void {
    this.#following?.abort();
    this.#following = undefined;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const after = this.#newest;
        const asked = { ...this.#search, limit: PAGE_SIZE, ...(after !== undefined && { after }) };
        const { lines, next, newest } = await this.#client.call("GET /host/logs", asked, signal);
        if (signal.aborted) return;
        this.#newest = newest;
        this.followed.update((before) => ({
          lines: [...lines, ...(before.lines ?? [])].slice(0, MAX_FOLLOWED),
          next: before.lines && after !== undefined ? before.next : next,
          error: undefined,
        }));
      } catch (error) {
        if (signal.aborted) return;
        this.followed.update((before) => ({ ...before, error }));
        if (error instanceof Refusal && error.status < 500 && error.status !== 429) return;
        await pause(RETRY_MS, signal);
      }
    }
  }

  /** Adds a page of older lines. @throws Refusal, or what fetch throws. */
  async loadOlder(): Promise<void> {
    const { lines: shown = [], next } = this.followed.value;
    if (next === null) return;
    const before = shown.at(-1)?.id ?? next;
    const { lines, next: further } = await this.#client.call("GET /host/logs", {
      ...this.#search,
      limit: PAGE_SIZE,
      before: Math.min(before, next),
    });
    this.followed.update((now) => ({ ...now, lines: [...(now.lines ?? []), ...lines], next: further }));
  }
}
