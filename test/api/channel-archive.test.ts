import assert from "node:assert/strict";
import test from "node:test";
import { archiveChannel, changeChannel } from "../../server/api/actions/channel-settings.ts";
import { type Channel, channelById } from "../../server/api/queries/channels.ts";
import { changed, channelOf, heard, makeChannel, openToWeb, refused } from "../support/channels.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { until } from "../support/patience.ts";

const post = (chat: Chat, who: string, to: string, topic = "t") =>
  chat.as(who).post("/messages", { type: "channel", to, topic, content: "x" });
const archive = (chat: Chat, who: string, channel: string) =>
  chat.as(who).delete(`/streams/${chat.ids[channel] ?? channel}`);
const names = (list: unknown) => (list as { name: string }[]).map(({ name }) => name);

for (const archivedChannels of [true, false]) {
  const clients = archivedChannels ? "know archived channels" : "do not know archived channels";
  test(`archiving and unarchiving reach clients that ${clients}`, async (t) => {
    const chat = await startChat(t, { watchAll: true, archivedChannels });
    await makeChannel(chat, "plans", { by: "hamlet", subscribers: ["hamlet", "polonius", "bot", "othello"] });
    await chat.as("othello").delete("/users/me/subscriptions", { subscriptions: ["plans"] });
    await chat.as("desdemona").post("/default_streams", { stream_id: chat.ids.plans });
    await post(chat, "hamlet", "plans");
    await chat.checkEvents();
    const [guest, othello] = [await chat.register("polonius"), await chat.register("othello")];
    assert.equal(guest.state.unread_msgs?.streams.length, 2);
    assert.equal((await archive(chat, "hamlet", "plans")).result, "success");
    const gone = archivedChannels ? "stream/update is_archived" : "stream/delete";
    assert.deepEqual(await heard(guest), ["message", gone, "update_message_flags/add"]);
    assert.deepEqual(await heard(othello), [gone, "default_streams"]);
    const after = (await chat.register("polonius")).state;
    assert.deepEqual(after.unread_msgs?.streams, [], "messages of an archived channel count as read");
    assert.deepEqual(names(after.subscriptions), archivedChannels ? ["plans"] : []);
    assert.deepEqual(names(after.streams), archivedChannels ? ["plans"] : []);
    await chat.checkEvents();

    // An archived channel still changes for clients that know it.
    await changed(chat, "hamlet", "plans", { new_name: "old plans", is_private: true });
    assert.equal((await channelOf(chat, "plans")).is_archived, true);
    await chat.checkEvents();
    const seen = archivedChannels ? ["stream/update invite_only", "stream/update name"] : [];
    assert.deepEqual(await heard(guest), seen);
    assert.deepEqual(await heard(othello), archivedChannels ? ["stream/delete"] : []);
    await changed(chat, "hamlet", "plans", { is_private: false });
    await chat.checkEvents();
    await Promise.all([guest.events(), othello.events()]);

    await changed(chat, "hamlet", "plans", { is_archived: false });
    const back = archivedChannels ? ["stream/update is_archived"] : ["stream/create", "subscription/add"];
    assert.deepEqual(await heard(guest), [...back, "message"]);
    assert.deepEqual(
      await heard(othello),
      archivedChannels ? ["stream/update is_archived"] : ["stream/create", "subscription/peer_add"],
    );
    assert.deepEqual(names((await chat.register("polonius")).state.subscriptions), ["old plans"]);
    assert.equal((await post(chat, "hamlet", "old plans")).result, "success");
    await chat.restart();
    assert.equal((await channelOf(chat, "plans")).is_archived, false);
  });
}

test("only channel administrators archive, and hidden channels look missing", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  await makeChannel(chat, "open", { by: "hamlet", subscribers: ["hamlet", "polonius"] });
  await makeChannel(chat, "closed", { by: "hamlet", invite_only: true });
  for (const who of ["othello", "polonius", "bot"]) {
    const { status, reason } = await archive(chat, who, "open");
    assert.deepEqual([status, reason], [400, "channel_administrators_only"], who);
    const { status: _, ...hidden } = await archive(chat, who, "closed");
    const { status: __, ...absent } = await archive(chat, who, "999999");
    assert.deepEqual(hidden, absent);
  }
  assert.equal((await channelOf(chat, "open")).is_archived, false);
  await refused(chat, "hamlet", "open", { is_archived: false });
  assert.equal((await archive(chat, "iago", "closed")).result, "success");
  assert.equal((await archive(chat, "hamlet", "open")).result, "success");
  assert.equal((await archive(chat, "hamlet", "open")).status, 400, "it is archived already");
  await refused(chat, "othello", "open", { is_archived: false });
  await refused(chat, "iago", "open", { is_default_stream: true });
  await changed(chat, "iago", "open", { is_default_stream: true, is_archived: false });
});

test("an archived channel is read-only", async (t) => {
  const chat = await startChat(t, { unwatched: true, archivedChannels: true, prepare: openToWeb });
  await makeChannel(chat, "plans", { by: "desdemona", subscribers: ["hamlet"], is_web_public: true });
  const { id } = await post(chat, "hamlet", "plans");
  assert.equal((await chat.as("polonius").get(`/messages/${id}`)).result, "success");
  const guest = await chat.register("polonius");
  await archive(chat, "desdemona", "plans");
  assert.deepEqual(await heard(guest), ["stream/delete"], "a guest loses an archived web-public channel");
  assert.equal((await chat.as("polonius").get(`/messages/${id}`)).result, "error");
  for (const who of ["hamlet", "othello"]) {
    assert.equal((await chat.as(who).get(`/messages/${id}`)).result, "success");
    assert.equal((await chat.as(who).get(`/users/me/${chat.ids.plans}/topics`)).result, "success");
    assert.match((await post(chat, who, "plans")).msg, /archived/);
    assert.match((await chat.as(who).post(`/messages/${id}/reactions`, { emoji_name: "tada" })).msg, /archived/);
  }
  const { streams } = await chat.as("hamlet").get("/streams");
  assert.deepEqual(streams, []);
  assert.deepEqual(names((await chat.as("hamlet").get("/streams", { exclude_archived: false }))["streams"]), ["plans"]);
});

test("a private channel without subscribers cannot be unarchived", async (t) => {
  const chat = await startChat(t);
  await makeChannel(chat, "plans", { by: "hamlet", invite_only: true });
  await archive(chat, "hamlet", "plans");
  await chat.as("hamlet").delete("/users/me/subscriptions", { subscriptions: ["plans"] });
  await refused(chat, "iago", "plans", { is_archived: false });
});

test("archiving finishes marking as read after restarts", async (t) => {
  const chat = await startChat(t, { archivedChannels: true });
  await makeChannel(chat, "plans", { by: "hamlet", subscribers: ["hamlet", "othello", "polonius"] });
  await post(chat, "hamlet", "plans");
  const channel = chat.ids.plans as number;
  // This is the state when the server stops right after the first slice.
  chat.server.app.store.transact({ actor: null, action: "test" }, (tx) =>
    archiveChannel(tx, chat.user("hamlet"), channelById(tx, channel) as Channel),
  );
  await chat.restart();
  // A slice lasts a few milliseconds, so a busy machine needs several.
  const left = () => chat.server.app.store.reader.value("SELECT COUNT(*) FROM archived_channels_unread");
  await until(() => left() === 0 || undefined, "everything to be read");
  for (const who of ["othello", "polonius"])
    assert.deepEqual((await chat.register(who)).state.unread_msgs?.streams, [], who);
});

test("a channel unarchived immediately keeps its unread messages", async (t) => {
  const chat = await startChat(t, { archivedChannels: true });
  await makeChannel(chat, "plans", { by: "hamlet", subscribers: ["hamlet", "othello"] });
  const { id } = await post(chat, "hamlet", "plans");
  const channel = chat.ids.plans as number;
  chat.server.app.store.transact({ actor: null, action: "test" }, (tx) => {
    archiveChannel(tx, chat.user("hamlet"), channelById(tx, channel) as Channel);
    changeChannel(tx, chat.user("hamlet"), channelById(tx, channel) as Channel, { is_archived: false });
  });
  chat.server.runChores();
  const { unread_msgs } = (await chat.register("othello")).state;
  assert.ok(unread_msgs?.streams.some(({ unread_message_ids }) => unread_message_ids.includes(id)));
});
