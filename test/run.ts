import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { misplacedSql, wrongImports } from "./support/import-rules.ts";
import { type NodeOptions, type NodeProcess, startNode } from "./support/node-process.ts";
import { plainEnglishFaults } from "./support/plain-english.ts";
import {
  type Found,
  findPrograms,
  needsArm64Node,
  needsChromium,
  needsElectron,
  needsNsis,
  needsWine,
  WINDOWS_SUITES,
} from "./support/programs.ts";
import { FILE_DONE, type Tally } from "./support/tally.ts";
import { testOnWindows, windowsTests } from "./support/windows.ts";

// npm test: types, lint and imports, next to all test files. Some files share a process, one after another; the others
// get their own. A file that crashes or hangs is one failure, and the run continues. The last line is for machines: "N
// passed, N failed", then skips. With --windows, the Windows build of Node runs this file, under Wine.

const root = fileURLToPath(new URL("..", import.meta.url));
const projects = ["server", "main", "ui", "test"];
const COMPILE_CACHE = join(root, ".build/compile-cache");
/** Ends a file that hangs. The longest takes a minute on a quiet machine, and a busy machine is not a hang. */
const FILE_TIMEOUT_MS = 1_200_000;
const LONG_FILE_TIMEOUT_MS = 3_600_000;
/** Tests start hundreds of servers in one process. With more room for young objects, the collector runs less often. */
const COLLECTOR = "--max-semi-space-size=64";
const REPORTER = [COLLECTOR, "--test-reporter=./test/support/tally.ts"];
/** Small files that take a minute. They start early, so that none is left for the end. */
const SMALL_BUT_LONG = /\/(?:admin-roles|kill|load-again)\.test\.ts$/;
/** Folders whose tests start browsers and servers, so a line of them takes longer. */
const STARTS_PROGRAMS = /^test\/(?:backups|desktop|host|ui)\//;
/** Folders whose tests leave their process clean for the next file. Page tests also share a browser. */
const SHARING = /^test\/(?:access|api|components|events|integrations|markdown|queries|ui|webhooks)\//;
/** Files that measure time or blocking. Earlier work in the process must not affect them. */
const MEASURING = [
  "test/access/passwords.test.ts",
  "test/api/host-state.test.ts",
  "test/api/host-state-polls.test.ts",
  "test/markdown/hostile.test.ts",
  "test/queries/html-diff.test.ts",
];

const { values: options, positionals } = parseArgs({
  options: {
    long: { type: "boolean", default: false },
    "checks-only": { type: "boolean", default: false },
    windows: { type: "boolean", default: false },
  },
  allowPositionals: true,
});

interface Outcome {
  name: string;
  tests: Tally[];
  /** The file's output, and why it failed apart from its tests. */
  output: string;
  seconds: number;
}

if (options.windows) await runOnWindows();
const scratch = mkdtempSync(join(tmpdir(), "hearth-test-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130));

const outcomes: Outcome[] = [];
const files = options["checks-only"] ? [] : testFiles();
// An installation takes a while, so it runs next to the checks and to files that do not need it.
const programs = findPrograms(files);
await runFiles(runChecks());
finish();

/** All test files, or the files whose path contains a given name. */
function testFiles(): string[] {
  const all = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .map((path) => `test/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".test.ts"))
    .sort();
  if (positionals.length === 0) return all.filter((path) => options.long || !isLong(path));
  const named = positionals.map((text) =>
    existsSync(text) ? relative(root, resolve(text)).replaceAll("\\", "/") : text,
  );
  for (const text of named) if (!all.some((path) => path.includes(text))) abort(`No test file matches ${text}.`);
  return all.filter((path) => named.some((text) => path.includes(text)));
}

async function runOnWindows(): Promise<never> {
  const { HEARTH_WINE: wine, HEARTH_NO_WINE } = await findPrograms([WINDOWS_SUITES]);
  if (!wine) {
    console.log(`skipped: ${HEARTH_NO_WINE}\n0 passed, 0 failed, 1 skipped`);
    process.exit(0);
  }
  const named = positionals.length > 0 ? positionals : windowsTests();
  process.exit((await testOnWindows(wine, named, (text) => process.stdout.write(text))) ?? 1);
}

/** Runs of named files are quick and skip the checks. */
async function runChecks(): Promise<void> {
  if (positionals.length > 0) return;
  // Several threads would each check the shared types: twice the work.
  const types = ["node_modules/typescript/bin/tsc", "-b", "--singleThreaded", "--pretty", "false", ...projects];
  const lint = ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "--max-diagnostics=200", "."];
  for (const check of [command("types", types), command("lint and format", lint), imports(), words(), tables()])
    report(await check);
}

/**
 * Large files come first, so that no long one is left for the end. The checks take the last slot until they are done.
 */
async function runFiles(checks: Promise<void>): Promise<void> {
  const size = (path: string) => statSync(join(root, path)).size * (STARTS_PROGRAMS.test(path) ? 4 : 1);
  const rank = (path: string) =>
    Number(isLong(path)) * 4 +
    Number(needsElectron(path)) * 2 +
    Number(SMALL_BUT_LONG.test(path) || isComponentTest(path));
  const waiting = files.sort((a, b) => rank(b) - rank(a) || size(b) - size(a));
  let found: Found | undefined;
  const finding = programs.then((all) => (found = all));
  const work = async (slot: number) => {
    const shared: Partial<Record<"server" | "pages" | "components", NodeProcess>> = {};
    // The desktop app fills a core, so two at once would starve each other. Component tests share a process, since it
    // loads the server and all pages.
    const isForThis = (path: string) => (slot === 0 || !needsElectron(path)) && (slot === 1 || !isComponentTest(path));
    const mine = () => waiting.filter(isForThis);
    while (mine().length > 0) {
      const path = mine().find((one) => found !== undefined || !needsProgram(one));
      if (path === undefined) {
        await finding;
        continue;
      }
      waiting.splice(waiting.indexOf(path), 1);
      if (!sharesProcess(path)) report(await testFile(path, needsProgram(path) ? { ...found } : {}));
      else {
        const kind = needsChromium(path) ? "pages" : isComponentTest(path) ? "components" : "server";
        shared[kind] ??= sharedProcess(kind === "pages" ? { ...found } : {}, kind);
        const one = shared[kind];
        report(await testFileIn(one, path));
        if (!one.child.connected) delete shared[kind];
      }
    }
    for (const one of Object.values(shared)) {
      one.child.send("", () => {});
      const failure = await one.ended;
      if (failure)
        report({ name: "shared process", tests: [failed("its end", failure)], output: one.output, seconds: 0 });
    }
  };
  // Files wait for the disk, browsers and process starts. Two more slots than cores keep the cores busy.
  const slots = Array.from({ length: availableParallelism() + 2 }, (_, slot) => slot);
  const last = slots.pop() as number;
  await Promise.all([...slots.map(work), checks.then(() => work(last))]);
}

/**
 * Such a file gives this machine other addresses for a while. Browsers that notice drop their downloads
 * (ERR_NETWORK_CHANGED), so it gets its own network.
 */
function changesNetwork(path: string): boolean {
  return readFileSync(join(root, path), "utf8").includes("/second-machine.ts");
}

function needsProgram(path: string): boolean {
  return [needsElectron, needsChromium, needsArm64Node, needsNsis, needsWine].some((needs) => needs(path));
}

/** A process for page tests has a browser if there is one. Component tests have React's production build, as users do. */
function sharedProcess(found: Found, kind: "server" | "pages" | "components"): NodeProcess {
  const browser = kind === "pages" ? ["--browser"] : [];
  const env = kind === "components" ? { NODE_ENV: "production" } : {};
  return node([...REPORTER, "test/support/shared-process.ts", ...browser], {
    hears: true,
    found: { ...found, ...env },
  });
}

function isComponentTest(path: string): boolean {
  return path.startsWith("test/components/");
}

function sharesProcess(path: string): boolean {
  return SHARING.test(path) && !MEASURING.includes(path) && !isLong(path) && !changesNetwork(path);
}

async function testFile(path: string, found: Found): Promise<Outcome> {
  const tallyFile = join(scratch, path.replaceAll("/", "-"));
  const args = [...REPORTER, `--test-reporter-destination=${tallyFile}`, path];
  const timeout = options.long ? LONG_FILE_TIMEOUT_MS : FILE_TIMEOUT_MS;
  const { output, ended, seconds } = await run(args, timeout, { found, ownNetwork: changesNetwork(path) });
  const lines = existsSync(tallyFile) ? readFileSync(tallyFile, "utf8").split("\n") : [];
  const tests = lines.filter((line) => line.endsWith("}")).map((line) => JSON.parse(line) as Tally);
  const fails = tests.some(({ outcome }) => outcome === "failed");
  const failure =
    ended ?? (tests.length === 0 ? "holds no test" : lines.includes("end") ? undefined : "ended before its tests did");
  if (failure && !(fails && failure === "exit code 1")) tests.push(failed(path, failure));
  return { name: path, tests, output, seconds };
}

/** Runs a file in a process that several files share (test/support/shared-process.ts). */
async function testFileIn(shared: NodeProcess, path: string): Promise<Outcome> {
  const start = performance.now();
  const tests: Tally[] = [];
  shared.output = "";
  const done = new Promise<string | undefined>((resolve) => {
    shared.child.on("message", (tally: Tally) => {
      if (tally.name !== FILE_DONE) tests.push(tally);
      else resolve(tally.outcome === "failed" ? tally.error : undefined);
    });
  });
  const timer = endLater(shared, options.long ? LONG_FILE_TIMEOUT_MS : FILE_TIMEOUT_MS);
  shared.child.send(join(root, path), () => {}); // an exited process is handled below
  const ended = shared.ended.then((how) => how ?? "ended before its tests did");
  const failure = (await Promise.race([done, ended])) ?? (tests.length === 0 ? "holds no test" : undefined);
  clearTimeout(timer);
  shared.child.removeAllListeners("message");
  if (failure) tests.push(failed(path, failure));
  return { name: path, tests, output: shared.output, seconds: (performance.now() - start) / 1000 };
}

async function command(name: string, args: string[]): Promise<Outcome> {
  const { output, ended, seconds } = await run(args, FILE_TIMEOUT_MS);
  return { ...checked(name, ended), output, seconds };
}

function checked(name: string, error: string | undefined): Outcome {
  return { name, tests: [error ? failed(name, error) : { outcome: "passed", name }], output: "", seconds: 0 };
}

function imports(): Outcome {
  return checked("imports", [...wrongImports(root), ...misplacedSql(root)].join("\n"));
}

function words(): Outcome {
  const faults = plainEnglishFaults(root).map(
    ({ file, line, found, instead }) => `${file}:${line}: "${found.trim()}"; write: ${instead}`,
  );
  return checked("words", faults.join("\n"));
}

async function tables(): Promise<Outcome> {
  const page = readFileSync(join(root, "docs/protocol.md"), "utf8");
  // Imported here, because it loads the server's declarations.
  const { withTables } = await import("./support/protocol-tables.ts");
  return checked(
    "tables of docs/protocol.md",
    withTables(page) === page ? undefined : "They are out of date: run `npm run docs`.",
  );
}

/** Runs our own Node until it ends. `ended` is the reason of a failure. */
async function run(
  args: string[],
  timeoutMs: number,
  surroundings: Surroundings = {},
): Promise<{ output: string; ended: string | undefined; seconds: number }> {
  const start = performance.now();
  const child = node(args, surroundings);
  const timer = endLater(child, timeoutMs);
  const ended = await child.ended;
  clearTimeout(timer);
  return { output: child.output, ended, seconds: (performance.now() - start) / 1000 };
}

interface Surroundings extends Partial<Pick<NodeOptions, "hears" | "ownNetwork">> {
  /** Variables of the environment. */
  found?: Found & { NODE_ENV?: string };
}

function node(args: string[], { found = {}, ...more }: Surroundings = {}): NodeProcess {
  // Hundreds of processes load the same TypeScript, so they share a compile cache.
  const env: NodeJS.ProcessEnv = {
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    HEARTH_TEMPLATES: scratch,
    ...process.env,
    ...found,
  };
  if (options.long) env.HEARTH_LONG = "1";
  return startNode(args, { cwd: root, env, ...more });
}

function endLater(child: NodeProcess, timeoutMs: number): NodeJS.Timeout {
  return setTimeout(() => child.end(`still running after ${timeoutMs / 1000} s`), timeoutMs);
}

function report(outcome: Outcome): void {
  outcomes.push(outcome);
  for (const test of outcome.tests) {
    if (test.outcome === "skipped" && !test.reason && process.env.CI)
      Object.assign(test, failed(test.name, "skipped without a reason"));
  }
  const { name, tests, output, seconds } = outcome;
  const failures = tests.filter((test) => test.outcome === "failed");
  const count = tests.length === 1 ? "" : `  ${tests.length} tests`;
  console.log(`${failures.length > 0 ? "FAILED" : "ok"}  ${name}${count}  ${seconds.toFixed(1)} s`);
  for (const test of tests) {
    if (test.outcome === "skipped") console.log(`  skipped: ${test.name} (${test.reason ?? "no reason given"})`);
  }
  if (failures.length === 0) return;
  for (const { name, at, error } of failures)
    console.log(indented(`✗ ${name}${at ? `\n  at ${at}` : ""}\n${indented(error)}`));
  if (output.trim()) console.log(indented(`Output of ${outcome.name}:\n${indented(output.trimEnd())}`));
}

function finish(): never {
  const tests = outcomes.flatMap((outcome) => outcome.tests);
  const count = (wanted: Tally["outcome"]) => tests.filter(({ outcome }) => outcome === wanted).length;
  const broken = outcomes.filter((outcome) => outcome.tests.some((test) => test.outcome === "failed"));
  if (broken.length > 0) console.log(`\nFailed: ${broken.map(({ name }) => name).join(", ")}`);
  const skipped = count("skipped");
  console.log(`${count("passed")} passed, ${count("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  process.exit(count("failed") > 0 || tests.length === 0 ? 1 : 0);
}

function abort(message: string): never {
  console.error(message);
  process.exit(1);
}

function failed(name: string, error: string): Tally & { outcome: "failed" } {
  return { outcome: "failed", name, at: "", error };
}

function isLong(path: string): boolean {
  return path.endsWith(".long.test.ts");
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
