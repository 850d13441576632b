import type { Published, Store } from "../storage/store.ts";
import { Delivery } from "./delivery.ts";

/** The newest events, in memory with their JSON; older ones come from the log. Ids ascend, with gaps. */
export class RecentEvents {
  readonly #store: Store;
  readonly #limits: { recentEvents: number; recentBytes: number };
  #events: Delivery[] = [];
  #first = 0;
  #weight = 0;
  /** Everything after this id is in memory. */
  #after: number;
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
    let at = id;
    while (at < this.#after) {
      const { events, through } = this.#store.eventsInLog(at, 1000);
      for (const event of events) if (event.id <= this.#after) yield new Delivery(event);
      if (through <= at) break;
      at = through;
    }
    let low = this.#first;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle] as Delivery).id <= Math.max(at, id)) low = middle + 1;
      else high = middle;
    }
    for (let index = low; index < this.#events.length; index += 1) yield this.#events[index] as Delivery;
  }
}
