import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { StorageBusy, StorageClosed } from "../../server/storage/errors.ts";
import { openStore, type Published, type Store, type StoreOptions } from "../../server/storage/store.ts";
import type { Transaction } from "../../server/storage/transaction.ts";
import { UserSet } from "../../server/storage/user-set.ts";
import { processOn, RecordingFiles } from "../support/recording-files.ts";
import { about, digest, made, type NotesOptions, openNotes } from "./work.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));
const INSERT = "INSERT INTO notes (body) VALUES (?)";

async function newStore(t: TestContext, more: NotesOptions = {}): Promise<{ store: Store; files: RecordingFiles }> {
  const files = new RecordingFiles();
  const store = await openNotes(files, { create: true, ...more });
  t.after(() => store.close());
  return { store, files };
}

const crash = (files: RecordingFiles) =>
  new RecordingFiles(files.after(files.operations.length, { how: "nothing unflushed", pick: Math.random }));

const emit = (store: Store, nonce: number, users = [1]) =>
  store.transact(about, (tx) => tx.emit(made("noted", { nonce }), { users }));

test("a transaction is atomic and returns its function's result", async (t) => {
  const { store } = await newStore(t);
  assert.equal(
    store.transact(about, (tx) => tx.run(INSERT, "one")),
    1,
  );
  const before = digest(store.reader);
  const { seq } = store;
  const updates: string[] = [];
  assert.throws(
    () =>
      store.transact(about, (tx) => {
        tx.run(INSERT, "two");
        tx.run("DELETE FROM notes WHERE id = 1");
        tx.emit(made("noted"), { users: [1] });
        tx.afterCommit(() => updates.push("never"));
        assert.equal(tx.value("SELECT body FROM notes"), "two");
        throw new Error("no");
      }),
    /^Error: no$/,
  );
  assert.equal(digest(store.reader), before);
  assert.equal(store.seq, seq);
  assert.deepEqual(updates, []);
  assert.equal(
    store.transact(about, (tx) => tx.run("UPDATE notes SET body = 'x'")),
    1,
  );
});

test("after a caught statement error, only later statements are logged", async (t) => {
  const { store, files } = await newStore(t);
  store.transact(about, (tx) => {
    tx.run("INSERT INTO singles (id, value) VALUES (1, 'first')");
    assert.throws(() => tx.run("INSERT INTO singles (id, value) VALUES (1, 'second')"), /UNIQUE/);
    assert.throws(() => tx.run("INSERT INTO singles (id, value) VALUES (2, 'third')"), /CHECK/);
    tx.run(INSERT, "after");
  });
  await store.durable();
  const again = await openNotes(crash(files));
  assert.equal(digest(again.reader), digest(store.reader));
  await again.close();
});

test("a transaction without changes writes no record", async (t) => {
  const { store, files } = await newStore(t);
  await turn();
  const { length } = files.operations.filter(({ kind }) => kind === "write");
  assert.equal(
    store.transact(about, (tx) => tx.value("SELECT 7")),
    7,
  );
  assert.equal(store.seq, 0);
  assert.equal(store.durable(), undefined);
  assert.ok(files.operations.filter(({ kind }) => kind === "write").length <= length + 2); // plus the next segment
});

test("an async callback fails to compile and to run", async (t) => {
  const { store } = await newStore(t);
  let late: Promise<unknown> | undefined;
  assert.throws(
    // @ts-expect-error a transaction is synchronous
    () => store.transact(about, (tx) => (late = slowly(tx))),
    /asynchronous/,
  );
  await assert.rejects(late as Promise<unknown>, /has ended/);
  // @ts-expect-error a transaction is synchronous
  assert.throws(() => store.transact(about, async (tx) => tx.run(INSERT, "x")), /asynchronous/);
  // @ts-expect-error a returned promise is asynchronous too
  assert.throws(() => store.transact(about, () => Promise.resolve(1)), /asynchronous/);
  assert.equal(store.reader.value("SELECT count(*) FROM notes"), 0);
});

async function slowly(tx: Transaction): Promise<number> {
  tx.run(INSERT, "before the wait");
  await turn();
  return tx.run(INSERT, "after it");
}

test("a transaction cannot write after its end", async (t) => {
  const { store } = await newStore(t);
  let leaked: Transaction | undefined;
  store.transact(about, (tx) => {
    leaked = tx;
  });
  assert.throws(() => leaked?.run(INSERT, "x"), /has ended/);
  assert.throws(() => leaked?.emit(made("noted"), { users: [1] }), /has ended/);
  assert.throws(() => leaked?.afterCommit(() => {}), /has ended/);
});

test("a transaction inside another one is rejected", async (t) => {
  const { store } = await newStore(t);
  assert.throws(() => store.transact(about, () => store.transact(about, () => 1)), /cannot hold another/);
  let inner = 0;
  store.transact(about, (tx) => {
    tx.run(INSERT, "outer");
    tx.afterCommit(() => (inner = store.transact(about, (next) => next.run(INSERT, "inner"))));
  });
  assert.equal(inner, 2);
});

test("derived values last until their tables change", async (t) => {
  const { store } = await newStore(t);
  let computed = 0;
  const count = () =>
    store.reader.derived("count", ["notes"], (reader) => {
      computed += 1;
      return reader.value<number>("SELECT count(*) FROM notes");
    });
  assert.deepEqual([count(), count(), computed], [0, 0, 1]);
  store.transact(about, (tx) => tx.run("INSERT INTO labels VALUES (1, 'other table', 1)"));
  assert.deepEqual([count(), computed], [0, 1]);
  store.transact(about, (tx) => tx.run(INSERT, "x"));
  assert.deepEqual([count(), count(), computed], [1, 1, 2]);
  assert.throws(() =>
    store.transact(about, (tx) => {
      tx.run(INSERT, "y");
      assert.equal(count(), 2);
      throw new Error("no");
    }),
  );
  assert.equal(count(), 1);
});

test("partial derived values survive changes of other parts", async (t) => {
  const { store } = await newStore(t);
  let computed = 0;
  const count = () =>
    store.reader.derived("part", ["notes/one"], (reader) => {
      computed += 1;
      return reader.value<number>("SELECT count(*) FROM notes");
    });
  assert.deepEqual([count(), computed], [0, 1]);
  store.transact(about, (tx) => tx.runOn(["two", "three"], INSERT, "x"));
  assert.deepEqual([count(), computed], [0, 1]);
  store.transact(about, (tx) => tx.runOn(["two", "one"], INSERT, "x"));
  assert.deepEqual([count(), computed], [2, 2]);
  store.transact(about, (tx) => tx.run(INSERT, "x"));
  assert.deepEqual([count(), computed], [3, 3]);
  assert.throws(() =>
    store.transact(about, (tx) => {
      tx.runOn(["one"], INSERT, "y");
      assert.equal(count(), 4);
      throw new Error("no");
    }),
  );
  assert.equal(count(), 3);
});

test("events are published in order and only when durable", async (t) => {
  const { store, files } = await newStore(t);
  const heard: Published[] = [];
  const durable: number[] = [];
  store.onPublish((events) => {
    for (const event of events) {
      heard.push(event);
      durable.push(files.operations.findLastIndex(({ kind }) => kind === "sync"));
    }
  });
  emit(store, 1, [1, 9]);
  store.announce(made("typing"), { users: [2] });
  emit(store, 2);
  assert.equal(heard.length, 0);
  store.announce(made("typing"), { users: [2] });
  const before = files.operations.length;
  await store.durable();
  while (heard.length < 4) await turn();
  assert.deepEqual(
    heard.map(({ id }) => id),
    [1, 2, 3, 4],
  );
  assert.deepEqual(
    heard.map(({ event }) => String(event.type)),
    ["noted", "typing", "noted", "typing"],
  );
  assert.deepEqual([...(heard[0]?.users ?? [])], [1, 9]);
  assert.ok(durable.every((sync) => sync >= before));
  assert.equal(store.lastEventId, 4);
  store.announce(made("typing"), { users: [2] }); // everything is on disk, so it is delivered immediately
  assert.equal(heard.length, 5);
});

test("events emitted by listeners follow the current event for all listeners", async (t) => {
  const { store } = await newStore(t);
  const heard: number[][] = [[], []];
  store.onPublish((events) => {
    for (const { id, event } of events) {
      if (String(event.type) === "noted") store.announce(made("typing"), { users: [1] });
      heard[0]?.push(id);
    }
  });
  store.onPublish((events) => heard[1]?.push(...events.map(({ id }) => id)));
  store.announce(made("typing"), { users: [1] });
  emit(store, 1);
  emit(store, 2);
  await store.durable();
  while ((heard[1]?.length ?? 0) < 5) await turn();
  assert.deepEqual(heard, [
    [1, 2, 3, 4, 5],
    [1, 2, 3, 4, 5],
  ]);
});

test("an event of a failed transaction is never sent", async (t) => {
  const { store } = await newStore(t);
  const ids: number[] = [];
  store.onPublish((events) => ids.push(...events.map(({ id }) => id)));
  emit(store, 1);
  assert.throws(() =>
    store.transact(about, (tx) => {
      tx.emit(made("noted"), { users: [1] });
      throw new Error("no");
    }),
  );
  emit(store, 2);
  await store.durable();
  assert.deepEqual(ids, [1, 2]);
});

test("a throwing listener after commit holds back no event", async (t) => {
  const { store } = await newStore(t);
  const ids: number[] = [];
  store.onPublish((events) => ids.push(...events.map(({ id }) => id)));
  assert.throws(() =>
    store.transact(about, (tx) => {
      tx.emit(made("noted"), { users: [1] });
      tx.afterCommit(() => {
        throw new Error("a bug");
      });
    }),
  );
  await store.durable();
  assert.deepEqual(ids, [1]);
});

test("an audience may be any iterable, read once", () => {
  assert.deepEqual(
    [
      ...UserSet.of(
        new Map([
          [3, ""],
          [70, ""],
        ]).keys(),
      ),
    ],
    [3, 70],
  );
  const users = new Set([1]);
  assert.deepEqual([...UserSet.of(users)], [1]);
  users.add(12);
  assert.deepEqual([...UserSet.of(users)], [1, 12]);
  assert.equal(UserSet.of(users), UserSet.of(users));
  assert.deepEqual([...UserSet.fromJSON(UserSet.of(users).toJSON())], [1, 12]);
  assert.equal(UserSet.of([]).has(0), false);
});

test("lost event IDs are never reused after a crash", async (t) => {
  const { store, files } = await newStore(t);
  const ids: number[] = [];
  store.onPublish((events) => ids.push(...events.map(({ id }) => id)));
  for (let count = 0; count < 25; count += 1) {
    store.announce(made("typing"), { users: [1] });
    if (count % 7 === 0) emit(store, count);
  }
  while (ids.length < 29) await turn();
  const again = await openNotes(crash(files));
  assert.ok(again.lastEventId >= (ids.at(-1) as number));
  again.announce(made("typing"), { users: [1] });
  assert.ok(again.lastEventId > (ids.at(-1) as number));
  await again.close();
});

function readBack(store: Store, after: number): Published[] {
  const read: Published[] = [];
  for (let from = after; ; ) {
    const { events, through } = store.eventsInLog(from);
    read.push(...events);
    if (through === from) return read;
    from = through;
  }
}

test("the log serves events across segments", async (t) => {
  const { store, files } = await newStore(t);
  const perUserOverrides = new Map([[2, { flags: ["mentioned"] }]]);
  const origin = { queueId: "q1", fields: { local_id: "7.1" } };
  store.transact(about, (tx) =>
    tx.emit(made("noted", { text: "é" }), { users: [1, 2], perUserOverrides, alsoAllPublic: true, origin }),
  );
  for (let count = 0; count < 120; count += 1) {
    store.transact(about, (tx) => {
      for (const nonce of [count, count + 0.5])
        tx.emit(made("noted", { nonce, text: "x".repeat(300) }), { users: [count] });
    });
    await store.durable();
    while (!store.hasRoom) await turn();
  }
  await store.durable();
  const all = readBack(store, 0);
  assert.deepEqual(
    all.map(({ id }) => id),
    Array.from({ length: 241 }, (_, index) => index + 1),
  );
  const [first] = all;
  assert.deepEqual(
    [first?.event, [...(first?.users ?? [])], first?.alsoAllPublic],
    [{ type: "noted", text: "é" }, [1, 2], true],
  );
  assert.deepEqual([first?.perUserOverrides, first?.origin], [perUserOverrides, origin]);
  for (const after of [0, 1, 2, 100, 239, 240, 241]) assert.equal(readBack(store, after).length, 241 - after);
  assert.ok(files.list("/data/log").filter((name) => name.endsWith(".log")).length > 3);
  const again = await openNotes(crash(files));
  assert.equal(readBack(again, 100).length, 141);
  await again.close();
});

test("queue acknowledgements are saved on close and with checkpoints", async (t) => {
  const { store, files } = await newStore(t);
  let acknowledged: Record<string, number> = { q1: 5 };
  store.cursors = () => acknowledged;
  emit(store, 1);
  await store.checkpoint();
  const crashed = await openNotes(crash(files));
  assert.deepEqual(crashed.savedCursors, { q1: 5 });
  await crashed.close();
  acknowledged = { q1: 6, q2: 1 };
  await store.close();
  const again = await openNotes(new RecordingFiles(files.now()));
  assert.deepEqual(again.savedCursors, { q1: 6, q2: 1 });
  await again.close();
});

test("prepares a segment in small pieces that barely delay writes", async (t) => {
  const { store, files } = await newStore(t, { segmentSize: 1 << 20 });
  await store.close(); // after preparing the next segment
  const unflushed = new Map<number, number[]>();
  for (const operation of files.operations) {
    if (operation.kind === "create" && operation.path.endsWith(".log")) unflushed.set(operation.inode, []);
    const pieces = "inode" in operation ? unflushed.get(operation.inode) : undefined;
    if (operation.kind === "write") pieces?.push((pieces.pop() ?? 0) + operation.length);
    if (operation.kind === "sync") pieces?.push(0);
  }
  assert.equal(unflushed.size, 2);
  for (const pieces of unflushed.values()) assert.equal(Math.max(...pieces), 256 << 10);
});

test("unneeded segments are deleted", async (t) => {
  const { store, files } = await newStore(t);
  const numbers = () =>
    files
      .list("/data/log")
      .filter((name) => name.endsWith(".log"))
      .map((name) => Number(name.slice(0, 8)))
      .sort();
  const round = async (nonce: number) => {
    emit(store, nonce);
    await store.checkpoint();
  };
  store.neededAfter = () => 1;
  await round(1); // event 1 goes to segment 1, and so on
  await round(2);
  await round(3);
  assert.equal(numbers()[0], 2, "event 2 is needed, event 1 is not");
  assert.equal(store.oldestEventId, 1);
  store.neededAfter = () => Number.MAX_SAFE_INTEGER;
  await round(4);
  assert.equal(numbers()[0], 5, "hearth.db contains all events");
  const again = await openNotes(new RecordingFiles(files.now()));
  assert.equal(again.report.replayed, 0);
  assert.equal(digest(again.reader), digest(store.reader));
  await again.close();
});

test("a failed checkpoint leaves the previous one, then retries", async (t) => {
  const { store, files } = await newStore(t);
  emit(store, 1);
  files.failWith = (call, path) => (call === "write" && path.endsWith("hearth.journal.new") ? "ENOSPC" : undefined);
  await assert.rejects(store.checkpoint(), /ENOSPC/);
  files.failWith = undefined;
  store.transact(about, (tx) => tx.run(INSERT, "goes on"));
  await store.durable();
  const crashed = await openNotes(crash(files));
  assert.equal(crashed.report.replayed, 2);
  await crashed.close();
  await store.checkpoint();
  const again = await openNotes(crash(files));
  assert.equal(again.report.replayed, 0);
  await again.close();
});

test("a checkpoint that a full disk stops gives back its space", async (t) => {
  const { store, files } = await newStore(t);
  const sizes = () => [...files.now()].flatMap(([path, { size }]) => (path.endsWith(".log") ? [] : [{ path, size }]));
  const before = sizes();
  for (let count = 0; count < 20; count += 1) {
    store.transact(about, (tx) => tx.run(INSERT, "x".repeat(5000)));
    await store.durable();
  }
  files.failWith = (call, path) => (call === "write" && path.endsWith("hearth.journal.new") ? "ENOSPC" : undefined);
  await assert.rejects(store.checkpoint(), /ENOSPC/);
  assert.deepEqual(sizes(), before);
  files.failWith = undefined;
  await store.checkpoint();
  const again = await openNotes(crash(files));
  assert.equal(digest(again.reader), digest(store.reader));
  await again.close();
});

const journals = (files: RecordingFiles) =>
  files.operations.filter((operation) => operation.kind === "rename" && operation.to.endsWith("hearth.journal")).length;

test("checkpoints start by log size, counted across restarts", async (t) => {
  const files = new RecordingFiles();
  const opened: Store[] = [];
  const open = async () => {
    const process = processOn(files);
    const store = await openNotes(process, { create: files.operations.length === 0, checkpointAfter: 20_000 });
    opened.push(store);
    return { store, process };
  };
  t.after(() => Promise.all(opened.slice(-1).map((store) => store.close())));
  for (let start = 0; start < 3; start += 1) {
    const { store, process } = await open();
    for (const letter of ["x", "y"]) {
      const text = letter.repeat(3_400);
      store.transact(about, (tx) => tx.run("INSERT OR REPLACE INTO singles (id, value) VALUES (1, ?)", text));
    }
    await store.durable();
    if (start === 2) break;
    assert.equal(journals(files), 0);
    process.kill();
  }
  while (journals(files) === 0) await turn();
});

test("checkpoints start by the size of the changed pages", async (t) => {
  const { store, files } = await newStore(t, { checkpointAfter: 60_000 } as Partial<StoreOptions>);
  for (let count = 0; journals(files) === 0; count += 1) {
    assert.ok(count < 60, "much less log than pages");
    store.transact(about, (tx) => tx.run("INSERT INTO notes (body, pages) SELECT ?, zeroblob(9000)", `note ${count}`));
    await store.durable();
    while (!store.hasRoom) await turn();
  }
  while (store.sizes.changed > 60_000) await turn();
});

test("while checkpoints fail, writes stop before memory is full", async (t) => {
  const failures: unknown[] = [];
  const options = {
    checkpointAfter: 60_000,
    maxChanged: 200_000,
    onCheckpointFailure: (error: unknown) => failures.push(error),
  };
  const { store, files } = await newStore(t, options as Partial<StoreOptions>);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  files.failWith = (call, path) => (call === "write" && path.includes("hearth.journal") ? "ENOSPC" : undefined);
  const write = () =>
    store.transact(about, (tx) => tx.run("INSERT INTO notes (body, pages) SELECT 'x', zeroblob(9000)"));
  for (let count = 0; store.sizes.changed < 200_000; count += 1) {
    assert.ok(count < 100);
    write();
    await store.durable();
    for (let turns = 0; turns < 20; turns += 1) await turn();
    t.mock.timers.tick(1000);
  }
  const [rows, seq] = [store.reader.value("SELECT count(*) FROM notes"), store.seq];
  for (let turns = 0; turns < 50; turns += 1) await turn();
  assert.throws(write, StorageBusy);
  assert.deepEqual([store.hasRoom, store.acceptsWrites, store.untilRoom()], [false, false, undefined]);
  assert.deepEqual([store.reader.value("SELECT count(*) FROM notes"), store.seq], [rows, seq], "reads go on");
  assert.ok(failures.length >= 1);
  files.failWith = undefined;
  while (!store.hasRoom) {
    t.mock.timers.tick(1000);
    await turn();
  }
  write();
  await store.durable();
  assert.ok(store.sizes.changed < 60_000);
});

test("closing rejects writes and waits for the disk", async (t) => {
  const { store, files } = await newStore(t);
  store.transact(about, (tx) => tx.run(INSERT, "last"));
  const durable = store.durable();
  const closing = [store.close(), store.close()];
  assert.throws(() => store.transact(about, () => 1), StorageClosed);
  await Promise.all(closing);
  await durable;
  const again = await openNotes(crash(files));
  assert.equal(again.reader.value("SELECT body FROM notes"), "last");
  assert.equal(again.report.torn, undefined);
  await again.close();
});

test("a store is created only on request", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-store-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  await assert.rejects(openStore({ folder }), /no organization here/);
  const store = await openStore({ folder, create: true, now: () => 5 });
  store.transact(about, (tx) =>
    tx.run("INSERT INTO organization (id, name, created_at) VALUES (1, 'Hall', ?)", tx.now),
  );
  await store.checkpoint();
  await store.close();
  const again = await openStore({ folder, create: true });
  assert.deepEqual(
    [again.report.replayed, again.reader.get("SELECT name, created_at FROM organization")],
    [0, { name: "Hall", created_at: 5 }],
  );
  await again.close();
});

test("a checkpoint runs without pausing writes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-busy-"));
  const store = await openStore({ folder, create: true });
  let busy = true;
  const writer = async () => {
    while (busy) {
      store.transact({ actor: null, action: "write on" }, (tx) =>
        tx.run("INSERT INTO audit (at, origin, action, target) VALUES (?, 'server', 'write', 'on')", tx.now),
      );
      await store.durable();
    }
  };
  const writers = [writer(), writer(), writer()];
  await store.checkpoint();
  busy = false;
  await Promise.all(writers);
  await store.close();
  const again = await openStore({ folder });
  assert.ok(again.report.replayed > 0);
  await again.close();
  rmSync(folder, { recursive: true });
});
