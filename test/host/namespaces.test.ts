import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import test, { type TestContext } from "node:test";
import { isLocked } from "../../server/host/supervisor/lock.ts";
import { until } from "../support/patience.ts";
import {
  announced,
  CHEAP_PASSWORDS,
  CLI,
  dataFolder,
  emptyFolder,
  hearth,
  OWNER_LOGIN,
  type Person,
  type Process,
  run,
  said,
  say,
  serve,
} from "../support/server-process.ts";

/* Servers in separate namespaces, as in containers: none sees the processes or the network of another. */

const isRoot = process.getuid?.() === 0;
/** Other users than root need a user namespace, if the system allows it. */
const NAMESPACES = [...(isRoot ? [] : ["-U", "-r"]), "-p", "-n", "-m", "-f", "--mount-proc", "--kill-child"];
const { status } = spawnSync("unshare", [...NAMESPACES, "true"]);
const inNamespaces = {
  skip: status === 0 || process.env["CI"] === "true" ? false : "unshare makes no namespaces here",
};

/** Runs `hearth …` in new namespaces. `before` is a shell command that runs first. */
function hearthElsewhere(t: TestContext, args: string[], { before = "true", env = {} } = {}): Process {
  const script = `${before} && exec "$@"`;
  const command = [process.execPath, "--import", CHEAP_PASSWORDS, CLI, ...args];
  return run(t, "unshare", [...NAMESPACES, "sh", "-c", script, "sh", ...command], env);
}

/** A server without a network: the only interface of its namespace is down. */
const serveElsewhere = (t: TestContext, folder: string): Process =>
  hearthElsewhere(t, ["serve", "--data", folder, "--host", "0.0.0.0", "--port", "0"], { env: { MDNS: "false" } });

async function refusals(t: TestContext, folder: string, { before }: { before?: string } = {}): Promise<string[]> {
  const file = join(emptyFolder(t), "backup.tar");
  const commands = [
    ["serve", "--port", "0"],
    ["init", "--organization", "Padua", "--owner-email", "kate@example.com", "--owner-name", "Kate"],
    ["check"],
    ["rotate-secret"],
    ["move", "--to", join(emptyFolder(t), "new")],
    ["restore", file, "--yes"],
  ];
  const env = { HEARTH_OWNER_PASSWORD: "correct horse battery" };
  const ran = commands.map((args) => hearthElsewhere(t, [...args, "--data", folder], { before, env }));
  return Promise.all(
    ran.map(async (one) => {
      assert.equal((await one.ended).code, 1, one.stdout);
      assert.equal(one.stdout, "");
      return one.stderr.split("\n").at(-2) as string;
    }),
  );
}

test("refuses a folder in use from other namespaces", inNamespaces, async (t) => {
  const { path, people } = await dataFolder(t);
  const server = await serve(t, path);
  const secret = readFileSync(join(path, "secret.key"));
  for (const line of await refusals(t, path)) assert.match(line, new RegExp(`^Hearth: ${path} is in use by another`));
  const owner = people[0] as Person;
  assert.equal((await say(server.url, owner, "still here")).status, 200);
  assert.deepEqual(await said(server.url, owner), ["still here"]);
  assert.deepEqual(readFileSync(join(path, "secret.key")), secret);
});

test("commands reach a server in other namespaces", inNamespaces, async (t) => {
  const { path } = await dataFolder(t);
  const [here, elsewhere] = [serve(t, path), (await dataFolder(t)).path];
  await announced(serveElsewhere(t, elsewhere));
  const { url } = await here;
  const file = (folder: string) => join(folder, "..", `${basename(folder)}.tar`);
  t.after(() => [path, elsewhere].map((folder) => rmSync(file(folder), { force: true })));
  const link = (folder: string) => ["sign-in-link", "--data", folder, "--email", OWNER_LOGIN.email];
  const backup = (folder: string) => ["backup", "--data", folder, "--to", file(folder)];
  const commands = [link(path), backup(path)].map((args) => hearthElsewhere(t, args));
  commands.push(...[link(elsewhere), backup(elsewhere)].map((args) => hearth(t, args)));
  for (const one of commands) assert.deepEqual([(await one.ended).code, one.stderr], [0, ""]);
  assert.match(commands[0]!.stdout, new RegExp(`^${url}/`));
  for (const made of [commands[1]!, commands[3]!]) assert.match(made.stdout, /the backup is made and was read back/);
  assert.match(commands[2]!.stdout, /^http:\S+\n$/);
});

test("refuses a folder in use at another path", inNamespaces, async (t) => {
  const { path } = await dataFolder(t);
  await serve(t, path);
  const other = join(emptyFolder(t), "data");
  mkdirSync(other);
  const before = `mount --bind '${path}' '${other}'`;
  for (const line of await refusals(t, other, { before })) assert.match(line, /is in use by another Hearth/);
});

test("refuses a folder in use by a container until its server is killed", inNamespaces, async (t) => {
  const { path } = await dataFolder(t);
  const server = serveElsewhere(t, path);
  await announced(server);
  for (const line of await refusals(t, path)) assert.match(line, /is in use by another Hearth/);
  server.child.kill("SIGKILL");
  await server.ended;
  await until(() => !isLocked(path) || undefined, "the end of its namespace");
  const next = await serve(t, path);
  assert.equal(next.stderr, "", "nothing to wait for");
});
