import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import test from "node:test";
import { ROOT } from "../support/packed-app.ts";

// Start, chat, kill, restart, backup, restore.
const SUITES = ["test/host/kill.test.ts", "test/host/restore-running.test.ts", "test/host/backup.test.ts"];

const node = process.env.HEARTH_ARM64_NODE;
const reason = process.env.HEARTH_NO_ARM64_NODE ?? "npm test finds QEMU, and this file was not started by that";

test("a short day of a server on arm64", { skip: node ? false : reason }, async () => {
  assert.equal(execFileSync(node!, ["-p", "process.arch"], { encoding: "utf8" }), "arm64\n");
  const { NODE_TEST_CONTEXT: _, HEARTH_LONG: __, ...inherited } = process.env;
  const env = { ...inherited, HEARTH_SERVER_NODE: node };
  const child = spawn(process.execPath, ["test/run.ts", ...SUITES], {
    cwd: ROOT,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  }
  await once(child, "close");
  assert.match(output, /^\d+ passed, 0 failed$/m, output);
});
