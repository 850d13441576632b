import assert from "node:assert/strict";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import test from "node:test";
import { recordAudit } from "../../server/api/actions/audit.ts";
import { type Body, startChat } from "../support/chat.ts";
import { LOOK_MS, OPERATOR, SAMPLE_MS, send, state, stopTime } from "../support/host-state-samples.ts";
import { until } from "../support/patience.ts";

test("addresses follow network changes within five seconds", async (t) => {
  const time = stopTime(t);
  const chat = await startChat(t, { operatorToken: "operator's own", unwatched: true, host: "0.0.0.0" });
  const { stateFeed } = chat.server.app;
  const { networkInterfaces } = os;
  const isOn = (found: typeof networkInterfaces) => {
    os.networkInterfaces = found;
    syncBuiltinESMExports();
  };
  t.after(() => isOn(networkInterfaces));
  const { port } = new URL(chat.url);
  let { sample } = await state(chat);
  for (const address of ["192.168.7.7", "10.1.2.3"]) {
    const held = state(chat, sample);
    await until(() => stateFeed.isWatched || undefined, "the poll to be held");
    const netmask = { netmask: "255.255.255.0", mac: "00:00:00:00:00:00", cidr: null };
    isOn(() => ({ wlan0: [{ address, family: "IPv4", internal: false, ...netmask }] }));
    time.pass(SAMPLE_MS + LOOK_MS);
    const answer = await held;
    assert.deepEqual(answer["network"].addresses, [{ url: `http://${address}:${port}`, interface: "wlan0" }]);
    sample = answer["sample"];
  }
  assert.ok(SAMPLE_MS + LOOK_MS <= 5000);
});

test("a change ends a held poll within a second", async (t) => {
  const time = stopTime(t);
  const chat = await startChat(t, { operatorToken: "operator's own", unwatched: true });
  const { store, stateFeed } = chat.server.app;
  const changes: [string, () => unknown, (sample: Body) => unknown][] = [
    ["message", () => send(chat, "hamlet", "hello"), (sample) => sample["organization"].messages],
    [
      "person",
      () => chat.as("desdemona").post("/users", { email: "a@b.c", password: "motley fool", full_name: "Clown" }),
      (sample) => sample["organization"].people,
    ],
    [
      "channel",
      () => chat.as("desdemona").post("/users/me/subscriptions", { subscriptions: [{ name: "stage" }] }),
      (sample) => sample["organization"].channels,
    ],
    ["invitation", () => chat.as("iago").post("/invites/multiuse"), (sample) => sample["invitations"].links],
    ["queue", () => chat.register("hamlet"), (sample) => sample["queues"].total],
    [
      "audit",
      () =>
        store.transact({ actor: 1, action: "test" }, (tx) =>
          recordAudit(tx, null, { action: "change password", target: "user 1" }),
        ),
      (sample) => sample["host"].newest_audit_id,
    ],
  ];
  for (const [what, change, figure] of changes) {
    time.pass(LOOK_MS);
    const fresh = await state(chat);
    const held = state(chat, fresh["sample"]);
    await until(() => stateFeed.isWatched || undefined, "the poll to be held");
    time.pass(LOOK_MS);
    assert.equal(stateFeed.isWatched, true, "nothing has changed");
    await change();
    time.pass(LOOK_MS);
    const after = await held;
    assert.ok(after["sample"] > fresh["sample"]);
    assert.notEqual(figure(after), figure(fresh), what);
  }
});

test("an idle poll gets a response every two seconds", async (t) => {
  const time = stopTime(t);
  const chat = await startChat(t, { operatorToken: "operator's own", unwatched: true });
  const { stateFeed } = chat.server.app;
  const first = await state(chat);
  const held = state(chat, first["sample"]);
  await until(() => stateFeed.isWatched || undefined, "the poll to be held");
  time.pass(SAMPLE_MS - LOOK_MS);
  assert.equal(stateFeed.isWatched, true, "it is too early");
  time.pass(LOOK_MS);
  const second = await held;
  assert.ok(second["sample"] > first["sample"]);
  const atOnce = await state(chat, first["sample"]);
  assert.equal(atOnce["sample"], second["sample"]);
  const { event_loop } = second["host"];
  assert.ok(event_loop.delay_ms_max >= event_loop.delay_ms_median);
});

test("steady sends produce at most four samples a second", async (t) => {
  const time = stopTime(t);
  const chat = await startChat(t, { operatorToken: "operator's own", unwatched: true });
  const { stateFeed } = chat.server.app;
  let { sample } = await state(chat);
  for (let count = 0; count < 4; count += 1) {
    const held = state(chat, sample);
    for (const content of ["one", "two", "three"]) await send(chat, "hamlet", content);
    await until(() => stateFeed.isWatched || undefined, "the poll to be held");
    time.pass(LOOK_MS - 1);
    assert.equal(stateFeed.isWatched, true, "it is too early");
    time.pass(1);
    const answer = await held;
    assert.ok(answer["sample"] > sample);
    sample = answer["sample"];
  }
});

test("takes no samples without a held poll", async (t) => {
  const time = stopTime(t);
  const chat = await startChat(t, { operatorToken: "operator's own", unwatched: true });
  const { stateFeed, store } = chat.server.app;
  const { sample } = await state(chat);
  assert.equal(stateFeed.isWatched, false);
  const reads = t.mock.method(store.reader, "derived");
  const measured = () => reads.mock.calls.filter(({ arguments: [key] }) => key.startsWith("host state")).length;
  const leaving = new AbortController();
  const held = fetch(`${chat.url}/host/state?after=${sample}`, { headers: OPERATOR, signal: leaving.signal });
  await until(() => stateFeed.isWatched || undefined, "the poll to be held");
  leaving.abort();
  await assert.rejects(held);
  await until(() => !stateFeed.isWatched || undefined, "the poll to be given up");
  const before = measured();
  time.pass(SAMPLE_MS + LOOK_MS);
  assert.equal(measured(), before);
  await state(chat);
  await until(() => measured() > before || undefined, "measuring to be seen");
});

test("a stop ends held polls immediately", async (t) => {
  stopTime(t); // otherwise it would end the polls
  const chat = await startChat(t, { operatorToken: "operator's own", unwatched: true });
  const { sample } = await state(chat);
  const held = Promise.all([state(chat, sample), state(chat, sample)]);
  await until(() => chat.server.app.stateFeed.waiting === 2 || undefined, "the polls to be held");
  await chat.restart();
  for (const answer of await held) assert.deepEqual([answer.status, answer["code"]], [503, "SERVER_NOT_READY"]);
});

test("operator and administrators poll without rate limits", async (t) => {
  const users = {
    clown: { is_bot: true, bot_type: 1 as const, role: 100 as const },
    moderator: { role: 300 as const },
  };
  const limits = { operatorToken: "operator's own", rateLimit: "on" as const };
  const chat = await startChat(t, { unwatched: true, users, ...limits });
  for (const name of ["moderator", "hamlet", "polonius", "bot", "clown"]) {
    const answer = await chat.as(name).get("/host/state");
    assert.equal(answer.status, 400, name);
    assert.equal(answer["organization"], undefined);
  }
  assert.equal((await chat.anonymous("GET", "/host/state")).status, 401);
  const owner = chat.as("desdemona");
  assert.match((await owner.get("/host/state", { after: "now" })).msg, /^after must be an integer/);
  const remaining = async (path: string) => {
    const authorization = `Basic ${Buffer.from(`${owner.email}:${owner.key}`).toString("base64")}`;
    const response = await fetch(`${chat.url}${path}`, { headers: { authorization } });
    await response.arrayBuffer();
    return response.headers.get("x-ratelimit-remaining");
  };
  assert.notEqual(await remaining("/host/state"), null);
  assert.equal(await remaining("/host/state?after=1"), null);
});
