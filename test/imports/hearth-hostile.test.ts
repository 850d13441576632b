import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { NotAnExport } from "../../server/imports/archive.ts";
import { hearthReader, isHearthExport } from "../../server/imports/formats/hearth.ts";
import { archiveOf, columns, importedOrganization, shown } from "./archives.ts";

const SENT = "2026-01-31T12:00:00.250Z";
const person = (id: number, name: string) => ({ id, name, role: "member", is_active: true, is_bot: false });
const message = (id: number, fields: object = {}) => ({
  id,
  sender_id: 11,
  sent_at: SENT,
  channel_id: 21,
  topic: "boats",
  content: "hi",
  ...fields,
});
const LISTS = {
  "people.jsonl": [person(11, "Ada"), person(12, "Bob")],
  "folders.jsonl": [{ id: 5, name: "Club" }],
  "groups.jsonl": [{ id: 71, name: "role:everyone" }],
  "channels.jsonl": [{ id: 21, name: "general", folder_id: 5, creator_id: 11, subscriber_ids: [11, 12] }],
  "emoji.jsonl": [{ id: 7, name: "boat", file: "emoji/7.png" }],
  "files.jsonl": [{ id: 31, name: "a.txt", url: "/user_uploads/1/a.txt", bytes: 3, file: "files/31.txt" }],
  "messages/000001.jsonl": [
    message(101, { content: "@**Bob** [a](/user_uploads/1/a.txt) #**general**", file_ids: [31] }),
    message(102, { channel_id: null, topic: null, recipient_ids: [11, 12], starred_by: [12] }),
  ],
} as const;
type Lists = Readonly<Partial<Record<keyof typeof LISTS, readonly unknown[]>>>;

function files(lists: Lists = {}, about: object = { format: 1, hearth: "1.0.0" }): Record<string, string> {
  const entries = Object.entries({ ...LISTS, ...lists }).map(([name, rows]) => [
    `export/${name}`,
    (rows as unknown[]).map((row) => `${JSON.stringify(row)}\n`).join(""),
  ]);
  return { ...Object.fromEntries(entries), "export/export.json": JSON.stringify(about), "export/files/31.txt": "abc" };
}
const read = (contents: Record<string, string>) => importedOrganization(hearthReader(archiveOf(contents)));

test("an export is known by its description", async () => {
  const known = (contents: Record<string, string>) => isHearthExport(archiveOf(contents));
  assert.equal(await known(files()), true);
  assert.equal(await known({ "export.json": '{"format": 1, "hearth": "1.0.0"}', "people.jsonl": "" }), true);
  assert.equal(await known({ "export.json": '{"format": 1, "hearth": "1.0.0"}' }), false);
  for (const about of ['{"format": 1}', "[]", "{", ""])
    assert.equal(await known({ ...files(), "export/export.json": about }), false, about);
});

test("versions of other formats are rejected", async () => {
  for (const format of [2, "1", { toString: 1 }])
    await assert.rejects(read(files({}, { format, hearth: "2.0.0" })), (error) => {
      assert.ok(error instanceof NotAnExport);
      assert.deepEqual(error.problem.params, { version: JSON.stringify(format) });
      return error.problem.reason === "import_version_unsupported";
    });
});

test("fields that older versions do not write can be missing", async () => {
  const { channels, messages, leftOut } = await read(files());
  assert.deepEqual(columns(channels, "isReadOnly", "folder"), ["false | Club"]);
  assert.deepEqual(columns(messages, "place", "starredBy"), ["21 | ", "direct:11-12 | 12"]);
  assert.deepEqual(leftOut, {});
});

test("people that the list lacks are still people", async () => {
  const { people } = await read(
    files({
      "people.jsonl": [person(11, "Ada")],
      "channels.jsonl": [{ id: 21, name: "general", creator_id: 13, subscriber_ids: [11, 14, 14, "x"] }],
      "messages/000001.jsonl": [
        message(101, { sender_id: 15, starred_by: [16] }),
        message(102, { reactions: [{ reaction_type: "unicode_emoji", emoji_code: "1f389", user_id: 17 }] }),
        message(103, { channel_id: null, recipient_ids: [11, 18] }),
      ],
    }),
  );
  const strangers = ["13", "14", "15", "16", "17", "18"].map((id) => `${id} | false`);
  assert.deepEqual(columns(people, "id", "isActive"), ["11 | true", ...strangers]);
});

test("lines that lack what they need are counted", async () => {
  const rows = [null, 7, "x", [], {}, { id: "1" }];
  const lists = Object.fromEntries(Object.entries(LISTS).map(([name, list]) => [name, [...rows, ...list]]));
  const broken = [
    message(103, { channel_id: 99 }),
    message(104, { sent_at: "then" }),
    message(105, { sender_id: null }),
  ];
  const contents = files({
    ...lists,
    "messages/000001.jsonl": [...rows, ...LISTS["messages/000001.jsonl"], ...broken],
  });
  contents["export/people.jsonl"] += '{"id": 13, "name": "cut of';
  const { leftOut, messages } = await read(contents);
  assert.deepEqual([messages.length, leftOut], [2, { "unreadable records": 7 * 6 + 3 + 1 }]);
});

test("links to the file of another message stay text", async () => {
  const content = "[a](/user_uploads/1/a.txt)";
  const messages = [message(101, { content, file_ids: [31, 31, 32] }), message(102, { content })];
  const found = await read(files({ "messages/000001.jsonl": messages }));
  assert.deepEqual(found.messages[0].files, [
    { id: "31", name: "a.txt", size: 3, source: { path: "export/files/31.txt" } },
  ]);
  assert.deepEqual(found.messages[1].text, [content]);
});

test("names of prototypes are only names", async () => {
  const contents = files({
    "messages/000001.jsonl": [message(101, { content: "@**__proto__** #**constructor** @**toString|11**" })],
  });
  contents["export/channels.jsonl"] += '{"__proto__": {"is_private": true}, "id": 22, "name": "__proto__"}\n';
  const { messages, channels } = await read(contents);
  assert.equal(shown(messages[0].text), '@**__proto__** #**constructor** {"person":"11"}');
  assert.deepEqual(columns(channels, "name", "isPrivate"), ["general | false", "__proto__ | false"]);
  assert.equal(({} as Record<string, unknown>)["is_private"], undefined);
});

const FIELDS = `id name role email picture is_active is_bot joined_at url file bytes folder_id creator_id settings
  subscriber_ids created_at sender_id sent_at channel_id topic recipient_ids content edited_at reactions starred_by
  file_ids widget`;
const simple = fc.constantFrom<unknown[]>(null, true, "", "x", "\0\ud83d", -1, 11, 21, 31, 1e300, SENT, "d83d", "../x");
const inner = fc.dictionary(
  fc.constantFrom("user_id", "emoji_code", "reaction_type", "can_send_message_group", "direct_subgroups"),
  fc.oneof(simple, fc.array(simple, { maxLength: 2 }), fc.constant("unicode_emoji")),
);
const value = fc.oneof(simple, inner, fc.array(fc.oneof(simple, inner), { maxLength: 3 }));
const rows = fc.array(fc.dictionary(fc.constantFrom(...FIELDS.split(/\s+/)), value), { maxLength: 4 });

test("values of any type are read without failing", async () => {
  const check = async (found: readonly object[]) => {
    const lists = Object.entries(LISTS).map(([name, list]) => [
      name,
      found.flatMap((row) => [row, ...list.map((each) => ({ ...each, ...row }))]),
    ]);
    const { messages } = await read(files(Object.fromEntries(lists)));
    for (const { text } of messages) assert.ok(shown(text).isWellFormed());
  };
  await fc.assert(fc.asyncProperty(rows, check), { numRuns: 200 });
});

const damages = fc.array(
  fc.record({
    file: fc.nat(),
    from: fc.nat({ max: 400 }),
    length: fc.nat({ max: 300 }),
    by: fc.string({ unit: "binary" }),
  }),
  { minLength: 1, maxLength: 5 },
);

test("a damaged export is read as far as possible, or refused", async () => {
  const whole = files();
  const names = Object.keys(whole);
  const check = async (all: typeof damages extends fc.Arbitrary<infer D> ? D : never) => {
    const contents = { ...whole };
    for (const { file, from, length, by } of all) {
      const name = names[file % names.length] as string;
      const text = contents[name] as string;
      contents[name] = text.slice(0, from) + by + text.slice(from + length);
    }
    await read(contents).catch((error: unknown) => assert.ok(error instanceof NotAnExport, String(error)));
  };
  await fc.assert(fc.asyncProperty(damages, check), { numRuns: 200 });
});
