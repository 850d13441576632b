import type { WireUserGroup } from "../../server/api/presenters/user-groups.ts";
import { insert, without } from "./id-lists.ts";
import type { Of, State } from "./state-shape.ts";

type GroupEvent = Of<"user_group">;

function changed(group: WireUserGroup, event: Exclude<GroupEvent, { op: "add" | "remove" }>): WireUserGroup {
  switch (event.op) {
    case "update":
      return { ...group, ...event.data };
    case "add_members":
      return { ...group, members: insert(group.members, event.user_ids) };
    case "remove_members":
      return { ...group, members: without(group.members, new Set(event.user_ids)) };
    case "add_subgroups":
      return { ...group, direct_subgroup_ids: insert(group.direct_subgroup_ids, event.direct_subgroup_ids) };
    case "remove_subgroups":
      return { ...group, direct_subgroup_ids: without(group.direct_subgroup_ids, new Set(event.direct_subgroup_ids)) };
  }
}

/** Groups stay in the order of their ids. */
export function userGroupsChanged(state: State, event: GroupEvent): State {
  const groups = state.realm_user_groups;
  if (!groups) return state;
  const others = (id: number) => groups.filter((group) => group.id !== id);
  if (event.op === "add") {
    return { ...state, realm_user_groups: [...others(event.group.id), event.group].sort((a, b) => a.id - b.id) };
  }
  if (event.op === "remove") return { ...state, realm_user_groups: others(event.group_id) };
  return {
    ...state,
    realm_user_groups: groups.map((group) => (group.id === event.group_id ? changed(group, event) : group)),
  };
}
