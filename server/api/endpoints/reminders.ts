import { z } from "zod";
import { integer, text } from "../../http/params.ts";
import { messageText } from "../../markdown/render.ts";
import { messageToRead } from "../access/messages.ts";
import { reminderToChange } from "../access/reminders.ts";
import { futureTime } from "../access/scheduled-messages.ts";
import { createReminder, deleteReminder, reminderText } from "../actions/reminders.ts";
import { renderMessage } from "../actions/rendering.ts";
import { ownReminders, wireReminder } from "../presenters/reminders.ts";
import { MAX_REMINDER_NOTE_LENGTH } from "../queries/reminders.ts";
import { endpoint } from "./endpoint.ts";

export const getReminders = endpoint({
  route: "GET /reminders",
  summary: "List the caller's pending and failed reminders, next one first.",
  who: "guest",
  response: z.object({ reminders: z.array(wireReminder) }),
  handle: ({ viewer, reader }) => ({ reminders: ownReminders(reader, viewer) }),
});

export const postReminder = endpoint({
  route: "POST /reminders",
  summary: "Create a reminder of a message. It is sent as a direct message.",
  who: "guest",
  params: {
    message_id: integer(),
    scheduled_delivery_timestamp: integer().describe("Seconds; in the future."),
    note: text()
      .normalized(messageText)
      .maxLength(MAX_REMINDER_NOTE_LENGTH)
      .default("")
      .describe("Text for the caller, which the reminder quotes above the message."),
  },
  response: z.object({ reminder_id: z.int() }),
  handle: ({ viewer, params, transact, baseUrl }) => ({
    reminder_id: transact((tx) => {
      const { row } = messageToRead(tx, viewer, params.message_id);
      const deliverAt = futureTime(params.scheduled_delivery_timestamp, tx.now);
      const content = reminderText(tx, viewer, row, params.note);
      const rendered = renderMessage(tx, viewer, { to: { userIds: [viewer.id] }, content, baseUrl, showsMedia: false });
      return createReminder(tx, viewer, { messageId: row.id, note: params.note, content, rendered, deliverAt });
    }),
  }),
});

export const removeReminder = endpoint({
  route: "DELETE /reminders/{reminder_id}",
  summary: "Delete a reminder.",
  who: "guest",
  params: { reminder_id: integer({ min: 0 }) },
  handle: ({ viewer, params, transact }) =>
    transact((tx) => deleteReminder(tx, reminderToChange(tx, viewer, params.reminder_id))),
});
