import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { crc32, gunzipSync } from "node:zlib";
import { Database } from "../../server/storage/database.ts";
import { SchemaTooNew, StorageDamaged } from "../../server/storage/errors.ts";
import { migrations } from "../../server/storage/migrations/index.ts";
import type { Store } from "../../server/storage/store.ts";
import { bytesOf, type Disk, RecordingFiles, seeded, withBytes } from "../support/recording-files.ts";
import { about, digest, FOLDER, made, openNotes } from "./work.ts";

/**
 * A folder as Hearth wrote it while a checkpoint was a whole new `hearth.db`: two checkpoints, and records after them.
 * `state` is the digest of its tables; files are compressed.
 */
interface OlderFolder {
  seq: number;
  lastEventId: number;
  cursors: Record<string, number>;
  state: string;
  files: Record<string, string>;
}
const older = JSON.parse(readFileSync(new URL("./older-format.json", import.meta.url), "utf8")) as OlderFolder;

function olderDisk(): Disk {
  let disk: Disk = new Map();
  for (const [path, packed] of Object.entries(older.files))
    disk = withBytes(disk, path, gunzipSync(Buffer.from(packed, "base64")));
  return disk;
}

const DATABASE = `${FOLDER}/hearth.db`;
const spoiled = (disk: Disk, path: string): Disk => {
  const bytes = bytesOf(disk, path);
  bytes[5000] = (bytes[5000] as number) ^ 1;
  return withBytes(disk, path, bytes);
};

function isWhole(store: Store): void {
  assert.equal(digest(store.reader), older.state);
  assert.equal(store.seq, older.seq);
  assert.ok(store.lastEventId >= older.lastEventId);
  assert.equal(store.reader.value("PRAGMA integrity_check"), "ok");
}

/** Opens the disk, writes, and opens it again. */
async function goesOn(files: RecordingFiles): Promise<void> {
  const store = await openNotes(files);
  isWhole(store);
  store.transact(about, (tx) => {
    tx.run("INSERT INTO notes (body) VALUES ('after')");
    tx.emit(made("noted"), { users: [1] });
  });
  await store.checkpoint();
  const state = digest(store.reader);
  await store.close();
  const again = await openNotes(new RecordingFiles(files.now()));
  assert.equal(again.report.replayed, 0);
  assert.equal(digest(again.reader), state);
  await again.close();
}

const takenOver = (files: RecordingFiles) =>
  files.operations.some((operation) => operation.kind === "rename" && operation.to.endsWith("hearth.sums"));

test("a folder of the older format is taken over once", async () => {
  const files = new RecordingFiles(olderDisk());
  const store = await openNotes(files);
  assert.deepEqual(Object.keys(store.report), ["replayed"]);
  assert.ok(store.report.replayed > 0);
  assert.deepEqual(store.savedCursors, older.cursors);
  isWhole(store);
  let newest = store.oldestEventId;
  for (let next = store.eventsInLog(newest); next.through > newest; next = store.eventsInLog(newest))
    newest = next.through;
  assert.equal(newest, older.lastEventId, "its events can be read");
  await store.close();
  assert.ok(takenOver(files));
  const again = new RecordingFiles(files.now());
  await goesOn(again);
  assert.equal(takenOver(again), false);
});

for (const [name, disk] of [
  ["intact", olderDisk()],
  ["without its newest checkpoint", spoiled(olderDisk(), DATABASE)],
] as const) {
  test(`a take-over survives a crash after each operation, ${name}`, async () => {
    const files = new RecordingFiles(disk);
    await (await openNotes(files)).close();
    for (let count = 0; count <= files.operations.length; count += 1) {
      for (const how of ["nothing unflushed", "everything", "torn", "reordered"] as const) {
        const crashed = new RecordingFiles(files.after(count, { how, pick: seeded(count) }));
        await goesOn(crashed).catch((cause: Error) => {
          throw new Error(`after operation ${count}, ${how}: ${cause.message}`, { cause });
        });
      }
    }
  });
}

for (const code of ["EIO", "ENOSPC"] as const) {
  test(`a take-over that meets ${code} at any call can be repeated`, async () => {
    for (let failing = 1; ; failing += 1) {
      const files = new RecordingFiles(olderDisk());
      files.failWith = () => (files.calls === failing ? code : undefined);
      try {
        await (await openNotes(files)).close();
      } catch (error) {
        assert.match((error as Error).message, new RegExp(code));
      }
      if (files.calls < failing) break;
      files.failWith = undefined;
      await goesOn(new RecordingFiles(files.now()));
    }
  });
}

test("a damaged newest checkpoint of the older format is replaced by the one before and the log", async () => {
  const files = new RecordingFiles(spoiled(olderDisk(), DATABASE));
  const store = await openNotes(files);
  assert.equal(store.report.damagedCheckpoint, DATABASE);
  isWhole(store);
  await store.close();
  assert.ok(files.exists(`${DATABASE}.damaged`));
  await goesOn(new RecordingFiles(files.now()));
  const both = new RecordingFiles(spoiled(spoiled(olderDisk(), DATABASE), `${DATABASE}.previous`));
  await assert.rejects(openNotes(both), StorageDamaged);
  assert.equal(both.operations.length, 0);
});

test("an older Hearth is shown a database that is newer than any", async () => {
  const files = new RecordingFiles(olderDisk());
  await (await openNotes(files)).close();
  // An older Hearth opens the file whose size and checksum are in the manifest, and compares the schema with its own.
  const disk = files.now();
  const { checkpoints, crc } = JSON.parse(bytesOf(disk, `${FOLDER}/log/checkpoints.json`).toString());
  assert.equal(crc, crc32(JSON.stringify(checkpoints)));
  assert.equal(checkpoints.length, 1);
  const matching = ["hearth.db", "hearth.db.new", "hearth.db.previous"]
    .map((name) => `${FOLDER}/${name}`)
    .filter((path) => disk.has(path))
    .filter((path) => {
      const bytes = bytesOf(disk, path);
      return bytes.length === checkpoints[0].size && crc32(bytes) === checkpoints[0].crc;
    });
  assert.deepEqual(matching, [`${DATABASE}.previous`]);
  const shown = bytesOf(disk, matching[0] as string);
  assert.equal(shown.toString("latin1", 0, 15), "SQLite format 3");
  assert.ok(shown.readUInt32BE(60) > migrations.length);
});

test("what an older Hearth is shown is made only where it is missing", async (t) => {
  const files = new RecordingFiles(olderDisk());
  await (await openNotes(files)).close();
  const shown = bytesOf(files.now(), `${DATABASE}.previous`);
  const made = t.mock.method(Database, "empty");
  // A module of its own: the other tests' has made it before.
  const own = new URL("../../server/storage/refusal.ts?own", import.meta.url).href;
  const { writeRefusal } = (await import(own)) as typeof import("../../server/storage/refusal.ts");
  await writeRefusal(files, FOLDER);
  assert.equal(made.mock.callCount(), 0);
  files.remove(`${DATABASE}.previous`);
  await writeRefusal(files, FOLDER);
  assert.deepEqual(bytesOf(files.now(), `${DATABASE}.previous`), shown);
});

test("a newer folder of the older format is left as it is", async () => {
  const files = new RecordingFiles(olderDisk());
  await assert.rejects(openNotes(files, { migrations: [] }), SchemaTooNew);
  assert.equal(files.operations.length, 0);
});
