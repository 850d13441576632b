import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { endpoint, endpoints, start } from "../support/http-api.ts";

const local = endpoint({
  route: "GET /local",
  summary: "Says whether the request is of this machine.",
  who: "anyone",
  handle: ({ isLocal, source }) => ({ isLocal, source }) as unknown as Record<string, never>,
});

interface Seen {
  baseUrl: string;
  address: string;
}

/** The request that a server with these trusted proxies sees, sent from 127.0.0.1 with these headers. */
async function startBehind(t: TestContext, trusted: readonly string[], options = {}) {
  const api = await start(t, {
    endpoints: [...endpoints, local],
    trustedProxies: () => trusted,
    allowedHosts: () => ["chat.example.com"],
    checkResponses: false,
    ...options,
  });
  const ask = (path: string, headers: Record<string, string>) =>
    api.raw(
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join("")}\r\n`,
    );
  const seen = async (headers: Record<string, string>): Promise<Seen> => {
    const { baseUrl, address } = (await ask("/api/v1/server_settings", headers)).body;
    return { baseUrl, address };
  };
  return { ...api, ask, seen };
}

const ownRequest: Seen = { baseUrl: "http://localhost", address: "127.0.0.1" };
const client: Seen = { baseUrl: "https://chat.example.com", address: "203.0.113.9" };
const xForwarded = {
  "X-Forwarded-For": "203.0.113.9",
  "X-Forwarded-Proto": "https",
  "X-Forwarded-Host": "chat.example.com",
};
const forwarded = { Forwarded: "for=203.0.113.9;proto=https;host=chat.example.com" };

test("a trusted proxy sets the client and the scheme", async (t) => {
  const { seen } = await startBehind(t, ["127.0.0.1"]);
  assert.deepEqual(await seen(xForwarded), client);
  assert.deepEqual(await seen(forwarded), client);
  assert.deepEqual(await seen({ ...xForwarded, ...forwarded }), client);
  assert.deepEqual(await seen({}), ownRequest);
});

test("ignores headers of untrusted peers", async (t) => {
  for (const trusted of [[], ["192.0.2.1"], ["10.0.0.0/8", "::1"]]) {
    const { seen, ask } = await startBehind(t, trusted);
    assert.deepEqual(await seen({ ...xForwarded, ...forwarded }), ownRequest);
    assert.equal((await ask("/api/v1/local", xForwarded)).body.source, "127.0.0.1");
  }
});

test("the client is the newest untrusted hop", async (t) => {
  const { seen } = await startBehind(t, ["127.0.0.0/8", "10.0.0.0/8", "2001:db8::/32"]);
  const address = async (headers: Record<string, string>) => (await seen(headers)).address;
  assert.equal(await address({ "X-Forwarded-For": "192.0.2.66, 203.0.113.9, 10.0.0.7, 2001:db8::1" }), "203.0.113.9");
  assert.equal(await address({ "X-Forwarded-For": "127.0.0.1, 203.0.113.9:4711" }), "203.0.113.9");
  assert.equal(await address({ "X-Forwarded-For": "::ffff:203.0.113.9" }), "203.0.113.9");
  assert.equal(
    await address({ Forwarded: 'for=192.0.2.66, For="[2001:DB9::a]:80";by=_x, for=10.0.0.7' }),
    "2001:db9::a",
  );
  const chain = { "X-Forwarded-For": "203.0.113.9, 10.0.0.7", "X-Forwarded-Proto": "http, https, http" };
  assert.equal((await seen(chain)).baseUrl, "https://localhost");
  assert.equal((await seen({ ...chain, "X-Forwarded-Proto": "https" })).baseUrl, "https://localhost");
  assert.equal((await seen({ ...xForwarded, "X-Forwarded-Proto": "https, http" })).baseUrl, "http://chat.example.com");
});

test("malformed values are attributed to the proxy", async (t) => {
  const { seen } = await startBehind(t, ["127.0.0.1"]);
  for (const text of [
    "unknown",
    "_hidden",
    "203.0.113.999",
    "fe80::1%eth0",
    "",
    ",",
    "a, b",
    "[203.0.113.9",
    "1".repeat(5000),
  ])
    assert.deepEqual(await seen({ "X-Forwarded-For": text }), ownRequest, text);
  for (const text of ['for="203.0.113.9', "for=203.0.113.9;;", "203.0.113.9", "for", "for=_x", 'for="unknown"'])
    assert.deepEqual(await seen({ Forwarded: text }), ownRequest, text);
  const odd = { "X-Forwarded-Proto": "javascript", "X-Forwarded-Host": "chat.example.com/@evil" };
  assert.deepEqual(await seen({ ...xForwarded, ...odd }), { ...ownRequest, address: "203.0.113.9" });
});

test("ignores headers that contradict each other", async (t) => {
  const { seen } = await startBehind(t, ["127.0.0.1"]);
  const spoofed = { Forwarded: "for=192.0.2.66;proto=http;host=localhost" };
  assert.deepEqual(await seen({ ...xForwarded, ...spoofed }), ownRequest);
});

test("the forwarded host must be a name of the server", async (t) => {
  const { ask, seen } = await startBehind(t, ["127.0.0.1"]);
  const evil = { ...xForwarded, "X-Forwarded-Host": "evil.example" };
  assert.equal((await ask("/api/v1/server_settings", evil)).status, 421);
  assert.deepEqual(await seen(xForwarded), client);
});

test("a foreign hostname that resolves to the server is rejected", async (t) => {
  const { raw } = await startBehind(t, ["127.0.0.1"]);
  const head = "GET /api/v1/server_settings HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: localhost\r\n";
  assert.equal((await raw(`${head}Connection: close\r\n\r\n`)).status, 421);
});

test("a forwarded request is never local", async (t) => {
  for (const trusted of [["127.0.0.1"], []]) {
    const { ask } = await startBehind(t, trusted);
    const isLocal = async (headers: Record<string, string>) => (await ask("/api/v1/local", headers)).body.isLocal;
    assert.equal(await isLocal({}), true);
    for (const address of ["203.0.113.9", "127.0.0.1", "::1", "unknown"]) {
      assert.equal(await isLocal({ "X-Forwarded-For": address }), false, address);
      assert.equal(await isLocal({ Forwarded: `for="${address}"` }), false, address);
    }
    for (const name of ["Via", "X-Real-IP", "X-Forwarded-Proto"])
      assert.equal(await isLocal({ [name]: "x" }), false, name);
  }
});

test("a header cannot claim an address of this machine", async (t) => {
  const { ask } = await startBehind(t, ["127.0.0.1"]);
  const source = async (headers: Record<string, string>) => (await ask("/api/v1/local", headers)).body.source;
  assert.equal(await source({}), "127.0.0.1");
  for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1", "unknown"])
    assert.equal(await source({ "X-Forwarded-For": address }), "via:127.0.0.1", address);
  assert.equal(await source({ "X-Forwarded-For": "2001:db8:0:1::5" }), "2001:db8:0:1::/64");
});

test("limits by IP address count the forwarded client", async (t) => {
  const limits = () => ({ api_by_ip: [[60, 2]] as [number, number][] });
  const { ask } = await startBehind(t, ["127.0.0.1"], { limits });
  const status = async (address: string) => (await ask("/api/v1/local", { "X-Forwarded-For": address })).status;
  assert.deepEqual(
    [await status("2001:db8::1"), await status("2001:db8::2"), await status("2001:db8::3")],
    [200, 200, 429],
  );
  assert.equal(await status("2001:db8:0:1::1"), 200);
  assert.equal(await status("203.0.113.9"), 200);
});

const certificate = { cert: "", key: "", minVersion: "TLSv1.2" } as const;

test("with HTTPS on, forwarded requests must be encrypted", async (t) => {
  const encryption = { isOn: true, credentials: certificate };
  const { ask } = await startBehind(t, ["127.0.0.1"], { encryption });
  const { status, body } = await ask("/api/v1/local", { ...xForwarded, "X-Forwarded-Proto": "http" });
  assert.deepEqual([status, body.code], [403, "HTTPS_NEEDED"]);
  const page = await ask("/page", { ...xForwarded, "X-Forwarded-Proto": "http" });
  assert.match(page.head, /^HTTP\/1.1 307.*location: https:\/\/chat\.example\.com\/page/is);
  assert.equal((await ask("/api/v1/local", xForwarded)).status, 200);
  assert.equal((await ask("/api/v1/local", {})).status, 200);
});

test("the origin of a page uses the forwarded host", async (t) => {
  const own = endpoint({
    route: "GET /own",
    summary: "Own pages.",
    who: "anyone",
    ownPagesOnly: true,
    handle: () => ({}),
  });
  const { ask } = await startBehind(t, ["127.0.0.1"], { endpoints: [own] });
  const status = async (origin: string) => (await ask("/api/v1/own", { ...xForwarded, Origin: origin })).status;
  assert.equal(await status("https://chat.example.com"), 200);
  assert.equal(await status("http://localhost"), 403);
  assert.equal(await status("https://evil.example"), 403);
});
