import type { WireUserGroup } from "../../../server/api/presenters/user-groups.ts";
import type { GroupSetting } from "../../../server/api/queries/permission-settings.ts";

export type { GroupSetting };

/** The ids in a group setting, in either of its forms (docs/protocol.md#group-settings). */
export const namedIn = (value: GroupSetting): { people: readonly number[]; groups: readonly number[] } =>
  typeof value === "number"
    ? { people: [], groups: [value] }
    : { people: value.direct_members, groups: value.direct_subgroups };

/**
 * The people that a group setting includes, by user id. The value is the shortest path of groups from the setting to the
 * person; it is empty for a person that the setting names. Groups that contain each other are visited once.
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

/** A group and the groups that contain it, directly or not. None of them can become its subgroup. */
export function groupsThatHold(groups: readonly WireUserGroup[], id: number): Set<number> {
  const holding = new Set([id]);
  for (const held of holding)
    for (const group of groups) if (group.direct_subgroup_ids.includes(held)) holding.add(group.id);
  return holding;
}
