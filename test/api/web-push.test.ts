import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { type Chat, type ChatOptions, startChat } from "../support/chat.ts";
import { PushBrowser, type PushService } from "../support/push-service.ts";

const HOUR = 3_600_000;

/** These tests send nothing. */
const SERVICE = { origin: "https://push.example", port: 443, pushes: [], script() {}, connections: 0 } as PushService;
const browserAt = (name: string) => new PushBrowser(SERVICE, name);

async function start(t: TestContext, options: ChatOptions = {}): Promise<Chat> {
  const chat = await startChat(t, options);
  await chat.as("desdemona").patch("/host/settings", { WEB_PUSH: true });
  return chat;
}

const devices = async (chat: Chat, name: string) => (await chat.as(name).get("/users/me/web_push"))["devices"];

const endpoints = (chat: Chat): string[] =>
  chat.server.app.store.reader.values("SELECT endpoint FROM web_push_subscriptions ORDER BY id");

/** Calls with the session cookie of a browser that signs in as the owner. */
async function signIn(chat: Chat) {
  let cookie = "";
  const call = async (method: string, path: string, fields: Record<string, string> = {}) => {
    const headers = { cookie, origin: chat.url, "user-agent": "Mozilla/5.0 (X11; Linux) Firefox/150.0" };
    const body = new URLSearchParams(fields);
    const answer = await fetch(chat.url + path, { method, headers, ...(method !== "GET" && { body }) });
    cookie = answer.headers.getSetCookie()[0]?.split(";")[0] ?? cookie;
    return await answer.json();
  };
  await call("POST", "/host/session", { username: "desdemona@example.com", password: "secret-desdemona" });
  return {
    call,
    register: (at: string) => call("POST", "/api/v1/users/me/web_push/devices", browserAt(at).subscription),
  };
}

test("lists a registered browser without its secrets, and removes it", async (t) => {
  const chat = await start(t);
  const { subscription, digest } = browserAt("a");
  const { device_id } = await chat.as("polonius").post("/users/me/web_push/devices", subscription);
  const answer = await chat.as("polonius").get("/users/me/web_push");
  const [device] = answer["devices"];
  assert.deepEqual(
    [answer["is_on"], device.id, device.endpoint_digest, device.push_service, device.failure],
    [true, device_id, digest, "push.example", null],
  );
  for (const secret of Object.values(subscription)) assert.ok(!JSON.stringify(answer).includes(secret));
  assert.equal((await chat.as("polonius").delete(`/users/me/web_push/devices/${device_id}`)).status, 200);
  assert.deepEqual(await devices(chat, "polonius"), []);
});

test("registering again changes the device, and its owner's pages hear of each change", async (t) => {
  const chat = await start(t);
  const { call } = await signIn(chat);
  const { queue_id } = await call("POST", "/api/v1/register");
  const browser = browserAt("a");
  const { device_id } = await browser.register(chat.as("desdemona"));
  assert.equal((await browser.register(chat.as("desdemona")))["device_id"], device_id, "nothing changed");
  await browserAt("a").register(chat.as("desdemona")); // with new keys
  await browserAt("b").register(chat.as("hamlet"));
  assert.equal((await devices(chat, "desdemona")).length, 1);
  const poll = `/api/v1/events?queue_id=${queue_id}&last_event_id=-1&dont_block=true`;
  const { events } = await call("GET", poll);
  const heard = events.filter(({ type }: { type: string }) => type === "web_push_devices");
  assert.equal(heard.length, 2 + 1, "the new keys replace a device and add one");
});

test("others neither see nor remove a device, and bots have none", async (t) => {
  const chat = await start(t);
  const { device_id } = await browserAt("a").register(chat.as("hamlet"));
  for (const name of ["othello", "desdemona"]) {
    assert.deepEqual(await devices(chat, name), []);
    const refused = await chat.as(name).delete(`/users/me/web_push/devices/${device_id}`);
    assert.deepEqual([refused.status, refused.msg], [404, "There is no such device."]);
  }
  const { status } = await browserAt("b").register(chat.as("bot"));
  const anonymous = await chat.anonymous("GET", "/users/me/web_push");
  assert.deepEqual([status, anonymous.status, (await devices(chat, "hamlet")).length], [400, 401, 1]);
});

test("a browser that another account registers changes to that account", async (t) => {
  const chat = await start(t);
  const browser = browserAt("shared");
  await browser.register(chat.as("hamlet"));
  await browser.register(chat.as("othello"));
  assert.deepEqual(await devices(chat, "hamlet"), []);
  assert.deepEqual((await devices(chat, "othello")).length, 1);
});

test("the oldest of more than twenty browsers is forgotten", async (t) => {
  const chat = await start(t);
  for (let count = 0; count <= 20; count += 1) await browserAt(`b${count}`).register(chat.as("hamlet"));
  const digests = (await devices(chat, "hamlet")).map((device: any) => device.endpoint_digest);
  assert.equal(digests.length, 20);
  assert.deepEqual([digests.includes(browserAt("b0").digest), digests.at(-1)], [false, browserAt("b20").digest]);
});

test("refuses what is no subscription, by name", async (t) => {
  const chat = await start(t);
  const { subscription } = browserAt("a");
  const offCurve = Buffer.alloc(65, 4).toString("base64url");
  for (const [name, value] of [
    ["endpoint", "http://push.example/a"],
    ["endpoint", "https://user:pw@push.example/a"],
    ["endpoint", "no URL"],
    ["endpoint", `https://push.example/${"a".repeat(1000)}`],
    ["p256dh", offCurve],
    ["p256dh", subscription.auth],
    ["auth", "short"],
    ["auth", `${subscription.auth}*`],
  ] as const) {
    const refused = await chat.as("hamlet").post("/users/me/web_push/devices", { ...subscription, [name]: value });
    assert.deepEqual([refused.status, refused["var_name"]], [400, name], value);
  }
  assert.deepEqual(await devices(chat, "hamlet"), []);
});

test("refuses addresses of machines in the server's own networks, for administrators too", async (t) => {
  const chat = await start(t);
  for (const host of ["127.0.0.1", "10.1.2.3", "192.168.1.1", "169.254.169.254", "[::1]", "[fd00::1]", "0.0.0.0"]) {
    const subscription = { ...browserAt("a").subscription, endpoint: `https://${host}/push` };
    const refused = await chat.as("desdemona").post("/users/me/web_push/devices", subscription);
    assert.deepEqual([refused.status, refused["var_name"]], [400, "endpoint"], host);
  }
});

test("nobody can register while the operator has it off", async (t) => {
  const chat = await startChat(t);
  const refused = await browserAt("a").register(chat.as("desdemona"));
  assert.deepEqual([refused.status, refused.code], [400, "BAD_REQUEST"]);
  assert.match(refused.msg, /turned off on this server/);
  assert.equal((await chat.as("hamlet").get("/users/me/web_push"))["is_on"], false);
});

test("signing a browser out removes it", async (t) => {
  const chat = await start(t);
  const [here, there] = [await signIn(chat), await signIn(chat)];
  await here.register("here");
  await there.register("there");
  await here.call("DELETE", "/host/session");
  assert.deepEqual(
    (await devices(chat, "desdemona")).map((device: any) => [device.endpoint_digest, device.browser]),
    [[browserAt("there").digest, "Firefox"]],
  );
  const { sessions } = await there.call("GET", "/host/sessions");
  await there.call("DELETE", `/host/sessions/${sessions[0].id}`);
  assert.deepEqual(await devices(chat, "desdemona"), []);
});

test("a new password keeps the browser that changed it", async (t) => {
  const chat = await start(t, { unwatched: true });
  const [here, there] = [await signIn(chat), await signIn(chat)];
  await here.register("here");
  await there.register("there");
  await browserAt("app").register(chat.as("desdemona"));
  const change = { old_password: "secret-desdemona", new_password: "a-second-secret-desdemona" };
  assert.equal((await here.call("PATCH", "/api/v1/settings", change)).result, "success");
  assert.deepEqual(endpoints(chat), [browserAt("here").endpoint]);
  await here.call("DELETE", "/host/session");
  assert.deepEqual(endpoints(chat), [], "it belongs to the new session");
});

test("a browser whose session expires keeps its notifications", async (t) => {
  const clock = { now: Date.UTC(2026, 10, 28, 12) };
  const chat = await start(t, { now: () => clock.now, unwatched: true });
  const here = await signIn(chat);
  await here.register("here");
  clock.now += 15 * 24 * HOUR;
  await chat.runChores();
  assert.equal(chat.server.app.store.reader.value("SELECT COUNT(*) FROM sessions"), 0);
  assert.deepEqual(endpoints(chat), [browserAt("here").endpoint]);
});

test("deactivated people lose their browsers", async (t) => {
  const chat = await start(t);
  await browserAt("a").register(chat.as("hamlet"));
  await chat.as("desdemona").delete(`/users/${chat.ids["hamlet"]}`);
  await chat.as("desdemona").post(`/users/${chat.ids["hamlet"]}/reactivate`);
  assert.deepEqual(endpoints(chat), []);
});

test("tests need a device of the person", async (t) => {
  const chat = await start(t);
  await browserAt("a").register(chat.as("hamlet"));
  const refused = await chat.as("othello").post("/users/me/notifications/test", { device: "web_push" });
  assert.deepEqual([refused.status, refused.code], [400, "BAD_REQUEST"]);
  const unknown = await chat.as("hamlet").post("/users/me/notifications/test", { device: "pager" });
  assert.deepEqual([unknown.status, unknown["var_name"] ?? unknown.msg.includes("device")], [400, "device"]);
});
