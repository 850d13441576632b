import { z } from "zod";
import { ApiError, badRequest, problem } from "../../errors.ts";
import type { Transact } from "../../http/endpoint.ts";
import { boolean, integer, json, listOf, oneOf, rawOrJson, text } from "../../http/params.ts";
import { runInSlices, type SlicedCall } from "../../http/run-in-slices.ts";
import { viewerAsOfNow } from "../access/authentication.ts";
import type { ChannelInput } from "../access/channel-settings.ts";
import { ownChannel, principals, subscriptionToSee } from "../access/subscriptions.ts";
import { MAX_SUBSCRIPTION_NOTICES } from "../actions/channel-notices.ts";
import { type Job, Joining, join, Leaving, leave, workOf } from "../actions/subscription-requests.ts";
import { changeSubscription } from "../actions/subscriptions.ts";
import { ownSubscriptions, wireSubscription } from "../presenters/subscriptions.ts";
import {
  CHANNEL_GROUP_SETTING_NAMES,
  type Channel,
  type ChannelGroupSettings,
  TOPICS_POLICIES,
} from "../queries/channels.ts";
import { isSubscribed, SUBSCRIPTION_PROPERTIES, type SubscriptionProperty } from "../queries/subscriptions.ts";
import { ROLES, type User } from "../queries/users.ts";
import { endpoint, type ValuesOf } from "./endpoint.ts";
import { groupSettingParams, messageRetentionDays, storedDays } from "./params.ts";

const subscriptionColor = z
  .string()
  .regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, { error: "must be a color like #c2c2c2." });

const requestedChannel = z.object({
  name: z.string(),
  description: z.string().optional().describe("Only for a new channel."),
  color: subscriptionColor.optional(),
});
/** Per request. */
const MAX_CHANNELS = 500;

const channelNamesByUser = (channels: ReadonlyMap<number, readonly Channel[]>): Record<string, string[]> =>
  Object.fromEntries([...channels].map(([userId, list]) => [String(userId), list.map(({ name }) => name)]));

interface SubscriptionCall extends SlicedCall {
  readonly viewer: User;
  readonly transact: Transact;
}

async function runJobs(call: SubscriptionCall, jobs: readonly Job[]): Promise<void> {
  const work = workOf(jobs);
  const slice = (begins: boolean) => call.transact((tx) => work(tx, viewerAsOfNow(tx, call.viewer), begins));
  if (!(await runInSlices(call, slice)))
    throw new ApiError("BAD_REQUEST", problem("timed_out_partially"), {}, { status: 503 });
}

/** Settings of a new channel if only its name is given. */
const ORDINARY_CHANNEL: ChannelInput = {
  invite_only: false,
  is_web_public: false,
  is_default: false,
  history_public_to_subscribers: undefined,
  message_retention_days: null,
  topics_policy: "inherit",
  folder_id: null,
  groups: {},
};

/** Settings of channels that do not exist yet. */
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

const noticeParams = {
  announce: boolean()
    .default(false)
    .describe("Whether to announce new channels in the organization's channel for announcements."),
  send_new_subscription_messages: boolean()
    .default(true)
    .describe(
      `Whether to tell users that someone else subscribed them. Not for more than ${MAX_SUBSCRIPTION_NOTICES} users.`,
    ),
};

export const createChannel = endpoint({
  route: "POST /channels/create",
  summary: "Create a channel and subscribe users to it.",
  who: "member",
  params: {
    name: text(),
    subscribers: listOf(z.int()).describe("User IDs; may be empty. The caller is not added automatically."),
    description: text().default(""),
    ...newChannelParams,
    ...noticeParams,
  },
  response: z.object({ id: z.int() }),
  handle: async (call) => {
    const { viewer, params, reader } = call;
    const { name, description, subscribers } = params;
    const done = new Joining();
    const job = join(
      {
        requested: [{ name, description }],
        onlyNew: true,
        users: subscribers.length === 0 ? [] : principals(reader, viewer, subscribers),
        input: {
          ...newChannelInput(params),
          history_public_to_subscribers: params.history_public_to_subscribers ?? !params.invite_only,
        },
        errorsAreFatal: true,
        notices: { announce: params.announce, notifyUsers: params.send_new_subscription_messages },
      },
      done,
    );
    await runJobs(call, [job]);
    return { id: (done.created[0] as Channel).id };
  },
});

export const subscribeUsers = endpoint({
  route: "POST /users/me/subscriptions",
  summary: "Subscribe to channels, and create missing ones.",
  who: "member",
  params: {
    subscriptions: json(z.array(requestedChannel).max(MAX_CHANNELS)),
    principals: listOf(z.union([z.int(), z.string()]))
      .optional()
      .describe("User IDs or email addresses; default: the caller."),
    authorization_errors_fatal: boolean().default(true),
    ...newChannelParams,
    ...noticeParams,
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
    await runJobs(call, [job]);
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

export const unsubscribeUsers = endpoint({
  route: "DELETE /users/me/subscriptions",
  summary: "Unsubscribe from channels.",
  who: "guest",
  params: {
    subscriptions: listOf(z.string()).describe("Channel names."),
    principals: listOf(z.union([z.int(), z.string()]))
      .optional()
      .describe("User IDs or email addresses; default: the caller."),
  },
  response: z.object({ removed: z.array(z.string()), not_removed: z.array(z.string()) }),
  handle: async (call) => {
    const { viewer, params, reader } = call;
    const done = new Leaving();
    const users = principals(reader, viewer, params.principals);
    await runJobs(call, [leave({ names: params.subscriptions, users }, done)]);
    return { removed: [...done.removed], not_removed: [...done.notRemoved] };
  },
});

export const updateSubscriptions = endpoint({
  route: "PATCH /users/me/subscriptions",
  summary: "Unsubscribe from some channels and subscribe to others.",
  who: "guest",
  params: {
    delete: listOf(z.string()).optional().describe("Channel names."),
    add: json(z.array(requestedChannel).max(MAX_CHANNELS)).optional(),
  },
  response: z.object({
    subscribed: z.record(z.string(), z.array(z.string())).describe("Channel names by user ID."),
    already_subscribed: z.record(z.string(), z.array(z.string())),
    removed: z.array(z.string()),
    not_removed: z.array(z.string()),
  }),
  handle: async (call) => {
    const { viewer, params } = call;
    const { delete: names = [], add: requested = [] } = params;
    if (names.length === 0 && requested.length === 0)
      throw badRequest("no_channels_given", {}, { parameters: "add, delete" });
    if (requested.length > 0 && viewer.role === ROLES.guest) throw badRequest("guest_subscribe_not_allowed");
    const users = [viewer];
    const notices = { announce: false, notifyUsers: false };
    const [left, joined] = [new Leaving(), new Joining()];
    await runJobs(call, [
      leave({ names, users }, left),
      join({ requested, users, input: ORDINARY_CHANNEL, errorsAreFatal: true, notices }, joined),
    ]);
    return {
      subscribed: channelNamesByUser(joined.subscribed),
      already_subscribed: channelNamesByUser(joined.already),
      removed: [...left.removed],
      not_removed: [...left.notRemoved],
    };
  },
});

export const getSubscriptions = endpoint({
  route: "GET /users/me/subscriptions",
  summary: "List the caller's subscriptions with their settings.",
  who: "guest",
  params: {
    include_subscribers: oneOf("true", "false", "partial")
      .default("false")
      .describe("partial: for large channels at least bots and recently active users."),
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
  summary: "Check whether a user is subscribed to a channel.",
  who: "guest",
  params: { user_id: integer(), stream_id: integer() },
  response: z.object({ is_subscribed: z.boolean() }),
  handle: ({ viewer, params, reader }) => {
    const { user_id: userId, stream_id: channelId } = params;
    const { user, channel } = subscriptionToSee(reader, viewer, { userId, channelId });
    return { is_subscribed: isSubscribed(reader, user.id, channel.id) };
  },
});

/** Errors name the parameter. */
function validChange(
  name: string,
  value: boolean | string,
  path = "",
): { property: SubscriptionProperty; value: boolean | string } {
  const property = SUBSCRIPTION_PROPERTIES.find((one) => one === name);
  if (!property)
    throw badRequest("unknown_subscription_property", { path, values: SUBSCRIPTION_PROPERTIES.join(", ") });
  if (property !== "color") {
    if (typeof value !== "boolean") throw badRequest("subscription_value_not_boolean", { path, property });
  } else if (!subscriptionColor.safeParse(value).success) {
    throw badRequest("invalid_subscription_color", { path });
  }
  return { property, value };
}

/** Per request. */
const MAX_CHANGES = 1000;

const change = z.object({
  stream_id: z.int(),
  property: z.string().describe(SUBSCRIPTION_PROPERTIES.join(", ")),
  value: z.union([z.boolean(), z.string()]).describe("#rrggbb for color, otherwise true or false."),
});

export const updateSubscriptionSettings = endpoint({
  route: "POST /users/me/subscriptions/properties",
  summary: "Change the caller's settings for subscribed channels.",
  who: "guest",
  params: { subscription_data: json(z.array(change).max(MAX_CHANGES)) },
  handle: ({ viewer, params, transact }) => {
    transact((tx) => {
      const changes = params.subscription_data.map(({ stream_id, property, value }, at) => ({
        channel: ownChannel(tx, viewer, stream_id),
        ...validChange(property, value, `subscription_data[${at}].`),
      }));
      for (const one of changes) changeSubscription(tx, viewer, one);
    });
  },
});

export const updateSubscriptionProperty = endpoint({
  route: "PATCH /users/me/subscriptions/{stream_id}",
  summary: "Change one of the caller's settings for a subscribed channel.",
  who: "guest",
  params: {
    stream_id: integer(),
    property: text().describe(SUBSCRIPTION_PROPERTIES.join(", ")),
    value: rawOrJson(z.union([z.boolean(), z.string()])).describe("#rrggbb for color, otherwise true or false."),
  },
  handle: ({ viewer, params, transact }) => {
    transact((tx) => {
      const channel = ownChannel(tx, viewer, params.stream_id);
      changeSubscription(tx, viewer, { channel, ...validChange(params.property, params.value) });
    });
  },
});
