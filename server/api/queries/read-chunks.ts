import type { Reader } from "../../storage/transaction.ts";

interface Bits {
  bits: Uint8Array;
  /** Whether the row in read_chunks has all of them. */
  saved: boolean;
}

const isSet = (bits: Uint8Array, chunk: number): boolean => ((bits[chunk >> 3] ?? 0) & (1 << (chunk & 7))) !== 0;

/**
 * The chunks (queries/message-index.ts) in which a user has no unread messages, so that years of read messages need no
 * scan. Only marking a message as unread removes a chunk: when a user leaves a channel, its messages are marked as
 * read. Memory has every chunk that a row has.
 */
export class ReadChunks {
  readonly #users = new Map<number, Bits>();

  has(reader: Reader, userId: number, chunk: number): boolean {
    return isSet(this.#of(reader, userId).bits, chunk);
  }

  /** Outside transactions only, and only for a chunk that gets no more messages. */
  add(reader: Reader, userId: number, chunk: number): void {
    const own = this.#of(reader, userId);
    if (isSet(own.bits, chunk)) return;
    if (chunk >> 3 >= own.bits.length) {
      const longer = new Uint8Array((chunk >> 3) + 1);
      longer.set(own.bits);
      own.bits = longer;
    }
    own.bits[chunk >> 3] = (own.bits[chunk >> 3] as number) | (1 << (chunk & 7));
    own.saved = false;
  }

  /** Call this after a transaction that marked messages in the chunk as unread and deleted the user's row. */
  delete(userId: number, chunk: number): void {
    const own = this.#users.get(userId);
    if (!own || !isSet(own.bits, chunk)) return;
    own.bits[chunk >> 3] = (own.bits[chunk >> 3] as number) & ~(1 << (chunk & 7));
    own.saved = false;
  }

  /** Call this after a transaction that deleted the user's row. */
  forget(userId: number): void {
    this.#users.delete(userId);
  }

  /** The bits of users whose rows are incomplete, at most `max`. */
  unsaved(max: number): { userId: number; bits: Uint8Array }[] {
    const found: { userId: number; bits: Uint8Array }[] = [];
    for (const [userId, { bits, saved }] of this.#users) {
      if (saved) continue;
      found.push({ userId, bits });
      if (found.length >= max) break;
    }
    return found;
  }

  /** Call this after a transaction that wrote the user's row. */
  saved(userId: number): void {
    const own = this.#users.get(userId);
    if (own) own.saved = true;
  }

  #of(reader: Reader, userId: number): Bits {
    let own = this.#users.get(userId);
    if (!own) {
      const stored = reader.value<Uint8Array>("SELECT bits FROM read_chunks WHERE user_id = ?", userId);
      own = { bits: stored ?? new Uint8Array(), saved: true };
      this.#users.set(userId, own);
    }
    return own;
  }
}
