import type { Reader } from "../storage/transaction.ts";
import type { Channel } from "./channels.ts";
import { messageIndex } from "./message-index.ts";
import { topicId } from "./topics.ts";

/** Everyone who wrote or reacted in the topic, and the sender. */
export function topicParticipants(
  reader: Reader,
  { channel, topic }: { channel: Pick<Channel, "id">; topic: string },
  senderId: number,
): Set<number> {
  const id = topicId(reader, channel.id, topic);
  if (id === undefined) return new Set([senderId]);
  // Two queries, each answered from one end of the index: MIN and MAX in one query would scan all of the topic.
  const oldest = reader.value<number>("SELECT id FROM messages WHERE topic_id = ? ORDER BY id LIMIT 1", id);
  const newest = reader.value<number>("SELECT id FROM messages WHERE topic_id = ? ORDER BY id DESC LIMIT 1", id);
  if (oldest === undefined || newest === undefined) return new Set([senderId]);
  const participants = messageIndex(reader).sendersIn(reader, id, oldest, newest);
  const reacted = reader.all<{ id: number }>(
    `SELECT DISTINCT reactions.user_id AS id FROM messages JOIN reactions ON message_id = messages.id
     WHERE topic_id = ?`,
    id,
  );
  for (const { id: userId } of reacted) participants.add(userId);
  return participants.add(senderId);
}
