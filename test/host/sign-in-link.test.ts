import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import test from "node:test";
import { dataFolder, hearth, serve } from "../support/server-process.ts";

test("sign-in-link signs in an owner without a password", async (t) => {
  const { path } = await dataFolder(t);
  const link = (email: string) => hearth(t, ["sign-in-link", "--data", path, "--email", email]);
  const early = link("owner@example.com");
  assert.equal((await early.ended).code, 1);
  assert.match(early.stderr, /No server runs in .*hearth serve/);
  writeFileSync(`${path}/host.json`, ""); // a power failure leaves such a file
  const left = link("owner@example.com");
  await left.ended;
  assert.equal(left.stderr, early.stderr);
  const { url } = await serve(t, path);
  const [made, nobody, unnamed] = [
    link("owner@example.com"),
    link("nobody@example.com"),
    hearth(t, ["sign-in-link", "--data", path]),
  ];
  assert.deepEqual(await made.ended, { code: 0, signal: null });
  assert.match(made.stdout, /^http:\/\/\S+\/reset\/#[\w-]{43}\n$/);
  assert.equal((await nobody.ended).code, 1);
  assert.match(nobody.stderr, /^Hearth: No such user\n$/);
  assert.equal((await unnamed.ended).code, 2);
  const token = made.stdout.trim().split("#")[1] as string;
  const reset = await fetch(`${url}/host/password-resets`, {
    method: "POST",
    body: new URLSearchParams({ token, new_password: "put money in thy purse" }),
  });
  assert.equal(reset.status, 200);
  const signIn = await fetch(`${url}/api/v1/fetch_api_key`, {
    method: "POST",
    body: new URLSearchParams({ username: "owner@example.com", password: "put money in thy purse" }),
  });
  assert.equal(signIn.status, 200);
});
