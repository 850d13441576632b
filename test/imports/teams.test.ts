import assert from "node:assert/strict";
import test from "node:test";
import { isTeams, teamsReader } from "../../server/imports/formats/teams.ts";
import { archiveOf, organizationOf, summary } from "./archives.ts";
import { written } from "./visible.ts";

const TEAM = "11111111-aaaa-4aaa-8aaa-111111111111";
const [ADA, BO, CY] = ["ada", "bo", "cy"];
const CHANNEL = "19:main@thread.tacv2";
const PAIR = `19:${ADA}_${BO}@unq.gbl.spaces`;
const GROUP = "19:group@thread.v2";

type Fields = Record<string, unknown>;
const from = (Id: string, DisplayName: string | null = Id) => ({
  User: { Id, DisplayName, UserIdentityType: "aadUser" },
});
const inChannel = { ChannelIdentity: { TeamId: TEAM, ChannelId: CHANNEL }, ChatId: null };

function message(id: number, html: string, more: Fields = {}): Fields {
  return {
    Id: String(1_700_000_000_000 + id),
    MessageType: "message",
    CreatedDateTime: new Date(1_700_000_000_000 + id).toISOString(),
    Body: { ContentType: "html", Content: html },
    From: from(ADA),
    ...inChannel,
    ...more,
  };
}

function exportOf(messages: readonly unknown[], more: Fields = {}): Fields {
  return {
    "Data/users/usersList.json": [
      { Id: ADA, DisplayName: "Ada", Mail: "ada@x.example", UserPrincipalName: "a@x.example" },
      { Id: BO, DisplayName: "Bo", Mail: null, UserPrincipalName: "bo_y.example#EXT#@x.example" },
    ],
    "Data/teams/teamsList.json": [{ Name: "Rowing", Privacy: "Public", Description: "d", GroupsId: TEAM }],
    "Data/teams/teamsSettings.json": [{ Id: TEAM, DisplayName: "Rowing", Visibility: "public", IsArchived: false }],
    [`Data/teams/${TEAM}/channels_${TEAM}.json`]: [
      {
        Id: CHANNEL,
        CreatedDateTime: "2025-01-01T00:00:00Z",
        DisplayName: "General",
        Description: "about",
        MembershipType: "standard",
      },
    ],
    [`Data/teams/${TEAM}/teamMembers_${TEAM}.json`]: [
      { Name: "Ada", UserId: ADA, UserName: "a@x.example", Role: "owner" },
      { Name: "Cy", UserId: CY, UserName: "cy@x.example", Role: "guest" },
    ],
    [`Data/teams/${TEAM}/messages_${TEAM}.json`]: messages,
    ...more,
  };
}

const read = async (contents: Fields) => organizationOf(teamsReader(archiveOf(contents)));
const texts = async (...messages: readonly unknown[]): Promise<string[]> =>
  (await read(exportOf(messages))).messages.map(({ text }) => written(text));

test("reads people, teams and channels", async () => {
  const { people, channels } = summary(await read(exportOf([message(1, "hi", { From: from("dan", "Dan") })]))) as any;
  assert.deepEqual(people, [
    { id: ADA, name: "Ada", email: "ada@x.example", role: "member", isActive: true },
    { id: BO, name: "Bo", role: "guest", isActive: true },
    { id: CY, name: "Cy", email: "cy@x.example", role: "guest", isActive: true },
    { id: "dan", name: "Dan", role: "member" },
  ]);
  const channel = {
    id: CHANNEL,
    name: "General",
    description: "about",
    folder: "Rowing",
    createdAt: 1_735_689_600_000,
  };
  assert.deepEqual(channels, [{ ...channel, creatorId: ADA, memberIds: [ADA, CY, "dan"] }]);
});

const [other, deleted] = ["19:other@thread.tacv2", "19:gone@thread.tacv2"];

test("channels of restricted membership, private teams and deleted channels are private", async () => {
  const contents = exportOf([
    message(1, "x", { ChannelIdentity: { TeamId: TEAM, ChannelId: deleted }, From: from(BO) }),
  ]);
  const channels = ["private", "shared", "unknownFutureValue"].map((type) => ({
    Id: other + type,
    DisplayName: type,
    MembershipType: type,
  }));
  contents[`Data/teams/${TEAM}/channels_${TEAM}.json`] = channels;
  const organization = await read(contents);
  assert.deepEqual(
    organization.channels.map(({ isPrivate, memberIds }) => [isPrivate, memberIds]),
    [
      [true, []],
      [true, []],
      [true, []],
      [true, [BO]],
    ],
  );
  contents["Data/teams/teamsList.json"] = [{ Name: "Rowing", Privacy: "Private", GroupsId: TEAM }];
  contents["Data/teams/teamsSettings.json"] = [];
  contents[`Data/teams/${TEAM}/channels_${TEAM}.json`] = [{ Id: CHANNEL, DisplayName: "a" }];
  assert.equal((await read(contents)).channels[0]?.isPrivate, true);
});

test("a subject is the topic of a thread, in any order of messages", async () => {
  const root = message(1, "root", { Subject: "Boats" });
  const reply = message(2, "reply", { ReplyToId: root["Id"] });
  const plainRoot = message(3, "plain");
  const plainReply = message(4, "reply", { ReplyToId: plainRoot["Id"] });
  const { messages } = await read(exportOf([plainReply, reply, root, plainRoot, message(5, "alone")]));
  assert.deepEqual(
    messages.map(({ id, threadId, topic, text }) => [id.at(-1), threadId?.at(-1), topic, written(text)]),
    [
      ["4", "3", undefined, "reply"],
      ["2", "1", "Boats", "reply"],
      ["1", "1", "Boats", "root"],
      ["3", "3", undefined, "plain"],
      ["5", undefined, undefined, "alone"],
    ],
  );
});

test("messages repeat subjects that the topic cuts", async () => {
  const long = "long ".repeat(20).trim();
  const chat = { ChannelIdentity: null, ChatId: GROUP };
  assert.deepEqual(
    await texts(
      message(1, "a", { Subject: long, Importance: "urgent" }),
      message(2, "b", { ...chat, Subject: "Sub", Importance: "high" }),
    ),
    [`**Urgent**\n\n**${long}**\n\na`, "**Important**\n\n**Sub**\n\nb"],
  );
});

test("each message of a chat is read once, though each member has a copy", async () => {
  const chat = { ChannelIdentity: null, ChatId: PAIR };
  const [one, two, three] = [1, 2, 3].map((id) => message(id, `m${id}`, chat));
  const alone = message(4, "in a group", { ChannelIdentity: null, ChatId: GROUP });
  const organization = await read(
    exportOf([], {
      [`Data/users/${ADA}/messages_${ADA}.json`]: [three, one, alone],
      [`Data/users/${BO}/messages_${BO}.json`]: [one, two, three],
    }),
  );
  assert.deepEqual(
    organization.messages.map(({ text }) => written(text)),
    ["m3", "m1", "in a group", "m2"],
  );
  assert.deepEqual(organization.conversations, [
    { id: PAIR, memberIds: [ADA, BO] },
    { id: GROUP, memberIds: [ADA] },
  ]);
});

test("reads the objects of Graph, with nested replies", async () => {
  const camel = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(camel);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key[0]!.toLowerCase() + key.slice(1), camel(each)]),
    );
  };
  const [root, reply] = [message(1, "root", { Subject: "S" }), message(2, "re", { ReplyToId: "1700000000001" })];
  const pascal = exportOf([root, reply]);
  const graph = Object.fromEntries(
    Object.entries(exportOf([{ ...root, Replies: [reply] }])).map(([name, value]) => [
      name,
      { "@odata.context": "x", value: camel(value) },
    ]),
  );
  assert.equal(await isTeams(archiveOf(graph)), true);
  const [expected, actual] = [await read(pascal), await read(graph)];
  assert.deepEqual(summary(actual), summary(expected));
  assert.equal(actual.messages.length, 2);
});

test("people who left, apps and other organizations get accounts", async () => {
  const app = { Application: { Id: "app", DisplayName: "Bot" } };
  const outside = { User: { Id: "out", DisplayName: "Out", UserIdentityType: "federatedUser" } };
  const { people, messages } = await read(
    exportOf([
      message(1, "a", { From: app }),
      message(2, "b", { From: outside }),
      message(3, "c", { From: from("left", null) }),
      message(4, "d", { From: null }),
    ]),
  );
  assert.deepEqual(
    messages.map(({ senderId }) => senderId),
    ["app", "out", "left", "unknown"],
  );
  assert.deepEqual(
    people.slice(3).map(({ id, name, role, isBot, isActive }) => [id, name, role, isBot, isActive]),
    [
      ["app", "Bot", "member", true, true],
      ["out", "Out", "guest", false, false],
      ["left", "Unknown person", "member", false, false],
      ["unknown", "Unknown person", "member", false, false],
    ],
  );
});

test("mentions people, everyone and tags", async () => {
  const conversation = { Id: CHANNEL, DisplayName: "General", ConversationIdentityType: "channel" };
  const Mentions = [
    { Id: 0, MentionText: "Bo", Mentioned: { User: { Id: BO, DisplayName: "Bo" } } },
    { Id: 1, MentionText: "General", Mentioned: { Conversation: conversation, User: null } },
    { Id: 2, MentionText: "crew", Mentioned: { Tag: { Id: "t", DisplayName: "crew" } } },
  ];
  const html = '<p><at id="0">Bo</at> <at id="1">General</at> <at id="2">crew</at> <at id="7">?</at></p>';
  assert.deepEqual((await read(exportOf([message(1, html, { Mentions })]))).messages[0]?.text, [
    { person: BO },
    " ",
    { everyone: true },
    " ",
    { group: "crew" },
    " @?",
  ]);
});

test("reactions have words or characters, and the organization's own emoji", async () => {
  const by = (id: string | null) => ({ User: id === null ? null : { Id: id } });
  const url = "https://graph.example/hostedContents/1/$value";
  const Reactions = [
    ...[
      ["like", ADA],
      ["👍", BO],
      ["heart", BO],
      ["like", null],
      ["mystery", ADA],
    ].map(([ReactionType, id]) => ({ ReactionType, User: by(id as string | null) })),
    { ReactionType: "custom", DisplayName: "Row Boat", ReactionContentUrl: url, User: by(ADA) },
  ];
  const { messages, emoji, leftOut } = await read(exportOf([message(1, "a", { Reactions })]));
  assert.deepEqual(messages[0]?.reactions, [
    { emoji: { character: "👍" }, personIds: [ADA, BO] },
    { emoji: { character: "❤️" }, personIds: [BO] },
    { emoji: { name: "row_boat" }, personIds: [ADA] },
  ]);
  assert.deepEqual(emoji, [{ name: "row_boat", picture: { url } }]);
  assert.deepEqual(leftOut, { "reactions of unknown people": 1, "reactions of unknown emoji": 1 });
});

test("shared files are links, and pictures of messages are files that need a token", async () => {
  const url = "https://graph.example/v1.0/chats/1/messages/2/hostedContents/3/$value";
  const Attachments = [
    { Id: "f", ContentType: "reference", Name: "Plan.docx", ContentUrl: "https://x.sharepoint.example/a b.docx" },
  ];
  const html = `<p>see <img src="${url}" alt="image" itemid="i1"><img src="https://gif.example/1.gif" alt="cat"></p><attachment id="f"></attachment>`;
  const { messages } = await read(exportOf([message(1, html, { Attachments })]));
  assert.equal(
    written(messages[0]!.text),
    "see [cat](https://gif.example/1.gif)\n\n[Plan.docx](https://x.sharepoint.example/a%20b.docx)",
  );
  assert.deepEqual(messages[0]?.files, [{ id: `${CHANNEL}/1700000000001/0/i1`, name: "image.png", source: { url } }]);
});

const sender = { user: { id: BO, displayName: "Bo [x]" } };
const reference = { messageId: "17", messagePreview: "old *words*", messageSender: sender };
const forwarded = {
  originalMessageId: "5",
  originalMessageContent: "<p>was <b>here</b></p>",
  originalMessageSender: sender,
};
const snippet = { name: "run", language: "Python", codeSnippetUrl: "https://graph.example/hostedContents/9/$value" };

test("quotes, forwarded messages and code snippets", async () => {
  const types = [
    ["messageReference", reference],
    ["forwardedMessageReference", forwarded],
    ["application/vnd.microsoft.card.codesnippet", snippet],
  ] as const;
  const Attachments = types.map(([ContentType, content], index) => ({
    Id: `a${index}`,
    ContentType,
    Content: JSON.stringify(content),
  }));
  const { messages } = await read(
    exportOf([message(1, '<attachment id="a0"></attachment><p>so</p>', { Attachments })]),
  );
  assert.deepEqual(messages[0]?.text, [
    "> ",
    { message: "17", place: CHANNEL, label: "Bo &#91;x&#93;" },
    "\n>\n> old &#42;words&#42;\n\nso\n\n> Forwarded: Bo [x&#93;\n>\n> was **here**",
  ]);
  assert.deepEqual(messages[0]?.files[0]?.source, { url: snippet.codeSnippetUrl });
});

const adaptive = {
  type: "AdaptiveCard",
  body: [
    { type: "TextBlock", text: "Head", weight: "Bolder" },
    {
      type: "ColumnSet",
      columns: [{ type: "Column", items: [{ type: "FactSet", facts: [{ title: "Boat", value: "8+" }] }] }],
    },
    { type: "Input.Text" },
  ],
  actions: [{ type: "Action.Submit" }],
};
const hero = { title: "Title", subtitle: "Sub", text: "a <b>b</b>", buttons: [{ title: "Go" }] };
const connector = { summary: "Sum", sections: [{ activityTitle: "Act", facts: [{ name: "k", value: "v" }] }] };

test("cards become text without their buttons", async () => {
  const types = [
    ["card.adaptive", adaptive],
    ["card.hero", hero],
    ["teams.card.o365connector", connector],
  ] as const;
  const Attachments = types.map(([type, content], index) => ({
    Id: `c${index}`,
    ContentType: `application/vnd.microsoft.${type}`,
    Content: JSON.stringify(content),
  }));
  const { messages, leftOut } = await read(exportOf([message(1, "", { Attachments })]));
  const cards = [
    "> **Head**\n>\n> **Boat** 8+",
    "> **Title**\n>\n> Sub\n>\n> a **b**",
    "> Sum\n>\n> **Act**\n>\n> **k** v",
  ];
  assert.equal(written(messages[0]!.text), cards.join("\n\n"));
  assert.deepEqual(leftOut, { "buttons and forms": 3 });
});

const EVENT = { From: null, MessageType: "unknownFutureValue", EventDetail: {} };

test("leaves out events, deleted, empty and unreadable messages, and counts them", async () => {
  const { messages, leftOut, people } = await read(
    exportOf([
      message(1, "<systemEventMessage/>", EVENT),
      message(2, "x", { DeletedDateTime: "2025-01-01T00:00:00Z", From: null }),
      message(3, "<p>&nbsp;</p>"),
      message(4, "x", { Id: null }),
      message(5, "x", { ChannelIdentity: null }),
      ...[null, [], "x"],
      message(6, "kept", { LastEditedDateTime: "2025-01-02T00:00:00Z", LastModifiedDateTime: "2025-02-02T00:00:00Z" }),
    ]),
  );
  assert.deepEqual(
    messages.map(({ text, editedAt }) => [written(text), editedAt]),
    [["kept", Date.UTC(2025, 0, 2)]],
  );
  assert.deepEqual(leftOut, {
    notices: 1,
    "deleted messages": 1,
    "empty messages": 1,
    "unreadable records": 5,
  });
  assert.ok(!people.some(({ id }) => id === "unknown"));
});

const FIELDS = [
  "Body",
  "From",
  "Attachments",
  "Mentions",
  "Reactions",
  "Subject",
  "ReplyToId",
  "ChannelIdentity",
  "CreatedDateTime",
  "Importance",
  "EventDetail",
];

test("hostile values do not affect other records", async () => {
  const odd: unknown[] = [{}, [], "__proto__", 1e308, null, true, "x".repeat(100_000)];
  const hostile = odd.flatMap((value, at) =>
    FIELDS.map((field, index) => message(100 + at * 20 + index, "x", { [field]: value })),
  );
  const ids = ["__proto__", "constructor", "toString"].map((id) =>
    message(1, "y", { Id: id, ReplyToId: id, From: from(id), ChannelIdentity: { ChannelId: id, TeamId: id } }),
  );
  const json = JSON.stringify([...hostile, ...ids, message(1, "kept")]).replace(
    '"Subject"',
    '"__proto__":{"ChatId":"z"},"Subject"',
  );
  const { messages, channels } = await read(exportOf([], { [`Data/teams/${TEAM}/messages_${TEAM}.json`]: json }));
  assert.equal(written(messages.at(-1)!.text), "kept");
  assert.ok(["__proto__", "constructor"].every((id) => channels.some((channel) => channel.id === id)));
  assert.equal(({} as Fields)["ChatId"], undefined);
});

test("recognizes only its exports", async () => {
  const messages = { "x/messages.json": [message(1, "hi")] };
  assert.equal(await isTeams(archiveOf(messages)), true);
  assert.equal(await isTeams(archiveOf(exportOf([]))), true);
  const others = {
    "messages.json": [{ id: "1", content: "x" }],
    "general/2026-01-01.json": [],
    "channels.json": [{ id: "C1" }],
    "users.json": [],
  };
  assert.equal(await isTeams(archiveOf(others)), false);
});
