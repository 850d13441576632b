import type { Reader } from "../../storage/transaction.ts";

export interface EventQueueRow {
  id: string;
  user_id: number;
  /** JSON: the options that the client requested. */
  options: string;
  lifespan_seconds: number;
  first_event_id: number;
}

export const allEventQueues = (reader: Reader): EventQueueRow[] =>
  reader.all<EventQueueRow>("SELECT id, user_id, options, lifespan_seconds, first_event_id FROM event_queues");
