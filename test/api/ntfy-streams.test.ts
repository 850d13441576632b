import assert from "node:assert/strict";
import { connect } from "node:net";
import test from "node:test";
import { nextText, openPhone, openSocket, polledTexts, pollNtfy, startWithTopic } from "../support/ntfy-client.ts";

const KEEP_ALIVE = { testing: { ntfyKeepAliveMs: 100 } };

async function errorOf(url: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(url, { headers });
  const { code, http } = (await response.json()) as { code: number; http: number };
  assert.equal(response.status, http);
  assert.equal(response.headers.get("access-control-allow-origin"), "*");
  return code;
}

/** The first `length` characters of a response that does not end. */
async function beginningOf(url: string, length: number): Promise<string> {
  const abort = new AbortController();
  const { body } = await fetch(url, { signal: abort.signal });
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= length) break;
  }
  abort.abort();
  return text;
}

test("streams of all formats open immediately and are not cached", async (t) => {
  const { url, direct } = await startWithTopic(t);
  await direct("two\nlines");
  const types = { json: "application/x-ndjson", sse: "text/event-stream", raw: "text/plain" };
  for (const [format, type] of Object.entries(types)) {
    const abort = new AbortController();
    const { headers } = await fetch(`${url}/${format}`, { signal: abort.signal });
    abort.abort();
    assert.equal(headers.get("content-type"), `${type}; charset=utf-8`);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("content-encoding"), null);
    assert.equal(headers.get("x-accel-buffering"), "no");
    assert.equal(headers.get("access-control-allow-origin"), "*");
  }
  assert.match(
    await beginningOf(`${url}/sse?since=all`, 250),
    /^event: open\ndata: {.*}\n\ndata: {.*two lines.*}\n\n$/,
  );
  assert.equal(await beginningOf(`${url}/raw?since=all`, 10), "\ntwo lines\n");
});

test("other web pages may subscribe", async (t) => {
  const { url } = await startWithTopic(t);
  const { status, headers } = await fetch(`${url}/json`, { method: "OPTIONS" });
  assert.deepEqual(
    [status, headers.get("access-control-allow-origin"), headers.get("access-control-allow-methods")],
    [200, "*", "GET"],
  );
  assert.deepEqual(await (await fetch(new URL("/v1/health", url))).json(), { healthy: true });
});

test("keepalive events hold a stream open", async (t) => {
  const { url, topic } = await startWithTopic(t, KEEP_ALIVE);
  const phone = await openPhone(t, `${url}/json`);
  const { id, time, ...rest } = (await phone.nextOfAll()) ?? ({} as never);
  assert.deepEqual(rest, { event: "keepalive", topic });
  assert.match(id, /^[\dA-Za-z]{12}$/);
  assert.equal(Math.abs(Date.now() / 1000 - time) < 60, true);
});

test("a WebSocket gets events and pings, and ends when pongs stop", async (t) => {
  const { url, direct } = await startWithTopic(t, KEEP_ALIVE);
  const phone = await openSocket(t, `${url}/ws`);
  await new Promise((resolve) => phone.socket.once("ping", resolve));
  await direct("by WebSocket");
  assert.equal(await nextText(phone), "Othello: by WebSocket");
  phone.socket.pong = () => {};
  await phone.ended;
});

test("a WebSocket gets earlier messages, and ends after a poll", async (t) => {
  const { url, direct } = await startWithTopic(t);
  await direct("earlier");
  assert.equal(await nextText(await openSocket(t, `${url}/ws?since=all`)), "Othello: earlier");
  const { WebSocket } = await import("ws");
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws?poll=1`);
  const texts: string[] = [];
  socket.on("message", (data) => texts.push(data.toString()));
  await new Promise((resolve) => socket.once("close", resolve));
  assert.deepEqual(
    texts.map((text) => JSON.parse(text).message),
    ["earlier"],
  );
});

test("refuses WebSockets for wrong topics, foreign hosts and large frames", async (t) => {
  const { chat, url } = await startWithTopic(t);
  await assert.rejects(openSocket(t, `${chat.url}/wrong/ws`), /403/);
  await assert.rejects(openSocket(t, `${url}/ws?since=nonsense!`), /400/);
  await assert.rejects(openSocket(t, `${url}/ws`, { headers: { host: "evil.example" } }), /421/);
  await assert.rejects(openSocket(t, `${chat.url}/api/v1/ws`), /404|401/);
  assert.equal(await errorOf(`${url}/ws`), 40016);
  const phone = await openSocket(t, `${url}/ws`);
  phone.socket.send("x".repeat(10_000));
  await phone.ended;
});

test("other upgrades get an ordinary response", async (t) => {
  const { chat } = await startWithTopic(t);
  const { hostname, port } = new URL(chat.url);
  const socket = connect(Number(port), hostname);
  const upgrade = "Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk";
  socket.write(`GET /api/v1/server_settings HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n\r\n`);
  let text = "";
  for await (const chunk of socket.setEncoding("utf8")) text += chunk;
  assert.match(text, /^HTTP\/1\.1 200 OK\r\n[\s\S]*"result":"success"/);
});

test("since= selects the earlier messages", async (t) => {
  const clock = { now: Date.UTC(2026, 10, 28, 12) };
  const { url, direct } = await startWithTopic(t, { unwatched: true, now: () => clock.now });
  for (const text of ["one", "two", "three"]) {
    await direct(text);
    clock.now += 60_000;
  }
  const [one] = await pollNtfy(`${url}/json?poll=1`);
  const since = (value: string) => polledTexts(url, `&since=${encodeURIComponent(value)}`);
  const unix = Math.floor(clock.now / 1000);
  assert.deepEqual(await since("all"), ["one", "two", "three"]);
  assert.deepEqual(await since("none"), []);
  assert.deepEqual(await since("latest"), ["three"]);
  assert.deepEqual(await since(one?.id ?? ""), ["two", "three"]);
  assert.deepEqual(await since("AAAAAAAAAAAA"), ["one", "two", "three"], "unknown ids");
  for (const value of ["90s", "1m30s", "0.025h", String(unix - 90)])
    assert.deepEqual(await since(value), ["three"], value);
  assert.deepEqual(await since("2m"), ["two", "three"]);
});

test("filters select messages, by query and by header", async (t) => {
  const { url, direct, mention } = await startWithTopic(t);
  await direct("lunch");
  await mention("leak");
  const [lunch] = await pollNtfy(`${url}/json?poll=1`);
  for (const [query, expected] of [
    [`id=${lunch?.id}`, ["lunch"]],
    ["m=lunch", ["lunch"]],
    ["title=Othello", ["lunch"]],
    ["t=nobody", []],
    ["p=high,max", ["lunch", "@Hamlet leak"]],
    ["priority=1,2,low", []],
    ["tags=bell", ["@Hamlet leak"]],
    ["tag=bell,skull", []],
    ["unknown=1", ["lunch", "@Hamlet leak"]],
  ] as const)
    assert.deepEqual(await polledTexts(url, `&${query}`), expected, query);
  const byHeader = await pollNtfy(`${url}/json`, { "x-poll": "yes", "x-message": "lunch", priority: "u=1, i" });
  assert.deepEqual(
    byHeader.map(({ message }) => message),
    ["lunch"],
  );
});

test("refuses hostile parameters with ntfy's errors", async (t) => {
  const { chat, topic, url } = await startWithTopic(t);
  for (const since of ["yesterday", "1d", "-", "1h1", "1".repeat(200), "9h".repeat(5000), "é", "1;drop"])
    assert.equal(await errorOf(`${url}/json?since=${encodeURIComponent(since)}`), 40008, since.slice(0, 20));
  for (const priority of ["6", "0", "highest", "3,9"])
    assert.equal(await errorOf(`${url}/json?priority=${priority}`), 40007, priority);
  const many = Array.from({ length: 2000 }, (_, index) => `t${index}`).join(",");
  assert.equal(await errorOf(`${chat.url}/${many}/json`), 40009);
  assert.equal(await errorOf(`${chat.url}/${topic},${many}/json`), 40009);
  assert.equal(await errorOf(`${chat.url}/,,,/json`), 40301);
  assert.equal(await errorOf(`${chat.url}/${encodeURIComponent(`${topic}\r\nSet-Cookie: a=b`)}/json`), 40301);
});

test("a topic has at most 20 streams", async (t) => {
  const { url, chat } = await startWithTopic(t);
  const phones = [];
  for (let count = 0; count < 20; count += 1) phones.push(await openPhone(t, `${url}/json`));
  assert.equal(await errorOf(`${url}/json`), 42903);
  await assert.rejects(openSocket(t, `${url}/ws`), /429/);
  await phones[0]?.close();
  const isFree = async () => (await chat.as("hamlet").get("/users/me/ntfy"))["ntfy"].connections < 20;
  while (!(await isFree()));
  await openPhone(t, `${url}/json`);
});

test("a person's requests are limited", async (t) => {
  const { url } = await startWithTopic(t, { rateLimit: "on" });
  let last = 0;
  for (let count = 0; count < 101 && last !== 429; count += 1) last = (await fetch(`${url}/auth`)).status;
  assert.equal(await errorOf(`${url}/auth`), 42901);
});

test("the app for iPhones gets no events that it would show as messages", async (t) => {
  const { chat, url, direct } = await startWithTopic(t);
  const id = await direct("read");
  await chat.as("hamlet").post("/messages/flags", { messages: [id], op: "add", flag: "read" });
  assert.deepEqual(await polledTexts(url), ["message_clear"]);
  assert.deepEqual(await pollNtfy(`${url}/json?poll=1`, { "user-agent": "ntfy/1.7 (build 1; iOS 18.1)" }), []);
});

test("line separators in messages do not split a line", async (t) => {
  const { url, direct } = await startWithTopic(t);
  await direct("one\u0085two");
  const text = await (await fetch(`${url}/json?poll=1`)).text();
  assert.equal(/[\u0085\u2028\u2029]/.test(text), false);
  assert.equal(text.split("\n").length, 2);
});

test("a long backlog arrives whole and in order", async (t) => {
  const { url, direct } = await startWithTopic(t);
  const texts = Array.from({ length: 120 }, (_, index) => `message ${index}`);
  for (const text of texts) await direct(text);
  assert.deepEqual(await polledTexts(url), texts);
});
