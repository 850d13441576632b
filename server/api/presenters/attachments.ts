import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { type Attachment, messagesHolding, pathIdOf } from "../queries/attachments.ts";

/** Times are milliseconds since the epoch. */
export const wireAttachment = z.object({
  id: z.int(),
  name: z.string(),
  path_id: z.string(),
  size: z.int(),
  create_time: z.int(),
  messages: z.array(z.object({ id: z.int(), date_sent: z.int() })),
});
export type WireAttachment = z.infer<typeof wireAttachment>;

export const attachmentOnWire = (reader: Reader, attachment: Attachment): WireAttachment => ({
  id: attachment.id,
  name: attachment.name,
  path_id: pathIdOf(attachment),
  size: attachment.size,
  create_time: attachment.created_at,
  messages: messagesHolding(reader, attachment.id).map(({ id, sent_at }) => ({ id, date_sent: sent_at })),
});
