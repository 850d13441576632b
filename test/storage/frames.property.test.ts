import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { PageDamaged, SchemaTooNew, StorageDamaged } from "../../server/storage/errors.ts";
import { encodeChecked } from "../../server/storage/files.ts";
import { FrameKind, frameSize, readFrame, scanForFrames, sealFrame } from "../../server/storage/frames.ts";
import type { Store } from "../../server/storage/store.ts";
import { IS_LONG_RUN } from "../support/long-run.ts";
import { bytesOf, type Disk, processOn, RecordingFiles, seeded, withBytes } from "../support/recording-files.ts";
import { digest, FOLDER, openNotes, randomTransaction } from "./work.ts";

const RUNS = IS_LONG_RUN ? 20 : 1;

test("frames read back exactly, only at their own position", () => {
  const frame = fc.record(
    {
      kind: fc.constantFrom(...Object.values(FrameKind)),
      number: fc.maxSafeNat(),
      payload: fc.uint8Array({ maxLength: 300 }),
    },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 8 }), fc.nat(0xffffffff), fc.nat(0xffffffff), (frames, salt, other) => {
      const segment = Buffer.alloc(8192);
      let end = 0;
      for (const { kind, number, payload } of frames) {
        segment.set(payload, end + 24);
        end += sealFrame(segment, end, kind, number, payload.length, salt, end);
      }
      const read: unknown[] = [];
      let at = 0;
      for (let next = readFrame(segment, 0, salt); next; next = readFrame(segment, at, salt)) {
        read.push({ kind: next.kind, number: next.number, payload: new Uint8Array(next.payload) });
        assert.equal(next.end - at, frameSize(next.payload.length));
        at = next.end;
      }
      assert.deepEqual(read, frames);
      assert.equal(at, end);
      assert.equal([...scanForFrames(segment, 0, salt)].length >= frames.length, true);
      if (other !== salt) assert.equal(readFrame(segment, 0, other), undefined);
      const moved = Buffer.concat([Buffer.alloc(512), segment]);
      assert.deepEqual([...scanForFrames(moved, 0, salt)], []);
    }),
    { seed: 4, numRuns: 300 },
  );
});

test("a frame with any flipped bit is invalid", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      fc.nat(0xffffffff),
      fc.nat(),
      (payload, salt, where) => {
        const segment = Buffer.alloc(4096);
        segment.set(payload, 24);
        sealFrame(segment, 0, FrameKind.record, 7, payload.length, salt, 0);
        const bit = where % ((24 + payload.length) * 8);
        segment[bit >> 3] = (segment[bit >> 3] as number) ^ (1 << (bit & 7));
        assert.equal(readFrame(segment, 0, salt), undefined);
      },
    ),
    { seed: 5, numRuns: 500 },
  );
});

interface Data {
  disk: Disk;
  seq: number;
  state: string;
}

async function makeData(seed: number, how: { closed: boolean; checkpoints: number; each?: number }): Promise<Data> {
  const files = new RecordingFiles();
  const process = processOn(files);
  const pick = seeded(seed);
  const store = await openNotes(process, { create: true });
  for (let part = 0; part <= how.checkpoints; part += 1) {
    for (let done = 0; done < (how.each ?? 45); done += 1) {
      randomTransaction(store, pick);
      await store.durable();
      while (!store.hasRoom) await new Promise((resolve) => setImmediate(resolve));
    }
    if (part < how.checkpoints) await store.checkpoint();
  }
  const [seq, state] = [store.seq, digest(store.reader)];
  if (how.closed) await store.close();
  else process.kill();
  return { disk: files.now(), seq, state };
}

type Damage = { file: number; kind: "flip" | "zero" | "cut" | "repeat" | "swap" | "delete"; at: number; to: number };

const damage: fc.Arbitrary<Damage> = fc.record({
  file: fc.nat(1000),
  kind: fc.constantFrom("flip", "flip", "zero", "cut", "repeat", "swap", "delete"),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  to: fc.double({ min: 0, max: 1, noNaN: true }),
});

function damaged(disk: Disk, { file, kind, at, to }: Damage): Disk {
  const paths = [...disk.keys()].sort();
  const path = paths[file % paths.length] as string;
  const bytes = bytesOf(disk, path);
  // Most of a segment is unused zeros, so damage aims at the used part.
  const used = bytes.findLastIndex((byte) => byte !== 0) + 1;
  const [from, until] = [Math.floor(at * used), Math.floor(to * used)];
  if (kind === "flip") bytes[from] = (bytes[from] ?? 0) ^ (1 << (until % 8));
  else if (kind === "zero") bytes.fill(0, Math.min(from, until), to > 0.6 ? used : Math.max(from, until));
  else if (kind === "cut") return withBytes(disk, path, bytes.subarray(0, from));
  else if (kind === "repeat") bytes.copy(bytes, from & ~511, until & ~511, (until & ~511) + 512);
  else if (kind === "delete") {
    const less = new Map(disk);
    less.delete(path);
    return less;
  } else {
    const other = paths[(file + 1 + Math.floor(at * (paths.length - 1))) % paths.length] as string;
    return withBytes(withBytes(disk, path, bytesOf(disk, other)), other, bytes);
  }
  return withBytes(disk, path, bytes);
}

/** The store, or undefined if the start rejects the damage as it should. */
async function openDamaged(disk: Disk, create: boolean): Promise<Store | undefined> {
  try {
    return await openNotes(new RecordingFiles(disk), { create });
  } catch (error) {
    if (!(error instanceof StorageDamaged)) throw error;
    assert.ok(error.file.startsWith(FOLDER) && error.message.startsWith(error.file), error.message);
    assert.match(error.message, /restore the newest backup/);
    return undefined;
  }
}

/** Damage stops the start or the first read of a page. Every successful read returns the written data. */
async function neverLost({ disk, seq, state }: Data, create: boolean): Promise<"whole" | "page" | "start"> {
  const store = await openDamaged(disk, create);
  if (!store) return "start";
  assert.equal(store.seq, seq);
  try {
    assert.equal(digest(store.reader), state);
    return "whole";
  } catch (error) {
    if (!(error instanceof PageDamaged)) throw error;
    assert.ok(error.message.startsWith(`${FOLDER}/hearth.db: page ${error.page + 1} is damaged`), error.message);
    return "page";
  } finally {
    await store.close();
  }
}

/** Only `flushed` proves the last write. Damage to both looks like a write that a crash truncated. */
function leavesProof(before: Disk, after: Disk): boolean {
  const isSame = (path: string) => after.has(path) && bytesOf(before, path).equals(bytesOf(after, path));
  const changed = [...before.keys()].filter((path) => !isSame(path));
  return changed.length <= 1 || isSame(`${FOLDER}/log/flushed`);
}

for (const checkpoints of [0, 1, 2]) {
  test(`damage with ${checkpoints} checkpoints is always detected`, async () => {
    const data = await makeData(40 + checkpoints, { closed: true, checkpoints });
    assert.equal(await neverLost(data, false), "whole");
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), fc.boolean(), async (damages, create) => {
        let { disk } = data;
        for (const one of damages) if (disk.size > 0) disk = damaged(disk, one);
        fc.pre(leavesProof(data.disk, disk));
        await neverLost({ ...data, disk }, create);
      }),
      { seed: 6 + checkpoints, numRuns: IS_LONG_RUN ? 7000 : 150 },
    );
  });
}

test("every byte of segments, lists and the database is protected", async () => {
  const data = await makeData(44, { closed: true, checkpoints: 1 });
  const results = new Set<string>();
  for (const [path] of data.disk) {
    const bytes = bytesOf(data.disk, path);
    const used = bytes.findLastIndex((byte) => byte !== 0) + 1;
    const step = Math.max(1, Math.floor(used / (40 * RUNS)));
    for (let at = 0; at < used; at += step) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ 4;
      results.add(await neverLost({ ...data, disk: withBytes(data.disk, path, changed) }, true));
    }
  }
  assert.ok(results.has("start"));
});

test("stray bits in the spare segment lose nothing", async () => {
  for (const closed of [true, false]) {
    const data = await makeData(45, { closed, checkpoints: 1 });
    const spare = [...data.disk.keys()]
      .filter((path) => path.endsWith(".log"))
      .sort()
      .at(-1) as string;
    const size = bytesOf(data.disk, spare).length;
    const places = fc.array(fc.nat(size * 8 - 1), { minLength: 1, maxLength: 3 });
    const property = fc.asyncProperty(places, async (bits) => {
      const bytes = bytesOf(data.disk, spare);
      for (const bit of new Set(bits)) bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
      const files = new RecordingFiles(withBytes(data.disk, spare, bytes));
      const store = await openNotes(files);
      assert.deepEqual([store.seq, digest(store.reader)], [data.seq, data.state]);
      assert.equal(store.report.strayBytes, spare);
      await store.close();
      const next = await openNotes(new RecordingFiles(files.now()));
      assert.deepEqual([next.report.strayBytes, digest(next.reader)], [undefined, data.state]);
      await next.close();
    });
    await fc.assert(property, { seed: 7, numRuns: 30 * RUNS });
  }
});

test("a torn end next to stray bits counts as damage", async () => {
  const { disk } = await makeData(45, { closed: true, checkpoints: 0 });
  const [last, spare] = [...disk.keys()].filter((path) => path.endsWith(".log")).sort() as [string, string];
  const [bytes, stray] = [bytesOf(disk, last), bytesOf(disk, spare)];
  const end = bytes.findLastIndex((byte) => byte !== 0);
  bytes[end] = (bytes[end] as number) ^ 1;
  stray[5000] = 1;
  const both = withBytes(withBytes(disk, last, bytes), spare, stray);
  both.delete(`${FOLDER}/log/flushed`); // otherwise it proves that a record is missing
  await assert.rejects(openNotes(new RecordingFiles(both)), StorageDamaged);
});

test("damage at the end of a segment names that segment", async () => {
  const data = await makeData(46, { closed: true, checkpoints: 0, each: 250 });
  const segments = [...data.disk.keys()].filter((path) => path.endsWith(".log")).sort();
  assert.ok(segments.length > 3);
  for (const path of segments.slice(0, -2)) {
    const bytes = bytesOf(data.disk, path);
    const used = bytes.findLastIndex((byte) => byte !== 0) + 1;
    for (const at of [4, 8, 30, 4096, used - 20, used - 1]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ 1;
      const opening = openNotes(new RecordingFiles(withBytes(data.disk, path, changed)));
      await assert.rejects(opening, (error: StorageDamaged) => error.file === path, `${path} at ${at}`);
    }
  }
});

test("a damaged header next to a damaged end is not a spare segment", async () => {
  const data = await makeData(47, { closed: false, checkpoints: 0, each: 250 });
  const [used, before] = [...data.disk.keys()]
    .filter((path) => path.endsWith(".log"))
    .sort()
    .reverse()
    .slice(1);
  const whole = bytesOf(data.disk, before as string);
  const end = whole.findLastIndex((byte) => byte !== 0) + 1;
  for (const frames of [true, false]) {
    // The end frame is gone without a trace. The next segment has a header with a wrong byte, or only frames.
    const cut = Buffer.from(whole).fill(0, end - 24);
    const next = bytesOf(data.disk, used as string);
    if (frames) next.fill(0, 0, 4096);
    else next.fill(0, 4096)[20] = 0;
    const disk = withBytes(withBytes(data.disk, before as string, cut), used as string, next);
    await assert.rejects(openNotes(new RecordingFiles(disk)), StorageDamaged);
  }
});

const newestSegment = (disk: Disk) =>
  [...disk.keys()]
    .filter((path) => path.endsWith(".log") && bytesOf(disk, path).some((byte) => byte !== 0))
    .sort()
    .at(-1) as string;

test("a torn last write is cut off and reported", async () => {
  const files = new RecordingFiles();
  const process = processOn(files);
  const store = await openNotes(process, { create: true });
  const states: string[] = [];
  for (let count = 1; count <= 20; count += 1) {
    store.transact({ actor: 1, action: "test" }, (tx) =>
      tx.run("INSERT INTO notes (body) VALUES (?)", `note ${count}`),
    );
    states.push(digest(store.reader));
    await store.durable();
  }
  process.kill();
  const disk = files.now();
  const path = newestSegment(disk);
  const bytes = bytesOf(disk, path);
  const used = bytes.findLastIndex((byte) => byte !== 0) + 1;
  for (let at = 4096; at < used; at += 7) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] as number) ^ 1;
    const opened = await openDamaged(withBytes(disk, path, changed), false);
    if (!opened) continue;
    if (opened.seq < 20) {
      assert.equal(opened.seq, 19, "more than the last write was cut");
      assert.equal(opened.report.torn?.file, path);
    }
    assert.equal(digest(opened.reader), states[opened.seq - 1]);
    await opened.close();
  }
});

test("zeros over the last records of a stopped server count as damage", async () => {
  const data = await makeData(48, { closed: true, checkpoints: 0 });
  const path = newestSegment(data.disk);
  const bytes = bytesOf(data.disk, path);
  const used = bytes.findLastIndex((byte) => byte !== 0) + 1;
  for (let from = 0; from < used; from += Math.ceil(used / 50)) {
    const changed = Buffer.from(bytes).fill(0, from);
    assert.equal(await openDamaged(withBytes(data.disk, path, changed), true), undefined, `from byte ${from}`);
  }
});

test("removed records never return after new writes", async () => {
  const files = new RecordingFiles();
  const process = processOn(files);
  const store = await openNotes(process, { create: true });
  const add = (to: Store, body: string) =>
    to.transact({ actor: 1, action: "test" }, (tx) => tx.run("INSERT INTO notes (body) VALUES (?)", body));
  add(store, "first");
  await store.durable();
  for (const body of [`aaaa${"-".repeat(24)}`, "bbbb", "cccc"]) add(store, body); // one write, torn below
  await store.durable();
  process.kill();
  const path = newestSegment(files.now());
  const torn = bytesOf(files.now(), path);
  torn.write("torn", torn.indexOf("aaaa"));
  const again = new RecordingFiles(withBytes(files.now(), path, torn));
  const second = processOn(again);
  const recovered = await openNotes(second);
  assert.equal(recovered.report.torn?.file, path);
  assert.equal(recovered.seq, 1);
  add(recovered, "AAAA"); // as long as the record it replaces, so that "bbbb" would follow
  await recovered.durable();
  second.kill();
  const last = await openNotes(new RecordingFiles(again.now()));
  assert.deepEqual(last.reader.all("SELECT body FROM notes ORDER BY id"), [{ body: "first" }, { body: "AAAA" }]);
  await last.close();
});

test("a missing file is named and never silently replaced", async () => {
  const { disk } = await makeData(46, { closed: true, checkpoints: 2 });
  const without = (matches: (path: string) => boolean) => new Map([...disk].filter(([path]) => !matches(path)));
  const stops = async (left: Disk, names: string) => {
    for (const create of [false, true]) {
      await assert.rejects(
        openNotes(new RecordingFiles(left), { create }),
        (error: Error) => error instanceof StorageDamaged && error.file.includes(names),
        names,
      );
    }
  };
  await stops(
    without((path) => path.includes("hearth.db")),
    "hearth.db",
  );
  await stops(
    without((path) => path.includes("hearth.sums")),
    "hearth.sums",
  );
  await stops(
    without((path) => path.endsWith("format.json")),
    "log/format.json",
  );
  await stops(
    without((path) => path.includes("/log/")),
    "log/format.json",
  );
  await stops(
    without((path) => path.endsWith(".log")),
    "/log",
  );
  await stops(
    without((path) => path === newestSegment(disk)),
    "/log",
  );
  const killed = (await makeData(49, { closed: false, checkpoints: 0, each: 300 })).disk;
  const newest = newestSegment(killed);
  assert.doesNotMatch(newest, /00000001-/);
  const cut = new Map([...killed].filter(([path]) => !path.endsWith(".log") || path < newest));
  await stops(cut, "/log");
  await stops(
    without((path) => path.includes("hearth.db") || path.endsWith("format.json")),
    "log/format.json",
  );
  await stops(withBytes(disk, newestSegment(disk), bytesOf(disk, newestSegment(disk)).subarray(0, 8192)), ".log");
});

test("rewrites a damaged format marker", async () => {
  const { disk } = await makeData(46, { closed: true, checkpoints: 2 });
  const path = `${FOLDER}/log/format.json`;
  for (const text of ["[{", "[]", ""]) {
    const files = new RecordingFiles(withBytes(disk, path, Buffer.from(text)));
    await (await openNotes(files)).close();
    assert.deepEqual(bytesOf(files.now(), path), bytesOf(disk, path), text);
  }
  const unknown = withBytes(disk, path, encodeChecked({ format: 99 }));
  await assert.rejects(openNotes(new RecordingFiles(unknown)), SchemaTooNew);
});

test("files from different times do not form one database", async () => {
  const { disk: older } = await makeData(47, { closed: true, checkpoints: 1 });
  const { disk } = await makeData(47, { closed: true, checkpoints: 2 });
  for (const path of [`${FOLDER}/hearth.db`, `${FOLDER}/hearth.sums`])
    assert.equal(await openDamaged(withBytes(disk, path, bytesOf(older, path)), false), undefined, path);
});
