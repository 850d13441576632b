import assert from "node:assert/strict";
import { buffer } from "node:stream/consumers";
import test, { type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { openArchive } from "../../server/imports/archive.ts";
import { isRocketchat, rocketchatReader } from "../../server/imports/formats/rocketchat.ts";
import type { ImportedMessage } from "../../server/imports/model.ts";
import { archiveOf, dumpOf } from "../support/export-folder.ts";
import { importedOrganization } from "./archives.ts";
import { written } from "./visible.ts";

const at = new Date(1_700_000_000_000);
const ada = { _id: "A", username: "ada", name: "Ada" };
const bob = { _id: "B", username: "bob", name: "Bob" };
const users = [ada, bob].map((person) => ({ ...person, type: "user", active: true, roles: ["user"] }));
const general = { _id: "G", t: "c", name: "general", ts: at };
const message = (fields: object) => ({ _id: "m", rid: "G", ts: at, u: ada, ...fields });

async function imported(t: TestContext, collections: Parameters<typeof dumpOf>[0]) {
  const files = dumpOf({ users, rocketchat_room: [general], ...collections });
  return importedOrganization(rocketchatReader(await archiveOf(t, files)));
}

/** The single message of these documents. */
async function only(t: TestContext, document: object, others: Parameters<typeof dumpOf>[0] = {}) {
  const { messages } = await imported(t, { rocketchat_message: [message(document)], ...others });
  assert.equal(messages.length, 1);
  return messages[0] as ImportedMessage;
}

test("opens pictures in the sample dump of another project", async (t) => {
  const archive = await openArchive(
    fileURLToPath(new URL("fixtures/rocketchat", import.meta.url)),
    "/nonexistent/unused",
  );
  t.after(() => archive.close());
  const file = await rocketchatReader(archive).openFile({ gridfs: { bucket: "custom_emoji", id: "tick.png" } });
  assert.deepEqual((await buffer(file)).subarray(1, 4).toString(), "PNG");
});

test("folders and zip files with compressed collections read alike", async (t) => {
  const { gzipSync } = await import("node:zlib");
  const files = dumpOf({ users, rocketchat_room: [general], rocketchat_message: [message({ msg: "hi" })] });
  const packed = Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`${name}.gz`, gzipSync(bytes)]));
  const plain = await importedOrganization(rocketchatReader(await archiveOf(t, files)));
  assert.equal(plain.messages[0].text[0], "hi");
  for (const [contents, kind] of [
    [packed, "folder"],
    [files, "zip"],
    [packed, "zip"],
  ] as const) {
    const archive = await archiveOf(t, contents, kind);
    assert.ok(isRocketchat(archive));
    assert.deepEqual(await importedOrganization(rocketchatReader(archive)), plain);
  }
  assert.equal(isRocketchat(await archiveOf(t, { "users.bson": "", "rocketchat_room.bson": "" })), false);
});

test("roles, bots and inactive people keep their state, without passwords", async (t) => {
  const { people } = await imported(t, {
    users: [
      {
        ...ada,
        roles: ["admin"],
        emails: [{ address: "ada@example.com" }],
        services: { password: { bcrypt: "$2b$10" } },
      },
      { ...bob, roles: ["guest"], active: false },
      { _id: "app", type: "app", roles: ["app"], username: "poll.bot" },
      { _id: "visitor", type: "unknown", username: "guest-7" },
    ],
  });
  assert.deepEqual(people, [
    { id: "A", name: "Ada", username: "ada", email: "ada@example.com", role: "owner", isBot: false, isActive: true },
    { id: "B", name: "Bob", username: "bob", role: "guest", isBot: false, isActive: false },
    { id: "app", name: "poll.bot", username: "poll.bot", role: "member", isBot: true, isActive: true },
    { id: "visitor", name: "guest-7", username: "guest-7", role: "guest", isBot: false, isActive: false },
  ]);
});

test("subscriptions give members where users have no list of rooms", async (t) => {
  const subscription = (u: object, rid: string) => ({ _id: `${rid}`, rid, u });
  const { channels, people } = await imported(t, {
    rocketchat_subscription: [subscription(ada, "G"), subscription({ _id: "X", username: "gone" }, "G")],
  });
  assert.deepEqual(channels[0].memberIds, ["A", "X"]);
  assert.equal(people.at(-1).name, "gone");
});

test("discussions become topics, unless their channel has other readers", async (t) => {
  const room = (_id: string, fields: object) => ({ _id, t: "c", name: `slug-${_id}`, fname: _id, ts: at, ...fields });
  const rooms = [
    general,
    room("Party", { prid: "G" }),
    room("Cake", { prid: "Party" }),
    room("Secret", { prid: "G", t: "p" }),
    room("party", { prid: "G" }),
    room("Loop", { prid: "Loop" }),
    room("Orphan", { prid: "none" }),
  ];
  const { messages, channels } = await imported(t, {
    rocketchat_room: rooms,
    rocketchat_message: rooms.map(({ _id }) => message({ _id, rid: _id, msg: "x" })),
  });
  const places = messages.map(({ place, topic }: ImportedMessage) =>
    topic === undefined ? place : `${place}>${topic}`,
  );
  assert.deepEqual(places, ["G", "G>Party", "G>Cake", "Secret", "G>party (2)", "Loop", "Orphan"]);
  assert.deepEqual(
    channels.map(({ name }: { name: string }) => name),
    ["general", "Secret", "Loop", "Orphan"],
  );
});

test("direct rooms and their discussions are conversations", async (t) => {
  const { conversations, messages } = await imported(t, {
    rocketchat_room: [
      { _id: "AB", t: "d", uids: ["A", "B"], usernames: ["bob", "ada"] },
      { _id: "AA", t: "d", uids: ["A", "A"] },
      { _id: "AX", t: "d", usernames: ["ada", "gone"] },
      { _id: "talk", t: "p", prid: "AB", fname: "Talk" },
    ],
    rocketchat_subscription: [{ rid: "talk", u: { _id: "C", username: "cyd" } }],
    rocketchat_message: [message({ rid: "AB", msg: "x", tmid: "y" })],
  });
  assert.deepEqual(conversations, [
    { id: "AB", memberIds: ["A", "B"] },
    { id: "AA", memberIds: ["A"] },
    { id: "AX", memberIds: ["A", "@gone"] },
    { id: "talk", memberIds: ["A", "B", "C"] },
  ]);
  assert.equal(messages[0].threadId, undefined);
});

test("rooms of a team are in its folder", async (t) => {
  const { channels } = await imported(t, {
    rocketchat_room: [
      { ...general, teamId: "T" },
      { _id: "N", t: "p", name: "news", teamId: "T", broadcast: true },
    ],
    rocketchat_team: [{ _id: "T", name: "Rowers" }],
  });
  assert.deepEqual(
    channels.map(({ folder, isReadOnly, isPrivate }: Record<string, unknown>) => [folder, isReadOnly, isPrivate]),
    [
      ["Rowers", false, false],
      ["Rowers", true, true],
    ],
  );
});

const leftOutOf = async (t: TestContext, documents: readonly object[]) => {
  const rocketchat_room = [general, { _id: "L", t: "l" }];
  const rocketchat_message = documents.map((document) => message(document));
  return (await imported(t, { rocketchat_room, rocketchat_message })).leftOut;
};

test("counts messages that it leaves out", async (t) => {
  const notices = [{ t: "uj" }, { t: "e2e", msg: "cipher" }, { t: "rm" }];
  const versions = [{ _hidden: true, parent: "m", msg: "old" }, { _hidden: true }];
  const visitors = [
    { rid: "L", msg: "visitor" },
    { rid: null, token: "t" },
  ];
  const unreadable = [
    { rid: "none", msg: "lost" },
    { ts: "soon", msg: "x" },
  ];
  assert.deepEqual(await leftOutOf(t, [...notices, ...versions, ...visitors, ...unreadable, { msg: " " }]), {
    "conversations of visitors": 1,
    "deleted messages": 2,
    "earlier versions": 1,
    "empty messages": 1,
    "encrypted messages": 1,
    notices: 1,
    "unreadable records": 2,
  });
});

test("counts parts of messages that it leaves out", async (t) => {
  const urls = [
    { url: "https://a.example", meta: { pageTitle: "A" } },
    { url: "https://b.example", meta: {} },
  ];
  const reactions = { ":none:": { usernames: ["ada"] }, ":heart:": { usernames: [] } };
  assert.deepEqual(await leftOutOf(t, [{ msg: "x", urls, blocks: [{ type: "actions" }], reactions }]), {
    "buttons and forms": 1,
    "conversations of visitors": 1,
    "link previews": 1,
    "reactions of unknown emoji": 1,
  });
});

test("a message keeps its thread, edit, pin, stars and reactions", async (t) => {
  const editedAt = new Date(at.getTime() + 5000);
  const found = await only(
    t,
    {
      msg: "x",
      tmid: "root",
      editedAt,
      pinned: true,
      pinnedBy: bob,
      starred: [{ _id: "B" }, { _id: "C" }],
      reactions: { ":thumbsup:": { usernames: ["bob", "gone", "bob"] }, ":sail:": { usernames: ["ada"] } },
    },
    { rocketchat_custom_emoji: [{ _id: "e", name: "boat", aliases: ["sail"], extension: "png" }] },
  );
  assert.deepEqual(
    [found.threadId, found.editedAt, found.pinnedBy, found.starredBy],
    ["root", editedAt.getTime(), ["B"], ["B", "C"]],
  );
  assert.deepEqual(found.reactions, [
    { emoji: { character: "👍" }, personIds: ["B", "@gone"] },
    { emoji: { name: "sail" }, personIds: ["A"] },
  ]);
});

test("integrations write with the names that they show", async (t) => {
  const cat = { _id: "rocket.cat", username: "rocket.cat" };
  const { messages, people } = await imported(t, {
    rocketchat_message: [
      message({ _id: "1", msg: "built", u: cat, bot: { i: "I" }, alias: "Build" }),
      message({ _id: "2", msg: "hi", alias: "The Boss" }),
      message({ _id: "3", msg: "hi", alias: "Ada" }),
      message({ _id: "4", msg: "hi", u: undefined }),
    ],
  });
  assert.deepEqual(
    messages.map(({ senderId, text }: ImportedMessage) => `${senderId}: ${written(text)}`),
    ["rocket.cat:Build: built", "A: **The Boss:**\nhi", "A: hi", "?: hi"],
  );
  const build = people.find(({ id }: { id: string }) => id === "rocket.cat:Build");
  assert.deepEqual([build.name, build.isBot, build.isActive], ["Build", true, false]);
});

test("an integration with too many names is a single person", async (t) => {
  const cat = { _id: "rocket.cat", username: "rocket.cat" };
  const documents = Array.from({ length: 300 }, (_, at) =>
    message({ _id: `${at}`, msg: "x", u: cat, bot: true, alias: `Build ${at}` }),
  );
  const { messages, people } = await imported(t, { rocketchat_message: documents });
  assert.equal(people.length, users.length + 1 + 200);
  assert.deepEqual([messages[199].senderId, written(messages[199].text)], ["rocket.cat:Build 199", "x"]);
  assert.deepEqual([messages[200].senderId, written(messages[200].text)], ["rocket.cat", "**Build 200:**\nx"]);
});

test("mentions and links to rooms become references", async (t) => {
  const mentions = [
    { _id: "B", username: "bob" },
    { _id: "here", username: "here" },
    { _id: "T", type: "team", name: "rowers" },
  ];
  const listed = await only(t, {
    msg: "@bob @here @rowers @ada #general #none",
    mentions,
    channels: [{ _id: "G", name: "general" }],
  });
  assert.deepEqual(listed.text, [
    { person: "B" },
    " ",
    { everyone: true },
    " ",
    { group: "rowers" },
    " @ada ",
    { channel: "G" },
    " #none",
  ]);
  const unlisted = await only(t, { msg: "@all @ada, #general." });
  assert.deepEqual(unlisted.text, [{ everyone: true }, " ", { person: "A" }, ", ", { channel: "G" }, "."]);
});

test("quotes name their author and message", async (t) => {
  const link = "https://chat.example/channel/general?msg=first";
  const inner = { message_link: "https://elsewhere.example/x", author_name: "Eve", text: "deep" };
  const { text } = await only(t, {
    msg: `[ ](${link}) I agree`,
    attachments: [{ message_link: link, author_name: "bob", text: "*yes*", attachments: [inner] }],
  });
  assert.deepEqual(text, [
    { person: "B", silent: true },
    " ",
    { message: "first", place: "G", label: "said" },
    ":\n````quote\n**Eve** [said](https://elsewhere.example/x):\n```quote\ndeep\n```\n**yes**\n````\nI agree",
  ]);
});

test("links to messages of other servers stay links", async (t) => {
  const settings = { rocketchat_settings: [{ _id: "Site_Url", value: "https://chat.example/" }] };
  const own = await only(t, { msg: "[see](https://chat.example/channel/general?msg=1)" }, settings);
  assert.deepEqual(own.text, [{ message: "1", place: "G", label: "see" }]);
  const other = await only(t, { msg: "https://other.example/channel/general?msg=1" }, settings);
  assert.deepEqual(other.text, ["https://other.example/channel/general?msg=1"]);
});

test("cards of integrations and locations become text", async (t) => {
  const { text } = await only(t, {
    msg: "",
    location: { type: "Point", coordinates: [13.4, 52.5] },
    attachments: [
      {
        pretext: "New",
        author_name: "CI",
        title: "Build *7*",
        title_link: "https://ci.example/7",
        text: "_ok_",
        fields: [{ title: "Branch", value: "main" }, { value: 3 }],
        image_url: "https://ci.example/a.png",
        actions: [{}],
      },
    ],
  });
  assert.deepEqual(text, [
    "New\n**CI**\n**[Build 7](https://ci.example/7)**\n*ok*\n**Branch:** main\n3\nhttps://ci.example/a.png\nhttps://www.openstreetmap.org/?mlat=52.5&mlon=13.4",
  ]);
});
