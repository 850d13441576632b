import assert from "node:assert/strict";
import test from "node:test";
import {
  deliveries,
  direct,
  json,
  lastIn,
  type Script,
  settled,
  startReceiver,
  startWebhook,
} from "../support/outgoing-webhook.ts";
import { until } from "../support/patience.ts";

/** Starts a response that never ends. */
const byteByByte: Script = (response) => {
  const timer = setInterval(() => response.write(" "), 100);
  response.once("close", () => clearInterval(timer));
};

test("retries temporary failures in order with the same ID", async (t) => {
  let now = Date.now();
  const receiver = await startReceiver(t, json({}, 503));
  const { chat, botId } = await startWebhook(t, receiver.url, { now: () => now });
  await direct(chat, botId, "one");
  await until(async () => (await deliveries(chat, botId))[0]?.attempts === 1 || undefined, "the first attempt");
  await direct(chat, botId, "two");
  receiver.script = json({});
  now += 10_000;
  await settled(chat, botId, 2);
  const bodies = receiver.received.map(({ body }) => JSON.parse(body).data);
  assert.deepEqual(bodies, ["one", "one", "two"]);
  const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
  assert.equal(ids[0], ids[1]);
  assert.notEqual(ids[1], ids[2]);
  assert.match((await lastIn(chat, "hamlet", [["is", "dm"]])).join(), /tried again for a day/);
});

test("a day of failures leaves a dead letter that can be replayed", async (t) => {
  let now = Date.now();
  const receiver = await startReceiver(t, json({}, 500));
  const { chat, botId } = await startWebhook(t, receiver.url, { now: () => now, unwatched: true });
  await direct(chat, botId, "one");
  for (let attempts = 1; attempts < 60; attempts += 1) {
    const [delivery] = await until(async () => {
      const all = await deliveries(chat, botId);
      return all[0].attempts >= attempts ? all : undefined;
    }, `attempt ${attempts}`);
    if (delivery.state === "failed") break;
    now += 3_600_000 * 1.3;
  }
  const [dead] = await deliveries(chat, botId, "failed");
  assert.equal(dead.status, 500);
  assert.match((await lastIn(chat, "hamlet", [["is", "dm"]])).join(), /was not delivered/);
  receiver.script = json({ content: "at last" });
  const replay = await chat.as("hamlet").post(`/host/bots/${botId}/deliveries/replay_failed`);
  assert.deepEqual([replay["replayed"], replay["has_more"]], [1, false]);
  const [done] = await settled(chat, botId, 1);
  assert.deepEqual([done.state, done.uid], ["delivered", dead.uid]);
});

test("does not retry a refusal", async (t) => {
  const receiver = await startReceiver(t, json({}, 400));
  const { chat, botId } = await startWebhook(t, receiver.url);
  await direct(chat, botId, "one");
  const [delivery] = await settled(chat, botId, 1);
  assert.deepEqual([delivery.state, delivery.status, delivery.attempts], ["failed", 400, 1]);
});

test("does not follow a redirect to a forbidden address", async (t) => {
  const receiver = await startReceiver(t);
  const { chat, botId } = await startWebhook(t, receiver.url);
  for (const [count, [location, words]] of (
    [
      ["http://127.0.0.2:9/", /127\.0\.0\.2/],
      ["http://169.254.169.254/latest/meta-data", /169\.254\.169\.254/],
      [chat.url, /127\.0\.0\.1/],
      ["file:///etc/passwd", /redirects to file,/],
    ] as const
  ).entries()) {
    receiver.script = (response) => void response.writeHead(307, { location }).end();
    if (location === chat.url) {
      const { port } = new URL(receiver.url);
      await chat.as("desdemona").patch("/host/settings", { WEBHOOK_ALLOWED_HOSTS: [`127.0.0.1:${port}`] });
    }
    await direct(chat, botId, "one");
    const [delivery] = await settled(chat, botId, count + 1);
    assert.equal(delivery.state, "failed");
    assert.match(delivery.error.msg, words, location);
  }
});

test("follows three redirects", async (t) => {
  const receiver = await startReceiver(t);
  const { chat, botId } = await startWebhook(t, receiver.url);
  let left = 3;
  receiver.script = (response) => {
    if (left-- > 0) response.writeHead(302, { location: receiver.url }).end();
    else response.end();
  };
  await direct(chat, botId, "one");
  assert.equal((await settled(chat, botId, 1))[0].state, "delivered");
  left = 4;
  await direct(chat, botId, "two");
  const [delivery] = await settled(chat, botId, 2);
  assert.match(delivery.error.msg, /redirects more than 3 times/);
});

test("slow, endless, huge and broken responses fail with an explanation", async (t) => {
  const receiver = await startReceiver(t);
  const { chat, botId } = await startWebhook(t, receiver.url, { testing: { webhookTimeoutMs: 400 } });
  const first = async () => (await deliveries(chat, botId))[0];
  const hanging: [Script, string][] = [
    [() => {}, "response_timeout"],
    [byteByByte, "response_timeout"],
    [(response) => void response.write("{"), "response_timeout"],
    [(response) => response.destroy(), "connection_closed"],
  ];
  for (const [script, reason] of hanging) {
    receiver.script = script;
    await direct(chat, botId, "one");
    const { error, state } = await until(
      async () => ((await first()).attempts > 0 ? first() : undefined),
      "an attempt",
    );
    assert.equal(error.reason, reason);
    assert.equal(state, "waiting");
    receiver.script = json({});
    const { id } = await first();
    chat.server.app.store.transact({ actor: null, action: "test" }, (tx) =>
      tx.run("UPDATE webhook_deliveries SET due_at = 0 WHERE id = ?", id),
    );
    await until(async () => (await first()).state === "delivered" || undefined, "the delivery");
  }
  receiver.script = (response) => void response.end(`{"content":"${"x".repeat(1_100_000)}"}`);
  await direct(chat, botId, "two");
  const huge = await until(async () => ((await first()).state === "failed" ? first() : undefined), "the refusal");
  assert.match(huge.error.msg, /larger than 1048576 bytes/);
});

test("notifies an owner of failures once a minute", async (t) => {
  const now = Date.now();
  const receiver = await startReceiver(t, json({}, 400));
  const { chat, botId } = await startWebhook(t, receiver.url, { now: () => now });
  for (let count = 1; count <= 4; count += 1) {
    await direct(chat, botId, "again");
    await settled(chat, botId, count);
  }
  const { messages } = await chat
    .as("hamlet")
    .get("/messages", { anchor: "newest", num_before: 20, narrow: [["is", "dm"]] });
  assert.equal(messages.filter(({ content }: any) => /was not delivered/.test(content)).length, 1);
});

const isTest = (body: string): boolean => JSON.parse(body).trigger === "test";

test("a test delivery neither waits for messages nor delays them", async (t) => {
  let now = Date.now();
  const receiver = await startReceiver(t, json({}, 503));
  const { chat, botId } = await startWebhook(t, receiver.url, { now: () => now });
  const sendTest = async () => (await chat.as("hamlet").post(`/host/bots/${botId}/test_delivery`))["delivery_id"];
  const reach = (id: number, what: (delivery: any) => boolean) =>
    until(async () => {
      const { delivery } = await chat.as("hamlet").get(`/host/bots/${botId}/deliveries/${id}`);
      return what(delivery) ? delivery : undefined;
    }, `the delivery ${id}`);
  await direct(chat, botId, "one");
  const [one] = await until(async () => {
    const all = await deliveries(chat, botId);
    return all[0]?.attempts > 0 ? all : undefined;
  }, "an attempt");
  const failing = await sendTest();
  await reach(failing, ({ attempts }) => attempts > 0);
  receiver.script = (response, received) => json({}, isTest(received.body) ? 200 : 503)(response, received);
  await reach(await sendTest(), ({ state }) => state === "delivered");
  assert.equal((await reach(one.id, () => true)).attempts, 1, "the message waits");
  const isFailing = async () => (await chat.as("hamlet").get(`/host/bots/${botId}`))["is_failing"];
  assert.equal(await isFailing(), true, "a test says nothing of it");
  receiver.script = (response, received) => json({}, isTest(received.body) ? 503 : 200)(response, received);
  now += 10_000;
  await reach(one.id, ({ state }) => state === "delivered");
  assert.equal(await isFailing(), false);
  await direct(chat, botId, "two");
  await until(async () => (await deliveries(chat, botId, "delivered")).length === 3 || undefined, "the second message");
  const { state, waits_for } = await reach(failing, () => true);
  assert.deepEqual([state, waits_for], ["waiting", null]);
});

test("bot managers retry or give up pending deliveries immediately", async (t) => {
  const now = Date.now();
  const receiver = await startReceiver(t, json({}, 503));
  const { chat, botId } = await startWebhook(t, receiver.url, { now: () => now });
  const path = `/host/bots/${botId}/deliveries`;
  const reach = (what: (all: any[]) => boolean) =>
    until(async () => {
      const all = (await deliveries(chat, botId)).toReversed();
      return what(all) ? all : undefined;
    }, "the deliveries");
  const bodies = () => receiver.received.map(({ body }) => JSON.parse(body).data);
  for (const content of ["one", "two", "three"]) await direct(chat, botId, content);
  const [one, two, three] = await reach(([first]) => first.attempts === 1);
  assert.deepEqual([one.waits_for, two.waits_for, three.waits_for], [null, one.id, one.id]);

  for (const call of [`${path}/${one.id}/try`, `${path}/try_waiting`, `${path}/${one.id}/give_up`])
    assert.equal((await chat.as("cordelia").post(call)).code, "UNAUTHORIZED_PRINCIPAL", call);
  const other = (await chat.as("iago").post("/bots", { full_name: "Other", short_name: "other" }))["user_id"];
  assert.equal((await chat.as("iago").post(`/host/bots/${other}/deliveries/${one.id}/give_up`)).status, 400);

  // A retry starts with earlier deliveries, and later ones follow.
  assert.equal((await chat.as("iago").post(`${path}/${two.id}/try`)).status, 200);
  await reach(([first]) => first.attempts === 2);
  assert.deepEqual(bodies(), ["one", "one"]);
  receiver.script = json({});
  assert.equal((await chat.as("iago").post(`${path}/try_waiting`))["waiting"], 3);
  await settled(chat, botId, 3);
  assert.deepEqual(bodies(), ["one", "one", "one", "two", "three"]);
  assert.equal((await chat.as("iago").post(`${path}/${two.id}/try`)).reason, "delivery_not_waiting");

  receiver.script = json({}, 503);
  for (const content of ["four", "five"]) await direct(chat, botId, content);
  const [, , , four, five] = await reach((all) => all[3].attempts === 1);
  assert.equal((await chat.as("hamlet").post(`${path}/${four.id}/give_up`)).status, 200);
  const [, , , dead] = await reach((all) => all[4].attempts === 1);
  assert.deepEqual([dead.state, dead.status], ["failed", 503]);
  assert.match(dead.error.msg, /^Canceled manually\. Last error: .* 503\.$/);
  await chat.as("hamlet").patch(`/host/bots/${botId}`, { is_paused: true });
  assert.equal((await chat.as("hamlet").post(`${path}/try_waiting`)).reason, "bot_paused");
  await chat.as("hamlet").patch(`/host/bots/${botId}`, { is_paused: false });
  receiver.script = json({});
  assert.equal((await chat.as("hamlet").post(`${path}/replay_failed`))["replayed"], 1);
  await chat.as("hamlet").post(`${path}/try_waiting`);
  await settled(chat, botId, 5);
  assert.deepEqual(bodies().slice(-2), ["four", "five"]);

  const { entries } = await chat.as("desdemona").get("/host/audit", { target: `user ${botId}` });
  const acts = entries.filter(({ action }: any) => /deliver/.test(action)).toReversed();
  assert.deepEqual(
    acts.map(({ actor, action, before, after }: any) => [actor.full_name, action, before ?? after]),
    [
      ["Iago", "try webhook deliveries now", { deliveries: [one.id] }],
      ["Iago", "try webhook deliveries now", { deliveries: [one.id] }],
      ["Hamlet", "give up webhook delivery", { delivery: four.id, message: four.message_id }],
      ["Hamlet", "try webhook deliveries now", { deliveries: [five.id] }],
    ],
  );
});

test("a delivery cancelled in progress is delivered or not retried", async (t) => {
  const receiver = await startReceiver(t);
  const { chat, botId } = await startWebhook(t, receiver.url);
  for (const [status, state] of [
    [200, "delivered"],
    [503, "failed"],
  ] as const) {
    const asked = new Promise<() => void>((resolve) => {
      receiver.script = (...received) => resolve(() => json({}, status)(...received));
    });
    await direct(chat, botId, "one");
    const answer = await asked;
    const [{ id }] = await deliveries(chat, botId);
    assert.equal((await chat.as("hamlet").post(`/host/bots/${botId}/deliveries/${id}/give_up`)).status, 200);
    assert.equal((await deliveries(chat, botId))[0].state, "failed");
    answer();
    const [delivery] = await until(async () => {
      const all = await deliveries(chat, botId);
      return all[0].attempts > 0 ? all : undefined;
    }, "the answer");
    assert.deepEqual([delivery.state, delivery.status], [state, status]);
  }
});
