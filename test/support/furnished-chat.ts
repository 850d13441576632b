import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { makeChannel, openToWeb } from "./channels.ts";
import { type Chat, type ChatOptions, startChat } from "./chat.ts";

/** The people who have an example of everything. */
export const FURNISHED = ["desdemona", "hamlet", "polonius", "bot"];

/** A chat with an example of everything that people can have. */
export async function startFurnished(t: TestContext, options: ChatOptions = {}): Promise<Chat> {
  const chat = await startChat(t, { prepare: openToWeb, unwatched: true, ...options });
  const done = async (answer: Promise<Record<string, any>>) => {
    const { result, msg, ...fields } = await answer;
    assert.equal(result, "success", msg);
    return fields;
  };
  const owner = chat.as("desdemona");
  const { channel_folder_id } = await done(owner.post("/channel_folders/create", { name: "Acts", description: "" }));
  const all = { subscribers: [...FURNISHED, "othello", "iago"] };
  const somebody = { direct_members: [chat.ids["hamlet"]], direct_subgroups: [] };
  const square = await makeChannel(chat, "square", { is_web_public: true, folder_id: channel_folder_id, ...all });
  await makeChannel(chat, "stage", { is_default_stream: true, message_retention_days: 30, ...all });
  await makeChannel(chat, "cellar", { invite_only: true, history_public_to_subscribers: false, ...all });
  await makeChannel(chat, "left", { is_web_public: true, ...all });
  await makeChannel(chat, "never", { subscribers: ["iago"], is_web_public: true, can_send_message_group: somebody });
  const ruin = await makeChannel(chat, "ruin", all);
  const troupe = { group_name: "troupe", description: "", stream_names: ["square"] };
  await done(owner.post("/default_stream_groups/create", troupe));
  const message = { type: "channel", to: "square", topic: "acts" };
  const { id } = await done(chat.as("othello").post("/messages", { ...message, content: "@**Hamlet** is here" }));
  const later = { scheduled_delivery_timestamp: Math.floor(chat.server.app.now() / 1000) + 86_400 };
  for (const name of FURNISHED) {
    const who = chat.as(name);
    await done(who.delete("/users/me/subscriptions", { subscriptions: ["left"] }));
    for (const to of [[who.id], [who.id, chat.ids["cordelia"]]])
      await done(chat.as("othello").post("/messages", { type: "direct", to, content: "psst" }));
    await done(who.post("/messages/flags", { messages: [id], op: "add", flag: "starred" }));
    await done(who.post("/user_topics", { stream_id: square, topic: "acts", visibility_policy: 2 }));
    if (name === "bot") continue;
    await done(who.post("/reminders", { message_id: id, ...later }));
    await done(who.post("/scheduled_messages", { ...message, to: square, content: "later", ...later }));
    await done(who.post("/saved_snippets", { title: "Oath", content: "by heaven" }));
    await done(who.post("/drafts", { drafts: [{ type: "stream", to: [square], topic: "acts", content: "exit" }] }));
  }
  await done(owner.delete(`/streams/${ruin}`));
  return chat;
}
