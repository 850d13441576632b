import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, fstatSync, mkdirSync, mkdtempSync, openSync, readdirSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setInterval as every } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { windowsIn, wineEnvironment } from "./programs.ts";
import { endStrays, MARK } from "./stray-processes.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The tests of the server that touch files, processes and the network. */
const FOLDERS = ["access", "api", "backups", "events", "host", "images", "logging", "queries", "storage", "webhooks"];

/** Tests of npm scripts, which need the pinned Node, and a test that decodes pictures in a way that Node 22 cannot. */
const LEFT_OUT = ["test/host/run.test.ts", "test/images/metadata.test.ts"];

export const windowsTests = (): string[] =>
  FOLDERS.flatMap((folder) => readdirSync(join(root, "test", folder)).map((name) => `test/${folder}/${name}`)).filter(
    (path) => path.endsWith(".test.ts") && !path.endsWith(".long.test.ts") && !LEFT_OUT.includes(path),
  );

const onDriveZ = (path: string): string => `Z:${path.replaceAll("/", "\\")}`;

/**
 * Runs `test/run.ts` with these arguments in the Windows build of Node under Wine. Its processes are Windows processes
 * too. Resolves with the exit code.
 */
export async function testOnWindows(
  wine: string,
  args: readonly string[],
  onOutput: (text: string) => void,
): Promise<number | null> {
  const { NODE_TEST_CONTEXT: _, HEARTH_TEMPLATES: __, NODE_COMPILE_CACHE: ___, ...inherited } = process.env;
  const { [MARK]: outerMark, ...unmarked } = wineEnvironment(inherited);
  // Wine's own processes serve all runs, so they start without the mark that ends them with this run.
  await once(spawn(wine, ["wineboot"], { env: unmarked, stdio: "ignore" }), "exit");
  const mark = outerMark ?? `windows-${process.pid}`;
  const scratch = mkdtempSync(join(tmpdir(), "hearth-windows-"));
  mkdirSync(join(scratch, "temp"));
  // Under Wine, Node cannot use pipes or terminals of Linux as its output (open EBADF).
  const output = openSync(join(scratch, "output"), "w+");
  const end = () => {
    if (outerMark === undefined) endStrays(mark);
    rmSync(scratch, { recursive: true, force: true });
  };
  process.on("exit", end);
  const child = spawn(wine, [windowsIn(inherited).node, "test/run.ts", ...args], {
    cwd: root,
    env: {
      ...unmarked,
      [MARK]: mark,
      NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=file:///Z:${root}test/support/wine-faults.mjs`,
      NODE_SKIP_PLATFORM_CHECK: "1",
      HEARTH_TEMP: onDriveZ(join(scratch, "temp")),
    },
    detached: true,
    stdio: ["ignore", output, output],
  });
  let position = 0;
  const pass = () => {
    const bytes = Buffer.alloc(fstatSync(output).size - position);
    position += readSync(output, bytes, 0, bytes.length, position);
    if (bytes.length > 0) onOutput(bytes.toString());
  };
  const exited = once(child, "exit") as Promise<[number | null]>;
  const ended = new AbortController();
  void exited.finally(() => ended.abort());
  try {
    for await (const _tick of every(500, undefined, { signal: ended.signal })) pass();
  } catch (error) {
    if ((error as Error).name !== "AbortError") throw error;
  }
  pass();
  closeSync(output);
  process.off("exit", end);
  end();
  return (await exited)[0];
}

/** A test that runs these files of tests on Windows. Each file counts as a test. */
export function windowsTest(name: string, files: readonly string[]): void {
  const { HEARTH_WINE: wine, HEARTH_NO_WINE } = process.env;
  const reason = HEARTH_NO_WINE ?? "npm test finds Wine, and this file was not started by that";
  void test(name, { skip: wine ? false : reason }, async (t) => {
    let output = "";
    const code = await testOnWindows(wine as string, files, (text) => (output += text));
    if (code !== 0) console.log(output);
    for (const [, outcome, file] of output.matchAll(/^(ok|FAILED) {2}(test\S+)/gm))
      await t.test(file, () => assert.equal(outcome, "ok"));
    assert.equal(code, 0);
  });
}
