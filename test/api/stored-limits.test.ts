import assert from "node:assert/strict";
import test from "node:test";
import { renderDescription } from "../../server/api/actions/rendering.ts";
import { codeToNames, emojiByName } from "../../server/markdown/emoji.ts";
import { type Body, type Chat, startChat } from "../support/chat.ts";

const general = { name: "general", subscribers: ["hamlet", "othello"] };

/** Repeats the newest row of a table `count` times. `changes`: SQL by column; `n` counts the copies. */
function repeat(
  chat: Chat,
  table: string,
  count: number,
  changes: Record<string, string> = {},
  order = "rowid DESC",
): void {
  const { store } = chat.server.app;
  const columns = store.reader
    .all<{ name: string }>("SELECT name FROM pragma_table_info(?) WHERE name <> 'id'", table)
    .map(({ name }) => name);
  store.transact({ actor: null, action: "test" }, (tx) => {
    tx.run(
      `INSERT INTO ${table} (${columns.join()})
       WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
       SELECT ${columns.map((name) => changes[name] ?? name).join()}
       FROM numbers, (SELECT * FROM ${table} ORDER BY ${order} LIMIT 1) ORDER BY n`,
    );
  });
}

const succeeded = (answer: Body) => assert.equal(answer.result, "success", answer.msg);
const refused = ({ status, code, msg, reason, params, var_name }: Body, ...expected: [string, number?, string?]) => {
  assert.deepEqual([status, code], [400, "BAD_REQUEST"], msg);
  assert.deepEqual([reason, params.count, var_name], [expected[0], expected[1], expected[2]], msg);
};

test("limits one user's drafts together", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const hamlet = chat.as("hamlet");
  const draft = (content: string) => ({ type: "", to: [], topic: "", content });
  const { ids } = await hamlet.post("/drafts", { drafts: [draft("x".repeat(10_000)), draft("short")] });
  await hamlet.delete(`/drafts/${ids[1]}`);
  repeat(chat, "drafts", 98);
  succeeded(await hamlet.post("/drafts", { drafts: [draft("y".repeat(9000))] }));
  refused(await hamlet.post("/drafts", { drafts: [draft("z".repeat(9000))] }), "drafts_too_long", 1_000_000, "drafts");
  const newest = (await hamlet.get("/drafts")).drafts.at(-1);
  refused(
    await hamlet.patch(`/drafts/${newest.id}`, { draft: draft("z".repeat(10_000)) }),
    "drafts_too_long",
    1_000_000,
    "draft",
  );
  succeeded(await hamlet.patch(`/drafts/${newest.id}`, { draft: draft("z") }));
  succeeded(await chat.as("othello").post("/drafts", { drafts: [draft("His own")] }));
});

test("limits one user's scheduled messages and reminders together", async (t) => {
  const chat = await startChat(t, { channels: [general], unwatched: true });
  const hamlet = chat.as("hamlet");
  const content = "👍".repeat(600);
  const time = { scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 31_536_000 };
  const later = { type: "channel", to: chat.ids["general"], topic: "t", ...time };
  const { scheduled_message_id: id } = await hamlet.post("/scheduled_messages", { ...later, content: "short" });
  succeeded(await hamlet.post("/scheduled_messages", { ...later, content }));
  const length = (table: string) =>
    chat.server.app.store.reader.value<number>(
      `SELECT max(length(content) + length(rendered_content)) FROM ${table}`,
    ) as number;
  repeat(chat, "scheduled_messages", Math.floor(4_000_000 / length("scheduled_messages")) - 1);
  refused(
    await hamlet.post("/scheduled_messages", { ...later, content }),
    "scheduled_messages_too_long",
    4_000_000,
    "content",
  );
  refused(
    await hamlet.patch(`/scheduled_messages/${id}`, { content }),
    "scheduled_messages_too_long",
    4_000_000,
    "content",
  );
  succeeded(await hamlet.patch(`/scheduled_messages/${id}`, { content: "less" }));
  succeeded(await chat.as("othello").post("/scheduled_messages", { ...later, content }));

  const { id: message_id } = await hamlet.post("/messages", { type: "channel", to: "general", topic: "t", content });
  succeeded(await hamlet.post("/reminders", { message_id, ...time }));
  repeat(chat, "reminders", Math.floor(4_000_000 / length("reminders")) - 1);
  refused(await hamlet.post("/reminders", { message_id, ...time }), "reminders_too_long", 4_000_000, "message_id");
  succeeded(await chat.as("othello").post("/reminders", { message_id, ...time }));
});

const COPIED_PERSON = {
  email: "n || '@copies.example'",
  email_key: "n || '@copies.example'",
  full_name: "'Copy ' || n",
};
const COPIED_CHANNEL = {
  name: "'copy ' || n",
  name_key: "'copy ' || n",
  recipient_id: "(SELECT max(id) FROM recipients) - n + 1",
};
const create = (chat: Chat, who: string, names: string[], more = {}) =>
  chat.as(who).post("/users/me/subscriptions", { subscriptions: names.map((name) => ({ name, ...more })) });

test("a user creates at most 1000 channels, administrators 5000 in all", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  succeeded(await create(chat, "hamlet", ["first"]));
  repeat(chat, "recipients", 4999);
  repeat(chat, "channels", 997, COPIED_CHANNEL);
  refused(await create(chat, "hamlet", ["new", "newer", "newest"]), "too_many_own_channels", 1000, "subscriptions");
  assert.equal((await chat.as("hamlet").get("/get_stream_id", { stream: "new" })).status, 400, "none is made");
  succeeded(await create(chat, "hamlet", ["new", "newer"]));
  succeeded(await create(chat, "othello", ["another's"]));
  repeat(chat, "channels", 3990, {
    ...COPIED_CHANNEL,
    name_key: "'more ' || n",
    recipient_id: "(SELECT max(id) FROM recipients) - 1000 - n",
  });
  const { streams } = await chat.as("iago").get("/streams");
  const names = Array.from({ length: 5000 - streams.length }, (_, n) => `iago's ${n}`);
  succeeded(await create(chat, "iago", names));
  refused(await create(chat, "iago", ["too many"]), "too_many_channels", 5000, "subscriptions");
  const { id } = chat.server.app.store.reader.get<{ id: number }>("SELECT max(id) AS id FROM channels") as {
    id: number;
  };
  succeeded(await chat.as("iago").delete(`/streams/${id}`));
  succeeded(await create(chat, "iago", ["room again"]));
  refused(
    await chat.as("iago").patch(`/streams/${id}`, { is_archived: false }),
    "too_many_channels",
    5000,
    "is_archived",
  );
});

test("limits channel descriptions and permissions together", async (t) => {
  const chat = await startChat(t, { unwatched: true, testing: { segmentSize: 16 << 20 } });
  succeeded(await create(chat, "hamlet", ["first"], { description: "é".repeat(1000) }));
  repeat(chat, "recipients", 1000);
  repeat(chat, "channels", 225, COPIED_CHANNEL);
  const added = await create(
    chat,
    "hamlet",
    Array.from({ length: 60 }, (_, n) => `more ${n}`),
    { description: "é".repeat(1000) },
  );
  refused(added, "channels_too_large", undefined, "subscriptions");
  const { stream_id } = await chat.as("hamlet").get("/get_stream_id", { stream: "first" });
  succeeded(await chat.as("hamlet").patch(`/streams/${stream_id}`, { description: "short" }));
  succeeded(await create(chat, "othello", ["his"], { description: "é".repeat(1000) }));
});

test("a description's HTML is never much longer than its text", async (t) => {
  const { reader } = (await startChat(t, { unwatched: true })).server.app.store;
  assert.ok(renderDescription(reader, "👍".repeat(500)).length < 4000 + 4 * 1000);
  assert.match(renderDescription(reader, "**See** :tada: <https://a.b> 👍"), /<strong>.*class="emoji/);
});

test("a group setting names at most 100 people and groups", async (t) => {
  const users = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`person${n}`, {}]));
  const chat = await startChat(t, { channels: [general], users, unwatched: true });
  const people = Object.keys(users).map((name) => chat.ids[name] as number);
  const set = (direct_members: number[]) =>
    chat.as("desdemona").patch(`/streams/${chat.ids["general"]}`, {
      can_send_message_group: { new: { direct_members, direct_subgroups: [] } },
    });
  succeeded(await set(people.slice(1)));
  refused(await set(people), "too_many_in_setting", 100, "can_send_message_group");
});

test("limits user groups and their members", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const make = (who: string, name: string, members: number[] = []) =>
    chat.as(who).post("/user_groups/create", { name, description: "", members });
  const { group_id } = await make("hamlet", "first", [chat.ids["hamlet"] as number]);
  repeat(chat, "user_groups", 498, { name: "'copy ' || n", name_key: "'copy ' || n" });
  succeeded(await make("hamlet", "five hundredth"));
  refused(await make("hamlet", "one more"), "too_many_groups", 2000, "name");
  succeeded(await make("othello", "his own"));
  succeeded(await make("iago", "the administrator's"));
  const add = (who: string) => chat.as(who).post(`/user_groups/${group_id}/members`, { add: [chat.ids["cordelia"]] });
  const { store } = chat.server.app;
  store.transact({ actor: null, action: "test" }, (tx) => {
    tx.run(
      `INSERT INTO user_group_members (group_id, user_id) SELECT g.id, u.id FROM user_groups g, users u
       WHERE g.creator_id = ? AND g.id <> ? ORDER BY g.id, u.id`,
      chat.ids["hamlet"] as number,
      group_id,
    );
  });
  const count = store.reader.value<number>("SELECT COUNT(*) FROM user_group_members") as number;
  assert.ok(count > 2000);
  succeeded(await add("hamlet"));
});

test("a user has at most 200 bots", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const make = (who: string, name: string) =>
    chat.as(who).post("/bots", { full_name: name, short_name: name.toLowerCase(), bot_type: 1 });
  succeeded(await make("othello", "Newest"));
  repeat(chat, "users", 199, COPIED_PERSON);
  refused(await make("othello", "More"), "too_many_bots", 200, "bot_type");
  succeeded(await make("cordelia", "Hers"));
});

test("a user has policies for at most 5000 topics", async (t) => {
  const chat = await startChat(t, { channels: [general], unwatched: true });
  const follow = (who: string, topic: string, visibility_policy = 3) =>
    chat.as(who).post("/user_topics", { stream_id: chat.ids["general"], topic, visibility_policy });
  succeeded(await follow("hamlet", "first"));
  repeat(chat, "user_topics", 4999, { topic: "'topic ' || n", name_key: "'topic ' || n" }, "name_key");
  refused(await follow("hamlet", "one more"), "too_many_topic_policies", 5000);
  succeeded(await follow("hamlet", "topic 7", 1));
  succeeded(await follow("othello", "one more"));
  // Other users cannot push him over the limit.
  const message = { type: "channel", to: "general", topic: "new", content: "@**Hamlet** look" };
  succeeded(await chat.as("othello").post("/messages", message));
  assert.equal((await chat.register("hamlet")).state["user_topics"].length, 5000);
  succeeded(await follow("hamlet", "topic 8", 0));
  succeeded(await follow("hamlet", "one more"));
});

test("a message has at most 100 different reactions", async (t) => {
  const chat = await startChat(t, { channels: [general], unwatched: true });
  const message = { type: "channel", to: "general", topic: "t", content: "x" };
  const { id } = await chat.as("hamlet").post("/messages", message);
  const names = [...new Set(Object.values(codeToNames()).map(([name]) => name as string))]
    .filter((name) => emojiByName(name))
    .slice(0, 101);
  const react = (who: string, emoji_name: string) => chat.as(who).post(`/messages/${id}/reactions`, { emoji_name });
  for (const name of names.slice(0, 100)) succeeded(await react("othello", name));
  refused(await react("othello", names[100] as string), "too_many_reactions", 100, "emoji_name");
  refused(await react("hamlet", names[100] as string), "too_many_reactions", 100, "emoji_name");
  succeeded(await react("hamlet", names[7] as string));
});

test("limits the submessages of a message together", async (t) => {
  const chat = await startChat(t, { channels: [general], unwatched: true });
  const message = { type: "channel", to: "general", topic: "t", content: "/poll Where?" };
  const { id: message_id } = await chat.as("hamlet").post("/messages", message);
  const option = (idx: number) => ({ type: "new_option", idx, option: "x".repeat(9900) });
  const add = (idx: number) =>
    chat.as("othello").post("/submessage", { message_id, msg_type: "widget", content: JSON.stringify(option(idx)) });
  for (let idx = 0; idx < 40; idx++) succeeded(await add(idx));
  refused(await add(41), "widget_data_too_long", 400_000);
});
