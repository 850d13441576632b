import assert from "node:assert/strict";
import test from "node:test";
import type { Transaction } from "../../server/storage/transaction.ts";
import { startChat } from "../support/chat.ts";
import { add, addAll, DATA, FIELDS, options, refused } from "../support/profile-fields.ts";

const general = { name: "general", subscribers: ["hamlet", "polonius"] };
const limitedGuests = (tx: Transaction) => {
  const members = tx.value<number>("SELECT id FROM user_groups WHERE name = 'role:members'");
  tx.run("INSERT INTO organization_settings (name, value) VALUES ('can_access_all_users_group', ?)", String(members));
};
const without = ({ id: _, ...event }: Record<string, unknown>) => event;

test("people set profile values of every type", async (t) => {
  const chat = await startChat(t);
  const made = await addAll(chat);
  const hamlet = chat.as("hamlet");
  const queue = await chat.register("othello");
  const id = (name: string) => made[name] as number;
  const set = (data: unknown) => hamlet.patch(DATA, { data });
  const values: Record<string, { value: unknown; stored?: string; rendered_value?: string }> = {
    Phone: { value: " +45 **1** ", stored: "+45 **1**", rendered_value: "<p>+45 <strong>1</strong></p>" },
    Biography: { value: "*mad*\n\n<b>x</b>", rendered_value: "<p><em>mad</em></p>\n<p>&lt;b&gt;x&lt;/b&gt;</p>" },
    Birthday: { value: "1601-02-28" },
    Page: { value: "https://elsinore.example/~hamlet" },
    Mentor: {
      value: [chat.ids["othello"], chat.ids["iago"], chat.ids["othello"]],
      stored: JSON.stringify([chat.ids["othello"], chat.ids["iago"]]),
    },
    Pronouns: { value: "he/him" },
    Editor: { value: "ed" },
    Account: { value: "hamlet" },
  };
  const answer = await set(Object.entries(values).map(([name, { value }]) => ({ id: id(name), value })));
  assert.equal(answer.status, 200, answer.msg);
  const expected = Object.fromEntries(
    Object.entries(values).map(([name, { value, stored, rendered_value }]) => [
      id(name),
      { value: stored ?? value, ...(rendered_value !== undefined && { rendered_value }) },
    ]),
  );
  assert.deepEqual((await hamlet.get("/users/me")).profile_data, expected);
  const member = async (params: object) =>
    (await chat.as("othello").get("/users", { ...params })).members.find(
      ({ user_id }: { user_id: number }) => user_id === hamlet.id,
    );
  assert.equal((await member({})).profile_data, undefined);
  assert.deepEqual((await member({ include_custom_profile_fields: true })).profile_data, expected);
  const { state } = await chat.register("othello");
  assert.deepEqual(state.realm_users?.find(({ user_id }) => user_id === hamlet.id)?.profile_data, expected);
  const updateOf = (name: string, custom_profile_field: object) => ({
    type: "realm_user",
    op: "update",
    person: { user_id: hamlet.id, custom_profile_field: { id: id(name), ...custom_profile_field } },
  });
  assert.deepEqual(
    (await queue.events()).map(without),
    Object.keys(values).map((name) => updateOf(name, expected[id(name)] as object)),
  );
  // Equal values send no event; every notation of an empty value deletes it.
  await set([{ id: id("Editor"), value: "ed" }]);
  await set([
    { id: id("Editor"), value: "" },
    { id: id("Mentor"), value: [] },
    { id: id("Page"), value: null },
  ]);
  assert.equal((await hamlet.delete(DATA, { data: [id("Birthday"), id("Page")] })).status, 200);
  assert.deepEqual(
    (await queue.events()).map(without),
    ["Editor", "Mentor", "Page", "Birthday"].map((name) => updateOf(name, { value: null })),
  );
  assert.equal(Object.keys((await hamlet.get("/users/me")).profile_data).length, 4);
  await chat.restart();
  assert.equal(Object.keys((await hamlet.get("/users/me")).profile_data).length, 4);
});

test("one invalid value rejects the whole list", async (t) => {
  const chat = await startChat(t, {
    prepare: (tx, ids) => void tx.run("UPDATE users SET is_active = 0 WHERE id = ?", ids["cordelia"] as number),
    unwatched: true,
  });
  const made = await addAll(chat);
  const locked = await add(chat, { field_type: 1, name: "Rank", editable_by_user: false });
  const beside = await add(chat, { field_type: 1, name: "Nickname" });
  const hamlet = chat.as("hamlet");
  const queue = await chat.register("othello");
  const cases: [string, unknown][] = [
    ["Phone", "x".repeat(51)],
    ["Phone", "a\nb"],
    ["Phone", [1]],
    ["Biography", "x".repeat(501)],
    ["Birthday", "28.2.1601"],
    ["Birthday", "1601-02-29"],
    ["Page", "elsinore"],
    ["Page", "javascript:alert(1)"],
    ["Page", "https://a b.example"],
    ["Page", `https://x.example/${"x".repeat(2000)}`],
    ["Mentor", "[1"],
    ["Mentor", "othello"],
    ["Mentor", [999_999]],
    ["Mentor", [chat.ids["bot"]]],
    ["Mentor", [chat.ids["cordelia"]]],
    ["Pronouns", "x".repeat(51)],
    ["Editor", "emacs"],
    ["Editor", "toString"],
    ["Account", "x".repeat(51)],
  ];
  for (const [name, value] of cases) {
    const data = [
      { id: beside, value: "fine" },
      { id: made[name], value },
    ];
    const answer = await hamlet.patch(DATA, { data });
    refused(answer, [name, value]);
    assert.ok(answer.msg.includes(name === "Account" ? "GitHub username" : name), answer.msg);
  }
  refused(await hamlet.patch(DATA, { data: [{ id: 999, value: "x" }] }), 999);
  const twice = ["1", "2"].map((value) => ({ id: made["Phone"], value }));
  refused(await hamlet.patch(DATA, { data: twice }), "twice");
  refused(await hamlet.delete(DATA, { data: [made["Phone"], 999] }), 999);
  refused(await hamlet.patch(DATA, { data: [{ id: locked, value: "prince" }] }), "locked");
  refused(await hamlet.delete(DATA, { data: [locked] }), "locked");
  refused(await hamlet.patch(DATA, {}), "nothing", "REQUEST_VARIABLE_MISSING");
  assert.equal((await chat.as("bot").patch(DATA, { data: [] })).result, "error");
  assert.deepEqual((await hamlet.get("/users/me")).profile_data, {});
  assert.deepEqual(await queue.events(), []);
  assert.equal((await chat.as("iago").patch(DATA, { data: [{ id: locked, value: "ensign" }] })).status, 200);
});

test("removing options and fields removes people's values", async (t) => {
  const chat = await startChat(t);
  const made = await addAll(chat);
  const set = (name: string, data: object[]) => chat.as(name).patch(DATA, { data });
  await set("hamlet", [
    { id: made["Editor"], value: "ed" },
    { id: made["Phone"], value: "1" },
  ]);
  await set("othello", [{ id: made["Editor"], value: "vim" }]);
  const queue = await chat.register("iago");
  await chat.as("iago").patch(`${FIELDS}/${made["Editor"]}`, { field_data: { vim: options.vim } });
  const events = await queue.events();
  assert.deepEqual(
    events.map(({ type }) => type),
    ["custom_profile_fields", "realm_user"],
  );
  assert.deepEqual(events[1]?.person.custom_profile_field, { id: made["Editor"], value: null });
  await chat.as("iago").delete(`${FIELDS}/${made["Phone"]}`);
  assert.deepEqual((await chat.as("hamlet").get("/users/me")).profile_data, {});
  assert.deepEqual((await chat.as("othello").get("/users/me")).profile_data, {
    [made["Editor"] as number]: { value: "vim" },
  });
});

test("a guest neither sees nor references hidden people's values", async (t) => {
  const chat = await startChat(t, { channels: [general], prepare: limitedGuests });
  const made = await addAll(chat);
  const queue = await chat.register("polonius");
  for (const name of ["othello", "hamlet"])
    await chat.as(name).patch(DATA, { data: [{ id: made["Phone"], value: `of ${name}` }] });
  assert.deepEqual(
    (await queue.events()).map(({ person }) => person.user_id),
    [chat.ids["hamlet"]],
  );
  const { members } = await chat.as("polonius").get("/users", { include_custom_profile_fields: true });
  assert.ok(!JSON.stringify(members).includes("of othello"));
  assert.ok(JSON.stringify(members).includes("of hamlet"));
  const { state } = await chat.register("polonius");
  assert.ok(!JSON.stringify(state).includes("of othello"));
  const name = (id: unknown) => chat.as("polonius").patch(DATA, { data: [{ id: made["Mentor"], value: [id] }] });
  const [unseen, absent] = [await name(chat.ids["othello"]), await name(999_999)];
  assert.equal(unseen.msg.replace(String(chat.ids["othello"]), "999999"), absent.msg);
  assert.equal((await name(chat.ids["hamlet"])).status, 200);
});

test("administrators set others' values with an audit entry", async (t) => {
  const chat = await startChat(t);
  const locked = await add(chat, { field_type: 1, name: "Rank", editable_by_user: false });
  const { hamlet, bot } = chat.ids;
  const queue = await chat.register("othello");
  const say = (name: string, id: unknown, value: string) =>
    chat.as(name).patch(`/users/${id}`, { profile_data: [{ id: locked, value }] });
  assert.equal((await say("iago", hamlet, "prince")).status, 200);
  assert.equal((await say("iago", hamlet, "prince")).status, 200);
  assert.deepEqual(
    (await queue.events()).map(({ person }) => person.custom_profile_field.value),
    ["prince"],
  );
  for (const [name, id] of [
    ["othello", hamlet],
    ["hamlet", hamlet],
    ["iago", bot],
  ] as const)
    assert.equal((await say(name, id, "fool")).result, "error");
  const rows = chat.server.app.store.reader.all<{ target: string; after: string }>(
    "SELECT target, after FROM audit WHERE action = 'change profile'",
  );
  assert.deepEqual(rows, [{ target: `user ${hamlet}`, after: JSON.stringify({ [locked]: "prince" }) }]);
});
