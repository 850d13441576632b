import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import test from "node:test";
import { viewerByKey } from "../../server/api/access/authentication.ts";
import { apiKeys } from "../../server/host/credentials/derived-keys.ts";
import { startOrganization } from "../support/organization.ts";

const invalid = { code: "INVALID_API_KEY", status: 401 };

test("finds a user by email address in any case, and key", async (t) => {
  const { store, add } = await startOrganization(t);
  const [iago, emilia] = [add("iago"), add("emilia")];
  const keys = apiKeys(randomBytes(32));
  for (let again = 0; again < 2; again++) {
    assert.equal(viewerByKey(store.reader, keys, "IAGO@example.com", keys.keyOf(iago)).id, iago.id);
    assert.throws(() => viewerByKey(store.reader, keys, "emilia@example.com", keys.keyOf(iago)), invalid);
    assert.throws(() => viewerByKey(store.reader, keys, "nobody@example.com", keys.keyOf(iago)), invalid);
    assert.throws(() => viewerByKey(store.reader, keys, "iago@example.com", "x".repeat(32)), invalid);
    assert.throws(() => viewerByKey(store.reader, keys, "iago@example.com", keys.keyOf(emilia)), invalid);
  }
});

test("rotation, deactivation and email address changes invalidate a cached key", async (t) => {
  const { store, add, act } = await startOrganization(t);
  const keys = apiKeys(randomBytes(32));
  const signIn = (email: string, key: string) => viewerByKey(store.reader, keys, email, key);
  const [iago, emilia, cassio] = [add("iago"), add("emilia"), add("cassio")];
  for (const user of [iago, emilia, cassio]) signIn(user.email, keys.keyOf(user));

  act((tx) => tx.run("UPDATE users SET key_generation = 2 WHERE id = ?", iago.id));
  assert.throws(() => signIn(iago.email, keys.keyOf(iago)), invalid);
  assert.equal(signIn(iago.email, keys.keyOf({ ...iago, key_generation: 2 })).id, iago.id);

  act((tx) => tx.run("UPDATE users SET is_active = 0 WHERE id = ?", emilia.id));
  assert.throws(() => signIn(emilia.email, keys.keyOf(emilia)), { code: "USER_DEACTIVATED", status: 401 });
  assert.throws(() => signIn(emilia.email, "x".repeat(32)), invalid);

  act((tx) =>
    tx.run(
      "UPDATE users SET email = ?, email_key = ? WHERE id = ?",
      "michael@example.com",
      "michael@example.com",
      cassio.id,
    ),
  );
  assert.throws(() => signIn("cassio@example.com", keys.keyOf(cassio)), invalid);
  assert.equal(signIn("michael@example.com", keys.keyOf(cassio)).id, cassio.id);
});
