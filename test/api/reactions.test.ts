import assert from "node:assert/strict";
import test from "node:test";
import { addCustomEmoji, deactivateCustomEmoji } from "../../server/api/actions/emoji.ts";
import { type CustomEmoji, customEmojiByName } from "../../server/api/queries/emoji.ts";
import type { User } from "../../server/api/queries/users.ts";
import { improveIndex } from "../../server/search/indexing.ts";
import type { Reader, Transaction } from "../../server/storage/transaction.ts";
import { type Body, type Chat, type Params, startChat } from "../support/chat.ts";

const general = { name: "general", subscribers: ["hamlet", "othello"] };
const channelMessage = { type: "channel", to: "general", topic: "lunch", content: "x" };
const THUMB = { emoji_name: "+1", emoji_code: "1f44d", reaction_type: "unicode_emoji" };

const sendTo = async (chat: Chat, name: string, params: Params = {}): Promise<number> =>
  (await chat.as(name).post("/messages", { ...channelMessage, ...params })).id;
const react = (chat: Chat, name: string, id: number, params: Params) =>
  chat.as(name).post(`/messages/${id}/reactions`, params);
const takeBack = (chat: Chat, name: string, id: number, params: Params) =>
  chat.as(name).delete(`/messages/${id}/reactions`, params);
const reactionsTo = async (chat: Chat, name: string, id: number) =>
  (await chat.as(name).get(`/messages/${id}`)).message.reactions;
const withoutId = ({ id: _id, ...event }: Record<string, unknown>) => event;

const byOwner = (chat: Chat, change: (tx: Transaction, owner: User) => void): void =>
  chat.server.app.store.transact({ actor: null, action: "test" }, (tx) => change(tx, chat.user("desdemona")));

/** Adds a custom emoji without a real picture and returns its code. */
function customEmoji(chat: Chat, name: string): string {
  const picture = { kind: "emoji" as const, name, size: 0, sha256: "" };
  byOwner(chat, (tx, owner) => addCustomEmoji(tx, owner, { name, picture, extension: "png", still: null }));
  return String(customEmojiByName(chat.server.app.store.reader, name)?.id);
}

const deactivateEmoji = (chat: Chat, name: string): void =>
  byOwner(chat, (tx, owner) => deactivateCustomEmoji(tx, owner, customEmojiByName(tx, name) as CustomEmoji));

test("a reaction reaches the message's readers until its removal", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const id = await sendTo(chat, "hamlet");
  assert.deepEqual(await reactionsTo(chat, "othello", id), []);
  const [sender, reader, guest] = [
    await chat.register("hamlet"),
    await chat.register("cordelia"),
    await chat.register("polonius"),
  ];
  const answer = await react(chat, "othello", id, THUMB);
  assert.deepEqual(answer, { status: 200, result: "success", msg: "" });
  const reaction = { ...THUMB, user_id: chat.ids.othello };
  const event = {
    type: "reaction",
    op: "add",
    ...reaction,
    user: {
      user_id: chat.ids.othello,
      email: "othello@example.com",
      full_name: "Othello",
      is_mirror_dummy: false,
    },
    message_id: id,
  };
  for (const queue of [sender, reader]) assert.deepEqual((await queue.events()).map(withoutId), [event]);
  assert.deepEqual(await reactionsTo(chat, "hamlet", id), [reaction]);
  const page = await chat.as("hamlet").get("/messages", { anchor: "newest", num_before: 5 });
  assert.deepEqual(page.messages.at(-1).reactions, [reaction]);
  await chat.restart();
  assert.deepEqual(await reactionsTo(chat, "cordelia", id), [reaction]);

  assert.equal((await takeBack(chat, "othello", id, THUMB)).status, 200);
  for (const queue of [sender, reader])
    assert.deepEqual((await queue.events()).map(withoutId), [{ ...event, op: "remove" }]);
  assert.deepEqual(await reactionsTo(chat, "hamlet", id), []);
  assert.deepEqual(await guest.events(), []);
});

test("accepts every name of an emoji", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const id = await sendTo(chat, "hamlet");
  assert.equal((await react(chat, "hamlet", id, { emoji_name: "thumbs_up" })).status, 200);
  assert.equal((await react(chat, "hamlet", id, { emoji_name: "heart", emoji_code: "2764" })).status, 200);
  assert.equal((await react(chat, "hamlet", id, { emoji_name: "tada", reaction_type: "unicode_emoji" })).status, 200);
  assert.deepEqual(
    (await reactionsTo(chat, "hamlet", id)).map((reaction: Params) => [reaction.emoji_name, reaction.emoji_code]),
    [
      ["thumbs_up", "1f44d"],
      ["heart", "2764"],
      ["tada", "1f389"],
    ],
  );
  assert.equal((await takeBack(chat, "hamlet", id, { emoji_name: "+1" })).status, 200);
  assert.equal((await takeBack(chat, "hamlet", id, { emoji_code: "2764" })).status, 200);
  assert.equal((await takeBack(chat, "hamlet", id, { emoji_name: "tada", emoji_code: "1f389" })).status, 200);
  assert.deepEqual(await reactionsTo(chat, "hamlet", id), []);
});

test("joining a reaction keeps the first reaction's name", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const id = await sendTo(chat, "hamlet");
  await react(chat, "hamlet", id, { emoji_name: "thumbs_up" });
  const queue = await chat.register("hamlet");
  assert.equal((await react(chat, "othello", id, { emoji_name: "+1" })).status, 200);
  assert.equal((await react(chat, "cordelia", id, { ...THUMB, emoji_name: "no such name" })).status, 200);
  const names = (await reactionsTo(chat, "hamlet", id)).map((reaction: Params) => reaction.emoji_name);
  assert.deepEqual(names, ["thumbs_up", "thumbs_up", "thumbs_up"]);
  assert.deepEqual(
    (await queue.events()).map((event) => event.emoji_name),
    ["thumbs_up", "thumbs_up"],
  );
  assert.equal((await takeBack(chat, "othello", id, { emoji_name: "+1" })).status, 200);
});

test("each person reacts once and removes only their own", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const id = await sendTo(chat, "hamlet");
  await react(chat, "hamlet", id, THUMB);
  const queue = await chat.register("hamlet");
  for (const params of [THUMB, { emoji_name: "thumbs_up" }]) {
    const again = await react(chat, "hamlet", id, params);
    assert.deepEqual([again.status, again.code], [400, "REACTION_ALREADY_EXISTS"]);
  }
  for (const [name, params] of [
    ["othello", THUMB],
    ["othello", { emoji_code: "1f44d" }],
    ["hamlet", { emoji_name: "tada" }],
    ["hamlet", { emoji_code: "1f389" }],
    ["hamlet", { emoji_code: "1f44d", reaction_type: "realm_emoji" }],
  ] as const) {
    const answer = await takeBack(chat, name, id, params);
    assert.deepEqual([answer.status, answer.code], [400, "REACTION_DOES_NOT_EXIST"], JSON.stringify(params));
  }
  assert.deepEqual(await queue.events(), []);
  assert.equal((await reactionsTo(chat, "hamlet", id)).length, 1);
});

test("accepts protocol names, also with accents", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const id = await sendTo(chat, "hamlet");
  const emoji = [
    ["flag_andorra", "1f1e6-1f1e9"],
    ["flag_türkiye", "1f1f9-1f1f7"],
    ["kiss", "1f48f"],
  ] as const;
  for (const [emoji_name, emoji_code] of emoji) {
    assert.equal((await react(chat, "hamlet", id, { ...THUMB, emoji_name, emoji_code })).status, 200, emoji_name);
    assert.equal((await react(chat, "othello", id, { emoji_name })).status, 200, emoji_name);
  }
  assert.deepEqual(
    (await reactionsTo(chat, "hamlet", id)).map((reaction: Params) => [reaction.emoji_name, reaction.emoji_code]),
    emoji.flatMap((one) => [one, one]),
  );
});

test("a stored reaction keeps a name that another emoji has now", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const id = await sendTo(chat, "hamlet");
  const former = { emoji_name: "kiss", emoji_code: "1f617", reaction_type: "unicode_emoji" };
  assert.equal((await react(chat, "hamlet", id, former)).status, 200);
  assert.equal((await react(chat, "othello", id, { ...former, emoji_name: "kissing" })).status, 200);
  const queue = await chat.register("hamlet");
  assert.equal((await takeBack(chat, "othello", id, { emoji_name: "kiss" })).status, 200);
  assert.equal((await queue.events())[0]?.emoji_code, "1f617");
  assert.equal((await react(chat, "othello", id, { emoji_name: "kiss" })).status, 200);
  assert.equal((await takeBack(chat, "othello", id, { emoji_name: "kiss" })).status, 200);
  assert.equal((await takeBack(chat, "othello", id, { emoji_name: "kiss" })).code, "REACTION_DOES_NOT_EXIST");
  assert.equal((await takeBack(chat, "hamlet", id, former)).status, 200);
  assert.deepEqual(await reactionsTo(chat, "hamlet", id), []);
});

test("unknown emoji and mismatched names are rejected", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const id = await sendTo(chat, "hamlet");
  const queue = await chat.register("hamlet");
  const refused: [Params, RegExp, string?][] = [
    [{}, /emoji_name/, "REQUEST_VARIABLE_MISSING"],
    [{ emoji_name: "no_such_emoji" }, /does not exist/],
    [{ emoji_name: "no_such_emoji", emoji_code: "1f44d" }, /does not exist/],
    [{ ...THUMB, emoji_code: "abcdef" }, /Invalid emoji code/],
    [{ ...THUMB, emoji_code: "1F44D" }, /Invalid emoji code/],
    [{ ...THUMB, emoji_name: "tada" }, /Invalid emoji name/],
    [{ emoji_name: "tada", emoji_code: "1f44d" }, /Invalid emoji name/],
    [{ ...THUMB, reaction_type: "emoji" }, /Invalid emoji type/],
    [{ emoji_name: "+1", reaction_type: "realm_emoji" }, /does not exist/],
    [{ emoji_name: "+1", emoji_code: "1", reaction_type: "realm_emoji" }, /Invalid custom emoji/],
    [{ emoji_name: "+1", emoji_code: "1f44d", reaction_type: "realm_emoji" }, /Invalid custom emoji/],
    [{ emoji_name: "+1", emoji_code: "+1", reaction_type: "zulip_extra_emoji" }, /Invalid emoji code/],
    [{ emoji_name: "+1", emoji_code: "zulip", reaction_type: "zulip_extra_emoji" }, /Invalid emoji name/],
  ];
  for (const [params, msg, code = "BAD_REQUEST"] of refused) {
    const answer = await react(chat, "hamlet", id, params);
    assert.deepEqual([answer.status, answer.code], [400, code], JSON.stringify(params));
    assert.match(answer.msg, msg);
  }
  for (const params of [{}, { emoji_name: "no_such_emoji" }, { ...THUMB, reaction_type: "emoji" }]) {
    const answer = await takeBack(chat, "hamlet", id, params);
    assert.deepEqual([answer.status, answer.code], [400, "BAD_REQUEST"], JSON.stringify(params));
  }
  assert.deepEqual(await reactionsTo(chat, "hamlet", id), []);
  assert.deepEqual(await queue.events(), []);
});

test("the extra Zulip emoji keeps its first reaction's type", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const id = await sendTo(chat, "hamlet");
  const types = async () =>
    (await reactionsTo(chat, "hamlet", id)).map(({ reaction_type, emoji_name, emoji_code }: Params) => {
      assert.deepEqual([emoji_name, emoji_code], ["zulip", "zulip"]);
      return reaction_type;
    });
  const [ours, theirs] = ["service_extra_emoji", "zulip_extra_emoji"];
  await react(chat, "hamlet", id, { emoji_name: "zulip" });
  assert.deepEqual(await types(), [theirs]);
  assert.equal((await react(chat, "hamlet", id, { emoji_name: "zulip", reaction_type: ours })).status, 400);
  assert.equal((await takeBack(chat, "hamlet", id, { emoji_name: "zulip" })).status, 200);
  await react(chat, "hamlet", id, { emoji_name: "zulip", emoji_code: "zulip", reaction_type: ours });
  await react(chat, "othello", id, { emoji_name: "zulip", reaction_type: theirs });
  assert.deepEqual(await types(), [ours, ours]);
  assert.equal((await takeBack(chat, "hamlet", id, { emoji_code: "zulip", reaction_type: theirs })).status, 200);
  assert.deepEqual(await types(), [ours]);
  const picture = await fetch(`${chat.url}/static/generated/emoji/images/emoji/unicode/zulip.png`);
  assert.deepEqual([picture.status, picture.headers.get("content-type")], [200, "image/png"]);
  assert.deepEqual([...new Uint8Array(await picture.arrayBuffer()).subarray(1, 4)], [...Buffer.from("PNG")]);
});

test("reactions accept custom emoji", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const id = await sendTo(chat, "hamlet");
  const code = customEmoji(chat, "tada");
  const gone = customEmoji(chat, "blob_dance");
  deactivateEmoji(chat, "blob_dance");
  const custom = { emoji_code: code, reaction_type: "realm_emoji" };
  assert.equal((await react(chat, "hamlet", id, { emoji_name: "tada" })).status, 200);
  assert.deepEqual(await reactionsTo(chat, "hamlet", id), [
    { emoji_name: "tada", ...custom, user_id: chat.ids.hamlet },
  ]);
  assert.match((await react(chat, "othello", id, { ...custom, emoji_name: "+1", emoji_code: gone })).msg, /name/);
  assert.match(
    (await react(chat, "othello", id, { ...custom, emoji_name: "blob_dance", emoji_code: gone })).msg,
    /deactivated/,
  );
  assert.match((await react(chat, "othello", id, { emoji_name: "blob_dance" })).msg, /does not exist/);
  deactivateEmoji(chat, "tada");
  assert.equal((await react(chat, "othello", id, { ...custom, emoji_name: "tada" })).status, 200);
  assert.equal((await takeBack(chat, "othello", id, custom)).status, 200);
  const other = await sendTo(chat, "hamlet", { content: "y" });
  assert.match((await react(chat, "othello", other, { ...custom, emoji_name: "tada" })).msg, /deactivated/);
  // The name refers to the built-in emoji again.
  const answer = await takeBack(chat, "hamlet", id, { emoji_name: "tada" });
  assert.equal(answer.code, "REACTION_DOES_NOT_EXIST");
  assert.equal((await takeBack(chat, "hamlet", id, { emoji_name: "tada", reaction_type: "realm_emoji" })).status, 200);
  assert.deepEqual(await reactionsTo(chat, "hamlet", id), []);
});

test("reactions need read access, or the message looks missing", async (t) => {
  const design = { name: "design", private: true, subscribers: ["hamlet", "othello"] };
  const chat = await startChat(t, { channels: [general, design] });
  const open = await sendTo(chat, "hamlet");
  const secret = await sendTo(chat, "hamlet", { to: "design" });
  const direct = await sendTo(chat, "hamlet", { type: "direct", to: [chat.ids.othello] });
  const missing = direct + 100;
  const outsiders = ["iago", "cordelia", "polonius"];
  const absent = await react(chat, "hamlet", missing, THUMB);
  assert.deepEqual([absent.status, absent.code], [400, "BAD_REQUEST"]);
  const queues = new Map<string, Awaited<ReturnType<Chat["register"]>>>();
  for (const name of [...outsiders, "othello"]) queues.set(name, await chat.register(name));
  for (const name of outsiders) {
    for (const id of [secret, direct, missing]) {
      assert.deepEqual(await react(chat, name, id, THUMB), absent, name);
      assert.deepEqual(await takeBack(chat, name, id, THUMB), absent, name);
    }
  }
  assert.deepEqual(await react(chat, "polonius", open, THUMB), absent);
  await react(chat, "hamlet", secret, THUMB);
  await react(chat, "hamlet", direct, THUMB);
  for (const name of outsiders) assert.deepEqual(await queues.get(name)?.events(), [], name);
  assert.deepEqual(
    (await queues.get("othello")?.events())?.map((event) => event.message_id),
    [secret, direct],
  );
});

test("reactions to protected history are hidden from new members", async (t) => {
  const chat = await startChat(t);
  const hamlet = chat.as("hamlet");
  const subscribe = (who: number[]) =>
    hamlet.post("/users/me/subscriptions", {
      subscriptions: [{ name: "den" }],
      invite_only: true,
      history_public_to_subscribers: false,
      principals: who,
    });
  await subscribe([chat.ids.hamlet as number, chat.ids.othello as number]);
  const before = await sendTo(chat, "hamlet", { to: "den" });
  await subscribe([chat.ids.cordelia as number]);
  const after = await sendTo(chat, "hamlet", { to: "den" });
  const [newMember, old] = [await chat.register("cordelia"), await chat.register("othello")];
  assert.equal((await react(chat, "cordelia", before, THUMB)).status, 400);
  for (const id of [before, after]) await react(chat, "hamlet", id, THUMB);
  assert.deepEqual(
    (await newMember.events()).map((event) => event.message_id),
    [after],
  );
  assert.deepEqual(
    (await old.events()).map((event) => event.message_id),
    [before, after],
  );
});

test("reactions after a move reach the new readers", async (t) => {
  const design = { name: "design", private: true, subscribers: ["hamlet", "cordelia"] };
  const chat = await startChat(t, { channels: [general, design] });
  const id = await sendTo(chat, "hamlet");
  await react(chat, "othello", id, THUMB);
  await chat
    .as("hamlet")
    .post("/users/me/subscriptions", { subscriptions: [{ name: "design" }], principals: [chat.ids.desdemona] });
  const moved = await chat.as("desdemona").patch(`/messages/${id}`, { stream_id: chat.ids.design });
  assert.equal(moved.status, 200, moved.msg);
  const [formerReader, newReader] = [await chat.register("othello"), await chat.register("cordelia")];
  assert.equal((await react(chat, "hamlet", id, THUMB)).status, 200);
  assert.equal((await takeBack(chat, "othello", id, THUMB)).status, 400);
  assert.deepEqual(await formerReader.events(), []);
  assert.deepEqual(
    (await newReader.events()).map(({ type, message_id }) => [type, message_id]),
    [["reaction", id]],
  );
  assert.deepEqual(
    (await reactionsTo(chat, "cordelia", id)).map((reaction: Params) => reaction.user_id),
    [chat.ids.othello, chat.ids.hamlet],
  );
});

test("reacting to an unreceived message adds it to history", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const [id, other] = [await sendTo(chat, "hamlet"), await sendTo(chat, "hamlet", { content: "y" })];
  const own = async (name: string) =>
    (await chat.as(name).get("/messages", { anchor: "newest", num_before: 9 })).messages.map((m: Params) => m.id);
  assert.deepEqual(await own("cordelia"), []);
  await react(chat, "cordelia", id, THUMB);
  assert.deepEqual(await own("cordelia"), [id]);
  assert.deepEqual((await chat.as("cordelia").get(`/messages/${id}`)).message.flags, ["read", "historical"]);
  await takeBack(chat, "cordelia", id, THUMB);
  assert.deepEqual(await own("cordelia"), [id]);
  await react(chat, "othello", id, THUMB);
  assert.deepEqual((await chat.as("othello").get(`/messages/${id}`)).message.flags, []);
  assert.deepEqual(await own("othello"), [id, other]);
});

test("an archived channel allows no reaction changes", async (t) => {
  const chat = await startChat(t, { channels: [general], unwatched: true });
  const id = await sendTo(chat, "hamlet");
  await react(chat, "hamlet", id, THUMB);
  chat.server.app.store.transact({ actor: null, action: "test" }, (tx) =>
    tx.run("UPDATE channels SET is_archived = 1"),
  );
  assert.match((await react(chat, "hamlet", id, { emoji_name: "tada" })).msg, /archived/);
  assert.match((await takeBack(chat, "hamlet", id, THUMB)).msg, /archived/);
  assert.equal((await reactionsTo(chat, "hamlet", id)).length, 1);
});

test("deleting a message deletes its reactions", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const [id, other] = [await sendTo(chat, "hamlet"), await sendTo(chat, "hamlet", { content: "y" })];
  for (const message of [id, other]) await react(chat, "othello", message, THUMB);
  assert.equal((await chat.as("desdemona").delete(`/messages/${id}`)).status, 200);
  const formerReader = chat.server.app.store.reader.all("SELECT message_id FROM reactions");
  assert.deepEqual(formerReader, [{ message_id: other }]);
  assert.equal((await react(chat, "hamlet", id, THUMB)).status, 400);
});

test("bots and guests react, incoming webhooks do not", async (t) => {
  const crowd = { name: "crowd", subscribers: ["hamlet", "polonius", "bot"] };
  const chat = await startChat(t, { channels: [crowd], users: { hook: { is_bot: true, bot_type: 2 } } });
  const id = await sendTo(chat, "hamlet", { to: "crowd" });
  assert.equal((await react(chat, "bot", id, THUMB)).status, 200);
  assert.equal((await react(chat, "polonius", id, THUMB)).status, 200);
  assert.notEqual((await react(chat, "hook", id, THUMB)).status, 200);
  assert.equal((await chat.anonymous("POST", `/messages/${id}/reactions`, THUMB)).status, 401);
  assert.equal((await reactionsTo(chat, "hamlet", id)).length, 2);
});

test("fetching messages takes constant queries", async (t) => {
  const chat = await startChat(t, { channels: [general], unwatched: true });
  const ids: number[] = [];
  for (let n = 0; n < 150; n += 1) ids.push(await sendTo(chat, "hamlet", { content: `${n}` }));
  for (const id of ids.slice(0, 50)) await react(chat, "othello", id, THUMB);
  await chat.restart();
  while (!improveIndex(chat.server.app.store)); // otherwise the indexer would run between the counted queries
  const reader = chat.server.app.store.reader as Reader & Record<string, unknown>;
  let queries = 0;
  for (const method of ["get", "all", "value", "values"] as const) {
    const original = reader[method].bind(reader) as (...given: unknown[]) => unknown;
    Object.assign(reader, {
      [method]: (...given: unknown[]) => {
        queries += 1;
        return original(...given);
      },
    });
  }
  let page: Body | undefined;
  let fewest = Infinity;
  // Chores and webhooks query occasionally, so one fetch may be counted together with theirs.
  for (let fetch = 0; fetch < 5; fetch += 1) {
    queries = 0;
    page = await chat.as("cordelia").get("/messages", {
      anchor: "newest",
      num_before: 1000,
      narrow: [{ operator: "channel", operand: "general" }],
    });
    fewest = Math.min(fewest, queries);
  }
  assert.deepEqual(
    page?.messages.map((message: any) => message.id),
    ids,
  );
  assert.equal(page?.messages.filter((message: any) => message.reactions.length === 1).length, 50);
  assert.ok(fewest > 0 && fewest < 60, `${fewest} queries`);
});
