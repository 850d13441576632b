import type { Published, Store } from "../storage/store.ts";
import type { Event } from "./catalogue.ts";
import { type EventSecrets, type FormOptions, wireForm } from "./forms.ts";

/** Fields of an event as JSON text without braces, ending in a comma. */
const inner = (fields: object): string => {
  const text = JSON.stringify(fields);
  return text === "{}" ? "" : `${text.slice(1, -1)},`;
};

/** About how many bytes the texts and lists of ids in a value take. An edit or a move can be as large as a message. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return 3 * value.length;
  if (typeof value !== "object" || value === null) return 0;
  if (Array.isArray(value) && typeof value[0] === "number") return 16 * value.length;
  return Object.values(value).reduce<number>((sum, part) => sum + sizeOf(part), 0);
}

// Messages of channels that the user is not subscribed to count as read.
const NOT_RECEIVED = { flags: ["read", "historical"] };

/** The fields that differ for this user, who may get the event through `all_public_streams` alone. */
export function overridesFor(published: Published, userId: number): Readonly<Record<string, unknown>> | undefined {
  const own = published.perUserOverrides?.get(userId);
  return own || !published.alsoAllPublic || published.users.has(userId) ? own : NOT_RECEIVED;
}

/** A published event and its JSON, which is created once for each form and shared by all queues. */
export class Delivery {
  readonly #secrets: EventSecrets;
  readonly published: Published;
  readonly id: number;
  readonly #complete = new Map<string, string>();
  readonly #common = new Map<string, string>();

  constructor(published: Published, secrets: EventSecrets) {
    this.#secrets = secrets;
    this.published = published;
    this.id = published.id;
  }

  get event(): Event {
    return this.published.event as Event;
  }

  /** About how many bytes of memory the event takes. */
  get weight(): number {
    const { event } = this;
    if (event.type === "message") return 2500 + 3 * (event.raw_content.length + event.message.content.length);
    if (event.type === "stream") return 4000 + sizeOf(event);
    if (event.type === "subscription" && event.op === "add") return 4000 * event.subscriptions.length + sizeOf(event);
    return 600 + sizeOf(event);
  }

  /** The event as this user's queue gets it. */
  json(queueId: string, userId: number, options: FormOptions): string {
    const { event, published } = this;
    const { key, make } = wireForm(event, { options, userId, secrets: this.#secrets });
    const own = overridesFor(published, userId);
    const origin = published.origin?.queueId === queueId ? published.origin.fields : undefined;
    if (!own && !origin) {
      let complete = this.#complete.get(key);
      if (complete === undefined) {
        complete = `{${inner(make())}"id":${this.id}}`;
        this.#complete.set(key, complete);
      }
      return complete;
    }
    // A person's own fields replace fields of the common text, which is cached without them.
    const replaced = Object.keys(own ?? {});
    const commonKey = `${key}/${replaced.join()}`;
    let common = this.#common.get(commonKey);
    if (common === undefined) {
      const fields = Object.entries(make()).filter(([field]) => !replaced.includes(field));
      common = `{${inner(Object.fromEntries(fields))}`;
      this.#common.set(commonKey, common);
    }
    return `${common}${own ? inner(own) : ""}${origin ? inner(origin) : ""}"id":${this.id}}`;
  }
}

/** A range of events read back from the log: all after one id through another. */
interface Range {
  after: number;
  through: number;
  events: Delivery[];
  weight: number;
}

/** The newest events, in memory with their JSON; older ones are read from the log. Ids ascend, with gaps. */
export class RecentEvents {
  readonly #store: Store;
  readonly #secrets: EventSecrets;
  readonly #limits: { recentEvents: number; recentBytes: number };
  /** Events before `#first` are dropped: their slots are empty. */
  #events: (Delivery | undefined)[] = [];
  #first = 0;
  #weight = 0;
  /** Everything after this id is in memory. */
  #after: number;
  /** The range last read back. After a restart many clients are at the same id, and reading takes 40 ms. */
  #cached: Range | undefined;
  /** The newest published id. */
  #last: number;

  constructor(store: Store, limits: { recentEvents: number; recentBytes: number }, secrets: EventSecrets) {
    this.#secrets = secrets;
    this.#store = store;
    this.#limits = limits;
    this.#after = this.#last = store.lastEventId;
  }

  get last(): number {
    return this.#last;
  }

  push(published: readonly Published[]): Delivery[] {
    const deliveries = published.map((event) => new Delivery(event, this.#secrets));
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
      this.#events[this.#first] = undefined;
      this.#first += 1;
    }
    if (this.#first > 1000 && this.#first > this.#events.length / 2) {
      this.#events = this.#events.slice(this.#first);
      this.#first = 0;
    }
    return deliveries;
  }

  /**
   * The published events after `id` through `through`, oldest first: all from memory, or else those of one read of the
   * log.
   */
  next(id: number): { events: Iterable<Delivery>; through: number } {
    if (id >= this.#after) return { events: between(this.#events, id, this.#last, this.#first), through: this.#last };
    const range = this.#readBack(id);
    const through = Math.min(range.through, this.#after);
    return { events: between(range.events, id, through), through };
  }

  /** Called when no queue needs events that are no longer in memory. */
  dropReadBack(): void {
    this.#cached = undefined;
  }

  /** Whether all events after `id` are in memory. */
  holdsAllAfter(id: number): boolean {
    return id >= this.#after;
  }

  #readBack(at: number): Range {
    const cached = this.#cached;
    if (cached && cached.after <= at && at < cached.through) return cached;
    const { events, through: end } = this.#store.eventsInLog(at, 1000);
    // Ids after the end of the log were never logged: heartbeats, and ids that a crash left unused.
    const through = end > at ? end : this.#after;
    const deliveries = events.map((event) => new Delivery(event, this.#secrets));
    const weight = deliveries.reduce((sum, delivery) => sum + delivery.weight, 0);
    if (cached && cached.through === at && cached.weight + weight <= this.#limits.recentBytes) {
      for (const delivery of deliveries) cached.events.push(delivery);
      cached.weight += weight;
      cached.through = through;
      return cached;
    }
    this.#cached = { after: at, through, events: deliveries, weight };
    return this.#cached;
  }
}

function* between(
  events: readonly (Delivery | undefined)[],
  after: number,
  through: number,
  from = 0,
): Generator<Delivery> {
  for (let index = firstAfter(events, after, from); index < events.length; index += 1) {
    const delivery = events[index] as Delivery;
    if (delivery.id > through) return;
    yield delivery;
  }
}

/** The index of the first event with an id greater than `id`, by binary search. */
function firstAfter(events: readonly (Delivery | undefined)[], id: number, from = 0): number {
  let [low, high] = [from, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle] as Delivery).id <= id) low = middle + 1;
    else high = middle;
  }
  return low;
}
