import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { notificationFor } from "../../server/api/presenters/notifications.ts";
import { notificationsAfter } from "../../server/api/queries/notifications.ts";
import { type Caller, type Chat, startChat } from "../support/chat.ts";

const MINUTE = 60_000;

interface Device {
  chat: Chat;
  ada: Caller;
  clock: { now: number };
  /** Entries that the device gets now, as `kind: title: text`. */
  news(): string[];
}

/** Hamlet has a phone that gets notifications. Othello writes. */
async function startWithDevice(t: TestContext): Promise<Device> {
  const clock = { now: Date.UTC(2026, 10, 28, 12) };
  const chat = await startChat(t, {
    unwatched: true,
    now: () => clock.now,
    channels: [
      { name: "rowing", subscribers: ["hamlet", "othello"] },
      { name: "crew", private: true, subscribers: ["hamlet", "othello"] },
    ],
    prepare: (tx, ids) => {
      tx.run(
        "INSERT INTO ntfy_topics (user_id, generation, is_on, created_at) VALUES (?, 1, 1, 0)",
        ids["hamlet"] ?? 0,
      );
    },
  });
  let after = 0;
  const news = () => {
    const { reader } = chat.server.app.store;
    const rows = notificationsAfter(reader, { userId: chat.ids["hamlet"] ?? 0, device: "ntfy", after, limit: 100 });
    after = rows.at(-1)?.id ?? after;
    return rows.map((row) => {
      const shown = row.kind === "clear" ? undefined : notificationFor(reader, chat.user("hamlet"), row);
      return shown ? `${row.kind}: ${shown.title}: ${shown.body}` : `${row.kind}: -`;
    });
  };
  return { chat, ada: chat.as("hamlet"), clock, news };
}

const direct = async ({ chat }: Device, content: string): Promise<number> =>
  (await chat.as("othello").post("/messages", { type: "direct", to: [chat.ids["hamlet"]], content }))["id"];
const inChannel = async ({ chat }: Device, content: string, to = "rowing", topic = "boats"): Promise<number> =>
  (await chat.as("othello").post("/messages", { type: "stream", to, topic, content }))["id"];

test("direct messages and mentions reach a device, other messages do not", async (t) => {
  const device = await startWithDevice(t);
  await direct(device, "**Lunch** at ~~one~~ two?");
  await inChannel(device, "nothing for anybody");
  await inChannel(device, "@**hamlet** the boat leaks");
  await device.chat
    .as("hamlet")
    .post("/messages", { type: "direct", to: [device.chat.ids["othello"]], content: "own" });
  assert.deepEqual(device.news(), [
    "message: Othello: Lunch at one two?",
    "message: Othello (rowing › boats): @Hamlet the boat leaks",
  ]);
});

test("followed topics and channels with push notifications reach a device", async (t) => {
  const device = await startWithDevice(t);
  const { ada } = device;
  const { streams } = await ada.get("/streams");
  const id = streams.find(({ name }: { name: string }) => name === "rowing").stream_id;
  await inChannel(device, "before");
  await ada.post("/user_topics", { stream_id: id, topic: "boats", visibility_policy: 3 });
  await inChannel(device, "followed");
  await ada.post("/user_topics", { stream_id: id, topic: "boats", visibility_policy: 0 });
  const subscription_data = [{ stream_id: id, property: "push_notifications", value: true }];
  await ada.post("/users/me/subscriptions/properties", { subscription_data });
  await inChannel(device, "by channel");
  // The text depends on the setting at the time when the device asks.
  await ada.patch("/settings", { message_content_in_push_notifications: false });
  await inChannel(device, "by channel, too");
  assert.deepEqual(device.news(), Array(3).fill("message: Othello (rowing › boats): New message"));
});

test("reading or deleting a message clears its notification once", async (t) => {
  const device = await startWithDevice(t);
  const first = await direct(device, "read me");
  const second = await direct(device, "delete me");
  assert.equal(device.news().length, 2);
  await device.ada.post("/messages/flags", { messages: [first], op: "add", flag: "read" });
  await device.chat.as("desdemona").delete(`/messages/${second}`);
  await device.chat.as("othello").delete(`/messages/${second}`);
  assert.deepEqual(device.news(), ["clear: -", "clear: -"]);
});

test("after a crash between a read and its clear, the next start clears", async (t) => {
  const device = await startWithDevice(t);
  const { chat, ada } = device;
  const read = await direct(device, "read me");
  const deleted = await direct(device, "delete me");
  await direct(device, "unread");
  await ada.post("/messages/flags", { messages: [read], op: "add", flag: "read" });
  await chat.as("othello").delete(`/messages/${deleted}`);
  device.news();
  const { store } = chat.server.app;
  store.transact({ actor: null, action: "test" }, (tx) => tx.run("DELETE FROM notifications WHERE kind = 'clear'"));
  await chat.restart();
  await chat.runChores();
  assert.deepEqual(device.news(), ["clear: -", "clear: -"]);
  await chat.restart();
  await chat.runChores();
  assert.deepEqual(device.news(), []);
});

test("a device gets no text that its person may not read any more", async (t) => {
  const device = await startWithDevice(t);
  await inChannel(device, "@**hamlet** secret", "crew");
  await device.ada.delete("/users/me/subscriptions", { subscriptions: ["crew"] });
  assert.deepEqual(device.news(), ["message: -", "clear: -"]);
});

test("quiet hours hold notifications back, and read messages never arrive", async (t) => {
  const device = await startWithDevice(t);
  const quiet_until = device.clock.now / 1000 + 3600;
  await device.ada.patch("/settings", { quiet_until });
  const read = await direct(device, "read in time");
  await direct(device, "unread");
  await device.ada.post("/messages/flags", { messages: [read], op: "add", flag: "read" });
  await device.chat.runChores();
  assert.deepEqual(device.news(), []);
  device.clock.now += 61 * MINUTE;
  await device.chat.restart();
  await device.chat.runChores();
  assert.deepEqual(device.news(), ["message: Othello: unread"]);
});

test("phones of active people ring after they are away, with that setting", async (t) => {
  const device = await startWithDevice(t);
  await device.ada.patch("/settings", { enable_online_push_notifications: false, push_away_minutes: 5 });
  await device.ada.post("/users/me/presence", { status: "active" });
  await direct(device, "later");
  device.clock.now += 3 * MINUTE;
  await device.ada.post("/users/me/presence", { status: "active" });
  device.clock.now += 4 * MINUTE;
  await device.chat.runChores();
  assert.deepEqual(device.news(), []);
  device.clock.now += 2 * MINUTE;
  await device.chat.runChores();
  assert.deepEqual(device.news(), ["message: Othello: later"]);
});

test("invalid quiet hours are refused by name", async (t) => {
  const { ada } = await startWithDevice(t);
  for (const [name, value] of [
    ["quiet_hours_start", 1440],
    ["quiet_hours_end", -1],
    ["quiet_days", 128],
    ["push_away_minutes", 0],
  ] as const) {
    const refused = await ada.patch("/settings", { [name]: value });
    assert.deepEqual([refused.status, refused.msg.includes(name)], [400, true], name);
  }
});
