import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { apiKeys } from "../../server/host/credentials/derived-keys.ts";
import { createSecret, readSecret, SecretDamaged } from "../../server/host/credentials/secret-key.ts";
import { openStore } from "../../server/storage/store.ts";
import { temporaryFolder } from "../support/organization.ts";

const othello = { id: 7, key_generation: 1 };

test("a key derives from secret, user and generation", () => {
  const secret = randomBytes(32);
  const keys = apiKeys(secret);
  const key = keys.keyOf(othello);
  assert.match(key, /^[0-9A-Za-z]{32}$/);
  assert.equal(apiKeys(secret).keyOf(othello), key);
  assert.notEqual(keys.keyOf({ id: 8, key_generation: 1 }), key);
  assert.notEqual(keys.keyOf({ id: 7, key_generation: 2 }), key);
  assert.notEqual(apiKeys(randomBytes(32)).keyOf(othello), key);
});

test("a key is valid for its own user only", () => {
  const keys = apiKeys(randomBytes(32));
  const key = keys.keyOf(othello);
  assert.equal(keys.matches(othello, key), true);
  for (const wrong of ["", key.slice(1), `${key}x`, `${key.slice(0, -1)}é`, keys.keyOf({ id: 8, key_generation: 1 })]) {
    assert.equal(keys.matches(othello, wrong), false);
  }
  assert.equal(keys.matches({ id: 7, key_generation: 2 }, key), false);
});

test("a secret is created once and protected", (t) => {
  const folder = temporaryFolder(t);
  const secret = createSecret(folder);
  assert.equal(secret.length, 32);
  if (process.platform !== "win32") assert.equal(statSync(join(folder, "secret.key")).mode & 0o777, 0o600);
  assert.deepEqual(createSecret(folder), secret);
  assert.deepEqual(readSecret(folder), secret);
});

test("reports a missing secret next to data", async (t) => {
  const folder = temporaryFolder(t);
  await (await openStore({ folder, create: true })).close();
  assert.throws(() => readSecret(folder), /secret\.key is missing.*backup/);
  assert.throws(() => createSecret(folder), /secret\.key is missing.*backup/);
  assert.equal(existsSync(join(folder, "secret.key")), false);
});

test("explains how to start in a folder without data", (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, "log"));
  assert.throws(() => readSecret(folder), /hearth init/);
  assert.equal(createSecret(folder).length, 32);
});

test("a flipped bit in the secret is always detected", (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, "secret.key");
  createSecret(folder);
  const written = readFileSync(path);
  for (let bit = 0; bit < written.length * 8; bit += 1) {
    const damaged = Buffer.from(written);
    damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7));
    writeFileSync(path, damaged);
    assert.throws(() => readSecret(folder), SecretDamaged, `bit ${bit}`);
  }
  for (const other of ["", "short", written.subarray(0, 32), Buffer.concat([written, Buffer.from("\n")])]) {
    writeFileSync(path, other);
    assert.throws(() => readSecret(folder), /secret\.key .*Copy the data folder first.*--secret-only.*rotate-secret/);
  }
  writeFileSync(path, randomBytes(32));
  assert.throws(() => readSecret(folder), /secret\.key has no checksum/);
});

test("a damaged secret stays untouched", (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, "secret.key"), "short");
  assert.throws(() => readSecret(folder), /damaged/);
  assert.throws(() => createSecret(folder), /damaged/);
  assert.equal(readFileSync(join(folder, "secret.key"), "utf8"), "short");
});
