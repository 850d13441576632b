import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import {
  call,
  dataFolder,
  emptyFolder,
  endProcesses,
  hearth,
  type Person,
  said,
  say,
  serve,
} from "../support/server-process.ts";

/* Ways out of a full disk need no space on it. */

const MB = 1 << 20;
const isRoot = process.platform === "linux" && process.getuid?.() === 0;
const asRoot = { skip: isRoot ? false : "only root can mount a small disk" };

function smallDisk(t: TestContext): { disk: string; fill(): void } {
  const disk = mkdtempSync(join(tmpdir(), "hearth-disk-"));
  assert.equal(spawnSync("mount", ["-t", "tmpfs", "-o", "size=60m", "hearth-test", disk]).status, 0);
  t.after(async () => {
    await endProcesses(t);
    spawnSync("umount", ["-l", disk]);
    rmSync(disk, { recursive: true, force: true });
  });
  const fill = () => {
    for (const size of [MB, 4096]) {
      try {
        for (;;) appendFileSync(join(disk, "ballast"), Buffer.alloc(size));
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, "ENOSPC");
      }
    }
  };
  return { disk, fill };
}

/** A folder whose server has filled its disk. */
async function filled(t: TestContext) {
  const { disk, fill } = smallDisk(t);
  const path = join(disk, "data");
  // The tests' own data folder has smaller log segments, for which a disk needs no reserve.
  const name = ["--organization", "Venice", "--owner-email", "ada@example.com", "--owner-name", "Ada"];
  const password = "correct horse battery";
  const made = hearth(t, ["init", "--data", path, ...name], { HEARTH_OWNER_PASSWORD: password });
  assert.equal((await made.ended).code, 0, made.stderr);
  const server = await serve(t, path);
  const body = new URLSearchParams({ username: "ada@example.com", password });
  const response = await fetch(`${server.url}/api/v1/fetch_api_key`, { method: "POST", body });
  const { api_key: key, user_id: id } = (await response.json()) as { api_key: string; user_id: number };
  const owner: Person = { id, authorization: `Basic ${Buffer.from(`ada@example.com:${key}`).toString("base64")}` };
  fill();
  const sendAll = async () => {
    for (;;) {
      const { code } = await say(server.url, owner, "x".repeat(9900));
      if (code === "STORAGE_FULL") return;
      assert.ok(code === undefined || code === "SERVER_NOT_READY", code); // the next segment is being prepared
    }
  };
  await Promise.all(Array.from({ length: 8 }, sendAll));
  return { path, owner, server, fill };
}

async function runs(t: TestContext, ...args: string[]): Promise<string> {
  const one = hearth(t, args);
  assert.deepEqual([(await one.ended).code, one.stderr.replace(/^(Copying|Comparing): .*\n/gm, "")], [0, ""]);
  return one.stdout;
}

/** The message count in a line of `hearth backup` or `verify`. */
const messagesIn = (text: string): number => Number(/([\d,]+) messages/.exec(text)?.[1]?.replaceAll(",", ""));

test("a full disk stops only writes, also after a restart", asRoot, async (t) => {
  const { path, owner, server, fill } = await filled(t);
  const elsewhere = emptyFolder(t);
  const running = messagesIn(await runs(t, "backup", "--data", path, "--to", join(elsewhere, "running.tar")));
  assert.ok(running > 500, `${running} messages, with those that no checkpoint has`);
  server.child.kill("SIGKILL");
  await server.ended;
  fill();

  assert.match(await runs(t, "check", "--data", path), /All \d+ pages of hearth\.db are as they were written/);
  const stopped = await runs(t, "backup", "--data", path, "--to", join(elsewhere, "stopped.tar"));
  assert.equal(messagesIn(stopped), running);
  const again = await serve(t, path);
  assert.equal((await said(again.url, owner)).length, 50);
  assert.equal((await say(again.url, owner, "refused")).code, "STORAGE_FULL");
  const restarted = await runs(t, "backup", "--data", path, "--to", join(elsewhere, "restarted.tar"));
  assert.equal(messagesIn(restarted), running);
  assert.equal(messagesIn(await runs(t, "verify", join(elsewhere, "restarted.tar"))), running);
});

test("a backup is deleted on a full disk", asRoot, async (t) => {
  const { disk, fill } = smallDisk(t);
  const { path: made, people } = await dataFolder(t);
  const path = join(disk, "data");
  cpSync(made, path, { recursive: true });
  const server = await serve(t, path);
  mkdirSync(join(path, "backups"));
  const name = "hearth-2026-01-01T00-00-00Z.tar";
  await runs(t, "backup", "--data", path, "--to", join(path, "backups", name));
  fill();
  const headers = { authorization: (people[0] as Person).authorization };
  const deleted = await fetch(`${server.url}/host/backups/${name}`, { method: "DELETE", headers });
  assert.deepEqual([deleted.status, existsSync(join(path, "backups", name))], [200, false]);
  assert.equal((await call(server.url, people[0] as Person, "GET /users/me")).status, 200);
});

test("a folder moves away from a full disk", asRoot, async (t) => {
  const { path, owner, server, fill } = await filled(t);
  server.child.kill("SIGTERM");
  await server.ended;
  fill();
  const to = join(emptyFolder(t), "moved");
  assert.ok((await runs(t, "move", "--data", path, "--to", to)).includes(`The old one is kept in ${path}.`));
  const old = hearth(t, ["serve", "--data", path, "--port", "0"]);
  assert.equal((await old.ended).code, 1);
  assert.match(old.stderr, /^Hearth: The data in \S+ was moved to \S+\. Use that folder\./);
  const moved = await serve(t, to);
  assert.equal((await say(moved.url, owner, "there is room")).status, 200);
  moved.child.kill("SIGTERM");
  await moved.ended;
  const full = hearth(t, ["move", "--data", to, "--back", "--yes"]);
  assert.equal((await full.ended).code, 1);
  assert.match(full.stderr, /^Hearth: The disk that contains \S+\.new is full\. .*\n$/);
  rmSync(join(path, "..", "ballast"));
  await runs(t, "move", "--data", to, "--back", "--yes");
  assert.equal((await said((await serve(t, path)).url, owner)).length, 50);
});
