import type { Transaction } from "../../storage/transaction.ts";
import type { User } from "../queries/users.ts";
import { noteActive } from "./presence.ts";
import { insertRow } from "./rows.ts";

interface NewQueue {
  id: string;
  /** JSON of QueueOptions (server/events/). */
  options: string;
  lifespan_seconds: number;
  /** The newest issued event ID. The first event of the queue has a higher one. */
  first_event_id: number;
}

export function createEventQueue(tx: Transaction, owner: User, queue: NewQueue): NewQueue & { user_id: number } {
  insertRow(tx, "event_queues", {
    id: queue.id,
    user_id: owner.id,
    options: queue.options,
    lifespan_seconds: queue.lifespan_seconds,
    first_event_id: queue.first_event_id,
    created_at: tx.now,
  });
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
