import { badRequest, refusedParameter } from "../../errors.ts";
import { RENDERER_VERSION } from "../../markdown/render.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { redirected } from "../access/scheduled-messages.ts";
import { scheduledMessageOnWire } from "../presenters/scheduled-messages.ts";
import {
  MAX_SCHEDULED_LENGTH,
  MAX_SCHEDULED_MESSAGES,
  type ScheduledMessage,
  scheduledLength,
  scheduledMessageById,
  scheduledMessageCount,
} from "../queries/scheduled-messages.ts";
import { type User, userById } from "../queries/users.ts";
import { type NewMessage, sendMessage } from "./messages.ts";
import { renderMessage } from "./rendering.ts";

interface Scheduling {
  message: NewMessage;
  /** The server's URL as the sender uses it. */
  baseUrl: string;
  /** Milliseconds since the epoch, rounded to seconds. */
  deliverAt: number;
}

const onWire = (tx: Transaction, id: number) =>
  scheduledMessageOnWire(scheduledMessageById(tx, id) as ScheduledMessage);

/** Column values in the order of the statements below. */
function columnsOf({ message, baseUrl, deliverAt }: Scheduling) {
  const { to } = message;
  const [channelId, userIds, topic] =
    "channel" in to ? [to.channel.id, null, to.topic] : [null, JSON.stringify(to.userIds), ""];
  return [
    channelId,
    userIds,
    topic,
    message.content,
    message.rendered.html,
    RENDERER_VERSION,
    message.client,
    baseUrl,
    message.readBySender ? 1 : 0,
    deliverAt,
  ];
}

export function scheduleMessage(tx: Transaction, sender: User, scheduling: Scheduling): number {
  if (scheduledMessageCount(tx, sender) >= MAX_SCHEDULED_MESSAGES)
    throw badRequest("too_many_scheduled_messages", { count: MAX_SCHEDULED_MESSAGES });
  const id = tx.run(
    `INSERT INTO scheduled_messages (sender_id, channel_id, user_ids, topic, content, rendered_content,
       renderer_version, client, base_url, read_by_sender, deliver_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    sender.id,
    ...columnsOf(scheduling),
  );
  assertFit(tx, sender);
  tx.emit({ type: "scheduled_messages", op: "add", scheduled_messages: [onWire(tx, id)] }, { users: [sender.id] });
  return id;
}

function assertFit(tx: Transaction, sender: User): void {
  if (scheduledLength(tx, sender) > MAX_SCHEDULED_LENGTH)
    throw refusedParameter("content", "scheduled_messages_too_long", { count: MAX_SCHEDULED_LENGTH });
}

/** Clears a failure. */
export function editScheduledMessage(
  tx: Transaction,
  sender: User,
  { id, content, rendered_content }: ScheduledMessage,
  scheduling: Scheduling,
): void {
  tx.run(
    `UPDATE scheduled_messages SET channel_id = ?, user_ids = ?, topic = ?, content = ?, rendered_content = ?,
       renderer_version = ?, client = ?, base_url = ?, read_by_sender = ?, deliver_at = ?, failure = NULL WHERE id = ?`,
    ...columnsOf(scheduling),
    id,
  );
  const { message } = scheduling;
  const grew = message.content.length + message.rendered.html.length - content.length - rendered_content.length;
  if (grew > 0 || "userIds" in message.to) assertFit(tx, sender);
  tx.emit({ type: "scheduled_messages", op: "update", scheduled_message: onWire(tx, id) }, { users: [sender.id] });
}

/** The destination is checked at delivery. */
export function postponeScheduledMessage(
  tx: Transaction,
  sender: User,
  { id }: ScheduledMessage,
  deliverAt: number,
): void {
  tx.run("UPDATE scheduled_messages SET deliver_at = ?, failure = NULL WHERE id = ?", deliverAt, id);
  tx.emit({ type: "scheduled_messages", op: "update", scheduled_message: onWire(tx, id) }, { users: [sender.id] });
}

export function deleteScheduledMessage(tx: Transaction, sender: User, { id }: ScheduledMessage): void {
  tx.run("DELETE FROM scheduled_messages WHERE id = ?", id);
  tx.emit({ type: "scheduled_messages", op: "remove", scheduled_message_id: id }, { users: [sender.id] });
}

/**
 * Sends and deletes the message in one transaction, so that a crash cannot send it twice. Throws an ApiError if it
 * cannot be sent.
 */
export function deliverScheduledMessage(tx: Transaction, id: number): void {
  const scheduled = scheduledMessageById(tx, id);
  const sender = scheduled && userById(tx, scheduled.sender_id);
  if (!scheduled || !sender) throw new Error(`There is no scheduled message ${id}.`);
  if (!sender.is_active) throw badRequest("sender_deactivated");
  const { content, client, base_url: baseUrl, read_by_sender: readBySender } = scheduled;
  const to = redirected(tx, sender, scheduled, {});
  const rendered = renderMessage(tx, sender, { to, content, baseUrl });
  sendMessage(tx, sender, { to, content, rendered, client, readBySender });
  deleteScheduledMessage(tx, sender, scheduled);
}

/** Keeps the message, so that its sender sees the failure and can reschedule it. */
export function failScheduledMessage(tx: Transaction, id: number, reason: string): void {
  tx.run("UPDATE scheduled_messages SET failure = ? WHERE id = ?", reason, id);
  const message = scheduledMessageById(tx, id) as ScheduledMessage;
  tx.emit(
    { type: "scheduled_messages", op: "update", scheduled_message: scheduledMessageOnWire(message) },
    { users: [message.sender_id] },
  );
}
