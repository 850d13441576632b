import assert from "node:assert/strict";
import test from "node:test";
import { systemGroupId } from "../../server/api/queries/user-group-members.ts";
import { startChat } from "../support/chat.ts";

const PATH = "/users/me/subscriptions";
const channels = [
  { name: "general", subscribers: ["hamlet", "othello", "polonius"] },
  { name: "lobby", subscribers: ["othello"] },
  { name: "design", private: true, subscribers: ["hamlet", "bot"] },
];

test("GET subscriptions equals /register without archived channels", async (t) => {
  const chat = await startChat(t, { channels });
  for (const who of ["hamlet", "polonius", "bot", "cordelia"]) {
    for (const include_subscribers of ["true", "false", "partial"]) {
      const { state } = await chat.register(who, { include_subscribers });
      const answer = await chat.as(who).get(PATH, { include_subscribers });
      assert.deepEqual(answer.subscriptions, state.subscriptions, `${who} ${include_subscribers}`);
    }
    const { subscriptions } = await chat.as(who).get(PATH);
    for (const one of subscriptions) assert.ok(!("subscribers" in one) && !("partial_subscribers" in one));
  }
  const { subscriptions } = await chat.as("hamlet").get(PATH, { include_subscribers: true });
  assert.deepEqual(
    subscriptions.map(({ name, subscribers }: { name: string; subscribers: number[] }) => [name, subscribers]),
    [
      ["general", [chat.ids.hamlet, chat.ids.othello, chat.ids.polonius]],
      ["design", [chat.ids.hamlet, chat.ids.bot]],
    ],
  );
  assert.equal((await chat.as("hamlet").get(PATH, { include_subscribers: "some" })).status, 400);
  assert.equal((await chat.anonymous("GET", PATH)).status, 401);
  await chat.as("hamlet").delete(PATH, { subscriptions: ["general"] });
  await chat.as("desdemona").delete(`/streams/${chat.ids.design}`);
  assert.deepEqual((await chat.as("hamlet").get(PATH)).subscriptions, []);
});

test("subscription status requires access to person and channel", async (t) => {
  const chat = await startChat(t, {
    channels,
    prepare: (tx) =>
      tx.run(
        "INSERT INTO organization_settings (name, value) VALUES ('can_access_all_users_group', ?)",
        String(systemGroupId(tx, "role:members")),
      ),
  });
  const { ids } = chat;
  const ask = (who: string, user: unknown, channel: unknown) =>
    chat.as(who).get(`/users/${user}/subscriptions/${channel}`);
  const tells = async (who: string, user: string, channel: string) =>
    (await ask(who, ids[user], ids[channel])).is_subscribed;
  assert.equal(await tells("cordelia", "hamlet", "general"), true);
  assert.equal(await tells("cordelia", "hamlet", "lobby"), false);
  assert.equal(await tells("hamlet", "bot", "design"), true);
  assert.equal(await tells("iago", "hamlet", "design"), true);
  assert.equal(await tells("polonius", "othello", "general"), true);
  assert.equal(await tells("bot", "hamlet", "design"), true);
  const { msg: noChannel } = await ask("othello", ids.hamlet, 999_999);
  for (const [who, channel] of [
    ["othello", "design"],
    ["polonius", "lobby"],
    ["polonius", "design"],
  ] as const) {
    const answer = await ask(who, ids[who], ids[channel]);
    assert.deepEqual([answer.status, answer.code, answer.msg], [400, "BAD_REQUEST", noChannel], `${who} ${channel}`);
  }
  // The guest shares no channel with Cordelia.
  const nobody = await ask("polonius", 999_999, ids.general);
  const hidden = await ask("polonius", ids.cordelia, ids.general);
  assert.deepEqual(
    [hidden.status, hidden.code, hidden.msg],
    [400, nobody.code, nobody.msg.replace("999999", String(ids.cordelia))],
  );
  assert.equal((await ask("hamlet", "hamlet", ids.general)).status, 404); // only other endpoints accept addresses
  assert.equal((await ask("hamlet", ids.hamlet, "general")).status, 400);
});

test("partial lists of large channels omit only inactive people", async (t) => {
  const day = 86_400_000;
  const clock = { now: Date.now() };
  const many = Object.fromEntries(Array.from({ length: 260 }, (_, n) => [`extra${n}`, {}]));
  const everybody = ["hamlet", "othello", "cordelia", "polonius", "iago", "bot", ...Object.keys(many)];
  const chat = await startChat(t, {
    now: () => clock.now,
    users: many,
    unwatched: true,
    channels: [
      { name: "big", subscribers: everybody },
      { name: "small", subscribers: ["hamlet", "extra1"] },
    ],
  });
  const all = everybody.map((name) => chat.ids[name] as number).sort((a, b) => a - b);
  const ids = (...names: string[]) => names.map((name) => chat.ids[name] as number).sort((a, b) => a - b);
  const listed = async () => {
    const include_subscribers = "partial";
    const { state } = await chat.register("desdemona", { include_subscribers });
    const big = state.never_subscribed?.find(({ name }) => name === "big");
    const small = state.never_subscribed?.find(({ name }) => name === "small");
    assert.ok(big && !("subscribers" in big) && big.subscriber_count === all.length);
    assert.deepEqual(small?.subscribers, ids("hamlet", "extra1"));
    return big.partial_subscribers;
  };
  await chat.register("hamlet");
  assert.deepEqual(await listed(), all);
  clock.now += 14 * day;
  // One is active through a queue, one through a message.
  const waiting = await chat.register("othello", { queue_lifespan_secs: 604_800 });
  await chat.as("cordelia").post("/messages", { type: "channel", to: "big", topic: "t", content: "x" });
  assert.deepEqual(await listed(), all);
  clock.now += 2 * day;
  assert.deepEqual(await listed(), ids("othello", "cordelia", "bot"));
  // Polling is enough to count as active.
  for (let week = 0; week < 3; week += 1) {
    clock.now += 6 * day;
    await waiting.events();
    chat.server.runChores();
  }
  assert.deepEqual(await listed(), ids("othello", "bot"));
  const { subscriptions } = await chat.as("othello").get(PATH, { include_subscribers: "partial" });
  assert.deepEqual(subscriptions[0].partial_subscribers, ids("othello", "bot"));
  await chat.restart();
  assert.deepEqual(await listed(), ids("othello", "bot"));
});

test("people added together each get their own settings", async (t) => {
  const chat = await startChat(t, { channels });
  const subscriptions = [{ name: "general" }, { name: "lobby" }];
  await chat.as("cordelia").post(PATH, { subscriptions });
  const change = (name: string, property: string, value: unknown) => ({ stream_id: chat.ids[name], property, value });
  const subscription_data = [change("general", "is_muted", true), change("lobby", "color", "#123123")];
  await chat.as("cordelia").post(`${PATH}/properties`, { subscription_data });
  await chat.as("cordelia").delete(PATH, { subscriptions: ["general", "lobby"] });
  const names = ["cordelia", "desdemona", "bot"];
  const queues = [];
  for (const name of names) queues.push(await chat.register(name));
  await chat.as("iago").post(PATH, { subscriptions, principals: names.map((name) => chat.ids[name]) });
  for (const [at, queue] of queues.entries()) {
    const [add, ...more] = (await queue.events()).filter(({ type }) => type === "subscription");
    assert.deepEqual([add?.op, more.length], ["add", 0]);
    assert.deepEqual(Object.keys(add ?? {}).sort(), ["id", "op", "subscriptions", "type"]);
    const { state } = await chat.register(names[at] as string, { include_subscribers: "true" });
    const fresh = state.subscriptions?.filter(({ name }) => name !== "design");
    assert.deepEqual(add?.subscriptions, fresh, String(names[at]));
  }
});

test("clients without null support get the effective settings", async (t) => {
  const chat = await startChat(t, {
    channels,
    users: { ophelia: { settings: { enable_stream_push_notifications: true, wildcard_mentions_notify: false } } },
  });
  const NAMES = ["desktop", "audible", "push", "email"].map((name) => `${name}_notifications`);
  const shown = (one: unknown) => [...NAMES, "wildcard_mentions_notify"].map((name) => (one as never)[name]);
  const old = { client_capabilities: { notification_settings_null: false } };
  const [hamlet, ophelia, knowing] = [
    await chat.register("hamlet", old),
    await chat.register("ophelia", { client_capabilities: {} }),
    await chat.register("ophelia"),
  ];
  assert.deepEqual(shown(hamlet.state.subscriptions?.[0]), [false, false, false, false, true]);
  await chat
    .as("othello")
    .post(PATH, { subscriptions: [{ name: "lobby" }], principals: [chat.ids.hamlet, chat.ids.ophelia] });
  const added = async (who: typeof hamlet) => {
    const event = (await who.events()).find(({ op }) => op === "add");
    assert.ok(event && !("inherited" in event) && !("archived_channels" in event));
    return shown(event.subscriptions[0]);
  };
  assert.deepEqual(await added(hamlet), [false, false, false, false, true]);
  assert.deepEqual(await added(ophelia), [false, false, true, false, false]);
  assert.deepEqual(await added(knowing), [null, null, null, null, null]);
  const subscription_data = [{ stream_id: chat.ids.lobby, property: "push_notifications", value: false }];
  await chat.as("ophelia").post(`${PATH}/properties`, { subscription_data });
  const { state } = await chat.register("ophelia", old);
  assert.deepEqual(shown(state.subscriptions?.[0]), [false, false, false, false, false]);
  assert.deepEqual(shown((await chat.as("ophelia").get(PATH)).subscriptions[0]), [null, null, false, null, null]);
});

test("archived channels can be subscribed to and left", async (t) => {
  const chat = await startChat(t, { channels });
  await chat.as("desdemona").delete(`/streams/${chat.ids.lobby}`);
  const client_capabilities = { archived_channels: true, notification_settings_null: true };
  const [knowing, hamlet, cordelia] = [
    await chat.register("hamlet", { client_capabilities }),
    await chat.register("hamlet"),
    await chat.register("cordelia", { client_capabilities }),
  ];
  const names = (list: { name: string }[] | undefined) => list?.map(({ name }) => name).sort();
  assert.deepEqual([names(knowing.state.never_subscribed), names(hamlet.state.never_subscribed)], [["lobby"], []]);
  const subscriptions = [{ name: "lobby" }];
  const kinds = async (who: typeof hamlet) => (await who.events()).map(({ type, op }) => `${type}/${op}`);
  assert.deepEqual((await chat.as("hamlet").post(PATH, { subscriptions })).subscribed, {
    [String(chat.ids.hamlet)]: ["lobby"],
  });
  assert.deepEqual(
    [await kinds(knowing), await kinds(hamlet), await kinds(cordelia)],
    [["subscription/add"], [], ["subscription/peer_add"]],
  );
  const after = await chat.register("hamlet", { client_capabilities });
  assert.deepEqual(names(after.state.subscriptions), ["design", "general", "lobby"]);
  assert.deepEqual(names((await chat.register("hamlet")).state.subscriptions), ["design", "general"]);
  assert.deepEqual((await chat.as("hamlet").delete(PATH, { subscriptions: ["lobby"] })).removed, ["lobby"]);
  assert.deepEqual(
    [await kinds(knowing), await kinds(hamlet), await kinds(cordelia)],
    [["subscription/remove"], [], ["subscription/peer_remove"]],
  );
});
