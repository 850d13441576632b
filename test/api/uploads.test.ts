import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import test from "node:test";
import { type Chat, startChat } from "../support/chat.ts";
import { until } from "../support/patience.ts";
import { basic, fetchFile, filesOnDisk, tryUpload, UPLOADS_AT_ONCE, upload } from "../support/uploads.ts";

const DAY = 86_400_000;
const PNG = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), randomBytes(100)]);
const about = { actor: null, action: "test" };

const status = async (chat: Chat, who: string | Record<string, string>, url: string) =>
  (await fetchFile(chat, who, url)).status;

async function say(chat: Chat, who: string, to: string, content: string): Promise<number> {
  const answer = await chat.as(who).post("/messages", { type: "channel", to, topic: "files", content });
  assert.equal(answer.result, "success", answer.msg);
  return answer["id"];
}

const attachmentsOf = async (chat: Chat, who: string) => (await chat.as(who).get("/attachments"))["attachments"];

test("an owner reads, lists and deletes an upload", async (t) => {
  const chat = await startChat(t);
  const hamlet = await chat.register("hamlet");
  const othello = await chat.register("othello");
  const bytes = randomBytes(70_000);
  const answer = await tryUpload(chat, "hamlet", bytes, { filename: "To be.bin", field: "filename" });
  assert.equal(answer.result, "success", answer.msg);
  const { url } = answer as unknown as { url: string };
  assert.match(url, /^\/user_uploads\/1\/[\w-]{2}\/[\w-]{22}\/To-be\.bin$/);
  assert.deepEqual([answer["uri"], answer["filename"]], [url, "To be.bin"]);
  assert.deepEqual((await fetchFile(chat, "hamlet", url)).bytes, bytes);
  const list = await chat.as("hamlet").get("/attachments");
  const [attachment] = list["attachments"];
  const { id, create_time, ...fields } = attachment;
  const path_id = url.slice("/user_uploads/".length);
  assert.deepEqual(fields, { name: "To be.bin", path_id, size: 70_000, messages: [] });
  assert.ok(Math.abs(Date.now() - create_time) < 60_000);
  assert.equal(list["upload_space_used"], 70_000);
  const added = { type: "attachment", op: "add", attachment, upload_space_used: 70_000 };
  assert.deepEqual(
    (await hamlet.events()).map(({ id: _id, ...event }) => event),
    [added],
  );

  assert.equal((await chat.as("othello").delete(`/attachments/${id}`)).msg, "Invalid attachment");
  assert.equal((await chat.as("othello").delete("/attachments/99999")).msg, "Invalid attachment");
  assert.equal((await chat.as("hamlet").delete("/attachments/x")).status, 400);
  assert.equal((await chat.as("hamlet").delete(`/attachments/${id}`)).result, "success");
  assert.deepEqual(filesOnDisk(chat), []);
  assert.equal(await status(chat, "hamlet", url), 404);
  const removed = { type: "attachment", op: "remove", attachment: { id }, upload_space_used: 0 };
  assert.deepEqual(
    (await hamlet.events()).map(({ id: _id, ...event }) => event),
    [removed],
  );
  assert.deepEqual(await othello.events(), []);
});

test("guests and bots upload, anonymous callers do not", async (t) => {
  const chat = await startChat(t, { unwatched: true, users: { hook: { is_bot: true, bot_type: 2 } } });
  for (const who of ["polonius", "bot"]) assert.equal(await status(chat, who, await upload(chat, who)), 200);
  assert.match((await tryUpload(chat, "hook")).msg, /Incoming webhook bots/);
  const anonymous = await fetch(`${chat.url}/api/v1/user_uploads`, { method: "POST", body: new FormData() });
  assert.equal(anonymous.status, 401);
  assert.equal((await chat.as("hamlet").post("/user_uploads")).msg, "You must specify a file to upload");
  assert.equal(filesOnDisk(chat).length, 2);
});

const CHANNELS = [
  { name: "public", subscribers: ["hamlet", "othello"] },
  { name: "secret", private: true, subscribers: ["hamlet", "iago"] },
];

test("readers of a message read its files", async (t) => {
  const chat = await startChat(t, { channels: CHANNELS });
  const hamlet = await chat.register("hamlet");
  const url = await upload(chat, "hamlet");
  await hamlet.events();
  for (const who of ["othello", "iago", "desdemona"]) assert.equal(await status(chat, who, url), 404, who);
  const id = await say(chat, "hamlet", "secret", `see [notes](${url})`);
  const events = await hamlet.events();
  const { attachment, upload_space_used } = events.find(({ type }) => type === "attachment")!;
  assert.deepEqual(
    attachment.messages.map((message: { id: number }) => message.id),
    [id],
  );
  assert.equal(upload_space_used, "contents".length);
  assert.equal(await status(chat, "iago", url), 200);
  for (const who of ["othello", "desdemona", "polonius"]) assert.equal(await status(chat, who, url), 404, who);
  const hidden = await fetchFile(chat, "othello", url);
  const missing = await fetchFile(chat, "othello", url.replace(/[\w-]{22}/, "a".repeat(22)));
  assert.deepEqual([hidden.status, hidden.bytes.toString()], [missing.status, missing.bytes.toString()]);

  await say(chat, "hamlet", "public", `[again](${chat.url}${url})`);
  assert.equal(await status(chat, "desdemona", url), 200, "public channels are open to members who are not subscribed");
  assert.equal(await status(chat, "polonius", url), 404, "and not to guests");
  const direct = await upload(chat, "othello");
  const sent = await chat
    .as("othello")
    .post("/messages", { type: "direct", to: [chat.ids["polonius"]], content: `[x](${direct})` });
  assert.equal(sent.result, "success", sent.msg);
  assert.equal(await status(chat, "polonius", direct), 200);
  assert.equal(
    await status(chat, "desdemona", direct),
    404,
    "owners of the organization read no one's direct messages",
  );
});

test("leaving a channel keeps access to readable files", async (t) => {
  const chat = await startChat(t, { channels: CHANNELS });
  await chat.as("desdemona").patch(`/streams/${chat.ids["secret"]}`, {});
  const url = await upload(chat, "hamlet");
  await say(chat, "hamlet", "secret", `[notes](${url})`);
  assert.equal(await status(chat, "iago", url), 200);
  await chat.as("iago").delete("/users/me/subscriptions", { subscriptions: ["secret"] });
  const message = await chat.as("iago").get("/messages", {
    anchor: "newest",
    num_before: 5,
    num_after: 0,
    narrow: [{ operator: "has", operand: "attachment" }],
  });
  assert.equal(message["messages"]?.length, 0, "iago reads the message no more");
  assert.equal(await status(chat, "iago", url), 404);
});

test("hidden history hides its files from new subscribers", async (t) => {
  const chat = await startChat(t, { channels: CHANNELS });
  const subscribe = async (who: string) => {
    const answer = await chat.as("hamlet").post("/users/me/subscriptions", {
      subscriptions: [{ name: "cellar" }],
      principals: [chat.ids[who]],
      invite_only: true,
      history_public_to_subscribers: false,
    });
    assert.equal(answer.result, "success", answer.msg);
  };
  await subscribe("hamlet");
  const [old, fresh] = [await upload(chat, "hamlet"), await upload(chat, "hamlet")];
  await say(chat, "hamlet", "cellar", `[old](${old})`);
  await subscribe("othello");
  await say(chat, "hamlet", "cellar", `[new](${fresh})`);
  assert.deepEqual([await status(chat, "othello", old), await status(chat, "othello", fresh)], [404, 200]);
  await chat.as("othello").delete("/users/me/subscriptions", { subscriptions: ["cellar"] });
  assert.equal(await status(chat, "othello", fresh), 404);
});

test("anonymous callers read files of web-public channels only", async (t) => {
  const chat = await startChat(t, { channels: CHANNELS, unwatched: true });
  const owner = chat.as("desdemona");
  await owner.post("/users/me/subscriptions", {
    subscriptions: [{ name: "square" }],
    principals: [chat.ids["hamlet"]],
  });
  const [open, closed] = [await upload(chat, "hamlet"), await upload(chat, "hamlet")];
  await say(chat, "hamlet", "square", `[open](${open})`);
  await say(chat, "hamlet", "public", `[closed](${closed})`);
  assert.equal(await status(chat, {}, open), 401);
  await owner.patch("/host/settings", { WEB_PUBLIC_STREAMS_ENABLED: true });
  await owner.patch("/realm", { enable_spectator_access: true });
  assert.deepEqual([await status(chat, {}, open), await status(chat, {}, closed)], [404, 404]);
  const { stream_id } = await owner.get("/get_stream_id", { stream: "square" });
  await owner.patch(`/streams/${stream_id}`, { is_web_public: true });
  assert.deepEqual([await status(chat, {}, open), await status(chat, {}, closed)], [200, 404]);
  const temporary = await chat.anonymous("GET", open);
  assert.equal(temporary.result, "success", temporary.msg);
  assert.equal((await chat.anonymous("GET", closed)).status, 404);
  await owner.patch("/realm", { enable_spectator_access: false });
  assert.equal(await status(chat, {}, open), 401);
});

test("a file follows its messages through moves, edits and deletions", async (t) => {
  const chat = await startChat(t, { channels: CHANNELS });
  const hamlet = await chat.register("hamlet");
  const url = await upload(chat, "hamlet");
  const id = await say(chat, "hamlet", "public", `[notes](${url})`);
  assert.equal(await status(chat, "othello", url), 200);
  const moved = await chat.as("desdemona").patch(`/messages/${id}`, { stream_id: chat.ids["secret"], topic: "files" });
  assert.equal(moved.result, "error", "the owner of the organization does not know the channel");
  const byAdministrator = await chat.as("iago").patch(`/messages/${id}`, { stream_id: chat.ids["secret"] });
  assert.equal(byAdministrator.result, "success", byAdministrator.msg);
  assert.deepEqual([await status(chat, "othello", url), await status(chat, "iago", url)], [404, 200]);

  await hamlet.events();
  const edit = async (content: string) => {
    const answer = await chat.as("hamlet").patch(`/messages/${id}`, { content });
    assert.equal(answer.result, "success", answer.msg);
    return (await hamlet.events())
      .filter(({ type }) => type === "attachment")
      .map(({ attachment }) => attachment.messages.length);
  };
  assert.deepEqual(await edit("no file"), [0]);
  assert.deepEqual([await status(chat, "iago", url), await status(chat, "hamlet", url)], [404, 200]);
  assert.deepEqual(await edit("still none"), []);
  assert.deepEqual(await edit(`[notes](${url}) twice: ${chat.url}${url}`), [1]);
  assert.deepEqual(await edit(`[notes](${url}) once`), []);
  assert.equal(await status(chat, "iago", url), 200);
  assert.equal((await chat.as("desdemona").delete(`/messages/${id}`)).result, "error");
  assert.equal((await chat.as("iago").delete(`/messages/${id}`)).result, "success");
  const gone = (await hamlet.events()).filter(({ type }) => type === "attachment");
  assert.deepEqual(
    gone.map(({ attachment }) => attachment.messages),
    [[]],
  );
  assert.deepEqual([await status(chat, "iago", url), await status(chat, "hamlet", url)], [404, 200]);
});

test("an edit names the author's files that nothing uses anymore", async (t) => {
  const chat = await startChat(t, { channels: [{ name: "public", subscribers: ["hamlet", "othello"] }] });
  const [url, shared, others] = [
    await upload(chat, "hamlet"),
    await upload(chat, "hamlet"),
    await upload(chat, "othello"),
  ];
  await say(chat, "hamlet", "public", `[shared](${shared})`);
  await say(chat, "othello", "public", `[his](${others})`);
  const id = await say(chat, "hamlet", "public", `[a](${url}) [b](${shared}) [c](${others})`);
  const edited = await chat.as("hamlet").patch(`/messages/${id}`, { content: "none" });
  const [file, ...more] = edited["detached_uploads"];
  assert.deepEqual([file.path_id, file.messages, more], [url.slice("/user_uploads/".length), [], []]);
  const again = await chat.as("hamlet").patch(`/messages/${id}`, { content: "still none" });
  assert.deepEqual(again["detached_uploads"], []);
});

test("a link grants no access that its author lacks", async (t) => {
  const chat = await startChat(t, { channels: CHANNELS });
  const url = await upload(chat, "hamlet");
  await say(chat, "hamlet", "secret", `[notes](${url})`);
  await say(chat, "othello", "public", `[stolen](${url})`);
  assert.equal(await status(chat, "othello", url), 404);
  const own = await say(chat, "othello", "public", "nothing");
  await chat.as("othello").patch(`/messages/${own}`, { content: `[stolen](${url})` });
  assert.equal(await status(chat, "othello", url), 404);
  await say(chat, "iago", "general", `[passed on](${url})`).catch(() => {});
  const passed = await chat
    .as("iago")
    .post("/messages", { type: "direct", to: [chat.ids["cordelia"]], content: `[passed on](${url})` });
  assert.equal(passed.result, "success", passed.msg);
  assert.equal(await status(chat, "cordelia", url), 200, "a reader may pass it on");
});

test("a scheduled message claims its file when sent", async (t) => {
  let now = Date.now();
  const chat = await startChat(t, { channels: CHANNELS, now: () => now, unwatched: true });
  const url = await upload(chat, "hamlet");
  const scheduled = await chat.as("hamlet").post("/scheduled_messages", {
    type: "channel",
    to: chat.ids["public"],
    topic: "files",
    content: `[notes](${url})`,
    scheduled_delivery_timestamp: Math.floor(now / 1000) + 86_400 * 10,
  });
  assert.equal(scheduled.result, "success", scheduled.msg);
  now += 8 * DAY;
  chat.server.runChores();
  assert.deepEqual([await status(chat, "hamlet", url), await status(chat, "othello", url)], [200, 404]);
  now += 3 * DAY;
  chat.server.runChores();
  assert.equal(await status(chat, "othello", url), 200);
  assert.equal((await attachmentsOf(chat, "hamlet"))[0].messages.length, 1);
});

test("unused files are deleted after a week with an event", async (t) => {
  let now = Date.now();
  const chat = await startChat(t, { channels: CHANNELS, now: () => now, unwatched: true });
  const [forgotten, drafted, snippet, held, released] = (await Promise.all(
    Array.from({ length: 5 }, () => upload(chat, "hamlet")),
  )) as [string, string, string, string, string];
  await chat.as("hamlet").post("/drafts", {
    drafts: [{ type: "stream", to: [chat.ids["public"]], topic: "t", content: `[d](${drafted})` }],
  });
  await chat.as("hamlet").post("/saved_snippets", { title: "s", content: `[s](${snippet})` });
  await say(chat, "hamlet", "public", `[held](${held})`);
  const id = await say(chat, "hamlet", "public", `[released](${released})`);
  now += 6 * DAY;
  await chat.as("iago").delete(`/messages/${id}`);
  const hamlet = await chat.register("hamlet", { queue_lifespan_secs: 604_800 });
  chat.server.runChores();
  assert.equal(filesOnDisk(chat).length, 5);
  now += 2 * DAY;
  chat.server.runChores();
  await until(() => filesOnDisk(chat).length === 4 || undefined, "the file to go");
  const statuses = await Promise.all(
    [forgotten, drafted, snippet, held, released].map((url) => status(chat, "hamlet", url)),
  );
  assert.deepEqual(statuses, [404, 200, 200, 200, 200]);
  assert.deepEqual(
    (await hamlet.events()).filter(({ type }) => type === "attachment").map(({ op }) => op),
    ["remove"],
  );
  now += 6 * DAY;
  chat.server.runChores();
  await until(() => filesOnDisk(chat).length === 3 || undefined, "the released file to go");
  assert.equal(await status(chat, "hamlet", released), 404);
});

test("a temporary URL works for a minute, for anyone", async (t) => {
  let now = Date.now();
  const chat = await startChat(t, { unwatched: true, now: () => now });
  const url = await upload(chat, "hamlet", "contents", { filename: "Résumé.txt" });
  const { url: temporary, ...answer } = await chat.as("hamlet").get(url);
  assert.equal(answer.result, "success", answer.msg);
  assert.match(temporary, /^\/user_uploads\/temporary\/[\w.-]+\/R%C3%A9sum%C3%A9\.txt$/);
  const fetched = await fetchFile(chat, {}, temporary);
  assert.deepEqual([fetched.status, fetched.bytes.toString()], [200, "contents"]);
  assert.equal((await fetchFile(chat, {}, temporary, { headers: { range: "bytes=0-1" } })).bytes.toString(), "co");
  assert.equal((await chat.as("othello").get(url)).status, 404);
  assert.equal((await chat.anonymous("GET", url)).status, 401);
  const [, signed = ""] = /temporary\/([^/]+)/.exec(temporary) ?? [];
  const [expiry, name, signature] = signed.split(".") as [string, string, string];
  const forged = [
    `${(now + 10 * DAY).toString(36)}.${name}.${signature}`,
    `${expiry}.${name}.${"A".repeat(signature.length)}`,
    `${expiry}.${name}.`,
    `${expiry}.${name}`,
    `${signed}.more`,
    "..",
  ];
  for (const one of forged) assert.equal(await status(chat, {}, `/user_uploads/temporary/${one}/x`), 404, one);
  now += 61_000;
  assert.equal(await status(chat, {}, temporary), 404);
  const [attachment] = await attachmentsOf(chat, "hamlet");
  const again = (await chat.as("hamlet").get(url))["url"];
  await chat.as("hamlet").delete(`/attachments/${attachment.id}`);
  assert.equal(await status(chat, {}, again), 404);
});

test("a key in the URL or a session gives access to a file", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const url = await upload(chat, "desdemona");
  const { key } = chat.as("desdemona");
  assert.equal(await status(chat, {}, `${url}?api_key=${key}`), 200);
  assert.equal(await status(chat, {}, `${url}?api_key=${key}`), 200, "again, from the cache");
  assert.equal(await status(chat, {}, `${url}?api_key=${chat.as("othello").key}`), 404);
  for (const wrong of ["x", `${key}x`, "a".repeat(32), ""])
    assert.equal(await status(chat, {}, `${url}?api_key=${wrong}`), 401, wrong);
  const session = await fetch(`${chat.url}/host/session`, {
    method: "POST",
    body: new URLSearchParams({ username: "desdemona@example.com", password: "secret-desdemona" }),
  });
  const cookie = session.headers.get("set-cookie")?.split(";")[0] ?? "";
  assert.notEqual(cookie, "");
  assert.equal(await status(chat, { cookie }, url), 200);
  assert.equal(await status(chat, {}, url), 401);
  await chat.as("desdemona").post("/users/me/api_key/regenerate");
  assert.equal(await status(chat, {}, `${url}?api_key=${key}`), 401);
});

test("files that a browser could run are downloaded", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const html = "<!doctype html><script>alert(1)</script>";
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const gifWithScript = `GIF89a/*${"\0".repeat(20)}*/=1;alert(1)`;
  const cases: [filename: string, claimed: string, bytes: BlobPart, type: string, shown: boolean][] = [
    ["page.html", "text/html", html, "application/octet-stream", false],
    ["page.png", "image/png", html, "application/octet-stream", false],
    ["picture.svg", "image/svg+xml", svg, "application/octet-stream", false],
    ["picture.png", "image/svg+xml", svg, "application/octet-stream", false],
    ["feed.xml", "text/xml", "<?xml version='1.0'?><x/>", "application/octet-stream", false],
    ["code.js", "text/javascript", "alert(1)", "application/octet-stream", false],
    ["page.xhtml", "application/xhtml+xml", html, "application/octet-stream", false],
    ["paper.pdf", "text/html", "%PDF-1.7\n", "application/pdf", false],
    ["x.html", "text/html", PNG, "image/png", true],
    ["x.html", "text/html", gifWithScript, "image/gif", true],
    ["readme.txt", "text/html", html, "text/plain; charset=utf-8", true],
    ["binary.txt", "text/plain", "a\0b", "application/octet-stream", false],
    ["latin.txt", "text/plain", Buffer.from("caf\xe9 au lait", "latin1"), "application/octet-stream", false],
    ["short.txt", "text/plain", Buffer.from("caf\xe9", "latin1"), "application/octet-stream", false],
    ["late.log", "text/plain", Buffer.from(`${"x".repeat(9000)}\xe9 y`, "latin1"), "application/octet-stream", false],
    ["long.md", "text/plain", `x${"é€𝄞".repeat(40_000)}`, "text/plain; charset=utf-8", true],
    ["empty.txt", "text/plain", "", "text/plain; charset=utf-8", true],
    ["film.mp4", "", Buffer.from("\0\0\0\x20ftypisom\0\0\x02\0"), "video/mp4", true],
  ];
  for (const [filename, type, bytes, expected, shown] of cases) {
    const url = await upload(chat, "hamlet", bytes, { filename, type });
    for (const address of [url, url.replace("/user_uploads/", "/user_uploads/download/"), `${url}?download`]) {
      const { headers, status } = await fetchFile(chat, "hamlet", address);
      assert.equal(status, 200);
      assert.equal(headers.get("content-type"), expected, filename);
      const start = shown && address === url ? "inline; " : "attachment; ";
      assert.ok(
        headers.get("content-disposition")?.startsWith(start),
        `${filename}: ${headers.get("content-disposition")}`,
      );
      assert.equal(headers.get("x-content-type-options"), "nosniff");
      assert.match(headers.get("content-security-policy") ?? "", /^default-src 'none';.*; sandbox$/);
      assert.match(headers.get("cache-control") ?? "", /^private/);
    }
  }
});

test("accepts names in any script and neutralizes tricks", async (t) => {
  const chat = await startChat(t, { unwatched: true, channels: CHANNELS });
  const cases: [sent: string, name: string, inPath: string][] = [
    ["履歴書 2026.pdf", "履歴書 2026.pdf", "履歴書-2026.pdf"],
    ["สวัสดี.txt", "สวัสดี.txt", "สวัสดี.txt"],
    ["../../../etc/passwd", "passwd", "passwd"],
    ["..\\..\\windows\\system.ini", "system.ini", "system.ini"],
    ["/", "file", "file"],
    ["..", "file", "file"],
    ['a"; filename=evil.exe', "a%22; filename=evil.exe", "a22-filenameevil.exe"], // as browsers encode a quotation mark
    ["photo\u202egpj.exe", "photogpj.exe", "photogpj.exe"],
    ["a](javascript:alert(1)).txt", "a](javascript:alert(1)).txt", "ajavascriptalert1.txt"],
    ["%2e%2e%2fsecret", "%2e%2e%2fsecret", "2e2e2fsecret"],
    ["☃", "☃", "file"],
    ["con\u0007trol.txt", "control.txt", "control.txt"],
    [`${"long".repeat(200)}.tar.gz`, `${"long".repeat(49)}l.gz`, `${"long".repeat(24)}l.gz`],
  ];
  for (const [filename, name, inPath] of cases) {
    const answer = await tryUpload(chat, "hamlet", "contents", { filename });
    assert.equal(answer.result, "success", `${filename}: ${answer.msg}`);
    assert.equal(answer["filename"], name);
    assert.equal(answer["url"].split("/").at(-1), inPath);
    const { status: got, headers } = await fetchFile(chat, "hamlet", encodeURI(answer["url"]));
    assert.equal(got, 200, filename);
    const disposition = headers.get("content-disposition") ?? "";
    const [, ascii, encoded = ""] =
      /^(?:inline|attachment); filename="([^"\\%]*)"; filename\*=UTF-8''([\w.~!%-]*)$/.exec(disposition) ?? [];
    assert.notEqual(ascii, undefined, disposition);
    assert.equal(decodeURIComponent(encoded), name);
    await say(chat, "hamlet", "public", `[it](${answer["url"]})`);
    assert.equal(await status(chat, "othello", encodeURI(answer["url"])), 200, `${filename} in a message`);
  }
  for (const path of [
    "/user_uploads/1/../../secret.key",
    "/user_uploads/1/..%2f..%2fsecret.key",
    "/user_uploads/2/aa/x/y",
    "/user_uploads/1/",
    `/user_uploads/1/aa/${"b".repeat(22)}`,
  ])
    assert.equal((await fetchFile(chat, "hamlet", path)).status, 404, path);
});

test("serves one range of a file and many", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const url = await upload(chat, "hamlet", "0123456789");
  const get = async (range: string, method = "GET") => {
    const { status: got, bytes, headers } = await fetchFile(chat, "hamlet", url, { method, headers: { range } });
    return [got, bytes.toString(), headers.get("content-range")];
  };
  assert.deepEqual(await get("bytes=3-5"), [206, "345", "bytes 3-5/10"]);
  assert.deepEqual(await get("bytes=3-5", "HEAD"), [206, "", "bytes 3-5/10"]);
  assert.deepEqual(await get("bytes=20-"), [416, "", "bytes */10"]);
  assert.deepEqual(await get(`bytes=${"0-9,".repeat(3000)}0-9`), [200, "0123456789", null]);
  const { headers } = await fetchFile(chat, "hamlet", url);
  const etag = headers.get("etag") ?? "";
  assert.equal((await fetchFile(chat, "hamlet", url, { headers: { "if-none-match": etag } })).status, 304);
  assert.equal((await fetchFile(chat, "othello", url, { headers: { "if-none-match": etag } })).status, 404);
});

test("size and quota are limited, configurable and sent to clients", async (t) => {
  const chat = await startChat(t);
  const hamlet = await chat.register("hamlet");
  assert.deepEqual([hamlet.state["max_file_upload_size_mib"], hamlet.state["realm_upload_quota_mib"]], [100, null]);
  const set = async (settings: Record<string, unknown>) => {
    const answer = await chat.as("desdemona").patch("/host/settings", settings);
    assert.equal(answer.result, "success", answer.msg);
  };
  assert.equal(
    (await chat.as("hamlet").patch("/host/settings", { UPLOAD_QUOTA_MIB: 5 })).code,
    "UNAUTHORIZED_PRINCIPAL",
  );
  await set({ MAX_FILE_UPLOAD_SIZE_MIB: 1, UPLOAD_QUOTA_MIB: 2 });
  const told = (await hamlet.events()).map(({ type, op, data }) => [type, op, data]);
  assert.deepEqual(told, [
    ["realm", "update_dict", { max_file_upload_size_mib: 1 }],
    ["realm", "update_dict", { upload_quota_mib: 2 }],
  ]);
  const [most, more] = [Buffer.alloc(1 << 20), Buffer.alloc((1 << 20) + 1)];
  const tooLarge = await tryUpload(chat, "hamlet", more);
  assert.deepEqual([tooLarge.status, tooLarge.code], [413, "BAD_REQUEST"]);
  await upload(chat, "hamlet", most);
  await upload(chat, "othello", Buffer.alloc((1 << 20) - 10));
  await upload(chat, "othello", Buffer.alloc(10));
  const full = await tryUpload(chat, "hamlet", "x");
  assert.deepEqual([full.status, full.code], [400, "REALM_UPLOAD_QUOTA"]);
  await until(() => filesOnDisk(chat).length === 3 || undefined, "what was refused to go");
  assert.equal((await chat.as("hamlet").get("/attachments"))["upload_space_used"], 2 << 20);
  await set({ UPLOAD_QUOTA_MIB: 3 });
  const both = await Promise.all([tryUpload(chat, "hamlet", most), tryUpload(chat, "othello", most)]);
  assert.deepEqual(
    both.map(({ code }) => code).sort(),
    ["REALM_UPLOAD_QUOTA", undefined],
    "two at once do not pass it",
  );
  await set({ UPLOAD_QUOTA_MIB: null });
  await upload(chat, "hamlet", "x");
});

test("a full disk refuses an upload and keeps nothing", async (t) => {
  let full: "no" | "free" | "write" = "no";
  const chat = await startChat(t, {
    testing: {
      disk: {
        free: async () => (full === "free" ? 1 << 20 : 2 ** 40),
        async open(...args) {
          const file = await open(...args);
          const { write } = file;
          file.write = (async (...how: unknown[]) => {
            if (full === "write") throw Object.assign(new Error("injected"), { code: "ENOSPC" });
            return (write as (...given: unknown[]) => unknown).apply(file, how);
          }) as typeof file.write;
          return file;
        },
      },
    },
  });
  for (full of ["free", "write"] as const) {
    const answer = await tryUpload(chat, "hamlet");
    assert.deepEqual([answer.status, answer.code], [507, "STORAGE_FULL"], full);
    assert.deepEqual(filesOnDisk(chat), []);
    assert.deepEqual(await attachmentsOf(chat, "hamlet"), []);
  }
  full = "no";
  await upload(chat, "hamlet");
});

test("a disconnected upload leaves nothing behind", async (t) => {
  const chat = await startChat(t);
  const { port } = new URL(chat.url);
  const head = `POST /api/v1/user_uploads HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basic(chat, "hamlet")["authorization"]}\r\n`;
  const part = '--b\r\ncontent-disposition: form-data; name="f"; filename="f"\r\n\r\n';
  const socket = connect(Number(port), "127.0.0.1").on("error", () => {});
  socket.write(`${head}Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 9000000\r\n\r\n${part}`);
  socket.write(Buffer.alloc(3_000_000));
  await until(() => filesOnDisk(chat).length === 1 || undefined, "the file to be begun");
  socket.destroy();
  await until(() => filesOnDisk(chat).length === 0 || undefined, "the file to go");
  assert.deepEqual(await attachmentsOf(chat, "hamlet"), []);
});

test("a missing file on disk is a server error for that file only", async (t) => {
  const errors: string[] = [];
  const chat = await startChat(t, { logger: { error: (message) => void errors.push(message) } });
  const url = await upload(chat, "hamlet");
  const other = await upload(chat, "hamlet", "other");
  const [attachment] = chat.server.app.store.reader.all<{ file: string }>("SELECT file FROM attachments ORDER BY id");
  rmSync(join(chat.folder, "uploads/attachments", attachment!.file.slice(0, 2), attachment!.file));
  assert.equal(await status(chat, "hamlet", url), 500);
  assert.equal(errors.length, 1);
  assert.equal((await fetchFile(chat, "hamlet", other)).bytes.toString(), "other");
});

test("sweeps files without a row and no others", async (t) => {
  let now = Date.now();
  const chat = await startChat(t, { unwatched: true, now: () => now });
  const url = await upload(chat, "hamlet");
  const [kept] = filesOnDisk(chat);
  const stray = join("attachments", "ab", `ab${"0".repeat(30)}`);
  mkdirSync(join(chat.folder, "uploads/attachments/ab"), { recursive: true });
  writeFileSync(join(chat.folder, "uploads", stray), "left by a crash");
  now += 2 * 3_600_000;
  chat.server.runChores();
  await until(() => !filesOnDisk(chat).includes(stray) || undefined, "the stray file to go");
  assert.deepEqual(filesOnDisk(chat), [kept]);
  assert.equal(await status(chat, "hamlet", url), 200);
});

test("uploads and their quota survive a restart", async (t) => {
  const chat = await startChat(t, { channels: CHANNELS });
  const url = await upload(chat, "hamlet");
  await say(chat, "hamlet", "public", `[notes](${url})`);
  await chat.restart();
  assert.equal((await fetchFile(chat, "othello", url)).bytes.toString(), "contents");
  assert.equal((await chat.as("hamlet").get("/attachments"))["upload_space_used"], 8);
});

test(`${UPLOADS_AT_ONCE} concurrent uploads succeed while others are served`, async (t) => {
  const chat = await startChat(t, { unwatched: true, rateLimit: "off" });
  const bytes = randomBytes(20_000);
  const uploads = Array.from({ length: UPLOADS_AT_ONCE }, () => tryUpload(chat, "hamlet", bytes));
  const meanwhile = await chat.as("othello").get("/users/me");
  assert.equal(meanwhile.result, "success");
  const answers = await Promise.all(uploads);
  assert.deepEqual(
    answers.filter(({ result }) => result !== "success"),
    [],
  );
  assert.equal(filesOnDisk(chat).length, UPLOADS_AT_ONCE);
  chat.server.app.store.transact(about, () => {});
  assert.equal((await chat.as("hamlet").get("/attachments"))["upload_space_used"], UPLOADS_AT_ONCE * bytes.length);
});
