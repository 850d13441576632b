import assert from "node:assert/strict";
import test from "node:test";
import { adminAddressAt } from "../../ui/chat/model/admin-addresses.ts";
import {
  addressOf,
  isUnclear,
  type Narrow,
  narrowKey,
  overlayAt,
  type Place,
  placeAt,
  termsOf,
} from "../../ui/chat/model/narrow.ts";
import { SPECTATOR_ID } from "../../ui/chat/model/spectating.ts";
import { channelAddress, directAddress, topicAddress } from "../../ui/parts/chat-address.ts";

const at = (narrow: Narrow, near?: number): Place => ({ page: "messages", narrow, near });

const encoded = "Lunch.3F.2050.25.20.28off.29.2C.20na.C3.AFve.20.26.20.E6.97.A5.E6.9C.AC";
const withoutUndefined = (value: unknown) => JSON.parse(JSON.stringify(value));

test("the admin window's links open conversations", () => {
  assert.deepEqual(placeAt(directAddress(7).slice(1)), at({ kind: "direct", userIds: [7] }));
  assert.deepEqual(placeAt(channelAddress(5).slice(1)), at({ kind: "channel", channelId: 5 }));
  const topic = "Lunch? 50% off, naïve";
  assert.deepEqual(placeAt(topicAddress(5, topic).slice(1)), at({ kind: "topic", channelId: 5, topic }));
});

test("locations and URLs match both ways", () => {
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

test("understands URLs of the public web client", () => {
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
    ["#narrow/near/44", at({ kind: "feed" }, 44)],
    ["#narrow/smell/sweet", { page: "inbox" }],
  ];
  for (const [hash, place] of cases) assert.deepEqual(withoutUndefined(placeAt(hash)), withoutUndefined(place), hash);
  for (const [hash] of cases) {
    const leadsNowhere = ["#<script>", "#topics/channel/", "#narrow/smell/sweet"].includes(hash);
    assert.equal(isUnclear(hash), leadsNowhere, `${hash} is said to lead nowhere: ${leadsNowhere}`);
  }
  for (const hash of ["#narrow/channel", "#narrow/", "#nothing/here", "#/", "#user/nobody"])
    assert.ok(isUnclear(hash), hash);
  for (const hash of ["#home", "#settings/none", "#drafts", "#keyboard-shortcuts"]) assert.ok(!isUnclear(hash), hash);
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
test("topics differ by more than letter case", () => {
  const key = (topic: string) => narrowKey({ kind: "topic", channelId: 5, topic });
  assert.equal(key("Lunch"), key("lUNCH"));
  assert.notEqual(key("Lunch"), key("Lunch "));
});

test("anonymous callers request public messages", () => {
  const asked = (narrow: Narrow) => termsOf(narrow, SPECTATOR_ID);
  const open = { operator: "channels", operand: "web-public" };
  assert.deepEqual(asked({ kind: "feed" }), [open]);
  assert.deepEqual(asked({ kind: "search", terms: [word("boat")] }), [word("boat"), open]);
  assert.deepEqual(asked({ kind: "channel", channelId: 5 }), [{ operator: "channel", operand: 5 }]);
});
