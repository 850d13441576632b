import assert from "node:assert/strict";
import test from "node:test";
import { sleepMeter } from "../../server/chores/chores.ts";
import type { Event } from "../../server/events/catalogue.ts";
import { startChat } from "../support/chat.ts";
import { contents, hold, ids, isGone, MINUTE, only, poll, say, startTimed } from "../support/event-polls.ts";

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

test("idle_queue_timeout sets the lifetime", async (t) => {
  const { chat, pass } = await startTimed(t);
  const start = async (idle_queue_timeout: unknown) => {
    const queue = await chat.register("hamlet", { ...only, idle_queue_timeout });
    return { queue, seconds: queue.state.idle_queue_timeout_secs };
  };
  const phone = await start("mobile");
  for (const [given, seconds] of [
    ['"mobile"', 43_200],
    [undefined, 600],
    [0, 600],
    [3600, 3600],
    [604_801, 604_800],
  ])
    assert.equal((await start(given)).seconds, seconds, String(given));
  assert.equal(phone.seconds, 43_200);
  pass(11 * 60 * MINUTE);
  assert.equal(await isGone(chat, "hamlet", phone.queue), false);
  pass(12 * 60 * MINUTE + MINUTE);
  assert.equal(await isGone(chat, "hamlet", phone.queue), true);
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
  chat.server.app.queues.afterSleep(8 * 60 * MINUTE);
  pass(8 * 60 * MINUTE);
  assert.equal(await isGone(chat, "hamlet", queue), false, "nobody could poll for eight hours");
  pass(11 * MINUTE);
  assert.equal(await isGone(chat, "hamlet", queue), true);
});

test("sleep counts only as far as the monotonic clock counted it", () => {
  const time = { wall: 0, monotonic: 0 };
  const countedSleep = sleepMeter(1000, { now: () => time.wall, monotonic: () => time.monotonic });
  const later = (wall: number, monotonic: number) => {
    time.wall += wall;
    time.monotonic += monotonic;
    return countedSleep();
  };
  assert.deepEqual([later(1000, 1000), later(5000, 5000)], [undefined, undefined]);
  assert.equal(later(3_601_000, 3_601_000), 3_600_000, "the clocks of Windows and macOS go on");
  assert.equal(later(3_601_000, 1000), 0, "that of Linux stands still");
  assert.deepEqual([later(1000, 1000), later(-90_000, 1000)], [undefined, undefined]);
});

test("held polls get a heartbeat after the computer's sleep", async (t) => {
  const { chat, pass } = await startTimed(t);
  const { answer } = await hold(chat, "hamlet", await chat.register("hamlet", only));
  chat.server.app.queues.afterSleep(0);
  pass(0);
  assert.deepEqual(
    (await answer)["events"].map(({ type }: { type: string }) => type),
    ["heartbeat"],
  );
});

test("heartbeats continue when the clock is set back", async (t) => {
  let [now, monotonic] = [Date.now(), 0];
  const chat = await startChat(t, { now: () => now, monotonic: () => monotonic, unwatched: true });
  const { answer } = await hold(chat, "hamlet", await chat.register("hamlet", only));
  now -= 180_000;
  const { store } = chat.server.app;
  const before = store.lastEventId;
  while (store.lastEventId === before) {
    monotonic += 1000;
    chat.server.runChores();
  }
  assert.ok(monotonic >= 45_000 && monotonic <= 55_000, String(monotonic));
  assert.deepEqual(
    (await answer)["events"].map(({ type }: { type: string }) => type),
    ["heartbeat"],
  );
});

test("queues survive a clock that is set ahead", async (t) => {
  let [now, monotonic] = [Date.now(), 0];
  const chat = await startChat(t, { now: () => now, monotonic: () => monotonic, unwatched: true });
  const queue = await chat.register("hamlet", only);
  now += 400 * 24 * 60 * MINUTE;
  chat.server.runChores();
  assert.equal(await isGone(chat, "hamlet", queue), false);
  monotonic += 11 * MINUTE;
  chat.server.runChores();
  assert.equal(await isGone(chat, "hamlet", queue), true);
});

test("clients learn of the computer's sleep and lose no events", async (t) => {
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

  // A sleep that was announced and did not happen.
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
