import { setImmediate } from "node:timers/promises";
import { userDeactivated } from "../api/access/authentication.ts";
import { allEventQueues, type EventQueueRow } from "../api/queries/event-queues.ts";
import { ApiError, badEventQueue, problem, refusedParameter } from "../errors.ts";
import type { Published, Store } from "../storage/store.ts";
import type { EventSecrets } from "./forms.ts";
import { type Poll, Queue } from "./queue.ts";
import { type Delivery, RecentEvents } from "./recent.ts";

/** Idle polls are answered before home routers drop the silent connection: docs/protocol.md#long-polls. */
const HEARTBEAT_MS = { min: 45_000, max: 55_000 };

/** How long a client may take to poll again: seconds as a rule, longer after it lost its network. */
const LISTENING_MS = 140_000;
/** How long a computer may take to fall asleep after it announces sleep. */
const MAX_FALLING_ASLEEP_MS = 15_000;

export interface QueueLimits {
  /** The size limit of a response. A response has at least one event, however large. */
  events: number;
  characters: number;
  /** A queue further behind than this is dropped: its client registers again faster than it would catch up. */
  eventsBehind: number;
  bytesBehind: number;
  /** How many of the newest events stay in memory. */
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

/** A response to a poll under construction. */
class Answer {
  text = "";
  count = 0;
  isFull = false;
  /** Events up to this id have been looked at. */
  through: number;

  constructor(after: number) {
    this.through = after;
  }
}

/** The chat is the only page of Hearth that requests messages. */
const isApp = ({ own_page, event_types }: Queue["options"]): boolean =>
  !own_page || event_types?.includes("message") === true;

/**
 * All event queues of the server: cursors into one ordered stream of events. Nothing is copied per queue. A poll that
 * finds nothing waits, and costs a few hundred bytes while it does. See docs/architecture.md#events-are-cursors.
 */
export class EventQueues {
  readonly #store: Store;
  readonly #monotonic: () => number;
  readonly #limits: QueueLimits;
  readonly #report: (message: string, error: unknown) => void;
  readonly #recent: RecentEvents;
  readonly #queues = new Map<string, Queue>();
  readonly #waiting = new Set<Queue>();
  #cachedOldest: { at: number; id: number } | undefined;
  #unusable: string[] = [];
  /** The last of the queues that read the log, one after the other. */
  #catchingUp: Promise<unknown> = Promise.resolve();
  #stopped = false;
  /** Until this time, polls return immediately. After it, if the computer is still awake, polls wait again. */
  #asleepUntil = Number.NEGATIVE_INFINITY;

  /**
   * `monotonic` returns milliseconds. `report` is called for each queue that is dropped after a failure, such as a
   * damaged log.
   */
  constructor(
    store: Store,
    monotonic: () => number = () => performance.now(),
    limits: Partial<QueueLimits> = {},
    report: (message: string, error: unknown) => void = () => {},
    secrets: EventSecrets = { keyOf: () => "", tokenOf: () => "" },
  ) {
    this.#report = report;
    this.#store = store;
    this.#monotonic = monotonic;
    this.#limits = { ...LIMITS, ...limits };
    this.#recent = new RecentEvents(store, this.#limits, secrets);
    for (const row of allEventQueues(store.reader)) {
      try {
        this.add(row);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        this.#unusable.push(row.id); // its narrow names something that no longer exists
      }
    }
    store.onPublish((events) => this.#publish(events));
    store.cursors = () => Object.fromEntries([...this.#queues.values()].map((queue) => [queue.id, queue.cursor]));
    store.neededAfter = () => {
      let oldest = Number.MAX_SAFE_INTEGER;
      for (const queue of this.#queues.values()) oldest = Math.min(oldest, queue.cursor);
      return oldest;
    };
  }

  get count(): number {
    return this.#queues.size;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * How many queues belong to apps, and how many of these have a waiting poll. The chat counts as an app; `pages`
   * counts the queues of Hearth's other pages.
   */
  figures(): { total: number; waiting: number; pages: { total: number; waiting: number } } {
    const [apps, pages] = [
      { total: 0, waiting: 0 },
      { total: 0, waiting: 0 },
    ];
    for (const { options, poll } of this.#queues.values()) {
      const counted = isApp(options) ? apps : pages;
      counted.total += 1;
      if (poll) counted.waiting += 1;
    }
    return { ...apps, pages };
  }

  /**
   * Users with an app that waits for events or polled recently. Hearth's other pages do not count: an administrator may
   * not be available in the chat.
   */
  listeners(): Set<number> {
    return this.#listeners(isApp);
  }

  /** The same, without the chat window of the desktop app: it ends with the app, and its user is at this computer. */
  listenersElsewhere(): Set<number> {
    return this.#listeners((options) => isApp(options) && !options.desk_window);
  }

  #listeners(counts: (options: Queue["options"]) => boolean): Set<number> {
    const since = this.#monotonic() - LISTENING_MS;
    const users = new Set<number>();
    for (const { options, poll, polledAt = Number.NEGATIVE_INFINITY, userId } of this.#queues.values()) {
      if (counts(options) && (poll || polledAt > since)) users.add(userId);
    }
    return users;
  }

  /** How many apps and pages of a user wait for events or polled recently. Other queues belong to closed apps. */
  listeningCount(userId: number): number {
    const since = this.#monotonic() - LISTENING_MS;
    let count = 0;
    for (const { poll, polledAt = Number.NEGATIVE_INFINITY, userId: its } of this.#queues.values())
      if (its === userId && (poll || polledAt > since)) count += 1;
    return count;
  }

  /** Adds a queue whose row has been committed. */
  add(row: EventQueueRow): void {
    this.#queues.set(
      row.id,
      new Queue(this.#store.reader, row, this.#store.savedCursors[row.id] ?? 0, this.#monotonic()),
    );
  }

  /** Removes a queue whose row has been deleted. A waiting poll gets no events. */
  remove(queueId: string): void {
    const queue = this.#queues.get(queueId);
    if (!queue) return;
    this.#queues.delete(queueId);
    this.#answer(queue, "");
  }

  /** Ends the waiting polls of a user with this error. The queues stay, for clients with a new key. */
  rejectPolls(userId: number, error: ApiError): void {
    this.#endCatchingUp(userId);
    for (const queue of this.#waiting) if (queue.userId === userId) this.#reject(queue, error);
  }

  /** Ends the waiting polls of a user without events, so that clients notice a loss of access immediately. */
  releasePolls(userId: number): void {
    this.#endCatchingUp(userId);
    for (const queue of this.#waiting) if (queue.userId === userId) this.#answer(queue, "");
  }

  /** Ends polls of this user that still read the log, without events. */
  #endCatchingUp(userId: number): void {
    for (const queue of this.#queues.values()) if (queue.userId === userId) queue.polls += 1;
  }

  /** Removes the queues of a deactivated user, whose rows are deleted. Waiting polls get an error. */
  #removeQueuesOf(userId: number): void {
    this.rejectPolls(userId, userDeactivated());
    for (const [id, queue] of this.#queues) if (queue.userId === userId) this.#queues.delete(id);
  }

  /** @throws ApiError BAD_EVENT_QUEUE_ID if the queue does not exist or belongs to another user. */
  queueOf(userId: number, queueId: string): Queue {
    const queue = this.#queues.get(queueId);
    if (!queue || queue.userId !== userId) throw badEventQueue(queueId);
    return queue;
  }

  /** How many queues these users have. */
  ofUsers(userIds: readonly number[]): number {
    let count = 0;
    for (const queue of this.#queues.values()) if (userIds.includes(queue.userId)) count += 1;
    return count;
  }

  /** The queue of these users that has been without a poll longest, if for at least `ms`. */
  longestIdle(userIds: readonly number[], ms: number): Queue | undefined {
    let longest: Queue | undefined;
    const until = this.#monotonic() - ms;
    for (const queue of this.#queues.values())
      if (!queue.poll && queue.activeAt <= (longest?.activeAt ?? until) && userIds.includes(queue.userId))
        longest = queue;
    return longest;
  }

  /**
   * The JSON response to GET /events: immediately if there are events or `block` is false, else when events arrive, the
   * heartbeat is due, or the server stops. `lastEventId` acknowledges the events up to it.
   */
  poll(
    queue: Queue,
    lastEventId: number | undefined,
    block: boolean,
    onGone: (listener: () => void) => void,
  ): string | Promise<string> {
    queue.activeAt = queue.polledAt = this.#monotonic();
    if (lastEventId !== undefined) {
      if (lastEventId > this.#store.lastEventId) {
        throw refusedParameter("last_event_id", "event_id_not_found", { id: lastEventId });
      }
      queue.acknowledge(lastEventId);
    }
    if (queue.cursor < this.#oldestEventId()) throw badEventQueue(queue.id);
    // A client that polls again has given up its earlier poll.
    this.#answer(queue, "");
    queue.polls += 1;
    const answer = new Answer(queue.cursor);
    if (this.#recent.holdsAllAfter(answer.through)) return this.#respond(queue, answer, block, onGone);
    return this.#catchUp(queue, answer).then((isAsked) =>
      isAsked ? this.#respond(queue, answer, block, onGone) : answerBody(queue.id, ""),
    );
  }

  /**
   * Reads the log until the response is full, or the rest is in memory. Each read has its own turn of the event loop,
   * since it may take 40 ms. Queues take turns, since many need the same events after a restart. Returns whether the
   * client still waits.
   */
  #catchUp(queue: Queue, answer: Answer): Promise<boolean> {
    const { polls } = queue;
    const caughtUp = this.#catchingUp.then(async () => {
      while (!answer.isFull && !this.#recent.holdsAllAfter(answer.through)) {
        if (this.#queues.get(queue.id) !== queue) throw badEventQueue(queue.id);
        if (queue.polls !== polls || this.#stopped) return false;
        this.#orDrop(queue, () => this.#addNext(queue, answer));
        await setImmediate();
      }
      return queue.polls === polls;
    });
    this.#catchingUp = caughtUp.catch(() => {});
    return caughtUp;
  }

  /** Removes the queue if `work` fails. */
  #orDrop<T>(queue: Queue, work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.#drop(queue, error);
      throw badEventQueue(queue.id);
    }
  }

  #respond(
    queue: Queue,
    answer: Answer,
    block: boolean,
    onGone: (listener: () => void) => void,
  ): string | Promise<string> {
    if (this.#queues.get(queue.id) !== queue) throw badEventQueue(queue.id);
    const events = this.#orDrop(queue, () => this.#collect(queue, answer));
    // Applies to polls that do not block too: clients send them after an error, and success would end their pause.
    if (events === "" && this.#monotonic() < this.#asleepUntil) throw goesToSleep();
    if (events !== "" || !block || this.#stopped) return answerBody(queue.id, events);
    return new Promise((resolve, reject) => {
      const { min, max } = HEARTBEAT_MS;
      const poll: Poll = {
        heartbeatAt: this.#monotonic() + min + Math.random() * (max - min),
        answer: (events) => resolve(answerBody(queue.id, events)),
        reject,
      };
      queue.poll = poll;
      this.#waiting.add(queue);
      onGone(() => {
        if (queue.poll === poll) this.#answer(queue, "");
      });
    });
  }

  /** Events up to this id may be deleted from the log. A queue that needs them is refused, so it misses no event. */
  #oldestEventId(): number {
    const now = this.#monotonic();
    if (!this.#cachedOldest || now - this.#cachedOldest.at > 60_000)
      this.#cachedOldest = { at: now, id: this.#store.oldestEventId };
    return this.#cachedOldest.id;
  }

  #answer(queue: Queue, events: string): void {
    const { poll } = queue;
    if (!poll) return;
    queue.poll = undefined;
    this.#waiting.delete(queue);
    queue.activeAt = queue.polledAt = this.#monotonic();
    poll.answer(events);
  }

  #reject(queue: Queue, error: ApiError): void {
    const { poll } = queue;
    queue.poll = undefined;
    this.#waiting.delete(queue);
    poll?.reject(error);
  }

  /** The JSON of the queue's next events, joined by commas. */
  #collect(queue: Queue, answer = new Answer(queue.cursor)): string {
    while (!answer.isFull && answer.through < this.#recent.last) this.#addNext(queue, answer);
    return answer.text;
  }

  /** Adds events from memory, or from one read of the log. Moves `scanned` past events for other queues. */
  #addNext(queue: Queue, answer: Answer): void {
    const { events, characters } = this.#limits;
    const next = this.#recent.next(answer.through);
    for (const delivery of next.events) {
      if (!queue.wants(delivery)) continue;
      const json = delivery.json(queue.id, queue.userId, queue.options);
      if (answer.count > 0 && (answer.count >= events || answer.text.length + json.length > characters)) {
        answer.isFull = true;
        return;
      }
      answer.text += answer.count > 0 ? `,${json}` : json;
      answer.count += 1;
    }
    answer.through = next.through;
    if (answer.count === 0) queue.scanned = next.through;
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
        this.#removeQueuesOf(event.person.user_id);
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

  /** Removes a queue that cannot be served, so that it does not block the others. */
  #drop(queue: Queue, error: unknown): void {
    this.#report(`The event queue ${queue.id} of user ${queue.userId} was dropped`, error);
    this.#unusable.push(queue.id);
    this.remove(queue.id);
  }

  /** Responds to polls whose heartbeat is due. Called about once a second. */
  sendHeartbeats(): void {
    const now = this.#monotonic();
    for (const queue of this.#waiting) {
      const due = queue.poll?.heartbeatAt ?? now;
      if (now < due) continue;
      // While the disk is full no id can be reserved, so an empty response keeps the connection alive.
      if (now > due + 5000) this.#answer(queue, "");
      else this.#store.announce({ type: "heartbeat" }, { users: [], origin: { queueId: queue.id, fields: {} } });
    }
  }

  /**
   * Called after the machine was asleep. `counted` is how many milliseconds of that the monotonic clock counted: they
   * are not idle time. Held polls get a heartbeat, so that clients notice dead connections.
   */
  afterSleep(counted: number): void {
    for (const queue of this.#queues.values()) {
      queue.activeAt += counted;
      if (queue.poll) queue.poll.heartbeatAt = this.#monotonic();
    }
  }

  /** The ids of queues without a poll for longer than their lifespan, and of those too far behind. */
  expired(): { idle: string[]; behind: string[] } {
    const now = this.#monotonic();
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

  /**
   * Called when the computer goes to sleep. Polls end with an error, which clients show and retry. Held polls would
   * seem to wait until clients notice the dead connection.
   */
  suspend(): void {
    this.#asleepUntil = this.#monotonic() + MAX_FALLING_ASLEEP_MS;
    for (const queue of this.#waiting) this.#reject(queue, goesToSleep());
  }

  /** Called when the computer is awake again. */
  resume(): void {
    this.#asleepUntil = Number.NEGATIVE_INFINITY;
  }

  /** Responds to all waiting polls. Later polls do not wait. */
  stop(): void {
    this.#stopped = true;
    for (const queue of this.#waiting) this.#answer(queue, "");
  }
}

const goesToSleep = () =>
  new ApiError("SERVER_NOT_READY", problem("server_suspending"), {}, { status: 503, headers: { "retry-after": "1" } });

const answerBody = (queueId: string, events: string) =>
  `{"result":"success","msg":"","events":[${events}],"queue_id":"${queueId}"}`;
