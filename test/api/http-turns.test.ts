import assert from "node:assert/strict";
import { connect } from "node:net";
import { type TestContext, test } from "node:test";
import { z } from "zod";
import { ApiError, problem } from "../../server/errors.ts";
import { integer } from "../../server/http/params.ts";
import { as, endpoint, PEOPLE, start, type User } from "../support/http-api.ts";

function countTurns(t: TestContext): () => number {
  let turns = 0;
  let timer = setImmediate(function count() {
    turns += 1;
    timer = setImmediate(count);
  });
  t.after(() => clearImmediate(timer));
  return () => turns;
}

async function together(port: number, requests: readonly string[]): Promise<string[]> {
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  let got = "";
  const answers = () => got.split("HTTP/1.1 ").slice(1);
  socket.write(requests.join(""));
  for await (const chunk of socket) {
    got += chunk;
    if (answers().length === requests.length && /\}$/.test(got)) break;
  }
  return answers();
}
const readBy = (name: string, path = "/api/v1/read") =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${as(name).authorization}\r\n\r\n`;

test("concurrent reads get a turn each, and callers alternate", async (t) => {
  const turn = countTurns(t);
  const handled: { by: number; turn: number }[] = [];
  const read = endpoint({
    route: "GET /read",
    summary: "Reads much.",
    who: "member",
    handle: ({ viewer }) => {
      handled.push({ by: viewer.id, turn: turn() });
      return {};
    },
  });
  const { port } = await start(t, { endpoints: [read] });
  const names = [...new Array<string>(10).fill("member"), "admin", "admin"];
  // A caller rests after a long turn. Here no turn takes time, so nobody rests.
  const { mock } = t.mock.method(performance, "now", () => 1);
  const answers = await together(
    port,
    names.map((name) => readBy(name)),
  );
  mock.restore();
  assert.ok(answers.every((answer) => answer.startsWith("200")));
  assert.equal(new Set(handled.map((one) => one.turn)).size, 12, "one in a turn");
  const [admin, member] = [PEOPLE["admin@x.y"]?.id, PEOPLE["member@x.y"]?.id];
  const first = handled.slice(0, 5).map(({ by }) => by);
  assert.deepEqual(first, [member, admin, member, admin, member]);
});

test("concurrent changes of one caller get a turn each", async (t) => {
  const turn = countTurns(t);
  const handled: { by: number; turn: number }[] = [];
  const write = endpoint({
    route: "POST /write",
    summary: "Writes.",
    who: "member",
    params: { number: integer() },
    handle: ({ viewer }) => {
      handled.push({ by: viewer.id, turn: turn() });
      return {};
    },
  });
  const { port } = await start(t, { endpoints: [write] });
  const names = [...new Array<string>(8).fill("member"), "admin", "owner"];
  const requests = names.map((name, number) =>
    readBy(name, `/api/v1/write?number=${number}`)
      .replace("GET", "POST")
      .replace("\r\n\r\n", "\r\nContent-Length: 0\r\n\r\n"),
  );
  const answers = await together(port, requests);
  assert.ok(answers.every((answer) => answer.startsWith("200")));
  const ofMember = handled.filter(({ by }) => by === PEOPLE["member@x.y"]?.id);
  assert.equal(new Set(ofMember.map((one) => one.turn)).size, 8);
  const others = handled.filter((one) => !ofMember.includes(one));
  assert.ok(
    others.every((one) => one.turn < (ofMember[3]?.turn as number)),
    "others do not wait for them",
  );
});

test("signing out cancels a pending read", async (t) => {
  let handled = 0;
  const read = endpoint({
    route: "GET /read",
    summary: "Reads much.",
    who: "member",
    handle: () => {
      handled += 1;
      return {};
    },
  });
  const { port } = await start(t, {
    endpoints: [read],
    identify: (email) => {
      if (handled > 0) throw new ApiError("USER_DEACTIVATED", problem("account_deactivated"), {}, { status: 401 });
      return PEOPLE[email] as User;
    },
  });
  const answers = await together(
    port,
    ["member", "member", "member"].map((name) => readBy(name)),
  );
  assert.deepEqual(
    answers.map((answer) => answer.slice(0, 3)),
    ["200", "401", "401"],
  );
  assert.equal(handled, 1);
});

test("writes a large response in several turns", async (t) => {
  const turn = countTurns(t);
  const written = new Set<number>();
  const long = "word ".repeat(20_000);
  const item = (id: number) => ({
    toJSON() {
      for (const end = performance.now() + 0.2; performance.now() < end; );
      written.add(turn());
      return { id, long };
    },
  });
  const read = endpoint({
    route: "GET /read",
    summary: "Reads much.",
    who: "member",
    response: z.object({ items: z.array(z.unknown()) }),
    handle: () => ({ items: Array.from({ length: 400 }, (_, id) => item(id)) }),
  });
  const { get } = await start(t, { endpoints: [read], checkResponses: false });
  const { body, headers } = await get("/api/v1/read?more=1", { ...as("member"), "accept-encoding": "identity" });
  assert.equal(body.items.length, 400);
  assert.deepEqual(body.items[399], { id: 399, long });
  assert.deepEqual([body.result, body.msg, body.ignored_parameters_unsupported], ["success", "", ["more"]]);
  assert.equal(Number(headers.get("content-length")), Buffer.byteLength(JSON.stringify(body)));
  assert.ok(written.size > 2, `${written.size} turns`); // 40 MB, and at least 80 ms
});

test("finishes a large response before the caller's next begins", async (t) => {
  const steps: string[] = [];
  let reads = 0;
  const read = endpoint({
    route: "GET /read",
    summary: "Reads much.",
    who: "member",
    response: z.object({ items: z.array(z.unknown()) }),
    handle: () => {
      const number = ++reads;
      steps.push(`begun ${number}`);
      const items = Array.from({ length: 60 }, (_, index) => ({
        toJSON() {
          for (const end = performance.now() + 1; performance.now() < end; );
          if (index === 59) steps.push(`written ${number}`);
          return "text".repeat(3000);
        },
      }));
      return { items };
    },
  });
  const { port } = await start(t, { endpoints: [read], checkResponses: false });
  const answers = await together(port, new Array(3).fill(readBy("member")));
  assert.equal(answers.length, 3);
  assert.deepEqual(
    steps,
    [1, 2, 3].flatMap((number) => [`begun ${number}`, `written ${number}`]),
  );
});

test("long reads of one caller do not delay new connections", async (t) => {
  const CALLERS = 20;
  const long: number[] = [];
  const read = endpoint({
    route: "GET /read",
    summary: "Takes long in one turn.",
    who: "member",
    handle: ({ viewer }) => {
      if (viewer.email !== "member@x.y") return {};
      long.push(performance.now());
      for (const end = performance.now() + 20; performance.now() < end; );
      return {};
    },
  });
  const { port } = await start(t, { endpoints: [read] });
  const attack = together(port, new Array(30).fill(readBy("member")));
  while (long.length === 0) await new Promise(setImmediate);
  const before = long.length;
  await Promise.all(Array.from({ length: CALLERS }, () => together(port, [readBy("admin")])));
  // libuv accepts one connection per loop iteration, and each iteration would include a long read.
  assert.ok(long.length - before < CALLERS / 2, `${long.length - before} long reads meanwhile`);
  await attack;
});
