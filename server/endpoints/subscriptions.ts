import { z } from "zod";
import {
  allowedWishes,
  type ChannelWishes,
  canSeeChannel,
  maySubscribe,
  maySubscribeOthers,
  validChannelDescription,
  validChannelName,
} from "../access/channels.ts";
import { userNamed } from "../access/direct-messages.ts";
import { type GroupSetting, isInGroup, isPermitted } from "../access/user-groups.ts";
import type { User } from "../access/users.ts";
import { createChannel } from "../actions/channels.ts";
import { subscribe } from "../actions/subscriptions.ts";
import { badRequest } from "../errors.ts";
import { boolean, integer, json, listOf, rawOrJson } from "../http/params.ts";
import { renderMarkdown } from "../markdown/render.ts";
import {
  CHANNEL_GROUP_SETTING_NAMES,
  type Channel,
  type ChannelGroupSettings,
  channelByName,
  channelNameKey,
  TOPICS_POLICIES,
} from "../queries/channels.ts";
import { groupSetting } from "../queries/permission-settings.ts";
import type { Reader, Transaction } from "../storage/transaction.ts";
import { endpoint } from "./endpoint.ts";

const wanted = z.object({
  name: z.string(),
  description: z.string().optional(),
  color: z
    .string()
    .regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i)
    .optional(),
});
type Wanted = z.output<typeof wanted>;
/** Of one request: everybody waits while they are made. */
const MOST_CHANNELS = 500;

/** The viewer where none are named. */
function principalsIn(reader: Reader, viewer: User, names: readonly (string | number)[] | undefined): User[] {
  if (!names || names.length === 0) return [viewer];
  const users = new Map<number, User>();
  for (const name of names) {
    const user = userNamed(reader, viewer, name);
    if (!user?.is_active)
      throw badRequest(typeof name === "number" ? `Invalid user ID ${name}` : `Invalid email ${JSON.stringify(name)}`);
    users.set(user.id, user);
  }
  return [...users.values()];
}

interface Request {
  wanted: readonly Wanted[];
  users: readonly User[];
  wishes: ChannelWishes;
  errorsAreFatal: boolean;
}

interface Result {
  subscribed: ReadonlyMap<number, Channel[]>;
  already: ReadonlyMap<number, Channel[]>;
  unauthorized: string[];
}

/** Finds or creates the channels, sorts out those that the viewer may not bring these users into, and subscribes. */
function subscribeTo(tx: Transaction, viewer: User, { wanted, users, wishes, errorsAreFatal }: Request): Result {
  const channels = new Map<number, Channel>();
  const colors = new Map<number, string>();
  const unauthorized: string[] = [];
  let allowed: ChannelWishes | undefined;
  for (const item of uniqueByName(wanted)) {
    const existing = channelByName(tx, item.name);
    if (existing?.is_archived && canSeeChannel(tx, viewer, existing))
      throw badRequest(`The channel ${existing.name} is archived.`);
    if (existing && !canSubscribe(tx, viewer, users, existing)) {
      unauthorized.push(canSeeChannel(tx, viewer, existing) ? existing.name : item.name);
      continue;
    }
    allowed ??= existing ? undefined : allowedWishes(tx, viewer, wishes);
    const channel = existing ?? createWanted(tx, viewer, item, allowed as ChannelWishes);
    if (!existing && !mayFill(tx, viewer, users, channel)) throw mayNotBring([channel.name]);
    channels.set(channel.id, channel);
    if (item.color) colors.set(channel.id, item.color);
  }
  if (errorsAreFatal && unauthorized.length > 0) throw mayNotBring(unauthorized);
  return { ...subscribe(tx, { users, channels: [...channels.values()], colors }), unauthorized };
}

const mayNotBring = (names: readonly string[]) =>
  badRequest(`You may not subscribe these users to ${names.join(", ")}: insufficient permission.`);

const canSubscribe = (reader: Reader, viewer: User, users: readonly User[], channel: Channel): boolean =>
  users.every((user) =>
    user.id === viewer.id
      ? maySubscribe(reader, viewer, channel) || maySubscribeOthers(reader, viewer, channel)
      : maySubscribeOthers(reader, viewer, channel),
  );

/** Who makes a channel may put others in it, themself or not, as the organization allows; a private one too. */
const mayFill = (reader: Reader, viewer: User, users: readonly User[], channel: Channel): boolean =>
  users.every(({ id }) => id === viewer.id) ||
  isPermitted(reader, viewer, "can_add_subscribers_group") ||
  isInGroup(reader, viewer, channel.can_add_subscribers_group);

function uniqueByName(items: readonly Wanted[]): Wanted[] {
  const unique = new Map<string, Wanted>();
  for (const item of items) {
    const name = validChannelName(item.name);
    if (!unique.has(channelNameKey(name))) unique.set(channelNameKey(name), { ...item, name });
  }
  return [...unique.values()];
}

function createWanted(tx: Transaction, viewer: User, item: Wanted, wishes: ChannelWishes): Channel {
  const { folder_id: _folder, history_public_to_subscribers: history, ...settings } = wishes;
  const description = validChannelDescription(item.description ?? "");
  return createChannel(tx, viewer, {
    ...settings,
    name: item.name,
    description,
    rendered_description: description === "" ? "" : renderMarkdown(description).html,
    history_public_to_subscribers: !wishes.invite_only || (history ?? true),
  });
}

const group = () => json(groupSetting).optional();

export const subscribeUsers = endpoint({
  route: "POST /users/me/subscriptions",
  summary: "Subscribe to channels, creating those that do not exist.",
  who: "member",
  params: {
    subscriptions: json(z.array(wanted).max(MOST_CHANNELS)),
    principals: listOf(z.union([z.int(), z.string()]))
      .optional()
      .describe("User IDs or addresses; the caller if left out."),
    authorization_errors_fatal: boolean().default(true),
    announce: boolean()
      .default(false)
      .describe("Announces new channels, where the organization has a channel for that."),
    invite_only: boolean().default(false),
    is_web_public: boolean().default(false),
    is_default_stream: boolean().default(false),
    history_public_to_subscribers: boolean().optional(),
    message_retention_days: rawOrJson(z.union([z.int().positive(), z.enum(["realm_default", "unlimited"])])).default(
      "realm_default",
    ),
    topics_policy: rawOrJson(z.enum(TOPICS_POLICIES)).default("inherit"),
    folder_id: integer().optional(),
    send_new_subscription_messages: boolean().default(true),
    can_add_subscribers_group: group(),
    can_administer_channel_group: group(),
    can_delete_any_message_group: group(),
    can_delete_own_message_group: group(),
    can_move_messages_out_of_channel_group: group(),
    can_move_messages_within_channel_group: group(),
    can_remove_subscribers_group: group(),
    can_resolve_topics_group: group(),
    can_send_message_group: group(),
    can_subscribe_group: group(),
  },
  response: z.object({
    subscribed: z.record(z.string(), z.array(z.string())).describe("Channel names by user ID."),
    already_subscribed: z.record(z.string(), z.array(z.string())),
    unauthorized: z.array(z.string()).optional(),
    new_subscription_messages_sent: z.boolean().optional(),
  }),
  handle: ({ viewer, params, reader, transact }) => {
    const users = principalsIn(reader, viewer, params.principals);
    const errorsAreFatal = params.authorization_errors_fatal;
    const wishes = wishesIn(params);
    const result = transact((tx) =>
      subscribeTo(tx, viewer, { wanted: params.subscriptions, users, wishes, errorsAreFatal }),
    );
    return {
      subscribed: namesByUser(result.subscribed),
      already_subscribed: namesByUser(result.already),
      ...(errorsAreFatal ? {} : { unauthorized: result.unauthorized }),
      // The bot in whose name such messages are sent comes with the bots.
      ...(params.send_new_subscription_messages ? { new_subscription_messages_sent: false } : {}),
    };
  },
});

interface WishParams extends Partial<Record<keyof ChannelGroupSettings, GroupSetting | undefined>> {
  invite_only: boolean;
  is_web_public: boolean;
  is_default_stream: boolean;
  history_public_to_subscribers: boolean | undefined;
  message_retention_days: number | "realm_default" | "unlimited";
  topics_policy: ChannelWishes["topics_policy"];
  folder_id: number | undefined;
}

function wishesIn(params: WishParams): ChannelWishes {
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
    message_retention_days: days === "realm_default" ? null : days === "unlimited" ? -1 : days,
    topics_policy: params.topics_policy,
    folder_id: params.folder_id ?? null,
    groups,
  };
}

const namesByUser = (channels: ReadonlyMap<number, readonly Channel[]>): Record<string, string[]> =>
  Object.fromEntries([...channels].map(([userId, list]) => [String(userId), list.map(({ name }) => name)]));
