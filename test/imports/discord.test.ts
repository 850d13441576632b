import assert from "node:assert/strict";
import test from "node:test";
import { NotAnExport } from "../../server/imports/archive.ts";
import { discordReader, isDiscord } from "../../server/imports/formats/discord.ts";
import { collected } from "../support/collected.ts";
import { archiveOf, organizationOf, summary } from "./archives.ts";
import { written } from "./visible.ts";

type Fields = Record<string, unknown>;
const user = (name: string, more: Fields = {}) => ({
  id: `1${name}`,
  name,
  discriminator: "0000",
  nickname: name.toUpperCase(),
  isBot: false,
  ...more,
});
const [ADA, BO] = [user("ada"), user("bo")];
/** IDs are times: `at` is in seconds after the start of 2015. */
const idAt = (at: number): string => String(BigInt(at) * 4_194_304_000n);
const timeAt = (at: number): number => 1_420_070_400_000 + at * 1000;

function message(at: number, content: string, more: Fields = {}): Fields {
  return {
    id: idAt(at),
    type: "Default",
    timestamp: new Date(timeAt(at)).toISOString(),
    timestampEdited: null,
    isPinned: false,
    content,
    author: ADA,
    attachments: [],
    embeds: [],
    stickers: [],
    reactions: [],
    mentions: [],
    ...more,
  };
}

const GUILD = { id: "1", name: "Guild", iconUrl: "x" };
const channel = (id: string, more: Fields = {}) => ({
  id,
  type: "GuildTextChat",
  categoryId: "9",
  category: "Text",
  name: `c${id}`,
  topic: null,
  ...more,
});
const file = (about: Fields, messages: readonly unknown[], guild: unknown = GUILD) => ({
  guild,
  channel: about,
  dateRange: {},
  messages,
  messageCount: messages.length,
});

const read = async (contents: Fields) => organizationOf(discordReader(archiveOf(contents)));
const only = async (...messages: readonly unknown[]) => read({ "a.json": file(channel("5"), messages) });
const texts = async (...messages: readonly unknown[]): Promise<string[]> =>
  (await only(...messages)).messages.map(({ text }) => written(text));

test("reads channels with their people", async () => {
  const about = channel("5", { type: "GuildNews", topic: "**t**" });
  const reactions = [{ emoji: { id: "", name: "👍" }, count: 1, users: [BO] }];
  const first = message(60, "hi *you*", { reactions, timestampEdited: "2015-02-01T01:00:00.1234567+01:00" });
  const organization = summary(await read({ "a.json": file(about, [first]) }));
  const person = { role: "member", isActive: true };
  assert.deepEqual(organization, {
    people: [
      { id: "1ada", name: "ADA", username: "ada", ...person },
      { id: "1bo", name: "BO", username: "bo", ...person },
    ],
    channels: [
      { id: "5", name: "c5", description: "**t**", isReadOnly: true, folder: "Text", memberIds: ["1ada", "1bo"] },
    ],
    messages: [
      {
        id: idAt(60),
        ...{ place: "5", senderId: "1ada", sentAt: timeAt(60), text: "hi *you*" },
        editedAt: Date.UTC(2015, 1, 1, 0, 0, 0, 123),
        reactions: [{ emoji: { character: "👍" }, personIds: ["1bo"] }],
      },
    ],
    leftOut: {},
  });
});

test("pinned messages were pinned by an unknown person", async () => {
  const { messages } = await only(message(1, "a", { isPinned: true }), message(2, "b"));
  assert.deepEqual([messages[0]?.pinnedBy, messages[1]?.pinnedBy], [[], undefined]);
});

test("parts of a channel are read in order, and shared messages once", async () => {
  const part = (...ats: number[]) =>
    file(
      channel("5"),
      ats.map((at) => message(at, `m${at}`)),
    );
  const contents = {
    "c [5] [part 10].json": part(6),
    "c [5] [part 2].json": part(3, 4),
    "c [5].json": part(1, 2),
    "again/c [5].json": part(2, 3, 5),
  };
  const { messages, channels } = await read(contents);
  assert.deepEqual(
    messages.map(({ text }) => written(text)),
    ["m2", "m3", "m5", "m1", "m4", "m6"],
  );
  assert.equal(channels.length, 1);
});

const thread = (id: string, more: Fields = {}) =>
  channel(id, { type: "GuildPublicThread", categoryId: "5", category: "c5", name: "Boats", ...more });

test("a public thread is a topic of its channel, with the message that started it", async () => {
  const { messages, channels } = await read({
    "a.json": file(channel("5"), [message(1, "start"), message(2, "other")]),
    "b.json": file(thread(idAt(1)), [message(3, "in thread", { author: BO })]),
    "c.json": file(thread("77"), [message(4, "same name")]),
    "d.json": file(thread("78", { categoryId: "6", category: "gone" }), [message(5, "without parent")]),
  });
  assert.deepEqual(
    messages.map(({ place, topic, text }) => [place, topic, written(text)]),
    [
      ["5", "Boats", "start"],
      ["5", undefined, "other"],
      ["5", "Boats", "in thread"],
      ["5", "Boats (2)", "same name"],
      ["6", "Boats", "without parent"],
    ],
  );
  assert.deepEqual(
    channels.map(({ id, name, memberIds }) => [id, name, memberIds]),
    [
      ["5", "c5", ["1ada", "1bo"]],
      ["6", "gone", ["1ada"]],
    ],
  );
});

test("a private thread is a private channel of its people", async () => {
  const about = channel("7", { type: "GuildPrivateThread", categoryId: "5", category: "c5", name: "secret" });
  const { channels, messages } = await read({
    "a.json": file(channel("5"), [message(1, "x", { author: BO })]),
    "b.json": file(about, [message(2, "y")]),
  });
  assert.deepEqual(
    channels.map(({ name, isPrivate, folder, memberIds }) => [name, isPrivate, folder, memberIds]),
    [
      ["c5", false, "Text", ["1bo"]],
      ["secret", true, "Text", ["1ada"]],
    ],
  );
  assert.deepEqual(
    messages.map(({ place, topic }) => [place, topic]),
    [
      ["5", undefined],
      ["7", undefined],
    ],
  );
});

test("several guilds have folders with their names", async () => {
  const other = { id: "2", name: "Other" };
  const { channels } = await read({
    "a.json": file(channel("5"), []),
    "b.json": file(channel("6", { category: null }), [], other),
    "c.json": file(channel("7", { type: "DirectTextChat" }), [], { id: "0", name: "Direct Messages" }),
  });
  assert.deepEqual(
    channels.map(({ folder }) => folder),
    ["Guild: Text", "Other"],
  );
});

test("a name of several people adds nobody to direct messages", async () => {
  const twin = { ...BO, id: "1twin" };
  const guild = { id: "0", name: "Direct Messages" };
  const pair = channel("5", { type: "DirectTextChat", name: "BO" });
  const { conversations } = await read({
    "a.json": file(channel("4"), [message(1, "x", { author: BO }), message(2, "y", { author: twin })]),
    "b.json": file(pair, [message(3, "secret"), message(4, "z", { author: BO })], guild),
    "c.json": file({ ...pair, id: "6" }, [message(5, "secret")], guild),
  });
  assert.deepEqual(
    conversations.map(({ memberIds }) => memberIds),
    [
      ["1ada", "1bo"],
      ["1ada", "partner-6"],
    ],
  );
});

test("direct messages are conversations, with the person who never wrote", async () => {
  const direct = (id: string, type: string, name: string) => channel(id, { type, name, category: null });
  const guild = { id: "0", name: "Direct Messages" };
  const { conversations, people } = await read({
    "a.json": file(direct("5", "DirectTextChat", "BO"), [message(1, "x")], guild),
    "b.json": file(direct("6", "DirectTextChat", "Silent"), [message(2, "y")], guild),
    "c.json": file(direct("7", "DirectGroupTextChat", "us"), [message(3, "z"), message(4, "w", { author: BO })], guild),
  });
  assert.deepEqual(
    conversations.map(({ id, memberIds }) => [id, memberIds]),
    [
      ["5", ["1ada", "1bo"]],
      ["6", ["1ada", "partner-6"]],
      ["7", ["1ada", "1bo"]],
    ],
  );
  assert.deepEqual(
    people.map(({ name }) => name),
    ["ADA", "BO", "Silent"],
  );
});

const hook = (name: string) => user("hook", { isBot: true, nickname: name });
const bot = user("bot", { isBot: true, discriminator: "1234", avatarUrl: "https://cdn.example/embed/avatars/1.png" });

test("people have their newest name; each name of a webhook is a person", async () => {
  const { people } = await only(
    message(1, "a", { author: hook("One") }),
    message(2, "b", { author: hook("Two") }),
    message(3, "c", { author: bot }),
    message(4, "d"),
    message(5, "e", { author: { ...ADA, nickname: "Countess" } }),
    message(6, "f", { author: user("deleted_user_1"), type: "GuildMemberJoin" }),
  );
  assert.deepEqual(
    people.map((person) => [person.id, person.name, person.username, person.isBot, person.isActive, person.joinedAt]),
    [
      ["1hook/One", "One", "hook", true, true, undefined],
      ["1hook/Two", "Two", "hook", true, true, undefined],
      ["1bot", "BOT", "bot#1234", true, true, undefined],
      ["1ada", "Countess", "ada", false, true, undefined],
      ["1deleted_user_1", "DELETED_USER_1", "deleted_user_1", false, false, timeAt(6)],
    ],
  );
  assert.equal(people[2]?.picture, undefined, "Discord's own picture");
});

const attachments = [
  "c.json_Files\\a%20b.png",
  "C:\\export\\x\\c.json_Files\\a b.png",
  "../../up.png",
  "../up.png",
  "https://cdn.discordapp.com/f.png?ex=1",
  "/etc/passwd",
  "a%zz",
].map((url, id) => ({ id: String(id), url, fileName: `f${id}`, fileSizeBytes: id }));

const contents = {
  "x/c.json": file(channel("5"), [message(1, "", { attachments, author: { ...ADA, avatarUrl: "..\\up.png" } })]),
  "x/c.json_Files/a b.png": "1",
  "up.png": "2",
};

test("files are in the archive, at Discord, or missing; never outside", async () => {
  const { messages, people } = await read(contents);
  assert.deepEqual(
    messages[0]?.files.map(({ source }) => source),
    [
      { path: "x/c.json_Files/a b.png" },
      { path: "x/c.json_Files/a b.png" },
      { path: "up.png" },
      { path: "up.png" },
      { url: "https://cdn.discordapp.com/f.png?ex=1" },
      "missing",
      "missing",
    ],
  );
  assert.deepEqual(messages[0]?.files[2], { id: `5/${idAt(1)}/2`, name: "f2", size: 2, source: { path: "up.png" } });
  assert.deepEqual(people[0]?.picture, { path: "up.png" });
});

test("opens the files that are in the archive", async () => {
  const reader = discordReader(archiveOf({ "up.png": "2" }));
  assert.deepEqual(await collected(await reader.openFile({ path: "up.png" })), [Buffer.from("2")]);
  for (const source of ["missing", { url: "https://x.example/1.png" }, { path: "../up.png" }] as const)
    await assert.rejects(reader.openFile(source), NotAnExport);
});

test("stickers are pictures, or their name", async () => {
  const stickers = [
    { name: "wave", format: "Apng", sourceUrl: "https://cdn.example/1.png" },
    { name: "jump", format: "Lottie", sourceUrl: "x.json" },
  ];
  const { messages } = await only(message(1, "", { stickers }));
  assert.equal(written(messages[0]!.text), "*jump*");
  assert.deepEqual(messages[0]?.files, [
    { id: `5/${idAt(1)}/sticker-0`, name: "wave.png", source: { url: "https://cdn.example/1.png" } },
  ]);
});

test("replies link to their message, with its start", async () => {
  const reference = { messageId: idAt(1), channelId: "5", guildId: "1" };
  const { messages } = await only(
    message(1, `**old** [x] ||secret|| ${"long ".repeat(40)}`),
    message(2, "new", { type: "Reply", reference }),
    message(3, "far", { type: "Reply", reference: { messageId: "404", channelId: "5" } }),
    message(4, "gone", { type: "Reply", reference: { messageId: "1", channelId: "999" } }),
  );
  const label = "ADA: old &#91;x&#93; … long long long";
  const [link, far] = messages.slice(1).map(({ text }) => text[1] as { label?: string });
  assert.deepEqual(messages[1]?.text, ["> ", { message: idAt(1), place: "5", label: link?.label }, "\n\nnew"]);
  assert.ok(link?.label?.startsWith(label) && link.label.endsWith("…"));
  assert.ok((link?.label?.length ?? 0) < 110);
  assert.deepEqual(far, { message: "404", place: "5", label: "an earlier message" });
  assert.equal(written(messages[3]!.text), "gone");
});

test("forwarded messages are quotes with their files", async () => {
  const forwardedMessage = {
    content: "was **here**",
    attachments: [{ id: "8", url: "https://cdn.example/8.png", fileName: "8.png" }],
    embeds: [],
    stickers: [],
  };
  const { messages } = await only(
    message(1, "", { forwardedMessage, reference: { type: "Forward", messageId: "7", channelId: "6" } }),
  );
  assert.equal(written(messages[0]!.text), "> Forwarded\n>\n> was **here**");
  assert.equal(messages[0]?.files.length, 1);
});

test("embeds are quotes; previews of links are left out", async () => {
  const embed = {
    title: "T*",
    url: "https://e.example/1",
    description: "d **b**",
    author: { name: "A" },
    footer: { text: "f" },
    fields: [{ name: "k", value: "`v`" }],
    images: [{ url: "https://e.example/p.png?x=1" }],
    thumbnail: { url: "https://e.example/t.png" },
  };
  const { messages, leftOut } = await only(
    message(1, "", { embeds: [embed] }),
    message(2, "see https://e.example/1 and", { embeds: [embed, { description: "own" }] }),
  );
  assert.equal(
    written(messages[0]!.text),
    "> A\n>\n> **[T&#42;](https://e.example/1)**\n>\n> d **b**\n>\n> **k**\n>\n> `v`\n>\n> f",
  );
  assert.deepEqual(messages[0]?.files, [
    { id: `5/${idAt(1)}/embed-0-0`, name: "p.png", source: { url: "https://e.example/p.png?x=1" } },
  ]);
  assert.equal(written(messages[1]!.text), "see https://e.example/1 and\n\n> own");
  assert.deepEqual(leftOut, { "link previews": 1 });
});

const emoji = (id: string, name: string) => ({ id, name, code: name, imageUrl: `https://cdn.example/${id}.png` });
const reaction = (about: Fields, count = 1) => ({ emoji: about, count, users: [BO] });

test("custom emoji have unique names, in texts and reactions", async () => {
  const reactions = [
    reaction(emoji("21", "Blob!")),
    reaction(emoji("22", "blob")),
    reaction({ id: "", name: "thumbsup" }),
    reaction({ id: "", name: "❤️" }, 4),
  ];
  const organization = await only(
    message(1, ":Blob: :blob: <a:wave:23> :10:", { reactions, inlineEmojis: [emoji("22", "blob")] }),
  );
  assert.deepEqual(organization.emoji, [
    { name: "blob", picture: { url: "https://cdn.example/21.png" } },
    { name: "blob_2", picture: { url: "https://cdn.example/22.png" } },
    { name: "wave", picture: { url: "https://cdn.discordapp.com/emojis/23.gif" } },
  ]);
  assert.equal(written(organization.messages[0]!.text), ":Blob: :blob_2: :wave: :10:");
  assert.deepEqual(
    organization.messages[0]?.reactions.map((each) => each.emoji),
    [{ name: "blob" }, { name: "blob_2" }, { character: "❤️" }],
  );
  assert.deepEqual(organization.leftOut, {
    "reactions of unknown emoji": 1,
    "reactions of unknown people": 3,
  });
});

test("mentions are references, as names and as IDs", async () => {
  const author = { ...ADA, roles: [{ id: "31", name: "crew" }] };
  const content = "@BO Bo! @everyone <@1bo> <@!99> <@&31> <#5> <#404> #c5 x#c5 @ada";
  const { messages } = await only(message(1, content, { author, mentions: [BO] }));
  assert.deepEqual(messages[0]?.text, [
    { person: "1bo" },
    " Bo! ",
    { everyone: true },
    " ",
    { person: "1bo" },
    " @unknown-user ",
    { group: "crew" },
    " ",
    { channel: "5" },
    " #unknown-channel ",
    { channel: "5" },
    " x#c5 @ada",
  ]);
});

test("slash commands show who used them", async () => {
  const interaction = { id: "1", name: "poll", user: BO };
  assert.deepEqual(
    await texts(message(1, "started", { type: "20", author: user("bot", { isBot: true }), interaction })),
    ['‹{"person":"1bo"}› used `/poll`\n\nstarted'],
  );
});

test("leaves out notices, empty and unreadable messages, and counts them", async () => {
  const notices = ["RecipientAdd", "Call", "ChannelPinnedMessage", "GuildMemberJoin", "ThreadCreated", "21", "46"].map(
    (type, at) => message(at + 1, "Notice.", { type }),
  );
  const { messages, leftOut } = await only(
    ...notices,
    message(20, " \n"),
    message(21, "x", { author: null }),
    message(22, "x", { id: null }),
    null,
    "x",
    message(23, "x", { timestamp: "no", id: "abc" }),
    message(24, "kept", { timestamp: "no", id: "123456789012345678" }),
  );
  const sentAt = Number(123456789012345678n >> 22n) + 1_420_070_400_000;
  assert.deepEqual(
    messages.map((each) => [written(each.text), each.sentAt]),
    [["kept", sentAt]],
  );
  assert.deepEqual(leftOut, { notices: 7, "empty messages": 1, "unreadable records": 5 });
});

const FIELDS = [
  "type",
  "timestampEdited",
  "isPinned",
  "content",
  "attachments",
  "embeds",
  "stickers",
  "reactions",
  "mentions",
  "reference",
  "forwardedMessage",
  "interaction",
  "inlineEmojis",
];

test("hostile values do not affect other records", async () => {
  const odd: unknown[] = [{}, [{}], [null], "__proto__", 1e308, null, true, "x".repeat(100_000)];
  const hostile = odd.flatMap((value, at) =>
    FIELDS.map((field, index) => message(100 + at * 20 + index, "x", { [field]: value })),
  );
  const ids = ["__proto__", "constructor"].map((id) => message(1, "y", { id, author: { id, name: id } }));
  const json = JSON.stringify(file(channel("5"), [...hostile, ...ids, message(1, "kept")])).replace(
    '"content"',
    '"__proto__":{"isBot":true},"content"',
  );
  const { messages, people } = await read({ "a.json": json });
  assert.equal(written(messages.at(-1)!.text), "kept");
  assert.ok(["__proto__", "constructor"].every((id) => people.some((person) => person.id === id)));
  assert.equal(({} as Fields)["isBot"], undefined);
});

test("recognizes only its exports", async () => {
  const sticker = { v: "5.5", layers: [] };
  assert.equal(await isDiscord(archiveOf({ "a.json": sticker, "b.json": file(channel("5"), []) })), true);
  assert.equal(
    await isDiscord(
      archiveOf({
        "a.json": [file(channel("5"), [])],
        "b.json": { guild: {}, messages: [] },
        "c.json": "{",
        "d.json": "",
      }),
    ),
    false,
  );
});
