import { z } from "zod";
import { badRequest } from "../../errors.ts";
import { boolean, integer, json, rawOrJson, text } from "../../http/params.ts";
import { runInSlices } from "../../http/run-in-slices.ts";
import type { Reader, Transaction } from "../../storage/transaction.ts";
import { allowedChange, assertChannelsFit, grownParameter } from "../access/channel-settings.ts";
import {
  canSeeChannel,
  channelToAdminister,
  channelToArchive,
  channelToSee,
  channelWithMembers,
  hasContentAccess,
  senderOfMail,
} from "../access/channels.ts";
import { archiveChannel, changeChannel, readInArchived } from "../actions/channel-settings.ts";
import { channelOnWire, wireChannel } from "../presenters/channels.ts";
import { allChannels, CHANNEL_GROUP_SETTING_NAMES, type Channel, TOPICS_POLICIES } from "../queries/channels.ts";
import { isSubscribed, subscribersOf } from "../queries/subscriptions.ts";
import { ROLES, type User, userById } from "../queries/users.ts";
import { endpoint, type ValuesOf } from "./endpoint.ts";
import { groupUpdateParams, messageRetentionDays, pick, storedDays } from "./params.ts";

const filters = {
  include_public: boolean().default(true),
  include_web_public: boolean().default(false),
  include_subscribed: boolean().default(true),
  exclude_archived: boolean().default(true),
  include_all_active: boolean().default(false).describe("Deprecated: use include_all."),
  include_all: boolean().default(false).describe("Administrators only."),
  include_default: boolean().default(false).describe("Adds is_default."),
  include_owner_subscribed: boolean()
    .default(false)
    .describe("For bots: includes subscriptions of the bot's owner. No effect for people."),
  include_can_access_content: boolean().default(false),
};

function listedChannels(reader: Reader, viewer: User, params: ValuesOf<typeof filters>): Channel[] {
  const all = params.include_all || params.include_all_active;
  if (all && viewer.role > ROLES.administrator) throw badRequest("list_channels_administrators_only");
  const archivedToo = !params.exclude_archived && !params.include_all_active;
  return allChannels(reader).filter((channel) => {
    if (channel.is_archived && !archivedToo) return false;
    const owner =
      params.include_owner_subscribed &&
      viewer.bot_owner_id !== null &&
      userById(reader, viewer.bot_owner_id)?.is_active === true &&
      isSubscribed(reader, viewer.bot_owner_id, channel.id);
    if (owner) return true;
    if (!canSeeChannel(reader, viewer, channel)) return false;
    return (
      all ||
      (params.include_public && !channel.invite_only) ||
      (params.include_web_public && channel.is_web_public) ||
      (params.include_subscribed && isSubscribed(reader, viewer.id, channel.id)) ||
      (params.include_can_access_content && hasContentAccess(reader, viewer, channel))
    );
  });
}

export const getChannels = endpoint({
  route: "GET /streams",
  summary: "List channels that the caller can see.",
  who: "guest",
  params: filters,
  response: z.object({ streams: z.array(wireChannel.extend({ is_default: z.boolean().optional() })) }),
  handle: ({ viewer, params, reader, app }) => ({
    streams: listedChannels(reader, viewer, params).map((channel) => ({
      ...channelOnWire(reader, channel, app.now()),
      ...(params.include_default ? { is_default: channel.is_default } : {}),
    })),
  }),
});

const streamId = () => integer({ min: 0 });

export const getChannel = endpoint({
  route: "GET /streams/{stream_id}",
  summary: "Get a channel.",
  who: "guest",
  params: { stream_id: streamId() },
  response: z.object({ stream: wireChannel }),
  handle: ({ viewer, params, reader, app }) => ({
    stream: channelOnWire(reader, channelToSee(reader, viewer, params.stream_id), app.now()),
  }),
});

export const getChannelId = endpoint({
  route: "GET /get_stream_id",
  summary: "Get the ID of a channel by name.",
  who: "guest",
  params: { stream: text() },
  response: z.object({ stream_id: z.int() }),
  handle: ({ viewer, params, reader }) => ({ stream_id: channelToSee(reader, viewer, params.stream).id }),
});

export const getChannelMembers = endpoint({
  route: "GET /streams/{stream_id}/members",
  summary: "List the subscribers of a channel that the caller can read.",
  who: "guest",
  params: { stream_id: streamId() },
  response: z.object({ subscribers: z.array(z.int()) }),
  handle: ({ viewer, params, reader }) => ({
    subscribers: [...subscribersOf(reader, channelWithMembers(reader, viewer, params.stream_id).id).ids],
  }),
});

export const getChannelEmailAddress = endpoint({
  route: "GET /streams/{stream_id}/email_address",
  summary: "Get the email address of a channel. It is always empty, because the server receives no mail.",
  who: "guest",
  params: {
    stream_id: streamId(),
    sender_id: integer({ min: 0 }).optional().describe("Sender of the mail: the caller or one of their bots."),
  },
  response: z.object({ email: z.string().describe("Always empty.") }),
  handle: ({ viewer, params, reader }) => {
    channelToSee(reader, viewer, params.stream_id);
    senderOfMail(reader, viewer, params.sender_id ?? viewer.id);
    return { email: "" };
  },
});

export const deleteChannel = endpoint({
  route: "DELETE /streams/{stream_id}",
  summary: "Archive a channel. Its messages are marked as read.",
  who: "guest",
  params: { stream_id: streamId() },
  handle: async (call) => {
    const { viewer, params, transact } = call;
    transact((tx) => archiveChannel(tx, viewer, channelToArchive(tx, viewer, params.stream_id)));
    // A chore does the rest if time runs out.
    await runInSlices(call, () => transact((tx) => readInArchived(tx, params.stream_id)));
  },
});

export const updateChannel = endpoint({
  route: "PATCH /streams/{stream_id}",
  summary: "Change a channel. Omitted settings do not change.",
  who: "guest", // Guests who see the channel get the error that it needs an administrator.
  params: {
    stream_id: integer({ min: 0 }),
    new_name: text().optional(),
    description: text().optional(),
    is_private: boolean().optional(),
    is_web_public: boolean().optional(),
    history_public_to_subscribers: boolean().optional(),
    is_default_stream: boolean().optional().describe("Administrators only."),
    message_retention_days: messageRetentionDays().optional(),
    topics_policy: rawOrJson(z.enum(TOPICS_POLICIES)).optional(),
    folder_id: json(z.int().nullable()).optional().describe("Null removes the channel from its folder."),
    is_archived: boolean().optional().describe("false restores an archived channel."),
    ...groupUpdateParams(CHANNEL_GROUP_SETTING_NAMES),
  },
  handle: ({ viewer, params, transact }) => {
    const { stream_id, new_name: name, is_private: invite_only, is_default_stream: is_default } = params;
    const days = params.message_retention_days;
    const message_retention_days = days === undefined ? undefined : storedDays(days);
    const groups = pick(params, CHANNEL_GROUP_SETTING_NAMES);
    const patch = { ...params, name, invite_only, is_default, message_retention_days, groups };
    transact((tx) => {
      const channel = channelToAdminister(tx, viewer, stream_id);
      const change = allowedChange(tx, viewer, channel, patch);
      changeChannel(tx, viewer, channel, change);
      const parameter = grownParameter(channel, change);
      if (parameter) assertChannelsFit(tx, viewer, { creatorId: channel.creator_id, parameter });
    });
  },
});

function setDefault(tx: Transaction, viewer: User, id: number, is_default: boolean): void {
  const channel = channelToAdminister(tx, viewer, id);
  changeChannel(tx, viewer, channel, allowedChange(tx, viewer, channel, { is_default, groups: {} }));
}

export const addDefaultChannel = endpoint({
  route: "POST /default_streams",
  summary: "Make a channel a default channel: people who join later are subscribed to it.",
  who: "administrator",
  params: { stream_id: integer() },
  handle: ({ viewer, params, transact }) => transact((tx) => setDefault(tx, viewer, params.stream_id, true)),
});

export const removeDefaultChannel = endpoint({
  route: "DELETE /default_streams",
  summary: "Remove a channel from the default channels. Does not unsubscribe anyone.",
  who: "administrator",
  params: { stream_id: integer() },
  handle: ({ viewer, params, transact }) => transact((tx) => setDefault(tx, viewer, params.stream_id, false)),
});
