import assert from "node:assert/strict";
import test from "node:test";
import { startChat } from "../support/chat.ts";

test("checks a list's length before its items", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "general", subscribers: ["hamlet"] }], unwatched: true });
  const hamlet = chat.as("hamlet");
  const many = new Array(300_000).fill(chat.ids["othello"]);
  const refused = [
    ["to", await hamlet.post("/messages", { type: "direct", to: many, content: "x" })],
    ["to", await hamlet.post("/typing", { type: "direct", op: "start", to: many })],
    [
      "principals",
      await hamlet.post("/users/me/subscriptions", { subscriptions: [{ name: "new" }], principals: many }),
    ],
    ["principals", await hamlet.delete("/users/me/subscriptions", { subscriptions: ["general"], principals: many })],
    ["messages", await hamlet.post("/messages/flags", { messages: many, op: "add", flag: "read" })],
  ] as const;
  for (const [name, answer] of refused) {
    assert.equal(answer.status, 400, name);
    assert.equal(answer.msg, `${name} is too long: at most 20000 items.`);
  }
  const draft = { type: "", to: [], topic: "", content: "x".repeat(1900) };
  const drafts = await hamlet.post("/drafts", { drafts: new Array(101).fill(draft) });
  assert.deepEqual([drafts.status, drafts.msg], [400, "drafts is too long: at most 100 items."]);
  const people = await hamlet.post("/scheduled_messages", {
    type: "direct",
    to: many.slice(0, 1001),
    content: "x",
    scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 900,
  });
  assert.deepEqual([people.status, people.msg], [400, "to is too long: at most 1000 items."]);
});

test("a user named repeatedly is one recipient", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const to = new Array(5000).fill(chat.ids["othello"]);
  const sent = await chat.as("hamlet").post("/messages", { type: "direct", to, content: "x" });
  assert.equal(sent.result, "success", sent.msg);
  const { message } = await chat.as("othello").get(`/messages/${sent["id"]}`);
  assert.equal(message.display_recipient.length, 2);
});

test("sends many due messages in consecutive slices", async (t) => {
  let ahead = 0;
  const chat = await startChat(t, { unwatched: true, now: () => Date.now() + ahead });
  const later = { type: "direct", to: [chat.ids["othello"]], content: "due", topic: "" };
  const scheduled_delivery_timestamp = Math.floor(Date.now() / 1000) + 900;
  await chat.as("hamlet").post("/scheduled_messages", { ...later, scheduled_delivery_timestamp });
  const { store } = chat.server.app;
  const columns = store.reader
    .all<{ name: string }>("SELECT name FROM pragma_table_info('scheduled_messages') WHERE name <> 'id'")
    .map(({ name }) => name)
    .join();
  store.transact({ actor: null, action: "test" }, (tx) => {
    tx.run(
      `INSERT INTO scheduled_messages (${columns})
       WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 999)
       SELECT ${columns} FROM numbers, (SELECT * FROM scheduled_messages LIMIT 1)`,
    );
  });
  ahead = 1_000_000;
  const sentSoFar = () => store.reader.value<number>("SELECT count(*) FROM messages WHERE content = 'due'") ?? 0;
  let most = 0;
  for (let before = 0, now = 0; now < 1000; before = now) {
    await new Promise((resolve) => setImmediate(resolve)); // each turn: on a busy machine, a timer skips some
    now = sentSoFar();
    most = Math.max(most, now - before);
  }
  assert.ok(most <= 100, `${most} messages were sent in one turn`);
});
