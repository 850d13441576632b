import assert from "node:assert/strict";
import test from "node:test";
import { deleteMessages } from "../../server/api/actions/message-deletions.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { LOOK_MS, OPERATOR, send, state, stopTime } from "../support/host-state-samples.ts";
import { until } from "../support/patience.ts";

const DAY_MS = 86_400_000;

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
  assert.deepEqual(await online(), {
    people: [shown("hamlet"), shown("othello")],
    people_count: 2,
    elsewhere_count: 2,
    bots_count: 1,
  });
  assert.deepEqual((await state(chat))["queues"], { total: 4, waiting: 0, pages: { total: 1, waiting: 0 } });

  now += 100_000;
  await hamlet.events();
  now += 41_000;
  assert.deepEqual(await online(), { people: [shown("hamlet")], people_count: 1, elsewhere_count: 1, bots_count: 0 });
  const waiting = chat.as("othello").get("/events", { queue_id: othello.queueId });
  await until(() => chat.server.app.queues.waiting === 1 || undefined, "othello to wait");
  now += 39_000;
  assert.deepEqual(await online(), {
    people: [shown("hamlet"), shown("othello")],
    people_count: 2,
    elsewhere_count: 2,
    bots_count: 0,
  });
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

test("the chat window of the desktop app is not elsewhere", async (t) => {
  const chat = await startChat(t, { operatorToken: "operator's own", unwatched: true });
  const { token, user_id } = await chat.anonymous("POST", "/host/sessions", {}, OPERATOR);
  const cookie = `hearth_session_${new URL(chat.url).port}=${token}`;
  const poll = async (agent: string) => {
    const headers = { cookie, origin: chat.url, "user-agent": agent };
    const body = new URLSearchParams({ event_types: '["message"]' });
    const registered = await fetch(`${chat.url}/api/v1/register`, { method: "POST", headers, body });
    const { queue_id } = (await registered.json()) as { queue_id: string };
    await fetch(`${chat.url}/api/v1/events?queue_id=${queue_id}&last_event_id=-1&dont_block=true`, { headers });
  };
  await poll("HearthDesktop/0.1.0 (Linux)");
  const { people, people_count, elsewhere_count } = (await state(chat)).online;
  assert.deepEqual([people[0].user_id, people_count, elsewhere_count], [user_id, 1, 0]);
  assert.equal(chat.server.app.stateFeed.summary().peopleOnline, 0);
  await poll("Mozilla/5.0 (X11; Linux x86_64)");
  assert.equal(chat.server.app.stateFeed.summary().peopleOnline, 1);
});

test("names the first fifty online people", async (t) => {
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

test("counts messages by the minute of sending", async (t) => {
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

test("counts system messages separately", async (t) => {
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

test("new users joined in the last seven days", async (t) => {
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

test("counts only invitations that are still valid", async (t) => {
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

test("counts pending and failed deliveries and names retrying bots", async (t) => {
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
  const none = { count: 0, bots: [] };
  assert.deepEqual((await state(chat))["deliveries"], { waiting: 1, failed: 2, retried: none });
  store.transact({ actor: 1, action: "test" }, (tx) => tx.run("DELETE FROM webhook_deliveries WHERE state = 'failed'"));
  time.pass(LOOK_MS);
  assert.deepEqual((await state(chat))["deliveries"], { waiting: 1, failed: 0, retried: none });

  const made = { full_name: "Echo", short_name: "echo", bot_type: 3, payload_url: '"https://hooks.example.com/"' };
  const echo = (await chat.as("hamlet").post("/bots", made))["user_id"];
  const pause = (is_paused: boolean) => chat.as("hamlet").patch(`/host/bots/${echo}`, { is_paused });
  await pause(true); // nothing is sent
  for (const content of ["one", "two"])
    await chat.as("hamlet").post("/messages", { type: "direct", to: [echo], content });
  store.transact({ actor: 1, action: "test" }, (tx) =>
    tx.run("UPDATE webhook_deliveries SET attempts = 1, due_at = ? WHERE bot_id = ?", tx.now + DAY_MS, echo),
  );
  const retried = async () => {
    time.pass(LOOK_MS);
    return (await state(chat))["deliveries"].retried;
  };
  assert.deepEqual(await retried(), none, "a paused bot tries nothing");
  await pause(false);
  assert.deepEqual(await retried(), { count: 1, bots: [{ bot_id: echo, full_name: "Echo", waiting: 2 }] });
});
