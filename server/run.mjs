// Every npm script starts here. This file runs on the machine's Node, installs the dependencies, which include the pinned
// Node, and continues with that version. It is plain JavaScript and imports only Node modules.
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
/** Unique per process, because Vite may continue to write into the folder of a killed process. */
const buildFolder = join(root, ".build", `new-${process.pid}`);
const windows = process.platform === "win32";
/** The exit code of a desktop app that started, then failed and reported why (main/main.ts). */
const DESKTOP_FAILED = 3;
const biome = "node_modules/@biomejs/biome/bin/biome";
/**
 * Versions of Node in package.json. `engines` is the oldest version that runs this file. `optionalDependencies` pins the
 * version for everything else, with a package per platform.
 */
const { engines, optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
/** @param {string} version */
const majorOf = (version) => Number(/\d+/.exec(version)?.[0]);
const OLDEST_NODE = majorOf(engines.node);
const PINNED_NODE = majorOf(String(Object.values(optionalDependencies)[0]));

/** @typedef {{ code: number | null, signal: NodeJS.Signals | null, forwarded: NodeJS.Signals | undefined }} Ended */
/**
 * @typedef {{ builds?: ("ui" | "main")[], file: string, args?: string[], desktop?: boolean, electron?: boolean }} Command
 */

/** Each build: its source folders, and its folder in .build/. */
const builds = {
  ui: { folders: ["ui", "server"], into: "ui" },
  main: { folders: ["main", "server"], into: "app" },
};
/** @type {Record<string, Command>} */
const commands = {
  start: { builds: ["ui", "main"], file: ".build/app/cli.js", args: ["start"], desktop: true },
  hearth: { builds: ["ui", "main"], file: ".build/app/cli.js" },
  test: { builds: ["ui", "main"], file: "test/run.ts" },
  bench: { builds: ["ui", "main"], file: "test/bench/run.ts" },
  package: { builds: ["ui", "main"], file: "node_modules/electron-builder/cli.js", args: ["build"], electron: true },
  check: { file: "test/run.ts", args: ["--checks-only"] },
  docs: { file: "test/docs.ts" },
  dev: { file: "ui/build/dev.ts" },
  format: { file: biome, args: ["check", "--write", "--linter-enabled=false", root] },
};

const [name, ...rest] = process.argv.slice(2);
if (!name || !Object.hasOwn(commands, name)) fail(`Usage: node server/run.mjs ${Object.keys(commands).join("|")} …`);
if (majorOf(process.version) < OLDEST_NODE)
  fail(`Hearth needs Node ${OLDEST_NODE} or newer; this is ${process.version}.`);
if (process.env.npm_lifecycle_event && !windows) endWithParent(process.ppid);
await makeDependenciesPresent();
// Caching compiled modules and stripped types makes a start a third faster.
process.env.NODE_COMPILE_CACHE ??= join(root, ".build", "compile-cache"); // for threads and child processes
module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
// Otherwise glibc keeps about 20 MB of memory that a start has freed. Other systems ignore this variable.
process.env.MALLOC_TRIM_THRESHOLD_ ??= String(128 << 10);
const command = /** @type {Command} */ (commands[name]);
for (const one of command.builds ?? []) await makeBuilt(one);
const given = command.electron ? givenElectron() : [];
// npm changes to the project's folder, but relative paths on the command line start where the user is.
if (name === "hearth" && process.env.npm_lifecycle_event === name) process.chdir(process.env.INIT_CWD ?? ".");
if (!command.desktop || !(await desktopRan()))
  await runWithPinnedNode(join(root, command.file), [...(command.args ?? []), ...given, ...rest]);

/**
 * Runs Vite when a build is missing or older than its sources. The new build replaces the old one only when it is
 * complete, so that a running Hearth never reads half of it.
 *
 * @param {"ui" | "main"} what
 */
async function makeBuilt(what) {
  const { folders, into } = builds[what];
  const folder = join(root, ".build", into);
  const stamp = join(root, ".build", `${what}.stamp`);
  const sources = stampOfSources(folders);
  const isFresh = () => existsSync(folder) && existsSync(stamp) && readFileSync(stamp, "utf8") === sources;
  if (isFresh()) return;
  await exclusively(async () => {
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
    const { code, output } = await runQuietly(pinnedNode(), args, {
      env: { ...process.env, HEARTH_BUILD: buildFolder },
    });
    if (code !== 0) fail(`${output}Hearth: ${what}/ cannot be built; Vite's output is above.`);
    rmSync(`${folder}.old`, { recursive: true, force: true });
    if (existsSync(folder)) renameSync(folder, `${folder}.old`);
    renameSync(join(buildFolder, into), folder);
    for (const done of [`${folder}.old`, buildFolder]) rmSync(done, { recursive: true, force: true });
    writeFileSync(stamp, sources);
  });
}

/**
 * A hash that changes with any file of these folders, and with the packages.
 *
 * @param {string[]} folders
 */
function stampOfSources(folders) {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  hash.update(readFileSync(join(root, "package.json")));
  for (const folder of folders) {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
    const lines = files.flatMap((name) => {
      const path = join(folder, name);
      const found = lstatSync(join(root, path), { throwIfNoEntry: false });
      return found?.isFile() ? [`${path} ${found.size} ${found.mtimeMs}\n`] : [];
    });
    hash.update(lines.sort().join(""));
  }
  return hash.digest("hex");
}

/**
 * Runs the desktop app until it ends. Where the app cannot run, prints the reason in one line and returns false. Only
 * an attempt shows whether Electron's libraries and the display work: an app that fails to start counts as missing.
 */
async function desktopRan() {
  /** @param {string} why */
  const headless = (why) => {
    console.error(`Hearth: ${why}, so this is the headless server.`);
    return false;
  };
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform === "linux" && !DISPLAY && !WAYLAND_DISPLAY) return headless("there is no display");
  const electron = await electronProgram();
  if (!electron) {
    const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH;
    return headless(folder ? `there is no Electron in ${folder}` : "Electron cannot be downloaded");
  }
  const asRoot = process.getuid?.() === 0;
  if (asRoot) console.error("Hearth: Chromium's sandbox does not work for root and is left off.");
  const startedAt = performance.now();
  const args = [...(asRoot ? ["--no-sandbox"] : []), root, ...rest];
  const { code, signal, forwarded } = await run(electron, args, { stdio: "inherit" });
  // The app may also fail while it stops, for example when Ctrl-C ends the display server too.
  if (forwarded) endAs(code, code === null ? forwarded : null);
  const started = code === 0 || code === DESKTOP_FAILED || performance.now() - startedAt > 15_000;
  if (!started && !["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"].includes(signal ?? "")) {
    return headless(`the desktop app did not start here (${signal ?? `exit code ${code}`})`);
  }
  endAs(code, signal);
}

/** The path of Electron, after a download if it is missing; undefined if the download fails. */
async function electronProgram() {
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(modules, "electron", "dist");
  /** @type {Partial<Record<NodeJS.Platform, string>>} */
  const names = { darwin: "Electron.app/Contents/MacOS/Electron", win32: "electron.exe" };
  const file = join(folder, names[process.platform] ?? "electron");
  if (!existsSync(file) && !process.env.ELECTRON_OVERRIDE_DIST_PATH) {
    console.error("Hearth: downloading Electron …");
    await runQuietly(pinnedNode(), [join(modules, "electron", "install.js")], { timeout: 600_000 });
  }
  return existsSync(file) ? file : undefined;
}

/**
 * electron-builder packs the Electron in ELECTRON_OVERRIDE_DIST_PATH if that is set, and downloads one otherwise. The
 * folder has an unpacked Electron, or its release archives (electron-v45.4.1-win32-arm64.zip): electron-builder chooses
 * the archive by system and processor.
 */
function givenElectron() {
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (!folder) return [];
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const isUnpacked = names.includes("version");
  const archived = names.map((name) => /^electron-v(.+)-(?:darwin|linux|win32)-\w+\.zip$/.exec(name)?.[1]);
  const version = isUnpacked ? readFileSync(join(folder, "version"), "utf8").trim() : archived.find(Boolean);
  if (!version) fail(`Hearth: there is no Electron in ${folder} (ELECTRON_OVERRIDE_DIST_PATH).`);
  // electron-builder would also pack it for the other processor of electron-builder.yml.
  if (isUnpacked && rest.every((argument) => argument.startsWith("-") && argument !== "--dir"))
    fail(
      `Hearth: the Electron in ${folder} is unpacked, so it is for one processor. Name the installer, for example ` +
        "`npm run package -- --linux deb`, or put Electron's .zip files into the folder.",
    );
  return [`-c.electronDist=${folder}`, `-c.electronVersion=${version.replace(/^v/, "")}`];
}

/**
 * Runs a file in this process if it is the pinned Node already (npm puts node_modules/.bin first), else in a child.
 *
 * @param {string} file
 * @param {string[]} args
 */
async function runWithPinnedNode(file, args) {
  const node = pinnedNode();
  if (node === realpathSync(process.execPath)) {
    process.argv = [node, file, ...args];
    await import(pathToFileURL(file).href);
    return;
  }
  const { code, signal } = await run(node, [file, ...args], { stdio: "inherit" });
  endAs(code, signal);
}

/** The path of the pinned Node; on a platform without a package, the machine's own Node if it is new enough. */
function pinnedNode() {
  const target = `${process.platform}-${process.arch}`.replace("win32", "win");
  for (const name of [`node-${target}`, `node-bin-${target}`]) {
    const file = join(modules, name, "bin", windows ? "node.exe" : "node");
    if (existsSync(file)) return realpathSync(file);
  }
  if (majorOf(process.version) >= PINNED_NODE) return realpathSync(process.execPath);
  const missing = `There is no packaged one for ${target}, and this is ${process.version}.`;
  return fail(`Hearth needs Node ${PINNED_NODE} or newer. ${missing}`);
}

/** Installs the packages of package-lock.json, unless they are installed already. */
async function makeDependenciesPresent() {
  const locked = readFileSync(join(root, "package-lock.json"));
  const stamp = createHash("sha256").update(`${process.platform}-${process.arch}\n`).update(locked).digest("hex");
  if (isStamped(stamp)) return;
  await exclusively(async () => {
    if (isStamped(stamp)) return;
    if (!isInstalled(JSON.parse(locked.toString()))) await install();
    writeFileSync(stampFile, stamp);
  });
}

/**
 * Runs `work` while no other process installs or builds; waits for such a process to finish.
 *
 * @param {() => Promise<void>} work
 */
async function exclusively(work) {
  try {
    mkdirSync(join(root, ".build"), { recursive: true });
    const start = Date.now();
    for (let reported = false; !takeLock(); await sleep(200)) {
      if (reported || Date.now() - start < 2_000) continue;
      reported = true;
      console.error(`Hearth: waiting for another start that installs or builds. If there is none, remove ${lockFile}.`);
    }
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS", "ENOSPC"].includes(codeOf(error))) throw error;
    const advice = "Start it once as a user who may write there.";
    fail(`Hearth has to be installed or built in ${root}, and cannot write there. ${advice} (${error})`);
  }
  process.on("exit", releaseLock);
  await work();
  releaseLock();
  process.off("exit", releaseLock);
}

/** @param {unknown} error */
function codeOf(error) {
  return /** @type {NodeJS.ErrnoException} */ (error).code ?? "";
}

/** @param {string} stamp */
function isStamped(stamp) {
  return existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp;
}

/** @typedef {{ version?: string, integrity?: string, optional?: boolean } & MadeFor} LockedPackage */
/** @typedef {{ os?: string[], cpu?: string[], libc?: string[] }} MadeFor */

/**
 * Whether exactly the locked packages are there after a user's own `npm install`: npm lists what it installed.
 *
 * @param {{ packages: Record<string, LockedPackage> }} locked
 */
function isInstalled(locked) {
  const listed = join(modules, ".package-lock.json");
  if (!existsSync(listed)) return false;
  const installed = JSON.parse(readFileSync(listed, "utf8")).packages;
  return Object.entries(locked.packages).every(([path, wanted]) => {
    const found = installed[path];
    if (path === "" || (!found && wanted.optional && !isMadeForThisMachine(wanted))) return true;
    const isSame = found?.version === wanted.version && found.integrity === wanted.integrity;
    return isSame && existsSync(join(root, path));
  });
}

/**
 * Whether a package names this system and processor. (npm omits packages that are needed on other machines only.)
 *
 * @param {MadeFor} made
 */
function isMadeForThisMachine({ os, cpu, libc }) {
  return !libc && os?.includes(process.platform) === true && (!cpu || cpu.includes(process.arch));
}

async function install() {
  console.error("Hearth: installing dependencies (npm ci) …");
  // npm must not run on the Node that it is about to replace, and NODE_ENV=production must not omit any packages.
  const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.startsWith(modules));
  const env = { ...process.env, [windows ? "Path" : "PATH"]: path.join(delimiter) };
  const args = ["ci", "--loglevel=error", "--no-audit", "--no-fund", "--include=dev", "--include=optional"];
  const { code, output } = await runQuietly("npm", args, { env, shell: windows });
  if (code !== 0) fail(`${output}Hearth: npm ci failed (exit code ${code}); its output is above.`);
}

/** Whether this process got the lock. Removes a lock whose process has ended, or that is older than 15 minutes. */
function takeLock() {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  try {
    const age = Date.now() - statSync(lockFile).mtimeMs;
    const pid = Number(readFileSync(lockFile, "utf8"));
    if (age > 900_000 || (age > 2_000 && !isRunning(pid))) rmSync(lockFile, { force: true });
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error; // its owner has just released it
  }
  return false;
}

function releaseLock() {
  rmSync(lockFile, { force: true });
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/**
 * Runs a program until it ends and forwards signals to it; returns the last of them as `forwarded`.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions & { onOutput?: (text: string) => void, killAfter?: number }} options
 * @returns {Promise<Ended>}
 */
function run(program, args, { onOutput, killAfter, ...options }) {
  return new Promise((resolve) => {
    /** @type {NodeJS.Signals | undefined} */
    let forwarded;
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => {
      forwarded = signal;
      child.kill(signal);
      if (killAfter) setTimeout(() => child.kill("SIGKILL"), killAfter).unref();
    };
    const signals = /** @type {const} */ (["SIGTERM", "SIGINT", "SIGHUP"]);
    for (const signal of signals) process.on(signal, forward); // before spawn: the child may run before it returns
    const child = spawn(program, args, options);
    if (onOutput) for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", onOutput);
    child.on("error", (error) => fail(`Hearth: ${program} cannot be run: ${error.message}`));
    child.on("close", (code, signal) => {
      for (const one of signals) process.off(one, forward);
      resolve({ code, signal, forwarded });
    });
  });
}

/**
 * Collects the program's output. After a signal, ends the program within a second, and then this process: npm would go
 * on installing for long, and half an installation or build does no harm, since it has no stamp.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} options
 */
async function runQuietly(program, args, options) {
  let output = "";
  /** @param {string} text */
  const onOutput = (text) => {
    output += text;
  };
  const { code, forwarded } = await run(program, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    onOutput,
    killAfter: 1_000,
    ...options,
  });
  if (forwarded) {
    releaseLock();
    endAs(code, forwarded);
  }
  return { code, output };
}

/**
 * npm forwards signals to the shell in which it started this process, and some shells end without forwarding them. So
 * the end of that shell counts as a SIGTERM. (A server that receives the signal too receives it twice.)
 *
 * @param {number} parent
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
 * Whether that shell ended before this process started. The parent is then the process that adopts orphans: it is in
 * another process group, and npm did not start it, as npm did any program that starts this one in its own group.
 */
function isOrphan() {
  if (process.platform !== "linux") return process.ppid === 1;
  /** @param {string} path */
  const read = (path) => {
    try {
      return readFileSync(path, "latin1");
    } catch {
      return ""; // another user's process
    }
  };
  /** @param {number | string} pid */
  const groupOf = (pid) => {
    const stat = read(`/proc/${pid}/stat`);
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2];
  };
  const isBelowNpm = read(`/proc/${process.ppid}/environ`).includes("npm_lifecycle_event=");
  return !isBelowNpm && groupOf(process.ppid) !== groupOf("self");
}

/**
 * Ends this process as the child ended: with its exit code, or by its signal.
 *
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
function endAs(code, signal) {
  if (signal) process.kill(process.pid, signal);
  else process.exit(code ?? 1);
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(message);
  process.exit(1);
}
