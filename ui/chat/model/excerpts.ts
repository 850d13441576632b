import type { Client } from "../../api/client.ts";
import type { WireEvent } from "../../api/state-shape.ts";
import { Store } from "../../api/store.ts";

/** The part of a message that lists of conversations and topics show. */
export interface Excerpt {
  readonly senderId: number;
  readonly html: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
}

type Known = ReadonlyMap<number, Excerpt>;

/** The limit for one request and for a list: later conversations of a long list show no excerpt. */
export const MAX_EXCERPTS = 100;
const MAX_KEPT = 400;

/** The newest messages of listed conversations, by id. Events update them after the first load. */
export class Excerpts {
  readonly store = new Store<Known>(new Map());
  readonly #client: Client;
  readonly #asked = new Set<number>();
  /** The events since each running request began. */
  readonly #missed = new Set<WireEvent[]>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Loads missing excerpts; `ids` are all listed messages, newest first. */
  async load(ids: readonly number[]): Promise<void> {
    const { value: known } = this.store;
    if (known.size > MAX_KEPT) this.store.set(new Map([...known].filter(([id]) => ids.includes(id))));
    const wanted = ids.slice(0, MAX_EXCERPTS).filter((id) => !this.store.value.has(id) && !this.#asked.has(id));
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
    const found = answer.messages.map((message) => [message.id, excerptOf(message)]);
    const all = new Map([...this.store.value, ...(found as [number, Excerpt][])]);
    this.store.set(missed.reduce<Known>(excerptsAfter, all));
  }

  /** Call when events may be missing. */
  reload(): void {
    this.#asked.clear();
    this.store.set(new Map());
  }

  apply(event: WireEvent): void {
    if (this.#asked.size === 0) return; // no list is open
    for (const missed of this.#missed) missed.push(event);
    this.store.update((known) => excerptsAfter(known, event));
  }
}

const excerptOf = (message: { sender_id: number; content: string; timestamp: number }): Excerpt => ({
  senderId: message.sender_id,
  html: message.content,
  timestamp: message.timestamp,
});

export function excerptsAfter(known: Known, event: WireEvent): Known {
  if (event.type === "message") {
    return event.flags.includes("read") ? known : new Map(known).set(event.message.id, excerptOf(event.message));
  }
  if (event.type !== "update_message" || event.rendered_content === undefined) return known;
  const before = known.get(event.message_id);
  return before ? new Map(known).set(event.message_id, { ...before, html: event.rendered_content }) : known;
}
