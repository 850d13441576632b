import type { Transaction } from "../../storage/transaction.ts";
import { importById, importedChannels, newestImported } from "../queries/imports.ts";
import { messageIndex } from "../queries/message-index.ts";
import { activeUserIds, type User } from "../queries/users.ts";
import { releaseAttachments } from "./attachments.ts";
import { recordAudit } from "./audit.ts";
import { resetEventQueues } from "./event-queues.ts";
import { clearDifferences, deletableTogether, deleteMessageRows } from "./message-deletions.ts";

/*
 * Removes an import with everything in it, and with what people added to it since: messages in its channels, and in
 * direct conversations that it created. Slices are small, and a restart continues.
 */

export function startRemoval(tx: Transaction, actor: User | null, importId: number): void {
  const { name = "", messages = 0 } = importById(tx, importId) ?? {};
  tx.run("UPDATE imports SET state = 'removing' WHERE id = ?", importId);
  recordAudit(tx, actor, { action: "remove import", target: `import ${name}`, before: { messages } });
}

const MESSAGES_AT_ONCE = 200;

/** Returns whether nothing is left. */
export function removeSlice(tx: Transaction, importId: number): boolean {
  const imported = newestImported(tx, importId, MESSAGES_AT_ONCE);
  const ids = imported.length > 0 ? imported : addedMessages(tx, importId, MESSAGES_AT_ONCE);
  if (ids.length > 0) {
    removeMessages(tx, deletableTogether(ids));
    return false;
  }
  tx.run("DELETE FROM import_ranges WHERE import_id = ?", importId);
  for (const id of importedChannels(tx, importId)) removeChannel(tx, id);
  removeConversations(tx, importId);
  removeStubs(tx, importId);
  tx.run("DELETE FROM imports WHERE id = ?", importId);
  resetEventQueues(tx, activeUserIds(tx));
  return true;
}

const addedMessages = (tx: Transaction, importId: number, limit: number): number[] =>
  tx.values<number>(
    `SELECT id FROM messages WHERE recipient_id IN (
       SELECT recipient_id FROM channels JOIN import_channels ON channel_id = channels.id WHERE import_id = ?1
       UNION SELECT recipient_id FROM import_conversations WHERE import_id = ?1 AND is_new = 1)
     ORDER BY id DESC LIMIT ?2`,
    importId,
    limit,
  );

function removeMessages(tx: Transaction, ids: readonly number[]): void {
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

function removeConversations(tx: Transaction, importId: number): void {
  const created = tx.values<number>(
    "SELECT recipient_id FROM import_conversations WHERE import_id = ? AND is_new = 1 ORDER BY recipient_id",
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
  "DELETE FROM user_settings WHERE user_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM profile_values WHERE user_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM user_statuses WHERE user_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM user_group_members WHERE user_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM user_activity WHERE user_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM muted_users WHERE muted_user_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM sign_in_links WHERE user_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM reactions WHERE user_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM message_flags WHERE user_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM avatars WHERE user_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM bots WHERE user_id IN (SELECT value FROM json_each(?))",
  "DELETE FROM users WHERE id IN (SELECT value FROM json_each(?))",
];

/** An account that its person has claimed stays, without its imported messages. */
function removeStubs(tx: Transaction, importId: number): void {
  const stubs = tx.values<number>(
    `SELECT users.id FROM import_people JOIN users ON users.id = user_id
     WHERE import_id = ?1 AND is_new = 1 AND is_imported_stub = 1
       AND NOT EXISTS (SELECT 1 FROM import_people AS others WHERE others.user_id = users.id AND import_id <> ?1)
     ORDER BY users.id`,
    importId,
  );
  tx.run("DELETE FROM import_people WHERE import_id = ?", importId);
  const list = JSON.stringify(stubs);
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
}
