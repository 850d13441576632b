import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { RawJson } from "../../server/http/endpoint.ts";
import { as, endpoint, endpoints, operator, start } from "../support/http-api.ts";

test("slow requests get 408, held responses do not", async (t) => {
  const { raw, app, port } = await start(t, { timeouts: { headers: 500, request: 700, check: 10 } });
  const poll = connect(port, "127.0.0.1");
  poll.write(
    `GET /api/v1/events?queue_id=1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${as("member").authorization}\r\n\r\n`,
  );
  const slowHeaders = await raw("GET / HTTP/1.1\r\nHost: loc");
  assert.deepEqual([slowHeaders.status, slowHeaders.body.result], [408, "error"]);
  const slowBody = await raw("POST /api/v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc");
  assert.deepEqual([slowBody.status, slowBody.body.result], [408, "error"]);
  app.held[0]?.(new RawJson('{"result":"success","msg":"","events":[]}'));
  const [data] = await once(poll, "data");
  assert.match(String(data), /^HTTP\/1.1 200/);
  poll.destroy();
});

/** A keep-alive connection from this address that has had a response. */
async function idleFrom(localAddress: string, port: number) {
  const socket = connect({ port, host: "127.0.0.1", localAddress }).on("error", () => {});
  const closed = once(socket, "close");
  socket.write("GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await Promise.race([once(socket, "data"), closed]);
  return { socket, closed, isOpen: () => !socket.destroyed && socket.bytesRead > 0 };
}

const loopback = { skip: process.platform !== "linux" && "only Linux has all of 127.0.0.0/8" };

test("one IP address cannot use up others' connections", loopback, async (t) => {
  const { port } = await start(t, { connections: { total: 10, perAddress: 3, perLoopback: 8 } });
  const [greedy, proxy] = ["127.0.0.2", "127.0.0.1"];
  const other = await idleFrom("127.0.0.3", port);
  const first = await idleFrom(greedy, port);
  const rest = [];
  for (let at = 0; at < 12; at++) rest.push(await idleFrom(greedy, port));
  await first.closed;
  assert.deepEqual(rest.map(({ isOpen }) => isOpen()).slice(-3), [true, true, true], "the newest are kept");
  assert.equal([first, ...rest].filter(({ isOpen }) => isOpen()).length, 3);
  assert.ok(other.isOpen());
  const behindProxy = [];
  for (let at = 0; at < 6; at++) behindProxy.push(await idleFrom(proxy, port));
  assert.ok(behindProxy.every(({ isOpen }) => isOpen()));
  const late = await idleFrom("127.0.0.4", port);
  assert.ok(late.isOpen(), "where all are taken, the longest idle one of all makes room");
  assert.ok(!other.isOpen());
  for (const { socket } of [other, first, ...rest, ...behindProxy, late]) socket.destroy();
});

test("a held poll is never closed to make room", loopback, async (t) => {
  const { port, app } = await start(t, { connections: { perAddress: 2 } });
  const poll = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.2" });
  poll.write(
    `GET /api/v1/events?queue_id=1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${as("member").authorization}\r\n\r\n`,
  );
  while (app.held.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const idle = [];
  for (let at = 0; at < 4; at++) idle.push(await idleFrom("127.0.0.2", port));
  app.held[0]?.(new RawJson('{"result":"success","msg":"","events":[]}'));
  assert.match(String(await once(poll, "data")), /^HTTP\/1.1 200/);
  for (const { socket } of [{ socket: poll }, ...idle]) socket.destroy();
});

for (const [what, limits] of [
  ["in all", { unsentBytes: 40 << 20 }],
  ["for long", { readingGrace: 100, readingRate: 1 << 30 }],
] as const) {
  test(`callers can leave only a limited amount of ${what} unread`, async (t) => {
    const large = endpoint({
      route: "GET /large",
      summary: "Sends 30 MB.",
      who: "member",
      handle: () => new RawJson(`{"result":"success","msg":"","x":"${"x".repeat(30 << 20)}"}`),
    });
    const { port, http } = await start(t, {
      endpoints: [...endpoints, large],
      connections: { check: 20, ...limits },
      checkResponses: false,
    });
    const lazy = Array.from({ length: 3 }, () => {
      const socket = connect(port, "127.0.0.1").on("error", () => {});
      socket.write(
        `GET /api/v1/large HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${as("member").authorization}\r\n\r\n`,
      );
      return socket.pause();
    });
    const cut = new Promise((resolve) => {
      http.server.on("connection", (socket) => socket.once("close", resolve));
    });
    await cut;
    for (const socket of lazy) socket.destroy();
  });
}

test("accepts only the machine's own host names", async (t) => {
  let allowed: string[] = [];
  const { raw } = await start(t, { allowedHosts: () => allowed });
  const ask = (name: string) =>
    raw(`GET /api/v1/server_settings HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
  const { status, body } = await ask("evil.example");
  assert.deepEqual([status, body.result], [421, "error"]);
  assert.match(body.msg, /ALLOWED_HOSTS/);
  allowed = ["evil.example"];
  assert.equal((await ask("evil.example")).body.baseUrl, "http://evil.example");
  allowed = [];
  assert.equal((await ask("evil.example")).status, 421);
  assert.equal((await raw("GET /page HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")).status, 421);
});

test("missing, malformed and wrong credentials get 401", async (t) => {
  const { get, post } = await start(t);
  const refusal = async (headers: Record<string, string>, path = "/api/v1/users/me") => {
    const { status, body, headers: sent } = await get(path, headers);
    assert.equal(status, 401);
    return [body.code, sent.get("www-authenticate")];
  };
  const basic = 'Basic realm="zulip"';
  assert.deepEqual(await refusal({}), ["UNAUTHORIZED", basic]);
  for (const malformed of ["Basic", "Basic !!!", `Basic ${btoa("nocolon")}`, `Basic ${btoa(":key")}`, "Digest x"]) {
    assert.deepEqual(await refusal({ authorization: malformed }), ["UNAUTHORIZED", basic], malformed);
  }
  assert.deepEqual(await refusal(as("nobody")), ["INVALID_API_KEY", basic]);
  assert.deepEqual(await refusal(as("member", "short")), ["INVALID_API_KEY", basic]);
  assert.deepEqual(await refusal({ authorization: "Bearer wrong" }), ["UNAUTHORIZED", "Bearer"]);
  assert.deepEqual(await refusal(as("owner"), "/host/state"), ["UNAUTHORIZED", "Bearer"]);
  // zulip-js sends `user:undefined` when it fetches its key.
  assert.equal((await post("/api/v1/fetch_api_key", "a=1", as("member", "undefined"))).status, 200);
  assert.deepEqual(await refusal(as("member", "short"), "/api/v1/server_settings"), ["INVALID_API_KEY", basic]);
  assert.equal((await get("/api/v1/server_settings", as("member"))).body.viewer, 4);
});

test("rejects anonymous callers before reading the body", async (t) => {
  const { call, raw } = await start(t, { bodyLimit: 1000 });
  const json = { headers: { "content-type": "application/json" }, body: "{" };
  assert.equal((await call("PATCH", "/api/v1/messages/3", json)).status, 401);
  const announced = "Host: localhost\r\nContent-Length: 500\r\nConnection: close\r\n\r\n";
  assert.equal((await raw(`PATCH /api/v1/messages/3 HTTP/1.1\r\n${announced}`)).status, 401);
  // This path has no other method that a field could select; /messages has.
  assert.equal((await call("POST", "/api/v1/for/nobody", json)).status, 401);
  assert.equal((await call("POST", "/api/v1/messages", json)).status, 400);
});

test("checks roles before parameters", async (t) => {
  const { get } = await start(t);
  const outcome = async (name: string, path: string) => {
    const { status, body } = await get(`/api/v1/for/${path}`, as(name));
    return status === 200 ? "in" : `${status} ${body.code}`;
  };
  const table: Record<string, string[]> = {};
  const doors = ["members", "people", "webhooks", "moderators", "administrators", "owners", "owners/abc"];
  for (const name of ["owner", "admin", "moderator", "member", "guest", "bot", "webhook"]) {
    table[name] = await Promise.all(doors.map((door) => outcome(name, door)));
  }
  const bad = "400 BAD_REQUEST";
  const above = "400 UNAUTHORIZED_PRINCIPAL";
  assert.deepEqual(table, {
    owner: ["in", "in", "in", "in", "in", "in", bad],
    admin: ["in", "in", "in", "in", "in", above, above],
    moderator: ["in", "in", "in", "in", above, above, above],
    member: ["in", "in", "in", above, above, above, above],
    guest: [bad, bad, bad, bad, bad, bad, bad],
    bot: ["in", bad, "in", above, above, above, above],
    webhook: [bad, bad, "in", bad, bad, bad, bad],
  });
  assert.equal((await get("/api/v1/for/owners/abc", as("guest"))).body.msg, "Guests cannot do this.");
  for (const caller of [operator, as("owner"), as("admin")])
    assert.equal((await get("/host/audit", caller)).status, 200);
  const moderator = await get("/host/audit", as("moderator"));
  assert.deepEqual([moderator.status, moderator.body.code], [400, "UNAUTHORIZED_PRINCIPAL"]);
});

test("the operator's token acts as the owner", async (t) => {
  const { get } = await start(t, { limits: () => ({ api_by_user: [[60, 1]], api_by_ip: [[60, 1]] }) });
  assert.deepEqual((await get("/host/state", operator)).body, { result: "success", msg: "", as: 1 });
  for (let i = 0; i < 3; i++) assert.equal((await get("/api/v1/for/owners", operator)).status, 200);
  assert.equal((await get("/host/settings", operator)).status, 200);
  assert.equal((await get("/host/settings", as("owner"))).status, 200);
  const admin = await get("/host/settings", as("admin"));
  assert.deepEqual([admin.status, admin.body.code], [400, "UNAUTHORIZED_PRINCIPAL"]);
  const without = await start(t, { operatorActsAs: () => undefined });
  assert.equal((await without.get("/api/v1/users/me", operator)).status, 401);
  assert.equal((await without.get("/host/state", operator)).body.as, null);
  const closed = await start(t, { operatorToken: undefined });
  assert.equal((await closed.get("/host/state", { authorization: "Bearer " })).status, 401);
});

test("users are rate limited, except for held long polls", async (t) => {
  let now = 1_000_000;
  const { get, app } = await start(t, {
    clocks: { now: () => now, monotonic: () => now },
    limits: () => ({ api_by_user: [[60, 2]] }),
  });
  const first = await get("/api/v1/users/me");
  const limits = (answer: typeof first) =>
    ["limit", "remaining", "reset"].map((name) => answer.headers.get(`x-ratelimit-${name}`));
  assert.deepEqual(limits(first), ["2", "1", "1030"]);
  const polls = [get("/api/v1/events?queue_id=1"), get("/api/v1/events?queue_id=1")];
  assert.deepEqual(limits(await get("/api/v1/refused")), ["2", "0", "1060"]);
  const hit = await get("/api/v1/users/me");
  assert.deepEqual(
    [hit.status, hit.body.code, hit.body["retry-after"], hit.headers.get("retry-after")],
    [429, "RATE_LIMIT_HIT", 30, "30"],
  );
  assert.deepEqual(limits(hit), ["2", "0", "1060"]);
  assert.equal((await get("/api/v1/events?queue_id=1&dont_block=true")).status, 429);
  assert.equal((await get("/api/v1/users/me", as("admin"))).status, 200);
  now += 30_000;
  assert.equal((await get("/api/v1/users/me")).status, 200);
  while (app.held.length < 2) await new Promise(setImmediate);
  for (const resolve of app.held) resolve(new RawJson('{"result":"success","msg":""}'));
  for (const poll of polls) assert.equal((await poll).status, 200);
});

test("limits requests without valid credentials by IP address", async (t) => {
  const { call, get } = await start(t, {
    clocks: { now: () => 0, monotonic: () => 0 },
    limits: () => ({ api_by_ip: [[60, 5]] }),
  });
  assert.equal((await get("/api/v1/server_settings", {})).headers.get("x-ratelimit-remaining"), "4");
  assert.equal((await get("/api/v1/nothing")).status, 404);
  assert.equal((await get("/api/v1/users/me", {})).status, 401);
  assert.equal((await get("/api/v1/users/me", as("nobody"))).status, 401);
  assert.equal((await call("DELETE", "/api/v1/messages")).status, 405);
  for (const headers of [{}, as("nobody"), { authorization: "Bearer x" }])
    assert.equal((await get("/api/v1/users/me", headers)).status, 429);
  assert.equal((await get("/api/v1/server_settings", {})).status, 429);
  assert.equal((await get("/nothing", {})).status, 429);
  assert.equal((await get("/api/v1/users/me")).status, 200);
  const off = await start(t);
  for (let i = 0; i < 200; i++) assert.equal((await off.get("/api/v1/server_settings", {})).status, 200);
});

test("a handler gets its caller's program, IP address and disconnection", async (t) => {
  const { get, app, port, emitted, errors } = await start(t);
  const client = async (agent: string) => (await get("/api/v1/server_settings", { "user-agent": agent })).body.client;
  assert.equal(await client("ZulipPython/0.9.0 (Linux)"), "ZulipPython");
  assert.equal(await client("ZulipMobile flutter"), "ZulipMobile");
  assert.equal(await client("x".repeat(50)), "x".repeat(30));
  assert.equal(await client(""), "unspecified");
  const { address, baseUrl } = (await get("/api/v1/server_settings", {})).body;
  assert.deepEqual([address, baseUrl], ["127.0.0.1", `http://127.0.0.1:${port}`]);
  const gone = new Promise<void>((resolve) => {
    emitted.gone = resolve;
  });
  const socket = connect(port, "127.0.0.1");
  socket.write(
    `GET /api/v1/events?queue_id=1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${as("member").authorization}\r\n\r\n`,
  );
  while (app.held.length === 0) await new Promise(setImmediate);
  socket.destroy();
  await gone;
  assert.deepEqual(errors, []);
});
