import assert from "node:assert/strict";
import test from "node:test";
import { deleteDrafts } from "../../server/api/actions/drafts.ts";
import { startChat } from "../support/chat.ts";

const SECOND = 1000;
const general = { name: "general", subscribers: ["hamlet", "othello"] };
const secret = { name: "secret", private: true, subscribers: ["iago"] };
const unaddressed = { type: "", to: [], topic: "", content: "to do" };
const off = { emilia: { settings: { enable_drafts_synchronization: false } } };

test("drafts are created, listed, replaced and deleted with events", async (t) => {
  let now = 1_800_000_000_500;
  const chat = await startChat(t, { channels: [general], now: () => now });
  const hamlet = chat.as("hamlet");
  const [own, other] = [await chat.register("hamlet"), await chat.register("othello")];
  const { general: channel, othello } = chat.ids;
  const created = await hamlet.post("/drafts", {
    drafts: [
      { type: "stream", to: [channel], topic: "castle", content: "who's there?\n\n" },
      { type: "private", to: [othello], topic: "ignored", content: "psst", timestamp: 1_700_000_000.75 },
      { ...unaddressed, id: 999, to: [othello] },
    ],
  });
  assert.equal(created.status, 200, created.msg);
  const [a, b, c] = created.ids;
  assert.ok(a < b && b < c && c < 999);
  const castle = {
    id: a,
    type: "stream",
    to: [channel],
    topic: "castle",
    content: "who's there?",
    timestamp: 1_800_000_000,
  };
  const whisper = { id: b, type: "private", to: [othello], topic: "", content: "psst", timestamp: 1_700_000_000 };
  const plain = { id: c, type: "", to: [], topic: "", content: "to do", timestamp: 1_800_000_000 };
  const listed = async () => {
    const { count, drafts } = await hamlet.get("/drafts");
    assert.equal(count, drafts.length);
    return drafts;
  };
  assert.deepEqual(await listed(), [whisper, castle, plain], "last edited last");
  now += 10 * SECOND;
  const edited = await hamlet.patch(`/drafts/${b}`, { draft: { ...unaddressed, content: "later" } });
  assert.equal(edited.status, 200, edited.msg);
  const later = { ...plain, id: b, content: "later", timestamp: 1_800_000_010 };
  assert.deepEqual(await listed(), [castle, plain, later]);
  assert.deepEqual((await chat.register("hamlet")).state.drafts, [later, plain, castle]);
  assert.equal((await hamlet.delete(`/drafts/${c}`)).status, 200);
  assert.deepEqual(await listed(), [castle, later]);
  const events = (await own.events()).map(({ id: _, ...event }) => event);
  assert.deepEqual(events, [
    { type: "drafts", op: "add", drafts: [castle, whisper, plain] },
    { type: "drafts", op: "update", draft: later },
    { type: "drafts", op: "remove", draft_id: c },
  ]);
  assert.deepEqual(await other.events(), []);
});

test("another person's draft looks like a missing one", async (t) => {
  const chat = await startChat(t);
  const { ids } = await chat.as("hamlet").post("/drafts", { drafts: [unaddressed] });
  const othello = chat.as("othello");
  for (const id of [ids[0], 999_999, -1]) {
    for (const answer of [
      await othello.delete(`/drafts/${id}`),
      await othello.patch(`/drafts/${id}`, { draft: unaddressed }),
    ]) {
      assert.deepEqual([answer.status, answer.code, answer.msg], [404, "BAD_REQUEST", "Draft not found."]);
    }
  }
  assert.deepEqual(await othello.get("/drafts").then(({ count, drafts }) => [count, drafts]), [0, []]);
  assert.equal((await chat.as("hamlet").get("/drafts")).count, 1);
});

test("one invalid draft rejects the whole list", async (t) => {
  const chat = await startChat(t, { channels: [general, secret] });
  const { general: channel, secret: hidden, othello } = chat.ids;
  const post = async (draft: object) => {
    const { status, code, msg } = await chat.as("hamlet").post("/drafts", { drafts: [unaddressed, draft] });
    return [status, code, msg];
  };
  const inChannel = (to: unknown) => ({ type: "stream", to, topic: "t", content: "x" });
  const invalid = (id: number) => [400, "BAD_REQUEST", `There is no channel with ID ${id}.`];
  assert.deepEqual(await post(inChannel([999])), invalid(999));
  assert.deepEqual(await post(inChannel([hidden])), invalid(hidden as number));
  for (const bad of [
    inChannel([]),
    inChannel([channel, hidden]),
    inChannel(channel),
    { ...inChannel([channel]), topic: "x".repeat(61) },
    { ...inChannel([channel]), topic: "two\nlines" },
    { type: "private", to: [othello, 999], topic: "", content: "x" },
    { ...unaddressed, type: "direct" },
    { ...unaddressed, content: " \n " },
    { ...unaddressed, content: "x".repeat(10_001) },
    { ...unaddressed, timestamp: -1 },
    { ...unaddressed, timestamp: 1e15 },
    { ...unaddressed, timestamp: 1_800_000_000_000 },
    { ...unaddressed, topic: undefined },
    "a draft",
  ]) {
    const [status, code] = await post(bad as object);
    assert.deepEqual([status, code], [400, "BAD_REQUEST"], JSON.stringify(bad));
  }
  assert.equal((await chat.as("hamlet").post("/drafts", {})).code, "REQUEST_VARIABLE_MISSING");
  assert.equal((await chat.as("hamlet").get("/drafts")).count, 0);
  const longest = { ...inChannel([channel]), topic: "é".repeat(60), content: "𝄞".repeat(10_000) };
  assert.equal((await post(longest))[0], 200);
  assert.equal((await chat.as("iago").post("/drafts", { drafts: [inChannel([hidden])] })).status, 200);
});

test("drafts to hidden and missing people look alike", async (t) => {
  const chat = await startChat(t, {
    channels: [{ name: "general", subscribers: ["hamlet", "polonius"] }],
    unwatched: true,
  });
  const { store } = chat.server.app;
  const members = store.reader.value<number>("SELECT id FROM user_groups WHERE name = 'role:members'");
  store.transact({ actor: null, action: "test" }, (tx) => {
    const sql = "INSERT INTO organization_settings (name, value) VALUES ('can_access_all_users_group', ?)";
    tx.run(sql, String(members));
  });
  const write = async (id: number | undefined) => {
    const draft = { type: "private", to: [id], topic: "", content: "x" };
    const { status, msg } = await chat.as("polonius").post("/drafts", { drafts: [draft] });
    return [status, msg];
  };
  assert.deepEqual(await write(chat.ids.hamlet), [200, ""]);
  for (const id of [chat.ids.othello, 999]) assert.deepEqual(await write(id), [400, `Invalid user ID: ${id}`]);
});

test("both names of the empty topic are normalized", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const draft = { type: "stream", to: [chat.ids.general], content: "x" };
  const drafts = ["(no topic)", "general chat", ""].map((topic) => ({ ...draft, topic }));
  await chat.as("hamlet").post("/drafts", { drafts });
  const topics = (await chat.as("hamlet").get("/drafts")).drafts.map(({ topic }: { topic: string }) => topic);
  assert.deepEqual(topics, ["", "", ""]);
});

test("people who disable draft synchronization have no drafts here", async (t) => {
  const chat = await startChat(t, { users: off, unwatched: true });
  const emilia = chat.as("emilia");
  for (const answer of [
    await emilia.get("/drafts"),
    await emilia.post("/drafts", { drafts: [unaddressed] }),
    await emilia.patch("/drafts/1", { draft: unaddressed }),
    await emilia.delete("/drafts/1"),
  ]) {
    assert.deepEqual([answer.status, answer.code], [400, "BAD_REQUEST"]);
    assert.match(answer.msg, /enable_drafts_synchronization/);
  }
  assert.deepEqual((await chat.register("emilia")).state.drafts, []);
});

test("deleting all of a person's drafts sends no events", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  for (const name of ["hamlet", "othello"]) await chat.as(name).post("/drafts", { drafts: [unaddressed, unaddressed] });
  const queue = await chat.register("hamlet");
  chat.server.app.store.transact({ actor: null, action: "test" }, (tx) => deleteDrafts(tx, chat.user("hamlet")));
  assert.equal((await chat.as("hamlet").get("/drafts")).count, 0);
  assert.equal((await chat.as("othello").get("/drafts")).count, 2);
  assert.deepEqual(await queue.events(), []);
});

test("/register returns the 1,000 latest drafts, GET /drafts all", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const drafts = Array.from({ length: 1000 }, (_, n) => ({ ...unaddressed, content: `${n + 1}`, timestamp: n + 1 }));
  for (let at = 0; at < drafts.length; at += 100)
    assert.equal((await chat.as("hamlet").post("/drafts", { drafts: drafts.slice(at, at + 100) })).ids.length, 100);
  // Data from before the limit may exceed it.
  chat.server.app.store.transact({ actor: null, action: "test" }, (tx) => {
    const sql =
      "INSERT INTO drafts (user_id, type, recipients, topic, content, edited_at) VALUES (?, '', '[]', '', '0', 0)";
    tx.run(sql, chat.ids.hamlet as number);
  });
  assert.equal((await chat.as("hamlet").get("/drafts")).count, 1001);
  const registered = (await chat.register("hamlet")).state.drafts ?? [];
  assert.deepEqual([registered.length, registered[0]?.content, registered[999]?.content], [1000, "1000", "1"]);
});
