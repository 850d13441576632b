import type { Client } from "../../api/client.ts";
import type { WireEvent } from "../../api/state-shape.ts";
import { Store } from "../../api/store.ts";

/** What the list of unread conversations shows of a message. */
export interface Excerpt {
  readonly senderId: number;
  readonly html: string;
}

type Known = ReadonlyMap<number, Excerpt>;

/** As many are asked for at once: the newest, of thousands. */
const MAX_ASKED = 100;
const MAX_KEPT = 400;

/** The newest unread messages, by id: asked for once, afterwards events bring the rest. */
export class Excerpts {
  readonly store = new Store<Known>(new Map());
  readonly #client: Client;
  readonly #asked = new Set<number>();
  /** For each question that is under way: the events since it was asked. */
  readonly #missed = new Set<WireEvent[]>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Asks for those that are not known; `ids` are all that are shown, the newest first. */
  async load(ids: readonly number[]): Promise<void> {
    const { value: known } = this.store;
    if (known.size > MAX_KEPT) this.store.set(new Map([...known].filter(([id]) => ids.includes(id))));
    const wanted = ids.slice(0, MAX_ASKED).filter((id) => !this.store.value.has(id) && !this.#asked.has(id));
    if (wanted.length === 0) return;
    for (const id of wanted) this.#asked.add(id);
    const missed: WireEvent[] = [];
    this.#missed.add(missed);
    const input = { message_ids: wanted, narrow: [], allow_empty_topic_name: true };
    const answer = await this.#client.call("GET /messages", input).catch(() => undefined);
    this.#missed.delete(missed);
    if (!answer) {
      for (const id of wanted) this.#asked.delete(id);
      return;
    }
    const found = answer.messages.map(({ id, sender_id, content }) => [id, { senderId: sender_id, html: content }]);
    const all = new Map([...this.store.value, ...(found as [number, Excerpt][])]);
    this.store.set(missed.reduce<Known>(excerptsAfter, all));
  }

  /** After a break in which events may have been missed. */
  reload(): void {
    this.#asked.clear();
    this.store.set(new Map());
  }

  apply(event: WireEvent): void {
    if (this.#asked.size === 0) return; // nobody looks at them
    for (const missed of this.#missed) missed.push(event);
    this.store.update((known) => excerptsAfter(known, event));
  }
}

/** What is known after an event. */
export function excerptsAfter(known: Known, event: WireEvent): Known {
  if (event.type === "message") {
    const { id, sender_id, content } = event.message;
    return event.flags.includes("read") ? known : new Map(known).set(id, { senderId: sender_id, html: content });
  }
  if (event.type !== "update_message" || event.rendered_content === undefined) return known;
  const before = known.get(event.message_id);
  return before ? new Map(known).set(event.message_id, { ...before, html: event.rendered_content }) : known;
}
