import assert from "node:assert/strict";
import test from "node:test";
import { checksum, readManifest, writeCheckpoint } from "../../server/storage/checkpoint.ts";
import type { Database } from "../../server/storage/database.ts";
import { RecordingFiles } from "../support/recording-files.ts";

/** Does not fit into 32 bits. An array that is hardly touched takes hardly any memory. */
const LENGTH = 2 ** 32 + 12_345;

test("a checkpoint above 4 GB is written and verified", () => {
  const contents = new Uint8Array(LENGTH);
  contents[0] = 1;
  contents[LENGTH - 1] = 2;
  const files = new RecordingFiles();
  const database = { script: () => {}, contents: () => contents } as unknown as Database;
  const written = writeCheckpoint(files, "/data", database, { seq: 1, eventId: 1, segment: 1 });
  assert.equal(written.size, LENGTH);
  assert.deepEqual(readManifest(files, "/data"), [written]);
  assert.equal(checksum(contents), written.crc, "recovery finds the file intact");
  contents[LENGTH - 1] = 3;
  assert.notEqual(checksum(contents), written.crc, "and a changed byte at its end");
});
