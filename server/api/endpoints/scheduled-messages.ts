import { z } from "zod";
import { badRequest } from "../../errors.ts";
import { boolean, integer, json, oneOf, text } from "../../http/params.ts";
import { destinationToWriteTo, isDirect, MAX_RECIPIENTS, MESSAGE_TYPES } from "../access/destinations.ts";
import { futureTime, redirected, scheduledMessageToChange } from "../access/scheduled-messages.ts";
import { isReadBySender } from "../actions/messages.ts";
import { renderMessage } from "../actions/rendering.ts";
import {
  deleteScheduledMessage,
  editScheduledMessage,
  postponeScheduledMessage,
  scheduleMessage,
} from "../actions/scheduled-messages.ts";
import { ownScheduledMessages, wireScheduledMessage } from "../presenters/scheduled-messages.ts";
import { MAX_TOPIC_LENGTH } from "../queries/topics.ts";
import { endpoint } from "./endpoint.ts";
import { messageContent } from "./params.ts";
import { countStoredBytes } from "./stored-bytes.ts";

const params = {
  type: oneOf(...MESSAGE_TYPES),
  to: json(z.union([z.int(), z.array(z.int()).max(MAX_RECIPIENTS)])).describe("A channel's ID or a list of user IDs."),
  content: messageContent(),
  topic: text()
    .alias("subject")
    .optional()
    .describe(`At most ${MAX_TOPIC_LENGTH} characters; direct messages ignore it.`),
  scheduled_delivery_timestamp: integer().describe("Seconds; in the future."),
};

const inList = (to: number | number[]): number[] => (typeof to === "number" ? [to] : to);

function notEmpty(content: string): string {
  if (content === "") throw badRequest("message_empty");
  return content;
}

export const getScheduledMessages = endpoint({
  route: "GET /scheduled_messages",
  summary: "List the caller's pending and failed scheduled messages, next one first.",
  who: "guest",
  response: z.object({ scheduled_messages: z.array(wireScheduledMessage) }),
  handle: ({ viewer, reader }) => ({ scheduled_messages: ownScheduledMessages(reader, viewer) }),
});

export const postScheduledMessage = endpoint({
  route: "POST /scheduled_messages",
  summary: "Schedule a message.",
  who: "guest",
  params: { ...params, read_by_sender: boolean().optional() },
  response: z.object({ scheduled_message_id: z.int() }),
  handle: (call) => {
    const { viewer, params, transact, client, baseUrl } = call;
    const { type, topic, read_by_sender: readBySender = isReadBySender(viewer, client) } = params;
    const aim = { direct: isDirect(type), to: inList(params.to), topic };
    const scheduled_message_id = transact((tx) => {
      const deliverAt = futureTime(params.scheduled_delivery_timestamp, tx.now);
      const content = notEmpty(params.content);
      const to = destinationToWriteTo(tx, viewer, aim);
      const rendered = renderMessage(tx, viewer, { to, content, baseUrl, showsMedia: false });
      countStoredBytes(call, { content, rendered });
      const message = { to, content, rendered, client, readBySender };
      return scheduleMessage(tx, viewer, { message, baseUrl, deliverAt });
    });
    return { scheduled_message_id };
  },
});

export const patchScheduledMessage = endpoint({
  route: "PATCH /scheduled_messages/{scheduled_message_id}",
  summary: "Change a scheduled message. A failed one needs a new time.",
  who: "guest",
  params: {
    scheduled_message_id: integer({ min: 0 }),
    type: params.type.optional(),
    to: params.to.optional(),
    content: params.content.optional(),
    topic: params.topic,
    scheduled_delivery_timestamp: params.scheduled_delivery_timestamp.optional(),
  },
  handle: (call) => {
    const { viewer, params, transact, client, baseUrl } = call;
    const { scheduled_message_id: id, scheduled_delivery_timestamp: timestamp, to: recipients, ...changes } = params;
    const onlyTime = [recipients, ...Object.values(changes)].every((value) => value === undefined);
    transact((tx) => {
      const before = scheduledMessageToChange(tx, viewer, id);
      if (timestamp === undefined && onlyTime) throw badRequest("nothing_to_change");
      if (timestamp === undefined && before.failure !== null) throw badRequest("new_delivery_time_required");
      const deliverAt = timestamp === undefined ? before.deliver_at : futureTime(timestamp, tx.now);
      if (onlyTime) return postponeScheduledMessage(tx, viewer, before, deliverAt);
      const content = changes.content === undefined ? before.content : notEmpty(changes.content);
      const to = redirected(tx, viewer, before, {
        ...changes,
        to: recipients === undefined ? undefined : inList(recipients),
      });
      const rendered = renderMessage(tx, viewer, { to, content, baseUrl, showsMedia: false });
      countStoredBytes(call, { content, rendered });
      const message = { to, content, rendered, client, readBySender: before.read_by_sender };
      editScheduledMessage(tx, viewer, before, { message, baseUrl, deliverAt });
    });
  },
});

export const removeScheduledMessage = endpoint({
  route: "DELETE /scheduled_messages/{scheduled_message_id}",
  summary: "Delete a scheduled message.",
  who: "guest",
  params: { scheduled_message_id: integer({ min: 0 }) },
  handle: ({ viewer, params, transact }) => {
    const { scheduled_message_id: id } = params;
    transact((tx) => deleteScheduledMessage(tx, viewer, scheduledMessageToChange(tx, viewer, id)));
  },
});
