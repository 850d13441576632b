import assert from "node:assert/strict";
import test from "node:test";
import { openStore, type Store } from "../../server/storage/store.ts";
import type { Maintenance } from "../../server/storage/transaction.ts";
import { RecordingFiles } from "../support/recording-files.ts";
import { about, FOLDER } from "./work.ts";

// These tests use the real schema, because it defines which tables are unlogged.
const PUT = "INSERT INTO message_search (docid, body, topic) VALUES (?, ?, '')";
const STATE = `INSERT OR REPLACE INTO message_search_state (id, message_id, edit_id, documents, version)
  VALUES (1, ?, 0, 0, 1)`;
const found = (store: Store, word: string) =>
  store.reader
    .all<{ docid: number }>("SELECT docid FROM message_search WHERE message_search MATCH ?", word)
    .map(({ docid }) => docid)
    .sort((a, b) => a - b);
const open = (files: RecordingFiles) => openStore({ folder: FOLDER, create: true, testing: { files } });

test("maintenance atomically writes unlogged tables outside transactions only", async () => {
  const store = await open(new RecordingFiles());
  store.maintain((work) => work.run(PUT, 7, "tea"));
  assert.deepEqual(found(store, "tea"), [7]);
  const fails = (fn: (work: Maintenance) => void, error: RegExp) => assert.throws(() => store.maintain(fn), error);
  const spoil = "INSERT INTO host_settings (name, value) VALUES ('a', 'b')";
  fails((work) => work.run(spoil), /Not an unlogged table/);
  fails((work) => {
    work.run(PUT, 8, "tea");
    work.run(STATE, 8);
    throw new Error("on purpose");
  }, /on purpose/);
  assert.deepEqual(found(store, "tea"), [7]);
  assert.equal(store.reader.value("SELECT COUNT(*) FROM message_search_state"), 0);
  let late: Maintenance | undefined;
  store.maintain((work) => {
    late = work;
  });
  assert.throws(() => late?.run(PUT, 9, "tea"), /has ended/);
  store.transact(about, () => {
    assert.throws(() => store.maintain(() => {}), /inside a transaction/);
  });
  store.maintain(() => {
    assert.throws(() => store.transact(about, () => {}), /cannot hold another/);
  });
  assert.throws(() => store.transact(about, (tx) => tx.run(PUT, 9, "tea")), /Only `maintain`/);
  assert.deepEqual(found(store, "tea"), [7]);
  await store.close();
  assert.throws(() => store.maintain(() => {}), /clos/i);
});

test("maintenance writes no record and invalidates only its tables", async () => {
  const files = new RecordingFiles();
  const store = await open(files);
  const [seq, log] = [store.seq, store.sizes.log];
  const usersBefore = store.reader.derived("of users", ["users"], () => ({}));
  const state = () => store.reader.derived("of the index", ["message_search_state"], () => ({}));
  const stateBefore = state();
  store.maintain((work) => {
    work.run(PUT, 1, "tea");
    work.run(STATE, 1);
  });
  assert.deepEqual([store.seq, store.sizes.log], [seq, log]);
  assert.equal(store.durable(), undefined);
  assert.equal(
    store.reader.derived("of users", ["users"], () => ({})),
    usersBefore,
  );
  assert.notEqual(state(), stateBefore);
  const again = await open(new RecordingFiles(files.now()));
  assert.deepEqual(found(again, "tea"), [], "the log does not contain it");
  await Promise.all([store.close(), again.close()]);
});

test("a checkpoint contains what maintenance wrote", async () => {
  const files = new RecordingFiles();
  const store = await open(files);
  store.maintain((work) => work.run(PUT, 1, "tea"));
  await store.checkpoint();
  store.maintain((work) => work.run(PUT, 2, "tea"));
  const again = await open(new RecordingFiles(files.now()));
  assert.deepEqual(found(again, "tea"), [1]);
  again.maintain((work) => work.run(PUT, 2, "tea"));
  assert.deepEqual(found(again, "tea"), [1, 2]);
  assert.equal(again.reader.value("PRAGMA integrity_check"), "ok");
  await Promise.all([store.close(), again.close()]);
});

test("a stop saves large unlogged changes", async () => {
  const files = new RecordingFiles();
  const store = await open(files);
  const stored = (one: Store) => one.reader.value("SELECT COUNT(*) FROM message_chunks");
  const chunk = (number: number) =>
    store.maintain((work) =>
      work.run("INSERT INTO message_chunks (chunk, places) VALUES (?, ?)", number, new Uint8Array(65_536)),
    );
  for (let number = 0; number < 70; number += 1) chunk(number);
  await store.close();
  const again = await openStore({ folder: FOLDER, testing: { files: new RecordingFiles(files.now()) } });
  assert.equal(stored(again), 70);
  await again.close();
});
