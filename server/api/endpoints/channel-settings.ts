import { z } from "zod";
import { boolean, integer, json, rawOrJson, text } from "../../http/params.ts";
import { allowedChange, assertChannelsFit, grownParameter } from "../access/channel-settings.ts";
import { channelToAdminister } from "../access/channels.ts";
import { changeChannel } from "../actions/channel-settings.ts";
import { CHANNEL_GROUP_SETTING_NAMES, TOPICS_POLICIES } from "../queries/channels.ts";
import { messageRetentionDays, storedDays } from "./channel-params.ts";
import { endpoint } from "./endpoint.ts";
import { groupUpdateParams, pick } from "./setting-params.ts";

export const updateChannel = endpoint({
  route: "PATCH /streams/{stream_id}",
  summary: "Change a channel; what is left out stays.",
  who: "member",
  guests: true, // guests who see the channel get the error that this needs an administrator
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
    folder_id: json(z.int().nullable()).optional().describe("Null: takes the channel out of its folder."),
    is_archived: boolean().optional().describe("false brings an archived channel back."),
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
    return {};
  },
});
