import assert from "node:assert/strict";
import test from "node:test";
import { unsubscribe } from "../../server/api/actions/subscriptions.ts";
import { type Channel, channelById } from "../../server/api/queries/channels.ts";
import { startChat } from "../support/chat.ts";
import {
  clock,
  deleted,
  design,
  edited,
  general,
  history,
  message,
  refused,
  SECONDS,
  say,
  settings,
  topicsOf,
  updates,
} from "../support/message-edits.ts";

test("a move takes one message, later ones, or all", async (t) => {
  const time = clock();
  const chat = await startChat(t, { channels: [general], now: time.now });
  const ids: number[] = [];
  for (const topic of ["lunch", "Lunch", "other", "lunch"]) ids.push(await say(chat, "othello", "x", { topic }));
  const [first, second, other, last] = ids as [number, number, number, number];
  const queue = await chat.register("hamlet");
  time.ms += 7000;
  await edited(chat, "hamlet", second, { topic: "one" });
  assert.deepEqual(await topicsOf(chat, ids), ["lunch", "one", "other", "lunch"]);
  await edited(chat, "hamlet", second, { topic: "LUNCH" });
  await edited(chat, "hamlet", second, { topic: "later", propagate_mode: "change_later" });
  assert.deepEqual(await topicsOf(chat, ids), ["lunch", "later", "other", "later"]);
  await edited(chat, "hamlet", last, { subject: "whole", propagate_mode: "change_all" });
  assert.deepEqual(await topicsOf(chat, ids), ["lunch", "whole", "other", "whole"]);
  const events = await updates(queue);
  assert.deepEqual(
    events.map(({ message_id, message_ids, orig_subject, subject, propagate_mode }) => [
      message_id,
      message_ids,
      orig_subject,
      subject,
      propagate_mode,
    ]),
    [
      [second, [second], "Lunch", "one", "change_one"],
      [second, [second], "one", "LUNCH", "change_one"],
      [second, [second, last], "LUNCH", "later", "change_later"],
      [last, [second, last], "later", "whole", "change_all"],
    ],
  );
  for (const event of events) {
    assert.deepEqual([event.stream_id, event.stream_name, event.flags], [chat.ids.general, "general", []]);
    assert.deepEqual([event.topic_links, "new_stream_id" in event, "content" in event], [[], false, false]);
  }
  const moved = await message(chat, last);
  assert.equal(moved.last_moved_timestamp, SECONDS + 7);
  assert.equal("last_edit_timestamp" in moved, false);
  const by = { user_id: chat.ids.hamlet, timestamp: SECONDS + 7 };
  assert.deepEqual(moved.edit_history, [
    { ...by, prev_topic: "later", topic: "whole" },
    { ...by, prev_topic: "lunch", topic: "later" },
  ]);
  assert.equal("edit_history" in (await message(chat, first)), false);
  assert.equal("edit_history" in (await message(chat, other)), false);
});

test("a whole-topic move has a size limit", async (t) => {
  const chat = await startChat(t, { channels: [general], unwatched: true });
  const first = await say(chat, "othello", "x");
  chat.server.app.store.transact({ actor: null, action: "test" }, (tx) => {
    tx.run(
      `INSERT INTO messages (sender_id, recipient_id, sent_channel_id, channel_id, topic_id, topic, content,
         rendered_content, renderer_version, sent_at, client)
       WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)
       SELECT sender_id, recipient_id, sent_channel_id, channel_id, topic_id, topic, content,
         rendered_content, renderer_version, sent_at, client FROM numbers JOIN messages ON messages.id = ? ORDER BY n`,
      first,
    );
  });
  await chat.restart();
  const queue = await chat.register("hamlet");
  const ends = [first, first + 1, first + 20_000];
  for (const topic of ["dinner", "✔ lunch"])
    await refused(chat, "desdemona", first, { topic, propagate_mode: "change_all" }, /at most 20000 .* 20001\.$/);
  assert.deepEqual(await topicsOf(chat, ends), ["lunch", "lunch", "lunch"]);
  assert.deepEqual(await queue.events(), []);
  await edited(chat, "desdemona", first + 1, { topic: "✔ lunch", propagate_mode: "change_later" });
  assert.deepEqual(await topicsOf(chat, ends), ["lunch", "✔ lunch", "✔ lunch"]);
});

test("a whole topic changes its spelling", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const ids = [await say(chat, "hamlet", "x", { topic: "lunch" }), await say(chat, "hamlet", "x", { topic: "Lunch" })];
  await edited(chat, "hamlet", ids[1] as number, { topic: "lunch", propagate_mode: "change_all" });
  assert.deepEqual(await topicsOf(chat, ids), ["lunch", "lunch"]);
});

test("text and topic change in one edit and event", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const [id, later] = [await say(chat, "hamlet", "old"), await say(chat, "othello", "x")];
  const queue = await chat.register("othello");
  await edited(chat, "hamlet", id, { content: "new", topic: "dinner", propagate_mode: "change_all" });
  const [event, ...more] = await updates(queue);
  assert.deepEqual(more, []);
  assert.deepEqual([event?.message_id, event?.message_ids], [id, [id, later]]);
  assert.deepEqual([event?.content, event?.orig_content], ["new", "old"]);
  assert.deepEqual([event?.subject, event?.orig_subject], ["dinner", "lunch"]);
  const [edit, ...rest] = (await message(chat, id)).edit_history;
  assert.deepEqual(rest, []);
  const { user_id: _user, timestamp: _time, ...change } = edit;
  const html = "<p>old</p>";
  assert.deepEqual(change, {
    prev_content: "old",
    prev_rendered_content: html,
    prev_topic: "lunch",
    topic: "dinner",
  });
  const other = await message(chat, later);
  assert.equal("prev_content" in other.edit_history[0], false);
  assert.equal("last_edit_timestamp" in other, false);
});

test("old clients get the empty topic's display name", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const id = await say(chat, "hamlet", "x");
  const capabilities = { empty_topic_name: false };
  const [able, old] = [
    await chat.register("othello"),
    await chat.register("othello", { client_capabilities: capabilities }),
  ];
  const both = async () =>
    [(await updates(able))[0], (await updates(old))[0]].map((event) => [event?.orig_subject, event?.subject]);
  await edited(chat, "hamlet", id, { topic: "(no topic)" });
  assert.deepEqual(await both(), [
    ["lunch", ""],
    ["lunch", "general chat"],
  ]);
  assert.equal((await message(chat, id)).edit_history[0].topic, "");
  const shown = (await chat.as("hamlet").get(`/messages/${id}`)).message;
  assert.deepEqual([shown.subject, shown.edit_history[0].topic], ["general chat", "general chat"]);
  const snapshots = (await chat.as("hamlet").get(`/messages/${id}/history`)).message_history;
  assert.deepEqual(
    snapshots.map((one: any) => one.topic),
    ["lunch", "general chat"],
  );
  await edited(chat, "hamlet", id, { topic: "named" });
  assert.deepEqual(await both(), [
    ["", "named"],
    ["general chat", "named"],
  ]);
});

test("groups of organization and channel allow topic moves", async (t) => {
  const group = settings({
    can_move_messages_between_topics_group: "role:moderators",
    can_resolve_topics_group: "role:nobody",
  });
  const chat = await startChat(t, { channels: [general], users: { emilia: { role: 300 } }, ...group });
  const id = await say(chat, "hamlet", "x");
  await refused(chat, "hamlet", id, { topic: "a" }, "move_between_topics_not_permitted");
  await edited(chat, "emilia", id, { topic: "b" });
  await edited(chat, "iago", id, { topic: "c" });
  const open = await chat.as("desdemona").post("/users/me/subscriptions", {
    subscriptions: [{ name: "open" }],
    principals: [chat.ids.hamlet, chat.ids.othello],
    can_move_messages_within_channel_group: { direct_members: [chat.ids.hamlet], direct_subgroups: [] },
  });
  assert.equal(open.result, "success", open.msg);
  const movable = await say(chat, "hamlet", "x", { to: "open" });
  await edited(chat, "hamlet", movable, { topic: "a" });
  await refused(chat, "othello", movable, { topic: "b" }, "move_between_topics_not_permitted");
  // The creator of a channel administers it.
  const made = await chat.as("othello").post("/users/me/subscriptions", { subscriptions: [{ name: "own" }] });
  assert.equal(made.result, "success", made.msg);
  await edited(chat, "othello", await say(chat, "othello", "x", { to: "own" }), { topic: "b" });
});

test("resolving topics is a separate permission", async (t) => {
  const time = clock();
  const group = settings({
    can_move_messages_between_topics_group: "role:nobody",
    can_resolve_topics_group: "role:members",
  });
  const chat = await startChat(t, {
    channels: [{ name: "general", subscribers: ["hamlet", "polonius"] }],
    now: time.now,
    unwatched: true,
    ...group,
  });
  const [id, later] = [await say(chat, "hamlet", "x"), await say(chat, "hamlet", "y")];
  time.ms += 30 * 86_400_000;
  await refused(chat, "polonius", id, { topic: "✔ lunch" }, "resolve_topics_not_permitted");
  await edited(chat, "hamlet", id, { topic: "✔ lunch", propagate_mode: "change_all" });
  assert.deepEqual(await topicsOf(chat, [id, later]), ["✔ lunch", "✔ lunch"]);
  const resolved = await message(chat, id);
  assert.equal("last_moved_timestamp" in resolved, false);
  assert.deepEqual(
    resolved.edit_history.map(({ prev_topic, topic }: any) => [prev_topic, topic]),
    [["lunch", "✔ lunch"]],
  );
  await edited(chat, "hamlet", id, { topic: "lunch", propagate_mode: "change_all" });
  await refused(
    chat,
    "hamlet",
    id,
    { topic: "✔ dinner", propagate_mode: "change_all" },
    "move_between_topics_not_permitted",
  );
});

test("renaming does not bypass the permission to resolve topics", async (t) => {
  const chat = await startChat(t, { channels: [general], ...settings({ can_resolve_topics_group: "role:nobody" }) });
  const made = await chat.as("desdemona").post("/users/me/subscriptions", {
    subscriptions: [{ name: "help" }],
    principals: [chat.ids.hamlet, chat.ids.othello],
    can_resolve_topics_group: { direct_members: [chat.ids.hamlet], direct_subgroups: [] },
  });
  assert.equal(made.result, "success", made.msg);
  const id = await say(chat, "othello", "x", { to: "help" });
  await refused(chat, "othello", id, { topic: "✔ lunch" }, "resolve_topics_not_permitted");
  await refused(chat, "othello", id, { topic: "✔ dinner" }, "resolve_topics_not_permitted");
  await edited(chat, "othello", id, { topic: "dinner" });
  await edited(chat, "hamlet", id, { topic: "✔ dinner" });
  await refused(chat, "hamlet", await say(chat, "hamlet", "x"), { topic: "✔ lunch" }, "resolve_topics_not_permitted");
});

test("a move of a partly expired topic reports how many messages can move", async (t) => {
  const time = clock();
  const chat = await startChat(t, {
    channels: [general],
    now: time.now,
    unwatched: true,
    users: { emilia: { role: 300 } },
  });
  const old = [await say(chat, "hamlet", "1"), await say(chat, "hamlet", "2")];
  time.ms += 604_800_000 - 1000;
  const young = [await say(chat, "othello", "3"), await say(chat, "hamlet", "4"), await say(chat, "hamlet", "5")];
  await edited(chat, "hamlet", old[0] as number, { topic: "first" });
  await edited(chat, "hamlet", old[0] as number, { topic: "lunch" });
  time.ms += 2000;
  const all = { topic: "dinner", propagate_mode: "change_all" };
  const answer = await refused(chat, "hamlet", young[1] as number, all);
  assert.deepEqual(
    [
      answer.code,
      answer.first_message_id_allowed_to_move,
      answer.total_messages_in_topic,
      answer.total_messages_allowed_to_move,
    ],
    ["MOVE_MESSAGES_TIME_LIMIT_EXCEEDED", young[0], 5, 3],
  );
  for (const propagate_mode of ["change_one", "change_later", "change_all"]) {
    const late = await refused(chat, "hamlet", old[1] as number, { topic: "dinner", propagate_mode }, /time limit/);
    assert.equal(late.code, "BAD_REQUEST");
  }
  await edited(chat, "hamlet", young[0] as number, { topic: "dinner", propagate_mode: "change_later" });
  assert.deepEqual(await topicsOf(chat, [...old, ...young]), ["lunch", "lunch", "dinner", "dinner", "dinner"]);
  await edited(chat, "emilia", old[0] as number, { topic: "supper", propagate_mode: "change_all" });
  assert.deepEqual(await topicsOf(chat, old), ["supper", "supper"]);
});

test("moves between channels have their own time limit", async (t) => {
  const time = clock();
  const limits = { move_messages_between_streams_limit_seconds: 60, move_messages_within_stream_limit_seconds: null };
  const chat = await startChat(t, {
    channels: [general, { name: "other", subscribers: ["hamlet"] }],
    now: time.now,
    unwatched: true,
    ...settings(limits),
  });
  const id = await say(chat, "hamlet", "x");
  time.ms += 61_000;
  await edited(chat, "hamlet", id, { topic: "dinner" });
  await refused(chat, "hamlet", id, { stream_id: chat.ids.other }, "move_time_limit_passed");
  await refused(chat, "hamlet", id, { stream_id: chat.ids.other, topic: "t" }, "move_time_limit_passed");
  await edited(chat, "iago", id, { stream_id: chat.ids.other });
});

test("a channel move notifies every affected reader", async (t) => {
  const chat = await startChat(t, { channels: [general, design] });
  const id = await say(chat, "hamlet", "x");
  await chat.as("othello").post("/messages/flags", { messages: [id], op: "add", flag: "starred" });
  const [hamlet, othello, iago] = [
    await chat.register("hamlet"),
    await chat.register("othello"),
    await chat.register("iago"),
  ];
  await edited(chat, "hamlet", id, { stream_id: chat.ids.design, topic: "logo" });
  const [event] = await updates(hamlet);
  assert.deepEqual(
    [event?.stream_id, event?.new_stream_id, event?.orig_subject, event?.subject],
    [chat.ids.general, chat.ids.design, "lunch", "logo"],
  );
  const gone = (await othello.events()).filter(({ type }) => type !== "user_topic");
  assert.deepEqual(gone.map(({ type }) => type).sort(), ["delete_message", "stream", "update_message_flags"]);
  const { id: _, ...deletion } = gone.find(({ type }) => type === "delete_message") as Record<string, unknown>;
  assert.deepEqual(deletion, {
    type: "delete_message",
    message_ids: [id],
    message_type: "stream",
    stream_id: chat.ids.general,
    topic: "lunch",
  });
  assert.deepEqual((await chat.register("othello")).state.starred_messages, []);
  assert.equal((await chat.as("othello").get(`/messages/${id}`)).status, 400);
  // Iago never received the message, but may read it in the new channel.
  assert.deepEqual((await updates(iago))[0]?.flags, ["read", "historical"]);
  const { edit_history, stream_id } = await message(chat, id, "iago");
  assert.equal(stream_id, chat.ids.design);
  assert.deepEqual(edit_history[0].prev_stream, chat.ids.general);
  assert.deepEqual(edit_history[0].stream, chat.ids.design);
  const moved = (await history(chat, id))[1];
  assert.deepEqual(
    [moved.prev_stream, moved.stream, moved.prev_topic, moved.topic],
    [chat.ids.general, chat.ids.design, "lunch", "logo"],
  );
});

test("a message leaving a private channel hides its origin", async (t) => {
  const chat = await startChat(t, { channels: [general, { ...design, name: "palace" }] });
  const id = await say(chat, "hamlet", "kill the king", { to: "palace", topic: "coup" });
  await edited(chat, "hamlet", id, { content: "hello" });
  const [othello, iago] = [await chat.register("othello"), await chat.register("iago")];
  await edited(chat, "hamlet", id, { stream_id: chat.ids.general, topic: "lunch" });
  const events = await othello.events();
  const [event] = events.filter(({ type }) => type === "update_message");
  assert.deepEqual(
    [event?.stream_id, event?.stream_name, event?.new_stream_id, event?.orig_subject, event?.propagate_mode],
    [chat.ids.general, "general", chat.ids.general, "lunch", undefined],
  );
  const [full] = await updates(iago);
  assert.deepEqual([full?.stream_id, full?.stream_name, full?.orig_subject], [chat.ids.palace, "palace", "coup"]);
  await edited(chat, "hamlet", id, { topic: "dinner" });
  const seen = [events, await message(chat, id, "othello"), await history(chat, id, "othello")];
  assert.ok(!/palace|coup|king/.test(JSON.stringify(seen)), JSON.stringify(seen));
  assert.deepEqual(
    (await history(chat, id, "othello")).map(({ topic }: any) => topic),
    ["lunch", "dinner"],
  );
  assert.equal((await history(chat, id, "iago")).length, 4);
});

test("messages move only where posting is allowed", async (t) => {
  const lobby = { name: "lobby", private: true, subscribers: ["othello"] };
  const chat = await startChat(t, { channels: [general, lobby] });
  const id = await say(chat, "hamlet", "x");
  const hidden = await refused(chat, "hamlet", id, { stream_id: chat.ids.lobby });
  const absent = await refused(chat, "hamlet", id, { stream_id: 999 });
  assert.deepEqual(hidden, absent);
  const made = await chat.as("desdemona").post("/users/me/subscriptions", {
    subscriptions: [{ name: "news" }],
    principals: [chat.ids.hamlet],
    can_send_message_group: { direct_members: [chat.ids.desdemona], direct_subgroups: [] },
  });
  assert.equal(made.result, "success", made.msg);
  const news = chat.server.app.store.reader.value<number>("SELECT id FROM channels WHERE name = 'news'");
  await refused(chat, "hamlet", id, { stream_id: news }, "channel_send_not_permitted");
  await edited(chat, "desdemona", id, { stream_id: news });
});

test("moving out of a channel requires permission", async (t) => {
  const chat = await startChat(t, {
    channels: [general, { name: "other", subscribers: ["hamlet", "othello"] }],
    ...settings({ can_move_messages_between_channels_group: "role:nobody" }),
  });
  const { other } = chat.ids;
  await refused(
    chat,
    "hamlet",
    await say(chat, "hamlet", "x"),
    { stream_id: other },
    "move_between_channels_not_permitted",
  );
  await edited(chat, "iago", await say(chat, "hamlet", "x"), { stream_id: other });
  const made = await chat.as("desdemona").post("/users/me/subscriptions", {
    subscriptions: [{ name: "open" }],
    principals: [chat.ids.hamlet, chat.ids.othello],
    can_move_messages_out_of_channel_group: { direct_members: [chat.ids.hamlet], direct_subgroups: [] },
  });
  assert.equal(made.result, "success", made.msg);
  const id = await say(chat, "othello", "x", { to: "open" });
  await refused(chat, "othello", id, { stream_id: other }, "move_between_channels_not_permitted");
  await edited(chat, "hamlet", id, { stream_id: other });
  await chat.as("othello").post("/users/me/subscriptions", { subscriptions: [{ name: "own" }] });
  await edited(chat, "othello", await say(chat, "othello", "x", { to: "own" }), { stream_id: other });
});

test("a move obeys the target's topics policy", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  for (const [name, topics_policy] of [
    ["named", "disable_empty_topic"],
    ["nameless", "empty_topic_only"],
  ]) {
    const made = await chat.as("desdemona").post("/users/me/subscriptions", {
      subscriptions: [{ name }],
      principals: [chat.ids.hamlet],
      topics_policy,
    });
    assert.equal(made.result, "success", made.msg);
  }
  const id = (name: string) =>
    chat.server.app.store.reader.value<number>("SELECT id FROM channels WHERE name = ?", name);
  const sent = await say(chat, "hamlet", "x");
  await refused(chat, "hamlet", sent, { stream_id: id("named"), topic: "" }, "channel_requires_topic");
  await refused(chat, "hamlet", sent, { stream_id: id("nameless") }, "channel_without_topics");
  await edited(chat, "hamlet", sent, { stream_id: id("named") });
  await refused(chat, "hamlet", sent, { topic: "general chat" }, "channel_requires_topic");
  await edited(chat, "hamlet", sent, { stream_id: id("nameless"), topic: "" });
  await refused(chat, "hamlet", sent, { topic: "x" }, "channel_without_topics");
});

test("an archived channel allows no edits or moves", async (t) => {
  const chat = await startChat(t, { channels: [general], unwatched: true });
  const id = await say(chat, "hamlet", "x");
  chat.server.app.store.transact({ actor: 1, action: "test" }, (tx) => {
    tx.run("UPDATE channels SET is_archived = 1 WHERE id = ?", chat.ids.general as number);
  });
  await refused(chat, "hamlet", id, { content: "y" }, "channel_archived");
  await refused(chat, "desdemona", id, { topic: "y" }, "channel_archived");
});

test("nobody moves messages they cannot read", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const made = await chat.as("desdemona").post("/users/me/subscriptions", {
    subscriptions: [{ name: "board" }],
    invite_only: true,
    history_public_to_subscribers: false,
    principals: [chat.ids.othello],
  });
  assert.equal(made.result, "success", made.msg);
  const early = await say(chat, "othello", "x", { to: "board" });
  const [watching, late] = [await chat.register("othello"), { name: "board" }];
  await chat.as("othello").post("/users/me/subscriptions", { subscriptions: [late], principals: [chat.ids.hamlet] });
  await chat.as("desdemona").post("/users/me/subscriptions", { subscriptions: [late], principals: [chat.ids.hamlet] });
  const shared = await say(chat, "othello", "y", { to: "board" });
  await edited(chat, "hamlet", shared, { topic: "dinner", propagate_mode: "change_all" });
  assert.deepEqual((await updates(watching))[0]?.message_ids, [shared]);
  assert.equal((await message(chat, early, "othello")).subject, "lunch");
  // Changes of the other messages stay hidden from them too.
  const hamlet = await chat.register("hamlet");
  await edited(chat, "othello", early, { content: "z" });
  await edited(chat, "othello", early, { topic: "dinner" });
  await deleted(chat, "othello", early);
  assert.deepEqual(
    (await hamlet.events()).filter(({ type }) => /message/.test(type)),
    [],
  );
});

test("a former subscriber's star survives a renamed topic", async (t) => {
  const chat = await startChat(t, { channels: [design] });
  const id = await say(chat, "hamlet", "x", { to: "design" });
  await chat.as("iago").post("/messages/flags", { messages: [id], op: "add", flag: "starred" });
  chat.server.app.store.transact({ actor: 1, action: "test" }, (tx) => {
    unsubscribe(tx, null, {
      users: [chat.user("iago")],
      channels: [channelById(tx, chat.ids.design as number) as Channel],
    });
  });
  await edited(chat, "hamlet", id, { topic: "dinner" });
  const back = { subscriptions: [{ name: "design" }], principals: [chat.ids.iago] };
  assert.equal((await chat.as("hamlet").post("/users/me/subscriptions", back)).result, "success");
  assert.deepEqual((await message(chat, id, "iago")).flags, ["read", "starred"]);
});

test("a move reveals no protected history to late subscribers", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const made = await chat.as("hamlet").post("/users/me/subscriptions", {
    subscriptions: [{ name: "vault" }],
    principals: [chat.ids.hamlet, chat.ids.iago],
    invite_only: true,
    history_public_to_subscribers: false,
  });
  assert.equal(made.result, "success", made.msg);
  const old = await say(chat, "hamlet", "the old text", { to: "vault", topic: "heist" });
  await edited(chat, "hamlet", old, { content: "the next text" });
  const joining = { subscriptions: [{ name: "vault" }], principals: [chat.ids.othello] };
  assert.equal((await chat.as("hamlet").post("/users/me/subscriptions", joining)).result, "success");
  const seen = await say(chat, "hamlet", "hello", { to: "vault", topic: "heist" });
  const [late, early] = [await chat.register("othello"), await chat.register("iago")];

  await edited(chat, "hamlet", old, { content: "the last text", topic: "plan", propagate_mode: "change_all" });
  const [toLate, toEarly] = [await updates(late), await updates(early)];
  assert.deepEqual(
    toLate.map(({ message_id, message_ids, subject }) => [message_id, message_ids, subject]),
    [[seen, [seen], "plan"]],
  );
  assert.doesNotMatch(JSON.stringify(toLate), / text|is_me/);
  assert.deepEqual(
    toEarly.map(({ message_id, message_ids, orig_content }) => [message_id, message_ids, orig_content]),
    [[old, [old, seen], "the next text"]],
  );

  await edited(chat, "hamlet", old, { stream_id: chat.ids.general, topic: "out" });
  const [moved] = await updates(late);
  assert.deepEqual([moved?.stream_id, moved?.orig_subject, moved?.message_ids], [chat.ids.general, "out", [old]]);
  assert.deepEqual(
    (await history(chat, old, "othello")).map(({ content, topic }: Record<string, string>) => [content, topic]),
    [["the last text", "out"]],
  );
  assert.equal("edit_history" in (await message(chat, old, "othello")), false);
  assert.equal((await history(chat, old, "iago"))[0].content, "the old text");
});
