import assert from "node:assert/strict";
import test from "node:test";
import { startChat } from "../support/chat.ts";
import { pngOf } from "../support/pictures.ts";
import { served, upload } from "../support/uploaded-pictures.ts";

const general = { name: "general", subscribers: ["hamlet", "othello"] };
const PICTURE = { bytes: pngOf(300, 200, 200) };
const OTHER = { bytes: pngOf(64, 64, 64) };

test("a bot gets its picture at creation or later", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const [owner, outsider] = [
    await chat.register("hamlet", { event_types: ["realm_bot", "realm_user"] }),
    await chat.register("othello", { event_types: ["realm_bot", "realm_user"] }),
  ];
  const fields = { full_name: "Weather", short_name: "weather" };
  const made = await upload(chat, "hamlet", "/bots", [PICTURE], { fields });
  assert.equal(made.status, 200, made.msg);
  assert.match(made["avatar_url"], /^\/user_avatars\//);
  assert.equal((await served(chat, made["avatar_url"])).status, 200);
  const path = `/bots/${made["user_id"]}`;
  const changed = await upload(chat, "hamlet", path, [OTHER], { method: "PATCH", fields: { full_name: "Clouds" } });
  assert.equal(changed.status, 200, changed.msg);
  assert.equal(changed["full_name"], "Clouds");
  assert.notEqual(changed["avatar_url"], made["avatar_url"]);
  const updates = (await owner.events()).filter(({ type, op }) => type === "realm_bot" && op === "update");
  assert.deepEqual(
    updates.flatMap(({ bot }) => bot.avatar_url ?? []),
    [made["avatar_url"], changed["avatar_url"]],
  );
  const seen = await outsider.events();
  assert.ok(seen.some(({ person }) => person?.avatar_url === changed["avatar_url"]));
  assert.ok(!seen.some(({ type }) => type === "realm_bot"));
  const { bots } = await chat.as("hamlet").get("/bots");
  assert.ok(bots.some((bot: { avatar_url: string }) => bot.avatar_url === changed["avatar_url"]));
});

test("only owner and administrators change a bot's picture", async (t) => {
  const chat = await startChat(t);
  const path = `/bots/${chat.ids["bot"]}`;
  const before = (await chat.as("hamlet").get(`/users/${chat.ids["bot"]}`)).user.avatar_url;
  for (const [name, code] of [
    ["othello", "UNAUTHORIZED_PRINCIPAL"],
    ["polonius", "BAD_REQUEST"],
  ] as const) {
    const answer = await upload(chat, name, path, [PICTURE], { method: "PATCH" });
    assert.deepEqual([answer.status, answer["code"]], [400, code]);
  }
  assert.equal((await chat.as("hamlet").get(`/users/${chat.ids["bot"]}`)).user.avatar_url, before);
  for (const name of ["iago", "hamlet"])
    assert.equal((await upload(chat, name, path, [PICTURE], { method: "PATCH" })).status, 200, name);
  const broken = { bytes: Buffer.from("<svg/>") };
  const refused = await upload(chat, "hamlet", path, [broken], { method: "PATCH", fields: { full_name: "Changed" } });
  assert.deepEqual([refused.status, refused["code"]], [400, "BAD_IMAGE"]);
  assert.equal((await chat.as("hamlet").get(`/users/${chat.ids["bot"]}`)).user.full_name, "Bot");
  assert.equal(
    (await upload(chat, "hamlet", "/bots", [broken], { fields: { full_name: "New", short_name: "new" } }))["code"],
    "BAD_IMAGE",
  );
  assert.equal((await chat.as("hamlet").get("/bots")).bots.length, 1);
  assert.equal((await upload(chat, "bot", "/users/me/avatar", [PICTURE])).status, 200);
});

test("the audit names the bot whose picture changed", async (t) => {
  const chat = await startChat(t);
  await upload(chat, "iago", `/bots/${chat.ids["bot"]}`, [PICTURE], { method: "PATCH" });
  const { entries } = await chat.as("desdemona").get("/host/audit", { action: "change avatar" });
  const [{ actor, target, target_name, before, after }] = entries;
  assert.deepEqual(
    [actor.user_id, target, target_name, before, after],
    [chat.ids["iago"], `user ${chat.ids["bot"]}`, "Bot", { is_uploaded: false }, { is_uploaded: true }],
  );
});
