import type { Reader } from "../../storage/transaction.ts";
import { organizationSetting } from "../queries/organization.ts";
import { ORGANIZATION_GROUP_SETTINGS, type OrganizationGroupSettingName } from "../queries/permission-settings.ts";
import { isInGroup } from "../queries/user-group-members.ts";
import { ROLES, type User } from "../queries/users.ts";

/** Owners are administrators too. */
export const isAdministrator = ({ role }: Pick<User, "role">): boolean => role <= ROLES.administrator;

/** Whether the user has this permission of the organization. Guests never have one that `role:everyone` cannot have. */
export function isPermitted(reader: Reader, user: User, name: OrganizationGroupSettingName): boolean {
  if (user.role === ROLES.guest && ORGANIZATION_GROUP_SETTINGS[name].forbidden.includes("role:everyone")) return false;
  return isInGroup(reader, user, organizationSetting(reader, name));
}
