import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { viewerBySession } from "../../server/api/access/sessions.ts";
import { createSession } from "../../server/api/actions/sessions.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { assertVoid, joined, linkFor, linkOf } from "../support/joining.ts";
import { deliveries, direct, settled, startReceiver, startWebhook } from "../support/outgoing-webhook.ts";

const DAY = 86_400_000;
const HOUR = DAY / 24;

/** The test sets the wall clock. The monotonic clock only advances. */
function testClocks() {
  const time = { wall: Date.now(), monotonic: 0 };
  return {
    clocks: { now: () => time.wall, monotonic: () => time.monotonic },
    pass(ms: number) {
      time.wall += ms;
      time.monotonic += ms;
    },
    set(ms: number) {
      time.wall += ms;
    },
  };
}

async function start(t: TestContext) {
  const { clocks, pass, set } = testClocks();
  const chat = await startChat(t, { ...clocks, unwatched: true, operatorToken: "desk" });
  const backupState = async () => {
    const { last_at, ahead_at, is_old } = await chat.as("desdemona").get("/host/backups");
    return { last_at, ahead_at, is_old };
  };
  return { chat, now: clocks.now, pass, set, backupState };
}

test("daily backups continue after the clock was ahead", async (t) => {
  const { chat, now, pass, set, backupState } = await start(t);
  const { backups } = chat.server.app;
  set(400 * DAY);
  const ahead_at = now();
  await backups.runDue();
  assert.deepEqual(await backupState(), { last_at: ahead_at, ahead_at: null, is_old: false });
  set(-400 * DAY);
  assert.deepEqual(await backupState(), { last_at: null, ahead_at, is_old: false });
  pass(2 * HOUR);
  await backups.runDue();
  assert.deepEqual(await backupState(), { last_at: now(), ahead_at, is_old: false });
  await chat.restart();
  pass(DAY);
  await chat.server.app.backups.runDue();
  assert.deepEqual(await backupState(), { last_at: now(), ahead_at, is_old: false });
});

test("a backup from the future does not hide old ones", async (t) => {
  const { chat, now, pass, set, backupState } = await start(t);
  const { backups } = chat.server.app;
  await backups.runDue();
  const last_at = now();
  set(400 * DAY);
  pass(2 * HOUR);
  await backups.runDue();
  set(-400 * DAY);
  const folder = join(chat.folder, "backups");
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "");
  pass(4 * DAY);
  await backups.runDue();
  const { is_old, last_at: last } = await backupState();
  assert.deepEqual([is_old, last], [true, last_at]);
});

test("keeps backups from a clock in the past", async (t) => {
  const { chat, now, pass, set, backupState } = await start(t);
  const { backups } = chat.server.app;
  for (let day = 0; day < 3; day += 1) {
    await backups.runDue();
    pass(DAY);
  }
  set(-800 * DAY);
  pass(2 * HOUR);
  await backups.runDue();
  assert.equal((await backupState()).last_at, now());
  assert.equal((await backups.list()).length, 4);
});

test("sessions created while the clock was ahead end", async (t) => {
  const { chat, now, set } = await start(t);
  const { store } = chat.server.app;
  set(400 * DAY);
  const hamlet = chat.user("hamlet");
  store.transact({ actor: null, action: "test" }, (tx) => createSession(tx, hamlet, { token: "a", userAgent: "" }));
  assert.equal(viewerBySession(store.reader, "a", now())?.id, hamlet.id);
  set(-0.5 * DAY);
  assert.equal(viewerBySession(store.reader, "a", now())?.id, hamlet.id, "half a day may be a time zone");
  set(-0.6 * DAY);
  assert.equal(viewerBySession(store.reader, "a", now()), undefined);
});

test("password reset links created while the clock was ahead are invalid", async (t) => {
  const { chat, set } = await start(t);
  set(400 * DAY);
  const made = await chat.as("desdemona").post("/host/sign-in-links", { user_id: chat.ids["hamlet"] });
  assert.equal(made.status, 200, made.msg);
  const token = /([\w-]{43})\/?$/.exec(made["link"])?.[1];
  const open = () => chat.anonymous("POST", "/host/sign-in-links/open", { token });
  assert.equal((await open()).status, 200);
  set(-400 * DAY);
  assert.equal((await open()).status, 400);
});

test("invitations created while the clock was ahead are invalid unless they never expire", async (t) => {
  const { chat, set } = await start(t);
  set(400 * DAY);
  const expiring = await linkOf(chat, "desdemona", { invite_expires_in_minutes: 60 });
  const permanent = await linkOf(chat, "desdemona", { invite_expires_in_minutes: "null" });
  await joined(chat, expiring, "ariel");
  set(-400 * DAY);
  await assertVoid(chat, expiring);
  await joined(chat, permanent, "caliban");
});

test("the daily invitation limit ignores a clock that was ahead", async (t) => {
  const { chat, set } = await start(t);
  set(400 * DAY);
  for (let number = 0; number < 100; number += 1) await linkFor(chat, "desdemona", `person${number}@example.org`);
  set(-400 * DAY);
  await linkFor(chat, "desdemona", "another@example.org");
});

const reportPresence = (chat: Chat, name: string, status: string) =>
  chat.as(name).post("/users/me/presence", { status, new_user_input: status === "active", ping_only: true });

test("nobody stays online because the clock was ahead", async (t) => {
  const { chat, set } = await start(t);
  set(400 * DAY);
  for (const name of ["hamlet", "othello"]) await reportPresence(chat, name, "active");
  set(-400 * DAY);
  await reportPresence(chat, "othello", "idle");
  const { presences } = await chat.as("iago").get("/realm/presence");
  assert.equal(presences["hamlet@example.com"], undefined);
  assert.equal(presences["othello@example.com"].website.status, "idle");
  const { status } = await chat.as("iago").get(`/users/${chat.ids["hamlet"]}/presence`);
  assert.equal(status, 400);
});

test("messages sent while the clock was ahead get no extra editing time", async (t) => {
  const { chat, set } = await start(t);
  await chat.as("desdemona").patch("/realm", { message_content_edit_limit_seconds: 600 });
  set(400 * DAY);
  const { id } = await chat.as("hamlet").post("/messages", { type: "direct", to: [chat.ids["othello"]], content: "a" });
  set(-400 * DAY);
  const edited = await chat.as("hamlet").patch(`/messages/${id}`, { content: "b" });
  assert.match(edited.msg, /The time limit for editing/);
});

test("webhooks are retried after the clock was ahead", async (t) => {
  const { clocks, set } = testClocks();
  const receiver = await startReceiver(t, (response) => void response.writeHead(503).end());
  const { chat, botId } = await startWebhook(t, receiver.url, { ...clocks, unwatched: true });
  set(400 * DAY);
  await direct(chat, botId, "to be tried again");
  while ((await deliveries(chat, botId))[0].attempts === 0) await chat.server.app.store.durable();
  receiver.script = (response) => void response.end("{}");
  set(-400 * DAY);
  const [delivered] = await settled(chat, botId, 1);
  assert.equal(delivered.state, "delivered");
});

test("a notification that waits since the clock was ahead is released", async (t) => {
  const { chat, set } = await start(t);
  const [hamlet, othello] = [chat.as("hamlet"), chat.as("othello")];
  await hamlet.post("/users/me/ntfy");
  await hamlet.patch("/settings", { enable_online_push_notifications: false });
  set(400 * DAY);
  await hamlet.post("/users/me/presence", { status: "active" });
  await othello.post("/messages", { type: "direct", to: [hamlet.id], content: "wait" });
  const waiting = () => chat.server.app.store.reader.value("SELECT COUNT(*) FROM waiting_notifications");
  assert.equal(waiting(), 1);
  set(-400 * DAY);
  await chat.runChores();
  assert.equal(waiting(), 0);
  assert.equal(chat.server.app.store.reader.value("SELECT COUNT(*) FROM notifications"), 1);
});
