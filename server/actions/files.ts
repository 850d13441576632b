import type { StoredFile } from "../files/stored-files.ts";
import type { Transaction } from "../storage/transaction.ts";

/** Has the file stay: called in the transaction of StoredFiles.store. */
export function recordFile(tx: Transaction, { name, kind, size }: StoredFile): void {
  tx.run("INSERT INTO files (name, kind, size, created_at) VALUES (?, ?, ?, ?)", name, kind, size, tx.now);
}

/** The rows that refer to it go before. The file itself goes afterwards: StoredFiles.remove. */
export function deleteFile(tx: Transaction, { name }: Pick<StoredFile, "name">): void {
  tx.run("DELETE FROM files WHERE name = ?", name);
}
