import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test, { type TestContext } from "node:test";
import { keyOfPassphrase, setPassphrase } from "../../server/host/backups/backup-key.ts";
import { runCheck } from "../../server/host/supervisor/check-folder.ts";
import { addUpload, backUp, opened, place, say, uploadPath } from "../backups/history.ts";
import { dataFolder, hearth, serve } from "../support/server-process.ts";

async function everything(t: TestContext) {
  const { folder } = await place(t);
  const store = await opened(folder);
  const upload = addUpload(store, folder, Buffer.from("a good copy"));
  const backup = join(folder, "backups", "hearth-2026-01-01T00-00-00Z.tar");
  mkdirSync(dirname(backup));
  await backUp(store, folder, backup, { key: await keyOfPassphrase("a horse for my kingdom", 1024) });
  say(store, "after the backup");
  await store.durable();
  await store.close();
  await setPassphrase(folder, "a horse for my kingdom", 1024);
  return { folder, upload: uploadPath(folder, upload), backup };
}

async function checked(folder: string) {
  const lines: string[] = [];
  const ok = await runCheck(folder, (line) => lines.push(line), assert.fail);
  return { ok, lines, text: lines.join(" ").replace(/ +/g, " ") };
}

function flip(path: string, at = statSync(path).size >> 1): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] as number) ^ 1;
  writeFileSync(path, bytes);
}

const digests = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && one.name !== "lock")
    .map((one) => join(one.parentPath, one.name))
    .sort()
    .map((path) => `${path} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`);

test("finds nothing in an intact folder and changes nothing", async (t) => {
  const { folder } = await everything(t);
  const before = digests(folder);
  const { ok, lines, text } = await checked(folder);
  assert.equal(ok, true, text);
  for (const name of ["database", "log", "start", "secret.key", "backup.key", "uploads", "backups"])
    assert.ok(
      lines.some((line) => new RegExp(`^${name} +OK`).test(line)),
      `${name}: ${text}`,
    );
  assert.deepEqual(digests(folder), before);
});

test("names all damage and advises a copy first", async (t) => {
  const { folder, upload, backup } = await everything(t);
  // The last segment is a spare.
  const log = readdirSync(join(folder, "log"))
    .filter((name) => name.endsWith(".log"))
    .sort()
    .at(-2) as string;
  const damages: [what: string, path: string, expected: RegExp, at?: number][] = [
    ["database", join(folder, "hearth.db"), /1 of \d+ pages of hearth\.db are damaged.*hearth restore .*--data/],
    ["database", join(folder, "hearth.sums"), /hearth\.sums: damaged.*hearth restore/, 8],
    ["log", join(folder, "log", log), /damaged at byte|header is destroyed/, 5000],
    ["log", join(folder, "log", "format.json"), /format\.json is damaged\. The next start writes it again\. start OK/],
    ["secret.key", join(folder, "secret.key"), /hearth restore \S+\.tar --data \S+ --secret-only/],
    ["backup.key", join(folder, "backup.key"), /Set the passphrase of backups again/],
    ["uploads", upload, /1 of 1 uploaded files are damaged.*\(changed\).*tar -xf \S+\.tar -C \S+ uploads/],
    ["backups", backup, /1 of 1 backups are damaged.*Make a new backup/],
  ];
  for (const [what, path, expected, at] of damages) {
    const whole = readFileSync(path);
    flip(path, at);
    const { ok, lines, text } = await checked(folder);
    assert.equal(ok, false, path);
    assert.ok(
      lines.some((line) => line.startsWith(what) && line.includes("DAMAGED")),
      `${path}: ${text}`,
    );
    assert.match(text, expected);
    if (what === "uploads" || path.endsWith("format.json")) assert.doesNotMatch(text, /hearth restore/);
    assert.match(text, /What to do, in this order: 1\. Copy the whole folder/);
    writeFileSync(path, whole);
  }
});

test("continues if the database cannot be opened", async (t) => {
  const { folder, backup } = await everything(t);
  rmSync(join(folder, "hearth.db"));
  flip(join(folder, "secret.key"));
  flip(backup);
  const { text } = await checked(folder);
  assert.match(text, /database DAMAGED .*hearth\.db: missing/);
  assert.match(text, /secret\.key DAMAGED/);
  assert.match(text, /backups DAMAGED/);
  assert.match(text, /No sound backup is here/);
  assert.doesNotMatch(text, /hearth restore \S+\.tar/, "a damaged backup is never advised");
});

test("names missing and unexpected uploads", async (t) => {
  const { folder, upload } = await everything(t);
  writeFileSync(join(dirname(upload), "ab".repeat(16)), "nothing names it");
  rmSync(upload);
  const { text } = await checked(folder);
  assert.match(text, /\(missing\): an upload that nothing shows/);
  assert.match(text, /1 further files belong to nothing/);
});

test("lines fit 80 columns, except for paths", async (t) => {
  const { folder, upload } = await everything(t);
  flip(upload);
  const { lines } = await checked(folder);
  for (const line of lines) assert.ok(line.length <= 80 || /\S{40}/.test(line), line);
});

test("refuses while a server runs, and reports by exit code", async (t) => {
  const folder = await dataFolder(t);
  const check = async () => {
    const run = hearth(t, ["check", "--data", folder.path]);
    const { code } = await run.ended;
    return { code, stdout: run.stdout, stderr: run.stderr };
  };
  const whole = await check();
  assert.deepEqual([whole.code, whole.stderr], [0, ""], whole.stdout);
  const server = await serve(t, folder.path);
  const refused = await check();
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, new RegExp(`^Hearth: .*in use.*${server.url}`));
  server.child.kill("SIGTERM");
  await server.ended;
  flip(join(folder.path, "secret.key"));
  assert.equal((await check()).code, 1);
});
