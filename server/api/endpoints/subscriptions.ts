import { z } from "zod";
import { boolean, integer, json, listOf, rawOrJson } from "../../http/params.ts";
import type { ChannelInput } from "../access/channel-settings.ts";
import { principals } from "../access/subscriptions.ts";
import { MAX_SUBSCRIPTION_NOTICES } from "../actions/channel-notices.ts";
import { CHANNEL_GROUP_SETTING_NAMES, type ChannelGroupSettings, TOPICS_POLICIES } from "../queries/channels.ts";
import { messageRetentionDays, storedDays } from "./channel-params.ts";
import { endpoint, type ValuesOf } from "./endpoint.ts";
import { groupSettingParams } from "./setting-params.ts";
import { channelNamesByUser, MAX_CHANNELS, requestedChannel } from "./subscription-params.ts";
import { doInSlices, Joining, join } from "./subscription-slices.ts";

/** The settings of channels that do not exist yet. */
const newChannelParams = {
  invite_only: boolean().default(false),
  is_web_public: boolean().default(false),
  is_default_stream: boolean().default(false),
  history_public_to_subscribers: boolean().optional(),
  message_retention_days: messageRetentionDays().default("realm_default"),
  topics_policy: rawOrJson(z.enum(TOPICS_POLICIES)).default("inherit"),
  folder_id: integer().optional(),
  ...groupSettingParams(CHANNEL_GROUP_SETTING_NAMES),
};

export const subscribeUsers = endpoint({
  route: "POST /users/me/subscriptions",
  summary: "Subscribe to channels, creating those that do not exist.",
  who: "member",
  params: {
    subscriptions: json(z.array(requestedChannel).max(MAX_CHANNELS)),
    principals: listOf(z.union([z.int(), z.string()]))
      .optional()
      .describe("User IDs or addresses; the caller if left out."),
    authorization_errors_fatal: boolean().default(true),
    announce: boolean()
      .default(false)
      .describe("Announces new channels, where the organization has a channel for that."),
    ...newChannelParams,
    send_new_subscription_messages: boolean()
      .default(true)
      .describe(
        `Tells people that somebody else subscribed them; nobody where they are more than ${MAX_SUBSCRIPTION_NOTICES}.`,
      ),
  },
  response: z.object({
    subscribed: z.record(z.string(), z.array(z.string())).describe("Channel names by user ID."),
    already_subscribed: z.record(z.string(), z.array(z.string())),
    unauthorized: z.array(z.string()).optional(),
    new_subscription_messages_sent: z.boolean().optional(),
  }),
  handle: async (call) => {
    const { viewer, params, reader } = call;
    const done = new Joining();
    const job = join(
      {
        requested: params.subscriptions,
        users: principals(reader, viewer, params.principals),
        input: newChannelInput(params),
        errorsAreFatal: params.authorization_errors_fatal,
        notices: { announce: params.announce, notifyUsers: params.send_new_subscription_messages },
      },
      done,
    );
    await doInSlices(call, [job]);
    return {
      subscribed: channelNamesByUser(done.subscribed),
      already_subscribed: channelNamesByUser(done.already),
      ...(params.authorization_errors_fatal ? {} : { unauthorized: done.unauthorized }),
      ...(params.send_new_subscription_messages ? { new_subscription_messages_sent: done.areNotified } : {}),
    };
  },
});

function newChannelInput(params: ValuesOf<typeof newChannelParams>): ChannelInput {
  const groups: Partial<ChannelGroupSettings> = {};
  for (const name of CHANNEL_GROUP_SETTING_NAMES) {
    const value = params[name];
    if (value !== undefined) groups[name] = value;
  }
  const days = params.message_retention_days;
  return {
    invite_only: params.invite_only,
    is_web_public: params.is_web_public,
    is_default: params.is_default_stream,
    history_public_to_subscribers: params.history_public_to_subscribers,
    message_retention_days: storedDays(days),
    topics_policy: params.topics_policy,
    folder_id: params.folder_id ?? null,
    groups,
  };
}
