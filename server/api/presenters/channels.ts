import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { canSeeChannel, isProtected } from "../access/channels.ts";
import { channelsOpenToAll, groupShownToAll } from "../access/public-access.ts";
import {
  allChannels,
  CHANNEL_GROUP_SETTING_NAMES,
  type Channel,
  defaultChannels,
  isRecentlyActive,
  TOPICS_POLICIES,
  weeklyTraffic,
} from "../queries/channels.ts";
import { type ChannelGroupSettingName, groupSetting, type SystemGroupName } from "../queries/permission-settings.ts";
import { subscribersOf } from "../queries/subscriptions.ts";
import { shownGroupSetting, systemGroupName } from "../queries/user-group-members.ts";
import { ROLES } from "../queries/users.ts";
import { type RegisterContext, registerPart } from "./register-part.ts";

const POST_POLICIES: Partial<Record<SystemGroupName, number>> = {
  "role:administrators": 2,
  "role:fullmembers": 3,
  "role:moderators": 4,
};

/** The deprecated field that `can_send_message_group` replaced. Groups without a legacy number get 1. */
function postPolicy(reader: Reader, channel: Channel): number {
  if (typeof channel.can_send_message_group !== "number") return 1;
  const name = systemGroupName(reader, channel.can_send_message_group);
  return (name && POST_POLICIES[name]) ?? 1;
}

const groupSettings = Object.fromEntries(CHANNEL_GROUP_SETTING_NAMES.map((name) => [name, groupSetting])) as Record<
  ChannelGroupSettingName,
  typeof groupSetting
>;

/** A channel as `streams` of /register, GET /streams and `stream` events send it (docs/protocol.md#channel-object). */
export const wireChannel = z.object({
  ...groupSettings,
  stream_id: z.int(),
  name: z.string(),
  is_archived: z.boolean(),
  description: z.string(),
  rendered_description: z.string(),
  date_created: z.int().describe("UNIX seconds."),
  creator_id: z.int().nullable(),
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  stream_post_policy: z.int().describe("Deprecated: use can_send_message_group."),
  is_announcement_only: z.boolean().describe("Deprecated: use can_send_message_group."),
  message_retention_days: z.int().nullable(),
  history_public_to_subscribers: z.boolean(),
  first_message_id: z.int().nullable().describe("Also null for channels with protected history."),
  is_recently_active: z.boolean(),
  stream_weekly_traffic: z.int().nullable(),
  folder_id: z.int().nullable(),
  topics_policy: z.enum(TOPICS_POLICIES),
  subscriber_count: z.int(),
});
export type WireChannel = z.output<typeof wireChannel>;

/** The fields that depend only on the channel's row. */
function readRow(channel: Channel) {
  const { id, recipient_id: _recipient, created_at, is_default: _default, ...fields } = channel;
  return {
    stream_id: id,
    ...fields,
    first_message_id: isProtected(channel) ? null : channel.first_message_id,
    date_created: Math.floor(created_at / 1000),
  };
}

// /register sends thousands of channels and spends most of its time on creating these objects.
const latestOnWire = new WeakMap<Channel, WireChannel>();

/**
 * Returns the same object until its content changes. Callers must not modify it. `now`: milliseconds since the epoch.
 */
export function channelOnWire(reader: Reader, channel: Channel, now: number): WireChannel {
  const policy = postPolicy(reader, channel);
  const isActive = isRecentlyActive(reader, channel, now);
  const traffic = weeklyTraffic(reader, channel, now);
  const subscribers = subscribersOf(reader, channel.id).ids.length;
  const latest = latestOnWire.get(channel);
  const isSame =
    latest?.stream_post_policy === policy &&
    latest.is_recently_active === isActive &&
    latest.stream_weekly_traffic === traffic &&
    latest.subscriber_count === subscribers &&
    CHANNEL_GROUP_SETTING_NAMES.every((name) => latest[name] === shownGroupSetting(reader, channel[name]));
  if (isSame) return latest;
  const onWire: WireChannel = {
    ...readRow(channel),
    stream_post_policy: policy,
    is_announcement_only: policy === 2,
    is_recently_active: isActive,
    stream_weekly_traffic: traffic,
    subscriber_count: subscribers,
  };
  for (const name of CHANNEL_GROUP_SETTING_NAMES) onWire[name] = shownGroupSetting(reader, channel[name]);
  latestOnWire.set(channel, onWire);
  return onWire;
}

const shown = new WeakMap<RegisterContext, ReadonlyMap<number, WireChannel>>();

/** The channels that the viewer can see, by id, ascending. Several parts of one /register share them. */
export function shownChannels(context: RegisterContext): ReadonlyMap<number, WireChannel> {
  const cached = shown.get(context);
  if (cached) return cached;
  const { reader, viewer, capabilities, now } = context;
  const channels = allChannels(reader)
    .filter((channel) => !channel.is_archived || capabilities.archived_channels)
    .filter((channel) => canSeeChannel(reader, viewer, channel));
  const onWire = new Map(channels.map((channel) => [channel.id, channelOnWire(reader, channel, now)]));
  shown.set(context, onWire);
  return onWire;
}

/** The web-public channels as spectators see them, by id, ascending. */
export const publicChannels = ({ reader, now }: RegisterContext): WireChannel[] =>
  channelsOpenToAll(reader).map((channel) => {
    const fields = { ...channelOnWire(reader, channel, now), creator_id: null };
    for (const name of CHANNEL_GROUP_SETTING_NAMES) fields[name] = groupShownToAll(reader, fields[name]);
    return fields;
  });

export const registerParts = {
  stream: registerPart({
    fields: { streams: z.array(wireChannel) },
    read: (context) => ({ streams: [...shownChannels(context).values()] }),
    spectators: (context) => ({ streams: publicChannels(context) }),
    readAhead: shownChannels, // rows and objects are cached until they change
  }),
  default_streams: registerPart({
    fields: { realm_default_streams: z.array(z.int()) },
    read: ({ reader, viewer }) => ({
      realm_default_streams: viewer.role === ROLES.guest ? [] : defaultChannels(reader).map(({ id }) => id),
    }),
    spectators: { realm_default_streams: [] },
  }),
};
