import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { passwordHashing } from "../../server/host/credentials/passwords.ts";
import { SessionCodes } from "../../server/host/credentials/session-codes.ts";
import { type Chat, type ChatOptions, startChat } from "../support/chat.ts";

const PASSWORD = "put money in thy purse";
const MINUTE = 60_000;
const DAY = 24 * 3600 * 1000;
const hash = passwordHashing({ cost: 1024 }).hash(PASSWORD);

async function startChatWithPasswords(t: TestContext, options: ChatOptions = {}): Promise<Chat> {
  const password_hash = await hash;
  const people = { iago: { role: 200 as const, password_hash }, hamlet: { password_hash } };
  return startChat(t, { users: { ...people, polonius: { role: 600, password_hash } }, unwatched: true, ...options });
}

interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, any>;
}

/** A browser on the server's own pages, which keeps its cookie and sends an Origin. */
class Browser {
  readonly #url: () => string;
  cookie = "";
  constructor(chat: { readonly url: string }) {
    this.#url = () => chat.url;
  }

  async call(
    route: string,
    params: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const [method = "", path] = route.split(" ");
    const url = this.#url();
    const fields = new URLSearchParams(params);
    const response = await fetch(`${url}${path}${method === "GET" && fields.size > 0 ? `?${fields}` : ""}`, {
      method,
      headers: {
        ...(this.cookie && { cookie: this.cookie }),
        ...(method !== "GET" && { origin: url }),
        ...headers,
      },
      ...(method !== "GET" && { body: fields }),
    });
    const set = response.headers.get("set-cookie");
    if (set) this.cookie = set.split(";")[0] as string;
    return { status: response.status, headers: response.headers, body: (await response.json()) as Record<string, any> };
  }

  signIn(name: string, password = PASSWORD, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call("POST /host/session", { username: `${name}@example.com`, password }, headers);
  }

  async whoAmI(): Promise<string | undefined> {
    return (await this.call("GET /host/session")).body["user"]?.full_name;
  }
}

test("a page learns who is signed in and how", async (t) => {
  const chat = await startChatWithPasswords(t, { operatorToken: "operator's own" });
  const browser = new Browser(chat);
  const { body } = await browser.call("GET /host/session");
  const nobody = { setup: false, code_needed: false, data_folder: "", at_desktop: false, access: "none", user: null };
  assert.deepEqual(body, { result: "success", msg: "", ...nobody });
  await browser.signIn("hamlet");
  const hamlet = {
    user_id: chat.ids["hamlet"],
    full_name: "Hamlet",
    email: "hamlet@example.com",
    role: 400,
    avatar_url: `/generated/user-${chat.ids["hamlet"]}.png?version=1`,
  };
  assert.deepEqual((await browser.call("GET /host/session")).body["user"], hamlet);
  assert.deepEqual((await chat.as("hamlet").get("/host/session"))["user"], hamlet);
  const desk = await chat.anonymous("GET", "/host/session", {}, { authorization: "Bearer operator's own" });
  assert.deepEqual([desk["at_desktop"], desk["data_folder"]], [true, chat.folder]);
  assert.equal(desk["user"].full_name, "Desdemona");
  const access = async (name: string) => (await chat.as(name).get("/host/session"))["access"];
  assert.deepEqual(await Promise.all(["desdemona", "iago", "hamlet", "polonius", "bot"].map(access)), [
    "host",
    "organization",
    "own",
    "none",
    "none",
  ]);
  assert.equal(desk["access"], "host");
  const wrong = await chat.anonymous("GET", "/host/session", {}, { authorization: "Bearer another's" });
  assert.equal(wrong.status, 401);
});

test("signing in sets a protected, port-specific cookie", async (t) => {
  const chat = await startChatWithPasswords(t);
  const browser = new Browser(chat);
  const { status, headers, body } = await browser.signIn("HAMLET");
  assert.equal(status, 200);
  assert.deepEqual([body["user_id"], body["full_name"], body["role"]], [chat.ids["hamlet"], "Hamlet", 400]);
  const { port } = new URL(chat.url);
  const parts = `^hearth_session_${port}=[\\w-]{43}; Path=/; Max-Age=1209600; HttpOnly; SameSite=Strict$`;
  assert.match(headers.get("set-cookie") as string, new RegExp(parts));
  const stored = JSON.stringify(chat.server.app.store.reader.all("SELECT * FROM sessions"));
  assert.equal(stored.includes(browser.cookie.split("=")[1] as string), false, "only a digest of the token is stored");
  assert.equal(
    chat.server.app.store.reader.value("SELECT COUNT(*) FROM audit WHERE action LIKE '%session%'"),
    0,
    "signing in is not audited",
  );
});

test("a session cookie has the API key's rights", async (t) => {
  const chat = await startChatWithPasswords(t);
  const [hamlet, iago, polonius] = [new Browser(chat), new Browser(chat), new Browser(chat)];
  await hamlet.signIn("hamlet");
  await iago.signIn("iago");
  await polonius.signIn("polonius");
  assert.equal((await hamlet.call("GET /api/v1/users/me")).body["email"], "hamlet@example.com");
  const to = JSON.stringify([chat.ids["iago"]]);
  const sent = await hamlet.call("POST /api/v1/messages", { type: "direct", to, content: "by cookie" });
  assert.equal(sent.status, 200);
  assert.equal((await polonius.call("GET /host/settings")).body["msg"], "Guests cannot do this.");
  assert.equal((await iago.call("GET /host/settings")).body["code"], "UNAUTHORIZED_PRINCIPAL");
  assert.equal((await hamlet.call("GET /host/state")).body["code"], "UNAUTHORIZED_PRINCIPAL");
  const newMember = { email: "clown@example.com", password: "secret-clown", full_name: "Clown" };
  assert.equal((await hamlet.call("POST /api/v1/users", newMember)).status, 400);
  assert.equal((await iago.call("POST /api/v1/users", newMember)).status, 200);
});

test("polling by cookie does not make a user active", async (t) => {
  const chat = await startChatWithPasswords(t);
  const browser = new Browser(chat);
  await browser.signIn("hamlet");
  const { queue_id } = (await browser.call("POST /api/v1/register")).body;
  const polled = await browser.call("GET /api/v1/events", { queue_id, dont_block: "true" });
  assert.deepEqual(polled.body["events"], []);
  const { queues } = chat.server.app;
  assert.deepEqual([queues.count, [...queues.listeners()]], [1, []]);
  await (await chat.register("hamlet")).events();
  assert.deepEqual([...queues.listeners()], [chat.ids["hamlet"]]);
});

test("an Authorization header takes precedence over the cookie", async (t) => {
  const chat = await startChatWithPasswords(t);
  const browser = new Browser(chat);
  await browser.signIn("hamlet");
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });
  const { email, key } = chat.as("iago");
  const asIago = await browser.call("GET /api/v1/users/me", {}, basic(`${email}:${key}`));
  assert.equal(asIago.body["email"], "iago@example.com");
  assert.equal((await browser.call("GET /api/v1/users/me", {}, basic(`${email}:wrong`))).status, 401);
});

test("a change by cookie requires the server's own Origin", async (t) => {
  const chat = await startChatWithPasswords(t);
  const browser = new Browser(chat);
  await browser.signIn("hamlet");
  const { host, port } = new URL(chat.url);
  const message = { type: "direct", to: JSON.stringify([chat.ids["iago"]]), content: "hello" };
  const send = (headers: Record<string, string>) => browser.call("POST /api/v1/messages", message, headers);
  for (const origin of ["http://evil.example", `http://localhost:${port}`, "http://127.0.0.1:1", "null", ""]) {
    const { status, body } = await send({ origin });
    assert.deepEqual([status, body["code"]], [403, "BAD_ORIGIN"], origin);
  }
  const none = await fetch(`${chat.url}/api/v1/messages`, {
    method: "POST",
    headers: { cookie: browser.cookie },
    body: new URLSearchParams(message),
  });
  assert.equal(none.status, 403);
  const disguised = { ...message, method: "GET" };
  assert.equal((await browser.call("POST /api/v1/messages", disguised, { origin: "http://evil.example" })).status, 403);
  assert.equal((await send({ origin: `https://${host}` })).status, 200, "behind a TLS proxy");
  assert.equal((await browser.call("GET /api/v1/users/me", {}, { origin: "http://evil.example" })).status, 200);
  assert.equal(chat.server.app.store.reader.value("SELECT COUNT(*) FROM messages"), 1);
  const withKey = await chat.anonymous("POST", "/messages", message, {
    authorization: `Basic ${Buffer.from(`hamlet@example.com:${chat.as("hamlet").key}`).toString("base64")}`,
    origin: "http://evil.example",
  });
  assert.equal(withKey.status, 200, "browsers never send an API key by themselves");
});

test("a foreign page can neither sign in nor out", async (t) => {
  const chat = await startChatWithPasswords(t);
  const browser = new Browser(chat);
  const credentials = { username: "hamlet@example.com", password: PASSWORD };
  const foreign = { origin: "http://evil.example" };
  assert.equal((await browser.call("POST /host/session", credentials, foreign)).body["code"], "BAD_ORIGIN");
  assert.equal(browser.cookie, "");
  await browser.signIn("hamlet");
  assert.equal((await browser.call("DELETE /host/session", {}, foreign)).body["code"], "BAD_ORIGIN");
  assert.equal(await browser.whoAmI(), "Hamlet");
  assert.equal((await chat.anonymous("POST", "/host/session", credentials)).status, 200);
});

test("sessions end on sign-out, deactivation, key rotation or expiry", async (t) => {
  let now = Date.now();
  const chat = await startChatWithPasswords(t, { now: () => now });
  const { store } = chat.server.app;
  const change = (sql: string) =>
    store.transact({ actor: null, action: "test" }, (tx) => void tx.run(sql, chat.ids["hamlet"] as number));
  const ends: [string, (browser: Browser) => unknown][] = [
    ["signed out", (browser) => browser.call("DELETE /host/session")],
    ["key raised", () => change("UPDATE users SET key_generation = key_generation + 1 WHERE id = ?")],
    ["expired", () => (now += 1)],
    ["deactivated", () => change("UPDATE users SET is_active = 0 WHERE id = ?")],
  ];
  for (const [what, end] of ends) {
    const [browser, thief] = [new Browser(chat), new Browser(chat)];
    await browser.signIn("hamlet");
    thief.cookie = browser.cookie;
    if (what === "expired") now += 14 * DAY - 1;
    assert.equal(await thief.whoAmI(), "Hamlet", `before: ${what}`);
    await end(browser);
    assert.equal(await thief.whoAmI(), undefined, what);
    const refused = await thief.call("GET /api/v1/users/me");
    assert.deepEqual([refused.status, refused.body["code"]], [401, "UNAUTHORIZED"], what);
    const written = await thief.call("POST /api/v1/messages", { type: "direct", to: "[1]", content: "still here" });
    assert.equal(written.status, 401, what);
  }
  assert.equal(store.reader.value("SELECT COUNT(*) FROM messages"), 0);
});

test("signing out ends only this session and is idempotent", async (t) => {
  const chat = await startChatWithPasswords(t);
  const [one, other] = [new Browser(chat), new Browser(chat)];
  await one.signIn("hamlet");
  await other.signIn("hamlet");
  const out = await one.call("DELETE /host/session");
  assert.deepEqual(out.body, { result: "success", msg: "" });
  assert.match(out.headers.get("set-cookie") as string, /^hearth_session_\d+=; Path=\/; Max-Age=0; HttpOnly/);
  assert.equal((await one.call("DELETE /host/session")).status, 200);
  assert.equal(await other.whoAmI(), "Hamlet");
  const before = other.cookie;
  await other.signIn("iago");
  assert.equal(await other.whoAmI(), "Iago");
  other.cookie = before;
  assert.equal(await other.whoAmI(), undefined, "signing in again ends the earlier session");
});

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const EDGE =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36 Edg/139.0";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";

const sessionsIn = async (browser: Browser) => (await browser.call("GET /host/sessions")).body["sessions"];

test("users list their own sessions", async (t) => {
  let now = Date.now();
  const chat = await startChatWithPasswords(t, { now: () => now });
  const [desk, phone, office, unknown] = [0, 1, 2, 3].map(() => new Browser(chat)) as [
    ...[Browser, Browser, Browser, Browser],
  ];
  await desk.signIn("hamlet", PASSWORD, { "user-agent": FIREFOX });
  now += 1000;
  await phone.signIn("hamlet", PASSWORD, { "user-agent": IPHONE });
  now += 1000;
  await office.signIn("hamlet", PASSWORD, { "user-agent": EDGE });
  now += 1000;
  await unknown.signIn("hamlet", PASSWORD, { "user-agent": `curl/8.0 ${"x".repeat(400)}` });
  const named = (await sessionsIn(phone)).map((one: any) => [one.browser, one.system, one.is_current]);
  assert.deepEqual(named, [
    ["", "", false],
    ["Edge", "Windows", false],
    ["Safari", "iPhone", true],
    ["Firefox", "Linux", false],
  ]);
  const [{ created_at, expires_at, id }] = await sessionsIn(phone);
  assert.deepEqual([created_at, expires_at], [now, now + 14 * DAY]);
  assert.match(id, /^[\w-]{16}$/);
  const [{ user_agent }] = chat.server.app.store.reader.all<{ user_agent: string }>(
    "SELECT user_agent FROM sessions ORDER BY created_at DESC LIMIT 1",
  ) as [{ user_agent: string }];
  assert.equal(user_agent.length, 300, "a long name is cut");

  const changed = await desk.call("PATCH /api/v1/settings", {
    old_password: PASSWORD,
    new_password: `${PASSWORD} now`,
  });
  assert.equal(changed.status, 200);
  assert.equal((await desk.call("GET /host/sessions", {}, { "user-agent": FIREFOX })).body["sessions"].length, 1);
  const guest = new Browser(chat);
  await guest.signIn("polonius");
  assert.equal((await sessionsIn(guest)).length, 1);
  assert.equal((await guest.call("GET /host/sessions")).status, 200);
  assert.equal((await chat.as("bot").get("/host/sessions")).msg, "Bots cannot do this.");
  assert.equal((await chat.anonymous("GET", "/host/sessions")).status, 401);
});

test("ending a session signs out its page immediately", async (t) => {
  const chat = await startChatWithPasswords(t);
  const [desk, thief, guest] = [new Browser(chat), new Browser(chat), new Browser(chat)];
  await desk.signIn("hamlet");
  await thief.signIn("hamlet");
  await guest.signIn("polonius");
  const { body } = await thief.call("POST /api/v1/register");
  const { queue_id, last_event_id } = body as { queue_id: string; last_event_id: number };
  const held = thief.call("GET /api/v1/events", { queue_id, last_event_id: String(last_event_id) });
  while (chat.server.app.queues.waiting < 1) await new Promise((resolve) => setImmediate(resolve));

  const other = (await sessionsIn(desk)).find((one: any) => !one.is_current);
  const end = (by: Browser, id: string, headers = {}) => by.call(`DELETE /host/sessions/${id}`, {}, headers);
  for (const id of [other.id.slice(0, 15), `${other.id}x`, "x".repeat(16), "~"]) {
    const { status, body: refusal } = await end(desk, id);
    assert.deepEqual([status, refusal["msg"]], [400, "No such session"], id);
  }
  assert.equal((await end(guest, other.id)).body["msg"], "No such session", "another's is none to a guest");
  assert.equal((await end(desk, other.id, { origin: "http://evil.example" })).body["code"], "BAD_ORIGIN");
  assert.equal(await thief.whoAmI(), "Hamlet", "nothing has ended yet");

  assert.deepEqual((await end(desk, other.id)).body, { result: "success", msg: "" });
  assert.deepEqual((await held).body["events"], [], "the poll that waited is answered");
  assert.equal(await thief.whoAmI(), undefined);
  assert.equal((await thief.call("GET /api/v1/users/me")).status, 401);
  assert.equal(await desk.whoAmI(), "Hamlet");
  assert.equal((await chat.as("hamlet").get("/users/me")).status, 200, "the key stays");
  assert.equal((await end(desk, other.id)).body["msg"], "No such session");
  const [entry] = ((await chat.as("desdemona").get("/host/audit")) as any).entries;
  assert.deepEqual([entry.action, entry.actor.full_name, entry.target_name], ["end session", "Hamlet", "Hamlet"]);
  assert.equal(JSON.stringify(entry).includes(other.id), false);
});

test("administrators end sessions of users below them", async (t) => {
  const password_hash = await hash;
  const chat = await startChatWithPasswords(t, {
    users: { hamlet: { password_hash }, emilia: { role: 100, password_hash }, iago: { role: 200 } },
  });
  const [hamlet, owner] = [new Browser(chat), new Browser(chat)];
  await hamlet.signIn("hamlet");
  await owner.signIn("emilia");
  const { sessions } = (await chat.as("iago").get(`/host/users/${chat.ids["hamlet"]}`)) as any;
  assert.deepEqual(
    sessions.map((one: any) => one.is_current),
    [false],
  );
  const [ofOwner] = await sessionsIn(owner);
  assert.equal((await chat.as("iago").delete(`/host/sessions/${ofOwner.id}`)).msg, "Only owners can change an owner.");
  assert.equal((await chat.as("hamlet").delete(`/host/sessions/${ofOwner.id}`)).msg, "No such session");
  assert.equal((await chat.as("bot").delete(`/host/sessions/${ofOwner.id}`)).msg, "Bots cannot do this.");
  assert.equal((await chat.as("iago").delete(`/host/sessions/${sessions[0].id}`)).status, 200);
  assert.deepEqual([await hamlet.whoAmI(), await owner.whoAmI()], [undefined, "Emilia"]);
});

test("administrators see session counts live", async (t) => {
  const password_hash = await hash;
  let now = Date.now();
  const chat = await startChatWithPasswords(t, {
    now: () => now,
    users: {
      hamlet: { password_hash },
      emilia: { role: 100, password_hash },
      iago: { role: 200, password_hash },
      cassio: { role: 300, password_hash },
      bot: { is_bot: true, bot_type: 1 },
    },
  });
  const [owner, iago, hamlet, cassio] = [0, 1, 2, 3].map(() => new Browser(chat)) as [
    Browser,
    Browser,
    Browser,
    Browser,
  ];
  await iago.signIn("iago");
  await owner.signIn("emilia");
  await cassio.signIn("cassio");
  const signIns = async (by: Browser) => (await by.call("GET /host/sign-ins")).body["sign_ins"];
  const of = (name: string, browsers: number, newest_at: number) => ({ user_id: chat.ids[name], browsers, newest_at });
  const begun = now;
  assert.deepEqual(await signIns(iago), [of("iago", 1, begun), of("cassio", 1, begun)], "owners are for owners");
  assert.deepEqual(await signIns(owner), [of("iago", 1, begun), of("emilia", 1, begun), of("cassio", 1, begun)]);

  for (const outsider of ["cassio", "hamlet"])
    assert.equal((await chat.as(outsider).get("/host/sign-ins"))["code"], "UNAUTHORIZED_PRINCIPAL", outsider);
  assert.equal((await chat.as("bot").get("/host/sign-ins")).status, 400);
  assert.equal((await new Browser(chat).call("GET /host/sign-ins")).status, 401);

  const queueOf = async (by: Browser) => (await by.call("POST /api/v1/register")).body as { queue_id: string };
  const [ofIago, ofOwner, ofCassio] = [await queueOf(iago), await queueOf(owner), await queueOf(cassio)];
  const { state } = await chat.register("iago");
  const announced = async (by: Browser, { queue_id }: { queue_id: unknown }, last_event_id = -1) => {
    const params = { queue_id: String(queue_id), last_event_id: String(last_event_id), dont_block: "true" };
    const { events } = (await by.call("GET /api/v1/events", params)).body as { events: any[] };
    return events.flatMap(({ type, user_id }) => (type === "sign_ins" ? [user_id] : []));
  };
  now += MINUTE; // A longer time could end the queues before they are polled.
  await hamlet.signIn("hamlet");
  await owner.signIn("emilia");
  assert.deepEqual(await announced(iago, ofIago), [chat.ids["hamlet"]]);
  const { emilia } = chat.ids;
  assert.deepEqual(await announced(owner, ofOwner), [chat.ids["hamlet"], emilia, emilia], "one ends, one begins");
  assert.deepEqual(await announced(cassio, ofCassio), [], "moderators hear nothing");
  const byKey = await chat
    .as("iago")
    .get("/events", { queue_id: state["queue_id"], last_event_id: -1, dont_block: true });
  assert.equal(JSON.stringify(byKey).includes("sign_ins"), false, "other clients hear nothing");
  const another = new Browser(chat);
  now += DAY;
  await another.signIn("hamlet");
  const ofHamlet = async () => (await signIns(iago)).find(({ user_id }: any) => user_id === chat.ids["hamlet"]);
  assert.deepEqual(await ofHamlet(), of("hamlet", 2, now));
  await another.call("DELETE /host/session");
  assert.deepEqual(await ofHamlet(), of("hamlet", 1, begun + MINUTE));

  now = begun + 14 * DAY;
  chat.server.runChores();
  const { store } = chat.server.app;
  await store.durable();
  const latest = store
    .eventsInLog(0)
    .events.flatMap(({ event }: any) => (event.type === "sign_ins" ? event.user_id : []));
  assert.deepEqual(latest.slice(-2), [chat.ids["iago"], chat.ids["cassio"]], "expired ones");
  assert.deepEqual(await signIns(owner), [of("hamlet", 1, begun + MINUTE), of("emilia", 1, begun + MINUTE)]);
  await chat.as("emilia").delete(`/users/${chat.ids["hamlet"]}`);
  assert.deepEqual(await signIns(owner), [of("emilia", 1, begun + MINUTE)]);
});

test("sessions survive a restart until they expire", async (t) => {
  let now = Date.now();
  const chat = await startChatWithPasswords(t, { now: () => now });
  const browser = new Browser(chat);
  await browser.signIn("hamlet");
  await chat.restart();
  assert.equal(await browser.whoAmI(), "Hamlet");
  now += 7 * DAY;
  await new Browser(chat).signIn("iago");
  now += 7 * DAY;
  chat.server.runChores();
  const users = () => chat.server.app.store.reader.all<{ user_id: number }>("SELECT user_id FROM sessions");
  assert.deepEqual(users(), [{ user_id: chat.ids["iago"] }]);
  await chat.restart();
  assert.deepEqual(users(), [{ user_id: chat.ids["iago"] }]);
});

test("invalid sign-ins are rejected and throttled", async (t) => {
  const password_hash = await hash;
  const chat = await startChatWithPasswords(t, {
    rateLimit: "on",
    users: { hamlet: { password_hash }, cordelia: { password_hash }, bot: { is_bot: true, bot_type: 1 } },
  });
  const browser = new Browser(chat);
  for (const name of ["nobody", "bot", "othello"]) {
    assert.equal((await browser.signIn(name)).body["code"], "AUTHENTICATION_FAILED", name);
  }
  const { store } = chat.server.app;
  const id = chat.ids["cordelia"] as number;
  store.transact(
    { actor: null, action: "test" },
    (tx) => void tx.run("UPDATE users SET is_active = 0 WHERE id = ?", id),
  );
  assert.equal((await browser.signIn("cordelia")).body["code"], "USER_DEACTIVATED");
  for (let guess = 0; guess < 5; guess += 1) assert.equal((await browser.signIn("hamlet", `${guess}`)).status, 401);
  assert.equal((await browser.signIn("hamlet")).body["code"], "RATE_LIMIT_HIT");
  assert.equal(browser.cookie, "");
  for (const left of ["username", "password"]) {
    const { [left]: _, ...rest }: Record<string, string> = { username: "hamlet@example.com", password: PASSWORD };
    const { status, body } = await browser.call("POST /host/session", rest);
    assert.deepEqual([status, body["code"], body["var_name"]], [400, "REQUEST_VARIABLE_MISSING", left]);
  }
});

test("a 401 response triggers no browser password prompt", async (t) => {
  const chat = await startChatWithPasswords(t);
  const challenge = async (agent: string) =>
    (await fetch(`${chat.url}/api/v1/users/me`, { headers: { "user-agent": agent } })).headers.get("www-authenticate");
  assert.equal(await challenge("Mozilla/5.0 (X11; Linux x86_64) Chrome/140"), 'Session realm="hearth"');
  assert.equal(await challenge("ZulipPython/0.9"), 'Basic realm="zulip"');
});

test("ignores cookies of other local programs", async (t) => {
  const chat = await startChatWithPasswords(t);
  const browser = new Browser(chat);
  await browser.signIn("hamlet");
  const { cookie } = browser;
  browser.cookie = `a=b; hearth_session_1=${"x".repeat(43)}; ; =; ${cookie}; theme="dark; or not"`;
  assert.equal(await browser.whoAmI(), "Hamlet");
  for (const odd of [`${cookie}x`, cookie.replace("=", "=%20"), cookie.slice(0, -1), "hearth_session_", ";;;"]) {
    browser.cookie = odd;
    assert.equal(await browser.whoAmI(), undefined, odd);
  }
});

test("the operator's code signs a browser in once", async (t) => {
  const chat = await startChatWithPasswords(t, { operatorToken: "desk" });
  const owner = { authorization: "Bearer desk" };
  const code = async () => {
    const response = await fetch(`${chat.url}/host/session-codes`, { method: "POST", headers: owner });
    return ((await response.json()) as { path: string }).path;
  };
  const open = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${chat.url}${path}`, { redirect: "manual", headers });
  const path = await code();
  assert.equal((await open(path, { "x-forwarded-for": "192.0.2.1" })).headers.get("set-cookie"), null);
  const opened = await open(path);
  assert.deepEqual([opened.status, opened.headers.get("location")], [302, "/"]);
  const browser = new Browser(chat);
  browser.cookie = opened.headers.get("set-cookie")?.split(";")[0] as string;
  assert.equal(await browser.whoAmI(), (await browser.call("GET /host/session", {}, owner)).body["user"].full_name);
  const kept = await open(await code(), { cookie: browser.cookie });
  for (const { headers } of [await open(path), kept, await open("/host/session-codes/other")])
    assert.equal(headers.get("set-cookie"), null);
  const refused = await browser.call("POST /host/session-codes");
  assert.deepEqual([refused.status, refused.body["code"]], [401, "UNAUTHORIZED"]);
});

test("only the operator creates a session of the owner", async (t) => {
  const chat = await startChatWithPasswords(t, { operatorToken: "desk" });
  const agent = { "user-agent": "HearthDesktop/0.1.0 (Windows)" };
  const admin = new Browser(chat);
  await admin.signIn("iago");
  const basic = Buffer.from(`iago@example.com:${chat.as("iago").key}`).toString("base64");
  const key = { authorization: `Basic ${basic}` };
  for (const answer of [
    await admin.call("POST /host/sessions"),
    await new Browser(chat).call("POST /host/sessions", {}, key),
  ])
    assert.deepEqual([answer.status, answer.body["code"]], [401, "UNAUTHORIZED"]);

  const { body } = await new Browser(chat).call("POST /host/sessions", {}, { authorization: "Bearer desk", ...agent });
  const window = new Browser(chat);
  window.cookie = `hearth_session_${new URL(chat.url).port}=${body["token"]}`;
  const session = (await window.call("GET /host/session")).body;
  assert.deepEqual([session["user"].user_id, session["at_desktop"]], [body["user_id"], false]);
  assert.equal((await window.call("POST /host/session-codes")).status, 401, "it is no operator");
  const { sessions } = (await window.call("GET /host/sessions")).body;
  assert.deepEqual([sessions[0].browser, sessions[0].system, sessions[0].is_current], ["Hearth", "Windows", true]);
});

test("a session code expires after a minute", () => {
  let now = 0;
  const codes = new SessionCodes(() => now);
  const [first, second] = [codes.create(7), codes.create(8)];
  now = MINUTE;
  assert.deepEqual([codes.redeem(first), codes.redeem(first)], [7, undefined]);
  now += 1;
  assert.equal(codes.redeem(second), undefined);
});
