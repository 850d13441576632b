import assert from "node:assert/strict";
import test from "node:test";
import { passwordHashing, validPassword } from "../../server/host/credentials/passwords.ts";

const cost = 1024;

test("only the right password verifies", async () => {
  const passwords = passwordHashing({ cost });
  const hash = await passwords.hash("moor of Venice");
  assert.match(hash, /^scrypt\$1024\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  assert.equal(await passwords.verify("moor of Venice", hash), true);
  assert.equal(await passwords.verify("moor of venice", hash), false);
});

test("the same password never has the same hash", async () => {
  const passwords = passwordHashing({ cost });
  assert.notEqual(await passwords.hash("handkerchief"), await passwords.hash("handkerchief"));
});

test("a hash keeps its original cost", async () => {
  const hash = await passwordHashing({ cost: 2048 }).hash("handkerchief");
  assert.equal(await passwordHashing({ cost }).verify("handkerchief", hash), true);
});

test("verifying without a stored hash fails as slowly as a wrong password", async () => {
  const passwords = passwordHashing({ cost: 2 ** 14 });
  const hash = await passwords.hash("handkerchief");
  const work = async (stored: string | null) => {
    const before = process.cpuUsage();
    for (let i = 0; i < 5; i++) assert.equal(await passwords.verify("wrong", stored), false);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const [existing, missing] = [await work(hash), await work(null)];
  assert.ok(missing > existing / 2, `missing ${missing} µs, existing ${existing} µs`);
});

test("at most twenty attempts per source are pending", async () => {
  const passwords = passwordHashing({ cost });
  const running = Array.from({ length: 21 }, (_, i) => passwords.hash(`password ${i}`, { source: "198.51.100.1" }));
  await assert.rejects(passwords.hash("one more", { source: "198.51.100.1" }), { code: "RATE_LIMIT_HIT", status: 429 });
  await passwords.hash("of another", { source: "198.51.100.2" });
  await Promise.all(running);
  await passwords.hash("one more", { source: "198.51.100.1" });
});

test("the default cost fits its memory limit", async () => {
  const passwords = passwordHashing();
  assert.match(await passwords.hash("handkerchief"), /^scrypt\$131072\$8\$1\$/);
});

test("a password has 6 to 100 user-perceived characters", async () => {
  await assert.rejects(validPassword("12345"), /at least 6/);
  await assert.rejects(validPassword("😀🔥".repeat(51)), /at most 100/);
  assert.equal(await validPassword("😀🔥".repeat(50)), "😀🔥".repeat(50));
});

test("common, sequential and name-based passwords are rejected", async () => {
  const names = ["Desdemona Brabantio", "desi.b@example.com"];
  const refused = ["password", "PassWord1", "qwerty", "iloveyou", "aaaaaaaaaaaa", "456789012", "fedcba"];
  for (const password of refused)
    await assert.rejects(validPassword(password, names), /too easy to guess\. /, password);
  const own = [
    "desdemona",
    "Desdemona!1",
    "DesdemonaBrabantio",
    "desi.b@example.com",
    "desi.b-desi.b",
    "brabantiosecret",
  ];
  for (const password of own) await assert.rejects(validPassword(password, names), /name or email/, password);
  const fine = ["handkerchief", "willow willow", "desdemona and the moor", "put money in thy purse", "aaaaab"];
  for (const password of fine) assert.equal(await validPassword(password, names), password);
  assert.equal(
    await validPassword("handkerchief", ["Al", "an@chief.example"]),
    "handkerchief",
    "short names are in many words",
  );
});
