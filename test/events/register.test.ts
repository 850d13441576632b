import assert from "node:assert/strict";
import test from "node:test";
import { applyEvent } from "../../ui/api/state.ts";
import type { State } from "../../ui/api/state-shape.ts";
import { type Chat, type Registered, startChat } from "../support/chat.ts";

const stage = { name: "stage", subscribers: ["hamlet", "othello"] };
const cellar = { name: "cellar", private: true, subscribers: ["hamlet"] };

const say = (chat: Chat, name: string, to: string, more: Record<string, unknown> = {}) =>
  chat.as(name).post("/messages", { type: "channel", to, topic: "plans", content: "to **be**", ...more });

const messages = async (queue: Registered): Promise<any[]> =>
  (await queue.events()).filter(({ type }) => type === "message");

const contents = async (queue: Registered): Promise<string[]> =>
  (await messages(queue)).map(({ message }) => message.content);

test("event_types selects events and, by default, the state", async (t) => {
  const chat = await startChat(t, { channels: [stage] });
  const queue = await chat.register("hamlet", { event_types: ["message", "realm_user"] });
  assert.ok(queue.state["realm_users"]);
  assert.equal(queue.state["subscriptions"], undefined);
  const other = { event_types: ["update_message_flags"], fetch_event_types: ["subscription", "no such type"] };
  const flags = await chat.register("hamlet", other);
  assert.equal(flags.state["realm_users"], undefined);
  assert.equal(flags.state["subscriptions"]?.length, 1);
  const { id } = await say(chat, "othello", "stage");
  await chat.as("hamlet").post("/messages/flags", { messages: [id], op: "add", flag: "starred" });
  assert.deepEqual(
    (await queue.events()).map(({ type }) => type),
    ["message"],
  );
  assert.deepEqual(
    (await flags.events()).map(({ type }) => type),
    ["update_message_flags"],
  );
});

test("an empty fetch_event_types returns no state but all events", async (t) => {
  const chat = await startChat(t, { channels: [stage] });
  const queue = await chat.register("hamlet", { fetch_event_types: [] });
  assert.deepEqual(Object.keys(queue.state).sort(), [
    "idle_queue_timeout_secs",
    "last_event_id",
    "queue_id",
    "service_feature_level",
    "service_version",
    "zulip_feature_level",
    "zulip_merge_base",
    "zulip_version",
  ]);
  assert.equal(queue.state["zulip_feature_level"], 421);
  assert.equal(queue.state["service_feature_level"], 421);
  const { id } = await say(chat, "othello", "stage");
  await chat.as("hamlet").post("/messages/flags", { messages: [id], op: "add", flag: "read" });
  const types = new Set((await queue.events()).map(({ type }) => type));
  assert.ok(types.has("message") && types.has("update_message_flags"));
});

test("a queue with empty event_types gets nothing", async (t) => {
  const chat = await startChat(t, { channels: [stage] });
  const queue = await chat.register("hamlet", { event_types: [] });
  await say(chat, "othello", "stage");
  assert.deepEqual(await queue.events(), []);
});

test("a narrow filters messages and no other events", async (t) => {
  const chat = await startChat(t, { channels: [stage, cellar] });
  const narrows: [string, string[][]][] = [
    ["channel", [["channel", "stage"]]],
    ["stream", [["stream", "stage"]]],
    ["topic", [["topic", "PLANS"]]],
    [
      "both",
      [
        ["channel", "cellar"],
        ["topic", "plans"],
      ],
    ],
    ["sender", [["sender", "othello@example.com"]]],
    ["dms", [["is", "dm"]]],
    ["unread", [["is", "unread"]]],
    ["none", []],
  ];
  const queues = await Promise.all(narrows.map(([, narrow]) => chat.register("hamlet", { narrow })));
  await say(chat, "othello", "stage", { content: "1", topic: "Plans" });
  await say(chat, "othello", "stage", { content: "2", topic: "other" });
  await say(chat, "hamlet", "cellar", { content: "3" });
  const dm = { type: "direct", to: [chat.ids["hamlet"]], content: "4" };
  const { id } = await chat.as("othello").post("/messages", dm);
  await chat.as("hamlet").post("/messages/flags", { messages: [id], op: "add", flag: "starred" });
  const expected = {
    channel: [1, 2],
    stream: [1, 2],
    topic: [1, 3],
    both: [3],
    sender: [1, 2, 4],
    dms: [4],
    unread: [1, 2, 4],
    none: [1, 2, 3, 4],
  };
  const got: Record<string, number[]> = {};
  for (const [index, queue] of queues.entries()) {
    const events = await queue.events();
    assert.ok(events.some(({ type }) => type === "update_message_flags"));
    const narrowed = events.filter(({ type }) => type === "message");
    got[(narrows[index] as [string, unknown])[0]] = narrowed.map(({ message }) => Number(message.content.slice(3, 4)));
  }
  assert.deepEqual(got, expected);
});

test("an unknown narrow is rejected without creating a queue", async (t) => {
  const chat = await startChat(t, { channels: [cellar] });
  const before = chat.server.app.queues.count;
  for (const [narrow, name] of [
    [[["colour", "red"]], "hamlet"],
    [[["dm", "nobody@example.com"]], "hamlet"],
    [[["sender", "hamlet@example.com,othello@example.com"]], "hamlet"],
  ] as const) {
    const answer = await chat.as(name).post("/register", { narrow });
    assert.deepEqual([answer.status, answer["code"]], [400, "BAD_NARROW"], JSON.stringify(narrow));
  }
  assert.equal(chat.server.app.queues.count, before);
});

test("a narrow can name a channel and a sender that are created later", async (t) => {
  const chat = await startChat(t, { channels: [stage, cellar] });
  const event_types = ["message"];
  const narrows = [
    ["channel", "ROOF"],
    ["sender", "Emilia@example.com"],
    ["is", "stream"],
    ["channel", "cellar"],
  ];
  const queues = [];
  for (const term of narrows) queues.push(await chat.register("othello", { event_types, narrow: [term] }));
  const emilia = { email: "emilia@example.com", password: "a long passphrase", full_name: "Emilia" };
  const { user_id } = await chat.as("desdemona").post("/users", emilia);
  const principals = [user_id, chat.ids["othello"], chat.ids["hamlet"]];
  await chat.as("hamlet").post("/users/me/subscriptions", { subscriptions: [{ name: "roof" }], principals });
  await say(chat, "hamlet", "roof", { content: "a" });
  await say(chat, "hamlet", "cellar", { content: "hidden from othello" });
  chat.ids["emilia"] = user_id;
  await say(chat, "emilia", "roof", { content: "b" });
  const got = [];
  for (const queue of queues) got.push(await contents(queue));
  const [a, b] = ["<p>a</p>", "<p>b</p>"];
  assert.deepEqual(
    got.map((texts) => texts.filter((text) => text === a || text === b)),
    [[a, b], [b], [a, b], []],
  );
});

test("all_public_streams adds public channels for members, not guests", async (t) => {
  const chat = await startChat(t, { channels: [stage, cellar] });
  assert.equal(chat.user("polonius").role, 600);
  const all = { all_public_streams: true, event_types: ["message"] };
  const [member, guest, plain, bot] = [
    await chat.register("cordelia", all),
    await chat.register("polonius", all),
    await chat.register("cordelia", { event_types: ["message"] }),
    await chat.register("bot", all),
  ];
  const narrowed = await chat.register("cordelia", { ...all, narrow: [["topic", "other"]] });
  await say(chat, "hamlet", "stage", { content: "public" });
  await say(chat, "hamlet", "cellar", { content: "private" });
  await chat.as("hamlet").post("/messages", { type: "direct", to: [chat.ids["othello"]], content: "direct" });
  assert.deepEqual(await contents(member), ["<p>public</p>"]);
  assert.deepEqual(await contents(bot), ["<p>public</p>"]);
  assert.deepEqual(await contents(guest), []);
  assert.deepEqual(await contents(plain), []);
  assert.deepEqual(await contents(narrowed), []);
  // A bot's own setting applies if its program sends none.
  const own = { default_all_public_streams: true };
  assert.equal((await chat.as("iago").patch(`/bots/${chat.ids["bot"]}`, own)).status, 200);
  const silent = await chat.register("bot", { event_types: ["message"] });
  const declining = await chat.register("bot", { event_types: ["message"], all_public_streams: false });
  await say(chat, "hamlet", "stage", { content: "again" });
  assert.deepEqual(await contents(silent), ["<p>again</p>"]);
  assert.deepEqual(await contents(declining), []);
});

test("apply_markdown chooses between HTML and Markdown", async (t) => {
  const chat = await startChat(t, { channels: [stage] });
  const html = await chat.register("hamlet", { apply_markdown: true });
  const markdown = await chat.register("hamlet", { apply_markdown: false });
  await say(chat, "othello", "stage");
  const forms = [...(await messages(html)), ...(await messages(markdown))];
  assert.deepEqual(
    forms.map(({ message }) => [message.content, message.content_type]),
    [
      ["<p>to <strong>be</strong></p>", "text/html"],
      ["to **be**", "text/x-markdown"],
    ],
  );
  assert.ok(
    forms.every((event) => !("raw_content" in event)),
    "a field for the log only",
  );
});

test("client_gravatar never changes the server's own pictures", async (t) => {
  const chat = await startChat(t);
  for (const client_gravatar of [true, false]) {
    const { state } = await chat.register("hamlet", { client_gravatar });
    for (const user of state["realm_users"] ?? []) assert.equal(typeof user.avatar_url, "string");
  }
});

test("presence parameters are accepted", async (t) => {
  const chat = await startChat(t);
  for (const params of [{ slim_presence: true }, { slim_presence: false }, { presence_history_limit_days: 365 }]) {
    const { state } = await chat.register("hamlet", params);
    assert.deepEqual(state["presences"], {});
    assert.equal("ignored_parameters_unsupported" in state, false);
  }
});

test("include_subscribers selects none, all or partial subscriber lists", async (t) => {
  const crowd = Object.fromEntries(Array.from({ length: 250 }, (_, number) => [`extra${number}`, {}]));
  const names = Object.keys(crowd);
  const chat = await startChat(t, {
    users: crowd,
    channels: [
      { name: "large", subscribers: names.slice(0, 249) },
      { name: "huge", subscribers: names },
    ],
    unwatched: true,
  });
  const lists = async (include_subscribers?: string) => {
    const { state } = await chat.register("hamlet", { include_subscribers, fetch_event_types: ["subscription"] });
    const channels = state["never_subscribed"] as Record<string, any>[];
    return ["large", "huge"].map((name) => {
      const { subscribers, partial_subscribers, subscriber_count } = channels.find((c) => c["name"] === name) as any;
      return { all: subscribers?.length, some: partial_subscribers?.length, count: subscriber_count };
    });
  };
  const none = [
    { all: undefined, some: undefined, count: 249 },
    { all: undefined, some: undefined, count: 250 },
  ];
  assert.deepEqual(await lists(), none);
  assert.deepEqual(await lists("false"), none);
  assert.deepEqual(await lists("true"), [
    { all: 249, some: undefined, count: 249 },
    { all: 250, some: undefined, count: 250 },
  ]);
  const [large, huge] = await lists("partial");
  assert.deepEqual(large, { all: 249, some: undefined, count: 249 });
  assert.equal(huge?.all, undefined);
  assert.ok(Number(huge?.some) <= 250);
});

test("old clients get the empty topic's display name everywhere", async (t) => {
  const chat = await startChat(t, { channels: [stage] });
  const knows = await chat.register("hamlet", { client_capabilities: { empty_topic_name: true } });
  const older = await chat.register("hamlet", { client_capabilities: { empty_topic_name: false } });
  const { id } = await say(chat, "othello", "stage", { topic: "" });
  const named = await say(chat, "othello", "stage", { topic: "named" });
  const dm = await chat.as("othello").post("/messages", { type: "direct", to: [chat.ids["hamlet"]], content: "x" });
  const ids = [id, named["id"], dm["id"]];
  for (const op of ["add", "remove"]) {
    await chat.as("hamlet").post("/messages/flags", { messages: ids, op, flag: "read" });
  }
  for (const [queue, shown] of [
    [knows, ""],
    [older, "general chat"],
  ] as const) {
    const events = await queue.events();
    const subjects = events.filter(({ type }) => type === "message").map(({ message }) => message.subject);
    assert.deepEqual(subjects, [shown, "named", ""]);
    const removal = events.find(({ type, op }) => type === "update_message_flags" && op === "remove") as any;
    const topics = ids.map((message) => removal.message_details[message].topic);
    assert.deepEqual(topics, [shown, "named", undefined]);
  }
});

test("rejects malformed parameters by name without creating a queue", async (t) => {
  const chat = await startChat(t);
  const before = chat.server.app.queues.count;
  const malformed: [string, string][] = [
    ["event_types", "message"],
    ["event_types", '{"message": true}'],
    ["event_types", "[1]"],
    ["fetch_event_types", '"message"'],
    ["narrow", "stage"],
    ["narrow", '[["channel"]]'],
    ["narrow", '[["channel", "a", "b"]]'],
    ["narrow", '[{"operator": 1}]'],
    ["apply_markdown", "perhaps"],
    ["client_gravatar", "2"],
    ["slim_presence", "yes please"],
    ["all_public_streams", "[]"],
    ["include_subscribers", "some"],
    ["presence_history_limit_days", "-1"],
    ["presence_history_limit_days", "soon"],
    ["client_capabilities", "[true]"],
    ["client_capabilities", '{"empty_topic_name": "yes"}'],
    ["client_capabilities", "{"],
    ["queue_lifespan_secs", "-1"],
    ["idle_queue_timeout", "-1"],
    ["idle_queue_timeout", "600.5"],
    ["idle_queue_timeout", "desktop"],
    ["queue_lifespan_secs", "604801"],
    ["queue_lifespan_secs", "1.5"],
  ];
  for (const [name, value] of malformed) {
    const answer = await chat.as("hamlet").post("/register", { [name]: value });
    assert.deepEqual([answer.status, answer["code"]], [400, "BAD_REQUEST"], `${name}=${value}`);
    assert.match(answer.msg, new RegExp(name), `${name}=${value}`);
  }
  assert.equal(chat.server.app.queues.count, before);
  for (const secs of [0, 1, 604_800]) await chat.register("hamlet", { queue_lifespan_secs: secs });
  await chat.register("hamlet", { client_capabilities: { of_a_newer_client: { level: 2 }, empty_topic_name: true } });
});

test("anonymous callers have no queues", async (t) => {
  const chat = await startChat(t);
  for (const [method, path] of [
    ["POST", "/register"],
    ["GET", "/events"],
    ["DELETE", "/events"],
  ] as const) {
    const answer = await chat.anonymous(method, path, { queue_id: "x" });
    assert.deepEqual([answer.status, answer["code"]], [401, "UNAUTHORIZED"], `${method} ${path}`);
  }
});

test("nothing is lost between state and first event", async (t) => {
  const chat = await startChat(t, { channels: [stage, { name: "hall", subscribers: ["othello"] }] });
  const registering: Promise<Registered>[] = [];
  const others: Promise<unknown>[] = [];
  for (let count = 0; count < 60; count += 1) {
    others.push(say(chat, "hamlet", "stage", { topic: `topic ${count % 4}` }));
    if (count % 5 === 0) registering.push(chat.register("othello", { include_subscribers: "true" }));
    if (count % 20 === 9) {
      const hall = { subscriptions: [{ name: "hall" }], principals: [["iago", "cordelia", "bot"][count % 3]] };
      hall.principals = hall.principals.map((name) => `${name}@example.com`);
      others.push(chat.as("othello").post("/users/me/subscriptions", hall));
    }
  }
  await Promise.all(others);
  const { state: now } = await chat.register("othello", { include_subscribers: "true" });
  const startingPoints = new Set<number>();
  for (const queue of await Promise.all(registering)) {
    startingPoints.add(queue.state["max_message_id"] as number);
    let { state } = queue as { state: State };
    for (const event of await queue.events()) state = applyEvent(state, event);
    for (const part of ["unread_msgs", "max_message_id", "subscriptions", "streams", "never_subscribed"] as const)
      assert.deepEqual(state[part], now[part], part);
  }
  assert.ok(startingPoints.size > 1, "the queues start at different messages");
});

test("a person has at most 500 queues", async (t) => {
  let now = Date.now();
  const chat = await startChat(t, { unwatched: true, now: () => now });
  const lean = { fetch_event_types: [], idle_queue_timeout: "mobile" };
  const first = await chat.register("hamlet", lean);
  for (let count = 1; count < 500; count += 1) await chat.register("hamlet", lean);
  const refused = await chat.as("hamlet").post("/register", lean);
  assert.deepEqual([refused.status, refused["code"]], [400, "BAD_REQUEST"]);
  await chat.register("othello", lean);
  now += 600_000;
  await first.events();
  assert.equal((await chat.as("hamlet").post("/register", lean)).status, 200, "replaces an idle queue");
  assert.equal(chat.server.app.queues.ofUsers([chat.ids.hamlet as number]), 500);
  await first.events();
});
