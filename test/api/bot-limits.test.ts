import assert from "node:assert/strict";
import test from "node:test";
import { accountsTogether, allUsers, answerableFor, type User } from "../../server/api/queries/users.ts";
import { type Chat, type Params, startChat } from "../support/chat.ts";

async function makeBot(chat: Chat, name: string) {
  const { api_key: key } = await chat.as("hamlet").post("/bots", { full_name: name, short_name: name, bot_type: 1 });
  const { username } = (await chat.as("hamlet").get("/bots"))["bots"].find((bot: Params) => bot["full_name"] === name);
  const headers = { authorization: `Basic ${btoa(`${username}:${key}`)}` };
  return (method: string, path: string, params: Params = {}) => chat.anonymous(method, path, params, headers);
}

const frozen = () => {
  const now = Date.now();
  return { rateLimit: "on", now: () => now, unwatched: true } as const;
};

test("data stored by bots counts for their owner", async (t) => {
  const chat = await startChat(t, frozen());
  const [first, second] = [await makeBot(chat, "Weather"), await makeBot(chat, "Tides")];
  await chat.as("desdemona").patch("/host/settings", { RATE_LIMITS: { stored_bytes_by_user: [[3600, 1000]] } });
  const storage = { storage: { text: "x".repeat(600) } };
  assert.equal((await first("PUT", "/bot_storage", storage)).status, 200);
  assert.equal((await second("PUT", "/bot_storage", storage))["code"], "RATE_LIMIT_HIT");
  assert.deepEqual((await chat.as("cordelia").get("/bot_storage"))["storage"], {});
});

test("messages sent by bots count for their owner", async (t) => {
  const chat = await startChat(t, frozen());
  const [first, second] = [await makeBot(chat, "Weather"), await makeBot(chat, "Tides")];
  await chat.as("desdemona").patch("/host/settings", { RATE_LIMITS: { stored_bytes_by_user: [[3600, 3000]] } });
  const message = { type: "direct", to: [chat.ids["hamlet"]], content: "x".repeat(1000) };
  assert.equal((await first("POST", "/messages", message)).status, 200);
  assert.equal((await second("POST", "/messages", message))["code"], "RATE_LIMIT_HIT");
  assert.equal((await chat.as("hamlet").post("/messages", message))["code"], "RATE_LIMIT_HIT");
  assert.equal((await chat.as("cordelia").post("/messages", message)).status, 200, "who has no part in it");
});

test("a bot without an owner counts for itself", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  await makeBot(chat, "Weather");
  const { reader } = chat.server.app.store;
  const bot = allUsers(reader).find(({ full_name }) => full_name === "Weather") as User;
  assert.equal(answerableFor(reader, bot.id), chat.ids["hamlet"]);
  chat.server.app.store.transact({ actor: null, action: "test" }, (tx) =>
    tx.run("UPDATE users SET is_active = 0 WHERE id = ?", chat.ids["hamlet"] as number),
  );
  assert.equal(answerableFor(reader, bot.id), bot.id);
  assert.deepEqual(accountsTogether(reader, bot.id), [bot.id]);
});

test("a user and their bots share a rate limit", async (t) => {
  const chat = await startChat(t, frozen());
  const bots = [];
  for (let at = 0; at < 7; at++) bots.push(await makeBot(chat, `Tides${at}`));
  await chat.as("desdemona").patch("/host/settings", { RATE_LIMITS: { api_by_user: [[60, 20]] } });
  let passed = 0;
  for (const bot of bots)
    for (let at = 0; at < 25; at++) if ((await bot("GET", "/users/me")).status === 200) passed += 1;
  assert.ok(passed <= 100 && passed > 80, `${passed} of 5 times 20`);
  assert.equal((await chat.as("hamlet").get("/users/me"))["code"], "RATE_LIMIT_HIT");
  assert.equal((await chat.as("cordelia").get("/users/me")).status, 200);
});

test("a busy bot does not use up its owner's limit", async (t) => {
  const chat = await startChat(t, frozen());
  const bot = await makeBot(chat, "Tides");
  await chat.as("desdemona").patch("/host/settings", { RATE_LIMITS: { api_by_user: [[60, 20]] } });
  for (let at = 0; at < 20; at++) assert.equal((await bot("GET", "/users/me")).status, 200);
  for (let at = 0; at < 200; at++) assert.equal((await bot("GET", "/users/me"))["code"], "RATE_LIMIT_HIT");
  assert.equal((await chat.as("hamlet").get("/users/me")).status, 200);
});

test("bots do not multiply their owner's storage limit", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const bot = await makeBot(chat, "Tides");
  const drafts = Array.from({ length: 100 }, () => ({ type: "", to: [], topic: "", content: "x" }));
  for (let at = 0; at < 10; at++) assert.equal((await chat.as("hamlet").post("/drafts", { drafts })).status, 200);
  const refused = await bot("POST", "/drafts", { drafts: drafts.slice(0, 1) });
  assert.equal(refused.status, 400);
  assert.match(refused.msg, /1000/);
  assert.equal((await chat.as("cordelia").post("/drafts", { drafts })).status, 200);
});
