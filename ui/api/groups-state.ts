import type { WireUserGroup } from "../../server/queries/user-groups.ts";
import type { State, WireEvent } from "./state.ts";

type GroupEvent = Extract<WireEvent, { type: "user_group" }>;

const joined = (ids: readonly number[], more: readonly number[]) =>
  [...new Set([...ids, ...more])].sort((a, b) => a - b);
const left = (ids: readonly number[], gone: readonly number[]) => ids.filter((id) => !gone.includes(id));

function changed(group: WireUserGroup, event: Exclude<GroupEvent, { op: "add" | "remove" }>): WireUserGroup {
  switch (event.op) {
    case "update":
      return { ...group, ...event.data };
    case "add_members":
      return { ...group, members: joined(group.members, event.user_ids) };
    case "remove_members":
      return { ...group, members: left(group.members, event.user_ids) };
    case "add_subgroups":
      return { ...group, direct_subgroup_ids: joined(group.direct_subgroup_ids, event.direct_subgroup_ids) };
    case "remove_subgroups":
      return { ...group, direct_subgroup_ids: left(group.direct_subgroup_ids, event.direct_subgroup_ids) };
  }
}

/** Groups stay in the order of their ids. */
export function userGroupsChanged(state: State, event: GroupEvent): State {
  const groups = state.realm_user_groups;
  if (!groups) return state;
  const without = (id: number) => groups.filter((group) => group.id !== id);
  if (event.op === "add") {
    return { ...state, realm_user_groups: [...without(event.group.id), event.group].sort((a, b) => a.id - b.id) };
  }
  if (event.op === "remove") return { ...state, realm_user_groups: without(event.group_id) };
  return {
    ...state,
    realm_user_groups: groups.map((group) => (group.id === event.group_id ? changed(group, event) : group)),
  };
}
