import assert from "node:assert/strict";
import test from "node:test";
import { MAX_CUSTOM_EMOJI } from "../../server/api/queries/emoji.ts";
import { applyEvent } from "../../ui/api/state.ts";
import { type Body, type Chat, type ChatOptions, startChat } from "../support/chat.ts";
import { pngOf } from "../support/pictures.ts";
import { MOVING_GIF, pngSize, served, upload } from "../support/uploaded-pictures.ts";

const general = { name: "general", subscribers: ["hamlet", "othello"] };
const PICTURE = { bytes: pngOf(80, 40, 40) };
const withoutId = ({ id: _id, ...event }: Record<string, unknown>) => event;
const startVenice = (t: test.TestContext, options: ChatOptions = {}) =>
  startChat(t, { channels: [general], ...options });

const add = (chat: Chat, name: string, emoji: string, bytes: Uint8Array = PICTURE.bytes): Promise<Body> =>
  upload(chat, name, `/realm/emoji/${encodeURIComponent(emoji)}`, [{ bytes }]);

async function added(chat: Chat, name: string, emoji: string, bytes?: Uint8Array) {
  const answer = await add(chat, name, emoji, bytes);
  assert.deepEqual(answer, { status: 200, result: "success", msg: "" });
  return emojiNamed(chat, emoji);
}

const allEmoji = async (chat: Chat): Promise<Record<string, any>[]> =>
  Object.values((await chat.as("othello").get("/realm/emoji"))["emoji"]);
const emojiNamed = async (chat: Chat, name: string) =>
  (await allEmoji(chat)).find((emoji) => emoji["name"] === name) as Record<string, any>;

const statusOf = async (chat: Chat, name: string) =>
  (await chat.register("othello", { fetch_event_types: ["user_status"] })).state.user_status[chat.ids[name] as number];
const sendTo = async (chat: Chat, content: string): Promise<number> =>
  (await chat.as("hamlet").post("/messages", { type: "channel", to: "general", topic: "x", content })).id;
const htmlOf = async (chat: Chat, id: number): Promise<string> =>
  (await chat.as("othello").get(`/messages/${id}`)).message.content;

test("a member adds an emoji for everyone", async (t) => {
  const chat = await startVenice(t);
  const [member, guest] = [await chat.register("othello"), await chat.register("polonius")];
  const emoji = await added(chat, "hamlet", "green_tick");
  assert.match(emoji["source_url"], /^\/user_avatars\/1\/emoji\/images\/[\da-f]{32}\.png$/);
  const { source_url } = emoji;
  const id = emoji["id"];
  assert.deepEqual(emoji, {
    id,
    name: "green_tick",
    source_url,
    still_url: null,
    deactivated: false,
    author_id: chat.ids["hamlet"],
  });
  const event = { type: "realm_emoji", op: "update", realm_emoji: { [id]: emoji } };
  for (const client of [member, guest]) assert.deepEqual((await client.events()).map(withoutId), [event]);
  assert.deepEqual((await chat.register("polonius")).state.realm_emoji, { [id]: emoji });
  const picture = await served(chat, source_url);
  assert.deepEqual([picture.status, pngSize(picture.bytes)], [200, [64, 64]]);
  assert.equal(picture.headers.get("cache-control"), "public, max-age=31536000, immutable");
  assert.equal(picture.headers.get("x-content-type-options"), "nosniff");
});

test("clients can get single changes of emoji", async (t) => {
  const chat = await startVenice(t);
  const queue = await chat.register("othello", {
    client_capabilities: { individual_emoji_changes: true, user_settings_object: true, empty_topic_name: true },
    event_types: ["realm_emoji"],
  });
  const emoji = await added(chat, "hamlet", "green_tick");
  assert.equal((await chat.as("hamlet").delete("/realm/emoji/green_tick")).status, 200);
  const events = (await queue.events()) as any[];
  assert.deepEqual(events.map(withoutId), [
    { type: "realm_emoji", op: "add", emoji },
    { type: "realm_emoji", op: "update_one", emoji_id: emoji["id"], data: { deactivated: true } },
  ]);
  const state = events.reduce(applyEvent, queue.state);
  assert.deepEqual(state.realm_emoji, (await chat.register("othello")).state.realm_emoji);
});

test("messages, reactions and statuses use an emoji by its name", async (t) => {
  const chat = await startVenice(t);
  const { id: code, source_url } = await added(chat, "hamlet", "green_tick");
  const id = await sendTo(chat, "done :green_tick:");
  const html = `<p>done <img alt=":green_tick:" class="emoji" src="${source_url}" title="green tick"></p>`;
  assert.equal(await htmlOf(chat, id), html);
  const custom = { emoji_name: "green_tick", emoji_code: code, reaction_type: "realm_emoji" };
  assert.equal((await chat.as("othello").post(`/messages/${id}/reactions`, custom)).status, 200);
  assert.equal((await chat.as("hamlet").post(`/messages/${id}/reactions`, { emoji_name: "green_tick" })).status, 200);
  assert.deepEqual((await chat.as("othello").get(`/messages/${id}`)).message.reactions, [
    { ...custom, user_id: chat.ids["othello"] },
    { ...custom, user_id: chat.ids["hamlet"] },
  ]);
  assert.equal((await chat.as("hamlet").post("/users/me/status", custom)).status, 200);
  assert.deepEqual(await statusOf(chat, "hamlet"), custom);
});

test("a deactivated emoji stays in use but cannot be chosen again", async (t) => {
  const chat = await startVenice(t);
  const { id: code, source_url } = await added(chat, "hamlet", "green_tick");
  const id = await sendTo(chat, ":green_tick:");
  const custom = { emoji_name: "green_tick", emoji_code: code, reaction_type: "realm_emoji" };
  await chat.as("othello").post(`/messages/${id}/reactions`, custom);
  await chat.as("hamlet").post("/users/me/status", custom);
  const member = await chat.register("othello");
  assert.equal((await chat.as("hamlet").delete("/realm/emoji/green_tick")).status, 200);
  const [{ realm_emoji }] = (await member.events()) as any[];
  assert.equal(realm_emoji[code].deactivated, true);
  assert.deepEqual((await chat.register("othello")).state.realm_emoji, realm_emoji);

  assert.match(await htmlOf(chat, id), new RegExp(source_url.replaceAll(".", "\\.")));
  assert.equal((await served(chat, source_url)).status, 200);
  assert.equal((await chat.as("othello").get(`/messages/${id}`)).message.reactions.length, 1);
  assert.deepEqual(await statusOf(chat, "hamlet"), custom);

  const other = await sendTo(chat, "again :green_tick:");
  assert.equal(await htmlOf(chat, other), "<p>again :green_tick:</p>");
  assert.match((await chat.as("othello").post(`/messages/${other}/reactions`, custom)).msg, /deactivated/);
  assert.match((await chat.as("othello").post("/users/me/status", custom)).msg, /deactivated/);
  // Joining an existing reaction uses its emoji.
  assert.equal((await chat.as("hamlet").post(`/messages/${id}/reactions`, custom)).status, 200);
  assert.equal((await chat.as("hamlet").patch(`/messages/${id}`, { content: ":green_tick: edited" })).status, 200);
  assert.equal(await htmlOf(chat, id), "<p>:green_tick: edited</p>");

  const again = await chat.as("hamlet").delete("/realm/emoji/green_tick");
  assert.deepEqual([again.status, again["code"]], [404, "BAD_REQUEST"]);
  assert.equal((await chat.as("hamlet").delete("/realm/emoji/never_there")).status, 404);
});

test("deactivating an emoji frees its name", async (t) => {
  const chat = await startVenice(t);
  const first = await added(chat, "hamlet", "green_tick");
  assert.match((await add(chat, "othello", "green_tick")).msg, /already exists/);
  await chat.as("hamlet").delete("/realm/emoji/green_tick");
  await added(chat, "othello", "green_tick");
  const [old, now] = await allEmoji(chat);
  assert.deepEqual([old?.["id"], old?.["deactivated"], now?.["deactivated"]], [first["id"], true, false]);
  const id = await sendTo(chat, ":green_tick:");
  assert.match(await htmlOf(chat, id), new RegExp(now?.["source_url"]));
});

test("an animated emoji has a still picture", async (t) => {
  const chat = await startVenice(t);
  const { images } = chat.server.app;
  const webp = { max_width: 100, max_height: 100, format: "webp", animated: true } as const;
  const pictures = { gif: MOVING_GIF, webp: (await images.thumbnail(1, { bytes: MOVING_GIF }, webp)).bytes };
  for (const [format, picture] of Object.entries(pictures)) {
    const { source_url, still_url } = await added(chat, "hamlet", `dance_${format}`, picture);
    assert.match(source_url, new RegExp(`^/user_avatars/1/emoji/images/[\\da-f]{32}\\.${format}$`));
    assert.match(still_url, /^\/user_avatars\/1\/emoji\/images\/still\/[\da-f]{32}-still\.png$/);
    const [moving, still] = [await served(chat, source_url), await served(chat, still_url)];
    assert.deepEqual(
      [moving, still].map(({ status, headers }) => [status, headers.get("content-type")]),
      [
        [200, `image/${format}`],
        [200, "image/png"],
      ],
    );
    const info = await images.info(1, { bytes: moving.bytes });
    assert.deepEqual(info, { format, width: 64, height: 64, frames: 2 });
    assert.deepEqual(pngSize(still.bytes), [64, 64]);
    assert.equal((await served(chat, source_url.replace(format, "png"))).status, 404);
  }
});

test("names allow lower-case letters, digits and a few signs", async (t) => {
  const chat = await startVenice(t, { unwatched: true });
  const wrong = {
    " ": "emoji_name_required",
    Tick: "emoji_name_invalid_characters",
    "green tick!": "emoji_name_invalid_characters",
    été: "emoji_name_invalid_characters",
    "../../tick": "emoji_name_invalid_characters",
    "a\r\nset-cookie: b": "emoji_name_invalid_characters",
    "<script>": "emoji_name_invalid_characters",
    tick_: "emoji_name_invalid_ending",
    "tick.": "emoji_name_invalid_ending",
    ["t".repeat(61)]: "emoji_name_too_long",
  };
  for (const [name, expected] of Object.entries(wrong)) {
    const { status, code, reason, var_name } = await add(chat, "hamlet", name);
    assert.deepEqual([status, code, var_name], [400, "BAD_REQUEST", "emoji_name"], name);
    assert.equal(reason, expected);
  }
  for (const [name, stored] of Object.entries({ "green tick": "green_tick", "v1.2-b": "v1.2-b", "8": "8" })) {
    assert.equal((await add(chat, "hamlet", name)).status, 200, name);
    assert.ok(await emojiNamed(chat, stored), stored);
  }
  assert.match(await htmlOf(chat, await sendTo(chat, ":v1.2-b:")), /<img alt=":v1.2-b:"/);
  assert.equal((await allEmoji(chat)).length, 3);
});

test("only administrators override standard emoji", async (t) => {
  const chat = await startVenice(t);
  for (const name of ["tada", "hearth", "zulip"]) {
    const refused = await add(chat, "hamlet", name);
    assert.deepEqual([refused.status, refused["code"]], [400, "BAD_REQUEST"]);
    assert.equal(refused.reason, "replace_emoji_administrators_only");
  }
  const { source_url } = await added(chat, "iago", "tada");
  assert.match(await htmlOf(chat, await sendTo(chat, ":tada:")), new RegExp(source_url));
  await chat.as("iago").delete("/realm/emoji/tada");
  assert.match(await htmlOf(chat, await sendTo(chat, ":tada:")), /emoji-1f389/);
});

test("the organization decides who adds emoji", async (t) => {
  const chat = await startVenice(t);
  assert.match((await add(chat, "polonius", "tick")).msg, /Guests/);
  const moderators = chat.server.app.store.reader.value<number>(
    "SELECT id FROM user_groups WHERE name = 'role:moderators'",
  );
  const answer = await chat.as("desdemona").patch("/realm", { can_add_custom_emoji_group: { new: moderators } });
  assert.equal(answer.status, 200, answer.msg);
  const refused = await add(chat, "hamlet", "tick");
  assert.deepEqual([refused.status, refused["code"]], [400, "BAD_REQUEST"]);
  assert.equal(refused.reason, "add_emoji_not_permitted");
  assert.equal((await add(chat, "iago", "tick")).status, 200);
  assert.equal((await chat.anonymous("GET", "/realm/emoji")).status, 401);
});

test("losing the permission during decoding adds no emoji", async (t) => {
  const chat = await startVenice(t);
  const { images } = chat.server.app;
  const decode = images.emoji.bind(images);
  t.mock.method(images, "emoji", async (...args: Parameters<typeof decode>) => {
    await chat.as("desdemona").patch(`/users/${chat.ids["hamlet"]}`, { role: 600 });
    return decode(...args);
  });
  assert.equal((await add(chat, "hamlet", "tick")).reason, "add_emoji_not_permitted");
  assert.deepEqual(await allEmoji(chat), []);
});

test("authors deactivate their own emoji, administrators any", async (t) => {
  const chat = await startVenice(t);
  for (const name of ["tick_1", "tick_2"]) await added(chat, "hamlet", name);
  for (const name of ["othello", "polonius"]) {
    const refused = await chat.as(name).delete("/realm/emoji/tick_1");
    assert.deepEqual([refused.status, refused["code"]], [400, "UNAUTHORIZED_PRINCIPAL"], name);
  }
  assert.equal((await emojiNamed(chat, "tick_1"))["deactivated"], false);
  assert.equal((await chat.as("hamlet").delete("/realm/emoji/tick_1")).status, 200);
  assert.equal((await chat.as("iago").delete("/realm/emoji/tick_2")).status, 200);
});

test("an emoji is one readable picture of at most 5 MiB", async (t) => {
  const chat = await startVenice(t, { unwatched: true });
  const codes: unknown[] = [];
  for (const bytes of [Buffer.alloc((5 << 20) + 1), Buffer.from("<svg/>")])
    codes.push((await add(chat, "hamlet", "tick", bytes))["code"]);
  codes.push((await upload(chat, "hamlet", "/realm/emoji/tick", []))["code"]);
  codes.push((await upload(chat, "hamlet", "/realm/emoji/tick", [PICTURE, PICTURE]))["code"]);
  assert.deepEqual(codes, ["BAD_REQUEST", "BAD_IMAGE", "BAD_REQUEST", "BAD_REQUEST"]);
  assert.deepEqual(await allEmoji(chat), []);
});

test("an organization has a limited number of emoji", async (t) => {
  const chat = await startVenice(t, { unwatched: true });
  chat.server.app.store.transact({ actor: null, action: "test" }, (tx) => {
    for (let index = 0; index < MAX_CUSTOM_EMOJI; index++) {
      const file = index.toString(16).padStart(32, "0");
      tx.run("INSERT INTO files (name, kind, size, created_at) VALUES (?, 'emoji', 0, 0)", file);
      const sql = "INSERT INTO custom_emoji (name, author_id, file, extension) VALUES (?, 1, ?, 'png')";
      tx.run(sql, `emoji_${index}`, file);
    }
  });
  assert.match((await add(chat, "iago", "one_more")).msg, /at most 2000/);
});

test("the extra emoji has its own name and picture", async (t) => {
  const chat = await startVenice(t);
  const path = (name: string) => `/static/generated/emoji/images/emoji/unicode/${name}.png`;
  const id = await sendTo(chat, ":hearth:");
  assert.equal(
    await htmlOf(chat, id),
    `<p><img alt=":hearth:" class="emoji" src="${path("hearth")}" title="hearth"></p>`,
  );
  const [own, public_] = [await served(chat, path("hearth")), await served(chat, path("zulip"))];
  assert.deepEqual([own.status, own.headers.get("content-type"), pngSize(own.bytes)], [200, "image/png", [128, 128]]);
  assert.deepEqual(own.bytes, public_.bytes);
  const reactions = async () => (await chat.as("othello").get(`/messages/${id}`)).message.reactions;
  await chat.as("hamlet").post(`/messages/${id}/reactions`, { emoji_name: "hearth" });
  // Public clients know the same emoji by another name; it is counted once.
  const theirs = { emoji_name: "zulip", emoji_code: "zulip", reaction_type: "zulip_extra_emoji" };
  assert.equal((await chat.as("othello").post(`/messages/${id}/reactions`, theirs)).status, 200);
  const extra = { emoji_name: "hearth", emoji_code: "hearth", reaction_type: "zulip_extra_emoji" };
  assert.deepEqual(await reactions(), [
    { ...extra, user_id: chat.ids["hamlet"] },
    { ...extra, user_id: chat.ids["othello"] },
  ]);
  assert.equal((await chat.as("hamlet").delete(`/messages/${id}/reactions`, theirs)).status, 200);
  assert.equal((await reactions()).length, 1);
});

test("anonymous callers see emoji but not their authors", async (t) => {
  const chat = await startVenice(t, { unwatched: true });
  await added(chat, "hamlet", "green_tick");
  const owner = chat.as("desdemona");
  await owner.patch("/host/settings", { WEB_PUBLIC_STREAMS_ENABLED: true });
  await owner.patch("/realm", { enable_spectator_access: true });
  const { realm_emoji } = await chat.anonymous("POST", "/register", { fetch_event_types: ["realm_emoji"] });
  const [emoji] = Object.values(realm_emoji) as any[];
  assert.deepEqual([emoji.name, emoji.author_id], ["green_tick", null]);
});

test("emoji survive a restart", async (t) => {
  const chat = await startVenice(t);
  const emoji = await added(chat, "hamlet", "green_tick");
  await chat.restart();
  assert.deepEqual(await allEmoji(chat), [emoji]);
  assert.equal((await served(chat, emoji["source_url"])).status, 200);
});

test("the audit names who added and deactivated an emoji", async (t) => {
  const chat = await startVenice(t);
  const { id } = await added(chat, "hamlet", "green_tick");
  await chat.as("iago").delete("/realm/emoji/green_tick");
  const { entries } = await chat.as("desdemona").get("/host/audit", { target: `custom emoji ${id}` });
  assert.deepEqual(
    entries.map(({ action, actor, target_name }: any) => [action, actor.user_id, target_name]),
    [
      ["deactivate custom emoji", chat.ids["iago"], "green_tick"],
      ["add custom emoji", chat.ids["hamlet"], "green_tick"],
    ],
  );
});
