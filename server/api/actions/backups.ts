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
