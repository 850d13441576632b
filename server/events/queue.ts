import { z } from "zod";
import { storedCapabilities } from "../api/presenters/client-capabilities.ts";
import type { EventQueueRow } from "../api/queries/event-queues.ts";
import { ROLES, type User, userById } from "../api/queries/users.ts";
import { compileEventNarrow, type EventNarrow } from "../search/narrow-events.ts";
import type { Reader } from "../storage/transaction.ts";
import { type FormOptions, isForClient } from "./forms.ts";
import { type Delivery, overridesFor } from "./recent.ts";

/** The options of a registration, which are stored in the queue's row. */
export interface QueueOptions extends FormOptions {
  readonly all_public_streams: boolean;
  /** Null: events of every type. */
  readonly event_types: readonly string[] | null;
  readonly narrow: readonly (readonly string[])[];
}

/** Defaults are for rows that were stored before the option existed. */
const storedOptions: z.ZodType<QueueOptions> = z.object({
  ...storedCapabilities,
  apply_markdown: z.boolean(),
  slim_presence: z.boolean().default(false),
  all_public_streams: z.boolean(),
  event_types: z.array(z.string()).nullable(),
  narrow: z.array(z.array(z.string())),
  own_page: z.boolean().default(false),
  desk_window: z.boolean().default(false),
});

/** A long poll that waits for events. */
export interface Poll {
  /** Ends the wait with an error. */
  reject(error: Error): void;
  /** When the poll gets a heartbeat, by the monotonic clock. */
  heartbeatAt: number;
  answer(body: string): void;
}

/**
 * A client's cursor in the stream of events: a filter and two ids, no buffer. The client has acknowledged the events up
 * to `acknowledged`; none between that and `scanned` is for this queue.
 */
export class Queue {
  readonly id: string;
  readonly userId: number;
  readonly options: QueueOptions;
  readonly lifespanMs: number;
  acknowledged: number;
  scanned: number;
  /** By the monotonic clock, like `polledAt`. */
  activeAt: number;
  /** When a poll last began or ended; undefined before the first poll since the server's start. */
  polledAt: number | undefined;
  poll: Poll | undefined;
  /** Incremented to end earlier polls: by the next poll, and if the user loses access. */
  polls = 0;
  readonly #reader: Reader;
  readonly #types: ReadonlySet<string> | undefined;
  readonly #narrow: EventNarrow | undefined;

  constructor(reader: Reader, row: EventQueueRow, acknowledged: number, now: number) {
    this.id = row.id;
    this.userId = row.user_id;
    this.options = storedOptions.parse(JSON.parse(row.options));
    this.lifespanMs = row.lifespan_seconds * 1000;
    this.acknowledged = this.scanned = Math.max(row.first_event_id, acknowledged);
    this.activeAt = now;
    this.#reader = reader;
    this.#types = this.options.event_types ? new Set(this.options.event_types) : undefined;
    const user = this.#user();
    this.#narrow =
      user && this.options.narrow.length > 0 ? compileEventNarrow(reader, user, this.options.narrow) : undefined;
  }

  #user(): User | undefined {
    return userById(this.#reader, this.userId);
  }

  /** The queue may still ask for events after this id. */
  get cursor(): number {
    return Math.max(this.acknowledged, this.scanned);
  }

  acknowledge(eventId: number): void {
    if (eventId > this.acknowledged) this.acknowledged = eventId;
    if (this.acknowledged > this.scanned) this.scanned = this.acknowledged;
  }

  /** Whether the user is in the audience and the event matches the client's filters. */
  wants({ published, event }: Delivery): boolean {
    if (event.type === "heartbeat") return published.origin?.queueId === this.id;
    if (this.#types && !this.#types.has(event.type)) return false;
    if (!isForClient(event, this.options)) return false;
    // The older form of `user_topic`.
    if (event.type === "muted_topics" && this.#types?.has("user_topic")) return false;
    const addressed = published.users.has(this.userId);
    if (
      !addressed &&
      !(published.alsoAllPublic && this.options.all_public_streams && this.#user()?.role !== ROLES.guest)
    )
      return false;
    if (this.#narrow && event.type === "message") {
      const own = overridesFor(published, this.userId) as { flags?: string[] } | undefined;
      return this.#narrow(event.message, own?.flags ?? event.flags);
    }
    return true;
  }
}
