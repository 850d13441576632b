import type { EventShapes, Transaction } from "../../storage/transaction.ts";
import { usersWhoCanRead } from "../access/messages.ts";
import { wireFlags } from "../presenters/read-state.ts";
import { channelById } from "../queries/channels.ts";
import { conversationMembers } from "../queries/conversations.ts";
import { earlierRenderings } from "../queries/message-edits.ts";
import { messageIndex } from "../queries/message-index.ts";
import { messageRow } from "../queries/messages.ts";
import { flagsByUser } from "../queries/read-state.ts";
import { subscribersOf } from "../queries/subscriptions.ts";

export type UpdateEvent = EventShapes["update_message"];

/** The most common flags are in the event; other users get overrides. */
export function announceUpdate(
  tx: Transaction,
  event: UpdateEvent,
  users: readonly number[],
  takesPart: (userId: number) => boolean,
): void {
  if (users.length === 0) return;
  const groups = new Map<string, { flags: string[]; users: number[] }>();
  for (const [userId, { unread, bits }] of flagsByUser(tx, event.message_id, users, takesPart)) {
    const flags = wireFlags(unread, bits);
    const group = groups.get(flags.join());
    if (group) group.users.push(userId);
    else groups.set(flags.join(), { flags, users: [userId] });
  }
  const [commonest, ...others] = [...groups.values()].sort((a, b) => b.users.length - a.users.length);
  const perUserOverrides = new Map(
    others.flatMap((group) => {
      const difference = { flags: group.flags };
      return group.users.map((userId): [number, { flags: string[] }] => [userId, difference]);
    }),
  );
  tx.emit({ ...event, flags: commonest?.flags ?? [] }, { users, perUserOverrides });
}

/** Changes the HTML of a message and its history without an edit. Announces it if the current HTML changes. */
export function changeRendering(tx: Transaction, id: number, change: (html: string) => string): void {
  const row = messageRow(tx, id);
  if (!row) return;
  for (const earlier of earlierRenderings(tx, id)) {
    const html = change(earlier.html);
    if (html !== earlier.html)
      tx.run("UPDATE message_edits SET prev_rendered_content = ? WHERE id = ?", html, earlier.id);
  }
  const html = change(row.rendered_content);
  if (html === row.rendered_content) return;
  tx.run("UPDATE messages SET rendered_content = ? WHERE id = ?", html, id);
  const index = messageIndex(tx);
  tx.afterCommit(() => index.rows.delete(id));
  const channel = row.channel_id === null ? undefined : channelById(tx, row.channel_id);
  const takesPart = channel ? subscribersOf(tx, channel.id).has : new Set(conversationMembers(tx, row.recipient_id));
  announceUpdate(
    tx,
    {
      type: "update_message",
      user_id: null,
      rendering_only: true,
      message_id: id,
      message_ids: [id],
      flags: [],
      edit_timestamp: Math.floor((row.last_edited_at ?? tx.now) / 1000),
      ...(channel ? { stream_name: channel.name, stream_id: channel.id } : {}),
      content: row.content,
      rendered_content: html,
    },
    usersWhoCanRead(tx, row),
    (userId) => takesPart.has(userId),
  );
}
