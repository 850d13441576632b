import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, dirname, join } from "node:path";
import test, { type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { chosenTarget } from "../../main/data-move.ts";
import { moveOf } from "../../server/host/backups/move-marks.ts";
import { moveTarget } from "../../server/host/supervisor/move-target.ts";
import { IS_LONG_RUN } from "../support/long-run.ts";
import { temporaryFolder } from "../support/organization.ts";
import {
  announced,
  dataFolder,
  endProcesses,
  hearth,
  type Person,
  said,
  say,
  serve,
} from "../support/server-process.ts";

async function createFolder(t: TestContext) {
  const { path, people } = await dataFolder(t);
  const parent = temporaryFolder(t);
  t.after(async () => {
    await endProcesses(t);
    for (const name of readdirSync(dirname(path)))
      if (name.startsWith(basename(path))) rmSync(join(dirname(path), name), { recursive: true, force: true });
  });
  const run = async (...args: string[]) => {
    const process = hearth(t, args);
    const { code } = await process.ended;
    return { code, stdout: process.stdout, stderr: process.stderr };
  };
  const [owner, hamlet] = people as [Person, Person];
  return { path, parent, run, owner, hamlet };
}

async function oldFolder(folder: string): Promise<any> {
  const { url, token } = JSON.parse(readFileSync(join(folder, "host.json"), "utf8"));
  const response = await fetch(`${url}/host/old-folder`, { headers: { authorization: `Bearer ${token}` } });
  return ((await response.json()) as { old: unknown }).old;
}

test("the command line moves a data folder there and back", async (t) => {
  const { path, parent, run, hamlet } = await createFolder(t);
  const to = join(parent, "new");
  const first = await serve(t, path);
  await say(first.url, hamlet, "before");
  assert.equal(await oldFolder(path), null);
  const refused = await run("move", "--data", path, "--to", to);
  assert.deepEqual([refused.code, existsSync(to)], [1, false]);
  assert.match(refused.stderr, /^Hearth: .*in use.*Stop that server first/);
  first.child.kill("SIGTERM");
  await first.ended;

  const moved = await run("move", "--data", path, "--to", to);
  assert.equal(moved.code, 0, moved.stderr);
  assert.match(moved.stderr, /^Copying: 0 %|Comparing/);
  const aside = /The old one is kept in (\S+)\./.exec(moved.stdout)?.[1] ?? "";
  assert.ok(aside.startsWith(`${path}-moved-`) && existsSync(join(aside, "hearth.db")), moved.stdout);
  const old = hearth(t, ["serve", "--data", path, "--port", "0"]);
  assert.equal((await old.ended).code, 1);
  assert.match(old.stderr, /^Hearth: The data in \S+ was moved to \S+\. Use that folder\./);
  assert.deepEqual(readdirSync(path), ["lock", "move.json"], "and no first run begins there");

  const second = await serve(t, to);
  assert.deepEqual(await said(second.url, hamlet), ["before"]);
  const known = await oldFolder(to);
  assert.deepEqual([known.folder, known.messages, known.people, known.is_unchanged], [aside, 0, 0, true]);
  await say(second.url, hamlet, "since");
  const later = await oldFolder(to);
  assert.deepEqual([later.messages, later.people, later.is_unchanged], [1, 0, false]);
  second.child.kill("SIGTERM");
  await second.ended;

  const unasked = await run("move", "--data", to, "--back");
  assert.equal(unasked.code, 2);
  assert.match(unasked.stdout, /Since then came 1 message and 0 people: they stay behind\./);
  const back = await run("move", "--data", to, "--back", "--yes");
  assert.equal(back.code, 0, back.stderr);
  const kept = /What was in \S+ is in (\S+)\./.exec(back.stdout)?.[1] ?? "";
  const third = await serve(t, path);
  assert.deepEqual(await said(third.url, hamlet), ["before"]);
  assert.ok(existsSync(join(kept, "hearth.db")));
  third.child.kill("SIGTERM");
  await third.ended;
});

test("the window opens without waiting for the folder's size", async (t) => {
  const { path, parent } = await createFolder(t);
  const fs = process.getBuiltinModule("node:fs");
  const listed = t.mock.method(fs, "readdirSync");
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  mkdirSync(join(parent, "disk"));
  writeFileSync(join(parent, "disk", "letter.txt"), "mine");
  const target = await chosenTarget(path, join(parent, "disk"));
  assert.equal(target.path, join(parent, "disk", "Hearth"));
  assert.ok(target.bytes > 10_000 && target.problem === null);
  const inFolder = listed.mock.calls
    .map(({ arguments: [folder] }) => String(folder))
    .filter((one) => one.startsWith(path));
  assert.deepEqual(inFolder, [], "what blocks is done on a thread");
});

test("refuses an unusable location and names the reason", async (t) => {
  const { path, parent, run } = await createFolder(t);
  mkdirSync(join(parent, "full"));
  writeFileSync(join(parent, "full", "letter.txt"), "mine");
  writeFileSync(join(parent, "file"), "");
  mkdirSync(join(parent, "closed"), { mode: 0o500 });
  for (const [to, problem, words] of [
    [path, "same", /is already the data folder/],
    [join(path, "inside"), "inside", /is inside the data folder\. Choose a location outside it/],
    [join(parent, "full"), "not empty", /is not empty/],
    [join(parent, "file"), "file", /cannot be a folder/],
    [join(parent, "file", "new"), "file", /cannot be a folder/],
    [join(parent, "no", "where"), "missing", /no doesn't exist/],
  ] as const) {
    assert.equal(moveTarget(path, to, 1000).problem, problem, to);
    const outcome = await run("move", "--data", path, "--to", to);
    assert.equal(outcome.code, 1, to);
    assert.match(outcome.stderr, words);
  }
  if (process.getuid && process.getuid() !== 0)
    assert.equal(moveTarget(path, join(parent, "closed", "new"), 1000).problem, "not writable");
  assert.equal(moveTarget(path, join(parent, "new"), 2 ** 60).problem, "too small");
  if (process.platform === "linux" && existsSync("/dev/shm"))
    assert.equal(moveTarget(path, "/dev/shm", 1000).problem === null, false, "where a disk begins");
  assert.equal(moveTarget(path, join(parent, "new"), 1000).problem, null);
  assert.deepEqual(readdirSync(parent).sort(), ["closed", "file", "full"], "a look leaves nothing behind");
  for (const [args, words] of [
    [["--data", path], /--to is missing/],
    [["--data", path, "--to", join(parent, "new"), "--back"], /leave out --to/],
    [["--to", join(parent, "new")], /--data is missing/],
  ] as const) {
    const outcome = await run("move", ...args);
    assert.equal(outcome.code, 2);
    assert.match(outcome.stderr, words);
  }
  const nowhere = await run("move", "--data", path, "--back", "--yes");
  assert.match(nowhere.stderr, /was not moved, or the folder that it was moved from no longer exists/);
  assert.match(
    (await run("move", "--data", join(parent, "full"), "--to", join(parent, "new"))).stderr,
    /no organization/,
  );
  assert.equal(moveOf(path), undefined);
});

test("killing the command leaves one usable folder", async (t) => {
  const { path, parent, hamlet } = await createFolder(t);
  const first = await serve(t, path);
  await say(first.url, hamlet, "before");
  first.child.kill("SIGTERM");
  await first.ended;
  mkdirSync(join(path, "backups"), { recursive: true });
  writeFileSync(join(path, "backups", "large"), Buffer.alloc(40 << 20, 7));
  let folder = path;
  let number = 0;
  for (const wait of IS_LONG_RUN ? Array.from({ length: 40 }, (_, index) => 200 + index * 30) : [350, 600, 850, 1200]) {
    const to = join(parent, `new-${number}`);
    number += 1;
    const moving = hearth(t, ["move", "--data", folder, "--to", to]);
    await pause(wait);
    moving.child.kill("SIGKILL");
    await moving.ended;
    const taken = [];
    for (const one of [folder, to]) {
      if (!existsSync(join(one, "hearth.db")) && !existsSync(join(one, "move.json"))) continue;
      const server = hearth(t, ["serve", "--data", one, "--port", "0", "--rate-limit", "off"]);
      const url = await announced(server).catch(() => undefined);
      if (url === undefined) {
        assert.match(server.stderr, /was moved to|unfinished copy/);
        continue;
      }
      taken.push(one);
      assert.deepEqual(await said(url, hamlet), ["before"], `after ${wait} ms`);
      server.child.kill("SIGTERM");
      await server.ended;
    }
    assert.equal(taken.length, 1, `after ${wait} ms: ${taken}`);
    folder = taken[0] as string;
  }
});
