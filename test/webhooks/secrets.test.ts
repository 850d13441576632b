import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { webhookSecrets } from "../../server/host/credentials/derived-keys.ts";
import type { Chat } from "../support/chat.ts";
import { deliveries, direct, settled, startReceiver, startWebhook } from "../support/outgoing-webhook.ts";
import { until } from "../support/patience.ts";

test("a sealed secret opens for its bot and use only", () => {
  const secrets = webhookSecrets(randomBytes(32));
  const sealed = secrets.seal("token", 7, "between us");
  assert.equal(secrets.open("token", 7, sealed), "between us");
  assert.notEqual(secrets.seal("token", 7, "between us"), sealed);
  assert.equal(secrets.open("token", 8, sealed), undefined);
  assert.equal(secrets.open("signing_secret", 7, sealed), undefined);
  assert.equal(webhookSecrets(randomBytes(32)).open("token", 7, sealed), undefined);
  for (const text of ["", "between us", sealed.slice(1), sealed.slice(0, -4), `${sealed}AAAA`])
    assert.equal(secrets.open("token", 7, text), undefined);
});

const SECRET = "between the sender and us";

/** Hamlet's outgoing webhook with a receiver, and his incoming one with a secret. */
async function startBoth(t: Parameters<typeof startWebhook>[0]) {
  const receiver = await startReceiver(t);
  const { chat, botId: outgoing } = await startWebhook(t, receiver.url, { unwatched: true });
  const made = await chat.as("hamlet").post("/bots", { full_name: "Builder", short_name: "builder", bot_type: 2 });
  const incoming = made["user_id"] as number;
  await chat.as("hamlet").patch(`/host/bots/${incoming}`, { webhook_secret: SECRET });
  return { chat, receiver, outgoing, incoming };
}

/** Like a rotation of secret.key, or a restore with another one. */
function sealByAnotherKey(chat: Chat, { outgoing, incoming }: { outgoing: number; incoming: number }): void {
  const { seal } = webhookSecrets(randomBytes(32));
  chat.server.app.store.transact({ actor: null, action: "test" }, (tx) => {
    tx.run("UPDATE bots SET webhook_secret = ? WHERE user_id = ?", seal("webhook_secret", incoming, SECRET), incoming);
    const [token, secret] = [seal("token", outgoing, "t"), seal("signing_secret", outgoing, "s")];
    tx.run("UPDATE bot_services SET token = ?, secret = ? WHERE bot_id = ?", token, secret, outgoing);
  });
}

const settingsOf = (chat: Chat, bot: number) => chat.as("hamlet").get(`/host/bots/${bot}`);
const tokenOf = async (chat: Chat, bot: number): Promise<string | undefined> =>
  (await chat.register("hamlet")).state.realm_bots.find(({ user_id }) => user_id === bot)?.services[0]?.token;

async function signedRequest(chat: Chat, bot: number, secret: string) {
  const key = (await chat.register("hamlet")).state.realm_bots.find(({ user_id }) => user_id === bot)?.api_key ?? "";
  const body = JSON.stringify({ zen: "Keep it simple." });
  const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const headers = { "content-type": "application/json", "x-github-event": "ping", "x-hub-signature-256": signature };
  const query = new URLSearchParams({ api_key: key });
  return fetch(`${chat.url}/api/v1/external/github?${query}`, {
    method: "POST",
    headers: { ...headers, "hearth-error-reason": "1" },
    body,
  });
}

test("no file of the data folder contains a webhook secret", async (t) => {
  const { chat, outgoing, incoming } = await startBoth(t);
  const secrets = [(await settingsOf(chat, incoming))["webhook_secret"]];
  const regenerate = `/host/bots/${outgoing}/service/regenerate`;
  for (const again of [false, true]) {
    if (again)
      for (const credential of ["token", "signing_secret"]) await chat.as("hamlet").post(regenerate, { credential });
    secrets.push(await tokenOf(chat, outgoing), (await settingsOf(chat, outgoing))["signing_secret"]);
  }
  assert.ok(
    secrets.length === 5 && secrets.every((one) => typeof one === "string" && one.length > 20),
    String(secrets),
  );
  await chat.restart(); // it writes the log's contents into the database file
  const files = readdirSync(chat.folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  assert.ok(files.some(({ name }) => name === "hearth.db") && files.some(({ name }) => name.endsWith(".log")));
  for (const { parentPath, name } of files) {
    const bytes = readFileSync(join(parentPath, name));
    for (const secret of secrets) assert.ok(!bytes.includes(secret as string), `${name} has ${secret}`);
  }
});

test("names secrets of another secret.key and allows setting them again", async (t) => {
  const { chat, outgoing, incoming } = await startBoth(t);
  sealByAnotherKey(chat, { outgoing, incoming });
  const [out, into] = [await settingsOf(chat, outgoing), await settingsOf(chat, incoming)];
  assert.deepEqual([out["signing_secret"], out["unreadable"]], [null, ["token", "signing_secret"]]);
  assert.deepEqual([into["webhook_secret"], into["unreadable"]], [null, ["webhook_secret"]]);
  assert.equal(await tokenOf(chat, outgoing), "");
  const refused = await signedRequest(chat, incoming, SECRET);
  assert.equal(refused.status, 401);
  assert.equal(((await refused.json()) as { reason: string }).reason, "webhook_secret_unreadable");
  const { receipts } = await chat.as("hamlet").get(`/host/bots/${incoming}/receipts`);
  assert.deepEqual([receipts[0].state, receipts[0].error.reason], ["refused", "webhook_secret_unreadable"]);
  await chat.as("hamlet").patch(`/host/bots/${incoming}`, { webhook_secret: "a new one" });
  assert.deepEqual((await settingsOf(chat, incoming))["unreadable"], []);
  assert.equal((await signedRequest(chat, incoming, "a new one")).status, 200);
});

test("delivers nothing with an unreadable credential", async (t) => {
  const { chat, receiver, outgoing, incoming } = await startBoth(t);
  sealByAnotherKey(chat, { outgoing, incoming });
  await direct(chat, outgoing, "psst");
  const failed = await until(async () => {
    const [delivery] = await deliveries(chat, outgoing);
    return delivery?.error ? delivery : undefined;
  }, "a first attempt");
  assert.deepEqual([failed.state, failed.attempts, receiver.received.length], ["waiting", 1, 0]);
  assert.equal(failed.error.reason, "webhook_secrets_unreadable");
  for (const credential of ["token", "signing_secret"])
    await chat.as("hamlet").post(`/host/bots/${outgoing}/service/regenerate`, { credential });
  await chat.as("hamlet").post(`/host/bots/${outgoing}/deliveries/try_waiting`);
  await settled(chat, outgoing, 1);
  assert.equal(JSON.parse(receiver.received[0]?.body ?? "").token, await tokenOf(chat, outgoing));
});
