import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { deleteMessages } from "../../server/api/actions/message-deletions.ts";
import { unsubscribe } from "../../server/api/actions/subscriptions.ts";
import { type Channel, channelByName } from "../../server/api/queries/channels.ts";
import { type Chat, type ChatOptions, startChat } from "../support/chat.ts";

const NOON = 1_800_000_000;
const MINUTE = 60;
const general = { name: "general", subscribers: ["hamlet", "othello"] };
const secret = { name: "secret", private: true, subscribers: ["hamlet", "iago"] };

async function start(t: TestContext, options: ChatOptions = {}) {
  const clock = { at: NOON };
  const chat = await startChat(t, { channels: [general, secret], now: () => clock.at * 1000, ...options });
  const pass = async (to: number) => {
    clock.at = to;
    await chat.runChores();
  };
  const send = async (name: string, params: object) =>
    (
      await chat
        .as(name)
        .post("/messages", { type: "channel", to: "general", topic: "lunch", content: "soup?", ...params })
    ).id as number;
  return { chat, pass, send };
}

const remind = async (chat: Chat, name: string, message_id: number, at = NOON + MINUTE): Promise<number> => {
  const params = { message_id, scheduled_delivery_timestamp: at };
  const answer = await chat.as(name).post("/reminders", params);
  assert.equal(answer.status, 200, answer.msg);
  return answer.reminder_id;
};

const waiting = async (chat: Chat, name = "hamlet") => (await chat.as(name).get("/reminders")).reminders;
const without = <E extends object>(events: E[]) => events.map(({ id: _, ...event }: any) => event);

test("reminders are listed by time and can be deleted", async (t) => {
  const { chat, send } = await start(t);
  const message = await send("othello", {});
  const [own, other] = [await chat.register("hamlet"), await chat.register("othello")];
  const late = await remind(chat, "hamlet", message, NOON + 9 * MINUTE);
  const soon = await remind(chat, "hamlet", message);
  const [first, second, ...more] = await waiting(chat);
  assert.deepEqual(more, []);
  const { content, rendered_content, ...fields } = first;
  assert.deepEqual(fields, {
    reminder_id: soon,
    type: "private",
    to: [chat.ids.hamlet],
    scheduled_delivery_timestamp: NOON + MINUTE,
    failed: false,
    reminder_target_message_id: message,
  });
  assert.match(content, /```quote\nsoup\?\n```$/);
  assert.match(rendered_content, new RegExp(`href="[^"]*/near/${message}"`));
  assert.match(rendered_content, /<blockquote>\s*<p>soup\?<\/p>\s*<\/blockquote>/);
  assert.deepEqual([second.reminder_id, second.scheduled_delivery_timestamp], [late, NOON + 9 * MINUTE]);
  const { state } = await chat.register("hamlet");
  assert.deepEqual([state.reminders, state.scheduled_messages], [[first, second], []]);
  assert.equal((await chat.as("hamlet").delete(`/reminders/${soon}`)).status, 200);
  assert.deepEqual(await waiting(chat), [second]);
  assert.deepEqual(without(await own.events()), [
    { type: "reminders", op: "add", reminders: [second] },
    { type: "reminders", op: "add", reminders: [first] },
    { type: "reminders", op: "remove", reminder_id: soon },
  ]);
  assert.deepEqual(await other.events(), []);
});

test("a due reminder is sent once, unread", async (t) => {
  const { chat, pass, send } = await start(t);
  const inChannel = await send("othello", { content: "an ````odd```` one" });
  const direct = await send("othello", { type: "direct", to: [chat.ids.hamlet, chat.ids.iago] });
  const [a, b] = [await remind(chat, "hamlet", inChannel), await remind(chat, "hamlet", direct)];
  const [own, other] = [await chat.register("hamlet"), await chat.register("othello")];
  await pass(NOON + MINUTE - 1);
  assert.deepEqual(await own.events(), []);
  await pass(NOON + MINUTE);
  const [first, gone, second, alsoGone, ...more] = await own.events();
  assert.deepEqual(more, []);
  for (const event of [first, second]) {
    const { message, flags } = event as any;
    assert.deepEqual([message.type, message.sender_full_name, flags], ["private", "Notification Bot", []]);
    const people = message.display_recipient.map(({ id }: { id: number }) => id);
    assert.deepEqual(people, [message.sender_id, chat.ids.hamlet].sort());
  }
  assert.match(first?.message.content, /<blockquote>\s*<p>an <code>odd<\/code> one<\/p>\s*<\/blockquote>/);
  const people = [chat.ids.othello, chat.ids.iago].sort().join(",");
  assert.ok(second?.message.content.includes(`/#narrow/dm/${people}-group/near/${direct}"`), second?.message.content);
  const removed = [gone, alsoGone].map((event) => [event?.type, event?.op, event?.reminder_id]);
  assert.deepEqual(removed, [
    ["reminders", "remove", a],
    ["reminders", "remove", b],
  ]);
  assert.deepEqual(await waiting(chat), []);
  await chat.restart();
  await pass(NOON + 9 * MINUTE);
  assert.deepEqual(await own.events(), []);
  assert.deepEqual(await other.events(), []);
});

test("a reminder of the longest message fits", async (t) => {
  const { chat, pass, send } = await start(t);
  await remind(chat, "hamlet", await send("othello", { content: "𝄞".repeat(10_000) }));
  const queue = await chat.register("hamlet", { apply_markdown: false });
  const [{ content }] = await waiting(chat);
  assert.equal([...content].length, 10_000);
  assert.match(content, /𝄞\n\[…\]\n```$/);
  await pass(NOON + MINUTE);
  assert.equal((await queue.events())[0]?.message.content, content);
});

test("no message text breaks out of the quote", async (t) => {
  const { chat, send } = await start(t);
  const marks = Array.from({ length: 20 }, (_, n) => "`".repeat(n + 1)).join("\n\n");
  const content = `${marks}\n\n@**Iago**`;
  const texts = [content, `${"`".repeat(9000)}\n\n@**all**`, "```quote\n```\n```\n@**Iago**\n~~~"];
  for (const text of texts) await remind(chat, "hamlet", await send("othello", { content: text }));
  for (const { rendered_content: html } of await waiting(chat)) {
    assert.equal(html.slice(html.lastIndexOf("</blockquote>")).trim(), "</blockquote>", html);
  }
});

test("a reminder omits deleted and inaccessible messages", async (t) => {
  const { chat, pass, send } = await start(t);
  const deleted = await send("othello", { content: "burn this" });
  const hidden = await send("iago", { to: "secret", content: "hide this" });
  await remind(chat, "hamlet", deleted);
  await remind(chat, "hamlet", hidden);
  const { store } = chat.server.app;
  store.transact({ actor: null, action: "test" }, (tx) => deleteMessages(tx, chat.user("othello"), [deleted]));
  store.transact({ actor: null, action: "test" }, (tx) => {
    unsubscribe(tx, null, { users: [chat.user("hamlet")], channels: [channelByName(tx, "secret") as Channel] });
  });
  const queue = await chat.register("hamlet");
  const text = "<p>A reminder of a message that was deleted, or that you can no longer read.</p>";
  for (const list of [await waiting(chat), queue.state.reminders ?? []]) {
    assert.deepEqual(
      list.map((one: any) => [one.rendered_content, `<p>${one.content}</p>`]),
      [
        [text, text],
        [text, text],
      ],
    );
  }
  await pass(NOON + MINUTE);
  const messages = (await queue.events()).filter(({ type }) => type === "message");
  assert.deepEqual(
    messages.map(({ message }) => message.content),
    [text, text],
  );
});

test("a reminder does not name a hidden sender", async (t) => {
  const lobby = { name: "lobby", subscribers: ["othello", "polonius"] };
  const { chat, pass, send } = await start(t, { channels: [general, lobby] });
  const message = await send("othello", { to: "lobby" });
  const named = await send("bot", { to: "lobby", topic: "by a bot" });
  const reader = chat.server.app.store.reader;
  const members = reader.value<number>("SELECT id FROM user_groups WHERE name = 'role:members'");
  const setting = { can_access_all_users_group: { new: members } };
  assert.equal((await chat.as("desdemona").patch("/realm", setting)).status, 200);
  const leaving = await chat.as("othello").delete("/users/me/subscriptions", { subscriptions: ["lobby"] });
  assert.equal(leaving.status, 200, leaving.msg);
  const hidden = (await chat.as("polonius").get(`/messages/${message}`)).message;
  assert.equal(hidden.sender_full_name, "Unknown user");
  await remind(chat, "polonius", message);
  await remind(chat, "polonius", named, NOON + 2 * MINUTE);
  const [first, second] = await waiting(chat, "polonius");
  assert.doesNotMatch(first.content + first.rendered_content, /othello/i);
  assert.match(second.rendered_content, />Bot</);
  await pass(NOON + MINUTE);
  const { messages } = await chat
    .as("polonius")
    .get("/messages", { anchor: "newest", num_before: 1, narrow: [["is", "dm"]] });
  assert.match(messages[0].content, /^<p>A reminder of <a [^>]*>a message<\/a>:<\/p>/);
});

test("a reminder for a deactivated person fails and stays", async (t) => {
  const { chat, pass, send } = await start(t, { unwatched: true });
  await remind(chat, "hamlet", await send("othello", {}));
  const activate = (active: number) =>
    chat.server.app.store.transact({ actor: null, action: "test" }, (tx) => {
      tx.run("UPDATE users SET is_active = ? WHERE id = ?", active, chat.ids.hamlet as number);
    });
  const queue = await chat.register("hamlet");
  activate(0);
  await pass(NOON + MINUTE);
  activate(1);
  const [failed] = await waiting(chat);
  assert.equal(failed.failed, true);
  assert.deepEqual(without(await queue.events()), [
    { type: "reminders", op: "remove", reminder_id: failed.reminder_id },
    { type: "reminders", op: "add", reminders: [failed] },
  ]);
  await pass(NOON + 2 * MINUTE);
  assert.deepEqual(await queue.events(), []);
});

test("a failed reminder hides quotes the owner cannot read", async (t) => {
  const { chat, pass, send } = await start(t, { unwatched: true });
  await remind(chat, "hamlet", await send("iago", { to: "secret", content: "hide this" }));
  const queue = await chat.register("hamlet");
  chat.server.app.store.transact({ actor: null, action: "test" }, (tx) => {
    unsubscribe(tx, null, { users: [chat.user("hamlet")], channels: [channelByName(tx, "secret") as Channel] });
    tx.run("UPDATE users SET is_active = 0 WHERE id = ?", chat.ids.hamlet as number);
  });
  await pass(NOON + MINUTE);
  chat.server.app.store.transact({ actor: null, action: "test" }, (tx) => {
    tx.run("UPDATE users SET is_active = 1 WHERE id = ?", chat.ids.hamlet as number);
  });
  const events = (await queue.events()).filter(({ type }) => type === "reminders");
  assert.deepEqual(events.at(-1)?.reminders, await waiting(chat));
  assert.equal(events.at(-1)?.reminders[0].failed, true);
  assert.doesNotMatch(JSON.stringify(events), /hide this/);
});

test("reminders need a readable message and a future time", async (t) => {
  const { chat, send } = await start(t);
  const [open, hidden] = [await send("hamlet", {}), await send("hamlet", { to: "secret" })];
  const post = (message_id: unknown, at: unknown = NOON + MINUTE) =>
    chat.as("othello").post("/reminders", { message_id, scheduled_delivery_timestamp: at });
  const answers = [await post(hidden), await post(999)].map(({ status, code, msg }) => [status, code, msg]);
  assert.deepEqual(answers, [
    [400, "BAD_REQUEST", "Invalid message(s)"],
    [400, "BAD_REQUEST", "Invalid message(s)"],
  ]);
  for (const at of [NOON, NOON - 1, 9e15, "soon"]) {
    const { status, code } = await post(open, at);
    assert.deepEqual([status, code], [400, "BAD_REQUEST"], `${at}`);
  }
  for (const name of ["message_id", "scheduled_delivery_timestamp"]) {
    const params = { message_id: open, scheduled_delivery_timestamp: NOON + MINUTE, [name]: undefined };
    assert.deepEqual((await chat.as("othello").post("/reminders", params)).var_name, name);
  }
  assert.deepEqual(await waiting(chat, "othello"), []);
  await remind(chat, "othello", open, NOON + 1);
});

test("another person's reminder looks like a missing one", async (t) => {
  const { chat, send } = await start(t);
  const id = await remind(chat, "hamlet", await send("hamlet", {}));
  for (const path of [`/reminders/${id}`, "/reminders/999"]) {
    const { status, code, msg } = await chat.as("othello").delete(path);
    assert.deepEqual([status, code, msg], [404, "BAD_REQUEST", "Reminder not found."]);
  }
  assert.deepEqual(await waiting(chat, "othello"), []);
  assert.deepEqual((await chat.register("othello")).state.reminders, []);
  assert.equal((await waiting(chat)).length, 1);
});

test("a reminder quotes its owner's note above the message", async (t) => {
  const { chat, pass, send } = await start(t);
  const message_id = await send("othello", {});
  const note = "\n\nbring ```spoons```\n ";
  const params = { message_id, scheduled_delivery_timestamp: NOON + MINUTE, note };
  assert.equal((await chat.as("hamlet").post("/reminders", params)).status, 200);
  const [{ content }] = await waiting(chat);
  assert.match(content, /\.\n\nYour note:\n\n(`{4})quote\nbring ```spoons```\n\1\n\nThe message:\n\n```quote\nsoup\?/);
  const queue = await chat.register("hamlet", { apply_markdown: false });
  await pass(NOON + MINUTE);
  assert.equal((await queue.events())[0]?.message.content, content);
});

test("a reminder's note outlives the message", async (t) => {
  const { chat, pass, send } = await start(t);
  const message_id = await send("othello", { content: "burn this" });
  const params = { message_id, scheduled_delivery_timestamp: NOON + MINUTE, note: "matches" };
  assert.equal((await chat.as("hamlet").post("/reminders", params)).status, 200);
  chat.server.app.store.transact({ actor: null, action: "test" }, (tx) =>
    deleteMessages(tx, chat.user("othello"), [message_id]),
  );
  const [{ content, rendered_content }] = await waiting(chat);
  assert.match(content, /you can no longer read\.\n\nYour note:\n\n```quote\nmatches\n```$/);
  const queue = await chat.register("hamlet");
  await pass(NOON + MINUTE);
  assert.equal((await queue.events())[0]?.message.content, rendered_content);
});

test("the note of a reminder has a limit", async (t) => {
  const { chat, send } = await start(t);
  const message_id = await send("othello", {});
  const limit = (await chat.register("hamlet")).state.max_reminder_note_length;
  const post = (note: string) =>
    chat.as("hamlet").post("/reminders", { message_id, scheduled_delivery_timestamp: NOON + MINUTE, note });
  const { status, code, var_name, msg } = await post("𝄞".repeat(limit + 1));
  assert.deepEqual([status, code, var_name], [400, "BAD_REQUEST", "note"]);
  assert.match(msg, new RegExp(`${limit}`));
  assert.deepEqual(await waiting(chat), []);
  assert.equal((await post(`${"𝄞".repeat(limit)}\n`)).status, 200);
});
