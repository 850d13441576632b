import { canSeeChannel } from "../access/channels.ts";
import {
  allChannels,
  type Channel,
  type ChannelGroupSettings,
  defaultChannels,
  isRecentlyActive,
  type TopicsPolicy,
  weeklyTraffic,
} from "../queries/channels.ts";
import { subscribersOf } from "../queries/subscriptions.ts";
import type { SystemGroupName } from "../queries/system-groups.ts";
import { systemGroupName } from "../queries/user-group-members.ts";
import type { Reader } from "../storage/transaction.ts";
import type { RegisterPart } from "./register-context.ts";

const POST_POLICIES: Partial<Record<SystemGroupName, number>> = {
  "role:administrators": 2,
  "role:fullmembers": 3,
  "role:moderators": 4,
};

/** The older field that `can_send_message_group` replaced: 1 wherever it had no word for the group. */
function postPolicy(reader: Reader, channel: Channel): number {
  if (typeof channel.can_send_message_group !== "number") return 1;
  const name = systemGroupName(reader, channel.can_send_message_group);
  return (name && POST_POLICIES[name]) ?? 1;
}

/** A channel as `streams` of /register, GET /streams and `stream` events send it (docs/protocol.md#channel-object). */
export interface WireChannel extends ChannelGroupSettings {
  stream_id: number;
  name: string;
  is_archived: boolean;
  description: string;
  rendered_description: string;
  date_created: number;
  creator_id: number | null;
  invite_only: boolean;
  is_web_public: boolean;
  stream_post_policy: number;
  is_announcement_only: boolean;
  email_address: "";
  message_retention_days: number | null;
  history_public_to_subscribers: boolean;
  first_message_id: number | null;
  is_recently_active: boolean;
  stream_weekly_traffic: number | null;
  folder_id: number | null;
  topics_policy: TopicsPolicy;
  subscriber_count: number;
}

/** `now`: milliseconds since the epoch. */
export function wireChannel(reader: Reader, channel: Channel, now: number): WireChannel {
  const { id, recipient_id: _recipient, created_at, is_default: _default, ...fields } = channel;
  const policy = postPolicy(reader, channel);
  return {
    stream_id: id,
    ...fields,
    date_created: Math.floor(created_at / 1000),
    stream_post_policy: policy,
    is_announcement_only: policy === 2,
    // Gone from the protocol at level 226, but the terminal client (0.7.0) ends with an error where it is absent. There
    // is no such address: this server takes no mail.
    email_address: "",
    is_recently_active: isRecentlyActive(reader, channel, now),
    stream_weekly_traffic: weeklyTraffic(reader, channel, now),
    subscriber_count: subscribersOf(reader, id).ids.length,
  };
}

export const registerParts: Record<string, RegisterPart> = {
  stream: ({ reader, viewer, capabilities, now }) => ({
    streams: allChannels(reader)
      .filter((channel) => !channel.is_archived || capabilities.archived_channels)
      .filter((channel) => canSeeChannel(reader, viewer, channel))
      .map((channel) => wireChannel(reader, channel, now)),
  }),
  default_streams: ({ reader, viewer }) => ({
    realm_default_streams: viewer.role === 600 ? [] : defaultChannels(reader).map(({ id }) => id),
  }),
};
