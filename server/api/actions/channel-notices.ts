import { quoteOf } from "../../markdown/render.ts";
import type { Reader, Transaction } from "../../storage/transaction.ts";
import { canSeeUser } from "../access/people.ts";
import { type Channel, channelById } from "../queries/channels.ts";
import { organizationSetting } from "../queries/organization.ts";
import { type GroupSetting, SYSTEM_GROUPS } from "../queries/permission-settings.ts";
import { EVENTS_TOPIC } from "../queries/topics.ts";
import { systemGroupName } from "../queries/user-group-members.ts";
import { type User, userById } from "../queries/users.ts";
import { channelLink, notifyTopic, notifyUser, personInNotice, personLink, plainText } from "./notices.ts";

/** Topic of announcements of new channels. */
const NEW_CHANNELS_TOPIC = "new channels";

/** Per request. If more users are subscribed by someone else, none of them gets a message. */
export const MAX_SUBSCRIPTION_NOTICES = 100;

/**
 * Posts the first message of a channel, which its creator has read. Call it after the first users are subscribed. A
 * null creator is the server.
 */
export function noticeOfNewChannel(tx: Transaction, creator: User | null, channel: Channel): void {
  const made = creator ? `${personInNotice(tx, creator)} created this channel` : "This channel was created";
  notifyTopic(tx, channel, EVENTS_TOPIC, `${made}. ${describeReaders(channel)}${description(channel)}`, {
    readBy: new Set(creator ? [creator.id] : []),
  });
}

/** Leaves out private channels. */
export function announceNewChannels(tx: Transaction, creator: User, channels: readonly Channel[]): void {
  const open = channels.filter((channel) => !channel.invite_only);
  const target = channelById(tx, organizationSetting(tx, "new_stream_announcements_stream_id"));
  if (open.length === 0 || !target || target.is_archived) return;
  const [only] = open;
  const who = personInNotice(tx, creator);
  const content =
    only && open.length === 1
      ? `${who} created the channel ${channelLink(only)}.${description(only)}`
      : `${who} created these channels:\n\n${listOf(open)}`;
  notifyTopic(tx, target, NEW_CHANNELS_TOPIC, content, { readBy: new Set([creator.id]) });
}

/** In characters, so that the list fits into a message. */
const MAX_LISTED = 8000;

function listOf(channels: readonly Channel[]): string {
  const lines: string[] = [];
  let length = 0;
  for (const channel of channels) {
    const line = `* ${channelLink(channel)}`;
    length += line.length + 1;
    if (length > MAX_LISTED) break;
    lines.push(line);
  }
  const more = channels.length - lines.length;
  return [...lines, ...(more > 0 ? [`* and ${more} more`] : [])].join("\n");
}

const description = (channel: Channel): string =>
  channel.description === "" ? "" : ` Its description:\n\n${quoteOf(channel.description)}`;

function describeReaders(channel: Channel): string {
  if (channel.is_web_public) return "It is public, and can be read without an account.";
  if (!channel.invite_only) return "It is public.";
  return channel.history_public_to_subscribers
    ? "It is private, and new subscribers can read what was said before."
    : "It is private, and new subscribers cannot read what was said before.";
}

/**
 * Posts what changed: name, description, privacy, who can post, retention and archived state. `before`: the channel
 * before the change.
 */
export function noticeOfChannelChange(tx: Transaction, actor: User, before: Channel): void {
  const after = channelById(tx, before.id);
  if (!after) return;
  const who = personInNotice(tx, actor);
  const sentences: string[] = [];
  if (before.is_archived !== after.is_archived) {
    sentences.push(`${who} ${after.is_archived ? "archived" : "brought back"} this channel.`);
  }
  if (before.name !== after.name) {
    sentences.push(`${who} renamed this channel: **${plainText(before.name)}** is now **${plainText(after.name)}**.`);
  }
  if (privacyOf(before) !== privacyOf(after)) {
    sentences.push(`${who} changed who can read this channel. ${describeReaders(after)}`);
  }
  if (before.description !== after.description) {
    sentences.push(
      after.description === ""
        ? `${who} removed this channel's description. It was:\n\n${quoteOf(before.description)}`
        : `${who} changed this channel's description. It is now:\n\n${quoteOf(after.description)}`,
    );
  }
  if (!isSameSetting(before.can_send_message_group, after.can_send_message_group)) {
    sentences.push(`${who} changed who can post in this channel: ${groupWords(tx, after.can_send_message_group)}.`);
  }
  if (before.message_retention_days !== after.message_retention_days) {
    sentences.push(`${who} changed how long messages are kept in this channel: ${retentionWords(tx, after)}.`);
  }
  if (sentences.length > 0) notifyTopic(tx, after, EVENTS_TOPIC, sentences.join("\n\n"));
}

const privacyOf = ({ invite_only, is_web_public, history_public_to_subscribers }: Channel): string =>
  [invite_only, is_web_public, !invite_only || history_public_to_subscribers].join();

const isSameSetting = (one: GroupSetting, other: GroupSetting): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Describes a group setting without listing people. */
function groupWords(reader: Reader, setting: GroupSetting): string {
  if (typeof setting !== "number") return "certain people and groups";
  const system = systemGroupName(reader, setting);
  const role = SYSTEM_GROUPS.find(({ name }) => name === system);
  if (role) return `${role.description.charAt(0).toLowerCase()}${role.description.slice(1)}`;
  const name = reader.value<string>("SELECT name FROM user_groups WHERE id = ?", setting) ?? "";
  return `the group **${plainText(name)}**`;
}

function retentionWords(reader: Reader, { message_retention_days: days }: Channel): string {
  const words = (count: number) => (count < 0 ? "for ever" : `for ${count} ${count === 1 ? "day" : "days"}`);
  if (days !== null) return words(days);
  return `as in the whole organization, ${words(organizationSetting(reader, "message_retention_days"))}`;
}

/**
 * Sends one message to each person who was subscribed by someone else. `subscribed`: new channels by user ID, except
 * those just created.
 */
export function noticeOfSubscription(
  tx: Transaction,
  actor: User,
  subscribed: ReadonlyMap<number, readonly Channel[]>,
): void {
  for (const [userId, channels] of subscribed) {
    const [only] = channels;
    const user = userById(tx, userId);
    if (!only || userId === actor.id || !user || user.is_bot) continue;
    const who = canSeeUser(tx, user, actor) ? personLink(actor) : "Somebody";
    notifyUser(
      tx,
      userId,
      channels.length === 1
        ? `${who} subscribed you to the channel ${channelLink(only)}.`
        : `${who} subscribed you to these channels:\n\n${listOf(channels)}`,
    );
  }
}
