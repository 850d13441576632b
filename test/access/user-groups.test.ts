import assert from "node:assert/strict";
import test from "node:test";
import { isPermitted } from "../../server/api/access/roles.ts";
import { userGroups } from "../../server/api/presenters/user-groups.ts";
import { SYSTEM_GROUPS } from "../../server/api/queries/permission-settings.ts";
import { isInGroup, systemGroupId } from "../../server/api/queries/user-group-members.ts";
import { ROLES, type User, userById } from "../../server/api/queries/users.ts";
import { type Organization, startOrganization } from "../support/organization.ts";

const DAY = 86_400_000;

const people = ({ owner, add }: Organization): Record<string, User> => ({
  owner,
  administrator: add("cassio", { role: ROLES.administrator }),
  moderator: add("lodovico", { role: ROLES.moderator }),
  member: add("emilia"),
  guest: add("roderigo", { role: ROLES.guest }),
  bot: add("clown", { is_bot: true, bot_type: 1 }),
});

function addGroup({ act, store }: Organization, name: string, members: number[], subgroups: number[] = []): number {
  const nobody = String(systemGroupId(store.reader, "role:nobody"));
  return act((tx) => {
    const id = tx.run(
      `INSERT INTO user_groups (name, can_add_members_group, can_join_group, can_leave_group, can_manage_group,
         can_mention_group, can_remove_members_group) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      name,
      ...Array<string>(6).fill(nobody),
    );
    for (const member of members)
      tx.run("INSERT INTO user_group_members (group_id, user_id) VALUES (?, ?)", id, member);
    for (const subgroup of subgroups)
      tx.run("INSERT INTO user_group_subgroups (group_id, subgroup_id) VALUES (?, ?)", id, subgroup);
    return id;
  }).result;
}

test("each role is in exactly its own system groups", async (t) => {
  const organization = await startOrganization(t);
  const reader = organization.store.reader;
  const everybody = people(organization);
  const inGroup = (name: (typeof SYSTEM_GROUPS)[number]["name"]) =>
    Object.keys(everybody).filter((who) => isInGroup(reader, everybody[who] as User, systemGroupId(reader, name)));
  const all = ["owner", "administrator", "moderator", "member", "guest", "bot"];
  assert.deepEqual(inGroup("role:internet"), all);
  assert.deepEqual(inGroup("role:everyone"), all);
  assert.deepEqual(inGroup("role:members"), ["owner", "administrator", "moderator", "member", "bot"]);
  assert.deepEqual(inGroup("role:fullmembers"), ["owner", "administrator", "moderator", "member", "bot"]);
  assert.deepEqual(inGroup("role:moderators"), ["owner", "administrator", "moderator"]);
  assert.deepEqual(inGroup("role:administrators"), ["owner", "administrator"]);
  assert.deepEqual(inGroup("role:owners"), ["owner"]);
  assert.deepEqual(inGroup("role:nobody"), []);
});

test("/register's groups equal actual membership through subgroups", async (t) => {
  const organization = await startOrganization(t);
  const reader = organization.store.reader;
  const everybody = Object.values(people(organization));
  const listed = userGroups(reader, Date.now());
  assert.deepEqual(listed.map((group) => group.name).sort(), SYSTEM_GROUPS.map((group) => group.name).sort());
  const holds = (id: number, userId: number): boolean => {
    const group = listed.find((candidate) => candidate.id === id);
    return (
      group !== undefined &&
      (group.members.includes(userId) || group.direct_subgroup_ids.some((sub) => holds(sub, userId)))
    );
  };
  const nobody = systemGroupId(reader, "role:nobody");
  for (const group of listed) {
    for (const user of everybody) assert.equal(holds(group.id, user.id), isInGroup(reader, user, group.id), group.name);
    assert.equal(group.can_manage_group, nobody);
    assert.equal(group.is_system_group, true);
  }
});

test("a deactivated user is in no group", async (t) => {
  const organization = await startOrganization(t);
  const reader = organization.store.reader;
  const emilia = organization.add("emilia");
  const maids = addGroup(organization, "maids", [emilia.id]);
  assert.equal(isInGroup(reader, emilia, maids), true);
  organization.act((tx) => tx.run("UPDATE users SET is_active = 0 WHERE id = ?", emilia.id));
  const gone = userById(reader, emilia.id) as User;
  assert.equal(isInGroup(reader, gone, maids), false);
  assert.equal(isInGroup(reader, gone, systemGroupId(reader, "role:everyone")), false);
  assert.equal(isInGroup(reader, gone, { direct_members: [emilia.id], direct_subgroups: [] }), false);
  assert.equal(
    userGroups(reader, Date.now()).some((group) => group.is_system_group && group.members.includes(emilia.id)),
    false,
  );
});

test("groups contain their subgroups' members, even in cycles", async (t) => {
  const organization = await startOrganization(t);
  const reader = organization.store.reader;
  const [emilia, iago, roderigo] = [
    organization.add("emilia"),
    organization.add("iago"),
    organization.add("roderigo", { role: ROLES.guest }),
  ];
  const maids = addGroup(organization, "maids", [emilia.id]);
  const household = addGroup(organization, "household", [], [maids]);
  const leaders = addGroup(organization, "leaders", [], [systemGroupId(reader, "role:owners"), household]);
  organization.act((tx) =>
    tx.run("INSERT INTO user_group_subgroups (group_id, subgroup_id) VALUES (?, ?)", maids, leaders),
  );
  for (const group of [maids, household, leaders]) {
    assert.deepEqual(
      [emilia, organization.owner, iago, roderigo].map((user) => isInGroup(reader, user, group)),
      [true, true, false, false],
    );
  }
  const anonymous = { direct_members: [roderigo.id], direct_subgroups: [household] };
  assert.deepEqual(
    [emilia, roderigo, iago].map((user) => isInGroup(reader, user, anonymous)),
    [true, true, false],
  );
  organization.act((tx) =>
    tx.run("DELETE FROM user_group_members WHERE group_id = ? AND user_id = ?", maids, emilia.id),
  );
  assert.equal(isInGroup(reader, emilia, leaders), false);
  assert.equal(isInGroup(reader, emilia, 4711), false);
});

test("members become full members after the waiting period", async (t) => {
  const organization = await startOrganization(t, { now: () => 100 * DAY });
  const reader = organization.store.reader;
  const { member, moderator, guest } = people(organization) as { member: User; moderator: User; guest: User };
  organization.act((tx) =>
    tx.run("INSERT INTO organization_settings (name, value) VALUES ('waiting_period_threshold', '3')"),
  );
  const full = systemGroupId(reader, "role:fullmembers");
  const at = (day: number) => [member, moderator, guest].map((user) => isInGroup(reader, user, full, day * DAY));
  assert.deepEqual(at(102.9), [false, true, false]);
  assert.deepEqual(at(103), [true, true, false]);
  const listed = (day: number) =>
    userGroups(reader, day * DAY)
      .find((group) => group.id === full)
      ?.members.includes(member.id);
  assert.deepEqual([listed(102.9), listed(103)], [false, true]);
});

test('guests never get permissions that "everyone" cannot have', async (t) => {
  const organization = await startOrganization(t);
  const { store, add, act } = organization;
  const [emilia, roderigo] = [add("emilia"), add("roderigo", { role: ROLES.guest })];
  const group = addGroup(organization, "friends", [emilia.id, roderigo.id]);
  act((tx) =>
    tx.run(
      "INSERT INTO organization_settings (name, value) VALUES ('can_create_public_channel_group', ?)",
      String(group),
    ),
  );
  assert.equal(isInGroup(store.reader, roderigo, group), true);
  assert.equal(isPermitted(store.reader, emilia, "can_create_public_channel_group"), true);
  assert.equal(isPermitted(store.reader, roderigo, "can_create_public_channel_group"), false);
  assert.equal(isPermitted(store.reader, organization.owner, "can_create_public_channel_group"), false);
  assert.equal(isPermitted(store.reader, roderigo, "direct_message_permission_group"), true);
});
