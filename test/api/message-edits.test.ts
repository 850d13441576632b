import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";
import { startChat } from "../support/chat.ts";
import {
  clock,
  design,
  edited,
  general,
  history,
  message,
  refused,
  SECONDS,
  say,
  settings,
  updates,
  write,
} from "../support/message-edits.ts";

test("an edit reaches the message's readers", async (t) => {
  const time = clock();
  const chat = await startChat(t, { channels: [design], now: time.now });
  const [iago, othello] = [await chat.register("iago"), await chat.register("othello")];
  const id = await say(chat, "hamlet", "*old*", { to: "design" });
  time.ms += 5000;
  await edited(chat, "hamlet", id, { content: "/me new" });
  const [event] = await updates(iago);
  const { id: _, ...fields } = event as Record<string, unknown>;
  assert.deepEqual(fields, {
    type: "update_message",
    user_id: chat.ids.hamlet,
    rendering_only: false,
    message_id: id,
    message_ids: [id],
    flags: [],
    edit_timestamp: SECONDS + 5,
    stream_name: "design",
    stream_id: chat.ids.design,
    orig_content: "*old*",
    orig_rendered_content: "<p><em>old</em></p>",
    content: "/me new",
    rendered_content: "<p>/me new</p>",
    is_me_message: true,
  });
  assert.deepEqual(await othello.events(), []);
  const now = await message(chat, id);
  assert.equal(now.content, "<p>/me new</p>");
  assert.equal(now.is_me_message, true);
  assert.equal(now.last_edit_timestamp, SECONDS + 5);
  assert.equal("last_moved_timestamp" in now, false);
  assert.deepEqual(now.edit_history, [
    {
      user_id: chat.ids.hamlet,
      timestamp: SECONDS + 5,
      prev_content: "*old*",
      prev_rendered_content: "<p><em>old</em></p>",
    },
  ]);
});

test("an unreadable message looks missing to every change", async (t) => {
  const chat = await startChat(t, { channels: [design] });
  const [id, direct] = [await say(chat, "hamlet", "x", { to: "design" }), await write(chat, "hamlet", "iago", "x")];
  const othello = chat.as("othello");
  for (const call of [
    (n: number) => othello.patch(`/messages/${n}`, { content: "y" }),
    (n: number) => othello.delete(`/messages/${n}`),
    (n: number) => othello.get(`/messages/${n}/history`),
  ]) {
    const absent = await call(999);
    assert.equal(absent.status, 400);
    for (const hidden of [id, direct]) assert.deepEqual(await call(hidden), absent);
  }
  assert.equal((await message(chat, id)).content, "<p>x</p>");
});

test("only the author edits a text, bots included", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const own = await say(chat, "othello", "x");
  await refused(chat, "hamlet", own, { content: "y" }, "edit_own_messages_only");
  await refused(chat, "desdemona", own, { content: "y" }, "edit_own_messages_only");
  const direct = await write(chat, "bot", "hamlet", "x");
  await refused(chat, "hamlet", direct, { content: "y" }, "edit_own_messages_only");
  const queue = await chat.register("hamlet");
  await edited(chat, "bot", direct, { content: "y" });
  const [event] = await updates(queue);
  assert.equal(event?.content, "y");
  assert.equal("stream_id" in (event as object), false);
});

test("texts are editable until the organization's time limit", async (t) => {
  const time = clock();
  const chat = await startChat(t, { channels: [general], now: time.now, unwatched: true });
  const id = await say(chat, "hamlet", "x");
  time.ms += 600_000;
  await edited(chat, "hamlet", id, { content: "y" });
  time.ms += 1000;
  await refused(chat, "hamlet", id, { content: "z" }, "edit_time_limit_passed");
  await edited(chat, "hamlet", id, { topic: "dinner" });

  const later = clock();
  const patient = await startChat(t, {
    channels: [general],
    now: later.now,
    unwatched: true,
    ...settings({ message_content_edit_limit_seconds: null }),
  });
  const old = await say(patient, "hamlet", "x");
  later.ms += 400 * 86_400_000;
  await edited(patient, "hamlet", old, { content: "y" });

  const never = await startChat(t, { channels: [general], ...settings({ allow_message_editing: false }) });
  const fixed = await say(never, "hamlet", "x");
  await refused(never, "hamlet", fixed, { content: "y" }, "editing_disabled");
  await edited(never, "hamlet", fixed, { topic: "dinner" });
});

test("an emptied text becomes (deleted), an unchanged one stays", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const id = await say(chat, "hamlet", "x");
  const queue = await chat.register("othello");
  await edited(chat, "hamlet", id, { content: "x" });
  assert.deepEqual(await queue.events(), []);
  assert.equal("edit_history" in (await message(chat, id)), false);
  await edited(chat, "hamlet", id, { content: " \n " });
  assert.equal((await message(chat, id)).content, "<p>(deleted)</p>");
  await refused(chat, "hamlet", id, { content: "x".repeat(10_001) }, /at most 10000/);
  await edited(chat, "hamlet", id, { content: `${"x".repeat(10_000)}\n \n` });
});

test("contradictory edits are rejected", async (t) => {
  const chat = await startChat(t, { channels: [general, design] });
  const [id, direct] = [await say(chat, "hamlet", "x"), await write(chat, "hamlet", "othello", "x")];
  const stream_id = chat.ids.design;
  await refused(chat, "hamlet", id, {}, /^Nothing to change$/);
  await refused(chat, "hamlet", id, { topic: "lunch" }, "no_message_changes");
  await refused(
    chat,
    "hamlet",
    id,
    { stream_id: chat.ids.general, propagate_mode: "change_all" },
    "no_message_changes",
  );
  await refused(chat, "hamlet", id, { content: "y", stream_id }, "edit_while_moving");
  await refused(chat, "hamlet", id, { content: "y", propagate_mode: "change_all" }, /propagate_mode/);
  await refused(chat, "hamlet", id, { topic: "y", propagate_mode: "change_some" }, /propagate_mode/);
  await refused(chat, "hamlet", id, { topic: "y", subject: "y" });
  for (const name of ["send_notification_to_old_thread", "send_notification_to_new_thread"]) {
    await refused(chat, "hamlet", id, { topic: "y", [name]: "perhaps" }, new RegExp(name));
  }
  await refused(chat, "hamlet", direct, { topic: "y" }, "direct_message_not_movable");
  await refused(chat, "hamlet", direct, { stream_id }, "direct_message_not_movable");
  await refused(chat, "hamlet", id, { topic: "x".repeat(61) }, /at most 60/);
  await refused(chat, "hamlet", id, { topic: "a\nb" }, "topic_control_characters");
  for (const topic of ["✔", "✔ ", "✔ (no topic)", "✔ general chat", "✔ General Chat"]) {
    await refused(chat, "hamlet", id, { topic }, "empty_topic_not_resolvable");
  }
  const poll = await say(chat, "hamlet", "/poll Lunch?\nyes\nno");
  await refused(chat, "hamlet", poll, { content: "/poll Dinner?" }, "widget_not_editable");
  await edited(chat, "hamlet", poll, { topic: "votes" });
});

test("an edit of a changed text is rejected", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const sha = (text: string) => createHash("sha256").update(text).digest("hex");
  const id = await say(chat, "hamlet", "grüße");
  await edited(chat, "hamlet", id, { content: "b", prev_content_sha256: sha("grüße") });
  for (const change of [{ content: "c" }, { topic: "t" }]) {
    const answer = await refused(chat, "hamlet", id, { ...change, prev_content_sha256: sha("grüße") });
    assert.equal(answer.code, "EXPECTATION_MISMATCH");
  }
  await edited(chat, "hamlet", id, { topic: "t", prev_content_sha256: sha("b") });
  assert.equal((await message(chat, id)).content, "<p>b</p>");
});

test("an edit adds and removes mentions with their flags", async (t) => {
  const chat = await startChat(t, {
    watchAll: true,
    channels: [{ name: "general", subscribers: ["hamlet", "othello", "polonius"] }],
  });
  const id = await say(chat, "othello", "x");
  const [hamlet, polonius, cordelia] = [
    await chat.register("hamlet"),
    await chat.register("polonius"),
    await chat.register("cordelia"),
  ];
  await edited(chat, "othello", id, { content: "@**Hamlet** hello" });
  assert.deepEqual((await updates(hamlet))[0]?.flags, ["mentioned"]);
  assert.deepEqual((await updates(polonius))[0]?.flags, []);
  assert.deepEqual((await updates(cordelia))[0]?.flags, ["read", "historical"]);
  assert.deepEqual((await chat.register("hamlet")).state.unread_msgs?.mentions, [id]);
  await chat.checkEvents();
  await chat.as("hamlet").post("/messages/flags", { messages: [id], op: "add", flag: "starred" });
  await hamlet.events();
  await edited(chat, "othello", id, { content: "@**all** hello" });
  const everybody = ["stream_wildcard_mentioned", "wildcard_mentioned"];
  assert.deepEqual((await updates(hamlet))[0]?.flags, ["starred", ...everybody]);
  assert.deepEqual((await updates(polonius))[0]?.flags, everybody);
  await edited(chat, "othello", id, { content: "hello" });
  assert.deepEqual((await updates(hamlet))[0]?.flags, ["starred"]);
  assert.deepEqual((await chat.register("hamlet")).state.unread_msgs?.mentions, []);
});

test("new mentions in an edit follow the topic once", async (t) => {
  const quiet = { settings: { automatically_follow_topics_where_mentioned: false } };
  const chat = await startChat(t, { channels: [general], users: { othello: quiet } });
  const id = await say(chat, "iago", "x");
  const [hamlet, othello] = [await chat.register("hamlet"), await chat.register("othello")];
  const followed = async (queue: typeof hamlet) =>
    (await queue.events())
      .filter(({ type }) => type === "user_topic")
      .map((event) => [event.topic_name, event.visibility_policy]);
  await edited(chat, "iago", id, { content: "@**Hamlet** @**Othello**", topic: "dinner" });
  assert.deepEqual(await followed(hamlet), [["dinner", 3]]);
  assert.deepEqual(await followed(othello), []);
  await chat.as("hamlet").post("/user_topics", { stream_id: chat.ids.general, topic: "dinner", visibility_policy: 0 });
  await hamlet.events();
  await edited(chat, "iago", id, { content: "@**Hamlet** again" });
  assert.deepEqual(await followed(hamlet), []);
});

test("an edit is subject to the mention limits", async (t) => {
  const many = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`extra${n}`, {}]));
  const chat = await startChat(t, {
    users: many,
    channels: [{ name: "general", subscribers: ["hamlet", "iago", ...Object.keys(many)] }],
  });
  const [own, admins] = [await say(chat, "hamlet", "x"), await say(chat, "iago", "x")];
  const answer = await refused(chat, "hamlet", own, { content: "@**all**" });
  assert.equal(answer.code, "STREAM_WILDCARD_MENTION_NOT_ALLOWED");
  await edited(chat, "iago", admins, { content: "@**all**" });
  for (const name of Object.keys(many)) await say(chat, name, "x");
  const topic = await refused(chat, "hamlet", own, { content: "@**topic**" });
  assert.equal(topic.code, "TOPIC_WILDCARD_MENTION_NOT_ALLOWED");
  assert.equal((await message(chat, own)).content, "<p>x</p>");
});

test("a message's history starts with the original", async (t) => {
  const time = clock();
  const chat = await startChat(t, { channels: [general], now: time.now });
  const id = await say(chat, "hamlet", "one *two*");
  const sent = { topic: "lunch", content: "one *two*", rendered_content: "<p>one <em>two</em></p>" };
  const by = (name: string, seconds: number) => ({ user_id: chat.ids[name], timestamp: SECONDS + seconds });
  assert.deepEqual(await history(chat, id), [{ ...sent, ...by("hamlet", 0) }]);
  time.ms += 1000;
  await edited(chat, "hamlet", id, { content: "one three" });
  time.ms += 1000;
  await edited(chat, "othello", id, { topic: "dinner" });
  const text = { content: "one three", rendered_content: "<p>one three</p>" };
  assert.deepEqual(await history(chat, id, "othello"), [
    { ...sent, ...by("hamlet", 0) },
    {
      ...text,
      ...by("hamlet", 1),
      topic: "lunch",
      prev_content: sent.content,
      prev_rendered_content: sent.rendered_content,
      content_html_diff:
        '<p>one <span class="highlight_text_deleted">two</span><span class="highlight_text_inserted">three</span></p>',
    },
    { ...text, ...by("othello", 2), topic: "dinner", prev_topic: "lunch" },
  ]);
  await chat.restart();
  assert.equal((await history(chat, id)).length, 3);
  assert.deepEqual(
    (await message(chat, id)).edit_history.map((edit: any) => edit.timestamp),
    [SECONDS + 2, SECONDS + 1],
  );
});

test("the organization hides earlier texts or all history", async (t) => {
  const start = async (policy: string) => {
    const chat = await startChat(t, {
      channels: [general],
      ...settings({ message_edit_history_visibility_policy: policy }),
    });
    const id = await say(chat, "hamlet", "one");
    await edited(chat, "hamlet", id, { content: "two" });
    await edited(chat, "hamlet", id, { content: "three", topic: "dinner" });
    return { chat, id, shown: await message(chat, id) };
  };
  const moves = await start("moves");
  assert.deepEqual(
    moves.shown.edit_history.map(({ timestamp: _, ...edit }: any) => edit),
    [{ user_id: moves.chat.ids.hamlet, prev_topic: "lunch", topic: "dinner" }],
  );
  const snapshots = await history(moves.chat, moves.id);
  assert.deepEqual(
    snapshots.map(({ topic, content }: any) => [topic, content]),
    [
      ["lunch", "three"],
      ["dinner", "three"],
    ],
  );
  assert.ok(!JSON.stringify([moves.shown, snapshots]).includes("one"));
  const only = await say(moves.chat, "hamlet", "one");
  await edited(moves.chat, "hamlet", only, { content: "two" });
  assert.equal("edit_history" in (await message(moves.chat, only)), false);
  assert.equal("last_edit_timestamp" in (await message(moves.chat, only)), true);

  const none = await start("none");
  assert.equal("edit_history" in none.shown, false);
  const answer = await none.chat.as("hamlet").get(`/messages/${none.id}/history`);
  assert.equal(answer.status, 400);
  assert.equal(answer.reason, "edit_history_disabled");
});

test("a history over 10 MB omits its middle", async (t) => {
  const chat = await startChat(t, { channels: [general], unwatched: true });
  const id = await say(chat, "hamlet", "the end");
  const { store } = chat.server.app;
  store.transact({ actor: null, action: "test" }, (tx) => {
    tx.run(
      `INSERT INTO message_edits (message_id, user_id, edited_at, prev_content, prev_rendered_content, prev_topic, topic)
       WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < 600),
         long (n, content) AS (SELECT n, n || ' ' || hex(zeroblob(5000)) FROM numbers)
       SELECT ?1, ?2, 1000, 'the beginning', 'the beginning', 'first', 'second'
       UNION ALL SELECT ?1, ?2, n * 1000, content, content, NULL, NULL FROM long
       UNION ALL SELECT ?1, ?2, 601000, NULL, NULL, 'second', 'lunch' ORDER BY 3`,
      id,
      chat.ids.hamlet as number,
    );
  });
  await store.durable();
  const versions = await history(chat, id);
  const size = JSON.stringify(versions).length;
  assert.ok(size > 5_000_000 && size < 10_000_000, `${size}`);
  const [sent, ...edits] = versions;
  assert.deepEqual([sent.content, sent.rendered_content, sent.topic], ["the beginning", "the beginning", "first"]);
  assert.equal("prev_content" in sent, false);
  assert.deepEqual(
    edits.map(({ timestamp }: { timestamp: number }) => timestamp),
    edits.map((_: unknown, at: number) => 602 - edits.length + at),
  );
  const [moved, last] = [edits.at(-1), edits.at(-2)];
  assert.deepEqual([moved.content, moved.topic, moved.prev_topic], ["the end", "lunch", "second"]);
  assert.deepEqual([last.content, last.topic, last.prev_content.slice(0, 5)], ["the end", "second", "600 0"]);
  assert.equal(edits[0].prev_content.slice(0, 4), `${edits[0].timestamp} `);
});

test("a message embeds its newest edits only", async (t) => {
  const chat = await startChat(t, { channels: [general], unwatched: true, testing: { segmentSize: 16 << 20 } });
  const [often, long] = [await say(chat, "hamlet", "0"), await say(chat, "hamlet", "0")];
  const { store } = chat.server.app;
  store.transact({ actor: null, action: "test" }, (tx) => {
    for (const [id, count, text] of [
      [often, 150, "x"],
      [long, 30, "y".repeat(10_000)],
    ] as const) {
      for (let at = 1; at <= count; at += 1) {
        tx.run(
          `INSERT INTO message_edits (message_id, user_id, edited_at, prev_content, prev_rendered_content)
           VALUES (?, ?, ?, ?, ?)`,
          id,
          chat.ids.hamlet as number,
          at * 1000,
          text,
          text,
        );
      }
    }
  });
  await store.durable();
  const { messages } = await chat.as("othello").get("/messages", { anchor: "newest", num_before: 2, num_after: 0 });
  const carried = messages.map((one: any) => one.edit_history);
  assert.deepEqual(
    carried.map((edits: any[]) => [edits.length, edits[0].timestamp, edits.at(-1).timestamp]),
    [
      [100, 150, 51],
      [10, 30, 21],
    ],
  );
  assert.deepEqual((await message(chat, long)).edit_history, carried[1]);
  assert.deepEqual([(await history(chat, often)).length, (await history(chat, long)).length], [151, 31]);
});
