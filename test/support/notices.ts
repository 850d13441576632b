import assert from "node:assert/strict";
import { notificationBot } from "../../server/api/queries/bots.ts";
import { type Channel, channelByName } from "../../server/api/queries/channels.ts";
import type { Transaction } from "../../server/storage/transaction.ts";
import type { Chat } from "./chat.ts";

export const botOf = (chat: Chat) => notificationBot(chat.server.app.store.reader);
export async function act<T>(chat: Chat, fn: (tx: Transaction) => T): Promise<T> {
  const { store } = chat.server.app;
  const result = store.transact<unknown>({ actor: null, action: "test" }, fn as never) as T;
  await store.durable();
  return result;
}
export const channelOf = (chat: Chat, name: string) => channelByName(chat.server.app.store.reader, name) as Channel;

export async function say(
  chat: Chat,
  name: string,
  { to = "general", topic = "lunch", content = "x" } = {},
): Promise<number> {
  const answer = await chat.as(name).post("/messages", { type: "channel", to, topic, content });
  assert.equal(answer.result, "success", answer.msg);
  return answer.id;
}

export async function move(chat: Chat, name: string, id: number, params: object): Promise<void> {
  const answer = await chat.as(name).patch(`/messages/${id}`, { propagate_mode: "change_all", ...params });
  assert.equal(answer.result, "success", answer.msg);
}

export async function notices(chat: Chat, name: string, channel: string, topic: string): Promise<string[]> {
  const narrow = [
    { operator: "channel", operand: chat.ids[channel] },
    { operator: "topic", operand: topic },
  ];
  const params = { anchor: "oldest", num_before: 0, num_after: 100, narrow, apply_markdown: false };
  const { messages } = await chat.as(name).get("/messages", { ...params, allow_empty_topic_name: true });
  const bot = botOf(chat).id;
  const sent = messages.filter((one: any) => one.sender_id === bot);
  for (const { client } of sent) assert.equal(client, "Internal");
  return sent.map((one: any) => one.content);
}

export const direct = async (chat: Chat, name: string): Promise<string[]> => {
  const narrow = [{ operator: "dm", operand: [botOf(chat).id] }];
  const params = { anchor: "oldest", num_before: 0, num_after: 300, narrow, apply_markdown: false };
  const { messages } = await chat.as(name).get("/messages", params);
  return messages.map((one: any) => one.content);
};

/** The bot's messages about a channel. */
export const story = (chat: Chat, name: string, channel: string, topic = "channel events") => {
  chat.ids[channel] ??= channelOf(chat, channel).id;
  return notices(chat, name, channel, topic);
};
