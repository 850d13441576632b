import { conversationMembers, conversationsWith, newestMessageIn } from "../queries/conversations.ts";
import type { User } from "../queries/users.ts";
import type { Reader } from "../storage/transaction.ts";
import type { RegisterPart } from "./register-context.ts";

const RECENT = 1000;

/**
 * The newest 1,000 direct conversations that ever had messages, newest first (docs/protocol.md#other-records).
 * Deleted messages count, as they do in `max_message_id`.
 */
export function recentConversations(reader: Reader, viewer: User): { max_message_id: number; user_ids: number[] }[] {
  const found: { max_message_id: number; user_ids: number[] }[] = [];
  for (const id of conversationsWith(reader, viewer.id)) {
    const newest = newestMessageIn(reader, id);
    if (newest === 0) continue;
    found.push({
      max_message_id: newest,
      user_ids: conversationMembers(reader, id).filter((user) => user !== viewer.id),
    });
  }
  return found.sort((a, b) => b.max_message_id - a.max_message_id).slice(0, RECENT);
}

export const registerParts: Record<string, RegisterPart> = {
  recent_private_conversations: ({ reader, viewer }) => ({
    recent_private_conversations: recentConversations(reader, viewer),
  }),
};
