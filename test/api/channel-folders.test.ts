import assert from "node:assert/strict";
import test from "node:test";
import { type Chat, type Params, startChat } from "../support/chat.ts";

const NOW = 1_900_000_000_900;
const NOBODYS = ["hamlet", "polonius", "bot"];

async function create(chat: Chat, name: string, description = ""): Promise<number> {
  const answer = await chat.as("iago").post("/channel_folders/create", { name, description });
  assert.equal(answer.result, "success", answer.msg);
  return answer.channel_folder_id;
}

async function change(chat: Chat, id: number | string, params: Params): Promise<void> {
  const answer = await chat.as("iago").patch(`/channel_folders/${id}`, params);
  assert.deepEqual([answer.result, answer.msg], ["success", ""]);
}

const listed = async (chat: Chat, name = "polonius", params: Params = { include_archived: true }) =>
  (await chat.as(name).get("/channel_folders", params)).channel_folders;

const folderEvents = async (queue: { events(): Promise<Record<string, any>[]> }) =>
  (await queue.events())
    .filter(({ type }) => type === "channel_folder")
    .map(({ id: _, type: _type, ...event }) => event);

const putInto = (chat: Chat, name: string, folderId: number, as = "desdemona") =>
  chat.as(as).post("/users/me/subscriptions", { subscriptions: [{ name }], folder_id: folderId });

const folderOf = (chat: Chat, name: string) =>
  chat.server.app.store.reader.value<number | null>("SELECT folder_id FROM channels WHERE name = ?", name);

test("folders are created, changed and reordered with events", async (t) => {
  const chat = await startChat(t, { watchAll: true, now: () => NOW });
  const queues = [await chat.register("hamlet"), await chat.register("polonius"), await chat.register("bot")] as const;
  const work = await create(chat, "  Work ", "What we *do*");
  const play = await create(chat, "Play");
  const made = { date_created: 1_900_000_000, creator_id: chat.ids["iago"], is_archived: false };
  const first = {
    ...made,
    id: work,
    name: "Work",
    description: "What we *do*",
    rendered_description: "<p>What we <em>do</em></p>",
    order: work,
  };
  const second = { ...made, id: play, name: "Play", description: "", rendered_description: "", order: play };
  assert.deepEqual(await listed(chat), [first, second]);
  await change(chat, work, { name: "Labour", description: "**Hard**" });
  await change(chat, play, { is_archived: true });
  await change(chat, play, { is_archived: "false", description: "" });
  await change(chat, work, { name: "Labour", description: "**Hard**", is_archived: false });
  await change(chat, work, {});
  const reordered = await chat.as("iago").patch("/channel_folders", { order: [play, work] });
  assert.equal(reordered.result, "success", reordered.msg);
  assert.equal((await chat.as("iago").patch("/channel_folders", { order: [play, work] })).result, "success");
  const third = await create(chat, "New");
  const labour = {
    ...first,
    name: "Labour",
    description: "**Hard**",
    rendered_description: "<p><strong>Hard</strong></p>",
  };
  const fresh = { ...second, id: third, name: "New", order: third };
  const now = [{ ...second, order: 0 }, { ...labour, order: 1 }, fresh];
  assert.deepEqual(await listed(chat), now);
  assert.deepEqual((await chat.register("polonius")).state["channel_folders"], now);
  const update = (id: number, data: object) => ({ op: "update", channel_folder_id: id, data });
  const expected = [
    { op: "add", channel_folder: first },
    { op: "add", channel_folder: second },
    update(work, { name: "Labour" }),
    update(work, { description: "**Hard**", rendered_description: "<p><strong>Hard</strong></p>" }),
    update(play, { is_archived: true }),
    update(play, { is_archived: false }),
    { op: "reorder", order: [play, work] },
    { op: "add", channel_folder: fresh },
  ];
  for (const queue of queues) assert.deepEqual(await folderEvents(queue), expected);
  const { state } = await chat.register("hamlet");
  assert.deepEqual(
    [state["max_channel_folder_name_length"], state["max_channel_folder_description_length"]],
    [60, 1024],
  );
  const { state: some } = await chat.register("hamlet", { fetch_event_types: ["channel_folders"] });
  assert.deepEqual([some["channel_folders"]?.length, some["subscriptions"]], [3, undefined]);
  await chat.checkEvents();
  await chat.restart();
  assert.deepEqual(await listed(chat), now);
});

test("archived folders free their names", async (t) => {
  const chat = await startChat(t);
  const [old, live] = [await create(chat, "Projects"), await create(chat, "People")];
  await change(chat, old, { is_archived: true });
  const ids = async (params?: Params) => (await listed(chat, "hamlet", params)).map(({ id }: { id: number }) => id);
  assert.deepEqual(await ids({}), [live]);
  assert.deepEqual(await ids({ include_archived: false }), [live]);
  assert.deepEqual(await ids({ include_archived: true }), [old, live]);
  const refused = await chat.as("hamlet").get("/channel_folders", { include_archived: "some" });
  assert.deepEqual([refused.status, refused.msg.includes("include_archived")], [400, true]);
  const heir = await create(chat, "projects");
  const taken = await chat.as("iago").patch(`/channel_folders/${old}`, { is_archived: false, description: "x" });
  assert.deepEqual([taken.status, taken.code], [400, "BAD_REQUEST"]);
  assert.deepEqual((await listed(chat))[0].description, "");
  await change(chat, old, { is_archived: false, name: "Older projects" });
  await change(chat, heir, { name: "PROJECTS" });
  // An archived folder may share its name with another.
  await change(chat, old, { is_archived: true, name: "people" });
  assert.deepEqual(
    (await listed(chat)).map((folder: Record<string, unknown>) => [folder["name"], folder["is_archived"]]),
    [
      ["people", true],
      ["People", false],
      ["PROJECTS", false],
    ],
  );
  // The order has to list archived folders too.
  const short = await chat.as("iago").patch("/channel_folders", { order: [live, heir] });
  assert.deepEqual([short.status, short.msg.includes("order")], [400, true]);
  assert.equal((await chat.as("iago").patch("/channel_folders", { order: [heir, live, old] })).status, 200);
});

test("rejects invalid folder input and names its parameter", async (t) => {
  const chat = await startChat(t);
  const iago = chat.as("iago");
  const [folder, other] = [await create(chat, "Straße", "d"), await create(chat, "𝄞".repeat(60), "𝄞".repeat(1024))];
  const queue = await chat.register("hamlet");
  const bad: [Params, RegExp][] = [
    [{ name: "" }, /name/],
    [{ name: " \n " }, /name/],
    [{ name: "\u200b \u2060" }, /needs a name/], // invisible characters only
    [{ name: "a\u0007b" }, /control characters/],
    [{ name: "a\u2028b" }, /control characters/],
    [{ name: "a\u0000b" }, /name/],
    [{ name: "𝄞".repeat(61) }, /name.*60/],
    [{ description: "𝄞".repeat(1025) }, /description.*1024/],
    [{ name: "𝄞".repeat(60) }, /already/],
  ];
  for (const [params, words] of bad) {
    for (const answer of [
      await iago.post("/channel_folders/create", { name: "n", description: "", ...params }),
      await iago.patch(`/channel_folders/${folder}`, {
        name: "New",
        description: "new",
        is_archived: true,
        ...params,
        ...("name" in params && { is_archived: false }),
      }),
    ]) {
      assert.deepEqual([answer.status, answer.code], [400, "BAD_REQUEST"], JSON.stringify(params));
      assert.match(answer.msg, words);
    }
  }
  const upper = await iago.post("/channel_folders/create", { name: "STRAßE", description: "" });
  assert.deepEqual([upper.status, upper.code], [400, "BAD_REQUEST"]);
  for (const [params, name] of [
    [{ description: "" }, "name"],
    [{ name: "n" }, "description"],
  ] as const) {
    const answer = await iago.post("/channel_folders/create", params);
    assert.deepEqual([answer.code, answer["var_name"]], ["REQUEST_VARIABLE_MISSING", name]);
  }
  assert.match((await iago.patch(`/channel_folders/${folder}`, { is_archived: "yes" })).msg, /is_archived/);
  for (const id of [0, -1, 999]) {
    const answer = await iago.patch(`/channel_folders/${id}`, { name: "x" });
    assert.deepEqual([answer.status, answer.code, answer.msg], [400, "BAD_REQUEST", "Invalid channel folder ID"]);
  }
  for (const order of [
    [],
    [folder],
    [folder, folder],
    [folder, other, 999],
    [folder, other, other],
    "first",
    [folder, "x"],
  ]) {
    const answer = await iago.patch("/channel_folders", { order });
    assert.deepEqual([answer.status, answer.msg.includes("order")], [400, true], JSON.stringify(order));
  }
  assert.equal((await iago.patch("/channel_folders")).code, "REQUEST_VARIABLE_MISSING");
  assert.deepEqual(await folderEvents(queue), []);
  assert.deepEqual(
    (await listed(chat)).map(({ name, description }: Record<string, string>) => [name, description]),
    [
      ["Straße", "d"],
      ["𝄞".repeat(60), "𝄞".repeat(1024)],
    ],
  );
});

test("only administrators manage folders, and every account sees them", async (t) => {
  const chat = await startChat(t, { users: { lodovico: { role: 300 } } });
  const id = await create(chat, "Work");
  const queue = await chat.register("hamlet");
  for (const name of [...NOBODYS, "lodovico"]) {
    const caller = chat.as(name);
    for (const answer of [
      await caller.post("/channel_folders/create", { name: "Mine", description: "" }),
      await caller.patch(`/channel_folders/${id}`, { name: "Mine" }),
      await caller.patch(`/channel_folders/${id}`, { is_archived: true }),
      await caller.patch("/channel_folders/999", { name: "Mine" }),
      await caller.patch("/channel_folders", { order: [id] }),
      // The role is checked before the parameters (docs/protocol.md#order-of-checks).
      await caller.post("/channel_folders/create"),
      await caller.patch("/channel_folders/one", { is_archived: "perhaps" }),
      await caller.patch("/channel_folders"),
    ]) {
      assert.deepEqual([answer.status, answer.code], [400, "UNAUTHORIZED_PRINCIPAL"], name);
    }
    assert.deepEqual(
      (await listed(chat, name)).map((folder: { name: string }) => folder.name),
      ["Work"],
    );
  }
  for (const [method, path] of [
    ["GET", "/channel_folders"],
    ["POST", "/channel_folders/create"],
    ["PATCH", `/channel_folders/${id}`],
    ["PATCH", "/channel_folders"],
  ] as const) {
    assert.equal((await chat.anonymous(method, path)).status, 401);
  }
  assert.deepEqual(await folderEvents(queue), []);
  const owner = await chat.as("desdemona").post("/channel_folders/create", { name: "Owned", description: "" });
  assert.equal(owner.result, "success", owner.msg);
  assert.equal((await folderEvents(queue)).length, 1);
});

test("a folder with channels cannot be archived", async (t) => {
  const chat = await startChat(t);
  const [work, gone] = [await create(chat, "Work"), await create(chat, "Gone")];
  await change(chat, gone, { is_archived: true });
  const queue = await chat.register("hamlet");
  const answer = await putInto(chat, "desk", work);
  assert.equal(answer.result, "success", answer.msg);
  assert.equal(folderOf(chat, "desk"), work);
  const [created] = (await queue.events()).filter(({ type, op }) => type === "stream" && op === "create");
  assert.equal(created?.["streams"][0].folder_id, work);
  for (const [id, words] of [
    [999, /Invalid channel folder ID/],
    [0, /Invalid channel folder ID/],
    [gone, /archived/],
  ] as const) {
    const refused = await putInto(chat, "chair", id);
    assert.deepEqual([refused.status, refused.code], [400, "BAD_REQUEST"]);
    assert.match(refused.msg, words);
  }
  assert.equal(folderOf(chat, "chair"), undefined);
  assert.deepEqual(await queue.events(), []);
  const archive = async () => (await chat.as("iago").patch(`/channel_folders/${work}`, { is_archived: true })).status;
  assert.equal(await archive(), 400);
  chat.ids["desk"] = chat.server.app.store.reader.value<number>(
    "SELECT id FROM channels WHERE name = 'desk'",
  ) as number;
  const desk = `/streams/${chat.ids["desk"]}`;
  assert.equal((await chat.as("desdemona").delete(desk)).result, "success");
  assert.equal(await archive(), 400, "an archived channel keeps its folder");
  assert.equal(folderOf(chat, "desk"), work);
  assert.equal((await chat.as("desdemona").patch(desk, { is_archived: false })).result, "success");
  const move = async (value: number | null) => (await chat.as("desdemona").patch(desk, { folder_id: value })).status;
  assert.deepEqual([await move(999), await move(gone), folderOf(chat, "desk")], [400, 400, work]);
  assert.deepEqual([await move(null), folderOf(chat, "desk")], [200, null]);
  assert.deepEqual(
    (await queue.events()).filter(({ property }) => property === "folder_id").map(({ value }) => value),
    [null],
  );
  assert.equal(await archive(), 200);
  assert.equal(await move(work), 400);
  const [safe, hamlet] = [await create(chat, "Safe"), await chat.register("hamlet")];
  const secret = { subscriptions: [{ name: "secret" }], invite_only: true, folder_id: safe };
  assert.equal((await chat.as("desdemona").post("/users/me/subscriptions", secret)).result, "success");
  assert.equal(folderOf(chat, "secret"), safe);
  assert.deepEqual(await hamlet.events(), [], "people without access to the channel learn nothing");
  const { state } = await chat.register("hamlet");
  assert.equal(
    [...(state.streams ?? []), ...(state.never_subscribed ?? [])].some(({ folder_id }) => folder_id === safe),
    false,
  );
});

test("every folder change is audited with its current name", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const [id, other] = [await create(chat, "Work", "d"), await create(chat, "Play")];
  await change(chat, id, { name: "Labour", description: "", is_archived: true });
  await change(chat, id, { is_archived: false });
  await chat.as("iago").patch("/channel_folders", { order: [other, id] });
  await change(chat, id, { name: "Labour" });
  const { entries } = await chat.as("desdemona").get("/host/audit", { limit: 7 });
  const folder = `channel folder ${id}`;
  assert.deepEqual(
    entries.map(({ action, target, target_name, before, after, actor }: Record<string, any>) => {
      assert.equal(actor.user_id, chat.ids["iago"]);
      return [action, target, target_name, before, after];
    }),
    [
      ["reorder channel folders", "channel folders", null, [id, other], [other, id]],
      ["restore channel folder", folder, "Labour", { is_archived: true }, { is_archived: false }],
      ["archive channel folder", folder, "Labour", { is_archived: false }, { is_archived: true }],
      ["describe channel folder", folder, "Labour", { description: "d" }, { description: "" }],
      ["rename channel folder", folder, "Labour", { name: "Work" }, { name: "Labour" }],
      ["create channel folder", `channel folder ${other}`, "Play", null, { name: "Play", description: "" }],
      ["create channel folder", folder, "Labour", null, { name: "Work", description: "d" }],
    ],
  );
});
