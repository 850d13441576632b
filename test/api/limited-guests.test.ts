import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { type Chat, type ChatOptions, startChat } from "../support/chat.ts";

const groupNamed = (chat: Chat, name: string) =>
  chat.server.app.store.reader.value<number>("SELECT id FROM user_groups WHERE name = ?", name) as number;
const limit = async (chat: Chat, to = "role:members") => {
  const answer = await chat
    .as("desdemona")
    .patch("/realm", { can_access_all_users_group: { new: groupNamed(chat, to) } });
  assert.equal(answer.result, "success", answer.msg);
};

/** Polonius, a guest, shares a channel with hamlet, and nothing with othello, cordelia, iago and desdemona. */
async function startLimited(t: TestContext, options: ChatOptions = {}): Promise<Chat> {
  const chat = await startChat(t, {
    watchAll: true,
    channels: [
      { name: "guests", subscribers: ["hamlet", "polonius"] },
      { name: "general", subscribers: ["hamlet", "othello", "cordelia", "desdemona"] },
    ],
    ...options,
  });
  await limit(chat);
  return chat;
}

const CAPABLE = {
  client_capabilities: { user_list_incomplete: true, user_settings_object: true, empty_topic_name: true },
};
const namesOf = (users: any[]) => users.map(({ full_name }) => full_name).sort();

test("a guest finds only people they meet", async (t) => {
  const chat = await startLimited(t, { unwatched: true });
  const polonius = chat.as("polonius");
  const { members } = (await polonius.get("/users")) as any;
  assert.deepEqual(namesOf(members), ["Bot", "Hamlet", "Polonius"]);
  const only = (await polonius.get("/users", { user_ids: [chat.ids["othello"], chat.ids["hamlet"]] })) as any;
  assert.deepEqual(namesOf(only.members), ["Hamlet"]);
  const capable = (await chat.register("polonius", CAPABLE)).state as any;
  assert.deepEqual(namesOf([...capable.realm_users, ...capable.realm_non_active_users]), ["Bot", "Hamlet", "Polonius"]);
  await chat.as("desdemona").delete(`/users/${chat.ids["iago"]}`);
  const older = (await chat.register("polonius")).state as any;
  assert.deepEqual(older.realm_non_active_users, [], "deactivation of a hidden person is hidden too");
  const hidden = older.realm_users.find((user: any) => user.user_id === chat.ids["othello"]);
  assert.equal(older.realm_users.length, 7);
  assert.deepEqual(
    [hidden.full_name, hidden.delivery_email, hidden.email.split("@")[0], hidden.role],
    ["Unknown user", null, `user${chat.ids["othello"]}`, 400],
  );
  const owner = older.realm_users.find((user: any) => user.user_id === chat.ids["desdemona"]);
  const { user_id: _a, email: _b, avatar_url: _c, ...same } = owner;
  const { user_id: _d, email: _e, avatar_url: _f, ...sameAs } = hidden;
  assert.deepEqual(same, sameAs, "hidden people are indistinguishable");
  assert.doesNotMatch(JSON.stringify(older), /[Oo]thello|[Cc]ordelia|[Dd]esdemona/);

  // Every way to name a user. A hidden user and a missing one get the same response.
  const attempts: ((who: string | number) => Promise<any>)[] = [
    (who) => polonius.get(`/users/${who}`),
    (who) => polonius.get(`/users/${who}/subscriptions/${chat.ids["guests"]}`),
    (who) => polonius.post("/messages", { type: "direct", to: [who], content: "hello" }),
    (who) => polonius.get("/messages", { anchor: "newest", num_before: 5, num_after: 0, narrow: [["sender", who]] }),
    (who) => polonius.get("/messages", { anchor: "newest", num_before: 5, num_after: 0, narrow: [["dm", [who]]] }),
    (who) =>
      polonius.get("/messages", { anchor: "newest", num_before: 5, num_after: 0, narrow: [["dm-including", who]] }),
    (who) => polonius.post("/drafts", { drafts: [{ type: "private", to: [who], topic: "", content: "x" }] }),
    (who) =>
      polonius.post("/scheduled_messages", {
        type: "direct",
        to: [who],
        content: "x",
        scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 900,
      }),
    (who) => polonius.get(`/users/${who}/status`),
    (who) => polonius.get(`/users/${who}/presence`),
    (who) => polonius.post(`/users/me/muted_users/${who}`),
    (who) => polonius.post("/typing", { type: "direct", op: "start", to: [who] }),
  ];
  const blank = (answer: object, who: string | number) => JSON.stringify(answer).replaceAll(String(who), "WHO");
  for (const [at, attempt] of attempts.entries()) {
    const [hiddenId, noId] = [chat.ids["othello"] as number, 99999];
    const answer = await attempt(hiddenId);
    assert.equal(answer.result, "error", `attempt ${at}`);
    assert.equal(blank(answer, hiddenId), blank(await attempt(noId), noId), `attempt ${at}`);
  }
  for (const path of ["othello@example.com", encodeURIComponent(hidden.email)])
    assert.deepEqual(await polonius.get(`/users/${path}`), await polonius.get("/users/nobody@example.com"), path);
  const byAddress = await polonius.post("/messages", { type: "direct", to: ["othello@example.com"], content: "hello" });
  assert.equal(byAddress.result, "error");
  const mention = await polonius.post("/messages/render", { content: "@**Othello** @**Hamlet**" });
  assert.deepEqual(
    [...mention["rendered"].matchAll(/data-user-id="(\d+)"/g)].map(([, id]) => Number(id)),
    [chat.ids["hamlet"]],
  );
  for (const name of ["othello", "hamlet"]) {
    await chat.as(name).post("/users/me/status", { status_text: `I am ${name}` });
    await chat.as(name).post("/users/me/presence", { status: "active", last_update_id: -1 });
  }
  const alive = (await chat.register("polonius", { ...CAPABLE, slim_presence: true })).state as any;
  assert.deepEqual(Object.keys(alive.user_status), [String(chat.ids["hamlet"])]);
  assert.equal(alive.presences[chat.ids["othello"] as number], undefined);
  assert.notEqual(alive.presences[chat.ids["hamlet"] as number], undefined);
  const everybody = await polonius.get("/realm/presence");
  assert.doesNotMatch(JSON.stringify(everybody), new RegExp(`othello|user${chat.ids["othello"]}@`));
  // Members see everyone. Guests without the limit do too.
  assert.equal((await chat.as("hamlet").get("/users"))["members"].length, 7);
  await limit(chat, "role:everyone");
  assert.equal((await polonius.get("/users"))["members"].length, 7);
});

test("messages and reactions do not reveal a hidden person", async (t) => {
  const chat = await startLimited(t);
  const polonius = await chat.register("polonius", CAPABLE);
  const hamlet = await chat.register("hamlet");
  const narrowed = await chat.register("polonius", { narrow: [["sender", "othello@example.com"]] });
  // Othello posts in the public channel without a subscription.
  const sent = await chat
    .as("othello")
    .post("/messages", { type: "channel", to: "guests", topic: "hall", content: "hello" });
  assert.equal(sent.result, "success", sent.msg);
  await chat.as("cordelia").post(`/messages/${sent["id"]}/reactions`, { emoji_name: "smile" });
  assert.ok(
    (await narrowed.events()).every(({ type }) => type !== "message"),
    "a narrow reveals no address",
  );
  const events = await polonius.events();
  const message = events.find(({ type }) => type === "message")?.["message"];
  assert.equal(message.sender_id, chat.ids["othello"]);
  assert.equal(message.sender_full_name, "Unknown user");
  assert.match(message.sender_email, /^user\d+@/);
  assert.equal(events.find(({ type }) => type === "reaction")?.["user"].full_name, "Unknown user");
  assert.doesNotMatch(JSON.stringify(events), /[Oo]thello|[Cc]ordelia|hidden/);
  const open = await hamlet.events();
  assert.equal(open.find(({ type }) => type === "message")?.["message"].sender_full_name, "Othello");
  assert.equal(open.find(({ type }) => type === "reaction")?.["user"].full_name, "Cordelia");
  assert.ok(!JSON.stringify(open).includes("hidden"));
  const narrow = { anchor: "newest", num_before: 10, num_after: 0 };
  for (const found of [
    (await chat.as("polonius").get("/messages", narrow))["messages"].at(-1),
    (await chat.as("polonius").get(`/messages/${sent["id"]}`))["message"],
  ]) {
    assert.equal(found.sender_full_name, "Unknown user");
    assert.doesNotMatch(JSON.stringify(found), /[Oo]thello/);
  }
  assert.equal((await chat.as("hamlet").get(`/messages/${sent["id"]}`))["message"].sender_full_name, "Othello");
});

test("system messages name nobody to later guests", async (t) => {
  const chat = await startLimited(t);
  const [othello, polonius] = [chat.as("othello"), chat.as("polonius")];
  const done = async (answer: Promise<any>) => assert.equal((await answer).result, "success", (await answer).msg);
  const channel = { subscriptions: [{ name: "court" }], principals: [chat.ids["othello"], chat.ids["hamlet"]] };
  await done(othello.post("/users/me/subscriptions", channel));
  const court = chat.server.app.store.reader.value<number>("SELECT id FROM channels WHERE name = 'court'");
  await done(othello.patch(`/streams/${court}`, { description: "Justice" }));
  const sent = await chat.as("hamlet").post("/messages", { type: "channel", to: "court", topic: "case", content: "x" });
  await done(othello.patch(`/messages/${sent["id"]}`, { topic: "✔ case", propagate_mode: "change_all" }));
  await done(othello.delete("/users/me/subscriptions", { subscriptions: ["court"] }));
  const byIago = { subscriptions: [{ name: "court" }], principals: [polonius.id] };
  await done(chat.as("iago").post("/users/me/subscriptions", byIago));
  const read = async (narrow: object[]) =>
    (await polonius.get("/messages", { anchor: "newest", num_before: 50, num_after: 0, narrow }))["messages"];
  const messages = [...(await read([["channel", "court"]])), ...(await read([["is", "dm"]]))];
  const contents = messages.map(({ content }: any) => content).join("\n");
  assert.match(contents, /Somebody created this channel/);
  assert.match(contents, /Somebody changed this channel's description/);
  assert.match(contents, /Somebody marked this topic as resolved/);
  assert.match(contents, /Somebody subscribed you/);
  assert.doesNotMatch(contents, /Othello|Iago/);
});

test("people become visible to a guest, and hidden again", async (t) => {
  const chat = await startLimited(t, { users: { emilia: { role: 600 } } });
  const capable = await chat.register("polonius", CAPABLE);
  const people = async () =>
    (await capable.events())
      .filter(({ type }) => type === "realm_user")
      .map(({ op, person }: any) => [op, person.full_name ?? person.role ?? person.is_active ?? person.delivery_email]);
  const subscribe = (who: string) =>
    chat
      .as("hamlet")
      .post("/users/me/subscriptions", { subscriptions: [{ name: "guests" }], principals: [chat.ids[who]] });

  assert.equal((await subscribe("othello")).result, "success");
  assert.deepEqual(await people(), [["add", "Othello"]]);
  await chat.checkEvents();
  await chat.as("iago").patch(`/users/${chat.ids["othello"]}`, { full_name: "The Moor" });
  await chat.as("iago").patch(`/users/${chat.ids["cordelia"]}`, { full_name: "Cordelia Lear" });
  assert.deepEqual(await people(), [["update", "The Moor"]], "only visible people");
  await chat.as("othello").delete("/users/me/subscriptions", { subscriptions: ["guests"] });
  assert.deepEqual(await people(), [["remove", "Unknown user"]]);
  await chat.checkEvents();

  // A group direct message from a member makes its recipients visible to each other.
  await chat.as("hamlet").post("/messages", {
    type: "direct",
    to: [chat.ids["polonius"], chat.ids["emilia"], chat.ids["cordelia"]],
    content: "meet",
  });
  assert.deepEqual((await people()).sort(), [
    ["add", "Cordelia Lear"],
    ["add", "Emilia"],
  ]);
  await chat.checkEvents();
  // A deactivated person stays visible.
  await chat.as("iago").delete(`/users/${chat.ids["emilia"]}`);
  assert.deepEqual(await people(), [["update", false]]);
  await chat.as("iago").delete(`/users/${chat.ids["othello"]}`);
  assert.deepEqual(await people(), [], "the guest gets no events about hidden people");
  await chat.as("iago").post("/users", { email: "new@example.com", full_name: "Newcomer", password: "a motley fool" });
  assert.deepEqual(await people(), []);
  await chat.checkEvents();

  await limit(chat, "role:everyone");
  assert.deepEqual((await people()).map(([, name]) => name).sort(), ["Desdemona", "Iago", "Newcomer", "The Moor"]);
  await chat.checkEvents();
  await limit(chat);
  assert.equal((await people()).filter(([op]) => op === "remove").length, 4);
  await chat.checkEvents();
  await chat.as("desdemona").patch(`/users/${chat.ids["polonius"]}`, { role: 400 });
  assert.deepEqual((await people()).filter(([op]) => op === "add").length, 4);
  await chat.checkEvents();
  await chat.as("desdemona").patch(`/users/${chat.ids["polonius"]}`, { role: 600 });
  assert.equal((await people()).filter(([op]) => op === "remove").length, 4);
  await chat.checkEvents();
});

test("read receipts name only people the guest may see", async (t) => {
  const chat = await startLimited(t, { unwatched: true });
  const sent = await chat
    .as("polonius")
    .post("/messages", { type: "channel", to: "guests", topic: "hall", content: "who is there" });
  const read = (name: string) =>
    chat.as(name).post("/messages/flags", { messages: [sent["id"]], op: "add", flag: "starred" });
  for (const name of ["hamlet", "othello"]) {
    await read(name);
    await chat.as(name).post("/messages/flags", { messages: [sent["id"]], op: "add", flag: "read" });
  }
  const seenBy = async (name: string) => (await chat.as(name).get(`/messages/${sent["id"]}/read_receipts`))["user_ids"];
  assert.deepEqual(await seenBy("hamlet"), [chat.ids["hamlet"], chat.ids["othello"]]);
  assert.deepEqual(await seenBy("polonius"), [chat.ids["hamlet"]]);
});

test("hiding hundreds of people drops only the guest's queue", async (t) => {
  const chat = await startChat(t, {
    unwatched: true,
    prepare: (tx) => {
      for (let at = 0; at < 320; at++)
        tx.run(
          "INSERT INTO users (email, email_key, full_name, role, joined_at) VALUES (?, ?, ?, 400, 0)",
          `person${at}@example.com`,
          `person${at}@example.com`,
          `Person ${at}`,
        );
    },
  });
  const [polonius, hamlet] = [await chat.register("polonius", CAPABLE), await chat.register("hamlet")];
  await limit(chat);
  const gone = await chat.as("polonius").get("/events", { queue_id: polonius.queueId, dont_block: true });
  assert.equal(gone["code"], "BAD_EVENT_QUEUE_ID");
  assert.deepEqual(namesOf((await chat.register("polonius", CAPABLE)).state.realm_users ?? []), ["Bot", "Polonius"]);
  assert.ok((await hamlet.events()).every(({ type }) => type === "realm"));
});

test("a setting that hides many resets all guests' queues", async (t) => {
  const chat = await startChat(t, {
    unwatched: true,
    prepare: (tx) => {
      for (let at = 0; at < 150; at++)
        tx.run(
          "INSERT INTO users (email, email_key, full_name, role, joined_at) VALUES (?, ?, ?, 600, 0)",
          `guest${at}@example.com`,
          `guest${at}@example.com`,
          `Guest ${at}`,
        );
    },
  });
  const hamlet = await chat.register("hamlet");
  const isGone = async (queueId: string) => {
    const answer = await chat.as("polonius").get("/events", { queue_id: queueId, dont_block: true });
    return answer["code"] === "BAD_EVENT_QUEUE_ID";
  };
  const before = await chat.register("polonius", CAPABLE);
  await limit(chat);
  assert.equal(await isGone(before.queueId), true);
  const limited = await chat.register("polonius", CAPABLE);
  assert.deepEqual(namesOf(limited.state.realm_users ?? []), ["Bot", "Polonius"]);
  await chat.as("desdemona").patch("/realm", { description: "another setting" });
  assert.equal(await isGone(limited.queueId), false);
  await limit(chat, "role:everyone");
  assert.equal(await isGone(limited.queueId), true);
  assert.equal((await chat.register("polonius", CAPABLE)).state.realm_users?.length, 157);
  assert.ok((await hamlet.events()).every(({ type }) => type === "realm"));
});
