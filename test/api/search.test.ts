import assert from "node:assert/strict";
import test from "node:test";
import { systemGroupId } from "../../server/api/queries/user-group-members.ts";
import { indexSlice } from "../../server/search/indexing.ts";
import { unindexed } from "../../server/search/search-index.ts";
import { type Chat, startChat } from "../support/chat.ts";

type Found = { id: number; match_content?: string; match_subject?: string }[];

function searching(chat: Chat) {
  const send = async (name: string, params: object): Promise<number> => {
    const answer = await chat.as(name).post("/messages", { type: "channel", to: "general", topic: "t", ...params });
    assert.equal(answer.result, "success", answer.msg);
    return answer["id"];
  };
  const fetch = (name: string, narrow: unknown, more: object = {}) =>
    chat.as(name).get("/messages", { anchor: "newest", num_before: 100, num_after: 0, narrow, ...more });
  const found = async (name: string, narrow: unknown, more?: object): Promise<number[] | string> => {
    const answer = await fetch(name, narrow, more);
    return answer.result === "success" ? (answer["messages"] as Found).map(({ id }) => id) : answer["code"];
  };
  const search = (name: string, ...searches: string[]) =>
    found(
      name,
      searches.map((words) => ["search", words]),
    );
  return { send, fetch, found, search };
}

/** Runs the indexer as the server's timer does. */
function index(chat: Chat): void {
  const { store } = chat.server.app;
  while (!store.maintain(indexSlice));
  assert.equal(unindexed(store.reader), 0);
}

const mark = (text: string) => `<span class="highlight">${text}</span>`;
const general = { name: "general", subscribers: ["hamlet", "othello"] };

test("words, phrases and prefixes match texts and topics, highlighted", async (t) => {
  const chat = await startChat(t, { channels: [general], unwatched: true });
  const { send, fetch, found, search } = searching(chat);
  const plan = await send("hamlet", { topic: "Release notes", content: "The **plan** for Über-Tuesday: tea & time" });
  const later = await send("othello", { topic: "plans", content: "time for tea; see https://e.example/plan" });
  const japan = await send("othello", { topic: "R&D <b>", content: "東京都に行きました。カフェ" });
  const all = async (others: number[] = []) => {
    assert.deepEqual(await search("hamlet", "plan"), [plan, later]);
    assert.deepEqual(await search("hamlet", "plan notes"), [plan]);
    assert.deepEqual(await search("hamlet", "tea time"), [plan, later]);
    assert.deepEqual(await search("hamlet", '"tea time"'), [plan]);
    assert.deepEqual(await search("hamlet", '"time for" TEA'), [later]);
    assert.deepEqual(await search("hamlet", "pla*"), [plan, later]);
    assert.deepEqual(await search("hamlet", '"release no*"'), [plan]);
    assert.deepEqual(await search("hamlet", "uber tuesday"), [plan]);
    assert.deepEqual(await search("hamlet", "uber-tuesday"), [plan]);
    assert.deepEqual(await search("hamlet", "plan", "time", "uber"), [plan]);
    assert.deepEqual(await search("hamlet", "tim"), []);
    assert.deepEqual(await search("hamlet", "京都"), [japan]);
    assert.deepEqual(await search("hamlet", "都京"), []);
    assert.deepEqual(await search("hamlet", "strong"), [], "tags are not words");
    assert.deepEqual(await found("hamlet", [["-search", "plan"]]), [japan, ...others]);
    assert.deepEqual(await found("hamlet", [{ operator: "search", operand: "time", negated: true }]), [
      japan,
      ...others,
    ]);
    assert.deepEqual(
      await found("hamlet", [
        ["search", "plan"],
        ["-search", '"tea & time"'],
      ]),
      [later],
    );
    assert.deepEqual(
      await found("hamlet", [
        ["sender", "othello@example.com"],
        ["search", "plan"],
      ]),
      [later],
    );
    assert.deepEqual(
      await found("hamlet", [
        ["channel", "general"],
        ["topic", "PLANS"],
        ["search", "tea"],
      ]),
      [later],
    );
    assert.deepEqual(await found("hamlet", [["search", "plan"]], { anchor: "oldest", num_before: 0, num_after: 1 }), [
      plan,
    ]);
    assert.deepEqual(await found("hamlet", [["search", "plan"]], { anchor: later, num_before: 0, num_after: 5 }), [
      later,
    ]);
  };
  await all();
  index(chat);
  await all();
  await all([await send("hamlet", { content: "nothing of that" })]);

  const marked = async (narrow: unknown, more?: object) =>
    ((await fetch("hamlet", narrow, more))["messages"] as Found).map(({ match_content, match_subject }) => [
      match_content,
      match_subject,
    ]);
  const planMarked = `<p>The <strong>${mark("plan")}</strong> for Über-Tuesday: ${mark("tea")} &amp; time</p>`;
  const [first] = await marked([["search", "plan tea"]]);
  assert.deepEqual(first, [planMarked, "Release notes"]);
  assert.deepEqual((await marked([["search", "plan tea"]], { apply_markdown: false }))[0], first);
  assert.deepEqual(await marked([["search", "京都 d"]]), [
    [`<p>東${mark("京都")}に行きました。カフェ</p>`, `R&amp;${mark("D")} &lt;b&gt;`],
  ]);
  assert.deepEqual(await marked([["sender", "othello@example.com"]]), [
    [undefined, undefined],
    [undefined, undefined],
  ]);
  const matches = async (narrow: unknown) =>
    (await chat.as("hamlet").get("/messages/matches_narrow", { msg_ids: [plan, japan, 9999], narrow }))["messages"];
  assert.deepEqual(await matches([["search", "plan tea"]]), {
    [plan]: { match_content: planMarked, match_subject: "Release notes" },
  });
  assert.deepEqual(Object.keys(await matches([["-search", "tea"]])), [String(japan)]);
  assert.deepEqual(
    await found("hamlet", [["search", "plan"]], { anchor: undefined, num_before: 0, message_ids: [later, japan] }),
    [later],
  );

  for (const operand of ["", " ", 7, ["plan"]]) {
    const answer = await fetch("hamlet", [["search", operand]]);
    assert.deepEqual([answer.status, answer["code"]], [400, "BAD_NARROW"], JSON.stringify(operand));
  }
  for (const row of [
    ["x ".repeat(500), "plan"],
    ["plan", `plan ${"!".repeat(10_000)}`],
    Array.from({ length: 51 }, () => "京".repeat(10)),
  ]) {
    const answer = await fetch(
      "hamlet",
      row.map((operand) => ["search", operand]),
    );
    assert.deepEqual([answer.status, answer["code"]], [400, "BAD_NARROW"], "more than a search may contain");
  }
  assert.deepEqual(await search("hamlet", Array.from({ length: 500 }, (_, at) => `plan${at}`).join(" ")), []);
  const narrow = [["search", "plan"]];
  const flagged = await chat.as("hamlet").post("/messages/flags/narrow", {
    anchor: "newest",
    num_before: 10,
    num_after: 0,
    narrow,
    op: "add",
    flag: "starred",
  });
  assert.deepEqual([flagged["processed_count"], flagged["first_processed_id"]], [2, plan]);
  assert.equal(
    (await chat.as("hamlet").post("/register", { narrow }))["code"],
    "BAD_NARROW",
    "an event is not searched",
  );
});

test("search follows edits, moves and deletions, even after restart", async (t) => {
  const chat = await startChat(t, { channels: [general], unwatched: true });
  const { send, search } = searching(chat);
  const a = await send("hamlet", { content: "apples" });
  const b = await send("hamlet", { content: "bananas" });
  const c = await send("hamlet", { content: "cherries", topic: "fruit" });
  const d = await send("hamlet", { content: "cherries too", topic: "fruit" });
  index(chat);
  await chat.as("hamlet").patch(`/messages/${a}`, { content: "avocados" });
  await chat.as("desdemona").patch(`/messages/${c}`, {
    topic: "vegetables",
    propagate_mode: "change_all",
    send_notification_to_new_thread: false,
  });
  await chat.as("desdemona").delete(`/messages/${b}`);
  const all = async () => {
    const words = ["apples", "avocados", "bananas", "fruit", "vegetables", "cherries too", "dates"];
    const found = await Promise.all(words.map((word) => search("othello", word)));
    assert.deepEqual(found.slice(0, 6), [[], [a], [], [], [c, d], [d]]);
    return found[6];
  };
  await all();
  index(chat);
  await all();
  await chat.restart();
  await all();
  index(chat);
  await chat.server.app.store.checkpoint();
  const e = await send("hamlet", { content: "dates" });
  await chat.restart();
  const { reader } = chat.server.app.store;
  assert.ok(unindexed(reader) >= 1, "only messages after the checkpoint");
  assert.ok(unindexed(reader) < 4);
  assert.deepEqual(await all(), [e]);
  index(chat);
  assert.deepEqual(await all(), [e]);
});

test("search finds only readable messages", async (t) => {
  const chat = await startChat(t, {
    channels: [general, { name: "secret", private: true, subscribers: ["hamlet", "othello"] }],
    unwatched: true,
  });
  const { send, search, found } = searching(chat);
  await chat.as("hamlet").post("/users/me/subscriptions", {
    subscriptions: [{ name: "protected" }],
    invite_only: true,
    history_public_to_subscribers: false,
  });
  const secret = await send("hamlet", { to: "secret", content: "treasure" });
  const direct = await send("hamlet", { type: "direct", to: [chat.ids["iago"]], content: "treasure map" });
  const before = await send("hamlet", { to: "protected", content: "treasure before" });
  const principals = [chat.ids["othello"]];
  await chat.as("hamlet").post("/users/me/subscriptions", { subscriptions: [{ name: "protected" }], principals });
  const after = await send("hamlet", { to: "protected", content: "treasure after" });
  const open = await send("hamlet", { content: "treasure for all" });
  const all = async () => {
    assert.deepEqual(await search("hamlet", "treasure"), [secret, direct, before, after, open]);
    assert.deepEqual(await search("othello", "treasure"), [secret, after, open]);
    assert.deepEqual(
      await found("othello", [
        ["channel", "protected"],
        ["search", "treasure"],
      ]),
      [after],
    );
    assert.deepEqual(await search("iago", "treasure"), [direct]);
    assert.deepEqual(await search("cordelia", "treasure"), [], "not in her own history");
    assert.deepEqual(
      await found("cordelia", [
        ["channels", "public"],
        ["search", "treasure"],
      ]),
      [open],
    );
    assert.deepEqual(
      await found("cordelia", [
        ["channels", "public"],
        ["-search", "treasure after"],
      ]),
      await found("cordelia", [["channels", "public"]]),
    );
    assert.deepEqual(await search("polonius", "treasure"), []);
    assert.deepEqual(
      await found("polonius", [
        ["channels", "public"],
        ["search", "treasure"],
      ]),
      [],
    );
    assert.equal(
      await found("cordelia", [
        ["channel", "secret"],
        ["search", "treasure"],
      ]),
      "BAD_NARROW",
    );
    assert.deepEqual(
      await found("cordelia", [
        ["search", "treasure"],
        ["id", secret],
      ]),
      [],
    );
    const msg_ids = [secret, before, after, direct];
    const matches = await chat
      .as("cordelia")
      .get("/messages/matches_narrow", { msg_ids, narrow: [["search", "treasure"]] });
    assert.deepEqual(matches["messages"], {});
  };
  await all();
  index(chat);
  await all();
  // A former subscriber has lost access to the private channel.
  await chat.as("othello").delete("/users/me/subscriptions", { subscriptions: ["secret"] });
  assert.deepEqual(await search("othello", "treasure"), [after, open]);
});

test('"has" operators find messages by their contents', async (t) => {
  const chat = await startChat(t, { channels: [general], unwatched: true });
  const { send, found } = searching(chat);
  const plain = await send("hamlet", { content: "no link to #**general**" });
  const link = await send("hamlet", { content: "https://e.example/" });
  const image = await send("hamlet", { content: "https://e.example/a.png" });
  const file = await send("hamlet", { content: "[report](/user_uploads/2/ab/report.pdf)" });
  const photo = await send("hamlet", { content: "[photo](/user_uploads/2/ab/photo.png)" });
  await chat.as("othello").post(`/messages/${plain}/reactions`, { emoji_name: "tada" });
  await chat.as("hamlet").post(`/messages/${plain}/reactions`, { emoji_name: "smile" });
  const own = ["sender", "hamlet@example.com"];
  const has = (operand: unknown, operator = "has") => found("hamlet", [own, [operator, operand]]);
  assert.deepEqual(await has("link"), [link, image, file, photo]);
  assert.deepEqual(await has("image"), [image, photo]);
  assert.deepEqual(await has("attachment"), [file, photo]);
  assert.deepEqual(await has("reaction"), [plain]);
  assert.deepEqual(await has("link", "-has"), [plain]);
  assert.deepEqual(await has("image", "-has"), [plain, link, file]);
  assert.deepEqual(await has("attachment", "-has"), [plain, link, image]);
  assert.deepEqual(await has("reaction", "-has"), [link, image, file, photo]);
  assert.deepEqual(
    await found("hamlet", [
      ["has", "image"],
      ["has", "attachment"],
    ]),
    [photo],
  );
  assert.deepEqual(await found("hamlet", [["has", "link"]], { anchor: link, num_before: 0, num_after: 1 }), [
    link,
    image,
  ]);
  await chat.as("hamlet").patch(`/messages/${image}`, { content: "gone" });
  await chat.as("hamlet").patch(`/messages/${plain}`, { content: "https://e.example/b.jpg" });
  await chat.as("othello").delete(`/messages/${plain}/reactions`, { emoji_name: "tada" });
  await chat.as("hamlet").delete(`/messages/${plain}/reactions`, { emoji_name: "smile" });
  assert.deepEqual(await has("image"), [plain, photo]);
  assert.deepEqual(await has("reaction"), []);
  for (const operand of ["wings", "", 1]) assert.equal(await has(operand), "BAD_NARROW");
  assert.equal((await chat.as("hamlet").post("/register", { narrow: [["has", "link"]] }))["code"], "BAD_NARROW");
  assert.deepEqual(
    await found("cordelia", [
      ["channels", "public"],
      ["has", "attachment"],
    ]),
    [file, photo],
  );
  assert.deepEqual(await found("cordelia", [["has", "attachment"]]), [], "not in her own history");
});

test("narrows treat hidden people as missing", async (t) => {
  const chat = await startChat(t, {
    channels: [{ name: "general", subscribers: ["hamlet", "polonius"] }],
    prepare: (tx) => {
      const sql = "INSERT INTO organization_settings (name, value) VALUES ('can_access_all_users_group', ?)";
      tx.run(sql, String(systemGroupId(tx, "role:members")));
    },
    unwatched: true,
  });
  const { fetch, send } = searching(chat);
  await send("hamlet", { content: "x" });
  const answered = async (operator: string, operand: unknown, path = "GET") => {
    const narrow = [[operator, operand]];
    const { status, result, msg, code, desc } =
      path === "GET" ? await fetch("polonius", narrow) : await chat.as("polonius").post("/register", { narrow });
    return { status, result, msg, code, desc };
  };
  const { othello, hamlet } = chat.ids;
  for (const operator of ["sender", "dm", "dm-including", "-sender", "-dm", "pm_with"]) {
    const hidden = await answered(operator, othello);
    assert.equal(hidden.code, "BAD_NARROW", operator);
    assert.deepEqual(hidden, await answered(operator, 999_999));
    assert.deepEqual(hidden, await answered(operator, "othello@example.com"));
    assert.deepEqual(hidden, await answered(operator, "nobody@example.com"));
    assert.equal((await answered(operator, hamlet)).result, "success");
  }
  assert.equal((await answered("dm", [hamlet, othello])).code, "BAD_NARROW");
  const inQueue = await answered("sender", "othello@example.com", "POST");
  assert.deepEqual(inQueue, await answered("sender", "nobody@example.com", "POST"));
  assert.equal(inQueue.result, "success", "the person may join later");
});

test("emoji, signs and letters in every form are found", async (t) => {
  const chat = await startChat(t, { channels: [general], unwatched: true });
  const { send, search } = searching(chat);
  const party = await send("hamlet", { topic: "Łódź 🎉", content: "ship it :rocket: un**believ**able" });
  const price = await send("othello", { topic: "Tom & Jerry", content: "Straße, 100 % * ＡＢＣ" });
  const all = async () => {
    for (const text of ["lodz", "🎉", ":tada:", "🚀", "rocket", "ship 🚀", "unbelievable"])
      assert.deepEqual(await search("hamlet", text), [party], text);
    for (const text of ["strasse", "abc", "&", "%", "*", "% *", '"&"'])
      assert.deepEqual(await search("hamlet", text), [price], text);
    for (const text of ["$", "!?", '""', "👍", "👍 %%", "<p>", "& $"])
      assert.deepEqual(await search("hamlet", text), [], text);
  };
  await all();
  index(chat);
  await all();
});
