import type { Transaction } from "../../storage/transaction.ts";
import { readableIn } from "../access/topics.ts";
import { CHUNK } from "../queries/message-index.ts";
import { topicId } from "../queries/topics.ts";
import type { User } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { deleteMessages } from "./message-deletions.ts";
import { messagesIn, type Topic } from "./topics.ts";

const MAX_BYTES = 33;

/**
 * Deletes the newest messages of a topic that the actor may read, at most `max`. `begins`: the first of several calls,
 * which the audit records. Returns whether none is left.
 */
export function deleteNewestOfTopic(
  tx: Transaction,
  actor: User,
  { channel, topic, max, begins }: Topic & { max: number; begins: boolean },
): boolean {
  const number = topicId(tx, channel.id, topic);
  if (number === undefined) return true;
  const ids = readableIn(tx, actor, channel, number, max + 1);
  if (ids.length === 0) return true;
  if (begins) {
    const before = { topic, messages: messagesIn(tx, { channel, topic }) };
    recordAudit(tx, actor, { action: "delete topic", target: `channel ${channel.id}`, before });
  }
  // Only messages of few bytes of one chunk's bitmaps: each byte names all its readers, and a log record has a limit.
  const chunk = Math.floor((ids[0] as number) / CHUNK);
  const bytes = new Set<number>();
  const deleted = ids
    .slice(0, max)
    .filter((id) => Math.floor(id / CHUNK) === chunk && bytes.add(id >> 3).size <= MAX_BYTES);
  deleteMessages(tx, actor, deleted);
  return deleted.length === ids.length;
}
