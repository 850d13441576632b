import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import test, { type TestContext } from "node:test";
import { problem } from "../../server/errors.ts";
import { readAnswer } from "../../server/integrations/outgoing/answer.ts";
import {
  deliveries,
  direct,
  json,
  lastIn,
  type Script,
  say,
  settled,
  startReceiver,
  startWebhook,
} from "../support/outgoing-webhook.ts";
import { until } from "../support/patience.ts";

test("responses without text send nothing", async (t) => {
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

test("a byte order mark before the response does not matter", async (t) => {
  const script: Script = (response) => void response.end(`\uFEFF${JSON.stringify({ content: "marked" })}`);
  const receiver = await startReceiver(t, script);
  const { chat, botId } = await startWebhook(t, receiver.url);
  await direct(chat, botId, "go");
  await settled(chat, botId, 1);
  const [delivery] = (await deliveries(chat, botId)) as any[];
  assert.deepEqual([delivery.state, delivery.error, typeof delivery.reply_id], ["delivered", null, "number"]);
});

test("the owner learns of an unusable response, without retries", async (t) => {
  const receiver = await startReceiver(t);
  const { chat, botId } = await startWebhook(t, receiver.url);
  const bad: [Script, string][] = [
    [(response) => void response.end("<html>"), "response_not_json"],
    [json([1]), "response_not_object"],
    [json({ content: 7 }), "response_content_not_text"],
    [json({ content: "x", widget_content: "{" }), "response_widget_invalid"],
    [json({ content: "x".repeat(10_001) }), "response_content_too_long"],
  ];
  for (const [count, [script, reason]] of bad.entries()) {
    receiver.script = script;
    await direct(chat, botId, "again");
    const [delivery] = await settled(chat, botId, count + 1);
    assert.equal(delivery.state, "delivered");
    assert.equal(delivery.error.reason, reason);
  }
  assert.equal(receiver.received.length, bad.length);
  const [notice] = (await lastIn(chat, "hamlet", [["is", "dm"]])).slice(-1);
  assert.match(notice, /answer could not be used/);
  assert.doesNotMatch((await lastIn(chat, "cordelia", [["is", "dm"]])).join(), /could not be used/);
});

test("every response field may be null or of a wrong type", () => {
  const wrong = [0, 7, true, false, [], ["x"], {}, { content: "x" }];
  for (const name of ["content", "response_string", "text"]) {
    assert.equal(readAnswer(JSON.stringify({ [name]: null })), "nothing");
    assert.deepEqual(readAnswer(JSON.stringify({ [name]: "said" })), { content: "said" });
    for (const value of wrong)
      assert.deepEqual(readAnswer(JSON.stringify({ [name]: value })), { error: problem("response_content_not_text") });
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
  for (const value of odd) assert.deepEqual(withWidget(value), { error: problem("response_widget_invalid") });
  const long = { ...widget, extra_data: { ...widget.extra_data, heading: "x".repeat(10_000) } };
  assert.match(JSON.stringify(withWidget(long)), /response_widget_too_long/);
  const required = (response_not_required: unknown) =>
    readAnswer(JSON.stringify({ content: "x", response_not_required }));
  assert.equal(required(true), "nothing");
  for (const value of [null, false, 0, "true", [], {}]) assert.deepEqual(required(value), { content: "x" });
  for (const body of ["null", "7", '"x"', "[]", "true", "{", "\u0000", "{}x"])
    assert.ok(typeof readAnswer(body) === "object" && "error" in (readAnswer(body) as object), body);
});

test("invalid widgets and odd texts break nothing", async (t) => {
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

/** A receiver whose responses the test releases. */
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

test("does not post a response after the bot's deactivation", async (t) => {
  const { chat, botId, answer } = await startSlowWebhook(t);
  await direct(chat, botId, "one");
  const send = await answer();
  assert.equal((await chat.as("iago").delete(`/bots/${botId}`)).status, 200);
  send();
  const [delivery] = await settled(chat, botId, 1);
  assert.deepEqual([delivery.reply_id, delivery.error.reason], [null, "bot_deactivated_before_response"]);
  assert.doesNotMatch((await lastIn(chat, "cordelia", [["is", "dm"]])).join(), /too late/);
});

test("does not post a response to an archived channel or deleted message", async (t) => {
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
  assert.equal(archived.error.reason, "channel_archived");
});

test("a response goes where the bot may still post", async (t) => {
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
  assert.equal(delivery.error.reason, "channel_send_not_permitted");
});
