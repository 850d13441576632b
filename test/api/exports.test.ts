import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import test from "node:test";
import { ArchiveReader } from "../../server/host/backups/archive.ts";
import { realFiles } from "../../server/storage/files.ts";
import { makeChannel } from "../support/channels.ts";
import { type Body, type Chat, startChat } from "../support/chat.ts";
import { endedExport, makeExport, PUBLIC, WITH_CONSENT } from "../support/exports.ts";
import { until } from "../support/patience.ts";
import { fetchFile, upload } from "../support/uploads.ts";

async function make(chat: Chat, who: string, type: number): Promise<{ made: Body; archive: Map<string, Buffer> }> {
  const { made, path } = await makeExport(chat, who, type);
  return { made, archive: read(path) };
}

function read(path: string): Map<string, Buffer> {
  const file = realFiles.open(path, "read");
  const folder = `${basename(path, ".tar")}/`;
  try {
    const archive = new ArchiveReader(file, path, `${folder}README.md`);
    const found = new Map<string, Buffer>();
    for (let entry = archive.next(); entry; entry = archive.next())
      found.set(
        entry.name.slice(folder.length),
        Buffer.concat([...archive.content()].map((piece) => Buffer.from(piece))),
      );
    return found;
  } finally {
    file.close();
  }
}

const textOf = (archive: Map<string, Buffer>, name: string): string => {
  const bytes = archive.get(name);
  assert.ok(bytes, name);
  return bytes.toString();
};
const linesOf = (archive: Map<string, Buffer>, name: string): Record<string, any>[] =>
  textOf(archive, name)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
/** Without messages there is no messages file. */
const messagesOf = (archive: Map<string, Buffer>) =>
  archive.has("messages/000001.jsonl") ? linesOf(archive, "messages/000001.jsonl") : [];
const contentsOf = (archive: Map<string, Buffer>) => messagesOf(archive).map(({ content }) => content);

/** Names of all fields at any depth. Names below `settings` and `profile` are not the export's own. */
function fieldsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(fieldsOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, held]) =>
    ["settings", "profile", "content"].includes(name) ? [name] : [name, ...fieldsOf(held)],
  );
}

test("an export contains public data and a README of its fields", async (t) => {
  const chat = await startChat(t, {
    channels: [
      { name: "stage", subscribers: ["hamlet", "othello"] },
      { name: "secret", private: true, subscribers: ["hamlet"] },
    ],
  });
  const [owner, hamlet] = [chat.as("desdemona"), chat.as("hamlet")];
  const say = async (to: string, content: string, topic = "plans") => {
    const sent = await hamlet.post("/messages", { type: "channel", to: chat.ids[to], topic, content });
    assert.equal(sent.status, 200, sent.msg);
    return sent["id"] as number;
  };
  const [shared, hidden] = [await upload(chat, "hamlet", "the plan"), await upload(chat, "hamlet", "hidden plan")];
  const first = await say("stage", `Look: [plan](${shared})`);
  const second = await say("stage", "All **done**", "✔ lights");
  await say("secret", `psst [it](${hidden})`);
  await hamlet.post("/messages", { type: "direct", to: [chat.ids["othello"]], content: "between us" });
  await hamlet.post(`/messages/${second}/reactions`, { emoji_name: "tada" });
  const poll = { widget_type: "poll", extra_data: { question: "When?", options: ["now"] } };
  await hamlet.post("/messages", {
    type: "channel",
    to: chat.ids["stage"],
    topic: "plans",
    content: "/poll When?\nnow",
  });
  await owner.post("/channel_folders/create", { name: "House", description: "" });
  await owner.post("/realm/filters", { pattern: "#(?P<id>[0-9]+)", url_template: "https://example.com/{id}" });
  await owner.post("/realm/profile_fields", { name: "Pronouns", hint: "", field_type: 1 });
  await chat.as("cordelia").patch("/settings", { email_address_visibility: 4 });

  const { made, archive } = await make(chat, "iago", PUBLIC);
  assert.match(made["name"], /^hearth-export-1-\d{4}-\d\d-\d\d\.tar$/);
  assert.deepEqual([made["made_by"], made["type"]], [chat.ids["iago"], PUBLIC]);
  for (const [name, bytes] of archive)
    for (const words of ["psst", "between us", "hidden plan", "secret"])
      assert.ok(!bytes.includes(words), `${name} holds ${words}`);

  const messages = messagesOf(archive);
  const found = messages.find(({ id }) => id === first);
  const [file] = linesOf(archive, "files.jsonl");
  assert.deepEqual(
    [found?.["sender_id"], found?.["channel_id"], found?.["topic"], found?.["recipient_ids"], found?.["file_ids"]],
    [chat.ids["hamlet"], chat.ids["stage"], "plans", null, [file?.["id"]]],
  );
  assert.equal(file?.["url"], shared);
  assert.equal(textOf(archive, file?.["file"]), "the plan");
  assert.equal(linesOf(archive, "files.jsonl").length, 1);
  const other = messages.find(({ id }) => id === second);
  assert.deepEqual([other?.["content"], other?.["html"]], ["All **done**", "<p>All <strong>done</strong></p>"]);
  assert.deepEqual(
    other?.["reactions"].map((one: Body) => [one["emoji_name"], one["user_id"]]),
    [["tada", chat.ids["hamlet"]]],
  );
  const widget = messages.find(({ widget: held }) => held !== null)?.["widget"];
  assert.deepEqual(widget[0].content, poll);
  const topics = linesOf(archive, "topics.jsonl").filter(({ channel_id }) => channel_id === chat.ids["stage"]);
  assert.deepEqual(
    topics.map(({ topic, is_resolved, messages: count }) => [topic, is_resolved, count]),
    [
      ["plans", false, 2],
      ["✔ lights", true, 1],
    ],
  );
  const channels = linesOf(archive, "channels.jsonl");
  assert.deepEqual(channels.find(({ name }) => name === "stage")?.["subscriber_ids"], [
    chat.ids["hamlet"],
    chat.ids["othello"],
  ]);
  assert.deepEqual(
    linesOf(archive, "folders.jsonl").map(({ name }) => name),
    ["House"],
  );
  const person = (name: string) => linesOf(archive, "people.jsonl").find(({ id }) => id === chat.ids[name]);
  assert.deepEqual(
    ["hamlet", "iago", "polonius", "bot", "cordelia"].map((name) => [person(name)?.["role"], person(name)?.["email"]]),
    [
      ["member", "hamlet@example.com"],
      ["administrator", "iago@example.com"],
      ["guest", "polonius@example.com"],
      ["member", "bot@example.com"],
      ["member", null],
    ],
  );
  const about = JSON.parse(textOf(archive, "export.json"));
  assert.deepEqual([about.type, about.consenting, about.holds], ["public", [], made["holds"]]);
  assert.equal(about.holds.messages, messages.length);
  const senders = new Set(linesOf(archive, "people.jsonl").map(({ id }) => id));
  assert.ok(messages.every(({ sender_id }) => senders.has(sender_id)));

  // The checksums cover each byte and the README each field.
  const sums = new Map(
    textOf(archive, "SHA256SUMS")
      .trim()
      .split("\n")
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  );
  const readme = textOf(archive, "README.md");
  for (const [name, bytes] of archive) {
    if (name === "SHA256SUMS") continue;
    assert.equal(sums.get(name), createHash("sha256").update(bytes).digest("hex"), name);
    const values = name.endsWith(".jsonl") ? linesOf(archive, name) : name.endsWith(".json") && JSON.parse(`${bytes}`);
    for (const field of fieldsOf(values)) assert.ok(readme.includes(`\`${field}\``), `the README has ${field}`);
    assert.ok(name === "README.md" || readme.includes(name) || /^(files|people|emoji|organization)\//.test(name), name);
  }

  const download = await fetchFile(chat, "iago", made["url"]);
  assert.equal(download.status, 200);
  assert.equal(download.headers.get("content-disposition"), `attachment; filename="${made["name"]}"`);
  assert.equal(download.bytes.length, made["bytes"]);
  const part = await fetchFile(chat, "iago", made["url"], { headers: { range: "bytes=2-9" } });
  assert.deepEqual([part.status, part.bytes], [206, download.bytes.subarray(2, 10)]);
  const { entries } = (await owner.get("/host/audit")) as unknown as { entries: Body[] };
  assert.ok(
    entries.some(({ action, target }: Body) => action === "make export" && target === `export ${made["name"]}`),
  );
});

test("an export with consent contains what those users can read", async (t) => {
  const chat = await startChat(t, {
    unwatched: true,
    channels: [
      { name: "shared", private: true, subscribers: ["hamlet", "othello"] },
      { name: "others", private: true, subscribers: ["othello"] },
    ],
  });
  const [owner, hamlet, othello] = [chat.as("desdemona"), chat.as("hamlet"), chat.as("othello")];
  // A channel with history hidden from new subscribers.
  await othello.post("/users/me/subscriptions", {
    subscriptions: [{ name: "vault" }],
    invite_only: true,
    history_public_to_subscribers: false,
  });
  const vault = (await othello.get("/get_stream_id", { stream: "vault" }))["stream_id"] as number;
  const post = async (to: number, content: string) => {
    const sent = await othello.post("/messages", { type: "channel", to, topic: "t", content });
    assert.equal(sent.status, 200, sent.msg);
  };
  await post(vault, "vault before");
  await othello.post("/users/me/subscriptions", {
    subscriptions: [{ name: "vault" }],
    principals: [chat.ids["hamlet"]],
  });
  await post(vault, "vault after");
  await post(chat.ids["shared"] as number, "in shared");
  await post(chat.ids["others"] as number, "in others");
  await othello.post("/messages", { type: "direct", to: [chat.ids["hamlet"]], content: "to hamlet" });
  await othello.post("/messages", { type: "direct", to: [chat.ids["cordelia"]], content: "to cordelia" });

  const said = (archive: Map<string, Buffer>) =>
    contentsOf(archive).filter((content) => /^(vault|in|to) \w+$/.test(content));
  const nobody = await make(chat, "desdemona", WITH_CONSENT);
  assert.deepEqual(said(nobody.archive), []);

  const [administrator, member] = [await chat.register("iago"), await chat.register("cordelia")];
  await hamlet.patch("/settings", { allow_private_data_export: true });
  const told = (await administrator.events()).filter(({ type }) => type === "realm_export_consent");
  assert.deepEqual(
    told.map(({ user_id, consented }) => [user_id, consented]),
    [[chat.ids["hamlet"], true]],
  );
  assert.deepEqual(await member.events(), []);
  const { export_consents: consents } = (await owner.get("/export/realm/consents")) as unknown as {
    export_consents: { user_id: number; consented: boolean }[];
  };
  assert.deepEqual(
    consents.filter(({ consented }) => consented).map(({ user_id }) => user_id),
    [chat.ids["hamlet"]],
  );
  assert.ok(!consents.some(({ user_id }) => user_id === chat.ids["bot"]));
  const listed = await owner.get("/host/exports");
  assert.deepEqual([listed["consenting"], listed["people"]], [1, consents.length]);

  const agreed = await make(chat, "desdemona", WITH_CONSENT);
  assert.deepEqual(said(agreed.archive), ["vault after", "in shared", "to hamlet"]);
  const channels = linesOf(agreed.archive, "channels.jsonl").map(({ name }) => name);
  assert.ok(channels.includes("vault") && channels.includes("shared") && !channels.includes("others"));
  assert.deepEqual(JSON.parse(textOf(agreed.archive, "export.json")).consenting, [chat.ids["hamlet"]]);
  const direct = messagesOf(agreed.archive).find(({ content }) => content === "to hamlet");
  assert.deepEqual(
    [direct?.["channel_id"], direct?.["topic"], direct?.["recipient_ids"]],
    [null, null, [chat.ids["hamlet"], chat.ids["othello"]]],
  );
  // A deactivated user cannot give consent.
  await owner.delete(`/users/${chat.ids["hamlet"]}`);
  const left = await make(chat, "desdemona", WITH_CONSENT);
  assert.deepEqual(said(left.archive), []);
});

test("only people who agreed have their stars in an export with consent", async (t) => {
  const chat = await startChat(t, {
    unwatched: true,
    channels: [{ name: "stage", subscribers: ["hamlet", "othello"] }],
  });
  const message = { type: "channel", to: "stage", topic: "acts", content: "hello" };
  const { id } = (await chat.as("othello").post("/messages", message)) as unknown as { id: number };
  for (const name of ["hamlet", "othello", "iago"])
    await chat.as(name).post("/messages/flags", { messages: [id], op: "add", flag: "starred" });
  for (const name of ["hamlet", "iago"]) await chat.as(name).patch("/settings", { allow_private_data_export: true });
  const starredBy = async (type: number) =>
    messagesOf((await make(chat, "desdemona", type)).archive).find((each) => each["id"] === id)?.["starred_by"];
  assert.deepEqual(await starredBy(WITH_CONSENT), [chat.ids["iago"], chat.ids["hamlet"]]);
  assert.deepEqual(await starredBy(PUBLIC), []);
});

test("an export contains who can do what in its channels", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const hamlet = { direct_members: [chat.ids["hamlet"]], direct_subgroups: [] };
  await makeChannel(chat, "stage", { can_send_message_group: hamlet, message_retention_days: 30 });
  const { archive } = await make(chat, "desdemona", PUBLIC);
  const { settings } = linesOf(archive, "channels.jsonl").find(({ name }) => name === "stage") as Body;
  assert.deepEqual([settings.can_send_message_group, settings.message_retention_days], [hamlet, 30]);
  const group = linesOf(archive, "groups.jsonl").find(({ id }) => id === settings.can_delete_any_message_group);
  assert.equal(group?.["name"], "role:nobody");
});

test("only administrators create exports and get their events", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const owner = chat.as("desdemona");
  const { made } = await make(chat, "desdemona", PUBLIC);
  const id = made["id"] as number;
  const calls = [
    ["get", "/export/realm"],
    ["post", "/export/realm"],
    ["get", "/export/realm/consents"],
    ["delete", `/export/realm/${id}`],
    ["get", "/host/exports"],
    ["post", `/host/exports/${id}/cancel`],
    ["get", `/host/exports/${id}/file`],
  ] as const;
  const refusals = {
    hamlet: "Only administrators can do this.",
    polonius: "Guests cannot do this.",
    bot: "Bots cannot do this.",
  };
  for (const [name, words] of Object.entries(refusals))
    for (const [method, path] of calls) {
      const refused = await chat.as(name)[method](path);
      assert.deepEqual([refused.status, refused.result], [400, "error"], `${name} ${method} ${path}`);
      assert.equal(refused.msg, words, `${name} ${method} ${path}`);
    }
  for (const [method, path] of calls)
    assert.equal((await chat.anonymous(method.toUpperCase(), path)).status, 401, `${method} ${path}`);

  const [administrator, member] = [await chat.register("iago"), await chat.register("hamlet")];
  assert.equal((await owner.delete(`/export/realm/${id}`)).status, 200);
  assert.ok(!existsSync(join(chat.folder, "exports", made["name"])));
  const events = await administrator.events();
  assert.deepEqual(
    events.map(({ type, exports }) => [type, exports[0].pending, exports[0].export_url]),
    [["realm_export", false, null]],
  );
  assert.deepEqual(await member.events(), []);
  const [wire] = (await chat.as("iago").get("/export/realm"))["exports"];
  assert.ok(wire.deleted_timestamp >= wire.export_time);
  assert.deepEqual(
    { ...wire, export_time: 0, deleted_timestamp: 0 },
    {
      id,
      acting_user_id: chat.ids["desdemona"],
      export_time: 0,
      deleted_timestamp: 0,
      failed_timestamp: null,
      export_url: null,
      pending: false,
      export_type: PUBLIC,
    },
  );
  assert.equal((await owner.delete(`/export/realm/${id}`)).reason, "export_already_deleted");
  assert.equal((await owner.delete("/export/realm/77")).msg, "Invalid data export ID");
  assert.equal((await owner.get(`/host/exports/${id}/file`)).status, 404);
  assert.equal((await owner.post("/export/realm", { export_type: 3 })).status, 400);
});

test("a cancelled or failed export leaves nothing behind", async (t) => {
  const chat = await startChat(t, {
    unwatched: true,
    prepare: (tx, ids) => {
      for (const finished of [null, 2])
        tx.run(
          "INSERT INTO exports (type, acting_user_id, requested_at, finished_at, bytes) VALUES (1, ?, 1, ?, 5)",
          ids["desdemona"] as number,
          finished,
        );
    },
  });
  const owner = chat.as("desdemona");
  const folder = join(chat.folder, "exports");
  const states = async () => (await owner.get("/host/exports"))["exports"].map(({ state }: Body) => state);
  // The first export crashed, and the second's file is gone.
  assert.deepEqual(await states(), ["deleted", "failed"]);
  assert.equal((await owner.get("/host/exports"))["exports"][1].failure.reason, "export_interrupted");

  // The export waits while another snapshot is open.
  const snapshot = await chat.server.app.store.snapshot();
  const { id } = (await owner.post("/export/realm")) as unknown as { id: number };
  assert.equal((await owner.post("/export/realm")).reason, "export_already_running");
  assert.equal((await owner.delete(`/export/realm/${id}`)).reason, "export_in_progress");
  const { work } = (await owner.get("/host/exports")) as unknown as { work: Body };
  assert.equal(work["id"], id);
  assert.equal((await owner.get("/export/realm"))["exports"].at(-1).pending, true);
  const sent = await chat.as("hamlet").post("/messages", { type: "direct", to: [chat.ids["iago"]], content: "hi" });
  assert.equal(sent.status, 200);
  const calledOff = owner.post(`/host/exports/${id}/cancel`);
  await until(() => (chat.server.app.exports.isCalledOff ? true : undefined), "the call");
  snapshot.release();
  assert.equal((await calledOff).status, 200);
  assert.equal((await endedExport(chat))["failure"].reason, "export_canceled");
  assert.equal((await owner.post(`/host/exports/${id}/cancel`)).reason, "export_not_in_progress");
  assert.equal((await owner.delete(`/export/realm/${id}`)).reason, "export_failed");
  assert.deepEqual(readdirSync(folder), []);

  const { made } = await make(chat, "desdemona", PUBLIC);
  for (const name of ["hearth-export-9-2026-01-01.tar", "hearth-export-9-2026-01-01.tar.partial", "own.tar"])
    writeFileSync(join(folder, name), "left by a crash");
  // A stop during the next export.
  const held = await chat.server.app.store.snapshot();
  await owner.post("/export/realm");
  const restarted = chat.restart();
  held.release();
  await restarted;
  assert.deepEqual(readdirSync(folder).sort(), [made["name"], "own.tar"]);
  assert.equal((await endedExport(chat))["failure"].reason, "export_interrupted");
});

test("a nearly full disk refuses exports and keeps room for messages", async (t) => {
  const chat = await startChat(t, { unwatched: true, testing: { leavesFree: Number.MAX_SAFE_INTEGER } });
  assert.equal((await chat.as("desdemona").post("/export/realm")).status, 200);
  const failed = await endedExport(chat);
  assert.equal(failed["state"], "failed");
  assert.match(failed["failure"].msg, /could not be written to .*exports: the disk is full\.$/);
  assert.deepEqual(readdirSync(join(chat.folder, "exports")), []);
});
