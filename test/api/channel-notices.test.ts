import assert from "node:assert/strict";
import test from "node:test";
import { startChat } from "../support/chat.ts";
import { act, channelOf, direct, story } from "../support/notices.ts";

const general = { name: "general", subscribers: ["hamlet", "othello", "polonius"] };

test("a new channel starts with a system message", async (t) => {
  const chat = await startChat(t);
  const hamlet = `@_**Hamlet|${chat.ids.hamlet}**`;
  const create = async (name: string, more: object = {}, description = "") => {
    const params = { subscriptions: [{ name, description }], principals: [chat.ids.hamlet, chat.ids.othello], ...more };
    const answer = await chat.as("hamlet").post("/users/me/subscriptions", params);
    assert.deepEqual([answer.result, answer.new_subscription_messages_sent], ["success", true], answer.msg);
  };
  const queue = await chat.register("othello");
  const makers = await chat.register("hamlet");
  await create("open", {}, "For ``` all @**Othello** #**closed**");
  await create("closed", { invite_only: true });
  await create("guarded", { invite_only: true, history_public_to_subscribers: false });
  await create("plain", { topics_policy: "empty_topic_only" });
  const made = `${hamlet} created this channel.`;
  const quote = "````quote\nFor ``` all @**Othello** #**closed**\n````";
  assert.deepEqual(await story(chat, "othello", "open"), [`${made} It is public. Its description:\n\n${quote}`]);
  assert.deepEqual(await story(chat, "othello", "closed"), [
    `${made} It is private, and new subscribers can read what was said before.`,
  ]);
  assert.deepEqual(await story(chat, "othello", "guarded"), [
    `${made} It is private, and new subscribers cannot read what was said before.`,
  ]);
  assert.deepEqual(await story(chat, "othello", "plain", ""), [`${made} It is public.`]);
  const heard = (await queue.events()).filter(({ type }) => type === "message");
  assert.deepEqual(
    heard.map(({ message, flags }) => [message.display_recipient, message.subject, flags]),
    [
      ["open", "channel events", []],
      ["closed", "channel events", []],
      ["guarded", "channel events", []],
      ["plain", "", []],
    ],
  );
  const own = (await makers.events()).filter(({ type }) => type === "message");
  assert.deepEqual(
    own.map(({ flags }) => flags),
    [["read"], ["read"], ["read"], ["read"]],
    "who made it has read it",
  );
  assert.ok(!heard[0]?.message.content.includes(`data-stream-id="${channelOf(chat, "closed").id}"`));
  // The creation of a channel sends its first subscribers no direct message.
  assert.deepEqual(await direct(chat, "othello"), []);
});

test("a new public channel is announced", async (t) => {
  const town = { name: "town", subscribers: ["hamlet", "othello"] };
  const chat = await startChat(t, { channels: [general, town], unwatched: true });
  const hamlet = `@_**Hamlet|${chat.ids.hamlet}**`;
  const create = async (names: string[], more: object = {}) => {
    const subscriptions = names.map((name) => ({ name, description: `about ${name}` }));
    const answer = await chat.as("hamlet").post("/users/me/subscriptions", { subscriptions, announce: true, ...more });
    assert.equal(answer.result, "success", answer.msg);
  };
  await create(["zero"]);
  await act(chat, (tx) =>
    tx.run(
      "INSERT INTO organization_settings (name, value) VALUES ('new_stream_announcements_stream_id', ?)",
      String(chat.ids.town),
    ),
  );
  const queues = [await chat.register("hamlet"), await chat.register("othello")];
  await create(["one"]);
  const announced = async (queue: (typeof queues)[number]) =>
    (await queue.events()).flatMap((event) =>
      event.type === "message" && event.message.subject === "new channels" ? [event.flags] : [],
    );
  assert.deepEqual(await Promise.all(queues.map(announced)), [[["read"]], [[]]], "who made it knows it");
  await create(["two"], { announce: false });
  await create(["three"], { invite_only: true });
  await create(["four", "five"]);
  // An existing channel is not announced.
  await create(["one"]);
  assert.deepEqual(await story(chat, "desdemona", "town", "new channels"), [
    `${hamlet} created the channel #**one**. Its description:\n\n\`\`\`quote\nabout one\n\`\`\``,
    `${hamlet} created these channels:\n\n* #**four**\n* #**five**`,
  ]);
  await act(chat, (tx) => tx.run("UPDATE channels SET is_archived = 1 WHERE name = 'town'"));
  await create(["six"]);
  assert.equal((await story(chat, "desdemona", "town", "new channels")).length, 2);
});

test("subscribing others sends each one direct message", async (t) => {
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`extra${n}`, {}]));
  const channels = [general, { name: "a" }, { name: "b" }, { name: "c" }, { name: "d", private: true }];
  const chat = await startChat(t, { channels, users: many, unwatched: true });
  const desdemona = `@_**Desdemona|${chat.ids.desdemona}**`;
  const bring = async (names: string[], people: string[], more: object = {}) => {
    const answer = await chat.as("desdemona").post("/users/me/subscriptions", {
      subscriptions: names.map((name) => ({ name })),
      principals: people.map((name) => chat.ids[name]),
      ...more,
    });
    assert.equal(answer.result, "success", answer.msg);
    return answer.new_subscription_messages_sent;
  };
  const other = await chat.register("othello");
  assert.equal(await bring(["a", "b", "new"], ["desdemona", "hamlet", "bot"]), true);
  assert.equal(await bring(["d"], ["hamlet"]), true);
  assert.equal(await bring(["c"], ["hamlet"], { send_new_subscription_messages: false }), undefined);
  assert.equal(await bring(["a"], ["hamlet"]), true);
  const messages = await direct(chat, "hamlet");
  assert.deepEqual(messages, [
    `${desdemona} subscribed you to these channels:\n\n* #**a**\n* #**b**`,
    `${desdemona} subscribed you to the channel #**d**.`,
  ]);
  for (const name of ["desdemona", "bot"]) assert.deepEqual(await direct(chat, name), [], name);
  const own = await chat.as("othello").post("/users/me/subscriptions", { subscriptions: [{ name: "a" }] });
  assert.equal(own.new_subscription_messages_sent, true);
  assert.deepEqual(await direct(chat, "othello"), []);
  assert.deepEqual(
    (await other.events()).filter(({ type }) => type === "message"),
    [],
  );

  const extras = Object.keys(many);
  assert.equal(await bring(["general"], extras), false);
  assert.deepEqual(await direct(chat, "extra0"), []);
  assert.equal(await bring(["a"], extras.slice(0, 100)), true);
  assert.deepEqual(await direct(chat, "extra99"), [`${desdemona} subscribed you to the channel #**a**.`]);
});

test("channel changes are posted in that channel only", async (t) => {
  const chat = await startChat(t, {
    channels: [{ name: "team", private: true, subscribers: ["desdemona", "hamlet"] }],
  });
  const desdemona = `@_**Desdemona|${chat.ids.desdemona}**`;
  const queue = await chat.register("othello");
  const change = async (params: Record<string, unknown>) => {
    const answer = await chat.as("desdemona").patch(`/streams/${chat.ids.team}`, params);
    assert.equal(answer.result, "success", answer.msg);
    const posted = await story(chat, "hamlet", "team");
    return posted.at(-1)?.replaceAll(desdemona, "D");
  };
  const own = await chat.register("hamlet");
  assert.equal(
    await change({ new_name: "the *team's* off-site" }),
    "D renamed this channel: **team** is now **the &#42;team's&#42; off-site**.",
  );
  const html = (await own.events()).find(({ type }) => type === "message")?.message.content;
  assert.match(html, /<strong>team<\/strong> is now <strong>the \*team's\* off-site<\/strong>\.<\/p>$/);
  const described = "D changed this channel's description. It is now:\n\n```quote\nof us\n```";
  assert.equal(await change({ description: "of us" }), described);
  const removed = "D removed this channel's description. It was:\n\n```quote\nof us\n```";
  assert.equal(await change({ description: "" }), removed);
  const moderators = chat.server.app.store.reader.value("SELECT id FROM user_groups WHERE name = 'role:moderators'");
  assert.equal(
    await change({ can_send_message_group: { new: moderators } }),
    "D changed who can post in this channel: moderators, administrators and owners.",
  );
  assert.equal(
    await change({ can_send_message_group: { new: { direct_members: [chat.ids.hamlet], direct_subgroups: [] } } }),
    "D changed who can post in this channel: certain people and groups.",
  );
  assert.equal(
    await change({ message_retention_days: 1 }),
    "D changed how long messages are kept in this channel: for 1 day.",
  );
  assert.equal(
    await change({ message_retention_days: "realm_default" }),
    "D changed how long messages are kept in this channel: as in the whole organization, for ever.",
  );
  assert.equal(
    await change({ is_private: true, history_public_to_subscribers: false }),
    "D changed who can read this channel. It is private, and new subscribers cannot read what was said before.",
  );
  const count = (await story(chat, "hamlet", "team")).length;
  await change({ can_remove_subscribers_group: { new: moderators } });
  assert.equal((await story(chat, "hamlet", "team")).length, count);
  assert.deepEqual(
    (await queue.events()).filter(({ type }) => type === "message"),
    [],
  );
  await chat.as("desdemona").delete(`/streams/${chat.ids.team}`);
  assert.equal((await story(chat, "hamlet", "team")).at(-1), `${desdemona} archived this channel.`);
  assert.equal(await change({ is_archived: false }), "D brought back this channel.");
});
