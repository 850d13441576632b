import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { FolderInUse, takeLock } from "../../server/supervisor/lock.ts";

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
