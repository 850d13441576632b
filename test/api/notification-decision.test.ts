import assert from "node:assert/strict";
import test from "node:test";
import { USER_SETTINGS } from "../../server/api/queries/user-settings.ts";
import {
  type Arrival,
  mailTime,
  type NotificationSettings,
  noticeOf,
  type PushSettings,
  pushTime,
  quietUntil,
} from "../../server/notifications/decision.ts";

const initial = Object.fromEntries(Object.entries(USER_SETTINGS).map(([name, { initial: value }]) => [name, value]));
const DEFAULTS = initial as unknown as NotificationSettings & PushSettings;
const CHANNEL = {
  is_muted: false,
  desktop_notifications: null,
  audible_notifications: null,
  push_notifications: null,
  email_notifications: null,
  wildcard_mentions_notify: null,
};
const IN_CHANNEL: Arrival = { isOwn: false, isDirect: false, flags: [], channel: CHANNEL, policy: 0 };
const DIRECT: Arrival = { ...IN_CHANNEL, isDirect: true, channel: undefined };
const FOLLOWED = 3;
const MUTED = 1;

/** The trigger, and where the message notifies. */
function notified(arrival: Partial<Arrival>, settings: Partial<NotificationSettings> = {}): string {
  const notice = noticeOf({ ...DEFAULTS, ...settings }, { ...IN_CHANNEL, ...arrival });
  const places = { isShown: "desktop", isHeard: "sound", isPushed: "phone", isMailed: "mail" } as const;
  const on = Object.entries(places).filter(([name]) => notice[name as keyof typeof places]);
  return on.length === 0 ? "nothing" : `${notice.trigger}: ${on.map(([, place]) => place).join(" ")}`;
}

test("direct messages and mentions notify everywhere by default", () => {
  assert.equal(notified(DIRECT), "direct: desktop sound phone mail");
  assert.equal(notified({ flags: ["mentioned"] }), "mention: desktop sound phone mail");
  assert.equal(notified({ flags: ["has_alert_word"] }), "alert_word: desktop sound phone");
  assert.equal(notified({ flags: ["stream_wildcard_mentioned"] }), "wildcard: desktop sound phone mail");
  assert.equal(notified({}), "nothing");
});

test("own and read messages notify nowhere", () => {
  assert.equal(notified({ ...DIRECT, isOwn: true }), "nothing");
  assert.equal(notified({ ...DIRECT, flags: ["read", "mentioned"] }), "nothing");
});

test("followed topics notify, muted ones do not, and a mention notifies in both", () => {
  assert.equal(notified({ policy: FOLLOWED }), "followed_topic: desktop sound phone mail");
  const on = { ...CHANNEL, push_notifications: true };
  assert.equal(notified({ channel: on }), "channel: phone");
  assert.equal(notified({ channel: on, policy: MUTED }), "nothing");
  assert.equal(notified({ channel: { ...on, is_muted: true } }), "nothing");
  assert.equal(
    notified({ channel: { ...on, is_muted: true }, policy: FOLLOWED }),
    "followed_topic: desktop sound phone mail",
  );
  assert.equal(notified({ flags: ["mentioned"], policy: MUTED }), "mention: desktop sound phone mail");
});

test("each place has its own settings", () => {
  assert.equal(notified(DIRECT, { enable_offline_push_notifications: false }), "direct: desktop sound mail");
  assert.equal(notified(DIRECT, { enable_offline_email_notifications: false }), "direct: desktop sound phone");
  assert.equal(notified({}, { enable_stream_push_notifications: true }), "channel: phone");
  const off = { ...CHANNEL, push_notifications: false };
  assert.equal(notified({ channel: off }, { enable_stream_push_notifications: true }), "nothing");
});

/** 2026-11-28 is a Saturday. */
const at = (text: string): number => Date.parse(`2026-11-${text}:00Z`);
const NIGHT = {
  quiet_until: 0,
  quiet_hours_enabled: true,
  quiet_hours_start: 1320,
  quiet_hours_end: 420,
  quiet_days: 0,
};

test("quiet hours end in the person's time zone", () => {
  assert.equal(quietUntil(NIGHT, at("28T12:00"), "UTC"), undefined);
  assert.equal(quietUntil(NIGHT, at("28T22:00"), "UTC"), at("29T07:00"));
  assert.equal(quietUntil(NIGHT, at("29T06:59"), "UTC"), at("29T07:00"));
  assert.equal(quietUntil(NIGHT, at("29T07:00"), "UTC"), undefined);
  assert.equal(quietUntil(NIGHT, at("28T21:30"), "Europe/Berlin"), at("29T06:00"));
  assert.equal(quietUntil({ ...NIGHT, quiet_hours_enabled: false }, at("28T23:00"), "UTC"), undefined);
});

test("quiet days join the hours around them", () => {
  const weekend = { ...NIGHT, quiet_days: 32 + 64 };
  assert.equal(quietUntil(weekend, at("27T23:00"), "UTC"), at("30T07:00"));
  assert.equal(quietUntil({ ...weekend, quiet_days: 127 }, at("27T23:00"), "UTC"), at("27T23:00") + 7 * 86_400_000);
});

test("a pause ends at its time, or with the quiet hours that follow", () => {
  const until = (time: string) => ({ ...NIGHT, quiet_until: at(time) / 1000 });
  assert.equal(quietUntil(until("28T13:00"), at("28T12:00"), "UTC"), at("28T13:00"));
  assert.equal(quietUntil(until("28T22:30"), at("28T12:00"), "UTC"), at("29T07:00"));
  assert.equal(quietUntil(until("28T11:00"), at("28T12:00"), "UTC"), undefined);
});

test("phones of active people ring immediately, or after the person is away", () => {
  const now = at("28T12:00");
  const times = { now, activeAt: now - 60_000, timeZone: "UTC" };
  const onlyAway = { ...DEFAULTS, enable_online_push_notifications: false, push_away_minutes: 5 };
  assert.equal(pushTime(DEFAULTS, times), now);
  assert.equal(pushTime(onlyAway, times), now + 4 * 60_000);
  assert.equal(pushTime(onlyAway, { ...times, activeAt: null }), now);
  const late = { ...onlyAway, ...NIGHT, quiet_hours_start: 12 * 60 + 2, quiet_hours_end: 13 * 60 };
  assert.equal(pushTime(late, times), at("28T13:00"));
});

test("a mail waits for the batching period and until the person is away", () => {
  const settings = { email_notifications_batching_period_seconds: 120, push_away_minutes: 5 };
  const at = (activeAt: number | null) => mailTime(settings, { sentAt: 1_000_000, activeAt });
  assert.equal(at(null), 1_120_000);
  assert.equal(at(700_000), 1_120_000);
  assert.equal(at(1_000_000), 1_300_000);
});
