import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { expiredFrom, expiryAt, retentionClock } from "../../server/api/queries/retention.ts";
import { startChat } from "../support/chat.ts";
import { state } from "../support/host-state-samples.ts";
import { importHistory } from "../support/imported-history.ts";

/** Imported messages have higher ids than the messages before the import, and lower times. */

/** A server that was started in 2024 and imports at this time. */
async function start(t: TestContext, at = "2026-03-01T12:00:00Z") {
  let now = Date.parse("2024-01-01T00:00:00Z");
  const channels = [{ name: "general", subscribers: ["hamlet", "othello"] }];
  const chat = await startChat(t, { channels, unwatched: true, operatorToken: "operator's own", now: () => now });
  const setTime = (time: string) => {
    now = Date.parse(time);
  };
  const send = async (time: string, to: object = { type: "channel", to: "general", topic: "new" }) => {
    setTime(time);
    return (await chat.as("hamlet").post("/messages", { ...to, content: time }))["id"] as number;
  };
  const importAt = (...messages: Parameters<typeof importHistory>[1]) => {
    setTime(at);
    return importHistory(chat, messages);
  };
  return { chat, setTime, send, importAt };
}

test("the anchor date finds imported and other messages by their times", async (t) => {
  const { chat, send, importAt } = await start(t);
  const [early, late] = [await send("2024-06-01"), await send("2026-02-01")];
  const { ids } = importAt({ at: "2019-05-01" }, { at: "2021-05-01" }, { at: "2025-05-01" });
  const after = await send("2026-04-01");
  for (const [anchor_date, id] of [
    ["2018-01-01", ids[0]],
    ["2020-01-01", ids[1]],
    ["2022-01-01", early],
    ["2025-01-01", ids[2]],
    ["2026-01-01", late],
    ["2026-03-01", after],
    ["2026-05-01", after],
  ] as const) {
    const found = await chat
      .as("hamlet")
      .get("/messages", { anchor: "date", anchor_date, num_before: 0, num_after: 0 });
    assert.equal(found["anchor"], id, anchor_date);
  }
});

test("the anchor date follows the narrow in an imported channel", async (t) => {
  const { chat, send, importAt } = await start(t);
  await send("2024-06-01");
  const { ids } = importAt({ at: "2019-05-01", topic: "a" }, { at: "2021-05-01", topic: "b" }, { at: "2022-05-01" });
  await send("2026-04-01");
  const anchor = async (anchor_date: string, ...narrow: string[][]) =>
    (await chat.as("hamlet").get("/messages", { anchor: "date", anchor_date, num_before: 0, num_after: 1, narrow }))[
      "anchor"
    ];
  assert.equal(await anchor("2019-01-01", ["topic", "b"]), ids[1]);
  assert.equal(await anchor("2020-01-01", ["channel", "history"]), ids[1]);
  assert.equal(await anchor("2023-01-01", ["channel", "history"]), ids[2], "the newest, if there is none since then");
  assert.equal(await anchor("2020-01-01", ["topic", "a"]), ids[0]);
});

test("imported messages do not count as traffic, and old channels are inactive", async (t) => {
  const { chat, send, importAt, setTime } = await start(t);
  await send("2026-02-27");
  const { channelId } = importAt({ at: "2019-05-01" }, { at: "2019-05-02" });
  setTime("2026-03-10");
  const shown = async (name: string) => {
    const { streams } = await chat.as("hamlet").get("/streams");
    const channel = streams.find((one: { name: string }) => one.name === name);
    return [channel.is_recently_active, channel.stream_weekly_traffic];
  };
  assert.deepEqual(await shown("history"), [false, 0]);
  assert.deepEqual(await shown("general"), [true, 1]);
  await send("2026-03-11", { type: "channel", to: channelId, topic: "old" });
  assert.deepEqual((await shown("history"))[0], true);
});

test("an imported channel with a recent message is active", async (t) => {
  const { chat, importAt } = await start(t);
  const { channelId } = importAt({ at: "2019-05-01" }, { at: "2026-02-01" });
  assert.equal((await chat.as("hamlet").get(`/streams/${channelId}`))["stream"].is_recently_active, true);
});

test("the overview counts no imported messages as sent now", async (t) => {
  const { chat, send, importAt } = await start(t);
  await send("2026-03-01T11:59:30Z");
  importAt({ at: "2019-05-01" }, { at: "2019-05-02" });
  await send("2026-03-01T12:00:30Z");
  const { last_hour, per_minute } = (await state(chat))["messages"];
  assert.deepEqual([last_hour, per_minute.slice(-2)], [2, [1, 1]]);
});

test("retention counts imported messages from their import", async (t) => {
  const { chat, importAt, setTime } = await start(t);
  const { ids } = importAt({ at: "2019-05-01" }, { at: "2019-05-02" });
  const left = async (time: string) => {
    setTime(time);
    const { store } = chat.server.app;
    const expiry = expiryAt(store.reader, Date.parse(time), { organization: 30, own: new Map() });
    return expiredFrom(store.reader, expiry, ids[0] as number).ids;
  };
  assert.deepEqual(await left("2026-03-01T12:00:01Z"), []);
  assert.deepEqual(await left("2026-03-30"), []);
  assert.deepEqual(await left("2026-04-01"), ids);
  assert.equal(retentionClock(chat.server.app.store.reader, 0).believed, Date.parse("2026-03-01T12:00:00Z"));
});

test("direct conversations are ordered by the times of imported messages", async (t) => {
  const { chat, send, importAt } = await start(t);
  const to = (...names: string[]) => ({ type: "direct", to: names.map((name) => chat.ids[name]) });
  await send("2024-06-01", to("iago"));
  await send("2026-02-01", to("othello"));
  importAt(
    { at: "2019-05-01", direct: "othello" },
    { at: "2020-05-01", direct: "polonius" },
    { at: "2025-05-01", direct: "cordelia" },
  );
  const { state } = await chat.register("hamlet");
  const names = ["othello", "cordelia", "iago", "polonius"];
  assert.deepEqual(
    state.recent_private_conversations.map(({ user_ids }) => user_ids),
    names.map((name) => [chat.ids[name]]),
  );
});

test("is:imported selects imported messages", async (t) => {
  const { chat, send, importAt } = await start(t);
  const to = { type: "direct", to: [chat.ids["othello"]] };
  const before = [await send("2024-06-01", to), await send("2024-06-02")];
  const { ids } = importAt({ at: "2019-05-01" }, { at: "2020-05-01" });
  const after = await send("2026-04-01", to);
  const read = async (operator: string, anchor: string | number, num_before: number, num_after: number) => {
    const narrow = [[operator, "imported"]];
    const range = { anchor, num_before, num_after, include_anchor: false, narrow };
    return (await chat.as("hamlet").get("/messages", range))["messages"].map(({ id }: { id: number }) => id);
  };
  assert.deepEqual(await read("is", "newest", 9, 0), ids);
  assert.deepEqual(await read("is", "oldest", 0, 1), [ids[0]]);
  assert.deepEqual(await read("is", ids[0] as number, 1, 9), [ids[1]]);
  assert.deepEqual(await read("-is", "newest", 9, 0), [...before, after]);
  assert.deepEqual(await read("-is", ids[0] as number, 1, 9), [before[1], after]);
  assert.deepEqual(await read("-is", "oldest", 0, 2), before);
});

test("time limits count from the original time", async (t) => {
  const { chat, send, importAt } = await start(t);
  const own = await send("2026-03-01T11:59:00Z");
  const [imported] = importAt({ at: "2019-05-01" }).ids;
  const hamlet = chat.as("hamlet");
  for (const [id, result] of [
    [own, "success"],
    [imported, "error"],
  ] as const) {
    assert.equal((await hamlet.patch(`/messages/${id}`, { content: "changed" })).result, result);
    assert.equal((await hamlet.delete(`/messages/${id}`)).result, result);
  }
});

test("an earlier direct conversation shows imported messages in the order of ids", async (t) => {
  const { chat, send, importAt } = await start(t);
  const to = { type: "direct", to: [chat.ids["othello"]] };
  const before = await send("2026-02-01", to);
  const { ids } = importAt({ at: "2019-05-01", direct: "othello" }, { at: "2019-05-02", direct: "othello" });
  const after = await send("2026-04-01", to);
  const narrow = [["dm", [chat.ids["othello"]]]];
  const { messages } = await chat
    .as("hamlet")
    .get("/messages", { anchor: "newest", num_before: 9, num_after: 0, narrow });
  assert.deepEqual(
    messages.map(({ id }: { id: number }) => id),
    [before, ...ids, after],
  );
});
