import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { endpoints } from "../../server/api/endpoints/index.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { until } from "../support/patience.ts";

const OPERATOR_TOKEN = "operator's own";
const OPERATOR = { authorization: `Bearer ${OPERATOR_TOKEN}` };

async function logOf(chat: Chat): Promise<string> {
  await chat.server.app.log.files.flush();
  const folder = `${chat.folder}/diagnostics`;
  return readdirSync(folder)
    .map((name) => readFileSync(`${folder}/${name}`, "utf8"))
    .join("");
}

const messages = ({ lines }: Record<string, any>): string[] => lines.map(({ msg }: { msg: string }) => msg);

test("owner and operator filter the log by level, words and page", async (t) => {
  const chat = await startChat(t, { unwatched: true, operatorToken: OPERATOR_TOKEN });
  const { log } = chat.server.app;
  for (const number of [1, 2, 3]) log.warn(`Warning ${number}`, { user_id: number });
  log.info("By the way");
  const owner = chat.as("desdemona");
  const first = await owner.get("/host/logs", { limit: 2 });
  assert.deepEqual(messages(first), ["By the way", "Warning 3"]);
  assert.deepEqual([first["lines"][1].level, first["lines"][1].user_id], ["warn", 3]);
  assert.ok(Math.abs(first["lines"][0].time - Date.now()) < 60_000);
  assert.deepEqual(messages(await owner.get("/host/logs", { before: first["next"], limit: 2 })), [
    "Warning 2",
    "Warning 1",
  ]);
  const warnings = await chat.anonymous("GET", "/host/logs", { level: "warn", text: "WARNING 2" }, OPERATOR);
  assert.deepEqual([messages(warnings), warnings["next"]], [["Warning 2"], null]);
  assert.ok(messages(await owner.get("/host/logs")).includes("The server has started"));
  for (const params of [{ level: "all" }, { text: "x".repeat(201) }, { before: 0 }, { after: -1 }, { limit: 501 }]) {
    const answer = await owner.get("/host/logs", params);
    assert.equal(answer.status, 400);
    assert.match(answer.msg, new RegExp(Object.keys(params)[0] as string));
  }
});

test("the next matching line ends a held poll", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const { log } = chat.server.app;
  const owner = chat.as("desdemona");
  const { newest } = await owner.get("/host/logs");
  const held = owner.get("/host/logs", { after: newest, level: "warn" });
  log.info("Not what it waits for");
  await log.files.flush();
  log.warn("What it waits for");
  const answer = await held;
  assert.deepEqual(messages(answer), ["What it waits for"]);
  assert.ok(answer["newest"] > newest);
  const stopping = owner.get("/host/logs", { after: answer["newest"], level: "error" });
  await until(() => log.files.listeners === 1 || undefined, "the poll is held");
  // The server's stop ends the poll, not its timeout.
  await chat.restart();
  assert.deepEqual(messages(await stopping), []);
  assert.equal(messages(await owner.get("/host/logs", { text: "the server stops" })).length, 1);
});

test("the level is a setting, and debug logs each response", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const owner = chat.as("desdemona");
  await owner.get("/users/me");
  assert.equal((await owner.patch("/host/settings", { LOG_LEVEL: "debug" })).result, "success");
  await owner.get("/users/me");
  const { lines } = await owner.get("/host/logs", { text: "200 GET /users/me" });
  assert.equal(lines.length, 1);
  const [{ status, user_id, ms }] = lines;
  assert.deepEqual([status, user_id], [200, chat.ids["desdemona"]]);
  assert.ok(ms >= 0);
  // Reading the log must not write to it, or following it would never end.
  assert.deepEqual(messages(await owner.get("/host/logs", { text: "GET /host/logs" })), []);
  const refused = await chat.anonymous("GET", "/users/me");
  assert.equal(refused.status, 401);
  await owner.patch("/host/settings", { LOG_LEVEL: "error" });
  const before = await logOf(chat);
  await chat.anonymous("GET", "/users/me");
  assert.equal(await logOf(chat), before);
  assert.equal(before.match(/401 GET \/users\/me/g)?.length, 1);
});

test("no endpoint leaves a secret in the log", async (t) => {
  const chat = await startChat(t, { unwatched: true, operatorToken: OPERATOR_TOKEN });
  const owner = chat.as("desdemona");
  await owner.patch("/host/settings", { LOG_LEVEL: "debug" });
  const names = /passw|secret|token|key|code|credential/i;
  const secrets: string[] = [];
  const secret = (name: string) => {
    const made = `hush ${name} ${secrets.length}`;
    secrets.push(made.replace(/ /g, "-"));
    return made.replace(/ /g, "-");
  };
  let tried = 0;
  for (const { route, params, outsideApi } of endpoints) {
    const fields = Object.keys(params).filter((name) => names.test(name));
    if (fields.length === 0) continue;
    tried += 1;
    const [method = "", pattern = ""] = route.split(" ");
    const sent = Object.fromEntries(fields.map((name) => [name, secret(name)]));
    const path = pattern.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(sent[name] ?? "1"));
    const body = new URLSearchParams(sent);
    const address = `${chat.url}${outsideApi ? "" : "/api/v1"}${path}`;
    for (const headers of [
      { authorization: `Basic ${Buffer.from(`${owner.email}:${owner.key}`).toString("base64")}` },
      { authorization: `Basic ${Buffer.from(`${owner.email}:${secret("key")}`).toString("base64")}` },
      { authorization: `Bearer ${secret("bearer")}` },
      { cookie: `hearth_session=${secret("session")}` },
    ]) {
      const response = await (method === "GET"
        ? fetch(`${address}?${body}`, { headers: headers as Record<string, string>, redirect: "manual" })
        : fetch(address, { method, headers: headers as Record<string, string>, body }));
      await response.arrayBuffer();
    }
  }
  assert.ok(tried > 10, `${tried}`);
  const log = await logOf(chat);
  assert.match(log, /40[01] /);
  for (const one of [...secrets, owner.key, OPERATOR_TOKEN]) assert.ok(!log.includes(one), one);
  const bundle = await fetch(`${chat.url}/host/logs/bundle`, { headers: OPERATOR });
  const text = await bundle.text();
  for (const one of [...secrets, owner.key, OPERATOR_TOKEN]) assert.ok(!text.includes(one), one);
});

test("redacts a request's secret in an error", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const printed = t.mock.method(console, "error", () => {});
  const password = "hunter two";
  t.mock.method(chat.server.app.passwords, "verify", () => {
    throw new Error(`The password ${password} broke it`);
  });
  const answer = await chat.anonymous("POST", "/fetch_api_key", { username: "desdemona@example.com", password });
  assert.equal(answer.status, 500);
  const log = await logOf(chat);
  assert.match(log, /POST \/fetch_api_key failed/);
  assert.match(log, /broke it/);
  assert.ok(!log.includes(password));
  assert.equal(printed.mock.callCount(), 1);
  assert.ok(!String(printed.mock.calls[0]?.arguments[0]).includes(password));
});

test("the bundle contains diagnostics without messages", async (t) => {
  const chat = await startChat(t, { unwatched: true, operatorToken: OPERATOR_TOKEN, channels: [{ name: "stage" }] });
  await chat.as("desdemona").post("/messages", { type: "direct", to: [chat.ids["iago"]], content: "between us" });
  chat.server.app.log.warn("Something to look at");
  const response = await fetch(`${chat.url}/host/logs/bundle`, { headers: OPERATOR });
  assert.equal(response.status, 200);
  assert.match(response.headers.get("content-disposition") ?? "", /^attachment; filename="hearth-help-[\dT-]+\.json"$/);
  const text = await response.text();
  const bundle = JSON.parse(text);
  assert.equal(bundle.hearth.version, chat.server.app.version);
  assert.equal(bundle.system.node, process.version);
  assert.equal(bundle.host_settings.LOG_LEVEL, "info");
  assert.equal(bundle.organization.people, 6);
  assert.equal(bundle.organization.settings.allow_message_editing, true);
  assert.equal(bundle.log[0].msg, "Something to look at");
  for (const word of ["between us", "Venice", "desdemona", "Desdemona", "stage"]) assert.ok(!text.includes(word), word);
});

test("nobody else reads the log or the bundle", async (t) => {
  const users = { clown: { is_bot: true, bot_type: 1 as const, role: 100 as const } };
  const chat = await startChat(t, { unwatched: true, users });
  for (const path of ["/host/logs", "/host/logs/bundle"]) {
    for (const name of ["iago", "hamlet", "polonius", "bot", "clown"]) {
      const answer = await chat.as(name).get(path);
      assert.equal(answer.status, 400, `${name} ${path}`);
      assert.deepEqual([answer["lines"], answer["log"]], [undefined, undefined]);
    }
    assert.equal((await chat.anonymous("GET", path)).status, 401);
  }
});
