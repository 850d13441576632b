import assert from "node:assert/strict";
import { connect } from "node:net";
import test from "node:test";
import { contents, emit, hold, ids, isGone, only, poll, say, startTimed } from "../support/event-polls.ts";
import { until } from "../support/patience.ts";

test("a poll waits unless dont_block is set", async (t) => {
  const { chat } = await startTimed(t);
  const queue = await chat.register("hamlet", only);
  const empty = await poll(chat, "hamlet", queue, { dont_block: true });
  assert.deepEqual([empty.status, empty["events"], empty["queue_id"]], [200, [], queue.queueId]);
  const { answer } = await hold(chat, "hamlet", queue);
  const id = await say(chat, "othello", "hello");
  const { events, status, msg } = await answer;
  assert.deepEqual([status, msg, ids(events.map((event: any) => event.message))], [200, "", [id]]);
  assert.equal(chat.server.app.queues.waiting, 0);
});

test("unwanted events leave a poll waiting", async (t) => {
  const { chat } = await startTimed(t);
  const queue = await chat.register("cordelia", only);
  const { answer } = await hold(chat, "cordelia", queue);
  for (let count = 0; count < 3; count += 1) await say(chat, "othello", "not for you");
  assert.equal(chat.server.app.queues.waiting, 1);
  await chat.as("othello").post("/messages", { type: "direct", to: [chat.ids["cordelia"]], content: "for you" });
  assert.deepEqual(contents((await answer)["events"]), ["for you"]);
});

test("acknowledged events never return", async (t) => {
  const { chat } = await startTimed(t);
  const queue = await chat.register("hamlet", only);
  for (const content of ["1", "2", "3"]) await say(chat, "othello", content);
  const ask = async (params: Record<string, unknown> = {}) =>
    (await poll(chat, "hamlet", queue, { dont_block: true, ...params }))["events"];
  const all = await ask();
  assert.deepEqual(contents(all), ["1", "2", "3"]);
  const [first, second, third] = ids(all) as [number, number, number];
  assert.deepEqual(contents(await ask()), ["1", "2", "3"], "without last_event_id nothing is acknowledged");
  assert.deepEqual(contents(await ask({ last_event_id: first })), ["2", "3"]);
  assert.deepEqual(contents(await ask({ last_event_id: queue.state["last_event_id"] })), ["2", "3"], "below");
  assert.deepEqual(contents(await ask({ last_event_id: -1 })), ["2", "3"], "as old clients begin");
  assert.deepEqual(contents(await ask()), ["2", "3"], "missing: the highest acknowledged");
  assert.deepEqual(contents(await ask({ last_event_id: second })), ["3"]);
  assert.deepEqual(await ask({ last_event_id: third }), []);
  assert.deepEqual(await ask({ last_event_id: first }), []);
});

test("a future last_event_id is rejected and acknowledges nothing", async (t) => {
  const { chat } = await startTimed(t);
  const queue = await chat.register("hamlet", only);
  await say(chat, "othello", "1");
  const ahead = await poll(chat, "hamlet", queue, { last_event_id: chat.server.app.store.lastEventId + 1 });
  assert.deepEqual([ahead.status, ahead["code"]], [400, "BAD_REQUEST"]);
  assert.match(ahead.msg, /last_event_id/);
  for (const last_event_id of ["x", "1.5", "-2"]) {
    const wrong = await poll(chat, "hamlet", queue, { last_event_id });
    assert.equal(wrong.status, 400);
    assert.match(wrong.msg, /last_event_id/);
  }
  assert.deepEqual(contents(await queue.events()), ["1"]);
});

test("polling without a queue registers one", async (t) => {
  const { chat } = await startTimed(t);
  const answer = await chat.as("hamlet").get("/events", { ...only, apply_markdown: false });
  assert.equal(answer.result, "success", answer.msg);
  assert.deepEqual(answer["events"], []);
  assert.equal(answer["realm_users"], undefined);
  await say(chat, "othello", "**now**");
  const last_event_id = answer["last_event_id"];
  const { events } = await poll(chat, "hamlet", { queueId: answer["queue_id"] }, { last_event_id });
  assert.deepEqual(contents(events), ["**now**"]);
});

test("a queue looks missing to everyone but its owner", async (t) => {
  const { chat } = await startTimed(t);
  const queue = await chat.register("hamlet", only);
  assert.equal(await isGone(chat, "othello", queue), true);
  assert.equal(await isGone(chat, "desdemona", queue), true);
  const deletion = await chat.as("othello").delete("/events", { queue_id: queue.queueId });
  assert.deepEqual([deletion.status, deletion["code"]], [400, "BAD_EVENT_QUEUE_ID"]);
  assert.equal(await isGone(chat, "hamlet", { queueId: "no such queue" }), true);
  assert.equal(await isGone(chat, "hamlet", queue), false);
});

test("deleting a queue ends its held poll", async (t) => {
  const { chat } = await startTimed(t);
  const queue = await chat.register("hamlet", only);
  const remaining = await chat.register("hamlet", only);
  const { answer } = await hold(chat, "hamlet", queue);
  const deletion = await chat.as("hamlet").delete("/events", { queue_id: queue.queueId });
  assert.deepEqual([deletion.status, deletion.result, deletion.msg], [200, "success", ""]);
  assert.deepEqual((await answer)["events"], []);
  assert.equal(await isGone(chat, "hamlet", queue), true);
  const twice = await chat.as("hamlet").delete("/events", { queue_id: queue.queueId });
  assert.deepEqual([twice.status, twice["code"], twice["queue_id"]], [400, "BAD_EVENT_QUEUE_ID", queue.queueId]);
  assert.equal((await chat.as("hamlet").delete("/events", {}))["code"], "REQUEST_VARIABLE_MISSING");
  await chat.restart();
  assert.equal(await isGone(chat, "hamlet", queue), true);
  assert.equal(await isGone(chat, "hamlet", remaining), false);
});

test("a second poll replaces the first, which returns empty", async (t) => {
  const { chat } = await startTimed(t);
  const queue = await chat.register("hamlet", only);
  const first = await hold(chat, "hamlet", queue);
  const second = poll(chat, "hamlet", queue);
  assert.deepEqual((await first.answer)["events"], []);
  await until(() => (chat.server.app.queues.waiting === 1 ? true : undefined), "the second poll to be held");
  await say(chat, "othello", "once");
  assert.deepEqual(contents((await second)["events"]), ["once"]);
});

test("a disconnected caller frees the poll without losing events", async (t) => {
  const { chat } = await startTimed(t);
  const queue = await chat.register("hamlet", only);
  const { queues } = chat.server.app;
  const { email, key } = chat.as("hamlet");
  const gone = new AbortController();
  const headers = { authorization: `Basic ${btoa(`${email}:${key}`)}` };
  const held = fetch(`${chat.url}/api/v1/events?queue_id=${queue.queueId}`, { headers, signal: gone.signal });
  await until(() => (queues.waiting === 1 ? true : undefined), "the poll to be held");
  gone.abort();
  await assert.rejects(held);
  await until(() => (queues.waiting === 0 ? true : undefined), "the poll to be freed");
  await say(chat, "othello", "missed");
  assert.deepEqual(contents(await queue.events()), ["missed"]);
});

test("a slow reader delays nobody", async (t) => {
  const { chat } = await startTimed(t, { testing: { segmentSize: 16 << 20 } });
  const { queueId } = await chat.register("hamlet", { fetch_event_types: [] });
  const prompt = await chat.register("othello", only);
  const large = Array.from({ length: 900_000 }, () => 1);
  await emit(chat, "hamlet", 2, large);
  const { email, key } = chat.as("hamlet");
  const deaf = connect(Number(new URL(chat.url).port), "127.0.0.1");
  t.after(() => deaf.destroy());
  deaf.pause();
  const authorization = `Basic ${btoa(`${email}:${key}`)}`;
  const request = `GET /api/v1/events?queue_id=${queueId}&dont_block=true HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n\r\n`;
  deaf.write(request.repeat(10));
  for (const content of ["1", "2", "3"]) {
    await say(chat, "hamlet", content);
    assert.deepEqual(contents(await prompt.events()), [content]);
  }
});

test("a failing queue is dropped while others get events", async (t) => {
  const errors: string[] = [];
  const { chat } = await startTimed(t, { logger: { error: (message: string) => void errors.push(message) } });
  const [broken, healthy] = [await chat.register("hamlet", only), await chat.register("othello", only)];
  const queue = chat.server.app.queues.queueOf(chat.ids["hamlet"] as number, broken.queueId);
  queue.wants = () => {
    throw new Error("a bug in a filter");
  };
  const held = chat
    .as("hamlet")
    .get("/events", { queue_id: broken.queueId, last_event_id: broken.state["last_event_id"] });
  while (chat.server.app.queues.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
  await say(chat, "othello", "still here");
  assert.deepEqual((await held)["events"], []);
  assert.deepEqual(contents(await healthy.events()), ["still here"]);
  assert.equal((await chat.as("hamlet").get("/events", { queue_id: broken.queueId }))["code"], "BAD_EVENT_QUEUE_ID");
  assert.equal(errors.length, 1);
  assert.match(errors[0] as string, new RegExp(broken.queueId));
});
