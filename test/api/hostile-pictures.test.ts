import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { type Body, type Chat, startChat } from "../support/chat.ts";
import { imageThreads } from "../support/image-threads.ts";
import { IS_LONG_RUN } from "../support/long-run.ts";
import { pngOf } from "../support/pictures.ts";
import { MOVING_GIF, pngSize, served, type Upload, upload } from "../support/uploaded-pictures.ts";

/** Concurrent uploads by two people: twice the queue size, so that some can be refused. */
const AT_ONCE = IS_LONG_RUN ? 1000 : 40;
const PICTURE = pngOf(300, 200, 200);
const SCRIPT = "<script>alert(document.domain)</script>";

const WAYS: Record<string, (chat: Chat, picture: Upload) => Promise<Body>> = {
  avatar: (chat, picture) => upload(chat, "hamlet", "/users/me/avatar", [picture]),
  icon: (chat, picture) => upload(chat, "iago", "/realm/icon", [picture]),
  logo: (chat, picture) => upload(chat, "iago", "/realm/logo", [picture], { fields: { night: "false" } }),
  emoji: (chat, picture) => upload(chat, "hamlet", "/realm/emoji/tick", [picture]),
  bot: (chat, picture) => upload(chat, "hamlet", `/bots/${chat.ids["bot"]}`, [picture], { method: "PATCH" }),
};

function filesOf(chat: Chat): { onDisk: string[]; recorded: string[] } {
  const found = readdirSync(join(chat.folder, "uploads"), { recursive: true, withFileTypes: true });
  const rows = chat.server.app.store.reader.all<{ name: string }>("SELECT name FROM files ORDER BY name");
  return {
    onDisk: found
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort(),
    recorded: rows.map(({ name }) => name),
  };
}

/** Temporary files are deleted after the response, and replaced ones in the background. */
async function assertNothingStray(chat: Chat): Promise<void> {
  const end = performance.now() + 30_000;
  for (;;) {
    const { onDisk, recorded } = filesOf(chat);
    if (onDisk.length === recorded.length || performance.now() > end) return assert.deepEqual(onDisk, recorded);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test("rejects files that are not pictures, whatever their type", async (t) => {
  const chat = await startChat(t);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${SCRIPT}</svg>`;
  const attacks: Record<string, Upload> = {
    svg: { bytes: Buffer.from(svg), filename: "me.svg", type: "image/svg+xml" },
    "svg as png": { bytes: Buffer.from(svg) },
    "svg with a declaration": { bytes: Buffer.from(`<?xml version="1.0"?>${svg}`) },
    html: { bytes: Buffer.from(`<!doctype html>${SCRIPT}`), filename: "me.html", type: "text/html" },
    "html as png": { bytes: Buffer.from(`<!doctype html>${SCRIPT}`) },
    pdf: { bytes: Buffer.from("%PDF-1.7\n%âãÏÓ\n"), type: "application/pdf" },
    script: { bytes: Buffer.from("alert(1)"), filename: "me.js", type: "text/javascript" },
    "an archive": { bytes: Buffer.from("PK\x03\x04", "latin1"), filename: "me.png" },
    empty: { bytes: Buffer.alloc(0) },
    "a signature alone": { bytes: PICTURE.subarray(0, 8) },
    "html with a GIF's signature": { bytes: Buffer.from(`GIF89a${SCRIPT}`), type: "image/gif" },
  };
  for (const [way, send] of Object.entries(WAYS)) {
    for (const [name, attack] of Object.entries(attacks)) {
      const { status, code } = await send(chat, attack);
      assert.deepEqual([status, code], [400, "BAD_IMAGE"], `${name} as ${way}`);
    }
  }
  assert.equal((await chat.as("hamlet").get("/users/me"))["avatar_version"], 1);
  assert.deepEqual((await chat.as("hamlet").get("/realm/emoji"))["emoji"], {});
  await assertNothingStray(chat);
});

test("ignores claimed types and file names", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const names = [
    "../../secret.key",
    "..\\..\\hearth.db",
    "/etc/passwd",
    'a.png"\r\nset-cookie: stolen=1\r\n',
    "nul\0.png",
    "x".repeat(5000),
    "me.html",
    "фото 🙂.png",
  ];
  for (const filename of names) {
    const answer = await upload(chat, "hamlet", "/users/me/avatar", [{ bytes: PICTURE, filename, type: "text/html" }]);
    assert.equal(answer.status, 200, `${JSON.stringify(filename)}: ${answer.msg}`);
    assert.match(answer["avatar_url"], /^\/user_avatars\/1\/[\da-f]{32}\.png\?version=\d+$/);
    const picture = await served(chat, answer["avatar_url"]);
    assert.deepEqual([picture.headers.get("content-type"), picture.headers.get("set-cookie")], ["image/png", null]);
    assert.equal(picture.headers.get("content-disposition"), null);
  }
  await assertNothingStray(chat);
});

test("serves only the pixels of a polyglot file", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe, SCRIPT.length]), Buffer.from(SCRIPT), Buffer.from([0])]);
  const polyglots = {
    "PNG and HTML": Buffer.concat([PICTURE, Buffer.from(SCRIPT)]),
    "GIF and HTML": Buffer.concat([MOVING_GIF.subarray(0, 19), comment, MOVING_GIF.subarray(19), Buffer.from(SCRIPT)]),
    "PNG and an archive": Buffer.concat([PICTURE, Buffer.from(`PK\x03\x04${SCRIPT}`, "latin1")]),
  };
  for (const [name, bytes] of Object.entries(polyglots)) {
    const avatar = await WAYS["avatar"]?.(chat, { bytes, type: "text/html" });
    assert.equal(avatar?.status, 200, name);
    await upload(chat, "hamlet", `/realm/emoji/${name.length}_${name.slice(0, 3).toLowerCase()}`, [{ bytes }]);
    const { emoji } = await chat.as("hamlet").get("/realm/emoji");
    const urls = Object.values<any>(emoji).flatMap(({ source_url, still_url }) => [source_url, still_url ?? []].flat());
    assert.ok(urls.length > 0);
    for (const url of [avatar?.["avatar_url"], ...urls]) {
      const picture = await served(chat, url);
      assert.equal(picture.status, 200, url);
      assert.ok(!picture.bytes.includes("script"), `${name} at ${url}`);
    }
  }
});

test("rejects a decompression bomb immediately", async (t) => {
  const chat = await startChat(t);
  for (const bomb of [pngOf(100_000, 100_000, 100), pngOf(100_000, 100_000, 100_000 / 8)]) {
    assert.ok(bomb.length < 5 << 20);
    for (const [way, send] of Object.entries(WAYS)) {
      const { status, code, msg } = await send(chat, { bytes: bomb });
      assert.deepEqual([status, code], [400, "BAD_IMAGE"], way);
      assert.match(msg, /pixels/);
    }
  }
  await assertNothingStray(chat);
  assert.equal((await WAYS["avatar"]?.(chat, { bytes: PICTURE }))?.status, 200);
});

test("nobody changes another user's picture", async (t) => {
  const chat = await startChat(t);
  const before = (await chat.as("othello").get("/users/me"))["avatar_url"];
  const fields = { user_id: String(chat.ids["othello"]), email: "othello@example.com" };
  const answer = await upload(chat, "hamlet", "/users/me/avatar", [{ bytes: PICTURE }], { fields });
  assert.deepEqual(answer["ignored_parameters_unsupported"]?.sort(), ["email", "user_id"]);
  assert.equal((await chat.as("othello").get("/users/me"))["avatar_url"], before);
  for (const path of [`/users/${chat.ids["othello"]}/avatar`, "/users/othello@example.com/avatar"]) {
    for (const name of ["hamlet", "desdemona"])
      assert.equal((await upload(chat, name, path, [{ bytes: PICTURE }])).status, 404, path);
  }
  assert.equal((await upload(chat, "hamlet", `/bots/${chat.ids["othello"]}`, [], { method: "PATCH" })).status, 404);
});

test(`${AT_ONCE} concurrent uploads leave the server responsive and nothing behind`, async (t) => {
  const chat = await startChat(t, {
    channels: [{ name: "general", subscribers: ["hamlet"] }],
    testing: { images: { threads: imageThreads, maxWaitingOfPerson: AT_ONCE / 4 } },
  });
  const uploads = Array.from({ length: AT_ONCE }, (_, index) =>
    upload(chat, index % 2 ? "hamlet" : "othello", "/users/me/avatar", [{ bytes: PICTURE }]),
  );
  const sent = await chat
    .as("hamlet")
    .post("/messages", { type: "channel", to: "general", topic: "x", content: "meanwhile" });
  assert.equal(sent.status, 200, sent.msg);
  const answers = await Promise.all(uploads);
  const statuses = new Set(answers.map(({ status }) => status));
  assert.ok(statuses.has(200));
  for (const { status, code, msg } of answers)
    assert.ok(status === 200 || (status === 503 && code === "SERVER_NOT_READY"), `${status}: ${msg}`);
  await assertNothingStray(chat);
  assert.equal(filesOf(chat).recorded.length, 4, "the last picture of each, in two sizes");
  for (const name of ["hamlet", "othello"]) {
    const picture = await served(chat, (await chat.as(name).get("/users/me"))["avatar_url"]);
    assert.deepEqual([picture.status, pngSize(picture.bytes)], [200, [100, 100]]);
  }
});
