import assert from "node:assert/strict";
import test from "node:test";
import { createGeneralChannel } from "../../server/api/actions/organization.ts";
import { organizationSetting } from "../../server/api/queries/organization.ts";
import { type User, userById } from "../../server/api/queries/users.ts";
import { type Body, type Chat, type Params, startChat } from "../support/chat.ts";
import { assertVoid, join, joined, linkFor, linkOf } from "../support/joining.ts";

const MINUTE = 60_000;
const START = 1_800_000_000_000;
const general = { name: "general", subscribers: ["hamlet", "iago"] };
const secret = { name: "secret", private: true, subscribers: ["iago"] };
const quiet = { welcome_message_custom_text: "" };

const channelIn = (chat: Chat, name: string) => `/#narrow/channel/${chat.ids[name]}-${name}`;

const types = (events: { type: string }[]) => events.map(({ type }) => type);

async function set(chat: Chat, settings: Params): Promise<void> {
  const changed = await chat.as("desdemona").patch("/realm", settings);
  assert.equal(changed.status, 200, changed.msg);
}

const systemGroup = (chat: Chat, name: string) =>
  chat.server.app.store.reader.value<number>("SELECT id FROM user_groups WHERE name = ?", name);

function as(chat: Chat, { email, api_key }: Body) {
  const authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString("base64")}`;
  return (method: string, path: string, params: Params = {}) => chat.anonymous(method, path, params, { authorization });
}

const channelsOf = async (chat: Chat, person: Body): Promise<string[]> =>
  (await as(chat, person)("GET", "/users/me/subscriptions")).subscriptions
    .map(({ name }: { name: string }) => name)
    .sort();

async function directMessages(chat: Chat, person: Body): Promise<string[]> {
  const asked = {
    anchor: "newest",
    num_before: 10,
    num_after: 0,
    narrow: [{ operator: "is", operand: "dm" }],
    apply_markdown: false,
  };
  const { messages } = await as(chat, person)("GET", "/messages", asked);
  return messages.map(({ content }: { content: string }) => content);
}

test("a new member gets exactly what the invitation grants", async (t) => {
  const chat = await startChat(t, { channels: [general, secret, { name: "other" }, { name: "default" }] });
  await chat.as("desdemona").post("/default_streams", { stream_id: chat.ids.default });
  const { group_id } = await chat
    .as("iago")
    .post("/user_groups/create", { name: "crew", description: "", members: [] });
  const { general: open, secret: hidden } = chat.ids;
  const token = await linkOf(chat, "iago", {
    invite_as: 300,
    stream_ids: [open, hidden],
    group_ids: [group_id],
    ...quiet,
  });
  const [iago, othello] = [await chat.register("iago"), await chat.register("othello")];
  const opened = await chat.anonymous("POST", "/host/join/open", { token });
  const { organization, picture, invited_by, email, role } = opened;
  assert.deepEqual([organization, invited_by, email, role], ["Venice", "Iago", null, 300]);
  assert.equal((await fetch(`${chat.url}${picture}`)).status, 200);

  const emilia = await joined(chat, token, "emilia");
  assert.deepEqual([emilia.full_name, emilia.email], ["Emilia", "emilia@example.com"]);
  const { user } = await chat.as("othello").get(`/users/${emilia.user_id}`);
  assert.deepEqual([user.full_name, user.role, user.is_active, user.is_bot], ["Emilia", 300, true, false]);
  assert.deepEqual(await channelsOf(chat, emilia), ["general", "secret"]);
  const members = await chat.as("othello").get(`/user_groups/${group_id}/members`);
  assert.deepEqual(members.members, [emilia.user_id]);
  assert.deepEqual(await directMessages(chat, emilia), []);

  const [seen, heard] = [await iago.events(), await othello.events()];
  assert.ok(
    seen.some(({ type, op, person }) => type === "realm_user" && op === "add" && person.user_id === emilia.user_id),
  );
  assert.deepEqual(types(heard).slice(0, 2), ["realm_user", "user_group"]);
  const peers = (events: typeof seen) =>
    events.filter(({ op }) => op === "peer_add").flatMap(({ stream_ids }) => stream_ids);
  assert.deepEqual(peers(seen).sort(), [open, hidden].sort());
  assert.deepEqual(peers(heard), [open], "no private channel");
  assert.ok(heard.some(({ op, group_id: id }) => op === "add_members" && id === group_id));
  // A reusable link does not change.
  assert.deepEqual(
    [...seen, ...heard].filter(({ type }) => type === "invites_changed"),
    [],
  );
  const signedIn = await chat.anonymous("POST", "/fetch_api_key", {
    username: "emilia@example.com",
    password: "three unrelated words",
  });
  assert.equal(signedIn.api_key, emilia.api_key);

  const { entries } = await chat.as("desdemona").get("/host/audit");
  const entry = entries.find(({ action }: { action: string }) => action === "join by invitation");
  assert.equal(entry.target, `user ${emilia.user_id}`);
  assert.equal(entry.after.invited_by, chat.ids.iago);
  assert.deepEqual(entry.after.channels, [open, hidden]);
  assert.ok(!JSON.stringify(entries).includes(token));
  assert.equal((await joined(chat, token, "bianca")).status, 200);
});

test("new members get the default channels of the time they join", async (t) => {
  const chat = await startChat(t, { channels: [general, { name: "news" }, { name: "later" }] });
  const defaults = { include_realm_default_subscriptions: true, ...quiet };
  const both = await linkOf(chat, "desdemona", { stream_ids: [chat.ids.general], ...defaults });
  const guests = await linkOf(chat, "desdemona", { stream_ids: [chat.ids.general], invite_as: 600, ...quiet });
  assert.deepEqual(await channelsOf(chat, await joined(chat, both, "ann")), ["general"]);
  for (const name of ["general", "later"])
    await chat.as("desdemona").post("/default_streams", { stream_id: chat.ids[name] });
  const bo = await joined(chat, both, "bo", { full_name: "Bo" });
  assert.deepEqual(await channelsOf(chat, bo), ["general", "later"]);
  const guest = await joined(chat, guests, "cy");
  assert.deepEqual(await channelsOf(chat, guest), ["general"]);
  assert.deepEqual([bo.chat, guest.chat], [channelIn(chat, "general"), channelIn(chat, "general")]);
  await chat.as("desdemona").delete(`/streams/${chat.ids.general}`);
  assert.equal((await joined(chat, both, "di", { full_name: "Di" })).chat, channelIn(chat, "later"));
  assert.equal((await joined(chat, guests, "ed", { full_name: "Ed" })).chat, "/", "no channel to begin in");
  assert.equal((await as(chat, guest)("GET", "/users")).status, 200);
  assert.equal((await as(chat, guest)("POST", "/invites/multiuse")).status, 400);
});

test("a new member begins in the topic of the welcome", async (t) => {
  const chat = await startChat(t, { now: () => START });
  const { id } = chat.server.app.store.transact({ actor: null, action: "test" }, (tx) =>
    createGeneralChannel(tx, userById(tx, chat.ids["desdemona"] as number) as User, "Venice"),
  );
  const general = `/#narrow/channel/${id}-general`;
  const token = await linkOf(chat, "desdemona", { stream_ids: [id], ...quiet });
  const asked = { anchor: "oldest", num_before: 0, num_after: 1, narrow: [{ operator: "channel", operand: id }] };
  const { messages } = await chat.as("desdemona").get("/messages", asked);
  const welcome = messages[0].id;
  assert.equal(
    (await joined(chat, token, "ann", { full_name: "Ann" })).chat,
    `${general}/topic/welcome/with/${welcome}`,
  );
  const rename = { topic: "say hello", propagate_mode: "change_all" };
  assert.equal((await chat.as("desdemona").patch(`/messages/${welcome}`, rename)).status, 200);
  const renamed = `${general}/topic/say.20hello/with/${welcome}`;
  assert.equal((await joined(chat, token, "bo", { full_name: "Bo" })).chat, renamed);
});

test("an invitation to many channels subscribes to all", async (t) => {
  const names = Array.from({ length: 45 }, (_, at) => `room ${at}`);
  const chat = await startChat(t, { channels: names.map((name) => ({ name })) });
  const token = await linkOf(chat, "desdemona", { stream_ids: names.map((name) => chat.ids[name]) });
  assert.equal((await channelsOf(chat, await joined(chat, token, "ann"))).length, 45);
  const tooMany = { stream_ids: Array.from({ length: 251 }, (_, at) => at) };
  assert.equal((await chat.as("desdemona").post("/invites/multiuse", tooMany)).status, 400);
  const { entries } = await chat.as("desdemona").get("/host/audit", { limit: 1 });
  assert.equal(entries[0].after.channels.length, 45);
});

test("a new member starts with the organization's default settings", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const changed = await chat.as("desdemona").patch("/realm/user_settings_defaults", { enter_sends: true });
  assert.equal(changed.status, 200, changed.msg);
  const ann = await joined(chat, await linkOf(chat, "desdemona"), "ann");
  const { user_settings } = await as(chat, ann)("POST", "/register", {
    client_capabilities: { user_settings_object: true },
  });
  assert.equal(user_settings.enter_sends, true);
});

test("administrators customize the welcome text", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const members = systemGroup(chat, "role:members");
  await set(chat, { create_multiuse_invite_group: { new: members }, welcome_message_custom_text: "**Ahoy.**" });
  const welcome = async (by: string, text: unknown, name: string) => {
    const token = await linkOf(chat, by, text === undefined ? {} : { welcome_message_custom_text: text });
    return directMessages(chat, await joined(chat, token, name));
  };
  assert.deepEqual(await welcome("iago", undefined, "ann"), ["**Ahoy.**"]);
  assert.deepEqual(await welcome("iago", null, "bo"), ["**Ahoy.**"]);
  assert.deepEqual(await welcome("iago", "Moin *moin*", "cy"), ["Moin *moin*"]);
  assert.deepEqual(await welcome("iago", '"In JSON"', "di"), ["In JSON"]);
  assert.deepEqual(await welcome("iago", "", "ed"), []);
  assert.deepEqual(await welcome("hamlet", "Obey hamlet", "flo"), ["**Ahoy.**"]);
  const token = await linkOf(chat, "iago", { welcome_message_custom_text: "Obey iago" });
  await chat.as("desdemona").patch(`/users/${chat.ids.iago}`, { role: 400 });
  assert.deepEqual(await directMessages(chat, await joined(chat, token, "gus")), ["**Ahoy.**"]);
  await set(chat, { welcome_message_custom_text: "" });
  assert.deepEqual(await welcome("desdemona", null, "hal"), []);
});

test("an email invitation works once", async (t) => {
  const chat = await startChat(t);
  const notifying = await linkFor(chat, "hamlet", "ann@example.org");
  const same = await linkFor(chat, "iago", "ANN@example.org");
  const silent = await linkFor(chat, "hamlet", "bo@example.org", { notify_referrer_on_join: false });
  const [iago, hamlet, othello] = [
    await chat.register("iago"),
    await chat.register("hamlet"),
    await chat.register("othello"),
  ];
  assert.equal((await chat.anonymous("POST", "/host/join/open", { token: notifying })).email, "ann@example.org");
  const other = await join(chat, notifying, "eve");
  assert.deepEqual([other.status, other.code, other.var_name], [400, "BAD_REQUEST", "email"]);
  const ann = await joined(chat, notifying, "ann", { email: "Ann@Example.org" });
  const messages = (await hamlet.events()).filter(({ type }) => type === "message");
  assert.deepEqual(
    messages.map(({ message }) => message.content.replace(/<.*?>/g, "")),
    ["Ann accepted your invitation."],
  );
  assert.ok(types(await iago.events()).includes("invites_changed"));
  assert.ok(!types(await othello.events()).includes("invites_changed"));
  for (const token of [notifying, same]) await assertVoid(chat, token);
  assert.ok(ann.api_key);
  await joined(chat, silent, "bo", { email: "bo@example.org" });
  assert.ok(!types(await hamlet.events()).includes("message"));
  assert.deepEqual((await chat.as("iago").get("/invites")).invites, []);
});

test("skips grants that the inviter has lost", async (t) => {
  const chat = await startChat(t, {
    channels: [general, secret, { name: "old" }],
    users: { emilia: {} },
  });
  const { general: open, secret: hidden, old } = chat.ids;
  await set(chat, { create_multiuse_invite_group: { new: systemGroup(chat, "role:members") } });
  const group = async (name: string, by: string, more: Params = {}) =>
    (await chat.as(by).post("/user_groups/create", { name, description: "", members: [], ...more })).group_id as number;
  const everyones = systemGroup(chat, "role:members");
  const kept = await group("kept", "emilia");
  const lost = await group("lost", "iago", { can_add_members_group: everyones });
  const gone = await group("gone", "emilia");
  await chat
    .as("iago")
    .post("/users/me/subscriptions", { subscriptions: [{ name: "secret" }], principals: [chat.ids.emilia] });
  const grants = { stream_ids: [open, hidden, old], group_ids: [kept, lost, gone] };
  const token = await linkOf(chat, "emilia", grants);
  const before = await joined(chat, token, "ann");
  assert.deepEqual(await channelsOf(chat, before), ["general", "old", "secret"]);
  const groupsOf = async ({ user_id }: Body) => {
    const ids = [];
    for (const id of grants.group_ids)
      if ((await chat.as("iago").get(`/user_groups/${id}/members/${user_id}`)).is_user_group_member) ids.push(id);
    return ids;
  };
  assert.deepEqual(await groupsOf(before), [kept, lost, gone]);

  await chat.as("iago").delete("/users/me/subscriptions", { subscriptions: ["secret"], principals: [chat.ids.emilia] });
  await chat.as("desdemona").delete(`/streams/${old}`);
  const nobody = systemGroup(chat, "role:nobody");
  const closed = await chat.as("iago").patch(`/user_groups/${lost}`, { can_add_members_group: { new: nobody } });
  assert.equal(closed.status, 200, closed.msg);
  assert.equal((await chat.as("emilia").post(`/user_groups/${gone}/deactivate`)).status, 200);
  const after = await joined(chat, token, "bo");
  assert.deepEqual(await channelsOf(chat, after), ["general"]);
  assert.deepEqual(await groupsOf(after), [kept]);
  await set(chat, { can_add_subscribers_group: { new: systemGroup(chat, "role:moderators") } });
  assert.deepEqual(await channelsOf(chat, await joined(chat, token, "cy")), []);
});

test("a link requires its creator's current permission", async (t) => {
  const chat = await startChat(t, { users: { emilia: { role: 200 } }, unwatched: true });
  await set(chat, { create_multiuse_invite_group: { new: systemGroup(chat, "role:moderators") } });
  const [admins, members] = [
    await linkOf(chat, "emilia", { invite_as: 200 }),
    await linkOf(chat, "emilia", { invite_as: 400 }),
  ];
  const mail = await linkFor(chat, "emilia", "ann@example.org");
  const opens = async (token: string) => (await chat.anonymous("POST", "/host/join/open", { token })).status === 200;
  const role = (to: number) => chat.as("desdemona").patch(`/users/${chat.ids.emilia}`, { role: to });
  for (const token of [admins, members, mail]) assert.ok(await opens(token));
  await role(300);
  await assertVoid(chat, admins);
  assert.ok(await opens(members));
  await role(400);
  await assertVoid(chat, members);
  assert.ok(await opens(mail));
  await role(600);
  await assertVoid(chat, mail);
  for (const token of ["", "x", "a".repeat(43), `${mail.slice(0, -1)}?`, "__proto__"]) {
    const answer = await chat.anonymous("POST", "/host/join/open", { token });
    assert.deepEqual([answer.status, answer.var_name], [404, "token"], token);
  }
  await role(200);
  for (const token of [admins, members, mail]) await assertVoid(chat, token);
  assert.deepEqual((await chat.as("emilia").get("/invites")).invites, [], "promotion brings none of them back");
  const fresh = await linkOf(chat, "emilia");
  assert.ok(await opens(fresh));
  await chat.as("desdemona").patch("/host/settings", { ORGANIZATION_DEACTIVATED: true });
  assert.ok(!(await opens(fresh)));
});

test("an invalid name, email address or password creates no account", async (t) => {
  const chat = await startChat(t);
  await set(chat, { require_unique_names: true });
  const token = await linkOf(chat, "desdemona");
  const emailHost = organizationSetting(chat.server.app.store.reader, "email_host");
  const people = (await chat.as("iago").get("/users")).members.length;
  const refused = async (params: Params) => {
    const answer = await join(chat, token, "ann", params);
    assert.equal(answer.status, 400, JSON.stringify(params));
    return [answer.code, answer.var_name];
  };
  for (const full_name of ["", "A", "x".repeat(101), "A*B", "hamlet"])
    assert.deepEqual(await refused({ full_name }), ["BAD_REQUEST", "full_name"]);
  for (const email of ["", "ann", "ann@", "HAMLET@example.com", "ann@mailinator.com", `user7@${emailHost}`])
    assert.deepEqual((await refused({ email }))[1], "email", email);
  for (const password of ["", "short", "x".repeat(101), "password", "ann@example.com"])
    assert.deepEqual(await refused({ password }), ["BAD_REQUEST", "password"]);
  assert.equal((await join(chat, token, "hamlet", { full_name: "Another" })).reason, "email_taken");
  for (const missing of ["token", "full_name", "email", "password"]) {
    const answer = await join(chat, token, "ann", { [missing]: undefined });
    assert.deepEqual([answer.code, answer.var_name], ["REQUEST_VARIABLE_MISSING", missing]);
  }
  await chat.as("desdemona").post("/realm/domains", { domain: "example.org", allow_subdomains: false });
  await set(chat, { emails_restricted_to_domains: true });
  assert.deepEqual(await refused({}), ["BAD_REQUEST", "email"]);
  assert.equal((await chat.as("iago").get("/users")).members.length, people);
  await joined(chat, token, "ann", { email: "ann@example.org" });
});

test("an invalid link does not reveal registered email addresses", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const [taken, free] = [await join(chat, "a".repeat(43), "hamlet"), await join(chat, "a".repeat(43), "ann")];
  assert.deepEqual(taken, free);
  assert.equal(taken.status, 404);
});

test("the inviter's name can be hidden", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const guests = await linkOf(chat, "iago", { invite_as: 600 });
  const members = await linkOf(chat, "iago");
  const inviterOf = async (token: string) => (await chat.anonymous("POST", "/host/join/open", { token })).invited_by;
  assert.equal(await inviterOf(guests), "Iago");
  await set(chat, { can_access_all_users_group: { new: systemGroup(chat, "role:members") } });
  assert.equal(await inviterOf(guests), null);
  assert.equal(await inviterOf(members), "Iago");
  assert.equal(await inviterOf(await linkFor(chat, "bot", "ann@example.org")), null, "a bot is not named");
});

test("concurrent joins with one personal invitation admit one person", async (t) => {
  const chat = await startChat(t);
  const token = await linkFor(chat, "iago", "ann@example.org");
  const both = await Promise.all(
    ["Ann", "Eve"].map((full_name) => join(chat, token, "ann", { full_name, email: "ann@example.org" })),
  );
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 404]);
});

test("a link revoked during password hashing admits nobody", async (t) => {
  const chat = await startChat(t);
  const token = await linkOf(chat, "iago");
  const [{ id }] = (await chat.as("iago").get("/invites")).invites;
  const { passwords } = chat.server.app;
  const hash = passwords.hash;
  t.mock.method(passwords, "hash", async (password: string) => {
    assert.equal((await chat.as("iago").delete(`/invites/multiuse/${id}`)).status, 200);
    return hash(password);
  });
  const answer = await join(chat, token, "ann");
  assert.deepEqual([answer.status, answer.var_name], [404, "token"]);
});

test("people join without invitations only where the organization allows it", async (t) => {
  const chat = await startChat(t, { channels: [general, { name: "other" }] });
  await chat.as("desdemona").post("/default_streams", { stream_id: chat.ids.general });
  const page = (path: string) => fetch(`${chat.url}${path}`, { redirect: "manual" });
  for (const path of ["/join", "/join/"]) assert.equal((await page(path)).headers.get("location"), "/join/open/");
  await assertVoid(chat, "open");
  await set(chat, { invite_required: false });
  assert.equal((await page("/join/open/")).status, 200);
  const opened = await chat.anonymous("POST", "/host/join/open", { token: "open" });
  assert.deepEqual([opened.status, opened.invited_by, opened.role], [200, null, 400]);
  assert.deepEqual(await channelsOf(chat, await joined(chat, "open", "ann")), ["general"]);
});

test("throttles wrong tokens and joins by IP address", async (t) => {
  let now = START;
  const chat = await startChat(t, { now: () => now, rateLimit: "on", unwatched: true });
  const token = await linkOf(chat, "desdemona");
  const open = async (one: string) => (await chat.anonymous("POST", "/host/join/open", { token: one })).status;
  assert.equal(await open("open"), 404, "and does not count");
  for (let at = 0; at < 29; at += 1) assert.equal(await open(`${at}`.padStart(43, "a")), 404);
  assert.equal((await fetch(`${chat.url}/join/${"e".repeat(43)}/`)).status, 404);
  assert.equal(await open("f".repeat(43)), 429);
  assert.equal(await open(token), 429, "a right guess must look like a wrong one");
  assert.equal((await fetch(`${chat.url}/join/${token}/`)).status, 429);
  const refused = await join(chat, token, "ann");
  assert.deepEqual([refused.status, refused.code], [429, "RATE_LIMIT_HIT"]);
  const signIn = { username: "desdemona@example.com", password: "secret-desdemona" };
  assert.equal((await chat.anonymous("POST", "/fetch_api_key", signIn)).status, 200, "existing members can sign in");
  now += 31 * MINUTE;
  assert.equal(await open(token), 200);

  const codes = new Set<unknown>();
  for (let at = 0; at < 64; at += 1) codes.add((await join(chat, token, "hamlet")).code);
  assert.deepEqual([...codes], ["BAD_REQUEST", "RATE_LIMIT_HIT"]);
});

test("a foreign page cannot open a link or join", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const token = await linkOf(chat, "desdemona");
  for (const path of ["/host/join/open", "/host/join"]) {
    const answer = await chat.anonymous("POST", path, { token }, { origin: "http://evil.example" });
    assert.deepEqual([answer.status, answer.code], [403, "BAD_ORIGIN"]);
  }
});

test("the join page's status shows whether joining works", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const token = await linkOf(chat, "desdemona");
  const page = (path: string) => fetch(`${chat.url}${path}`, { redirect: "manual" });
  const good = await page(`/join/${token}/`);
  const headers = [good.status, good.headers.get("referrer-policy"), good.headers.get("cache-control")];
  assert.deepEqual(headers, [200, "no-referrer", "no-store"]);
  assert.match(good.headers.get("content-security-policy") ?? "", /^default-src 'none'/);
  assert.ok(!(await good.text()).includes(token));
  const without = await page(`/join/${token}`);
  assert.deepEqual([without.status, without.headers.get("location")], [302, `/join/${token}/`]);
  const wrong = await page(`/join/${"a".repeat(43)}/`);
  assert.deepEqual([wrong.status, wrong.headers.get("content-type")], [404, "text/html; charset=utf-8"]);
  assert.equal((await page("/join/a%2fb")).status, 404);
});
