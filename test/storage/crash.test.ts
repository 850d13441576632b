import assert from "node:assert/strict";
import test from "node:test";
import type { Files } from "../../server/storage/files.ts";
import type { Published, Store } from "../../server/storage/store.ts";
import { IS_LONG_RUN } from "../support/long-run.ts";
import { type Crash, processOn, RecordingFiles, seeded } from "../support/recording-files.ts";
import { about, digest, FOLDER, made, type NotesOptions, openNotes, randomTransaction } from "./work.ts";

const WAYS = ["nothing unflushed", "everything", "torn", "reordered"] as const;

/** Segments small enough that a run fills several. */
const openSmall = (files: Files, more: NotesOptions = {}) => openNotes(files, { segmentSize: 16 << 10, ...more });

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** The promises that callers have received after this many disk operations. */
interface Promised {
  operations: number;
  seq: number;
  eventId: number;
}

class Run {
  readonly files = new RecordingFiles();
  readonly promises: Promised[] = [];
  /** Digests of the tables after each record, per start. A killed start may leave records that no later start sees. */
  readonly starts: { operations: number; states: Map<number, string> }[] = [];
  readonly published: Published[] = [];
  process = processOn(this.files);
  store!: Store;
  created = 0;

  async open(): Promise<void> {
    this.process = processOn(this.files);
    this.store = await openSmall(this.process, { create: this.created === 0 });
    this.created ||= this.files.operations.length;
    const earlier = [...(this.starts.at(-1)?.states ?? [])].filter(([seq]) => seq <= this.store.seq);
    this.starts.push({ operations: this.files.operations.length, states: new Map(earlier) });
    if (earlier.length === 0) this.remember();
    else assert.equal(digest(this.store.reader), earlier.at(-1)?.[1]);
    // A start exposes the records it read immediately, so they count as promised.
    this.promise(this.store.seq, this.store.lastEventId);
    this.store.onPublish((events) => {
      this.published.push(...events);
      this.promise(0, events.at(-1)?.id ?? 0);
    });
  }

  promise(seq: number, eventId: number): void {
    const last = this.promises.at(-1);
    this.promises.push({
      operations: this.files.operations.length,
      seq: Math.max(seq, last?.seq ?? 0),
      eventId: Math.max(eventId, last?.eventId ?? 0),
    });
  }

  remember(): void {
    this.starts.at(-1)?.states.set(this.store.seq, digest(this.store.reader));
  }

  statesAt(operations: number): Map<number, string> {
    return (this.starts.findLast((start) => start.operations <= operations) ?? this.starts[0])?.states ?? new Map();
  }

  work(pick: () => number): void {
    randomTransaction(this.store, pick);
    const { seq } = this.store;
    this.remember();
    this.store.durable(seq)?.then(
      () => this.promise(seq, 0),
      () => {},
    );
    if (pick() < 0.15) this.store.announce(made("typing"), { users: [1] });
  }

  promisedAfter(operations: number): Promised {
    return (
      this.promises.findLast((promise) => promise.operations <= operations) ?? { operations: 0, seq: 0, eventId: 0 }
    );
  }
}

async function randomRun(
  seed: number,
  length: number,
  segments: { checkpoints: boolean; kills: boolean },
): Promise<Run> {
  const pick = seeded(seed);
  const run = new Run();
  await run.open();
  for (let done = 0; done < length; done += 1) {
    while (!run.store.hasRoom) await turn();
    run.work(pick);
    if (pick() < 0.4) await run.store.durable();
    if (segments.checkpoints && pick() < 0.07) {
      const made = run.store.checkpoint();
      // Otherwise writes continue during it, and kills come before its end.
      if (pick() < 0.4) await made;
      else made.catch(() => {});
    }
    if (pick() < 0.04) {
      await run.store.close();
      await run.open();
    } else if (segments.kills && pick() < 0.06) {
      // The next start can read a killed process's unflushed writes, but a crash may still lose them.
      for (let turns = Math.floor(pick() * 6); turns > 0; turns -= 1) await turn();
      run.process.kill();
      await run.open();
    }
  }
  await run.store.close();
  return run;
}

/** Recovers from the crash and from crashes during recovery, then continues. */
async function recoversFrom(run: Run, count: number, crash: Crash): Promise<void> {
  const promised = run.promisedAfter(count);
  const states = run.statesAt(count);
  const disk = run.files.after(count, crash);
  const files = new RecordingFiles(disk);
  const create = count < run.created;
  const store = await openSmall(files, { create });
  const state = digest(store.reader);
  assert.ok(store.seq >= promised.seq, `record ${promised.seq} was acknowledged, ${store.seq} is there`);
  assert.equal(state, states.get(store.seq), `the state is not the one after record ${store.seq}`);
  assert.ok(store.lastEventId >= promised.eventId, "event IDs go back");
  const recovered = files.operations.length;
  const { seq } = store;

  // Recovering again gives the same state, unless a crash during recovery keeps less of the unproven end.
  for (const cut of new Set([0, Math.floor(crash.pick() * recovered), recovered])) {
    const again = await openSmall(new RecordingFiles(files.after(cut, crash)), { create });
    assert.ok(again.seq >= (cut === recovered ? seq : promised.seq), "a recovery that was cut short lost records");
    assert.equal(digest(again.reader), states.get(again.seq));
    if (cut === 0) assert.equal(again.seq, seq);
    await again.close();
  }

  store.transact({ actor: null, action: "go on" }, (tx) => {
    tx.run("INSERT INTO notes (body) VALUES (?)", "after the crash");
    tx.emit(made("went on"), { users: [3] });
  });
  await store.durable();
  const after = digest(store.reader);
  const last = store.lastEventId;
  const reopened = await openSmall(
    new RecordingFiles(files.after(files.operations.length, { how: "nothing unflushed", pick: crash.pick })),
  );
  assert.equal(digest(reopened.reader), after);
  assert.ok(reopened.lastEventId >= last && last > promised.eventId);
  await reopened.close();
  await store.close();
}

async function survivesEverywhere(run: Run, seed: number, samples: number): Promise<void> {
  const total = run.files.operations.length;
  const pick = seeded(seed);
  const exhaustive = total * WAYS.length <= samples;
  const cases = exhaustive ? total * WAYS.length : samples;
  for (let index = 0; index < cases; index += 1) {
    const sampled = index === 0 ? total : Math.floor(pick() * total);
    const count = exhaustive ? Math.floor(index / WAYS.length) : sampled;
    const how = exhaustive
      ? (WAYS[index % WAYS.length] as Crash["how"])
      : (WAYS[Math.floor(pick() * WAYS.length)] as Crash["how"]);
    try {
      await recoversFrom(run, count, { how, pick: seeded(seed + index) });
    } catch (error) {
      throw new Error(`seed ${seed}, crash after operation ${count} of ${total}, ${how}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
}

test("a short run survives a crash after each operation", async () => {
  const run = await randomRun(11, 10, { checkpoints: false, kills: false });
  await survivesEverywhere(run, 12, Number.MAX_SAFE_INTEGER);
});

test("a checkpoint survives interruption at each operation", async () => {
  const run = new Run();
  const pick = seeded(21);
  await run.open();
  for (let done = 0; done < 4; done += 1) run.work(pick);
  await run.store.durable();
  await run.store.checkpoint();
  for (let done = 0; done < 3; done += 1) run.work(pick);
  await run.store.checkpoint();
  await run.store.close();
  await survivesEverywhere(run, 22, IS_LONG_RUN ? Number.MAX_SAFE_INTEGER : 100);
});

/** Fills separate pages, so that a checkpoint takes many operations. */
const fillPages = (run: Run, count: number) => {
  for (let done = 0; done < count; done += 1) {
    run.store.transact(about, (tx) =>
      tx.run("INSERT INTO notes (body, pages) VALUES (?, zeroblob(3500))", `page ${done}`),
    );
    run.remember(); // a torn write may make any of them the last
  }
};

test("a large checkpoint survives interruption during writes", async () => {
  const run = new Run();
  const pick = seeded(41);
  await run.open();
  fillPages(run, 60);
  await run.store.durable();
  await run.store.checkpoint();
  fillPages(run, 30);
  let made = false;
  const checkpoint = run.store.checkpoint().finally(() => (made = true));
  while (!made) {
    if (run.store.hasRoom) run.work(pick);
    await turn();
  }
  await checkpoint;
  for (let done = 0; done < 5; done += 1) run.work(pick);
  await run.store.durable();
  const pages = run.files.operations.filter((operation) => operation.kind === "write" && operation.length % 4096 === 0);
  assert.ok(pages.length > 20, `${pages.length} writes of pages`);
  await run.store.close();
  await survivesEverywhere(run, 42, IS_LONG_RUN ? Number.MAX_SAFE_INTEGER : 32);
});

test("a killed checkpoint with an unsynced name survives any crash", async () => {
  const run = new Run();
  const pick = seeded(61);
  await run.open();
  for (let done = 0; done < 6; done += 1) run.work(pick);
  await run.store.durable();
  run.files.failWith = (call, path) => (call === "syncFolder" && path === FOLDER ? "EIO" : undefined);
  await assert.rejects(run.store.checkpoint(), /EIO/);
  run.process.kill();
  run.files.failWith = undefined;
  const before = run.files.operations.length;
  await run.open();
  const finished = run.files.operations
    .slice(before)
    .some((one) => one.kind === "remove" && one.path.endsWith("hearth.journal"));
  assert.equal(finished, true, "the next start found it");
  for (let done = 0; done < 3; done += 1) run.work(pick);
  await run.store.close();
  await survivesEverywhere(run, 62, IS_LONG_RUN ? Number.MAX_SAFE_INTEGER : 48);
});

test("a checkpoint after a failed one survives interruption", async () => {
  const outcomes = new Set<string>();
  for (let [failing, last] = [1, false]; !last; failing += 1) {
    const [run, pick] = [new Run(), seeded(51)]; // the same calls each time
    await run.open();
    for (let done = 0; done < 6; done += 1) run.work(pick);
    await run.store.durable();
    let calls = 0;
    run.files.failWith = (_, path) => {
      if (path.includes("hearth.")) calls += 1;
      return path.includes("hearth.") && calls === failing ? "EIO" : undefined;
    };
    const outcome = await run.store.checkpoint().then(
      () => "made",
      (error: Error) => error.message.replace(/^.*injected, (\w+) .*\/([^/]+)$/, "$1 $2"),
    );
    run.files.failWith = undefined;
    outcomes.add(outcome);
    for (let done = 0; done < 4; done += 1) run.work(pick);
    await run.store.durable();
    await run.store.checkpoint();
    await run.store.close();
    await survivesEverywhere(run, 52 + failing, IS_LONG_RUN ? Number.MAX_SAFE_INTEGER : 8);
    last = calls < failing;
  }
  for (const step of ["create hearth.journal.new", "rename hearth.journal.new", "write hearth.db", "sync hearth.sums"])
    assert.ok(outcomes.has(step), `${step} failed: ${[...outcomes]}`);
});

for (let seed = 100; seed < (IS_LONG_RUN ? 160 : 104); seed += 1) {
  test(`long runs survive any crash (seed ${seed})`, async () => {
    const run = await randomRun(seed, 150, { checkpoints: seed % 3 !== 2, kills: seed % 2 === 1 });
    await survivesEverywhere(run, seed * 1000, IS_LONG_RUN ? 400 : 60);
  });
}

test("published events survive a crash unchanged and in order", async () => {
  const run = await randomRun(31, 60, { checkpoints: false, kills: false });
  const store = await openSmall(
    new RecordingFiles(run.files.after(run.files.operations.length, { how: "nothing unflushed", pick: seeded(1) })),
  );
  const read: Published[] = [];
  for (let after = store.oldestEventId; ; ) {
    const { events, through } = store.eventsInLog(after);
    read.push(...events);
    if (through === after) break;
    after = through;
  }
  const plain = (events: Published[]) =>
    events.filter(({ event }) => String(event.type) === "noted").map(({ id, event, users }) => [id, event, [...users]]);
  assert.deepEqual(plain(read), plain(run.published));
  await store.close();
});
