import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { ApiError, problem } from "../../server/errors.ts";
import { type Disk, StoredFiles } from "../../server/media/files/stored-files.ts";
import { StorageFull } from "../../server/storage/errors.ts";

const LIMIT = { bytes: 4 << 20, refusal: () => new ApiError("BAD_REQUEST", problem("file_too_large", { max: 4 })) };

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "hearth-files-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function start(t: TestContext, disk: Partial<Disk> = {}, at = folder(t)) {
  const files = new StoredFiles(at, () => undefined, { disk });
  const all = () =>
    readdirSync(join(at, "uploads"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  return { files, all, at };
}

/** Copies each piece, because a piece is valid only briefly. */
async function contentOf(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const copies: Buffer[] = [];
  for await (const piece of source) copies.push(Buffer.from(piece));
  return Buffer.concat(copies);
}

function* pieces(bytes: Buffer, size = 60_000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test("reads stored files, whole and in parts", async (t) => {
  const { files, all } = start(t);
  const bytes = randomBytes(3_000_001);
  const temporary = await files.receive(pieces(bytes), LIMIT);
  assert.equal(temporary.size, bytes.length);
  assert.ok(bytes.subarray(0, 4096).equals(temporary.head));
  const stored = await files.store([{ kind: "attachments", content: temporary }], ([file]) => file!);
  assert.ok((await contentOf(files.read(stored))).equals(bytes));
  assert.deepEqual(await contentOf(files.read(stored, 2_000_000, 2_000_010)), bytes.subarray(2_000_000, 2_000_010));
  assert.deepEqual(all(), [files.pathOf(stored)]);
  if (process.platform !== "win32") assert.equal(statSync(files.pathOf(stored)).mode & 0o777, 0o600);
});

test("a received file does not depend on its pieces", async (t) => {
  const { files } = start(t);
  const bytes = randomBytes(200_000);
  const file = files.begin(LIMIT);
  for (const piece of pieces(bytes)) {
    const lent = Buffer.from(piece);
    await file.append(lent);
    lent.fill(0); // like a socket's chunk, which is freed then
  }
  const temporary = await file.finish();
  assert.ok(bytes.subarray(0, 4096).equals(temporary.head));
  const stored = await files.store([{ kind: "attachments", content: temporary }], ([one]) => one!);
  assert.ok((await contentOf(files.read(stored))).equals(bytes));
});

test("flushes a large file while it arrives and at its end", async (t) => {
  const flushed: number[] = [];
  let written = 0;
  const { files } = start(t, {
    async open(...args) {
      const file = await open(...args);
      const { write, sync } = file;
      file.write = (async (...how: unknown[]) => {
        const done = await (write as (...given: unknown[]) => Promise<{ bytesWritten: number }>).apply(file, how);
        written += done.bytesWritten;
        return done;
      }) as typeof file.write;
      file.sync = async () => {
        flushed.push(written);
        await sync.call(file);
      };
      return file;
    },
  });
  const bytes = randomBytes(1 << 20);
  const source = (function* () {
    for (let count = 0; count < 70; count += 1) yield bytes;
  })();
  const { size } = await files.receive(source, { ...LIMIT, bytes: 1e9 });
  assert.equal(size, 70 << 20);
  assert.equal(flushed.at(-1), 70 << 20, "all of it is on disk");
  const steps = [0, ...flushed].map((at, index, all) => (all[index + 1] ?? at) - at);
  assert.ok(Math.max(...steps) <= 33 << 20, `at most two times 16 MB wait for a flush: ${flushed}`);
});

test("stores several files together, also an empty one", async (t) => {
  const { files, all } = start(t);
  const contents = ["", "a picture"].map((text) => ({ kind: "avatars" as const, content: Buffer.from(text) }));
  const stored = await files.store(contents, (both) => both);
  assert.deepEqual(
    stored.map(({ size }) => size),
    [0, 9],
  );
  assert.deepEqual(
    stored.map((file) => readFileSync(files.pathOf(file), "utf8")),
    ["", "a picture"],
  );
  await files.remove(stored);
  assert.deepEqual(all(), []);
});

test("a discarded file leaves nothing behind", async (t) => {
  const { files, all } = start(t);
  const bytes = randomBytes(3_000_000);
  await assert.rejects(files.receive(pieces(bytes), { ...LIMIT, bytes: 2_999_999 }), /files of at most 4 MiB/);
  const gone = (async function* () {
    yield* pieces(bytes);
    throw new Error("the client is gone");
  })();
  await assert.rejects(files.receive(gone, LIMIT), /the client is gone/);
  const temporary = await files.receive(pieces(bytes), LIMIT);
  await files.discard([temporary]);
  await assert.rejects(
    files.store([{ kind: "emoji", content: temporary }], () => {}),
    { code: "ENOENT" },
  );
  const refused = () => {
    throw new Error("the transaction failed");
  };
  const both = [
    { kind: "emoji" as const, content: bytes },
    { kind: "thumbnails" as const, content: bytes },
  ];
  await assert.rejects(files.store(both, refused), /the transaction failed/);
  assert.deepEqual(all(), []);
});

test("a full disk leaves no file, wherever the write fails", async (t) => {
  for (const when of ["write", "sync", "free"]) {
    let full = false;
    const { files, all } = start(t, {
      free: async () => (full && when === "free" ? 1000 : 1 << 30),
      async open(...args) {
        const file = await open(...args);
        const failing = <A extends unknown[], R>(call: (...args: A) => Promise<R>) => {
          return async (...given: A) => {
            if (full) throw Object.assign(new Error("injected"), { code: "ENOSPC" });
            return call.apply(file, given);
          };
        };
        if (when === "write") file.write = failing(file.write) as typeof file.write;
        if (when === "sync") file.sync = failing(file.sync);
        return file;
      },
    });
    const source = (async function* () {
      yield* pieces(randomBytes(2_000_000));
      full = true;
      yield* pieces(randomBytes(18_000_000));
    })();
    await assert.rejects(files.receive(source, { ...LIMIT, bytes: 1 << 30 }), StorageFull, when);
    assert.deepEqual(all(), [], when);
    full = false;
    await files.receive([Buffer.from("there is room again")], LIMIT);
  }
});

test("a start removes unfinished uploads", async (t) => {
  const { files, at, all } = start(t);
  const kept = await files.store([{ kind: "attachments", content: Buffer.from("kept") }], ([file]) => file!);
  await files.receive([Buffer.from("unfinished")], LIMIT);
  assert.equal(all().length, 2);
  start(t, {}, at);
  assert.deepEqual(all(), [files.pathOf(kept)]);
});

test("the sweep removes old files without a row", async (t) => {
  const { files, all } = start(t);
  const [recorded, stray, young, ahead] = await files.store(
    ["recorded", "stray", "young", "ahead"].map((text) => ({
      kind: "attachments" as const,
      content: Buffer.from(text),
    })),
    (stored) => [...stored],
  );
  const hourAgo = new Date(Date.now() - 3_600_000);
  for (const file of [recorded!, stray!]) utimesSync(files.pathOf(file), hourAgo, hourAgo);
  const nextYear = new Date(Date.now() + 400 * 86_400_000);
  utimesSync(files.pathOf(ahead!), nextYear, nextYear);
  const other = join(dirname(files.pathOf(stray!)), "notes.txt");
  writeFileSync(other, "not ours");
  utimesSync(other, hourAgo, hourAgo);
  const removed = await files.sweep(
    Date.now() - 1_800_000,
    (names) => new Set(names.filter((name) => name === recorded!.name)),
  );
  assert.equal(removed, 2);
  assert.deepEqual(
    all().sort(),
    [recorded!, young!]
      .map((file) => files.pathOf(file))
      .concat(other)
      .sort(),
  );
});

test("the sweep leaves files of an open transaction", async (t) => {
  const { files } = start(t);
  let sweeping: Promise<number> | undefined;
  await files.store([{ kind: "attachments", content: Buffer.from("new") }], ([file]) => {
    sweeping = files.sweep(Number.POSITIVE_INFINITY, () => new Set([file!.name]));
  });
  assert.equal(await sweeping, 0);
});

test("only names of stored files become paths", (t) => {
  const { files } = start(t);
  for (const name of ["", "..", "../../secret.key", "a".repeat(31), `${"a".repeat(32)}/..`, "A".repeat(32)])
    assert.throws(() => files.pathOf({ kind: "attachments", name }), /No name/);
  assert.throws(() => files.pathOf({ kind: "../x" as "emoji", name: "a".repeat(32) }), /No name/);
});

test("many concurrent files keep few open", async (t) => {
  let [now, most] = [0, 0];
  const { files, all } = start(t, {
    async open(...args) {
      const file = await open(...args);
      now += 1;
      most = Math.max(most, now);
      const { close } = file;
      file.close = () => {
        now -= 1;
        return close.call(file);
      };
      return file;
    },
  });
  const bytes = randomBytes(200_000);
  const received = await Promise.all(Array.from({ length: 200 }, () => files.receive(pieces(bytes), LIMIT)));
  assert.equal(received.length, 200);
  assert.ok(most <= 2, `${most} were open`);
  await files.discard(received);
  assert.deepEqual(all(), []);
});
