import type { Transaction } from "../../storage/transaction.ts";
import { conversationKey, conversationMembers, conversationOf } from "../queries/conversations.ts";
import { type Merge, mergeOf } from "../queries/merges.ts";
import { messageIndex } from "../queries/message-index.ts";
import { FLAG } from "../queries/read-state.ts";
import { subscriptionsOf } from "../queries/subscriptions.ts";
import { activeUserIds, type User, userById } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { resetEventQueues } from "./event-queues.ts";
import { deleteStubs } from "./import-removal.ts";
import { voidClaimInvitation } from "./invitations.ts";
import { insertRow } from "./rows.ts";
import { newColor } from "./subscriptions.ts";

/*
 * Gives the history of an imported account to another account, and deletes the imported one. Slices are small, each in a
 * transaction of its own. Each leaves a consistent state, and a restart continues. Clients get no events: their queues
 * are reset at the end.
 */

export function startMerge(tx: Transaction, actor: User, { stub, into }: { stub: User; into: User }): void {
  voidClaimInvitation(tx, stub);
  insertRow(tx, "merges", {
    stub_id: stub.id,
    user_id: into.id,
    started_by: actor.id,
    started_at: tx.now,
    next_message_id: 1,
  });
  recordAudit(tx, actor, {
    action: "merge imported account",
    target: `user ${into.id}`,
    after: { full_name: stub.full_name, email: stub.email, imported_user: stub.id },
  });
}

const AT_ONCE = 500;
const SCANNED_AT_ONCE = 2000;

/** Returns whether nothing is left. */
export function mergeSlice(tx: Transaction, stubId: number): boolean {
  const merge = mergeOf(tx, stubId);
  if (!merge) return true;
  if (moveSentMessages(tx, merge) || moveReactions(tx, merge) || moveFlags(tx, merge)) return false;
  if (mergeConversation(tx, merge) || changeMentions(tx, merge)) return false;
  finishMerge(tx, merge);
  return true;
}

/** Each step returns whether there was work to do. */
function moveSentMessages(tx: Transaction, { stub_id, user_id }: Merge): boolean {
  const ids = tx.values<number>("SELECT id FROM messages WHERE sender_id = ? ORDER BY id LIMIT ?", stub_id, AT_ONCE);
  if (ids.length === 0) return false;
  const list = JSON.stringify(ids);
  tx.run("UPDATE messages SET sender_id = ? WHERE id IN (SELECT value FROM json_each(?))", user_id, list);
  const index = messageIndex(tx);
  tx.afterCommit(() => {
    for (const id of ids) index.changeSender(id, user_id);
  });
  return true;
}

function moveReactions(tx: Transaction, { stub_id, user_id }: Merge): boolean {
  const ids = tx.values<number>("SELECT id FROM reactions WHERE user_id = ? ORDER BY id LIMIT ?", stub_id, AT_ONCE);
  if (ids.length === 0) return false;
  const list = JSON.stringify(ids);
  tx.run(
    `DELETE FROM reactions WHERE id IN (SELECT value FROM json_each(?1)) AND EXISTS (
       SELECT 1 FROM reactions AS own WHERE own.user_id = ?2 AND own.message_id = reactions.message_id
         AND own.reaction_type = reactions.reaction_type AND own.emoji_code = reactions.emoji_code)`,
    list,
    user_id,
  );
  tx.run("UPDATE reactions SET user_id = ? WHERE id IN (SELECT value FROM json_each(?))", user_id, list);
  return true;
}

function moveFlags(tx: Transaction, { stub_id, user_id }: Merge): boolean {
  const sql = "SELECT message_id FROM message_flags WHERE user_id = ? ORDER BY message_id LIMIT ?";
  const ids = tx.values<number>(sql, stub_id, AT_ONCE);
  if (ids.length === 0) return false;
  const list = JSON.stringify(ids);
  tx.run(
    `INSERT INTO message_flags (user_id, message_id, flags)
     SELECT ?1, message_id, flags & ?2 FROM message_flags
     WHERE user_id = ?3 AND flags & ?2 AND message_id IN (SELECT value FROM json_each(?4)) ORDER BY message_id
     ON CONFLICT (user_id, message_id) DO UPDATE SET flags = flags | excluded.flags`,
    user_id,
    FLAG.starred | FLAG.mentioned,
    stub_id,
    list,
  );
  tx.run(
    "DELETE FROM message_flags WHERE user_id = ? AND message_id IN (SELECT value FROM json_each(?))",
    stub_id,
    list,
  );
  return true;
}

/** Changes the members of a conversation, or moves its messages to the conversation that has these members. */
function mergeConversation(tx: Transaction, { stub_id, user_id }: Merge): boolean {
  const sql = "SELECT recipient_id FROM conversation_members WHERE user_id = ? ORDER BY recipient_id LIMIT 1";
  const from = tx.value<number>(sql, stub_id);
  if (from === undefined) return false;
  const members = conversationMembers(tx, from).map((id) => (id === stub_id ? user_id : id));
  const to = conversationOf(tx, members);
  if (to === undefined) {
    tx.run("UPDATE recipients SET conversation_key = ? WHERE id = ?", conversationKey(members), from);
    tx.run("DELETE FROM conversation_members WHERE user_id = ? AND recipient_id = ?", stub_id, from);
    tx.run(
      "INSERT INTO conversation_members (user_id, recipient_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
      user_id,
      from,
    );
  } else if (!moveMessages(tx, { from, to })) deleteConversation(tx, { from, to });
  return true;
}

function moveMessages(tx: Transaction, { from, to }: { from: number; to: number }): boolean {
  const sql = "SELECT id FROM messages WHERE recipient_id = ? ORDER BY id LIMIT ?";
  const ids = tx.values<number>(sql, from, AT_ONCE);
  if (ids.length === 0) return false;
  tx.run("UPDATE messages SET recipient_id = ? WHERE id IN (SELECT value FROM json_each(?))", to, JSON.stringify(ids));
  const index = messageIndex(tx);
  tx.afterCommit(() => {
    for (const id of ids) index.move(id, -to, 0);
  });
  return true;
}

/** A removal of the import still finds the conversation to which the messages moved. */
function deleteConversation(tx: Transaction, { from, to }: { from: number; to: number }): void {
  tx.run("UPDATE deleted_messages SET recipient_id = ? WHERE recipient_id = ?", to, from);
  tx.run(
    `INSERT INTO import_conversations (import_id, recipient_id, is_new)
     SELECT import_id, ?, 0 FROM import_conversations WHERE recipient_id = ? ORDER BY import_id
     ON CONFLICT (import_id, recipient_id) DO NOTHING`,
    to,
    from,
  );
  tx.run("DELETE FROM import_conversations WHERE recipient_id = ?", from);
  tx.run("DELETE FROM conversation_members WHERE recipient_id = ?", from);
  tx.run("DELETE FROM recipients WHERE id = ?", from);
}

interface Mentioning {
  id: number;
  content: string;
  html: string;
}

/** The HTML keeps the name that it shows, as after a new name: the search index has these words. */
function changeMentions(tx: Transaction, { stub_id, user_id, next_message_id: first }: Merge): boolean {
  const last = tx.value<number | null>("SELECT MAX(id) FROM messages") ?? 0;
  if (first > last) return false;
  const range = [first, first + SCANNED_AT_ONCE - 1, `data-user-id="${stub_id}"`] as const;
  const changed = mentionChanger(userById(tx, stub_id) as User, userById(tx, user_id) as User);
  const messages = tx.all<Mentioning>(
    `SELECT id, content, rendered_content AS html FROM messages
     WHERE id BETWEEN ? AND ? AND instr(rendered_content, ?) ORDER BY id`,
    ...range,
  );
  for (const message of messages) {
    const { content, html } = changed(message);
    tx.run("UPDATE messages SET content = ?, rendered_content = ? WHERE id = ?", content, html, message.id);
  }
  const edits = tx.all<Mentioning>(
    `SELECT id, prev_content AS content, prev_rendered_content AS html FROM message_edits
     WHERE message_id BETWEEN ? AND ? AND instr(prev_rendered_content, ?) ORDER BY id`,
    ...range,
  );
  for (const edit of edits) {
    const { content, html } = changed(edit);
    tx.run("UPDATE message_edits SET prev_content = ?, prev_rendered_content = ? WHERE id = ?", content, html, edit.id);
  }
  const { rows } = messageIndex(tx);
  tx.afterCommit(() => {
    for (const { id } of messages) rows.delete(id);
  });
  tx.run("UPDATE merges SET next_message_id = ? WHERE stub_id = ?", range[1] + 1, stub_id);
  return true;
}

function mentionChanger(stub: User, user: User): (text: Mentioning) => Omit<Mentioning, "id"> {
  const name = stub.full_name.normalize("NFKC").toLowerCase();
  return ({ content, html }) => ({
    content: content.replace(
      /(@_?\*\*)([^*\n]*?)(?:\|(\d{1,15}))?\*\*/g,
      (all, start, written: string, id?: string) => {
        const isStub = id === undefined ? written.normalize("NFKC").toLowerCase() === name : Number(id) === stub.id;
        return isStub ? `${start}${user.full_name}|${user.id}**` : all;
      },
    ),
    html: html.replaceAll(`data-user-id="${stub.id}"`, `data-user-id="${user.id}"`),
  });
}

const OTHERS = [
  "UPDATE message_edits SET user_id = ? WHERE user_id = ?",
  "UPDATE submessages SET sender_id = ? WHERE sender_id = ?",
  "UPDATE attachments SET user_id = ? WHERE user_id = ?",
  "UPDATE custom_emoji SET author_id = ? WHERE author_id = ?",
  "UPDATE channels SET creator_id = ? WHERE creator_id = ?",
  "UPDATE users SET bot_owner_id = ? WHERE bot_owner_id = ?",
  // The account was there before the import, for a removal of the import.
  "UPDATE import_people SET user_id = ?, is_new = 0 WHERE user_id = ?",
];

function finishMerge(tx: Transaction, merge: Merge): void {
  const { stub_id, user_id } = merge;
  moveSubscriptions(tx, merge);
  tx.run(
    `INSERT INTO user_group_members (group_id, user_id)
     SELECT group_id, ? FROM user_group_members WHERE user_id = ? ORDER BY group_id ON CONFLICT DO NOTHING`,
    user_id,
    stub_id,
  );
  tx.run(
    `INSERT INTO muted_users (user_id, muted_user_id, muted_at)
     SELECT user_id, ?1, muted_at FROM muted_users WHERE muted_user_id = ?2 AND user_id <> ?1 ORDER BY user_id
     ON CONFLICT DO NOTHING`,
    user_id,
    stub_id,
  );
  for (const sql of OTHERS) tx.run(sql, user_id, stub_id);
  changeRecipients(tx, merge);
  // The account has received more messages than before.
  tx.run("DELETE FROM read_chunks WHERE user_id IN (?, ?)", user_id, stub_id);
  tx.run("DELETE FROM read_differences WHERE user_id = ?", stub_id);
  const { readChunks } = messageIndex(tx);
  tx.afterCommit(() => {
    for (const id of [user_id, stub_id]) readChunks.forget(id);
  });
  // A chore removes the files of a deleted picture.
  deleteStubs(tx, [stub_id]);
  resetEventQueues(tx, activeUserIds(tx));
}

/** Drafts and scheduled messages to the imported account. */
function changeRecipients(tx: Transaction, { stub_id, user_id }: Merge): void {
  for (const [table, column, condition] of [
    ["drafts", "recipients", "type = 'private'"],
    ["scheduled_messages", "user_ids", "user_ids IS NOT NULL"],
  ] as const) {
    const rows = tx.all<{ id: number; ids: string }>(
      `SELECT id, ${column} AS ids FROM ${table}
       WHERE ${condition} AND EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ?) ORDER BY id`,
      stub_id,
    );
    for (const { id, ids } of rows) {
      const others = (JSON.parse(ids) as number[]).map((other) => (other === stub_id ? user_id : other));
      const changed = JSON.stringify([...new Set(others)].sort((a, b) => a - b));
      tx.run(`UPDATE ${table} SET ${column} = ? WHERE id = ?`, changed, id);
    }
  }
}

interface Period {
  channel_id: number;
  first: number;
  last: number;
}

/** A channel that the account has left stays left. */
function moveSubscriptions(tx: Transaction, { stub_id, user_id }: Merge): void {
  const own = subscriptionsOf(tx, user_id);
  const isActive = userById(tx, user_id)?.is_active === true;
  const next = (tx.value<number>("SELECT seq FROM sqlite_sequence WHERE name = 'messages'") ?? 0) + 1;
  const periods = tx.all<Period>(
    `SELECT channel_id, first_message_id AS first, last_message_id AS last FROM subscription_periods
     WHERE user_id = ? AND last_message_id IS NOT NULL ORDER BY channel_id, first_message_id`,
    stub_id,
  );
  for (const { channel_id, first, last } of periods)
    tx.runOn(
      [`user ${user_id}`, `channel ${channel_id}`],
      `INSERT INTO subscription_periods (user_id, channel_id, first_message_id, last_message_id)
       SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS (SELECT 1 FROM subscription_periods WHERE user_id = ?1
         AND channel_id = ?2 AND first_message_id <= ?4 AND (last_message_id IS NULL OR last_message_id >= ?3))`,
      user_id,
      channel_id,
      first,
      last,
    );
  for (const { channel_id, subscribed } of [...subscriptionsOf(tx, stub_id).values()]) {
    const parts = [`user ${user_id}`, `user ${stub_id}`, `channel ${channel_id}`];
    tx.runOn(parts, "DELETE FROM subscriptions WHERE user_id = ? AND channel_id = ?", stub_id, channel_id);
    tx.runOn(parts, "DELETE FROM subscription_periods WHERE user_id = ? AND channel_id = ?", stub_id, channel_id);
    if (!subscribed || own.has(channel_id)) continue;
    tx.runOn(
      parts,
      "INSERT INTO subscriptions (user_id, channel_id, subscribed, color) VALUES (?, ?, 1, ?)",
      user_id,
      channel_id,
      newColor(new Set(), channel_id),
    );
    if (isActive)
      tx.runOn(
        parts,
        "INSERT INTO subscription_periods (user_id, channel_id, first_message_id) VALUES (?, ?, ?)",
        user_id,
        channel_id,
        next,
      );
  }
}
