import { z } from "zod";
import { integer } from "../../http/params.ts";
import { messageWithReceipts } from "../access/messages.ts";
import { readersSeenBy } from "../presenters/read-state.ts";
import { endpoint } from "./endpoint.ts";

export const getReadReceipts = endpoint({
  route: "GET /messages/{message_id}/read_receipts",
  summary: "Who has read a message, as far as they let others know.",
  who: "member",
  guests: true,
  params: { message_id: integer({ min: 0 }) },
  response: z.object({ user_ids: z.array(z.int()) }),
  handle: ({ viewer, params, reader }) => ({
    user_ids: readersSeenBy(reader, viewer, messageWithReceipts(reader, viewer, params.message_id).id),
  }),
});
