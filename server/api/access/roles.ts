import type { Reader } from "../../storage/transaction.ts";
import { organizationSetting } from "../queries/organization.ts";
import { ORGANIZATION_GROUP_SETTINGS, type OrganizationGroupSettingName } from "../queries/permission-settings.ts";
import { isInGroup } from "../queries/user-group-members.ts";
import { ROLES, type User } from "../queries/users.ts";

/** Includes owners. */
export const isAdministrator = ({ role }: Pick<User, "role">): boolean => role <= ROLES.administrator;

/** Guests never have a permission that excludes `role:everyone`. */
export function isPermitted(reader: Reader, user: User, name: OrganizationGroupSettingName): boolean {
  if (user.role === ROLES.guest && ORGANIZATION_GROUP_SETTINGS[name].forbidden.includes("role:everyone")) return false;
  return isInGroup(reader, user, organizationSetting(reader, name));
}
