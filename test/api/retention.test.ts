import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { Retention } from "../../server/chores/retention.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { clock, design, edited, general, say, settings, write } from "../support/message-edits.ts";
import { upload } from "../support/uploads.ts";

const DAY = 86_400_000;
const MINUTE = 60_000;
const about = { actor: null, action: "test" };

/** Backdates messages by this many days. */
function age(chat: Chat, days: number, ...ids: number[]): void {
  chat.server.app.store.transact(about, (tx) => {
    for (const id of ids) tx.run("UPDATE messages SET sent_at = ? WHERE id = ?", Date.now() - days * DAY, id);
  });
}

/** Deletes the markers that reveal a backdated message's real age. */
const deleteMarks = (chat: Chat) =>
  chat.server.app.store.transact(about, (tx) => void tx.run("DELETE FROM retention_marks"));

async function expire(chat: Chat, now = Date.now()): Promise<number> {
  const { store } = chat.server.app;
  store.transact(about, (tx) => {
    tx.run("DELETE FROM retention_clock");
    tx.run("INSERT INTO retention_clock (id, believed) VALUES (1, ?)", now);
  });
  deleteMarks(chat);
  const slices = await runRound(chat, new Retention(store, () => now));
  assert.ok(slices > 0, "no round was due");
  return slices;
}

async function runRound(chat: Chat, retention: Retention): Promise<number> {
  let slices = 0;
  for (retention.work(); ; retention.work()) {
    await chat.server.app.store.durable();
    slices += 1;
    if (!retention.isAtWork) return slices;
  }
}

/** Messages of people, without the system message that starts a channel. */
const left = (chat: Chat): number[] =>
  chat.server.app.store.reader
    .all<{ id: number }>(
      `SELECT messages.id FROM messages JOIN users ON users.id = sender_id WHERE is_bot = 0 ORDER BY messages.id`,
    )
    .map(({ id }) => id);

/** A chat after this hour's round. */
async function start(t: TestContext, options: Parameters<typeof startChat>[1] = {}): Promise<Chat> {
  const chat = await startChat(t, options);
  chat.server.runChores();
  deleteMarks(chat);
  return chat;
}

async function make(chat: Chat, name: string, message_retention_days: number | string, people = ["hamlet"]) {
  const answer = await chat.as("desdemona").post("/users/me/subscriptions", {
    subscriptions: [{ name }],
    message_retention_days,
    principals: [chat.ids["desdemona"], ...people.map((person) => chat.ids[person])],
  });
  assert.equal(answer.result, "success", answer.msg);
  const id = chat.server.app.store.reader.value<number>("SELECT id FROM channels WHERE name = ?", name) as number;
  chat.ids[name] = id;
  return id;
}

test("expired messages disappear completely with events", async (t) => {
  const chat = await start(t, {
    watchAll: true,
    channels: [general, design],
    ...settings({ message_retention_days: 7 }),
  });
  const old = [
    await say(chat, "hamlet", "one", { topic: "old" }),
    await say(chat, "othello", "two", { topic: "old" }),
    await say(chat, "othello", "/poll Lunch?\nyes", { topic: "lunch" }),
  ] as [number, number, number];
  const secret = await say(chat, "iago", "secret", { to: "design", topic: "plans" });
  const direct = await write(chat, "hamlet", "othello", "psst");
  const fresh = [
    await say(chat, "hamlet", "three", { topic: "lunch" }),
    await write(chat, "othello", "hamlet", "what?"),
  ];
  await chat.as("iago").post(`/messages/${old[2]}/reactions`, { emoji_name: "tada" });
  await chat.as("hamlet").post("/messages/flags", { messages: [old[1], secret], op: "add", flag: "starred" });
  await edited(chat, "hamlet", old[0], { content: "one, edited" });
  const reminder = { message_id: old[0], scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3600 };
  assert.equal((await chat.as("othello").post("/reminders", reminder)).result, "success");
  age(chat, 7.1, ...old, secret, direct);
  const names = ["hamlet", "othello", "cordelia", "polonius"] as const;
  const queues = await Promise.all(names.map((name) => chat.register(name)));
  await expire(chat);
  assert.deepEqual(left(chat), fresh);
  const heard = await Promise.all(queues.map((queue) => queue.events()));
  const deleted = heard.map((events) =>
    events
      .filter(({ type }) => type === "delete_message")
      .map((event) => [event["stream_id"] ?? "direct", event["topic"] ?? "", event["message_ids"]]),
  );
  const { general: channel, design: hidden } = chat.ids;
  const open = [
    [channel, "old", [old[0], old[1]]],
    [channel, "lunch", [old[2]]],
  ];
  const all = [...open, [hidden, "plans", [secret]], ["direct", "", [direct]]];
  const byPlace = (events: unknown[]) => [...events].sort((a, b) => (String(a) < String(b) ? -1 : 1));
  assert.deepEqual(deleted.map(byPlace), [all, [...open, ["direct", "", [direct]]], open, []].map(byPlace));
  const firsts = heard[0]?.filter(({ property }) => property === "first_message_id");
  assert.deepEqual(
    firsts?.map(({ stream_id, value }) => [stream_id, value]).sort(),
    [
      [channel, fresh[0]],
      [hidden, null],
    ].sort(),
  );
  assert.deepEqual(heard[3], [], "a guest in neither channel");
  const reminders = heard[1]?.filter(({ type }) => type === "reminders");
  assert.deepEqual(
    reminders?.map(({ op }) => op),
    ["remove", "add"],
  );
  const [remaining] = (await chat.as("othello").get("/reminders"))["reminders"];
  assert.doesNotMatch(remaining.content + remaining.rendered_content, /one/);
  assert.match(remaining.content, /deleted/);
  assert.deepEqual((await chat.as("hamlet").get("/users/me/" + channel + "/topics")).topics, [
    { name: "lunch", max_id: fresh[0] },
  ]);
  assert.deepEqual((await chat.as("hamlet").get("/users/me/" + hidden + "/topics")).topics, []);
  const { reader } = chat.server.app.store;
  for (const table of ["message_flags", "reactions", "submessages", "message_edits"])
    assert.equal(reader.value(`SELECT COUNT(*) FROM ${table}`), 0, table);
  await chat.checkEvents();
  await chat.restart();
  assert.deepEqual(left(chat), fresh);
  assert.deepEqual((await chat.register("hamlet")).state.starred_messages, []);
});

test("owners learn what a shorter retention period would delete", async (t) => {
  const chat = await start(t, { channels: [general, design] });
  const [shared, alone] = [await upload(chat, "hamlet", "to both"), await upload(chat, "hamlet", "only here")];
  const old = [
    await say(chat, "hamlet", `[both](${shared})`, { topic: "old" }),
    await say(chat, "hamlet", `[one](${alone})`, { topic: "old" }),
  ];
  const secret = await say(chat, "iago", "secret", { to: "design", topic: "plans" });
  const direct = await write(chat, "hamlet", "othello", "psst");
  const fresh = await say(chat, "hamlet", `[both](${shared})`, { topic: "new" });
  age(chat, 7.1, ...old, secret, direct);
  deleteMarks(chat);
  const count = async (params: Record<string, unknown>, who = "desdemona") => {
    const { result: _, msg, status, code, ...answer } = await chat.as(who).get("/host/expiring_messages", params);
    return status === 200 ? answer : msg;
  };
  const bytes = "only here".length;
  const all = { messages: 4, files: 1, file_bytes: bytes, is_complete: true };
  assert.deepEqual(await count({ days: 7 }), all);
  assert.deepEqual(await count({ days: 8 }), { messages: 0, files: 0, file_bytes: 0, is_complete: true });
  const { general: channel, design: hidden } = chat.ids;
  assert.deepEqual(await count({ days: 7, stream_id: channel }), { ...all, messages: 2 });
  await chat.as("desdemona").patch(`/streams/${channel}`, { message_retention_days: 30 });
  const others = { messages: 2, files: 0, file_bytes: 0, is_complete: true };
  assert.deepEqual(await count({ days: 7 }), others, "a channel with a time of its own is not counted");

  assert.equal(await count({ days: 0 }), "days must be at least 1.");
  assert.equal(await count({ days: 7, stream_id: 999 }), "Invalid channel ID");
  const secrets = { messages: 1, files: 0, file_bytes: 0, is_complete: true };
  assert.deepEqual(await count({ days: 7, stream_id: hidden }), secrets, "owners set the time of every channel");
  for (const who of ["iago", "hamlet"]) assert.equal(await count({ days: 7 }, who), "Only owners can do this.");
  assert.equal(await count({ days: 7 }, "polonius"), "Guests cannot do this.");
  assert.equal(await count({ days: 7 }, "bot"), "Bots cannot do this.");

  await chat.as("desdemona").patch("/realm", { message_retention_days: 7 });
  await expire(chat);
  assert.deepEqual(left(chat), [...old, fresh], "what was counted has gone");
});

test("a channel's retention overrides the organization's", async (t) => {
  const chat = await start(t, { channels: [general], ...settings({ message_retention_days: 10 }) });
  await make(chat, "brief", 2);
  await make(chat, "kept", "unlimited");
  await make(chat, "longer", 100);
  const archived = await make(chat, "attic", "realm_default");
  const sent = async (to: string) => [await say(chat, "hamlet", "x", { to }), await say(chat, "hamlet", "y", { to })];
  const [plain, brief, kept, longer, attic] = [
    await sent("general"),
    await sent("brief"),
    await sent("kept"),
    await sent("longer"),
    await sent("attic"),
  ] as [number, number][];
  const direct = [await write(chat, "hamlet", "othello", "x"), await write(chat, "hamlet", "othello", "y")];
  const alone = await write(chat, "hamlet", "hamlet", "note");
  assert.equal((await chat.as("desdemona").delete(`/streams/${archived}`)).result, "success");
  const MOMENT = 1 / (24 * 60);
  for (const [pair, days] of [
    [plain, 10],
    [attic, 10],
    [direct, 10],
    [brief, 2],
    [kept, 5000],
    [longer, 100],
  ] as [number[], number][]) {
    age(chat, days + MOMENT, pair[0] as number);
    age(chat, days - MOMENT, pair[1] as number);
  }
  age(chat, 11, alone);
  await expire(chat);
  const young = [plain, brief, longer, attic, direct].map((pair) => pair?.[1]);
  assert.deepEqual(
    left(chat),
    [...young, ...(kept ?? [])].sort((a, b) => (a as number) - (b as number)),
  );
  // The message's current channel decides.
  await edited(chat, "desdemona", kept?.[1] as number, { stream_id: chat.ids["general"], topic: "moved" });
  await expire(chat);
  assert.equal(left(chat).includes(kept?.[1] as number), false);
  assert.equal(left(chat).includes(kept?.[0] as number), true);
  // The channel's current setting decides.
  const owner = chat.as("desdemona");
  const limited = await owner.patch(`/streams/${chat.ids["kept"]}`, { message_retention_days: 4000 });
  assert.equal(limited.result, "success", limited.msg);
  await expire(chat);
  assert.equal(left(chat).includes(kept?.[0] as number), false);
});

test("without a retention period everything is kept", async (t) => {
  const chat = await start(t, { channels: [general] });
  const id = await say(chat, "hamlet", "x");
  age(chat, 5000, id);
  const { store } = chat.server.app;
  const before = store.seq;
  const retention = new Retention(store, () => Date.now() + 5000 * DAY);
  retention.work();
  assert.deepEqual([retention.isAtWork, store.seq, left(chat)], [false, before, [id]]);
});

test("a round starts every hour and survives a restart", async (t) => {
  const time = clock();
  const chat = await start(t, {
    channels: [general],
    now: time.now,
    unwatched: true,
    ...settings({ message_retention_days: 1 }),
  });
  const first = await say(chat, "hamlet", "x");
  const passes = (ms: number) => {
    time.ms += ms;
    chat.server.runChores();
    chat.server.runChores();
  };
  passes(23.5 * 60 * MINUTE);
  const second = await say(chat, "hamlet", "y");
  assert.deepEqual(left(chat), [first, second]);
  passes(40 * MINUTE); // this hour's round started before the first message was a day old
  assert.deepEqual(left(chat), [first, second]);
  passes(30 * MINUTE);
  assert.deepEqual(left(chat), [second]);
  await chat.restart();
  assert.deepEqual(left(chat), [second]);
  time.ms += 23 * 60 * MINUTE;
  chat.server.runChores(); // the first chores after a start include a round
  assert.deepEqual(left(chat), []);
});

test("a clock jump delays deletion by a day", async (t) => {
  const chat = await start(t, { channels: [general], ...settings({ message_retention_days: 30 }) });
  const id = await say(chat, "hamlet", "x");
  const { store } = chat.server.app;
  const started = Date.now();
  /** The remaining messages if a new start's clock says `days` from now. */
  const at = async (days: number) => {
    await runRound(chat, new Retention(store, () => started + days * DAY));
    return left(chat);
  };
  assert.deepEqual(await at(0.9), [id]);
  // An empty battery makes the clock jump years ahead and back, twice.
  assert.deepEqual(await at(4000), [id]);
  assert.deepEqual(await at(4000.5), [id]);
  assert.deepEqual(await at(1.5), [id]);
  assert.deepEqual(await at(5.4), [id], "off for a long weekend");
  assert.deepEqual(await at(4000.9), [id]);
  assert.deepEqual(await at(4001.4), [id], "the day starts at the second jump");
  assert.deepEqual(await at(6), [id]);
  assert.deepEqual(await at(10.1), [id]);
  const doubts = () => store.reader.value("SELECT COUNT(*) FROM audit WHERE action = 'doubt the clock'");
  assert.equal(doubts(), 3);
  // The clock is right after half a year switched off.
  assert.deepEqual(await at(180), [id]);
  assert.deepEqual(await at(180.4), [id]);
  assert.equal(doubts(), 4);
  const { entries } = await chat.as("desdemona").get("/host/audit", { limit: 1 });
  assert.deepEqual([entries[0].action, entries[0].actor, entries[0].target_name], ["doubt the clock", null, null]);
  await chat.restart();
  await runRound(chat, new Retention(chat.server.app.store, () => started + 181 * DAY));
  assert.deepEqual(left(chat), []);
});

test("the first round checks the newest message's time", async (t) => {
  const chat = await startChat(t, { channels: [general], unwatched: true });
  const id = await say(chat, "hamlet", "x");
  const { store } = chat.server.app;
  store.transact(about, (tx) => {
    tx.run("INSERT INTO organization_settings (name, value) VALUES ('message_retention_days', '30')");
  });
  const later = (days: number) => new Retention(store, () => Date.now() + days * DAY);
  await runRound(chat, later(4000));
  assert.deepEqual(left(chat), [id]);
  await runRound(chat, later(4001.1));
  assert.deepEqual(left(chat), []);
});

test("messages sent while the clock was behind do not count as old", async (t) => {
  const chat = await start(t, { channels: [general], ...settings({ message_retention_days: 7 }) });
  const { store } = chat.server.app;
  const started = Date.now();
  const at = async (days: number) => {
    await runRound(chat, new Retention(store, () => started + days * DAY));
    return left(chat);
  };
  const before = await say(chat, "hamlet", "x");
  await at(-0.5);
  const during = await say(chat, "hamlet", "y");
  age(chat, 20_000, during);
  age(chat, 20_000, before);
  assert.deepEqual(await at(0), [during], "only the first message's time is known");
  for (let day = 1; day <= 6; day += 1) await at(day - 0.1);
  assert.deepEqual(await at(6.4), [during]);
  assert.deepEqual(await at(6.6), []);
});

test("each slice of a round rechecks state", async (t) => {
  const chat = await start(t, { channels: [general], ...settings({ message_retention_days: 7 }) });
  const kept = await make(chat, "kept", "unlimited");
  const ids: number[] = [];
  for (let count = 0; count < 12; count += 1) ids.push(await say(chat, "hamlet", "x"));
  age(chat, 8, ...ids);
  const { store } = chat.server.app;
  // Each stopwatch reading takes 9 ms, so slices shrink to one message.
  let watch = 0;
  t.mock.method(performance, "now", () => {
    watch += 9;
    return watch;
  });
  const retention = new Retention(store, Date.now);
  for (let count = 0; count < 30; count += 1) ids.push(await say(chat, "hamlet", "x", { topic: "more" }));
  age(chat, 8, ...ids);
  retention.work();
  const after = left(chat);
  assert.ok(after.length > 0 && after.length < ids.length, `${after.length} are left`);
  assert.equal(retention.isAtWork, true);
  const [moved, deleted] = after.slice(-2) as [number, number];
  await edited(chat, "desdemona", moved, { stream_id: kept });
  assert.equal((await chat.as("desdemona").delete(`/messages/${deleted}`)).result, "success");
  const slices = await runRound(chat, retention);
  assert.ok(slices > 1);
  assert.deepEqual(left(chat), [moved]);
});
