import assert from "node:assert/strict";
import test from "node:test";
import { startChat } from "../support/chat.ts";

const general = { name: "general", subscribers: ["hamlet", "othello"] };
const channelMessage = { type: "channel", to: "general", topic: "lunch", content: "x" };

test("marking read and unread tells the reader's own clients, with what they need to count", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const first = (await chat.as("hamlet").post("/messages", channelMessage)).id;
  const direct = (await chat.as("hamlet").post("/messages", { type: "direct", to: [chat.ids.othello], content: "x" }))
    .id;
  const [own, sender] = [await chat.register("othello"), await chat.register("hamlet")];
  assert.deepEqual(own.state.unread_msgs, {
    count: 2,
    pms: [{ other_user_id: chat.ids.hamlet, sender_id: chat.ids.hamlet, unread_message_ids: [direct] }],
    streams: [{ topic: "lunch", stream_id: chat.ids.general, unread_message_ids: [first] }],
    huddles: [],
    mentions: [],
    old_unreads_missing: false,
  });
  const mark = (op: string, messages: number[]) =>
    chat.as("othello").post("/messages/flags", { messages, op, flag: "read" });
  const added = await mark("add", [first, direct]);
  assert.deepEqual(added.messages, [first, direct]);
  assert.ok(!("ignored_because_not_subscribed_channels" in added));
  assert.deepEqual((await mark("add", [first])).messages, []);
  const removed = await mark("remove", [first, direct]);
  assert.deepEqual([removed.messages, removed.ignored_because_not_subscribed_channels], [[first, direct], []]);
  const [add, remove, ...more] = await own.events();
  assert.deepEqual(more, []);
  const common = { type: "update_message_flags", flag: "read", messages: [first, direct], all: false };
  const { id: _a, ...addFields } = add as Record<string, unknown>;
  assert.deepEqual(addFields, { ...common, op: "add", operation: "add" });
  const { id: _b, ...removeFields } = remove as Record<string, unknown>;
  assert.deepEqual(removeFields, {
    ...common,
    op: "remove",
    operation: "remove",
    message_details: {
      [first]: { type: "stream", stream_id: chat.ids.general, topic: "lunch" },
      [direct]: { type: "private", user_ids: [chat.ids.hamlet] },
    },
  });
  assert.deepEqual(await sender.events(), []);
});

test("messages of channels that one is not subscribed to stay read", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const { id } = await chat.as("hamlet").post("/messages", channelMessage);
  const answer = await chat.as("cordelia").post("/messages/flags", { messages: [id], op: "remove", flag: "read" });
  assert.deepEqual([answer.messages, answer.ignored_because_not_subscribed_channels], [[], [chat.ids.general]]);
  assert.deepEqual((await chat.as("cordelia").get(`/messages/${id}`)).message.flags, ["read", "historical"]);
});

test("starring public history that one never received makes it part of one's own", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const { id } = await chat.as("hamlet").post("/messages", channelMessage);
  const queue = await chat.register("cordelia");
  const star = (op: string) => chat.as("cordelia").post("/messages/flags", { messages: [id], op, flag: "starred" });
  const answer = await star("add");
  assert.deepEqual(answer.messages, [id]);
  assert.ok(!("ignored_because_not_subscribed_channels" in answer));
  assert.deepEqual((await chat.as("cordelia").get(`/messages/${id}`)).message.flags, ["read", "starred", "historical"]);
  assert.deepEqual((await chat.register("cordelia")).state.starred_messages, [id]);
  const own = await chat.as("cordelia").get("/messages", { anchor: "newest", num_before: 5 });
  assert.deepEqual(
    own.messages.map((message: { id: number }) => message.id),
    [id],
  );
  await star("remove");
  const ops = (await queue.events()).map((event) => [event.op, event.flag, event.messages]);
  assert.deepEqual(ops, [
    ["add", "starred", [id]],
    ["remove", "starred", [id]],
  ]);
  assert.deepEqual((await chat.register("cordelia")).state.starred_messages, []);
});

test("flags that clients do not set, and messages that one may not read, are refused", async (t) => {
  const chat = await startChat(t, { channels: [general, { name: "design", private: true, subscribers: ["hamlet"] }] });
  const open = (await chat.as("hamlet").post("/messages", channelMessage)).id;
  const hidden = (await chat.as("hamlet").post("/messages", { ...channelMessage, to: "design" })).id;
  const post = (name: string, params: object) =>
    chat.as(name).post("/messages/flags", { messages: [open], op: "add", flag: "starred", ...params });
  for (const flag of ["mentioned", "historical", "has_alert_word", "wildcard_mentioned", "shiny"]) {
    assert.equal((await post("hamlet", { flag })).status, 400, flag);
  }
  assert.equal((await post("hamlet", { op: "toggle" })).status, 400);
  assert.equal((await post("hamlet", { flag: "collapsed" })).status, 200);
  for (const name of ["othello", "iago", "polonius"])
    assert.equal((await post(name, { messages: [hidden] })).status, 400, name);
  assert.equal((await post("polonius", {})).status, 400);
  assert.equal((await post("hamlet", { messages: [hidden + 100] })).status, 400);
});

test("unread messages survive a restart", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const ids: number[] = [];
  for (let n = 0; n < 3; n += 1) ids.push((await chat.as("hamlet").post("/messages", channelMessage)).id);
  await chat.as("othello").post("/messages/flags", { messages: [ids[1]], op: "add", flag: "read" });
  await chat.restart();
  const { state } = await chat.register("othello");
  assert.deepEqual(state.unread_msgs?.streams[0]?.unread_message_ids, [ids[0], ids[2]]);
  assert.equal(state.max_message_id, ids[2]);
});
