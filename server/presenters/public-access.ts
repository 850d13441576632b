import { standInEmail } from "../access/email-visibility.ts";
import { channelsOpenToAll, SPECTATOR, sendersShownToAll } from "../access/public-access.ts";
import { CHANNEL_GROUP_SETTING_NAMES, type Channel } from "../queries/channels.ts";
import { ORGANIZATION_SETTINGS } from "../queries/organization-settings.ts";
import { ORGANIZATION_GROUP_SETTINGS } from "../queries/permission-settings.ts";
import { isSystemBot } from "../queries/system-bots.ts";
import { systemGroupId, systemGroupName } from "../queries/user-group-members.ts";
import { type User, userById } from "../queries/users.ts";
import type { Reader } from "../storage/transaction.ts";
import { channelOnWire } from "./channels.ts";
import { userPicture } from "./pictures.ts";
import type { RegisterContext } from "./register-context.ts";
import { avatarUrl } from "./users.ts";

type Fields = Record<string, unknown>;
type PublicPart = (context: RegisterContext, ordinary: () => Fields) => Fields;

/** A group setting, for who knows the system groups only and is in none: who else is meant is not said. */
function publicGroup(reader: Reader, value: unknown): number {
  const known = typeof value === "number" && systemGroupName(reader, value) !== undefined;
  return known ? value : systemGroupId(reader, "role:nobody");
}

function publicChannel(reader: Reader, channel: Channel, now: number): Fields {
  const fields: Fields = { ...channelOnWire(reader, channel, now), creator_id: null };
  for (const name of CHANNEL_GROUP_SETTING_NAMES) fields[name] = publicGroup(reader, fields[name]);
  return fields;
}

const publicChannels = ({ reader, now }: RegisterContext): Fields[] =>
  channelsOpenToAll(reader).map((channel) => publicChannel(reader, channel, now));

/** The organization, without the people, groups and channels that its settings name. */
function publicOrganization({ reader }: RegisterContext, ordinary: () => Fields): Fields {
  const fields = { ...ordinary() };
  const open = new Set(channelsOpenToAll(reader).map(({ id }) => id));
  for (const setting of Object.keys(ORGANIZATION_GROUP_SETTINGS)) {
    const name = `realm_${setting}`;
    if (name in fields) fields[name] = publicGroup(reader, fields[name]);
  }
  for (const setting of Object.keys(ORGANIZATION_SETTINGS)) {
    const name = `realm_${setting}`;
    if (/_(stream|channel)_id$/.test(name) && !open.has(fields[name] as number)) fields[name] = -1;
  }
  return fields;
}

/** As web-public channels are listed for who has no settings of their own. */
function asSubscription(channel: Fields, capabilities: RegisterContext["capabilities"]): Fields {
  const inherited = capabilities["notification_settings_null"] ? null : false;
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

/** Enough to show beside what somebody wrote. */
const publicUser = (reader: Reader, user: User): Fields => ({
  user_id: user.id,
  full_name: user.full_name,
  email: standInEmail(reader, user),
  delivery_email: null,
  is_active: user.is_active,
  is_bot: user.is_bot,
  avatar_url: avatarUrl(user),
  avatar_version: user.avatar_version,
});

function publicPeople({ reader }: RegisterContext): Fields {
  const shown = [...sendersShownToAll(reader)].sort((a, b) => a - b).flatMap((id) => userById(reader, id) ?? []);
  const listed = (wanted: (user: User) => boolean) => shown.filter(wanted).map((user) => publicUser(reader, user));
  return {
    realm_users: listed((user) => user.is_active && !isSystemBot(user)),
    realm_non_active_users: listed((user) => !user.is_active),
    cross_realm_bots: listed(isSystemBot).map((bot) => ({ ...bot, is_system_bot: true })),
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
}

/** The items of a list or map, each with some fields replaced. */
const without = (items: unknown, replaced: Fields): unknown =>
  Array.isArray(items)
    ? items.map((item) => ({ ...item, ...replaced }))
    : Object.fromEntries(Object.entries(items as object).map(([key, item]) => [key, { ...item, ...replaced }]));

const always = (fields: Fields) => () => fields;
const asForAll: PublicPart = (_, ordinary) => ordinary();

/**
 * POST /register for who has no account, by fetch name: every part that they get, and nothing that is not listed
 * here. `ordinary` is the part as it is made for people (docs/protocol.md#register-without-an-account).
 */
export const publicParts: Readonly<Record<string, PublicPart>> = {
  realm: publicOrganization,
  stream: (context) => ({ streams: publicChannels(context) }),
  subscription: (context) => ({
    subscriptions: publicChannels(context).map((channel) => asSubscription(channel, context.capabilities)),
    unsubscribed: [],
    never_subscribed: [],
  }),
  channel_folders: ({ reader }, ordinary) => {
    const open = new Set(channelsOpenToAll(reader).map(({ folder_id }) => folder_id));
    const folders = (ordinary()["channel_folders"] as { id: number }[]).filter(({ id }) => open.has(id));
    return { channel_folders: without(folders, { creator_id: null }) };
  },
  realm_user: publicPeople,
  realm_user_groups: ({ reader }, ordinary) => {
    const groups = ordinary()["realm_user_groups"] as { id: number }[];
    const system = groups.filter(({ id }) => systemGroupName(reader, id) !== undefined);
    return { realm_user_groups: without(system, { members: [] }) };
  },
  realm_emoji: (_, ordinary) => ({ realm_emoji: without(ordinary()["realm_emoji"], { author_id: null }) }),
  realm_linkifiers: asForAll,
  realm_filters: asForAll,
  realm_playgrounds: asForAll,
  stop_words: asForAll,
  giphy: asForAll,
  user_settings: asForAll,
  update_display_settings: asForAll,
  update_global_notifications: asForAll,
  realm_user_settings_defaults: asForAll,
  custom_profile_fields: (_, ordinary) => ({ ...ordinary(), custom_profile_fields: [] }),
  message: ({ fetches }) => ({
    max_message_id: -1,
    ...(fetches("update_message_flags") && {
      unread_msgs: { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false },
    }),
  }),
  presence: ({ now }) => ({ presences: {}, presence_last_update_id: -1, server_timestamp: now / 1000 }),
  muted_topics: ({ names }) => (names?.has("user_topic") ? {} : { muted_topics: [] }),
  realm_billing: always({ realm_billing: { has_pending_sponsorship_request: false } }),
  onboarding_steps: always({ onboarding_steps: [], navigation_tour_video_url: null }),
  video_calls: always({ has_zoom_token: false }),
  alert_words: always({ alert_words: [] }),
  drafts: always({ drafts: [] }),
  saved_snippets: always({ saved_snippets: [] }),
  scheduled_messages: always({ scheduled_messages: [] }),
  reminders: always({ reminders: [] }),
  navigation_views: always({ navigation_views: [] }),
  starred_messages: always({ starred_messages: [] }),
  recent_private_conversations: always({ recent_private_conversations: [] }),
  muted_users: always({ muted_users: [] }),
  user_topic: always({ user_topics: [] }),
  user_status: always({ user_status: {} }),
  push_device: always({ push_devices: {} }),
  realm_domains: always({ realm_domains: [] }),
  realm_bot: always({ realm_bots: [] }),
  realm_embedded_bots: always({ realm_embedded_bots: [] }),
  realm_incoming_webhook_bots: always({ realm_incoming_webhook_bots: [] }),
  default_streams: always({ realm_default_streams: [] }),
  default_stream_groups: always({ realm_default_stream_groups: [] }),
};
