import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { dataFolder, hearth, serve } from "../support/server-process.ts";

test("hearth check names what is damaged, while no server runs", async (t) => {
  const folder = await dataFolder(t);
  const check = async () => {
    const run = hearth(t, ["check", "--data", folder.path]);
    const { code } = await run.ended;
    return { code, stdout: run.stdout, stderr: run.stderr };
  };
  const whole = await check();
  assert.deepEqual([whole.code, whole.stderr], [0, ""]);
  assert.match(whole.stdout, /^.*hearth\.db: all \d+ pages are as they were written\.\n$/);

  const server = await serve(t, folder.path);
  const refused = await check();
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, new RegExp(`^Hearth: .*in use.*${server.url}`));
  server.child.kill("SIGTERM");
  await server.ended;

  const path = join(folder.path, "hearth.db");
  const bytes = readFileSync(path);
  const at = bytes.indexOf("CREATE TABLE users");
  assert.ok(at > 0);
  bytes.write("DAMAGED", at);
  writeFileSync(path, bytes);
  const damaged = await check();
  assert.equal(damaged.code, 1);
  assert.match(
    damaged.stdout,
    new RegExp(`1 of \\d+ pages are damaged.*\\n {2}page ${Math.floor(at / 4096) + 1}: the list of tables`),
  );
  assert.match(damaged.stdout, /restore the newest backup/);
});
