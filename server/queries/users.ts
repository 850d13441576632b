import { z } from "zod";
import { allUsers, emailKey, ROLES, type Role, type User } from "../access/users.ts";
import type { Reader } from "../storage/transaction.ts";
import { organizationSetting, ownPermissions } from "./organization.ts";
import { userPicture } from "./pictures.ts";
import type { RegisterPart } from "./register-context.ts";
import { userSetting } from "./user-settings.ts";

/** Contract/register.json, realm_users[]. */
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
  profile_data: z.record(z.string(), z.object({ value: z.string(), rendered_value: z.string().optional() })).optional(),
});
export type WireUser = z.output<typeof wireUser>;

const EVERYONE = 1;
/** The narrowest role that may see an address, by the owner's `email_address_visibility`; 4 is nobody. */
const LEAST_ROLE: Record<number, Role> = {
  1: ROLES.guest,
  2: ROLES.member,
  3: ROLES.administrator,
  5: ROLES.moderator,
};

const emailVisibility = (reader: Reader, user: User) => userSetting(reader, user.id, "email_address_visibility");

export const hidesEmail = (reader: Reader, user: User): boolean => emailVisibility(reader, user) !== EVERYONE;

/** The address by which clients know the user: the login address, unless the user hides it from anybody. */
export const apiEmail = (reader: Reader, user: User): string =>
  hidesEmail(reader, user) ? `user${user.id}@${organizationSetting(reader, "email_host")}` : user.email;

/** Whether the address is one that `apiEmail` makes: as a login address it would pass its owner off as another. */
export function standsForHidden(reader: Reader, email: string): boolean {
  const [name = "", host] = emailKey(email).split("@");
  return /^user\d+$/.test(name) && host === emailKey(organizationSetting(reader, "email_host"));
}

/** The login address, or null where the user hides it from the viewer. */
export function deliveryEmail(reader: Reader, user: User, viewer: Pick<User, "id" | "role">): string | null {
  if (viewer.id === user.id) return user.email;
  const least = LEAST_ROLE[emailVisibility(reader, user)];
  return least !== undefined && viewer.role <= least ? user.email : null;
}

/** Never null: pictures are our own, generated where none was uploaded. Relative to the server. */
export const avatarUrl = (user: User): string => userPicture(user);

/** The user with every field, as those see it who may see the login address. */
export const userOnWire = (reader: Reader, user: User): WireUser => ({
  user_id: user.id,
  delivery_email: user.email,
  email: apiEmail(reader, user),
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
  ...(user.is_bot ? {} : { profile_data: {} }),
});

export const userSeenBy = (reader: Reader, user: User, viewer: Pick<User, "id" | "role">): WireUser => ({
  ...userOnWire(reader, user),
  delivery_email: deliveryEmail(reader, user, viewer),
});

interface People {
  readonly all: readonly WireUser[];
  /** Those whose login address not everybody sees. */
  readonly hiding: readonly User[];
}

// Made once for all viewers: after a restart hundreds of clients register at once.
const people = (reader: Reader): People =>
  reader.derived(
    "people on the wire",
    ["users", "user_settings", "organization", "organization_settings", "user_groups"],
    (rows) => {
      const users = allUsers(rows);
      return {
        all: users.map((user) => userOnWire(rows, user)),
        hiding: users.filter((user) => hidesEmail(rows, user)),
      };
    },
  );

/** Everyone, deactivated users too, by id, as the viewer sees them. Not to be changed by the caller. */
export function usersSeenBy(reader: Reader, viewer: User): readonly WireUser[] {
  const { all, hiding } = people(reader);
  const hidden = new Set(hiding.filter((user) => deliveryEmail(reader, user, viewer) === null).map((user) => user.id));
  if (hidden.size === 0) return all;
  return all.map((user) => (hidden.has(user.user_id) ? { ...user, delivery_email: null } : user));
}

export const registerParts: Record<string, RegisterPart> = {
  realm_user: ({ reader, viewer }) => {
    const users = usersSeenBy(reader, viewer);
    return {
      realm_users: users.filter((user) => user.is_active),
      realm_non_active_users: users.filter((user) => !user.is_active),
      cross_realm_bots: [],
      user_id: viewer.id,
      email: apiEmail(reader, viewer),
      delivery_email: viewer.email,
      full_name: viewer.full_name,
      is_owner: viewer.role === ROLES.owner,
      is_admin: viewer.role <= ROLES.administrator,
      is_moderator: viewer.role <= ROLES.moderator,
      is_guest: viewer.role === ROLES.guest,
      avatar_source: "G",
      avatar_url: avatarUrl(viewer),
      avatar_url_medium: userPicture(viewer, "medium"),
      ...ownPermissions(reader, viewer),
    };
  },
};
