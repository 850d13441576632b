import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { type Chat, type ChatOptions, startChat } from "./chat.ts";
import { until } from "./patience.ts";

// An outgoing webhook and its receiver: messages to the bot, responses, and their effects.

export interface Received {
  headers: IncomingMessage["headers"];
  body: string;
}

export type Script = (response: ServerResponse, received: Received) => void;

export const json =
  (value: unknown, status = 200): Script =>
  (response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));

/** A receiver with scripted responses that records its requests. */
export async function startReceiver(t: TestContext, script: Script = json({})) {
  const received: Received[] = [];
  const receiver = { received, script, url: "" };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const one = { headers: request.headers, body: Buffer.concat(chunks).toString() };
      received.push(one);
      receiver.script(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}

/** A chat whose webhooks may reach this machine, with hamlet's outgoing webhook for the receiver. */
export async function startWebhook(t: TestContext, url: string, options: ChatOptions & { interface?: number } = {}) {
  const chat = await startChat(t, { channels: [{ name: "stage", subscribers: ["hamlet", "cordelia"] }], ...options });
  await chat.as("desdemona").patch("/host/settings", { WEBHOOK_ALLOWED_HOSTS: ["127.0.0.1"] });
  const answer = await chat.as("hamlet").post("/bots", {
    full_name: "Echo",
    short_name: "echo",
    bot_type: 3,
    payload_url: JSON.stringify(url),
    interface_type: options.interface ?? 1,
  });
  assert.equal(answer.status, 200, answer.msg);
  return { chat, botId: answer["user_id"] as number };
}

export const say = (chat: Chat, content: string, who = "cordelia") =>
  chat.as(who).post("/messages", { type: "channel", to: "stage", topic: "echo", content });
export const direct = (chat: Chat, botId: number, content: string, who = "cordelia") =>
  chat.as(who).post("/messages", { type: "direct", to: [botId], content });

export const deliveries = async (chat: Chat, botId: number, state?: string) =>
  (await chat.as("hamlet").get(`/host/bots/${botId}/deliveries`, state ? { state } : {}))["deliveries"];
export const settled = (chat: Chat, botId: number, count: number) =>
  until(async () => {
    const all = await deliveries(chat, botId);
    return all.length === count && all.every(({ state }: any) => state !== "waiting") ? all : undefined;
  }, `${count} deliveries to be done`);

/** The latest contents in the channel's topic, or from the notification bot, as a user reads them. */
export const lastIn = async (chat: Chat, who: string, narrow: unknown) =>
  (await chat.as(who).get("/messages", { anchor: "newest", num_before: 3, narrow, apply_markdown: false }))[
    "messages"
  ].map(({ content }: any) => content);
