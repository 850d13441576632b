import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { setTimeout } from "node:timers/promises";
import { FolderInUse, takeLock, takeLockInTime } from "../../server/supervisor/lock.ts";
import { until } from "../support/patience.ts";

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "hearth-lock-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts a process that takes the lock and reports the outcome; a holder keeps the lock until its input ends. */
function starter(folder: string): { outcome: Promise<string>; end(): Promise<void>; kill(): Promise<void> } {
  const code = `
    const { takeLock } = await import(${JSON.stringify(new URL("../../server/supervisor/lock.ts", import.meta.url).href)});
    process.stdout.write("ready\\n");
    process.stdin.once("data", () => {
      try { const lock = takeLock(${JSON.stringify(folder)}); process.stdout.write("taken\\n"); process.stdin.once("end", () => lock.release()); }
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

test("one process at a time holds a folder", (t) => {
  const folder = folderFor(t);
  const lock = takeLock(folder);
  assert.throws(
    () => takeLock(folder),
    (error: Error) =>
      error instanceof FolderInUse && error.message.includes(folder) && error.message.includes(String(process.pid)),
  );
  lock.release();
  assert.deepEqual(readdirSync(folder), []);
  takeLock(folder).release();
});

test("a killed process's lock is taken over", async (t) => {
  const folder = folderFor(t);
  const holder = starter(folder);
  assert.equal(await holder.outcome, "taken");
  assert.throws(() => takeLock(folder), FolderInUse);
  await holder.kill();
  assert.ok(existsSync(join(folder, "lock")));
  const lock = takeLock(folder);
  assert.match(readFileSync(join(folder, "lock"), "utf8"), new RegExp(`"pid":${process.pid},`));
  lock.release();
});

test("a killed process that nobody has reaped does not hold the lock", {
  skip: process.platform !== "linux",
}, async (t) => {
  const folder = folderFor(t);
  const lockModule = JSON.stringify(new URL("../../server/supervisor/lock.ts", import.meta.url).href);
  const holder = `const { takeLock } = await import(${lockModule}); takeLock(${JSON.stringify(folder)}); setInterval(() => {}, 1000);`;
  // `sleep` becomes the holder's parent, and never asks how it ended.
  const script = '"$0" --input-type=module -e "$1" & exec sleep 600';
  const parent = spawn("sh", ["-c", script, process.execPath, holder], { stdio: "ignore" });
  t.after(() => parent.kill("SIGKILL"));
  const path = join(folder, "lock");
  await until(() => existsSync(path) || undefined, "the holder");
  const { pid } = JSON.parse(readFileSync(path, "utf8")) as { pid: number };
  process.kill(pid, "SIGKILL");
  await until(() => readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ") || undefined, "the zombie");
  (await takeLockInTime(folder)).release();
});

test("a start waits for a holder that is stopping, and says so", async (t) => {
  const folder = folderFor(t);
  const lock = takeLock(folder);
  await assert.rejects(takeLockInTime(folder), FolderInUse, "one that runs is not waited for");
  lock.announceEnd();
  const lines: string[] = [];
  const waiting = takeLockInTime(folder, { report: (line) => lines.push(line) });
  await setTimeout(200);
  assert.match(lines.join("\n"), new RegExp(`^.*waiting for another Hearth, process ${process.pid}.*$`));
  lock.release();
  const next = await waiting;
  lock.release(); // a late one
  assert.ok(existsSync(join(folder, "lock")));
  next.release();
  const stuck = takeLock(folder);
  stuck.announceEnd();
  const ended = new AbortController();
  const aborted = takeLockInTime(folder, { signal: ended.signal });
  ended.abort();
  await assert.rejects(aborted, { name: "AbortError" });
  stuck.release();
  assert.deepEqual(readdirSync(folder), []);
});

test("a reused PID does not hold the lock", (t) => {
  const folder = folderFor(t);
  takeLock(folder);
  const path = join(folder, "lock");
  const text = readFileSync(path, "utf8");
  const others = [
    text.replace(/"start":"[^"]*"/, '"start":"1"'),
    text.replace(/"boot":"[^"]*"/, '"boot":"another"'),
    "", // cut short by a system crash
    "{}",
  ];
  if (process.platform !== "linux") others.shift();
  for (const stale of others) {
    writeFileSync(path, stale);
    takeLock(folder);
    assert.equal(readFileSync(path, "utf8"), text);
  }
});

test("a late release does not remove the next lock", (t) => {
  const folder = folderFor(t);
  const lock = takeLock(folder);
  const path = join(folder, "lock");
  const next = readFileSync(path, "utf8").replace(/"pid":\d+/, '"pid":1');
  writeFileSync(path, next);
  lock.release();
  assert.equal(readFileSync(path, "utf8"), next);
});

test("one of several concurrent starts takes a stale lock", async (t) => {
  const folder = folderFor(t);
  for (let round = 0; round < 3; round += 1) {
    writeFileSync(join(folder, "lock"), '{"pid":1,"start":"0","boot":"before"}\n');
    const starters = Array.from({ length: 4 }, () => starter(folder));
    const outcomes = await Promise.all(starters.map(({ outcome }) => outcome));
    assert.deepEqual(outcomes.toSorted(), ["FolderInUse", "FolderInUse", "FolderInUse", "taken"]);
    await Promise.all(starters.map((one) => one.end()));
    assert.deepEqual(readdirSync(folder), []);
  }
});
