import assert from "node:assert/strict";
import test from "node:test";
import { startChat } from "../support/chat.ts";

const PATH = "/users/me/subscriptions/properties";
const channels = [
  { name: "general", subscribers: ["hamlet", "othello"] },
  { name: "design", private: true, subscribers: ["othello"] },
];
const BOOLEANS = [
  "pin_to_top",
  "desktop_notifications",
  "audible_notifications",
  "push_notifications",
  "email_notifications",
  "wildcard_mentions_notify",
] as const;

test("every subscription property can be set, privately", async (t) => {
  const chat = await startChat(t, { channels });
  const stream_id = chat.ids.general as number;
  const [hamlet, page, othello] = [
    await chat.register("hamlet"),
    await chat.register("hamlet", { event_types: ["subscription"] }),
    await chat.register("othello"),
  ];
  const mine = async () =>
    (await chat.register("hamlet")).state.subscriptions?.[0] as unknown as Record<string, unknown>;
  const before = await mine();
  assert.deepEqual(
    BOOLEANS.map((name) => before[name]),
    [false, null, null, null, null, null],
  );
  const set = async (property: string, value: unknown) => {
    const answer = await chat.as("hamlet").post(PATH, { subscription_data: [{ stream_id, property, value }] });
    assert.deepEqual(Object.keys(answer).sort(), ["msg", "result", "status"], answer.msg);
    return (await hamlet.events()).map(({ type, op, property, value, stream_id }) => [
      type,
      op,
      stream_id,
      property,
      value,
    ]);
  };
  const update = (property: string, value: unknown) => ["subscription", "update", stream_id, property, value];
  for (const value of [true, false]) {
    for (const name of BOOLEANS) {
      assert.deepEqual(await set(name, value), [update(name, value)]);
      assert.equal((await mine())[name], value);
    }
  }
  for (const color of ["#ABCDEF", "#abc"]) {
    assert.deepEqual(await set("color", color), [update("color", color)]);
    assert.equal((await mine())["color"], color);
  }
  for (const [property, value, muted] of [
    ["is_muted", true, true],
    ["in_home_view", true, false],
    ["in_home_view", false, true],
    ["is_muted", false, false],
  ] as const) {
    assert.deepEqual(await set(property, value), [update("in_home_view", !muted), update("is_muted", muted)]);
    const { is_muted, in_home_view } = await mine();
    assert.deepEqual([is_muted, in_home_view], [muted, !muted]);
  }
  // The older endpoint takes values as JSON or bare.
  const patch = (property: string, value: unknown) =>
    chat.as("hamlet").patch(`/users/me/subscriptions/${stream_id}`, { property, value });
  for (const [property, value] of [
    ["color", "#123456"],
    ["color", '"#654321"'],
    ["pin_to_top", true],
    ["is_muted", "true"],
  ] as const) {
    assert.equal((await patch(property, value)).result, "success");
  }
  const after = await mine();
  assert.deepEqual([after["color"], after["pin_to_top"], after["is_muted"]], ["#654321", true, true]);
  assert.equal((await page.events()).length, 12 + 2 + 8 + 3 + 2);
  assert.deepEqual(await othello.events(), []);
});

test("muting a channel excludes its messages from unread counts", async (t) => {
  const chat = await startChat(t, { channels });
  await chat.as("othello").post("/messages", { type: "channel", to: "general", topic: "t", content: "x" });
  const count = async () => (await chat.register("hamlet")).state.unread_msgs?.count;
  assert.equal(await count(), 1);
  const mute = { stream_id: chat.ids.general, property: "is_muted", value: true };
  await chat.as("hamlet").post(PATH, { subscription_data: [mute] });
  assert.equal(await count(), 0);
});

test("several properties change together or not at all", async (t) => {
  const chat = await startChat(t, { channels });
  const { general, design } = chat.ids as { general: number; design: number };
  const hamlet = await chat.register("hamlet");
  const good = { stream_id: general, property: "pin_to_top", value: true };
  const refused = async (bad: object, named: RegExp, who = "hamlet") => {
    const answer = await chat.as(who).post(PATH, { subscription_data: [good, bad] });
    assert.deepEqual([answer.status, answer.code], [400, "BAD_REQUEST"], JSON.stringify(bad));
    assert.match(answer.msg, named);
    return answer.msg;
  };
  for (const value of ["red", "#12345", "123456", "#12g", true, "", "#1234567"])
    await refused({ stream_id: general, property: "color", value }, /value/);
  for (const property of [...BOOLEANS, "is_muted", "in_home_view"])
    for (const value of ["true", 1, null, "#123456"]) await refused({ stream_id: general, property, value }, /value/);
  for (const property of ["subscribed", "", "constructor"])
    await refused({ stream_id: general, property, value: true }, /property/);
  await refused({ stream_id: general, value: true }, /property/);
  await refused({ property: "is_muted", value: true }, /stream_id/);
  await refused({ stream_id: String(general), property: "is_muted", value: true }, /stream_id/);
  await refused({ stream_id: general, property: "is_muted" }, /value/);
  // Unsubscribed, hidden and missing channels get the same response.
  const words = [];
  for (const id of [design, 999_999])
    words.push(
      (await refused({ stream_id: id, property: "is_muted", value: true }, /channel/)).replace(String(id), ""),
    );
  words.push(
    (await refused({ stream_id: general, property: "is_muted", value: true }, /channel/, "cordelia")).replace(
      String(general),
      "",
    ),
  );
  assert.equal(new Set(words).size, 1);
  const patched = await chat
    .as("cordelia")
    .patch(`/users/me/subscriptions/${general}`, { property: "is_muted", value: true });
  assert.deepEqual([patched.status, patched.code], [400, "BAD_REQUEST"]);
  for (const params of [
    { property: "is_muted", value: "#123456" },
    { property: "color", value: "red" },
    { property: "name", value: "x" },
    { property: "is_muted", value: "null" },
  ]) {
    const answer = await chat.as("hamlet").patch(`/users/me/subscriptions/${general}`, params);
    assert.deepEqual([answer.status, answer.code], [400, "BAD_REQUEST"], JSON.stringify(params));
  }
  assert.equal(
    (await chat.as("hamlet").patch(`/users/me/subscriptions/${general}`, { value: true })).code,
    "REQUEST_VARIABLE_MISSING",
  );
  assert.equal((await chat.as("hamlet").post(PATH)).code, "REQUEST_VARIABLE_MISSING");
  assert.equal((await chat.as("hamlet").post(PATH, { subscription_data: good })).status, 400);
  assert.deepEqual(await hamlet.events(), []);
  const two = [good, { stream_id: general, property: "color", value: "#111111" }];
  assert.equal((await chat.as("hamlet").post(PATH, { subscription_data: two })).result, "success");
  assert.equal((await hamlet.events()).length, 2);
});

test("settings return with the subscription, even to archived channels", async (t) => {
  const chat = await startChat(t, { channels });
  const { general } = chat.ids as { general: number };
  const subscription_data = [
    { stream_id: general, property: "color", value: "#101010" },
    { stream_id: general, property: "is_muted", value: true },
    { stream_id: general, property: "push_notifications", value: true },
  ];
  await chat.as("hamlet").post(PATH, { subscription_data });
  await chat.as("hamlet").delete("/users/me/subscriptions", { subscriptions: ["general"] });
  const hamlet = await chat.register("hamlet");
  const shown = (one: unknown) => {
    const { color, is_muted, push_notifications } = one as Record<string, unknown>;
    return [color, is_muted, push_notifications];
  };
  assert.deepEqual(shown(hamlet.state.unsubscribed?.[0]), ["#101010", true, true]);
  const change = [{ stream_id: general, property: "color", value: "#202020" }];
  assert.equal((await chat.as("hamlet").post(PATH, { subscription_data: change })).status, 400);
  await chat.as("hamlet").post("/users/me/subscriptions", { subscriptions: [{ name: "general", color: "#303030" }] });
  const [add] = await hamlet.events();
  assert.deepEqual([add?.op, shown(add?.subscriptions[0])], ["add", ["#101010", true, true]]);
  await chat.as("desdemona").delete(`/streams/${general}`);
  assert.equal((await chat.as("hamlet").post(PATH, { subscription_data: change })).result, "success");
  const knowing = { client_capabilities: { archived_channels: true, notification_settings_null: true } };
  assert.deepEqual(shown((await chat.register("hamlet", knowing)).state.subscriptions?.[0]), ["#202020", true, true]);
});
