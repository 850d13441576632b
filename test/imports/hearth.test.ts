import assert from "node:assert/strict";
import { buffer } from "node:stream/consumers";
import test, { type TestContext } from "node:test";
import { messageRow } from "../../server/api/queries/messages.ts";
import { openArchive } from "../../server/imports/archive.ts";
import { hearthReader, isHearthExport } from "../../server/imports/formats/hearth.ts";
import { isZulip } from "../../server/imports/formats/zulip.ts";
import type { FileSource } from "../../server/imports/model.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { ok } from "../support/everything-happens.ts";
import { makeExport, PUBLIC, WITH_CONSENT } from "../support/exports.ts";
import { importFile } from "../support/imports.ts";
import { temporaryFolder } from "../support/organization.ts";
import { MOVING_GIF, upload as uploadPicture } from "../support/uploaded-pictures.ts";
import { fetchFile, upload } from "../support/uploads.ts";
import { columns, importedOrganization, shown } from "./archives.ts";

/** The archive of an export that the server wrote, and what the reader finds in it. */
async function exported(t: TestContext, chat: Chat, type = PUBLIC) {
  const { path } = await makeExport(chat, "desdemona", type);
  const archive = await openArchive(path, `${temporaryFolder(t)}/unpacked`);
  t.after(() => archive.close());
  assert.deepEqual([await isHearthExport(archive), isZulip(archive)], [true, false]);
  const reader = hearthReader(archive);
  const bytesOf = async (source: FileSource) => buffer(await reader.openFile(source));
  return { ...(await importedOrganization(reader)), bytesOf };
}

const STAGE = { channels: [{ name: "stage", subscribers: ["hamlet", "othello"] }], unwatched: true };
const send = async (chat: Chat, who: string, params: object): Promise<number> =>
  (await ok(chat.as(who).post("/messages", { type: "channel", to: "stage", topic: "acts", ...params })))["id"];
const inActs = ({ topic }: { topic: string }) => topic === "acts";
const GIF = { bytes: MOVING_GIF, filename: "moving.gif", type: "image/gif" };

test("reads people with their time zones and pictures", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  await ok(chat.as("hamlet").patch("/settings", { timezone: "Europe/Copenhagen", email_address_visibility: 4 }));
  await uploadPicture(chat, "hamlet", "/users/me/avatar", [GIF]);
  const { people, bytesOf } = await exported(t, chat);
  const [hamlet, iago] = ["hamlet", "iago"].map((name) =>
    people.find(({ id }: { id: string }) => id === String(chat.ids[name])),
  );
  assert.deepEqual(columns([hamlet, iago], "name", "timezone", "email"), [
    "Hamlet | Europe/Copenhagen | undefined",
    "Iago | undefined | iago@example.com",
  ]);
  const { avatar_url } = await ok(chat.as("hamlet").get("/users/me"));
  const shownToAll = await fetch(chat.url + avatar_url);
  assert.deepEqual(await bytesOf(hamlet.picture), Buffer.from(await shownToAll.arrayBuffer()));
  assert.equal(iago.picture, undefined);
});

test("reads links to direct messages and messages of topics", async (t) => {
  const chat = await startChat(t, STAGE);
  const { hamlet, othello, stage } = chat.ids as Record<string, number>;
  await chat.as("othello").patch("/settings", { allow_private_data_export: true });
  const direct = await send(chat, "hamlet", { type: "direct", to: [othello], content: "psst" });
  const toOther = `[it](/#narrow/dm/${othello}-dm/near/${direct})`;
  for (const content of [toOther, `[it](${chat.url}${toOther.slice(5)}`, `#**stage>acts@${direct}**`])
    await send(chat, "hamlet", { content });
  const { messages, conversations } = await exported(t, chat, WITH_CONSENT);
  const [id, message] = [`direct:${hamlet}-${othello}`, String(direct)];
  const link = { message, place: id, label: "it" };
  assert.deepEqual(
    messages.filter(inActs).map(({ text }: { text: [] }) => text),
    [[link], [link], [{ message, place: String(stage) }]],
  );
  const found = conversations.find((each: { id: string }) => each.id === id);
  assert.deepEqual(found.memberIds, [String(hamlet), String(othello)]);
});

test("reads edits, stars, and reactions with emoji of every kind", async (t) => {
  const chat = await startChat(t, STAGE);
  await uploadPicture(chat, "desdemona", "/realm/emoji/boat", [GIF]);
  await ok(chat.as("othello").patch("/settings", { allow_private_data_export: true }));
  const id = await send(chat, "hamlet", { content: "hi" });
  for (const name of ["hamlet", "othello"])
    await ok(chat.as(name).post("/messages/flags", { messages: [id], op: "add", flag: "starred" }));
  await ok(chat.as("hamlet").patch(`/messages/${id}`, { content: "hello" }));
  const reactions = { othello: ["boat", "tada", "zulip"], hamlet: ["tada"] };
  for (const [name, emoji] of Object.entries(reactions))
    for (const emoji_name of emoji) await ok(chat.as(name).post(`/messages/${id}/reactions`, { emoji_name }));
  await ok(chat.as("desdemona").delete("/realm/emoji/boat"));
  const { messages, emoji, bytesOf, leftOut } = await exported(t, chat, WITH_CONSENT);
  const [message] = messages.filter(inActs);
  assert.equal(message.editedAt, messageRow(chat.server.app.store.reader, id)?.last_edited_at);
  const [hamlet, othello] = [String(chat.ids["hamlet"]), String(chat.ids["othello"])];
  assert.deepEqual([message.text, message.starredBy], [["hello"], [othello]]);
  assert.deepEqual(message.reactions, [
    { emoji: { name: "boat" }, personIds: [othello] },
    { emoji: { character: "🎉" }, personIds: [othello, hamlet] },
    { emoji: { name: "zulip" }, personIds: [othello] },
  ]);
  assert.deepEqual([columns(emoji, "name", "isDeactivated"), leftOut], [["boat | true"], {}]);
  assert.equal((await bytesOf(emoji[0].picture)).subarray(0, 3).toString(), "GIF");
});

test("files of messages have their bytes", async (t) => {
  const chat = await startChat(t, STAGE);
  const [url, other] = [
    await upload(chat, "hamlet", "the plan", { filename: "plan b.txt" }),
    await upload(chat, "othello"),
  ];
  await send(chat, "hamlet", { content: `see [the *plan*](${url}) and [x](${other})` });
  await send(chat, "hamlet", { content: "/poll Now?\nyes" });
  const { messages, bytesOf, leftOut } = await exported(t, chat);
  const [message, poll] = messages.filter(inActs);
  const [file] = message.files;
  assert.deepEqual([message.files.length, file.name, file.size], [1, "plan b.txt", 8]);
  assert.equal((await bytesOf(file.source)).toString(), "the plan");
  assert.equal(shown(message.text), `see {"file":"${file.id}","label":"the *plan*"} and [x](${other})`);
  assert.deepEqual([poll.text, leftOut], [["/poll Now?\nyes"], { "buttons and forms": 1 }]);
});

test("another Hearth imports an export", async (t) => {
  const [from, to] = [await startChat(t, STAGE), await startChat(t, { unwatched: true })];
  const plan = await upload(from, "hamlet", "the plan");
  const first = await send(from, "hamlet", { content: `[plan](${plan}) for @**Othello** in #**stage>acts**` });
  await ok(from.as("othello").post(`/messages/${first}/reactions`, { emoji_name: "tada" }));
  const link = (stage: unknown, id: number) => `[it](/#narrow/channel/${stage}-stage/topic/acts/near/${id})`;
  await send(from, "othello", { content: link(from.ids["stage"], first) });
  const { path } = await makeExport(from, "desdemona", PUBLIC);
  assert.equal((await importFile(to, path))["state"], "done");
  const narrow = JSON.stringify([{ operator: "channel", operand: "stage" }]);
  const params = { narrow, anchor: "newest", num_before: 2, num_after: 0, apply_markdown: false };
  const { messages } = await ok(to.as("desdemona").get("/messages", params));
  const [{ content, reactions, sender_id, stream_id, id }, second] = messages;
  const [, url = ""] = /\((\/user_uploads\/[^)]+)\)/.exec(content) ?? [];
  assert.equal(content, `[plan](${url}) for @**Othello|${to.ids["othello"]}** in #**stage>acts**`);
  assert.equal((await fetchFile(to, "hamlet", url)).bytes.toString(), "the plan");
  assert.deepEqual([sender_id, reactions[0].user_id], [to.ids["hamlet"], to.ids["othello"]]);
  assert.equal(second.content, link(stream_id, id));
});
