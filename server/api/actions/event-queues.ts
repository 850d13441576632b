import type { Transaction } from "../../storage/transaction.ts";
import type { User } from "../queries/users.ts";
import { noteActive } from "./presence.ts";

interface NewQueue {
  id: string;
  /** JSON of QueueOptions (server/events/). */
  options: string;
  lifespan_seconds: number;
  /** The newest issued event ID. The first event of the queue has a higher one. */
  first_event_id: number;
}

export function createEventQueue(tx: Transaction, owner: User, queue: NewQueue): NewQueue & { user_id: number } {
  tx.run(
    "INSERT INTO event_queues (id, user_id, options, lifespan_seconds, first_event_id, created_at) VALUES (?, ?, ?, ?, ?, ?)",
    queue.id,
    owner.id,
    queue.options,
    queue.lifespan_seconds,
    queue.first_event_id,
    tx.now,
  );
  noteActive(tx, [owner.id]);
  return { ...queue, user_id: owner.id };
}

export function deleteEventQueues(tx: Transaction, queueIds: readonly string[]): void {
  for (const id of queueIds) tx.run("DELETE FROM event_queues WHERE id = ?", id);
}

/** Use it if a change would take too many events. Clients must register again. */
export function resetEventQueues(tx: Transaction, userIds: readonly number[]): void {
  if (userIds.length === 0) return;
  const ids = JSON.stringify(userIds);
  tx.run("DELETE FROM event_queues WHERE user_id IN (SELECT value FROM json_each(?))", ids);
  tx.emit({ type: "start_anew" }, { users: userIds });
}
