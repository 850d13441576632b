import { badRequest, notFound, refusedParameter } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { type ScheduledMessage, scheduledMessageById } from "../queries/scheduled-messages.ts";
import type { User } from "../queries/users.ts";
import { type Destination, destinationToWriteTo, isDirect, type MessageType } from "./destinations.ts";

export function scheduledMessageToChange(reader: Reader, viewer: User, id: number): ScheduledMessage {
  const message = scheduledMessageById(reader, id);
  if (message?.sender_id !== viewer.id) throw notFound("scheduled_message_not_found");
  return message;
}

/** The end of the year 9999, in seconds. Times in milliseconds are after it. */
export const LAST_TIME = 253_402_300_799;

/** Converts seconds to milliseconds. */
export function futureTime(seconds: number, now: number): number {
  if (seconds > LAST_TIME)
    throw refusedParameter("scheduled_delivery_timestamp", "delivery_time_too_late", { max: LAST_TIME });
  if (seconds * 1000 <= now) throw refusedParameter("scheduled_delivery_timestamp", "delivery_time_in_past");
  return seconds * 1000;
}

/** Undefined values do not change. */
interface Redirection {
  type?: MessageType | undefined;
  to?: readonly number[] | undefined;
  topic?: string | undefined;
}

export function redirected(
  reader: Reader,
  sender: User,
  before: ScheduledMessage,
  { type, to, topic }: Redirection,
): Destination {
  const wasDirect = before.channel_id === null;
  const direct = type === undefined ? wasDirect : isDirect(type);
  if (direct !== wasDirect) {
    if (to === undefined) throw badRequest("recipients_required_for_type");
    if (!direct && topic === undefined) throw badRequest("topic_required");
  }
  const names = to ?? (before.channel_id === null ? before.user_ids : [before.channel_id]);
  return destinationToWriteTo(reader, sender, { direct, to: names, topic: topic ?? before.topic });
}
