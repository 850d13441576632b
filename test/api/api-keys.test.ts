import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { passwordHashing } from "../../server/host/credentials/passwords.ts";
import { type Chat, startChat } from "../support/chat.ts";

const PASSWORD = "put money in thy purse";
const hash = (password: string) => passwordHashing({ cost: 1024 }).hash(password);

const basic = (email: string, key: string) => ({
  authorization: `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`,
});
const codeOf = async (chat: Chat, email: string, key: string) =>
  (await chat.anonymous("GET", "/users/me", {}, basic(email, key)))["code"];

const withPasswords = async (t: TestContext, names: string[]) => {
  const users = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, { password_hash: await hash(PASSWORD) }])),
  );
  return startChat(t, { users, unwatched: true });
};

/** A session on the server's own pages: the cookie that a browser sends. */
async function session(chat: Chat, username: string, password: string): Promise<string> {
  const response = await fetch(`${chat.url}/host/session`, {
    method: "POST",
    body: new URLSearchParams({ username, password }),
  });
  return (response.headers.get("set-cookie") ?? "").split(";")[0] as string;
}
const asSession = async (
  chat: Chat,
  cookie: string,
  method = "GET",
  path = "/users/me",
  body?: Record<string, string>,
) => {
  const response = await fetch(`${chat.url}/api/v1${path}`, {
    method,
    headers: { cookie, ...(method !== "GET" && { origin: chat.url }) },
    ...(body && { body: new URLSearchParams(body) }),
  });
  return {
    ...((await response.json()) as any),
    status: response.status,
    cookie: response.headers.get("set-cookie")?.split(";")[0],
  };
};

test("a new key revokes old key and sessions", async (t) => {
  const chat = await withPasswords(t, ["emilia"]);
  const emilia = chat.as("emilia");
  const [one, other] = [await session(chat, emilia.email, PASSWORD), await session(chat, emilia.email, PASSWORD)];
  assert.equal((await asSession(chat, one)).status, 200);
  const queue = await chat.register("emilia");
  const held = emilia.get("/events", { queue_id: queue.queueId, last_event_id: queue.state["last_event_id"] });
  while (chat.server.app.queues.waiting < 1) await new Promise((resolve) => setImmediate(resolve));
  const { api_key, status } = (await emilia.post("/users/me/api_key/regenerate")) as any;
  assert.equal(status, 200);
  assert.match(api_key, /^[0-9A-Za-z]{32}$/);
  assert.notEqual(api_key, emilia.key);
  const ended = await held;
  assert.deepEqual([ended.status, ended["code"]], [401, "INVALID_API_KEY"]);
  assert.equal(await codeOf(chat, emilia.email, emilia.key), "INVALID_API_KEY");
  assert.equal(await codeOf(chat, emilia.email, api_key), undefined);
  for (const cookie of [one, other]) assert.equal((await asSession(chat, cookie)).status, 401);
  const goesOn = await chat.anonymous(
    "GET",
    "/events",
    { queue_id: queue.queueId, last_event_id: queue.state["last_event_id"], dont_block: true },
    basic(emilia.email, api_key),
  );
  assert.equal(goesOn.result, "success", "the queue survives for the new key");
  const again = await chat.anonymous("POST", "/fetch_api_key", { username: emilia.email, password: PASSWORD });
  assert.equal(again["api_key"], api_key);
  // A page that renews the key gets a new session.
  const page = await session(chat, emilia.email, PASSWORD);
  const renewed = await asSession(chat, page, "POST", "/users/me/api_key/regenerate");
  assert.equal(renewed.result, "success", renewed.msg);
  assert.equal((await asSession(chat, page)).status, 401);
  assert.equal((await asSession(chat, renewed.cookie)).status, 200);
  // Bots renew their own keys; anonymous callers have none.
  const bot = chat.as("bot");
  assert.notEqual((await bot.post("/users/me/api_key/regenerate"))["api_key"], bot.key);
  assert.equal((await chat.anonymous("POST", "/users/me/api_key/regenerate")).status, 401);
});

test("an administrator revokes keys of everyone below owners", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const revoke = (by: string, who: string) => chat.as(by).post("/host/key-revocations", { user_id: chat.ids[who] });
  for (const by of ["hamlet", "polonius", "bot"]) assert.equal((await revoke(by, "othello")).result, "error", by);
  assert.equal((await revoke("iago", "desdemona"))["code"], "UNAUTHORIZED_PRINCIPAL");
  assert.equal((await chat.as("othello").get("/users/me")).result, "success");
  assert.equal((await revoke("iago", "othello")).result, "success");
  assert.equal((await chat.as("othello").get("/users/me"))["code"], "INVALID_API_KEY");
  assert.equal((await revoke("iago", "bot")).result, "success");
  assert.equal((await chat.as("bot").get("/users/me"))["code"], "INVALID_API_KEY");
  assert.equal((await chat.as("iago").post("/host/key-revocations", { user_id: 99999 })).msg, "No such user");
  const [entry] = (await chat.as("desdemona").get("/host/audit"))["entries"];
  assert.deepEqual([entry.action, entry.actor.full_name, entry.target_name], ["revoke API key", "Iago", "Bot"]);
});

test("changing a password requires the old one", async (t) => {
  const chat = await withPasswords(t, ["emilia"]);
  const emilia = chat.as("emilia");
  const set = (params: Record<string, unknown>) => emilia.patch("/settings", params);
  const wrong: [Record<string, string>, string, string][] = [
    [{ new_password: "the handkerchief" }, "REQUEST_VARIABLE_MISSING", "parameter_missing"],
    [{ new_password: "the handkerchief", old_password: "guess" }, "BAD_REQUEST", "old_password_incorrect"],
    [{ new_password: "short", old_password: PASSWORD }, "BAD_REQUEST", "password_too_short"],
    [{ new_password: "x".repeat(101), old_password: PASSWORD }, "BAD_REQUEST", "password_too_long"],
    [{ new_password: "Password1", old_password: PASSWORD }, "BAD_REQUEST", "password_too_common"],
    [{ new_password: "Emilia2026", old_password: PASSWORD }, "BAD_REQUEST", "password_matches_name"],
    [{ new_password: "emilia@example.com!", old_password: PASSWORD }, "BAD_REQUEST", "password_matches_name"],
  ];
  for (const [params, code, reason] of wrong) {
    const answer = await set({ ...params, full_name: "Changed" });
    assert.deepEqual([answer.status, answer["code"]], [400, code], JSON.stringify(params));
    assert.equal(answer.reason, reason);
  }
  assert.equal(chat.user("emilia").full_name, "Emilia");
  assert.equal((await emilia.get("/users/me")).result, "success", "the key is still valid");
  const page = await session(chat, emilia.email, PASSWORD);
  const answer = await set({ old_password: PASSWORD, new_password: "the handkerchief", full_name: "Emilia R" });
  assert.equal(answer.result, "success", answer.msg);
  assert.equal(await codeOf(chat, emilia.email, emilia.key), "INVALID_API_KEY");
  assert.equal(await codeOf(chat, emilia.email, answer["api_key"]), undefined);
  assert.equal((await asSession(chat, page)).status, 401);
  assert.equal(chat.user("emilia").full_name, "Emilia R");
  const signIn = async (password: string) =>
    (await chat.anonymous("POST", "/fetch_api_key", { username: emilia.email, password }))["code"];
  assert.equal(await signIn(PASSWORD), "AUTHENTICATION_FAILED");
  assert.equal(await signIn("the handkerchief"), undefined);
  const fresh = await session(chat, emilia.email, "the handkerchief");
  const byPage = await asSession(chat, fresh, "PATCH", "/settings", {
    old_password: "the handkerchief",
    new_password: "willow, willow",
  });
  assert.equal(byPage.result, "success", byPage.msg);
  assert.equal((await asSession(chat, fresh)).status, 401);
  assert.equal((await asSession(chat, byPage.cookie)).status, 200);
  const audit = (await chat.as("desdemona").get("/host/audit"))["entries"];
  assert.equal(audit.filter(({ action }: any) => action === "change password").length, 2);
  assert.doesNotMatch(JSON.stringify(audit), /handkerchief|scrypt/);
});

test("guessing the old password is throttled like signing in", async (t) => {
  const users = { emilia: { password_hash: await hash(PASSWORD) } };
  const chat = await startChat(t, { users, unwatched: true, rateLimit: "on" });
  const guess = () => chat.as("emilia").patch("/settings", { old_password: "guess", new_password: "the handkerchief" });
  for (let at = 0; at < 5; at++) assert.equal((await guess())["code"], "BAD_REQUEST");
  assert.equal((await guess())["code"], "RATE_LIMIT_HIT");
  const door = await chat.anonymous("POST", "/fetch_api_key", { username: "emilia@example.com", password: PASSWORD });
  assert.equal(door["code"], "RATE_LIMIT_HIT");
});

test("a failed sign-in reveals no account", async (t) => {
  const chat = await withPasswords(t, ["emilia", "brabantio"]);
  await chat.as("iago").delete(`/users/${chat.ids["brabantio"]}`);
  let verified = 0;
  const { passwords } = chat.server.app;
  const { verify } = passwords;
  passwords.verify = (...args) => {
    verified += 1;
    return verify(...args);
  };
  const names = [
    "emilia@example.com",
    "nobody@example.com",
    "brabantio@example.com",
    "bot@example.com",
    "notification-bot@hearth.invalid",
    "not an address",
  ];
  for (const path of ["/fetch_api_key", "/host/session"]) {
    const answers = new Set<string>();
    for (const [at, username] of names.entries()) {
      answers.add(JSON.stringify(await chat.anonymous("POST", path, { username, password: "guess" })));
      assert.equal(verified, at + 1, `${path} for ${username} costs one verification`);
    }
    assert.equal(answers.size, 1, path);
    verified = 0;
  }
  const right = await chat.anonymous("POST", "/fetch_api_key", {
    username: "brabantio@example.com",
    password: PASSWORD,
  });
  assert.equal(right["code"], "USER_DEACTIVATED", "only the right password reveals it");
});

test("rights lost during password hashing are no longer honored", async (t) => {
  const chat = await withPasswords(t, ["emilia"]);
  const { passwords, store } = chat.server.app;
  const { hash: really } = passwords;
  const meanwhile = (sql: string, name: string) => {
    passwords.hash = async (password) => {
      store.transact({ actor: null, action: "test" }, (tx) => tx.run(sql, chat.ids[name] as number));
      return really(password);
    };
  };
  const added = () =>
    chat.as("iago").post("/users", { email: "new@example.com", full_name: "New", password: "a motley fool" });
  meanwhile("UPDATE users SET role = 400 WHERE id = ?", "iago");
  assert.equal((await added())["code"], "UNAUTHORIZED_PRINCIPAL");
  store.transact({ actor: null, action: "test" }, (tx) =>
    tx.run("UPDATE users SET role = 200 WHERE id = ?", chat.ids["iago"] as number),
  );
  meanwhile("UPDATE users SET is_active = 0 WHERE id = ?", "iago");
  assert.equal((await added())["code"], "USER_DEACTIVATED");
  assert.equal(store.reader.value("SELECT COUNT(*) FROM users WHERE email = 'new@example.com'"), 0);
  const change = () =>
    chat.as("emilia").patch("/settings", { old_password: PASSWORD, new_password: "the handkerchief" });
  meanwhile("UPDATE users SET key_generation = key_generation + 1 WHERE id = ?", "emilia");
  assert.equal((await change())["code"], "INVALID_API_KEY");
  passwords.hash = really;
  const before = await chat.anonymous("POST", "/fetch_api_key", { username: "emilia@example.com", password: PASSWORD });
  assert.equal(before.result, "success", "the old password is still valid");
});
