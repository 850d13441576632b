import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { filesToMove } from "../../server/host/backups/move.ts";
import { folderContent } from "../../server/host/supervisor/data-folder.ts";
import { dataFolder, emptyFolder, hearth, OWNER_LOGIN, serve } from "../support/server-process.ts";

const unix = { skip: process.platform === "win32" && "Windows has no such sockets" };

const statusAt = (folder: string, path: string, headers = {}): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request({ socketPath: join(folder, "control.sock"), path, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });

const link = (t: TestContext, folder: string) =>
  hearth(t, ["sign-in-link", "--data", folder, "--email", OWNER_LOGIN.email]);

test("only the operator can use the control socket", unix, async (t) => {
  const { path } = await dataFolder(t);
  const server = await serve(t, path);
  assert.deepEqual([await statusAt(path, "/host/settings"), await statusAt(path, "/api/v1/users/me")], [200, 200]);
  assert.equal((await fetch(`${server.url}/host/settings`)).status, 401, "by the port it takes the token");
  assert.equal(statSync(join(path, "control.sock")).mode & 0o777, 0o600, "as for host.json");
});

test("a session's requests at the control socket have only its rights", unix, async (t) => {
  const { path } = await dataFolder(t);
  const server = await serve(t, path);
  const { port } = new URL(server.url);
  const { token: authority } = JSON.parse(readFileSync(join(path, "host.json"), "utf8"));
  const created = await fetch(`${server.url}/host/sessions`, {
    method: "POST",
    headers: { authorization: `Bearer ${authority}` },
  });
  const { token } = (await created.json()) as { token: string };
  const withCookie = (value: string, at: string) =>
    statusAt(path, at, {
      cookie: `hearth_session_${port}=${value}`,
      host: "evil.example",
      origin: "http://evil.example",
    });
  assert.deepEqual(
    [await withCookie(token, "/api/v1/users/me"), await withCookie(token, "/host/owner-passwords")],
    [200, 405],
  );
  for (const at of ["/api/v1/users/me", "/host/settings"])
    assert.equal(await withCookie("x".repeat(43), at), 401, "no other session becomes the operator's");
});

test("commands reach a server without host.json", unix, async (t) => {
  const { path } = await dataFolder(t);
  const server = await serve(t, path);
  rmSync(join(path, "host.json")); // a full disk has no room for it
  const asked = link(t, path);
  assert.deepEqual(await asked.ended, { code: 0, signal: null });
  assert.ok(asked.stdout.startsWith(`${server.url}/`), asked.stdout);
  const second = hearth(t, ["serve", "--data", path, "--port", "0"]);
  assert.equal((await second.ended).code, 1);
  assert.match(
    second.stderr,
    /^Hearth: \S+ is in use by another Hearth server, which responds at \S+control\.sock\. .*\n$/,
  );
});

test("the control socket is not part of the data", unix, async (t) => {
  const { path } = await dataFolder(t);
  const server = await serve(t, path);
  const socket = join(path, "control.sock");
  assert.ok(statSync(socket).isSocket());
  assert.ok(!filesToMove(path).files.some((file) => file.path === "control.sock"));
  const first = emptyFolder(t);
  writeFileSync(join(first, "control.sock"), "");
  assert.equal(folderContent(first), "nothing");
  server.child.kill("SIGTERM");
  await server.ended;
  assert.equal(existsSync(socket), false);
});

test("a server replaces the socket of a killed one", unix, async (t) => {
  const { path } = await dataFolder(t);
  const server = await serve(t, path);
  server.child.kill("SIGKILL");
  await server.ended;
  assert.ok(existsSync(join(path, "control.sock")));
  const stopped = link(t, path);
  assert.equal((await stopped.ended).code, 1);
  assert.equal(stopped.stderr, `Hearth: No server runs in ${path}. Start it with "hearth serve" first.\n`);
  await serve(t, path);
  assert.deepEqual(await link(t, path).ended, { code: 0, signal: null });
});

test("a long path also gets a socket", unix, async (t) => {
  const { path: made } = await dataFolder(t);
  const path = join(emptyFolder(t), "a".repeat(60), "b".repeat(60));
  mkdirSync(join(path, ".."), { recursive: true });
  renameSync(made, path);
  const server = await serve(t, path);
  assert.equal(existsSync(join(path, "control.sock")), process.platform === "linux");
  assert.deepEqual(await link(t, path).ended, { code: 0, signal: null });
  server.child.kill("SIGTERM");
  await server.ended;
  assert.equal(existsSync(join(path, "control.sock")), false);
});

test("a folder without a socket is reached by its port", async (t) => {
  const { path } = await dataFolder(t);
  mkdirSync(join(path, "control.sock", "in the way"), { recursive: true });
  const server = await serve(t, path);
  assert.equal(server.stderr, "");
  assert.deepEqual(await link(t, path).ended, { code: 0, signal: null });
});

test("commands on a copy do not reach the server of the original", unix, async (t) => {
  const { path } = await dataFolder(t);
  await serve(t, path);
  const copy = join(emptyFolder(t), "copy");
  assert.equal(spawnSync("cp", ["-a", path, copy]).status, 0);
  const asked = link(t, copy);
  assert.equal((await asked.ended).code, 1);
  assert.match(asked.stderr, /^Hearth: No server runs in \S+copy\./);
  const file = join(emptyFolder(t), "copy.tar");
  const backup = hearth(t, ["backup", "--data", copy, "--to", file]);
  assert.deepEqual([await backup.ended, backup.stderr], [{ code: 0, signal: null }, ""]);
  assert.equal(existsSync(join(copy, "host.json")), false, "the command found that no server runs there");
  const second = await serve(t, copy);
  assert.equal(second.stderr, "");
});
