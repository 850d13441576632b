import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { imageFormat } from "../../server/media/file-types.ts";
import { ImageRefused, Images } from "../../server/media/images/images.ts";
import {
  MAX_ANIMATED_THUMBNAIL_PIXELS,
  MAX_ANIMATION_FRAMES,
  MAX_ANIMATION_PIXELS,
  type ThumbnailFormat,
} from "../../server/media/images/tasks.ts";
import { IS_LONG_RUN } from "../support/long-run.ts";
import { type PictureFormat, pictureMaker, pngOf } from "../support/pictures.ts";

// Pictures made to harm the decoder. Each gets a response, and the next picture works.

/** The user ID of the uploader. */
const ME = 1;
const STILL: ThumbnailFormat = { max_width: 840, max_height: 560, format: "webp", animated: false };
const ANIMATED: ThumbnailFormat = { ...STILL, animated: true };
/** Number of changed pictures per format. */
const ROUNDS = IS_LONG_RUN ? 100 : 3;
/** Number of truncated pictures per format. */
const CUTS = IS_LONG_RUN ? 10 : 4;
const SUFFIXES: readonly PictureFormat[] = ["png", "jpg", "gif", "webp", "avif", "tif"];

function startImages(t: TestContext, testing = {}): Images {
  const images = new Images(testing);
  t.after(() => images.close());
  return images;
}

const refusal = (reason: string) => (error: unknown) => error instanceof ImageRefused && error.refusal === reason;

/** Requests the thumbnail and returns the outcome, which may be a rejection. */
async function outcome(images: Images, bytes: Uint8Array): Promise<string> {
  try {
    const { width, height } = await images.thumbnail(ME, { bytes }, ANIMATED);
    return width <= 840 && height <= 560 ? "made" : `${width}x${height}`;
  } catch (error) {
    if (!(error instanceof ImageRefused)) throw error;
    return error.refusal;
  }
}

test("rejects truncated pictures", async (t) => {
  const images = startImages(t);
  const { make } = await pictureMaker(t);
  const outcomes = new Set<string>();
  for (const suffix of SUFFIXES) {
    const bytes = make(suffix, { width: 200, height: 100 });
    for (let part = 0; part < CUTS; part++)
      outcomes.add(await outcome(images, bytes.subarray(0, Math.floor((bytes.length * part) / CUTS))));
  }
  assert.deepEqual([...outcomes], ["not-an-image"]);
});

test("processes or rejects pictures with changed bytes", async (t) => {
  const images = startImages(t);
  const { make } = await pictureMaker(t);
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (const suffix of SUFFIXES) {
    const animated = suffix === "gif" || suffix === "webp";
    const bytes = make(suffix, { width: 64, height: 48, ...(animated && { frames: 3 }) });
    for (let round = 0; round < ROUNDS; round++) {
      const changed = Uint8Array.from(bytes);
      for (let flips = 1 + random(8); flips > 0; flips--) changed[random(changed.length)] = random(256);
      assert.ok(["made", "not-an-image", "too-large"].includes(await outcome(images, changed)), `${suffix} ${round}`);
    }
  }
  assert.equal(await outcome(images, make("png", { width: 64, height: 48 })), "made");
});

test("a polyglot file yields only its picture", async (t) => {
  const images = startImages(t);
  const { make } = await pictureMaker(t);
  const script = Buffer.from("<script>alert(1)</script>PK\x03\x04", "latin1");
  for (const suffix of SUFFIXES) {
    const bytes = Buffer.concat([make(suffix, { width: 64, height: 48 }), script]);
    const thumbnail = await images.thumbnail(ME, { bytes }, STILL);
    assert.equal((await images.info(ME, thumbnail)).format, "webp");
    assert.equal(Buffer.from(thumbnail.bytes).includes("script"), false);
  }
});

test("rejects one format behind another's signature", async (t) => {
  const images = startImages(t);
  const { make } = await pictureMaker(t);
  const jpeg = make("jpg", { width: 64, height: 48 });
  const bytes = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), jpeg]);
  assert.equal(imageFormat(bytes), "png");
  assert.equal(await outcome(images, bytes), "not-an-image");
});

test("does not read formats that name files or run code", async (t) => {
  const images = startImages(t);
  for (const text of [
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>',
    "push graphic-context\nviewbox 0 0 9 9\nimage over 0,0 0,0 'https://example.com/x.png'\npop graphic-context",
    "%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(/etc/passwd) (r) file",
    "%PDF-1.4\n",
    "P5\n9 9\n255\n",
    "#?RADIANCE\n\n-Y 9 +X 9\n",
    "/etc/passwd",
  ])
    assert.equal(await outcome(images, Buffer.from(text)), "not-an-image", text);
});

/** A GIF with this many frames of this size, each with only one pixel set. */
function gifOf(width: number, height: number, frames: number): Buffer {
  const header = Buffer.from("GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff", "latin1");
  header.writeUInt16LE(width, 6);
  header.writeUInt16LE(height, 8);
  const frame = Buffer.from("!\xf9\x04\x04\x05\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0", "latin1");
  frame.writeUInt16LE(width, 13);
  frame.writeUInt16LE(height, 15);
  return Buffer.concat([header, ...Array.from({ length: frames }, () => frame), Buffer.from(";")]);
}

test("keeps the first of a hundred thousand frames", async (t) => {
  const images = startImages(t);
  const bytes = gifOf(20, 10, 100_000);
  assert.deepEqual(await images.info(ME, { bytes }), { format: "gif", width: 20, height: 10, frames: 100_000 });
  const thumbnail = await images.thumbnail(ME, { bytes }, ANIMATED);
  // Identical frames are merged.
  const { width, height, frames } = await images.info(ME, thumbnail);
  assert.deepEqual([width, height], [20, 10]);
  assert.ok(frames <= MAX_ANIMATION_FRAMES, `${frames} frames`);
});

test("keeps as many large frames as the pixel limit allows", async (t) => {
  const images = startImages(t);
  const bytes = gifOf(4000, 2000, 1000);
  assert.equal((await images.info(ME, { bytes })).frames, 1000);
  const { frames, width, height } = await images.info(ME, await images.thumbnail(ME, { bytes }, ANIMATED));
  assert.ok(frames * 4000 * 2000 <= MAX_ANIMATION_PIXELS, `${frames} frames`);
  assert.deepEqual([width, height], [840, 420]);
});

test("rejects an animation of four billion pixels a frame", async (t) => {
  const images = startImages(t);
  await assert.rejects(images.thumbnail(ME, { bytes: gifOf(65_535, 65_535, 2) }, ANIMATED), refusal("too-large"));
});

test("false EXIF data rotates nothing and hides nothing", async (t) => {
  const images = startImages(t);
  const { make } = await pictureMaker(t);
  const honest = Buffer.from(make("jpg", { width: 64, height: 48, orientation: 6 }));
  const exif = honest.indexOf("Exif\0\0");
  assert.ok(exif > 0);
  for (let at = exif; at < exif + 80; at += IS_LONG_RUN ? 2 : 10) {
    const lying = Buffer.from(honest);
    lying[at] = 0xff;
    const answer = await outcome(images, lying);
    assert.ok(["made", "not-an-image"].includes(answer), `${at}: ${answer}`);
    if (answer !== "made") continue;
    const { width, height } = await images.info(ME, { bytes: lying });
    assert.deepEqual([width, height].sort(), [48, 64]);
  }
});

test("gives up a picture that takes too long", async (t) => {
  const images = startImages(t, { maxTaskMs: 1 });
  await assert.rejects(images.thumbnail(ME, { bytes: pngOf(5000, 5000, 5000) }, STILL), refusal("too-slow"));
  assert.equal(images.isRunning, false);
});

test("rejects expensive pictures by their headers", async (t) => {
  const images = startImages(t);
  for (const bits of [
    { depth: 16, color: 6 as const },
    { depth: 8, color: 6 as const },
    { depth: 16, color: 2 as const, interlaced: true },
  ]) {
    const bytes = pngOf(9990, 9990, 1, bits);
    await assert.rejects(images.info(ME, { bytes }), refusal("too-large"), JSON.stringify(bits));
  }
  assert.equal((await images.info(ME, { bytes: pngOf(9990, 9990, 1) })).width, 9990);
});

test("shortens a long animation", async (t) => {
  const images = startImages(t);
  const bytes = gifOf(800, 500, 100);
  const thumbnail = await images.thumbnail(ME, { bytes }, ANIMATED);
  assert.ok(thumbnail.width * thumbnail.height * 60 <= MAX_ANIMATED_THUMBNAIL_PIXELS, `${thumbnail.width}`);
  assert.ok(thumbnail.width > 200);
});
