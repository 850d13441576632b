import assert from "node:assert/strict";
import { test } from "node:test";
import { startChat } from "../support/chat.ts";

test("a message to a private channel reaches its subscribers and nobody else", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "design", private: true, subscribers: ["hamlet", "iago"] }] });
  const [iago, othello] = [await chat.register("iago"), await chat.register("othello")];
  const sent = await chat
    .as("hamlet")
    .post("/messages", { type: "channel", to: "design", topic: "logo", content: "draft **x**" });
  assert.equal(sent.msg, "");
  assert.deepEqual(
    (await iago.events()).map((e) => e.type),
    ["stream", "message"].slice(0, 2),
  );
  assert.deepEqual(await othello.events(), []);
  console.log(
    JSON.stringify(await chat.as("iago").get("/messages", { anchor: "newest", num_before: 10, num_after: 0 })),
  );
});
