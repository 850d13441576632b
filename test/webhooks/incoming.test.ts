import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import test, { type TestContext } from "node:test";
import { type Chat, startChat } from "../support/chat.ts";

const ISSUE = {
  action: "opened",
  issue: { number: 7, title: "It rains", html_url: "https://git.example/7", body: "Again.", user: { login: "ada" } },
  repository: { name: "weather", full_name: "ada/weather", html_url: "https://git.example" },
  sender: { login: "ada", html_url: "https://git.example/ada" },
};

async function startIncoming(t: TestContext) {
  const chat = await startChat(t, { channels: [{ name: "builds", subscribers: ["hamlet", "cordelia"] }] });
  const made = await chat.as("hamlet").post("/bots", { full_name: "Builder", short_name: "builder", bot_type: 2 });
  assert.equal(made.status, 200, made.msg);
  return { chat, botId: made["user_id"] as number, key: made["api_key"] as string };
}

/** Sends what a service sends, as it sends it: JSON in the body, the rest in the address. */
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

test("what is not understood is refused, kept and posted nowhere", async (t) => {
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

test("an unknown channel is told to the owner", async (t) => {
  const { chat, key } = await startIncoming(t);
  const headers = { "x-github-event": "issues" };
  const byName = await tell(chat, "github", { api_key: key, stream: "moon" }, ISSUE, headers);
  assert.equal(byName["status"], 200);
  assert.match((await newest(chat, "hamlet", [["is", "dm"]])).content, /does not exist/);
  const byId = await tell(chat, "github", { api_key: key, stream: "9999" }, ISSUE, headers);
  assert.deepEqual([byId["status"], byId["code"]], [400, "STREAM_DOES_NOT_EXIST"]);
});

test("with a secret set only signed requests count", async (t) => {
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
});

test("others can neither read receipts nor secrets", async (t) => {
  const { chat, botId } = await startIncoming(t);
  for (const who of ["cordelia", "polonius"]) {
    assert.equal((await chat.as(who).get(`/host/bots/${botId}/receipts`)).status, 400);
    assert.equal((await chat.as(who).get(`/host/bots/${botId}`)).status, 400);
  }
  assert.equal((await chat.as("hamlet").get(`/host/bots/${botId}`))["is_paused"], false);
});

test("GET is for integrations that use it", async (t) => {
  const { chat, key } = await startIncoming(t);
  const answer = await tell(chat, "github", { api_key: key }, "", {}, "GET");
  assert.equal(answer["status"], 405);
  const head = await fetch(`${chat.url}/api/v1/external/trello`, { method: "HEAD" });
  assert.equal(head.status, 200);
});
