import assert from "node:assert/strict";
import { makeChannel } from "./channels.ts";
import type { Chat, Params } from "./chat.ts";

export async function ok(answer: Promise<Params>): Promise<Record<string, any>> {
  const { result, msg, ...fields } = await answer;
  assert.equal(result, "success", String(msg));
  return fields;
}

/** Makes at least one event of each kind that the mobile app reads reach hamlet, in a chat with the channel "stage". */
export async function makeEverythingHappen(chat: Chat): Promise<void> {
  const [hamlet, othello, owner] = [chat.as("hamlet"), chat.as("othello"), chat.as("desdemona")];
  const stage = chat.ids["stage"] as number;
  const params = { type: "channel", to: "stage", topic: "acts" };
  const { id } = await ok(othello.post("/messages", { ...params, content: "hello" }));
  await ok(othello.patch(`/messages/${id}`, { content: "hello again", topic: "scenes" }));
  await ok(othello.post(`/messages/${id}/reactions`, { emoji_name: "tada" }));
  await ok(othello.delete(`/messages/${id}/reactions`, { emoji_name: "tada" }));
  for (const op of ["add", "remove"]) await ok(hamlet.post("/messages/flags", { messages: [id], op, flag: "read" }));
  const poll = await ok(hamlet.post("/messages", { ...params, content: "/poll Now?\nyes" }));
  const vote = { type: "vote", key: "canned,0", vote: 1 };
  const content = JSON.stringify(vote);
  await ok(othello.post("/submessage", { message_id: poll["id"], msg_type: "widget", content }));
  await ok(owner.delete(`/messages/${id}`));
  for (const op of ["start", "stop"]) {
    await ok(othello.post("/typing", { op, to: [hamlet.id] }));
    await ok(othello.post("/typing", { op, type: "channel", stream_id: stage, topic: "acts" }));
  }
  await ok(othello.post("/users/me/presence", { status: "active", ping_only: true, new_user_input: true }));

  await ok(hamlet.post("/users/me/alert_words", { alert_words: ["ghost"] }));
  await ok(hamlet.post(`/users/me/muted_users/${chat.ids["cordelia"]}`));
  await ok(hamlet.patch("/settings", { starred_message_counts: false }));
  await ok(hamlet.post("/users/me/status", { status_text: "at sea" }));
  await ok(hamlet.post("/user_topics", { stream_id: stage, topic: "acts", visibility_policy: 2 }));
  const { saved_snippet_id } = await ok(hamlet.post("/saved_snippets", { title: "Oath", content: "by heaven" }));
  await ok(hamlet.patch(`/saved_snippets/${saved_snippet_id}`, { title: "Vow" }));
  await ok(hamlet.delete(`/saved_snippets/${saved_snippet_id}`));

  const attic = await makeChannel(chat, "attic", { subscribers: ["hamlet", "desdemona"] });
  await ok(owner.post("/users/me/subscriptions", { subscriptions: [{ name: "attic" }], principals: [othello.id] }));
  await ok(owner.delete("/users/me/subscriptions", { subscriptions: ["attic"], principals: [othello.id] }));
  await ok(owner.patch(`/streams/${attic}`, { description: "dusty" }));
  const subscription_data = [{ stream_id: attic, property: "color", value: "#abcdef" }];
  await ok(hamlet.post("/users/me/subscriptions/properties", { subscription_data }));
  await ok(hamlet.delete("/users/me/subscriptions", { subscriptions: ["attic"] }));
  await ok(owner.delete(`/streams/${attic}`));
  const { channel_folder_id: one } = await ok(
    owner.post("/channel_folders/create", { name: "Parts", description: "" }),
  );
  const { channel_folder_id: two } = await ok(owner.post("/channel_folders/create", { name: "Bows", description: "" }));
  await ok(owner.patch(`/channel_folders/${one}`, { name: "Scenes" }));
  const { channel_folders } = await ok(owner.get("/channel_folders", { include_archived: true }));
  const others = channel_folders.map(({ id }: { id: number }) => id).filter((id: number) => id !== one && id !== two);
  await ok(owner.patch("/channel_folders", { order: [two, one, ...others] }));

  const lear = { email: "lear@example.com", full_name: "Lear", password: "a crown of weeds" };
  await ok(owner.post("/users", lear));
  await ok(owner.patch(`/users/${othello.id}`, { full_name: "The Moor" }));
  await ok(owner.post("/realm/profile_fields", { field_type: 1, name: "Part" }));
  const group = { name: "players", description: "", members: [hamlet.id] };
  const { group_id } = await ok(owner.post("/user_groups/create", group));
  const inner = await ok(owner.post("/user_groups/create", { ...group, name: "kings" }));
  await ok(owner.patch(`/user_groups/${group_id}`, { description: "of the play" }));
  for (const op of ["add", "delete"]) {
    await ok(owner.post(`/user_groups/${group_id}/members`, { [op]: [othello.id] }));
    await ok(owner.post(`/user_groups/${group_id}/subgroups`, { [op]: [inner["group_id"]] }));
  }
}
