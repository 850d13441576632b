import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { takeDataFolder } from "../../server/host/supervisor/data-folder.ts";
import { FolderInUse, hasLocks, isLocked, takeLock } from "../../server/host/supervisor/lock.ts";
import { useFolder } from "../support/folder-in-use.ts";
import { until } from "../support/patience.ts";
import { emptyFolder } from "../support/server-process.ts";

const LOCK_MODULE = JSON.stringify(new URL("../../server/host/supervisor/lock.ts", import.meta.url).href);

/** Starts a process that takes the lock and reports the outcome. A holder keeps the lock until its input ends. */
function starter(folder: string): { outcome: Promise<string>; end(): Promise<void>; kill(): Promise<void> } {
  const code = `
    const { takeLock } = await import(${LOCK_MODULE});
    process.stdout.write("ready\\n");
    process.stdin.once("data", () => {
      try { takeLock(${JSON.stringify(folder)}); process.stdout.write("taken\\n"); process.stdin.once("end", () => process.exit()); }
      catch (error) { process.stdout.write(error.name + "\\n"); }
    });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let text = "";
  const outcome = new Promise<string>((resolve, reject) => {
    child.once("exit", () => reject(new Error(`ended after: ${text}`)));
    child.stdout.on("data", (part) => {
      text += part;
      const [, second] = text.split("\n");
      if (text === "ready\n") child.stdin.write("go\n");
      if (second) resolve(second);
    });
  });
  return {
    outcome,
    end: () => {
      child.stdin.end();
      return exited;
    },
    kill: () => {
      child.kill("SIGKILL");
      return exited;
    },
  };
}

test("a process takes a folder once", (t) => {
  const folder = emptyFolder(t);
  const lock = takeLock(folder);
  const inUse = (error: Error) => error instanceof FolderInUse && error.message.startsWith(`${folder} is in use`);
  assert.throws(() => takeLock(folder), inUse);
  assert.throws(() => takeLock(folder), inUse, "the first refusal ended no lock");
  assert.deepEqual([isLocked(folder), lock.isHeld], [true, true]);
  lock.release();
  lock.release();
  assert.deepEqual([isLocked(folder), lock.isHeld], [false, false]);
  takeLock(folder).release();
});

test("the lock writes nothing", (t) => {
  const folder = emptyFolder(t);
  const lock = takeLock(folder);
  assert.deepEqual(readdirSync(folder), ["lock"]);
  assert.equal(statSync(join(folder, "lock")).size, 0);
  lock.release();
  assert.deepEqual(readdirSync(folder), ["lock"], "its deletion could end the next one");
});

test("a refused attempt in the same process does not release the lock", async (t) => {
  const folder = emptyFolder(t);
  const lock = takeLock(folder);
  assert.equal(isLocked(folder), true);
  assert.throws(() => takeLock(folder), FolderInUse);
  const other = starter(folder);
  assert.equal(await other.outcome, "FolderInUse");
  await other.end();
  lock.release();
});

test("a killed process does not hold its lock", async (t) => {
  const folder = emptyFolder(t);
  const holder = starter(folder);
  assert.equal(await holder.outcome, "taken");
  assert.throws(() => takeLock(folder), FolderInUse);
  await holder.kill();
  takeLock(folder).release();
});

const unix = { skip: process.platform === "win32" && "Windows has no zombies" };

test("a killed, unreaped process does not hold its lock", unix, async (t) => {
  const folder = emptyFolder(t);
  const holder = `const { takeLock } = await import(${LOCK_MODULE}); takeLock(${JSON.stringify(folder)}); setInterval(() => {}, 1000);`;
  // `sleep` becomes the holder's parent and never reaps it.
  const script = '"$0" --input-type=module -e "$1" & echo $!; exec sleep 600';
  const parent = spawn("sh", ["-c", script, process.execPath, holder], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => parent.kill("SIGKILL"));
  const pid = new Promise<number>((resolve) => parent.stdout.once("data", (text) => resolve(Number(text))));
  await until(() => isLocked(folder) || undefined, "the holder");
  process.kill(await pid, "SIGKILL");
  await until(() => !isLocked(folder) || undefined, "its end");
  process.kill(await pid, 0); // it is still a process
});

test("a start waits for a holder that does not respond", async (t) => {
  const folder = emptyFolder(t);
  const lock = takeLock(folder);
  const lines: string[] = [];
  const said = Promise.withResolvers<void>();
  const report = (line: string) => {
    lines.push(line);
    said.resolve();
  };
  const waiting = takeDataFolder(folder, { report });
  await said.promise;
  lock.release();
  const next = await waiting;
  lock.release(); // a late one
  assert.ok(isLocked(folder));
  assert.deepEqual(lines, [`${folder}: waiting for another Hearth, which is starting or stopping there.`]);
  const ended = new AbortController();
  const aborted = takeDataFolder(folder, { signal: ended.signal });
  ended.abort();
  await assert.rejects(aborted, { name: "AbortError" });
  next.release();
});

test("a start does not wait for a server that responds", async (t) => {
  const folder = emptyFolder(t);
  const url = await useFolder(t, folder);
  const report = () => assert.fail("it waits");
  await assert.rejects(takeDataFolder(folder, { report }), { name: "FolderInUse", url });
});

test("a lock file with other content is used again", (t) => {
  const folder = emptyFolder(t);
  for (const text of ['{"pid":1,"start":"0","boot":"before"}\n', "{}", "x".repeat(5000)]) {
    writeFileSync(join(folder, "lock"), text);
    assert.equal(isLocked(folder), false);
    takeLock(folder).release();
  }
});

test("a lock ends when its file is deleted, replaced or locked elsewhere", (t) => {
  const replacements: ((path: string) => void)[] = [
    (path) => rmSync(path),
    (path) => {
      writeFileSync(`${path}.new`, "");
      renameSync(`${path}.new`, path);
    },
  ];
  // Windows does not delete or replace the file of a running server.
  for (const change of [(path: string) => utimesSync(path, 1, 1), ...(unix.skip ? [] : replacements)]) {
    const folder = emptyFolder(t);
    const lock = takeLock(folder);
    change(join(folder, "lock"));
    assert.equal(lock.isHeld, false);
    lock.release();
  }
});

test("one of several concurrent starts takes the lock", async (t) => {
  const folder = emptyFolder(t);
  for (let round = 0; round < 3; round += 1) {
    const starters = Array.from({ length: 4 }, () => starter(folder));
    const outcomes = await Promise.all(starters.map(({ outcome }) => outcome));
    assert.deepEqual(outcomes.toSorted(), ["FolderInUse", "FolderInUse", "FolderInUse", "taken"]);
    await Promise.all(starters.map((one) => one.end()));
  }
});

test("locks a folder with a long path", (t) => {
  const folder = join(emptyFolder(t), ...Array<string>(5).fill("long".repeat(15)));
  mkdirSync(folder, { recursive: true });
  const lock = takeLock(folder);
  assert.deepEqual([lock.isHeld, isLocked(folder)], [true, true]);
  lock.release();
});

test("local disks support locks", (t) => {
  const folder = emptyFolder(t);
  assert.equal(hasLocks(folder), true);
  assert.deepEqual(readdirSync(folder), []);
});
