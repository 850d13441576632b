import assert from "node:assert/strict";
import { buffer } from "node:stream/consumers";
import test, { type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import { NotAnExport } from "../../server/imports/archive.ts";
import { rocketchatReader } from "../../server/imports/formats/rocketchat.ts";
import { type ExportReader, type FileSource, type ImportedMessage, LeftOut } from "../../server/imports/model.ts";
import { collected } from "../support/collected.ts";
import { archiveOf, dumpOf } from "../support/export-folder.ts";

const at = new Date(1_700_000_000_000);
const chunk = (files_id: string, n: number, text: string) => ({
  _id: `${files_id}${n}`,
  files_id,
  n,
  data: Buffer.from(text),
});
const stored = (_id: string, length: number) => ({ _id, length });
const upload = (_id: string, fields: object = {}) => ({
  _id,
  name: `${_id}.txt`,
  size: 6,
  store: "GridFS:Uploads",
  ...fields,
});
const inGridFs = (id: string, bucket = "rocketchat_uploads"): FileSource => ({ gridfs: { bucket, id } });

const dump = {
  users: [{ _id: "A", username: "ada", type: "user" }],
  rocketchat_room: [{ _id: "G", t: "c", name: "general" }],
  rocketchat_uploads: [
    upload("a"),
    upload("b"),
    upload("thumb", { typeGroup: "thumb" }),
    upload("disk", { store: "FileSystem:Uploads" }),
  ],
  "rocketchat_uploads.files": [stored("a", 6), stored("b", 3), stored("gap", 4), stored("short", 9)],
  "rocketchat_uploads.chunks": [
    chunk("a", 2, "ef"),
    chunk("b", 0, "xyz"),
    chunk("a", 0, "ab"),
    chunk("a", 1, "cd"),
    chunk("gap", 0, "ab"),
    chunk("gap", 2, "cd"),
    chunk("short", 0, "ab"),
    chunk("unlisted", 0, "u"),
  ],
};

async function contents(reader: ExportReader, source: FileSource): Promise<string> {
  return (await buffer(await reader.openFile(source))).toString();
}

async function filesOf(t: TestContext, fields: object, others: object = {}) {
  const message = { _id: "m", rid: "G", ts: at, u: { _id: "A" }, msg: "x", ...fields };
  const reader = rocketchatReader(await archiveOf(t, dumpOf({ ...dump, rocketchat_message: [message], ...others })));
  return ((await collected(reader.messages(new LeftOut())))[0] as ImportedMessage).files;
}

test("the pieces of a file are joined in order", async (t) => {
  for (const kind of ["folder", "zip"] as const) {
    const reader = rocketchatReader(await archiveOf(t, dumpOf(dump), kind));
    assert.deepEqual(await Promise.all(["a", "b", "a"].map((id) => contents(reader, inGridFs(id)))), [
      "abcdef",
      "xyz",
      "abcdef",
    ]);
  }
  const files = dumpOf(dump);
  const packed = Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`${name}.gz`, gzipSync(bytes)]));
  assert.equal(await contents(rocketchatReader(await archiveOf(t, packed)), inGridFs("a")), "abcdef");
});

test("files with missing pieces are refused", async (t) => {
  const reader = rocketchatReader(await archiveOf(t, dumpOf(dump)));
  const sources: FileSource[] = ["gap", "short", "none"].map((id) => inGridFs(id));
  for (const source of [
    ...sources,
    inGridFs("a", "none"),
    "missing" as const,
    { url: "https://chat.example/x" },
    { path: "../x" },
  ])
    await assert.rejects(contents(reader, source), NotAnExport, JSON.stringify(source));
});

test("messages have the files of their list and of their attachments", async (t) => {
  const files = await filesOf(
    t,
    {
      file: { _id: "a", name: "a.txt" },
      files: [{ _id: "a" }, { _id: "thumb", name: "thumb-a.txt" }, { _id: "unlisted", name: "u.txt", size: 1 }],
      attachments: [
        { image_url: "/file-upload/b/b.txt" },
        { message_link: "https://x.example", image_url: "/file-upload/q/q" },
      ],
    },
    { "rocketchat_uploads.files": [...dump["rocketchat_uploads.files"], stored("unlisted", 1)] },
  );
  assert.deepEqual(files, [
    { id: "a", name: "a.txt", size: 6, source: inGridFs("a") },
    { id: "unlisted", name: "u.txt", size: 1, source: inGridFs("unlisted") },
    { id: "b", name: "b.txt", size: 6, source: inGridFs("b") },
  ]);
});

test("files outside the database are found next to the dump or at the server", async (t) => {
  const entry = { file: { _id: "disk" } };
  assert.equal((await filesOf(t, entry))[0]?.source, "missing");
  const settings = { rocketchat_settings: [{ _id: "Site_Url", value: "https://chat.example" }] };
  assert.deepEqual((await filesOf(t, entry, settings))[0]?.source, {
    url: "https://chat.example/file-upload/disk/disk.txt",
  });
  const message = { _id: "m", rid: "G", ts: at, u: { _id: "A" }, msg: "x", ...entry };
  const files = { ...dumpOf({ ...dump, rocketchat_message: [message] }), "uploads/disk.txt": "on disk" };
  const reader = rocketchatReader(await archiveOf(t, files));
  const [found] = await collected(reader.messages(new LeftOut()));
  assert.equal(await contents(reader, found?.files[0]?.source as FileSource), "on disk");
});

test("pictures of people and emoji come from their buckets", async (t) => {
  const files = dumpOf({
    ...dump,
    rocketchat_avatars: [
      { _id: "pic", userId: "A" },
      { _id: "lost", userId: "B" },
    ],
    "rocketchat_avatars.files": [stored("pic", 1)],
    "rocketchat_avatars.chunks": [chunk("pic", 0, "p")],
    rocketchat_custom_emoji: [{ _id: "e", name: "boat", aliases: ["sail"], extension: "png" }],
    "custom_emoji.files": [stored("boat.png", 1)],
    "custom_emoji.chunks": [chunk("boat.png", 0, "e")],
  });
  const reader = rocketchatReader(await archiveOf(t, files));
  const [ada] = await collected(reader.people());
  assert.equal(await contents(reader, ada?.picture as FileSource), "p");
  const emoji = await collected(reader.emoji());
  assert.deepEqual(
    emoji.map(({ name }) => name),
    ["boat", "sail"],
  );
  assert.equal(await contents(reader, emoji[1]?.picture as FileSource), "e");
});
