import assert from "node:assert/strict";
import test from "node:test";
import { startChat } from "../support/chat.ts";

test("an error quotes only the start of a name", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "general", subscribers: ["hamlet"] }] });
  const hamlet = chat.as("hamlet");
  const channel = chat.ids.general as number;
  const message = { type: "channel", to: "general", topic: "x", content: "x" };
  const { id } = await hamlet.post("/messages", message);
  const long = "n".repeat(50_000);
  const around = { anchor: "newest", num_before: 1, num_after: 0 };
  const answers = {
    topic: await hamlet.post("/mark_topic_as_read", { stream_id: channel, topic_name: long }),
    channel: await hamlet.post("/messages", { ...message, to: long }),
    email: await hamlet.post("/messages", { type: "direct", to: [long], content: "x" }),
    subscription: await hamlet.delete("/users/me/subscriptions", { subscriptions: [long] }),
    "channel in a policy": await hamlet.patch("/users/me/subscriptions/muted_topics", {
      stream: long,
      topic: "x",
      op: "add",
    }),
    emoji: await hamlet.post(`/messages/${id}/reactions`, { emoji_name: long }),
    flag: await hamlet.post("/messages/flags", { messages: [id], op: "add", flag: long }),
    operator: await hamlet.post("/messages/flags/narrow", {
      ...around,
      op: "add",
      flag: "read",
      narrow: [[long, "x"]],
    }),
    operand: await hamlet.post("/messages/flags/narrow", {
      ...around,
      op: "add",
      flag: "read",
      narrow: [["is", long]],
    }),
    queue: await hamlet.delete("/events", { queue_id: long }),
    setting: await hamlet.patch(`/streams/${channel}`, { can_send_message_group: { new: { [long]: 1 } } }),
  };
  for (const [what, answer] of Object.entries(answers)) {
    assert.equal(answer.status, 400, `${what}: ${answer.status} ${answer.msg.slice(0, 200)}`);
    assert.ok(JSON.stringify(answer).length < 500, `${what}: ${JSON.stringify(answer).slice(0, 500)}`);
    if (what !== "setting") assert.ok(answer.msg.includes(`${"n".repeat(100)}…`), `${what}: ${answer.msg}`);
  }
  const { msg } = await hamlet.post("/messages", { ...message, to: `${"n".repeat(99)}𝄞 and more` });
  assert.ok(msg.includes(` ${"n".repeat(99)}….`), msg);
});
