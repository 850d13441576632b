import type { Reader } from "../../storage/transaction.ts";
import { isSystemBot } from "../queries/bots.ts";
import { organizationSetting } from "../queries/organization.ts";
import { userSetting } from "../queries/user-settings.ts";
import { emailKey, ROLES, type Role, type User } from "../queries/users.ts";
import { isSpectator } from "./public-access.ts";

export const EVERYONE = 1;
/** The lowest role that can see the address, by `email_address_visibility`. Value 4 means no one. */
const MIN_ROLE: Record<number, Role> = {
  1: ROLES.guest,
  2: ROLES.member,
  3: ROLES.administrator,
  5: ROLES.moderator,
};

const emailVisibility = (reader: Reader, user: User) => userSetting(reader, user.id, "email_address_visibility");

export const hidesEmail = (reader: Reader, user: User): boolean =>
  !isSystemBot(user) && emailVisibility(reader, user) !== EVERYONE;

/** Replaces a hidden email address. */
export const standInEmail = (reader: Reader, user: Pick<User, "id">): string =>
  `user${user.id}@${organizationSetting(reader, "email_host")}`;

/** The email address in the API: the login email address, unless the user hides it from anyone. */
export const apiEmail = (reader: Reader, user: User): string =>
  hidesEmail(reader, user) ? standInEmail(reader, user) : user.email;

/** Whether an email address looks like a stand-in. An account with it could impersonate another user. */
export function couldBeStandIn(reader: Reader, email: string): boolean {
  const [name = "", domain] = emailKey(email).split("@");
  return /^user\d+$/.test(name) && domain === emailKey(organizationSetting(reader, "email_host"));
}

export function deliveryEmail(reader: Reader, user: User, viewer: Pick<User, "id" | "role">): string | null {
  if (viewer.id === user.id) return user.email;
  if (isSpectator(viewer)) return null;
  if (isSystemBot(user)) return user.email;
  return isOpenTo(viewer, emailVisibility(reader, user)) ? user.email : null;
}

function isOpenTo(viewer: Pick<User, "role">, visibility: number): boolean {
  const minRole = MIN_ROLE[visibility];
  return minRole !== undefined && viewer.role <= minRole; // Higher roles have lower numbers.
}
