import assert from "node:assert/strict";
import test from "node:test";
import { channelOf, groupIds, openToWeb, setOrganization } from "../support/channels.ts";
import { startChat } from "../support/chat.ts";

const general = { name: "general", subscribers: ["hamlet", "othello"] };

test("creates a channel with the listed subscribers only", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const [hamlet, othello, guest] = [
    await chat.register("hamlet"),
    await chat.register("othello"),
    await chat.register("polonius"),
  ];
  const params = { name: " lunch ", description: "soup", subscribers: [chat.ids.othello] };
  const answer = await chat.as("hamlet").post("/channels/create", params);
  assert.equal(answer.status, 200, answer.msg);
  const { stream } = await chat.as("hamlet").get(`/streams/${answer.id}`);
  assert.deepEqual([stream.name, stream.description], ["lunch", "soup"]);
  const members = await chat.as("hamlet").get(`/streams/${answer.id}/members`);
  assert.deepEqual(members.subscribers, [chat.ids.othello]);
  const kinds = async (who: typeof hamlet) => (await who.events()).map(({ type, op }) => (op ? `${type}/${op}` : type));
  assert.deepEqual(await kinds(hamlet), ["stream/create", "subscription/peer_add", "stream/update"]);
  const events = await othello.events();
  const types = events.map(({ type }) => type).sort();
  assert.deepEqual(types, ["message", "message", "stream", "stream", "subscription"]);
  const contents = events.map(({ message }) => message?.content).join("");
  assert.match(contents, /created this channel/);
  assert.match(contents, /subscribed you to the channel .*#lunch/);
  assert.deepEqual(await kinds(guest), []);
});

test("creates a channel without subscribers, announced", async (t) => {
  const chat = await startChat(t, { channels: [general], unwatched: true });
  setOrganization(chat, { new_stream_announcements_stream_id: (await channelOf(chat, "general")).stream_id });
  const queue = await chat.register("othello", { event_types: ["message"] });
  const quiet = { subscribers: [], announce: true, send_new_subscription_messages: false };
  assert.equal((await chat.as("hamlet").post("/channels/create", { name: "lunch", ...quiet })).status, 200);
  const [{ message }, ...more] = (await queue.events()) as [any, ...unknown[]];
  assert.deepEqual([message.subject, more], ["new channels", []]);
  const hidden = await chat.as("hamlet").post("/channels/create", { name: "design", ...quiet, invite_only: true });
  assert.equal((await chat.as("hamlet").get(`/streams/${hidden.id}`)).status, 200, "its creator administers it");
  assert.equal((await chat.as("othello").get(`/streams/${hidden.id}`)).status, 400);
  assert.deepEqual(await queue.events(), []);
});

test("never subscribes to a channel that exists", async (t) => {
  const secret = { name: "secret", private: true, subscribers: ["hamlet"] };
  const chat = await startChat(t, { channels: [general, secret] });
  const queue = await chat.register("othello");
  for (const name of ["General", " secret"]) {
    const answer = await chat.as("othello").post("/channels/create", { name, subscribers: [chat.ids.othello] });
    assert.deepEqual([answer.status, answer.code], [409, "CHANNEL_ALREADY_EXISTS"], name);
  }
  const { stream_id } = await channelOf(chat, "general");
  assert.equal((await chat.as("iago").delete(`/streams/${stream_id}`)).status, 200);
  const again = await chat.as("othello").post("/channels/create", { name: "general", subscribers: [] });
  assert.deepEqual([again.status, again.code], [409, "CHANNEL_ALREADY_EXISTS"]);
  const added = (await queue.events()).filter(({ type, op }) => type === "subscription" || op === "create");
  assert.deepEqual(added, []);
});

test("a new channel has the requested settings", async (t) => {
  const chat = await startChat(t, { prepare: openToWeb });
  const create = async (name: string, settings: object) => {
    const answer = await chat.as("desdemona").post("/channels/create", { name, subscribers: [], ...settings });
    assert.equal(answer.status, 200, answer.msg);
    return (await chat.as("desdemona").get(`/streams/${answer.id}`)).stream;
  };
  const bare = await create("bare", { topics_policy: "empty_topic_only", is_default_stream: true });
  assert.deepEqual([bare.topics_policy, bare.invite_only], ["empty_topic_only", false]);
  const quoted = await create("quoted", { topics_policy: '"allow_empty_topic"', message_retention_days: 9 });
  assert.deepEqual([quoted.topics_policy, quoted.message_retention_days], ["allow_empty_topic", 9]);
  assert.equal((await create("web", { is_web_public: true })).is_web_public, true);
  assert.equal((await create("private", { invite_only: true })).history_public_to_subscribers, false);
  const open = { invite_only: true, history_public_to_subscribers: true };
  assert.equal((await create("open history", open)).history_public_to_subscribers, true);
  const group = { direct_members: [chat.ids.hamlet], direct_subgroups: [] };
  assert.deepEqual((await create("posts", { can_send_message_group: group })).can_send_message_group, group);
});

test("only permitted people create each kind of channel", async (t) => {
  const chat = await startChat(t, { unwatched: true, prepare: openToWeb });
  const id = await groupIds(chat);
  const code = async (who: string, params: object) =>
    (await chat.as(who).post("/channels/create", { name: "lunch", subscribers: [], ...params })).code;
  assert.equal(await code("polonius", {}), "BAD_REQUEST");
  assert.equal(await code("hamlet", { is_web_public: true }), "BAD_REQUEST");
  assert.equal(await code("hamlet", { is_default_stream: true }), "UNAUTHORIZED_PRINCIPAL");
  assert.equal(await code("iago", { message_retention_days: 9 }), "UNAUTHORIZED_PRINCIPAL");
  assert.equal(await code("iago", { is_default_stream: true, invite_only: true }), "BAD_REQUEST");
  setOrganization(chat, {
    can_create_public_channel_group: id("role:nobody"),
    can_create_private_channel_group: id("role:administrators"),
    can_set_topics_policy_group: id("role:administrators"),
    can_add_subscribers_group: id("role:administrators"),
  });
  assert.equal(await code("hamlet", {}), "BAD_REQUEST");
  await chat
    .as("desdemona")
    .post("/users/me/subscriptions", { subscriptions: [{ name: "secret" }], invite_only: true });
  assert.equal(await code("hamlet", { name: "secret" }), "BAD_REQUEST", "does not reveal the name");
  assert.equal(await code("hamlet", { invite_only: true }), "BAD_REQUEST");
  setOrganization(chat, { can_create_public_channel_group: id("role:members") });
  assert.equal(await code("hamlet", { topics_policy: "disable_empty_topic" }), "BAD_REQUEST");
  assert.equal(await code("hamlet", { subscribers: [chat.ids.othello] }), "BAD_REQUEST");
  assert.equal((await chat.as("hamlet").get("/get_stream_id", { stream: "lunch" })).status, 400, "nothing was created");
  assert.equal(await code("hamlet", { subscribers: [chat.ids.hamlet, chat.ids.bot] }), undefined);
});

test("bad settings of a new channel create nothing", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const bad = [
    { name: " " },
    { name: "𝄞".repeat(61) },
    { name: "a\u0007b" },
    { description: "x".repeat(1025) },
    { folder_id: 77 },
    { subscribers: [9999] },
    { subscribers: "othello" },
    { topics_policy: "chaos" },
    { message_retention_days: 0 },
    { can_send_message_group: 9999 },
  ];
  for (const params of bad) {
    const answer = await chat.as("desdemona").post("/channels/create", { name: "lunch", subscribers: [], ...params });
    assert.deepEqual([answer.status, answer.code], [400, "BAD_REQUEST"], JSON.stringify(params));
  }
  const missing = await chat.as("desdemona").post("/channels/create", { name: "lunch" });
  assert.deepEqual([missing.code, missing.var_name], ["REQUEST_VARIABLE_MISSING", "subscribers"]);
  assert.equal((await chat.as("desdemona").get("/streams")).streams.length, 1);
});
