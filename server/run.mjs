// What every npm script goes through. It runs on the machine's own Node (20 or newer), brings the dependencies and
// the pinned Node 24 that is one of them, and hands over. Plain JavaScript that imports nothing but Node.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import module from "node:module";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const modules = join(root, "node_modules");
const stampFile = join(modules, ".hearth-lock");
const lockFile = join(root, ".build", "installing");
const windows = process.platform === "win32";
const biome = "node_modules/@biomejs/biome/bin/biome";

const commands = {
  start: () => {
    console.error("Hearth: this runs the headless server; the desktop app comes with a later version.");
    return ["server/cli.ts", "start"];
  },
  hearth: () => ["server/cli.ts"],
  test: () => ["test/run.ts"],
  bench: () => ["test/bench/run.ts"],
  check: () => ["test/run.ts", "--checks-only"],
  format: () => [biome, "check", "--write", "--linter-enabled=false", root],
};

const [name, ...rest] = process.argv.slice(2);
if (!name || !Object.hasOwn(commands, name)) fail(`Usage: node server/run.mjs ${Object.keys(commands).join("|")} …`);
if (process.env.npm_lifecycle_event && !windows) endWithParent(process.ppid);
await makeDependenciesPresent();
// V8's code of our modules and Node's own stripping of their types are kept: a start takes a third less.
process.env.NODE_COMPILE_CACHE ??= join(root, ".build", "compile-cache"); // for threads and child processes
module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
// Built output (the pages of ui/) is made here when it is missing or stale; the server itself has none.
const [target, ...before] = commands[name]();
await runWithPinnedNode(join(root, target), [...before, ...rest]);

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
  mkdirSync(join(root, ".build"), { recursive: true });
  while (!takeLock()) await sleep(200);
  process.on("exit", releaseLock);
  if (!isStamped(stamp)) {
    if (!isInstalled(JSON.parse(locked.toString()))) await install();
    writeFileSync(stampFile, stamp);
  }
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
    if (path === "" || (!found && optional && !isForThisMachine(locked.packages[path]))) return true;
    return found?.version === version && found.integrity === integrity && existsSync(join(root, path));
  });
}

function isForThisMachine({ os, cpu, libc }) {
  return !libc && (!os || os.includes(process.platform)) && (!cpu || cpu.includes(process.arch));
}

async function install() {
  console.error("Hearth: installing dependencies (npm ci) …");
  // npm must not run on the Node that it is about to replace, nor leave out what NODE_ENV=production leaves out.
  const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.startsWith(modules));
  const env = { ...process.env, [windows ? "Path" : "PATH"]: path.join(delimiter) };
  const args = ["ci", "--loglevel=error", "--no-audit", "--no-fund", "--include=dev", "--include=optional"];
  let output = "";
  const { code, signal } = await run("npm", args, {
    cwd: root,
    env,
    shell: windows,
    stdio: ["ignore", "pipe", "pipe"],
    heard: (text) => {
      output += text;
    },
  });
  if (signal) {
    releaseLock();
    endAs(code, signal);
  }
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

/** Runs a program to its end, passing signals on. */
function run(program, args, { heard, ...options }) {
  return new Promise((resolve) => {
    const child = spawn(program, args, options);
    const pass = (signal) => child.kill(signal);
    const signals = ["SIGTERM", "SIGINT", "SIGHUP"];
    for (const signal of signals) process.on(signal, pass);
    if (heard) for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", heard);
    child.on("error", (error) => fail(`Hearth: ${program} cannot be run: ${error.message}`));
    child.on("close", (code, signal) => {
      for (const one of signals) process.off(one, pass);
      resolve({ code, signal });
    });
  });
}

/**
 * npm passes a signal on to the shell that it started us with, and some shells die of it without telling us. So their
 * end is a SIGTERM for us. (A server that got the signal too hears it twice.)
 */
function endWithParent(parent) {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, 200);
  timer.unref();
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
