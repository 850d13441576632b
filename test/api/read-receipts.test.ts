import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import test from "node:test";
import { moveMessages } from "../../server/api/actions/message-edits.ts";
import { markMessages } from "../../server/api/actions/message-flags.ts";
import { readersOf } from "../../server/api/presenters/read-state.ts";
import { channelById } from "../../server/api/queries/channels.ts";
import { FLAG, flagged, ReadState } from "../../server/api/queries/read-state.ts";
import { allUsers } from "../../server/api/queries/users.ts";
import type { Transaction } from "../../server/storage/transaction.ts";
import { type Chat, type ChatOptions, startChat } from "../support/chat.ts";

const general = { name: "general", subscribers: ["hamlet", "othello", "cordelia"] };

const act = (chat: Chat, fn: (tx: Transaction) => void) =>
  chat.server.app.store.transact({ actor: null, action: "test" }, fn);

const startChatHere = (t: TestContext, options: ChatOptions = {}): Promise<Chat> =>
  startChat(t, { channels: [general], unwatched: true, ...options });

const sendTo = async (chat: Chat, name: string, params: object = {}): Promise<number> =>
  (await chat.as(name).post("/messages", { type: "channel", to: "general", topic: "x", content: "x", ...params })).id;
const mark = (chat: Chat, name: string, messages: number[], op = "add", flag = "read") =>
  chat.as(name).post("/messages/flags", { messages, op, flag });
async function readers(chat: Chat, name: string, id: number): Promise<string[]> {
  const answer = await chat.as(name).get(`/messages/${id}/read_receipts`);
  assert.equal(answer.status, 200, answer.msg);
  const people = ["desdemona", "iago", "hamlet", "othello", "cordelia", "polonius", "bot"];
  return answer.user_ids.map((user: number) => people.find((person) => chat.ids[person] === user));
}

test("read receipts list a message's readers without its sender", async (t) => {
  const chat = await startChatHere(t);
  const [id, other] = [await sendTo(chat, "hamlet"), await sendTo(chat, "hamlet")];
  assert.deepEqual(await readers(chat, "hamlet", id), []);
  await mark(chat, "cordelia", [id]);
  await mark(chat, "othello", [id, other]);
  assert.deepEqual(await readers(chat, "hamlet", id), ["othello", "cordelia"]);
  assert.deepEqual(await readers(chat, "othello", other), ["othello"]);
  assert.deepEqual(await readers(chat, "iago", other), ["othello"]);
  await mark(chat, "othello", [id], "remove");
  assert.deepEqual(await readers(chat, "hamlet", id), ["cordelia"]);
  await chat.restart();
  assert.deepEqual(await readers(chat, "hamlet", id), ["cordelia"]);
});

test("direct messages and bots have receipts", async (t) => {
  const chat = await startChatHere(t);
  const id = await sendTo(chat, "hamlet", { type: "direct", to: [chat.ids.othello, chat.ids.bot] });
  await mark(chat, "bot", [id]);
  assert.deepEqual(await readers(chat, "othello", id), ["bot"]);
  await mark(chat, "othello", [id]);
  assert.deepEqual(await readers(chat, "othello", id), ["othello", "bot"]);
  const toOneself = await sendTo(chat, "hamlet", { type: "direct", to: [chat.ids.hamlet] });
  assert.deepEqual(await readers(chat, "hamlet", toOneself), []);
});

test("people without receipts and deactivated people are omitted", async (t) => {
  const chat = await startChatHere(t);
  const id = await sendTo(chat, "hamlet");
  for (const name of ["othello", "cordelia"]) await mark(chat, name, [id]);
  act(chat, (tx) => {
    const sql = "INSERT INTO user_settings (user_id, name, value) VALUES (?, 'send_read_receipts', 'false')";
    tx.run(sql, chat.ids.othello as number);
  });
  assert.deepEqual(await readers(chat, "hamlet", id), ["cordelia"]);
  assert.deepEqual(await readers(chat, "othello", id), ["cordelia"]);
  act(chat, (tx) => void tx.run("UPDATE users SET is_active = 0 WHERE id = ?", chat.ids.cordelia as number));
  assert.deepEqual(await readers(chat, "hamlet", id), []);
});

test("starred history adds a read receipt", async (t) => {
  const chat = await startChatHere(t);
  const id = await sendTo(chat, "hamlet");
  assert.deepEqual(await readers(chat, "hamlet", id), []);
  await mark(chat, "iago", [id], "add", "starred");
  assert.deepEqual(await readers(chat, "hamlet", id), ["iago"]);
});

test("receipts are on until the organization disables them", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const id = await sendTo(chat, "hamlet");
  await mark(chat, "othello", [id]);
  assert.deepEqual(await readers(chat, "hamlet", id), ["othello"]);
  await chat.as("desdemona").patch("/realm", { enable_read_receipts: false });
  const answer = await chat.as("othello").get(`/messages/${id}/read_receipts`);
  assert.deepEqual([answer.status, answer.code], [400, "BAD_REQUEST"]);
  assert.match(answer.msg, /disabled/);
});

test("unreadable and missing messages have no receipts", async (t) => {
  const design = { name: "design", private: true, subscribers: ["hamlet", "othello"] };
  const chat = await startChatHere(t, { channels: [general, design] });
  const [open, secret] = [await sendTo(chat, "hamlet"), await sendTo(chat, "hamlet", { to: "design" })];
  const direct = await sendTo(chat, "hamlet", { type: "direct", to: [chat.ids.othello] });
  await mark(chat, "othello", [secret, direct]);
  const ask = (name: string, id: number) => chat.as(name).get(`/messages/${id}/read_receipts`);
  const absent = await ask("hamlet", direct + 100);
  assert.deepEqual([absent.status, absent.code], [400, "BAD_REQUEST"]);
  for (const id of [secret, direct]) {
    assert.deepEqual(await readers(chat, "hamlet", id), ["othello"]);
    for (const name of ["iago", "cordelia", "polonius"]) assert.deepEqual(await ask(name, id), absent);
  }
  assert.deepEqual(await ask("polonius", open), absent);
  assert.equal((await chat.anonymous("GET", `/messages/${open}/read_receipts`)).status, 401);
});

test("receipts match read state after moves and unsubscribing", async (t) => {
  const chat = await startChatHere(t, {
    channels: [general, { name: "other", subscribers: ["hamlet", "cordelia", "iago"] }],
  });
  const ids: number[] = [];
  for (let n = 0; n < 24; n += 1) ids.push(await sendTo(chat, n % 3 ? "hamlet" : "othello", { content: `${n}` }));
  const every = (step: number) => ids.filter((_, at) => at % step === 0);
  await mark(chat, "cordelia", every(2));
  await mark(chat, "othello", every(5));
  await mark(chat, "bot", every(7), "add", "starred");
  act(chat, (tx) => {
    const channel = channelById(tx, chat.ids.other as number);
    if (channel) moveMessages(tx, chat.user("hamlet"), { ids: every(4), channel, propagateMode: "change_one" });
  });
  act(chat, (tx) => void markMessages(tx, chat.user("iago"), { ids: every(8), op: "remove", flag: "read" }));
  await chat.as("othello").delete("/users/me/subscriptions", { subscriptions: ["general"] });
  const { reader } = chat.server.app.store;
  let listed = 0;
  for (const id of ids) {
    const expected = allUsers(reader).filter((user) => {
      const state = new ReadState(reader, user.id);
      const has = state.received(id) || flagged(reader, user.id, FLAG.historical).includes(id);
      return has && state.index.entry(reader, id)?.sender !== user.id && !state.isUnread(id);
    });
    const found = readersOf(reader, id);
    assert.deepEqual(
      found,
      expected.map((user) => user.id),
      `message ${id}`,
    );
    listed += found.length;
  }
  assert.ok(listed > 10 && listed < ids.length * 3, `${listed} listed`);
});
