import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { WireUserGroup } from "../../../../server/api/presenters/user-groups.ts";
import type { State } from "../../../api/state-shape.ts";
import { type GroupSetting, membersInEffect } from "../../../parts/settings/group-members.ts";
import { peopleAndBots } from "../../../parts/settings/people-and-bots.ts";
import { useGroupNames } from "../../../parts/settings/use-group-names.ts";
import { useOrganization } from "../../admin-context.ts";

export interface Group {
  readonly id: number;
  /** In words, where it follows from roles. */
  readonly name: string;
  /** The same. */
  readonly description: string;
  readonly kind: "own" | "role";
  readonly group: WireUserGroup;
  /** How many active people and bots are in it in effect. */
  readonly members: number;
  /** The same in words. */
  readonly membersInWords: string;
  readonly subgroups: readonly string[];
}

/** Every group but that of everybody on the internet, which holds nobody known. */
export function useGroups(): Group[] {
  const { t } = useTranslation();
  const { nameOf, descriptionOf } = useGroupNames();
  const groups = useOrganization(({ realm_user_groups }) => realm_user_groups);
  const users = useOrganization(({ realm_users }) => realm_users);
  // Names depend on the language alone, and that does not change while the page is open.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  return useMemo(() => {
    const all = groups ?? [];
    const byId = new Map(all.map((group) => [group.id, group]));
    return all
      .filter(({ name, is_system_group }) => !is_system_group || name !== "role:internet")
      .map((group) => {
        const ways = membersInEffect(all, group.id);
        const members = (users ?? []).filter(({ user_id }) => ways.has(user_id));
        return {
          id: group.id,
          name: nameOf(group),
          description: descriptionOf(group),
          kind: group.is_system_group ? "role" : "own",
          group,
          members: members.length,
          membersInWords: peopleAndBots(members, t),
          subgroups: group.direct_subgroup_ids.flatMap((id) => byId.get(id) ?? []).map(nameOf),
        };
      });
  }, [groups, users]);
}

export const includesSelf = (
  { realm_user_groups = [], user_id = 0, is_guest }: State,
  setting: GroupSetting | undefined,
) => setting !== undefined && is_guest !== true && membersInEffect(realm_user_groups, setting).has(user_id);

/** Whether the viewer may make groups. */
export const useMayCreateGroups = (): boolean =>
  useOrganization((state) => includesSelf(state, state.realm_can_create_groups));

/** Whether the viewer may change everything of the group. */
export const useMayManageGroup = (group: WireUserGroup): boolean =>
  useOrganization(
    (state) =>
      !group.is_system_group &&
      (includesSelf(state, state.realm_can_manage_all_groups) || includesSelf(state, group.can_manage_group)),
  );

export interface MemberRights {
  /** People and other groups. */
  readonly mayAdd: boolean;
  readonly mayRemove: boolean;
  readonly mayJoin: boolean;
  readonly mayLeave: boolean;
}

/** What the viewer may do with the members of a group in use. The server decides; this is for what the page offers. */
export function useMemberRights(group: WireUserGroup): MemberRights {
  const manages = useMayManageGroup(group);
  const isChangeable = !group.is_system_group && !group.deactivated;
  const adds = useOrganization((state) => includesSelf(state, group.can_add_members_group));
  const removes = useOrganization((state) => includesSelf(state, group.can_remove_members_group));
  const joins = useOrganization((state) => includesSelf(state, group.can_join_group));
  const leaves = useOrganization((state) => includesSelf(state, group.can_leave_group));
  const mayAdd = isChangeable && (manages || adds);
  const mayRemove = isChangeable && (manages || removes);
  return {
    mayAdd,
    mayRemove,
    mayJoin: mayAdd || (isChangeable && joins),
    mayLeave: mayRemove || (isChangeable && leaves),
  };
}
