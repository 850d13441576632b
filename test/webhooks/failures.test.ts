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

/** Begins an answer, and goes on with it for ever. */
const byteByByte: Script = (response) => {
  const timer = setInterval(() => response.write(" "), 100);
  response.once("close", () => clearInterval(timer));
};

test("failures that may pass are retried in order, under the same id", async (t) => {
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

test("a day of failures ends in a dead letter that can be replayed", async (t) => {
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

test("a refusal is not retried", async (t) => {
  const receiver = await startReceiver(t, json({}, 400));
  const { chat, botId } = await startWebhook(t, receiver.url);
  await direct(chat, botId, "one");
  const [delivery] = await settled(chat, botId, 1);
  assert.deepEqual([delivery.state, delivery.status, delivery.attempts], ["failed", 400, 1]);
});

test("a redirect to a forbidden address is not followed", async (t) => {
  const receiver = await startReceiver(t);
  const { chat, botId } = await startWebhook(t, receiver.url);
  for (const [count, [location, words]] of (
    [
      ["http://127.0.0.2:9/", /127\.0\.0\.2/],
      ["http://169.254.169.254/latest/meta-data", /169\.254\.169\.254/],
      [chat.url, /Hearth itself|127\.0\.0\.1/],
      ["file:///etc/passwd", /file:/],
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
    assert.match(delivery.error, words, location);
  }
});

test("redirects are followed three times", async (t) => {
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
  assert.match(delivery.error, /redirects more than 3 times/);
});

test("slow, endless, huge and broken answers fail in words", async (t) => {
  const receiver = await startReceiver(t);
  const { chat, botId } = await startWebhook(t, receiver.url, { testing: { webhookTimeoutMs: 400 } });
  const first = async () => (await deliveries(chat, botId))[0];
  const hanging: [Script, RegExp][] = [
    [() => {}, /within 0\.4 seconds/],
    [byteByByte, /within 0\.4 seconds/],
    [(response) => void response.write("{"), /within 0\.4 seconds/],
    [(response) => response.destroy(), /closed before an answer/],
  ];
  for (const [script, words] of hanging) {
    receiver.script = script;
    await direct(chat, botId, "one");
    const { error, state } = await until(
      async () => ((await first()).attempts > 0 ? first() : undefined),
      "an attempt",
    );
    assert.match(error, words);
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
  assert.match(huge.error, /larger than 1048576 bytes/);
});

test("an owner is told of failures once a minute", async (t) => {
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
