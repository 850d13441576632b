import { z } from "zod";
import type { ChannelInput } from "../access/channel-settings.ts";
import type { Channel } from "../queries/channels.ts";

export const subscriptionColor = z
  .string()
  .regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, { error: "must be a color like #c2c2c2." });

export const requestedChannel = z.object({
  name: z.string(),
  description: z.string().optional().describe("Only for a channel that does not exist."),
  color: subscriptionColor.optional(),
});
/** In one request. */
export const MAX_CHANNELS = 500;

export const channelNamesByUser = (channels: ReadonlyMap<number, readonly Channel[]>): Record<string, string[]> =>
  Object.fromEntries([...channels].map(([userId, list]) => [String(userId), list.map(({ name }) => name)]));

/** The settings of a new channel for which only a name was given. */
export const ORDINARY_CHANNEL: ChannelInput = {
  invite_only: false,
  is_web_public: false,
  is_default: false,
  history_public_to_subscribers: undefined,
  message_retention_days: null,
  topics_policy: "inherit",
  folder_id: null,
  groups: {},
};
