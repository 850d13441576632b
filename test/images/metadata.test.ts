import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { withoutMetadata } from "../../server/media/images/metadata/metadata.ts";
import { type Piece, Unreadable } from "../../server/media/images/metadata/pieces.ts";
import { type PictureFormat, pictureMaker, pngOf } from "../support/pictures.ts";

const SECRET = "SECRETPLACE";
const TYPES: readonly [PictureFormat, string][] = [
  ["jpg", "image/jpeg"],
  ["png", "image/png"],
  ["webp", "image/webp"],
  ["avif", "image/avif"],
];

const written = (bytes: Uint8Array, pieces: readonly Piece[]): Buffer =>
  Buffer.concat(pieces.map((piece) => (piece instanceof Uint8Array ? piece : bytes.subarray(piece.start, piece.end))));

/** The picture without metadata, or the same bytes if there is none. */
async function strip(type: string, bytes: Uint8Array): Promise<Buffer> {
  const readAt = async (position: number, length: number) => Buffer.from(bytes.subarray(position, position + length));
  const pieces = await withoutMetadata(type, { size: bytes.length, readAt });
  return pieces ? written(bytes, pieces) : Buffer.from(bytes);
}

const has = (bytes: Uint8Array, text: string): boolean => Buffer.from(bytes).includes(text, 0, "latin1");

async function secretPictures(t: TestContext) {
  const maker = await pictureMaker(t);
  const make = (format: PictureFormat, orientation = 6) =>
    maker.make(format, { width: 40, height: 30, orientation, secret: SECRET });
  return { ...maker, make };
}

const segment = (marker: number, content: string | Buffer): Buffer => {
  const bytes = Buffer.from(content as string, "latin1");
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(bytes.length + 2, 2);
  return Buffer.concat([head, bytes]);
};
/** Inserts bytes after the first marker of a JPEG. */
const inJpeg = (jpeg: Uint8Array, ...segments: Buffer[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);

for (const [format, type] of TYPES)
  test(`${format}: removes metadata, keeps pixels, orientation and profile`, async (t) => {
    const { make, pixelsOf, fieldsOf, orientationOf } = await secretPictures(t);
    const original = make(format);
    assert.ok(has(original, SECRET), "the picture holds what is to go");
    const stripped = await strip(type, original);
    assert.ok(!has(stripped, SECRET));
    assert.deepEqual(pixelsOf(stripped), pixelsOf(original));
    const fields = fieldsOf(stripped);
    // In an AVIF, spaces replace XMP.
    const gone = format === "avif" ? /Artist|GPS/ : /xmp|Artist|GPS/;
    assert.ok(fields.includes("icc-profile-data") && !fields.some((field) => gone.test(field)), fields.join());
    assert.equal(orientationOf(stripped), orientationOf(original));
    assert.deepEqual(await strip(type, stripped), stripped, "nothing more to strip");
  });

test("leaves pictures without metadata unchanged", async (t) => {
  const { make } = await pictureMaker(t);
  for (const [format, type] of TYPES.filter(([each]) => each !== "avif")) {
    const clean = await strip(type, make(format, { width: 40, height: 30 }));
    assert.deepEqual(await strip(type, clean), clean, format);
  }
});

test("removes all metadata segments of a JPEG", async (t) => {
  const { make, pixelsOf } = await secretPictures(t);
  const jpeg = make("jpg");
  const segments = [
    segment(0xe0, `JFXX\0\x10${SECRET}`),
    segment(0xe1, `Exif\0\0II*\0\x08\0\0\0${SECRET}`),
    segment(0xe1, `Exif\0\0${SECRET}`),
    segment(0xe1, `http://ns.adobe.com/xmp/extension/\0${SECRET}`),
    segment(0xe2, `MPF\0${SECRET}`),
    segment(0xeb, `JP${SECRET}`),
    segment(0xed, `Photoshop 3.0\0${SECRET}`),
    segment(0xfe, SECRET),
  ];
  const stripped = await strip("image/jpeg", inJpeg(jpeg, ...segments));
  assert.ok(!has(stripped, SECRET));
  assert.deepEqual(pixelsOf(stripped), pixelsOf(jpeg));
});

test("removes data after the end of a JPEG", async (t) => {
  const { make, pixelsOf } = await secretPictures(t);
  const jpeg = make("jpg");
  const stripped = await strip("image/jpeg", Buffer.concat([jpeg, make("jpg"), Buffer.from(`ftypmp42${SECRET}`)]));
  assert.ok(!has(stripped, SECRET));
  assert.deepEqual(stripped, await strip("image/jpeg", jpeg));
  assert.deepEqual(pixelsOf(stripped), pixelsOf(jpeg));
});

test("keeps all scans of a progressive JPEG", async (t) => {
  const { make, pixelsOf } = await pictureMaker(t);
  const jpeg = make("jpg", { width: 200, height: 100, secret: SECRET, progressive: true });
  const stripped = await strip("image/jpeg", jpeg);
  assert.ok(!has(stripped, SECRET));
  assert.deepEqual(pixelsOf(stripped), pixelsOf(jpeg));
});

test("reads a large JPEG in windows", async (t) => {
  const { make } = await secretPictures(t);
  const jpeg = make("jpg");
  for (const length of [600_000, 600_001, 600_002]) {
    const pixels = Buffer.alloc(length, Buffer.from([0x12, 0xff, 0]));
    const before = (bytes: Uint8Array) => Buffer.concat([bytes.subarray(0, -2), pixels, Buffer.from([0, 0xff, 0xd9])]);
    const stripped = await strip("image/jpeg", Buffer.concat([before(jpeg), segment(0xfe, SECRET)]));
    assert.ok(stripped.equals(before(await strip("image/jpeg", jpeg))));
  }
});

test("keeps the frames of an animated WebP", async (t) => {
  const { make, delaysOf } = await pictureMaker(t);
  const webp = make("webp", { width: 40, height: 30, frames: 3, delay: [100, 200, 300], secret: SECRET });
  const stripped = await strip("image/webp", webp);
  assert.ok(has(webp, SECRET) && !has(stripped, SECRET));
  assert.equal(stripped.readUInt32LE(4) + 8, stripped.length);
  assert.deepEqual(delaysOf(stripped), [100, 200, 300]);
});

test("keeps the size of a HEIC", async (t) => {
  const { make } = await secretPictures(t);
  const heic = Buffer.from(make("avif").map((byte) => byte));
  heic.write("heic", 8, "latin1");
  const stripped = await strip("image/heic", heic);
  assert.equal(stripped.length, heic.length);
  assert.ok(!has(stripped, SECRET));
});

test("empties metadata boxes of any program", async (t) => {
  const { make } = await secretPictures(t);
  const uuid = Buffer.concat([Buffer.from([0, 0, 0, 8 + SECRET.length]), Buffer.from(`uuid${SECRET}`)]);
  const stripped = await strip("image/avif", Buffer.concat([make("avif"), uuid]));
  assert.ok(!has(stripped, SECRET) && has(stripped, "free"));
});

test("reads a truncated picture as far as possible", async (t) => {
  const { make } = await secretPictures(t);
  for (const [format, type] of TYPES) {
    const bytes = make(format);
    for (let length = 12; length < bytes.length; length += 7) {
      const outcome = await strip(type, bytes.subarray(0, length)).catch((error) => error);
      if (outcome instanceof Error) assert.ok(outcome instanceof Unreadable, `${format}: ${outcome.stack}`);
      else assert.ok(!has(outcome, SECRET), `${format} ${length}`);
    }
  }
});

test("reads or rejects changed bytes", async (t) => {
  const { make } = await secretPictures(t);
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (const [format, type] of TYPES) {
    const bytes = make(format);
    for (let round = 0; round < 300; round++) {
      const changed = Uint8Array.from(bytes);
      for (let flips = 1 + random(4); flips > 0; flips--) changed[random(Math.min(600, changed.length))] = random(256);
      const outcome = await strip(type, changed).catch((error) => error);
      if (outcome instanceof Error) assert.ok(outcome instanceof Unreadable, `${format} ${round}: ${outcome.stack}`);
    }
  }
});

test("rejects a file of a million parts", async () => {
  const png = pngOf(8, 8, 8).subarray(0, 8 + 25);
  const chunk = (type: string) => Buffer.concat([Buffer.alloc(4), Buffer.from(`${type}\0\0\0\0`, "latin1")]);
  const parts = Buffer.concat([chunk("IDAT"), chunk("tEXt")]);
  const bytes = Buffer.concat([png, Buffer.alloc(parts.length * 500_000, parts)]);
  await assert.rejects(strip("image/png", bytes), Unreadable);
});

test("leaves other files alone", async () => {
  for (const type of ["text/plain", "image/gif", "video/mp4", "constructor"])
    assert.equal(await withoutMetadata(type, { size: 9, readAt: () => assert.fail("It was read.") }), undefined);
});
