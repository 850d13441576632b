import type { Transaction } from "../../storage/transaction.ts";
import type { ChannelChange } from "../access/channel-settings.ts";
import { usersWhoCanSeeChannel } from "../access/channels.ts";
import { channelOnWire, type WireChannel } from "../presenters/channels.ts";
import {
  archivedUnreadAfter,
  CHANNEL_GROUP_SETTING_NAMES,
  type Channel,
  channelById,
  channelNameKey,
} from "../queries/channels.ts";
import { ReadState } from "../queries/read-state.ts";
import { subscribersOf } from "../queries/subscriptions.ts";
import type { User } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { updateBotDefaults } from "./bot-events.ts";
import { noticeOfChannelChange } from "./channel-notices.ts";
import {
  aboutChannel,
  announceChannel,
  announceChannelRemoved,
  announceDefaultChannels,
  announceVisibilityOf,
} from "./channels.ts";
import { removeFromDefaultStreamGroups } from "./default-stream-groups.ts";
import { markRead } from "./message-flags.ts";
import { clearChannelSettings } from "./organization-settings.ts";
import { watchReminders } from "./reminders.ts";
import { renderDescription } from "./rendering.ts";

/**
 * Users who see the channel before and after get an event for each property. For others the channel appears or
 * disappears.
 */
export function changeChannel(tx: Transaction, actor: User, channel: Channel, change: ChannelChange): void {
  if (Object.keys(change).length === 0) return;
  const seeing = usersWhoCanSeeChannel(tx, channel);
  const announceReminders = watchReminders(tx, { channels: [channel.id] });
  const before = channelOnWire(tx, channel, tx.now);
  const { description } = change;
  writeChannel(tx, {
    ...channel,
    ...change,
    ...(description !== undefined && { rendered_description: renderDescription(tx, description) }),
  });
  const now = channelById(tx, channel.id) as Channel;
  const { unchanged } = announceVisibilityOf(tx, now, seeing, aboutChannel(channel));
  announceReminders();
  announceChange(tx, { channel: now, before, users: unchanged });
  if (channel.is_archived && !now.is_archived) {
    tx.run("DELETE FROM archived_channels_unread WHERE channel_id = ?", now.id);
    announceChannel(tx, now, unchanged, { archived_channels: false });
  }
  if (channel.is_default !== now.is_default) announceDefaultChannels(tx);
  if (now.invite_only || now.is_default) removeFromDefaultStreamGroups(tx, actor, now);
  clearChannelSettings(tx, actor, now);
  updateBotDefaults(tx, channel);
  const changed = Object.keys(change) as (keyof ChannelChange)[];
  const values = (state: Channel): ChannelChange => Object.fromEntries(changed.map((name) => [name, state[name]]));
  const action = channel.is_archived && !now.is_archived ? "unarchive channel" : "change channel";
  recordAudit(tx, actor, { action, target: `channel ${now.id}`, before: values(channel), after: values(now) });
  // Archived channels accept no messages, and some clients do not show them.
  if (!now.is_archived) noticeOfChannelChange(tx, actor, channel);
}

/** Writes all columns, so that the statement's text is constant. */
function writeChannel(tx: Transaction, channel: Channel): void {
  tx.run(
    `UPDATE channels SET name = ?, name_key = ?, description = ?, rendered_description = ?, is_archived = ?,
       invite_only = ?, is_web_public = ?, history_public_to_subscribers = ?, message_retention_days = ?,
       topics_policy = ?, folder_id = ?, is_default = ?,
       ${CHANNEL_GROUP_SETTING_NAMES.map((name) => `${name} = ?`).join(", ")} WHERE id = ?`,
    channel.name,
    channelNameKey(channel.name),
    channel.description,
    channel.rendered_description,
    Number(channel.is_archived),
    Number(channel.invite_only),
    Number(channel.is_web_public),
    Number(channel.history_public_to_subscribers),
    channel.message_retention_days,
    channel.topics_policy,
    channel.folder_id,
    Number(channel.is_default),
    ...CHANNEL_GROUP_SETTING_NAMES.map((name) => JSON.stringify(channel[name])),
    channel.id,
  );
}

const PRIVACY = ["invite_only", "is_web_public", "history_public_to_subscribers"] as const;
const SINGLE = ["first_message_id", "message_retention_days", "topics_policy", "folder_id"] as const;
/** Properties that follow from `can_send_message_group`, for older clients. */
const DERIVED = ["stream_post_policy", "is_announcement_only"] as const;

/** Sends one event for each changed property. The privacy properties share an event. The name comes last. */
function announceChange(
  tx: Transaction,
  { channel, before, users }: { channel: Channel; before: WireChannel; users: readonly number[] },
): void {
  if (users.length === 0) return;
  const after = channelOnWire(tx, channel, tx.now);
  const differs = (name: keyof WireChannel) => JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  const announce = (property: keyof WireChannel, beside: object = {}) => {
    const fields = { stream_id: channel.id, name: before.name, property, value: after[property], ...beside };
    // Clients that see the channel as new need no changes.
    const clients = before.is_archived || after.is_archived ? { archived_channels: true } : {};
    tx.emit({ type: "stream", op: "update", ...fields, ...clients }, { users });
  };
  if (differs("is_archived")) announce("is_archived");
  if (differs("description")) announce("description", { rendered_description: after.rendered_description });
  if (PRIVACY.some(differs)) {
    const { history_public_to_subscribers, is_web_public } = after;
    announce("invite_only", { history_public_to_subscribers, is_web_public });
  }
  for (const name of [...SINGLE, ...CHANNEL_GROUP_SETTING_NAMES, ...DERIVED, "name"] as const)
    if (differs(name)) announce(name);
}

/**
 * The channel keeps its subscribers and messages. For clients that do not support archived channels it is deleted.
 * `readInArchived` marks its messages as read, because that takes longer.
 */
export function archiveChannel(tx: Transaction, actor: User, channel: Channel): void {
  const seeing = usersWhoCanSeeChannel(tx, channel);
  const announceReminders = watchReminders(tx, { channels: [channel.id] });
  tx.run("UPDATE channels SET is_archived = 1, is_default = 0 WHERE id = ?", channel.id);
  tx.run("INSERT INTO archived_channels_unread (channel_id, after_user_id) VALUES (?, 0)", channel.id);
  // Must come before the channel is deleted for clients without support for archived channels.
  noticeOfChannelChange(tx, actor, channel);
  const now = channelById(tx, channel.id) as Channel;
  const { unchanged } = announceVisibilityOf(tx, now, seeing, aboutChannel(channel));
  const fields = { stream_id: channel.id, name: channel.name, property: "is_archived", value: true } as const;
  if (unchanged.length > 0)
    tx.emit({ type: "stream", op: "update", ...fields, ...aboutChannel(now) }, { users: unchanged });
  announceChannelRemoved(tx, now, unchanged, { archived_channels: false });
  announceReminders();
  if (channel.is_default) announceDefaultChannels(tx);
  removeFromDefaultStreamGroups(tx, actor, now);
  clearChannelSettings(tx, actor, now);
  updateBotDefaults(tx, channel);
  const { name } = channel;
  recordAudit(tx, actor, { action: "archive channel", target: `channel ${channel.id}`, before: { name } });
}

/** Per slice. */
const READING_MS = 20;

/**
 * Marks messages of an archived channel as read for as many subscribers as a slice allows. Returns whether all are
 * done.
 */
export function readInArchived(tx: Transaction, channelId: number): boolean {
  const end = performance.now() + READING_MS;
  const after = archivedUnreadAfter(tx, channelId);
  if (after === undefined) return true;
  for (const userId of subscribersOf(tx, channelId).ids) {
    if (userId <= after) continue;
    const state = new ReadState(tx, userId);
    markRead(tx, state, state.unread({ limit: Number.POSITIVE_INFINITY, location: channelId }));
    if (performance.now() < end) continue;
    tx.run("UPDATE archived_channels_unread SET after_user_id = ? WHERE channel_id = ?", userId, channelId);
    return false;
  }
  tx.run("DELETE FROM archived_channels_unread WHERE channel_id = ?", channelId);
  return true;
}
