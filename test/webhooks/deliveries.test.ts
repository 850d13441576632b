import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import test, { type TestContext } from "node:test";
import { botById } from "../../server/queries/bots.ts";
import { PageDamaged } from "../../server/storage/errors.ts";
import type { Value } from "../../server/storage/transaction.ts";
import { readAnswer } from "../../server/webhooks/answer.ts";
import { WRITE_AFTER_MS } from "../../server/webhooks/pump.ts";
import { type Chat, type ChatOptions, startChat } from "../support/chat.ts";
import { until } from "../support/patience.ts";

interface Received {
  headers: IncomingMessage["headers"];
  body: string;
}

type Script = (response: ServerResponse, received: Received) => void;

const json =
  (value: unknown, status = 200): Script =>
  (response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));

/** Begins an answer, and goes on with it for ever. */
const byteByByte: Script = (response) => {
  const timer = setInterval(() => response.write(" "), 100);
  response.once("close", () => clearInterval(timer));
};

/** A receiver that answers as the test says, and keeps what it got. */
async function startReceiver(t: TestContext, script: Script = json({})) {
  const received: Received[] = [];
  const receiver = { received, script, url: "" };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const one = { headers: request.headers, body: Buffer.concat(chunks).toString() };
      received.push(one);
      receiver.script(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}

/** A chat in which webhooks may reach this machine, with hamlet's outgoing webhook for the receiver. */
async function startWebhook(t: TestContext, url: string, options: ChatOptions & { interface?: number } = {}) {
  const chat = await startChat(t, { channels: [{ name: "stage", subscribers: ["hamlet", "cordelia"] }], ...options });
  await chat.as("desdemona").patch("/host/settings", { WEBHOOK_ALLOWED_HOSTS: ["127.0.0.1"] });
  const answer = await chat.as("hamlet").post("/bots", {
    full_name: "Echo",
    short_name: "echo",
    bot_type: 3,
    payload_url: JSON.stringify(url),
    interface_type: options.interface ?? 1,
  });
  assert.equal(answer.status, 200, answer.msg);
  return { chat, botId: answer["user_id"] as number };
}

const say = (chat: Chat, content: string, who = "cordelia") =>
  chat.as(who).post("/messages", { type: "channel", to: "stage", topic: "echo", content });
const direct = (chat: Chat, botId: number, content: string, who = "cordelia") =>
  chat.as(who).post("/messages", { type: "direct", to: [botId], content });

const deliveries = async (chat: Chat, botId: number, state?: string) =>
  (await chat.as("hamlet").get(`/host/bots/${botId}/deliveries`, state ? { state } : {}))["deliveries"];
const settled = (chat: Chat, botId: number, count: number) =>
  until(async () => {
    const all = await deliveries(chat, botId);
    return all.length === count && all.every(({ state }: any) => state !== "waiting") ? all : undefined;
  }, `${count} deliveries to be done`);

/** Contents that somebody read last in the channel's topic, or from the notification bot. */
const lastIn = async (chat: Chat, who: string, narrow: unknown) =>
  (await chat.as(who).get("/messages", { anchor: "newest", num_before: 3, narrow, apply_markdown: false }))[
    "messages"
  ].map(({ content }: any) => content);

test("a mention is delivered with its payload, and the answer becomes a message", async (t) => {
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
  assert.equal(payload.token, bot?.service?.token);
  assert.deepEqual(
    [payload.message.id, payload.message.content, payload.message.display_recipient, payload.message.subject],
    [id, "@**Echo** good *day*", "stage", "echo"],
  );
  assert.match(payload.message.rendered_content, /<em>day<\/em>/);
  const key = Buffer.from((bot?.service?.secret ?? "").replace("whsec_", ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const expected = createHmac("sha256", key).update(signed).digest("base64");
  assert.equal(headers["webhook-signature"], `v1,${expected}`);
  assert.equal(headers["webhook-id"], delivery.uid);
  assert.deepEqual([delivery.state, delivery.status, delivery.attempts], ["delivered", 200, 1]);
  assert.deepEqual((await lastIn(chat, "cordelia", [["channel", "stage"]])).at(-1), "heard you");
  const { delivery: whole } = await chat.as("hamlet").get(`/host/bots/${botId}/deliveries/${delivery.id}`);
  assert.equal(whole.request.includes(bot?.service?.token ?? "?"), false, "the token is not in the log");
  assert.equal(whole.answer, '{"content":"heard you"}');
});

test("a direct message is delivered and answered in its conversation", async (t) => {
  const receiver = await startReceiver(t, json({ response_string: "old name" }));
  const { chat, botId } = await startWebhook(t, receiver.url);
  await direct(chat, botId, "psst");
  await settled(chat, botId, 1);
  assert.equal(JSON.parse(receiver.received[0]?.body ?? "").trigger, "direct_message");
  assert.deepEqual(await lastIn(chat, "cordelia", [["dm", [botId]]]), ["psst", "old name"]);
});

test("the Slack-compatible form has Slack's fields", async (t) => {
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

test("what is not meant for a bot, or comes from one, is not delivered", async (t) => {
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

test("answers without a text send nothing", async (t) => {
  const receiver = await startReceiver(t);
  const { chat, botId } = await startWebhook(t, receiver.url);
  const silent: Script[] = [
    (response) => void response.writeHead(204).end(),
    (response) => void response.end(""),
    json({}),
    json({ content: null }),
    json({ content: "  " }),
    json({ response_not_required: true, content: "no" }),
  ];
  for (const script of silent) {
    receiver.script = script;
    const before = receiver.received.length;
    await direct(chat, botId, "again");
    await settled(chat, botId, before + 1);
  }
  const all = await deliveries(chat, botId);
  assert.deepEqual(
    all.map(({ state, error, reply_id }: any) => [state, error, reply_id]),
    silent.map(() => ["delivered", null, null]),
  );
});

test("an unusable answer is told to the owner, not retried", async (t) => {
  const receiver = await startReceiver(t);
  const { chat, botId } = await startWebhook(t, receiver.url);
  const bad: [Script, RegExp][] = [
    [(response) => void response.end("<html>"), /not JSON/],
    [json([1]), /no JSON object/],
    [json({ content: 7 }), /not a text/],
    [json({ content: "x", widget_content: "{" }), /widget_content/],
    [json({ content: "x".repeat(10_001) }), /too long/],
  ];
  for (const [count, [script, words]] of bad.entries()) {
    receiver.script = script;
    await direct(chat, botId, "again");
    const [delivery] = await settled(chat, botId, count + 1);
    assert.equal(delivery.state, "delivered");
    assert.match(delivery.error, words);
  }
  assert.equal(receiver.received.length, bad.length);
  const [notice] = (await lastIn(chat, "hamlet", [["is", "dm"]])).slice(-1);
  assert.match(notice, /answer could not be used/);
  assert.doesNotMatch((await lastIn(chat, "cordelia", [["is", "dm"]])).join(), /could not be used/);
});

test("every field of an answer may be null or of a wrong type", () => {
  const wrong = [0, 7, true, false, [], ["x"], {}, { content: "x" }];
  for (const name of ["content", "response_string", "text"]) {
    assert.equal(readAnswer(JSON.stringify({ [name]: null })), "nothing");
    assert.deepEqual(readAnswer(JSON.stringify({ [name]: "said" })), { content: "said" });
    for (const value of wrong)
      assert.deepEqual(readAnswer(JSON.stringify({ [name]: value })), { error: "The answer's content is not a text." });
  }
  const withWidget = (widget_content: unknown) => readAnswer(JSON.stringify({ content: "x", widget_content }));
  assert.deepEqual(withWidget(null), { content: "x" });
  const choice = { short_name: "y", long_name: "yes", reply: "yes" };
  const widget = { widget_type: "zform", extra_data: { type: "choices", heading: "Well?", choices: [choice] } };
  assert.deepEqual(withWidget(widget), { content: "x", widget });
  assert.deepEqual(withWidget(JSON.stringify(widget)), { content: "x", widget });
  const odd = [
    ...[0, 7, true, false, [], ["x"], "", "[]", "null", "7", "{", {}, { ...widget, widget_type: "poll" }],
    ...[null, 7, {}, { ...widget.extra_data, choices: 7 }].map((extra_data) => ({ ...widget, extra_data })),
    ...Object.keys(choice).map((name) => ({
      ...widget,
      extra_data: { ...widget.extra_data, choices: [{ ...choice, [name]: null }] },
    })),
  ];
  for (const value of odd)
    assert.deepEqual(withWidget(value), { error: "The answer's widget_content is no zform with choices." });
  const long = { ...widget, extra_data: { ...widget.extra_data, heading: "x".repeat(10_000) } };
  assert.match(JSON.stringify(withWidget(long)), /too long/);
  const required = (response_not_required: unknown) =>
    readAnswer(JSON.stringify({ content: "x", response_not_required }));
  assert.equal(required(true), "nothing");
  for (const value of [null, false, 0, "true", [], {}]) assert.deepEqual(required(value), { content: "x" });
  for (const body of ["null", "7", '"x"', "[]", "true", "{", "\u0000", "{}x"])
    assert.ok(typeof readAnswer(body) === "object" && "error" in (readAnswer(body) as object), body);
});

test("a widget that is none, and odd texts, break nothing", async (t) => {
  const receiver = await startReceiver(t);
  const { chat, botId } = await startWebhook(t, receiver.url);
  const odd: unknown[] = [
    { content: "x", widget_content: {} },
    { content: "x", widget_content: { widget_type: 7, extra_data: null } },
    { content: "x", widget_content: { widget_type: "poll", extra_data: { options: 3 } } },
    { content: "\u0000" },
    { content: "\ud800" },
    { content: "@**all** @**Iago** ".repeat(300) },
  ];
  for (const [count, answer] of odd.entries()) {
    receiver.script = json(answer);
    await direct(chat, botId, "again");
    const [delivery] = await settled(chat, botId, count + 1);
    assert.equal(delivery.state, "delivered", JSON.stringify(answer));
  }
  assert.equal(receiver.received.length, odd.length);
});

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

test("deliveries wait over a restart", async (t) => {
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

test("what waits for a paused bot is delivered as soon as the bot goes on", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] }); // nobody looks by the clock
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

test("a dead receiver holds up no other bot", async (t) => {
  const receiver = await startReceiver(t);
  const { chat, botId } = await startWebhook(t, receiver.url);
  const dead = await chat.as("hamlet").post("/bots", {
    full_name: "Dead",
    short_name: "dead",
    bot_type: 3,
    payload_url: '"http://127.0.0.1:1/"',
  });
  await direct(chat, dead["user_id"], "lost");
  await direct(chat, botId, "heard");
  await settled(chat, botId, 1);
  const [lost] = await until(async () => {
    const all = await deliveries(chat, dead["user_id"]);
    return all[0]?.attempts > 0 ? all : undefined;
  }, "an attempt");
  assert.deepEqual([lost.state, lost.error], ["waiting", "Nothing answers at this address."]);
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
  assert.match(delivery.error, /an administrator has to choose/);
});

test("a test delivery shows request and answer", async (t) => {
  const receiver = await startReceiver(t, json({ content: "not posted" }));
  const { chat, botId } = await startWebhook(t, receiver.url);
  const { delivery_id } = await chat.as("hamlet").post(`/host/bots/${botId}/test_delivery`);
  await settled(chat, botId, 1);
  const { delivery } = await chat.as("hamlet").get(`/host/bots/${botId}/deliveries/${delivery_id}`);
  assert.deepEqual([delivery.trigger, delivery.message_id, delivery.reply_id], ["test", null, null]);
  assert.match(delivery.request, /test delivery/);
});

/** A receiver that answers when the test says so. */
async function startSlowWebhook(t: TestContext) {
  const receiver = await startReceiver(t);
  const asked: ServerResponse[] = [];
  receiver.script = (response) => void asked.push(response);
  const { chat, botId } = await startWebhook(t, receiver.url);
  const answer = async () => {
    const response = await until(async () => asked.shift(), "the request");
    return () => json({ content: "too late" })(response, { headers: {}, body: "" });
  };
  return { chat, botId, answer };
}

test("an answer that comes after the bot's end is not posted", async (t) => {
  const { chat, botId, answer } = await startSlowWebhook(t);
  await direct(chat, botId, "one");
  const send = await answer();
  assert.equal((await chat.as("iago").delete(`/bots/${botId}`)).status, 200);
  send();
  const [delivery] = await settled(chat, botId, 1);
  assert.deepEqual([delivery.reply_id, delivery.error], [null, "The bot was deactivated before the answer came."]);
  assert.doesNotMatch((await lastIn(chat, "cordelia", [["is", "dm"]])).join(), /too late/);
});

test("an answer to an archived channel, or to a deleted message, is not posted", async (t) => {
  const { chat, botId, answer } = await startSlowWebhook(t);
  const { id } = await say(chat, "@**Echo** deleted");
  const toDeleted = await answer();
  assert.equal((await chat.as("iago").delete(`/messages/${id}`)).status, 200);
  toDeleted();
  const [deleted] = await settled(chat, botId, 1);
  assert.deepEqual([deleted.state, deleted.reply_id, deleted.error], ["delivered", null, null]);
  await say(chat, "@**Echo** archived");
  const toArchived = await answer();
  assert.equal((await chat.as("iago").delete(`/streams/${chat.ids["stage"]}`)).status, 200);
  toArchived();
  const [archived] = await settled(chat, botId, 2);
  assert.equal(archived.reply_id, null);
  assert.match(archived.error, /archived/);
});

test("an answer goes where the bot may still post when it comes", async (t) => {
  const { chat, botId, answer } = await startSlowWebhook(t);
  await say(chat, "@**Echo** closed");
  const send = await answer();
  const { realm_user_groups } = (await chat.register("iago")).state;
  const admins = realm_user_groups.find(({ name }) => name === "role:administrators")?.id;
  const closed = { can_send_message_group: JSON.stringify({ new: admins }) };
  assert.equal((await chat.as("iago").patch(`/streams/${chat.ids["stage"]}`, closed)).status, 200);
  send();
  const [delivery] = await settled(chat, botId, 1);
  assert.equal(delivery.reply_id, null);
  assert.match(delivery.error, /may not post/);
});

test("a bot that moves to another owner takes what waits along", async (t) => {
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

test("two webhooks that mention each other answer once", async (t) => {
  const receiver = await startReceiver(t, json({ content: "@**Echo** @**Other** hello" }));
  const { chat, botId } = await startWebhook(t, receiver.url);
  const other = await chat.as("hamlet").post("/bots", {
    full_name: "Other",
    short_name: "other",
    bot_type: 3,
    payload_url: JSON.stringify(receiver.url),
  });
  await say(chat, "@**Echo** @**Other** begin");
  await settled(chat, botId, 1);
  await settled(chat, other["user_id"], 1);
  assert.equal(receiver.received.length, 2);
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

/** Bots for one receiver, which answers when all of them have asked. */
async function startWebhooks(t: TestContext, answer: unknown, options: ChatOptions = {}) {
  const receiver = await startReceiver(t);
  const { chat, botId } = await startWebhook(t, receiver.url, options);
  const botIds = [botId];
  for (const name of ["second", "third", "fourth"]) {
    const fields = { full_name: name, short_name: name, bot_type: 3, payload_url: JSON.stringify(receiver.url) };
    botIds.push((await chat.as("hamlet").post("/bots", fields))["user_id"]);
  }
  const held: [ServerResponse, Received][] = [];
  const allAsk = new Promise<() => void>((resolve) => {
    receiver.script = (...asked) => {
      if (held.push(asked) < botIds.length) return;
      receiver.script = json({});
      resolve(() => {
        for (const each of held) json(answer)(...each);
      });
    };
  });
  return { chat, receiver, botIds, allAsk };
}

/** However slow the machine is, answers are waited for that come within 5 ms, and are written in a slice of 5 ms. */
function waitForAll(t: TestContext): void {
  const { setTimeout } = globalThis;
  const slowed = (run: () => void, ms?: number) => setTimeout(run, ms === WRITE_AFTER_MS ? 60_000 : ms);
  t.mock.method(globalThis, "setTimeout", slowed as typeof setTimeout);
  const now = performance.now();
  t.mock.method(performance, "now", () => now);
}

test("what came of several deliveries is written in one transaction", async (t) => {
  const { chat, botIds, allAsk } = await startWebhooks(t, { content: "heard" });
  for (const id of botIds) await direct(chat, id, "one");
  const answerAll = await allAsk;
  const { store } = chat.server.app;
  chat.server.runChores(); // else the minute's own record may come in between
  const before = store.seq;
  waitForAll(t);
  answerAll();
  for (const id of botIds) await settled(chat, id, 1);
  assert.equal(store.seq - before, 1);
  for (const id of botIds) assert.deepEqual(await lastIn(chat, "cordelia", [["dm", [id]]]), ["one", "heard"]);
});

test("what does not fit into one transaction is written one by one", async (t) => {
  // A record takes 64 kB: one of these answers, and not two.
  const content = "x".repeat(10_000);
  const { chat, botIds, allAsk } = await startWebhooks(t, { content }, { testing: { segmentSize: 256 << 10 } });
  for (const id of botIds) await direct(chat, id, content);
  (await allAsk)();
  for (const id of botIds) {
    const [delivery] = await settled(chat, id, 1);
    assert.deepEqual([delivery.state, delivery.attempts, delivery.error], ["delivered", 1, null]);
    assert.deepEqual(await lastIn(chat, "cordelia", [["dm", [id]]]), [content, content]);
  }
});

const pause = async (chat: Chat, botIds: readonly number[], is_paused: boolean) => {
  for (const id of botIds) assert.equal((await chat.as("hamlet").patch(`/host/bots/${id}`, { is_paused })).status, 200);
};

test("a message that cannot be read holds up its own bot only", async (t) => {
  const { chat, receiver, botIds } = await startWebhooks(t, {});
  receiver.script = json({});
  await pause(chat, botIds, true);
  const ids: number[] = [];
  for (const id of botIds) ids.push((await direct(chat, id, "one"))["id"]);
  const [first, ...others] = botIds as [number, ...number[]];
  const { reader } = chat.server.app.store;
  const { all } = reader;
  const damaged = t.mock.method(reader, "all", (sql: string, ...values: Value[]) => {
    if (/FROM messages JOIN recipients/.test(sql) && JSON.parse(String(values[0])).includes(ids[0]))
      throw new PageDamaged("hearth.db", 9);
    return all.call(reader, sql, ...values);
  });
  await pause(chat, botIds, false);
  for (const id of others) await settled(chat, id, 1);
  const [waits] = await deliveries(chat, first);
  assert.deepEqual([waits.state, waits.attempts, receiver.received.length], ["waiting", 0, others.length]);
  damaged.mock.restore();
  await settled(chat, first, 1);
  assert.equal(receiver.received.length, botIds.length);
});

test("a bot is not given a message that only another may still read", async (t) => {
  const receiver = await startReceiver(t);
  const { chat, botId } = await startWebhook(t, receiver.url);
  const fields = { full_name: "Other", short_name: "other", bot_type: 3, payload_url: JSON.stringify(receiver.url) };
  const other = (await chat.as("hamlet").post("/bots", fields))["user_id"];
  const subscribed = await chat.as("hamlet").post("/users/me/subscriptions", {
    subscriptions: [{ name: "backstage" }],
    principals: [chat.ids["cordelia"], botId, other],
    invite_only: true,
  });
  assert.equal(subscribed.status, 200, subscribed.msg);
  await pause(chat, [botId, other], true);
  const said = { type: "channel", to: "backstage", topic: "echo", content: "@**Echo** @**Other** quietly" };
  assert.equal((await chat.as("cordelia").post("/messages", said)).status, 200);
  const left = { subscriptions: ["backstage"], principals: [other] };
  assert.equal((await chat.as("iago").delete("/users/me/subscriptions", left)).status, 200);
  await pause(chat, [botId, other], false);
  const [heard] = await settled(chat, botId, 1);
  const [kept] = await settled(chat, other, 1);
  assert.deepEqual([heard.state, kept.state, kept.attempts], ["delivered", "failed", 0]);
  assert.deepEqual(
    receiver.received.map(({ body }) => JSON.parse(body).bot_full_name),
    ["Echo"],
  );
});
