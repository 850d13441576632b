import assert from "node:assert/strict";
import test from "node:test";
import { type Chat, type Params, startChat } from "../support/chat.ts";

const general = { name: "general", subscribers: ["hamlet", "othello"] };
const POLL = "/poll What to drink?\n\n- tea\n*coffee\n  water - still  ";

const sendText = async (chat: Chat, content: string, params: Params = {}): Promise<number> =>
  (await chat.as("hamlet").post("/messages", { type: "channel", to: "general", topic: "x", content, ...params })).id;
const attach = (chat: Chat, name: string, message_id: number, content: unknown, params: Params = {}) =>
  chat.as(name).post("/submessage", {
    message_id,
    msg_type: "widget",
    content: typeof content === "string" ? content : JSON.stringify(content),
    ...params,
  });
const submessagesOf = async (chat: Chat, name: string, id: number): Promise<Params[]> =>
  (await chat.as(name).get(`/messages/${id}`)).message.submessages;
const widgetOf = async (chat: Chat, content: string): Promise<unknown> => {
  const [first] = await submessagesOf(chat, "hamlet", await sendText(chat, content));
  return first && JSON.parse(first.content as string);
};
const vote = { type: "vote", key: "canned,0", vote: 1 };

test("/poll creates a poll, also in the event", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const queue = await chat.register("othello");
  const id = await sendText(chat, POLL);
  const [submessage, ...more] = await submessagesOf(chat, "othello", id);
  assert.deepEqual(more, []);
  const { id: number, content, ...fields } = submessage as Params;
  assert.ok(Number.isInteger(number));
  assert.deepEqual(fields, { msg_type: "widget", message_id: id, sender_id: chat.ids.hamlet });
  assert.deepEqual(JSON.parse(content as string), {
    widget_type: "poll",
    extra_data: { question: "What to drink?", options: ["tea", "coffee", "water - still"] },
  });
  const event = (await queue.events()).find(({ type }) => type === "message");
  assert.deepEqual(event?.message.submessages, [submessage]);
});

test("/todo creates a task list, other commands nothing", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  assert.deepEqual(await widgetOf(chat, "/todo Party\n- cake: with cherries: red\nmusic\n:"), {
    widget_type: "todo",
    extra_data: {
      task_list_title: "Party",
      tasks: [
        { task: "cake", desc: "with cherries: red" },
        { task: "music", desc: "" },
      ],
    },
  });
  assert.deepEqual(await widgetOf(chat, "/poll"), { widget_type: "poll", extra_data: { question: "", options: [] } });
  assert.deepEqual(await widgetOf(chat, "/poll\nWhy?"), {
    widget_type: "poll",
    extra_data: { question: "", options: ["Why?"] },
  });
  for (const content of ["/polls Why?", "poll Why?", "/Poll Why?", "Well, /poll Why?", "/me votes"]) {
    assert.equal(await widgetOf(chat, content), undefined, content);
  }
});

test("votes reach every reader of the message and persist", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const id = await sendText(chat, POLL);
  const [sender, reader, guest] = [
    await chat.register("hamlet"),
    await chat.register("cordelia"),
    await chat.register("polonius"),
  ];
  assert.deepEqual(await attach(chat, "othello", id, vote), { status: 200, result: "success", msg: "" });
  const [, submessage] = await submessagesOf(chat, "hamlet", id);
  const { id: submessage_id, ...fields } = submessage as Params;
  assert.deepEqual(fields, {
    msg_type: "widget",
    content: JSON.stringify(vote),
    message_id: id,
    sender_id: chat.ids.othello,
  });
  for (const queue of [sender, reader]) {
    const events = (await queue.events()).map(({ id: _id, ...event }) => event);
    assert.deepEqual(events, [{ type: "submessage", ...fields, submessage_id }]);
  }
  assert.deepEqual(await guest.events(), []);
  await chat.restart();
  assert.equal((await submessagesOf(chat, "cordelia", id)).length, 2);
});

test("every valid poll and list submessage is accepted", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const [poll, todo] = [await sendText(chat, POLL), await sendText(chat, "/todo Party")];
  const own = [
    [poll, { type: "question", question: "And now?" }],
    [todo, { type: "new_task_list_title", title: "Feast" }],
  ] as const;
  const anybodys = [
    [poll, { ...vote, vote: -1 }],
    [poll, { type: "new_option", idx: 1, option: "juice" }],
    [todo, { type: "new_task", key: 2, task: "lights", desc: "", completed: false }],
    [todo, { type: "strike", key: "2,9" }],
  ] as const;
  for (const [id, content] of [...own, ...anybodys]) {
    assert.equal((await attach(chat, "hamlet", id, content)).status, 200, content.type);
  }
  for (const [id, content] of anybodys)
    assert.equal((await attach(chat, "othello", id, content)).status, 200, content.type);
  for (const [id, content] of own) assert.match((await attach(chat, "othello", id, content)).msg, /author/);
  assert.equal((await submessagesOf(chat, "hamlet", poll)).length, 1 + 3 + 2);
});

test("unknown submessages are rejected", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const [poll, todo] = [await sendText(chat, POLL), await sendText(chat, "/todo Party")];
  const queue = await chat.register("othello");
  const refused: [number, unknown, RegExp, Params?][] = [
    [poll, "{vote", /JSON/],
    [poll, "", /JSON/],
    [poll, [], /type/],
    [poll, null, /type/],
    [poll, { type: 1 }, /type/],
    [poll, { type: "strike", key: "1,1" }, /Unknown type for poll/],
    [poll, { type: "constructor" }, /Unknown type for poll/],
    [todo, vote, /Unknown type for todo/],
    [poll, { ...vote, vote: 2 }, /vote/],
    [poll, { ...vote, key: 3 }, /key/],
    [poll, { ...vote, more: 1 }, /more/],
    [poll, { type: "vote", vote: 1 }, /key/],
    [poll, { type: "new_option", idx: "1", option: "x" }, /idx/],
    [poll, { type: "question" }, /question/],
    [todo, { type: "new_task", key: 1, task: "x", desc: "", completed: 0 }, /completed/],
    [poll, vote, /msg_type/, { msg_type: "other" }],
    [poll, { ...vote, key: "x".repeat(10_000) }, /at most 10000/],
  ];
  for (const [id, content, msg, params] of refused) {
    const answer = await attach(chat, "hamlet", id, content, params);
    assert.deepEqual([answer.status, answer.code], [400, "BAD_REQUEST"], JSON.stringify(content)?.slice(0, 80));
    assert.match(answer.msg, msg);
  }
  for (const missing of ["message_id", "msg_type", "content"]) {
    const answer = await attach(chat, "hamlet", poll, vote, { [missing]: undefined });
    assert.deepEqual([answer.status, answer.code, answer.var_name], [400, "REQUEST_VARIABLE_MISSING", missing]);
  }
  assert.deepEqual(await queue.events(), []);
  assert.equal((await submessagesOf(chat, "hamlet", poll)).length, 1);
});

test("a message without a widget takes no submessages", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const id = await sendText(chat, "no poll");
  for (const name of ["hamlet", "othello"]) {
    const answer = await attach(chat, name, id, vote);
    assert.deepEqual([answer.status, answer.code], [400, "BAD_REQUEST"]);
    assert.match(answer.msg, /cannot attach/);
  }
  assert.deepEqual(await submessagesOf(chat, "hamlet", id), []);
});

test("a poll in an unreadable message looks missing", async (t) => {
  const design = { name: "design", private: true, subscribers: ["hamlet"] };
  const chat = await startChat(t, { channels: [general, design] });
  const [open, secret] = [await sendText(chat, POLL), await sendText(chat, POLL, { to: "design" })];
  const queue = await chat.register("iago");
  const absent = await attach(chat, "hamlet", secret + 100, vote);
  assert.deepEqual([absent.status, absent.code], [400, "BAD_REQUEST"]);
  for (const name of ["othello", "iago", "polonius"])
    assert.deepEqual(await attach(chat, name, secret, vote), absent, name);
  assert.deepEqual(await attach(chat, "polonius", open, vote), absent);
  assert.equal((await attach(chat, "hamlet", secret, vote)).status, 200);
  assert.deepEqual(await queue.events(), []);
});

test("polls in an archived channel are closed", async (t) => {
  const chat = await startChat(t, { channels: [general], unwatched: true });
  const id = await sendText(chat, POLL);
  chat.server.app.store.transact({ actor: null, action: "test" }, (tx) =>
    tx.run("UPDATE channels SET is_archived = 1"),
  );
  assert.match((await attach(chat, "hamlet", id, vote)).msg, /archived/);
});

test("deleting a message deletes its submessages", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const [id, other] = [await sendText(chat, POLL), await sendText(chat, POLL)];
  await attach(chat, "othello", id, vote);
  assert.equal((await chat.as("desdemona").delete(`/messages/${id}`)).status, 200);
  const left = chat.server.app.store.reader.all("SELECT message_id FROM submessages");
  assert.deepEqual(left, [{ message_id: other }]);
  assert.equal((await submessagesOf(chat, "othello", other)).length, 1);
});
