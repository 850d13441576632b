import type { WireUserGroup } from "../../../server/api/presenters/user-groups.ts";
import type { GroupSetting } from "../../../server/api/queries/permission-settings.ts";

export type { GroupSetting };

/** The value of a group setting as lists of ids, whichever form it has (docs/protocol.md#group-settings). */
export const namedIn = (value: GroupSetting): { people: readonly number[]; groups: readonly number[] } =>
  typeof value === "number"
    ? { people: [], groups: [value] }
    : { people: value.direct_members, groups: value.direct_subgroups };

/**
 * Everybody whom a group setting covers, by user id, with the groups that lead to them: from the one that the setting
 * names to the one that has the person as a member. Of several ways it is a shortest one; it is empty for somebody whom
 * the setting names directly. Groups that hold each other are visited once.
 */
export function membersInEffect(
  groups: readonly WireUserGroup[],
  value: GroupSetting,
): ReadonlyMap<number, readonly WireUserGroup[]> {
  const byId = new Map(groups.map((group) => [group.id, group]));
  const named = namedIn(value);
  const ways = new Map<number, readonly WireUserGroup[]>(named.people.map((id) => [id, []]));
  const visited = new Set<number>();
  let level = named.groups.map((id) => ({ id, before: [] as readonly WireUserGroup[] }));
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { id, before } of level) {
      const group = byId.get(id);
      if (!group || visited.has(id)) continue;
      visited.add(id);
      const way = [...before, group];
      for (const member of group.members) if (!ways.has(member)) ways.set(member, way);
      for (const subgroup of group.direct_subgroup_ids) next.push({ id: subgroup, before: way });
    }
    level = next;
  }
  return ways;
}

/** The groups that hold this one, directly or through others, and itself: none of them can become a part of it. */
export function groupsThatHold(groups: readonly WireUserGroup[], id: number): Set<number> {
  const holding = new Set([id]);
  // The set grows while it is walked.
  for (const held of holding)
    for (const group of groups) if (group.direct_subgroup_ids.includes(held)) holding.add(group.id);
  return holding;
}
