import assert from "node:assert/strict";
import test from "node:test";
import type { WireUserGroup } from "../../server/api/presenters/user-groups.ts";
import { groupsOfPerson } from "../../ui/admin/model/groups-of-person.ts";
import { groupsThatHold, membersInEffect, namedIn } from "../../ui/parts/settings/group-members.ts";

const group = (id: number, members: number[], direct_subgroup_ids: number[] = []): WireUserGroup => ({
  id,
  name: `group ${id}`,
  description: "",
  is_system_group: false,
  date_created: 0,
  creator_id: null,
  members,
  direct_subgroup_ids,
  deactivated: false,
  can_add_members_group: 1,
  can_join_group: 1,
  can_leave_group: 1,
  can_manage_group: 1,
  can_mention_group: 1,
  can_remove_members_group: 1,
});

const ways = (groups: WireUserGroup[], value: Parameters<typeof membersInEffect>[1]) =>
  Object.fromEntries([...membersInEffect(groups, value)].map(([id, way]) => [id, way.map((one) => one.id)]));

test("a group includes subgroup members and shows the path", () => {
  const groups = [group(1, [10], [2]), group(2, [20], [3]), group(3, [30]), group(4, [40])];
  assert.deepEqual(ways(groups, 1), { 10: [1], 20: [1, 2], 30: [1, 2, 3] });
});

test("the shortest path to a person counts", () => {
  const groups = [group(1, [], [2]), group(2, [20, 30]), group(3, [30])];
  const value = { direct_members: [20], direct_subgroups: [1, 3] };
  assert.deepEqual(ways(groups, value), { 20: [], 30: [3] });
});

test("circular groups terminate", () => {
  const groups = [group(1, [10], [2]), group(2, [20], [1])];
  assert.deepEqual(ways(groups, 2), { 10: [2, 1], 20: [2] });
});

test("an unknown group has no members", () => {
  assert.deepEqual(ways([], 7), {});
});

test("both forms of a setting name people and groups", () => {
  assert.deepEqual(namedIn(7), { people: [], groups: [7] });
  assert.deepEqual(namedIn({ direct_members: [1], direct_subgroups: [2, 3] }), { people: [1], groups: [2, 3] });
});

test("a user is in groups above theirs, by the shortest path", () => {
  const groups = [group(1, [10]), group(2, [], [1]), group(3, [20], [2]), group(4, [10], [3]), group(5, [20])];
  const found = [...groupsOfPerson(groups, 10)].map(([id, way]) => [id, way.map((one) => one.id)]);
  assert.deepEqual(Object.fromEntries(found), { 1: [], 2: [1], 3: [2, 1], 4: [] });
});

test("a group cannot contain itself indirectly", () => {
  const groups = [group(1, [], [2]), group(2, [], [3]), group(3, []), group(4, [], [1]), group(5, [])];
  assert.deepEqual([...groupsThatHold(groups, 3)].sort(), [1, 2, 3, 4]);
  assert.deepEqual([...groupsThatHold([group(1, [], [2]), group(2, [], [1])], 1)].sort(), [1, 2]);
});
