import { z } from "zod";
import { canSeeChannel, readableHistory } from "../access/channels.ts";
import { ROLES, type User } from "../access/users.ts";
import { badRequest } from "../errors.ts";
import { boolean } from "../http/params.ts";
import { allChannels, type Channel, type WireChannel, wireChannel } from "../queries/channels.ts";
import { isSubscribed } from "../queries/subscriptions.ts";
import type { Reader } from "../storage/transaction.ts";
import { endpoint } from "./endpoint.ts";

interface Filters {
  include_public: boolean;
  include_web_public: boolean;
  include_subscribed: boolean;
  exclude_archived: boolean;
  include_all_active: boolean;
  include_all: boolean;
  include_owner_subscribed: boolean;
  include_can_access_content: boolean;
}

function listedChannels(reader: Reader, viewer: User, filters: Filters): Channel[] {
  const all = filters.include_all || filters.include_all_active;
  if (all && viewer.role > ROLES.administrator)
    throw badRequest("Only administrators may list all channels: insufficient permission.");
  if (filters.include_owner_subscribed && viewer.bot_owner_id === null) throw badRequest("Only a bot has an owner.");
  const archivedToo = !filters.exclude_archived && !filters.include_all_active;
  return allChannels(reader).filter((channel) => {
    if (channel.is_archived && !archivedToo) return false;
    const owner =
      filters.include_owner_subscribed &&
      viewer.bot_owner_id !== null &&
      isSubscribed(reader, viewer.bot_owner_id, channel.id);
    if (owner) return true;
    if (!canSeeChannel(reader, viewer, channel)) return false;
    return (
      all ||
      (filters.include_public && !channel.invite_only) ||
      (filters.include_web_public && channel.is_web_public) ||
      (filters.include_subscribed && isSubscribed(reader, viewer.id, channel.id)) ||
      (filters.include_can_access_content && readableHistory(reader, viewer, channel) !== "none")
    );
  });
}

export const getChannels = endpoint({
  route: "GET /streams",
  summary: "Channels that the caller may know of.",
  who: "member",
  guests: true,
  params: {
    include_public: boolean().default(true),
    include_web_public: boolean().default(false),
    include_subscribed: boolean().default(true),
    exclude_archived: boolean().default(true),
    include_all_active: boolean().default(false).describe("Deprecated: include_all."),
    include_all: boolean().default(false).describe("Administrators only."),
    include_default: boolean().default(false).describe("Adds is_default."),
    include_owner_subscribed: boolean()
      .default(false)
      .describe("Bots only: also what the bot's owner is subscribed to."),
    include_can_access_content: boolean().default(false),
  },
  response: z.object({
    streams: z.array(
      z.custom<WireChannel & { is_default?: boolean }>((value) => typeof value === "object" && value !== null),
    ),
  }),
  handle: ({ viewer, params, reader, app }) => ({
    streams: listedChannels(reader, viewer, params).map((channel) => ({
      ...wireChannel(reader, channel, app.now()),
      ...(params.include_default ? { is_default: channel.is_default } : {}),
    })),
  }),
});
