import type { Reader } from "../../storage/transaction.ts";
import { sumForPerson, type User } from "./users.ts";

export interface Reminder {
  id: number;
  user_id: number;
  message_id: number;
  /** The owner's text; "" for none. */
  note: string;
  content: string;
  rendered_content: string;
  /** Milliseconds since the epoch. */
  deliver_at: number;
  /** The reason for a failure; null while it is pending. */
  failure: string | null;
}

const COLUMNS = "id, user_id, message_id, note, content, rendered_content, deliver_at, failure";

export const reminderById = (reader: Reader, id: number): Reminder | undefined =>
  reader.get(`SELECT ${COLUMNS} FROM reminders WHERE id = ?`, id);

export const MAX_REMINDER_NOTE_LENGTH = 1000;

/** Limit for a person and their bots together. */
export const MAX_REMINDERS = 1000;
export const reminderCount = (reader: Reader, user: User): number =>
  sumForPerson(reader, user, "SELECT COUNT(*) FROM reminders WHERE user_id IN (SELECT value FROM json_each(?))");

/**
 * Limit of the characters in one person's reminders, as Markdown and as HTML together, since /register sends all of
 * them.
 */
export const MAX_REMINDERS_LENGTH = 4_000_000;
export const remindersLength = (reader: Reader, user: User): number =>
  sumForPerson(
    reader,
    user,
    "SELECT SUM(length(content) + length(rendered_content)) FROM reminders WHERE user_id IN (SELECT value FROM json_each(?))",
  );

/** Reminders about messages in these channels, by owner. Without `channels` or `users`, no filter applies. */
export function remindersIn(
  reader: Reader,
  { channels, users }: { channels?: readonly number[] | undefined; users?: readonly number[] | undefined },
): Map<number, Reminder[]> {
  const inChannels = `(?1 IS NULL OR EXISTS (
    SELECT 1 FROM messages WHERE messages.id = message_id AND channel_id IN (SELECT value FROM json_each(?1))))`;
  const channelIds = channels ? JSON.stringify(channels) : null;
  const found = users
    ? reader.all<Reminder>(
        `SELECT ${COLUMNS} FROM reminders WHERE user_id IN (SELECT value FROM json_each(?2)) AND ${inChannels}
         ORDER BY id`,
        channelIds,
        JSON.stringify(users),
      )
    : reader.all<Reminder>(`SELECT ${COLUMNS} FROM reminders WHERE ${inChannels} ORDER BY id`, channelIds);
  const byOwner = new Map<number, Reminder[]>();
  for (const one of found) {
    const own = byOwner.get(one.user_id);
    if (own) own.push(one);
    else byOwner.set(one.user_id, [one]);
  }
  return byOwner;
}

export const remindersAbout = (reader: Reader, messageIds: readonly number[]): Reminder[] =>
  reader.all(
    `SELECT ${COLUMNS} FROM reminders WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    JSON.stringify(messageIds),
  );

/** Due reminders with their owners, oldest first. */
export const dueReminders = (reader: Reader, now: number, limit: number): { id: number; userId: number }[] =>
  reader.all(
    `SELECT id, user_id AS userId FROM reminders WHERE failure IS NULL AND deliver_at <= ?
     ORDER BY deliver_at, id LIMIT ?`,
    now,
    limit,
  );

/** The user's own reminders, including failed ones, the next one first. */
export const remindersOf = (reader: Reader, user: User): Reminder[] =>
  reader.all(`SELECT ${COLUMNS} FROM reminders WHERE user_id = ? ORDER BY deliver_at, id`, user.id);
