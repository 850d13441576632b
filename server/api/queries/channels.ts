import type { Reader } from "../../storage/transaction.ts";
import { importedMessages, timeSpans } from "./import-ranges.ts";
import { messageIndex } from "./message-index.ts";
import { firstIdWrittenSince } from "./messages.ts";
import { CHANNEL_GROUP_SETTINGS, type ChannelGroupSettingName, type GroupSetting } from "./permission-settings.ts";
import { accountsTogether } from "./users.ts";

/** Unicode code points. */
export const MAX_CHANNEL_NAME_LENGTH = 60;
export const MAX_CHANNEL_DESCRIPTION_LENGTH = 1024;

export type TopicsPolicy = "inherit" | "allow_empty_topic" | "disable_empty_topic" | "empty_topic_only";
export const TOPICS_POLICIES = ["inherit", "allow_empty_topic", "disable_empty_topic", "empty_topic_only"] as const;

export type ChannelGroupSettings = { [Name in ChannelGroupSettingName]: GroupSetting };
export const CHANNEL_GROUP_SETTING_NAMES = Object.keys(CHANNEL_GROUP_SETTINGS).sort() as ChannelGroupSettingName[];

export interface Channel extends ChannelGroupSettings {
  id: number;
  recipient_id: number;
  name: string;
  description: string;
  rendered_description: string;
  creator_id: number | null;
  /** Milliseconds since the epoch. */
  created_at: number;
  is_archived: boolean;
  invite_only: boolean;
  is_web_public: boolean;
  history_public_to_subscribers: boolean;
  /** Null: the organization's setting; -1: unlimited. */
  message_retention_days: number | null;
  topics_policy: TopicsPolicy;
  folder_id: number | null;
  is_default: boolean;
  first_message_id: number | null;
}

/** The normalized form for comparing channel names. */
export const channelNameKey = (name: string): string => name.normalize("NFC").toLowerCase();

const BOOLEANS = [
  "is_archived",
  "invite_only",
  "is_web_public",
  "history_public_to_subscribers",
  "is_default",
] as const;

function fromRow({ name_key: _, ...row }: Record<string, unknown>): Channel {
  const channel = { ...row } as Record<string, unknown>;
  for (const name of BOOLEANS) channel[name] = row[name] === 1;
  for (const name of CHANNEL_GROUP_SETTING_NAMES) channel[name] = JSON.parse(row[name] as string);
  return channel as unknown as Channel;
}

interface Cached {
  byId: Map<number, Channel>;
  idByName: Map<string, number>;
}

// Filled on demand, like users, so that creating a hundred channels does not read all others a hundred times.
const cached = (reader: Reader): Cached =>
  reader.derived("channels seen", ["channels"], () => ({ byId: new Map(), idByName: new Map() }));

export function channelById(reader: Reader, id: number): Channel | undefined {
  const { byId } = cached(reader);
  let channel = byId.get(id);
  if (!channel) {
    const row = reader.get<Record<string, unknown>>("SELECT * FROM channels WHERE id = ?", id);
    if (!row) return undefined;
    channel = fromRow(row);
    byId.set(id, channel);
  }
  return channel;
}

export function channelByName(reader: Reader, name: string): Channel | undefined {
  const { idByName } = cached(reader);
  const key = channelNameKey(name);
  const id = idByName.get(key) ?? reader.value<number>("SELECT id FROM channels WHERE name_key = ?", key);
  if (id === undefined) return undefined;
  idByName.set(key, id);
  return channelById(reader, id);
}

/** By id, including archived ones. Callers must not modify the result. */
export const allChannels = (reader: Reader): readonly Channel[] =>
  reader.derived("all channels", ["channels"], (rows) =>
    rows.all<Record<string, unknown>>("SELECT * FROM channels ORDER BY id").map(fromRow),
  );

/**
 * Limits of channels that are not archived, in total and per creator, and of the bytes in their descriptions and group
 * settings. Every /register contains all of them.
 */
export const MAX_CHANNELS = { all: 5000, own: 1000 };
export const MAX_CHANNEL_BYTES = { all: 4_000_000, own: 1_000_000 };

const BYTES = ["description", "rendered_description", ...CHANNEL_GROUP_SETTING_NAMES]
  .map((name) => `octet_length(${name})`)
  .join(" + ");

export interface ChannelUse {
  all: { count: number; bytes: number };
  own: { count: number; bytes: number };
}

/**
 * The number and size of channels that are not archived. `own`: those that this user, or another account of the same
 * person, created.
 */
export function channelUse(reader: Reader, creatorId: number | null): ChannelUse {
  const row = reader.get<Record<string, number>>(
    `SELECT COUNT(*) AS count, coalesce(SUM(${BYTES}), 0) AS bytes, coalesce(SUM(creator_id IN (SELECT value FROM json_each(?1))), 0) AS own_count,
       coalesce(SUM(iif(creator_id IN (SELECT value FROM json_each(?1)), ${BYTES}, 0)), 0) AS own_bytes
     FROM channels WHERE is_archived = 0`,
    JSON.stringify(creatorId === null ? [] : accountsTogether(reader, creatorId)),
  ) as Record<"count" | "bytes" | "own_count" | "own_bytes", number>;
  return { all: { count: row.count, bytes: row.bytes }, own: { count: row.own_count, bytes: row.own_bytes } };
}

/** The last subscriber for whom an archived channel was marked as read; undefined when all are done. */
export const archivedUnreadAfter = (reader: Reader, channelId: number): number | undefined =>
  reader.value<number>("SELECT after_user_id FROM archived_channels_unread WHERE channel_id = ?", channelId);

/** An archived channel that is not yet marked as read for all subscribers. */
export const archivedUnread = (reader: Reader): number | undefined =>
  reader.value<number>("SELECT channel_id FROM archived_channels_unread ORDER BY channel_id LIMIT 1");

export const DAY_MS = 86_400_000;
const ACTIVE_FOR_MS = 180 * DAY_MS;

const newestSentAt = (reader: Reader, channel: Channel): number | undefined =>
  reader.value<number>(
    "SELECT sent_at FROM messages WHERE recipient_id = ? ORDER BY id DESC LIMIT 1",
    channel.recipient_id,
  );

/** An import creates its channels now, but their messages are old. */
export const isRecentlyActive = (reader: Reader, channel: Channel, now: number): boolean =>
  (channel.created_at > now - ACTIVE_FOR_MS && !importedMessages(reader)(channel.first_message_id ?? 0)) ||
  (newestSentAt(reader, channel) ?? 0) > now - ACTIVE_FOR_MS;

/** Channels that were recently active at `since` and no longer are. Both times in milliseconds since the epoch. */
export const channelsGoneQuiet = (reader: Reader, since: number, now: number): Channel[] =>
  allChannels(reader).filter(
    (channel) => !isRecentlyActive(reader, channel, now) && isRecentlyActive(reader, channel, since),
  );

export const defaultChannels = (reader: Reader): Channel[] =>
  allChannels(reader).filter((channel) => channel.is_default && !channel.is_archived);

const TRAFFIC_DAYS = 28;

const traffic = new WeakMap<object, { day: number; perChannel: Map<number, number> }>();

/** Messages per channel in the 28 days before today. Counted once a day, so the value is stable within a day. */
function messagesOfLastWeeks(reader: Reader, now: number): Map<number, number> {
  const index = messageIndex(reader);
  const day = Math.floor(now / DAY_MS);
  const cached = traffic.get(index);
  if (cached?.day === day) return cached.perChannel;
  const end = index.last(reader) + 1;
  const first = firstIdWrittenSince(reader, (day - TRAFFIC_DAYS) * DAY_MS, end);
  const last = firstIdWrittenSince(reader, day * DAY_MS, end) - 1;
  const spans = timeSpans(reader, last).filter((span) => span.importId === null && span.last >= first);
  const counts = reader.all<{ channel: number; messages: number }>(
    `SELECT channels.id AS channel, (SELECT COUNT(*) FROM json_each(?1) AS span
       CROSS JOIN messages INDEXED BY messages_by_recipient ON messages.recipient_id = channels.recipient_id
       AND messages.id BETWEEN span.value ->> 0 AND span.value ->> 1) AS messages FROM channels`,
    JSON.stringify(spans.map((span) => [Math.max(span.first, first), Math.min(span.last, last)])),
  );
  const perChannel = new Map(counts.map(({ channel, messages }) => [channel, messages]));
  traffic.set(index, { day, perChannel });
  return perChannel;
}

/** Average messages per week; null in a channel's first week. */
export function weeklyTraffic(reader: Reader, channel: Channel, now: number): number | null {
  const days = Math.floor((now - channel.created_at) / DAY_MS);
  if (days < 7) return null;
  const count = messagesOfLastWeeks(reader, now).get(channel.id) ?? 0;
  return Math.ceil((count * 7) / Math.min(days, TRAFFIC_DAYS));
}
