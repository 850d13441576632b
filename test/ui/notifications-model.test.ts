import assert from "node:assert/strict";
import test from "node:test";
import type { Of, State } from "../../ui/api/state-shape.ts";
import { countsAsRead, noticeOfMessage, shownCount } from "../../ui/chat/model/notifications.ts";
import { unreadCounts } from "../../ui/chat/model/unread.ts";
import { cropped, moved } from "../../ui/chat/settings/crop.ts";
import { zuliprc } from "../../ui/chat/settings/zuliprc.ts";

const SELF = 7;
const NOW = Date.UTC(2026, 0, 1, 12);
const SETTINGS = {
  enable_desktop_notifications: true,
  enable_sounds: true,
  enable_stream_desktop_notifications: false,
  enable_stream_audible_notifications: false,
  enable_followed_topic_desktop_notifications: true,
  enable_followed_topic_audible_notifications: true,
  wildcard_mentions_notify: true,
  enable_followed_topic_wildcard_mentions_notify: true,
  timezone: "UTC",
  quiet_until: 0,
  quiet_hours_enabled: false,
  quiet_hours_start: 0,
  quiet_hours_end: 0,
  quiet_days: 0,
};
const CHANNEL = {
  stream_id: 5,
  name: "general",
  is_muted: false,
  desktop_notifications: null,
  audible_notifications: null,
  wildcard_mentions_notify: null,
};

const stateWith = (settings: object = {}, channel: object = {}, topics: Record<string, number> = {}): State =>
  ({
    user_id: SELF,
    user_settings: { ...SETTINGS, ...settings },
    subscriptions: [{ ...CHANNEL, ...channel }],
    user_topics: Object.entries(topics).map(([topic_name, visibility_policy]) => ({
      stream_id: 5,
      topic_name,
      visibility_policy,
    })),
  }) as unknown as State;

const arrives = (more: object = {}, flags: string[] = []) =>
  ({
    type: "message",
    message: { id: 1, type: "stream", stream_id: 5, subject: "Lunch", sender_id: 3, ...more },
    flags,
  }) as unknown as Of<"message">;
const direct = arrives({ type: "private", stream_id: undefined });

/** The notification's text and sound, in short. */
const notice = (state: State, event: Of<"message">): string => {
  const { isShown, isHeard } = noticeOfMessage(state, event, NOW) ?? {};
  return `${isShown ? "shown" : ""}${isHeard ? " heard" : ""}`.trim();
};

test("direct messages and mentions notify by their settings", () => {
  assert.equal(notice(stateWith(), direct), "shown heard");
  assert.equal(notice(stateWith({ enable_sounds: false }), direct), "shown");
  assert.equal(notice(stateWith({ enable_desktop_notifications: false }), direct), "heard");
  const mention = arrives({}, ["mentioned"]);
  assert.equal(notice(stateWith(), mention), "shown heard");
  assert.equal(
    notice(stateWith({}, { is_muted: true }), mention),
    "shown heard",
    "a channel is muted, its mentions not",
  );
  assert.equal(notice(stateWith(), arrives({ sender_id: SELF }, ["mentioned"])), "", "nobody is told of their own");
  assert.equal(notice(stateWith(), arrives({}, ["mentioned", "read"])), "", "read elsewhere, or by somebody muted");
});

test("other messages notify by channel and topic", () => {
  const plain = arrives();
  assert.equal(notice(stateWith(), plain), "");
  assert.equal(notice(stateWith({ enable_stream_desktop_notifications: true }), plain), "shown");
  assert.equal(
    notice(stateWith({}, { desktop_notifications: true, audible_notifications: true }), plain),
    "shown heard",
  );
  const all = { enable_stream_desktop_notifications: true, enable_stream_audible_notifications: true };
  assert.equal(notice(stateWith(all, { desktop_notifications: false }), plain), "heard");
  assert.equal(notice(stateWith(all, { is_muted: true }), plain), "");
  assert.equal(notice(stateWith(all, { is_muted: true }, { LUNCH: 2 }), plain), "shown heard", "unmuted there");
  assert.equal(notice(stateWith(all, {}, { lunch: 1 }), plain), "", "muted, whatever the letter case");
  assert.equal(notice(stateWith({}, { is_muted: true }, { lunch: 3 }), plain), "shown heard", "followed");
  assert.equal(notice(stateWith(all), arrives({ stream_id: 6 })), "", "not subscribed");
});

test("wildcard mentions notify unless disabled", () => {
  const all = arrives({}, ["stream_wildcard_mentioned"]);
  assert.equal(notice(stateWith(), all), "shown heard");
  assert.equal(notice(stateWith({ wildcard_mentions_notify: false }), all), "");
  assert.equal(notice(stateWith({}, { wildcard_mentions_notify: false }), all), "");
  assert.equal(notice(stateWith({}, {}, { lunch: 1 }), all), "");
});

test("the setting decides what the title and icon count", () => {
  const unread_msgs = {
    count: 9,
    mentions: [11, 31],
    pms: [{ other_user_id: 3, sender_id: 3, unread_message_ids: [30, 31] }],
    huddles: [{ user_ids_string: "3,4,7", unread_message_ids: [40] }],
    streams: [
      { stream_id: 5, topic: "lunch", unread_message_ids: [10, 11] },
      { stream_id: 5, topic: "tea", unread_message_ids: [20, 21, 22, 23] },
    ],
  };
  const count = (desktop_icon_count_display: number) =>
    shownCount({ ...stateWith({ desktop_icon_count_display }, {}, { LUNCH: 3 }), unread_msgs } as unknown as State);
  assert.deepEqual([1, 2, 3, 4].map(count), [9, 5, 4, 0]);
  assert.equal(shownCount({}), 0);
});

test("does not count muted messages and marks mentions", () => {
  const unread_msgs = {
    count: 8,
    mentions: [11, 30],
    pms: [{ other_user_id: 3, sender_id: 3, unread_message_ids: [30] }],
    huddles: [{ user_ids_string: "12,7,3", unread_message_ids: [40, 41] }],
    streams: [
      { stream_id: 5, topic: "lunch", unread_message_ids: [10, 11] },
      { stream_id: 5, topic: "tea", unread_message_ids: [20, 21, 22] },
    ],
  };
  const counts = (channel: object, topics: Record<string, number>) =>
    unreadCounts({ ...stateWith({}, channel, topics), unread_msgs } as unknown as State);
  const mutedTopic = counts({}, { TEA: 1 });
  assert.deepEqual([mutedTopic.total, mutedTopic.unmuted.get(5), mutedTopic.channels.get(5)], [5, 2, 5]);
  const mutedChannel = counts({ is_muted: true }, { tea: 3 });
  assert.deepEqual([mutedChannel.total, mutedChannel.unmuted.get(5)], [6, 3], "followed in a muted channel");
  assert.deepEqual([...mutedTopic.mentioned], ["topic 5 lunch", "direct 3"]);
  assert.deepEqual([...mutedTopic.mentionedChannels], [5]);
  assert.equal(mutedTopic.conversations.get("direct 3,12"), 2);
});

test("the setting decides which messages count", () => {
  const read = (policy: number, isConversation: boolean) =>
    countsAsRead(stateWith({ web_mark_read_on_scroll_policy: policy }), isConversation);
  assert.deepEqual([read(1, false), read(2, true), read(2, false), read(3, true)], [true, true, false, false]);
});

test("crops a picture to the square below the frame", () => {
  const middle = { zoom: 1, x: 0.5, y: 0.5 };
  assert.deepEqual(cropped(400, 200, middle), { left: 100, top: 0, side: 200 });
  assert.deepEqual(cropped(400, 200, { ...middle, zoom: 2 }), { left: 150, top: 50, side: 100 });
  assert.deepEqual(moved(400, 200, middle, 0.25, 0.5), { zoom: 1, x: 0.25, y: 0.5 }, "dragged right: more of the left");
  assert.deepEqual(moved(400, 200, middle, 9, 9), { zoom: 1, x: 0, y: 0.5 }, "no further than the edge");
});

test("a zuliprc names account and server", () => {
  const text = zuliprc("http://host:9400", "ann@example.com", "k".repeat(32));
  assert.equal(text, `[api]\nemail=ann@example.com\nkey=${"k".repeat(32)}\nsite=http://host:9400\n`);
});
