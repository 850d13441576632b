import assert from "node:assert/strict";
import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import test, { type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../support/organization.ts";
import { until } from "../support/patience.ts";

// server/run.mjs, which runs every npm script, in a nearly empty checkout. A script that records its calls replaces
// Vite, and one that prints its folder replaces the command line.

const RUN = fileURLToPath(new URL("../../server/run.mjs", import.meta.url));
const PACKAGE = fileURLToPath(new URL("../../package.json", import.meta.url));
const DOCS = fileURLToPath(new URL("../../docs", import.meta.url));
const VITE = `import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
const what = process.argv.at(-1).includes("/ui/") ? "ui" : "app";
const folder = process.env.HEARTH_BUILD + "/" + what;
appendFileSync(process.env.HEARTH_BUILT, what + "\\n");
mkdirSync(folder, { recursive: true });
writeFileSync(folder + "/cli.js", "console.log(process.cwd())");
`;
const noGroups = process.platform === "win32" ? "process groups and /bin/sh are not Windows'" : false;

interface Start extends SpawnOptions {
  command?: string;
  /** The current folder in the checkout. */
  at?: string;
  /** Starts only after the shell that waits for it has ended. */
  orphan?: boolean;
  /** Arguments after the command. */
  given?: string[];
}

function checkout(t: TestContext, { name = "hearth", installed = true } = {}) {
  const scratch = realpathSync(temporaryFolder(t));
  const root = join(scratch, name);
  const put = (path: string, text: string) => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text, { mode: 0o755 });
  };
  for (const folder of ["ui", "main"]) put(`${folder}/source.ts`, folder);
  cpSync(PACKAGE, join(root, "package.json"));
  put("package-lock.json", '{"packages":{"":{}}}');
  if (installed) put("node_modules/.package-lock.json", '{"packages":{}}');
  put("node_modules/vite/bin/vite.js", VITE);
  cpSync(RUN, join(root, "server", "run.mjs"));
  const builds = join(scratch, "builds");
  const npm = { npm_lifecycle_event: "hearth", INIT_CWD: scratch };
  const start = (more: NodeJS.ProcessEnv = {}, how: Start = {}) => {
    const { command = "hearth", given = [], at = root, orphan, ...options } = how;
    const { npm_lifecycle_event: _, ...inherited } = process.env;
    const env = { ...inherited, HEARTH_BUILT: builds, NODE_COMPILE_CACHE: join(scratch, "cache"), ...more };
    const own = [process.execPath, join(at, "server", "run.mjs"), command, ...given] as const;
    const later = 'while kill -0 $$ 2>/dev/null; do :; done; exec "$0" "$@"';
    const [program, ...args] = orphan ? ["/bin/sh", "-c", `(${later}) &`, ...own] : own;
    const child = spawn(program, args, { cwd: at, env, ...options, stdio: ["ignore", "pipe", "pipe"] });
    t.after(() => child.kill("SIGKILL"));
    const said = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const)
      child[stream]!.setEncoding("utf8").on("data", (text: string) => (said[stream] += text));
    const ended = once(child, "close").then(([code, signal]) => ({ code, signal, ...said }));
    return { child, said, ended };
  };
  const built = () => (existsSync(builds) ? readFileSync(builds, "utf8").trim().split("\n") : []);
  return { root, scratch, put, start, built, npm };
}

test("platforms, types and container use the same Node version", () => {
  const { optionalDependencies, devDependencies } = JSON.parse(readFileSync(PACKAGE, "utf8"));
  const [pinned, ...others] = new Set(Object.values<string>(optionalDependencies));
  const [, container] = /^FROM .*\/node:(\d+)-/m.exec(readFileSync(`${DOCS}/Containerfile`, "utf8")) ?? [];
  const major = pinned!.split(".")[0];
  assert.deepEqual([others, devDependencies["@types/node"].split(".")[0], container], [[], major, major]);
});

test("README.md names the oldest supported Node", () => {
  const { engines } = JSON.parse(readFileSync(PACKAGE, "utf8"));
  const [, oldest] = /^>=(\d+)$/.exec(engines.node) ?? [];
  assert.ok(readFileSync(`${DOCS}/../README.md`, "utf8").includes(`Node ${oldest} or newer`));
});

test("missing and stale builds are rebuilt once", async (t) => {
  const { root, start, built, put } = checkout(t);
  const both = await Promise.all([start().ended, start().ended]);
  for (const { code, stdout } of both) assert.deepEqual([code, stdout], [0, `${root}\n`]);
  const said = both.flatMap(({ stderr }) => stderr.match(/building \w+/g) ?? []);
  assert.deepEqual(said.sort(), ["building main", "building ui"]);
  assert.deepEqual(built(), ["ui", "app"]);
  put("ui/parts/more.ts", "");
  assert.equal((await start().ended).stderr, "Hearth: building ui/ …\n");

  const moved = `${root}-moved`;
  renameSync(root, moved);
  const { code, stdout, stderr } = await start({}, { at: moved }).ended;
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: `${moved}\n`, stderr: "" });
  assert.deepEqual(built(), ["ui", "app", "ui"]);
  assert.deepEqual(readdirSync(join(moved, ".build")).sort(), ["app", "main.stamp", "ui", "ui.stamp"]);
});

test("a start that waits for a lock says so", async (t) => {
  const { root, put, start } = checkout(t);
  const lock = join(root, ".build", "installing");
  put(".build/installing", String(process.pid)); // after a reboot, the process ID belongs to another process
  const { said, ended } = start();
  await until(() => said.stderr.includes("waiting") || undefined, "a word about it");
  assert.ok(said.stderr.endsWith(`If there is none, remove ${lock}.\n`), said.stderr);
  rmSync(lock);
  assert.equal((await ended).stdout, `${root}\n`);
});

test("a path that Vite cannot build in is reported", async (t) => {
  const { start, built, root } = checkout(t, { name: "my #1 chat" });
  const { code, stderr } = await start().ended;
  assert.equal(code, 1);
  assert.match(stderr, /^Hearth cannot be built in .*my #1 chat.*: "#" .* Move the folder\.\n$/);
  assert.deepEqual([built(), readdirSync(join(root, ".build"))], [[], []]);
});

test("through npm, paths are relative to the user's folder", async (t) => {
  const { root, scratch, start, npm } = checkout(t);
  assert.equal((await start(npm).ended).stdout, `${scratch}\n`);
  assert.equal((await start({ ...npm, npm_lifecycle_event: "other" }).ended).stdout, `${root}\n`);
});

test("a signal ends an installation that ignores it", { skip: noGroups }, async (t) => {
  const { root, scratch, put, start } = checkout(t, { installed: false });
  put("../bin/npm", `#!/bin/sh\ntrap '' TERM\necho > ${scratch}/installing\nexec sleep 100\n`);
  const env = { PATH: `${join(scratch, "bin")}${delimiter}${process.env["PATH"]}` };
  const { child, ended } = start(env);
  await until(() => existsSync(join(scratch, "installing")) || undefined, "the installation");
  child.kill("SIGTERM");
  const { signal, stderr } = await ended;
  assert.deepEqual([signal, stderr], ["SIGTERM", "Hearth: installing dependencies (npm ci) …\n"]);
  assert.deepEqual(readdirSync(join(root, ".build")), []);
});

test("nothing starts after npm's shell has been killed", { skip: noGroups }, async (t) => {
  const { root, start, built, npm } = checkout(t);
  const { stdout, stderr } = await start(npm, { orphan: true }).ended;
  assert.deepEqual([stdout, stderr, built()], ["", "", []]);
  // A child of npm in its own process group is not an orphan.
  const apart = start({ ...npm, INIT_CWD: root }, { detached: true });
  assert.equal((await apart.ended).stdout, `${root}\n`);
});

test("a failing desktop app is replaced by the headless server", {
  skip: process.platform !== "linux",
}, async (t) => {
  const { root, scratch, put, start } = checkout(t);
  const began = join(scratch, "began");
  const electron = (script: string) => put("../electron/electron", `#!/bin/sh\n${script}\n`);
  const env = { ELECTRON_OVERRIDE_DIST_PATH: join(scratch, "electron"), DISPLAY: ":5" };
  electron("exit 5");
  const failed = await start(env, { command: "start" }).ended;
  assert.deepEqual([failed.code, failed.stdout], [0, `${root}\n`]);
  assert.match(failed.stderr, /the desktop app did not start here \(exit code 5\), so this is the headless server/);
  electron(`trap 'exit 5' TERM\necho > ${began}\nwhile :; do sleep 0.05; done`);
  const { child, ended } = start(env, { command: "start" });
  await until(() => existsSync(began) || undefined, "the desktop app");
  child.kill("SIGTERM");
  const { code, stdout, stderr } = await ended;
  assert.deepEqual([code, stdout], [5, ""]);
  assert.doesNotMatch(stderr, /headless/);
});

test("package takes Electron from release archives of several systems", async (t) => {
  const { put, start, scratch } = checkout(t);
  put("node_modules/electron-builder/cli.js", "console.log(JSON.stringify(process.argv.slice(2)))");
  const folder = join(scratch, "electron");
  mkdirSync(folder);
  const env = { ELECTRON_OVERRIDE_DIST_PATH: folder };
  const none = await start(env, { command: "package" }).ended;
  assert.match(none.stderr, /there is no Electron in/);
  for (const name of ["win32-x64", "linux-arm64"]) writeFileSync(join(folder, `electron-v45.4.1-${name}.zip`), "");
  const { stdout } = await start(env, { command: "package" }).ended;
  assert.deepEqual(JSON.parse(stdout), ["build", `-c.electronDist=${folder}`, "-c.electronVersion=45.4.1"]);
});

test("package asks for the installer's name with an unpacked Electron", async (t) => {
  const { put, start, scratch } = checkout(t);
  put("node_modules/electron-builder/cli.js", "console.log(process.argv.slice(3).join(' '))");
  const folder = join(scratch, "electron");
  mkdirSync(folder);
  writeFileSync(join(folder, "version"), "v45.4.1");
  const env = { ELECTRON_OVERRIDE_DIST_PATH: folder };
  const refused = await start(env, { command: "package" }).ended;
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /for one processor. Name the installer/);
  const named = await start(env, { command: "package", given: ["--linux", "deb"] }).ended;
  assert.match(named.stdout, /-c\.electronVersion=45\.4\.1 --linux deb/);
});
