import { z } from "zod";
import { badRequest } from "../../errors.ts";
import { boolean, integer, text } from "../../http/params.ts";
import { runInSlices } from "../../http/run-in-slices.ts";
import type { Reader } from "../../storage/transaction.ts";
import {
  canSeeChannel,
  channelToArchive,
  channelToSee,
  channelWithMembers,
  hasContentAccess,
  senderOfMail,
} from "../access/channels.ts";
import { archiveChannel, readInArchived } from "../actions/channel-settings.ts";
import { channelOnWire, wireChannel } from "../presenters/channels.ts";
import { allChannels, type Channel } from "../queries/channels.ts";
import { isSubscribed, subscribersOf } from "../queries/subscriptions.ts";
import { ROLES, type User, userById } from "../queries/users.ts";
import { endpoint, type ValuesOf } from "./endpoint.ts";

const filters = {
  include_public: boolean().default(true),
  include_web_public: boolean().default(false),
  include_subscribed: boolean().default(true),
  exclude_archived: boolean().default(true),
  include_all_active: boolean().default(false).describe("Deprecated: include_all."),
  include_all: boolean().default(false).describe("Administrators only."),
  include_default: boolean().default(false).describe("Adds is_default."),
  include_owner_subscribed: boolean().default(false).describe("Bots only: also what the bot's owner is subscribed to."),
  include_can_access_content: boolean().default(false),
};

function listedChannels(reader: Reader, viewer: User, params: ValuesOf<typeof filters>): Channel[] {
  const all = params.include_all || params.include_all_active;
  if (all && viewer.role > ROLES.administrator)
    throw badRequest("Only administrators may list all channels: insufficient permission.");
  if (params.include_owner_subscribed && viewer.bot_owner_id === null) throw badRequest("Only a bot has an owner.");
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
  summary: "Channels that the caller may know of.",
  who: "member",
  guests: true,
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
  summary: "One channel that the caller may know of.",
  who: "member",
  guests: true,
  params: { stream_id: streamId() },
  response: z.object({ stream: wireChannel }),
  handle: ({ viewer, params, reader, app }) => ({
    stream: channelOnWire(reader, channelToSee(reader, viewer, params.stream_id), app.now()),
  }),
});

export const getChannelId = endpoint({
  route: "GET /get_stream_id",
  summary: "The ID of the channel with this name.",
  who: "member",
  guests: true,
  params: { stream: text() },
  response: z.object({ stream_id: z.int() }),
  handle: ({ viewer, params, reader }) => ({ stream_id: channelToSee(reader, viewer, params.stream).id }),
});

export const getChannelMembers = endpoint({
  route: "GET /streams/{stream_id}/members",
  summary: "Who is subscribed to a channel that the caller may read.",
  who: "member",
  guests: true,
  params: { stream_id: streamId() },
  response: z.object({ subscribers: z.array(z.int()) }),
  handle: ({ viewer, params, reader }) => ({
    subscribers: [...subscribersOf(reader, channelWithMembers(reader, viewer, params.stream_id).id).ids],
  }),
});

export const getChannelEmailAddress = endpoint({
  route: "GET /streams/{stream_id}/email_address",
  summary: "The address at which the channel takes mail: none, since this server takes no mail.",
  who: "member",
  guests: true,
  params: {
    stream_id: streamId(),
    sender_id: integer({ min: 0 })
      .optional()
      .describe("In whose name mail would be posted: the caller's, or one of their bots'."),
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
  summary: "Archive a channel. What is unread in it counts as read.",
  who: "member",
  guests: true,
  params: { stream_id: streamId() },
  handle: async (call) => {
    const { viewer, params, transact } = call;
    transact((tx) => archiveChannel(tx, viewer, channelToArchive(tx, viewer, params.stream_id)));
    // When time runs out, a chore does the rest.
    await runInSlices(call, () => transact((tx) => readInArchived(tx, params.stream_id)));
    return {};
  },
});
