import type { Transaction } from "../../storage/transaction.ts";
import type { User } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { insertRow } from "./rows.ts";

/** Records an action on a backup file. `name`: the file's name. */
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
 * Prepares restored data for use. Deletes event queues, because their clients have events that the restored data lacks.
 * IDs that were issued later are not reused. `endSessions`: also deletes all sessions.
 */
export function adjustRestored(
  tx: Transaction,
  {
    sequences,
    endSessions,
    backup,
  }: {
    /** The largest issued IDs of the current tables. */
    sequences: readonly { name: string; seq: number }[];
    endSessions: boolean;
    /** Counts of messages and people that the backup lacks; null if unknown. */
    backup: { made_at: number; lost_messages: number | null; lost_people: number | null };
  },
): void {
  tx.run("DELETE FROM event_queues");
  if (endSessions) tx.run("DELETE FROM sessions");
  for (const { name, seq } of sequences) {
    const changed = tx.run("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", seq, name);
    if (changed === 0) insertRow(tx, "sqlite_sequence", { name, seq });
  }
  recordAudit(tx, null, { action: "restore backup", target: "organization", after: backup });
}
