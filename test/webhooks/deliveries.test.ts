import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import test from "node:test";
import { openedSecrets } from "../../server/api/access/bots.ts";
import { type Bot, botById } from "../../server/api/queries/bots.ts";
import {
  direct,
  json,
  lastIn,
  type Received,
  say,
  settled,
  startReceiver,
  startWebhook,
} from "../support/outgoing-webhook.ts";
import { until } from "../support/patience.ts";

test("delivers a mention and sends the response as a message", async (t) => {
  const receiver = await startReceiver(t, json({ content: "heard you" }));
  const { chat, botId } = await startWebhook(t, receiver.url);
  const { id } = await say(chat, "@**Echo** good *day*");
  const [delivery] = await settled(chat, botId, 1);
  const [{ headers, body }] = receiver.received as [Received];
  const payload = JSON.parse(body);
  const bot = botById(chat.server.app.store.reader, botId);
  assert.equal(payload.bot_full_name, "Echo");
  assert.equal(payload.data, "@**Echo** good *day*");
  assert.equal(payload.trigger, "mention");
  const secrets = openedSecrets(chat.server.app.webhookSecrets, bot as Bot);
  assert.equal(payload.token, secrets.token);
  assert.deepEqual(
    [payload.message.id, payload.message.content, payload.message.display_recipient, payload.message.subject],
    [id, "@**Echo** good *day*", "stage", "echo"],
  );
  assert.match(payload.message.rendered_content, /<em>day<\/em>/);
  const key = Buffer.from((secrets.signing_secret ?? "").replace("whsec_", ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const expected = createHmac("sha256", key).update(signed).digest("base64");
  assert.equal(headers["webhook-signature"], `v1,${expected}`);
  assert.equal(headers["webhook-id"], delivery.uid);
  assert.deepEqual([delivery.state, delivery.status, delivery.attempts], ["delivered", 200, 1]);
  assert.deepEqual((await lastIn(chat, "cordelia", [["channel", "stage"]])).at(-1), "heard you");
  const { delivery: whole } = await chat.as("hamlet").get(`/host/bots/${botId}/deliveries/${delivery.id}`);
  assert.equal(whole.request.includes(secrets.token ?? "?"), false, "the token is not in the log");
  assert.equal(whole.answer, '{"content":"heard you"}');
});

test("delivers the empty topic by its display name and responds in it", async (t) => {
  const receiver = await startReceiver(t, json({ content: "heard you" }));
  const { chat, botId } = await startWebhook(t, receiver.url);
  await chat.as("cordelia").post("/messages", { type: "channel", to: "stage", topic: "", content: "@**Echo** hello" });
  await settled(chat, botId, 1);
  assert.equal(JSON.parse(receiver.received[0]?.body ?? "").message.subject, "general chat");
  assert.deepEqual(await lastIn(chat, "cordelia", [["topic", ""]]), ["@**Echo** hello", "heard you"]);
});

test("delivers a direct message and responds in its conversation", async (t) => {
  const receiver = await startReceiver(t, json({ response_string: "old name" }));
  const { chat, botId } = await startWebhook(t, receiver.url);
  await direct(chat, botId, "psst");
  await settled(chat, botId, 1);
  assert.equal(JSON.parse(receiver.received[0]?.body ?? "").trigger, "direct_message");
  assert.deepEqual(await lastIn(chat, "cordelia", [["dm", [botId]]]), ["psst", "old name"]);
});

test("the Slack-compatible format has Slack's fields", async (t) => {
  const receiver = await startReceiver(t, json({ text: "from slack" }));
  const { chat, botId } = await startWebhook(t, receiver.url, { interface: 2 });
  await say(chat, "@**Echo** hello");
  await settled(chat, botId, 1);
  const [{ headers, body }] = receiver.received as [Received];
  assert.equal(headers["content-type"], "application/x-www-form-urlencoded");
  const fields = new URLSearchParams(body);
  assert.deepEqual([fields.get("channel_name"), fields.get("user_name")], ["stage", "Cordelia"]);
  assert.equal(fields.get("text"), "@**Echo** hello");
  assert.equal(fields.get("trigger_word"), "@**Echo**");
  assert.deepEqual((await lastIn(chat, "cordelia", [["channel", "stage"]])).at(-1), "from slack");
});

test("does not deliver messages from bots or without mention", async (t) => {
  const receiver = await startReceiver(t);
  const { chat, botId } = await startWebhook(t, receiver.url);
  await say(chat, "nobody in particular");
  await say(chat, "@_**Echo** silently");
  await say(chat, "@**all** of you");
  await direct(chat, botId, "from a bot", "bot");
  await direct(chat, botId, "from a person");
  await settled(chat, botId, 1);
  assert.deepEqual(
    receiver.received.map(({ body }) => JSON.parse(body).data),
    ["from a person"],
  );
});

test("deliveries survive a restart", async (t) => {
  const receiver = await startReceiver(t);
  const { chat, botId } = await startWebhook(t, receiver.url);
  chat.server.app.store.transact({ actor: null, action: "test" }, (tx) =>
    tx.run("UPDATE bots SET is_paused = 1 WHERE user_id = ?", botId),
  );
  for (const content of ["one", "two", "three"]) await direct(chat, botId, content);
  await chat.restart();
  assert.equal(receiver.received.length, 0, "a paused bot delivers nothing");
  chat.server.app.store.transact({ actor: null, action: "test" }, (tx) =>
    tx.run("UPDATE bots SET is_paused = 0 WHERE user_id = ?", botId),
  );
  await settled(chat, botId, 3);
  assert.deepEqual(
    receiver.received.map(({ body }) => JSON.parse(body).data),
    ["one", "two", "three"],
  );
});

test("delivers pending messages when a bot resumes", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] }); // no timer triggers deliveries
  const receiver = await startReceiver(t);
  const { chat, botId } = await startWebhook(t, receiver.url);
  const pause = (is_paused: boolean) => chat.as("hamlet").patch(`/host/bots/${botId}`, { is_paused });
  await pause(true);
  for (const text of ["first", "second"]) await direct(chat, botId, text);
  assert.equal(receiver.received.length, 0);
  await pause(false);
  await settled(chat, botId, 2);
  assert.deepEqual(
    receiver.received.map(({ body }) => JSON.parse(body).data),
    ["first", "second"],
  );
});

test("a demoted administrator's webhook loses the local network", async (t) => {
  const { chat } = await startWebhook(t, "https://hooks.example.com/");
  const made = await chat.as("iago").post("/bots", {
    full_name: "Inside",
    short_name: "inside",
    bot_type: 3,
    payload_url: '"http://10.255.255.1/"',
  });
  assert.equal(made.status, 200, made.msg);
  await chat.as("desdemona").patch(`/users/${chat.ids["iago"]}`, { role: 400 });
  await chat.as("cordelia").post("/messages", { type: "direct", to: [made["user_id"]], content: "x" });
  const [delivery] = await until(async () => {
    const answer = await chat.as("desdemona").get(`/host/bots/${made["user_id"]}/deliveries`);
    return answer["deliveries"][0]?.attempts > 0 ? answer["deliveries"] : undefined;
  }, "an attempt");
  assert.equal(delivery.error.reason, "webhook_address_is_local");
});

test("a test delivery shows request and response", async (t) => {
  const receiver = await startReceiver(t, json({ content: "not posted" }));
  const { chat, botId } = await startWebhook(t, receiver.url);
  const { delivery_id } = await chat.as("hamlet").post(`/host/bots/${botId}/test_delivery`);
  await settled(chat, botId, 1);
  const { delivery } = await chat.as("hamlet").get(`/host/bots/${botId}/deliveries/${delivery_id}`);
  assert.deepEqual([delivery.trigger, delivery.message_id, delivery.reply_id], ["test", null, null]);
  assert.match(delivery.request, /test delivery/);
});

test("a bot with a new owner keeps its pending deliveries", async (t) => {
  const receiver = await startReceiver(t);
  const { chat, botId } = await startWebhook(t, receiver.url);
  const pause = (who: string, is_paused: boolean) => chat.as(who).patch(`/host/bots/${botId}`, { is_paused });
  await pause("hamlet", true);
  await direct(chat, botId, "one");
  assert.equal((await chat.as("hamlet").patch(`/bots/${botId}`, { bot_owner_id: chat.ids["othello"] })).status, 200);
  for (const path of ["", "/deliveries", "/receipts", "/zuliprc"])
    assert.equal((await chat.as("hamlet").get(`/host/bots/${botId}${path}`)).code, "UNAUTHORIZED_PRINCIPAL", path);
  assert.equal((await pause("hamlet", false)).status, 400);
  assert.equal((await pause("othello", false)).status, 200);
  const [delivery] = await until(async () => {
    const { deliveries: all } = await chat.as("othello").get(`/host/bots/${botId}/deliveries`);
    return all[0].state === "delivered" ? all : undefined;
  }, "the delivery");
  assert.equal(delivery.attempts, 1);
  assert.equal((await chat.as("cordelia").get(`/host/bots/${botId}/deliveries/${delivery.id}`)).status, 400);
});
