import type { StoredFile } from "../../media/files/stored-files.ts";
import type { Reader, Transaction } from "../../storage/transaction.ts";
import { type Attachment, attachmentById, attachmentsHeldBy } from "../queries/attachments.ts";
import { holdsChannels } from "../queries/channel-folders.ts";
import { type CustomEmoji, customEmojiById } from "../queries/emoji.ts";
import { addedMessages, importById, importedChannels, importSpan, newestImported } from "../queries/imports.ts";
import { messageIndex } from "../queries/message-index.ts";
import { activeUserIds, type User, userById } from "../queries/users.ts";
import { deleteAttachment, releaseAttachments } from "./attachments.ts";
import { recordAudit } from "./audit.ts";
import { placeAvatar } from "./avatars.ts";
import { deactivateCustomEmoji, deleteCustomEmoji } from "./emoji.ts";
import { resetEventQueues } from "./event-queues.ts";
import { clearDifferences, deletableTogether, deleteMessageRows } from "./message-deletions.ts";

/*
 * Removes an import with everything in it, and with what people added to it since: messages in its channels, and in
 * direct conversations with accounts that no one has claimed. Slices are small, and a restart continues.
 */

export function startRemoval(tx: Transaction, actor: User | null, importId: number): void {
  const { name = "", messages = 0 } = importById(tx, importId) ?? {};
  tx.run("UPDATE imports SET state = 'removing' WHERE id = ?", importId);
  recordAudit(tx, actor, { action: "remove import", target: `import ${name}`, before: { messages } });
}

const MESSAGES_AT_ONCE = 200;

type Files = Pick<StoredFile, "kind" | "name">[];

/** Call it until `isDone`. Remove the files after the transaction. */
export function removeSlice(tx: Transaction, importId: number): { isDone: boolean; files: Files } {
  const imported = newestImported(tx, importId, MESSAGES_AT_ONCE);
  const ids = imported.length > 0 ? imported : addedMessages(tx, importId, MESSAGES_AT_ONCE);
  if (ids.length > 0) return { isDone: false, files: removeMessages(tx, deletableTogether(ids)) };
  const files = removeEmoji(tx, importId);
  tx.run("DELETE FROM import_ranges WHERE import_id = ?", importId);
  for (const id of importedChannels(tx, importId)) removeChannel(tx, id);
  removeFolders(tx, importId);
  removeConversations(tx, importId);
  files.push(...removeStubs(tx, importId));
  tx.run("DELETE FROM imports WHERE id = ?", importId);
  resetEventQueues(tx, activeUserIds(tx));
  return { isDone: true, files };
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

/** An emoji that somebody has used since stays, but is no longer offered. */
function removeEmoji(tx: Transaction, importId: number): Files {
  const { first } = importSpan(tx, importId) ?? { first: 0 };
  const created = tx.values<number>(
    "SELECT emoji_id FROM import_emoji WHERE import_id = ? ORDER BY emoji_id",
    importId,
  );
  tx.run("DELETE FROM import_emoji WHERE import_id = ?", importId);
  return created.flatMap((id) => {
    const emoji = customEmojiById(tx, id) as CustomEmoji;
    if (!isEmojiUsed(tx, emoji, first)) return deleteCustomEmoji(tx, emoji);
    if (!emoji.deactivated) deactivateCustomEmoji(tx, null, emoji);
    return [];
  });
}

/** `since`: the first message that can contain it. */
const isEmojiUsed = (reader: Reader, { id, file }: CustomEmoji, since: number): boolean =>
  reader.value(
    `SELECT 1 WHERE
       EXISTS (SELECT 1 FROM messages WHERE id >= ?1 AND instr(rendered_content, ?2) > 0)
       OR EXISTS (SELECT 1 FROM reactions WHERE message_id >= ?1 AND emoji_code = ?3 AND reaction_type = 'realm_emoji')
       OR EXISTS (SELECT 1 FROM user_statuses WHERE emoji_code = ?3 AND reaction_type = 'realm_emoji')`,
    since,
    file,
    String(id),
  ) !== undefined;

/** A conversation in which accounts have written since stays. */
function removeConversations(tx: Transaction, importId: number): void {
  const created = tx.values<number>(
    `SELECT recipient_id FROM import_conversations WHERE import_id = ? AND is_new = 1
       AND NOT EXISTS (SELECT 1 FROM messages WHERE messages.recipient_id = import_conversations.recipient_id)
     ORDER BY recipient_id`,
    importId,
  );
  tx.run("DELETE FROM import_conversations WHERE import_id = ?", importId);
  const list = JSON.stringify(created);
  for (const sql of OF_CONVERSATIONS) tx.run(sql, list);
}

const OF_CONVERSATIONS = [
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

/** An account that its person has claimed stays, without its imported messages. */
function removeStubs(tx: Transaction, importId: number): Files {
  const stubs = tx.values<number>(
    `SELECT users.id FROM import_people JOIN users ON users.id = user_id
     WHERE import_id = ?1 AND is_new = 1 AND is_imported_stub = 1
       AND NOT EXISTS (SELECT 1 FROM import_people AS others WHERE others.user_id = users.id AND import_id <> ?1)
     ORDER BY users.id`,
    importId,
  );
  tx.run("DELETE FROM import_people WHERE import_id = ?", importId);
  return deleteStubs(tx, stubs);
}

export function deleteStubs(tx: Transaction, stubs: readonly number[]): Files {
  const list = JSON.stringify(stubs);
  const files = stubs.flatMap((id) => placeAvatar(tx, userById(tx, id) as User, null).replaced);
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
