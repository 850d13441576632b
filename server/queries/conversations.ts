import type { User } from "../access/users.ts";
import type { Reader } from "../storage/transaction.ts";
import type { RegisterPart } from "./register-context.ts";

/** How a direct conversation is found: the ids of all who take part, ascending. */
export const conversationKey = (userIds: Iterable<number>): string =>
  [...new Set(userIds)].sort((a, b) => a - b).join(",");

export const membersOf = (key: string): number[] => key.split(",").map(Number);

/** The recipient id of the conversation of exactly these people; undefined where nobody wrote in it yet. */
export const conversationOf = (reader: Reader, userIds: Iterable<number>): number | undefined =>
  reader.value<number>("SELECT id FROM recipients WHERE conversation_key = ?", conversationKey(userIds));

export const conversationMembers = (reader: Reader, recipientId: number): number[] =>
  membersOf(reader.value<string>("SELECT conversation_key FROM recipients WHERE id = ?", recipientId) ?? "");

/** The recipient ids of all conversations that the user takes part in. Not to be changed by the caller. */
export const conversationsWith = (reader: Reader, userId: number): ReadonlySet<number> =>
  reader.derived(
    `conversations of ${userId}`,
    ["conversation_members"],
    (rows) =>
      new Set(
        rows
          .all<{ id: number }>("SELECT recipient_id AS id FROM conversation_members WHERE user_id = ?", userId)
          .map(({ id }) => id),
      ),
  );

const RECENT = 1000;

/**
 * The newest 1,000 direct conversations that ever had messages, newest first (spec/interface.md, other records).
 * Deleted messages count, as they do in `max_message_id`.
 */
export function recentConversations(reader: Reader, viewer: User): { max_message_id: number; user_ids: number[] }[] {
  const found: { max_message_id: number; user_ids: number[] }[] = [];
  for (const id of conversationsWith(reader, viewer.id)) {
    const newest = Math.max(
      reader.value<number | null>("SELECT MAX(id) FROM messages WHERE recipient_id = ?", id) ?? 0,
      reader.value<number | null>("SELECT MAX(id) FROM deleted_messages WHERE recipient_id = ?", id) ?? 0,
    );
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
