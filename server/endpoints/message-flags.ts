import { z } from "zod";
import { markMessages } from "../actions/message-flags.ts";
import { integer, listOf, oneOf, text } from "../http/params.ts";
import { endpoint } from "./endpoint.ts";

export const updateMessageFlags = endpoint({
  route: "POST /messages/flags",
  summary: "Set a flag of one's own on messages, or take it away.",
  who: "member",
  guests: true,
  params: {
    messages: listOf(integer({ min: 0 })),
    op: oneOf("add", "remove"),
    flag: text().describe("read, starred or collapsed."),
  },
  response: z.object({
    messages: z.array(z.int()).describe("Those that changed."),
    ignored_because_not_subscribed_channels: z.array(z.int()).optional(),
  }),
  handle: ({ viewer, params, transact }) => {
    const { op, flag } = params;
    const { messages, ignoredChannels } = transact((tx) =>
      markMessages(tx, viewer, { ids: params.messages, op, flag }),
    );
    if (flag !== "read" || op !== "remove") return { messages };
    return { messages, ignored_because_not_subscribed_channels: ignoredChannels };
  },
});
