import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { type NodeProcess, startNode } from "./support/node-process.ts";
import { FILE_DONE, type Tally } from "./support/tally.ts";

// test/support/shared-process.ts runs several test files in one process. Each failure must be attributed to the right file.

const ROOT = fileURLToPath(new URL("..", import.meta.url));

interface Told {
  tests: Tally[];
  /** The file's leftovers, or how it ended the process; undefined without problems. */
  failure: string | undefined;
}

function startTogether(t: TestContext): { shared: NodeProcess; run(source: string): Promise<Told> } {
  const folder = mkdtempSync(join(tmpdir(), "hearth-together-"));
  const args = ["--test-reporter=./test/support/tally.ts", "test/support/shared-process.ts", "--patience=300"];
  const shared = startNode(args, { cwd: ROOT, env: process.env, hears: true });
  t.after(async () => {
    shared.end("the test is over");
    await shared.ended;
    rmSync(folder, { recursive: true, force: true });
  });
  let files = 0;
  const run = (source: string) => {
    const path = join(folder, `${++files}.test.mjs`);
    writeFileSync(path, `import test from "node:test";\n${source}`);
    const tests: Tally[] = [];
    return new Promise<Told>((resolve) => {
      shared.child.removeAllListeners("message").on("message", (tally: Tally) => {
        if (tally.name !== FILE_DONE) tests.push(tally);
        else resolve({ tests, failure: tally.outcome === "failed" ? tally.error : undefined });
      });
      void shared.ended.then((failure) => resolve({ tests, failure }));
      shared.child.send(path);
    });
  };
  return { shared, run };
}

test("files share a process but get their own results", async (t) => {
  const { shared, run } = startTogether(t);
  const first = await run(
    `globalThis.first = process.pid; test("a", () => {}); test("b", { skip: "no b" }, () => {}); test("c", () => { throw new Error("c is wrong"); }); test("d", (t) => { t.skip("no d"); throw new Error("d is wrong"); });`,
  );
  assert.equal(first.failure, undefined);
  assert.deepEqual(
    first.tests.map(({ name, outcome }) => [name, outcome]),
    [
      ["a", "passed"],
      ["b", "skipped"],
      ["c", "failed"],
      ["d", "failed"],
    ],
  );
  const [, skipped, failed] = first.tests as [Tally, Tally, Tally & { outcome: "failed" }];
  assert.equal("reason" in skipped && skipped.reason, "no b");
  assert.match(failed.at, /1\.test\.mjs:2$/);
  assert.match(failed.error, /c is wrong/);
  const same = `test("d", () => { if (globalThis.first !== process.pid) throw new Error("another process"); });`;
  assert.deepEqual(await run(same), { tests: [{ outcome: "passed", name: "d" }], failure: undefined });
  shared.child.send("");
  assert.equal(await shared.ended, undefined);
});

test("leftovers fail the file that caused them", async (t) => {
  const { run } = startTogether(t);
  const leaving: [string, RegExp][] = [
    [
      `import net from "node:net"; test("a", () => new Promise((done) => net.createServer().listen(0, done)));`,
      /Left open by a test: TCPSERVERWRAP/i,
    ],
    [`test("a", () => { setInterval(() => {}, 60_000); });`, /Left open by a test: Timeout/],
    [
      `import { Worker } from "node:worker_threads"; test("a", () => { new Worker("setInterval(() => {}, 1000)", { eval: true }); });`,
      /Left open by a test: Worker/,
    ],
    [`test("a", () => { process.env.LEFT = "1"; });`, /process\.env is not what it was/],
    [`test("a", () => { process.chdir("/"); });`, /process\.cwd\(\) is not what it was/],
    [`test("a", () => { Date.now = () => 0; });`, /The clock is not what it was/],
    [`test("a", () => { setTimeout(() => { throw new Error("late"); }, 50); });`, /after it had ended.*late/s],
    [`test("a", () => { void Promise.reject(new Error("nobody waits")); });`, /after it had ended.*nobody waits/s],
    [`void Promise.reject(new Error("at once")); test("a", () => {});`, /outside of a test.*at once/s],
    [
      `test("a", () => { setInterval(() => {}, 60_000); setTimeout(() => { throw new Error("both"); }, 5); });`,
      /Left open by a test/,
    ],
    [`test.beforeEach(() => { throw new Error("of another file"); }); test("a", () => {});`, /A hook outside/],
    [`throw new Error("no such thing");`, /no such thing/],
  ];
  for (const [source, told] of leaving) {
    assert.match((await run(source)).failure ?? "", told, source);
    assert.deepEqual(await run(`test("b", () => {});`), {
      tests: [{ outcome: "passed", name: "b" }],
      failure: undefined,
    });
  }
});

test("a file that ends the process counts as failed", async (t) => {
  const { failure } = await startTogether(t).run(`test("a", () => process.exit(7)); test("b", () => {});`);
  assert.equal(failure, "exit code 7");
});
