import assert from "node:assert/strict";
import test from "node:test";
import type { State } from "../../ui/api/state-shape.ts";
import { type Action, isAvailable } from "../../ui/chat/actions/action.ts";
import { CHANNEL_ACTIONS } from "../../ui/chat/actions/channel.ts";
import { MESSAGE_ACTIONS, type MessageThing } from "../../ui/chat/actions/message.ts";
import { PAGE_ACTIONS } from "../../ui/chat/actions/page.ts";
import { PERSON_ACTIONS } from "../../ui/chat/actions/person.ts";
import { KEYED_ACTIONS, press } from "../../ui/chat/actions/shortcuts.ts";
import { TOPIC_ACTIONS } from "../../ui/chat/actions/topic.ts";
import type { Message } from "../../ui/chat/model/feed-state.ts";
import type { Narrow } from "../../ui/chat/model/narrow.ts";
import type { Person } from "../../ui/chat/model/selectors.ts";
import { SPECTATOR_ID } from "../../ui/chat/model/spectating.ts";

const SELF = 7;
const NOBODY = 1;
const EVERYBODY = 2;

/** A member who may do everything that members may do by default. */
const MEMBER = {
  user_id: SELF,
  is_admin: false,
  realm_user_groups: [
    { id: NOBODY, name: "role:nobody", members: [], direct_subgroup_ids: [] },
    { id: EVERYBODY, name: "role:everyone", members: [SELF], direct_subgroup_ids: [] },
  ],
  realm_enable_read_receipts: true,
  realm_can_move_messages_between_topics_group: EVERYBODY,
  realm_can_move_messages_between_channels_group: EVERYBODY,
  realm_can_resolve_topics_group: EVERYBODY,
  realm_can_delete_own_message_group: EVERYBODY,
  realm_can_delete_any_message_group: NOBODY,
  subscriptions: [{ stream_id: 1, name: "general", can_administer_channel_group: NOBODY }],
} as unknown as State;

/** The same member, where nothing is allowed. */
const RESTRICTED = {
  ...MEMBER,
  realm_enable_read_receipts: false,
  realm_allow_message_editing: false,
  realm_can_move_messages_between_topics_group: NOBODY,
  realm_can_move_messages_between_channels_group: NOBODY,
  realm_can_resolve_topics_group: NOBODY,
  realm_can_delete_own_message_group: NOBODY,
  subscriptions: [
    {
      stream_id: 1,
      name: "general",
      can_administer_channel_group: NOBODY,
      can_move_messages_within_channel_group: NOBODY,
      can_move_messages_out_of_channel_group: NOBODY,
      can_resolve_topics_group: NOBODY,
      can_delete_own_message_group: NOBODY,
      can_delete_any_message_group: NOBODY,
    },
  ],
} as unknown as State;

const thing = (more: Partial<Message> = {}): MessageThing => ({
  message: {
    id: 20,
    sender_id: SELF,
    type: "stream",
    stream_id: 1,
    subject: "boats",
    timestamp: 0,
    flags: [],
    reactions: [],
    submessages: [],
    ...more,
  } as unknown as Message,
  here: { kind: "feed" },
  startDeletion() {},
});

const idsOf = <Thing>(actions: readonly Action<Thing>[], state: State, of: Thing) =>
  actions.filter((action) => isAvailable(action, state, of)).map(({ id }) => id);

const menuOf = (state: State, of: MessageThing) =>
  idsOf(
    MESSAGE_ACTIONS.filter(({ shownIn }) => shownIn?.includes("menu")),
    state,
    of,
  );

/** The ids of the actions that ran, for each action with a key on a message. */
function pressed(state: State, of: MessageThing): string[] {
  const ran: string[] = [];
  for (const keyed of KEYED_ACTIONS) {
    if (keyed.kind !== "message") continue;
    const action = { ...keyed.action, run: () => void ran.push(keyed.action.id) };
    const page = { update() {} };
    press({ kind: "message", action }, { chat: { state: { value: state } }, page, t: String } as never, () => of);
  }
  return ran;
}

test("a message's menu follows the permissions", () => {
  const granted = menuOf(MEMBER, thing({ last_edit_timestamp: 1 } as Partial<Message>));
  for (const id of ["edit", "move", "receipts", "history", "delete"]) assert.ok(granted.includes(id), id);
  const refused = menuOf(RESTRICTED, thing());
  for (const id of ["edit", "move", "receipts", "history", "delete"]) assert.ok(!refused.includes(id), id);
});

test("a key is refused where the menu has no entry", () => {
  const cases: readonly [State, MessageThing][] = [
    [MEMBER, thing()],
    [RESTRICTED, thing()],
    [RESTRICTED, thing({ sender_id: 9 })],
    [MEMBER, { ...thing(), here: { kind: "topic", channelId: 1, topic: "boats" } }],
    [{ ...MEMBER, user_id: SPECTATOR_ID } as State, thing()],
  ];
  const inMenu = MESSAGE_ACTIONS.filter(({ shortcut, shownIn }) => shortcut && shownIn?.includes("menu"));
  assert.ok(inMenu.length >= 8);
  for (const [state, of] of cases) {
    const ran = pressed(state, of);
    const menu = menuOf(state, of);
    for (const { id } of inMenu) assert.equal(ran.includes(id), menu.includes(id), id);
  }
});

test("moving and read receipts are refused by key without permission", () => {
  assert.ok(pressed(MEMBER, thing()).includes("move"));
  assert.ok(pressed(MEMBER, thing()).includes("receipts"));
  assert.ok(!pressed(RESTRICTED, thing()).includes("move"));
  assert.ok(!pressed(RESTRICTED, thing()).includes("receipts"));
});

test("the key for your own old message explains the refusal", () => {
  const notices: unknown[] = [];
  const edit = KEYED_ACTIONS.find(({ action }) => action.id === "edit");
  const page = { update: (change: (before: object) => { notice?: unknown }) => notices.push(change({}).notice) };
  const context = { chat: { state: { value: RESTRICTED } }, page, t: String } as never;
  assert.ok(edit);
  press(edit, context, () => thing({ sender_id: 9 }));
  assert.deepEqual(notices, []);
  press(edit, context, () => thing());
  assert.deepEqual(notices, ["chat.editTooLate"]);
});

test("topics are resolved, moved and deleted only with permission", () => {
  const topic = { channelId: 1, topic: "boats", messageId: 20 };
  const limited = ["resolve", "moveTopic", "deleteTopic"];
  const offered = (state: State, of = topic) => idsOf(TOPIC_ACTIONS, state, of).filter((id) => limited.includes(id));
  assert.deepEqual(offered({ ...MEMBER, is_admin: true } as State), limited);
  assert.deepEqual(offered(MEMBER), ["resolve", "moveTopic"]);
  assert.deepEqual(offered(RESTRICTED), []);
  assert.deepEqual(offered(MEMBER, { ...topic, messageId: undefined as never }), []);
});

test("a channel is pinned, muted and left only by subscribers", () => {
  const own = ["pinChannel", "muteChannel", "leaveChannel"];
  const offered = (channelId: number) => idsOf(CHANNEL_ACTIONS, MEMBER, { channelId }).filter((id) => own.includes(id));
  assert.deepEqual(offered(1), own);
  assert.deepEqual(offered(2), []);
});

test("your own card has other actions", () => {
  const offered = (user_id: number, here: Narrow | undefined) =>
    idsOf(PERSON_ACTIONS, MEMBER, { person: { user_id } as Person, here });
  const topic = { kind: "topic", channelId: 1, topic: "boats" } as const;
  assert.deepEqual(offered(SELF, topic), ["writeNotes", "setStatus", "editProfile"]);
  assert.deepEqual(offered(9, topic), ["messagePerson", "mentionPerson", "showMessagesBy", "mutePerson"]);
  assert.ok(!offered(9, undefined).includes("mentionPerson"), "nothing to write in");
});

test("people without an account only read", () => {
  const spectator = { ...MEMBER, user_id: SPECTATOR_ID } as State;
  const page = { here: { kind: "feed" }, mayManage: false } as const;
  assert.deepEqual(idsOf(MESSAGE_ACTIONS, spectator, thing()), ["inConversation"]);
  assert.deepEqual(idsOf(TOPIC_ACTIONS, spectator, { channelId: 1, topic: "boats", messageId: 20 }), []);
  assert.deepEqual(
    idsOf(PAGE_ACTIONS, spectator, page).filter((id) => ["search", "help", "newDirect", "findPerson"].includes(id)),
    ["search", "help"],
  );
});

test("every action has an id of its own", () => {
  const all = [...PAGE_ACTIONS, ...MESSAGE_ACTIONS, ...TOPIC_ACTIONS, ...CHANNEL_ACTIONS, ...PERSON_ACTIONS].map(
    ({ id }) => id,
  );
  assert.equal(new Set(all).size, all.length);
});
