import assert from "node:assert/strict";
import test from "node:test";
import { startScrub } from "../../server/chores/scrub.ts";
import { Database } from "../../server/storage/database.ts";
import { PageDamaged } from "../../server/storage/errors.ts";
import { PagedFile } from "../../server/storage/paged-file.ts";
import { PAGE_SIZE } from "../../server/storage/pages.ts";
import type { Store } from "../../server/storage/store.ts";
import { RecordingFiles, seeded } from "../support/recording-files.ts";
import { about, digest, FOLDER, made, openNotes, randomTransaction } from "./work.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function work(store: Store, seed: number, count = 30): Promise<void> {
  const pick = seeded(seed);
  for (let done = 0; done < count; done += 1) {
    while (!store.hasRoom) await turn();
    randomTransaction(store, pick);
    await store.durable();
  }
}

test("a snapshot stays unchanged during writes", async () => {
  const files = new RecordingFiles();
  const store = await openNotes(files, { create: true, checkpointAfter: 20_000 });
  await work(store, 1);
  const [state, seq] = [digest(store.reader), store.seq];
  const snapshot = await store.snapshot();
  assert.deepEqual([snapshot.seq, snapshot.path], [seq, `${FOLDER}/hearth.db`]);
  let checkpointed = false;
  const checkpoint = store.checkpoint().then(() => (checkpointed = true));
  const copy = new PagedFile();
  for (let number = 0; number < snapshot.pages; number += 1) {
    copy.set(snapshot.read(number), number * PAGE_SIZE);
    await work(store, 2 + number, 2);
  }
  assert.notEqual(digest(store.reader), state);
  assert.equal(checkpointed, false);
  const copied = await Database.open(copy);
  assert.equal(digest(copied), state);
  assert.equal(copied.value("PRAGMA integrity_check"), "ok");
  copied.close();

  const second = store.snapshot(); // they run one after the other
  snapshot.release();
  snapshot.release();
  const { seq: later, release } = await second;
  assert.equal(later, store.seq);
  release();
  await checkpoint;
  const newest = digest(store.reader);
  await store.close();
  const again = await openNotes(new RecordingFiles(files.now()));
  assert.equal(digest(again.reader), newest);
  assert.equal(again.seq, later);
  await again.close();
});

test("a failed snapshot blocks neither checkpoints nor a stop", async () => {
  const files = new RecordingFiles();
  const store = await openNotes(files, { create: true });
  await work(store, 1);
  files.failWith = (call, path) => (call === "write" && path.includes("journal") ? "EIO" : undefined);
  await assert.rejects(store.snapshot(), /EIO/);
  files.failWith = undefined;
  await store.checkpoint();
  await work(store, 2);
  await store.snapshot();
  const waiting = store.checkpoint();
  await store.close();
  await waiting;
  const again = await openNotes(new RecordingFiles(files.now()));
  assert.ok(again.seq >= store.seq);
  await again.close();
});

async function spoiled(): Promise<{ store: Store; files: RecordingFiles }> {
  const files = new RecordingFiles();
  const store = await openNotes(files, { create: true });
  await work(store, 1);
  await store.checkpoint();
  files.open(`${FOLDER}/hearth.db`, "write").write(Buffer.from("spoiled"), 2 * PAGE_SIZE + 100);
  return { store, files };
}

test("finds damage on disk without a reader, except in cached pages", async () => {
  const { store } = await spoiled();
  const damaged = await store.damagedAmong(0, store.pages + 10);
  assert.deepEqual(
    damaged.map((error) => [error instanceof PageDamaged, error.page]),
    [[true, 2]],
  );
  assert.deepEqual(await store.damagedAmong(3, 100), []);
  await assert.rejects(async () => (await store.snapshot()).read(2), PageDamaged);
  await store.close();
  assert.deepEqual(await store.damagedAmong(0, 10), []);
});

test("checks during checkpoints report no damage", async () => {
  const files = new RecordingFiles();
  const store = await openNotes(files, { create: true, checkpointAfter: 10_000 });
  let ended = false;
  const checks = (async () => {
    while (!ended) assert.deepEqual(await store.damagedAmong(0, store.pages), []);
  })();
  await work(store, 3, 150);
  ended = true;
  await checks;
  await store.close();
});

test("checks the whole database while nobody writes", async () => {
  const { store } = await spoiled();
  const reports: unknown[] = [];
  const waits: number[] = [];
  const rested = Promise.withResolvers<void>();
  const never = new Promise<never>(() => {});
  const scrub = startScrub({
    store,
    report: (message, error) => reports.push([message, error instanceof PageDamaged && error.page]),
    wait: async (ms) => {
      waits.push(ms);
      if (waits.length === 2) store.transact(about, (tx) => tx.emit(made("noted"), { users: [1] }));
      if (ms > 3_600_000) {
        rested.resolve();
        return never;
      }
      return undefined;
    },
  });
  await rested.promise;
  assert.deepEqual(waits, [60_000, 60_000, 60_000, 86_400_000], "two looks until it was quiet");
  assert.deepEqual(reports, [[`A page of the database is damaged. "hearth check" says what it belongs to`, 2]]);
  void scrub.stop(); // it waits forever
  await store.close();
});

test("stopping a check does not wait for a timer", async () => {
  const { store } = await spoiled();
  const scrub = startScrub({ store, report: assert.fail });
  const stopped = scrub.stop().then(() => "stopped");
  assert.equal(await Promise.race([stopped, turn().then(turn)]), "stopped");
  await store.close();
});

test("a stop ends reading ahead silently", async () => {
  const { store } = await spoiled();
  await store.readAhead();
  const reading = store.readAhead();
  await store.close();
  await reading;
});

test("reuses the space of deleted rows", async () => {
  const files = new RecordingFiles();
  const store = await openNotes(files, { create: true });
  const body = "x".repeat(900);
  const fill = async () => {
    for (let note = 0; note < 400; note += 1) {
      while (!store.hasRoom) await turn();
      store.transact(about, (tx) => tx.run("INSERT INTO notes (body) VALUES (?)", body));
    }
    await store.checkpoint();
    return store.pages;
  };
  const full = await fill();
  assert.ok(full > 80);
  for (let round = 0; round < 3; round += 1) {
    store.transact(about, (tx) => tx.run("DELETE FROM notes"));
    await store.checkpoint();
    assert.equal(await fill(), full);
  }
  await store.close();
  const again = await openNotes(new RecordingFiles(files.now()));
  assert.equal(again.reader.value("SELECT COUNT(*) FROM notes"), 400);
  assert.equal(again.reader.value("PRAGMA integrity_check"), "ok");
  await again.close();
});
