import assert from "node:assert/strict";
import test from "node:test";
import { type Chat, startChat } from "../support/chat.ts";

const NEXT_YEAR = Math.floor(Date.now() / 1000) + 31_536_000;
const draft = { type: "", to: [], topic: "", content: "to do" };

/** Everything limited to 1000 per user: how to add an item, and its table. */
const KINDS = [
  { path: "/drafts", field: "drafts", table: "drafts", params: () => ({ drafts: [draft] }) },
  {
    path: "/saved_snippets",
    field: "saved_snippets",
    table: "saved_snippets",
    params: () => ({ title: "Hi", content: "Hello" }),
  },
  {
    path: "/scheduled_messages",
    field: "scheduled_messages",
    table: "scheduled_messages",
    params: ({ ids }: Chat) => ({
      type: "direct",
      to: [ids.othello],
      content: "later",
      scheduled_delivery_timestamp: NEXT_YEAR,
    }),
  },
  {
    path: "/reminders",
    field: "reminders",
    table: "reminders",
    params: (_: Chat, message_id: number) => ({ message_id, scheduled_delivery_timestamp: NEXT_YEAR }),
  },
] as const;

test("personal items are limited to 1000 each", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const hamlet = chat.as("hamlet");
  const direct = { type: "direct", to: [chat.ids.hamlet], content: "here" };
  const { id } = await hamlet.post("/messages", direct);
  const { store } = chat.server.app;
  for (const { path, field, table, params } of KINDS) {
    const keep = async (name = "hamlet") => chat.as(name).post(path, params(chat, id));
    const list = async () => (await hamlet.get(path))[field];
    assert.equal((await keep()).status, 200, path);
    const columns = store.reader
      .all<{ name: string }>("SELECT name FROM pragma_table_info(?) WHERE name <> 'id'", table)
      .map(({ name }) => name)
      .join();
    store.transact({ actor: null, action: "test" }, (tx) => {
      tx.run(
        `INSERT INTO ${table} (${columns})
         WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 998)
         SELECT ${columns} FROM numbers, (SELECT * FROM ${table} ORDER BY id LIMIT 1) ORDER BY n`,
      );
    });
    const queue = await chat.register("hamlet");
    if (path === "/drafts") {
      assert.equal((await hamlet.post(path, { drafts: [draft, draft] })).code, "BAD_REQUEST");
      assert.equal((await list()).length, 999);
    }
    assert.equal((await keep()).status, 200, path);
    assert.equal((await queue.events()).length, 1);
    const full = await list();
    assert.equal(full.length, 1000);
    const { status, code, msg } = await keep();
    assert.deepEqual([status, code], [400, "BAD_REQUEST"], path);
    assert.match(msg, /at most 1000 /);
    assert.deepEqual(await list(), full);
    assert.deepEqual(await queue.events(), []);
    if (path !== "/reminders") assert.equal((await keep("othello")).status, 200, "the limit is per person");
    const one = full[0].id ?? full[0].scheduled_message_id ?? full[0].reminder_id;
    assert.equal((await hamlet.delete(`${path}/${one}`)).status, 200);
    assert.equal((await keep()).status, 200, path);
  }
});
