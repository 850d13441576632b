import assert from "node:assert/strict";
import test from "node:test";
import type { Body } from "../support/chat.ts";
import { contents, hold, ids, only, poll, say, startTimed } from "../support/event-polls.ts";

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

test("a stop ends held polls without events", async (t) => {
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
