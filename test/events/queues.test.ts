import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import test from "node:test";
import { sleepMeter } from "../../server/chores/sleep.ts";
import type { Event } from "../../server/events/catalogue.ts";
import { Delivery } from "../../server/events/delivery.ts";
import { type Body, type Chat, type ChatOptions, type Registered, startChat } from "../support/chat.ts";
import { until } from "../support/patience.ts";

const MINUTE = 60_000;
const stage = { name: "stage", subscribers: ["hamlet", "othello"] };
const only = { event_types: ["message"], fetch_event_types: [] };

/** A chat whose clock only the test moves. */
async function startTimed(t: test.TestContext, options: ChatOptions = {}) {
  let now = Date.now();
  const chat = await startChat(t, { now: () => now, unwatched: true, channels: [stage], ...options });
  const pass = (ms: number) => {
    now += ms;
    chat.server.runChores();
  };
  return { chat, pass };
}

const say = async (chat: Chat, name: string, content: string, more: Record<string, unknown> = {}): Promise<number> => {
  const message = { type: "channel", to: "stage", topic: "plans", content, ...more };
  const answer = await chat.as(name).post("/messages", message);
  assert.equal(answer.result, "success", answer.msg);
  return answer["id"];
};

const poll = (chat: Chat, name: string, queue: { queueId: string }, params: Record<string, unknown> = {}) =>
  chat.as(name).get("/events", { queue_id: queue.queueId, ...params });

/** Starts a poll and waits until the server holds it. One at a time: it counts the polls that are held. */
async function hold(
  chat: Chat,
  name: string,
  queue: { queueId: string },
  params = {},
): Promise<{ answer: Promise<Body> }> {
  const { queues } = chat.server.app;
  const before = queues.waiting;
  const answer = poll(chat, name, queue, params);
  await until(() => (queues.waiting > before ? true : undefined), "the poll to be held");
  return { answer };
}

const contents = (events: any[]): string[] => events.map(({ message }) => message.content.replace(/<.*?>/g, ""));
const ids = (events: { id: number }[]): number[] => events.map(({ id }) => id);

/** Sends one person events in one transaction. */
const emit = async (chat: Chat, name: string, count: number, list: number[] = []) => {
  const event: Event = { type: "default_streams", default_streams: list };
  const users = [chat.ids[name] as number];
  const { store } = chat.server.app;
  store.transact({ actor: null, action: "test" }, (tx) => {
    for (let number = 0; number < count; number += 1) tx.emit(event, { users });
  });
  await store.durable();
};

const isGone = async (chat: Chat, name: string, queue: { queueId: string }): Promise<boolean> => {
  const answer = await poll(chat, name, queue, { dont_block: true });
  if (answer.result === "success") return false;
  assert.deepEqual([answer.status, answer["code"], answer["queue_id"]], [400, "BAD_EVENT_QUEUE_ID", queue.queueId]);
  return true;
};

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

test("acknowledged events never come back", async (t) => {
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

test("deleting a queue answers its held poll", async (t) => {
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

test("a heartbeat ends an idle poll after 45–55 seconds", async (t) => {
  const { chat, pass } = await startTimed(t);
  const { store, queues } = chat.server.app;
  const queue = await chat.register("hamlet", only);
  const other = await chat.register("othello", only);
  const before = await say(chat, "othello", "before");
  const last_event_id = ((await queue.events()).at(-1) as { id: number }).id;
  const { answer } = await hold(chat, "hamlet", queue, { last_event_id });
  for (let second = 0; second < 45; second += 1) pass(1000);
  assert.equal(queues.waiting, 1);
  const lastBefore = store.lastEventId;
  let seconds = 45;
  for (; seconds < 55 && store.lastEventId === lastBefore; seconds += 1) pass(1000);
  const { events } = await answer;
  assert.deepEqual(
    events.map(({ type }: { type: string }) => type),
    ["heartbeat"],
  );
  const [{ id: heartbeat }] = events;
  assert.ok(heartbeat > last_event_id);
  const after = await say(chat, "othello", "after");
  const next = (await poll(chat, "hamlet", queue, { last_event_id: heartbeat }))["events"];
  assert.deepEqual(contents(next), ["after"]);
  assert.ok(next[0].id > heartbeat);
  const theirs = await other.events();
  assert.deepEqual(
    ids(theirs.map((event: any) => event.message)),
    [before, after],
    "a heartbeat is for one queue only",
  );
});

test("a queue expires ten minutes after its last request", async (t) => {
  const { chat, pass } = await startTimed(t);
  const queue = await chat.register("hamlet", only);
  for (let time = 0; time < 3; time += 1) {
    pass(9 * MINUTE);
    assert.equal(await isGone(chat, "hamlet", queue), false);
  }
  pass(10 * MINUTE);
  assert.equal(chat.server.app.queues.count, 1);
  pass(MINUTE);
  assert.equal(chat.server.app.queues.count, 0);
  assert.equal(await isGone(chat, "hamlet", queue), true);
  await chat.restart();
  assert.equal(await isGone(chat, "hamlet", queue), true);
});

test("a queue's idle lifetime is capped at a week", async (t) => {
  const { chat, pass } = await startTimed(t);
  const hour = await chat.register("hamlet", { ...only, queue_lifespan_secs: 3600 });
  const week = await chat.register("hamlet", { ...only, queue_lifespan_secs: 604_800 });
  const short = await chat.register("hamlet", { ...only, queue_lifespan_secs: 5 });
  pass(9 * MINUTE);
  assert.equal(await isGone(chat, "hamlet", short), false, "ten minutes at least");
  pass(50 * MINUTE);
  assert.equal(await isGone(chat, "hamlet", short), true);
  assert.equal(await isGone(chat, "hamlet", hour), false);
  pass(62 * MINUTE);
  assert.equal(await isGone(chat, "hamlet", hour), true);
  pass(6 * 24 * 60 * MINUTE);
  assert.equal(await isGone(chat, "hamlet", week), false);
  pass(7 * 24 * 60 * MINUTE + 2 * MINUTE);
  assert.equal(await isGone(chat, "hamlet", week), true);
});

test("server downtime does not count as idle time", async (t) => {
  const { chat, pass } = await startTimed(t);
  const queue = await chat.register("hamlet", only);
  pass(9 * MINUTE);
  await chat.restart();
  pass(9 * MINUTE);
  assert.equal(chat.server.app.queues.count, 1);
  await say(chat, "othello", "still here");
  assert.deepEqual(contents(await queue.events()), ["still here"]);
});

test("the computer's sleep does not count as idle time", async (t) => {
  const { chat, pass } = await startTimed(t);
  const queue = await chat.register("hamlet", only);
  pass(9 * MINUTE);
  chat.server.app.queues.addSleep(8 * 60 * MINUTE);
  pass(8 * 60 * MINUTE);
  assert.equal(await isGone(chat, "hamlet", queue), false, "nobody could poll for eight hours");
  pass(11 * MINUTE);
  assert.equal(await isGone(chat, "hamlet", queue), true);

  let clock = 0;
  const slept = sleepMeter(1000, () => clock);
  const later = (ms: number) => {
    clock += ms;
    return slept();
  };
  assert.deepEqual([later(1000), later(5000), later(3_601_000), later(1000), later(-90_000)], [0, 0, 3_600_000, 0, 0]);
});

test("clients are told that the computer goes to sleep, and lose nothing by it", async (t) => {
  const { chat, pass } = await startTimed(t);
  const queue = await chat.register("hamlet", only);
  const other = await chat.register("othello", only);
  const { answer } = await hold(chat, "hamlet", queue);
  chat.server.app.queues.suspend();
  const told = await answer;
  assert.deepEqual([told.status, told["code"]], [503, "SERVER_NOT_READY"]);
  assert.equal((await poll(chat, "hamlet", queue)).status, 503, "nobody waits for a computer that sleeps");
  assert.equal((await poll(chat, "hamlet", queue, { dont_block: true })).status, 503, "nor finds it awake");
  await say(chat, "othello", "good night");
  const events = (await queue.events()) as { id: number }[];
  assert.deepEqual(contents(events), ["good night"], "what is there is given out");
  chat.server.wake();
  const again = await hold(chat, "hamlet", queue, { last_event_id: ids(events).at(-1) });
  await say(chat, "othello", "good morning");
  assert.deepEqual(contents(((await again.answer)["events"] as Event[]) ?? []), ["good morning"]);

  // One that was to sleep and did not.
  chat.server.app.queues.suspend();
  assert.equal((await poll(chat, "othello", other, { last_event_id: -1 })).status, 200, "it has events to fetch");
  pass(16_000);
  const held = await hold(chat, "hamlet", await chat.register("hamlet", only));
  await say(chat, "othello", "still up");
  assert.equal((await held.answer).status, 200);
});

test("a held poll keeps its queue alive", async (t) => {
  const { chat, pass } = await startTimed(t);
  const queue = await chat.register("hamlet", only);
  const { answer } = await hold(chat, "hamlet", queue);
  pass(11 * MINUTE);
  await answer;
  assert.equal(await isGone(chat, "hamlet", queue), false);
});

test("restarts neither lose nor repeat events", async (t) => {
  const { chat } = await startTimed(t);
  const queue = await chat.register("hamlet", only);
  const slow = await chat.register("hamlet", only);
  const heard: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    await say(chat, "othello", `${round} acknowledged`);
    heard.push(...contents(await queue.events()));
    await say(chat, "othello", `${round} not yet`);
    await chat.restart();
    await say(chat, "othello", `${round} after`);
    heard.push(...contents(await queue.events()));
  }
  heard.push(...contents(await queue.events()));
  const all = [0, 1, 2].flatMap((round) => [`${round} acknowledged`, `${round} not yet`, `${round} after`]);
  assert.deepEqual(heard, all);
  const events = await slow.events();
  assert.deepEqual(contents(events), all);
  assert.deepEqual(
    ids(events),
    [...new Set(ids(events))].sort((a, b) => a - b),
  );
});

test("an acknowledgement survives a restart", async (t) => {
  const { chat } = await startTimed(t);
  const queue = await chat.register("hamlet", only);
  await say(chat, "othello", "1");
  const [event] = (await poll(chat, "hamlet", queue))["events"];
  await poll(chat, "hamlet", queue, { last_event_id: event.id, dont_block: true });
  await chat.restart();
  assert.deepEqual((await poll(chat, "hamlet", queue, { dont_block: true }))["events"], []);
});

test("a client resumes polling after a restart", async (t) => {
  const { chat } = await startTimed(t);
  const queue = await chat.register("hamlet", only);
  const { answer } = await hold(chat, "hamlet", queue);
  const othello = await hold(chat, "othello", await chat.register("othello", only));
  const iago = await hold(chat, "iago", await chat.register("iago", only));
  await chat.restart();
  for (const held of [answer, othello.answer, iago.answer]) {
    const { status, events } = await held;
    assert.deepEqual([status, events], [200, []]);
  }
  await say(chat, "othello", "next");
  assert.deepEqual(contents(await queue.events()), ["next"]);
});

test("events evicted from memory are read from the log", async (t) => {
  const { chat } = await startTimed(t, { testing: { queueLimits: { recentEvents: 4, events: 3 } } });
  const queue = await chat.register("hamlet", only);
  const own = await chat.register("othello", { ...only, apply_markdown: false });
  const expected: string[] = [];
  for (let count = 0; count < 15; count += 1) {
    expected.push(`${count}`);
    await say(chat, "othello", `${count}`, { queue_id: own.queueId, local_id: `mine ${count}` });
  }
  const drain = async (registered: Registered) => {
    const events: any[] = [];
    for (;;) {
      const more = await registered.events();
      if (more.length === 0) return events;
      assert.ok(more.length <= 3);
      events.push(...more);
    }
  };
  const theirs = await drain(queue);
  assert.deepEqual(contents(theirs), expected);
  assert.ok(theirs.every(({ flags, local_id }) => flags.length === 0 && local_id === undefined));
  const mine = await drain(own);
  assert.deepEqual(contents(mine), expected);
  assert.deepEqual(
    mine.map(({ flags, local_id }) => [flags, local_id]),
    expected.map((count) => [["read"], `mine ${count}`]),
  );
  assert.deepEqual(ids(mine), ids(theirs), "an event has one id in all queues");
});

test("queues at the same position share one log read", async (t) => {
  const { chat } = await startTimed(t);
  const queues = await Promise.all(Array.from({ length: 20 }, () => chat.register("hamlet", only)));
  const expected = ["1", "2", "3"];
  for (const content of expected) await say(chat, "othello", content);
  await chat.restart();
  const { store } = chat.server.app;
  const { mock } = t.mock.method(store, "eventsInLog");
  for (const queue of queues) assert.deepEqual(contents(await queue.events()), expected);
  assert.ok(mock.callCount() <= 3, `${mock.callCount()} readings`);
});

test("a queue far behind reads the log in turns, and may stop to be asked for meanwhile", async (t) => {
  const { chat } = await startTimed(t, { testing: { queueLimits: { recentEvents: 4 } } });
  const { store, queues } = chat.server.app;
  const hamlet = chat.ids["hamlet"] as number;
  const queue = await chat.register("hamlet", only);
  for (let count = 0; count < 4; count += 1) await emit(chat, "hamlet", 1000);
  await say(chat, "othello", "at last");
  await emit(chat, "hamlet", 10);
  let turn = 0;
  const count = () => {
    turn += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  t.after(() => clearImmediate(counting));
  const turns: number[] = [];
  let revokes = true;
  const read = store.eventsInLog.bind(store);
  t.mock.method(store, "eventsInLog", (after: number, wanted: number) => {
    turns.push(turn);
    if (revokes && turns.length === 2) queues.releasePolls(hamlet);
    return read(after, wanted);
  });
  const first = queue.state["last_event_id"];
  assert.deepEqual((await poll(chat, "hamlet", queue, { last_event_id: first }))["events"], []);
  assert.equal(turns.length, 2, "nobody asks any more");
  revokes = false;
  assert.deepEqual(contents(await queue.events()), ["at last"]);
  assert.ok(turns.length >= 4, `${turns.length} reads`);
  assert.equal(new Set(turns).size, turns.length, "each in a turn of its own");
});

test("checkpoints keep log that a queue still needs", async (t) => {
  const { chat } = await startTimed(t, { testing: { queueLimits: { recentEvents: 2 } } });
  const queue = await chat.register("hamlet", only);
  const segments = () => readdirSync(join(chat.folder, "log")).length;
  const expected: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    for (let count = 0; count < 4; count += 1) {
      expected.push(`${round}.${count}`);
      await say(chat, "othello", `${round}.${count}`);
    }
    await chat.server.app.store.checkpoint();
    if (round === 2) await chat.restart();
  }
  const before = segments();
  assert.deepEqual(contents(await queue.events()), expected);
  await queue.events();
  for (let round = 0; round < 3; round += 1) {
    await say(chat, "othello", `late ${round}`);
    await queue.events();
    await queue.events();
    await chat.server.app.store.checkpoint();
  }
  assert.ok(segments() < before, `${segments()} of ${before} segments`);
  await chat.restart();
  assert.deepEqual(await queue.events(), []);
});

test("memory for events is limited by bytes too", async (t) => {
  const { chat } = await startTimed(t, { testing: { queueLimits: { recentBytes: 10_000 } } });
  const queue = await chat.register("hamlet", only);
  const long = Array.from({ length: 8 }, (_, count) => `${count} ${"x".repeat(2000)}`);
  for (const content of long) await say(chat, "othello", content);
  assert.deepEqual(contents(await queue.events()), long);
});

test("one answer contains at most 1,000 events", async (t) => {
  const { chat } = await startTimed(t);
  const queue = await chat.register("hamlet", { fetch_event_types: [] });
  await emit(chat, "hamlet", 2500);
  const counts: number[] = [];
  const seen: number[] = [];
  for (let events = await queue.events(); events.length > 0; events = await queue.events()) {
    counts.push(events.length);
    seen.push(...ids(events));
  }
  assert.deepEqual(counts, [1000, 1000, 500]);
  assert.deepEqual(
    seen,
    Array.from({ length: 2500 }, (_, index) => (seen[0] as number) + index),
  );
});

test("an answer holds 2 MB, or one larger event", async (t) => {
  const { chat } = await startTimed(t, { testing: { segmentSize: 16 << 20 } });
  const queue = await chat.register("hamlet", { fetch_event_types: [] });
  const bytes = (size: number) => Array.from({ length: size / 2 }, () => 1); // "1," each
  for (let count = 0; count < 5; count += 1) await emit(chat, "hamlet", 1, bytes(900_000));
  await emit(chat, "hamlet", 1, bytes(2_400_000));
  await emit(chat, "hamlet", 2);
  const counts: number[] = [];
  for (let events = await queue.events(); events.length > 0; events = await queue.events()) counts.push(events.length);
  assert.deepEqual(counts, [2, 2, 1, 1, 2]);
});

test("a queue too far behind is dropped alone", async (t) => {
  const { chat, pass } = await startTimed(t, { testing: { queueLimits: { eventsBehind: 100 } } });
  const [slow, quick, deaf] = [
    await chat.register("hamlet", only),
    await chat.register("hamlet", only),
    await chat.register("cordelia", only),
  ];
  await say(chat, "othello", "1");
  await emit(chat, "othello", 100);
  await quick.events();
  await quick.events(); // acknowledges the first answer
  await deaf.events();
  pass(MINUTE);
  assert.equal(await isGone(chat, "hamlet", slow), true);
  assert.equal(await isGone(chat, "hamlet", quick), false);
  assert.equal(await isGone(chat, "cordelia", deaf), false);
});

test("a stop answers held polls with no events", async (t) => {
  const { chat } = await startTimed(t);
  const names = ["hamlet", "othello", "polonius", "bot", "iago"];
  const held: { answer: Promise<Body> }[] = [];
  for (const name of names) held.push(await hold(chat, name, await chat.register(name, only)));
  assert.equal(chat.server.app.queues.waiting, names.length);
  const closed = chat.server.close();
  for (const { answer } of held) {
    const { status, events } = await answer;
    assert.deepEqual([status, events], [200, []]);
  }
  await closed;
});

test("only the sender's queue gets the local message ID", async (t) => {
  const { chat } = await startTimed(t);
  const [own, ownOther, theirs] = [
    await chat.register("hamlet", only),
    await chat.register("hamlet", only),
    await chat.register("othello", only),
  ];
  await say(chat, "hamlet", "x", { queue_id: own.queueId, local_id: "12.01" });
  const [[mine], [other], [foreign]] = [await own.events(), await ownOther.events(), await theirs.events()] as any[];
  assert.deepEqual([mine.local_id, mine.local_message_id], ["12.01", "12.01"]);
  for (const event of [other, foreign]) {
    assert.equal("local_id" in event, false);
    assert.equal("local_message_id" in event, false);
  }
  assert.deepEqual([mine.id, other.id], [foreign.id, foreign.id]);
});

test("a repeated send returns the first ID", async (t) => {
  const { chat, pass } = await startTimed(t);
  const queue = await chat.register("hamlet", { ...only, queue_lifespan_secs: 3600 });
  const origin = { queue_id: queue.queueId, local_id: "1" };
  const first = await say(chat, "hamlet", "x", origin);
  assert.equal(await say(chat, "hamlet", "x", origin), first);
  await chat.restart();
  assert.equal(await say(chat, "hamlet", "x", origin), first);
  pass(9 * MINUTE);
  assert.equal(await say(chat, "hamlet", "x", origin), first);
  const others = [
    await say(chat, "hamlet", "y", origin),
    await say(chat, "hamlet", "x", { ...origin, topic: "other" }),
    await say(chat, "hamlet", "x", { ...origin, local_id: "2" }),
    await say(chat, "hamlet", "x"),
  ];
  assert.equal(new Set([first, ...others]).size, 5);
  pass(2 * MINUTE);
  assert.notEqual(await say(chat, "hamlet", "x", origin), first);
  assert.equal((await queue.events()).length, 6);
  const { status } = await chat.as("hamlet").post("/messages", {
    type: "channel",
    ...{ to: "stage", topic: "t", content: "x", queue_id: queue.queueId },
  });
  assert.equal(status, 400, "queue_id without local_id");
});

test("each person gets their own message flags", async (t) => {
  const { chat } = await startTimed(t);
  const [sender, reader, outsider] = [
    await chat.register("hamlet", only),
    await chat.register("othello", only),
    await chat.register("cordelia", { ...only, all_public_streams: true }),
  ];
  await say(chat, "hamlet", "read by its sender");
  await say(chat, "hamlet", "news to its sender", { read_by_sender: false });
  const flags = async (queue: Registered) => (await queue.events()).map((event) => event["flags"]);
  assert.deepEqual(await flags(sender), [["read"], []]);
  assert.deepEqual(await flags(reader), [[], []]);
  // Messages are unread in subscribed channels only.
  const notReceived = ["read", "historical"];
  assert.deepEqual(await flags(outsider), [notReceived, notReceived]);
});

test("all queues share event order and IDs", async (t) => {
  const { chat } = await startTimed(t);
  const queues = await Promise.all(
    ["hamlet", "othello", "hamlet"].map((name) => chat.register(name, { fetch_event_types: [] })),
  );
  await Promise.all(Array.from({ length: 40 }, (_, n) => say(chat, n % 2 ? "hamlet" : "othello", `${n}`)));
  const streams = await Promise.all(queues.map((queue) => queue.events()));
  const [first] = streams as [any[]];
  const messageIds = first.filter(({ type }) => type === "message").map(({ message }) => message.id);
  assert.equal(messageIds.length, 40);
  assert.deepEqual(
    messageIds,
    [...messageIds].sort((a, b) => a - b),
  );
  for (const events of streams) {
    assert.deepEqual(
      ids(events),
      [...new Set(ids(events))].sort((a, b) => a - b),
    );
    // The person who starts the topic follows it, and only they get that event.
    const shared = (all: any[]) => ids(all.filter(({ type }) => type !== "user_topic"));
    assert.deepEqual(shared(events), shared(first));
  }
});

test("a client that reads slowly delays nobody", async (t) => {
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

test("an event's memory weight counts its texts and lists", () => {
  const weight = (event: object) => new Delivery({ id: 1, event, users: new Set([1]) } as never, () => "").weight;
  assert.ok(weight({ type: "update_message", message_ids: [1], content: "x".repeat(10_000) }) > 20_000);
  const messages = Array.from({ length: 10_000 }, (_, index) => index);
  assert.ok(weight({ type: "update_message_flags", messages }) > 80_000);
  assert.ok(weight({ type: "reminders", op: "add", reminders: [{ content: "x".repeat(10_000) }] }) > 20_000);
  assert.ok(weight({ type: "heartbeat" }) < 1000);
});
