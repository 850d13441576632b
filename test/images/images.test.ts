import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { ImageRefused, Images, ImagesBusy, ImagesClosed } from "../../server/media/images/images.ts";
import type { ThumbnailFormat } from "../../server/media/images/tasks.ts";
import { until } from "../support/patience.ts";
import { type PictureFormat, pictureMaker, pngOf } from "../support/pictures.ts";

/** The user ID of the uploader. */
const ME = 1;
const STILL: ThumbnailFormat = { max_width: 840, max_height: 560, format: "webp", animated: false };
const ANIMATED: ThumbnailFormat = { ...STILL, animated: true };

function startImages(t: TestContext, testing = {}): Images {
  const images = new Images(testing);
  t.after(() => images.close());
  return images;
}

const refusal = (reason: string) => (error: unknown) => error instanceof ImageRefused && error.refusal === reason;

test("reads and resizes each format", async (t) => {
  const images = startImages(t);
  const { make } = await pictureMaker(t);
  const formats: [PictureFormat, string][] = [
    ["png", "png"],
    ["jpg", "jpeg"],
    ["gif", "gif"],
    ["webp", "webp"],
    ["avif", "avif"],
    ["tif", "tiff"],
  ];
  for (const [suffix, format] of formats) {
    const bytes = make(suffix, { width: 300, height: 200 });
    assert.deepEqual(await images.info(ME, { bytes }), { format, width: 300, height: 200, frames: 1 });
    const small = await images.thumbnail(ME, { bytes }, { ...STILL, max_width: 150, max_height: 150 });
    assert.deepEqual([small.width, small.height], [150, 100], format);
    assert.deepEqual(await images.info(ME, small), { format: "webp", width: 150, height: 100, frames: 1 });
  }
});

test("a small picture keeps its size as a thumbnail", async (t) => {
  const images = startImages(t);
  const { make } = await pictureMaker(t);
  const { width, height } = await images.thumbnail(ME, { bytes: make("png", { width: 30, height: 20 }) }, STILL);
  assert.deepEqual([width, height], [30, 20]);
});

test("applies EXIF orientation and removes other EXIF data", async (t) => {
  const images = startImages(t);
  const { make, redAt, fieldsOf } = await pictureMaker(t);
  // 6: the camera was held sideways, and the file's left edge is the top.
  const bytes = make("jpg", { width: 300, height: 200, orientation: 6 });
  assert.ok(fieldsOf(bytes).some((field) => field.startsWith("exif")));
  assert.deepEqual(await images.info(ME, { bytes }), { format: "jpeg", width: 200, height: 300, frames: 1 });
  const turned = await images.thumbnail(ME, { bytes }, STILL);
  assert.deepEqual([turned.width, turned.height], [200, 300]);
  assert.ok(redAt(turned.bytes, 100, 20) < 10 && redAt(turned.bytes, 100, 280) > 245);
  assert.deepEqual(
    fieldsOf(turned.bytes).filter((field) => /exif|orientation|icc|xmp/.test(field)),
    [],
  );
});

test("ignores the EXIF orientation of a WebP, as browsers do", async (t) => {
  const images = startImages(t);
  const { make } = await pictureMaker(t);
  const bytes = make("webp", { width: 300, height: 200, orientation: 6 });
  assert.deepEqual(await images.info(ME, { bytes }), { format: "webp", width: 300, height: 200, frames: 1 });
  const { width, height } = await images.thumbnail(ME, { bytes }, STILL);
  assert.deepEqual([width, height], [300, 200]);
});

test("reads the still picture of an animated AVIF", async (t) => {
  const images = startImages(t);
  const { make } = await pictureMaker(t);
  for (const brand of ["avis", "mif1", "msf1"]) {
    const bytes = make("avif", { width: 300, height: 200 }).slice();
    bytes.set(Buffer.from(brand), 8);
    assert.deepEqual(await images.info(ME, { bytes }), { format: "avif", width: 300, height: 200, frames: 1 });
    assert.equal((await images.thumbnail(ME, { bytes }, STILL)).width, 300);
    assert.ok((await images.emoji(ME, { bytes })).still.length > 0);
  }
});

test("an animation keeps its frames and timing, or its first frame", async (t) => {
  const images = startImages(t);
  const { make, delaysOf } = await pictureMaker(t);
  for (const format of ["gif", "webp"] as const) {
    const bytes = make(format, { width: 300, height: 200, frames: 3, delay: [100, 200, 300] });
    assert.deepEqual(await images.info(ME, { bytes }), { format, width: 300, height: 200, frames: 3 });
    const box = { max_width: 150, max_height: 150 };
    const moving = await images.thumbnail(ME, { bytes }, { ...ANIMATED, ...box });
    assert.deepEqual([moving.width, moving.height], [150, 100]);
    assert.deepEqual(await images.info(ME, moving), { format: "webp", width: 150, height: 100, frames: 3 });
    assert.deepEqual(delaysOf(moving.bytes), [100, 200, 300]);
    const still = await images.thumbnail(ME, { bytes }, { ...STILL, ...box });
    assert.equal((await images.info(ME, still)).frames, 1);
  }
});

test("a square shows the center, enlarged if necessary", async (t) => {
  const images = startImages(t);
  const { make, redAt } = await pictureMaker(t);
  const squares = await images.squares(ME, { bytes: make("jpg", { width: 400, height: 200 }) }, [100, 500]);
  for (const [index, size] of [100, 500].entries()) {
    const bytes = squares[index] as Uint8Array;
    assert.deepEqual(await images.info(ME, { bytes }), { format: "png", width: size, height: size, frames: 1 });
    assert.ok(redAt(bytes, size * 0.4, 10) < 10 && redAt(bytes, size * 0.6, 10) > 245);
  }
});

test("a logo fits into its box and is not enlarged", async (t) => {
  const images = startImages(t);
  const { make } = await pictureMaker(t);
  const box = { width: 100, height: 25 };
  const large = await images.contained(ME, { bytes: make("png", { width: 1000, height: 500 }) }, box);
  assert.deepEqual(await images.info(ME, { bytes: large }), { format: "png", width: 50, height: 25, frames: 1 });
  const small = await images.contained(ME, { bytes: make("png", { width: 20, height: 10 }) }, box);
  assert.deepEqual(await images.info(ME, { bytes: small }), { format: "png", width: 20, height: 10, frames: 1 });
});

test("an emoji fits a square, with a still if animated", async (t) => {
  const images = startImages(t);
  const { make, alphaAt, redAt } = await pictureMaker(t);
  const plain = await images.emoji(ME, { bytes: make("png", { width: 200, height: 100 }) });
  assert.deepEqual(await images.info(ME, { bytes: plain.still }), { format: "png", width: 64, height: 64, frames: 1 });
  assert.equal(plain.animated, undefined);
  assert.deepEqual([alphaAt(plain.still, 5, 5), alphaAt(plain.still, 5, 32)], [0, 255]);
  assert.ok(redAt(plain.still, 5, 32) < 10 && redAt(plain.still, 60, 32) > 245);
  for (const format of ["gif", "webp"] as const) {
    const { still, animated } = await images.emoji(ME, { bytes: make(format, { width: 200, height: 100, frames: 3 }) });
    assert.equal((await images.info(ME, { bytes: still })).frames, 1);
    assert.equal(animated?.format, format);
    assert.deepEqual(await images.info(ME, animated), { format, width: 64, height: 64, frames: 3 });
  }
});

test("the image thread reads the file", async (t) => {
  const images = startImages(t);
  const { make } = await pictureMaker(t);
  const folder = mkdtempSync(join(tmpdir(), "hearth-images-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "picture");
  writeFileSync(path, make("webp", { width: 30, height: 20 }));
  assert.deepEqual(await images.info(ME, { path }), { format: "webp", width: 30, height: 20, frames: 1 });
  await assert.rejects(images.info(ME, { path: join(folder, "gone") }), refusal("missing"));
});

test("rejects files that are not pictures", async (t) => {
  const images = startImages(t);
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  for (const text of ["", "hello", "<html></html>", svg, "GIF89a", "\xff\xd8\xff\xe0", "RIFF\0\0\0\0WEBPVP8 "]) {
    const bytes = Buffer.from(text, "latin1");
    await assert.rejects(images.info(ME, { bytes }), refusal("not-an-image"), text);
    await assert.rejects(images.squares(ME, { bytes }, [100]), refusal("not-an-image"), text);
  }
});

test("rejects ten billion pixels by the header", async (t) => {
  const images = startImages(t);
  const bytes = pngOf(100_000, 100_000, 1);
  assert.ok(bytes.length < 200);
  await assert.rejects(images.info(ME, { bytes }), refusal("too-large"));
  await assert.rejects(images.thumbnail(ME, { bytes }, STILL), refusal("too-large"));
});

test("gives up a slow picture and processes the next", async (t) => {
  const images = startImages(t, { maxTaskMs: 1 });
  const { make } = await pictureMaker(t);
  const bytes = make("png", { width: 30, height: 20 });
  await assert.rejects(images.info(ME, { bytes }), refusal("too-slow"));
  assert.equal(images.isRunning, false);
  const patient = startImages(t);
  assert.equal((await patient.info(ME, { bytes })).width, 30);
});

test("a user has at most ten pending pictures", async (t) => {
  const images = startImages(t);
  const bytes = pngOf(30, 20, 20);
  const asked = await Promise.allSettled(Array.from({ length: 20 }, () => images.info(ME, { bytes })));
  const refused = asked.filter((one) => one.status === "rejected");
  assert.equal(refused.length, 9, "one is decoded and ten wait");
  assert.ok(refused.every(({ reason }) => reason instanceof ImagesBusy));
  assert.equal((await images.info(ME, { bytes })).width, 30);
});

test("users take turns", async (t) => {
  const images = startImages(t);
  const bytes = pngOf(30, 20, 20);
  const order: string[] = [];
  const make = (person: number, name: string) => images.squares(person, { bytes }, [10]).then(() => order.push(name));
  const first = Array.from({ length: 8 }, (_, index) => make(ME, `mine ${index}`));
  await Promise.all([...first, make(2, "hers"), make(3, "his"), make(2, "her other")]);
  assert.deepEqual(order.slice(0, 5), ["mine 0", "hers", "his", "mine 1", "her other"]);
});

test("a user's measurements run before their longer tasks", async (t) => {
  const images = startImages(t);
  const bytes = pngOf(30, 20, 20);
  const order: string[] = [];
  const square = (name: string) => images.squares(ME, { bytes }, [10]).then(() => order.push(name));
  await Promise.all([square("a"), square("b"), images.info(ME, { bytes }).then(() => order.push("info"))]);
  assert.deepEqual(order, ["a", "info", "b"]);
});

test("the thread runs only while there are pictures", async (t) => {
  const images = startImages(t, { idleMs: 0 });
  const { make } = await pictureMaker(t);
  assert.equal(images.isRunning, false);
  await images.info(ME, { bytes: make("png", { width: 30, height: 20 }) });
  await until(() => (images.isRunning ? undefined : true), "the thread ends");
  assert.equal((await images.info(ME, { bytes: make("png", { width: 31, height: 20 }) })).width, 31);
});

test("closing rejects pending pictures", async (t) => {
  const images = startImages(t);
  const asked = [images.info(ME, { bytes: pngOf(8, 8, 8) }), images.info(ME, { bytes: pngOf(8, 8, 8) })];
  const refused = Promise.all(asked.map((one) => assert.rejects(one, ImagesClosed)));
  await images.close();
  await refused;
  assert.equal(images.isRunning, false);
  await assert.rejects(images.info(ME, { bytes: pngOf(8, 8, 8) }), ImagesClosed);
});
