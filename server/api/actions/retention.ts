import type { Transaction } from "../../storage/transaction.ts";
import { DAY_MS, isMarked, newestMessageId, retentionClock } from "../queries/retention.ts";
import { recordAudit } from "./audit.ts";
import { insertRow } from "./rows.ts";

/** A server may be off for a long weekend. */
const STEP_MS = 4 * DAY_MS;
/** If a doubted clock advances by more than this, it has jumped again. A server may be off for weeks. */
const MAX_DOUBTED_MS = 31 * DAY_MS;

/**
 * Whether to trust the clock for deleting expired messages. A clock with an empty battery can start years ahead, and
 * deleted messages cannot be restored.
 * So a clock far ahead of its last trusted value is doubted until it has advanced for a day. This also applies after a
 * long downtime. A clock that goes back is harmless, because fewer messages expire. Stores the decision.
 */
export function trustClock(tx: Transaction, now: number): boolean {
  const { believed, doubted } = retentionClock(tx, now);
  const doubtedFor = doubted === null ? -1 : now - doubted;
  const hasAdvanced = doubtedFor >= DAY_MS && doubtedFor <= MAX_DOUBTED_MS;
  if (now - believed <= STEP_MS || hasAdvanced) {
    store(tx, now, null);
    if (!isMarked(tx, now)) mark(tx, now);
    return true;
  }
  if (doubtedFor < 0 || doubtedFor > MAX_DOUBTED_MS) {
    store(tx, believed, now);
    recordAudit(tx, null, { action: "doubt the clock", target: "clock", before: believed, after: now });
  }
  return false;
}

const store = (tx: Transaction, believed: number, doubted: number | null) =>
  tx.run(
    `INSERT INTO retention_clock (id, believed, doubted) VALUES (1, ?, ?)
     ON CONFLICT (id) DO UPDATE SET believed = excluded.believed, doubted = excluded.doubted`,
    believed,
    doubted,
  );

/**
 * Records that messages with higher IDs are younger than `now`. Without it, messages sent while the clock was years
 * behind would count as old.
 */
const mark = (tx: Transaction, now: number) =>
  insertRow(tx, "retention_marks", { at: now, last_message_id: newestMessageId(tx) });
