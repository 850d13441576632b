import type { WireUserGroup } from "../../../server/api/presenters/user-groups.ts";

/**
 * The groups that a person is in, by group id, each with the groups that lead to them: from the one that the group holds
 * to the one that has the person as a member. Of several ways it is a shortest one; it is empty for a direct member.
 */
export function groupsOfPerson(
  groups: readonly WireUserGroup[],
  userId: number,
): ReadonlyMap<number, readonly WireUserGroup[]> {
  const holders = new Map<number, WireUserGroup[]>();
  const ways = new Map<number, readonly WireUserGroup[]>();
  const found: WireUserGroup[] = [];
  for (const group of groups) {
    if (group.members.includes(userId)) {
      ways.set(group.id, []);
      found.push(group);
    }
    for (const id of group.direct_subgroup_ids) {
      const list = holders.get(id);
      if (list) list.push(group);
      else holders.set(id, [group]);
    }
  }
  // The list grows while it is walked: what was found is walked in its turn.
  for (const group of found)
    for (const holder of holders.get(group.id) ?? []) {
      if (ways.has(holder.id)) continue;
      ways.set(holder.id, [group, ...(ways.get(group.id) ?? [])]);
      found.push(holder);
    }
  return ways;
}
