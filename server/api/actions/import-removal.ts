import type { StoredFile } from "../../media/files/stored-files.ts";
import type { Reader, Transaction } from "../../storage/transaction.ts";
import { type Attachment, attachmentById, attachmentsHeldBy } from "../queries/attachments.ts";
import { holdsChannels } from "../queries/channel-folders.ts";
import { type CustomEmoji, customEmojiById } from "../queries/emoji.ts";
import {
  addedMessages,
  type Import,
  importById,
  importedChannels,
  importedEmoji,
  newestRange,
} from "../queries/imports.ts";
import { messageIndex } from "../queries/message-index.ts";
import { firstIdWrittenSince } from "../queries/messages.ts";
import { activeUserIds, type User, userById } from "../queries/users.ts";
import { deleteAttachment, releaseAttachments } from "./attachments.ts";
import { recordAudit } from "./audit.ts";
import { placeAvatar } from "./avatars.ts";
import { deactivateCustomEmoji, deleteCustomEmoji } from "./emoji.ts";
import { resetEventQueues } from "./event-queues.ts";
import { clearDifferences, deletableTogether, deleteMessageRows } from "./message-deletions.ts";

/*
 * Removes an import with everything in it, and with what people added to it since: messages in its channels, and in
 * direct conversations with accounts that nobody has claimed. Slices are small, and a restart continues.
 */

export function startRemoval(tx: Transaction, actor: User | null, importId: number): void {
  const { name = "", messages = 0 } = importById(tx, importId) ?? {};
  tx.run("UPDATE imports SET state = 'removing' WHERE id = ?", importId);
  recordAudit(tx, actor, { action: "remove import", target: `import ${name}`, before: { messages } });
}

const AT_ONCE = { messages: 200, conversations: 200, stubs: 50 };

type Files = Pick<StoredFile, "kind" | "name">[];

/** Call it until `isDone`. Remove the files after the transaction. */
export function removeSlice(tx: Transaction, importId: number): { isDone: boolean; files: Files } {
  const unfinished = (files: Files) => ({ isDone: false, files });
  const messages = importedOrAddedMessages(tx, importId);
  if (messages.length > 0) return unfinished(removeMessages(tx, deletableTogether(messages)));
  const [emoji] = importedEmoji(tx, importId);
  if (emoji !== undefined) return unfinished(removeEmoji(tx, importId, emoji));
  const [channel] = importedChannels(tx, importId);
  if (channel !== undefined) {
    removeChannel(tx, channel);
    return unfinished([]);
  }
  if (removeConversations(tx, importId)) return unfinished([]);
  const stubs = unclaimedStubs(tx, importId);
  if (stubs.length > 0) return unfinished(removeStubs(tx, importId, stubs));
  removeFolders(tx, importId);
  for (const table of ["import_people", "import_conversations"])
    tx.run(`DELETE FROM ${table} WHERE import_id = ?`, importId);
  tx.run("DELETE FROM imports WHERE id = ?", importId);
  resetEventQueues(tx, activeUserIds(tx));
  return { isDone: true, files: [] };
}

/** Newest first. Deletes ranges whose messages are gone. */
function importedOrAddedMessages(tx: Transaction, importId: number): number[] {
  for (let range = newestRange(tx, importId); range; range = newestRange(tx, importId)) {
    const { first_id, last_id } = range;
    const sql = "SELECT id FROM messages WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT ?";
    const ids = tx.values<number>(sql, first_id, last_id, AT_ONCE.messages);
    if (ids.length > 0) return ids;
    tx.run("DELETE FROM import_ranges WHERE first_id = ?", first_id);
  }
  return addedMessages(tx, importId, AT_ONCE.messages);
}

/** The uploads of the messages too, unless other messages use them. */
function removeMessages(tx: Transaction, ids: readonly number[]): Files {
  const held = attachmentsHeldBy(tx, ids);
  const index = messageIndex(tx);
  const topics = new Set(ids.map((id) => index.entry(tx, id)?.topic ?? 0));
  releaseAttachments(tx, ids);
  clearDifferences(tx, ids);
  deleteMessageRows(tx, ids);
  tx.run("DELETE FROM reminders WHERE message_id IN (SELECT value FROM json_each(?))", JSON.stringify(ids));
  tx.afterCommit(() => {
    for (const id of ids) index.remove(id);
    for (const topic of topics) index.topicNames.delete(topic);
  });
  return held.flatMap((id) => {
    const attachment = attachmentById(tx, id) as Attachment;
    return attachment.unclaimed_since === null ? [] : deleteAttachment(tx, attachment);
  });
}

/** Statements for a channel, each with the channel's id. */
const OF_CHANNEL = [
  "DELETE FROM topics WHERE channel_id = ?",
  "DELETE FROM user_topics WHERE channel_id = ?",
  "DELETE FROM default_stream_group_channels WHERE channel_id = ?",
  "DELETE FROM invitation_channels WHERE channel_id = ?",
  "DELETE FROM scheduled_messages WHERE channel_id = ?",
  "DELETE FROM archived_channels_unread WHERE channel_id = ?",
  "DELETE FROM deleted_messages WHERE sent_channel_id = ?",
  "DELETE FROM import_channels WHERE channel_id = ?",
];

function removeChannel(tx: Transaction, channelId: number): void {
  const subscribers = tx.values<number>("SELECT user_id FROM subscriptions WHERE channel_id = ?", channelId);
  const parts = [`channel ${channelId}`, ...subscribers.map((id) => `user ${id}`)];
  tx.runOn(parts, "DELETE FROM subscriptions WHERE channel_id = ?", channelId);
  tx.runOn(parts, "DELETE FROM subscription_periods WHERE channel_id = ?", channelId);
  for (const sql of OF_CHANNEL) tx.run(sql, channelId);
  const recipientId = tx.value<number>("SELECT recipient_id FROM channels WHERE id = ?", channelId) ?? 0;
  tx.run("DELETE FROM channels WHERE id = ?", channelId);
  tx.run("DELETE FROM recipients WHERE id = ?", recipientId);
}

/** A folder with channels of others stays. */
function removeFolders(tx: Transaction, importId: number): void {
  const created = tx.values<number>("SELECT folder_id FROM import_folders WHERE import_id = ?", importId);
  tx.run("DELETE FROM import_folders WHERE import_id = ?", importId);
  for (const id of created.filter((folder) => !holdsChannels(tx, folder)))
    tx.run("DELETE FROM channel_folders WHERE id = ?", id);
}

/** An emoji that somebody could have used since stays, but is no longer offered. */
function removeEmoji(tx: Transaction, importId: number, id: number): Files {
  tx.run("DELETE FROM import_emoji WHERE import_id = ? AND emoji_id = ?", importId, id);
  const emoji = customEmojiById(tx, id) as CustomEmoji;
  const { started_at } = importById(tx, importId) as Import;
  if (!isEmojiUsed(tx, emoji, started_at)) return deleteCustomEmoji(tx, emoji);
  if (!emoji.deactivated) deactivateCustomEmoji(tx, null, emoji);
  return [];
}

/** With more messages since the import, a search for an emoji would delay requests. */
const MAX_SEARCHED = 20_000;

function isEmojiUsed(reader: Reader, { id, file }: CustomEmoji, since: number): boolean {
  const end = messageIndex(reader).last(reader) + 1;
  const first = firstIdWrittenSince(reader, since, end);
  if (end - first > MAX_SEARCHED) return true;
  const sql = `SELECT 1 WHERE
    EXISTS (SELECT 1 FROM messages WHERE id >= ?1 AND instr(rendered_content, ?2) > 0)
    OR EXISTS (SELECT 1 FROM reactions WHERE message_id >= ?1 AND emoji_code = ?3 AND reaction_type = 'realm_emoji')
    OR EXISTS (SELECT 1 FROM user_statuses WHERE emoji_code = ?3 AND reaction_type = 'realm_emoji')`;
  return reader.value(sql, first, file, String(id)) !== undefined;
}

/** A conversation in which accounts have written since stays. Returns whether there were others. */
function removeConversations(tx: Transaction, importId: number): boolean {
  const created = tx.values<number>(
    `SELECT recipient_id FROM import_conversations WHERE import_id = ? AND is_new = 1
       AND NOT EXISTS (SELECT 1 FROM messages WHERE messages.recipient_id = import_conversations.recipient_id)
     ORDER BY recipient_id LIMIT ?`,
    importId,
    AT_ONCE.conversations,
  );
  const list = JSON.stringify(created);
  for (const sql of OF_CONVERSATIONS) tx.run(sql, list);
  return created.length > 0;
}

const OF_CONVERSATIONS = [
  "DELETE FROM import_conversations WHERE recipient_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM conversation_members WHERE recipient_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM deleted_messages WHERE recipient_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM recipients WHERE id IN (SELECT value FROM json_each(?))",
];

/** Statements for accounts that nobody has claimed, each with a list of ids. */
const OF_STUBS = [
  "DELETE FROM merges WHERE stub_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM user_settings WHERE user_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM profile_values WHERE user_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM user_statuses WHERE user_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM user_group_members WHERE user_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM user_activity WHERE user_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM muted_users WHERE muted_user_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM sign_in_links WHERE user_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM invitations WHERE stub_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM reactions WHERE user_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM message_flags WHERE user_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM avatars WHERE user_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM bots WHERE user_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM users WHERE id IN (SELECT value FROM json_each(?))",
];

/** Accounts that their people have claimed stay, without their imported messages. */
const unclaimedStubs = (reader: Reader, importId: number): number[] =>
  reader.values<number>(
    `SELECT users.id FROM import_people JOIN users ON users.id = user_id
     WHERE import_id = ?1 AND is_new = 1 AND is_imported_stub = 1
       AND NOT EXISTS (SELECT 1 FROM import_people AS others WHERE others.user_id = users.id AND import_id <> ?1)
     ORDER BY users.id LIMIT ?2`,
    importId,
    AT_ONCE.stubs,
  );

function removeStubs(tx: Transaction, importId: number, stubs: readonly number[]): Files {
  const sql = "DELETE FROM import_people WHERE import_id = ? AND user_id IN (SELECT value FROM json_each(?))";
  tx.run(sql, importId, JSON.stringify(stubs));
  return deleteStubs(tx, stubs);
}

export function deleteStubs(tx: Transaction, stubs: readonly number[]): Files {
  const list = JSON.stringify(stubs);
  const pictured = stubs.map((id) => userById(tx, id) as User).filter(({ avatar }) => avatar !== null);
  const files = pictured.flatMap((user) => placeAvatar(tx, user, null).replaced);
  tx.runOn(
    stubs.map((id) => `user ${id}`),
    "DELETE FROM subscriptions WHERE user_id IN (SELECT value FROM json_each(?))",
    list,
  );
  tx.runOn(
    stubs.map((id) => `user ${id}`),
    "DELETE FROM subscription_periods WHERE user_id IN (SELECT value FROM json_each(?))",
    list,
  );
  for (const sql of OF_STUBS) tx.run(sql, list);
  return files;
}
