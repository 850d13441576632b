import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { callsTo } from "../../server/host/supervisor/running-server.ts";
import { fixturePath, tablesIn } from "../support/imports.ts";
import { mattermostExport, post } from "../support/mattermost-export.ts";
import { until } from "../support/patience.ts";
import { call, dataFolder, hearth, type Person, type Serving, serve } from "../support/server-process.ts";

const SLACK = fixturePath("slack-zulip.zip");

/** Runs `hearth import` until it ends. */
async function run(t: TestContext, folder: string, ...args: string[]) {
  const process = hearth(t, ["import", ...args, "--data", folder]);
  const { code } = await process.ended;
  return { code, stdout: process.stdout, stderr: process.stderr };
}

async function stop(server: Serving): Promise<void> {
  server.child.kill("SIGTERM");
  await server.ended;
}

const largeExport = (t: TestContext) =>
  mattermostExport(
    t,
    Array.from({ length: 20_000 }, (_, n) => post(`message ${n}`, n)),
  );

test("a running server imports, lists and removes", async (t) => {
  const { path } = await dataFolder(t);
  const server = await serve(t, path);
  assert.equal((await run(t, path, "--list")).stdout, "There are no imports.\n");
  const done = await run(t, path, SLACK, "--yes");
  assert.deepEqual(done.code, 0, done.stderr);
  assert.match(done.stdout, /^An export of Slack:\n {2}4 people \(0 with an account here\), 1 bot\n {2}2 channels/);
  assert.match(done.stdout, /general: 73 messages\n[\s\S]*\nImport 1 is complete: 5 people, 2 channels, 82 messages/);
  assert.match((await run(t, path, "--list")).stdout, /^1: Slack, slack-zulip\.zip, [\d-]{10}: 5 people, .*\n$/);
  const unknown = await run(t, path, "--remove", "2", "--yes");
  assert.deepEqual([unknown.code, unknown.stderr.includes("There is no import 2.")], [2, true]);
  const unasked = await run(t, path, "--remove", "1");
  assert.deepEqual([unasked.code, unasked.stderr.includes("Use --yes")], [2, true]);
  const removed = await run(t, path, "--remove", "1", "--yes");
  assert.deepEqual([removed.code, removed.stderr], [0, "Removing an import …\n"]);
  assert.match(
    removed.stdout,
    /This removes 5 people, .*82 messages, 1 reaction, imported from .*\nThe import is removed/,
  );
  assert.equal((await run(t, path, "--list")).stdout, "There are no imports.\n");
  await stop(server);
});

test("without a server, the command starts one", async (t) => {
  const { path } = await dataFolder(t);
  const before = await tablesIn(path);
  const dry = await run(t, path, SLACK, "--dry-run");
  assert.deepEqual([dry.code, dry.stderr], [0, "Reading the export …\n"]);
  assert.match(dry.stdout, /This imports 5 people, 2 channels, 82 messages, .*\nNothing was changed\.\n$/);
  assert.deepEqual(await tablesIn(path), before);
  assert.equal(existsSync(join(path, "imports")), false);
  const done = await run(t, path, SLACK, "--yes", "--channels", "General", "--since", "2018-01", "--topic", "old");
  assert.deepEqual(done.code, 0, done.stderr);
  const { messages = [], channels = [] } = await tablesIn(path);
  const added = (messages as { topic: string; sent_at: number }[]).slice(before["messages"]?.length);
  assert.deepEqual([...new Set(added.map(({ topic }) => topic))], ["old", "rabbitduck"]); // the second is a thread
  assert.ok(added.every(({ sent_at }) => sent_at >= Date.UTC(2018, 0)));
  assert.equal(channels.length, (before["channels"]?.length ?? 0) + 1);
  assert.equal((await run(t, path, "--remove", "1", "--yes")).code, 0);
  assert.deepEqual(await tablesIn(path), before);
});

test("the command refuses wrong options", async (t) => {
  const { path } = await dataFolder(t);
  for (const [args, said] of [
    [[], /Which file/],
    [[SLACK, "--since", "2018-13"], /--since 2018-13: write a month/],
    [[SLACK, "--role", "king"], /--role king: it is one of member/],
    [[SLACK, "--topic", "x".repeat(61)], /--topic has 61 characters/],
    [[SLACK, "--topic", " "], /--topic has 0 characters/],
    [[SLACK, "--list"], /belongs to no option/],
    [["--remove", "first"], /--remove first: write the number/],
    [["--remove", "1", "--dry-run"], /Unknown option '--dry-run'/],
  ] as const) {
    const { code, stderr } = await run(t, path, ...args);
    assert.deepEqual([code, said.test(stderr)], [2, true], stderr);
  }
  const { code, stderr } = await run(t, join(path, "none"), SLACK);
  assert.deepEqual([code, stderr.includes("no organization")], [1, true], stderr);
});

test("a refused import leaves no current import", async (t) => {
  const { path } = await dataFolder(t);
  const server = await serve(t, path);
  const direct = fixturePath("mattermost-zulip-direct.jsonl");
  for (const [args, code, said] of [
    [[SLACK], 2, /no terminal to ask on\. Use --yes/],
    [[SLACK, "--yes", "--channels", "randm"], 2, /no channel "randm"\. It has: random, general\./],
    [[`${SLACK}x`, "--yes"], 1, /slack-zulip\.zipx doesn't exist/],
    [[fixturePath("README.md"), "--yes"], 1, /cannot read this export/],
    [[direct, "--yes", "--direct"], 2, /Confirm this with --consent/],
    [[direct, "--yes", "--channels", "Dumbledores army"], 2, /Confirm this with --consent/],
  ] as const) {
    const refused = await run(t, path, ...args);
    assert.deepEqual([refused.code, said.test(refused.stderr)], [code, true], refused.stderr);
    assert.equal((await callsTo(path)<{ current: unknown }>("GET", "/host/imports")).current, null);
  }
  const done = await run(t, path, direct, "--yes", "--direct", "--consent");
  assert.match(done.stdout, /Import 1 is complete: 4 people, 2 channels, 3 direct conversations, 10 messages/);
  await stop(server);
});

test("the command does not cancel another import", async (t) => {
  const { path } = await dataFolder(t);
  const server = await serve(t, path);
  await callsTo(path)("POST", "/host/imports/current", new URLSearchParams({ name: "upload" }));
  const refused = await run(t, path, SLACK, "--yes");
  assert.deepEqual([refused.code, refused.stderr.includes("Another step of an import")], [1, true]);
  const { current } = await callsTo(path)<{ current: { name: string } }>("GET", "/host/imports");
  assert.equal(current.name, "upload");
  await stop(server);
});

test("a removal asks for --with-additions", async (t) => {
  const { path, people } = await dataFolder(t);
  const server = await serve(t, path);
  assert.equal((await run(t, path, SLACK, "--yes")).code, 0);
  const hamlet = people[1] as Person;
  await call(server.url, hamlet, "POST /users/me/subscriptions", { subscriptions: [{ name: "random" }] });
  await call(server.url, hamlet, "POST /messages", { type: "stream", to: "random", topic: "x", content: "late" });
  const refused = await run(t, path, "--remove", "1", "--yes");
  assert.deepEqual([refused.code, refused.stderr], [2, "Hearth: Confirm this with --with-additions.\n"]);
  assert.match(refused.stdout, /People have added 1 message and 0 reactions since/);
  assert.equal((await run(t, path, "--remove", "1", "--yes", "--with-additions")).code, 0);
  await stop(server);
});

const NO_SIGNALS = process.platform === "win32" && "Windows has no SIGINT for other processes";

for (const isRunning of [true, false])
  test(`Ctrl-C ${isRunning ? "with" : "without"} a running server leaves nothing`, { skip: NO_SIGNALS }, async (t) => {
    const { path } = await dataFolder(t);
    const before = await tablesIn(path);
    const server = isRunning && (await serve(t, path));
    const command = hearth(t, ["import", largeExport(t), "--yes", "--data", path]);
    await until(() => (/Writing: [1-9]/.test(command.stderr) ? true : undefined), "messages");
    command.child.kill("SIGINT");
    assert.deepEqual(await command.ended, { code: 130, signal: null });
    assert.match(command.stderr, /The import was cancelled\. Nothing of it remains\.\n$/);
    if (server) await stop(server);
    assert.deepEqual(await tablesIn(path), before);
    assert.equal(existsSync(join(path, "imports")), false);
  });
