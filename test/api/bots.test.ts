import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { endpoints } from "../../server/api/endpoints/index.ts";
import { organizationSetting } from "../../server/api/queries/organization.ts";
import { type Chat, type ChatOptions, startChat } from "../support/chat.ts";

const OUTGOING = { full_name: "Echo", short_name: "echo", bot_type: 3, payload_url: '"https://hooks.example.com/in"' };

async function make(chat: Chat, who: string, params: Record<string, unknown> = {}) {
  const answer = await chat.as(who).post("/bots", { full_name: "Weather", short_name: "weather", ...params });
  assert.equal(answer.status, 200, answer.msg);
  return answer;
}

const weatherEmail = (chat: Chat): string =>
  `weather-bot@${organizationSetting(chat.server.app.store.reader, "email_host")}`;

function withKey(chat: Chat, email: string, key: string) {
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
  return {
    authorization,
    call: (method: string, path: string, params = {}) => chat.anonymous(method, path, params, { authorization }),
  };
}

const startVenice = (t: TestContext, options: ChatOptions = {}) =>
  startChat(t, { channels: [{ name: "stage", subscribers: ["hamlet"] }], ...options });

test("a member creates a bot and posts with its key", async (t) => {
  const chat = await startVenice(t);
  const { user_id, api_key, ...rest } = await make(chat, "hamlet", { default_sending_stream: "stage" });
  assert.deepEqual(
    [rest["default_sending_stream"], rest["default_events_register_stream"], rest["default_all_public_streams"]],
    ["stage", null, false],
  );
  const { bots } = await chat.as("hamlet").get("/bots");
  const [, weather] = bots;
  assert.equal(weather.username, weatherEmail(chat));
  assert.equal(weather.api_key, api_key);
  const bot = withKey(chat, weather.username, api_key);
  const own = await bot.call("GET", "/users/me");
  assert.deepEqual(
    [own["user_id"], own["is_bot"], own["bot_type"], own["bot_owner_id"]],
    [user_id, true, 1, chat.ids["hamlet"]],
  );
  const sent = await bot.call("POST", "/messages", { type: "channel", to: "stage", topic: "rain", content: "soon" });
  assert.equal(sent.status, 200, sent.msg);
});

test("bot events reach the owner and administrators only", async (t) => {
  const chat = await startVenice(t, { users: { othello: { role: 200 } } });
  const [owner, admin, member] = [
    await chat.register("hamlet", { event_types: ["realm_bot"] }),
    await chat.register("othello", { event_types: ["realm_bot"] }),
    await chat.register("cordelia", { event_types: ["realm_bot"] }),
  ];
  const { user_id, api_key } = await make(chat, "hamlet");
  const { api_key: renewed } = await chat.as("hamlet").post(`/bots/${user_id}/api_key/regenerate`);
  assert.notEqual(renewed, api_key);
  assert.equal((await chat.as("hamlet").patch(`/bots/${user_id}`, { full_name: "Clouds" })).status, 200);
  assert.equal((await chat.as("hamlet").delete(`/bots/${user_id}`)).status, 200);
  const changes = (events: Record<string, any>[]) => events.map(({ op, bot }) => [op, bot]);
  const seen = changes(await owner.events());
  assert.deepEqual(seen, changes(await admin.events()));
  assert.equal(seen[0]?.[1].bot_type, 1);
  assert.equal(seen[0]?.[1].owner_id, chat.ids["hamlet"]);
  assert.deepEqual(seen.slice(1), [
    ["update", { user_id, api_key: renewed }],
    ["update", { user_id, full_name: "Clouds" }],
    ["update", { user_id, is_active: false }],
  ]);
  assert.deepEqual(await member.events(), []);
  assert.deepEqual((await chat.register("cordelia")).state.realm_bots, []);
  const listed = (await chat.register("othello")).state.realm_bots.map((bot) => bot.user_id);
  assert.deepEqual(listed, [chat.ids["bot"], user_id]);
});

test("no log contains bot keys", async (t) => {
  const chat = await startVenice(t);
  const { api_key } = await make(chat, "hamlet");
  const { store } = chat.server.app;
  await store.durable();
  assert.equal(JSON.stringify(store.eventsInLog(0).events).includes(api_key), false);
});

test("others cannot see, change or rekey a bot", async (t) => {
  const chat = await startVenice(t);
  const { user_id } = await make(chat, "hamlet", OUTGOING);
  for (const who of ["cordelia", "polonius"]) {
    const caller = chat.as(who);
    for (const answer of [
      await caller.patch(`/bots/${user_id}`, { full_name: "Mine" }),
      await caller.patch(`/bots/${user_id}`, { short_name: "mine" }),
      await caller.delete(`/bots/${user_id}`),
      await caller.post(`/bots/${user_id}/api_key/regenerate`),
      await caller.get(`/host/bots/${user_id}/zuliprc`),
      await caller.get(`/host/bots/${user_id}/deliveries`),
      await caller.post(`/host/bots/${user_id}/test_delivery`),
    ])
      assert.deepEqual([answer.status, answer.result], [400, "error"], answer.msg);
  }
  assert.deepEqual((await chat.as("cordelia").get("/bots")).bots, []);
  const { realm_users, realm_bots } = (await chat.register("cordelia")).state;
  assert.deepEqual(realm_bots, []);
  assert.doesNotMatch(JSON.stringify(realm_users), /hooks\.example\.com/);
});

test("administrators do not get the keys of owners' bots", async (t) => {
  const chat = await startVenice(t, { users: { crown: { is_bot: true, bot_type: 1, role: 100, bot_owner_id: 1 } } });
  const { realm_bots } = (await chat.register("iago")).state;
  assert.deepEqual(
    realm_bots.map(({ user_id }) => user_id),
    [chat.ids["bot"]],
  );
  const answer = await chat.as("iago").post(`/bots/${chat.ids["crown"]}/api_key/regenerate`);
  assert.equal(answer.code, "UNAUTHORIZED_PRINCIPAL");
});

test("permissions decide which types of bots can be created", async (t) => {
  const chat = await startVenice(t);
  const admin = chat.as("iago");
  const { realm_user_groups } = (await chat.register("iago")).state;
  const nobody = realm_user_groups.find(({ name }) => name === "role:nobody")?.id;
  const only = (name: string) => admin.patch("/realm", { [name]: { new: nobody } });
  assert.equal((await only("can_create_bots_group")).status, 200);
  const create = (params: Record<string, unknown>) =>
    chat.as("cordelia").post("/bots", { full_name: "Hook", short_name: "hook", ...params });
  assert.equal((await create({ bot_type: 1 })).reason, "bot_type_not_permitted");
  const outgoing = await create({ bot_type: 3, payload_url: '"https://a.example"' });
  assert.equal(outgoing.reason, "bot_type_not_permitted");
  assert.equal((await create({ bot_type: 2 })).status, 200);
  assert.equal((await only("can_create_write_only_bots_group")).status, 200);
  const second = await create({ bot_type: 2, full_name: "Two", short_name: "two" });
  assert.equal(second.reason, "bot_type_not_permitted");
  const guest = await chat.as("polonius").post("/bots", { full_name: "Hook", short_name: "guest" });
  assert.equal(guest.status, 400);
  const bot = await chat.as("bot").post("/bots", { full_name: "Child", short_name: "child" });
  assert.match(bot.msg, /Bots cannot/);
});

/** Invalid details of a bot, the reason, and the parameter. */
const WRONG_DETAILS: [object, string, string?][] = [
  [{ short_name: "a b" }, "short_name_invalid", "short_name"],
  [{ short_name: "weather" }, "email_taken"],
  [{ full_name: "WEATHER" }, "bot_name_taken", "full_name"],
  [{ full_name: "x" }, "name_too_short", "full_name"],
  [{ full_name: "x".repeat(101) }, "name_too_long", "full_name"],
  [{ bot_type: 4 }, "embedded_bots_not_supported", "bot_type"],
  [{ bot_type: 5 }, "value_not_allowed", "bot_type"],
  [{ bot_type: 3 }, "parameter_missing", "payload_url"],
  [{ bot_type: 2, service_name: "carrier pigeon" }, "unknown_integration", "service_name"],
  [{ config_data: "[]" }, "not_object", "config_data"],
  [{ config_data: '{"level":1}' }, "not_text", "config_data"],
  [{ config_data: JSON.stringify({ level: "x".repeat(10_000) }) }, "config_data_too_long", "config_data"],
  [{ default_sending_stream: "nowhere" }, "channel_name_not_found", "default_sending_stream"],
  [{ default_events_register_stream: "nowhere" }, "channel_name_not_found", "default_events_register_stream"],
  [{ default_all_public_streams: "perhaps" }, "not_boolean", "default_all_public_streams"],
];

test("rejects invalid input and names its parameter", async (t) => {
  const chat = await startVenice(t);
  await make(chat, "hamlet");
  for (const [params, ...expected] of WRONG_DETAILS) {
    const answer = await chat.as("hamlet").post("/bots", { full_name: "New", short_name: "new", ...params });
    assert.equal(answer.status, 400, JSON.stringify(params));
    assert.deepEqual([answer.reason, answer.var_name], [expected[0], expected[1]], JSON.stringify(params));
  }
});

/** URLs of an outgoing webhook, why a member cannot choose them, and the range of the IP address. */
const WRONG_ADDRESSES: [string, string, string?][] = [
  ["", "parameter_missing"],
  ["ftp://a.example", "invalid_webhook_url"],
  ["http://127.0.0.1:80/", "webhook_address_blocked", "loopback"],
  ["http://[::ffff:169.254.169.254]/", "webhook_address_blocked", "linkLocal"],
  ["http://2130706433/", "webhook_address_blocked", "loopback"],
  ["http://10.1.2.3/", "webhook_address_is_local"],
  ["http://u:p@a.example/", "webhook_url_has_credentials"],
];

test("rejects invalid details of outgoing webhooks", async (t) => {
  const chat = await startVenice(t);
  const make = (who: string, params: object) => chat.as(who).post("/bots", { ...OUTGOING, ...params });
  for (const [url, ...expected] of WRONG_ADDRESSES) {
    const { status, reason, var_name, params } = await make("hamlet", { payload_url: JSON.stringify(url) });
    assert.deepEqual([status, var_name], [400, "payload_url"], url);
    assert.deepEqual([reason, params.range], [expected[0], expected[1]], url);
  }
  const kind = await make("hamlet", { interface_type: 7 });
  assert.deepEqual([kind.reason, kind.var_name], ["invalid_webhook_interface", "interface_type"]);
  const service = await make("hamlet", { service_name: "x".repeat(101) });
  assert.deepEqual([service.reason, service.var_name], ["too_long", "service_name"]);
  const admin = await make("iago", { payload_url: '"http://10.1.2.3/"' });
  assert.equal(admin.status, 200, admin.msg);
});

test("stores every property of a bot and changes each alone", async (t) => {
  const chat = await startVenice(t);
  const owner = chat.as("hamlet");
  const watcher = await chat.register("hamlet", { event_types: ["realm_bot"] });
  const { user_id } = await make(chat, "hamlet", {
    default_sending_stream: "stage",
    default_events_register_stream: "stage",
    default_all_public_streams: true,
    config_data: '{"level":"high"}',
  });
  const stored = async () =>
    (await chat.register("hamlet")).state.realm_bots.find((bot) => bot.user_id === user_id) as Record<string, unknown>;
  const made = await stored();
  const defaults = ["default_sending_stream", "default_events_register_stream", "default_all_public_streams"];
  assert.deepEqual(
    defaults.map((name) => made[name]),
    ["stage", "stage", true],
  );
  const path = `/bots/${user_id}`;
  assert.deepEqual((await owner.patch(path, {}))["config_data"], { level: "high" }, "nothing named, nothing changed");
  await watcher.events();
  const changed = async (params: Record<string, unknown>, field: string, value: unknown) => {
    const answer = await owner.patch(path, params);
    assert.equal(answer.status, 200, answer.msg);
    assert.deepEqual(answer[field], value);
    const updates = (await watcher.events()).map(
      (event) => ("bot" in event ? event.bot : {}) as Record<string, unknown>,
    );
    return updates.map((bot) => bot[field]);
  };
  assert.deepEqual(await changed({ full_name: "Weather 2" }, "full_name", "Weather 2"), ["Weather 2"]);
  assert.deepEqual(await changed({ default_sending_stream: "" }, "default_sending_stream", null), [null]);
  assert.deepEqual(await changed({ default_events_register_stream: "" }, "default_events_register_stream", null), [
    null,
  ]);
  assert.deepEqual(await changed({ default_all_public_streams: false }, "default_all_public_streams", false), [false]);
  await changed({ config_data: '{"tone":"dry"}' }, "config_data", { tone: "dry" });
  const { service_interface, service_payload_url } = await owner.patch(path, { full_name: "Weather 2" });
  assert.deepEqual([service_interface, service_payload_url], [1, null], "of a bot that calls no service");
  const refused = async (params: Record<string, unknown>, words: RegExp) => {
    const answer = await owner.patch(path, params);
    assert.equal(answer.status, 400);
    assert.match(answer.msg, words);
  };
  await refused({ service_interface: 1 }, /for outgoing webhooks/);
  await refused({ service_payload_url: '"https://a.example/"' }, /for outgoing webhooks/);
  await refused({ role: 123 }, /role must be one of/);
  await refused({ config_data: "[]" }, /config_data must be an object/);
  await refused({ default_events_register_stream: "nowhere" }, /nowhere/);
  assert.equal((await stored())["full_name"], "Weather 2");
  const outgoing = await make(chat, "hamlet", { ...OUTGOING, service_name: "echoes" });
  assert.match((await owner.patch(`/bots/${outgoing["user_id"]}`, { service_interface: 7 })).msg, /1 or 2/);
});

test("a bot's owner, role and defaults follow their rules", async (t) => {
  const chat = await startVenice(t);
  const { user_id } = await make(chat, "hamlet", OUTGOING);
  const owner = chat.as("hamlet");
  const path = `/bots/${user_id}`;
  assert.equal((await owner.patch(path, { bot_owner_id: 9999 })).reason, "bot_owner_not_found");
  assert.equal((await owner.patch(path, { bot_owner_id: chat.ids["bot"] })).reason, "bot_owner_is_bot");
  assert.equal((await owner.patch(path, { bot_owner_id: chat.ids["polonius"] })).reason, "bot_owner_is_guest");
  assert.equal((await owner.patch(path, { role: 300 })).reason, "role_change_administrators_only");
  assert.equal((await chat.as("iago").patch(path, { role: 300 })).reason, "bot_role_above_owner");
  const changed = await owner.patch(path, { service_payload_url: '"https://b.example/x"', service_interface: 2 });
  assert.deepEqual([changed["service_payload_url"], changed["service_interface"]], ["https://b.example/x", 2]);
  const given = await owner.patch(path, { bot_owner_id: chat.ids["cordelia"] });
  assert.equal(given["bot_owner"], "cordelia@example.com");
  assert.equal((await owner.patch(path, { full_name: "Lost" })).code, "UNAUTHORIZED_PRINCIPAL");
  assert.equal((await chat.as("cordelia").patch(path, { default_sending_stream: "stage" })).status, 200);
});

test("hides the hidden email address of a new owner", async (t) => {
  const chat = await startVenice(t);
  const { user_id } = await make(chat, "hamlet", OUTGOING);
  await chat.as("cordelia").patch("/settings", { email_address_visibility: 4 });
  const given = await chat.as("hamlet").patch(`/bots/${user_id}`, { bot_owner_id: chat.ids["cordelia"] });
  assert.match(given["bot_owner"], new RegExp(`^user${chat.ids["cordelia"]}@`));
});

test("deactivating a person deactivates their bots", async (t) => {
  const chat = await startVenice(t, { unwatched: true });
  const { user_id, api_key } = await make(chat, "hamlet");
  assert.equal((await chat.as("iago").delete(`/users/${chat.ids["hamlet"]}`)).status, 200);
  const { realm_bots } = (await chat.register("iago")).state;
  assert.equal(realm_bots.find((bot) => bot.user_id === user_id)?.is_active, false);
  const bot = withKey(chat, weatherEmail(chat), api_key);
  assert.equal((await bot.call("GET", "/users/me")).code, "USER_DEACTIVATED");
  assert.equal((await chat.as("iago").post(`/users/${user_id}/reactivate`)).status, 200);
  const after = (await chat.register("iago")).state.realm_bots.find((one) => one.user_id === user_id);
  assert.deepEqual([after?.is_active, after?.owner_id], [true, chat.ids["iago"]]);
  assert.equal((await bot.call("GET", "/users/me")).code, "INVALID_API_KEY");
});

test("an owner who became a guest can still deactivate their bot", async (t) => {
  const chat = await startVenice(t);
  const bot = await make(chat, "hamlet");
  assert.equal((await chat.as("iago").patch(`/users/${chat.ids["hamlet"]}`, { role: 600 })).status, 200);
  const remove = (who: string) => chat.as(who).delete(`/bots/${bot["user_id"]}`);
  assert.equal((await remove("polonius"))["code"], "UNAUTHORIZED_PRINCIPAL", "another guest");
  assert.equal((await remove("hamlet")).status, 200);
  const program = withKey(chat, weatherEmail(chat), bot["api_key"]);
  assert.equal((await program.call("GET", "/users/me"))["code"], "USER_DEACTIVATED");
});

test("a new administrator gains bots, a former one loses them", async (t) => {
  const chat = await startVenice(t);
  const { user_id } = await make(chat, "hamlet");
  const watcher = await chat.register("cordelia", { event_types: ["realm_bot"] });
  const role = (value: number) => chat.as("desdemona").patch(`/users/${chat.ids["cordelia"]}`, { role: value });
  assert.equal((await role(200)).status, 200);
  assert.equal((await role(400)).status, 200);
  const events = (await watcher.events()).map(({ op, bot }) => [op, bot.user_id]);
  assert.deepEqual(events, [
    ["add", chat.ids["bot"]],
    ["add", user_id],
    ["delete", chat.ids["bot"]],
    ["delete", user_id],
  ]);
});

test("a client signs in with zuliprc", async (t) => {
  const chat = await startVenice(t);
  const { user_id, api_key } = await make(chat, "hamlet");
  const { file_name, content } = await chat.as("hamlet").get(`/host/bots/${user_id}/zuliprc`);
  assert.equal(file_name, "zuliprc");
  assert.equal(content, `[api]\nemail=${weatherEmail(chat)}\nkey=${api_key}\nsite=${chat.url}\n`);
});

test("bot storage is separate for each account", async (t) => {
  const chat = await startVenice(t);
  const put = (who: string, storage: unknown) =>
    chat.anonymous("PUT", "/bot_storage", { storage }, { authorization: authorizationOf(chat, who) });
  assert.equal((await put("bot", { count: "1", name: "clown" })).status, 200);
  assert.equal((await put("bot", { count: "2" })).status, 200);
  const bot = chat.as("bot");
  assert.deepEqual((await bot.get("/bot_storage")).storage, { count: "2", name: "clown" });
  assert.deepEqual((await bot.get("/bot_storage", { keys: ["name"] })).storage, { name: "clown" });
  assert.deepEqual((await chat.as("hamlet").get("/bot_storage")).storage, {});
  const missing = await bot.get("/bot_storage", { keys: ["none"] });
  assert.deepEqual([missing.reason, missing.params], ["storage_key_not_found", { parameter: "keys", key: "none" }]);
  assert.match((await put("bot", { count: 3 })).msg, /storage/);
  assert.equal((await bot.delete("/bot_storage", { keys: ["name"] })).status, 200);
  assert.equal((await bot.delete("/bot_storage", { keys: ["name"] })).status, 400);
  assert.equal((await bot.delete("/bot_storage")).status, 200);
  assert.deepEqual((await bot.get("/bot_storage")).storage, {});
  const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, number) => [`k${number}`, ""]));
  assert.equal((await put("bot", many)).reason, "too_many_storage_keys");
});

const authorizationOf = (chat: Chat, who: string) =>
  `Basic ${Buffer.from(`${chat.as(who).email}:${chat.as(who).key}`).toString("base64")}`;

test("an incoming webhook bot can only send", async (t) => {
  const chat = await startVenice(t);
  const { api_key } = await make(chat, "hamlet", { bot_type: 2, service_name: "github" });
  const hook = withKey(chat, weatherEmail(chat), api_key);
  assert.equal(
    (await hook.call("POST", "/messages", { type: "channel", to: "stage", topic: "t", content: "x" })).status,
    200,
  );
  // A message whose text names a method is sent with that method.
  const disguised = await hook.call("POST", "/messages", { method: "GET", anchor: "newest" });
  assert.equal(disguised.reason, "incoming_webhooks_not_allowed");
  let refused = 0;
  const { authorization } = hook;
  for (const { route, who, ignoreCredentials, outsideApi } of endpoints) {
    if (route === "POST /messages" || ignoreCredentials) continue;
    // Endpoints that no account may call are refused before anything looks at the account.
    const refusal = who === "operator" ? "operator_only" : "incoming_webhooks_not_allowed";
    const [method = "", path = ""] = route.split(" ");
    const address = `${chat.url}${outsideApi ? "" : "/api/v1"}${path.replaceAll(/\{\w+\}/g, "1")}`;
    const answer = await fetch(address, { method, headers: { authorization, "hearth-error-reason": "1" } });
    assert.equal(((await answer.json()) as { reason: string }).reason, refusal, route);
    refused += 1;
  }
  assert.ok(refused > 100);
});

test("giving a bot away invalidates its old key", async (t) => {
  const chat = await startVenice(t, {
    channels: [{ name: "plot", private: true, subscribers: ["iago"] }],
  });
  const { user_id, api_key } = await make(chat, "hamlet");
  const bot = withKey(chat, weatherEmail(chat), api_key);
  const post = () => bot.call("POST", "/messages", { type: "channel", to: "plot", topic: "t", content: "x" });
  assert.equal((await post()).code, "STREAM_DOES_NOT_EXIST");
  const queue = await chat.register("iago", { event_types: ["realm_bot"] });
  assert.equal((await chat.as("hamlet").patch(`/bots/${user_id}`, { bot_owner_id: chat.ids["iago"] })).status, 200);
  assert.equal((await post()).code, "INVALID_API_KEY");
  const key = (await queue.events()).findLast(({ bot: changed }) => "api_key" in changed)?.["bot"].api_key;
  assert.equal((await withKey(chat, weatherEmail(chat), key).call("GET", "/users/me")).status, 200);
  // A bot's programs keep working when an administrator moves it.
  assert.equal((await chat.as("iago").patch(`/bots/${user_id}`, { bot_owner_id: chat.ids["cordelia"] })).status, 200);
  assert.equal((await withKey(chat, weatherEmail(chat), key).call("GET", "/users/me")).status, 200);
});

test("a bot's default channel follows renames for its managers", async (t) => {
  const chat = await startVenice(t, {
    users: { othello: { role: 200 } },
    channels: ["stage", "hall"].map((name) => ({ name, subscribers: ["hamlet"] })),
  });
  const { user_id } = await make(chat, "hamlet", {
    default_sending_stream: "stage",
    default_events_register_stream: "hall",
  });
  const [owner, admin, member] = [
    await chat.register("hamlet", { event_types: ["realm_bot"] }),
    await chat.register("othello", { event_types: ["realm_bot"] }),
    await chat.register("cordelia", { event_types: ["realm_bot"] }),
  ];
  const rename = async (id: number | undefined, new_name: string) =>
    assert.equal((await chat.as("iago").patch(`/streams/${id}`, { new_name })).status, 200);
  await rename(chat.ids["stage"], "theatre");
  await rename(chat.ids["hall"], "lobby");
  const expected = [
    { user_id, default_sending_stream: "theatre" },
    { user_id, default_events_register_stream: "lobby" },
  ];
  for (const queue of [owner, admin])
    assert.deepEqual(
      (await queue.events()).map(({ op, bot }) => [op, bot]),
      expected.map((bot) => ["update", bot]),
    );
  assert.deepEqual(await member.events(), []);
  const [, bot] = (await chat.as("hamlet").get("/bots")).bots;
  assert.deepEqual([bot.default_sending_stream, bot.default_events_register_stream], ["theatre", "lobby"]);
});

test("an archived channel is no bot's default channel", async (t) => {
  const chat = await startVenice(t);
  const both = { default_sending_stream: "stage", default_events_register_stream: "stage" };
  const { user_id } = await make(chat, "hamlet", both);
  const queue = await chat.register("hamlet", { event_types: ["realm_bot"] });
  assert.equal((await chat.as("iago").delete(`/streams/${chat.ids["stage"]}`)).status, 200);
  assert.deepEqual(
    (await queue.events()).map(({ bot }) => bot),
    [{ user_id, default_sending_stream: null, default_events_register_stream: null }],
  );
});

test("bots do not reveal new names of channels that the owner left", async (t) => {
  const chat = await startVenice(t, {
    channels: [{ name: "plot", private: true, subscribers: ["hamlet", "iago"] }],
  });
  const { user_id } = await make(chat, "hamlet", { default_sending_stream: "plot" });
  assert.equal((await chat.as("hamlet").delete("/users/me/subscriptions", { subscriptions: ["plot"] })).status, 200);
  const queue = await chat.register("hamlet", { event_types: ["realm_bot"] });
  assert.equal((await chat.as("iago").patch(`/streams/${chat.ids["plot"]}`, { new_name: "coup" })).status, 200);
  assert.deepEqual(
    (await queue.events()).map(({ bot }) => bot),
    [{ user_id, default_sending_stream: null }],
  );
  assert.doesNotMatch(JSON.stringify((await chat.register("hamlet")).state.realm_bots), /coup/);
});

test("short_name changes a bot's address", async (t) => {
  const chat = await startVenice(t);
  const { user_id, api_key } = await make(chat, "hamlet");
  const [owner, other] = [await chat.register("hamlet"), await chat.register("othello")];
  const rename = (short_name: string) => chat.as("hamlet").patch(`/bots/${user_id}`, { short_name });
  assert.equal((await rename("Storm")).status, 200);
  const email = weatherEmail(chat).replace("weather", "storm");
  assert.equal((await withKey(chat, email, api_key).call("GET", "/users/me")).email, email);
  assert.equal((await withKey(chat, weatherEmail(chat), api_key).call("GET", "/users/me")).status, 401);
  const changes = (events: any[]) =>
    events.map(({ type, person, bot }) => [type, person?.new_email ?? person?.delivery_email ?? bot.email]);
  const renamed = [
    ["realm_user", email],
    ["realm_user", email],
  ];
  assert.deepEqual(changes(await owner.events()), [...renamed, ["realm_bot", email]]);
  assert.deepEqual(changes(await other.events()), renamed);
  await make(chat, "hamlet", { full_name: "Rain", short_name: "rain" });
  for (const name of ["", "two words", "rain"]) {
    const { status, code, var_name } = await rename(name);
    assert.deepEqual([status, code, var_name], [400, "BAD_REQUEST", "short_name"], name);
  }
  assert.equal((await withKey(chat, email, api_key).call("GET", "/users/me")).email, email);
});
