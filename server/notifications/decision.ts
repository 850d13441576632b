/**
 * Decides which message notifies a person, where, and when. It is pure: the pages and the server use the same
 * functions, and each collects the facts from its own data.
 */

/** The reason for a notification. A message with several reasons has the first. */
export type Trigger = "direct" | "mention" | "alert_word" | "wildcard" | "followed_topic" | "channel";

/** The person's settings: docs/protocol.md#user-settings. */
export interface NotificationSettings {
  enable_desktop_notifications: boolean;
  enable_sounds: boolean;
  enable_offline_push_notifications: boolean;
  enable_offline_email_notifications: boolean;
  enable_stream_desktop_notifications: boolean;
  enable_stream_audible_notifications: boolean;
  enable_stream_push_notifications: boolean;
  enable_stream_email_notifications: boolean;
  enable_followed_topic_desktop_notifications: boolean;
  enable_followed_topic_audible_notifications: boolean;
  enable_followed_topic_push_notifications: boolean;
  enable_followed_topic_email_notifications: boolean;
  wildcard_mentions_notify: boolean;
  enable_followed_topic_wildcard_mentions_notify: boolean;
}

/** The person's settings for a channel. Null: the value of `NotificationSettings`. */
export interface ChannelNotificationSettings {
  is_muted: boolean;
  desktop_notifications: boolean | null;
  audible_notifications: boolean | null;
  push_notifications: boolean | null;
  email_notifications: boolean | null;
  wildcard_mentions_notify: boolean | null;
}

/** A message as one person receives it. */
export interface Arrival {
  readonly isOwn: boolean;
  readonly isDirect: boolean;
  /** The person's flags of the message, such as `read` and `mentioned`. */
  readonly flags: readonly string[];
  /** Undefined for direct messages, and if the person is not subscribed. */
  readonly channel: ChannelNotificationSettings | undefined;
  /** The person's policy for the topic: docs/protocol.md#visibility-policies. 0 without a policy. */
  readonly policy: number;
}

export interface Notice {
  readonly trigger: Trigger | undefined;
  /** On the desktop. */
  readonly isShown: boolean;
  readonly isHeard: boolean;
  /** On the person's phones and in browsers with Web Push. */
  readonly isPushed: boolean;
  readonly isMailed: boolean;
}

const NOTHING: Notice = { trigger: undefined, isShown: false, isHeard: false, isPushed: false, isMailed: false };
const WILDCARDS = ["stream_wildcard_mentioned", "topic_wildcard_mentioned"];
const [MUTED, UNMUTED, FOLLOWED] = [1, 2, 3];

/** Combines the settings of the person, the channel and the topic. */
export function noticeOf(settings: NotificationSettings, arrival: Arrival): Notice {
  const { flags, channel, policy } = arrival;
  if (arrival.isOwn || flags.includes("read")) return NOTHING;
  const personal = (trigger: Trigger): Notice => ({
    trigger,
    isShown: settings.enable_desktop_notifications,
    isHeard: settings.enable_sounds,
    isPushed: settings.enable_offline_push_notifications,
    isMailed: settings.enable_offline_email_notifications && trigger !== "alert_word",
  });
  if (arrival.isDirect) return personal("direct");
  if (flags.includes("mentioned")) return personal("mention");
  if (flags.includes("has_alert_word")) return personal("alert_word");
  if (!channel) return NOTHING;
  const isFollowed = policy === FOLLOWED;
  if (policy === MUTED || (channel.is_muted && policy !== UNMUTED && !isFollowed)) return NOTHING;
  const notifiesWildcards = isFollowed
    ? settings.enable_followed_topic_wildcard_mentions_notify
    : (channel.wildcard_mentions_notify ?? settings.wildcard_mentions_notify);
  if (notifiesWildcards && flags.some((flag) => WILDCARDS.includes(flag))) return personal("wildcard");
  return noticeOfChannel(settings, channel, isFollowed);
}

function noticeOfChannel(
  settings: NotificationSettings,
  channel: ChannelNotificationSettings,
  isFollowed: boolean,
): Notice {
  return {
    trigger: isFollowed ? "followed_topic" : "channel",
    isShown:
      (isFollowed && settings.enable_followed_topic_desktop_notifications) ||
      (channel.desktop_notifications ?? settings.enable_stream_desktop_notifications),
    isHeard:
      (isFollowed && settings.enable_followed_topic_audible_notifications) ||
      (channel.audible_notifications ?? settings.enable_stream_audible_notifications),
    isPushed:
      (isFollowed && settings.enable_followed_topic_push_notifications) ||
      (channel.push_notifications ?? settings.enable_stream_push_notifications),
    isMailed:
      (isFollowed && settings.enable_followed_topic_email_notifications) ||
      (channel.email_notifications ?? settings.enable_stream_email_notifications),
  };
}

/** When a person wants no notifications, in their time zone. */
export interface QuietSettings {
  /** The end of "do not disturb", in seconds since the epoch. 0: off. */
  quiet_until: number;
  /** Whether the schedule below applies. */
  quiet_hours_enabled: boolean;
  /** Minutes after midnight. The hours pass midnight if the end is before the start. */
  quiet_hours_start: number;
  quiet_hours_end: number;
  /** Days that are quiet from midnight to midnight: bit 0 is Monday. */
  quiet_days: number;
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
const WEEK_MINUTES = 7 * DAY_MINUTES;

/** The end of the present quiet time, in milliseconds; undefined if `now` is not quiet. At most a week ahead. */
export function quietUntil(settings: QuietSettings, now: number, timeZone: string): number | undefined {
  const paused = settings.quiet_until * 1000;
  const from = Math.max(now, paused);
  return scheduledEnd(settings, from, timeZone) ?? (paused > now ? paused : undefined);
}

/** In local minutes: on the days when clocks change, the result can differ by the change. */
function scheduledEnd(settings: QuietSettings, at: number, timeZone: string): number | undefined {
  if (!settings.quiet_hours_enabled) return undefined;
  const start = minuteOfWeek(at, timeZone);
  if (!isQuietMinute(settings, start)) return undefined;
  const minute = at - (at % MINUTE_MS);
  for (let passed = 1; passed < WEEK_MINUTES; passed += 1)
    if (!isQuietMinute(settings, (start + passed) % WEEK_MINUTES)) return minute + passed * MINUTE_MS;
  return minute + WEEK_MINUTES * MINUTE_MS;
}

function isQuietMinute(settings: QuietSettings, minuteOfWeek: number): boolean {
  const { quiet_hours_start: start, quiet_hours_end: end } = settings;
  if (settings.quiet_days & (1 << Math.floor(minuteOfWeek / DAY_MINUTES))) return true;
  const minute = minuteOfWeek % DAY_MINUTES;
  return start <= end ? minute >= start && minute < end : minute >= start || minute < end;
}

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const formats = new Map<string, Intl.DateTimeFormat>();

/** Minutes since Monday, 0:00. An empty time zone is that of this computer. */
function minuteOfWeek(at: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", {
      weekday: "short",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      ...(timeZone && { timeZone }),
    });
    formats.set(timeZone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return DAYS.indexOf(parts["weekday"] as string) * DAY_MINUTES + Number(parts["hour"]) * 60 + Number(parts["minute"]);
}

export interface PushSettings extends QuietSettings {
  /** Whether devices ring while the person is active in another client. */
  enable_online_push_notifications: boolean;
  /** Otherwise, devices ring this long after the person's last activity. */
  push_away_minutes: number;
}

/**
 * When a message that arrives now notifies the person's devices, in milliseconds. `activeAt`: the person's last
 * activity in a client that reports presence.
 */
export function pushTime(
  settings: PushSettings,
  { now, activeAt, timeZone }: { now: number; activeAt: number | null; timeZone: string },
): number {
  // An activity in the future comes from a wrong clock.
  const isDelayed = !settings.enable_online_push_notifications && activeAt !== null && activeAt <= now;
  const away = isDelayed ? Math.max(now, activeAt + settings.push_away_minutes * MINUTE_MS) : now;
  return quietUntil(settings, away, timeZone) ?? away;
}

export interface MailTimes {
  /** A mail collects the messages of this time. */
  email_notifications_batching_period_seconds: number;
  /** Nobody gets mails until this long after their last activity. */
  push_away_minutes: number;
}

/** When a message from `sentAt` is mailed if it is still unread, in milliseconds. Quiet hours do not matter. */
export function mailTime(
  settings: MailTimes,
  { sentAt, activeAt }: { sentAt: number; activeAt: number | null },
): number {
  const collected = sentAt + settings.email_notifications_batching_period_seconds * 1000;
  return activeAt === null ? collected : Math.max(collected, activeAt + settings.push_away_minutes * MINUTE_MS);
}
