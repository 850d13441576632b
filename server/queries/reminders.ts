import { z } from "zod";
import { sightOf } from "../access/messages.ts";
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

/** What a reminder says of a message that its owner cannot read (any more). */
export const REMINDER_OF_NOTHING = "A reminder of a message that was deleted, or that you can no longer read.";

/** A reminder as its owner gets it: what they may no longer read is not quoted. */
export function shownReminder(reminder: Reminder, isReadable: boolean): WireReminder {
  if (isReadable) return reminderOnWire(reminder);
  const rendered_content = `<p>${REMINDER_OF_NOTHING}</p>`;
  return reminderOnWire({ ...reminder, content: REMINDER_OF_NOTHING, rendered_content });
}

/** Of one person. */
export const MOST_REMINDERS = 1000;
export const reminderCount = (reader: Reader, user: User): number =>
  reader.value<number>("SELECT COUNT(*) FROM reminders WHERE user_id = ?", user.id) ?? 0;

/** Somebody's own, failed ones too, the next one first. */
export function remindersOf(reader: Reader, user: User): WireReminder[] {
  const sql = `SELECT ${COLUMNS} FROM reminders WHERE user_id = ? ORDER BY deliver_at, id`;
  const reminders = reader.all<Reminder>(sql, user.id);
  if (reminders.length === 0) return [];
  const sight = sightOf(reader, user);
  return reminders.map((one) => shownReminder(one, sight.sees(one.message_id)));
}

/** Those whose messages are in these channels, by owner. `users`: only theirs; left out: everybody's. */
export function remindersIn(
  reader: Reader,
  { channels, users }: { channels?: readonly number[] | undefined; users?: readonly number[] | undefined },
): Map<number, Reminder[]> {
  const inChannels = `(?1 IS NULL OR EXISTS (
    SELECT 1 FROM messages WHERE messages.id = message_id AND channel_id IN (SELECT value FROM json_each(?1))))`;
  const places = channels ? JSON.stringify(channels) : null;
  const found = users
    ? reader.all<Reminder>(
        `SELECT ${COLUMNS} FROM reminders WHERE user_id IN (SELECT value FROM json_each(?2)) AND ${inChannels}
         ORDER BY id`,
        places,
        JSON.stringify(users),
      )
    : reader.all<Reminder>(`SELECT ${COLUMNS} FROM reminders WHERE ${inChannels} ORDER BY id`, places);
  const byOwner = new Map<number, Reminder[]>();
  for (const one of found) {
    const own = byOwner.get(one.user_id);
    if (own) own.push(one);
    else byOwner.set(one.user_id, [one]);
  }
  return byOwner;
}

/** Those of these messages. */
export const remindersAbout = (reader: Reader, messageIds: readonly number[]): Reminder[] =>
  reader.all(
    `SELECT ${COLUMNS} FROM reminders WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    JSON.stringify(messageIds),
  );

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
