import assert from "node:assert/strict";
import test from "node:test";
import type { Registered } from "../support/chat.ts";
import { ids, MINUTE, only, say, startTimed } from "../support/event-polls.ts";

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
    // The user who starts the topic follows it, and only that user gets the event.
    const shared = (all: any[]) => ids(all.filter(({ type }) => type !== "user_topic"));
    assert.deepEqual(shared(events), shared(first));
  }
});
