import type { NewFile, StoredFile } from "../../media/files/stored-files.ts";
import type { Reader, Transaction } from "../../storage/transaction.ts";
import { fileInWords, uploadName } from "../queries/files.ts";
import { insertRow } from "./rows.ts";

/** Call it in the transaction of StoredFiles.store. A file without a row is removed. */
export function recordFile(tx: Transaction, { name, kind, size, sha256 }: NewFile): void {
  insertRow(tx, "files", { name, kind, size, sha256, created_at: tx.now });
}

/** For a file that was stored without a checksum. */
export const recordChecksum = (tx: Transaction, name: string, sha256: string): void =>
  void tx.run("UPDATE files SET sha256 = ? WHERE name = ? AND sha256 IS NULL", sha256, name);

/** Records by name which files are damaged or missing, and which are intact. */
export function recordDamage(
  tx: Transaction,
  { damaged, sound }: { damaged: readonly string[]; sound: readonly string[] },
): void {
  for (const [names, time] of [
    [damaged, tx.now],
    [sound, null],
  ] as const)
    tx.run(
      `UPDATE files SET damaged_at = ?
       WHERE (damaged_at IS NULL) = (? IS NOT NULL) AND name IN (SELECT value FROM json_each(?))`,
      time,
      time,
      JSON.stringify(names),
    );
}

/** For the server's log. */
export class UploadDamaged extends Error {
  override readonly name = "UploadDamaged";
  constructor(reader: Reader, file: Pick<StoredFile, "kind" | "name">) {
    super(`${uploadName(file)}: ${fileInWords(reader, file)}`);
  }
}

export const DAMAGE_REPORT =
  "An uploaded file is damaged or missing. Backups from before that have a good copy, and are kept";

/** Delete rows that refer to the file first, and remove the file afterwards (StoredFiles.remove). */
export function deleteFile(tx: Transaction, { name }: Pick<StoredFile, "name">): void {
  tx.run("DELETE FROM files WHERE name = ?", name);
}
