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
  /** Translated for groups of roles. */
  readonly name: string;
  /** Translated for groups of roles. */
  readonly description: string;
  readonly kind: "own" | "role";
  readonly group: WireUserGroup;
  /** Number of active people and bots, also through subgroups. */
  readonly members: number;
  /** The number as a text, such as `2 people and 1 bot`. */
  readonly membersInWords: string;
  readonly subgroups: readonly string[];
}

/** All groups except role:internet, which has no known members. */
export function useGroups(): Group[] {
  const { t } = useTranslation();
  const { nameOf, descriptionOf } = useGroupNames();
  const groups = useOrganization(({ realm_user_groups }) => realm_user_groups);
  const users = useOrganization(({ realm_users }) => realm_users);
  // biome-ignore lint/correctness/useExhaustiveDependencies: names depend only on the language, which stays the same
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

export const useMayCreateGroups = (): boolean =>
  useOrganization((state) => includesSelf(state, state.realm_can_create_groups));

/** Whether the user may change all settings of the group. */
export const useMayManageGroup = (group: WireUserGroup): boolean =>
  useOrganization(
    (state) =>
      !group.is_system_group &&
      (includesSelf(state, state.realm_can_manage_all_groups) || includesSelf(state, group.can_manage_group)),
  );

export interface MemberRights {
  /** Add people and subgroups. */
  readonly mayAdd: boolean;
  readonly mayRemove: boolean;
  readonly mayJoin: boolean;
  readonly mayLeave: boolean;
}

/** The actions that the page offers for a group's members. The server checks permissions again. */
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
