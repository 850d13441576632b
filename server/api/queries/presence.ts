import { isAhead } from "../../storage/ages.ts";
import type { Reader } from "../../storage/transaction.ts";
import { databaseOf } from "./message-index.ts";
import { organizationSetting } from "./organization.ts";
import { userSetting } from "./user-settings.ts";
import type { User } from "./users.ts";

/** Milliseconds since the epoch. */
export interface Presence {
  /** The person's last activity; null: never active. */
  readonly activeAt: number | null;
  /** The last report from one of the person's clients. */
  readonly seenAt: number;
  /** Increases with every change of any user's presence. */
  readonly updateId: number;
}

/**
 * A user is offline after this time without a report. Clients report every minute. They get this value as
 * `server_presence_offline_threshold_seconds`.
 */
const OFFLINE_MS = 200_000;
/** A report of activity is valid until the next one is due, and a little longer. */
const ACTIVE_MS = 70_000;

/** The presence of all users: in memory, and saved periodically. */
export interface Presences {
  readonly byUser: Map<number, Presence>;
  /** The users whose presence in memory is newer than the saved one. */
  readonly unsaved: Set<number>;
  /** The newest id. It increases across restarts, since it is never below the current time. */
  lastUpdateId: number;
}

interface Row {
  id: number;
  active: number | null;
  seen: number;
  update_id: number;
}

const presencesByStore = new WeakMap<object, Presences>();

export function presences(reader: Reader): Presences {
  const database = databaseOf(reader);
  let cached = presencesByStore.get(database);
  if (!cached) {
    const rows = reader.all<Row>(
      "SELECT user_id AS id, active_at AS active, seen_at AS seen, update_id FROM presences ORDER BY user_id",
    );
    cached = {
      byUser: new Map(rows.map(({ id, active, seen, update_id }) => [id, presence(active, seen, update_id)])),
      unsaved: new Set(),
      lastUpdateId: rows.reduce((last, { update_id }) => Math.max(last, update_id), 0),
    };
    presencesByStore.set(database, cached);
  }
  return cached;
}

const presence = (activeAt: number | null, seenAt: number, updateId: number): Presence => ({
  activeAt,
  seenAt,
  updateId,
});

/** Whether the user's presence is recorded and shown to others. */
export const showsPresence = (reader: Reader, user: User): boolean =>
  !user.is_bot &&
  user.is_active &&
  userSetting(reader, user.id, "presence_enabled") &&
  !organizationSetting(reader, "presence_disabled");

/** Whether the user's own setting hides their presence. */
export const hidesPresence = (reader: Reader, user: User): boolean =>
  !user.is_bot && user.is_active && !userSetting(reader, user.id, "presence_enabled");

export const isActive = ({ activeAt, seenAt }: Presence): boolean => activeAt !== null && seenAt - activeAt < ACTIVE_MS;

/** Whether the clock was ahead at the time of the report. Its user would otherwise appear online until then. */
export const isFromFuture = ({ seenAt }: Presence, now: number): boolean => isAhead(seenAt, now, OFFLINE_MS);

/** The status that clients compute from a presence. */
export function statusAt(presence: Presence | undefined, now: number): "active" | "idle" | "offline" {
  if (!presence || isFromFuture(presence, now) || now - presence.seenAt > OFFLINE_MS) return "offline";
  return isActive(presence) ? "active" : "idle";
}

/** -1 if there are no presences. */
export function lastUpdateId(reader: Reader): number {
  const { lastUpdateId: id } = presences(reader);
  return id === 0 ? -1 : id;
}

/** Undefined if the user hides their presence or was never present. */
export function shownPresence(reader: Reader, user: User, now: number): Presence | undefined {
  const presence = showsPresence(reader, user) ? presences(reader).byUser.get(user.id) : undefined;
  return presence && isFromFuture(presence, now) ? undefined : presence;
}
