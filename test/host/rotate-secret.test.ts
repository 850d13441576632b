import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { readSecret, rotateSecret } from "../../server/host/credentials/secret-key.ts";
import { killedAt } from "../support/killed-files.ts";
import { dataFolder, emptyFolder, hearth, type Person, serve } from "../support/server-process.ts";

const secretOf = (folder: string) => readFileSync(join(folder, "secret.key"));

test("rotating the secret revokes every key and nothing else", async (t) => {
  const folder = await dataFolder(t);
  const before = secretOf(folder.path);
  const names = readdirSync(folder.path).sort();
  const done = hearth(t, ["rotate-secret", "--data", folder.path]);
  assert.deepEqual(await done.ended, { code: 0, signal: null });
  assert.match(done.stdout, /API keys .* void.*Passwords still count/);
  assert.equal(done.stderr, "");
  assert.notDeepEqual(secretOf(folder.path), before);
  assert.deepEqual(readdirSync(folder.path).sort(), [...names, "lock"].sort());
  const server = await serve(t, folder.path);
  for (const person of folder.people) {
    const response = await fetch(`${server.url}/api/v1/users/me`, { headers: { authorization: person.authorization } });
    assert.equal(response.status, 401);
    assert.equal(((await response.json()) as { code: string }).code, "INVALID_API_KEY");
  }
  const signIn = await fetch(`${server.url}/api/v1/fetch_api_key`, {
    method: "POST",
    body: new URLSearchParams({ username: "owner@example.com", password: "secret-owner" }),
  });
  const { api_key } = (await signIn.json()) as { api_key: string };
  const owner: Person = {
    id: 1,
    authorization: `Basic ${Buffer.from(`owner@example.com:${api_key}`).toString("base64")}`,
  };
  const me = await fetch(`${server.url}/api/v1/users/me`, { headers: { authorization: owner.authorization } });
  assert.equal(me.status, 200);

  // A running server prevents changing the secret.
  const held = secretOf(folder.path);
  const refused = hearth(t, ["rotate-secret", "--data", folder.path]);
  assert.equal((await refused.ended).code, 1);
  assert.match(refused.stderr, new RegExp(`^Hearth: .*in use.*${server.url}.*Stop that server first`));
  assert.deepEqual(secretOf(folder.path), held);
});

test("a missing organization or folder name is reported", async (t) => {
  const empty = emptyFolder(t);
  for (const folder of [empty, join(empty, "none")]) {
    const refused = hearth(t, ["rotate-secret", "--data", folder]);
    assert.equal((await refused.ended).code, 1);
    assert.match(refused.stderr, /no organization here/);
  }
  assert.deepEqual(readdirSync(empty), [], "nothing is made");
  const unnamed = hearth(t, ["rotate-secret"]);
  assert.equal((await unnamed.ended).code, 2);
  assert.match(unnamed.stderr, /--data is missing/);
});

test("a kill at any moment leaves a usable secret", async (t) => {
  const { path } = await dataFolder(t);
  const old = secretOf(path);
  let died = 0;
  for (let step = 0; ; step++) {
    writeFileSync(join(path, "secret.key"), old);
    try {
      rotateSecret(path, killedAt(step).files);
      break;
    } catch (error) {
      assert.equal((error as Error).message, "killed");
      died += 1;
      assert.equal(readSecret(path).length, 32, `step ${step}`);
      rotateSecret(path);
      assert.notDeepEqual(readSecret(path), old, "and the next try succeeds over what was left");
    }
  }
  assert.ok(died >= 5, `${died} steps`);
});

test("a lost or damaged secret is replaced", async (t) => {
  const { path } = await dataFolder(t);
  writeFileSync(join(path, "secret.key"), "short");
  rotateSecret(path);
  assert.equal(readSecret(path).length, 32);
  rmSync(join(path, "secret.key"));
  rotateSecret(path);
  assert.equal(readSecret(path).length, 32);
});
