import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import test, { type TestContext } from "node:test";
import { LOG_STRIDE } from "../../server/api/queries/webhook-deliveries.ts";
import { receiptLog } from "../../server/api/queries/webhook-receipts.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { until } from "../support/patience.ts";

async function startBots(t: TestContext) {
  const received: { headers: Record<string, unknown>; token: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk));
    request.on("end", () => {
      received.push({ headers: request.headers, token: JSON.parse(body).token });
      response.writeHead(400).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const chat = await startChat(t, { channels: [{ name: "stage", subscribers: ["hamlet", "cordelia"] }] });
  await chat.as("desdemona").patch("/host/settings", { WEBHOOK_ALLOWED_HOSTS: ["127.0.0.1"] });
  const make = async (full_name: string, more: object) => {
    const answer = await chat.as("hamlet").post("/bots", { full_name, short_name: full_name, ...more });
    assert.equal(answer.status, 200, answer.msg);
    return answer;
  };
  const outgoing = await make("Echo", { bot_type: 3, payload_url: JSON.stringify(url) });
  const incoming = await make("Builder", { bot_type: 2, service_name: "github" });
  return { chat, received, outgoing: outgoing["user_id"], incoming: incoming["user_id"], key: incoming["api_key"] };
}

const hello = (chat: Chat, key: string, integration: string) =>
  fetch(`${chat.url}/api/v1/external/${integration}?${new URLSearchParams({ api_key: key, stream: "stage" })}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ featured_title: "Chat", featured_url: "https://example.com/" }),
  });

const testDelivery = async (chat: Chat, id: number): Promise<number> => {
  const { delivery_id } = await chat.as("hamlet").post(`/host/bots/${id}/test_delivery`);
  await until(async () => {
    const { delivery } = await chat.as("hamlet").get(`/host/bots/${id}/deliveries/${delivery_id}`);
    return delivery.state !== "waiting" || undefined;
  }, "the delivery");
  return delivery_id;
};

test("only managers of bots see their health", async (t) => {
  const { chat, outgoing, incoming, key } = await startBots(t);
  // Hamlet also has a bot of the third type.
  const health = async (who: string) =>
    (await chat.as(who).get("/host/bots"))["bots"].filter(({ bot_id }: any) => bot_id !== chat.ids["bot"]);
  const unused = { is_paused: false, is_failing: false, waiting: 0, failed: 0, last: null };
  assert.deepEqual(await health("hamlet"), [
    { bot_id: outgoing, integration: null, ...unused },
    { bot_id: incoming, integration: "github", ...unused },
  ]);
  await testDelivery(chat, outgoing);
  await hello(chat, key, "helloworld");
  await hello(chat, key, "github");
  await chat.as("hamlet").patch(`/host/bots/${outgoing}`, { is_paused: true });
  await chat.as("hamlet").post(`/host/bots/${outgoing}/test_delivery`);
  const [sent, got] = await health("hamlet");
  assert.deepEqual(
    [sent.is_paused, sent.is_failing, sent.waiting, sent.failed, sent.last.state],
    [true, true, 1, 1, "failed"],
  );
  assert.deepEqual(sent.last.error.params, { status: 400 });
  assert.deepEqual([got.waiting, got.failed, got.last.state], [0, 1, "refused"]);
  assert.deepEqual(await health("cordelia"), []);
  assert.deepEqual(await health("iago"), [sent, got]);
  assert.equal((await chat.as("polonius").get("/host/bots")).status, 400);
});

test("filters the log of all deliveries for bot managers", async (t) => {
  const { chat, outgoing, incoming } = await startBots(t);
  const tested = await testDelivery(chat, outgoing);
  await chat.as("hamlet").patch(`/host/bots/${outgoing}`, { is_paused: true });
  await chat.as("cordelia").post("/messages", { type: "direct", to: [outgoing], content: "one" });
  await chat.as("cordelia").post("/messages", { type: "channel", to: "stage", topic: "t", content: "@**Echo** two" });
  const log = async (params: object, who = "hamlet") => {
    const answer = await chat.as(who).get("/host/webhook_deliveries", params as Record<string, unknown>);
    return answer.status === 200 ? answer["deliveries"].map(({ trigger }: any) => trigger) : answer.code;
  };
  assert.deepEqual(await log({}), ["mention", "direct_message", "test"]);
  assert.deepEqual(await log({ states: ["failed"] }), ["test"]);
  assert.deepEqual(await log({ triggers: ["mention", "test"] }), ["mention", "test"]);
  assert.deepEqual(await log({ bot_ids: [outgoing], before: tested + 1 }), ["test"]);
  assert.deepEqual(await log({ bot_ids: [incoming] }), []);
  const { deliveries } = await chat.as("hamlet").get("/host/webhook_deliveries");
  const { created_at } = deliveries[0];
  assert.deepEqual(await log({ since: created_at, limit: 1 }), ["mention"]);
  assert.deepEqual(await log({ until: deliveries[2].created_at - 1 }), []);
  assert.equal((await chat.as("hamlet").get("/host/webhook_deliveries", { limit: 2 }))["has_more"], true);
  assert.equal("request" in deliveries[0], false, "texts are in the details only");
  assert.deepEqual(await log({}, "iago"), ["mention", "direct_message", "test"]);
  assert.deepEqual(await log({}, "cordelia"), []);
  assert.equal(await log({ bot_ids: [outgoing] }, "cordelia"), "UNAUTHORIZED_PRINCIPAL");
  assert.equal(await log({ bot_ids: [999] }), "BAD_REQUEST");
  assert.equal(await log({ states: ["lost"] }), "BAD_REQUEST");
});

test("filters the log of all receipts and shows a payload", async (t) => {
  const { chat, incoming, outgoing, key } = await startBots(t);
  await hello(chat, key, "helloworld");
  await hello(chat, key, "github");
  const log = async (params: object, who = "hamlet") => {
    const answer = await chat.as(who).get("/host/webhook_receipts", params as Record<string, unknown>);
    return answer.status === 200 ? answer["receipts"].map(({ state }: any) => state) : answer.code;
  };
  assert.deepEqual(await log({}), ["refused", "posted"]);
  assert.deepEqual(await log({ states: ["posted", "ignored"] }), ["posted"]);
  assert.deepEqual(await log({ integrations: ["github"] }), ["refused"]);
  assert.deepEqual(await log({ bot_ids: [outgoing] }), []);
  const { receipts } = await chat.as("hamlet").get("/host/webhook_receipts", { limit: 1 });
  assert.equal("payload" in receipts[0], false);
  assert.deepEqual(await log({ before: receipts[0].id }), ["posted"]);
  assert.deepEqual(await log({ since: receipts[0].received_at + 1 }), []);
  assert.deepEqual(await log({}, "cordelia"), []);
  assert.equal(await log({ bot_ids: [incoming] }, "cordelia"), "UNAUTHORIZED_PRINCIPAL");
  const one = (who: string, bot: number) => chat.as(who).get(`/host/bots/${bot}/receipts/${receipts[0].id}`);
  assert.match((await one("hamlet", incoming))["receipt"].payload, /featured_title/);
  assert.equal((await one("hamlet", outgoing)).status, 404, "another bot's is as good as absent");
  assert.equal((await one("cordelia", incoming)).code, "UNAUTHORIZED_PRINCIPAL");
});

test("searches rare entries in slices of all receipts", async (t) => {
  const { chat, incoming, outgoing, key } = await startBots(t);
  await hello(chat, key, "helloworld");
  const { store } = chat.server.app;
  const others = 2 * LOG_STRIDE;
  store.transact({ actor: null, action: "test" }, (tx) =>
    tx.run(
      `INSERT INTO webhook_receipts (bot_id, integration, state, received_at, latency, status, payload)
       WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
       SELECT ?, 'github', 'ignored', ?, 1, 200, '' FROM numbers ORDER BY n`,
      others,
      outgoing,
      tx.now,
    ),
  );
  const found = await chat.as("hamlet").get("/host/webhook_receipts", { bot_ids: `[${incoming}]` });
  assert.deepEqual([found["receipts"].length, found["has_more"]], [1, false]);
  const steps = [...receiptLog(store.reader, { bot_ids: [incoming], limit: 10 })].length;
  assert.equal(steps, 3);
  const newest = [...receiptLog(store.reader, { bot_ids: [outgoing], limit: 10 })].length;
  assert.equal(newest, 1, "it ends where there are enough");
});

test("a new token and signing secret apply from the next delivery", async (t) => {
  const { chat, received, outgoing, incoming } = await startBots(t);
  const settings = async () => (await chat.as("hamlet").get(`/host/bots/${outgoing}`))["signing_secret"];
  const tokenOf = async () =>
    (await chat.register("hamlet")).state.realm_bots.find(({ user_id }) => user_id === outgoing)?.services[0]?.token;
  const before = [await settings(), await tokenOf()];
  const path = `/host/bots/${outgoing}/service/regenerate`;
  const hamlet = await chat.register("hamlet");
  const token = await chat.as("hamlet").post(path, { credential: "token" });
  assert.notEqual(token["value"], before[1]);
  assert.equal(await tokenOf(), token["value"]);
  const [event] = await hamlet.events();
  assert.deepEqual([event?.type, event?.["bot"].services[0].token], ["realm_bot", token["value"]]);
  const secret = await chat.as("desdemona").post(path, { credential: "signing_secret" });
  assert.notEqual(secret["value"], before[0]);
  assert.equal(await settings(), secret["value"]);
  await testDelivery(chat, outgoing);
  assert.equal(received[0]?.token, token["value"]);
  const { store } = chat.server.app;
  await store.durable();
  assert.equal(JSON.stringify(store.eventsInLog(0).events).includes(secret["value"]), false, "it is in no event");
  assert.equal((await chat.as("cordelia").post(path, { credential: "token" })).code, "UNAUTHORIZED_PRINCIPAL");
  assert.equal((await chat.as("hamlet").post(path, { credential: "key" })).code, "BAD_REQUEST");
  const other = await chat.as("hamlet").post(`/host/bots/${incoming}/service/regenerate`, { credential: "token" });
  assert.equal(other.msg, "This bot is not an outgoing webhook.");
  const { entries } = await chat.as("desdemona").get("/host/audit", { action: "regenerate webhook credential" });
  assert.deepEqual(
    entries.map(({ after }: any) => after),
    [{ credential: "signing_secret" }, { credential: "token" }],
  );
});

test("our pages get events for pausing, failures and secrets", async (t) => {
  const { chat, outgoing, incoming } = await startBots(t);
  const { store } = chat.server.app;
  await store.durable();
  const announced = async () => {
    await store.durable();
    const { events } = store.eventsInLog(0);
    return events.flatMap(({ event }: any) => (event.type === "webhook_settings" ? event.bot_id : []));
  };
  assert.deepEqual(await announced(), []);
  await testDelivery(chat, outgoing);
  assert.deepEqual(await announced(), [outgoing], "it fails");
  await chat.as("hamlet").patch(`/host/bots/${outgoing}`, { is_paused: true });
  await chat.as("hamlet").patch(`/host/bots/${incoming}`, { webhook_secret: "between us" });
  assert.deepEqual(await announced(), [outgoing, outgoing, incoming]);
});
