import type { Reader } from "../../storage/transaction.ts";

/** The key that a direct conversation is found by: the ids of all participants, ascending. */
export const conversationKey = (userIds: Iterable<number>): string =>
  [...new Set(userIds)].sort((a, b) => a - b).join(",");

export const membersOf = (key: string): number[] => key.split(",").map(Number);

/** The recipient id of the conversation of exactly these users; undefined if nobody has written in it yet. */
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
      new Set(rows.values<number>("SELECT recipient_id AS id FROM conversation_members WHERE user_id = ?", userId)),
  );

/** The id of the conversation's newest message, a deleted one too; 0 where it never had any. */
export const newestMessageIn = (reader: Reader, recipientId: number): number =>
  Math.max(
    reader.value<number | null>("SELECT MAX(id) FROM messages WHERE recipient_id = ?", recipientId) ?? 0,
    reader.value<number | null>("SELECT MAX(id) FROM deleted_messages WHERE recipient_id = ?", recipientId) ?? 0,
  );
