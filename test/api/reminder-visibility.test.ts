import assert from "node:assert/strict";
import test from "node:test";
import { openToWeb } from "../support/channels.ts";
import { type Chat, type Params, startChat } from "../support/chat.ts";

const TEXT = "A reminder of a message that was deleted, or that you can no longer read.";

const done = async (chat: Chat, name: string, method: "post" | "patch" | "delete", path: string, params: Params) => {
  const answer = await chat.as(name)[method](path, params);
  assert.equal(answer.result, "success", answer.msg);
  return answer;
};

async function remindedOf(chat: Chat, { owner, to, sender = "desdemona" }: Record<string, string>) {
  const params = { type: "channel", to, topic: "lunch", content: "a soup of turtles" };
  const { id } = await done(chat, sender as string, "post", "/messages", params);
  const at = Math.floor(Date.now() / 1000) + 31_536_000;
  const reminder = { message_id: id, scheduled_delivery_timestamp: at };
  await done(chat, owner as string, "post", "/reminders", reminder);
  return id as number;
}

/** Returns a check that the owner gets the reminder as a new registration shows it, with or without the quote. */
async function quoteChecker(chat: Chat, owner: string) {
  const queue = await chat.register(owner, { queue_lifespan_secs: 86_400 });
  return async (what: string, change: () => Promise<unknown>, sees: boolean) => {
    await change();
    const events = (await queue.events()).filter(({ type }) => type === "reminders");
    const [fresh] = (await chat.register(owner)).state.reminders ?? [];
    assert.equal(fresh?.content === TEXT, !sees, what);
    assert.equal(JSON.stringify(events).includes("turtles"), sees, what);
    assert.deepEqual(
      events.map(({ op, reminder_id, reminders }) => [op, reminder_id ?? reminders]),
      [
        ["remove", fresh?.reminder_id],
        ["add", [fresh]],
      ],
      what,
    );
  };
}

test("a reminder's quote requires access", async (t) => {
  const chat = await startChat(t, {
    channels: [
      { name: "general", subscribers: ["desdemona"] },
      { name: "secret", private: true, subscribers: ["desdemona", "iago"] },
    ],
  });
  const { ids } = chat;
  const message = await remindedOf(chat, { owner: "hamlet", to: "general" });
  const check = await quoteChecker(chat, "hamlet");
  const bystander = await chat.register("othello");
  const ofOwner = (params: Params) => done(chat, "desdemona", "patch", `/users/${ids.hamlet}`, params);
  const ofChannel = (params: Params) => done(chat, "desdemona", "patch", `/streams/${ids.general}`, params);
  const move = (stream_id: number | undefined) =>
    done(chat, "desdemona", "patch", `/messages/${message}`, { stream_id, send_notification_to_new_thread: false });
  const subscription = (method: "post" | "delete") =>
    done(chat, "desdemona", method, "/users/me/subscriptions", {
      subscriptions: method === "post" ? [{ name: "general" }] : ["general"],
      principals: [ids.hamlet],
    });
  await check("moved away", () => move(ids.secret), false);
  await check("moved back", () => move(ids.general), true);
  await check("a guest", () => ofOwner({ role: 600 }), false);
  await check("a member", () => ofOwner({ role: 400 }), true);
  await check("a private channel", () => ofChannel({ is_private: true, history_public_to_subscribers: true }), false);
  await check("subscribed", () => subscription("post"), true);
  await check("unsubscribed", () => subscription("delete"), false);
  const { group_id } = await done(chat, "desdemona", "post", "/user_groups/create", {
    name: "readers",
    description: "",
    members: [ids.iago],
  });
  await ofChannel({ can_add_subscribers_group: { new: group_id } });
  const member = (change: Params) => done(chat, "desdemona", "post", `/user_groups/${group_id}/members`, change);
  await check("in a group", () => member({ add: [ids.hamlet] }), true);
  await check("out of it", () => member({ delete: [ids.hamlet] }), false);
  await check("a public channel", () => ofChannel({ is_private: false }), true);
  assert.deepEqual(
    (await bystander.events()).filter(({ type }) => type === "reminders"),
    [],
  );
});

test("a changed waiting period hides and restores reminder quotes", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "secret", private: true, subscribers: ["desdemona"] }] });
  const { reader } = chat.server.app.store;
  const full = reader.value<number>("SELECT id FROM user_groups WHERE name = 'role:fullmembers'");
  const params = { history_public_to_subscribers: true, is_private: true, can_add_subscribers_group: { new: full } };
  await done(chat, "desdemona", "patch", `/streams/${chat.ids.secret}`, params);
  await remindedOf(chat, { owner: "hamlet", to: "secret" });
  const check = await quoteChecker(chat, "hamlet");
  const wait = (days: number) => done(chat, "desdemona", "patch", "/realm", { waiting_period_threshold: days });
  await check("waiting", () => wait(9), false);
  await check("full", () => wait(0), true);
});

test("archiving hides a guest's reminder quote", async (t) => {
  const chat = await startChat(t, {
    channels: [{ name: "general", subscribers: ["desdemona"] }],
    prepare: openToWeb,
  });
  const path = `/streams/${chat.ids.general}`;
  await done(chat, "desdemona", "patch", path, { is_web_public: true });
  await remindedOf(chat, { owner: "polonius", to: "general" });
  const check = await quoteChecker(chat, "polonius");
  await check("archived", () => done(chat, "desdemona", "delete", path, {}), false);
  await check("back", () => done(chat, "desdemona", "patch", path, { is_archived: false }), true);
});

test("becoming a full member over time restores reminder quotes", async (t) => {
  let now = Date.now();
  const chat = await startChat(t, {
    channels: [{ name: "secret", private: true, subscribers: ["desdemona"] }],
    now: () => now,
    unwatched: true,
  });
  const { store } = chat.server.app;
  const act = (sql: string, ...values: number[]) =>
    store.transact({ actor: null, action: "test" }, (tx) => tx.run(sql, ...values));
  const full = store.reader.value<number>("SELECT id FROM user_groups WHERE name = 'role:fullmembers'");
  const params = { history_public_to_subscribers: true, is_private: true, can_add_subscribers_group: { new: full } };
  await done(chat, "desdemona", "patch", `/streams/${chat.ids.secret}`, params);
  await remindedOf(chat, { owner: "hamlet", to: "secret" });
  await done(chat, "desdemona", "patch", "/realm", { waiting_period_threshold: 3 });
  chat.server.runChores();
  // The third day ended just before now, and after the last announcement of full members.
  act("UPDATE full_members_told SET until = ?", now - 60_000);
  act("UPDATE users SET joined_at = ? WHERE id = ?", now - 3 * 86_400_000 - 30_000, chat.ids.hamlet as number);
  await store.durable();
  const check = await quoteChecker(chat, "hamlet");
  const hour = async () => {
    now += 3_700_000;
    chat.server.runChores();
    await store.durable();
  };
  await check("full", hour, true);
});
