import type { Maintenance, Transaction } from "../../storage/transaction.ts";
import { messageIndex, storedForm } from "../queries/message-index.ts";
import { upsertRow } from "./rows.ts";

/** Stores the oldest chunk that is not stored. Takes some milliseconds. Returns whether more are left. */
export function storeChunk(work: Maintenance): boolean {
  const index = messageIndex(work);
  const number = index.unstored(work);
  if (number === undefined) return false;
  const sql = "INSERT OR REPLACE INTO message_chunks (chunk, places) VALUES (?, ?)";
  work.run(sql, number, storedForm(index.chunk(work, number)));
  return index.unstored(work) !== undefined;
}

/** Stores read chunks of at most `max` users. Returns whether more are left. */
export function saveReadChunks(tx: Transaction, max: number): boolean {
  const { readChunks } = messageIndex(tx);
  const unsaved = readChunks.unsaved(max);
  for (const { userId, bits } of unsaved) {
    upsertRow(tx, "read_chunks", { user_id: userId }, { bits });
    tx.afterCommit(() => readChunks.saved(userId));
  }
  return unsaved.length === max;
}
