import type { Published } from "../storage/store.ts";
import type { Event } from "./catalogue.ts";
import { type EventSecrets, type FormOptions, forms } from "./forms.ts";

/** Fields of an event as JSON text without braces, ending in a comma. */
const inner = (fields: object): string => {
  const text = JSON.stringify(fields);
  return text === "{}" ? "" : `${text.slice(1, -1)},`;
};

/** About how many bytes the texts and lists of ids in a value take. An edit or a move holds as much as a message. */
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

/** One published event and its JSON, made once for each form and shared by all queues. */
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
    const form = forms[event.type] as { name(event: Event, options: FormOptions, userId: number): string } | undefined;
    const name = form ? form.name(event, options, userId) : "";
    const own = overridesFor(published, userId);
    const origin = published.origin?.queueId === queueId ? published.origin.fields : undefined;
    if (!own && !origin) {
      let complete = this.#complete.get(name);
      if (complete === undefined) {
        complete = `{${inner(this.#form(name))}"id":${this.id}}`;
        this.#complete.set(name, complete);
      }
      return complete;
    }
    // What differs for one person replaces fields of the common text, which is cached without them.
    const replaced = Object.keys(own ?? {});
    const key = `${name}/${replaced.join()}`;
    let common = this.#common.get(key);
    if (common === undefined) {
      const fields = Object.entries(this.#form(name)).filter(([field]) => !replaced.includes(field));
      common = `{${inner(Object.fromEntries(fields))}`;
      this.#common.set(key, common);
    }
    return `${common}${own ? inner(own) : ""}${origin ? inner(origin) : ""}"id":${this.id}}`;
  }

  #form(name: string): object {
    const form = forms[this.event.type] as
      | { make(event: Event, name: string, secrets: EventSecrets): object }
      | undefined;
    return form ? form.make(this.event, name, this.#secrets) : this.event;
  }
}
