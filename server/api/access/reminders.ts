import { notFound } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { type Reminder, reminderById } from "../queries/reminders.ts";
import type { User } from "../queries/users.ts";

export function reminderToChange(reader: Reader, viewer: User, id: number): Reminder {
  const reminder = reminderById(reader, id);
  if (reminder?.user_id !== viewer.id) throw notFound("reminder_not_found");
  return reminder;
}
