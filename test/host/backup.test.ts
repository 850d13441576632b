import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { writeMoves } from "../../server/host/backups/restore-moves.ts";
import { realFiles } from "../../server/storage/files.ts";
import { temporaryFolder } from "../support/organization.ts";
import { call, dataFolder, hearth, type Person, STOPPED, serve } from "../support/server-process.ts";

const PASSPHRASE = { HEARTH_BACKUP_PASSPHRASE: "a horse for my kingdom" };

test("the command line creates, verifies and restores a backup", async (t) => {
  const parent = temporaryFolder(t);
  const made = await dataFolder(t);
  const run = async (args: string[], env: Record<string, string> = {}) => {
    const process = hearth(t, args, env);
    const { code } = await process.ended;
    return { code, stdout: process.stdout, stderr: process.stderr };
  };
  const say = async (url: string, person: Person, content: string) =>
    assert.equal((await call(url, person, "POST /messages", { type: "direct", to: [1], content })).status, 200);
  const [owner, hamlet] = made.people as [Person, Person];

  const [first, second] = [join(parent, "first.tar"), join(parent, "second.tar")];
  const offline = await run(["backup", "--data", made.path, "--to", first]);
  assert.deepEqual([offline.code, offline.stderr], [0, ""]);
  assert.match(offline.stdout, /first\.tar: the backup is made and was read back/);
  assert.match(offline.stdout, /Venice, on .*\n {2}4 people, \d+ messages?, 0 uploaded files .*\n {2}It holds no keys/);
  const server = await serve(t, made.path);
  await say(server.url, hamlet, "before the backup");
  const online = await run(["backup", "--data", made.path, "--to", second], PASSPHRASE);
  assert.deepEqual([online.code, online.stderr], [0, ""]);
  assert.match(online.stdout, /second\.tar: the backup is made[\s\S]*under a passphrase/);
  const twice = await run(["backup", "--data", made.path, "--to", second]);
  assert.match(twice.stderr, /^Hearth: .*second\.tar already exists/);
  assert.equal(twice.code, 1);
  await say(server.url, hamlet, "after the backup");
  const registered = await call(server.url, owner, "POST /register", { event_types: ["message"] });
  const verified = await run(["verify", second]);
  assert.deepEqual([verified.code, verified.stderr], [0, ""]);
  assert.match(verified.stdout, /second\.tar: every byte is as it was written/);
  const refused = await run(["restore", second, "--data", made.path, "--yes"]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, new RegExp(`^Hearth: .*in use.*${server.url}.*Stop that server first`));
  const port = Number(new URL(server.url).port);
  server.child.kill("SIGTERM");
  await server.ended;

  const unasked = await run(["restore", second, "--data", made.path]);
  assert.equal(unasked.code, 2);
  assert.match(unasked.stderr, /no terminal to ask on\. Use --yes/);
  assert.match(unasked.stdout, /got 1 message and 0 people: they would be gone/);
  const restored = await run(["restore", second, "--data", made.path, "--yes"]);
  assert.deepEqual([restored.code, restored.stderr], [0, ""]);
  const aside = /What was there before is in (\S+)\.\n/.exec(restored.stdout)?.[1];
  assert.ok(aside !== undefined && existsSync(join(aside, "hearth.db")));
  t.after(() => rmSync(aside, { recursive: true, force: true }));

  const again = await serve(t, made.path, port);
  const { messages } = await call(again.url, owner, "GET /messages", {
    anchor: "newest",
    num_before: 10,
    num_after: 0,
  });
  const texts = messages.map(({ content }: { content: string }) => content).join();
  assert.match(texts, /before the backup/);
  assert.ok(!texts.includes("after the backup"));
  const poll = { queue_id: registered["queue_id"], last_event_id: registered["last_event_id"], dont_block: true };
  assert.equal((await call(again.url, owner, "GET /events", poll))["code"], "BAD_EVENT_QUEUE_ID");
  const anew = await call(again.url, owner, "POST /register", { event_types: ["message"] });
  assert.ok(anew["last_event_id"] >= registered["last_event_id"]);
  again.child.kill("SIGTERM");
  await again.ended;

  // Restores on another machine, with and without the passphrase.
  const other = join(parent, "other");
  const locked = await run(["restore", second, "--data", other, "--yes"]);
  assert.deepEqual([locked.code, existsSync(join(other, "hearth.db"))], [1, false]);
  assert.match(locked.stderr, /Enter the passphrase, or choose to revoke all keys/);
  const wrong = await run(["restore", second, "--data", other, "--yes"], { HEARTH_BACKUP_PASSPHRASE: "wrong" });
  assert.match(wrong.stderr, /The passphrase is wrong/);
  assert.equal((await run(["restore", second, "--data", other, "--yes"], PASSPHRASE)).code, 0);
  assert.deepEqual(readFileSync(join(other, "secret.key")), readFileSync(join(made.path, "secret.key")));
  const ended = await run(["restore", second, "--data", other, "--yes", "--end-all-keys"]);
  assert.match(ended.stdout, /All keys have ended/);
  assert.notDeepEqual(readFileSync(join(other, "secret.key")), readFileSync(join(made.path, "secret.key")));

  writeFileSync(first, readFileSync(first).subarray(0, 9000));
  assert.match((await run(["verify", first])).stderr, /first\.tar is damaged: it is cut short/);
  for (const [args, code, said] of [
    [["verify"], 2, /Which file/],
    [["verify", join(parent, "none")], 1, /File not found/],
    [["verify", join(other, "hearth.db")], 1, /is not a Hearth backup/],
    [["restore", "--data", other], 2, /Which file/],
    [["backup", "--data", other], 2, /--to is missing/],
    [["backup", "--data", join(parent, "empty"), "--to", first], 1, /no organization/],
    [["backup", "--data", other, "--to", join(parent, "no", "where")], 1, /could not be written .*it doesn't exist/],
  ] as const) {
    const outcome = await run([...args]);
    assert.equal(outcome.code, code, args.join(" "));
    assert.match(outcome.stderr, said);
  }
  assert.ok(!readdirSync(parent).some((name) => name.endsWith(".partial")));
});

test("a start finishes an interrupted restore", async (t) => {
  const { path } = await dataFolder(t);
  const [restored, aside] = [`${path}/restored-1`, `${path}/before-restore-1`];
  mkdirSync(restored);
  const names = readdirSync(path).filter((name) => name !== "restored-1");
  for (const name of names) renameSync(join(path, name), join(restored, name));
  writeMoves(path, { step: "in", aside, restored }, realFiles);
  const server = await serve(t, path);
  assert.ok(!existsSync(join(path, "restore.json")) && !existsSync(restored));
  server.child.kill("SIGTERM");
  assert.deepEqual(await server.ended, STOPPED);
});
