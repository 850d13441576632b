/** Bots without an owner share one turn, like the bots of one person. */
export const NO_OWNER = 0;

/**
 * Slots that many owners share. Owners take turns, and an owner gets another slot only while they hold fewer than are
 * free. So one owner alone gets half of the slots, two get a third each, and a slot stays free for the next owner.
 */
export class OwnerTurns<Item> {
  readonly #size: number;
  /** By owner. The next owner comes first. */
  readonly #waiting = new Map<number, Set<Item>>();
  /** Items that have a slot, with their owners. */
  readonly #holding = new Map<Item, number>();

  constructor(size: number) {
    this.#size = size;
  }

  /** How many slots are taken. */
  get held(): number {
    return this.#holding.size;
  }

  /** Whether `take` would return something. */
  get hasNext(): boolean {
    return this.#nextOwner() !== undefined;
  }

  /** Ignores an item that already has a slot. */
  add(owner: number, item: Item): void {
    if (this.#holding.has(item)) return;
    const items = this.#waiting.get(owner);
    if (items) items.add(item);
    else this.#waiting.set(owner, new Set([item]));
  }

  /** Gives the next item a slot, until it is released. */
  take(): Item | undefined {
    const owner = this.#nextOwner();
    if (owner === undefined) return undefined;
    const items = this.#waiting.get(owner) as Set<Item>;
    const [item] = items as Iterable<Item> as [Item];
    items.delete(item);
    this.#waiting.delete(owner);
    if (items.size > 0) this.#waiting.set(owner, items);
    this.#holding.set(item, owner);
    return item;
  }

  release(item: Item): void {
    this.#holding.delete(item);
  }

  /** Removes all waiting items. */
  clear(): void {
    this.#waiting.clear();
  }

  #nextOwner(): number | undefined {
    const free = this.#size - this.#holding.size;
    const held = new Map<number, number>();
    for (const owner of this.#holding.values()) held.set(owner, (held.get(owner) ?? 0) + 1);
    for (const owner of this.#waiting.keys()) if ((held.get(owner) ?? 0) < free) return owner;
    return undefined;
  }
}
