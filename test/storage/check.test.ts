import assert from "node:assert/strict";
import test from "node:test";
import { checkDatabase, checkLog } from "../../server/storage/check.ts";
import { StorageDamaged } from "../../server/storage/errors.ts";
import { PAGE_SIZE } from "../../server/storage/pages.ts";
import { bytesOf, type Disk, RecordingFiles, withBytes } from "../support/recording-files.ts";
import { about, FOLDER, notesSchema, openNotes } from "./work.ts";

const DATABASE = `${FOLDER}/hearth.db`;
const LONG = "long row ".repeat(900);

/** Tables, an index, overflowing rows, and enough rows for inner pages. */
async function filled(): Promise<Disk> {
  const files = new RecordingFiles();
  const migrations = [`${notesSchema[0]} CREATE INDEX labels_by_label ON labels (label, note_id);`];
  const store = await openNotes(files, { create: true, migrations, segmentSize: 1 << 20 });
  for (let part = 0; part < 30; part += 1) {
    store.transact(about, (tx) => {
      for (let row = 0; row < 40; row += 1) {
        const id = tx.run("INSERT INTO notes (body) VALUES (?)", row === 0 ? LONG : `short note ${row}`);
        tx.run("INSERT INTO labels (note_id, label, count) VALUES (?, ?, 1)", id, `label of a note ${id % 100}`);
      }
    });
  }
  await store.checkpoint();
  await store.close();
  return files.now();
}

const check = (disk: Disk) => checkDatabase(FOLDER, new RecordingFiles(disk));

function spoil(disk: Disk, pages: readonly number[]): Disk {
  const bytes = bytesOf(disk, DATABASE);
  for (const page of pages) bytes[page * PAGE_SIZE + 1000] = (bytes[page * PAGE_SIZE + 1000] as number) ^ 1;
  return withBytes(disk, DATABASE, bytes);
}

test("reports an intact database and changes nothing", async () => {
  const disk = await filled();
  const files = new RecordingFiles(disk);
  const report = await checkDatabase(FOLDER, files);
  const pages = bytesOf(disk, DATABASE).length / PAGE_SIZE;
  assert.deepEqual(report, { segment: report.segment, pages, damaged: [], structure: "ok" });
  assert.equal(files.operations.length, 0);
});

test("finds each damaged page with its table or index", async () => {
  const disk = await filled();
  const bytes = bytesOf(disk, DATABASE);
  const owners = new Map<string, number>();
  for (let page = 0; page * PAGE_SIZE < bytes.length; page += 1) {
    const { damaged, structure } = await check(spoil(disk, [page]));
    assert.deepEqual([damaged.length, damaged[0]?.page, structure], [1, page + 1, undefined]);
    const owner = damaged[0]?.owner ?? "none";
    owners.set(owner, (owners.get(owner) ?? 0) + 1);
    const text = bytes.toString("latin1", page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
    if (/short note|long row/.test(text)) assert.equal(owner, "notes");
    // The table sorts by note, the index by label.
    else if (text.includes("label of a note")) assert.match(owner, /^labels/);
  }
  for (const name of ["the list of tables", "notes", "labels", "labels_by_label", "store_state"])
    assert.ok(owners.has(name), `${name} is not in ${[...owners.keys()]}`);
  assert.ok((owners.get("notes") as number) > 30, "with the pages into which long rows overflow");
  assert.ok((owners.get("labels_by_label") as number) > 3);
});

/** Segments in use, and a spare one. */
async function logged(): Promise<Disk> {
  const files = new RecordingFiles();
  const store = await openNotes(files, { create: true, segmentSize: 64 << 10, checkpointAfter: 1 << 30 });
  for (let row = 0; row < 60; row += 1) {
    while (!store.hasRoom) await new Promise((resolve) => setImmediate(resolve));
    store.transact(about, (tx) => tx.run("INSERT INTO notes (body) VALUES (?)", `${row} ${"long ".repeat(500)}`));
    await store.durable();
  }
  await new Promise((resolve) => setImmediate(resolve));
  const disk = files.now();
  await store.close();
  return disk;
}

test("names each damaged segment and its contents", async () => {
  const disk = await logged();
  const segments = [...disk.keys()].filter((path) => path.endsWith(".log")).sort();
  const logOf = (spoilt: Disk) => checkLog(FOLDER, 2, new RecordingFiles(spoilt));
  const { damaged, frames, segments: used } = logOf(disk);
  assert.deepEqual([damaged, used], [[], segments.length - 1]);
  assert.ok(frames > 60 && used > 2, `${frames} frames in ${used} segments`);
  for (const [index, path] of segments.entries())
    for (const at of [20, 5000]) {
      const bytes = bytesOf(disk, path);
      bytes[at] = (bytes[at] as number) ^ 1;
      const found = logOf(withBytes(disk, path, bytes)).damaged.map(({ file, holds }) => [file, holds]);
      const holds = index === segments.length - 1 ? "spare" : index < 1 ? "older" : "newest";
      assert.deepEqual(found, [[path, holds]], `${path} at ${at}`);
    }
  const gap = new Map(disk);
  gap.delete(segments[1] as string);
  assert.match(logOf(gap).damaged[0]?.problem ?? "", /segment before it is missing/);
});

test("reports a foreign database as an error", async () => {
  const disk = await filled();
  await assert.rejects(check(withBytes(disk, DATABASE, Buffer.from("no database"))), StorageDamaged);
  const without = new Map(disk);
  without.delete(`${FOLDER}/hearth.sums`);
  await assert.rejects(check(without), StorageDamaged);
});
