import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { passwordHashing } from "../../server/host/credentials/passwords.ts";
import { type Body, type Chat, type ChatOptions, startChat } from "../support/chat.ts";

const hash = passwordHashing({ cost: 1024 }).hash("forgotten since");

const start = async (t: TestContext, options: ChatOptions = {}) =>
  startChat(t, {
    users: { emilia: { password_hash: await hash }, brabantio: { role: 100 } },
    unwatched: true,
    ...options,
  });

const linkFor = (chat: Chat, by: string, who: string): Promise<Body> =>
  chat.as(by).post("/host/sign-in-links", { user_id: chat.ids[who] });
const tokenOf = (answer: Body): string => answer["link"].split("#")[1];
const open = (chat: Chat, token: string) => chat.anonymous("POST", "/host/sign-in-links/open", { token });
const reset = (chat: Chat, token: string, new_password = "the handkerchief") =>
  chat.anonymous("POST", "/host/password-resets", { token, new_password });
const signIn = async (chat: Chat, name: string, password: string) =>
  (await chat.anonymous("POST", "/fetch_api_key", { username: `${name}@example.com`, password }))["code"];

test("a password reset link sets a new password once", async (t) => {
  const chat = await start(t);
  const made = await linkFor(chat, "iago", "emilia");
  assert.equal(made.result, "success", made.msg);
  assert.equal(made["expires_in_seconds"], 3600);
  assert.match(made["link"], /^http:\/\/127\.0\.0\.1:\d+\/reset\/#[\w-]{43}$/);
  const token = tokenOf(made);
  const dump = JSON.stringify(chat.server.app.store.reader.all("SELECT * FROM sign_in_links"));
  assert.ok(!dump.includes(token), "only a digest of the token is stored");
  const { full_name, email, organization } = (await open(chat, token)) as any;
  assert.deepEqual([full_name, email, organization], ["Emilia", "emilia@example.com", "Venice"]);
  const weak: [string, string][] = [
    ["short", "password_too_short"],
    ["iloveyou", "password_too_common"],
    ["emilia-emilia", "password_matches_name"],
  ];
  for (const [password, reason] of weak) {
    const refused = await reset(chat, token, password);
    assert.deepEqual([refused.status, refused["var_name"]], [400, "new_password"]);
    assert.equal(refused.reason, reason);
  }
  const key = chat.as("emilia").key;
  assert.equal((await reset(chat, token)).result, "success");
  assert.equal(await signIn(chat, "emilia", "the handkerchief"), undefined);
  assert.equal(await signIn(chat, "emilia", "forgotten since"), "AUTHENTICATION_FAILED");
  assert.equal((await chat.as("emilia").get("/users/me"))["code"], "INVALID_API_KEY", `${key} is void`);
  for (const again of [await reset(chat, token, "another one then"), await open(chat, token)])
    assert.deepEqual([again.status, again["code"], again["var_name"]], [400, "BAD_REQUEST", "token"]);
  assert.equal(await signIn(chat, "emilia", "the handkerchief"), undefined);
  const audit = (await chat.as("desdemona").get("/host/audit"))["entries"];
  assert.deepEqual(
    audit.slice(0, 2).map(({ action, actor, target_name }: any) => [action, actor.full_name, target_name]),
    [
      ["change password", "Emilia", "Emilia"],
      ["make sign-in link", "Iago", "Emilia"],
    ],
  );
  assert.ok(!JSON.stringify(audit).includes(token));
});

test("a link does not show email addresses hidden from its creator", async (t) => {
  const chat = await start(t);
  const shown = async (by: string) => (await open(chat, tokenOf(await linkFor(chat, by, "emilia"))))["email"];
  for (const [visibility, by, email] of [
    [4, "iago", null],
    [4, "desdemona", null],
    [3, "iago", "emilia@example.com"],
  ] as const) {
    const changed = await chat.as("emilia").patch("/settings", { email_address_visibility: visibility });
    assert.equal(changed.result, "success", changed.msg);
    const { delivery_email } = (await chat.as(by).get(`/users/${chat.ids["emilia"]}`))["user"];
    assert.deepEqual([delivery_email, await shown(by)], [email, email], `${by}, ${visibility}`);
  }
});

test("administrators create password reset links, but only owners create them for owners", async (t) => {
  const chat = await start(t);
  for (const by of ["hamlet", "polonius", "bot"]) assert.equal((await linkFor(chat, by, "emilia")).result, "error", by);
  assert.equal((await linkFor(chat, "iago", "brabantio"))["code"], "UNAUTHORIZED_PRINCIPAL");
  assert.equal((await linkFor(chat, "desdemona", "brabantio")).result, "success");
  assert.match((await linkFor(chat, "iago", "bot")).msg, /no password/);
  await chat.as("iago").delete(`/users/${chat.ids["othello"]}`);
  assert.match((await linkFor(chat, "iago", "othello")).msg, /deactivated/);
  for (const id of [99999, 0]) {
    const { msg } = await chat.as("iago").post("/host/sign-in-links", { user_id: id });
    assert.equal(msg, "No such user");
  }
  assert.equal((await chat.anonymous("POST", "/host/sign-in-links", { user_id: chat.ids["emilia"] })).status, 401);
});

test("the desktop app creates a link for the owner", async (t) => {
  const chat = await start(t, { operatorToken: "operator's own" });
  const answer = await chat.anonymous(
    "POST",
    "/host/sign-in-links",
    { user_id: chat.ids["desdemona"] },
    { authorization: "Bearer operator's own" },
  );
  assert.equal((await reset(chat, tokenOf(answer))).result, "success");
  assert.equal(await signIn(chat, "desdemona", "the handkerchief"), undefined);
});

test("links expire after a time limit, a replacement or a loss of rights", async (t) => {
  let now = Date.now();
  const chat = await start(t, { now: () => now });
  const first = tokenOf(await linkFor(chat, "iago", "emilia"));
  const second = tokenOf(await linkFor(chat, "iago", "emilia"));
  const never = await open(chat, "x".repeat(43));
  const isVoid = async (token: string, why: string) => {
    assert.deepEqual(await open(chat, token), never, why);
    assert.deepEqual(await reset(chat, token), never, why);
  };
  await isVoid(first, "there is a newer one");
  now += 3_599_000;
  assert.equal((await open(chat, second)).result, "success");
  now += 1000;
  await isVoid(second, "the hour has passed");
  chat.server.runChores();
  assert.equal(chat.server.app.store.reader.value("SELECT COUNT(*) FROM sign_in_links"), 0);

  const third = tokenOf(await linkFor(chat, "iago", "emilia"));
  await chat.as("desdemona").patch(`/users/${chat.ids["emilia"]}`, { role: 100 });
  await isVoid(third, "she is an owner now, above iago");
  await chat.as("desdemona").patch(`/users/${chat.ids["emilia"]}`, { role: 400 });
  const fourth = tokenOf(await linkFor(chat, "iago", "emilia"));
  await chat.as("desdemona").patch(`/users/${chat.ids["iago"]}`, { role: 400 });
  await isVoid(fourth, "its creator is no longer an administrator");
  const fifth = tokenOf(await linkFor(chat, "desdemona", "emilia"));
  await chat.as("desdemona").post("/host/key-revocations", { user_id: chat.ids["emilia"] });
  await isVoid(fifth, "her keys were revoked");
  const sixth = tokenOf(await linkFor(chat, "desdemona", "emilia"));
  await chat.as("desdemona").delete(`/users/${chat.ids["emilia"]}`);
  await isVoid(sixth, "she is deactivated");
  await chat.as("desdemona").post(`/users/${chat.ids["emilia"]}/reactivate`);
  await isVoid(sixth, "reactivation does not restore it");
});

test("only one of two concurrent uses of a link succeeds", async (t) => {
  const chat = await start(t);
  const token = tokenOf(await linkFor(chat, "iago", "emilia"));
  const answers = await Promise.all([reset(chat, token, "the handkerchief"), reset(chat, token, "willow, willow")]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
});

test("wrong tokens are throttled", async (t) => {
  const chat = await start(t, { rateLimit: "on" });
  const token = tokenOf(await linkFor(chat, "iago", "emilia"));
  const username = "sign-in link 127.0.0.1";
  for (let at = 0; at < 5; at++) await chat.anonymous("POST", "/fetch_api_key", { username, password: "a guess" });
  assert.equal((await open(chat, token)).result, "success", "signing in under that name uses nobody's attempts");
  for (let at = 0; at < 5; at++) assert.equal((await open(chat, `wrong ${at}`))["code"], "BAD_REQUEST");
  assert.equal((await open(chat, "wrong"))["code"], "RATE_LIMIT_HIT");
  assert.equal((await reset(chat, token))["code"], "RATE_LIMIT_HIT");
});

test("a new password clears the account's failed sign-ins", async (t) => {
  const chat = await start(t, { rateLimit: "on" });
  for (let at = 0; at < 5; at++) assert.equal(await signIn(chat, "emilia", `wrong ${at}`), "AUTHENTICATION_FAILED");
  const token = tokenOf(await linkFor(chat, "iago", "emilia"));
  assert.equal(await signIn(chat, "emilia", "forgotten since"), "RATE_LIMIT_HIT");
  assert.equal((await reset(chat, token)).result, "success");
  assert.equal(await signIn(chat, "emilia", "the handkerchief"), undefined);
});

test("no link works while the organization is deactivated", async (t) => {
  const chat = await start(t);
  const token = tokenOf(await linkFor(chat, "iago", "emilia"));
  assert.equal((await chat.as("desdemona").post("/realm/deactivate")).result, "success");
  for (const answer of [await open(chat, token), await reset(chat, token)])
    assert.deepEqual([answer.status, answer["code"], answer["var_name"]], [400, "BAD_REQUEST", "token"]);
});

test("only the operator sets an owner's password", async (t) => {
  const operatorToken = "operator's own";
  const chat = await start(t, { operatorToken });
  const set = (user: string, new_password: string, headers: Record<string, string>) =>
    chat.anonymous("POST", "/host/owner-passwords", { user_id: chat.ids[user], new_password }, headers);
  const atDesk = { authorization: `Bearer ${operatorToken}` };
  for (const who of ["desdemona", "brabantio", "iago", "emilia"]) {
    const refused = await chat
      .as(who)
      .post("/host/owner-passwords", { user_id: chat.ids["desdemona"], new_password: "the handkerchief" });
    assert.equal(refused.status, 401, who);
  }
  assert.equal((await set("desdemona", "the handkerchief", {})).status, 401);
  assert.equal(await signIn(chat, "desdemona", "secret-desdemona"), undefined, "nothing has changed");
  for (const who of ["iago", "emilia", "bot"]) {
    const refused = await set(who, "the handkerchief", atDesk);
    assert.deepEqual([refused.status, refused["var_name"]], [400, "user_id"], who);
  }
  const weak = await set("desdemona", "iloveyou", atDesk);
  assert.deepEqual([weak.status, weak["var_name"]], [400, "new_password"]);
  const held = chat.as("brabantio").key;
  assert.equal((await chat.as("brabantio").get("/users/me")).status, 200);
  assert.equal((await set("brabantio", "the handkerchief", atDesk)).result, "success");
  assert.equal((await chat.as("brabantio").get("/users/me"))["code"], "INVALID_API_KEY", `${held} is void`);
  assert.equal(await signIn(chat, "brabantio", "the handkerchief"), undefined);
  assert.equal((await chat.as("desdemona").get("/users/me")).status, 200, "others go on");
  const [newest] = (await chat.as("desdemona").get("/host/audit"))["entries"];
  assert.deepEqual([newest.action, newest.target_name, newest.origin], ["change password", "Brabantio", "desktop"]);
});
