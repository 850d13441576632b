import assert from "node:assert/strict";
import test from "node:test";
import { startChat } from "../support/chat.ts";

test("renders a text like a message without sending it", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "general", subscribers: ["hamlet"] }] });
  const content = "**bold** and `code`\r\n\r\n<b>no HTML</b>\n";
  const queue = await chat.register("hamlet");
  const answer = await chat.as("hamlet").post("/messages/render", { content });
  assert.equal(answer.status, 200);
  assert.match(answer.rendered, /<strong>bold<\/strong>.*<code>code<\/code>/);
  assert.ok(!answer.rendered.includes("<b>"));
  assert.deepEqual(await queue.events(), []);
  const { id } = await chat.as("hamlet").post("/messages", { type: "channel", to: "general", topic: "x", content });
  assert.equal((await chat.as("hamlet").get(`/messages/${id}`)).message.content, answer.rendered);
});

test("references follow the author's access", async (t) => {
  const design = { name: "design", private: true, subscribers: ["hamlet"] };
  const chat = await startChat(t, { channels: [design] });
  const render = async (name: string) =>
    (await chat.as(name).post("/messages/render", { content: "@**Othello** in #**design** :tada:" })).rendered;
  const own = await render("hamlet");
  assert.match(own, new RegExp(`data-user-id="${chat.ids.othello}"`));
  assert.match(own, new RegExp(`data-stream-id="${chat.ids.design}"`));
  assert.match(own, /emoji-1f389/);
  const outsiders = await render("othello");
  assert.match(outsiders, /data-user-id/);
  assert.ok(!outsiders.includes("data-stream-id"));
});

test("invalid or missing content and anonymous callers are rejected", async (t) => {
  const chat = await startChat(t);
  assert.equal((await chat.as("polonius").post("/messages/render", { content: "" })).rendered, "");
  assert.equal((await chat.as("bot").post("/messages/render", { content: "x".repeat(10_000) })).status, 200);
  const long = await chat.as("hamlet").post("/messages/render", { content: "x".repeat(10_001) });
  assert.deepEqual([long.status, long.code], [400, "BAD_REQUEST"]);
  assert.match(long.msg, /10000/);
  const none = await chat.as("hamlet").post("/messages/render");
  assert.deepEqual([none.status, none.code], [400, "REQUEST_VARIABLE_MISSING"]);
  assert.equal((await chat.anonymous("POST", "/messages/render", { content: "x" })).status, 401);
});

test("handles plain text like any other, without stored HTML", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "general", subscribers: ["hamlet"] }] });
  const { store } = chat.server.app;
  const hamlet = chat.as("hamlet");
  const message = { type: "channel", to: "general", topic: "x", content: `one < "two"\nthree` };
  const { id } = await hamlet.post("/messages", message);
  const html = `<p>one &lt; &quot;two&quot;<br>\nthree</p>`;
  const stored = () => store.reader.value("SELECT rendered_content FROM messages WHERE id = ?", id);
  const shown = async () => (await hamlet.get(`/messages/${id}`)).message.content;
  assert.deepEqual([stored(), await shown()], ["=", html]);
  const narrow = JSON.stringify([{ operator: "search", operand: "three" }]);
  const found = await hamlet.get("/messages", { anchor: "newest", num_before: 5, num_after: 0, narrow });
  assert.deepEqual(
    found.messages.map((one: { id: number }) => one.id),
    [id],
  );
  const own = await chat.register("hamlet");
  await hamlet.patch(`/messages/${id}`, { content: "**four**", topic: "y" });
  const events = await own.events();
  assert.equal(events.find(({ type }) => type === "update_message")?.["orig_rendered_content"], html);
  assert.equal(await shown(), "<p><strong>four</strong></p>");
  assert.equal(stored(), await shown());
  await hamlet.patch(`/messages/${id}`, { content: "five" });
  assert.deepEqual([stored(), await shown()], ["=", "<p>five</p>"]);
  const history = (await hamlet.get(`/messages/${id}/history`)).message_history;
  assert.deepEqual(
    history.map((edit: { rendered_content: string }) => edit.rendered_content),
    [html, "<p><strong>four</strong></p>", "<p>five</p>"],
  );
});
