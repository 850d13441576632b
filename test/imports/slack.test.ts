import assert from "node:assert/strict";
import test from "node:test";
import { isSlack, slackReader } from "../../server/imports/formats/slack.ts";
import { archiveOf, organizationOf, referredPeople } from "./archives.ts";

const ann = { id: "U1", name: "ann", profile: { real_name: "Ann Lee", email: "ann@example.org" }, tz: "Europe/Berlin" };
const bob = { id: "U2", name: "bob", real_name: "Bob", profile: {} };
const general = { id: "C1", name: "general", is_general: true, members: ["U1", "U2"], created: 1_500_000_000 };

/** A message of the second `at`. */
const message = (at: number, more: object = {}) => ({
  type: "message",
  user: "U1",
  text: `text ${at}`,
  ts: `15000000${at}.000100`,
  ...more,
});

const exported = (files: Record<string, unknown>, users: unknown[] = [ann, bob], channels: unknown[] = [general]) =>
  organizationOf(slackReader(archiveOf({ "users.json": users, "channels.json": channels, ...files })));

/** An export with these messages in its channel. */
const withMessages = (...messages: unknown[]) => exported({ "general/2017-07-14.json": messages });

test("people have their roles and states", async () => {
  const roles = [{ is_primary_owner: true }, { is_owner: true }, { is_admin: true }, {}, { is_restricted: true }];
  const users = [...roles, { is_ultra_restricted: true }].map((role, index) => ({ ...ann, id: `U${index}`, ...role }));
  const bot = { id: "UB", name: "build", is_bot: true, profile: { real_name: "Build" } };
  const left = { id: "UL", name: "lee", deleted: true, profile: { display_name: "Lee" } };
  const { people } = await exported({}, [...users, bot, left, { id: "USLACKBOT", name: "slackbot" }]);
  const [owner, second, administrator, member, guest, another, build, lee, slackbot] = people;
  assert.deepEqual([owner?.role, second?.role, administrator?.role], ["owner", "owner", "administrator"]);
  assert.deepEqual([member?.role, guest?.role, another?.role], ["member", "guest", "guest"]);
  assert.deepEqual([member?.name, member?.username, member?.email], ["Ann Lee", "ann", "ann@example.org"]);
  assert.deepEqual([member?.timezone, member?.isActive, member?.isBot], ["Europe/Berlin", true, false]);
  assert.deepEqual([build?.isBot, lee?.isActive, lee?.name, slackbot?.isBot], [true, false, "Lee", true]);
});

test("pictures are files of another tool, or URLs", async () => {
  const pictures = ["image_512", "image_original"].map((key) => ({
    [key]: `https://avatars.slack-edge.com/${key}.png`,
  }));
  const generated = { image_512: "https://secure.gravatar.com/avatar/1.jpg" };
  const users = [...pictures, generated, {}].map((profile, index) => ({ id: `U${index}`, name: "a", profile }));
  const { people } = await exported({ "__avatars/U3.jpg": "x" }, users, []);
  assert.deepEqual(
    people.map(({ picture }) => picture),
    [
      { url: "https://avatars.slack-edge.com/image_512.png" },
      { url: "https://avatars.slack-edge.com/image_original.png" },
      undefined,
      { path: "__avatars/U3.jpg" },
    ],
  );
});

test("finds unlisted people in everything that names them", async () => {
  const channel = { ...general, creator: "UC", members: ["U1", "UM"], pins: [{ id: "1500000010.000100", user: "UP" }] };
  const rich = {
    type: "rich_text",
    elements: [{ type: "rich_text_section", elements: [{ type: "user", user_id: "UT" }] }],
  };
  const messages = [
    message(10, { user: "US", user_profile: { real_name: "Sam", image_72: "https://a.example/1.png" } }),
    message(11, { text: "<@UN|ned>", reactions: [{ name: "tada", users: ["UR"], count: 2 }] }),
    message(12, { blocks: [rich] }),
  ];
  const files = { "general/2017-07-14.json": messages, "dms.json": [{ id: "D1", members: ["U1", "UD"] }] };
  const found = await exported(files, [ann], [channel]);
  const people = new Map(found.people.map((person) => [person.id, person]));
  assert.deepEqual([...people.keys()].sort(), [...new Set(["U1", ...referredPeople(found)])].sort());
  assert.equal(people.size, 9);
  assert.deepEqual([people.get("US")?.name, people.get("UN")?.name, people.get("UM")?.name], ["Sam", "ned", "UM"]);
  assert.deepEqual(people.get("US")?.picture, { url: "https://a.example/1.png" });
  assert.ok(found.people.slice(1).every(({ isActive }) => !isActive));
});

test("apps and webhooks are people of their own", async () => {
  const app = { subtype: "bot_message", user: undefined };
  const found = await exported(
    {
      "general/2017-07-14.json": [
        message(10, { ...app, bot_id: "B1", bot_profile: { name: "Build" } }),
        message(11, { ...app, bot_id: "B1", username: "nagios", icons: { image_72: "https://a.example/n.png" } }),
        message(12, { ...app, username: "hook" }),
        message(13, { ...app, bot_id: "B2" }),
        message(14, { ...app }),
      ],
    },
    [ann, { id: "UB", name: "deploy", is_bot: true, profile: { real_name: "Deploy", bot_id: "B2" } }],
  );
  const senders = found.messages.map(({ senderId }) => found.people.find(({ id }) => id === senderId));
  const shown = senders.map((sender) => [sender?.name, sender?.isBot]);
  assert.deepEqual(shown, [
    ["Build", true],
    ["nagios", true],
    ["hook", true],
    ["Deploy", true],
    ["Unknown", false],
  ]);
  assert.equal(new Set(senders).size, 5);
});

test("an app with too many names becomes a single person", async () => {
  const posts = Array.from({ length: 300 }, (_, index) => ({
    ...message(10, { user: undefined, bot_id: "B1", username: `name ${index}` }),
    ts: `1500000010.${String(index).padStart(6, "0")}`,
  }));
  const { people, messages } = await withMessages(...posts);
  assert.equal(messages.length, 300);
  assert.equal(people.length, 2 + 200 + 1);
});

test("channels have their settings and description", async () => {
  const purpose = { value: "Plans &amp; *goals* of <@U2> in <#C1|general>" };
  const channels = [
    general,
    { id: "C2", name: "old", is_archived: true, created: "1500000001", creator: "U1", purpose },
  ];
  const secret = { id: "G1", name: "secret", members: ["U2", "U2"], topic: { value: "a_b # 1" } };
  const { channels: found } = await exported({ "groups.json": [secret] }, [ann, bob], channels);
  const [first, old, third] = found;
  assert.deepEqual([first?.isDefault, first?.isPrivate, first?.createdAt], [true, false, 1_500_000_000_000]);
  assert.deepEqual(
    [old?.isArchived, old?.isDefault, old?.creatorId, old?.createdAt],
    [true, false, "U1", 1_500_000_001_000],
  );
  assert.equal(old?.description, "Plans & **goals** of @Bob in #general");
  assert.deepEqual([third?.isPrivate, third?.memberIds, third?.description], [true, ["U2"], "a_b # 1"]);
  assert.deepEqual(
    found.map(({ folder }) => folder),
    [undefined, undefined, undefined],
  );
});

test("messages belong to the active channel of two with the same name", async () => {
  const channels = [{ ...general, id: "C8", is_archived: true }, general, { ...general, id: "C9" }];
  const files = { "general/2017-07-14.json": [message(10)], "C9/2017-07-14.json": [message(11)] };
  const { messages } = await exported(files, [ann], channels);
  assert.deepEqual(
    messages.map(({ place, text }) => [place, ...text]),
    [
      ["C1", "text 10"],
      ["C9", "text 11"],
    ],
  );
});

test("conversations have their members once", async () => {
  const groups = ["mpdm-ann--bob-1", "mpdm-ann--bob-2"].map((name, index) => ({ id: `G${index}`, name }));
  const { conversations, messages } = await exported({
    "dms.json": [
      { id: "D1", members: ["U1", "U2"] },
      { id: "D2", members: ["U1", "U1"] },
    ],
    "mpims.json": [{ ...groups[0], members: ["U1", "U2", "U3"] }, groups[1]],
    "D1/2017-07-14.json": [message(10, { thread_ts: "1500000010.000100" })],
    "mpdm-ann--bob-1/2017-07-14.json": [message(11)],
  });
  const members = Object.fromEntries(conversations.map(({ id, memberIds }) => [id, memberIds]));
  assert.deepEqual(members, { G0: ["U1", "U2", "U3"], G1: ["U1", "U2"], D1: ["U1", "U2"], D2: ["U1"] });
  assert.deepEqual(
    messages.map(({ place, threadId }) => [place, threadId]),
    [
      ["G0", undefined],
      ["D1", undefined],
    ],
  );
});

const shared = { id: "C5", name: "shared", members: ["U1"] };
const workspaces = {
  "org_users.json": [ann],
  "dms.json": [{ id: "D1", members: ["U1", "U2"] }],
  "D1/2017-07-14.json": [message(10)],
  "teams/red/users.json": [ann, bob],
  "teams/red/channels.json": [general, shared],
  "teams/red/general/2017-07-14.json": [message(11)],
  "teams/red/shared/2017-07-14.json": [message(12)],
  "teams/blue/channels.json": [
    { ...general, id: "C2" },
    { ...shared, members: ["U2"] },
  ],
  "teams/blue/general/2017-07-14.json": [message(11)],
  "teams/blue/shared/2017-07-14.json": [message(12), message(13)],
};

test("an export of several workspaces has a folder for each", async () => {
  const found = await organizationOf(slackReader(archiveOf(workspaces)));
  assert.deepEqual(
    found.channels.map(({ id, folder, memberIds }) => `${id} ${folder} ${memberIds}`),
    ["C1 red U1,U2", "C5 red U1,U2", "C2 blue U1,U2"],
  );
  assert.deepEqual(
    found.people.map(({ id }) => id),
    ["U1", "U2"],
  );
});

test("workspaces that share a channel have its messages once", async () => {
  const { messages } = await organizationOf(slackReader(archiveOf(workspaces)));
  assert.deepEqual(messages.map(({ place, text }) => `${place} ${text}`).sort(), [
    ...["C1 text 11", "C2 text 11", "C5 text 12", "C5 text 13", "D1 text 10"],
  ]);
});

test("unlisted folders become private channels and conversations", async () => {
  const archive = archiveOf({
    "me/users.json": [ann, bob],
    "me/channels/plans/2017-07-14.json": [message(10)],
    "me/dms/D0123456/2017-07-15.json": [message(11), message(12, { user: "U2" })],
    "__MACOSX/me/channels/plans/2017-07-14.json": "junk",
  });
  assert.equal(await isSlack(archive), true);
  const { channels, conversations, messages } = await organizationOf(slackReader(archive));
  assert.deepEqual(
    channels.map(({ name, isPrivate, memberIds }) => [name, isPrivate, memberIds]),
    [["plans", true, ["U1"]]],
  );
  assert.deepEqual(conversations, [{ id: "D0123456", memberIds: ["U1", "U2"] }]);
  assert.deepEqual(
    messages.map(({ place }) => place),
    [channels[0]?.id, "D0123456", "D0123456"],
  );
});

test("other archives are not exports of Slack", async () => {
  for (const files of [{}, { "users.json": [] }, { "channels.json": [] }, { "users.json": [], "posts.json": [] }])
    assert.equal(await isSlack(archiveOf(files)), false);
  assert.equal(await isSlack(archiveOf({ "a/users.json": [], "a/dms.json": [] })), true);
});

test("replies name the first message of their thread", async () => {
  const root = "1500000010.000100";
  const { messages } = await withMessages(
    message(10, { thread_ts: root, reply_count: 2, replies: [{ user: "U2", ts: "1500000011.000100" }] }),
    message(11, { thread_ts: root, parent_user_id: "U1" }),
    message(12, { thread_ts: root, subtype: "thread_broadcast", root: message(10) }),
    message(13),
  );
  assert.deepEqual(
    messages.map(({ threadId }) => threadId),
    [root, root, root, undefined],
  );
  assert.deepEqual(
    messages.map(({ id }) => id.slice(0, 10)),
    ["1500000010", "1500000011", "1500000012", "1500000013"],
  );
  assert.equal(messages[0]?.sentAt, 1_500_000_010_000);
});

test("notices, deleted and empty messages are left out and counted", async () => {
  const kinds = ["join", "leave", "name", "topic", "purpose", "archive", "unarchive"];
  const notices = [...kinds.map((kind) => `channel_${kind}`), ...kinds.map((kind) => `group_${kind}`), "pinned_item"];
  const others = ["unpinned_item", "reminder_add", "bot_remove", "channel_convert_to_private", "tombstone"];
  const { messages, leftOut } = await withMessages(
    ...[...notices, ...others, "ekm_access_denied"].map((subtype, index) => message(20 + index, { subtype })),
    message(50, { user: "U00" }),
    message(51, { type: "presence" }),
    message(52, { text: " " }),
    message(53, { text: "", files: [{ id: "F1", mode: "tombstone" }] }),
    message(54, { subtype: "a_new_kind" }),
  );
  assert.deepEqual(
    messages.map(({ text }) => text),
    [["text 54"]],
  );
  const counts = { notices: 21, "deleted messages": 2, "encrypted messages": 1, "empty messages": 1 };
  assert.deepEqual(leftOut, counts);
});

test("actions and huddles are texts of their senders", async () => {
  const { messages } = await withMessages(
    message(10, { subtype: "me_message", text: "waves *now*" }),
    message(11, { subtype: "bot_add", text: "added an integration" }),
    message(12, { subtype: "huddle_thread", user: "USLACKBOT", text: "", room: { created_by: "U2" } }),
    message(13, { subtype: "file_comment", user: undefined, comment: { user: "U2" } }),
    message(14, { text: "/me is no action" }),
  );
  assert.deepEqual(
    messages.map(({ senderId, text }) => [senderId, ...text]),
    [
      ["U1", "/me waves **now**"],
      ["U1", "/me added an integration"],
      ["U2", "/me started a huddle"],
      ["U2", "text 13"],
      ["U1", "&#47;me is no action"],
    ],
  );
});

test("reactions to a message are kept, with skin tones", async () => {
  const reactions = [
    { name: "+1::skin-tone-3", users: ["U1"], count: 1 },
    { name: "thumbsup::skin-tone-3", users: ["U2", "U1"], count: 9 },
    { name: "party_parrot", users: ["U2"] },
    { name: "tada", users: [] },
  ];
  const { messages } = await withMessages(message(10, { reactions }));
  assert.deepEqual(messages[0]?.reactions, [
    { emoji: { character: "👍🏼" }, personIds: ["U1", "U2"] },
    { emoji: { name: "party_parrot" }, personIds: ["U2"] },
  ]);
});

test("edits and pins are kept", async () => {
  const pins = ["U2", "U1"].map((user) => ({ id: "1500000011.000100", user }));
  const messages = [
    message(10, { edited: { user: "U1", ts: "1500000020.500000" } }),
    message(11, { pinned_to: ["C1"] }),
    message(12, { pinned_to: ["C1"] }),
    message(13, { pinned_to: ["C2"] }),
    message(14, { pinned_to: ["C1"], pinned_info: { pinned_by: "U2" } }),
  ];
  const found = await exported({ "general/2017-07-14.json": messages }, [ann, bob], [{ ...general, pins }]);
  assert.equal(found.messages[0]?.editedAt, 1_500_000_020_500);
  assert.deepEqual(
    found.messages.map(({ pinnedBy }) => pinnedBy),
    [undefined, ["U2", "U1"], [], undefined, ["U2"]],
  );
});

test("files are in the archive, at Slack, missing, or links", async () => {
  const url = "https://files.slack.com/files-pri/T1-F1/download/a.pdf?t=xoxe-1";
  const files = [
    { id: "F1", name: "a.pdf", size: 12, url_private: "https://other.example/", url_private_download: url },
    { id: "F2", name: "b.pdf", url_private: url },
    { id: "F3", title: "C", mode: "hidden_by_limit", url_private: url },
    { id: "F4", mode: "hosted", file_access: "file_not_found", url_private: url },
    { id: "F5", name: "d", title: "My *doc*", is_external: true, url_private: "https://docs.example/d" },
    { id: "F6", title: "Plan", filetype: "quip", url_private: url },
    { id: "F7", name: "e", url_private: "https://evil.example/files.slack.com/" },
  ];
  const found = await exported({ "__uploads/F2/b.pdf": "12345", "general/2017-07-14.json": [message(10, { files })] });
  const shown = found.messages[0]?.files.map(({ name, size, source }) => [name, size, source]);
  assert.deepEqual(shown, [
    ["a.pdf", 12, { url }],
    ["b.pdf", 5, { path: "__uploads/F2/b.pdf" }],
    ["C", undefined, "missing"],
    ["F4", undefined, "missing"],
    ["Plan.html", undefined, { url }],
  ]);
  const links = "[My &#42;doc&#42;](https://docs.example/d)\n\n[e](https://evil.example/files.slack.com/)";
  assert.deepEqual(found.messages[0]?.text, [`text 10\n\n${links}`]);
});

test("reads the single file and its comment in old exports", async () => {
  const file = { id: "F1", name: "a.png", url_private: "https://files.slack.com/a.png", user: "U2" };
  const words = "<@U2> uploaded a file: <https://x.slack.com/files/F1|A>";
  const { messages } = await exported({
    "general/attachments/F1-a.png": "123",
    "general/2017-07-14.json": [
      message(10, { subtype: "file_share", user: undefined, file, text: words }),
      message(11, { subtype: "file_share", file, text: `${words} and commented: look *here*` }),
    ],
  });
  assert.deepEqual(
    messages.map(({ senderId, text }) => [senderId, ...text]),
    [["U2"], ["U1", "look **here**"]],
  );
  assert.deepEqual(messages[0]?.files[0]?.source, { path: "general/attachments/F1-a.png" });
});

test("the canvas of a channel is a message with a file", async () => {
  const canvas = {
    id: "F9",
    title: "Notes",
    user: "U2",
    created: 1_500_000_000,
    url_private: "https://files.slack.com/c",
  };
  const { messages, leftOut } = await exported({
    "general/2017-07-14.json": [message(10)],
    "general/canvas_in_the_conversation.json": [canvas, { id: "F8" }],
    "canvases.json": [{ id: "F7" }],
  });
  const [, found] = messages;
  assert.deepEqual([found?.id, found?.senderId, found?.place], ["canvas-F9", "U2", "C1"]);
  assert.deepEqual(found?.files[0]?.name, "Notes.html");
  assert.deepEqual(leftOut, { "unreadable records": 1, canvases: 1 });
});

test("messages of a day are read once, in the order of days", async () => {
  const { messages } = await exported({
    "general/2017-07-15.json": [message(12), message(11)],
    "general/2017-07-14.json": [message(10), message(10), { ...message(11), ts: 1_500_000_011.0001 }],
  });
  assert.deepEqual(
    messages.map(({ id }) => id),
    ["1500000010.000100", "1500000011.000100", "1500000012.000100"],
  );
});

test("malformed records are counted, and the rest is read", async () => {
  const odd = [null, 7, "text", [], {}, { ts: null }, { ts: "x" }, { ts: "9".repeat(30) }, { ts: -1 }, { ts: {} }];
  const { messages, leftOut, people } = await exported(
    {
      "general/2017-07-14.json": [...odd, message(10)],
      "general/2017-07-15.json": "{[",
      "general/2017-07-16.json": {},
    },
    [null, 3, {}, { id: null }, ann],
    [null, { name: "no id" }, general, "x"],
  );
  assert.deepEqual(
    messages.map(({ text }) => text),
    [["text 10"]],
  );
  assert.deepEqual(
    people.map(({ id }) => id),
    ["U1", "U2"],
  );
  assert.deepEqual(leftOut, { "unreadable records": odd.length + 2 + 3 });
});

const plainValues: unknown[] = [null, 0, -1, 1e300, "", "x", "__proto__", "constructor", true];
const values = [...plainValues, [], {}, [null], [{}], { toString: 1 }];

test("ignores values of other types", async () => {
  const keys = Object.keys({ ...message(10), thread_ts: 0, subtype: 0, blocks: 0, attachments: 0, files: 0, file: 0 });
  const more = ["reactions", "edited", "pinned_to", "bot_id", "username", "room", "comment", "user_profile", "icons"];
  const messages = [...keys, ...more].flatMap((key, row) =>
    values.map((value, column) => ({ ...message(10), ts: `1500000010.0${row + 10}${column + 100}`, [key]: value })),
  );
  const channels = ["members", "purpose", "pins", "created", "creator", "name", "is_archived"].flatMap((key, row) =>
    values.map((value, column) => ({ ...general, name: `n${row}-${column}`, id: `C${row}-${column}`, [key]: value })),
  );
  const proto = JSON.parse('{"id":"__proto__","name":"constructor","__proto__":{"x":1}}');
  const found = await exported({ "general/2017-07-14.json": messages }, [ann, proto], [general, ...channels, proto]);
  assert.ok(found.messages.length > messages.length / 2);
  const people = new Set(found.people.map(({ id }) => id));
  assert.ok(people.has("__proto__"));
  assert.ok([...referredPeople(found)].every((id) => people.has(id)));
});
