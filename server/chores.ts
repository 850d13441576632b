import { setTimeout } from "node:timers/promises";
import { deleteEventQueues } from "./actions/event-queues.ts";
import { forgetLocalSends } from "./actions/messages.ts";
import { deliverReminder, failReminder } from "./actions/reminders.ts";
import { deliverScheduledMessage, failScheduledMessage } from "./actions/scheduled-messages.ts";
import { forgetExpiredSessions } from "./actions/sessions.ts";
import { ApiError } from "./errors.ts";
import type { EventQueues } from "./events/queues.ts";
import { messageIndex } from "./queries/message-index.ts";
import { dueReminders } from "./queries/reminders.ts";
import { dueScheduledMessages } from "./queries/scheduled-messages.ts";
import { StorageClosed, StorageFailed, StorageFull } from "./storage/errors.ts";
import type { Store } from "./storage/store.ts";
import type { Reader, Transaction } from "./storage/transaction.ts";

/** How many are forgotten in one turn, at most: all of a busy minute at once would hold everybody up. */
const FORGOTTEN_AT_ONCE = 2000;
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
  const chores: Chore[] = [
    { everyMs: 1000, due: 0, work: () => queues.sendHeartbeats() },
    { everyMs: 60_000, due: 0, work: () => dropQueues(store, queues) },
    { everyMs: 500, due: 0, work: () => deliver(scheduledMessages, { store, now, report }) },
    { everyMs: 500, due: 0, work: () => deliver(reminders, { store, now, report }) },
    {
      everyMs: 60_000,
      due: 0,
      work: () => store.transact({ actor: null, action: "forget expired sessions" }, forgetExpiredSessions),
    },
    {
      everyMs: 1000,
      due: 0,
      work: () =>
        store.transact({ actor: null, action: "forget local sends" }, (tx) => forgetLocalSends(tx, FORGOTTEN_AT_ONCE)),
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

/** Loads the message index, newest first, in turns of a few milliseconds: else the first /register would wait for it. */
async function warmUp({ reader }: Store, ended: AbortSignal): Promise<void> {
  const index = messageIndex(reader);
  do await setTimeout(WARM_UP_PAUSE_MS, undefined, { ref: false });
  while (!ended.aborted && index.loadOne(reader));
}

function dropQueues(store: Store, queues: EventQueues): void {
  const { idle, behind } = queues.expired();
  const gone = [...idle, ...behind];
  if (gone.length === 0) return;
  store.transact({ actor: null, action: "drop event queues" }, (tx) => deleteEventQueues(tx, gone));
  for (const id of gone) queues.forget(id);
}

/** What waits for its time: which of it is due, what sends one, and what keeps one that cannot be sent. */
interface Post {
  readonly name: string;
  due(reader: Reader, now: number, most: number): { id: number; userId: number }[];
  deliver(reader: Reader, id: number): (tx: Transaction) => void;
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
      store.transact(about, post.deliver(store.reader, id));
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
