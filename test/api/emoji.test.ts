import assert from "node:assert/strict";
import test from "node:test";
import { startChat } from "../support/chat.ts";

test("the URL in /register returns all emoji names", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "general", subscribers: ["hamlet"] }] });
  const { state } = await chat.register("hamlet");
  const response = await fetch(state.server_emoji_data_url);
  assert.equal(response.status, 200);
  assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
  const json = await response.text();
  // Each client fetches it at startup.
  assert.ok(json.length < 100_000, `${json.length} characters`);
  const { code_to_names: names, ...more } = JSON.parse(json) as { code_to_names: Record<string, string[]> };
  assert.deepEqual(more, {});
  assert.ok(names["1f44d"]?.includes("+1"));
  const entries = Object.entries(names);
  assert.ok(entries.length > 1500);
  for (const [code, list] of entries) {
    assert.match(code, /^[0-9a-f]{4,5}(-[0-9a-f]{4,5})*$/);
    assert.ok(list.length > 0);
  }
  // The listed emoji work as reactions.
  const { id } = await chat
    .as("hamlet")
    .post("/messages", { type: "channel", to: "general", topic: "x", content: "x" });
  for (const [emoji_code, [emoji_name]] of entries.slice(0, 20)) {
    const answer = await chat.as("hamlet").post(`/messages/${id}/reactions`, { emoji_code, emoji_name });
    assert.equal(answer.status, 200, answer.msg);
  }
});
