import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { type Caller, type Chat, type ChatOptions, startChat } from "../support/chat.ts";
import { holds, PATIENCE_MS } from "../support/patience.ts";
import {
  accept,
  PushBrowser,
  type PushService,
  refuse,
  startPushService,
  vapidClaims,
} from "../support/push-service.ts";

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

interface Pushed {
  chat: Chat;
  hamlet: Caller;
  clock: { now: number };
  service: PushService;
  browser: PushBrowser;
}

/** Hamlet's browser gets notifications from a push service that the operator allows. Othello writes. */
async function start(t: TestContext, options: ChatOptions = {}): Promise<Pushed> {
  const clock = { now: Date.UTC(2026, 10, 28, 12) };
  const service = await startPushService(t);
  const chat = await startChat(t, {
    unwatched: true,
    now: () => clock.now,
    channels: [
      { name: "rowing", subscribers: ["hamlet", "othello"] },
      { name: "crew", private: true, subscribers: ["hamlet", "othello"] },
    ],
    ...options,
  });
  const WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1"];
  await chat.as("desdemona").patch("/host/settings", { WEB_PUSH: true, WEBHOOK_ALLOWED_HOSTS });
  const browser = new PushBrowser(service);
  const hamlet = chat.as("hamlet");
  assert.equal((await browser.register(hamlet)).result, "success");
  return { chat, hamlet, clock, service, browser };
}

const direct = async ({ chat }: Pick<Pushed, "chat">, content: string, to = "hamlet"): Promise<number> =>
  (await chat.as("othello").post("/messages", { type: "direct", to: [chat.ids[to]], content }))["id"];
const inChannel = async ({ chat }: Pushed, content: string, to = "rowing"): Promise<number> =>
  (await chat.as("othello").post("/messages", { type: "stream", to, topic: "boats", content }))["id"];
const bodies = async (browser: PushBrowser, count: number) => (await browser.received(count)).map(({ body }) => body);
const failureOf = async (caller: Caller) => (await caller.get("/users/me/web_push"))["devices"][0]?.failure;
const position = ({ chat }: Pushed) =>
  chat.server.app.store.reader.value<number>("SELECT sent_id FROM web_push_subscriptions") as number;

test("a browser gets a message that only it can read", async (t) => {
  const pushed = await start(t);
  const { hamlet, browser } = pushed;
  const id = await inChannel(pushed, "@**hamlet** the **boat** leaks");
  const [payload] = await browser.received(1);
  const { url, icon, ...shown } = payload as NonNullable<typeof payload>;
  const channelId = (await hamlet.get("/get_stream_id", { stream: "rowing" }))["stream_id"];
  assert.deepEqual(shown, {
    kind: "message",
    title: "Othello (rowing › boats)",
    body: "@Hamlet the boat leaks",
    tag: `channel ${channelId} boats`,
    message_id: id,
    clear: [],
  });
  assert.match(url, new RegExp(`^/#narrow/.*/near/${id}$`));
  assert.ok(icon?.startsWith("/"));
  const push = browser.pushes[0]!;
  assert.ok(!push.body.includes("boat") && !JSON.stringify(push.headers).includes("boat"));
});

test("a push names its server, and says how long and how urgently it counts", async (t) => {
  const pushed = await start(t);
  const { hamlet, browser, service, chat } = pushed;
  await inChannel(pushed, "@**hamlet** the boat leaks");
  await browser.received(1);
  const push = browser.pushes[0]!;
  assert.deepEqual(
    ["content-encoding", "ttl", "urgency"].map((name) => push.headers[name]),
    ["aes128gcm", String((3 * DAY) / 1000), "high"],
  );
  const { public_key } = await hamlet.get("/users/me/web_push");
  const { aud, exp, sub } = vapidClaims(push, public_key);
  assert.deepEqual([aud, sub], [service.origin, chat.url.replace("http:", "https:")]);
  assert.ok(Math.abs((exp as number) - Date.now() / 1000) < 24 * 3600);
});

test("push services learn neither lengths nor conversations", async (t) => {
  const pushed = await start(t);
  const { browser, chat, hamlet } = pushed;
  const other = new PushBrowser(pushed.service, "other");
  await other.register(hamlet);
  await direct(pushed, "hm");
  await direct(pushed, "🦀".repeat(5000));
  await inChannel(pushed, "@**hamlet** hm");
  await browser.received(3);
  await other.received(3);
  const topics = browser.pushes.map(({ headers }) => headers["topic"] as string);
  assert.deepEqual([topics[0] === topics[1], topics[0] === topics[2], topics[0]?.length], [true, false, 32]);
  assert.notEqual(other.pushes[0]?.headers["topic"], topics[0]);
  assert.deepEqual([...new Set(browser.pushes.map(({ body }) => body.length))], [4096]);
  assert.equal(chat.server.app.store.reader.value("SELECT COUNT(*) FROM web_push_subscriptions"), 2);
});

test("messages arrive in order, one at a time", async (t) => {
  const pushed = await start(t);
  let open = 0;
  pushed.service.script = (response) => {
    open += 1;
    assert.equal(open, 1);
    setImmediate(() => {
      open -= 1;
      accept(response, pushed.service.pushes[0]!);
    });
  };
  const texts = Array.from({ length: 12 }, (_, index) => `number ${index}`);
  for (const text of texts) await direct(pushed, text);
  assert.deepEqual(await bodies(pushed.browser, 12), texts);
});

test("read messages are not sent, and the next push names those that were shown", async (t) => {
  const pushed = await start(t);
  const first = await direct(pushed, "first");
  await pushed.browser.received(1);
  pushed.service.script = refuse(503);
  const second = await direct(pushed, "second");
  await pushed.browser.received(2);
  await pushed.hamlet.post("/messages/flags", { messages: [first, second], op: "add", flag: "read" });
  pushed.service.script = accept;
  pushed.clock.now += MINUTE;
  await direct(pushed, "third");
  const [, , third] = await pushed.browser.received(3);
  assert.deepEqual([third?.body, third?.clear], ["third", [second, first]]);
});

test("nothing is sent only because a message was read", async (t) => {
  const pushed = await start(t);
  const id = await direct(pushed, "read me");
  await pushed.browser.received(1);
  await pushed.hamlet.post("/messages/flags", { messages: [id], op: "add", flag: "read" });
  await direct(pushed, "last");
  await pushed.browser.received(2);
  await holds(() => position(pushed) > 2);
  assert.equal(pushed.browser.pushes.length, 2);
});

test("texts are left out if the person wants that", async (t) => {
  const pushed = await start(t);
  await pushed.hamlet.patch("/settings", { message_content_in_push_notifications: false });
  await direct(pushed, "secret");
  assert.deepEqual(await bodies(pushed.browser, 1), ["New direct message"]);
});

test("a browser gets nothing from channels that its person has left", async (t) => {
  const pushed = await start(t);
  pushed.service.script = refuse(503);
  await inChannel(pushed, "@**hamlet** before", "crew");
  await pushed.browser.received(1);
  await pushed.hamlet.delete("/users/me/subscriptions", { subscriptions: ["crew"] });
  pushed.service.script = accept;
  pushed.clock.now += MINUTE;
  await direct(pushed, "after");
  assert.deepEqual(await bodies(pushed.browser, 2), ["@Hamlet before", "after"]);
});

test("a browser that the push service has forgotten is removed", async (t) => {
  const pushed = await start(t);
  const gone = new PushBrowser(pushed.service, "gone");
  await gone.register(pushed.hamlet);
  pushed.service.script = (response, push) => (push.path === "/push/gone" ? refuse(410) : accept)(response, push);
  await direct(pushed, "one");
  await gone.received(1);
  await holds(async () => (await pushed.hamlet.get("/users/me/web_push"))["devices"].length === 1);
  await direct(pushed, "two");
  assert.deepEqual([await bodies(pushed.browser, 2), gone.pushes.length], [["one", "two"], 1]);
});

test("a busy push service is asked again when it says", async (t) => {
  const pushed = await start(t);
  pushed.service.script = refuse(429, { "retry-after": "600" });
  await direct(pushed, "patience");
  await holds(async () => (await failureOf(pushed.hamlet)) === 429);
  pushed.service.script = accept;
  pushed.clock.now += 9 * MINUTE;
  await direct(pushed, "more");
  await new PushBrowser(pushed.service, "other").register(pushed.hamlet);
  await direct(pushed, "for both");
  await holds(() => pushed.service.pushes.some(({ path }) => path === "/push/other"));
  assert.equal(pushed.browser.pushes.length, 1, "the other browser does not wait, this one does");
  pushed.clock.now += 2 * MINUTE;
  assert.deepEqual((await bodies(pushed.browser, 4)).slice(1), ["patience", "more", "for both"]);
  await holds(async () => (await failureOf(pushed.hamlet)) === null);
});

test("the pause grows with each failure, until the notification is too old", async (t) => {
  const pushed = await start(t);
  pushed.service.script = refuse(500);
  await direct(pushed, "never");
  const pauses = [5, 10, 20, 40];
  for (const [index, seconds] of pauses.entries()) {
    await pushed.browser.received(index + 1);
    await holds(async () => (await failureOf(pushed.hamlet)) === 500);
    pushed.clock.now += seconds * 1000 - 1;
    await direct({ chat: pushed.chat }, `a look, ${index}`, "hamlet");
    assert.equal(pushed.browser.pushes.length, index + 1);
    pushed.clock.now += 1;
  }
  await pushed.browser.received(pauses.length + 1);
  pushed.clock.now += 4 * DAY;
  await pushed.chat.runChores();
  pushed.service.script = accept;
  await direct(pushed, "at last");
  assert.equal((await bodies(pushed.browser, pauses.length + 2)).at(-1), "at last");
});

test("a refused notification is dropped, and the next is tried", async (t) => {
  const pushed = await start(t);
  pushed.service.script = refuse(403);
  await direct(pushed, "refused");
  await holds(async () => (await failureOf(pushed.hamlet)) === 403);
  pushed.service.script = accept;
  await direct(pushed, "accepted");
  assert.deepEqual(await bodies(pushed.browser, 2), ["refused", "accepted"]);
  await holds(async () => (await failureOf(pushed.hamlet)) === null);
});

test("a restart loses and repeats nothing", async (t) => {
  const pushed = await start(t);
  await direct(pushed, "before");
  await pushed.browser.received(1);
  pushed.service.script = refuse(503);
  await direct(pushed, "during");
  await holds(async () => (await failureOf(pushed.hamlet)) === 503);
  pushed.service.script = accept;
  await pushed.chat.restart();
  await direct(pushed, "after");
  assert.deepEqual(await bodies(pushed.browser, 4), ["before", "during", "during", "after"]);
});

test("nothing leaves while the setting is off", async (t) => {
  const pushed = await start(t);
  await pushed.chat.as("desdemona").patch("/host/settings", { WEB_PUSH: false });
  const { connections } = pushed.service;
  await direct(pushed, "held");
  await pushed.chat.restart();
  await direct(pushed, "back");
  assert.deepEqual([pushed.service.connections, pushed.browser.pushes.length], [connections, 0]);
  await pushed.chat.as("desdemona").patch("/host/settings", { WEB_PUSH: true });
  assert.deepEqual(await bodies(pushed.browser, 2), ["held", "back"]);
});

test("names of the server's own network are never reached", async (t) => {
  const pushed = await start(t);
  const browser = new PushBrowser(pushed.service, "inside", `https://localhost:${pushed.service.port}`);
  assert.equal((await browser.register(pushed.chat.as("desdemona"))).result, "success");
  await pushed.chat.as("desdemona").patch("/host/settings", { WEBHOOK_ALLOWED_HOSTS: [] });
  await direct(pushed, "stay", "desdemona");
  await holds(async () => (await failureOf(pushed.chat.as("desdemona"))) === 0);
  assert.equal(pushed.service.connections, 0);
});

test("a person with many stuck browsers delays nobody", async (t) => {
  const pushed = await start(t, { testing: { webhookTimeoutMs: PATIENCE_MS } });
  for (let count = 0; count < 20; count += 1)
    await new PushBrowser(pushed.service, `stuck${count}`).register(pushed.chat.as("desdemona"));
  pushed.service.script = (response, push) => void (push.path.startsWith("/push/stuck") || accept(response, push));
  await direct(pushed, "stuck", "desdemona");
  await holds(() => pushed.service.pushes.length >= 8);
  for (let count = 0; count < 5; count += 1) await direct(pushed, `free ${count}`);
  assert.equal((await bodies(pushed.browser, 5)).at(-1), "free 4");
  assert.equal(pushed.service.pushes.length, 8 + 5, "one person has at most half of the slots");
});

test("after a new secret, a browser waits until its page has renewed it", async (t) => {
  const pushed = await start(t);
  const { store } = pushed.chat.server.app;
  store.transact({ actor: null, action: "test" }, (tx) =>
    tx.run("UPDATE web_push_subscriptions SET server_key = 'another'"),
  );
  await direct(pushed, "waits");
  const other = new PushBrowser(pushed.service, "other");
  await other.register(pushed.hamlet);
  await direct(pushed, "both");
  await other.received(1);
  assert.equal(pushed.browser.pushes.length, 0);
  await pushed.browser.register(pushed.hamlet);
  assert.deepEqual(await bodies(pushed.browser, 2), ["waits", "both"]);
});

test("a test reaches the person's browsers, also when nobody writes", async (t) => {
  const pushed = await start(t);
  const others = new PushBrowser(pushed.service, "others");
  await others.register(pushed.chat.as("othello"));
  await pushed.hamlet.post("/users/me/notifications/test", { device: "web_push" });
  const [payload] = await pushed.browser.received(1);
  assert.deepEqual(
    [payload?.kind, payload?.title, payload?.url, payload?.message_id, payload?.icon],
    ["test", "Test notification", "/#settings/notifications", null, null],
  );
  assert.equal(others.pushes.length, 0);
});
