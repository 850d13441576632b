import assert from "node:assert/strict";
import test from "node:test";
import { crc32, inflateSync } from "node:zlib";
import { generatedPicture, loadingPicture, userPicture } from "../../server/api/presenters/pictures.ts";

/** Reads the chunks of a PNG and verifies their checksums. */
function chunks(png: Buffer): Map<string, Buffer> {
  assert.deepEqual([...png.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const found = new Map<string, Buffer>();
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    assert.equal(crc32(png.subarray(at + 4, at + 8 + length)), png.readUInt32BE(at + 8 + length));
    found.set(png.toString("latin1", at + 4, at + 8), png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return found;
}

for (const [size, width] of [
  ["small", 96],
  ["medium", 504],
] as const) {
  test(`a ${size} picture is a ${width}-pixel PNG`, () => {
    const png = chunks(generatedPicture("user-12", size));
    assert.deepEqual([...png.keys()], ["IHDR", "PLTE", "IDAT", "IEND"]);
    assert.equal(png.get("IHDR")?.readUInt32BE(0), width);
    assert.equal(png.get("IHDR")?.readUInt32BE(4), width);
    const rows = inflateSync(png.get("IDAT") as Buffer);
    assert.equal(rows.length, width * (1 + width / 8));
    for (let y = 0; y < width; y++) {
      const row = rows.subarray(y * (1 + width / 8) + 1, (y + 1) * (1 + width / 8));
      const bits = [...row].map((byte) => byte.toString(2).padStart(8, "0")).join("");
      assert.equal(bits, [...bits].reverse().join(""));
    }
  });
}

test("the loading picture has three dots", () => {
  const png = chunks(loadingPicture());
  assert.deepEqual([png.get("IHDR")?.readUInt32BE(0), png.get("IHDR")?.readUInt32BE(4)], [96, 32]);
  const middle = inflateSync(png.get("IDAT") as Buffer).subarray(16 * 13 + 1, 17 * 13);
  const bits = [...middle].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  assert.deepEqual(bits.match(/1+/g)?.length, 3);
});

test("pictures differ between users and are stable", () => {
  assert.deepEqual(generatedPicture("user-1", "small"), generatedPicture("user-1", "small"));
  const hundred = new Set(
    Array.from({ length: 100 }, (_, id) => generatedPicture(`user-${id}`, "small").toString("base64")),
  );
  assert.ok(hundred.size > 95);
});

test("a picture's URL contains only user ID and version", () => {
  assert.equal(userPicture({ id: 12, avatar_version: 3 }), "/generated/user-12.png?version=3");
  assert.equal(userPicture({ id: 12, avatar_version: 3 }, "medium"), "/generated/user-12-medium.png?version=3");
});
