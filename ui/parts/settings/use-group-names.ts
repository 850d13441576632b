import { useTranslation } from "react-i18next";
import type { WireUserGroup } from "../../../server/api/presenters/user-groups.ts";
import type { SystemGroupName } from "../../../server/api/queries/permission-settings.ts";

type Role = SystemGroupName extends `role:${infer Name}` ? Name : never;

const ROLES: readonly string[] = [
  "role:everyone",
  "role:members",
  "role:fullmembers",
  "role:moderators",
  "role:administrators",
  "role:owners",
  "role:nobody",
] satisfies SystemGroupName[];

const roleOf = (name: string): Role => name.replace("role:", "") as Role;

/** Sorts system groups, the widest first. */
export const byRole = (a: WireUserGroup, b: WireUserGroup): number => ROLES.indexOf(a.name) - ROLES.indexOf(b.name);

export interface GroupNames {
  /** The name of a group, or the roles of a system group. */
  nameOf(group: WireUserGroup): string;
  descriptionOf(group: WireUserGroup): string;
  /** Such as `Coaches → Rowing school`. Roles include each other, so the first of several in a row is enough. */
  wayTo(groups: readonly WireUserGroup[]): string;
}

export function useGroupNames(): GroupNames {
  const { t } = useTranslation();
  const nameOf = ({ name, is_system_group }: WireUserGroup): string =>
    is_system_group ? t(`permissions.roles.${roleOf(name)}`) : name;
  const descriptionOf = ({ name, description, is_system_group }: WireUserGroup): string =>
    is_system_group ? t(`systemGroups.${roleOf(name)}`) : description;
  const wayTo = (groups: readonly WireUserGroup[]): string =>
    groups
      .filter(({ is_system_group }, index) => !is_system_group || groups[index - 1]?.is_system_group !== true)
      .map(nameOf)
      .join(" → ");
  return { nameOf, descriptionOf, wayTo };
}
