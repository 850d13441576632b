import assert from "node:assert/strict";
import type test from "node:test";
import type { Event } from "../../server/events/catalogue.ts";
import { type Body, type Chat, type ChatOptions, startChat } from "./chat.ts";
import { until } from "./patience.ts";

export const MINUTE = 60_000;
const stage = { name: "stage", subscribers: ["hamlet", "othello"] };
export const only = { event_types: ["message"], fetch_event_types: [] };

/** A chat whose clock only the test moves. */
export async function startTimed(t: test.TestContext, options: ChatOptions = {}) {
  let now = Date.now();
  const chat = await startChat(t, { now: () => now, unwatched: true, channels: [stage], ...options });
  const pass = (ms: number) => {
    now += ms;
    chat.server.runChores();
  };
  return { chat, pass };
}

export const say = async (
  chat: Chat,
  name: string,
  content: string,
  more: Record<string, unknown> = {},
): Promise<number> => {
  const message = { type: "channel", to: "stage", topic: "plans", content, ...more };
  const answer = await chat.as(name).post("/messages", message);
  assert.equal(answer.result, "success", answer.msg);
  return answer["id"];
};

export const poll = (chat: Chat, name: string, queue: { queueId: string }, params: Record<string, unknown> = {}) =>
  chat.as(name).get("/events", { queue_id: queue.queueId, ...params });

/** Starts a poll and waits until the server holds it. Only one at a time, because it counts held polls. */
export async function hold(
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

export const contents = (events: any[]): string[] => events.map(({ message }) => message.content.replace(/<.*?>/g, ""));
export const ids = (events: { id: number }[]): number[] => events.map(({ id }) => id);

/** Sends one user events in one transaction. */
export const emit = async (chat: Chat, name: string, count: number, list: number[] = []) => {
  const event: Event = { type: "default_streams", default_streams: list };
  const users = [chat.ids[name] as number];
  const { store } = chat.server.app;
  store.transact({ actor: null, action: "test" }, (tx) => {
    for (let number = 0; number < count; number += 1) tx.emit(event, { users });
  });
  await store.durable();
};

export const isGone = async (chat: Chat, name: string, queue: { queueId: string }): Promise<boolean> => {
  const answer = await poll(chat, name, queue, { dont_block: true });
  if (answer.result === "success") return false;
  assert.deepEqual([answer.status, answer["code"], answer["queue_id"]], [400, "BAD_EVENT_QUEUE_ID", queue.queueId]);
  return true;
};
