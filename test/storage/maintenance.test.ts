import assert from "node:assert/strict";
import test from "node:test";
import { makeCheckpoint } from "../../server/storage/make-checkpoint.ts";
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
    .map(({ docid }) => docid);
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

test("a checkpoint rebuilds unlogged tables that cannot be updated", async () => {
  const files = new RecordingFiles();
  const isEmpty = (work: Maintenance) => work.value("SELECT COUNT(*) FROM message_search_state") === 0;
  let works = false;
  const update = (work: Maintenance) => {
    if (!works && !isEmpty(work)) throw new Error("damaged");
    work.run(STATE, isEmpty(work) ? 7 : 8);
    return true;
  };
  const reset = (work: Maintenance) => work.run("DELETE FROM message_search_state");
  const store = await openStore({
    folder: FOLDER,
    create: true,
    testing: { files, checkpoint: (task) => makeCheckpoint(files, task, undefined, update, reset) },
  });
  const idAfterCheckpoint = async () => {
    store.transact(about, (tx) => tx.run("INSERT OR REPLACE INTO host_settings (name, value) VALUES ('a', '1')"));
    await store.checkpoint();
    const again = await open(new RecordingFiles(files.now()));
    const id = again.reader.value("SELECT message_id FROM message_search_state");
    await again.close();
    return id;
  };
  assert.equal(await idAfterCheckpoint(), 7);
  works = true;
  assert.equal(await idAfterCheckpoint(), 8, "the next checkpoint updates the last one's index");
  works = false;
  assert.equal(await idAfterCheckpoint(), 7);
  await store.close();
});
