import { badRequest, notFound, refusedParameter } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { type ScheduledMessage, scheduledMessageById } from "../queries/scheduled-messages.ts";
import type { User } from "../queries/users.ts";
import { type Destination, destinationToWriteTo, isDirect, type MessageType } from "./destinations.ts";

/** The viewer's own message that is not sent yet. */
export function scheduledMessageToChange(reader: Reader, viewer: User, id: number): ScheduledMessage {
  const message = scheduledMessageById(reader, id);
  if (message?.sender_id !== viewer.id) throw notFound("There is no such scheduled message.");
  return message;
}

/** The latest time that a Date can hold, in seconds. */
const END_OF_TIME = 8_640_000_000_000;

/** A time in the future, converted from seconds to milliseconds. */
export function futureTime(seconds: number, now: number): number {
  if (seconds > END_OF_TIME)
    throw refusedParameter(
      "scheduled_delivery_timestamp",
      `scheduled_delivery_timestamp is in seconds, and at most ${END_OF_TIME}.`,
    );
  if (seconds * 1000 <= now)
    throw refusedParameter("scheduled_delivery_timestamp", "scheduled_delivery_timestamp must be in the future.");
  return seconds * 1000;
}

/** The change of destination that a client asks for; what is left out stays as it is. */
export interface Redirection {
  type?: MessageType | undefined;
  to?: readonly number[] | undefined;
  topic?: string | undefined;
}

/** The destination after the change, if the sender may write to it. */
export function redirected(
  reader: Reader,
  sender: User,
  before: ScheduledMessage,
  { type, to, topic }: Redirection,
): Destination {
  const wasDirect = before.channel_id === null;
  const direct = type === undefined ? wasDirect : isDirect(type);
  if (direct !== wasDirect) {
    if (to === undefined) throw badRequest("Another type needs to: who or which channel gets the message.");
    if (!direct && topic === undefined) throw badRequest("A message that turns to a channel needs a topic.");
  }
  const names = to ?? (before.channel_id === null ? before.user_ids : [before.channel_id]);
  return destinationToWriteTo(reader, sender, { direct, to: names, topic: topic ?? before.topic });
}
