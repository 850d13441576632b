import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { allowedMemberChange } from "../../server/api/access/user-groups.ts";
import { changeMembers, createUserGroup } from "../../server/api/actions/user-groups.ts";
import { SYSTEM_GROUPS } from "../../server/api/queries/permission-settings.ts";
import {
  groupsHolding,
  isInGroup,
  subgroupsIn,
  systemGroupsOf,
  usersInGroup,
} from "../../server/api/queries/user-group-members.ts";
import { ROLES, type Role, type User, userById } from "../../server/api/queries/users.ts";
import { ApiError } from "../../server/errors.ts";
import type { Reader } from "../../server/storage/transaction.ts";
import { type Organization, startOrganization } from "../support/organization.ts";

const STEPS = 300;

function random(seed: number) {
  const numbers = fc.sample(fc.noBias(fc.nat()), { seed, numRuns: 10 * STEPS });
  return (below: number): number => (numbers.pop() as number) % below;
}

/** A naive model of groups: members by name, and subgroups. Roles are looked up. */
class Model {
  readonly members = new Map<number, Set<number>>();
  readonly subgroups = new Map<number, Set<number>>();

  constructor(reader: Reader) {
    for (const { id } of reader.all<{ id: number }>("SELECT id FROM user_groups ORDER BY id")) this.add(id);
    const held = reader.all<{ group_id: number; subgroup_id: number }>("SELECT * FROM user_group_subgroups");
    for (const { group_id, subgroup_id } of held) this.subgroups.get(group_id)?.add(subgroup_id);
  }

  add(id: number) {
    this.members.set(id, new Set());
    this.subgroups.set(id, new Set());
  }

  reaches(from: number, to: number): boolean {
    return [...(this.subgroups.get(from) ?? [])].some((id) => id === to || this.reaches(id, to));
  }

  holds(id: number, user: User, direct: ReadonlySet<number>): boolean {
    if (!user.is_active) return false;
    if (direct.has(id) || this.members.get(id)?.has(user.id)) return true;
    return [...(this.subgroups.get(id) ?? [])].some((subgroup) => this.holds(subgroup, user, direct));
  }
}

function check(organization: Organization, model: Model, userIds: readonly number[], story: string): void {
  const { reader } = organization.store;
  const ids = [...model.members.keys()];
  const now = Date.now();
  const system = new Map(
    SYSTEM_GROUPS.map(({ name }) => [
      name,
      reader.value<number>("SELECT id FROM user_groups WHERE name = ?", name) as number,
    ]),
  );
  const everyone = userIds.map((id) => userById(reader, id) as User);
  const byRole = new Map(
    everyone.map((user) => [
      user.id,
      new Set(systemGroupsOf(reader, user, now).map((name) => system.get(name) as number)),
    ]),
  );
  for (const id of ids) {
    const expected = everyone.filter((user) => model.holds(id, user, byRole.get(user.id) as Set<number>));
    const found = everyone.filter((user) => isInGroup(reader, user, id, now));
    assert.deepEqual(
      found.map((user) => user.id),
      expected.map((user) => user.id),
      `${story}: group ${id}`,
    );
    assert.deepEqual(
      [...usersInGroup(reader, id, now)].sort((a, b) => a - b),
      expected.map((user) => user.id),
    );
    const reached = ids.filter((other) => model.reaches(id, other));
    assert.deepEqual(
      [...subgroupsIn(reader, id)].sort((a, b) => a - b),
      reached,
      `${story}: below ${id}`,
    );
    const holders = ids.filter((other) => model.reaches(other, id));
    assert.deepEqual(
      [...groupsHolding(reader, id)].sort((a, b) => a - b),
      holders,
      `${story}: above ${id}`,
    );
  }
}

for (const seed of [1, 2, 3]) {
  test(`group membership matches a naive model (seed ${seed})`, async (t) => {
    const organization = await startOrganization(t);
    const { owner, act, add, store } = organization;
    const below = random(seed);
    const roles: Role[] = Object.values(ROLES);
    const userIds = [
      owner.id,
      ...Array.from({ length: 9 }, (_, n) => add(`user${n}x`, { role: roles[below(5)] as Role }).id),
    ];
    const model = new Model(store.reader);
    const own: number[] = [];
    const pick = (from: readonly number[]) => from[below(from.length)] as number;
    let refusals = 0;
    for (let step = 0; step < STEPS; step += 1) {
      const story = `seed ${seed}, step ${step}`;
      const kind = own.length < 4 ? 0 : below(12);
      if (kind === 0) {
        const [members, subgroups] = [[pick(userIds)], below(2) ? [pick([...model.members.keys()])] : []];
        const settings = {};
        const active = members.filter((id) => userById(store.reader, id)?.is_active);
        const input = { name: `group ${step}`, description: "", members: active, subgroups, settings };
        const { id } = act((tx) => createUserGroup(tx, owner, input)).result;
        model.add(id);
        for (const member of active) model.members.get(id)?.add(member);
        for (const subgroup of subgroups) model.subgroups.get(id)?.add(subgroup);
        own.push(id);
      } else if (kind === 1) {
        const user = pick(userIds.slice(1));
        act((tx) =>
          tx.run(
            "UPDATE users SET role = ?, is_active = ? WHERE id = ?",
            roles[below(5)] as Role,
            below(4) ? 1 : 0,
            user,
          ),
        );
      } else {
        const group = pick(own);
        const [members, subgroups] = [
          model.members.get(group) as Set<number>,
          model.subgroups.get(group) as Set<number>,
        ];
        const ofGroups = kind < 7;
        const id = ofGroups ? pick([...model.members.keys()]) : pick(userIds);
        const present = ofGroups ? subgroups : members;
        const adds = below(3) > 0;
        const isCircle = ofGroups && (id === group || model.reaches(id, group));
        const isGone = !ofGroups && !userById(store.reader, id)?.is_active;
        const refused = adds ? present.has(id) || isCircle || isGone : !present.has(id);
        const input = ofGroups
          ? { [adds ? "addSubgroups" : "removeSubgroups"]: [id] }
          : { [adds ? "add" : "remove"]: [id] };
        const change = () => act((tx) => changeMembers(tx, owner, allowedMemberChange(tx, owner, group, input)));
        if (refused) {
          assert.throws(change, ApiError, story);
          refusals += 1;
        } else {
          change();
          if (adds) present.add(id);
          else present.delete(id);
        }
      }
      if (step % 10 === 0) check(organization, model, userIds, story);
    }
    check(organization, model, userIds, `seed ${seed}, at the end`);
    assert.ok(refusals > 20 && own.length > 10);
  });
}
