import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { type Client, Refusal } from "../../ui/api/client.ts";
import type { Channel, State, WireEvent } from "../../ui/api/state-shape.ts";
import { completionsFor, typedWord } from "../../ui/chat/composer/completion-search.ts";
import { adminAddressAt } from "../../ui/chat/model/admin-addresses.ts";
import { EMPTY_FEED, type FeedState, feedAfter, type Message, type Viewer } from "../../ui/chat/model/feed-state.ts";
import {
  addressOf,
  type Narrow,
  narrowKey,
  overlayAt,
  type Place,
  placeAt,
  termsOf,
} from "../../ui/chat/model/narrow.ts";
import { Outbox } from "../../ui/chat/model/outbox.ts";
import {
  administers,
  closedBecause,
  creatableKinds,
  mayAddSubscribers,
  mayCreateChannels,
  mayDelete,
  mayEdit,
  mayJoin,
  mayMove,
  mayRemoveSubscribers,
  mayResolve,
  topicsIn,
} from "../../ui/chat/model/permissions.ts";
import { SPECTATOR_ID } from "../../ui/chat/model/spectating.ts";
import { BrowserMemory } from "../support/browser-memory.ts";
import { channelMessage } from "../support/channel-message.ts";
import { until } from "../support/patience.ts";

const SELF = 7;
const at = (narrow: Narrow, near?: number): Place => ({ page: "messages", narrow, near });

test("places and their addresses belong together", () => {
  const topic = { kind: "topic", channelId: 5, topic: "Lunch? 50% (off), naïve & 日本" } as const;
  for (const place of [
    at({ kind: "channel", channelId: 5 }),
    at(topic),
    at(topic, 123),
    at({ ...topic, topic: "" }),
    at({ kind: "direct", userIds: [3] }),
    at({ kind: "direct", userIds: [3, 12] }, 9),
    at({ kind: "mentions" }),
    at({ kind: "starred" }),
    at({ kind: "feed" }),
    at({ kind: "reactions" }, 4),
    at({ kind: "followed" }),
    at({ kind: "directs" }),
    at({ kind: "search", terms: [{ operator: "search", operand: "“boats” /" }] }),
    at({
      kind: "search",
      terms: [
        { operator: "channel", operand: 5 },
        { operator: "has", operand: "link", negated: true },
        { operator: "dm-including", operand: [3, 12] },
        { operator: "sender", operand: 3 },
      ],
    }),
    { page: "recent" } as const,
    { page: "topics", channelId: 5 } as const,
  ])
    assert.deepEqual(
      withoutUndefined(placeAt(addressOf(place, "new & general"))),
      withoutUndefined(place),
      addressOf(place),
    );
  assert.equal(addressOf(at(topic, 1), "general chat"), `#narrow/channel/5-general-chat/topic/${encoded}/near/1`);
});
const encoded = "Lunch.3F.2050.25.20.28off.29.2C.20na.C3.AFve.20.26.20.E6.97.A5.E6.9C.AC";

test("addresses of the public web client are understood", () => {
  const cases: [string, Place][] = [
    ["#narrow/stream/5-general/subject/lunch", at({ kind: "topic", channelId: 5, topic: "lunch" })],
    ["#narrow/channel/5-general/topic/lunch/with/44", at({ kind: "topic", channelId: 5, topic: "lunch" }, 44)],
    ["#narrow/pm-with/12,3-group/near/8", at({ kind: "direct", userIds: [3, 12] }, 8)],
    ["#narrow/dm/3-Ada-Lovelace", at({ kind: "direct", userIds: [3] })],
    ["", { page: "inbox" }],
    ["#inbox", { page: "inbox" }],
    ["#narrow/channel/general", at({ kind: "search", terms: [{ operator: "channel", operand: "general" }] })],
    ["#narrow/dm/nobody", at({ kind: "search", terms: [{ operator: "dm", operand: "nobody" }] })],
    ["#narrow/channel/5/topic/.E0.A4.A", at({ kind: "topic", channelId: 5, topic: ".E0.A4.A" })],
    ["#<script>", { page: "inbox" }],
    ["#topics/channel/5-general", { page: "topics", channelId: 5 }],
    ["#topics/channel/", { page: "inbox" }],
    ["#streams/5/general", { page: "topics", channelId: 5 }],
    ["#channels/all", { page: "inbox" }],
    ["#recent_topics", { page: "recent" }],
    ["#feed", at({ kind: "feed" })],
    ["#all_messages", at({ kind: "feed" })],
    ["#narrow/is/dm", at({ kind: "directs" })],
    ["#narrow/has/reaction/sender/me", at({ kind: "reactions" })],
    [
      "#narrow/channel/5-general/search/old.20boat",
      at({ kind: "search", terms: [{ operator: "channel", operand: 5 }, word("old boat")] }),
    ],
    [
      "#narrow/-is/starred/sender/12-Ada",
      at({
        kind: "search",
        terms: [
          { operator: "is", operand: "starred", negated: true },
          { operator: "sender", operand: 12 },
        ],
      }),
    ],
    ["#narrow/smell/sweet", { page: "inbox" }],
  ];
  for (const [hash, place] of cases) assert.deepEqual(withoutUndefined(placeAt(hash)), withoutUndefined(place), hash);
  for (const [hash, overlay] of [
    ["#channels/all", { kind: "browse" }],
    ["#streams/subscribed", { kind: "browse" }],
    ["#user/9", { kind: "person", userId: 9 }],
    ["#keyboard-shortcuts", { kind: "help", section: "keys" }],
    ["#message-formatting", { kind: "help", section: "formatting" }],
    ["#search-operators", { kind: "help", section: "operators" }],
    ["#about-zulip", { kind: "help", section: "about" }],
    ["#channels/new", { kind: "newChannel" }],
    ["#channels/5/general", undefined],
    ["#channels/5/general/subscribers", { kind: "channel", channelId: 5, section: "people" }],
    ["#channels/5/general/constructor", undefined],
    ["#constructor", undefined],
    ["#groups", { kind: "groups" }],
    ["#groups/all", { kind: "groups" }],
    ["#groups/7/crew", { kind: "group", groupId: 7 }],
    ["#narrow/channel/5", undefined],
  ] as const)
    assert.deepEqual(overlayAt(hash), overlay, hash);

  const administrator = { mayManage: true, isGuest: false };
  const member = { mayManage: false, isGuest: false };
  const guest = { mayManage: false, isGuest: true };
  for (const [hash, who, address] of [
    ["#organization", administrator, "/admin/#/organization"],
    ["#organization/organization-permissions", administrator, "/admin/#/permissions"],
    ["#organization/users/active", administrator, "/admin/#/people"],
    ["#organization/users/active", member, "/admin/#/own"],
    ["#organization/bots", member, "/admin/#/bots"],
    ["#organization/bots", guest, undefined],
    ["#invite", member, "/admin/#/invitations"],
    ["#invite", guest, undefined],
    ["#inbox", administrator, undefined],
  ] as const)
    assert.equal(adminAddressAt(hash, who), address, hash);
});
const word = (operand: string) => ({ operator: "search", operand });
const withoutUndefined = (value: unknown) => JSON.parse(JSON.stringify(value));

test("topics differ by more than letter case", () => {
  const key = (topic: string) => narrowKey({ kind: "topic", channelId: 5, topic });
  assert.equal(key("Lunch"), key("lUNCH"));
  assert.notEqual(key("Lunch"), key("Lunch "));
});

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
const ids = ({ messages }: FeedState) => messages.map(({ id }) => id);

test("a feed takes the messages of its narrow, once and in order", () => {
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

/** A server that answers each send as it is told to, and notes what it got. */
function startOutbox(t: TestContext, keep = new BrowserMemory()) {
  const got: { content: string; local_id: string; queue_id: string }[] = [];
  const answers: (() => Promise<{ id: number }>)[] = [];
  const client = {
    call: (_route: string, input: (typeof got)[number]) => {
      got.push(input);
      return (answers.shift() ?? (() => Promise.resolve({ id: got.length })))();
    },
  } as unknown as Client;
  const outbox = new Outbox({ client, storage: keep, userId: SELF });
  t.after(() => outbox.stop());
  return { outbox, got, answers, keep };
}
const TO = { channelId: 5, topic: "lunch" };
const states = ({ store }: Outbox) => store.value.map(({ content, state }) => [content, state]);

const becomes = (actual: () => unknown, expected: unknown) =>
  until(() => isDeepStrictEqual(actual(), expected) || undefined, JSON.stringify(expected));

test("messages are sent in order, and leave when they come back as events", async (t) => {
  const { outbox, got, keep } = startOutbox(t);
  outbox.add(TO, "one", "q");
  outbox.add(TO, "two", "q");
  await becomes(
    () => states(outbox),
    [
      ["one", "sent"],
      ["two", "sent"],
    ],
  );
  assert.deepEqual(
    got.map(({ content }) => content),
    ["one", "two"],
  );
  outbox.arrived(1, got[0]?.local_id);
  outbox.arrived(2);
  assert.deepEqual([states(outbox), keep.length], [[], 0]);
});

test("a message that came back before the answer is not shown twice", async (t) => {
  const { outbox, answers } = startOutbox(t);
  let answer: (value: { id: number }) => void = () => {};
  answers.push(() => new Promise((resolve) => (answer = resolve)));
  outbox.add(TO, "one", "q");
  outbox.arrived(44);
  answer({ id: 44 });
  await becomes(() => states(outbox), []);
});

test("an outage is waited for, with the same local id", async (t) => {
  const { outbox, got, answers } = startOutbox(t);
  const busy = () => Promise.reject(new Refusal(503, { msg: "It restarts.", code: "SERVER_NOT_READY" }));
  answers.push(() => Promise.reject(new TypeError("fetch failed")), busy);
  outbox.add(TO, "one", "q");
  await becomes(() => states(outbox), [["one", "waiting"]]);
  await becomes(() => {
    outbox.wake();
    return states(outbox);
  }, [["one", "sent"]]);
  assert.equal(got.length, 3);
  assert.equal(new Set(got.map(({ local_id, queue_id }) => `${local_id} ${queue_id}`)).size, 1);
});

test("a refusal is shown, and a person decides", async (t) => {
  const { outbox, got, answers } = startOutbox(t);
  answers.push(() => Promise.reject(new Refusal(400, { msg: "Not here.", code: "BAD_REQUEST" })));
  outbox.add(TO, "one", "q");
  outbox.add(TO, "two", "q");
  await becomes(
    () => states(outbox),
    [
      ["one", "failed"],
      ["two", "sent"],
    ],
  );
  assert.equal(outbox.store.value[0]?.error, "Not here.");
  outbox.retry(got[0]?.local_id ?? "", "q2");
  await becomes(
    () => states(outbox),
    [
      ["two", "sent"],
      ["one", "sent"],
    ],
  );
  assert.notEqual(got[2]?.local_id, got[0]?.local_id);
});

test("a reload loses nothing, and sends nothing of another person", async (t) => {
  const keep = new BrowserMemory();
  const first = startOutbox(t, keep);
  first.answers.push(() => new Promise(() => {}));
  first.outbox.add(TO, "one", "q");
  first.outbox.stop();
  const other = { ...first.outbox.store.value[0], localId: "other", content: "another person's" };
  keep.setItem("hearth-outbox-8-other", JSON.stringify(other));
  const second = startOutbox(t, keep);
  await becomes(() => states(second.outbox), [["one", "sent"]]);
  assert.deepEqual(
    second.got.map(({ local_id }) => local_id),
    [first.got[0]?.local_id],
  );
});

test("words at the caret are completed", () => {
  const state = {
    realm_users: [
      { user_id: 3, full_name: "Ann Lee", avatar_url: "" },
      { user_id: 4, full_name: "Joanna", avatar_url: "" },
      { user_id: 5, full_name: "Bo", avatar_url: "", email: "bo@example.com" },
      { user_id: 6, full_name: "Bo", avatar_url: "", email: "bo6@example.com" },
      { user_id: 9, full_name: "Zoë Åkesson", avatar_url: "" },
    ],
    subscriptions: [{ name: "general", is_archived: false }],
    realm_emoji: {
      7: { name: "parrot", source_url: "/parrot.gif", deactivated: false },
      8: { name: "parsnip", source_url: "/parsnip.gif", deactivated: true },
    },
    realm_user_groups: [{ name: "annexe", description: "aboard", is_system_group: false, deactivated: false }],
  } as never;
  const emoji = [{ code: "1f389", names: ["tada", "party_popper"] }];
  const found = (text: string) => {
    const word = typedWord(text, text.length);
    return (
      word &&
      completionsFor(state, { emoji, topicsOf: () => ["lunch", "late lunch", "tea"], nearby: () => [9, 6] }, word).map(
        ({ text: whole, hint = "" }) => (hint ? `${whole} ${hint}` : whole),
      )
    );
  };
  assert.deepEqual(found("hello @ann"), ["@**Ann Lee**", "@*annexe* aboard", "@**Joanna**"]);
  assert.deepEqual(found("@bo"), ["@**Bo|6** bo6@example.com", "@**Bo|5** bo@example.com"], "who writes here first");
  assert.deepEqual([found("@ake"), found("@zoe")], [["@**Zoë Åkesson**"], ["@**Zoë Åkesson**"]]);
  assert.equal(found("@a")?.[0], "@**Zoë Åkesson**");
  assert.deepEqual(found("see #gen"), ["#**general**"]);
  assert.deepEqual(found("see #general>lun"), ["#**general>lunch**", "#**general>late lunch**"]);
  assert.deepEqual(found("see #nowhere>lun"), []);
  assert.deepEqual(found("/p"), ["/poll", "/ping"]);
  assert.deepEqual(found("great :par"), [":parrot:", ":party_popper:"]);
  for (const text of ["ann@lee", "a # b", "12:30", "@**Ann Lee** hello", "plain", "and /po"])
    assert.deepEqual(found(text) ?? [], [], text);
});

test("nothing is written where it would be refused", () => {
  const [everybody, crew] = [1, 2];
  const channel = (stream_id: number, can_send_message_group: number, more = {}) => ({
    stream_id,
    can_send_message_group,
    ...more,
  });
  const state = {
    user_id: SELF,
    realm_users: [
      { user_id: 3, is_active: true, is_bot: false },
      { user_id: 4, is_active: true, is_bot: true },
    ],
    realm_non_active_users: [{ user_id: 9, is_active: false, is_bot: false }],
    realm_direct_message_permission_group: 5,
    realm_user_groups: [
      { id: everybody, members: [SELF, 3], direct_subgroup_ids: [] },
      { id: crew, members: [3], direct_subgroup_ids: [] },
      { id: 5, name: "role:nobody", members: [], direct_subgroup_ids: [] },
    ],
    subscriptions: [
      channel(1, everybody, { topics_policy: "inherit" }),
      channel(2, crew, { topics_policy: "empty_topic_only" }),
      channel(3, everybody, { topics_policy: "disable_empty_topic", is_archived: true }),
    ],
    realm_mandatory_topics: true,
  } as never;
  const inChannel = (channelId: number) => ({ kind: "channel", channelId }) as const;
  const direct = (...userIds: number[]) => ({ kind: "direct", userIds }) as const;
  const reasons = [1, 2, 3, 404].map((id) => closedBecause(state, inChannel(id)));
  assert.deepEqual(reasons, [undefined, "readOnly", "archived", "gone"]);
  assert.deepEqual(
    [direct(3), direct(3, 9), direct(4), direct(SELF)].map((narrow) => closedBecause(state, narrow)),
    ["noDirect", "deactivated", undefined, undefined],
  );
  assert.equal(
    closedBecause({ ...(state as object), user_id: 3 } as never, inChannel(2)),
    undefined,
    "for the crew it is",
  );
  assert.deepEqual(
    [inChannel(1), inChannel(2), inChannel(3), direct(3)].map((narrow) => topicsIn(state, narrow)),
    ["needed", "none", "needed", "needed"],
  );
});

test("what is offered follows roles, settings and limits", () => {
  const [everybody, members, moderators, crew] = [1, 2, 3, 4];
  const group = (id: number, ids: number[], direct_subgroup_ids: number[] = []) => ({
    id,
    members: ids,
    direct_subgroup_ids,
  });
  const rights = {
    can_administer_channel_group: moderators,
    can_delete_any_message_group: moderators,
    can_delete_own_message_group: moderators,
    can_move_messages_out_of_channel_group: moderators,
    can_move_messages_within_channel_group: moderators,
    can_resolve_topics_group: moderators,
  };
  const base = {
    user_id: SELF,
    realm_user_groups: [
      group(everybody, [9], [members]),
      group(members, [SELF], [moderators]),
      group(moderators, [3]),
      group(crew, [SELF], [crew]),
    ],
    subscriptions: [
      { stream_id: 5, ...rights },
      { stream_id: 6, ...rights, can_delete_any_message_group: { direct_members: [], direct_subgroups: [crew] } },
    ],
    realm_allow_message_editing: true,
    realm_message_content_edit_limit_seconds: 600,
    realm_message_content_delete_limit_seconds: null,
    realm_can_delete_any_message_group: moderators,
    realm_can_delete_own_message_group: everybody,
    realm_can_move_messages_between_topics_group: moderators,
    realm_can_move_messages_between_channels_group: moderators,
    realm_can_resolve_topics_group: members,
    can_create_public_streams: true,
    can_create_private_streams: false,
    can_create_web_public_streams: false,
    can_subscribe_other_users: false,
  };
  const state = base as unknown as State;
  const own = channelMessage(100, { sender_id: SELF, submessages: [] });
  const others = channelMessage(100);
  const soon = (100 + 599) * 1000;
  const late = (100 + 600) * 1000;
  assert.deepEqual(
    [mayEdit(state, own, soon), mayEdit(state, own, late), mayEdit(state, others, soon)],
    [true, false, false],
  );
  assert.deepEqual([mayDelete(state, own, late), mayDelete(state, others, soon)], [true, false]);
  assert.equal(mayDelete(state, channelMessage(100, { stream_id: 6 }), late), true, "where the channel permits it");
  assert.deepEqual([mayMove(state, 5), mayResolve(state, 5), mayCreateChannels(state)], [false, true, true]);
  const moderator = { ...state, user_id: 3, can_create_public_streams: false } as State;
  assert.deepEqual(
    [mayDelete(moderator, others, late), mayMove(moderator, 5), mayResolve(moderator, 5), mayCreateChannels(moderator)],
    [true, true, true, false],
  );
  const guest = { ...state, user_id: 9 } as State;
  assert.deepEqual([mayMove(guest, 5), mayResolve(guest, 5), mayDelete(guest, own, soon)], [false, false, false]);

  assert.deepEqual(creatableKinds(state), ["public"]);
  assert.deepEqual(creatableKinds({ ...moderator, can_create_private_streams: true } as State), [
    "protected",
    "private",
  ]);
  assert.deepEqual(creatableKinds({ ...moderator, can_create_web_public_streams: true } as State), ["web"]);
  const channel = {
    ...rights,
    stream_id: 7,
    invite_only: true,
    can_subscribe_group: crew,
    can_add_subscribers_group: moderators,
    can_remove_subscribers_group: moderators,
  } as unknown as Channel;
  const may = (who: State, of: Channel) => [
    mayJoin(who, of),
    mayAddSubscribers(who, of),
    mayRemoveSubscribers(who, of),
    administers(who, of),
  ];
  assert.deepEqual(may(state, channel), [true, false, false, false], "by the group that may join");
  assert.deepEqual(may(moderator, channel), [true, true, true, true]);
  assert.deepEqual(may({ ...guest, is_guest: true }, channel), [false, false, false, false]);
  const closed = { ...channel, can_subscribe_group: moderators } as Channel;
  assert.deepEqual(may({ ...state, can_subscribe_other_users: true }, closed), [false, false, false, false]);
  const open = { ...closed, invite_only: false } as Channel;
  assert.deepEqual(may({ ...state, can_subscribe_other_users: true }, open), [true, true, false, false]);
  assert.deepEqual(may({ ...guest, is_guest: true }, open), [false, false, false, false]);
});

test("without an account one asks for what all may read", () => {
  const asked = (narrow: Narrow) => termsOf(narrow, SPECTATOR_ID);
  const open = { operator: "channels", operand: "web-public" };
  assert.deepEqual(asked({ kind: "feed" }), [open]);
  assert.deepEqual(asked({ kind: "search", terms: [word("boat")] }), [word("boat"), open]);
  assert.deepEqual(asked({ kind: "channel", channelId: 5 }), [{ operator: "channel", operand: 5 }]);
});
