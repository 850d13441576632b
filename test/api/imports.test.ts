import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { addedSince } from "../../server/api/queries/imports.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { tables } from "../support/imports.ts";
import { importSmall, removeImport, YEAR_2019 } from "../support/small-import.ts";

const start = (t: TestContext) =>
  startChat(t, { unwatched: true, channels: [{ name: "rowing", subscribers: ["othello"] }] });

async function importedFor(chat: Chat) {
  importSmall(chat);
  const narrow = [{ operator: "channel", operand: "rowing (Slack)" }];
  const range = { anchor: "newest", num_before: 10, num_after: 0 };
  return (await chat.as("hamlet").get("/messages", { ...range, narrow }))["messages"] as Record<string, any>[];
}

test("imported messages have their senders, times and topics", async (t) => {
  const messages = await importedFor(await start(t));
  const shown = ["sender_full_name", "content", "subject", "timestamp", "client"];
  assert.deepEqual(
    messages.map((message) => shown.map((field) => message[field])),
    [
      ["Yorick", "<p>a fellow of infinite jest</p>", "Alas", YEAR_2019 / 1000, "Slack"],
      ["Hamlet", "<p>I knew him</p>", "Alas", YEAR_2019 / 1000, "Slack"],
      ["Yorick", "<p>where be your gibes now</p>", "Alas", YEAR_2019 / 1000, "Slack"],
    ],
  );
});

test("imported messages keep flags, reactions and the time of an edit", async (t) => {
  const messages = await importedFor(await start(t));
  assert.deepEqual(
    messages.map(({ flags }) => flags),
    [["read", "mentioned"], ["read", "starred"], ["read"]],
  );
  assert.equal(messages[0]?.["reactions"][0].emoji_name, "smile");
  assert.equal(messages[1]?.["last_edit_timestamp"], YEAR_2019 / 1000 + 5);
});

test("nothing imported is unread, until someone marks it as unread", async (t) => {
  const chat = await start(t);
  importSmall(chat);
  const unread = async () => (await chat.register("hamlet")).state["unread_msgs"].count;
  assert.equal(await unread(), 0);
  const { messages } = await chat.as("hamlet").get("/messages", { anchor: "newest", num_before: 1, num_after: 0 });
  await chat.as("hamlet").post("/messages/flags", { messages: [messages[0].id], op: "remove", flag: "read" });
  assert.equal(await unread(), 1);
  await chat.restart();
  assert.equal(await unread(), 1);
});

test("only moderators write in a channel that was read-only", async (t) => {
  const chat = await start(t);
  const { channelId } = importSmall(chat, { isReadOnly: true });
  const send = (name: string) =>
    chat.as(name).post("/messages", { type: "stream", to: channelId, topic: "x", content: "hello" });
  assert.equal((await send("hamlet")).result, "error");
  assert.equal((await send("desdemona")).result, "success");
});

test("accounts without a person are deactivated stubs that cannot sign in", async (t) => {
  const chat = await start(t);
  const { stubId } = importSmall(chat);
  const { user } = await chat.as("othello").get(`/users/${stubId}`);
  assert.deepEqual([user.full_name, user.is_active, user.is_imported_stub], ["Yorick", false, true]);
  const refused = await chat.anonymous("POST", "/fetch_api_key", { username: "yorick@example.com", password: "" });
  assert.equal(refused.result, "error");
});

test("removing an import leaves exactly the rows of before", async (t) => {
  const chat = await start(t);
  for (const name of ["othello", "hamlet"])
    await chat.as(name).post("/messages", { type: "direct", to: [chat.ids["iago"]], content: "before" });
  const before = tables(chat);
  const { id, channelId } = importSmall(chat);
  const live = await chat
    .as("hamlet")
    .post("/messages", { type: "stream", to: channelId, topic: "Alas", content: "live" });
  assert.equal(live.result, "success");
  assert.deepEqual(addedSince(chat.server.app.store.reader, id), { messages: 1, reactions: 0 });
  removeImport(chat, id);
  assert.deepEqual(tables(chat), before);
  await chat.restart();
  assert.deepEqual(tables(chat), before);
});

test("times of imported messages do not confuse searches by date", async (t) => {
  const chat = await start(t);
  const ask = chat.as("othello");
  const { id } = await ask.post("/messages", { type: "stream", to: "rowing", topic: "x", content: "before" });
  importSmall(chat);
  const narrow = [{ operator: "channel", operand: "rowing" }];
  const found = await ask.get("/messages", {
    anchor: "date",
    anchor_date: "2020-01-01T00:00:00Z",
    num_before: 0,
    num_after: 1,
    narrow,
  });
  assert.equal(found["anchor"], id);
});
