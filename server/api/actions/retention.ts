import type { Transaction } from "../../storage/transaction.ts";
import { DAY_MS, isMarked, newestMessageId, retentionClock } from "../queries/retention.ts";
import { recordAudit } from "./audit.ts";

/** How far the clock may be ahead of its last trusted value: a server may be off for a long weekend. */
const STEP_MS = 4 * DAY_MS;
/** A doubted clock that advances by more than this at once has jumped again; a server may be off for weeks. */
const MAX_DOUBTED_MS = 31 * DAY_MS;

/**
 * Whether to trust the clock when it says that messages have expired; stores the decision for the next call. A clock
 * whose battery is empty can start years ahead, and messages that it expires cannot be restored. So a clock that is too
 * far ahead of its last trusted value is doubted until it has advanced for a day from there. A server that was off for
 * a long time waits that day too. A clock that goes back does no harm: fewer messages expire.
 */
export function believeClock(tx: Transaction, now: number): boolean {
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
 * Records that messages with higher ids are younger than `now`. A message sent while the clock was years behind has a
 * wrong time; because of the mark it does not count as old.
 */
const mark = (tx: Transaction, now: number) =>
  tx.run("INSERT INTO retention_marks (at, last_message_id) VALUES (?, ?)", now, newestMessageId(tx));
