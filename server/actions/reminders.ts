import { sightOf } from "../access/messages.ts";
import { type User, userById } from "../access/users.ts";
import { badRequest } from "../errors.ts";
import { messageUrl } from "../markdown/narrow-links.ts";
import { RENDERER_VERSION } from "../markdown/render.ts";
import { channelById } from "../queries/channels.ts";
import { membersOf } from "../queries/conversations.ts";
import { MAX_MESSAGE_LENGTH, type MessageRow, messageRow } from "../queries/messages.ts";
import { type Reminder, reminderById, reminderOnWire } from "../queries/reminders.ts";
import type { Reader, Transaction } from "../storage/transaction.ts";
import { sendMessage } from "./messages.ts";
import { renderMessage } from "./rendering.ts";

const CLIENT = "Hearth";

/** A reminder of a message that its owner can read: a link to it, and its text as a quote. */
export function reminderText(reader: Reader, owner: User, message: MessageRow): string {
  const sender = userById(reader, message.sender_id);
  const from = sender ? ` from @_**${sender.full_name}|${sender.id}**` : "";
  const heading = `A reminder of [a message](${addressOf(reader, owner, message)})${from}:`;
  // As long as no row of marks in the text, so that nothing in it ends the quote.
  const rows = new Set([...message.content.matchAll(/`+/g)].map(([marks]) => marks.length));
  let length = 3;
  while (rows.has(length)) length += 1;
  const fence = "`".repeat(length);
  const around = `${heading}\n\n${fence}quote\n\n${fence}`;
  const letters = [...message.content];
  const room = MAX_MESSAGE_LENGTH - [...around].length;
  const quote = letters.length <= room ? message.content : `${letters.slice(0, room - 4).join("")}\n[…]`;
  return `${heading}\n\n${fence}quote\n${quote}\n${fence}`;
}

function addressOf(reader: Reader, owner: User, { id, channel_id, topic, conversation_key }: MessageRow): string {
  const channel = channel_id === null ? undefined : channelById(reader, channel_id);
  if (channel) return messageUrl(channel, topic, id);
  const others = membersOf(conversation_key ?? "").filter((member) => member !== owner.id);
  if (others.length === 0) others.push(owner.id);
  return `/#narrow/dm/${others.join(",")}-${others.length > 1 ? "group" : "dm"}/near/${id}`;
}

export function createReminder(
  tx: Transaction,
  owner: User,
  input: { messageId: number; content: string; rendered: { html: string }; deliverAt: number },
): number {
  const id = tx.run(
    `INSERT INTO reminders (user_id, message_id, content, rendered_content, renderer_version, deliver_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
    owner.id,
    input.messageId,
    input.content,
    input.rendered.html,
    RENDERER_VERSION,
    input.deliverAt,
  );
  const reminder = reminderById(tx, id) as Reminder;
  tx.emit({ type: "reminders", op: "add", reminders: [reminderOnWire(reminder)] }, { users: [owner.id] });
  return id;
}

export function deleteReminder(tx: Transaction, { id, user_id }: Reminder): void {
  tx.run("DELETE FROM reminders WHERE id = ?", id);
  tx.emit({ type: "reminders", op: "remove", reminder_id: id }, { users: [user_id] });
}

/**
 * Looks up and renders what is due, and returns the change that sends it: to be made in the same synchronous turn.
 * It sends and forgets in one transaction, so that no crash sends twice. Throws why it cannot be sent (now).
 */
export function deliverReminder(reader: Reader, id: number): (tx: Transaction) => void {
  const reminder = reminderById(reader, id);
  const owner = reminder && userById(reader, reminder.user_id);
  if (!reminder || !owner) throw new Error(`There is no reminder ${id}.`);
  if (!owner.is_active) throw badRequest("Your account is deactivated.");
  // As the message reads now: what was said in it may have been changed, moved or deleted since.
  const message = sightOf(reader, owner).sees(reminder.message_id)
    ? messageRow(reader, reminder.message_id)
    : undefined;
  const content = message
    ? reminderText(reader, owner, message)
    : "A reminder of a message that was deleted, or that you can no longer read.";
  const to = { userIds: [owner.id] };
  const rendered = renderMessage(reader, owner, { to, content });
  return (tx) => {
    // The public protocol has the notification bot send it. Here is none: what one asked of oneself comes from oneself.
    sendMessage(tx, owner, { to, content, rendered, client: CLIENT, readBySender: false });
    deleteReminder(tx, reminder);
  };
}

/** Keeps it, so that its owner can see that it was not sent. Reminders have no update event: it goes and comes back. */
export function failReminder(tx: Transaction, id: number, reason: string): void {
  tx.run("UPDATE reminders SET failure = ? WHERE id = ?", reason, id);
  const reminder = reminderById(tx, id) as Reminder;
  const users = [reminder.user_id];
  tx.emit({ type: "reminders", op: "remove", reminder_id: id }, { users });
  tx.emit({ type: "reminders", op: "add", reminders: [reminderOnWire(reminder)] }, { users });
}
