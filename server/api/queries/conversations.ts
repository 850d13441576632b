import type { Reader } from "../../storage/transaction.ts";
import { importWriting } from "./import-ranges.ts";

/** The key of a direct conversation: the ids of all participants, ascending. */
export const conversationKey = (userIds: Iterable<number>): string =>
  [...new Set(userIds)].sort((a, b) => a - b).join(",");

export const membersOf = (key: string): number[] => key.split(",").map(Number);

/** The recipient id of the conversation between exactly these users; undefined if it has never had a message. */
export const conversationOf = (reader: Reader, userIds: Iterable<number>): number | undefined =>
  reader.value<number>("SELECT id FROM recipients WHERE conversation_key = ?", conversationKey(userIds));

export const conversationMembers = (reader: Reader, recipientId: number): number[] =>
  membersOf(reader.value<string>("SELECT conversation_key FROM recipients WHERE id = ?", recipientId) ?? "");

/** The recipient ids of all of the user's conversations. Callers must not modify the result. */
export const conversationsWith = (reader: Reader, userId: number): ReadonlySet<number> =>
  reader.derived(
    `conversations of ${userId}`,
    ["conversation_members"],
    (rows) =>
      new Set(rows.values<number>("SELECT recipient_id AS id FROM conversation_members WHERE user_id = ?", userId)),
  );

/** The id of the conversation's newest message, deleted ones included; 0 if it has never had one. */
export const newestMessageIn = (reader: Reader, recipientId: number): number =>
  Math.max(
    reader.value<number | null>("SELECT MAX(id) FROM messages WHERE recipient_id = ?", recipientId) ?? 0,
    reader.value<number | null>("SELECT MAX(id) FROM deleted_messages WHERE recipient_id = ?", recipientId) ?? 0,
  );

/** The time of the conversation's last message. Imported messages can have the highest ids and be older than others. */
export function lastSentIn(reader: Reader, recipientId: number): number | undefined {
  let newest: number | undefined;
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const found = reader.get<{ id: number; sent_at: number }>(
      "SELECT id, sent_at FROM messages WHERE recipient_id = ? AND id < ? ORDER BY id DESC LIMIT 1",
      recipientId,
      before,
    );
    const range = found && importWriting(reader, found.id);
    if (found) newest = Math.max(newest ?? 0, found.sent_at);
    if (!range) return newest;
    before = range.first_id;
  }
}
