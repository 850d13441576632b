import { DAY_MS, isMarked, newestMessageId, retentionClock } from "../queries/retention.ts";
import type { Transaction } from "../storage/transaction.ts";
import { recordAudit } from "./audit.ts";

/** How far the clock may be ahead of where it was last believed: a server may be off for a long weekend. */
const STEP_MS = 4 * DAY_MS;
/** A doubted clock that goes on by more than this at once has jumped again; a server may be off for weeks. */
const DOUBTED_AT_MOST_MS = 31 * DAY_MS;

/**
 * Whether the clock may be believed when it says that messages are old; noted for the next time. A clock whose battery
 * is empty can wake up years ahead, and what it would have deleted is gone for good: so a clock that is further
 * ahead of where it was believed last is doubted, until it is seen to have gone on for a day from there. A server that
 * was switched off for long waits that day as well. Going back is no danger: less is expired then.
 */
export function believeClock(tx: Transaction, now: number): boolean {
  const { believed, doubted } = retentionClock(tx, now);
  const doubtedFor = doubted === null ? -1 : now - doubted;
  const goneOn = doubtedFor >= DAY_MS && doubtedFor <= DOUBTED_AT_MOST_MS;
  if (now - believed <= STEP_MS || goneOn) {
    store(tx, now, null);
    if (!isMarked(tx, now)) mark(tx, now);
    return true;
  }
  if (doubtedFor < 0 || doubtedFor > DOUBTED_AT_MOST_MS) {
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
 * From here on messages are known to be younger than this: one whose own time is wrong, since it was sent while the
 * clock was years behind, is not taken for an old one.
 */
const mark = (tx: Transaction, now: number) =>
  tx.run("INSERT INTO retention_marks (at, last_message_id) VALUES (?, ?)", now, newestMessageId(tx));
