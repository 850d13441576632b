/** Bytes of a page of the database, and of a block of its checksums. */
export const PAGE_SIZE = 4096;
/** Pages in one allocation. */
const PAGES_IN_SLAB = 64;

/** Pages in memory by their number, which counts from 0. */
export class Pages {
  readonly #slots = new Map<number, number>();
  readonly #slabs: Buffer[] = [];

  /** How many there are. */
  get count(): number {
    return this.#slots.size;
  }

  get bytes(): number {
    return this.#slots.size * PAGE_SIZE;
  }

  has(number: number): boolean {
    return this.#slots.has(number);
  }

  /** A view on the page: it changes with the next `set` of this page. */
  get(number: number): Uint8Array | undefined {
    const slot = this.#slots.get(number);
    return slot === undefined ? undefined : this.#at(slot);
  }

  set(number: number, page: Uint8Array): void {
    let slot = this.#slots.get(number);
    if (slot === undefined) {
      slot = this.#slots.size;
      if (slot === this.#slabs.length * PAGES_IN_SLAB)
        this.#slabs.push(Buffer.allocUnsafeSlow(PAGES_IN_SLAB * PAGE_SIZE));
      this.#slots.set(number, slot);
    }
    this.#at(slot).set(page);
  }

  #at(slot: number): Uint8Array {
    const start = (slot % PAGES_IN_SLAB) * PAGE_SIZE;
    return (this.#slabs[Math.floor(slot / PAGES_IN_SLAB)] as Buffer).subarray(start, start + PAGE_SIZE);
  }

  /** Ascending. */
  numbers(): number[] {
    return [...this.#slots.keys()].sort((a, b) => a - b);
  }
}
