import assert from "node:assert/strict";
import test from "node:test";
import { addCustomEmoji, deactivateCustomEmoji } from "../../server/api/actions/emoji.ts";
import { type CustomEmoji, customEmojiByName } from "../../server/api/queries/emoji.ts";
import { type User, userById } from "../../server/api/queries/users.ts";
import { startChat } from "../support/chat.ts";

const general = { name: "general", subscribers: ["hamlet", "polonius"] };
const limitedGuests = (tx: { value: any; run: any }) => {
  const members = tx.value("SELECT id FROM user_groups WHERE name = 'role:members'");
  tx.run("INSERT INTO organization_settings (name, value) VALUES ('can_access_all_users_group', ?)", String(members));
};
const without = ({ id: _, ...event }: Record<string, unknown>) => event;
const thumbs = { emoji_name: "+1", emoji_code: "1f44d", reaction_type: "unicode_emoji" };
const none = { emoji_name: "", emoji_code: "", reaction_type: "" };

test("each part of a status changes separately", async (t) => {
  const chat = await startChat(t, { channels: [general], prepare: limitedGuests });
  const hamlet = chat.as("hamlet");
  const user_id = hamlet.id;
  const [other, guest] = [await chat.register("othello"), await chat.register("polonius")];
  assert.deepEqual(other.state.user_status, {});
  const set = async (params: object) => {
    const answer = await hamlet.post("/users/me/status", { ...params });
    assert.equal(answer.status, 200, answer.msg);
    return (await chat.register("othello")).state.user_status;
  };
  const news = async (queue = other) => (await queue.events()).map(without);
  assert.deepEqual(await set({ status_text: "  to be  " }), { [user_id]: { status_text: "to be" } });
  assert.deepEqual(await set({ emoji_name: "+1" }), { [user_id]: { status_text: "to be", ...thumbs } });
  await set({ status_text: "to be", ...thumbs }); // no effect
  const event = { type: "user_status", user_id };
  assert.deepEqual(await news(), [
    { ...event, status_text: "to be" },
    { ...event, ...thumbs },
  ]);
  assert.deepEqual((await news(guest)).length, 2); // they share a channel
  assert.deepEqual(await set({ status_text: "", ...thumbs }), { [user_id]: thumbs });
  assert.deepEqual(await set(none), {});
  assert.deepEqual(await news(), [
    { ...event, status_text: "" },
    { ...event, ...none },
  ]);
  await set({ status_text: "é".repeat(60), emoji_name: "+1" });
  await chat.restart();
  const longest = { status_text: "é".repeat(60), ...thumbs };
  assert.deepEqual((await chat.register("othello")).state.user_status, { [user_id]: longest });
  const { email, key } = chat.as("othello");
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
  const asked = await fetch(`${chat.url}/api/v1/users/${user_id}/status`, { headers: { authorization } });
  assert.deepEqual(await asked.json(), { result: "success", msg: "", status: longest });
});

test("a guest sees no hidden person's status", async (t) => {
  const chat = await startChat(t, { channels: [general], prepare: limitedGuests });
  const guest = await chat.register("polonius");
  await chat.as("othello").post("/users/me/status", { status_text: "jealous" });
  await chat.as("hamlet").post("/users/me/status", { status_text: "mad" });
  const { othello, hamlet } = chat.ids;
  assert.deepEqual((await guest.events()).map(without), [{ type: "user_status", user_id: hamlet, status_text: "mad" }]);
  assert.deepEqual((await chat.register("polonius")).state.user_status, { [hamlet as number]: { status_text: "mad" } });
  const ask = (id: unknown) => chat.as("polonius").get(`/users/${id}/status`);
  assert.deepEqual(await ask(othello), await ask(999_999));
  assert.equal((await ask(othello)).code, "BAD_REQUEST");
  // The status arrives with the user as soon as they share a channel.
  await chat.as("othello").post("/users/me/subscriptions", { subscriptions: [{ name: "general" }] });
  assert.deepEqual((await guest.events()).filter(({ type }) => type === "user_status").map(without), [
    { type: "user_status", user_id: othello, status_text: "jealous" },
  ]);
});

test("only administrators set others' status, with audit", async (t) => {
  const chat = await startChat(t);
  const { hamlet, bot, polonius } = chat.ids;
  const path = `/users/${hamlet}/status`;
  const seen = await chat.register("othello");
  assert.equal((await chat.as("iago").post(path, { status_text: " at sea ", emoji_name: "ship" })).status, 200);
  const state = (await chat.register("othello")).state.user_status?.[hamlet as number];
  assert.equal(state?.status_text, "at sea");
  assert.equal((await seen.events()).length, 1);
  for (const name of ["othello", "hamlet", "polonius", "bot"]) {
    const refused = await chat.as(name).post(path, { status_text: "fool" });
    assert.deepEqual([refused.status, refused.code], [400, "BAD_REQUEST"]);
    // The response does not reveal whether the user exists.
    assert.deepEqual(await chat.as(name).post("/users/999999/status", { status_text: "fool" }), refused);
  }
  for (const id of [999_999, bot]) {
    const refused = await chat.as("iago").post(`/users/${id}/status`, { status_text: "fool" });
    assert.deepEqual([refused.status, refused.code], [400, "BAD_REQUEST"]);
  }
  assert.equal((await chat.as("bot").post("/users/me/status", { status_text: "beep" })).status, 400);
  assert.equal((await chat.as("polonius").post("/users/me/status", { status_text: "old" })).status, 200);
  assert.deepEqual(await seen.events().then((all) => all.map(({ user_id }) => user_id)), [polonius]);
  const rows = chat.server.app.store.reader.all<{ target: string; after: string }>(
    "SELECT target, after FROM audit WHERE action = 'change user status'",
  );
  assert.deepEqual(
    rows.map(({ target, after }) => [target, JSON.parse(after).status_text]),
    [[`user ${hamlet}`, "at sea"]],
  );
});

test("a bot with an administrator's role sets others' status", async (t) => {
  const chat = await startChat(t);
  const { bot, hamlet, othello } = chat.ids;
  assert.equal((await chat.as("desdemona").patch(`/users/${hamlet}`, { role: 200 })).status, 200);
  assert.equal((await chat.as("desdemona").patch(`/bots/${bot}`, { role: 200 })).status, 200);
  const answer = await chat.as("bot").post(`/users/${othello}/status`, { status_text: "at sea" });
  assert.equal(answer.status, 200, answer.msg);
  const { user_status } = (await chat.register("hamlet")).state;
  assert.equal(user_status?.[othello as number]?.status_text, "at sea");
});

test("invalid status is rejected alike by both endpoints", async (t) => {
  const chat = await startChat(t, {
    prepare: (tx) => {
      const owner = userById(tx, 1) as User;
      for (const name of ["yorick", "gone"])
        addCustomEmoji(tx, owner, {
          name,
          picture: { kind: "emoji", name, size: 0, sha256: "" },
          extension: "png",
          still: null,
        });
      deactivateCustomEmoji(tx, owner, customEmojiByName(tx, "gone") as CustomEmoji);
    },
  });
  const [yorick, gone] = ["yorick", "gone"].map((name) =>
    chat.server.app.store.reader.value<number>("SELECT id FROM custom_emoji WHERE name = ?", name),
  );
  const ways = [
    (params: object) => chat.as("hamlet").post("/users/me/status", { ...params }),
    (params: object) => chat.as("iago").post(`/users/${chat.ids["hamlet"]}/status`, { ...params }),
  ];
  const queue = await chat.register("othello");
  for (const way of ways) {
    for (const params of [
      {},
      { status_text: "x".repeat(61) },
      { status_text: "x".repeat(61), emoji_name: "+1" },
      { emoji_code: "1f44d" },
      { reaction_type: "unicode_emoji", status_text: "fine" },
      { emoji_name: "", emoji_code: "1f44d" },
      { emoji_name: "no_such_emoji" },
      { emoji_name: "heart", emoji_code: "1f44d", reaction_type: "unicode_emoji" },
      { emoji_name: "+1", emoji_code: "ffff", reaction_type: "unicode_emoji" },
      { emoji_name: "+1", reaction_type: "carrier_pigeon" },
      { emoji_name: "yorick", emoji_code: "999", reaction_type: "realm_emoji" },
      { emoji_name: "skull", emoji_code: String(yorick), reaction_type: "realm_emoji" },
      { emoji_name: "gone", emoji_code: String(gone), reaction_type: "realm_emoji" },
    ]) {
      const answer = await way(params);
      assert.deepEqual([answer.status, answer.code], [400, "BAD_REQUEST"], JSON.stringify(params));
    }
  }
  assert.match((await ways[0]?.({ status_text: "x".repeat(61) }))?.msg ?? "", /60/);
  assert.deepEqual(await queue.events(), []);
  // The extra type keeps the name that was sent. Without a name it gets the public one.
  const typeAfter = async (params: object) => {
    assert.equal((await ways[1]?.(params))?.status, 200);
    return (await chat.register("othello")).state.user_status?.[chat.ids["hamlet"] as number]?.reaction_type;
  };
  const extra = { emoji_name: "zulip", emoji_code: "zulip" };
  assert.equal(await typeAfter({ ...extra, reaction_type: "service_extra_emoji" }), "service_extra_emoji");
  assert.equal(await typeAfter({ emoji_name: "zulip" }), "zulip_extra_emoji");
  assert.equal(await typeAfter({ emoji_name: "yorick" }), "realm_emoji");
});

test("away is the older name of hidden presence", async (t) => {
  const chat = await startChat(t);
  const hamlet = chat.as("hamlet");
  const [own, other] = [await chat.register("hamlet"), await chat.register("othello")];
  assert.equal((await hamlet.post("/users/me/status", { away: true })).status, 200);
  const event = { type: "user_status", user_id: hamlet.id };
  assert.deepEqual((await other.events()).map(without), [{ ...event, away: true }]);
  assert.deepEqual(
    (await own.events()).map(({ type }) => type),
    ["user_status", "user_settings"],
  );
  assert.deepEqual((await chat.register("othello")).state.user_status, { [hamlet.id]: { away: true } });
  assert.equal((await hamlet.patch("/settings", { presence_enabled: true })).status, 200);
  assert.deepEqual((await other.events()).map(without), [{ ...event, away: false }]);
  assert.deepEqual((await chat.register("othello")).state.user_status, {});
});

test("hidden presence is away from the start", async (t) => {
  const chat = await startChat(t);
  const queue = await chat.register("othello");
  const defaults = await chat.as("iago").patch("/realm/user_settings_defaults", { presence_enabled: false });
  assert.equal(defaults.status, 200, defaults.msg);
  const params = { email: "emilia@example.com", full_name: "Emilia", password: "handkerchief of silk" };
  const { user_id } = await chat.as("desdemona").post("/users", params);
  const heard = (await queue.events()).filter(({ type }) => type === "user_status").map(without);
  assert.deepEqual(heard, [{ type: "user_status", user_id, away: true }]);
  assert.deepEqual((await chat.register("othello")).state.user_status, { [user_id]: { away: true } });
});
