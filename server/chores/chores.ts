import { setTimeout as pause } from "node:timers/promises";
import { deleteUnusedAttachments } from "../api/actions/attachments.ts";
import { readInArchived } from "../api/actions/channel-settings.ts";
import { announceInactiveChannels } from "../api/actions/channels.ts";
import { deleteEventQueues } from "../api/actions/event-queues.ts";
import { announceNewFullMembers } from "../api/actions/full-members.ts";
import { deleteExpiredInvitations } from "../api/actions/invitations.ts";
import { mergeSlice } from "../api/actions/merges.ts";
import { saveReadChunks, storeChunk } from "../api/actions/message-index.ts";
import { deleteExpiredLocalSends } from "../api/actions/messages.ts";
import {
  clearReadNotifications,
  deleteOldNotifications,
  releaseDueNotifications,
} from "../api/actions/notifications.ts";
import { noteActive, savePresences } from "../api/actions/presence.ts";
import { deliverReminder, failReminder } from "../api/actions/reminders.ts";
import { deliverScheduledMessage, failScheduledMessage } from "../api/actions/scheduled-messages.ts";
import { deleteExpiredSessions, deleteOldAddresses } from "../api/actions/sessions.ts";
import { deleteExpiredSignInLinks } from "../api/actions/sign-in-links.ts";
import { deleteOldDeliveries } from "../api/actions/webhook-deliveries.ts";
import { allChannels, archivedUnread, type Channel, channelsGoneQuiet } from "../api/queries/channels.ts";
import { recordedFiles } from "../api/queries/files.ts";
import { oldestMerge } from "../api/queries/merges.ts";
import { CHUNK, messageIndex } from "../api/queries/message-index.ts";
import { dueNotifications, usersWithNotifications } from "../api/queries/notifications.ts";
import { isDeactivated } from "../api/queries/organization.ts";
import { dueReminders } from "../api/queries/reminders.ts";
import { dueScheduledMessages } from "../api/queries/scheduled-messages.ts";
import { subscribersOf } from "../api/queries/subscriptions.ts";
import { ApiError } from "../errors.ts";
import type { EventQueues } from "../events/queues.ts";
import type { StoredFiles } from "../media/files/stored-files.ts";
import { StorageBusy, StorageClosed, StorageFailed, StorageFull } from "../storage/errors.ts";
import type { Store } from "../storage/store.ts";
import type { Reader, Transaction } from "../storage/transaction.ts";
import { HOUR_MS, Retention } from "./retention.ts";

/** A crash loses newer presences, but clients report them again within a minute. */
const PRESENCES_SAVED_MS = 300_000;
/** Limit per transaction, because all local ids of a busy minute would block requests for too long. */
const DELETED_AT_ONCE = 2000;
const WARM_UP_PAUSE_MS = 5;
const TICK_MS = 1000;
const MINUTE_MS = 60_000;
/** Due immediately. */
const DUE = Number.NEGATIVE_INFINITY;
const DELIVERED_AT_ONCE = 100;
/** A slice of deliveries starts no message after this time. The next slice follows after a pause. */
const DELIVERING_MS = 20;
const DELIVERY_PAUSE_MS = 20;

export interface Chores {
  /** Runs the chores that are due, for tests with a fake clock. */
  run(): void;
  stop(): void;
}

interface Chore {
  /** Completes the sentence "… failed" in the server's log. */
  name: string;
  everyMs: number;
  /** On the monotonic clock. */
  due: number;
  /** Returns true to run again after a pause, in which requests are served. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most chores return nothing
  work(): boolean | void;
  /** The reason of its last failure. */
  failure?: string | undefined;
  /** Whether it waits until the log has room. */
  writes: boolean;
}

const chore = (name: string, everyMs: number, work: Chore["work"], due = DUE): Chore => ({
  name,
  everyMs,
  due,
  work,
  writes: true,
});

interface Context {
  store: Store;
  queues: EventQueues;
  files: StoredFiles;
  /** Tells the devices about new notifications. */
  announceNotifications: () => void;
  now: () => number;
  monotonic: () => number;
  report: (message: string, error: unknown) => void;
}

/**
 * Starts the timed work. A chore that fails runs again at its next time. It is reported when it begins to fail, and
 * again only after the reason changes.
 */
export function startChores(context: Context): Chores {
  const { store, queues } = context;
  const runner = new ChoreRunner(context, choresOf(context));
  const countedSleep = sleepMeter(TICK_MS);
  const timer = setInterval(() => {
    // Before the chores, because a chore deletes idle queues.
    const counted = countedSleep();
    if (counted !== undefined) queues.afterSleep(counted);
    runner.run();
  }, TICK_MS);
  const ended = new AbortController();
  void warmUp(store, ended.signal);
  return {
    run: () => runner.run(),
    stop() {
      clearInterval(timer);
      runner.stop();
      ended.abort();
    },
  };
}

function choresOf({ store, queues, files, announceNotifications, now, monotonic, report }: Context): Chore[] {
  const retention = new Retention(store, now, monotonic);
  // A deactivated organization does not change.
  const whileActive = (work: Chore["work"]) => () => (isDeactivated(store.reader) ? undefined : work());
  const written = (action: string, work: (tx: Transaction) => void) => () =>
    store.transact({ actor: null, action }, work);
  const later = monotonic() + PRESENCES_SAVED_MS;
  const reportUnremoved = (error: unknown) => report("Deleted uploads could not be removed", error);
  const reportUnswept = (error: unknown) => report("Files without a row could not be removed", error);
  const noteActivity = written("note who is active", (tx) => noteActive(tx, queues.listeners()));
  const deleteLocalSends = written("forget local sends", (tx) => deleteExpiredLocalSends(tx, DELETED_AT_ONCE));
  const announceFullMembers = written("tell new full members", announceNewFullMembers);
  const deliverDue = (post: Post) => whileActive(() => deliver(post, { store, now, report }));
  return [
    { ...chore("Sending heartbeats", 1000, () => queues.sendHeartbeats()), writes: false },
    chore("Dropping idle event queues", MINUTE_MS, () => dropQueues(store, queues)),
    chore("Noting who is active", MINUTE_MS, whileActive(noteActivity)),
    chore(
      "Saving presences",
      PRESENCES_SAVED_MS,
      whileActive(() => writePresences(store)),
      later,
    ),
    chore("Storing message places", 1000, () => store.maintain(storeChunk)),
    chore("Saving read state", PRESENCES_SAVED_MS, () => writeReadChunks(store), later),
    chore("Sending scheduled messages", 500, deliverDue(scheduledMessages)),
    chore("Sending reminders", 500, deliverDue(reminders)),
    chore(
      "Releasing notifications",
      1000,
      whileActive(() => releaseNotifications(store, now, announceNotifications)),
    ),
    chore("Clearing read notifications", Number.POSITIVE_INFINITY, clearRead(store, announceNotifications)),
    chore("Deleting old notifications", MINUTE_MS, written("delete old notifications", deleteSomeNotifications)),
    chore("Announcing quiet channels", 1000, notifyOfQuietChannels(store, now, monotonic)),
    chore("Merging imported accounts", 1000, () => continueMerge(store)),
    chore("Marking archived channels as read", 1000, () => readArchived(store)),
    chore("Deleting expired sessions", MINUTE_MS, written("forget expired sessions", deleteExpiredCredentials)),
    chore("Deleting expired invitations", MINUTE_MS, written("forget expired invitations", deleteExpiredInvitations)),
    chore("Deleting old local ids", 1000, deleteLocalSends),
    chore("Deleting old deliveries", MINUTE_MS, written("delete old deliveries", deleteOldDeliveries)),
    chore(
      "Deleting expired messages",
      1000,
      whileActive(() => retention.work()),
    ),
    chore(
      "Deleting unclaimed uploads",
      HOUR_MS,
      whileActive(() => deleteUnneededUploads(store, files, reportUnremoved)),
    ),
    chore("Removing stray files", HOUR_MS, () => void sweepFiles(store, files, now).catch(reportUnswept)),
    chore("Announcing new full members", HOUR_MS, whileActive(announceFullMembers)),
  ];
}

class ChoreRunner {
  readonly #context: Context;
  readonly #chores: readonly Chore[];
  #again: NodeJS.Timeout | undefined;

  constructor(context: Context, chores: readonly Chore[]) {
    this.#context = context;
    this.#chores = chores;
  }

  run(): void {
    const { store, monotonic } = this.#context;
    this.stop();
    for (const one of this.#chores) {
      if (monotonic() < one.due) continue;
      // A chore that writes stays due until the log has room.
      if (!store.hasRoom && one.writes) continue;
      one.due = monotonic() + one.everyMs;
      this.#do(one);
    }
  }

  #do(one: Chore): void {
    try {
      if (one.work()) {
        one.due = DUE;
        this.#again ??= setTimeout(() => this.run(), DELIVERY_PAUSE_MS);
      }
      one.failure = undefined;
    } catch (error) {
      if (one.failure !== String(error)) this.#context.report(`${one.name} failed`, error);
      one.failure = String(error);
    }
  }

  stop(): void {
    clearTimeout(this.#again);
    this.#again = undefined;
  }
}

/** The server also calls this when it shuts down. */
export const writePresences = (store: Store): void =>
  store.transact({ actor: null, action: "write presences" }, savePresences);

/** Returns whether there is more to write. The server also calls this when it shuts down. */
export const writeReadChunks = (store: Store): boolean =>
  store.transact({ actor: null, action: "write read chunks" }, (tx) => saveReadChunks(tx, READERS_AT_ONCE));

const CHANNELS_AT_ONCE = 50;
/** About 100,000 messages. */
const CHUNKS_WARMED = 24;
/** Users per transaction. */
const READERS_AT_ONCE = 100;

/**
 * Loads the index of the newest messages and the subscribers of all channels, in slices of a few milliseconds. Otherwise
 * the first /register would load them.
 */
async function warmUp({ reader }: Store, ended: AbortSignal): Promise<void> {
  const index = messageIndex(reader);
  const newest = Math.floor(index.last(reader) / CHUNK);
  for (let number = newest; number >= 0 && number > newest - CHUNKS_WARMED; number -= 1) {
    await pause(WARM_UP_PAUSE_MS, undefined, { ref: false });
    if (ended.aborted) return;
    index.chunk(reader, number);
  }
  for (let at = 0; !ended.aborted; at += CHANNELS_AT_ONCE) {
    const channels = allChannels(reader).slice(at, at + CHANNELS_AT_ONCE);
    if (channels.length === 0) return;
    for (const { id } of channels) subscribersOf(reader, id);
    await pause(WARM_UP_PAUSE_MS, undefined, { ref: false });
  }
}

const NOTIFICATIONS_AT_ONCE = 100;

/** Returns whether more are due. */
function releaseNotifications(store: Store, now: () => number, announce: () => void): boolean {
  if (dueNotifications(store.reader, now(), 1).length === 0) return false;
  const isMore = store.transact({ actor: null, action: "release notifications" }, (tx) =>
    releaseDueNotifications(tx, NOTIFICATIONS_AT_ONCE),
  );
  announce();
  return isMore;
}

const CLEARED_AT_ONCE = 20;

/** Once after the start. Each call goes on with the next users, and returns whether there are more. */
function clearRead(store: Store, announce: () => void): () => boolean {
  let after = 0;
  return () => {
    const users = usersWithNotifications(store.reader, after, CLEARED_AT_ONCE);
    after = users.at(-1) ?? after;
    if (users.length > 0)
      store.transact({ actor: null, action: "clear read notifications" }, (tx) => clearReadNotifications(tx, users));
    announce();
    return users.length === CLEARED_AT_ONCE;
  };
}

const deleteSomeNotifications = (tx: Transaction) => deleteOldNotifications(tx, DELETED_AT_ONCE);

function deleteExpiredCredentials(tx: Transaction): void {
  deleteExpiredSessions(tx);
  deleteOldAddresses(tx);
  deleteExpiredSignInLinks(tx);
}

function dropQueues(store: Store, queues: EventQueues): void {
  const { idle, behind } = queues.expired();
  const expired = [...idle, ...behind];
  if (expired.length === 0) return;
  store.transact({ actor: null, action: "drop event queues" }, (tx) => deleteEventQueues(tx, expired));
  for (const id of expired) queues.remove(id);
}

const UPLOADS_AT_ONCE = 50;

/** Deletes uploads that no message has used for a week. Returns whether there may be more. */
function deleteUnneededUploads(store: Store, files: StoredFiles, report: (error: unknown) => void): boolean {
  const deleted = store.transact({ actor: null, action: "delete unneeded uploads" }, (tx) =>
    deleteUnusedAttachments(tx, UPLOADS_AT_ONCE),
  );
  files.remove(deleted.flat()).catch(report);
  return deleted.length === UPLOADS_AT_ONCE;
}

/** After this time, a file without a row is not part of a running transaction, and no one has just restored it. */
const STRAY_MS = HOUR_MS;

/** Removes files that a crash left without a row. */
const sweepFiles = (store: Store, files: StoredFiles, now: () => number): Promise<number> =>
  files.sweep(now() - STRAY_MS, (names) => recordedFiles(store.reader, names));

/** Continues after an archiving request was interrupted. */
function readArchived(store: Store): void {
  const id = archivedUnread(store.reader);
  if (id !== undefined)
    store.transact({ actor: null, action: "read archived channel" }, (tx) => readInArchived(tx, id));
}

/** Continues after a merge was interrupted. Returns whether more is left. */
function continueMerge(store: Store): boolean {
  const stubId = oldestMerge(store.reader);
  if (stubId === undefined) return false;
  store.transact({ actor: null, action: "merge imported account" }, (tx) => mergeSlice(tx, stubId));
  return true;
}

/** The maximum lifetime of a queue. No older queue can know the channel as recently active. */
const MAX_QUEUE_MS = 7 * 24 * HOUR_MS;
const NOTIFIED_AT_ONCE = 20;

/** Finds channels that are no longer recently active every hour, and announces a few at a time. */
function notifyOfQuietChannels(store: Store, now: () => number, monotonic: () => number): () => void {
  let [since, due] = [now() - MAX_QUEUE_MS, DUE];
  let quiet: Channel[] = [];
  return () => {
    if (quiet.length === 0 && monotonic() >= due) {
      const until = now();
      quiet = channelsGoneQuiet(store.reader, since, until);
      [since, due] = [until, monotonic() + HOUR_MS];
    }
    const notified = quiet.splice(0, NOTIFIED_AT_ONCE).map(({ id }) => id);
    if (notified.length > 0)
      store.transact({ actor: null, action: "tell of quiet channels" }, (tx) => announceInactiveChannels(tx, notified));
  };
}

/** A kind of message with a delivery time. */
interface Post {
  readonly name: string;
  due(reader: Reader, now: number, max: number): { id: number; userId: number }[];
  deliver(tx: Transaction, id: number): void;
  fail(tx: Transaction, id: number, reason: string): void;
}

const scheduledMessages: Post = {
  name: "scheduled message",
  due: dueScheduledMessages,
  deliver: deliverScheduledMessage,
  fail: failScheduledMessage,
};
const reminders: Post = { name: "reminder", due: dueReminders, deliver: deliverReminder, fail: failReminder };

const NOT_NOW = [StorageFull, StorageBusy, StorageFailed, StorageClosed];

/**
 * Sends a slice of the due messages. Each has its own transaction, so that a failure does not block others. Returns
 * whether more are due.
 */
function deliver(
  post: Post,
  { store, now, report }: { store: Store; now: () => number; report: (message: string, error: unknown) => void },
): boolean {
  const end = performance.now() + DELIVERING_MS;
  const due = post.due(store.reader, now(), DELIVERED_AT_ONCE);
  for (const [done, { id, userId }] of due.entries()) {
    if (done > 0 && performance.now() > end) return true;
    const about = { actor: userId, action: `deliver ${post.name}` };
    try {
      store.transact(about, (tx) => post.deliver(tx, id));
    } catch (error) {
      // The storage cannot write now, so the message stays due.
      if (NOT_NOW.some((name) => error instanceof name)) throw error;
      const expected = error instanceof ApiError;
      if (!expected) report(`The ${post.name} ${id} could not be sent`, error);
      const reason = expected ? error.message : "The server could not send it.";
      store.transact(about, (tx) => post.fail(tx, id, reason));
    }
  }
  return due.length === DELIVERED_AT_ONCE;
}

/** If a timer is later than this, other work was not the reason: the machine was asleep, or the thread was stopped. */
const MIN_SLEEP_MS = 10_000;

/**
 * Detects that the machine slept, from a timer that should run every `intervalMs`. It uses the wall clock, since the
 * monotonic clock stops during sleep on Linux, and continues on other systems. Call the returned function at each run
 * of the timer. It returns how many milliseconds of the sleep the monotonic clock counted; undefined if the machine did
 * not sleep. If the wall clock is set ahead, that looks like a sleep which the monotonic clock did not count.
 */
export function sleepMeter(
  intervalMs: number,
  { now = Date.now, monotonic = () => performance.now() }: { now?: () => number; monotonic?: () => number } = {},
): () => number | undefined {
  const lateness = (clock: () => number) => {
    let previous = clock();
    return () => {
      const time = clock();
      const late = time - previous - intervalMs;
      previous = time;
      return late;
    };
  };
  const [wall, counted] = [lateness(now), lateness(monotonic)];
  return () => {
    const [late, lateByMonotonic] = [wall(), counted()];
    return late > MIN_SLEEP_MS ? Math.max(0, lateByMonotonic) : undefined;
  };
}
