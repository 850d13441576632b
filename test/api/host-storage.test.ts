import assert from "node:assert/strict";
import { statSync } from "node:fs";
import test from "node:test";
import { type Chat, startChat } from "../support/chat.ts";
import { upload } from "../support/uploads.ts";

const clockAt = (start: number) => {
  let now = start;
  return {
    now: () => now,
    pass(ms: number): void {
      now += ms;
    },
  };
};

async function sizes(chat: Chat): Promise<Record<string, any>> {
  const answer = await chat.as("desdemona").get("/host/storage");
  assert.equal(answer.result, "success", answer.msg);
  return answer;
}

test("sizes match the stored data, by channel and type", async (t) => {
  const clock = clockAt(Date.now());
  const chat = await startChat(t, {
    unwatched: true,
    now: clock.now,
    operatorToken: "operator's own",
    channels: [{ name: "stage", subscribers: ["hamlet"] }, { name: "quiet" }, { name: "kept" }],
  });
  const owner = chat.as("desdemona");
  const hamlet = chat.as("hamlet");
  const kept = await owner.patch(`/streams/${chat.ids["kept"]}`, { message_retention_days: 30 });
  assert.equal(kept.result, "success", kept.msg);
  const before = await sizes(chat);
  clock.pass(61_000);
  const url = await upload(chat, "hamlet", "x".repeat(5000));
  const post = async (params: Record<string, unknown>) =>
    assert.equal((await hamlet.post("/messages", params)).result, "success");
  await post({ type: "channel", to: chat.ids["stage"], topic: "plans", content: "To be – or not" });
  await post({ type: "channel", to: chat.ids["stage"], topic: "plans", content: `[notes](${url})` });
  await post({ type: "direct", to: [chat.ids["iago"]], content: `[notes](${url})` });
  clock.pass(61_000);
  // The server collects log lines for a moment before it writes them.
  await chat.server.app.log.files.flush();
  const after = await sizes(chat);
  const rowOf = (answer: Record<string, any>, name: string) =>
    answer["contents"].channels.find((channel: { name: string }) => channel.name === name);
  const stored = chat.server.app.store.reader.value<number>(
    "SELECT SUM(octet_length(content) + octet_length(rendered_content)) FROM messages WHERE channel_id = ?",
    chat.ids["stage"] as number,
  );
  assert.deepEqual(rowOf(after, "stage"), {
    channel_id: chat.ids["stage"],
    name: "stage",
    is_archived: false,
    message_retention_days: null,
    messages: 2,
    text_bytes: stored,
    files: 1,
    file_bytes: 5000,
  });
  assert.deepEqual(rowOf(before, "stage"), undefined);
  assert.deepEqual(rowOf(after, "quiet"), undefined);
  assert.deepEqual(rowOf(after, "kept").message_retention_days, 30);
  const { direct, uploads, message_retention_days } = after["contents"];
  assert.equal(direct.messages - before["contents"].direct.messages, 1);
  assert.deepEqual([direct.files, direct.file_bytes, message_retention_days], [1, 5000, -1]);
  assert.deepEqual(uploads, [{ kind: "attachments", files: 1, bytes: 5000 }]);
  assert.equal(after["files"].uploads, 5000);
  const onDisk = ["hearth.db", "hearth.sums"].map((name) => statSync(`${chat.folder}/${name}`).size);
  assert.equal(after["files"].database, onDisk[0]! + onDisk[1]!);
  assert.ok(after["files"].log > 1 << 20);
  assert.ok(after["files"].diagnostics > 0);
  assert.ok(after["disk"].free_bytes > 0 && after["disk"].free_bytes <= after["disk"].total_bytes);
  assert.equal(after["memory_bytes"], chat.server.app.store.sizes.memory);
  assert.deepEqual(after["upload_quota"], { used_bytes: 5000, max_bytes: null });
  await owner.patch("/host/settings", { UPLOAD_QUOTA_MIB: 2 });
  clock.pass(61_000);
  assert.equal((await sizes(chat))["upload_quota"].max_bytes, 2 << 20);
});

test("measures at most once a minute for all callers", async (t) => {
  const clock = clockAt(Date.now());
  const chat = await startChat(t, { unwatched: true, now: clock.now, operatorToken: "operator's own" });
  const operator = { authorization: "Bearer operator's own" };
  const [one, other] = await Promise.all([sizes(chat), chat.anonymous("GET", "/host/storage", {}, operator)]);
  assert.deepEqual(one, other);
  await chat.as("hamlet").post("/messages", { type: "direct", to: [chat.ids["iago"]], content: "hello" });
  clock.pass(59_000);
  assert.deepEqual(await sizes(chat), one);
  clock.pass(2_000);
  const fresh = await sizes(chat);
  assert.equal(fresh["contents"].direct.messages, one["contents"].direct.messages + 1);
  assert.equal(fresh["measured_at"], clock.now());
});

test("describes the network and its effective settings", async (t) => {
  const chat = await startChat(t, { unwatched: true, host: "127.0.0.1" });
  process.env["ALLOWED_HOSTS"] = "chat.example.com";
  t.after(() => delete process.env["ALLOWED_HOSTS"]);
  const owner = chat.as("desdemona");
  await owner.patch("/host/settings", { RATE_LIMITS: { api_by_ip: [[60, 7]] } });
  const { listening, names, connections, max_body_bytes, settings } = await owner.get("/host/network");
  assert.deepEqual(listening, {
    host: "127.0.0.1",
    port: Number(new URL(chat.url).port),
    lan: false,
    addresses: [{ url: chat.url, interface: "lo" }],
    chosen_by: "command line",
  });
  assert.ok(names.includes("localhost"));
  assert.ok(connections.open >= 1 && connections.open < connections.max);
  assert.equal(max_body_bytes, 2 << 20);
  const byName = Object.fromEntries(settings.map((one: { name: string }) => [one.name, one]));
  const limits = byName.RATE_LIMITS;
  assert.deepEqual([limits.value.api_by_ip, limits.initial.api_by_ip], [[[60, 7]], [[60, 100]]]);
  assert.equal(limits.set_by_environment, false);
  assert.deepEqual([byName.ALLOWED_HOSTS.value, byName.ALLOWED_HOSTS.set_by_environment], [["chat.example.com"], true]);
  assert.equal(byName.WEBHOOK_ALLOWED_HOSTS.set_by_environment, false);
});

test("nobody else sees sizes or network details", async (t) => {
  const users = { clown: { is_bot: true, bot_type: 1 as const, role: 100 as const } };
  const chat = await startChat(t, { unwatched: true, users, operatorToken: "operator's own" });
  for (const path of ["/host/storage", "/host/network"]) {
    for (const name of ["iago", "hamlet", "polonius", "bot", "clown"]) {
      const answer = await chat.as(name).get(path);
      assert.equal(answer.status, 400, `${name} ${path}`);
      assert.deepEqual([answer["contents"], answer["listening"]], [undefined, undefined]);
    }
    assert.equal((await chat.anonymous("GET", path)).status, 401);
    const operator = { authorization: "Bearer operator's own" };
    assert.equal((await chat.anonymous("GET", path, {}, operator)).status, 200);
  }
});
