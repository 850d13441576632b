import assert from "node:assert/strict";
import { request } from "node:http";
import test, { type TestContext } from "node:test";
import { replaceKey } from "../../server/api/actions/sessions.ts";
import { fetchApiKey } from "../../server/api/endpoints/api-keys.ts";
import { getOwnUser } from "../../server/api/endpoints/users.ts";
import { passwordHashing } from "../../server/host/credentials/passwords.ts";
import { serve, startOrganization } from "../support/organization.ts";

const password = "put money in thy purse";

async function withIago(t: TestContext) {
  const organization = await startOrganization(t);
  const iago = organization.add("iago", { password_hash: await passwordHashing({ cost: 1024 }).hash(password) });
  return { organization, iago, ...(await serve(t, organization, [fetchApiKey, getOwnUser])) };
}

function signInFrom(
  localAddress: string,
  baseUrl: string,
  fields: Record<string, string>,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const sent = request(`${baseUrl}/api/v1/fetch_api_key`, { method: "POST", localAddress, headers }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode));
    });
    sent.on("error", reject).end(new URLSearchParams(fields).toString());
  });
}

test("a password is exchanged for a working key", async (t) => {
  const { call, iago, keys } = await withIago(t);
  const { status, body } = await call(null, "POST /api/v1/fetch_api_key", { username: "IAGO@example.com", password });
  assert.equal(status, 200);
  assert.deepEqual([body["api_key"], body["email"], body["user_id"]], [keys.keyOf(iago), "iago@example.com", iago.id]);
  assert.equal((await call(iago, "GET /api/v1/users/me")).body["user_id"], iago.id);
});

test("all failed sign-ins get the same response", async (t) => {
  const { call, organization } = await withIago(t);
  organization.add("clown", { is_bot: true });
  const answers: { status: number; body: Record<string, unknown> }[] = [];
  for (const username of ["iago@example.com", "nobody@example.com", "clown@example.com", ""]) {
    const { status, body } = await call(null, "POST /api/v1/fetch_api_key", { username, password: "wrong" });
    answers.push({ status, body });
  }
  assert.equal(answers[0]?.status, 401);
  assert.equal(answers[0]?.body["code"], "AUTHENTICATION_FAILED");
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
});

test("only the right password reveals a deactivation", async (t) => {
  const { call, organization, iago } = await withIago(t);
  organization.act((tx) => tx.run("UPDATE users SET is_active = 0 WHERE id = ?", iago.id));
  const tried = async (given: string) =>
    (await call(null, "POST /api/v1/fetch_api_key", { username: iago.email, password: given })).body["code"];
  assert.equal(await tried("wrong"), "AUTHENTICATION_FAILED");
  assert.equal(await tried(password), "USER_DEACTIVATED");
});

test("the sixth guess is throttled for that account only", async (t) => {
  const { call, organization } = await withIago(t);
  organization.add("emilia", { password_hash: await passwordHashing({ cost: 1024 }).hash(password) });
  const tried = (username: string, given: string) =>
    call(null, "POST /api/v1/fetch_api_key", { username, password: given });
  for (let guess = 0; guess < 5; guess++) assert.equal((await tried("iago@example.com", `guess ${guess}`)).status, 401);
  const { status, body, headers } = await tried("Iago@Example.com", password);
  assert.deepEqual([status, body["code"]], [429, "RATE_LIMIT_HIT"]);
  assert.ok(Number(headers.get("retry-after")) > 0);
  assert.equal((await tried("emilia@example.com", password)).status, 200);
});

const loopback = { skip: process.platform !== "linux" && "only Linux has all of 127.0.0.0/8" };

test("a stranger's guesses lock out neither the owner nor a newcomer", loopback, async (t) => {
  const { organization, baseUrl, iago } = await withIago(t);
  const tried = (localAddress: string, given: string) =>
    signInFrom(localAddress, baseUrl, { username: "iago@example.com", password: given });
  const home = "127.0.0.2";
  assert.equal(await tried(home, password), 200);
  const stranger = [];
  for (let guess = 0; guess < 6; guess++) stranger.push(await tried("127.0.0.3", `guess ${guess}`));
  assert.deepEqual(stranger, [401, 401, 401, 401, 401, 429]);
  assert.equal(await tried("127.0.0.4", password), 200, "from an address that is new");
  for (let at = 5; at < 40; at++) for (let i = 0; i < 5; i++) await tried(`127.0.0.${at}`, "a guess");
  assert.equal(await tried("127.0.0.41", password), 429, "the day's guesses from new addresses are used up");
  assert.equal(await tried(home, password), 200, "from an address where he has signed in before");
  organization.act((tx) => void replaceKey(tx, iago, iago));
  assert.equal(await tried(home, password), 429, "after a key that others may have had, no address counts as his");
});

test("a password that was not checked does not count as a guess", async (t) => {
  const { call, app } = await withIago(t);
  const tried = (given: string) =>
    call(null, "POST /api/v1/fetch_api_key", { username: "iago@example.com", password: given });
  // Every worker hashes again immediately, so the queue stays full however slowly requests arrive.
  let asking = true;
  const keepHashing = async () => {
    while (asking) await app.passwords.hash(password, { source: "127.0.0.1" });
  };
  const busy = Array.from({ length: 21 }, keepHashing);
  const refused = await Promise.all(Array.from({ length: 4 }, () => tried(password)));
  asking = false;
  await Promise.all(busy);
  assert.ok(refused.some(({ status }) => status === 429));
  for (let guess = 0; guess < 4; guess++) assert.equal((await tried(`guess ${guess}`)).status, 401);
  assert.equal((await tried(password)).status, 200);
});
