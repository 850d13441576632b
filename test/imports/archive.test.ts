import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { type ArchiveLimits, NotAnExport, openArchive, safeName } from "../../server/imports/archive.ts";
import { readElements, readJson, readLines, readTables, readWhole } from "../../server/imports/parts.ts";
import { collected } from "../support/collected.ts";
import { zipOf } from "../support/zip.ts";

interface Folders {
  root: string;
  work: string;
}

function folders(t: TestContext): Folders {
  const root = mkdtempSync(join(tmpdir(), "hearth-import-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const work = join(root, "work");
  mkdirSync(work);
  return { root, work };
}

function saved({ root }: Folders, content: string | Buffer, name = "export"): string {
  const path = join(root, name);
  writeFileSync(path, content);
  return path;
}

async function tarOf(entries: readonly { name: string; content?: string; linkname?: string }[]): Promise<Buffer> {
  const tar = pack();
  for (const { name, content, linkname } of entries)
    if (linkname === undefined) tar.entry({ name }, content ?? "");
    else tar.entry({ name, linkname, type: "symlink" });
  tar.finalize();
  const pieces: Buffer[] = [];
  for await (const piece of tar) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

async function contents(path: string, work: string, limits?: Partial<ArchiveLimits>): Promise<Record<string, string>> {
  const archive = await openArchive(path, work, limits);
  const found: Record<string, string> = {};
  for (const name of archive.files.keys()) found[name] = (await readWhole(archive, name)).toString();
  await archive.close();
  return found;
}

const refused = (reason: string) => (error: unknown) => error instanceof NotAnExport && error.problem.reason === reason;

test("zip files, tar files and folders have the same contents", async (t) => {
  const places = folders(t);
  const files = { "a.json": "[1]", "köln/b.txt": "two" };
  const entries = Object.entries(files).map(([name, content]) => ({ name, content }));
  const tar = await tarOf(entries);
  mkdirSync(join(places.root, "folder", "köln"), { recursive: true });
  for (const { name, content } of entries) writeFileSync(join(places.root, "folder", name), content);
  const made = [saved(places, zipOf(entries), "z"), saved(places, tar, "t"), saved(places, gzipSync(tar), "g")];
  for (const path of [...made, join(places.root, "folder")]) {
    mkdirSync(places.work, { recursive: true });
    assert.deepEqual(await contents(path, places.work), files, path);
  }
});

test("names that lead outside, and links, are left out", async (t) => {
  const places = folders(t);
  const hostile = ["../up", "a/../../up", "/etc/passwd", "C:\\up", "a\\..\\..\\up", "nul\0"];
  for (const name of hostile) assert.equal(safeName(name), undefined, name);
  assert.equal(safeName("./a//b\\c"), "a/b/c");
  const zip = saved(places, zipOf([...hostile.map((name) => ({ name, content: "x" })), { name: "in", content: "y" }]));
  assert.deepEqual(await contents(zip, places.work), { in: "y" });
  const tar = await tarOf([
    { name: "../up", content: "x" },
    { name: "link", linkname: "/etc/passwd" },
    { name: "in", content: "y" },
  ]);
  assert.deepEqual(await contents(saved(places, tar, "tar"), places.work), { in: "y" });
  mkdirSync(join(places.root, "folder"));
  symlinkSync("/etc/passwd", join(places.root, "folder", "link"));
  assert.deepEqual(await contents(join(places.root, "folder"), places.work), {});
});

test("an archive that unpacks to far more than its file is refused", async (t) => {
  const places = folders(t);
  const zeros = "0".repeat(3_000_000);
  const limits = { bytes: 1_000_000 };
  const zip = saved(places, zipOf([{ name: "zeros", content: zeros }]));
  await assert.rejects(contents(zip, places.work, limits), refused("import_unpacks_too_large"));
  const tar = saved(places, gzipSync(await tarOf([{ name: "zeros", content: zeros }])), "tar");
  await assert.rejects(contents(tar, places.work, limits), refused("import_unpacks_too_large"));
  assert.equal(readdirSync(places.root).includes("work"), false, "the unpacked part is removed");
});

test("a zip file that lies about a size is refused when it is read", async (t) => {
  const places = folders(t);
  const zip = zipOf([{ name: "liar", content: "0".repeat(100_000), claimedSize: 10 }]);
  await assert.rejects(contents(saved(places, zip), places.work));
});

test("too many files, cut and unknown files are refused", async (t) => {
  const places = folders(t);
  const zip = zipOf(["a", "b", "c"].map((name) => ({ name, content: name })));
  await assert.rejects(contents(saved(places, zip), places.work, { files: 2 }), refused("import_too_many_files"));
  await assert.rejects(contents(saved(places, zip.subarray(0, 60)), places.work), refused("import_file_damaged"));
  await assert.rejects(contents(join(places.root, "none"), places.work), refused("import_file_unreadable"));
  const tar = gzipSync(await tarOf([{ name: "a", content: "a".repeat(5000) }]));
  await assert.rejects(contents(saved(places, tar.subarray(0, 40)), places.work), refused("import_file_damaged"));
});

test("lines and elements of a large file are read in parts", async (t) => {
  const places = folders(t);
  const rows = Array.from({ length: 5000 }, (_, at) => ({ at, text: "ü".repeat(50) }));
  const lines = saved(places, `${rows.map((row) => JSON.stringify(row)).join("\r\n")}\n`, "lines");
  const list = saved(places, `\ufeff${JSON.stringify({ before: { messages: [1] }, messages: rows })}`, "list");
  const archive = await openArchive(lines, places.work);
  assert.deepEqual(
    (await collected(readLines(archive, "lines"))).map((line) => JSON.parse(line)),
    rows,
  );
  const other = await openArchive(list, places.work);
  assert.deepEqual(await collected(readElements(other, "list", ["messages"])), rows);
});

test("malformed JSON names its file", async (t) => {
  const places = folders(t);
  const archive = await openArchive(saved(places, '{"messages": [1, 2', "broken.json"), places.work);
  await assert.rejects(readJson(archive, "broken.json"), refused("import_part_malformed"));
  await assert.rejects(collected(readElements(archive, "broken.json", ["messages"])), refused("import_part_malformed"));
  assert.equal(await readJson(archive, "none.json"), undefined);
});

test("compressed files, and files of zip files, are copied to read them in any order", async (t) => {
  const places = folders(t);
  const packed = { "a.gz": gzipSync("packed"), b: Buffer.from("plain") };
  const zip = zipOf(Object.entries(packed).map(([name, content]) => ({ name, content })));
  mkdirSync(join(places.root, "folder"));
  for (const [name, content] of Object.entries(packed)) writeFileSync(join(places.root, "folder", name), content);
  for (const path of [saved(places, zip), join(places.root, "folder")]) {
    const archive = await openArchive(path, places.work);
    const read = async (name: string) => readFileSync(await archive.onDisk(name), "utf8");
    assert.deepEqual([await read("a.gz"), await read("b"), await read("a.gz")], ["packed", "plain", "packed"]);
    await assert.rejects(archive.onDisk("none"), refused("import_part_missing"));
    await archive.close();
    assert.equal(readdirSync(places.root).includes("work"), false, "the copies are removed");
  }
});

test("rows of several tables are read in the order of the file", async (t) => {
  const places = folders(t);
  const contents = { other: [{ no: [1] }], a: [1, { x: [] }], b: {}, c: [{ __proto__: null, y: 2 }], "a.b": [4] };
  const archive = await openArchive(saved(places, JSON.stringify(contents), "tables"), places.work);
  assert.deepEqual(await collected(readTables(archive, "tables", ["c", "a", "none"])), [
    { table: "a", value: 1 },
    { table: "a", value: { x: [] } },
    { table: "c", value: { y: 2 } },
  ]);
});
