import type { Reader } from "../../storage/transaction.ts";
import { USER_SETTINGS, type UserSettings, userSetting } from "./user-settings.ts";

/** What a person may set for one channel, and the setting of theirs that it inherits while it is null. */
export const INHERITED_FROM = {
  desktop_notifications: "enable_stream_desktop_notifications",
  audible_notifications: "enable_stream_audible_notifications",
  push_notifications: "enable_stream_push_notifications",
  email_notifications: "enable_stream_email_notifications",
  wildcard_mentions_notify: "wildcard_mentions_notify",
} as const satisfies Record<string, keyof UserSettings>;

export type NotificationName = keyof typeof INHERITED_FROM;
export type Notifications = Record<NotificationName, boolean | null>;

const NAMES = Object.keys(INHERITED_FROM) as NotificationName[];

const bitsOf = (isOn: (name: NotificationName) => boolean): number =>
  NAMES.reduce((bits, name, at) => bits | (isOn(name) ? 1 << at : 0), 0);

/** What a person inherits by default, a bit for each name. */
const INITIAL = bitsOf((name) => USER_SETTINGS[INHERITED_FROM[name]].initial);

const inherited = (reader: Reader, userId: number): number =>
  bitsOf((name) => userSetting(reader, userId, INHERITED_FROM[name]));

/** What each of these users inherits, by id; only for those who differ from the default. */
export function inheritedByUser(reader: Reader, userIds: readonly number[]): Record<string, number> {
  const byUser: Record<string, number> = {};
  for (const id of userIds) {
    const bits = inherited(reader, id);
    if (bits !== INITIAL) byUser[id] = bits;
  }
  return byUser;
}

/** Replaces null by the inherited value, for clients that cannot read null. */
export function withoutNulls<S extends Notifications>(settings: S, bits: number = INITIAL): S {
  const filled = { ...settings };
  for (const [at, name] of NAMES.entries()) filled[name] ??= (bits & (1 << at)) !== 0;
  return filled;
}

export const withOwnNotifications = <S extends Notifications>(reader: Reader, userId: number, settings: S): S =>
  withoutNulls(settings, inherited(reader, userId));
