import assert from "node:assert/strict";
import test from "node:test";
import { systemGroupId } from "../../server/api/queries/user-group-members.ts";
import { userGroupNameKey } from "../../server/api/queries/user-groups.ts";
import type { Transaction } from "../../server/storage/transaction.ts";
import { type Chat, type Registered, startChat } from "../support/chat.ts";

const general = { name: "general", subscribers: ["hamlet", "othello", "iago"] };
const design = { name: "design", private: true, subscribers: ["hamlet", "iago"] };

const post = (chat: Chat, name: string, to: string, content: string, topic = "t") =>
  chat.as(name).post("/messages", { type: "channel", to, topic, content });

async function sent(chat: Chat, name: string, to: string, content: string, topic = "t"): Promise<number> {
  const answer = await post(chat, name, to, content, topic);
  assert.equal(answer.result, "success", answer.msg);
  return answer.id;
}

const messagesIn = async (queue: Registered) => (await queue.events()).filter(({ type }) => type === "message");
const flagsIn = async (queue: Registered) => (await messagesIn(queue)).map((event) => event.flags);
const html = async (chat: Chat, name: string, id: number) =>
  (await chat.as(name).get(`/messages/${id}`)).message.content as string;

function flagged(chat: Chat, id: number): Record<string, number> {
  const rows = chat.server.app.store.reader.all<{ user: number; flags: number }>(
    "SELECT user_id AS user, flags FROM message_flags WHERE message_id = ? ORDER BY user_id",
    id,
  );
  const names = new Map(Object.entries(chat.ids).map(([name, user]) => [user, name]));
  return Object.fromEntries(rows.map(({ user, flags }) => [names.get(user) ?? user, flags]));
}

function addGroup(
  tx: Transaction,
  name: string,
  {
    members = [],
    subgroups = [],
    mentionableBy,
    deactivated = 0,
  }: {
    members?: (number | undefined)[];
    subgroups?: number[];
    mentionableBy?: object;
    deactivated?: number;
  },
): number {
  const nobody = String(systemGroupId(tx, "role:nobody"));
  const mention = mentionableBy ? JSON.stringify(mentionableBy) : String(systemGroupId(tx, "role:everyone"));
  const id = tx.run(
    `INSERT INTO user_groups (name, name_key, created_at, deactivated, can_add_members_group, can_join_group,
       can_leave_group, can_manage_group, can_mention_group, can_remove_members_group)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[name, userGroupNameKey(name), tx.now, deactivated, nobody, nobody, nobody, nobody, mention, nobody],
  );
  for (const member of members)
    tx.run("INSERT INTO user_group_members (group_id, user_id) VALUES (?, ?)", id, member as number);
  for (const held of subgroups)
    tx.run("INSERT INTO user_group_subgroups (group_id, subgroup_id) VALUES (?, ?)", id, held);
  return id;
}

const setForAll = (tx: Transaction, name: string, value: unknown) =>
  tx.run("INSERT INTO organization_settings (name, value) VALUES (?, ?)", name, JSON.stringify(value));

test("a mention notifies exactly the mentioned person", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const [othello, iago, hamlet] = [
    await chat.register("othello"),
    await chat.register("iago"),
    await chat.register("hamlet"),
  ];
  const id = await sent(chat, "hamlet", "general", "@**othello** and @**Hamlet**, look");
  assert.deepEqual(await flagsIn(othello), [["mentioned"]]);
  assert.deepEqual(await flagsIn(iago), [[]]);
  assert.deepEqual(await flagsIn(hamlet), [["read", "mentioned"]]);
  assert.match(
    await html(chat, "iago", id),
    new RegExp(`<span class="user-mention" data-user-id="${chat.ids.othello}">@Othello</span>`),
  );
  assert.deepEqual((await chat.register("othello")).state.unread_msgs?.mentions, [id]);
  assert.deepEqual((await chat.register("iago")).state.unread_msgs?.mentions, []);
  const narrow = [{ operator: "is", operand: "mentioned" }];
  const found = await chat.as("othello").get("/messages", { anchor: "newest", num_before: 9, narrow });
  assert.deepEqual(
    found.messages.map((message: any) => [message.id, message.flags]),
    [[id, ["mentioned"]]],
  );
  await chat.as("othello").post("/messages/flags", { messages: [id], op: "add", flag: "read" });
  assert.deepEqual((await chat.register("othello")).state.unread_msgs?.mentions, []);
});

test("silent, quoted and code mentions notify nobody", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  for (const content of ["@_**Othello**", "> @**Othello** said", "`@**Othello**`", "a@**Othello**", "@_**all**"]) {
    assert.deepEqual(flagged(chat, await sent(chat, "hamlet", "general", content)), {}, content);
  }
});

test("mentions by ID distinguish namesakes and skip deactivated people", async (t) => {
  const chat = await startChat(t, {
    channels: [general],
    users: { twin: { full_name: "Othello" } },
    prepare: (tx, ids) => tx.run("UPDATE users SET is_active = 0 WHERE id = ?", ids["cordelia"] as number),
    unwatched: true,
  });
  await chat.as("twin").post("/users/me/subscriptions", { subscriptions: [{ name: "general" }] });
  assert.deepEqual(flagged(chat, await sent(chat, "hamlet", "general", "@**Othello**")), { othello: 2 });
  const byId = `@**Othello|${chat.ids.twin}**`;
  assert.deepEqual(flagged(chat, await sent(chat, "hamlet", "general", byId)), { twin: 2 });
  const gone = await sent(chat, "hamlet", "general", "@**Cordelia**");
  assert.match(await html(chat, "hamlet", gone), /class="user-mention silent"[^>]*>Cordelia</);
  assert.deepEqual(flagged(chat, gone), {});
});

test("a group mention notifies its members, with permission only", async (t) => {
  const chat = await startChat(t, {
    channels: [general],
    prepare(tx, ids) {
      const inner = addGroup(tx, "inner", { members: [ids["iago"]] });
      addGroup(tx, "crew", { members: [ids["othello"], ids["cordelia"]], subgroups: [inner] });
      addGroup(tx, "staff", { subgroups: [systemGroupId(tx, "role:administrators")] });
      addGroup(tx, "lords", {
        members: [ids["othello"]],
        mentionableBy: { direct_members: [ids["iago"]], direct_subgroups: [] },
      });
      addGroup(tx, "former", { members: [ids["othello"]], deactivated: 1 });
    },
  });
  const crew = await sent(chat, "hamlet", "general", "@*Crew* to the deck");
  assert.deepEqual(flagged(chat, crew), { othello: 2, iago: 2 });
  assert.match(await html(chat, "iago", crew), /class="user-group-mention" data-user-group-id="\d+">@crew</);
  assert.deepEqual(flagged(chat, await sent(chat, "hamlet", "general", "@*staff*")), { iago: 2 });
  assert.deepEqual(flagged(chat, await sent(chat, "hamlet", "general", "@*former* @_*lords*")), {});
  const othello = await chat.register("othello");
  for (const content of ["@*lords*", "@*role:members*"]) {
    const refused = await post(chat, "hamlet", "general", content);
    assert.deepEqual([refused.status, refused.code], [400, "BAD_REQUEST"], content);
  }
  assert.deepEqual(await messagesIn(othello), []);
  assert.deepEqual(flagged(chat, await sent(chat, "iago", "general", "@*lords*")), { othello: 2 });
});

const crowd = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, {}]));

test("mentioning everyone in a large channel requires permission", async (t) => {
  const people = Object.keys(crowd(13));
  const chat = await startChat(t, {
    channels: [
      { name: "few", subscribers: [...people, "hamlet", "othello"] },
      { name: "many", subscribers: [...people, "hamlet", "othello", "iago"] },
    ],
    users: crowd(13),
  });
  const othello = await chat.register("othello");
  const hamlet = await chat.register("hamlet");
  for (const name of ["all", "everyone", "channel", "stream"]) {
    const id = await sent(chat, "hamlet", "few", `@**${name}**`);
    assert.equal(Object.keys(flagged(chat, id)).length, 15);
    assert.deepEqual(await flagsIn(othello), [["stream_wildcard_mentioned", "wildcard_mentioned"]]);
    assert.deepEqual(await flagsIn(hamlet), [["read", "stream_wildcard_mentioned", "wildcard_mentioned"]]);
    const { message } = await chat.as("othello").get(`/messages/${id}`);
    assert.deepEqual(message.flags, ["stream_wildcard_mentioned", "wildcard_mentioned"]);
  }
  const refused = await post(chat, "hamlet", "many", "@**all**");
  assert.deepEqual([refused.status, refused.code], [400, "STREAM_WILDCARD_MENTION_NOT_ALLOWED"]);
  assert.deepEqual(await messagesIn(othello), []);
  await sent(chat, "hamlet", "many", "@_**all** and `@**all**`");
  const id = await sent(chat, "iago", "many", "@**all** and @**Othello**");
  assert.equal(Object.keys(flagged(chat, id)).length, 16);
  assert.deepEqual((await flagsIn(othello)).at(-1), ["mentioned", "stream_wildcard_mentioned", "wildcard_mentioned"]);
  const { state } = await chat.register("othello");
  assert.equal(state.unread_msgs?.mentions.includes(id), true);
});

test("a topic mention notifies participants, with permission for many", async (t) => {
  const people = Object.keys(crowd(14));
  const chat = await startChat(t, {
    channels: [{ name: "stage", subscribers: [...people, "hamlet", "othello", "iago"] }],
    users: crowd(14),
  });
  await sent(chat, "othello", "stage", "x", "talk");
  await chat
    .as("cordelia")
    .post("/messages", { type: "channel", to: "stage", topic: "talk", content: "not subscribed" });
  const reacted = await sent(chat, "othello", "stage", "x", "talk");
  const reaction = await chat.as("iago").post(`/messages/${reacted}/reactions`, { emoji_name: "smile" });
  assert.equal(reaction.result, "success", reaction.msg);
  const [othello, p0] = [await chat.register("othello"), await chat.register("p0")];
  const id = await sent(chat, "hamlet", "stage", "@**topic**", "Talk");
  assert.deepEqual(flagged(chat, id), { hamlet: 8, iago: 8, othello: 8 });
  assert.deepEqual(await flagsIn(othello), [["topic_wildcard_mentioned", "wildcard_mentioned"]]);
  assert.deepEqual(await flagsIn(p0), [[]]);
  assert.match(await html(chat, "othello", id), /<span class="topic-mention">@topic<\/span>/);
  for (const name of people.slice(0, 11)) await sent(chat, name, "stage", "x", "talk");
  await sent(chat, "hamlet", "stage", "@**topic**", "talk");
  await sent(chat, "p11", "stage", "x", "talk");
  const refused = await post(chat, "hamlet", "stage", "@**topic**", "talk");
  assert.deepEqual([refused.status, refused.code], [400, "TOPIC_WILDCARD_MENTION_NOT_ALLOWED"]);
  await sent(chat, "hamlet", "stage", "@**topic**", "another");
  await sent(chat, "iago", "stage", "@**topic**", "talk");
});

test("mentions in direct messages notify participants only", async (t) => {
  const chat = await startChat(t);
  const send = async (content: string) =>
    (await chat.as("hamlet").post("/messages", { type: "direct", to: [chat.ids.othello, chat.ids.iago], content })).id;
  const cordelia = await chat.register("cordelia");
  assert.deepEqual(flagged(chat, await send("@**Othello** @**Cordelia**")), { othello: 2 });
  assert.deepEqual(await messagesIn(cordelia), []);
  assert.deepEqual(flagged(chat, await send("@**all**")), { hamlet: 4, iago: 4, othello: 4 });
  const topic = await send("@**topic**");
  assert.deepEqual(flagged(chat, topic), {});
  assert.doesNotMatch(await html(chat, "othello", topic), /mention/);
});

test("mentions outside the channel flag without notifying", async (t) => {
  const chat = await startChat(t, { channels: [general, design] });
  const [cordelia, polonius] = [await chat.register("cordelia"), await chat.register("polonius")];
  const open = await sent(chat, "hamlet", "general", "@**Cordelia** @**Polonius**");
  const secret = await sent(chat, "hamlet", "design", "@**Cordelia** @**Polonius** @**Othello**");
  assert.deepEqual(await messagesIn(cordelia), []);
  assert.deepEqual(await messagesIn(polonius), []);
  assert.deepEqual(flagged(chat, open), { cordelia: 66 });
  assert.deepEqual(flagged(chat, secret), {});
  const narrow = [{ operator: "is", operand: "mentioned" }];
  const find = async (name: string) =>
    (await chat.as(name).get("/messages", { anchor: "newest", num_before: 9, narrow })).messages.map((message: any) => [
      message.id,
      message.flags,
    ]);
  assert.deepEqual(await find("cordelia"), [[open, ["read", "mentioned", "historical"]]]);
  assert.deepEqual(await find("polonius"), []);
  assert.deepEqual((await chat.register("cordelia")).state.unread_msgs?.mentions, []);
});

test("a mentioned bot gets the message without a subscription", async (t) => {
  const chat = await startChat(t, { channels: [general, design] });
  const bot = await chat.register("bot");
  await sent(chat, "hamlet", "general", "no bot");
  const id = await sent(chat, "hamlet", "general", "@**Bot** help");
  await sent(chat, "hamlet", "design", "@**Bot** help");
  const got = (await messagesIn(bot)).map((event) => [event.message.id, event.flags]);
  assert.deepEqual(got, [[id, ["read", "mentioned", "historical"]]]);
});

test("links name only what the sender may see", async (t) => {
  const chat = await startChat(t, { channels: [general, design] });
  const old = await sent(chat, "hamlet", "design", "x", "logo");
  const linked = await html(chat, "hamlet", await sent(chat, "hamlet", "design", "#**DESIGN** #**design>logo**"));
  assert.match(
    linked,
    new RegExp(`data-stream-id="${chat.ids.design}" href="/#narrow/channel/${chat.ids.design}-design"`),
  );
  assert.match(linked, new RegExp(`/topic/logo/with/${old}"`));
  const byOutsider = async (text: string) => html(chat, "othello", await sent(chat, "othello", "general", text));
  assert.equal(
    await byOutsider("#**design** #**design>logo**"),
    "<p>#<strong>design</strong> #<strong>design&gt;logo</strong></p>",
  );
  assert.equal(
    await byOutsider("#**nothing** #**nothing>logo**"),
    "<p>#<strong>nothing</strong> #<strong>nothing&gt;logo</strong></p>",
  );
  const byGuest = await chat.as("polonius").post("/messages", {
    type: "direct",
    to: [chat.ids.hamlet],
    content: "#**general**",
  });
  assert.equal(await html(chat, "hamlet", byGuest.id), "<p>#<strong>general</strong></p>");
});

test("topic links name only readable messages", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  await chat.as("hamlet").post("/users/me/subscriptions", {
    subscriptions: [{ name: "vault" }],
    invite_only: true,
    history_public_to_subscribers: false,
  });
  await sent(chat, "hamlet", "vault", "before", "keys");
  await chat.as("hamlet").post("/users/me/subscriptions", {
    subscriptions: [{ name: "vault" }],
    principals: [chat.ids.othello],
  });
  const link = async (name: string) => html(chat, name, await sent(chat, name, "general", "#**vault>keys**"));
  assert.match(await link("hamlet"), /topic\/keys\/with\/\d+"/);
  assert.match(await link("othello"), /topic\/keys"/);
});

test("a guest cannot mention or message hidden people", async (t) => {
  const chat = await startChat(t, {
    channels: [{ name: "lobby", subscribers: ["polonius", "othello"] }],
    prepare: (tx) => setForAll(tx, "can_access_all_users_group", systemGroupId(tx, "role:members")),
  });
  const sentByGuest = await sent(chat, "polonius", "lobby", "@**Othello** @**Hamlet** @**Nobody**");
  const content = await html(chat, "othello", sentByGuest);
  assert.match(content, /data-user-id="\d+">@Othello</);
  assert.match(content, /@<strong>Hamlet<\/strong> @<strong>Nobody<\/strong>/);
  const write = (to: unknown) => chat.as("polonius").post("/messages", { type: "direct", to, content: "x" });
  const hidden = await write([chat.ids.hamlet]);
  const absent = await write([999_999]);
  assert.equal(hidden.msg.replace(String(chat.ids.hamlet), "N"), absent.msg.replace("999999", "N"));
  assert.equal((await write([chat.ids.othello])).result, "success");
  await chat.as("hamlet").post("/messages", { type: "direct", to: [chat.ids.polonius], content: "x" });
  assert.equal((await write([chat.ids.hamlet])).result, "success", "a conversation makes them known");
});

test("sender and organization settings shape the HTML", async (t) => {
  const chat = await startChat(t, {
    channels: [general],
    prepare(tx, ids) {
      const sql = "INSERT INTO user_settings (user_id, name, value) VALUES (?, 'translate_emoticons', 'true')";
      tx.run(sql, ids["hamlet"] as number);
      setForAll(tx, "default_code_block_language", "python");
    },
  });
  assert.match(await html(chat, "iago", await sent(chat, "hamlet", "general", ":)")), /emoji/);
  assert.equal(await html(chat, "iago", await sent(chat, "othello", "general", ":)")), "<p>:)</p>");
  const code = await html(chat, "iago", await sent(chat, "othello", "general", "```\nx = 1\n```"));
  assert.match(code, /data-code-language="Python"/);
  const own = await html(chat, "iago", await sent(chat, "othello", "general", `${chat.url}/#narrow/is/starred`));
  assert.match(own, /href="\/?#narrow\/is\/starred"/);
});

test("messages by all_public_streams alone arrive as read", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const cordelia = await chat.register("cordelia", { all_public_streams: true });
  await sent(chat, "hamlet", "general", "x");
  await sent(chat, "hamlet", "general", "@**all** @**Cordelia**");
  await sent(chat, "cordelia", "general", "mine: @**Cordelia**");
  assert.deepEqual(await flagsIn(cordelia), [
    ["read", "historical"],
    ["read", "mentioned", "historical"],
    ["read", "mentioned"],
  ]);
});

test("event flags equal fetched flags", async (t) => {
  const chat = await startChat(t, {
    channels: [{ name: "general", subscribers: ["hamlet", "othello", "iago"] }],
    prepare: (tx, ids) => addGroup(tx, "crew", { members: [ids["othello"], ids["iago"]] }),
  });
  const names = ["hamlet", "othello", "iago", "bot", "cordelia"];
  const queues = await Promise.all(names.map((name) => chat.register(name, { all_public_streams: true })));
  const texts = ["x", "@**all**", "@**topic**", "@*crew* @**all**", "@**Hamlet** @**topic** @**all**", "@**Iago|999**"];
  for (const content of [...texts, "@**Bot** @**Cordelia** @**all**", "@**Bot** @**Cordelia** @**Othello**"]) {
    for (const name of ["hamlet", "cordelia"]) await sent(chat, name, "general", content);
    const send = { type: "direct", to: [chat.ids.othello, chat.ids.bot], content, read_by_sender: false };
    assert.equal((await chat.as("hamlet").post("/messages", send)).result, "success");
  }
  const fetched = async (name: string, ids: number[]) =>
    (await chat.as(name).get("/messages", { message_ids: ids })).messages.map((message: any) => message.flags);
  const ids = new Map<string, number[]>();
  for (const [at, name] of names.entries()) {
    const events = await messagesIn(queues[at] as Registered);
    assert.ok(events.length >= 16, name);
    ids.set(
      name,
      events.map((event) => event.message.id),
    );
    assert.deepEqual(
      events.map((event) => event.flags),
      await fetched(name, ids.get(name) as number[]),
      name,
    );
  }
  const before = await Promise.all(names.map((name) => fetched(name, ids.get(name) as number[])));
  await chat.restart();
  assert.deepEqual(await Promise.all(names.map((name) => fetched(name, ids.get(name) as number[]))), before);
});
