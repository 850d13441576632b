import assert from "node:assert/strict";
import test from "node:test";
import { startChat } from "../support/chat.ts";

test("subscribing to a name that does not exist creates the channel and tells who may know", async (t) => {
  const chat = await startChat(t);
  const [hamlet, othello, guest] = [
    await chat.register("hamlet"),
    await chat.register("othello"),
    await chat.register("polonius"),
  ];
  const answer = await chat.as("hamlet").post("/users/me/subscriptions", { subscriptions: [{ name: "lunch" }] });
  assert.deepEqual(answer.subscribed, { [String(chat.ids.hamlet)]: ["lunch"] });
  assert.deepEqual(answer.already_subscribed, {});
  assert.equal(answer.new_subscription_messages_sent, false);
  assert.ok(!("unauthorized" in answer));
  const kinds = async (who: typeof hamlet) => (await who.events()).map(({ type, op }) => `${type}/${op}`);
  assert.deepEqual(await kinds(hamlet), ["stream/create", "subscription/add"]);
  assert.deepEqual(await kinds(othello), ["stream/create", "subscription/peer_add"]);
  assert.deepEqual(await kinds(guest), []);
  const again = await chat
    .as("hamlet")
    .post("/users/me/subscriptions", { subscriptions: [{ name: "LUNCH" }], authorization_errors_fatal: false });
  assert.deepEqual(
    [again.subscribed, again.already_subscribed, again.unauthorized],
    [{}, { [String(chat.ids.hamlet)]: ["lunch"] }, []],
  );
  const [subscription, ...more] =
    (await chat.register("hamlet", { include_subscribers: "true" })).state.subscriptions ?? [];
  assert.deepEqual(more, []);
  assert.deepEqual(
    [subscription?.name, subscription?.subscribers, subscription?.is_muted],
    ["lunch", [chat.ids.hamlet], false],
  );
  assert.match(subscription?.color ?? "", /^#[0-9a-f]{6}$/);
});

test("a private channel is told of to its subscribers and to administrators, and to nobody else", async (t) => {
  const chat = await startChat(t);
  const [iago, othello, cordelia] = [
    await chat.register("iago"),
    await chat.register("othello"),
    await chat.register("cordelia"),
  ];
  await chat.as("hamlet").post("/users/me/subscriptions", {
    subscriptions: [{ name: "design" }],
    invite_only: true,
    principals: [chat.ids.hamlet, "cordelia@example.com"],
  });
  const kinds = async (who: typeof iago) => (await who.events()).map(({ type, op }) => `${type}/${op}`);
  assert.deepEqual(await kinds(iago), ["stream/create", "subscription/peer_add"]);
  assert.deepEqual(await kinds(cordelia), ["stream/create", "subscription/add"]);
  assert.deepEqual(await kinds(othello), []);
  const { state } = await chat.register("othello");
  assert.deepEqual([state.streams, state.never_subscribed], [[], []]);
});

test("nobody gets into a private channel who is not let in", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "design", private: true, subscribers: ["hamlet"] }] });
  const subscribe = (name: string, params: object = {}) =>
    chat.as(name).post("/users/me/subscriptions", { subscriptions: [{ name: "design" }], ...params });
  for (const name of ["othello", "iago", "polonius"]) assert.equal((await subscribe(name)).status, 400, name);
  const soft = await subscribe("othello", { authorization_errors_fatal: false });
  assert.deepEqual([soft.status, soft.unauthorized, soft.subscribed], [200, ["design"], {}]);
  assert.equal((await subscribe("iago", { principals: [chat.ids.othello] })).status, 400);
  assert.equal((await subscribe("hamlet", { principals: [chat.ids.othello] })).status, 200);
});

test("a group that may join a private channel joins it", async (t) => {
  const chat = await startChat(t);
  const group = { direct_members: [chat.ids.othello], direct_subgroups: [] };
  await chat
    .as("hamlet")
    .post("/users/me/subscriptions", { subscriptions: [{ name: "a" }], invite_only: true, can_subscribe_group: group });
  await chat.as("hamlet").post("/users/me/subscriptions", {
    subscriptions: [{ name: "b" }],
    invite_only: true,
    can_add_subscribers_group: group,
  });
  const join = (name: string, channel: string, more: object = {}) =>
    chat.as(name).post("/users/me/subscriptions", { subscriptions: [{ name: channel }], ...more });
  assert.equal((await join("cordelia", "a")).status, 400);
  assert.equal((await join("othello", "a")).status, 200);
  assert.equal((await join("othello", "b", { principals: [chat.ids.cordelia] })).status, 200);
});

test("principals that do not exist or are no user at all are refused, with 400", async (t) => {
  const chat = await startChat(t);
  for (const principals of [[999_999], ["nobody@example.com"], [chat.ids.othello, 999_999]]) {
    const answer = await chat
      .as("hamlet")
      .post("/users/me/subscriptions", { subscriptions: [{ name: "x" }], principals });
    assert.deepEqual([answer.status, answer.code], [400, "BAD_REQUEST"]);
  }
  assert.deepEqual((await chat.as("hamlet").get("/streams")).streams, []);
});

test("all settings of a new channel are kept, and are ignored for one that exists", async (t) => {
  const chat = await startChat(t);
  const groups = (await chat.register("hamlet")).state.realm_user_groups as { id: number; name: string }[];
  const id = (name: string) => groups.find((group) => group.name === name)?.id as number;
  const settings = {
    topics_policy: "empty_topic_only",
    can_add_subscribers_group: id("role:moderators"),
    can_administer_channel_group: { direct_members: [chat.ids.hamlet, chat.ids.othello], direct_subgroups: [] },
    can_delete_any_message_group: id("role:nobody"),
    can_move_messages_out_of_channel_group: id("role:members"),
    can_move_messages_within_channel_group: { direct_members: [], direct_subgroups: [id("role:members")] },
    can_remove_subscribers_group: id("role:moderators"),
    can_resolve_topics_group: id("role:everyone"),
    can_send_message_group: id("role:administrators"),
    can_subscribe_group: id("role:members"),
  };
  const create = (name: string, more: object) =>
    chat.as("desdemona").post("/users/me/subscriptions", { subscriptions: [{ name }], ...more });
  const answer = await create("one", { ...settings, message_retention_days: 30, is_default_stream: true });
  assert.equal(answer.result, "success", answer.msg);
  await create("one", {
    topics_policy: "inherit",
    message_retention_days: "unlimited",
    can_send_message_group: id("role:everyone"),
  });
  await create("two", { message_retention_days: "unlimited", topics_policy: '"allow_empty_topic"' });
  const { streams } = await chat.as("hamlet").get("/streams");
  const shown = Object.fromEntries(Object.keys(settings).map((name) => [name, streams[0][name]]));
  assert.deepEqual(shown, { ...settings, can_move_messages_within_channel_group: id("role:members") });
  assert.deepEqual(
    [streams[0].message_retention_days, streams[0].stream_post_policy, streams[0].is_announcement_only],
    [30, 2, true],
  );
  assert.deepEqual([streams[1].message_retention_days, streams[1].topics_policy], [-1, "allow_empty_topic"]);
  assert.deepEqual((await chat.register("hamlet")).state.realm_default_streams, [streams[0].stream_id]);
});

test("what a person may not make of a channel is refused, and nothing is created", async (t) => {
  const chat = await startChat(t);
  const groups = (await chat.register("hamlet")).state.realm_user_groups as { id: number; name: string }[];
  const id = (name: string) => groups.find((group) => group.name === name)?.id as number;
  const refused = async (name: string, params: object) => {
    const answer = await chat.as(name).post("/users/me/subscriptions", { subscriptions: [{ name: "x" }], ...params });
    assert.deepEqual([answer.status, answer.result], [400, "error"], JSON.stringify(params));
  };
  await refused("polonius", {});
  await refused("hamlet", { is_default_stream: true });
  await refused("iago", { is_default_stream: true, invite_only: true });
  await refused("iago", { message_retention_days: 10 });
  await refused("desdemona", { message_retention_days: 0 });
  await refused("desdemona", { message_retention_days: "forever" });
  await refused("desdemona", { is_web_public: true });
  await refused("desdemona", { folder_id: 1 });
  await refused("desdemona", { topics_policy: "all" });
  await refused("hamlet", { can_delete_any_message_group: id("role:members") });
  await refused("hamlet", { can_administer_channel_group: id("role:everyone") });
  await refused("hamlet", { can_send_message_group: id("role:internet") });
  await refused("hamlet", { can_send_message_group: 999_999 });
  await refused("hamlet", { can_send_message_group: { direct_members: [999_999], direct_subgroups: [] } });
  await refused("hamlet", { subscriptions: [{ name: " " }] });
  await refused("hamlet", { subscriptions: [{ name: "x".repeat(61) }] });
  await refused("hamlet", { subscriptions: [{ name: "x", description: "x".repeat(1025) }] });
  await refused("hamlet", { subscriptions: [{ name: "fine" }, { name: "a\nb" }] });
  await refused("hamlet", { subscriptions: [{}] });
  assert.deepEqual((await chat.as("desdemona").get("/streams", { include_all: true })).streams, []);
});

test("include_subscribers says how subscribers are listed; partial from 250 on", async (t) => {
  const many = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`extra${n}`, {}]));
  const chat = await startChat(t, {
    users: many,
    unwatched: true,
    channels: [
      { name: "small", subscribers: ["hamlet"] },
      { name: "big", subscribers: ["hamlet", ...Object.keys(many)] },
    ],
  });
  const listed = async (include_subscribers: string) => {
    const { state } = await chat.register("hamlet", { include_subscribers, fetch_event_types: ["subscription"] });
    return state.subscriptions?.map((one: Record<string, any>) => [
      one.subscribers?.length,
      one.partial_subscribers?.length,
      one.subscriber_count,
    ]);
  };
  assert.deepEqual(await listed("true"), [
    [1, undefined, 1],
    [251, undefined, 251],
  ]);
  assert.deepEqual(await listed("false"), [
    [undefined, undefined, 1],
    [undefined, undefined, 251],
  ]);
  assert.deepEqual(await listed("partial"), [
    [1, undefined, 1],
    [undefined, 251, 251],
  ]);
});

test("an archived channel says so to those who see it; to others it is like any hidden one", async (t) => {
  const chat = await startChat(t, {
    channels: [
      { name: "Old", private: true, subscribers: ["iago"] },
      { name: "design", private: true, subscribers: ["iago"] },
    ],
    unwatched: true,
  });
  chat.server.app.store.transact({ actor: null, action: "test" }, (tx) =>
    tx.run("UPDATE channels SET is_archived = 1 WHERE name = 'Old'"),
  );
  const refused = async (who: string, name: string) =>
    (await chat.as(who).post("/users/me/subscriptions", { subscriptions: [{ name }] })).msg;
  assert.match(await refused("iago", "old"), /Old is archived/);
  assert.equal(await refused("hamlet", "old"), (await refused("hamlet", "design")).replace("design", "old"));
});

test("one request makes at most 500 channels, in little time", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const make = (count: number) =>
    chat.as("hamlet").post("/users/me/subscriptions", {
      subscriptions: Array.from({ length: count }, (_, number) => ({ name: `channel ${number}` })),
      invite_only: true,
      principals: [chat.ids.hamlet, chat.ids.othello],
    });
  assert.equal((await make(501)).status, 400);
  const before = performance.now();
  const { subscribed } = await make(500);
  assert.ok(performance.now() - before < 5000);
  assert.equal(subscribed[chat.ids.othello as number].length, 500);
  const { streams } = await chat.as("othello").get("/streams");
  assert.equal(streams.length, 500);
});
