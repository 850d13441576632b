import assert from "node:assert/strict";
import test from "node:test";
import { NotAnExport } from "../../server/imports/archive.ts";
import { isMattermost, mattermostReader } from "../../server/imports/formats/mattermost.ts";
import { archiveOf, organizationOf, referredPeople } from "./archives.ts";

const line = (type: string, fields: object) => ({ type, [type]: fields });
const version = { type: "version", version: 1 };
const core = line("team", { name: "core", display_name: "Core" });
const dev = line("channel", { team: "core", name: "dev", display_name: "Development", type: "O", purpose: "*code*" });
const inDev = [{ name: "core", roles: "team_user", channels: [{ name: "dev" }] }];
const ann = line("user", {
  username: "ann",
  first_name: "Ann",
  last_name: "Lee",
  email: "ann@e.example",
  teams: inDev,
});
const bob = line("user", { username: "bob", nickname: "Bobby", teams: null });

const post = (message: string, more: object = {}) =>
  line("post", { team: "core", channel: "dev", user: "ann", message, create_at: 1_700_000_000_000, ...more });
const direct = (members: string[], message: string, more: object = {}) =>
  line("direct_post", { channel_members: members, user: "ann", message, create_at: 1_700_000_000_000, ...more });

const exportOf = (lines: readonly unknown[]) =>
  [version, ...lines].map((each) => (typeof each === "string" ? each : JSON.stringify(each))).join("\n");
const read = (lines: readonly unknown[], files: Record<string, string> = {}) =>
  organizationOf(mattermostReader(archiveOf({ "import.jsonl": exportOf(lines), ...files })));
const withPosts = (...posts: unknown[]) => read([core, dev, ann, bob, ...posts]);

test("recognizes an export by its first line", async () => {
  for (const name of ["import.jsonl", "export.json", "data/export.jsonl"])
    assert.equal(await isMattermost(archiveOf({ [name]: exportOf([]), "data/a.png": "x" })), true, name);
  assert.equal(await isMattermost(archiveOf({ upload: exportOf([]) })), true);
  for (const files of [
    {},
    { "a.json": [] },
    { "a.jsonl": '{"type":"post"}\n' },
    { "a.txt": exportOf([]), "b.txt": "" },
  ])
    assert.equal(await isMattermost(archiveOf(files)), false);
});

test("rejects other versions", async () => {
  const reader = mattermostReader(archiveOf({ "import.jsonl": '{"type":"version","version":2}\n' }));
  await assert.rejects(
    organizationOf(reader),
    (error) => error instanceof NotAnExport && error.problem.reason === "import_version_unsupported",
  );
});

test("people have their roles, names and states", async () => {
  const user = (username: string, fields: object) => line("user", { username, ...fields });
  const { people } = await read([
    user("admin", { roles: "system_admin system_user", delete_at: 0 }),
    user("lead", { roles: "system_user", teams: [{ name: "core", roles: "team_admin team_user" }] }),
    user("guest", { roles: "system_guest" }),
    user("visitor", { roles: "system_user", teams: [{ name: "core", roles: "team_guest" }] }),
    user("Gone", { delete_at: 1_700_000_000_000, nickname: "Left" }),
    line("bot", { username: "ci", display_name: "CI", owner: "admin" }),
    ann,
  ]);
  assert.deepEqual(
    people.map(({ id, name, role, isBot, isActive }) => [id, name, role, isBot, isActive]),
    [
      ["admin", "admin", "owner", false, true],
      ["lead", "lead", "administrator", false, true],
      ["guest", "guest", "guest", false, true],
      ["visitor", "visitor", "guest", false, true],
      ["gone", "Left", "member", false, false],
      ["ci", "CI", "member", true, true],
      ["ann", "Ann Lee", "member", false, true],
    ],
  );
});

test("channels have their settings and members", async () => {
  const more = [
    line("channel", { team: "core", name: "town-square", display_name: "Town Square", type: "O" }),
    line("channel", { team: "core", name: "old", type: "P", header: "head @ann", deleted_at: 1_700_000_000_000 }),
  ];
  const { channels } = await read([core, dev, ...more, ann]);
  assert.deepEqual(
    channels.map(({ name, isPrivate, isArchived, isDefault, description, folder, memberIds }) => [
      ...[name, isPrivate, isArchived, isDefault, description, folder, memberIds.length],
    ]),
    [
      ["Development", false, false, false, "*code*", undefined, 1],
      ["Town Square", false, false, true, "", undefined, 0],
      ["old", true, true, false, "head @ann", undefined, 0],
    ],
  );
});

test("channels of several teams are in folders", async () => {
  const teams = [core, line("team", { name: "web", display_name: "Core" }), line("team", { name: "ops" })];
  const channels = ["core", "web", "ops"].map((team) => line("channel", { team, name: "dev", type: "O" }));
  const mention = post("~dev", { team: "web" });
  const found = await read([...teams, ...channels, ann, mention, direct(["ann"], "~dev")]);
  assert.deepEqual(
    found.channels.map(({ id, folder }) => [id, folder]),
    [
      ["core/dev", "Core (core)"],
      ["web/dev", "Core (web)"],
      ["ops/dev", "ops"],
    ],
  );
  assert.deepEqual(
    found.messages.map(({ text }) => text),
    [[{ channel: "web/dev" }], ["~dev"]],
  );
});

test("identifies conversations by their members", async () => {
  const found = await read([
    line("direct_channel", { members: ["bob", "ann"] }),
    line("direct_channel", { members: ["ann", "ann"] }),
    ann,
    bob,
    direct(["ann", "bob"], "one", { replies: [{ user: "bob", message: "two", create_at: 1_700_000_000_001 }] }),
    direct(["ann", "carl", "bob"], "three"),
  ]);
  assert.deepEqual(
    found.conversations.map(({ memberIds }) => memberIds),
    [["ann", "bob"], ["ann"], ["ann", "bob", "carl"]],
  );
  const [pair, , group] = found.conversations;
  assert.deepEqual(
    found.messages.map(({ place, threadId }) => [place, threadId]),
    [pair, pair, group].map((conversation) => [conversation?.id, undefined]),
  );
  assert.deepEqual(
    found.people.map(({ id, isActive }) => `${id} ${isActive}`),
    ["ann true", "bob true", "carl false"],
  );
});

test("replies follow the first message of their thread", async () => {
  const replies = [
    { user: "bob", message: "first", create_at: 1_700_000_000_500 },
    { user: "ann", message: "second", create_at: 1_700_000_000_900, edit_at: 1_700_000_001_000 },
  ];
  const { messages } = await withPosts(post("root", { replies }), post("alone", { replies: [] }));
  const [root, first, second, alone] = messages;
  assert.deepEqual(
    [root?.threadId, first?.threadId, second?.threadId, alone?.threadId],
    [root?.id, root?.id, root?.id, undefined],
  );
  assert.equal(new Set(messages.map(({ id }) => id)).size, 4);
  assert.deepEqual([first?.senderId, first?.sentAt, second?.editedAt], ["bob", 1_700_000_000_500, 1_700_000_001_000]);
  assert.deepEqual((await withPosts(post("root", { replies }), post("alone"))).messages, messages);
});

test("stars, pins and reactions are kept", async () => {
  const reactions = [
    { user: "ann", emoji_name: "+1", create_at: 1 },
    { user: "bob", emoji_name: "thumbsup", create_at: 2 },
    { user: "zoe", emoji_name: "ours", create_at: 3 },
    { emoji_name: "tada" },
  ];
  const found = await withPosts(post("a", { reactions, is_pinned: true, flagged_by: ["bob", "max"] }), post("b"));
  const [first, second] = found.messages;
  assert.deepEqual(first?.reactions, [
    { emoji: { character: "👍" }, personIds: ["ann", "bob"] },
    { emoji: { name: "ours" }, personIds: ["zoe"] },
  ]);
  assert.deepEqual([first?.pinnedBy, first?.starredBy, second?.pinnedBy], [[], ["bob", "max"], undefined]);
  assert.deepEqual(found.people.map(({ id }) => id).sort(), [...referredPeople(found)].sort());
});

test("files, pictures and emoji are found next to the export or in its data", async () => {
  const attachments = ["20231114/a/plan.pdf", "old/b.png", "../../etc/passwd", "missing.txt"].map((path) => ({ path }));
  const user = line("user", { username: "ann", profile_image: "pictures/ann.png" });
  const emoji = [line("emoji", { name: "ours", image: "exported_emoji/x/image.png" }), line("emoji", { name: "lost" })];
  const files = { "data/20231114/a/plan.pdf": "12345", "old/b.png": "1", "data/pictures/ann.png": "1" };
  const found = await read([core, dev, user, ...emoji, post("", { attachments })], {
    ...files,
    "data/exported_emoji/x/image.png": "1",
  });
  const [plan, old, hostile, missing] = found.messages[0]?.files ?? [];
  assert.deepEqual([plan?.name, plan?.size, plan?.source], ["plan.pdf", 5, { path: "data/20231114/a/plan.pdf" }]);
  assert.deepEqual([old?.source, hostile?.source, missing?.source], [{ path: "old/b.png" }, "missing", "missing"]);
  assert.deepEqual(found.people[0]?.picture, { path: "data/pictures/ann.png" });
  assert.deepEqual(found.emoji, [
    { name: "ours", picture: { path: "data/exported_emoji/x/image.png" } },
    { name: "lost", picture: "missing" },
  ]);
});

test("notices, deleted and empty messages are left out and counted", async () => {
  const { messages, leftOut } = await withPosts(
    post("ann joined the channel.", { type: "system_join_channel" }),
    post("ann joined the channel."),
    post("bob added to the channel by ann."),
    post("bob joined the channel."),
    post("gone", { delete_at: 1_700_000_000_001 }),
    post(" "),
    post("*waves*", { type: "me", props: { message: "waves" } }),
    post("kept", { type: "custom_plugin" }),
  );
  assert.deepEqual(
    messages.map(({ text }) => text),
    [["bob joined the channel."], ["/me waves"], ["kept"]],
  );
  assert.deepEqual(leftOut, { notices: 3, "deleted messages": 1, "empty messages": 1 });
});

test("integrations send with their own names and attachments", async () => {
  const attachments = [{ title: "Build", title_link: "https://e.example/1", text: "**ok** @ann", actions: [{}, {}] }];
  const { messages, people, leftOut } = await withPosts(
    post("", { props: { from_webhook: "true", override_username: "CI", attachments } }),
    post("b", { props: JSON.stringify({ override_username: "CI" }) }),
    post("c", { props: { override_username: "Ann Lee" } }),
  );
  assert.deepEqual(messages[0]?.text, ["> [**Build**](https://e.example/1)\n>\n> **ok** ", { person: "ann" }]);
  assert.deepEqual(
    messages.map(({ senderId }) => senderId),
    ["webhook:CI", "webhook:CI", "ann"],
  );
  assert.deepEqual([people[2]?.name, people[2]?.isBot], ["CI", true]);
  assert.deepEqual(leftOut, { "buttons and forms": 2 });
});

test("finds unlisted channels and people", async () => {
  const found = await read([
    core,
    dev,
    post("a", { channel: "Secret", user: "Eve" }),
    post("b", { channel: "secret" }),
  ]);
  const secret = found.channels.find(({ name }) => name === "secret");
  assert.deepEqual([secret?.isPrivate, secret?.memberIds], [true, ["eve", "ann"]]);
  assert.deepEqual(
    found.messages.map(({ place }) => place),
    [secret?.id, secret?.id],
  );
  assert.deepEqual(
    found.people.map(({ id, isActive }) => [id, isActive]),
    [
      ["eve", false],
      ["ann", false],
    ],
  );
});

test("malformed lines are counted, and the rest is read", async () => {
  const broken = ['{"type":"post","post":', '{"type":"user","user":7}', '["post"]', '{"type":"post"}'];
  const { messages, leftOut, people } = await withPosts(
    ...[...broken, "{}", "null", "text", ""],
    post("no time", { create_at: null }),
    post("no user", { user: {} }),
    post("no channel", { channel: "" }),
    line("scheme", { name: "x" }),
    { type: "__proto__" },
    { post: { ...(post("kept").post as object), create_at: "1700000000000" }, type: "post" },
  );
  assert.deepEqual(
    messages.map(({ text, sentAt }) => [...text, sentAt]),
    [["kept", 1_700_000_000_000]],
  );
  assert.deepEqual(
    people.map(({ id }) => id),
    ["ann", "bob"],
  );
  assert.deepEqual(leftOut, { "unreadable records": broken.length + 3 + 3 });
});

const values = [null, 0, -1, 1e300, "", "x", "__proto__", "constructor", [], {}, [null], [{}], true];

test("ignores values of other types", async () => {
  const keys = ["message", "create_at", "edit_at", "delete_at", "type", "props", "replies", "reactions", "attachments"];
  const posts = [...keys, "flagged_by", "is_pinned", "user", "channel", "team", "channel_members"].flatMap((key) =>
    values.map((value) => post("a", { [key]: value })),
  );
  const users = ["username", "teams", "roles", "email", "first_name", "delete_at", "profile_image"].flatMap(
    (key, row) => values.map((value, column) => line("user", { username: `u${row}-${column}`, [key]: value })),
  );
  const others = ["team", "channel", "bot", "emoji", "direct_channel"].flatMap((kind) =>
    ["name", "members", "display_name", "team", "image"].flatMap((key) =>
      values.map((value) => line(kind, { [key]: value })),
    ),
  );
  const found = await read([core, dev, ann, ...users, ...others, ...posts]);
  assert.ok(found.messages.length > posts.length / 2);
  const people = new Set(found.people.map(({ id }) => id));
  assert.ok([...referredPeople(found)].every((id) => people.has(id)));
  const places = new Set([...found.channels, ...found.conversations].map(({ id }) => id));
  assert.ok(found.messages.every(({ place }) => places.has(place)));
});
