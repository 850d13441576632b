import assert from "node:assert/strict";
import test from "node:test";
import { channelOf, groupIds, heard, makeChannel, openToWeb, setOrganization } from "../support/channels.ts";
import { startChat } from "../support/chat.ts";

const channels = [
  { name: "general", subscribers: ["hamlet", "polonius"] },
  { name: "lobby", subscribers: ["othello"] },
  { name: "design", private: true, subscribers: ["hamlet"] },
];

test("users list only the channels they can access", async (t) => {
  const chat = await startChat(t, { channels });
  const names = async (name: string, params: Record<string, unknown> = {}) => {
    const answer = await chat.as(name).get("/streams", params);
    return answer.result === "success"
      ? answer.streams.map((channel: { name: string }) => channel.name)
      : answer.status;
  };
  assert.deepEqual(await names("hamlet"), ["general", "lobby", "design"]);
  assert.deepEqual(await names("othello"), ["general", "lobby"]);
  assert.deepEqual(await names("polonius"), ["general"]);
  assert.deepEqual(await names("othello", { include_public: false }), ["lobby"]);
  assert.deepEqual(await names("othello", { include_subscribed: false }), ["general", "lobby"]);
  assert.deepEqual(
    await names("othello", { include_public: false, include_subscribed: false, include_can_access_content: true }),
    ["general", "lobby"],
  );
  assert.deepEqual(
    await names("othello", { include_public: false, include_subscribed: false, include_web_public: true }),
    [],
  );
  assert.deepEqual(await names("iago"), ["general", "lobby"]);
  for (const option of ["include_all", "include_all_active"]) {
    assert.deepEqual(await names("iago", { [option]: true }), ["general", "lobby", "design"]);
    assert.equal(await names("othello", { [option]: true }), 400);
  }
  assert.deepEqual(await names("bot", { include_public: false, include_owner_subscribed: true }), [
    "general",
    "design",
  ]);
  assert.deepEqual(await names("hamlet", { include_owner_subscribed: true }), await names("hamlet"), "no effect");
});

test("a channel has every field of the protocol", async (t) => {
  const chat = await startChat(t);
  await chat
    .as("hamlet")
    .post("/users/me/subscriptions", { subscriptions: [{ name: "Design", description: "all\n*ours*" }] });
  await chat.as("hamlet").post("/messages", { type: "channel", to: "design", topic: "t", content: "x" });
  const { streams } = await chat.as("othello").get("/streams", { include_default: true });
  const [{ date_created, ...channel }] = streams;
  assert.ok(Math.abs(date_created - Date.now() / 1000) < 100);
  const group = (await chat.register("hamlet")).state.realm_user_groups as { id: number; name: string }[];
  const id = (name: string) => group.find((one) => one.name === name)?.id;
  assert.deepEqual(channel, {
    stream_id: 1,
    name: "Design",
    is_archived: false,
    description: "all *ours*",
    rendered_description: "<p>all <em>ours</em></p>",
    creator_id: chat.ids.hamlet,
    invite_only: false,
    is_web_public: false,
    stream_post_policy: 1,
    is_announcement_only: false,
    message_retention_days: null,
    history_public_to_subscribers: true,
    first_message_id: 1,
    is_recently_active: true,
    stream_weekly_traffic: null,
    folder_id: null,
    topics_policy: "inherit",
    subscriber_count: 1,
    is_default: false,
    can_add_subscribers_group: id("role:nobody"),
    can_administer_channel_group: { direct_members: [chat.ids.hamlet], direct_subgroups: [] },
    can_delete_any_message_group: id("role:nobody"),
    can_delete_own_message_group: id("role:nobody"),
    can_move_messages_out_of_channel_group: id("role:nobody"),
    can_move_messages_within_channel_group: id("role:nobody"),
    can_remove_subscribers_group: id("role:administrators"),
    can_resolve_topics_group: id("role:nobody"),
    can_send_message_group: id("role:everyone"),
    can_subscribe_group: id("role:nobody"),
  });
});

test("a channel's first message updates its first_message_id", async (t) => {
  const chat = await startChat(t, { channels });
  const [othello, guest] = [await chat.register("othello"), await chat.register("polonius")];
  const { id } = await chat.as("hamlet").post("/messages", { type: "channel", to: "lobby", topic: "t", content: "x" });
  const update = (await othello.events()).find(({ type }) => type === "stream");
  assert.deepEqual(
    [update?.op, update?.property, update?.value, update?.stream_id],
    ["update", "first_message_id", id, chat.ids.lobby],
  );
  assert.deepEqual(await guest.events(), []);
});

test("the first message does not leak to later subscribers", async (t) => {
  const chat = await startChat(t, { archivedChannels: true });
  const make = { subscriptions: [{ name: "vault" }], invite_only: true, history_public_to_subscribers: false };
  assert.equal((await chat.as("hamlet").post("/users/me/subscriptions", make)).result, "success");
  await chat.as("hamlet").post("/messages", { type: "channel", to: "vault", topic: "t", content: "before" });
  const othello = await chat.register("othello");
  const add = { subscriptions: [{ name: "vault" }], principals: [chat.ids.othello] };
  assert.equal((await chat.as("hamlet").post("/users/me/subscriptions", add)).result, "success");
  const named = (value: unknown) =>
    [...JSON.stringify(value).matchAll(/"first_message_id":(\w+)/g)].map(([, id]) => id);
  const heard = named(await othello.events());
  assert.ok(heard.length > 0);
  assert.deepEqual([...new Set(heard)], ["null"]);
  const { id } = chat.server.app.store.reader.get<{ id: number }>("SELECT id FROM channels WHERE name = 'vault'") ?? {};
  assert.equal((await chat.as("othello").get(`/streams/${id}`))["stream"].first_message_id, null);
  const own = (await chat.as("othello").get("/users/me/subscriptions"))["subscriptions"];
  assert.deepEqual(named(own), ["null"]);
  // Readers of the full history get the first message's ID.
  const queue = await chat.register("hamlet");
  await chat.as("desdemona").patch(`/streams/${id}`, { history_public_to_subscribers: true });
  const opened = await chat.as("hamlet").patch(`/streams/${id}`, { history_public_to_subscribers: true });
  assert.equal(opened.result, "success", opened.msg);
  const [first] = (await queue.events()).filter(({ property }) => property === "first_message_id");
  assert.equal(first?.["value"], (await chat.as("othello").get(`/streams/${id}`))["stream"].first_message_id);
  assert.equal(typeof first?.["value"], "number");
});

test("a channel becomes inactive after 180 days without messages", async (t) => {
  const clock = { days: 0 };
  const day = 86_400_000;
  const start = Date.now();
  const chat = await startChat(t, { channels, now: () => start + clock.days * day, unwatched: true });
  const traffic = async () => (await channelOf(chat, "lobby")).stream_weekly_traffic;
  const post = () => chat.as("othello").post("/messages", { type: "channel", to: "lobby", topic: "t", content: "x" });
  assert.equal(await traffic(), null, "too young for an estimate");
  await post();
  await post();
  clock.days = 6;
  await post();
  clock.days = 14;
  assert.equal(await traffic(), 2, "three messages in two weeks");
  clock.days = 29;
  assert.equal(await traffic(), 1);
  clock.days = 185;
  chat.server.runChores();
  assert.equal((await channelOf(chat, "lobby")).is_recently_active, true, "its youngest message is 179 days old");
  const patient = { queue_lifespan_secs: 7 * 86_400 };
  const [othello, guest] = [await chat.register("othello", patient), await chat.register("polonius", patient)];
  clock.days = 187;
  chat.server.runChores();
  // A response waits until earlier writes are on disk, so their events are published by then.
  assert.deepEqual([(await channelOf(chat, "lobby")).is_recently_active, await traffic()], [false, 0]);
  const quiet = (await othello.events()).filter(({ property }) => property === "is_recently_active");
  assert.deepEqual(
    quiet.map(({ stream_id, value }) => [stream_id, value]),
    [[chat.ids.lobby, false]],
  );
  assert.deepEqual(await heard(guest), []);
  await post();
  assert.deepEqual(
    (await othello.events()).filter(({ property }) => property === "is_recently_active").map(({ value }) => value),
    [true],
  );
});

test("listing members and email addresses requires channel access", async (t) => {
  const chat = await startChat(t, { channels, unwatched: true });
  const { hamlet, othello, bot, design, general } = chat.ids as Record<string, number>;
  assert.deepEqual((await chat.as("hamlet").get(`/streams/${design}/members`)).subscribers, [hamlet]);
  assert.equal((await chat.as("iago").get(`/streams/${design}/members`)).status, 400);
  const members = await chat.as("othello").get(`/streams/${general}/members`);
  assert.deepEqual(members.subscribers, [hamlet, chat.ids.polonius]);
  const mail = (who: string, params: object = {}) =>
    chat.as(who).get(`/streams/${general}/email_address`, { ...params });
  assert.equal((await mail("hamlet")).email, "");
  assert.equal((await mail("hamlet", { sender_id: bot })).email, "");
  assert.equal((await mail("hamlet", { sender_id: othello })).status, 400);
  assert.equal((await mail("othello", { sender_id: bot })).status, 400);
  assert.equal((await mail("othello", { sender_id: -1 })).status, 400);
});

test("GET /streams filters archived, web-public and default channels", async (t) => {
  const chat = await startChat(t, { channels, unwatched: true, prepare: openToWeb });
  await makeChannel(chat, "square", { is_web_public: true, is_default_stream: true });
  await makeChannel(chat, "ruin", { subscribers: ["othello"] });
  await chat.as("iago").delete(`/streams/${chat.ids.ruin}`);
  const names = async (who: string, params: object) =>
    (await chat.as(who).get("/streams", { ...params })).streams.map(({ name }: { name: string }) => name);
  const only = { include_public: false, include_subscribed: false };
  assert.deepEqual(await names("othello", { ...only, include_web_public: true }), ["square"]);
  assert.deepEqual(await names("polonius", { ...only, include_web_public: true }), ["square"]);
  assert.deepEqual(await names("polonius", { ...only, include_can_access_content: true }), ["general", "square"]);
  assert.deepEqual(await names("othello", { ...only, include_subscribed: true, exclude_archived: false }), [
    "lobby",
    "ruin",
  ]);
  assert.deepEqual(await names("iago", { include_all: true, exclude_archived: false }), [
    "general",
    "lobby",
    "design",
    "square",
    "ruin",
  ]);
  assert.deepEqual(await names("iago", { include_all_active: true, exclude_archived: false }), [
    "general",
    "lobby",
    "design",
    "square",
  ]);
  const { streams } = await chat.as("othello").get("/streams", { include_default: true });
  assert.deepEqual(
    streams.map((one: any) => [one.name, one.is_default]),
    [
      ["general", false],
      ["lobby", false],
      ["square", true],
    ],
  );
  assert.equal((await chat.as("othello").get("/streams", { include_public: "maybe" })).status, 400);
});

test("a new channel has the requested privacy", async (t) => {
  const chat = await startChat(t, { prepare: openToWeb });
  const made = async (settings: object) => {
    const name = JSON.stringify(settings);
    await makeChannel(chat, name, { ...settings });
    const { invite_only, history_public_to_subscribers, is_web_public } = await channelOf(chat, name);
    return [invite_only, history_public_to_subscribers, is_web_public];
  };
  assert.deepEqual(await made({}), [false, true, false]);
  assert.deepEqual(await made({ history_public_to_subscribers: false }), [false, true, false]);
  assert.deepEqual(await made({ invite_only: true }), [true, true, false]);
  assert.deepEqual(await made({ invite_only: true, history_public_to_subscribers: true }), [true, true, false]);
  assert.deepEqual(await made({ invite_only: true, history_public_to_subscribers: false }), [true, false, false]);
  assert.deepEqual(await made({ is_web_public: true }), [false, true, true]);
  const refusedBy = async (who: string, settings: object) => {
    const params = { subscriptions: [{ name: "x" }], ...settings };
    return (await chat.as(who).post("/users/me/subscriptions", params)).status === 400;
  };
  assert.ok(await refusedBy("desdemona", { is_web_public: true, invite_only: true }));
  assert.ok(await refusedBy("iago", { is_web_public: true }));
  assert.ok(await refusedBy("desdemona", { folder_id: 77 }));
});

test("channel creation follows the organization's permissions", async (t) => {
  const chat = await startChat(t, { unwatched: true, prepare: openToWeb, users: { emilia: { role: 300 } } });
  const id = await groupIds(chat);
  let count = 0;
  const makes = async (who: string, settings: object = {}) => {
    count += 1;
    const params = { subscriptions: [{ name: `channel ${count}` }], ...settings };
    const { status } = await chat.as(who).post("/users/me/subscriptions", params);
    const exists = (await chat.as("iago").get("/get_stream_id", { stream: `channel ${count}` })).status === 200;
    assert.equal(exists, status === 200);
    return exists;
  };
  const [open, closed, web] = [{}, { invite_only: true }, { is_web_public: true }];
  const who = ["polonius", "hamlet", "bot", "emilia", "iago", "desdemona"];
  const makers = async (settings: object) => {
    const able: string[] = [];
    for (const name of who) if (await makes(name, settings)) able.push(name);
    return able;
  };
  const members = ["hamlet", "bot", "emilia", "iago", "desdemona"];
  assert.deepEqual(await makers(open), members);
  assert.deepEqual(await makers(closed), members);
  assert.deepEqual(await makers(web), ["desdemona"]);
  const some = { direct_members: [chat.ids.hamlet, chat.ids.polonius], direct_subgroups: [id("role:administrators")] };
  setOrganization(chat, {
    can_create_public_channel_group: id("role:nobody"),
    can_create_private_channel_group: some,
    can_create_web_public_channel_group: id("role:moderators"),
  });
  assert.deepEqual(await makers(open), []);
  assert.deepEqual(await makers(closed), ["hamlet", "iago", "desdemona"], "no guest, whatever the group contains");
  assert.deepEqual(await makers(web), ["emilia", "iago", "desdemona"]);
  setOrganization(chat, { can_create_public_channel_group: id("role:members") });

  const policy = { topics_policy: "disable_empty_topic" };
  const deleting = { can_delete_any_message_group: id("role:members") };
  assert.deepEqual(await makers({ message_retention_days: 9 }), ["desdemona"]);
  assert.deepEqual(await makers({ is_default_stream: true }), ["iago", "desdemona"]);
  assert.deepEqual(await makers(policy), members);
  assert.deepEqual(await makers(deleting), ["emilia", "iago", "desdemona"]);
  setOrganization(chat, {
    can_set_topics_policy_group: id("role:nobody"),
    can_set_delete_message_policy_group: { direct_members: [chat.ids.hamlet], direct_subgroups: [] },
  });
  assert.deepEqual(await makers(policy), ["iago", "desdemona"]);
  assert.deepEqual(await makers(deleting), ["hamlet", "iago", "desdemona"]);
  assert.deepEqual(await makers({ can_delete_own_message_group: id("role:members") }), ["hamlet", "iago", "desdemona"]);
  assert.deepEqual(await makers({ can_delete_own_message_group: id("role:nobody") }), members);
});
