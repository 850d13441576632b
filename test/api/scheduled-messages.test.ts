import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { unsubscribe } from "../../server/api/actions/subscriptions.ts";
import { type Channel, channelByName } from "../../server/api/queries/channels.ts";
import { messageIndex } from "../../server/api/queries/message-index.ts";
import { openStore } from "../../server/storage/store.ts";
import { type Body, type Chat, type ChatOptions, type Registered, startChat } from "../support/chat.ts";

const NOON = 1_800_000_000;
const MINUTE = 60;
/** A queue that survives hours without a request. */
const LONG_LIVED = { queue_lifespan_secs: 86_400 };
const general = { name: "general", subscribers: ["hamlet", "othello"] };
const secret = { name: "secret", private: true, subscribers: ["hamlet", "iago"] };

interface Clock {
  /** Seconds. */
  at: number;
}

async function start(
  t: TestContext,
  options: ChatOptions = {},
): Promise<{ chat: Chat; clock: Clock; pass(to: number): Promise<void> }> {
  const clock = { at: NOON };
  const now = () => clock.at * 1000;
  let passed = 0;
  const chat = await startChat(t, { channels: [general, secret], now, monotonic: () => passed, ...options });
  return {
    chat,
    clock,
    async pass(to) {
      clock.at = to;
      passed += 2000; // chores are due, also if the wall clock goes back
      await chat.runChores();
    },
  };
}

const toGeneral = (chat: Chat, more: object = {}) => ({
  type: "channel",
  to: chat.ids.general,
  topic: "lunch",
  content: "*hungry*?",
  scheduled_delivery_timestamp: NOON + MINUTE,
  ...more,
});

const schedule = async (chat: Chat, name: string, params: Record<string, unknown>): Promise<number> => {
  const answer = await chat.as(name).post("/scheduled_messages", params);
  assert.equal(answer.status, 200, answer.msg);
  return answer.scheduled_message_id;
};

const waiting = async (chat: Chat, name = "hamlet"): Promise<Body[]> =>
  (await chat.as(name).get("/scheduled_messages")).scheduled_messages;

async function leave(chat: Chat, name: string, channel: string): Promise<void> {
  const { store } = chat.server.app;
  store.transact({ actor: null, action: "test" }, (tx) => {
    unsubscribe(tx, null, { users: [chat.user(name)], channels: [channelByName(tx, channel) as Channel] });
  });
  await store.durable();
}

const without = <E extends object>(events: E[]) => events.map(({ id: _, ...event }: any) => event);
const received = async (queue: Registered) =>
  (await queue.events()).filter(({ type }) => type === "message").map(({ message }) => message.content);

test("scheduled messages are listed by time, with events", async (t) => {
  const { chat } = await start(t);
  const [own, other] = [await chat.register("hamlet"), await chat.register("othello")];
  const { general: channel, othello, iago, hamlet } = chat.ids;
  const late = NOON + 9 * MINUTE;
  const a = await schedule(chat, "hamlet", toGeneral(chat, { scheduled_delivery_timestamp: late }));
  const b = await schedule(chat, "hamlet", toGeneral(chat, { type: "direct", to: [othello, iago], topic: "none" }));
  const c = await schedule(chat, "hamlet", toGeneral(chat, { type: "private", to: [hamlet] }));
  const common = { content: "*hungry*?", rendered_content: "<p><em>hungry</em>?</p>", failed: false };
  const soon = { ...common, scheduled_delivery_timestamp: NOON + MINUTE };
  const inChannel = { type: "stream", to: channel, topic: "lunch", ...common, scheduled_delivery_timestamp: late };
  const first = { scheduled_message_id: a, ...inChannel };
  const second = { scheduled_message_id: b, type: "private", to: [othello, iago].sort(), ...soon };
  const third = { scheduled_message_id: c, type: "private", to: [hamlet], ...soon };
  assert.deepEqual(await waiting(chat), [second, third, first]);
  assert.deepEqual((await chat.register("hamlet")).state.scheduled_messages, [second, third, first]);
  assert.equal((await chat.as("hamlet").delete(`/scheduled_messages/${b}`)).status, 200);
  assert.deepEqual(await waiting(chat), [third, first]);
  const add = (message: object) => ({ type: "scheduled_messages", op: "add", scheduled_messages: [message] });
  assert.deepEqual(without(await own.events()), [
    add(first),
    add(second),
    add(third),
    { type: "scheduled_messages", op: "remove", scheduled_message_id: b },
  ]);
  assert.deepEqual(await other.events(), []);
});

test("every spelling of type and topic is understood", async (t) => {
  const { chat } = await start(t);
  for (const type of ["channel", "stream", "direct", "private"]) {
    const direct = type === "direct" || type === "private";
    await schedule(chat, "hamlet", toGeneral(chat, { type, ...(direct && { to: [chat.ids.othello] }) }));
  }
  const { topic: _, ...old } = toGeneral(chat);
  await schedule(chat, "hamlet", { ...old, subject: "(no topic)" });
  await schedule(chat, "hamlet", toGeneral(chat, { to: [chat.ids.general], topic: "general chat" }));
  assert.deepEqual(
    (await waiting(chat)).map(({ type, topic }) => [type, topic]),
    [
      ["stream", "lunch"],
      ["stream", "lunch"],
      ["private", undefined],
      ["private", undefined],
      ["stream", ""],
      ["stream", ""],
    ],
  );
});

test("a due message is sent once and unscheduled", async (t) => {
  const { chat, pass } = await start(t);
  const [own, reader, outsider] = [
    await chat.register("hamlet"),
    await chat.register("othello"),
    await chat.register("cordelia"),
  ];
  const a = await schedule(chat, "hamlet", toGeneral(chat));
  const b = await schedule(
    chat,
    "hamlet",
    toGeneral(chat, { type: "direct", to: [chat.ids.othello], content: "psst" }),
  );
  await own.events();
  await pass(NOON + MINUTE - 1);
  assert.deepEqual(await reader.events(), []);
  const { store } = chat.server.app;
  const before = store.seq;
  await pass(NOON + MINUTE);
  assert.equal(store.seq, before + 2, "sending and deleting is one record");
  const [inChannel, direct, ...more] = (await reader.events()).filter(({ type }) => type === "message");
  assert.deepEqual(more, []);
  assert.deepEqual(
    [
      inChannel?.message.subject,
      inChannel?.message.content,
      inChannel?.message.sender_id,
      inChannel?.message.timestamp,
    ],
    ["lunch", "<p><em>hungry</em>?</p>", chat.ids.hamlet, NOON + MINUTE],
  );
  assert.deepEqual([direct?.message.type, direct?.message.content], ["private", "<p>psst</p>"]);
  assert.deepEqual(
    (await own.events())
      .filter(({ type }) => type === "message" || type === "scheduled_messages")
      .map(({ type, op, scheduled_message_id: id }) => [type, op, id]),
    [
      ["message", undefined, undefined],
      ["scheduled_messages", "remove", a],
      ["message", undefined, undefined],
      ["scheduled_messages", "remove", b],
    ],
  );
  // Everyone who sees the channel learns its first message's ID.
  assert.deepEqual(
    (await outsider.events()).map(({ type, property }) => [type, property]),
    [["stream", "first_message_id"]],
  );
  assert.deepEqual(await waiting(chat), []);
  assert.equal((await chat.as("hamlet").patch(`/scheduled_messages/${a}`, { content: "late" })).status, 404);
  await pass(NOON + 9 * MINUTE);
  assert.deepEqual(await reader.events(), []);
});

test("downtime delays a message, and restarts never repeat it", async (t) => {
  const { chat, clock, pass } = await start(t);
  const reader = await chat.register("othello", LONG_LIVED);
  await schedule(chat, "hamlet", toGeneral(chat));
  clock.at = NOON + 60 * MINUTE;
  await chat.restart();
  await pass(clock.at);
  assert.deepEqual(await received(reader), ["<p><em>hungry</em>?</p>"]);
  await chat.restart();
  await pass(NOON + 61 * MINUTE);
  assert.deepEqual(await received(reader), []);
});

test("a crash neither loses nor duplicates messages", async (t) => {
  const { chat, pass } = await start(t, { unwatched: true });
  /** The state on disk now, as after a crash. */
  const found = async () => {
    const folder = mkdtempSync(join(tmpdir(), "hearth-crash-"));
    cpSync(chat.folder, folder, { recursive: true });
    const store = await openStore({ folder });
    const waits = store.reader.value("SELECT COUNT(*) FROM scheduled_messages");
    const sent = store.reader.value("SELECT COUNT(*) FROM messages");
    await store.close();
    rmSync(folder, { recursive: true });
    return { waits, sent };
  };
  await schedule(chat, "hamlet", toGeneral(chat));
  assert.deepEqual(await found(), { waits: 1, sent: 0 });
  await pass(NOON + MINUTE - 1);
  assert.deepEqual(await found(), { waits: 1, sent: 0 });
  await pass(NOON + MINUTE);
  assert.deepEqual(await found(), { waits: 0, sent: 1 });
});

test("a clock set back neither repeats nor blocks messages", async (t) => {
  const { chat, pass } = await start(t, { unwatched: true });
  const reader = await chat.register("othello", LONG_LIVED);
  await schedule(chat, "hamlet", toGeneral(chat, { content: "first" }));
  await pass(NOON + 60 * MINUTE);
  assert.deepEqual(await received(reader), ["<p>first</p>"]);
  await pass(NOON);
  await schedule(chat, "hamlet", toGeneral(chat, { content: "second" }));
  await pass(NOON + MINUTE - 1);
  assert.deepEqual(await received(reader), []);
  await pass(NOON + MINUTE);
  assert.deepEqual(await received(reader), ["<p>second</p>"]);
});

test("many due messages are sent in order, in slices", async (t) => {
  const { chat, pass } = await start(t);
  const count = 40;
  for (let n = 0; n < count; n += 1) {
    const at = NOON + MINUTE + ((n * 7) % count);
    await schedule(chat, "hamlet", toGeneral(chat, { content: `${at}`, scheduled_delivery_timestamp: at }));
  }
  const reader = await chat.register("othello");
  for (let turn = 0; turn < count; turn += 1) await pass(NOON + 5 * MINUTE + turn);
  const expected = Array.from({ length: count }, (_, n) => `<p>${NOON + MINUTE + n}</p>`);
  assert.deepEqual(await received(reader), expected);
});

test("a message whose sending crashes does not block others", async (t) => {
  const reports: string[] = [];
  const { chat, pass } = await start(t, { logger: { error: (message) => void reports.push(message) } });
  const reader = await chat.register("othello");
  const bad = await schedule(chat, "hamlet", toGeneral(chat, { content: "bad" }));
  await schedule(chat, "hamlet", toGeneral(chat, { content: "good" }));
  const index = messageIndex(chat.server.app.store.reader);
  const add = t.mock.method(index, "prepare", () => {
    add.mock.restore();
    throw new Error("a test failed it");
  });
  await pass(NOON + MINUTE);
  assert.deepEqual(await received(reader), ["<p>good</p>"]);
  assert.deepEqual(reports, [`The scheduled message ${bad} could not be sent`]);
  assert.deepEqual(
    (await waiting(chat)).map(({ scheduled_message_id: id, failed }) => [id, failed]),
    [[bad, true]],
  );
});

test("a message without permission fails until it is rescheduled", async (t) => {
  const { chat, pass } = await start(t);
  const [own, reader] = [await chat.register("hamlet"), await chat.register("iago")];
  const id = await schedule(chat, "hamlet", toGeneral(chat, { to: chat.ids.secret }));
  await leave(chat, "hamlet", "secret");
  await own.events();
  await pass(NOON + MINUTE);
  assert.deepEqual(await received(reader), []);
  const [failed] = await waiting(chat);
  assert.deepEqual([failed?.scheduled_message_id, failed?.failed], [id, true]);
  const update = { type: "scheduled_messages", op: "update", scheduled_message: failed };
  assert.deepEqual(without(await own.events()), [update]);
  const reason = chat.server.app.store.reader.value("SELECT failure FROM scheduled_messages WHERE id = ?", id);
  assert.equal(reason, `There is no channel with ID ${chat.ids.secret}.`);

  await chat.as("iago").post("/users/me/subscriptions", {
    subscriptions: [{ name: "secret" }],
    principals: [chat.ids.hamlet],
  });
  await pass(NOON + 2 * MINUTE);
  assert.deepEqual(await received(reader), [], "a failed message is not retried");
  const path = `/scheduled_messages/${id}`;
  const early = await chat.as("hamlet").patch(path, { content: "better" });
  assert.deepEqual([early.status, early.code], [400, "BAD_REQUEST"]);
  await own.events();
  const later = { scheduled_delivery_timestamp: NOON + 3 * MINUTE };
  assert.equal((await chat.as("hamlet").patch(path, later)).status, 200);
  assert.deepEqual(await waiting(chat), [{ ...failed, ...later, failed: false }]);
  assert.deepEqual(without(await own.events()), [
    { ...update, scheduled_message: { ...failed, ...later, failed: false } },
  ]);
  await pass(NOON + 3 * MINUTE);
  assert.deepEqual(await received(reader), ["<p><em>hungry</em>?</p>"]);
});

test("deactivated people and archived channels block scheduled messages", async (t) => {
  const { chat, pass } = await start(t, { unwatched: true });
  const reader = await chat.register("othello");
  const change = (sql: string, id: number | undefined) =>
    chat.server.app.store.transact({ actor: null, action: "test" }, (tx) => void tx.run(sql, id as number));
  const toIago = { type: "direct", to: [chat.ids.iago] };
  await schedule(chat, "hamlet", toGeneral(chat));
  await schedule(chat, "hamlet", toGeneral(chat, toIago));
  const own = await schedule(chat, "cordelia", toGeneral(chat, { type: "direct", to: [chat.ids.othello] }));
  change("UPDATE channels SET is_archived = 1 WHERE id = ?", chat.ids.general);
  for (const name of ["iago", "cordelia"]) change("UPDATE users SET is_active = 0 WHERE id = ?", chat.ids[name]);
  await pass(NOON + MINUTE);
  assert.deepEqual(await received(reader), []);
  const reasons = chat.server.app.store.reader.all("SELECT failure FROM scheduled_messages ORDER BY id");
  assert.deepEqual(reasons, [
    { failure: "The channel general is archived." },
    { failure: "Iago is deactivated and cannot receive messages." },
    { failure: "The sender's account is deactivated." },
  ]);
  assert.deepEqual(
    (await waiting(chat)).map(({ failed }) => failed),
    [true, true],
  );
  change("UPDATE users SET is_active = 1 WHERE id = ?", chat.ids.cordelia);
  assert.deepEqual(
    (await waiting(chat, "cordelia")).map((one) => one.scheduled_message_id),
    [own],
  );
});

test("another person's scheduled message looks like a missing one", async (t) => {
  const { chat } = await start(t);
  const id = await schedule(chat, "hamlet", toGeneral(chat));
  for (const path of [`/scheduled_messages/${id}`, "/scheduled_messages/999"]) {
    for (const answer of [
      await chat.as("othello").delete(path),
      await chat.as("othello").patch(path, { content: "mine" }),
    ]) {
      const expected = [404, "BAD_REQUEST", "Scheduled message not found."];
      assert.deepEqual([answer.status, answer.code, answer.msg], expected);
    }
  }
  assert.deepEqual(await waiting(chat, "othello"), []);
  assert.deepEqual((await chat.register("othello")).state.scheduled_messages, []);
  assert.equal((await waiting(chat)).length, 1);
});

test("scheduling is checked like sending, with a future time", async (t) => {
  const { chat } = await start(t);
  const post = (more: object) => chat.as("othello").post("/scheduled_messages", toGeneral(chat, more));
  for (const to of [999, chat.ids.secret]) {
    const { status, code, stream_id, msg } = await post({ to });
    assert.deepEqual(
      [status, code, stream_id, msg],
      [400, "STREAM_DOES_NOT_EXIST", to, `There is no channel with ID ${to}.`],
    );
  }
  const unknown = await post({ type: "direct", to: [999] });
  assert.deepEqual([unknown.status, unknown.code, unknown.msg], [400, "BAD_REQUEST", "Invalid user ID: 999"]);
  for (const bad of [
    { scheduled_delivery_timestamp: NOON },
    { scheduled_delivery_timestamp: NOON - MINUTE },
    { scheduled_delivery_timestamp: -1 },
    { scheduled_delivery_timestamp: 9e15 },
    { scheduled_delivery_timestamp: (NOON + MINUTE) * 1000 },
    { scheduled_delivery_timestamp: "soon" },
    { content: " \n" },
    { content: "x".repeat(10_001) },
    { topic: "x".repeat(61) },
    { topic: "two\nlines" },
    { to: "general" },
    { to: [chat.ids.general, chat.ids.secret] },
    { type: "direct", to: [] },
    { type: "direct", to: ["hamlet@example.com"] },
    { type: "shout" },
    { read_by_sender: "maybe" },
  ]) {
    const { status, code } = await post(bad);
    assert.deepEqual([status, code], [400, "BAD_REQUEST"], JSON.stringify(bad));
  }
  for (const name of ["type", "to", "content", "topic", "scheduled_delivery_timestamp"]) {
    const answer = await post({ [name]: undefined });
    assert.deepEqual([answer.code, answer.var_name], ["REQUEST_VARIABLE_MISSING", name]);
  }
  assert.deepEqual(await waiting(chat, "othello"), []);
  await schedule(chat, "othello", toGeneral(chat, { scheduled_delivery_timestamp: NOON + 1 }));
});

test("an edit changes only the named fields", async (t) => {
  const { chat } = await start(t);
  const id = await schedule(chat, "hamlet", toGeneral(chat));
  const queue = await chat.register("hamlet");
  const [first] = await waiting(chat);
  const patch = (params: Record<string, unknown>) => chat.as("hamlet").patch(`/scheduled_messages/${id}`, params);
  const edited = async (params: Record<string, unknown>) => {
    const { status, msg } = await patch(params);
    assert.equal(status, 200, msg);
    const [event, ...more] = without(await queue.events());
    assert.deepEqual(more, []);
    const [now] = await waiting(chat);
    assert.deepEqual(event, { type: "scheduled_messages", op: "update", scheduled_message: now });
    return now;
  };
  let expected: Record<string, unknown> = {
    ...first,
    content: "**full**",
    rendered_content: "<p><strong>full</strong></p>",
  };
  assert.deepEqual(await edited({ content: "**full**" }), expected);
  expected = { ...expected, topic: "dinner" };
  assert.deepEqual(await edited({ topic: "dinner" }), expected);
  expected = { ...expected, to: chat.ids.secret };
  assert.deepEqual(await edited({ to: chat.ids.secret }), expected);
  expected = { ...expected, scheduled_delivery_timestamp: NOON + 5 * MINUTE };
  assert.deepEqual(await edited({ scheduled_delivery_timestamp: NOON + 5 * MINUTE }), expected);
  const { topic: _, ...addressless } = expected;
  const direct = { ...addressless, type: "private", to: [chat.ids.othello] };
  assert.deepEqual(await edited({ type: "direct", to: [chat.ids.othello] }), direct);
  assert.deepEqual(await edited({ topic: "of no use" }), direct);
  assert.deepEqual(await edited({ type: "private", content: "**full**" }), direct);
  const back = { type: "stream", to: chat.ids.general, topic: "" };
  assert.deepEqual(await edited({ type: "channel", to: chat.ids.general, topic: "(no topic)" }), {
    ...direct,
    ...back,
  });
});

test("an invalid edit changes nothing", async (t) => {
  const { chat } = await start(t);
  const id = await schedule(chat, "othello", toGeneral(chat));
  const direct = await schedule(chat, "othello", toGeneral(chat, { type: "direct", to: [chat.ids.hamlet] }));
  const before = await waiting(chat, "othello");
  const patch = (which: number, params: Record<string, unknown>) =>
    chat.as("othello").patch(`/scheduled_messages/${which}`, params);
  for (const to of [999, chat.ids.secret]) {
    const { status, code, stream_id } = await patch(id, { to });
    assert.deepEqual([status, code, stream_id], [400, "STREAM_DOES_NOT_EXIST", to]);
  }
  for (const bad of [
    {},
    { type: "direct" },
    { type: "direct", to: [999] },
    { content: "\n" },
    { content: "x".repeat(10_001) },
    { topic: "x".repeat(61) },
    { scheduled_delivery_timestamp: NOON },
    { content: "good", scheduled_delivery_timestamp: NOON - 1 },
  ]) {
    const { status, code } = await patch(id, bad);
    assert.deepEqual([status, code], [400, "BAD_REQUEST"], JSON.stringify(bad));
  }
  for (const bad of [{ type: "channel" }, { type: "stream", to: chat.ids.general }, { to: [999] }, { to: [] }]) {
    const { status, code } = await patch(direct, bad);
    assert.deepEqual([status, code], [400, "BAD_REQUEST"], JSON.stringify(bad));
  }
  assert.deepEqual(await waiting(chat, "othello"), before);
});

test("settings and client decide whether sent messages are read", async (t) => {
  const { chat, pass } = await start(t);
  const { email, key } = chat.as("hamlet");
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
  const note = (content: string, more: object = {}) => ({
    ...toGeneral(chat, { type: "direct", content, ...more }),
    to: [chat.ids.hamlet],
  });
  await schedule(chat, "hamlet", note("by default"));
  await schedule(chat, "hamlet", note("read", { read_by_sender: true }));
  await schedule(chat, "hamlet", note("unread", { read_by_sender: false }));
  const headers = { authorization, "user-agent": "ZulipPython/0.9" };
  assert.equal((await chat.anonymous("POST", "/scheduled_messages", note("by a program"), headers)).status, 200);
  const queue = await chat.register("hamlet");
  await pass(NOON + MINUTE);
  const messages = (await queue.events()).filter(({ type }) => type === "message");
  assert.deepEqual(
    messages.map(({ message, flags }) => [message.content, flags, message.client]),
    [
      ["<p>by default</p>", ["read"], "node"],
      ["<p>read</p>", ["read"], "node"],
      ["<p>unread</p>", [], "node"],
      ["<p>by a program</p>", [], "ZulipPython"],
    ],
  );
});
