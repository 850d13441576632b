import assert from "node:assert/strict";
import test from "node:test";
import { startChat } from "../support/chat.ts";

const design = { name: "design", private: true, subscribers: ["hamlet", "iago"] };
const general = { name: "general", subscribers: ["hamlet", "othello"] };

test("a private channel's message reaches its subscribers only", async (t) => {
  const chat = await startChat(t, { channels: [design] });
  const [iago, othello] = [await chat.register("iago"), await chat.register("othello")];
  const sent = await chat
    .as("hamlet")
    .post("/messages", { type: "channel", to: "design", topic: "logo", content: "draft" });
  assert.equal(sent.status, 200);
  const [event, ...more] = (await iago.events()).filter(({ type }) => type === "message");
  assert.deepEqual(more, []);
  assert.equal(event?.message.id, sent.id);
  assert.equal(event?.message.content, "<p>draft</p>");
  assert.equal(event?.message.display_recipient, "design");
  assert.deepEqual(event?.flags, []);
  assert.deepEqual(await othello.events(), []);
  assert.equal((await chat.as("othello").get(`/messages/${sent.id}`)).status, 400);
});

test("a channel is addressed by name or ID", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const id = chat.ids.general as number;
  for (const type of ["channel", "stream"]) {
    for (const to of ["general", id, String(id), ["general"], [id], '"general"', "GENERAL"]) {
      const answer = await chat.as("hamlet").post("/messages", { type, to, topic: "t", content: "x" });
      assert.equal(answer.result, "success", `${type} ${to}: ${answer.msg}`);
    }
  }
  for (const type of ["direct", "private"]) {
    for (const to of [[chat.ids.othello], "othello@example.com", ["othello@example.com"], chat.ids.othello]) {
      const answer = await chat.as("hamlet").post("/messages", { type, to, content: "x" });
      assert.equal(answer.result, "success", `${type} ${to}: ${answer.msg}`);
    }
  }
  assert.equal(
    (await chat.as("hamlet").post("/messages", { type: "letter", to: "general", topic: "t", content: "x" })).status,
    400,
  );
});

test("direct recipients are IDs or email addresses, JSON or comma-separated", async (t) => {
  const chat = await startChat(t);
  const { othello, iago, hamlet } = chat.ids;
  const write = (to: unknown) => chat.as("hamlet").post("/messages", { type: "direct", to, content: "x" });
  const conversation = async (to: unknown) => {
    const answer = await write(to);
    assert.equal(answer.result, "success", `${to}: ${answer.msg}`);
    const { message } = await chat.as("hamlet").get(`/messages/${answer.id}`);
    return message.display_recipient.map(({ id }: { id: number }) => id);
  };
  const three = [hamlet, othello, iago].sort((a, b) => Number(a) - Number(b));
  for (const to of [
    [othello, iago],
    [othello, iago, hamlet, iago],
    ["othello@example.com", "IAGO@example.com"],
    "othello@example.com, iago@example.com",
    '"othello@example.com,iago@example.com"',
  ]) {
    assert.deepEqual(await conversation(to), three, String(to));
  }
  assert.deepEqual(await conversation("hamlet@example.com"), [hamlet]);
  for (const to of [undefined, "", [], {}, [true], [[othello]], [1.5], "nobody@example.com", [othello, 999_999]]) {
    const answer = await write(to);
    assert.deepEqual([answer.status, answer.code], [400, "BAD_REQUEST"], JSON.stringify(to));
  }
  const channel = (to: unknown) =>
    chat.as("hamlet").post("/messages", { type: "channel", to, topic: "t", content: "x" });
  const nowhere = await channel(undefined);
  assert.deepEqual([nowhere.code, nowhere.var_name], ["REQUEST_VARIABLE_MISSING", "to"]);
  assert.equal((await channel(["one", "two"])).code, "BAD_REQUEST");
});

test("a direct message reaches one user, several or the sender", async (t) => {
  const chat = await startChat(t);
  const others = await chat.register("cordelia");
  const [hamlet, othello] = [await chat.register("hamlet"), await chat.register("othello")];
  const ids: number[] = [];
  for (const to of [["othello"], ["hamlet"], ["othello", "polonius"]]) {
    ids.push(
      (
        await chat
          .as("hamlet")
          .post("/messages", { type: "direct", to: to.map((name) => chat.ids[name]), content: "x" })
      ).id,
    );
  }
  const received = async (who: typeof hamlet) => (await who.events()).map((event) => event.message.id);
  assert.deepEqual(await received(hamlet), ids);
  assert.deepEqual(await received(othello), [ids[0], ids[2]]);
  assert.deepEqual(await received(others), []);
  const group = (await chat.as("polonius").get(`/messages/${ids[2]}`)).message;
  assert.equal(group.type, "private");
  assert.equal(group.subject, "");
  const names = group.display_recipient.map((person: { full_name: string }) => person.full_name).sort();
  assert.deepEqual(names, ["Hamlet", "Othello", "Polonius"]);
  const conversations = (await chat.register("hamlet")).state.recent_private_conversations;
  const members = [chat.ids.othello, chat.ids.polonius].sort((a, b) => Number(a) - Number(b));
  assert.deepEqual(conversations, [
    { max_message_id: ids[2], user_ids: members },
    { max_message_id: ids[1], user_ids: [] },
    { max_message_id: ids[0], user_ids: [chat.ids.othello] },
  ]);
});

test("forbidden sends are rejected, and hidden channels look missing", async (t) => {
  const chat = await startChat(t, {
    channels: [general, design, { name: "lobby", subscribers: ["hamlet"] }],
    users: { gone: { full_name: "Gone" } },
  });
  const post = (name: string, params: Record<string, unknown>) =>
    chat.as(name).post("/messages", { type: "channel", topic: "t", content: "x", ...params });
  const absent = await post("othello", { to: "nowhere" });
  assert.deepEqual([absent.code, absent.stream], ["STREAM_DOES_NOT_EXIST", "nowhere"]);
  const hidden = await post("othello", { to: "design" });
  assert.deepEqual([hidden.code, hidden.stream, hidden.status], ["STREAM_DOES_NOT_EXIST", "design", 400]);
  const hiddenById = await post("othello", { to: chat.ids.design });
  assert.deepEqual([hiddenById.code, hiddenById.stream_id], ["STREAM_DOES_NOT_EXIST", chat.ids.design]);
  assert.equal((await post("polonius", { to: "lobby" })).code, "STREAM_DOES_NOT_EXIST");
  assert.equal((await post("desdemona", { to: "design" })).code, "BAD_REQUEST");
  assert.equal((await post("othello", { to: "lobby" })).result, "success");
  for (const to of [[999_999], ["nobody@example.com"], []]) {
    assert.equal((await chat.as("hamlet").post("/messages", { type: "direct", to, content: "x" })).status, 400);
  }
});

test("content and topic are bounded in code points", async (t) => {
  const chat = await startChat(t, { testing: { segmentSize: 16 << 20 }, channels: [general] });
  const post = (params: Record<string, unknown>) =>
    chat.as("hamlet").post("/messages", { type: "channel", to: "general", topic: "t", content: "x", ...params });
  assert.equal((await post({ content: "😀".repeat(10_000) })).result, "success");
  const padded = await post({ content: `\n\n${"x".repeat(10_000)} \n\t` });
  assert.equal(padded.result, "success", "spaces that are not stored");
  const long = await post({ content: "x".repeat(10_001) });
  assert.equal(long.status, 400);
  assert.match(long.msg, /10001 .*10000/, "the length and the limit");
  assert.match((await post({ topic: "t".repeat(61) })).msg, /61 .*60/);
  assert.equal((await post({ topic: "😀".repeat(60) })).result, "success");
  for (const content of ["", "  \n\t ", "a\0b"])
    assert.equal((await post({ content })).status, 400, JSON.stringify(content));
  const noTopic = await chat.as("hamlet").post("/messages", { type: "channel", to: "general", content: "x" });
  assert.deepEqual([noTopic.status, noTopic.code, noTopic.var_name], [400, "REQUEST_VARIABLE_MISSING", "topic"]);
  const { id } = await post({ content: "\n\n  code  \n\n" });
  assert.equal((await chat.as("hamlet").get(`/messages/${id}`, { apply_markdown: false })).message.content, "  code");
});

test("old clients see the empty topic's display name", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const [newer, older] = [await chat.register("othello"), await chat.register("othello", { client_capabilities: {} })];
  const names = ["", "(no topic)", "general chat", "General chat", "GENERAL CHAT ", "(No Topic)"];
  for (const topic of names) {
    await chat.as("hamlet").post("/messages", { type: "channel", to: "general", topic, content: "x" });
  }
  const subjects = (events: Record<string, any>[]) =>
    events.filter((e) => e.type === "message").map((e) => e.message.subject);
  assert.deepEqual(new Set(subjects(await newer.events())), new Set([""]));
  assert.deepEqual(
    subjects(await older.events()),
    names.map(() => "general chat"),
  );
  const get = (allow: boolean) =>
    chat.as("othello").get("/messages", { anchor: "newest", num_before: 1, allow_empty_topic_name: allow });
  assert.equal((await get(true)).messages[0].subject, "");
  assert.equal((await get(false)).messages[0].subject, "general chat");
});

test("a channel's topics policy governs the empty topic", async (t) => {
  const chat = await startChat(t);
  for (const [name, topics_policy] of [
    ["named", "disable_empty_topic"],
    ["plain", "empty_topic_only"],
  ]) {
    await chat.as("hamlet").post("/users/me/subscriptions", { subscriptions: [{ name }], topics_policy });
  }
  const post = (to: string, topic: string) =>
    chat.as("hamlet").post("/messages", { type: "channel", to, topic, content: "x" });
  assert.equal((await post("named", "")).status, 400);
  assert.equal((await post("named", "(no topic)")).status, 400);
  assert.equal((await post("named", "t")).status, 200);
  assert.equal((await post("plain", "t")).status, 400);
  assert.equal((await post("plain", "")).status, 200);
});

test("only the permitted group may post", async (t) => {
  const chat = await startChat(t);
  const setting = { direct_members: [chat.ids.hamlet], direct_subgroups: [] };
  await chat.as("hamlet").post("/users/me/subscriptions", {
    subscriptions: [{ name: "news" }],
    principals: [chat.ids.hamlet, chat.ids.othello],
    can_send_message_group: setting,
  });
  const post = (name: string) =>
    chat.as(name).post("/messages", { type: "channel", to: "news", topic: "t", content: "x" });
  assert.equal((await post("hamlet")).status, 200);
  assert.equal((await post("othello")).status, 400);
});

test("a repeated send returns the first message's ID", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const [own, other] = [await chat.register("hamlet"), await chat.register("hamlet")];
  const send = (more: object = {}) =>
    chat.as("hamlet").post("/messages", {
      type: "channel",
      to: "general",
      topic: "t",
      content: "x",
      queue_id: own.queueId,
      local_id: "7.1",
      ...more,
    });
  const first = await send();
  assert.equal((await send()).id, first.id);
  assert.notEqual((await send({ content: "y" })).id, first.id);
  assert.notEqual((await send({ local_id: "7.2" })).id, first.id);
  const messages = (await own.events()).filter(({ type }) => type === "message");
  assert.deepEqual(
    messages.map((event) => event.local_id),
    ["7.1", "7.1", "7.2"],
  );
  assert.equal(messages[0]?.local_message_id, "7.1");
  assert.ok((await other.events()).every((event) => !("local_id" in event)));
  const alone = await chat
    .as("hamlet")
    .post("/messages", { type: "channel", to: "general", topic: "t", content: "x", queue_id: own.queueId });
  assert.equal(alone.status, 400);
});

test("a sender's own message is read by default", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const queue = await chat.register("hamlet");
  const send = async (more: object) => {
    const { id } = await chat
      .as("hamlet")
      .post("/messages", { type: "channel", to: "general", topic: "t", content: "x", ...more });
    return (await chat.as("hamlet").get(`/messages/${id}`)).message.flags;
  };
  assert.deepEqual(await send({}), ["read"]);
  assert.deepEqual(await send({ read_by_sender: false }), []);
  const flags = (await queue.events()).filter(({ type }) => type === "message").map((event) => event.flags);
  assert.deepEqual(flags, [["read"], []]);
});

test("the Message object has every field", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const { id } = await chat
    .as("hamlet")
    .post("/messages", { type: "channel", to: "general", topic: "Lunch", content: "/me **eats**" });
  const { message, raw_content } = await chat.as("othello").get(`/messages/${id}`);
  assert.equal(raw_content, "/me **eats**");
  const { timestamp, avatar_url, client, recipient_id, ...rest } = message;
  assert.ok(Math.abs(timestamp - Date.now() / 1000) < 100);
  assert.equal(typeof avatar_url, "string");
  assert.equal(typeof client, "string");
  assert.equal(typeof recipient_id, "number");
  assert.deepEqual(rest, {
    id,
    type: "stream",
    sender_id: chat.ids.hamlet,
    sender_email: "hamlet@example.com",
    sender_full_name: "Hamlet",
    sender_realm_str: "",
    content: "<p>/me <strong>eats</strong></p>",
    content_type: "text/html",
    display_recipient: "general",
    stream_id: chat.ids.general,
    subject: "Lunch",
    topic_links: [],
    is_me_message: true,
    reactions: [],
    submessages: [],
    flags: [],
  });
  const raw = await chat.as("othello").get(`/messages/${id}`, { apply_markdown: false });
  assert.deepEqual([raw.message.content, raw.message.content_type], ["/me **eats**", "text/x-markdown"]);
});

test("messages are fetched around every kind of anchor", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const ids: number[] = [];
  for (let n = 0; n < 10; n += 1) {
    ids.push(
      (
        await chat
          .as("hamlet")
          .post("/messages", { type: "channel", to: "general", topic: `t${n % 2}`, content: `${n}` })
      ).id,
    );
  }
  const get = async (params: object) => {
    const answer = await chat.as("othello").get("/messages", params as Record<string, unknown>);
    assert.equal(answer.result, "success", answer.msg);
    const at = answer.messages.map((message: { id: number }) => ids.indexOf(message.id)).join("");
    return `${at}${answer.found_oldest ? " oldest" : ""}${answer.found_anchor ? " anchor" : ""}${answer.found_newest ? " newest" : ""}`;
  };
  assert.equal(await get({ anchor: "newest", num_before: 3 }), "789 newest");
  assert.equal(await get({ anchor: "newest", num_before: 10 }), "0123456789 oldest newest");
  assert.equal(await get({ anchor: "oldest", num_after: 3 }), "012 oldest");
  assert.equal(await get({ anchor: ids[5], num_before: 2, num_after: 2 }), "34567 anchor");
  assert.equal(await get({ anchor: ids[5], num_before: 2, num_after: 2, include_anchor: false }), "3467");
  assert.equal(await get({ anchor: ids[5], num_before: 9, num_after: 9 }), "0123456789 oldest anchor newest");
  assert.equal(await get({ anchor: "10000000000000000", num_before: 1 }), "9 newest");
  await chat.as("othello").post("/messages/flags", { messages: ids.slice(0, 4), op: "add", flag: "read" });
  assert.equal(await get({ anchor: "first_unread", num_before: 1, num_after: 1 }), "345 anchor");
  assert.equal(await get({ use_first_unread_anchor: true, num_before: 0, num_after: 1 }), "45 anchor");
  const narrow = [
    { operator: "topic", operand: "t1" },
    { operator: "channel", operand: "general" },
  ];
  assert.equal(await get({ anchor: "newest", num_before: 2, narrow }), "79 newest");
  const byIds = await chat.as("othello").get("/messages", { message_ids: [ids[2], ids[0], 999_999] });
  assert.deepEqual(
    byIds.messages.map((message: { id: number }) => message.id),
    [ids[0], ids[2]],
  );
  for (const params of [
    { num_before: 1 },
    { anchor: "newest", num_before: 5000, num_after: 1 },
    { anchor: "soon", num_before: 1 },
  ]) {
    assert.equal((await chat.as("othello").get("/messages", params)).status, 400);
  }
});

test("narrows accept old and new spellings, unknown ones fail", async (t) => {
  const chat = await startChat(t, { channels: [general, design] });
  const send = async (name: string, params: object) =>
    (await chat.as(name).post("/messages", { content: "x", ...params })).id as number;
  const a = await send("hamlet", { type: "channel", to: "general", topic: "lunch" });
  const b = await send("othello", { type: "channel", to: "general", topic: "Lunch" });
  const c = await send("hamlet", { type: "channel", to: "design", topic: "logo" });
  const d = await send("othello", { type: "direct", to: [chat.ids.hamlet] });
  const e = await send("othello", { type: "direct", to: [chat.ids.hamlet, chat.ids.iago] });
  await chat.as("hamlet").post("/messages/flags", { messages: [b, d], op: "add", flag: "starred" });
  const find = async (narrow: unknown, name = "hamlet") => {
    const answer = await chat.as(name).get("/messages", { anchor: "newest", num_before: 100, narrow });
    return answer.result === "success" ? answer.messages.map((message: { id: number }) => message.id) : answer.code;
  };
  const term = (operator: string, operand: unknown, negated = false) => ({ operator, operand, negated });
  assert.deepEqual(await find([]), [a, b, c, d, e]);
  for (const operator of ["channel", "stream"]) {
    assert.deepEqual(await find([term(operator, "general")]), [a, b]);
    assert.deepEqual(await find([[operator, chat.ids.general]]), [a, b]);
  }
  assert.deepEqual(await find([term("channel", "general"), term("topic", "LUNCH")]), [a, b]);
  assert.deepEqual(await find([term("channel", "general", true)]), [c, d, e]);
  for (const operand of ["dm", "private"]) assert.deepEqual(await find([term("is", operand)]), [d, e]);
  for (const operator of ["dm", "pm-with", "pm_with"]) {
    for (const operand of [
      "othello@example.com",
      [chat.ids.othello],
      [chat.ids.othello, chat.ids.hamlet],
      String(chat.ids.othello),
    ]) {
      assert.deepEqual(await find([term(operator, operand)]), [d], `${operator} ${operand}`);
    }
  }
  assert.deepEqual(await find([term("dm-including", [chat.ids.othello])]), [d, e]);
  assert.deepEqual(await find([term("sender", chat.ids.othello)]), [b, d, e]);
  assert.deepEqual(await find([term("sender", "othello@example.com"), term("is", "dm", true)]), [b]);
  assert.deepEqual(await find([term("is", "starred")]), [b, d]);
  assert.deepEqual(await find([term("is", "unread")]), [b, d, e]);
  assert.deepEqual(await find([term("is", "mentioned")]), []);
  assert.deepEqual(await find([term("id", c)]), [c]);
  assert.deepEqual(await find([term("near", c)]), [a, b, c, d, e]);
  assert.deepEqual(await find([term("with", b)]), [a, b]);
  assert.deepEqual(await find([term("with", d)]), [d]);
  assert.deepEqual(await find([term("channels", "public")], "cordelia"), [a, b]);
  assert.deepEqual(await find([], "cordelia"), []);
  assert.deepEqual(await find([term("id", c)], "cordelia"), []);
  for (const bad of [
    term("colour", "red"),
    term("is", "green"),
    term("channel", "nowhere"),
    term("sender", "nobody@example.com"),
  ]) {
    assert.equal(await find([bad]), "BAD_NARROW", JSON.stringify(bad));
  }
  assert.equal(await find([term("channel", "design")], "othello"), "BAD_NARROW");
  assert.equal(await find([term("channel", "general")], "polonius"), "BAD_NARROW");
});

test("the channel decides whether history is shared", async (t) => {
  const chat = await startChat(t);
  for (const [name, history_public_to_subscribers] of [
    ["shared", true],
    ["protected", false],
  ] as const) {
    await chat
      .as("hamlet")
      .post("/users/me/subscriptions", { subscriptions: [{ name }], invite_only: true, history_public_to_subscribers });
    await chat.as("hamlet").post("/messages", { type: "channel", to: name, topic: "t", content: "before" });
    await chat
      .as("hamlet")
      .post("/users/me/subscriptions", { subscriptions: [{ name }], principals: [chat.ids.othello] });
    await chat.as("hamlet").post("/messages", { type: "channel", to: name, topic: "t", content: "after" });
  }
  const seen = async (name: string, channel: string) => {
    // The topic filter excludes the system message that starts a channel.
    const narrow = [
      ["channel", channel],
      ["topic", "t"],
    ];
    const { messages } = await chat
      .as(name)
      .get("/messages", { anchor: "newest", num_before: 9, narrow, apply_markdown: false });
    return messages.map((message: { content: string }) => message.content);
  };
  assert.deepEqual(await seen("othello", "shared"), ["before", "after"]);
  assert.deepEqual(await seen("othello", "protected"), ["after"]);
  assert.deepEqual(await seen("desdemona", "shared"), []);
});

test("organization groups decide who may send direct messages", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const groups = (await chat.register("hamlet")).state.realm_user_groups as { id: number; name: string }[];
  const set = (name: string, group: string) =>
    chat.server.app.store.transact({ actor: null, action: "test" }, (tx) => {
      tx.run(
        "INSERT INTO organization_settings (name, value) VALUES (?, ?)",
        name,
        String(groups.find((one) => one.name === group)?.id),
      );
    });
  const write = (name: string, ...to: string[]) =>
    chat.as(name).post("/messages", { type: "direct", to: to.map((one) => chat.ids[one]), content: "x" });
  assert.equal((await write("othello", "hamlet")).status, 200);
  set("direct_message_initiator_group", "role:administrators");
  assert.equal((await write("hamlet", "othello")).status, 200);
  assert.equal((await write("hamlet", "cordelia")).status, 400);
  assert.equal((await write("iago", "cordelia")).status, 200);
  set("direct_message_permission_group", "role:administrators");
  assert.equal((await write("hamlet", "othello")).status, 400);
  assert.equal((await write("cordelia", "iago")).status, 200);
  assert.equal((await write("hamlet", "hamlet")).status, 200);
  assert.equal((await write("hamlet", "bot")).status, 200);
});

test("deactivated people receive nothing", async (t) => {
  const chat = await startChat(t, { channels: [general], unwatched: true });
  chat.server.app.store.transact({ actor: null, action: "test" }, (tx) => {
    tx.run("UPDATE users SET is_active = 0 WHERE id = ?", chat.ids.othello as number);
  });
  const answer = await chat.as("hamlet").post("/messages", { type: "direct", to: [chat.ids.othello], content: "x" });
  assert.deepEqual([answer.status, answer.code], [400, "BAD_REQUEST"]);
});

test("a queue's narrow filters its messages", async (t) => {
  const chat = await startChat(t, { channels: [general], unwatched: true });
  const queues = {
    dm: await chat.register("othello", { narrow: [["is", "dm"]] }),
    lunch: await chat.register("othello", {
      narrow: [
        ["channel", "general"],
        ["topic", "LUNCH"],
      ],
    }),
    iago: await chat.register("othello", { narrow: [["sender", "iago@example.com"]] }),
  };
  const post = async (name: string, params: object) =>
    (await chat.as(name).post("/messages", { content: "x", ...params })).id as number;
  const a = await post("hamlet", { type: "channel", to: "general", topic: "lunch" });
  const b = await post("hamlet", { type: "channel", to: "general", topic: "dinner" });
  const c = await post("iago", { type: "direct", to: [chat.ids.othello] });
  const got = async (name: keyof typeof queues) =>
    (await queues[name].events()).filter((e) => e.type === "message").map((e) => e.message.id);
  assert.deepEqual([await got("dm"), await got("lunch"), await got("iago")], [[c], [a], [c]]);
  assert.ok(b > a);
  const refused = await chat.as("othello").post("/register", { narrow: [["has", "wings"]] });
  assert.equal(refused.code, "BAD_NARROW");
});

test("a hidden channel named like an ID does not shadow it", async (t) => {
  const chat = await startChat(t, { channels: [general, { name: "1", private: true, subscribers: ["iago"] }] });
  assert.equal(chat.ids.general, 1);
  const found = async (who: string) =>
    (
      await chat.as(who).get("/messages", { anchor: "newest", num_before: 9, narrow: '[["channel","1"]]' })
    ).messages.map((message: { display_recipient: string }) => message.display_recipient);
  await chat.as("hamlet").post("/messages", { type: "channel", to: "general", topic: "t", content: "x" });
  await chat.as("iago").post("/messages", { type: "channel", to: '"1"', topic: "t", content: "x" });
  assert.deepEqual(await found("hamlet"), ["general"]);
  assert.deepEqual(await found("iago"), ["1"]);
});

test("a narrow has at most 100 terms", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const narrow = (length: number) => Array.from({ length }, () => ["is", "dm"]);
  const fetched = (length: number) => chat.as("hamlet").get("/messages", { anchor: "newest", narrow: narrow(length) });
  assert.equal((await fetched(100)).status, 200);
  assert.deepEqual([(await fetched(101)).status, (await fetched(101)).code], [400, "BAD_REQUEST"]);
});

test("an incoming webhook bot only sends messages", async (t) => {
  const chat = await startChat(t, {
    users: { hook: { is_bot: true, bot_type: 2 } },
    channels: [{ name: "general", subscribers: ["hook"] }],
  });
  const hook = chat.as("hook");
  assert.equal(
    (await hook.post("/messages", { type: "channel", to: "general", topic: "t", content: "x" })).status,
    200,
  );
  for (const refused of [
    await hook.get("/messages", { anchor: "newest" }),
    await hook.post("/register"),
    await hook.get("/users"),
    await hook.post("/users/me/subscriptions", { subscriptions: [{ name: "general" }] }),
  ]) {
    assert.deepEqual([refused.status, refused.code], [400, "BAD_REQUEST"]);
  }
});

test("a direct message ignores the topic parameter", async (t) => {
  const chat = await startChat(t);
  const sent = await chat
    .as("hamlet")
    .post("/messages", { type: "direct", to: [chat.ids.othello], content: "x", topic: "\n".repeat(61) });
  assert.equal(sent.status, 200, sent.msg);
  assert.equal((await chat.as("othello").get(`/messages/${sent.id}`)).message.subject, "");
});

test("a hidden email address identifies nobody", async (t) => {
  const chat = await startChat(t, {
    users: { emilia: { settings: { email_address_visibility: 3 } } },
    channels: [general],
    unwatched: true,
  });
  const everyWay = async (who: string, address: string) => [
    await chat.as(who).post("/messages", { type: "direct", to: [address], content: "x" }),
    await chat.as(who).post("/users/me/subscriptions", { subscriptions: [{ name: "general" }], principals: [address] }),
    await chat.as(who).get("/messages", { anchor: "newest", narrow: [["sender", address]] }),
    await chat.as(who).post("/register", { narrow: [["dm", address]] }),
  ];
  const statuses = async (who: string, address: string) => (await everyWay(who, address)).map(({ status }) => status);
  assert.deepEqual(await statuses("iago", "emilia@example.com"), [200, 200, 200, 200]);
  assert.deepEqual(await statuses("hamlet", "emilia@example.com"), [400, 400, 400, 400]);
  const { members } = await chat.as("hamlet").get("/users", { user_ids: [chat.ids.emilia] });
  assert.deepEqual(await statuses("hamlet", members[0].email), [200, 200, 200, 200]);
});

test("a bot posts wherever its owner may", async (t) => {
  const chat = await startChat(t, {
    channels: [design],
    users: { stray: { is_bot: true, bot_type: 1 } },
    unwatched: true,
  });
  const { store } = chat.server.app;
  const give = (name: string, owner: string) =>
    store.transact({ actor: null, action: "test" }, (tx) => {
      tx.run("UPDATE users SET bot_owner_id = ? WHERE id = ?", chat.ids[owner] as number, chat.ids[name] as number);
    });
  give("stray", "othello");
  await chat.as("hamlet").post("/users/me/subscriptions", {
    subscriptions: [{ name: "news" }],
    can_send_message_group: { direct_members: [chat.ids.hamlet], direct_subgroups: [] },
  });
  const post = async (name: string, to: string) =>
    (await chat.as(name).post("/messages", { type: "channel", to, topic: "t", content: "x" })).code;
  assert.equal(await post("bot", "design"), undefined, "hamlet's bot");
  assert.equal(await post("stray", "design"), "STREAM_DOES_NOT_EXIST");
  assert.equal(await post("bot", "news"), undefined);
  assert.equal(await post("stray", "news"), "BAD_REQUEST");
  store.transact({ actor: null, action: "test" }, (tx) => {
    tx.run("UPDATE users SET is_active = 0 WHERE id = ?", chat.ids["hamlet"] as number);
  });
  assert.equal(await post("bot", "design"), "STREAM_DOES_NOT_EXIST", "its owner is deactivated");
});

test("archived channels take no posts, guests post where subscribed", async (t) => {
  const chat = await startChat(t, { channels: [general, design], unwatched: true });
  const post = (name: string, to: string) =>
    chat.as(name).post("/messages", { type: "channel", to, topic: "t", content: "x" });
  await chat.as("hamlet").post("/users/me/subscriptions", {
    subscriptions: [{ name: "general" }],
    principals: [chat.ids.polonius],
  });
  assert.equal((await post("polonius", "general")).result, "success");
  chat.server.app.store.transact({ actor: null, action: "test" }, (tx) => {
    tx.run("UPDATE channels SET is_archived = 1");
  });
  assert.deepEqual(
    [(await post("hamlet", "general")).code, (await post("iago", "design")).code],
    ["BAD_REQUEST", "BAD_REQUEST"],
  );
  assert.equal((await post("othello", "design")).code, "STREAM_DOES_NOT_EXIST", "archived or not, it is hidden");
});

test("the client's name decides whether a message arrives read", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "general", subscribers: ["hamlet", "bot"] }] });
  const flags = async (name: string, userAgent: string) => {
    const { email, key } = chat.as(name);
    const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
    const params = { type: "channel", to: "general", topic: "t", content: "x" };
    const headers = { authorization, "user-agent": userAgent };
    const { id } = await chat.anonymous("POST", "/messages", params, headers);
    return (await chat.as(name).get(`/messages/${id}`)).message.flags;
  };
  for (const program of ["ZulipPython/0.9.0", "curl/8.5.0", "python-requests/2.31"]) {
    assert.deepEqual(await flags("hamlet", program), [], program);
    assert.deepEqual(await flags("bot", program), ["read"], program);
  }
  for (const app of ["ZulipMobile/27.233 (Android 14)", "ZulipElectron/5.11", "ZulipFlutter/30.0", "ZulipTerminal/0.7"])
    assert.deepEqual(await flags("hamlet", app), ["read"], app);
});

test("a bot's message carries buttons", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const othello = await chat.register("othello");
  const send = (more: Record<string, unknown>) =>
    chat.as("bot").post("/messages", { type: "channel", to: "general", topic: "t", content: "x", ...more });
  const choice = { type: "multiple_choice", short_name: "A", long_name: "Apple", reply: "answer A" };
  const widget = { widget_type: "zform", extra_data: { type: "choices", heading: "Fruit?", choices: [choice] } };
  const { id } = await send({ widget_content: JSON.stringify(widget) });
  const [event] = (await othello.events()).filter(({ type }) => type === "message");
  const { submessages } = (await chat.as("othello").get(`/messages/${id}`)).message;
  assert.deepEqual(event?.message.submessages, submessages);
  assert.deepEqual(
    submessages.map((one: any) => [one.msg_type, one.sender_id, JSON.parse(one.content)]),
    [["widget", chat.ids.bot, widget]],
  );
  for (const widget_content of [
    "{",
    "[]",
    JSON.stringify({ widget_type: "zform" }),
    JSON.stringify({ widget_type: "game", extra_data: {} }),
    JSON.stringify({ widget_type: "zform", extra_data: { type: "choices", choices: [{ short_name: "A" }] } }),
  ]) {
    assert.deepEqual([(await send({ widget_content })).code], ["BAD_REQUEST"], widget_content);
  }
  const without = await send({ widget_content: "null" });
  assert.deepEqual((await chat.as("othello").get(`/messages/${without.id}`)).message.submessages, []);
});

test("nobody sends under another name", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const othello = await chat.register("othello");
  for (const more of [{ sender: "iago@example.com" }, { forged: "yes" }, { forged: "true", time: 1 }]) {
    const answer = await chat
      .as("desdemona")
      .post("/messages", { type: "channel", to: "general", topic: "t", content: "x", ...more });
    assert.deepEqual([answer.status, answer.code], [400, "BAD_REQUEST"]);
  }
  assert.deepEqual(await othello.events(), []);
});

test("sending follows or unmutes topics as the settings say", async (t) => {
  const chat = await startChat(t, {
    channels: [general],
    users: {
      emilia: {
        settings: { automatically_follow_topics_policy: 4, automatically_unmute_topics_in_muted_streams_policy: 2 },
      },
      bianca: {
        settings: { automatically_follow_topics_policy: 2, automatically_follow_topics_where_mentioned: false },
      },
    },
  });
  const send = (name: string, topic: string, content = "x") =>
    chat.as(name).post("/messages", { type: "channel", to: "general", topic, content });
  for (const name of ["emilia", "bianca"])
    await chat.as(name).post("/users/me/subscriptions", { subscriptions: [{ name: "general" }] });
  const [hamlet, othello, bianca] = [
    await chat.register("hamlet"),
    await chat.register("othello"),
    await chat.register("bianca"),
  ];
  const news = async (queue: typeof hamlet) =>
    (await queue.events())
      .filter(({ type }) => type === "user_topic")
      .map((event) => [event.topic_name, event.visibility_policy]);
  assert.equal((await send("hamlet", "begun")).automatic_new_visibility_policy, 3);
  assert.deepEqual(await news(hamlet), [["begun", 3]]);
  assert.equal("automatic_new_visibility_policy" in (await send("hamlet", "begun")), false);
  assert.equal("automatic_new_visibility_policy" in (await send("othello", "begun")), false);
  assert.equal((await send("bianca", "begun")).automatic_new_visibility_policy, 3);
  assert.equal("automatic_new_visibility_policy" in (await send("emilia", "silent")), false);
  assert.equal("automatic_new_visibility_policy" in (await send("bot", "by a bot")), false);
  await bianca.events();
  await send("hamlet", "begun", "@**Othello** @**Bianca**");
  assert.deepEqual(await news(othello), [["begun", 3]], "being mentioned follows");
  assert.deepEqual(await news(bianca), []);
  const direct = await chat.as("hamlet").post("/messages", { type: "direct", to: [chat.ids.othello], content: "x" });
  assert.equal("automatic_new_visibility_policy" in direct, false);
});

test("matching messages are listed with escaped topics", async (t) => {
  const chat = await startChat(t, {
    channels: [
      { name: "general", subscribers: ["hamlet", "othello"] },
      { name: "design", private: true, subscribers: ["hamlet"] },
    ],
  });
  const say = async (to: string, topic: string, content: string): Promise<number> =>
    (await chat.as("hamlet").post("/messages", { type: "channel", to, topic, content })).id;
  const lunch = await say("general", "soup & <bread>", "**hot**");
  const other = await say("general", "dinner", "cold");
  const hidden = await say("design", "soup & <bread>", "secret");
  const matching = (narrow: unknown, msg_ids: unknown = [lunch, other, hidden, 999]) =>
    chat.as("othello").get("/messages/matches_narrow", { msg_ids, narrow });
  const topic = { operator: "topic", operand: "Soup & <bread>" };
  assert.deepEqual((await matching([topic])).messages, {
    [lunch]: {
      match_content: "<p><strong>hot</strong></p>",
      match_subject: "soup &amp; &lt;bread&gt;",
    },
  });
  assert.deepEqual(Object.keys((await matching([{ ...topic, negated: true }])).messages), [String(other)]);
  assert.deepEqual(Object.keys((await matching([])).messages), [String(lunch), String(other)]);
  assert.deepEqual((await matching([topic], [])).messages, {});
  assert.equal((await matching([{ operator: "channel", operand: "design" }])).code, "BAD_NARROW");
  assert.equal((await matching("lunch")).code, "BAD_REQUEST");
  assert.equal((await matching(undefined)).code, "REQUEST_VARIABLE_MISSING");
  assert.equal(
    (await chat.as("othello").get("/messages/matches_narrow", { narrow: [] })).code,
    "REQUEST_VARIABLE_MISSING",
  );
});

test("the response to a send links to the message", async (t) => {
  const odd = { name: "odd *name*", subscribers: ["hamlet"] };
  const chat = await startChat(t, { channels: [general, odd] });
  const { hamlet, othello, iago } = chat.ids;
  const channel = (name: string) => `${chat.url}/#narrow/channel/${chat.ids[name]}-`;
  const send = async (params: object) => {
    const { message_url, message_link, id } = await chat.as("hamlet").post("/messages", { content: "x", ...params });
    return [
      message_url.replace(/\/near\/\d+$/, ""),
      message_url.endsWith(`/near/${id}`),
      message_link === message_url,
      message_link,
    ];
  };
  const [lunch, ends, isPlain, link] = await send({ type: "channel", to: "general", topic: "soup & salad" });
  assert.deepEqual([lunch, ends, isPlain], [`${channel("general")}general/topic/soup.20.26.20salad`, true, false]);
  assert.match(link, /^\[&#35;general &#62; soup &#38; salad @ 💬\]\(http.*\/near\/\d+\)$/);
  const [special, , , hidden] = await send({ type: "channel", to: odd.name, topic: "" });
  assert.equal(special, `${channel(odd.name)}odd-.2Aname.2A/topic/`);
  const { rendered } = await chat.as("hamlet").post("/messages/render", { content: hidden });
  assert.match(rendered, /^<p><a [^>]*class="message-link"[^>]*>#odd \*name\* &gt; general chat @ <span .*<\/a><\/p>$/);
  const dm = (to: unknown[]) => send({ type: "direct", to });
  assert.deepEqual((await dm([othello])).slice(0, 3), [`${chat.url}/#narrow/dm/${othello}-dm`, true, true]);
  assert.equal((await dm([othello, iago]))[0], `${chat.url}/#narrow/dm/${[othello, iago].sort().join(",")}-group`);
  assert.equal((await dm([hamlet]))[0], `${chat.url}/#narrow/dm/${hamlet}-dm`);
});

test("the link to a sent message hides the name of a hidden channel", async (t) => {
  const chat = await startChat(t, { channels: [general, { ...design, subscribers: ["hamlet"] }], unwatched: true });
  const id = chat.ids["design"];
  const sent = await chat.as("bot").post("/messages", { type: "channel", to: id, topic: "a b", content: "x" });
  assert.equal(sent.result, "success", sent.msg);
  assert.equal((await chat.as("bot").get(`/streams/${id}`)).status, 400, "the bot cannot see the channel");
  assert.equal(sent.message_url, `${chat.url}/#narrow/channel/${id}/topic/a.20b/near/${sent.id}`);
  assert.equal(sent.message_link, sent.message_url);
});
