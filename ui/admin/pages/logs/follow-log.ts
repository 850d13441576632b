import { type Answer, type Client, type Input, Refusal } from "../../../api/client.ts";
import { pause } from "../../../api/live.ts";
import { Store } from "../../../api/store.ts";

export type LogLine = Answer<"GET /host/logs">["lines"][number];
export type LogSearch = Pick<Input<"GET /host/logs">, "level" | "text">;

export interface FollowedLog {
  /** Newest first; undefined until the first response. */
  readonly lines: readonly LogLine[] | undefined;
  /** The position of older lines; null if there are none. */
  readonly next: number | null;
  /** The error of the last request. */
  readonly error: unknown;
}

/** The limit of lines in memory; older ones can be loaded again. */
const MAX_FOLLOWED = 2000;
const PAGE_SIZE = 100;
const RETRY_MS = 3000;

const EMPTY: FollowedLog = { lines: undefined, next: null, error: undefined };

/** Follows the server's log: the newest matching lines and each new line. */
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

  /** Starts or resumes, with the lines that were missed. */
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

  /** @throws Refusal, or an error of fetch. */
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
