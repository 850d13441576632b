import { badRequest, refusedParameter } from "../../errors.ts";
import { RENDERER_VERSION } from "../../markdown/render.ts";
import type { Reader, Transaction } from "../../storage/transaction.ts";
import { addressOfMessage } from "../access/destinations.ts";
import { messageVisibility, readableAmong } from "../access/messages.ts";
import { canSeeUser } from "../access/people.ts";
import { noteInReminder, reminderOfNothing, reminderOnWire, shownReminder } from "../presenters/reminders.ts";
import { type Channel, channelById } from "../queries/channels.ts";
import { membersOf } from "../queries/conversations.ts";
import { type MessageRow, messageRow } from "../queries/messages.ts";
import {
  MAX_REMINDERS,
  MAX_REMINDERS_LENGTH,
  type Reminder,
  reminderById,
  reminderCount,
  remindersAbout,
  remindersIn,
  remindersLength,
} from "../queries/reminders.ts";
import { type User, userById } from "../queries/users.ts";
import { notifyUser, personLink, withQuote } from "./notices.ts";
import { insertRow } from "./rows.ts";

/** A link to a message that the owner can read, the owner's note, and a quote of the message. */
export function reminderText(reader: Reader, owner: User, message: MessageRow, note: string): string {
  const sender = userById(reader, message.sender_id);
  const from = sender && canSeeUser(reader, owner, sender) ? ` from ${personLink(sender)}` : "";
  const heading = `A reminder of [a message](${addressOf(reader, owner, message)})${from}`;
  return withQuote(
    note === "" ? `${heading}:` : `${heading}.\n\n${noteInReminder(note)}\n\nThe message:`,
    message.content,
  );
}

function addressOf(reader: Reader, owner: User, { id, channel_id, topic, conversation_key }: MessageRow): string {
  const channel = channel_id === null ? undefined : channelById(reader, channel_id);
  return addressOfMessage(id, channel ? { channel, topic } : { userIds: membersOf(conversation_key ?? "") }, owner);
}

export function createReminder(
  tx: Transaction,
  owner: User,
  input: { messageId: number; note: string; content: string; rendered: { html: string }; deliverAt: number },
): number {
  if (reminderCount(tx, owner) >= MAX_REMINDERS) throw badRequest("too_many_reminders", { count: MAX_REMINDERS });
  const id = insertRow(tx, "reminders", {
    user_id: owner.id,
    message_id: input.messageId,
    note: input.note,
    content: input.content,
    rendered_content: input.rendered.html,
    renderer_version: RENDERER_VERSION,
    deliver_at: input.deliverAt,
  });
  if (remindersLength(tx, owner) > MAX_REMINDERS_LENGTH)
    throw refusedParameter("message_id", "reminders_too_long", { count: MAX_REMINDERS_LENGTH });
  const reminder = reminderById(tx, id) as Reminder;
  tx.emit({ type: "reminders", op: "add", reminders: [reminderOnWire(reminder)] }, { users: [owner.id] });
  return id;
}

export function deleteReminder(tx: Transaction, { id, user_id }: Reminder): void {
  tx.run("DELETE FROM reminders WHERE id = ?", id);
  tx.emit({ type: "reminders", op: "remove", reminder_id: id }, { users: [user_id] });
}

/** For deleted messages. */
export function deleteQuotes(tx: Transaction, messageIds: readonly number[]): void {
  const quoting = remindersAbout(tx, messageIds);
  for (const reminder of quoting) {
    const { content, html } = reminderOfNothing(reminder.note);
    tx.run("UPDATE reminders SET content = ?, rendered_content = ? WHERE id = ?", content, html, reminder.id);
    announceReplaced(tx, reminder, false);
  }
}

/**
 * Call this before a change that affects who can read messages in these channels. After the change, call the returned
 * function. It sends reminders again if their messages become readable or unreadable for the owner. `users`: users that
 * may be affected; default: everyone. `before`: a user before the change, if the change is already made.
 */
export function watchReminders(
  tx: Transaction,
  {
    channels,
    users,
    before = (user) => user,
  }: { channels?: readonly number[]; users?: readonly number[]; before?: (user: User) => User },
): () => void {
  const watched = remindersIn(tx, { channels, users });
  const readable = new Set<number>();
  for (const [userId, reminders] of watched) {
    const visibility = messageVisibility(tx, before(userById(tx, userId) as User));
    for (const { id, message_id } of reminders) if (visibility.sees(message_id)) readable.add(id);
  }
  return () => {
    for (const [userId, reminders] of watched) {
      const visibility = messageVisibility(tx, userById(tx, userId) as User);
      for (const reminder of reminders) {
        const sees = visibility.sees(reminder.message_id);
        if (sees !== readable.has(reminder.id)) announceReplaced(tx, reminder, sees);
      }
    }
  };
}

/** Like `watchReminders`, for messages that move to another channel. */
export function announceMovedReminders(
  tx: Transaction,
  { ids, source, target }: { ids: readonly number[]; source: Channel; target: Channel },
): void {
  for (const reminder of remindersAbout(tx, ids)) {
    const owner = userById(tx, reminder.user_id) as User;
    const isReadable = (channel: Channel) => readableAmong(tx, owner, [reminder.message_id], channel).length > 0;
    const sees = isReadable(target);
    if (sees !== isReadable(source)) announceReplaced(tx, reminder, sees);
  }
}

/**
 * Sends and deletes the reminder in one transaction, so that a crash cannot send it twice. Throws an ApiError if it
 * cannot be sent.
 */
export function deliverReminder(tx: Transaction, id: number): void {
  const reminder = reminderById(tx, id);
  const owner = reminder && userById(tx, reminder.user_id);
  if (!reminder || !owner) throw new Error(`There is no reminder ${id}.`);
  if (!owner.is_active) throw badRequest("own_account_deactivated");
  // The message may have been edited, moved or deleted.
  const message = messageVisibility(tx, owner).sees(reminder.message_id)
    ? messageRow(tx, reminder.message_id)
    : undefined;
  notifyUser(
    tx,
    owner.id,
    message ? reminderText(tx, owner, message, reminder.note) : reminderOfNothing(reminder.note).content,
  );
  deleteReminder(tx, reminder);
}

/** Keeps the reminder, so that its owner sees the failure. */
export function failReminder(tx: Transaction, id: number, reason: string): void {
  tx.run("UPDATE reminders SET failure = ? WHERE id = ?", reason, id);
  const reminder = reminderById(tx, id) as Reminder;
  const owner = userById(tx, reminder.user_id) as User;
  announceReplaced(tx, reminder, messageVisibility(tx, owner).sees(reminder.message_id));
}

/** Reminders have no update event, so the reminder is removed and added. */
function announceReplaced(tx: Transaction, reminder: Reminder, isReadable: boolean): void {
  const users = [reminder.user_id];
  tx.emit({ type: "reminders", op: "remove", reminder_id: reminder.id }, { users });
  tx.emit({ type: "reminders", op: "add", reminders: [shownReminder(reminder, isReadable)] }, { users });
}
