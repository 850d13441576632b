import { badRequest } from "../../errors.ts";
import { type Notice, noticeOf, pushTime } from "../../notifications/decision.ts";
import type { Reader } from "../../storage/transaction.ts";
import { type Device, hasDevice, notifiedByChannel, settingsReader } from "../queries/notifications.ts";
import { presences } from "../queries/presence.ts";
import { type Subscribers, subscriptionsOf } from "../queries/subscriptions.ts";
import { POLICY, policiesFor } from "../queries/topics.ts";
import { usersWithSetting } from "../queries/user-settings.ts";
import { type User, userById } from "../queries/users.ts";
import type { Destination } from "./destinations.ts";

const NOTICE_SETTINGS = [
  "enable_desktop_notifications",
  "enable_sounds",
  "enable_offline_push_notifications",
  "enable_offline_email_notifications",
  "enable_stream_desktop_notifications",
  "enable_stream_audible_notifications",
  "enable_stream_push_notifications",
  "enable_stream_email_notifications",
  "enable_followed_topic_desktop_notifications",
  "enable_followed_topic_audible_notifications",
  "enable_followed_topic_push_notifications",
  "enable_followed_topic_email_notifications",
  "wildcard_mentions_notify",
  "enable_followed_topic_wildcard_mentions_notify",
] as const;

const PUSH_SETTINGS = [
  "quiet_until",
  "quiet_hours_enabled",
  "quiet_hours_start",
  "quiet_hours_end",
  "quiet_days",
  "enable_online_push_notifications",
  "push_away_minutes",
] as const;

export interface NewArrival {
  senderId: number;
  to: Destination;
  receivers: Subscribers;
  /** The flags of a receiver, such as `mentioned`. */
  flagsOf: (userId: number) => string[];
  /** Users with mention flags or alert words. */
  flagged: Iterable<number>;
}

/**
 * How the message notifies those of these users who may want a push or email notification. The cost depends on their
 * number, not on the number of receivers.
 */
export function noticesFor(
  reader: Reader,
  among: { has(id: number): boolean },
  arrival: NewArrival,
): Map<number, Notice> {
  const { senderId, to, flagsOf } = arrival;
  const policies = "channel" in to ? policiesFor(reader, to.channel.id, to.topic) : new Map<number, number>();
  const notices = new Map<number, Notice>();
  const people = [...candidates(reader, arrival, policies)].filter((id) => among.has(id) && isActivePerson(reader, id));
  if (people.length === 0) return notices; // most messages: the settings are not read
  const settingsOf = settingsReader(reader, NOTICE_SETTINGS);
  for (const id of people) {
    const subscription = "channel" in to ? subscriptionsOf(reader, id).get(to.channel.id) : undefined;
    const notice = noticeOf(settingsOf(id), {
      isOwn: id === senderId,
      isDirect: !("channel" in to),
      flags: flagsOf(id),
      channel: subscription?.subscribed ? subscription : undefined,
      policy: policies.get(id) ?? POLICY.none,
    });
    if (notice.isPushed || notice.isMailed) notices.set(id, notice);
  }
  return notices;
}

function isActivePerson(reader: Reader, id: number): boolean {
  const user = userById(reader, id);
  return user?.is_active === true && !user.is_bot;
}

function candidates(
  reader: Reader,
  { to, receivers, flagged }: NewArrival,
  policies: ReadonlyMap<number, number>,
): Iterable<number> {
  if (!("channel" in to)) return receivers.ids;
  const found = new Set(flagged);
  const add = (ids: Iterable<number>) => {
    for (const id of ids) if (receivers.has.has(id)) found.add(id);
  };
  for (const [id, policy] of policies) if (policy === POLICY.followed) add([id]);
  add(notifiedByChannel(reader, to.channel.id));
  add(usersWithSetting(reader, "enable_stream_push_notifications", true));
  add(usersWithSetting(reader, "enable_stream_email_notifications", true));
  return found;
}

/** When a message that arrives now notifies the user's devices, in milliseconds. */
export const pushTimeFor = (reader: Reader, userId: number, now: number): number =>
  pushTime(settingsReader(reader, PUSH_SETTINGS)(userId), {
    now,
    activeAt: presences(reader).byUser.get(userId)?.activeAt ?? null,
    timeZone: userById(reader, userId)?.timezone ?? "",
  });

export function assertDevice(reader: Reader, viewer: User, device: Device): void {
  if (!hasDevice(reader, viewer.id, device)) throw badRequest("no_notification_device", { device });
}
