import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { conversationMembers, conversationsWith, lastSentIn, newestMessageIn } from "../queries/conversations.ts";
import { importedMessages } from "../queries/import-ranges.ts";
import { messageIndex } from "../queries/message-index.ts";
import { firstIdWrittenSince } from "../queries/messages.ts";
import type { User } from "../queries/users.ts";
import { registerPart } from "./register-part.ts";

const MAX_RECENT = 1000;

const wireConversation = z.object({
  max_message_id: z.int(),
  user_ids: z.array(z.int()).describe("Participants except the caller."),
});
type WireConversation = z.output<typeof wireConversation>;

/**
 * The 1,000 direct conversations with the newest messages, newest first (docs/protocol.md#other-records). Deleted
 * messages count, as in `max_message_id`.
 */
export function recentConversations(reader: Reader, viewer: User): WireConversation[] {
  const isImported = importedMessages(reader);
  // Before the messages that were written later: imported messages are older than their ids.
  const positionOf = (sentAt: number) =>
    firstIdWrittenSince(reader, sentAt + 1, messageIndex(reader).last(reader) + 1) - 0.5;
  const found: (WireConversation & { position: number })[] = [];
  for (const id of conversationsWith(reader, viewer.id)) {
    const newest = newestMessageIn(reader, id);
    if (newest === 0) continue;
    found.push({
      max_message_id: newest,
      user_ids: conversationMembers(reader, id).filter((user) => user !== viewer.id),
      position: isImported(newest) ? positionOf(lastSentIn(reader, id) ?? 0) : newest,
    });
  }
  return found
    .sort((a, b) => b.position - a.position || b.max_message_id - a.max_message_id)
    .slice(0, MAX_RECENT)
    .map(({ position: _, ...conversation }) => conversation);
}

export const registerParts = {
  recent_private_conversations: registerPart({
    fields: { recent_private_conversations: z.array(wireConversation) },
    read: ({ reader, viewer }) => ({ recent_private_conversations: recentConversations(reader, viewer) }),
    spectators: { recent_private_conversations: [] },
  }),
};
