import assert from "node:assert/strict";
import { on } from "node:events";
import { createRequire } from "node:module";
import { type TestContext, test } from "node:test";
import { Worker } from "node:worker_threads";
import { type Chat, startChat } from "../support/chat.ts";
import { until } from "../support/patience.ts";
import { reserveEventIds } from "../support/unlogged-events.ts";

// The public JavaScript library, unmodified, against a real port. Every POST is multipart, PATCH and DELETE send their
// parameters in the query, and narrows use the old spellings (docs/protocol.md#requests).
const zulip = createRequire(import.meta.url)("zulip-js");

type Answer = Record<string, any>;

async function signIn(chat: Chat, name: string): Promise<Answer> {
  return zulip({ username: chat.as(name).email, apiKey: chat.as(name).key, realm: chat.url });
}

const start = (t: TestContext) =>
  startChat(t, { channels: [{ name: "general", subscribers: ["desdemona", "hamlet", "othello"] }] });

/** The library's event loop never ends, so it runs on a thread that can be terminated. */
async function listen(t: TestContext, chat: Chat, name: string, types: string[]): Promise<{ next(): Promise<Answer> }> {
  const { email, key } = chat.as(name);
  const loop = `
    const { parentPort, workerData } = require("node:worker_threads");
    const zulip = require(workerData.library);
    zulip(workerData.config).then((client) =>
      client.callOnEachEvent((event) => parentPort.postMessage(event), workerData.types));`;
  const config = { username: email, apiKey: key, realm: chat.url };
  const library = createRequire(import.meta.url).resolve("zulip-js");
  const thread = new Worker(loop, { eval: true, workerData: { library, config, types }, stdout: true });
  t.after(() => thread.terminate());
  const before = chat.server.app.queues.waiting;
  await until(() => chat.server.app.queues.waiting > before || undefined, "its poll");
  const events = on(thread, "message");
  return { next: async () => ((await events.next()) as { value: Answer[] }).value[0] as Answer };
}

test("two people chat in a channel and directly, live", async (t) => {
  const chat = await start(t);
  const [hamlet, othello] = [await signIn(chat, "hamlet"), await signIn(chat, "othello")];
  const registered = await othello["queues"].register({ event_types: ["message"] });
  assert.equal(registered.result, "success");
  const poll = (last_event_id: number): Promise<Answer> =>
    othello["events"].retrieve({ queue_id: registered.queue_id, last_event_id });

  const waiting = poll(registered.last_event_id);
  const sent = await hamlet["messages"].send({
    type: "stream",
    to: "general",
    topic: "castle",
    content: "Who's *there*?",
  });
  const { events } = await waiting;
  assert.deepEqual(
    events.map((event: Answer) => [event["type"], event["message"].id, event["message"].content]),
    [["message", sent.id, "Who's *there*?"]],
  );
  assert.equal(events[0].message.display_recipient, "general");

  const waitingAgain = poll(events[0].id);
  const direct = await hamlet["messages"].send({ type: "private", to: chat.as("othello").email, content: "A word." });
  const [second] = (await waitingAgain)["events"];
  assert.equal(second.message.id, direct.id);
  assert.deepEqual(
    second.message.display_recipient.map(({ id }: Answer) => id),
    [chat.ids["hamlet"], chat.ids["othello"]],
  );
  assert.deepEqual(second.flags, []);
  assert.equal((await othello["queues"].deregister({ queue_id: registered.queue_id })).result, "success");
  assert.equal((await poll(0))["code"], "BAD_EVENT_QUEUE_ID");
});

test("the library's event loop receives the messages of others", async (t) => {
  const chat = await start(t);
  const hamlet = await signIn(chat, "hamlet");
  const othello = await listen(t, chat, "othello", ["message"]);
  for (const content of ["one", "two"]) {
    await hamlet["messages"].send({ type: "stream", to: "general", topic: "castle", content });
    assert.equal((await othello.next())["message"].content, content);
  }
});

test("exchanges a password for an API key", async (t) => {
  const chat = await start(t);
  const config: Answer = { username: "desdemona@example.com", password: "secret-desdemona", realm: `${chat.url}/api` };
  const desdemona = await zulip(config);
  assert.equal(config["apiKey"], chat.as("desdemona").key);
  assert.equal((await desdemona["users"].me.getProfile()).user_id, chat.ids["desdemona"]);
  const wrong: Answer = { username: "desdemona@example.com", password: "guess", realm: chat.url };
  await zulip(wrong);
  assert.equal(wrong["apiKey"], undefined);
});

test("reads messages, people, channels and flags", async (t) => {
  const chat = await start(t);
  const [hamlet, othello] = [await signIn(chat, "hamlet"), await signIn(chat, "othello")];
  const { id } = await hamlet["messages"].send({
    type: "stream",
    to: "general",
    subject: "castle",
    content: "**bold**",
  });
  const narrow = [
    { operator: "stream", operand: "general" },
    { operator: "topic", operand: "castle" },
  ];
  const history = await othello["messages"].retrieve({ narrow, anchor: "newest", num_before: 10, num_after: 0 });
  assert.deepEqual(
    history.messages.map((message: Answer) => [message["id"], message["content"]]),
    [[id, "<p><strong>bold</strong></p>"]],
  );
  const one = await othello["messages"].getById({ message_id: id, apply_markdown: false });
  assert.equal(one.message.content, "**bold**");

  assert.deepEqual((await othello["messages"].flags.add({ messages: [id], flag: "read" })).messages, [id]);
  assert.deepEqual((await othello["messages"].flags.add({ messages: [id], flag: "starred" })).messages, [id]);
  assert.deepEqual(
    (await othello["messages"].flags.remove({ messages: [id], flag: "read" })).ignored_because_not_subscribed_channels,
    [],
  );

  const people = await othello["users"].retrieve({ client_gravatar: true });
  assert.ok(people.members.some((member: Answer) => member["user_id"] === chat.ids["hamlet"]));
  const channels = await othello["streams"].retrieve({ include_public: true });
  assert.deepEqual(
    channels.streams.map(({ name }: Answer) => name),
    ["general"],
  );
  const { topics } = await othello["streams"].topics.retrieve({ stream_id: chat.ids["general"] });
  assert.deepEqual(topics, [{ max_id: id, name: "castle" }]);
  assert.equal((await othello["server"].settings()).realm_name, "Venice");
  assert.equal((await othello["callEndpoint"]("/users/me")).user_id, chat.ids["othello"]);
});

test("an administrator changes people, members change their subscriptions", async (t) => {
  const chat = await start(t);
  const [iago, hamlet] = [await signIn(chat, "iago"), await signIn(chat, "hamlet")];
  const person = { email: "yorick@example.com", password: "alas-poor-me", full_name: "Yorick" };
  assert.equal((await hamlet["users"].create(person)).code, "UNAUTHORIZED_PRINCIPAL");
  assert.equal((await iago["users"].create(person)).result, "success");
  const added = await hamlet["users"].me.subscriptions.add({ subscriptions: JSON.stringify([{ name: "players" }]) });
  assert.deepEqual(added.subscribed, { [chat.ids["hamlet"] as number]: ["players"] });
  const names = async () =>
    (await hamlet["streams"].subscriptions.retrieve()).subscriptions.map(({ name }: Answer) => name).sort();
  assert.deepEqual(await names(), ["general", "players"]);
  const gone = await hamlet["users"].me.subscriptions.remove({ subscriptions: JSON.stringify(["players"]) });
  assert.deepEqual([gone.removed, gone.not_removed], [["players"], []]);
  assert.deepEqual(await names(), ["general"]);
});

test("finds a channel's ID and archives the channel", async (t) => {
  const chat = await start(t);
  const [hamlet, iago] = [await signIn(chat, "hamlet"), await signIn(chat, "iago")];
  const stream_id = chat.ids["general"];
  assert.equal((await hamlet["streams"].getStreamId("General")).stream_id, stream_id);
  assert.equal((await hamlet["streams"].getStreamId("nothing")).code, "BAD_REQUEST");
  assert.equal((await hamlet["streams"].deleteById({ stream_id })).result, "error");
  const gone = await iago["streams"].deleteById({ stream_id });
  assert.deepEqual([gone.result, gone.ignored_parameters_unsupported], ["success", ["stream_id"]]);
  assert.deepEqual((await hamlet["streams"].retrieve()).streams, []);
});

test("reacts to messages and renders previews", async (t) => {
  const chat = await start(t);
  const [hamlet, othello] = [await signIn(chat, "hamlet"), await signIn(chat, "othello")];
  const { id } = await hamlet["messages"].send({ type: "stream", to: "general", topic: "castle", content: "x" });
  assert.equal((await othello["reactions"].add({ message_id: id, emoji_name: "tada" })).result, "success");
  const again = await othello["reactions"].add({ message_id: id, emoji_name: "tada", emoji_code: "1f389" });
  assert.equal(again.code, "REACTION_ALREADY_EXISTS");
  const reactions = async () => (await hamlet["messages"].getById({ message_id: id })).message.reactions;
  assert.deepEqual(await reactions(), [
    { emoji_name: "tada", emoji_code: "1f389", reaction_type: "unicode_emoji", user_id: chat.ids["othello"] },
  ]);
  assert.equal((await othello["reactions"].remove({ message_id: id, emoji_name: "tada" })).result, "success");
  assert.deepEqual(await reactions(), []);
  assert.equal((await hamlet["messages"].render("*x*")).rendered, "<p><em>x</em></p>");
});

test("understands the protocol's emoji and the organization's linkifiers", async (t) => {
  const chat = await start(t);
  const [hamlet, iago] = [await signIn(chat, "hamlet"), await signIn(chat, "iago")];
  const linkifier = { pattern: "#(?P<id>[0-9]+)", url_template: "https://tracker.example/{id}" };
  const { id: filter } = await iago["callEndpoint"]("/realm/filters", "POST", linkifier);
  const { linkifiers } = await hamlet["callEndpoint"]("/realm/linkifiers");
  assert.deepEqual([linkifiers[0].id, linkifiers[0].url_template], [filter, linkifier.url_template]);
  const content = "#12 :flag_andorra: :gyōza:";
  const { id } = await hamlet["messages"].send({ type: "stream", to: "general", topic: "about #12", content });
  const emoji = { message_id: id, emoji_name: "flag_andorra", emoji_code: "1f1e6-1f1e9" };
  assert.equal((await hamlet["reactions"].add(emoji)).result, "success");
  const { message } = await hamlet["messages"].getById({ message_id: id });
  assert.equal(
    message.content,
    '<p><a href="https://tracker.example/12">#12</a> ' +
      '<span aria-label="flag andorra" class="emoji emoji-1f1e6-1f1e9" role="img" title="flag andorra">:flag_andorra:</span> ' +
      '<span aria-label="gyōza" class="emoji emoji-1f95f" role="img" title="gyōza">:gyōza:</span></p>',
  );
  assert.deepEqual(message.topic_links, [{ text: "#12", url: "https://tracker.example/12" }]);
  assert.equal(message.reactions[0].emoji_name, "flag_andorra");
  const removed = await iago["callEndpoint"](`/realm/filters/${filter}`, "DELETE");
  assert.equal(removed.result, "success");
});

test("edits, moves and deletes messages, with a history", async (t) => {
  const chat = await start(t);
  const [hamlet, othello] = [await signIn(chat, "hamlet"), await signIn(chat, "othello")];
  const { id } = await hamlet["messages"].send({ type: "stream", to: "general", topic: "castle", content: "x" });
  assert.equal((await hamlet["messages"].update({ message_id: id, content: "ghost & co" })).result, "success");
  const moved = await othello["messages"].update({ message_id: id, topic: "walls", propagate_mode: "change_all" });
  assert.equal(moved.result, "success");
  const { message_history } = await othello["messages"].getHistoryById({ message_id: id });
  assert.deepEqual(
    message_history.map(({ topic, content }: Answer) => [topic, content]),
    [
      ["castle", "x"],
      ["castle", "ghost & co"],
      ["walls", "ghost & co"],
    ],
  );
  assert.equal((await othello["messages"].deleteById({ message_id: id })).code, "BAD_REQUEST");
  assert.equal((await hamlet["messages"].deleteById({ message_id: id })).result, "success");
  assert.equal((await hamlet["messages"].getById({ message_id: id })).code, "BAD_REQUEST");
});

test("sends typing and lists alert words", async (t) => {
  const chat = await start(t);
  await reserveEventIds(chat);
  const hamlet = await signIn(chat, "hamlet");
  const [othello, iago] = [await chat.register("othello"), await chat.register("iago")];
  const hears = async (to: (string | number)[]) => {
    assert.equal((await hamlet["typing"].send({ op: "start", to })).result, "success");
    return [(await othello.events()).map(({ type }) => type), (await iago.events()).map(({ type }) => type)];
  };
  assert.deepEqual(await hears([chat.ids["othello"] as number]), [["typing"], []]);
  assert.deepEqual(await hears([chat.as("othello").email]), [["typing"], []]);
  assert.deepEqual(await hears([chat.ids["othello"] as number, chat.ids["iago"] as number]), [["typing"], ["typing"]]);
  await chat.as("hamlet").post("/users/me/alert_words", { alert_words: ["ghost"] });
  assert.deepEqual((await hamlet["users"].me.alertWords.retrieve()).alert_words, ["ghost"]);
});

test("lists custom emoji", async (t) => {
  const chat = await start(t);
  assert.deepEqual(await (await signIn(chat, "hamlet"))["emojis"].retrieve(), {
    result: "success",
    msg: "",
    emoji: {},
  });
});

test("understands the response to unsupported calls", async (t) => {
  const chat = await start(t);
  const hamlet = await signIn(chat, "hamlet");
  const { id } = await hamlet["messages"].send({ type: "stream", to: "general", topic: "castle", content: "x" });
  const later: [string, Promise<Answer>][] = [
    ["filters", hamlet["filters"].retrieve()],
    ["pointer", hamlet["users"].me.pointer.retrieve()],
    ["set pointer", hamlet["users"].me.pointer.update(id)],
  ];
  for (const [name, call] of later) {
    const answer = await call;
    assert.ok(answer["result"] === "error" || answer["result"] === "success", name);
    assert.equal(typeof answer["msg"], "string", name);
    // When you support a call, move it from this list to its own test.
    assert.equal(answer["result"], "error", `${name} is there now: test what it does`);
    assert.ok(answer["msg"].length > 0, name);
  }
});
