import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { apiEmail, deliveryEmail, EVERYONE, standInEmail } from "../access/email-visibility.ts";
import { canSeeUser, seesEverybody } from "../access/people.ts";
import { isSpectator, SPECTATOR, sendersShownToAll } from "../access/public-access.ts";
import { channelsOfUser } from "../access/subscriptions.ts";
import { isSystemBot, systemBots } from "../queries/bots.ts";
import { organizationCreatedAt } from "../queries/organization.ts";
import { PROFILE_TABLES, profileDataOf } from "../queries/profile-fields.ts";
import { pendingMessageCount } from "../queries/scheduled-messages.ts";
import { settingByUser } from "../queries/user-settings.ts";
import { allUsers, ROLES, type User, userById } from "../queries/users.ts";
import { ownPermissionFields, ownPermissions } from "./organization.ts";
import { avatarSource, userPicture } from "./pictures.ts";
import { type FieldValues, type RegisterContext, registerPart } from "./register-part.ts";
import { sessionList, wireSession } from "./sessions.ts";

/** A user in /register: docs/protocol.md#names-of-people. */
export const wireUser = z.object({
  user_id: z.int(),
  delivery_email: z.string().nullable(),
  email: z.string(),
  full_name: z.string(),
  date_joined: z.iso.datetime(),
  is_active: z.boolean(),
  is_owner: z.boolean(),
  is_admin: z.boolean(),
  is_guest: z.boolean(),
  is_bot: z.boolean(),
  bot_type: z.int().nullable(),
  bot_owner_id: z.int().nullable(),
  role: z.int(),
  timezone: z.string(),
  avatar_url: z.string(),
  avatar_version: z.int(),
  is_imported_stub: z
    .boolean()
    .describe("Whether an import created the account, and its person has not signed in yet."),
  profile_data: z
    .record(z.string(), z.object({ value: z.string(), rendered_value: z.string().exactOptional() }))
    .exactOptional(),
});
export type WireUser = z.output<typeof wireUser>;
const wireSystemBot = wireUser.extend({ is_system_bot: z.literal(true) });

/** The name of users that the viewer cannot see, for clients that need a name. */
export const HIDDEN_NAME = "Unknown user";

/** The sender of a message, for viewers who cannot see that user. */
export const hiddenSender = (reader: Reader, id: number) => ({
  sender_email: standInEmail(reader, { id }),
  sender_full_name: HIDDEN_NAME,
  avatar_url: userPicture({ id, avatar_version: 1 }),
});

/** Never null: a user without an uploaded picture has a generated one. Relative to the server. */
export const avatarUrl = (user: User): string => userPicture(user);

/** All fields of a user, without hiding the email address. */
const openlyOnWire = (reader: Reader, user: User): WireUser => ({
  user_id: user.id,
  delivery_email: user.email,
  email: user.email,
  full_name: user.full_name,
  date_joined: new Date(user.joined_at).toISOString(),
  is_active: user.is_active,
  is_owner: user.role === ROLES.owner,
  is_admin: user.role <= ROLES.administrator,
  is_guest: user.role === ROLES.guest,
  is_bot: user.is_bot,
  bot_type: user.bot_type,
  bot_owner_id: user.bot_owner_id,
  role: user.role,
  timezone: user.timezone,
  avatar_url: avatarUrl(user),
  avatar_version: user.avatar_version,
  is_imported_stub: user.is_imported_stub,
  ...(user.is_bot ? {} : { profile_data: profileDataOf(reader, user.id) }),
});

/** All fields of a user, for viewers who can see the login email address. */
export const userOnWire = (reader: Reader, user: User): WireUser => ({
  ...openlyOnWire(reader, user),
  email: apiEmail(reader, user),
});

/** A placeholder for a user that the viewer cannot see, for clients that need one. Only its id is real. */
export const hiddenOnWire = (reader: Reader, user: User): WireUser => ({
  ...openlyOnWire(reader, user),
  email: standInEmail(reader, user),
  delivery_email: null,
  full_name: HIDDEN_NAME,
  date_joined: new Date(organizationCreatedAt(reader)).toISOString(),
  is_active: true,
  is_owner: false,
  is_admin: false,
  is_guest: false,
  role: ROLES.member,
  timezone: "",
  avatar_url: userPicture({ id: user.id, avatar_version: 1 }),
  avatar_version: 1,
  profile_data: {},
});

export const userSeenBy = (reader: Reader, user: User, viewer: Pick<User, "id" | "role">): WireUser => ({
  ...userOnWire(reader, user),
  delivery_email: deliveryEmail(reader, user, viewer),
});

// Cached for all viewers, since hundreds of clients register at the same time after a restart. Hidden email addresses
// are replaced afterwards, so that a change of a user's own settings does not invalidate the cache.
const people = (reader: Reader): readonly { user: User; open: WireUser }[] =>
  reader.derived("people on the wire", ["users", ...PROFILE_TABLES], (rows) =>
    allUsers(rows).map((user) => ({ user, open: openlyOnWire(rows, user) })),
  );

/**
 * All users by id as the viewer sees them, including deactivated ones. Users that the viewer cannot see are omitted, or
 * replaced by the result of `hidden`. Callers must not modify the result.
 */
export function usersSeenBy(
  reader: Reader,
  viewer: User,
  hidden?: (reader: Reader, user: User) => WireUser,
): readonly WireUser[] {
  const visibility = settingByUser(reader, "email_address_visibility");
  const shown = ({ user, open }: { user: User; open: WireUser }) =>
    visibility(user.id) === EVERYONE && !isSpectator(viewer) ? open : userSeenBy(reader, user, viewer);
  if (seesEverybody(reader, viewer)) return people(reader).map(shown);
  return people(reader).flatMap((person) => {
    if (canSeeUser(reader, viewer, person.user)) return [shown(person)];
    return hidden ? [hidden(reader, person.user)] : [];
  });
}

/** `cross_realm_bots`: the server's own bots, which no user list contains (docs/protocol.md#names-of-people). */
const systemBotsOnWire = (reader: Reader): z.output<typeof wireSystemBot>[] =>
  systemBots(reader).map((bot) => ({ ...userOnWire(reader, bot), is_system_bot: true }));

/** The fields that clients show next to a user's messages. */
const wirePublicUser = wireUser.pick({
  user_id: true,
  full_name: true,
  email: true,
  delivery_email: true,
  is_active: true,
  is_bot: true,
  avatar_url: true,
  avatar_version: true,
  is_imported_stub: true,
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
  is_imported_stub: user.is_imported_stub,
});

const ownFields = {
  user_id: z.int().describe("The caller."),
  email: z.string(),
  delivery_email: z.string(),
  full_name: z.string(),
  is_owner: z.boolean(),
  is_admin: z.boolean(),
  is_moderator: z.boolean(),
  is_guest: z.boolean(),
  avatar_source: z.string(),
  avatar_url: z.string(),
  avatar_url_medium: z.string(),
  ...ownPermissionFields,
};

const publicFields = {
  realm_users: z.array(wirePublicUser),
  realm_non_active_users: z.array(wirePublicUser),
  cross_realm_bots: z.array(wirePublicUser.extend({ is_system_bot: z.literal(true) })),
  ...ownFields,
};

function publicPeople({ reader }: RegisterContext): FieldValues<typeof publicFields> {
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
}

export const registerParts = {
  realm_user: registerPart({
    fields: {
      realm_users: z.array(wireUser).describe("Active users, ordered by ID."),
      realm_non_active_users: z.array(wireUser),
      cross_realm_bots: z.array(wireSystemBot),
      ...ownFields,
    },
    read: ({ reader, viewer, capabilities }) => {
      const users = usersSeenBy(reader, viewer, capabilities.user_list_incomplete ? undefined : hiddenOnWire);
      return {
        realm_users: users.filter((user) => user.is_active),
        realm_non_active_users: users.filter((user) => !user.is_active),
        cross_realm_bots: systemBotsOnWire(reader),
        user_id: viewer.id,
        email: apiEmail(reader, viewer),
        delivery_email: viewer.email,
        full_name: viewer.full_name,
        is_owner: viewer.role === ROLES.owner,
        is_admin: viewer.role <= ROLES.administrator,
        is_moderator: viewer.role <= ROLES.moderator,
        is_guest: viewer.role === ROLES.guest,
        avatar_source: avatarSource(viewer),
        avatar_url: avatarUrl(viewer),
        avatar_url_medium: userPicture(viewer, "medium"),
        ...ownPermissions(reader, viewer),
      };
    },
    spectatorFields: publicFields,
    spectators: publicPeople,
  }),
};

/** The response of GET /host/users/{user_id}. */
export const wireUserAccount = z.object({
  channel_ids: z.array(z.int()).describe("The user's channels that the caller can see, without archived channels."),
  sessions: z.array(wireSession).describe("Sessions in browsers, newest first."),
  listening: z.int().describe("Number of apps and pages that wait for events or polled recently."),
  scheduled_messages: z.int().describe("Number of pending scheduled messages and reminders."),
});
export type WireUserAccount = z.output<typeof wireUserAccount>;

/**
 * `now`: milliseconds since the epoch. `listening`: from the event queues. `token`: the content of the caller's session
 * cookie. The channels of a deactivated user are the ones that reactivation restores.
 */
export const userAccount = (
  reader: Reader,
  viewer: User,
  user: User,
  { now, token, listening }: { now: number; token: string | undefined; listening: number },
): WireUserAccount => ({
  channel_ids: channelsOfUser(reader, viewer, user),
  sessions: sessionList(reader, user, now, token),
  listening,
  scheduled_messages: pendingMessageCount(reader, user.id),
});
