import assert from "node:assert/strict";
import test from "node:test";
import { type Chat, type Params, startChat } from "../support/chat.ts";

const channels = [{ name: "stage" }, { name: "kitchen" }, { name: "secret", private: true }];

const groups = async (chat: Chat, name = "hamlet"): Promise<any> =>
  (await chat.register(name, { fetch_event_types: ["default_stream_groups"] })).state["realm_default_stream_groups"];
const groupsInEvents = async (queue: { events(): Promise<Record<string, any>[]> }) =>
  (await queue.events())
    .filter(({ type }) => type === "default_stream_groups")
    .map((event) => event["default_stream_groups"]);

async function done(answer: Promise<Record<string, any>>): Promise<void> {
  const { result, msg } = await answer;
  assert.deepEqual([result, msg], ["success", ""]);
}

test("default groups are created, changed and deleted with events", async (t) => {
  const chat = await startChat(t, { watchAll: true, channels });
  const iago = chat.as("iago");
  const [stage, kitchen] = [chat.ids["stage"], chat.ids["kitchen"]];
  const [member, bot, guest] = [
    await chat.register("hamlet"),
    await chat.register("bot"),
    await chat.register("polonius"),
  ];
  const create = { group_name: " Theatre ", description: "All *about* it", stream_names: ["stage", "STAGE"] };
  await done(iago.post("/default_stream_groups/create", create));
  const [made] = await groups(chat);
  const { id } = made;
  assert.deepEqual(made, { id, name: "Theatre", description: "All *about* it", streams: [stage] });
  await done(iago.post("/default_stream_groups/create", { group_name: "Empty", description: "", stream_names: [] }));
  await done(iago.patch(`/default_stream_groups/${id}`, { new_group_name: "Plays" }));
  await done(iago.patch(`/default_stream_groups/${id}`, { new_description: "" }));
  await done(iago.patch(`/default_stream_groups/${id}`, { new_group_name: "Plays", new_description: "" }));
  await done(iago.patch(`/default_stream_groups/${id}/streams`, { op: "add", stream_names: ["Kitchen"] }));
  await done(iago.patch(`/default_stream_groups/${id}/streams`, { op: "remove", stream_names: ["stage"] }));
  await done(iago.patch(`/default_stream_groups/${id}/streams`, { op: "remove", stream_names: [] }));
  const [empty, plays] = await groups(chat);
  assert.deepEqual(plays, { id, name: "Plays", description: "", streams: [kitchen] });
  await chat.checkEvents();
  await chat.restart();
  assert.deepEqual(await groups(chat, "bot"), [empty, plays]);
  await done(iago.delete(`/default_stream_groups/${id}`));
  assert.deepEqual(await groups(chat), [empty]);
  const described = { ...made, name: "Plays", description: "" };
  const expected = [
    [made],
    [empty, made],
    [empty, { ...made, name: "Plays" }],
    [empty, described],
    [empty, { ...described, streams: [stage, kitchen] }],
    [empty, plays],
    [empty],
  ];
  assert.deepEqual(await groupsInEvents(member), expected);
  assert.deepEqual(await groupsInEvents(bot), expected);
  assert.deepEqual(await groupsInEvents(guest), []);
  assert.deepEqual(await groups(chat, "polonius"), []);
  const { entries } = await chat.as("desdemona").get("/host/audit", { limit: 7 });
  const target = `default channel group ${id}`;
  assert.deepEqual(
    entries.map(({ action, target, before, after }: Record<string, any>) => [action, target, before, after]),
    [
      ["delete default channel group", target, { name: "Plays", description: "", streams: [kitchen] }, null],
      ["change channels of default channel group", target, [stage, kitchen], [kitchen]],
      ["change channels of default channel group", target, [stage], [stage, kitchen]],
      [
        "change default channel group",
        target,
        { name: "Plays", description: create.description },
        { name: "Plays", description: "" },
      ],
      [
        "change default channel group",
        target,
        { name: "Theatre", description: create.description },
        { name: "Plays", description: create.description },
      ],
      [
        "create default channel group",
        `default channel group ${empty.id}`,
        null,
        { name: "Empty", description: "", streams: [] },
      ],
      [
        "create default channel group",
        target,
        null,
        { name: "Theatre", description: create.description, streams: [stage] },
      ],
    ],
  );
});

test("invalid names and channels are rejected without any change", async (t) => {
  const chat = await startChat(t, { channels });
  const [owner, iago] = [chat.as("desdemona"), chat.as("iago")];
  const news = { subscriptions: [{ name: "news" }], is_default_stream: true };
  assert.equal((await owner.post("/users/me/subscriptions", news)).result, "success");
  assert.equal((await owner.post("/users/me/subscriptions", { subscriptions: [{ name: "old" }] })).result, "success");
  const old = chat.server.app.store.reader.value<number>("SELECT id FROM channels WHERE name = 'old'");
  assert.equal((await owner.delete(`/streams/${old}`)).result, "success");
  await done(
    iago.post("/default_stream_groups/create", { group_name: "Plays", description: "", stream_names: ["stage"] }),
  );
  await done(iago.post("/default_stream_groups/create", { group_name: "Food", description: "", stream_names: [] }));
  const before = await groups(chat);
  const id = before.find(({ name }: { name: string }) => name === "Plays").id;
  const queue = await chat.register("hamlet");
  const create = (params: Params) =>
    iago.post("/default_stream_groups/create", { group_name: "New", description: "", stream_names: [], ...params });
  const patch = (params: Params) => iago.patch(`/default_stream_groups/${id}`, params);
  const fill = (params: Params) => iago.patch(`/default_stream_groups/${id}/streams`, { op: "add", ...params });
  for (const [answer, words] of [
    [await create({ group_name: " " }), /name/],
    [await create({ group_name: "\u200b\u00ad" }), /needs a name/],
    [await create({ group_name: "a\u0007" }), /control characters/],
    [await create({ group_name: "x".repeat(61) }), /group_name.*60/],
    [await create({ group_name: "pLAYS" }), /already/],
    [await create({ description: "x".repeat(1025) }), /description.*1024/],
    [await create({ stream_names: "stage" }), /stream_names/],
    [await create({ stream_names: [1] }), /stream_names/],
    [await create({ stream_names: Array(501).fill("stage") }), /stream_names/],
    [await create({ stream_names: ["stage", "nowhere"] }), /no channel named nowhere/],
    [await create({ stream_names: ["secret"] }), /private/],
    [await create({ stream_names: ["news"] }), /default channel/],
    [await create({ stream_names: ["old"] }), /archived/],
    [await patch({}), /new_group_name/],
    [await patch({ new_group_name: "" }), /name/],
    [await patch({ new_group_name: "x".repeat(61) }), /new_group_name.*60/],
    [await patch({ new_description: "x".repeat(1025) }), /new_description.*1024/],
    [await patch({ new_group_name: "food", new_description: "new" }), /already/],
    [await fill({ stream_names: ["stage"] }), /already in/],
    [await fill({ stream_names: ["kitchen", "secret"] }), /private/],
    [await fill({ stream_names: ["nowhere"] }), /no channel named nowhere/],
    [await fill({ stream_names: Array(501).fill("stage") }), /stream_names/],
    [await fill({ op: "remove", stream_names: ["kitchen"] }), /not in/],
    [await fill({ op: "toggle", stream_names: ["kitchen"] }), /op/],
    [await iago.patch("/default_stream_groups/999", { new_group_name: "x" }), /999/],
    [await iago.patch("/default_stream_groups/999/streams", { op: "add", stream_names: ["stage"] }), /999/],
    [await iago.delete("/default_stream_groups/999"), /999/],
  ] as const) {
    assert.deepEqual([answer.status, answer.code], [400, "BAD_REQUEST"], answer.msg);
    assert.match(answer.msg, words);
  }
  for (const [answer, name] of [
    [await iago.post("/default_stream_groups/create", { description: "", stream_names: [] }), "group_name"],
    [await iago.post("/default_stream_groups/create", { group_name: "x", stream_names: [] }), "description"],
    [await iago.post("/default_stream_groups/create", { group_name: "x", description: "" }), "stream_names"],
    [await iago.patch(`/default_stream_groups/${id}/streams`, { stream_names: [] }), "op"],
    [await iago.patch(`/default_stream_groups/${id}/streams`, { op: "add" }), "stream_names"],
  ] as const) {
    assert.deepEqual([answer.code, answer["var_name"]], ["REQUEST_VARIABLE_MISSING", name]);
  }
  assert.deepEqual(await groups(chat), before);
  assert.deepEqual(await groupsInEvents(queue), []);
});

test("only administrators manage default groups", async (t) => {
  const chat = await startChat(t, { channels, users: { lodovico: { role: 300 } } });
  const create = { group_name: "Plays", description: "", stream_names: ["stage"] };
  await done(chat.as("desdemona").post("/default_stream_groups/create", create));
  const before = await groups(chat);
  const path = `/default_stream_groups/${before[0].id}`;
  for (const name of ["hamlet", "bot", "lodovico", "polonius"]) {
    const caller = chat.as(name);
    for (const answer of [
      await caller.post("/default_stream_groups/create", { ...create, group_name: "Mine" }),
      await caller.patch(path, { new_group_name: "Mine" }),
      await caller.patch("/default_stream_groups/999", { new_group_name: "Mine" }),
      await caller.patch(`${path}/streams`, { op: "add", stream_names: ["kitchen"] }),
      await caller.delete(path),
    ]) {
      const code = name === "polonius" ? "BAD_REQUEST" : "UNAUTHORIZED_PRINCIPAL";
      assert.deepEqual([answer.status, answer.code], [400, code], name);
    }
  }
  assert.equal((await chat.anonymous("POST", "/default_stream_groups/create", create)).status, 401);
  assert.equal((await chat.anonymous("DELETE", path)).status, 401);
  assert.deepEqual(await groups(chat), before);
});

test("unsuitable channels leave their default groups", async (t) => {
  const more = ["cellar", "attic", "hall"].map((name) => ({ name }));
  const chat = await startChat(t, { channels: more });
  const owner = chat.as("desdemona");
  const create = { group_name: "House", description: "", stream_names: more.map(({ name }) => name) };
  await done(owner.post("/default_stream_groups/create", create));
  const left = async () => (await groups(chat))[0].streams;
  const { cellar, attic, hall } = chat.ids;
  assert.deepEqual(await left(), [cellar, attic, hall]);
  assert.equal((await owner.delete(`/streams/${cellar}`)).result, "success");
  assert.deepEqual(await left(), [attic, hall]);
  assert.equal((await owner.patch(`/streams/${attic}`, { is_private: true })).result, "success");
  assert.deepEqual(await left(), [hall]);
  assert.equal((await owner.post("/default_streams", { stream_id: hall })).result, "success");
  assert.deepEqual(await left(), []);
});
