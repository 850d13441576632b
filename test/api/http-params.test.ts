import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { OPERATOR_SETTINGS } from "../../server/api/queries/operator-settings.ts";
import type { ApiError } from "../../server/errors.ts";
import { HostnameRule } from "../../server/http/hostnames.ts";
import {
  type AnyParam,
  boolean,
  integer,
  json,
  listOf,
  number,
  oneOf,
  ParamReader,
  rawOrJson,
  text,
} from "../../server/http/params.ts";
import { RateLimiter } from "../../server/http/rate-limits.ts";
import { SignInThrottle } from "../../server/http/throttle.ts";

const limits = () => OPERATOR_SETTINGS.RATE_LIMITS.initial;
const read = (params: Record<string, AnyParam>, fields: Record<string, string>) =>
  new ParamReader(params, []).read(new Map(Object.entries(fields)), []);
const refused = (params: Record<string, AnyParam>, fields: Record<string, string>) => {
  try {
    read(params, fields);
  } catch (error) {
    const { code, message, data } = error as ApiError;
    return { code, message, data };
  }
  return assert.fail("accepted");
};
const sentenceFor = (param: AnyParam, raw: string) => {
  const { code, message, data } = refused({ it: param }, { it: raw });
  assert.equal(code, "BAD_REQUEST");
  assert.deepEqual(data, { var_name: "it" }, "for the field of a form");
  return message;
};

test("each parameter kind reads its own notation", () => {
  const value = (param: AnyParam, raw: string) => read({ it: param }, { it: raw }).it;
  assert.equal(value(text(), '"quoted"'), '"quoted"');
  assert.equal(value(integer(), "-12"), -12);
  assert.equal(value(number(), "1.5e2"), 150);
  for (const raw of ["true", '"true"']) assert.equal(value(boolean(), raw), true);
  for (const raw of ["false", '"false"']) assert.equal(value(boolean(), raw), false);
  assert.equal(value(oneOf("add", "remove"), "add"), "add");
  assert.equal(value(oneOf("add", "remove"), '"remove"'), "remove");
  assert.equal(value(oneOf(1, 2), "2"), 2);
  assert.deepEqual(value(json(z.object({ a: z.int() })), '{"a":1}'), { a: 1 });
  assert.deepEqual(value(listOf(integer()), "[1,2]"), [1, 2]);
  assert.deepEqual(value(listOf(z.string()), '["a"]'), ["a"]);
});

test("rawOrJson accepts a value in either notation", () => {
  const to = rawOrJson(z.union([z.string(), z.int(), z.array(z.int()), z.array(z.string())]));
  const value = (raw: string) => read({ to }, { to: raw }).to;
  assert.equal(value("general"), "general");
  assert.equal(value('"general"'), "general");
  assert.equal(value("5"), 5);
  assert.deepEqual(value("[1,2]"), [1, 2]);
  assert.deepEqual(value('["a@b.c"]'), ["a@b.c"]);
  assert.equal(value("true story"), "true story");
  assert.equal(value("[draft"), "[draft");
  const policy = rawOrJson(z.enum(["inherit", "allow_empty_topic"]));
  assert.equal(read({ policy }, { policy: "inherit" }).policy, "inherit");
  assert.equal(read({ policy }, { policy: '"inherit"' }).policy, "inherit");
  assert.equal(read({ it: rawOrJson(z.string()) }, { it: "12" }).it, "12");
  assert.equal(sentenceFor(policy, "nonsense"), "it must be one of: inherit, allow_empty_topic.");
});

test("rejects a malformed value and names the parameter", () => {
  assert.equal(sentenceFor(integer(), "1.5"), "it must be an integer.");
  for (const raw of ["", " 1", "1x", "0x10", "99999999999999999", "9007199254740993"]) sentenceFor(integer(), raw);
  assert.equal(sentenceFor(integer({ min: 0 }), "-1"), "it must be at least 0.");
  assert.equal(sentenceFor(integer({ max: 5000 }), "5001"), "it must be at most 5000.");
  assert.equal(sentenceFor(number(), "Infinity"), "it must be a number.");
  assert.equal(sentenceFor(boolean(), "yes"), "it must be true or false.");
  assert.equal(sentenceFor(oneOf("a", "b"), "c"), "it must be one of: a, b.");
  assert.equal(sentenceFor(json(z.unknown()), "{"), "it is not valid JSON.");
  assert.equal(sentenceFor(listOf(integer()), "5"), "it must be a list.");
  assert.equal(sentenceFor(listOf(integer({ max: 9 })), "[1,10]"), "it[1] must be at most 9.");
  assert.equal(sentenceFor(text(), "a\0b"), "it must not contain null characters.");
  assert.equal(sentenceFor(listOf(z.string()), '["\\u0000"]'), "it must not contain null characters.");
  assert.equal(sentenceFor(listOf(z.string()), '["\\ud800"]'), "it must not contain an unpaired surrogate.");
});

test("a JSON error names its path", () => {
  const subscriptions = listOf(z.strictObject({ name: z.string().max(5), color: z.enum(["red", "blue"]).optional() }));
  const sentence = (value: unknown) => {
    const { message, data } = refused({ subscriptions }, { subscriptions: JSON.stringify(value) });
    assert.deepEqual(data, { var_name: "subscriptions" });
    return message;
  };
  assert.equal(sentence([{}]), "subscriptions[0].name is missing.");
  assert.equal(sentence([{ name: "a" }, { name: 5 }]), "subscriptions[1].name must be text.");
  assert.equal(
    sentence([{ name: "abcdef" }]),
    "subscriptions[0].name is too long: 6 characters. It can have at most 5.",
  );
  assert.equal(sentence([{ name: "a", color: "x" }]), "subscriptions[0].color must be one of: red, blue.");
  assert.equal(sentence([{ name: "a", colour: "red" }]), "subscriptions[0] has an unknown field: colour.");
  const group = json(z.union([z.int(), z.object({ direct_members: z.array(z.int()) })]));
  assert.equal(sentenceFor(group, '"x"'), "it must be a number or an object.");
  assert.equal(sentenceFor(group, '{"direct_members":["x"]}'), "it.direct_members[0] must be a number.");
});

test("counts lengths in code points", () => {
  const name = text().maxLength(3);
  assert.equal(read({ name }, { name: "👍👍👍" }).name, "👍👍👍");
  assert.equal(
    refused({ name }, { name: "👍👍👍a" }).message,
    "name is too long: 4 characters. It can have at most 3.",
  );
  assert.equal(
    refused({ name }, { name: "x".repeat(100) }).message,
    "name is too long: 100 characters. It can have at most 3.",
  );
  assert.deepEqual(read({ names: listOf(name) }, { names: '["👍👍👍"]' }).names, ["👍👍👍"]);
  assert.equal(sentenceFor(listOf(name), '["abcd"]'), "it[0] is too long: 4 characters. It can have at most 3.");
});

test("an omitted parameter is missing, undefined or its default", () => {
  assert.deepEqual(refused({ topic: text() }, {}), {
    code: "REQUEST_VARIABLE_MISSING",
    message: "The parameter topic is missing.",
    data: { var_name: "topic" },
  });
  assert.deepEqual(read({ a: text().optional(), b: boolean().default(true) }, {}), { a: undefined, b: true });
});

test("an alias works, but not together with the name", () => {
  const params = { topic: text().alias("subject") };
  assert.deepEqual(read(params, { subject: "lunch" }), { topic: "lunch" });
  assert.deepEqual(refused(params, { subject: "a", topic: "b" }), {
    code: "REQUEST_CONFUSING_VAR",
    message: "Send either topic or subject, not both. They are names of the same parameter.",
    data: { var_name1: "topic", var_name2: "subject" },
  });
  assert.throws(() => new ParamReader({ a: text().alias("b"), b: text() }, []), /called b/);
});

/** A wall clock and a monotonic clock that agree. */
const clocksAt = (now: () => number) => ({ now, monotonic: now });

test("a rate limit allows a burst, then refills evenly", () => {
  let now = 1_000_000;
  const limiter = new RateLimiter(
    () => [[60, 7]],
    clocksAt(() => now),
  );
  for (let left = 6; left >= 0; left--) assert.equal(limiter.count("a")?.remaining, left);
  assert.equal(limiter.count("b")?.remaining, 6);
  const hit = () => {
    try {
      limiter.count("a");
    } catch (error) {
      return error as ApiError;
    }
    return assert.fail("passed");
  };
  const { code, status, data, headers } = hit();
  assert.deepEqual([code, status], ["RATE_LIMIT_HIT", 429]);
  assert.ok(Math.abs((data["retry-after"] as number) - 60 / 7) < 0.01);
  assert.deepEqual(headers, {
    "retry-after": "9",
    "x-ratelimit-limit": "7",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": "1060",
  });
  now += Math.ceil((data["retry-after"] as number) * 1000);
  assert.equal(limiter.count("a")?.remaining, 0);
  now += 60_000;
  assert.equal(limiter.count("a")?.remaining, 6);
});

test("setting the wall clock neither blocks callers nor frees them", () => {
  let [now, monotonic] = [1_000_000_000, 0];
  const limiter = new RateLimiter(() => [[60, 1]], { now: () => now, monotonic: () => monotonic });
  assert.equal(limiter.count("a")?.reset, 1_000_060);
  now += 3_600_000;
  assert.throws(() => limiter.count("a"), /Try again in 60 s\./);
  now -= 86_400_000;
  assert.throws(() => limiter.count("a"), /Try again in 60 s\./);
  monotonic += 60_000;
  assert.equal(limiter.count("a")?.reset, Math.ceil(now / 1000) + 60);
});

test("without rules there is no limit", () => {
  const limiter = new RateLimiter(
    () => [],
    clocksAt(() => 0),
  );
  assert.equal(limiter.count("a"), undefined);
});

test("rate limits track a bounded number of callers", () => {
  let now = 0;
  const limiter = new RateLimiter(
    () => [[60, 10]],
    clocksAt(() => now),
    1000,
  );
  for (let i = 0; i < 5000; i++) limiter.count(`10.0.${i >> 8}.${i & 255}`);
  assert.ok(limiter.size <= 1000);
  now += 120_000;
  limiter.count("another");
  assert.ok(limiter.size <= 1000);
});

test("five failed sign-ins slow down later ones, successes never do", () => {
  let now = 0;
  const throttle = new SignInThrottle({ limits, clocks: clocksAt(() => now) });
  for (let i = 0; i < 50; i++) throttle.begin("iago@x.y", "10.0.0.1").succeeded();
  for (let i = 0; i < 5; i++) {
    now += 1000;
    throttle.begin(i % 2 ? "hamlet@x.y" : " Hamlet@X.Y", "10.0.0.9").failed();
  }
  assert.throws(() => throttle.begin("hamlet@x.y", "10.0.0.9"), {
    code: "RATE_LIMIT_HIT",
    data: { "retry-after": 356 },
  });
  throttle.begin("othello@x.y", "10.0.0.9").failed();
  now += 356_000;
  throttle.begin("hamlet@x.y", "10.0.0.9").succeeded();
  for (let i = 0; i < 5; i++) throttle.begin("hamlet@x.y", "10.0.0.9").failed();
  assert.throws(() => throttle.begin("hamlet@x.y", "10.0.0.9"), { code: "RATE_LIMIT_HIT" });
});

test("limits pending attempts and whole IP addresses", () => {
  let now = 0;
  const throttle = new SignInThrottle({ limits, clocks: clocksAt(() => now) });
  const open = Array.from({ length: 5 }, () => throttle.begin("a", "10.0.0.1"));
  assert.throws(() => throttle.begin("a", "10.0.0.1"), { data: { "retry-after": 1 } });
  open[0]?.succeeded();
  open[0]?.failed(); // already succeeded
  throttle.begin("a", "10.0.0.1").succeeded();
  for (const attempt of open) attempt.succeeded();
  for (let i = 0; i < 30; i++) throttle.begin(`user${i}`, "10.0.0.3").failed();
  assert.throws(() => throttle.begin("fresh", "10.0.0.3"), { code: "RATE_LIMIT_HIT" });
  throttle.begin("fresh", "10.0.0.4").succeeded();
  now += 1800_000;
  throttle.begin("fresh", "10.0.0.3").succeeded();
});

const DAY = 24 * 3600;

/** How many wrong passwords for one account are checked in a day, from any number of addresses. */
function guessedInADay(known: boolean): number {
  let now = 0;
  const throttle = new SignInThrottle({ limits, clocks: clocksAt(() => now) });
  let guesses = 0;
  for (let at = 0; at < DAY / 10; at++) {
    now += 10_000;
    try {
      throttle.begin("hamlet@x.y", `10.0.${at >> 8}.${at & 255}`, { known }).failed();
      guesses++;
    } catch {}
  }
  return guesses;
}

test("an account allows a few hundred guesses a day from all sources", () => {
  for (const known of [false, true]) {
    const guesses = guessedInADay(known);
    assert.ok(guesses >= 100 && guesses <= 200, `${guesses}`);
  }
});

test("guesses from elsewhere do not delay known IP addresses", () => {
  const throttle = new SignInThrottle({ limits, clocks: clocksAt(() => 0) });
  for (let i = 0; i < 500; i++) {
    try {
      throttle.begin("hamlet@x.y", `10.0.${i >> 8}.${i & 255}`).failed();
    } catch {}
  }
  // Other people at the same address have tried 30 names.
  for (let i = 0; i < 30; i++) throttle.begin(`user${i}`, "192.168.1.2").failed();
  throttle.begin("hamlet@x.y", "192.168.1.2", { known: true }).succeeded();
  assert.throws(() => throttle.begin("hamlet@x.y", "192.168.1.3"), { code: "RATE_LIMIT_HIT" });
});

test("a flood of made-up names clears no guess counts", () => {
  const throttle = new SignInThrottle({ limits, clocks: clocksAt(() => 0), capacity: 100 });
  for (let i = 0; i < 100; i++) throttle.begin("hamlet@x.y", `10.0.0.${i}`).failed();
  for (let i = 0; i < 1000; i++) throttle.begin(`user${i}`, `10.1.${i >> 8}.${i & 255}`).failed();
  assert.throws(() => throttle.begin("hamlet@x.y", "10.2.0.1"), { code: "RATE_LIMIT_HIT" });
});

test("the sign-in throttle tracks a bounded number of names", () => {
  const throttle = new SignInThrottle({ limits, clocks: clocksAt(() => 0), capacity: 100 });
  for (let i = 0; i < 1000; i++) throttle.begin(`user${i}`, `10.0.${i >> 8}.${i & 255}`).failed();
  assert.ok(throttle.size <= 400);
});

test("only local and configured hosts are valid", () => {
  let given: string[] = [];
  const rule = new HostnameRule(() => given, "Forge.lan");
  for (const host of [
    "127.0.0.1",
    "192.168.1.5:9991",
    "[::1]:80",
    "[fe80::1]",
    "localhost:1",
    "LOCALHOST",
    "forge",
    "forge.lan.",
    "hearth.local",
  ]) {
    rule.check(host);
    rule.check(host);
  }
  const status = (host: string | undefined) => {
    try {
      rule.check(host);
    } catch (error) {
      return (error as ApiError).status;
    }
    return 200;
  };
  for (const host of ["evil.example", "127.0.0.1.evil.example", "local", "notlocalhost", "chat.example:80"])
    assert.equal(status(host), 421, host);
  for (const host of [undefined, "", "a b", "a/b", "user@localhost", "[evil]", "localhost:99x"])
    assert.equal(status(host), 400, String(host));
  given = ["chat.example"];
  assert.equal(status("Chat.Example:80"), 200);
  given = [];
  assert.equal(status("Chat.Example:80"), 421);
});
