import assert from "node:assert/strict";
import test from "node:test";
import { ntfyTopics } from "../../server/host/credentials/derived-keys.ts";
import { eventId, rowIdIn } from "../../server/notifications/ntfy/events.ts";
import { nextText, openPhone, openSocket, polledTexts, startWithTopic } from "../support/ntfy-client.ts";

const FORBIDDEN = { code: 40301, http: 403, error: "forbidden" };

/** The status and the JSON of a response. */
async function answerOf(url: string, init?: RequestInit): Promise<[number, object]> {
  const response = await fetch(url, init);
  return [response.status, (await response.json()) as object];
}

test("a topic has 190 random bits, and the app's link", async (t) => {
  const { chat, topic } = await startWithTopic(t);
  assert.match(topic, new RegExp(`^hearth-${chat.ids["hamlet"]}-[\\dA-Za-z]{32}$`));
  const { ntfy } = await chat.as("hamlet").get("/users/me/ntfy");
  const host = new URL(chat.url).host;
  assert.deepEqual(ntfy, {
    is_on: true,
    server_url: chat.url,
    topic,
    app_url: `ntfy://${host}/${topic}?display=Venice&secure=false`,
    connections: 0,
  });
  await openPhone(t, `${chat.url}/${topic}/json`);
  assert.equal((await chat.as("hamlet").get("/users/me/ntfy"))["ntfy"].connections, 1);
});

test("guests have a topic, bots have none", async (t) => {
  const { chat } = await startWithTopic(t);
  const { ntfy } = await chat.as("polonius").post("/users/me/ntfy");
  await chat.as("hamlet").post("/messages", { type: "direct", to: [chat.ids["polonius"]], content: "hi" });
  assert.deepEqual(await polledTexts(`${chat.url}/${ntfy.topic}`), ["hi"]);
  for (const method of ["get", "post", "delete"] as const)
    assert.equal((await chat.as("bot")[method]("/users/me/ntfy")).status, 400, method);
  const test = await chat.as("bot").post("/users/me/notifications/test", { device: "ntfy" });
  assert.equal(test.status, 400);
  assert.equal((await chat.anonymous("GET", "/users/me/ntfy")).status, 401);
});

test("unknown, malformed and revoked topics get the same response", async (t) => {
  const { chat, topic, url } = await startWithTopic(t);
  const id = chat.ids["hamlet"];
  const others = [
    "mytopic",
    `hearth-${id}-${"a".repeat(32)}`,
    `hearth-0${id}-${topic.slice(-32)}`,
    `hearth-${chat.ids["othello"]}-${topic.slice(-32)}`,
    "hearth-99999-0123456789abcdefghijklmnopqrstuv",
    "x".repeat(500),
    "not.a.topic",
    `${topic}x`,
  ];
  await chat.as("hamlet").post("/users/me/ntfy");
  for (const name of [...others, topic])
    for (const action of ["json", "sse?poll=1", "raw", "ws", "auth"])
      assert.deepEqual(await answerOf(`${chat.url}/${name}/${action}`), [403, FORBIDDEN], `${name}/${action}`);
  await assert.rejects(openSocket(t, `${url}/ws`), /403/);
});

test("a replaced topic ends its streams, and the new one works next to the old", async (t) => {
  const { chat, topic, url, direct } = await startWithTopic(t);
  const [phone, socket] = [await openPhone(t, `${url}/json`), await openSocket(t, `${url}/ws`)];
  const { ntfy } = await chat.as("hamlet").post("/users/me/ntfy");
  await Promise.all([phone.ended, socket.ended]);
  // The app asks for all topics of a server together, also for those that the person forgot to remove.
  const both = await openPhone(t, `${chat.url}/${topic},${ntfy.topic}/json`);
  await direct("on the new one");
  assert.equal((await both.next())?.topic, ntfy.topic);
  await chat.as("hamlet").delete("/users/me/ntfy");
  await both.ended;
  assert.equal((await chat.as("hamlet").get("/users/me/ntfy"))["ntfy"].topic, null);
});

test("turning it off and on never brings back an earlier topic", async (t) => {
  const { chat, topic } = await startWithTopic(t);
  const topics = new Set([topic]);
  for (let round = 0; round < 3; round += 1) {
    await chat.as("hamlet").delete("/users/me/ntfy");
    await chat.as("hamlet").delete("/users/me/ntfy"); // does nothing
    topics.add((await chat.as("hamlet").post("/users/me/ntfy"))["ntfy"].topic);
  }
  assert.equal(topics.size, 4);
});

test("a deactivated person's streams close", async (t) => {
  const { chat, url } = await startWithTopic(t);
  const phone = await openPhone(t, `${url}/json`);
  await chat.as("desdemona").delete(`/users/${chat.ids["hamlet"]}`);
  await phone.ended;
  assert.deepEqual(await answerOf(`${url}/auth`), [403, FORBIDDEN]);
  await chat.as("desdemona").post(`/users/${chat.ids["hamlet"]}/reactivate`);
  assert.deepEqual(await answerOf(`${url}/auth`), [403, FORBIDDEN], "also after the return");
});

test("a new key and a new password end the topic", async (t) => {
  const { chat, url } = await startWithTopic(t, { unwatched: true });
  const phone = await openPhone(t, `${url}/json`);
  await chat.as("hamlet").post("/users/me/api_key/regenerate");
  await phone.ended;
  const { ntfy } = await chat.as("desdemona").post("/users/me/ntfy");
  const own = await openPhone(t, `${chat.url}/${ntfy.topic}/json`);
  await chat.as("desdemona").patch("/settings", { old_password: "secret-desdemona", new_password: "unguessable 17" });
  await own.ended;
});

test("a deactivated organization's streams close", async (t) => {
  const { chat, url } = await startWithTopic(t, { unwatched: true });
  const phone = await openPhone(t, `${url}/json`);
  await chat.as("desdemona").patch("/host/settings", { ORGANIZATION_DEACTIVATED: true });
  await phone.ended;
  assert.deepEqual(await answerOf(`${url}/auth`), [403, FORBIDDEN]);
});

test("a copied database has no valid topic without secret.key", () => {
  const [one, other] = [ntfyTopics(Buffer.alloc(32, 1)), ntfyTopics(Buffer.alloc(32, 2))];
  const topic = { user_id: 4, generation: 2 };
  const name = one.nameOf(topic);
  assert.equal(one.matches(topic, name), true);
  assert.equal(other.matches(topic, name), false);
  assert.equal(one.matches({ ...topic, generation: 3 }, name), false);
  assert.equal(one.matches({ ...topic, user_id: 5 }, name), false);
  assert.notEqual(one.messagePrefix, other.messagePrefix);
});

test("ids of messages contain the row and begin with the server's prefix", () => {
  for (const row of [1, 61, 62, 123_456_789, 62 ** 7 - 1]) {
    const id = eventId("Abc12", row);
    assert.match(id, /^Abc12[\dA-Za-z]{7}$/);
    assert.equal(rowIdIn("Abc12", id), row);
    assert.equal(rowIdIn("Xyz12", id), undefined);
  }
});

test("publishing is refused", async (t) => {
  const { chat, url } = await startWithTopic(t);
  for (const [method, path] of [
    ["POST", ""],
    ["PUT", ""],
    ["GET", "/publish?message=hi"],
    ["GET", "/send"],
    ["GET", "/trigger"],
  ] as const) {
    const body = method === "GET" ? {} : { body: "hi" };
    assert.deepEqual(await answerOf(url + path, { method, ...body }), [403, FORBIDDEN], `${method} ${path}`);
  }
  assert.deepEqual(await answerOf(`${chat.url}/other`, { method: "PUT", body: "hi" }), [403, FORBIDDEN]);
  assert.equal((await fetch(`${chat.url}/admin`, { method: "POST" })).status, 404, "paths of pages are not topics");
  assert.deepEqual(await polledTexts(url), []);
});

test("wrong topics are limited, right ones are not", async (t) => {
  const { chat, url } = await startWithTopic(t, { rateLimit: "on" });
  const statuses = new Set<number>();
  for (let attempt = 0; attempt < 31; attempt += 1) statuses.add((await fetch(`${chat.url}/wrong/json`)).status);
  assert.deepEqual([...statuses], [403, 429]);
  const [, refusal] = await answerOf(`${chat.url}/wrong/json`);
  assert.deepEqual(refusal, { code: 42909, http: 429, error: "limit reached: too many auth failures" });
  assert.deepEqual(await answerOf(`${url}/auth`), [200, { success: true }]);
});

test("a test notification needs a topic", async (t) => {
  const { chat, url } = await startWithTopic(t);
  const { body, send } = { body: { device: "ntfy" }, send: chat.as("hamlet") };
  await send.patch("/settings", { quiet_until: Math.floor(Date.now() / 1000) + 3600 });
  const phone = await openPhone(t, `${url}/json`);
  assert.equal((await send.post("/users/me/notifications/test", body)).status, 200);
  assert.match(await nextText(phone), /Venice/);
  assert.equal(
    (await send.post("/users/me/notifications/test", { device: "web_push" })).reason,
    "no_notification_device",
  );
  assert.equal((await send.post("/users/me/notifications/test", { device: "pager" })).status, 400);
  await send.delete("/users/me/ntfy");
  assert.equal((await send.post("/users/me/notifications/test", body)).reason, "no_notification_device");
});

test("the person's pages learn of a change, other clients do not", async (t) => {
  const { chat } = await startWithTopic(t, { unwatched: true, operatorToken: "the operator's" });
  const page = { authorization: "Bearer the operator's" }; // acts as the owner
  const { queue_id } = await chat.anonymous("POST", "/register", {}, page);
  const client = await chat.register("desdemona");
  const { ntfy } = await chat.as("desdemona").post("/users/me/ntfy");
  const params = new URLSearchParams({ queue_id, last_event_id: "-1", dont_block: "true" });
  const { events } = await chat.anonymous("GET", `/events?${params}`, {}, page);
  assert.deepEqual(
    events.map(({ type, op }: { type: string; op: string }) => [type, op]),
    [["ntfy_topic", "update"]],
  );
  assert.equal(JSON.stringify(events).includes(ntfy.topic), false);
  assert.deepEqual(await client.events(), []);
});
