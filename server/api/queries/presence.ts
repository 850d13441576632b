import { isAhead } from "../../storage/ages.ts";
import type { Reader } from "../../storage/transaction.ts";
import { databaseOf } from "./message-index.ts";
import { organizationSetting } from "./organization.ts";
import { userSetting } from "./user-settings.ts";
import type { User } from "./users.ts";

/** Milliseconds since the epoch. */
export interface Presence {
  /** When the person last did something; null: never. */
  readonly activeAt: number | null;
  /** When a client of theirs last reported. */
  readonly seenAt: number;
  /** Ascends with every change of anybody's presence. */
  readonly updateId: number;
}

/**
 * A user is offline after this long without a report, which clients send every minute. Clients know it as
 * `server_presence_offline_threshold_seconds`.
 */
const OFFLINE_MS = 200_000;
/** A report of being active counts until the next is due, and a little longer. */
const ACTIVE_MS = 70_000;

/** The presence of all users: in memory, and stored from time to time. */
export interface Presences {
  readonly byUser: Map<number, Presence>;
  /** The users whose presence is newer than what is stored. */
  readonly unsaved: Set<number>;
  /** The newest. It ascends across restarts, since it is never below the time. */
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

export const isActive = ({ activeAt, seenAt }: Presence): boolean => activeAt !== null && seenAt - activeAt < ACTIVE_MS;

/** Whether the report came while the clock was ahead: its user would seem to be online until then. */
export const isFromFuture = ({ seenAt }: Presence, now: number): boolean => isAhead(seenAt, now, OFFLINE_MS);

/** The status that clients derive from a presence. */
export function statusAt(presence: Presence | undefined, now: number): "active" | "idle" | "offline" {
  if (!presence || isFromFuture(presence, now) || now - presence.seenAt > OFFLINE_MS) return "offline";
  return isActive(presence) ? "active" : "idle";
}

/** -1 if nobody was ever present. */
export function lastUpdateId(reader: Reader): number {
  const { lastUpdateId: id } = presences(reader);
  return id === 0 ? -1 : id;
}

/** Undefined if the user hides it or was never present. */
export function shownPresence(reader: Reader, user: User, now: number): Presence | undefined {
  const presence = showsPresence(reader, user) ? presences(reader).byUser.get(user.id) : undefined;
  return presence && isFromFuture(presence, now) ? undefined : presence;
}
