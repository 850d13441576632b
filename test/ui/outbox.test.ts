import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { type Client, Refusal } from "../../ui/api/client.ts";
import { Outbox } from "../../ui/chat/model/outbox.ts";
import { problemInWords } from "../../ui/locales/i18n.ts";
import { BrowserMemory } from "../support/browser-memory.ts";
import { until } from "../support/patience.ts";

const SELF = 7;

/** A server with scripted responses to sends, which it records. */
function startOutbox(t: TestContext, keep = new BrowserMemory()) {
  const got: { content: string; local_id: string; queue_id: string }[] = [];
  const answers: (() => Promise<{ id: number }>)[] = [];
  const client = {
    call: (_route: string, input: (typeof got)[number]) => {
      got.push(input);
      return (answers.shift() ?? (() => Promise.resolve({ id: got.length })))();
    },
  } as unknown as Client;
  const outbox = new Outbox({ client, storage: keep, userId: SELF });
  t.after(() => outbox.stop());
  return { outbox, got, answers, keep };
}
const TO = { channelId: 5, topic: "lunch" };
const states = ({ store }: Outbox) => store.value.map(({ content, state }) => [content, state]);

const becomes = (actual: () => unknown, expected: unknown) =>
  until(() => isDeepStrictEqual(actual(), expected) || undefined, JSON.stringify(expected));

test("sends messages in order and removes them when their events arrive", async (t) => {
  const { outbox, got, keep } = startOutbox(t);
  outbox.add(TO, "one", "q");
  outbox.add(TO, "two", "q");
  await becomes(
    () => states(outbox),
    [
      ["one", "sent"],
      ["two", "sent"],
    ],
  );
  assert.deepEqual(
    got.map(({ content }) => content),
    ["one", "two"],
  );
  outbox.arrived(1, got[0]?.local_id);
  outbox.arrived(2);
  assert.deepEqual([states(outbox), keep.length], [[], 0]);
});

test("a message behind a pending one waits too", async (t) => {
  const { outbox, answers } = startOutbox(t);
  answers.push(() => Promise.reject(new TypeError("no server")));
  outbox.add(TO, "one", "q");
  await becomes(() => states(outbox), [["one", "waiting"]]);
  outbox.add(TO, "two", "q");
  assert.deepEqual(states(outbox)[1], ["two", "waiting"]);
});

test("shows a message once whose event precedes the response", async (t) => {
  const { outbox, answers } = startOutbox(t);
  let answer: (value: { id: number }) => void = () => {};
  answers.push(() => new Promise((resolve) => (answer = resolve)));
  outbox.add(TO, "one", "q");
  outbox.arrived(44);
  answer({ id: 44 });
  await becomes(() => states(outbox), []);
});

test("retries after an outage with the same local ID", async (t) => {
  const { outbox, got, answers } = startOutbox(t);
  const busy = () => Promise.reject(new Refusal(503, { msg: "It restarts.", code: "SERVER_NOT_READY" }));
  answers.push(() => Promise.reject(new TypeError("fetch failed")), busy);
  outbox.add(TO, "one", "q");
  await becomes(() => states(outbox), [["one", "waiting"]]);
  await becomes(() => {
    outbox.wake();
    return states(outbox);
  }, [["one", "sent"]]);
  assert.equal(got.length, 3);
  assert.equal(new Set(got.map(({ local_id, queue_id }) => `${local_id} ${queue_id}`)).size, 1);
});

test("shows a refusal for the user to decide", async (t) => {
  const { outbox, got, answers } = startOutbox(t);
  answers.push(() =>
    Promise.reject(
      new Refusal(400, { msg: "topic is wrong.", code: "BAD_REQUEST", reason: "unknown", params: { cause: "Wrong." } }),
    ),
  );
  outbox.add(TO, "one", "q");
  outbox.add(TO, "two", "q");
  await becomes(
    () => states(outbox),
    [
      ["one", "failed"],
      ["two", "sent"],
    ],
  );
  assert.equal(problemInWords(outbox.store.value[0]?.problem), "topic is wrong.");
  outbox.retry(got[0]?.local_id ?? "", "q2");
  await becomes(
    () => states(outbox),
    [
      ["two", "sent"],
      ["one", "sent"],
    ],
  );
  assert.notEqual(got[2]?.local_id, got[0]?.local_id);
});

test("a reload loses nothing and sends nothing of another user", async (t) => {
  const keep = new BrowserMemory();
  const first = startOutbox(t, keep);
  first.answers.push(() => new Promise(() => {}));
  first.outbox.add(TO, "one", "q");
  first.outbox.stop();
  const other = { ...first.outbox.store.value[0], localId: "other", content: "another person's" };
  keep.setItem("hearth-outbox-8-other", JSON.stringify(other));
  const second = startOutbox(t, keep);
  await becomes(() => states(second.outbox), [["one", "sent"]]);
  assert.deepEqual(
    second.got.map(({ local_id }) => local_id),
    [first.got[0]?.local_id],
  );
});
