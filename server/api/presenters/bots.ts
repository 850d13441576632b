import { z } from "zod";
import { integrations } from "../../integrations/incoming/registry.ts";
import type { Reader } from "../../storage/transaction.ts";
import { managesBot } from "../access/bots.ts";
import { allBots, type Bot, INTERFACE } from "../queries/bots.ts";
import { channelById } from "../queries/channels.ts";
import { BOT_TYPE, type User } from "../queries/users.ts";
import { registerPart } from "./register-part.ts";
import { avatarUrl } from "./users.ts";

/** The target of an outgoing webhook's messages (docs/protocol.md#bots). */
const wireService = z.object({
  base_url: z.string(),
  token: z.string(),
  interface: z.literal(Object.values(INTERFACE)),
});

/** A bot as its managers see it (docs/protocol.md#bots). */
export const wireBot = z.object({
  user_id: z.int(),
  email: z.string(),
  full_name: z.string(),
  bot_type: z.literal(Object.values(BOT_TYPE)),
  is_active: z.boolean(),
  api_key: z.string(),
  default_sending_stream: z.string().nullable(),
  default_events_register_stream: z.string().nullable(),
  default_all_public_streams: z.boolean(),
  avatar_url: z.string(),
  owner_id: z.int().nullable(),
  services: z.array(wireService),
});
export type WireBot = z.output<typeof wireBot>;
/** The form in events. Keys and tokens are never logged; they are added when an event is delivered. */
export type KeylessBot = Omit<WireBot, "api_key" | "services"> & {
  services: Omit<WireBot["services"][number], "token">[];
};

export const servicesOf = ({ service }: Bot): KeylessBot["services"] =>
  service ? [{ base_url: service.base_url, interface: service.interface }] : [];

export const withToken = (services: KeylessBot["services"], token: string): WireBot["services"] =>
  services.map((service) => ({ ...service, token }));

const channelName = (reader: Reader, id: number | null): string | null =>
  (id === null ? undefined : channelById(reader, id)?.name) ?? null;

export const defaultsOnWire = (
  reader: Reader,
  { defaults }: Bot,
): Pick<WireBot, "default_sending_stream" | "default_events_register_stream" | "default_all_public_streams"> => ({
  default_sending_stream: channelName(reader, defaults.sendingChannelId),
  default_events_register_stream: channelName(reader, defaults.eventsChannelId),
  default_all_public_streams: defaults.allPublicChannels,
});

export const botOnWire = (reader: Reader, bot: Bot): KeylessBot => ({
  user_id: bot.user.id,
  email: bot.user.email,
  full_name: bot.user.full_name,
  bot_type: bot.user.bot_type as WireBot["bot_type"],
  is_active: bot.user.is_active,
  ...defaultsOnWire(reader, bot),
  avatar_url: avatarUrl(bot.user),
  owner_id: bot.user.bot_owner_id,
  services: servicesOf(bot),
});

/** The bots that the viewer manages, including deactivated ones. */
export const botsManagedBy = (reader: Reader, viewer: User): Bot[] =>
  allBots(reader).filter(({ user }) => managesBot(viewer, user));

const option = z.object({ key: z.string(), label: z.string(), validator: z.string() });

/** A service that can send to an incoming webhook. Its name is part of the webhook's URL. */
const wireIntegration = z.object({
  name: z.string(),
  display_name: z.string(),
  all_event_types: z.array(z.string()).nullable(),
  config_options: z.array(option),
  url_options: z.array(option),
});

const integrationsOnWire: z.output<typeof wireIntegration>[] = integrations.map((integration) => ({
  name: integration.name,
  display_name: integration.displayName,
  all_event_types: integration.events && [...integration.events],
  config_options: [],
  url_options: [...integration.options],
}));

export const registerParts = {
  realm_bot: registerPart({
    fields: { realm_bots: z.array(wireBot) },
    read: ({ reader, viewer, keyOf, tokenOf }) => ({
      realm_bots: botsManagedBy(reader, viewer).map((bot) => ({
        ...botOnWire(reader, bot),
        services: withToken(servicesOf(bot), tokenOf(bot)),
        api_key: keyOf(bot.user),
      })),
    }),
    spectators: { realm_bots: [] },
  }),
  realm_incoming_webhook_bots: registerPart({
    fields: { realm_incoming_webhook_bots: z.array(wireIntegration) },
    read: () => ({ realm_incoming_webhook_bots: integrationsOnWire }),
    spectators: { realm_incoming_webhook_bots: [] },
  }),
  // Bots run as their owners' programs; none runs inside the server.
  realm_embedded_bots: registerPart({
    fields: { realm_embedded_bots: z.array(z.never()) },
    read: () => ({ realm_embedded_bots: [] }),
    spectators: "same",
  }),
};
