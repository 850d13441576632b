import assert from "node:assert/strict";
import test from "node:test";
import { type Client, Refusal } from "../../ui/api/client.ts";
import type { State, WireEvent } from "../../ui/api/state-shape.ts";
import { Drafts } from "../../ui/chat/model/drafts.ts";
import { Feed } from "../../ui/chat/model/feed.ts";
import type { Message, Viewer } from "../../ui/chat/model/feed-state.ts";
import { Outbox } from "../../ui/chat/model/outbox.ts";
import { PendingChanges } from "../../ui/chat/model/pending.ts";
import { Recent } from "../../ui/chat/model/recent.ts";
import { Topics } from "../../ui/chat/model/topics.ts";
import { widgetOf } from "../../ui/chat/model/widgets.ts";
import { BrowserMemory } from "../support/browser-memory.ts";
import { channelMessage } from "../support/channel-message.ts";
import { until } from "../support/patience.ts";

// Responses and events use different connections, and each may overtake the other.

const SELF = 7;
const VIEWER: Viewer = { userId: SELF, isMuted: () => false, isFollowed: () => false };
const TOPIC = { kind: "topic", channelId: 5, topic: "lunch" } as const;

const event = (fields: object) => fields as WireEvent;
const arrives = (one: Message) => event({ type: "message", message: one, flags: [] });
const smile = { emoji_name: "smile", emoji_code: "263a", reaction_type: "unicode_emoji" } as const;
const reacts = (op: "add" | "remove", user_id = SELF) =>
  event({ type: "reaction", op, message_id: 1, user_id, ...smile });

/** A server whose responses the test releases. Each call waits in `asked`. */
function slowServer() {
  const asked: { route: string; answer(value: unknown): void; refuse(error: Error): void }[] = [];
  const call = (route: string) =>
    new Promise((answer, refuse) => {
      asked.push({ route, answer, refuse });
    });
  const next = () => until(() => asked.shift(), "a call");
  return { client: { call } as unknown as Client, next };
}

test("an event before the opening's response is not lost", async () => {
  const { client, next } = slowServer();
  const feed = new Feed(client, TOPIC, VIEWER);
  const ids = () => feed.store.value.messages.map(({ id }) => id);
  const opened = feed.open();
  const opening = await next();
  feed.apply(arrives(channelMessage(3)));
  feed.apply(event({ type: "delete_message", message_id: 1, message_type: "stream" }));
  feed.apply(reacts("add", 9));
  opening.answer({ messages: [channelMessage(1), channelMessage(2)], found_oldest: false, found_newest: true });
  await opened;
  assert.deepEqual(ids(), [2, 3]);

  const older = feed.loadOlder();
  const loading = await next();
  feed.apply(event({ type: "update_message", message_id: 0, message_ids: [0], rendered_content: "new", flags: [] }));
  loading.answer({ messages: [channelMessage(0, { content: "old" })], found_oldest: true });
  await older;
  assert.deepEqual(ids(), [0, 2, 3]);
  assert.equal(feed.store.value.messages[0]?.content, "new");
});

test("loads older messages in slices without losing events", async () => {
  const { client, next } = slowServer();
  const feed = new Feed(client, TOPIC, VIEWER);
  const ids = () => feed.store.value.messages.map(({ id }) => id);
  const opened = feed.open();
  (await next()).answer({ messages: [channelMessage(100)], found_oldest: false, found_newest: true });
  await opened;
  const sizes: number[] = [];
  feed.store.subscribe(() => {
    const { messages, foundOldest } = feed.store.value;
    sizes.push(messages.length);
    if (sizes.length > 1) return;
    assert.equal(foundOldest, false, "there are more to come");
    // One message is deleted before it is shown, and one is sent.
    feed.apply(event({ type: "delete_message", message_id: 41, message_type: "stream" }));
    feed.apply(arrives(channelMessage(101)));
  });
  const older = feed.loadOlder();
  const page = Array.from({ length: 40 }, (_, at) => channelMessage(40 + at));
  (await next()).answer({ messages: page, found_oldest: true });
  await older;
  assert.ok(sizes.length >= 3 && (sizes[0] ?? 0) < 40, `the sizes are ${sizes}`);
  assert.deepEqual(ids(), [40, ...page.slice(2).map(({ id }) => id), 100, 101]);
  assert.ok(feed.store.value.foundOldest);
});

test("retries failed older messages after an outage and keeps the rest", async () => {
  const { client, next } = slowServer();
  const feed = new Feed(client, TOPIC, VIEWER);
  const opened = feed.open();
  (await next()).answer({ messages: [channelMessage(100)], found_oldest: false, found_newest: true });
  await opened;
  const older = feed.loadOlder();
  (await next()).refuse(new TypeError("fetch failed"));
  await older;
  assert.equal(feed.store.value.failed, "older");
  await feed.loadOlder(); // scrolling on sends no request and waits for no response
  feed.retry();
  assert.equal(feed.store.value.failed, undefined);
  (await next()).answer({ messages: [channelMessage(99)], found_oldest: true });
  await until(() => feed.store.value.foundOldest || undefined, "the oldest message");
  assert.deepEqual(
    feed.store.value.messages.map(({ id }) => id),
    [99, 100],
  );
});

test("a message moved in during loading reloads the conversation", async () => {
  const calls: Record<string, unknown>[] = [];
  const client = {
    call: async (_route: string, input: Record<string, unknown>) => {
      calls.push(input);
      return { messages: [channelMessage(8)], found_oldest: true, found_newest: true };
    },
  } as unknown as Client;
  const feed = new Feed(client, TOPIC, VIEWER);
  const opened = feed.open(8);
  feed.apply(
    event({ type: "update_message", message_id: 9, message_ids: [9], stream_id: 5, subject: "lunch", flags: [] }),
  );
  await opened;
  await until(() => feed.store.value.isLoaded || undefined, "an opened feed");
  assert.deepEqual(
    calls.map(({ anchor }) => anchor),
    ["8", "8"],
  );
});

test("topics and recent conversations include messages sent during loading", async () => {
  const { client, next } = slowServer();
  const topics = new Topics(client);
  const loaded = topics.load(5);
  const first = await next();
  topics.apply(arrives(channelMessage(9, { subject: "tea" })));
  topics.apply(arrives(channelMessage(4, { subject: "lunch" })));
  first.answer({ topics: [{ name: "Lunch", max_id: 6 }] });
  await loaded;
  assert.deepEqual(
    topics.store.value[5]?.map(({ name }) => name),
    ["tea", "Lunch"],
  );

  // The later of two requests counts, whichever response is first.
  void topics.load(5);
  void topics.load(5);
  const [older, newer] = [await next(), await next()];
  newer.answer({ topics: [{ name: "renamed", max_id: 9 }] });
  older.answer({ topics: [{ name: "tea", max_id: 9 }] });
  await until(() => topics.store.value[5]?.[0]?.name === "renamed" || undefined, "the newer answer");
  await older;
  assert.equal(topics.store.value[5]?.length, 1);

  const recent = new Recent(client, SELF);
  const shown = () =>
    recent.store.value.conversations.map(({ narrow, newestId }) =>
      narrow.kind === "topic" ? `${narrow.topic} ${newestId}` : "",
    );
  const noImports = async () => (await next()).answer({ messages: [], found_oldest: true });
  recent.load();
  const history = await next();
  await noImports();
  recent.apply(arrives(channelMessage(9, { subject: "tea" })));
  history.answer({ messages: [channelMessage(6)], found_oldest: true });
  await until(() => recent.store.value.isLoaded || undefined, "recent conversations");
  assert.deepEqual(shown(), ["tea 9", "lunch 6"]);
  recent.reload();
  const stale = await next();
  await noImports();
  recent.apply(event({ type: "delete_message", message_ids: [6], message_type: "stream" }));
  stale.answer({ messages: [channelMessage(6)], found_oldest: true });
  const fresh = await next();
  await noImports();
  fresh.answer({ messages: [channelMessage(9, { subject: "tea" })], found_oldest: true });
  await until(() => recent.store.value.isLoaded || undefined, "recent conversations");
  assert.deepEqual(shown(), ["tea 9"]);
});

test("a reaction shows immediately and ends with its event", async () => {
  const { client, next } = slowServer();
  const pending = new PendingChanges();
  const change = (op: "add" | "remove") => ({ type: "reaction", op, message_id: 1, user_id: SELF, ...smile }) as const;
  const count = (one: Message) => pending.shown(one).reactions.length;
  const work = () => client.call("POST /messages/{message_id}/reactions", { message_id: 1, ...smile });
  const mine = { ...smile, user_id: SELF };

  const added = pending.make(change("add"), work);
  assert.equal(count(channelMessage(1)), 1, "before the server has it");
  const removed = pending.make(change("remove"), work);
  assert.equal(count(channelMessage(1)), 0, "taken back before the server has it");
  (await next()).answer({});
  await added;
  pending.apply(reacts("add"));
  assert.equal(count(channelMessage(1, { reactions: [mine] })), 0, "still taken back");
  (await next()).answer({});
  await removed;
  assert.equal(count(channelMessage(1, { reactions: [mine] })), 0, "until the event is there");
  pending.apply(reacts("remove"));
  assert.equal(count(channelMessage(1, { reactions: [mine] })), 1, "then what the server says counts");

  const refused = pending.make(change("add"), work);
  (await next()).refuse(new Refusal(400, { msg: "No.", code: "BAD_REQUEST" }));
  await assert.rejects(refused, /No\./);
  assert.equal(count(channelMessage(1)), 0);
  assert.equal(pending.store.value.size, 0);

  const star = { type: "update_message_flags", op: "add", flag: "starred", message_id: 1 } as const;
  void pending.make(star, async () => ({}));
  assert.deepEqual(pending.shown(channelMessage(1)).flags, ["starred"]);
  pending.apply(event({ ...star, op: "remove", messages: [1], all: false }));
  assert.deepEqual(pending.shown(channelMessage(1)).flags, [], "another device took the star away meanwhile");
});

test("two options added at the same time both appear", async () => {
  const pending = new PendingChanges();
  const poll = channelMessage(1, {
    submessages: [
      { id: 1, message_id: 1, sender_id: 3, msg_type: "widget", content: '{"widget_type":"poll","extra_data":{}}' },
    ],
  } as Partial<Message>);
  for (const option of ["Anna", "Berta"]) {
    const idx = pending.shown(poll).submessages.length;
    const content = JSON.stringify({ type: "new_option", idx, option });
    void pending.make({ type: "submessage", message_id: 1, sender_id: SELF, content }, async () => ({}));
  }
  const widget = widgetOf(pending.shown(poll));
  assert.ok(widget?.kind === "poll");
  assert.deepEqual(
    widget.options.map(({ text }) => text),
    ["Anna", "Berta"],
  );
});

test("a sent message without an event disappears when its feeds reload", async () => {
  const { client, next } = slowServer();
  const outbox = new Outbox({ client, storage: new BrowserMemory(), userId: SELF });
  const send = async (id: number) => {
    outbox.add({ channelId: 5, topic: "lunch" }, `${id}`, "q");
    (await next()).answer({ id });
  };
  const shown = () => outbox.store.value.map(({ content }) => content).join();
  await send(40);
  await send(44);
  await until(() => outbox.store.value.every(({ state }) => state === "sent") || undefined, "sent messages");
  outbox.caughtUp(41);
  assert.equal(shown(), "44");
  await send(41);
  await until(() => shown() === "44" || undefined, "no event will come for it");
  outbox.stop();
});

test("late events do not restore a sent draft", async () => {
  const { client, next } = slowServer();
  const drafts = new Drafts({ client, storage: new BrowserMemory(), userId: SELF });
  const server = { id: 11, type: "stream", to: [5], topic: "lunch", content: "half", timestamp: 1 } as const;
  const follow = (list: readonly object[]) =>
    drafts.follow({ drafts: list, user_settings: { enable_drafts_synchronization: true } } as unknown as State);
  const text = () => drafts.store.value.values().next().value?.text;
  follow([server]);
  assert.equal(text(), "half");
  drafts.set(TOPIC, { text: "" });
  const deletion = await next();
  assert.equal(deletion.route, "DELETE /drafts/{draft_id}");
  deletion.answer({});
  await until(() => (drafts.store.value.size === 0 ? true : undefined), "the draft to go");
  follow([{ ...server }]);
  assert.equal(text(), undefined, "an event about something else");
  follow([]);
  assert.equal(text(), undefined);
  drafts.stop();
});
