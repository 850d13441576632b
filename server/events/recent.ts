import type { Published, Store } from "../storage/store.ts";
import { Delivery } from "./delivery.ts";

/** A stretch of events read back from the log: all after one id through another. */
interface Stretch {
  after: number;
  through: number;
  events: Delivery[];
  weight: number;
}

/** The newest events, in memory with their JSON; older ones come from the log. Ids ascend, with gaps. */
export class RecentEvents {
  readonly #store: Store;
  readonly #limits: { recentEvents: number; recentBytes: number };
  #events: Delivery[] = [];
  #first = 0;
  #weight = 0;
  /** Everything after this id is in memory. */
  #after: number;
  /** What was last read back: after a restart many clients are behind at the same place, and reading costs 40 ms. */
  #back: Stretch | undefined;
  /** The newest published id. */
  #last: number;

  constructor(store: Store, limits: { recentEvents: number; recentBytes: number }) {
    this.#store = store;
    this.#limits = limits;
    this.#after = this.#last = store.lastEventId;
  }

  get last(): number {
    return this.#last;
  }

  push(published: readonly Published[]): Delivery[] {
    const deliveries = published.map((event) => new Delivery(event));
    for (const delivery of deliveries) {
      this.#events.push(delivery);
      this.#weight += delivery.weight;
      this.#last = delivery.id;
    }
    const { recentEvents, recentBytes } = this.#limits;
    while (this.#weight > recentBytes || this.#events.length - this.#first > recentEvents) {
      const oldest = this.#events[this.#first] as Delivery;
      this.#weight -= oldest.weight;
      this.#after = oldest.id;
      this.#first += 1;
    }
    if (this.#first > 1000 && this.#first > this.#events.length / 2) {
      this.#events = this.#events.slice(this.#first);
      this.#first = 0;
    }
    return deliveries;
  }

  /** Published events after `id`, oldest first; read from the log as far as they are no longer in memory. */
  *after(id: number): Generator<Delivery> {
    for (let at = id; at < this.#after; ) {
      const stretch = this.#readBack(at);
      for (let index = firstAfter(stretch.events, at); index < stretch.events.length; index += 1) {
        const delivery = stretch.events[index] as Delivery;
        if (delivery.id <= this.#after) yield delivery;
      }
      at = stretch.through;
    }
    // Not from where the log's reading ended: that may lie beyond what is no longer in memory.
    for (let index = firstAfter(this.#events, id, this.#first); index < this.#events.length; index += 1) {
      yield this.#events[index] as Delivery;
    }
  }

  /** Called when no queue needs anything that is no longer in memory. */
  dropReadBack(): void {
    this.#back = undefined;
  }

  /** Whether events after `id` are in memory, all of them. */
  holdsAllAfter(id: number): boolean {
    return id >= this.#after;
  }

  #readBack(at: number): Stretch {
    const known = this.#back;
    if (known && known.after <= at && at < known.through) return known;
    const { events, through: end } = this.#store.eventsInLog(at, 1000);
    // Where the log has no more, what follows was never logged: heartbeats, and ids that a crash left unused.
    const through = end > at ? end : this.#after;
    const deliveries = events.map((event) => new Delivery(event));
    const weight = deliveries.reduce((sum, delivery) => sum + delivery.weight, 0);
    if (known && known.through === at && known.weight + weight <= this.#limits.recentBytes) {
      for (const delivery of deliveries) known.events.push(delivery);
      known.weight += weight;
      known.through = through;
      return known;
    }
    this.#back = { after: at, through, events: deliveries, weight };
    return this.#back;
  }
}

/** By halving: where ids greater than `id` begin. */
function firstAfter(events: readonly Delivery[], id: number, from = 0): number {
  let [low, high] = [from, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle] as Delivery).id <= id) low = middle + 1;
    else high = middle;
  }
  return low;
}
