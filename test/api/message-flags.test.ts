import assert from "node:assert/strict";
import test from "node:test";
import { markNewestRead } from "../../server/api/actions/message-flags.ts";
import { sendMessage } from "../../server/api/actions/messages.ts";
import { type Channel, channelByName } from "../../server/api/queries/channels.ts";
import { renderMarkdown } from "../../server/markdown/render.ts";
import { type Chat, startChat } from "../support/chat.ts";

const general = { name: "general", subscribers: ["hamlet", "othello"] };
const channelMessage = { type: "channel", to: "general", topic: "lunch", content: "x" };

test("flag changes reach the reader's own clients", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const first = (await chat.as("hamlet").post("/messages", channelMessage)).id;
  const direct = (await chat.as("hamlet").post("/messages", { type: "direct", to: [chat.ids.othello], content: "x" }))
    .id;
  const [own, sender] = [await chat.register("othello"), await chat.register("hamlet")];
  assert.deepEqual(own.state.unread_msgs, {
    count: 2,
    pms: [{ other_user_id: chat.ids.hamlet, sender_id: chat.ids.hamlet, unread_message_ids: [direct] }],
    streams: [{ topic: "lunch", stream_id: chat.ids.general, unread_message_ids: [first] }],
    huddles: [],
    mentions: [],
    old_unreads_missing: false,
  });
  const mark = (op: string, messages: number[]) =>
    chat.as("othello").post("/messages/flags", { messages, op, flag: "read" });
  const added = await mark("add", [first, direct]);
  assert.deepEqual(added.messages, [first, direct]);
  assert.ok(!("ignored_because_not_subscribed_channels" in added));
  assert.deepEqual((await mark("add", [first])).messages, []);
  const removed = await mark("remove", [first, direct]);
  assert.deepEqual([removed.messages, removed.ignored_because_not_subscribed_channels], [[first, direct], []]);
  const [add, remove, ...more] = await own.events();
  assert.deepEqual(more, []);
  const common = { type: "update_message_flags", flag: "read", messages: [first, direct], all: false };
  const { id: _a, ...addFields } = add as Record<string, unknown>;
  assert.deepEqual(addFields, { ...common, op: "add", operation: "add" });
  const { id: _b, ...removeFields } = remove as Record<string, unknown>;
  assert.deepEqual(removeFields, {
    ...common,
    op: "remove",
    operation: "remove",
    message_details: {
      [first]: { type: "stream", stream_id: chat.ids.general, topic: "lunch" },
      [direct]: { type: "private", user_ids: [chat.ids.hamlet] },
    },
  });
  assert.deepEqual(await sender.events(), []);
});

test("messages of unsubscribed channels stay read", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const { id } = await chat.as("hamlet").post("/messages", channelMessage);
  const answer = await chat.as("cordelia").post("/messages/flags", { messages: [id], op: "remove", flag: "read" });
  assert.deepEqual([answer.messages, answer.ignored_because_not_subscribed_channels], [[], [chat.ids.general]]);
  assert.deepEqual((await chat.as("cordelia").get(`/messages/${id}`)).message.flags, ["read", "historical"]);
});

test("starring unreceived public history adds it to your messages", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const { id } = await chat.as("hamlet").post("/messages", channelMessage);
  const queue = await chat.register("cordelia");
  const star = (op: string) => chat.as("cordelia").post("/messages/flags", { messages: [id], op, flag: "starred" });
  const answer = await star("add");
  assert.deepEqual(answer.messages, [id]);
  assert.ok(!("ignored_because_not_subscribed_channels" in answer));
  assert.deepEqual((await chat.as("cordelia").get(`/messages/${id}`)).message.flags, ["read", "starred", "historical"]);
  assert.deepEqual((await chat.register("cordelia")).state.starred_messages, [id]);
  const own = await chat.as("cordelia").get("/messages", { anchor: "newest", num_before: 5 });
  assert.deepEqual(
    own.messages.map((message: { id: number }) => message.id),
    [id],
  );
  await star("remove");
  const ops = (await queue.events()).map((event) => [event.op, event.flag, event.messages]);
  assert.deepEqual(ops, [
    ["add", "starred", [id]],
    ["remove", "starred", [id]],
  ]);
  assert.deepEqual((await chat.register("cordelia")).state.starred_messages, []);
});

test("unsettable flags and unreadable messages are rejected", async (t) => {
  const chat = await startChat(t, { channels: [general, { name: "design", private: true, subscribers: ["hamlet"] }] });
  const open = (await chat.as("hamlet").post("/messages", channelMessage)).id;
  const hidden = (await chat.as("hamlet").post("/messages", { ...channelMessage, to: "design" })).id;
  const post = (name: string, params: object) =>
    chat.as(name).post("/messages/flags", { messages: [open], op: "add", flag: "starred", ...params });
  for (const flag of ["mentioned", "historical", "has_alert_word", "wildcard_mentioned", "shiny"]) {
    assert.equal((await post("hamlet", { flag })).status, 400, flag);
  }
  assert.equal((await post("hamlet", { op: "toggle" })).status, 400);
  assert.equal((await post("hamlet", { flag: "collapsed" })).status, 200);
  for (const name of ["othello", "iago", "polonius"])
    assert.equal((await post(name, { messages: [hidden] })).status, 400, name);
  assert.equal((await post("polonius", {})).status, 400);
  assert.equal((await post("hamlet", { messages: [hidden + 100] })).status, 400);
});

test("unread messages survive a restart", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const ids: number[] = [];
  for (let n = 0; n < 3; n += 1) ids.push((await chat.as("hamlet").post("/messages", channelMessage)).id);
  await chat.as("othello").post("/messages/flags", { messages: [ids[1]], op: "add", flag: "read" });
  await chat.restart();
  const { state } = await chat.register("othello");
  assert.deepEqual(state.unread_msgs?.streams[0]?.unread_message_ids, [ids[0], ids[2]]);
  assert.equal(state.max_message_id, ids[2]);
});

const noise = { name: "noise", subscribers: ["hamlet", "othello"] };

const send = async (chat: Chat, params: object): Promise<number> =>
  (await chat.as("hamlet").post("/messages", { ...channelMessage, ...params })).id;

const unread = async (chat: Chat, name: string): Promise<number[]> => {
  const unread = (await chat.register(name)).state.unread_msgs;
  return [...(unread?.pms ?? []), ...(unread?.streams ?? [])].flatMap((group) => group.unread_message_ids);
};

test("channels, topics or everything become read", async (t) => {
  const chat = await startChat(t, { channels: [general, noise], users: { portia: {} } });
  const direct = await send(chat, { type: "direct", to: [chat.ids.othello] });
  const [lunch, again] = [await send(chat, {}), await send(chat, { topic: "LUNCH" })];
  const dinner = await send(chat, { topic: "dinner" });
  const inNoise = await send(chat, { to: "noise" });
  const [own, other] = [await chat.register("othello"), await chat.register("cordelia")];
  const post = (path: string, params = {}) => chat.as("othello").post(path, params);
  const flagEvents = async () => (await own.events()).map(({ flag, op, messages }) => [flag, op, messages]);

  assert.equal((await post("/mark_topic_as_read", { stream_id: chat.ids.general, topic_name: "Lunch" })).status, 200);
  assert.deepEqual(await flagEvents(), [["read", "add", [lunch, again]]]);
  assert.deepEqual(await unread(chat, "othello"), [direct, dinner, inNoise]);

  assert.equal((await post("/mark_stream_as_read", { stream_id: chat.ids.general })).status, 200);
  assert.deepEqual(await flagEvents(), [["read", "add", [dinner]]]);

  assert.equal((await post("/mark_all_as_read")).complete, true);
  assert.deepEqual(await flagEvents(), [["read", "add", [direct, inNoise]]]);
  assert.equal((await post("/mark_all_as_read")).complete, true);
  assert.deepEqual([await flagEvents(), await unread(chat, "othello")], [[], []]);
  assert.deepEqual(await other.events(), []);
});

test("hidden channels and missing topics are not marked", async (t) => {
  const chat = await startChat(t, { channels: [general, { name: "design", private: true, subscribers: ["hamlet"] }] });
  await send(chat, { to: "design", topic: "logo" });
  await send(chat, { topic: "" });
  const post = (path: string, params: Record<string, unknown>) => chat.as("othello").post(path, params);
  const missing = await post("/mark_stream_as_read", { stream_id: 999 });
  assert.deepEqual([missing.status, missing.code], [400, "BAD_REQUEST"]);
  assert.deepEqual(await post("/mark_stream_as_read", { stream_id: chat.ids.design }), missing);
  for (const topic_name of ["logo", "nothing"]) {
    assert.deepEqual(await post("/mark_topic_as_read", { stream_id: chat.ids.design, topic_name }), missing);
  }
  const topic = (topic_name: string) => post("/mark_topic_as_read", { stream_id: chat.ids.general, topic_name });
  assert.equal((await topic("logo")).code, "BAD_REQUEST");
  assert.equal((await topic("general chat")).status, 200);
  assert.deepEqual(await unread(chat, "othello"), []);
});

test("a narrow sets a flag around an anchor", async (t) => {
  const chat = await startChat(t, { channels: [general, noise] });
  const ids: number[] = [];
  for (let n = 0; n < 6; n += 1) ids.push(await send(chat, { to: n % 2 === 0 ? "general" : "noise" }));
  const inGeneral = ids.filter((_, n) => n % 2 === 0);
  const narrow = [{ operator: "channel", operand: chat.ids.general }];
  const mark = async (params: object) => {
    const { status, result, msg, ...answer } = await chat.as("othello").post("/messages/flags/narrow", {
      anchor: "oldest",
      num_before: 0,
      num_after: 100,
      narrow,
      op: "add",
      flag: "read",
      ...params,
    });
    assert.deepEqual([status, result, msg], [200, "success", ""]);
    return answer;
  };
  const own = await chat.register("othello", { event_types: ["update_message_flags"] });
  assert.deepEqual(await mark({ num_after: 2 }), {
    processed_count: 2,
    updated_count: 2,
    first_processed_id: inGeneral[0],
    last_processed_id: inGeneral[1],
    found_oldest: true,
    found_newest: false,
  });
  assert.deepEqual(
    (await own.events()).map(({ op, flag, messages }) => [op, flag, messages]),
    [["add", "read", inGeneral.slice(0, 2)]],
  );
  // A caller that continues from the last message reaches the end.
  assert.deepEqual(await mark({ anchor: inGeneral[1], include_anchor: false }), {
    processed_count: 1,
    updated_count: 1,
    first_processed_id: inGeneral[2],
    last_processed_id: inGeneral[2],
    found_oldest: false,
    found_newest: true,
  });
  const around = await mark({ anchor: inGeneral[1], num_before: 1, num_after: 1 });
  assert.deepEqual([around.processed_count, around.updated_count], [3, 0]);
  assert.deepEqual(await unread(chat, "othello"), [ids[1], ids[3], ids[5]]);
  const newest = await mark({ anchor: "newest", num_before: 1, num_after: 0, narrow: [] });
  assert.deepEqual([newest.first_processed_id, newest.found_newest, newest.found_oldest], [ids[5], true, false]);
  const none = await mark({ narrow: [["is", "starred"]] });
  assert.deepEqual([none.processed_count, none.first_processed_id, none.last_processed_id], [0, null, null]);
  const starred = await mark({ anchor: "first_unread", num_after: 0, narrow: [["channel", "noise"]], flag: "starred" });
  assert.deepEqual([starred.updated_count, starred.first_processed_id], [1, ids[1]]);
});

test("a narrow cannot mark unsubscribed messages as unread", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const id = await send(chat, {});
  const unmark = (name: string) =>
    chat.as(name).post("/messages/flags/narrow", {
      anchor: "newest",
      num_before: 10,
      num_after: 0,
      narrow: [["channel", "general"]],
      op: "remove",
      flag: "read",
    });
  const outside = await unmark("cordelia");
  assert.deepEqual(
    [outside.processed_count, outside.updated_count, outside.ignored_because_not_subscribed_channels],
    [1, 0, [chat.ids.general]],
  );
  assert.deepEqual((await unmark("hamlet")).ignored_because_not_subscribed_channels, []);
  assert.deepEqual(await unread(chat, "hamlet"), [id]);
});

test("invalid narrows, ranges and flags are rejected", async (t) => {
  const chat = await startChat(t, { channels: [general, { name: "design", private: true, subscribers: ["hamlet"] }] });
  const mark = async (params: object): Promise<string> => {
    const all = { anchor: "oldest", num_before: 0, num_after: 1, narrow: [], op: "add", flag: "read", ...params };
    return (await chat.as("othello").post("/messages/flags/narrow", all)).code;
  };
  assert.equal(await mark({}), undefined);
  assert.equal(await mark({ num_after: 5001 }), "BAD_REQUEST");
  assert.equal(await mark({ num_after: 4000, num_before: 1001 }), "BAD_REQUEST");
  assert.equal(await mark({ anchor: "middle" }), "BAD_REQUEST");
  assert.equal(await mark({ flag: "mentioned" }), "BAD_REQUEST");
  assert.equal(await mark({ op: "toggle" }), "BAD_REQUEST");
  assert.equal(await mark({ narrow: [["channel", "design"]] }), "BAD_NARROW");
  assert.equal(await mark({ narrow: [["channel", "nowhere"]] }), "BAD_NARROW");
  for (const name of ["anchor", "num_before", "num_after", "narrow", "op", "flag"]) {
    assert.equal(await mark({ [name]: undefined }), "REQUEST_VARIABLE_MISSING", name);
  }
});

test("slices mark the newest first and report what remains", async (t) => {
  const chat = await startChat(t, { channels: [general] });
  const ids: number[] = [];
  for (let n = 0; n < 3; n += 1) ids.push(await send(chat, {}));
  const turn = () =>
    chat.server.app.store.transact({ actor: chat.ids.othello as number, action: "test" }, (tx) =>
      markNewestRead(tx, chat.user("othello"), { max: 2 }),
    );
  assert.equal(turn(), false);
  assert.deepEqual(await unread(chat, "othello"), ids.slice(0, 1));
  assert.equal(turn(), true);
  assert.deepEqual(await unread(chat, "othello"), []);
});

test("a long list is marked in slices", async (t) => {
  const secret = { name: "secret", private: true, subscribers: ["othello"] };
  const chat = await startChat(t, { channels: [general, secret], unwatched: true, testing: { segmentSize: 16 << 20 } });
  const hidden = await chat.as("othello").post("/messages", { ...channelMessage, to: "secret" });
  const rendered = renderMarkdown("x");
  const sendMany = (count: number) =>
    chat.server.app.store.transact({ actor: null, action: "test" }, (tx) => {
      const message = { content: "x", rendered, client: "test", readBySender: true };
      return Array.from({ length: count }, () => {
        const to = { channel: channelByName(tx, "general") as Channel, topic: "lunch" };
        return sendMessage(tx, chat.user("othello"), { ...message, to }).id;
      });
    });
  const ids = [...sendMany(1000), ...sendMany(1000), ...sendMany(1)];
  const queue = await chat.register("hamlet");
  const mark = (messages: number[], op: string, flag: string) =>
    chat.as("hamlet").post("/messages/flags", { messages, op, flag });
  const refused = await mark([...ids, hidden.id], "add", "read");
  assert.deepEqual([refused.status, refused.code], [400, "BAD_REQUEST"]);
  assert.deepEqual(await queue.events(), []);
  assert.deepEqual((await mark([...ids, ...ids].reverse(), "add", "read")).messages, ids);
  const events = await queue.events();
  assert.deepEqual(
    events.flatMap(({ messages }) => messages).sort((a, b) => a - b),
    ids,
  );
  const unread = await mark(ids, "remove", "read");
  assert.deepEqual([unread.messages, unread.ignored_because_not_subscribed_channels], [ids, []]);
});
