import assert from "node:assert/strict";
import { systemGroupId } from "../../server/api/queries/user-group-members.ts";
import type { Transaction } from "../../server/storage/transaction.ts";
import type { Chat, Params } from "./chat.ts";

export const START = Date.parse("2030-01-02T03:04:05Z");
export const SECONDS = START / 1000;

export const general = { name: "general", subscribers: ["hamlet", "othello"] };
export const design = { name: "design", private: true, subscribers: ["hamlet", "iago"] };

/** Organization settings that differ from the defaults. */
export const settings = (values: Record<string, unknown>) => ({
  prepare: (tx: Transaction) => {
    for (const [name, value] of Object.entries(values)) {
      const kept =
        typeof value === "string" && value.startsWith("role:") ? systemGroupId(tx, value as "role:nobody") : value;
      tx.run("INSERT INTO organization_settings (name, value) VALUES (?, ?)", name, JSON.stringify(kept));
    }
  },
});

export const clock = () => {
  const time = { ms: START, now: () => time.ms };
  return time;
};

export async function say(
  chat: Chat,
  name: string,
  content: string,
  { to = "general", topic = "lunch" } = {},
): Promise<number> {
  const answer = await chat.as(name).post("/messages", { type: "channel", to, topic, content });
  assert.equal(answer.result, "success", answer.msg);
  return answer.id;
}

export async function write(chat: Chat, name: string, to: string, content: string): Promise<number> {
  const answer = await chat.as(name).post("/messages", { type: "direct", to: [chat.ids[to]], content });
  assert.equal(answer.result, "success", answer.msg);
  return answer.id;
}

/** Moves post no system messages by default; notices.test.ts covers those. */
export async function edited(chat: Chat, name: string, id: number, params: Params): Promise<void> {
  const quiet = { send_notification_to_new_thread: false };
  const answer = await chat.as(name).patch(`/messages/${id}`, { ...quiet, ...params });
  assert.equal(answer.result, "success", answer.msg);
  assert.deepEqual(answer.detached_uploads, []);
}

export async function refused(
  chat: Chat,
  name: string,
  id: number,
  params: Params,
  why?: string | RegExp,
): Promise<Record<string, any>> {
  const answer = await chat.as(name).patch(`/messages/${id}`, params);
  assert.equal(answer.status, 400, `${name} ${JSON.stringify(params)}`);
  assertReason(answer, why);
  return answer;
}

export async function deleted(chat: Chat, name: string, id: number): Promise<void> {
  const answer = await chat.as(name).delete(`/messages/${id}`);
  assert.equal(answer.result, "success", answer.msg);
}

export async function notDeleted(chat: Chat, name: string, id: number, why?: string | RegExp): Promise<void> {
  const answer = await chat.as(name).delete(`/messages/${id}`);
  assert.equal(answer.status, 400, name);
  assertReason(answer, why);
}

/** `why`: the reason, or a part of the message. */
function assertReason(answer: Record<string, any>, why: string | RegExp | undefined): void {
  if (typeof why === "string") assert.equal(answer.reason, why);
  else if (why) assert.match(answer.msg, why);
}

export const message = async (chat: Chat, id: number, name = "hamlet") =>
  (await chat.as(name).get(`/messages/${id}`, { allow_empty_topic_name: true })).message;
export const history = async (chat: Chat, id: number, name = "hamlet") =>
  (await chat.as(name).get(`/messages/${id}/history`, { allow_empty_topic_name: true })).message_history;
export const updates = async (queue: { events(): Promise<Record<string, any>[]> }) =>
  (await queue.events()).filter(({ type }) => type === "update_message");
export const topicsOf = async (chat: Chat, ids: number[]) =>
  Promise.all(ids.map(async (id) => (await message(chat, id)).subject));
