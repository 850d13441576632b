import { setTimeout } from "node:timers/promises";
import { readInArchived } from "../actions/channel-settings.ts";
import { announceQuiet } from "../actions/channels.ts";
import { deleteEventQueues } from "../actions/event-queues.ts";
import { notifyNewFullMembers } from "../actions/full-members.ts";
import { deleteExpiredInvitations } from "../actions/invitations.ts";
import { deleteExpiredLocalSends } from "../actions/messages.ts";
import { savePresences } from "../actions/presence.ts";
import { deliverReminder, failReminder } from "../actions/reminders.ts";
import { deliverScheduledMessage, failScheduledMessage } from "../actions/scheduled-messages.ts";
import { deleteExpiredSessions } from "../actions/sessions.ts";
import { deleteExpiredSignInLinks } from "../actions/sign-in-links.ts";
import { noteActive } from "../actions/user-activity.ts";
import { ApiError } from "../errors.ts";
import type { EventQueues } from "../events/queues.ts";
import { allChannels, archivedUnread, type Channel, channelsGoneQuiet } from "../queries/channels.ts";
import { messageIndex } from "../queries/message-index.ts";
import { isDeactivated } from "../queries/organization.ts";
import { dueReminders } from "../queries/reminders.ts";
import { dueScheduledMessages } from "../queries/scheduled-messages.ts";
import { subscribersOf } from "../queries/subscriptions.ts";
import { StorageClosed, StorageFailed, StorageFull } from "../storage/errors.ts";
import type { Store } from "../storage/store.ts";
import type { Reader, Transaction } from "../storage/transaction.ts";
import { HOUR_MS, Retention } from "./retention.ts";

/** What a crash forgets of who was here, people say anew within a minute. */
const PRESENCES_SAVED_MS = 300_000;
/** How many are forgotten in one turn, at most: all of a busy minute at once would hold everybody up. */
const DELETED_AT_ONCE = 2000;
const WARM_UP_PAUSE_MS = 5;
/** How long one turn goes on delivering what is due, after the first few; the rest waits for the next turn. */
const DELIVERING_MS = 50;
const DELIVERED_AT_ONCE = { least: 10, most: 500 };

export interface Chores {
  /** Does what is due at once; for tests with their own clock. */
  run(): void;
  stop(): void;
}

interface Chore {
  everyMs: number;
  due: number;
  work(): void;
}

/** Timed work, each piece in a short turn of its own; one that fails is reported and tried again at its next time. */
export function startChores({
  store,
  queues,
  now,
  report,
}: {
  store: Store;
  queues: EventQueues;
  now: () => number;
  report: (message: string, error: unknown) => void;
}): Chores {
  const retention = new Retention(store, now);
  // A deactivated organization stays as it is.
  const whileActive = (work: () => void) => () => {
    if (!isDeactivated(store.reader)) work();
  };
  const chores: Chore[] = [
    { everyMs: 1000, due: 0, work: () => queues.sendHeartbeats() },
    { everyMs: 60_000, due: 0, work: () => dropQueues(store, queues) },
    {
      everyMs: 60_000,
      due: 0,
      work: whileActive(() =>
        store.transact({ actor: null, action: "note who is active" }, (tx) => noteActive(tx, queues.listeners())),
      ),
    },
    { everyMs: PRESENCES_SAVED_MS, due: now() + PRESENCES_SAVED_MS, work: whileActive(() => writePresences(store)) },
    { everyMs: 500, due: 0, work: whileActive(() => deliver(scheduledMessages, { store, now, report })) },
    { everyMs: 500, due: 0, work: whileActive(() => deliver(reminders, { store, now, report })) },
    { everyMs: 1000, due: 0, work: notifyOfQuietChannels(store, now) },
    { everyMs: 1000, due: 0, work: () => readArchived(store) },
    {
      everyMs: 60_000,
      due: 0,
      work: () => store.transact({ actor: null, action: "forget expired sessions" }, deleteExpiredCredentials),
    },
    {
      everyMs: 60_000,
      due: 0,
      work: () => store.transact({ actor: null, action: "forget expired invitations" }, deleteExpiredInvitations),
    },
    {
      everyMs: 1000,
      due: 0,
      work: () =>
        store.transact({ actor: null, action: "forget local sends" }, (tx) =>
          deleteExpiredLocalSends(tx, DELETED_AT_ONCE),
        ),
    },
    { everyMs: 1000, due: 0, work: whileActive(() => retention.work()) },
    {
      everyMs: 3_600_000,
      due: 0,
      work: whileActive(() => store.transact({ actor: null, action: "tell new full members" }, notifyNewFullMembers)),
    },
  ];
  const run = () => {
    if (!store.hasRoom) return queues.sendHeartbeats();
    for (const chore of chores) {
      // A time further away than a whole wait was set before the clock went back.
      if (now() < chore.due && chore.due <= now() + chore.everyMs) continue;
      chore.due = now() + chore.everyMs;
      try {
        chore.work();
      } catch (error) {
        report("A chore failed", error);
      }
    }
  };
  const timer = setInterval(run, 1000);
  const ended = new AbortController();
  void warmUp(store, ended.signal);
  return {
    run,
    stop() {
      clearInterval(timer);
      ended.abort();
    },
  };
}

/** At the end too. */
export const writePresences = (store: Store): void =>
  store.transact({ actor: null, action: "write presences" }, savePresences);

const CHANNELS_AT_ONCE = 50;

/**
 * Loads the message index, newest first, and who is subscribed to what, in turns of a few milliseconds: else the first
 * /register would wait for them.
 */
async function warmUp({ reader }: Store, ended: AbortSignal): Promise<void> {
  const index = messageIndex(reader);
  do await setTimeout(WARM_UP_PAUSE_MS, undefined, { ref: false });
  while (!ended.aborted && index.loadOne(reader));
  for (let at = 0; !ended.aborted; at += CHANNELS_AT_ONCE) {
    const channels = allChannels(reader).slice(at, at + CHANNELS_AT_ONCE);
    if (channels.length === 0) return;
    for (const { id } of channels) subscribersOf(reader, id);
    await setTimeout(WARM_UP_PAUSE_MS, undefined, { ref: false });
  }
}

function deleteExpiredCredentials(tx: Transaction): void {
  deleteExpiredSessions(tx);
  deleteExpiredSignInLinks(tx);
}

function dropQueues(store: Store, queues: EventQueues): void {
  const { idle, behind } = queues.expired();
  const gone = [...idle, ...behind];
  if (gone.length === 0) return;
  store.transact({ actor: null, action: "drop event queues" }, (tx) => deleteEventQueues(tx, gone));
  for (const id of gone) queues.remove(id);
}

/** Goes on where whoever archived a channel went away, or the server ended. */
function readArchived(store: Store): void {
  const id = archivedUnread(store.reader);
  if (id !== undefined)
    store.transact({ actor: null, action: "read archived channel" }, (tx) => readInArchived(tx, id));
}

/** No client that knew a channel as recently active waits longer for its next event. */
const MAX_QUEUE_MS = 7 * 24 * HOUR_MS;
const NOTIFIED_AT_ONCE = 20;

/** Looks every hour for channels that have become quiet since, and tells of a few at a time. */
function notifyOfQuietChannels(store: Store, now: () => number): () => void {
  let [since, due] = [now() - MAX_QUEUE_MS, 0];
  let quiet: Channel[] = [];
  return () => {
    const until = now();
    if (quiet.length === 0 && (until >= due || due > until + HOUR_MS)) {
      quiet = channelsGoneQuiet(store.reader, since, until);
      [since, due] = [until, until + HOUR_MS];
    }
    const told = quiet.splice(0, NOTIFIED_AT_ONCE).map(({ id }) => id);
    if (told.length > 0)
      store.transact({ actor: null, action: "tell of quiet channels" }, (tx) => announceQuiet(tx, told));
  };
}

/** What waits for its time: which of it is due, what sends one, and what keeps one that cannot be sent. */
interface Post {
  readonly name: string;
  due(reader: Reader, now: number, most: number): { id: number; userId: number }[];
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

/** Sends what is due, each in a transaction of its own, so that one that cannot be sent holds up no other. */
function deliver(
  post: Post,
  { store, now, report }: { store: Store; now: () => number; report: (message: string, error: unknown) => void },
): void {
  const end = performance.now() + DELIVERING_MS;
  for (const [done, { id, userId }] of post.due(store.reader, now(), DELIVERED_AT_ONCE.most).entries()) {
    if (done >= DELIVERED_AT_ONCE.least && performance.now() > end) return;
    const about = { actor: userId, action: `deliver ${post.name}` };
    try {
      store.transact(about, (tx) => post.deliver(tx, id));
    } catch (error) {
      // Storage that takes nothing now takes it later.
      if (error instanceof StorageFull || error instanceof StorageFailed || error instanceof StorageClosed) throw error;
      const refused = error instanceof ApiError;
      if (!refused) report(`The ${post.name} ${id} could not be sent`, error);
      const reason = refused ? error.message : "The server could not send it.";
      store.transact(about, (tx) => post.fail(tx, id, reason));
    }
  }
}
