import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { type Chat, startChat } from "../support/chat.ts";

const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;

/** Sends with the key that the person had before deactivation. */
const withOldKey = (chat: Chat, name: string, method: string, path: string, key: string) =>
  chat.anonymous(
    method,
    path,
    {},
    {
      authorization: `Basic ${Buffer.from(`${name}@example.com:${key}`).toString("base64")}`,
    },
  );

test("deactivation ends all access immediately, bots included", async (t) => {
  const chat = await startChat(t, {
    watchAll: true,
    users: { emilia: {}, parrot: { is_bot: true, bot_owner_id: 1 } },
    prepare: (tx, ids) =>
      void tx.run("UPDATE users SET bot_owner_id = ? WHERE id = ?", ids["emilia"] as number, ids["parrot"] as number),
    channels: [
      { name: "general", subscribers: ["desdemona", "hamlet", "emilia", "parrot"] },
      { name: "secrets", private: true, subscribers: ["emilia", "hamlet"] },
      { name: "guests", subscribers: ["emilia", "polonius"] },
    ],
  });
  const { desdemona, emilia, parrot } = {
    desdemona: chat.as("desdemona"),
    emilia: chat.as("emilia"),
    parrot: chat.as("parrot"),
  };
  const group = await desdemona.post("/user_groups/create", {
    name: "choir",
    description: "",
    members: [emilia.id, chat.ids["hamlet"]],
  });
  assert.equal(group.result, "success", group.msg);
  const sent = await emilia.post("/messages", { type: "channel", to: "general", topic: "hall", content: "mine" });
  await emilia.post("/scheduled_messages", {
    type: "channel",
    to: chat.ids["general"],
    topic: "later",
    content: "later",
    scheduled_delivery_timestamp: inAnHour(),
  });
  await emilia.post("/reminders", { message_id: sent["id"], scheduled_delivery_timestamp: inAnHour() });
  const own = await chat.register("emilia");
  const botsOwn = await chat.register("parrot");
  const hamlet = await chat.register("hamlet");
  await hamlet.events();
  await own.events();
  await botsOwn.events();
  const held = emilia.get("/events", { queue_id: own.queueId, last_event_id: own.state["last_event_id"] });
  const botsHeld = parrot.get("/events", { queue_id: botsOwn.queueId, last_event_id: botsOwn.state["last_event_id"] });
  // Both polls are held before the deactivation starts.
  while (chat.server.app.queues.waiting < 2) await new Promise((resolve) => setImmediate(resolve));

  const done = await chat.as("iago").delete(`/users/${emilia.id}`, { deactivation_notification_comment: "moved away" });
  assert.equal(done.result, "success", done.msg);
  for (const poll of [held, botsHeld]) {
    const { status, code } = (await poll) as any;
    assert.deepEqual([status, code], [401, "USER_DEACTIVATED"], "a held poll ends");
  }
  for (const caller of [emilia, parrot]) {
    for (const refused of [
      await caller.get("/users/me"),
      await caller.post("/register"),
      await caller.get("/events", { queue_id: own.queueId }),
    ])
      assert.deepEqual([refused.status, refused["code"]], [401, "USER_DEACTIVATED"]);
  }
  const events = await hamlet.events();
  const people = events.filter(({ type }) => type === "realm_user").map((event) => event["person"]);
  assert.deepEqual(people, [
    { user_id: parrot.id, is_active: false },
    { user_id: emilia.id, is_active: false },
  ]);
  const left = events.filter(({ type, op }) => type === "user_group" && op === "remove_members");
  assert.ok(left.some((event) => event["group_id"] === group["group_id"] && event["user_ids"][0] === emilia.id));
  const peers = events.filter(({ op }) => op === "peer_remove");
  assert.deepEqual(
    peers.flatMap((event) => event["stream_ids"].map((id: number) => [id, event["user_ids"]])).sort(),
    [
      [chat.ids["general"], [parrot.id]],
      [chat.ids["general"], [emilia.id]],
      [chat.ids["secrets"], [emilia.id]],
      [chat.ids["guests"], [emilia.id]],
    ].sort(),
  );
  const { members } = (await desdemona.get(`/user_groups/${group["group_id"]}/members`)) as any;
  assert.deepEqual(members, [chat.ids["hamlet"]]);
  const { subscribers } = (await chat.as("hamlet").get(`/streams/${chat.ids["secrets"]}/members`)) as any;
  assert.deepEqual(subscribers, [chat.ids["hamlet"]]);
  const state = (await chat.register("othello")).state as any;
  assert.deepEqual(state.realm_non_active_users.map((user: any) => user.user_id).sort(), [emilia.id, parrot.id].sort());
  const audit = (await desdemona.get("/host/audit"))["entries"].filter(
    (entry: any) => entry.action === "deactivate user",
  );
  assert.deepEqual(
    audit.map(({ actor, target_name, after }: any) => [actor.full_name, target_name, after]),
    [
      ["Iago", "Emilia", { comment: "moved away" }],
      ["Iago", "Parrot", null],
    ],
  );
  await chat.checkEvents();

  // Messages sent in between stay hidden from her, and her old key works again.
  await chat.as("hamlet").post("/messages", { type: "channel", to: "secrets", topic: "x", content: "without her" });
  assert.equal((await chat.as("iago").post(`/users/${emilia.id}/reactivate`)).result, "success");
  const me = (path: string) => withOldKey(chat, "emilia", "GET", path, emilia.key);
  assert.equal((await me("/users/me"))["is_active"], true);
  assert.equal((await me(`/events?queue_id=${own.queueId}`))["code"], "BAD_EVENT_QUEUE_ID", "queues ended");
  const back = await hamlet.events();
  assert.ok(back.some((event) => event["person"]?.is_active === true && event["person"].user_id === emilia.id));
  assert.deepEqual(
    back
      .filter(({ op }) => op === "peer_add")
      .flatMap((event) => event["stream_ids"])
      .sort(),
    [chat.ids["general"], chat.ids["secrets"], chat.ids["guests"]].sort(),
  );
  const scheduled = await me("/scheduled_messages");
  assert.deepEqual(
    scheduled["scheduled_messages"].map((one: any) => one.failed),
    [true],
    "stored but failed",
  );
  assert.deepEqual(
    (await me("/reminders"))["reminders"].map((one: any) => one.failed),
    [true],
  );
  assert.equal((await me("/users/me"))["max_message_id"], sent["id"]);
  const groups = (await desdemona.get(`/user_groups/${group["group_id"]}/members`)) as any;
  assert.deepEqual(groups.members.sort(), [chat.ids["hamlet"], emilia.id].sort(), "former groups are restored");
  assert.equal(chat.user("parrot").is_active, false, "a bot is reactivated separately");
});

/** Emilia and Othello are in a group and in a setting of each kind. `named` returns these lists as clients see them. */
async function nameTwo(t: TestContext) {
  const channels = [{ name: "plots", subscribers: ["emilia"] }];
  const chat = await startChat(t, { watchAll: true, users: { emilia: {} }, channels });
  const { emilia, othello, plots } = chat.ids as Record<"emilia" | "othello" | "plots", number>;
  const desdemona = chat.as("desdemona");
  const params = { name: "choir", description: "", members: [emilia, othello] };
  const group = (await desdemona.post("/user_groups/create", params))["group_id"];
  const both = { direct_members: [emilia, othello], direct_subgroups: [] };
  await desdemona.patch(`/user_groups/${group}`, { can_mention_group: { new: both } });
  await desdemona.patch(`/streams/${plots}`, { can_administer_channel_group: { new: both } });
  await desdemona.patch("/realm", { can_invite_users_group: { new: both } });
  const named = async () => {
    const { state } = (await chat.register("othello")) as any;
    const choir = state.realm_user_groups.find(({ id }: { id: number }) => id === group);
    const { can_administer_channel_group } = state.streams.find((each: any) => each.stream_id === plots);
    const settings = [choir.can_mention_group, can_administer_channel_group, state.realm_can_invite_users_group];
    return [choir.members, ...settings.map(({ direct_members }) => direct_members)];
  };
  return { chat, desdemona, emilia, othello, named };
}

test("a reactivated bot keeps its key only with its owner", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const { bot, hamlet } = chat.ids as Record<"bot" | "hamlet", number>;
  const [iago, { key }] = [chat.as("iago"), chat.as("bot")];
  const code = async () => (await withOldKey(chat, "bot", "GET", "/users/me", key))["code"];
  for (const id of [bot, hamlet]) {
    await iago.delete(`/users/${id}`);
    assert.equal(await code(), "USER_DEACTIVATED");
    if (id === hamlet) await iago.post(`/users/${hamlet}/reactivate`);
    assert.equal((await iago.post(`/users/${bot}/reactivate`)).status, 200);
    assert.equal(await code(), undefined);
  }
  await iago.delete(`/users/${hamlet}`);
  await iago.post(`/users/${bot}/reactivate`);
  assert.equal(await code(), "INVALID_API_KEY", "hamlet may know the key, and is no longer the owner");
});

test("groups and settings name a person again after reactivation", async (t) => {
  const { chat, desdemona, emilia, othello, named } = await nameTwo(t);
  await desdemona.delete(`/users/${emilia}`);
  assert.deepEqual(await named(), Array(4).fill([othello]));
  await chat.checkEvents();
  const same = { direct_members: [othello], direct_subgroups: [] };
  assert.equal((await desdemona.patch("/realm", { can_invite_users_group: { new: same, old: same } })).status, 200);
  await desdemona.post(`/users/${emilia}/reactivate`);
  assert.deepEqual(await named(), Array(4).fill([emilia, othello].sort((a, b) => a - b)));
  await chat.checkEvents();
});

test("only owners deactivate owners, and missing people look alike", async (t) => {
  const chat = await startChat(t, { users: { brabantio: { role: 100 }, lodovico: { role: 300 } }, unwatched: true });
  const remove = (by: string, id: number) => chat.as(by).delete(`/users/${id}`);
  for (const by of ["lodovico", "hamlet", "bot"])
    assert.equal((await remove(by, chat.ids["othello"] as number))["code"], "UNAUTHORIZED_PRINCIPAL", by);
  assert.equal((await remove("polonius", chat.ids["othello"] as number))["code"], "BAD_REQUEST");
  assert.equal((await remove("iago", chat.ids["brabantio"] as number))["code"], "UNAUTHORIZED_PRINCIPAL");
  assert.equal(chat.user("brabantio").is_active, true);
  const system = chat.server.app.store.reader.value<number>(
    "SELECT id FROM users WHERE system_bot IS NOT NULL",
  ) as number;
  for (const id of [99999, 0, -4, system]) {
    const { status, code, msg } = (await remove("desdemona", id)) as any;
    assert.deepEqual([status, code, msg], [400, "BAD_REQUEST", "No such user"], String(id));
  }
  const long = await chat
    .as("iago")
    .delete(`/users/${chat.ids["othello"]}`, { deactivation_notification_comment: "x".repeat(2001) });
  assert.match(long.msg, /deactivation_notification_comment.*2000/);
  assert.equal((await remove("iago", chat.ids["othello"] as number)).result, "success");
  assert.match((await remove("iago", chat.ids["othello"] as number)).msg, /already/);

  const back = (by: string, id: number) => chat.as(by).post(`/users/${id}/reactivate`);
  for (const by of ["lodovico", "hamlet"])
    assert.equal((await back(by, chat.ids["othello"] as number))["code"], "UNAUTHORIZED_PRINCIPAL", by);
  assert.equal((await back("polonius", chat.ids["othello"] as number))["code"], "BAD_REQUEST");
  for (const id of [99999, system]) assert.equal((await back("iago", id)).msg, "No such user");
  assert.equal((await back("iago", chat.ids["hamlet"] as number)).reason, "user_already_active");
  assert.equal((await remove("desdemona", chat.ids["brabantio"] as number)).result, "success");
  assert.equal((await back("iago", chat.ids["brabantio"] as number))["code"], "UNAUTHORIZED_PRINCIPAL");
  assert.equal((await back("desdemona", chat.ids["brabantio"] as number)).result, "success");
  assert.equal((await back("iago", chat.ids["othello"] as number)).result, "success");
});

test("people deactivate themselves unless they are the last owner", async (t) => {
  const chat = await startChat(t, { users: { robot: { is_bot: true, role: 100, bot_owner_id: 1 } } });
  const refused = await chat.as("desdemona").delete("/users/me");
  assert.deepEqual(
    [refused.status, refused["code"], refused["is_last_owner"], refused["entity"]],
    [400, "CANNOT_DEACTIVATE_LAST_USER", true, "organization owner"],
  );
  const also = await chat.as("desdemona").delete(`/users/${chat.ids["desdemona"]}`);
  assert.deepEqual([also.status, also["code"]], [400, "BAD_REQUEST"]);
  const bots = await chat.as("robot").delete(`/users/${chat.ids["desdemona"]}`);
  assert.equal(bots.result, "error", "an owner's bot has no permission either");
  assert.equal((await chat.as("othello").delete("/users/me")).result, "success");
  assert.equal((await chat.as("othello").get("/users/me"))["code"], "USER_DEACTIVATED");
  assert.equal(chat.user("desdemona").is_active, true);
});

test("reactivating a bot requires permission and an owner", async (t) => {
  const chat = await startChat(t, { users: { emilia: {} }, unwatched: true });
  const bot = chat.ids["bot"] as number;
  await chat.as("iago").delete(`/users/${bot}`);
  assert.equal((await chat.as("othello").post(`/users/${bot}/reactivate`))["code"], "UNAUTHORIZED_PRINCIPAL");
  await chat.as("desdemona").patch("/realm", {
    can_create_bots_group: { new: await groupNamed(chat, "role:administrators") },
  });
  assert.equal((await chat.as("hamlet").post(`/users/${bot}/reactivate`)).reason, "bot_create_not_allowed");
  await chat
    .as("desdemona")
    .patch("/realm", { can_create_bots_group: { new: await groupNamed(chat, "role:members") } });
  assert.equal((await chat.as("hamlet").post(`/users/${bot}/reactivate`)).result, "success");
  await chat.as("iago").delete(`/users/${chat.ids["hamlet"]}`);
  assert.equal(chat.user("bot").is_active, false);
  const othello = await chat.register("othello");
  assert.equal((await chat.as("iago").post(`/users/${bot}/reactivate`)).result, "success");
  assert.equal(chat.user("bot").bot_owner_id, chat.ids["iago"]);
  const people = (await othello.events()).map((event) => event["person"]).filter(Boolean);
  assert.deepEqual(people, [
    { user_id: bot, is_active: true },
    { user_id: bot, bot_owner_id: chat.ids["iago"] },
  ]);
});

async function groupNamed(chat: Chat, name: string): Promise<number> {
  const { user_groups } = (await chat.as("desdemona").get("/user_groups")) as any;
  return user_groups.find((group: any) => group.name === name).id;
}

test("a person whose unique name is taken cannot be reactivated", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  await chat.as("desdemona").patch("/realm", { require_unique_names: true });
  await chat.as("iago").delete(`/users/${chat.ids["othello"]}`);
  await chat.as("iago").patch(`/users/${chat.ids["cordelia"]}`, { full_name: "Othello" });
  const refused = await chat.as("iago").post(`/users/${chat.ids["othello"]}/reactivate`);
  assert.deepEqual([refused.status, refused["code"]], [400, "BAD_REQUEST"]);
  assert.equal(chat.user("othello").is_active, false);
});
