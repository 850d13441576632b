import { z } from "zod";
import { integer, oneOf } from "../../http/params.ts";
import { subscriptionToSee } from "../access/subscriptions.ts";
import { ownSubscriptions, wireSubscription } from "../presenters/subscriptions.ts";
import { isSubscribed } from "../queries/subscriptions.ts";
import { endpoint } from "./endpoint.ts";

export const getSubscriptions = endpoint({
  route: "GET /users/me/subscriptions",
  summary: "The channels that the caller is subscribed to, with their own settings for them.",
  who: "member",
  guests: true,
  params: {
    include_subscribers: oneOf("true", "false", "partial")
      .default("false")
      .describe("partial: of large channels at least bots and those who were active lately."),
  },
  response: z.object({ subscriptions: z.array(wireSubscription) }),
  handle: ({ viewer, params, reader, app }) => ({
    subscriptions: ownSubscriptions(reader, viewer, {
      includeSubscribers: params.include_subscribers,
      now: app.now(),
    }),
  }),
});

export const getSubscriptionStatus = endpoint({
  route: "GET /users/{user_id}/subscriptions/{stream_id}",
  summary: "Whether a user is subscribed to a channel.",
  who: "member",
  guests: true,
  params: { user_id: integer(), stream_id: integer() },
  response: z.object({ is_subscribed: z.boolean() }),
  handle: ({ viewer, params, reader }) => {
    const { user_id: userId, stream_id: channelId } = params;
    const { user, channel } = subscriptionToSee(reader, viewer, { userId, channelId });
    return { is_subscribed: isSubscribed(reader, user.id, channel.id) };
  },
});
