import { z } from "zod";
import { boolean, integer, oneOf, text } from "../../http/params.ts";
import { runIteratorInSlices } from "../../http/run-in-slices.ts";
import { viewerAsOfNow } from "../access/authentication.ts";
import {
  allowedEdit,
  MAX_MOVED,
  messageToDelete,
  messageWithHistory,
  PROPAGATE_MODES,
} from "../access/message-edits.ts";
import { deleteMessages } from "../actions/message-deletions.ts";
import { editMessage } from "../actions/message-edits.ts";
import { renderMessage } from "../actions/rendering.ts";
import { attachmentOnWire, wireAttachment } from "../presenters/attachments.ts";
import { messageHistory, wireSnapshot } from "../presenters/message-edits.ts";
import { type Attachment, attachmentById, attachmentsHeldBy } from "../queries/attachments.ts";
import { MAX_TOPIC_LENGTH } from "../queries/topics.ts";
import { endpoint } from "./endpoint.ts";
import { messageContent } from "./params.ts";
import { countStoredBytes } from "./stored-bytes.ts";

export const updateMessage = endpoint({
  route: "PATCH /messages/{message_id}",
  summary: "Edit a message, or move it and other messages to another topic or channel.",
  who: "guest",
  params: {
    message_id: integer({ min: 0 }),
    content: messageContent()
      .optional()
      .describe("Cannot be combined with stream_id. An empty text becomes “(deleted)”."),
    topic: text().alias("subject").optional().describe(`At most ${MAX_TOPIC_LENGTH} characters.`),
    stream_id: integer({ min: 0 }).optional().describe("The new channel."),
    propagate_mode: oneOf(...PROPAGATE_MODES)
      .default("change_one")
      .describe(`Moves this message, this and later messages of the topic, or all. At most ${MAX_MOVED}.`),
    send_notification_to_old_thread: boolean()
      .default(false)
      .describe("Whether the notification bot sends the new location to the old topic."),
    send_notification_to_new_thread: boolean()
      .default(true)
      .describe("Whether the notification bot sends the old location to the new topic."),
    prev_content_sha256: text()
      .optional()
      .describe("SHA-256 of the current text, in lower-case hexadecimal. Refused if it differs."),
  },
  response: z.object({
    detached_uploads: z.array(wireAttachment).describe("The caller's files that no message uses after the edit."),
  }),
  handle: (call) => {
    const { viewer, params, transact, baseUrl } = call;
    const patch = {
      content: params.content,
      topic: params.topic,
      channelId: params.stream_id,
      propagateMode: params.propagate_mode,
      prevContentSha256: params.prev_content_sha256,
    };
    const notices = {
      oldThread: params.send_notification_to_old_thread,
      newThread: params.send_notification_to_new_thread,
    };
    const detached = transact((tx) => {
      const { row, ...edit } = allowedEdit(tx, viewer, params.message_id, patch, tx.now);
      const text = edit.text && {
        row,
        content: edit.text.content,
        rendered: renderMessage(tx, viewer, { ...edit.text, baseUrl }),
      };
      if (text) countStoredBytes(call, text);
      const move = edit.move && { ...edit.move, messageId: row.id, propagateMode: params.propagate_mode };
      const held = attachmentsHeldBy(tx, [row.id]);
      editMessage(tx, viewer, { text, move, notices });
      return held
        .map((id) => attachmentById(tx, id) as Attachment)
        .filter(({ user_id, unclaimed_since }) => user_id === viewer.id && unclaimed_since !== null)
        .map((attachment) => attachmentOnWire(tx, attachment));
    });
    return { detached_uploads: detached };
  },
});

export const deleteMessage = endpoint({
  route: "DELETE /messages/{message_id}",
  summary: "Delete a message for everyone.",
  who: "guest",
  params: { message_id: integer({ min: 0 }) },
  handle: ({ viewer, params, transact }) =>
    transact((tx) => deleteMessages(tx, viewer, [messageToDelete(tx, viewer, params.message_id, tx.now).id])),
});

export const getMessageHistory = endpoint({
  route: "GET /messages/{message_id}/history",
  summary: "Get a message's edit history, oldest first. Above about 10 MB, the middle is omitted.",
  who: "guest",
  params: { message_id: integer({ min: 0 }), allow_empty_topic_name: boolean().default(false) },
  response: z.object({ message_history: z.array(wireSnapshot) }),
  handle: async (call) => {
    const { viewer, params, reader } = call;
    const row = messageWithHistory(reader, viewer, params.message_id);
    // Comparing hundreds of edits of a long text takes a second.
    const work = messageHistory(reader, viewer, row, params.allow_empty_topic_name);
    const history = await runIteratorInSlices(call, work);
    messageWithHistory(reader, viewerAsOfNow(reader, viewer), params.message_id); // It may be hidden by now.
    return { message_history: history };
  },
});
