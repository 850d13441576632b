import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import test, { type TestContext } from "node:test";
import { WRITE_AFTER_MS } from "../../server/integrations/outgoing/pump.ts";
import { PageDamaged } from "../../server/storage/errors.ts";
import type { Value } from "../../server/storage/transaction.ts";
import type { Chat, ChatOptions } from "../support/chat.ts";
import {
  deliveries,
  direct,
  json,
  lastIn,
  type Received,
  say,
  settled,
  startReceiver,
  startWebhook,
} from "../support/outgoing-webhook.ts";
import { until } from "../support/patience.ts";

test("a dead receiver delays no other bot", async (t) => {
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
  assert.deepEqual([lost.state, lost.error.reason], ["waiting", "connection_refused"]);
});

test("two webhooks that mention each other respond once", async (t) => {
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

/** Bots for one receiver, which responds after all have sent requests. */
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

/** Makes a slow machine wait for all responses, instead of writing those of the first 5 ms. */
function waitForAll(t: TestContext): void {
  const { setTimeout } = globalThis;
  const slowed = (run: () => void, ms?: number) => setTimeout(run, ms === WRITE_AFTER_MS ? 60_000 : ms);
  t.mock.method(globalThis, "setTimeout", slowed as typeof setTimeout);
  const now = performance.now();
  t.mock.method(performance, "now", () => now);
}

test("writes the results of several deliveries in one transaction", async (t) => {
  const { chat, botIds, allAsk } = await startWebhooks(t, { content: "heard" });
  for (const id of botIds) await direct(chat, id, "one");
  const answerAll = await allAsk;
  const { store } = chat.server.app;
  chat.server.runChores(); // otherwise the minute's own record may come in between
  const before = store.seq;
  waitForAll(t);
  answerAll();
  for (const id of botIds) await settled(chat, id, 1);
  assert.equal(store.seq - before, 1);
  for (const id of botIds) assert.deepEqual(await lastIn(chat, "cordelia", [["dm", [id]]]), ["one", "heard"]);
});

test("writes oversized results one by one", async (t) => {
  // A record can contain 64 kB: one of these responses, but not two.
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

test("an unreadable message blocks only its own bot", async (t) => {
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

test("a bot gets no message that only another bot may read", async (t) => {
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
