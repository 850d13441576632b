import assert from "node:assert/strict";
import test from "node:test";
import { HashingQueue, type HashingTurn, MAX_WAITING } from "../../server/host/credentials/hashing-queue.ts";

/** Work in this queue ends when the test says so. `begun` lists what has started. */
function startQueue() {
  const queue = new HashingQueue();
  const begun: string[] = [];
  const refused: string[] = [];
  let end = () => {};
  return {
    begun,
    refused,
    ask(name: string, turn: HashingTurn) {
      const work = () => {
        begun.push(name);
        return new Promise<void>((resolve) => (end = resolve));
      };
      queue.run(turn, work).catch(({ status }) => {
        assert.equal(status, 429);
        refused.push(name);
      });
    },
    /** Ends the current work and resolves when the next has started. */
    async next() {
      end();
      await new Promise(setImmediate);
    },
  };
}

const attacker = { source: "2001:db8:0:1::/64" };
const away = { source: "203.0.113.9", account: "owner@example.com" };

/** From one source: wrong passwords of the owner, unknown names, and right passwords of one account. */
function attack(queue: ReturnType<typeof startQueue>, times: number) {
  for (let at = 0; at < times; at++) {
    queue.ask("attack", { ...attacker, account: "owner@example.com" });
    queue.ask("attack", { ...attacker, account: `nobody${at}@example.com` });
    queue.ask("attack", { ...attacker, person: 5 });
  }
}

for (const [where, owner] of [
  ["an address that knows them", { source: "203.0.113.9", person: 1 }],
  ["any other address", away],
] as const) {
  test(`one source delays sign-ins from ${where} by one hash`, async () => {
    const queue = startQueue();
    attack(queue, 30);
    for (let hashed = 0; hashed < 7; hashed++) {
      queue.ask(`owner ${hashed}`, owner);
      await queue.next();
      assert.equal(queue.begun.at(-1), `owner ${hashed}`);
      await queue.next();
      attack(queue, 30);
    }
    assert.equal(queue.refused.filter((name) => name !== "attack").length, 0);
  });
}

test("a user's devices take turns with other users", async () => {
  const queue = startQueue();
  for (let at = 0; at < 9; at++) queue.ask("member", { source: `198.51.100.${at % 3}`, person: 5 });
  queue.ask("owner", { source: "203.0.113.9", person: 1 });
  await queue.next();
  assert.deepEqual(queue.begun, ["member", "owner"]);
});

test("many sources delay neither users nor each other for long", async () => {
  const queue = startQueue();
  for (let at = 0; at < 200; at++) queue.ask("stranger", { source: `198.51.100.${at}`, account: `${at % 50}` });
  queue.ask("owner", { source: "203.0.113.9", person: 1 });
  await queue.next();
  assert.equal(queue.refused.length, 200 - 1 - MAX_WAITING.all);
  assert.equal(queue.begun.at(-1), "owner");
  await queue.next();
  assert.equal(queue.begun.at(-1), "stranger");
});

test("users do not block strangers", async () => {
  const queue = startQueue();
  for (let person = 2; person < 30; person++) queue.ask("person", { source: `198.51.100.${person}`, person });
  queue.ask("newcomer", { source: "203.0.113.9" });
  await queue.next();
  assert.equal(queue.begun.at(-1), "newcomer");
});

test("the source with the most pending attempts makes room", async () => {
  const queue = startQueue();
  for (let at = 0; at < 100; at++)
    queue.ask("greedy", { source: `198.51.100.${at % 3}`, account: "owner@example.com" });
  queue.ask("owner", away);
  for (let hashed = 0; hashed < 4; hashed++) await queue.next();
  assert.equal(queue.refused.includes("owner"), false);
  assert.ok(queue.begun.includes("owner"));
});

test("strangers and users of one source both proceed", async () => {
  const queue = startQueue();
  for (let at = 0; at < 12; at++) {
    queue.ask("person", { ...attacker, person: 5 });
    queue.ask("stranger", attacker);
    queue.ask("another", away);
  }
  for (let hashed = 0; hashed < 12; hashed++) await queue.next();
  for (const name of ["person", "stranger", "another"]) assert.ok(queue.begun.filter((one) => one === name).length > 2);
});

test("failed work lets the next work start", async () => {
  const queue = new HashingQueue();
  const failing = queue.run(away, () => Promise.reject(new Error("scrypt")));
  const next = queue.run(away, async () => "hash");
  await assert.rejects(failing, /scrypt/);
  assert.equal(await next, "hash");
});
