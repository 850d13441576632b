import { z } from "zod";
import type { App } from "../../app.ts";
import { missingParameter, refusedParameter } from "../../errors.ts";
import { integer, MAX_ITEMS, oneOf, rawOrJson, text } from "../../http/params.ts";
import type { Reader } from "../../storage/transaction.ts";
import { destinationToWriteTo, isDirect, MESSAGE_TYPES } from "../access/destinations.ts";
import { messageToEdit } from "../access/message-edits.ts";
import { assertSendsTyping } from "../access/typing.ts";
import { announceEditing, announceTyping } from "../actions/typing.ts";
import { endpoint } from "./endpoint.ts";

const op = oneOf("start", "stop");
const oneOrMore = z.union([z.int(), z.string(), z.array(z.union([z.int(), z.string()])).max(MAX_ITEMS)]);

const outlet = (reader: Reader, { store }: App) => ({
  reader,
  announce: (...event: Parameters<App["store"]["announce"]>) => store.announce(...event),
});

interface Where {
  to?: z.output<typeof oneOrMore> | undefined;
  stream_id?: number | undefined;
}

/** The recipients or the channel. Older clients send the channel in `to`. */
function aim(direct: boolean, { to, stream_id }: Where): (number | string)[] {
  const listed = typeof to === "string" ? to.split(",").map((name) => name.trim()) : typeof to === "number" ? [to] : to;
  if (direct) {
    if (listed === undefined) throw missingParameter("to");
    if (listed.length === 0) throw refusedParameter("to", "recipients_missing");
    return listed;
  }
  if (stream_id !== undefined) return [stream_id];
  const [channel, ...more] = listed ?? [];
  if (channel === undefined) throw missingParameter("stream_id");
  if (typeof channel !== "number" || more.length > 0) throw refusedParameter("to", "channel_id_not_single");
  return [channel];
}

export const postTyping = endpoint({
  route: "POST /typing",
  summary: "Report that the caller starts or stops typing a message.",
  who: "guest",
  params: {
    type: oneOf(...MESSAGE_TYPES).default("direct"),
    op,
    to: rawOrJson(oneOrMore).optional().describe("For direct messages: user IDs or email addresses of recipients."),
    stream_id: integer().optional().describe("For channel messages."),
    topic: text().alias("subject").optional().describe("For channel messages."),
  },
  handle: ({ viewer, params, reader, app }) => {
    const direct = isDirect(params.type);
    const to = destinationToWriteTo(reader, viewer, {
      direct,
      to: aim(direct, params),
      topic: params.topic,
      deactivatedToo: true,
    });
    assertSendsTyping(reader, viewer, { direct });
    announceTyping(outlet(reader, app), viewer, params.op, to);
  },
});

export const postEditTyping = endpoint({
  route: "POST /messages/{message_id}/typing",
  summary: "Report that the caller starts or stops editing a message.",
  who: "guest",
  params: { message_id: integer({ min: 0 }), op },
  handle: ({ viewer, params, reader, app }) => {
    const message = messageToEdit(reader, viewer, params.message_id, app.now());
    assertSendsTyping(reader, viewer, { direct: !("channel" in message.to) });
    announceEditing(outlet(reader, app), viewer, params.op, message);
  },
});
