import { z } from "zod";
import { text } from "../../http/params.ts";
import { messageText, renderMarkdown } from "../../markdown/render.ts";
import { renderContext } from "../access/mentions.ts";
import { MAX_MESSAGE_LENGTH } from "../queries/messages.ts";
import { endpoint } from "./endpoint.ts";

export const renderMessage = endpoint({
  route: "POST /messages/render",
  summary: "Show what a message's text becomes, without sending it.",
  who: "member",
  guests: true,
  params: { content: text().maxLength(MAX_MESSAGE_LENGTH) },
  response: z.object({ rendered: z.string().describe("HTML.") }),
  handle: ({ viewer, params, reader, baseUrl }) => ({
    rendered: renderMarkdown(messageText(params.content), renderContext(reader, viewer, { baseUrl })).html,
  }),
});
