import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { type Problem, problem, problemText } from "../../server/errors.ts";
import { inWords, restoreProblem } from "../../server/host/backups/errors.ts";
import { fileProblem } from "../../server/storage/errors.ts";
import { type Files, readFully, realFiles } from "../../server/storage/files.ts";
import { type Body, type ChatOptions, startChat } from "../support/chat.ts";
import { until } from "../support/patience.ts";
import { CLI, dataFolder, hearth } from "../support/server-process.ts";

// Messages for refused disk operations: a sentence that names the file.

const systemError = (code: string, path: string, syscall = "read") =>
  Object.assign(new Error(`${code}: injected, ${syscall}`), { code, path, syscall });

async function said(t: TestContext, args: string[]): Promise<string> {
  const ran = hearth(t, args);
  assert.equal((await ran.ended).code, 1);
  return ran.stderr;
}

test("errors of an open file name the file", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-files-"));
  t.after(() => rmSync(folder, { recursive: true }));
  assert.throws(() => readFully(realFiles, folder), { code: "EISDIR", path: folder });
  const file = realFiles.open(join(folder, "a"), "create");
  file.close();
  assert.throws(() => file.sync(), { code: "EBADF", path: join(folder, "a") });
});

test("explains every system error code", () => {
  assert.equal(
    problemText(fileProblem(systemError("EIO", "/data/log/1.log")) as Problem),
    "The disk that contains /data/log/1.log reports errors. Copy the data folder to another disk and check this one.",
  );
  assert.equal(
    problemText(fileProblem(systemError("EMFILE", "/data/a")) as Problem),
    "The operating system refused access to /data/a (EMFILE).",
  );
  assert.equal(fileProblem(Object.assign(new Error("listen"), { code: "EACCES", syscall: "listen" })), undefined);
  assert.equal(fileProblem(new Error("Something else.")), undefined);
});

test("a backup error names the file that failed", () => {
  const words = (path: string) => inWords(systemError("EIO", path, "fdatasync"), "/data/backups").message;
  assert.equal(words("/data/hearth.db"), "The backup failed because of /data/hearth.db: the disk reports errors.");
  assert.equal(
    words("/data/backups/a.tar"),
    "The backup could not be written to /data/backups: the disk reports errors.",
  );
  assert.equal(
    problemText(restoreProblem(systemError("EIO", "/usb/a.tar"), "/data")),
    "/data could not be restored because of /usb/a.tar: the disk reports errors.",
  );
});

/** The disk reports an error when this file of the data folder is created. */
const failingAt = (name: string): Files => ({
  ...realFiles,
  open(path, how, options) {
    if (how === "create" && path.endsWith(name)) throw systemError("EIO", path, "open");
    return realFiles.open(path, how, options);
  },
});

test("a failed checkpoint does not blame the backup folder", async (t) => {
  const testing: ChatOptions["testing"] = { files: failingAt("hearth.journal.new") };
  const chat = await startChat(t, { unwatched: true, testing });
  const owner = chat.as("desdemona");
  await owner.post("/host/backups");
  const failed = await until(async () => {
    const { failure }: Body = await owner.get("/host/backups");
    return failure ?? undefined;
  }, "the backup to fail");
  const words = /^The backup failed because of .*hearth\.journal\.new: the disk reports errors\.$/;
  assert.match(failed.problem.msg, words);
});

test("a backup that cannot be deleted is not reported as a bug", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const name = "hearth-2026-01-01T00-00-00Z.tar";
  mkdirSync(join(chat.folder, "backups", name), { recursive: true });
  const { status, msg } = await chat.as("desdemona").delete(`/host/backups/${name}`);
  assert.equal(status, 400);
  assert.match(msg, /cannot be read|system refused access/);
});

test("the command line explains file errors", async (t) => {
  const { path } = await dataFolder(t);
  assert.equal(await said(t, ["verify", path]), `Hearth: ${problemText(problem("path_is_folder", { path }))}\n`);
  const inFile = join(path, "secret.key", "a.tar");
  const reason = process.platform === "win32" ? /it doesn't exist\.\n$/ : /a part of its path is a file\.\n$/;
  assert.match(await said(t, ["backup", "--data", path, "--to", inFile]), reason);
  const file = join(path, "no.tar");
  const missing = await said(t, ["restore", file, "--data", path, "--yes"]);
  assert.equal(missing, `Hearth: ${problemText(problem("path_not_found", { path: file }))}\n`);
});

function withMounts(script: string): ReturnType<typeof spawnSync> | undefined {
  for (const flags of [["-m"], ["-r", "-m"]])
    if (spawnSync("unshare", [...flags, "true"]).status === 0)
      return spawnSync("unshare", [...flags, "sh", "-c", script], { encoding: "utf8" });
  return undefined;
}

test("explains that a restore failed on a full disk", async (t) => {
  const { path } = await dataFolder(t);
  const [file, disk] = [join(path, "one.tar"), join(path, "disk")];
  assert.equal((await hearth(t, ["backup", "--data", path, "--to", file]).ended).code, 0);
  mkdirSync(disk);
  writeFileSync(join(disk, "not-mounted"), "");
  const ran = withMounts(
    `mount -t tmpfs -o size=300k full '${disk}' && exec '${process.execPath}' '${CLI}' restore '${file}' --data '${disk}/data' --end-all-keys --yes`,
  );
  if (!ran || /mount:/.test(String(ran.stderr))) return t.skip("this user may not mount a disk");
  assert.match(String(ran.stderr), /^Hearth: \S+disk\/data could not be restored: the disk is full\.\n$/);
});
