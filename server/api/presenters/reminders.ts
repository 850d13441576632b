import { z } from "zod";
import { quoteOf, renderMarkdown } from "../../markdown/render.ts";
import type { Reader } from "../../storage/transaction.ts";
import { messageVisibility } from "../access/messages.ts";
import { type Reminder, remindersOf } from "../queries/reminders.ts";
import type { User } from "../queries/users.ts";
import { registerPart } from "./register-part.ts";

/** A reminder about a message. See docs/protocol.md#other-records. */
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

const OF_NOTHING = "A reminder of a message that was deleted, or that you can no longer read.";

/** The text of a reminder if its owner cannot read the message. */
export function reminderOfNothing(note: string): { content: string; html: string } {
  const content = note === "" ? OF_NOTHING : `${OF_NOTHING}\n\n${noteInReminder(note)}`;
  return { content, html: renderMarkdown(content).html };
}

export const noteInReminder = (note: string): string => `Your note:\n\n${quoteOf(note)}`;

/** A reminder as its owner sees it. It does not quote a message that they can no longer read. */
export function shownReminder(reminder: Reminder, isReadable: boolean): WireReminder {
  if (isReadable) return reminderOnWire(reminder);
  const { content, html } = reminderOfNothing(reminder.note);
  return reminderOnWire({ ...reminder, content, rendered_content: html });
}

/** The viewer's own reminders, including failed ones, the next one first. */
export function ownReminders(reader: Reader, viewer: User): WireReminder[] {
  const reminders = remindersOf(reader, viewer);
  if (reminders.length === 0) return [];
  const visibility = messageVisibility(reader, viewer);
  return reminders.map((one) => shownReminder(one, visibility.sees(one.message_id)));
}

export const registerParts = {
  reminders: registerPart({
    fields: { reminders: z.array(wireReminder) },
    read: ({ reader, viewer }) => ({ reminders: ownReminders(reader, viewer) }),
    spectators: { reminders: [] },
  }),
};
