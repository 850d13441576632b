import { userDeactivated } from "../access/authentication.ts";
import { ApiError, badEventQueue, badRequest } from "../errors.ts";
import { allEventQueues, type EventQueueRow } from "../queries/event-queues.ts";
import type { Published, Store } from "../storage/store.ts";
import type { Delivery } from "./delivery.ts";
import { type Poll, Queue } from "./queue.ts";
import { RecentEvents } from "./recent.ts";

/** An idle poll is answered before home routers drop the silent connection: docs/protocol.md#long-polls. */
const HEARTBEAT_MS = { least: 45_000, most: 55_000 };

/** A client asks again within seconds of an answer; one that lost its network is given until then. */
const LISTENING_MS = 140_000;

export interface QueueLimits {
  /** Of one answer; at least one event goes out, however large. */
  events: number;
  characters: number;
  /** A queue further behind than this is dropped: its client starts anew faster than it would catch up. */
  eventsBehind: number;
  bytesBehind: number;
  /** The newest events, in memory. */
  recentEvents: number;
  recentBytes: number;
}

const LIMITS: QueueLimits = {
  events: 1000,
  characters: 2_000_000,
  eventsBehind: 200_000,
  bytesBehind: 256 << 20,
  recentEvents: 50_000,
  recentBytes: 32 << 20,
};

/**
 * All event queues of the server: places in one ordered stream of events. Nothing is copied per queue; a poll that
 * finds nothing waits, and costs a few hundred bytes while it does.
 */
export class EventQueues {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #limits: QueueLimits;
  readonly #report: (message: string, error: unknown) => void;
  readonly #recent: RecentEvents;
  readonly #queues = new Map<string, Queue>();
  readonly #waiting = new Set<Queue>();
  #oldestKnown: { at: number; id: number } | undefined;
  #unusable: string[] = [];
  #stopped = false;

  /** `report` hears of queues that had to be dropped because serving them failed: a bug, or a damaged log. */
  constructor(
    store: Store,
    now: () => number = Date.now,
    limits: Partial<QueueLimits> = {},
    report: (message: string, error: unknown) => void = () => {},
  ) {
    this.#report = report;
    this.#store = store;
    this.#now = now;
    this.#limits = { ...LIMITS, ...limits };
    this.#recent = new RecentEvents(store, this.#limits);
    for (const row of allEventQueues(store.reader)) {
      try {
        this.add(row);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        this.#unusable.push(row.id); // its narrow names what is no longer there
      }
    }
    store.onPublish((events) => this.#publish(events));
    store.cursors = () => Object.fromEntries([...this.#queues.values()].map((queue) => [queue.id, queue.cursor]));
    store.neededAfter = () => {
      let least = Number.MAX_SAFE_INTEGER;
      for (const queue of this.#queues.values()) least = Math.min(least, queue.cursor);
      return least;
    };
  }

  get count(): number {
    return this.#queues.size;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Users of whom a program waits for events or has asked for them lately; our own pages are none. */
  listeners(): Set<number> {
    const since = this.#now() - LISTENING_MS;
    const users = new Set<number>();
    for (const { options, poll, polledAt = 0, userId } of this.#queues.values()) {
      if (!options.own_page && (poll || polledAt > since)) users.add(userId);
    }
    return users;
  }

  /** A queue whose row has been committed. */
  add(row: EventQueueRow): void {
    this.#queues.set(row.id, new Queue(this.#store.reader, row, this.#store.savedCursors[row.id] ?? 0, this.#now()));
  }

  /** A queue whose row has been deleted; who waits on it is told. */
  remove(queueId: string): void {
    const queue = this.#queues.get(queueId);
    if (!queue) return;
    this.#queues.delete(queueId);
    this.#answer(queue, "");
  }

  /** Ends everything that waits for a person's events, with this error; the queues stay for who comes with a new key. */
  rejectHeld(userId: number, error: ApiError): void {
    for (const queue of this.#waiting) if (queue.userId === userId) this.#refuse(queue, error);
  }

  /** A deactivated person's rows are gone: what waits is told why. */
  #forgetAllOf(userId: number): void {
    this.rejectHeld(userId, userDeactivated());
    for (const [id, queue] of this.#queues) if (queue.userId === userId) this.#queues.delete(id);
  }

  /** @throws ApiError BAD_EVENT_QUEUE_ID where there is none, or it is somebody else's. */
  queueOf(userId: number, queueId: string): Queue {
    const queue = this.#queues.get(queueId);
    if (!queue || queue.userId !== userId) throw badEventQueue(queueId);
    return queue;
  }

  /** How many queues a user has. */
  ofUser(userId: number): number {
    let count = 0;
    for (const queue of this.#queues.values()) if (queue.userId === userId) count += 1;
    return count;
  }

  /**
   * The whole JSON answer to one GET /events: at once where there are events or `block` is false, else when there
   * are some, the heartbeat is due, or the server stops. `lastEventId` acknowledges; undefined: the highest acknowledged.
   */
  poll(
    queue: Queue,
    lastEventId: number | undefined,
    block: boolean,
    onGone: (listener: () => void) => void,
  ): string | Promise<string> {
    queue.activeAt = queue.polledAt = this.#now();
    if (lastEventId !== undefined) {
      if (lastEventId > this.#store.lastEventId) {
        throw badRequest(`last_event_id: no event has the id ${lastEventId} yet.`);
      }
      queue.acknowledge(lastEventId);
    }
    if (queue.cursor < this.#oldest()) throw badEventQueue(queue.id);
    // A client that asks again has given up its earlier wait.
    this.#answer(queue, "");
    let found: string;
    try {
      found = this.#collect(queue);
    } catch (error) {
      this.#drop(queue, error);
      throw badEventQueue(queue.id);
    }
    if (found !== "" || !block || this.#stopped) return answerBody(queue.id, found);
    return new Promise((resolve, reject) => {
      const { least, most } = HEARTBEAT_MS;
      const poll: Poll = {
        heartbeatAt: this.#now() + least + Math.random() * (most - least),
        answer: (events) => resolve(answerBody(queue.id, events)),
        reject: reject,
      };
      queue.poll = poll;
      this.#waiting.add(queue);
      onGone(() => {
        if (queue.poll === poll) this.#answer(queue, "");
      });
    });
  }

  /** Events up to this id may be gone from the log; a queue that would need them starts anew instead of missing any. */
  #oldest(): number {
    const now = this.#now();
    if (!this.#oldestKnown || now - this.#oldestKnown.at > 60_000)
      this.#oldestKnown = { at: now, id: this.#store.oldestEventId };
    return this.#oldestKnown.id;
  }

  #answer(queue: Queue, events: string): void {
    const { poll } = queue;
    if (!poll) return;
    queue.poll = undefined;
    this.#waiting.delete(queue);
    queue.activeAt = queue.polledAt = this.#now();
    poll.answer(events);
  }

  #refuse(queue: Queue, error: ApiError): void {
    const { poll } = queue;
    queue.poll = undefined;
    this.#waiting.delete(queue);
    poll?.reject(error);
  }

  /** JSON of the queue's next events, joined by commas; moves `scanned` over what is not for it. */
  #collect(queue: Queue): string {
    const { events, characters } = this.#limits;
    const from = queue.cursor;
    if (from >= this.#recent.last) return "";
    let text = "";
    let count = 0;
    for (const delivery of this.#recent.after(from)) {
      if (queue.wants(delivery)) {
        const json = delivery.json(queue.id, queue.userId, queue.options);
        if (count > 0 && (count >= events || text.length + json.length > characters)) break;
        text += count > 0 ? `,${json}` : json;
        count += 1;
      } else if (count === 0) queue.scanned = delivery.id;
    }
    return text;
  }

  #publish(published: readonly Published[]): void {
    const deliveries = this.#recent.push(published);
    const last = deliveries.at(-1) as Delivery;
    for (const {
      event,
      published: { users },
    } of deliveries) {
      if (event.type === "start_anew")
        for (const queue of [...this.#queues.values()]) if (users.has(queue.userId)) this.remove(queue.id);
      if (
        event.type === "realm_user" &&
        event.op === "update" &&
        "is_active" in event.person &&
        !event.person.is_active
      )
        this.#forgetAllOf(event.person.user_id);
    }
    for (const queue of this.#waiting) {
      try {
        if (deliveries.some((delivery) => queue.wants(delivery))) this.#answer(queue, this.#collect(queue));
        else queue.scanned = last.id;
      } catch (error) {
        this.#drop(queue, error);
      }
    }
  }

  /** A queue that cannot be served starts anew; it must not keep events from all others. */
  #drop(queue: Queue, error: unknown): void {
    this.#report(`The event queue ${queue.id} of user ${queue.userId} was dropped`, error);
    this.#unusable.push(queue.id);
    this.remove(queue.id);
  }

  /** Answers the polls whose heartbeat is due. Called about once a second. */
  sendHeartbeats(): void {
    const now = this.#now();
    for (const queue of this.#waiting) {
      const due = queue.poll?.heartbeatAt ?? now;
      if (now < due) continue;
      // With the disk full no id can be reserved: then an empty answer keeps the connection alive.
      if (now > due + 5000) this.#answer(queue, "");
      else this.#store.announce({ type: "heartbeat" }, { users: [], origin: { queueId: queue.id, fields: {} } });
    }
  }

  /** Queues that nobody has asked for longer than their lifespan, or that are too far behind. */
  expired(): { idle: string[]; behind: string[] } {
    const now = this.#now();
    const idle = this.#unusable.splice(0);
    const behind: string[] = [];
    let needed = Number.MAX_SAFE_INTEGER;
    for (const queue of this.#queues.values()) {
      if (!queue.poll && now - queue.activeAt > queue.lifespanMs) idle.push(queue.id);
      else needed = Math.min(needed, queue.cursor);
    }
    if (this.#recent.holdsAllAfter(needed)) this.#recent.dropReadBack();
    const isBehind = (eventId: number) =>
      this.#store.lastEventId - eventId > this.#limits.eventsBehind ||
      this.#store.logBytesAfter(eventId) > this.#limits.bytesBehind;
    if (isBehind(needed)) {
      for (const queue of this.#queues.values()) {
        if (isBehind(queue.cursor) && !idle.includes(queue.id)) behind.push(queue.id);
      }
    }
    return { idle, behind };
  }

  /** Answers every held poll at once, and holds no more. */
  stop(): void {
    this.#stopped = true;
    for (const queue of this.#waiting) this.#answer(queue, "");
  }
}

const answerBody = (queueId: string, events: string) =>
  `{"result":"success","msg":"","events":[${events}],"queue_id":"${queueId}"}`;
