import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import test from "node:test";
import { organizationPicture } from "../../server/api/queries/organization.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { pngOf } from "../support/pictures.ts";
import { MOVING_GIF, pngSize, served, upload } from "../support/uploaded-pictures.ts";

const PICTURE = { bytes: pngOf(300, 200, 200) };
const WIDE = { bytes: pngOf(2000, 500, 500) };
const withoutId = ({ id: _id, ...event }: Record<string, unknown>) => event;
const GENERATED = "/generated/organization.png";

const uploadLogo = (chat: Chat, name: string, night: boolean, picture = WIDE) =>
  upload(chat, name, "/realm/logo", [picture], { fields: { night: String(night) } });

async function locationOf(chat: Chat, name: string, path: string) {
  const { email, key } = chat.as(name);
  const headers = { authorization: `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}` };
  const response = await fetch(`${chat.url}/api/v1${path}`, { redirect: "manual", headers });
  return [response.status, response.headers.get("location")];
}

test("an uploaded icon appears everywhere", async (t) => {
  const chat = await startChat(t);
  const [member, guest] = [await chat.register("hamlet"), await chat.register("polonius")];
  const { status, icon_url, msg } = await upload(chat, "iago", "/realm/icon", [PICTURE]);
  assert.equal(status, 200, msg);
  assert.equal(icon_url, "/user_avatars/1/realm/icon.png?version=2");
  const icon = await served(chat, icon_url);
  assert.deepEqual([icon.status, pngSize(icon.bytes)], [200, [256, 256]]);
  assert.equal(icon.headers.get("cache-control"), "public, max-age=31536000, immutable");
  assert.equal(icon.headers.get("x-content-type-options"), "nosniff");
  const event = { type: "realm", op: "update_dict", property: "icon", data: { icon_url, icon_source: "U" } };
  for (const client of [member, guest]) assert.deepEqual((await client.events()).map(withoutId), [event]);
  const { state } = await chat.register("hamlet");
  assert.deepEqual([state.realm_icon_url, state.realm_icon_source], [icon_url, "U"]);
  assert.equal(state.max_icon_file_size_mib, 5);
  const settings = await chat.anonymous("GET", "/server_settings");
  assert.equal(settings["realm_icon"], `${chat.url}${icon_url}`);
  const { organization } = await chat.as("desdemona").get("/host/state");
  assert.equal(organization.picture_url, icon_url);
  assert.deepEqual(await locationOf(chat, "polonius", "/realm/icon"), [302, icon_url]);
});

test("the icon changes under the same URL and can be removed", async (t) => {
  const chat = await startChat(t);
  const { icon_url: first } = await upload(chat, "iago", "/realm/icon", [PICTURE]);
  const { files, store } = chat.server.app;
  const path = files.pathOf({ kind: "organization", name: organizationPicture(store.reader, "icon").file as string });
  assert.ok(existsSync(path));
  const before = await served(chat, first);
  const { icon_url: second } = await upload(chat, "iago", "/realm/icon", [{ bytes: MOVING_GIF }]);
  assert.equal(second, "/user_avatars/1/realm/icon.png?version=3");
  const old = await served(chat, first);
  assert.deepEqual([old.status, old.headers.get("cache-control")], [200, "no-cache"]);
  assert.notDeepEqual(old.bytes, before.bytes);
  assert.deepEqual(old.bytes, (await served(chat, second)).bytes);
  while (existsSync(path)) await new Promise(setImmediate);

  const member = await chat.register("hamlet");
  const { icon_url } = await chat.as("iago").delete("/realm/icon");
  assert.equal(icon_url, `${GENERATED}?version=4`);
  const event = { type: "realm", op: "update_dict", property: "icon", data: { icon_url, icon_source: "G" } };
  assert.deepEqual((await member.events()).map(withoutId), [event]);
  for (const url of [first, second]) assert.equal((await served(chat, url)).headers.get("location"), icon_url);
  assert.equal((await served(chat, icon_url)).status, 200);
  assert.equal((await chat.as("iago").delete("/realm/icon"))["icon_url"], icon_url);
  assert.deepEqual(await member.events(), []);
});

test("light and dark pages each have a logo", async (t) => {
  const chat = await startChat(t);
  const before = (await chat.register("hamlet")).state;
  assert.deepEqual([before.realm_logo_source, before.realm_night_logo_source], ["D", "D"]);
  const member = await chat.register("hamlet");
  for (const [night, name] of [
    [false, "logo"],
    [true, "night_logo"],
  ] as const) {
    const answer = await uploadLogo(chat, "iago", night);
    assert.deepEqual(answer, { status: 200, result: "success", msg: "" });
    const url = `/user_avatars/1/realm/${name}.png?version=2`;
    const data = { [`${name}_url`]: url, [`${name}_source`]: "U" };
    const event = { type: "realm", op: "update_dict", property: name, data };
    assert.deepEqual((await member.events()).map(withoutId), [event]);
    const { status, bytes } = await served(chat, url);
    assert.deepEqual([status, pngSize(bytes)], [200, [400, 100]]);
    assert.deepEqual(await locationOf(chat, "polonius", `/realm/logo?night=${night}`), [302, url]);
    const { state } = await chat.register("hamlet");
    assert.deepEqual([state[`realm_${name}_url`], state[`realm_${name}_source`]], [url, "U"]);
  }
  const answer = await chat.as("iago").delete("/realm/logo", { night: true });
  assert.deepEqual(answer, { status: 200, result: "success", msg: "" });
  const { state } = await chat.register("hamlet");
  assert.deepEqual([state.realm_logo_source, state.realm_night_logo_source], ["U", "D"]);
  assert.deepEqual(await locationOf(chat, "hamlet", "/realm/logo?night=true"), [302, `${GENERATED}?version=3`]);
});

test("only administrators change the organization's pictures", async (t) => {
  const chat = await startChat(t);
  for (const name of ["hamlet", "polonius", "bot"]) {
    const code = name === "polonius" ? "BAD_REQUEST" : "UNAUTHORIZED_PRINCIPAL";
    const refusals = [
      await upload(chat, name, "/realm/icon", [PICTURE]),
      await uploadLogo(chat, name, false),
      await chat.as(name).delete("/realm/icon"),
      await chat.as(name).delete("/realm/logo", { night: true }),
    ];
    for (const answer of refusals) assert.deepEqual([answer.status, answer["code"]], [400, code], name);
  }
  for (const path of ["/realm/icon", "/realm/logo?night=false"])
    assert.equal((await chat.anonymous("GET", path)).status, 401);
  const { state } = await chat.register("hamlet");
  assert.deepEqual([state.realm_icon_source, state.realm_logo_source], ["G", "D"]);
});

test("losing the administrator role during decoding changes nothing", async (t) => {
  const chat = await startChat(t);
  const { images } = chat.server.app;
  const decode = images.squares.bind(images);
  t.mock.method(images, "squares", async (...args: Parameters<typeof decode>) => {
    await chat.as("desdemona").patch(`/users/${chat.ids["iago"]}`, { role: 400 });
    return decode(...args);
  });
  const answer = await upload(chat, "iago", "/realm/icon", [PICTURE]);
  assert.deepEqual([answer.status, answer["code"]], [400, "UNAUTHORIZED_PRINCIPAL"]);
  assert.equal((await chat.register("hamlet")).state.realm_icon_source, "G");
});

test("an icon or logo must be one readable picture of at most 5 MiB", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const large = { bytes: Buffer.alloc((5 << 20) + 1) };
  const broken = { bytes: Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), type: "image/png" };
  for (const send of [
    (...files: (typeof broken)[]) => upload(chat, "iago", "/realm/icon", files),
    (...files: (typeof broken)[]) => upload(chat, "iago", "/realm/logo", files, { fields: { night: "false" } }),
  ]) {
    const codes = [await send(), await send(broken, broken), await send(large as typeof broken), await send(broken)];
    assert.deepEqual(
      codes.map(({ status, code }) => [status, code]),
      [...Array(3).fill([400, "BAD_REQUEST"]), [400, "BAD_IMAGE"]],
    );
  }
  const missing = await upload(chat, "iago", "/realm/logo", [PICTURE]);
  assert.deepEqual([missing["code"], missing["var_name"]], ["REQUEST_VARIABLE_MISSING", "night"]);
  assert.match((await uploadLogo(chat, "iago", "maybe" as unknown as boolean)).msg, /night/);
  const { state } = await chat.register("hamlet");
  assert.deepEqual([state.realm_icon_source, state.realm_logo_source], ["G", "D"]);
});

test("a small logo keeps its size", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  await uploadLogo(chat, "iago", false, { bytes: pngOf(120, 40, 40) });
  const { bytes } = await served(chat, "/user_avatars/1/realm/logo.png");
  assert.deepEqual(pngSize(bytes), [120, 40]);
});

test("the audit names which picture changed", async (t) => {
  const chat = await startChat(t);
  await uploadLogo(chat, "iago", true);
  const { entries } = await chat.as("desdemona").get("/host/audit", { action: "change organization picture" });
  const [{ actor, target, before, after }] = entries;
  assert.deepEqual(
    [actor.user_id, target, before, after],
    [chat.ids["iago"], "organization picture night_logo", { is_uploaded: false }, { is_uploaded: true }],
  );
});
