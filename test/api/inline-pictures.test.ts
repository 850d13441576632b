import assert from "node:assert/strict";
import { test } from "node:test";
import { noteAttempt } from "../../server/api/actions/pictures.ts";
import { ImagesBusy, ImagesClosed } from "../../server/media/images/images.ts";
import { type Chat, type Registered, startChat } from "../support/chat.ts";
import { until } from "../support/patience.ts";
import { pictureMaker, pngOf } from "../support/pictures.ts";
import { fetchFile, filesOnDisk, upload } from "../support/uploads.ts";

/** The user ID of the uploader. */
const ME = 1;
const design = { name: "design", private: true, subscribers: ["hamlet", "iago", "desdemona"] };
const STILL = "840x560.webp";
const MOVING = "840x560-anim.webp";
const PNG = pngOf(1200, 900, 900);

async function uploadPng(chat: Chat, who: string, bytes: Uint8Array = PNG, filename = "cat.png"): Promise<string> {
  // Starts the decoder first, because an upload waits only briefly for its measurements.
  await chat.server.app.images.info(ME, { bytes: PNG });
  return upload(chat, who, bytes as Uint8Array<ArrayBuffer>, { filename });
}

async function say(chat: Chat, who: string, content: string, to = "design"): Promise<number> {
  const answer = await chat.as(who).post("/messages", { type: "channel", to, topic: "pictures", content });
  assert.equal(answer.result, "success", answer.msg);
  return answer["id"];
}

const htmlOf = async (chat: Chat, id: number): Promise<string> =>
  (await chat.as("desdemona").get(`/messages/${id}`))["message"].content;

const placeholder = (url: string, title: string, size = "1200x900") =>
  `<div class="message_inline_image"><a href="${url}" title="${title}"><img class="image-loading-placeholder" data-original-content-type="image/png" data-original-dimensions="${size}" src="/generated/loading.png"></a></div>`;
const shown = (url: string, title: string, size = "1200x900") =>
  `<div class="message_inline_image"><a href="${url}" title="${title}"><img data-original-content-type="image/png" data-original-dimensions="${size}" src="${thumbnail(url, STILL)}"></a></div>`;
const thumbnail = (url: string, format: string) =>
  `${url.replace("/user_uploads/", "/user_uploads/thumbnail/")}/${format}`;

/** Holds every thumbnail until the returned function is called or the server stops. The function can make them fail. */
function holdThumbnails(chat: Chat): (failure?: Error) => void {
  const { images } = chat.server.app;
  const [make, close] = [images.thumbnail.bind(images), images.close.bind(images)];
  const { promise, resolve } = Promise.withResolvers<Error | undefined>();
  images.thumbnail = async (...given) => {
    const failure = await promise;
    if (failure) throw failure;
    return make(...given);
  };
  images.close = () => {
    resolve(new ImagesClosed());
    return close();
  };
  return (failure) => {
    images.thumbnail = make;
    resolve(failure);
  };
}

const waitingPictures = (chat: Chat) =>
  chat.server.app.store.reader.value<number>("SELECT count(*) FROM pictures WHERE state = 'waiting'");
const awaitingMessages = (chat: Chat) =>
  chat.server.app.store.reader.value<number>("SELECT count(*) FROM messages_awaiting_pictures");
/** Waits until all pictures are processed and their events delivered. */
async function settled(chat: Chat): Promise<void> {
  const isSettled = () => (waitingPictures(chat) === 0 && awaitingMessages(chat) === 0 ? true : undefined);
  await until(isSettled, "all pictures are made and shown");
  await chat.server.app.store.durable();
}

const updates = async (queue: Registered) =>
  (await queue.events()).filter(({ type }) => type === "update_message") as Record<string, any>[];

test("a finished picture replaces its placeholder with an event", async (t) => {
  const chat = await startChat(t, { channels: [design] });
  const release = holdThumbnails(chat);
  const [iago, othello] = [await chat.register("iago"), await chat.register("othello")];
  const url = await uploadPng(chat, "hamlet");
  const content = `look, @**Iago**: [cat.png](${url})`;
  const id = await say(chat, "hamlet", content);
  const link = `<p>look, <span class="user-mention" data-user-id="${chat.ids["iago"]}">@Iago</span>: <a href="${url}">cat.png</a></p>`;
  assert.equal(await htmlOf(chat, id), `${link}\n${placeholder(url, "cat.png")}`);
  assert.equal((await fetchFile(chat, "iago", thumbnail(url, STILL))).status, 404);
  assert.deepEqual(await updates(iago), []);

  release();
  await settled(chat);
  const [event] = await updates(iago);
  const { id: _, edit_timestamp, ...fields } = event as Record<string, any>;
  assert.ok(Math.abs(edit_timestamp - Date.now() / 1000) < 200);
  assert.deepEqual(fields, {
    type: "update_message",
    user_id: null,
    rendering_only: true,
    message_id: id,
    message_ids: [id],
    flags: ["mentioned"],
    stream_name: "design",
    stream_id: chat.ids["design"],
    content,
    rendered_content: `${link}\n${shown(url, "cat.png")}`,
  });
  assert.deepEqual(await othello.events(), []);
  const { message } = await chat.as("desdemona").get(`/messages/${id}`);
  assert.equal(message.content, fields.rendered_content);
  assert.equal("edit_history" in message || "last_edit_timestamp" in message, false);

  // Sending the picture again shows it immediately.
  const again = await say(chat, "iago", `[](${url})`);
  assert.equal(await htmlOf(chat, again), `<p><a href="${url}">${url}</a></p>\n${shown(url, "cat.png")}`);
});

test("a thumbnail requires access and is sent like a file", async (t) => {
  const chat = await startChat(t, { channels: [design] });
  const url = await uploadPng(chat, "hamlet");
  await say(chat, "hamlet", `[cat.png](${url})`);
  await settled(chat);
  const still = thumbnail(url, STILL);
  const whole = await fetchFile(chat, "iago", still);
  assert.equal(whole.status, 200);
  assert.equal(whole.headers.get("content-type"), "image/webp");
  assert.equal(whole.headers.get("x-content-type-options"), "nosniff");
  assert.match(whole.headers.get("content-security-policy") ?? "", /sandbox/);
  const info = await chat.server.app.images.info(ME, { bytes: whole.bytes });
  assert.deepEqual(info, { format: "webp", width: 747, height: 560, frames: 1 });

  const part = await fetchFile(chat, "iago", still, { headers: { range: "bytes=0-3" } });
  assert.deepEqual([part.status, part.bytes.toString()], [206, "RIFF"]);
  const head = await fetchFile(chat, "iago", still, { method: "HEAD" });
  assert.deepEqual([head.status, Number(head.headers.get("content-length"))], [200, whole.bytes.length]);
  const known = { headers: { "if-none-match": whole.headers.get("etag") ?? "" } };
  assert.equal((await fetchFile(chat, "iago", still, known)).status, 304);

  // It is not animated, so it has one format.
  assert.deepEqual((await fetchFile(chat, "iago", thumbnail(url, MOVING))).bytes, whole.bytes);
  const none = (await fetchFile(chat, "iago", thumbnail(url, "1x1.webp"))).status;
  const absent = await fetchFile(chat, "othello", thumbnail(url.replace(/[\w-]{22}/, "x".repeat(22)), STILL));
  const hidden = await fetchFile(chat, "othello", still);
  assert.deepEqual([none, absent.status, hidden.status], [404, 404, 404]);
  assert.deepEqual(hidden.bytes, absent.bytes);
  assert.equal((await fetchFile(chat, {}, still)).status, 401);
  const { key } = chat.as("iago");
  assert.equal((await fetchFile(chat, {}, `${still}?api_key=${key}`)).status, 200);
});

test("the status of a thumbnail is known to its file's readers", async (t) => {
  const chat = await startChat(t, { channels: [design] });
  const release = holdThumbnails(chat);
  const url = await uploadPng(chat, "hamlet");
  await say(chat, "hamlet", `[cat.png](${url})`);
  const path = url.replace("/user_uploads/", "/thumbnail/status/");
  assert.equal((await chat.as("iago").get(path)).has_thumbnail, false);
  release();
  await settled(chat);
  assert.equal((await chat.as("iago").get(path)).has_thumbnail, true);
  const missing = path.replace(/[\w-]{22}/, "x".repeat(22));
  const answers = [await chat.as("othello").get(path), await chat.as("iago").get(missing)];
  assert.deepEqual(answers[0], answers[1]);
  assert.equal(answers[0]?.status, 404);
});

test("redirects old clients to the thumbnail or file", async (t) => {
  const chat = await startChat(t, { channels: [design] });
  const url = await uploadPng(chat, "hamlet");
  await say(chat, "hamlet", `[cat.png](${url})`);
  await settled(chat);
  const asked = (who: string, address: string, size: string) =>
    fetchFile(chat, who, `/thumbnail?url=${encodeURIComponent(address)}&size=${size}`);
  const small = await asked("iago", url.slice(1), "thumbnail");
  assert.deepEqual([small.status, small.headers.get("location")], [302, thumbnail(url, STILL)]);
  const full = await asked("iago", url, "full");
  assert.deepEqual([full.status, full.headers.get("location")], [302, url]);
  assert.equal((await asked("iago", url, "huge")).status, 400);
  assert.equal((await asked("othello", url, "full")).status, 404);
  assert.equal((await asked("iago", "https://elsewhere.example/cat.png", "full")).status, 404);
});

test("updates each message with the same picture once", async (t) => {
  const chat = await startChat(t, { channels: [design] });
  const release = holdThumbnails(chat);
  const url = await uploadPng(chat, "hamlet");
  const iago = await chat.register("iago");
  const ids: number[] = [];
  for (let count = 0; count < 23; count++) ids.push(await say(chat, "hamlet", `${count} [cat.png](${url})`));
  const direct = await chat
    .as("hamlet")
    .post("/messages", { type: "direct", to: [chat.ids["iago"]], content: `[cat.png](${url})` });
  ids.push(direct["id"]);
  release();
  await settled(chat);
  const heard = await updates(iago);
  assert.deepEqual(
    heard.map(({ message_id }) => message_id),
    ids,
  );
  assert.ok(heard.every(({ rendered_content }) => rendered_content.endsWith(shown(url, "cat.png"))));
  assert.equal("stream_id" in (heard.at(-1) as object), false);
});

test("replaces each of two pictures separately", async (t) => {
  const chat = await startChat(t, { channels: [design] });
  const release = holdThumbnails(chat);
  const cat = await uploadPng(chat, "hamlet");
  const dog = await uploadPng(chat, "hamlet", pngOf(30, 20, 20), "dog.png");
  const id = await say(chat, "hamlet", `[cat](${cat}) [dog](${dog})`);
  const links = `<p><a href="${cat}">cat</a> <a href="${dog}">dog</a></p>\n`;
  assert.equal(await htmlOf(chat, id), links + placeholder(cat, "cat") + placeholder(dog, "dog", "30x20"));
  const iago = await chat.register("iago");
  release();
  await settled(chat);
  const last = (await updates(iago)).at(-1) as Record<string, any>;
  assert.equal(last["rendered_content"], links + shown(cat, "cat") + shown(dog, "dog", "30x20"));
});

test("the history shows a picture finished after its edit", async (t) => {
  const chat = await startChat(t, { channels: [design] });
  const release = holdThumbnails(chat);
  const url = await uploadPng(chat, "hamlet");
  const id = await say(chat, "hamlet", `[cat.png](${url})`);
  assert.equal((await chat.as("hamlet").patch(`/messages/${id}`, { content: "never mind" })).result, "success");
  const iago = await chat.register("iago");
  release();
  await settled(chat);
  assert.deepEqual(await updates(iago), []);
  assert.equal(await htmlOf(chat, id), "<p>never mind</p>");
  const { message_history } = await chat.as("iago").get(`/messages/${id}/history`);
  assert.ok(message_history[0].rendered_content.endsWith(shown(url, "cat.png")));
});

test("an edit shows its new picture", async (t) => {
  const chat = await startChat(t, { channels: [design] });
  const id = await say(chat, "hamlet", "wait");
  const release = holdThumbnails(chat);
  const url = await uploadPng(chat, "hamlet");
  const edited = await chat.as("hamlet").patch(`/messages/${id}`, { content: `[cat.png](${url})` });
  assert.equal(edited.result, "success");
  assert.ok((await htmlOf(chat, id)).endsWith(placeholder(url, "cat.png")));
  release();
  await settled(chat);
  assert.ok((await htmlOf(chat, id)).endsWith(shown(url, "cat.png")));
});

test("deleting a message before its picture is ready leaves nothing", async (t) => {
  const chat = await startChat(t, { channels: [design] });
  const release = holdThumbnails(chat);
  const url = await uploadPng(chat, "hamlet");
  const id = await say(chat, "hamlet", `[cat.png](${url})`);
  const other = await say(chat, "hamlet", `again: [cat.png](${url})`);
  assert.equal((await chat.as("desdemona").delete(`/messages/${id}`)).result, "success");
  assert.equal(awaitingMessages(chat), 1);
  const iago = await chat.register("iago");
  const [attachment] = (await chat.as("hamlet").get("/attachments"))["attachments"];
  assert.equal((await chat.as("hamlet").delete(`/attachments/${attachment.id}`)).result, "success");
  const [event] = await updates(iago);
  assert.deepEqual([event?.["message_id"], event?.["rendering_only"]], [other, true]);
  assert.equal(await htmlOf(chat, other), `<p>again: <a href="${url}">cat.png</a></p>`);
  release();
  await until(() => (filesOnDisk(chat).length === 0 ? true : undefined), "no file is left");
  assert.deepEqual([waitingPictures(chat), awaitingMessages(chat)], [0, 0]);
});

test("deleting an upload deletes its thumbnails", async (t) => {
  const chat = await startChat(t, { channels: [design] });
  const url = await uploadPng(chat, "hamlet");
  await settled(chat);
  assert.equal(filesOnDisk(chat).length, 2);
  const [attachment] = (await chat.as("hamlet").get("/attachments"))["attachments"];
  assert.equal((await chat.as("hamlet").delete(`/attachments/${attachment.id}`)).result, "success");
  assert.deepEqual(filesOnDisk(chat), []);
  assert.equal((await fetchFile(chat, "hamlet", thumbnail(url, STILL))).status, 404);
});

test("a file that is not a picture keeps its link", async (t) => {
  const chat = await startChat(t, { channels: [design] });
  const release = holdThumbnails(chat);
  // A valid picture header followed by garbage.
  const broken = Buffer.from(pngOf(100, 50, 50));
  broken.fill(0xff, broken.indexOf("IDAT") + 4, broken.length - 16);
  const url = await uploadPng(chat, "hamlet", broken);
  const id = await say(chat, "hamlet", `[cat.png](${url})`);
  assert.ok((await htmlOf(chat, id)).endsWith(placeholder(url, "cat.png", "100x50")));
  const iago = await chat.register("iago");
  release();
  await settled(chat);
  const [event] = await updates(iago);
  assert.equal(event?.["rendered_content"], `<p><a href="${url}">cat.png</a></p>`);
  // Known failures are plain links from the start: a false type, and a file that is too large.
  for (const bytes of [Buffer.from("\x89PNG\r\n\x1a\nno picture", "latin1"), pngOf(100_000, 100_000, 1)]) {
    const lie = await uploadPng(chat, "hamlet", bytes);
    assert.equal(await htmlOf(chat, await say(chat, "hamlet", `[a](${lie})`)), `<p><a href="${lie}">a</a></p>`);
  }
});

test("a restart continues with pending pictures", async (t) => {
  const chat = await startChat(t, { channels: [design] });
  holdThumbnails(chat);
  const url = await uploadPng(chat, "hamlet");
  const id = await say(chat, "hamlet", `[cat.png](${url})`);
  const iago = await chat.register("iago");
  await chat.restart();
  await settled(chat);
  const heard = await updates(iago);
  assert.deepEqual(
    heard.map(({ message_id }) => message_id),
    [id],
  );
  assert.ok((await htmlOf(chat, id)).endsWith(shown(url, "cat.png")));
});

test("thumbnails alternate between uploaders", async (t) => {
  const chat = await startChat(t, { channels: [design] });
  const { images } = chat.server.app;
  const release = holdThumbnails(chat);
  for (let count = 0; count < 3; count++) await uploadPng(chat, "hamlet");
  await uploadPng(chat, "iago");
  release();
  const people: number[] = [];
  const make = images.thumbnail.bind(images);
  images.thumbnail = (person, ...given) => {
    people.push(person);
    return make(person, ...given);
  };
  await settled(chat);
  const [hamlet, iago] = [chat.ids["hamlet"], chat.ids["iago"]];
  assert.deepEqual(people, [iago, hamlet, hamlet]);
});

test("gives up a picture after three server crashes", async (t) => {
  const chat = await startChat(t, { channels: [design] });
  const { store, images, thumbnailer } = chat.server.app;
  const fail = holdThumbnails(chat);
  const held = images.thumbnail;
  const attempt = Promise.withResolvers<void>();
  images.thumbnail = (...given) => {
    attempt.resolve();
    return held(...given);
  };
  const url = await uploadPng(chat, "hamlet");
  const id = await say(chat, "hamlet", `[cat.png](${url})`);
  await attempt.promise;
  assert.equal(store.reader.value<number>("SELECT attempts FROM pictures"), 1);
  fail(new ImagesBusy());
  const about = { actor: null, action: "test" };
  store.transact(about, (tx) => {
    const attachment = tx.value<number>("SELECT attachment_id FROM pictures") as number;
    for (let count = 0; count < 2; count++) noteAttempt(tx, attachment);
  });
  images.info = () => assert.fail("It was tried again.");
  thumbnailer.wake();
  await settled(chat);
  assert.equal(await htmlOf(chat, id), `<p><a href="${url}">cat.png</a></p>`);
});

test("animations play, and browsers get a readable form of TIFF", async (t) => {
  const chat = await startChat(t, { channels: [design] });
  const { make } = await pictureMaker(t);
  const gif = await uploadPng(chat, "hamlet", make("gif", { width: 300, height: 200, frames: 3 }), "jump.gif");
  const tiff = await uploadPng(chat, "hamlet", make("tif", { width: 1000, height: 800 }), "scan.tif");
  await settled(chat);
  const html = await htmlOf(chat, await say(chat, "hamlet", `[a](${gif}) [b](${tiff})`));
  const img = [...html.matchAll(/<img[^>]*>/g)].map(([one]) => one);
  assert.deepEqual(img, [
    `<img data-animated="true" data-original-content-type="image/gif" data-original-dimensions="300x200" src="${thumbnail(gif, MOVING)}">`,
    `<img data-original-content-type="image/tiff" data-original-dimensions="1000x800" data-transcoded-image="1000x800.webp" src="${thumbnail(tiff, STILL)}">`,
  ]);
  const infoOf = async (url: string) => {
    const { bytes } = await fetchFile(chat, "hamlet", url);
    return chat.server.app.images.info(ME, { bytes });
  };
  assert.equal((await infoOf(thumbnail(gif, MOVING))).frames, 3);
  assert.equal((await infoOf(thumbnail(gif, STILL))).frames, 1);
  assert.deepEqual(await infoOf(thumbnail(tiff, "1000x800.webp")), {
    format: "webp",
    width: 1000,
    height: 800,
    frames: 1,
  });
});

test("embeds video and audio by content, not by name", async (t) => {
  const chat = await startChat(t, { channels: [design] });
  const film = await upload(chat, "hamlet", Buffer.from("\0\0\0\x18ftypmp42\0\0\0\0mp42isom", "latin1"), {
    filename: "film.png",
  });
  const sound = await upload(chat, "hamlet", Buffer.from("ID3\x04\0\0", "latin1"), { filename: "song.mp3" });
  const html = await htmlOf(chat, await say(chat, "hamlet", `[my film](${film})\n\n[my song](${sound})`));
  assert.match(html, /<div class="message_inline_image message_inline_video"><a [^>]*title="my film"><video /);
  assert.match(html, new RegExp(`<audio controls="" preload="metadata" src="${sound}" title="my song"></audio>`));
});

test("only messages embed pictures, by access and organization setting", async (t) => {
  const chat = await startChat(t, { channels: [design, { name: "general", subscribers: ["othello", "desdemona"] }] });
  const url = await uploadPng(chat, "hamlet");
  await say(chat, "hamlet", `[cat.png](${url})`);
  await settled(chat);
  const link = `<p><a href="${url}">cat.png</a></p>`;
  assert.equal(await htmlOf(chat, await say(chat, "othello", `[cat.png](${url})`, "general")), link);
  const scheduled = { type: "channel", to: chat.ids["design"], topic: "a", content: `[cat.png](${url})` };
  const at = Math.floor(Date.now() / 1000) + 1000;
  await chat.as("hamlet").post("/scheduled_messages", { ...scheduled, scheduled_delivery_timestamp: at });
  const { scheduled_messages } = await chat.as("hamlet").get("/scheduled_messages");
  assert.equal(scheduled_messages[0].rendered_content, link);
  await chat.as("desdemona").patch("/realm", { inline_image_preview: false });
  assert.equal(await htmlOf(chat, await say(chat, "hamlet", `[cat.png](${url})`)), link);
});

test("/register lists the thumbnail formats", async (t) => {
  const chat = await startChat(t);
  const { state } = await chat.register("hamlet", { fetch_event_types: ["realm"] });
  const box = { max_width: 840, max_height: 560, format: "webp" };
  assert.deepEqual(state["server_thumbnail_formats"], [
    { name: MOVING, ...box, animated: true },
    { name: STILL, ...box, animated: false },
  ]);
  assert.equal(state["server_inline_image_preview"], true);
});
