import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { mergeSlice, startMerge } from "../../server/api/actions/merges.ts";
import { oldestMerge } from "../../server/api/queries/merges.ts";
import { type User, userById } from "../../server/api/queries/users.ts";
import { type Body, type Chat, type Params, startChat } from "../support/chat.ts";
import { tables } from "../support/imports.ts";
import { holds } from "../support/patience.ts";
import { importSmall, removeImport } from "../support/small-import.ts";

const BY_SERVER = { actor: null, action: "test" };

/** Othello, who gets Yorick's history, has reacted like Yorick and has written to Hamlet. */
async function imported(t: TestContext) {
  const chat = await startChat(t, { unwatched: true, users: { emilia: { role: 300 } } });
  const direct = await chat
    .as("othello")
    .post("/messages", { type: "direct", to: [chat.ids["hamlet"]], content: "own" });
  const small = importSmall(chat);
  const first = (await seenBy(chat, "othello", [{ operator: "channel", operand: small.channelId }]))[0] as Body;
  await chat.as("othello").post(`/messages/${first.id}/reactions`, { emoji_name: "big_smile" });
  return { chat, ...small, ownId: direct["id"] as number, firstId: first.id as number };
}

const merge = (chat: Chat, name: string, stubId: number, into = "othello"): Promise<Body> =>
  chat.as(name).post(`/host/imported-people/${stubId}/merge`, { into: chat.ids[into] });

async function merged(chat: Chat, stubId: number): Promise<void> {
  const done = await merge(chat, "iago", stubId);
  assert.deepEqual([done.status, done["is_done"]], [200, true], done.msg);
}

async function seenBy(chat: Chat, name: string, narrow: Params[]): Promise<Body[]> {
  const range = { anchor: "newest", num_before: 20, num_after: 0 };
  return (await chat.as(name).get("/messages", { ...range, narrow }))["messages"];
}

const texts = (messages: Body[]) => messages.map(({ content }) => content.replace(/<\/?p>/g, ""));

/** Everything that clients read, which must not change at a restart. */
async function state(chat: Chat) {
  const registered = async (name: string) => {
    const { realm_users, realm_non_active_users, subscriptions, unread_msgs, recent_private_conversations } = (
      await chat.register(name)
    ).state;
    return { realm_users, realm_non_active_users, subscriptions, unread_msgs, recent_private_conversations };
  };
  const messages = await Promise.all(["othello", "hamlet"].map((name) => seenBy(chat, name, [])));
  return { othello: await registered("othello"), hamlet: await registered("hamlet"), messages, rows: tables(chat) };
}

test("a merge counts and moves messages, reactions, conversations and channels", async (t) => {
  const { chat, stubId, channelId, firstId } = await imported(t);
  const { messages, reactions, conversations, channels } = await chat.as("iago").get(`/host/imported-people/${stubId}`);
  assert.deepEqual(
    { messages, reactions, conversations, channels },
    { messages: 3, reactions: 1, conversations: 1, channels: 1 },
  );
  await merged(chat, stubId);
  const sent = await seenBy(chat, "hamlet", [{ operator: "sender", operand: chat.ids["othello"] }]);
  assert.deepEqual(texts(sent), ["own", "a fellow of infinite jest", "where be your gibes now", "direct"]);
  const { message } = await chat.as("hamlet").get(`/messages/${firstId}`);
  assert.deepEqual(
    message.reactions.map(({ user_id }: Body) => user_id).sort(),
    [chat.ids["hamlet"], chat.ids["othello"]].sort(),
  );
  const stars = await seenBy(chat, "othello", [{ operator: "is", operand: "starred" }]);
  assert.deepEqual(texts(stars), ["I knew him"]);
  const { subscriptions } = await chat.as("othello").get("/users/me/subscriptions");
  assert.ok(subscriptions.some(({ stream_id }: Body) => stream_id === channelId));
  assert.equal((await chat.as("iago").get(`/users/${stubId}`)).reason, "user_not_found");
  const [act] = (await chat.as("desdemona").get("/host/audit")).entries;
  assert.deepEqual([act.action, act.after.imported_user], ["merge imported account", stubId]);
});

test("direct messages move to the conversation with the same people", async (t) => {
  const { chat, stubId } = await imported(t);
  await merged(chat, stubId);
  const dm = await seenBy(chat, "hamlet", [{ operator: "dm", operand: [chat.ids["othello"]] }]);
  assert.deepEqual(texts(dm), ["own", "direct"]);
  const { unread_msgs } = (await chat.register("othello")).state;
  assert.equal(unread_msgs.count, 0);
});

test("a conversation without a counterpart gets the account", async (t) => {
  const { chat, stubId } = await imported(t);
  assert.equal((await merge(chat, "iago", stubId, "cordelia")).status, 200);
  const dm = await seenBy(chat, "cordelia", [{ operator: "dm", operand: [chat.ids["hamlet"]] }]);
  assert.deepEqual(texts(dm), ["direct"]);
});

test("mentions name the account", async (t) => {
  const { chat, stubId, channelId } = await imported(t);
  const { id } = await chat.as("hamlet").post("/messages", {
    type: "stream",
    to: channelId,
    topic: "Alas",
    content: `@**Yorick** @_**Yorick|${stubId}** @**Hamlet**`,
  });
  await merged(chat, stubId);
  const othello = chat.ids["othello"];
  const { raw_content, message } = await chat.as("hamlet").get(`/messages/${id}`);
  assert.equal(raw_content, `@**Othello|${othello}** @_**Othello|${othello}** @**Hamlet**`);
  assert.deepEqual(
    [...message.content.matchAll(/data-user-id="(\d+)"/g)].map(([, found]) => Number(found)),
    [othello, othello, chat.ids["hamlet"]],
  );
});

test("a merge leaves the same state as after a restart", async (t) => {
  const { chat, stubId } = await imported(t);
  await state(chat); // fills caches
  await merged(chat, stubId);
  const before = await state(chat);
  await chat.restart();
  assert.deepEqual(await state(chat), before);
});

test("an interrupted merge continues at the next start", async (t) => {
  const { chat, stubId } = await imported(t);
  const { store } = chat.server.app;
  store.transact(BY_SERVER, (tx) =>
    startMerge(tx, chat.user("iago"), { stub: stubOf(chat, stubId), into: chat.user("othello") }),
  );
  for (let slices = 0; slices < 3; slices += 1) store.transact(BY_SERVER, (tx) => mergeSlice(tx, stubId));
  await chat.restart();
  const claim = await chat.as("iago").post("/host/claim-invitations", { user_ids: [stubId] });
  assert.ok(claim.reason === "user_being_merged" || claim.reason === "user_not_found", claim.reason);
  await holds(async () => {
    await chat.runChores();
    return oldestMerge(chat.server.app.store.reader) === undefined;
  });
  const sent = await seenBy(chat, "hamlet", [{ operator: "sender", operand: chat.ids["othello"] }]);
  assert.equal(sent.length, 4);
  assert.equal((await chat.as("iago").get(`/users/${stubId}`)).reason, "user_not_found");
});

const stubOf = (chat: Chat, id: number) => userById(chat.server.app.store.reader, id) as User;

test("only administrators merge, and only owners merge owners", async (t) => {
  const { chat, stubId } = await imported(t);
  for (const name of ["emilia", "hamlet", "polonius"]) {
    assert.equal((await merge(chat, name, stubId)).status, 400, name);
    assert.equal((await chat.as(name).get(`/host/imported-people/${stubId}`)).status, 400, name);
  }
  assert.equal((await merge(chat, "iago", stubId, "desdemona")).reason, "owner_change_owners_only");
  await chat.as("desdemona").patch(`/users/${stubId}`, { role: 100 });
  assert.equal((await merge(chat, "iago", stubId)).reason, "owner_change_owners_only");
  assert.equal((await chat.as("iago").get(`/host/imported-people/${stubId}`)).reason, "owner_change_owners_only");
  assert.equal((await merge(chat, "desdemona", stubId)).status, 200);
});

test("accounts that cannot be merged are refused", async (t) => {
  const { chat, stubId } = await imported(t);
  const { hamlet, bot, othello } = chat.ids;
  const merging = (from: unknown, into: unknown) =>
    chat.as("iago").post(`/host/imported-people/${from}/merge`, { into });
  assert.equal((await merging(hamlet, othello)).reason, "user_not_imported");
  assert.equal((await merging(stubId, stubId)).reason, "merge_target_inactive");
  assert.equal((await merging(stubId, bot)).reason, "merge_target_inactive");
  assert.equal((await merging(stubId, 99_999)).var_name, "into");
  for (const into of ["x", -1, 1.5, [othello]]) assert.equal((await merging(stubId, into)).status, 400, String(into));
  assert.equal((await merging("x", othello)).status >= 400, true);
  await chat.as("iago").delete(`/users/${othello}`);
  assert.equal((await merging(stubId, othello)).reason, "merge_target_inactive");
});

test("a removal of the import keeps the account of a merge", async (t) => {
  const { chat, id, stubId, ownId } = await imported(t);
  await merged(chat, stubId);
  const sent = await chat.as("othello").post("/messages", { type: "direct", to: [chat.ids["hamlet"]], content: "new" });
  removeImport(chat, id);
  const left = await seenBy(chat, "hamlet", [{ operator: "sender", operand: chat.ids["othello"] }]);
  assert.deepEqual(
    left.map((message) => message["id"]),
    [ownId, sent["id"]],
  );
  const before = await state(chat);
  await chat.restart();
  assert.deepEqual(await state(chat), before);
});
