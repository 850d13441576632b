import type { Reader } from "../../storage/transaction.ts";
import type { Channel } from "./channels.ts";
import { topicId } from "./topics.ts";

/** Everyone who wrote or reacted in the topic, and the sender. */
export function topicParticipants(
  reader: Reader,
  { channel, topic }: { channel: Pick<Channel, "id">; topic: string },
  senderId: number,
): Set<number> {
  const id = topicId(reader, channel.id, topic);
  if (id === undefined) return new Set([senderId]);
  // By two indexes: the rows themselves are large.
  const sent = reader.all<{ id: number }>(
    `SELECT DISTINCT sent.sender_id AS id
     FROM messages AS found INDEXED BY messages_by_topic CROSS JOIN messages AS sent INDEXED BY message_places
       ON sent.id = found.id
     WHERE found.topic_id = ?`,
    id,
  );
  const participants = new Set(sent.map(({ id: userId }) => userId));
  const reacted = reader.all<{ id: number }>(
    `SELECT DISTINCT reactions.user_id AS id FROM messages JOIN reactions ON message_id = messages.id
     WHERE topic_id = ?`,
    id,
  );
  for (const { id: userId } of reacted) participants.add(userId);
  return participants.add(senderId);
}
