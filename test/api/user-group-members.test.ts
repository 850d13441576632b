import assert from "node:assert/strict";
import test from "node:test";
import { type Body, type Chat, type Params, startChat } from "../support/chat.ts";

const outcome = ({ status, code }: Body) => [status, code];
const WELL = [200, undefined];
const REFUSED = [400, "BAD_REQUEST"];

const systemGroup = (chat: Chat, name: string): number =>
  chat.server.app.store.reader.value<number>("SELECT id FROM user_groups WHERE name = ?", `role:${name}`) as number;

async function group(chat: Chat, who: string, params: Params): Promise<number> {
  const answer = await chat.as(who).post("/user_groups/create", { description: "", members: [], ...params });
  assert.equal(answer.result, "success", answer.msg);
  return answer["group_id"];
}

const membersOf = async (chat: Chat, id: number, direct = true): Promise<number[]> =>
  (await chat.as("desdemona").get(`/user_groups/${id}/members`, { direct_member_only: direct }))["members"];

test("every member and subgroup change sends its own event", async (t) => {
  const chat = await startChat(t);
  const { hamlet, othello, cordelia, polonius, bot } = chat.ids as Record<
    "hamlet" | "othello" | "cordelia" | "polonius" | "bot",
    number
  >;
  const [players, maids, owners] = [
    await group(chat, "hamlet", { name: "players", members: [hamlet, othello] }),
    await group(chat, "hamlet", { name: "maids" }),
    systemGroup(chat, "owners"),
  ];
  const queue = await chat.register("polonius");
  const path = `/user_groups/${players}/members`;
  const answer = await chat.as("hamlet").post(path, {
    add: [bot, cordelia, polonius, cordelia],
    delete: [othello],
    add_subgroups: [maids, owners],
  });
  assert.equal(answer.status, 200, answer.msg);
  assert.deepEqual(await membersOf(chat, players), [hamlet, cordelia, polonius, bot]);
  const subgroups = async (params?: Params) =>
    (await chat.as("othello").get(`/user_groups/${players}/subgroups`, params))["subgroups"];
  assert.deepEqual(await subgroups(), [owners, maids]);
  assert.deepEqual(outcome(await chat.as("hamlet").post(path, { delete_subgroups: [owners] })), WELL);
  const other = `/user_groups/${players}/subgroups`;
  assert.deepEqual(outcome(await chat.as("hamlet").post(other, { add: [owners], delete: [maids] })), WELL);
  assert.deepEqual(await subgroups(), [owners]);
  const about = { type: "user_group", group_id: players };
  assert.deepEqual(
    (await queue.events()).map(({ id: _, ...event }) => event),
    [
      { ...about, op: "add_members", user_ids: [cordelia, polonius, bot] },
      { ...about, op: "remove_members", user_ids: [othello] },
      { ...about, op: "add_subgroups", direct_subgroup_ids: [owners, maids] },
      { ...about, op: "remove_subgroups", direct_subgroup_ids: [owners] },
      { ...about, op: "add_subgroups", direct_subgroup_ids: [owners] },
      { ...about, op: "remove_subgroups", direct_subgroup_ids: [maids] },
    ],
  );
  const rows = chat.server.app.store.reader.all<{ after: string }>(
    "SELECT after FROM audit WHERE action = 'change members of user group' ORDER BY id",
  );
  assert.deepEqual(JSON.parse(rows[0]?.after ?? ""), {
    add: [cordelia, polonius, bot],
    remove: [othello],
    addSubgroups: [owners, maids],
  });
  assert.equal(rows.length, 3);
  await chat.restart();
  assert.deepEqual([await membersOf(chat, players), await subgroups()], [[hamlet, cordelia, polonius, bot], [owners]]);
});

test("one invalid member rejects the whole change", async (t) => {
  const chat = await startChat(t, {
    prepare: (tx) =>
      tx.run(
        "INSERT INTO users (email, email_key, full_name, role, is_active, joined_at) VALUES ('gone@example.com', 'gone@example.com', 'Gone', 400, 0, 0)",
      ),
  });
  const { hamlet, othello, cordelia } = chat.ids as Record<"hamlet" | "othello" | "cordelia", number>;
  const gone = chat.server.app.store.reader.value<number>("SELECT id FROM users WHERE full_name = 'Gone'");
  const old = await group(chat, "hamlet", { name: "old" });
  await chat.as("hamlet").post(`/user_groups/${old}/deactivate`);
  const inner = await group(chat, "hamlet", { name: "inner" });
  const middle = await group(chat, "hamlet", { name: "middle", subgroups: [inner] });
  const outer = await group(chat, "hamlet", { name: "outer", subgroups: [middle], members: [hamlet] });
  const queue = await chat.register("othello");
  const bad: [number, Params][] = [
    [outer, {}],
    [outer, { add: [] }],
    [outer, { add: [hamlet] }],
    [outer, { add: [othello, 999_999] }],
    [outer, { add: [othello, gone] }],
    [outer, { add: ["othello"] }],
    [outer, { add: [othello], delete: [cordelia] }],
    [outer, { add: [othello], add_subgroups: [999_999] }],
    [outer, { add: [othello], add_subgroups: [old] }],
    [outer, { add: [othello], add_subgroups: [outer] }],
    [outer, { add: [othello], add_subgroups: [middle] }],
    [outer, { add: [othello], delete_subgroups: [inner] }],
    [middle, { add_subgroups: [outer] }],
    [inner, { add: [othello], add_subgroups: [outer] }],
    [999_999, { add: [othello] }],
    [systemGroup(chat, "members"), { add: [othello] }],
    [systemGroup(chat, "everyone"), { delete_subgroups: [systemGroup(chat, "members")] }],
  ];
  for (const [id, params] of bad) {
    const answer = await chat.as("desdemona").post(`/user_groups/${id}/members`, params);
    assert.deepEqual(outcome(answer), REFUSED, JSON.stringify(params));
    const { add_subgroups, delete_subgroups } = params;
    if (!add_subgroups && !delete_subgroups) continue;
    const other = await chat
      .as("desdemona")
      .post(`/user_groups/${id}/subgroups`, { add: add_subgroups, delete: delete_subgroups });
    assert.deepEqual(outcome(other), REFUSED, JSON.stringify(params));
  }
  assert.deepEqual(await queue.events(), []);
  assert.deepEqual([await membersOf(chat, outer), await membersOf(chat, inner, false)], [[hamlet], []]);
});

test("the group's settings decide who adds and removes members", async (t) => {
  const chat = await startChat(t);
  const { hamlet, othello, cordelia, iago, bot } = chat.ids as Record<
    "hamlet" | "othello" | "cordelia" | "iago" | "bot",
    number
  >;
  const only = (...people: number[]) => ({ direct_members: people, direct_subgroups: [] as number[] });
  const maids = await group(chat, "hamlet", { name: "maids" });
  const nobody = systemGroup(chat, "nobody");
  /** Tries a change on a new group with these settings. The group contains othello, bot and the caller, or not. */
  let made = 0;
  const attempt = async (
    who: string,
    settings: Params,
    members: number[],
    params: Params,
    subgroups: number[] = [],
  ) => {
    made += 1;
    const id = await group(chat, "desdemona", {
      name: `group ${made}`,
      members,
      subgroups,
      can_manage_group: nobody,
      can_add_members_group: nobody,
      can_leave_group: nobody,
      ...settings,
    });
    return outcome(await chat.as(who).post(`/user_groups/${id}/members`, params))[0];
  };
  const joins = { add: [othello] };
  const adds = { add: [cordelia] };
  const both = { add: [othello, cordelia] };
  const leaves = { delete: [othello] };
  const removes = { delete: [cordelia] };
  const addsGroup = { add_subgroups: [maids] };
  const removesGroup = { delete_subgroups: [maids] };
  const table: [setting: string, allowed: Params[], refused: Params[]][] = [
    ["can_join_group", [joins], [adds, both, leaves, removes, addsGroup, removesGroup]],
    ["can_leave_group", [leaves], [joins, adds, removes, { delete: [othello, cordelia] }, addsGroup, removesGroup]],
    ["can_add_members_group", [joins, adds, both, addsGroup], [leaves, removes, removesGroup]],
    ["can_remove_members_group", [leaves, removes, removesGroup], [joins, adds, both, addsGroup]],
    ["can_manage_group", [joins, adds, both, leaves, removes, addsGroup, removesGroup], []],
    ["can_mention_group", [], [joins, adds, both, leaves, removes, addsGroup, removesGroup]],
  ];
  const inIt = (params: Params): number[] => (params["delete"] as number[] | undefined) ?? [];
  const holding = (params: Params): number[] => (params["delete_subgroups"] as number[] | undefined) ?? [];
  for (const [name, allowed, refused] of table) {
    for (const params of allowed)
      assert.equal(
        await attempt("othello", { [name]: only(othello) }, inIt(params), params, holding(params)),
        200,
        `${name} ${JSON.stringify(params)}`,
      );
    for (const params of refused)
      assert.equal(
        await attempt("othello", { [name]: only(othello) }, inIt(params), params, holding(params)),
        400,
        `${name} ${JSON.stringify(params)}`,
      );
    // Iago is not in the setting's group, so his role alone does not help.
    for (const params of [adds, removes])
      assert.equal(await attempt("iago", { [name]: only(othello) }, inIt(params), params), 400, `${name} iago`);
  }
  assert.equal(await attempt("desdemona", {}, [], adds), 200);
  assert.equal(await attempt("iago", {}, [], { add: [iago] }), 400);
  assert.equal(await attempt("bot", { can_join_group: only(bot) }, [], { add: [bot] }), 200);
  assert.equal(await attempt("bot", { can_join_group: only(hamlet) }, [], { add: [bot] }), 400);
});

test("membership is queried directly or through subgroups", async (t) => {
  const chat = await startChat(t);
  const { desdemona, iago, hamlet, othello, cordelia, polonius, bot } = chat.ids as Record<
    "desdemona" | "iago" | "hamlet" | "othello" | "cordelia" | "polonius" | "bot",
    number
  >;
  const administrators = systemGroup(chat, "administrators");
  const inner = await group(chat, "hamlet", { name: "inner", members: [cordelia], subgroups: [administrators] });
  const outer = await group(chat, "hamlet", { name: "outer", members: [hamlet, polonius], subgroups: [inner] });
  assert.deepEqual(await membersOf(chat, outer), [hamlet, polonius]);
  assert.deepEqual(await membersOf(chat, outer, false), [desdemona, iago, hamlet, cordelia, polonius]);
  const all = [desdemona, iago, hamlet, othello, cordelia, polonius, bot];
  const system: Record<string, [direct: unknown, through: unknown]> = {
    owners: [[desdemona], [desdemona]],
    administrators: [[iago], [desdemona, iago]],
    moderators: [[], [desdemona, iago]],
    members: [[hamlet, othello, cordelia, bot], all.filter((id) => id !== polonius)],
    everyone: [[polonius], all],
    internet: [[], all],
    nobody: [[], []],
  };
  for (const [name, expected] of Object.entries(system)) {
    const id = systemGroup(chat, name);
    assert.deepEqual([await membersOf(chat, id), await membersOf(chat, id, false)], expected, name);
  }
  const isIn = async (id: number, who: unknown, params?: Params) =>
    (await chat.as("othello").get(`/user_groups/${id}/members/${who}`, params))["is_user_group_member"];
  for (const [who, direct, through] of [
    [hamlet, true, true],
    [cordelia, false, true],
    [desdemona, false, true],
    [othello, false, false],
  ])
    assert.deepEqual([await isIn(outer, who, { direct_member_only: true }), await isIn(outer, who)], [direct, through]);
  assert.deepEqual(
    [
      await isIn(administrators, iago, { direct_member_only: true }),
      await isIn(administrators, desdemona, { direct_member_only: true }),
    ],
    [true, false],
  );
  const subgroups = async (id: number, params?: Params) =>
    (await chat.as("othello").get(`/user_groups/${id}/subgroups`, params))["subgroups"];
  assert.deepEqual(await subgroups(outer, { direct_subgroup_only: true }), [inner]);
  assert.deepEqual(await subgroups(outer), [systemGroup(chat, "owners"), administrators, inner]);
  for (const path of ["999999/members", "999999/subgroups", `999999/members/${hamlet}`, `${outer}/members/999999`])
    assert.deepEqual(outcome(await chat.as("othello").get(`/user_groups/${path}`)), REFUSED, path);
});
