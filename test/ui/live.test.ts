import assert from "node:assert/strict";
import test from "node:test";
import { type Client, createClient, Refusal } from "../../ui/api/client.ts";
import { goLive, type LiveOptions } from "../../ui/api/live.ts";
import type { State } from "../../ui/api/state-shape.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { until } from "../support/patience.ts";

const stage = { name: "stage", subscribers: ["hamlet", "othello"] };

function clientOf(chat: Chat, name: string): Client {
  const { email, key } = chat.as(name);
  return createClient({ baseUrl: chat.url, credentials: { email, apiKey: key } });
}

/** Follows events as a user and records the results. */
function follow(t: test.TestContext, chat: Chat, name: string, more: Partial<LiveOptions> = {}) {
  const received = { states: [] as State[], errors: [] as unknown[], events: [] as string[] };
  const live = goLive({
    client: clientOf(chat, name),
    wait: () => 5,
    onState: (state, events) => {
      received.states.push(state);
      received.events.push(...events.map(({ type }) => type));
    },
    onError: (error) => void received.errors.push(error),
    ...more,
  });
  t.after(() => live.stop());
  const unread = (): number[] => live.state?.unread_msgs?.streams.flatMap((group) => group.unread_message_ids) ?? [];
  const hears = (id: number) => until(() => (unread().includes(id) ? true : undefined), `message ${id}`);
  const begins = () => until(() => live.state, "the first state");
  return { live, received, unread, hears, begins };
}

const say = (client: Client, content = "x") =>
  client.call("POST /messages", { type: "channel", to: "stage", topic: "plans", content });

test("the typed client calls endpoints with JavaScript values", async (t) => {
  const chat = await startChat(t, { channels: [stage] });
  const client = clientOf(chat, "hamlet");
  const { id } = await say(client, "50 % & more = {id} $& \u{1f600}");
  const { message } = await client.call("GET /messages/{message_id}", { message_id: id, apply_markdown: false });
  assert.equal(message.content, "50 % & more = {id} $& \u{1f600}");
  const { messages } = await client.call("GET /messages", { anchor: "newest", num_before: 5, narrow: [] });
  assert.equal(messages.length, 1);
  const { queue_id } = await client.call("POST /register", { event_types: ["message"] });
  await client.call("DELETE /events", { queue_id: queue_id as string });
});

test("an API error carries its code, message and data", async (t) => {
  const chat = await startChat(t);
  const client = clientOf(chat, "hamlet");
  await assert.rejects(client.call("DELETE /events", { queue_id: "nowhere" }), (error) => {
    assert.ok(error instanceof Refusal);
    assert.deepEqual([error.status, error.code, error.data], [400, "BAD_EVENT_QUEUE_ID", { queue_id: "nowhere" }]);
    assert.match(error.message, /nowhere/);
    return true;
  });
  const stranger = createClient({ baseUrl: chat.url, credentials: { email: "x@example.com", apiKey: "y".repeat(32) } });
  await assert.rejects(stranger.call("GET /users/me", {}), (error) => error instanceof Refusal && error.status === 401);
});

test("a page sees others' changes immediately", async (t) => {
  const chat = await startChat(t, { channels: [stage] });
  const page = follow(t, chat, "hamlet");
  await page.begins();
  const { id } = await say(clientOf(chat, "othello"));
  await page.hears(id);
  assert.ok(page.received.events.includes("message"));
  assert.deepEqual(page.received.errors, []);
});

test("a page keeps its queue over a server restart", async (t) => {
  const chat = await startChat(t, { channels: [stage] });
  const page = follow(t, chat, "hamlet");
  const first = await page.begins();
  const ids: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    ids.push((await say(clientOf(chat, "othello"))).id);
    await chat.restart();
    ids.push((await say(clientOf(chat, "othello"))).id);
    await page.hears(ids.at(-1) as number);
  }
  assert.deepEqual(page.unread(), ids);
  assert.equal(page.live.state?.["queue_id"], first["queue_id"]);
});

test("a page learns of outages and recovery", async (t) => {
  const chat = await startChat(t, { channels: [stage] });
  const page = follow(t, chat, "hamlet");
  await page.begins();
  const { port } = new URL(chat.url);
  await chat.server.close();
  await until(() => (page.received.errors.length > 0 ? true : undefined), "an error");
  assert.ok(page.received.errors.every((error) => error instanceof Error));
  await chat.restart();
  assert.equal(new URL(chat.url).port, port);
  await until(() => (page.received.errors.at(-1) === undefined ? true : undefined), "the end of the error");
});

test("a page whose queue has expired registers again", async (t) => {
  const chat = await startChat(t, { channels: [stage] });
  const page = follow(t, chat, "hamlet");
  const first = await page.begins();
  const queue_id = first["queue_id"] as string;
  const { id } = await say(clientOf(chat, "othello"));
  await page.hears(id);
  await clientOf(chat, "hamlet").call("DELETE /events", { queue_id });
  await until(() => (page.live.state?.["queue_id"] !== queue_id ? true : undefined), "another queue");
  assert.deepEqual(page.unread(), [id]);
  const next = (await say(clientOf(chat, "othello"))).id;
  await page.hears(next);
  assert.deepEqual(page.unread(), [id, next]);
  assert.deepEqual(page.received.errors, [], "that is no error");
});

test("a page registers for the event types it asks for", async (t) => {
  const chat = await startChat(t, { channels: [stage] });
  const page = follow(t, chat, "hamlet", { register: { fetch_event_types: ["realm_user"], event_types: [] } });
  const state = await page.begins();
  assert.ok(state.realm_users);
  assert.equal(state.subscriptions, undefined);
});

test("a page recovers from a silently dead connection", async (t) => {
  const chat = await startChat(t, { channels: [stage] });
  const real = clientOf(chat, "hamlet");
  let isDead = true;
  const client: Client = {
    ...real,
    call: (route, input, signal) =>
      route === "GET /events" && isDead
        ? new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)))
        : real.call(route, input, signal),
  };
  const page = follow(t, chat, "hamlet", { client, silenceMs: 20 });
  await page.begins();
  const { id } = await say(clientOf(chat, "othello"));
  await until(() => (page.received.errors.length > 0 ? true : undefined), "an error");
  isDead = false;
  await page.hears(id);
});

test("a page deletes its queue when it closes", async (t) => {
  const chat = await startChat(t, { unwatched: true, channels: [stage] });
  const page = follow(t, chat, "hamlet");
  await page.begins();
  const { queues } = chat.server.app;
  await until(() => (queues.waiting === 1 ? true : undefined), "its poll");
  page.live.stop();
  await until(() => (queues.count === 0 ? true : undefined), "the queue's end");
  const received = page.received.states.length;
  await say(clientOf(chat, "othello"));
  assert.equal(page.received.states.length, received);
});

test("a page without a session must sign in, even with public access", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const owner = chat.as("desdemona");
  await owner.patch("/host/settings", { WEB_PUBLIC_STREAMS_ENABLED: true });
  await owner.patch("/realm", { enable_spectator_access: true });
  const client = createClient({ baseUrl: chat.url });
  assert.equal((await client.call("POST /register", {})).queue_id, null);
  const page = follow(t, chat, "hamlet", { client });
  const error = await until(() => page.received.errors[0], "an error");
  assert.ok(error instanceof Refusal && error.status === 401);
  assert.deepEqual(page.received.states, []);
});
