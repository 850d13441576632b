import { deleteExpiredMessages } from "../api/actions/message-deletions.ts";
import { trustClock } from "../api/actions/retention.ts";
import { expiredFrom, expiryAt, newestMessageId } from "../api/queries/retention.ts";
import type { Store } from "../storage/store.ts";

const SLICE_MS = 20;
const EXPIRED = { actor: null, action: "delete expired messages" };
/** How many messages one transaction deletes: adapted so that a slice holds several transactions. */
const BATCH = { first: 16, max: 256, quickMs: 4, slowMs: 10 };

/**
 * Deletes messages whose retention period, set by their channel or the organization, is over. Every hour a round goes
 * through all messages in slices. After a restart the round starts again; what it deleted stays deleted.
 */
export class Retention {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #monotonic: () => number;
  /** When the next round begins, by the monotonic clock. */
  #due = Number.NEGATIVE_INFINITY;
  #round: { readonly startedAt: number; next: number } | undefined;
  #batch = BATCH.first;
  /** Milliseconds that the last transaction took. */
  #took = 0;

  constructor(store: Store, now: () => number, monotonic = now) {
    this.#store = store;
    this.#now = now;
    this.#monotonic = monotonic;
  }

  /** Whether a round is under way. */
  get isAtWork(): boolean {
    return this.#round !== undefined;
  }

  /** Does one slice, if a round is due. */
  work(): void {
    const now = this.#now();
    this.#round ??= this.#begin(now);
    if (!this.#round) return;
    try {
      this.#slice(this.#round, now);
    } catch (error) {
      this.#round = undefined;
      throw error;
    }
  }

  #begin(now: number): { startedAt: number; next: number } | undefined {
    if (this.#monotonic() < this.#due) return undefined;
    this.#due = this.#monotonic() + HOUR_MS;
    if (expiryAt(this.#store.reader, now).latest === Number.NEGATIVE_INFINITY) return undefined;
    if (!this.#store.transact(EXPIRED, (tx) => trustClock(tx, now))) return undefined;
    return { startedAt: now, next: 1 };
  }

  #slice(round: { readonly startedAt: number; next: number }, now: number): void {
    const { reader } = this.#store;
    const end = performance.now() + SLICE_MS;
    // With the present settings, but the time that was trusted at the start.
    const expiry = expiryAt(reader, Math.min(round.startedAt, now));
    let deleted = false;
    do {
      const { ids, next } = expiredFrom(reader, expiry, round.next);
      while (ids.length > 0) {
        // Each slice deletes at least one batch, however slow the machine is.
        if (deleted && performance.now() + this.#took > end) return;
        round.next = this.#delete(ids) + 1;
        deleted = true;
      }
      round.next = next;
      if (next > newestMessageId(reader)) {
        this.#round = undefined;
        return;
      }
    } while (performance.now() < end);
  }

  /** Deletes the first of these and removes them from the list. Returns the last deleted id. */
  #delete(ids: number[]): number {
    const start = performance.now();
    const batch = ids.splice(0, this.#batch);
    this.#store.transact(EXPIRED, (tx) => deleteExpiredMessages(tx, batch));
    this.#took = performance.now() - start;
    if (this.#took < BATCH.quickMs) this.#batch = Math.min(this.#batch * 2, BATCH.max);
    if (this.#took > BATCH.slowMs) this.#batch = Math.max(Math.floor(this.#batch / 2), 1);
    return batch.at(-1) as number;
  }
}

export const HOUR_MS = 3_600_000;
