import assert from "node:assert/strict";
import test from "node:test";
import type { Client } from "../../ui/api/client.ts";
import type { State } from "../../ui/api/state-shape.ts";
import { KEYED_ACTIONS, keyedActionOf, keyOf } from "../../ui/chat/actions/shortcuts.ts";
import type { Message } from "../../ui/chat/model/feed-state.ts";
import { findPlaces } from "../../ui/chat/model/find-places.ts";
import { nextUnreadDirect, nextUnreadTopic } from "../../ui/chat/model/next-unread.ts";
import { mergedByTime, Recent, withNewer, withOlder } from "../../ui/chat/model/recent.ts";
import {
  narrowHere,
  searchNarrow,
  searchSuggestions,
  searchTerms,
  searchText,
  unclearTerms,
} from "../../ui/chat/model/search.ts";
import { SPECTATOR_ID } from "../../ui/chat/model/spectating.ts";
import { isTopicMuted } from "../../ui/chat/model/topic-policies.ts";

const SELF = 7;
const person = (user_id: number, full_name: string) => ({ user_id, full_name, email: `user${user_id}@x.y` });
const channel = (stream_id: number, name: string, more = {}) => ({
  stream_id,
  name,
  is_archived: false,
  is_muted: false,
  pin_to_top: false,
  folder_id: null,
  ...more,
});
const STATE = {
  user_id: SELF,
  realm_users: [person(3, "Ada Lovelace"), person(4, "Bo"), person(5, "Bo"), person(SELF, "Ann")],
  subscriptions: [channel(1, "general"), channel(2, "front desk"), channel(3, "noise", { is_muted: true })],
  never_subscribed: [channel(4, "engines")],
  unsubscribed: [],
  user_topics: [
    { stream_id: 1, topic_name: "Loud", visibility_policy: 1 },
    { stream_id: 3, topic_name: "signal", visibility_policy: 3 },
  ],
  recent_private_conversations: [{ user_ids: [4], max_message_id: 9 }],
  unread_msgs: {
    count: 0,
    mentions: [],
    old_unreads_missing: false,
    pms: [{ other_user_id: 4, sender_id: 4, unread_message_ids: [30] }],
    huddles: [{ user_ids_string: "3,4,7", unread_message_ids: [20] }],
    streams: [
      { stream_id: 2, topic: "keys", unread_message_ids: [11] },
      { stream_id: 1, topic: "late", unread_message_ids: [12] },
      { stream_id: 1, topic: "early", unread_message_ids: [10] },
      { stream_id: 1, topic: "loud", unread_message_ids: [1] },
      { stream_id: 3, topic: "hum", unread_message_ids: [2] },
      { stream_id: 3, topic: "Signal", unread_message_ids: [13] },
    ],
  },
} as unknown as State;

test("converts between typed searches and terms", () => {
  const typed =
    'sender:"Ada Lovelace" -mentions:"Ada Lovelace" -has:link channel:"front desk" dm-including:"Ada Lovelace,Bo|5" "two words" boat';
  const terms = searchTerms(STATE, typed);
  assert.deepEqual(terms, [
    { operator: "sender", operand: 3 },
    { operator: "mentions", operand: 3, negated: true },
    { operator: "has", operand: "link", negated: true },
    { operator: "channel", operand: 2 },
    { operator: "dm-including", operand: [3, 5] },
    { operator: "search", operand: '"two words" boat' },
  ]);
  assert.equal(searchText(STATE, terms), typed);
  assert.deepEqual(searchTerms(STATE, "from:user4@x.y sender:me dm:me subject:x"), [
    { operator: "sender", operand: 4 },
    { operator: "sender", operand: "me" },
    { operator: "dm", operand: [SELF] },
    { operator: "topic", operand: "x" },
  ]);
  assert.deepEqual(searchTerms(STATE, "http://x.y 12:30 sender: "), [
    { operator: "search", operand: "http://x.y 12:30 sender:" },
  ]);
  assert.deepEqual(searchTerms(STATE, "sender:nobody"), [{ operator: "sender", operand: "nobody" }]);
  assert.deepEqual(searchNarrow(STATE, "channel:general topic:late"), { kind: "topic", channelId: 1, topic: "late" });
  assert.deepEqual(searchNarrow(STATE, "is:starred"), { kind: "starred" });
  assert.equal(searchNarrow(STATE, "  "), undefined);
  const older = (channel: string) =>
    narrowHere(STATE, {
      kind: "search",
      terms: [
        { operator: "channel", operand: channel },
        { operator: "topic", operand: "keys" },
      ],
    });
  assert.deepEqual(older("Front Desk"), { kind: "topic", channelId: 2, topic: "keys" }, "an older address has names");
  assert.equal(older("nowhere").kind, "search");
  const direct = (...userIds: number[]) => ({ kind: "direct", userIds }) as const;
  assert.deepEqual(narrowHere(STATE, direct(3, 4, SELF)), direct(3, 4), "others' links name oneself");
  assert.deepEqual(narrowHere(STATE, direct(SELF)), direct(SELF), "notes to oneself");
});

test("accepts an unambiguous start of a name", () => {
  const operands = (typed: string) => searchTerms(STATE, typed).map(({ operand }) => operand);
  assert.deepEqual(operands("sender:ada dm:love dm-including:ad,ann channel:eng"), [3, [3], [3, SELF], 4]);
  assert.deepEqual(operands("channel:desk sender:Án"), [2, SELF]);
  assert.deepEqual(operands("is:Unread topic:Eng"), ["unread", "Eng"]);

  const unclear = (typed: string) =>
    unclearTerms(STATE, searchTerms(STATE, typed)).map(({ typed: term, why }) => `${term} ${why}`);
  assert.deepEqual(unclear("sender:a -dm:ada,zoe channel:e boat"), ["sender:a severalPeople", "-dm:ada,zoe nobody"]);
  assert.deepEqual(unclear("sender:bo sender:Bo|5 sender:me dm:me"), ["sender:bo severalPeople"]);
  assert.deepEqual(unclear("channel:zoo channel:4 sender:x@y.z sender:99"), ["channel:zoo noChannel"]);
  assert.deepEqual(unclear("is:red has:link in:home id:x id:5 topic:none"), ["is:red value", "id:x number"]);
  const [value] = unclearTerms(STATE, searchTerms(STATE, "has:x"));
  assert.deepEqual(value?.values, ["link", "image", "attachment", "reaction"]);
});

test("completes the last word of a search", () => {
  const found = (typed: string) =>
    searchSuggestions(STATE, typed, ["engine room", "lunch", "engine room"]).map(({ text }) => text);
  assert.deepEqual(found("boat sender:ad"), ['boat sender:"Ada Lovelace" ']);
  assert.deepEqual(found("sender:bo"), ["sender:Bo|4 ", "sender:Bo|5 "]);
  assert.deepEqual(found('channel:"front d'), ['channel:"front desk" ']);
  assert.deepEqual(found("-is:st"), ["-is:starred "]);
  assert.deepEqual(found("ha"), ["has:"]);
  assert.deepEqual(found("eng"), ["channel:engines ", 'topic:"engine room" ']);
  assert.deepEqual(found('dm:"Ada Lovelace,b'), ['dm:"Ada Lovelace,Bo|4" ', 'dm:"Ada Lovelace,Bo|5" ']);
  assert.equal(found("").length, 11, "every operator is offered");
  assert.deepEqual(found("id:1"), []);
  assert.deepEqual(found("nothing:x"), []);
});

test("does not offer personal filters to anonymous callers", () => {
  const reader = { ...STATE, user_id: SPECTATOR_ID } as State;
  const found = (typed: string) => searchSuggestions(reader, typed, []).map(({ text }) => text);
  assert.deepEqual(found(""), ["sender:", "channel:", "topic:", "is:", "has:", "id:"]);
  assert.deepEqual([found("is:"), found("dm:"), found("sender:me")], [["is:resolved "], [], []]);
  assert.deepEqual(found("sender:ad"), ['sender:"Ada Lovelace" ']);
  assert.deepEqual(
    findPlaces(reader, "en", [], []).map(({ kind, name }) => [kind, name]),
    [
      ["channel", "engines"],
      ["channel", "general"],
    ],
  );
  assert.deepEqual(findPlaces(reader, "@ada", [], []), [], "nobody is written to");
});

test("finds conversations by a part of their name", () => {
  const topics = [
    { channelId: 1, topic: "engine room" },
    { channelId: 2, topic: "boats" },
  ];
  const views = [{ view: "inbox" as const, name: "Inbox" }];
  const found = (typed: string) =>
    findPlaces(STATE, typed, topics, views).map(({ kind, name, within }) => [
      kind,
      within ? `${within} > ${name}` : name,
    ]);
  assert.deepEqual(found("en"), [
    ["channel", "engines"],
    ["topic", "general > engine room"],
    ["channel", "general"],
  ]);
  assert.deepEqual(found("bo"), [
    ["person", "Bo"],
    ["person", "Bo"],
    ["topic", "front desk > boats"],
    ["view", "Inbox"],
  ]);
  assert.deepEqual(found("@bo"), [
    ["person", "Bo"],
    ["person", "Bo"],
  ]);
  assert.deepEqual(found("#bo"), [["topic", "front desk > boats"]]);
  assert.deepEqual(found("desk > b"), [["topic", "front desk > boats"]]);
  assert.deepEqual(findPlaces(STATE, "@", topics, views)[0]?.userId, 4, "the one talked to last comes first");
});

test("the next unread conversation skips muted ones", () => {
  const topic = (channelId: number, name: string) => ({ kind: "topic", channelId, topic: name }) as const;
  assert.deepEqual(nextUnreadTopic(STATE, undefined), topic(2, "keys"));
  assert.deepEqual(nextUnreadTopic(STATE, topic(1, "elsewhere")), topic(1, "early"));
  assert.deepEqual(nextUnreadTopic(STATE, topic(1, "EARLY")), topic(1, "late"));
  assert.deepEqual(nextUnreadTopic(STATE, topic(3, "hum")), topic(3, "Signal"));
  assert.deepEqual(nextUnreadTopic(STATE, undefined, { onlyFollowed: true }), topic(3, "Signal"));
  assert.equal(nextUnreadTopic({ ...STATE, unread_msgs: undefined } as never, undefined), undefined);
  const isSeen = (id: number) => id === 11 || id === 20;
  assert.deepEqual(nextUnreadTopic(STATE, undefined, { isSeen }), topic(1, "early"));
  assert.deepEqual(nextUnreadDirect(STATE, undefined, isSeen), { kind: "direct", userIds: [4] });
  assert.deepEqual(nextUnreadDirect(STATE, undefined), { kind: "direct", userIds: [3, 4] });
  assert.deepEqual(nextUnreadDirect(STATE, { kind: "direct", userIds: [3, 4] }), { kind: "direct", userIds: [4] });
  assert.deepEqual(
    [isTopicMuted(STATE, 1, "LOUD"), isTopicMuted(STATE, 3, "hum"), isTopicMuted(STATE, 3, "signal")],
    [true, true, false],
  );
});

const message = (id: number, subject: string, sender_id: number) =>
  ({
    id,
    subject,
    sender_id,
    stream_id: 1,
    timestamp: id,
    display_recipient: "general",
    flags: [],
  }) as unknown as Message;

test("orders recent conversations by newest message", () => {
  const history = [message(1, "tea", SELF), message(2, "lunch", 3), message(3, "Tea", 4)];
  const loaded = history.reduceRight((all, one) => withOlder(all, one, SELF), [] as ReturnType<typeof withOlder>);
  const shown = (all: typeof loaded) => all.map(({ newestId, senders, hasOwn }) => [newestId, senders, hasOwn]);
  assert.deepEqual(shown(loaded), [
    [3, [4, SELF], true],
    [2, [3], false],
  ]);
  const later = withNewer(loaded, message(4, "LUNCH", SELF), SELF);
  assert.deepEqual(shown(later), [
    [4, [SELF, 3], true],
    [3, [4, SELF], true],
  ]);
});

test("orders imported conversations by their times", () => {
  const conversation = (topic: string, timestamp: number, senders: number[]) =>
    ({ narrow: { kind: "topic", channelId: 1, topic }, newestId: 1, timestamp, senders, hasOwn: false }) as const;
  const live = [conversation("tea", 90, [3]), conversation("lunch", 40, [SELF])];
  const imported = [conversation("boats", 60, [4]), conversation("Tea", 50, [4]), conversation("oars", 10, [4])];
  const merged = mergedByTime([{ conversations: live }, { conversations: imported }]);
  assert.deepEqual(
    merged.map(({ narrow, senders }) => [narrow.kind === "topic" && narrow.topic, senders]),
    [
      ["tea", [3, 4]],
      ["boats", [4]],
      ["lunch", [SELF]],
      ["oars", [4]],
    ],
  );
});

test("loads older conversations by time, imported or not", async () => {
  const asked: string[] = [];
  const page = (...times: number[]) => times.map((timestamp) => message(timestamp, `topic ${timestamp}`, SELF));
  const pages = [page(80, 90), page(20, 70), page(30, 40), page(10)];
  const call = async (_: string, { narrow: [term], anchor }: { narrow: { negated: boolean }[]; anchor: string }) => {
    asked.push(`${term?.negated ? "others" : "imported"} ${anchor}`);
    return { messages: pages[asked.length - 1], found_oldest: asked.length > 2 };
  };
  const recent = new Recent({ call } as unknown as Client, SELF);
  for (let loads = 0; loads < 3; loads += 1) await recent.loadOlder();
  assert.deepEqual(asked, ["others newest", "imported newest", "others 80", "imported 20"]);
  assert.deepEqual(
    recent.store.value.conversations.map(({ timestamp }) => timestamp),
    [90, 80, 70, 40, 30, 20, 10],
  );
  assert.ok(recent.store.value.foundOldest);
});

test("each key has one meaning", () => {
  const keys = KEYED_ACTIONS.flatMap(({ action }) => action.shortcut?.keys ?? []);
  assert.ok(keys.length > 50);
  assert.equal(new Set(keys).size, keys.length);
  const press = (key: string, more = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...more });
  const idOf = (event: ReturnType<typeof press>) => keyedActionOf(event)?.action.id;
  assert.equal(idOf(press("n")), "nextUnreadTopic");
  assert.equal(idOf(press("N")), "nextUnreadFollowed");
  assert.equal(idOf(press("K", { metaKey: true })), "palette");
  assert.equal(idOf(press("k", { altKey: true })), undefined, "Alt is the browser's");
  assert.equal(keyOf(press("@", { ctrlKey: true, altKey: true })), "@", "AltGr is how some write @");
  assert.equal(idOf(press("n", { ctrlKey: true })), undefined, "the browser's new window");
});
