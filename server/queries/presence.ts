import type { Reader } from "../storage/transaction.ts";
import { organizationSetting } from "./organization.ts";
import { userSetting } from "./user-settings.ts";
import type { User } from "./users.ts";

/** Milliseconds since the epoch. */
export interface Presence {
  /** When the person last did something; null: not since they are here. */
  readonly activeAt: number | null;
  /** When a program of theirs last said anything. */
  readonly seenAt: number;
  /** Ascends with every change of anybody's. */
  readonly updateId: number;
}

/** Clients say it every minute; who has said nothing for so long is gone (server_presence_offline_threshold_seconds). */
const OFFLINE_MS = 200_000;
/** One report of being active lasts until the next is due, and a little longer. */
const ACTIVE_MS = 70_000;

/** What is known of who is here: in memory, and written down now and then. */
export interface Presences {
  readonly byUser: Map<number, Presence>;
  /** Whose is newer than what is written down. */
  readonly unsaved: Set<number>;
  /** The newest; ascending over restarts, since it is at least the time. */
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
  const database = reader.derived("the database itself", [], (itself) => itself);
  let known = presencesByStore.get(database);
  if (!known) {
    const rows = reader.all<Row>(
      "SELECT user_id AS id, active_at AS active, seen_at AS seen, update_id FROM presences ORDER BY user_id",
    );
    known = {
      byUser: new Map(rows.map(({ id, active, seen, update_id }) => [id, presence(active, seen, update_id)])),
      unsaved: new Set(),
      lastUpdateId: rows.reduce((last, { update_id }) => Math.max(last, update_id), 0),
    };
    presencesByStore.set(database, known);
  }
  return known;
}

const presence = (activeAt: number | null, seenAt: number, updateId: number): Presence => ({
  activeAt,
  seenAt,
  updateId,
});

/** Whether it is kept, and told, when the user is here. */
export const showsPresence = (reader: Reader, user: User): boolean =>
  !user.is_bot &&
  user.is_active &&
  userSetting(reader, user.id, "presence_enabled") &&
  !organizationSetting(reader, "presence_disabled");

export const isActive = ({ activeAt, seenAt }: Presence): boolean => activeAt !== null && seenAt - activeAt < ACTIVE_MS;

/** As others see it who are told of changes. */
export function statusAt(known: Presence | undefined, now: number): "active" | "idle" | "offline" {
  if (!known || now - known.seenAt > OFFLINE_MS) return "offline";
  return isActive(known) ? "active" : "idle";
}

/** -1 where nobody was here yet. */
export function lastUpdateId(reader: Reader): number {
  const known = presences(reader);
  return known.lastUpdateId === 0 ? -1 : known.lastUpdateId;
}

/** Undefined where the user hides it, or nothing is known. */
export const shownPresence = (reader: Reader, user: User): Presence | undefined =>
  showsPresence(reader, user) ? presences(reader).byUser.get(user.id) : undefined;
