import assert from "node:assert/strict";
import test from "node:test";
import {
  changed,
  channelOf,
  groupIds,
  heard,
  makeChannel,
  openToWeb,
  refused,
  setOrganization,
} from "../support/channels.ts";
import { type Chat, startChat } from "../support/chat.ts";

const post = (chat: Chat, who: string, to: string, topic = "t") =>
  chat.as(who).post("/messages", { type: "channel", to, topic, content: "x" });

test("a channel's administrators change its name and description, and clients get events", async (t) => {
  const chat = await startChat(t);
  await makeChannel(chat, "plans", { by: "hamlet", subscribers: ["hamlet", "polonius"] });
  await makeChannel(chat, "taken");
  const [othello, guest] = [await chat.register("othello"), await chat.register("polonius")];
  await changed(chat, "hamlet", "plans", { new_name: " Great plans ", description: "what we\nwill *do*" });
  const events = (await othello.events()).filter(({ type }) => type === "stream");
  assert.deepEqual(
    events.map(({ id: _, ...event }) => event),
    [
      {
        type: "stream",
        op: "update",
        stream_id: chat.ids.plans,
        name: "plans",
        property: "description",
        value: "what we will *do*",
        rendered_description: "<p>what we will <em>do</em></p>",
      },
      {
        type: "stream",
        op: "update",
        stream_id: chat.ids.plans,
        name: "plans",
        property: "name",
        value: "Great plans",
      },
    ],
  );
  assert.deepEqual(
    (await guest.events()).filter(({ type }) => type === "stream").length,
    2,
    "a subscribed guest gets the events too",
  );
  assert.equal((await chat.as("othello").get("/get_stream_id", { stream: "great PLANS" })).stream_id, chat.ids.plans);
  await changed(chat, "hamlet", "plans", { new_name: "great plans" });
  await changed(chat, "iago", "plans", { description: "" });
  assert.equal((await channelOf(chat, "plans")).rendered_description, "");

  for (const new_name of ["TAKEN", " ", "\u200b\u3164", "x".repeat(61), "a\nb", "gnp.\u202eexe"])
    await refused(chat, "hamlet", "plans", { new_name });
  await refused(chat, "hamlet", "plans", { description: "x".repeat(1025) });
  await refused(chat, "othello", "plans", { new_name: "mine" });
  await refused(chat, "polonius", "plans", { description: "mine" });
  assert.deepEqual((await channelOf(chat, "plans")).name, "great plans");

  await othello.events();
  await changed(chat, "hamlet", "plans", {});
  await changed(chat, "hamlet", "plans", { new_name: "great plans", is_private: false, is_archived: true });
  assert.deepEqual(await othello.events(), [], "a change without effect sends no event");
});

test("a channel made private disappears for everyone outside it", async (t) => {
  const chat = await startChat(t, { watchAll: true });
  await makeChannel(chat, "plans", { by: "hamlet", subscribers: ["hamlet", "polonius", "othello"] });
  await post(chat, "hamlet", "plans");
  await chat.as("othello").delete("/users/me/subscriptions", { subscriptions: ["plans"] });
  const clients = {
    hamlet: await chat.register("hamlet"),
    guest: await chat.register("polonius"),
    former: await chat.register("othello"),
    iago: await chat.register("iago"),
    bot: await chat.register("bot"),
  };
  const news = async () =>
    Object.fromEntries(
      await Promise.all(Object.entries(clients).map(async ([who, client]) => [who, await heard(client)])),
    );
  await chat.checkEvents();
  await news();
  await changed(chat, "hamlet", "plans", { is_private: true });
  const iago = ["stream/update invite_only"];
  const [hamlet, guest] = [1, 2].map(() => [...iago, "message"]); // a system message in the channel
  const gone = ["stream/delete"];
  assert.deepEqual(await news(), { hamlet, guest, iago, former: gone, bot: gone });
  const channel = await channelOf(chat, "plans");
  assert.deepEqual([channel.invite_only, channel.history_public_to_subscribers], [true, true]);
  assert.equal((await chat.as("othello").get(`/streams/${chat.ids.plans}`)).status, 400);
  assert.equal((await chat.as("hamlet").get(`/streams/${chat.ids.plans}/members`)).subscribers.length, 2);
  await chat.checkEvents();

  await changed(chat, "hamlet", "plans", { is_private: false });
  const back = ["stream/create", "subscription/peer_add"];
  assert.deepEqual(await news(), { hamlet, guest, iago, former: back, bot: back });
  const state = (await chat.register("othello")).state;
  assert.equal(state.unsubscribed?.[0]?.name, "plans");
});

test("a returning channel restores personal settings", async (t) => {
  const chat = await startChat(t, { watchAll: true });
  await makeChannel(chat, "plans", { by: "hamlet", subscribers: ["hamlet", "cordelia"] });
  await chat.as("cordelia").post("/users/me/subscriptions/properties", {
    subscription_data: [{ stream_id: chat.ids.plans, property: "color", value: "#abcdef" }],
  });
  await chat.as("cordelia").delete("/users/me/subscriptions", { subscriptions: ["plans"] });
  await changed(chat, "hamlet", "plans", { is_private: true });
  await chat.checkEvents();
  const [cordelia, othello] = [await chat.register("cordelia"), await chat.register("othello")];
  assert.deepEqual(cordelia.state.unsubscribed, []);
  await changed(chat, "hamlet", "plans", { is_private: false });
  const created = (await cordelia.events()).find(({ op }) => op === "create");
  assert.equal(created?.streams[0].color, "#abcdef");
  const [other] = await othello.events();
  assert.deepEqual([other?.op, other?.streams[0].color], ["create", undefined], "nobody else gets them");
});

test("history opens and closes with the channel's privacy", async (t) => {
  const chat = await startChat(t);
  await makeChannel(chat, "plans", { by: "hamlet", invite_only: true, history_public_to_subscribers: false });
  const { id } = await post(chat, "hamlet", "plans");
  await chat
    .as("hamlet")
    .post("/users/me/subscriptions", { subscriptions: [{ name: "plans" }], principals: [chat.ids.cordelia] });
  const reads = async (who: string) => (await chat.as(who).get(`/messages/${id}`)).result === "success";
  assert.deepEqual([await reads("hamlet"), await reads("cordelia")], [true, false]);
  await changed(chat, "hamlet", "plans", { is_private: true });
  assert.equal((await channelOf(chat, "plans", "hamlet")).history_public_to_subscribers, false, "it is unchanged");
  const cordelia = await chat.register("cordelia");
  await changed(chat, "hamlet", "plans", { history_public_to_subscribers: true });
  const [event] = await cordelia.events();
  assert.deepEqual(
    [event?.property, event?.value, event?.history_public_to_subscribers, event?.is_web_public],
    ["invite_only", true, true, false],
  );
  assert.equal(await reads("cordelia"), true);
  const { unread_msgs } = (await chat.register("cordelia")).state;
  assert.ok(!unread_msgs?.streams.some((topic) => topic.unread_message_ids.includes(id)), "it is not unread");
  await changed(chat, "hamlet", "plans", { history_public_to_subscribers: false });
  assert.equal(await reads("cordelia"), false);
  await refused(chat, "hamlet", "plans", { is_private: false, history_public_to_subscribers: false });
  await changed(chat, "hamlet", "plans", { is_private: false });
  assert.deepEqual([await reads("cordelia"), await reads("othello"), await reads("polonius")], [true, true, false]);
  await refused(chat, "hamlet", "plans", { history_public_to_subscribers: false });
  await changed(chat, "hamlet", "plans", { is_private: true, history_public_to_subscribers: false });
  assert.deepEqual([await reads("cordelia"), await reads("othello")], [false, false]);
});

test("a web-public channel reaches guests until it becomes private", async (t) => {
  const shut = await startChat(t, { unwatched: true });
  await makeChannel(shut, "plans");
  await refused(shut, "desdemona", "plans", { is_web_public: true });
  const chat = await startChat(t, { watchAll: true, prepare: openToWeb });
  await makeChannel(chat, "plans", { by: "hamlet" });
  await refused(chat, "hamlet", "plans", { is_web_public: true });
  await refused(chat, "iago", "plans", { is_web_public: true });
  await refused(chat, "desdemona", "plans", { is_web_public: true, is_private: true });
  const [guest, othello] = [await chat.register("polonius"), await chat.register("othello")];
  await changed(chat, "desdemona", "plans", { is_web_public: true });
  assert.deepEqual(await heard(guest), ["stream/create", "subscription/peer_add"]);
  const [event] = await othello.events();
  assert.deepEqual([event?.property, event?.value, event?.is_web_public], ["invite_only", false, true]);
  const { id } = await post(chat, "hamlet", "plans");
  assert.equal((await chat.as("polonius").get(`/messages/${id}`)).result, "success");
  assert.equal((await post(chat, "polonius", "plans")).result, "error", "an unsubscribed guest cannot post");
  await changed(chat, "desdemona", "plans", { description: "ours" });
  await chat.checkEvents();
  await guest.events();
  await changed(chat, "hamlet", "plans", { is_private: true });
  assert.deepEqual(await heard(guest), ["stream/delete"]);
  assert.equal((await chat.as("polonius").get(`/messages/${id}`)).result, "error");
  const channel = await channelOf(chat, "plans");
  assert.deepEqual([channel.is_web_public, channel.invite_only], [false, true]);
  await refused(chat, "desdemona", "plans", { is_web_public: true, is_private: false }); // she cannot read it
});

test("changing a channel's type requires permission to create it", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const id = await groupIds(chat);
  await makeChannel(chat, "open", { by: "hamlet" });
  await makeChannel(chat, "closed", { by: "hamlet", invite_only: true });
  setOrganization(chat, {
    can_create_public_channel_group: id("role:moderators"),
    can_create_private_channel_group: id("role:moderators"),
  });
  await refused(chat, "hamlet", "open", { is_private: true });
  await refused(chat, "hamlet", "closed", { is_private: false });
  await changed(chat, "hamlet", "closed", { history_public_to_subscribers: false });
  await changed(chat, "iago", "open", { is_private: true });
});

test("an administrator without content access grants access to nobody", async (t) => {
  const chat = await startChat(t);
  const id = await groupIds(chat);
  const group = { direct_members: [chat.ids.othello], direct_subgroups: [] };
  await makeChannel(chat, "plans", { by: "hamlet", invite_only: true, can_administer_channel_group: group });
  for (const who of ["iago", "othello"]) {
    await refused(chat, who, "plans", { is_private: false });
    await refused(chat, who, "plans", { history_public_to_subscribers: false });
    for (const name of ["can_add_subscribers_group", "can_subscribe_group"])
      await refused(chat, who, "plans", { [name]: { new: { direct_members: [chat.ids[who]], direct_subgroups: [] } } });
    await changed(chat, who, "plans", { description: `by ${who}` });
    await changed(chat, who, "plans", { can_send_message_group: { new: id("role:moderators") } });
    await changed(chat, who, "plans", { can_send_message_group: { new: id("role:everyone") } });
  }
  // The creator still reads the channel but no longer administers it.
  await refused(chat, "hamlet", "plans", { description: "by hamlet" });
  await changed(chat, "iago", "plans", { can_administer_channel_group: { new: id("role:nobody") } });
  await refused(chat, "othello", "plans", { description: "again" });
  assert.equal((await chat.as("othello").get(`/streams/${chat.ids.plans}`)).status, 400);
});

test("every group setting changes unless its old value differs", async (t) => {
  const chat = await startChat(t);
  const id = await groupIds(chat);
  await makeChannel(chat, "plans", { by: "hamlet" });
  const anonymous = { direct_members: [chat.ids.othello, chat.ids.hamlet], direct_subgroups: [id("role:moderators")] };
  const stored = { ...anonymous, direct_members: [chat.ids.hamlet, chat.ids.othello] };
  const othello = await chat.register("othello");
  const names = Object.keys(await channelOf(chat, "plans")).filter((name) => name.endsWith("_group"));
  assert.equal(names.length, 10);
  for (const name of names) {
    const who = name.includes("delete") ? "iago" : "hamlet";
    const old = (await channelOf(chat, "plans"))[name];
    const wrong = await refused(chat, who, "plans", { [name]: { new: anonymous, old: id("role:fullmembers") } });
    assert.equal(wrong.code, "EXPECTATION_MISMATCH");
    await changed(chat, who, "plans", { [name]: { new: anonymous, old } });
    const [event, ...more] = await othello.events();
    assert.deepEqual([event?.property, event?.value], [name, stored]);
    assert.deepEqual(more, []);
    assert.deepEqual((await channelOf(chat, "plans"))[name], stored);
    await changed(chat, who, "plans", { [name]: { new: id("role:members"), old: anonymous } });
    await refused(chat, who, "plans", { [name]: { new: id("role:internet") } });
    await refused(chat, who, "plans", { [name]: { new: 999_999 } });
    await refused(chat, who, "plans", { [name]: { new: { direct_members: [999_999], direct_subgroups: [] } } });
    await refused(chat, who, "plans", { [name]: id("role:members") });
    await othello.events();
  }
  for (const name of ["can_add_subscribers_group", "can_administer_channel_group", "can_subscribe_group"])
    await refused(chat, "hamlet", "plans", { [name]: { new: id("role:everyone") } });
  await changed(chat, "hamlet", "plans", { can_send_message_group: { new: id("role:administrators") } });
  assert.deepEqual(
    (await othello.events()).map(({ property, value }) => [property, value]),
    [
      ["can_send_message_group", id("role:administrators")],
      ["stream_post_policy", 2],
      ["is_announcement_only", true],
    ],
  );
});

test("groups show and hide a private channel", async (t) => {
  const chat = await startChat(t, { watchAll: true, users: { emilia: {} } });
  const id = await groupIds(chat);
  await makeChannel(chat, "plans", { by: "hamlet", invite_only: true });
  const [cordelia, emilia] = [await chat.register("cordelia"), await chat.register("emilia")];
  for (const name of ["can_subscribe_group", "can_add_subscribers_group", "can_administer_channel_group"]) {
    const group = { direct_members: [chat.ids.hamlet, chat.ids.cordelia], direct_subgroups: [] };
    await changed(chat, "hamlet", "plans", { [name]: { new: group } });
    assert.deepEqual(await heard(cordelia), ["stream/create", "subscription/peer_add"], name);
    await chat.checkEvents();
    const own = { direct_members: [chat.ids.hamlet], direct_subgroups: [] };
    await changed(chat, "hamlet", "plans", { [name]: { new: own } });
    assert.deepEqual(await heard(cordelia), ["stream/delete"], name);
  }
  // Guests stay guests in such a group.
  const guests = { direct_members: [chat.ids.polonius], direct_subgroups: [id("role:administrators")] };
  await changed(chat, "hamlet", "plans", { can_administer_channel_group: { new: guests } });
  assert.equal((await chat.as("polonius").get(`/streams/${chat.ids.plans}`)).status, 400);
  assert.deepEqual(await emilia.events(), []);
});

test("group settings do not show deactivated users", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  await makeChannel(chat, "plans", { by: "hamlet" });
  const { hamlet, othello: gone, cordelia: more } = chat.ids;
  const named = (...people: unknown[]) => ({ direct_members: people, direct_subgroups: [] });
  await changed(chat, "hamlet", "plans", { can_send_message_group: { new: named(hamlet, gone) } });
  assert.equal((await chat.as("iago").delete(`/users/${gone}`)).status, 200);
  const sorted = [hamlet, gone, more].sort((a, b) => Number(a) - Number(b));
  await changed(chat, "hamlet", "plans", {
    can_send_message_group: { new: named(...sorted), old: named(hamlet, gone) },
  });
  const { stream } = await chat.as("hamlet").get(`/streams/${chat.ids.plans}`);
  assert.deepEqual(stream.can_send_message_group, named(...sorted.filter((id) => id !== gone)));
  await refused(chat, "hamlet", "plans", { can_resolve_topics_group: { new: named(hamlet, gone) } });
});

test("retention, topics policy and deletion each require their permission", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const id = await groupIds(chat);
  await makeChannel(chat, "plans", { by: "hamlet" });
  const othello = await chat.register("othello");
  for (const who of ["hamlet", "iago"]) await refused(chat, who, "plans", { message_retention_days: 3 });
  for (const [given, stored] of [
    [3, 3],
    ["unlimited", -1],
    ['"realm_default"', null],
  ]) {
    await changed(chat, "desdemona", "plans", { message_retention_days: given });
    const [event] = await othello.events();
    assert.deepEqual([event?.property, event?.value], ["message_retention_days", stored]);
  }
  for (const message_retention_days of [0, -1, "forever", "1.5"])
    await refused(chat, "desdemona", "plans", { message_retention_days });
  const tooLow = await refused(chat, "desdemona", "plans", { message_retention_days: 0 });
  assert.match(tooLow.msg, /message_retention_days must be at least 1/);

  await changed(chat, "hamlet", "plans", { topics_policy: "disable_empty_topic" });
  setOrganization(chat, { can_set_topics_policy_group: id("role:moderators") });
  await refused(chat, "hamlet", "plans", { topics_policy: "inherit" });
  await changed(chat, "iago", "plans", { topics_policy: '"allow_empty_topic"' });
  await refused(chat, "iago", "plans", { topics_policy: "none" });
  assert.deepEqual(
    (await othello.events()).map(({ property, value }) => [property, value]),
    [
      ["topics_policy", "disable_empty_topic"],
      ["topics_policy", "allow_empty_topic"],
    ],
  );

  for (const name of ["can_delete_any_message_group", "can_delete_own_message_group"]) {
    await refused(chat, "hamlet", "plans", { [name]: { new: id("role:members") } });
    await changed(chat, "iago", "plans", { [name]: { new: id("role:members") } });
    // Needs both roles: channel administrator, and permitted by the organization.
    setOrganization(chat, { can_set_delete_message_policy_group: id("role:members") });
    await changed(chat, "hamlet", "plans", { [name]: { new: id("role:nobody") } });
    await refused(chat, "othello", "plans", { [name]: { new: id("role:members") } });
    setOrganization(chat, { can_set_delete_message_policy_group: id("role:moderators") });
  }
});

test("required topics exclude the policy empty_topic_only", async (t) => {
  const chat = await startChat(t);
  await makeChannel(chat, "plans", { by: "hamlet", topics_policy: "allow_empty_topic" });
  await post(chat, "hamlet", "plans", "");
  await post(chat, "hamlet", "plans", "menu");
  const error = await refused(chat, "hamlet", "plans", { topics_policy: "empty_topic_only" });
  assert.deepEqual([error.code, error["empty_topic_display_name"]], ["BAD_REQUEST", "general chat"]);
  const { messages } = await chat.as("hamlet").get("/messages", {
    narrow: [{ operator: "channel", operand: "plans" }],
    anchor: "newest",
    num_before: 10,
    num_after: 0,
    allow_empty_topic_name: true,
  });
  for (const { id, subject } of messages) {
    if (subject === "") continue;
    await refused(chat, "hamlet", "plans", { topics_policy: "empty_topic_only" });
    const moved = await chat
      .as("hamlet")
      .patch(`/messages/${id}`, { topic: "", send_notification_to_new_thread: false });
    assert.equal(moved.result, "success", moved.msg);
  }
  await changed(chat, "hamlet", "plans", { topics_policy: "empty_topic_only" });
  assert.equal((await post(chat, "hamlet", "plans", "menu")).result, "error");
  assert.equal((await post(chat, "hamlet", "plans", "")).result, "success");
  await changed(chat, "hamlet", "plans", { description: "told in the empty topic too" });
  // The error does not tell an administrator without content access whether topics exist.
  for (const name of ["quiet", "busy"]) await makeChannel(chat, name, { by: "hamlet", invite_only: true });
  await post(chat, "hamlet", "busy", "secret");
  const [quiet, busy] = [
    await refused(chat, "desdemona", "quiet", { topics_policy: "empty_topic_only" }),
    await refused(chat, "desdemona", "busy", { topics_policy: "empty_topic_only" }),
  ];
  assert.deepEqual([quiet.msg, quiet.code], [busy.msg, busy.code]);
});

test("a channel moves into a folder and out again", async (t) => {
  const chat = await startChat(t);
  const { channel_folder_id: folder } = await chat
    .as("desdemona")
    .post("/channel_folders/create", { name: "Work", description: "" });
  await makeChannel(chat, "plans", { by: "hamlet", folder_id: folder });
  assert.equal((await channelOf(chat, "plans")).folder_id, folder);
  const othello = await chat.register("othello");
  await changed(chat, "hamlet", "plans", { folder_id: null });
  await changed(chat, "hamlet", "plans", { folder_id: folder });
  assert.deepEqual(
    (await othello.events()).map(({ property, value }) => [property, value]),
    [
      ["folder_id", null],
      ["folder_id", folder],
    ],
  );
  await refused(chat, "hamlet", "plans", { folder_id: 999 });
  await refused(chat, "hamlet", "plans", { folder_id: "none" });
  await refused(chat, "othello", "plans", { folder_id: null });
});

test("administrators choose default channels, none of them private", async (t) => {
  const chat = await startChat(t);
  await makeChannel(chat, "open", { by: "hamlet", subscribers: ["hamlet", "polonius"] });
  await makeChannel(chat, "closed", { by: "hamlet", invite_only: true });
  const [othello, guest] = [await chat.register("othello"), await chat.register("polonius")];
  const set = (who: string, method: "post" | "delete", channel: string | number) =>
    chat.as(who)[method]("/default_streams", { stream_id: typeof channel === "number" ? channel : chat.ids[channel] });
  for (const method of ["post", "delete"] as const) {
    assert.deepEqual((await set("hamlet", method, "open")).code, "UNAUTHORIZED_PRINCIPAL");
    assert.equal((await set("polonius", method, "open")).status, 400);
    assert.equal((await set("iago", method, 999_999)).msg, "Invalid channel ID");
  }
  assert.equal((await set("iago", "post", "closed")).status, 400);
  assert.equal((await set("iago", "post", "open")).result, "success");
  assert.equal((await set("iago", "post", "open")).result, "success");
  assert.deepEqual(
    (await othello.events()).map((event) => event["default_streams"]),
    [[chat.ids.open]],
  );
  assert.deepEqual(await guest.events(), []);
  await refused(chat, "iago", "open", { is_private: true });
  await refused(chat, "hamlet", "open", { is_default_stream: false });
  assert.equal((await channelOf(chat, "open"))["is_default"], undefined);
  const { streams } = await chat.as("othello").get("/streams", { include_default: true });
  assert.deepEqual(
    streams.map((one: any) => [one.name, one.is_default]),
    [["open", true]],
  );
  assert.equal((await set("iago", "delete", "open")).result, "success");
  assert.equal((await set("iago", "delete", "open")).result, "success");
  assert.deepEqual(
    (await othello.events()).map((event) => event["default_streams"]),
    [[]],
  );
  await refused(chat, "hamlet", "open", { is_default_stream: true });
  await changed(chat, "iago", "open", { is_default_stream: true });
  await changed(chat, "iago", "open", { is_default_stream: false, is_private: true });
  assert.deepEqual((await chat.register("othello")).state.realm_default_streams, []);
});

test("every change of a channel is audited", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  await makeChannel(chat, "plans", { by: "hamlet", invite_only: true });
  await changed(chat, "hamlet", "plans", { new_name: "schemes", is_private: false });
  await chat.as("iago").delete(`/streams/${chat.ids.plans}`);
  await changed(chat, "iago", "plans", { is_archived: false });
  const { entries } = await chat.as("desdemona").get("/host/audit");
  assert.deepEqual(
    entries
      .filter(({ target }: { target: string }) => target === `channel ${chat.ids.plans}`)
      .map(({ actor, action, before, after }: any) => [actor.full_name, action, before, after]),
    [
      ["Iago", "unarchive channel", { is_archived: true }, { is_archived: false }],
      ["Iago", "archive channel", { name: "schemes" }, null],
      ["Hamlet", "change channel", { invite_only: true, name: "plans" }, { invite_only: false, name: "schemes" }],
      [
        "Hamlet",
        "create channel",
        null,
        { name: "plans", invite_only: true, is_web_public: false, history_public_to_subscribers: true },
      ],
    ],
  );
});
