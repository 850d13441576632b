import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { attachmentById, attachmentsHeldBy, messagesHolding } from "../queries/attachments.ts";
import { expiredFrom, expiryAt, newestMessageId, type RetentionDays } from "../queries/retention.ts";

/** The response of GET /host/expiring_messages. */
export const expiringMessages = z.object({
  messages: z.int(),
  files: z.int().describe("Uploads that no other message uses."),
  file_bytes: z.int(),
  is_complete: z.boolean().describe("False if there are more messages than the count."),
});
export type ExpiringMessages = z.output<typeof expiringMessages>;

/** Limit of counted messages, since the ids of the ones with a file are kept in memory. */
const MAX_COUNTED = 100_000;

/**
 * Counts the messages that these settings would delete. An iterator, so that it can run in slices: it reads every
 * message once.
 */
export function* countExpiring(
  reader: Reader,
  now: number,
  days: RetentionDays,
): Generator<undefined, ExpiringMessages> {
  const expiry = expiryAt(reader, now, days);
  const expired = new Set<number>();
  const held = new Set<number>();
  let next = 1;
  while (expired.size < MAX_COUNTED && next <= newestMessageId(reader) && expiry.since(next) < expiry.latest) {
    const batch = expiredFrom(reader, expiry, next);
    for (const id of batch.ids) expired.add(id);
    for (const id of attachmentsHeldBy(reader, batch.ids)) held.add(id);
    next = batch.next;
    yield undefined;
  }
  let [files, file_bytes] = [0, 0];
  for (const id of held) {
    if (!messagesHolding(reader, id).every((message) => expired.has(message.id))) continue;
    files += 1;
    file_bytes += attachmentById(reader, id)?.size ?? 0;
    yield undefined;
  }
  return { messages: expired.size, files, file_bytes, is_complete: expired.size < MAX_COUNTED };
}
