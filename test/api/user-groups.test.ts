import assert from "node:assert/strict";
import test from "node:test";
import { type Body, type Chat, type Params, startChat } from "../support/chat.ts";

const outcome = ({ status, code }: Body) => [status, code];
const REFUSED = [400, "BAD_REQUEST"];

const systemGroup = (chat: Chat, name: string): number =>
  chat.server.app.store.reader.value<number>("SELECT id FROM user_groups WHERE name = ?", name) as number;

async function group(chat: Chat, who: string, params: Params): Promise<number> {
  const answer = await chat.as(who).post("/user_groups/create", { description: "", members: [], ...params });
  assert.equal(answer.result, "success", answer.msg);
  return answer["group_id"];
}

const groupNamed = async (chat: Chat, name: string): Promise<Record<string, unknown>> => {
  const { user_groups } = await chat.as("desdemona").get("/user_groups", { include_deactivated_groups: true });
  return user_groups.find((one: { name: string }) => one.name === name);
};

const withoutId = (events: Record<string, unknown>[]) => events.map(({ id: _, ...event }) => event);

const audit = (chat: Chat, target: string) =>
  chat.server.app.store.reader
    .all<{ action: string; before: string | null; after: string | null; actor_id: number }>(
      "SELECT action, before, after, actor_id FROM audit WHERE target = ? ORDER BY id",
      target,
    )
    .map(({ before, after, ...row }) => ({
      ...row,
      before: JSON.parse(before ?? "null"),
      after: JSON.parse(after ?? "null"),
    }));

test("a group is created with members, subgroups and settings", async (t) => {
  const now = 1_800_000_000_500;
  const chat = await startChat(t, { now: () => now });
  const { hamlet, othello, cordelia, polonius, bot } = chat.ids as Record<
    "hamlet" | "othello" | "cordelia" | "polonius" | "bot",
    number
  >;
  const [moderators, everyone, nobody] = ["role:moderators", "role:everyone", "role:nobody"].map((name) =>
    systemGroup(chat, name),
  ) as [number, number, number];
  const guest = await chat.register("polonius");
  const players = await group(chat, "hamlet", {
    name: " Players ",
    description: "of *Elsinore*",
    members: [othello, hamlet, othello],
  });
  const creator = { direct_members: [hamlet], direct_subgroups: [] };
  const made = {
    id: players,
    name: "Players",
    description: "of *Elsinore*",
    is_system_group: false,
    date_created: 1_800_000_000,
    creator_id: hamlet,
    members: [hamlet, othello],
    direct_subgroup_ids: [],
    deactivated: false,
    can_add_members_group: creator,
    can_join_group: nobody,
    can_leave_group: everyone,
    can_manage_group: creator,
    can_mention_group: everyone,
    can_remove_members_group: nobody,
  };
  assert.deepEqual(await groupNamed(chat, "Players"), made);
  const troupe = await group(chat, "hamlet", {
    name: "troupe",
    members: [bot, polonius],
    subgroups: [players, moderators],
    can_add_members_group: moderators,
    can_join_group: { direct_members: [cordelia, cordelia], direct_subgroups: [players] },
    can_leave_group: { direct_members: [], direct_subgroups: [moderators] },
    can_manage_group: { direct_members: [], direct_subgroups: [] },
    can_mention_group: players,
    can_remove_members_group: { direct_members: [othello], direct_subgroups: [] },
  });
  const second = {
    ...made,
    id: troupe,
    name: "troupe",
    description: "",
    members: [polonius, bot],
    direct_subgroup_ids: [moderators, players],
    can_add_members_group: moderators,
    can_join_group: { direct_members: [cordelia], direct_subgroups: [players] },
    can_leave_group: moderators,
    can_manage_group: nobody,
    can_mention_group: players,
    can_remove_members_group: { direct_members: [othello], direct_subgroups: [] },
  };
  assert.deepEqual(await groupNamed(chat, "troupe"), second);
  assert.deepEqual(withoutId(await guest.events()), [
    { type: "user_group", op: "add", group: made },
    { type: "user_group", op: "add", group: second },
  ]);
  const [row] = audit(chat, `user group ${players}`);
  assert.deepEqual([row?.action, row?.actor_id, row?.after.members], ["create user group", hamlet, [hamlet, othello]]);
});

test("an invalid group changes nothing", async (t) => {
  const chat = await startChat(t, {
    prepare: (tx, ids) => {
      tx.run(
        "INSERT INTO users (email, email_key, full_name, role, is_active, joined_at) VALUES ('gone@example.com', 'gone@example.com', 'Gone', 400, 0, 0)",
      );
      tx.run(
        "INSERT INTO organization_settings (name, value) VALUES ('can_create_groups', ?)",
        JSON.stringify({ direct_members: [ids["hamlet"], ids["polonius"]], direct_subgroups: [] }),
      );
    },
  });
  const gone = chat.server.app.store.reader.value<number>("SELECT id FROM users WHERE full_name = 'Gone'");
  const create = (who: string, params: Params) =>
    chat.as(who).post("/user_groups/create", { name: "players", description: "", members: [], ...params });
  const old = await group(chat, "hamlet", { name: "Old" });
  assert.equal((await chat.as("hamlet").post(`/user_groups/${old}/deactivate`)).status, 200);
  const queue = await chat.register("othello");
  const roles = (name: string) => systemGroup(chat, `role:${name}`);
  const bad: Params[] = [
    { name: "" },
    { name: "  " },
    { name: "\u200b\u3164" },
    { name: "x".repeat(101) },
    { name: "two\nlines" },
    ...["@players", "role:players", "user:5", "stream:x", "channel:x"].map((name) => ({ name })),
    { name: "OLD" },
    { name: "ｏｌｄ" },
    { name: "role:members" },
    { description: "x".repeat(1025) },
    { members: [999_999] },
    { members: [gone] },
    { members: ["hamlet"] },
    { members: "hamlet" },
    { subgroups: [999_999] },
    { subgroups: [old] },
    { can_manage_group: old },
    { can_manage_group: 999_999 },
    { can_manage_group: { direct_members: [gone], direct_subgroups: [] } },
    { can_manage_group: { direct_members: [], direct_subgroups: [roles("everyone")] } },
    { can_manage_group: "role:members" },
    { can_manage_group: { direct_members: [] } },
    ...["everyone", "internet"].flatMap((role) =>
      ["can_add_members_group", "can_join_group", "can_manage_group", "can_remove_members_group"].map((name) => ({
        [name]: roles(role),
      })),
    ),
    { can_leave_group: roles("internet") },
    { can_mention_group: roles("internet") },
    { can_mention_group: roles("owners") },
  ];
  for (const params of bad) {
    const answer = await create("hamlet", params);
    assert.deepEqual(outcome(answer), REFUSED, JSON.stringify(params));
    const [name = ""] = Object.keys(params);
    if (name.startsWith("can_")) assert.match(answer.msg, new RegExp(name));
  }
  for (const name of ["name", "description", "members"]) {
    const answer = await create("hamlet", { [name]: undefined });
    assert.deepEqual([answer["code"], answer["var_name"]], ["REQUEST_VARIABLE_MISSING", name]);
  }
  for (const who of ["othello", "iago", "desdemona", "bot", "polonius"])
    assert.deepEqual(outcome(await create(who, {})), REFUSED, who);
  assert.deepEqual(await queue.events(), []);
  assert.equal(await groupNamed(chat, "players"), undefined);
  assert.equal((await create("hamlet", { name: "é".repeat(100), can_mention_group: roles("everyone") })).status, 200);
});

test("managers change a group's name, description and settings", async (t) => {
  const chat = await startChat(t);
  const { hamlet, othello } = chat.ids as Record<"hamlet" | "othello", number>;
  const [members, nobody] = ["role:members", "role:nobody"].map((name) => systemGroup(chat, name)) as [number, number];
  const id = await group(chat, "hamlet", { name: "players", description: "of Elsinore" });
  const path = `/user_groups/${id}`;
  const queue = await chat.register("othello");
  const change = async (who: string, params: Params) => outcome(await chat.as(who).patch(path, params));
  assert.deepEqual(await change("hamlet", { name: "Players", description: "of Elsinore" }), [200, undefined]);
  assert.deepEqual(await change("desdemona", { description: "", can_join_group: { new: members } }), [200, undefined]);
  assert.deepEqual(await change("hamlet", { name: "Players" }), [200, undefined]);
  const to = { direct_members: [othello, hamlet], direct_subgroups: [] };
  assert.deepEqual(
    await change("hamlet", { can_manage_group: { new: to, old: { direct_members: [hamlet], direct_subgroups: [] } } }),
    [200, undefined],
  );
  assert.deepEqual(await change("othello", { can_mention_group: { new: nobody } }), [200, undefined]);
  assert.deepEqual(withoutId(await queue.events()), [
    { type: "user_group", op: "update", group_id: id, data: { name: "Players" } },
    { type: "user_group", op: "update", group_id: id, data: { description: "", can_join_group: members } },
    {
      type: "user_group",
      op: "update",
      group_id: id,
      data: { can_manage_group: { direct_members: [hamlet, othello], direct_subgroups: [] } },
    },
    { type: "user_group", op: "update", group_id: id, data: { can_mention_group: nobody } },
  ]);
  assert.deepEqual(
    audit(chat, `user group ${id}`)
      .slice(1)
      .map(({ action, before, after }) => [action, before, after])[0],
    ["change user group", { name: "players" }, { name: "Players" }],
  );
  await group(chat, "cordelia", { name: "maids" });
  await queue.events();
  const before = await groupNamed(chat, "Players");
  for (const params of [
    {},
    { name: "Maids" },
    { name: "@x" },
    { name: "role:nobody" },
    { name: "x".repeat(101) },
    { description: "x".repeat(1025) },
    { name: "fine", can_join_group: { new: systemGroup(chat, "role:everyone") } },
    { name: "fine", can_leave_group: { new: systemGroup(chat, "role:internet") } },
    { name: "fine", can_join_group: { new: 999_999 } },
    { can_join_group: members },
    { can_join_group: { old: members } },
    { deactivated: "perhaps" },
  ])
    assert.deepEqual(await change("hamlet", params), REFUSED, JSON.stringify(params));
  assert.deepEqual(await change("hamlet", { name: "fine", can_join_group: { new: nobody, old: nobody } }), [
    400,
    "EXPECTATION_MISMATCH",
  ]);
  for (const who of ["iago", "cordelia", "polonius", "bot"])
    assert.deepEqual(await change(who, { name: "mine" }), REFUSED, who);
  assert.deepEqual(outcome(await chat.as("desdemona").patch(`/user_groups/${members}`, { description: "x" })), REFUSED);
  const absent = await chat.as("hamlet").patch("/user_groups/999999", { name: "x" });
  assert.deepEqual([...outcome(absent), absent.msg], [...REFUSED, "Invalid user group"]);
  assert.deepEqual(await change("hamlet", { deactivated: true }), [200, undefined]);
  assert.deepEqual(await groupNamed(chat, "Players"), before);
  assert.deepEqual(await queue.events(), []);
});

test("a deactivated group disappears for old clients until reactivation", async (t) => {
  const chat = await startChat(t);
  const { othello } = chat.ids as Record<"othello", number>;
  const id = await group(chat, "hamlet", { name: "players", members: [othello] });
  const hidden = { include_deactivated_groups: true, empty_topic_name: true, bulk_message_deletion: true };
  const [older, newer] = [
    await chat.register("othello"),
    await chat.register("othello", { client_capabilities: hidden }),
  ];
  const deactivate = (who: string) => chat.as(who).post(`/user_groups/${id}/deactivate`);
  for (const who of ["othello", "iago", "bot", "polonius"])
    assert.deepEqual(outcome(await deactivate(who)), REFUSED, who);
  assert.equal((await deactivate("hamlet")).status, 200);
  assert.deepEqual(outcome(await deactivate("hamlet")), REFUSED);
  assert.deepEqual(outcome(await chat.as("desdemona").post("/user_groups/999999/deactivate")), REFUSED);
  assert.deepEqual(
    outcome(await chat.as("desdemona").post(`/user_groups/${systemGroup(chat, "role:members")}/deactivate`)),
    REFUSED,
  );
  const listed = async (params?: Params) =>
    (await chat.as("othello").get("/user_groups", params))["user_groups"].filter(
      (one: { id: number }) => one.id === id,
    );
  assert.deepEqual(await listed(), []);
  assert.deepEqual((await listed({ include_deactivated_groups: true }))[0].deactivated, true);
  const lists = async (client_capabilities: object) =>
    (await chat.register("othello", { client_capabilities })).state.realm_user_groups?.some((one) => one.id === id);
  assert.deepEqual([await lists({}), await lists(hidden)], [false, true]);
  // A deactivated group can change, and only clients that support such groups get events.
  assert.equal((await chat.as("hamlet").patch(`/user_groups/${id}`, { name: "old players" })).status, 200);
  assert.equal((await chat.as("hamlet").post(`/user_groups/${id}/members`, { delete: [othello] })).status, 200);
  const about = { type: "user_group", group_id: id };
  assert.deepEqual(withoutId(await older.events()), [{ ...about, op: "remove" }]);
  assert.deepEqual(withoutId(await newer.events()), [
    { ...about, op: "update", data: { deactivated: true } },
    { ...about, op: "update", data: { name: "old players" } },
    { ...about, op: "remove_members", user_ids: [othello] },
  ]);
  const create = await chat
    .as("othello")
    .post("/user_groups/create", { name: "Old Players", description: "", members: [] });
  assert.deepEqual(outcome(create), REFUSED);
  assert.deepEqual(outcome(await chat.as("othello").patch(`/user_groups/${id}`, { deactivated: false })), REFUSED);
  assert.equal(
    (await chat.as("hamlet").patch(`/user_groups/${id}`, { deactivated: false, name: "players" })).status,
    200,
  );
  const back = await groupNamed(chat, "players");
  const named = { ...about, op: "update", data: { name: "players" } };
  assert.deepEqual(withoutId(await older.events()), [
    { type: "user_group", op: "add", group: { ...back, name: "old players" } },
    named,
  ]);
  assert.deepEqual(withoutId(await newer.events()), [{ ...about, op: "update", data: { deactivated: false } }, named]);
  assert.equal((await chat.as("hamlet").patch(`/user_groups/${id}`, { deactivated: false })).status, 200);
  assert.deepEqual(await older.events(), []);
  assert.deepEqual(
    audit(chat, `user group ${id}`).map(({ action }) => action),
    [
      "create user group",
      "deactivate user group",
      "change user group",
      "change members of user group",
      "reactivate user group",
      "change user group",
    ],
  );
});

test("a group in use cannot be deactivated", async (t) => {
  const chat = await startChat(t, {
    channels: [
      { name: "plots", private: true, subscribers: ["iago"] },
      { name: "schemes", private: true, subscribers: ["iago"] },
      { name: "square" },
    ],
  });
  const { plots, schemes, square } = chat.ids as Record<"plots" | "schemes" | "square", number>;
  const id = await group(chat, "hamlet", { name: "players" });
  const troupe = await group(chat, "hamlet", {
    name: "troupe",
    subgroups: [id],
    can_join_group: { direct_members: [], direct_subgroups: [id] },
  });
  const set = (channel: number, value: unknown) =>
    chat.server.app.store.transact({ actor: null, action: "test" }, (tx) =>
      tx.run("UPDATE channels SET can_send_message_group = ? WHERE id = ?", JSON.stringify(value), channel),
    );
  const everyone = systemGroup(chat, "role:everyone");
  for (const channel of [plots, schemes]) set(channel, { direct_members: [chat.ids["iago"]], direct_subgroups: [id] });
  set(square, id);
  const organize = (value: number) =>
    chat.server.app.store.transact({ actor: null, action: "test" }, (tx) =>
      tx.run(
        "INSERT INTO organization_settings (name, value) VALUES ('can_resolve_topics_group', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        String(value),
      ),
    );
  organize(id);
  const deactivate = (who = "hamlet") => chat.as(who).post(`/user_groups/${id}/deactivate`);
  const objections = [
    { type: "subgroup", supergroup_ids: [troupe] },
    { type: "channel", settings: ["can_send_message_group"], channel_id: square },
    { type: "channel", settings: ["can_send_message_group"] },
    { type: "user_group", settings: ["can_join_group"], group_id: troupe },
    { type: "realm", settings: ["can_resolve_topics_group"] },
  ];
  const refused = await deactivate();
  assert.deepEqual([...outcome(refused), refused["objections"]], [400, "CANNOT_DEACTIVATE_GROUP_IN_USE", objections]);
  // People who see the private channels get their IDs. Others do not even get the number.
  assert.deepEqual((await deactivate("desdemona"))["objections"].slice(1, 3), [
    { ...objections[2], channel_id: plots },
    { ...objections[2], channel_id: schemes },
  ]);
  // An archived channel counts, because unarchiving restores its settings.
  assert.equal((await chat.as("desdemona").delete(`/streams/${square}`)).result, "success");
  assert.deepEqual((await deactivate())["objections"], objections);
  assert.equal((await groupNamed(chat, "players"))["deactivated"], false);
  for (const channel of [plots, schemes]) set(channel, everyone);
  set(square, everyone);
  organize(everyone);
  assert.deepEqual((await deactivate())["objections"], [objections[0], objections[3]]);
  assert.equal((await chat.as("hamlet").post(`/user_groups/${troupe}/deactivate`)).status, 200);
  assert.equal((await deactivate()).status, 200);
  const roles = systemGroup(chat, "role:members");
  const use = (params: Params) =>
    chat.as("hamlet").post("/user_groups/create", { name: "new", description: "", members: [], ...params });
  assert.deepEqual(outcome(await use({ can_join_group: id })), REFUSED);
  assert.deepEqual(outcome(await use({ subgroups: [id] })), REFUSED);
  const owner = chat.as("desdemona");
  for (const value of [id, { direct_members: [], direct_subgroups: [id] }]) {
    const update = { can_send_message_group: { new: value } };
    assert.deepEqual(outcome(await owner.patch(`/streams/${square}`, update)), REFUSED);
    assert.deepEqual(outcome(await owner.patch("/realm", { can_create_groups: { new: value } })), REFUSED);
    const channel = { subscriptions: [{ name: "new" }], can_send_message_group: value };
    assert.deepEqual(outcome(await owner.post("/users/me/subscriptions", channel)), REFUSED);
  }
  assert.equal((await use({ subgroups: [roles] })).status, 200);
});

test("guests cannot list groups though their clients know them", async (t) => {
  const chat = await startChat(t);
  const id = await group(chat, "hamlet", { name: "players", members: [chat.ids["polonius"]] });
  const guest = chat.as("polonius");
  for (const answer of [
    await guest.get("/user_groups"),
    await guest.get(`/user_groups/${id}/members`),
    await guest.get(`/user_groups/${id}/subgroups`),
    await guest.get(`/user_groups/${id}/members/${chat.ids["hamlet"]}`),
    await guest.post(`/user_groups/${id}/members`, { delete: [chat.ids["polonius"]] }),
    await guest.post(`/user_groups/${id}/subgroups`, { add: [systemGroup(chat, "role:owners")] }),
  ])
    assert.deepEqual([...outcome(answer), answer.msg], [...REFUSED, "Guests cannot do this."]);
  const groups = (await chat.register("polonius")).state.realm_user_groups ?? [];
  assert.deepEqual(groups.find((one) => one.id === id)?.members, [chat.ids["polonius"]]);
});

test("the organization decides who manages all groups, never guests", async (t) => {
  const chat = await startChat(t);
  const { polonius, cordelia } = chat.ids as Record<"polonius" | "cordelia", number>;
  const circle = await group(chat, "hamlet", { name: "circle", members: [polonius, cordelia] });
  const id = await group(chat, "hamlet", { name: "players", can_manage_group: circle });
  const deactivate = (who: string, group: number) => chat.as(who).post(`/user_groups/${group}/deactivate`);
  assert.deepEqual(outcome(await deactivate("polonius", id)), REFUSED);
  const other = await group(chat, "hamlet", { name: "others" });
  assert.deepEqual(outcome(await deactivate("cordelia", other)), REFUSED);
  assert.equal((await chat.as("desdemona").patch("/realm", { can_manage_all_groups: { new: circle } })).status, 200);
  assert.deepEqual(outcome(await deactivate("polonius", other)), REFUSED);
  assert.deepEqual(outcome(await deactivate("desdemona", other)), REFUSED);
  for (const name of ["players", "others"]) assert.equal((await groupNamed(chat, name))["deactivated"], false);
  assert.equal((await deactivate("cordelia", other)).status, 200);
  assert.equal((await deactivate("cordelia", id)).status, 200);
});

test("group mentions need permission and notify members", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "stage", subscribers: ["hamlet", "othello", "cordelia"] }] });
  const { hamlet, cordelia } = chat.ids as Record<"hamlet" | "cordelia", number>;
  const maids = await group(chat, "hamlet", { name: "maids", members: [cordelia] });
  const id = await group(chat, "hamlet", {
    name: "players",
    subgroups: [maids],
    can_mention_group: { direct_members: [hamlet], direct_subgroups: [] },
  });
  const say = (who: string) =>
    chat.as(who).post("/messages", { type: "channel", to: "stage", topic: "t", content: "@*players* come" });
  const queue = await chat.register("cordelia");
  assert.deepEqual(outcome(await say("othello")), REFUSED);
  assert.equal((await say("hamlet")).status, 200);
  const flags = async () =>
    (await queue.events()).filter(({ type }) => type === "message").map((event) => event["flags"]);
  assert.deepEqual(await flags(), [["mentioned"]]);
  await chat
    .as("hamlet")
    .patch(`/user_groups/${id}`, { can_mention_group: { new: systemGroup(chat, "role:everyone") } });
  assert.equal((await say("othello")).status, 200);
  await chat.as("hamlet").post(`/user_groups/${maids}/members`, { delete: [cordelia] });
  assert.equal((await say("othello")).status, 200);
  assert.deepEqual(await flags(), [["mentioned"], []]);
});
