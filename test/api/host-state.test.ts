import assert from "node:assert/strict";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import test, { type TestContext } from "node:test";
import { recordAudit } from "../../server/actions/audit.ts";
import { deleteMessages } from "../../server/actions/message-deletions.ts";
import { type Body, type Chat, startChat } from "../support/chat.ts";
import { until } from "../support/patience.ts";

const OPERATOR = { authorization: "Bearer operator's own" };

/** The desktop's request; `after` makes it a long poll. */
const state = (chat: Chat, after?: number): Promise<Body> => chat.anonymous("GET", "/host/state", { after }, OPERATOR);

/** The server looks every so often whether anything has changed, and takes no other sample within that time. */
const LOOK_MS = 250;
/** After this there is a new sample in any case. */
const SAMPLE_MS = 2000;

/** Stops the stopwatch and the intervals by which the server times its samples: they go on by `pass` only. */
function stopTime(t: TestContext): { pass(ms: number): void } {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  t.mock.timers.enable({ apis: ["setInterval"] });
  return {
    pass(ms) {
      now += ms;
      t.mock.timers.tick(ms);
    },
  };
}

const DAY_MS = 86_400_000;

const send = (chat: Chat, from: string, content: string) =>
  chat.as(from).post("/messages", { type: "direct", to: [chat.ids["iago"]], content });

/** Writes messages that were sent at these times. */
function sentAt(chat: Chat, times: number[]): void {
  chat.server.app.store.transact({ actor: 1, action: "test" }, (tx) => {
    for (const time of times) {
      tx.run(
        `INSERT INTO messages (sender_id, recipient_id, topic, content, rendered_content, renderer_version, sent_at, client)
         VALUES (1, 1, '', 'x', 'x', 1, ?, 'test')`,
        time,
      );
    }
  });
}

test("a sample reports verifiable figures about the server", async (t) => {
  const chat = await startChat(t, {
    operatorToken: "operator's own",
    unwatched: true,
    channels: [{ name: "stage", subscribers: ["hamlet"] }, { name: "old" }],
    host: "127.0.0.1",
  });
  const { app } = chat.server;
  app.store.transact({ actor: 1, action: "test" }, (tx) => {
    tx.run("UPDATE channels SET is_archived = 1 WHERE id = ?", chat.ids["old"] as number);
    tx.run("UPDATE users SET is_active = 0 WHERE id = ?", chat.ids["cordelia"] as number);
  });
  for (const text of ["one", "two", "three"]) await send(chat, "hamlet", text);
  const began = Date.now();
  const { status, result, msg, ...sample } = await state(chat);
  assert.deepEqual([status, result, msg], [200, "success", ""]);
  assert.ok(Math.abs(sample["now"] - began) < 10_000);
  assert.equal(sample["started_at"], app.startedAt);
  assert.equal(sample["version"], app.version);
  const { created_at, newcomers, ...organization } = sample["organization"];
  assert.deepEqual(organization, {
    name: "Venice",
    picture_url: "/generated/organization.png?version=1",
    people: 5, // desdemona, iago, hamlet, othello, polonius
    guests: 1,
    bots: 1,
    joined_last_week: 5,
    channels: 1,
    messages: 3,
    notices: 0,
    people_wrote: true,
  });
  assert.deepEqual(
    newcomers.map(({ full_name }: { full_name: string }) => full_name),
    ["Polonius", "Othello", "Hamlet", "Iago", "Desdemona"],
  );
  assert.ok(created_at > 0 && created_at <= began);
  const port = Number(new URL(chat.url).port);
  const addresses = [{ url: `http://127.0.0.1:${port}`, interface: "lo" }];
  assert.deepEqual(sample["network"], { host: "127.0.0.1", port, lan: false, addresses });
  assert.deepEqual(sample["online"], { people: [], people_count: 0, bots_count: 0 });
  assert.deepEqual(sample["queues"], { total: 0, waiting: 0, pages: { total: 0, waiting: 0 } });
  assert.deepEqual(sample["deliveries"], { waiting: 0, failed: 0 });
  assert.deepEqual(sample["invitations"], { links: 0, people: 0 });
  assert.equal(sample["accepts_writes"], true);
  const { storage, memory, audit, newest_audit_id } = sample["host"];
  const { data_folder, ...bytes } = storage;
  assert.equal(data_folder, chat.folder);
  assert.equal(bytes.database_bytes, app.store.sizes.database);
  assert.ok(bytes.log_bytes > 0 && bytes.disk_free_bytes > 0 && bytes.disk_total_bytes >= bytes.disk_free_bytes);
  assert.ok(memory.process_bytes > 10_000_000);
  assert.equal(sample["messages"].per_minute.length, 60);
  assert.equal(sample["messages"].last_hour, 3);
  assert.equal(sample["messages"].minute % 60_000, 0);
  assert.equal(newest_audit_id, audit[0].id);
  assert.equal(audit.length, 10, "the organization, seven people and two channels");
  assert.deepEqual(audit[0].actor, { user_id: 1, full_name: "Desdemona" });
});

test("network mode lists the machine's reachable addresses only", async (t) => {
  const chat = await startChat(t, { operatorToken: "operator's own", unwatched: true, host: "0.0.0.0" });
  const { network } = await state(chat);
  assert.deepEqual([network.host, network.lan], ["0.0.0.0", true]);
  for (const { url } of network.addresses) {
    const { hostname, port } = new URL(url);
    assert.equal(port, new URL(chat.url).port);
    assert.doesNotMatch(hostname, /^127\.|^localhost$|^\[::1\]$/);
    assert.equal((await fetch(`${url}/api/v1/server_settings`)).status, 200, url);
  }
});

test("addresses follow the network that the computer is on, within five seconds", async (t) => {
  const time = stopTime(t);
  const chat = await startChat(t, { operatorToken: "operator's own", unwatched: true, host: "0.0.0.0" });
  const { stateFeed } = chat.server.app;
  const { networkInterfaces } = os;
  const isOn = (found: typeof networkInterfaces) => {
    os.networkInterfaces = found;
    syncBuiltinESMExports();
  };
  t.after(() => isOn(networkInterfaces));
  const { port } = new URL(chat.url);
  let { sample } = await state(chat);
  for (const address of ["192.168.7.7", "10.1.2.3"]) {
    const held = state(chat, sample);
    await until(() => stateFeed.isWatched || undefined, "the poll to be held");
    const netmask = { netmask: "255.255.255.0", mac: "00:00:00:00:00:00", cidr: null };
    isOn(() => ({ wlan0: [{ address, family: "IPv4", internal: false, ...netmask }] }));
    time.pass(SAMPLE_MS + LOOK_MS);
    const answer = await held;
    assert.deepEqual(answer["network"].addresses, [{ url: `http://${address}:${port}`, interface: "wlan0" }]);
    sample = answer["sample"];
  }
  assert.ok(SAMPLE_MS + LOOK_MS <= 5000);
});

test("a change answers a held poll within a second", async (t) => {
  const time = stopTime(t);
  const chat = await startChat(t, { operatorToken: "operator's own", unwatched: true });
  const { store, stateFeed } = chat.server.app;
  const changes: [string, () => unknown, (sample: Body) => unknown][] = [
    ["message", () => send(chat, "hamlet", "hello"), (sample) => sample["organization"].messages],
    [
      "person",
      () => chat.as("desdemona").post("/users", { email: "a@b.c", password: "motley fool", full_name: "Clown" }),
      (sample) => sample["organization"].people,
    ],
    [
      "channel",
      () => chat.as("desdemona").post("/users/me/subscriptions", { subscriptions: [{ name: "stage" }] }),
      (sample) => sample["organization"].channels,
    ],
    ["invitation", () => chat.as("iago").post("/invites/multiuse"), (sample) => sample["invitations"].links],
    ["queue", () => chat.register("hamlet"), (sample) => sample["queues"].total],
    [
      "audit",
      () =>
        store.transact({ actor: 1, action: "test" }, (tx) =>
          recordAudit(tx, null, { action: "change password", target: "user 1" }),
        ),
      (sample) => sample["host"].newest_audit_id,
    ],
  ];
  for (const [what, change, figure] of changes) {
    time.pass(LOOK_MS);
    const fresh = await state(chat);
    const held = state(chat, fresh["sample"]);
    await until(() => stateFeed.isWatched || undefined, "the poll to be held");
    time.pass(LOOK_MS);
    assert.equal(stateFeed.isWatched, true, "nothing has changed");
    await change();
    time.pass(LOOK_MS);
    const after = await held;
    assert.ok(after["sample"] > fresh["sample"]);
    assert.notEqual(figure(after), figure(fresh), what);
  }
});

test("an idle poll is answered every two seconds", async (t) => {
  const time = stopTime(t);
  const chat = await startChat(t, { operatorToken: "operator's own", unwatched: true });
  const { stateFeed } = chat.server.app;
  const first = await state(chat);
  const held = state(chat, first["sample"]);
  await until(() => stateFeed.isWatched || undefined, "the poll to be held");
  time.pass(SAMPLE_MS - LOOK_MS);
  assert.equal(stateFeed.isWatched, true, "it is too early");
  time.pass(LOOK_MS);
  const second = await held;
  assert.ok(second["sample"] > first["sample"]);
  const atOnce = await state(chat, first["sample"]);
  assert.equal(atOnce["sample"], second["sample"]);
  const { event_loop } = second["host"];
  assert.ok(event_loop.delay_ms_max >= event_loop.delay_ms_median);
});

test("steady sends produce at most four samples a second", async (t) => {
  const time = stopTime(t);
  const chat = await startChat(t, { operatorToken: "operator's own", unwatched: true });
  const { stateFeed } = chat.server.app;
  let { sample } = await state(chat);
  for (let count = 0; count < 4; count += 1) {
    const held = state(chat, sample);
    for (const content of ["one", "two", "three"]) await send(chat, "hamlet", content);
    await until(() => stateFeed.isWatched || undefined, "the poll to be held");
    time.pass(LOOK_MS - 1);
    assert.equal(stateFeed.isWatched, true, "it is too early");
    time.pass(1);
    const answer = await held;
    assert.ok(answer["sample"] > sample);
    sample = answer["sample"];
  }
});

test("nothing is measured while no poll waits", async (t) => {
  const time = stopTime(t);
  const chat = await startChat(t, { operatorToken: "operator's own", unwatched: true });
  const { stateFeed, store } = chat.server.app;
  const { sample } = await state(chat);
  assert.equal(stateFeed.isWatched, false);
  const reads = t.mock.method(store.reader, "derived");
  const measured = () => reads.mock.calls.filter(({ arguments: [key] }) => key.startsWith("host state")).length;
  const leaving = new AbortController();
  const held = fetch(`${chat.url}/host/state?after=${sample}`, { headers: OPERATOR, signal: leaving.signal });
  await until(() => stateFeed.isWatched || undefined, "the poll to be held");
  leaving.abort();
  await assert.rejects(held);
  await until(() => !stateFeed.isWatched || undefined, "the poll to be given up");
  const before = measured();
  time.pass(SAMPLE_MS + LOOK_MS);
  assert.equal(measured(), before);
  await state(chat);
  await until(() => measured() > before || undefined, "measuring to be seen");
});

test("a stop answers held polls at once", async (t) => {
  stopTime(t); // which would answer them otherwise
  const chat = await startChat(t, { operatorToken: "operator's own", unwatched: true });
  const { sample } = await state(chat);
  const held = Promise.all([state(chat, sample), state(chat, sample)]);
  await until(() => chat.server.app.stateFeed.waiting === 2 || undefined, "the polls to be held");
  await chat.restart();
  for (const answer of await held) assert.deepEqual([answer.status, answer["code"]], [503, "SERVER_NOT_READY"]);
});

test("only people whose own clients poll count as online", async (t) => {
  const time = stopTime(t);
  let now = Date.now();
  const chat = await startChat(t, { operatorToken: "operator's own", unwatched: true, now: () => now });
  await chat.register("iago"); // has never polled for events
  const hamlet = await chat.register("hamlet");
  const othello = await chat.register("othello");
  const bot = await chat.register("bot");
  for (const listener of [hamlet, othello, bot]) await listener.events();
  const registration = await chat.anonymous("POST", "/register", {}, OPERATOR);
  await chat.anonymous("GET", "/events", { queue_id: registration["queue_id"], dont_block: true }, OPERATOR);
  const online = async () => {
    time.pass(LOOK_MS);
    return (await state(chat))["online"];
  };
  const shown = (name: string) => ({
    user_id: chat.ids[name],
    full_name: chat.user(name).full_name,
    avatar_url: `/generated/user-${chat.ids[name]}.png?version=1`,
  });
  assert.deepEqual(await online(), { people: [shown("hamlet"), shown("othello")], people_count: 2, bots_count: 1 });
  assert.deepEqual((await state(chat))["queues"], { total: 4, waiting: 0, pages: { total: 1, waiting: 0 } });

  now += 100_000;
  await hamlet.events();
  now += 41_000;
  assert.deepEqual(await online(), { people: [shown("hamlet")], people_count: 1, bots_count: 0 });
  const waiting = chat.as("othello").get("/events", { queue_id: othello.queueId });
  await until(() => chat.server.app.queues.waiting === 1 || undefined, "othello to wait");
  now += 39_000;
  assert.deepEqual(await online(), { people: [shown("hamlet"), shown("othello")], people_count: 2, bots_count: 0 });
  now += 110_000;
  assert.deepEqual((await online()).people, [shown("othello")], "however long the poll is held");
  chat.server.app.store.transact({ actor: 1, action: "test" }, (tx) => {
    tx.run("UPDATE users SET is_active = 0 WHERE id = ?", chat.ids["othello"] as number);
  });
  assert.equal((await online()).people_count, 0);
  chat.server.app.queues.remove(othello.queueId);
  await waiting;
  await chat.restart();
  assert.equal((await online()).people_count, 0, "nobody has polled since the restart");
});

test("the first fifty online people are named", async (t) => {
  const names = Array.from({ length: 55 }, (_, number) => `p${String(number).padStart(2, "0")}`);
  const users = Object.fromEntries(names.map((name) => [name, {}]));
  const chat = await startChat(t, { operatorToken: "operator's own", unwatched: true, users });
  for (const name of names.toReversed()) {
    const { queueId } = await chat.register(name, { fetch_event_types: [] });
    await chat.as(name).get("/events", { queue_id: queueId, dont_block: true });
  }
  const { online } = await state(chat);
  assert.equal(online.people_count, 55);
  const shown = online.people.map((person: { full_name: string }) => person.full_name.toLowerCase());
  assert.deepEqual(shown, names.slice(0, 50));
});

test("messages are counted by the minute of sending", async (t) => {
  const time = stopTime(t);
  let now = Math.floor(Date.now() / 60_000) * 60_000 + 30_000;
  const chat = await startChat(t, { operatorToken: "operator's own", unwatched: true, now: () => now });
  await send(chat, "hamlet", "makes the conversation");
  now += 120 * 60_000;
  const minute = now - 30_000;
  const ago = (minutes: number) => minute - minutes * 60_000;
  // A message from 60 minutes ago does not count; the first and last millisecond of a minute do.
  sentAt(chat, [
    ago(59) - 1,
    ago(59),
    ago(58) - 1,
    ago(30),
    ago(30),
    ago(30) + 59_999,
    ago(1),
    minute - 1,
    minute,
    now,
  ]);
  await chat.restart(); // sentAt bypasses the counts in memory
  const read = async () => {
    time.pass(LOOK_MS);
    return (await state(chat))["messages"];
  };
  const expected = Array.from({ length: 60 }, () => 0);
  expected[0] = 2;
  expected[29] = 3;
  expected[58] = 2;
  expected[59] = 2;
  const notices = Array.from({ length: 60 }, () => 0);
  const none = { notices_last_hour: 0, notices_per_minute: notices };
  assert.deepEqual(await read(), { last_hour: 9, per_minute: expected, ...none, minute });
  await send(chat, "hamlet", "one more");
  expected[59] = 3;
  assert.deepEqual((await read()).per_minute, expected);
  now += 60_000; // a new minute without messages
  expected.shift();
  expected.push(0);
  assert.deepEqual(await read(), { last_hour: 8, per_minute: expected, ...none, minute: minute + 60_000 });
  await send(chat, "hamlet", "and another");
  expected[59] = 1;
  assert.deepEqual((await read()).per_minute, expected);
  now += 3 * 60 * 60_000;
  assert.equal((await read()).last_hour, 0);
});

test("the message count survives sends, deletions and a restart", async (t) => {
  const time = stopTime(t);
  const chat = await startChat(t, { operatorToken: "operator's own", unwatched: true });
  const count = async () => {
    time.pass(LOOK_MS);
    return (await state(chat))["organization"].messages;
  };
  assert.equal(await count(), 0);
  const { id } = await send(chat, "hamlet", "one");
  await send(chat, "hamlet", "two");
  assert.equal(await count(), 2);
  const { store } = chat.server.app;
  store.transact({ actor: 1, action: "test" }, (tx) => deleteMessages(tx, chat.user("desdemona"), [id as number]));
  assert.equal(await count(), 1);
  await chat.restart();
  assert.equal(await count(), 1);
});

test("notices of the server are counted apart from messages", async (t) => {
  const time = stopTime(t);
  let now = Math.floor(Date.now() / 60_000) * 60_000 + 30_000;
  const chat = await startChat(t, {
    operatorToken: "operator's own",
    unwatched: true,
    now: () => now,
    channels: [{ name: "stage", subscribers: ["hamlet"] }],
  });
  const read = async () => {
    time.pass(LOOK_MS);
    const { organization, messages } = await state(chat);
    const { last_hour, per_minute, notices_last_hour, notices_per_minute } = messages;
    const newest = (counts: number[]) => counts.slice(-2);
    return [
      [organization.messages, organization.notices, organization.people_wrote],
      [last_hour, newest(per_minute), notices_last_hour, newest(notices_per_minute)],
    ];
  };
  const rename = (name: string) => chat.as("desdemona").patch(`/streams/${chat.ids["stage"]}`, { new_name: name });
  await rename("boards");
  assert.deepEqual(await read(), [
    [0, 1, false],
    [0, [0, 0], 1, [0, 1]],
  ]);
  await send(chat, "hamlet", "one");
  assert.deepEqual(await read(), [
    [1, 1, true],
    [1, [0, 1], 1, [0, 1]],
  ]);
  now += 60_000;
  await rename("scene");
  await send(chat, "hamlet", "two");
  const { id } = await send(chat, "hamlet", "three");
  assert.deepEqual(await read(), [
    [3, 2, true],
    [3, [1, 2], 2, [1, 1]],
  ]);
  const { store } = chat.server.app;
  const [notice] = store.reader.all<{ id: number }>("SELECT id FROM messages ORDER BY id LIMIT 1");
  store.transact({ actor: 1, action: "test" }, (tx) =>
    deleteMessages(tx, chat.user("desdemona"), [notice?.id as number, id as number]),
  );
  assert.deepEqual((await read())[0], [2, 1, true]);
  await chat.restart();
  assert.deepEqual((await read())[0], [2, 1, true], "counted anew");
});

test("newcomers are those of the last seven days", async (t) => {
  const time = stopTime(t);
  let now = Date.now();
  const chat = await startChat(t, { operatorToken: "operator's own", unwatched: true, now: () => now });
  const newcomers = async () => {
    time.pass(LOOK_MS);
    const { joined_last_week, newcomers: shown } = (await state(chat))["organization"];
    return [joined_last_week, shown.map(({ full_name }: { full_name: string }) => full_name)];
  };
  now += 6 * DAY_MS;
  await chat.as("desdemona").post("/users", { email: "a@b.c", password: "motley fool", full_name: "Clown" });
  assert.equal((await newcomers())[0], 7);
  now += 2 * DAY_MS;
  assert.deepEqual(await newcomers(), [1, ["Clown"]]);
  now += 6 * DAY_MS;
  assert.deepEqual(await newcomers(), [0, []]);
});

test("only invitations that can still be used wait", async (t) => {
  const time = stopTime(t);
  let now = Date.now();
  const chat = await startChat(t, { operatorToken: "operator's own", unwatched: true, now: () => now });
  const waiting = async () => {
    time.pass(LOOK_MS);
    return (await state(chat))["invitations"];
  };
  await chat.as("iago").post("/invites/multiuse", { invite_expires_in_minutes: 10 });
  await chat.as("desdemona").post("/invites/multiuse", { invite_expires_in_minutes: null });
  await chat.as("desdemona").post("/invites", { invitee_emails: "ann@b.c, bo@b.c", stream_ids: [] });
  assert.deepEqual(await waiting(), { links: 2, people: 2 });
  now += 10 * 60_000;
  assert.deepEqual(await waiting(), { links: 1, people: 2 }, "one has expired");
  const { invites } = await chat.as("desdemona").get("/invites");
  const ann = invites.find(({ email }: { email?: string }) => email === "ann@b.c");
  await chat.as("desdemona").delete(`/invites/${ann.id}`);
  assert.deepEqual(await waiting(), { links: 1, people: 1 }, "one was revoked");
});

test("waiting and failed deliveries are counted", async (t) => {
  const time = stopTime(t);
  const chat = await startChat(t, { operatorToken: "operator's own", unwatched: true });
  const { store } = chat.server.app;
  const bot = chat.ids["bot"] as number;
  store.transact({ actor: 1, action: "test" }, (tx) => {
    for (const state of ["waiting", "failed", "failed", "delivered"])
      tx.run(
        `INSERT INTO webhook_deliveries (uid, bot_id, trigger, state, created_at, expires_at, due_at)
         VALUES (?, ?, 'mention', ?, ?, ?, ?)`,
        `${state} ${tx.value("SELECT count(*) FROM webhook_deliveries")}`,
        bot,
        state,
        tx.now,
        tx.now + DAY_MS,
        tx.now + DAY_MS,
      );
  });
  assert.deepEqual((await state(chat))["deliveries"], { waiting: 1, failed: 2 });
  store.transact({ actor: 1, action: "test" }, (tx) => tx.run("DELETE FROM webhook_deliveries WHERE state = 'failed'"));
  time.pass(LOOK_MS);
  assert.deepEqual((await state(chat))["deliveries"], { waiting: 1, failed: 0 });
});

test("the newest changes are named, those of a set of default channels too", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "stage", subscribers: [] }] });
  const owner = chat.as("desdemona");
  const set = { group_name: "troupe", description: "", stream_names: ["stage"] };
  assert.equal((await owner.post("/default_stream_groups/create", set))["result"], "success");
  const { host } = await owner.get("/host/state");
  assert.equal(host.audit[0].target_name, "troupe");
});

test("administrators get everything but the machine", async (t) => {
  const chat = await startChat(t, { operatorToken: "operator's own", unwatched: true });
  const [owner, administrator] = [
    await chat.as("desdemona").get("/host/state"),
    await chat.as("iago").get("/host/state"),
  ];
  assert.equal(administrator.status, 200);
  assert.equal(owner["host"].storage.data_folder, chat.folder);
  assert.equal(administrator["host"], null);
  assert.ok(!JSON.stringify(administrator).includes(chat.folder));
  assert.deepEqual(administrator["organization"], owner["organization"]);
  // Nor in the answers of held polls, which all callers share.
  const held = chat.as("iago").get("/host/state", { after: administrator["sample"] });
  await send(chat, "hamlet", "one");
  assert.equal((await held)["host"], null);
});

test("operator and administrators poll without rate limits", async (t) => {
  const users = {
    clown: { is_bot: true, bot_type: 1 as const, role: 100 as const },
    moderator: { role: 300 as const },
  };
  const limits = { operatorToken: "operator's own", rateLimit: "on" as const };
  const chat = await startChat(t, { unwatched: true, users, ...limits });
  for (const name of ["moderator", "hamlet", "polonius", "bot", "clown"]) {
    const answer = await chat.as(name).get("/host/state");
    assert.equal(answer.status, 400, name);
    assert.equal(answer["organization"], undefined);
  }
  assert.equal((await chat.anonymous("GET", "/host/state")).status, 401);
  const owner = chat.as("desdemona");
  assert.match((await owner.get("/host/state", { after: "now" })).msg, /^after must be an integer/);
  const remaining = async (path: string) => {
    const authorization = `Basic ${Buffer.from(`${owner.email}:${owner.key}`).toString("base64")}`;
    const response = await fetch(`${chat.url}${path}`, { headers: { authorization } });
    await response.arrayBuffer();
    return response.headers.get("x-ratelimit-remaining");
  };
  assert.notEqual(await remaining("/host/state"), null);
  assert.equal(await remaining("/host/state?after=1"), null);
});
