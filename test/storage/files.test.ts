import assert from "node:assert/strict";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { removeLater, renameLater } from "../../server/storage/files.ts";
import { until } from "../support/patience.ts";
import { emptyFolder, run } from "../support/server-process.ts";

const windows = { skip: process.platform !== "win32" && "other systems rename and delete open files" };

/** Opens the file, as a virus scanner does: SQLite does not let others rename or delete its files. */
const SCANNER = `
  const database = new (process.getBuiltinModule("node:sqlite").DatabaseSync)(process.argv[1]);
  database.exec("BEGIN EXCLUSIVE");
  console.log("open");
  setInterval(() => database, 1000);`;

test("a rename and a removal wait for a virus scanner", windows, async (t) => {
  const folder = emptyFolder(t);
  const [from, to] = [join(folder, "from"), join(folder, "to")];
  const scanned = async (path: string) => {
    const scanner = run(t, process.execPath, ["-e", SCANNER, path]);
    await until(() => scanner.stdout !== "" || undefined, "the scanner");
    return scanner.child;
  };
  writeFileSync(from, "");
  const first = await scanned(from);
  assert.throws(() => renameSync(from, to));
  const renamed = renameLater(from, to);
  first.kill();
  await renamed;
  const second = await scanned(to);
  assert.throws(() => rmSync(to));
  const removed = removeLater(to);
  second.kill();
  await removed;
  assert.deepEqual([existsSync(from), existsSync(to)], [false, false]);
});
