import { z } from "zod";
import type { User } from "../access/users.ts";
import type { Reader } from "../storage/transaction.ts";
import type { RegisterPart } from "./register-context.ts";

/** A message that waits for its time, or that could not be sent at it. Contract/register.json, scheduled_messages. */
export const wireScheduledMessage = z.object({
  scheduled_message_id: z.int(),
  type: z.enum(["stream", "private"]),
  to: z.union([z.int(), z.array(z.int())]),
  topic: z.string().optional(),
  content: z.string(),
  rendered_content: z.string(),
  scheduled_delivery_timestamp: z.int(),
  failed: z.boolean(),
});
export type WireScheduledMessage = z.output<typeof wireScheduledMessage>;

export interface ScheduledMessage {
  id: number;
  sender_id: number;
  /** Null where it goes to people. */
  channel_id: number | null;
  /** All who take part in the conversation, the sender too; empty where it goes to a channel. */
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
  /** Why it could not be sent; null while it waits. */
  failure: string | null;
}

type Row = Omit<ScheduledMessage, "user_ids" | "read_by_sender"> & { user_ids: string | null; read_by_sender: number };

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

/** The other people, as clients name a conversation; of the one with oneself, oneself. */
const othersIn = ({ user_ids, sender_id }: ScheduledMessage): number[] =>
  user_ids.length > 1 ? user_ids.filter((id) => id !== sender_id) : user_ids;

export const scheduledMessageOnWire = (message: ScheduledMessage): WireScheduledMessage => ({
  scheduled_message_id: message.id,
  ...(message.channel_id === null
    ? { type: "private", to: othersIn(message) }
    : { type: "stream", to: message.channel_id, topic: message.topic }),
  content: message.content,
  rendered_content: message.rendered_content,
  scheduled_delivery_timestamp: message.deliver_at / 1000,
  failed: message.failure !== null,
});

/** Of one person. */
export const MOST_SCHEDULED_MESSAGES = 1000;
export const scheduledMessageCount = (reader: Reader, user: User): number =>
  reader.value<number>("SELECT COUNT(*) FROM scheduled_messages WHERE sender_id = ?", user.id) ?? 0;

/** Somebody's own, failed ones too, the next one first. */
export const scheduledMessagesOf = (reader: Reader, user: User): WireScheduledMessage[] =>
  reader
    .all<Row>(`SELECT ${COLUMNS} FROM scheduled_messages WHERE sender_id = ? ORDER BY deliver_at, id`, user.id)
    .map(fromRow)
    .map(scheduledMessageOnWire);

/** What is to be sent now, and by whom, the oldest first. */
export const dueScheduledMessages = (reader: Reader, now: number, most: number): { id: number; userId: number }[] =>
  reader.all(
    `SELECT id, sender_id AS userId FROM scheduled_messages WHERE failure IS NULL AND deliver_at <= ?
     ORDER BY deliver_at, id LIMIT ?`,
    now,
    most,
  );

export const registerParts: Record<string, RegisterPart> = {
  scheduled_messages: ({ reader, viewer }) => ({ scheduled_messages: scheduledMessagesOf(reader, viewer) }),
};
