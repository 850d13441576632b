import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import test from "node:test";
import { avatarAt } from "../../server/api/queries/pictures.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { pngOf } from "../support/pictures.ts";
import { pngSize, served, upload } from "../support/uploaded-pictures.ts";

const general = { name: "general", subscribers: ["hamlet", "othello", "polonius"] };
const withoutId = ({ id: _id, ...event }: Record<string, unknown>) => event;
const PICTURE = { bytes: pngOf(300, 200, 200) };
const OTHER = { bytes: pngOf(64, 64, 64) };

async function uploadAvatar(chat: Chat, name: string, picture = PICTURE): Promise<string> {
  const answer = await upload(chat, name, "/users/me/avatar", [picture]);
  assert.equal(answer.status, 200, answer.msg);
  return answer["avatar_url"];
}

const medium = (url: string) => url.replace(".png", "-medium.png");
const tokenOf = (url: string) => /([\da-f]{32})/.exec(url)?.[1] as string;
const generated = (chat: Chat, name: string, version: number) =>
  `/generated/user-${chat.ids[name]}.png?version=${version}`;

/** The files of this URL, which may be deleted already. */
function pathsOf(chat: Chat, url: string): string[] {
  const { files, store } = chat.server.app;
  const token = tokenOf(url);
  const larger = avatarAt(store.reader, token)?.medium;
  return [token, larger].flatMap((name) => (name ? [files.pathOf({ kind: "avatars", name })] : []));
}

/** Guests then see only people they share a channel with. */
async function limitGuests(chat: Chat): Promise<void> {
  const members = chat.server.app.store.reader.value<number>("SELECT id FROM user_groups WHERE name = 'role:members'");
  const answer = await chat.as("desdemona").patch("/realm", { can_access_all_users_group: { new: members } });
  assert.equal(answer.result, "success", answer.msg);
}

test("shows an uploaded picture in two sizes everywhere", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const [reader, own] = [await chat.register("othello"), await chat.register("hamlet")];
  const { id } = await chat.as("hamlet").post("/messages", {
    type: "channel",
    to: "general",
    topic: "x",
    content: "before",
  });
  const url = await uploadAvatar(chat, "hamlet");
  assert.match(url, /^\/user_avatars\/1\/[\da-f]{32}\.png\?version=2$/);
  const [small, large] = [await served(chat, url), await served(chat, medium(url))];
  for (const { status, headers } of [small, large]) {
    assert.equal(status, 200);
    assert.equal(headers.get("content-type"), "image/png");
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.equal(headers.get("cache-control"), "public, max-age=31536000, immutable");
    assert.match(headers.get("content-security-policy") ?? "", /sandbox/);
  }
  assert.deepEqual(
    [pngSize(small.bytes), pngSize(large.bytes)],
    [
      [100, 100],
      [500, 500],
    ],
  );

  const person = {
    user_id: chat.ids["hamlet"],
    avatar_url: url,
    avatar_source: "U",
    avatar_url_medium: medium(url),
    avatar_version: 2,
  };
  for (const client of [reader, own]) {
    const events = (await client.events()).filter(({ type }) => type === "realm_user");
    assert.deepEqual(events.map(withoutId), [{ type: "realm_user", op: "update", person }]);
  }
  const state = (await chat.register("hamlet")).state;
  assert.deepEqual([state.avatar_url, state.avatar_url_medium, state.avatar_source], [url, medium(url), "U"]);
  const { message } = await chat.as("othello").get(`/messages/${id}`);
  assert.equal(message.avatar_url, url);
  const { user } = await chat.as("polonius").get(`/users/${chat.ids["hamlet"]}`);
  assert.deepEqual([user.avatar_url, user.avatar_version], [url, 2]);
});

test("an older URL redirects to the current picture", async (t) => {
  const chat = await startChat(t);
  const first = await uploadAvatar(chat, "hamlet");
  const paths = pathsOf(chat, first);
  assert.equal(paths.filter(existsSync).length, 2);
  const second = await uploadAvatar(chat, "hamlet", OTHER);
  assert.notEqual(tokenOf(first), tokenOf(second));
  assert.match(second, /version=3$/);
  for (const [old, now] of [
    [first, second],
    [medium(first), medium(second)],
  ]) {
    const { status, headers } = await served(chat, old as string);
    assert.deepEqual([status, headers.get("location"), headers.get("cache-control")], [302, now, "no-cache"]);
  }
  const { avatar_url } = await chat.as("hamlet").delete("/users/me/avatar");
  assert.equal(avatar_url, generated(chat, "hamlet", 4));
  for (const old of [first, second]) assert.equal((await served(chat, old)).headers.get("location"), avatar_url);
  assert.equal((await served(chat, avatar_url)).status, 200);
  // Deleted in the background after the change is on disk.
  for (const path of paths) while (existsSync(path)) await new Promise(setImmediate);
});

test("removing a missing picture changes nothing", async (t) => {
  const chat = await startChat(t);
  const own = await chat.register("hamlet");
  const { avatar_url } = await chat.as("hamlet").delete("/users/me/avatar");
  assert.equal(avatar_url, generated(chat, "hamlet", 1));
  assert.deepEqual(await own.events(), []);
});

test("only administrators change pictures where the setting says so", async (t) => {
  const chat = await startChat(t);
  const url = await uploadAvatar(chat, "hamlet");
  assert.equal((await chat.as("desdemona").patch("/realm", { avatar_changes_disabled: true })).result, "success");
  const refusals = [
    await upload(chat, "hamlet", "/users/me/avatar", [OTHER]),
    await chat.as("hamlet").delete("/users/me/avatar"),
  ];
  for (const { status, code, reason } of refusals) {
    assert.deepEqual([status, code], [400, "BAD_REQUEST"]);
    assert.equal(reason, "avatar_change_administrators_only");
  }
  assert.equal((await chat.as("hamlet").get("/users/me"))["avatar_url"], url);
  await uploadAvatar(chat, "iago");
  assert.equal((await chat.as("iago").delete("/users/me/avatar")).status, 200);
});

test("losing the permission during decoding keeps the old picture", async (t) => {
  const chat = await startChat(t);
  const { images, files } = chat.server.app;
  const decode = images.squares.bind(images);
  const stored: string[] = [];
  const place = files.store.bind(files);
  t.mock.method(files, "store", (contents: Parameters<typeof place>[0], commit: Parameters<typeof place>[1]) =>
    place(contents, (all) => {
      stored.push(...all.map((file) => files.pathOf(file)));
      return commit(all);
    }),
  );
  t.mock.method(images, "squares", async (...args: Parameters<typeof decode>) => {
    await chat.as("desdemona").patch("/realm", { avatar_changes_disabled: true });
    return decode(...args);
  });
  const refused = await upload(chat, "hamlet", "/users/me/avatar", [PICTURE]);
  assert.equal(refused.reason, "avatar_change_administrators_only");
  assert.equal((await chat.as("hamlet").get("/users/me"))["avatar_url"], generated(chat, "hamlet", 1));
  assert.equal(stored.length, 2);
  assert.deepEqual(stored.filter(existsSync), []);
});

test("a picture is one readable file of at most 5 MiB", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const refused = async (...files: Parameters<typeof upload>[3][number][]) => {
    const { status, code, reason } = await upload(chat, "hamlet", "/users/me/avatar", files);
    return [status, code, reason];
  };
  assert.deepEqual(await refused(), [400, "BAD_REQUEST", "picture_missing"]);
  assert.deepEqual(await refused(PICTURE, OTHER), [400, "BAD_REQUEST", "too_many_files"]);
  const large = { bytes: Buffer.concat([PICTURE.bytes, Buffer.alloc(5 << 20)]) };
  assert.deepEqual(await refused(large), [400, "BAD_REQUEST", "picture_too_large"]);
  assert.deepEqual(await refused({ bytes: Buffer.from("not a picture") }), [400, "BAD_IMAGE", "picture_unreadable"]);
  assert.deepEqual(await refused({ bytes: PICTURE.bytes.subarray(0, 30) }), [400, "BAD_IMAGE", "picture_unreadable"]);
  const plain = await chat.as("hamlet").post("/users/me/avatar", { file: "text" });
  assert.deepEqual([plain.status, plain["code"]], [400, "BAD_REQUEST"]);
  assert.equal((await chat.anonymous("POST", "/users/me/avatar")).status, 401);
  assert.equal((await chat.as("hamlet").get("/users/me"))["avatar_version"], 1);
});

test("everyone has a picture, uploaded or generated", async (t) => {
  const chat = await startChat(t);
  const { state } = await chat.register("hamlet");
  assert.deepEqual([state.avatar_source, state.max_avatar_file_size_mib], ["G", 5]);
  assert.equal(state.avatar_url, generated(chat, "hamlet", 1));
  for (const url of [state.avatar_url, state.avatar_url_medium]) assert.equal((await served(chat, url)).status, 200);
});

const redirectFor = async (chat: Chat, name: string | undefined, path: string) => {
  const { email = "", key = "" } = name === undefined ? {} : chat.as(name);
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
  const response = await fetch(`${chat.url}${path}`, { redirect: "manual", headers: name ? { authorization } : {} });
  return { status: response.status, location: response.headers.get("location") };
};

test("a user's ID or email address leads to their picture", async (t) => {
  const chat = await startChat(t);
  const url = await uploadAvatar(chat, "othello");
  for (const named of [chat.ids["othello"], "othello@example.com"]) {
    assert.deepEqual(await redirectFor(chat, "hamlet", `/avatar/${named}`), { status: 302, location: url });
    const larger = { status: 302, location: medium(url) };
    assert.deepEqual(await redirectFor(chat, "hamlet", `/avatar/${named}/medium`), larger);
  }
  const nobody = { status: 302, location: "/generated/user-99999.png?version=1" };
  assert.deepEqual(await redirectFor(chat, "hamlet", "/avatar/99999"), nobody);
  assert.equal((await redirectFor(chat, "hamlet", "/avatar/nobody@example.com")).status, 404);
  assert.equal((await redirectFor(chat, "hamlet", "/avatar/0")).status, 400);
  for (const path of [`/avatar/${chat.ids["othello"]}`, "/avatar/othello@example.com/medium"])
    assert.equal((await redirectFor(chat, undefined, path)).status, 401);
});

test("a hidden user only has a generated picture", async (t) => {
  const chat = await startChat(t, {
    channels: [
      { name: "guests", subscribers: ["hamlet", "polonius"] },
      { name: "general", subscribers: ["hamlet", "othello"] },
    ],
  });
  const before = await uploadAvatar(chat, "othello");
  await limitGuests(chat);
  const guest = await chat.register("polonius");
  const other = await chat.register("hamlet");
  const url = await uploadAvatar(chat, "othello", OTHER);
  assert.deepEqual(await guest.events(), []);
  assert.equal((await other.events()).length, 1);
  const hidden = { status: 302, location: generated(chat, "othello", 1) };
  assert.deepEqual(await redirectFor(chat, "polonius", `/avatar/${chat.ids["othello"]}`), hidden);
  assert.equal((await redirectFor(chat, "polonius", "/avatar/othello@example.com")).status, 404);
  assert.ok(!JSON.stringify((await chat.register("polonius")).state).includes(tokenOf(url)));
  assert.deepEqual(await redirectFor(chat, "hamlet", `/avatar/${chat.ids["othello"]}`), { status: 302, location: url });
  // A URL that the guest already has does not help.
  assert.equal((await served(chat, before)).headers.get("location"), generated(chat, "othello", 3));
});

test("anonymous callers see pictures of public authors", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const owner = chat.as("desdemona");
  await owner.patch("/host/settings", { WEB_PUBLIC_STREAMS_ENABLED: true });
  await owner.patch("/realm", { enable_spectator_access: true });
  const made = { subscriptions: [{ name: "square" }], is_web_public: true };
  assert.equal((await owner.post("/users/me/subscriptions", made)).result, "success");
  const message = { type: "channel", to: "square", topic: "x", content: "hello" };
  await chat.as("desdemona").post("/messages", message);
  const [writer, silent] = [await uploadAvatar(chat, "desdemona"), await uploadAvatar(chat, "othello")];
  assert.notEqual(writer, silent);
  const shown = { status: 302, location: writer };
  assert.deepEqual(await redirectFor(chat, undefined, `/avatar/${chat.ids["desdemona"]}`), shown);
  const hidden = { status: 302, location: generated(chat, "othello", 1) };
  assert.deepEqual(await redirectFor(chat, undefined, `/avatar/${chat.ids["othello"]}`), hidden);
  assert.equal((await redirectFor(chat, undefined, "/avatar/desdemona@example.com")).status, 404);
});

test("a deactivated user keeps their picture", async (t) => {
  const chat = await startChat(t);
  const url = await uploadAvatar(chat, "othello");
  assert.equal((await chat.as("desdemona").delete(`/users/${chat.ids["othello"]}`)).result, "success");
  assert.equal((await served(chat, url)).status, 200);
  const { user } = await chat.as("hamlet").get(`/users/${chat.ids["othello"]}`);
  assert.equal(user.avatar_url, url);
});

test("pictures survive a restart", async (t) => {
  const chat = await startChat(t);
  const url = await uploadAvatar(chat, "hamlet");
  const { bytes } = await served(chat, url);
  await chat.restart();
  assert.deepEqual((await served(chat, url)).bytes, bytes);
  assert.equal((await chat.as("hamlet").get("/users/me"))["avatar_url"], url);
});

test("does not send an unchanged picture again", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const address = `${chat.url}${await uploadAvatar(chat, "hamlet")}`;
  const whole = await fetch(address);
  const etag = whole.headers.get("etag") ?? "";
  const bytes = Buffer.from(await whole.arrayBuffer());
  assert.equal((await fetch(address, { headers: { "if-none-match": etag } })).status, 304);
  const head = await fetch(address, { method: "HEAD" });
  assert.deepEqual([head.status, head.headers.get("content-length")], [200, String(bytes.length)]);
});

test("rejects URLs that are not pictures", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const token = tokenOf(await uploadAvatar(chat, "hamlet"));
  const wrong = [
    "1",
    `1/${"0".repeat(32)}.png`,
    `1/${token}.jpg`,
    `1/${token}`,
    `1/${token.toUpperCase().replace(/^./, "A")}.png`,
    `2/${token}.png`,
    `1/realm/${token}.png`,
    "1/realm/secret.png",
    `1/emoji/images/${token}.png`,
    `1/emoji/images/still/${token}-still.png`,
    "1/..%2f..%2fsecret.key",
    "1/../../secret.key",
    `1/${token}%00.png`,
  ];
  for (const path of wrong) assert.equal((await served(chat, `/user_avatars/${path}`)).status, 404, path);
});
