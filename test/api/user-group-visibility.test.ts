import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { type Chat, type Params, startChat } from "../support/chat.ts";

async function group(chat: Chat, params: Params): Promise<number> {
  const answer = await chat.as("desdemona").post("/user_groups/create", { description: "", members: [], ...params });
  assert.equal(answer.result, "success", answer.msg);
  return answer["group_id"];
}

async function change(chat: Chat, id: number, params: Params): Promise<void> {
  const answer = await chat.as("desdemona").post(`/user_groups/${id}/members`, params);
  assert.equal(answer.result, "success", answer.msg);
}

async function setChannel(chat: Chat, name: string, params: Params): Promise<void> {
  const answer = await chat.as("desdemona").patch(`/streams/${chat.ids[name]}`, params);
  assert.equal(answer.result, "success", answer.msg);
}

const CHANNELS = [
  { name: "plots", private: true, subscribers: ["desdemona", "othello"] },
  { name: "other plots", private: true, subscribers: ["desdemona"] },
  { name: "square", subscribers: ["hamlet"] },
];

/** The channels that appeared and disappeared in these events. */
const visibility = (events: Record<string, any>[]) =>
  events
    .filter(({ type, op }) => type === "stream" && op !== "update")
    .map(({ op, streams }) => [op, ...streams.map(({ stream_id }: { stream_id: number }) => stream_id)]);

test("joining a group shows its private channels until leaving", async (t) => {
  const chat = await startChat(t, { watchAll: true, channels: CHANNELS });
  const { hamlet, othello, cordelia, polonius, plots } = chat.ids as Record<
    "hamlet" | "othello" | "cordelia" | "polonius" | "plots",
    number
  >;
  const { reader } = chat.server.app.store;
  const nobody = reader.value<number>("SELECT id FROM user_groups WHERE name = 'role:nobody'");
  for (const setting of ["can_subscribe_group", "can_add_subscribers_group", "can_administer_channel_group"]) {
    const inner = await group(chat, { name: `inner ${setting}` });
    const outer = await group(chat, { name: `outer ${setting}`, subgroups: [inner] });
    const named = { direct_members: [chat.ids["iago"]], direct_subgroups: [outer] };
    await setChannel(chat, "plots", { [setting]: { new: named } });
    const [cordelias, hamlets, guests, subscribers] = [
      await chat.register("cordelia"),
      await chat.register("hamlet"),
      await chat.register("polonius"),
      await chat.register("othello"),
    ];
    const seen = async () => [
      visibility(await cordelias.events()),
      visibility(await hamlets.events()),
      visibility(await guests.events()),
      visibility(await subscribers.events()),
    ];
    const readable = async () => (await chat.as("cordelia").get(`/streams/${plots}`)).status === 200;
    assert.equal(await readable(), false);
    await change(chat, inner, { add: [cordelia, polonius, othello] });
    assert.deepEqual(await seen(), [[["create", plots]], [], [], []], setting);
    assert.equal(await readable(), true);
    // A person who stays in it through another group keeps access.
    await change(chat, outer, { add: [cordelia] });
    await change(chat, inner, { delete: [cordelia] });
    assert.deepEqual(await seen(), [[], [], [], []]);
    await change(chat, outer, { delete: [cordelia] });
    assert.deepEqual(await seen(), [[["delete", plots]], [], [], []]);
    assert.equal(await readable(), false);
    // Adding and removing whole groups works the same way.
    const guestsToo = await group(chat, { name: `others ${setting}`, members: [hamlet, cordelia, polonius] });
    await change(chat, inner, { add_subgroups: [guestsToo] });
    assert.deepEqual(await seen(), [[["create", plots]], [["create", plots]], [], []]);
    await change(chat, inner, { delete_subgroups: [guestsToo] });
    assert.deepEqual(await seen(), [[["delete", plots]], [["delete", plots]], [], []]);
    await setChannel(chat, "plots", { [setting]: { new: nobody } });
    await chat.checkEvents();
  }
});

test("group members read a channel until they leave", async (t) => {
  const chat = await startChat(t, { channels: CHANNELS });
  const { cordelia } = chat.ids as Record<"cordelia", number>;
  const players = await group(chat, { name: "players" });
  await setChannel(chat, "plots", { can_subscribe_group: { new: players } });
  const send = { type: "channel", to: "plots", topic: "t", content: "hush" };
  const { id } = await chat.as("othello").post("/messages", send);
  const read = async () => (await chat.as("cordelia").get(`/messages/${id}`)).status;
  assert.equal(await read(), 400);
  await change(chat, players, { add: [cordelia] });
  assert.equal(await read(), 200);
  const joined = await chat.as("cordelia").post("/users/me/subscriptions", { subscriptions: [{ name: "plots" }] });
  assert.deepEqual(Object.values(joined["subscribed"]), [["plots"]]);
  // A subscriber keeps access without the group.
  await change(chat, players, { delete: [cordelia] });
  assert.equal(await read(), 200);
  await chat.as("cordelia").delete("/users/me/subscriptions", { subscriptions: ["plots"] });
  assert.equal(await read(), 400);
  const again = await chat.as("cordelia").post("/users/me/subscriptions", { subscriptions: [{ name: "plots" }] });
  assert.notEqual(again.result, "success");
});

test("a group's permissions apply from the moment of joining", async (t) => {
  const chat = await startChat(t, { channels: CHANNELS });
  const { cordelia } = chat.ids as Record<"cordelia", number>;
  const inner = await group(chat, { name: "inner" });
  const players = await group(chat, { name: "players", subgroups: [inner] });
  await setChannel(chat, "square", { can_send_message_group: { new: players } });
  const settings = { can_create_public_channel_group: { new: players }, can_create_groups: { new: players } };
  const set = await chat.as("desdemona").patch("/realm", settings);
  assert.equal(set.result, "success", set.msg);
  const say = async () =>
    (await chat.as("cordelia").post("/messages", { type: "channel", to: "square", topic: "t", content: "x" })).status;
  let n = 0;
  const create = async () => {
    n += 1;
    const params = { name: `group ${n}`, description: "", members: [] };
    return (await chat.as("cordelia").post("/user_groups/create", params)).status;
  };
  const may = async () => (await chat.register("cordelia")).state["can_create_public_streams"];
  const all = async () => [await say(), await create(), await may()];
  assert.deepEqual(await all(), [400, 400, false]);
  await change(chat, inner, { add: [cordelia] });
  assert.deepEqual(await all(), [200, 200, true]);
  await change(chat, players, { delete_subgroups: [inner] });
  assert.deepEqual(await all(), [400, 400, false]);
});

test("full members by time are announced within the hour", async (t) => {
  let now = Date.now();
  const chat = await startChat(t, { channels: CHANNELS, now: () => now, unwatched: true });
  const { store } = chat.server.app;
  const full = store.reader.value<number>("SELECT id FROM user_groups WHERE name = 'role:fullmembers'") as number;
  const act = async (sql: string, ...values: (string | number)[]) => {
    store.transact({ actor: null, action: "test" }, (tx) => tx.run(sql, ...values));
    await store.durable();
  };
  const DAY = 86_400_000;
  const { cordelia, plots } = chat.ids as Record<"cordelia" | "plots", number>;
  await act("UPDATE users SET joined_at = ?", now - 100 * DAY);
  const players = await group(chat, { name: "players", subgroups: [full] });
  await setChannel(chat, "plots", { can_subscribe_group: { new: players } });
  const set = await chat.as("desdemona").patch("/realm", { waiting_period_threshold: 3 });
  assert.equal(set.result, "success", set.msg);
  // A new waiting period changes full members immediately.
  await act("UPDATE users SET joined_at = ? WHERE id = ?", now - 2 * DAY, cordelia);
  const herself = await chat.register("cordelia");
  for (const [days, expected] of [
    [1, ["create", plots]],
    [3, ["delete", plots]],
  ] as const) {
    await chat.as("desdemona").patch("/realm", { waiting_period_threshold: days });
    assert.deepEqual(visibility(await herself.events()), [expected]);
  }
  chat.server.runChores();
  // Her third day ended just before now, and after the last announcement of full members.
  await act("UPDATE full_members_told SET until = ?", Date.now() - 60_000);
  await act("UPDATE users SET joined_at = ? WHERE id = ?", Date.now() - 3 * DAY - 30_000, cordelia);
  const day = { queue_lifespan_secs: 86_400 };
  const [own, other] = [await chat.register("cordelia", day), await chat.register("polonius", day)];
  now += 3_700_000;
  chat.server.runChores();
  await store.durable();
  const added = { type: "user_group", op: "add_members", group_id: full, user_ids: [cordelia] };
  const groups = (events: Record<string, unknown>[]) =>
    events.filter(({ type }) => type === "user_group").map(({ id: _, ...event }) => event);
  const events = await own.events();
  assert.deepEqual(groups(events), [added]);
  assert.deepEqual(visibility(events), [["create", plots]]);
  assert.deepEqual(groups(await other.events()), [added]);
  now += 3_700_000;
  chat.server.runChores();
  await store.durable();
  assert.deepEqual(groups(await other.events()), []);
});

test("clients stay in sync through random group changes", async (t) => {
  const chat = await startChat(t, { watchAll: true, channels: CHANNELS });
  const people = ["iago", "hamlet", "cordelia", "polonius", "bot"].map((name) => chat.ids[name] as number);
  const { reader } = chat.server.app.store;
  const groups = reader
    .all<{ id: number }>("SELECT id FROM user_groups WHERE name IN ('role:moderators', 'role:nobody') ORDER BY id")
    .map(({ id }) => id);
  for (const name of ["one", "two", "three"]) groups.push(await group(chat, { name }));
  const own = groups.slice(2);
  const settings = ["can_subscribe_group", "can_add_subscribers_group", "can_administer_channel_group"];
  const numbers = fc.sample(fc.noBias(fc.nat()), { seed: 20, numRuns: 400 });
  const pick = <Item>(from: readonly Item[]): Item => from[(numbers.pop() as number) % from.length] as Item;
  const owner = chat.as("desdemona");
  let done = 0;
  for (let step = 0; step < 60; step += 1) {
    const [id, other, person] = [pick(own), pick(groups), pick(people)];
    const path = `/user_groups/${id}/members`;
    const answer = await pick([
      () => owner.post(path, { add: [person] }),
      () => owner.post(path, { delete: [person] }),
      () => owner.post(path, { add_subgroups: [other] }),
      () => owner.post(path, { delete_subgroups: [other] }),
      () => {
        const value = pick([other, { direct_members: [person], direct_subgroups: [other, id] }]);
        const channel = chat.ids[pick(["plots", "other plots"])];
        return owner.patch(`/streams/${channel}`, { [pick(settings)]: { new: value } });
      },
    ])();
    if (answer.status === 200) done += 1;
    if (step % 15 === 14) await chat.checkEvents();
  }
  assert.ok(done > 25, `${done} changes`);
});

test("showing many channels to many people drops their queues", async (t) => {
  const CHANNEL_COUNT = 72;
  const people: number[] = [];
  const chat = await startChat(t, {
    unwatched: true,
    channels: Array.from({ length: CHANNEL_COUNT }, (_, at) => ({ name: `plot ${at}`, private: true })),
    prepare: (tx, ids) => {
      people.push(ids["hamlet"] as number);
      for (let at = 0; at < 290; at++)
        people.push(
          tx.run(
            "INSERT INTO users (email, email_key, full_name, role, joined_at) VALUES (?, ?, ?, 400, 0)",
            `person${at}@example.com`,
            `person${at}@example.com`,
            `Person ${at}`,
          ),
        );
    },
  });
  const owner = chat.as("desdemona");
  const { reader } = chat.server.app.store;
  const fullMembers = reader.value<number>("SELECT id FROM user_groups WHERE name = 'role:fullmembers'") as number;
  const shown = await group(chat, { name: "shown" });
  const show = async (id: number) => {
    for (let at = 0; at < CHANNEL_COUNT; at++)
      await setChannel(chat, `plot ${at}`, { can_subscribe_group: { new: id } });
  };
  const isGone = async (name: string, queueId: string) =>
    (await chat.as(name).get("/events", { queue_id: queueId, dont_block: true }))["code"] === "BAD_EVENT_QUEUE_ID";
  const seenByHamlet = async () => {
    const registered = await chat.register("hamlet");
    return { ...registered, count: registered.state.never_subscribed?.length };
  };
  const othello = await chat.register("othello");

  await show(shown);
  const before = await seenByHamlet();
  assert.equal(before.count, 0);
  await change(chat, shown, { add: people });
  assert.equal(await isGone("hamlet", before.queueId), true);
  assert.equal((await seenByHamlet()).count, CHANNEL_COUNT);
  assert.equal(await isGone("othello", othello.queueId), false, "people outside the group keep their queues");
  await change(chat, shown, { delete: people });

  assert.equal((await owner.patch("/realm", { waiting_period_threshold: 3 })).result, "success");
  await show(fullMembers);
  const waiting = await seenByHamlet();
  const person = await chat.register("iago");
  assert.equal(waiting.count, 0);
  assert.equal((await owner.patch("/realm", { waiting_period_threshold: 0 })).result, "success");
  assert.equal(await isGone("hamlet", waiting.queueId), true);
  assert.equal((await seenByHamlet()).count, CHANNEL_COUNT);
  assert.equal(await isGone("iago", person.queueId), false, "moderators and above were full members before");
});
