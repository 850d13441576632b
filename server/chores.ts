import { setTimeout } from "node:timers/promises";
import { deleteEventQueues } from "./actions/event-queues.ts";
import { forgetLocalSends } from "./actions/messages.ts";
import { forgetExpiredSessions } from "./actions/sessions.ts";
import type { EventQueues } from "./events/queues.ts";
import { messageIndex } from "./queries/message-index.ts";
import type { Store } from "./storage/store.ts";

/** How many are forgotten in one turn, at most: all of a busy minute at once would hold everybody up. */
const FORGOTTEN_AT_ONCE = 2000;
const WARM_UP_PAUSE_MS = 5;

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
      if (now() < chore.due) continue;
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
