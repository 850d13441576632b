import type { Reader } from "../../storage/transaction.ts";

/** An edit or move of a message, without the texts. Null: not changed. */
export interface Change {
  user_id: number;
  /** Milliseconds since the epoch. */
  edited_at: number;
  prev_topic: string | null;
  topic: string | null;
  prev_channel_id: number | null;
  channel_id: number | null;
}

export interface Texts {
  prev_content: string | null;
  prev_rendered_content: string | null;
}

export interface MessageEdit extends Change, Texts {}

/** The part of its history that a message carries in each response. `messageHistory` has all of it. */
const MAX_CARRIED = { edits: 100, bytes: 200_000 };

/**
 * The edits that messages carry, by message, newest first. Messages without edits are absent. Limited, since a long
 * text can be edited hundreds of times.
 */
export function newestEditsOf(reader: Reader, messageIds: readonly number[]): Map<number, MessageEdit[]> {
  const found = reader.all<MessageEdit & { message_id: number }>(
    `SELECT message_id, user_id, edited_at, prev_content, prev_rendered_content, prev_topic, topic, prev_channel_id,
       channel_id
     FROM message_edits WHERE id IN (
       SELECT id FROM (
         SELECT id, row_number() OVER newest AS place,
           sum(coalesce(octet_length(prev_content) + octet_length(prev_rendered_content), 0)) OVER newest AS bytes
         FROM message_edits WHERE message_id IN (SELECT value FROM json_each(?))
         WINDOW newest AS (PARTITION BY message_id ORDER BY id DESC ROWS UNBOUNDED PRECEDING))
       WHERE place = 1 OR (place <= ? AND bytes <= ?))
     ORDER BY id DESC`,
    JSON.stringify(messageIds),
    MAX_CARRIED.edits,
    MAX_CARRIED.bytes,
  );
  const edits = new Map<number, MessageEdit[]>();
  for (const { message_id, ...edit } of found) {
    const list = edits.get(message_id);
    if (list) list.push(edit);
    else edits.set(message_id, [edit]);
  }
  return edits;
}

/** The newest earlier texts of a message with a picture placeholder, limited to the edits that a message carries. */
export const earlierRenderings = (reader: Reader, messageId: number): { id: number; html: string }[] =>
  reader.all(
    `SELECT id, prev_rendered_content AS html FROM message_edits
     WHERE message_id = ? AND instr(prev_rendered_content, 'image-loading-placeholder') > 0 ORDER BY id DESC LIMIT ?`,
    messageId,
    MAX_CARRIED.edits,
  );

export const NO_TEXTS: Texts = { prev_content: null, prev_rendered_content: null };

/** The previous texts of these edits, by edit. */
export function textsOf(reader: Reader, edits: readonly StoredEdit[]): Map<number, Texts> {
  const found = reader.all<Texts & { id: number }>(
    `SELECT id, prev_content, prev_rendered_content FROM message_edits
     WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    JSON.stringify(edits.map(({ id }) => id)),
  );
  return new Map(found.map((one) => [one.id, one]));
}

export interface StoredEdit extends Change {
  id: number;
  /** Size of the previous text, raw and rendered together; null if the text did not change. */
  bytes: number | null;
}

/** All edits of a message, newest first. */
export const editsOf = (reader: Reader, messageId: number): StoredEdit[] =>
  reader.all(
    `SELECT id, user_id, edited_at, octet_length(prev_content) + octet_length(prev_rendered_content) AS bytes,
       prev_topic, topic, prev_channel_id, channel_id
     FROM message_edits WHERE message_id = ? ORDER BY id DESC`,
    messageId,
  );
