import { z } from "zod";
import type { User } from "../access/users.ts";
import type { Reader } from "../storage/transaction.ts";
import type { RegisterPart } from "./register-context.ts";

/** What somebody wants to be reminded of, and when. Contract/newer.json, GET /reminders. */
export const wireReminder = z.object({
  reminder_id: z.int(),
  type: z.literal("private"),
  to: z.array(z.int()),
  content: z.string(),
  rendered_content: z.string(),
  scheduled_delivery_timestamp: z.int(),
  failed: z.boolean(),
  reminder_target_message_id: z.int(),
});
export type WireReminder = z.output<typeof wireReminder>;

export interface Reminder {
  id: number;
  user_id: number;
  message_id: number;
  content: string;
  rendered_content: string;
  /** Milliseconds since the epoch. */
  deliver_at: number;
  /** Why it could not be sent; null while it waits. */
  failure: string | null;
}

const COLUMNS = "id, user_id, message_id, content, rendered_content, deliver_at, failure";

export const reminderById = (reader: Reader, id: number): Reminder | undefined =>
  reader.get(`SELECT ${COLUMNS} FROM reminders WHERE id = ?`, id);

export const reminderOnWire = (reminder: Reminder): WireReminder => ({
  reminder_id: reminder.id,
  type: "private",
  to: [reminder.user_id],
  content: reminder.content,
  rendered_content: reminder.rendered_content,
  scheduled_delivery_timestamp: reminder.deliver_at / 1000,
  failed: reminder.failure !== null,
  reminder_target_message_id: reminder.message_id,
});

/** Somebody's own, failed ones too, the next one first. */
export const remindersOf = (reader: Reader, user: User): WireReminder[] =>
  reader
    .all<Reminder>(`SELECT ${COLUMNS} FROM reminders WHERE user_id = ? ORDER BY deliver_at, id`, user.id)
    .map(reminderOnWire);

/** What is to be sent now, and to whom, the oldest first. */
export const dueReminders = (reader: Reader, now: number, most: number): { id: number; userId: number }[] =>
  reader.all(
    `SELECT id, user_id AS userId FROM reminders WHERE failure IS NULL AND deliver_at <= ?
     ORDER BY deliver_at, id LIMIT ?`,
    now,
    most,
  );

export const registerParts: Record<string, RegisterPart> = {
  reminders: ({ reader, viewer }) => ({ reminders: remindersOf(reader, viewer) }),
};
