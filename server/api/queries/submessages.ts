import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";

/** What is attached to a message with a widget: first the widget itself, then what people did in it. */
export const wireSubmessage = z.object({
  msg_type: z.string(),
  content: z.string().describe("JSON."),
  message_id: z.int(),
  sender_id: z.int(),
  id: z.int(),
});
export type WireSubmessage = z.output<typeof wireSubmessage>;

/** Submessages by message, oldest first; messages without any are absent. */
export function submessagesOf(reader: Reader, messageIds: readonly number[]): Map<number, WireSubmessage[]> {
  const found = reader.all<WireSubmessage>(
    `SELECT msg_type, content, message_id, sender_id, id FROM submessages
     WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    JSON.stringify(messageIds),
  );
  const submessages = new Map<number, WireSubmessage[]>();
  for (const submessage of found) {
    const list = submessages.get(submessage.message_id);
    if (list) list.push(submessage);
    else submessages.set(submessage.message_id, [submessage]);
  }
  return submessages;
}

/** The type of a message's widget, `poll` or `todo`; undefined if the message has none. */
export function widgetOf({ submessages }: { submessages: readonly WireSubmessage[] }): string | undefined {
  const first = submessages[0];
  return first && (JSON.parse(first.content) as { widget_type: string }).widget_type;
}
