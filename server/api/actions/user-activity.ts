import type { Transaction } from "../../storage/transaction.ts";
import { isRecorded } from "../queries/user-activity.ts";

/** Records that these users were active, once a day each. */
export function noteActive(tx: Transaction, userIds: Iterable<number>): void {
  const ids = [...userIds].filter((id) => !isRecorded(tx, id, tx.now)).sort((a, b) => a - b);
  for (const id of ids) {
    tx.run(
      `INSERT INTO user_activity (user_id, first_at, active_at) VALUES (?, ?, ?)
       ON CONFLICT (user_id) DO UPDATE SET active_at = excluded.active_at`,
      id,
      tx.now,
      tx.now,
    );
  }
}
