import assert from "node:assert/strict";
import test from "node:test";
import { startChat } from "../support/chat.ts";

// Covers every operator and operand of docs/protocol.md#narrows, at every endpoint that takes a narrow.

test("every operator works in each spelling, negated and not", async (t) => {
  const chat = await startChat(t, {
    channels: [
      { name: "general", subscribers: ["hamlet", "othello"] },
      { name: "random", subscribers: ["hamlet", "othello"] },
    ],
    unwatched: true,
  });
  const { hamlet, othello, iago } = chat.ids;
  const send = async (name: string, params: object) => {
    const answer = await chat.as(name).post("/messages", { type: "channel", to: "general", content: "x", ...params });
    assert.equal(answer.result, "success", answer.msg);
    return answer["id"] as number;
  };
  const a = await send("othello", { topic: "lunch", content: "@**Hamlet** https://e.example/a.png" });
  const b = await send("hamlet", { topic: "✔ done", content: "tea" });
  const c = await send("othello", { to: "random", topic: "", content: "[f](/user_uploads/2/a/f.txt) @_**Hamlet**" });
  const d = await send("othello", { type: "direct", to: [hamlet] });
  const e = await send("othello", { type: "direct", to: [hamlet, iago] });
  const f = await send("hamlet", { type: "direct", to: [hamlet] });
  const mine = [a, b, c, d, e, f];
  await chat.as("hamlet").post("/messages/flags", { messages: [a, f], op: "add", flag: "starred" });
  await chat.as("hamlet").post(`/messages/${d}/reactions`, { emoji_name: "tada" });
  const policy = (topic: string, visibility_policy: number) =>
    chat.as("hamlet").post("/user_topics", { stream_id: chat.ids["general"], topic, visibility_policy });
  await policy("lunch", 3);
  await policy("✔ done", 1);

  const cases: [operators: string[], operands: unknown[], found: number[]][] = [
    [
      ["channel", "stream"],
      ["general", chat.ids["general"], String(chat.ids["general"])],
      [a, b],
    ],
    [["channels", "streams"], ["public"], [a, b, c]],
    [["channels", "streams"], ["web-public"], []],
    [["topic"], ["LUNCH", " lunch "], [a]],
    [["topic"], ["", "(no topic)", "general chat", "General Chat"], [c]],
    [["dm", "pm-with", "pm_with"], ["othello@example.com", othello, [othello], [othello, hamlet]], [d]],
    [["dm", "pm-with", "pm_with"], ["othello@example.com,iago@example.com", [iago, othello]], [e]],
    [["dm", "pm-with", "pm_with"], [hamlet, "hamlet@example.com", []], [f]],
    [
      ["dm-including", "dm_including", "group-pm-with", "group_pm_with"],
      [othello, [othello]],
      [d, e],
    ],
    [["dm-including", "dm_including", "group-pm-with", "group_pm_with"], [[othello, iago]], [e]],
    [["sender"], ["othello@example.com", othello, [othello]], [a, c, d, e]],
    [["mentions"], ["hamlet@example.com", hamlet, [hamlet]], [a]],
    [["mentions"], [iago], []],
    [["id"], [c, String(c)], [c]],
    [["has"], ["link"], [a, c]],
    [["has"], ["image"], [a]],
    [["has"], ["attachment"], [c]],
    [["has"], ["reaction"], [d]],
    [["in"], ["all"], mine],
    [["in"], ["home"], [a, c, d, e, f]],
    [["is"], ["dm", "private"], [d, e, f]],
    [["is"], ["alerted"], []],
    [["is"], ["mentioned"], [a]],
    [["is"], ["starred"], [a, f]],
    [["is"], ["unread"], [a, c, d, e]],
    [["is"], ["resolved"], [b]],
    [["is"], ["followed"], [a]],
    [["is"], ["muted"], [b]],
    [["search"], ["TEA", '"tea"'], [b]],
  ];
  const around = { anchor: "newest", num_before: 100, num_after: 0 };
  const ids = (answer: Record<string, any>) => {
    assert.equal(answer["result"], "success", answer["msg"]);
    return answer["messages"].map(({ id }: { id: number }) => id).filter((id: number) => mine.includes(id));
  };
  const find = async (narrow: unknown) => ids(await chat.as("hamlet").get("/messages", { ...around, narrow }));
  const EVENTS = new Set(["channel", "stream", "topic", "sender", "mentions", "dm", "pm-with", "pm_with", "is"]);
  for (const [operators, operands, found] of cases) {
    const others = mine.filter((id) => !found.includes(id));
    for (const operator of operators) {
      for (const operand of operands) {
        const what = `${operator}:${JSON.stringify(operand)}`;
        assert.deepEqual(await find([[operator, operand]]), found, what);
      }
      const [operand] = operands;
      assert.deepEqual(await find([{ operator, operand, negated: true }]), others, `-${operator}`);
      assert.deepEqual(await find([[`-${operator}`, operand]]), others, `-${operator}`);
      assert.deepEqual(await find([{ operator: `-${operator}`, operand, negated: true }]), found, `--${operator}`);
    }
    const [operator = "", operand] = [operators[0], operands[0]];
    const narrow = [[operator, operand]];
    assert.deepEqual(ids(await chat.as("hamlet").get("/messages", { message_ids: mine, narrow })), found, operator);
    const matching = await chat.as("hamlet").get("/messages/matches_narrow", { msg_ids: mine, narrow });
    assert.deepEqual(Object.keys(matching["messages"]).map(Number), found, operator);
    const flags = { op: "add", flag: "collapsed" };
    const flagged = await chat.as("hamlet").post("/messages/flags/narrow", { ...around, narrow, ...flags });
    assert.deepEqual(
      [flagged["first_processed_id"], flagged["last_processed_id"]],
      [found[0] ?? null, found.at(-1) ?? null],
    );
    const registered = await chat
      .as("hamlet")
      .post("/register", { narrow: [[operator, String(operand)]], fetch_event_types: [] });
    assert.equal(registered["code"], EVENTS.has(operator) ? undefined : "BAD_NARROW", `${operator} of a queue`);
  }
  assert.deepEqual(await find([["near", c]]), mine);
  assert.deepEqual(await find([["-near", c]]), mine, "near is an anchor, not a condition");
  assert.deepEqual(await find([["with", a]]), [a]);
  assert.deepEqual(
    await find([
      ["with", e],
      ["channel", "general"],
    ]),
    [e],
    "it replaces another conversation",
  );
});

test("every malformed narrow gets the same error code", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "general", subscribers: ["hamlet"] }], unwatched: true });
  const bad: unknown[] = [
    ["colour", "red"],
    ["constructor", "x"],
    ["channel", "nowhere"],
    ["channel", 999],
    ["channel", null],
    ["channels", "private"],
    ["channels", ["public"]],
    ["topic", 7],
    ["dm", "nobody@example.com"],
    ["dm", [999]],
    ["dm", { id: 1 }],
    ["dm-including", ""],
    ["sender", [1, 2]],
    ["sender", []],
    ["sender", true],
    ["mentions", [1, 2]],
    ["mentions", "nobody@example.com"],
    ["mentions", "all"],
    ["id", "newest"],
    ["id", 1.5],
    ["near", "x"],
    ["with", 999],
    ["-with", 1],
    ["has", "wings"],
    ["in", "bed"],
    ["is", "green"],
    ["is", 1],
    ["search", " "],
    { operator: "is", operand: "green", negated: true },
  ];
  const around = { anchor: "newest", num_before: 1, num_after: 0 };
  for (const term of bad) {
    const narrow = [term];
    const answers = [
      await chat.as("hamlet").get("/messages", { ...around, narrow }),
      await chat.as("hamlet").get("/messages", { message_ids: [1], narrow }),
      await chat.as("hamlet").get("/messages/matches_narrow", { msg_ids: [1], narrow }),
      await chat.as("hamlet").post("/messages/flags/narrow", { ...around, narrow, op: "add", flag: "starred" }),
    ];
    for (const { status, code, desc, msg } of answers as Record<string, any>[]) {
      assert.deepEqual(
        [status, code, msg],
        [400, "BAD_NARROW", `Invalid narrow operator: ${desc}`],
        JSON.stringify(term),
      );
    }
  }
});

test("mentions counts only visible mentions by name", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "general", subscribers: ["hamlet", "othello"] }] });
  const hamlet = chat.ids["hamlet"];
  const group = await chat
    .as("iago")
    .post("/user_groups/create", { name: "cooks", description: "", members: [hamlet] });
  assert.equal(group.status, 200, group.msg);
  const queue = await chat.register("iago", { narrow: [["mentions", String(hamlet)]], all_public_streams: true });
  const send = async (content: string) =>
    (await chat.as("othello").post("/messages", { type: "channel", to: "general", topic: "x", content }))["id"];
  const found = [await send(`cake for @**Hamlet|${hamlet}**`)];
  for (const text of [
    "@_**Hamlet**",
    "@*cooks*",
    "@**all**",
    "@**topic**",
    "```quote\n@**Hamlet**\n```",
    "`@**Hamlet**`",
  ])
    await send(text);
  const edited = await send("@**Iago**");
  await chat.as("othello").patch(`/messages/${edited}`, { content: "@**Iago** and @**Hamlet**" });
  const get = async (operator: string) => {
    const narrow = [
      ["channel", "general"],
      [operator, hamlet],
    ];
    return (await chat.as("iago").get("/messages", { anchor: 0, num_after: 99, narrow }))["messages"];
  };
  const ids = (messages: { id: number }[]) => messages.map(({ id }) => id);
  assert.deepEqual(ids(await get("mentions")), [...found, edited]);
  assert.ok(!ids(await get("-mentions")).includes(edited));
  const events = (await queue.events()).filter(({ type }) => type === "message");
  assert.deepEqual(ids(events.map(({ message }) => message)), found);
});
