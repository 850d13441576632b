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

/** New custom emoji. */
export const importedEmoji = (reader: Reader, importId: number): number[] =>
  reader.values<number>("SELECT emoji_id FROM import_emoji WHERE import_id = ? ORDER BY emoji_id", importId);

/** The lowest and the highest id of an import's messages. */
export const importSpan = (reader: Reader, importId: number): { first: number; last: number } | undefined => {
  const span = reader.get<{ first: number | null; last: number | null }>(
    "SELECT MIN(first_id) AS first, MAX(last_id) AS last FROM import_ranges WHERE import_id = ?",
    importId,
  );
  return span?.first != null && span.last != null ? { first: span.first, last: span.last } : undefined;
};

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

/** Whether a message of the import's places was sent by a person here. */
const IS_ADDED =
  "COALESCE((SELECT last_id FROM import_ranges WHERE first_id <= messages.id ORDER BY first_id DESC LIMIT 1), 0) < messages.id";

/** Its cost depends on the messages and reactions since the import, not on the size of the import. */
export function addedSince(reader: Reader, importId: number): AddedSince {
  const span = importSpan(reader, importId);
  const count = (sql: string, ...values: number[]) => reader.value<number>(sql, importId, ...values) ?? 0;
  const afterwards = count(
    `SELECT COUNT(*) FROM (${REMOVED_RECIPIENTS}) AS places
     CROSS JOIN messages ON messages.recipient_id = places.recipient_id AND messages.id > ?2 WHERE ${IS_ADDED}`,
    span?.last ?? 0,
  );
  const meanwhile = count(
    `SELECT COUNT(*) FROM (
       SELECT last_id + 1 AS low, LEAD(first_id) OVER (ORDER BY first_id) - 1 AS high
       FROM import_ranges WHERE import_id = ?1) AS gaps
     CROSS JOIN messages ON messages.id BETWEEN low AND high
     WHERE messages.recipient_id IN (${REMOVED_RECIPIENTS})`,
  );
  const reactions = count(
    `SELECT COUNT(*) FROM reactions WHERE id > (SELECT last_reaction_id FROM imports WHERE id = ?1)
       AND message_id BETWEEN ?2 AND ?3
       AND (SELECT last_id FROM import_ranges WHERE first_id <= message_id ORDER BY first_id DESC LIMIT 1) >= message_id`,
    span?.first ?? 0,
    span?.last ?? 0,
  );
  return { messages: meanwhile + afterwards, reactions };
}
