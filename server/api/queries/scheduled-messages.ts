import type { Reader } from "../../storage/transaction.ts";
import { sumForPerson, type User } from "./users.ts";

export interface ScheduledMessage {
  id: number;
  sender_id: number;
  /** Null for a direct message. */
  channel_id: number | null;
  /** All participants of the conversation, including the sender; empty for a channel message. */
  user_ids: number[];
  topic: string;
  content: string;
  rendered_content: string;
  client: string;
  /** The server's URL as the sender's client addressed it. */
  base_url: string;
  read_by_sender: boolean;
  /** Milliseconds since the epoch. */
  deliver_at: number;
  /** The reason for a failure; null while it is pending. */
  failure: string | null;
}

type Row = Omit<ScheduledMessage, "user_ids" | "read_by_sender"> & {
  user_ids: string | null;
  read_by_sender: number;
};

const COLUMNS = `id, sender_id, channel_id, user_ids, topic, content, rendered_content, client, base_url,
  read_by_sender, deliver_at, failure`;

const fromRow = (row: Row): ScheduledMessage => ({
  ...row,
  user_ids: row.user_ids === null ? [] : JSON.parse(row.user_ids),
  read_by_sender: row.read_by_sender === 1,
});

export function scheduledMessageById(reader: Reader, id: number): ScheduledMessage | undefined {
  const row = reader.get<Row>(`SELECT ${COLUMNS} FROM scheduled_messages WHERE id = ?`, id);
  return row && fromRow(row);
}

/** Limit for a person and their bots together. */
export const MAX_SCHEDULED_MESSAGES = 1000;
export const scheduledMessageCount = (reader: Reader, user: User): number =>
  sumForPerson(
    reader,
    user,
    "SELECT COUNT(*) FROM scheduled_messages WHERE sender_id IN (SELECT value FROM json_each(?))",
  );

/** The user's scheduled messages and reminders that are neither sent nor failed. */
export const pendingMessageCount = (reader: Reader, userId: number): number =>
  reader.value<number>(
    `SELECT (SELECT COUNT(*) FROM scheduled_messages WHERE sender_id = ?1 AND failure IS NULL)
       + (SELECT COUNT(*) FROM reminders WHERE user_id = ?1 AND failure IS NULL)`,
    userId,
  ) ?? 0;

/**
 * Limit of the characters in one person's texts, as Markdown and as HTML together, since /register sends all of them.
 */
export const MAX_SCHEDULED_LENGTH = 4_000_000;
export const scheduledLength = (reader: Reader, user: User): number =>
  sumForPerson(
    reader,
    user,
    `SELECT SUM(length(content) + length(rendered_content) + coalesce(length(user_ids), 0))
     FROM scheduled_messages WHERE sender_id IN (SELECT value FROM json_each(?))`,
  );

/** Due messages with their senders, oldest first. */
export const dueScheduledMessages = (reader: Reader, now: number, limit: number): { id: number; userId: number }[] =>
  reader.all(
    `SELECT id, sender_id AS userId FROM scheduled_messages WHERE failure IS NULL AND deliver_at <= ?
     ORDER BY deliver_at, id LIMIT ?`,
    now,
    limit,
  );

/** The user's own scheduled messages, including failed ones, the next one first. */
export const scheduledMessagesOf = (reader: Reader, user: User): ScheduledMessage[] =>
  reader
    .all<Row>(`SELECT ${COLUMNS} FROM scheduled_messages WHERE sender_id = ? ORDER BY deliver_at, id`, user.id)
    .map(fromRow);
