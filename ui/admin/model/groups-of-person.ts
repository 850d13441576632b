import type { WireUserGroup } from "../../../server/api/presenters/user-groups.ts";

/**
 * The groups of a person by id, each with a shortest path of subgroups: from the direct subgroup to the group with the
 * person as a direct member. The path of a direct member is empty.
 */
export function groupsOfPerson(
  groups: readonly WireUserGroup[],
  userId: number,
): ReadonlyMap<number, readonly WireUserGroup[]> {
  const parents = new Map<number, WireUserGroup[]>();
  const paths = new Map<number, readonly WireUserGroup[]>();
  const found: WireUserGroup[] = [];
  for (const group of groups) {
    if (group.members.includes(userId)) {
      paths.set(group.id, []);
      found.push(group);
    }
    for (const id of group.direct_subgroup_ids) {
      const list = parents.get(id);
      if (list) list.push(group);
      else parents.set(id, [group]);
    }
  }
  // Breadth first: the loop appends to the list that it walks.
  for (const group of found)
    for (const parent of parents.get(group.id) ?? []) {
      if (paths.has(parent.id)) continue;
      paths.set(parent.id, [group, ...(paths.get(group.id) ?? [])]);
      found.push(parent);
    }
  return paths;
}
