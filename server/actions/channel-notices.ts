import { type Channel, channelById } from "../queries/channels.ts";
import { organizationSetting } from "../queries/organization.ts";
import type { GroupSetting } from "../queries/permission-settings.ts";
import { SYSTEM_GROUPS } from "../queries/system-groups.ts";
import { systemGroupName } from "../queries/user-group-members.ts";
import { type User, userById } from "../queries/users.ts";
import type { Reader, Transaction } from "../storage/transaction.ts";
import { channelLink, EVENTS_TOPIC, notifyTopic, notifyUser, personLink, plainText, quoteOf } from "./notices.ts";

/** Where the organization's channel for it tells of new channels. */
const NEW_CHANNELS_TOPIC = "new channels";

/** Of one request: more people are not told one by one that somebody subscribed them. */
export const MAX_SUBSCRIPTION_NOTICES = 100;

/** Begins a channel's story. `creator` null: the server itself. After its first subscribers are in it. */
export function noticeOfNewChannel(tx: Transaction, creator: User | null, channel: Channel): void {
  const made = creator ? `${personLink(creator)} created this channel` : "This channel was created";
  notifyTopic(tx, channel, EVENTS_TOPIC, `${made}. ${describeReaders(channel)}${description(channel)}`);
}

/** Tells of new channels in the organization's channel for it, if it has one; private ones are told to nobody. */
export function announceNewChannels(tx: Transaction, creator: User, channels: readonly Channel[]): void {
  const open = channels.filter((channel) => !channel.invite_only);
  const place = channelById(tx, organizationSetting(tx, "new_stream_announcements_stream_id"));
  if (open.length === 0 || !place || place.is_archived) return;
  const [only] = open;
  const content =
    only && open.length === 1
      ? `${personLink(creator)} created the channel ${channelLink(only)}.${description(only)}`
      : `${personLink(creator)} created these channels:\n\n${listOf(open)}`;
  notifyTopic(tx, place, NEW_CHANNELS_TOPIC, content);
}

/** Characters: as many as a message takes. */
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
 * Tells a channel's subscribers what an actor changed of it: name, description, privacy, who may post, how long
 * messages are kept, whether it is archived. `before`: the channel as it was; what did not change is not told.
 */
export function noticeOfChannelChange(tx: Transaction, actor: User, before: Channel): void {
  const after = channelById(tx, before.id);
  if (!after) return;
  const who = personLink(actor);
  const said: string[] = [];
  if (before.is_archived !== after.is_archived) {
    said.push(`${who} ${after.is_archived ? "archived" : "brought back"} this channel.`);
  }
  if (before.name !== after.name) {
    said.push(`${who} renamed this channel: **${plainText(before.name)}** is now **${plainText(after.name)}**.`);
  }
  if (privacyOf(before) !== privacyOf(after)) {
    said.push(`${who} changed who can read this channel. ${describeReaders(after)}`);
  }
  if (before.description !== after.description) {
    said.push(
      after.description === ""
        ? `${who} removed this channel's description. It was:\n\n${quoteOf(before.description)}`
        : `${who} changed this channel's description. It is now:\n\n${quoteOf(after.description)}`,
    );
  }
  if (!isSameSetting(before.can_send_message_group, after.can_send_message_group)) {
    said.push(`${who} changed who can post in this channel: ${groupWords(tx, after.can_send_message_group)}.`);
  }
  if (before.message_retention_days !== after.message_retention_days) {
    said.push(`${who} changed how long messages are kept in this channel: ${retentionWords(tx, after)}.`);
  }
  if (said.length > 0) notifyTopic(tx, after, EVENTS_TOPIC, said.join("\n\n"));
}

const privacyOf = ({ invite_only, is_web_public, history_public_to_subscribers }: Channel): string =>
  [invite_only, is_web_public, !invite_only || history_public_to_subscribers].join();

const isSameSetting = (one: GroupSetting, other: GroupSetting): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Who that is, in words: single people are not listed. */
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
 * Tells people that somebody else subscribed them, once each. `subscribed`: by user id, the channels that are new to
 * them; those that were made just now are to be left out by the caller. Bots are told nothing.
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
    notifyUser(
      tx,
      userId,
      channels.length === 1
        ? `${personLink(actor)} subscribed you to the channel ${channelLink(only)}.`
        : `${personLink(actor)} subscribed you to these channels:\n\n${listOf(channels)}`,
    );
  }
}
