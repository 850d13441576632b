import assert from "node:assert/strict";
import test from "node:test";
import { type Params, startChat } from "../support/chat.ts";

const APNS = { token: "c0ffee00", appid: "org.zulip.Zulip" };
const FCM = { token: "eFcm:token_of-a/phone" };
const ENCRYPTED = {
  token_kind: "fcm",
  push_account_id: "9223372036854775807",
  push_public_key: "9S+r1W0H4o1xqZ6Y0Zt3kQ==",
  bouncer_public_key: "any",
  encrypted_push_registration: "aGVhcnRo",
};
const REFUSED = ["error", 400, "PUSH_SERVICE_NOT_CONFIGURED"];
type Calls = ["post" | "delete", string, Params][];
const TOKENS: Calls = [
  ["post", "/users/me/apns_device_token", APNS],
  ["post", "/users/me/android_gcm_reg_id", FCM],
  ["delete", "/users/me/apns_device_token", { token: APNS.token }],
  ["delete", "/users/me/android_gcm_reg_id", FCM],
];
const NOTIFICATIONS: Calls = [
  ["post", "/mobile_push/register", ENCRYPTED],
  ["post", "/mobile_push/test_notification", {}],
  ["post", "/mobile_push/e2ee/test_notification", {}],
];
const CALLS = [...TOKENS, ...NOTIFICATIONS];

test("stores the tokens of devices until they are removed", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const rows = () =>
    chat.server.app.store.reader.all("SELECT user_id, kind, token, app_id FROM push_tokens ORDER BY id");
  const call = async (name: string, [method, path, params]: Calls[number]) =>
    (await chat.as(name)[method](path, params)).status;
  const { hamlet: user_id, othello } = chat.ids as Record<string, number>;
  for (const one of [...TOKENS.slice(0, 2), ...TOKENS.slice(0, 2)]) assert.equal(await call("hamlet", one), 200);
  const fcm = { kind: "fcm", token: FCM.token, app_id: null };
  const apns = { user_id, kind: "apns", token: APNS.token, app_id: APNS.appid };
  assert.deepEqual(rows(), [apns, { user_id, ...fcm }]);
  for (const one of TOKENS.slice(2)) assert.equal(await call("othello", one), 400, "another person's token");
  const known = await chat.as("hamlet").post("/mobile_push/test_notification", { token: APNS.token });
  assert.equal(known["code"], "PUSH_SERVICE_NOT_CONFIGURED");
  for (const status of [200, 400]) for (const one of TOKENS.slice(2)) assert.equal(await call("hamlet", one), status);
  assert.deepEqual(rows(), []);
  for (const name of ["hamlet", "othello"]) await chat.as(name).post("/users/me/android_gcm_reg_id", FCM);
  await chat.as("hamlet").post("/users/me/api_key/regenerate");
  assert.deepEqual(rows(), [{ user_id: othello, ...fcm }]);
  await chat.as("desdemona").delete(`/users/${othello}`);
  assert.deepEqual(rows(), []);
});

test("keeps the newest 50 tokens of a person", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  for (let n = 0; n < 51; n += 1) await chat.as("hamlet").post("/users/me/android_gcm_reg_id", { token: `t${n}` });
  const all = chat.server.app.store.reader.all<{ token: string }>("SELECT token FROM push_tokens ORDER BY id");
  assert.deepEqual([all.length, all[0]?.token, all[49]?.token], [50, "t1", "t50"]);
});

test("rejects push registrations with the code that clients know", async (t) => {
  const chat = await startChat(t);
  const { state } = await chat.register("polonius");
  assert.deepEqual([state["push_devices"], state["realm_push_notifications_enabled"]], [{}, false]);
  for (const [method, path, params] of NOTIFICATIONS) {
    for (const name of ["hamlet", "polonius"]) {
      const { result, status, code } = await chat.as(name)[method](path, params);
      assert.deepEqual([result, status, code], REFUSED, path);
    }
  }
  for (const [method, path, params] of CALLS) {
    const bot = await chat.as("bot")[method](path, params);
    assert.deepEqual([bot.status, bot["code"]], [400, "BAD_REQUEST"], path);
    assert.equal((await chat.anonymous(method.toUpperCase(), path, params)).status, 401, path);
  }
  for (const push_account_id of ["0", "-9223372036854775808", 7]) {
    for (const path of ["/mobile_push/register", "/mobile_push/e2ee/test_notification"]) {
      const answer = await chat.as("hamlet").post(path, { ...ENCRYPTED, push_account_id });
      assert.deepEqual([answer.result, answer.status, answer["code"]], REFUSED);
    }
  }
  const apns = { ...APNS, token: "wP/uAA==" };
  assert.equal((await chat.as("hamlet").post("/users/me/apns_device_token", apns)).status, 200);
  const unknown = await chat.as("hamlet").post("/mobile_push/test_notification", FCM);
  assert.deepEqual([unknown.status, unknown["code"]], [400, "INVALID_PUSH_DEVICE_TOKEN"]);
});

test("parameter errors of a push registration come first", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const hamlet = chat.as("hamlet");
  for (const [method, path, params] of CALLS) {
    for (const name of Object.keys(params)) {
      const answer = await hamlet[method](path, { ...params, [name]: undefined });
      assert.deepEqual([answer["code"], answer["var_name"]], ["REQUEST_VARIABLE_MISSING", name], path);
    }
  }
  const wrong: [string, Params][] = [
    ["/users/me/apns_device_token", { ...APNS, token: "" }],
    ["/users/me/apns_device_token", { ...APNS, token: "not hex" }],
    ["/users/me/apns_device_token", { ...APNS, token: "a".repeat(4097) }],
    ["/users/me/apns_device_token", { ...APNS, appid: "an app" }],
    ["/users/me/apns_device_token", { ...APNS, appid: "" }],
    ["/users/me/android_gcm_reg_id", { token: "" }],
    ["/users/me/android_gcm_reg_id", { token: "a".repeat(4097) }],
    ["/mobile_push/register", { ...ENCRYPTED, token_kind: "wns" }],
    ["/mobile_push/register", { ...ENCRYPTED, push_account_id: "x" }],
    ["/mobile_push/register", { ...ENCRYPTED, push_account_id: "9223372036854775808" }],
    ["/mobile_push/e2ee/test_notification", { push_account_id: "x" }],
    ["/mobile_push/register", { ...ENCRYPTED, push_public_key: "a" }],
    ["/mobile_push/register", { ...ENCRYPTED, push_public_key: "" }],
    ["/mobile_push/register", { ...ENCRYPTED, encrypted_push_registration: "?" }],
  ];
  for (const [path, params] of wrong) {
    const answer = await hamlet.post(path, params);
    assert.deepEqual([answer.status, answer["code"]], [400, "BAD_REQUEST"], JSON.stringify(params));
    assert.match(answer.msg, /^(token|appid|token_kind|push_account_id|push_public_key|encrypted_push_registration)\b/);
  }
  for (const [path, token] of [
    ["/users/me/apns_device_token", "-"],
    ["/users/me/android_gcm_reg_id", ""],
  ] as const)
    assert.equal((await hamlet.delete(path, { token }))["code"], "BAD_REQUEST");
});
