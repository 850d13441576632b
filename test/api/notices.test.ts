import assert from "node:assert/strict";
import test from "node:test";
import { notifyTopic, notifyUser } from "../../server/api/actions/notices.ts";
import type { Transaction } from "../../server/storage/transaction.ts";
import { startChat } from "../support/chat.ts";
import { act, botOf, channelOf, direct, move, notices, say } from "../support/notices.ts";

const general = { name: "general", subscribers: ["hamlet", "othello", "polonius"] };
const secret = { name: "secret", private: true, subscribers: ["hamlet", "iago"] };

test("the notification bot is listed separately", async (t) => {
  const chat = await startChat(t, { channels: [general], unwatched: true });
  const bot = botOf(chat);
  for (const name of ["desdemona", "polonius", "bot"]) {
    const { state } = await chat.register(name);
    assert.deepEqual(state.cross_realm_bots, [
      {
        user_id: bot.id,
        delivery_email: "notification-bot@hearth.invalid",
        email: "notification-bot@hearth.invalid",
        full_name: "Notification Bot",
        date_joined: new Date(bot.joined_at).toISOString(),
        is_active: true,
        is_owner: false,
        is_admin: false,
        is_guest: false,
        is_bot: true,
        bot_type: 1,
        bot_owner_id: null,
        role: 400,
        timezone: "",
        avatar_url: `/generated/user-${bot.id}.png?version=1`,
        avatar_version: 1,
        is_imported_stub: false,
        is_system_bot: true,
      },
    ]);
    const lists = [state.realm_users, state.realm_non_active_users, (await chat.as(name).get("/users")).members];
    for (const list of lists)
      assert.equal(
        list.some((user: any) => user.user_id === bot.id),
        false,
      );
    for (const group of state.realm_user_groups ?? []) assert.equal(group.members.includes(bot.id), false, group.name);
  }
  const picture = await fetch(`${chat.url}/generated/user-${bot.id}.png?version=1`);
  assert.deepEqual([picture.status, picture.headers.get("content-type")], [200, "image/png"]);
});

test("the notification bot has no user abilities", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const bot = botOf(chat);
  const key = chat.server.app.keys.keyOf(bot);
  const authorization = `Basic ${Buffer.from(`${bot.email}:${key}`).toString("base64")}`;
  const refused = await chat.anonymous("GET", "/users/me", {}, { authorization });
  assert.deepEqual([refused.status, refused.code], [401, "INVALID_API_KEY"]);
  const password = await chat.anonymous("POST", "/fetch_api_key", { username: bot.email, password: "" });
  assert.equal(password.status, 401);

  for (const principals of [[bot.id], [bot.email]]) {
    const answer = await chat
      .as("desdemona")
      .post("/users/me/subscriptions", { subscriptions: [{ name: "general" }], principals });
    assert.deepEqual([answer.status, answer.code], [400, "BAD_REQUEST"]);
  }
  const setting = await chat.as("desdemona").post("/users/me/subscriptions", {
    subscriptions: [{ name: "new" }],
    can_send_message_group: { direct_members: [bot.id], direct_subgroups: [] },
  });
  assert.deepEqual([setting.status, channelOf(chat, "new")], [400, undefined]);

  const id = await say(chat, "hamlet", { content: "@**Notification Bot** hello" });
  const { message } = await chat.as("hamlet").get(`/messages/${id}`);
  assert.match(message.content, /class="user-mention silent"/);
  assert.equal(chat.server.app.store.reader.value("SELECT COUNT(*) FROM message_flags WHERE user_id = ?", bot.id), 0);
  const taken = await chat.as("desdemona").post("/users", {
    email: "Someone@Hearth.INVALID",
    full_name: "Someone",
    password: "secret-someone",
  });
  assert.deepEqual([taken.status, taken.code], [400, "BAD_REQUEST"]);
});

test("system messages neither ping nor link to secrets", async (t) => {
  const chat = await startChat(t, { channels: [general, secret] });
  const bot = botOf(chat);
  const [hamlet, cordelia] = [await chat.register("hamlet"), await chat.register("cordelia")];
  const content = `@**Hamlet** @**all** @*role:members* #**secret** #**secret>plans** #**general** bananas`;
  const id = await act(chat, (tx) => notifyTopic(tx, channelOf(chat, "general"), "news", content));
  const [event, ...more] = (await hamlet.events()).filter(({ type }) => type === "message");
  assert.deepEqual(more, []);
  const { message, flags } = event as any;
  assert.deepEqual(flags, []);
  assert.deepEqual(
    [message.id, message.sender_id, message.sender_email, message.subject, message.stream_id],
    [id, bot.id, "notification-bot@hearth.invalid", "news", chat.ids.general],
  );
  assert.ok(!message.content.includes(`data-stream-id="${chat.ids.secret}"`), message.content);
  assert.ok(message.content.includes(`data-stream-id="${chat.ids.general}"`), message.content);
  assert.deepEqual(
    (await cordelia.events()).filter(({ type }) => type === "message"),
    [],
  );
  const { unread_msgs } = (await chat.register("hamlet")).state;
  assert.deepEqual([unread_msgs?.mentions, unread_msgs?.streams[0]?.unread_message_ids], [[], [id]]);
  const narrow = [
    { operator: "search", operand: "bananas" },
    { operator: "sender", operand: bot.email },
  ];
  const found = await chat.as("hamlet").get("/messages", { anchor: "newest", num_before: 5, num_after: 0, narrow });
  assert.deepEqual(
    found.messages.map((one: any) => one.id),
    [id],
  );
  const edit = await chat.as("desdemona").patch(`/messages/${id}`, { content: "I said nothing." });
  assert.deepEqual([edit.status, edit.code], [400, "BAD_REQUEST"]);
});

test("a system message obeys the channel's topics policy", async (t) => {
  const chat = await startChat(t, { channels: [general, { name: "plain" }, { name: "named" }], unwatched: true });
  const old = await say(chat, "desdemona", { to: "named", topic: "" });
  await act(chat, (tx) => {
    tx.run("UPDATE channels SET topics_policy = 'empty_topic_only' WHERE name = 'plain'");
    tx.run("UPDATE channels SET topics_policy = 'disable_empty_topic' WHERE name = 'named'");
  });
  for (const name of ["general", "plain", "named"])
    await act(chat, (tx) => notifyTopic(tx, channelOf(chat, name), "", "hi"));
  await act(chat, (tx) => notifyTopic(tx, channelOf(chat, "plain"), "news", "ho"));
  assert.deepEqual(await notices(chat, "desdemona", "general", ""), ["hi"]);
  assert.deepEqual(await notices(chat, "desdemona", "plain", ""), ["hi", "ho"]);
  assert.deepEqual(await notices(chat, "desdemona", "named", "channel events"), ["hi"]);
  // A move's system message does not recreate a topic that the channel no longer allows.
  await move(chat, "desdemona", old, { topic: "x", send_notification_to_old_thread: true });
  const desdemona = `@_**Desdemona|${chat.ids.desdemona}**`;
  assert.deepEqual(await notices(chat, "desdemona", "named", "x"), [
    `${desdemona} moved this topic here from #**named>**.`,
  ]);
  assert.deepEqual(await notices(chat, "desdemona", "named", ""), []);
});

test("anyone may reply to the notification bot", async (t) => {
  const nobody = (tx: Transaction) => {
    const group = tx.value<number>("SELECT id FROM user_groups WHERE name = 'role:nobody'");
    const add = (name: string, value: unknown) =>
      tx.run("INSERT INTO organization_settings (name, value) VALUES (?, ?)", name, JSON.stringify(value));
    for (const name of ["direct_message_permission_group", "direct_message_initiator_group"]) add(name, group);
  };
  const chat = await startChat(t, { channels: [secret], prepare: nobody });
  const bot = botOf(chat);
  const [own, other] = [await chat.register("polonius"), await chat.register("hamlet")];
  await act(chat, (tx) => notifyUser(tx, chat.ids.polonius as number, "Hello @**Polonius** #**secret**"));
  const [event] = await own.events();
  assert.deepEqual([event?.type, event?.message.type, event?.flags], ["message", "private", []]);
  assert.ok(!event?.message.content.includes(`data-stream-id="${chat.ids.secret}"`), event?.message.content);
  for (const to of [[bot.id], [bot.email]]) {
    const answer = await chat.as("polonius").post("/messages", { type: "direct", to, content: "Thank you" });
    assert.equal(answer.result, "success", answer.msg);
    const receipts = await chat.as("polonius").get(`/messages/${answer.id}/read_receipts`);
    assert.deepEqual(receipts.user_ids, []);
  }
  assert.equal((await direct(chat, "polonius")).length, 3);
  assert.deepEqual(await other.events(), []);
  const { state } = await chat.register("polonius");
  assert.deepEqual(
    state.recent_private_conversations?.map(({ user_ids }) => user_ids),
    [[bot.id]],
  );
});

test("a move is announced in new and old threads", async (t) => {
  const chat = await startChat(t, {
    channels: ["general", "random"].map((name) => ({ name, subscribers: ["hamlet", "othello"] })),
  });
  const hamlet = `@_**Hamlet|${chat.ids.hamlet}**`;
  const ids: number[] = [];
  for (const topic of ["a", "a", "a", "b"]) ids.push(await say(chat, "othello", { topic }));
  const [first, second, third, fourth] = ids as [number, number, number, number];
  const queue = await chat.register("hamlet");
  const at = async (topic: string, channel = "random") => notices(chat, "othello", channel, topic);

  // Part of a topic moves to another channel, with system messages in both threads.
  const both = { send_notification_to_old_thread: true, send_notification_to_new_thread: true };
  const targetChannel = chat.ids.random;
  await move(chat, "hamlet", second, { stream_id: targetChannel, propagate_mode: "change_later", ...both });
  assert.deepEqual(await at("a"), [`${hamlet} moved 2 messages here from #**general>a**.`]);
  assert.deepEqual(await at("a", "general"), [`${hamlet} moved 2 messages from this topic to #**random>a**.`]);
  const [html] = (await queue.events()).filter(({ type }) => type === "message").map(({ message }) => message.content);
  assert.match(html, new RegExp(`data-stream-id="${chat.ids.general}" href="/#narrow/channel/[^"]*/topic/a/with/`));

  // By default only the new thread gets a system message. Then one message moves, then a move without any.
  await move(chat, "hamlet", third, { topic: "c", propagate_mode: "change_one" });
  assert.deepEqual(await at("c"), [`${hamlet} moved a message here from #**random>a**.`]);
  await move(chat, "hamlet", third, {
    topic: "d",
    propagate_mode: "change_one",
    send_notification_to_new_thread: false,
  });
  assert.deepEqual([await at("d"), (await at("c")).length, (await at("a")).length], [[], 1, 1]);

  // A whole topic moves into a new one, then into an existing one.
  await move(chat, "hamlet", fourth, { topic: "e", ...both });
  assert.deepEqual(await at("e", "general"), [`${hamlet} moved this topic here from #**general>b**.`]);
  assert.deepEqual(await at("b", "general"), [`${hamlet} moved this topic to #**general>e**.`]);
  await move(chat, "hamlet", third, { topic: "a", ...both });
  assert.equal((await at("a")).at(-1), `${hamlet} moved a message here from #**random>d**.`);
  assert.deepEqual(await at("d"), [`${hamlet} moved this topic to #**random>a**.`]);

  // Some names do not fit the short link format. A change of case alone posts nothing.
  await move(chat, "hamlet", first, { topic: "*x* [y](z)" });
  await move(chat, "hamlet", first, { topic: "*X* [y](z)" });
  await move(chat, "hamlet", first, { topic: "f" });
  const [earlier, later] = (await at("f", "general")).slice(-2);
  assert.equal(earlier, `${hamlet} moved this topic here from #**general>a**.`);
  const narrow = [{ operator: "topic", operand: "f" }];
  const shown = await chat.as("othello").get("/messages", { anchor: "newest", num_before: 1, num_after: 0, narrow });
  assert.match(shown.messages[0].content, />#general &gt; \*X\* \[y\]\(z\)<\/a>\.<\/p>$/, String(later));
  assert.match(shown.messages[0].content, /href="\/#narrow\/channel\/[^"]*\/topic\/\.2AX\.2A\.20\.5By\.5D\.28z\.29"/);
  assert.ok(!shown.messages[0].content.includes("<em>"));

  // The system message arrives as read for the mover and unread for others.
  const unread = async (name: string) => {
    const { state } = await chat.register(name);
    return state.unread_msgs?.streams.flatMap(({ unread_message_ids }) => unread_message_ids) ?? [];
  };
  const last = shown.messages[0].id;
  assert.deepEqual([(await unread("hamlet")).includes(last), (await unread("othello")).includes(last)], [false, true]);
});

test("no system message names hidden channels or topics", async (t) => {
  const guarded = { name: "guarded", private: true, subscribers: ["desdemona", "hamlet", "iago"] };
  const chat = await startChat(t, {
    channels: [general, secret, guarded, { name: "members", subscribers: ["hamlet"] }],
    unwatched: true,
  });
  await act(chat, (tx) => {
    tx.run("UPDATE channels SET history_public_to_subscribers = 0 WHERE name = 'guarded'");
  });
  const iago = `@_**Iago|${chat.ids.iago}**`;
  const both = { send_notification_to_old_thread: true };
  const go = (id: number, channel: string, more: object = {}) =>
    move(chat, "iago", id, { stream_id: chat.ids[channel], ...both, ...more });

  // Moves out of and into a private channel reveal neither its name nor the topic's to outsiders.
  await go(await say(chat, "iago", { to: "secret", topic: "layoffs" }), "general", { topic: "one" });
  assert.deepEqual(await notices(chat, "othello", "general", "one"), [
    `${iago} moved this topic here from another channel.`,
  ]);
  await go(await say(chat, "iago", { topic: "two" }), "secret", { topic: "layoffs" });
  assert.deepEqual(await notices(chat, "othello", "general", "two"), [`${iago} moved this topic to another channel.`]);
  // Readers of the private channel may read the public one as well.
  const posted = await notices(chat, "hamlet", "secret", "layoffs");
  assert.deepEqual(posted, [
    `${iago} moved this topic to another channel.`.replace("another channel", "#**general>one**"),
    `${iago} moved a message here from #**general>two**.`,
  ]);
  // Polonius, a guest, reads general and has no access to members.
  await go(await say(chat, "iago", { to: "members", topic: "three" }), "general");
  assert.deepEqual(await notices(chat, "othello", "general", "three"), [
    `${iago} moved this topic here from another channel.`,
  ]);

  // With protected history, late subscribers do not learn earlier topic names.
  const early = await say(chat, "iago", { to: "guarded", topic: "first" });
  await say(chat, "iago", { to: "guarded", topic: "first" });
  await move(chat, "iago", early, { topic: "second" });
  assert.deepEqual(await notices(chat, "iago", "guarded", "second"), [
    `${iago} moved this topic here from #**guarded>first**.`,
  ]);
  const joined = await chat.as("iago").post("/users/me/subscriptions", {
    subscriptions: [{ name: "guarded" }],
    principals: [chat.ids.cordelia],
  });
  assert.equal(joined.result, "success", joined.msg);
  const queue = await chat.register("cordelia");
  await move(chat, "iago", early, { topic: "third", ...both });
  const heard = (await queue.events()).filter(({ type }) => type === "message").map(({ message }) => message.content);
  assert.equal(heard.length, 2);
  for (const html of heard) assert.match(html, /moved this topic (here from|to) another topic\.<\/p>$/);
});

test("resolving posts a system message, quick unresolving deletes it", async (t) => {
  const clock = { ms: Date.parse("2030-01-01T00:00:00Z") };
  const chat = await startChat(t, { channels: [general], now: () => clock.ms });
  const id = await say(chat, "othello");
  const othello = `@_**Othello|${chat.ids.othello}**`;
  const hamlet = `@_**Hamlet|${chat.ids.hamlet}**`;
  const off = { send_notification_to_new_thread: false };
  await move(chat, "othello", id, { topic: "✔ lunch", ...off });
  assert.deepEqual(await notices(chat, "hamlet", "general", "✔ lunch"), [`${othello} marked this topic as resolved.`]);
  const queue = await chat.register("hamlet");
  clock.ms += 59_000;
  await move(chat, "hamlet", id, { topic: "lunch" });
  assert.deepEqual(await notices(chat, "hamlet", "general", "lunch"), []);
  assert.deepEqual(
    (await queue.events()).map(({ type }) => type),
    ["update_message", "delete_message"],
  );
  await move(chat, "hamlet", id, { topic: "✔ lunch" });
  clock.ms += 61_000;
  await move(chat, "othello", id, { topic: "lunch", send_notification_to_old_thread: true });
  const both = [`${hamlet} marked this topic as resolved.`, `${othello} marked this topic as unresolved.`];
  assert.deepEqual(await notices(chat, "hamlet", "general", "lunch"), both);
  assert.deepEqual(await notices(chat, "hamlet", "general", "✔ lunch"), []);
  // After a reply the system message is part of the conversation and stays.
  await say(chat, "hamlet");
  await move(chat, "hamlet", id, { topic: "✔ lunch" });
  assert.equal((await notices(chat, "hamlet", "general", "✔ lunch")).length, 3);
  // Moving one of several messages does not change whether the topic is resolved.
  await move(chat, "hamlet", id, { topic: "lunch", propagate_mode: "change_one" });
  assert.deepEqual(await notices(chat, "othello", "general", "lunch"), [
    `${hamlet} moved a message here from #**general>✔ lunch**.`,
  ]);
});

test("each reader's setting marks resolved-topic messages as read", async (t) => {
  const people = ["hamlet", "othello", "iago", "cordelia", "desdemona"];
  const chat = await startChat(t, {
    channels: [{ name: "general", subscribers: people }],
    prepare: (tx, ids) => {
      for (const [name, value] of Object.entries({ othello: "never", iago: "always" })) {
        tx.run(
          "INSERT INTO user_settings (user_id, name, value) VALUES (?, 'resolved_topic_notice_auto_read_policy', ?)",
          ids[name] as number,
          JSON.stringify(value),
        );
      }
    },
  });
  const id = await say(chat, "desdemona");
  for (const name of ["iago", "cordelia"]) {
    const params = { stream_id: chat.ids.general, topic: "lunch", visibility_policy: 3 };
    assert.equal((await chat.as(name).post("/user_topics", params)).result, "success");
  }
  const queues = await Promise.all(people.map((name) => chat.register(name)));
  await move(chat, "desdemona", id, { topic: "✔ lunch" });
  const flags: Record<string, string[]> = {};
  for (const [at, name] of people.entries()) {
    const event = (await queues[at]?.events())?.find(({ type }) => type === "message");
    flags[name] = event?.flags;
    const { message } = await chat.as(name).get(`/messages/${event?.message.id}`);
    assert.deepEqual(message.flags, event?.flags, name);
  }
  // Cordelia follows the topic, and so does Desdemona, who started it.
  assert.deepEqual(flags, { hamlet: ["read"], othello: [], iago: ["read"], cordelia: [], desdemona: [] });
});
