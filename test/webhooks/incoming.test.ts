import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import test, { type TestContext } from "node:test";
import { integrations } from "../../server/integrations/incoming/registry.ts";
import { type Chat, type ChatOptions, startChat } from "../support/chat.ts";

const ISSUE = {
  action: "opened",
  issue: { number: 7, title: "It rains", html_url: "https://git.example/7", body: "Again.", user: { login: "ada" } },
  repository: { name: "weather", full_name: "ada/weather", html_url: "https://git.example" },
  sender: { login: "ada", html_url: "https://git.example/ada" },
};

async function startIncoming(t: TestContext, options: ChatOptions = {}) {
  const channels = [{ name: "builds", subscribers: ["hamlet", "cordelia"] }];
  const chat = await startChat(t, { channels, ...options });
  const made = await chat.as("hamlet").post("/bots", { full_name: "Builder", short_name: "builder", bot_type: 2 });
  assert.equal(made.status, 200, made.msg);
  return { chat, botId: made["user_id"] as number, key: made["api_key"] as string };
}

/** Sends a request like the service: JSON in the body, the rest in the URL. */
async function tell(
  chat: Chat,
  name: string,
  query: Record<string, string>,
  body: unknown,
  headers: Record<string, string> = {},
  method = "POST",
) {
  const response = await fetch(`${chat.url}/api/v1/external/${name}?${new URLSearchParams(query)}`, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(method === "POST" && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, ...(text ? (JSON.parse(text) as Record<string, any>) : {}) } as Record<string, any>;
}

const newest = async (chat: Chat, who: string, narrow: unknown) =>
  (await chat.as(who).get("/messages", { anchor: "newest", num_before: 1, narrow, apply_markdown: false }))[
    "messages"
  ].at(-1);

test("a service's event becomes the bot's message", async (t) => {
  const { chat, key, botId } = await startIncoming(t);
  const answer = await tell(chat, "github", { api_key: key, stream: "builds" }, ISSUE, { "x-github-event": "issues" });
  assert.deepEqual(answer, { status: 200, result: "success", msg: "" });
  const message = await newest(chat, "cordelia", [["channel", "builds"]]);
  assert.equal(message.sender_id, botId);
  assert.equal(message.client, "ZulipGitHubWebhook");
  assert.match(message.content, /ada/);
  assert.match(message.content, /git\.example\/7/);
  const { receipts } = await chat.as("hamlet").get(`/host/bots/${botId}/receipts`);
  assert.deepEqual(
    receipts.map(({ integration, state, message_id }: any) => [integration, state, message_id]),
    [["github", "posted", message.id]],
  );
  assert.match(receipts[0].payload, /It rains/);
});

test("without a channel the owner gets a direct message", async (t) => {
  const { chat, key, botId } = await startIncoming(t);
  await tell(chat, "github", { api_key: key }, ISSUE, { "x-github-event": "issues" });
  assert.equal((await newest(chat, "hamlet", [["is", "dm"]])).sender_id, botId);
  const { id } = await newest(chat, "hamlet", [["is", "dm"]]);
  const other = await chat.as("cordelia").get("/messages", { anchor: "newest", num_before: 5, narrow: [["is", "dm"]] });
  assert.equal(
    other["messages"].some((one: any) => one.id === id),
    false,
  );
});

test("a wrong or missing key posts nothing", async (t) => {
  const { chat, key } = await startIncoming(t);
  const headers = { "x-github-event": "issues" };
  assert.equal((await tell(chat, "github", { stream: "builds" }, ISSUE, headers))["code"], "REQUEST_VARIABLE_MISSING");
  for (const wrong of ["x", `${key.slice(1)}A`, chat.as("hamlet").key]) {
    const answer = await tell(chat, "github", { api_key: wrong, stream: "builds" }, ISSUE, headers);
    assert.deepEqual([answer["status"], answer["code"]], [401, "INVALID_API_KEY"]);
  }
  assert.equal((await tell(chat, "nothing", { api_key: key }, ISSUE))["status"], 404);
  assert.equal(await newest(chat, "cordelia", [["channel", "builds"]]), undefined);
});

test("rejects, stores and does not post unknown payloads", async (t) => {
  const { chat, key, botId } = await startIncoming(t);
  const at = { api_key: key, stream: "builds" };
  assert.equal((await tell(chat, "github", at, ISSUE))["code"], "MISSING_HTTP_EVENT_HEADER");
  const odd = await tell(chat, "github", at, ISSUE, { "x-github-event": "moon_phase" });
  assert.deepEqual(
    [odd["status"], odd["code"], odd["event_type"]],
    [400, "UNSUPPORTED_WEBHOOK_EVENT_TYPE", "moon_phase:opened"],
  );
  assert.equal((await tell(chat, "github", at, "{", { "x-github-event": "issues" }))["status"], 400);
  assert.equal((await tell(chat, "github", at, { issue: 3 }, { "x-github-event": "issues" }))["status"], 400);
  assert.equal(await newest(chat, "cordelia", [["channel", "builds"]]), undefined);
  const { receipts } = await chat.as("hamlet").get(`/host/bots/${botId}/receipts`, { state: "refused" });
  assert.equal(receipts.length, 4);
});

test("notifies the owner of an unknown channel", async (t) => {
  const { chat, key } = await startIncoming(t);
  const headers = { "x-github-event": "issues" };
  const byName = await tell(chat, "github", { api_key: key, stream: "moon" }, ISSUE, headers);
  assert.equal(byName["status"], 200);
  assert.match((await newest(chat, "hamlet", [["is", "dm"]])).content, /does not exist/);
  const byId = await tell(chat, "github", { api_key: key, stream: "9999" }, ISSUE, headers);
  assert.deepEqual([byId["status"], byId["code"]], [400, "STREAM_DOES_NOT_EXIST"]);
});

test("a webhook with a secret accepts only signed requests", async (t) => {
  const { chat, key, botId } = await startIncoming(t);
  const secret = "between us";
  assert.equal((await chat.as("cordelia").patch(`/host/bots/${botId}`, { webhook_secret: "mine" })).status, 400);
  assert.equal((await chat.as("hamlet").patch(`/host/bots/${botId}`, { webhook_secret: secret })).status, 200);
  const body = JSON.stringify(ISSUE);
  const sign = (with_: string) => `sha256=${createHmac("sha256", with_).update(body).digest("hex")}`;
  const send = (headers: Record<string, string>) =>
    tell(chat, "github", { api_key: key, stream: "builds" }, body, { "x-github-event": "issues", ...headers });
  assert.equal((await send({}))["status"], 401);
  assert.equal((await send({ "x-hub-signature-256": sign("wrong") }))["status"], 401);
  assert.equal((await send({ "x-hub-signature-256": sign(secret) }))["status"], 200);
  const around = await tell(chat, "json", { api_key: key, stream: "builds" }, body);
  assert.equal(around["status"], 401, "a service that signs nothing is no way around it");
});

test("others cannot read receipts or secrets", async (t) => {
  const { chat, botId } = await startIncoming(t);
  for (const who of ["cordelia", "polonius"]) {
    assert.equal((await chat.as(who).get(`/host/bots/${botId}/receipts`)).status, 400);
    assert.equal((await chat.as(who).get(`/host/bots/${botId}`)).status, 400);
  }
  assert.equal((await chat.as("hamlet").get(`/host/bots/${botId}`))["is_paused"], false);
});

test("only integrations that use GET accept it", async (t) => {
  const { chat, key } = await startIncoming(t);
  const answer = await tell(chat, "github", { api_key: key }, "", {}, "GET");
  assert.equal(answer["status"], 405);
  const head = await fetch(`${chat.url}/api/v1/external/trello`, { method: "HEAD" });
  assert.equal(head.status, 200);
});

test("a noisy sender does not block another bot behind one IP address", async (t) => {
  const now = Date.now();
  const limits = { api_by_user: [[60, 3]], api_by_ip: [[60, 2]] };
  const { chat, key } = await startIncoming(t, { rateLimit: "on", now: () => now, unwatched: true });
  const other = await chat.as("cordelia").post("/bots", { full_name: "Other", short_name: "other", bot_type: 2 });
  await chat.as("desdemona").patch("/host/settings", { RATE_LIMITS: limits });
  const send = (api_key: string) => tell(chat, "helloworld", { api_key }, { featured_title: "x", featured_url: "y" });
  const statuses = async (api_key: string, times: number) => {
    const all: number[] = [];
    for (let n = 0; n < times; n += 1) all.push((await send(api_key))["status"]);
    return all;
  };
  assert.deepEqual(await statuses(key, 4), [200, 200, 200, 429]);
  assert.deepEqual(await statuses("0".repeat(32), 3), [401, 401, 429], "guesses count for the address");
  assert.deepEqual(await statuses(other["api_key"], 4), [200, 200, 200, 429]);
});

test("only a bot's sender may send a long body", async (t) => {
  const { chat, key } = await startIncoming(t);
  const long = { featured_title: "x", featured_url: "y", more: "z".repeat(3 << 20) };
  assert.equal((await tell(chat, "helloworld", { api_key: key }, long))["status"], 200);
  assert.equal((await tell(chat, "helloworld", { api_key: "0".repeat(32) }, long))["status"], 413);
});

test("posts a long body only if the bot is still active", async (t) => {
  const { chat, key, botId } = await startIncoming(t, { unwatched: true });
  const { store } = chat.server.app;
  const at = { api_key: key, stream: "builds" };
  const long = { ...ISSUE, more: "z".repeat(100_000) };
  const headers = { "x-github-event": "issues" };
  assert.equal((await tell(chat, "github", at, long, headers))["status"], 200);
  const before = await newest(chat, "cordelia", [["channel", "builds"]]);
  assert.match(before.content, /opened \[issue #7\]/);
  const durable = store.durable.bind(store);
  let turns = 0;
  t.mock.method(store, "durable", (seq?: number) => {
    turns += 1;
    if (turns === 1)
      store.transact({ actor: null, action: "test" }, (tx) =>
        tx.run("UPDATE users SET is_active = 0 WHERE id = ?", botId),
      );
    return durable(seq);
  });
  const { status, code } = await tell(chat, "github", at, long, headers);
  t.mock.restoreAll();
  assert.deepEqual([status, code], [401, "USER_DEACTIVATED"]);
  assert.ok(turns >= 2, "it is read in several turns");
  assert.equal((await newest(chat, "cordelia", [["channel", "builds"]])).id, before.id);
});

test("rejects and stores bodies too large for a bot's sender", async (t) => {
  const { chat, key, botId } = await startIncoming(t);
  const at = { api_key: key, stream: "builds" };
  const headers = { "x-github-event": "issues" };
  const large = await tell(chat, "github", at, { ...ISSUE, more: "z".repeat(6 << 20) }, headers);
  assert.deepEqual([large["status"], large["code"]], [413, "BAD_REQUEST"]);
  const values = await tell(chat, "github", at, { ...ISSUE, more: new Array(100_000).fill(0) }, headers);
  assert.match(values["msg"], /more than 50000 values/);
  const form = { "content-type": "application/x-www-form-urlencoded", ...headers };
  const nested = await tell(chat, "github", at, `payload=${"[".repeat(100_000)}`, form);
  assert.match(nested["msg"], /more than 100 levels/);
  assert.equal(
    (await tell(chat, "slack_incoming", at, "x".repeat(6 << 20)))["ok"],
    false,
    "as Slack's libraries read it",
  );
  assert.equal(await newest(chat, "cordelia", [["channel", "builds"]]), undefined);
  const { receipts } = await chat.as("hamlet").get(`/host/bots/${botId}/receipts`);
  assert.deepEqual(
    receipts.map(({ state, status }: any) => [state, status]),
    [413, 400, 400, 413].map((status) => ["refused", status]),
  );
  for (const { payload } of receipts) assert.ok(payload.length < 11_000 && !payload.includes(key));
});

test("receipts contain no keys or secrets", async (t) => {
  const { chat, key, botId } = await startIncoming(t);
  const secret = "Zx81-Zx81-Zx81";
  const payload = {
    secret,
    "X-Api-Key": secret,
    nested: [{ access_token: secret, password: `a\\"${secret}`, Authorization: `Bearer ${secret}`, pin: 7 }],
    headers: [["Authorization", `Basic ${secret}`]],
    link: `https://user:${secret}@e.example/?token=${secret}&page=2`,
    text: `Authorization: Bearer ${secret}`,
    author: "visible",
  };
  const at = { api_key: key };
  await tell(chat, "json", at, payload);
  await tell(chat, "json", at, JSON.stringify({ author: "visible", secret }).slice(0, -3));
  const form = new URLSearchParams({ payload: JSON.stringify(payload), token: secret, api_key: key });
  await tell(chat, "slack_incoming", {}, form.toString(), { "content-type": "application/x-www-form-urlencoded" });
  await tell(chat, "uptimekuma", { ...at, msg: "visible", token: secret }, "", {}, "GET");
  const { receipts } = await chat.as("hamlet").get(`/host/bots/${botId}/receipts`);
  assert.equal(receipts.length, 4);
  for (const { payload: kept } of receipts) {
    assert.match(kept, /visible/);
    assert.equal(kept.includes(secret) || kept.includes(key), false, kept);
  }
  assert.deepEqual(JSON.parse(receipts[3].payload).nested[0].pin, 7);
});

test("stores a long payload in part and a thousand receipts per bot", async (t) => {
  const { chat, key, botId } = await startIncoming(t, { unwatched: true });
  await tell(chat, "helloworld", { api_key: key }, { featured_title: "ü".repeat(50_000), featured_url: "y" });
  const { receipts } = await chat.as("hamlet").get(`/host/bots/${botId}/receipts`);
  assert.equal(receipts[0].payload.length, 10_001);
  assert.match(receipts[0].payload, /ü…$/);
  chat.server.app.store.transact({ actor: null, action: "test" }, (tx) => {
    for (let n = 0; n < 1500; n += 1)
      tx.run(
        `INSERT INTO webhook_receipts (bot_id, integration, state, received_at, latency, status, payload)
         VALUES (?, 'json', 'posted', ?, 0, 200, '')`,
        botId,
        tx.now,
      );
  });
  await tell(chat, "helloworld", { api_key: key }, { featured_title: "x", featured_url: "y" });
  const { reader } = chat.server.app.store;
  assert.equal(reader.value("SELECT COUNT(*) FROM webhook_receipts WHERE bot_id = ?", botId), 1000);
});

test("a doubly escaped URL finds its channel and topic", async (t) => {
  const { chat, key } = await startIncoming(t, {
    channels: ["to do", "100%25"].map((name) => ({ name, subscribers: ["hamlet", "cordelia"] })),
  });
  const send = async (name: string, stream: string, topic: string, body: unknown) => {
    const answer = await tell(chat, name, { api_key: key, stream, topic }, body, { "x-event-key": "repo:push" });
    assert.equal(answer["status"], 200, answer["msg"]);
    const { display_recipient, subject } = await newest(chat, "cordelia", [["is", "unread"]]);
    return [display_recipient, subject];
  };
  const hello = { featured_title: "x", featured_url: "y" };
  const deleted = {
    webhookEvent: "jira:issue_deleted",
    user: { displayName: "Ada" },
    issue: { key: "A-1", self: "https://jira.example/rest/api/2/issue/1", fields: { summary: "It rains" } },
  };
  assert.deepEqual(await send("jira", "to%20do", "next%20week", deleted), ["to do", "next week"]);
  assert.deepEqual(await send("jira", "to do", "next%20week", deleted), ["to do", "next week"]);
  assert.deepEqual(await send("helloworld", "to%20do", "next%20week", hello), ["to do", "next week"]);
  assert.deepEqual(await send("helloworld", "to do", "50%20off", hello), ["to do", "50%20off"]);
  assert.deepEqual(await send("jira", "100%25", "50%20off", deleted), ["100%25", "50%20off"]);
});

test("a hidden channel looks like a missing one", async (t) => {
  const { chat, key } = await startIncoming(t, {
    channels: [{ name: "plot", private: true, subscribers: ["iago"] }],
  });
  const send = (stream: string) =>
    tell(chat, "helloworld", { api_key: key, stream }, { featured_title: "x", featured_url: "y" });
  const [hidden, absent] = [await send("plot"), await send("moon")];
  assert.deepEqual(hidden, absent);
  const [byId, byNoId] = [await send(String(chat.ids["plot"])), await send("987654")];
  assert.deepEqual([byId["code"], byId["status"]], [byNoId["code"], byNoId["status"]]);
  assert.equal(await newest(chat, "iago", [["channel", "plot"]]), undefined);
});

test("no integration posts unknown payloads", async (t) => {
  const { chat, key, botId } = await startIncoming(t);
  const odd = { "x-github-event": "odd", "x-gitlab-event": "odd", "x-gitea-event": "odd", "x-event-key": "odd" };
  for (const { name } of integrations.filter((each) => each.name !== "json" && each.name !== "slack_incoming")) {
    const answer = await tell(chat, name, { api_key: key, stream: "builds" }, { odd: 1, type: "odd.thing" }, odd);
    assert.ok(answer["status"] === 400, `${name}: ${answer["status"]}`);
    const { receipts } = await chat.as("hamlet").get(`/host/bots/${botId}/receipts`, { limit: 1 });
    assert.deepEqual([receipts[0].integration, receipts[0].state], [name, "refused"]);
    assert.match(receipts[0].payload, /"odd":1/);
  }
  assert.equal(await newest(chat, "cordelia", [["channel", "builds"]]), undefined);
});

test("sends receipts to bot managers, without payloads", async (t) => {
  const { chat, key, botId } = await startIncoming(t);
  const { store } = chat.server.app;
  await tell(chat, "helloworld", { api_key: key }, { featured_title: "secret plan", featured_url: "y" });
  await tell(chat, "helloworld", { api_key: key }, { secret: "plan" });
  await store.durable();
  const told = store.eventsInLog(0).events.filter(({ event }) => event.type === "webhook_receipt");
  assert.deepEqual(
    told.map(({ event: { receipt } }: any) => [receipt.bot_id, receipt.state, "payload" in receipt]),
    [
      [botId, "posted", false],
      [botId, "refused", false],
    ],
  );
  for (const { users } of told) {
    assert.deepEqual([...users], ["desdemona", "hamlet", "iago"].map((name) => chat.ids[name]).sort());
  }
});

test("members read the setup of each service", async (t) => {
  const { chat } = await startIncoming(t);
  const answer = await chat.as("cordelia").get("/host/integrations");
  const names = answer["integrations"].map(({ name }: any) => name);
  const { realm_incoming_webhook_bots: listed } = (await chat.register("cordelia")).state;
  assert.deepEqual(
    names,
    listed.map(({ name }) => name),
  );
  for (const { name, color, display_name, set_up } of answer["integrations"]) {
    assert.match(color, /^#[0-9a-f]{6}$/, name);
    assert.ok(display_name.length > 1 && set_up.includes("{address}"), name);
  }
  const signed = answer["integrations"].filter(({ is_signed }: any) => is_signed).map(({ name }: any) => name);
  assert.ok(signed.includes("github") && !signed.includes("json"));
  assert.match((await chat.as("polonius").get("/host/integrations")).msg, /Guests/);
});
