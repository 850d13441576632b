import assert from "node:assert/strict";
import test from "node:test";
import { startChores } from "../../server/chores/chores.ts";
import { startChat } from "../support/chat.ts";

const MINUTE = 60_000;

test("local message ids expire after ten minutes, in slices", async (t) => {
  let now = Date.now();
  const chat = await startChat(t, { now: () => now, unwatched: true });
  const { store } = chat.server.app;
  const left = () => store.reader.value<number>("SELECT COUNT(*) FROM local_sends");
  const sent = (count: number, from: number) =>
    store.transact({ actor: null, action: "test" }, (tx) => {
      for (let number = 0; number < count; number += 1) {
        const sql = "INSERT INTO local_sends (queue_id, local_id, digest, message_id, sent_at) VALUES (?, ?, ?, ?, ?)";
        tx.run(sql, "queue", `${from + number}`, "digest", 1, now);
      }
    });
  sent(3000, 0);
  now += MINUTE;
  sent(10, 3000);
  const lengths: (number | undefined)[] = [];
  now += 9 * MINUTE;
  for (let second = 0; second < 5; second += 1) {
    chat.server.runChores();
    lengths.push(left());
    now += 1000;
  }
  assert.deepEqual(lengths, [3010, 1010, 10, 10, 10]);
  now += MINUTE;
  chat.server.runChores();
  assert.equal(left(), 0);
  await chat.restart(); // replaying the log gives the same result
  assert.equal(chat.server.app.store.reader.value("SELECT COUNT(*) FROM local_sends"), 0);
});

test("a failing chore is reported, retried and blocks no other", async (t) => {
  let now = Date.now();
  const chat = await startChat(t, { now: () => now, unwatched: true });
  const { store, queues, files } = chat.server.app;
  await chat.register("hamlet");
  const reports: unknown[] = [];
  const chores = startChores({
    store,
    queues,
    files,
    announceNotifications: () => {},
    now: () => now,
    monotonic: () => now,
    report: (_, error) => void reports.push(error),
  });
  t.after(() => chores.stop());
  const failing = t.mock.method(queues, "expired", () => {
    throw new Error("a test failed it");
  });
  const beats = t.mock.method(queues, "sendHeartbeats");
  now += 11 * MINUTE;
  chores.run();
  assert.equal(reports.length, 1);
  assert.equal(beats.mock.callCount(), 1);
  assert.equal(queues.count, 1);
  now += MINUTE;
  chores.run();
  assert.equal(reports.length, 1, "the same failure is reported once");
  failing.mock.restore();
  now += MINUTE;
  chores.run();
  assert.equal(queues.count, 0);
  assert.equal(reports.length, 1);
  t.mock.method(queues, "expired", () => {
    throw new Error("a test failed it");
  });
  now += MINUTE;
  chores.run();
  assert.equal(reports.length, 2, "what failed again after a success is reported again");
});
