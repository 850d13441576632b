import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { applyEvent } from "../../ui/api/state.ts";
import type { State, WireEvent } from "../../ui/api/state-shape.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SELF = 7;

/** An object with only the fields that the reducer reads. */
const part = <T>(fields: object): T => fields as T;
const channel = (stream_id: number, fields: object = {}) =>
  part<any>({ stream_id, name: `channel ${stream_id}`, subscriber_count: 2, is_muted: false, ...fields });
const noUnread = { count: 0, mentions: [], pms: [], streams: [], huddles: [], old_unreads_missing: false };

const stateWith = (fields: object = {}): State => part({ user_id: SELF, unread_msgs: noUnread, ...fields });
const event = (fields: object): WireEvent => part({ id: 1, ...fields });
const apply = (state: State, ...events: object[]): State =>
  events.reduce<State>((before, one) => applyEvent(before, event(one)), state);

/** The state, deeply frozen, so that a change in place throws. */
const frozen = <T>(value: T): T => {
  if (value !== null && typeof value === "object" && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
};

const inChannel = (id: number, fields: { flags?: string[]; subject?: string; stream_id?: number } = {}) => ({
  type: "message",
  flags: fields.flags ?? [],
  message: {
    ...{ id, type: "stream", display_recipient: "stage", sender_id: 8 },
    ...{ stream_id: fields.stream_id ?? 1, subject: fields.subject ?? "plans" },
  },
});
const direct = (id: number, people: number[], flags: string[] = []) => ({
  type: "message",
  flags,
  message: { id, type: "private", subject: "", display_recipient: people.map((person) => ({ id: person })) },
});

test("a message raises the newest id and counts as unread", () => {
  const state = frozen(stateWith({ max_message_id: 4, subscriptions: [channel(1)] }));
  const after = apply(state, inChannel(5), inChannel(6, { flags: ["read"] }), inChannel(7, { subject: "PLANS" }));
  assert.equal(after.max_message_id, 7);
  assert.deepEqual(after.unread_msgs, {
    ...noUnread,
    count: 2,
    streams: [{ stream_id: 1, topic: "PLANS", unread_message_ids: [5, 7] }],
  });
  assert.equal(apply(state, inChannel(3)).max_message_id, 4);
});

test("personal and wildcard mentions are both remembered", () => {
  const flags = [["mentioned"], ["stream_wildcard_mentioned"], ["topic_wildcard_mentioned"], ["has_alert_word"]];
  const after = apply(stateWith(), ...flags.map((own, index) => inChannel(index + 1, { flags: own })));
  assert.deepEqual(after.unread_msgs?.mentions, [1, 2, 3]);
});

test("the unread count excludes muted channels", () => {
  const subscriptions = [channel(1), channel(2, { is_muted: true })];
  const after = apply(stateWith({ subscriptions }), inChannel(1), inChannel(2, { stream_id: 2 }), direct(3, [SELF, 8]));
  assert.equal(after.unread_msgs?.count, 2);
  assert.equal(after.unread_msgs?.streams.length, 2);
});

test("direct messages are grouped by participants, newest first", () => {
  const state = frozen(stateWith({ recent_private_conversations: [{ max_message_id: 1, user_ids: [8] }] }));
  const after = apply(state, direct(2, [SELF]), direct(3, [SELF, 8, 9]), direct(4, [SELF, 8]), direct(5, [SELF, 8]));
  assert.deepEqual(after.recent_private_conversations, [
    { max_message_id: 5, user_ids: [8] },
    { max_message_id: 3, user_ids: [8, 9] },
    { max_message_id: 2, user_ids: [] },
  ]);
  assert.deepEqual(after.unread_msgs, {
    ...noUnread,
    count: 4,
    pms: [
      { other_user_id: SELF, sender_id: SELF, unread_message_ids: [2] },
      { other_user_id: 8, sender_id: 8, unread_message_ids: [4, 5] },
    ],
    huddles: [{ user_ids_string: "7,8,9", unread_message_ids: [3] }],
  });
});

test("reading removes unread messages, unreading restores them", () => {
  const state = frozen(apply(stateWith(), inChannel(1, { flags: ["mentioned"] }), inChannel(2), direct(3, [SELF, 8])));
  const flags = { type: "update_message_flags", flag: "read", all: false };
  const read = frozen(apply(state, { ...flags, op: "add", messages: [1, 3] }));
  assert.deepEqual(read.unread_msgs, {
    ...noUnread,
    count: 1,
    streams: [{ stream_id: 1, topic: "plans", unread_message_ids: [2] }],
  });
  const message_details = {
    1: { type: "stream", stream_id: 1, topic: "plans", mentioned: true },
    3: { type: "private", user_ids: [8] },
  };
  const unread = apply(read, { ...flags, op: "remove", messages: [1, 3], message_details });
  assert.deepEqual(unread.unread_msgs, state.unread_msgs);
});

test("starred flags change the state, other flags do not", () => {
  const state = frozen(stateWith({ starred_messages: [2, 9] }));
  const flags = { type: "update_message_flags", all: false };
  const starred = apply(state, { ...flags, flag: "starred", op: "add", messages: [5, 2] });
  assert.deepEqual(starred.starred_messages, [2, 5, 9]);
  const less = apply(starred, { ...flags, flag: "starred", op: "remove", messages: [2, 9] });
  assert.deepEqual(less.starred_messages, [5]);
  assert.equal(apply(state, { ...flags, flag: "collapsed", op: "add", messages: [2] }), state);
});

test("reactions and votes do not change the state", () => {
  const state = frozen(apply(stateWith({ starred_messages: [1] }), inChannel(1)));
  const reaction = { type: "reaction", op: "add", message_id: 1, user_id: 8, emoji_name: "tada", emoji_code: "1f389" };
  assert.equal(apply(state, reaction, { ...reaction, op: "remove" }), state);
  const vote = { type: "submessage", msg_type: "widget", message_id: 1, submessage_id: 1, sender_id: 8, content: "{}" };
  assert.equal(apply(state, vote), state);
});

test("moved messages are unread in their new topic", () => {
  const state = frozen(apply(stateWith(), inChannel(1), inChannel(2, { flags: ["mentioned"] }), inChannel(3)));
  const moved = { type: "update_message", message_id: 2, message_ids: [2, 3, 99], flags: ["mentioned"] };
  const renamed = apply(state, { ...moved, subject: "other", orig_subject: "plans" });
  assert.deepEqual(renamed.unread_msgs?.streams, [
    { stream_id: 1, topic: "plans", unread_message_ids: [1] },
    { stream_id: 1, topic: "other", unread_message_ids: [2, 3] },
  ]);
  assert.deepEqual(renamed.unread_msgs?.mentions, [2]);
  const elsewhere = apply(state, { ...moved, message_ids: [1, 2, 3], new_stream_id: 2 });
  assert.deepEqual(elsewhere.unread_msgs?.streams, [{ stream_id: 2, topic: "plans", unread_message_ids: [1, 2, 3] }]);
  assert.equal(elsewhere.unread_msgs?.count, 3);
  assert.equal(apply(state, { ...moved, content: "edited" }), state);
});

test("an edit updates the mentions of unread messages", () => {
  const state = frozen(apply(stateWith(), inChannel(1), inChannel(2, { flags: ["read"] })));
  const edited = { type: "update_message", rendering_only: false, content: "@**Me**" };
  const mentioned = { ...edited, flags: ["mentioned"] };
  const once = apply(state, { ...mentioned, message_id: 1, message_ids: [1] });
  assert.deepEqual(once.unread_msgs?.mentions, [1]);
  assert.deepEqual(apply(once, { ...edited, flags: [], message_id: 1, message_ids: [1] }).unread_msgs?.mentions, []);
  const read = apply(state, { ...mentioned, flags: ["read", "mentioned"], message_id: 2, message_ids: [2] });
  assert.deepEqual(read.unread_msgs?.mentions, []);
});

test("deleted messages lose their unread and starred state", () => {
  const state = frozen(apply(stateWith({ starred_messages: [1, 5] }), inChannel(1), direct(2, [SELF, 8])));
  const after = apply(state, { type: "delete_message", message_ids: [1, 2], message_type: "stream" });
  assert.deepEqual(after.unread_msgs, noUnread);
  assert.deepEqual(after.starred_messages, [5]);
});

test("people join, leave, deactivate and reactivate", () => {
  const active = { is_active: true, role: 400, is_admin: false };
  const state = frozen(
    stateWith({ realm_users: [{ user_id: SELF, ...active }], realm_non_active_users: [], is_guest: false }),
  );
  const lists = ({ realm_users, realm_non_active_users }: typeof state) =>
    [realm_users, realm_non_active_users].map((list) => list?.map(({ user_id }) => user_id));
  const joined = apply(state, { type: "realm_user", op: "add", person: { user_id: 9, ...active } });
  assert.deepEqual(lists(joined), [[SELF, 9], []]);
  const gone = apply(joined, { type: "realm_user", op: "update", person: { user_id: 9, is_active: false } });
  assert.deepEqual(lists(gone), [[SELF], [9]]);
  const back = apply(gone, { type: "realm_user", op: "update", person: { user_id: 9, is_active: true } });
  assert.deepEqual(lists(back), [[SELF, 9], []]);
  const hidden = apply(back, { type: "realm_user", op: "remove", person: { user_id: 9, full_name: "" } });
  assert.deepEqual(lists(hidden), [[SELF], []]);
  const raised = apply(back, { type: "realm_user", op: "update", person: { user_id: SELF, role: 200 } });
  assert.deepEqual([raised.realm_users?.[0]?.is_admin, raised["is_admin"], raised["is_moderator"]], [true, true, true]);
});

test("members join and leave a group", () => {
  const state = frozen(
    stateWith({
      realm_user_groups: [
        { id: 1, members: [8] },
        { id: 2, members: [8] },
      ],
    }),
  );
  const added = apply(state, { type: "user_group", op: "add_members", group_id: 1, user_ids: [9, SELF] });
  assert.deepEqual(
    added.realm_user_groups?.map(({ members }) => members),
    [[7, 8, 9], [8]],
  );
  const removed = apply(added, { type: "user_group", op: "remove_members", group_id: 1, user_ids: [8] });
  assert.deepEqual(removed.realm_user_groups?.[0]?.members, [7, 9]);
});

const lists = (state: State) =>
  Object.fromEntries(
    (["subscriptions", "unsubscribed", "never_subscribed", "streams"] as const).map((list) => [
      list,
      state[list]?.map(({ stream_id }) => stream_id),
    ]),
  );
const withChannels = (fields: object = {}) =>
  frozen(
    stateWith({
      subscriptions: [channel(1, { subscribers: [SELF, 8] })],
      unsubscribed: [channel(2, { subscribers: [8, 9] })],
      never_subscribed: [channel(3, { subscribers: [8, 9] })],
      streams: [channel(1), channel(2), channel(3)],
      ...fields,
    }),
  );

test("a new channel counts as never subscribed", () => {
  const after = apply(withChannels(), { type: "stream", op: "create", streams: [channel(4), channel(1)] });
  assert.deepEqual(lists(after), {
    subscriptions: [1],
    unsubscribed: [2],
    never_subscribed: [3, 4],
    streams: [1, 2, 3, 4],
  });
});

test("a deleted channel disappears from every list", () => {
  const streams = [{ stream_id: 1 }, { stream_id: 3 }];
  const after = apply(withChannels(), { type: "stream", op: "delete", streams, stream_ids: [1, 3] });
  assert.deepEqual(lists(after), { subscriptions: [], unsubscribed: [2], never_subscribed: [], streams: [2] });
});

test("a channel's property changes in every list", () => {
  const update = { type: "stream", op: "update", stream_id: 3, name: "channel 3", property: "name", value: "new" };
  const after = apply(withChannels(), update);
  assert.equal(after.never_subscribed?.[0]?.name, "new");
  assert.equal(after.streams?.[2]?.name, "new");
  assert.equal(after.subscriptions?.[0]?.name, "channel 1");
});

test("subscribing and unsubscribing move a channel between lists", () => {
  const subscriptions = [2, 3].map((id) => channel(id, { subscribers: [SELF, 8, 9], subscriber_count: 3 }));
  const joined = frozen(apply(withChannels(), { type: "subscription", op: "add", subscriptions }));
  assert.deepEqual(lists(joined), {
    subscriptions: [1, 2, 3],
    unsubscribed: [],
    never_subscribed: [],
    streams: [1, 2, 3],
  });
  assert.deepEqual(
    joined.streams?.map(({ subscriber_count }) => subscriber_count),
    [2, 3, 3],
  );
  const left = apply(joined, { type: "subscription", op: "remove", subscriptions: [{ stream_id: 3, name: "x" }] });
  assert.deepEqual(lists(left), { subscriptions: [1, 2], unsubscribed: [3], never_subscribed: [], streams: [1, 2, 3] });
  const [former] = left.unsubscribed ?? [];
  assert.deepEqual([former?.subscriber_count, former?.subscribers], [2, [8, 9]]);
  assert.equal(left.streams?.[2]?.subscriber_count, 2);
});

test("subscriptions of others change counts and lists", () => {
  const state = withChannels({ unsubscribed: [channel(2, { partial_subscribers: [8] })] });
  const joined = apply(state, { type: "subscription", op: "peer_add", stream_ids: [1, 2], user_ids: [10, 9] });
  assert.deepEqual(joined.subscriptions?.[0]?.subscribers, [SELF, 8, 9, 10]);
  const [former] = joined.unsubscribed as unknown as [{ subscribers?: unknown; partial_subscribers?: unknown }];
  assert.deepEqual([former.subscribers, former.partial_subscribers], [undefined, [8, 9, 10]]);
  assert.deepEqual(
    joined.streams?.map((one) => [one.subscriber_count, "subscribers" in one]),
    [
      [4, false],
      [4, false],
      [2, false],
    ],
  );
  const left = apply(joined, { type: "subscription", op: "peer_remove", stream_ids: [1], user_ids: [8] });
  assert.deepEqual([left.subscriptions?.[0]?.subscriber_count, left.subscriptions?.[0]?.subscribers], [3, [7, 9, 10]]);
});

test("an event replaces the default channels", () => {
  const state = frozen(stateWith({ realm_default_streams: [1] }));
  const after = apply(state, { type: "default_streams", default_streams: [2, 3] });
  assert.deepEqual(after.realm_default_streams, [2, 3]);
});

test("heartbeats and unknown events change nothing", () => {
  const state = withChannels();
  assert.equal(apply(state, { type: "heartbeat" }), state);
  assert.equal(apply(state, { type: "weather", op: "rain" }), state);
});

test("events do not add parts that were not requested", () => {
  const state: State = frozen({ queue_id: "x", user_id: SELF });
  const after = apply(
    state,
    ...[inChannel(1), direct(2, [SELF, 8])],
    { type: "update_message_flags", flag: "starred", op: "add", messages: [1], all: false },
    { type: "update_message_flags", flag: "read", op: "add", messages: [1], all: false },
    { type: "update_message", message_id: 1, message_ids: [1], flags: [], subject: "x", orig_subject: "y" },
    { type: "delete_message", message_ids: [1], message_type: "stream" },
    { type: "realm_user", op: "add", person: { user_id: 9 } },
    { type: "user_group", op: "add_members", group_id: 1, user_ids: [9] },
    { type: "stream", op: "create", streams: [channel(4)] },
    { type: "stream", op: "delete", streams: [], stream_ids: [4] },
    { type: "subscription", op: "add", subscriptions: [channel(1)] },
    { type: "subscription", op: "remove", subscriptions: [{ stream_id: 1, name: "x" }] },
    { type: "subscription", op: "peer_add", stream_ids: [1], user_ids: [9] },
    { type: "default_streams", default_streams: [1] },
  );
  assert.deepEqual(after, state);
});

test("untouched parts stay the same objects", () => {
  const state = withChannels({ realm_users: [{ user_id: SELF }], starred_messages: [1] });
  const after = apply(state, inChannel(9));
  for (const name of ["realm_users", "starred_messages", "subscriptions", "streams"] as const)
    assert.equal(after[name], state[name], name);
});

test("an event type without a case fails to compile", async (t) => {
  mkdirSync(join(ROOT, ".build"), { recursive: true });
  const folder = mkdtempSync(join(ROOT, ".build", "types-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(
    join(folder, "weather.ts"),
    `import "../../server/events/catalogue.ts";
    declare module "../../server/events/catalogue.ts" { interface Events { weather: { type: "weather" } } }`,
  );
  const options = { extends: "../../tsconfig.json", files: ["weather.ts", "../../ui/api/state.ts"], include: [] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(options));
  // Several checkers would each check the shared types.
  const args = [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", ".", "--checkers", "1"];
  const tsc = spawn(process.execPath, args, { cwd: folder });
  let output = "";
  for (const stream of [tsc.stdout, tsc.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  await once(tsc, "close");
  // If all other types are complete, the new one is the only error.
  const [error, ...more] = output.split("\n").filter((line) => line.includes("state.ts"));
  assert.match(error ?? "", /"weather".*not assignable to parameter of type 'never'/);
  assert.deepEqual(more, []);
});

test("topic policies ignore case, and policy 0 removes one", () => {
  const unread = { ...noUnread, streams: [{ stream_id: 1, topic: "Lunch", unread_message_ids: [5, 6] }], count: 2 };
  const state = frozen(stateWith({ subscriptions: [channel(1)], unread_msgs: unread, user_topics: [] }));
  const policy = (topic_name: string, visibility_policy: number) => ({
    ...{ type: "user_topic", stream_id: 1, topic_name, last_updated: 3, visibility_policy },
  });
  const kept = (topic_name: string, visibility_policy: number) => [
    { stream_id: 1, topic_name, last_updated: 3, visibility_policy },
  ];
  const muted = apply(state, policy("LUNCH", 1));
  assert.deepEqual([muted.user_topics, muted.unread_msgs?.count], [kept("LUNCH", 1), 0]);
  const followed = apply(muted, policy("lunch", 3));
  assert.deepEqual([followed.user_topics, followed.unread_msgs?.count], [kept("lunch", 3), 2]);
  assert.deepEqual(apply(followed, policy("lunch", 0)).user_topics, []);
  const { user_topics: _, ...without } = state;
  assert.deepEqual(apply(without, policy("lunch", 1)), without);
});

test("the legacy muted_topics list follows its event and channel changes", () => {
  const user_topics = [{ stream_id: 1, topic_name: "lunch", last_updated: 3, visibility_policy: 1 }];
  const streams = [channel(1), channel(2)];
  const state = frozen(stateWith({ streams, user_topics, muted_topics: [["channel 1", "lunch", 3]] }));
  const rename = { type: "stream", op: "update", stream_id: 1, name: "channel 1", property: "name", value: "stage" };
  assert.deepEqual(apply(state, rename).muted_topics, [["stage", "lunch", 3]]);
  const gone = apply(state, { type: "stream", op: "delete", streams: [{ stream_id: 1 }], stream_ids: [1] });
  assert.deepEqual([gone.muted_topics, gone.user_topics], [[], user_topics]);
  assert.deepEqual(
    apply(gone, { type: "stream", op: "create", streams: [channel(1)] }).muted_topics,
    state.muted_topics,
  );
  const list = [["channel 2", "dinner", 4]];
  assert.deepEqual(apply(state, { type: "muted_topics", muted_topics: list }).muted_topics, list);
  assert.equal("muted_topics" in apply(stateWith(), { type: "muted_topics", muted_topics: list }), false);
});
