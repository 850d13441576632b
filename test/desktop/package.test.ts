import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { isLocked } from "../../server/host/supervisor/lock.ts";
import { openStore } from "../../server/storage/store.ts";
import { freePort } from "../support/free-port.ts";
import { EXPECTED_FUSES, filesOf, fusesOf, packApp, ROOT } from "../support/packed-app.ts";
import { until } from "../support/patience.ts";
import { desktopTest } from "../support/programs.ts";
import { call, dataFolder } from "../support/server-process.ts";

// The contents of the package that `npm run package` creates, and whether it runs.

const MB = 1 << 20;

interface Package {
  program: string;
  resources: string;
}

let made: Promise<Package> | undefined;

/** The app is packed once for all tests in this file. HEARTH_INSTALLED names the program of an installed app instead. */
function packed(electron: string): Promise<Package> {
  const installed = process.env["HEARTH_INSTALLED"];
  if (installed)
    made ??= Promise.resolve({
      program: installed,
      resources: join(installed, "..", process.platform === "darwin" ? "../Resources" : "resources"),
    });
  made ??= pack(electron);
  return made;
}

async function pack(electron: string): Promise<Package> {
  const folder = mkdtempSync(join(tmpdir(), "hearth-package-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const isMac = process.platform === "darwin";
  const dist = isMac ? join(electron, "../../../..") : dirname(electron);
  const said = await packApp(dist, folder, []);
  const unpacked = readdirSync(folder).find((name) => statSync(join(folder, name)).isDirectory());
  assert.ok(unpacked, said);
  const at = (...path: string[]) => join(folder, unpacked, ...path);
  if (isMac) return { program: at("Hearth.app/Contents/MacOS/Hearth"), resources: at("Hearth.app/Contents/Resources") };
  return { program: at(process.platform === "win32" ? "Hearth.exe" : "hearth"), resources: at("resources") };
}

desktopTest("Electron's fuses are set", async (_t, electron) => {
  const { program } = await packed(electron);
  const wireIn =
    process.platform === "darwin"
      ? join(program, "../../Frameworks/Electron Framework.framework/Electron Framework")
      : program;
  assert.deepEqual(fusesOf(wireIn), EXPECTED_FUSES);
});

desktopTest("the archive contains only the builds and their dependencies", async (_t, electron) => {
  const { resources } = await packed(electron);
  const entries = filesOf(join(resources, "app.asar"));
  const paths = entries.map(({ path }) => path).sort();
  const expected = [
    /^package\.json$/,
    /^\.build\/app\/[\w.-]+\.(js|cjs)$/,
    /^\.build\/(app|ui)\/licenses\.md$/,
    /^ui\/pictures\/icon\.png$/,
    /^\.build\/ui\/(admin|chat|join\/link|not-found|reset|trust|unsubscribe)\/index\.html$/,
    /^\.build\/ui\/(sw\.js|manifest\.webmanifest|(?:apple-touch-icon|badge-96|icon-[\w-]+)\.png)$/,
    /^\.build\/ui\/assets\/[\w.-]+\.(?:(?:js|css)(?:\.br|\.gz)?|woff2|svg|png|json)$/,
    /^node_modules\/(sql\.js|highlight\.js|katex|re2js|emojibase-data)\/(package\.json|LICENSE)$/,
    /^node_modules\/sql\.js\/dist\/sql-wasm\.(js|wasm)$/,
    /^node_modules\/highlight\.js\/lib\/(languages\/)?[\w.-]+\.js$/,
    /^node_modules\/wasm-vips\/(package\.json|LICENSE|THIRD-PARTY-NOTICES\.md|versions\.json)$/,
    /^node_modules\/wasm-vips\/lib\/(vips-node\.mjs|vips\.wasm|vips-heif\.wasm)$/,
    /^node_modules\/(katex\/dist\/katex\.js|re2js\/build\/index\.cjs)$/,
    /^node_modules\/emojibase-data\/en\/shortcodes\/(cldr|github|iamcal|joypixels)\.json$/,
  ];
  const unexpected = paths.filter((path) => !expected.some((pattern) => pattern.test(path)));
  assert.deepEqual(unexpected.slice(0, 20), []);
  const needed = [
    "main.js",
    "thread.js",
    "image-thread.js",
    "backup-thread.js",
    "import-thread.js",
    "mdns-thread.js",
    "preload.cjs",
    "chat-preload.cjs",
  ].map((name) => `.build/app/${name}`);
  const missing = needed
    .concat([
      ".build/ui/admin/index.html",
      ".build/ui/chat/index.html",
      ".build/ui/manifest.webmanifest",
      ".build/ui/sw.js",
      "node_modules/sql.js/dist/sql-wasm.wasm",
    ])
    .concat(["vips-node.mjs", "vips.wasm", "vips-heif.wasm"].map((name) => `node_modules/wasm-vips/lib/${name}`))
    .concat([".build/app/licenses.md", ".build/ui/licenses.md"])
    .filter((path) => !paths.includes(path));
  assert.deepEqual(missing, []);
  assert.ok(entries.every(({ isInside }) => isInside));
  assert.ok(!existsSync(join(resources, "app.asar.unpacked")));
  assert.ok(existsSync(join(resources, "LICENSE.txt")));
  const size = statSync(join(resources, "app.asar")).size;
  // 9 MB are the picture decoder, 6 MB are the emoji font for systems without one, and 1 MB are the readers of imports.
  assert.ok(size < 32 * MB, `app.asar has ${(size / MB).toFixed(1)} MB`);
});

desktopTest("the archive contains no build paths", async (_t, electron) => {
  const { resources } = await packed(electron);
  const bytes = readFileSync(join(resources, "app.asar"));
  assert.equal(bytes.indexOf(ROOT), -1, "holds a path of this machine");
  assert.equal(bytes.indexOf("sourceMappingURL=data:"), -1, "holds a source map");
  const start = bytes.indexOf('"name": "hearth"');
  assert.ok(start > 0);
  const metadata = bytes.toString("utf8", start - 20, start + 2_000);
  for (const word of ["devDependencies", "scripts", "electron-builder"]) assert.ok(!metadata.includes(word), word);
});

desktopTest("the packaged app serves, checkpoints and quits cleanly", async (t, electron) => {
  const { program } = await packed(electron);
  const { path: data, people } = await dataFolder(t);
  const [, hamlet, othello] = people;
  await makeCheckpointDue(data);
  const checkpoints = () => readFileSync(join(data, "hearth.sums"), "base64");
  const before = checkpoints();

  const own = temporaryFolder(t);
  const port = await freePort();
  writeFileSync(join(own, "settings.json"), JSON.stringify({ dataFolder: data, lan: false, port }));
  const { NODE_TEST_CONTEXT: _, ELECTRON_OVERRIDE_DIST_PATH: __, ...inherited } = process.env;
  const env = { ...inherited, ELECTRON_RUN_AS_NODE: "1" };
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const args = [...sandbox, `--user-data-dir=${own}`, "--inspect=0", "--remote-debugging-port=0"];
  const app = spawn(program, args, { cwd: own, env, stdio: ["ignore", "pipe", "pipe"] });
  t.after(() => void app.kill("SIGKILL"));
  let said = "";
  for (const stream of [app.stdout, app.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (said += text));
  }
  const ended = once(app, "close");
  const running = <T>(question: () => T | undefined, what: string) =>
    until(() => {
      assert.equal(app.exitCode ?? app.signalCode, null, `it ended: ${said}`);
      return question();
    }, what);

  const { url } = await running(() => json(join(data, "host.json")), "host.json");
  assert.equal(new URL(url).port, String(port));
  assert.equal((await call(url, hamlet!, "GET /users/me")).full_name, "Hamlet");
  // Emoji names, the highlighter and KaTeX are loaded when a message needs them.
  const content = "Good day :tada:\n\n```js\nreturn 1\n```\n\n$$x^2$$";
  const sent = await call(url, hamlet!, "POST /messages", { type: "direct", to: [othello!.id], content });
  assert.equal(sent.status, 200, sent.msg);
  await running(() => (checkpoints() === before ? undefined : true), "a checkpoint");
  const html = (await call(url, othello!, `GET /messages/${sent.id}`)).message.content as string;
  for (const part of [
    "<p>Good day <span",
    'class="emoji emoji-1f389"',
    '<span class="k">return</span>',
    'class="katex"',
  ])
    assert.ok(html.includes(part), `${part} in ${html}`);
  assert.doesNotMatch(said, /Debugger listening/);
  // The window shows the page from the archive, with the preload script.
  const shown = async () => {
    const [platform, text] = (await inWindow(own, "[globalThis.hearth?.platform, document.body.innerText]")) ?? [];
    return (platform === process.platform && text.includes("Venice")) || undefined;
  };
  await until(shown, "the window shows the organization");

  app.kill("SIGTERM");
  if (process.platform === "win32") return; // Windows has no SIGTERM: it ends the app at once
  assert.deepEqual(await ended, [0, null], said);
  assert.equal(isLocked(data), false);
  assert.equal(existsSync(join(data, "host.json")), false);
});

/**
 * Evaluates in the app's page, through the port that Chromium writes into the app's folder. Undefined until a page has
 * loaded.
 */
async function inWindow(own: string, expression: string): Promise<any> {
  const activePort = join(own, "DevToolsActivePort");
  if (!existsSync(activePort)) return undefined;
  const [port] = readFileSync(activePort, "utf8").split("\n");
  const [page] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as any[];
  if (!page) return undefined;
  const socket = new WebSocket(page.webSocketDebuggerUrl);
  await once(socket, "open");
  const answer = once(socket, "message");
  socket.send(JSON.stringify({ id: 1, method: "Runtime.evaluate", params: { expression, returnByValue: true } }));
  const [{ data }] = await answer;
  socket.close();
  return JSON.parse(data).result?.result.value;
}

async function makeCheckpointDue(folder: string): Promise<void> {
  const store = await openStore({ folder, testing: { checkpointAfter: 1 << 30 } });
  const text = "x".repeat(MB);
  for (let written = 0; written < 66; written += 1) {
    await until(() => store.hasRoom || undefined, "the log's next segment");
    store.transact({ actor: null, action: "test" }, (tx) => {
      tx.run("INSERT INTO host_settings (name, value) VALUES ('test', ?)", text);
      tx.run("DELETE FROM host_settings WHERE name = 'test'");
    });
  }
  await store.close();
}

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "hearth-packaged-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Undefined while the file is missing or half written. */
function json(path: string): any {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
