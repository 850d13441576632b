import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import test, { type TestContext } from "node:test";
import { damagedFiles, fileByName } from "../../server/api/queries/files.ts";
import { startUploadScrub } from "../../server/chores/scrub.ts";
import { StoredFiles } from "../../server/media/files/stored-files.ts";
import { about, addUpload, opened, place, uploadPath } from "../backups/history.ts";
import { endBeforeRemoval } from "../support/server-process.ts";

const never = new Promise<never>(() => {});

async function uploads(t: TestContext) {
  const { folder } = await place(t);
  const store = await opened(folder);
  endBeforeRemoval(t, () => store.close());
  const files = new StoredFiles(folder, () => store.durable());
  const reports: unknown[] = [];
  const scrub = async () => {
    const rested = Promise.withResolvers<void>();
    const wait = (ms: number) => {
      if (ms <= 3_600_000) return Promise.resolve();
      rested.resolve();
      return never;
    };
    void startUploadScrub({ store, files, report: (_message, error) => reports.push(error), wait }).stop;
    await rested.promise;
  };
  return { folder, store, scrub, reports };
}

test("finds and reports altered and missing uploads", async (t) => {
  const { folder, store, scrub, reports } = await uploads(t);
  const [sound, altered, missing] = ["one", "two", "three"].map((text) => addUpload(store, folder, Buffer.from(text)));
  await scrub();
  assert.deepEqual([reports, damagedFiles(store.reader)], [[], []]);
  writeFileSync(uploadPath(folder, altered!), "TWO");
  rmSync(uploadPath(folder, missing!));
  await scrub();
  assert.deepEqual([...damagedFiles(store.reader)].sort(), [altered!.name, missing!.name].sort());
  assert.equal(fileByName(store.reader, sound!.name)?.damaged_at, null);
  assert.deepEqual(reports.map(String).sort(), [altered!, missing!].map(reportOf).sort());
  await scrub();
  assert.equal(reports.length, 2, "each is reported once");
});

const reportOf = ({ name }: { name: string }) =>
  `UploadDamaged: uploads/attachments/${name.slice(0, 2)}/${name}: an upload that nothing shows`;

test("a restored upload counts as intact", async (t) => {
  const { folder, store, scrub } = await uploads(t);
  const file = addUpload(store, folder, Buffer.from("content"));
  const good = readFileSync(uploadPath(folder, file));
  writeFileSync(uploadPath(folder, file), "CONTENT");
  await scrub();
  assert.deepEqual(damagedFiles(store.reader), [file.name]);
  writeFileSync(uploadPath(folder, file), good);
  await scrub();
  assert.deepEqual(damagedFiles(store.reader), []);
});

test("fills in the checksum of an older upload", async (t) => {
  const { folder, store, scrub } = await uploads(t);
  const file = addUpload(store, folder, Buffer.from("content"));
  store.transact(about, (tx) => tx.run("UPDATE files SET sha256 = NULL"));
  await scrub();
  assert.equal(fileByName(store.reader, file.name)?.sha256, file.sha256);
});
