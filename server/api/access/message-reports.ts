import { badRequest } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { type Channel, channelById } from "../queries/channels.ts";
import { organizationSetting } from "../queries/organization.ts";

/** The private channel in which moderators read reports. */
export function channelForReports(reader: Reader): Channel {
  const channel = channelById(reader, organizationSetting(reader, "moderation_request_channel_id"));
  if (!channel || channel.is_archived)
    throw badRequest("This organization has no channel for reported messages (moderation_request_channel_id).");
  return channel;
}
