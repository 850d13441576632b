import assert from "node:assert/strict";
import test from "node:test";
import { notificationBot } from "../../server/api/queries/bots.ts";
import { systemGroupId } from "../../server/api/queries/user-group-members.ts";
import { startChat } from "../support/chat.ts";

test("subscribing to an unknown name creates it", async (t) => {
  const chat = await startChat(t);
  const [hamlet, othello, guest] = [
    await chat.register("hamlet"),
    await chat.register("othello"),
    await chat.register("polonius"),
  ];
  const answer = await chat.as("hamlet").post("/users/me/subscriptions", { subscriptions: [{ name: "lunch" }] });
  assert.deepEqual(answer.subscribed, { [String(chat.ids.hamlet)]: ["lunch"] });
  assert.deepEqual(answer.already_subscribed, {});
  assert.equal(answer.new_subscription_messages_sent, true);
  assert.ok(!("unauthorized" in answer));
  const kinds = async (who: typeof hamlet) => (await who.events()).map(({ type, op }) => `${type}/${op}`).slice(0, 2);
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

test("only subscriptions have an email address, which is empty", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "general", subscribers: ["hamlet"] }] });
  const hamlet = await chat.register("hamlet", { event_types: ["subscription"] });
  const addresses = (subscriptions: readonly object[] = []) =>
    subscriptions.map((one) => (one as { email_address?: unknown }).email_address);
  assert.deepEqual(addresses(hamlet.state.subscriptions), [""]);
  await chat.as("hamlet").post("/users/me/subscriptions", { subscriptions: [{ name: "lunch" }] });
  const [added] = await hamlet.events();
  assert.deepEqual([added?.op, addresses(added?.subscriptions)], ["add", [""]]);
  const { streams, never_subscribed } = (await chat.register("othello")).state;
  const { stream } = await chat.as("othello").get(`/streams/${chat.ids["general"]}`);
  assert.deepEqual(addresses([...streams, ...never_subscribed, stream]), [
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("a private channel's creation stays private", async (t) => {
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
  const kinds = async (who: typeof iago) => (await who.events()).map(({ type, op }) => `${type}/${op}`).slice(0, 2);
  assert.deepEqual(await kinds(iago), ["stream/create", "subscription/peer_add"]);
  assert.deepEqual(await kinds(cordelia), ["stream/create", "subscription/add"]);
  assert.deepEqual(await kinds(othello), []);
  const { state } = await chat.register("othello");
  assert.deepEqual([state.streams, state.never_subscribed], [[], []]);
});

test("nobody joins a private channel without permission", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "design", private: true, subscribers: ["hamlet"] }] });
  const subscribe = (name: string, params: object = {}) =>
    chat.as(name).post("/users/me/subscriptions", { subscriptions: [{ name: "design" }], ...params });
  for (const name of ["othello", "iago", "polonius"]) assert.equal((await subscribe(name)).status, 400, name);
  const soft = await subscribe("othello", { authorization_errors_fatal: false });
  assert.deepEqual([soft.status, soft.unauthorized, soft.subscribed], [200, ["design"], {}]);
  assert.equal((await subscribe("iago", { principals: [chat.ids.othello] })).status, 400);
  assert.equal((await subscribe("hamlet", { principals: [chat.ids.othello] })).status, 200);
});

test("rejects a new channel if its people cannot be subscribed", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "lunch" }] });
  const owners = { new: systemGroupId(chat.server.app.store.reader, "role:owners") };
  await chat.as("desdemona").patch("/realm", { can_add_subscribers_group: owners });
  const subscribe = (params: object = {}) =>
    chat.as("hamlet").post("/users/me/subscriptions", {
      subscriptions: [{ name: "new" }, { name: "lunch" }],
      principals: [chat.ids.othello],
      ...params,
    });
  assert.equal((await subscribe()).code, "BAD_REQUEST");
  const soft = await subscribe({ authorization_errors_fatal: false });
  assert.deepEqual([soft.status, soft.unauthorized, soft.subscribed], [200, ["new", "lunch"], {}]);
  const { streams } = await chat.as("hamlet").get("/streams");
  assert.deepEqual(
    streams.map(({ name }: { name: string }) => name),
    ["lunch"],
  );
});

test("a permitted group joins a private channel", async (t) => {
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

test("unknown and invalid principals get 400", async (t) => {
  const chat = await startChat(t);
  for (const principals of [[999_999], ["nobody@example.com"], [chat.ids.othello, 999_999]]) {
    const answer = await chat
      .as("hamlet")
      .post("/users/me/subscriptions", { subscriptions: [{ name: "x" }], principals });
    assert.deepEqual([answer.status, answer.code], [400, "BAD_REQUEST"]);
  }
  assert.deepEqual((await chat.as("hamlet").get("/streams")).streams, []);
});

test("settings apply to new channels only", async (t) => {
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

test("a forbidden setting of a new channel creates nothing", async (t) => {
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

test("include_subscribers lists subscribers in full or partially", async (t) => {
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

test("a hidden archived channel looks like any hidden one", async (t) => {
  const chat = await startChat(t, {
    channels: [
      { name: "Old", private: true, subscribers: ["iago"] },
      { name: "design", private: true, subscribers: ["iago"] },
    ],
  });
  await chat.as("desdemona").delete(`/streams/${chat.ids.Old}`);
  const subscribe = (who: string, name: string) =>
    chat.as(who).post("/users/me/subscriptions", { subscriptions: [{ name }] });
  assert.deepEqual((await subscribe("iago", "old")).already_subscribed, { [String(chat.ids.iago)]: ["Old"] });
  const [old, design] = [await subscribe("hamlet", "old"), await subscribe("hamlet", "design")];
  assert.deepEqual([old.status, old.code, old.msg], [400, design.code, design.msg.replace("design", "old")]);
});

test("settings and roles decide who may subscribe others", async (t) => {
  const chat = await startChat(t, {
    users: { ophelia: {} },
    channels: [{ name: "general" }, { name: "design", private: true, subscribers: ["hamlet", "cordelia", "iago"] }],
    prepare: (tx) =>
      tx.run(
        "INSERT INTO organization_settings (name, value) VALUES ('can_add_subscribers_group', ?)",
        String(systemGroupId(tx, "role:moderators")),
      ),
  });
  const { ids } = chat;
  const add = (who: string, channel: string, whom: string) =>
    chat.as(who).post("/users/me/subscriptions", { subscriptions: [{ name: channel }], principals: [ids[whom]] });
  const refused = async (who: string, channel: string, whom: string) => {
    const answer = await add(who, channel, whom);
    assert.deepEqual([answer.status, answer.code], [400, "BAD_REQUEST"], `${who} ${channel} ${whom}`);
  };
  const added = async (who: string, channel: string, whom: string) =>
    assert.deepEqual((await add(who, channel, whom)).subscribed, { [String(ids[whom])]: [channel] });
  await refused("hamlet", "general", "othello");
  await refused("hamlet", "design", "othello");
  await refused("hamlet", "of their own", "othello");
  await added("iago", "general", "polonius");
  await added("iago", "design", "ophelia");
  // Administrators see a private channel, but cannot add people to it.
  await refused("desdemona", "design", "othello");
  await refused("ophelia", "design", "othello");
  // Adding your own bot counts as joining; adding another's bot does not.
  await added("hamlet", "general", "bot");
  await refused("othello", "general", "bot");
  await refused("othello", "design", "bot");
  await added("hamlet", "design", "bot");
  await refused("bot", "general", "hamlet");
  const { bot } = ids;
  await chat.as("hamlet").delete("/users/me/subscriptions", { subscriptions: ["general"], principals: [bot] });
  await added("bot", "general", "bot");
  const group = (who: string) => ({ direct_members: [ids[who]], direct_subgroups: [] });
  const set = async (name: string, who: string) =>
    assert.equal(
      (await chat.as("iago").patch(`/streams/${ids.design}`, { [name]: { new: group(who) } })).result,
      "success",
    );
  await set("can_add_subscribers_group", "othello");
  await added("othello", "design", "othello");
  await set("can_administer_channel_group", "cordelia");
  await added("cordelia", "design", "desdemona");
  await refused("polonius", "general", "othello");
  const audit = chat.server.app.store.reader.all<{ actor: number; after: string }>(
    "SELECT actor_id AS actor, after FROM audit WHERE action = 'subscribe users' AND actor_id <> ? ORDER BY id",
    ids.desdemona as number,
  );
  assert.deepEqual(
    audit.map(({ actor, after }) => [actor, JSON.parse(after)]),
    [
      [ids.iago, [ids.polonius]],
      [ids.iago, [ids.ophelia]],
      [ids.cordelia, [ids.desdemona]],
    ],
  );
});

test("deactivated, hidden and system users look like missing people", async (t) => {
  const chat = await startChat(t, {
    users: { ophelia: { settings: { email_address_visibility: 4 } }, laertes: {} },
    channels: [{ name: "general", subscribers: ["hamlet"] }],
    prepare: (tx, ids) => tx.run("UPDATE users SET is_active = 0 WHERE id = ?", ids.laertes as number),
  });
  const add = (principals: unknown[]) =>
    chat.as("hamlet").post("/users/me/subscriptions", { subscriptions: [{ name: "general" }], principals });
  const reader = chat.server.app.store.reader;
  const { id, email } = notificationBot(reader);
  const nobody = (await add([999_999])).msg.replace("999999", "");
  for (const who of [chat.ids.laertes, id, 0, -5]) {
    const answer = await add([who]);
    assert.deepEqual([answer.status, answer.code, answer.msg], [400, "BAD_REQUEST", `${nobody}${who}`]);
  }
  const stranger = (await add(["nobody@example.com"])).msg;
  assert.equal(stranger, "Invalid email 'nobody@example.com'", "clients compare this text");
  // Ophelia's address is hidden and replaced.
  for (const who of ["laertes@example.com", "ophelia@example.com", email]) {
    const answer = await add([who]);
    assert.deepEqual([answer.status, answer.msg], [400, stranger.replace("nobody@example.com", who)]);
  }
  assert.equal((await add([1.5])).status, 400);
  assert.equal((await add([null])).status, 400);
  assert.equal((await add(["othello@example.com", chat.ids.ophelia])).result, "success");
  assert.equal((await chat.as("cordelia").post("/users/me/subscriptions", { subscriptions: [] })).result, "success");
});

test("new subscribers read earlier messages unless history is protected", async (t) => {
  const chat = await startChat(t);
  const create = (name: string, history_public_to_subscribers: boolean) =>
    chat
      .as("hamlet")
      .post("/users/me/subscriptions", { subscriptions: [{ name }], invite_only: true, history_public_to_subscribers });
  const send = async (to: string) =>
    (await chat.as("hamlet").post("/messages", { type: "channel", to, topic: "t", content: "x" })).id as number;
  const read = async (channel: string) => {
    const params = {
      anchor: "newest",
      num_before: 50,
      num_after: 0,
      narrow: [
        ["channel", channel],
        ["topic", "t"],
      ],
    };
    const answer = await chat.as("othello").get("/messages", params);
    assert.equal(answer.result, "success", answer.msg);
    return answer.messages.map(({ id, flags }: { id: number; flags: string[] }) => [id, flags.includes("read")]);
  };
  const bring = (channel: string) =>
    chat.as("hamlet").post("/users/me/subscriptions", {
      subscriptions: [{ name: channel }],
      principals: [chat.ids.othello],
    });
  for (const [name, shared] of [
    ["shared", true],
    ["protected", false],
  ] as const) {
    await create(name, shared);
    const before = await send(name);
    assert.equal((await bring(name)).result, "success");
    const after = await send(name);
    assert.deepEqual(await read(name), [...(shared ? [[before, true]] : []), [after, false]], name);
    await chat.as("othello").delete("/users/me/subscriptions", { subscriptions: [name] });
    await assert.rejects(read(name));
    const between = await send(name);
    await bring(name);
    const all = [before, after, between].map((id) => [id, true]);
    assert.deepEqual(await read(name), shared ? all : [[after, true]], name);
  }
});

test("colors are distinct by default or as requested", async (t) => {
  const chat = await startChat(t);
  const names = Array.from({ length: 17 }, (_, number) => ({ name: `channel ${number}` }));
  await chat.as("hamlet").post("/users/me/subscriptions", { subscriptions: names.slice(0, 7) });
  await chat.as("hamlet").post("/users/me/subscriptions", { subscriptions: names.slice(7, 16) });
  const colors = (await chat.register("hamlet")).state.subscriptions?.map(({ color }) => color) ?? [];
  assert.equal(new Set(colors).size, 16);
  assert.ok(colors.every((color) => /^#[0-9a-f]{6}$/.test(color)));
  const asked = await chat
    .as("hamlet")
    .post("/users/me/subscriptions", { subscriptions: [{ name: "other", color: "#fFf" }, ...names.slice(16)] });
  assert.equal(asked.result, "success", asked.msg);
  const all = (await chat.register("hamlet")).state.subscriptions ?? [];
  assert.equal(all.find(({ name }) => name === "other")?.color, "#fFf");
  assert.match(all.at(-1)?.color ?? "", /^#[0-9a-f]{6}$/);
  for (const color of ["fff", "#ffff", "#ggg", "white", 5])
    assert.equal(
      (await chat.as("hamlet").post("/users/me/subscriptions", { subscriptions: [{ name: "y", color }] })).status,
      400,
    );
});

test("subscribes a crowd in slices that let other requests through", async (t) => {
  const crowd = Array.from({ length: 300 }, (_, number) => `extra${number}`);
  const chat = await startChat(t, {
    users: Object.fromEntries(crowd.map((name) => [name, {}])),
    channels: [{ name: "general" }, { name: "lobby" }],
  });
  const principals = ["hamlet", "cordelia", ...crowd].map((name) => chat.ids[name] as number);
  const names = ["general", "lobby", "new", "newer"];
  const othello = await chat.register("othello");
  const order: string[] = [];
  const subscribed = chat
    .as("hamlet")
    .post("/users/me/subscriptions", {
      subscriptions: names.map((name) => ({ name })),
      principals,
      send_new_subscription_messages: false,
    })
    .then((answer) => {
      order.push("subscribed");
      return answer;
    });
  await chat.as("othello").get("/users/me/subscriptions");
  order.push("served");
  const answer = await subscribed;
  assert.deepEqual(order, ["served", "subscribed"]);
  assert.deepEqual([Object.keys(answer.subscribed).length, answer.already_subscribed], [principals.length, {}]);
  for (const id of principals) assert.deepEqual(answer.subscribed[id], names);
  const joined = (await othello.events()).filter(({ op }) => op === "peer_add");
  assert.equal(
    joined.flatMap(({ stream_ids, user_ids }) => stream_ids.flatMap(() => user_ids)).length,
    4 * principals.length,
  );
  const { streams } = await chat.as("othello").get("/streams");
  assert.deepEqual(
    streams.map(({ subscriber_count }: { subscriber_count: number }) => subscriber_count),
    names.map((name) => principals.length + (name === "general" || name === "lobby" ? 1 : 0)),
  );
  const left = await chat.as("iago").delete("/users/me/subscriptions", { subscriptions: names, principals });
  assert.deepEqual([left.removed.sort(), left.not_removed], [[...names].sort(), []]);
});

test("one request quickly creates at most 500 channels", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const make = (count: number) =>
    chat.as("hamlet").post("/users/me/subscriptions", {
      subscriptions: Array.from({ length: count }, (_, number) => ({ name: `channel ${number}` })),
      invite_only: true,
      principals: [chat.ids.hamlet, chat.ids.othello],
    });
  assert.equal((await make(501)).status, 400);
  const before = process.threadCpuUsage();
  const { subscribed } = await make(500);
  const { user, system } = process.threadCpuUsage(before);
  assert.ok(user + system < 5_000_000, `${user + system} µs`);
  assert.equal(subscribed[chat.ids.othello as number].length, 500);
  const { streams } = await chat.as("othello").get("/streams");
  assert.equal(streams.length, 500);
});
