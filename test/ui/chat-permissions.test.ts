import assert from "node:assert/strict";
import test from "node:test";
import { MAX_MENTIONED as MAX_AT_SERVER } from "../../server/api/access/mentions.ts";
import type { Channel, State } from "../../ui/api/state-shape.ts";
import { mentionsTooMany, unreachedBy } from "../../ui/chat/model/mentions.ts";
import {
  administers,
  closedBecause,
  creatableKinds,
  MAX_MENTIONED,
  mayAddSubscribers,
  mayCreateChannels,
  mayDelete,
  mayEdit,
  mayJoin,
  mayMove,
  mayRemoveSubscribers,
  mayResolve,
  mayStartDirect,
  topicsIn,
  whoPosts,
} from "../../ui/chat/model/permissions.ts";
import { channelMessage } from "../support/channel-message.ts";

const SELF = 7;

test("disables writing where the server would refuse it", () => {
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
  assert.deepEqual(
    [direct(404), direct(3, 404)].map((narrow) => closedBecause(state, narrow)),
    ["unknown", "unknown"],
  );
  assert.equal(closedBecause({ user_id: SELF }, direct(404)), undefined, "while it is not known who there is");
  assert.equal(mayStartDirect(state), false, "nobody gets any");
  const mayBegin = (group: number) =>
    mayStartDirect({
      ...(state as State),
      realm_direct_message_permission_group: everybody,
      realm_direct_message_initiator_group: group,
    });
  assert.deepEqual([mayBegin(everybody), mayBegin(crew)], [true, false]);
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

test("tells who can post: a role, or groups and people", () => {
  const posters = (can_send_message_group: unknown) =>
    whoPosts(
      {
        realm_users: [{ user_id: 3, full_name: "Ada", is_active: true }],
        realm_non_active_users: [{ user_id: 9, full_name: "Gone", is_active: false }],
        realm_user_groups: [
          { id: 1, name: "role:owners", is_system_group: true },
          { id: 2, name: "Crew", is_system_group: false },
        ],
        subscriptions: [{ stream_id: 1, can_send_message_group }],
      } as never,
      { kind: "channel", channelId: 1 },
    );
  assert.deepEqual(posters(1), { role: "role:owners" });
  assert.deepEqual(posters(2), { names: ["Crew"] });
  assert.deepEqual(posters({ direct_subgroups: [2], direct_members: [3, 9] }), { names: ["Crew", "Ada"] });
  assert.equal(posters({ direct_subgroups: [1], direct_members: [3] }), undefined);
});

test("warns of mentions without effect before sending", () => {
  const person = (user_id: number, full_name: string, more = {}) => ({ user_id, full_name, ...more });
  const channel = (stream_id: number, invite_only: boolean, subscriber_count: number) => ({
    stream_id,
    invite_only,
    subscriber_count,
  });
  const state = {
    user_id: SELF,
    realm_users: [
      person(SELF, "Ann"),
      person(3, "Ada"),
      person(4, "Bo"),
      person(5, "Bo"),
      person(6, "Gast", { is_guest: true }),
      person(8, "Gull", { is_bot: true }),
    ],
    subscriptions: [channel(1, true, 3), channel(2, false, 16)],
    realm_can_mention_many_users_group: 9,
    realm_user_groups: [{ id: 9, members: [3], direct_subgroup_ids: [] }],
  } as never;
  const unreached = (channelId: number, text: string, ...ids: number[]) =>
    unreachedBy(state, channelId, text, ids).map(({ user_id }) => user_id);
  const text = "@**Ada** @**Ada** @**Bo|4** @**Bo** @**Gull** @**Ann** @**Gast** @_**Bo|5** `@**Bo|5**` @**Nobody**";
  assert.deepEqual(unreached(1, text), [3, 4, 6], "who is not in a private channel");
  assert.deepEqual(unreached(1, text, 3, 6), [4]);
  assert.deepEqual(unreached(2, text), [6], "members read public ones");
  assert.deepEqual(unreached(404, text), []);
  assert.equal(MAX_MENTIONED, MAX_AT_SERVER, "as the server counts");
  assert.ok(mentionsTooMany(state, 2, "@**all** look"));
  assert.ok(!mentionsTooMany(state, 1, "@**all** look"), "a small channel");
  assert.ok(!mentionsTooMany(state, 2, "@**Ada** @_**all** `@**all**`"));
  assert.ok(!mentionsTooMany({ ...(state as object), user_id: 3 } as never, 2, "@**all**"), "for the group it is");
});

test("offers actions by role, settings and limits", () => {
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
