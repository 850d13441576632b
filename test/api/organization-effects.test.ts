import assert from "node:assert/strict";
import test from "node:test";
import { systemGroupId } from "../../server/api/queries/user-group-members.ts";
import { startChat } from "../support/chat.ts";

test("changed settings apply from the next request", async (t) => {
  let now = Date.now();
  const chat = await startChat(t, {
    channels: [
      { name: "general", subscribers: ["hamlet", "othello"] },
      { name: "yard", subscribers: ["hamlet", "othello"] },
    ],
    now: () => now,
  });
  const [desdemona, hamlet] = [chat.as("desdemona"), chat.as("hamlet")];
  const set = async (params: Record<string, unknown>) =>
    assert.equal((await desdemona.patch("/realm", params)).result, "success");
  const send = (topic: string, content = "to be") =>
    hamlet.post("/messages", { type: "channel", to: "general", topic, content });
  const rendered = async (id: number) => (await hamlet.get(`/messages/${id}`))["message"].content as string;
  const { id } = await send("plans");
  const edit = async (content: string) => (await hamlet.patch(`/messages/${id}`, { content })).result;

  await set({ allow_message_editing: false });
  assert.equal(await edit("or not"), "error");
  await set({ allow_message_editing: true });
  assert.equal(await edit("or not"), "success");

  const history = async () => (await hamlet.get(`/messages/${id}/history`)).result;
  await set({ message_edit_history_visibility_policy: "none" });
  assert.equal(await history(), "error");
  await set({ message_edit_history_visibility_policy: "all" });
  assert.equal(await history(), "success");

  now += 61_000;
  await set({ message_content_edit_limit_seconds: 60 });
  assert.equal(await edit("too late"), "error");
  await set({ message_content_edit_limit_seconds: "unlimited" });
  assert.equal(await edit("in time"), "success");

  const rename = async (topic: string) => (await hamlet.patch(`/messages/${id}`, { topic })).result;
  await set({ move_messages_within_stream_limit_seconds: 60 });
  assert.equal(await rename("later"), "error");
  await set({ move_messages_within_stream_limit_seconds: "unlimited" });
  assert.equal(await rename("later"), "success");

  const move = async (stream_id: number | undefined) => (await hamlet.patch(`/messages/${id}`, { stream_id })).result;
  await set({ move_messages_between_streams_limit_seconds: 60 });
  assert.equal(await move(chat.ids["yard"]), "error");
  await set({ move_messages_between_streams_limit_seconds: "unlimited" });
  assert.equal(await move(chat.ids["yard"]), "success");

  const receipts = async () => (await chat.as("othello").get(`/messages/${id}/read_receipts`)).result;
  assert.equal(await receipts(), "success");
  await set({ enable_read_receipts: false });
  assert.equal(await receipts(), "error");

  await set({ message_content_delete_limit_seconds: 60 });
  assert.equal((await hamlet.delete(`/messages/${id}`)).result, "error");
  await set({ message_content_delete_limit_seconds: 3600 });
  assert.equal((await hamlet.delete(`/messages/${id}`)).result, "success");

  assert.equal((await send("")).result, "success");
  await set({ topics_policy: "disable_empty_topic" });
  assert.equal((await send("")).result, "error");
  assert.equal((await send("named")).result, "success");

  const block = "```\nprint(1)\n```";
  assert.doesNotMatch(await rendered((await send("code", block))["id"]), /Python/);
  await set({ default_code_block_language: "python" });
  assert.match(await rendered((await send("code", block))["id"]), /data-code-language="Python"/);

  const whisper = async () =>
    (await hamlet.post("/messages", { type: "direct", to: [chat.ids["othello"]], content: "psst" })).result;
  assert.equal(await whisper(), "success");
  await set({ direct_message_permission_group: { new: systemGroupId(chat.server.app.store.reader, "role:nobody") } });
  assert.equal(await whisper(), "error");
});
