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

/** Puts system groups in order, the widest first. */
export const byRole = (a: WireUserGroup, b: WireUserGroup): number => ROLES.indexOf(a.name) - ROLES.indexOf(b.name);

export interface GroupNames {
  /** A group's name; of a system group, which roles it covers. */
  nameOf(group: WireUserGroup): string;
  /** What a group says of itself; of a system group, who is in it. */
  descriptionOf(group: WireUserGroup): string;
  /** `Coaches → Rowing school`. Roles include each other, so of several in a row the first one is enough. */
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
