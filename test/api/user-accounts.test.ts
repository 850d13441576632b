import assert from "node:assert/strict";
import test from "node:test";
import { passwordHashing } from "../../server/host/credentials/passwords.ts";
import { startChat } from "../support/chat.ts";
import { until } from "../support/patience.ts";

const old_password = "put money in thy purse";
const hash = passwordHashing({ cost: 1024 }).hash(old_password);
/** Password checks of users who change their own email address. */
const passwords = async () => {
  const password_hash = await hash;
  return { hamlet: { password_hash }, othello: { password_hash }, iago: { role: 200 as const, password_hash } };
};

test("people are found by ID and visible email addresses only", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const [hamlet, othello] = [chat.as("hamlet"), chat.as("othello")];
  const { user } = (await hamlet.get(`/users/${othello.id}`)) as any;
  assert.deepEqual(
    [user.user_id, user.email, user.full_name, user.profile_data],
    [othello.id, othello.email, "Othello", undefined],
  );
  for (const path of [othello.email, "OTHELLO@example.com", String(othello.id)])
    assert.deepEqual((await hamlet.get(`/users/${path}`))["user"], user, path);
  const withProfile = await hamlet.get(`/users/${othello.id}`, {
    include_custom_profile_fields: true,
    client_gravatar: false,
  });
  assert.deepEqual(withProfile["user"].profile_data, {});

  await othello.patch("/settings", { email_address_visibility: 3 });
  const hidden = (await hamlet.get(`/users/${othello.id}`))["user"];
  assert.equal(hidden.delivery_email, null);
  assert.match(hidden.email, new RegExp(`^user${othello.id}@`));
  assert.equal((await hamlet.get(`/users/${hidden.email}`))["user"].user_id, othello.id);
  const byAddress = await hamlet.get(`/users/${othello.email}`);
  const nobody = await hamlet.get("/users/nobody@example.com");
  assert.deepEqual(byAddress, nobody, "hidden and unknown addresses get the same answer");
  assert.deepEqual([nobody.status, nobody["code"]], [400, "BAD_REQUEST"]);
  assert.deepEqual(await hamlet.get("/users/99999"), nobody);
  assert.equal((await chat.as("iago").get(`/users/${othello.email}`))["user"].delivery_email, othello.email);
  assert.equal((await chat.anonymous("GET", `/users/${othello.id}`)).status, 401);
});

test("an administrator's changes reach everyone who may see them", async (t) => {
  const chat = await startChat(t, { users: { emilia: {} } });
  await chat.as("emilia").patch("/settings", { email_address_visibility: 3 });
  const [hamlet, desdemona, emilia] = [
    await chat.register("hamlet"),
    await chat.register("desdemona"),
    await chat.register("emilia"),
  ];
  const iago = chat.as("iago");
  const id = chat.ids["emilia"];
  assert.equal(
    (await iago.patch(`/users/${id}`, { full_name: "  Emilia Rossi ", new_email: "rossi@example.com" })).result,
    "success",
  );
  const people = async (who: typeof hamlet) => (await who.events()).map((event) => event["person"]);
  assert.deepEqual(await people(hamlet), [{ user_id: id, full_name: "Emilia Rossi" }]);
  const fullUpdates = [
    { user_id: id, full_name: "Emilia Rossi" },
    { user_id: id, delivery_email: "rossi@example.com" },
  ];
  assert.deepEqual(await people(desdemona), fullUpdates);
  await assert.rejects(emilia.events(), "the old address no longer authenticates");
  assert.equal(chat.user("emilia").email, "rossi@example.com");
  assert.equal((await iago.patch("/users/rossi@example.com", { full_name: "Emilia" })).result, "success");
  // An address that everyone sees is the API email as well.
  await iago.patch(`/users/${chat.ids["othello"]}`, { new_email: "moor@example.com" });
  assert.deepEqual((await people(hamlet)).slice(1), [
    { user_id: chat.ids["othello"], new_email: "moor@example.com" },
    { user_id: chat.ids["othello"], delivery_email: "moor@example.com" },
  ]);
  const audit = (await chat.as("desdemona").get("/host/audit"))["entries"];
  assert.deepEqual(
    audit.slice(0, 4).map(({ action, before, after }: any) => [action, before, after]),
    [
      ["change email", { email: "othello@example.com" }, { email: "moor@example.com" }],
      ["rename user", { full_name: "Emilia Rossi" }, { full_name: "Emilia" }],
      ["change email", { email: "emilia@example.com" }, { email: "rossi@example.com" }],
      ["rename user", { full_name: "Emilia" }, { full_name: "Emilia Rossi" }],
    ],
  );
});

test("one invalid part rejects the whole change", async (t) => {
  const chat = await startChat(t, { users: { brabantio: { role: 100 } }, unwatched: true });
  const iago = chat.as("iago");
  const othello = `/users/${chat.ids["othello"]}`;
  const wrong: [Record<string, unknown>, string][] = [
    [{ full_name: "O" }, "full_name"],
    [{ full_name: "x".repeat(101) }, "full_name"],
    ...["*", "`", "\\", ">", '"', "@"].map((sign): [Record<string, unknown>, string] => [
      { full_name: `Oth${sign}ello` },
      "full_name",
    ]),
    [{ new_email: "othello" }, "new_email"],
    [{ new_email: "HAMLET@example.com" }, "new_email"],
    [
      {
        new_email: `user3@${chat.server.app.store.reader.value("SELECT json_extract(value, '$') FROM organization_settings WHERE name = 'email_host'")}`,
      },
      "new_email",
    ],
    [{ role: 100 }, "role"],
  ];
  for (const [change, parameter] of wrong) {
    const answer = await iago.patch(othello, { full_name: "Changed", ...change });
    assert.deepEqual([answer.status, answer["var_name"]], [400, parameter], JSON.stringify(change));
    const user = chat.user("othello");
    assert.deepEqual([user.full_name, user.email, user.role], ["Othello", "othello@example.com", 400]);
  }
  for (const by of ["hamlet", "bot"])
    assert.equal((await chat.as(by).patch(othello, { full_name: "Moor" }))["code"], "UNAUTHORIZED_PRINCIPAL", by);
  assert.equal((await chat.as("polonius").patch(othello, { full_name: "Moor" }))["code"], "BAD_REQUEST");
  const owner = await iago.patch(`/users/${chat.ids["brabantio"]}`, { full_name: "Fool" });
  assert.equal(owner["code"], "UNAUTHORIZED_PRINCIPAL", "only owners change owners");
  const takeover = await iago.patch("/users/brabantio@example.com", { new_email: "iagos@example.com" });
  assert.equal(takeover["code"], "UNAUTHORIZED_PRINCIPAL");
  for (const path of ["/users/99999", "/users/no@example.com", "/users/notification-bot@hearth.invalid"])
    assert.equal((await iago.patch(path, { full_name: "Nobody" })).msg, "No such user", path);
  await chat.as("desdemona").patch("/realm", { require_unique_names: true });
  assert.equal((await iago.patch(othello, { full_name: "hamlet" }))["var_name"], "full_name");
  assert.equal((await iago.patch(othello, { full_name: "OTHELLO" })).result, "success", "their own");
});

test("people change their own details where the organization permits", async (t) => {
  const chat = await startChat(t, { users: await passwords() });
  const cordelia = await chat.register("cordelia");
  const own = chat.as("othello");
  assert.equal((await own.patch("/settings", { full_name: "The Moor", timezone: "Europe/Rome" })).result, "success");
  assert.deepEqual(
    (await cordelia.events()).map((event) => event["person"]),
    [
      { user_id: own.id, full_name: "The Moor" },
      { user_id: own.id, email: "othello@example.com", timezone: "Europe/Rome" },
    ],
  );
  for (const path of ["/settings/display", "/settings/notifications"])
    assert.equal((await own.patch(path, { full_name: "Othello" })).result, "success", path);
  for (const [change, parameter] of [
    [{ full_name: "O" }, "full_name"],
    [{ email: "hamlet@example.com" }, "email"],
    [{ email: "hamlet" }, "email"],
  ] as const) {
    const answer = await own.patch("/settings", { enter_sends: true, old_password, ...change });
    assert.deepEqual([answer.status, answer["var_name"]], [400, parameter]);
  }
  const { state } = await chat.register("othello");
  assert.equal((state["user_settings"] as any).enter_sends, false, "nothing changed");
  await chat.as("desdemona").patch("/realm", { name_changes_disabled: true, email_changes_disabled: true });
  for (const [change, reason] of [
    [{ full_name: "Moor" }, "name_change_administrators_only"],
    [{ email: "moor@example.com" }, "email_change_administrators_only"],
  ] as const)
    assert.equal((await own.patch("/settings", { ...change, old_password })).reason, reason);
  assert.equal(
    (await own.patch("/settings", { full_name: "Othello", email: "othello@example.com" })).result,
    "success",
    "unchanged values are allowed",
  );
  assert.equal((await chat.as("iago").patch("/settings", { full_name: "Honest Iago" })).result, "success");
  assert.equal((await chat.as("bot").patch("/settings", { full_name: "Beep" }))["code"], "BAD_REQUEST");
  assert.equal(
    (await chat.as("iago").patch("/settings", { email: "honest@example.com", old_password })).result,
    "success",
  );
  assert.equal(chat.user("iago").email, "honest@example.com");
});

test("a stolen key cannot change the account's email address", async (t) => {
  const chat = await startChat(t, {
    users: await passwords(),
    unwatched: true,
    operatorToken: "the operator's",
  });
  for (const name of ["othello", "iago"]) {
    const { email, id } = chat.as(name);
    const move = (params: object, path = "/settings") => chat.as(name).patch(path, { enter_sends: true, ...params });
    for (const path of ["/settings", "/settings/display", "/settings/notifications"]) {
      const answer = await move({ email: "thief@example.com" }, path);
      assert.deepEqual([answer.status, answer["code"]], [400, "REQUEST_VARIABLE_MISSING"], `${name} ${path}`);
      assert.equal(answer["var_name"], "old_password");
    }
    const guess = await move({ email: "thief@example.com", old_password: "a guess" });
    assert.deepEqual([guess.status, guess["code"], guess["var_name"]], [400, "BAD_REQUEST", "old_password"]);
    assert.equal((await chat.as(name).patch(`/users/${id}`, { new_email: "thief@example.com" })).result, "error");
    assert.equal(chat.user(name).email, email);
    const own = await move({ email: `new-${email}`, old_password });
    assert.equal(own.result, "success", own.msg);
    assert.equal(chat.user(name).email, `new-${email}`);
  }
  const authorization = "Bearer the operator's";
  const byOperator = await chat.anonymous("PATCH", "/settings", { email: "doge@example.com" }, { authorization });
  assert.equal(byOperator.result, "success", byOperator.msg);
  assert.equal(chat.user("desdemona").email, "doge@example.com");
});

test("throttles probing for taken email addresses", async (t) => {
  const chat = await startChat(t, { users: await passwords(), unwatched: true, rateLimit: "on" });
  const probe = (email: string) => chat.as("othello").patch("/settings", { email, old_password });
  for (const name of ["hamlet", "iago", "cordelia"])
    assert.equal((await probe(`${name}@example.com`))["code"], "BAD_REQUEST");
  assert.equal((await probe("othello@example.com")).result, "success", "one's own address does not count as a probe");
  assert.equal((await probe("polonius@example.com"))["code"], "BAD_REQUEST");
  assert.equal((await probe("bot@example.com"))["code"], "BAD_REQUEST");
  assert.equal((await probe("desdemona@example.com"))["code"], "RATE_LIMIT_HIT");
  assert.equal((await chat.as("othello").patch("/settings", { enter_sends: true })).result, "success");
  // Nobody can exhaust another account's attempts by signing in under its rate-limit key.
  const username = `email of user ${chat.ids["hamlet"]}`;
  for (let at = 0; at < 5; at++) await chat.anonymous("POST", "/fetch_api_key", { username, password: "a guess" });
  assert.equal(
    (await chat.as("hamlet").patch("/settings", { email: "prince@example.com", old_password })).result,
    "success",
  );
});

test("an added person starts with the defaults", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "general" }, { name: "other" }] });
  await chat.as("desdemona").post("/default_streams", { stream_id: chat.ids["general"] });
  const owner = await chat.register("desdemona");
  const added = await chat
    .as("iago")
    .post("/users", { email: "new@example.com", full_name: "Newcomer", password: "a motley fool" });
  assert.equal(added.result, "success", added.msg);
  const { api_key, user_id } = await chat.anonymous("POST", "/fetch_api_key", {
    username: "new@example.com",
    password: "a motley fool",
  });
  assert.equal(user_id, added["user_id"]);
  const authorization = `Basic ${Buffer.from(`new@example.com:${api_key}`).toString("base64")}`;
  const ask = (path: string, params = {}) => chat.anonymous("GET", path, params, { authorization });
  const { subscriptions } = await ask("/users/me/subscriptions");
  assert.deepEqual(
    subscriptions.map(({ name }: { name: string }) => name),
    ["general"],
  );
  const { messages } = await ask("/messages", {
    anchor: "newest",
    num_before: 5,
    num_after: 0,
    narrow: [["is", "dm"]],
  });
  assert.deepEqual(
    messages.map((one: any) => one.sender_full_name),
    ["Notification Bot"],
  );
  const events = await owner.events();
  assert.deepEqual(
    events.filter(({ type }) => type === "realm_user").map((event) => [event["op"], event["person"].user_id]),
    [["add", user_id]],
  );
  assert.ok(events.some(({ op }) => op === "peer_add"));
});

test("profile values and the account change together or not at all", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const field = await chat.as("desdemona").post("/realm/profile_fields", { name: "Town", hint: "", field_type: 1 });
  assert.equal(field.result, "success", field.msg);
  const othello = `/users/${chat.ids["othello"]}`;
  const iago = chat.as("iago");
  const done = await iago.patch(othello, { profile_data: [{ id: field["id"], value: "Venice" }], full_name: "Moor" });
  assert.equal(done.result, "success", done.msg);
  const person = async () => (await iago.get(othello, { include_custom_profile_fields: true }))["user"];
  assert.deepEqual([(await person()).full_name, (await person()).profile_data[field["id"]].value], ["Moor", "Venice"]);
  const wrong = await iago.patch(othello, { full_name: "Othello", profile_data: [{ id: 99999, value: "x" }] });
  assert.deepEqual([wrong.status, wrong["var_name"]], [400, "profile_data"]);
  assert.equal((await person()).full_name, "Moor");
  const others = await chat.as("hamlet").patch(othello, { profile_data: [{ id: field["id"], value: "Cyprus" }] });
  assert.equal(others["code"], "UNAUTHORIZED_PRINCIPAL");
});

test("administrators see what belongs to an account", async (t) => {
  let now = Date.now();
  const chat = await startChat(t, {
    now: () => now,
    users: { ...(await passwords()), emilia: {} },
    channels: [
      { name: "general", subscribers: ["hamlet", "iago"] },
      { name: "secrets", private: true, subscribers: ["hamlet", "desdemona"] },
      { name: "closed", subscribers: ["hamlet"] },
    ],
    unwatched: true,
  });
  const [desdemona, iago, hamlet] = [chat.as("desdemona"), chat.as("iago"), chat.as("hamlet")];
  const account = async (by: typeof iago) => {
    const { result: _, msg: __, status: ___, ...answer } = await by.get(`/host/users/${hamlet.id}`);
    return answer as any;
  };
  const [general, secrets] = [chat.ids["general"], chat.ids["secrets"]];
  await desdemona.delete(`/streams/${chat.ids["closed"]}`);
  assert.deepEqual(await account(iago), {
    channel_ids: [general, secrets],
    sessions: [],
    listening: 0,
    scheduled_messages: 0,
  });

  const at = Math.floor(Date.now() / 1000) + 3600;
  await hamlet.post("/scheduled_messages", {
    type: "channel",
    to: general,
    topic: "later",
    content: "later",
    scheduled_delivery_timestamp: at,
  });
  await chat.register("hamlet"); // has never polled
  const app = await chat.register("hamlet");
  await app.events();
  const body = new URLSearchParams({ username: hamlet.email, password: old_password });
  assert.equal((await fetch(`${chat.url}/host/session`, { method: "POST", body })).status, 200);
  const { sessions, ...rest } = await account(desdemona);
  assert.deepEqual(rest, { channel_ids: [general, secrets], listening: 1, scheduled_messages: 1 });
  assert.equal(sessions.length, 1);
  assert.equal(sessions[0].expires_at - sessions[0].created_at, 14 * 24 * 3_600_000);
  const waiting = hamlet.get("/events", { queue_id: app.queueId });
  await until(() => chat.server.app.queues.waiting === 1 || undefined, "a poll that waits");
  now += 60_000;
  assert.equal((await account(iago)).listening, 1, "however long it waits");
  chat.server.app.queues.remove(app.queueId);
  await waiting;
  await (await chat.register("hamlet")).events();
  assert.equal((await account(iago)).listening, 1);
  now += 141_000;
  assert.equal((await account(iago)).listening, 0, "nobody polls any more");

  await iago.post("/host/key-revocations", { user_id: hamlet.id });
  assert.deepEqual((await account(iago)).sessions, [], "sessions from before are void");
});

test("an account's details are hidden from users who cannot change it", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const { id } = chat.as("othello");
  assert.equal((await chat.as("hamlet").get(`/host/users/${id}`))["code"], "UNAUTHORIZED_PRINCIPAL");
  assert.equal((await chat.as("polonius").get(`/host/users/${id}`)).status, 400);
  const ofOwner = await chat.as("iago").get(`/host/users/${chat.as("desdemona").id}`);
  assert.equal(ofOwner.msg, "Only owners can change an owner.");
  assert.equal((await chat.as("iago").get("/host/users/99999")).msg, "No such user");
});
