import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { startChat } from "../support/chat.ts";

const DAYS = ["2026-03-01T12:00:00Z", "2026-03-02T00:00:00Z", "2026-03-02T15:30:00Z", "2026-03-05T09:00:00Z"];

/** A channel with a message at each of these times, in the topics a and b by turns. */
async function start(t: TestContext) {
  let now = Date.parse("2026-02-28T00:00:00Z");
  const chat = await startChat(t, {
    channels: [{ name: "general", subscribers: ["hamlet"] }],
    unwatched: true,
    now: () => now,
  });
  const ids: number[] = [];
  for (const [n, day] of DAYS.entries()) {
    now = Date.parse(day);
    const message = { type: "channel", to: "general", topic: "ab"[n % 2], content: day };
    ids.push((await chat.as("hamlet").post("/messages", message)).id);
  }
  const get = (params: object) => chat.as("hamlet").get("/messages", { anchor: "date", ...params });
  return { ids, get };
}

test("the anchor date finds the first message since then", async (t) => {
  const { ids, get } = await start(t);
  for (const [anchor_date, at] of [
    ["2020-01-01", 0],
    ["2026-03-02", 1],
    ["2026-03-02T00:00:00.001", 2],
    ["2026-03-02T15:30:00", 2],
    ["2026-03-02T16:30:00+01:00", 2],
    ["2026-03-02T15:30:01Z", 3],
    ["2026-03-09", 3],
  ] as const) {
    const answer = await get({ anchor_date, num_before: 1, num_after: 1 });
    assert.deepEqual([answer.anchor, answer.found_anchor], [ids[at], true], anchor_date);
    assert.deepEqual(
      answer.messages.map(({ id }: { id: number }) => id),
      ids.slice(Math.max(0, at - 1), at + 2),
    );
  }
});

test("the anchor date follows the narrow", async (t) => {
  const { ids, get } = await start(t);
  const narrow = [["topic", "a"]];
  assert.equal((await get({ anchor_date: "2026-03-02", narrow })).anchor, ids[2]);
  assert.equal((await get({ anchor_date: "2026-03-03", narrow })).anchor, ids[2], "none since then");
  const empty = await get({ anchor_date: "2026-03-02", narrow: [["topic", "c"]], num_before: 1, num_after: 1 });
  assert.deepEqual([empty.messages, empty.found_anchor, empty.found_newest], [[], false, true]);
});

test("the anchor date needs a valid anchor_date", async (t) => {
  const { get } = await start(t);
  for (const anchor_date of ["", "yesterday", "2026-02-30", "2026-03-02T25:00:00", "03/02/2026", "1772409600"]) {
    const { status, code, msg } = await get({ anchor_date, num_after: 1 });
    assert.deepEqual([status, code], [400, "BAD_REQUEST"], anchor_date);
    assert.match(msg, /^anchor_date /);
  }
  assert.equal((await get({ num_after: 1 })).var_name, "anchor_date");
});
