import type { Reader } from "../../storage/transaction.ts";

export interface Import {
  id: number;
  format: string;
  /** The name of the export's file. */
  name: string;
  /** Null: the operator. */
  started_by: number | null;
  started_at: number;
  /** Null: running, or interrupted. */
  finished_at: number | null;
  state: "writing" | "done" | "removing";
  /** Messages that are written. */
  messages: number;
  /** The counts of the preview, and those of the result when it is done, as JSON. */
  counts: string;
}

const COLUMNS = "id, format, name, started_by, started_at, finished_at, state, messages, counts";

export const importById = (reader: Reader, id: number): Import | undefined =>
  reader.get<Import>(`SELECT ${COLUMNS} FROM imports WHERE id = ?`, id);

/** Newest first. */
export const allImports = (reader: Reader): Import[] =>
  reader.all<Import>(`SELECT ${COLUMNS} FROM imports ORDER BY id DESC`);

/** Imports that did not end, or whose removal did not end. */
export const unfinishedImports = (reader: Reader): Import[] =>
  allImports(reader).filter(({ state }) => state !== "done");

export const importedChannels = (reader: Reader, importId: number): number[] =>
  reader.values<number>("SELECT channel_id FROM import_channels WHERE import_id = ? ORDER BY channel_id", importId);

/** The newest range of an import. */
export const newestRange = (reader: Reader, importId: number): { first_id: number; last_id: number } | undefined =>
  reader.get(
    "SELECT first_id, last_id FROM import_ranges WHERE import_id = ? ORDER BY first_id DESC LIMIT 1",
    importId,
  );

/** The lowest and the highest id of an import's messages. */
export const importSpan = (reader: Reader, importId: number): { first: number; last: number } | undefined => {
  const span = reader.get<{ first: number | null; last: number | null }>(
    "SELECT MIN(first_id) AS first, MAX(last_id) AS last FROM import_ranges WHERE import_id = ?",
    importId,
  );
  return span?.first != null && span.last != null ? { first: span.first, last: span.last } : undefined;
};

/** The newest imported messages, newest first. */
export const newestImported = (reader: Reader, importId: number, limit: number): number[] =>
  reader.values<number>(
    `SELECT messages.id FROM import_ranges CROSS JOIN messages ON messages.id BETWEEN first_id AND last_id
     WHERE import_id = ? ORDER BY messages.id DESC LIMIT ?`,
    importId,
    limit,
  );

/**
 * Recipient ids of channels and direct conversations that a removal deletes with all messages. Conversations of claimed
 * and other accounts keep the messages that people sent since. Parameter 1: the import.
 */
const REMOVED_RECIPIENTS = `
  SELECT recipient_id FROM channels JOIN import_channels ON channel_id = channels.id WHERE import_id = ?1
  UNION SELECT recipient_id FROM import_conversations JOIN conversation_members USING (recipient_id)
    JOIN users ON users.id = user_id
  WHERE import_id = ?1 AND is_new = 1 AND is_imported_stub = 1`;

/** Messages that people have added to things which a removal deletes, newest first. */
export const addedMessages = (reader: Reader, importId: number, limit: number): number[] =>
  reader.values<number>(
    `SELECT id FROM messages WHERE recipient_id IN (${REMOVED_RECIPIENTS}) ORDER BY id DESC LIMIT ?2`,
    importId,
    limit,
  );

/** Things that people have added to imported things, which a removal would delete too. */
export interface AddedSince {
  /** Messages in imported channels and in direct conversations with unclaimed accounts. */
  messages: number;
  /** Reactions to imported messages. */
  reactions: number;
}

export const addedSince = (reader: Reader, importId: number): AddedSince => ({
  messages:
    reader.value<number>(
      `SELECT COUNT(*) FROM messages WHERE recipient_id IN (${REMOVED_RECIPIENTS})
       AND NOT EXISTS (SELECT 1 FROM import_ranges WHERE messages.id BETWEEN first_id AND last_id)`,
      importId,
    ) ?? 0,
  reactions:
    reader.value<number>(
      `SELECT COUNT(*) FROM import_ranges CROSS JOIN reactions ON message_id BETWEEN first_id AND last_id
       WHERE import_id = ?1 AND user_id NOT IN (SELECT user_id FROM import_people WHERE import_id = ?1)`,
      importId,
    ) ?? 0,
});
