import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { StorageBusy, StorageFailed, StorageFull } from "../../server/storage/errors.ts";
import { openStore, type Store } from "../../server/storage/store.ts";
import { type Crash, processOn, RecordingFiles, seeded } from "../support/recording-files.ts";
import { about, digest, notesSchema, openNotes, randomTransaction } from "./work.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

const add = (store: Store, body: string) =>
  store.transact(about, (tx) => tx.run("INSERT INTO notes (body) VALUES (?)", body));

async function failsAt(failing: number, code: "EIO" | "ENOSPC"): Promise<"no such call" | "went on" | "stopped"> {
  const files = new RecordingFiles();
  const process = processOn(files);
  const pick = seeded(3);
  const states = new Map<number, string>();
  const failures: StorageFailed[] = [];
  let [acknowledged, failed] = [0, ""];
  const afterFailure: string[] = [];
  files.failWith = (call, path) => {
    if (failures.length > 0) afterFailure.push(`${call} ${path}`);
    if (files.calls !== failing) return undefined;
    failed = path;
    return code;
  };
  let [opened, outcome] = [false, "no such call" as Awaited<ReturnType<typeof failsAt>>];
  try {
    const store = await openNotes(process, { create: true, onFailure: (error) => failures.push(error) });
    opened = true;
    states.set(store.seq, digest(store.reader));
    for (let done = 0; done < 14; done += 1) {
      while (!store.hasRoom && !failed) await turn();
      if (!store.hasRoom) break;
      randomTransaction(store, pick);
      states.set(store.seq, digest(store.reader));
      const { seq } = store;
      await store.durable();
      acknowledged = seq;
      if (done === 7 || done === 11)
        await store.checkpoint().catch((error: Error) => assert.match(error.message, new RegExp(`${code}|full`)));
    }
    await store.close();
    if (failed) outcome = "went on";
  } catch (error) {
    outcome = "stopped";
    assert.match((error as Error).message, new RegExp(code));
    if (failures.length > 0) assert.ok(error instanceof StorageFailed, String(error));
  }
  process.kill();
  assert.ok(failures.length <= 1, "onFailure is called once");
  if (failures.length > 0) {
    assert.equal(outcome, "stopped");
    assert.deepEqual(
      afterFailure.filter((call) => call.endsWith(failed) && /^(write|sync)/.test(call)),
      [],
      "a failed write was tried again",
    );
  }
  files.failWith = undefined;
  const crash = async (hows: Crash["how"][], check: (again: Store) => void) => {
    for (const how of hows) {
      const disk = files.after(files.operations.length, { how, pick });
      const again = await openNotes(new RecordingFiles(disk), { create: !opened });
      check(again);
      await again.close();
    }
  };
  await crash(["everything", "nothing unflushed"], (again) => {
    assert.ok(again.seq >= acknowledged, `${acknowledged} was acknowledged, ${again.seq} is there`);
    assert.equal(digest(again.reader), states.get(again.seq) ?? digest(again.reader));
  });
  if (failures.length === 0) return outcome;
  // A restart on the same system reads unflushed data from memory and exposes it.
  const next = processOn(files);
  const restarted = await openNotes(next, { create: !opened });
  assert.ok(restarted.seq >= acknowledged);
  const shown = restarted.seq;
  await crash(["nothing unflushed"], (again) =>
    assert.ok(again.seq >= shown, `${shown} was shown, ${again.seq} is there`),
  );
  add(restarted, "after the restart");
  await restarted.durable();
  const newest = digest(restarted.reader);
  next.kill();
  await crash(["nothing unflushed"], (again) => assert.equal(digest(again.reader), newest));
  return outcome;
}

for (const code of ["EIO", "ENOSPC"] as const) {
  test(`acknowledged data survives ${code} from any call`, async () => {
    const outcomes = new Set<string>();
    for (let failing = 1; ; failing += 1) {
      const outcome = await failsAt(failing, code).catch((cause: Error) => {
        throw new Error(`call ${failing}: ${cause.message}`, { cause });
      });
      outcomes.add(outcome);
      if (outcome === "no such call") break;
    }
    assert.deepEqual([...outcomes].sort(), ["no such call", "stopped", "went on"]);
  });
}

test("a failed write rejects all waiters and later writes", async () => {
  const files = new RecordingFiles();
  const failures: StorageFailed[] = [];
  const store = await openNotes(files, { create: true, onFailure: (error) => failures.push(error) });
  add(store, "kept");
  await store.durable();
  const published: unknown[] = [];
  store.onPublish((events) => published.push(...events));
  files.failWith = (call, path) => (call === "sync" && path.includes("/log/0") ? "EIO" : undefined);
  add(store, "lost");
  store.transact(about, (tx) => tx.emit({ type: "heartbeat" }, { users: [1] }));
  const waiting = [store.durable(), store.durable(2), store.durable()];
  for (const outcome of await Promise.allSettled(waiting))
    assert.ok(outcome.status === "rejected" && outcome.reason instanceof StorageFailed);
  files.failWith = undefined;
  assert.equal(failures.length, 1);
  assert.throws(() => add(store, "later"), StorageFailed);
  await assert.rejects(async () => store.durable(), StorageFailed);
  await assert.rejects(store.checkpoint(), StorageFailed);
  assert.equal(store.reader.value("SELECT count(*) FROM notes"), 2); // reads work until the thread ends
  await store.close();
  assert.deepEqual(published, []);
  const again = await openNotes(
    new RecordingFiles(files.after(files.operations.length, { how: "nothing unflushed", pick: Math.random })),
  );
  assert.deepEqual(again.reader.all("SELECT body FROM notes"), [{ body: "kept" }]);
  await again.close();
});

async function fill(store: Store, body: string): Promise<void> {
  for (;;) {
    const before = digest(store.reader);
    const { seq } = store;
    try {
      add(store, body);
    } catch (error) {
      assert.ok(error instanceof StorageFull, String(error));
      assert.equal(digest(store.reader), before);
      assert.equal(store.seq, seq);
      return;
    }
    await store.durable();
    for (let turns = 0; turns < 5; turns += 1) await turn();
  }
}

test("a full disk rejects writes but serves reads", async (t: TestContext) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const files = new RecordingFiles();
  const store = await openNotes(files, { create: true });
  while (!files.list("/data/log").some((name) => name.startsWith("00000002"))) await turn();
  for (let turns = 0; turns < 20; turns += 1) await turn();
  files.failWith = (call, path) => (call === "create" && path.endsWith(".log") ? "ENOSPC" : undefined);
  await fill(store, "x".repeat(500));
  assert.equal(store.hasRoom, false);
  assert.equal(store.untilRoom(), undefined, "nothing to wait for");
  assert.equal(store.acceptsWrites, false);
  const full = store.reader.value<number>("SELECT count(*) FROM notes") as number;
  assert.ok(full > 20);
  t.mock.timers.tick(5_000);
  for (let turns = 0; turns < 20; turns += 1) await turn();
  assert.equal(store.hasRoom, false);
  const announced = store.lastEventId;
  store.announce({ type: "heartbeat" } as never, { users: [1] });
  assert.equal(store.lastEventId, announced, "no event ids without room to reserve them");
  files.failWith = undefined;
  t.mock.timers.tick(1_000);
  for (let turns = 0; turns < 50; turns += 1) await turn();
  add(store, "there is room");
  await store.durable();
  await store.close();
  const again = await openNotes(new RecordingFiles(files.now()));
  assert.equal(again.reader.value("SELECT count(*) FROM notes"), full + 1);
  await again.close();
});

test("a write waits until the next segment is ready", async () => {
  const files = new RecordingFiles();
  const slow = Promise.withResolvers<void>();
  const third = (path: string) => path.includes("/log/00000003");
  const open = files.open.bind(files);
  files.open = (path, how, options) => {
    const file = open(path, how, options);
    return third(path) ? { ...file, writeLater: (...of) => slow.promise.then(() => file.writeLater(...of)) } : file;
  };
  const store = await openNotes(files, { create: true });
  while (store.hasRoom || !files.list("/data/log").some((name) => name.startsWith("00000003"))) {
    if (store.hasRoom) add(store, "x".repeat(2000));
    await store.durable();
    await turn();
  }
  assert.throws(() => add(store, "too early"), StorageBusy);
  assert.equal(store.acceptsWrites, true, "the disk is not full");
  let resumed = false;
  const waiting = store.untilRoom()?.then(() => {
    resumed = true;
    assert.equal(store.untilRoom(), undefined);
    add(store, "there is room");
  });
  for (let turns = 0; turns < 50; turns += 1) await turn();
  assert.equal(resumed, false);
  slow.resolve();
  await waiting;
  assert.equal(resumed, true);
  await store.close();
});

test("a checkpoint waiting for a flush prepares a segment once", async () => {
  const files = new RecordingFiles();
  const [ofTail, ofNext] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = { "/log/00000002": Promise.resolve(), "/log/00000003": ofNext.promise };
  const opened: string[] = [];
  const open = files.open.bind(files);
  files.open = (path, how, options) => {
    if (how !== "read") opened.push(path);
    const file = open(path, how, options);
    const segment = Object.keys(held).find((name) => path.includes(name)) as keyof typeof held | undefined;
    return segment ? { ...file, writeLater: (...of) => held[segment].then(() => file.writeLater(...of)) } : file;
  };
  const segments = (number: number) => opened.filter((path) => path.includes(`/log/0000000${number}`)).length;
  const store = await openNotes(files, { create: true });
  let count = 0;
  const fill = async (isFull: () => boolean) => {
    while (!isFull()) {
      if (store.hasRoom) {
        add(store, "x".repeat(2000));
        count += 1;
      } else await turn();
    }
  };
  while (segments(3) === 0) {
    add(store, "x".repeat(2000));
    count += 1;
    await store.durable();
  }
  // The checkpoint waits for the next segment, and before that for a flush of this one. By then the next is ready.
  held["/log/00000002"] = ofTail.promise;
  add(store, "under way");
  const checkpoint = store.checkpoint();
  ofNext.resolve();
  for (let turns = 0; turns < 20; turns += 1) await turn();
  ofTail.resolve();
  for (let turns = 0; turns < 2; turns += 1) await turn();
  const more = count + 60;
  await fill(() => count >= more);
  await checkpoint;
  await store.close();
  assert.equal(segments(3), 1);
  const again = await openNotes(new RecordingFiles(files.now()));
  assert.equal(again.reader.value("SELECT count(*) FROM notes"), count + 1);
  await again.close();
});

function smallDisk(t: TestContext, size: string): { folder: string; resize(size: string): void } | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) {
    t.skip("mounting a small file system needs root on Linux");
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), "hearth-small-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder], { stdio: "pipe" });
  } catch (error) {
    rmSync(folder, { recursive: true });
    t.skip(`this machine refuses to mount a tmpfs: ${(error as Error).message.split("\n")[0]}`);
    return undefined;
  }
  t.after(() => {
    execFileSync("umount", ["-l", folder]);
    rmSync(folder, { recursive: true });
  });
  return { folder, resize: (newSize) => void execFileSync("mount", ["-o", `remount,size=${newSize}`, folder]) };
}

test("a real full disk rejects writes", async (t) => {
  const disk = smallDisk(t, "40m");
  if (!disk) return;
  const store = await openStore({ folder: disk.folder, create: true, testing: { migrations: notesSchema } });
  while (store.hasRoom) {
    store.transact(about, (tx) => tx.run("INSERT INTO notes (body) VALUES (?)", "x".repeat(1 << 20)));
    await store.durable();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.throws(() => add(store, "no room"), StorageFull);
  const full = store.reader.value<number>("SELECT count(*) FROM notes") as number;
  assert.ok(full >= 16, `${full} MB were taken`);
  await assert.rejects(store.checkpoint(), StorageFull);
  disk.resize("120m");
  while (!store.hasRoom) await new Promise((resolve) => setTimeout(resolve, 50));
  add(store, "there is room");
  await store.durable();
  await store.checkpoint();
  await store.close();
  const again = await openStore({ folder: disk.folder, testing: { migrations: notesSchema } });
  assert.equal(again.report.replayed, 0);
  assert.equal(again.reader.value("SELECT count(*) FROM notes"), full + 1);
  await again.close();
});
