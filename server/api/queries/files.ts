import type { StoredFile } from "../../media/files/stored-files.ts";
import type { Reader } from "../../storage/transaction.ts";

/** A file's row, for integrity checks. */
export interface RecordedFile extends StoredFile {
  /** In hexadecimal; null: not computed yet. */
  readonly sha256: string | null;
  /** When it was found to be damaged or missing, in milliseconds since the epoch; null: no damage found. */
  readonly damaged_at: number | null;
}

const RECORDED = "kind, name, size, sha256, damaged_at";

/** All files in uploads/ that belong to this state. */
export const allFiles = (reader: Reader): RecordedFile[] =>
  reader.all<RecordedFile>(`SELECT ${RECORDED} FROM files ORDER BY kind, name`);

export const fileByName = (reader: Reader, name: string): RecordedFile | undefined =>
  reader.get<RecordedFile>(`SELECT ${RECORDED} FROM files WHERE name = ?`, name);

/** The first file after this name, in order of names; undefined at the end. */
export const fileAfter = (reader: Reader, name: string): RecordedFile | undefined =>
  reader.get<RecordedFile>(`SELECT ${RECORDED} FROM files WHERE name > ? ORDER BY name LIMIT 1`, name);

/** Names of files that are recorded as damaged or missing. */
export const damagedFiles = (reader: Reader): readonly string[] =>
  reader.derived("damaged files", ["files"], (rows) =>
    rows.values<string>("SELECT name FROM files INDEXED BY files_damaged WHERE damaged_at IS NOT NULL"),
  );

/** The path of a file in the data folder. */
export const uploadName = ({ kind, name }: Pick<StoredFile, "kind" | "name">): string =>
  `uploads/${kind}/${name.slice(0, 2)}/${name}`;

/**
 * Describes a file, so that a person can look for another copy: its name, its uploader, and the messages that use it.
 */
export function fileInWords(reader: Reader, { kind, name }: Pick<StoredFile, "kind" | "name">): string {
  if (kind === "attachments") {
    const found = reader.get<{ name: string; full_name: string; message: number | null }>(
      `SELECT a.name, u.full_name,
         (SELECT min(message_id) FROM message_attachments WHERE attachment_id = a.id) AS message
       FROM attachments a JOIN users u ON u.id = a.user_id WHERE a.file = ?`,
      name,
    );
    if (!found) return "an upload that nothing shows";
    const where = found.message === null ? "in no message" : `in message ${found.message}`;
    return `"${found.name}", uploaded by ${found.full_name}, ${where}`;
  }
  if (kind === "thumbnails") {
    const sql = `SELECT a.name FROM thumbnails t JOIN attachments a ON a.id = t.attachment_id WHERE t.file = ?`;
    return `a small picture of "${reader.value<string>(sql, name) ?? "an upload"}"`;
  }
  if (kind === "avatars") {
    const sql = `SELECT u.full_name FROM users u LEFT JOIN avatars a ON a.user_id = u.id
      WHERE u.avatar = ? OR a.medium = ? LIMIT 1`;
    return `the picture of ${reader.value<string>(sql, name, name) ?? "a person"}`;
  }
  if (kind === "emoji") {
    const sql = "SELECT name FROM custom_emoji WHERE file = ? OR still = ? LIMIT 1";
    return `the emoji :${reader.value<string>(sql, name, name) ?? "?"}:`;
  }
  return "a picture of the organization";
}

/** Those names that have a row. */
export const recordedFiles = (reader: Reader, names: readonly string[]): ReadonlySet<string> =>
  new Set(
    reader.values<string>(
      "SELECT name FROM files WHERE name IN (SELECT value FROM json_each(?))",
      JSON.stringify(names),
    ),
  );
