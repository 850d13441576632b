import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join as path } from "node:path";
import test from "node:test";
import { revokeInvitationsOf } from "../../server/api/actions/invitations.ts";
import { type User, userById } from "../../server/api/queries/users.ts";
import { writeSecret } from "../../server/host/credentials/secret-key.ts";
import { reachableUrls } from "../../server/host/supervisor/listening.ts";
import { type Body, type Chat, type Params, startChat } from "../support/chat.ts";
import { assertVoid, joined, linkFor, linkOf, tokenIn } from "../support/joining.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const START = 1_800_000_000_000;
const general = { name: "general", subscribers: ["hamlet", "iago"] };
const secret = { name: "secret", private: true, subscribers: ["iago"] };

const refusal = ({ status, code, msg }: Body) => [status, code, msg];
const invitationsOf = async (chat: Chat, name: string): Promise<Params[]> =>
  (await chat.as(name).get("/invites")).invites;
const types = (events: { type: string }[]) => events.map(({ type }) => type);

async function give(chat: Chat, setting: string, group: string): Promise<void> {
  const id = chat.server.app.store.reader.value<number>("SELECT id FROM user_groups WHERE name = ?", group);
  const changed = await chat.as("desdemona").patch("/realm", { [setting]: { new: id } });
  assert.equal(changed.status, 200, changed.msg);
}

test("a reusable link is listed until it expires", async (t) => {
  let now = START;
  const chat = await startChat(t, { channels: [general], now: () => now });
  const [owner, iago, hamlet] = [
    await chat.register("desdemona"),
    await chat.register("iago"),
    await chat.register("hamlet"),
  ];
  const made = await chat.as("iago").post("/invites/multiuse", { invite_expires_in_minutes: 5, invite_as: 600 });
  assert.equal(made.status, 200, made.msg);
  assert.ok(made.invite_link.startsWith(`${chat.url}/join/`));
  const byDefault = await linkOf(chat, "iago");
  const lasting = await linkOf(chat, "desdemona", { invite_expires_in_minutes: null, invite_as: 100 });
  const listed = (id: number, more: object) => ({
    id,
    invited_by_user_id: chat.ids.iago,
    invited: START / 1000,
    expiry_date: START / 1000 + 14_400 * 60,
    invited_as: 400,
    notify_referrer_on_join: false,
    is_multiuse: true,
    ...more,
  });
  const link = (token: string) => ({ link_url: `${chat.url}/join/${token}/` });
  const guests = listed(1, { invited_as: 600, expiry_date: START / 1000 + 300, link_url: made.invite_link });
  const members = listed(2, link(byDefault));
  const owners = listed(3, { invited_by_user_id: chat.ids.desdemona, invited_as: 100, expiry_date: null });
  assert.deepEqual(await invitationsOf(chat, "desdemona"), [guests, members, { ...owners, ...link(lasting) }]);
  // An administrator does not see the link of an invitation for owners.
  assert.deepEqual(await invitationsOf(chat, "iago"), [guests, members, owners]);
  assert.deepEqual(await invitationsOf(chat, "hamlet"), []);
  assert.deepEqual(types(await owner.events()), ["invites_changed", "invites_changed", "invites_changed"]);
  assert.deepEqual(types(await iago.events()), ["invites_changed", "invites_changed", "invites_changed"]);
  assert.deepEqual(await hamlet.events(), []);

  now += 5 * MINUTE - 1;
  assert.equal((await chat.anonymous("POST", "/host/join/open", { token: tokenIn(made.invite_link) })).status, 200);
  now += 1;
  await assertVoid(chat, tokenIn(made.invite_link));
  assert.deepEqual(await invitationsOf(chat, "iago"), [members, owners]);
  assert.deepEqual(refusal(await chat.as("iago").delete("/invites/multiuse/1")), [
    400,
    "BAD_REQUEST",
    "No such invitation.",
  ]);
  chat.server.runChores();
  await chat.server.app.store.durable();
  assert.deepEqual(types(await iago.events()), ["invites_changed"]);
  assert.deepEqual(await hamlet.events(), []);
});

test("a link without a duration uses the server's setting", async (t) => {
  let now = START;
  const chat = await startChat(t, { now: () => now, unwatched: true });
  const changed = await chat.as("desdemona").patch("/host/settings", { INVITATION_LINK_VALIDITY_MINUTES: 60 });
  assert.equal(changed.status, 200, changed.msg);
  const link = await linkOf(chat, "desdemona");
  const mail = await linkFor(chat, "desdemona", "ann@example.com");
  const lasting = await linkOf(chat, "desdemona", { invite_expires_in_minutes: null });
  const times = (await invitationsOf(chat, "desdemona")).map(({ expiry_date }) => expiry_date);
  assert.deepEqual(times, [START / 1000 + 3600, START / 1000 + 3600, null]);
  for (const minutes of [0, -1, 1.5, "soon", 1e12, true]) {
    const answer = await chat.as("desdemona").post("/invites/multiuse", { invite_expires_in_minutes: minutes });
    assert.deepEqual([answer.status, answer.code], [400, "BAD_REQUEST"], String(minutes));
    assert.match(answer.msg, /invite_expires_in_minutes/);
  }
  assert.equal((await invitationsOf(chat, "desdemona")).length, 3);
  now += 60 * MINUTE;
  for (const token of [link, mail]) await assertVoid(chat, token);
  now += 1000 * DAY;
  assert.equal((await chat.anonymous("POST", "/host/join/open", { token: lasting })).status, 200);
});

test("the organization's permissions decide who invites, never guests", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const link = (name: string) => chat.as(name).post("/invites/multiuse");
  const mail = (name: string, email: string) =>
    chat.as(name).post("/invites", { invitee_emails: email, stream_ids: [] });
  const refused = [400, "BAD_REQUEST", "You don't have permission to invite people."];
  assert.deepEqual(refusal(await link("hamlet")), refused);
  assert.deepEqual(refusal(await link("bot")), refused, "a bot has its owner's permissions");
  assert.equal((await mail("hamlet", "ann@example.com")).status, 200);
  for (const answer of [
    await link("polonius"),
    await mail("polonius", "bo@example.com"),
    await chat.as("polonius").get("/invites"),
  ])
    assert.deepEqual(refusal(answer), [400, "BAD_REQUEST", "Guests cannot do this."]);
  assert.equal((await chat.anonymous("POST", "/invites/multiuse")).status, 401);
  await give(chat, "create_multiuse_invite_group", "role:members");
  await give(chat, "can_invite_users_group", "role:moderators");
  assert.equal((await link("hamlet")).status, 200);
  assert.deepEqual(refusal(await mail("hamlet", "cy@example.com")), refused);
  assert.equal((await invitationsOf(chat, "desdemona")).length, 2);
});

test("rejects invitations to a role above the inviter's", async (t) => {
  const chat = await startChat(t, { users: { emilia: { role: 300 } } });
  await give(chat, "create_multiuse_invite_group", "role:members");
  for (const [name, least] of [
    ["desdemona", 100],
    ["iago", 200],
    ["emilia", 300],
    ["hamlet", 400],
  ] as const) {
    for (const invite_as of [100, 200, 300, 400, 600]) {
      const answers = [
        await chat.as(name).post("/invites/multiuse", { invite_as }),
        await chat
          .as(name)
          .post("/invites", { invitee_emails: `${name}${invite_as}@example.org`, stream_ids: [], invite_as }),
      ];
      for (const answer of answers) {
        if (invite_as >= least) assert.equal(answer.status, 200, answer.msg);
        else
          assert.deepEqual(refusal(answer), [
            400,
            "BAD_REQUEST",
            "You don't have permission to invite people to a role above your own.",
          ]);
      }
    }
  }
  for (const invite_as of [0, 500, "owner"])
    assert.equal((await chat.as("desdemona").post("/invites/multiuse", { invite_as })).status, 400);
});

test("an invitation cannot exceed its creator's channels", async (t) => {
  const chat = await startChat(t, { channels: [general, secret, { name: "old", subscribers: ["hamlet"] }] });
  await give(chat, "create_multiuse_invite_group", "role:members");
  const { general: open, secret: hidden, old } = chat.ids;
  assert.equal((await chat.as("desdemona").delete(`/streams/${old}`)).status, 200);
  const invite = async (name: string, stream_ids: unknown) => {
    const link = await chat.as(name).post("/invites/multiuse", { stream_ids });
    const mail = await chat.as(name).post("/invites", { invitee_emails: "ann@example.org", stream_ids });
    assert.deepEqual(refusal(link), refusal(mail));
    return refusal(link);
  };
  const invalid = (id: number | undefined) => [
    400,
    "BAD_REQUEST",
    `Invalid channel ID in stream_ids: ${id}. No one was invited.`,
  ];
  assert.equal((await invite("hamlet", [open, open]))[0], 200);
  for (const id of [hidden, old, 999, -1]) assert.deepEqual(await invite("hamlet", [open, id]), invalid(id));
  assert.equal((await invite("iago", [hidden]))[0], 200);
  for (const bad of ["general", open, ["general"]]) assert.equal((await invite("hamlet", bad))[0], 400);

  await give(chat, "can_add_subscribers_group", "role:moderators");
  assert.equal((await chat.as("desdemona").post("/default_streams", { stream_id: open })).status, 200);
  const forbidden = [400, "BAD_REQUEST", "You don't have permission to subscribe others to the channel general."];
  assert.deepEqual(await invite("hamlet", [open]), forbidden);
  assert.equal((await invite("hamlet", []))[0], 200);
  assert.equal(
    (await chat.as("hamlet").post("/invites", { invitee_emails: "x@example.org" })).code,
    "REQUEST_VARIABLE_MISSING",
  );
});

test("an invitation cannot exceed its creator's groups", async (t) => {
  const chat = await startChat(t);
  await give(chat, "create_multiuse_invite_group", "role:members");
  const group = async (name: string, by: string, more: Params = {}) =>
    (await chat.as(by).post("/user_groups/create", { name, description: "", members: [], ...more })).group_id as number;
  const own = await group("own", "hamlet");
  const others = await group("others", "iago");
  const everyones = chat.server.app.store.reader.value<number>(
    "SELECT id FROM user_groups WHERE name = 'role:members'",
  );
  const open = await group("open", "iago", { can_add_members_group: everyones });
  const gone = await group("gone", "hamlet");
  assert.equal((await chat.as("hamlet").post(`/user_groups/${gone}/deactivate`)).status, 200);
  const invite = (group_ids: number[]) => chat.as("hamlet").post("/invites/multiuse", { group_ids });
  assert.equal((await invite([own, open, own])).status, 200);
  for (const id of [others, gone, everyones, 999]) {
    const answer = await invite([own, id as number]);
    assert.deepEqual([answer.status, answer.code, answer.var_name], [400, "BAD_REQUEST", "group_ids"], String(id));
  }
  assert.equal((await invitationsOf(chat, "hamlet")).length, 1);
});

test("a welcome text has a length limit", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const invite = async (name: string, welcome_message_custom_text: unknown) => {
    const answer = await chat.as(name).post("/invites/multiuse", { welcome_message_custom_text });
    return [answer.status, answer.var_name];
  };
  assert.deepEqual(await invite("iago", "𝄞".repeat(8000)), [200, undefined]);
  for (const length of [8001, 20_000])
    assert.deepEqual(await invite("iago", "x".repeat(length)), [400, "welcome_message_custom_text"]);
});

test("creators and administrators revoke links, but only owners revoke owners' links", async (t) => {
  const chat = await startChat(t);
  await give(chat, "create_multiuse_invite_group", "role:members");
  const [iago, othello] = [await chat.register("iago"), await chat.register("othello")];
  const mine = await linkOf(chat, "hamlet");
  const theirs = await linkOf(chat, "hamlet");
  const owners = await linkOf(chat, "desdemona", { invite_as: 100 });
  const mail = await linkFor(chat, "hamlet", "ann@example.org");
  const [one, two, three, four] = (await invitationsOf(chat, "iago")).map(({ id }) => id);
  const none = [400, "BAD_REQUEST", "No such invitation."];
  for (const answer of [
    await chat.as("othello").delete(`/invites/multiuse/${one}`),
    await chat.as("othello").delete("/invites/multiuse/999"),
    await chat.as("othello").delete(`/invites/${four}`),
    await chat.as("othello").post(`/invites/${four}/resend`),
    // Each kind of invitation has its own endpoint.
    await chat.as("hamlet").delete(`/invites/multiuse/${four}`),
    await chat.as("hamlet").delete(`/invites/${one}`),
    await chat.as("hamlet").post(`/invites/${one}/resend`),
  ])
    assert.deepEqual(refusal(answer), none);
  const ofOwner = await chat.as("iago").delete(`/invites/multiuse/${three}`);
  assert.equal(ofOwner.reason, "owner_invitation_owners_only");
  assert.equal((await chat.as("polonius").delete(`/invites/multiuse/${one}`)).status, 400);
  assert.equal((await invitationsOf(chat, "desdemona")).length, 4);
  await iago.events();

  assert.equal((await chat.as("hamlet").delete(`/invites/multiuse/${one}`)).status, 200);
  assert.equal((await chat.as("iago").delete(`/invites/multiuse/${two}`)).status, 200);
  assert.equal((await chat.as("desdemona").delete(`/invites/multiuse/${three}`)).status, 200);
  assert.equal((await chat.as("iago").delete(`/invites/${four}`)).status, 200);
  for (const token of [mine, theirs, owners, mail]) await assertVoid(chat, token);
  assert.deepEqual(await invitationsOf(chat, "desdemona"), []);
  assert.deepEqual(types(await iago.events()), Array(4).fill("invites_changed"));
  assert.deepEqual(await othello.events(), []);
  const { entries } = await chat.as("desdemona").get("/host/audit");
  const actions = (entries as { action: string }[]).map(({ action }) => action);
  assert.equal(actions.filter((action) => action === "revoke invitation").length, 4);
  assert.equal(actions.filter((action) => action === "create invitation link").length, 3);
});

test("each invited email address gets its own link without mail", async (t) => {
  const chat = await startChat(t, { now: () => START });
  const invitee_emails = "Ann <ann@example.org>, bo@example.org\nANN@example.org,\n";
  const made = await chat
    .as("hamlet")
    .post("/invites", { invitee_emails, stream_ids: [], notify_referrer_on_join: false });
  assert.deepEqual([made.status, made.emails_sent], [200, false]);
  assert.deepEqual(
    made.invitations.map(({ email }: Params) => email),
    ["ann@example.org", "bo@example.org"],
  );
  const [ann, bo] = made.invitations.map(({ invite_link }: { invite_link: string }) => tokenIn(invite_link));
  assert.notEqual(ann, bo);
  const listed = await invitationsOf(chat, "hamlet");
  assert.deepEqual(listed[0], {
    id: 1,
    invited_by_user_id: chat.ids.hamlet,
    invited: START / 1000,
    expiry_date: START / 1000 + 14_400 * 60,
    invited_as: 400,
    email: "ann@example.org",
    notify_referrer_on_join: false,
    is_multiuse: false,
  });
  const again = await chat.as("iago").post("/invites/1/resend");
  assert.deepEqual([again.status, again.emails_sent, again.invitations], [200, false, [made.invitations[0]]]);

  // A newer invitation replaces the same inviter's older one, but not another's.
  const newer = await linkFor(chat, "hamlet", "Ann@example.org");
  await assertVoid(chat, ann);
  await linkFor(chat, "iago", "ann@example.org");
  assert.equal((await chat.anonymous("POST", "/host/join/open", { token: newer })).email, "Ann@example.org");
  assert.equal((await invitationsOf(chat, "iago")).length, 3);
  for (const nobody of ["", " ,\n, "]) {
    const answer = await chat.as("hamlet").post("/invites", { invitee_emails: nobody, stream_ids: [] });
    assert.deepEqual([answer.status, answer.code, answer.var_name], [400, "BAD_REQUEST", "invitee_emails"]);
  }
});

test("email addresses that cannot be invited are listed, the others are invited", async (t) => {
  const chat = await startChat(t, { users: { emilia: {} } });
  assert.equal((await chat.as("desdemona").delete(`/users/${chat.ids.othello}`)).status, 200);
  const invite = (emails: string) => chat.as("hamlet").post("/invites", { invitee_emails: emails, stream_ids: [] });
  const some = await invite("ann@example.org, IAGO@example.com, othello@example.com, nonsense, x@mailinator.com");
  assert.deepEqual([some.status, some.code], [400, "INVITATION_FAILED"]);
  assert.deepEqual(
    some.errors.map(([email, reason, deactivated]: unknown[]) => [email, typeof reason, deactivated]),
    [
      ["IAGO@example.com", "string", false],
      ["othello@example.com", "string", true],
      ["nonsense", "string", false],
      ["x@mailinator.com", "string", false],
    ],
  );
  const { sent_invitations, daily_limit_reached, license_limit_reached } = some;
  assert.deepEqual(
    { sent_invitations, daily_limit_reached, license_limit_reached },
    {
      sent_invitations: true,
      daily_limit_reached: false,
      license_limit_reached: false,
    },
  );
  assert.deepEqual(
    some.invitations.map(({ email }: Params) => email),
    ["ann@example.org"],
  );
  const none = await invite("iago@example.com");
  assert.deepEqual([none.code, none.sent_invitations, none.invitations], ["INVITATION_FAILED", false, []]);

  await joined(chat, tokenIn(some.invitations[0].invite_link), "ann", { email: "ann@example.org" });
  assert.deepEqual(await invitationsOf(chat, "hamlet"), []);
  const cy = await linkFor(chat, "hamlet", "cy@example.org");
  const added = { email: "cy@example.org", full_name: "Cy", password: "three unrelated words" };
  assert.equal((await chat.as("desdemona").post("/users", added)).status, 200);
  await assertVoid(chat, cy);
  await linkFor(chat, "hamlet", "bo@example.org");
  const [{ id } = { id: 0 }] = await invitationsOf(chat, "hamlet");
  const renamed = await chat.as("desdemona").patch(`/users/${chat.ids.emilia}`, { new_email: "bo@example.org" });
  assert.equal(renamed.status, 200, renamed.msg);
  const resent = await chat.as("hamlet").post(`/invites/${id}/resend`);
  assert.deepEqual([resent.status, resent.code], [400, "INVITATION_FAILED"], resent.msg);
  assert.deepEqual([resent.errors[0][0], resent.sent_invitations], ["bo@example.org", false]);
});

test("the limit of a hundred invitations a day includes revoked ones", async (t) => {
  let now = START;
  const chat = await startChat(t, { now: () => now, unwatched: true });
  const many = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => `p${from + at}@example.org`).join();
  const invite = (emails: string) => chat.as("hamlet").post("/invites", { invitee_emails: emails, stream_ids: [] });
  assert.equal((await invite(many(0, 99))).status, 200);
  assert.equal((await chat.as("hamlet").delete("/invites/1")).status, 200);
  const refused = await invite(many(100, 2));
  assert.deepEqual(
    [refused.status, refused.code, refused.daily_limit_reached, refused.sent_invitations],
    [400, "INVITATION_FAILED", true, false],
  );
  assert.equal((await invitationsOf(chat, "hamlet")).length, 98);
  assert.equal((await invite(many(100, 1))).status, 200);
  now += DAY + 1;
  chat.server.runChores();
  assert.equal((await invite(many(200, 2))).status, 200);
  // Probing for existing addresses also hits the limit, and that response reveals none.
  for (let at = 0; at < 49; at++) assert.equal((await invite("iago@example.com,othello@example.com")).errors.length, 2);
  const ended = await invite("iago@example.com");
  assert.deepEqual([ended.code, ended.daily_limit_reached, ended.errors], ["INVITATION_FAILED", true, []]);
});

test("deactivation permanently revokes a user's invitations", async (t) => {
  const chat = await startChat(t, { users: { emilia: {} } });
  const [admin, emilia] = [await chat.register("iago"), await chat.register("emilia")];
  const token = await linkFor(chat, "othello", "ann@example.org");
  const other = await linkOf(chat, "iago");
  await admin.events();
  const { store } = chat.server.app;
  store.transact({ actor: null, action: "test" }, (tx) => {
    revokeInvitationsOf(tx, userById(tx, chat.ids.othello as number) as User);
    revokeInvitationsOf(tx, userById(tx, chat.ids.emilia as number) as User);
  });
  await store.durable();
  assert.deepEqual(types(await admin.events()), ["invites_changed"]);
  assert.deepEqual(await emilia.events(), []);
  await assertVoid(chat, token);
  const again = await linkFor(chat, "othello", "ann@example.org");
  assert.equal((await chat.as("desdemona").delete(`/users/${chat.ids.othello}`)).status, 200);
  await assertVoid(chat, again);
  assert.equal((await chat.as("desdemona").post(`/users/${chat.ids.othello}/reactivate`)).status, 200);
  await assertVoid(chat, again);
  assert.equal((await chat.anonymous("POST", "/host/join/open", { token: other })).status, 200);
});

test("tokens are never stored, and depend on the secret", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const token = await linkOf(chat, "desdemona");
  assert.ok(Buffer.from(token, "base64url").length >= 16);
  await chat.restart(); // a restart writes the log's contents into the database file
  const everything = readdirSync(chat.folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  assert.ok(everything.some(({ name }) => name === "hearth.db"));
  for (const file of everything)
    assert.ok(!readFileSync(path(file.parentPath, file.name)).includes(token), `${file.name} holds the token`);
  assert.equal((await chat.anonymous("POST", "/host/join/open", { token })).status, 200);
  writeSecret(chat.folder, randomBytes(32));
  await chat.restart();
  await assertVoid(chat, token);
});

test("lists hide links that the reader could not create", async (t) => {
  const chat = await startChat(t, { channels: [general, secret], unwatched: true });
  const { general: open, secret: hidden } = chat.ids;
  const { group_id } = await chat
    .as("iago")
    .post("/user_groups/create", { name: "crew", description: "", members: [] });
  await linkOf(chat, "iago", { stream_ids: [open] });
  await linkOf(chat, "iago", { stream_ids: [open, hidden] });
  const mail = { stream_ids: [hidden] };
  await linkFor(chat, "iago", "ann@example.org", mail);
  await linkFor(chat, "iago", "bo@example.org", { group_ids: [group_id] });
  const links = async (name: string) => (await invitationsOf(chat, name)).map(({ link_url }) => typeof link_url);
  assert.deepEqual(await links("iago"), ["string", "string", "undefined", "undefined"]);
  assert.deepEqual(await links("desdemona"), ["string", "undefined", "undefined", "undefined"]);
  const resend = async (name: string, id: number) => (await chat.as(name).post(`/invites/${id}/resend`)).status;
  assert.deepEqual(
    [await resend("iago", 3), await resend("desdemona", 3), await resend("desdemona", 4)],
    [200, 400, 200],
  );
});

test("links from the desktop app use a reachable URL", async (t) => {
  const chat = await startChat(t, { host: "0.0.0.0", unwatched: true });
  const { port } = new URL(chat.url);
  const { email, key } = chat.as("desdemona");
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
  const made = async (name: string) => {
    const response = await fetch(`http://${name}:${port}/api/v1/invites/multiuse`, {
      method: "POST",
      headers: { authorization },
    });
    return new URL(((await response.json()) as { invite_link: string }).invite_link).origin;
  };
  const [others] = reachableUrls({ host: "0.0.0.0", port: Number(port) });
  assert.equal(await made("127.0.0.1"), others?.url ?? `http://127.0.0.1:${port}`);
  if (others) assert.equal(await made(new URL(others.url).hostname), others.url);
});

test("lists who joined by an invitation to permitted users", async (t) => {
  let now = START;
  const shared = { ...secret, subscribers: ["iago", "hamlet"] };
  const chat = await startChat(t, { channels: [general, shared], now: () => now, users: { moderator: { role: 300 } } });
  const details = async (name: string) => (await chat.as(name).get("/host/invitations")).invitations;
  await give(chat, "create_multiuse_invite_group", "role:members");
  const { general: open, secret: hidden } = chat.ids;
  const byIago = await linkOf(chat, "iago", {
    stream_ids: [open, hidden],
    include_realm_default_subscriptions: true,
    invite_expires_in_minutes: 5,
  });
  const byHamlet = await linkOf(chat, "hamlet", { stream_ids: [open, hidden] });
  await chat.as("hamlet").delete("/users/me/subscriptions", { subscriptions: ["secret"] });
  for (const name of ["ann", "bea", "cyd", "dot", "eve", "fay"]) {
    now += 1000;
    await joined(chat, byIago, name);
  }
  await joined(chat, byHamlet, "gus");
  const [first, second] = await details("desdemona");
  assert.deepEqual([first.id, first.invited_by, first.joined], [1, "Iago", 6]);
  assert.deepEqual(
    first.newest.map(({ full_name, joined_at }: Params) => [full_name, joined_at]),
    ["Fay", "Eve", "Dot", "Cyd", "Bea"].map((name, at) => [name, START + (6 - at) * 1000]),
  );
  assert.deepEqual([first.stream_ids, first.default_channels], [[open, hidden], true]);
  assert.deepEqual([second.invited_by, second.joined, second.newest[0].full_name], ["Hamlet", 1, "Gus"]);
  assert.deepEqual([second.stream_ids, second.default_channels], [[open, hidden], false]);
  // Members see only their own invitations, and no channel that they left.
  assert.deepEqual(await details("hamlet"), [{ ...second, stream_ids: [open] }]);
  assert.deepEqual(await details("moderator"), []);
  assert.equal((await chat.as("polonius").get("/host/invitations")).status, 400);
  assert.equal((await chat.as("bot").get("/host/invitations")).status, 400);
  now += 5 * MINUTE; // too short to end an event queue
  assert.deepEqual(await details("desdemona"), [second], "the other has expired");
});
