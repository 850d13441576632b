import { deleteExpiredMessages } from "../actions/message-deletions.ts";
import { believeClock } from "../actions/retention.ts";
import { expiredFrom, expiryAt, newestMessageId } from "../queries/retention.ts";
import type { Store } from "../storage/store.ts";

const SLICE_MS = 20;
const EXPIRED = { actor: null, action: "delete expired messages" };
/** How many messages one transaction deletes: more where that is quick, so that a slice holds several. */
const BATCH = { first: 16, most: 256, quickMs: 4, slowMs: 10 };

/**
 * Deletes messages that are older than their channel, or the organization, keeps them: a round every hour through all
 * that there are, in slices. What it has done is in the log; a round that a stop cuts short begins anew.
 */
export class Retention {
  readonly #store: Store;
  readonly #now: () => number;
  #due = 0;
  #round: { readonly begunAt: number; next: number } | undefined;
  #batch = BATCH.first;
  /** Milliseconds that the last transaction took. */
  #took = 0;

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Whether more is to be looked at at once. */
  get isAtWork(): boolean {
    return this.#round !== undefined;
  }

  /** One slice; nothing where no round is due. */
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

  #begin(now: number): { begunAt: number; next: number } | undefined {
    // A time further away than a whole wait was set before the clock went back.
    if (now < this.#due && this.#due <= now + HOUR_MS) return undefined;
    this.#due = now + HOUR_MS;
    if (expiryAt(this.#store.reader, now).latest === Number.NEGATIVE_INFINITY) return undefined;
    if (!this.#store.transact(EXPIRED, (tx) => believeClock(tx, now))) return undefined;
    return { begunAt: now, next: 1 };
  }

  #slice(round: { readonly begunAt: number; next: number }, now: number): void {
    const { reader } = this.#store;
    const end = performance.now() + SLICE_MS;
    // As settings are now; the time is the one that was believed.
    const expiry = expiryAt(reader, Math.min(round.begunAt, now));
    let deleted = false;
    do {
      const { ids, next } = expiredFrom(reader, expiry, round.next);
      while (ids.length > 0) {
        // Some progress in any slice, however slow the machine is.
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

  /** Deletes the first of these, and takes them from the list. Returns the last that is gone. */
  #delete(ids: number[]): number {
    const begun = performance.now();
    const batch = ids.splice(0, this.#batch);
    this.#store.transact(EXPIRED, (tx) => deleteExpiredMessages(tx, batch));
    this.#took = performance.now() - begun;
    if (this.#took < BATCH.quickMs) this.#batch = Math.min(this.#batch * 2, BATCH.most);
    if (this.#took > BATCH.slowMs) this.#batch = Math.max(Math.floor(this.#batch / 2), 1);
    return batch.at(-1) as number;
  }
}

export const HOUR_MS = 3_600_000;
