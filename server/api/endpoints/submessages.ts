import { integer, oneOf, text } from "../../http/params.ts";
import { messageToAttachTo } from "../access/submessages.ts";
import { addSubmessage, SUBMESSAGE_TYPE } from "../actions/submessages.ts";
import { MAX_MESSAGE_LENGTH } from "../queries/messages.ts";
import { endpoint } from "./endpoint.ts";

export const attachSubmessage = endpoint({
  route: "POST /submessage",
  summary: "Use a message's widget: vote in a poll, complete a task.",
  who: "guest",
  params: {
    message_id: integer(),
    msg_type: oneOf(SUBMESSAGE_TYPE),
    content: text().maxLength(MAX_MESSAGE_LENGTH).describe("JSON. The format depends on the widget."),
  },
  handle: ({ viewer, params: { message_id, content }, transact }) =>
    transact((tx) => addSubmessage(tx, viewer, messageToAttachTo(tx, viewer, message_id, content), content)),
});
