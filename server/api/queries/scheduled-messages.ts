import type { Reader } from "../../storage/transaction.ts";
import { sumForPerson, type User } from "./users.ts";

export interface ScheduledMessage {
  id: number;
  sender_id: number;
  /** Null for a direct message. */
  channel_id: number | null;
  /** All participants of the conversation, the sender included; empty for a channel message. */
  user_ids: number[];
  topic: string;
  content: string;
  rendered_content: string;
  client: string;
  /** This server as the sender addressed it. */
  base_url: string;
  read_by_sender: boolean;
  /** Milliseconds since the epoch. */
  deliver_at: number;
  /** Why it could not be sent; null while it is pending. */
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

/** Of a person and their bots together. */
export const MAX_SCHEDULED_MESSAGES = 1000;
export const scheduledMessageCount = (reader: Reader, user: User): number =>
  sumForPerson(
    reader,
    user,
    "SELECT COUNT(*) FROM scheduled_messages WHERE sender_id IN (SELECT value FROM json_each(?))",
  );

/** Scheduled messages and reminders of a user that have neither been sent nor failed. */
export const pendingMessageCount = (reader: Reader, userId: number): number =>
  reader.value<number>(
    `SELECT (SELECT COUNT(*) FROM scheduled_messages WHERE sender_id = ?1 AND failure IS NULL)
       + (SELECT COUNT(*) FROM reminders WHERE user_id = ?1 AND failure IS NULL)`,
    userId,
  ) ?? 0;

/** Characters of one person's texts together, as Markdown and as HTML: /register sends them all. */
export const MAX_SCHEDULED_LENGTH = 4_000_000;
export const scheduledLength = (reader: Reader, user: User): number =>
  sumForPerson(
    reader,
    user,
    `SELECT SUM(length(content) + length(rendered_content) + coalesce(length(user_ids), 0))
     FROM scheduled_messages WHERE sender_id IN (SELECT value FROM json_each(?))`,
  );

/** Messages that are due, and their senders, oldest first. */
export const dueScheduledMessages = (reader: Reader, now: number, limit: number): { id: number; userId: number }[] =>
  reader.all(
    `SELECT id, sender_id AS userId FROM scheduled_messages WHERE failure IS NULL AND deliver_at <= ?
     ORDER BY deliver_at, id LIMIT ?`,
    now,
    limit,
  );

/** The user's own, failed ones too, the next one first. */
export const scheduledMessagesOf = (reader: Reader, user: User): ScheduledMessage[] =>
  reader
    .all<Row>(`SELECT ${COLUMNS} FROM scheduled_messages WHERE sender_id = ? ORDER BY deliver_at, id`, user.id)
    .map(fromRow);
