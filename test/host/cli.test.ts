import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import test, { type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { reachableUrls } from "../../server/host/supervisor/listening.ts";
import { isLocked } from "../../server/host/supervisor/lock.ts";
import { callsTo } from "../../server/host/supervisor/running-server.ts";
import { until } from "../support/patience.ts";
import {
  announced,
  CLI,
  call,
  dataFolder,
  emptyFolder,
  hearth,
  type Person,
  run,
  STOPPED,
  serve,
} from "../support/server-process.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const onWindows = process.platform === "win32";
const signalTest = { skip: onWindows && "a program on Windows cannot send a signal: it ends the process" };

const initArgs = (folder: string) => [
  "init",
  ...["--data", folder, "--organization", "Venice", "--owner-email", "ada@example.com", "--owner-name", "Ada"],
];

test("init creates an organization whose owner can sign in", async (t) => {
  const folder = join(emptyFolder(t), "data");
  const args = [...initArgs(folder), "--general", "on"];
  const made = hearth(t, args, { HEARTH_OWNER_PASSWORD: "correct horse battery" });
  assert.deepEqual(await made.ended, { code: 0, signal: null });
  assert.equal(made.stdout, `Venice is in ${folder}.\n`);
  assert.equal(made.stderr, "");
  if (!onWindows) {
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(statSync(join(folder, "secret.key")).mode & 0o777, 0o600);
  }
  assert.equal(isLocked(folder), false);
  const server = await serve(t, folder);
  const signIn = (password: string) =>
    fetch(`${server.url}/api/v1/fetch_api_key`, {
      method: "POST",
      body: new URLSearchParams({ username: "ada@example.com", password }),
    });
  const { status, api_key } = await signIn("correct horse battery").then(async (answer) => ({
    status: answer.status,
    ...((await answer.json()) as { api_key: string }),
  }));
  assert.equal(status, 200);
  const owner = { id: 1, authorization: `Basic ${Buffer.from(`ada@example.com:${api_key}`).toString("base64")}` };
  const { subscriptions } = await call(server.url, owner, "GET /users/me/subscriptions");
  assert.deepEqual(
    subscriptions.map(({ name }: { name: string }) => name),
    ["general"],
  );
  assert.equal((await signIn("wrong")).status, 401);
});

const noTerminal =
  existsSync("/usr/bin/script") && !onWindows ? false : "there is no `script` here to stand in for a terminal";

/** Runs `hearth init` on a terminal with its stdout in a file, answers a prompt, and returns the screen. */
async function initOnTerminal(t: TestContext, folder: string, typed: string) {
  const out = join(emptyFolder(t), "out");
  const quoted = [process.execPath, "server/host/supervisor/cli.ts", ...initArgs(folder)].map((part) => `'${part}'`);
  const { HEARTH_OWNER_PASSWORD: _, ...env } = process.env;
  const command = `${quoted.join(" ")} > '${out}'`;
  const terminal = spawn("/usr/bin/script", ["-qec", command, "/dev/null"], { cwd: ROOT, env });
  t.after(() => terminal.kill("SIGKILL"));
  let shown = "";
  terminal.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (!shown.includes("Password") && (shown + text).includes("Password")) terminal.stdin.write(typed);
    shown += text;
  });
  const [code] = await once(terminal, "close");
  return { code, shown, stdout: readFileSync(out, "utf8") };
}

test("init asks for the password without echoing it", { skip: noTerminal }, async (t) => {
  const folder = join(emptyFolder(t), "data");
  const { code, shown, stdout } = await initOnTerminal(t, folder, "correct horse battery\r");
  assert.equal(code, 0, shown);
  assert.deepEqual([shown, stdout], ["Password for the owner: \r\n", `Venice is in ${folder}.\n`]);
});

test("Ctrl-C at the password prompt creates nothing", { skip: noTerminal }, async (t) => {
  const folder = join(emptyFolder(t), "data");
  const { code, shown, stdout } = await initOnTerminal(t, folder, "correct\x03");
  assert.deepEqual([code, shown, stdout], [130, "Password for the owner: \r\n", ""]);
  assert.equal(existsSync(folder), false);
});

test("init rejects a folder that is taken or locked", async (t) => {
  const folder = await dataFolder(t);
  const env = { HEARTH_OWNER_PASSWORD: "correct horse battery" };
  const again = hearth(t, initArgs(folder.path), env);
  assert.equal((await again.ended).code, 1);
  assert.match(again.stderr, /^Hearth: .*organization already.*\n$/);
  const server = await serve(t, folder.path);
  const beside = hearth(t, initArgs(folder.path), env);
  assert.equal((await beside.ended).code, 1);
  assert.match(beside.stderr, new RegExp(`in use.*${server.url}`));
});

/** Runs a short command in this process, because a separate process costs more than the test. */
async function commandHere(t: TestContext, args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const said = { stdout: "", stderr: "" };
  const hear = (stream: "stdout" | "stderr") => (text: string) => {
    said[stream] += `${text}\n`;
  };
  const log = t.mock.method(console, "log", hear("stdout"));
  const error = t.mock.method(console, "error", hear("stderr"));
  const { argv } = process;
  process.argv = [...argv.slice(0, 2), ...args];
  try {
    await import(`../../server/host/supervisor/cli.ts?${JSON.stringify(args)}`); // each import runs it again
    return { code: process.exitCode, ...said };
  } finally {
    process.argv = argv;
    process.exitCode = undefined;
    log.mock.restore();
    error.mock.restore();
  }
}

test("wrong arguments print the usage and exit with 2", async (t) => {
  const folder = emptyFolder(t);
  const serveArgs = ["serve", "--data", folder];
  const wrong: [string[], RegExp][] = [
    [[], /Usage:/],
    [["dance"], /no command "dance"/],
    [["init", "--data", folder], /--organization is missing/],
    [initArgs(""), /--data is missing/],
    [initArgs(folder), /HEARTH_OWNER_PASSWORD/],
    [[...initArgs(folder), "Mark"], /"Mark" belongs to no option/],
    [[...initArgs(folder), "--general", "maybe"], /--general is on or off/],
    [["serve"], /--data is missing/],
    [[...serveArgs, "--colour", "red"], /--colour/],
    [[...serveArgs, "--port", "http"], /--port http/],
    [[...serveArgs, "--port", "65536"], /65535/],
    [[...serveArgs, "--port", ""], /--port : a port is a number/],
    [[...serveArgs, "--port", "1e3"], /--port 1e3/],
    [[...serveArgs, "--host", ""], /--host : /],
    [[...serveArgs, "--host", "fe80::1%lo"], /--host fe80::1%lo/],
    [[...serveArgs, "--rate-limit", "maybe"], /--rate-limit/],
    [[...serveArgs, "--https", "on"], /--https is off or local-authority/],
    [[...serveArgs, "--certificate", "chat.crt"], /--key is missing/],
    [[...serveArgs, "--https", "off", "--key", "chat.key"], /--https goes without/],
    [["serve", folder], /Usage:/],
    [["start", "--port", "9500"], /start takes no options.*hearth -- serve --data/],
  ];
  for (const [args, words] of wrong) {
    const { code, stdout, stderr } = await commandHere(t, args);
    assert.equal(code, 2, args.join(" "));
    assert.match(stderr, words);
    assert.doesNotMatch(stderr, /\n +at /, "no stack");
    assert.equal(stdout, "");
  }
  const serving = hearth(t, [...serveArgs, "--port", "http"]);
  assert.deepEqual(await serving.ended, { code: 2, signal: null }, "also where the server's thread has begun");
  assert.match(serving.stderr, /^Hearth: .*--port http/);
  assert.equal(serving.stdout, "");
});

test("--help prints the usage on stdout", async (t) => {
  for (const args of [["help"], ["serve", "--help"]]) {
    const asked = hearth(t, args);
    assert.equal((await asked.ended).code, 0);
    assert.match(asked.stdout, /^Usage:\n/);
    assert.equal(asked.stderr, "");
  }
});

test("a file is rejected as a data folder", async (t) => {
  const file = join(emptyFolder(t), "letter.txt");
  writeFileSync(file, "");
  const env = { HEARTH_OWNER_PASSWORD: "correct horse battery" };
  const [made, rotated] = [hearth(t, initArgs(file), env), hearth(t, ["rotate-secret", "--data", file])];
  assert.equal((await made.ended).code, 1);
  assert.equal(made.stderr, `Hearth: ${file} cannot be the data folder: it is a file.\n`);
  assert.equal((await rotated.ended).code, 1);
  assert.match(rotated.stderr, /^Hearth: .*letter\.txt: there is no organization here\. .*\n$/);
});

/** Other tests listen to mDNS. */
const QUIET = { MDNS: "false" };

test("serve names the network URLs when open to the network", async (t) => {
  const { path } = await dataFolder(t);
  const server = hearth(t, ["serve", "--data", path, "--host", "0.0.0.0", "--port", "0"], QUIET);
  const { port } = new URL(await announced(server));
  assert.equal(server.stdout, `Hearth answers at http://127.0.0.1:${port}\n`, "one line, whatever the addresses");
  const expected = reachableUrls({ host: "0.0.0.0", port: Number(port) });
  const said = await until(() => server.stderr || undefined, "the addresses");
  for (const { url } of expected) assert.ok(said.includes(`open ${url} (`), said);
  if (expected.length === 0) assert.match(said, /on no network/);
  assert.doesNotMatch(said, /0\.0\.0\.0|127\.0\.0\.1/);
  server.child.kill("SIGTERM");
  await server.ended;

  // The output names HTTPS and the root certificate to trust, or the problem.
  const serveWith = async (...more: string[]) => {
    const next = hearth(t, ["serve", "--data", path, "--host", "0.0.0.0", "--port", "0", ...more], QUIET);
    await announced(next);
    const { https } = await callsTo(path)<{ https: any }>("GET", "/host/network");
    const last = https.problem ?? (expected.length > 0 ? "SHA-256" : "on no network");
    await until(() => (next.stderr.includes(last) ? true : undefined), "what others need");
    next.child.kill("SIGTERM");
    await next.ended;
    return { https, said: next.stderr };
  };
  const own = await serveWith("--https", "local-authority");
  assert.equal(own.https.use, "local authority");
  if (expected.length > 0) assert.ok(own.said.includes(`(SHA-256 ${own.https.root.fingerprint}).`), own.said);
  if (expected.length > 0) assert.match(own.said, /open https:.*\n(.*\n)*.*have installed http:\S+\/hearth-root\.crt/);
  const files = await serveWith("--certificate", join(path, "none.crt"), "--key", join(path, "none.key"));
  assert.equal(files.https.problem, `There is no file ${join(path, "none.crt")}.`);
  assert.match(files.said, /HTTPS does not work, so nobody else can connect: There is no file/);
});

const isRoot = process.getuid?.() === 0;
const asAnother = { skip: isRoot ? false : "only root can run a program as another user" };

/** Copies Node and the command line, since other users cannot enter a checkout in /root. */
function readableProgram(folder: string): [node: string, cli: string] {
  const [node, app] = [join(folder, "node"), join(folder, ".build", "app")];
  copyFileSync(process.execPath, node);
  cpSync(dirname(CLI), app, { recursive: true, filter: (path) => !path.endsWith(".map") });
  cpSync(join(ROOT, "node_modules", "sql.js"), join(folder, "node_modules", "sql.js"), { recursive: true });
  copyFileSync(join(ROOT, "package.json"), join(folder, "package.json"));
  assert.equal(spawnSync("chmod", ["-R", "a+rX", folder]).status, 0);
  chmodSync(node, 0o755);
  return [node, join(app, "cli.js")];
}

test("explains why a folder of another user is refused", asAnother, (t) => {
  const parent = emptyFolder(t);
  const [node, cli] = readableProgram(parent);
  const serveAs = (folder: string) => {
    const args = [cli, "serve", "--data", folder, "--port", "0"];
    const nobody = { uid: 65_534, gid: 65_534, encoding: "utf8" as const, cwd: "/" };
    const { status, stdout, stderr } = spawnSync(node, args, nobody);
    assert.deepEqual([status, stdout], [1, ""], stderr);
    return stderr;
  };
  assert.equal(
    serveAs(join(parent, "data")),
    `Hearth: ${join(parent, "data")} cannot be the data folder: Hearth doesn't have permission to access it.\n`,
  );
  const open = join(parent, "open");
  mkdirSync(open);
  chmodSync(open, 0o777);
  assert.equal(serveAs(open), `Hearth: ${open} cannot be the data folder: it belongs to another user.\n`);
  assert.deepEqual(readdirSync(open), []);

  chownSync(open, 65_534, 65_534);
  const key = join(open, "secret.key");
  mkdirSync(join(open, "log"));
  for (const file of [key, join(open, "hearth.db")]) writeFileSync(file, "x", { mode: 0o600 });
  assert.match(
    serveAs(open),
    new RegExp(`^Hearth: .* permission to read and write \\S+ \\(EACCES\\)\\. .* the data folder ${open} .*\\n$`),
  );
});

test("a failed start prints one line and exits with 1", async (t) => {
  const refused = async (why: RegExp, args: string[]) => {
    const server = hearth(t, ["serve", "--port", "0", ...args]);
    assert.deepEqual(await server.ended, { code: 1, signal: null });
    assert.match(server.stderr, why);
    assert.match(server.stderr, /^Hearth: .*\n$/);
    assert.equal(server.stdout, "");
  };
  // First run needs a local address, and a server bound to a LAN address has none.
  await refused(/no organization.*hearth init/, ["--data", emptyFolder(t), "--host", "192.0.2.99"]);

  const taken = createServer().listen(0, "127.0.0.1");
  t.after(() => taken.close());
  await new Promise((resolve) => taken.once("listening", resolve));
  const { port } = taken.address() as { port: number };
  const folder = await dataFolder(t);
  await refused(new RegExp(`Port ${port} .* in use by another program`), [
    "--data",
    folder.path,
    "--port",
    String(port),
  ]);
  const other = new URL((await serve(t, (await dataFolder(t)).path)).url);
  const here = `in use by another Hearth server, which responds at ${other.origin}\\.`;
  await refused(new RegExp(here), ["--data", folder.path, "--port", other.port]);

  const damaged = await dataFolder(t);
  writeFileSync(join(damaged.path, "hearth.db"), "no database");
  rmSync(join(damaged.path, "log"), { recursive: true });
  await refused(/hearth\.db|log/, ["--data", damaged.path]);

  const bare = await dataFolder(t);
  rmSync(join(bare.path, "secret.key"));
  await refused(/secret\.key/, ["--data", bare.path]);
});

test("serve without an organization offers first run", async (t) => {
  for (const folder of [emptyFolder(t), join(emptyFolder(t), "nowhere")]) {
    const server = await serve(t, folder);
    const said = await until(() => (server.stderr.endsWith("\n") ? server.stderr : undefined), "where to make it");
    const [, admin, code] = /^There is no organization in .* yet\. Make it at (\S+)#code=(\S+) \(or /.exec(said) ?? [];
    assert.equal(admin, `${server.url}/admin/`);
    assert.ok(said.includes(`in ${folder} yet.`) && said.endsWith('"hearth init").\n'), said);
    const owner = { organization: "Venice", owner_name: "Ada", owner_email: "ada@example.com" };
    const body = new URLSearchParams({ ...owner, password: "correct horse battery", code: code as string });
    assert.equal((await fetch(`${server.url}/host/setup`, { method: "POST", body })).status, 200);
    const settings = () => fetch(`${server.url}/api/v1/server_settings`).then((answer) => answer.json());
    const found = await until(async () => {
      const { realm_name } = (await settings().catch(() => ({}))) as { realm_name?: string };
      return realm_name;
    }, "the server");
    assert.equal(found, "Venice");
    assert.equal(server.stdout, `Hearth answers at ${server.url}\n`);
    assert.equal(server.stderr, said);
    server.child.kill("SIGTERM");
    assert.deepEqual(await server.ended, STOPPED);
    assert.equal(isLocked(folder), false);
    const again = await serve(t, folder);
    assert.equal(again.stderr, "");
  }
});

test("a signal during first run leaves only the lock file", signalTest, async (t) => {
  const folder = join(emptyFolder(t), "data");
  const server = await serve(t, folder);
  server.child.kill("SIGTERM");
  assert.deepEqual(await server.ended, { code: 0, signal: null });
  assert.deepEqual(readdirSync(folder), ["lock"]);
});

test("start serves the default folder and prints its page", async (t) => {
  const home = emptyFolder(t);
  const env = { XDG_DATA_HOME: home, LOCALAPPDATA: home, HOME: home };
  const folder = join(home, process.platform === "linux" ? "hearth" : "Hearth");
  const port = 9400;
  const free = await new Promise<boolean>((resolve) => {
    const probe = createServer().once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
  if (!free) return t.skip(`port ${port}, the only one that start takes, is in use here`);
  const first = hearth(t, ["start"], env);
  const url = await announced(first);
  assert.equal(url, `http://127.0.0.1:${port}`);
  await until(() => first.stderr.endsWith("\n") || undefined, "the page's address");
  assert.match(first.stderr, /^There is no organization in .* yet\. Make it at .*\n$/);
  const beside = hearth(t, ["start"], {
    ...env,
    XDG_DATA_HOME: join(home, "other"),
    LOCALAPPDATA: join(home, "other"),
  });
  assert.equal((await beside.ended).code, 1);
  assert.match(beside.stderr, /^Hearth: Port 9400 .* in use .*hearth -- serve --data ".*other.*" --port 9401\n$/);
  first.child.kill("SIGTERM");
  await first.ended;
  const made = hearth(t, initArgs(folder), { HEARTH_OWNER_PASSWORD: "correct horse battery" });
  assert.equal((await made.ended).code, 0, made.stderr);
  const later = hearth(t, ["start"], env);
  assert.equal(await announced(later), url);
  await until(() => later.stderr.includes("Admin page: ") || undefined, "the page's address");
  assert.equal(later.stderr, `Admin page: ${url}/admin/\n`);
});

test("a second server on a folder names the first", async (t) => {
  const folder = await dataFolder(t);
  const first = await serve(t, folder.path);
  const second = hearth(t, ["serve", "--data", folder.path, "--port", "0"]);
  assert.equal((await second.ended).code, 1);
  assert.match(second.stderr, new RegExp(`in use.*${first.url}`));
  first.child.kill("SIGKILL");
  await first.ended;
  assert.equal(existsSync(join(folder.path, "host.json")), true);
  await serve(t, folder.path); // the lock of a dead process is ignored
});

for (const signals of [["SIGTERM"], ["SIGTERM", "SIGTERM"], ["SIGHUP", "SIGINT"]] as const) {
  test(`${signals.join(" and ")} under load loses no acknowledged message`, signalTest, async (t) => {
    const folder = await dataFolder(t);
    const server = await serve(t, folder.path);
    const acknowledged: number[] = [];
    const turnedAway: number[] = [];
    const load = folder.people.map(async (person) => {
      for (let count = 0; ; count += 1) {
        const message = { type: "direct", to: [person.id], content: `message ${count}` };
        const answer = await call(server.url, person, "POST /messages", message).catch(() => undefined);
        if (!answer) return;
        if (answer.status === 200) acknowledged.push(answer["id"]);
        else return void turnedAway.push(answer.status);
      }
    });
    const owner = folder.people[0] as Person;
    const { queue_id, last_event_id } = await call(server.url, owner, "POST /register", { event_types: ["stream"] });
    const held = call(server.url, owner, "GET /events", { queue_id, last_event_id });
    await until(() => (acknowledged.length > 100 ? true : undefined), "a hundred messages");
    for (const signal of signals) server.child.kill(signal);
    assert.deepEqual(await server.ended, { code: 0, signal: null });
    assert.deepEqual((await held)["events"], []);
    await Promise.all(load);
    assert.deepEqual(
      [...new Set(turnedAway)].filter((status) => status !== 503),
      [],
    );
    assert.equal(server.stderr, "");
    assert.equal(existsSync(join(folder.path, "host.json")), false);

    const again = await serve(t, folder.path);
    assert.equal(again.stderr, "", "a clean stop leaves nothing to recover");
    const kept = await Promise.all(
      folder.people.map(async (person) => {
        const window = { anchor: "newest", num_before: 5000, num_after: 0 };
        return (await call(again.url, person, "GET /messages", window))["messages"].map(({ id }: { id: number }) => id);
      }),
    );
    const there = new Set<number>(kept.flat());
    assert.deepEqual(
      acknowledged.filter((id) => !there.has(id)),
      [],
    );
    const { events } = await call(again.url, owner, "GET /events", { queue_id, dont_block: true });
    assert.deepEqual(events, [], "the queue is still there");
  });
}

test("SIGTERM during startup ends the server", signalTest, async (t) => {
  const folder = await dataFolder(t);
  const server = hearth(t, ["serve", "--data", folder.path, "--port", "0"]);
  await until(() => isLocked(folder.path) || undefined, "the lock");
  server.child.kill("SIGTERM");
  const { code } = await server.ended;
  assert.equal(code, 0);
  assert.equal(isLocked(folder.path), false);
});

test("npm run hearth prints one line and stops on a signal", signalTest, async (t) => {
  const folder = await dataFolder(t);
  const args = ["--prefix", ROOT, "run", "--silent", "hearth", "--", "serve", "--data", folder.path, "--port", "0"];
  const npm = run(t, "npm", args);
  const url = await announced(npm);
  const host = await until(() => existsSync(join(folder.path, "host.json")) || undefined, "host.json");
  assert.equal(host, true);
  assert.equal((await call(url, folder.people[0] as Person, "GET /users/me")).status, 200);
  npm.child.kill("SIGTERM");
  await npm.ended;
  await until(() => (isLocked(folder.path) ? undefined : true), "the server to end");
  assert.equal(npm.stdout, `Hearth answers at ${url}\n`);
  assert.equal(npm.stderr, "");
});
