import assert from "node:assert/strict";
import test from "node:test";
import { messageVisibility } from "../../server/api/access/messages.ts";
import { moveMessages } from "../../server/api/actions/message-edits.ts";
import { sendMessage } from "../../server/api/actions/messages.ts";
import { unsubscribe } from "../../server/api/actions/subscriptions.ts";
import { topicsIn } from "../../server/api/presenters/topics.ts";
import { type Channel, channelById } from "../../server/api/queries/channels.ts";
import { renderMarkdown } from "../../server/markdown/render.ts";
import type { Reader, Transaction } from "../../server/storage/transaction.ts";
import { applyEvent } from "../../ui/api/state.ts";
import type { State } from "../../ui/api/state-shape.ts";
import { type Chat, type Registered, startChat } from "../support/chat.ts";

const NOW = Date.parse("2030-01-02T03:04:05.678Z");
const SECONDS = Math.floor(NOW / 1000);
const now = () => NOW;

const general = { name: "general", subscribers: ["hamlet", "othello", "polonius"] };
const design = { name: "design", private: true, subscribers: ["hamlet"] };

const say = async (chat: Chat, name: string, topic: string, to = "general"): Promise<number> =>
  (await chat.as(name).post("/messages", { type: "channel", to, topic, content: "x" })).id;

const inTransaction = (chat: Chat, change: (tx: Transaction) => void): void =>
  chat.server.app.store.transact({ actor: null, action: "test" }, change);

const channel = (reader: Reader, chat: Chat, name: string): Channel =>
  channelById(reader, chat.ids[name] as number) as Channel;

function fill(chat: Chat, count: number, topic: (n: number) => string): number[] {
  const message = { content: "x", rendered: renderMarkdown("x"), client: "test", readBySender: true };
  const ids: number[] = [];
  inTransaction(chat, (tx) => {
    for (let n = 0; n < count; n += 1) {
      const to = { channel: channel(tx, chat, "general"), topic: topic(n) };
      ids.push(sendMessage(tx, chat.user("bot"), { ...message, to }).id);
    }
  });
  return ids;
}

const quiet = (chat: Chat, ...names: string[]) =>
  inTransaction(chat, (tx) => {
    for (const name of names) setSetting(tx, chat, name, "automatically_follow_topics_policy", 4);
  });

function setSetting(tx: Transaction, chat: Chat, name: string, setting: string, value: unknown): void {
  tx.run(
    `INSERT INTO user_settings (user_id, name, value) VALUES (?, ?, ?)
     ON CONFLICT (user_id, name) DO UPDATE SET value = excluded.value`,
    chat.ids[name] as number,
    setting,
    JSON.stringify(value),
  );
}

const policy = (chat: Chat, name: string, topic: string, visibility_policy: number, channel = "general") =>
  chat.as(name).post("/user_topics", { stream_id: chat.ids[channel], topic, visibility_policy });

const policiesOf = async (chat: Chat, name: string): Promise<[string, number][]> =>
  (await chat.register(name)).state.user_topics?.map((one) => [one.topic_name, one.visibility_policy]) ?? [];

const topicEvents = (events: Record<string, any>[]) =>
  events.filter(({ type }) => type === "user_topic").map((one) => [one.topic_name, one.visibility_policy]);

test("topic policies are private to their owner", async (t) => {
  const chat = await startChat(t, { channels: [general], now });
  const [own, other] = [await chat.register("hamlet"), await chat.register("othello")];
  for (const value of [1, 2, 3, 0]) {
    assert.equal((await policy(chat, "hamlet", "Lunch", value)).result, "success");
    const [event] = (await own.events()).filter(({ type }) => type === "user_topic");
    const { id: _, ...fields } = event as Record<string, unknown>;
    const expected = {
      stream_id: chat.ids.general,
      topic_name: "Lunch",
      last_updated: SECONDS,
      visibility_policy: value,
    };
    assert.deepEqual(fields, { type: "user_topic", ...expected });
    const { state } = await chat.register("hamlet", { fetch_event_types: ["user_topic"] });
    assert.deepEqual(state.user_topics, value === 0 ? [] : [expected]);
  }
  assert.deepEqual(await other.events(), []);
  assert.deepEqual((await chat.register("othello")).state.user_topics, []);
});

test("an equal policy changes nothing, whatever the topic's case", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  await policy(chat, "hamlet", "Café", 1);
  const own = await chat.register("hamlet");
  assert.equal((await policy(chat, "hamlet", "Café", 1)).result, "success");
  assert.equal((await policy(chat, "hamlet", "never set", 0)).result, "success");
  assert.deepEqual(await own.events(), []);
  await policy(chat, "hamlet", "CAFE\u0301", 3);
  assert.deepEqual(await policiesOf(chat, "hamlet"), [["CAFE\u0301", 3]]);
});

test("policies survive a restart", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  await policy(chat, "hamlet", "lunch", 3);
  await chat.restart();
  assert.deepEqual(await policiesOf(chat, "hamlet"), [["lunch", 3]]);
});

test("both names of the empty topic work", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const modern = await chat.register("hamlet");
  const legacy = await chat.register("hamlet", { client_capabilities: {} });
  for (const [topic, value] of [
    ["(no topic)", 1],
    ["general chat", 2],
    [" ", 1],
  ] as const) {
    await policy(chat, "hamlet", topic, value);
    assert.deepEqual(topicEvents(await modern.events()), [["", value]]);
    assert.deepEqual(topicEvents(await legacy.events()), [["general chat", value]]);
  }
  assert.deepEqual(await policiesOf(chat, "hamlet"), [["", 1]]);
  const { state } = await chat.register("hamlet", { client_capabilities: {} });
  assert.equal(state.user_topics?.[0]?.topic_name, "general chat");
  assert.equal(state.muted_topics?.[0]?.[1], "general chat");
});

test("invalid topics, policies and hidden channels are rejected alike", async (t) => {
  const chat = await startChat(t, { channels: [general, design] });
  assert.equal((await policy(chat, "hamlet", "t".repeat(60), 1)).status, 200);
  assert.equal((await policy(chat, "hamlet", "t".repeat(61), 1)).code, "BAD_REQUEST");
  assert.equal((await policy(chat, "hamlet", "two\nlines", 1)).code, "BAD_REQUEST");
  for (const value of [-1, 4]) assert.equal((await policy(chat, "hamlet", "lunch", value)).code, "BAD_REQUEST");
  const missing = await chat.as("othello").post("/user_topics", { stream_id: 999, topic: "a", visibility_policy: 1 });
  assert.deepEqual([missing.status, missing.code], [400, "BAD_REQUEST"]);
  for (const value of [0, 1, 2, 3]) {
    const { stream_id: _, ...hidden } = await policy(chat, "othello", "a", value, "design");
    assert.deepEqual(hidden, missing, String(value));
  }
  assert.equal(
    (await chat.as("hamlet").post("/user_topics", { stream_id: 1, topic: "a" })).code,
    "REQUEST_VARIABLE_MISSING",
  );
  // A guest sees subscribed channels only.
  assert.equal((await policy(chat, "polonius", "lunch", 3)).status, 200);
  assert.equal((await policy(chat, "polonius", "lunch", 3, "design")).status, 400);
});

test("a policy can be reset after losing the channel", async (t) => {
  const chat = await startChat(t, { unwatched: true, channels: [design] });
  await policy(chat, "hamlet", "logo", 1, "design");
  const own = await chat.register("hamlet");
  inTransaction(chat, (tx) => {
    unsubscribe(tx, null, { users: [chat.user("hamlet")], channels: [channel(tx, chat, "design")] });
  });
  const gone = await chat.register("hamlet");
  assert.deepEqual(gone.state.muted_topics, []);
  const state = (await own.events()).reduce<State>(applyEvent, own.state);
  assert.deepEqual([state.muted_topics, state.user_topics], [[], gone.state.user_topics]);
  assert.equal((await policy(chat, "hamlet", "logo", 3, "design")).status, 400);
  assert.equal((await policy(chat, "hamlet", "logo", 0, "design")).status, 200);
  assert.deepEqual(topicEvents(await own.events()), [["logo", 0]]);
  assert.equal((await policy(chat, "hamlet", "logo", 0, "design")).status, 400);
});

test("old clients mute and unmute by name or ID", async (t) => {
  const chat = await startChat(t, { channels: [general], now });
  const mute = (params: object) => chat.as("hamlet").patch("/users/me/subscriptions/muted_topics", { ...params });
  for (let times = 0; times < 2; times += 1) {
    assert.equal((await mute({ stream: "general", topic: "lunch", op: "add" })).status, 200);
    assert.deepEqual(await policiesOf(chat, "hamlet"), [["lunch", 1]]);
  }
  for (let times = 0; times < 2; times += 1) {
    assert.equal((await mute({ stream_id: chat.ids.general, topic: "Lunch", op: "remove" })).status, 200);
    assert.deepEqual(await policiesOf(chat, "hamlet"), []);
  }
  await policy(chat, "hamlet", "lunch", 3);
  assert.equal((await mute({ stream_id: chat.ids.general, topic: "lunch", op: "remove" })).status, 200);
  assert.deepEqual(await policiesOf(chat, "hamlet"), [["lunch", 3]], "a followed topic is not muted");
});

test("old clients get an error for each invalid mute", async (t) => {
  const chat = await startChat(t, { channels: [general, design] });
  const mute = (name: string, params: object) =>
    chat.as(name).patch("/users/me/subscriptions/muted_topics", { topic: "lunch", op: "add", ...params });
  const both = await mute("hamlet", { stream: "general", stream_id: chat.ids.general });
  assert.deepEqual([both.status, both.code, both.parameters], [400, "BAD_REQUEST", "stream_id, stream"]);
  assert.equal((await mute("hamlet", {})).code, "REQUEST_VARIABLE_MISSING");
  assert.equal((await mute("hamlet", { stream: "general", op: "toggle" })).code, "BAD_REQUEST");
  assert.equal((await mute("hamlet", { stream: "general", topic: "t".repeat(61) })).code, "BAD_REQUEST");
  assert.equal((await mute("hamlet", { stream: "design" })).status, 200);
  for (const op of ["add", "remove"]) {
    const hidden = await mute("othello", { stream: "design", op });
    const missing = await mute("othello", { stream: "desing", op });
    assert.equal(hidden.code, "BAD_REQUEST");
    assert.equal(hidden.msg.replace("design", "desing"), missing.msg);
    assert.equal((await mute("othello", { stream_id: chat.ids.design, op })).code, "BAD_REQUEST");
  }
});

test("old clients get the older event and field", async (t) => {
  const chat = await startChat(t, { channels: [general, design], now });
  const everything = await chat.register("hamlet");
  const modern = await chat.register("hamlet", { event_types: ["user_topic", "muted_topics"] });
  const legacy = await chat.register("hamlet", { event_types: ["muted_topics"] });
  assert.deepEqual(
    [everything, modern, legacy].map(({ state }) => ["user_topics" in state, "muted_topics" in state]),
    [
      [true, true],
      [true, false],
      [false, true],
    ],
  );
  await policy(chat, "hamlet", "lunch", 1);
  await policy(chat, "hamlet", "logo", 1, "design");
  await policy(chat, "hamlet", "lunch", 3);
  await policy(chat, "hamlet", "dinner", 2);
  const lists = (await legacy.events()).map(({ type, muted_topics }) => [type, muted_topics]);
  assert.deepEqual(lists, [
    ["muted_topics", [["general", "lunch", SECONDS]]],
    [
      "muted_topics",
      [
        ["general", "lunch", SECONDS],
        ["design", "logo", SECONDS],
      ],
    ],
    ["muted_topics", [["design", "logo", SECONDS]]],
  ]);
  assert.deepEqual([...new Set((await modern.events()).map(({ type }) => type))], ["user_topic"]);
  assert.deepEqual(
    (await everything.events()).map(({ type }) => type),
    ["user_topic", "muted_topics", "user_topic", "muted_topics", "user_topic", "muted_topics", "user_topic"],
  );
  const { state } = await chat.register("hamlet", { fetch_event_types: ["muted_topics"] });
  assert.deepEqual(state.muted_topics, [["design", "logo", SECONDS]]);
});

test("unread counts follow topic policies inside muted channels too", async (t) => {
  const chat = await startChat(t, {
    unwatched: true,
    channels: [general, { name: "noise", subscribers: ["hamlet", "othello"] }],
  });
  inTransaction(chat, (tx) => {
    tx.run("UPDATE subscriptions SET is_muted = 1 WHERE channel_id = ?", chat.ids.noise as number);
  });
  for (const [to, topic] of [
    ["general", "plain"],
    ["general", "muted"],
    ["noise", "plain"],
    ["noise", "unmuted"],
    ["noise", "followed"],
    ["noise", "muted"],
  ] as const)
    await say(chat, "othello", topic, to);
  const count = async () => (await chat.register("hamlet")).state.unread_msgs?.count;
  assert.equal(await count(), 2);
  await policy(chat, "hamlet", "muted", 1);
  assert.equal(await count(), 1);
  await policy(chat, "hamlet", "unmuted", 2, "noise");
  const client = await chat.register("hamlet");
  await policy(chat, "hamlet", "FOLLOWED", 3, "noise");
  await policy(chat, "hamlet", "muted", 1, "noise");
  assert.equal(await count(), 3);
  await say(chat, "othello", "muted");
  await say(chat, "othello", "unmuted", "noise");
  assert.equal(await count(), 4);
  const state = (await client.events()).reduce<State>(applyEvent, client.state);
  assert.equal(state.unread_msgs?.count, 4, "as a client counts");
});

test("topic policies override the channel's mute in narrows", async (t) => {
  const chat = await startChat(t, {
    unwatched: true,
    channels: [general, { name: "noise", subscribers: ["hamlet", "othello"] }],
  });
  inTransaction(chat, (tx) => {
    tx.run("UPDATE subscriptions SET is_muted = 1 WHERE channel_id = ?", chat.ids.noise as number);
  });
  const ids = {
    plain: await say(chat, "othello", "plain"),
    muted: await say(chat, "othello", "muted"),
    followed: await say(chat, "othello", "followed"),
    noise: await say(chat, "othello", "plain", "noise"),
    unmuted: await say(chat, "othello", "unmuted", "noise"),
    direct: (await chat.as("othello").post("/messages", { type: "direct", to: [chat.ids.hamlet], content: "x" })).id,
    followedAgain: await say(chat, "othello", "Followed"),
  };
  await policy(chat, "hamlet", "muted", 1);
  await policy(chat, "hamlet", "followed", 3);
  await policy(chat, "hamlet", "unmuted", 2, "noise");
  const found = async (name: string, ...narrow: object[]) => {
    const params = { anchor: "newest", num_before: 100, narrow };
    const { messages } = await chat.as(name).get("/messages", params);
    const oldest = await chat.as(name).get("/messages", { ...params, anchor: "oldest", num_before: 0, num_after: 100 });
    assert.deepEqual(oldest.messages, messages);
    return messages.map((message: { id: number }) => message.id);
  };
  const is = (operand: string, negated = false) => ({ operator: "is", operand, negated });
  assert.deepEqual(await found("hamlet", is("followed")), [ids.followed, ids.followedAgain]);
  const muted = [ids.muted, ids.noise];
  const home = [ids.plain, ids.followed, ids.unmuted, ids.direct, ids.followedAgain];
  assert.deepEqual(await found("hamlet", is("muted")), muted);
  assert.deepEqual(await found("hamlet", is("muted", true)), home);
  assert.deepEqual(await found("hamlet", { operator: "in", operand: "home" }), home);
  assert.deepEqual(await found("hamlet", { operator: "in", operand: "home", negated: true }), muted);
  assert.deepEqual(await found("hamlet", is("followed"), { operator: "channel", operand: "noise" }), []);
  assert.deepEqual(await found("cordelia", is("followed")), []);
});

test("a queue narrows to followed or muted topics", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const narrowed = (operand: string) =>
    chat.register("hamlet", { event_types: ["message"], narrow: [["is", operand]] });
  const [followed, muted] = [await narrowed("followed"), await narrowed("muted")];
  const got = async () => [(await followed.events()).length, (await muted.events()).length];
  await say(chat, "othello", "lunch");
  assert.deepEqual(await got(), [0, 0]);
  await policy(chat, "hamlet", "lunch", 3);
  await say(chat, "othello", "LUNCH");
  assert.deepEqual(await got(), [1, 0]);
  await policy(chat, "hamlet", "lunch", 1);
  await say(chat, "othello", "lunch");
  await chat.as("othello").post("/messages", { type: "direct", to: [chat.ids.hamlet], content: "x" });
  assert.deepEqual(await got(), [0, 1]);
});

test("topics are listed newest first in their newest spelling", async (t) => {
  const chat = await startChat(t, { channels: [general, { name: "noise", subscribers: ["hamlet"] }] });
  await say(chat, "hamlet", "lunch");
  const empty = await say(chat, "hamlet", "");
  const dinner = await say(chat, "othello", "dinner");
  await say(chat, "hamlet", "elsewhere", "noise");
  const lunch = await say(chat, "othello", "LUNCH");
  const list = async (name: string, params = {}) =>
    (await chat.as(name).get(`/users/me/${chat.ids.general}/topics`, params)).topics;
  const expected = [
    { max_id: lunch, name: "LUNCH" },
    { max_id: dinner, name: "dinner" },
    { max_id: empty, name: "general chat" },
  ];
  assert.deepEqual(await list("hamlet"), expected);
  assert.deepEqual(await list("cordelia"), expected, "an unsubscribed public channel");
  assert.equal((await list("hamlet", { allow_empty_topic_name: true }))[2].name, "");
  const again = await say(chat, "othello", "Dinner");
  assert.deepEqual((await list("hamlet"))[0], { max_id: again, name: "Dinner" });
});

test("the topic list covers readable messages only", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  await chat.as("hamlet").post("/users/me/subscriptions", {
    subscriptions: [{ name: "council" }],
    invite_only: true,
    history_public_to_subscribers: false,
  });
  const { reader } = chat.server.app.store;
  const council = reader.value<number>("SELECT id FROM channels WHERE name = 'council'") as number;
  const list = (name: string, id = council) => chat.as(name).get(`/users/me/${id}/topics`);
  await say(chat, "hamlet", "before", "council");
  const spelled = await say(chat, "hamlet", "both", "council");
  const missing = await list("othello", 999);
  assert.deepEqual([missing.status, missing.code], [400, "BAD_REQUEST"]);
  for (const name of ["othello", "iago", "polonius", "bot"]) assert.deepEqual(await list(name), missing, name);
  const join = (...names: string[]) =>
    chat.as("hamlet").post("/users/me/subscriptions", {
      subscriptions: [{ name: "council" }],
      principals: names.map((name) => chat.ids[name]),
    });
  await join("othello", "bot");
  assert.deepEqual((await list("othello")).topics, []);
  const after = await say(chat, "hamlet", "after", "council");
  const both = await say(chat, "hamlet", "Both", "council");
  await join("cordelia");
  const last = await say(chat, "hamlet", "BOTH", "council");
  assert.ok(spelled < both);
  for (const name of ["othello", "bot"]) {
    assert.deepEqual((await list(name)).topics, [
      { max_id: last, name: "BOTH" },
      { max_id: after, name: "after" },
    ]);
  }
  assert.deepEqual((await list("cordelia")).topics, [{ max_id: last, name: "BOTH" }]);
  assert.equal((await list("hamlet")).topics.length, 4); // includes the topic of the first system message
  assert.equal((await list("hamlet", chat.ids.general)).status, 200);
});

test("only administrators delete a topic", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "general", subscribers: ["hamlet", "othello"] }] });
  const first = await say(chat, "hamlet", "lunch");
  const other = await say(chat, "hamlet", "dinner");
  const second = await say(chat, "othello", "Lunch");
  await chat.as("hamlet").post("/messages/flags", { messages: [second], op: "add", flag: "starred" });
  const clear = (name: string, topic_name = "LUNCH", id = chat.ids.general) =>
    chat.as(name).post(`/streams/${id}/delete_topic`, { topic_name });
  for (const name of ["hamlet", "polonius", "bot"]) {
    const refused = await clear(name);
    assert.deepEqual([refused.status, refused.code], [400, "UNAUTHORIZED_PRINCIPAL"], name);
    // The role is checked before the parameters (docs/protocol.md#order-of-checks).
    const bare = await chat.as(name).post(`/streams/${chat.ids.general}/delete_topic`);
    assert.equal(bare.code, "UNAUTHORIZED_PRINCIPAL", name);
  }
  assert.equal((await clear("iago", "lunch", 999)).code, "BAD_REQUEST");
  const [reader, sender, outsider] = [
    await chat.register("othello"),
    await chat.register("hamlet"),
    await chat.register("polonius"),
  ];
  assert.equal((await clear("iago")).complete, true);
  for (const queue of [reader, sender]) {
    const events = (await queue.events()).map(({ id: _, ...event }) => event);
    assert.deepEqual(events, [
      {
        type: "delete_message",
        message_ids: [first, second],
        message_type: "stream",
        stream_id: chat.ids.general,
        topic: "lunch",
      },
      {
        type: "stream",
        op: "update",
        stream_id: chat.ids.general,
        name: "general",
        property: "first_message_id",
        value: other,
      },
    ]);
  }
  assert.deepEqual(await outsider.events(), [], "an unsubscribed guest");
  assert.equal((await chat.as("hamlet").get(`/messages/${first}`)).status, 400);
  const { topics } = await chat.as("hamlet").get(`/users/me/${chat.ids.general}/topics`);
  assert.deepEqual(topics, [{ max_id: other, name: "dinner" }]);
  assert.equal((await clear("iago")).complete, true, "a topic without messages");
  const [audit, ...more] = chat.server.app.store.reader.all<{ actor_id: number; target: string; before: string }>(
    "SELECT actor_id, target, before FROM audit WHERE action = 'delete topic'",
  );
  assert.deepEqual(more, []);
  assert.deepEqual(
    [audit?.actor_id, audit?.target, JSON.parse(audit?.before ?? "null")],
    [chat.ids.iago, `channel ${chat.ids.general}`, { topic: "LUNCH", messages: 2 }],
  );
});

test("the empty topic can be deleted by every name", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  for (const topic_name of ["", "(No topic)", "General chat"]) {
    const id = await say(chat, "hamlet", "");
    const answer = await chat.as("desdemona").post(`/streams/${chat.ids.general}/delete_topic`, { topic_name });
    assert.equal(answer.complete, true);
    assert.equal((await chat.as("hamlet").get(`/messages/${id}`)).status, 400, topic_name);
  }
});

test("a long topic is deleted newest first", async (t) => {
  const chat = await startChat(t, { channels: [general], testing: { maxRequestMs: 0 } });
  const ids = fill(chat, 300, () => "lunch");
  const clear = () => chat.as("iago").post(`/streams/${chat.ids.general}/delete_topic`, { topic_name: "lunch" });
  assert.equal((await clear()).complete, false);
  // Not through a request: fetching fails on a slow machine if it gets only one slice.
  const left = chat.server.app.store.reader.all<{ id: number }>("SELECT id FROM messages WHERE id >= ?", ids[0] ?? 0);
  assert.deepEqual(
    left.map(({ id }) => id),
    ids.slice(0, 50),
  );
  assert.equal((await clear()).complete, true);
  assert.deepEqual((await chat.as("hamlet").get(`/users/me/${chat.ids.general}/topics`)).topics, []);
  assert.equal(chat.server.app.store.reader.value("SELECT COUNT(*) FROM audit WHERE action = 'delete topic'"), 2);
});

test("deleting a long topic blocks nobody", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  fill(chat, 600, () => "lunch");
  const queue = await chat.register("othello", { event_types: ["delete_message"] });
  const deleting = chat.as("iago").post(`/streams/${chat.ids.general}/delete_topic`, { topic_name: "lunch" });
  const id = await say(chat, "hamlet", "dinner");
  assert.equal((await deleting).complete, true);
  assert.deepEqual(
    (await queue.events()).map(({ message_ids }) => message_ids.length),
    [250, 250, 100],
  );
  assert.equal((await chat.as("hamlet").get(`/messages/${id}`)).status, 200);
});

test("losing administrator rights stops the deletion of a topic", async (t) => {
  const chat = await startChat(t, { unwatched: true, channels: [general] });
  const ids = fill(chat, 600, () => "lunch");
  let turns = 0;
  chat.server.app.store.onPublish((events) => {
    if (!events.some(({ event }) => event.type === "delete_message") || ++turns > 1) return;
    inTransaction(chat, (tx) => tx.run("UPDATE users SET role = 400 WHERE id = ?", chat.ids["iago"] as number));
  });
  const answer = await chat.as("iago").post(`/streams/${chat.ids.general}/delete_topic`, { topic_name: "lunch" });
  assert.equal(answer["code"], "UNAUTHORIZED_PRINCIPAL");
  assert.equal(turns, 1);
  assert.equal((await chat.as("hamlet").get(`/messages/${ids[0]}`)).status, 200);
});

test("administrators delete only what they can read", async (t) => {
  const chat = await startChat(t, { unwatched: true, channels: [design] });
  await say(chat, "hamlet", "logo", "design");
  const clear = () => chat.as("iago").post(`/streams/${chat.ids.design}/delete_topic`, { topic_name: "logo" });
  assert.equal((await clear()).msg, "Invalid channel ID");
  const { reader } = chat.server.app.store;
  assert.equal(reader.value("SELECT COUNT(*) FROM messages"), 1);
  inTransaction(chat, (tx) => {
    tx.run("UPDATE channels SET history_public_to_subscribers = 0 WHERE id = ?", chat.ids.design as number);
  });
  await chat.as("hamlet").post("/users/me/subscriptions", {
    subscriptions: [{ name: "design" }],
    principals: [chat.ids.iago],
    send_new_subscription_messages: false,
  });
  await say(chat, "hamlet", "logo", "design");
  assert.equal((await clear()).complete, true);
  assert.equal(reader.value("SELECT COUNT(*) FROM messages"), 1, "messages from before the subscription");
});

test("settings decide whether starters and participants follow a topic", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const send = (name: string, topic: string) =>
    chat.as(name).post("/messages", { type: "channel", to: "general", topic, content: "x" });
  const own = await chat.register("hamlet");
  assert.equal((await send("hamlet", "lunch")).automatic_new_visibility_policy, 3);
  assert.deepEqual(topicEvents(await own.events()), [["lunch", 3]]);
  assert.ok(!("automatic_new_visibility_policy" in (await send("hamlet", "lunch"))), "changed before");
  assert.ok(!("automatic_new_visibility_policy" in (await send("othello", "lunch"))), "started by another");
  assert.ok(!("automatic_new_visibility_policy" in (await send("bot", "robots"))), "bots follow nothing");
  assert.deepEqual(await policiesOf(chat, "othello"), []);
  assert.deepEqual(await policiesOf(chat, "bot"), []);
  await policy(chat, "hamlet", "quiet", 1);
  assert.ok(!("automatic_new_visibility_policy" in (await send("hamlet", "quiet"))), "muted before its start");
  const direct = await chat.as("hamlet").post("/messages", { type: "direct", to: [chat.ids.othello], content: "x" });
  assert.ok(!("automatic_new_visibility_policy" in direct));
});

test("each automatic setting follows or unmutes its own case", async (t) => {
  const chat = await startChat(t, { unwatched: true, channels: [general] });
  const settings = (follow: number, unmute: number, muted: boolean) =>
    inTransaction(chat, (tx) => {
      setSetting(tx, chat, "hamlet", "automatically_follow_topics_policy", follow);
      setSetting(tx, chat, "hamlet", "automatically_unmute_topics_in_muted_streams_policy", unmute);
      tx.run("UPDATE subscriptions SET is_muted = ? WHERE user_id = ?", muted ? 1 : 0, chat.ids.hamlet as number);
    });
  let topics = 0;
  /** The topic policies that sending and reacting set, for new and old topics, muted by the sender or not. */
  const outcome = async ({ isNew = false, before = 0 } = {}) => {
    topics += 1;
    const topic = `topic ${topics}`;
    const id = isNew ? undefined : await say(chat, "othello", topic);
    if (before > 0) await policy(chat, "hamlet", topic, before);
    const sent = await chat.as("hamlet").post("/messages", { type: "channel", to: "general", topic, content: "x" });
    assert.equal(sent.result, "success");
    return [sent.automatic_new_visibility_policy ?? 0, id];
  };
  const afterSending = async (options = {}) => (await outcome(options))[0];
  const NEVER = 4;
  settings(NEVER, NEVER, true);
  assert.equal(await afterSending({ isNew: true }), 0);
  settings(3, NEVER, false);
  assert.equal(await afterSending({ isNew: true }), 3);
  assert.equal(await afterSending(), 0);
  for (const send of [1, 2]) {
    settings(send, NEVER, false);
    assert.equal(await afterSending(), 3);
    assert.equal(await afterSending({ before: 1 }), 3, "sending unmutes a muted topic");
    assert.equal(await afterSending({ before: 3 }), 0, "followed already");
    settings(NEVER, send, true);
    assert.equal(await afterSending(), 2);
    assert.equal(await afterSending({ before: 1 }), 2);
    assert.equal(await afterSending({ before: 2 }), 0);
    settings(NEVER, send, false);
    assert.equal(await afterSending(), 0, "the channel is not muted");
  }
  settings(NEVER, 3, true);
  assert.equal(await afterSending({ isNew: true }), 2);
  assert.equal(await afterSending(), 0);
  settings(2, 2, true);
  assert.equal(await afterSending(), 3, "following takes precedence over unmuting");
});

test("reactions and votes follow a topic if the setting includes participation", async (t) => {
  const chat = await startChat(t, { unwatched: true, channels: [general] });
  const react = async (setting: number) => {
    const topic = `setting ${setting}`;
    const id = await say(chat, "othello", topic);
    inTransaction(chat, (tx) => setSetting(tx, chat, "hamlet", "automatically_follow_topics_policy", setting));
    const answer = await chat.as("hamlet").post(`/messages/${id}/reactions`, { emoji_name: "tada" });
    assert.equal(answer.result, "success");
  };
  for (const setting of [2, 3, 4, 1]) await react(setting);
  assert.deepEqual(await policiesOf(chat, "hamlet"), [["setting 1", 3]]);
  const poll = { type: "channel", to: "general", topic: "vote", content: "/poll Soup?\nyes\nno" };
  const vote = { msg_type: "widget", content: JSON.stringify({ type: "vote", key: "canned,0", vote: 1 }) };
  const { id } = await chat.as("othello").post("/messages", poll);
  assert.equal((await chat.as("hamlet").post("/submessage", { message_id: id, ...vote })).result, "success");
  assert.deepEqual(await policiesOf(chat, "hamlet"), [
    ["setting 1", 3],
    ["vote", 3],
  ]);
});

test("a mention follows the topic unless muted or disabled", async (t) => {
  const chat = await startChat(t, { unwatched: true, channels: [general, design], users: { portia: {}, shylock: {} } });
  inTransaction(chat, (tx) => setSetting(tx, chat, "portia", "automatically_follow_topics_where_mentioned", false));
  await policy(chat, "othello", "lunch", 1);
  await policy(chat, "shylock", "lunch", 2);
  const own = await chat.register("cordelia");
  const mention = (names: string[], to = "general") =>
    chat.as("hamlet").post("/messages", {
      type: "channel",
      to,
      topic: "lunch",
      content: names.map((name) => `@**${name}**`).join(" "),
    });
  await mention(["Cordelia", "Othello", "Shylock", "Portia", "Bot"]);
  assert.deepEqual(topicEvents(await own.events()), [["lunch", 3]]);
  assert.deepEqual(await policiesOf(chat, "cordelia"), [["lunch", 3]]);
  assert.deepEqual(await policiesOf(chat, "shylock"), [["lunch", 3]]);
  assert.deepEqual(await policiesOf(chat, "othello"), [["lunch", 1]]);
  assert.deepEqual(await policiesOf(chat, "portia"), []);
  assert.deepEqual(await policiesOf(chat, "bot"), []);
  await mention(["Iago"], "design");
  assert.deepEqual(await policiesOf(chat, "iago"), [], "no access to the topic");
});

test("policies move with whole topics only", async (t) => {
  const chat = await startChat(t, {
    unwatched: true,
    channels: [general, design, { name: "noise", subscribers: ["hamlet", "othello"] }],
  });
  quiet(chat, "hamlet", "othello");
  const move = (ids: number[], topic: string, mode: "change_one" | "change_later" | "change_all", to = "general") =>
    inTransaction(chat, (tx) =>
      moveMessages(tx, chat.user("desdemona"), {
        ids,
        topic,
        propagateMode: mode,
        channel: channel(tx, chat, to),
      }),
    );
  const [first, second] = [await say(chat, "iago", "lunch"), await say(chat, "iago", "lunch")];
  await policy(chat, "hamlet", "lunch", 3);
  await policy(chat, "othello", "lunch", 1);
  const own = await chat.register("hamlet");
  const clients = [await chat.register("hamlet"), await chat.register("othello")];
  move([second], "dessert", "change_later");
  assert.deepEqual(await policiesOf(chat, "hamlet"), [["lunch", 3]]);
  assert.deepEqual(topicEvents(await own.events()), []);

  move([first], "✔ lunch", "change_one");
  assert.deepEqual(await policiesOf(chat, "hamlet"), [["✔ lunch", 3]], "nothing stayed behind");
  assert.deepEqual(await policiesOf(chat, "othello"), [["✔ lunch", 1]]);
  assert.deepEqual(topicEvents(await own.events()), [
    ["lunch", 0],
    ["✔ lunch", 3],
  ]);

  move([first], "✔ Lunch", "change_all");
  assert.deepEqual(await policiesOf(chat, "hamlet"), [["✔ Lunch", 3]], "another spelling");

  await policy(chat, "othello", "dessert", 3);
  move([first], "dessert", "change_all");
  assert.deepEqual(await policiesOf(chat, "hamlet"), [["dessert", 3]]);
  assert.deepEqual(
    await policiesOf(chat, "othello"),
    [["dessert", 3]],
    "the merged topic gets the more visible policy",
  );

  const third = await say(chat, "iago", "logo");
  await policy(chat, "othello", "logo", 1);
  move([third], "dessert", "change_one");
  assert.deepEqual(await policiesOf(chat, "othello"), [["dessert", 3]], "the more visible policy wins");

  move([first, second, third], "logo", "change_all", "design");
  assert.deepEqual(await policiesOf(chat, "hamlet"), [["logo", 3]]);
  assert.deepEqual(await policiesOf(chat, "othello"), [], "no access to the new channel");
  for (const [at, name] of ["hamlet", "othello"].entries()) {
    const { events, state } = clients[at] as Registered;
    const after = (await events()).reduce<State>(applyEvent, state);
    const { state: fresh } = await chat.register(name);
    for (const field of ["user_topics", "muted_topics", "unread_msgs"] as const)
      assert.deepEqual(after[field], fresh[field]);
  }
});

test("a mute does not spread to a merged topic", async (t) => {
  const chat = await startChat(t, { unwatched: true, channels: [general] });
  quiet(chat, "hamlet", "othello");
  const id = await say(chat, "othello", "noise");
  await say(chat, "othello", "lunch");
  await policy(chat, "hamlet", "noise", 1);
  inTransaction(chat, (tx) =>
    moveMessages(tx, chat.user("desdemona"), { ids: [id], topic: "lunch", propagateMode: "change_all" }),
  );
  assert.deepEqual(await policiesOf(chat, "hamlet"), []);
});

test("listing 10,000 topics takes a constant number of queries", async (t) => {
  const chat = await startChat(t, { channels: [general], unwatched: true, testing: { segmentSize: 16 << 20 } });
  const topics = 10_000;
  const { reader } = chat.server.app.store;
  for (let first = 0; first < topics; first += 1000) fill(chat, 1000, (n) => `topic ${first + n}`);
  let queries = 0;
  const counted = new Proxy(reader, {
    get(target, name) {
      const member = target[name as keyof typeof target];
      if (typeof member !== "function") return member;
      return (...args: never[]) => {
        if (["all", "get", "value"].includes(String(name))) queries += 1;
        return (member as (...args: never[]) => unknown).apply(target, args);
      };
    },
  });
  const list = () =>
    topicsIn(counted, messageVisibility(counted, chat.user("hamlet")), channel(reader, chat, "general"), true);
  const listed = list();
  assert.deepEqual([listed.length, listed[0]?.name, listed.at(-1)?.name], [topics, "topic 9999", "topic 0"]);
  queries = 0;
  list(); // fills the cache of names
  assert.ok(queries < 20, `${queries} queries`);
});

test("former subscribers get no events about topic renames", async (t) => {
  const chat = await startChat(t, { channels: [{ ...design, subscribers: ["hamlet", "othello"] }] });
  const id = await say(chat, "hamlet", "logo", "design");
  const follow = { stream_id: chat.ids.design, topic: "logo", visibility_policy: 3 };
  for (const name of ["hamlet", "othello"]) await chat.as(name).post("/user_topics", follow);
  await chat.as("othello").delete("/users/me/subscriptions", { subscriptions: ["design"] });
  const [inside, outside] = [await chat.register("hamlet"), await chat.register("othello")];
  const renamed = await chat.as("hamlet").patch(`/messages/${id}`, { topic: "LOGO", propagate_mode: "change_all" });
  assert.equal(renamed.result, "success", renamed.msg);
  const heard = (await inside.events()).filter(({ type }) => type === "user_topic");
  assert.deepEqual(
    heard.map(({ topic_name, visibility_policy }) => [topic_name, visibility_policy]),
    [["LOGO", 3]],
  );
  assert.deepEqual(await outside.events(), []);
});
