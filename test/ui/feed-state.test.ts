import assert from "node:assert/strict";
import test from "node:test";
import type { Client } from "../../ui/api/client.ts";
import type { WireEvent } from "../../ui/api/state-shape.ts";
import { belongTogether, runsOf } from "../../ui/chat/feed/runs.ts";
import { Feed } from "../../ui/chat/model/feed.ts";
import {
  EMPTY_FEED,
  type FeedState,
  feedAfter,
  hasArrival,
  type Message,
  type Viewer,
} from "../../ui/chat/model/feed-state.ts";
import type { Narrow } from "../../ui/chat/model/narrow.ts";
import { channelMessage } from "../support/channel-message.ts";

const SELF = 7;
const VIEWER: Viewer = {
  userId: SELF,
  isMuted: (_channelId, topic) => topic === "noise",
  isFollowed: (_channelId, topic) => topic === "lunch",
};
const TOPIC: Narrow = { kind: "topic", channelId: 5, topic: "Lunch" };
const feedOf = (...messages: Message[]): FeedState => ({
  ...EMPTY_FEED,
  messages,
  isLoaded: true,
  foundNewest: true,
  foundOldest: true,
});
const after = (feed: FeedState, event: object, narrow: Narrow = TOPIC): FeedState => {
  const next = feedAfter(feed, narrow, event as WireEvent, VIEWER);
  assert.notEqual(next, "reload");
  return next as FeedState;
};
const READ = { flags: ["read"] };
const ids = ({ messages }: FeedState) => messages.map(({ id }) => id);

test("a feed takes its narrow's messages once and in order", () => {
  const arrives = (one: Message) => ({ type: "message", message: one, flags: [] });
  let feed = feedOf(channelMessage(1), channelMessage(4));
  for (const one of [
    channelMessage(3),
    channelMessage(3),
    channelMessage(5, { subject: "LUNCH" }),
    channelMessage(6, { subject: "tea" }),
  ])
    feed = after(feed, arrives(one));
  assert.deepEqual(ids(feed), [1, 3, 4, 5]);
  const elsewhere = { ...feed, foundNewest: false };
  assert.equal(
    after(elsewhere, arrives(channelMessage(9))),
    elsewhere,
    "a message beyond a gap is not shown next to older ones",
  );

  const people = [{ id: SELF }, { id: 12 }, { id: 3 }];
  const direct = channelMessage(2, { type: "private", display_recipient: people, subject: "" } as never);
  const narrow: Narrow = { kind: "direct", userIds: [3, 12] };
  assert.deepEqual(ids(after(feedOf(), arrives(direct), narrow)), [2]);
  assert.deepEqual(ids(after(feedOf(), arrives(direct), { kind: "direct", userIds: [3] })), []);

  const views = (one: Message) =>
    (["feed", "followed", "directs", "mentions"] as const).filter(
      (kind) => ids(after(feedOf(), { ...arrives(one), flags: one.flags }, { kind })).length > 0,
    );
  assert.deepEqual(views(channelMessage(3)), ["feed", "followed"]);
  assert.deepEqual(views(channelMessage(3, { subject: "noise", flags: ["mentioned"] })), ["mentions"]);
  assert.deepEqual(views(direct), ["feed", "directs"]);

  const many = feedOf(...Array.from({ length: 200 }, (_, at) => channelMessage(at + 1)));
  const trimmed = after(many, arrives(channelMessage(201)));
  assert.deepEqual([trimmed.messages.length, ids(trimmed).at(-1), trimmed.foundOldest], [160, 201, false]);
});

test("edits, moves, deletions, reactions and flags change what is shown", () => {
  const feed = feedOf(channelMessage(1), channelMessage(2));
  const edit = { type: "update_message", message_id: 1, message_ids: [1], flags: ["mentioned"], edit_timestamp: 9 };
  const edited = after(feed, { ...edit, rendered_content: "<p>new</p>" }).messages[0];
  assert.deepEqual([edited?.content, edited?.last_edit_timestamp, edited?.flags], ["<p>new</p>", 9, ["mentioned"]]);
  const drawn = after(feed, { ...edit, rendered_content: "<p>new</p>", rendering_only: true }).messages[0];
  assert.equal(drawn?.last_edit_timestamp, undefined, "what the server renders again was not edited");

  const move = { ...edit, stream_id: 5, message_ids: [2], subject: "tea" };
  assert.deepEqual(ids(after(feed, move)), [1]);
  assert.deepEqual(after(feed, move, { kind: "channel", channelId: 5 }).messages[1]?.subject, "tea");
  assert.equal(feedAfter(feed, TOPIC, { ...move, message_ids: [8], subject: "lunch" } as never, VIEWER), "reload");

  assert.deepEqual(ids(after(feed, { type: "delete_message", message_ids: [1] })), [2]);
  const react = { type: "reaction", op: "add", message_id: 1, emoji_name: "tada", emoji_code: "1f389" };
  const reaction = { ...react, reaction_type: "unicode_emoji", user_id: 3 };
  const reacted = after(after(feed, reaction), reaction);
  assert.equal(reacted.messages[0]?.reactions.length, 1);
  assert.deepEqual(after(reacted, { ...reaction, op: "remove" }).messages[0]?.reactions, []);

  const flags = { type: "update_message_flags", op: "add", flag: "starred", messages: [2], all: false };
  const starred = after(feed, flags);
  assert.deepEqual(starred.messages[1]?.flags, ["starred"]);
  assert.deepEqual(ids(after(starred, { ...flags, op: "remove" }, { kind: "starred" })), [1]);
});

test("only a message at the end is an arrival", () => {
  const at = (...ids: number[]): FeedState => ({
    ...EMPTY_FEED,
    messages: ids.map((id) => ({ id }) as Message),
    isLoaded: true,
    foundNewest: true,
  });
  assert.equal(hasArrival(at(2, 3), at(2, 3, 4)), true);
  assert.equal(hasArrival(at(), at(1)), true);
  assert.equal(hasArrival(at(2, 3), at(1, 2, 3)), false);
  assert.equal(hasArrival(at(2, 3), at(2)), false);
  assert.equal(hasArrival(EMPTY_FEED, at(2, 3)), false);
  assert.equal(hasArrival({ ...at(2, 3), foundNewest: false }, at(2, 3, 4)), false);
});

test("an imported message after a newer message has its own heading", () => {
  const at = (timestamp: number) => channelMessage(1, { timestamp });
  assert.equal(belongTogether(at(5000), at(5060)), true);
  assert.equal(belongTogether(at(5000), at(9000)), false);
  assert.equal(belongTogether(at(9000), at(5000)), false);
});

test("headings stay stable while messages arrive at both ends", () => {
  const startsRun = (one: Message, other: Message) => one.subject !== other.subject;
  const named = (first: number, ...subjects: string[]) =>
    subjects.map((subject, at) => channelMessage(first + at, { subject }));
  const keys = (runs: readonly { key: number }[]) => runs.map(({ key }) => key);
  const [a, b] = [named(5, "lunch", "lunch"), named(7, "tea")];
  const first = runsOf([...a, ...b], startsRun, []);
  assert.deepEqual(
    first.map(({ messages }) => messages.map(({ id }) => id)),
    [[5, 6], [7]],
  );
  const [lunch, tea] = keys(first) as [number, number];
  const grown = runsOf([...named(3, "tea", "lunch"), ...a, ...b, ...named(8, "tea", "lunch")], startsRun, first);
  assert.deepEqual(keys(grown).slice(1, 3), [lunch, tea]);
  assert.equal(new Set(keys(grown)).size, 4);
  // When a run is divided, the parts get different keys.
  const [left, , right] = keys(
    runsOf([...named(5, "lunch", "tea", "lunch")], startsRun, runsOf(named(5, "x", "x", "x"), startsRun, [])),
  );
  assert.notEqual(left, right);
});

test("a feed opens again at what is unread now", async () => {
  const messages = [channelMessage(1, READ), channelMessage(2), channelMessage(3)];
  const call = async () => ({ messages, found_oldest: false, found_newest: true });
  const feed = new Feed({ call } as unknown as Client, TOPIC, VIEWER);
  const comeBack = (at?: number, seen: readonly number[] = []) => {
    feed.comeBack(at, (id) => seen.includes(id));
    return feed.store.value.firstUnread;
  };
  const mark = (op: "add" | "remove", messages: number[]) =>
    feed.apply({ type: "update_message_flags", op, flag: "read", messages, all: false } as unknown as WireEvent);
  await feed.open();
  assert.equal(feed.store.value.firstUnread, 2);
  assert.equal(comeBack(undefined, [2]), 3, "its event is still on the way");
  mark("add", [2, 3]);
  assert.equal(comeBack(), undefined);
  feed.apply({ type: "message", message: channelMessage(4), flags: [] } as unknown as WireEvent);
  assert.equal(comeBack(), 4);
  mark("remove", [1, 2, 3]);
  assert.equal(comeBack(3), 1);
  comeBack();
  assert.equal(feed.store.value.isLoaded, false, "older messages may be unread");
});
