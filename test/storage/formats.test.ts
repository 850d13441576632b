import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { allFiles } from "../../server/api/queries/files.ts";
import { restoreBackup } from "../../server/host/backups/restore.ts";
import { migrations } from "../../server/storage/migrations/index.ts";
import { openStore, type Store } from "../../server/storage/store.ts";
import { uploadPath } from "../backups/history.ts";
import { FORMATS, type Format, formatFile, readFormat, unpack } from "./formats/format.ts";
import { dump } from "./work.ts";

const formats = readdirSync(FORMATS)
  .filter((name) => name.endsWith(".json.gz"))
  .map((name) => readFormat(join(FORMATS, name)));

/** Tables that each start writes or that a restore changes on purpose. */
const OF_THE_RUN = ["event_queues", "sqlite_sequence", "sessions"];

type Row = Record<string, unknown>;

/** Newer tables and columns are allowed. */
function assertHolds(store: Store, folder: string, { tables, uploads }: Format, passed: readonly string[]): void {
  const now = dump(store.reader);
  let rows = 0;
  for (const [table, text] of Object.entries(tables)) {
    if (passed.includes(table)) continue;
    const [before, after] = [JSON.parse(text) as Row[], JSON.parse(now[table] ?? "[]") as Row[]];
    rows += before.length;
    const kept = after.slice(0, before.length).map((row, index) => {
      const columns = Object.keys(before[index] as Row);
      return Object.fromEntries(columns.map((column) => [column, row[column]]));
    });
    assert.deepEqual(kept, before, table);
    assert.ok(after.length === before.length || table === "audit", `${table} has ${after.length} rows`);
  }
  assert.ok(rows > 100, `${rows} rows were compared`);
  const found = allFiles(store.reader).map((file) => [
    file.name,
    readFileSync(uploadPath(folder, file)).toString("base64"),
  ]);
  assert.deepEqual(Object.fromEntries(found), uploads);
}

function temporaryFolder(t: TestContext): string {
  const parent = mkdtempSync(join(tmpdir(), "hearth-formats-"));
  t.after(() => rmSync(parent, { recursive: true, force: true }));
  return join(parent, "data");
}

for (const format of formats) {
  test(`a data folder of ${format.version} opens with its contents`, async (t) => {
    const folder = temporaryFolder(t);
    unpack(format.folder, folder);
    for (const start of ["first", "second"]) {
      const store = await openStore({ folder });
      try {
        assertHolds(store, folder, format, []);
        assert.equal(store.reader.value("PRAGMA integrity_check"), "ok", start);
      } finally {
        await store.close();
      }
    }
  });

  test(`a backup of ${format.version} restores its contents`, async (t) => {
    const folder = temporaryFolder(t);
    const path = join(folder, "..", "backup.tar");
    writeFileSync(path, Buffer.from(format.backup, "base64"));
    await restoreBackup({ path, folder });
    const store = await openStore({ folder });
    try {
      assertHolds(store, folder, format, OF_THE_RUN);
    } finally {
      await store.close();
    }
  });
}

test("every released version has a fixture", () => {
  const changelog = readFileSync(new URL("../../docs/CHANGELOG.md", import.meta.url), "utf8");
  const headings = [...changelog.matchAll(/^## (\d\S*)(.*)$/gm)];
  assert.ok(headings.length > 0);
  for (const [, version = "", rest = ""] of headings)
    if (!rest.includes("unreleased")) assert.ok(readFormat(formatFile(version)), `run test/storage/formats/make.ts`);
  assert.ok(formats.every(({ schema }) => schema <= migrations.length));
});
