import assert from "node:assert/strict";
import test from "node:test";
import { startChat } from "../support/chat.ts";

const WITH_LINKS = "see https://e.example/a, or www.example.org.";
const LINKS = [
  { text: "https://e.example/a", url: "https://e.example/a" },
  { text: "www.example.org", url: "http://www.example.org" },
];

test("events and fetched messages contain a topic's links", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "stage", subscribers: ["hamlet", "othello"] }] });
  const queue = await chat.register("othello", { event_types: ["message"] });
  const send = async (topic: string): Promise<number> =>
    (await chat.as("hamlet").post("/messages", { type: "channel", to: "stage", topic, content: "x" }))["id"];
  const ids = [await send(WITH_LINKS), await send("plain, 3.5 and file.txt")];
  const events = await queue.events();
  assert.deepEqual(
    events.map((event) => event.message.topic_links),
    [LINKS, []],
  );
  const { messages } = await chat.as("othello").get("/messages", { anchor: "newest", num_before: 2, num_after: 0 });
  assert.deepEqual(
    messages.map((message: { topic_links: unknown }) => message.topic_links),
    [LINKS, []],
  );
  const { message } = await chat.as("othello").get(`/messages/${ids[0]}`);
  assert.deepEqual(message.topic_links, LINKS);
});

test("a direct message has no topic and no links", async (t) => {
  const chat = await startChat(t);
  const { id } = await chat
    .as("hamlet")
    .post("/messages", { type: "direct", to: [chat.ids.othello], content: "https://e.example/a" });
  const { message } = await chat.as("othello").get(`/messages/${id}`);
  assert.deepEqual(message.topic_links, []);
});

test("moving to another topic sends the new topic's links", async (t) => {
  const chat = await startChat(t, {
    channels: [
      { name: "stage", subscribers: ["hamlet", "othello"] },
      { name: "hall", subscribers: ["hamlet", "othello"] },
    ],
  });
  const { id } = await chat
    .as("hamlet")
    .post("/messages", { type: "channel", to: "stage", topic: "plain", content: "x" });
  const queue = await chat.register("othello", { event_types: ["update_message"] });
  const edit = async (params: Record<string, unknown>) => {
    const answer = await chat.as("desdemona").patch(`/messages/${id}`, params);
    assert.equal(answer.status, 200, answer.msg);
  };
  await edit({ topic: WITH_LINKS });
  await edit({ stream_id: chat.ids.hall });
  await edit({ topic: "plain" });
  const events = await queue.events();
  assert.deepEqual(
    events.map(({ orig_subject, subject, topic_links }) => [orig_subject, subject, topic_links]),
    [
      ["plain", WITH_LINKS, LINKS],
      [WITH_LINKS, undefined, undefined],
      [WITH_LINKS, "plain", []],
    ],
  );
});
