import assert from "node:assert/strict";
import test from "node:test";
import { startChat } from "../support/chat.ts";
import { PATIENCE_MS } from "../support/patience.ts";

test("inherited object properties are not valid operators or operands", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "general", subscribers: ["hamlet"] }], unwatched: true });
  for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
    const unknown = await chat.as("hamlet").post("/register", { narrow: [[name, "general"]] });
    assert.equal(unknown.code, "BAD_NARROW", name);
    for (const narrow of [[["is", name]], [[name, "general"]]]) {
      const fetched = await chat.as("hamlet").get("/messages", { anchor: "newest", narrow });
      assert.equal(fetched.code, "BAD_NARROW", JSON.stringify(narrow));
    }
  }
  const events = { event_types: ["constructor"], fetch_event_types: ["__proto__"] };
  const capabilities = JSON.parse('{"__proto__":true,"constructor":true}');
  const { state } = await chat.register("hamlet", { ...events, client_capabilities: capabilities });
  assert.equal(state.realm_users, undefined);
});

test("the sender operator takes exactly one person", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const senders = "hamlet@example.com,iago@example.com";
  assert.equal((await chat.as("hamlet").post("/register", { narrow: [["sender", senders]] })).code, "BAD_NARROW");
  for (const operand of [senders, []]) {
    const narrow = [{ operator: "sender", operand }];
    assert.equal((await chat.as("hamlet").get("/messages", { anchor: "newest", narrow })).code, "BAD_NARROW");
  }
});

test("a queue's filters have a size limit", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const narrow = Array.from({ length: 101 }, () => ["is", "dm"]);
  const answer = await chat.as("hamlet").post("/register", { narrow });
  assert.deepEqual([answer.status, answer.msg], [400, "narrow is too long: at most 100 items."]);
  for (const filters of [
    { event_types: Array(2000).fill("a new type") },
    { narrow: [["topic", "x".repeat(20_000)]] },
  ]) {
    assert.equal((await chat.as("hamlet").post("/register", filters)).status, 400);
  }
});

test("only non-blocking polls count towards the rate limit", async (t) => {
  const now = Date.now(); // fixed, because the rate limit refills over time
  const chat = await startChat(t, { rateLimit: "on", unwatched: true, now: () => now });
  const { queueId } = await chat.register("hamlet");
  const authorization = `Basic ${Buffer.from(`hamlet@example.com:${chat.as("hamlet").key}`).toString("base64")}`;
  const left = async (question: string) => {
    const response = await fetch(`${chat.url}/api/v1/events?queue_id=${queueId}&${question}`, {
      headers: { authorization },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    await response.text();
    return response.headers.get("x-ratelimit-remaining");
  };
  assert.equal(await left("dont_block=true"), "198");
  assert.equal(await left("dont_block=%22true%22"), "197");
  assert.equal(await left("last_event_id=99999999"), null);
});

test("clients without null support get effective channel notification settings", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "general", subscribers: ["hamlet"] }], unwatched: true });
  const settings = async (client_capabilities: object) => {
    const { state } = await chat.register("hamlet", { client_capabilities });
    const subscription = state.subscriptions?.[0];
    return [subscription?.desktop_notifications, subscription?.wildcard_mentions_notify];
  };
  assert.deepEqual(await settings({ notification_settings_null: true }), [null, null]);
  assert.deepEqual(await settings({}), [false, true]);
});
