import assert from "node:assert/strict";
import test from "node:test";
import type { Transaction } from "../../server/storage/transaction.ts";
import { applyEvent } from "../../ui/api/state.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { reserveEventIds } from "../support/unlogged-events.ts";

const START = 1_800_000_000;
const DAY = 86_400;
const general = { name: "general", subscribers: ["hamlet", "polonius"] };
const limitedGuests = (tx: Transaction) => {
  const members = tx.value<number>("SELECT id FROM user_groups WHERE name = 'role:members'");
  tx.run("INSERT INTO organization_settings (name, value) VALUES ('can_access_all_users_group', ?)", String(members));
};
const without = ({ id: _, ...event }: Record<string, unknown>) => event;
const client = (status: string, timestamp: number) => ({ client: "website", status, timestamp });
const byClient = (status: string, timestamp: number) => ({
  aggregated: client(status, timestamp),
  website: { ...client(status, timestamp), pushable: false },
});

/** A chat whose clock the test sets, in seconds. */
async function startClock(t: Parameters<typeof startChat>[0], options: Parameters<typeof startChat>[1] = {}) {
  const clock = { at: START };
  const chat = await startChat(t, { ...options, now: () => clock.at * 1000 });
  await reserveEventIds(chat);
  const ping = async (name: string, params: Record<string, unknown> = {}) => {
    const answer = await chat.as(name).post("/users/me/presence", { status: "active", ...params });
    assert.equal(answer.status, 200, answer.msg);
    return answer;
  };
  return { chat, clock, ping };
}
const idleTimes = (presences: object = {}) => Object.values(presences).map(({ idle_timestamp }) => idle_timestamp);
const newsOf = async (queue: Awaited<ReturnType<Chat["register"]>>) => (await queue.events()).map(without);

test("presence changes reach each client in its own format", async (t) => {
  const { chat, clock, ping } = await startClock(t);
  const { id, email } = chat.as("hamlet");
  const joined = Math.floor(chat.user("hamlet").joined_at / 1000);
  const old = await chat.register("othello");
  const slim = await chat.register("othello", { slim_presence: true });
  const simplified = await chat.register("othello", {
    slim_presence: true,
    client_capabilities: { simplified_presence_events: true },
  });
  assert.deepEqual([old.state.presences, old.state["presence_last_update_id"]], [{}, -1]);
  const states = [old, slim, simplified].map((queue) => ({ queue, state: queue.state }));
  const formsOfNews = async () => {
    const heard = [];
    for (const one of states) {
      const events = await one.queue.events();
      one.state = events.reduce((state, event) => applyEvent(state, event) as typeof state, one.state);
      heard.push(events.map(without));
    }
    // After each change the state equals a new registration's. The slim form has one time fewer.
    for (const { queue, state } of states) {
      const slim_presence = queue !== old;
      const fresh = (await chat.register("othello", { slim_presence, fetch_event_types: ["presence"] })).state
        .presences;
      if (queue === slim) assert.deepEqual(idleTimes(state.presences), idleTimes(fresh));
      else assert.deepEqual(state.presences, fresh);
    }
    return heard;
  };
  const expected = (at: number, status: string, times: [number, number]) => {
    const slimmer = {
      type: "presence",
      user_id: id,
      server_timestamp: at,
      presence: { website: { ...client(status, at), pushable: false } },
    };
    const presences = { [id]: { active_timestamp: times[0], idle_timestamp: times[1] } };
    return [[{ ...slimmer, email }], [slimmer], [{ type: "presence", presences }]];
  };
  await ping("hamlet", { status: "idle" });
  assert.deepEqual(await formsOfNews(), expected(START, "idle", [joined, START]));
  clock.at += 60;
  await ping("hamlet");
  assert.deepEqual(await formsOfNews(), expected(START + 60, "active", [START + 60, START + 60]));
  // An idle client next to an active one, and another minute, change nothing for others.
  clock.at += 60;
  await ping("hamlet", { status: "idle" });
  await ping("hamlet");
  for (const { queue } of states) assert.deepEqual(await queue.events(), []);
  clock.at += 90;
  await ping("hamlet", { status: "idle" });
  assert.deepEqual((await formsOfNews())[1], expected(START + 210, "idle", [0, 0])[1]);
  // After more than 200 seconds without a ping the person was offline.
  clock.at += 201;
  await ping("hamlet", { status: "idle" });
  assert.equal((await formsOfNews())[0]?.length, 1);
});

test("presence comes complete or as changes since an update", async (t) => {
  const { chat, clock, ping } = await startClock(t, { channels: [general], unwatched: true });
  const [hamlet, othello] = [chat.as("hamlet"), chat.as("othello")];
  await ping("othello");
  clock.at += 10;
  const legacy = await ping("hamlet", { new_user_input: true });
  assert.deepEqual(legacy.presences, {
    [othello.email]: byClient("active", START),
    [hamlet.email]: byClient("active", START + 10),
  });
  assert.equal(legacy.server_timestamp, START + 10);
  assert.equal(legacy.zephyr_mirror_active, false);
  const times = (at: number) => ({ active_timestamp: at, idle_timestamp: at });
  const both = { [othello.id]: times(START), [hamlet.id]: times(START + 10) };
  assert.deepEqual((await ping("hamlet", { slim_presence: true })).presences, both);
  const first = await ping("hamlet", { last_update_id: -1 });
  assert.deepEqual(first.presences, both);
  clock.at += 5;
  await ping("othello");
  const next = await ping("hamlet", { last_update_id: first.presence_last_update_id });
  assert.deepEqual(next.presences, { [othello.id]: times(START + 15), [hamlet.id]: times(START + 15) });
  assert.ok(next.presence_last_update_id > first.presence_last_update_id);
  const only = await ping("hamlet", { ping_only: true, last_update_id: 7 });
  assert.deepEqual([only.presence_last_update_id, only.presences, only.server_timestamp], [7, undefined, undefined]);
  // People whose last ping is older than the limit are omitted.
  clock.at += 3 * DAY;
  const { presences } = await ping("hamlet", { slim_presence: true, history_limit_days: 2 });
  assert.deepEqual(Object.keys(presences), [String(hamlet.id)]);
  const registered = (params: object) => chat.register("hamlet", { slim_presence: true, ...params });
  assert.equal(Object.keys((await registered({})).state.presences ?? {}).length, 2);
  assert.equal(Object.keys((await registered({ presence_history_limit_days: 2 })).state.presences ?? {}).length, 1);
  clock.at += 15 * DAY;
  assert.deepEqual((await registered({})).state.presences, {});
  assert.deepEqual((await hamlet.get("/realm/presence")).presences, {});
});

test("finds one person's presence by ID or email address", async (t) => {
  const { chat, clock, ping } = await startClock(t);
  const hamlet = chat.as("hamlet");
  await ping("hamlet");
  const expected = { status: "active", timestamp: START };
  for (const name of [hamlet.id, hamlet.email]) {
    const answer = await chat.as("bot").get(`/users/${name}/presence`);
    assert.deepEqual(answer.presence, { aggregated: expected, website: expected });
  }
  clock.at += 201;
  const { presence } = await chat.as("bot").get(`/users/${hamlet.id}/presence`);
  assert.deepEqual(presence.aggregated, { status: "offline", timestamp: START });
  const all = await chat.as("othello").get("/realm/presence");
  assert.deepEqual([all.server_timestamp, all.presences], [START + 201, { [hamlet.email]: byClient("active", START) }]);
  // A person with a hidden address is listed under its replacement.
  await hamlet.patch("/settings", { email_address_visibility: 4 });
  const [hidden] = Object.keys((await chat.as("othello").get("/realm/presence")).presences);
  assert.match(hidden ?? "", new RegExp(`^user${hamlet.id}@`));
  assert.equal((await chat.as("othello").get(`/users/${hidden}/presence`)).status, 200);
  const byLogin = await chat.as("othello").get(`/users/${hamlet.email}/presence`);
  assert.deepEqual(byLogin, await chat.as("othello").get("/users/nobody@example.com/presence"));
  // People who were never online, bots and missing people have no presence.
  for (const name of [chat.ids["othello"], chat.ids["bot"], 999_999, "nobody@example.com", "x"]) {
    const answer = await hamlet.get(`/users/${name}/presence`);
    assert.deepEqual([answer.status, answer.code], [400, "BAD_REQUEST"], String(name));
  }
  const refused = await chat.as("bot").post("/users/me/presence", { status: "active" });
  assert.equal(refused.result, "error");
  for (const params of [
    {},
    { status: "asleep" },
    { status: "idle", last_update_id: "x" },
    { status: "idle", ping_only: 3 },
    { status: "idle", history_limit_days: -1 },
  ]) {
    assert.equal((await hamlet.post("/users/me/presence", params)).status, 400);
  }
});

test("a guest sees no presence of hidden people", async (t) => {
  const { chat, ping } = await startClock(t, { channels: [general], prepare: limitedGuests });
  const guest = await chat.register("polonius", { slim_presence: true });
  await ping("othello");
  await ping("hamlet");
  const { hamlet, othello, polonius } = chat.ids as { hamlet: number; othello: number; polonius: number };
  assert.deepEqual(
    (await newsOf(guest)).map(({ user_id }) => user_id),
    [hamlet],
  );
  const { presences } = await ping("polonius", { last_update_id: -1 });
  assert.deepEqual(
    Object.keys(presences).map(Number),
    [hamlet, polonius].sort((a, b) => a - b),
  );
  assert.deepEqual(Object.keys((await chat.as("polonius").get("/realm/presence")).presences).sort(), [
    chat.as("hamlet").email,
    chat.as("polonius").email,
  ]);
  const ask = (name: unknown) => chat.as("polonius").get(`/users/${name}/presence`);
  assert.deepEqual(await ask(othello), await ask(999_999));
  // The presence arrives with the person as soon as they share a channel.
  await chat.as("othello").post("/users/me/subscriptions", { subscriptions: [{ name: "general" }] });
  const met = (await newsOf(guest)).filter(({ type, user_id }) => type === "presence" && user_id === othello);
  assert.equal(met.length, 1);
});

test("hidden presence disappears immediately and is not stored", async (t) => {
  const { chat, ping } = await startClock(t);
  const hamlet = chat.as("hamlet");
  await ping("hamlet");
  const queue = await chat.register("othello", { slim_presence: true });
  assert.ok(queue.state.presences?.[hamlet.id]);
  assert.equal((await hamlet.patch("/settings", { presence_enabled: false })).status, 200);
  const news = await newsOf(queue);
  assert.deepEqual(news.map(({ type }) => type).sort(), ["presence", "user_status"]);
  const gone = news.find(({ type }) => type === "presence") as { presence: { website: { timestamp: number } } };
  assert.equal(gone.presence.website.timestamp, 0);
  const { presences } = await ping("hamlet", { slim_presence: true });
  assert.deepEqual(presences, {});
  assert.deepEqual(await queue.events(), []);
  // Others see an offline user, with a time that reveals nothing.
  const timestamp = Math.floor(chat.user("hamlet").joined_at / 1000);
  const asked = await chat.as("othello").get(`/users/${hamlet.id}/presence`);
  assert.deepEqual(asked.presence, {
    aggregated: { status: "offline", timestamp },
    website: { status: "idle", timestamp },
  });
  assert.deepEqual((await chat.register("othello")).state.presences, {});
  await chat.restart();
  assert.deepEqual((await chat.register("othello")).state.presences, {});
  assert.equal((await hamlet.patch("/settings", { presence_enabled: true })).status, 200);
  await ping("hamlet");
  assert.equal(Object.keys((await chat.register("othello")).state.presences ?? {}).length, 1);
  // Deactivated people are listed nowhere.
  await ping("othello");
  assert.equal((await chat.as("iago").delete(`/users/${chat.ids["othello"]}`)).status, 200);
  const left = (await chat.register("cordelia", { slim_presence: true })).state.presences;
  assert.deepEqual(Object.keys(left ?? {}), [String(hamlet.id)]);
});

test("presence is not logged, yet survives a restart", async (t) => {
  const { chat, clock, ping } = await startClock(t, { unwatched: true });
  const records = () => chat.server.app.store.seq;
  await ping("hamlet");
  await ping("othello", { status: "idle" });
  // Writes the record that is due each minute, then moves the clock by less than a minute.
  chat.server.runChores();
  const [seq, rows] = [records(), () => chat.server.app.store.reader.value<number>("SELECT COUNT(*) FROM presences")];
  for (let round = 0; round < 5; round += 1) {
    clock.at += 10;
    await ping("hamlet");
  }
  assert.equal(records(), seq);
  assert.equal(rows(), 0);
  clock.at += 300;
  const before = (await ping("hamlet", { last_update_id: -1 })).presence_last_update_id;
  chat.server.runChores();
  assert.equal(rows(), 2);
  const { presences } = (await chat.register("iago", { slim_presence: true })).state;
  clock.at += 1;
  await ping("iago");
  await chat.restart();
  const after = (await chat.register("iago", { slim_presence: true })).state;
  const { iago } = chat.ids as { iago: number };
  assert.deepEqual(after.presences, {
    ...presences,
    [iago]: { active_timestamp: clock.at, idle_timestamp: clock.at },
  });
  const { presence_last_update_id: now, presences: changed } = await ping("hamlet", { last_update_id: before });
  assert.ok(now > before);
  assert.deepEqual(
    Object.keys(changed).map(Number),
    [chat.ids["hamlet"], iago].sort((a, b) => Number(a) - Number(b)),
  );
});
