import { type Client, Refusal } from "../../api/client.ts";
import type { WireEvent } from "../../api/state-shape.ts";
import { Store } from "../../api/store.ts";
import { EMPTY_FEED, type FeedState, feedAfter, MAX_LOADED, type Message, shows, type Viewer } from "./feed-state.ts";
import { isReadInOrder, type Narrow, termsOf } from "./narrow.ts";
import { SPECTATOR_ID } from "./spectating.ts";

const PAGE = 60;
/** Messages on each side at first: more than a window shows, but few to render before the first paint. */
const FIRST_PAGE = 40;
/** Messages per render while the user scrolls, so that no frame waits for a whole page. */
const SLICE = 15;
/** Batches requests about messages that arrive together. */
const CHECK_AFTER_MS = 300;

/** The messages of one narrow: loads them at both ends and follows the events. */
export class Feed {
  readonly narrow: Narrow;
  readonly store = new Store<FeedState>(EMPTY_FEED);
  readonly #client: Client;
  readonly #viewer: Viewer;
  readonly #stored: readonly Message[];
  /** Responses to earlier loads are ignored. */
  #load = 0;
  #isLoadingMore = false;
  #near: number | "newest" | undefined;
  #openedNear: number | "newest" | undefined;
  /** The events since each running request began. */
  readonly #missed = new Set<WireEvent[]>();
  /** Messages that a search may find. */
  readonly #unchecked = new Set<number>();
  #checkTimer: ReturnType<typeof setTimeout> | undefined;

  /** `stored` are messages of the offline copy, shown while the server is unreachable. */
  constructor(client: Client, narrow: Narrow, viewer: Viewer, stored: readonly Message[] = []) {
    this.#client = client;
    this.narrow = narrow;
    this.#viewer = viewer;
    this.#stored = stored;
  }

  /** The `near` of the last `open` that has ended. */
  get openedNear(): number | "newest" | undefined {
    return this.#openedNear;
  }

  has(id: number): boolean {
    return this.store.value.messages.some((message) => message.id === id);
  }

  /** Loads around a message, or else the first unread message, or in some views the newest one. */
  async open(near?: number | "newest"): Promise<void> {
    const load = ++this.#load;
    this.#near = near;
    this.#clearError();
    const anchor = near !== undefined ? String(near) : this.#readsOn ? "first_unread" : "newest";
    const missed = this.#recordEvents();
    try {
      const answer = await this.#fetch(anchor, { num_before: FIRST_PAGE, num_after: FIRST_PAGE, include_anchor: true });
      if (load !== this.#load) return;
      this.#openedNear = near;
      const { messages } = answer;
      this.store.set(
        this.#after(missed, {
          messages,
          foundOldest: answer.found_oldest ?? false,
          foundNewest: answer.found_newest ?? false,
          isLoaded: true,
          firstUnread: this.#firstUnreadOf(messages),
          error: undefined,
        }),
      );
    } catch (error) {
      if (load !== this.#load) return;
      this.#openedNear = near;
      this.store.update((feed) => this.#withoutServer(feed, error));
    } finally {
      this.#missed.delete(missed);
    }
  }

  /**
   * Call this before a loaded feed is shown again. It moves the line above the first message that is unread now. If that
   * message or the message `at` is not loaded, it empties the feed, so that `open` loads it again.
   */
  comeBack(at: number | undefined, isSeen: (id: number) => boolean): void {
    const { messages, isLoaded, foundOldest, foundNewest, error } = this.store.value;
    if (!isLoaded || !this.#readsOn) return;
    const firstUnread = this.#firstUnreadOf(messages.filter(({ id }) => !isSeen(id)));
    // Other unread messages may be before the first loaded message and after the last.
    const isComplete = firstUnread === undefined ? foundNewest : foundOldest || firstUnread !== messages[0]?.id;
    if (isComplete || error !== undefined || (at !== undefined && this.has(at)))
      this.store.update((feed) => ({ ...feed, firstUnread }));
    else {
      this.#load += 1;
      this.store.set(EMPTY_FEED);
    }
  }

  get #readsOn(): boolean {
    return isReadInOrder(this.narrow) && this.#viewer.userId !== SPECTATOR_ID;
  }

  #firstUnreadOf(messages: readonly Message[]): number | undefined {
    if (!this.#readsOn) return undefined;
    return messages.find(({ flags, sender_id }) => !flags.includes("read") && sender_id !== this.#viewer.userId)?.id;
  }

  /** Empties the feed and loads it again, after the user's access has changed. */
  reset(): void {
    if (!this.store.value.isLoaded && this.store.value.error === undefined) return;
    this.store.set(EMPTY_FEED);
    void this.open();
  }

  /** Repeats a failed load. */
  retry(): void {
    const { error, failed, isLoaded } = this.store.value;
    if (error === undefined) return;
    if (!isLoaded) void this.open();
    else if (failed === undefined) void this.reload();
    else {
      this.#clearError();
      void (failed === "older" ? this.loadOlder() : this.loadNewer());
    }
  }

  #clearError(): void {
    if (this.store.value.error === undefined) return;
    this.store.update((feed) => ({ ...feed, error: undefined, failed: undefined }));
  }

  /** Loads the shown messages again. Call when events may be missing. */
  async reload(): Promise<void> {
    const { messages, isLoaded, foundNewest, firstUnread } = this.store.value;
    if (!isLoaded) return this.open(this.#near);
    const middle = foundNewest ? messages.at(-1) : messages[Math.floor(messages.length / 2)];
    await this.open(middle?.id);
    this.store.update((feed) => ({ ...feed, firstUnread }));
  }

  /** Does nothing between a failure and `retry`, because each scroll event calls this. */
  async loadOlder(): Promise<void> {
    const { messages, foundOldest, error } = this.store.value;
    const first = messages[0];
    if (foundOldest || !first || error !== undefined) return;
    await this.#loadMore(
      { anchor: first.id, num_before: PAGE, num_after: 0 },
      (left) => left.splice(-SLICE),
      (feed, older, isEnd) => {
        const all = [...older, ...feed.messages];
        const kept = all.slice(0, MAX_LOADED);
        const foundNewest = feed.foundNewest && kept.length === all.length;
        return { ...feed, messages: kept, foundOldest: isEnd, foundNewest };
      },
    );
  }

  async loadNewer(): Promise<void> {
    const { messages, foundNewest, error } = this.store.value;
    const last = messages.at(-1);
    if (foundNewest || !last || error !== undefined) return;
    await this.#loadMore(
      { anchor: last.id, num_before: 0, num_after: PAGE },
      (left) => left.splice(0, SLICE),
      (feed, newer, isEnd) => {
        const all = [...feed.messages, ...newer];
        const kept = all.slice(-MAX_LOADED);
        const foundOldest = feed.foundOldest && kept.length === all.length;
        return { ...feed, messages: kept, foundNewest: isEnd, foundOldest };
      },
    );
  }

  apply(event: WireEvent): void {
    if (this.narrow.kind === "search") this.#checkSoon(event);
    for (const missed of this.#missed) missed.push(event);
    const next = feedAfter(this.store.value, this.narrow, event, this.#viewer);
    if (next === "reload") void this.reload();
    else this.store.set(next);
  }

  /**
   * Events can arrive before an older response. So events during a request are applied to its response again, which
   * changes nothing if the response has them.
   */
  #recordEvents(): WireEvent[] {
    const missed: WireEvent[] = [];
    this.#missed.add(missed);
    return missed;
  }

  /** Ignores events that need a reload, because `apply` has started it. */
  #after(missed: readonly WireEvent[], feed: FeedState): FeedState {
    return missed.reduce((before, event) => {
      const next = feedAfter(before, this.narrow, event, this.#viewer);
      return next === "reload" ? before : next;
    }, feed);
  }

  /** Only the server knows whether a search finds a new or changed message. */
  #checkSoon(event: WireEvent): void {
    const isChange = event.type === "update_message" && !event.rendering_only;
    const ids = event.type === "message" ? [event.message.id] : isChange ? event.message_ids : [];
    if (!this.store.value.isLoaded || ids.length === 0) return;
    for (const id of ids) this.#unchecked.add(id);
    this.#checkTimer ??= setTimeout(() => void this.#checkWithServer(), CHECK_AFTER_MS);
  }

  async #checkWithServer(): Promise<void> {
    this.#checkTimer = undefined;
    const asked = new Set([...this.#unchecked].slice(-MAX_LOADED));
    this.#unchecked.clear();
    const load = this.#load;
    const input = {
      message_ids: [...asked],
      narrow: termsOf(this.narrow, this.#viewer.userId),
      allow_empty_topic_name: true,
    };
    const missed = this.#recordEvents();
    const answer = await this.#client.call("GET /messages", input).catch(() => undefined); // the next `open` shows them
    this.#missed.delete(missed);
    if (!answer || load !== this.#load) return;
    this.store.update((feed) => {
      const first = feed.foundOldest ? 0 : (feed.messages[0]?.id ?? 0);
      const last = feed.foundNewest ? Number.POSITIVE_INFINITY : (feed.messages.at(-1)?.id ?? 0);
      const found = answer.messages.filter(({ id }) => id >= first && id <= last);
      const others = feed.messages.filter(({ id }) => !asked.has(id));
      if (found.length === 0 && others.length === feed.messages.length) return feed;
      const messages = [...others, ...found].sort((a, b) => a.id - b.id);
      const kept = messages.slice(-MAX_LOADED);
      const foundOldest = feed.foundOldest && kept.length === messages.length;
      return this.#after(missed, { ...feed, messages: kept, foundOldest });
    });
  }

  #withoutServer(feed: FeedState, error: unknown): FeedState {
    const isAnswered = error instanceof Refusal;
    const messages = isAnswered ? [] : this.#stored.filter((one) => shows(this.narrow, one, this.#viewer));
    if (feed.isLoaded || messages.length === 0) return { ...feed, error };
    return { messages, foundOldest: false, foundNewest: true, isLoaded: true, firstUnread: undefined, error };
  }

  /** `take` removes the next slice from the rest of the response; `merge` adds it to the feed. */
  async #loadMore(
    { anchor, ...counts }: { anchor: number; num_before: number; num_after: number },
    take: (left: Message[]) => Message[],
    merge: (feed: FeedState, slice: Message[], isEnd: boolean) => FeedState,
  ): Promise<void> {
    if (this.#isLoadingMore) return;
    this.#isLoadingMore = true;
    const load = this.#load;
    const missed = this.#recordEvents();
    try {
      const answer = await this.#fetch(String(anchor), { ...counts, include_anchor: false });
      const foundEnd = (counts.num_before > 0 ? answer.found_oldest : answer.found_newest) ?? false;
      const left = [...answer.messages];
      while (load === this.#load) {
        const slice = take(left);
        const isLast = left.length === 0;
        this.store.update((feed) => {
          const known = new Set(feed.messages.map(({ id }) => id));
          const fresh = slice.filter(({ id }) => !known.has(id));
          return this.#after(missed, {
            ...merge(feed, fresh, isLast && foundEnd),
            error: undefined,
            failed: undefined,
          });
        });
        if (isLast) return;
        await new Promise((resolve) => setTimeout(resolve));
      }
    } catch (error) {
      const failed = counts.num_before > 0 ? "older" : "newer";
      if (load === this.#load) this.store.update((feed) => ({ ...feed, error, failed }));
    } finally {
      this.#missed.delete(missed);
      this.#isLoadingMore = false;
    }
  }

  #fetch(anchor: string, counts: { num_before: number; num_after: number; include_anchor: boolean }) {
    return this.#client.call("GET /messages", {
      anchor,
      ...counts,
      narrow: termsOf(this.narrow, this.#viewer.userId),
      allow_empty_topic_name: true,
    });
  }
}
