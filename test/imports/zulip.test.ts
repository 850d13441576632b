import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import test, { type TestContext } from "node:test";
import fc from "fast-check";
import { NotAnExport } from "../../server/imports/archive.ts";
import { rowsOf } from "../../server/imports/formats/zulip/directory.ts";
import { isZulip, zulipReader } from "../../server/imports/formats/zulip.ts";
import type { ExportReader, FileSource, ImportedMessage } from "../../server/imports/model.ts";
import { collected } from "../support/collected.ts";
import { archiveOf } from "../support/export-folder.ts";
import { columns, importedOrganization, archiveOf as memoryArchive, shown } from "./archives.ts";

const SENT = 1_700_000_000.25;
const person = (id: number, full_name: string, fields: object = {}) => ({
  id,
  full_name,
  email: `user${id}@zulip.example`,
  delivery_email: `p${id}@example.com`,
  role: 400,
  is_bot: false,
  is_active: true,
  avatar_source: "G",
  timezone: "",
  date_joined: 1_600_000_000,
  api_key: "secret",
  ...fields,
});
const channel = (id: number, name: string, fields: object = {}) => ({
  id,
  name,
  description: "",
  date_created: 1_600_000_000,
  creator: 11,
  ...fields,
});
const recipient = (id: number, type: number, type_id: number) => ({ id, type, type_id });
const subscription = (id: number, user_profile: number, of: number, active = true) => ({
  id,
  user_profile,
  recipient: of,
  active,
});

/** Owner 11, member 12, bot 13; channel 21; the group 31 of all three. */
const realm = {
  zerver_userprofile: [person(11, "Ada", { role: 100 }), person(12, "Bob"), person(13, "Bot", { is_bot: true })],
  zerver_userprofile_crossrealm: [{ id: 1, email: "notification-bot@zulip.com", recipient_id: 91 }],
  zerver_stream: [channel(21, "general")],
  zerver_recipient: [
    recipient(41, 1, 11),
    recipient(42, 1, 12),
    recipient(43, 1, 13),
    recipient(44, 2, 21),
    recipient(45, 3, 31),
  ],
  zerver_subscription: [
    subscription(51, 11, 41),
    subscription(54, 11, 44),
    subscription(55, 12, 44),
    subscription(50, 13, 44, false),
    subscription(56, 11, 45),
    subscription(57, 12, 45),
    subscription(58, 13, 45),
  ],
};
type Tables = Readonly<Record<string, readonly object[]>>;
const message = (id: number, fields: object = {}) => ({
  id,
  sender: 11,
  recipient: 44,
  subject: "hello",
  content: "hi",
  date_sent: SENT,
  last_edit_time: null,
  ...fields,
});

function files(
  messages: readonly object[],
  tables: Tables = {},
  flags: readonly object[] = [],
): Record<string, string> {
  return {
    "export/migration_status.json": JSON.stringify({ zulip_version: "11.0", migrations_by_app: {} }),
    "export/realm.json": JSON.stringify({ ...realm, ...tables }),
    "export/messages-000001.json": JSON.stringify({ zerver_message: messages, zerver_usermessage: flags }),
  };
}

const readerOf = async (t: TestContext, contents: Record<string, string | Buffer>): Promise<ExportReader> => {
  const archive = await archiveOf(t, contents);
  assert.ok(isZulip(archive));
  return zulipReader(archive);
};

async function imported(t: TestContext, ...contents: Parameters<typeof files>) {
  return importedOrganization(await readerOf(t, files(...contents)));
}

const textsOf = (messages: readonly ImportedMessage[]) => messages.map(({ text }) => text);

test("reads people of every role, bots and the server's own bots", async (t) => {
  const { people } = await imported(t, [], {
    zerver_userprofile: [
      person(11, "Ada", { role: 100, timezone: "Europe/Berlin" }),
      person(12, "Bob", { role: 200, is_active: false }),
      person(13, "Bot", { role: 300, is_bot: true }),
      person(14, "Guest", { role: 600, delivery_email: "" }),
    ],
    zerver_userprofile_mirrordummy: [person(15, "Gone", { is_mirror_dummy: true })],
  });
  assert.deepEqual(columns(people, "id", "name", "role", "isBot", "isActive", "email"), [
    "11 | Ada | owner | false | true | p11@example.com",
    "12 | Bob | administrator | false | false | p12@example.com",
    "13 | Bot | moderator | true | true | p13@example.com",
    "14 | Guest | guest | false | true | user14@zulip.example",
    "15 | Gone | member | false | false | p15@example.com",
    "1 | Notification Bot | member | true | false | notification-bot@zulip.com",
  ]);
  assert.deepEqual([people[0].timezone, people[0].joinedAt], ["Europe/Berlin", 1_600_000_000_000]);
  assert.ok(!JSON.stringify(people).includes("secret"));
});

test("reads channels and who can write in them", async (t) => {
  const { channels } = await imported(t, [], {
    zerver_stream: [
      channel(21, "general", { can_send_message_group: 71 }),
      channel(22, "news", { invite_only: true, can_send_message_group: 72 }),
      channel(23, "old", { deactivated: true, can_send_message_group: 99 }),
      channel(24, "converted", { stream_post_policy: 4 }),
      channel(25, "open", { can_send_message_group: 73 }),
    ],
    zerver_defaultstream: [{ id: 1, stream: 21 }],
    zerver_namedusergroup: [
      { usergroup_ptr: 71, name: "role:everyone" },
      { usergroup_ptr: 72, name: "role:moderators" },
    ],
    zerver_groupgroupmembership: [72, 71].map((subgroup, id) => ({ id, supergroup: 73, subgroup })),
  });
  assert.deepEqual(columns(channels, "name", "isPrivate", "isArchived", "isDefault", "isReadOnly"), [
    "general | false | false | true | false",
    "news | true | false | false | true",
    "old | false | true | false | true",
    "converted | false | false | false | true",
    "open | false | false | false | false",
  ]);
});

test("channels keep folder, creator and present subscribers", async (t) => {
  const { channels } = await imported(t, [], {
    zerver_stream: [channel(21, "general", { folder: 5 }), channel(22, "other", { folder: null, creator: null })],
    zerver_channelfolder: [{ id: 5, name: "Club" }],
  });
  assert.deepEqual(columns(channels, "folder", "creatorId", "memberIds"), [
    "Club | 11 | 11,12",
    "undefined | undefined | ",
  ]);
});

test("direct messages belong to conversations by their people", async (t) => {
  const { conversations, messages } = await imported(t, [
    message(101, { recipient: 42, subject: "" }),
    message(102, { recipient: 41, sender: 12, subject: "" }),
    message(103, { recipient: 41, subject: "" }),
    message(104, { recipient: 45, subject: "" }),
    message(105, { recipient: 91, subject: "" }),
    message(106, { subject: "" }),
  ]);
  assert.deepEqual(conversations, [
    { id: "direct:11-12-13", memberIds: ["11", "12", "13"] },
    { id: "direct:11-12", memberIds: ["11", "12"] },
    { id: "direct:11", memberIds: ["11"] },
    { id: "direct:1-11", memberIds: ["11", "1"] },
  ]);
  assert.deepEqual(columns(messages, "place", "topic"), [
    "direct:11-12 | undefined",
    "direct:11-12 | undefined",
    "direct:11 | undefined",
    "direct:11-12-13 | undefined",
    "direct:1-11 | undefined",
    "21 | ",
  ]);
});

test("conversations of two people are the same with and without a group", async (t) => {
  const { conversations, messages } = await imported(
    t,
    [
      message(101, { recipient: 42, subject: "" }),
      message(102, { recipient: 46, subject: "", content: "[said](#narrow/dm/12-Bob/near/101)" }),
    ],
    {
      zerver_recipient: [...realm.zerver_recipient, recipient(46, 3, 32), recipient(47, 3, 33)],
      zerver_subscription: [subscription(61, 11, 46), subscription(62, 12, 46), subscription(63, 12, 47)],
    },
  );
  assert.deepEqual(conversations, [
    { id: "direct:11-12", memberIds: ["11", "12"] },
    { id: "direct:12", memberIds: ["12"] },
  ]);
  assert.deepEqual(columns(messages, "place"), ["direct:11-12", "direct:11-12"]);
  assert.deepEqual(messages[1].text, [{ message: "101", place: "direct:11-12", label: "said" }]);
});

test("mentions find people in any letter case, active people first", async (t) => {
  const { messages, people } = await imported(t, [message(101, { content: "@**ADA** @**bob**" })], {
    zerver_userprofile: [person(11, "Ada"), person(12, "Bob", { is_imported_stub: true }), person(13, "Bob")],
  });
  assert.deepEqual(textsOf(messages), [[{ person: "11" }, " ", { person: "13" }]]);
  assert.deepEqual(columns(people, "isActive"), ["true", "false", "true", "false"]);
});

test("messages keep times and stars, and earlier versions are counted", async (t) => {
  const history = [
    { prev_content: "a", timestamp: 1 },
    { prev_topic: "b", topic: "hello" },
  ];
  const { messages, leftOut } = await imported(
    t,
    [message(101, { last_edit_time: SENT + 1, edit_history: JSON.stringify(history) })],
    {},
    [
      { user_profile: 12, message: 101, flags_mask: 3 },
      { user_profile: 11, message: 101, flags_mask: 1 },
    ],
  );
  assert.deepEqual(columns(messages, "sentAt", "editedAt", "starredBy"), ["1700000000250 | 1700000001250 | 12"]);
  assert.deepEqual(leftOut, { "earlier versions": 1 });
});

const reaction = (user_profile: number, reaction_type: string, emoji_code: string) => ({
  id: 1,
  message: 101,
  user_profile,
  reaction_type,
  emoji_code,
});

test("messages keep reactions, with also with deleted emoji", async (t) => {
  const { messages, emoji, leftOut } = await imported(t, [message(101), message(102)], {
    zerver_realmemoji: [
      { id: 7, name: "boat", file_name: "7.png", deactivated: true },
      { id: 8, name: "oar", file_name: "8.png" },
    ],
    zerver_reaction: [
      reaction(12, "unicode_emoji", "1f44d"),
      reaction(99, "unicode_emoji", "1f44d"),
      reaction(11, "realm_emoji", "7"),
      reaction(11, "zulip_extra_emoji", "zulip"),
      reaction(11, "realm_emoji", "5"),
      reaction(11, "unicode_emoji", "zz"),
    ],
  });
  const [thumb, boat, zulip] = [{ character: "👍" }, { name: "boat" }, { name: "zulip" }];
  const own = [boat, zulip].map((each) => ({ emoji: each, personIds: ["11"] }));
  assert.deepEqual(messages[0].reactions, [{ emoji: thumb, personIds: ["12", "99"] }, ...own]);
  assert.deepEqual(messages[1].reactions, []);
  assert.deepEqual(columns(emoji, "name", "isDeactivated"), ["boat | true", "oar | false"]);
  assert.deepEqual(leftOut, { "reactions of unknown emoji": 2 });
});

const record = (path: string, fields: object = {}) => ({ path, s3_path: path, ...fields });
const contentsOf = (reader: ExportReader) => async (source: FileSource) =>
  (await buffer(await reader.openFile(source))).toString();

test("uploads are files of their messages", async (t) => {
  const upload = "1/ab/RANDOM/notes.txt";
  const content = `see [my notes](/user_uploads/${upload}) and [lost](/user_uploads/1/ab/x/y.txt)`;
  const attachment = { id: 71, path_id: upload, file_name: "Notes.txt", size: 5 };
  const reader = await readerOf(t, {
    ...files([message(101, { content })]),
    "export/attachment.json": JSON.stringify({ zerver_attachment: [attachment] }),
    "export/uploads/records.json": JSON.stringify([record(upload), record("../realm.json")]),
    [`export/uploads/${upload}`]: "notes",
  });
  const { messages } = await importedOrganization(reader);
  const source = { path: `export/uploads/${upload}` };
  const link = { file: upload, label: "my notes" };
  assert.deepEqual(messages[0].text, ["see ", link, " and [lost](/user_uploads/1/ab/x/y.txt)"]);
  assert.deepEqual(messages[0].files, [{ id: upload, name: "Notes.txt", size: 5, source }]);
  assert.equal(await contentsOf(reader)(source), "notes");
  await assert.rejects(contentsOf(reader)("missing"), NotAnExport);
});

test("avatars and emoji are files of the archive", async (t) => {
  const tables = {
    zerver_userprofile: [person(11, "Ada", { avatar_source: "U" }), person(12, "Bob"), person(13, "Bot")],
    zerver_realmemoji: [{ id: 7, name: "boat", file_name: "7.png" }],
  };
  const avatars = ["1/a.original", "1/a.png"].map((path) => record(path, { user_profile_id: 11 }));
  const reader = await readerOf(t, {
    ...files([], tables),
    "export/avatars/records.json": JSON.stringify([...avatars, record("1/b.png", { user_profile_id: 12 })]),
    "export/avatars/1/a.original": "face",
    "export/avatars/1/a.png": "small",
    "export/avatars/1/b.png": "old",
    "export/emoji/records.json": JSON.stringify([record("1/7.png", { file_name: "7.png" })]),
    "export/emoji/1/7.png": "boat",
  });
  const { people, emoji } = await importedOrganization(reader);
  assert.deepEqual(await Promise.all([people[0].picture, emoji[0].picture].map(contentsOf(reader))), ["face", "boat"]);
  assert.equal(people[1].picture, undefined);
});

test("message files are read in order, and large files in parts", async (t) => {
  const contents = {
    ...files([message(101), message(102)]),
    "export/messages-000002.json": JSON.stringify({
      zerver_usermessage: [{ user_profile: 12, message: 101, flags_mask: 2 }],
      zerver_message: [message(103)],
    }),
  };
  const { messages } = await importedOrganization(await readerOf(t, contents));
  assert.deepEqual(
    messages.map(({ id, starredBy }: ImportedMessage) => [id, starredBy]),
    [
      ["101", ["12"]],
      ["102", []],
      ["103", []],
    ],
  );
  const archive = await archiveOf(t, contents);
  const rows = async (wholeBytes: number) =>
    (await collected(rowsOf(archive, "export/realm.json", Object.keys(realm), wholeBytes))).flatMap(
      (batch) => batch.rows,
    );
  assert.deepEqual(await rows(0), await rows(1 << 20));
  assert.equal((await rows(0)).length, 17);
});

test("ignores columns of other versions and unknown tables", async (t) => {
  const old = await imported(t, [message(101)]);
  const newer = await imported(t, [message(101, { new_column: {} })], {
    zerver_newtable: [{ id: 1 }],
    zerver_stream: [channel(21, "general", { topics_policy: 2, can_create_topic_group: 71, subscriber_count: 2 })],
  });
  assert.deepEqual(newer, old);
});

test("malformed rows are counted, and malformed files refused", async (t) => {
  const rows = [null, 7, "x", [], {}, { id: "1" }] as unknown as object[];
  const { leftOut, messages } = await imported(
    t,
    [...rows, message(101), message(102, { recipient: 999 }), message(103, { date_sent: "now" })],
    {
      ...realm,
      zerver_stream: [...rows, channel(21, "general")],
      zerver_reaction: rows,
      zerver_defaultstream: rows,
      zerver_channelfolder: rows,
    },
  );
  assert.deepEqual([messages.length, leftOut], [1, { "unreadable records": 8 + 6 * 4 }]);
  for (const broken of ['{"zerver_message": [', "[]x", ""]) {
    const reader = await readerOf(t, { ...files([]), "export/messages-000001.json": broken });
    await assert.rejects(importedOrganization(reader), NotAnExport);
  }
});

test("reads the rows of another project's samples", async (t) => {
  const sample = (name: string) => readFileSync(new URL(`fixtures/zulip/${name}`, import.meta.url));
  const names = ["migration_status.json", "messages-000001.json", "messages-000002.json"];
  const archive = await archiveOf(
    t,
    { "realm.json": "{}", ...Object.fromEntries(names.map((name) => [name, sample(name)])) },
    "zip",
  );
  assert.ok(isZulip(archive));
  const { leftOut, ...organization } = await importedOrganization(zulipReader(archive));
  assert.deepEqual(organization, { people: [], channels: [], conversations: [], emoji: [], messages: [] });
  assert.deepEqual(leftOut, { "unreadable records": 3 }, "they have times, and no sender");
  assert.equal(isZulip(await archiveOf(t, { "realm.json": "{}" })), false);
});

test("treats names of prototypes as ordinary names", async (t) => {
  const contents = files([message(101, { content: "@**__proto__** #**constructor**" })]);
  const hostile = (contents["export/realm.json"] as string).replace(
    '"zerver_stream"',
    '"__proto__":{"zerver_stream":[1]},"constructor":[],"zerver_stream"',
  );
  const { messages } = await importedOrganization(await readerOf(t, { ...contents, "export/realm.json": hostile }));
  assert.deepEqual(textsOf(messages), [["@**__proto__** #**constructor**"]]);
  assert.equal(({} as Record<string, unknown>).zerver_stream, undefined);
});

const COLUMNS = `id full_name role is_bot email delivery_email avatar_source date_joined name description creator folder
  can_send_message_group stream_post_policy type type_id user_profile recipient active stream usergroup_ptr supergroup
  subgroup file_name message reaction_type emoji_code sender subject content date_sent last_edit_time edit_history
  flags_mask path_id size path s3_path user_profile_id`;
const simple = fc.constantFrom<unknown[]>(
  null,
  true,
  "",
  "x",
  "\0\ud83d",
  -1,
  2,
  11,
  21,
  44,
  1e300,
  "unicode_emoji",
  "d83d",
);
const value = fc.oneof(simple, fc.constantFrom([], {}, [null, [1]], '[{}, {"prev_content": 1}]', "../realm.json"));
const anyRows = fc.array(fc.dictionary(fc.constantFrom(...COLUMNS.split(/\s+/)), value), { maxLength: 4 });

test("values of any type are read without failing", async () => {
  const check = async (rows: readonly object[]) => {
    const own: Tables = { zerver_realmemoji: [], zerver_reaction: [], zerver_groupgroupmembership: [], ...realm };
    const tables = Object.entries(own).map(([name, list]) => [
      name,
      rows.flatMap((row) => [row, ...list.map((each) => ({ ...each, ...row }))]),
    ]);
    const messages = rows.map((row) => message(101, row));
    const archive = memoryArchive({
      ...files(messages, Object.fromEntries(tables), rows),
      "export/attachment.json": { zerver_attachment: rows },
      "export/uploads/records.json": rows,
      "export/avatars/records.json": rows,
    });
    const found = await importedOrganization(zulipReader(archive));
    for (const { text } of found.messages) assert.ok(shown(text).isWellFormed());
  };
  await fc.assert(fc.asyncProperty(anyRows, check), { numRuns: 200 });
});
