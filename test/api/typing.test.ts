import assert from "node:assert/strict";
import test from "node:test";
import type { Transaction } from "../../server/storage/transaction.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { reserveEventIds } from "../support/unlogged-events.ts";

const general = { name: "general", subscribers: ["hamlet", "othello", "polonius"] };
const secret = { name: "secret", private: true, subscribers: ["iago", "hamlet"] };
const without = ({ id: _, ...event }: Record<string, unknown>) => event;
const knows = { client_capabilities: { stream_typing_notifications: true, empty_topic_name: true } };

async function listen(chat: Chat, names: string[], params: object = knows) {
  await reserveEventIds(chat);
  const queues = new Map<string, Awaited<ReturnType<Chat["register"]>>>();
  for (const name of names) queues.set(name, await chat.register(name, { ...params }));
  return async () => {
    const heard: Record<string, unknown[]> = {};
    for (const [name, queue] of queues) {
      const events = (await queue.events()).filter(({ type }) => type.startsWith("typing"));
      if (events.length > 0) heard[name] = events.map(without);
    }
    return heard;
  };
}
const typing = async (chat: Chat, name: string, params: object) => {
  const answer = await chat.as(name).post("/typing", { op: "start", ...params });
  assert.equal(answer.status, 200, answer.msg);
};

test("typing reaches conversation participants only and is not stored", async (t) => {
  const chat = await startChat(t, { channels: [general, secret] });
  const heard = await listen(chat, ["hamlet", "othello", "iago", "cordelia"]);
  const { hamlet, othello, iago } = chat.ids as Record<string, number>;
  const person = (name: string) => ({ user_id: chat.ids[name], email: chat.as(name).email });
  chat.server.runChores(); // otherwise the minute's own record may come in between
  const { seq } = chat.server.app.store;
  const event = (op: string, names: string[]) => ({
    type: "typing",
    op,
    message_type: "direct",
    sender: person("hamlet"),
    recipients: names.map(person).sort((a, b) => Number(a.user_id) - Number(b.user_id)),
  });
  await typing(chat, "hamlet", { to: [othello] });
  const started = [event("start", ["hamlet", "othello"])];
  assert.deepEqual(await heard(), { hamlet: started, othello: started });
  await typing(chat, "hamlet", { type: "direct", op: "stop", to: [othello, iago, hamlet] });
  const stopped = event("stop", ["hamlet", "othello", "iago"]);
  assert.deepEqual(await heard(), { hamlet: [stopped], othello: [stopped], iago: [stopped] });
  await typing(chat, "hamlet", { type: "private", to: [chat.as("othello").email] });
  assert.deepEqual(Object.keys(await heard()), ["hamlet", "othello"]);
  await typing(chat, "hamlet", { to: [hamlet] });
  assert.deepEqual(await heard(), { hamlet: [event("start", ["hamlet"])] });
  assert.equal(chat.server.app.store.seq, seq);
});

test("channel subscribers see typing, whichever parameters the client uses", async (t) => {
  const chat = await startChat(t, { channels: [general, secret] });
  const everybody = ["desdemona", "hamlet", "othello", "iago", "cordelia", "polonius"];
  const heard = await listen(chat, everybody);
  const older = await listen(chat, ["othello"], { client_capabilities: { stream_typing_notifications: true } });
  const oldest = await listen(chat, ["othello"], {});
  const { general: stream_id, secret: hidden } = chat.ids as Record<string, number>;
  const event = {
    type: "typing",
    op: "start",
    message_type: "stream",
    sender: { user_id: chat.ids["hamlet"], email: chat.as("hamlet").email },
  };
  const target = { stream_id, topic: "castle" };
  for (const params of [
    { type: "channel", ...target },
    { type: "stream", stream_id, subject: "castle" },
    { type: "stream", to: [stream_id], topic: "castle" },
  ]) {
    await typing(chat, "hamlet", params);
    const events = [{ ...event, ...target }];
    assert.deepEqual(await heard(), { hamlet: events, othello: events, polonius: events });
  }
  await older();
  await typing(chat, "hamlet", { type: "channel", stream_id, topic: "general chat" });
  assert.deepEqual((await heard())["othello"], [{ ...event, stream_id, topic: "" }]);
  assert.deepEqual(await older(), { othello: [{ ...event, stream_id, topic: "general chat" }] });
  assert.deepEqual(await oldest(), {});
  // Only subscribers of a private channel see typing, not even the owner.
  await typing(chat, "hamlet", { type: "channel", stream_id: hidden, topic: "plot" });
  assert.deepEqual(Object.keys(await heard()), ["hamlet", "iago"]);
});

test("typing skips deactivated members of a conversation", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const { othello, iago } = chat.ids as Record<string, number>;
  const heard = await listen(chat, ["hamlet", "othello"]);
  await chat.as("desdemona").delete(`/users/${iago}`);
  await typing(chat, "hamlet", { to: [othello, iago] });
  const all = (await heard()) as Record<string, { recipients: { user_id: number }[] }[]>;
  assert.deepEqual(Object.keys(all), ["hamlet", "othello"]);
  const recipients = all["othello"]?.[0]?.recipients.map(({ user_id }) => user_id);
  assert.deepEqual(new Set(recipients), new Set([chat.ids["hamlet"], othello, iago]), "the same conversation");
});

test("typing requires permission to post there", async (t) => {
  const chat = await startChat(t, { channels: [general, secret], unwatched: true });
  const heard = await listen(chat, ["hamlet", "iago", "othello"]);
  const { general: stream_id, secret: hidden, othello } = chat.ids as Record<string, number>;
  const refuse = async (name: string, params: object, code = "BAD_REQUEST") => {
    const answer = await chat.as(name).post("/typing", { op: "start", ...params });
    assert.deepEqual([answer.status, answer.code], [400, code], JSON.stringify(params));
    return answer;
  };
  const outside = await refuse("othello", { type: "channel", stream_id: hidden, topic: "t" }, "STREAM_DOES_NOT_EXIST");
  const nowhere = await refuse("othello", { type: "channel", stream_id: 999, topic: "t" }, "STREAM_DOES_NOT_EXIST");
  assert.equal(outside.msg.replace(String(hidden), "999"), nowhere.msg);
  await refuse("hamlet", { to: [999_999] });
  await refuse("hamlet", { to: [] });
  await refuse("hamlet", {}, "REQUEST_VARIABLE_MISSING");
  await refuse("hamlet", { type: "channel", topic: "t" }, "REQUEST_VARIABLE_MISSING");
  await refuse("hamlet", { type: "channel", stream_id }, "REQUEST_VARIABLE_MISSING");
  await refuse("hamlet", { type: "channel", to: [stream_id, hidden], topic: "t" });
  await refuse("hamlet", { type: "channel", stream_id, topic: "x".repeat(61) });
  await refuse("hamlet", { type: "telepathy", to: [othello] });
  await refuse("hamlet", { op: "pause", to: [othello] });
  assert.deepEqual(await heard(), {});
});

test("settings hide typing from others and from yourself", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const heard = await listen(chat, ["othello", "polonius"]);
  const { general: stream_id, othello } = chat.ids as Record<string, number>;
  const { id } = await chat
    .as("hamlet")
    .post("/messages", { type: "channel", to: "general", topic: "t", content: "x" });
  const [direct, channel] = [{ to: [othello] }, { type: "channel", stream_id, topic: "t" }];
  const set = (name: string, params: object) => chat.as(name).patch("/settings", { ...params });
  await set("othello", { receives_typing_notifications: false });
  await typing(chat, "hamlet", direct);
  await typing(chat, "hamlet", channel);
  await chat.as("hamlet").post(`/messages/${id}/typing`, { op: "start" });
  assert.deepEqual(
    Object.entries(await heard()).map(([name, events]) => [name, events.length]),
    [["polonius", 2]],
  );
  await set("othello", { receives_typing_notifications: true });
  await set("hamlet", { send_private_typing_notifications: false });
  assert.equal((await chat.as("hamlet").post("/typing", { op: "start", ...direct })).status, 400);
  await typing(chat, "hamlet", channel);
  await set("hamlet", { send_private_typing_notifications: true, send_stream_typing_notifications: false });
  assert.equal((await chat.as("hamlet").post("/typing", { op: "start", ...channel })).status, 400);
  assert.equal((await chat.as("hamlet").post(`/messages/${id}/typing`, { op: "start" })).status, 400);
  await typing(chat, "hamlet", direct);
  assert.equal((await heard())["othello"]?.length, 2);
});

test("channels of more than 100 people show no typing", async (t) => {
  const names = Array.from({ length: 99 }, (_, n) => `extra${n}`);
  const crowd = { name: "crowd", subscribers: ["hamlet", ...names] };
  const chat = await startChat(t, {
    unwatched: true,
    users: Object.fromEntries(names.map((name) => [name, {}])),
    channels: [crowd],
  });
  const heard = await listen(chat, ["extra7"]);
  const target = { type: "channel", stream_id: chat.ids["crowd"], topic: "t" };
  await typing(chat, "hamlet", target);
  assert.deepEqual(Object.keys(await heard()), ["extra7"]);
  await chat.as("cordelia").post("/users/me/subscriptions", { subscriptions: [{ name: "crowd" }] });
  await typing(chat, "hamlet", target);
  assert.deepEqual(await heard(), {});
});

test("only a message's author announces editing", async (t) => {
  const chat = await startChat(t, { channels: [general, secret] });
  const heard = await listen(chat, ["desdemona", "hamlet", "othello", "iago", "cordelia"]);
  const { hamlet, othello, general: channel_id } = chat.ids as Record<string, number>;
  const post = async (params: object) =>
    (await chat.as("hamlet").post("/messages", { content: "x", ...params })).id as number;
  const edits = (name: string, id: number, op = "start") => chat.as(name).post(`/messages/${id}/typing`, { op });
  const [open, direct, hidden] = [
    await post({ type: "channel", to: "general", topic: "t" }),
    await post({ type: "direct", to: [othello] }),
    await post({ type: "channel", to: "secret", topic: "plot" }),
  ];
  const event = { type: "typing_edit_message", op: "start", sender_id: hamlet };
  assert.equal((await edits("hamlet", open)).status, 200);
  const editing = [{ ...event, message_id: open, recipient: { type: "channel", channel_id, topic: "t" } }];
  assert.deepEqual(await heard(), { hamlet: editing, othello: editing });
  assert.equal((await edits("hamlet", direct, "stop")).status, 200);
  const user_ids = [hamlet, othello].sort((a, b) => Number(a) - Number(b));
  const stopped = [{ ...event, op: "stop", message_id: direct, recipient: { type: "direct", user_ids } }];
  assert.deepEqual(await heard(), { hamlet: stopped, othello: stopped });
  assert.equal((await edits("hamlet", hidden)).status, 200);
  assert.deepEqual(Object.keys(await heard()), ["hamlet", "iago"]);
  // The editor may lack permission to edit, or to read, or the message may not exist.
  assert.equal((await edits("othello", open)).status, 400);
  assert.deepEqual(await edits("othello", hidden), await edits("othello", 999_999));
  assert.equal((await edits("hamlet", open, "pause")).status, 400);
  assert.deepEqual(await heard(), {});
});

test("typing reveals no hidden person", async (t) => {
  const limitedGuests = (tx: Transaction) => {
    const members = tx.value<number>("SELECT id FROM user_groups WHERE name = 'role:members'");
    tx.run("INSERT INTO organization_settings (name, value) VALUES ('can_access_all_users_group', ?)", String(members));
  };
  const chat = await startChat(t, { channels: [general], prepare: limitedGuests });
  const heard = await listen(chat, ["polonius", "othello"]);
  const { polonius, cordelia, general: stream_id } = chat.ids as Record<string, number>;
  // Cordelia shares no channel with the guest and has not written to him yet.
  await typing(chat, "cordelia", { to: [polonius] });
  await typing(chat, "cordelia", { type: "channel", stream_id, topic: "t" });
  await typing(chat, "othello", { to: [polonius, cordelia] });
  assert.deepEqual(Object.keys(await heard()), ["othello"]);
  assert.equal((await chat.as("polonius").post("/typing", { op: "start", to: [cordelia] })).status, 400);
  await chat.as("cordelia").post("/messages", { type: "direct", to: [polonius], content: "hello" });
  await typing(chat, "cordelia", { to: [polonius] });
  await typing(chat, "othello", { to: [polonius] });
  assert.equal((await heard())["polonius"]?.length, 2);
});

test("protected history hides the editing of earlier messages", async (t) => {
  const chat = await startChat(t);
  const made = await chat.as("hamlet").post("/users/me/subscriptions", {
    subscriptions: [{ name: "vault" }],
    principals: [chat.ids["hamlet"], chat.ids["iago"]],
    invite_only: true,
    history_public_to_subscribers: false,
  });
  assert.equal(made.status, 200, made.msg);
  const post = async (topic: string) => {
    const answer = await chat.as("hamlet").post("/messages", { type: "channel", to: "vault", topic, content: "x" });
    return answer.id as number;
  };
  const before = await post("early");
  await chat.as("hamlet").post("/users/me/subscriptions", {
    subscriptions: [{ name: "vault" }],
    principals: [chat.ids["othello"]],
  });
  const after = await post("");
  const heard = await listen(chat, ["othello", "iago"]);
  const older = await listen(chat, ["othello"], { client_capabilities: {} });
  for (const id of [before, after]) await chat.as("hamlet").post(`/messages/${id}/typing`, { op: "start" });
  const all = await heard();
  const messages = (name: string) => (all[name] as { message_id: number }[]).map(({ message_id }) => message_id);
  assert.deepEqual([messages("iago"), messages("othello")], [[before, after], [after]]);
  // A client without support for the empty topic gets its display name.
  const topics = ((await older())["othello"] as { recipient: { topic: string } }[]).map(
    ({ recipient }) => recipient.topic,
  );
  assert.deepEqual(topics, ["general chat"]);
});
