import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { type Channel, channelById } from "../queries/channels.ts";
import {
  type PersonalSettings,
  subscribersOf,
  subscriptionsOf,
  withOwnNotifications,
} from "../queries/subscriptions.ts";
import { wasRecentlyActive } from "../queries/user-activity.ts";
import type { User } from "../queries/users.ts";
import { channelOnWire, publicChannels, shownChannels, type WireChannel, wireChannel } from "./channels.ts";
import type { ClientCapabilities } from "./client-capabilities.ts";
import { type RegisterContext, registerPart } from "./register-part.ts";

/** A channel with its subscribers if the client requested them: all, or the subset of `partial`. */
export const wireChannelWithSubscribers = wireChannel.extend({
  subscribers: z.array(z.int()).readonly().exactOptional(),
  partial_subscribers: z.array(z.int()).readonly().exactOptional(),
});
export type WireChannelWithSubscribers = z.output<typeof wireChannelWithSubscribers>;
export type SubscriberList = Pick<WireChannelWithSubscribers, "subscribers" | "partial_subscribers">;

/**
 * The protocol dropped it at level 226, and strict clients refuse it in channel objects. But the terminal client (0.7.0)
 * crashes without it in subscriptions. Always empty, since this server receives no email.
 */
export const EMAIL_ADDRESS = { email_address: "" } as const;

const notification = z.boolean().nullable().describe("Null: the value of the user settings.");

/** A channel with a user's own settings for it (docs/protocol.md#subscription-object). */
export const wireSubscription = wireChannelWithSubscribers.extend({
  email_address: z.literal("").describe("Deprecated."),
  color: z.string(),
  is_muted: z.boolean(),
  in_home_view: z.boolean().describe("Deprecated: the opposite of is_muted."),
  pin_to_top: z.boolean(),
  desktop_notifications: notification,
  audible_notifications: notification,
  push_notifications: notification,
  email_notifications: notification,
  wildcard_mentions_notify: notification,
});
export type WireSubscription = z.output<typeof wireSubscription>;

/** From this number of subscribers on, `include_subscribers=partial` includes only bots and recently active people. */
const PARTIAL_FROM = 250;

/** `now`: milliseconds since the epoch. */
export function subscriberList(
  reader: Reader,
  channelId: number,
  include: "true" | "false" | "partial",
  now: number,
): SubscriberList {
  if (include === "false") return {};
  const { ids } = subscribersOf(reader, channelId);
  if (include === "true" || ids.length < PARTIAL_FROM) return { subscribers: ids };
  return { partial_subscribers: ids.filter(wasRecentlyActive(reader, now)) };
}

/** A subscription as /register and `subscription` events send it (docs/protocol.md#subscription-object). */
export function subscriptionOnWire(
  reader: Reader,
  channel: Channel,
  settings: PersonalSettings,
  now: number,
  subscribers: SubscriberList = subscriberList(reader, channel.id, "true", now),
): WireSubscription {
  const { color, is_muted, pin_to_top } = settings;
  return {
    ...channelOnWire(reader, channel, now),
    ...subscribers,
    ...EMAIL_ADDRESS,
    color,
    is_muted,
    in_home_view: !is_muted,
    pin_to_top,
    desktop_notifications: settings.desktop_notifications,
    audible_notifications: settings.audible_notifications,
    push_notifications: settings.push_notifications,
    email_notifications: settings.email_notifications,
    wildcard_mentions_notify: settings.wildcard_mentions_notify,
  };
}

interface Listing {
  includeSubscribers: RegisterContext["includeSubscribers"];
  now: number;
}

/**
 * The viewer's subscriptions to channels that are not archived. A null setting inherits from the viewer's own settings.
 */
export function ownSubscriptions(reader: Reader, viewer: User, { includeSubscribers, now }: Listing) {
  const subscriptions: WireSubscription[] = [];
  for (const settings of subscriptionsOf(reader, viewer.id).values()) {
    const channel = settings.subscribed ? channelById(reader, settings.channel_id) : undefined;
    if (!channel || channel.is_archived) continue;
    const subscribers = subscriberList(reader, channel.id, includeSubscribers, now);
    subscriptions.push(subscriptionOnWire(reader, channel, settings, now, subscribers));
  }
  return subscriptions;
}

function subscriptionState(context: RegisterContext) {
  const { reader, viewer, capabilities, includeSubscribers, now } = context;
  const own = subscriptionsOf(reader, viewer.id);
  const shown = shownChannels(context);
  const subscriptions: WireSubscription[] = [];
  const unsubscribed: WireSubscription[] = [];
  for (const settings of own.values()) {
    const channel = shown.has(settings.channel_id) && channelById(reader, settings.channel_id);
    if (!channel) continue;
    const subscribers = subscriberList(reader, channel.id, includeSubscribers, now);
    const shownSettings = capabilities.notification_settings_null
      ? settings
      : withOwnNotifications(reader, viewer.id, settings);
    (settings.subscribed ? subscriptions : unsubscribed).push(
      subscriptionOnWire(reader, channel, shownSettings, now, subscribers),
    );
  }
  const never_subscribed: WireChannelWithSubscribers[] = [];
  for (const [id, channel] of shown) {
    if (own.has(id)) continue;
    const subscribers = subscriberList(reader, id, includeSubscribers, now);
    never_subscribed.push(includeSubscribers === "false" ? channel : { ...channel, ...subscribers });
  }
  return { subscriptions, unsubscribed, never_subscribed };
}

/** Spectators have no settings of their own, so web-public channels have these. */
function asSubscription(channel: WireChannel, { notification_settings_null }: ClientCapabilities): WireSubscription {
  const inherited = notification_settings_null ? null : false;
  return {
    ...channel,
    ...EMAIL_ADDRESS,
    color: "#7f8c8d",
    is_muted: false,
    in_home_view: true,
    pin_to_top: false,
    desktop_notifications: inherited,
    audible_notifications: inherited,
    push_notifications: inherited,
    email_notifications: inherited,
    wildcard_mentions_notify: inherited,
  };
}

export const registerParts = {
  subscription: registerPart({
    fields: {
      subscriptions: z.array(wireSubscription),
      unsubscribed: z.array(wireSubscription).describe("Channels that the caller was subscribed to before."),
      never_subscribed: z.array(wireChannelWithSubscribers),
    },
    read: subscriptionState,
    spectators: (context) => ({
      subscriptions: publicChannels(context).map((channel) => asSubscription(channel, context.capabilities)),
      unsubscribed: [],
      never_subscribed: [],
    }),
  }),
};
