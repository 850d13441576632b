import { type Problem, storedProblem } from "../../errors.ts";
import type { Reader, Transaction } from "../../storage/transaction.ts";
import { exportsOnWire } from "../presenters/exports.ts";
import { type Export, type ExportContents, type ExportType, exportFileName } from "../queries/exports.ts";
import { activeUserIds, ROLES, type User, userById } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { insertRow } from "./rows.ts";

const administrators = (reader: Reader): number[] =>
  activeUserIds(reader).filter((id) => (userById(reader, id)?.role ?? ROLES.guest) <= ROLES.administrator);

const announce = (tx: Transaction): void =>
  tx.emit({ type: "realm_export", exports: exportsOnWire(tx) }, { users: administrators(tx) });

/** Returns the export's ID. server/host/exports/ writes the file later. */
export function beginExport(tx: Transaction, actor: User, type: ExportType): number {
  const id = insertRow(tx, "exports", { type, acting_user_id: actor.id, requested_at: tx.now });
  const target = `export ${exportFileName({ id, requested_at: tx.now })}` as const;
  recordAudit(tx, actor, { action: "make export", target, after: { type } });
  announce(tx);
  return id;
}

export function finishExport(
  tx: Transaction,
  id: number,
  { bytes, ...held }: ExportContents & { bytes: number },
): void {
  tx.run(
    `UPDATE exports SET finished_at = ?, bytes = ?, people = ?, channels = ?, messages = ?, files = ? WHERE id = ?`,
    tx.now,
    bytes,
    held.people,
    held.channels,
    held.messages,
    held.files,
    id,
  );
  announce(tx);
}

export function failExport(tx: Transaction, id: number, failure: Problem): void {
  tx.run("UPDATE exports SET failed_at = ?, failure = ? WHERE id = ?", tx.now, storedProblem(failure), id);
  announce(tx);
}

/** The caller removes the file afterwards. A null actor means that the file is missing. */
export function deleteExport(tx: Transaction, actor: User | null, removed: Export): void {
  tx.run("UPDATE exports SET deleted_at = ? WHERE id = ?", tx.now, removed.id);
  if (actor) recordAudit(tx, actor, { action: "delete export", target: `export ${exportFileName(removed)}` });
  announce(tx);
}

/** Announces to administrators whether the person's messages can be exported. */
export function announceExportConsent(tx: Transaction, { id }: Pick<User, "id">, consented: boolean): void {
  tx.emit({ type: "realm_export_consent", user_id: id, consented }, { users: administrators(tx) });
}
