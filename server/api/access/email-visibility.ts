import type { Reader } from "../../storage/transaction.ts";
import { isSystemBot } from "../queries/bots.ts";
import { organizationSetting } from "../queries/organization.ts";
import { userSetting } from "../queries/user-settings.ts";
import { emailKey, ROLES, type Role, type User } from "../queries/users.ts";
import { isSpectator } from "./public-access.ts";

export const EVERYONE = 1;
/** The least privileged role that may see an address, by the owner's `email_address_visibility`; 4 is nobody. */
const MIN_ROLE: Record<number, Role> = {
  1: ROLES.guest,
  2: ROLES.member,
  3: ROLES.administrator,
  5: ROLES.moderator,
};

const emailVisibility = (reader: Reader, user: User) => userSetting(reader, user.id, "email_address_visibility");

export const hidesEmail = (reader: Reader, user: User): boolean =>
  !isSystemBot(user) && emailVisibility(reader, user) !== EVERYONE;

/** The address shown in place of a hidden one. */
export const standInEmail = (reader: Reader, user: Pick<User, "id">): string =>
  `user${user.id}@${organizationSetting(reader, "email_host")}`;

/** The address by which clients know the user: the login address, unless the user hides it from somebody. */
export const apiEmail = (reader: Reader, user: User): string =>
  hidesEmail(reader, user) ? standInEmail(reader, user) : user.email;

/** Whether the address could be a stand-in: as a login address it would pass its owner off as another user. */
export function standsForHidden(reader: Reader, email: string): boolean {
  const [name = "", domain] = emailKey(email).split("@");
  return /^user\d+$/.test(name) && domain === emailKey(organizationSetting(reader, "email_host"));
}

/** The login address, or null if the user hides it from the viewer. */
export function deliveryEmail(reader: Reader, user: User, viewer: Pick<User, "id" | "role">): string | null {
  if (viewer.id === user.id) return user.email;
  if (isSpectator(viewer)) return null;
  if (isSystemBot(user)) return user.email;
  return isOpenTo(viewer, emailVisibility(reader, user)) ? user.email : null;
}

function isOpenTo(viewer: Pick<User, "role">, visibility: number): boolean {
  const minRole = MIN_ROLE[visibility];
  return minRole !== undefined && viewer.role <= minRole; // roles with more rights have lower numbers
}
