import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { Delivery } from "../../server/events/recent.ts";
import type { Registered } from "../support/chat.ts";
import { contents, emit, ids, isGone, MINUTE, only, poll, say, startTimed } from "../support/event-polls.ts";

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

test("a queue far behind reads the log in turns and pauses in between", async (t) => {
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

test("one response contains at most 1,000 events", async (t) => {
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

test("a response contains 2 MB, or one larger event", async (t) => {
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

test("only a queue that is too far behind is dropped", async (t) => {
  const { chat, pass } = await startTimed(t, { testing: { queueLimits: { eventsBehind: 100 } } });
  const [slow, quick, deaf] = [
    await chat.register("hamlet", only),
    await chat.register("hamlet", only),
    await chat.register("cordelia", only),
  ];
  await say(chat, "othello", "1");
  await emit(chat, "othello", 100);
  await quick.events();
  await quick.events(); // acknowledges the first response
  await deaf.events();
  pass(MINUTE);
  assert.equal(await isGone(chat, "hamlet", slow), true);
  assert.equal(await isGone(chat, "hamlet", quick), false);
  assert.equal(await isGone(chat, "cordelia", deaf), false);
});

test("an event's memory weight counts its texts and lists", () => {
  const weight = (event: object) =>
    new Delivery({ id: 1, event, users: new Set([1]) } as never, { keyOf: () => "", tokenOf: () => "" }).weight;
  assert.ok(weight({ type: "update_message", message_ids: [1], content: "x".repeat(10_000) }) > 20_000);
  const messages = Array.from({ length: 10_000 }, (_, index) => index);
  assert.ok(weight({ type: "update_message_flags", messages }) > 80_000);
  assert.ok(weight({ type: "reminders", op: "add", reminders: [{ content: "x".repeat(10_000) }] }) > 20_000);
  assert.ok(weight({ type: "heartbeat" }) < 1000);
});
