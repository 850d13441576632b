import { z } from "zod";
import { standInEmail } from "../access/email-visibility.ts";
import { channelsOpenToAll, SPECTATOR, sendersShownToAll } from "../access/public-access.ts";
import { CHANNEL_GROUP_SETTING_NAMES, type Channel } from "../queries/channels.ts";
import { SETTINGS_OF_CHANNELS } from "../queries/organization-settings.ts";
import {
  type GroupSetting,
  ORGANIZATION_GROUP_SETTINGS,
  type OrganizationGroupSettingName,
} from "../queries/permission-settings.ts";
import { isSystemBot } from "../queries/system-bots.ts";
import { systemGroupId, systemGroupName } from "../queries/user-group-members.ts";
import { type User, userById } from "../queries/users.ts";
import type { Reader } from "../storage/transaction.ts";
import { channelOnWire, type WireChannel } from "./channels.ts";
import type { ClientCapabilities } from "./client-capabilities.ts";
import { customEmojiOnWire } from "./emoji.ts";
import { userPicture } from "./pictures.ts";
import {
  type Fields,
  type FieldValues,
  type RegisterContext,
  type RegisterPart,
  registerPart,
} from "./register-part.ts";
import { type PartName, registerParts } from "./register-parts.ts";
import type { WireSubscription } from "./subscriptions.ts";
import { registerParts as unsupportedFeatures } from "./unsupported-features.ts";
import { avatarUrl, wireUser } from "./users.ts";

/** A group setting as somebody sees it who knows the system groups only; any other value becomes `role:nobody`. */
function publicGroup(reader: Reader, value: GroupSetting): number {
  const isSystemGroup = typeof value === "number" && systemGroupName(reader, value) !== undefined;
  return isSystemGroup ? value : systemGroupId(reader, "role:nobody");
}

function publicChannel(reader: Reader, channel: Channel, now: number): WireChannel {
  const fields = { ...channelOnWire(reader, channel, now), creator_id: null };
  for (const name of CHANNEL_GROUP_SETTING_NAMES) fields[name] = publicGroup(reader, fields[name]);
  return fields;
}

const publicChannels = ({ reader, now }: RegisterContext): WireChannel[] =>
  channelsOpenToAll(reader).map((channel) => publicChannel(reader, channel, now));

/** The organization, without the people, groups and channels that its settings name. */
function publicOrganization(context: RegisterContext) {
  const { reader } = context;
  const fields = registerParts.realm.read(context);
  const open = new Set(channelsOpenToAll(reader).map(({ id }) => id));
  for (const setting of Object.keys(ORGANIZATION_GROUP_SETTINGS) as OrganizationGroupSettingName[])
    fields[`realm_${setting}`] = publicGroup(reader, fields[`realm_${setting}`]);
  for (const setting of SETTINGS_OF_CHANNELS)
    if (!open.has(fields[`realm_${setting}`])) fields[`realm_${setting}`] = -1;
  return fields;
}

/** Spectators have no settings of their own: web-public channels are listed with these. */
function asSubscription(channel: WireChannel, { notification_settings_null }: ClientCapabilities): WireSubscription {
  const inherited = notification_settings_null ? null : false;
  return {
    ...channel,
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

/** Enough of a person to show beside what they wrote. */
const wirePublicUser = wireUser.pick({
  user_id: true,
  full_name: true,
  email: true,
  delivery_email: true,
  is_active: true,
  is_bot: true,
  avatar_url: true,
  avatar_version: true,
});

const publicUser = (reader: Reader, user: User): z.output<typeof wirePublicUser> => ({
  user_id: user.id,
  full_name: user.full_name,
  email: standInEmail(reader, user),
  delivery_email: null,
  is_active: user.is_active,
  is_bot: user.is_bot,
  avatar_url: avatarUrl(user),
  avatar_version: user.avatar_version,
});

const publicPeople = registerPart(
  {
    ...registerParts.realm_user.fields,
    realm_users: z.array(wirePublicUser),
    realm_non_active_users: z.array(wirePublicUser),
    cross_realm_bots: z.array(wirePublicUser.extend({ is_system_bot: z.literal(true) })),
  },
  ({ reader }) => {
    const senders = [...sendersShownToAll(reader)].sort((a, b) => a - b).flatMap((id) => userById(reader, id) ?? []);
    const listed = (isListed: (user: User) => boolean) =>
      senders.filter(isListed).map((user) => publicUser(reader, user));
    return {
      realm_users: listed((user) => user.is_active && !isSystemBot(user)),
      realm_non_active_users: listed((user) => !user.is_active),
      cross_realm_bots: listed(isSystemBot).map((bot) => ({ ...bot, is_system_bot: true as const })),
      user_id: SPECTATOR.id,
      email: "",
      delivery_email: "",
      full_name: "",
      is_owner: false,
      is_admin: false,
      is_moderator: false,
      is_guest: true,
      avatar_source: "G",
      avatar_url: avatarUrl(SPECTATOR),
      avatar_url_medium: userPicture(SPECTATOR, "medium"),
      can_create_streams: false,
      can_create_public_streams: false,
      can_create_private_streams: false,
      can_create_web_public_streams: false,
      can_subscribe_other_users: false,
      can_invite_others_to_realm: false,
    };
  },
);

type Values<Name extends PartName> = FieldValues<(typeof registerParts)[Name]["fields"]>;

/** The part of this name with the same fields and other values. */
const partLike = <Name extends PartName>(name: Name, read: (context: RegisterContext) => Values<Name>) => ({
  fields: registerParts[name].fields as (typeof registerParts)[Name]["fields"],
  read,
});

/**
 * POST /register without an account (docs/protocol.md#register-without-an-account). Every part says here what
 * spectators get, so that a new part gives nothing away by itself.
 */
export const publicParts = {
  realm: partLike("realm", publicOrganization),
  stream: partLike("stream", (context) => ({ streams: publicChannels(context) })),
  subscription: partLike("subscription", (context) => ({
    subscriptions: publicChannels(context).map((channel) => asSubscription(channel, context.capabilities)),
    unsubscribed: [],
    never_subscribed: [],
  })),
  channel_folders: partLike("channel_folders", (context) => {
    const open = new Set(channelsOpenToAll(context.reader).map(({ folder_id }) => folder_id));
    const folders = registerParts.channel_folders.read(context).channel_folders.filter(({ id }) => open.has(id));
    return { channel_folders: folders.map((folder) => ({ ...folder, creator_id: null })) };
  }),
  realm_user: publicPeople,
  realm_user_groups: partLike("realm_user_groups", (context) => {
    const groups = registerParts.realm_user_groups.read(context).realm_user_groups;
    const systemGroups = groups.filter(({ id }) => systemGroupName(context.reader, id) !== undefined);
    return { realm_user_groups: systemGroups.map((group) => ({ ...group, members: [] })) };
  }),
  custom_profile_fields: partLike("custom_profile_fields", (context) => ({
    ...registerParts.custom_profile_fields.read(context),
    custom_profile_fields: [],
  })),
  message: partLike("message", ({ fetches }) => ({
    max_message_id: -1,
    ...(fetches("update_message_flags") && {
      unread_msgs: { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false },
    }),
  })),
  presence: partLike("presence", ({ now }) => ({
    presences: {},
    presence_last_update_id: -1,
    server_timestamp: now / 1000,
  })),
  muted_topics: partLike("muted_topics", ({ names }) => (names?.has("user_topic") ? {} : { muted_topics: [] })),
  onboarding_steps: partLike("onboarding_steps", () => ({ onboarding_steps: [], navigation_tour_video_url: null })),
  // What is the same for everybody.
  user_settings: registerParts.user_settings,
  update_display_settings: registerParts.update_display_settings,
  update_global_notifications: registerParts.update_global_notifications,
  realm_user_settings_defaults: registerParts.realm_user_settings_defaults,
  // Messages in web-public channels show them; who made them is nobody else's business.
  realm_emoji: partLike("realm_emoji", ({ reader }) => {
    const emoji = Object.entries(customEmojiOnWire(reader)).map(([id, one]) => [id, { ...one, author_id: null }]);
    return { realm_emoji: Object.fromEntries(emoji) };
  }),
  ...unsupportedFeatures,
  realm_filters: registerParts.realm_filters,
  // Only who writes needs them: what visitors read is rendered already.
  realm_linkifiers: partLike("realm_linkifiers", () => ({ realm_linkifiers: [] })),
  realm_playgrounds: registerParts.realm_playgrounds,
  realm_embedded_bots: registerParts.realm_embedded_bots,
  realm_incoming_webhook_bots: partLike("realm_incoming_webhook_bots", () => ({ realm_incoming_webhook_bots: [] })),
  // What only people with an account have.
  alert_words: partLike("alert_words", () => ({ alert_words: [] })),
  drafts: partLike("drafts", () => ({ drafts: [] })),
  saved_snippets: partLike("saved_snippets", () => ({ saved_snippets: [] })),
  scheduled_messages: partLike("scheduled_messages", () => ({ scheduled_messages: [] })),
  reminders: partLike("reminders", () => ({ reminders: [] })),
  navigation_views: partLike("navigation_views", () => ({ navigation_views: [] })),
  starred_messages: partLike("starred_messages", () => ({ starred_messages: [] })),
  recent_private_conversations: partLike("recent_private_conversations", () => ({ recent_private_conversations: [] })),
  muted_users: partLike("muted_users", () => ({ muted_users: [] })),
  user_topic: partLike("user_topic", () => ({ user_topics: [] })),
  user_status: partLike("user_status", () => ({ user_status: {} })),
  realm_bot: partLike("realm_bot", () => ({ realm_bots: [] })),
  realm_domains: partLike("realm_domains", () => ({ realm_domains: [] })),
  default_streams: partLike("default_streams", () => ({ realm_default_streams: [] })),
  default_stream_groups: partLike("default_stream_groups", () => ({ realm_default_stream_groups: [] })),
} satisfies Record<PartName, RegisterPart<Fields>>;
