import { subscriberOf } from "../../api/access/ntfy-topics.ts";
import { NOTIFICATION_KEPT_MS } from "../../api/actions/notifications.ts";
import { notificationFor } from "../../api/presenters/notifications.ts";
import { messageRow } from "../../api/queries/messages.ts";
import {
  lastNotificationBefore,
  lastNotificationId,
  type NotificationRow,
  newestNotifications,
  notificationsOfUsers,
  usersNotifiedAfter,
} from "../../api/queries/notifications.ts";
import type { Published, Store } from "../../storage/store.ts";
import type { NotificationPump } from "../pump.ts";
import { clearEvent, messageEvent, type NtfyEvent, passes, rowIdIn, stateEvent } from "./events.ts";
import type { SubscribeParams } from "./subscribe-params.ts";

/** ntfy's usual interval: routers and clients close connections that are silent for a minute. */
const KEEPALIVE_MS = 45_000;
/** Per person. */
export const MAX_STREAMS = 20;
/** Rows that a stream reads in one go. */
const ROWS = 50;
/** The longest part of the work in one turn of the event loop, in milliseconds. */
const SLICE_MS = 5;

export interface Topic {
  readonly name: string;
  readonly user_id: number;
  readonly generation: number;
}

/** A subscriber's connection. */
export interface Connection {
  send(event: NtfyEvent): void;
  /** Called in ntfy's interval. */
  keepAlive(): void;
  /** Whether the client has not read everything that was sent. `NtfyStreams.resume` continues after it has. */
  readonly isBehind: boolean;
  /** Abrupt if `isComplete` is false, so that the client connects again. */
  end(isComplete: boolean): void;
}

export interface Subscription extends SubscribeParams {
  readonly topics: readonly Topic[];
  /** As the client wrote them. */
  readonly topicList: string;
  /** The server's URL, as the client reaches it. */
  readonly baseUrl: string;
  /** The app for iPhones would show the events that clear notifications as empty messages. */
  readonly takesClears: boolean;
}

interface Stream extends Subscription {
  readonly connection: Connection;
  readonly keepAlive: NodeJS.Timeout | undefined;
  /** The newest row that was sent or skipped. */
  position: number;
}

interface Options {
  readonly store: Store;
  readonly notifications: NotificationPump;
  readonly messagePrefix: string;
  readonly now: () => number;
  readonly report: (message: string, error: unknown) => void;
  readonly keepAliveMs?: number | undefined;
}

/**
 * Streams of notifications to the ntfy apps. Each stream reads the table of notifications from its own position, so a
 * slow phone costs no memory, and a restart loses nothing.
 */
export class NtfyStreams {
  readonly #options: Options;
  readonly #streams = new Set<Stream>();
  /** Streams with unread rows. */
  readonly #pending = new Set<Stream>();
  #isReading = false;
  /** The newest row that streams know of. */
  #seenId: number;

  constructor(options: Options) {
    const { store, notifications } = options;
    this.#options = options;
    this.#seenId = lastNotificationId(store.reader);
    notifications.onNew(() => this.#wake());
    store.onPublish((events) => this.#endRevoked(events));
  }

  /** The number of a person's streams. */
  countOf(userId: number): number {
    let count = 0;
    for (const { topics } of this.#streams) if (topics.some(({ user_id }) => user_id === userId)) count += 1;
    return count;
  }

  /** Begins to send, first the events from before. Returns functions for the connection's own events. */
  open(subscription: Subscription, connection: Connection): { resume(): void; close(): void } {
    const { isPoll, topicList } = subscription;
    const stream: Stream = {
      ...subscription,
      connection,
      position: this.#positionAt(subscription),
      keepAlive: isPoll ? undefined : setInterval(() => this.#keepAlive(stream), this.#keepAliveMs).unref(),
    };
    this.#streams.add(stream);
    if (!isPoll) connection.send(stateEvent("open", topicList, this.#options.now()));
    const resume = () => {
      if (this.#streams.has(stream)) this.#read(stream);
    };
    resume();
    return { resume, close: () => this.#remove(stream) };
  }

  keepAliveEvent = (topicList: string): NtfyEvent => stateEvent("keepalive", topicList, this.#options.now());

  stop(): void {
    for (const stream of this.#streams) this.#end(stream, false);
  }

  get #keepAliveMs(): number {
    return this.#options.keepAliveMs ?? KEEPALIVE_MS;
  }

  #positionAt(subscription: Subscription): number {
    const { reader } = this.#options.store;
    const { since } = subscription;
    const userIds = idsOf(subscription);
    const last = lastNotificationId(reader);
    if (since === "none") return last;
    if (since === "all") return 0;
    if (since === "latest") return this.#latest(subscription, last);
    if ("time" in since) return lastNotificationBefore(reader, userIds, since.time);
    const id = rowIdIn(this.#options.messagePrefix, since.id);
    // ntfy sends everything if it does not know the id.
    return id !== undefined && id <= last ? id : 0;
  }

  /** Before the newest message that the person may see and has not read. */
  #latest(subscription: Subscription, last: number): number {
    const query = { userIds: idsOf(subscription), device: "ntfy", limit: ROWS } as const;
    const shown = newestNotifications(this.#options.store.reader, query).find(
      (row) => this.#eventOf(subscription, row) !== undefined,
    );
    return shown ? shown.id - 1 : last;
  }

  #wake(): void {
    const { reader } = this.#options.store;
    const users = this.#streams.size === 0 ? [] : usersNotifiedAfter(reader, this.#seenId);
    this.#seenId = lastNotificationId(reader);
    if (users.length === 0) return;
    const notified = new Set(users);
    for (const stream of this.#streams)
      if (stream.topics.some(({ user_id }) => notified.has(user_id))) this.#read(stream);
  }

  #read(stream: Stream): void {
    this.#pending.add(stream);
    if (this.#isReading) return;
    this.#isReading = true;
    this.#readPending()
      // The storage has failed or is closed. Clients connect again and continue where they were.
      .catch(() => this.stop())
      .finally(() => {
        this.#isReading = false;
      });
  }

  async #readPending(): Promise<void> {
    while (this.#pending.size > 0) {
      const read: [Stream, NtfyEvent[]][] = [];
      const end = performance.now() + SLICE_MS;
      for (const stream of this.#pending) {
        this.#pending.delete(stream);
        if (!stream.connection.isBehind) read.push([stream, this.#nextOrEnd(stream)]);
        if (performance.now() >= end) break;
      }
      // No phone gets what a crash could undo.
      await this.#options.store.durable();
      for (const [stream, events] of read) this.#send(stream, events);
      if (this.#pending.size > 0) await new Promise(setImmediate);
    }
  }

  #send(stream: Stream, events: readonly NtfyEvent[]): void {
    if (!this.#streams.has(stream)) return;
    if (!this.#isValid(stream)) {
      this.#end(stream, false);
      return;
    }
    for (const event of events) stream.connection.send(event);
    if (stream.isPoll && !this.#pending.has(stream) && !stream.connection.isBehind) this.#end(stream, true);
  }

  #nextOrEnd(stream: Stream): NtfyEvent[] {
    try {
      return this.#next(stream);
    } catch (error) {
      this.#options.report("Notifications could not be sent to a phone", error);
      this.#end(stream, false);
      return [];
    }
  }

  /** The next events, at most `ROWS`. A stream with more rows stays pending. */
  #next(stream: Stream): NtfyEvent[] {
    const { reader } = this.#options.store;
    const query = { userIds: idsOf(stream), device: "ntfy", after: stream.position, limit: ROWS } as const;
    const rows = notificationsOfUsers(reader, query);
    stream.position = rows.at(-1)?.id ?? stream.position;
    if (rows.length === ROWS) this.#pending.add(stream);
    return rows
      .map((row) => this.#eventOf(stream, row))
      .filter((event) => event !== undefined && passes(stream.filter, event)) as NtfyEvent[];
  }

  #eventOf({ topics, baseUrl, takesClears }: Subscription, row: NotificationRow): NtfyEvent | undefined {
    const { store, messagePrefix: prefix } = this.#options;
    const topic = topics.find(({ user_id }) => user_id === row.user_id) as Topic;
    const user = subscriberOf(store.reader, topic);
    if (!user) return undefined;
    const named = { row, topic: topic.name, prefix };
    if (row.kind === "clear") return takesClears ? clearEvent(named, this.#isGone(row)) : undefined;
    const shown = notificationFor(store.reader, user, row);
    return shown && messageEvent(named, shown, { baseUrl, keptMs: NOTIFICATION_KEPT_MS });
  }

  #isGone = ({ message_id }: NotificationRow): boolean =>
    message_id !== null && messageRow(this.#options.store.reader, message_id) === undefined;

  #keepAlive(stream: Stream): void {
    if (!this.#isValid(stream)) this.#end(stream, false);
    else if (!stream.connection.isBehind) stream.connection.keepAlive();
  }

  #isValid = ({ topics }: Stream): boolean =>
    topics.every((topic) => subscriberOf(this.#options.store.reader, topic) !== undefined);

  #endRevoked(events: readonly Published[]): void {
    for (const { event, users } of events) {
      if (event.type !== "ntfy_topic" && !(event.type === "realm" && event["op"] === "deactivated")) continue;
      for (const stream of this.#streams)
        if (idsOf(stream).some((id) => users.has(id)) && !this.#isValid(stream)) this.#end(stream, false);
    }
  }

  #end(stream: Stream, isComplete: boolean): void {
    this.#remove(stream);
    stream.connection.end(isComplete);
  }

  #remove(stream: Stream): void {
    clearInterval(stream.keepAlive);
    this.#streams.delete(stream);
    this.#pending.delete(stream);
  }
}

const idsOf = ({ topics }: Pick<Subscription, "topics">): number[] => topics.map(({ user_id }) => user_id);
