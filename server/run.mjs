// What every npm script goes through. It runs on the machine's own Node (20 or newer), brings the dependencies and
// the pinned Node 24 that is one of them, and hands over. Plain JavaScript that imports nothing but Node.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import module from "node:module";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const modules = join(root, "node_modules");
const stampFile = join(modules, ".hearth-lock");
const lockFile = join(root, ".build", "installing");
/** Where this process has Vite build. One that was killed may leave its own, with a Vite that still writes there. */
const beside = join(root, ".build", `new-${process.pid}`);
const windows = process.platform === "win32";
/** The exit code of a desktop app that began and then failed: it has said why (main/main.ts). */
const DESKTOP_FAILED = 3;
const biome = "node_modules/@biomejs/biome/bin/biome";

/** What is built, from which folders, into which folder of .build/. */
const builds = {
  ui: { folders: ["ui", "server"], into: "ui" },
  main: { folders: ["main", "server"], into: "app" },
};
const commands = {
  start: { builds: ["ui", "main"], file: ".build/app/cli.js", args: ["start"], desktop: true },
  hearth: { builds: ["ui", "main"], file: ".build/app/cli.js" },
  test: { builds: ["ui", "main"], file: "test/run.ts" },
  bench: { builds: ["ui", "main"], file: "test/bench/run.ts" },
  package: { builds: ["ui", "main"], file: "node_modules/electron-builder/cli.js", args: ["build"], electron: true },
  check: { file: "test/run.ts", args: ["--checks-only"] },
  format: { file: biome, args: ["check", "--write", "--linter-enabled=false", root] },
};

const [name, ...rest] = process.argv.slice(2);
if (!name || !Object.hasOwn(commands, name)) fail(`Usage: node server/run.mjs ${Object.keys(commands).join("|")} …`);
if (Number.parseInt(process.versions.node, 10) < 20) fail(`Hearth needs Node 20 or newer; this is ${process.version}.`);
if (process.env.npm_lifecycle_event && !windows) endWithParent(process.ppid);
await makeDependenciesPresent();
// V8's code of our modules and Node's own stripping of their types are kept: a start takes a third less.
process.env.NODE_COMPILE_CACHE ??= join(root, ".build", "compile-cache"); // for threads and child processes
module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
const command = commands[name];
for (const one of command.builds ?? []) await makeBuilt(one);
const given = command.electron ? givenElectron() : [];
// npm goes to our folder; a path that somebody types starts where they are.
if (name === "hearth" && process.env.npm_lifecycle_event === name) process.chdir(process.env.INIT_CWD ?? ".");
if (!command.desktop || !(await desktopRan()))
  await runWithPinnedNode(join(root, command.file), [...(command.args ?? []), ...given, ...rest]);

/** Builds with Vite what is missing, or older than its sources; beside, so that whoever uses the old one has it whole. */
async function makeBuilt(what) {
  const { folders, into } = builds[what];
  const folder = join(root, ".build", into);
  const stamp = join(root, ".build", `${what}.stamp`);
  const sources = stampOfSources(folders);
  const isFresh = () => existsSync(folder) && existsSync(stamp) && readFileSync(stamp, "utf8") === sources;
  if (isFresh()) return;
  await alone(async () => {
    if (isFresh()) return;
    const [letter] = root.match(/[#?*]/) ?? [];
    if (letter) fail(`Hearth cannot be built in ${root}: "${letter}" in a path is too much for Vite. Move the folder.`);
    console.error(`Hearth: building ${what}/ …`);
    for (const name of readdirSync(join(root, ".build")))
      if (name.startsWith("new")) rmSync(join(root, ".build", name), { recursive: true, force: true });
    const args = [
      join(modules, "vite", "bin", "vite.js"),
      "build",
      "--app",
      "--config",
      join(root, what, "vite.config.ts"),
    ];
    const { code, output } = await runQuietly(pinnedNode(), args, { env: { ...process.env, HEARTH_BUILD: beside } });
    if (code !== 0) fail(`${output}Hearth: ${what}/ cannot be built; what Vite said is above.`);
    rmSync(`${folder}.old`, { recursive: true, force: true });
    if (existsSync(folder)) renameSync(folder, `${folder}.old`);
    renameSync(join(beside, into), folder);
    for (const done of [`${folder}.old`, beside]) rmSync(done, { recursive: true, force: true });
    writeFileSync(stamp, sources);
  });
}

/** Changes with any file of these folders, or with the packages. */
function stampOfSources(folders) {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  hash.update(readFileSync(join(root, "package.json")));
  for (const folder of folders) {
    const files = readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path));
    const lines = files
      .map((path) => ({ path, found: lstatSync(join(root, path), { throwIfNoEntry: false }) }))
      .filter(({ found }) => found?.isFile())
      .map(({ path, found }) => `${path} ${found.size} ${found.mtimeMs}\n`);
    hash.update(lines.sort().join(""));
  }
  return hash.digest("hex");
}

/**
 * Runs the desktop app to its end; false, after saying why in one line, where it cannot be had. It cannot be judged
 * beforehand whether Electron's libraries and the display are whole: one that fails before it has begun counts as none.
 */
async function desktopRan() {
  const headless = (why) => {
    console.error(`Hearth: ${why}, so this is the headless server.`);
    return false;
  };
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform === "linux" && !DISPLAY && !WAYLAND_DISPLAY) return headless("there is no display");
  const electron = await electronProgram();
  if (!electron) {
    const given = process.env.ELECTRON_OVERRIDE_DIST_PATH;
    return headless(given ? `there is no Electron in ${given}` : "Electron cannot be downloaded");
  }
  const asRoot = process.getuid?.() === 0;
  if (asRoot) console.error("Hearth: Chromium's sandbox does not work for root and is left off.");
  const began = performance.now();
  const args = [...(asRoot ? ["--no-sandbox"] : []), root, ...rest];
  const { code, signal, asked } = await run(electron, args, { stdio: "inherit" });
  if (asked) endAs(code, code === null && asked); // also where it fails at that, as when Ctrl-C takes the display too
  const itsOwn = code === 0 || code === DESKTOP_FAILED || performance.now() - began > 15_000;
  if (!itsOwn && !["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"].includes(signal)) {
    return headless(`the desktop app did not start here (${signal ?? `exit code ${code}`})`);
  }
  endAs(code, signal);
}

/** The path of Electron, downloaded where it is missing; undefined where that fails. */
async function electronProgram() {
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(modules, "electron", "dist");
  const names = { darwin: "Electron.app/Contents/MacOS/Electron", win32: "electron.exe" };
  const file = join(folder, names[process.platform] ?? "electron");
  if (!existsSync(file) && !process.env.ELECTRON_OVERRIDE_DIST_PATH) {
    console.error("Hearth: downloading Electron …");
    await runQuietly(pinnedNode(), [join(modules, "electron", "install.js")], { timeout: 600_000 });
  }
  return existsSync(file) ? file : undefined;
}

/** electron-builder packs the Electron of ELECTRON_OVERRIDE_DIST_PATH, where that is set, and else downloads one. */
function givenElectron() {
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (!folder) return [];
  if (!existsSync(join(folder, "version")))
    fail(`Hearth: there is no Electron in ${folder} (ELECTRON_OVERRIDE_DIST_PATH).`);
  const version = readFileSync(join(folder, "version"), "utf8").trim().replace(/^v/, "");
  return [`-c.electronDist=${folder}`, `-c.electronVersion=${version}`];
}

/** Node 24: in this very process where it is one already (npm puts node_modules/.bin first), else as a child. */
async function runWithPinnedNode(file, args) {
  const node = pinnedNode();
  if (node === realpathSync(process.execPath)) {
    process.argv = [process.argv[0], file, ...args];
    await import(pathToFileURL(file).href);
    return;
  }
  const { code, signal } = await run(node, [file, ...args], { stdio: "inherit" });
  endAs(code, signal);
}

/** The path of the Node that the lock file pins for this machine, or our own when it is new enough. */
function pinnedNode() {
  const target = `${process.platform}-${process.arch}`.replace("win32", "win");
  for (const name of [`node-${target}`, `node-bin-${target}`]) {
    const file = join(modules, name, "bin", windows ? "node.exe" : "node");
    if (existsSync(file)) return realpathSync(file);
  }
  if (Number.parseInt(process.versions.node, 10) >= 24) return realpathSync(process.execPath);
  return fail(`Hearth needs Node 24. There is no packaged one for ${target}, and this is ${process.version}.`);
}

/** Installs what package-lock.json says, unless it is there. Two processes at once: one installs, the other waits. */
async function makeDependenciesPresent() {
  const locked = readFileSync(join(root, "package-lock.json"));
  const stamp = createHash("sha256").update(`${process.platform}-${process.arch}\n`).update(locked).digest("hex");
  if (isStamped(stamp)) return;
  await alone(async () => {
    if (isStamped(stamp)) return;
    if (!isInstalled(JSON.parse(locked.toString()))) await install();
    writeFileSync(stampFile, stamp);
  });
}

/** Of two processes that install or build at once, one works and the other waits. */
async function alone(work) {
  try {
    mkdirSync(join(root, ".build"), { recursive: true });
    const start = Date.now();
    for (let told = false; !takeLock(); await sleep(200)) {
      if (told || Date.now() - start < 2_000) continue;
      told = true;
      console.error(`Hearth: waiting for another start that installs or builds. If there is none, remove ${lockFile}.`);
    }
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS", "ENOSPC"].includes(error.code)) throw error;
    const way = "Start it once as somebody who may write there.";
    fail(`Hearth has to be installed or built in ${root}, and cannot write there. ${way} (${error.message})`);
  }
  process.on("exit", releaseLock);
  await work();
  releaseLock();
  process.off("exit", releaseLock);
}

function isStamped(stamp) {
  return existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp;
}

/** Whether somebody's own `npm install` put exactly the locked packages there: npm lists what it installed. */
function isInstalled(locked) {
  const listed = join(modules, ".package-lock.json");
  if (!existsSync(listed)) return false;
  const installed = JSON.parse(readFileSync(listed, "utf8")).packages;
  return Object.entries(locked.packages).every(([path, { version, integrity, optional }]) => {
    const found = installed[path];
    if (path === "" || (!found && optional && !isMadeForThisMachine(locked.packages[path]))) return true;
    return found?.version === version && found.integrity === integrity && existsSync(join(root, path));
  });
}

/** One that names this system and processor. (npm leaves out what only a package for another machine asks for.) */
function isMadeForThisMachine({ os, cpu, libc }) {
  return !libc && os?.includes(process.platform) === true && (!cpu || cpu.includes(process.arch));
}

async function install() {
  console.error("Hearth: installing dependencies (npm ci) …");
  // npm must not run on the Node that it is about to replace, nor leave out what NODE_ENV=production leaves out.
  const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.startsWith(modules));
  const env = { ...process.env, [windows ? "Path" : "PATH"]: path.join(delimiter) };
  const args = ["ci", "--loglevel=error", "--no-audit", "--no-fund", "--include=dev", "--include=optional"];
  const { code, output } = await runQuietly("npm", args, { env, shell: windows });
  if (code !== 0) fail(`${output}Hearth: npm ci failed (exit code ${code}); what it said is above.`);
}

/** True when this process may install. A lock whose process is gone, or that is older than 15 minutes, is void. */
function takeLock() {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  try {
    const age = Date.now() - statSync(lockFile).mtimeMs;
    const pid = Number(readFileSync(lockFile, "utf8"));
    if (age > 900_000 || (age > 2_000 && !isRunning(pid))) rmSync(lockFile, { force: true });
  } catch (error) {
    if (error.code !== "ENOENT") throw error; // gone between two calls: its owner is done
  }
  return false;
}

function releaseLock() {
  rmSync(lockFile, { force: true });
}

function isRunning(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Runs a program to its end, passing signals on. The last one is handed back too, as `asked`. */
function run(program, args, { heard, patience, ...options }) {
  return new Promise((resolve) => {
    let asked;
    const pass = (signal) => {
      asked = signal;
      child.kill(signal);
      if (patience) setTimeout(() => child.kill("SIGKILL"), patience).unref();
    };
    const signals = ["SIGTERM", "SIGINT", "SIGHUP"];
    for (const signal of signals) process.on(signal, pass);
    const child = spawn(program, args, options); // only now: the child may run before this process goes on
    if (heard) for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", heard);
    child.on("error", (error) => fail(`Hearth: ${program} cannot be run: ${error.message}`));
    child.on("close", (code, signal) => {
      for (const one of signals) process.off(one, pass);
      resolve({ code, signal, asked });
    });
  });
}

/**
 * Keeps what the program prints; ends this process as well where a signal ended it. npm would go on installing for
 * long: half an installation or build is no harm, it has no stamp.
 */
async function runQuietly(program, args, options) {
  let output = "";
  const heard = (text) => {
    output += text;
  };
  const { code, asked } = await run(program, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    heard,
    patience: 1_000,
    ...options,
  });
  if (asked) {
    releaseLock();
    endAs(code, asked);
  }
  return { code, output };
}

/**
 * npm passes a signal on to the shell that it started us with, and some shells die of it without telling us. So their
 * end is a SIGTERM for us. (A server that got the signal too hears it twice.)
 */
function endWithParent(parent) {
  if (isOrphan()) endAs(1, "SIGTERM");
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, 200);
  timer.unref();
}

/**
 * Whether that shell died before we began: our parent is then who takes in orphans, of another process group than
 * npm's, and not itself below npm, as a program may be that starts us in a group of our own.
 */
function isOrphan() {
  if (process.platform !== "linux") return process.ppid === 1;
  const read = (path) => {
    try {
      return readFileSync(path, "latin1");
    } catch {
      return ""; // another user's
    }
  };
  const groupOf = (pid) => {
    const stat = read(`/proc/${pid}/stat`);
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2];
  };
  const isBelowNpm = read(`/proc/${process.ppid}/environ`).includes("npm_lifecycle_event=");
  return !isBelowNpm && groupOf(process.ppid) !== groupOf("self");
}

/** Ends as the child did: with its exit code, or by its signal. */
function endAs(code, signal) {
  if (signal) process.kill(process.pid, signal);
  else process.exit(code);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
