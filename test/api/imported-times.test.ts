import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { startChat } from "../support/chat.ts";
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
