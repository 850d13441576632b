import assert from "node:assert/strict";
import { test } from "node:test";
import { startChat } from "../support/chat.ts";
import { pictureMaker } from "../support/pictures.ts";
import { fetchFile, filesOnDisk, tryUpload, upload } from "../support/uploads.ts";

const SECRET = "SECRETPLACE";
const has = (bytes: Uint8Array): boolean => Buffer.from(bytes).includes(SECRET);

test("uploads lose their picture metadata", async (t) => {
  const chat = await startChat(t);
  const { make, pixelsOf, orientationOf } = await pictureMaker(t);
  for (const format of ["jpg", "png", "webp", "avif"] as const) {
    const original = make(format, { width: 40, height: 30, orientation: 6, secret: SECRET });
    const filename = `photo.${format}`;
    const url = await upload(chat, "hamlet", original as Uint8Array<ArrayBuffer>, { filename });
    const { bytes } = await fetchFile(chat, "hamlet", url);
    assert.ok(has(original) && !has(bytes), format);
    assert.deepEqual(pixelsOf(bytes), pixelsOf(original), format);
    assert.equal(orientationOf(bytes), orientationOf(original), format);
    const { attachments } = await chat.as("hamlet").get("/attachments");
    assert.equal(attachments[0].size, bytes.length, "the size is of what is stored");
  }
});

test("an administrator can keep metadata", async (t) => {
  const chat = await startChat(t);
  const { make } = await pictureMaker(t);
  const original = make("jpg", { width: 40, height: 30, secret: SECRET }) as Uint8Array<ArrayBuffer>;
  const refused = await chat.as("hamlet").patch("/realm", { strip_image_metadata: false });
  assert.equal(refused.status, 400);
  assert.equal((await chat.as("iago").patch("/realm", { strip_image_metadata: false })).status, 200);
  const url = await upload(chat, "hamlet", original, { filename: "photo.jpg" });
  assert.deepEqual(new Uint8Array((await fetchFile(chat, "hamlet", url)).bytes), original);
});

test("rejects an unreadable picture", async (t) => {
  const chat = await startChat(t);
  const { make } = await pictureMaker(t);
  const avif = Buffer.from(make("avif", { width: 40, height: 30, secret: SECRET }));
  avif.writeUInt32BE(0x7fffffff, avif.indexOf("iinf") - 4);
  const answer = await tryUpload(chat, "hamlet", avif, { filename: "photo.avif" });
  assert.deepEqual([answer.status, answer.code], [400, "BAD_IMAGE"]);
  assert.deepEqual(
    filesOnDisk(chat).filter((path) => path.startsWith("attachments")),
    [],
  );
  const text = await tryUpload(chat, "hamlet", "\x89PNG", { filename: "notes.txt" });
  assert.equal(text.status, 200);
});

test("avatars, emoji and icons have no metadata", async (t) => {
  const chat = await startChat(t);
  const { make } = await pictureMaker(t);
  const { images } = chat.server.app;
  const source = { bytes: make("jpg", { width: 40, height: 30, orientation: 6, secret: SECRET }) };
  assert.ok(has(source.bytes));
  const made = [
    ...(await images.squares(1, source, [100, 500])),
    await images.contained(1, source, { width: 800, height: 100 }),
    (await images.emoji(1, source)).still,
    (await images.thumbnail(1, source, { max_width: 84, max_height: 56, format: "webp", animated: false })).bytes,
  ];
  assert.ok(made.every((bytes) => !has(bytes)));
});
