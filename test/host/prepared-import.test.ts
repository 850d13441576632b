import assert from "node:assert/strict";
import { copyFileSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { callsTo } from "../../server/host/supervisor/running-server.ts";
import { fixturePath } from "../support/imports.ts";
import { temporaryFolder } from "../support/organization.ts";
import { until } from "../support/patience.ts";
import { dataFolder, hearth, serve } from "../support/server-process.ts";

const stageOf = async (folder: string): Promise<string | undefined> =>
  (await callsTo(folder)<{ current: { stage: string } | null }>("GET", "/host/imports")).current?.stage;

/** The stage of the current import after a start. `visit` runs while the server runs. */
async function stageAfterStart(t: TestContext, folder: string, visit = async () => {}): Promise<string | undefined> {
  const server = await serve(t, folder);
  await visit();
  const stage = await stageOf(folder);
  server.child.kill("SIGTERM");
  await server.ended;
  return stage;
}

async function prepare(folder: string, file: string): Promise<void> {
  await callsTo(folder)("POST", "/host/imports/current", new URLSearchParams({ path: file }));
  await until(async () => (await stageOf(folder)) === "ready" || undefined, "a prepared import");
}

/** A data folder with an export that is read, but not imported. */
async function preparedFolder(t: TestContext) {
  const { path } = await dataFolder(t);
  const file = join(temporaryFolder(t), "export.zip");
  copyFileSync(fixturePath("slack-zulip.zip"), file);
  await stageAfterStart(t, path, () => prepare(path, file));
  return { path, file };
}

async function run(t: TestContext, ...args: string[]): Promise<string> {
  const process = hearth(t, args);
  const { code } = await process.ended;
  assert.deepEqual([code, process.stderr.replace(/^(Copying|Comparing): .*\n/gm, "")], [0, ""], args.join(" "));
  return process.stdout;
}

test("a check and a backup ignore a prepared import, and a restore keeps it", async (t) => {
  const { path } = await preparedFolder(t);
  const [backup, other] = [join(temporaryFolder(t), "backup.tar"), join(temporaryFolder(t), "other")];
  assert.doesNotMatch(await run(t, "check", "--data", path), /DAMAGED|import/);
  await run(t, "backup", "--data", path, "--to", backup);
  await run(t, "restore", backup, "--data", other, "--yes", "--end-all-keys");
  assert.equal(await stageAfterStart(t, other), undefined);
  await run(t, "restore", backup, "--data", path, "--yes", "--end-all-keys");
  assert.equal(await stageAfterStart(t, path), "ready");
});

test("a move leaves a prepared import behind", async (t) => {
  const { path } = await preparedFolder(t);
  const to = join(temporaryFolder(t), "moved");
  await run(t, "move", "--data", path, "--to", to);
  assert.equal(existsSync(join(to, "imports")), false);
  assert.equal(await stageAfterStart(t, to), undefined);
});

test("a start forgets a prepared import whose export is gone or whose files are damaged", async (t) => {
  const { path, file } = await preparedFolder(t);
  writeFileSync(join(path, "imports", "job.json"), "{");
  assert.equal(await stageAfterStart(t, path), undefined);
  assert.equal(existsSync(join(path, "imports")), false);
  assert.equal(await stageAfterStart(t, path, () => prepare(path, file)), "ready");
  rmSync(file);
  assert.equal(await stageAfterStart(t, path), undefined);
  assert.equal(existsSync(join(path, "imports")), false);
});
