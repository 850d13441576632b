import assert from "node:assert/strict";
import test from "node:test";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { withoutTable } from "../../ui/build/without-table.ts";

const HEADER_BYTES = 48;
const HEAD = 1;
const GLYF = 10;
const SVG = 36;
const OTHER_TAG = 63;

/** A font of four tables: one transformed, one with a tag without a number. Each table's content is its letter. */
function font(): Buffer {
  const directory = Buffer.concat([
    Buffer.from([HEAD, 3]),
    Buffer.from([GLYF, (200 >> 7) | 0x80, 200 & 0x7f, 5]), // 200 bytes in the font, 5 here
    Buffer.from([SVG, 7]),
    Buffer.concat([Buffer.from([OTHER_TAG]), Buffer.from("Four"), Buffer.from([2])]),
  ]);
  const stream = brotliCompressSync("hhhgggggsssssssff");
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("wOF2");
  header.writeUInt32BE(HEADER_BYTES + directory.length + stream.length, 8);
  header.writeUInt16BE(4, 12);
  header.writeUInt32BE(stream.length, 20);
  header.writeUInt32BE(1234, 28); // the offset of its metadata
  return Buffer.concat([header, directory, stream]);
}

test("a font loses one table and keeps all other bytes", () => {
  const without = withoutTable(font(), "SVG ");
  assert.equal(without.length % 4, 0);
  assert.equal(without.readUInt32BE(8), without.length);
  assert.equal(without.readUInt16BE(12), 3);
  assert.equal(without.readUInt32BE(16), 12 + 3 * 16 + 4 + 200 + 4);
  assert.equal(without.readUInt32BE(28), 0);
  const directory = HEADER_BYTES + 2 + 4 + 6;
  const stream = without.subarray(directory, directory + without.readUInt32BE(20));
  assert.equal(brotliDecompressSync(stream).toString(), "hhhgggggff");
  assert.throws(() => withoutTable(without, "SVG "), /no table "SVG "/);
});

test("rejects anything but a font of this format", () => {
  assert.throws(() => withoutTable(Buffer.from("wOFF and more"), "SVG "), /no font in WOFF 2/);
});
