import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { organizationSetting } from "../../server/api/queries/organization.ts";
import { userByEmail } from "../../server/api/queries/users.ts";
import type { Transaction } from "../../server/storage/transaction.ts";
import { type Body, type Chat, type Params, startChat } from "../support/chat.ts";
import { assertVoid, join, joined, linkOf, tokenIn } from "../support/joining.ts";
import { importSmall, removeImport, writeSmallImport } from "../support/small-import.ts";

const start = (t: TestContext, options = {}) =>
  startChat(t, { unwatched: true, channels: [{ name: "rowing", subscribers: ["othello"] }], ...options });

const invite = (chat: Chat, name: string, stubId: number, params: Params = {}): Promise<Body> =>
  chat.as(name).post("/host/claim-invitations", { user_ids: [stubId], ...params });

async function claimLink(chat: Chat, name: string, stubId: number, params: Params = {}): Promise<string> {
  const made = await invite(chat, name, stubId, { welcome_message_custom_text: "", ...params });
  assert.equal(made.status, 200, made.msg);
  return tokenIn(made["invitations"][0].invite_link);
}

/** Yorick's account, which an import created. */
async function imported(t: TestContext, options = {}) {
  const chat = await start(t, options);
  return { chat, ...importSmall(chat) };
}

function calls(chat: Chat, { email, api_key }: Body) {
  const authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString("base64")}`;
  return (method: string, path: string, params: Params = {}) => chat.anonymous(method, path, params, { authorization });
}

const setRole = async (chat: Chat, id: number, role: number) =>
  assert.equal((await chat.as("desdemona").patch(`/users/${id}`, { role })).status, 200);

test("a claim activates the imported account with its history", async (t) => {
  const { chat, stubId, channelId } = await imported(t);
  await chat.as("desdemona").post("/default_streams", { stream_id: chat.ids["rowing"] });
  const token = await claimLink(chat, "iago", stubId);
  const { claims, role } = await chat.anonymous("POST", "/host/join/open", { token });
  assert.deepEqual([claims, role], [{ full_name: "Yorick", email: "yorick@example.com" }, 400]);
  const yorick = await joined(chat, token, "yorick", { full_name: "Yorick the Jester", email: "jester@example.org" });
  assert.equal(yorick["user_id"], stubId);
  const { user } = await chat.as("othello").get(`/users/${stubId}`);
  assert.deepEqual([user.full_name, user.email, user.role], ["Yorick the Jester", "jester@example.org", 400]);
  assert.deepEqual([user.is_active, user.is_imported_stub], [true, false]);
  const call = calls(chat, yorick);
  const narrow = [{ operator: "sender", operand: stubId }];
  const { messages } = await call("GET", "/messages", { anchor: "newest", num_before: 9, num_after: 0, narrow });
  assert.deepEqual(
    messages.map(({ content, flags }: Body) => [content, flags]),
    ["a fellow of infinite jest", "where be your gibes now", "direct"].map((text) => [`<p>${text}</p>`, ["read"]]),
  );
  const { subscriptions } = await call("GET", "/users/me/subscriptions");
  assert.deepEqual(
    subscriptions.map(({ stream_id }: Body) => stream_id).sort(),
    [chat.ids["rowing"], channelId].sort(),
  );
});

test("clients follow a claim by its events", async (t) => {
  const prepare = (tx: Transaction) => writeSmallImport(tx);
  const chat = await start(t, { unwatched: false, watchAll: true, channels: [], prepare });
  const stubId = userByEmail(chat.server.app.store.reader, "yorick@example.com")?.id as number;
  await chat.as("desdemona").patch("/realm/user_settings_defaults", { email_address_visibility: 3 });
  const token = await claimLink(chat, "desdemona", stubId, { invite_as: 300 });
  const hamlet = await chat.register("hamlet");
  await joined(chat, token, "yorick", { full_name: "Jester" });
  const events = (await hamlet.events()).filter(
    ({ type, person }) => type === "realm_user" && person.user_id === stubId,
  );
  assert.deepEqual(
    events.map(({ person: { user_id: _, ...change } }) => change),
    [
      { full_name: "Jester" },
      { role: 300 },
      { new_email: `user${stubId}@${organizationSetting(chat.server.app.store.reader, "email_host")}` },
      { delivery_email: null },
      { is_imported_stub: false },
      { is_active: true },
    ],
  );
});

test("a claimed person gets new messages as unread", async (t) => {
  const { chat, stubId, channelId } = await imported(t);
  const send = (content: string) =>
    chat.as("hamlet").post("/messages", { type: "stream", to: channelId, topic: "Alas", content });
  await send("before");
  const call = calls(chat, await joined(chat, await claimLink(chat, "iago", stubId), "yorick"));
  const { id } = await send("after");
  const { unread_msgs } = await call("POST", "/register");
  assert.deepEqual(unread_msgs.streams[0].unread_message_ids, [id]);
  const direct = await chat.as("hamlet").post("/messages", { type: "direct", to: [stubId], content: "welcome" });
  assert.equal((await call("POST", "/register")).unread_msgs.pms[0].unread_message_ids[0], direct["id"]);
  await chat.restart();
  assert.equal((await call("POST", "/register")).unread_msgs.count, 2);
});

test("a claim link works once, and a new one replaces it", async (t) => {
  const { chat, stubId } = await imported(t);
  const replaced = await claimLink(chat, "desdemona", stubId);
  const token = await claimLink(chat, "iago", stubId);
  await assertVoid(chat, replaced);
  await joined(chat, token, "yorick");
  await assertVoid(chat, token);
  assert.equal((await invite(chat, "iago", stubId)).reason, "user_not_imported");
  assert.deepEqual((await chat.as("iago").get("/invites")).invites, []);
});

test("only administrators create claim links, and only owners for owners", async (t) => {
  const { chat, stubId } = await imported(t, { users: { emilia: { role: 300 } } });
  for (const name of ["emilia", "hamlet", "polonius"])
    assert.equal((await invite(chat, name, stubId)).status, 400, name);
  await setRole(chat, stubId, 100);
  assert.equal((await invite(chat, "iago", stubId, { invite_as: 400 })).reason, "owner_change_owners_only");
  await setRole(chat, stubId, 400);
  assert.equal((await invite(chat, "iago", stubId, { invite_as: 100 })).reason, "invite_role_too_high");
  assert.equal((await invite(chat, "desdemona", stubId, { invite_as: 100 })).status, 200);
  assert.equal((await invite(chat, "iago", stubId)).reason, "owner_invitation_owners_only");
});

test("administrators who may not invite cannot create claim links", async (t) => {
  const { chat, stubId } = await imported(t);
  const nobody = chat.server.app.store.reader.value("SELECT id FROM user_groups WHERE name = 'role:nobody'");
  await chat.as("desdemona").patch("/realm", { can_invite_users_group: { new: nobody } });
  assert.equal((await invite(chat, "iago", stubId)).reason, "invite_not_permitted");
});

test("a claim link is void when its creator could not create it any more", async (t) => {
  const { chat, stubId } = await imported(t);
  const token = await claimLink(chat, "iago", stubId);
  await setRole(chat, stubId, 100);
  await assertVoid(chat, token);
  await setRole(chat, stubId, 400);
  assert.equal((await chat.anonymous("POST", "/host/join/open", { token })).status, 200);
  await setRole(chat, chat.ids["iago"] as number, 300);
  await assertVoid(chat, token);
  await setRole(chat, chat.ids["iago"] as number, 200);
  await assertVoid(chat, token);
});

test("a revoked claim link and one of a removed import are void", async (t) => {
  const { chat, id, stubId } = await imported(t);
  const revoked = await claimLink(chat, "iago", stubId);
  const { invites } = await chat.as("desdemona").get("/invites");
  assert.deepEqual(
    [invites[0].email, invites[0].is_multiuse, invites[0].link_url],
    ["yorick@example.com", false, undefined],
  );
  const { invitations } = await chat.as("desdemona").get("/host/invitations");
  assert.deepEqual(invitations[0].claims, { user_id: stubId, full_name: "Yorick" });
  assert.equal((await chat.as("hamlet").delete(`/invites/${invites[0].id}`)).reason, "invitation_not_found");
  assert.equal(
    (await chat.as("desdemona").post(`/invites/${invites[0].id}/resend`)).invitations[0].invite_link.includes(revoked),
    true,
  );
  assert.equal((await chat.as("desdemona").delete(`/invites/${invites[0].id}`)).status, 200);
  await assertVoid(chat, revoked);
  const token = await claimLink(chat, "iago", stubId);
  removeImport(chat, id);
  await assertVoid(chat, token);
});

test("an imported address does not claim the account", async (t) => {
  const { chat, stubId } = await imported(t);
  const token = await linkOf(chat, "iago");
  assert.equal((await join(chat, token, "yorick")).reason, "email_of_imported_person");
  const byMember = await chat.as("hamlet").post("/invites", { invitee_emails: "yorick@example.com", stream_ids: [] });
  assert.equal(byMember["problems"][0].reason, "email_of_imported_person");
  const claim = await claimLink(chat, "iago", stubId);
  assert.equal((await join(chat, claim, "hamlet")).reason, "email_taken");
  assert.equal((await join(chat, claim, "yorick", { full_name: "Y" })).reason, "name_too_short");
});

test("an imported person is not reactivated without a claim", async (t) => {
  const { chat, stubId } = await imported(t);
  const refused = await chat.as("desdemona").post(`/users/${stubId}/reactivate`);
  assert.equal(refused.reason, "imported_person_reactivation");
  await joined(chat, await claimLink(chat, "iago", stubId), "yorick");
  assert.equal((await chat.as("iago").delete(`/users/${stubId}`)).status, 200);
  assert.equal((await chat.as("iago").post(`/users/${stubId}/reactivate`)).status, 200);
});

test("removing the import keeps a claimed account and its new messages", async (t) => {
  const { chat, id, stubId, channelId } = await imported(t);
  const yorick = await joined(chat, await claimLink(chat, "iago", stubId), "yorick");
  const call = calls(chat, yorick);
  const sent = await call("POST", "/messages", { type: "direct", to: [chat.ids["hamlet"]], content: "alive" });
  removeImport(chat, id);
  assert.equal((await call("GET", "/users/me")).is_active, true);
  const narrow = [{ operator: "sender", operand: stubId }];
  const { messages } = await chat
    .as("hamlet")
    .get("/messages", { anchor: "newest", num_before: 9, num_after: 0, narrow });
  assert.deepEqual(
    messages.map(({ id: found }: Body) => found),
    [sent["id"]],
  );
  assert.equal((await chat.as("hamlet").get(`/streams/${channelId}`)).status, 400);
  await chat.restart();
  assert.equal((await call("GET", "/users/me")).is_active, true);
});

test("hostile parameters of claim invitations are refused", async (t) => {
  const { chat, stubId } = await imported(t);
  const hamlet = chat.ids["hamlet"] as number;
  const reasonOf = async (user_ids: unknown, more: Params = {}) =>
    await chat.as("iago").post("/host/claim-invitations", { user_ids, ...more });
  for (const user_ids of [[], "x", [1.5], ["1"], { a: 1 }, Array.from({ length: 251 }, (_, at) => at)])
    assert.equal((await reasonOf(user_ids)).status, 400, JSON.stringify(user_ids));
  assert.equal((await reasonOf([hamlet])).reason, "user_not_imported");
  assert.equal((await reasonOf([hamlet])).var_name, "user_ids");
  assert.equal((await reasonOf([999_999])).reason, "user_not_found");
  assert.equal((await reasonOf([stubId], { stream_ids: [999] })).reason, "invitation_channel_not_found");
  assert.equal((await reasonOf([stubId, hamlet])).status, 400);
  assert.deepEqual((await chat.as("iago").get("/invites")).invites, [], "all or none");
});
