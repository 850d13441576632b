import type { StoredFile } from "../files/stored-files.ts";
import type { Reader } from "../storage/transaction.ts";

/** The stored file of this name. */
export const fileByName = (reader: Reader, name: string): StoredFile | undefined =>
  reader.get<StoredFile>("SELECT kind, name, size FROM files WHERE name = ?", name);

/** Those of the names that have a row. */
export const recordedFiles = (reader: Reader, names: readonly string[]): ReadonlySet<string> =>
  new Set(
    reader
      .all<{ name: string }>(
        "SELECT name FROM files WHERE name IN (SELECT value FROM json_each(?))",
        JSON.stringify(names),
      )
      .map(({ name }) => name),
  );
