import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { problem } from "../../server/errors.ts";
import type { fetchFiles } from "../../server/host/imports/fetched-files.ts";
import { type Body, type Chat, startChat } from "../support/chat.ts";
import { fixturePath, importFile, previewOf, sendFile, stageAfter, tables } from "../support/imports.ts";
import { mattermostExport, PNG, post } from "../support/mattermost-export.ts";
import { zipOf } from "../support/zip.ts";

const SLACK = fixturePath("slack-zulip.zip");
const start = (t: TestContext) => startChat(t, { unwatched: true, channels: [{ name: "general", subscribers: [] }] });

test("a preview describes the export", async (t) => {
  const preview = await previewOf(await start(t), SLACK);
  const { format, people, channels, direct, messages_by_month, left_out } = preview;
  assert.equal(format, "slack");
  assert.deepEqual(people, { total: 5, bots: 1, with_email: 0, matches: [] });
  const shown = channels.map((channel: any) => [channel.name, channel.messages, channel.is_name_taken]);
  assert.deepEqual(shown, [
    ["general", 73, true],
    ["random", 9, false],
  ]);
  assert.deepEqual(direct, { conversations: 0, messages: 0 });
  assert.deepEqual(messages_by_month, { "2017-06": 25, "2018-01": 57 });
  assert.deepEqual(left_out, { notices: 9, "link previews": 2 });
});

test("an import writes the counts of its preview", async (t) => {
  const chat = await start(t);
  const { choices } = await previewOf(chat, SLACK);
  const params = { choices: JSON.stringify(choices) };
  const { counts } = await chat.as("desdemona").post("/host/imports/current/counts", params);
  assert.deepEqual(counts.messages, 82);
  const done = await importFile(chat, SLACK);
  assert.deepEqual([done["state"], done["counts"]], ["done", counts]);
});

const ALL = { direct_messages: true, consent: true, max_role: "owner" };

async function importAll(chat: Chat, path: string): Promise<Body> {
  const { channels } = await previewOf(chat, path);
  return importFile(chat, path, { ...ALL, channels: channels.map(({ id }: { id: string }) => id) });
}

const stored = (chat: Chat): string[] =>
  readdirSync(join(chat.folder, "uploads"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

test("pictures, custom emoji and avatars come along", async (t) => {
  const chat = await start(t);
  const done = await importAll(chat, mattermostExport(t));
  const { people, channels, conversations, emoji, messages, reactions, files } = done["counts"];
  assert.deepEqual([people, channels, conversations, emoji, messages, reactions, files], [2, 2, 1, 1, 5, 1, 1]);
  const owner = chat.as("desdemona");
  const ask = {
    anchor: "newest",
    num_before: 9,
    num_after: 0,
    narrow: [{ operator: "channel", operand: "Development" }],
  };
  const [first] = (await owner.get("/messages", ask))["messages"];
  assert.match(first.content, /<img alt=":skiff:".*<div class="message_inline_image">.*boat\.png/s);
  const [, path = ""] = /href="(\/user_uploads\/[^"]+)"/.exec(first.content) ?? [];
  const file = await fetch(`${chat.url}${path}?api_key=${owner.key}`);
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), PNG);
  const { members } = await owner.get("/users");
  assert.match(members.find(({ full_name }: Body) => full_name === "ann").avatar_url, /user_avatars/);
});

test("a file in a private channel is for its members", async (t) => {
  const chat = await start(t);
  await importAll(
    chat,
    mattermostExport(t, [post("plan", 6, { channel: "board", attachments: [{ path: "boat.png" }] })]),
  );
  const { reader } = chat.server.app.store;
  const html = reader.value<string>("SELECT rendered_content FROM messages WHERE content LIKE 'plan%'") ?? "";
  const [, path = ""] = /href="(\/user_uploads\/[^"]+)"/.exec(html) ?? [];
  const file = await fetch(`${chat.url}${path}?api_key=${chat.as("hamlet").key}`);
  assert.equal(file.status, 404);
});

test("the upload quota does not stop an import", async (t) => {
  const chat = await start(t);
  await chat.as("desdemona").patch("/host/settings", { UPLOAD_QUOTA_MIB: "0" });
  assert.equal((await importAll(chat, mattermostExport(t)))["counts"].files, 1);
});

test("removing an import leaves the tables and files of before", async (t) => {
  const chat = await start(t);
  const [before, files] = [tables(chat), stored(chat)];
  const { id } = await importAll(chat, mattermostExport(t));
  assert.ok(stored(chat).length > files.length);
  assert.equal((await chat.as("desdemona").delete(`/host/imports/${id}`)).result, "success");
  assert.equal(await stageAfter(chat, "removing"), null);
  assert.deepEqual(tables(chat), before);
  assert.deepEqual(stored(chat), files);
  await chat.restart();
  assert.deepEqual(tables(chat), before);
});

test("a removal asks about things that people have added", async (t) => {
  const chat = await start(t);
  const { id } = await importAll(chat, mattermostExport(t));
  const hamlet = chat.as("hamlet");
  await hamlet.post("/users/me/subscriptions", { subscriptions: [{ name: "Development" }] });
  await hamlet.post("/messages", { type: "stream", to: "Development", topic: "x", content: "late" });
  const refused = await chat.as("desdemona").delete(`/host/imports/${id}`);
  assert.match(refused.msg, /1 messages and 0 reactions/);
  const removed = await chat.as("desdemona").delete(`/host/imports/${id}`, { with_additions: true });
  assert.equal(removed.result, "success");
  assert.equal(await stageAfter(chat, "removing"), null);
});

test("private channels and direct messages need consent", async (t) => {
  const chat = await start(t);
  const { channels, choices } = await previewOf(chat, mattermostExport(t));
  const ids = channels.map(({ id }: { id: string }) => id);
  for (const change of [{ channels: ids }, { direct_messages: true }]) {
    const params = { choices: JSON.stringify({ ...choices, ...change }) };
    const refused = await chat.as("desdemona").post("/host/imports/current/start", params);
    assert.match(refused.msg, /confirmation/);
  }
});

test("a cancelled import leaves the tables and files of before", async (t) => {
  const chat = await start(t);
  const posts = Array.from({ length: 3000 }, (_, n) =>
    post(`message ${n}`, n, { attachments: [{ path: "boat.png" }] }),
  );
  const { choices } = await previewOf(chat, mattermostExport(t, posts));
  const [before, files] = [tables(chat), stored(chat)];
  const owner = chat.as("desdemona");
  await owner.post("/host/imports/current/start", { choices: JSON.stringify(choices) });
  while ((await owner.get("/host/imports"))["current"].done < 100);
  assert.equal((await owner.delete("/host/imports/current")).result, "success");
  assert.deepEqual(tables(chat), before);
  assert.deepEqual(stored(chat), files);
  assert.equal(existsSync(join(chat.folder, "imports")), false);
});

test("a stop in the middle of an import leaves the tables of before", async (t) => {
  const chat = await start(t);
  const posts = Array.from({ length: 3000 }, (_, n) => post(`message ${n}`, n));
  const { choices } = await previewOf(chat, mattermostExport(t, posts));
  const before = tables(chat);
  const params = { choices: JSON.stringify(choices) };
  await chat.as("desdemona").post("/host/imports/current/start", params);
  while ((await chat.as("desdemona").get("/host/imports"))["current"].done < 100);
  await chat.restart();
  assert.equal((await stageAfter(chat, "removing"))?.stage, "ready");
  assert.deepEqual(tables(chat), before);
  assert.equal((await chat.as("desdemona").post("/host/imports/current/start", params)).result, "success");
  assert.equal(await stageAfter(chat, "writing"), null);
});

test("two simultaneous starts write a single import", async (t) => {
  const chat = await start(t);
  const owner = chat.as("desdemona");
  const params = { choices: JSON.stringify((await previewOf(chat, SLACK))["choices"]) };
  const begin = () => owner.post("/host/imports/current/start", params);
  const results = (await Promise.all([begin(), begin()])).map(({ result }) => result);
  assert.deepEqual(results.sort(), ["error", "success"]);
  assert.equal(await stageAfter(chat, "writing"), null);
  assert.equal((await owner.get("/host/imports"))["imports"].length, 1);
});

test("a cancelled start writes nothing", async (t) => {
  const chat = await start(t);
  const { imports } = chat.server.app;
  const { choices } = await previewOf(chat, SLACK);
  const before = tables(chat);
  const { direct_messages: directMessages, max_role: maxRole, ...others } = choices;
  await imports.write(null, { ...others, directMessages, maxRole, locale: "en" }, chat.url);
  await imports.cancel(); // before the thread starts
  assert.deepEqual([imports.state, tables(chat)], [undefined, before]);
});

test("an import fails, and leaves nothing, when the disk is nearly full", async (t) => {
  const chat = await startChat(t, { unwatched: true, testing: { leavesFree: Number.MAX_SAFE_INTEGER } });
  const owner = chat.as("desdemona");
  await owner.post("/host/imports/current", { name: "x.zip" });
  await sendFile(
    chat,
    "desdemona",
    "x.zip",
    readFileSync(
      mattermostExport(
        t,
        Array.from({ length: 30_000 }, (_, n) => post(`m ${n}`, n)),
      ),
    ),
  );
  await owner.post("/host/imports/current/read");
  const failed = await stageAfter(chat, "reading");
  assert.deepEqual([failed.stage, failed.problem.reason], ["failed", "import_disk_failed"]);
  assert.equal(existsSync(join(chat.folder, "imports")), false);
});

test("an import counts no reactions with unknown emoji", async (t) => {
  const chat = await start(t);
  const reactions = [
    { user: "bob", emoji_name: "no_such_emoji" },
    { user: "bob", emoji_name: "+1" },
  ];
  const path = mattermostExport(t, [post("x", 7, { reactions })]);
  const { left_out } = await previewOf(chat, path);
  assert.equal(left_out["reactions of unknown emoji"], 1);
  assert.equal((await importAll(chat, path))["counts"].reactions, 2);
});

test("only owners import", async (t) => {
  const chat = await startChat(t, { unwatched: true, users: { moderator: { role: 300 } } });
  const current = "/host/imports/current";
  const calls = [
    ["get", "/host/imports"],
    ["post", current],
    ["post", `${current}/read`],
    ["get", `${current}/preview`],
    ["post", `${current}/counts`],
    ["post", `${current}/start`],
    ["post", `${current}/fetch`],
    ["delete", `${current}/fetch`],
    ["delete", current],
    ["delete", "/host/imports/1"],
  ] as const;
  const refusals = ["iago", "moderator", "hamlet"].map((name) => [name, "Only owners can do this."]);
  for (const [name = "", words] of [
    ...refusals,
    ["polonius", "Guests cannot do this."],
    ["bot", "Bots cannot do this."],
  ]) {
    for (const [method, path] of calls) assert.equal((await chat.as(name)[method](path)).msg, words, `${name} ${path}`);
    assert.equal((await sendFile(chat, name, "x", Buffer.from("x"))).msg, words, name);
  }
  const path = await chat.as("desdemona").post(current, { path: "/etc/passwd" });
  assert.match(path.msg, /operator/);
});

test("an unknown export fails with its reason, and another can follow", async (t) => {
  const chat = await start(t);
  const owner = chat.as("desdemona");
  await owner.post("/host/imports/current", { name: "x.zip" });
  assert.match((await sendFile(chat, "desdemona", "../x", Buffer.from("x"))).msg, /relative/);
  await sendFile(chat, "desdemona", "x.zip", zipOf([{ name: "x", content: "y" }]));
  await owner.post("/host/imports/current/read");
  const failed = await stageAfter(chat, "reading");
  assert.deepEqual([failed.stage, failed.problem.reason], ["failed", "import_format_unknown"]);
  assert.equal((await previewOf(chat, SLACK))["format"], "slack");
});

/** Puts a picture where the fetched file belongs, for all URLs or for none. */
const scriptedSlack =
  (serves: () => boolean): typeof fetchFiles =>
  async (files, { folder, onProgress }) => {
    const progress = { fetched: 0, failed: 0, bytes: 0 };
    mkdirSync(folder, { recursive: true });
    for await (const { url } of files) {
      if (serves()) writeFileSync(join(folder, createHash("sha256").update(url).digest("hex")), PNG);
      progress[serves() ? "fetched" : "failed"] += 1;
      onProgress?.(progress);
    }
    const reason = problem("slack_file_not_readable");
    return { ...progress, failures: serves() ? [] : [{ url: "https://files.slack.com/x", reason }] };
  };

const withSlack = (t: TestContext, serves: () => boolean) =>
  startChat(t, { unwatched: true, testing: { fetchFiles: scriptedSlack(serves) } });

async function fetchAll(chat: Chat) {
  const started = await chat.as("desdemona").post("/host/imports/current/fetch", { token: "xoxp-1" });
  assert.equal(started.result, "success", started.msg);
  assert.equal((await stageAfter(chat, "fetching")).stage, "ready");
  const owner = chat.as("desdemona");
  const { choices, fetched } = await owner.get("/host/imports/current/preview");
  const { counts } = await owner.post("/host/imports/current/counts", { choices: JSON.stringify(choices) });
  return { counts, fetched };
}

test("files that Slack serves come along, and the counts of the preview include them", async (t) => {
  let serves = false;
  const chat = await withSlack(t, () => serves);
  await previewOf(chat, SLACK);
  const none = await fetchAll(chat);
  assert.deepEqual([none.counts.files, none.counts.elsewhere, none.fetched.failures.length], [0, 2, 1]);
  serves = true;
  const { counts } = await fetchAll(chat);
  assert.deepEqual([counts.files, counts.elsewhere, counts.bytes], [2, 0, 2 * PNG.length]);
  await chat.restart();
  const { choices } = await chat.as("desdemona").get("/host/imports/current/preview");
  await chat.as("desdemona").post("/host/imports/current/start", { choices: JSON.stringify(choices) });
  assert.equal(await stageAfter(chat, "writing"), null);
  const [done] = (await chat.as("desdemona").get("/host/imports"))["imports"];
  assert.deepEqual(done.counts, counts);
});

test("only files of a Slack export are fetched", async (t) => {
  const chat = await start(t);
  await previewOf(chat, mattermostExport(t));
  const refused = await chat.as("desdemona").post("/host/imports/current/fetch");
  assert.match(refused.msg, /Slack/);
});
