import assert from "node:assert/strict";
import test from "node:test";
import { deleteMessages } from "../../server/api/actions/message-deletions.ts";
import { unsubscribe } from "../../server/api/actions/subscriptions.ts";
import { type Channel, channelById } from "../../server/api/queries/channels.ts";
import { startChat } from "../support/chat.ts";
import {
  clock,
  deleted,
  design,
  edited,
  general,
  notDeleted,
  refused,
  say,
  settings,
  write,
} from "../support/message-edits.ts";

test("authors, bot owners and permitted groups delete messages", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const own = await say(chat, "hamlet", "x");
  await notDeleted(chat, "othello", own, "delete_message_not_permitted");
  await deleted(chat, "hamlet", own);
  assert.equal((await chat.as("hamlet").get(`/messages/${own}`)).status, 400);
  await notDeleted(chat, "hamlet", own, "message_not_found");
  await deleted(chat, "iago", await say(chat, "hamlet", "x"));
  const bots = await write(chat, "bot", "hamlet", "x");
  await deleted(chat, "hamlet", bots);
  const others = await write(chat, "bot", "othello", "x");
  await notDeleted(chat, "othello", others, "delete_message_not_permitted");
  await notDeleted(chat, "hamlet", others, "message_not_found");
});

test("organization and channel decide who deletes messages", async (t) => {
  const nobody = settings({ can_delete_own_message_group: "role:nobody", can_delete_any_message_group: "role:nobody" });
  const chat = await startChat(t, { channels: [general], ...nobody });
  const only = (name: string) => ({ direct_members: [chat.ids[name]], direct_subgroups: [] });
  const made = await chat.as("desdemona").post("/users/me/subscriptions", {
    subscriptions: [{ name: "loose" }],
    principals: [chat.ids.hamlet, chat.ids.othello, chat.ids.iago],
    can_delete_own_message_group: only("hamlet"),
    can_delete_any_message_group: only("othello"),
  });
  assert.equal(made.result, "success", made.msg);
  await notDeleted(chat, "iago", await say(chat, "iago", "x"));
  await notDeleted(chat, "iago", await say(chat, "iago", "x", { to: "loose" }));
  await notDeleted(chat, "hamlet", await say(chat, "iago", "x", { to: "loose" }));
  await deleted(chat, "hamlet", await say(chat, "hamlet", "x", { to: "loose" }));
  await deleted(chat, "othello", await say(chat, "iago", "x", { to: "loose" }));
  await notDeleted(chat, "othello", await say(chat, "iago", "x"));
  // A channel's groups do not apply to direct messages.
  await notDeleted(chat, "hamlet", await write(chat, "hamlet", "othello", "x"));
  await notDeleted(chat, "othello", await write(chat, "hamlet", "othello", "x"));
});

test("only deleting your own messages has a time limit", async (t) => {
  const time = clock();
  const chat = await startChat(t, { channels: [general], now: time.now, unwatched: true });
  const ids = [await say(chat, "hamlet", "x"), await say(chat, "hamlet", "x")] as [number, number];
  time.ms += 600_000;
  await deleted(chat, "hamlet", ids[0]);
  time.ms += 1000;
  await notDeleted(chat, "hamlet", ids[1], "delete_time_limit_passed");
  await deleted(chat, "iago", ids[1]);
});

test("a deletion removes everything attached and notifies the readers", async (t) => {
  const chat = await startChat(t, { channels: [general, design] });
  const first = await say(chat, "hamlet", "x", { to: "design" });
  const second = await say(chat, "hamlet", "/poll Lunch?\nyes", { to: "design" });
  await chat.as("iago").post(`/messages/${second}/reactions`, { emoji_name: "tada" });
  await chat.as("iago").post("/messages/flags", { messages: [second], op: "add", flag: "starred" });
  await edited(chat, "hamlet", second, { topic: "votes" });
  const [iago, othello] = [await chat.register("iago"), await chat.register("othello")];
  await deleted(chat, "hamlet", first);
  await deleted(chat, "hamlet", second);
  const events = await iago.events();
  assert.deepEqual(
    events.filter(({ type }) => type === "delete_message").map(({ message_ids, topic }) => [message_ids, topic]),
    [
      [[first], "lunch"],
      [[second], "votes"],
    ],
  );
  assert.deepEqual(
    events.filter(({ property }) => property === "first_message_id").map(({ value }) => value),
    [second, null],
  );
  assert.deepEqual(await othello.events(), []);
  const { reader } = chat.server.app.store;
  for (const table of ["message_flags", "reactions", "submessages", "message_edits", "messages", "read_differences"])
    assert.equal(reader.value(`SELECT COUNT(*) FROM ${table}`), 0, table);
});

test("the newest message ID survives deletion and restart", async (t) => {
  const chat = await startChat(t, { watchAll: true, channels: [general] });
  await say(chat, "hamlet", "x");
  const direct = await write(chat, "hamlet", "othello", "y");
  const newest = await say(chat, "hamlet", "z");
  await deleted(chat, "hamlet", newest);
  await deleted(chat, "hamlet", direct);
  const check = async () => {
    const { state } = await chat.register("othello");
    assert.equal(state.max_message_id, newest);
    assert.deepEqual(state.recent_private_conversations, [{ max_message_id: direct, user_ids: [chat.ids.hamlet] }]);
    assert.equal((await chat.register("cordelia")).state.max_message_id, -1);
  };
  await check();
  await chat.checkEvents();
  await chat.restart();
  await check();
});

test("several deletions make one event for capable clients", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const ids = [await say(chat, "hamlet", "x", { topic: "" }), await say(chat, "hamlet", "y", { topic: "" })];
  const old = { client_capabilities: { bulk_message_deletion: false } };
  const [able, unable, other] = [
    await chat.register("othello"),
    await chat.register("othello", old),
    await chat.register("iago"),
  ];
  const fields = { type: "delete_message", message_type: "stream", stream_id: chat.ids.general };
  const deletions = async (queue: typeof able) =>
    (await queue.events())
      .map(({ id: _, ...event }) => event as object)
      .filter((event: any) => event.type === "delete_message");
  chat.server.app.store.transact({ actor: 1, action: "test" }, (tx) => deleteMessages(tx, chat.user("desdemona"), ids));
  await chat.server.app.store.durable();
  assert.deepEqual(await deletions(able), [{ ...fields, topic: "", message_ids: ids }]);
  assert.deepEqual(await deletions(other), [{ ...fields, topic: "", message_ids: ids }]);
  assert.deepEqual(
    await deletions(unable),
    ids.map((message_id) => ({ ...fields, topic: "general chat", message_id })),
  );
  const direct = await write(chat, "hamlet", "othello", "x");
  await Promise.all([able.events(), unable.events()]);
  await deleted(chat, "hamlet", direct);
  assert.deepEqual(await deletions(able), [{ type: "delete_message", message_type: "private", message_ids: [direct] }]);
  assert.deepEqual(await deletions(unable), [{ type: "delete_message", message_type: "private", message_id: direct }]);
});

test("former subscribers only learn that their star is gone", async (t) => {
  const chat = await startChat(t, { channels: [general, design] });
  const ids = [
    await say(chat, "iago", "x", { to: "design" }),
    await say(chat, "iago", "y", { to: "design" }),
    await say(chat, "iago", "z", { to: "design" }),
  ] as [number, number, number];
  await chat.as("hamlet").post("/messages/flags", { messages: ids.slice(0, 2), op: "add", flag: "starred" });
  chat.server.app.store.transact({ actor: 1, action: "test" }, (tx) => {
    unsubscribe(tx, null, {
      users: [chat.user("hamlet")],
      channels: [channelById(tx, chat.ids.design as number) as Channel],
    });
  });
  const queue = await chat.register("hamlet");
  assert.deepEqual(queue.state.starred_messages, ids.slice(0, 2));
  for (const id of ids) await deleted(chat, "iago", id);
  assert.deepEqual(
    (await queue.events()).map(({ type, op, flag, messages }) => [type, op, flag, messages]),
    [ids[0], ids[1]].map((id) => ["update_message_flags", "remove", "starred", [id]]),
  );
});

test("bulk deletions and moves preserve each reader's read state", async (t) => {
  const chat = await startChat(t, { channels: [general, { name: "other" }], unwatched: true });
  const ids: number[] = [];
  for (let count = 0; count < 4; count += 1) ids.push(await say(chat, "othello", "x"));
  const [first, second, third, fourth] = ids as [number, number, number, number];
  const { store } = chat.server.app;
  const about = { actor: null, action: "test" };
  store.transact(about, (tx) => {
    tx.run(
      `INSERT INTO users (email, email_key, full_name, role, joined_at)
       WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 6500)
       SELECT 'p' || n, 'p' || n, 'P' || n, 400, 1 FROM numbers ORDER BY n`,
    );
    const people = "FROM users WHERE email LIKE 'p%' AND email NOT LIKE '%@%' ORDER BY id";
    tx.run(
      `INSERT INTO subscriptions (user_id, channel_id, subscribed, color) SELECT id, ?, 1, '#fff' ${people}`,
      chat.ids["general"] as number,
    );
    tx.run(
      `INSERT INTO subscription_periods (user_id, channel_id, first_message_id) SELECT id, ?, 1 ${people}`,
      chat.ids["general"] as number,
    );
    // All have read the first and third message; each has a bitmap of their own.
    tx.run(
      `INSERT INTO read_differences (user_id, chunk, bits)
       SELECT id, 0, CAST(? || zeroblob(400) || printf('%08d', id) || zeroblob(103) AS BLOB) ${people}`,
      Uint8Array.of((1 << first) | (1 << third)),
    );
  });
  const bitmap = () => {
    const sql =
      "SELECT group_concat(DISTINCT hex(substr(bits, 1, 1))) FROM read_differences WHERE length(trim(substr(bits, 402, 8))) = 8";
    return store.reader.value<string>(sql);
  };
  const suffixes = () =>
    store.reader.value<number>(
      "SELECT COUNT(*) FROM read_differences WHERE substr(bits, 402, 8) = CAST(printf('%08d', user_id) AS BLOB)",
    );
  await deleted(chat, "desdemona", first);
  assert.equal(
    bitmap(),
    Buffer.of(1 << third)
      .toString("hex")
      .toUpperCase(),
  );
  await edited(chat, "desdemona", second, { stream_id: chat.ids["other"] });
  assert.equal(
    bitmap(),
    Buffer.of((1 << second) | (1 << third))
      .toString("hex")
      .toUpperCase(),
  );
  assert.equal(suffixes(), 6500);
  assert.equal((await chat.as("desdemona").get(`/messages/${fourth}`)).result, "success");
});

test("a move affecting too many flags is rejected", async (t) => {
  const chat = await startChat(t, { channels: [general, { name: "other" }], unwatched: true });
  const id = await say(chat, "othello", "x");
  chat.server.app.store.transact({ actor: null, action: "test" }, (tx) => {
    const numbers = (last: number) =>
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${last})`;
    tx.run(
      `INSERT INTO users (email, email_key, full_name, role, joined_at)
       ${numbers(2000)} SELECT 'p' || n, 'p' || n, 'P' || n, 400, 1 FROM numbers ORDER BY n`,
    );
    tx.run(
      `INSERT INTO subscriptions (user_id, channel_id, subscribed, color)
       SELECT id, ?, 1, '#fff' FROM users WHERE email LIKE 'p%' AND email NOT LIKE '%@%' ORDER BY id`,
      chat.ids["general"] as number,
    );
    tx.run(
      `INSERT INTO messages (sender_id, recipient_id, sent_channel_id, channel_id, topic_id, topic, content,
         rendered_content, renderer_version, sent_at, client)
       ${numbers(1100)} SELECT sender_id, recipient_id, sent_channel_id, channel_id, topic_id, topic, content,
         rendered_content, renderer_version, sent_at, client FROM numbers JOIN messages ON messages.id = ? ORDER BY n`,
      id,
    );
  });
  await chat.restart();
  const move = { stream_id: chat.ids["other"], propagate_mode: "change_all" };
  await refused(chat, "desdemona", id, move, "move_too_large");
  await edited(chat, "desdemona", id + 800, { ...move, propagate_mode: "change_later" });
});

test("archived channels allow deletions but no edits", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const [own, others] = [await say(chat, "hamlet", "x"), await say(chat, "othello", "x")];
  assert.equal((await chat.as("desdemona").delete(`/streams/${chat.ids.general}`)).result, "success");
  await refused(chat, "hamlet", own, { content: "y" }, "channel_archived");
  await notDeleted(chat, "hamlet", others, "delete_message_not_permitted");
  const queue = await chat.register("othello", { client_capabilities: { archived_channels: true } });
  await deleted(chat, "hamlet", own);
  assert.deepEqual(
    (await queue.events()).filter(({ type }) => type === "delete_message").map(({ message_id }) => message_id),
    [own],
  );
  const notice = others + 1;
  assert.equal((await chat.as("hamlet").get(`/messages/${notice}`)).message.sender_full_name, "Notification Bot");
  await notDeleted(chat, "hamlet", notice, "delete_message_not_permitted");
  await deleted(chat, "desdemona", notice);
});
