import assert from "node:assert/strict";
import test from "node:test";
import { createBot } from "../../server/api/actions/bots.ts";
import { INTERFACE } from "../../server/api/queries/bots.ts";
import { BOT_TYPE, userById } from "../../server/api/queries/users.ts";
import { Lookups } from "../../server/integrations/outgoing/lookups.ts";
import { OwnerTurns } from "../../server/integrations/outgoing/owner-turns.ts";
import type { Chat } from "../support/chat.ts";
import { direct, json, settled, startReceiver, startWebhook } from "../support/outgoing-webhook.ts";
import { until } from "../support/patience.ts";

function takeAll<T>(turns: OwnerTurns<T>): T[] {
  const taken: T[] = [];
  for (let item = turns.take(); item !== undefined; item = turns.take()) taken.push(item);
  return taken;
}

test("owners take turns", () => {
  const turns = new OwnerTurns<string>(64);
  for (const item of ["a1", "a2", "a3", "b1", "b2", "c1"]) turns.add(item.charCodeAt(0), item);
  assert.deepEqual(takeAll(turns), ["a1", "b1", "c1", "a2", "b2", "a3"]);
});

test("a slot stays free for the next owner", () => {
  const turns = new OwnerTurns<string>(64);
  const shares: number[] = [];
  for (let owner = 1; owner <= 5; owner += 1) {
    for (let number = 0; number < 100; number += 1) turns.add(owner, `${owner}-${number}`);
    shares.push(takeAll(turns).length);
  }
  assert.deepEqual(shares, [32, 16, 8, 4, 2]);
});

test("equal owners get equal shares", () => {
  const turns = new OwnerTurns<string>(64);
  for (const owner of [1, 2, 3]) for (let number = 0; number < 100; number += 1) turns.add(owner, `${owner}-${number}`);
  const taken = takeAll(turns).map((item) => item.slice(0, 1));
  assert.deepEqual(
    ["1", "2", "3"].map((owner) => taken.filter((one) => one === owner).length),
    [16, 16, 16],
  );
});

test("an item waits for or holds at most one slot", () => {
  const turns = new OwnerTurns<number>(4);
  turns.add(1, 7);
  turns.add(1, 7);
  assert.equal(turns.take(), 7);
  turns.add(1, 7);
  assert.deepEqual([turns.hasNext, turns.held], [false, 1]);
  turns.release(7);
  assert.deepEqual([turns.hasNext, turns.held], [false, 0]);
});

test("slow lookups of one owner delay no other owner", async () => {
  const asked: string[] = [];
  const silent = Promise.withResolvers<string[]>();
  const lookups = new Lookups(async (name) => {
    asked.push(name);
    return name.startsWith("slow") ? silent.promise : ["192.0.2.1"];
  });
  const slow = Array.from({ length: 1000 }, (_, number) => lookups.addressesOf(`slow${number}.example`, 1, 60_000));
  assert.deepEqual(await lookups.addressesOf("fast.example", 2, 60_000), ["192.0.2.1"]);
  assert.deepEqual(await lookups.addressesOf("other.example", 3, 60_000), ["192.0.2.1"]);
  const same = lookups.addressesOf("slow999.example", 2, 60_000);
  await until(() => (asked.length === 4 ? true : undefined), "the same name for another owner");
  assert.deepEqual(asked, ["slow0.example", "fast.example", "other.example", "slow999.example"]);
  silent.resolve([]);
  await Promise.all([...slow, same]);
});

test("skips a lookup that waited too long", async () => {
  const asked: string[] = [];
  const silent = Promise.withResolvers<string[]>();
  const lookups = new Lookups((name) => {
    asked.push(name);
    return silent.promise;
  });
  const first = lookups.addressesOf("first.example", 1, 60_000);
  const late = assert.rejects(lookups.addressesOf("late.example", 1, 0), { code: "EAI_AGAIN" });
  const patient = lookups.addressesOf("patient.example", 1, 60_000);
  silent.resolve([]);
  await Promise.all([first, late, patient]);
  assert.deepEqual(asked, ["first.example", "patient.example"]);
});

function makeBots(chat: Chat, owner: string, count: number, url: string): number[] {
  const { store, webhookSecrets } = chat.server.app;
  const sealedFor = (botId: number) => ({
    token: webhookSecrets.seal("token", botId, "token"),
    secret: webhookSecrets.seal("signing_secret", botId, "whsec_c2VjcmV0"),
  });
  const service = { base_url: url, interface: INTERFACE.generic, sealedFor };
  return store.transact({ actor: null, action: "test" }, (tx) => {
    const user = userById(tx, chat.ids[owner] as number)!;
    return Array.from({ length: count }, (_, number) => {
      const name = `${owner}${number}`;
      const bot = createBot(tx, user, {
        full_name: name,
        short_name: name,
        type: BOT_TYPE.outgoingWebhook,
        defaults: { sendingChannelId: null, eventsChannelId: null, allPublicChannels: false },
        integration: null,
        config: null,
        service: { name, ...service },
      });
      return bot.user.id;
    });
  });
}

test("slow receivers of one owner delay no other owner's bot", async (t) => {
  const slow = await startReceiver(t, () => {}); // never responds
  const quick = await startReceiver(t, json({ content: "heard" }));
  const { chat, botId } = await startWebhook(t, quick.url, { unwatched: true });
  const slowBots = makeBots(chat, "iago", 130, slow.url);
  const to = (ids: number[]) => chat.as("cordelia").post("/messages", { type: "direct", to: ids, content: "wake up" });
  for (const ids of [slowBots.slice(0, 65), slowBots.slice(65)]) assert.equal((await to(ids)).status, 200);
  await until(() => (slow.received.length >= 32 ? true : undefined), "slow receivers");
  await direct(chat, botId, "one");
  const [delivery] = await settled(chat, botId, 1);
  assert.deepEqual([delivery.state, delivery.attempts, slow.received.length], ["delivered", 1, 32]);
});
