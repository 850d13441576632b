import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { type ScheduledMessage, scheduledMessagesOf } from "../queries/scheduled-messages.ts";
import type { User } from "../queries/users.ts";
import { type RegisterContext, readOnce, registerPart } from "./register-part.ts";

/** A message that will be sent later, or failed to send. See docs/protocol.md#other-records. */
export const wireScheduledMessage = z.object({
  scheduled_message_id: z.int(),
  type: z.enum(["stream", "private"]),
  to: z.union([z.int(), z.array(z.int())]),
  topic: z.string().optional(),
  content: z.string(),
  rendered_content: z.string(),
  scheduled_delivery_timestamp: z.int(),
  failed: z.boolean(),
});
export type WireScheduledMessage = z.output<typeof wireScheduledMessage>;

/** Clients name a conversation by its other participants, or by the user's own id if there are none. */
const othersIn = ({ user_ids, sender_id }: ScheduledMessage): number[] =>
  user_ids.length > 1 ? user_ids.filter((id) => id !== sender_id) : user_ids;

export const scheduledMessageOnWire = (message: ScheduledMessage): WireScheduledMessage => ({
  scheduled_message_id: message.id,
  ...(message.channel_id === null
    ? { type: "private", to: othersIn(message) }
    : { type: "stream", to: message.channel_id, topic: message.topic }),
  content: message.content,
  rendered_content: message.rendered_content,
  scheduled_delivery_timestamp: message.deliver_at / 1000,
  failed: message.failure !== null,
});

/** The viewer's own scheduled messages, including failed ones, the next one first. */
export const ownScheduledMessages = (reader: Reader, viewer: User): WireScheduledMessage[] =>
  scheduledMessagesOf(reader, viewer).map(scheduledMessageOnWire);

const ownIn = (context: RegisterContext): WireScheduledMessage[] =>
  readOnce(context, ["scheduled_messages"], () => ownScheduledMessages(context.reader, context.viewer));

export const registerParts = {
  scheduled_messages: registerPart({
    fields: { scheduled_messages: z.array(wireScheduledMessage) },
    read: (context) => ({ scheduled_messages: ownIn(context) }),
    spectators: { scheduled_messages: [] },
    readAhead: ownIn,
  }),
};
