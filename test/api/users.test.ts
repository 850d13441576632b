import assert from "node:assert/strict";
import test from "node:test";
import { addUser, getOwnUser, getUsers } from "../../server/api/endpoints/users.ts";
import { ROLES, userByEmail } from "../../server/api/queries/users.ts";
import { startChat } from "../support/chat.ts";
import { serve, startOrganization } from "../support/organization.ts";

const endpoints = [addUser, getUsers, getOwnUser];
const iago = { email: "iago@example.com", password: "honest honest", full_name: "Iago" };

test("an administrator adds a person, who is then listed", async (t) => {
  const organization = await startOrganization(t);
  const { call } = await serve(t, organization, endpoints);
  const cassio = organization.add("cassio", { role: ROLES.administrator });
  const added = await call(cassio, "POST /api/v1/users", iago);
  assert.equal(added.status, 200);
  const { body } = await call(cassio, "GET /api/v1/users", { user_ids: [added.body["user_id"]] });
  assert.deepEqual(body["members"], [
    {
      user_id: added.body["user_id"],
      delivery_email: "iago@example.com",
      email: "iago@example.com",
      full_name: "Iago",
      date_joined: (body["members"] as { date_joined: string }[])[0]?.date_joined,
      is_active: true,
      is_owner: false,
      is_admin: false,
      is_guest: false,
      is_bot: false,
      bot_type: null,
      bot_owner_id: null,
      role: 400,
      timezone: "",
      avatar_url: `/generated/user-${added.body["user_id"]}.png?version=1`,
      avatar_version: 1,
      is_imported_stub: false,
    },
  ]);
});

test("a person starts with the chosen role, channels and groups, or not at all", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "general" }, { name: "castle", subscribers: ["iago"] }] });
  const [general, castle] = [chat.ids["general"], chat.ids["castle"]] as [number, number];
  await chat.as("desdemona").post("/default_streams", { stream_id: general });
  const members = [chat.ids["iago"]];
  const { group_id } = await chat.as("iago").post("/user_groups/create", { name: "crew", description: "", members });
  const add = (email: string, more: object, by = "iago") =>
    chat.as(by).post("/users", { email, full_name: email.split("@")[0], password: "a motley fool", ...more });
  const { user_id, msg } = await add("guest@example.com", {
    invite_as: 600,
    stream_ids: [castle],
    group_ids: [group_id],
  });
  assert.equal(msg, "");
  const { user } = await chat.as("iago").get(`/users/${user_id}`);
  assert.equal(user.role, ROLES.guest);
  const isIn = async (id: number, channel: number) =>
    (await chat.as("iago").get(`/users/${id}/subscriptions/${channel}`)).is_subscribed;
  assert.deepEqual([await isIn(user_id, castle), await isIn(user_id, general)], [true, false]);
  const crew = await chat.as("iago").get(`/user_groups/${group_id}/members`);
  assert.ok(crew.members.includes(user_id));
  const plain = await add("plain@example.com", {});
  assert.deepEqual([await isIn(plain.user_id, castle), await isIn(plain.user_id, general)], [false, true]);
  for (const [more, expected] of [
    [{ invite_as: 100 }, "owner_role_owners_only"],
    [{ stream_ids: [9_999] }, "initial_channel_not_found"],
    [{ group_ids: [9_999] }, "user_group_not_found"],
  ] as const) {
    const { result, reason } = await add("other@example.com", more);
    assert.equal(result, "error");
    assert.equal(reason, expected);
  }
  assert.equal(userByEmail(chat.server.app.store.reader, "other@example.com"), undefined);
});

test("only administrators add people", async (t) => {
  const organization = await startOrganization(t);
  const { call } = await serve(t, organization, endpoints);
  const refused = [
    [organization.add("lodovico", { role: ROLES.moderator }), 400, "UNAUTHORIZED_PRINCIPAL"],
    [organization.add("emilia"), 400, "UNAUTHORIZED_PRINCIPAL"],
    [organization.add("roderigo", { role: ROLES.guest }), 400, "BAD_REQUEST"],
    [null, 401, "UNAUTHORIZED"],
  ] as const;
  for (const [who, status, code] of refused) {
    const answer = await call(who, "POST /api/v1/users", iago);
    assert.deepEqual([answer.status, answer.body["code"]], [status, code]);
  }
  assert.equal(userByEmail(organization.store.reader, iago.email), undefined);
});

test("an invalid person is not stored", async (t) => {
  const organization = await startOrganization(t);
  const { call } = await serve(t, organization, endpoints);
  const wrong: [Record<string, string>, RegExp][] = [
    [{ email: "iago" }, /email/],
    [{ email: "DESDEMONA@example.com" }, /already/],
    [{ password: "short" }, /at least 6/],
    [{ password: "x".repeat(101) }, /at most 100/],
    [{ full_name: "I" }, /at least 2/],
    [{ full_name: "I*go" }, /cannot contain/],
  ];
  for (const [change, message] of wrong) {
    const { status, body } = await call(organization.owner, "POST /api/v1/users", { ...iago, ...change });
    const [parameter] = Object.keys(change);
    assert.deepEqual([status, body["code"], body["var_name"]], [400, "BAD_REQUEST", parameter]);
    assert.match(body["msg"] as string, message);
  }
  const missing = await call(organization.owner, "POST /api/v1/users", { email: iago.email, full_name: "Iago" });
  assert.deepEqual([missing.body["code"], missing.body["var_name"]], ["REQUEST_VARIABLE_MISSING", "password"]);
  assert.equal(organization.store.reader.value("SELECT COUNT(*) FROM users WHERE system_bot IS NULL"), 1);
});

test("only one of two concurrent uses of an email address succeeds", async (t) => {
  const organization = await startOrganization(t);
  const { call } = await serve(t, organization, endpoints);
  const answers = await Promise.all([1, 2].map(() => call(organization.owner, "POST /api/v1/users", iago)));
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 400]);
});

test("guests and bots list users, anonymous callers do not", async (t) => {
  const organization = await startOrganization(t);
  const { call } = await serve(t, organization, endpoints);
  const roderigo = organization.add("roderigo", { role: ROLES.guest });
  const clown = organization.add("clown", { is_bot: true, bot_owner_id: organization.owner.id });
  for (const viewer of [roderigo, clown]) {
    const { body } = await call(viewer, "GET /api/v1/users", { include_custom_profile_fields: true });
    const members = body["members"] as { user_id: number; is_bot: boolean; bot_type: number; profile_data?: object }[];
    assert.deepEqual(
      members.map((member) => member.user_id),
      [organization.owner.id, roderigo.id, clown.id],
    );
    assert.deepEqual(
      members.map((member) => member.profile_data),
      [{}, {}, undefined],
    );
    assert.equal(members[2]?.bot_type, 1);
  }
  assert.equal((await call(null, "GET /api/v1/users")).status, 401);
});

test("everyone gets their own data", async (t) => {
  const organization = await startOrganization(t);
  const { call } = await serve(t, organization, endpoints);
  const roderigo = organization.add("roderigo", { role: ROLES.guest });
  const { body } = await call(roderigo, "GET /api/v1/users/me");
  assert.equal(body["user_id"], roderigo.id);
  assert.equal(body["delivery_email"], "roderigo@example.com");
  assert.equal(body["is_guest"], true);
  assert.equal(body["max_message_id"], -1);
  assert.equal((await call(null, "GET /api/v1/users/me")).status, 401);
});

test("pictures are public without revealing which users exist", async (t) => {
  const organization = await startOrganization(t);
  const { call } = await serve(t, organization, endpoints);
  for (const name of ["user-1.png", "user-1-medium.png", "user-999999.png", "organization.png"]) {
    const { status, headers, bytes } = await call(null, `GET /generated/${name}`);
    assert.deepEqual([status, headers.get("content-type")], [200, "image/png"], name);
    assert.equal(bytes.toString("latin1", 1, 4), "PNG");
  }
  for (const name of ["user-0.png", "user-x.png", "secret.key", "..%2f..%2fsecret.key"]) {
    assert.equal((await call(null, `GET /generated/${name}`)).status, 404, name);
  }
});

test("a user's channels are those that the caller can see", async (t) => {
  const channels = [
    { name: "general", subscribers: ["hamlet", "othello", "bot"] },
    { name: "design", private: true, subscribers: ["hamlet", "cordelia"] },
    { name: "old", subscribers: ["hamlet"] },
  ];
  const chat = await startChat(t, { channels });
  const [general, design] = [chat.ids["general"], chat.ids["design"]];
  assert.equal((await chat.as("iago").delete(`/streams/${chat.ids["old"]}`)).status, 200);
  const seen = async (viewer: string, user: string) =>
    (await chat.as(viewer).get(`/users/${chat.ids[user]}/channels`)).subscribed_channel_ids;
  assert.deepEqual(await seen("hamlet", "hamlet"), [general, design]);
  assert.deepEqual(await seen("cordelia", "hamlet"), [general, design]);
  assert.deepEqual(await seen("othello", "hamlet"), [general]);
  assert.deepEqual(await seen("iago", "hamlet"), [general, design]);
  assert.deepEqual(await seen("polonius", "hamlet"), []);
  assert.deepEqual(await seen("othello", "bot"), [general]);
  const { status, code } = await chat.as("hamlet").get("/users/999/channels");
  assert.deepEqual([status, code], [400, "BAD_REQUEST"]);
});
