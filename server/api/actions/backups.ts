import type { Transaction } from "../../storage/transaction.ts";
import type { User } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";

/** Records what was done to a backup, which is a file; `name` is the file's. */
export function recordBackup(
  tx: Transaction,
  actor: User | null,
  action: "make backup" | "delete backup",
  name: string,
): void {
  recordAudit(tx, actor, { action, target: `backup ${name}` });
}

/** Records that backups hold the organization's keys from now on, or no longer. */
export function recordBackupPassphrase(
  tx: Transaction,
  actor: User | null,
  action: "set backup passphrase" | "remove backup passphrase",
): void {
  recordAudit(tx, actor, { action, target: "organization" });
}

/**
 * What a restored state needs before anybody uses it: its event queues end, since their clients know events that never
 * happened now; and ids that have been given out since are not used again. `endSessions` also ends all sign-ins.
 */
export function adjustRestored(
  tx: Transaction,
  {
    sequences,
    endSessions,
    backup,
  }: {
    /** The largest ids that today's tables have given out. */
    sequences: readonly { name: string; seq: number }[];
    endSessions: boolean;
    /** When it was made, and how many messages and people of today it does not have; null where that is not known. */
    backup: { made_at: number; lost_messages: number | null; lost_people: number | null };
  },
): void {
  tx.run("DELETE FROM event_queues");
  if (endSessions) tx.run("DELETE FROM sessions");
  for (const { name, seq } of sequences) {
    const changed = tx.run("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", seq, name);
    if (changed === 0) tx.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", name, seq);
  }
  recordAudit(tx, null, { action: "restore backup", target: "organization", after: backup });
}
