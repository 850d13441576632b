import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { NotAnExport } from "../../server/imports/archive.ts";
import { rocketchatReader } from "../../server/imports/formats/rocketchat.ts";
import { archiveOf, bsonOf, dumpOf } from "../support/export-folder.ts";
import { importedOrganization } from "./archives.ts";
import { written } from "./visible.ts";

const at = new Date(1_700_000_000_000);
const room = { _id: "G", t: "c", name: "general" };
const message = (fields: object) => ({
  _id: "m",
  rid: "G",
  ts: at,
  u: { _id: "A", username: "ada" },
  msg: "x",
  ...fields,
});

async function imported(t: TestContext, messages: Buffer) {
  const files = dumpOf({ rocketchat_room: [room], rocketchat_message: messages });
  return importedOrganization(rocketchatReader(await archiveOf(t, files)));
}

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
};

test("a wrong length ends the file and counts as unreadable", async (t) => {
  const good = bsonOf([message({})]);
  const endings = [
    int32(0x7fffffff),
    int32(-5),
    int32(0),
    int32(4),
    good.subarray(0, 20),
    Buffer.from([1]),
    int32(16 << 20),
  ];
  for (const ending of endings) {
    const { messages, leftOut } = await imported(t, Buffer.concat([good, ending]));
    assert.deepEqual(
      [messages.length, leftOut],
      [1, { "unreadable records": 1 }],
      ending.subarray(0, 4).toString("hex"),
    );
  }
});

test("reads the documents after a malformed document", async (t) => {
  const text = Buffer.concat([int32(0), Buffer.from([2, 97, 0]), int32(1 << 30), Buffer.from([0, 0])]);
  const unknownType = Buffer.concat([int32(0), Buffer.from([0x55, 97, 0, 0, 0])]);
  for (const broken of [text, unknownType]) {
    broken.writeInt32LE(broken.length);
    const { messages, leftOut } = await imported(t, Buffer.concat([broken, bsonOf([message({})])]));
    assert.deepEqual([messages.length, leftOut], [1, { "unreadable records": 1 }]);
  }
});

test("deep nesting does not end the import", async (t) => {
  const depth = 200_000;
  const bytes = Buffer.alloc(8 * depth + 5);
  for (let level = 0; level < depth; level++) {
    bytes.writeInt32LE(bytes.length - 8 * level, 7 * level);
    Buffer.from([3, 97, 0]).copy(bytes, 7 * level + 4);
  }
  bytes.writeInt32LE(5, 7 * depth);
  const { messages, leftOut } = await imported(t, Buffer.concat([bytes, bsonOf([message({})])]));
  assert.deepEqual([messages.length, leftOut], [1, { "unreadable records": 1 }]);
});

test("damaged compression ends the file", async (t) => {
  const files = dumpOf({ rocketchat_room: [room] });
  const noise = Buffer.concat(
    Array.from({ length: 2000 }, (_, at) => bsonOf([message({ _id: `m${at}`, msg: `${Math.sin(at)}` })])),
  );
  const packed = gzipSync(noise);
  const { "dump/chat/rocketchat_message.bson": _, ...others } = files;
  const archive = await archiveOf(t, {
    ...others,
    "dump/chat/rocketchat_message.bson.gz": packed.subarray(0, packed.length / 2),
  });
  const { messages, leftOut } = await importedOrganization(rocketchatReader(archive));
  assert.ok(messages.length > 100 && messages.length < 2000);
  assert.ok(leftOut["unreadable records"] >= 1);
});

test("a collection that unpacks to far more than its file is refused", async (t) => {
  const { "dump/chat/rocketchat_message.bson": _, ...others } = dumpOf({ rocketchat_room: [room] });
  const { openContents } = await import("../../server/imports/archive.ts");
  const bomb = gzipSync(Buffer.alloc(4 << 20));
  const archive = await archiveOf(t, { ...others, "dump/chat/rocketchat_message.bson.gz": bomb });
  const read = async () => {
    for await (const _ of await openContents(archive, "dump/chat/rocketchat_message.bson.gz", { bytes: 1 << 20 }));
  };
  await assert.rejects(
    read(),
    (error) => error instanceof NotAnExport && error.problem.reason === "import_unpacks_too_large",
  );
});

test("treats names of prototypes as ordinary keys", async (t) => {
  const reactions = JSON.parse(
    '{"__proto__": {"usernames": ["ada"]}, "constructor": {"usernames": ["ada"]}, ":heart:": {"usernames": ["__proto__"]}}',
  );
  const names = ["__proto__", "constructor", "toString"].map((name) => ({ _id: name, username: name }));
  const { messages, people } = await imported(
    t,
    bsonOf([message({ msg: ":constructor: @toString", reactions, mentions: names })]),
  );
  assert.deepEqual(messages[0].text, [":constructor: ", { person: "toString" }]);
  assert.deepEqual(messages[0].reactions, [{ emoji: { character: "❤️" }, personIds: ["@__proto__"] }]);
  assert.deepEqual(people.map(({ id }: { id: string }) => id).sort(), ["@__proto__", "A", "toString"]);
  assert.equal(({} as Record<string, unknown>).usernames, undefined);
});

const FIELDS = `_id rid ts u msg t alias bot attachments files file reactions mentions channels starred pinnedBy pinned
  location urls blocks tmid tcount name uids prid roles emails __rooms`;
const INNER_FIELDS = "_id username name text message_link attachments usernames fields title_link actions";
const keysIn = (list: string) => fc.constantFrom(...list.split(/\s+/));
const simple = fc.constantFrom<unknown[]>(null, true, "", "x", "\0\ud83d", -1, 1e300, Number.NaN, new Date(Number.NaN));
const inner = fc.dictionary(keysIn(INNER_FIELDS), fc.oneof(simple, fc.constantFrom([], {}, [null, [1], "ada"])));
const value = fc.oneof(simple, inner);
const documents = fc.array(fc.dictionary(keysIn(FIELDS), fc.oneof(value, fc.array(value, { maxLength: 3 }))), {
  maxLength: 4,
});

test("values of any type are read without failing", async (t) => {
  const read = async (all: readonly object[]) => {
    const files = dumpOf({
      users: all,
      rocketchat_room: [room, ...all],
      rocketchat_subscription: all,
      rocketchat_uploads: all,
      rocketchat_custom_emoji: all,
      rocketchat_message: all.map((document) => message(document)),
    });
    const { messages } = await importedOrganization(rocketchatReader(await archiveOf(t, files)));
    for (const { text } of messages) assert.ok(written(text).isWellFormed());
  };
  await fc.assert(fc.asyncProperty(documents, read), { numRuns: 60 });
});
